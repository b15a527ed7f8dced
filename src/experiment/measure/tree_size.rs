//! Measure `tree-size`: batches of weighted random games, and the estimates they give.
//!
//! A row of `batches.csv` is a [`Batch`]: sums of weights in units of `2^scale`, written with the
//! shortest digits that read back to the same `f64`.

use super::replicates;
use super::{Effort, MeasureError, Sink, number, parse, unfinished};
use crate::experiment::journal::{Entry, JournalError};
use crate::experiment::quantity::Quantity;
use crate::experiment::spec::Plan;
use crate::game::Playable;
use crate::games::catalog::Visitor;
use crate::tree_size::{
    Batch, Bin, BinKind, Estimate, Plan as Sample, RunError, Scaled, Summary, run_batches,
};

pub(super) const COLUMNS: [&str; 26] = [
    "trial",
    "games",
    "scale",
    "w",
    "w2",
    "wn",
    "w2n",
    "w2n2",
    "w_first",
    "w2_first",
    "w_second",
    "w2_second",
    "w_draw",
    "w2_draw",
    "nodes",
    "nodes2",
    "smallest",
    "largest",
    "tail_from",
    "plies",
    "plies2",
    "first",
    "second",
    "draws",
    "smallest_scale",
    "bins",
];

pub(super) fn compute(
    plan: &Plan,
    done: usize,
    how: Effort,
    sink: Sink,
) -> Result<(), MeasureError> {
    if let Some(sample) = &plan.replicates {
        return replicates::compute(plan, sample, done, how, sink);
    }
    let sample = plan.sample.as_ref().expect("a plan of this measure has a sample");
    let per_game = sample.total_batches();
    for (case, first) in unfinished(&plan.cases, per_game, done) {
        case.game.visit(Walks { label: &case.label, sample, first, how, sink: &mut *sink })?;
    }
    Ok(())
}

struct Walks<'a> {
    label: &'a str,
    sample: &'a Sample,
    first: u64,
    how: Effort<'a>,
    sink: Sink<'a>,
}

impl Visitor for Walks<'_> {
    type Output = Result<(), MeasureError>;

    fn visit<G: Playable>(self, game: &G) -> Self::Output {
        let range = self.first..self.sample.total_batches();
        let wanted = range.end - range.start;
        let Effort { threads, progress, .. } = self.how;
        let made = run_batches(game, self.sample, range, threads, progress, |batch| {
            (self.sink)(entry_of(self.label, &batch))
        });
        match made {
            Ok(made) if made == wanted => Ok(()),
            Ok(_) => Err(MeasureError::Stopped),
            Err(RunError::Sink(error)) => Err(MeasureError::from(error)),
            Err(error) => Err(MeasureError::Failed {
                game: self.label.to_owned(),
                problem: RunError::<JournalError>::to_string(&error),
            }),
        }
    }
}

fn entry_of(label: &str, batch: &Batch) -> Entry {
    let sums = [
        batch.w,
        batch.w2,
        batch.wn,
        batch.w2n,
        batch.w2n2,
        batch.w_first,
        batch.w2_first,
        batch.w_second,
        batch.w2_second,
        batch.w_draw,
        batch.w2_draw,
        batch.nodes,
        batch.nodes2,
        batch.smallest,
        batch.largest,
        batch.tail_from,
    ];
    let counts = [batch.plies, batch.plies2, batch.first, batch.second, batch.draws];
    let mut fields = vec![batch.trial.to_string(), batch.games.to_string()];
    fields.push(batch.scale.to_string());
    fields.extend(sums.iter().map(|sum| digits(*sum)));
    fields.extend(counts.iter().map(u64::to_string));
    fields.push(batch.smallest_scale.to_string());
    fields.push(batch.bins.len().to_string());
    let bin = |bin: &Bin| {
        [bin.kind.name().to_owned(), bin.bin.to_string(), bin.games.to_string(), digits(bin.weight)]
    };
    Entry {
        game: label.to_owned(),
        batch: batch.index,
        fields,
        bins: batch.bins.iter().map(bin).collect(),
    }
}

