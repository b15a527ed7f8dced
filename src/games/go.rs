//! Go on boards of up to 7 x 7 points under Tromp-Taylor rules without suicide, komi 0.
//!
//! Black moves first. A move places a stone on an empty point or passes. Opposing chains that are left
//! without a liberty are taken off; a placement after which the own chain has none is illegal. No
//! placement may bring back the board of any earlier time in the game, whoever is to move
//! (positional superko, the empty board of the start included); a pass is always legal. Two passes in
//! a row end the game. The score is the area: a player's stones and the empty points that only
//! that player's stones reach; the larger area wins, equal areas are a draw. Rules: J. Tromp and
//! B. Taylor, the rules of Go, rules 1 to 10, where suicide is legal. Every pass is a ply.
//!
//! Since no board comes back and at most one pass separates two placements, every game ends, and the
//! games are as many as the paths from the empty board, through boards none of which occurs
//! twice, along placements of either colour.
//!
//! Points are written with the column's letter and the row's number, `a1` in the bottom left corner;
//! the pass is written `pass`. Canonical order of moves: row by row from `a1`, the pass last.
//!
//! Bit `(columns + 1) * row + column` of a `u64` stands for a point; the spare column keeps neighbours
//! apart. A position carries the mask of its moves, a function of the rest, and the boards of the game
//! as exact pairs of words in a sorted list: no hash decides what is legal, and two games through
//! the same set of boards meet in the same position.

mod history;
mod text;

use history::History;

use super::machine::{bits, nth_bit};
use crate::game::{Game, Outcome, Scored, guess};

/// The most columns and rows a board may have.
pub const MAX_SIDE: u32 = 7;

/// The pass in a mask of moves; no board has this point.
const PASS: u64 = 1 << 63;

/// The rules of Go on one board.
#[derive(Clone, Copy, Debug)]
pub struct Go {
    columns: u32,
    rows: u32,
    /// Every point.
    board: u64,
}

impl Go {
    /// Go on `columns` x `rows` points; `None` unless both are in 1..=[`MAX_SIDE`].
    pub fn new(columns: u32, rows: u32) -> Option<Self> {
        let sides = 1..=MAX_SIDE;
        let fits = sides.contains(&columns) && sides.contains(&rows);
        let row = |row: u32| ((1u64 << columns) - 1) << (row * (columns + 1));
        fits.then(|| Self { columns, rows, board: (0..rows).fold(0, |set, r| set | row(r)) })
    }

    /// Columns of the board.
    pub fn columns(&self) -> u32 {
        self.columns
    }

    /// Rows of the board.
    pub fn rows(&self) -> u32 {
        self.rows
    }

    /// The points beside those of `set`, and bits that are no points.
    #[inline(always)]
    fn beside(&self, set: u64) -> u64 {
        let stride = self.columns + 1;
        set << 1 | set >> 1 | set << stride | set >> stride
    }

    /// The points of `within` that are joined to `seed` through `within`, `seed` included.
    #[inline(always)]
    fn chain(&self, seed: u64, within: u64) -> u64 {
        let mut reached = seed;
        loop {
            let next = reached | self.beside(reached) & within;
            if next == reached {
                return reached;
            }
            reached = next;
        }
    }

    /// The stones of `other` beside `placed` that have no liberty once it is placed.
    #[inline]
    fn captured(&self, placed: u64, own: u64, other: u64) -> u64 {
        let empty = self.board & !(own | other | placed);
        // Chains that touch an empty point live; a stone beside `placed` is looked at only if it has
        // no empty neighbour itself.
        let mut pending = self.beside(placed) & other & !self.beside(empty);
        let mut captured = 0;
        while pending != 0 {
            let chain = self.chain(pending & pending.wrapping_neg(), other);
            if self.beside(chain) & empty == 0 {
                captured |= chain;
            }
            pending &= !chain;
        }
        captured
    }

    /// The union of the chains of `stones` that have at least two liberties, and the liberties of
    /// those that have one.
    #[inline]
    fn liberties(&self, stones: u64, empty: u64) -> (u64, u64) {
        let (mut alive, mut last) = (0, 0);
        let mut pending = stones;
        while pending != 0 {
            let chain = self.chain(pending & pending.wrapping_neg(), stones);
            let liberties = self.beside(chain) & empty;
            if liberties & liberties.wrapping_sub(1) == 0 {
                last |= liberties;
            } else {
                alive |= chain;
            }
            pending &= !chain;
        }
        (alive, last)
    }

