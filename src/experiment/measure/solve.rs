//! Measure `solve`: what a position is worth, or every position some plies on, with the effort of the
//! proofs; one batch per game.
//!
//! Wins and losses are those of the side to move in the position that the spec names, and their plies
//! are counted from there.

use std::sync::Arc;

use super::databases::opened;
use super::{Cost, Effort, MeasureError, Sink};
use crate::engine::Value;
use crate::experiment::journal::Entry;
use crate::experiment::provenance::Clock;
use crate::experiment::quantity::Quantity;
use crate::experiment::spec::{Case, Plan, Question};
use crate::game::{Game, Notation};
use crate::games::catalog::DraughtsVisitor;
use crate::games::draughts::{Board, Draughts, Position, Rules};
use crate::self_play::SharedDatabase;
use crate::solve::lines::{Line, lines, write_moves};
use crate::solve::{
    Answer, DistanceSearch, Effort as Nodes, Limit, Method, NoDatabase, Worth, solve,
};

pub(super) const COLUMNS: [&str; 16] = [
    "pieces",
    "solver",
    "lines",
    "value",
    "wins",
    "draws",
    "losses",
    "unknown",
    "nodes",
    "greatest_depth",
    "mean_depth",
    "branching_factor",
    "deepest_win_plies",
    "deepest_loss_plies",
    "deepest_win_line",
    "deepest_loss_line",
];

/// What the summary says, with the columns and the units.
const SUMMARY: [(&str, usize, &str); 11] = [
    (VALUE, 3, ""),
    ("wins", 4, "lines"),
    ("draws", 5, "lines"),
    ("losses", 6, "lines"),
    ("unknown", 7, "lines"),
    ("nodes", 8, "positions"),
    ("greatest_depth", 9, "plies"),
    ("mean_depth", 10, "plies"),
    ("branching_factor", 11, "moves"),
    ("deepest_win_plies", 12, "plies"),
    ("deepest_loss_plies", 13, "plies"),
];

/// The quantity that is a word.
pub(in crate::experiment) const VALUE: &str = "value";
/// What it may be.
pub(in crate::experiment) const VALUES: [&str; 3] = ["win", "draw", "loss"];

pub(super) const QUANTITIES: [&str; 11] = {
    let mut names = [""; 11];
    let mut at = 0;
    while at < names.len() {
        names[at] = SUMMARY[at].0;
        at += 1;
    }
    names
};

pub(super) fn compute(
    plan: &Plan,
    done: usize,
    how: Effort,
    sink: Sink,
) -> Result<(), MeasureError> {
    for case in plan.cases.iter().skip(done) {
        let job = Job { case, how };
        sink(case.game.visit_draughts(job).expect("the spec was checked for draughts")?)?;
    }
    Ok(())
}

struct Job<'a> {
    case: &'a Case,
    how: Effort<'a>,
}

/// A decided line: plies to its end, and its moves there.
type Decided = Option<(u32, String)>;

/// What all lines of a question have given.
#[derive(Default)]
struct Found {
    values: [u64; 4],
    effort: Nodes,
    deepest_win: Decided,
    deepest_loss: Decided,
}

impl DraughtsVisitor for Job<'_> {
    type Output = Result<Entry, MeasureError>;

    fn visit<R: Rules, B: Board>(self, game: &Draughts<R, B>) -> Self::Output {
        let Self { case, how } = self;
        let known = "the spec was checked when it was read";
        let question = case.question.as_ref().expect(known);
        let database: SharedDatabase<B> = match question.pieces {
            0 => Arc::new(NoDatabase),
            pieces => Arc::new(opened::<R, B>(&case.label, pieces, how)?),
        };
        let mut root = match &case.start {
            Some(text) => game.read_position(text).expect(known),
            None => game.initial(),
        };
        for text in question.play.split_whitespace() {
            let mv = game.read_move(&root, text).expect(known);
            game.play(&mut root, mv);
        }
        let clock = Clock::start();
        let all = lines(game, Line::from(root), question.plies);
        let found = self.answer(game, question, &database, &root, &all)?;
        if let Some(costs) = how.costs {
            let cost = Cost::of(&case.label, &clock)
                .with("pieces", question.pieces)
                .with("solver", question.method)
                .with("nodes", found.effort.nodes)
                .with("memory_bytes", found.effort.bytes);
            costs(cost);
        }
        Ok(found.entry(case, question, all.len()))
    }
}

