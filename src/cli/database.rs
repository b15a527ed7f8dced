//! The endgame database that a search or a proof asks.

use std::path::PathBuf;

use clap::Args;

use super::failure::{Failure, Result};
use crate::endgame::OpenError;
use crate::games::draughts::{Board, Rules};
use crate::self_play::{DatabasePlace, SharedDatabase};

/// An endgame database to ask.
#[derive(Args, Clone, Debug)]
pub(super) struct DatabaseArguments {
    /// Folder of an endgame database
    #[arg(long, value_name = "DIR")]
    egdb: Option<PathBuf>,
    /// Ask it for positions with up to so many pieces [default: as many as it has]
    #[arg(long, value_name = "K", allow_negative_numbers = true, requires = "egdb",
          value_parser = clap::value_parser!(u32).range(0..=84))]
    pieces: Option<u32>,
}

impl DatabaseArguments {
    /// The database, if one was named.
    ///
    /// # Errors
    /// When it is not there, or not whole.
    pub(super) fn open<R: Rules, B: Board>(&self) -> Result<Option<SharedDatabase<B>>> {
        let Some(dir) = &self.egdb else { return Ok(None) };
        let place = DatabasePlace { dir: dir.clone(), pieces: self.pieces };
        place.open::<R, B>().map(Some).map_err(|error| open_failed("--pieces", error))
    }
}

/// A database that cannot be opened: wrong use where `pieces` asked for more than there can be.
pub(super) fn open_failed(pieces: &str, error: OpenError) -> Failure {
    match error {
        OpenError::Slices(error) => Failure::Usage(format!("{pieces}: {error}")),
        other => Failure::work(other),
    }
}
