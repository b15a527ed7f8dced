//! Measure `perft`: batch `k` of a game is its number of paths of `k + 1` plies.

use super::{Effort, MeasureError, Sink, number};
use crate::experiment::journal::Entry;
use crate::experiment::quantity::Quantity;
use crate::experiment::spec::Plan;
use crate::game::{Finished, Perft, PerftError, Playable, divide};
use crate::games::catalog::{GameSpec, Visitor};

pub(super) const COLUMNS: [&str; 2] = ["depth", "nodes"];

pub(super) fn compute(
    plan: &Plan,
    done: usize,
    how: Effort,
    sink: Sink,
) -> Result<(), MeasureError> {
    for (label, batch) in plan.work().into_iter().skip(done) {
        let case = plan.cases.iter().find(|case| case.label == label);
        let case = case.expect("every piece of work belongs to a case");
        let depth = batch as u32 + 1;
        let nodes = count(&case.game, depth, how)?;
        let fields = vec![depth.to_string(), nodes.to_string()];
        sink(Entry { game: label, batch, fields, bins: Vec::new() })?;
    }
    Ok(())
}

pub(super) fn summarise(entries: &[Entry]) -> Result<Vec<Quantity>, MeasureError> {
    let quantity = |entry: &Entry| {
        let paths = Quantity::exact(&entry.game, "perft", "paths", &entry.fields[1]);
        Ok(Quantity { depth: Some(number(entry, 0, "depth")?), ..paths })
    };
    entries.iter().map(quantity).collect()
}

/// Paths of `depth` plies from the initial position.
pub(in crate::experiment) fn count(
    game: &GameSpec,
    depth: u32,
    how: Effort,
) -> Result<u64, MeasureError> {
    let finished = game.finished();
    game.visit(Count { depth, finished, how }).map_err(|error| match error {
        PerftError::Stopped => MeasureError::Stopped,
        PerftError::Overflow => {
            MeasureError::Failed { game: game.id(), problem: format!("depth {depth}: {error}") }
        }
        PerftError::Threads { .. } => {
            MeasureError::Failed { game: game.id(), problem: error.to_string() }
        }
    })
}

struct Count<'a> {
    depth: u32,
    finished: Finished,
    how: Effort<'a>,
}

impl Visitor for Count<'_> {
    type Output = Result<u64, PerftError>;

    fn visit<G: Playable>(self, game: &G) -> Result<u64, PerftError> {
        if self.depth == 0 {
            return Ok(1);
        }
        let how = Perft { finished: self.finished, threads: self.how.threads, table_entries: 0 };
        let counts = divide(game, &game.initial(), self.depth, how, self.how.progress)?;
        let total = counts.iter().try_fold(0u64, |sum, (_, nodes)| sum.checked_add(*nodes));
        total.ok_or(PerftError::Overflow)
    }
}
