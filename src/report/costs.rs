//! What work has cost, from `costs.csv`: measured on one machine, shown beside what others needed on
//! theirs, never judged.

use super::results::{CostRow, Finished};
use crate::experiment::measure::{CPU_SECONDS, database_label, estimate_label};
use crate::experiment::quantity::Quantity;
use crate::experiment::spec::{Case, Measure};

/// What all slices with up to a number of pieces have cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Generation {
    pub(super) pieces: u32,
    pub(super) bytes: f64,
    pub(super) cpu_seconds: f64,
}

/// What the positions of `case` with so many pieces are called.
pub(super) fn label(case: &Case, pieces: u32) -> String {
    database_label(&case.label, pieces)
}

/// What the database of `case` has cost, up to each number of pieces, as far as it was built from
/// nothing without a pause.
pub(super) fn of_databases(finished: &Finished, case: &Case) -> Vec<Generation> {
    let mut sum = Generation { pieces: 0, bytes: 0.0, cpu_seconds: 0.0 };
    let mut generations = Vec::new();
    for pieces in 2..=case.pieces {
        let at = pieces.to_string();
        let mut rows = finished
            .costs
            .iter()
            .filter(|row| row.get("game") == Some(&case.label) && row.get("pieces") == Some(&at));
        let number = |row: &CostRow, name: &str| row.get(name)?.parse::<f64>().ok();
        let Some(row) = rows.next().filter(|row| number(row, "slices_found") == Some(0.0)) else {
            break;
        };
        let (Some(bytes), Some(seconds)) = (number(row, "bytes"), number(row, CPU_SECONDS)) else {
            break;
        };
        sum =
            Generation { pieces, bytes: sum.bytes + bytes, cpu_seconds: sum.cpu_seconds + seconds };
        generations.push(sum);
    }
    generations
}

/// The processor seconds of each row of the summary that stands for work of its own.
pub(super) fn quantities(finished: &Finished) -> Vec<Quantity> {
    let seconds = |label: &str, value: f64| {
        Quantity::exact(label, CPU_SECONDS, "seconds", format!("{value:.2}"))
    };
    let cases = finished.plan.cases.iter();
    match finished.plan.spec.measure {
        Measure::Egdb => cases
            .flat_map(|case| {
                let stages = of_databases(finished, case).into_iter();
                stages.map(|stage| seconds(&label(case, stage.pieces), stage.cpu_seconds))
            })
            .collect(),
        Measure::Solve => cases
            .filter_map(|case| {
                let row =
                    finished.costs.iter().rfind(|row| row.get("game") == Some(&case.label))?;
                Some(seconds(&case.label, row.get(CPU_SECONDS)?.parse().ok()?))
            })
            .collect(),
        Measure::Estimators => cases.flat_map(|case| of_estimates(finished, case)).collect(),
        _ => Vec::new(),
    }
}

/// Processor seconds that would bring the relative standard error of the number of games to 0.1 %.
pub(super) const SECONDS_TO_PER_MILLE: &str = "cpu_seconds_to_0.1_percent";

/// What the estimates of `case` by each method have cost, and what an error of 0.1 % would.
fn of_estimates(finished: &Finished, case: &Case) -> Vec<Quantity> {
    let mut quantities = Vec::new();
    let of_case = |row: &&CostRow| row.get("game") == Some(&case.label);
    for row in finished.costs.iter().filter(of_case) {
        let number = |name: &str| row.get(name)?.parse::<f64>().ok();
        let (Some(method), Some(seconds), Some(replicates)) =
            (row.get("method"), number(CPU_SECONDS), number("replicates"))
        else {
            continue;
        };
        let label = estimate_label(&case.label, method);
        quantities.push(Quantity::exact(&label, CPU_SECONDS, "seconds", format!("{seconds:.2}")));
        let variance = finished
            .quantities
            .iter()
            .find(|q| q.game == label && q.quantity == "relative_variance");
        let Some(variance) = variance else { continue };
        let needed = |text: &str| {
            let variance: Option<f64> = text.parse().ok();
            variance.map(|v| format!("{}", v * 1e6 * seconds / replicates)).unwrap_or_default()
        };
        quantities.push(Quantity {
            standard_error: needed(&variance.standard_error),
            low: needed(&variance.low),
            high: needed(&variance.high),
            ..Quantity::exact(&label, SECONDS_TO_PER_MILLE, "seconds", needed(&variance.value))
        });
    }
    quantities
}

/// `quantities` with what each game has cost after what was measured of it.
pub(super) fn beside(finished: &Finished) -> Vec<Quantity> {
    let costs = quantities(finished);
    let mut all = Vec::new();
    for of_game in finished.quantities.chunk_by(|a, b| a.game == b.game) {
        all.extend_from_slice(of_game);
        all.extend(costs.iter().filter(|cost| cost.game == of_game[0].game).cloned());
    }
    all
}
