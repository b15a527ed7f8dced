//! Pieces of work that are the same on any number of threads: a stream of random numbers for each
//! ([`stream`], with bounded draws without bias), and a way to make them at the same time and hand
//! them out in order ([`in_order`]).

mod in_order;

pub use in_order::{RunError, Threads, in_order};

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// The generator of batch `batch`: Xoshiro256++ started from `seed` (`seed_from_u64`) and advanced
/// by `batch` jumps of 2^128 draws, so that no two batches of a seed share a draw.
pub fn stream(seed: u64, batch: u64) -> Xoshiro256PlusPlus {
    let mut generator = Xoshiro256PlusPlus::seed_from_u64(seed);
    generator.jump_ce(batch, 128);
    generator
}

/// The streams of a seed, quickly found one after the other.
#[derive(Clone, Debug)]
pub struct Streams {
    seed: u64,
    batch: u64,
    generator: Xoshiro256PlusPlus,
}

impl Streams {
    /// Jumps that take less time than finding a stream anew.
    const NEAR: u64 = 256;

    /// The streams of `seed`.
    pub fn new(seed: u64) -> Self {
        Self { seed, batch: 0, generator: stream(seed, 0) }
    }

    /// What [`stream`] gives for `batch`.
    pub fn of(&mut self, batch: u64) -> Xoshiro256PlusPlus {
        match batch.checked_sub(self.batch) {
            Some(jumps @ 0..=Self::NEAR) => (0..jumps).for_each(|_| self.generator.jump()),
            _ => self.generator = stream(self.seed, batch),
        }
        self.batch = batch;
        self.generator.clone()
    }
}

/// A uniform draw from `0..bound`; every draw takes at least one number of the stream.
///
/// The high word of `x * bound` for 64 random bits `x`, with Lemire's rejection step: a low word
/// below `2^64 mod bound` is drawn again, so each value has exactly the same probability. Source:
/// D. Lemire, *Fast random integer generation in an interval*, ACM TOMACS 29 (2019), algorithm 5.
/// `bound` 0 gives 0.
#[inline]
pub fn bounded(generator: &mut Xoshiro256PlusPlus, bound: u64) -> u64 {
    let multiply = |x: u64| {
        let product = u128::from(x) * u128::from(bound);
        ((product >> 64) as u64, product as u64)
    };
    let (mut value, mut low) = multiply(generator.next_u64());
    if low < bound {
        let threshold = bound.wrapping_neg() % bound;
        while low < threshold {
            (value, low) = multiply(generator.next_u64());
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    // The expected numbers come from an independent implementation of splitmix64, xoshiro256++ and
    // its jump (D. Blackman, S. Vigna, prng.di.unimi.it) and of Lemire's algorithm.

    #[test]
    fn first_draws_of_a_seed_never_change() {
        let mut generator = stream(1, 0);
        let draws: Vec<u64> = (0..4).map(|_| generator.next_u64()).collect();
        let expected =
            [0xcfc5d07f6f03c29b, 0xbf424132963fe08d, 0x19a37d5757aaf520, 0xbf08119f05cd56d6];
        assert_eq!(draws, expected);
    }

    #[test]
    fn batch_k_starts_k_jumps_down_the_stream() {
        assert_eq!(stream(1, 1).next_u64(), 0xdafd92f1adffc5b9);
        assert_eq!(stream(1, 5).next_u64(), 0x78f60c02d5bee5b1);
        let mut jumped = stream(7, 0);
        for batch in 0..40 {
            assert_eq!(stream(7, batch), jumped, "batch {batch}");
            jumped.jump();
        }
    }

    #[test]
    fn streams_are_the_same_in_any_order() {
        let mut streams = Streams::new(7);
        for batch in [0, 1, 1, 5, 4, 1000, 1256, 1513, 0, u64::MAX, 3] {
            assert_eq!(streams.of(batch), stream(7, batch), "batch {batch}");
        }
    }

    #[test]
    fn bounded_draws_never_change() {
        let mut generator = stream(1, 0);
        let draws: Vec<u64> = (0..16).map(|_| bounded(&mut generator, 7)).collect();
        assert_eq!(draws, [5, 5, 0, 5, 1, 4, 6, 3, 0, 0, 6, 2, 0, 2, 0, 1]);
        let draws: Vec<u64> = (0..3).map(|_| bounded(&mut generator, 1_000_000_007)).collect();
        assert_eq!(draws, [557_133_147, 472_903_424, 957_893_517]);
    }

    #[test]
    fn draws_that_would_favour_small_values_are_drawn_again() {
        // Nearly half of all draws below 2^63 + 1 are rejected.
        let mut generator = stream(1, 0);
        let draws: Vec<u64> = (0..3).map(|_| bounded(&mut generator, (1 << 63) + 1)).collect();
        assert_eq!(draws, [6882635817876368235, 3168237733809651673, 3639362766720477220]);
    }

    #[test]
    fn bounded_draws_are_uniform() {
        // Chi-square with 6 degrees of freedom: 22.5 is passed once in a thousand.
        let mut generator = stream(3, 0);
        let mut counts = [0u32; 7];
        for _ in 0..70_000 {
            counts[bounded(&mut generator, 7) as usize] += 1;
        }
        let chi: f64 = counts.iter().map(|n| (f64::from(*n) - 1e4).powi(2) / 1e4).sum();
        assert!(chi < 22.5, "chi-square {chi}");
        assert_eq!(bounded(&mut generator, 1), 0);
    }
}
