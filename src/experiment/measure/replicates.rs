//! Measure `tree-size` by replicates: a row of `batches.csv` for each, and the estimates they give.
//!
//! The estimates of a row are in units of `2^scale`, written with the shortest digits that read back
//! to the same `f64`.

use super::tree_size::digits;
use super::{Effort, MeasureError, Sink, number, unfinished};
use crate::experiment::journal::{Entry, JournalError};
use crate::experiment::provenance::check_memory;
use crate::experiment::quantity::Quantity;
use crate::experiment::spec::Plan;
use crate::game::Playable;
use crate::games::catalog::Visitor;
use crate::tree_size::{
    Replicate, ReplicateError, ReplicateEstimate, ReplicatePlan, ReplicateSummary, RunError,
    Scaled, population_bytes, run_replicates,
};

/// The columns of `batches.csv` for replicates, after those of every measure.
pub const COLUMNS: [&str; 11] = [
    "games",
    "scale",
    "z",
    "zn",
    "first",
    "second",
    "draws",
    "nodes",
    "resamplings",
    "least_ess",
    "largest_share",
];

/// The relative standard errors for which the needed replicates are told, with their names.
const WANTED: [(&str, f64); 2] =
    [("replicates_to_0.1_percent", 1e-3), ("replicates_to_0.02_percent", 2e-4)];

pub(super) fn compute(
    plan: &Plan,
    sample: &ReplicatePlan,
    done: usize,
    how: Effort,
    sink: Sink,
) -> Result<(), MeasureError> {
    let per_game = sample.replicates();
    for (case, first) in unfinished(&plan.cases, per_game, done) {
        let label = &case.label;
        case.game.visit(Replicates { label, sample, first, how, sink: &mut *sink })?;
    }
    Ok(())
}

struct Replicates<'a> {
    label: &'a str,
    sample: &'a ReplicatePlan,
    first: u64,
    how: Effort<'a>,
    sink: Sink<'a>,
}

impl Visitor for Replicates<'_> {
    type Output = Result<(), MeasureError>;

    fn visit<G: Playable>(self, game: &G) -> Self::Output {
        let range = self.first..self.sample.replicates();
        let wanted = range.end - range.start;
        let Effort { threads, progress, .. } = self.how;
        check_memory("a population", population_bytes::<G>(self.sample, threads))
            .map_err(|problem| MeasureError::failed(self.label, problem))?;
        let made = run_replicates(game, self.sample, range, threads, progress, |one| {
            (self.sink)(entry_of(self.label, &one))
        });
        match made {
            Ok(made) if made == wanted => Ok(()),
            Ok(_) => Err(MeasureError::Stopped),
            Err(ReplicateError::Run(RunError::Sink(error))) => Err(MeasureError::from(error)),
            Err(error) => Err(MeasureError::failed(
                self.label,
                ReplicateError::<JournalError>::to_string(&error),
            )),
        }
    }
}

fn entry_of(label: &str, one: &Replicate) -> Entry {
    let scale = one.z.exponent();
    let estimates = [one.z, one.zn, one.first, one.second, one.draws, one.nodes];
    let mut fields = vec![one.games.to_string(), scale.to_string()];
    fields.extend(
        estimates.map(|sum| digits(Scaled::new(sum.mantissa(), sum.exponent() - scale).to_f64())),
    );
    fields.push(one.resamplings.to_string());
    fields.extend([one.least_ess, one.largest_share].map(digits));
    Entry { game: label.to_owned(), batch: one.index, fields, bins: Vec::new() }
}

/// The replicate that a row of `batches.csv` describes.
///
/// # Errors
/// Names the field that is none.
pub fn replicate_of(entry: &Entry) -> Result<Replicate, MeasureError> {
    let scale = number::<i64>(entry, 1, "whole number")?;
    let plain = |column| number::<f64>(entry, column, "number");
    let estimate = |column| Ok::<_, MeasureError>(Scaled::new(plain(column)?, scale));
    Ok(Replicate {
        index: entry.batch,
        games: number(entry, 0, "whole number")?,
        z: estimate(2)?,
        zn: estimate(3)?,
        first: estimate(4)?,
        second: estimate(5)?,
        draws: estimate(6)?,
        nodes: estimate(7)?,
        resamplings: number(entry, 8, "whole number")?,
        least_ess: plain(9)?,
        largest_share: plain(10)?,
    })
}

