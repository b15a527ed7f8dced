//! Plots of positions: the bound on their number, and those that are reached.

use std::collections::BTreeMap;

use num_bigint::BigUint;

use super::{Axis, Figure, Plot, approximate, bins_of, log10_of};
use crate::experiment::journal::Entry;
use crate::report::plot::power_of_ten;
use crate::report::results::Finished;
use crate::state_space::formula::log10;

/// How far apart points of the same number of pieces stand that belong to different games.
const SPREAD: f64 = 0.15;

/// The growth of the bound with board size, and its split by number of pieces.
pub(super) fn bound(finished: &Finished) -> Vec<Figure> {
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

/// The levels of all games, and the density of each slice by number of pieces.
pub(super) fn reached(finished: &Finished) -> Vec<Figure> {
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
