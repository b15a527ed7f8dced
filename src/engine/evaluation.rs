//! What a quiet position is worth without looking ahead: the trait, material, drawish endings.
//!
//! Source: J. van Horssen, *Complexity of checkers and draughts on different board sizes*,
//! ICGA Journal 40 (2018), section 3.

use crate::games::draughts::board::Direction;
use crate::games::draughts::material::balance;
use crate::games::draughts::rules::King;
use crate::games::draughts::{Board, Position, Rules, Side, Word};

/// Judges positions in which the side to move has a move and no capture.
pub trait Evaluation<R: Rules, B: Board>: Clone + Send + Sync {
    /// What the position is worth to the side to move, in hundredths of a man, less than
    /// [`super::MATE`] by far.
    fn evaluate(&self, position: &Position<B>) -> i32;
}

/// Material alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Material;

impl<R: Rules, B: Board> Evaluation<R, B> for Material {
    #[inline(always)]
    fn evaluate(&self, position: &Position<B>) -> i32 {
        let white = balance::<R, B>(position);
        if position.side() == Side::White { white } else { -white }
    }
}

/// Whether the material is hard to win with for whoever is ahead: in draughts, when the side behind
/// has a king and the other at most three pieces on boards larger than 8 x 8, at most two on others,
/// or there three kings against one king on the main diagonal. With equal material either side may
/// be the one behind. Never in checkers. Source: as the module's.
#[inline(always)]
pub fn drawish<R: Rules, B: Board>(position: &Position<B>) -> bool {
    if R::KING == King::Short {
        return false;
    }
    // Three pieces at most stand on one side, or nothing below holds.
    let few = |side| position.pieces(side).count() <= 3;
    if !few(Side::White) && !few(Side::Black) {
        return false;
    }
    among_few::<R, B>(position)
}

#[cold]
fn among_few<R: Rules, B: Board>(position: &Position<B>) -> bool {
    let white_ahead = balance::<R, B>(position);
    [(Side::White, white_ahead), (Side::Black, -white_ahead)].into_iter().any(|(side, ahead)| {
        let (pieces, behind) = (position.pieces(side).count(), side.other());
        let kings = position.kings(behind);
        if ahead < 0 || kings.is_empty() {
            return false;
        }
        let most = if B::N > 8 { 3 } else { 2 };
        let against_three = pieces == 3
            && position.men(side).is_empty()
            && position.pieces(behind).count() == 1
            && !(kings & main_diagonal::<B>()).is_empty();
        pieces <= most || against_three
    })
}

/// The longest diagonal, from the corner at the bottom left.
pub(super) fn main_diagonal<B: Board>() -> B::Word {
    let mut square = B::Word::bit(B::BOTTOM.lowest());
    let mut diagonal = B::Word::ZERO;
    while !square.is_empty() {
        diagonal |= square;
        square = B::step(square, Direction::UpRight) & B::ALL;
    }
    diagonal
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::game::Notation;
    use crate::games::draughts::{B8, B10, Checkers, Draughts, Duplicates, International};

    #[test]
    fn drawish_material_is_as_published() {
        fn is<R: Rules, B: Board>(fen: &str) -> bool {
            drawish::<R, B>(&Draughts::<R, B>::new(Duplicates::Drop).read_position(fen).unwrap())
        }
        // Three pieces against a king: drawish on the larger boards.
        assert!(is::<International, B10>("W:WK46,K47,K48:BK1"));
        assert!(is::<International, B10>("W:WK46,47,48:BK1,20"));
        assert!(!is::<International, B10>("W:WK46,K47,K48,K49:BK5"));
        assert!(!is::<International, B10>("W:WK46,K47,K48:B1"));
        // On 8 x 8 two pieces, or three kings against one on the main diagonal 29 to 4.
        assert!(is::<International, B8>("W:WK30,K31:BK1"));
        assert!(!is::<International, B8>("W:WK30,K31,K32:BK1"));
        assert!(is::<International, B8>("W:WK30,K31,K32:BK4"));
        assert!(!is::<International, B8>("W:WK30,K31,32:BK4"));
        assert!(!is::<International, B8>("W:WK30,K31,K32:BK4,12"));
        // The side ahead is the one whose pieces are counted; the king must be the other's.
        assert!(!is::<International, B10>("W:WK46:B1,2,3,4,6"));
        assert!(is::<International, B10>("W:WK46:BK1"));
        assert!(!is::<Checkers, B8>("W:WK29,K30:BK1"));
    }
}
