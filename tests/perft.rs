//! The library's perft against every row of the tables in `tests/perft`.
//!
//! Dev profile: rows up to a million nodes. Any other profile: start positions up to 1e9 nodes, other
//! positions up to 1e8. `LUDOMETER_TESTS=deep`: up to 1e11.
#![allow(clippy::unwrap_used)]

mod effort;
mod perft_tables;

use std::time::Instant;

use effort::{Effort, effort, report};
use ludometer::game::{Game, Notation, perft};
use ludometer::games::draughts::{
    B6, B8, B10, B12, B14, Board, Checkers, Draughts, Duplicates, International, Rules,
};

/// Which tables of a game.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    Start,
    Elsewhere,
}

fn counts_as_in_the_tables<R: Rules, B: Board>(name: &str, origin: Origin) {
    let limit: u128 = match (effort(), origin) {
        (Effort::Quick, _) => 1_000_000,
        (Effort::Full, Origin::Start) => 1_000_000_000,
        (Effort::Full, Origin::Elsewhere) => 100_000_000,
        (Effort::Deep, _) => 100_000_000_000,
    };
    let begun = Instant::now();
    let (mut rows, mut left, mut nodes) = (0, 0, 0);
    for table in perft_tables::tables(name) {
        if (table.position == "start") != (origin == Origin::Start) {
            continue;
        }
        let duplicates = if table.keep { Duplicates::Keep } else { Duplicates::Drop };
        let game = Draughts::<R, B>::new(duplicates);
        let position = match origin {
            Origin::Start => game.initial(),
            Origin::Elsewhere => game.read_position(&table.position).unwrap(),
        };
        for (depth, expected) in table.rows {
            if expected > limit {
                left += 1;
                continue;
            }
            let counted = perft(&game, &position, depth);
            assert_eq!(
                u128::from(counted),
                expected,
                "{name} {duplicates:?} {} depth {depth}",
                table.position
            );
            rows += 1;
            nodes += counted;
        }
    }
    assert!(rows > 0, "no row of {name} was run");
    let seconds = begun.elapsed().as_secs_f64();
    let place = if origin == Origin::Start { "start" } else { "other positions" };
    report(&format!(
        "perft {name}, {place}: {rows} rows, {nodes} nodes in {seconds:.1} s; {left} rows above {limit} nodes left out"
    ));
}

macro_rules! perft_tests {
    ($($start:ident, $elsewhere:ident: $name:literal, $rules:ty, $board:ty;)*) => {$(
        #[test]
        fn $start() {
            counts_as_in_the_tables::<$rules, $board>($name, Origin::Start);
        }

        #[test]
        fn $elsewhere() {
            counts_as_in_the_tables::<$rules, $board>($name, Origin::Elsewhere);
        }
    )*};
}
perft_tests! {
    checkers_6_from_the_start, checkers_6_from_elsewhere: "checkers-6", Checkers, B6;
    checkers_8_from_the_start, checkers_8_from_elsewhere: "checkers-8", Checkers, B8;
    draughts_6_from_the_start, draughts_6_from_elsewhere: "draughts-6", International, B6;
    draughts_8_from_the_start, draughts_8_from_elsewhere: "draughts-8", International, B8;
    draughts_10_from_the_start, draughts_10_from_elsewhere: "draughts-10", International, B10;
    draughts_12_from_the_start, draughts_12_from_elsewhere: "draughts-12", International, B12;
    draughts_14_from_the_start, draughts_14_from_elsewhere: "draughts-14", International, B14;
}
