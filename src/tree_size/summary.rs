//! Estimates from batches: values, errors, intervals, and whether to trust them.
//!
//! With `n` walks of weight `X_i`, mean `m`, the estimate of gts is `m` and its standard error
//! `sqrt(sum (X_i - m)^2 / (n (n - 1)))`. A ratio `R = sum Y_i / sum X_i` (agl, rates) has the
//! delta-method error `sqrt(n / (n - 1) * sum (Y_i - R X_i)^2) / sum X_i`. Both use single walks.
//!
//! The interval uses batches instead: with batch sums `x_b`, `y_b` of `B` batches and the residuals
//! `d_b = y_b - R x_b` (for gts, `x_b` is the number of games), it is
//! `R +- t sqrt(B / (B - 1) * sum d_b^2) / sum x_b`, where `t` is Student's quantile with `B - 1`
//! degrees of freedom. The two errors agree when the sample is large enough.
//!
//! What A. Yong and D. Yong print after `+-` is the *spread*: the standard deviation of single
//! trials, not the error of the pooled mean.

use std::fmt;

use thiserror::Error;

use super::batch::{Batch, BinKind};
use super::pareto::{pareto_k_hat, pareto_tail_len};
use super::scaled::Scaled;
use super::student::{ConfidenceError, check_confidence, student_t_quantile};

/// Fewer batches than this give no interval to trust.
pub const BATCHES_NEEDED: u64 = 10;
/// A smaller effective sample than this is not trusted: one that has missed rare heavy games passes for
/// several times its size, the more so the smaller it is.
pub const EFFECTIVE_GAMES_NEEDED: f64 = 1000.0;
/// A single walk with more than this share of all weight is not trusted.
pub const LARGEST_SHARE_ALLOWED: f64 = 0.05;
/// A tail heavier than this is not trusted (Vehtari et al.).
pub const K_HAT_ALLOWED: f64 = 0.7;
/// The most that the standard error of a rate may be of it, or of its rest, for an interval to be given:
/// an effective sample of 400 games with this result has as much.
pub const RATE_ERROR_ALLOWED: f64 = 0.05;

/// Relative rounding of sums of squares.
const ROUNDING: f64 = 1e-14;

/// One estimated quantity with its errors; what one game, batch or trial cannot give is `None`.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate<T> {
    /// The pooled estimate from all walks.
    pub value: T,
    /// The standard error of `value` from single walks (delta method for ratios); needs 2 games, and
    /// for a ratio some spread: a result never seen has an unknown error, not an error of 0.
    pub standard_error: Option<T>,
    /// Student's t interval over batches at the confidence of the summary; needs 2 batches, and for a
    /// ratio that it does not rest on few games.
    pub interval: Option<(T, T)>,
    /// The estimate of each trial, in order.
    pub trials: Vec<T>,
    /// The sample standard deviation of `trials`; needs 2 trials.
    pub spread: Option<T>,
}

/// How games of uniformly random moves go: plain means, not weighted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UniformPlay {
    /// The mean length in plies.
    pub mean_length: f64,
    /// The sample standard deviation of the length in plies; needs 2 games.
    pub length_deviation: Option<f64>,
    /// The share of games that the first player wins.
    pub first_rate: f64,
    /// The share of games that the second player wins.
    pub second_rate: f64,
    /// The share of drawn games.
    pub draw_rate: f64,
}

/// Whether the errors of a summary can be trusted.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// Nothing speaks against them.
    Trusted,
    /// At least one reason not to.
    NotTrusted(Vec<Doubt>),
}

/// A reason not to trust an error or an interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Doubt {
    /// Fewer batches than `BATCHES_NEEDED`.
    FewBatches(u64),
    /// Every weight is the same: the sample says nothing about games that are rarer than it is long.
    EqualWeights,
    /// An effective sample size below `EFFECTIVE_GAMES_NEEDED`.
    FewEffectiveGames(f64),
    /// A largest-weight share above `LARGEST_SHARE_ALLOWED`.
    LargestShare(f64),
    /// A k-hat above `K_HAT_ALLOWED`.
    HeavyTail(f64),
}

