//! Both solvers against exact values from plain retrograde analysis, against published counts, and at
//! their limits.
#![allow(clippy::unwrap_used)]

mod exactly;
mod reference;

use std::sync::atomic::{AtomicU64, Ordering};

use exactly::{Exactly, UpTo, in_order, pieces};
use ludometer::engine::Value;
use ludometer::game::{Game, Notation, Progress, Unwatched};
use ludometer::games::draughts::{
    B4, B6, B8, Board, Checkers, Draughts, International, Position, Rules, Side,
};
use ludometer::solve::{
    Answer, DepthFirstSearch, Limit, Limits, NoDatabase, Proof, ProofNumberSearch, Solver, Start,
    Worth, solve,
};
use reference::RuleSet;

/// How many questions were answered, and that each answer is right.
fn answers_are_exact<R: Rules, B: Board>(
    solver: &mut dyn Solver<B>,
    positions: impl Iterator<Item = (Position<B>, Value)>,
    limits: Limits,
) -> (u32, u32) {
    let (mut answered, mut asked) = (0, 0);
    for (position, value) in positions {
        let side = position.side();
        for attacker in [Side::White, Side::Black] {
            let wins = match value {
                Value::Win(_) => attacker == side,
                Value::Draw => false,
                Value::Loss(_) => attacker != side,
            };
            let Proof { answer, effort } = solver.can_win(&position, attacker, limits, &Unwatched);
            let fen = Draughts::<R, B>::default().write_position(&position);
            asked += 1;
            match answer {
                Answer::Proved => assert!(wins, "{} {fen} {attacker:?}", R::NAME),
                Answer::Disproved => assert!(!wins, "{} {fen} {attacker:?}", R::NAME),
                Answer::Unknown(limit) => {
                    assert_eq!(limit, Limit::Nodes);
                    assert!(effort.nodes >= limits.nodes);
                    continue;
                }
            }
            answered += 1;
        }
    }
    (answered, asked)
}

fn every_position_of_4x4<R: Rules>(rules: RuleSet) {
    let database = Exactly::<B4>::new::<R>(rules, 4);
    let all = in_order::<R, B4>(&database);
    assert!(all.contains(&(Draughts::<R, B4>::start(), Value::Draw)));
    let limits = Limits::nodes(2000);
    for start in [Start::One, Start::Mobility] {
        let mut solver = ProofNumberSearch::<R, B4, _>::new(&NoDatabase, start);
        let (answered, asked) =
            answers_are_exact::<R, B4>(&mut solver, all.iter().copied().step_by(7), limits);
        assert!(answered > asked * 9 / 10, "{answered} of {asked}");
    }
    let mut solver = DepthFirstSearch::<R, B4, _>::new(&NoDatabase, 1 << 20);
    let (answered, asked) =
        answers_are_exact::<R, B4>(&mut solver, all.iter().copied(), Limits::nodes(1_000_000));
    assert_eq!(answered, asked);
    // A table that cannot keep what a question needs.
    let mut solver = DepthFirstSearch::<R, B4, _>::new(&NoDatabase, 1 << 13);
    let some = all.iter().copied().step_by(37);
    let (answered, asked) = answers_are_exact::<R, B4>(&mut solver, some, Limits::nodes(20_000));
    assert!(answered > asked / 2, "{answered} of {asked}");
    // Nothing learned before: every position by itself.
    for position in all.iter().copied().step_by(17) {
        let mut solver = DepthFirstSearch::<R, B4, _>::new(&NoDatabase, 1 << 16);
        let one = std::iter::once(position);
        let (answered, asked) =
            answers_are_exact::<R, B4>(&mut solver, one, Limits::nodes(1_000_000));
        assert_eq!(answered, asked);
    }
}

#[test]
fn every_position_of_4x4_checkers_has_the_value_of_the_whole_graph() {
    every_position_of_4x4::<Checkers>(RuleSet::Checkers);
}

#[test]
fn every_position_of_4x4_draughts_has_the_value_of_the_whole_graph() {
    every_position_of_4x4::<International>(RuleSet::International);
}

