//! Who plays: the trait, and what players share.

use std::path::PathBuf;
use std::sync::Arc;

use rand_xoshiro::Xoshiro256PlusPlus;
use thiserror::Error;

use crate::endgame::{DEFAULT_CACHE, Database, OpenError};
use crate::engine::Probe;
use crate::game::Progress;
use crate::games::draughts::draw::Played;
use crate::games::draughts::{Board, Move, Rules};

/// A player of the rules `R` on the board `B`: the engine, a random mover, a program of someone else.
pub trait Player<R: Rules, B: Board>: Send {
    /// A new game begins; `generator` is where its random numbers come from.
    fn begin(&mut self) {}

    /// Chooses one of `moves`, the legal moves of the game in progress, at least two.
    ///
    /// # Errors
    /// When it was stopped or cannot play on.
    fn choose(
        &mut self,
        played: &Played<B>,
        moves: &[Move<B>],
        generator: Option<&mut Xoshiro256PlusPlus>,
        progress: &dyn Progress,
    ) -> Result<Choice<B>, PlayerError>;

    /// What the position is worth to the side to move when only captures are followed; hundredths of a
    /// man. `None` when the player cannot tell.
    fn glance(&mut self, played: &Played<B>) -> Option<i32>;
}

/// A move that a player chose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice<B: Board> {
    /// The move.
    pub mv: Move<B>,
    /// What the player thinks the position is worth to it, in hundredths of a man, if it does.
    pub score: Option<i32>,
    /// Positions it visited.
    pub nodes: u64,
}

/// Why a player did not choose.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PlayerError {
    /// The progress said stop.
    #[error("stopped")]
    Stopped,
    /// It cannot play on.
    #[error("{0}")]
    Failed(String),
}

/// Where an endgame database is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatabasePlace {
    /// Its folder.
    pub dir: PathBuf,
    /// The most pieces that are asked for; `None`: as many as it has.
    pub pieces: Option<u32>,
}

impl DatabasePlace {
    /// Opens the database.
    ///
    /// # Errors
    /// When it is not there, or not whole.
    pub fn open<R: Rules, B: Board>(&self) -> Result<SharedDatabase<B>, OpenError> {
        let database = Database::<R, B>::open(&self.dir, self.pieces, DEFAULT_CACHE)?;
        Ok(Arc::new(database))
    }
}

/// A database that many players ask.
pub type SharedDatabase<B> = Arc<dyn Probe<B> + Send>;

/// Refuses to play on by a database that has met damage.
pub(super) fn whole<B: Board>(database: Option<&SharedDatabase<B>>) -> Result<(), PlayerError> {
    match database.and_then(|database| database.damage()) {
        Some(damage) => Err(PlayerError::Failed(damage)),
        None => Ok(()),
    }
}

/// Stops when the outer progress or the deadline does; counts nothing.
pub(super) struct Watch<'a> {
    pub(super) progress: &'a dyn Progress,
    pub(super) until: Option<Box<dyn Progress>>,
}

impl Progress for Watch<'_> {
    fn advance(&self, _units: u64) {}

    fn stopped(&self) -> bool {
        self.progress.stopped() || self.until.as_ref().is_some_and(|until| until.stopped())
    }
}
