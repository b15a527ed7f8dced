//! Replicates of walks stratified by what happens in their first plies.
//!
//! The positions after `plies` moves are enumerated with the number of ways to reach each; games that
//! end before are counted exactly. A pilot of walks from each position estimates the mean and the
//! standard deviation of their weights. Most walks of a replicate are shared out in proportion to the
//! number of ways times that deviation (J. Neyman, *On the two different aspects of the representative
//! method*, J. Royal Stat. Soc. 97 (1934)); the rest in proportion to the number of ways times the mean,
//! because a pilot that has missed rare heavy walks takes a deviation for too small; and one goes to
//! each position. The pilot draws from a stream of its own and is the same for all replicates.

use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::FxHashMap;
use thiserror::Error;

use super::replicate::{Estimator, PILOT_STREAM, Replicate};
use super::scaled::{Scaled, scale};
use super::sums::{STRIDE, Sums, Term};
use super::walk::walk_from;
use crate::game::{Progress, Scored};
use crate::stream::stream;

/// The most positions of a prefix.
pub const MOST_STRATA: usize = 1 << 20;

/// The least and the most walks of the pilot from each position; between them the pilot makes as many
/// as [`PILOT_REPLICATES`] replicates.
const PILOT: (u64, u64) = (100, 10_000);
const PILOT_REPLICATES: u64 = 10;
/// The share of the walks that the deviations rule.
const BY_DEVIATION: f64 = 0.75;

/// Why a prefix cannot be enumerated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PrefixError {
    /// Too many positions.
    #[error("more than {MOST_STRATA} positions within {plies} plies: choose a shorter prefix")]
    TooLarge {
        /// Plies of the prefix.
        plies: u32,
    },
    /// More nodes than an `f64` can hold.
    #[error("more than 1e308 nodes within {plies} plies: choose a shorter prefix")]
    TooManyNodes {
        /// Plies of the prefix.
        plies: u32,
    },
    /// More positions than walks.
    #[error("{strata} positions after {plies} plies, more than the {games} walks of a replicate")]
    TooFewWalks {
        /// Plies of the prefix.
        plies: u32,
        /// Positions after the prefix.
        strata: u64,
        /// Walks of a replicate.
        games: u64,
    },
}

/// A position after the prefix.
struct Stratum<P> {
    position: P,
    plies: u32,
    /// Ways to reach it.
    paths: f64,
    /// Walks of a replicate from it.
    walks: u64,
}

/// Walks from every position of a prefix.
pub(super) struct Stratified<P> {
    games: u64,
    /// What is counted exactly: games that end in the prefix, and its nodes, those after its last
    /// ply included.
    prefix: Term,
    strata: Vec<Stratum<P>>,
}

impl<P> Stratified<P> {
    /// Enumerates `plies` plies of `game` and shares out `games` walks; `None` when stopped.
    pub(super) fn new<G: Scored<Position = P>>(
        game: &G,
        plies: u32,
        games: u64,
        seed: u64,
        progress: &dyn Progress,
    ) -> Result<Option<Self>, PrefixError> {
        let Some(enumerated) = enumerate(game, plies, games, progress)? else { return Ok(None) };
        let Self { prefix, mut strata, .. } = enumerated;
        let count = strata.len() as u64;
        if count > games {
            return Err(PrefixError::TooFewWalks { plies, strata: count, games });
        }
        let mut generator = stream(seed, PILOT_STREAM);
        let mut scratch = Vec::new();
        let (least, most) = PILOT;
        let walks = (games * PILOT_REPLICATES / count.max(1)).clamp(least, most);
        let mut seen: Vec<(Scaled, Scaled)> = Vec::with_capacity(strata.len());
        for Stratum { position, paths, .. } in &strata {
            if progress.stopped() {
                return Ok(None);
            }
            let (mean, deviation) = pilot(game, position, walks, &mut generator, &mut scratch);
            let paths = Scaled::from(*paths);
            seen.push((mean * paths, deviation * paths));
        }
        let sum = |of: fn(&(Scaled, Scaled)) -> Scaled| {
            seen.iter().fold(Scaled::ZERO, |sum, one| sum + of(one))
        };
        let (means, deviations) = (sum(|one| one.0), sum(|one| one.1));
        let share = |(mean, deviation): &(Scaled, Scaled)| {
            let by_mean = (*mean / means).to_f64();
            // With no deviation seen anywhere, only the means count.
            match deviations == Scaled::ZERO {
                true => by_mean,
                false => {
                    let by_deviation = (*deviation / deviations).to_f64();
                    BY_DEVIATION * by_deviation + (1.0 - BY_DEVIATION) * by_mean
                }
            }
        };
        let spare = games - count;
        let (mut so_far, mut given) = (0.0, 0);
        for (stratum, one) in strata.iter_mut().zip(&seen) {
            so_far += share(one);
            let until = ((spare as f64 * so_far) as u64).clamp(given, spare);
            stratum.walks = 1 + until - given;
            given = until;
        }
        if let Some(last) = strata.last_mut() {
            last.walks += spare - given;
        }
        Ok(Some(Self { games, prefix, strata }))
    }
}

