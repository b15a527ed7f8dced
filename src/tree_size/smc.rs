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

use std::ops::Range;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::Rng;

use super::outlook::{Census, Outlook};
use super::replicate::{Estimator, PILOT_STREAM, Replicate};
use super::scaled::{Scaled, scale};
use super::sums::{Sums, Term};
use crate::game::{Progress, Scored};
use crate::stream::{bounded, stream};

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
    /// What particles are weighted by besides their mobility; without it positions have no classes.
    pub(super) outlook: Option<Outlook>,
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
    /// By what the weights are multiplied when the population is resampled: the mobility, and the
    /// factor of the class.
    looks: Vec<f64>,
    /// Classes of the positions; all 0 without an outlook.
    classes: Vec<u64>,
}

impl<P: Clone> Population<P> {
    fn new() -> Self {
        Self {
            len: 0,
            positions: Vec::new(),
            plies: Vec::new(),
            mobilities: Vec::new(),
            weights: Vec::new(),
            looks: Vec::new(),
            classes: Vec::new(),
        }
    }

    /// Makes room for `len` particles, which are like `pattern` where they are new.
    fn make_room(&mut self, len: usize, pattern: &P) {
        if len > self.positions.len() {
            self.positions.resize(len, pattern.clone());
            self.plies.resize(len, 0);
            self.mobilities.resize(len, 0);
            self.weights.resize(len, 0.0);
            self.looks.resize(len, 0.0);
            self.classes.resize(len, 0);
        }
    }

    /// Takes particle `at` out; the last one takes its place.
    #[inline(always)]
    fn remove(&mut self, at: usize) {
        self.len -= 1;
        self.positions.swap(at, self.len);
        self.plies[at] = self.plies[self.len];
        self.mobilities[at] = self.mobilities[self.len];
        self.weights[at] = self.weights[self.len];
        self.looks[at] = self.looks[self.len];
        self.classes[at] = self.classes[self.len];
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

impl<G: Scored> Space<G> {
    /// The bytes that populations of `particles` take at least.
    pub(super) fn bytes(particles: u64) -> u64 {
        let numbers = 2 * size_of::<u32>() + 2 * size_of::<f64>() + size_of::<u64>();
        let particle = size_of::<G::Position>() + numbers;
        particles * (2 * particle + size_of::<u32>()) as u64
    }
}

/// The particles of the next generation, and what their positions say.
struct Brood<'a, G: Scored> {
    setting: Setting<'a, G>,
    next: &'a mut Population<G::Position>,
    /// The number of the parent of each.
    parents: &'a mut Vec<u32>,
    scratch: &'a mut Vec<G::Move>,
    /// Moves made before, on the way to this generation.
    made: usize,
    /// What takes note of every particle, if anything does.
    census: Option<&'a mut Census>,
    ply: Ply,
}

/// What is the same for all generations.
struct Setting<'a, G> {
    game: &'a G,
    outlook: Option<&'a Outlook>,
    progress: &'a dyn Progress,
}

impl<G> Clone for Setting<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G> Copy for Setting<'_, G> {}

/// What one ply gave.
#[derive(Default)]
struct Ply {
    /// What ended, and the weight of all nodes of the ply, in units of the population.
    term: Term,
    /// The largest weight that ended.
    largest: f64,
    /// Sum of the weights times mobilities of the living: the weight of all nodes of the next ply.
    ahead: f64,
    /// Sum of the weights by which the living are resampled.
    sum: f64,
    /// Sum of their squares.
    squares: f64,
    /// Sum of the mobilities.
    moves: u64,
}

impl<'a, G: Scored> Brood<'a, G> {
    /// A generation without particles, `made` moves from the initial position.
    fn of(
        setting: Setting<'a, G>,
        next: &'a mut Population<G::Position>,
        parents: &'a mut Vec<u32>,
        scratch: &'a mut Vec<G::Move>,
        made: usize,
        census: Option<&'a mut Census>,
    ) -> Self {
        next.len = 0;
        parents.clear();
        Self { setting, next, parents, scratch, made, census, ply: Ply::default() }
    }

