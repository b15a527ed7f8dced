//! Measure `ssc`: the formula bound of each board, and its split by pieces as a histogram.

use super::{Effort, MeasureError, Sink};
use crate::experiment::journal::Entry;
use crate::experiment::quantity::Quantity;
use crate::experiment::spec::Plan;
use crate::state_space::formula::Formula;

pub(super) const COLUMNS: [&str; 1] = ["ssc_upper_bound"];

/// The label of a board: `8x8`.
pub(super) fn label(board: u32) -> String {
    format!("{board}x{board}")
}

pub(super) fn compute(
    plan: &Plan,
    done: usize,
    how: Effort,
    sink: Sink,
) -> Result<(), MeasureError> {
    for board in plan.boards.iter().skip(done) {
        if how.progress.stopped() {
            return Err(MeasureError::Stopped);
        }
        let game = label(*board);
        let formula = Formula::new(*board).map_err(|error| MeasureError::Failed {
            game: game.clone(),
            problem: error.to_string(),
        })?;
        let bins = formula.by_pieces().into_iter().map(|(pieces, positions)| {
            ["pieces".to_owned(), pieces.to_string(), positions.to_string(), String::new()]
        });
        let fields = vec![formula.total().to_string()];
        sink(Entry { game, batch: 0, fields, bins: bins.collect() })?;
        how.progress.advance(1);
    }
    Ok(())
}

pub(super) fn summarise(entries: &[Entry]) -> Result<Vec<Quantity>, MeasureError> {
    let bound = |entry: &Entry| {
        Quantity::exact(&entry.game, "ssc_upper_bound", "positions", &entry.fields[0])
    };
    Ok(entries.iter().map(bound).collect())
}
