//! Measure `estimators`: how well the methods of estimation do; batch `k` of a game is its `k`-th method.
//!
//! A method makes `repetitions` estimates of the number of games, each from `replicates` replicates of
//! its own. Where the number is known exactly, each kind of interval of each estimate covers it or does not;
//! all replicates together give the relative variance of one, and what they cost.

use super::{Cost, Effort, MeasureError, Sink, exact, number, parse, unfinished};
use crate::engine::key::mix;
use crate::experiment::journal::Entry;
use crate::experiment::provenance::{Clock, check_memory};
use crate::experiment::quantity::Quantity;
use crate::experiment::spec::{Case, Plan, Study};
use crate::game::{Outcome, Playable};
use crate::games::catalog::Visitor;
use crate::tree_size::{
    Exact, Method, Replicate, ReplicateError, ReplicatePlan, ReplicateSummary, ReplicateVerdict,
    Scaled, population_bytes, run_replicates,
};

pub(super) const COLUMNS: [&str; 24] = [
    "method",
    "games",
    "replicates",
    "repetitions",
    "gts",
    "truth",
    "deviation",
    "relative_variance",
    "relative_variance_error",
    "covered_t",
    "covered_log",
    "covered_bootstrap",
    "trusted",
    "trusted_covered_t",
    "trusted_covered_log",
    "trusted_covered_bootstrap",
    "agl_given",
    "agl_covered",
    "first_given",
    "first_covered",
    "second_given",
    "second_covered",
    "draws_given",
    "draws_covered",
];

/// What the summary says of each method on each game.
pub(super) const QUANTITIES: [&str; 14] = [
    "gts",
    "deviation",
    "relative_variance",
    "coverage_t",
    "coverage_log",
    "coverage_bootstrap",
    "trusted",
    "trusted_coverage_t",
    "trusted_coverage_log",
    "trusted_coverage_bootstrap",
    "trusted_coverage_agl",
    "trusted_coverage_first_wins",
    "trusted_coverage_second_wins",
    "trusted_coverage_draws",
];

/// Mean length and rates.
const RATIOS: usize = 4;

/// The kinds of intervals, in the order of the columns.
const KINDS: usize = 3;

/// What the estimates of `game` by the method called `method` are called in the summary.
pub fn label(game: &str, method: &str) -> String {
    format!("{game}-{method}")
}

pub(super) fn compute(
    plan: &Plan,
    done: usize,
    how: Effort,
    sink: Sink,
) -> Result<(), MeasureError> {
    let study = plan.study.as_ref().expect("a plan of this measure has a study");
    let methods = study.methods.len() as u64;
    for (case, first) in unfinished(&plan.cases, methods, done) {
        let truth = match study.exact {
            true => {
                let found = exact::count(&case.label, &case.game, plan.max_positions, how)?;
                Some(Truth::of(&found))
            }
            false => None,
        };
        let seed = plan.spec.seed.expect("the spec was checked for a seed");
        for (batch, method) in (0..).zip(&study.methods).skip(first as usize) {
            let job =
                Job { case, study, method: *method, games: case.games, batch, seed, truth, how };
            sink(case.game.visit(job)?)?;
        }
    }
    Ok(())
}

/// One method on one game.
struct Job<'a> {
    case: &'a Case,
    study: &'a Study,
    method: Method,
    games: u64,
    batch: u64,
    seed: u64,
    truth: Option<Truth>,
    how: Effort<'a>,
}

/// What is known exactly.
#[derive(Clone, Copy)]
struct Truth {
    gts: u128,
    /// The mean length and the rates of results, in the order of the columns.
    ratios: [f64; RATIOS],
}

impl Truth {
    fn of(found: &Exact) -> Self {
        let rate = |outcome| found.rate(outcome);
        let [first, second, draws] =
            [Outcome::FirstWins, Outcome::SecondWins, Outcome::Draw].map(rate);
        Self { gts: found.total_games(), ratios: [found.agl(), first, second, draws] }
    }
}

