//! Plots of estimates of the game tree: how they converge, what games weigh and how long they are.

use super::{Axis, Figure, Plot, length_edge, shares};
use crate::experiment::measure::{MeasureError, batch_of, replicate_of};
use crate::experiment::spec::Published;
use crate::report::ReportError;
use crate::report::comparison::is_doubt;
use crate::report::decimal::Decimal;
use crate::report::plot::power_of_ten;
use crate::report::results::Finished;
use crate::report::table::diagnosis;
use crate::tree_size::{
    Batch, Bin, BinKind, Convergence, Replicate, Scaled, convergence, replicate_convergence,
    weight_bin_log10,
};

/// Points of a curve beyond this number show no more.
const MOST_POINTS: usize = 400;

/// Of trials of walks: for every game the convergence of gts and agl, the weights, the lengths.
pub(super) fn batches(finished: &Finished) -> Result<Vec<Figure>, ReportError> {
    let mut figures = Vec::new();
    for case in &finished.plan.cases {
        let label = &case.label;
        let batches: Result<Vec<Batch>, MeasureError> =
            finished.entries_of(label).map(batch_of).collect();
        let batches = batches?;
        let Some(all) = Batch::merged(&batches) else { continue };
        let confidence = finished.plan.confidence;
        let curve = convergence(&batches, confidence)
            .map_err(|error| ReportError::File(format!("{label}: {error}")))?;
        let sample = finished.plan.sample.as_ref();
        let foot = sample.map_or(String::new(), |sample| {
            let (games, trials) = (grouped(sample.games()), sample.trials());
            format!("{label}, seed {}: {trials} × {games} games of uniform choice", sample.seed())
        });
        let trusted = !diagnosis(&finished.quantities, label).is_some_and(is_doubt);
        let kind = "";
        let run = Run { label, confidence, trusted, foot: &foot, finished, kind };
        let gts = curve.iter().map(|point| (point.games, point.gts, point.gts_interval));
        figures.push((format!("gts-convergence-{label}"), run.gts(gts.collect())));
        figures.push((format!("agl-convergence-{label}"), run.agl(&curve)));
        figures.push((format!("weights-{label}"), run.weights(&all)));
        figures.push((format!("lengths-{label}"), run.lengths(&all)));
    }
    Ok(figures)
}

/// Of replicates: for every game the convergence of gts and agl.
pub(super) fn replicates(finished: &Finished) -> Result<Vec<Figure>, ReportError> {
    let mut figures = Vec::new();
    for case in &finished.plan.cases {
        let label = &case.label;
        let replicates: Result<Vec<Replicate>, MeasureError> =
            finished.entries_of(label).map(replicate_of).collect();
        let confidence = finished.plan.confidence;
        let curve = replicate_convergence(&replicates?, confidence, MOST_POINTS)
            .map_err(|error| ReportError::File(format!("{label}: {error}")))?;
        let foot = finished.plan.replicates.map_or(String::new(), |sample| {
            let (count, games) = (grouped(sample.replicates()), grouped(sample.games()));
            format!("{label}, seed {}: {count} × {games} games, {}", sample.seed(), sample.method())
        });
        let trusted = !diagnosis(&finished.quantities, label).is_some_and(is_doubt);
        let sample = finished.plan.replicates;
        let sensible = sample.is_some_and(|sample| sample.method().is_of_sensible_games());
        let kind = if sensible { "sensible " } else { "" };
        let run = Run { label, confidence, trusted, foot: &foot, finished, kind };
        let gts = curve.iter().map(|point| (point.games, point.gts, point.gts_interval));
        figures.push((format!("gts-convergence-{label}"), run.gts(gts.collect())));
        figures.push((format!("agl-convergence-{label}"), run.agl(&curve)));
    }
    Ok(figures)
}

/// One game of a sample.
#[derive(Clone, Copy)]
struct Run<'a> {
    label: &'a str,
    confidence: f64,
    /// Whether the diagnostics trust the estimates.
    trusted: bool,
    foot: &'a str,
    finished: &'a Finished,
    /// `sensible ` where only such games are counted.
    kind: &'a str,
}

/// A running estimate: games so far, value, interval.
type Running<T> = (u64, T, Option<(T, T)>);

