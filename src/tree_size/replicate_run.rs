//! Replicates: independent unbiased estimates of the sums over all games, by any method, made in
//! parallel and in order.
//!
//! Replicate `r` draws from the Xoshiro256++ stream that the seed starts, advanced by `r` jumps of
//! 2^128 draws, so the number of threads changes no digit.

use std::convert::Infallible;
use std::ops::Range;

use thiserror::Error;

use super::leaf::LeafRaoBlackwell;
use super::method::{Method, ParameterError};
use super::policy::Policy;
use super::replicate::{Estimator, Replicate};
use super::sensible::Sensible;
use super::smc::{Smc, Space};
use super::stratified::{PrefixError, Stratified};
use super::uniform::Uniform;
use crate::game::{Progress, Scored};
use crate::stream::{RunError, Streams, Threads, in_order};

/// Which replicates are made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReplicatePlan {
    method: Method,
    games: u64,
    replicates: u64,
    seed: u64,
}

/// A plan that cannot be carried out.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum ReplicatePlanError {
    /// No replicates, or too many.
    #[error("replicates {replicates} (allowed: 1 to {MOST_REPLICATES})")]
    Replicates {
        /// Replicates asked for.
        replicates: u64,
    },
    /// No walks, or too many.
    #[error("games {games} in a replicate (allowed: 1 to {MOST_GAMES})")]
    Games {
        /// Walks asked for.
        games: u64,
    },
    /// No particles, or too many.
    #[error("particles {particles} (allowed: 1 to {MOST_PARTICLES})")]
    Particles {
        /// Particles asked for.
        particles: u64,
    },
    /// A parameter of the method that makes no sense.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
}

/// The most replicates.
pub const MOST_REPLICATES: u64 = 100_000;

/// The most walks of a replicate.
pub const MOST_GAMES: u64 = 1 << 40;

/// The most particles of a population.
pub const MOST_PARTICLES: u64 = 1 << 24;

impl ReplicatePlan {
    /// `replicates` replicates of `games` walks or particles each by `method`, drawn from `seed`.
    ///
    /// # Errors
    /// When there is nothing to do or a parameter of the method makes no sense.
    pub fn new(
        method: Method,
        games: u64,
        replicates: u64,
        seed: u64,
    ) -> Result<Self, ReplicatePlanError> {
        if !(1..=MOST_REPLICATES).contains(&replicates) {
            return Err(ReplicatePlanError::Replicates { replicates });
        }
        method.check()?;
        match method {
            _ if method.has_particles() && !(1..=MOST_PARTICLES).contains(&games) => {
                Err(ReplicatePlanError::Particles { particles: games })
            }
            _ if !(1..=MOST_GAMES).contains(&games) => Err(ReplicatePlanError::Games { games }),
            _ => Ok(Self { method, games, replicates, seed }),
        }
    }

    /// The method.
    pub fn method(&self) -> Method {
        self.method
    }

    /// Walks or particles of a replicate.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// The number of replicates.
    pub fn replicates(&self) -> u64 {
        self.replicates
    }

    /// The seed.
    pub fn seed(&self) -> u64 {
        self.seed
    }
}