/// Positions of three pieces on 6x6, with a database of two, and without one.
fn three_pieces_on_6x6<R: Rules>(database: &Exactly<B6>) {
    let all = in_order::<R, B6>(database);
    let two = UpTo { database, pieces: 2 };
    let some = all.iter().copied().filter(|(position, _)| pieces(position) == 3).step_by(41);
    let mut solver = ProofNumberSearch::<R, B6, _>::new(&two, Start::Mobility);
    let (answered, asked) =
        answers_are_exact::<R, B6>(&mut solver, some.clone(), Limits::nodes(3000));
    assert!(answered > asked / 2, "{answered} of {asked}");
    let mut solver = DepthFirstSearch::<R, B6, _>::new(&two, 1 << 22);
    let (answered, asked) =
        answers_are_exact::<R, B6>(&mut solver, some, Limits::nodes(10_000_000));
    assert_eq!(answered, asked);
    let mut solver = DepthFirstSearch::<R, B6, _>::new(&NoDatabase, 1 << 22);
    let some = all.iter().copied().step_by(331);
    let (answered, asked) =
        answers_are_exact::<R, B6>(&mut solver, some, Limits::nodes(10_000_000));
    assert_eq!(answered, asked);
}

#[test]
fn three_pieces_on_6x6_checkers_are_worth_what_retrograde_analysis_says() {
    three_pieces_on_6x6::<Checkers>(&Exactly::checkers(3));
}

/// Nodes of both proofs from the start as published: Van Horssen, Table 5, row 3.
#[test]
fn draughts_6x6_is_a_draw_with_three_pieces_in_as_many_nodes_as_published() {
    let database = Exactly::<B6>::draughts(3);
    three_pieces_on_6x6::<International>(&database);
    let start = Draughts::<International, B6>::start();
    let limits = Limits { nodes: 100_000_000, bytes: 1 << 30 };
    let mut solver = ProofNumberSearch::<International, B6, _>::new(&database, Start::One);
    let solution = solve(&mut solver, &start, limits, &Unwatched);
    assert_eq!(solution.worth(), Some(Worth::Draw));
    let effort = solution.effort();
    let nodes = effort.nodes as f64 / 15_986_551.0;
    assert!((0.99..1.01).contains(&nodes), "{effort:?}");
    assert!(effort.greatest_depth.abs_diff(54) <= 2, "{effort:?}");
    let branching = effort.branching_factor().unwrap();
    assert!((3.0..3.2).contains(&branching), "{branching}");
    let mut solver = DepthFirstSearch::<International, B6, _>::new(&database, 64 << 20);
    let solution = solve(&mut solver, &start, limits, &Unwatched);
    assert_eq!(solution.worth(), Some(Worth::Draw));
    assert!(solution.effort().nodes < 10_000_000);
}

/// Case O-EG2 of public bug reports: cycles of kings.
#[test]
fn a_king_that_can_run_for_ever_is_never_claimed_to_be_lost() {
    let game = Draughts::<Checkers, B8>::default();
    let limits = Limits::nodes(1_000_000);
    let mut best_first = ProofNumberSearch::<Checkers, B8, _>::new(&NoDatabase, Start::One);
    let mut depth_first = DepthFirstSearch::<Checkers, B8, _>::new(&NoDatabase, 1 << 24);
    let drawn = game.read_position("W:WK32:BK1").unwrap();
    let won = game.read_position("W:WK29:BK4").unwrap();
    for attacker in [Side::White, Side::Black] {
        let proof = best_first.can_win(&drawn, attacker, limits, &Unwatched);
        assert_ne!(proof.answer, Answer::Proved);
        let proof = depth_first.can_win(&drawn, attacker, limits, &Unwatched);
        assert_eq!(proof.answer, Answer::Disproved);
    }
    let solvers: [&mut dyn Solver<B8>; 2] = [&mut best_first, &mut depth_first];
    for solver in solvers {
        let proof = solver.can_win(&won, Side::White, limits, &Unwatched);
        assert_eq!(proof.answer, Answer::Proved, "{proof:?}");
        assert!(proof.effort.greatest_depth >= 11);
        let proof = solver.can_win(&won, Side::Black, limits, &Unwatched);
        assert_eq!(proof.answer, Answer::Disproved, "{proof:?}");
    }
}

