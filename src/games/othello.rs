//! Othello on n x n squares, n = 4, 6 or 8; Black moves first.
//!
//! A disc is placed on an empty square so that it outflanks at least one straight, unbroken line of
//! opposing discs, all of which turn over. A player who can place nothing must pass; when neither
//! can, the game ends and the majority of discs wins. The start has two discs of each colour in the
//! middle, Black's on the diagonal that rises to the right (d5 and e4 on 8 x 8). Rules: World
//! Othello Federation, rules 1-9.
//!
//! A forced pass is a move. [`Passes`] says whether it counts as a ply of the game's length:
//! published average lengths of Othello leave passes out, perft counts them in.
//!
//! Squares are written with the column's letter and the row's number, `a1` in the top left corner;
//! the pass is written `pass`. Canonical order of moves: row by row from the top left.
//!
//! Bit `8 * row + column` of a `u64` stands for a square, row 0 on top, on every board; a smaller
//! board is the top left part of the 8 x 8 one. A position carries the mask of its moves, which is a
//! function of the rest: the legal placements, or the square `PASS`, which is always occupied,
//! when there is nothing but to pass, or nothing when the game is over.

mod lines;
mod text;

use super::machine::{bits, nth_bit};
use super::square;
use crate::game::{Game, Outcome, Scored, guess};

/// Whether a forced pass counts towards the length of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Passes {
    /// A pass is a ply like any other move.
    Plies,
    /// A pass is not counted, as in published average lengths.
    #[default]
    Skipped,
}

/// The rules of Othello on one board.
#[derive(Clone, Copy, Debug)]
pub struct Othello {
    size: u32,
    passes: Passes,
    /// The squares of the board.
    board: u64,
}

impl Othello {
    /// Othello on `size` x `size` squares; `None` unless `size` is 4, 6 or 8.
    pub fn new(size: u32, passes: Passes) -> Option<Self> {
        if ![4, 6, 8].contains(&size) {
            return None;
        }
        let row = (1u64 << size) - 1;
        let board = (0..size).map(|r| row << (8 * r)).fold(0, |squares, row| squares | row);
        Some(Self { size, passes, board })
    }

    /// Squares along one side.
    pub fn size(&self) -> u32 {
        self.size
    }

    /// Whether a pass counts as a ply.
    pub fn passes(&self) -> Passes {
        self.passes
    }

    /// The four squares in the middle, occupied from the start to the end.
    fn middle(&self) -> u64 {
        0x303 << (9 * (self.size / 2 - 1))
    }

    /// A square in the middle, which stands for the pass in a mask of moves.
    #[inline(always)]
    fn pass(&self) -> u64 {
        1 << (9 * (self.size / 2 - 1))
    }

    /// The position with these discs, its moves filled in.
    #[inline(always)]
    fn position(&self, own: u64, other: u64, first_moves: bool) -> Position {
        let empty = self.board & !(own | other);
        let mut moves = lines::placements(own, other) & empty;
        if moves == 0 && lines::placements(other, own) & empty != 0 {
            moves = self.pass();
        }
        Position { own, other, moves, first_moves }
    }

    /// Makes the `nth` move of each position.
    #[inline(always)]
    fn make_each(&self, positions: &mut [Position; LANES], nth: &[u32; LANES]) {
        let (mut own, mut other) = ([0; LANES], [0; LANES]);
        for lane in 0..LANES {
            let position = &positions[lane];
            let placed = nth_bit(position.moves, nth[lane] as usize);
            // A pass turns over what it then gives back: nothing.
            let passed = placed == self.pass();
            let square = placed.trailing_zeros();
            let flipped =
                if passed { 0 } else { lines::flips(square, position.own, position.other) };
            own[lane] = position.other ^ flipped;
            other[lane] = position.own ^ flipped ^ if passed { 0 } else { placed };
        }
        let squares = lines::placements_of(&own, &other);
        for lane in 0..LANES {
            let (own, other) = (own[lane], other[lane]);
            let moves = squares[lane] & self.board & !(own | other);
            let first_moves = !positions[lane].first_moves;
            positions[lane] = match moves {
                0 => self.position(own, other, first_moves),
                _ => Position { own, other, moves, first_moves },
            };
        }
    }

    /// The corners of the board.
    fn corners(&self) -> u64 {
        let last = self.size - 1;
        let row = 1 | 1 << last;
        row | row << (8 * last)
    }

