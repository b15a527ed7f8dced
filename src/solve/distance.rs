//! How far a forced win is, counted in plies, where no database tells.
//!
//! That a side wins within so many plies depends on no history: a repetition only takes longer. So
//! the bounds that are found for a position hold wherever it occurs, and plain depth-first search
//! with a table is exact. The number of plies goes up by two until the win is there. A position that
//! cannot be won at all is known as such from the first solver asked; without it each would have to be
//! searched again to every depth.

use rustc_hash::FxHashMap;

use super::leaves::{Leaves, Start};
use super::{Answer, DepthFirstSearch, Limit, Limits, Solver};
use crate::engine::{Probe, Value};
use crate::game::{Game, Progress};
use crate::games::draughts::{Board, Move, Position, Rules, Side};

/// Nodes between two looks at the progress.
const STRIDE: u64 = 1 << 12;
/// Nodes that may be spent on whether a position can be won at all.
const CANNOT_WIN_NODES: u64 = 100_000;
/// With fewer plies left than that, searching is cheaper than asking.
const ASK_FROM: u32 = 7;

/// In how many plies a position is won.
#[derive(Clone, Copy, Debug)]
struct Within {
    /// Not in so many.
    failed: u16,
    /// In so many.
    won: u16,
    /// Whether it was asked if it can be won at all.
    asked: bool,
}

impl Within {
    const NEVER: u16 = u16::MAX;
    const NOTHING: Self = Self { failed: 0, won: u16::MAX, asked: false };
}

/// Finds distances; what it learns is kept for later questions.
pub struct DistanceSearch<R: Rules, B: Board, P> {
    leaves: Leaves<R, B, P>,
    solver: DepthFirstSearch<R, B, P>,
    table: FxHashMap<(Position<B>, Side), Within>,
    nodes: u64,
    /// Those of them that are not of proofs.
    searched: u64,
}

impl<R: Rules, B: Board, P: Probe<B> + Clone> DistanceSearch<R, B, P> {
    /// A search that asks `probe`; the table of what cannot be won takes so many bytes, that of
    /// distances as much as it needs.
    pub fn new(probe: P, table_bytes: u64) -> Self {
        Self {
            leaves: Leaves::new(probe.clone(), Start::Mobility),
            solver: DepthFirstSearch::new(probe, table_bytes),
            table: FxHashMap::default(),
            nodes: 0,
            searched: 0,
        }
    }

    /// Positions searched so far, those that proofs generated included.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The value of `position` with its distance.
    ///
    /// # Errors
    /// When a limit is met; it holds for the proof that there is a win, and again for the search of its
    /// distance with the proofs on the way.
    pub fn value(
        &mut self,
        position: &Position<B>,
        limits: Limits,
        progress: &dyn Progress,
    ) -> Result<Value, Limit> {
        let side = position.side();
        if let Some(plies) = self.plies_to_win(position, side, limits, progress)? {
            return Ok(Value::Win(plies));
        }
        let lost = self.plies_to_win(position, side.other(), limits, progress)?;
        Ok(lost.map_or(Value::Draw, Value::Loss))
    }

    /// The plies in which `attacker` wins when both sides play best; `None` when it cannot win.
    ///
    /// # Errors
    /// As [`DistanceSearch::value`].
    pub fn plies_to_win(
        &mut self,
        position: &Position<B>,
        attacker: Side,
        limits: Limits,
        progress: &dyn Progress,
    ) -> Result<Option<u32>, Limit> {
        let proof = self.solver.can_win(position, attacker, limits, progress);
        self.nodes += proof.effort.nodes;
        match proof.answer {
            Answer::Proved => {}
            Answer::Disproved => return Ok(None),
            Answer::Unknown(limit) => return Err(limit),
        }
        let most = self.nodes.saturating_add(limits.nodes);
        let mut search = Search { inner: self, attacker, most, progress };
        let mut plies = u32::from(position.side() == attacker);
        while !search.within(position, plies)? {
            plies += 2;
        }
        Ok(Some(plies))
    }

    /// The moves from `position`, which `attacker` can win, to the end when both sides play best; of
    /// equal moves the first in canonical order.
    ///
    /// # Errors
    /// As [`DistanceSearch::value`].
    pub fn line(
        &mut self,
        position: &Position<B>,
        attacker: Side,
        limits: Limits,
        progress: &dyn Progress,
    ) -> Result<Vec<Move<B>>, Limit> {
        let mut line = Vec::new();
        let mut here = *position;
        let mut moves = Vec::new();
        let Some(mut left) = self.plies_to_win(position, attacker, limits, progress)? else {
            return Ok(line);
        };
        while left > 0 {
            left -= 1;
            self.leaves.game.legal_moves(&here, &mut moves);
            let most = self.nodes.saturating_add(limits.nodes);
            let mut search = Search { inner: self, attacker, most, progress };
            let mut best = None;
            for mv in &moves {
                let mut next = here;
                search.inner.leaves.game.play(&mut next, *mv);
                let fits = if here.side() == attacker {
                    search.within(&next, left)?
                } else {
                    left < 2 || !search.within(&next, left - 2)?
                };
                if fits {
                    best = Some((*mv, next));
                    break;
                }
            }
            let (mv, next) = best.expect("some move keeps the distance");
            line.push(mv);
            here = next;
        }
        Ok(line)
    }
}

