//! Branching factor, game length and b^d, with the errors of a sample of games.
//!
//! Conventions of J. J. van Horssen, *Complexity of checkers and draughts on different board sizes*, section
//! 3, called *the paper* here, and what is ours where it is silent:
//!
//! - **d** is the mean over games of the length L in plies: plies to the position where the game is
//!   cut off ([`StopAt`](super::StopAt)) or ends. A whole multi-capture is one ply.
//! - **b** is the mean over positions of the number of legal moves: sum M / sum L, where M sums the
//!   legal moves of the positions of a game in which a move was made. The last position of a game counts for
//!   nothing: no move was made there. Positions with a single legal move count.
//! - Games are cut off first, then duplicates are removed: of games with the same start and the
//!   same moves up to the cut one is kept.
//! - The published b averages all games of depth 3 and more, the published d all games of the three
//!   greatest depths.
//!
//! A game is the unit of the sample; positions of a game depend on one another. So b is a ratio
//! estimator. With `e = M - b L` of each game, of k strata (depths) with n_h games each,
//!
//! ```text
//! var(d) = sum_h n_h s2_h(L) / n^2            var(b) = sum_h n_h s2_h(e) / (sum L)^2
//! cov(b, d) = sum_h n_h cov_h(e, L) / (n_d sum_b L)    over the strata in both
//! log10(b^d) = d log10 b
//! var(d log10 b) = log10(b)^2 var(d) + (d / (b ln 10))^2 var(b)
//!                  + 2 log10(b) d / (b ln 10) cov(b, d)
//! ```
//!
//! (W. G. Cochran, *Sampling techniques*, 3rd ed., chapters 2, 5 and 6; the last lines are the delta method.)
//! Intervals are Student's t with n - k degrees of freedom. They say how well the sample pins down
//! the mean of games played the same way; after duplicates are removed that is the mean of different
//! games, and it moves with the number of games played.

use std::collections::BTreeMap;

use statrs::distribution::{ContinuousCDF, StudentsT};

use super::tally::{AtPly, Tally};

/// The least search depth whose games make the published b.
pub const BRANCHING_FROM_DEPTH: u64 = 3;
/// The number of greatest search depths whose games make the published d.
pub const LENGTH_DEPTHS: usize = 3;

/// A number estimated from a sample of games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The estimate.
    pub value: f64,
    /// Its standard error; needs two games in every stratum.
    pub standard_error: Option<f64>,
    /// Its 95 % interval.
    pub interval: Option<(f64, f64)>,
}

/// What games say about the size of the game tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GameTree {
    /// Mean number of legal moves of a position; `None` when no move was made.
    pub branching: Option<Estimate>,
    /// Mean length of a game in plies; `None` without games.
    pub length: Option<Estimate>,
    /// log10(b^d).
    pub log10_size: Option<Estimate>,
}

/// Estimates from the games of all `strata` together.
pub fn pooled(strata: &[&Tally]) -> GameTree {
    from_two(strata, strata)
}

/// The estimates as the paper makes them, from tallies by search depth: b from depths
/// [`BRANCHING_FROM_DEPTH`] and up, d from the [`LENGTH_DEPTHS`] greatest. A part is `None` when the
/// depths that it needs are not there.
pub fn as_published(by_depth: &BTreeMap<u64, &Tally>) -> GameTree {
    let deep: Vec<&Tally> =
        by_depth.range(BRANCHING_FROM_DEPTH..).map(|(_, tally)| *tally).collect();
    let deepest: Vec<&Tally> = by_depth.values().rev().take(LENGTH_DEPTHS).copied().collect();
    from_two(&deep, if deepest.len() == LENGTH_DEPTHS { &deepest } else { &[] })
}

/// The mean number of legal moves at one ply over the games that got there.
pub fn mean_at_ply(at: &AtPly) -> Option<Estimate> {
    let n = at.games as f64;
    let variance = spread(at.games, at.moves, at.moves, at.moves_squared).map(|s2| s2 / n);
    (at.games > 0).then(|| estimate(at.moves as f64 / n, variance, at.games.saturating_sub(1)))
}

