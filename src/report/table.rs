//! Tables of measured beside published numbers.
//!
//! The deviation is measured minus published, once in standard errors of the pooled estimate and
//! once in what the publication prints after +- (in the papers at hand, the spread of single
//! trials). A published number stands for every number that rounds to its printed digits, so half a
//! unit of its last digit is always allowed for. The verdict says which yardstick was used:
//!
//! - an exact count against a whole number: every digit;
//! - an exact value against a rounded one: the printed digits;
//! - an estimate against a value with +-: [`PLUS_MINUS_ALLOWED`] times the +-;
//! - an estimate against a value without +-, or from a sample too small for it:
//!   [`STANDARD_ERRORS_ALLOWED`] standard errors.

use std::fmt;

use crate::experiment::quantity::Quantity;
use crate::experiment::spec::Published;

/// How many published +- an estimate may be away.
pub const PLUS_MINUS_ALLOWED: f64 = 3.0;
/// How many standard errors an estimate may be away from a value without +-.
pub const STANDARD_ERRORS_ALLOWED: f64 = 4.0;

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

/// How a measured number compares with a published one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The same in every digit.
    Equal,
    /// The same after rounding to the printed digits.
    PrintedDigits,
    /// An estimate within [`PLUS_MINUS_ALLOWED`] published +- and rounding.
    WithinPlusMinus,
    /// An estimate within [`STANDARD_ERRORS_ALLOWED`] standard errors and rounding.
    WithinStandardErrors,
    /// None of these where one was due.
    Differs,
    /// Nothing is published.
    Unpublished,
    /// Published, but not measured by this run.
    Unmeasured,
    /// One of the two is no number.
    Incomparable,
}

impl Verdict {
    /// Whether measured and published agree; `None` where there is nothing to compare.
    pub fn agrees(self) -> Option<bool> {
        match self {
            Self::Equal
            | Self::PrintedDigits
            | Self::WithinPlusMinus
            | Self::WithinStandardErrors => Some(true),
            Self::Differs | Self::Incomparable => Some(false),
            Self::Unpublished | Self::Unmeasured => None,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Equal => f.write_str("equal"),
            Self::PrintedDigits => f.write_str("equal as printed"),
            Self::WithinPlusMinus => write!(f, "within {PLUS_MINUS_ALLOWED} +-"),
            Self::WithinStandardErrors => write!(f, "within {STANDARD_ERRORS_ALLOWED} s.e."),
            Self::Differs => f.write_str("DIFFERS"),
            Self::Unpublished => Ok(()),
            Self::Unmeasured => f.write_str("not measured"),
            Self::Incomparable => f.write_str("NOT COMPARABLE"),
        }
    }
}

/// One quantity, measured and published; what is missing is empty.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The measured quantity, in the unit of the published one.
    pub measured: Quantity,
    /// The published value.
    pub published: Option<Published>,
    /// Measured minus published in standard errors of the measured value.
    pub deviation_standard_errors: Option<f64>,
    /// Measured minus published in published +-.
    pub deviation_plus_minus: Option<f64>,
    /// What came of it.
    pub verdict: Verdict,
    /// What the diagnostics of the game's estimates say: `trusted` or the doubts; empty if exact.
    pub diagnosis: String,
}

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

/// Longer whole numbers are rounded in text; CSV has every digit.
const MOST_DIGITS: usize = 70;
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
/// The name of the quantity that says whether the others are to be trusted.
const DIAGNOSIS: &str = "verdict";

impl Table {
    /// Sets `measured` beside `published`.
    pub fn new(
        experiment: impl Into<String>,
        heading: Vec<String>,
        measured: &[Quantity],
        published: &[Published],
    ) -> Self {
        let diagnosis = |game: &str| {
            let said = measured.iter().find(|q| q.quantity == DIAGNOSIS && q.game == game);
            said.map(|q| q.value.clone()).unwrap_or_default()
        };
        let numbers = measured.iter().filter(|q| q.quantity != DIAGNOSIS);
        let mut rows: Vec<Row> = numbers
            .map(|quantity| {
                let value = published.iter().find(|value| is_about(value, quantity));
                let diagnosis = match quantity.standard_error.as_str() {
                    "" => String::new(),
                    _ => diagnosis(&quantity.game),
                };
                Row::compare(quantity, value, diagnosis)
            })
            .collect();
        let missing = published.iter().filter(|value| !measured.iter().any(|q| is_about(value, q)));
        rows.extend(missing.map(Row::unmeasured));
        Self { experiment: experiment.into(), heading, rows }
    }

