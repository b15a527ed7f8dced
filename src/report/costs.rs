//! What work has cost, from `costs.csv`: measured on one machine, shown beside what others needed on
//! theirs, never judged.

use super::results::{CostRow, Finished};
use crate::experiment::measure::{CPU_SECONDS, database_label};
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
        _ => Vec::new(),
    }
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
