//! Estimates from replicates: values, errors, three kinds of interval, and whether to trust them.
//!
//! With `R` replicates of estimates `z_r` the pooled estimate of gts is their mean `z`, its standard
//! error `s / sqrt(R)` with the sample standard deviation `s`. A ratio `q = sum y_r / sum z_r` (agl,
//! rates) has the error of the mean of its residuals `y_r - q z_r`, over `z`. The intervals:
//!
//! - *t*: `v +- t e` for an estimate `v` of error `e`, with Student's quantile `t` for `R - 1`
//!   degrees of freedom;
//! - *logarithmic*: `v exp(+- t e / v)`, the same on the scale of logarithms by the delta method;
//! - *bootstrap*: percentiles of the estimates from 1000 samples of `R` replicates drawn from the
//!   replicates, with random numbers of their own that are always the same (B. Efron, *Bootstrap
//!   methods: another look at the jackknife*, Ann. Stat. 7 (1979)); further out than the confidence
//!   says, so that few replicates give an interval as wide as that of Student (T. Hesterberg, *What
//!   teachers should know about the bootstrap*, Am. Stat. 69 (2015), section 4.1.2).
//!
//! Intervals hold where replicates are nearly normal, and they are where each rests on many walks: that is
//! what a verdict asks for first, and what a sample knows to a few per cent. The deviation between
//! replicates is known to a tenth or two only and is small by chance where the estimate is off, so a limit
//! on it stands well above what is common: just above it the lucky ones pass. A rate of results that few
//! walks of a replicate have has an error and no interval.

use std::fmt;

use statrs::distribution::{ContinuousCDF, Normal};

use super::pareto::{pareto_k_hat, pareto_tail_len};
use super::replicate::Replicate;
use super::scaled::Scaled;
use super::student::{check_confidence, student_t_quantile};
use super::summary::{Convergence, K_HAT_ALLOWED, SummaryError};
use crate::stream::{bounded, stream};

/// Fewer replicates than this give no interval to trust.
pub const REPLICATES_NEEDED: u64 = 20;
/// A smaller effective sample than this within half of the replicates is not trusted.
pub const EFFECTIVE_WALKS_NEEDED: f64 = 100.0;
/// A replicate with more than this share of the sum of all is not trusted, unless it has no more than
/// three times what falls to it.
pub const LARGEST_REPLICATE_ALLOWED: f64 = 0.05;
/// Replicates with a larger standard deviation, over their mean, are not trusted: they need not be nearly
/// normal, and those of populations lean to one side.
pub const DEVIATION_ALLOWED: f64 = 0.2;
/// A rate needs at least so many effective walks within a replicate that have this result, and others.
pub const WALKS_OF_A_RESULT_NEEDED: f64 = 5.0;
/// The most that the standard deviation of a rate in single replicates may be of it, or of its rest, for
/// an interval to be given: 4 walks of a replicate with this result have as much.
pub const RATE_DEVIATION_ALLOWED: f64 = 0.5;

/// Samples of the bootstrap.
const BOOTSTRAP_SAMPLES: usize = 1000;
const BOOTSTRAP_SEED: u64 = 0x6b6f_6f74;
/// Relative rounding of residuals.
const ROUNDING: f64 = 1e-14;

/// One estimated quantity with its errors; needs 2 replicates, and for a ratio some spread: a result
/// never seen has an unknown error, not an error of 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReplicateEstimate<T> {
    /// The pooled estimate.
    pub value: T,
    /// Its standard error.
    pub standard_error: Option<T>,
    /// The t interval.
    pub interval: Option<(T, T)>,
    /// The interval on the scale of logarithms; none for an estimate of 0.
    pub log_interval: Option<(T, T)>,
    /// The percentiles of the bootstrap.
    pub bootstrap: Option<(T, T)>,
}

impl ReplicateVerdict {
    /// Whether the errors can be trusted, or there are none.
    pub fn is_sound(&self) -> bool {
        !matches!(self, Self::NotTrusted(_))
    }
}

impl<T> ReplicateEstimate<T> {
    fn without_intervals(self) -> Self {
        Self { interval: None, log_interval: None, bootstrap: None, ..self }
    }
}

/// Whether the errors of a summary can be trusted.
#[derive(Clone, Debug, PartialEq)]
pub enum ReplicateVerdict {
    /// There are none: every game was counted.
    Exact,
    /// Nothing speaks against them.
    Trusted,
    /// At least one reason not to.
    NotTrusted(Vec<ReplicateDoubt>),
}

