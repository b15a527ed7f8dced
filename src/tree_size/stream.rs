//! Random numbers: one stream for each batch, and bounded draws without bias.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// The generator of batch `batch`: Xoshiro256++ started from `seed` (`seed_from_u64`) and advanced
/// by `batch` jumps of 2^128 draws, so that no two batches of a seed share a draw.
pub fn stream(seed: u64, batch: u64) -> Xoshiro256PlusPlus {
    let mut generator = Xoshiro256PlusPlus::seed_from_u64(seed);
    generator.jump_ce(batch, 128);
    generator
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
