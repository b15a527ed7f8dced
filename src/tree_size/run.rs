//! Making the batches of a plan, in parallel and in order.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::ops::Range;
use std::sync::mpsc;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use thiserror::Error;

use super::batch::Batch;
use super::plan::Plan;
use super::tally::Tally;
use super::walk::walk;
use crate::game::{Progress, Scored};
use crate::stream::stream;

/// Walks between two looks at the progress.
const STRIDE: u64 = 1 << 12;

/// Why batches were not made.
#[derive(Debug, Error)]
pub enum RunError<E> {
    /// No threads.
    #[error("threads 0: at least 1 thread is needed")]
    NoThreads,
    /// The threads could not be started.
    #[error("cannot start {threads} threads: {problem}")]
    Threads {
        /// Threads asked for.
        threads: usize,
        /// What the system says.
        problem: String,
    },
    /// The receiver of the batches failed.
    #[error("{0}")]
    Sink(E),
}

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
    mut sink: impl FnMut(Batch) -> Result<(), E>,
) -> Result<u64, RunError<E>> {
    if threads == 0 {
        return Err(RunError::NoThreads);
    }
    let end = range.end.min(plan.total_batches());
    let queue = Queue::new(range.start, end, 2 * threads as u64);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| RunError::Threads { threads, problem: error.to_string() })?;
    let (sender, receiver) = mpsc::channel();
    pool.in_place_scope(|scope| {
        for _ in 0..threads {
            let sender = sender.clone();
            let queue = &queue;
            scope.spawn(move |_| {
                // On a panic too, so that nobody waits for this worker.
                let _closes = CloseOnDrop(queue);
                while let Some(index) = queue.take() {
                    let made = make_batch(game, plan, index, progress);
                    if made.is_none_or(|batch| sender.send(batch).is_err()) {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let _closes = CloseOnDrop(&queue);
        let mut waiting = BTreeMap::new();
        let mut next = range.start;
        for batch in receiver {
            waiting.insert(batch.index, batch);
            while let Some(batch) = waiting.remove(&next) {
                sink(batch).map_err(RunError::Sink)?;
                next += 1;
                queue.deliver();
            }
        }
        Ok(next - range.start)
    })
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

/// Hands out batch numbers, never more than `window` ahead of the last batch delivered.
struct Queue {
    state: Mutex<Numbers>,
    moved: Condvar,
    window: u64,
}

struct Numbers {
    next: u64,
    end: u64,
    delivered: u64,
}

impl Queue {
    fn new(start: u64, end: u64, window: u64) -> Self {
        let state = Mutex::new(Numbers { next: start, end, delivered: start });
        Self { state, moved: Condvar::new(), window }
    }

    fn lock(&self) -> MutexGuard<'_, Numbers> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next number, when its turn has come; `None` when there is none left.
    fn take(&self) -> Option<u64> {
        let mut state = self.lock();
        loop {
            if state.next >= state.end {
                return None;
            }
            if state.next < state.delivered + self.window {
                state.next += 1;
                return Some(state.next - 1);
            }
            state = self.moved.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn deliver(&self) {
        self.lock().delivered += 1;
        self.moved.notify_all();
    }

    fn close(&self) {
        self.lock().end = 0;
        self.moved.notify_all();
    }
}

struct CloseOnDrop<'a>(&'a Queue);

impl Drop for CloseOnDrop<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}
