//! One measured number beside a published one.
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
//!   [`STANDARD_ERRORS_ALLOWED`] standard errors;
//! - where it takes the half digit to pass, the verdict adds `and rounding`.
//!
//! An estimate whose diagnostics say that it is not to be trusted neither agrees nor differs, however
//! near it is: its verdict says `not trusted` and is counted apart ([`Class`]). Its standard
//! error is no yardstick at all; what the other yardsticks say stays in the verdict.

use std::fmt;

use super::decimal::{Decimal, is_whole};
use crate::experiment::measure::CPU_SECONDS;
use crate::experiment::quantity::Quantity;
use crate::experiment::spec::Published;

/// How many published +- an estimate may be away.
pub const PLUS_MINUS_ALLOWED: f64 = 3.0;
/// How many standard errors an estimate may be away from a value without +-.
pub const STANDARD_ERRORS_ALLOWED: f64 = 4.0;
/// Deviations from here on are written with an exponent.
const LONGEST_RATIO: f64 = 1e6;
/// How a diagnosis begins that says not to trust an estimate.
const DOUBT: &str = "not trusted";

/// How near a measured number is to a published one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finding {
    /// The same in every digit.
    Equal,
    /// The same after rounding to the printed digits.
    PrintedDigits,
    /// An estimate within [`PLUS_MINUS_ALLOWED`] published +-.
    WithinPlusMinus,
    /// As [`Finding::WithinPlusMinus`], but only with half a unit of the last printed digit.
    WithinPlusMinusAndRounding,
    /// An estimate within [`STANDARD_ERRORS_ALLOWED`] standard errors.
    WithinStandardErrors,
    /// As [`Finding::WithinStandardErrors`], but only with half a unit of the last printed digit.
    WithinStandardErrorsAndRounding,
    /// No farther from the published value than its tolerance.
    WithinTolerance,
    /// None of these where one was due.
    Differs,
    /// Processor time, which tells more of the machine than of the game.
    AnotherMachine,
    /// Nothing is published.
    Unpublished,
    /// Published, but not measured by this run.
    Unmeasured,
    /// One of the two is no number.
    Incomparable,
}

/// What a comparison counts as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Measured and published agree.
    Agrees,
    /// They do not.
    Differs,
    /// The measured value is an estimate that is not to be trusted.
    NotTrusted,
    /// Published, but not measured by this run.
    Unmeasured,
}

/// How a measured number compares with a published one, and whether it is to be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// How near the two are.
    pub finding: Finding,
    /// False for an estimate whose diagnostics say that it is not to be trusted.
    pub trusted: bool,
}

