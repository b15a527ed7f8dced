//! One axis of a plot: from data values to a fraction of the axis, and the ticks along it.
//!
//! Ticks come from a bounded number of multiples of a step out of 1, 2, 5 times a power of ten, never
//! from a search, so that no range (constant, tiny, huge, less than a decade) can keep it busy.

/// How values are laid out along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Equal differences take equal space.
    Linear,
    /// Equal ratios take equal space; values that are not positive cannot be shown.
    Log10,
    /// As [`Scale::Log10`] for values given as decimal logarithms, which may pass the range of f64:
    /// 367.2 stands for 10^367.2 and is labelled so.
    PowersOfTen,
}

/// The description of an axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    pub(super) title: String,
    pub(super) scale: Scale,
    pub(super) from_zero: bool,
    pub(super) range: Option<(f64, f64)>,
    pub(super) ticks: Vec<f64>,
}

impl Axis {
    /// A linear axis; `title` names the quantity with its unit.
    pub fn linear(title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            scale: Scale::Linear,
            from_zero: false,
            range: None,
            ticks: Vec::new(),
        }
    }

    /// A logarithmic axis of values given as they are.
    pub fn log10(title: impl Into<String>) -> Self {
        Self { scale: Scale::Log10, ..Self::linear(title) }
    }

    /// A logarithmic axis of values given as decimal logarithms.
    pub fn powers_of_ten(title: impl Into<String>) -> Self {
        Self { scale: Scale::PowersOfTen, ..Self::linear(title) }
    }

    /// Makes a linear axis include zero, as bars need it.
    pub fn from_zero(mut self) -> Self {
        self.from_zero = true;
        self
    }

    /// Shows `low ..= high` (in the unit of the data) instead of the range of the data; what lies
    /// outside is cut off. Without effect unless `low < high` can be shown on this scale.
    pub fn range(mut self, low: f64, high: f64) -> Self {
        self.range = Some((low, high));
        self
    }

    /// Puts the ticks of a linear axis at these values, as far as they are in its range.
    pub fn ticks(mut self, values: Vec<f64>) -> Self {
        self.ticks = values;
        self
    }

    /// The place of `value` along the axis before scaling; `None` when it cannot be shown.
    pub(super) fn place(&self, value: f64) -> Option<f64> {
        let place = match self.scale {
            Scale::Log10 if value <= 0.0 => return None,
            Scale::Log10 => value.log10(),
            Scale::Linear | Scale::PowersOfTen => value,
        };
        // Differences of places up to this size do not overflow; labels of powers hold an i32.
        let largest = if self.scale == Scale::PowersOfTen { 1e9 } else { 1e300 };
        (place.abs() <= largest).then_some(place)
    }

    /// The axis over `places`, which are finite and at least one.
    pub(super) fn layout(&self, places: impl Iterator<Item = f64>) -> Layout {
        let (mut low, mut high) = places
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), place| (l.min(place), h.max(place)));
        let linear = self.scale == Scale::Linear;
        let chosen = self.range.and_then(|(a, b)| Some((self.place(a)?, self.place(b)?)));
        if let Some((a, b)) = chosen.filter(|(a, b)| a < b && !is_constant(*a, *b)) {
            (low, high) = (a, b);
        } else {
            let (data_low, data_high) = (low, high);
            if linear && self.from_zero {
                (low, high) = (low.min(0.0), high.max(0.0));
            }
            if is_constant(low, high) {
                let pad = match (linear, low.abs().max(high.abs())) {
                    (false, _) => 0.5,
                    (true, size) if size > 1e-290 => 0.1 * size,
                    (true, _) => 1.0,
                };
                (low, high) = (low - pad, high + pad);
            } else {
                let pad = 0.04 * (high - low);
                if !(linear && self.from_zero && data_low >= 0.0) {
                    low -= pad;
                }
                if !(linear && self.from_zero && data_high <= 0.0) {
                    high += pad;
                }
            }
        }
        let ticks = match self.scale {
            Scale::Linear if !self.ticks.is_empty() => Ticks::chosen(&self.ticks, low, high),
            Scale::Linear => Ticks::linear(low, high),
            Scale::Log10 | Scale::PowersOfTen => Ticks::decades(low, high),
        };
        let title = match ticks.factor {
            0 => self.title.clone(),
            factor => format!("{} × {}", self.title, power_of_ten(factor)),
        };
        Layout { low, high, title, labelled: ticks.labelled, unlabelled: ticks.unlabelled }
    }
}

