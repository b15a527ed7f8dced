//! The Schaeffer-Lake bound against the literature, a literal transcription and enumeration.

#![allow(clippy::unwrap_used)]

use ludometer::state_space::formula::{
    Formula, FormulaError, MAX_SIZE, Slice, binomial, log10, upper_bound,
};
use num_bigint::BigUint;

/// Table 1 of J. van Horssen, "Complexity of checkers and draughts on different board sizes".
const TABLE_1: [(u32, &str); 5] = [
    (6, "63838220543"),
    (8, "500995484682338672639"),
    (10, "2301985676687843186738387267616767"),
    (12, "5732895173614141678179591577998733384657257103359"),
    (14, "7717880162220474034203925206374892518645244798128637950441522462719"),
];

/// The five-fold sum of Section 2 as it is printed, term by term.
fn literal(n_rows: u32) -> BigUint {
    let (r, s) = (n_rows / 2, n_rows * n_rows / 2);
    let n = n_rows * (n_rows - 2) / 2;
    let m = n / 2;
    let c = pascal(s as usize);
    let choose = |x: u32, i: u32| c[x as usize].get(i as usize).cloned().unwrap_or_default();
    let mut size = BigUint::ZERO;
    for b in 0..=n.min(m) {
        for bk in 0..=n.min(m) - b {
            for w in 0..=(n - b - bk).min(m) {
                for wk in 0..=(n - b - bk).min(m) - w {
                    for f in 0..=b.min(r) {
                        size += choose(r, f)
                            * choose(s - 2 * r, b - f)
                            * choose(s - r - (b - f), w)
                            * choose(s - b - w, bk)
                            * choose(s - b - w - bk, wk);
                    }
                }
            }
        }
    }
    size - 1u32
}

/// Pascal's triangle, so that the transcription shares no binomial with what it checks.
fn pascal(last: usize) -> Vec<Vec<BigUint>> {
    let mut rows = vec![vec![BigUint::from(1u32)]];
    for x in 1..=last {
        let above = &rows[x - 1];
        let cell = |i: usize| above.get(i).cloned().unwrap_or_default();
        let row = (0..=x).map(|i| cell(i) + if i > 0 { cell(i - 1) } else { BigUint::ZERO });
        let row = row.collect();
        rows.push(row);
    }
    rows
}

fn number(text: &str) -> BigUint {
    text.parse().unwrap()
}

#[test]
fn table_1_comes_out_in_all_digits() {
    for (size, published) in TABLE_1 {
        assert_eq!(upper_bound(size).unwrap(), number(published), "{size} x {size}");
    }
}

#[test]
fn the_factored_sums_equal_the_formula_as_printed() {
    for size in [4, 6, 8, 10, 12, 14] {
        assert_eq!(upper_bound(size).unwrap(), literal(size), "{size} x {size}");
    }
}

#[test]
fn slices_piece_counts_and_total_agree() {
    for size in [4, 6, 8, 10] {
        let formula = Formula::new(size).unwrap();
        let by_pieces = formula.by_pieces();
        let mut from_slices = vec![BigUint::ZERO; formula.max_pieces() as usize + 1];
        let mut last = None;
        for (slice, placements) in formula.slices() {
            assert!(last < Some(slice), "{slice:?} follows {last:?}");
            last = Some(slice);
            from_slices[slice.pieces() as usize] += placements;
        }
        assert_eq!(from_slices[0], BigUint::ZERO);
        for (index, (pieces, placements)) in by_pieces.iter().enumerate() {
            assert_eq!(*pieces as usize, index + 1);
            assert_eq!(*placements, from_slices[index + 1], "{size} x {size}, {pieces} pieces");
        }
        let sum: BigUint = by_pieces.into_iter().map(|(_, placements)| placements).sum();
        assert_eq!(sum, formula.total(), "{size} x {size}");
    }
}

#[test]
fn piece_counts_and_total_agree_on_the_largest_boards() {
    for size in [12, 14, 16] {
        let formula = Formula::new(size).unwrap();
        let sum: BigUint = formula.by_pieces().into_iter().map(|(_, count)| count).sum();
        assert_eq!(sum, formula.total(), "{size} x {size}");
    }
}

/// Source: the terms of the formula by Ajedrecista (TalkChess, topic 27814), recomputed with exact
/// integers; they sum to Table 1.
#[test]
fn placements_by_pieces_on_6x6_equal_the_published_list() {
    let published: [u64; 12] = [
        66,
        2055,
        40108,
        549855,
        5622786,
        44447001,
        273507984,
        1294977024,
        4627352224,
        12134317536,
        22071836160,
        23385567744,
    ];
    let expected: Vec<_> =
        (1..).zip(published).map(|(pieces, count)| (pieces, BigUint::from(count))).collect();
    assert_eq!(Formula::new(6).unwrap().by_pieces(), expected);
}

/// Source: OEIS A055213; W. Duncan / M. VandeWettering, "Total number of checkers positions" (2008).
#[test]
fn placements_by_pieces_on_8x8_equal_oeis_a055213() {
    let formula = Formula::new(8).unwrap();
    let first: Vec<BigUint> = (1..=5).map(|pieces| formula.with_pieces(pieces)).collect();
    assert_eq!(first, [120u32, 6972, 261224, 7092774, 148688232].map(BigUint::from));
    assert_eq!(formula.with_pieces(24), number("90072726844888186880"));
    assert_eq!(formula.with_pieces(0), BigUint::ZERO);
    assert_eq!(formula.with_pieces(25), BigUint::ZERO);
}

