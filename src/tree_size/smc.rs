//! Sequential Monte Carlo: a population of walks that go on side by side.
//!
//! A particle is a position with a weight `w`, the product of the mobilities on its way as in a
//! walk. Before a move is made its next factor is known: `v = w m` with the mobility `m` of its
//! position. Particles whose game has ended leave the population; their weight goes to the sums.
//! When the effective sample size `(sum v)^2 / sum v^2` of the rest falls under a share of the
//! number of particles `N`, the population is resampled to that number.
//!
//! *Resampling* is systematic: the particles are laid end to end on a line, each as long as its `v`,
//! `S = sum v` in all. Points are set at equal distances `S / N`, the first one drawn uniformly; each
//! point makes a particle, which draws a move and then has weight `S / N`. The expected number of
//! points on a particle is `v` over that weight, whatever the line, so every sum keeps its
//! expectation: the estimates are unbiased. Relatives lie side by side on the line and are thinned
//! evenly.
//!
//! As long as all moves of all particles are no more than `N`, every move is made and nothing drawn:
//! a population begins as the game tree itself, and one as large as every ply of the tree counts it.
//!
//! Sources: N. J. Gordon, D. J. Salmond, A. F. M. Smith, *Novel approach to nonlinear/non-Gaussian
//! Bayesian state estimation*, IEE Proc. F 140 (1993); M. K. Pitt and N. Shephard, *Filtering via
//! simulation: auxiliary particle filters*, JASA 94 (1999), for the look-ahead; J. Carpenter, P.
//! Clifford, P. Fearnhead, *Improved particle filter for nonlinear problems*, IEE Proc. 146 (1999), for
//! the systematic points; A. Kong, J. S. Liu, W. H. Wong, *Sequential imputations and Bayesian missing
//! data problems*, JASA 89 (1994), for the effective sample size.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::Rng;

use super::replicate::{Estimator, Replicate};
use super::scaled::{Scaled, scale};
use super::sums::{Sums, Term};
use crate::game::{Progress, Scored};
use crate::stream::bounded;

/// Weights are scaled down when their sum reaches 2^400, so that the sum of their squares stays
/// finite.
const RESCALE_AT: f64 = f64::from_bits((1023 + 400) << 52);

/// Particles that move side by side.
const TILE: usize = 64;

/// A population of `particles` walks.
pub(super) struct Smc {
    pub(super) particles: u64,
    /// The share of `particles` under which an effective sample size makes the population resample.
    pub(super) threshold: f64,
}

/// Living particles: positions that have moves, with what is known of each.
struct Population<P> {
    /// How many there are; further elements of the lists are used again.
    len: usize,
    positions: Vec<P>,
    plies: Vec<u32>,
    mobilities: Vec<u32>,
    /// Weights, look-ahead excluded, in units of the population.
    weights: Vec<f64>,
}

impl<P: Clone> Population<P> {
    fn new() -> Self {
        Self {
            len: 0,
            positions: Vec::new(),
            plies: Vec::new(),
            mobilities: Vec::new(),
            weights: Vec::new(),
        }
    }

    /// Adds a particle; its mobility means nothing yet.
    #[inline(always)]
    fn push(&mut self, position: &P, plies: u32, weight: f64) {
        let at = self.len;
        match self.positions.get_mut(at) {
            Some(used) => {
                used.clone_from(position);
                self.plies[at] = plies;
                self.weights[at] = weight;
            }
            None => {
                self.positions.push(position.clone());
                self.plies.push(plies);
                self.weights.push(weight);
                self.mobilities.push(0);
            }
        }
        self.len += 1;
    }

    /// Puts the particles from number `start` on that have no move behind the others, and returns the
    /// number of the first of them.
    #[inline]
    fn part(&mut self, start: usize) -> usize {
        let mut living = start;
        for at in start..self.len {
            // Those between are dead, so that it does not matter which of them changes places.
            self.positions.swap(at, living);
            self.plies.swap(at, living);
            self.weights.swap(at, living);
            self.mobilities.swap(at, living);
            living += usize::from(self.mobilities[living] > 0);
        }
        living
    }

    /// The weight of particle `at` times its mobility.
    #[inline(always)]
    fn ahead(&self, at: usize) -> f64 {
        self.weights[at] * f64::from(self.mobilities[at])
    }
}