    /// The initial position, with weight 1.
    fn root(mut self) -> Ply {
        let root = self.setting.game.initial();
        let next = &mut *self.next;
        next.make_room(1, &root);
        next.positions[0].clone_from(&root);
        (next.plies[0], next.weights[0], next.len) = (0, 1.0, 1);
        next.mobilities[0] = self.setting.game.mobility(&root, self.scratch) as u32;
        self.look(0..1);
        self.settle(0);
        self.ply.term.nodes = 1.0;
        self.ply
    }

    /// Every move of every particle.
    fn expand(&mut self, living: &Population<G::Position>) {
        let mobilities = &living.mobilities[..living.len];
        self.parents.extend(
            (0..)
                .zip(mobilities)
                .flat_map(|(parent, mobility)| std::iter::repeat_n(parent, *mobility as usize)),
        );
        let (mut last, mut nth) = (usize::MAX, 0);
        self.breed(living, |parent| {
            nth = if parent == last { nth + 1 } else { 0 };
            last = parent;
            (nth, living.weights[parent])
        });
    }

    /// One move of each particle.
    fn walk_on(&mut self, living: &Population<G::Position>, generator: &mut Xoshiro256PlusPlus) {
        self.parents.extend(0..living.len as u32);
        let mut own = generator.clone();
        self.breed(living, |parent| {
            let mobility = living.mobilities[parent];
            (
                bounded(&mut own, mobility.into()) as u32,
                living.weights[parent] * f64::from(mobility),
            )
        });
        *generator = own;
    }

    /// One move of the particle at each of `count` points that lie `distance` apart; the weight of
    /// each is 1 over the factor of its class, in units of `distance`.
    fn resample(
        &mut self,
        living: &Population<G::Position>,
        distance: f64,
        count: u64,
        generator: &mut Xoshiro256PlusPlus,
    ) {
        let mut own = generator.clone();
        self.draw_parents(living, distance, count as usize, unit_interval(&mut own));
        let mobilities = &living.mobilities;
        match self.setting.outlook {
            None => self
                .breed(living, |parent| (bounded(&mut own, mobilities[parent].into()) as u32, 1.0)),
            Some(_) => self.breed(living, |parent| {
                let mobility = mobilities[parent];
                let nth = bounded(&mut own, mobility.into()) as u32;
                (nth, f64::from(mobility) / living.looks[parent])
            }),
        }
        *generator = own;
    }

    /// The particle at each of `count` points that lie `distance` apart from `first` distances on.
    fn draw_parents(
        &mut self,
        living: &Population<G::Position>,
        distance: f64,
        count: usize,
        first: f64,
    ) {
        let parents = &mut *self.parents;
        parents.resize(count + 2, 0);
        let per_length = 1.0 / distance;
        let (mut points, mut end) = (0, 0.0);
        let particles = living.weights[..living.len].iter().zip(&living.looks);
        for (parent, (weight, look)) in (0..).zip(particles) {
            end += weight * look;
            let until = points_before(end * per_length - first).min(count);
            // Nearly always there are 0, 1 or 2: two are written without asking.
            parents[points] = parent;
            parents[points + 1] = parent;
            if until > points + 2 {
                parents[points + 2..until].fill(parent);
            }
            points = points.max(until);
        }
        parents.truncate(count);
        // Rounding may leave the last points beyond the end of the line.
        parents[points..].fill(living.len as u32 - 1);
    }

