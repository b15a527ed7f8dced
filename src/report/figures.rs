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
mod states;
mod tree_size;

use std::collections::BTreeMap;

use num_bigint::BigUint;

use super::ReportError;
use super::plot::{Axis, Plot};
use super::results::Finished;
use crate::experiment::journal::Entry;
use crate::experiment::spec::Measure;
use crate::self_play::LENGTH_DEPTHS;
use crate::state_space::formula::log10;

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
        Measure::TreeSize if finished.plan.replicates.is_some() => tree_size::replicates(finished),
        Measure::TreeSize => tree_size::batches(finished),
        Measure::Exact => Ok(exact(finished)),
        Measure::Perft => Ok(perft(finished)),
        Measure::Ssc => Ok(states::bound(finished)),
        Measure::States => Ok(states::reached(finished)),
        Measure::SelfPlay => Ok(self_play(finished)),
        Measure::Match => Ok(endgames::lost_to_perfect(finished)),
        Measure::Egdb => Ok(endgames::databases(finished)),
        Measure::Solve => Ok(endgames::proofs(finished)),
        Measure::Estimators => Ok(estimators::of(finished)),
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

/// Whether two curves of decimal logarithms lie within the width of a line everywhere.
fn look_alike(a: &[(f64, f64)], b: &[(f64, f64)]) -> bool {
    let close = |(p, q): (&(f64, f64), &(f64, f64))| p.0 == q.0 && (p.1 - q.1).abs() < 0.005;
    a.len() == b.len() && a.iter().zip(b).all(close)
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

#[cfg(test)]
mod tests {
    use super::*;

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
