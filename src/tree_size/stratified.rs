//! Replicates of walks stratified by what happens in their first plies.
//!
//! The positions after `plies` moves are enumerated with the number of ways to reach each; games that
//! end before are counted exactly. A pilot of walks from each position estimates the standard
//! deviation of their weights; the walks of a replicate are shared out in proportion to the number of
//! ways times that deviation (J. Neyman, *On the two different aspects of the representative method*,
//! J. Royal Stat. Soc. 97 (1934)), with at least one from each position. The pilot draws from a stream
//! of its own and is the same for all replicates.

use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::FxHashMap;
use thiserror::Error;

use super::replicate::{Estimator, Replicate};
use super::scaled::{Scaled, scale};
use super::sums::{Sums, Term};
use super::uniform::STRIDE;
use super::walk::walk_from;
use crate::game::{Progress, Scored};
use crate::stream::stream;

/// The most positions of a prefix.
pub const MOST_STRATA: usize = 1 << 20;

/// Walks of the pilot from each position.
const PILOT: u64 = 100;

/// The stream of the pilot, far from those of replicates.
const PILOT_STREAM: u64 = u64::MAX;

/// Why a prefix cannot be enumerated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PrefixError {
    /// Too many positions.
    #[error("more than {MOST_STRATA} positions within {plies} plies: choose a shorter prefix")]
    TooLarge {
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
    /// Enumerates `plies` plies of `game` and shares out `games` walks.
    pub(super) fn new<G: Scored<Position = P>>(
        game: &G,
        plies: u32,
        games: u64,
        seed: u64,
    ) -> Result<Self, PrefixError> {
        let Self { prefix, mut strata, .. } = enumerate(game, plies, games)?;
        let count = strata.len() as u64;
        if count > games {
            return Err(PrefixError::TooFewWalks { plies, strata: count, games });
        }
        let mut generator = stream(seed, PILOT_STREAM);
        let mut scratch = Vec::new();
        let deviations: Vec<Scaled> = strata
            .iter()
            .map(|stratum| {
                let deviation = pilot(game, &stratum.position, &mut generator, &mut scratch);
                deviation * Scaled::from(stratum.paths)
            })
            .collect();
        let all = deviations.iter().fold(Scaled::ZERO, |sum, one| sum + *one);
        // With no deviation seen anywhere, every position gets as many.
        let share = |deviation: &Scaled| match all == Scaled::ZERO {
            true => 1.0 / count as f64,
            false => (*deviation / all).to_f64(),
        };
        let spare = games - count;
        let (mut so_far, mut given) = (0.0, 0);
        for (stratum, deviation) in strata.iter_mut().zip(&deviations) {
            so_far += share(deviation);
            let until = ((spare as f64 * so_far) as u64).clamp(given, spare);
            stratum.walks = 1 + until - given;
            given = until;
        }
        if let Some(last) = strata.last_mut() {
            last.walks += spare - given;
        }
        Ok(Self { games, prefix, strata })
    }
}

/// The exact part of the sums and the positions after `plies` plies, in a fixed order; no walks yet.
fn enumerate<G: Scored>(
    game: &G,
    plies: u32,
    games: u64,
) -> Result<Stratified<G::Position>, PrefixError> {
    let mut exact = Term { nodes: 1.0, ..Term::default() };
    let mut scratch = Vec::new();
    let root = Stratum { position: game.initial(), plies: 0, paths: 1.0, walks: 0 };
    let mut strata = vec![root];
    for made in 0..=plies {
        let mut next: Vec<Stratum<G::Position>> = Vec::new();
        let mut known = FxHashMap::default();
        for stratum in &strata {
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
    strata.retain(|stratum| game.mobility(&stratum.position, &mut scratch) > 0);
    Ok(Stratified { games, prefix: exact, strata })
}

/// The standard deviation of the weight of a walk from `position`, as far as a few walks tell.
fn pilot<G: Scored>(
    game: &G,
    position: &G::Position,
    generator: &mut Xoshiro256PlusPlus,
    scratch: &mut Vec<G::Move>,
) -> Scaled {
    let weights: Vec<Scaled> = (0..PILOT)
        .map(|_| walk_from(game, position.clone(), generator, scratch).weight())
        .collect();
    let count = Scaled::from(PILOT as f64);
    let mean = weights.iter().fold(Scaled::ZERO, |sum, weight| sum + *weight) / count;
    let squares = weights.iter().fold(Scaled::ZERO, |sum, weight| {
        let off = *weight - mean;
        sum + off * off
    });
    (squares / count).sqrt()
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
        Some(Replicate { games: self.games, ..sums.mean_of(1) })
    }
}
