//! What men and kings are worth.
//!
//! A man is worth 100. A king is worth 1.5 men in checkers and sqrt(N) men in draughts on an N x N
//! board. Source: J. van Horssen, *Complexity of checkers and draughts on different board sizes*,
//! ICGA Journal 40 (2018), section 3.

use super::rules::King;
use super::{Board, Position, Rules, Side, Word};

/// What a man is worth.
pub const MAN: i32 = 100;

/// The square root of the sides of boards, in hundredths, rounded.
const fn square_root_in_hundredths(n: u32) -> i32 {
    let mut root = 0;
    // (root + 1/2)^2 = root^2 + root + 1/4, so root is the nearest whole number.
    while root * root + root < n * 10_000 {
        root += 1;
    }
    root as i32
}

/// What a king is worth, in hundredths of a man.
pub const fn king_value<R: Rules, B: Board>() -> i32 {
    match R::KING {
        King::Short => MAN * 3 / 2,
        King::Flying => square_root_in_hundredths(B::N) * MAN / 100,
    }
}

/// White's material less Black's.
#[inline(always)]
pub fn balance<R: Rules, B: Board>(position: &Position<B>) -> i32 {
    let of = |side| {
        let men = position.men(side).count() as i32;
        men * MAN + position.kings(side).count() as i32 * king_value::<R, B>()
    };
    of(Side::White) - of(Side::Black)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::draughts::{B6, B8, B10, B12, B14, Checkers, International};

    #[test]
    fn a_king_is_worth_the_root_of_the_side_in_draughts_and_one_and_a_half_men_in_checkers() {
        assert_eq!(king_value::<International, B6>(), 245);
        assert_eq!(king_value::<International, B8>(), 283);
        assert_eq!(king_value::<International, B10>(), 316);
        assert_eq!(king_value::<International, B12>(), 346);
        assert_eq!(king_value::<International, B14>(), 374);
        assert_eq!(king_value::<Checkers, B8>(), 150);
    }
}
