//! Matches: colours swapped, credit by player, openings that are fair.
#![allow(clippy::unwrap_used)]

mod lab;

use lab::{Row, rows, run};
use ludometer::engine::{Engine, Limits, Material, Settings, Weights};
use ludometer::game::{Game, Unwatched};
use ludometer::games::draughts::draw::{Adjudicated, DrawRule};
use ludometer::games::draughts::material::MAN;
use ludometer::games::draughts::{
    B8, B10, Board, Checkers, Duplicates, International, Rules, Side,
};
use ludometer::pdn::GameResult;
use ludometer::self_play::{
    BALLOT_PLIES, Description, Judgement, Match, MatchGame, PlayerError, Players, Score, Thinking,
    ballots,
};

fn planned<R: Rules, B: Board>(seed: Option<u64>) -> Match<R, B> {
    let game = Adjudicated::new(Duplicates::Drop, DrawRule::of::<R>());
    Match { game, openings: ballots(&game, BALLOT_PLIES), seed }
}

fn engine(depth: u32) -> Description {
    Description::depth(depth, Judgement::Positional(Weights::DEFAULT))
}

fn pairs<R: Rules, B: Board>(
    planned: &Match<R, B>,
    engines: [Description; 2],
    pairs: u64,
    threads: usize,
) -> Vec<(usize, [MatchGame<B>; 2])> {
    let rule = planned.game.rule();
    let players = || -> Players<R, B> {
        engines.iter().map(|engine| engine.player(rule, |_| Box::new(Unwatched), None)).collect()
    };
    let mut found = Vec::new();
    let played =
        planned.run::<PlayerError>(0..pairs, threads, players, &Unwatched, |opening, pair| {
            found.push((opening, pair));
            Ok(())
        });
    assert_eq!(played.unwrap(), pairs);
    found
}

/// Case O-SP1: games 1 and 2 share an opening with colours swapped, and so do 3 and 4; one engine against
/// itself without variety plays the same game twice, with opposite credit.
#[test]
fn an_engine_without_variety_mirrors_itself_and_credit_goes_by_player() {
    let planned = planned::<Checkers, B8>(None);
    let mut score = Score::default();
    for (number, (opening, pair)) in
        pairs(&planned, [engine(3), engine(3)], 4, 2).iter().enumerate()
    {
        assert_eq!(*opening, number);
        let [first, second] = pair;
        assert_eq!((first.colour_of_a, second.colour_of_a), (Side::White, Side::Black));
        assert_eq!(first.record.moves[..BALLOT_PLIES], planned.openings[*opening]);
        assert_eq!(first.record.moves, second.record.moves);
        assert_eq!(first.record.result, second.record.result);
        assert_eq!(first.halves_of_a() + second.halves_of_a(), 2);
        score.add(pair);
    }
    assert_eq!((score.games(), score.wins), (8, score.losses));
    assert_eq!(score.share(), Some(0.5));
}

#[test]
fn a_win_is_credited_to_the_player_whatever_its_colour() {
    // Depth 4 against random moves wins with either colour.
    let planned = planned::<International, B8>(Some(3));
    let mut score = Score::default();
    for (_, pair) in pairs(&planned, [engine(4), engine(0)], 6, 2) {
        for game in &pair {
            if let GameResult::Won(side) = game.record.result {
                assert_eq!(game.halves_of_a() == 2, side == game.colour_of_a);
            }
        }
        score.add(&pair);
    }
    assert!(score.wins >= 11 && score.losses == 0, "{score}");
    assert!(score.share().unwrap() > 0.9 && score.reversed().share().unwrap() < 0.1);
}

#[test]
fn matches_are_the_same_on_any_number_of_threads_and_differ_by_seed() {
    let games = |seed, threads| {
        let planned = planned::<International, B10>(Some(seed));
        let pairs = pairs(&planned, [engine(2), engine(1)], 8, threads);
        let mut openings: Vec<usize> = pairs.iter().map(|(opening, _)| *opening).collect();
        openings.sort_unstable();
        openings.dedup();
        assert_eq!(openings.len(), 8, "each pair has an opening of its own");
        let moves = pairs.into_iter().flat_map(|(_, pair)| pair.map(|game| game.record.moves));
        moves.collect::<Vec<_>>()
    };
    let one = games(1, 1);
    assert_eq!(games(1, 2), one);
    assert_eq!(games(1, 3), one);
    assert_ne!(games(2, 1), one);
}

#[test]
fn ballots_are_distinct_legal_and_do_not_lose_a_man() {
    let game = Adjudicated::<International, B10>::new(Duplicates::Drop, DrawRule::FMJD);
    let found = ballots(&game, BALLOT_PLIES);
    let mut sorted = found.clone();
    sorted.sort();
    sorted.dedup();
    assert_eq!((sorted.len(), found.len()), (79, 79));
    let mut engine =
        Engine::<International, B10, _>::new(Material, DrawRule::FMJD, Settings::DEFAULT);
    for ballot in found {
        let mut played = game.initial();
        for mv in &ballot {
            let mut moves = Vec::new();
            game.legal_moves(&played, &mut moves);
            assert!(moves.contains(mv));
            game.play(&mut played, *mv);
        }
        let deeper = Limits::depth(6);
        let search = engine.search(&played, deeper, None, &Unwatched, &mut |_| ()).unwrap();
        assert!(search.score.abs() < MAN, "{ballot:?}");
    }
}

/// Strength is what the engine is for; a margin so wide that chance has no say.
#[test]
fn deeper_search_and_positional_knowledge_win() {
    let planned = planned::<International, B10>(Some(1));
    let share = |engines| {
        let mut score = Score::default();
        pairs(&planned, engines, 24, 2).iter().for_each(|(_, pair)| score.add(pair));
        score.share().unwrap()
    };
    assert!(share([engine(3), engine(1)]) > 0.65);
    let material = Description::depth(2, Judgement::Material);
    assert!(share([engine(2), material]) > 0.55);
}

#[test]
fn time_and_nodes_limit_a_player() {
    let planned = planned::<Checkers, B8>(None);
    let nodes = Description { thinking: Thinking::Nodes(300), ..engine(1) };
    for (_, [first, second]) in pairs(&planned, [nodes.clone(), nodes], 1, 1) {
        for game in [first, second] {
            let own = (game.record.moves.len() - BALLOT_PLIES) as u64;
            assert!(game.nodes <= 300 * own && game.nodes > 0);
        }
    }
}

#[test]
fn the_verb_prints_both_players_and_refuses_what_makes_no_sense() {
    let text =
        run("match draughts-6 depth=2 depth=1 --games 8 --seed 4 --format csv").done().stdout;
    let [a, b] = rows(&text).try_into().unwrap();
    let counts = |row: &Row| {
        ["games", "wins", "draws", "losses"].map(|name| row[name].parse::<u64>().unwrap())
    };
    let ([games, wins, draws, losses], b) = (counts(&a), counts(&b));
    assert_eq!((games, wins + draws + losses), (8, 8));
    assert_eq!([wins, draws, losses], [b[3], b[2], b[1]]);
    for (wrong, word) in [
        ("draughts-6 depth=2 depth=x", "depth=x"),
        ("draughts-6 depth=2 evaluation=material", "evaluation=material"),
        ("draughts-6 depth=2 depth=1 --games 3", "--games 3"),
        ("othello depth=2 depth=1", "othello"),
        ("draughts-6 depth=2 depth=1 --draw-rule none", "none"),
    ] {
        run(&format!("match {wrong}")).refused(2, &[word]);
    }
}
