//! Work that ends when its time is up.

use crate::experiment::provenance::Clock;
use crate::game::Progress;

/// Reads a time in seconds.
pub(super) fn seconds(text: &str) -> std::result::Result<f64, String> {
    match text.parse() {
        Ok(seconds) if seconds > 0.0 && seconds < 1e9 => Ok(seconds),
        _ => Err("allowed: a number of seconds above 0".into()),
    }
}

/// A progress that also stops when the time is up.
pub(super) struct Until<'a> {
    pub(super) progress: &'a dyn Progress,
    pub(super) clock: Clock,
    pub(super) seconds: Option<f64>,
}

impl Progress for Until<'_> {
    fn advance(&self, units: u64) {
        self.progress.advance(units);
    }

    fn stopped(&self) -> bool {
        self.progress.stopped()
            || self.seconds.is_some_and(|seconds| self.clock.seconds() >= seconds)
    }
}
