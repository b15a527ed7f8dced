//! Checkers and draughts: `Draughts<R, B>` is a set of rules R on a board B.
//!
//! A state is the placement of men and kings and the side to move, nothing else: [`Position`] is
//! that and its equality is state equality. What depends on how a position came about (repetition,
//! counting draw rules) lives in [`draw`], which adds the history.
//!
//! Canonical move order. Quiet moves: men before kings, then by direction (up-left, up-right,
//! down-left, down-right with White at the bottom), then by distance, then by origin square.
//! Captures: by origin, then destination, then captured set read as a binary number with square 1 as
//! its lowest bit. Under [`Duplicates::Keep`] equal captures stand side by side.

pub mod board;
pub mod draw;
mod fen;
pub mod material;
mod movegen;
mod notation;
pub mod rules;

use std::marker::PhantomData;

pub use board::{B4, B6, B8, B10, B12, B14, Board, Word};
pub use rules::{Checkers, International, Rules};

use crate::game::{Game, Notation, NotationError, Outcome, Scored, guess};

/// The colour of the pieces and of the player who moves them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// Starts at the bottom of the board, on the high squares, and moves up.
    White,
    /// Starts at the top of the board, on the low squares, and moves down.
    Black,
}

impl Side {
    /// The opponent.
    #[inline(always)]
    pub fn other(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }

    /// The letter of the colour in FEN and PDN.
    pub fn letter(self) -> char {
        match self {
            Self::White => 'W',
            Self::Black => 'B',
        }
    }
}

/// Whether captures with equal origin, destination and captured set count once or once per path.
///
/// A path is the ordered list of captured pieces with the destination; a flying king that goes
/// straight on between two captures walks one path, however many empty squares it might rest on.
/// The policy changes perft, branching factors and game trees; it changes no set of states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Duplicates {
    /// One move, as the notation of the official rules has it.
    #[default]
    Drop,
    /// One move for each path.
    Keep,
}

/// A placement of pieces with the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position<B: Board> {
    white: B::Word,
    black: B::Word,
    kings: B::Word,
    side: Side,
}

impl<B: Board> Position<B> {
    /// A position from sets of squares as bits of the board.
    ///
    /// # Panics
    /// When the colours share a square, a king has no piece under it, or a bit is no square.
    pub fn new(white: B::Word, black: B::Word, kings: B::Word, side: Side) -> Self {
        assert!((white & black).is_empty(), "a square holds two pieces");
        assert!((kings & !(white | black)).is_empty(), "a king stands on an empty square");
        assert!(((white | black) & !B::ALL).is_empty(), "a piece stands off the board");
        Self { white, black, kings, side }
    }

    /// [`Position::new`] for sets that are known to fit together.
    #[inline(always)]
    pub(crate) fn new_unchecked(
        white: B::Word,
        black: B::Word,
        kings: B::Word,
        side: Side,
    ) -> Self {
        Self { white, black, kings, side }
    }

    /// The side to move.
    #[inline(always)]
    pub fn side(&self) -> Side {
        self.side
    }

    /// All pieces of `side`.
    #[inline(always)]
    pub fn pieces(&self, side: Side) -> B::Word {
        match side {
            Side::White => self.white,
            Side::Black => self.black,
        }
    }

    /// The men of `side`.
    #[inline(always)]
    pub fn men(&self, side: Side) -> B::Word {
        self.pieces(side) & !self.kings
    }

    /// The kings of `side`.
    #[inline(always)]
    pub fn kings(&self, side: Side) -> B::Word {
        self.pieces(side) & self.kings
    }

    /// The playing squares without a piece.
    #[inline(always)]
    pub fn empty(&self) -> B::Word {
        B::ALL & !(self.white | self.black)
    }

    /// The position seen from the other side of the board with colours exchanged: every piece
    /// turns by 180 degrees and changes colour, and so does the side to move.
    pub fn rotated_and_swapped(&self) -> Self {
        Self {
            white: B::turned(self.black),
            black: B::turned(self.white),
            kings: B::turned(self.kings),
            side: self.side.other(),
        }
    }
}

/// A quiet move (nothing captured) or a capture.
///
/// `from` and `to` are bits of the board, see [`Board::square_of`]; they are equal for a capture
/// that ends where it began.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move<B: Board> {
    /// Bit of the origin.
    pub from: u8,
    /// Bit of the destination.
    pub to: u8,
    /// Squares of the captured pieces.
    pub captured: B::Word,
}

/// The game of rules `R` on board `B`, without draw rules.
#[derive(Clone, Copy, Debug, Default)]
pub struct Draughts<R: Rules, B: Board> {
    duplicates: Duplicates,
    kind: PhantomData<(R, B)>,
}

impl<R: Rules, B: Board> Draughts<R, B> {
    /// The game under a duplicate policy.
    pub fn new(duplicates: Duplicates) -> Self {
        Self { duplicates, kind: PhantomData }
    }

    /// The duplicate policy of captures.
    pub fn duplicates(&self) -> Duplicates {
        self.duplicates
    }

    /// Hands every legal move to `each` in no order, captures once per path: for exhaustive counts,
    /// which need neither an order nor distinct moves. `scratch` is working space.
    #[inline(always)]
    pub fn visit_moves(
        &self,
        position: &Position<B>,
        scratch: &mut Vec<Move<B>>,
        each: impl FnMut(Move<B>),
    ) {
        movegen::visit::<R, B>(position, scratch, each);
    }