/// A reason not to trust an error or an interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ReplicateDoubt {
    /// Fewer replicates than `REPLICATES_NEEDED`.
    FewReplicates(u64),
    /// Every estimate of gts is the same: games that are rarer may be missing.
    EqualEstimates,
    /// An effective sample size within a replicate below [`EFFECTIVE_WALKS_NEEDED`], in half of them.
    FewEffectiveWalks(f64),
    /// A standard deviation of replicates over their mean above `DEVIATION_ALLOWED`.
    Deviation(f64),
    /// A largest replicate with too large a share.
    LargestShare(f64),
    /// A k-hat above `K_HAT_ALLOWED`.
    HeavyTail(f64),
}

/// Estimates and diagnostics of replicates.
#[derive(Clone, Debug, PartialEq)]
pub struct ReplicateSummary {
    /// Replicates seen.
    pub replicates: u64,
    /// Walks or particles of all replicates.
    pub games: u64,
    /// The confidence of the intervals, between 0 and 1.
    pub confidence: f64,
    /// The number of games (leaves of the game tree).
    pub gts: ReplicateEstimate<Scaled>,
    /// The number of nodes of the game tree, root and leaves included.
    pub nodes: ReplicateEstimate<Scaled>,
    /// The mean length of a game in plies.
    pub agl: ReplicateEstimate<f64>,
    /// The share of games that the first player wins.
    pub first_rate: ReplicateEstimate<f64>,
    /// The share of games that the second player wins.
    pub second_rate: ReplicateEstimate<f64>,
    /// The share of drawn games.
    pub draw_rate: ReplicateEstimate<f64>,
    /// The standard error of gts over gts; needs 2 replicates.
    pub relative_error: Option<f64>,
    /// The variance of one replicate's estimate of gts over the square of the mean; needs 2
    /// replicates.
    pub relative_variance: Option<f64>,
    /// How often the populations resampled, on average.
    pub mean_resamplings: f64,
    /// The least effective sample size within a replicate.
    pub least_ess: f64,
    /// The median of the effective sample sizes within replicates.
    pub median_ess: f64,
    /// The effective number of replicates `(sum z)^2 / sum z^2`.
    pub effective_replicates: f64,
    /// The largest replicate's share of the sum of `z`.
    pub largest_share: f64,
    /// The largest share that a single walk or particle has of its replicate.
    pub largest_weight_share: f64,
    /// The Pareto k-hat of the replicates' `z`; `None` when too few lie in the tail.
    pub k_hat: Option<f64>,
    /// Whether to trust the errors.
    pub verdict: ReplicateVerdict,
}

