//! `summary.csv`: one row per measured quantity, in one shape for every measure.

use std::path::Path;

use serde::{Deserialize, Serialize};

/// File name of the summary.
pub const SUMMARY: &str = "summary.csv";

/// One measured quantity.
///
/// Quantities of the measures `tree-size` and `exact`: `gts` (unit `games`), `log10_gts`, `agl`
/// (`plies`), `first_wins`, `second_wins`, `draws` (unit `rate`, 0 to 1) and, for one game of
/// uniform choice, `relative_variance`. Only `tree-size`: `effective_sample_size` (`games`),
/// `largest_weight_share` (`rate`), `pareto_k_hat`, `trusted` (`true` or the doubts). Only
/// `exact`: the counts behind the rates. `perft` (unit `paths`, with `depth`). `ssc_upper_bound`
/// (`positions`). Those of the other measures are listed in `results/README.md`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Quantity {
    /// Id of the game or the board it is about.
    pub game: String,
    /// Its name.
    pub quantity: String,
    /// Plies, for a perft; empty else.
    pub depth: Option<u32>,
    /// Its unit; empty for a pure number or a text.
    pub unit: String,
    /// The number, every digit that is known; empty when there is none.
    pub value: String,
    /// Standard error of the pooled estimate; empty where the value is exact.
    pub standard_error: String,
    /// Lower end of the confidence interval.
    pub low: String,
    /// Upper end of the confidence interval.
    pub high: String,
    /// Standard deviation of the estimates of single trials: what papers print after +-.
    pub trial_spread: String,
}

impl Quantity {
    /// An exact value.
    pub fn exact(game: &str, quantity: &str, unit: &str, value: impl ToString) -> Quantity {
        Quantity {
            game: game.into(),
            quantity: quantity.into(),
            unit: unit.into(),
            value: value.to_string(),
            ..Quantity::default()
        }
    }
}

/// The text of `summary.csv`.
pub fn to_csv(quantities: &[Quantity]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for quantity in quantities {
        writer.serialize(quantity).expect("rows of texts have a CSV form");
    }
    let bytes = writer.into_inner().expect("flushing to memory cannot fail");
    String::from_utf8(bytes).expect("the fields were text")
}

/// Reads `summary.csv` in `folder`.
///
/// # Errors
/// Names the file, and the line where a row is at fault.
pub fn read(folder: &Path) -> Result<Vec<Quantity>, String> {
    let path = folder.join(SUMMARY);
    let named = |error: csv::Error| format!("{}: {error}", path.display()).replace('\n', " ");
    let mut reader = csv::Reader::from_path(&path).map_err(named)?;
    reader.deserialize().collect::<Result<_, _>>().map_err(named)
}
