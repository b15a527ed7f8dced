//! What each measure does: the columns of its batches, its pieces of work, how one is done, and
//! how finished batches become quantities.

mod databases;
pub(super) mod egdb;
pub(super) mod estimators;
mod exact;
mod match_play;
mod perft;
mod replicates;
pub mod self_play;
pub(super) mod solve;
mod ssc;
pub mod states;
mod tree_size;

use super::journal::{Entry, JournalError};
use super::provenance::Clock;
use super::quantity::Quantity;
use super::spec::{Case, Measure, Plan};
use crate::game::Progress;
use crate::games::catalog::GameSpec;
use crate::state_space::reachable::CheckpointError;

pub use egdb::label as database_label;
pub use estimators::label as estimate_label;
pub use replicates::{COLUMNS as REPLICATE_COLUMNS, plain_name, replicate_of};
use states::{Space, Way};
pub use tree_size::batch_of;

/// Why the work of a measure ended early.
#[derive(Debug, thiserror::Error)]
pub enum MeasureError {
    /// The progress said stop.
    #[error("stopped")]
    Stopped,
    /// A finished batch could not be written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The work cannot be done.
    #[error("{game}: {problem}")]
    Failed {
        /// Label of the game or board.
        game: String,
        /// Why.
        problem: String,
    },
    /// A batch that is whole, but no batch of this measure.
    #[error("batch {batch} of {game}: '{text}' is no {what}")]
    Unreadable {
        /// Label of the game or board.
        game: String,
        /// Number of the batch.
        batch: u64,
        /// The text.
        text: String,
        /// What it should be.
        what: &'static str,
    },
}

impl MeasureError {
    /// The work on the game `label` cannot be done.
    fn failed(label: &str, problem: impl std::fmt::Display) -> Self {
        Self::Failed { game: label.to_owned(), problem: problem.to_string() }
    }
}

/// Takes finished batches in order.
pub type Sink<'a> = &'a mut dyn FnMut(Entry) -> Result<(), JournalError>;

/// How the work is done; results do not depend on it.
#[derive(Clone, Copy)]
pub struct Effort<'a> {
    /// Worker threads, at least 1.
    pub threads: usize,
    /// Who watches.
    pub progress: &'a dyn Progress,
    /// Memory and disk for counts of states.
    pub space: Space<'a>,
    /// Who is told what work has cost, where anybody is.
    pub costs: Option<&'a dyn Fn(Cost)>,
}

/// What a piece of work has cost; depends on the machine. A run has costs of one kind only.
#[derive(Clone, Debug, PartialEq)]
pub struct Cost {
    /// The columns of `costs.csv` and what stands there: the game first, the seconds last.
    pub figures: Vec<(&'static str, String)>,
}

/// The column of processor seconds of all threads in `costs.csv`; empty where the system does not tell.
pub const CPU_SECONDS: &str = "cpu_seconds";

impl Cost {
    /// The processor time since `clock` was started, for the game `label`.
    pub(crate) fn of(label: &str, clock: &Clock) -> Self {
        let seconds = clock.cpu_seconds().map(|seconds| seconds.to_string());
        Self { figures: vec![("game", label.into()), (CPU_SECONDS, seconds.unwrap_or_default())] }
    }

    /// The same with another figure.
    pub(crate) fn with(mut self, name: &'static str, figure: impl ToString) -> Self {
        self.figures.insert(self.figures.len() - 1, (name, figure.to_string()));
        self
    }
}

impl Measure {
    /// The measure's columns of `batches.csv`; those of replicates are [`REPLICATE_COLUMNS`].
    pub fn columns(self) -> Vec<&'static str> {
        match self {
            Measure::TreeSize => tree_size::COLUMNS.to_vec(),
            Measure::Exact => exact::COLUMNS.to_vec(),
            Measure::Perft => perft::COLUMNS.to_vec(),
            Measure::Ssc => ssc::COLUMNS.to_vec(),
            Measure::States => states::COLUMNS.to_vec(),
            Measure::SelfPlay => self_play::COLUMNS.to_vec(),
            Measure::Match => match_play::COLUMNS.to_vec(),
            Measure::Egdb => egdb::COLUMNS.to_vec(),
            Measure::Solve => solve::COLUMNS.to_vec(),
            Measure::Estimators => estimators::COLUMNS.to_vec(),
        }
    }
}

