//! Perft: the number of move paths of exactly `depth` plies.
//!
//! A path of depth 0 is the position itself; draw rules are ignored unless they are part of the game.
//! What a path that ends early contributes is a recorded choice, [`Finished`]: nothing in the
//! tables of draughts (R. Halbersma, dctl), one leaf in those of Othello. The last ply is counted,
//! never listed (bulk counting).

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::{Game, Progress};

/// What a game that is over before the full depth contributes to a perft.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Finished {
    /// Nothing: only paths of the full depth count.
    #[default]
    Drop,
    /// One: every leaf of the tree cut at that depth counts.
    Count,
}

/// How a perft is run.
#[derive(Clone, Copy, Debug)]
pub struct Perft {
    /// What finished games contribute; the count depends on nothing else here.
    pub finished: Finished,
    /// Worker threads, at least 1.
    pub threads: usize,
    /// Positions remembered with their counts, per thread; 0 turns the table off.
    pub table_entries: usize,
}

impl Default for Perft {
    fn default() -> Self {
        Self { finished: Finished::Drop, threads: 1, table_entries: 0 }
    }
}

/// Why a perft has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PerftError {
    /// Asked to stop.
    Stopped,
    /// The count passes 2^64 - 1.
    Overflow,
    /// The threads could not be started.
    Threads {
        /// Threads asked for.
        threads: usize,
        /// What the system says.
        problem: String,
    },
}

impl fmt::Display for PerftError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stopped => f.write_str("stopped before the end"),
            Self::Overflow => f.write_str("the count passes 2^64 - 1"),
            Self::Threads { threads, problem } => {
                write!(f, "cannot start {threads} threads: {problem}")
            }
        }
    }
}

impl std::error::Error for PerftError {}

/// Counts the paths of `depth` plies from `position`; one thread, no table, finished games dropped.
///
/// # Panics
/// When the count passes 2^64 - 1.
pub fn perft<G: Game>(game: &G, position: &G::Position, depth: u32) -> u64 {
    let mut walker = Walker::new(game, depth, Perft::default());
    let nodes = walker.count(position, depth);
    assert!(!walker.overflow, "{}", PerftError::Overflow);
    nodes
}

/// The count of each legal move of `position`, in canonical order, `depth >= 1` plies deep.
///
/// `progress` advances by one for each subtree finished.
///
/// # Errors
/// When stopped, when a count passes 2^64 - 1, and when the threads cannot be started.
///
/// # Panics
/// When `depth` is 0.
pub fn divide<G: Game>(
    game: &G,
    position: &G::Position,
    depth: u32,
    how: Perft,
    progress: &dyn Progress,
) -> Result<Vec<(G::Move, u64)>, PerftError> {
    assert!(depth >= 1, "divide needs at least one ply");
    let mut moves = Vec::new();
    game.legal_moves(position, &mut moves);
    // Two plies of roots give enough pieces of work for any number of threads.
    let split = depth >= 3;
    let mut tasks = Vec::new();
    for (index, mv) in moves.iter().enumerate() {
        let mut child = position.clone();
        game.play(&mut child, *mv);
        if split {
            let mut replies = Vec::new();
            game.legal_moves(&child, &mut replies);
            if replies.is_empty() {
                tasks.push((index, child.clone(), depth - 1));
            }
            for reply in replies {
                let mut grandchild = child.clone();
                game.play(&mut grandchild, reply);
                tasks.push((index, grandchild, depth - 2));
            }
        } else {
            tasks.push((index, child, depth - 1));
        }
    }
    let branches = moves.len();
    let next = AtomicUsize::new(0);
    let aborted = AtomicBool::new(false);
    let work = || {
        let mut counts = vec![0u64; branches];
        let mut walker = Walker::new(game, depth, how);
        while let Some((index, root, below)) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
            if progress.stopped() {
                aborted.store(true, Ordering::Relaxed);
                break;
            }
            let nodes = walker.count(root, *below);
            counts[*index] = walker.add(counts[*index], nodes);
            progress.advance(1);
        }
        (!walker.overflow).then_some(counts)
    };
    let parts: Option<Vec<Vec<u64>>> = if how.threads <= 1 {
        Some(work()).into_iter().collect()
    } else {
        std::thread::scope(|scope| {
            let mut workers = Vec::new();
            for _ in 0..how.threads {
                match std::thread::Builder::new().spawn_scoped(scope, work) {
                    Ok(worker) => workers.push(worker),
                    Err(error) => {
                        // The workers that did start find nothing left to do.
                        next.store(tasks.len(), Ordering::Relaxed);
                        let problem = error.to_string();
                        return Err(PerftError::Threads { threads: how.threads, problem });
                    }
                }
            }
            Ok(workers
                .into_iter()
                .map(|worker| worker.join().unwrap_or_else(|e| std::panic::resume_unwind(e)))
                .collect())
        })?
    };
    if aborted.load(Ordering::Relaxed) {
        return Err(PerftError::Stopped);
    }
    let parts = parts.ok_or(PerftError::Overflow)?;
    let total =
        |index: usize| parts.iter().try_fold(0u64, |sum, part| sum.checked_add(part[index]));
    let counts = moves.iter().enumerate().map(|(index, mv)| Some((*mv, total(index)?)));
    counts.collect::<Option<_>>().ok_or(PerftError::Overflow)
}

/// A depth-first walk with one reused move list per ply.
struct Walker<'a, G: Game> {
    game: &'a G,
    lists: Vec<Vec<G::Move>>,
    table: HashMap<(G::Position, u32), u64>,
    how: Perft,
    overflow: bool,
}

impl<'a, G: Game> Walker<'a, G> {
    fn new(game: &'a G, depth: u32, how: Perft) -> Self {
        let lists = (0..=depth).map(|_| Vec::new()).collect();
        Self { game, lists, table: HashMap::new(), how, overflow: false }
    }

    #[inline(always)]
    fn add(&mut self, a: u64, b: u64) -> u64 {
        let (sum, overflow) = a.overflowing_add(b);
        self.overflow |= overflow;
        sum
    }

    /// What a position without moves contributes.
    fn finished(&self) -> u64 {
        u64::from(self.how.finished == Finished::Count)
    }

    fn count(&mut self, position: &G::Position, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => match self.game.mobility(position, &mut self.lists[0]) {
                0 => self.finished(),
                moves => moves as u64,
            },
            _ if self.how.table_entries > 0 && depth > 2 => self.count_remembered(position, depth),
            _ => self.count_listed(position, depth),
        }
    }

    fn count_listed(&mut self, position: &G::Position, depth: u32) -> u64 {
        let mut moves = std::mem::take(&mut self.lists[depth as usize]);
        self.game.legal_moves(position, &mut moves);
        let mut total = if moves.is_empty() { self.finished() } else { 0 };
        for mv in &moves {
            let mut child = position.clone();
            self.game.play(&mut child, *mv);
            let nodes = self.count(&child, depth - 1);
            total = self.add(total, nodes);
        }
        self.lists[depth as usize] = moves;
        total
    }

    fn count_remembered(&mut self, position: &G::Position, depth: u32) -> u64 {
        if let Some(&known) = self.table.get(&(position.clone(), depth)) {
            return known;
        }
        let total = self.count_listed(position, depth);
        if self.table.len() >= self.how.table_entries {
            self.table.clear();
        }
        self.table.insert((position.clone(), depth), total);
        total
    }
}
