//! The library against the slow reference generator on random positions of every board under both
//! rule sets: random placements, placements rich in long captures, and random games, from fixed seeds.
//!
//! Dev profile: 13,600 positions; any other profile: 340,000.
#![allow(clippy::unwrap_used)]

mod effort;
mod moves_by_square;
mod reference;

use effort::{Effort, effort, report};
use ludometer::game::{Game, Notation};
use ludometer::games::draughts::{
    B4, B6, B8, B10, B12, B14, Board, Checkers, Draughts, Duplicates, International, Rules,
};
use moves_by_square::{BySquare, by_square};
use reference::{Cell, Position, RuleSet, row_and_column, squares};

/// SplitMix64 (Steele, Lea, Flood 2014): positions depend on nothing but the seed.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
}

/// What the positions of one run held, so that a run that tests little cannot pass.
#[derive(Debug, Default)]
struct Seen {
    positions: usize,
    captures: usize,
    /// Positions with a capture of at least two pieces.
    multiple: usize,
    /// Positions where keep and drop differ.
    duplicates: usize,
    promotions: usize,
    finished: usize,
}

/// A placement with a random number of pieces a side, none of them a man on its last row.
fn random_placement(size: usize, random: &mut Random) -> Position {
    let mut position = Position::empty(size, random.below(2) == 0);
    let most = squares(size) * 2 / 5;
    let kings_in_ten = [0, 1, 3, 10][random.below(4)];
    // Many flying kings on a large board have millions of capture paths.
    let mut kings_left = 6;
    for white in [true, false] {
        for _ in 0..1 + random.below(most) {
            let square = 1 + random.below(squares(size));
            let (row, _) = row_and_column(size, square);
            let last = if white { 0 } else { size - 1 };
            let king = kings_left > 0 && random.below(10) < kings_in_ten;
            if position.at(square) == Cell::Empty && (king || row != last) {
                position.put(square, Cell::Piece { white, king });
                kings_left -= usize::from(king);
            }
        }
    }
    position
}

/// A placement rich in long and circular captures: four opponents around one square, the piece that
/// can go round them, and more opponents on the rows between those where it rests.
fn random_tour(size: usize, random: &mut Random) -> Position {
    let white = random.below(2) == 0;
    let mut position = Position::empty(size, white);
    let first_or_last = |row: usize| row == 0 || row == size - 1;
    let (row, column) = loop {
        let (row, column) = row_and_column(size, 1 + random.below(squares(size)));
        if (2..size - 2).contains(&row) && (2..size - 2).contains(&column) {
            break (row, column);
        }
    };
    let mut put = |row: usize, column: usize, white: bool, king: bool| {
        position.cells[row][column] = Cell::Piece { white, king: king || first_or_last(row) };
    };
    for (down, right) in [(0, 0), (0, 2), (2, 0), (2, 2)] {
        put(row + down - 1, column + right - 1, !white, false);
    }
    let (down, right) = [(0, 2), (2, 0), (2, 4), (4, 2)][random.below(4)];
    put(row + down - 2, column + right - 2, white, random.below(2) == 0);
    for _ in 0..random.below(12) {
        let (r, c) = row_and_column(size, 1 + random.below(squares(size)));
        if r % 2 != row % 2 {
            put(r, c, !white, random.below(4) == 0);
        }
    }
    position
}

/// The place of a move in the canonical order as the module doc of `draughts` states it.
fn canonical_key(position: &Position, mv: &BySquare) -> (usize, usize, usize, usize, Vec<usize>) {
    let (from, to, captured) = mv;
    if !captured.is_empty() {
        // As binary numbers: the set with the highest square that is not in both is greater.
        let from_the_top = captured.iter().rev().copied().collect();
        return (*from, *to, 0, 0, from_the_top);
    }
    let (row, column) = row_and_column(position.size, *from);
    let (to_row, to_column) = row_and_column(position.size, *to);
    let direction = 2 * usize::from(to_row > row) + usize::from(to_column > column);
    let king = matches!(position.at(*from), Cell::Piece { king: true, .. });
    (usize::from(king), direction, row.abs_diff(to_row), *from, Vec::new())
}