/// b from one list of strata, d from another.
fn from_two(for_b: &[&Tally], for_d: &[&Tally]) -> GameTree {
    let games = |strata: &[&Tally]| strata.iter().map(|tally| tally.games).sum::<u64>();
    let plies = |strata: &[&Tally]| strata.iter().map(|tally| tally.plies).sum::<u128>();
    // Empty strata have nothing to say, not even that they are few.
    let freedom =
        |strata: &[&Tally]| strata.iter().map(|tally| tally.games.saturating_sub(1)).sum::<u64>();
    let n = games(for_d) as f64;
    let d = plies(for_d) as f64 / n;
    let sum_l = plies(for_b) as f64;
    let b = for_b.iter().map(|tally| tally.moves).sum::<u128>() as f64 / sum_l;
    let filled = |strata: &[&Tally]| -> Vec<Moments> {
        strata.iter().filter(|tally| tally.games > 0).map(|tally| Moments::of(tally, b)).collect()
    };
    let var_d = sum(filled(for_d).iter().map(|m| m.length)).map(|sum| sum / (n * n));
    let var_b = sum(filled(for_b).iter().map(|m| m.excess)).map(|sum| sum / (sum_l * sum_l));
    let both: Vec<&Tally> = for_d
        .iter()
        .filter(|one| for_b.iter().any(|other| std::ptr::eq(**one, *other)))
        .copied()
        .collect();
    let cov = sum(filled(&both).iter().map(|m| m.joint)).map(|sum| sum / (n * sum_l));
    let length = (n > 0.0).then(|| estimate(d, var_d, freedom(for_d)));
    let branching = (sum_l > 0.0).then(|| estimate(b, var_b, freedom(for_b)));
    let log10_size = (n > 0.0 && sum_l > 0.0).then(|| {
        let (by_d, by_b) = (b.log10(), d / (b * std::f64::consts::LN_10));
        let variance = match (var_d, var_b, cov) {
            (Some(var_d), Some(var_b), Some(cov)) => {
                Some(by_d * by_d * var_d + by_b * by_b * var_b + 2.0 * by_d * by_b * cov)
            }
            _ => None,
        };
        estimate(d * b.log10(), variance, freedom(for_d).min(freedom(for_b)))
    });
    GameTree { branching, length, log10_size }
}

/// n s2(L), n s2(e) and n cov(e, L) of a stratum; `None` for a single game.
struct Moments {
    length: Option<f64>,
    excess: Option<f64>,
    joint: Option<f64>,
}

impl Moments {
    fn of(tally: &Tally, b: f64) -> Self {
        let n = tally.games as f64;
        let ll = spread(tally.games, tally.plies, tally.plies, tally.plies_squared);
        let mm = spread(tally.games, tally.moves, tally.moves, tally.moves_squared);
        let lm = spread(tally.games, tally.plies, tally.moves, tally.plies_moves);
        let (excess, joint) = match (ll, mm, lm) {
            (Some(ll), Some(mm), Some(lm)) => {
                (Some(n * (mm - 2.0 * b * lm + b * b * ll).max(0.0)), Some(n * (lm - b * ll)))
            }
            _ => (None, None),
        };
        Self { length: ll.map(|ll| n * ll), excess, joint }
    }
}

/// The sample covariance of x and y from n, sum x, sum y and sum x y: exact but for one division.
fn spread(n: u64, x: u128, y: u128, xy: u128) -> Option<f64> {
    let games = i128::from(n);
    let signed = |sum: u128| i128::try_from(sum).ok();
    let top = games.checked_mul(signed(xy)?)?.checked_sub(signed(x)?.checked_mul(signed(y)?)?)?;
    (n > 1).then(|| top as f64 / (n as f64 * (n - 1) as f64))
}

/// The sum of all; `None` when one is missing.
fn sum(terms: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    terms.sum()
}