    #[inline(always)]
    fn make(&self, position: &mut Position, placed: u64) {
        let Position { own, other, first_moves, .. } = *position;
        *position = if placed == self.pass() {
            self.position(other, own, !first_moves)
        } else {
            let flipped = lines::flips(placed.trailing_zeros(), own, other);
            self.position(other ^ flipped, own ^ flipped ^ placed, !first_moves)
        };
    }
}

/// Positions whose moves are found at once.
const LANES: usize = 8;

/// The discs of both players and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// Discs of the player to move.
    own: u64,
    /// Discs of the opponent.
    other: u64,
    /// The mask of legal moves, a function of the discs.
    moves: u64,
    /// Whether Black, the first player, is to move.
    first_moves: bool,
}

impl Position {
    /// Black's and White's discs.
    fn by_colour(&self) -> (u64, u64) {
        if self.first_moves { (self.own, self.other) } else { (self.other, self.own) }
    }
}

/// A placement, bit `8 * row + column` of a mask, or the pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Square(u8);

impl Game for Othello {
    type Position = Position;
    type Move = Square;

    fn initial(&self) -> Position {
        let white = 0x201 << (9 * (self.size / 2 - 1));
        self.position(self.middle() & !white, white, true)
    }

    fn legal_moves(&self, position: &Position, moves: &mut Vec<Square>) {
        moves.clear();
        moves.extend(bits(position.moves).map(|bit| Square(bit as u8)));
    }

    #[inline]
    fn play(&self, position: &mut Position, Square(square): Square) {
        self.make(position, 1 << square);
    }

    #[inline]
    fn mobility(&self, position: &Position, _scratch: &mut Vec<Square>) -> usize {
        position.moves.count_ones() as usize
    }

    #[inline]
    fn play_nth(&self, position: &mut Position, n: usize, _scratch: &mut Vec<Square>) {
        self.make(position, nth_bit(position.moves, n));
    }

    fn play_each(
        &self,
        positions: &mut [Position],
        moves: &[u32],
        mobilities: &mut [u32],
        _scratch: &mut Vec<Square>,
    ) {
        let (tiles, rest) = positions.as_chunks_mut::<LANES>();
        let (moves_of_tiles, moves_of_rest) = moves.as_chunks::<LANES>();
        let (counts, counts_of_rest) = mobilities.as_chunks_mut::<LANES>();
        for ((tile, moves), counts) in tiles.iter_mut().zip(moves_of_tiles).zip(counts) {
            self.make_each(tile, moves);
            for (count, position) in counts.iter_mut().zip(tile) {
                *count = position.moves.count_ones();
            }
        }
        for ((position, nth), count) in rest.iter_mut().zip(moves_of_rest).zip(counts_of_rest) {
            self.make(position, nth_bit(position.moves, *nth as usize));
            *count = position.moves.count_ones();
        }
    }

    #[inline]
    fn counts_as_ply(&self, position: &Position) -> bool {
        self.passes == Passes::Plies || position.moves != self.pass()
    }

    fn representative(&self, position: &Position) -> Option<Position> {
        let images = |discs: u64| square::images(discs, self.size, 8);
        let positions = images(position.own).into_iter().zip(images(position.other));
        positions.min().map(|(own, other)| self.position(own, other, position.first_moves))
    }
}

impl Scored for Othello {
    fn outcome(&self, terminal: &Position) -> Outcome {
        let (black, white) = terminal.by_colour();
        match black.count_ones().cmp(&white.count_ones()) {
            std::cmp::Ordering::Greater => Outcome::FirstWins,
            std::cmp::Ordering::Less => Outcome::SecondWins,
            std::cmp::Ordering::Equal => Outcome::Draw,
        }
    }

    fn first_moves(&self, position: &Position) -> bool {
        position.first_moves
    }

    /// By the squares on which each player could place a disc, and the corners, worth eight.
    fn evaluate(&self, position: &Position) -> f64 {
        let (black, white) = position.by_colour();
        let worth = |own: u64, other: u64| {
            let squares = lines::placements(own, other) & self.board & !(own | other);
            squares.count_ones() as f64 + 8.0 * (own & self.corners()).count_ones() as f64
        };
        guess(worth(black, white) - worth(white, black), 8.0)
    }
}
