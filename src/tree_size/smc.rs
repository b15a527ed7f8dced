//! Sequential Monte Carlo: a population of walks that go on side by side.
//!
//! A particle is a position with a weight `w`, the product of the mobilities on its way as in a
//! walk. Before a move is made its next factor is known: `v = w m` with the mobility `m` of its
//! position. Particles whose game has ended leave the population; their weight goes to the sums.
//! When the effective sample size `(sum v)^2 / sum v^2` of the rest falls under a share of the
//! number of particles, the population is resampled to that number again.
//!
//! *Resampling and moving are one draw.* The moves of all particles are laid end to end on a line,
//! each as long as the weight `w` of its particle, `S = sum v` in all. The line is cut into as many
//! equal pieces as there are particles, and in each piece one point is drawn uniformly: it tells the
//! particle and the move. The new particles all have weight `S / N`. The expected number of points
//! on a move is its length over that weight, whatever the line, so every sum keeps its expectation:
//! the estimates are unbiased. Moves of one particle, and particles of one ancestor, lie side by
//! side, so that a piece spreads the draws among relatives; a population of equal weights and equal
//! mobilities is not resampled at all, its particles each draw a move of their own. Sources: G.
//! Kitagawa, *Monte Carlo filter and smoother for non-Gaussian nonlinear state space models*, J.
//! Comp. Graph. Stat. 5 (1996), for one draw in each piece; M. K. Pitt and N. Shephard, *Filtering
//! via simulation: auxiliary particle filters*, JASA 94 (1999), for the look-ahead.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::Rng;

use super::replicate::{Estimator, Replicate};
use super::scaled::{Scaled, scale};
use super::sums::{Sums, Term};
use crate::game::{Progress, Scored};
use crate::stream::bounded;

/// Weights are scaled down when one reaches 2^400, so that sums of their squares stay finite.
const RESCALE_AT: f64 = f64::from_bits((1023 + 400) << 52);

/// A population of `particles` walks.
pub(super) struct Smc {
    pub(super) particles: u64,
    /// The share of `particles` under which an effective sample size makes the population resample.
    pub(super) threshold: f64,
}

/// A living particle: a position that has moves.
struct Particle<P> {
    position: P,
    plies: u32,
    mobility: u32,
    /// The weight, look-ahead excluded, in units of the population.
    weight: f64,
}

/// Two generations of a population.
pub(super) struct Space<G: Scored> {
    living: Vec<Particle<G::Position>>,
    next: Vec<Particle<G::Position>>,
    scratch: Vec<G::Move>,
}

/// The particles of the next generation, and what their positions say.
struct Brood<'a, G: Scored> {
    game: &'a G,
    next: &'a mut Vec<Particle<G::Position>>,
    scratch: &'a mut Vec<G::Move>,
    /// What ended, in units of the population.
    ended: Term,
    /// The largest weight that ended.
    largest: f64,
    /// Sum of the weights times mobilities of the next generation.
    sum: f64,
    /// Sum of their squares.
    squares: f64,
    /// Sum of the mobilities.
    moves: u64,
}

impl<G: Scored> Brood<'_, G> {
    /// Adds the particle that makes the `nth` move of `parent`.
    #[inline(always)]
    fn add(&mut self, parent: &Particle<G::Position>, nth: usize, weight: f64) {
        let plies = parent.plies + u32::from(self.game.counts_as_ply(&parent.position));
        let mut position = parent.position.clone();
        self.game.play_nth(&mut position, nth, self.scratch);
        self.settle(position, plies, weight);
    }

    /// Adds a particle in `position`, or what it ends with.
    #[inline(always)]
    fn settle(&mut self, position: G::Position, plies: u32, weight: f64) {
        let mobility = self.game.mobility(&position, self.scratch);
        if mobility == 0 {
            self.ended.end(weight, plies, self.game.outcome(&position));
            self.largest = self.largest.max(weight);
            return;
        }
        let ahead = weight * mobility as f64;
        self.sum += ahead;
        self.squares += ahead * ahead;
        self.moves += mobility as u64;
        self.next.push(Particle { position, plies, mobility: mobility as u32, weight });
    }
}

/// What one ply gave.
struct Ply {
    /// What ended, and the weight of all nodes of the ply.
    term: Term,
    largest: f64,
    sum: f64,
    squares: f64,
    moves: u64,
}

impl<'a, G: Scored> Brood<'a, G> {
    fn of(
        game: &'a G,
        next: &'a mut Vec<Particle<G::Position>>,
        scratch: &'a mut Vec<G::Move>,
    ) -> Self {
        let ended = Term::default();
        Self { game, next, scratch, ended, largest: 0.0, sum: 0.0, squares: 0.0, moves: 0 }
    }