impl Verdict {
    /// What the comparison counts as; `None` where nothing is published.
    pub fn class(self) -> Option<Class> {
        match self.finding {
            Finding::Unpublished | Finding::AnotherMachine => None,
            Finding::Unmeasured => Some(Class::Unmeasured),
            _ if !self.trusted => Some(Class::NotTrusted),
            Finding::Differs | Finding::Incomparable => Some(Class::Differs),
            Finding::Equal
            | Finding::PrintedDigits
            | Finding::WithinPlusMinus
            | Finding::WithinPlusMinusAndRounding
            | Finding::WithinStandardErrors
            | Finding::WithinTolerance
            | Finding::WithinStandardErrorsAndRounding => Some(Class::Agrees),
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let by_errors = matches!(
            self.finding,
            Finding::WithinStandardErrors | Finding::WithinStandardErrorsAndRounding
        );
        let doubted = self.class() == Some(Class::NotTrusted);
        if doubted && by_errors {
            return f.write_str("not trusted");
        }
        write!(f, "{}{}", self.finding, if doubted { ", not trusted" } else { "" })
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Equal => f.write_str("equal"),
            Self::PrintedDigits => f.write_str("equal as printed"),
            Self::WithinPlusMinus => write!(f, "within {PLUS_MINUS_ALLOWED} +-"),
            Self::WithinPlusMinusAndRounding => {
                write!(f, "within {PLUS_MINUS_ALLOWED} +- and rounding")
            }
            Self::WithinStandardErrors => write!(f, "within {STANDARD_ERRORS_ALLOWED} s.e."),
            Self::WithinStandardErrorsAndRounding => {
                write!(f, "within {STANDARD_ERRORS_ALLOWED} s.e. and rounding")
            }
            Self::WithinTolerance => f.write_str("within tolerance"),
            Self::Differs => f.write_str("DIFFERS"),
            Self::AnotherMachine => f.write_str("another machine"),
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
    /// What the diagnostics of the game's estimates say: `trusted` or the doubts; empty for what is
    /// exact or no estimate of the game tree.
    pub diagnosis: String,
}

/// Whether a diagnosis says that estimates are not to be trusted.
pub(super) fn is_doubt(diagnosis: &str) -> bool {
    diagnosis.starts_with(DOUBT)
}

impl Row {
    pub(super) fn compare(
        measured: &Quantity,
        published: Option<&Published>,
        diagnosis: String,
    ) -> Self {
        let mut row = Self {
            measured: measured.clone(),
            published: published.cloned(),
            deviation_standard_errors: None,
            deviation_plus_minus: None,
            verdict: Verdict { finding: Finding::Unpublished, trusted: !is_doubt(&diagnosis) },
            diagnosis,
        };
        if let Some(published) = published {
            if published.unit.as_deref() == Some("percent") && measured.unit == "rate" {
                row.measured = in_percent(measured);
            }
            row.verdict.finding = match measured.quantity == CPU_SECONDS {
                true => Finding::AnotherMachine,
                false => row.judge(published),
            };
        }
        row
    }

    pub(super) fn unmeasured(published: &Published) -> Self {
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
            verdict: Verdict { finding: Finding::Unmeasured, trusted: true },
            diagnosis: String::new(),
        }
    }

    /// Sets the deviations and says how near the two are.
    fn judge(&mut self, published: &Published) -> Finding {
        let (value, target) =
            (Decimal::read(&self.measured.value), Decimal::read(&published.value));
        let (Some(value), Some(target)) = (value, target) else {
            let same = self.measured.value == published.value && !published.value.is_empty();
            return if same { Finding::Equal } else { Finding::Incomparable };
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
        let within = |allowed: f64| deviation.abs() <= allowed * (1.0 + 1e-9);
        let by_plus_minus = plus_minus.map(|pm| PLUS_MINUS_ALLOWED * pm);
        let by_errors = error.map(|error| STANDARD_ERRORS_ALLOWED * error);
        let passes =
            |yardstick: Option<f64>, more: f64| yardstick.is_some_and(|y| within(y + more));
        if let Some(percent) = published.tolerance_percent {
            let allowed = percent / 100.0 * target.at(size).abs();
            return if within(allowed) { Finding::WithinTolerance } else { Finding::Differs };
        }
        match (by_plus_minus, by_errors) {
            (None, None) if self.measured.value == published.value => Finding::Equal,
            (None, None) if is_whole(&self.measured.value) && is_whole(&published.value) => {
                Finding::Differs
            }
            (None, None) if within(rounding) => Finding::PrintedDigits,
            _ if passes(by_plus_minus, 0.0) => Finding::WithinPlusMinus,
            _ if passes(by_errors, 0.0) => Finding::WithinStandardErrors,
            _ if passes(by_plus_minus, rounding) => Finding::WithinPlusMinusAndRounding,
            _ if passes(by_errors, rounding) => Finding::WithinStandardErrorsAndRounding,
            _ => Finding::Differs,
        }
    }

    /// The fields under [`COLUMNS`].
    pub(super) fn fields(&self, experiment: &str) -> [String; 18] {
        let q = self.measured.clone();
        let p = self.published.as_ref();
        let half_digit = |p: &Published| {
            p.rounding.clone().or_else(|| Decimal::read(&p.value).map(|v| v.half_digit.shown()))
        };
        let ratio = |value: Option<f64>| value.map(|v| ratio(v, 3)).unwrap_or_default();
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
    pub(super) fn cells(&self) -> [String; 10] {
        let q = &self.measured;
        let error = Decimal::read(&q.standard_error).filter(|error| error.is_positive());
        let shown = |text: &str| match Decimal::read(text) {
            Some(number) => number.rounded(text, error),
            None => text.to_owned(),
        };
        let interval = match (q.low.as_str(), q.high.as_str()) {
            ("", _) | (_, "") => String::new(),
            (low, high) => format!("[{}, {}]", shown(low), shown(high)),
        };
        let depth = q.depth.map(|depth| format!(" {depth}")).unwrap_or_default();
        let unit = match q.unit.as_str() {
            "percent" => " (%)",
            "plies" => " (plies)",
            _ => "",
        };
        let ratio = |value: Option<f64>| match value {
            None => String::new(),
            Some(value) if value < 0.0 => ratio(value, 2),
            Some(value) => format!("+{}", ratio(value, 2)),
        };
        let p = self.published.as_ref();
        [
            q.game.clone(),
            format!("{}{depth}{unit}", q.quantity),
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

/// `value` to `digits` digits behind the point, with an exponent where it is long.
fn ratio(value: f64, digits: usize) -> String {
    match value.abs() < LONGEST_RATIO {
        true => format!("{value:.digits$}"),
        false => format!("{value:.digits$e}"),
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

/// An estimate and a published value for tests.
#[cfg(test)]
pub(super) mod samples {
    use super::*;

    pub(in crate::report) fn estimate(value: &str, standard_error: &str) -> Quantity {
        let quantity = Quantity::exact("g", "gts", "games", value);
        Quantity { standard_error: standard_error.into(), ..quantity }
    }

    pub(in crate::report) fn published(value: &str, plus_minus: Option<&str>) -> Published {
        Published {
            game: None,
            quantity: "gts".into(),
            depth: None,
            value: value.into(),
            plus_minus: plus_minus.map(str::to_owned),
            unit: None,
            rounding: None,
            tolerance_percent: None,
            source: "Table 1, row \"g\"".into(),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::samples::{estimate, published};
    use super::*;

    fn row(measured: Quantity, published: Published) -> Row {
        Row::compare(&measured, Some(&published), String::new())
    }

    #[test]
    fn deviations_are_measured_minus_published_in_both_units() {
        let row = row(estimate("8.342e28", "4e25"), published("8.34e28", Some("0.05e28")));
        assert!((row.deviation_standard_errors.unwrap() - 0.5).abs() < 1e-9);
        assert!((row.deviation_plus_minus.unwrap() - 0.04).abs() < 1e-9);
        assert_eq!(row.verdict.finding, Finding::WithinPlusMinus);
    }

    #[test]
    fn a_long_deviation_is_written_with_an_exponent() {
        let row = row(estimate("1e40", "1e3"), published("2e20", Some("-1")));
        assert_eq!(row.deviation_plus_minus, None);
        assert_eq!(row.cells()[7], "+1.00e37");
        assert_eq!(row.fields("e")[13], "1.000e37");
        let short = super::tests::row(estimate("-999999", "1"), published("0", None));
        assert_eq!(short.cells()[7], "-999999.00");
    }

    #[test]
    fn numbers_beyond_f64_are_compared() {
        let row = row(estimate("7.2e404", "2e403"), published("7.8e404", Some("0.1e404")));
        assert!((row.deviation_standard_errors.unwrap() + 3.0).abs() < 1e-9);
        assert!((row.deviation_plus_minus.unwrap() + 6.0).abs() < 1e-9);
        assert_eq!(row.verdict.finding, Finding::WithinStandardErrors);
    }

    #[test]
    fn three_plus_minus_and_half_a_digit_are_the_border() {
        for (value, verdict) in [
            ("8.49e28", Finding::WithinPlusMinus),
            ("8.491e28", Finding::WithinPlusMinusAndRounding),
            ("8.495e28", Finding::WithinPlusMinusAndRounding),
            ("8.496e28", Finding::Differs),
            ("8.19e28", Finding::WithinPlusMinus),
            ("8.185e28", Finding::WithinPlusMinusAndRounding),
            ("8.184e28", Finding::Differs),
        ] {
            let row = row(estimate(value, "1e24"), published("8.34e28", Some("0.05e28")));
            assert_eq!(row.verdict.finding, verdict, "{value}");
        }
    }

    #[test]
    fn estimates_of_exact_values_may_be_four_standard_errors_away() {
        for (value, verdict) in [
            ("255568", Finding::WithinStandardErrors),
            ("254768", Finding::WithinStandardErrors),
            ("255569", Finding::Differs),
        ] {
            assert_eq!(
                row(estimate(value, "100"), published("255168", None)).verdict.finding,
                verdict
            );
        }
    }

    #[test]
    fn exact_counts_must_match_in_every_digit_and_rounded_ones_as_printed() {
        let exact = |value: &str| Quantity::exact("g", "gts", "games", value);
        let long = "7717880162220474034203925206374892518645244798128637950441522462719";
        let off = "7717880162220474034203925206374892518645244798128637950441522462718";
        for (value, target, verdict) in [
            (long, long, Finding::Equal),
            (off, long, Finding::Differs),
            (long, "7.7e66", Finding::PrintedDigits),
            (long, "7.8e66", Finding::Differs),
            ("8.2545146726862305", "8.254515", Finding::PrintedDigits),
            ("8.2545146726862305", "8.254514", Finding::Differs),
            ("", "5", Finding::Incomparable),
            ("many", "5", Finding::Incomparable),
        ] {
            assert_eq!(
                row(exact(value), published(target, None)).verdict.finding,
                verdict,
                "{value}"
            );
        }
    }

    #[test]
    fn a_stated_rounding_replaces_that_of_the_digits() {
        let mut target = published("60.00", None);
        target.rounding = Some("0.05".into());
        let exact = |value: &str| Quantity::exact("g", "gts", "games", value);
        assert_eq!(row(exact("60.04"), target.clone()).verdict.finding, Finding::PrintedDigits);
        assert_eq!(row(exact("60.06"), target).verdict.finding, Finding::Differs);
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
    fn a_verdict_owns_up_to_rounding_exactly_when_its_columns_alone_would_fail() {
        // 59.9953 against a printed 60.00 +- 0.001: only the half digit 0.005 lets it pass.
        let agl = row(estimate("59.9953", "0.000568"), published("60.00", Some("0.001")));
        assert_eq!(format!("{:.2}", agl.deviation_standard_errors.unwrap()), "-8.27");
        assert_eq!(format!("{:.2}", agl.deviation_plus_minus.unwrap()), "-4.70");
        assert_eq!(agl.verdict.to_string(), "within 3 +- and rounding");
        let rate = row(estimate("18.131", "0.005"), published("18.1", None));
        assert_eq!(format!("{:+.2}", rate.deviation_standard_errors.unwrap()), "+6.20");
        assert_eq!(rate.verdict.to_string(), "within 4 s.e. and rounding");
        for yards in 0..10 {
            let value = (60_000 + yards).to_string();
            for plus_minus in [None, Some("1")] {
                let mut target = published("60000", plus_minus);
                target.rounding = Some("2".into());
                let row = row(estimate(&value, "1"), target);
                let columns_pass = row.deviation_plus_minus.is_some_and(|d| d.abs() <= 3.0)
                    || row.deviation_standard_errors.unwrap().abs() <= 4.0;
                let verdict = row.verdict.to_string();
                assert_eq!(verdict.starts_with("within") && !verdict.contains("and"), columns_pass);
                assert_eq!(row.verdict.class() == Some(Class::Agrees), yards <= 6, "{verdict}");
            }
        }
    }

    #[test]
    fn estimates_that_are_not_trusted_neither_agree_nor_differ() {
        let doubt = || "not trusted: 2 batches, fewer than 10".to_owned();
        for (value, error, target, plus_minus, verdict) in [
            ("5.5", "1", "5", None, "not trusted"),
            ("5.4", "0.001", "5", None, "not trusted"),
            ("5.5", "1", "5.0", Some("0.5"), "within 3 +-, not trusted"),
            ("9", "1", "5.0", Some("0.5"), "not trusted"),
            ("9", "0.1", "5.0", Some("0.5"), "DIFFERS, not trusted"),
            ("5", "", "5", None, "equal, not trusted"),
        ] {
            let target = published(target, plus_minus);
            let row = Row::compare(&estimate(value, error), Some(&target), doubt());
            assert_eq!(row.verdict.to_string(), verdict, "{value}");
            assert_eq!(row.verdict.class(), Some(Class::NotTrusted), "{value}");
        }
        let unpublished = Row::compare(&estimate("5", "1"), None, doubt());
        assert_eq!(
            (unpublished.verdict.class(), unpublished.verdict.to_string().as_str()),
            (None, "")
        );
    }

    #[test]
    fn rounding_up_to_a_power_of_ten_moves_the_exponent() {
        let plain = |value: &str| Decimal::read(value).unwrap().rounded(value, None);
        assert_eq!(plain("9.999999999999669e329"), "1e330");
        assert_eq!(plain("9.9999999999e-5"), "0.0001");
        assert_eq!(plain("9.9999999999e-7"), "1e-6");
        assert_eq!(plain("999999.99999"), "1e6");
        let both = |value: &str, error: &str| {
            let [_, _, shown, shown_error, ..] =
                row(estimate(value, error), published("1", None)).cells();
            [shown, shown_error]
        };
        assert_eq!(both("9.9999e28", "9.97e25"), ["1.0000e29", "1.0e26"]);
        assert_eq!(both("0.9999", "0.00997"), ["1.000", "0.010"]);
        assert_eq!(both("-9.9996e28", "1.2e26"), ["-1.0000e29", "1.2e26"]);
    }
}
