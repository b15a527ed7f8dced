//! Pieces of work made on several threads and handed out in order.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::mpsc;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use thiserror::Error;

/// Why pieces of work were not made.
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
    /// The receiver failed.
    #[error("{0}")]
    Sink(E),
}

/// How pieces of work are spread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threads {
    /// Worker threads.
    pub threads: usize,
    /// The most finished pieces for each thread that may wait for an earlier one.
    pub waiting: u64,
}

/// Makes the pieces `range` and hands each to `sink` in order.
///
/// Each thread makes a `worker` of its own and passes it to `make` with the number of a piece; a
/// piece must depend on its number only. When `make` gives nothing, no piece after it is handed
/// out. Returns the number of pieces handed out, which are without a gap.
///
/// # Errors
/// The first error of `sink`, after which nothing more is handed out; or no threads.
pub fn in_order<W, T: Send, E>(
    range: Range<u64>,
    spread: Threads,
    worker: impl Fn() -> W + Sync,
    make: impl Fn(&mut W, u64) -> Option<T> + Sync,
    mut sink: impl FnMut(T) -> Result<(), E>,
) -> Result<u64, RunError<E>> {
    let threads = spread.threads;
    if threads == 0 {
        return Err(RunError::NoThreads);
    }
    let queue = Queue::new(range.start, range.end, spread.waiting * threads as u64);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| RunError::Threads { threads, problem: error.to_string() })?;
    let (sender, receiver) = mpsc::channel();
    pool.in_place_scope(|scope| {
        for _ in 0..threads {
            let sender = sender.clone();
            let (queue, worker, make) = (&queue, &worker, &make);
            scope.spawn(move |_| {
                // On a panic too, so that nobody waits for this worker.
                let _closes = CloseOnDrop(queue);
                let mut worker = worker();
                while let Some(index) = queue.take() {
                    let made = make(&mut worker, index);
                    if made.is_none_or(|piece| sender.send((index, piece)).is_err()) {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let _closes = CloseOnDrop(&queue);
        let mut waiting = BTreeMap::new();
        let mut next = range.start;
        for (index, piece) in receiver {
            waiting.insert(index, piece);
            while let Some(piece) = waiting.remove(&next) {
                sink(piece).map_err(RunError::Sink)?;
                next += 1;
                queue.deliver();
            }
        }
        Ok(next - range.start)
    })
}

/// Hands out numbers, never more than `window` ahead of the last piece delivered.
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
