//! The exact number of positions that can be reached, with the breadth-first depth of each.
//!
//! A position is a placement of pieces with the side to move; the start has depth 0, terminal
//! positions count, draw rules play no part (J. van Horssen, Section 2 and Table 2: "SSC"). A move
//! that captures or promotes leaves its material slice for good, so the slices form a directed
//! acyclic graph. They are searched one after the other, each breadth-first by itself
//! (`search`); positions that lie in a later slice wait on disk with their depth (`seeds`) until
//! all slices before it are done. So depths are exact although the whole state space is never in
//! memory. Where depths are not wanted a slice is searched configuration by configuration of its
//! men instead ([`Order::Any`]). Finished slices are recorded (`checkpoint`), and a count that was killed goes on with
//! the slices that were not.
//!
//! No symmetry of the board is used: the reachable set is not closed under exchange of the colours.

mod checkpoint;
mod expand;
mod marks;
mod plan;
mod search;
mod seeds;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, MutexGuard};

use checkpoint::Checkpoint;
pub use checkpoint::CheckpointError;
use plan::Plan;
pub use search::Order;
use search::{SearchError, Searched, Task};
pub use seeds::SeedError;
use seeds::{Disk, SeedReader};

use super::formula::Slice;
use crate::game::{Notation, Progress};
use crate::games::draughts::{Board, Draughts, Position, Rules};

/// How a count is run; the numbers do not depend on it, but for depths that are not found.
#[derive(Clone, Debug)]
pub struct Settings<'a> {
    /// The order of the search: whether depths are wanted.
    pub order: Order,
    /// Slices searched at the same time, at least 1.
    pub threads: usize,
    /// Memory for marks of positions, in bytes.
    pub memory: u64,
    /// The folder for seeds and finished slices.
    pub scratch: &'a Path,
    /// The most that waiting seeds may take on disk, in bytes.
    pub scratch_limit: u64,
}

/// Why a count ended without a result.
#[derive(Debug, thiserror::Error)]
pub enum CountError {
    /// Asked to stop; finished slices are kept.
    #[error("stopped before the end; the finished slices are kept, the same command goes on")]
    Stopped,
    /// A slice has too many positions for this counter.
    #[error(
        "the slice of {} is too large to be numbered (allowed: 2^32 positions, 2^23 placements of \
         one kind of piece)",
        describe(*.0)
    )]
    TooLarge(Slice),
    /// A slice does not fit in the memory allowed.
    #[error(
        "the slice of {} may need {needed} bytes of memory (allowed: {allowed})",
        describe(*.slice)
    )]
    Memory {
        /// The slice.
        slice: Slice,
        /// What its search can touch, in bytes.
        needed: u64,
        /// The limit, in bytes.
        allowed: u64,
    },
    /// The disk has less space than the count may take.
    #[error(
        "{path} has {free} bytes free and the count may take {needed} more (allowed: less with a \
         smaller scratch limit, or a scratch folder on another disk)",
        path = .path.display()
    )]
    NoSpace {
        /// The scratch folder.
        path: PathBuf,
        /// Bytes free on its disk.
        free: u64,
        /// Bytes that the count may well take beside those it has.
        needed: u64,
    },
    /// The seeds do not fit on the disk space allowed.
    #[error(
        "waiting seeds take {used} bytes of scratch space (allowed: {allowed}); the finished slices \
         are kept, the same command with more goes on"
    )]
    Scratch {
        /// Bytes in use.
        used: u64,
        /// The limit.
        allowed: u64,
    },
    /// Memory could not be had.
    #[error("cannot get memory: {0}")]
    NoMemory(std::io::Error),
    /// A scratch file cannot be written.
    #[error("cannot write {path}: {error}", path = .0.display(), error = .1)]
    Write(PathBuf, std::io::Error),
    /// The scratch folder cannot be used.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// Seeds cannot be read back.
    #[error(transparent)]
    Seeds(#[from] SeedError),
}

