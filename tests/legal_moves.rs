//! Complete lists of legal moves from rule tests and constructed positions, `tests/data/legal_moves.csv`
//! (each row with its article and source), under both duplicate policies.
#![allow(clippy::unwrap_used)]

mod moves_by_square;

use std::collections::BTreeSet;

use ludometer::game::{Game, Notation};
use ludometer::games::draughts::{
    B6, B8, B10, B12, B14, Board, Checkers, Draughts, Duplicates, International, Rules,
};
use moves_by_square::{BySquare, by_square};

struct Row {
    fen: String,
    keep_count: Option<usize>,
    moves: Vec<String>,
    claim: String,
}

fn rows(game: &str) -> Vec<Row> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/legal_moves.csv");
    let mut reader = csv::Reader::from_path(path).unwrap();
    let records = reader.records().map(|record| record.unwrap());
    records
        .filter(|record| &record[0] == game)
        .map(|record| Row {
            fen: record[1].into(),
            keep_count: (!record[2].is_empty()).then(|| record[2].parse().unwrap()),
            moves: record[3].split(' ').map(String::from).collect(),
            claim: record[4].into(),
        })
        .collect()
}

/// `46x10{19,37}`, `15x02` or `28-22` as origin, destination and, where given, captured squares.
fn listed(text: &str) -> (usize, usize, Option<Vec<usize>>) {
    let (squares, captured) = match text.strip_suffix('}') {
        Some(open) => {
            let (squares, list) = open.split_once('{').unwrap();
            (squares, Some(list.split(',').map(|s| s.parse().unwrap()).collect()))
        }
        None => (text, None),
    };
    let (from, to) = squares.split_once(['-', 'x']).unwrap();
    let captured = captured.or(squares.contains('-').then(Vec::new));
    (from.parse().unwrap(), to.parse().unwrap(), captured)
}

fn moves_are_as_listed<R: Rules, B: Board>(name: &str) {
    let rows = rows(name);
    assert!(!rows.is_empty(), "no list for {name}");
    for row in rows {
        let expected: Vec<_> = row.moves.iter().map(|text| listed(text)).collect();
        for duplicates in [Duplicates::Drop, Duplicates::Keep] {
            let game = Draughts::<R, B>::new(duplicates);
            let position = game.read_position(&row.fen).unwrap();
            let mut moves = Vec::new();
            game.legal_moves(&position, &mut moves);
            let legal: Vec<BySquare> = moves.iter().map(by_square).collect();
            let distinct: BTreeSet<&BySquare> = legal.iter().collect();
            let at = format!("{name} {} {duplicates:?} ({}): {legal:?}", row.fen, row.claim);
            let matches = |(from, to, captured): &(usize, usize, Option<Vec<usize>>),
                           mv: &BySquare| {
                mv.0 == *from
                    && mv.1 == *to
                    && captured.as_ref().is_none_or(|captured| *captured == mv.2)
            };
            assert_eq!(distinct.len(), expected.len(), "{at}");
            for one in &expected {
                assert!(distinct.iter().any(|mv| matches(one, mv)), "{one:?} missing: {at}");
            }
            for mv in &distinct {
                assert!(expected.iter().any(|one| matches(one, mv)), "{mv:?} not listed: {at}");
            }
            match duplicates {
                Duplicates::Drop => assert_eq!(legal.len(), distinct.len(), "{at}"),
                Duplicates::Keep => {
                    assert!(row.keep_count.is_none_or(|count| count == legal.len()), "{at}");
                }
            }
            assert_eq!(game.mobility(&position, &mut Vec::new()), legal.len(), "{at}");
        }
    }
}

#[test]
fn checkers_6_moves_are_as_listed() {
    moves_are_as_listed::<Checkers, B6>("checkers-6");
}

#[test]
fn checkers_8_moves_are_as_listed() {
    moves_are_as_listed::<Checkers, B8>("checkers-8");
}

#[test]
fn draughts_6_moves_are_as_listed() {
    moves_are_as_listed::<International, B6>("draughts-6");
}

#[test]
fn draughts_8_moves_are_as_listed() {
    moves_are_as_listed::<International, B8>("draughts-8");
}

#[test]
fn draughts_10_moves_are_as_listed() {
    moves_are_as_listed::<International, B10>("draughts-10");
}

#[test]
fn draughts_12_moves_are_as_listed() {
    moves_are_as_listed::<International, B12>("draughts-12");
}

#[test]
fn draughts_14_moves_are_as_listed() {
    moves_are_as_listed::<International, B14>("draughts-14");
}

#[test]
fn every_list_is_of_a_game_that_is_tested() {
    let names = [
        "checkers-6",
        "checkers-8",
        "draughts-6",
        "draughts-8",
        "draughts-10",
        "draughts-12",
        "draughts-14",
    ];
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/legal_moves.csv");
    let total = csv::Reader::from_path(path).unwrap().records().count();
    assert_eq!(names.iter().map(|name| rows(name).len()).sum::<usize>(), total);
}
