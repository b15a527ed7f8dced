//! Builds a database slice by slice, those that others need first, and keeps each as a file.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::ThreadPool;
use rayon::prelude::*;
use thiserror::Error;

use super::database::content;
use super::file::{self, FileError, SliceFile};
use super::game_name;
use super::retrograde::{TooLong, Workbench};
use super::slices::{Slices, SlicesError};
use super::tables::Tables;
use crate::game::Progress;
use crate::games::draughts::board::bits;
use crate::games::draughts::{Board, Rules};
use crate::state_space::formula::Slice;
use crate::state_space::ranking::Ranking;

/// Why a database could not be built.
#[derive(Debug, Error)]
pub enum BuildError {
    /// There is no such database.
    #[error(transparent)]
    Slices(#[from] SlicesError),
    /// A distance does not fit in a byte.
    #[error(
        "slice {0} has a position decided in more than {longest} plies, more than a byte can tell",
        longest = super::bytes::LONGEST
    )]
    TooLong(Slice),
    /// The threads could not be started.
    #[error("cannot start {threads} threads: {error}")]
    Threads {
        /// How many.
        threads: usize,
        /// What the system says.
        error: String,
    },
    /// A file could not be used.
    #[error(transparent)]
    File(#[from] FileError),
    /// Another process builds there.
    #[error("another build of {game} is at work in {dir}", dir = .dir.display())]
    Busy {
        /// The game.
        game: String,
        /// The folder.
        dir: PathBuf,
    },
    /// The work was asked to stop; finished slices are kept.
    #[error("stopped")]
    Stopped,
}

/// Where and how files are kept.
#[derive(Clone, Copy, Debug)]
pub struct Folder<'a> {
    /// The folder, which is made when it is not there.
    pub dir: &'a Path,
    /// Whether blocks are compressed.
    pub compressed: bool,
}

/// What is done when all slices with so many pieces are finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage {
    /// The number of pieces.
    pub pieces: u32,
    /// Slices that are kept.
    pub slices: usize,
    /// How many of them were there before.
    pub found: usize,
    /// Positions that are kept.
    pub positions: u64,
    /// Length of their files in bytes; 0 in memory.
    pub bytes: u64,
}

/// Positions that a thread takes at a time, at least.
const LEAST_WORK: u64 = 1 << 14;

/// Builds the tables of all slices with up to `pieces` pieces on `threads` threads, in memory and,
/// with a `folder`, on disk, where slices that are there already are taken as they are. `each` is
/// called with every number of pieces that is finished.
///
/// # Errors
/// When there are no such tables, a win is too long, a file cannot be read or written, and when
/// stopped.
pub fn build<R: Rules, B: Board>(
    pieces: u32,
    folder: Option<Folder<'_>>,
    threads: usize,
    progress: &dyn Progress,
    each: &mut dyn FnMut(Stage),
) -> Result<Tables<R, B>, BuildError> {
    let tables = Tables::<R, B>::new(Slices::new(pieces)?);
    let game = game_name::<R, B>();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| BuildError::Threads { threads, error: error.to_string() })?;
    let busy = |dir: &Path| BuildError::Busy { game: game.clone(), dir: dir.to_owned() };
    let _locked = match folder {
        Some(Folder { dir, .. }) => Some(file::lock(dir, &game)?.ok_or_else(|| busy(dir))?),
        None => None,
    };
    let done = AtomicU64::new(0);
    let builder =
        Builder { tables: &tables, folder, game: &game, progress, done, benches: Mutex::default() };
    builder.run(&pool, each)?;
    Ok(tables)
}

struct Builder<'a, R: Rules, B: Board> {
    tables: &'a Tables<R, B>,
    folder: Option<Folder<'a>>,
    game: &'a str,
    progress: &'a dyn Progress,
    /// Positions of finished slices and configurations.
    done: AtomicU64,
    benches: Mutex<Vec<Workbench<R, B>>>,
}

