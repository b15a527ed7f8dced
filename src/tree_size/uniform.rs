//! Replicates of independent walks.

use rand_xoshiro::Xoshiro256PlusPlus;

use super::replicate::{Estimator, Replicate};
use super::sums::Sums;
use super::walk::walk;
use crate::game::{Progress, Scored};

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
        Sums::of_walks(self.games, progress, |sums| {
            sums.add_walk(&walk(game, generator, scratch));
        })
    }
}