/// Estimates and diagnostics of a sample.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// Trials seen.
    pub trials: u64,
    /// Batches seen.
    pub batches: u64,
    /// Walks seen.
    pub games: u64,
    /// The confidence of the intervals, between 0 and 1.
    pub confidence: f64,
    /// The number of games (leaves of the game tree).
    pub gts: Estimate<Scaled>,
    /// The number of nodes of the game tree, root and leaves included.
    pub nodes: Estimate<Scaled>,
    /// The mean length of a game in plies.
    pub agl: Estimate<f64>,
    /// The share of games that the first player wins.
    pub first_rate: Estimate<f64>,
    /// The share of games that the second player wins.
    pub second_rate: Estimate<f64>,
    /// The share of drawn games.
    pub draw_rate: Estimate<f64>,
    /// How uniformly random play goes.
    pub uniform: UniformPlay,
    /// The variance of one weight over the square of its mean; needs 2 games.
    pub relative_variance: Option<f64>,
    /// The effective sample size `(sum X)^2 / sum X^2`, in games.
    pub effective_games: f64,
    /// The largest weight's share of the sum of weights.
    pub largest_share: f64,
    /// The smallest weight.
    pub smallest: Scaled,
    /// The largest weight.
    pub largest: Scaled,
    /// The Pareto k-hat; `None` when the tail holds fewer than 5 different weights, as with few
    /// games or when the largest weight is common.
    pub k_hat: Option<f64>,
    /// Whether to trust the errors.
    pub verdict: Verdict,
}

/// Why there is no summary.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum SummaryError {
    /// No batches.
    #[error("0 batches: a summary needs at least 1")]
    NoBatches,
    /// A confidence that is no probability.
    #[error(transparent)]
    Confidence(#[from] ConfidenceError),
}

/// The running estimate after some batches, for plots of convergence.
#[derive(Clone, Debug, PartialEq)]
pub struct Convergence {
    /// Batches so far.
    pub batches: u64,
    /// Walks so far.
    pub games: u64,
    /// gts from the batches so far.
    pub gts: Scaled,
    /// Student's t interval of gts over the batches so far; needs 2.
    pub gts_interval: Option<(Scaled, Scaled)>,
    /// agl from the batches so far, in plies.
    pub agl: f64,
    /// Student's t interval of agl over the batches so far; needs 2.
    pub agl_interval: Option<(f64, f64)>,
}

