//! Measure `egdb`: the values of all positions with few pieces; batch `k` of a game is its positions
//! with `k + 2` pieces, White to move.
//!
//! Slices that are in the folder of databases already are taken as they are; what is built is told as
//! a cost.

use super::databases::ready;
use super::{Cost, Effort, MeasureError, Sink, number};
use crate::endgame::Stage;
use crate::endgame::best_play::{king_moves_in_a_row, line};
use crate::endgame::summary::{Survey, survey};
use crate::engine::{Probe, Value};
use crate::experiment::journal::Entry;
use crate::experiment::provenance::Clock;
use crate::experiment::quantity::Quantity;
use crate::experiment::spec::{Case, Plan};
use crate::game::Notation;
use crate::games::catalog::DraughtsVisitor;
use crate::games::draughts::{Board, Draughts, Rules};
use crate::solve::lines::write_moves;

pub(super) const COLUMNS: [&str; 11] = [
    "pieces",
    "wins",
    "draws",
    "losses",
    "positions",
    "cumulative_positions",
    "longest_win_plies",
    "positions_with_longest_win",
    "king_moves_in_a_row",
    "position",
    "line",
];

/// What the summary says of each number of pieces; as the columns.
pub(super) const QUANTITIES: [&str; 8] = [
    "wins",
    "draws",
    "losses",
    "positions",
    "cumulative_positions",
    "longest_win_plies",
    "positions_with_longest_win",
    "king_moves_in_a_row",
];
const UNITS: [&str; 8] = [
    "positions",
    "positions",
    "positions",
    "positions",
    "positions",
    "plies",
    "positions",
    "plies",
];

/// The fewest pieces of a database.
pub(in crate::experiment) const FEWEST: u32 = 2;

/// The batches of a database with up to so many pieces.
pub(super) fn batches(pieces: u32) -> u64 {
    (FEWEST..=pieces).count() as u64
}

/// What the positions of `game` with so many pieces are called in the summary.
pub fn label(game: &str, pieces: u32) -> String {
    format!("{game}-{pieces}-pieces")
}

pub(super) fn compute(
    plan: &Plan,
    done: usize,
    how: Effort,
    sink: Sink,
) -> Result<(), MeasureError> {
    let mut skipped = done as u64;
    for case in &plan.cases {
        let of_case = batches(case.pieces);
        let from = skipped.min(of_case);
        skipped -= from;
        if from < of_case {
            let job = Job { case, from, how, sink };
            case.game.visit_draughts(job).expect("the spec was checked for draughts")?;
        }
    }
    Ok(())
}

/// The batches of one game from number `from` on.
struct Job<'a, 'b> {
    case: &'a Case,
    from: u64,
    how: Effort<'a>,
    sink: Sink<'b>,
}

impl DraughtsVisitor for Job<'_, '_> {
    type Output = Result<(), MeasureError>;

    fn visit<R: Rules, B: Board>(self, game: &Draughts<R, B>) -> Self::Output {
        let Self { case, from, how, sink } = self;
        let mut clock = Clock::start();
        let mut tell = |stage: Stage| {
            if let Some(costs) = how.costs
                && stage.found < stage.slices
            {
                let cost = Cost::of(&case.label, &clock)
                    .with("pieces", stage.pieces)
                    .with("slices", stage.slices)
                    .with("slices_found", stage.found)
                    .with("positions", stage.positions)
                    .with("bytes", stage.bytes);
                costs(cost);
            }
            clock = Clock::start();
        };
        let database = ready::<R, B>(&case.label, case.pieces, how, &mut tell)?;
        let mut cumulative = 0;
        for (batch, pieces) in (FEWEST..=case.pieces).enumerate() {
            let batch = batch as u64;
            if batch < from {
                let entries = database.slices().entries().iter();
                let with = entries.filter(|entry| entry.slice().pieces() == pieces);
                cumulative += with.map(|entry| entry.size()).sum::<u64>();
                continue;
            }
            let failed = |error| MeasureError::failed(&case.label, error);
            let found = survey(&database, pieces, how.progress).map_err(failed)?;
            let Survey { tally, longest_wins } = found.ok_or(MeasureError::Stopped)?;
            cumulative += tally.positions();
            // Of the longest wins, the first with the most king moves in a row.
            let mut shown = None;
            for position in longest_wins {
                let line = line(game, &database, &position).ok_or_else(|| {
                    MeasureError::failed(&case.label, database.damage().unwrap_or_default())
                })?;
                let kings = king_moves_in_a_row(&position, &line);
                if shown.as_ref().is_none_or(|(most, _, _)| kings > *most) {
                    shown = Some((kings, position, line));
                }
            }
            let (longest, positions) = tally.longest_win().unwrap_or_default();
            let mut fields: Vec<String> = vec![pieces.to_string()];
            let counts = [tally.wins(), tally.draws(), tally.losses(), tally.positions()];
            fields.extend(counts.iter().chain([&cumulative]).map(u64::to_string));
            fields.extend([longest.to_string(), positions.to_string()]);
            match &shown {
                Some((kings, position, line)) => {
                    let moves: Vec<_> = line.iter().map(|choice| choice.mv).collect();
                    fields.push(kings.to_string());
                    fields.push(game.write_position(position));
                    fields.push(write_moves(game, position, &moves));
                }
                None => fields.extend([const { String::new() }; 3]),
            }
            let bin = |(value, count): (Value, u64)| {
                let plies = value.plies().map_or(String::new(), |plies| plies.to_string());
                [value.name().to_owned(), plies, count.to_string(), String::new()]
            };
            let bins = tally.values().map(bin).collect();
            sink(Entry { game: case.label.clone(), batch, fields, bins })?;
        }
        Ok(())
    }
}

pub(super) fn summarise(entries: &[Entry]) -> Result<Vec<Quantity>, MeasureError> {
    let mut quantities = Vec::new();
    for entry in entries {
        let pieces = number(entry, 0, "number of pieces")?;
        let label = label(&entry.game, pieces);
        for ((quantity, unit), value) in QUANTITIES.iter().zip(UNITS).zip(&entry.fields[1..]) {
            if !value.is_empty() {
                quantities.push(Quantity::exact(&label, quantity, unit, value));
            }
        }
    }
    Ok(quantities)
}
