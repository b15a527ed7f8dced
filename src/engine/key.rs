//! Zobrist keys: 64-bit fingerprints of positions that a move changes in a few places.
//!
//! The key of a position is the exclusive or of one random number for each piece (colour, kind,
//! square), one for Black to move, and one for rules and board. Source: A. L. Zobrist, *A new hashing
//! method with application for game playing*, 1970. The numbers are the outputs of SplitMix64 from a
//! fixed seed, so keys are the same in every run and release.

use crate::games::draughts::board::bits;
use crate::games::draughts::{Board, Move, Position, Rules, Side, Word};

/// Bits of the widest board.
const WIDTH: usize = 128;

/// One number for each side, kind (man, king) and bit.
struct Numbers {
    pieces: [[[u64; WIDTH]; 2]; 2],
    black_to_move: u64,
}

/// The finaliser of SplitMix64 (Steele, Lea, Flood 2014): a bijection that mixes every bit.
#[inline(always)]
pub const fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The increment of SplitMix64.
const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

const fn numbers() -> Numbers {
    let mut state: u64 = 0x1d0_0e7e5;
    let mut pieces = [[[0; WIDTH]; 2]; 2];
    let mut at = 0;
    while at < 4 * WIDTH {
        state = state.wrapping_add(GAMMA);
        pieces[at / WIDTH / 2][at / WIDTH % 2][at % WIDTH] = mix(state);
        at += 1;
    }
    Numbers { pieces, black_to_move: mix(state.wrapping_add(GAMMA)) }
}

static NUMBERS: Numbers = numbers();

#[inline(always)]
fn number(side: Side, king: bool, bit: u32) -> u64 {
    NUMBERS.pieces[side as usize][usize::from(king)][bit as usize % WIDTH]
}

/// The number of the rules `R` on the board `B`.
fn game<R: Rules, B: Board>() -> u64 {
    R::NAME.bytes().fold(mix(u64::from(B::N)), |hash, byte| mix(hash ^ u64::from(byte)))
}

/// The key of a position under the rules `R`.
pub fn key<R: Rules, B: Board>(position: &Position<B>) -> u64 {
    let mut key = game::<R, B>();
    for side in [Side::White, Side::Black] {
        key = bits(position.men(side)).fold(key, |key, bit| key ^ number(side, false, bit));
        key = bits(position.kings(side)).fold(key, |key, bit| key ^ number(side, true, bit));
    }
    if position.side() == Side::Black { key ^ NUMBERS.black_to_move } else { key }
}

/// The key after `mv` led from `before`, whose key is `key`, to `after`.
#[inline(always)]
pub fn after<B: Board>(key: u64, before: &Position<B>, mv: Move<B>, after: &Position<B>) -> u64 {
    let mover = before.side();
    let (from, to) = (u32::from(mv.from), u32::from(mv.to));
    let was_king = !(before.kings(mover) & B::Word::bit(from)).is_empty();
    let is_king = !(after.kings(mover) & B::Word::bit(to)).is_empty();
    let mut key =
        key ^ number(mover, was_king, from) ^ number(mover, is_king, to) ^ NUMBERS.black_to_move;
    if !mv.captured.is_empty() {
        let kings = before.kings(mover.other());
        for bit in bits(mv.captured) {
            key ^= number(mover.other(), !(kings & B::Word::bit(bit)).is_empty(), bit);
        }
    }
    key
}