impl Visitor for Job<'_> {
    type Output = Result<Entry, MeasureError>;

    fn visit<G: Playable>(self, game: &G) -> Self::Output {
        let Self { case, study, how, .. } = self;
        let failed = |problem: &dyn std::fmt::Display| MeasureError::failed(&case.label, problem);
        let clock = Clock::start();
        let wanted = study.repetitions * study.replicates;
        let plan = ReplicatePlan::new(self.method, self.games, wanted, self.own_seed())
            .map_err(|error| failed(&error))?;
        check_memory("a population", population_bytes::<G>(&plan, how.threads))
            .map_err(|problem| failed(&problem))?;
        let mut replicates: Vec<Replicate> = Vec::with_capacity(wanted as usize);
        let made = run_replicates(game, &plan, 0..wanted, how.threads, how.progress, |one| {
            replicates.push(one);
            Ok::<(), std::convert::Infallible>(())
        });
        let made = made.map_err(|error: ReplicateError<_>| failed(&error))?;
        if made < wanted {
            return Err(MeasureError::Stopped);
        }
        if let Some(costs) = how.costs {
            let cost = Cost::of(&case.label, &clock)
                .with("method", self.method.name())
                .with("games", self.games)
                .with("replicates", wanted);
            costs(cost);
        }
        let mut covered = Covered::default();
        for repetition in replicates.chunks(study.replicates as usize) {
            let summary = ReplicateSummary::of(repetition, study.confidence)
                .map_err(|error| failed(&error))?;
            covered.add(&summary, self.truth);
        }
        let all =
            ReplicateSummary::of(&replicates, study.confidence).map_err(|error| failed(&error))?;
        Ok(self.entry(&replicates, &all, &covered))
    }
}

impl Job<'_> {
    /// A seed for this game and method alone.
    fn own_seed(&self) -> u64 {
        let name = format!("{} {}", self.case.label, self.method);
        name.bytes().fold(self.seed, |hash, byte| mix(hash ^ u64::from(byte)))
    }

    fn entry(&self, replicates: &[Replicate], all: &ReplicateSummary, covered: &Covered) -> Entry {
        let value = all.gts.value;
        let (variance, error) = relative_variance(replicates, value);
        let truth = self.truth.map(|truth| truth.gts);
        let deviation = truth.and_then(|truth| {
            let error = all.gts.standard_error.filter(|error| *error > Scaled::ZERO)?;
            Some(((value - Scaled::from(truth)) / error).to_f64())
        });
        let mut fields = vec![
            self.method.to_string(),
            self.games.to_string(),
            self.study.replicates.to_string(),
            self.study.repetitions.to_string(),
            format!("{value:.15e}"),
            truth.map(|truth| truth.to_string()).unwrap_or_default(),
            deviation.map(|deviation| deviation.to_string()).unwrap_or_default(),
            variance.to_string(),
            error.to_string(),
        ];
        let counts = |counts: [u64; KINDS]| {
            counts.map(|count| if truth.is_some() { count.to_string() } else { String::new() })
        };
        fields.extend(counts(covered.all));
        fields.push(covered.trusted.to_string());
        fields.extend(counts(covered.trusted_covered));
        for (given, covers) in covered.ratios {
            let text = |count: u64| truth.map(|_| count.to_string()).unwrap_or_default();
            fields.extend([given, covers].map(text));
        }
        Entry { game: self.case.label.clone(), batch: self.batch, fields, bins: Vec::new() }
    }
}

/// How many intervals hold the truth.
#[derive(Default)]
struct Covered {
    all: [u64; KINDS],
    trusted: u64,
    trusted_covered: [u64; KINDS],
    /// Of mean length and rates, with trusted estimates: how many have an interval, and how many of
    /// these cover.
    ratios: [(u64, u64); RATIOS],
}

impl Covered {
    fn add(&mut self, summary: &ReplicateSummary, truth: Option<Truth>) {
        let trusted = summary.verdict == ReplicateVerdict::Trusted;
        self.trusted += u64::from(trusted);
        let Some(Truth { gts: truth, ratios }) = truth else { return };
        let truth = Scaled::from(truth);
        let gts = &summary.gts;
        let intervals = [gts.interval, gts.log_interval, gts.bootstrap];
        for (kind, interval) in intervals.into_iter().enumerate() {
            let covers = interval.is_some_and(|(low, high)| low <= truth && truth <= high);
            self.all[kind] += u64::from(covers);
            self.trusted_covered[kind] += u64::from(covers && trusted);
        }
        if !trusted {
            return;
        }
        let found = [&summary.agl, &summary.first_rate, &summary.second_rate, &summary.draw_rate];
        for (((given, covers), found), truth) in self.ratios.iter_mut().zip(found).zip(ratios) {
            if let Some((low, high)) = found.interval {
                *given += 1;
                *covers += u64::from(low <= truth && truth <= high);
            }
        }
    }
}

