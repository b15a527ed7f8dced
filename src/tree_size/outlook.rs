//! What lies ahead of a class of positions: learned from populations, as a weight for particles.
//!
//! Positions are put into classes ([`Scored::class`]), such as those with the same men, kings and plies
//! without progress. Pilot populations tell, ply by ply and class by class, the mean mobility `m(c)`
//! and the shares `p(c, c')` of the moves that lead to a class `c'` or end the game. Were positions of
//! one class alike, the number of games below one of them would be
//!
//! ```text
//! G(c) = m(c) (p(c, end) + sum over c' of p(c, c') G'(c'))        G' that of the next ply
//! ```
//!
//! which is worked out from the last ply to the first. A particle is then resampled by its weight times
//! its own mobility times the *factor* `G(c) / m(c)`, scaled so that a mean particle has 1, instead of
//! its weight times its mobility alone. Factors of classes that were seldom seen are drawn to that of
//! the mean. Whatever the factors are, as long as they are positive and made beforehand, the estimates
//! stay unbiased; good ones keep the particles from running into dead ends and let them wait for what
//! pays late.
//!
//! Sources: N. Whiteley and A. Lee, *Twisted particle filters*, Ann. Stat. 42 (2014); P. Guarniero,
//! A. M. Johansen, A. Lee, *The iterated auxiliary particle filter*, JASA 112 (2017), for weights that
//! look ahead and are learned by repeated passes.

use rustc_hash::FxHashMap;

/// The most that a particle may be multiplied or thinned by for its class.
const MOST_FACTOR: f64 = 1e3;
/// So many particles of a class must be seen for its own factor to count as much as the mean's.
const PARTICLES_OF_THE_MEAN: f64 = 20.0;
/// Turns before and after a ply, of the same player, whose particles tell of its classes too.
const WINDOW: usize = 2;

/// The factor of each class that was seen at each ply.
#[derive(Debug, Default)]
pub(super) struct Outlook {
    plies: Vec<FxHashMap<u64, f32>>,
}

impl Outlook {
    /// The factor of `class` after `ply` moves; 1 for what was never seen.
    #[inline]
    pub(super) fn factor(&self, ply: usize, class: u64) -> f64 {
        let known = self.plies.get(ply).and_then(|classes| classes.get(&class));
        known.map_or(1.0, |factor| f64::from(*factor))
    }
}

/// What is known of one class at one ply.
#[derive(Debug, Default)]
struct Ahead {
    /// Particles seen.
    particles: f64,
    /// The sums of their weights, and of their weights times mobilities.
    weight: f64,
    moves: f64,
    /// The sum of the weights after the moves that were made, of those that ended the game, and by the
    /// class that they lead to.
    made: f64,
    ended: f64,
    to: FxHashMap<u64, f64>,
}

impl Ahead {
    /// Makes the mean weight before and after a move 1.
    fn normalize(&mut self) {
        if self.weight > 0.0 {
            let by = self.particles / self.weight;
            self.moves *= by;
            self.weight = self.particles;
        }
        if self.made > 0.0 {
            let by = self.particles / self.made;
            self.made = self.particles;
            self.ended *= by;
            self.to.values_mut().for_each(|weight| *weight *= by);
        }
    }

    fn add(&mut self, other: &Self) {
        self.particles += other.particles;
        self.weight += other.weight;
        self.moves += other.moves;
        self.made += other.made;
        self.ended += other.ended;
        for (class, weight) in &other.to {
            *self.to.entry(*class).or_default() += weight;
        }
    }
}

/// What populations have seen, by ply and class.
#[derive(Debug, Default)]
pub(super) struct Census {
    plies: Vec<FxHashMap<u64, Ahead>>,
}

impl Census {
    fn at(&mut self, ply: usize, class: u64) -> &mut Ahead {
        if ply >= self.plies.len() {
            self.plies.resize_with(ply + 1, FxHashMap::default);
        }
        self.plies[ply].entry(class).or_default()
    }

    /// A particle of `weight` in a position of `class` with moves, after `ply` moves.
    pub(super) fn see(&mut self, ply: usize, class: u64, weight: f64, mobility: u32) {
        let ahead = self.at(ply, class);
        ahead.particles += 1.0;
        ahead.weight += weight;
        ahead.moves += weight * f64::from(mobility);
    }

    /// A move from a position of `class` after `ply` moves, to one of class `to` or, without that, to
    /// the end of the game; `weight` is that of the particle after it.
    pub(super) fn see_move(&mut self, ply: usize, class: u64, to: Option<u64>, weight: f64) {
        let ahead = self.at(ply, class);
        ahead.made += weight;
        match to {
            None => ahead.ended += weight,
            Some(to) => *ahead.to.entry(to).or_default() += weight,
        }
    }

    /// Adds what another population has seen.
    pub(super) fn add(&mut self, other: Self) {
        if self.plies.len() < other.plies.len() {
            self.plies.resize_with(other.plies.len(), FxHashMap::default);
        }
        for (classes, more) in self.plies.iter_mut().zip(other.plies) {
            for (class, mut ahead) in more {
                ahead.normalize();
                classes.entry(class).or_default().add(&ahead);
            }
        }
    }

