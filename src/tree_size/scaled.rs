//! Numbers with a mantissa of 53 bits and an exponent of 64: no weight overflows.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// `log10(2)` in two parts: the first has 30 significant bits, so its product with an exponent
/// below 2^22 is exact.
const LOG10_2_HIGH: f64 = 323_228_496.0 / 1_073_741_824.0;
const LOG10_2_LOW: f64 = std::f64::consts::LOG10_2 - LOG10_2_HIGH;

/// A real number `mantissa * 2^exponent` with `1 <= |mantissa| < 2`, or zero.
///
/// Arithmetic rounds like `f64` and never overflows. A mantissa that is infinite or not a number is
/// kept with exponent 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scaled {
    mantissa: f64,
    exponent: i64,
}

impl Scaled {
    /// Zero.
    pub const ZERO: Self = Self { mantissa: 0.0, exponent: 0 };

    /// The number `value * 2^exponent`.
    pub fn new(value: f64, exponent: i64) -> Self {
        if value == 0.0 {
            return Self::ZERO;
        }
        if !value.is_finite() {
            return Self { mantissa: value, exponent: 0 };
        }
        let (mantissa, own) = split(value);
        Self { mantissa, exponent: exponent + own }
    }

    /// The mantissa: zero, or of absolute value in `[1, 2)`.
    pub fn mantissa(self) -> f64 {
        self.mantissa
    }

    /// The exponent of two.
    pub fn exponent(self) -> i64 {
        self.exponent
    }

    /// The decimal logarithm, exact to about 10^-13; minus infinity for zero, NaN below zero.
    pub fn log10(self) -> f64 {
        let (high, low) = self.log10_parts();
        high + low
    }

    /// The nearest `f64`; infinite beyond its range.
    pub fn to_f64(self) -> f64 {
        scale(self.mantissa, self.exponent)
    }

    /// The absolute value.
    pub fn abs(self) -> Self {
        Self { mantissa: self.mantissa.abs(), exponent: self.exponent }
    }

    /// The square root; NaN below zero.
    pub fn sqrt(self) -> Self {
        let odd = self.exponent.rem_euclid(2);
        let root = scale(self.mantissa, odd).sqrt();
        Self::new(root, (self.exponent - odd) / 2)
    }

    fn log10_parts(self) -> (f64, f64) {
        let exponent = self.exponent as f64;
        (exponent * LOG10_2_HIGH, exponent * LOG10_2_LOW + self.mantissa.log10())
    }

    /// A decimal mantissa in about `[1, 10)` and its exponent of ten.
    fn decimal(self) -> (f64, i64) {
        let (high, low) = self.abs().log10_parts();
        let whole = (high + low).floor();
        let fraction = (high - whole) + low;
        (10f64.powf(fraction).copysign(self.mantissa), whole as i64)
    }
}

/// The mantissa in `[1, 2)` and the exponent of a finite number other than zero.
fn split(value: f64) -> (f64, i64) {
    let bits = value.to_bits();
    let biased = (bits >> 52 & 0x7ff) as i64;
    if biased == 0 {
        // Subnormal: 2^64 brings it into the normal range.
        let (mantissa, exponent) = split(value * 18_446_744_073_709_551_616.0);
        return (mantissa, exponent - 64);
    }
    let mantissa = f64::from_bits(bits & !(0x7ff << 52) | 1023 << 52);
    (mantissa, biased - 1023)
}

/// `value * 2^exponent`, exact unless the result leaves the normal range of `f64`.
pub(super) fn scale(value: f64, exponent: i64) -> f64 {
    let power = |e: i64| f64::from_bits(((e + 1023) as u64) << 52);
    let mut value = value;
    let mut left = exponent.clamp(-4400, 4400);
    while left > 1023 {
        value *= power(1023);
        left -= 1023;
    }
    while left < -1022 {
        value *= power(-1022);
        left += 1022;
    }
    value * power(left)
}

impl From<f64> for Scaled {
    fn from(value: f64) -> Self {
        Self::new(value, 0)
    }
}

impl From<u128> for Scaled {
    fn from(value: u128) -> Self {
        Self::new(value as f64, 0)
    }
}

impl Neg for Scaled {
    type Output = Self;
    fn neg(self) -> Self {
        Self { mantissa: -self.mantissa, exponent: self.exponent }
    }
}

impl Add for Scaled {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        if self.mantissa == 0.0 {
            return other;
        }
        if other.mantissa == 0.0 {
            return self;
        }
        let (large, small) =
            if self.exponent >= other.exponent { (self, other) } else { (other, self) };
        let aligned = scale(small.mantissa, small.exponent - large.exponent);
        Self::new(large.mantissa + aligned, large.exponent)
    }
}

