//! The value of a position in one byte.
//!
//! 0 is a draw; n + 1 is decided in n plies: an odd byte is a loss for the side to move (1: no
//! move), an even byte a win; 255 is not known. Distances above 253 plies have no byte.

use crate::engine::Value;

/// A draw.
pub const DRAW: u8 = 0;
/// Not known.
pub const UNKNOWN: u8 = 255;
/// The longest distance in plies.
pub const LONGEST: u32 = 253;

/// The value that `byte` stands for; `None` when it is not known.
#[inline]
pub fn value(byte: u8) -> Option<Value> {
    match byte {
        DRAW => Some(Value::Draw),
        UNKNOWN => None,
        lost if lost % 2 == 1 => Some(Value::Loss(u32::from(lost) - 1)),
        won => Some(Value::Win(u32::from(won) - 1)),
    }
}

/// The byte of `value`; `None` when it is too long.
pub fn byte(value: Value) -> Option<u8> {
    match value {
        Value::Draw => Some(DRAW),
        Value::Win(plies) | Value::Loss(plies) if plies <= LONGEST => Some(plies as u8 + 1),
        Value::Win(_) | Value::Loss(_) => None,
    }
}

/// What a decided successor makes of the position before it, when that move is made: the other
/// result, one ply later.
#[inline(always)]
pub(super) fn before(successor: u8) -> u8 {
    successor.wrapping_add(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_comes_back_and_wins_are_odd_plies() {
        for b in 0..UNKNOWN {
            let known = value(b).expect("below 255 all is known");
            assert_eq!(byte(known), Some(b));
            match known {
                Value::Win(plies) => assert_eq!(plies % 2, 1),
                Value::Loss(plies) => assert_eq!(plies % 2, 0),
                Value::Draw => assert_eq!(b, 0),
            }
        }
        assert_eq!(value(UNKNOWN), None);
        assert_eq!(byte(Value::Loss(254)), None);
        assert_eq!(byte(Value::Win(255)), None);
    }
}