impl ReplicateSummary {
    /// Summarizes `replicates` with intervals of confidence `confidence`.
    ///
    /// # Errors
    /// When there are no replicates or the confidence is not between 0 and 1.
    pub fn of(replicates: &[Replicate], confidence: f64) -> Result<Self, SummaryError> {
        check_confidence(confidence)?;
        if replicates.is_empty() {
            return Err(SummaryError::NoBatches);
        }
        let view = View::of(replicates, confidence, BOOTSTRAP_SAMPLES);
        let z = view.column(|one| one.z);
        let sum: f64 = z.iter().sum();
        let squares: f64 = z.iter().map(|z| z * z).sum();
        let largest_share = z.iter().copied().fold(0.0, f64::max) / sum;
        let gts = view.mean(|one| one.z);
        let relative_error = gts.standard_error.map(|error| (error / gts.value).to_f64());
        let count = replicates.len() as u64;
        let relative_variance = relative_error.map(|error| error * error * count as f64);
        let deviation = relative_variance.map_or(0.0, f64::sqrt);
        let k_hat = k_hat(z.clone());
        let least_ess = replicates.iter().map(|one| one.least_ess).fold(f64::INFINITY, f64::min);
        let median_ess = view.median_ess;
        let too_large = LARGEST_REPLICATE_ALLOWED.max(3.0 / count as f64);
        let doubts: Vec<ReplicateDoubt> = [
            (count < REPLICATES_NEEDED, ReplicateDoubt::FewReplicates(count)),
            (count > 1 && deviation == 0.0, ReplicateDoubt::EqualEstimates),
            (
                !at_least(median_ess, EFFECTIVE_WALKS_NEEDED),
                ReplicateDoubt::FewEffectiveWalks(median_ess),
            ),
            (!at_most(deviation, DEVIATION_ALLOWED), ReplicateDoubt::Deviation(deviation)),
            (!at_most(largest_share, too_large), ReplicateDoubt::LargestShare(largest_share)),
            (
                k_hat.is_some_and(|k| k > K_HAT_ALLOWED),
                ReplicateDoubt::HeavyTail(k_hat.unwrap_or(f64::NAN)),
            ),
        ]
        .into_iter()
        .filter_map(|(doubted, why)| doubted.then_some(why))
        .collect();
        let verdict = match (view.exact && sum.is_finite(), doubts.is_empty()) {
            (true, _) => ReplicateVerdict::Exact,
            (false, true) => ReplicateVerdict::Trusted,
            (false, false) => ReplicateVerdict::NotTrusted(doubts),
        };
        Ok(Self {
            replicates: count,
            games: replicates.iter().map(|one| one.games).sum(),
            confidence,
            nodes: view.mean(|one| one.nodes),
            agl: view.ratio(|one| one.zn),
            first_rate: view.rate(|one| one.first),
            second_rate: view.rate(|one| one.second),
            draw_rate: view.rate(|one| one.draws),
            gts,
            relative_error,
            relative_variance,
            mean_resamplings: replicates.iter().map(|one| one.resamplings as f64).sum::<f64>()
                / count as f64,
            least_ess,
            median_ess,
            effective_replicates: sum * sum / squares,
            largest_share,
            largest_weight_share: replicates
                .iter()
                .map(|one| one.largest_share)
                .fold(0.0, f64::max),
            k_hat,
            verdict,
        })
    }

    /// The replicates that would bring the relative standard error of gts to `relative_error`, as far
    /// as these tell; `None` where they tell none.
    pub fn replicates_for(&self, relative_error: f64) -> Option<u64> {
        let needed = self.relative_variance? / (relative_error * relative_error);
        needed.is_finite().then(|| needed.ceil().max(1.0) as u64)
    }
}

/// The running estimates after some of the replicates, at most `most` times, the last after all.
///
/// # Errors
/// When the confidence is not between 0 and 1.
pub fn replicate_convergence(
    replicates: &[Replicate],
    confidence: f64,
    most: usize,
) -> Result<Vec<Convergence>, SummaryError> {
    check_confidence(confidence)?;
    let points = most.min(replicates.len());
    let ends = (1..=points).map(|point| point * replicates.len() / points);
    let point = |end: usize| {
        let so_far = &replicates[..end];
        let view = View::of(so_far, confidence, 0);
        let gts = view.mean(|one| one.z);
        let agl = view.ratio(|one| one.zn);
        Convergence {
            batches: end as u64,
            games: so_far.iter().map(|one| one.games).sum(),
            gts: gts.value,
            gts_interval: gts.interval,
            agl: agl.value,
            agl_interval: agl.interval,
        }
    };
    Ok(ends.map(point).collect())
}

/// Replicates as numbers in a common unit.
struct View<'a> {
    replicates: &'a [Replicate],
    /// The exponent of two of the unit.
    unit: i64,
    /// Whether they count every game.
    exact: bool,
    /// The median of the effective sample sizes within replicates.
    median_ess: f64,
    /// Student's quantile; none for a single replicate.
    quantile: Option<f64>,
    /// The share of the bootstrap's estimates beyond each end of its interval.
    outside: f64,
    /// For each sample of the bootstrap, how often it holds each replicate.
    samples: Vec<Vec<u16>>,
}

impl<'a> View<'a> {
    fn of(replicates: &'a [Replicate], confidence: f64, samples: usize) -> Self {
        let count = replicates.len();
        let unit = replicates.iter().map(|one| one.z.exponent()).max().unwrap_or(0);
        let several = count > 1;
        let mut generator = stream(BOOTSTRAP_SEED, 0);
        let samples = (0..if several { samples } else { 0 })
            .map(|_| {
                let mut times = vec![0; count];
                for _ in 0..count {
                    times[bounded(&mut generator, count as u64) as usize] += 1;
                }
                times
            })
            .collect();
        let exact = replicates.iter().all(Replicate::is_exact);
        let quantile = if several {
            let t = student_t_quantile(count as u64 - 1, confidence);
            Some(t.expect("the confidence was checked"))
        } else {
            // A single one that is exact has an interval of no width.
            exact.then_some(0.0)
        };
        let size = count as f64;
        let expanded = quantile.map_or(0.0, |t| t * (size / (size - 1.0)).sqrt());
        let outside = Normal::standard().cdf(-expanded);
        let mut sizes: Vec<f64> = replicates.iter().map(|one| one.least_ess).collect();
        sizes.sort_by(f64::total_cmp);
        let median_ess = sizes.get(count / 2).copied().unwrap_or_default();
        Self { replicates, unit, exact, median_ess, quantile, outside, samples }
    }

