//! Numbers as they are printed: read with the place of their last digit, compared at any size, and
//! rounded for people to two digits of their error.

/// Longer whole numbers are rounded in text; CSV has every digit.
const MOST_DIGITS: usize = 70;

/// Whether `text` is digits only.
pub(super) fn is_whole(text: &str) -> bool {
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
    /// Half a unit of the last printed digit.
    pub(super) half_digit: Digit,
}

/// Half a unit of a decimal place: 5 x 10^(place - 1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Digit {
    place: i32,
}

impl Digit {
    /// The half unit in units of 10^`size`.
    pub(super) fn at(self, size: i32) -> f64 {
        0.5 * 10f64.powi(self.place - size)
    }

    /// The half unit as text.
    pub(super) fn shown(self) -> String {
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

    /// Whether the number is above 0.
    pub(super) fn is_positive(self) -> bool {
        self.mantissa > 0.0
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
    pub(super) fn order(self) -> i32 {
        self.exponent + exponent_of(&format!("{:e}", self.mantissa))
    }

    /// The place of the first digit once the number is rounded to `digits` digits: 9.97 has the
    /// order 1 to two digits.
    fn order_to(self, digits: i32) -> i32 {
        let decimals = (digits - 1).max(0) as usize;
        self.exponent + exponent_of(&format!("{:.decimals$e}", self.mantissa))
    }

    /// Two digits of this error, with a power of ten where `value` is shown with one.
    pub(super) fn as_error_of(self, value: Option<Self>) -> String {
        let size = self.order_to(2);
        let large = value.is_some_and(|value| value.order() >= LARGE);
        if !large && (SMALL..LARGE).contains(&size) {
            return format!("{:.*}", (1 - size).max(0) as usize, self.at(0));
        }
        format!("{:.1}e{size}", self.at(size))
    }

    /// The number to two digits of `error`; without one, whole numbers in full (up to
    /// [`MOST_DIGITS`]) and others to at most nine digits.
    pub(super) fn rounded(self, text: &str, error: Option<Self>) -> String {
        if error.is_none() && is_whole(text) && text.len() <= MOST_DIGITS {
            return text.to_owned();
        }
        let last = match error {
            Some(error) => error.order_to(2) - 1,
            None => self.order_to(9) - 8,
        };
        let size = self.order_to(self.order() - last + 1).max(last + 1);
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

/// The exponent of a number printed as `-1.5e-7`; 0 without one.
fn exponent_of(text: &str) -> i32 {
    text.split_once('e').and_then(|(_, exponent)| exponent.parse().ok()).unwrap_or(0)
}
