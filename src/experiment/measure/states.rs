//! Measure `states`: one batch per game, the positions that can be reached with their depth.
//!
//! Draughts are counted slice by slice on disk ([`reachable`]), all other games with every position
//! in memory ([`breadth_first`]). Both colours to move and terminal positions count; a depth is a
//! number of moves from the start, which has depth 0, and a pass is a move.

use std::path::{Path, PathBuf};

use super::{Effort, MeasureError, Sink, number};
use crate::experiment::journal::Entry;
use crate::experiment::quantity::Quantity;
use crate::experiment::spec::{Case, Plan};
use crate::game::{Notation, NotationError, Playable};
use crate::games::catalog::{DraughtsVisitor, GameSpec, Visitor};
use crate::games::draughts::{Board, Draughts, Rules};
use crate::state_space::breadth_first::{self, Extent, SearchError};
use crate::state_space::reachable::{
    self, CheckpointError, CountError, Order, Settings, SliceLevels,
};

pub(super) const COLUMNS: [&str; 8] = [
    "states",
    "first_to_move",
    "second_to_move",
    "deepest_ply",
    "slices",
    "slices_reached",
    "upper_bound",
    "share",
];

/// The units of the fields in `summary.csv`, where they have the same names.
const UNITS: [&str; 8] =
    ["positions", "positions", "positions", "plies", "slices", "slices", "positions", "rate"];

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    /// Whether depths are found (draughts; other games always have them).
    pub order: Order,
    /// Whether positions that a symmetry of the board makes of one another count as one (not
    /// draughts).
    pub up_to_symmetry: bool,
    /// Most positions that are remembered (not draughts).
    pub max_positions: u64,
}

/// Memory and disk that the work may take; its numbers do not depend on it.
#[derive(Clone, Copy, Debug)]
pub struct Space<'a> {
    /// Memory for marks of positions of a count of states, in bytes.
    pub memory: u64,
    /// The folder in which each count makes a folder of its own.
    pub scratch: &'a Path,
    /// The most that a count may keep on disk, in bytes.
    pub scratch_limit: u64,
    /// The folder of endgame databases, which stay there.
    pub databases: &'a Path,
}

/// Memory for a count where nothing else is said, in bytes.
pub const DEFAULT_MEMORY: u64 = 12 << 30;
/// Disk for a count where nothing else is said, in bytes.
pub const DEFAULT_SCRATCH_LIMIT: u64 = 30 << 30;
/// The folder for counts where nothing else is said.
pub const DEFAULT_SCRATCH: &str = "ludometer-scratch";
/// The folder of endgame databases where nothing else is said.
pub const DEFAULT_DATABASES: &str = "egdb";

impl Default for Space<'_> {
    fn default() -> Self {
        Self {
            memory: DEFAULT_MEMORY,
            scratch: Path::new(DEFAULT_SCRATCH),
            scratch_limit: DEFAULT_SCRATCH_LIMIT,
            databases: Path::new(DEFAULT_DATABASES),
        }
    }
}

/// Why positions were not counted.
#[derive(Debug, thiserror::Error)]
pub enum StatesError {
    /// The text names no position.
    #[error("position {0}")]
    Position(#[from] NotationError),
    /// The board has no symmetry.
    #[error("its board has no symmetry that the rules respect")]
    NoSymmetry,
    /// The count of draughts ended early.
    #[error(transparent)]
    Count(#[from] CountError),
    /// The search of another game ended early.
    #[error(transparent)]
    Search(#[from] SearchError),
}

impl StatesError {
    /// Whether the progress said stop.
    pub fn is_stop(&self) -> bool {
        matches!(self, Self::Count(CountError::Stopped) | Self::Search(SearchError::Stopped))
    }
}

/// The positions that can be reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// New positions by depth; `None` when the search was in any order.
    pub levels: Option<Vec<u64>>,
    /// Positions in which the side that moves first in the start is to move, and positions in which
    /// the other is.
    pub by_side: [u64; 2],
    /// The slices of the material, for draughts.
    pub slices: Vec<SliceLevels>,
    /// The positions of all slices, reached or not, both colours to move, for draughts.
    pub upper_bound: Option<u64>,
}

impl Counted {
    /// All positions.
    pub fn total(&self) -> u64 {
        self.by_side.iter().sum()
    }

    /// The greatest depth, where depths are known.
    pub fn deepest(&self) -> Option<usize> {
        self.levels.as_ref().map(|levels| levels.len() - 1)
    }

    /// The share of the upper bound that can be reached, 0 to 1.
    pub fn share(&self) -> Option<f64> {
        self.upper_bound.map(|bound| self.total() as f64 / bound as f64)
    }
}

/// Counts the positions that `game` can reach from the position `start`, or from the initial one.
///
/// Draughts keep what they have finished in the folder `scratch` until [`reachable::clear`];
/// of other games a limited number of positions is remembered.
///
/// # Errors
/// See [`StatesError`].
pub fn count(
    game: &GameSpec,
    start: Option<&str>,
    way: Way,
    scratch: &Path,
    how: Effort,
) -> Result<Counted, StatesError> {
    match game.visit_draughts(BySlices { start, order: way.order, scratch, how }) {
        Some(counted) => counted,
        None => count_in_memory(game, start, None, way, how),
    }
}

/// New positions by depth, up to `depth` where one is given, with every position in memory.
///
/// # Errors
/// See [`StatesError`].
pub fn count_in_memory(
    game: &GameSpec,
    start: Option<&str>,
    depth: Option<u32>,
    way: Way,
    how: Effort,
) -> Result<Counted, StatesError> {
    let Way { up_to_symmetry, max_positions: most, .. } = way;
    game.visit(InMemory { start, extent: Extent { depth, most, up_to_symmetry }, how })
}

struct BySlices<'a> {
    start: Option<&'a str>,
    order: Order,
    scratch: &'a Path,
    how: Effort<'a>,
}

impl DraughtsVisitor for BySlices<'_> {
    type Output = Result<Counted, StatesError>;

