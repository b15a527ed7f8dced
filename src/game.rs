//! What a game is: positions, moves, results and notation, each a trait of its own.
//!
//! A game is a value (it may carry parameters: a board size, a duplicate policy, a draw rule); a
//! position is data. Perft, the estimators and the exact counters see games only through these
//! traits. Two players move, by turns in all but a game whose rules let a player move again; one move is
//! one ply, a whole multi-capture included.
//!
//! *Canonical move order is part of the contract.* Every game documents the order in which
//! [`Game::legal_moves`] lists its moves and keeps it for ever: a random walk is "the n-th move in
//! canonical order", so a seed means the same walk after a faster generator lands.

mod perft;

use std::fmt;
use std::hash::Hash;

pub use perft::{Finished, Perft, PerftError, divide, perft};

/// Rules of a game for two players.
pub trait Game: Sync {
    /// A state of the game; equality of positions is the definition of *one state*.
    type Position: Clone + Eq + Hash + Send + Sync;
    /// One ply.
    type Move: Copy + Eq + Send;

    /// The position in which the first player moves first.
    fn initial(&self) -> Self::Position;

    /// Clears `moves`, then lists every legal move in canonical order; none left means that the
    /// game is over.
    fn legal_moves(&self, position: &Self::Position, moves: &mut Vec<Self::Move>);

    /// Makes `mv`, which must be one of the legal moves of `position`.
    fn play(&self, position: &mut Self::Position, mv: Self::Move);

    /// The number of legal moves; `scratch` is working space whose content means nothing
    /// before or after. Overridden where a count needs no list.
    #[inline]
    fn mobility(&self, position: &Self::Position, scratch: &mut Vec<Self::Move>) -> usize {
        self.legal_moves(position, scratch);
        scratch.len()
    }

    /// Makes the `n`-th legal move (0-based) in canonical order, `n < mobility`; `scratch` as in
    /// [`Game::mobility`]. Overridden where the choice needs no list.
    #[inline]
    fn play_nth(&self, position: &mut Self::Position, n: usize, scratch: &mut Vec<Self::Move>) {
        self.legal_moves(position, scratch);
        self.play(position, scratch[n]);
    }

    /// Makes move `moves[i]` of `positions[i]`, each counted like [`Game::play_nth`]'s, and puts the
    /// number of legal moves that follow in `mobilities[i]`; the slices are equally long. Overridden
    /// where several positions at once go faster.
    #[inline]
    fn play_each(
        &self,
        positions: &mut [Self::Position],
        moves: &[u32],
        mobilities: &mut [u32],
        scratch: &mut Vec<Self::Move>,
    ) {
        for ((position, nth), mobility) in positions.iter_mut().zip(moves).zip(mobilities) {
            self.play_nth(position, *nth as usize, scratch);
            *mobility = self.mobility(position, scratch) as u32;
        }
    }

    /// Whether the move made from `position` counts towards the length of the game; false only for
    /// a forced pass where the game's parameters say so.
    #[inline]
    fn counts_as_ply(&self, _position: &Self::Position) -> bool {
        true
    }

    /// One of the positions that the symmetries of the board make of `position`, the same for all of
    /// them; `None` when the board of the game has no symmetry that the rules respect.
    fn representative(&self, _position: &Self::Position) -> Option<Self::Position> {
        None
    }
}

/// How a finished game ended, seen from the player who moved first in the initial position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The player who moved first won.
    FirstWins,
    /// The player who moved second won.
    SecondWins,
    /// Nobody won.
    Draw,
}

/// A game whose finished positions have a result, and the others a guess at it.
pub trait Scored: Game {
    /// The result of `terminal`, a position without legal moves.
    fn outcome(&self, terminal: &Self::Position) -> Outcome;

    /// Whether the player who moved first in the initial position is to move.
    fn first_moves(&self, position: &Self::Position) -> bool;

    /// A static evaluation: what the result of the game is guessed to be without looking ahead, from
    /// 1 (the first player wins) to -1; 0 for every position of a game that has none.
    #[inline]
    fn evaluate(&self, _position: &Self::Position) -> f64 {
        0.0
    }

    /// The class of a position: positions of one class should have about as many games ahead of
    /// them. A guess like the evaluation; 0 for every position of a game that knows no classes.
    #[inline]
    fn class(&self, _position: &Self::Position) -> u64 {
        0
    }

    /// Tells apart the legal moves that end the game at once, whose number is added to `ends` by
    /// [`Outcome`], and the others, which are left in `open` in canonical order; returns the number
    /// of the others. Overridden where that needs no list, `open` then means nothing.
    fn open_moves(
        &self,
        position: &Self::Position,
        open: &mut Vec<Self::Move>,
        ends: &mut [u32; 3],
    ) -> usize {
        let mut scratch = Vec::new();
        self.legal_moves(position, open);
        open.retain(|mv| {
            let mut after = position.clone();
            self.play(&mut after, *mv);
            let goes_on = self.mobility(&after, &mut scratch) > 0;
            if !goes_on {
                ends[self.outcome(&after) as usize] += 1;
            }
            goes_on
        });
        open.len()
    }

