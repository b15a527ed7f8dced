//! Chess, with draws claimed at once; the moves are those of the crate `cozy-chess`.
//!
//! A game ends by checkmate or stalemate, and as a draw as soon as it could be claimed or is dead
//! (FIDE Laws of Chess, 5.2.2, 9.2, 9.3):
//!
//! * the same position occurs for the third time: the same placement, side to move, castling rights
//!   and legal captures en passant;
//! * 100 plies in a row without a pawn move or a capture;
//! * no side can mate: a bare king against a king alone, with one knight or with any number of
//!   bishops, and kings with bishops of both sides all on squares of one colour;
//! * the ply cap, where one is asked for; no rule of any book.
//!
//! Checkmate goes before all of them. The second rule alone ends every game.
//!
//! Positions are written as FEN and moves as in UCI, `e2e4`, `e7e8q`, castling `e1g1`; Chess960 is not
//! known. Canonical order of moves: by the square of the piece that moves, a1, b1 ... h8, then by the
//! square it goes to, castling by that of the rook, promotions knight, bishop, rook, queen.
//!
//! A position remembers the positions since the last pawn move or capture, at most 101, by the
//! 64-bit keys of the crate: that two of them have the same key though they differ, and a game is
//! drawn that is not, is expected less than once in 10^14 games. Equality of positions is that of
//! what the rules see: the number of moves made matters only under a ply cap.

mod text;

use std::hash::{Hash, Hasher};

use cozy_chess::{BitBoard, Board, Move, Piece, PieceMoves, Rank, Square};

use super::machine::bits;
use crate::game::{Game, Outcome, Scored, guess};

/// Occurrences of a position that end the game.
const REPETITIONS: usize = 3;
/// Plies without a pawn move or a capture that end the game.
const QUIET_PLIES: u8 = 100;
/// What pieces are worth, in pawns.
const PIECES: [(Piece, i32); 5] =
    [(Piece::Pawn, 1), (Piece::Knight, 3), (Piece::Bishop, 3), (Piece::Rook, 5), (Piece::Queen, 9)];
/// The squares of a1 and its colour.
const DARK: BitBoard = BitBoard(0xaa55_aa55_aa55_aa55);

/// The rules of chess.
#[derive(Clone, Copy, Debug, Default)]
pub struct Chess {
    ply_cap: Option<u32>,
}

impl Chess {
    /// Chess that is stopped as a draw after `ply_cap` plies, if that is given.
    pub fn new(ply_cap: Option<u32>) -> Self {
        Self { ply_cap }
    }

    /// The plies after which the game is stopped.
    pub fn ply_cap(&self) -> Option<u32> {
        self.ply_cap
    }

    /// The position on `board`, which has no history but the number of its move.
    fn position(&self, board: Board) -> Position {
        let before = 2 * (u32::from(board.fullmove_number()) - 1)
            + u32::from(board.side_to_move() == cozy_chess::Color::Black);
        let mut earlier = Vec::with_capacity(usize::from(QUIET_PLIES) + 1);
        earlier.push(key(&board));
        let left = self.ply_cap.map_or(u32::MAX, |cap| cap.saturating_sub(before));
        let drawn = is_drawn(&board) || left == 0;
        Position { board, earlier, left, drawn }
    }

    #[inline]
    fn make(&self, position: &mut Position, mv: Move) {
        let Position { board, earlier, left, drawn } = position;
        board.play_unchecked(mv);
        if board.halfmove_clock() == 0 {
            earlier.clear();
        }
        let key = key(board);
        let at = earlier.partition_point(|other| *other < key);
        earlier.insert(at, key);
        let occurrences = earlier[at..].iter().take_while(|other| **other == key).count();
        if self.ply_cap.is_some() {
            *left -= 1;
        }
        *drawn = occurrences >= REPETITIONS || *left == 0 || is_drawn(board);
    }
}

/// What says whether a position has occurred before.
#[inline]
fn key(board: &Board) -> u64 {
    match board.en_passant() {
        // Only a capture en passant that is legal makes the position another one.
        Some(file) => {
            let rank = Rank::Sixth.relative_to(board.side_to_move());
            let target = Square::new(file, rank);
            let mut is_legal = false;
            board.generate_moves_for(board.pieces(Piece::Pawn), |moves| {
                is_legal |= moves.to.has(target) && moves.from.file() != file;
                is_legal
            });
            if is_legal { board.hash() } else { board.hash_without_ep() }
        }
        None => board.hash(),
    }
}

/// Whether the game is a draw whatever came before the last pawn move or capture.
#[inline]
fn is_drawn(board: &Board) -> bool {
    board.halfmove_clock() >= QUIET_PLIES || is_dead(board)
}