/// Source: van Horssen, Tables 4 and 5, database sizes (both colours present).
#[test]
fn slices_with_both_colours_add_up_to_the_published_6x6_database_sizes() {
    let published =
        [(3, 31155u64), (4, 512910), (5, 5789784), (6, 48881249), (7, 322389233), (8, 1617366257)];
    let formula = Formula::new(6).unwrap();
    for (most, positions) in published {
        let sum: BigUint = formula
            .slices()
            .filter(|(slice, _)| slice.pieces() <= most && slice.black() > 0 && slice.white() > 0)
            .map(|(_, placements)| placements)
            .sum();
        assert_eq!(sum, BigUint::from(positions), "{most} pieces");
    }
}

#[test]
fn the_4x4_bound_counts_every_placement_once() {
    // Squares 0..8 row by row from the top; White moves up, so squares 0, 1 crown White's men and
    // 6, 7 Black's.
    let formula = Formula::new(4).unwrap();
    let side = formula.pieces_per_side();
    let mut counts = std::collections::BTreeMap::new();
    for code in 0..5u32.pow(8) {
        let square = |at: u32| code / 5u32.pow(at) % 5;
        let of = |kind: u32| (0..8).filter(|&at| square(at) == kind).count() as u32;
        let slice =
            Slice { black_men: of(1), black_kings: of(2), white_men: of(3), white_kings: of(4) };
        let crowned = (0..2).any(|at| square(at) == 3) || (6..8).any(|at| square(at) == 1);
        if !crowned && slice.pieces() > 0 && slice.black() <= side && slice.white() <= side {
            *counts.entry(slice).or_insert(0u32) += 1;
        }
    }
    let expected: Vec<_> =
        counts.into_iter().map(|(slice, count)| (slice, BigUint::from(count))).collect();
    assert_eq!(formula.slices().collect::<Vec<_>>(), expected);
    assert_eq!(formula.total(), BigUint::from(6087u32));
}

#[test]
fn colours_are_interchangeable() {
    let formula = Formula::new(8).unwrap();
    let slice = Slice { black_men: 5, black_kings: 2, white_men: 3, white_kings: 1 };
    let swapped = Slice { black_men: 3, black_kings: 1, white_men: 5, white_kings: 2 };
    assert!(formula.slice(slice) > BigUint::ZERO);
    assert_eq!(formula.slice(slice), formula.slice(swapped));
}

#[test]
fn slices_outside_the_game_hold_nothing() {
    let formula = Formula::new(6).unwrap();
    let empty = Slice { black_men: 0, black_kings: 0, white_men: 0, white_kings: 0 };
    assert_eq!(formula.slice(empty), BigUint::ZERO);
    let crowd = Slice { black_men: 4, black_kings: 3, ..empty };
    assert_eq!(formula.slice(crowd), BigUint::ZERO);
}

/// Source: exact integers; C(50, 25) and C(60, 30) come out wrong through floats, C(68, 34) passes 2^64.
#[test]
fn binomials_are_exact_past_64_bits() {
    let exact = [
        (50, 25, "126410606437752"),
        (60, 30, "118264581564861424"),
        (67, 33, "14226520737620288370"),
        (68, 34, "28453041475240576740"),
    ];
    let triangle = pascal(98);
    for (n, k, text) in exact {
        assert_eq!(binomial(n, k), number(text), "C({n}, {k})");
        assert_eq!(triangle[n as usize][k as usize], number(text), "C({n}, {k}) by addition");
    }
    for k in 0..=98 {
        assert_eq!(binomial(98, k), triangle[98][k as usize], "C(98, {k})");
    }
    assert_eq!(binomial(3, 4), BigUint::ZERO);
    assert_eq!(binomial(0, 0), BigUint::from(1u32));
}

#[test]
fn odd_tiny_and_huge_boards_are_refused_by_name() {
    for (size, error) in [
        (7, FormulaError::Odd(7)),
        (2, FormulaError::OutOfRange(2)),
        (0, FormulaError::OutOfRange(0)),
        (MAX_SIZE + 2, FormulaError::OutOfRange(MAX_SIZE + 2)),
        (u32::MAX, FormulaError::OutOfRange(u32::MAX)),
    ] {
        assert_eq!(Formula::new(size).unwrap_err(), error);
        let text = error.to_string();
        assert!(text.contains(&size.to_string()) && text.contains("even sizes from 4"), "{text}");
    }
}

#[test]
fn log10_is_exact_to_fourteen_digits() {
    for power in [0, 1, 19, 20, 28, 300, 400] {
        let value = BigUint::from(10u32).pow(power);
        assert!((log10(&value) - f64::from(power)).abs() <= 1e-14 * f64::from(power.max(1)));
    }
    // Source: 2^1000 = 1.0715e301, log10 2 = 0.30102999566398119521.
    let value = BigUint::from(1u32) << 1000;
    assert!((log10(&value) - 301.029_995_663_981_2).abs() < 1e-11);
    assert_eq!(log10(&BigUint::ZERO), f64::NEG_INFINITY);
    // Source: Table 1, 14 x 14 is about 7.7e66.
    assert!((log10(&number(TABLE_1[4].1)) - 66.8875).abs() < 1e-4);
}