    /// Makes the `n`-th move (0-based) of those that do not end the game; `open` as
    /// [`Scored::open_moves`] left it.
    #[inline]
    fn play_open(&self, position: &mut Self::Position, n: usize, open: &mut Vec<Self::Move>) {
        self.play(position, open[n]);
    }
}

impl Outcome {
    /// The value of the result to the player who moved first: 1, 0 or -1.
    pub fn value(self) -> f64 {
        match self {
            Self::FirstWins => 1.0,
            Self::Draw => 0.0,
            Self::SecondWins => -1.0,
        }
    }
}

/// A lead in any unit as a guess at the result: `lead / (half + |lead|)`, so that a lead of `half` is
/// half a win.
#[inline]
pub fn guess(lead: f64, half: f64) -> f64 {
    lead / (half + lead.abs())
}

/// A game whose positions and moves can be written and read.
pub trait Notation: Game {
    /// What the text of a position is called and looks like, e.g. `FEN, W:W31-50:B1-20`.
    fn position_syntax(&self) -> String;

    /// The canonical text of a position; [`Notation::read_position`] gives the position back.
    fn write_position(&self, position: &Self::Position) -> String;

    /// The position that `text` describes.
    ///
    /// # Errors
    /// Names the offending token when the text is malformed or describes no position of this game.
    fn read_position(&self, text: &str) -> Result<Self::Position, NotationError>;

    /// The text of the legal move `mv` in `position`, different for different moves.
    fn write_move(&self, position: &Self::Position, mv: Self::Move) -> String;

    /// The legal move of `position` that `text` names.
    ///
    /// # Errors
    /// Names `text` when it is no legal move or more than one.
    fn read_move(
        &self,
        position: &Self::Position,
        text: &str,
    ) -> Result<Self::Move, NotationError> {
        let mut moves = Vec::new();
        self.legal_moves(position, &mut moves);
        let named = |mv: &&Self::Move| self.write_move(position, **mv) == text;
        moves.iter().find(named).copied().ok_or_else(|| {
            let legal: Vec<String> =
                moves.iter().map(|mv| self.write_move(position, *mv)).collect();
            NotationError::new(text, "not a legal move here", legal.join(" "))
        })
    }
}

/// A game that can be measured, printed and read: what the catalog hands out.
pub trait Playable: Scored + Notation {}
impl<G: Scored + Notation> Playable for G {}

/// A text that names no position or move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotationError {
    /// The offending part of the text.
    pub token: String,
    /// What is wrong with it.
    pub problem: String,
    /// What would be accepted instead; may be empty.
    pub allowed: String,
}

impl NotationError {
    /// An error about `token`.
    pub fn new(
        token: impl Into<String>,
        problem: impl Into<String>,
        allowed: impl Into<String>,
    ) -> Self {
        Self { token: token.into(), problem: problem.into(), allowed: allowed.into() }
    }

    /// An error about `token`, which names each of the moves `named`.
    pub fn ambiguous(token: impl Into<String>, named: &[String]) -> Self {
        Self::new(token, AMBIGUOUS, named.join(" "))
    }

    /// Whether the token names several moves; those are allowed, with a blank between them.
    pub fn is_ambiguous(&self) -> bool {
        self.problem == AMBIGUOUS
    }
}

/// What is wrong with a move that is several.
const AMBIGUOUS: &str = "an ambiguous capture";

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}': {}", shortened(&self.token), self.problem)?;
        if !self.allowed.is_empty() {
            write!(f, " (allowed: {})", self.allowed)?;
        }
        Ok(())
    }
}

impl std::error::Error for NotationError {}

/// `token`, its middle left out where it is longer than a message should be.
fn shortened(token: &str) -> String {
    const KEPT: usize = 30;
    let length = token.chars().count();
    if length <= 2 * KEPT + 1 {
        return token.to_owned();
    }
    let front: String = token.chars().take(KEPT).collect();
    let back: String = token.chars().skip(length - KEPT).collect();
    format!("{front}…{back}")
}

/// How long work reports what it has done and learns that it should stop.
pub trait Progress: Sync {
    /// Reports `units` more units of work done.
    fn advance(&self, units: u64);
    /// Whether the work should stop at the next safe point.
    fn stopped(&self) -> bool;
    /// Reports that `done` of `all` is finished, in a measure of the work that is known beforehand
    /// while its units are not; the first report says what was finished before the work began.
    fn share(&self, _done: u64, _all: u64) {}
    /// Reports that the work now keeps `bytes` on disk for itself.
    fn on_disk(&self, _bytes: u64) {}
}

/// Progress that nobody watches and nobody stops.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl Progress for Unwatched {
    fn advance(&self, _units: u64) {}
    fn stopped(&self) -> bool {
        false
    }
}