impl Summary {
    /// Summarizes `batches`, which are in batch order, with intervals of confidence `confidence`.
    ///
    /// # Errors
    /// When there are no batches or the confidence is not between 0 and 1.
    pub fn of(batches: &[Batch], confidence: f64) -> Result<Self, SummaryError> {
        check_confidence(confidence)?;
        let all = Batch::merged(batches).ok_or(SummaryError::NoBatches)?;
        let trials: Vec<Batch> = batches
            .chunk_by(|a, b| a.trial == b.trial)
            .filter_map(|trial| Batch::merged_sums(trial.iter()))
            .collect();
        let view = View { all: &all, batches, trials: &trials, confidence };
        let games = all.games as f64;
        let relative_variance = relative_variance(&all);
        let effective_games = all.w * all.w / all.w2;
        let largest_share = all.largest / all.w;
        let k_hat = k_hat(&all);
        let doubts: Vec<Doubt> = [
            ((batches.len() as u64) < BATCHES_NEEDED, Doubt::FewBatches(batches.len() as u64)),
            (all.is_constant(), Doubt::EqualWeights),
            (effective_games < EFFECTIVE_GAMES_NEEDED, Doubt::FewEffectiveGames(effective_games)),
            (largest_share > LARGEST_SHARE_ALLOWED, Doubt::LargestShare(largest_share)),
            (k_hat.is_some_and(|k| k > K_HAT_ALLOWED), Doubt::HeavyTail(k_hat.unwrap_or(f64::NAN))),
        ]
        .into_iter()
        .filter_map(|(doubted, why)| doubted.then_some(why))
        .collect();
        Ok(Self {
            trials: trials.len() as u64,
            batches: batches.len() as u64,
            games: all.games,
            confidence,
            gts: view.mean(|batch| (batch.w, batch.w2)),
            nodes: view.mean(|batch| (batch.nodes, batch.nodes2)),
            agl: view.ratio(Ratio::of_lengths),
            first_rate: view.rate(|b| Ratio::of_part(b.w_first, b.w2_first)),
            second_rate: view.rate(|b| Ratio::of_part(b.w_second, b.w2_second)),
            draw_rate: view.rate(|b| Ratio::of_part(b.w_draw, b.w2_draw)),
            uniform: UniformPlay {
                mean_length: all.plies as f64 / games,
                length_deviation: length_deviation(&all),
                first_rate: all.first as f64 / games,
                second_rate: all.second as f64 / games,
                draw_rate: all.draws as f64 / games,
            },
            relative_variance,
            effective_games,
            largest_share,
            smallest: Scaled::new(all.smallest, all.smallest_scale),
            largest: Scaled::new(all.largest, all.scale),
            k_hat,
            verdict: if doubts.is_empty() { Verdict::Trusted } else { Verdict::NotTrusted(doubts) },
        })
    }

    /// The decimal logarithm of the estimate of gts.
    pub fn log10_gts(&self) -> f64 {
        self.gts.value.log10()
    }
}

/// The running estimates after each of `batches`, which are in batch order.
///
/// # Errors
/// When the confidence is not between 0 and 1.
pub fn convergence(batches: &[Batch], confidence: f64) -> Result<Vec<Convergence>, SummaryError> {
    check_confidence(confidence)?;
    let mut so_far: Option<Batch> = None;
    let mut points = Vec::with_capacity(batches.len());
    for (end, batch) in (1..).zip(batches) {
        let all = Batch::merged_sums(so_far.iter().chain([batch]));
        let all = all.ok_or(SummaryError::NoBatches)?;
        let view = View { all: &all, batches: &batches[..end], trials: &[], confidence };
        let gts = view.mean(|batch| (batch.w, batch.w2));
        let agl = view.ratio(Ratio::of_lengths);
        points.push(Convergence {
            batches: end as u64,
            games: all.games,
            gts: gts.value,
            gts_interval: gts.interval,
            agl: agl.value,
            agl_interval: agl.interval,
        });
        so_far = Some(all);
    }
    Ok(points)
}

/// Sums of a numerator `Y` over the weights `X`: of Y, Y^2 and X Y.
struct Ratio {
    y: f64,
    yy: f64,
    xy: f64,
}

impl Ratio {
    /// For `Y = X` on a part of the games and 0 elsewhere.
    fn of_part(w: f64, w2: f64) -> Self {
        Self { y: w, yy: w2, xy: w2 }
    }

    /// For the lengths of the games.
    fn of_lengths(batch: &Batch) -> Self {
        Self { y: batch.wn, yy: batch.w2n2, xy: batch.w2n }
    }
}

/// A sample looked at as a whole, by batches and by trials.
struct View<'a> {
    all: &'a Batch,
    batches: &'a [Batch],
    trials: &'a [Batch],
    confidence: f64,
}

