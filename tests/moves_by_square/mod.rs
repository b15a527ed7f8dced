//! The library's moves as square numbers, to compare with tables and with the reference generator.

use ludometer::games::draughts::{Board, Move, Word};

/// A move as (from, to, captured squares ascending).
pub type BySquare = (usize, usize, Vec<usize>);

/// The squares of `mv`.
pub fn by_square<B: Board>(mv: &Move<B>) -> BySquare {
    let square = |bit: u32| B::square_of(bit) as usize;
    let is_captured = |bit: &u32| !(mv.captured & B::Word::bit(*bit)).is_empty();
    let captured = (1..=B::SQUARES).map(B::bit_of).filter(is_captured).map(square).collect();
    (square(mv.from.into()), square(mv.to.into()), captured)
}