    /// The rows where measured and published disagree.
    pub fn disagreements(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|row| row.verdict.agrees() == Some(false))
    }

    /// The rows as CSV with a header, all digits.
    pub fn to_csv(&self) -> String {
        csv(&[self])
    }

    /// The heading and the rows as aligned text, rounded to what the errors leave certain.
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
            row.published.is_some() || !LEFT_TO_CSV.contains(&row.measured.quantity.as_str())
        };
        lines.extend(self.rows.iter().filter(told).map(Row::cells));
        let doubts = self.doubts();
        let text = [self.heading.join("\n"), aligned(&lines), doubts.join("\n")];
        let parts: Vec<&str> =
            text.iter().map(|part| part.trim_end()).filter(|part| !part.is_empty()).collect();
        parts.join("\n") + "\n"
    }

    /// A line for every game whose estimates are not to be trusted.
    fn doubts(&self) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for row in &self.rows {
            if !matches!(row.diagnosis.as_str(), "" | "trusted") {
                let line = format!("{}: {}", row.measured.game, row.diagnosis);
                if !lines.contains(&line) {
                    lines.push(line);
                }
            }
        }
        lines
    }
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

impl Row {
    fn compare(measured: &Quantity, published: Option<&Published>, diagnosis: String) -> Self {
        let mut row = Self {
            measured: measured.clone(),
            published: published.cloned(),
            deviation_standard_errors: None,
            deviation_plus_minus: None,
            verdict: Verdict::Unpublished,
            diagnosis,
        };
        if let Some(published) = published {
            if published.unit.as_deref() == Some("percent") && measured.unit == "rate" {
                row.measured = in_percent(measured);
            }
            row.judge(published);
        }
        row
    }

    fn unmeasured(published: &Published) -> Self {
        let measured = Quantity {
            game: published.game.clone().unwrap_or_default(),
            quantity: published.quantity.clone(),
            depth: published.depth,
            unit: published.unit.clone().unwrap_or_default(),
            ..Quantity::default()
        };
        Self {
            measured,
            published: Some(published.clone()),
            deviation_standard_errors: None,
            deviation_plus_minus: None,
            verdict: Verdict::Unmeasured,
            diagnosis: String::new(),
        }
    }

    fn judge(&mut self, published: &Published) {
        let (value, target) =
            (Decimal::read(&self.measured.value), Decimal::read(&published.value));
        let (Some(value), Some(target)) = (value, target) else {
            let same = self.measured.value == published.value && !published.value.is_empty();
            self.verdict = if same { Verdict::Equal } else { Verdict::Incomparable };
            return;
        };
        let size = target.order().max(value.order());
        let deviation = value.at(size) - target.at(size);
        let at_size = |text: &str| Decimal::read(text).map(|number| number.at(size));
        let error = at_size(&self.measured.standard_error).filter(|error| *error > 0.0);
        let plus_minus = published.plus_minus.as_deref().and_then(at_size).filter(|pm| *pm > 0.0);
        let rounding = match &published.rounding {
            Some(text) => at_size(text).unwrap_or(0.0),
            None => target.half_digit.at(size),
        };
        self.deviation_standard_errors = error.map(|error| deviation / error);
        self.deviation_plus_minus = plus_minus.map(|pm| deviation / pm);
        // A little more than the printed digits, so that a tie is no matter of binary fractions.
        let within = |yardstick: f64| deviation.abs() <= (yardstick + rounding) * (1.0 + 1e-9);
        self.verdict = match (error, plus_minus) {
            (_, Some(pm)) if within(PLUS_MINUS_ALLOWED * pm) => Verdict::WithinPlusMinus,
            (Some(error), _) if within(STANDARD_ERRORS_ALLOWED * error) => {
                Verdict::WithinStandardErrors
            }
            (None, None) if self.measured.value == published.value => Verdict::Equal,
            (None, None) if is_whole(&self.measured.value) && is_whole(&published.value) => {
                Verdict::Differs
            }
            (None, None) if within(0.0) => Verdict::PrintedDigits,
            _ => Verdict::Differs,
        };
    }