/// Case O-EG1 of public bug reports: one move wins, three draw.
#[test]
fn two_kings_win_against_one_by_the_only_move_that_does() {
    let game = Draughts::<Checkers, B8>::default();
    let position = game.read_position("W:WK2,K12:BK11").unwrap();
    let mut solver = DepthFirstSearch::<Checkers, B8, _>::new(&NoDatabase, 1 << 26);
    let mut moves = Vec::new();
    game.legal_moves(&position, &mut moves);
    assert_eq!(moves.len(), 4);
    for mv in moves {
        let mut after = position;
        game.play(&mut after, mv);
        let solution = solve(&mut solver, &after, Limits::nodes(100_000_000), &Unwatched);
        let only = game.write_move(&position, mv) == "2-6";
        assert_eq!(solution.worth(), Some(if only { Worth::Loss } else { Worth::Draw }));
    }
}

/// Says stop after so many nodes.
struct StopAfter {
    nodes: u64,
    seen: AtomicU64,
}

impl Progress for StopAfter {
    fn advance(&self, units: u64) {
        self.seen.fetch_add(units, Ordering::Relaxed);
    }

    fn stopped(&self) -> bool {
        self.seen.load(Ordering::Relaxed) >= self.nodes
    }
}

#[test]
fn a_search_that_may_not_go_on_says_unknown_and_why() {
    let start = Draughts::<Checkers, B8>::start();
    let mut best_first = ProofNumberSearch::<Checkers, B8, _>::new(&NoDatabase, Start::Mobility);
    let mut depth_first = DepthFirstSearch::<Checkers, B8, _>::new(&NoDatabase, 1 << 20);
    let solvers: [&mut dyn Solver<B8>; 2] = [&mut best_first, &mut depth_first];
    for solver in solvers {
        let proof = solver.can_win(&start, Side::Black, Limits::nodes(5000), &Unwatched);
        assert_eq!(proof.answer, Answer::Unknown(Limit::Nodes));
        assert!((5000..5100).contains(&proof.effort.nodes), "{proof:?}");
        let stop = StopAfter { nodes: 20_000, seen: AtomicU64::new(0) };
        let proof = solver.can_win(&start, Side::Black, Limits::nodes(u64::MAX), &stop);
        assert_eq!(proof.answer, Answer::Unknown(Limit::Stopped));
        let solution = solve(solver, &start, Limits::nodes(u64::MAX), &stop);
        assert_eq!(solution.worth(), None);
    }
    let limits = Limits { nodes: u64::MAX, bytes: 1 << 16 };
    let proof = best_first.can_win(&start, Side::Black, limits, &Unwatched);
    assert_eq!(proof.answer, Answer::Unknown(Limit::Memory));
    assert!(proof.effort.bytes <= 1 << 16);
    // A set that proves a draw of kings does not fit.
    let kings = Draughts::<Checkers, B8>::default().read_position("W:WK32:BK1").unwrap();
    let limits = Limits { nodes: u64::MAX, bytes: 64 };
    let proof = depth_first.can_win(&kings, Side::White, limits, &Unwatched);
    assert_eq!(proof.answer, Answer::Unknown(Limit::Memory));
}

#[test]
fn effort_adds_up() {
    let start = Draughts::<International, B4>::start();
    let mut solver = ProofNumberSearch::<International, B4, _>::new(&NoDatabase, Start::One);
    let effort = solver.can_win(&start, Side::White, Limits::nodes(u64::MAX), &Unwatched).effort;
    assert!(effort.expanded < effort.nodes);
    let mean = effort.mean_depth();
    assert!(mean > 1.0 && mean < f64::from(effort.greatest_depth));
    assert_eq!(effort.mean_depth() * effort.nodes as f64, effort.depths as f64);
    // Where the answer is plain, nothing is expanded.
    let over = Draughts::<International, B4>::default().read_position("W:W:B1").unwrap();
    let proof = solver.can_win(&over, Side::Black, Limits::nodes(u64::MAX), &Unwatched);
    assert_eq!((proof.answer, proof.effort.expanded), (Answer::Proved, 0));
    assert_eq!(proof.effort.branching_factor(), None);
}