impl Job<'_> {
    fn answer<R: Rules, B: Board>(
        &self,
        game: &Draughts<R, B>,
        question: &Question,
        database: &SharedDatabase<B>,
        root: &Position<B>,
        all: &[Line<B>],
    ) -> Result<Found, MeasureError> {
        let Question { method, nodes, memory, .. } = *question;
        let limits = method.limits(nodes, memory);
        let progress = self.how.progress;
        let mut solver = method.solver::<R, B, _>(database.clone(), memory);
        let table = Method::DepthFirst.table_bytes(memory);
        let mut distances = DistanceSearch::<R, B, _>::new(database.clone(), table);
        let mut found = Found::default();
        for (number, line) in all.iter().enumerate() {
            progress.share(number as u64, all.len() as u64);
            let solution = solve(solver.as_mut(), &line.position, limits, progress);
            whole(&self.case.label, database)?;
            let proofs = [Some(solution.win), solution.loss];
            let stopped = Answer::Unknown(Limit::Stopped);
            if proofs.iter().flatten().any(|proof| proof.answer == stopped) {
                return Err(MeasureError::Stopped);
            }
            found.effort = found.effort.and(&solution.effort());
            let Some(worth) = solution.worth() else {
                found.values[3] += 1;
                continue;
            };
            let side = line.position.side();
            let winner = match worth {
                Worth::Draw => {
                    found.values[1] += 1;
                    continue;
                }
                Worth::Win => side,
                Worth::Loss => side.other(),
            };
            let (deepest, of) = match winner == root.side() {
                true => (&mut found.deepest_win, 0),
                false => (&mut found.deepest_loss, 2),
            };
            found.values[of] += 1;
            // What is proved but takes too long to count is not among the deepest.
            let plies = match distances.value(&line.position, limits, progress) {
                Err(Limit::Stopped) => return Err(MeasureError::Stopped),
                Err(Limit::Nodes | Limit::Memory) | Ok(Value::Draw) => continue,
                Ok(Value::Win(plies) | Value::Loss(plies)) => plies,
            };
            let plies = question.plies + plies;
            whole(&self.case.label, database)?;
            if deepest.as_ref().is_some_and(|(most, _)| *most >= plies) {
                continue;
            }
            let rest = match distances.line(&line.position, winner, limits, progress) {
                Err(Limit::Stopped) => return Err(MeasureError::Stopped),
                Err(Limit::Nodes | Limit::Memory) => Vec::new(),
                Ok(rest) => rest,
            };
            let moves = [&line.moves[..], &rest].concat();
            *deepest = Some((plies, write_moves(game, root, &moves)));
        }
        Ok(found)
    }
}

/// Refuses what was found with a database that has met damage.
fn whole<B: Board>(label: &str, database: &SharedDatabase<B>) -> Result<(), MeasureError> {
    match database.damage() {
        Some(damage) => Err(MeasureError::failed(label, damage)),
        None => Ok(()),
    }
}

impl Found {
    fn entry(self, case: &Case, question: &Question, lines: usize) -> Entry {
        let one = question.plies == 0;
        let [wins, draws, losses, _] = self.values;
        let of_one = || {
            let words = VALUES.into_iter().zip([wins, draws, losses]);
            words.filter(|(_, count)| *count > 0).map(|(word, _)| word).next().unwrap_or("unknown")
        };
        let value = if one { of_one() } else { "" }.to_owned();
        let effort = &self.effort;
        let plies = |decided: &Decided| decided.as_ref().map(|(plies, _)| plies.to_string());
        let moves = |decided: Decided| decided.map(|(_, moves)| moves).unwrap_or_default();
        let branching = effort.branching_factor();
        let mut fields = vec![
            question.pieces.to_string(),
            question.method.to_string(),
            lines.to_string(),
            value,
        ];
        fields.extend(self.values.map(|count| if one { String::new() } else { count.to_string() }));
        fields.extend([
            effort.nodes.to_string(),
            effort.greatest_depth.to_string(),
            effort.mean_depth().to_string(),
            branching.map(|factor| factor.to_string()).unwrap_or_default(),
            plies(&self.deepest_win).unwrap_or_default(),
            plies(&self.deepest_loss).unwrap_or_default(),
            moves(self.deepest_win),
            moves(self.deepest_loss),
        ]);
        Entry { game: case.label.clone(), batch: 0, fields, bins: Vec::new() }
    }
}

pub(super) fn summarise(entries: &[Entry]) -> Result<Vec<Quantity>, MeasureError> {
    let mut quantities = Vec::new();
    for entry in entries {
        for (quantity, column, unit) in SUMMARY {
            let value = &entry.fields[column];
            if !value.is_empty() {
                quantities.push(Quantity::exact(&entry.game, quantity, unit, value));
            }
        }
    }
    Ok(quantities)
}
