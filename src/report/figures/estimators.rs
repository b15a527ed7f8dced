//! Plots of how well methods of estimation do.

use super::{Axis, Figure, Plot};
use crate::experiment::measure::estimate_label;
use crate::experiment::quantity::Quantity;
use crate::report::costs::{SECONDS_TO_PER_MILLE, quantities};
use crate::report::results::Finished;

/// A point with its interval.
type Point = (f64, f64, f64, f64);

/// Coverage against the relative variance of a replicate, where the truth is known, and processor time to
/// a relative standard error of 0.1 % against that of the first method.
pub(super) fn of(finished: &Finished) -> Vec<Figure> {
    let Some(study) = &finished.plan.study else { return Vec::new() };
    let costs = quantities(finished);
    let percent = 100.0 * study.confidence;
    let mut coverage = Plot::new(
        format!("Coverage of nominal {percent} % intervals"),
        Axis::log10("relative variance of a replicate"),
        Axis::linear("intervals that hold the number of games (%)"),
    )
    .footnote(format!(
        "t intervals of estimates that are trusted; {} replicates each, {} repetitions",
        study.replicates, study.repetitions
    ));
    let first = study.methods.first().map_or("", |method| method.name());
    let mut efficiency = Plot::new(
        "Processor time to a relative standard error of 0.1 %",
        Axis::powers_of_ten(format!("{first} (s)")),
        Axis::powers_of_ten("method (s)"),
    )
    .footnote("a point is a game; of the machine in the manifest");
    let (mut covers, mut costs_something) = (false, false);
    for method in &study.methods {
        let (mut covered, mut compared): (Vec<Point>, Vec<Point>) = (Vec::new(), Vec::new());
        for case in &finished.plan.cases {
            let label = estimate_label(&case.label, method.name());
            let find = |all: &[Quantity], label: &str, name: &str| {
                all.iter().find(|q| q.game == label && q.quantity == name).and_then(numbers)
            };
            let variance = find(&finished.quantities, &label, "relative_variance");
            let share = find(&finished.quantities, &label, "trusted_coverage_t");
            if let (Some((variance, _, _)), Some((share, low, high))) = (variance, share)
                && variance > 0.0
            {
                covered.push((variance, 100.0 * share, 100.0 * low, 100.0 * high));
            }
            let reference = find(&costs, &estimate_label(&case.label, first), SECONDS_TO_PER_MILLE);
            let needed = find(&costs, &label, SECONDS_TO_PER_MILLE);
            if let (Some((reference, _, _)), Some((needed, low, high))) = (reference, needed)
                && reference > 0.0
                && low > 0.0
            {
                compared.push((reference.log10(), needed.log10(), low.log10(), high.log10()));
            }
        }
        covers |= !covered.is_empty();
        costs_something |= !compared.is_empty();
        coverage = coverage.points(method.name(), covered);
        efficiency = efficiency.points(method.name(), compared);
    }
    let coverage = coverage.level("nominal", percent, percent, percent);
    let mut figures = Vec::new();
    if covers {
        figures.push(("coverage".to_owned(), coverage));
    }
    if costs_something {
        figures.push(("efficiency".to_owned(), efficiency));
    }
    figures
}

/// Value and ends of the interval of a quantity.
fn numbers(quantity: &Quantity) -> Option<(f64, f64, f64)> {
    let value = quantity.value.parse().ok()?;
    let end = |text: &str| text.parse().unwrap_or(value);
    Some((value, end(&quantity.low), end(&quantity.high)))
}