impl<R: Rules, B: Board> Builder<'_, R, B> {
    fn run(&self, pool: &ThreadPool, each: &mut dyn FnMut(Stage)) -> Result<(), BuildError> {
        let entries = self.tables.slices().entries();
        let found: Vec<Option<SliceFile>> =
            entries.iter().map(|entry| self.open(entry)).collect::<Result<_, _>>()?;
        let sizes = entries.iter().zip(&found);
        let finished = sizes.filter_map(|(entry, file)| file.as_ref().map(|_| entry.size())).sum();
        self.done.store(finished, Ordering::Relaxed);
        self.progress.share(finished, self.tables.slices().size());
        // Nothing is read when nothing is left to do.
        let last = found.iter().rposition(Option::is_none);
        let work: Vec<(usize, Option<SliceFile>)> = found.into_iter().enumerate().collect();
        let pieces = |place: usize| entries[place].slice().pieces();
        let men =
            |place: usize| entries[place].slice().black_men + entries[place].slice().white_men;
        for stage in work.chunk_by(|a, b| pieces(a.0) == pieces(b.0)) {
            let bytes = AtomicU64::new(0);
            for group in stage.chunk_by(|a, b| men(a.0) == men(b.0)) {
                let finish = |(place, file): &(usize, Option<SliceFile>)| {
                    let length = match file {
                        Some(file) => {
                            if last.is_some() {
                                self.tables.put(*place, file.read()?);
                            }
                            file.length()
                        }
                        None => self.slice(*place)?,
                    };
                    bytes.fetch_add(length, Ordering::Relaxed);
                    Ok::<(), BuildError>(())
                };
                pool.install(|| group.par_iter().try_for_each(finish))?;
            }
            each(Stage {
                pieces: pieces(stage[0].0),
                slices: stage.len(),
                found: stage.iter().filter(|(_, file)| file.is_some()).count(),
                positions: stage.iter().map(|(place, _)| entries[*place].size()).sum(),
                bytes: bytes.into_inner(),
            });
        }
        Ok(())
    }

    /// The file of a finished slice.
    fn open(&self, entry: &super::slices::Entry<B>) -> Result<Option<SliceFile>, FileError> {
        let Some(folder) = self.folder else { return Ok(None) };
        match SliceFile::open(folder.dir, content(self.game, entry)) {
            Ok(file) => Ok(Some(file)),
            Err(FileError::Missing(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Solves a slice and writes its file; gives the length of the file.
    fn slice(&self, place: usize) -> Result<u64, BuildError> {
        self.tables.begin(place);
        let entry = &self.tables.slices().entries()[place];
        let kings = entry.ranking.kings();
        let least = (LEAST_WORK / kings).max(1) as usize;
        let sides = entry.sides().len() as u64;
        for wave in waves(&entry.ranking).iter().rev() {
            wave.par_chunks(least).try_for_each(|configurations| {
                if self.progress.stopped() {
                    return Err(BuildError::Stopped);
                }
                let bench = self.benches.lock().expect("nothing panics with the lock").pop();
                let mut bench = bench.unwrap_or_else(Workbench::new);
                for configuration in configurations {
                    bench
                        .solve(self.tables, place, *configuration)
                        .map_err(|TooLong| BuildError::TooLong(entry.slice()))?;
                }
                let positions = configurations.len() as u64 * kings * sides;
                let done = self.done.fetch_add(positions, Ordering::Relaxed) + positions;
                self.progress.advance(positions);
                self.progress.share(done, self.tables.slices().size());
                self.benches.lock().expect("nothing panics with the lock").push(bench);
                Ok(())
            })?;
        }
        let Some(Folder { dir, compressed }) = self.folder else { return Ok(0) };
        let bytes = self.tables.copy(place);
        Ok(file::write(dir, content(self.game, entry), &bytes, compressed)?)
    }
}

/// The configurations of a slice by how many rows all men together have advanced; those in which it
/// is as many do not lead to one another.
fn waves<B: Board>(ranking: &Ranking<B>) -> Vec<Vec<u64>> {
    let row = |bit: u32| (B::square_of(bit) - 1) / B::ROW;
    let mut waves: Vec<Vec<u64>> = Vec::new();
    for configuration in 0..ranking.configurations() {
        let [black, white] = ranking.men(configuration);
        let advanced: u32 = bits(black).map(row).sum::<u32>()
            + bits(white).map(|bit| B::N - 1 - row(bit)).sum::<u32>();
        let advanced = advanced as usize;
        if waves.len() <= advanced {
            waves.resize(advanced + 1, Vec::new());
        }
        waves[advanced].push(configuration);
    }
    waves
}