    /// One estimate of each replicate, in the common unit.
    fn column(&self, of: impl Fn(&Replicate) -> Scaled) -> Vec<f64> {
        let one = |replicate: &Replicate| {
            let value = of(replicate);
            Scaled::new(value.mantissa(), value.exponent() - self.unit).to_f64()
        };
        self.replicates.iter().map(one).collect()
    }

    fn mean(&self, of: impl Fn(&Replicate) -> Scaled) -> ReplicateEstimate<Scaled> {
        let values = self.column(of);
        let ones = vec![1.0; values.len()];
        let estimate = self.estimate(&values, &ones, true);
        let sized = |value: f64| Scaled::new(value, self.unit);
        let pair = |(low, high)| (sized(low), sized(high));
        ReplicateEstimate {
            value: sized(estimate.value),
            standard_error: estimate.standard_error.map(sized),
            interval: estimate.interval.map(pair),
            log_interval: self.log_interval(&estimate, self.unit),
            bootstrap: estimate.bootstrap.map(pair),
        }
    }

    /// The ratio of a sum over all games to their number.
    fn ratio(&self, of: impl Fn(&Replicate) -> Scaled) -> ReplicateEstimate<f64> {
        let estimate = self.estimate(&self.column(of), &self.column(|one| one.z), self.exact);
        let log_interval = self.log_interval(&estimate, 0);
        let plain = |(low, high): (Scaled, Scaled)| (low.to_f64(), high.to_f64());
        ReplicateEstimate { log_interval: log_interval.map(plain), ..estimate }
    }

    /// A rate; without intervals where few walks of a replicate have this result or another.
    fn rate(&self, of: impl Fn(&Replicate) -> Scaled) -> ReplicateEstimate<f64> {
        let rate = self.ratio(of);
        let deviation = rate.standard_error.unwrap_or(0.0) * (self.replicates.len() as f64).sqrt();
        let share = rate.value.min(1.0 - rate.value);
        let enough = at_least(self.median_ess * share, WALKS_OF_A_RESULT_NEEDED)
            && at_most(deviation, RATE_DEVIATION_ALLOWED * share);
        match enough || self.exact {
            true => rate,
            false => rate.without_intervals(),
        }
    }

    /// `v exp(-+ t e / v)`, which may be beyond f64, for an estimate in units of 2^`unit`.
    fn log_interval(
        &self,
        estimate: &ReplicateEstimate<f64>,
        unit: i64,
    ) -> Option<(Scaled, Scaled)> {
        let half = self.quantile? * estimate.standard_error? / estimate.value;
        let (value, powers) = (Scaled::new(estimate.value, unit), half * std::f64::consts::LOG2_E);
        let factor =
            |powers: f64| Scaled::new((powers - powers.floor()).exp2(), powers.floor() as i64);
        half.is_finite().then(|| (value * factor(-powers), value * factor(powers)))
    }

    /// The estimate of `sum y / sum x`, without the logarithmic interval; without any spread the error is
    /// 0 or, unless `may_be_0`, not known.
    fn estimate(&self, y: &[f64], x: &[f64], may_be_0: bool) -> ReplicateEstimate<f64> {
        let count = y.len() as f64;
        let below: f64 = x.iter().sum();
        let value = y.iter().sum::<f64>() / below;
        let mut squares = 0.0;
        let mut size = 0.0;
        for (y, x) in y.iter().zip(x) {
            let residual = y - value * x;
            squares += residual * residual;
            size += y * y;
        }
        if squares <= size * ROUNDING * ROUNDING {
            squares = 0.0;
        }
        let Some(t) = self.quantile.filter(|_| squares > 0.0 || may_be_0) else {
            return ReplicateEstimate {
                value,
                standard_error: None,
                interval: None,
                log_interval: None,
                bootstrap: None,
            };
        };
        let error = match squares {
            0.0 => 0.0,
            _ => (squares * count / (count - 1.0)).sqrt() / below,
        };
        ReplicateEstimate {
            value,
            standard_error: Some(error),
            interval: Some((value - t * error, value + t * error)),
            log_interval: None,
            bootstrap: (!self.samples.is_empty()).then(|| self.percentiles(y, x)),
        }
    }