fn agrees<R: Rules, B: Board>(rules: RuleSet, position: &Position, seen: &mut Seen) {
    let fen = position.fen();
    for duplicates in [Duplicates::Drop, Duplicates::Keep] {
        let game = Draughts::<R, B>::new(duplicates);
        let read = game.read_position(&fen).unwrap();
        assert_eq!(game.write_position(&read), fen, "FEN round trip");
        let mut moves = Vec::new();
        game.legal_moves(&read, &mut moves);
        let listed: Vec<BySquare> = moves.iter().map(by_square).collect();
        let at = format!("{rules:?} {0}x{0} {duplicates:?} {fen}", position.size);

        let keep = duplicates == Duplicates::Keep;
        let expected = position.moves(rules, keep);
        let mut sorted = listed.clone();
        sorted.sort();
        let reference: Vec<BySquare> =
            expected.iter().map(|mv| (mv.from, mv.to, mv.captured.clone())).collect();
        assert_eq!(sorted, reference, "moves of {at}");

        let keys: Vec<_> = listed.iter().map(|mv| canonical_key(position, mv)).collect();
        let in_order = |pair: &[_]| if keep { pair[0] <= pair[1] } else { pair[0] < pair[1] };
        assert!(keys.windows(2).all(in_order), "canonical order of {at}: {listed:?}");

        let mut scratch = Vec::new();
        assert_eq!(game.mobility(&read, &mut scratch), moves.len(), "mobility of {at}");
        for (n, (mv, squares)) in moves.iter().zip(&listed).enumerate() {
            let mut next = read;
            game.play(&mut next, *mv);
            let (from, to, captured) = squares.clone();
            let expected = position.after(&reference::Move { from, to, captured }).fen();
            assert_eq!(game.write_position(&next), expected, "{squares:?} in {at}");
            let mut nth = read;
            game.play_nth(&mut nth, n, &mut scratch);
            assert!(nth == next, "play_nth {n} in {at}");
            if !keep && moves.len() <= 24 {
                let text = game.write_move(&read, *mv);
                assert_eq!(game.read_move(&read, &text), Ok(*mv), "{text} in {at}");
            }
        }

        let turned = read.rotated_and_swapped();
        assert_eq!(game.write_position(&turned), position.rotated_and_swapped().fen());
        assert!(turned.rotated_and_swapped() == read, "turning twice changes {at}");
        assert_eq!(game.mobility(&turned, &mut scratch), moves.len(), "turned {at}");

        if keep {
            let distinct = position.moves(rules, false).len();
            seen.positions += 1;
            seen.captures += usize::from(listed.first().is_some_and(|mv| !mv.2.is_empty()));
            seen.multiple += usize::from(listed.iter().any(|mv| mv.2.len() > 1));
            seen.duplicates += usize::from(distinct < listed.len());
            seen.finished += usize::from(listed.is_empty());
            seen.promotions += usize::from(expected.iter().any(|mv| {
                let man = matches!(position.at(mv.from), Cell::Piece { king: false, .. });
                man && matches!(position.after(mv).at(mv.to), Cell::Piece { king: true, .. })
            }));
        }
    }
}

fn agrees_on_random_positions<R: Rules, B: Board>(rules: RuleSet) {
    let size = B::N as usize;
    let each = if effort() == Effort::Quick { 400 } else { 10_000 };
    let mut seen = Seen::default();
    let mut random =
        Random(0x1d0_0000 + 2 * u64::from(B::N) + u64::from(rules == RuleSet::Checkers));
    for _ in 0..each {
        agrees::<R, B>(rules, &random_placement(size, &mut random), &mut seen);
        if size > 4 {
            agrees::<R, B>(rules, &random_tour(size, &mut random), &mut seen);
        }
    }
    // Games from the start, by the reference alone; a game that goes on is cut after 40 plies a side.
    let mut position = Position::initial(size, rules);
    let mut plies = 0;
    for _ in 0..each {
        agrees::<R, B>(rules, &position, &mut seen);
        let moves = position.moves(rules, false);
        plies += 1;
        if moves.is_empty() || plies > 80 {
            position = Position::initial(size, rules);
            plies = 0;
        } else {
            position = position.after(&moves[random.below(moves.len())]);
        }
    }
    report(&format!("{rules:?} {size}x{size}: {seen:?}"));
    assert_eq!(seen.positions, if size > 4 { 3 } else { 2 } * each);
    assert!(seen.captures > each / 10, "{seen:?}");
    // A 4 x 4 board has no room for what follows.
    if size > 4 {
        assert!(seen.multiple > 0 && seen.promotions > 0 && seen.duplicates > 0, "{seen:?}");
        assert!(seen.finished > 0 || size > 8, "{seen:?}");
    }
}

macro_rules! agreement_tests {
    ($($test:ident: $rules:ident, $board:ty;)*) => {$(
        #[test]
        fn $test() {
            agrees_on_random_positions::<$rules, $board>(RuleSet::$rules);
        }
    )*};
}
agreement_tests! {
    checkers_4_agrees_with_the_reference: Checkers, B4;
    checkers_6_agrees_with_the_reference: Checkers, B6;
    checkers_8_agrees_with_the_reference: Checkers, B8;
    checkers_10_agrees_with_the_reference: Checkers, B10;
    checkers_12_agrees_with_the_reference: Checkers, B12;
    checkers_14_agrees_with_the_reference: Checkers, B14;
    draughts_4_agrees_with_the_reference: International, B4;
    draughts_6_agrees_with_the_reference: International, B6;
    draughts_8_agrees_with_the_reference: International, B8;
    draughts_10_agrees_with_the_reference: International, B10;
    draughts_12_agrees_with_the_reference: International, B12;
    draughts_14_agrees_with_the_reference: International, B14;
}