    fn visit<R: Rules, B: Board>(self, game: &Draughts<R, B>) -> Self::Output {
        let start = match self.start {
            Some(text) => game.read_position(text)?,
            None => Draughts::<R, B>::start(),
        };
        let settings = Settings {
            order: self.order,
            threads: self.how.threads,
            memory: self.how.space.memory,
            scratch: self.scratch,
            scratch_limit: self.how.space.scratch_limit,
        };
        let found = reachable::count(game, &start, &settings, self.how.progress)?;
        let upper_bound = reachable::upper_bound(&start);
        let (levels, by_side) = (found.levels(), found.by_side());
        Ok(Counted { levels, by_side, slices: found.slices, upper_bound })
    }
}

struct InMemory<'a> {
    start: Option<&'a str>,
    extent: Extent,
    how: Effort<'a>,
}

impl Visitor for InMemory<'_> {
    type Output = Result<Counted, StatesError>;

    fn visit<G: Playable>(self, game: &G) -> Self::Output {
        let start = match self.start {
            Some(text) => game.read_position(text)?,
            None => game.initial(),
        };
        if self.extent.up_to_symmetry && game.representative(&start).is_none() {
            return Err(StatesError::NoSymmetry);
        }
        let levels = breadth_first::levels(game, &start, self.extent, self.how.progress)?;
        let side = |first: usize| levels.iter().skip(first).step_by(2).sum();
        let by_side = [side(0), side(1)];
        Ok(Counted { levels: Some(levels), by_side, slices: Vec::new(), upper_bound: None })
    }
}

pub(super) fn compute(
    plan: &Plan,
    done: usize,
    how: Effort,
    sink: Sink,
) -> Result<(), MeasureError> {
    for case in plan.cases.iter().skip(done) {
        let counted = count_case(case, plan.way, how)?;
        sink(entry_of(&case.label, &counted, case.game.alternates()))?;
        // Only now the row is on the disk and nothing can be lost.
        clear(case, how.space).map_err(|error| MeasureError::failed(&case.label, error))?;
    }
    Ok(())
}

/// Counts one game in the folder that bears its label.
pub(in crate::experiment) fn count_case(
    case: &Case,
    way: Way,
    how: Effort,
) -> Result<Counted, MeasureError> {
    let scratch = folder(case, how.space);
    count(&case.game, case.start.as_deref(), way, &scratch, how).map_err(|error| {
        if error.is_stop() {
            MeasureError::Stopped
        } else {
            MeasureError::failed(&case.label, error)
        }
    })
}

/// Removes what the count of `case` has left on disk.
pub(in crate::experiment) fn clear(case: &Case, space: Space) -> Result<(), CheckpointError> {
    let folder = folder(case, space);
    if folder.exists() {
        reachable::clear(&folder)?;
        // The folder of all counts stays as long as another count is in it.
        let _ = std::fs::remove_dir(space.scratch);
    }
    Ok(())
}

fn folder(case: &Case, space: Space) -> PathBuf {
    space.scratch.join(&case.label)
}

pub(super) fn summarise(entries: &[Entry]) -> Result<Vec<Quantity>, MeasureError> {
    let mut quantities = Vec::new();
    for entry in entries {
        let _: u64 = number(entry, 0, "number of states")?;
        for ((quantity, unit), value) in COLUMNS.iter().zip(UNITS).zip(&entry.fields) {
            if !value.is_empty() {
                quantities.push(Quantity::exact(&entry.game, quantity, unit, value));
            }
        }
    }
    Ok(quantities)
}

/// The row of `found`; the sides are left out where the players do not move by turns.
fn entry_of(label: &str, found: &Counted, alternates: bool) -> Entry {
    let side = |states: u64| if alternates { states.to_string() } else { String::new() };
    let [first, second] = found.by_side.map(side);
    let known = |text: String| if found.slices.is_empty() { String::new() } else { text };
    let reached = found.slices.iter().filter(|slice| slice.reached() > 0).count();
    let fields = vec![
        found.total().to_string(),
        first,
        second,
        found.deepest().map_or(String::new(), |deepest| deepest.to_string()),
        known(found.slices.len().to_string()),
        known(reached.to_string()),
        found.upper_bound.map_or(String::new(), |bound| bound.to_string()),
        found.share().map_or(String::new(), |share| share.to_string()),
    ];
    let mut bins = Vec::new();
    for (ply, new) in found.levels.iter().flatten().enumerate() {
        bins.push(bin("states", ply, *new));
    }
    for slice in &found.slices {
        bins.push(bin("slice-size", slice.slice, 2 * slice.size));
    }
    for slice in &found.slices {
        bins.push(bin("slice-states", slice.slice, slice.reached()));
    }
    let searched_by_depth = if found.levels.is_some() { &found.slices[..] } else { &[] };
    for slice in searched_by_depth {
        if let Some((ply, _)) = slice.levels.first() {
            bins.push(bin("slice-first-ply", slice.slice, (*ply).into()));
        }
    }
    for slice in searched_by_depth {
        if let Some((ply, _)) = slice.levels.last() {
            bins.push(bin("slice-last-ply", slice.slice, (*ply).into()));
        }
    }
    Entry { game: label.to_owned(), batch: 0, fields, bins }
}

fn bin(histogram: &str, place: impl ToString, count: u64) -> [String; 4] {
    [histogram.to_owned(), place.to_string(), count.to_string(), String::new()]
}
