//! Student's t distribution, and the confidence of intervals.

use statrs::distribution::{ContinuousCDF, StudentsT};
use thiserror::Error;

/// What is no confidence of an interval.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error("confidence {0}: it lies between 0 and 1, both excluded")]
pub struct ConfidenceError(pub f64);

/// The quantile of Student's t distribution that leaves `(1 - confidence) / 2` on each side.
///
/// # Errors
/// When the confidence is not between 0 and 1.
///
/// # Panics
/// When `degrees_of_freedom` is 0.
pub fn student_t_quantile(
    degrees_of_freedom: u64,
    confidence: f64,
) -> Result<f64, ConfidenceError> {
    check_confidence(confidence)?;
    let t = StudentsT::new(0.0, 1.0, degrees_of_freedom as f64)
        .expect("Student's t has at least one degree of freedom");
    Ok(t.inverse_cdf(0.5 + confidence / 2.0))
}

/// Refuses what is no confidence of an interval.
pub(super) fn check_confidence(confidence: f64) -> Result<(), ConfidenceError> {
    if confidence > 0.0 && confidence < 1.0 { Ok(()) } else { Err(ConfidenceError(confidence)) }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn quantiles_of_students_t_are_those_of_the_textbook() {
        // Abramowitz and Stegun, Handbook of Mathematical Functions, table 26.10.
        let close = |actual: f64, expected: f64, tolerance: f64| {
            assert!((actual - expected).abs() <= tolerance, "{actual} is not {expected}");
        };
        let t = |degrees, confidence| student_t_quantile(degrees, confidence).unwrap();
        close(t(1, 0.95), 12.706, 5e-4);
        close(t(4, 0.95), 2.776, 5e-4);
        close(t(9, 0.95), 2.262, 5e-4);
        close(t(9, 0.99), 3.250, 5e-4);
        close(t(30, 0.90), 1.697, 5e-4);
        close(t(120, 0.95), 1.980, 5e-4);
        // Degrees 1 and 2 have closed forms.
        close(t(1, 0.99), (0.495 * std::f64::consts::PI).tan(), 1e-7);
        close(t(2, 0.95), 2.0 * 0.475 * (2.0 / (1.0f64 - 4.0 * 0.475 * 0.475)).sqrt(), 1e-8);
    }
}