/// The exact part of the sums and the positions after `plies` plies, in a fixed order; no walks yet.
/// `None` when stopped.
fn enumerate<G: Scored>(
    game: &G,
    plies: u32,
    games: u64,
    progress: &dyn Progress,
) -> Result<Option<Stratified<G::Position>>, PrefixError> {
    let mut exact = Term { nodes: 1.0, ..Term::default() };
    let mut scratch = Vec::new();
    let root = Stratum { position: game.initial(), plies: 0, paths: 1.0, walks: 0 };
    let mut strata = vec![root];
    for made in 0..=plies {
        let mut next: Vec<Stratum<G::Position>> = Vec::new();
        let mut known = FxHashMap::default();
        if strata.is_empty() {
            break;
        }
        for stratum in &strata {
            if progress.stopped() {
                return Ok(None);
            }
            let Stratum { position, plies: length, paths, .. } = stratum;
            let mobility = game.mobility(position, &mut scratch);
            if mobility == 0 {
                exact.end(*paths, *length, game.outcome(position));
            }
            if made == plies {
                continue;
            }
            let length = length + u32::from(game.counts_as_ply(position));
            exact.nodes += paths * mobility as f64;
            for nth in 0..mobility {
                let mut after = position.clone();
                game.play_nth(&mut after, nth, &mut scratch);
                let at = *known.entry((after.clone(), length)).or_insert(next.len());
                if let Some(same) = next.get_mut(at) {
                    same.paths += paths;
                } else if next.len() == MOST_STRATA {
                    return Err(PrefixError::TooLarge { plies });
                } else {
                    let paths = *paths;
                    next.push(Stratum { position: after, plies: length, paths, walks: 0 });
                }
            }
        }
        if made < plies {
            strata = next;
        }
    }
    if !(exact.nodes.is_finite() && exact.zn.is_finite()) {
        return Err(PrefixError::TooManyNodes { plies });
    }
    strata.retain(|stratum| game.mobility(&stratum.position, &mut scratch) > 0);
    Ok(Some(Stratified { games, prefix: exact, strata }))
}

/// Mean and standard deviation of the weight of a walk from `position`, as far as `walks` walks tell.
fn pilot<G: Scored>(
    game: &G,
    position: &G::Position,
    walks: u64,
    generator: &mut Xoshiro256PlusPlus,
    scratch: &mut Vec<G::Move>,
) -> (Scaled, Scaled) {
    let weights: Vec<Scaled> = (0..walks)
        .map(|_| walk_from(game, position.clone(), generator, scratch).weight())
        .collect();
    let count = Scaled::from(walks as f64);
    let mean = weights.iter().fold(Scaled::ZERO, |sum, weight| sum + *weight) / count;
    let squares = weights.iter().fold(Scaled::ZERO, |sum, weight| {
        let off = *weight - mean;
        sum + off * off
    });
    (mean, (squares / count).sqrt())
}

impl<G: Scored> Estimator<G> for Stratified<G::Position> {
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
        if progress.stopped() {
            return None;
        }
        let mut sums = Sums::new();
        sums.add(&self.prefix);
        let mut unreported = 0;
        for Stratum { position, plies, paths, walks } in &self.strata {
            let share = Scaled::from(paths / *walks as f64);
            for _ in 0..*walks {
                let walk = walk_from(game, position.clone(), generator, scratch);
                // The root of the walk is a node of the prefix.
                let nodes = walk.nodes - scale(1.0, -walk.exponent);
                let mut term = Term { nodes, exponent: walk.exponent, ..Term::default() };
                term.end(walk.weight, plies + walk.plies, walk.outcome);
                sums.add(&term.times(share));
            }
            unreported += walks;
            if unreported >= STRIDE {
                if progress.stopped() {
                    return None;
                }
                progress.advance(std::mem::take(&mut unreported));
            }
        }
        progress.advance(unreported);
        let mut replicate = Replicate { games: self.games, ..sums.mean_of(1) };
        if self.strata.is_empty() {
            replicate.least_ess = f64::INFINITY;
        }
        Some(replicate)
    }
}
