//! Distances of wins that no database has, and the player who is never wrong.
#![allow(clippy::unwrap_used)]

mod exactly;
mod reference;

use std::sync::Arc;

use exactly::{Exactly, UpTo, in_order, pieces};
use ludometer::engine::{self, Engine, MATE, Material, Probe, Settings, Value, is_mate};
use ludometer::game::{Game, Notation, Unwatched};
use ludometer::games::draughts::draw::{DrawRule, Played};
use ludometer::games::draughts::{
    B4, B6, B8, Board, Checkers, Draughts, International, Position, Rules, Side,
};
use ludometer::solve::{Answer, DistanceSearch, Limit, Limits, NoDatabase, Pains, Perfect, Worth};
use reference::RuleSet;

const FREE: Limits = Limits { nodes: 50_000_000, bytes: 1 << 30 };

fn worth(value: Value) -> Worth {
    match value {
        Value::Win(_) => Worth::Win,
        Value::Draw => Worth::Draw,
        Value::Loss(_) => Worth::Loss,
    }
}

/// The distances of `positions` are those of the table, and lines are as long.
fn distances_are_exact<R: Rules, B: Board, P: Probe<B> + Clone>(
    probe: P,
    positions: impl Iterator<Item = (Position<B>, Value)>,
) {
    let game = Draughts::<R, B>::default();
    let mut search = DistanceSearch::<R, B, P>::new(probe, 1 << 22);
    for (position, value) in positions {
        let fen = game.write_position(&position);
        assert_eq!(search.value(&position, FREE, &Unwatched), Ok(value), "{} {fen}", R::NAME);
        let (attacker, plies) = match value {
            Value::Win(plies) => (position.side(), plies),
            Value::Draw => continue,
            Value::Loss(plies) => (position.side().other(), plies),
        };
        let line = search.line(&position, attacker, FREE, &Unwatched).unwrap();
        assert_eq!(line.len() as u32, plies, "{fen}");
        let mut end = position;
        for (made, mv) in line.iter().enumerate() {
            let mut moves = Vec::new();
            game.legal_moves(&end, &mut moves);
            assert!(moves.contains(mv), "{fen}");
            game.play(&mut end, *mv);
            let left = plies - 1 - made as u32;
            let won = search.plies_to_win(&end, attacker, FREE, &Unwatched);
            assert_eq!(won, Ok(Some(left)), "{fen}");
        }
        assert_eq!(game.mobility(&end, &mut Vec::new()), 0, "{fen}");
    }
}

#[test]
fn distances_on_4x4_are_those_of_the_whole_graph() {
    let all = in_order::<Checkers, B4>(&Exactly::checkers(4));
    distances_are_exact::<Checkers, B4, _>(&NoDatabase, all.into_iter().step_by(5));
    let all = in_order::<International, B4>(&Exactly::draughts(4));
    distances_are_exact::<International, B4, _>(&NoDatabase, all.into_iter().step_by(5));
}

#[test]
fn distances_beyond_the_database_are_those_of_retrograde_analysis() {
    let database = Exactly::<B6>::checkers(3);
    let all = in_order::<Checkers, B6>(&database);
    let some = all.into_iter().filter(|(position, _)| pieces(position) == 3).step_by(97);
    let two = UpTo { database: &database, pieces: 2 };
    distances_are_exact::<Checkers, B6, _>(&two, some);
}

#[test]
fn a_distance_that_takes_too_long_is_not_given() {
    let start = Draughts::<Checkers, B8>::start();
    let mut search = DistanceSearch::<Checkers, B8, _>::new(&NoDatabase, 1 << 20);
    let limits = Limits { nodes: 1000, bytes: 1 << 20 };
    assert_eq!(search.value(&start, limits, &Unwatched), Err(Limit::Nodes));
}

