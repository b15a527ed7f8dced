//! Sums of weights while a replicate is made.

use super::replicate::Replicate;
use super::scaled::{Scaled, scale};
use super::walk::Walk;
use crate::game::{Outcome, Progress};

/// The unit grows when a weight reaches 2^400 of it, so that the square of a weight stays finite.
const RESCALE_AT: f64 = f64::from_bits((1023 + 400) << 52);

/// Walks between two looks at the progress.
pub(super) const STRIDE: u64 = 1 << 12;

/// What one walk, or one ply of a population, adds to the sums, in units of `2^exponent`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Term {
    /// The weight of the games that ended.
    pub(super) z: f64,
    /// The same times their lengths in plies.
    pub(super) zn: f64,
    /// The weight by [`Outcome`].
    pub(super) by_outcome: [f64; 3],
    /// The weight of the nodes passed.
    pub(super) nodes: f64,
    /// The exponent of two of the unit.
    pub(super) exponent: i64,
}

impl Term {
    /// Adds `weight` for games of `plies` plies that ended so.
    #[inline(always)]
    pub(super) fn end(&mut self, weight: f64, plies: u32, outcome: Outcome) {
        self.z += weight;
        self.zn += weight * f64::from(plies);
        self.by_outcome[outcome as usize] += weight;
    }

    /// Adds `weight` for each of `counts` games of `plies` plies, counted by [`Outcome`].
    #[inline(always)]
    pub(super) fn end_each(&mut self, weight: f64, plies: u32, counts: [u32; 3]) {
        let all = weight * f64::from(counts.iter().sum::<u32>());
        self.z += all;
        self.zn += all * f64::from(plies);
        for (sum, count) in self.by_outcome.iter_mut().zip(counts) {
            *sum += weight * f64::from(count);
        }
    }

    /// The sums multiplied by `unit`.
    pub(super) fn times(&self, unit: Scaled) -> Self {
        let by = unit.mantissa();
        Self {
            z: self.z * by,
            zn: self.zn * by,
            by_outcome: self.by_outcome.map(|sum| sum * by),
            nodes: self.nodes * by,
            exponent: self.exponent + unit.exponent(),
        }
    }

    /// The same sums in a unit `2^-by` times as large.
    pub(super) fn rescale(&mut self, by: i64) {
        self.exponent -= by;
        for sum in
            [&mut self.z, &mut self.zn, &mut self.nodes].into_iter().chain(&mut self.by_outcome)
        {
            *sum = scale(*sum, by);
        }
    }
}

/// Sums of terms in a common unit.
pub(super) struct Sums {
    total: Term,
    /// Sum of the squares of the weights.
    squares: f64,
    largest: f64,
    /// `2^(exponent - unit)` for the exponent of the last term.
    factor: f64,
    /// The exponent of the last term.
    exponent: i64,
    empty: bool,
}

impl Sums {
    pub(super) fn new() -> Self {
        Self {
            total: Term::default(),
            squares: 0.0,
            largest: 0.0,
            factor: 0.0,
            exponent: i64::MIN,
            empty: true,
        }
    }

    /// Adds a walk.
    #[inline]
    pub(super) fn add_walk(&mut self, walk: &Walk) {
        let mut term = Term { nodes: walk.nodes, exponent: walk.exponent, ..Term::default() };
        term.end(walk.weight, walk.plies, walk.outcome);
        self.add(&term);
    }

    /// Adds a term.
    #[inline]
    pub(super) fn add(&mut self, term: &Term) {
        if term.exponent != self.exponent {
            self.meet(term);
        }
        if term.nodes * self.factor >= RESCALE_AT {
            self.grow(term);
        }
        let factor = self.factor;
        let total = &mut self.total;
        let z = term.z * factor;
        total.z += z;
        total.zn += term.zn * factor;
        for (sum, more) in total.by_outcome.iter_mut().zip(term.by_outcome) {
            *sum += more * factor;
        }
        total.nodes += term.nodes * factor;
        self.squares += z * z;
        self.largest = self.largest.max(z);
    }

    /// Prepares for an exponent other than the last term's.
    #[cold]
    fn meet(&mut self, term: &Term) {
        if self.empty {
            self.empty = false;
            self.total.exponent = Scaled::new(term.nodes, term.exponent).exponent();
        }
        self.exponent = term.exponent;
        self.factor = scale(1.0, term.exponent - self.total.exponent);
    }

    /// Makes the size of `term` the unit.
    #[cold]
    fn grow(&mut self, term: &Term) {
        let unit = Scaled::new(term.nodes, term.exponent).exponent();
        let by = self.total.exponent - unit;
        self.total.rescale(by);
        self.squares = scale(self.squares, 2 * by);
        self.largest = scale(self.largest, by);
        self.factor = scale(1.0, term.exponent - unit);
    }

    /// The replicate of `games` walks, each added to the sums by `add`; `None` when stopped.
    #[inline(always)]
    pub(super) fn of_walks(
        games: u64,
        progress: &dyn Progress,
        mut add: impl FnMut(&mut Self),
    ) -> Option<Replicate> {
        let mut sums = Self::new();
        let mut left = games;
        while left > 0 {
            if progress.stopped() {
                return None;
            }
            let some = left.min(STRIDE);
            for _ in 0..some {
                add(&mut sums);
            }
            left -= some;
            progress.advance(some);
        }
        Some(sums.mean_of(games))
    }

    /// The replicate whose estimates are the sums over `games`.
    pub(super) fn mean_of(&self, games: u64) -> Replicate {
        let total = &self.total;
        let mean = |sum: f64| Scaled::new(sum / games as f64, total.exponent);
        let [first, second, draws] = total.by_outcome.map(mean);
        Replicate {
            index: 0,
            games,
            z: mean(total.z),
            zn: mean(total.zn),
            first,
            second,
            draws,
            nodes: mean(total.nodes),
            resamplings: 0,
            least_ess: total.z * total.z / self.squares,
            largest_share: self.largest / total.z,
        }
    }
}
