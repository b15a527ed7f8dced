//! Boards as words of bits with ghost bits.
//!
//! Dark square number s (1-based, row by row from the top left, White at the bottom, the
//! lower-left corner dark) is the 0-based index d = s - 1 and sits at bit d + d / N of the word.
//! Each pair of rows so takes N + 1 bits, the last of which is no square. A diagonal step is a
//! constant shift: down-left by N/2, down-right by N/2 + 1, up-right and up-left back by the same.
//! A step off the left or right edge lands on a ghost bit, one off the top or bottom falls outside
//! the squares; masking with the empty squares handles all edges. Source of the layout: the engine
//! design of `dame`.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not, Shl, Shr};

use crate::games::machine;

/// An unsigned integer used as a set of squares.
pub trait Word:
    Copy
    + Debug
    + Eq
    + Ord
    + Hash
    + Send
    + Sync
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + BitAndAssign
    + BitOrAssign
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + 'static
{
    /// The empty set.
    const ZERO: Self;
    /// The set of one bit.
    fn bit(index: u32) -> Self;
    /// Whether no bit is set.
    fn is_empty(self) -> bool;
    /// How many bits are set.
    fn count(self) -> u32;
    /// The index of the lowest bit set; the word's width when there is none.
    fn lowest(self) -> u32;
    /// The set without its lowest bit; the set must not be empty.
    fn without_lowest(self) -> Self;
    /// The lowest 64 bits.
    fn low(self) -> u64;
    /// The bits of `self` at the positions of `mask`, moved together to the low end.
    fn extract(self, mask: Self) -> Self;
    /// The low bits of `self`, moved apart to the positions of `mask`.
    fn deposit(self, mask: Self) -> Self;
    /// The bits in reverse order: the lowest becomes the highest of the word.
    fn reversed(self) -> Self;
    /// The index of the `n`-th (0-based) bit set, counted from the lowest; `n < count`.
    #[inline(always)]
    fn nth(self, n: u32) -> u32 {
        let mut rest = self;
        for _ in 0..n {
            rest = rest.without_lowest();
        }
        rest.lowest()
    }
}

macro_rules! words {
    ($($word:ty: $extract:expr, $deposit:expr;)*) => {$(
        impl Word for $word {
            const ZERO: Self = 0;
            #[inline(always)]
            fn bit(index: u32) -> Self {
                1 << index
            }
            #[inline(always)]
            fn is_empty(self) -> bool {
                self == 0
            }
            #[inline(always)]
            fn count(self) -> u32 {
                self.count_ones()
            }
            #[inline(always)]
            fn lowest(self) -> u32 {
                self.trailing_zeros()
            }
            #[inline(always)]
            fn without_lowest(self) -> Self {
                self & (self - 1)
            }
            #[inline(always)]
            fn low(self) -> u64 {
                self as u64
            }
            #[inline(always)]
            fn extract(self, mask: Self) -> Self {
                $extract(self, mask)
            }
            #[inline(always)]
            fn deposit(self, mask: Self) -> Self {
                $deposit(self, mask)
            }
            #[inline(always)]
            fn reversed(self) -> Self {
                self.reverse_bits()
            }
        }
    )*};
}
words! {
    u32: |set, mask| machine::extract(u64::from(set), u64::from(mask)) as u32,
         |set, mask| machine::deposit(u64::from(set), u64::from(mask)) as u32;
    u64: machine::extract, machine::deposit;
    u128: extract_wide, deposit_wide;
}

#[inline(always)]
fn extract_wide(set: u128, mask: u128) -> u128 {
    let low = machine::extract(set as u64, mask as u64);
    let high = machine::extract((set >> 64) as u64, (mask >> 64) as u64);
    u128::from(low) | u128::from(high) << (mask as u64).count_ones()
}

#[inline(always)]
fn deposit_wide(set: u128, mask: u128) -> u128 {
    let low = machine::deposit(set as u64, mask as u64);
    let rest = (set >> (mask as u64).count_ones()) as u64;
    u128::from(low) | u128::from(machine::deposit(rest, (mask >> 64) as u64)) << 64
}

/// The indices of the bits of `set`, lowest first.
#[inline(always)]
pub fn bits<W: Word>(mut set: W) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        if set.is_empty() {
            return None;
        }
        let index = set.lowest();
        set = set.without_lowest();
        Some(index)
    })
}

/// A diagonal direction, White at the bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Towards square 1.
    UpLeft,
    /// Towards the top right corner.
    UpRight,
    /// Towards the bottom left corner.
    DownLeft,
    /// Towards the highest square.
    DownRight,
}

impl Direction {
    /// All four, in canonical order.
    pub const ALL: [Self; 4] = [Self::UpLeft, Self::UpRight, Self::DownLeft, Self::DownRight];
    /// The two in which White advances.
    pub const UP: [Self; 2] = [Self::UpLeft, Self::UpRight];
    /// The two in which Black advances.
    pub const DOWN: [Self; 2] = [Self::DownLeft, Self::DownRight];

    /// The way back.
    #[inline(always)]
    pub fn opposite(self) -> Self {
        match self {
            Self::UpLeft => Self::DownRight,
            Self::UpRight => Self::DownLeft,
            Self::DownLeft => Self::UpRight,
            Self::DownRight => Self::UpLeft,
        }
    }
}