/// Two generations of a population.
pub(super) struct Space<G: Scored> {
    living: Population<G::Position>,
    next: Population<G::Position>,
    /// The parent of each particle when a population is resampled.
    parents: Vec<u32>,
    scratch: Vec<G::Move>,
}

/// The particles of the next generation, and what their positions say.
struct Brood<'a, G: Scored> {
    game: &'a G,
    next: &'a mut Population<G::Position>,
    parents: &'a mut Vec<u32>,
    scratch: &'a mut Vec<G::Move>,
    /// The moves that the last particles of `next` have yet to make.
    moves: [u32; TILE],
    waiting: usize,
    ply: Ply,
}

/// What one ply gave.
#[derive(Default)]
struct Ply {
    /// What ended, and the weight of all nodes of the ply, in units of the population.
    term: Term,
    /// The largest weight that ended.
    largest: f64,
    /// Sum of the weights times mobilities of the living.
    sum: f64,
    /// Sum of their squares.
    squares: f64,
    /// Sum of the mobilities.
    moves: u64,
}

impl<'a, G: Scored> Brood<'a, G> {
    fn of(
        game: &'a G,
        next: &'a mut Population<G::Position>,
        parents: &'a mut Vec<u32>,
        scratch: &'a mut Vec<G::Move>,
    ) -> Self {
        next.len = 0;
        Self { game, next, parents, scratch, moves: [0; TILE], waiting: 0, ply: Ply::default() }
    }

    /// The initial position, with weight 1.
    fn root(mut self) -> Ply {
        self.next.push(&self.game.initial(), 0, 1.0);
        self.next.mobilities[0] = self.game.mobility(&self.next.positions[0], self.scratch) as u32;
        self.settle(0);
        self.ply.term.nodes = 1.0;
        self.ply
    }

    /// Every move of every particle.
    fn expand(&mut self, living: &Population<G::Position>) {
        for parent in 0..living.len {
            for nth in 0..living.mobilities[parent] {
                self.add(living, parent, nth, living.weights[parent]);
            }
        }
    }

    /// One move of each particle.
    fn walk_on(&mut self, living: &Population<G::Position>, generator: &mut Xoshiro256PlusPlus) {
        for parent in 0..living.len {
            let nth = bounded(generator, u64::from(living.mobilities[parent])) as u32;
            self.add(living, parent, nth, living.ahead(parent));
        }
    }

    /// One move of the particle at each of `count` points that lie `distance` apart; the weight of
    /// each is 1, in units of `distance`.
    fn resample(
        &mut self,
        living: &Population<G::Position>,
        distance: f64,
        count: u64,
        generator: &mut Xoshiro256PlusPlus,
    ) {
        let first = unit_interval(generator);
        let count = count as usize;
        self.parents.resize(count + 2, 0);
        let (mut points, mut end) = (0, 0.0);
        for parent in 0..living.len {
            end += living.ahead(parent);
            // The points before `end`; rounding must leave none beyond the last particle.
            let until = (end / distance - first + 1.0) as usize;
            let until = if parent + 1 == living.len { count } else { until.min(count) };
            // Nearly always there are 0, 1 or 2: two are written without asking.
            self.parents[points] = parent as u32;
            self.parents[points + 1] = parent as u32;
            if until > points + 2 {
                self.parents[points + 2..until].fill(parent as u32);
            }
            points = until;
        }
        for k in 0..count {
            let parent = self.parents[k] as usize;
            let nth = bounded(generator, u64::from(living.mobilities[parent])) as u32;
            self.add(living, parent, nth, 1.0);
        }
    }

    /// Adds the particle that makes the `nth` move of `parent`.
    #[inline(always)]
    fn add(&mut self, living: &Population<G::Position>, parent: usize, nth: u32, weight: f64) {
        let position = &living.positions[parent];
        let plies = living.plies[parent] + u32::from(self.game.counts_as_ply(position));
        self.next.push(position, plies, weight);
        self.moves[self.waiting] = nth;
        self.waiting += 1;
        if self.waiting == TILE {
            self.play();
        }
    }

    /// Makes the moves that wait, and lets those particles go whose game is over.
    fn play(&mut self) {
        let Population { len, positions, mobilities, .. } = &mut *self.next;
        let tile = *len - self.waiting..*len;
        let start = tile.start;
        let moves = &self.moves[..self.waiting];
        let mobilities = &mut mobilities[tile.clone()];
        self.game.play_each(&mut positions[tile], moves, mobilities, self.scratch);
        self.waiting = 0;
        self.settle(start);
    }

