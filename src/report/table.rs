//! Tables of measured beside published numbers.
//!
//! Each row is one number that was measured, with the published one where there is one: see
//! [`super::comparison`].

use super::comparison::{Class, Row, is_doubt};
use crate::experiment::measure::plain_name;
use crate::experiment::quantity::Quantity;
use crate::experiment::spec::Published;

/// The columns of a table as CSV.
pub const COLUMNS: [&str; 18] = [
    "experiment",
    "game",
    "quantity",
    "depth",
    "unit",
    "measured",
    "standard_error",
    "interval_low",
    "interval_high",
    "trial_spread",
    "published",
    "published_plus_minus",
    "published_half_digit",
    "deviation_standard_errors",
    "deviation_plus_minus",
    "verdict",
    "diagnosis",
    "source",
];

/// The rows of one experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Name of the experiment.
    pub experiment: String,
    /// Lines above the table: title, source, size of the sample.
    pub heading: Vec<String>,
    /// The quantities in the order of `summary.csv`, then what was published but not measured.
    pub rows: Vec<Row>,
}

/// Quantities that text leaves out unless they are published: they repeat the heading or another
/// quantity, or are of use to programs only.
const LEFT_TO_CSV: [&str; 10] = [
    "walks",
    "trials",
    "batches",
    "confidence",
    "log10_gts",
    "uniform_first_wins",
    "uniform_second_wins",
    "uniform_draws",
    "log10_smallest_weight",
    "log10_largest_weight",
];
/// The name of the quantity that says whether those of [`ESTIMATES`] are to be trusted.
const DIAGNOSIS: &str = "verdict";
/// The quantities that a sample of weighted games estimates.
const ESTIMATES: [&str; 10] = [
    "gts",
    "gts_logarithmic",
    "gts_bootstrap",
    "log10_gts",
    "nodes",
    "agl",
    "first_wins",
    "second_wins",
    "draws",
    "relative_variance",
];

impl Table {
    /// Sets `measured` beside `published`.
    pub fn new(
        experiment: impl Into<String>,
        heading: Vec<String>,
        measured: &[Quantity],
        published: &[Published],
    ) -> Self {
        let numbers = measured.iter().filter(|q| q.quantity != DIAGNOSIS);
        let mut rows: Vec<Row> = numbers
            .map(|quantity| {
                let value = published.iter().find(|value| is_about(value, quantity));
                let estimate = ESTIMATES.contains(&plain_name(&quantity.quantity));
                let said = diagnosis(measured, &quantity.game).filter(|_| estimate);
                Row::compare(quantity, value, said.unwrap_or_default().to_owned())
            })
            .collect();
        let missing = published.iter().filter(|value| !measured.iter().any(|q| is_about(value, q)));
        rows.extend(missing.map(Row::unmeasured));
        Self { experiment: experiment.into(), heading, rows }
    }

    /// The rows where measured and published disagree.
    pub fn disagreements(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|row| row.verdict.class() == Some(Class::Differs))
    }

    /// The rows as CSV with a header, all digits.
    pub fn to_csv(&self) -> String {
        csv(&[self])
    }

    /// The heading and the rows as aligned text, rounded to what the errors leave certain; above
    /// the rows of a game whose estimates are not to be trusted a line says so and why.
    pub fn to_text(&self) -> String {
        let mut lines = vec![
            [
                "game",
                "quantity",
                "measured",
                "s.e.",
                "interval",
                "published",
                "+-",
                "dev/s.e.",
                "dev/+-",
                "verdict",
            ]
            .map(str::to_owned),
        ];
        let told = |row: &&Row| {
            row.published.is_some() || !LEFT_TO_CSV.contains(&plain_name(&row.measured.quantity))
        };
        let told: Vec<&Row> = self.rows.iter().filter(told).collect();
        lines.extend(told.iter().map(|row| row.cells()));
        let table = aligned(&lines);
        let (header, rows) = table.split_once('\n').unwrap_or((&table, ""));
        let mut text = self.heading.clone();
        text.push(header.to_owned());
        let mut doubted: Vec<&str> = Vec::new();
        for (row, line) in told.iter().zip(rows.lines()) {
            let game = row.measured.game.as_str();
            if let Some(doubts) = self.doubts(game).filter(|_| !doubted.contains(&game)) {
                text.push(format!("{game}: {doubts}"));
                doubted.push(game);
            }
            text.push(line.to_owned());
        }
        text.join("\n") + "\n"
    }

    /// Why the estimates of `game` are not to be trusted.
    fn doubts(&self, game: &str) -> Option<&str> {
        let row =
            self.rows.iter().find(|row| row.measured.game == game && is_doubt(&row.diagnosis));
        row.map(|row| row.diagnosis.as_str())
    }
}