impl Sub for Scaled {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Scaled {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Self::new(self.mantissa * other.mantissa, self.exponent + other.exponent)
    }
}

impl Div for Scaled {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        Self::new(self.mantissa / other.mantissa, self.exponent - other.exponent)
    }
}

impl PartialOrd for Scaled {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        if self.mantissa.is_nan() || other.mantissa.is_nan() {
            return None;
        }
        (*self - *other).mantissa.partial_cmp(&0.0)
    }
}

impl fmt::LowerExp for Scaled {
    /// Scientific notation with the precision asked for, 6 digits after the point by default.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = f.precision().unwrap_or(6);
        let plain = self.to_f64();
        let in_range = self.mantissa == 0.0 || !self.mantissa.is_finite() || plain.is_normal();
        let text = if in_range {
            format!("{plain:.digits$e}")
        } else {
            let (mantissa, exponent) = self.decimal();
            let text = format!("{mantissa:.digits$e}");
            let (mantissa, carry) = text.split_once('e').expect("the format writes an exponent");
            let carry: i64 = carry.parse().expect("the format writes a whole exponent");
            format!("{mantissa}e{}", exponent + carry)
        };
        write!(f, "{text:>width$}", width = f.width().unwrap_or(0))
    }
}

impl fmt::Display for Scaled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::LowerExp::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn power(base: f64, exponent: u32) -> Scaled {
        (0..exponent).fold(Scaled::from(1.0), |product, _| product * Scaled::from(base))
    }

    #[test]
    fn numbers_beyond_f64_keep_their_logarithm_to_1e_12() {
        // 330 choices of 10, and the size of 14x14 draughts walks.
        assert!((power(10.0, 330).log10() - 330.0).abs() < 1e-12);
        assert!((power(17.0, 3000).log10() - 3000.0 * 17f64.log10()).abs() < 1e-11);
        assert!((power(10.0, 400).log10() - 400.0).abs() < 1e-12);
        assert_eq!(power(10.0, 330).to_f64(), f64::INFINITY);
    }

    #[test]
    fn text_is_scientific_at_any_size() {
        assert_eq!(format!("{:.2e}", power(10.0, 330)), "1.00e330");
        assert_eq!(format!("{:.2e}", -power(10.0, 330)), "-1.00e330");
        assert_eq!(format!("{:.2e}", Scaled::from(1.0) / power(10.0, 330)), "1.00e-330");
        assert_eq!(format!("{:.3e}", Scaled::from(255_168.0)), "2.552e5");
        assert_eq!(format!("{:>10.1e}", Scaled::from(255_168.0)), "     2.6e5");
        assert_eq!(format!("{:.1e}", Scaled::ZERO), "0.0e0");
        // 9.996e330 rounds up to the next power of ten.
        assert_eq!(format!("{:.2e}", power(10.0, 330) * Scaled::from(9.996)), "1.00e331");
    }

    #[test]
    fn arithmetic_in_the_range_of_f64_is_that_of_f64() {
        let values = [0.0, 1.0, -1.0, 3.5, -7.25e-12, 1.0 / 3.0, 8.34e28, 5e-324, -1.7e308];
        for a in values {
            assert_eq!(Scaled::from(a).to_f64(), a);
            for b in values {
                let (x, y) = (Scaled::from(a), Scaled::from(b));
                assert_eq!((x + y).to_f64(), a + b, "{a} + {b}");
                assert_eq!((x - y).to_f64(), a - b, "{a} - {b}");
                assert_eq!(x.partial_cmp(&y), a.partial_cmp(&b), "{a} <=> {b}");
                if (a * b).is_normal() {
                    assert_eq!((x * y).to_f64(), a * b, "{a} * {b}");
                }
                if (a / b).is_normal() {
                    assert_eq!((x / y).to_f64(), a / b, "{a} / {b}");
                }
            }
        }
    }

    #[test]
    fn square_roots_undo_squares() {
        for exponent in [-2001, -1, 0, 1, 2, 2001] {
            let x = Scaled::new(1.375, exponent);
            assert_eq!((x * x).sqrt(), x);
        }
        assert_eq!(Scaled::ZERO.sqrt(), Scaled::ZERO);
    }

    #[test]
    fn scaling_by_powers_of_two_is_exact_and_saturates() {
        assert_eq!(scale(1.5, -1022), 1.5 * f64::MIN_POSITIVE);
        assert_eq!(scale(1.5, 5000), f64::INFINITY);
        assert_eq!(scale(1.5, -5000), 0.0);
        assert_eq!(scale(scale(1.5, -1000), 2000), 1.5 * 2f64.powi(1000));
    }
}