impl Run<'_> {
    /// The published value of a quantity, which goes by another name where only some games count.
    fn published(&self, quantity: &str) -> Option<&Published> {
        match self.kind {
            "" => published(self.finished, self.label, quantity),
            _ => published(self.finished, self.label, &format!("sensible_{quantity}")),
        }
    }

    fn gts(&self, curve: Vec<Running<Scaled>>) -> Plot {
        let kind = self.kind;
        let published = self.published("gts");
        let last = curve.last().map_or(0.0, |(_, value, _)| value.log10());
        let wide = curve.last().is_none_or(|(_, value, interval)| {
            interval.is_some_and(|(low, high)| (high - low) > *value)
        });
        let title = format!("{}: number of {kind}games", self.label);
        if wide {
            // Too uncertain for a linear axis.
            let points = curve.iter().map(|(games, value, interval)| {
                let (low, high) = interval.unwrap_or((*value, *value));
                (*games, value.log10(), Some((low.log10(), high.log10())))
            });
            let level = published.and_then(|p| level(p, |number| number.log10()));
            let axis = Axis::powers_of_ten(format!("estimated number of {kind}games"));
            let foot = format!("{}; intervals that reach below 0 end at the estimate", self.foot);
            let run = Run { foot: &foot, ..*self };
            return run.convergence(title, axis, points.collect(), level);
        }
        let exponent = if last < 5.0 { 0 } else { last.floor() as i32 };
        let unit = |value: Scaled| {
            let size = 10f64.powf(value.abs().log10() - f64::from(exponent));
            size.copysign(value.mantissa())
        };
        let points = curve.into_iter().map(|(games, value, interval)| {
            (games, unit(value), interval.map(|(low, high)| (unit(low), unit(high))))
        });
        let points: Vec<_> = points.collect();
        let level = published.and_then(|p| level(p, |number| number.at(exponent)));
        let title_of_axis = match exponent {
            0 => format!("estimated number of {kind}games"),
            _ => format!("estimated number of {kind}games × {}", power_of_ten(exponent)),
        };
        let axis = zoomed(Axis::linear(title_of_axis), &points, level.as_ref());
        self.convergence(title, axis, points, level)
    }

    fn agl(&self, curve: &[Convergence]) -> Plot {
        let points: Vec<_> =
            curve.iter().map(|point| (point.games, point.agl, point.agl_interval)).collect();
        let published = self.published("agl");
        let level = published.and_then(|p| level(p, |number| number.at(0)));
        let axis = zoomed(Axis::linear("estimated length (plies)"), &points, level.as_ref());
        let title = format!("{}: average length of {}games", self.label, self.kind);
        self.convergence(title, axis, points, level)
    }

    fn convergence(
        &self,
        title: String,
        axis: Axis,
        points: Vec<Running<f64>>,
        level: Option<Level>,
    ) -> Plot {
        let points = thinned(&points).into_iter().map(|(games, value, interval)| {
            let (low, high) = interval.unwrap_or((value, value));
            (games as f64, value, low, high)
        });
        let doubt = if self.trusted { "" } else { ", not trusted" };
        let label = format!("estimate with {} % interval{doubt}", 100.0 * self.confidence);
        let plot = Plot::new(title, Axis::log10("games sampled"), axis)
            .band(label, points.collect())
            .footnote(self.foot);
        match level {
            Some(Level { label, value, low, high }) => plot.level(label, value, low, high),
            None => plot,
        }
    }

    /// How many walks have which weight, and how much of the estimate they make up.
    fn weights(&self, all: &Batch) -> Plot {
        let bins: Vec<&Bin> = all.bins_of(BinKind::Weight).collect();
        let games: Vec<_> = bins.iter().map(|bin| (bin.bin, bin.games as f64)).collect();
        let weight: Vec<_> = bins.iter().map(|bin| (bin.bin, bin.weight)).collect();
        let edge = |bin: u64| weight_bin_log10(bin).0;
        let title = format!("{}: weights of sampled games", self.label);
        Plot::new(
            title,
            Axis::powers_of_ten("weight X (product of the numbers of legal moves)"),
            Axis::linear("share per bar (%)").from_zero(),
        )
        .bars("share of the games played", shares(&games, edge))
        .bars("share of the sum of weights", shares(&weight, edge))
        .footnote(self.foot)
    }

    fn lengths(&self, all: &Batch) -> Plot {
        let kinds = [BinKind::LengthFirst, BinKind::LengthSecond, BinKind::LengthDraw];
        let bins: Vec<&Bin> = kinds.iter().flat_map(|kind| all.bins_of(*kind)).collect();
        let weight: Vec<_> = bins.iter().map(|bin| (bin.bin, bin.weight)).collect();
        let games: Vec<_> = bins.iter().map(|bin| (bin.bin, bin.games as f64)).collect();
        let all_games = match self.trusted {
            true => "all games of the tree (weighted)",
            false => "all games of the tree (weighted, not trusted)",
        };
        Plot::new(
            format!("{}: length of a game", self.label),
            Axis::linear("length (plies)"),
            Axis::linear("share of games per bar (%)").from_zero(),
        )
        .bars(all_games, shares(&weight, length_edge))
        .bars("uniform play (unweighted)", shares(&games, length_edge))
        .footnote(self.foot)
    }
}

