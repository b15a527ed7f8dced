//! Replicates of independent walks.

use rand_xoshiro::Xoshiro256PlusPlus;

use super::replicate::{Estimator, Replicate};
use super::sums::Sums;
use super::walk::walk;
use crate::game::{Progress, Scored};

/// Walks between two looks at the progress.
pub(super) const STRIDE: u64 = 1 << 12;

/// `games` walks of uniformly drawn moves.
pub(super) struct Uniform {
    pub(super) games: u64,
}

impl<G: Scored> Estimator<G> for Uniform {
    type Space = Vec<G::Move>;

    fn space(&self) -> Self::Space {
        Vec::new()
    }

    fn replicate(
        &self,
        game: &G,
        generator: &mut Xoshiro256PlusPlus,
        scratch: &mut Self::Space,
        progress: &dyn Progress,
    ) -> Option<Replicate> {
        let mut sums = Sums::new();
        let mut left = self.games;
        while left > 0 {
            if progress.stopped() {
                return None;
            }
            let games = left.min(STRIDE);
            for _ in 0..games {
                sums.add_walk(&walk(game, generator, scratch));
            }
            left -= games;
            progress.advance(games);
        }
        Some(sums.mean_of(self.games))
    }
}