    fn percentiles(&self, y: &[f64], x: &[f64]) -> (f64, f64) {
        let mut estimates: Vec<f64> = self
            .samples
            .iter()
            .map(|times| {
                let (mut above, mut below) = (0.0, 0.0);
                for ((times, y), x) in times.iter().zip(y).zip(x) {
                    above += f64::from(*times) * y;
                    below += f64::from(*times) * x;
                }
                above / below
            })
            .collect();
        estimates.sort_by(f64::total_cmp);
        let rank = (self.outside * estimates.len() as f64) as usize;
        (estimates[rank], estimates[estimates.len() - 1 - rank])
    }
}

/// Whether `value` is a number of at least `limit`.
fn at_least(value: f64, limit: f64) -> bool {
    value >= limit
}

/// Whether `value` is a number of at most `limit`.
fn at_most(value: f64, limit: f64) -> bool {
    value <= limit
}

/// k-hat of the largest estimates.
fn k_hat(mut z: Vec<f64>) -> Option<f64> {
    z.sort_by(|a, b| b.total_cmp(a));
    let wanted = pareto_tail_len(z.len() as u64) as usize;
    let cutoff = *z.get(wanted)?;
    pareto_k_hat(&z[..wanted], cutoff)
}

impl fmt::Display for ReplicateDoubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FewReplicates(1) => write!(f, "1 replicate, not {REPLICATES_NEEDED}"),
            Self::FewReplicates(have) => {
                write!(f, "{have} replicates, fewer than {REPLICATES_NEEDED}")
            }
            Self::EqualEstimates => {
                f.write_str("all replicates are equal, rarer games may be missing")
            }
            Self::FewEffectiveWalks(have) => write!(
                f,
                "effective sample size {have:.1} within replicates, below {EFFECTIVE_WALKS_NEEDED}"
            ),
            Self::Deviation(deviation) => write!(
                f,
                "standard deviation of replicates {deviation:.2} of their mean, above \
                 {DEVIATION_ALLOWED}"
            ),
            Self::LargestShare(share) => write!(f, "largest-replicate share {share:.3}"),
            Self::HeavyTail(k) => write!(f, "k-hat {k:.2}, above {K_HAT_ALLOWED}"),
        }
    }
}