    /// Every move of every particle.
    fn expand(&mut self, living: &[Particle<G::Position>]) {
        for parent in living {
            for nth in 0..parent.mobility as usize {
                self.add(parent, nth, parent.weight);
            }
        }
    }

    /// One move of each particle.
    fn walk_on(&mut self, living: &[Particle<G::Position>], generator: &mut Xoshiro256PlusPlus) {
        for parent in living {
            let nth = bounded(generator, u64::from(parent.mobility));
            self.add(parent, nth as usize, parent.weight * f64::from(parent.mobility));
        }
    }

    /// One move from each of `count` pieces, of length `piece`, of the line of all moves; the weight of
    /// each is 1, in units of `piece`.
    fn resample(
        &mut self,
        living: &[Particle<G::Position>],
        piece: f64,
        count: u64,
        generator: &mut Xoshiro256PlusPlus,
    ) {
        let mut parents = living.iter();
        let mut parent = parents.next().expect("a population that is resampled is alive");
        let (mut low, mut high) = (0.0, parent.weight * f64::from(parent.mobility));
        for k in 0..count {
            let point = (k as f64 + unit_interval(generator)) * piece;
            while point >= high {
                // Rounding may leave the last points beyond the end of the line.
                let Some(next) = parents.next() else { break };
                parent = next;
                low = high;
                high += parent.weight * f64::from(parent.mobility);
            }
            let nth = ((point - low) / parent.weight) as u32;
            self.add(parent, nth.min(parent.mobility - 1) as usize, 1.0);
        }
    }

    /// The ply whose nodes weigh `nodes`.
    fn finish(self, nodes: f64) -> Ply {
        let Self { ended, largest, sum, squares, moves, .. } = self;
        Ply { term: Term { nodes, ..ended }, largest, sum, squares, moves }
    }
}

impl Ply {
    /// Brings the weights of `living` near 1 and returns the new unit.
    #[cold]
    fn rescale<P>(&mut self, living: &mut [Particle<P>], unit: Scaled) -> Scaled {
        let by = Scaled::from(self.sum).exponent();
        for particle in living {
            particle.weight = scale(particle.weight, -by);
        }
        self.term.rescale(-by);
        self.largest = scale(self.largest, -by);
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
        Space { living: Vec::new(), next: Vec::new(), scratch: Vec::new() }
    }

    fn replicate(
        &self,
        game: &G,
        generator: &mut Xoshiro256PlusPlus,
        space: &mut Self::Space,
        progress: &dyn Progress,
    ) -> Option<Replicate> {
        let wanted = self.particles as f64;
        // One particle in the initial position, as heavy as all together.
        let mut unit = Scaled::from(wanted);
        let mut sums = Sums::new();
        let mut largest = Scaled::ZERO;
        let (mut resamplings, mut least_ess) = (0, wanted);
        space.living.clear();
        let mut brood = Brood::of(game, &mut space.living, &mut space.scratch);
        brood.settle(game.initial(), 0, 1.0);
        let mut ply = brood.finish(1.0);
        loop {
            sums.add(&ply.term.times(unit));
            let heaviest = Scaled::new(ply.largest * unit.mantissa(), unit.exponent());
            if heaviest > largest {
                largest = heaviest;
            }
            if space.living.is_empty() {
                break;
            }
            if progress.stopped() {
                return None;
            }
            space.next.clear();
            let mut brood = Brood::of(game, &mut space.next, &mut space.scratch);
            let (mut sum, ess) = (ply.sum, ply.sum * ply.sum / ply.squares);
            if ply.moves <= self.particles {
                brood.expand(&space.living);
            } else if resamplings == 0 || ess < self.threshold * wanted {
                brood.resample(&space.living, sum / wanted, self.particles, generator);
                unit = unit * Scaled::from(sum / wanted);
                sum = wanted;
                // The first draw is from a whole tree, however few its leaves.
                if resamplings > 0 {
                    least_ess = least_ess.min(ess);
                }
                resamplings += 1;
            } else {
                brood.walk_on(&space.living, generator);
                least_ess = least_ess.min(ess);
            }
            ply = brood.finish(sum);
            std::mem::swap(&mut space.living, &mut space.next);
            if ply.sum >= RESCALE_AT {
                unit = ply.rescale(&mut space.living, unit);
            }
        }
        progress.advance(self.particles);
        let replicate = sums.mean_of(self.particles);
        let total = replicate.z * Scaled::from(wanted);
        let largest_share = (largest / total).to_f64();
        Some(Replicate { resamplings, least_ess, largest_share, ..replicate })
    }
}