/// What the diagnostics say about the estimates of `game` among `measured`; `None` where nothing
/// was estimated.
pub(super) fn diagnosis<'a>(measured: &'a [Quantity], game: &str) -> Option<&'a str> {
    let said = measured.iter().find(|q| q.quantity == DIAGNOSIS && q.game == game);
    said.map(|q| q.value.as_str())
}

/// Several tables as one CSV with one header.
pub fn csv(tables: &[&Table]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let rows = tables.iter().flat_map(|t| t.rows.iter().map(|row| row.fields(&t.experiment)));
    for record in std::iter::once(COLUMNS.map(str::to_owned)).chain(rows) {
        writer.write_record(&record).expect("writing to memory cannot fail");
    }
    let bytes = writer.into_inner().expect("flushing to memory cannot fail");
    String::from_utf8(bytes).expect("the fields were text")
}

/// Whether `value` is a published value of `quantity`.
fn is_about(value: &Published, quantity: &Quantity) -> bool {
    value.quantity == quantity.quantity
        && value.depth == quantity.depth
        && value.game.as_ref().is_none_or(|game| *game == quantity.game)
}

/// The cells in columns two spaces apart, text to the left, numbers to the right; empty columns
/// are left out. The first line is the header.
fn aligned<const N: usize>(lines: &[[String; N]]) -> String {
    let is_text = |column: usize| column < 2 || column + 1 == N;
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max();
    let used: Vec<(usize, usize)> = (0..N)
        .filter(|column| lines.iter().skip(1).any(|line| !line[*column].is_empty()))
        .map(|column| (column, width(column).unwrap_or(0)))
        .collect();
    let mut text = String::new();
    for line in lines {
        let mut row = String::new();
        for (column, width) in &used {
            let cell = &line[*column];
            let pad = " ".repeat(width - cell.chars().count());
            row +=
                &if is_text(*column) { format!("{cell}{pad}  ") } else { format!("{pad}{cell}  ") };
        }
        text += row.trim_end();
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::super::comparison::samples::{estimate, published};
    use super::super::decimal::Decimal;
    use super::*;

    #[test]
    fn an_estimate_without_standard_error_is_as_doubtful_as_its_game() {
        let verdict = Quantity::exact("g", "verdict", "", "not trusted: every weight is the same");
        let number = |name: &str| Quantity::exact("g", name, "", "330");
        let measured = [number("walks"), number("log10_gts"), number("uniform_length"), verdict];
        let target = Published { quantity: "log10_gts".into(), ..published("330", None) };
        let table = Table::new("e", Vec::new(), &measured, &[target]);
        let diagnosed: Vec<bool> = table.rows.iter().map(|r| !r.diagnosis.is_empty()).collect();
        assert_eq!(diagnosed, [false, true, false]);
        assert_eq!(table.rows[1].verdict.to_string(), "equal, not trusted");
    }

    #[test]
    fn doubts_of_a_game_stand_above_its_rows() {
        let doubt = Quantity::exact("g", "verdict", "", "not trusted: 2 batches, fewer than 10");
        let sure = Quantity::exact("f", "verdict", "", "trusted");
        let first = Quantity { game: "f".into(), ..estimate("4", "1") };
        let nodes = Quantity { quantity: "nodes".into(), ..estimate("7", "1") };
        let measured = [first, sure, estimate("5", "1"), nodes, doubt];
        let table = Table::new("e", vec!["e: title".into()], &measured, &[]);
        assert_eq!(table.rows.len(), 3, "the diagnosis is no number");
        let text = table.to_text();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!((lines.len(), lines[0]), (6, "e: title"));
        assert!(
            lines[1].starts_with("game  quantity") && lines[2].starts_with("f     gts"),
            "{text}"
        );
        assert_eq!(lines[3], "g: not trusted: 2 batches, fewer than 10");
        assert!(lines[4].starts_with("g     gts") && lines[5].starts_with("g     nodes"), "{text}");
    }

    #[test]
    fn csv_quotes_what_needs_it_and_shows_half_a_digit() {
        let table = Table::new(
            "e",
            Vec::new(),
            &[estimate("8.342e28", "4e25")],
            &[published("8.34e28", Some("0.05e28"))],
        );
        let csv = table.to_csv();
        let mut reader = csv::Reader::from_reader(csv.as_bytes());
        let row = reader.records().next().unwrap().unwrap();
        assert_eq!(row.len(), COLUMNS.len());
        assert_eq!(&row[12], "5e25");
        assert_eq!(&row[17], "Table 1, row \"g\"");
        let halves = ["12", "41.03", "18.1", "0.0001"].map(|t| Decimal::read(t).unwrap());
        let halves = halves.map(|number| number.half_digit.shown());
        assert_eq!(halves, ["0.5", "0.005", "0.05", "0.00005"]);
    }
}