impl fmt::Display for ReplicateVerdict {
    /// `exact`, `trusted`, or `not trusted: ` and the reasons.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact => f.write_str("exact: every game was counted"),
            Self::Trusted => f.write_str("trusted"),
            Self::NotTrusted(doubts) => {
                let reasons: Vec<String> = doubts.iter().map(ReplicateDoubt::to_string).collect();
                write!(f, "not trusted: {}", reasons.join("; "))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::super::student::ConfidenceError;
    use super::*;

    /// Replicates of these estimates of gts; every game has 10 plies, a quarter are first wins.
    fn of(z: &[f64]) -> Vec<Replicate> {
        let one = |(index, z): (u64, &f64)| Replicate {
            index,
            games: 100,
            z: Scaled::from(*z),
            zn: Scaled::from(10.0 * z),
            first: Scaled::from(0.25 * z),
            second: Scaled::ZERO,
            draws: Scaled::from(0.75 * z),
            nodes: Scaled::from(2.0 * z),
            resamplings: 3,
            least_ess: 100.0 * z,
            largest_share: 0.5 / z,
        };
        (0..).zip(z).map(one).collect()
    }

    fn close(actual: f64, expected: f64, tolerance: f64) {
        assert!((actual - expected).abs() <= tolerance, "{actual} is not {expected}");
    }

    #[test]
    fn the_intervals_are_those_of_the_textbook() {
        // Mean 3, s = sqrt(2.5), standard error s / sqrt(5), t(4, 95 %) = 2.776445.
        let summary = ReplicateSummary::of(&of(&[1.0, 2.0, 3.0, 4.0, 5.0]), 0.95).unwrap();
        let gts = &summary.gts;
        let error = 0.5f64.sqrt();
        close(gts.value.to_f64(), 3.0, 1e-15);
        close(gts.standard_error.unwrap().to_f64(), error, 1e-15);
        let (low, high) = gts.interval.unwrap();
        close(low.to_f64(), 3.0 - 2.776_445 * error, 1e-6);
        close(high.to_f64(), 3.0 + 2.776_445 * error, 1e-6);
        let (low, high) = gts.log_interval.unwrap();
        close(low.to_f64(), 3.0 * (-2.776_445 * error / 3.0).exp(), 1e-6);
        close((low * high).to_f64(), 9.0, 1e-12);
        // The bootstrap's standard deviation is sqrt(2 / 5) = 0.63; 3.1 of it on either side.
        let (low, high) = gts.bootstrap.unwrap();
        close(low.to_f64(), 1.2, 0.21);
        close(high.to_f64(), 4.8, 0.21);
        close(summary.relative_error.unwrap(), error / 3.0, 1e-15);
        close(summary.relative_variance.unwrap(), 2.5 / 9.0, 1e-15);
        close(summary.effective_replicates, 225.0 / 55.0, 1e-12);
        assert_eq!(summary.replicates_for(0.01), Some(2778));
        assert_eq!((summary.replicates, summary.games), (5, 500));
        assert_eq!((summary.least_ess, summary.median_ess), (100.0, 300.0));
        assert_eq!(summary.largest_weight_share, 0.5);
        close(summary.largest_share, 5.0 / 15.0, 1e-15);
        close(summary.nodes.value.to_f64(), 6.0, 1e-15);
    }

    #[test]
    fn the_error_of_a_ratio_is_that_of_its_residuals() {
        // y / x = 20 / 10 with residuals 1, -1, 1, -1: sqrt(4 / 3 * 4) / 10.
        let mut replicates = of(&[1.0, 2.0, 3.0, 4.0]);
        for (one, y) in replicates.iter_mut().zip([3.0, 3.0, 7.0, 7.0]) {
            one.zn = Scaled::from(y);
        }
        let agl = ReplicateSummary::of(&replicates, 0.95).unwrap().agl;
        close(agl.value, 2.0, 1e-15);
        close(agl.standard_error.unwrap(), (16.0f64 / 3.0).sqrt() / 10.0, 1e-15);
        let (low, high) = agl.bootstrap.unwrap();
        assert!((1.5..2.0).contains(&low) && (2.1..=3.0).contains(&high), "{low} {high}");
    }

    #[test]
    fn results_never_seen_and_lengths_always_seen_have_no_error() {
        let summary = ReplicateSummary::of(&of(&[1.0, 2.0, 4.0]), 0.95).unwrap();
        for (estimate, value) in [
            (summary.agl, 10.0),
            (summary.first_rate, 0.25),
            (summary.second_rate, 0.0),
            (summary.draw_rate, 0.75),
        ] {
            close(estimate.value, value, 1e-15);
            assert_eq!((estimate.standard_error, estimate.interval), (None, None));
        }
        let alone = ReplicateSummary::of(&of(&[3.0]), 0.95).unwrap();
        assert_eq!((alone.gts.standard_error, alone.relative_error), (None, None));
        assert_eq!(alone.replicates_for(0.01), None);
        assert_eq!(ReplicateSummary::of(&[], 0.95), Err(SummaryError::NoBatches));
        assert_eq!(
            ReplicateSummary::of(&of(&[1.0]), 1.0),
            Err(SummaryError::Confidence(ConfidenceError(1.0)))
        );
    }

    #[test]
    fn a_rate_of_few_walks_has_an_error_and_no_interval() {
        // The second player wins `rate` of the games, half as much again or half as much less.
        let summary = |rate: f64, by: f64| {
            let calm: Vec<f64> = (0..40).map(|i| 100.0 + f64::from(i % 7)).collect();
            let mut replicates = of(&calm);
            for one in &mut replicates {
                let sign = if one.index % 2 == 0 { 1.0 } else { -1.0 };
                one.second = Scaled::from(rate * (1.0 + by * sign) * one.z.to_f64());
                one.draws = one.z - one.first - one.second;
            }
            ReplicateSummary::of(&replicates, 0.95).unwrap()
        };
        for rate in [0.001, 0.7] {
            let few = summary(rate, 0.6);
            assert_eq!(few.verdict, ReplicateVerdict::Trusted);
            let estimate = few.second_rate;
            let error = 0.6 * rate / 40f64.sqrt();
            close(estimate.standard_error.unwrap(), error, 0.05 * error);
            assert_eq!(
                (estimate.interval, estimate.log_interval, estimate.bootstrap),
                (None, None, None)
            );
        }
        let enough = summary(0.001, 0.4).second_rate;
        assert!(enough.interval.is_some() && enough.bootstrap.is_some());
        let (low, high) = enough.log_interval.unwrap();
        close(low * high, enough.value * enough.value, 1e-18);
        // What is sure but for a few walks has no interval either.
        let nearly_all = summary(0.3, 0.8);
        assert!(nearly_all.draw_rate.interval.is_none() && nearly_all.draw_rate.value > 0.4);
    }

    #[test]
    fn what_was_counted_has_no_error() {
        let mut replicates = of(&[7.0]);
        replicates[0].least_ess = f64::INFINITY;
        let summary = ReplicateSummary::of(&replicates, 0.95).unwrap();
        assert_eq!(summary.verdict, ReplicateVerdict::Exact);
        assert_eq!(summary.verdict.to_string(), "exact: every game was counted");
        let seven = Scaled::from(7.0);
        assert_eq!(summary.gts.standard_error, Some(Scaled::ZERO));
        assert_eq!(summary.gts.interval, Some((seven, seven)));
        assert_eq!(summary.gts.log_interval, Some((seven, seven)));
        assert_eq!(summary.second_rate.interval, Some((0.0, 0.0)));
        assert_eq!((summary.relative_error, summary.relative_variance), (Some(0.0), Some(0.0)));
    }

    #[test]
    fn the_logarithmic_interval_has_no_bounds_of_its_own() {
        let summary = ReplicateSummary::of(&of(&[1.0, 1000.0]), 0.999_999).unwrap();
        let (low, high) = summary.gts.log_interval.unwrap();
        assert!(low.log10() < -1e5 && high.log10() > 1e5, "{low} {high}");
        assert!(((low * high).log10() - 2.0 * 500.5f64.log10()).abs() < 1e-6);
    }

    #[test]
    fn a_verdict_gives_every_reason() {
        let verdict = |z: &[f64]| ReplicateSummary::of(&of(z), 0.95).unwrap().verdict.to_string();
        let calm: Vec<f64> = (0..40).map(|i| 100.0 + f64::from(i % 7)).collect();
        assert_eq!(verdict(&calm), "trusted");
        assert_eq!(verdict(&calm[..19]), "not trusted: 19 replicates, fewer than 20");
        assert_eq!(
            verdict(&[5.0; 30]),
            "not trusted: all replicates are equal, rarer games may be missing"
        );
        let mut thin = of(&calm);
        for one in &mut thin[..21] {
            one.least_ess = 42.5;
        }
        assert_eq!(
            ReplicateSummary::of(&thin, 0.95).unwrap().verdict.to_string(),
            "not trusted: effective sample size 42.5 within replicates, below 100"
        );
        let mut wild = calm.clone();
        wild[7] = 1000.0;
        let text = verdict(&wild);
        assert!(text.contains("standard deviation of replicates 1.1"), "{text}");
        assert!(text.contains("largest-replicate share 0.199"), "{text}");
        // A Pareto tail of shape 1, far out on a large mean.
        let tail: Vec<f64> = (0..400).map(|i| 1e4 + 400.0 / (f64::from(i) + 0.5)).collect();
        let text = verdict(&tail);
        assert!(text.starts_with("not trusted: k-hat 0.9"), "{text}");
    }

    #[test]
    fn the_unit_of_the_weights_changes_nothing() {
        let z = [1.5, 2.0, 2.5, 1.0, 3.0];
        let plain = ReplicateSummary::of(&of(&z), 0.95).unwrap();
        let mut replicates = of(&z);
        let huge = Scaled::new(1.0, 5000);
        for one in &mut replicates {
            for sum in [&mut one.z, &mut one.zn, &mut one.first, &mut one.draws, &mut one.nodes] {
                *sum = *sum * huge;
            }
        }
        let scaled = ReplicateSummary::of(&replicates, 0.95).unwrap();
        assert_eq!(scaled.gts.value / huge, plain.gts.value);
        assert_eq!(scaled.relative_error, plain.relative_error);
        let (low, _) = scaled.gts.bootstrap.unwrap();
        assert_eq!(low / huge, plain.gts.bootstrap.unwrap().0);
    }
}