impl View<'_> {
    /// The estimate of a mean, from the sums of the quantity and of its square.
    fn mean(&self, sums: impl Fn(&Batch) -> (f64, f64)) -> Estimate<Scaled> {
        let unit = self.all.scale;
        let sized = |value: f64| Scaled::new(value, unit);
        let games = self.all.games as f64;
        let (sum, square_sum) = sums(self.all);
        let mean = sum / games;
        let standard_error = (self.all.games > 1).then(|| {
            let squares = sum_of_squared_deviations(self.all, sum, square_sum);
            (squares / (games - 1.0) / games).sqrt()
        });
        // A batch's sum in units of the whole sample.
        let sum_of = |batch: &Batch| Scaled::new(sums(batch).0, batch.scale - unit).to_f64();
        let trials: Vec<f64> =
            self.trials.iter().map(|trial| sum_of(trial) / trial.games as f64).collect();
        let residuals = self.batches.iter().map(|batch| sum_of(batch) - mean * batch.games as f64);
        let half_width = self.half_width(residuals, games);
        Estimate {
            value: sized(mean),
            standard_error: standard_error.map(sized),
            interval: half_width.map(|half| (sized(mean - half), sized(mean + half))),
            spread: deviation(&trials).map(sized),
            trials: trials.into_iter().map(sized).collect(),
        }
    }

    /// The estimate of a ratio to the sum of weights.
    fn ratio(&self, sums: impl Fn(&Batch) -> Ratio) -> Estimate<f64> {
        let unit = self.all.scale;
        let games = self.all.games as f64;
        let Ratio { y, yy, xy } = sums(self.all);
        let ratio = y / self.all.w;
        let (plus, minus) = (yy + ratio * ratio * self.all.w2, 2.0 * ratio * xy);
        let squares = plus - minus;
        // No more than the rounding of the sums: the sample shows no spread, so it has no error to
        // give. A result never seen, or seen in every game, is not known to be impossible or sure.
        let spread = squares > plus * ROUNDING;
        let standard_error = (self.all.games > 1 && spread)
            .then(|| (squares * games / (games - 1.0)).sqrt() / self.all.w);
        let trials: Vec<f64> = self.trials.iter().map(|trial| sums(trial).y / trial.w).collect();
        let residuals = self.batches.iter().map(|batch| {
            let residual = sums(batch).y - ratio * batch.w;
            Scaled::new(residual, batch.scale - unit).to_f64()
        });
        let half_width = self.half_width(residuals, self.all.w).filter(|_| spread);
        Estimate {
            value: ratio,
            standard_error,
            interval: half_width.map(|half| (ratio - half, ratio + half)),
            spread: deviation(&trials),
            trials,
        }
    }

    /// A rate; without an interval where it rests on few games.
    fn rate(&self, sums: impl Fn(&Batch) -> Ratio) -> Estimate<f64> {
        let rate = self.ratio(sums);
        let allowed = RATE_ERROR_ALLOWED * rate.value.min(1.0 - rate.value);
        match rate.standard_error.is_some_and(|error| error > allowed) {
            true => Estimate { interval: None, ..rate },
            false => rate,
        }
    }

    /// Half the width of the t interval over batches.
    fn half_width(&self, residuals: impl Iterator<Item = f64>, denominator: f64) -> Option<f64> {
        let count = self.batches.len();
        if count < 2 {
            return None;
        }
        let squares: f64 = residuals.map(|residual| residual * residual).sum();
        let batches = count as f64;
        let error = (batches / (batches - 1.0) * squares).sqrt() / denominator;
        let t = student_t_quantile(count as u64 - 1, self.confidence).ok()?;
        Some(t * error)
    }
}

/// `sum (Y - mean Y)^2`, never negative; exactly 0 when all weights are equal.
fn sum_of_squared_deviations(all: &Batch, sum: f64, square_sum: f64) -> f64 {
    if all.is_constant() {
        return 0.0;
    }
    (square_sum - sum * sum / all.games as f64).max(0.0)
}

fn relative_variance(all: &Batch) -> Option<f64> {
    let games = all.games as f64;
    let mean = all.w / games;
    let squares = sum_of_squared_deviations(all, all.w, all.w2);
    (all.games > 1).then(|| squares / (games - 1.0) / (mean * mean))
}