impl From<SearchError> for CountError {
    fn from(error: SearchError) -> Self {
        match error {
            SearchError::Stopped => Self::Stopped,
            SearchError::Seeds(error) => Self::Seeds(error),
            SearchError::Full { used, allowed } => Self::Scratch { used, allowed },
            SearchError::Write(path, error) => Self::Write(path, error),
            SearchError::Memory(error) => Self::NoMemory(error),
        }
    }
}

fn describe(slice: Slice) -> String {
    let Slice { black_men, black_kings, white_men, white_kings } = slice;
    format!("{black_men}+{black_kings}K black and {white_men}+{white_kings}K white")
}

/// The positions of one slice that can be reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SliceLevels {
    /// The material.
    pub slice: Slice,
    /// Positions of the slice, reached or not, one colour to move.
    pub size: u64,
    /// Depth in plies and number of positions first reached there, ascending; empty when none is.
    pub levels: Vec<(u32, u64)>,
}

impl SliceLevels {
    /// Positions reached, either side to move.
    pub fn reached(&self) -> u64 {
        self.levels.iter().map(|(_, new)| new).sum()
    }
}

/// A finished count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reachable {
    /// The order of the search: in any order the depths of levels are but 0 for even, 1 for odd.
    pub order: Order,
    /// Every slice of the material, most pieces first.
    pub slices: Vec<SliceLevels>,
}

impl Reachable {
    /// New positions by depth, from depth 0 on; the depth of the start is 0. `None` when the search
    /// was in any order.
    pub fn levels(&self) -> Option<Vec<u64>> {
        (self.order == Order::BreadthFirst).then(|| self.by_depth())
    }

    /// Positions in which the side that moves first in the start is to move, and positions in which
    /// the other is.
    pub fn by_side(&self) -> [u64; 2] {
        let mut sides = [0; 2];
        for (depth, new) in self.by_depth().into_iter().enumerate() {
            sides[depth % 2] += new;
        }
        sides
    }

    fn by_depth(&self) -> Vec<u64> {
        let mut levels = BTreeMap::new();
        for (depth, new) in self.slices.iter().flat_map(|slice| &slice.levels) {
            *levels.entry(*depth).or_insert(0) += new;
        }
        let deepest = levels.last_key_value().map_or(0, |(depth, _)| *depth);
        (0..=deepest).map(|depth| levels.get(&depth).copied().unwrap_or(0)).collect()
    }

    /// All positions, either side to move.
    pub fn total(&self) -> u64 {
        self.slices.iter().map(SliceLevels::reached).sum()
    }
}

