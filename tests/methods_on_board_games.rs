//! Every method of estimation on Hex, Dots and Boxes, Go and chess against exact counts.

#![allow(clippy::unwrap_used)]

use ludometer::game::{Outcome, Scored, Unwatched};
use ludometer::games::chess::Chess;
use ludometer::games::dots_and_boxes::DotsAndBoxes;
use ludometer::games::go::Go;
use ludometer::games::hex::Hex;
use ludometer::tree_size::{
    Method, ReplicatePlan, ReplicateSummary, Scaled, exact, sample_replicates,
};

const METHODS: [Method; 7] = [
    Method::Uniform,
    Method::LeafRaoBlackwell,
    Method::Smc { threshold: 0.5 },
    Method::Smc { threshold: 1.0 },
    Method::TwistedSmc { threshold: 0.9, pilots: 2 },
    Method::Stratified { plies: 2 },
    Method::Policy { temperature: 2.0, look_ahead: 0, margin: None },
];

fn summary<G: Scored>(game: &G, method: Method) -> ReplicateSummary {
    let plan = ReplicatePlan::new(method, 1000, 200, 1).unwrap();
    let replicates = sample_replicates(game, &plan, 2, &Unwatched).unwrap().unwrap();
    ReplicateSummary::of(&replicates, 0.95).unwrap()
}

fn close(name: &str, estimate: f64, standard_error: Option<f64>, expected: f64) {
    let allowed = 4.0 * standard_error.unwrap_or(0.0) + 1e-11 * expected;
    assert!(
        (estimate - expected).abs() <= allowed,
        "{name}: {estimate} +- {standard_error:?}, exact {expected}"
    );
}

/// Games, length and results by every method, and the number of games that `games` says.
fn every_method_agrees<G: Scored>(name: &str, game: &G, games: u128) {
    let exact = exact(game, 1_000_000, 2, &Unwatched).unwrap();
    assert_eq!(exact.total_games(), games, "{name}");
    for method in METHODS {
        let name = format!("{name}, {method}");
        let found = summary(game, method);
        let error = found.gts.standard_error.map(Scaled::to_f64);
        close(&name, found.gts.value.to_f64(), error, games as f64);
        close(&name, found.agl.value, found.agl.standard_error, exact.agl());
        let first = &found.first_rate;
        close(&name, first.value, first.standard_error, exact.rate(Outcome::FirstWins));
    }
}

#[test]
fn every_method_agrees_with_exact_counts_on_board_games() {
    // Sources: tests/data/exact_small_games.csv; orders of the edges; tests/go.rs; perft of chess.
    every_method_agrees("Hex 2x2", &Hex::new(2).unwrap(), 24);
    every_method_agrees("Hex 3x3", &Hex::new(3).unwrap(), 257_760);
    every_method_agrees("boxes 1x2", &DotsAndBoxes::new(1, 2).unwrap(), 5040);
    every_method_agrees("boxes 2x2", &DotsAndBoxes::new(2, 2).unwrap(), 479_001_600);
    every_method_agrees("boxes 3x1", &DotsAndBoxes::new(3, 1).unwrap(), 3_628_800);
    every_method_agrees("Go 1x2", &Go::new(1, 2).unwrap(), 9);
    every_method_agrees("Go 3x1", &Go::new(3, 1).unwrap(), 907);
    every_method_agrees("chess, 3 plies", &Chess::new(Some(3)), 8902);
}

#[test]
fn no_method_has_any_variance_on_dots_and_boxes() {
    let game = DotsAndBoxes::new(2, 2).unwrap();
    // A policy has some: it prefers moves.
    for method in &METHODS[..6] {
        let found = summary(&game, *method);
        let off = found.gts.value.to_f64() / 479_001_600.0 - 1.0;
        assert!(off.abs() < 1e-11, "{method}: {off}");
        let error = found.gts.standard_error.map_or(0.0, Scaled::to_f64);
        assert!(error < 1e-9 * 479_001_600.0, "{method}: {error}");
    }
}