fn length_deviation(all: &Batch) -> Option<f64> {
    let (games, plies, squares) =
        (u128::from(all.games), u128::from(all.plies), u128::from(all.plies2));
    let deviations = (squares * games - plies * plies) as f64 / games as f64;
    (games > 1).then(|| (deviations / (games as f64 - 1.0)).sqrt())
}

/// The sample standard deviation of at least 2 values.
fn deviation(values: &[f64]) -> Option<f64> {
    if values.len() < 2 {
        return None;
    }
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    Some((squares / (count - 1.0)).sqrt())
}

/// k-hat of the merged tail: of the tail PSIS asks for, or of as much of it as the batches kept.
fn k_hat(all: &Batch) -> Option<f64> {
    let wanted = pareto_tail_len(all.games) as usize;
    let tail: Vec<f64> = all.bins_of(BinKind::Tail).map(|cell| cell.weight).collect();
    let cutoff = *tail.get(wanted).or(tail.last())?;
    let above = tail.iter().take_while(|weight| **weight > cutoff).count();
    pareto_k_hat(&tail[..above], cutoff)
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FewBatches(have) => write!(f, "{have} batches, fewer than {BATCHES_NEEDED}"),
            Self::EqualWeights => f.write_str("all weights are equal, rarer games may be missing"),
            Self::FewEffectiveGames(have) => {
                write!(f, "effective sample size {have:.1}, below {EFFECTIVE_GAMES_NEEDED}")
            }
            Self::LargestShare(share) => {
                write!(f, "largest-weight share {share:.3}, above {LARGEST_SHARE_ALLOWED}")
            }
            Self::HeavyTail(k) => write!(f, "k-hat {k:.2}, above {K_HAT_ALLOWED}"),
        }
    }
}

