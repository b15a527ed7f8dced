//! Plain breadth-first search over any game, with every position in a hash set.
//!
//! Slow and obviously right: what [`super::reachable`] is held against, and the counter for games
//! that have no ranking. The start has depth 0; terminal positions count.

use rustc_hash::FxHashSet;

use crate::game::{Game, Progress};

/// The search was stopped, or met more positions than it was allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SearchError {
    /// Asked to stop.
    #[error("stopped before the end")]
    Stopped,
    /// Too many positions for memory.
    #[error("more than {allowed} positions at depth {depth} (allowed: {allowed})")]
    TooMany {
        /// The depth that was being searched.
        depth: u32,
        /// The limit.
        allowed: u64,
    },
}

/// What a search counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// The last depth; `None` for all.
    pub depth: Option<u32>,
    /// Most positions that are remembered.
    pub most: u64,
    /// Whether positions that a symmetry of the board makes of one another count as one; means
    /// nothing for a game whose board has none ([`Game::representative`]).
    pub up_to_symmetry: bool,
}

/// New positions by depth from `start`, up to and including the last depth.
///
/// `progress` advances by one for each position.
///
/// # Errors
/// When stopped, or when more positions are met than may be remembered.
pub fn levels<G: Game>(
    game: &G,
    start: &G::Position,
    extent: Extent,
    progress: &dyn Progress,
) -> Result<Vec<u64>, SearchError> {
    let Extent { depth, most, up_to_symmetry } = extent;
    let counted = |position: G::Position| {
        let wanted = if up_to_symmetry { game.representative(&position) } else { None };
        wanted.unwrap_or(position)
    };
    let mut seen = FxHashSet::default();
    let start = counted(start.clone());
    seen.insert(start.clone());
    let mut frontier = vec![start];
    let mut levels = Vec::new();
    let mut moves = Vec::new();
    while !frontier.is_empty() {
        levels.push(frontier.len() as u64);
        progress.advance(frontier.len() as u64);
        let at = levels.len() as u32;
        if depth.is_some_and(|depth| at > depth) {
            break;
        }
        let mut next = Vec::new();
        for position in &frontier {
            if progress.stopped() {
                return Err(SearchError::Stopped);
            }
            game.legal_moves(position, &mut moves);
            for mv in &moves {
                let mut child = position.clone();
                game.play(&mut child, *mv);
                let child = counted(child);
                if !seen.contains(&child) {
                    seen.insert(child.clone());
                    next.push(child);
                }
            }
            if seen.len() as u64 > most {
                return Err(SearchError::TooMany { depth: at, allowed: most });
            }
        }
        frontier = next;
    }
    Ok(levels)
}
