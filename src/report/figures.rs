//! Which plots an experiment gets, by its measure.
//!
//! - `tree-size`: for every game the convergence of gts and agl, the weights, the lengths; by
//!   replicates only the convergence;
//! - `exact`: for every game the lengths, and the positions and nodes of every ply;
//! - `perft`: the growth of the counts with depth;
//! - `states`: the levels of all games on a linear and a logarithmic axis, and the density of each
//!   slice by number of pieces;
//! - `self-play`: branching factor and length by depth, for every game the lengths;
//! - `egdb`: size and cost of generation by number of pieces, for every game the distances to the win;
//! - `solve`: the positions that proofs generate by the pieces of the database;
//! - `match`: how many games searches lose against the perfect player, by depth, where it plays;
//! - `estimators`: coverage of intervals, processor time for equal errors;
//! - `ssc`: the growth of the bound with board size, and its split by number of pieces.

mod endgames;
mod estimators;

use std::collections::BTreeMap;

use num_bigint::BigUint;

use super::ReportError;
use super::decimal::Decimal;
use super::plot::{Axis, Plot, power_of_ten};
use super::results::Finished;
use super::table::{diagnosis, is_doubt};
use crate::experiment::journal::Entry;
use crate::experiment::measure::{MeasureError, batch_of, replicate_of};
use crate::experiment::spec::{Measure, Published};
use crate::self_play::LENGTH_DEPTHS;
use crate::state_space::formula::log10;
use crate::tree_size::{
    Batch, Bin, BinKind, Convergence, Replicate, Scaled, convergence, replicate_convergence,
    weight_bin_log10,
};

/// Points of a curve beyond this number show no more.
const MOST_POINTS: usize = 400;
/// How far apart points of the same number of pieces stand that belong to different games.
const SPREAD: f64 = 0.15;
/// Bars of a histogram beyond this number are merged.
const MOST_BARS: u64 = 240;

/// Names of plots that stand for a whole experiment.
const OF_ALL: [&str; 14] = [
    "perft",
    "growth",
    "pieces",
    "levels",
    "levels-log10",
    "slices",
    "branching",
    "game-length",
    "database-size",
    "generation-time",
    "proof-nodes",
    "lost-to-perfect",
    "coverage",
    "efficiency",
];
/// Beginnings of the names of plots that go on with the label of a game.
const OF_A_GAME: [&str; 6] =
    ["gts-convergence-", "agl-convergence-", "weights-", "lengths-", "plies-", "distances-"];

/// Whether a file called `name` is a plot of the kinds made here.
pub(super) fn is_plot(name: &str) -> bool {
    let stem = name.strip_suffix(".svg").or_else(|| name.strip_suffix(".png"));
    stem.is_some_and(|stem| {
        OF_ALL.contains(&stem) || OF_A_GAME.iter().any(|kind| stem.starts_with(kind))
    })
}

/// A plot and the name of its file without extension.
pub(super) type Figure = (String, Plot);

/// The plots of `finished`.
pub(super) fn of(finished: &Finished) -> Result<Vec<Figure>, ReportError> {
    match finished.plan.spec.measure {
        Measure::TreeSize if finished.plan.replicates.is_some() => replicates(finished),
        Measure::TreeSize => tree_size(finished),
        Measure::Exact => Ok(exact(finished)),
        Measure::Perft => Ok(perft(finished)),
        Measure::Ssc => Ok(state_space(finished)),
        Measure::States => Ok(states(finished)),
        Measure::SelfPlay => Ok(self_play(finished)),
        Measure::Match => Ok(endgames::lost_to_perfect(finished)),
        Measure::Egdb => Ok(endgames::databases(finished)),
        Measure::Solve => Ok(endgames::proofs(finished)),
        Measure::Estimators => Ok(estimators::of(finished)),
    }
}