/// Counts what can be reached from `start`.
///
/// `progress` advances by one for each position, and its share is that of the positions of finished
/// slices, reached or not, in those of all slices. Finished slices stay in the scratch folder until
/// [`clear`] removes them, so that a count never has to be made twice.
///
/// # Errors
/// See [`CountError`]; memory is checked before the work starts.
///
/// # Panics
/// When a worker thread panics.
pub fn count<R: Rules, B: Board>(
    game: &Draughts<R, B>,
    start: &Position<B>,
    settings: &Settings<'_>,
    progress: &dyn Progress,
) -> Result<Reachable, CountError> {
    let plan = Plan::new(start).map_err(CountError::TooLarge)?;
    for slice in 0..plan.len() {
        let (needed, allowed) = (plan.memory(slice), settings.memory);
        if needed > allowed {
            return Err(CountError::Memory { slice: plan.slice(slice), needed, allowed });
        }
    }
    let identity = format!(
        "ludometer states 2{}: {} on {}x{} from {}",
        if settings.order == Order::Any { ", in any order" } else { "" },
        R::NAME,
        B::N,
        B::N,
        game.write_position(start)
    );
    let checkpoint = Checkpoint::open(settings.scratch, &identity)?;
    let mut board = Schedule::new(&plan);
    for slice in 0..plan.len() {
        if let Some(searched) =
            checkpoint.finished(plan.slice(slice), |material| plan.number(material))?
        {
            progress.advance(searched.levels.iter().map(|(_, new)| new).sum());
            board.finish(&plan, slice, searched);
        }
    }
    checkpoint.sweep(|source, target| {
        let is_done = |slice| plan.number(slice).is_some_and(|n| board.done[n].is_some());
        is_done(source) && !is_done(target)
    })?;
    progress.share(board.finished_size(&plan), board.whole_size(&plan));
    let used = board.scratch();
    let most = plan.likely_seeds_bytes().min(settings.scratch_limit);
    checkpoint.check_space(most.saturating_sub(used))?;
    progress.on_disk(used);
    let run = Run {
        game,
        start,
        plan: &plan,
        settings,
        checkpoint: &checkpoint,
        disk: Disk::new(used, settings.scratch_limit),
        board: Mutex::new(board),
        changed: Condvar::new(),
    };
    std::thread::scope(|scope| {
        for _ in 0..settings.threads.max(1) {
            scope.spawn(|| run.work(progress));
        }
    });
    let board = run.board.into_inner().expect("a worker that panics ends the scope");
    if let Some(failure) = board.failure {
        return Err(failure);
    }
    let slices = board.done.into_iter().enumerate().map(|(slice, searched)| SliceLevels {
        slice: plan.slice(slice),
        size: plan.ranking(slice).size(),
        levels: searched.expect("every slice is done").levels,
    });
    let mut slices: Vec<SliceLevels> = slices.collect();
    slices.sort_by_key(|s| std::cmp::Reverse((s.slice.pieces(), s.slice)));
    Ok(Reachable { order: settings.order, slices })
}

/// Removes what [`count`] has left in the folder `scratch`, and the folder if nothing else is in it.
///
/// # Errors
/// When a file cannot be removed.
pub fn clear(scratch: &Path) -> Result<(), CheckpointError> {
    checkpoint::clear(scratch)
}

/// The positions of all slices that the material of `start` can become, both sides to move; `None`
/// when a slice is too large to be numbered.
pub fn upper_bound<B: Board>(start: &Position<B>) -> Option<u64> {
    let plan = Plan::new(start).ok()?;
    (0..plan.len())
        .map(|slice| plan.ranking(slice).size())
        .try_fold(0u64, |sum, size| sum.checked_add(size.checked_mul(2)?))
}

/// Which slices are done, under way or ready.
struct Schedule {
    /// Unfinished slices that may lead to a slice.
    before: Vec<usize>,
    done: Vec<Option<Searched>>,
    /// Seeds that wait for a slice: source, bytes, checksum.
    waiting: Vec<Vec<(usize, u64, u32)>>,
    taken: Vec<bool>,
    memory: u64,
    failure: Option<CountError>,
}

impl Schedule {
    fn new<B: Board>(plan: &Plan<B>) -> Self {
        let mut before = vec![0; plan.len()];
        for target in (0..plan.len()).flat_map(|slice| plan.targets(slice)) {
            before[*target] += 1;
        }
        let slices = plan.len();
        Self {
            before,
            done: (0..slices).map(|_| None).collect(),
            waiting: vec![Vec::new(); slices],
            taken: vec![false; slices],
            memory: 0,
            failure: None,
        }
    }

    fn finish<B: Board>(&mut self, plan: &Plan<B>, slice: usize, searched: Searched) {
        for (target, bytes, checksum) in &searched.sent {
            self.waiting[*target].push((slice, *bytes, *checksum));
        }
        for target in plan.targets(slice) {
            self.before[*target] -= 1;
        }
        self.taken[slice] = true;
        self.waiting[slice].clear();
        self.done[slice] = Some(searched);
    }

