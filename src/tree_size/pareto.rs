//! The Pareto k-hat diagnostic: how heavy the tail of the weights is.
//!
//! The largest `M = min(n / 5, 3 sqrt(n))` of `n` weights, less the largest weight below them, are
//! fitted by a generalized Pareto distribution; its shape `k` says how many moments the weights
//! have (fewer than `1/k`). Above 0.7 the mean of practical samples cannot be trusted. Sources:
//! A. Vehtari, D. Simpson, A. Gelman, Y. Yao, J. Gabry, *Pareto smoothed importance sampling*
//! (2015-2024), which also gives the weak prior `k = 0.5` worth 10 observations; the fit is
//! J. Zhang and M. A. Stephens, *A new and efficient estimation method for the generalized Pareto
//! distribution*, Technometrics 51 (2009).

/// How many of `games` weights make the tail: `min(games / 5, 3 sqrt(games))`, rounded up.
pub fn pareto_tail_len(games: u64) -> u64 {
    let games = games as f64;
    (games / 5.0).min(3.0 * games.sqrt()).ceil() as u64
}

/// The shape of the generalized Pareto distribution that fits the exceedances of `tail` over
/// `cutoff`; `None` with fewer than 5 weights above the cutoff, where there is nothing to fit.
///
/// `tail` is in any order; weights that exceed the cutoff by no more than rounding are left out.
pub fn pareto_k_hat(tail: &[f64], cutoff: f64) -> Option<f64> {
    let rounding = cutoff * 1e-9;
    let mut exceedances: Vec<f64> =
        tail.iter().map(|weight| weight - cutoff).filter(|x| *x > rounding).collect();
    if exceedances.len() < 5 {
        return None;
    }
    exceedances.sort_by(f64::total_cmp);
    let shape = fit(&exceedances);
    // The prior of PSIS: 10 observations of k = 1/2.
    let n = exceedances.len() as f64;
    shape.is_finite().then(|| (n * shape + 10.0 * 0.5) / (n + 10.0))
}

/// The quasi-posterior mean of the shape; `x` ascending and positive.
fn fit(x: &[f64]) -> f64 {
    let n = x.len() as f64;
    let points = 30 + n.sqrt().floor() as usize;
    let quartile = x[((n / 4.0 + 0.5).floor() as usize).max(1) - 1];
    let largest = x[x.len() - 1];
    // With theta = -b: k(b) = mean of ln(1 - b x); the profile log likelihood is
    // n (ln(-b / k) - k - 1).
    let shape_at = |b: f64| x.iter().map(|x| (-b * x).ln_1p()).sum::<f64>() / n;
    let grid: Vec<f64> = (1..=points)
        .map(|j| {
            let step = 1.0 - (points as f64 / (j as f64 - 0.5)).sqrt();
            1.0 / largest + step / (3.0 * quartile)
        })
        .collect();
    let likelihoods: Vec<f64> = grid
        .iter()
        .map(|b| {
            let k = shape_at(*b);
            n * ((-b / k).ln() - k - 1.0)
        })
        .collect();
    let best = likelihoods.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut mass = 0.0;
    let mut mean = 0.0;
    for (b, likelihood) in grid.iter().zip(&likelihoods) {
        let share = (likelihood - best).exp();
        if share.is_finite() {
            mass += share;
            mean += share * b;
        }
    }
    shape_at(mean / mass)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    /// Quantiles of the generalized Pareto distribution with scale 1: a sample without luck.
    fn quantiles(k: f64, n: usize) -> Vec<f64> {
        (0..n)
            .map(|i| {
                let above = 1.0 - (i as f64 + 0.5) / n as f64;
                (above.powf(-k) - 1.0) / k
            })
            .collect()
    }

    #[test]
    fn the_fit_finds_the_shape_of_a_pareto_tail() {
        for k in [-0.5, -0.2, 0.2, 0.5, 0.7, 1.0, 1.5] {
            let found = fit(&quantiles(k, 3000));
            assert!((found - k).abs() < 0.03, "shape {k} found as {found}");
        }
    }

    #[test]
    fn the_fit_is_that_of_zhang_and_stephens() {
        // An independent implementation of the published formulas.
        let close = |actual: f64, expected: f64| {
            assert!((actual - expected).abs() < 1e-9, "{actual} is not {expected}");
        };
        let cubes: Vec<f64> = (1..=40).map(|i| f64::from(i * i * i) / 7.0).collect();
        close(fit(&cubes), 0.905_850_049_258);
        let steps = [1.0, 2.0, 3.0, 5.0, 8.0, 13.0, 21.0, 34.0, 55.0, 89.0];
        close(fit(&steps), 0.644_938_316_520);
        close(pareto_k_hat(&steps, 0.0).unwrap(), 0.572_469_158_260);
        let bounded = [1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 3.6, 3.7, 3.8, 4.0, 4.01, 4.02];
        close(fit(&bounded), -2.196_274_232_733);
    }

    #[test]
    fn k_hat_ignores_the_unit_and_the_order_of_weights() {
        let mut weights: Vec<f64> = quantiles(0.6, 500).iter().map(|x| 1.0 + x).collect();
        let k = pareto_k_hat(&weights, 1.0).unwrap();
        weights.reverse();
        weights.iter_mut().for_each(|weight| *weight *= 1024.0);
        assert!((pareto_k_hat(&weights, 1024.0).unwrap() - k).abs() < 1e-12);
    }

    #[test]
    fn a_tail_without_exceedances_has_no_k_hat() {
        assert_eq!(pareto_k_hat(&[3.0; 100], 3.0), None);
        assert_eq!(pareto_k_hat(&[3.0 + 1e-12; 100], 3.0), None);
        assert_eq!(pareto_k_hat(&[4.0, 5.0, 6.0, 7.0], 3.0), None);
        assert_eq!(pareto_k_hat(&[], 0.0), None);
    }

    #[test]
    fn the_tail_of_psis_is_a_fifth_or_three_roots() {
        assert_eq!(
            [0, 1, 20, 225, 10_000, 1_000_000].map(pareto_tail_len),
            [0, 1, 4, 45, 300, 3000]
        );
    }
}
