//! The order in which moves are searched: which moves refuted others before.
//!
//! Killer moves: the last two quiet moves that were too good at the same distance from the root.
//! History: how often, weighted by depth, a quiet move was too good anywhere in the search. Sources:
//! S. G. Akl, M. M. Newborn, *The principal continuation and the killer heuristic*, 1977; J. Schaeffer,
//! *The history heuristic*, 1983.

use super::table::Route;
use crate::games::draughts::{Board, Move, Side, Word};

/// Places for each side: 7 bits of origin, 4 of destination, which tell the moves of a piece apart
/// but for some long ones of kings.
const PLACES: usize = 1 << 11;

/// Above every history, below a capture.
const KILLERS: [i32; 2] = [1 << 26, 1 << 25];
const CAPTURE: i32 = 1 << 28;
const BEST: i32 = 1 << 30;
/// At this value all history is halved.
const FULL: i32 = 1 << 24;

/// What one search has learnt about quiet moves.
#[derive(Clone, Debug)]
pub(super) struct Ordering {
    history: [Vec<i32>; 2],
    killers: Vec<[Route; 2]>,
}

#[inline(always)]
fn place<B: Board>(mv: Move<B>) -> usize {
    (usize::from(mv.from) << 4 | usize::from(mv.to) & 15) % PLACES
}

impl Ordering {
    /// Nothing learnt, for searches of at most `plies` plies.
    pub(super) fn new(plies: usize) -> Self {
        Self { history: [vec![0; PLACES], vec![0; PLACES]], killers: vec![[Route::NONE; 2]; plies] }
    }

    /// Forgets everything.
    pub(super) fn start(&mut self) {
        self.history.iter_mut().for_each(|side| side.fill(0));
        self.killers.fill([Route::NONE; 2]);
    }

    /// Fills `ranks` with one number for each of `moves`; greater ones are to be searched first.
    #[inline(always)]
    pub(super) fn rank<B: Board>(
        &self,
        moves: &[Move<B>],
        side: Side,
        ply: usize,
        best: Route,
        ranks: &mut Vec<i32>,
    ) {
        ranks.clear();
        let history = &self.history[side as usize];
        let killers = self.killers[ply];
        ranks.extend(moves.iter().map(|mv| {
            let route = Route::new(mv.from, mv.to);
            if route == best {
                BEST
            } else if !mv.captured.is_empty() {
                CAPTURE + mv.captured.count() as i32
            } else if route == killers[0] {
                KILLERS[0]
            } else if route == killers[1] {
                KILLERS[1]
            } else {
                history[place(*mv)]
            }
        }));
    }

    /// Learns that `mv` was too good with `depth` plies left.
    #[inline(always)]
    pub(super) fn refuted<B: Board>(&mut self, mv: Move<B>, side: Side, ply: usize, depth: i32) {
        if !mv.captured.is_empty() {
            return;
        }
        let route = Route::new(mv.from, mv.to);
        let killers = &mut self.killers[ply];
        if killers[0] != route {
            *killers = [route, killers[0]];
        }
        let history = &mut self.history[side as usize];
        let value = &mut history[place(mv)];
        *value += depth * depth;
        if *value >= FULL {
            self.history.iter_mut().flatten().for_each(|value| *value /= 2);
        }
    }
}

/// Brings the first of the greatest ranks from `at` on to `at`, with its move.
#[inline(always)]
pub(super) fn pick<B: Board>(moves: &mut [Move<B>], ranks: &mut [i32], at: usize) -> Move<B> {
    let mut greatest = at;
    for other in at + 1..ranks.len() {
        if ranks[other] > ranks[greatest] {
            greatest = other;
        }
    }
    ranks.swap(at, greatest);
    moves.swap(at, greatest);
    moves[at]
}