    /// The mask of legal moves.
    #[inline]
    fn moves(&self, position: &Position) -> u64 {
        let Position { own, other, passes, second_moves, .. } = *position;
        if passes >= 2 {
            return 0;
        }
        let empty = self.board & !(own | other);
        let mut legal = empty & self.beside(empty);
        // A point with no empty neighbour is no suicide where it joins a chain with another liberty
        // or fills the last liberty of an opposing one.
        let tight = empty & !legal;
        if tight != 0 {
            let (alive, _) = self.liberties(own, empty);
            let (_, last) = self.liberties(other, empty);
            legal |= tight & (self.beside(alive) | last);
        }
        let mut doubtful = position.history.doubtful(second_moves, legal);
        while doubtful != 0 {
            let placed = doubtful & doubtful.wrapping_neg();
            doubtful ^= placed;
            let left = other & !self.captured(placed, own, other);
            let (first, second) = in_order(own | placed, left, second_moves);
            if position.history.contains([first, second]) {
                legal ^= placed;
            }
        }
        legal | PASS
    }

    #[inline]
    fn make(&self, position: &mut Position, mv: u64) {
        let Position { own, other, second_moves, .. } = *position;
        position.second_moves = !second_moves;
        if mv == PASS {
            (position.own, position.other) = (other, own);
            position.passes += 1;
        } else {
            let left = other & !self.captured(mv, own, other);
            (position.own, position.other) = (left, own | mv);
            position.passes = 0;
            let (first, second) = in_order(own | mv, left, second_moves);
            position.history.insert([first, second]);
        }
        position.moves = self.moves(position);
    }

    /// A position of which nothing is known but the board, who moves, and the passes before.
    fn position(&self, stones: [u64; 2], second_moves: bool, passes: u8) -> Position {
        let (own, other) = in_order(stones[0], stones[1], second_moves);
        let history = History::new(stones);
        let mut position = Position { own, other, moves: 0, passes, second_moves, history };
        position.moves = self.moves(&position);
        position
    }
}

/// The pair, exchanged if asked.
#[inline(always)]
fn in_order(first: u64, second: u64, exchanged: bool) -> (u64, u64) {
    if exchanged { (second, first) } else { (first, second) }
}

/// The stones of both players, who is to move, and the boards of the game so far.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// Stones of the player to move.
    own: u64,
    /// Stones of the opponent.
    other: u64,
    /// The mask of legal moves.
    moves: u64,
    /// Passes in a row that led here.
    passes: u8,
    /// Whether White is to move.
    second_moves: bool,
    history: History,
}

impl Position {
    /// Black's and White's stones.
    fn by_colour(&self) -> (u64, u64) {
        in_order(self.own, self.other, self.second_moves)
    }
}

/// A placement, by its point, or the pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Point(u8);

impl Game for Go {
    type Position = Position;
    type Move = Point;

    fn initial(&self) -> Position {
        self.position([0; 2], false, 0)
    }

    fn legal_moves(&self, position: &Position, moves: &mut Vec<Point>) {
        moves.clear();
        moves.extend(bits(position.moves).map(|bit| Point(bit as u8)));
    }

    #[inline]
    fn play(&self, position: &mut Position, Point(point): Point) {
        self.make(position, 1 << point);
    }

    #[inline]
    fn mobility(&self, position: &Position, _scratch: &mut Vec<Point>) -> usize {
        position.moves.count_ones() as usize
    }

    #[inline]
    fn play_nth(&self, position: &mut Position, n: usize, _scratch: &mut Vec<Point>) {
        self.make(position, nth_bit(position.moves, n));
    }
}

impl Go {
    /// The points of the first player's area less those of the second's.
    fn lead(&self, position: &Position) -> i32 {
        let (black, white) = position.by_colour();
        let empty = self.board & !(black | white);
        // What both reach counts on both sides.
        let (reached, other) = (self.chain(black, black | empty), self.chain(white, white | empty));
        reached.count_ones() as i32 - other.count_ones() as i32
    }
}

impl Scored for Go {
    fn outcome(&self, terminal: &Position) -> Outcome {
        match self.lead(terminal) {
            1.. => Outcome::FirstWins,
            0 => Outcome::Draw,
            ..0 => Outcome::SecondWins,
        }
    }

    fn first_moves(&self, position: &Position) -> bool {
        !position.second_moves
    }

    /// By the area.
    fn evaluate(&self, position: &Position) -> f64 {
        guess(self.lead(position).into(), 4.0)
    }
}