/// Why replicates were not made.
#[derive(Debug, Error)]
pub enum ReplicateError<E> {
    /// The threads or the receiver failed.
    #[error(transparent)]
    Run(#[from] RunError<E>),
    /// The prefix of a stratified sample cannot be enumerated.
    #[error(transparent)]
    Prefix(#[from] PrefixError),
}

/// Makes the replicates `range` of `plan` on `threads` threads and hands each to `sink`, in order.
///
/// The replicates depend on the game, the plan and their number only. `progress` advances by walks
/// or particles. When it says stop, the replicates in work are dropped; those handed out are whole
/// and without a gap. Returns the number of replicates handed out; those of `range` beyond the
/// plan's last are not made.
///
/// # Errors
/// The first error of `sink`, after which nothing more is handed out; no threads; or a prefix that
/// is too large.
pub fn run_replicates<G: Scored, E>(
    game: &G,
    plan: &ReplicatePlan,
    range: Range<u64>,
    threads: usize,
    progress: &dyn Progress,
    sink: impl FnMut(Replicate) -> Result<(), E>,
) -> Result<u64, ReplicateError<E>> {
    let run = Run { game, plan, range: range.start..range.end.min(plan.replicates), threads };
    let games = plan.games;
    match plan.method {
        Method::Uniform => run.make(&Uniform { games }, progress, sink),
        Method::LeafRaoBlackwell => run.make(&LeafRaoBlackwell { games }, progress, sink),
        Method::Smc { threshold } => {
            run.make(&Smc { particles: games, threshold, outlook: None }, progress, sink)
        }
        Method::SensibleSmc { threshold, look_ahead, margin } => {
            let Run { plan, range, threads, .. } = run;
            let run = Run { game: &Sensible { game, look_ahead, margin }, plan, range, threads };
            run.make(&Smc { particles: games, threshold, outlook: None }, progress, sink)
        }
        Method::TwistedSmc { threshold, pilots } => {
            match Smc::learned(game, games, threshold, pilots, plan.seed, progress) {
                Some(smc) => run.make(&smc, progress, sink),
                None => Ok(0),
            }
        }
        Method::Stratified { plies } => {
            match Stratified::new(game, plies, games, plan.seed, progress)? {
                Some(stratified) => run.make(&stratified, progress, sink),
                None => Ok(0),
            }
        }
        Method::Policy { temperature, look_ahead, margin } => {
            run.make(&Policy { games, temperature, look_ahead, margin }, progress, sink)
        }
    }
}

/// The bytes that the populations of `plan` take at least on `threads` threads; 0 for walks.
pub fn population_bytes<G: Scored>(plan: &ReplicatePlan, threads: usize) -> u64 {
    let at_once = plan.replicates.min(threads as u64);
    match plan.method.has_particles() {
        true => at_once * Space::<G>::bytes(plan.games),
        false => 0,
    }
}

/// Every replicate of `plan`; `None` when stopped.
///
/// # Errors
/// When the prefix of a stratified sample is too large.
///
/// # Panics
/// When the threads cannot be started.
pub fn sample_replicates<G: Scored>(
    game: &G,
    plan: &ReplicatePlan,
    threads: usize,
    progress: &dyn Progress,
) -> Result<Option<Vec<Replicate>>, PrefixError> {
    let mut replicates = Vec::new();
    let made = run_replicates(game, plan, 0..plan.replicates, threads.max(1), progress, |one| {
        replicates.push(one);
        Ok::<(), Infallible>(())
    });
    match made {
        Ok(made) => Ok((made == plan.replicates).then_some(replicates)),
        Err(ReplicateError::Prefix(error)) => Err(error),
        Err(ReplicateError::Run(error)) => {
            panic!("the threads of a sample can be started: {error}")
        }
    }
}

struct Run<'a, G> {
    game: &'a G,
    plan: &'a ReplicatePlan,
    range: Range<u64>,
    threads: usize,
}

impl<G: Scored> Run<'_, G> {
    fn make<E>(
        self,
        estimator: &impl Estimator<G>,
        progress: &dyn Progress,
        sink: impl FnMut(Replicate) -> Result<(), E>,
    ) -> Result<u64, ReplicateError<E>> {
        let Self { game, plan, range, threads } = self;
        let made = in_order(
            range,
            Threads { threads, waiting: 64 },
            || (estimator.space(), Streams::new(plan.seed)),
            |(space, streams), index| {
                let made = estimator.replicate(game, &mut streams.of(index), space, progress);
                made.map(|replicate| Replicate { index, ..replicate })
            },
            sink,
        );
        Ok(made?)
    }
}