/// Whether the range is too small for its ticks to differ.
fn is_constant(low: f64, high: f64) -> bool {
    high - low <= 1e-290_f64.max(1e-12 * low.abs().max(high.abs()))
}

/// An axis ready to draw, in places.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    low: f64,
    high: f64,
    /// The title, with the power of ten that the labels leave out.
    pub(super) title: String,
    /// Ticks with their labels.
    pub(super) labelled: Vec<(f64, String)>,
    /// Ticks between them.
    pub(super) unlabelled: Vec<f64>,
}

impl Layout {
    /// How far along the axis `place` lies: 0 at its start, 1 at its end; cut off well outside.
    pub(super) fn fraction(&self, place: f64) -> f64 {
        ((place - self.low) / (self.high - self.low)).clamp(-3.0, 4.0)
    }
}

struct Ticks {
    labelled: Vec<(f64, String)>,
    unlabelled: Vec<f64>,
    /// The labels are to be multiplied by 10^factor.
    factor: i32,
}

impl Ticks {
    /// Those of `values` that lie within the range, as they are.
    fn chosen(values: &[f64], low: f64, high: f64) -> Self {
        let inside = values.iter().filter(|v| (low..=high).contains(*v));
        let labelled = inside.map(|v| (*v, v.to_string().replace('-', "−"))).collect();
        Self { labelled, unlabelled: Vec::new(), factor: 0 }
    }

    /// Multiples of a round step on a linear axis.
    fn linear(low: f64, high: f64) -> Self {
        let step = Step::for_span(high - low);
        let values: Vec<f64> = step.multiples(low, high);
        let largest = values.iter().fold(0.0, |m: f64, v| m.max(v.abs()));
        let size = if largest > 0.0 { largest.log10().floor() as i32 } else { 0 };
        let factor = if (-3..5).contains(&size) { 0 } else { size };
        let decimals = (factor - step.exponent).max(0) as usize;
        let label = |v: f64| fixed(scale_by_ten(v, -factor), decimals);
        let labelled = values.into_iter().map(|v| (v, label(v))).collect();
        Self { labelled, unlabelled: Vec::new(), factor }
    }

    /// Powers of ten where the range holds enough of them, else round numbers between them.
    fn decades(low: f64, high: f64) -> Self {
        let span = high - low;
        if span > 2.2 {
            // A label takes as much room as any other, so at most about eight of them.
            let step = if span <= 8.0 { Step::ONE } else { Step::for_span(span * 7.0 / 8.0) };
            let powers = step.multiples(low, high);
            let labelled = powers.iter().map(|p| (*p, power_of_ten(*p as i32))).collect();
            let unlabelled = if span <= 8.0 {
                multiples_within(&[2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0], low, high)
            } else if span <= 24.0 {
                Step::ONE.multiples(low, high).into_iter().filter(|p| !powers.contains(p)).collect()
            } else {
                Vec::new()
            };
            return Self { labelled, unlabelled: unlabelled.into_iter().collect(), factor: 0 };
        }
        let plain = low >= -3.0 && high < 6.0;
        let round = multiples_within(&[1.0, 2.0, 5.0], low, high);
        if span > 0.7 && round.len() >= 3 {
            let all = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0];
            let unlabelled = multiples_within(&all, low, high)
                .into_iter()
                .filter(|place| !round.iter().any(|r| (r - place).abs() < 1e-9))
                .collect();
            let labelled =
                round.into_iter().map(|place| (place, one_digit(place, plain))).collect();
            return Self { labelled, unlabelled, factor: 0 };
        }
        // Within a decade the values themselves are evenly spaced enough.
        let exponent = low.floor();
        let (from, to) = (10f64.powf(low - exponent), 10f64.powf(high - exponent));
        let step = Step::for_span(to - from);
        let exponent_label = exponent as i32;
        let labelled = step
            .multiples(from, to)
            .into_iter()
            .filter(|mantissa| *mantissa > 0.0)
            .map(|mantissa| {
                let label = mantissa_label(mantissa, step.exponent, exponent_label, plain);
                (mantissa.log10() + exponent, label)
            })
            .collect();
        Self { labelled, unlabelled: Vec::new(), factor: 0 }
    }
}

