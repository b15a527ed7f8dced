//! `ludometer run`: one experiment from its spec.

use std::path::{Path, PathBuf};

use clap::Args;

use super::failure::{Failure, Result};
use super::perft::threads;
use super::report::{results_folder, show};
use super::size;
use super::table::{Format, FormatArgument, print};
use super::talk::Talk;
use crate::experiment::measure::states::DEFAULT_DATABASES;
use crate::experiment::spec::{Plan, SpecError};
use crate::experiment::{Done, ExperimentError, Finished, Order, folder, run};
use crate::report::Images;

/// Run an experiment, or what an interrupted run has left of it
///
/// The results go to RESULTS/<id>, those of a quick run to RESULTS/quick/<id>. A run that was
/// interrupted or killed goes on where it was. Results that are there already are not computed
/// again, but summarised anew where the rules for that have changed. The table shows them beside the
/// published values; the plots are in the same folder.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ludometer run experiments/table-1-ssc.toml
  ludometer run experiments/tic-tac-toe.toml --quick --threads 2
  ludometer run experiments/tic-tac-toe.toml --results elsewhere --fresh")]
pub struct RunExperiment {
    /// The spec, experiments/<id>.toml
    spec: PathBuf,
    #[command(flatten)]
    how: RunArguments,
    #[command(flatten)]
    format: FormatArgument,
}

/// How experiments are run, for `run` and `reproduce`.
#[derive(Args, Clone, Debug)]
pub struct RunArguments {
    /// Use the smaller sizes of the spec's [quick] table
    #[arg(long)]
    pub quick: bool,
    /// Worker threads; results do not depend on it [default: all processors]
    #[arg(long, value_name = "T", allow_negative_numbers = true, value_parser = threads)]
    pub threads: Option<usize>,
    /// Folder of all results
    #[arg(long, value_name = "DIR", default_value = "results")]
    pub results: PathBuf,
    /// Throw away former results of the same experiment
    #[arg(long)]
    pub fresh: bool,
    /// Memory for counts of states
    #[arg(long, value_name = "SIZE", default_value = "12GiB", value_parser = size::bytes)]
    pub memory: u64,
    /// Folder for unfinished counts of states [default: RESULTS/<id>/scratch]
    #[arg(long, value_name = "DIR")]
    pub scratch: Option<PathBuf>,
    /// Most that an unfinished count of states may take on disk
    #[arg(long, value_name = "SIZE", default_value = "30GiB", value_parser = size::bytes)]
    pub scratch_limit: u64,
    /// Folder of endgame databases; those that an experiment needs are built there and stay
    #[arg(long, value_name = "DIR", default_value = DEFAULT_DATABASES)]
    pub egdb: PathBuf,
}

impl RunArguments {
    /// The folder of the experiments' folders.
    pub fn results_folder(&self) -> PathBuf {
        results_folder(&self.results, self.quick)
    }

    /// The number of worker threads.
    pub fn threads(&self) -> usize {
        self.threads.unwrap_or_else(all_processors)
    }
}

/// The number of processors that this process may use.
pub(super) fn all_processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

impl RunExperiment {
    /// Runs the verb.
    ///
    /// # Errors
    /// For a spec that makes no sense, when the work fails, and when interrupted.
    pub fn run(&self, talk: &Talk) -> Result {
        let plan = Plan::read(&self.spec, self.how.quick).map_err(spec_failure)?;
        run_plan(&plan, &folder(&self.how.results, &plan), &self.how, talk)?;
        let results = self.how.results_folder();
        show(&results, &[plan.spec.id], Images::SvgAndPng, self.format, talk)
    }
}

/// A spec is what was asked for: a bad one is a usage error, an unreadable one too.
pub(super) fn spec_failure(error: SpecError) -> Failure {
    Failure::usage(error)
}

/// Runs one plan with its progress shown.
pub(super) fn run_plan(
    plan: &Plan,
    folder: &Path,
    how: &RunArguments,
    talk: &Talk,
) -> Result<Finished> {
    let id = &plan.spec.id;
    let order = Order {
        folder,
        threads: how.threads(),
        fresh: how.fresh,
        memory: how.memory,
        scratch: how.scratch.as_deref(),
        scratch_limit: how.scratch_limit,
        databases: &how.egdb,
    };
    let finished = run(plan, order, |total, unit| talk.watch(id, total, unit)).map_err(
        |error| match error {
            ExperimentError::Stopped { .. } => Failure::Stopped(format!("{id}: {error}")),
            error => Failure::work(format!("{id}: {error}")),
        },
    )?;
    let state = match finished.done {
        Done::Work => "finished",
        Done::Summary => "was finished, summarised anew",
        Done::Nothing => "was finished",
    };
    talk.line(&format!("{id}: {state}, results in {}", folder.display()));
    Ok(finished)
}

/// Prints the summary of an experiment.
pub(super) fn print_quantities(finished: &Finished, format: FormatArgument) -> Result {
    let header =
        ["game", "quantity", "unit", "value", "standard_error", "low", "high", "trial_spread"];
    let format = format.settle();
    let number = |text: &str| match format {
        Format::Csv => text.to_owned(),
        Format::Text => short(text),
    };
    let rows: Vec<Vec<String>> = finished
        .quantities
        .iter()
        .map(|row| {
            vec![
                row.game.clone(),
                row.quantity.clone(),
                row.unit.clone(),
                number(&row.value),
                number(&row.standard_error),
                number(&row.low),
                number(&row.high),
                number(&row.trial_spread),
            ]
        })
        .collect();
    Ok(print(format, &header, &rows)?)
}

/// A number with a fraction, to seven digits; whole numbers and words as they are.
fn short(text: &str) -> String {
    let Some(value) = text.parse::<f64>().ok().filter(|_| text.contains('.')) else {
        return text.to_owned();
    };
    // The exponent may be beyond that of an f64.
    if let Some((mantissa, exponent)) = text.split_once('e') {
        return match mantissa.parse::<f64>() {
            Ok(mantissa) if format!("{:.6}", mantissa.abs()) != "10.000000" => {
                format!("{mantissa:.6}e{exponent}")
            }
            _ => text.to_owned(),
        };
    }
    if value.abs() < 1e-4 {
        return format!("{value:.6e}");
    }
    let before_point = value.abs().log10().floor().max(0.0) as usize + 1;
    format!("{value:.0$}", 7_usize.saturating_sub(before_point))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_read_seven_digits_of_a_fraction_and_all_of_a_whole_number() {
        assert_eq!(short("2.545482240000000e5"), "2.545482e5");
        assert_eq!(short("-1.234567890000000e400"), "-1.234568e400");
        assert_eq!(short("9.999999900000000e400"), "9.999999900000000e400");
        assert_eq!(short("8.258684185516062"), "8.258684");
        assert_eq!(short("0.18318760691883673"), "0.183188");
        assert_eq!(short("0.00007127922448203763"), "7.127922e-5");
        assert_eq!(short("122331779437450"), "122331779437450");
        assert_eq!(short("trusted"), "trusted");
        assert_eq!(short(""), "");
    }
}