impl Measure {
    /// The numbers that the measure gives, named as in `summary.csv`.
    pub fn quantities(self) -> Vec<&'static str> {
        match self {
            Measure::TreeSize => {
                [&tree_size::NUMBERS[..], &replicates::NUMBERS, &replicates::SENSIBLE].concat()
            }
            Measure::Exact => exact::QUANTITIES.iter().map(|(quantity, _)| *quantity).collect(),
            Measure::Perft => vec!["perft"],
            Measure::Ssc => vec!["ssc_upper_bound"],
            Measure::States => states::COLUMNS.to_vec(),
            Measure::SelfPlay => self_play::QUANTITIES.to_vec(),
            Measure::Match => match_play::QUANTITIES.to_vec(),
            Measure::Egdb => [&egdb::QUANTITIES[..], &[CPU_SECONDS]].concat(),
            Measure::Solve => [&solve::QUANTITIES[..], &[CPU_SECONDS]].concat(),
            Measure::Estimators => [&estimators::QUANTITIES[..], &[CPU_SECONDS]].concat(),
        }
    }
}

impl Plan {
    /// The columns of `batches.csv`.
    pub fn columns(&self) -> Vec<&'static str> {
        match self.replicates {
            Some(_) => REPLICATE_COLUMNS.to_vec(),
            None => self.spec.measure.columns(),
        }
    }

    /// Game and batch of every piece of work, in the order of the journal.
    pub fn work(&self) -> Vec<(String, u64)> {
        match self.spec.measure {
            Measure::Ssc => self.boards.iter().map(|board| (ssc::label(*board), 0)).collect(),
            measure => {
                let batches = |case: &Case| match measure {
                    Measure::Perft => u64::from(case.depth),
                    Measure::TreeSize => {
                        let batches = self.sample.map(|sample| sample.total_batches());
                        let replicates = self.replicates.map(|sample| sample.replicates());
                        batches.or(replicates).unwrap_or(0)
                    }
                    Measure::SelfPlay => self.depths.len() as u64,
                    Measure::Match => match_play::batches(case.games),
                    Measure::Egdb => egdb::batches(case.pieces),
                    Measure::Estimators => {
                        self.study.as_ref().map_or(0, |study| study.methods.len() as u64)
                    }
                    Measure::Exact | Measure::Ssc | Measure::States | Measure::Solve => 1,
                };
                let of_case = |case: &Case| {
                    let label = case.label.clone();
                    (0..batches(case)).map(move |batch| (label.clone(), batch))
                };
                self.cases.iter().flat_map(of_case).collect()
            }
        }
    }

    /// Units of progress of the pieces of work from `done` on, and what they are, where it is
    /// known beforehand.
    pub fn units(&self, done: usize) -> (Option<u64>, &'static str) {
        match (self.spec.measure, &self.sample) {
            (Measure::TreeSize, Some(sample)) => {
                let work = self.work();
                let left = work.iter().skip(done).map(|(_, batch)| sample.games_of(*batch));
                (Some(left.sum()), "games")
            }
            (Measure::TreeSize, None) => {
                let left = (self.work().len() - done) as u64;
                (self.replicates.map(|sample| left * sample.games()), "games")
            }
            (Measure::Ssc, _) => (Some((self.boards.len() - done) as u64), "boards"),
            (Measure::Perft, _) => (None, "subtrees"),
            (Measure::States, _) => (None, "states"),
            (Measure::SelfPlay, _) => {
                let games = |case: &Case| std::iter::repeat_n(case.games, self.depths.len());
                (Some(self.cases.iter().flat_map(games).skip(done).sum()), "games")
            }
            (Measure::Match, _) => (Some(match_play::games_left(self, done)), "games"),
            (Measure::Solve, _) => (None, "nodes"),
            (Measure::Estimators, _) => (None, "games"),
            _ => (None, "positions"),
        }
    }

    /// Does the pieces of work from number `done` on and hands each to `sink`.
    ///
    /// # Errors
    /// When stopped, when the sink refuses, or when the work cannot be done.
    pub fn compute(&self, done: usize, how: Effort, sink: Sink) -> Result<(), MeasureError> {
        match self.spec.measure {
            Measure::TreeSize => tree_size::compute(self, done, how, sink),
            Measure::Exact => exact::compute(self, done, how, sink),
            Measure::Perft => perft::compute(self, done, how, sink),
            Measure::Ssc => ssc::compute(self, done, how, sink),
            Measure::States => states::compute(self, done, how, sink),
            Measure::SelfPlay => self_play::compute(self, done, how, sink),
            Measure::Match => match_play::compute(self, done, how, sink),
            Measure::Egdb => egdb::compute(self, done, how, sink),
            Measure::Solve => solve::compute(self, done, how, sink),
            Measure::Estimators => estimators::compute(self, done, how, sink),
        }
    }

    /// Removes what counts of states and unfinished games have left on disk.
    ///
    /// # Errors
    /// Names the file that cannot be removed.
    pub fn clear_scratch(&self, space: Space) -> Result<(), String> {
        self.cases.iter().try_for_each(|case| match self.spec.measure {
            Measure::States => states::clear(case, space).map_err(|error| error.to_string()),
            Measure::SelfPlay => self_play::clear(case, space)
                .map_err(|error| format!("{}: {error}", space.scratch.display())),
            _ => Ok(()),
        })
    }

    /// The quantities that the finished batches give.
    ///
    /// # Errors
    /// When a field of a batch cannot be read.
    pub fn summarise(&self, entries: &[Entry]) -> Result<Vec<Quantity>, MeasureError> {
        match self.spec.measure {
            Measure::TreeSize => tree_size::summarise(self, entries),
            Measure::Exact => exact::summarise(entries),
            Measure::Perft => perft::summarise(entries),
            Measure::Ssc => ssc::summarise(entries),
            Measure::States => states::summarise(entries),
            Measure::SelfPlay => self_play::summarise(entries),
            Measure::Match => match_play::summarise(entries),
            Measure::Egdb => egdb::summarise(entries),
            Measure::Solve => solve::summarise(entries),
            Measure::Estimators => estimators::summarise(self, entries),
        }
    }
}