    /// The classes at `ply`, with what was seen of them up to [`WINDOW`] turns before and after; not
    /// across the last move of the longest games, whose end may have nothing to do with a class.
    fn around(&self, ply: usize) -> FxHashMap<u64, Ahead> {
        let last = self.plies.len() - 1;
        let near = (0..=2 * WINDOW).filter_map(|turn| (ply + 2 * turn).checked_sub(2 * WINDOW));
        let mut pooled: FxHashMap<u64, Ahead> = FxHashMap::default();
        for at in near.filter(|at| *at == ply || (*at < last && ply < last)) {
            for (class, ahead) in &self.plies[at] {
                pooled.entry(*class).or_default().add(ahead);
            }
        }
        pooled
    }

    /// The factors that follow.
    pub(super) fn outlook(&self) -> Outlook {
        let mut plies = Vec::with_capacity(self.plies.len());
        // Games below each class of the next ply, in units of e^`unit`; a finished game is one.
        let mut below: FxHashMap<u64, f64> = FxHashMap::default();
        let mut unit = 0.0f64;
        for ply in (0..self.plies.len()).rev() {
            let classes = self.around(ply);
            let finished = libm::exp(-unit);
            let elsewhere = sorted(&below).map(|(_, games)| games).sum::<f64>();
            let elsewhere = elsewhere / below.len().max(1) as f64;
            // For each class: particles, games below over mobility, mobility.
            let seen: Vec<(u64, f64, f64, f64)> = sorted(&classes)
                .filter(|(_, ahead)| ahead.particles > 0.0)
                .map(|(class, ahead)| {
                    let after = |class: &u64| below.get(class).copied().unwrap_or(elsewhere);
                    let ways =
                        sorted(&ahead.to).map(|(to, weight)| weight * after(to)).sum::<f64>();
                    let mean = match ahead.made > 0.0 {
                        true => (ways + ahead.ended * finished) / ahead.made,
                        false => elsewhere.max(finished),
                    };
                    (*class, ahead.particles, mean, ahead.moves / ahead.weight)
                })
                .collect();
            let all: f64 = seen.iter().map(|(_, particles, ..)| particles).sum();
            let mean: f64 =
                seen.iter().map(|(_, particles, factor, _)| particles * factor).sum::<f64>() / all;
            let factors = seen.iter().map(|(class, particles, factor, _)| {
                let share = particles / (particles + PARTICLES_OF_THE_MEAN);
                let factor = libm::pow(factor / mean, share);
                (*class, factor.clamp(1.0 / MOST_FACTOR, MOST_FACTOR) as f32)
            });
            plies.push(factors.collect());
            let games = seen.iter().map(|(class, _, factor, mobility)| (*class, factor * mobility));
            below = games.collect();
            let largest = below.values().copied().fold(0.0, f64::max);
            if largest > 0.0 {
                below.values_mut().for_each(|games| *games /= largest);
                unit += libm::log(largest);
            }
        }
        plies.reverse();
        Outlook { plies }
    }
}

/// The entries of a map in the order of the classes, so that sums do not depend on that of the map.
fn sorted<T>(map: &FxHashMap<u64, T>) -> impl Iterator<Item = (&u64, &T)> {
    let mut entries: Vec<(&u64, &T)> = map.iter().collect();
    entries.sort_unstable_by_key(|(class, _)| **class);
    entries.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// After the first of 2 moves there are 5 ways to end the game, after the second 1.
    fn seen(particles: u32) -> Census {
        let mut census = Census::default();
        for _ in 0..particles {
            census.see(0, 0, 1.0, 2);
            for (class, ways) in [(1, 5), (2, 1)] {
                census.see_move(0, 0, Some(class), 1.0);
                census.see(1, class, 1.0, 1);
                census.see_move(1, class, Some(class), 1.0);
                census.see(2, class, 1.0, ways);
                census.see_move(2, class, None, f64::from(ways));
            }
        }
        census
    }

    #[test]
    fn a_class_weighs_what_lies_ahead_of_it() {
        let mut all = Census::default();
        all.add(seen(1000));
        all.add(seen(3000));
        let outlook = all.outlook();
        let near = |found: f64, expected: f64| {
            assert!((found / expected - 1.0).abs() < 0.01, "{found}, not {expected}");
        };
        // 5 and 1 beside a mean of 3.
        near(outlook.factor(1, 1), 5.0 / 3.0);
        near(outlook.factor(1, 2), 1.0 / 3.0);
        // Mobilities alone tell all that is left.
        near(outlook.factor(2, 1), 1.0);
        near(outlook.factor(2, 2), 1.0);
        near(outlook.factor(0, 0), 1.0);
        // What was never seen counts as the mean.
        assert_eq!([outlook.factor(1, 3), outlook.factor(9, 1)], [1.0; 2]);
    }

    #[test]
    fn the_weights_of_a_population_have_a_unit_of_their_own() {
        let mut census = seen(1000);
        for ahead in census.plies.iter_mut().flat_map(FxHashMap::values_mut) {
            let Ahead { weight, moves, made, ended, to, .. } = ahead;
            let sums = [weight, moves, made, ended].into_iter().chain(to.values_mut());
            sums.for_each(|sum| *sum *= f64::from_bits((1023 + 300) << 52));
        }
        let (mut large, mut plain) = (Census::default(), Census::default());
        large.add(census);
        plain.add(seen(1000));
        for class in [1, 2] {
            assert_eq!(large.outlook().factor(1, class), plain.outlook().factor(1, class));
        }
    }

    #[test]
    fn a_class_that_was_seldom_seen_is_drawn_to_the_mean() {
        let mut census = Census::default();
        census.add(seen(2));
        let factor = census.outlook().factor(1, 1);
        assert!(factor > 1.0 && factor < 1.2, "{factor}");
    }
}
