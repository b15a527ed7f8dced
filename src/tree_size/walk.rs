//! One walk: a game of uniformly random moves with its weight.

use rand_xoshiro::Xoshiro256PlusPlus;

use super::scaled::Scaled;
use crate::game::{Outcome, Scored};
use crate::stream::bounded;

/// The running product is scaled down when it reaches 2^SCALE_AT; one more factor cannot overflow.
pub(super) const SCALE_AT: f64 = f64::from_bits((1023 + 900) << 52);
pub(super) const SCALE_BITS: i64 = 512;
const SCALE_DOWN: f64 = f64::from_bits((1023 - SCALE_BITS as u64) << 52);

/// What a walk leaves behind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Walk {
    /// The product of the mobilities, in units of `2^exponent`; at least 1.
    pub weight: f64,
    /// The sum of the products of the mobilities of the first 0, 1, ..., N plies, in units of
    /// `2^exponent`: an unbiased estimate of the number of nodes of the game tree, root and leaves
    /// included.
    pub nodes: f64,
    /// The exponent of two of both.
    pub exponent: i64,
    /// The length of the game in plies, skipped passes not counted.
    pub plies: u32,
    /// How the game ended.
    pub outcome: Outcome,
}

impl Walk {
    /// The weight as one number.
    pub fn weight(&self) -> Scaled {
        Scaled::new(self.weight, self.exponent)
    }

    /// The node estimate as one number.
    pub fn nodes(&self) -> Scaled {
        Scaled::new(self.nodes, self.exponent)
    }
}

/// Plays one game from the initial position of `game`, each move drawn uniformly.
///
/// One [`bounded`] draw is made for each move, forced moves included. `scratch` is working space.
#[inline]
pub fn walk<G: Scored>(
    game: &G,
    generator: &mut Xoshiro256PlusPlus,
    scratch: &mut Vec<G::Move>,
) -> Walk {
    walk_from(game, game.initial(), generator, scratch)
}

/// The like from `position`, whose game may be over: then the walk has no plies and weight 1.
#[inline]
pub(super) fn walk_from<G: Scored>(
    game: &G,
    mut position: G::Position,
    generator: &mut Xoshiro256PlusPlus,
    scratch: &mut Vec<G::Move>,
) -> Walk {
    let mut weight = 1.0;
    let mut nodes = 1.0;
    let mut exponent = 0;
    let mut plies = 0;
    loop {
        let mobility = game.mobility(&position, scratch);
        if mobility == 0 {
            break;
        }
        plies += u32::from(game.counts_as_ply(&position));
        let n = bounded(generator, mobility as u64);
        game.play_nth(&mut position, n as usize, scratch);
        weight *= mobility as f64;
        nodes += weight;
        if weight >= SCALE_AT {
            weight *= SCALE_DOWN;
            nodes *= SCALE_DOWN;
            exponent += SCALE_BITS;
        }
    }
    Walk { weight, nodes, exponent, plies, outcome: game.outcome(&position) }
}