/// A tick distance of `mantissa` x 10^`exponent`.
#[derive(Clone, Copy)]
struct Step {
    mantissa: f64,
    exponent: i32,
}

impl Step {
    const ONE: Self = Self { mantissa: 1.0, exponent: 0 };

    /// The smallest step out of 1, 2, 5 times a power of ten that gives at most eight ticks.
    fn for_span(span: f64) -> Self {
        let raw = span / 7.0;
        let exponent = raw.log10().floor() as i32;
        let rest = scale_by_ten(raw, -exponent);
        let (mantissa, carry) = match rest {
            r if r <= 1.0 => (1.0, 0),
            r if r <= 2.0 => (2.0, 0),
            r if r <= 5.0 => (5.0, 0),
            _ => (1.0, 1),
        };
        Self { mantissa, exponent: exponent + carry }
    }

    /// The multiples of the step within `low ..= high`, never more than a hundred.
    fn multiples(self, low: f64, high: f64) -> Vec<f64> {
        let inverse = |v: f64| scale_by_ten(v, -self.exponent) / self.mantissa;
        let (from, to) = ((inverse(low) - 1e-9).ceil(), (inverse(high) + 1e-9).floor());
        (0..100)
            .map(|i| from + f64::from(i))
            .take_while(|k| *k <= to)
            .map(|k| scale_by_ten(k * self.mantissa, self.exponent))
            .collect()
    }
}

/// The places of `mantissas` times every power of ten within `low ..= high`.
fn multiples_within(mantissas: &[f64], low: f64, high: f64) -> Vec<f64> {
    let powers = Step::ONE.multiples(low.floor(), high.ceil());
    powers
        .iter()
        .flat_map(|power| mantissas.iter().map(move |m| power + m.log10()))
        .filter(|place| (low - 1e-9..=high + 1e-9).contains(place))
        .collect()
}

/// `value` x 10^`exponent`, exact where the power of ten is.
fn scale_by_ten(value: f64, exponent: i32) -> f64 {
    if exponent < -300 {
        value / 1e300 / 10f64.powi(-exponent - 300)
    } else if exponent < 0 {
        value / 10f64.powi(-exponent)
    } else {
        value * 10f64.powi(exponent)
    }
}

/// `value` with `decimals` decimals and a true minus sign.
fn fixed(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    match text.strip_prefix('-') {
        Some(rest) if rest.contains(|c: char| ('1'..='9').contains(&c)) => format!("−{rest}"),
        Some(zero) => zero.to_string(),
        None => text,
    }
}

/// `10^exponent` with a raised exponent; 1 and 10 as they are.
pub(in crate::report) fn power_of_ten(exponent: i32) -> String {
    match exponent {
        0 => "1".to_string(),
        1 => "10".to_string(),
        _ => format!("10{}", superscript(exponent)),
    }
}

fn superscript(number: i32) -> String {
    let raised = |c: char| match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '0' => '⁰',
        digit => char::from_u32('⁰' as u32 + digit as u32 - '0' as u32).unwrap_or(digit),
    };
    number.to_string().chars().map(raised).collect()
}

/// The label of a place whose value has one significant digit.
fn one_digit(place: f64, plain: bool) -> String {
    let exponent = (place + 1e-9).floor();
    let mantissa = 10f64.powf(place - exponent).round();
    mantissa_label(mantissa, 0, exponent as i32, plain)
}

