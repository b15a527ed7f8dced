//! Making the batches of a plan, in parallel and in order.

use std::convert::Infallible;
use std::ops::Range;

use super::batch::Batch;
use super::plan::Plan;
use super::tally::Tally;
use super::walk::walk;
use crate::game::{Progress, Scored};
use crate::stream::{RunError, Threads, in_order, stream};

/// Walks between two looks at the progress.
const STRIDE: u64 = 1 << 12;

/// Makes the batches `range` of `plan` on `threads` threads and hands each to `sink`, in order.
///
/// The batches depend on the game, the plan and their number only. `progress` advances by walks.
/// When it says stop, the batch in work is dropped; those handed out are whole and without a gap.
/// At most `2 threads` finished batches wait for an earlier one. Returns the number of batches
/// handed out; batches of `range` beyond the plan's last are not made.
///
/// # Errors
/// The first error of `sink`, after which nothing more is handed out; or no threads.
pub fn run_batches<G: Scored, E>(
    game: &G,
    plan: &Plan,
    range: Range<u64>,
    threads: usize,
    progress: &dyn Progress,
    sink: impl FnMut(Batch) -> Result<(), E>,
) -> Result<u64, RunError<E>> {
    let end = range.end.min(plan.total_batches());
    in_order(
        range.start..end,
        Threads { threads, waiting: 2 },
        || (),
        |(), index| make_batch(game, plan, index, progress),
        sink,
    )
}

/// Every batch of `plan`; `None` when stopped.
///
/// # Panics
/// When the threads cannot be started.
pub fn sample<G: Scored>(
    game: &G,
    plan: &Plan,
    threads: usize,
    progress: &dyn Progress,
) -> Option<Vec<Batch>> {
    let mut batches = Vec::new();
    let all = 0..plan.total_batches();
    let made = run_batches(game, plan, all, threads.max(1), progress, |batch| {
        batches.push(batch);
        Ok::<(), Infallible>(())
    });
    let made = made.expect("the threads of a sample can be started");
    (made == plan.total_batches()).then_some(batches)
}

/// Batch `index` of `plan`; `None` when stopped before it was whole.
fn make_batch<G: Scored>(
    game: &G,
    plan: &Plan,
    index: u64,
    progress: &dyn Progress,
) -> Option<Batch> {
    let mut generator = stream(plan.seed(), index);
    let mut scratch = Vec::new();
    let mut tally = Tally::new();
    let mut left = plan.games_of(index);
    while left > 0 {
        if progress.stopped() {
            return None;
        }
        let games = left.min(STRIDE);
        for _ in 0..games {
            tally.add(&walk(game, &mut generator, &mut scratch));
        }
        left -= games;
        progress.advance(games);
    }
    Some(tally.finish(index, plan.trial_of(index)))
}
