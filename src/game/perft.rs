//! Perft: the number of move paths of exactly `depth` plies.
//!
//! A position without moves at a remaining depth above 0 contributes nothing, draw rules are
//! ignored unless they are part of the game, and a path of depth 0 is the position itself. The last
//! ply is counted, never listed (bulk counting). Source of the conventions: R. Halbersma, dctl.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::{Game, Progress};

/// How a perft is run; the count does not depend on it.
#[derive(Clone, Copy, Debug)]
pub struct Perft {
    /// Worker threads, at least 1.
    pub threads: usize,
    /// Positions remembered with their counts, per thread; 0 turns the table off.
    pub table_entries: usize,
}

impl Default for Perft {
    fn default() -> Self {
        Self { threads: 1, table_entries: 0 }
    }
}

/// Counts the paths of `depth` plies from `position`; one thread, no table.
///
/// # Panics
/// When the count passes 2^64 - 1.
pub fn perft<G: Game>(game: &G, position: &G::Position, depth: u32) -> u64 {
    let mut walker = Walker::new(game, depth, 0);
    walker.count(position, depth)
}

/// The count of each legal move of `position`, in canonical order, `depth >= 1` plies deep.
///
/// `progress` advances by one for each subtree finished. `None` when stopped.
///
/// # Panics
/// When a count passes 2^64 - 1.
pub fn divide<G: Game>(
    game: &G,
    position: &G::Position,
    depth: u32,
    how: Perft,
    progress: &dyn Progress,
) -> Option<Vec<(G::Move, u64)>> {
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
        let mut walker = Walker::new(game, depth, how.table_entries);
        while let Some((index, root, below)) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
            if progress.stopped() {
                aborted.store(true, Ordering::Relaxed);
                break;
            }
            counts[*index] = add(counts[*index], walker.count(root, *below));
            progress.advance(1);
        }
        counts
    };
    let parts: Vec<Vec<u64>> = if how.threads <= 1 {
        vec![work()]
    } else {
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..how.threads).map(|_| scope.spawn(work)).collect();
            workers
                .into_iter()
                .map(|worker| worker.join().unwrap_or_else(|e| std::panic::resume_unwind(e)))
                .collect()
        })
    };
    if aborted.load(Ordering::Relaxed) {
        return None;
    }
    let total = |index: usize| parts.iter().map(|part| part[index]).fold(0, add);
    Some(moves.iter().enumerate().map(|(index, mv)| (*mv, total(index))).collect())
}

fn add(a: u64, b: u64) -> u64 {
    a.checked_add(b).expect("perft count passed 2^64 - 1")
}

/// A depth-first walk with one reused move list per ply.
struct Walker<'a, G: Game> {
    game: &'a G,
    lists: Vec<Vec<G::Move>>,
    table: HashMap<(G::Position, u32), u64>,
    table_entries: usize,
}

impl<'a, G: Game> Walker<'a, G> {
    fn new(game: &'a G, depth: u32, table_entries: usize) -> Self {
        let lists = (0..=depth).map(|_| Vec::new()).collect();
        Self { game, lists, table: HashMap::new(), table_entries }
    }

    fn count(&mut self, position: &G::Position, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.game.mobility(position, &mut self.lists[0]) as u64,
            _ if self.table_entries > 0 && depth > 2 => self.count_remembered(position, depth),
            _ => self.count_listed(position, depth),
        }
    }

    fn count_listed(&mut self, position: &G::Position, depth: u32) -> u64 {
        let mut moves = std::mem::take(&mut self.lists[depth as usize]);
        self.game.legal_moves(position, &mut moves);
        let mut total = 0;
        for mv in &moves {
            let mut child = position.clone();
            self.game.play(&mut child, *mv);
            total = add(total, self.count(&child, depth - 1));
        }
        self.lists[depth as usize] = moves;
        total
    }

    fn count_remembered(&mut self, position: &G::Position, depth: u32) -> u64 {
        if let Some(&known) = self.table.get(&(position.clone(), depth)) {
            return known;
        }
        let total = self.count_listed(position, depth);
        if self.table.len() >= self.table_entries {
            self.table.clear();
        }
        self.table.insert((position.clone(), depth), total);
        total
    }
}
