//! The library's moves as square numbers, to compare with tables and with the reference generator.

use ludometer::game::Game;
use ludometer::games::draughts::{Board, Draughts, Move, Position, Rules, Word};

/// A move as (from, to, captured squares ascending).
pub type BySquare = (usize, usize, Vec<usize>);

/// The squares of `mv`.
pub fn by_square<B: Board>(mv: &Move<B>) -> BySquare {
    let square = |bit: u32| B::square_of(bit) as usize;
    let is_captured = |bit: &u32| !(mv.captured & B::Word::bit(*bit)).is_empty();
    let captured = (1..=B::SQUARES).map(B::bit_of).filter(is_captured).map(square).collect();
    (square(mv.from.into()), square(mv.to.into()), captured)
}

/// The legal moves of `position` in the library's order.
pub fn legal_by_square<R: Rules, B: Board>(
    game: &Draughts<R, B>,
    position: &Position<B>,
) -> Vec<BySquare> {
    let mut moves = Vec::new();
    game.legal_moves(position, &mut moves);
    moves.iter().map(by_square).collect()
}
