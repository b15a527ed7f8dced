//! The slow reference generator stands on its own: it reproduces the published perft tables at
//! shallow depths before anything is compared with it.
#![allow(clippy::unwrap_used)]

mod effort;
mod perft_tables;
mod reference;

use effort::{Effort, effort, report};
use reference::{Position, RuleSet};

fn reproduces_the_tables(game: &str, size: usize, rules: RuleSet) {
    let limit = if effort() == Effort::Quick { 20_000 } else { 500_000 };
    let (mut rows, mut nodes) = (0, 0);
    for table in perft_tables::tables(game) {
        let position = match table.position.as_str() {
            "start" => Position::initial(size, rules),
            fen => Position::parse(size, fen),
        };
        for &(depth, expected) in table.rows.iter().filter(|(_, nodes)| *nodes <= limit) {
            let counted = position.perft(rules, table.keep, depth);
            assert_eq!(u128::from(counted), expected, "{game} {} depth {depth}", table.position);
            rows += 1;
            nodes += counted;
        }
    }
    assert!(rows > 0);
    report(&format!("reference generator, {game}: {rows} perft rows, {nodes} nodes"));
}

#[test]
fn the_reference_reproduces_the_tables_of_checkers_6() {
    reproduces_the_tables("checkers-6", 6, RuleSet::Checkers);
}

#[test]
fn the_reference_reproduces_the_tables_of_checkers_8() {
    reproduces_the_tables("checkers-8", 8, RuleSet::Checkers);
}

#[test]
fn the_reference_reproduces_the_tables_of_draughts_6() {
    reproduces_the_tables("draughts-6", 6, RuleSet::International);
}

#[test]
fn the_reference_reproduces_the_tables_of_draughts_8() {
    reproduces_the_tables("draughts-8", 8, RuleSet::International);
}

#[test]
fn the_reference_reproduces_the_tables_of_draughts_10() {
    reproduces_the_tables("draughts-10", 10, RuleSet::International);
}

#[test]
fn the_reference_reproduces_the_tables_of_draughts_12() {
    reproduces_the_tables("draughts-12", 12, RuleSet::International);
}

#[test]
fn the_reference_reproduces_the_tables_of_draughts_14() {
    reproduces_the_tables("draughts-14", 14, RuleSet::International);
}

/// Small positions whose move list is worked out by hand from the articles.
#[test]
fn the_reference_counts_a_closed_tour_once_per_direction() {
    let tour = Position::parse(8, "W:W18:B6,7,14,15");
    assert_eq!(tour.moves(RuleSet::International, true).len(), 2);
    let dropped = tour.moves(RuleSet::International, false);
    assert_eq!(dropped.len(), 1);
    assert_eq!((dropped[0].from, dropped[0].to), (18, 18));
    assert_eq!(dropped[0].captured, [6, 7, 14, 15]);
}

#[test]
fn the_reference_promotes_only_a_man_that_ends_on_the_last_row() {
    let passing = Position::parse(10, "W:W15:B9,10");
    let moves = passing.moves(RuleSet::International, false);
    assert_eq!(moves.len(), 1);
    assert_eq!(passing.after(&moves[0]).fen(), "B:W13:B");
    let ending = Position::parse(8, "W:W11:B6,7");
    let moves = ending.moves(RuleSet::Checkers, false);
    assert_eq!(moves.len(), 1);
    assert_eq!(ending.after(&moves[0]).fen(), "B:WK2:B6");
}