struct Search<'a, R: Rules, B: Board, P> {
    inner: &'a mut DistanceSearch<R, B, P>,
    attacker: Side,
    most: u64,
    progress: &'a dyn Progress,
}

impl<R: Rules, B: Board, P: Probe<B> + Clone> Search<'_, R, B, P> {
    /// What is known without a search.
    fn look(&self, position: &Position<B>, plies: u32) -> Option<bool> {
        let attacking = position.side() == self.attacker;
        if let Some(value) = self.inner.leaves.value(position) {
            return Some(match value {
                Value::Win(needed) => attacking && needed <= plies,
                Value::Draw => false,
                Value::Loss(needed) => !attacking && needed <= plies,
            });
        }
        let game = &self.inner.leaves.game;
        if !game.can_step(position) && !game.can_capture(position) {
            return Some(!attacking);
        }
        if plies == 0 {
            return Some(false);
        }
        let known = self.inner.table.get(&(*position, self.attacker))?;
        if u32::from(known.won) <= plies {
            return Some(true);
        }
        (u32::from(known.failed) >= plies).then_some(false)
    }

    fn note(&mut self, position: &Position<B>) -> &mut Within {
        self.inner.table.entry((*position, self.attacker)).or_insert(Within::NOTHING)
    }

    /// Whether the attacker wins from `position` within so many plies.
    fn within(&mut self, position: &Position<B>, plies: u32) -> Result<bool, Limit> {
        if let Some(known) = self.look(position, plies) {
            return Ok(known);
        }
        self.inner.nodes += 1;
        self.inner.searched += 1;
        if self.inner.nodes >= self.most {
            return Err(Limit::Nodes);
        }
        if self.inner.searched.is_multiple_of(STRIDE) {
            self.progress.advance(STRIDE);
            if self.progress.stopped() {
                return Err(Limit::Stopped);
            }
        }
        let won = self.search(position, plies)?;
        let note = self.note(position);
        let plies = plies as u16;
        if won {
            note.won = note.won.min(plies);
        } else {
            note.failed = note.failed.max(plies);
        }
        Ok(won)
    }

    fn search(&mut self, position: &Position<B>, plies: u32) -> Result<bool, Limit> {
        let attacking = position.side() == self.attacker;
        if attacking && plies >= ASK_FROM && !self.can_win(position)? {
            return Ok(false);
        }
        let mut moves = Vec::new();
        self.inner.leaves.game.legal_moves(position, &mut moves);
        let mut open = Vec::with_capacity(moves.len());
        for mv in moves {
            let mut next = *position;
            self.inner.leaves.game.play(&mut next, mv);
            match self.look(&next, plies - 1) {
                Some(won) if won == attacking => return Ok(attacking),
                Some(_) => {}
                None => open.push(next),
            }
        }
        // The attacker tries first what leaves few replies, the defender what held out longest.
        let mut scratch = Vec::new();
        open.sort_by_cached_key(|next| {
            if attacking {
                self.inner.leaves.game.mobility(next, &mut scratch)
            } else {
                let known = self.inner.table.get(&(*next, self.attacker));
                usize::from(u16::MAX - known.map_or(0, |known| known.failed))
            }
        });
        for next in &open {
            let asks = attacking && plies > ASK_FROM;
            if asks && !self.can_win(next)? {
                continue;
            }
            if self.within(next, plies - 1)? == attacking {
                return Ok(attacking);
            }
        }
        Ok(!attacking)
    }

    /// Whether the attacker can win at all; true where that takes too long to say.
    fn can_win(&mut self, position: &Position<B>) -> Result<bool, Limit> {
        let known = *self.note(position);
        if known.asked || known.won < u16::MAX {
            return Ok(known.failed < Within::NEVER);
        }
        let left = self.most.saturating_sub(self.inner.nodes).max(1);
        let limits = Limits::nodes(CANNOT_WIN_NODES.min(left));
        let proof = self.inner.solver.can_win(position, self.attacker, limits, self.progress);
        self.inner.nodes += proof.effort.nodes;
        match proof.answer {
            Answer::Unknown(Limit::Stopped) => return Err(Limit::Stopped),
            Answer::Unknown(_) if self.inner.nodes >= self.most => return Err(Limit::Nodes),
            _ => {}
        }
        let note = self.note(position);
        note.asked = true;
        if proof.answer == Answer::Disproved {
            note.failed = Within::NEVER;
        }
        Ok(proof.answer != Answer::Disproved)
    }
}