/// Judges and choices of every position of 4x4, and of some of 6x6 with part of the database.
fn choices_keep_the_value<R: Rules, B: Board, P: Probe<B> + Clone>(
    probe: P,
    database: &Exactly<B>,
    positions: impl Iterator<Item = Position<B>>,
) {
    let game = Draughts::<R, B>::default();
    // Few nodes for the first solver, so that the second has work.
    let pains = Pains { best_first_nodes: 5000, ..Pains::DEFAULT };
    let mut perfect = Perfect::<R, B, P>::new(probe, pains);
    let mut moves = Vec::new();
    for position in positions {
        let fen = game.write_position(&position);
        let value = worth(database.values[&position]);
        assert_eq!(perfect.worth(&position, &Unwatched), Some(value), "{fen}");
        game.legal_moves(&position, &mut moves);
        let worth_after = |mv| {
            let mut next = position;
            game.play(&mut next, mv);
            match worth(database.values[&next]) {
                Worth::Win => Worth::Loss,
                Worth::Draw => Worth::Draw,
                Worth::Loss => Worth::Win,
            }
        };
        for judged in perfect.judge(&position, &Unwatched) {
            assert_eq!(judged.worth, Some(worth_after(judged.mv)), "{fen}");
        }
        for order in 0..2 {
            if order == 1 {
                moves.reverse();
            }
            let chosen = perfect.choose(&position, &moves, &[], &Unwatched);
            assert_eq!(chosen.is_none(), moves.is_empty());
            if let Some(chosen) = chosen {
                assert_eq!(chosen.worth, Some(value), "{fen}");
                assert_eq!(worth_after(chosen.mv), value, "{fen}");
            }
        }
    }
}

#[test]
fn the_perfect_player_keeps_the_value_of_every_position() {
    let database = Exactly::<B4>::checkers(4);
    let all = in_order::<Checkers, B4>(&database).into_iter().map(|(position, _)| position);
    choices_keep_the_value::<Checkers, B4, _>(&NoDatabase, &database, all.step_by(29));
    let database = Exactly::<B6>::draughts(3);
    let all = in_order::<International, B6>(&database).into_iter().map(|(position, _)| position);
    let two = UpTo { database: &database, pieces: 2 };
    choices_keep_the_value::<International, B6, _>(&two, &database, all.step_by(211));
}

#[test]
fn with_a_database_the_perfect_player_wins_as_fast_as_can_be() {
    let database = Exactly::<B6>::new::<Checkers>(RuleSet::Checkers, 3);
    let game = Draughts::<Checkers, B6>::default();
    let mut perfect = Perfect::<Checkers, B6, _>::new(&database, Pains::DEFAULT);
    let longest = in_order::<Checkers, B6>(&database)
        .into_iter()
        .filter(|(_, value)| matches!(value, Value::Win(45)))
        .map(|(position, _)| position);
    let mut moves = Vec::new();
    for mut position in longest {
        let mut plies = 0;
        loop {
            game.legal_moves(&position, &mut moves);
            let Some(chosen) = perfect.choose(&position, &moves, &[], &Unwatched) else { break };
            assert_eq!(chosen.plies, Some(45 - plies));
            game.play(&mut position, chosen.mv);
            plies += 1;
        }
        assert_eq!(plies, 45);
    }
    assert_eq!(perfect.nodes(), 0);
}

#[test]
fn what_cannot_be_known_is_not_claimed() {
    let start = Draughts::<Checkers, B8>::start();
    let pains = Pains { best_first_nodes: 100, depth_first_nodes: 100, table_bytes: 1 << 12 };
    let mut perfect = Perfect::<Checkers, B8, _>::new(&NoDatabase, pains);
    assert_eq!(perfect.worth(&start, &Unwatched), None);
    let answer = perfect.can_win(&start, Side::Black, &Unwatched);
    assert_eq!(answer, Answer::Unknown(Limit::Nodes));
    let mut moves = Vec::new();
    Draughts::<Checkers, B8>::default().legal_moves(&start, &mut moves);
    let chosen = perfect.choose(&start, &moves, &[], &Unwatched).unwrap();
    assert_eq!((chosen.mv, chosen.worth), (moves[0], None));
}

/// A win of three pieces that the rule of quiet moves does not end.
#[test]
fn an_engine_with_a_database_counts_the_plies_to_the_end() {
    let database = Arc::new(Exactly::<B6>::checkers(3));
    let threefold = DrawRule::parse("threefold").unwrap();
    let plain = Engine::<Checkers, B6, _>::new(Material, threefold, Settings::DEFAULT);
    let mut engine = plain.with_database(database.clone());
    for (position, value) in in_order::<Checkers, B6>(&database).into_iter().step_by(101) {
        let played = Played::new(position);
        let depth = engine::Limits::depth(1);
        let found = engine.search(&played, depth, None, &Unwatched, &mut |_| ());
        let Some(found) = found else {
            assert_eq!(value, Value::Loss(0));
            continue;
        };
        let expected = match value {
            Value::Win(plies) => MATE - plies as i32,
            Value::Draw => 0,
            Value::Loss(plies) => plies as i32 - MATE,
        };
        assert_eq!(found.score, expected);
        assert_eq!(is_mate(found.score), value != Value::Draw);
    }
}