    /// The largest slice that is ready and fits in the memory left.
    fn next<B: Board>(&self, plan: &Plan<B>, memory: u64) -> Option<usize> {
        (0..plan.len())
            .filter(|slice| !self.taken[*slice] && self.before[*slice] == 0)
            .filter(|slice| self.memory == 0 || self.memory + plan.memory(*slice) <= memory)
            .max_by_key(|slice| plan.ranking(*slice).size())
    }

    /// Positions of the finished slices, reached or not, one colour to move.
    fn finished_size<B: Board>(&self, plan: &Plan<B>) -> u64 {
        let done = (0..plan.len()).filter(|slice| self.done[*slice].is_some());
        done.map(|slice| plan.ranking(slice).size()).sum()
    }

    /// Positions of all slices, one colour to move.
    fn whole_size<B: Board>(&self, plan: &Plan<B>) -> u64 {
        (0..plan.len()).map(|slice| plan.ranking(slice).size()).sum()
    }

    /// Bytes of seeds on disk.
    fn scratch(&self) -> u64 {
        self.waiting.iter().flatten().map(|(_, bytes, _)| bytes).sum()
    }
}

/// A count under way.
struct Run<'a, R: Rules, B: Board> {
    game: &'a Draughts<R, B>,
    start: &'a Position<B>,
    plan: &'a Plan<B>,
    settings: &'a Settings<'a>,
    checkpoint: &'a Checkpoint,
    disk: Disk,
    board: Mutex<Schedule>,
    changed: Condvar,
}

impl<R: Rules, B: Board> Run<'_, R, B> {
    fn lock(&self) -> MutexGuard<'_, Schedule> {
        self.board.lock().expect("no worker panics with the schedule in hand")
    }

    /// Searches slices until none is left.
    fn work(&self, progress: &dyn Progress) {
        let mut board = self.lock();
        loop {
            if board.failure.is_some() || board.taken.iter().all(|taken| *taken) {
                return;
            }
            let Some(slice) = board.next(self.plan, self.settings.memory) else {
                board =
                    self.changed.wait(board).expect("no worker panics with the schedule in hand");
                continue;
            };
            let memory = self.plan.memory(slice);
            let waiting = board.waiting[slice].clone();
            board.taken[slice] = true;
            board.memory += memory;
            drop(board);
            let outcome = self.search(slice, &waiting, progress);
            board = self.lock();
            board.memory -= memory;
            match outcome {
                Ok(searched) => {
                    board.finish(self.plan, slice, searched);
                    progress.share(board.finished_size(self.plan), board.whole_size(self.plan));
                    progress.on_disk(self.disk.used());
                }
                Err(error) => {
                    board.failure.get_or_insert(error);
                }
            }
            self.changed.notify_all();
        }
    }

    fn search(
        &self,
        slice: usize,
        waiting: &[(usize, u64, u32)],
        progress: &dyn Progress,
    ) -> Result<Searched, CountError> {
        let plan = self.plan;
        let path = |from: usize, to: usize| self.checkpoint.seeds(plan.slice(from), plan.slice(to));
        let is_start = plan.slice_of(self.start) == Some(slice);
        let searched = if waiting.is_empty() && !is_start {
            Searched::default()
        } else {
            if progress.stopped() {
                return Err(CountError::Stopped);
            }
            let open = |(source, bytes, checksum): &(usize, u64, u32)| {
                SeedReader::open(&path(*source, slice), *bytes, *checksum)
            };
            let seeds = waiting.iter().map(open).collect::<Result<_, SeedError>>()?;
            let to = |target| path(slice, target);
            Task { plan, slice, start: self.start, seeds, disk: &self.disk, path: &to }.run(
                self.game,
                self.settings.order,
                progress,
            )?
        };
        self.checkpoint.finish(plan.slice(slice), &searched, |target| plan.slice(target))?;
        // The moment at which most is on disk: the seeds of the slice have not made room yet.
        progress.on_disk(self.disk.used());
        for (source, bytes, _) in waiting {
            checkpoint::remove(&path(*source, slice))?;
            self.disk.give_back(*bytes);
        }
        Ok(searched)
    }
}