    /// Whether the side to move has a capture and so must capture.
    #[inline(always)]
    pub fn can_capture(&self, position: &Position<B>) -> bool {
        movegen::can_capture::<R, B>(position)
    }

    /// Whether some piece of the side to move can step onto an empty square; without a capture too,
    /// the side to move has lost when none can.
    #[inline(always)]
    pub fn can_step(&self, position: &Position<B>) -> bool {
        movegen::can_step::<R, B>(position)
    }

    /// The `n`-th legal move in canonical order, `n < mobility`.
    #[inline]
    fn nth(&self, position: &Position<B>, n: usize, scratch: &mut Vec<Move<B>>) -> Move<B> {
        movegen::nth::<R, B>(position, self.duplicates, n, scratch)
    }

    /// The start position: men on all rows but the two in the middle.
    pub fn start() -> Position<B> {
        let men = B::ROW * (B::ROW - 1);
        let first = |count: u32| {
            (0..count).fold(B::Word::ZERO, |set, d| set | B::Word::bit(B::bit_of(d + 1)))
        };
        let black = first(men);
        let white = B::ALL & !first(B::SQUARES - men);
        Position { white, black, kings: B::Word::ZERO, side: R::FIRST_MOVER }
    }
}

impl<R: Rules, B: Board> Game for Draughts<R, B> {
    type Position = Position<B>;
    type Move = Move<B>;

    fn initial(&self) -> Position<B> {
        Self::start()
    }

    #[inline]
    fn legal_moves(&self, position: &Position<B>, moves: &mut Vec<Move<B>>) {
        movegen::list::<R, B>(position, self.duplicates, moves);
    }

    #[inline]
    fn play(&self, position: &mut Position<B>, mv: Move<B>) {
        movegen::play(position, mv);
    }

    #[inline]
    fn mobility(&self, position: &Position<B>, scratch: &mut Vec<Move<B>>) -> usize {
        movegen::count::<R, B>(position, self.duplicates, scratch)
    }

    #[inline]
    fn play_nth(&self, position: &mut Position<B>, n: usize, scratch: &mut Vec<Move<B>>) {
        let mv = self.nth(position, n, scratch);
        movegen::play(position, mv);
    }
}

impl<R: Rules, B: Board> Scored for Draughts<R, B> {
    /// The side to move has no piece left or cannot move and has lost (all variants).
    fn outcome(&self, terminal: &Position<B>) -> Outcome {
        if terminal.side() == R::FIRST_MOVER { Outcome::SecondWins } else { Outcome::FirstWins }
    }

    fn first_moves(&self, position: &Position<B>) -> bool {
        position.side() == R::FIRST_MOVER
    }

    /// By the men and kings of both sides.
    #[inline]
    fn class(&self, position: &Position<B>) -> u64 {
        let sets =
            [Side::White, Side::Black].map(|side| [position.men(side), position.kings(side)]);
        sets.as_flattened().iter().fold(0, |class, set| class << 8 | u64::from(set.count()))
    }

    /// By the material.
    fn evaluate(&self, position: &Position<B>) -> f64 {
        let white = f64::from(material::balance::<R, B>(position));
        let lead = if R::FIRST_MOVER == Side::White { white } else { -white };
        guess(lead, f64::from(2 * material::MAN))
    }
}

impl<R: Rules, B: Board> Notation for Draughts<R, B> {
    fn position_syntax(&self) -> String {
        fen::syntax::<B>()
    }

    fn write_position(&self, position: &Position<B>) -> String {
        fen::write(position)
    }

    fn read_position(&self, text: &str) -> Result<Position<B>, NotationError> {
        fen::read(text)
    }

    fn write_move(&self, position: &Position<B>, mv: Move<B>) -> String {
        notation::write::<R, B>(position, mv)
    }

    fn read_move(&self, position: &Position<B>, text: &str) -> Result<Move<B>, NotationError> {
        notation::read::<R, B>(position, text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::perft;

    /// Published counts, see tests/perft: dctl for 6x6, 10x10; OEIS A133046 for 8x8 checkers.
    #[test]
    fn perft_from_the_start_is_as_published() {
        fn counts<R: Rules, B: Board>(how: Duplicates, depth: u32) -> Vec<u64> {
            let game = Draughts::<R, B>::new(how);
            (1..=depth).map(|d| perft(&game, &game.initial(), d)).collect()
        }
        assert_eq!(
            counts::<Checkers, B8>(Duplicates::Keep, 9),
            [7, 49, 302, 1469, 7361, 36768, 179_740, 845_931, 3_963_680]
        );
        assert_eq!(
            counts::<International, B10>(Duplicates::Drop, 8),
            [9, 81, 658, 4265, 27117, 167_140, 1_049_442, 6_483_961]
        );
        assert_eq!(counts::<International, B10>(Duplicates::Keep, 8)[7], 6_483_971);
        assert_eq!(counts::<International, B8>(Duplicates::Drop, 8)[7], 907_830);
        assert_eq!(counts::<Checkers, B6>(Duplicates::Keep, 11)[10], 808_158);
        assert_eq!(counts::<Checkers, B6>(Duplicates::Drop, 11)[10], 808_155);
    }
}