pub(super) fn summarise(plan: &Plan, entries: &[Entry]) -> Result<Vec<Quantity>, MeasureError> {
    let mut quantities = Vec::new();
    for case in &plan.cases {
        let of_case = entries.iter().filter(|entry| entry.game == case.label);
        let replicates: Vec<Replicate> =
            of_case.map(replicate_of).collect::<Result<_, MeasureError>>()?;
        let summary = ReplicateSummary::of(&replicates, plan.confidence)
            .map_err(|error| MeasureError::failed(&case.label, error))?;
        quantities.extend(quantities_of(&case.label, &summary));
    }
    if plan.replicates.is_some_and(|sample| sample.method().is_of_sensible_games()) {
        for quantity in &mut quantities {
            let named = SENSIBLE.iter().find(|name| plain_name(name) == quantity.quantity);
            if let Some(name) = named {
                quantity.quantity = (*name).to_owned();
            }
        }
    }
    Ok(quantities)
}

/// The quantities that are numbers and not among those of batches.
pub(super) const NUMBERS: [&str; 12] = [
    "replicates",
    "gts_logarithmic",
    "gts_bootstrap",
    "relative_error",
    "effective_replicates",
    "largest_replicate_share",
    "resamplings",
    "least_effective_particles",
    "median_effective_particles",
    "variance_of_replicates",
    "replicates_to_0.1_percent",
    "replicates_to_0.02_percent",
];

/// The estimates over sensible games, which are a part of the games that their plain names speak of.
pub(super) const SENSIBLE: [&str; 9] = [
    "sensible_gts",
    "sensible_gts_logarithmic",
    "sensible_gts_bootstrap",
    "sensible_log10_gts",
    "sensible_nodes",
    "sensible_agl",
    "sensible_first_wins",
    "sensible_second_wins",
    "sensible_draws",
];

/// What an estimate is called where it is over all games.
pub fn plain_name(quantity: &str) -> &str {
    quantity.strip_prefix("sensible_").unwrap_or(quantity)
}

/// The rows of `summary.csv` that show `summary`.
fn quantities_of(label: &str, summary: &ReplicateSummary) -> Vec<Quantity> {
    let plain =
        |quantity: &str, unit: &str, value: String| Quantity::exact(label, quantity, unit, value);
    let option = |value: Option<f64>| value.map(digits).unwrap_or_default();
    let size = |value: Scaled| format!("{value:.15e}");
    let gts = &summary.gts;
    let mut rows = vec![
        plain("walks", "games", summary.games.to_string()),
        plain("replicates", "", summary.replicates.to_string()),
        plain("confidence", "", digits(summary.confidence)),
        estimated(label, "gts", "games", gts, size),
        estimated(
            label,
            "gts_logarithmic",
            "games",
            &ReplicateEstimate { interval: gts.log_interval, ..*gts },
            size,
        ),
        estimated(
            label,
            "gts_bootstrap",
            "games",
            &ReplicateEstimate { interval: gts.bootstrap, ..*gts },
            size,
        ),
        plain("log10_gts", "", digits(gts.value.log10())),
        estimated(label, "nodes", "nodes", &summary.nodes, size),
    ];
    let ratios = [
        ("agl", "plies", &summary.agl),
        ("first_wins", "rate", &summary.first_rate),
        ("second_wins", "rate", &summary.second_rate),
        ("draws", "rate", &summary.draw_rate),
    ];
    rows.extend(
        ratios.map(|(name, unit, estimate)| estimated(label, name, unit, estimate, digits)),
    );
    rows.extend([
        plain("relative_error", "", option(summary.relative_error)),
        plain("variance_of_replicates", "", option(summary.relative_variance)),
        plain("effective_replicates", "", digits(summary.effective_replicates)),
        plain("largest_replicate_share", "rate", digits(summary.largest_share)),
        plain("largest_weight_share", "rate", digits(summary.largest_weight_share)),
        plain("resamplings", "", digits(summary.mean_resamplings)),
        plain("least_effective_particles", "games", digits(summary.least_ess)),
        plain("median_effective_particles", "games", digits(summary.median_ess)),
        plain("pareto_k_hat", "", option(summary.k_hat)),
    ]);
    rows.extend(WANTED.map(|(name, error)| {
        let needed = summary.replicates_for(error).map(|needed| needed.to_string());
        plain(name, "", needed.unwrap_or_default())
    }));
    rows.push(plain("verdict", "", summary.verdict.to_string()));
    rows
}

fn estimated<T: Copy>(
    label: &str,
    quantity: &str,
    unit: &str,
    estimate: &ReplicateEstimate<T>,
    text: impl Fn(T) -> String,
) -> Quantity {
    let option = |value: Option<T>| value.map(&text).unwrap_or_default();
    Quantity {
        standard_error: option(estimate.standard_error),
        low: option(estimate.interval.map(|(low, _)| low)),
        high: option(estimate.interval.map(|(_, high)| high)),
        ..Quantity::exact(label, quantity, unit, text(estimate.value))
    }
}
