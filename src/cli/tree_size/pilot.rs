//! Choosing a method by a pilot run: which one needs the least time for the same error.
//!
//! The pilot measures the relative variance of replicates times the processor time that one takes:
//! for any error the time needed is in proportion to it. What is chosen depends on the machine; what
//! is then run with it does not.

use std::convert::Infallible;

use crate::cli::failure::{Failure, Result};
use crate::cli::talk::Talk;
use crate::experiment::provenance::Clock;
use crate::game::{Playable, Progress};
use crate::games::catalog::{GameSpec, Visitor};
use crate::tree_size::{
    Method, ReplicatePlan, ReplicateSummary, ReplicateVerdict, Scaled, run_replicates,
};

/// Replicates of each method.
const REPLICATES: u64 = 40;
/// Games of each replicate, at first; more where they take no time that a clock can tell.
const GAMES: u64 = 256;
/// The least seconds that tell a speed.
const SECONDS: f64 = 0.2;
/// Makes another seed of that of the run, whose numbers should not be those that chose its method.
const PILOT_SEED: u64 = 0x0070_696c_6f74;
/// The most games of a replicate.
const MOST_GAMES: u64 = 1 << 16;

/// The method that needs the least time for the same error on `game`.
///
/// # Errors
/// When no method gives any error, and when interrupted.
pub(super) fn choose(game: &GameSpec, seed: u64, talk: &Talk) -> Result<Method> {
    let mut found: Vec<(Method, Pilot)> = Vec::new();
    for method in Method::ALL {
        let watch = talk.watch(&format!("pilot of {}", method.name()), None, "games");
        let pilot = game.visit(Run { method, seed, progress: &watch });
        if watch.stopped() {
            return Err(Failure::Stopped("interrupted".into()));
        }
        drop(watch);
        let Some(pilot) = pilot else {
            talk.line(&format!("pilot: {} is not possible here", method.name()));
            continue;
        };
        match pilot.verdict {
            ReplicateVerdict::Trusted => talk.line(&format!(
                "pilot: {} needs {:.3e} CPU-seconds for a relative standard error of 1 %",
                method.name(),
                pilot.cost / 1e-4
            )),
            ReplicateVerdict::Exact | ReplicateVerdict::NotTrusted(_) => {
                talk.line(&format!("pilot: {}, {}", method.name(), pilot.verdict));
            }
        }
        found.push((method, pilot));
    }
    let best = found
        .iter()
        .filter(|(_, pilot)| pilot.verdict.is_sound())
        .min_by(|(_, a), (_, b)| a.cost.total_cmp(&b.cost));
    if let Some((method, pilot)) = best {
        let why = match pilot.verdict {
            ReplicateVerdict::Exact => "no error at all",
            _ => "the least time for the same error",
        };
        talk.line(&format!("auto: {}, {why}", method.name()));
        return Ok(*method);
    }
    // What is not trusted has seen too little of the variance to be compared by it. Most estimates are
    // then too low: those that miss the least are the largest.
    let largest = found
        .iter()
        .max_by(|(_, a), (_, b)| a.gts.partial_cmp(&b.gts).unwrap_or(std::cmp::Ordering::Equal));
    let (method, _) = largest.ok_or_else(|| Failure::work("auto: no method is possible here"))?;
    talk.line(&format!(
        "auto: {}, the largest estimate, since no pilot can be trusted",
        method.name()
    ));
    Ok(*method)
}

/// What a pilot has found of a method.
struct Pilot {
    /// Relative variance of a replicate times its seconds.
    cost: f64,
    gts: Scaled,
    verdict: ReplicateVerdict,
}

struct Run<'a> {
    method: Method,
    seed: u64,
    progress: &'a dyn Progress,
}

impl Visitor for Run<'_> {
    type Output = Option<Pilot>;

    fn visit<G: Playable>(self, game: &G) -> Self::Output {
        let mut games = GAMES;
        loop {
            let seed = self.seed ^ PILOT_SEED;
            let plan = ReplicatePlan::new(self.method, games, REPLICATES, seed).ok()?;
            let clock = Clock::start();
            let mut replicates = Vec::new();
            let made = run_replicates(game, &plan, 0..REPLICATES, 1, self.progress, |one| {
                replicates.push(one);
                Ok::<(), Infallible>(())
            });
            let seconds = clock.seconds();
            if made.is_ok() && (seconds >= SECONDS || games >= MOST_GAMES) {
                let summary = ReplicateSummary::of(&replicates, 0.95).ok()?;
                let cost = summary.relative_variance? * seconds / REPLICATES as f64;
                return Some(Pilot { cost, gts: summary.gts.value, verdict: summary.verdict });
            }
            if games >= MOST_GAMES || self.progress.stopped() {
                return None;
            }
            // A prefix with more positions than games wants more games.
            games *= 4;
        }
    }
}