    /// Lets those particles go, from number `start` on, whose game is over.
    fn settle(&mut self, start: usize) {
        let Self { game, next, ply, .. } = self;
        // Four sums at a time, because each addition waits for the one before.
        let (mut sums, mut squares) = ([0.0; 4], [0.0; 4]);
        for at in start..next.len {
            let ahead = next.ahead(at);
            sums[at % 4] += ahead;
            squares[at % 4] += ahead * ahead;
            ply.moves += u64::from(next.mobilities[at]);
        }
        ply.sum += (sums[0] + sums[1]) + (sums[2] + sums[3]);
        ply.squares += (squares[0] + squares[1]) + (squares[2] + squares[3]);
        let living = next.part(start);
        for at in living..next.len {
            let weight = next.weights[at];
            ply.term.end(weight, next.plies[at], game.outcome(&next.positions[at]));
            ply.largest = ply.largest.max(weight);
        }
        next.len = living;
    }

    /// The ply whose nodes weigh `nodes`.
    fn finish(mut self, nodes: f64) -> Ply {
        self.play();
        self.ply.term.nodes = nodes;
        self.ply
    }
}

impl Ply {
    /// Brings the weights of `living` near 1 and returns the new unit.
    #[cold]
    fn rescale<P>(&mut self, living: &mut Population<P>, unit: Scaled) -> Scaled {
        let by = Scaled::from(self.sum).exponent();
        for weight in &mut living.weights[..living.len] {
            *weight = scale(*weight, -by);
        }
        self.sum = scale(self.sum, -by);
        self.squares = scale(self.squares, -2 * by);
        Scaled::new(unit.mantissa(), unit.exponent() + by)
    }
}

/// A draw from the multiples of 2^-53 in [0, 1).
#[inline(always)]
fn unit_interval(generator: &mut Xoshiro256PlusPlus) -> f64 {
    (generator.next_u64() >> 11) as f64 * f64::from_bits((1023 - 53) << 52)
}

impl<G: Scored> Estimator<G> for Smc {
    type Space = Space<G>;

    fn space(&self) -> Self::Space {
        Space {
            living: Population::new(),
            next: Population::new(),
            parents: Vec::new(),
            scratch: Vec::new(),
        }
    }

    fn replicate(
        &self,
        game: &G,
        generator: &mut Xoshiro256PlusPlus,
        space: &mut Self::Space,
        progress: &dyn Progress,
    ) -> Option<Replicate> {
        let Space { living, next, parents, scratch } = space;
        let wanted = self.particles as f64;
        // One particle in the initial position, as heavy as all together.
        let mut unit = Scaled::from(wanted);
        let mut sums = Sums::new();
        let mut largest = Scaled::ZERO;
        let (mut resamplings, mut least_ess) = (0, wanted);
        let mut ply = Brood::of(game, living, parents, scratch).root();
        loop {
            sums.add(&ply.term.times(unit));
            let heaviest = Scaled::from(ply.largest) * unit;
            if heaviest > largest {
                largest = heaviest;
            }
            if living.len == 0 {
                break;
            }
            if progress.stopped() {
                return None;
            }
            if ply.sum >= RESCALE_AT {
                unit = ply.rescale(living, unit);
            }
            let (sum, ess) = (ply.sum, ply.sum * ply.sum / ply.squares);
            let mut brood = Brood::of(game, next, parents, scratch);
            ply = if ply.moves <= self.particles {
                brood.expand(living);
                brood.finish(sum)
            } else if resamplings == 0 || ess < self.threshold * wanted {
                // The first draw is from the game tree, however few its leaves.
                if resamplings > 0 {
                    least_ess = least_ess.min(ess);
                }
                resamplings += 1;
                brood.resample(living, sum / wanted, self.particles, generator);
                unit = unit * Scaled::from(sum / wanted);
                brood.finish(wanted)
            } else {
                least_ess = least_ess.min(ess);
                brood.walk_on(living, generator);
                brood.finish(sum)
            };
            std::mem::swap(living, next);
        }
        progress.advance(self.particles);
        let replicate = sums.mean_of(self.particles);
        let total = replicate.z * Scaled::from(wanted);
        let largest_share = (largest / total).to_f64();
        Some(Replicate { resamplings, least_ess, largest_share, ..replicate })
    }
}
