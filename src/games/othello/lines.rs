//! Outflanked lines of Othello discs: which squares may be filled, and what a disc turns over.
//!
//! Both work on whole words in general registers. Where several positions are at hand, vectors hold the
//! words of different positions; vectors of the eight directions were measured and are slower: the moves of a ply depend on each other in one long chain, on which a step through a
//! vector register and back costs more than the operations it saves.
//!
//! *Placements* fill, for each direction, the runs of opposing discs that start beside an own disc,
//! by parallel prefix (a run has at most 6 discs: one, two, then two and two more), and take the
//! square behind the run.
//!
//! *Flips* look from the placed disc along its eight rays. The first square of a ray that holds no
//! opposing disc ends the run; where it holds an own disc, the squares before it turn over. On rays
//! towards higher bits the first square is the lowest set bit of a word, on rays towards lower bits
//! the highest.

use crate::games::machine::scalar;

/// Columns b to g: discs on a side column cannot be outflanked along a row or a diagonal.
const INNER: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// The steps along the row, the column and the two diagonals, as distances of bits.
const STEPS: [u32; 4] = [1, 8, 9, 7];

/// The squares behind a run of opposing discs that starts beside an own disc, occupied or not.
#[inline(always)]
pub(super) fn placements(own: u64, other: u64) -> u64 {
    let inner = other & INNER;
    (both_ways::<1>(own, inner) | both_ways::<8>(own, other))
        | (both_ways::<9>(own, inner) | both_ways::<7>(own, inner))
}

/// [`placements`] of several positions at once; the compiler makes vectors of the lanes.
#[inline(always)]
pub(super) fn placements_of<const LANES: usize>(
    own: &[u64; LANES],
    other: &[u64; LANES],
) -> [u64; LANES] {
    let mut squares = [0; LANES];
    for ((squares, own), other) in squares.iter_mut().zip(own).zip(other) {
        let inner = other & INNER;
        *squares = (behind::<1>(*own, inner) | behind::<8>(*own, *other))
            | (behind::<9>(*own, inner) | behind::<7>(*own, inner));
    }
    squares
}

/// The squares behind the runs of `crossable` from `own`, towards higher and towards lower bits, kept
/// in a general register.
#[inline(always)]
fn both_ways<const STEP: u32>(own: u64, crossable: u64) -> u64 {
    scalar(behind::<STEP>(own, crossable))
}

/// The squares behind the runs of `crossable` from `own`, towards higher and towards lower bits.
#[inline(always)]
fn behind<const STEP: u32>(own: u64, crossable: u64) -> u64 {
    let pairs_up = crossable & (crossable << STEP);
    let mut up = crossable & (own << STEP);
    up |= crossable & (up << STEP);
    up |= pairs_up & (up << (2 * STEP));
    up |= pairs_up & (up << (2 * STEP));
    let pairs_down = pairs_up >> STEP;
    let mut down = crossable & (own >> STEP);
    down |= crossable & (down >> STEP);
    down |= pairs_down & (down >> (2 * STEP));
    down |= pairs_down & (down >> (2 * STEP));
    (up << STEP) | (down >> STEP)
}

/// The rays from one square: four towards higher bits, four towards lower bits.
#[derive(Clone, Copy)]
struct Rays {
    up: [u64; 4],
    down: [u64; 4],
}

/// The rays from each square of the 8 x 8 board.
static RAYS: [Rays; 64] = {
    let mut rays = [Rays { up: [0; 4], down: [0; 4] }; 64];
    let mut square = 0;
    while square < 64 {
        let mut line = 0;
        while line < 4 {
            rays[square].up[line] = ray(square as u32, STEPS[line], true);
            rays[square].down[line] = ray(square as u32, STEPS[line], false);
            line += 1;
        }
        square += 1;
    }
    rays
};

/// The squares from `square`, exclusive, to the edge of the board.
const fn ray(square: u32, step: u32, up: bool) -> u64 {
    let (mut at, mut squares) = (square, 0);
    loop {
        // Steps of 9 up and 7 down move right, steps of 9 down and 7 up move left.
        let sideways = match (step, up) {
            (8, _) => 0,
            (1, true) | (9, true) | (7, false) => 1,
            _ => -1,
        };
        let column = (at % 8) as i32 + sideways;
        let next = if up { at as i32 + step as i32 } else { at as i32 - step as i32 };
        if column < 0 || column > 7 || next < 0 || next > 63 {
            return squares;
        }
        at = next as u32;
        squares |= 1 << at;
    }
}

/// The opposing discs that an own disc on `square` turns over.
#[inline(always)]
pub(super) fn flips(square: u32, own: u64, other: u64) -> u64 {
    let rays = &RAYS[(square % 64) as usize];
    let up = |ray: u64| {
        let beyond = ray & !other;
        let end = beyond & beyond.wrapping_neg() & own;
        scalar(ray & end.saturating_sub(1))
    };
    // On a ray full of opposing discs the shift wraps to the highest bit, and `end << 1` to 0.
    let down = |ray: u64| {
        let beyond = ray & !other;
        let end = (1u64 << 63).wrapping_shr(beyond.leading_zeros()) & own;
        scalar(ray & (end << 1).wrapping_neg())
    };
    let [a, b, c, d] = rays.up;
    let [e, f, g, h] = rays.down;
    ((up(a) | up(b)) | (up(c) | up(d))) | ((down(e) | down(f)) | (down(g) | down(h)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The discs that `square` turns over, square by square along each direction.
    fn flips_by_steps(square: u32, own: u64, other: u64) -> u64 {
        let mut flipped = 0;
        for (down, right) in (-1..=1).flat_map(|down| (-1..=1).map(move |right| (down, right))) {
            let (mut row, mut column) = (square as i32 / 8, square as i32 % 8);
            let mut line = 0;
            loop {
                (row, column) = (row + down, column + right);
                let inside = (0..8).contains(&row) && (0..8).contains(&column);
                let at = if inside { 1u64 << (8 * row + column) } else { 0 };
                if at & other == 0 || (down, right) == (0, 0) {
                    flipped |= if at & own != 0 { line } else { 0 };
                    break;
                }
                line |= at;
            }
        }
        flipped
    }

    #[test]
    fn words_and_steps_find_the_same_lines() {
        let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
        let mut word = || {
            seed = seed.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(1);
            seed ^ (seed >> 29)
        };
        for round in 0..2000 {
            let (a, b) = (word(), word());
            // Few, many and nearly all squares hold opposing discs.
            let (own, other) = match round % 3 {
                0 => (a & b, !a & b & word()),
                1 => (a & b, !(a & b) & (a | word())),
                _ => (a & b & word(), !(a & b) & !(a & word() & word())),
            };
            let other = other & !own;
            let empty = !(own | other);
            let mut expected = 0;
            for square in (0..64).filter(|square| empty >> square & 1 == 1) {
                let flipped = flips_by_steps(square, own, other);
                assert_eq!(flips(square, own, other), flipped, "{square} {own:x} {other:x}");
                expected |= u64::from(flipped != 0) << square;
            }
            assert_eq!(placements(own, other) & empty, expected, "{own:x} {other:x}");
            let lanes = placements_of(&[own, other, own], &[other, own, other]);
            assert_eq!(lanes, [placements(own, other), placements(other, own), lanes[0]]);
        }
    }
}