fn estimate(value: f64, variance: Option<f64>, degrees_of_freedom: u64) -> Estimate {
    let standard_error = variance.map(|variance| variance.max(0.0).sqrt());
    let interval = standard_error.filter(|_| degrees_of_freedom > 0).map(|error| {
        let t = StudentsT::new(0.0, 1.0, degrees_of_freedom as f64)
            .expect("Student's t has at least one degree of freedom");
        let half = t.inverse_cdf(0.975) * error;
        (value - half, value + half)
    });
    Estimate { value, standard_error: standard_error.filter(|_| degrees_of_freedom > 0), interval }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::pdn::GameResult;
    use crate::self_play::Profile;

    /// Games whose positions all have a number of legal moves, as (plies, legal moves).
    fn tally(games: &[(usize, u16)]) -> Tally {
        let mut tally = Tally::default();
        for &(plies, mobility) in games {
            tally.add(&Profile {
                plies: vec![(mobility, 0); plies],
                cut: false,
                result: GameResult::Draw,
                termination: None,
                key: Box::new([]),
            });
        }
        tally
    }

    const SHALLOW: [(usize, u16); 5] = [(40, 8), (55, 9), (61, 7), (38, 10), (70, 6)];
    const DEEP: [(usize, u16); 4] = [(90, 9), (101, 8), (120, 8), (87, 9)];

    fn near(one: f64, other: f64) -> bool {
        (one - other).abs() <= 1e-12 * one.abs().max(1.0)
    }

    /// Sum of squared deviations over n - 1, times n.
    fn n_s2(values: &[f64]) -> f64 {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        n * values.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / (n - 1.0)
    }

    #[test]
    fn estimates_equal_their_formulas_written_out_game_by_game() {
        let (shallow, deep) = (tally(&SHALLOW), tally(&DEEP));
        let found = pooled(&[&shallow, &deep]);
        let all = || SHALLOW.iter().chain(&DEEP);
        let plies: f64 = all().map(|(l, _)| *l as f64).sum();
        let moves: f64 = all().map(|(l, m)| (*l * usize::from(*m)) as f64).sum();
        let (b, d) = (moves / plies, plies / 9.0);
        let length =
            |games: &[(usize, u16)]| -> Vec<f64> { games.iter().map(|(l, _)| *l as f64).collect() };
        let excess = |games: &[(usize, u16)]| -> Vec<f64> {
            games.iter().map(|(l, m)| *l as f64 * (f64::from(*m) - b)).collect()
        };
        let se_d = (n_s2(&length(&SHALLOW)) + n_s2(&length(&DEEP))).sqrt() / 9.0;
        let se_b = (n_s2(&excess(&SHALLOW)) + n_s2(&excess(&DEEP))).sqrt() / plies;
        // Each game moves d log10 b by the sum of both influences.
        let influence = |games: &[(usize, u16)]| -> Vec<f64> {
            let by_b = d / (b * std::f64::consts::LN_10);
            let both = length(games).into_iter().zip(excess(games));
            both.map(|(l, e)| b.log10() * l / 9.0 + by_b * e / plies).collect()
        };
        let se_size = (n_s2(&influence(&SHALLOW)) + n_s2(&influence(&DEEP))).sqrt();
        for (estimate, value, error) in [
            (found.length.unwrap(), d, se_d),
            (found.branching.unwrap(), b, se_b),
            (found.log10_size.unwrap(), d * b.log10(), se_size),
        ] {
            assert!(near(estimate.value, value), "{estimate:?} {value}");
            assert!(near(estimate.standard_error.unwrap(), error), "{estimate:?} {error}");
            // Student's t, 7 degrees of freedom, two-sided 95 %: 2.364624 in every table.
            let (low, high) = estimate.interval.unwrap();
            assert!(((high - low) / (2.0 * error) - 2.364_624).abs() < 1e-5);
        }
    }

    #[test]
    fn published_numbers_take_b_from_depth_3_up_and_d_from_three_depths() {
        let tallies: Vec<Tally> =
            (0..=7u16).map(|depth| tally(&[(10 + usize::from(depth), 5 + depth); 3])).collect();
        let by_depth = |depths: std::ops::RangeInclusive<u64>| {
            depths.map(|depth| (depth, &tallies[depth as usize])).collect::<BTreeMap<_, _>>()
        };
        let found = as_published(&by_depth(0..=7));
        let (plies, moves) = (3..=7u64)
            .fold((0, 0), |(l, m), depth| (l + 10 + depth, m + (10 + depth) * (5 + depth)));
        assert!(near(found.branching.unwrap().value, moves as f64 / plies as f64));
        assert!(near(found.length.unwrap().value, 16.0));
        // All games of a depth are alike.
        assert!(near(found.length.unwrap().standard_error.unwrap(), 0.0));
        assert_eq!(as_published(&by_depth(0..=2)).branching, None);
        assert!(near(as_published(&by_depth(0..=2)).length.unwrap().value, 11.0));
        assert_eq!(as_published(&by_depth(6..=7)).length, None);
        assert_eq!(as_published(&by_depth(6..=7)).log10_size, None);
    }

    /// Table 3 of the paper: 18.42^320 = 7.8e404, past the range of f64.
    #[test]
    fn the_largest_published_size_does_not_overflow() {
        let games = tally(&[(320, 1842), (320, 1842)]);
        let size = pooled(&[&games]).log10_size.unwrap().value;
        assert!(near(size, 320.0 * 1842f64.log10()) && size > 1000.0);
    }

    #[test]
    fn what_cannot_be_known_is_missing() {
        assert_eq!(pooled(&[]), GameTree { branching: None, length: None, log10_size: None });
        let found = pooled(&[&tally(&[(0, 0)])]);
        assert_eq!(found.branching, None);
        assert_eq!(found.length.unwrap().interval, None);
        let one = pooled(&[&tally(&[(50, 7)])]);
        assert!(near(one.branching.unwrap().value, 7.0));
        assert_eq!(one.branching.unwrap().standard_error, None);
        assert_eq!(one.log10_size.unwrap().interval, None);
    }
}