/// The batch that a row of `batches.csv` and its bins describe.
///
/// # Errors
/// Names the field that is none.
pub fn batch_of(entry: &Entry) -> Result<Batch, MeasureError> {
    let sum = |column| number::<f64>(entry, column, "number");
    let count = |column| number::<u64>(entry, column, "whole number");
    let bins = entry.bins.iter().map(|[kind, bin, games, weight]| {
        let unknown = || MeasureError::Unreadable {
            game: entry.game.clone(),
            batch: entry.batch,
            text: kind.clone(),
            what: "histogram",
        };
        Ok(Bin {
            kind: BinKind::from_name(kind).ok_or_else(unknown)?,
            bin: parse(entry, bin, "bin")?,
            games: parse(entry, games, "whole number")?,
            weight: parse(entry, weight, "number")?,
        })
    });
    Ok(Batch {
        index: entry.batch,
        trial: count(0)?,
        games: count(1)?,
        scale: number(entry, 2, "whole number")?,
        w: sum(3)?,
        w2: sum(4)?,
        wn: sum(5)?,
        w2n: sum(6)?,
        w2n2: sum(7)?,
        w_first: sum(8)?,
        w2_first: sum(9)?,
        w_second: sum(10)?,
        w2_second: sum(11)?,
        w_draw: sum(12)?,
        w2_draw: sum(13)?,
        nodes: sum(14)?,
        nodes2: sum(15)?,
        smallest: sum(16)?,
        largest: sum(17)?,
        tail_from: sum(18)?,
        plies: count(19)?,
        plies2: count(20)?,
        first: count(21)?,
        second: count(22)?,
        draws: count(23)?,
        smallest_scale: number(entry, 24, "whole number")?,
        bins: bins.collect::<Result<_, MeasureError>>()?,
    })
}

pub(super) fn summarise(plan: &Plan, entries: &[Entry]) -> Result<Vec<Quantity>, MeasureError> {
    if plan.replicates.is_some() {
        return replicates::summarise(plan, entries);
    }
    let mut quantities = Vec::new();
    for case in &plan.cases {
        let of_case = entries.iter().filter(|entry| entry.game == case.label);
        let batches: Vec<Batch> = of_case.map(batch_of).collect::<Result<_, _>>()?;
        let summary = Summary::of(&batches, plan.confidence).map_err(|error| {
            MeasureError::Failed { game: case.label.clone(), problem: error.to_string() }
        })?;
        quantities.extend(quantities_of(&case.label, &summary));
    }
    Ok(quantities)
}

/// The quantities that are numbers.
pub(super) const NUMBERS: [&str; 21] = [
    "walks",
    "trials",
    "batches",
    "confidence",
    "gts",
    "log10_gts",
    "nodes",
    "agl",
    "first_wins",
    "second_wins",
    "draws",
    "uniform_length",
    "uniform_first_wins",
    "uniform_second_wins",
    "uniform_draws",
    "relative_variance",
    "effective_sample_size",
    "largest_weight_share",
    "pareto_k_hat",
    "log10_smallest_weight",
    "log10_largest_weight",
];

/// The rows of `summary.csv` that show `summary`.
fn quantities_of(label: &str, summary: &Summary) -> Vec<Quantity> {
    let plain =
        |quantity: &str, unit: &str, value: String| Quantity::exact(label, quantity, unit, value);
    let option = |value: Option<f64>| value.map(digits).unwrap_or_default();
    let mut rows = vec![
        plain("walks", "games", summary.games.to_string()),
        plain("trials", "", summary.trials.to_string()),
        plain("batches", "", summary.batches.to_string()),
        plain("confidence", "", digits(summary.confidence)),
        scaled(label, "gts", "games", &summary.gts),
        plain("log10_gts", "", digits(summary.gts.value.log10())),
        scaled(label, "nodes", "nodes", &summary.nodes),
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
    let uniform = &summary.uniform;
    rows.extend([
        plain("uniform_length", "plies", digits(uniform.mean_length)),
        plain("uniform_first_wins", "rate", digits(uniform.first_rate)),
        plain("uniform_second_wins", "rate", digits(uniform.second_rate)),
        plain("uniform_draws", "rate", digits(uniform.draw_rate)),
        plain("relative_variance", "", option(summary.relative_variance)),
        plain("effective_sample_size", "games", digits(summary.effective_games)),
        plain("largest_weight_share", "rate", digits(summary.largest_share)),
        plain("pareto_k_hat", "", option(summary.k_hat)),
        plain("log10_smallest_weight", "", digits(summary.smallest.log10())),
        plain("log10_largest_weight", "", digits(summary.largest.log10())),
        plain("verdict", "", summary.verdict.to_string()),
    ]);
    rows
}

fn scaled(label: &str, quantity: &str, unit: &str, estimate: &Estimate<Scaled>) -> Quantity {
    estimated(label, quantity, unit, estimate, |value| format!("{value:.15e}"))
}

fn estimated<T: Copy>(
    label: &str,
    quantity: &str,
    unit: &str,
    estimate: &Estimate<T>,
    text: impl Fn(T) -> String,
) -> Quantity {
    let option = |value: Option<T>| value.map(&text).unwrap_or_default();
    Quantity {
        standard_error: option(estimate.standard_error),
        low: option(estimate.interval.map(|(low, _)| low)),
        high: option(estimate.interval.map(|(_, high)| high)),
        trial_spread: option(estimate.spread),
        ..Quantity::exact(label, quantity, unit, text(estimate.value))
    }
}

/// The shortest digits that read back to the same number.
pub(super) fn digits(value: f64) -> String {
    let plain = value == 0.0 || (1e-5..1e15).contains(&value.abs());
    if plain { format!("{value}") } else { format!("{value:e}") }
}