/// Whether neither side has the material to mate in any way.
#[inline]
fn is_dead(board: &Board) -> bool {
    let [pawns, rooks, queens] = [Piece::Pawn, Piece::Rook, Piece::Queen].map(|p| board.pieces(p));
    if !(pawns | rooks | queens).is_empty() {
        return false;
    }
    let (knights, bishops) = (board.pieces(Piece::Knight), board.pieces(Piece::Bishop));
    match knights.len() {
        0 => (bishops & DARK).is_empty() || (bishops & !DARK).is_empty(),
        1 => bishops.is_empty(),
        _ => false,
    }
}

/// The squares that the pieces of the side to move can go to, by the square of the piece.
struct Targets {
    from: u64,
    to: [u64; 64],
    pawns: u64,
}

impl Targets {
    #[inline]
    fn new(board: &Board) -> Self {
        let mut targets = Self { from: 0, to: [0; 64], pawns: board.pieces(Piece::Pawn).0 };
        board.generate_moves(|PieceMoves { from, to, .. }| {
            targets.from |= from.bitboard().0;
            targets.to[from as usize] |= to.0;
            false
        });
        targets
    }

    /// The moves of the piece on square `from`.
    #[inline]
    fn moves(&self, from: u32) -> PieceMoves {
        let piece = if self.pawns >> from & 1 == 1 { Piece::Pawn } else { Piece::Queen };
        let to = BitBoard(self.to[from as usize]);
        PieceMoves { piece, from: Square::index(from as usize), to }
    }
}

/// A board and what the draw rules need to know about the game so far.
#[derive(Clone, Debug)]
pub struct Position {
    board: Board,
    /// The keys of the positions since the last pawn move or capture, this one included, sorted.
    earlier: Vec<u64>,
    /// Plies left to the cap.
    left: u32,
    /// Whether a draw rule has ended the game, unless the last move was checkmate.
    drawn: bool,
}

impl Position {
    fn is_checkmate(&self) -> bool {
        !self.board.checkers().is_empty() && !self.board.generate_moves(|_| true)
    }
}

impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        self.board.same_position(&other.board)
            && self.board.halfmove_clock() == other.board.halfmove_clock()
            && self.left == other.left
            && self.earlier == other.earlier
    }
}

impl Eq for Position {}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.board.hash_without_ep().hash(state);
        (self.board.halfmove_clock(), self.left).hash(state);
        self.earlier.hash(state);
    }
}

impl Game for Chess {
    type Position = Position;
    type Move = Move;

    fn initial(&self) -> Position {
        self.position(Board::startpos())
    }

    fn legal_moves(&self, position: &Position, moves: &mut Vec<Move>) {
        moves.clear();
        if !position.drawn {
            let targets = Targets::new(&position.board);
            moves.extend(bits(targets.from).flat_map(|from| targets.moves(from)));
        }
    }

    fn play(&self, position: &mut Position, mv: Move) {
        self.make(position, mv);
    }

    #[inline]
    fn mobility(&self, position: &Position, _scratch: &mut Vec<Move>) -> usize {
        let mut count = 0;
        if !position.drawn {
            position.board.generate_moves(|moves| {
                count += moves.len();
                false
            });
        }
        count
    }

    #[inline]
    fn play_nth(&self, position: &mut Position, n: usize, _scratch: &mut Vec<Move>) {
        let targets = Targets::new(&position.board);
        let mut left = n;
        for from in bits(targets.from) {
            let moves = targets.moves(from);
            let count = moves.len();
            if left < count {
                let mv = moves.into_iter().nth(left).expect("the piece has so many moves");
                return self.make(position, mv);
            }
            left -= count;
        }
        panic!("there are fewer than {n} moves");
    }
}

impl Scored for Chess {
    fn outcome(&self, terminal: &Position) -> Outcome {
        match (terminal.is_checkmate(), terminal.board.side_to_move()) {
            (false, _) => Outcome::Draw,
            (true, cozy_chess::Color::Black) => Outcome::FirstWins,
            (true, cozy_chess::Color::White) => Outcome::SecondWins,
        }
    }

    fn first_moves(&self, position: &Position) -> bool {
        position.board.side_to_move() == cozy_chess::Color::White
    }

    /// By the material: pawns 1, knights and bishops 3, rooks 5, queens 9.
    fn evaluate(&self, position: &Position) -> f64 {
        let board = &position.board;
        let [white, black] = [cozy_chess::Color::White, cozy_chess::Color::Black].map(|colour| {
            let worth = PIECES.map(|(piece, worth)| {
                worth * (board.colors(colour) & board.pieces(piece)).len() as i32
            });
            worth.iter().sum::<i32>()
        });
        guess((white - black).into(), 3.0)
    }
}