/// An N x N board with its word and its masks.
pub trait Board: Copy + Debug + Default + Eq + Ord + Hash + Send + Sync + 'static {
    /// The word that holds a set of squares.
    type Word: Word;
    /// Squares along an edge, light ones included.
    const N: u32;
    /// Dark squares on a row.
    const ROW: u32 = Self::N / 2;
    /// Dark squares in all.
    const SQUARES: u32 = Self::N * Self::N / 2;
    /// Every dark square.
    const ALL: Self::Word;
    /// The row where White promotes.
    const TOP: Self::Word;
    /// The row where Black promotes.
    const BOTTOM: Self::Word;

    /// The bit of square `square`, 1-based.
    #[inline(always)]
    fn bit_of(square: u32) -> u32 {
        square - 1 + (square - 1) / Self::N
    }

    /// The square, 1-based, at `bit`, which must not be a ghost.
    #[inline(always)]
    fn square_of(bit: u32) -> u32 {
        bit + 1 - bit / (Self::N + 1)
    }

    /// `set` on the board turned by 180 degrees.
    #[inline(always)]
    fn turned(set: Self::Word) -> Self::Word {
        // Ghost bits lie alike from both ends, so that turning is reversal.
        let width = 8 * size_of::<Self::Word>() as u32;
        set.reversed() >> (width - 1 - Self::bit_of(Self::SQUARES))
    }

    /// Every member of `set` one step further; members may leave the board.
    #[inline(always)]
    fn step(set: Self::Word, direction: Direction) -> Self::Word {
        match direction {
            Direction::UpLeft => set >> (Self::ROW + 1),
            Direction::UpRight => set >> Self::ROW,
            Direction::DownLeft => set << Self::ROW,
            Direction::DownRight => set << (Self::ROW + 1),
        }
    }
}

macro_rules! boards {
    ($($(#[$doc:meta])* $name:ident: $n:literal in $word:ty;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name;

        impl Board for $name {
            type Word = $word;
            const N: u32 = $n;
            const ALL: $word = {
                let mut set = 0;
                let mut d = 0;
                while d < $n * $n / 2 {
                    set |= 1 << (d + d / $n);
                    d += 1;
                }
                set
            };
            const TOP: $word = (1 << ($n / 2)) - 1;
            const BOTTOM: $word = Self::TOP << ($n * $n / 2 - 1);
        }
    )*};
}
boards! {
    /// 4 x 4, 8 dark squares: small enough to enumerate by hand.
    B4: 4 in u32;
    /// 6 x 6, 18 dark squares.
    B6: 6 in u32;
    /// 8 x 8, 32 dark squares.
    B8: 8 in u64;
    /// 10 x 10, 50 dark squares.
    B10: 10 in u64;
    /// 12 x 12, 72 dark squares.
    B12: 12 in u128;
    /// 14 x 14, 98 dark squares.
    B14: 14 in u128;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Row and column of square d (0-based), from the numbering alone.
    fn row_and_column<B: Board>(square: u32) -> (i32, i32) {
        let (row, place) = ((square - 1) / B::ROW, (square - 1) % B::ROW);
        (row as i32, (2 * place + (row + 1) % 2) as i32)
    }

    fn every_step_lands_where_the_geometry_says<B: Board>() {
        for square in 1..=B::SQUARES {
            assert_eq!(B::square_of(B::bit_of(square)), square);
            let (row, column) = row_and_column::<B>(square);
            let last = (B::N - 1) as i32;
            assert_eq!(row == 0, !(B::Word::bit(B::bit_of(square)) & B::TOP).is_empty());
            assert_eq!(row == last, !(B::Word::bit(B::bit_of(square)) & B::BOTTOM).is_empty());
            for (direction, down, right) in [
                (Direction::UpLeft, -1, -1),
                (Direction::UpRight, -1, 1),
                (Direction::DownLeft, 1, -1),
                (Direction::DownRight, 1, 1),
            ] {
                let stepped = B::step(B::Word::bit(B::bit_of(square)), direction) & B::ALL;
                let target = (1..=B::SQUARES)
                    .find(|t| row_and_column::<B>(*t) == (row + down, column + right));
                let expected = target.map_or(B::Word::ZERO, |t| B::Word::bit(B::bit_of(t)));
                assert_eq!(stepped, expected, "{square} {direction:?} on {}", B::N);
            }
        }
        assert_eq!(B::ALL.count(), B::SQUARES);
        assert_eq!(B::BOTTOM.count(), B::ROW);
        for square in 1..=B::SQUARES {
            let turned = B::turned(B::Word::bit(B::bit_of(square)));
            assert_eq!(turned, B::Word::bit(B::bit_of(B::SQUARES + 1 - square)), "{square}");
        }
    }

    #[test]
    fn shifts_are_diagonal_steps_on_every_board() {
        every_step_lands_where_the_geometry_says::<B4>();
        every_step_lands_where_the_geometry_says::<B6>();
        every_step_lands_where_the_geometry_says::<B8>();
        every_step_lands_where_the_geometry_says::<B10>();
        every_step_lands_where_the_geometry_says::<B12>();
        every_step_lands_where_the_geometry_says::<B14>();
    }

    #[test]
    fn bits_of_wide_words_move_together_and_apart() {
        let mask = (0x0f0f_u128 << 90) | 0xff00_0000_0000_0ff0;
        let set = (0x0305_u128 << 90) | 0x8100_0000_0000_0aa0;
        let one_by_one = bits(mask).enumerate().filter(|(_, at)| set >> at & 1 == 1);
        let together = one_by_one.fold(0u128, |sum, (to, _)| sum | 1 << to);
        assert_eq!(set.extract(mask), together);
        assert_eq!(together.deposit(mask), set);
        assert_eq!(0b1011_u32.deposit(0b10_1010_1000), 0b10_0010_1000);
        assert_eq!(0b10_0010_1000_u32.extract(0b10_1010_1000), 0b1011);
    }

    #[test]
    fn nth_is_the_nth_bit() {
        let set = 0b1011_0010_u64;
        assert_eq!((0..4).map(|n| set.nth(n)).collect::<Vec<_>>(), [1, 4, 5, 7]);
    }
}