    /// Lets a particle come from each of the parents: of the number of its parent, `draw` makes the
    /// number of its move and its weight.
    #[inline(always)]
    fn breed(
        &mut self,
        living: &Population<G::Position>,
        mut draw: impl FnMut(usize) -> (u32, f64),
    ) {
        let mut moves = [0; TILE];
        let mut done = 0;
        // What stops half-way is thrown away at the next look.
        while done < self.parents.len() && !self.setting.progress.stopped() {
            let parents = &self.parents[done..self.parents.len().min(done + TILE)];
            let next = &mut *self.next;
            let tile = next.len..next.len + parents.len();
            next.make_room(tile.end, &living.positions[0]);
            let moves = &mut moves[..parents.len()];
            let positions = &mut next.positions[tile.clone()];
            let places = positions.iter_mut().zip(&mut next.plies[tile.clone()]);
            let places = places.zip(&mut next.weights[tile.clone()]).zip(&mut *moves);
            for (parent, (((place, plies), weight), nth)) in parents.iter().zip(places) {
                let parent = *parent as usize;
                let position = &living.positions[parent];
                place.clone_from(position);
                *plies =
                    living.plies[parent] + u32::from(self.setting.game.counts_as_ply(position));
                (*nth, *weight) = draw(parent);
            }
            done += parents.len();
            next.len = tile.end;
            let mobilities = &mut next.mobilities[tile.clone()];
            self.setting.game.play_each(positions, moves, mobilities, self.scratch);
            self.look(tile.clone());
            if let Some(census) = &mut self.census {
                let parents = &self.parents[done - tile.len()..done];
                for (at, parent) in tile.clone().zip(parents) {
                    let goes_on = self.next.mobilities[at] > 0;
                    let to = goes_on.then_some(self.next.classes[at]);
                    let from = living.classes[*parent as usize];
                    census.see_move(self.made - 1, from, to, self.next.weights[at]);
                }
            }
            self.settle(tile.start);
        }
    }

    /// Finds by what the weights of the particles `tile` are multiplied when they are resampled.
    #[inline(always)]
    fn look(&mut self, tile: Range<usize>) {
        let next = &mut *self.next;
        let looks = next.looks[tile.clone()].iter_mut().zip(&next.mobilities[tile.clone()]);
        for (look, mobility) in looks {
            *look = f64::from(*mobility);
        }
        let Some(outlook) = self.setting.outlook else { return };
        for at in tile {
            if next.mobilities[at] > 0 {
                let class = self.setting.game.class(&next.positions[at]);
                next.classes[at] = class;
                next.looks[at] *= outlook.factor(self.made, class);
                if let Some(census) = &mut self.census {
                    census.see(self.made, class, next.weights[at], next.mobilities[at]);
                }
            }
        }
    }

    /// Lets those particles go, from number `start` on, whose game is over: at most a tile of them.
    fn settle(&mut self, start: usize) {
        let Self { setting, next, ply, .. } = self;
        let tile = start..next.len;
        // Four sums at a time, because each addition waits for the one before.
        let (mut sums, mut squares) = ([0.0; 4], [0.0; 4]);
        let mut over = 0u64;
        let particles = next.weights[tile.clone()].iter().zip(&next.looks[tile.clone()]);
        for (at, ((weight, look), mobility)) in
            particles.zip(&next.mobilities[tile.clone()]).enumerate()
        {
            let ahead = weight * look;
            sums[at % 4] += ahead;
            squares[at % 4] += ahead * ahead;
            ply.moves += u64::from(*mobility);
            over |= u64::from(*mobility == 0) << at;
        }
        let sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
        ply.sum += sum;
        ply.squares += (squares[0] + squares[1]) + (squares[2] + squares[3]);
        ply.ahead += match setting.outlook {
            None => sum,
            Some(_) => {
                let weights = next.weights[tile.clone()].iter();
                weights.zip(&next.mobilities[tile]).map(|(w, m)| w * f64::from(*m)).sum()
            }
        };
        // From the last on, so that the one that takes a place is alive.
        while over != 0 {
            let bit = over.ilog2();
            over ^= 1 << bit;
            let at = start + bit as usize;
            let weight = next.weights[at];
            ply.term.end(weight, next.plies[at], setting.game.outcome(&next.positions[at]));
            ply.largest = ply.largest.max(weight);
            next.remove(at);
        }
    }

    /// The ply whose nodes weigh `nodes`.
    fn finish(mut self, nodes: f64) -> Ply {
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
        self.ahead = scale(self.ahead, -by);
        self.sum = scale(self.sum, -by);
        self.squares = scale(self.squares, -2 * by);
        Scaled::new(unit.mantissa(), unit.exponent() + by)
    }
}