    /// The fields under [`COLUMNS`].
    fn fields(&self, experiment: &str) -> [String; 18] {
        let q = self.measured.clone();
        let p = self.published.as_ref();
        let half_digit = |p: &Published| {
            p.rounding.clone().or_else(|| Decimal::read(&p.value).map(|v| v.half_digit.shown()))
        };
        let ratio = |value: Option<f64>| value.map(|v| format!("{v:.3}")).unwrap_or_default();
        [
            experiment.to_owned(),
            q.game,
            q.quantity,
            q.depth.map(|depth| depth.to_string()).unwrap_or_default(),
            q.unit,
            q.value,
            q.standard_error,
            q.low,
            q.high,
            q.trial_spread,
            p.map(|p| p.value.clone()).unwrap_or_default(),
            p.and_then(|p| p.plus_minus.clone()).unwrap_or_default(),
            p.and_then(half_digit).unwrap_or_default(),
            ratio(self.deviation_standard_errors),
            ratio(self.deviation_plus_minus),
            self.verdict.to_string(),
            self.diagnosis.clone(),
            p.map(|p| p.source.clone()).unwrap_or_default(),
        ]
    }

    /// The cells of the text table.
    fn cells(&self) -> [String; 10] {
        let q = &self.measured;
        let error = Decimal::read(&q.standard_error).filter(|error| error.mantissa > 0.0);
        let shown = |text: &str| match Decimal::read(text) {
            Some(number) => number.rounded(text, error),
            None => text.to_owned(),
        };
        let interval = match (q.low.as_str(), q.high.as_str()) {
            ("", _) | (_, "") => String::new(),
            (low, high) => format!("[{}, {}]", shown(low), shown(high)),
        };
        let unit = match (q.unit.as_str(), q.depth) {
            ("percent", _) => " (%)".to_owned(),
            ("plies", _) => " (plies)".to_owned(),
            (_, Some(depth)) => format!(" {depth}"),
            _ => String::new(),
        };
        let ratio = |value: Option<f64>| value.map(|v| format!("{v:+.2}")).unwrap_or_default();
        let p = self.published.as_ref();
        [
            q.game.clone(),
            format!("{}{unit}", q.quantity),
            shown(&q.value),
            error.map(|error| error.as_error_of(Decimal::read(&q.value))).unwrap_or_default(),
            interval,
            p.map(|p| p.value.clone()).unwrap_or_default(),
            p.and_then(|p| p.plus_minus.clone()).unwrap_or_default(),
            ratio(self.deviation_standard_errors),
            ratio(self.deviation_plus_minus),
            self.verdict.to_string(),
        ]
    }
}

/// `quantity`, a rate, in percent.
fn in_percent(quantity: &Quantity) -> Quantity {
    let hundredfold = |text: &str| match text.parse::<f64>() {
        Ok(rate) => format!("{}", 100.0 * rate),
        Err(_) => text.to_owned(),
    };
    Quantity {
        unit: "percent".into(),
        value: hundredfold(&quantity.value),
        standard_error: hundredfold(&quantity.standard_error),
        low: hundredfold(&quantity.low),
        high: hundredfold(&quantity.high),
        trial_spread: hundredfold(&quantity.trial_spread),
        ..quantity.clone()
    }
}

fn is_whole(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Numbers from 10^-4 on are shown without a power of ten.
const SMALL: i32 = -4;
/// Numbers below 10^6 are shown without a power of ten.
const LARGE: i32 = 6;

/// A number of any size as it is printed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Decimal {
    mantissa: f64,
    exponent: i32,
    half_digit: Digit,
}

/// Half a unit of a decimal place: 5 x 10^(place - 1).
#[derive(Clone, Copy, Debug, PartialEq)]
struct Digit {
    place: i32,
}

impl Digit {
    fn at(self, size: i32) -> f64 {
        0.5 * 10f64.powi(self.place - size)
    }

    fn shown(self) -> String {
        match self.place - 1 {
            -1 => "0.5".to_owned(),
            place @ -6..=-2 => format!("{:.*}", -place as usize, 5.0 * 10f64.powi(place)),
            place => format!("5e{place}"),
        }
    }
}