/// The label of `mantissa` x 10^`exponent`, the mantissa being a multiple of 10^`precision`, `plain`
/// or with a power of ten.
fn mantissa_label(mantissa: f64, precision: i32, exponent: i32, plain: bool) -> String {
    if plain {
        let decimals = (-(precision + exponent)).max(0) as usize;
        return fixed(scale_by_ten(mantissa, exponent), decimals);
    }
    let mantissa = fixed(mantissa, (-precision).max(0) as usize);
    match mantissa.as_str() {
        "1" => power_of_ten(exponent),
        _ => format!("{mantissa}·{}", power_of_ten(exponent)),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn labels(axis: &Axis, low: f64, high: f64) -> Vec<String> {
        let axis = axis.clone().range(low, high);
        let places = [axis.place(low).unwrap(), axis.place(high).unwrap()];
        let layout = axis.layout(places.into_iter());
        layout.labelled.into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn linear_ticks_are_round_numbers() {
        let axis = Axis::linear("x");
        assert_eq!(labels(&axis, 0.0, 100.0), ["0", "20", "40", "60", "80", "100"]);
        assert_eq!(labels(&axis, -1.0, 1.0), ["−1.0", "−0.5", "0.0", "0.5", "1.0"]);
        assert_eq!(
            labels(&axis, 8.3, 8.36),
            ["8.30", "8.31", "8.32", "8.33", "8.34", "8.35", "8.36"]
        );
    }

    #[test]
    fn large_and_small_numbers_move_their_power_of_ten_to_the_title() {
        for (high, title, last) in
            [(2e8, "games × 10⁸", "2.0"), (99_999.0, "games", "80000"), (4e-7, "games × 10⁻⁷", "4")]
        {
            let layout = Axis::linear("games").range(0.0, high).layout([0.0, high].into_iter());
            assert_eq!(layout.title, title);
            assert_eq!(layout.labelled.last().unwrap().1, last);
        }
    }

    #[test]
    fn logarithmic_ticks_are_powers_of_ten() {
        assert_eq!(labels(&Axis::log10("x"), 1.0, 1e4), ["1", "10", "10²", "10³", "10⁴"]);
        let wide = labels(&Axis::powers_of_ten("x"), 0.0, 367.0);
        assert_eq!(wide.len(), 8);
        assert_eq!(wide[..3], ["1", "10⁵⁰", "10¹⁰⁰"]);
        let far = labels(&Axis::powers_of_ten("x"), -3.0, 28.0);
        assert_eq!(far, ["1", "10⁵", "10¹⁰", "10¹⁵", "10²⁰", "10²⁵"]);
    }

    #[test]
    fn ranges_within_a_decade_get_at_least_two_labels() {
        assert_eq!(labels(&Axis::log10("x"), 2.0, 8.0), ["2", "3", "4", "5", "6", "7", "8"]);
        assert_eq!(labels(&Axis::log10("x"), 0.5, 30.0), ["0.5", "1", "2", "5", "10", "20"]);
        let large = labels(&Axis::log10("x"), 4e4, 1.5e6);
        assert_eq!(large, ["5·10⁴", "10⁵", "2·10⁵", "5·10⁵", "10⁶"]);
        let narrow = labels(&Axis::powers_of_ten("x"), 28.9209, 28.9218);
        assert!(narrow.len() >= 2 && narrow[0].ends_with("·10²⁸"), "{narrow:?}");
        for tenths in 1..400 {
            for low in [-12.34, 0.0, 0.29, 28.92] {
                let high = low + f64::from(tenths) * 0.1;
                let count = labels(&Axis::powers_of_ten("x"), low, high).len();
                assert!((2..=9).contains(&count), "{low} .. {high}: {count}");
            }
        }
    }

    #[test]
    fn every_range_has_few_ticks_inside_it() {
        let sizes = [1e-290, 1e-12, 0.37, 1.0, 86.4, 1e9, 3.3e299];
        for low in sizes.iter().flat_map(|s| [-s, *s]).chain([0.0]) {
            for span in sizes {
                let layout = Axis::linear("x").layout([low, low + span].into_iter());
                assert!((1..=10).contains(&layout.labelled.len()), "{low} + {span}");
                for (place, _) in &layout.labelled {
                    let fraction = layout.fraction(*place);
                    assert!((-1e-6..=1.0 + 1e-6).contains(&fraction), "{low} + {span}: {place}");
                }
            }
        }
    }

    #[test]
    fn constant_data_get_a_range_around_them() {
        for axis in [Axis::linear("x"), Axis::log10("x"), Axis::powers_of_ten("x")] {
            for value in [3.0, 1.0, 1e-200, 404.5, 9e8] {
                let place = axis.place(value).unwrap();
                let layout = axis.layout([place].into_iter());
                assert!((layout.fraction(place) - 0.5).abs() < 1e-6, "{axis:?} {value}");
            }
        }
        let zero = Axis::linear("x").layout([0.0].into_iter());
        assert_eq!(zero.fraction(0.0), 0.5);
    }

    #[test]
    fn values_that_a_scale_cannot_show_have_no_place() {
        for value in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(Axis::log10("x").place(value), None);
        }
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX] {
            assert_eq!(Axis::linear("x").place(value), None);
        }
    }
}