/// How many of the numbers 0, 1, ... lie below `place`, which is above -1 and far below 2^52: without
/// the checks of a conversion.
#[inline(always)]
fn points_before(place: f64) -> usize {
    // Beside 2^52 a sum is rounded to a whole number, which its bits tell.
    const WHOLE: f64 = f64::from_bits((1023 + 52) << 52);
    ((place + 0.5) + WHOLE).to_bits().saturating_sub(WHOLE.to_bits()) as usize
}

/// A draw from the multiples of 2^-53 in [0, 1).
#[inline(always)]
fn unit_interval(generator: &mut Xoshiro256PlusPlus) -> f64 {
    (generator.next_u64() >> 11) as f64 * f64::from_bits((1023 - 53) << 52)
}

impl Smc {
    /// Sums over one population, and what `census` has taken note of.
    fn population<G: Scored>(
        &self,
        game: &G,
        generator: &mut Xoshiro256PlusPlus,
        space: &mut Space<G>,
        mut census: Option<&mut Census>,
        progress: &dyn Progress,
    ) -> Option<Replicate> {
        let Space { living, next, parents, scratch } = space;
        let wanted = self.particles as f64;
        // One particle in the initial position, as heavy as all together.
        let mut unit = Scaled::from(wanted);
        let mut sums = Sums::new();
        let mut largest = Scaled::ZERO;
        let (mut resamplings, mut least_ess) = (0, f64::INFINITY);
        let mut made = 0;
        let setting = Setting { game, outlook: self.outlook.as_ref(), progress };
        let brood = Brood::of(setting, living, parents, scratch, made, census.as_deref_mut());
        let mut ply = brood.root();
        loop {
            sums.add(&ply.term.times(unit));
            let heaviest = Scaled::from(ply.largest) * unit;
            if heaviest > largest {
                largest = heaviest;
            }
            if living.len == 0 {
                break;
            }
            if ply.sum >= RESCALE_AT {
                unit = ply.rescale(living, unit);
            }
            let (sum, ess) = (ply.sum, ply.sum * ply.sum / ply.squares);
            let nodes = ply.ahead;
            made += 1;
            let mut brood = Brood::of(setting, next, parents, scratch, made, census.as_deref_mut());
            ply = if ply.moves <= self.particles {
                brood.expand(living);
                brood.finish(nodes)
            } else if resamplings == 0 || ess < self.threshold * wanted {
                // The first draw is from the game tree, however few its leaves.
                least_ess = least_ess.min(if resamplings > 0 { ess } else { wanted });
                resamplings += 1;
                brood.resample(living, sum / wanted, self.particles, generator);
                unit = unit * Scaled::from(sum / wanted);
                brood.finish(match setting.outlook {
                    None => wanted,
                    Some(_) => nodes / (sum / wanted),
                })
            } else {
                least_ess = least_ess.min(ess);
                brood.walk_on(living, generator);
                brood.finish(nodes)
            };
            if progress.stopped() {
                return None;
            }
            std::mem::swap(living, next);
        }
        let replicate = sums.mean_of(self.particles);
        let total = replicate.z * Scaled::from(wanted);
        let largest_share = (largest / total).to_f64();
        Some(Replicate { resamplings, least_ess, largest_share, ..replicate })
    }
}

impl Smc {
    /// A population whose particles are weighted by what `pilots` populations before it have learned of
    /// the classes of positions, each with what those before it had learned; `None` when stopped.
    pub(super) fn learned<G: Scored>(
        game: &G,
        particles: u64,
        threshold: f64,
        pilots: u32,
        seed: u64,
        progress: &dyn Progress,
    ) -> Option<Self> {
        let mut smc = Self { particles, threshold, outlook: Some(Outlook::default()) };
        let mut space = Estimator::<G>::space(&smc);
        let mut all = Census::default();
        for pilot in 0..pilots {
            let mut generator = stream(seed, PILOT_STREAM - u64::from(pilot));
            let mut census = Census::default();
            smc.population(game, &mut generator, &mut space, Some(&mut census), progress)?;
            all.add(census);
            smc.outlook = Some(all.outlook());
        }
        Some(smc)
    }
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
        let replicate = self.population(game, generator, space, None, progress)?;
        progress.advance(self.particles);
        Some(replicate)
    }
}