fn tree_size(finished: &Finished) -> Result<Vec<Figure>, ReportError> {
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

fn replicates(finished: &Finished) -> Result<Vec<Figure>, ReportError> {
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

fn exact(finished: &Finished) -> Vec<Figure> {
    let mut figures = Vec::new();
    for entry in &finished.entries {
        let label = &entry.game;
        let foot = format!("{label}, counted exactly");
        let lengths: Vec<(u64, f64)> = ["length-first", "length-second", "length-draw"]
            .iter()
            .flat_map(|name| bins_of(entry, name))
            .map(|(bin, count)| (bin, approximate(&count)))
            .collect();
        let lengths = Plot::new(
            format!("{label}: length of a game"),
            Axis::linear("length (plies)"),
            Axis::linear("share of games per bar (%)").from_zero(),
        )
        .bars("all games of the tree", shares(&lengths, length_edge))
        .footnote(foot.clone());
        figures.push((format!("lengths-{label}"), lengths));
        let by_ply = |name| {
            let points = bins_of(entry, name).map(|(ply, count)| (ply as f64, log10(&count)));
            points.collect()
        };
        let levels = Plot::new(
            format!("{label}: growth with the ply"),
            Axis::linear("ply"),
            Axis::powers_of_ten("number at this ply"),
        )
        .line("nodes of the game tree", by_ply("nodes"))
        .line("different positions", by_ply("positions"))
        .footnote(foot);
        figures.push((format!("plies-{label}"), levels));
    }
    figures
}

fn self_play(finished: &Finished) -> Vec<Figure> {
    let confidence =
        "bars: 95 % intervals over games; duplicates removed, games cut off at few pieces";
    let against_depth = |quantity: &str, title: &str, axis: &str| {
        let mut plot =
            Plot::new(title, Axis::linear("search depth (plies)"), Axis::linear(axis).from_zero());
        for case in &finished.plan.cases {
            let of_case = finished
                .quantities
                .iter()
                .filter(|q| q.game == case.label && q.quantity == quantity);
            let points: Vec<_> = of_case
                .filter_map(|q| {
                    let value: f64 = q.value.parse().ok()?;
                    let end = |text: &str| text.parse().unwrap_or(value);
                    Some((f64::from(q.depth?), value, end(&q.low), end(&q.high)))
                })
                .collect();
            plot = plot.points(&case.label, points);
        }
        plot.footnote(confidence)
    };
    let mut figures = vec![
        (
            "branching".to_owned(),
            against_depth("branching_factor", "Branching factor of self-play", "legal moves"),
        ),
        (
            "game-length".to_owned(),
            against_depth("game_length", "Length of games of self-play", "plies"),
        ),
    ];
    for case in &finished.plan.cases {
        let label = &case.label;
        let deepest = finished.plan.depths.len().saturating_sub(LENGTH_DEPTHS) as u64;
        let entries = finished.entries.iter();
        let of_case = entries.filter(|entry| entry.game == *label && entry.batch >= deepest);
        let mut lengths = BTreeMap::new();
        for (plies, games) in of_case.flat_map(|entry| bins_of(entry, "length")) {
            *lengths.entry(plies).or_insert(0.0) += approximate(&games);
        }
        let lengths: Vec<(u64, f64)> = lengths.into_iter().collect();
        let plot = Plot::new(
            format!("{label}: length of games of self-play"),
            Axis::linear("length (plies)"),
            Axis::linear("share of games per bar (%)").from_zero(),
        )
        .bars("the three greatest depths", shares(&lengths, length_edge))
        .footnote("duplicates removed, games cut off at few pieces");
        figures.push((format!("lengths-{label}"), plot));
    }
    figures
}

fn perft(finished: &Finished) -> Vec<Figure> {
    let mut plot = Plot::new(
        "Paths from the initial position",
        Axis::linear("depth (plies)"),
        Axis::powers_of_ten("number of paths"),
    );
    let mut drawn: Vec<Vec<(f64, f64)>> = Vec::new();
    for case in &finished.plan.cases {
        let of_case =
            finished.quantities.iter().filter(|q| q.game == case.label && q.quantity == "perft");
        let points = of_case.filter_map(|q| Some((f64::from(q.depth?), log10_of(&q.value)?)));
        let points: Vec<(f64, f64)> = points.collect();
        if drawn.iter().any(|other| look_alike(other, &points)) {
            plot = plot.footnote("curves that cannot be told apart are drawn once");
            continue;
        }
        plot = plot.line(&case.label, points.clone());
        drawn.push(points);
    }
    vec![("perft".to_owned(), plot)]
}

fn state_space(finished: &Finished) -> Vec<Figure> {
    let size = |label: &str| label.split('x').next().and_then(|n| n.parse::<u32>().ok());
    let point = |label: &str, value: &str| Some((f64::from(size(label)?), log10_of(value)?));
    let bounds = finished.quantities.iter().filter(|q| q.quantity == "ssc_upper_bound");
    let measured: Vec<_> = bounds.filter_map(|q| point(&q.game, &q.value)).collect();
    let printed = finished.plan.spec.published.iter().filter(|p| p.quantity == "ssc_upper_bound");
    let published: Vec<_> = printed
        .filter_map(|p| point(p.game.as_deref()?, &p.value))
        .map(|(size, value)| (size, value, value, value))
        .collect();
    let sizes = measured.iter().map(|(size, _)| *size).collect();
    let mut growth = Plot::new(
        "Upper bound of the state space of checkers and draughts",
        Axis::linear("board size N (N × N squares)").ticks(sizes),
        Axis::powers_of_ten("SSC ≤ (positions, one colour to move)"),
    )
    .line("formula", measured);
    if !published.is_empty() {
        growth = growth.points("published", published);
    }
    let mut pieces = Plot::new(
        "Upper bound by number of pieces",
        Axis::linear("pieces on the board"),
        Axis::powers_of_ten("positions (one colour to move)"),
    );
    for entry in &finished.entries {
        let points = bins_of(entry, "pieces").map(|(n, count)| (n as f64, log10(&count)));
        pieces = pieces.line(entry.game.replace('x', " × "), points.collect());
    }
    vec![("growth".to_owned(), growth), ("pieces".to_owned(), pieces)]
}

fn states(finished: &Finished) -> Vec<Figure> {
    let foot = "both sides to move; the start is at ply 0";
    let levels = |entry: &Entry| -> Vec<(f64, BigUint)> {
        bins_of(entry, "states").map(|(ply, new)| (ply as f64, new)).collect()
    };
    let most = finished.entries.iter().flat_map(levels).map(|(_, new)| new).max();
    let exponent = match most.as_ref().map_or(0.0, log10) {
        small if small < 4.0 => 0,
        large => large.floor() as i32,
    };
    let title_of_axis = match exponent {
        0 => "new positions".to_owned(),
        _ => format!("new positions × {}", power_of_ten(exponent)),
    };
    let title = "Positions first reached at each ply";
    let ply = || Axis::linear("ply");
    let mut linear =
        Plot::new(title, ply(), Axis::linear(title_of_axis).from_zero()).footnote(foot);
    let mut logarithmic =
        Plot::new(title, ply(), Axis::powers_of_ten("new positions")).footnote(foot);
    let mut slices = Plot::new(
        "Share of each material slice that can be reached",
        Axis::linear("pieces on the board"),
        Axis::log10("share of the positions of the slice"),
    )
    .footnote(
        "a point is a slice: numbers of men and kings of each colour; unreached ones left out",
    );
    let with_slices = finished.entries.iter().filter(|entry| !densities(entry).is_empty()).count();
    let mut drawn = 0;
    for entry in &finished.entries {
        let levels = levels(entry);
        let scaled =
            levels.iter().map(|(ply, new)| (*ply, approximate(new) / 10f64.powi(exponent)));
        linear = linear.line(&entry.game, scaled.collect());
        let logs = levels.iter().filter(|(_, new)| new.bits() > 0);
        let logs = logs.map(|(ply, new)| (*ply, log10(new)));
        logarithmic = logarithmic.line(&entry.game, logs.collect());
        let mut points = densities(entry);
        if !points.is_empty() {
            // Side by side, so that games with equal densities do not hide each other.
            let aside = SPREAD * (drawn as f64 - (with_slices as f64 - 1.0) / 2.0);
            points.iter_mut().for_each(|point| point.0 += aside);
            slices = slices.points(&entry.game, points);
            drawn += 1;
        }
    }
    let mut figures = Vec::new();
    // A count in any order has no levels.
    if most.is_some() {
        figures.push(("levels".to_owned(), linear));
        figures.push(("levels-log10".to_owned(), logarithmic));
    }
    if drawn > 0 {
        figures.push(("slices".to_owned(), slices));
    }
    figures
}

/// Number of pieces and density of every slice that is reached.
fn densities(entry: &Entry) -> Vec<(f64, f64, f64, f64)> {
    let of_slices = |name: &'static str| {
        entry.bins.iter().filter(move |bin| bin[0] == name).map(|bin| (&bin[1], &bin[2]))
    };
    let sizes: BTreeMap<&String, &String> = of_slices("slice-size").collect();
    let point = |(slice, states): (&String, &String)| {
        let pieces: u32 = slice.split('.').map(|n| n.parse::<u32>().ok()).sum::<Option<u32>>()?;
        let (states, size): (f64, f64) = (states.parse().ok()?, sizes.get(slice)?.parse().ok()?);
        let density = states / size;
        (states > 0.0).then_some((f64::from(pieces), density, density, density))
    };
    of_slices("slice-states").filter_map(point).collect()
}

/// Whether two curves of decimal logarithms lie within the width of a line everywhere.
fn look_alike(a: &[(f64, f64)], b: &[(f64, f64)]) -> bool {
    let close = |(p, q): (&(f64, f64), &(f64, f64))| p.0 == q.0 && (p.1 - q.1).abs() < 0.005;
    a.len() == b.len() && a.iter().zip(b).all(close)
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

/// The lower edge of the bar of games of `plies`.
fn length_edge(plies: u64) -> f64 {
    plies as f64 - 0.5
}

/// Bars without gaps from the lowest to the highest bin, in percent of the sum; cells of the same
/// bin are added, and neighbouring bins are merged until the bars are few enough.
fn shares(cells: &[(u64, f64)], edge: impl Fn(u64) -> f64) -> Vec<(f64, f64, f64)> {
    let sum: f64 = cells.iter().map(|(_, content)| content).sum();
    let bins = || cells.iter().map(|(bin, _)| *bin);
    let (Some(first), Some(last)) = (bins().min(), bins().max()) else { return Vec::new() };
    let merged = (last - first) / MOST_BARS + 1;
    let bars = (last - first) / merged + 1;
    let mut contents = vec![0.0; bars as usize];
    for (bin, content) in cells {
        contents[((bin - first) / merged) as usize] += content;
    }
    let bar = |(index, content): (u64, f64)| {
        let from = first + index * merged;
        (edge(from), edge(from + merged), 100.0 * content / sum)
    };
    (0..).zip(contents).map(bar).collect()
}

/// Bins and contents of the histogram `name`.
fn bins_of<'a>(entry: &'a Entry, name: &'a str) -> impl Iterator<Item = (u64, BigUint)> + 'a {
    let of_name = entry.bins.iter().filter(move |bin| bin[0] == name);
    of_name.filter_map(|bin| Some((bin[1].parse().ok()?, bin[2].parse().ok()?)))
}

fn approximate(count: &BigUint) -> f64 {
    10f64.powf(log10(count))
}

fn log10_of(text: &str) -> Option<f64> {
    text.parse().ok().map(|count: BigUint| log10(&count))
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

    #[test]
    fn only_files_of_the_kinds_made_here_are_plots() {
        for name in
            ["perft.svg", "growth.png", "levels-log10.svg", "weights-othello-8.png", "plies-g.svg"]
        {
            assert!(is_plot(name), "{name}");
        }
        for name in ["summary.csv", "perft.txt", "perft-notes.svg", "weights.svg", "my-plies-g.svg"]
        {
            assert!(!is_plot(name), "{name}");
        }
    }
}