impl fmt::Display for Verdict {
    /// `trusted`, or `not trusted: ` and the reasons.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Trusted => f.write_str("trusted"),
            Self::NotTrusted(doubts) => {
                let reasons: Vec<String> = doubts.iter().map(Doubt::to_string).collect();
                write!(f, "not trusted: {}", reasons.join("; "))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::game::Outcome;
    use crate::tree_size::tally::Tally;
    use crate::tree_size::{Walk, bounded, stream};

    fn batch_of(index: u64, trial: u64, walks: impl Iterator<Item = (f64, u32, Outcome)>) -> Batch {
        let mut tally = Tally::new();
        for (weight, plies, outcome) in walks {
            tally.add(&Walk { weight, nodes: weight + 1.0, exponent: 0, plies, outcome });
        }
        tally.finish(index, trial)
    }

    /// Batches of one drawn game of 10 plies each, one batch for each weight.
    fn singles(weights: &[f64]) -> Vec<Batch> {
        let single = |(index, weight): (u64, &f64)| {
            batch_of(index, 0, [(*weight, 10, Outcome::Draw)].into_iter())
        };
        (0..).zip(weights).map(single).collect()
    }

    fn close(actual: f64, expected: f64, tolerance: f64) {
        assert!((actual - expected).abs() <= tolerance, "{actual} is not {expected}");
    }

    #[test]
    fn the_interval_is_the_textbook_t_interval_of_batch_means() {
        // Mean 3, s = sqrt(2.5), standard error s / sqrt(5), t(4, 95 %) = 2.776445.
        let summary = Summary::of(&singles(&[1.0, 2.0, 3.0, 4.0, 5.0]), 0.95).unwrap();
        let (low, high) = summary.gts.interval.unwrap();
        close(summary.gts.value.to_f64(), 3.0, 1e-15);
        close(summary.gts.standard_error.unwrap().to_f64(), 0.5f64.sqrt(), 1e-15);
        close(low.to_f64(), 3.0 - 2.776_445_105 * 0.5f64.sqrt(), 1e-8);
        close(high.to_f64(), 3.0 + 2.776_445_105 * 0.5f64.sqrt(), 1e-8);
        close(summary.relative_variance.unwrap(), 2.5 / 9.0, 1e-15);
        close(summary.effective_games, 225.0 / 55.0, 1e-15);
        close(summary.largest_share, 5.0 / 15.0, 1e-15);
        close(summary.smallest.to_f64(), 1.0, 0.0);
        close(summary.largest.to_f64(), 5.0, 0.0);
    }

    #[test]
    fn ratios_have_the_error_of_the_delta_method() {
        // Weights 1, 2, 3 with lengths 4, 5, 9: agl = (4 + 10 + 27) / 6, residuals X (N - agl).
        let games =
            [(1.0, 4, Outcome::FirstWins), (2.0, 5, Outcome::Draw), (3.0, 9, Outcome::Draw)];
        let summary = Summary::of(&[batch_of(0, 0, games.into_iter())], 0.95).unwrap();
        let agl = 41.0 / 6.0;
        let residuals = games.map(|(x, n, _)| x * (f64::from(n) - agl));
        let squares: f64 = residuals.iter().map(|r| r * r).sum();
        close(summary.agl.value, agl, 1e-14);
        close(summary.agl.standard_error.unwrap(), (squares * 3.0 / 2.0).sqrt() / 6.0, 1e-13);
        close(summary.first_rate.value, 1.0 / 6.0, 1e-15);
        let residuals = [1.0 - 1.0 / 6.0, -2.0 / 6.0, -3.0 / 6.0];
        let squares: f64 = residuals.iter().map(|r: &f64| r * r).sum();
        close(summary.first_rate.standard_error.unwrap(), (squares * 1.5).sqrt() / 6.0, 1e-14);
        close(summary.second_rate.value, 0.0, 0.0);
        close(summary.uniform.mean_length, 6.0, 0.0);
        close(summary.uniform.length_deviation.unwrap(), 7f64.sqrt(), 1e-14);
        close(summary.uniform.draw_rate, 2.0 / 3.0, 1e-15);
    }

    #[test]
    fn what_one_game_cannot_tell_is_missing() {
        let one = Summary::of(&singles(&[7.0]), 0.95).unwrap();
        assert_eq!(one.gts.value.to_f64(), 7.0);
        assert_eq!((one.gts.standard_error, one.gts.interval, one.gts.spread), (None, None, None));
        assert_eq!((one.agl.standard_error, one.agl.interval, one.agl.spread), (None, None, None));
        assert_eq!((one.relative_variance, one.uniform.length_deviation), (None, None));
        assert_eq!(one.k_hat, None);
        assert!(matches!(one.verdict, Verdict::NotTrusted(_)));
        // One batch of two games has a standard error, but no interval and no spread.
        let games = [(1.0, 3, Outcome::Draw), (2.0, 4, Outcome::Draw)];
        let two = Summary::of(&[batch_of(0, 0, games.into_iter())], 0.95).unwrap();
        assert!(two.gts.standard_error.is_some());
        assert_eq!((two.gts.interval, two.gts.spread), (None, None));
    }

    #[test]
    fn spread_is_the_deviation_between_trials() {
        let weights = [1.0, 3.0, 5.0, 7.0, 10.0, 10.0];
        let mut batches = singles(&weights);
        batches.iter_mut().for_each(|batch| batch.trial = batch.index / 2);
        let summary = Summary::of(&batches, 0.95).unwrap();
        let trials: Vec<f64> = summary.gts.trials.iter().map(|value| value.to_f64()).collect();
        assert_eq!(trials, [2.0, 6.0, 10.0]);
        close(summary.gts.spread.unwrap().to_f64(), 4.0, 1e-15);
        assert_eq!((summary.trials, summary.batches, summary.games), (3, 6, 6));
    }

    #[test]
    fn equal_weights_have_no_variance_at_all() {
        let games = (0..100_000).map(|_| (3.0f64.powi(31), 31, Outcome::Draw));
        let summary = Summary::of(&[batch_of(0, 0, games)], 0.95).unwrap();
        assert_eq!(summary.relative_variance, Some(0.0));
        assert_eq!(summary.gts.standard_error, Some(Scaled::ZERO));
        // Nothing can be said of the error of a ratio that has shown no spread.
        assert_eq!((summary.agl.value, summary.agl.standard_error), (31.0, None));
        assert_eq!((summary.draw_rate.value, summary.draw_rate.standard_error), (1.0, None));
        assert_eq!((summary.first_rate.value, summary.first_rate.interval), (0.0, None));
        assert_eq!(summary.k_hat, None);
    }

    #[test]
    fn k_hat_of_pareto_weights_is_their_shape() {
        for shape in [0.2, 0.5, 0.9] {
            let batches: Vec<Batch> = (0..20)
                .map(|index| {
                    let mut generator = stream(5, index);
                    let weights = (0..10_000).map(|_| {
                        let uniform = (bounded(&mut generator, 1 << 53) + 1) as f64 / 2f64.powi(53);
                        (2f64.powi(40) * uniform.powf(-shape), 10, Outcome::Draw)
                    });
                    batch_of(index, 0, weights.collect::<Vec<_>>().into_iter())
                })
                .collect();
            let summary = Summary::of(&batches, 0.95).unwrap();
            // 1342 weights in the tail: the error of the shape is (1 + k) / sqrt(1342).
            close(summary.k_hat.unwrap(), shape, 4.0 * (1.0 + shape) / 1342f64.sqrt());
            let trusted = summary.verdict == Verdict::Trusted;
            assert_eq!(trusted, shape < 0.7, "shape {shape}: {}", summary.verdict);
        }
    }

    #[test]
    fn a_verdict_names_every_reason() {
        let summary = Summary::of(&singles(&[1.0, 1.0, 8.0]), 0.95).unwrap();
        assert_eq!(
            summary.verdict.to_string(),
            "not trusted: 3 batches, fewer than 10; effective sample size 1.5, below 1000; \
             largest-weight share 0.800, above 0.05"
        );
        let summary = Summary::of(&singles(&[2.0, 2.1].repeat(600)), 0.95).unwrap();
        assert_eq!(summary.verdict.to_string(), "trusted");
        assert_eq!(Doubt::HeavyTail(0.912).to_string(), "k-hat 0.91, above 0.7");
    }

    #[test]
    fn convergence_ends_at_the_summary() {
        let mut weights = vec![1.0, 5.0, 2.0];
        weights.extend([1e200, 3e200, 2e200]);
        let batches = singles(&weights);
        let points = convergence(&batches, 0.9).unwrap();
        assert_eq!(points.len(), 6);
        assert_eq!((points[0].gts_interval, points[0].agl_interval), (None, None));
        assert_eq!(points[0].gts.to_f64(), 1.0);
        for (end, point) in (1..).zip(&points) {
            let summary = Summary::of(&batches[..end], 0.9).unwrap();
            assert_eq!((point.batches, point.games), (summary.batches, summary.games));
            assert_eq!((point.gts, point.gts_interval), (summary.gts.value, summary.gts.interval));
            assert_eq!((point.agl, point.agl_interval), (summary.agl.value, summary.agl.interval));
        }
        assert_eq!(convergence(&[], 0.9), Ok(Vec::new()));
    }

    #[test]
    fn equal_weights_are_not_trusted() {
        let summary = Summary::of(&singles(&[5.0; 1000]), 0.95).unwrap();
        assert_eq!(summary.verdict, Verdict::NotTrusted(vec![Doubt::EqualWeights]));
    }

    #[test]
    fn nothing_to_summarize_is_refused() {
        assert_eq!(Summary::of(&[], 0.95), Err(SummaryError::NoBatches));
        for confidence in [0.0, 1.0, -0.5, 95.0, f64::NAN] {
            let error = Summary::of(&singles(&[1.0]), confidence).unwrap_err();
            assert!(error.to_string().contains("between 0 and 1"), "{error}");
        }
    }
}