/// Paths of `depth` plies from the initial position of `game`.
///
/// # Errors
/// When stopped.
pub fn perft_nodes(game: &GameSpec, depth: u32, how: Effort) -> Result<u64, MeasureError> {
    perft::count(game, depth, how)
}

/// The number of games of `game`, called `label` in errors, counted with at most `max_positions`
/// of one ply remembered.
///
/// # Errors
/// When stopped and when the game is too large.
pub fn exact_games(
    label: &str,
    game: &GameSpec,
    max_positions: u64,
    how: Effort,
) -> Result<u128, MeasureError> {
    exact::count(label, game, max_positions, how).map(|found| found.total_games())
}

/// The positions of `case` that can be reached.
///
/// # Errors
/// When stopped and when they cannot be counted.
pub fn reachable_states(case: &Case, way: Way, how: Effort) -> Result<u64, MeasureError> {
    let found = states::count_case(case, way, how)?;
    let failed = |error: CheckpointError| MeasureError::Failed {
        game: case.label.clone(),
        problem: error.to_string(),
    };
    states::clear(case, how.space).map_err(failed)?;
    Ok(found.total())
}

/// The cases that are not finished when `done` entries are there, of which every case has `per_case`,
/// each with the first that it lacks.
fn unfinished(cases: &[Case], per_case: u64, done: usize) -> impl Iterator<Item = (&Case, u64)> {
    (0..)
        .zip(cases)
        .map(move |(place, case): (u64, _)| (case, (done as u64).saturating_sub(place * per_case)))
        .filter(move |(_, first)| *first < per_case)
}

/// The field in `column` as a number.
fn number<T: std::str::FromStr>(
    entry: &Entry,
    column: usize,
    what: &'static str,
) -> Result<T, MeasureError> {
    parse(entry, &entry.fields[column], what)
}

fn parse<T: std::str::FromStr>(
    entry: &Entry,
    text: &str,
    what: &'static str,
) -> Result<T, MeasureError> {
    text.parse().map_err(|_| MeasureError::Unreadable {
        game: entry.game.clone(),
        batch: entry.batch,
        text: text.to_owned(),
        what,
    })
}