impl Decimal {
    /// The number that `text` prints, such as `-1.50` or `8.34e28`.
    pub(super) fn read(text: &str) -> Option<Self> {
        let (digits, exponent) = match text.split_once(['e', 'E']) {
            Some((digits, exponent)) => (digits, exponent.parse().ok()?),
            None => (text, 0),
        };
        let plain = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '+');
        if !digits.chars().all(plain) {
            return None;
        }
        let mantissa: f64 = digits.parse().ok()?;
        let decimals = digits.split_once('.').map_or(0, |(_, decimals)| decimals.len() as i32);
        Some(Self { mantissa, exponent, half_digit: Digit { place: exponent - decimals } })
    }

    /// The number in units of 10^`size`.
    pub(super) fn at(self, size: i32) -> f64 {
        match self.exponent - size {
            up @ 0.. => self.mantissa * 10f64.powi(up),
            down => self.mantissa / 10f64.powi(-down),
        }
    }

    /// The decimal logarithm; NaN below zero.
    pub(super) fn log10(self) -> f64 {
        self.mantissa.log10() + f64::from(self.exponent)
    }

    /// This number plus `factor` times `other`.
    pub(super) fn plus(self, factor: f64, other: Self) -> Self {
        Self { mantissa: self.mantissa + factor * other.at(self.exponent), ..self }
    }

    /// The place of the first digit other than 0.
    fn order(self) -> i32 {
        match self.mantissa {
            0.0 => self.exponent,
            mantissa => self.exponent + mantissa.abs().log10().floor() as i32,
        }
    }

    /// Two digits of this error, with a power of ten where `value` is shown with one.
    fn as_error_of(self, value: Option<Self>) -> String {
        let size = self.order();
        let large = value.is_some_and(|value| value.order() >= LARGE);
        if !large && (SMALL..LARGE).contains(&size) {
            return format!("{:.*}", (1 - size).max(0) as usize, self.at(0));
        }
        format!("{:.1}e{size}", self.at(size))
    }

    /// The number to two digits of `error`; without one, whole numbers in full (up to
    /// [`MOST_DIGITS`]) and others to at most nine digits.
    fn rounded(self, text: &str, error: Option<Self>) -> String {
        if error.is_none() && is_whole(text) && text.len() <= MOST_DIGITS {
            return text.to_owned();
        }
        let order = self.order();
        let last = error.map_or(order - 8, |error| error.order() - 1);
        let size = order.max(last + 1);
        let (digits, power) = if (SMALL..LARGE).contains(&size) {
            (format!("{:.*}", (-last).max(0) as usize, self.at(0)), String::new())
        } else {
            (format!("{:.*}e{size}", (size - last) as usize, self.at(size)), format!("e{size}"))
        };
        if error.is_some() || !digits.contains('.') {
            return digits;
        }
        let plain = digits.strip_suffix(&power).unwrap_or(&digits);
        plain.trim_end_matches('0').trim_end_matches('.').to_owned() + &power
    }
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

    use super::*;

    fn estimate(value: &str, standard_error: &str) -> Quantity {
        let quantity = Quantity::exact("g", "gts", "games", value);
        Quantity { standard_error: standard_error.into(), ..quantity }
    }

    fn published(value: &str, plus_minus: Option<&str>) -> Published {
        Published {
            game: None,
            quantity: "gts".into(),
            depth: None,
            value: value.into(),
            plus_minus: plus_minus.map(str::to_owned),
            unit: None,
            rounding: None,
            source: "Table 1, row \"g\"".into(),
        }
    }

    fn row(measured: Quantity, published: Published) -> Row {
        Row::compare(&measured, Some(&published), String::new())
    }

    #[test]
    fn deviations_are_measured_minus_published_in_both_units() {
        let row = row(estimate("8.342e28", "4e25"), published("8.34e28", Some("0.05e28")));
        assert!((row.deviation_standard_errors.unwrap() - 0.5).abs() < 1e-9);
        assert!((row.deviation_plus_minus.unwrap() - 0.04).abs() < 1e-9);
        assert_eq!(row.verdict, Verdict::WithinPlusMinus);
    }

    #[test]
    fn numbers_beyond_f64_are_compared() {
        let row = row(estimate("7.2e404", "2e403"), published("7.8e404", Some("0.1e404")));
        assert!((row.deviation_standard_errors.unwrap() + 3.0).abs() < 1e-9);
        assert!((row.deviation_plus_minus.unwrap() + 6.0).abs() < 1e-9);
        assert_eq!(row.verdict, Verdict::WithinStandardErrors);
    }

    #[test]
    fn three_plus_minus_and_half_a_digit_are_the_border() {
        for (value, verdict) in [
            ("8.494e28", Verdict::WithinPlusMinus),
            ("8.495e28", Verdict::WithinPlusMinus),
            ("8.496e28", Verdict::Differs),
            ("8.185e28", Verdict::WithinPlusMinus),
            ("8.184e28", Verdict::Differs),
        ] {
            let row = row(estimate(value, "1e24"), published("8.34e28", Some("0.05e28")));
            assert_eq!(row.verdict, verdict, "{value}");
        }
    }

    #[test]
    fn estimates_of_exact_values_may_be_four_standard_errors_away() {
        for (value, verdict) in [
            ("255568", Verdict::WithinStandardErrors),
            ("254768", Verdict::WithinStandardErrors),
            ("255569", Verdict::Differs),
        ] {
            assert_eq!(row(estimate(value, "100"), published("255168", None)).verdict, verdict);
        }
    }

    #[test]
    fn exact_counts_must_match_in_every_digit_and_rounded_ones_as_printed() {
        let exact = |value: &str| Quantity::exact("g", "gts", "games", value);
        let long = "7717880162220474034203925206374892518645244798128637950441522462719";
        let off = "7717880162220474034203925206374892518645244798128637950441522462718";
        for (value, target, verdict) in [
            (long, long, Verdict::Equal),
            (off, long, Verdict::Differs),
            (long, "7.7e66", Verdict::PrintedDigits),
            (long, "7.8e66", Verdict::Differs),
            ("8.2545146726862305", "8.254515", Verdict::PrintedDigits),
            ("8.2545146726862305", "8.254514", Verdict::Differs),
            ("", "5", Verdict::Incomparable),
            ("many", "5", Verdict::Incomparable),
        ] {
            assert_eq!(row(exact(value), published(target, None)).verdict, verdict, "{value}");
        }
    }

    #[test]
    fn a_stated_rounding_replaces_that_of_the_digits() {
        let mut target = published("60.00", None);
        target.rounding = Some("0.05".into());
        let exact = |value: &str| Quantity::exact("g", "gts", "games", value);
        assert_eq!(row(exact("60.04"), target.clone()).verdict, Verdict::PrintedDigits);
        assert_eq!(row(exact("60.06"), target).verdict, Verdict::Differs);
    }

    #[test]
    fn rates_are_shown_in_percent_beside_percents() {
        let measured = Quantity {
            unit: "rate".into(),
            low: "0.25".into(),
            high: "0.5".into(),
            ..estimate("0.375", "0.125")
        };
        let target = Published { unit: Some("percent".into()), ..published("25.0", Some("12.5")) };
        let row = row(measured, target);
        let q = &row.measured;
        assert_eq!([&q.value, &q.standard_error, &q.low, &q.high], ["37.5", "12.5", "25", "50"]);
        assert_eq!((q.unit.as_str(), row.deviation_plus_minus), ("percent", Some(1.0)));
        assert_eq!(row.deviation_standard_errors, Some(1.0));
    }

    #[test]
    fn text_rounds_to_two_digits_of_the_error() {
        for (value, error, shown, shown_error) in [
            ("8.34217e28", "4.4567e25", "8.3422e28", "4.5e25"),
            ("41.0312345", "0.0123", "41.031", "0.012"),
            ("254963.3", "289.4", "254963", "289"),
            ("0.0000789", "0.00011", "0.00008", "0.00011"),
            ("7.9e148", "7.9e148", "7.9e148", "7.9e148"),
            ("48160000.5", "232231.4", "4.816e7", "2.3e5"),
        ] {
            let cells = row(estimate(value, error), published("1", None)).cells();
            assert_eq!([&cells[2], &cells[3]], [shown, shown_error]);
        }
        let plain = |value: &str| Decimal::read(value).unwrap().rounded(value, None);
        assert_eq!(plain("0.25606054019283"), "0.25606054");
        assert_eq!(plain("0.5"), "0.5");
        assert_eq!(plain("7.1163234e-6"), "7.1163234e-6");
        assert_eq!(plain("9007199254740993"), "9007199254740993");
    }

    #[test]
    fn doubts_of_a_game_stand_below_its_table() {
        let verdict = Quantity::exact("g", "verdict", "", "not trusted: 2 batches, fewer than 10");
        let measured = [estimate("5", "1"), verdict];
        let table = Table::new("e", vec!["e: title".into()], &measured, &[]);
        assert_eq!(table.rows.len(), 1, "the diagnosis is no number");
        let text = table.to_text();
        assert!(text.starts_with("e: title\ngame"), "{text}");
        assert!(text.ends_with("\ng: not trusted: 2 batches, fewer than 10\n"), "{text}");
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
