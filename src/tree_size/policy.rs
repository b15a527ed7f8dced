//! Replicates of walks that choose their moves by how good they look.
//!
//! A move is worth `v` to its player: the static evaluation of the position it leads to, or the
//! minimax value of a search of a few plies from there, between -1 (lost) and 1 (won). Of the moves
//! of a position move `i` is drawn with probability
//!
//! ```text
//! p_i = w_i / sum w      w_i = exp((v_i - v_best) / temperature)
//! ```
//!
//! and the walk's weight is the product of its `1 / p_i`, so every sum keeps its expectation. The
//! weights `w` are rounded to multiples of 2^-32, to one at least: then a draw is exact, and no move is
//! left out. The exponential is that of a library, not of the machine, so that a seed means the same
//! walk everywhere.
//!
//! With a *margin* moves worth less than `v_best - margin` are left out after all. What is counted then
//! are the games in which every move is within the margin of the best, *sensible games*, a part of
//! the game tree, never its size.

use rand_xoshiro::Xoshiro256PlusPlus;

use super::replicate::{Estimator, Replicate};
use super::scaled::scale;
use super::sums::{Sums, Term};
use super::walk::{SCALE_AT, SCALE_BITS};
use crate::game::{Progress, Scored};
use crate::stream::bounded;

/// `games` walks of moves drawn by how good they look.
pub(super) struct Policy {
    pub(super) games: u64,
    pub(super) temperature: f64,
    /// Plies of the search behind a move; 0 for the static evaluation.
    pub(super) look_ahead: u32,
    pub(super) margin: Option<f64>,
}

/// Working space of a walk.
pub(super) struct Space<M> {
    /// The moves of the position, and of each ply of the search.
    moves: Vec<Vec<M>>,
    values: Vec<f64>,
    weights: Vec<u64>,
}

impl Policy {
    /// Puts into `weights` that of each move, which is worth one of `values` to its player; returns
    /// their sum.
    fn weigh(&self, values: &[f64], weights: &mut Vec<u64>) -> u64 {
        let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let least = self.margin.map_or(f64::NEG_INFINITY, |margin| best - margin);
        weights.clear();
        weights.extend(values.iter().map(|value| match *value >= least {
            true => {
                let weight = libm::exp((value - best) / self.temperature);
                ((weight * f64::from_bits((1023 + 32) << 52)) as u64).max(1)
            }
            false => 0,
        }));
        weights.iter().sum()
    }

    /// What one walk counts; `None` when stopped.
    fn walk<G: Scored>(
        &self,
        game: &G,
        generator: &mut Xoshiro256PlusPlus,
        space: &mut Space<G::Move>,
        progress: &dyn Progress,
    ) -> Option<Term> {
        let Space { moves, values, weights } = space;
        let (moves, deeper) = moves.split_first_mut().expect("there is a list for every ply");
        let mut position = game.initial();
        let mut term = Term { nodes: 1.0, ..Term::default() };
        let mut weight = 1.0;
        let mut plies = 0;
        loop {
            game.legal_moves(&position, moves);
            if moves.is_empty() {
                term.end(weight, plies, game.outcome(&position));
                return Some(term);
            }
            if progress.stopped() {
                return None;
            }
            judge(game, &position, moves, self.look_ahead, deeper, values);
            let all = self.weigh(values, weights);
            let mut draw = bounded(generator, all);
            let mut nth = 0;
            while draw >= weights[nth] {
                draw -= weights[nth];
                nth += 1;
            }
            plies += u32::from(game.counts_as_ply(&position));
            game.play(&mut position, moves[nth]);
            weight *= all as f64 / weights[nth] as f64;
            term.nodes += weight;
            if weight >= SCALE_AT {
                weight = scale(weight, -SCALE_BITS);
                term.rescale(-SCALE_BITS);
            }
        }
    }
}

/// What each of the `moves` of `position` is worth to its player, by searches of `look_ahead` plies;
/// `lists` has a list for each of them and one more.
pub(super) fn judge<G: Scored>(
    game: &G,
    position: &G::Position,
    moves: &[G::Move],
    look_ahead: u32,
    lists: &mut [Vec<G::Move>],
    values: &mut Vec<f64>,
) {
    let sign = if game.first_moves(position) { 1.0 } else { -1.0 };
    values.clear();
    values.extend(moves.iter().map(|mv| {
        let mut after = position.clone();
        game.play(&mut after, *mv);
        sign * value(game, &after, look_ahead, lists)
    }));
}

/// What `position` is worth to the player who moved first, by a search of `plies` plies; `lists` has
/// a list for each.
fn value<G: Scored>(
    game: &G,
    position: &G::Position,
    plies: u32,
    lists: &mut [Vec<G::Move>],
) -> f64 {
    let (moves, deeper) = lists.split_first_mut().expect("there is a list for every ply");
    if plies == 0 {
        return match game.mobility(position, moves) {
            0 => game.outcome(position).value(),
            _ => game.evaluate(position),
        };
    }
    game.legal_moves(position, moves);
    let first = game.first_moves(position);
    let after = |mv: &G::Move| {
        let mut after = position.clone();
        game.play(&mut after, *mv);
        value(game, &after, plies - 1, deeper)
    };
    let best = moves.iter().map(after).reduce(if first { f64::max } else { f64::min });
    best.unwrap_or_else(|| game.outcome(position).value())
}

impl<G: Scored> Estimator<G> for Policy {
    type Space = Space<G::Move>;

    fn space(&self) -> Self::Space {
        let lists = self.look_ahead as usize + 2;
        Space {
            moves: (0..lists).map(|_| Vec::new()).collect(),
            values: Vec::new(),
            weights: Vec::new(),
        }
    }

    fn replicate(
        &self,
        game: &G,
        generator: &mut Xoshiro256PlusPlus,
        space: &mut Self::Space,
        progress: &dyn Progress,
    ) -> Option<Replicate> {
        let mut sums = Sums::new();
        for _ in 0..self.games {
            sums.add(&self.walk(game, generator, space, progress)?);
            progress.advance(1);
        }
        Some(sums.mean_of(self.games))
    }
}