/// A published value as a line across a plot.
struct Level {
    label: String,
    value: f64,
    low: f64,
    high: f64,
}

/// The published value of `quantity` of the game `label`.
fn published<'a>(finished: &'a Finished, label: &str, quantity: &str) -> Option<&'a Published> {
    let fits =
        |p: &&Published| p.quantity == quantity && p.game.as_ref().is_none_or(|game| game == label);
    finished.plan.spec.published.iter().find(fits)
}

/// `published` on the axis that `place` leads to.
fn level(published: &Published, place: impl Fn(Decimal) -> f64) -> Option<Level> {
    let value = Decimal::read(&published.value)?;
    let plus_minus = published.plus_minus.as_deref().and_then(Decimal::read);
    let bound = |sign: f64| match plus_minus {
        Some(pm) => place(value.plus(sign, pm)),
        None => place(value),
    };
    let label = format!("published: {}", printed(published));
    Some(Level { label, value: place(value), low: bound(-1.0), high: bound(1.0) })
}

/// A published value as a paper sets it: `(8.34 ± 0.05) × 10²⁸`.
fn printed(published: &Published) -> String {
    let parts = |text: &str| match text.split_once(['e', 'E']) {
        Some((digits, exponent)) => (digits.to_owned(), exponent.parse().unwrap_or(0)),
        None => (text.to_owned(), 0),
    };
    let power = |exponent: i32| match exponent {
        0 => String::new(),
        _ => format!(" × {}", power_of_ten(exponent)),
    };
    let (value, exponent) = parts(&published.value);
    match published.plus_minus.as_deref().map(parts) {
        None => value + &power(exponent),
        Some((pm, same)) if same == exponent && exponent == 0 => format!("{value} ± {pm}"),
        Some((pm, same)) if same == exponent => format!("({value} ± {pm}){}", power(exponent)),
        Some((pm, other)) => format!("{value}{} ± {pm}{}", power(exponent), power(other)),
    }
}

/// `axis` with a range that shows the whole line of a running estimate and the intervals of its later
/// part; wider intervals of the beginning are cut off.
fn zoomed(axis: Axis, points: &[Running<f64>], level: Option<&Level>) -> Axis {
    let half = |at: usize| points[at].2.map(|(low, high)| (high - low) / 2.0);
    let settled = points.len() / 5;
    let (Some((_, last, _)), true) = (points.last(), settled >= 2) else { return axis };
    let Some(mut reach) = half(settled).zip(half(points.len() - 1)).map(|(a, b)| 1.5 * a.max(b))
    else {
        return axis;
    };
    if let Some(level) = level {
        let farthest = (level.low - last).abs().max((level.high - last).abs());
        reach = reach.max(1.2 * farthest);
    }
    let values = points.iter().map(|(_, value, _)| *value);
    let (low, high) = values.fold((*last, *last), |(l, h), value| (l.min(value), h.max(value)));
    let pad = 0.04 * (high - low);
    axis.range((last - reach).min(low - pad), (last + reach).max(high + pad))
}

/// At most [`MOST_POINTS`] of the points, evenly spaced in the logarithm of their rank; first and
/// last stay.
fn thinned<T: Copy>(points: &[T]) -> Vec<T> {
    let count = points.len();
    if count <= MOST_POINTS {
        return points.to_vec();
    }
    let rank = |i: usize| {
        let fraction = i as f64 / (MOST_POINTS - 1) as f64;
        (count as f64).powf(fraction).round() as usize
    };
    let mut ranks: Vec<usize> = (0..MOST_POINTS).map(|i| rank(i).clamp(1, count)).collect();
    ranks.dedup();
    ranks.into_iter().map(|rank| points[rank - 1]).collect()
}

/// A whole number with narrow spaces between groups of three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_range_holds_every_value_of_the_line_and_the_settled_intervals() {
        let point =
            |games: u64, value: f64, half: f64| (games, value, Some((value - half, value + half)));
        // A jump at the end whose interval has no width, as when one walk outweighs all others.
        let mut points: Vec<Running<f64>> = (1..10).map(|g| point(g, 170.0, 0.0)).collect();
        points.push(point(10, 309.0, 0.0));
        let range = |points: &[Running<f64>]| zoomed(Axis::linear("y"), points, None);
        assert_eq!(range(&points), Axis::linear("y").range(170.0 - 5.56, 309.0 + 5.56));
        // A wide beginning is cut off, the line is not.
        let mut points: Vec<Running<f64>> = (3..=10).map(|g| point(g, 8.0, 0.5)).collect();
        points.splice(0..0, [(1, 9.0, None), point(2, 8.0, 40.0)]);
        assert_eq!(range(&points), Axis::linear("y").range(7.25, 9.04));
    }
}