/// The variance of one replicate over the square of the mean, and its standard error.
fn relative_variance(replicates: &[Replicate], mean: Scaled) -> (f64, f64) {
    let count = replicates.len() as f64;
    let squares: Vec<f64> =
        replicates.iter().map(|replicate| ((replicate.z - mean) / mean).to_f64().powi(2)).collect();
    let variance = squares.iter().sum::<f64>() / (count - 1.0).max(1.0);
    let spread = squares.iter().map(|square| (square - variance).powi(2)).sum::<f64>();
    (variance, (spread / (count * (count - 1.0)).max(1.0)).sqrt())
}

/// Student's 1.96: counts of repetitions are large.
const NORMAL: f64 = 1.959_963_984_540_054;

/// A share of `all` with the Wilson interval.
fn share(game: &str, name: &str, count: u64, all: u64) -> Option<Quantity> {
    if all == 0 {
        return None;
    }
    let (count, all) = (count as f64, all as f64);
    let p = count / all;
    let z2 = NORMAL * NORMAL;
    let middle = (p + z2 / (2.0 * all)) / (1.0 + z2 / all);
    let half = NORMAL * (p * (1.0 - p) / all + z2 / (4.0 * all * all)).sqrt() / (1.0 + z2 / all);
    Some(Quantity {
        standard_error: (p * (1.0 - p) / all).sqrt().to_string(),
        low: (middle - half).to_string(),
        high: (middle + half).to_string(),
        ..Quantity::exact(game, name, "rate", p)
    })
}

pub(super) fn summarise(plan: &Plan, entries: &[Entry]) -> Result<Vec<Quantity>, MeasureError> {
    let study = plan.study.as_ref().expect("a plan of this measure has a study");
    let mut quantities = Vec::new();
    for entry in entries {
        let method = study.methods[entry.batch as usize];
        let game = label(&entry.game, method.name());
        let repetitions: u64 = number(entry, 3, "number of repetitions")?;
        let fields = &entry.fields;
        let exact = |name: &str, unit: &str, value: &str| Quantity::exact(&game, name, unit, value);
        quantities.push(exact("gts", "games", &fields[4]));
        if !fields[6].is_empty() {
            quantities.push(exact("deviation", "standard errors", &fields[6]));
        }
        let (variance, error): (f64, f64) =
            (number(entry, 7, "variance")?, number(entry, 8, "standard error")?);
        quantities.push(Quantity {
            standard_error: error.to_string(),
            low: (variance - NORMAL * error).max(0.0).to_string(),
            high: (variance + NORMAL * error).to_string(),
            ..exact("relative_variance", "", &variance.to_string())
        });
        let trusted: u64 = number(entry, 12, "number of estimates")?;
        let of = |first: usize, names: [&str; KINDS], all: u64| {
            let mut shares = Vec::new();
            for (column, name) in (first..).zip(names) {
                if !fields[column].is_empty() {
                    let count = parse(entry, &fields[column], "number of estimates")?;
                    shares.extend(share(&game, name, count, all));
                }
            }
            Ok::<_, MeasureError>(shares)
        };
        quantities.extend(of(9, [QUANTITIES[3], QUANTITIES[4], QUANTITIES[5]], repetitions)?);
        quantities.extend(share(&game, "trusted", trusted, repetitions));
        quantities.extend(of(13, [QUANTITIES[7], QUANTITIES[8], QUANTITIES[9]], trusted)?);
        for (column, name) in (16..).step_by(2).zip(&QUANTITIES[10..]) {
            if !fields[column].is_empty() {
                let given = number(entry, column, "number of estimates")?;
                let covers = number(entry, column + 1, "number of estimates")?;
                quantities.extend(share(&game, name, covers, given));
            }
        }
    }
    Ok(quantities)
}
