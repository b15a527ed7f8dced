//! One independent unbiased estimate of the sums over all games, and what makes it.

use rand_xoshiro::Xoshiro256PlusPlus;

use super::scaled::Scaled;
use crate::game::{Progress, Scored};

/// One independent unbiased estimate of all sums.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Replicate {
    /// The number of the replicate in its plan, from 0.
    pub index: u64,
    /// Walks made, or particles of the population.
    pub games: u64,
    /// Estimate of the number of games (gts).
    pub z: Scaled,
    /// Estimate of the sum of the lengths of all games in plies.
    pub zn: Scaled,
    /// Estimate of the number of games that the first player wins.
    pub first: Scaled,
    /// Estimate of the number of games that the second player wins.
    pub second: Scaled,
    /// Estimate of the number of drawn games.
    pub draws: Scaled,
    /// Estimate of the number of nodes of the game tree, root and leaves included.
    pub nodes: Scaled,
    /// How often the population resampled; 0 for walks.
    pub resamplings: u64,
    /// The least effective sample size of the living particles before a move was made; for walks
    /// `(sum X)^2 / sum X^2`. Infinite when every game was counted.
    pub least_ess: f64,
    /// The largest share of `z` that a single walk or particle has.
    pub largest_share: f64,
}

impl Replicate {
    /// Whether every game was counted and nothing drawn, so that the estimates are exact.
    pub fn is_exact(&self) -> bool {
        self.least_ess == f64::INFINITY
    }
}

/// The stream of what is learned before the first replicate, far from those of replicates; further
/// ones count down from it.
pub(super) const PILOT_STREAM: u64 = u64::MAX;

/// A way to make replicates of a game.
pub(super) trait Estimator<G: Scored>: Sync {
    /// Working space of one thread.
    type Space;

    /// New working space.
    fn space(&self) -> Self::Space;

    /// A replicate drawn from `generator`, with index 0; `None` when stopped before it was whole.
    /// `progress` advances by walks or particles.
    fn replicate(
        &self,
        game: &G,
        generator: &mut Xoshiro256PlusPlus,
        space: &mut Self::Space,
        progress: &dyn Progress,
    ) -> Option<Replicate>;
}
