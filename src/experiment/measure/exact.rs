//! Measure `exact`: one batch per game, its counts as fields and its plies as histograms.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::{Effort, MeasureError, Sink};
use crate::experiment::journal::Entry;
use crate::experiment::provenance::available_memory;
use crate::experiment::quantity::Quantity;
use crate::experiment::spec::Plan;
use crate::game::{Outcome, Playable, Progress};
use crate::games::catalog::{GameSpec, Visitor};
use crate::tree_size::{BinKind, Exact, ExactError, exact};

pub(super) const COLUMNS: [&str; 16] = [
    "games",
    "sum_of_lengths",
    "first",
    "second",
    "draws",
    "nodes",
    "positions",
    "mean_square_weight",
    "log10_gts",
    "agl",
    "first_rate",
    "second_rate",
    "draw_rate",
    "relative_variance",
    "agl_deviation",
    "uniform_length",
];

/// What the fields are called in `summary.csv`, and their units.
pub(super) const QUANTITIES: [(&str, &str); 16] = [
    ("gts", "games"),
    ("sum_of_lengths", "plies"),
    ("first_games", "games"),
    ("second_games", "games"),
    ("draw_games", "games"),
    ("nodes", "nodes"),
    ("positions", "positions"),
    ("mean_square_weight", ""),
    ("log10_gts", ""),
    ("agl", "plies"),
    ("first_wins", "rate"),
    ("second_wins", "rate"),
    ("draws", "rate"),
    ("relative_variance", ""),
    ("agl_deviation", "plies"),
    ("uniform_length", "plies"),
];

pub(super) fn compute(
    plan: &Plan,
    done: usize,
    how: Effort,
    sink: Sink,
) -> Result<(), MeasureError> {
    for case in plan.cases.iter().skip(done) {
        let found = count(&case.label, &case.game, plan.max_positions, how)?;
        sink(entry_of(&case.label, &found))?;
    }
    Ok(())
}

pub(super) fn summarise(entries: &[Entry]) -> Result<Vec<Quantity>, MeasureError> {
    let quantities = |entry: &Entry| {
        let named = |((quantity, unit), value): (&(&str, &str), &String)| {
            Quantity::exact(&entry.game, quantity, unit, value)
        };
        QUANTITIES.iter().zip(&entry.fields).map(named).collect::<Vec<_>>()
    };
    Ok(entries.iter().flat_map(quantities).collect())
}

/// Counts the games of `game`, remembering at most `max_positions` of one ply.
pub(in crate::experiment) fn count(
    label: &str,
    game: &GameSpec,
    max_positions: u64,
    how: Effort,
) -> Result<Exact, MeasureError> {
    let watch = MemoryWatch::new(how.progress);
    let how = Effort { progress: &watch, ..how };
    game.visit(Count { max_positions, how }).map_err(|error| match error {
        ExactError::Stopped { ply } if watch.used_up.load(Ordering::Relaxed) => {
            let problem = format!("its positions use up the memory at ply {ply}");
            MeasureError::failed(label, problem)
        }
        ExactError::Stopped { .. } => MeasureError::Stopped,
        other => MeasureError::failed(label, other),
    })
}

/// Stops a count before it takes the last of the memory: how much a position takes is known only where it
/// keeps none elsewhere, as those with a history do.
struct MemoryWatch<'a> {
    inner: &'a dyn Progress,
    looks: AtomicU64,
    used_up: AtomicBool,
}

impl<'a> MemoryWatch<'a> {
    /// So much stays free, in bytes.
    const LEAST: u64 = 512 << 20;
    /// The system is asked at every so many looks.
    const LOOKS: u64 = 64;

    fn new(inner: &'a dyn Progress) -> Self {
        Self { inner, looks: AtomicU64::new(0), used_up: AtomicBool::new(false) }
    }
}

impl Progress for MemoryWatch<'_> {
    fn advance(&self, units: u64) {
        self.inner.advance(units);
    }

    fn stopped(&self) -> bool {
        let look = self.looks.fetch_add(1, Ordering::Relaxed);
        if look % Self::LOOKS == Self::LOOKS - 1
            && available_memory().is_some_and(|free| free < Self::LEAST)
        {
            self.used_up.store(true, Ordering::Relaxed);
        }
        self.used_up.load(Ordering::Relaxed) || self.inner.stopped()
    }
}

struct Count<'a> {
    max_positions: u64,
    how: Effort<'a>,
}

impl Visitor for Count<'_> {
    type Output = Result<Exact, ExactError>;

    fn visit<G: Playable>(self, game: &G) -> Self::Output {
        exact(game, self.max_positions, self.how.threads, self.how.progress)
    }
}

fn entry_of(label: &str, found: &Exact) -> Entry {
    use Outcome::{Draw, FirstWins, SecondWins};
    let outcomes = [FirstWins, SecondWins, Draw];
    let games = found.total_games();
    let mut fields = vec![games.to_string(), found.sum_of_lengths().to_string()];
    fields.extend(outcomes.map(|outcome| found.games_with(outcome).to_string()));
    fields.push(found.total_nodes().to_string());
    fields.push(found.total_positions().to_string());
    fields.push(found.mean_square_weight().to_string());
    fields.push((games as f64).log10().to_string());
    fields.push(found.agl().to_string());
    fields.extend(outcomes.map(|outcome| found.rate(outcome).to_string()));
    fields.push(found.relative_variance().to_string());
    fields.push(found.agl_deviation().to_string());
    fields.push(found.uniform_mean_length().to_string());
    let mut bins = Vec::new();
    for outcome in outcomes {
        for (plies, row) in found.games.iter().enumerate() {
            let count = row[outcome as usize];
            if count > 0 {
                bins.push(bin(BinKind::length(outcome).name(), plies, count));
            }
        }
    }
    let nodes = found.nodes.iter().enumerate();
    bins.extend(nodes.map(|(ply, count)| bin("nodes", ply, *count)));
    let positions = found.positions.iter().enumerate();
    bins.extend(positions.map(|(ply, count)| bin("positions", ply, u128::from(*count))));
    Entry { game: label.to_owned(), batch: 0, fields, bins }
}

fn bin(name: &str, place: usize, count: u128) -> [String; 4] {
    [name.to_owned(), place.to_string(), count.to_string(), String::new()]
}
