//! The endgame databases that experiments ask: one folder for all, in which what is missing is built.

use super::{Effort, MeasureError};
use crate::endgame::slices::Slices;
use crate::endgame::{
    BuildError, DEFAULT_CACHE, Database, FileError, Folder, OpenError, Stage, build,
};
use crate::experiment::provenance::check_memory;
use crate::game::Progress;
use crate::games::draughts::{Board, Rules};

/// Files in blocks that can be unpacked one by one: a fraction of the room of bare bytes.
const COMPRESSED: bool = true;

/// Opens the database of `R` on `B` with up to `pieces` pieces in the folder of `how`, where slices that
/// are missing are built first; `label` is the game in errors. `each` is told of every number of pieces
/// that a build has finished.
pub(super) fn ready<R: Rules, B: Board>(
    label: &str,
    pieces: u32,
    how: Effort,
    each: &mut dyn FnMut(Stage),
) -> Result<Database<R, B>, MeasureError> {
    let dir = how.space.databases;
    match Database::open(dir, Some(pieces), DEFAULT_CACHE) {
        Err(OpenError::File(FileError::Missing(_))) => {}
        opened => return opened.map_err(|error| MeasureError::failed(label, error)),
    }
    let size = Slices::<B>::new(pieces).map_err(|error| MeasureError::failed(label, error))?.size();
    check_memory("a database", size).map_err(|problem| MeasureError::failed(label, problem))?;
    let folder = Folder { dir, compressed: COMPRESSED };
    let built = build::<R, B>(pieces, Some(folder), how.threads, how.progress, each);
    built.map_err(|error| match error {
        BuildError::Stopped => MeasureError::Stopped,
        error => MeasureError::failed(label, error),
    })?;
    Database::open(dir, Some(pieces), DEFAULT_CACHE)
        .map_err(|error| MeasureError::failed(label, error))
}

/// As [`ready`], for work that counts other things than positions: a build only tells its share of all
/// that is to be built.
pub(super) fn opened<R: Rules, B: Board>(
    label: &str,
    pieces: u32,
    how: Effort,
) -> Result<Database<R, B>, MeasureError> {
    let progress = ShareOnly(how.progress);
    ready(label, pieces, Effort { progress: &progress, ..how }, &mut |_| ())
}

struct ShareOnly<'a>(&'a dyn Progress);

impl Progress for ShareOnly<'_> {
    fn advance(&self, _units: u64) {}

    fn stopped(&self) -> bool {
        self.0.stopped()
    }

    fn share(&self, done: u64, all: u64) {
        self.0.share(done, all);
    }
}
