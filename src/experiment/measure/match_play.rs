//! Measure `match`: the score of one engine against another; a batch is some of its pairs of games.

use std::ops::Range;
use std::sync::Arc;

use super::databases::opened;
use super::self_play::default_draw_rule;
use super::{Effort, MeasureError, Sink, number};
use crate::experiment::journal::Entry;
use crate::experiment::quantity::Quantity;
use crate::experiment::spec::{Case, Openings, Plan};
use crate::game::{Progress, Unwatched};
use crate::games::catalog::DraughtsVisitor;
use crate::games::draughts::draw::Adjudicated;
use crate::games::draughts::{Board, Draughts, Rules};
use crate::self_play::{
    BALLOT_PLIES, Match, PlayerError, Players, Score, SharedDatabase, ballots, elo,
};
use crate::stream::RunError;

pub(super) const COLUMNS: [&str; 10] = [
    "games", "wins", "draws", "losses", "pairs_0", "pairs_1", "pairs_2", "pairs_3", "pairs_4",
    "nodes",
];

/// What the summary says of each match, as its first engine sees it.
pub(super) const QUANTITIES: [&str; 6] = ["score", "elo", "games", "wins", "draws", "losses"];

/// The fewest pairs of games of a batch.
const FEWEST_PAIRS: u64 = 10;
/// The most batches of a match.
const MOST_BATCHES: u64 = 50;

/// The pairs of each batch but the last of a match of so many games.
fn pairs_of_batch(games: u64) -> u64 {
    (games / 2).div_ceil(MOST_BATCHES).max(FEWEST_PAIRS)
}

/// The batches of a match of so many games.
pub(super) fn batches(games: u64) -> u64 {
    (games / 2).div_ceil(pairs_of_batch(games))
}

/// The pairs of a batch of a match of so many games.
fn pairs(games: u64, batch: u64) -> Range<u64> {
    let each = pairs_of_batch(games);
    batch * each..((batch + 1) * each).min(games / 2)
}

/// Games of the pieces of work from `done` on.
pub(super) fn games_left(plan: &Plan, done: usize) -> u64 {
    let each = plan.cases.iter().flat_map(|case| {
        (0..batches(case.games)).map(|batch| {
            let pairs = pairs(case.games, batch);
            2 * (pairs.end - pairs.start)
        })
    });
    each.skip(done).sum()
}

pub(super) fn compute(
    plan: &Plan,
    done: usize,
    how: Effort,
    sink: Sink,
) -> Result<(), MeasureError> {
    let seed = plan.spec.seed.expect("the spec was checked for a seed");
    let mut skipped = done as u64;
    for case in &plan.cases {
        let of_case = batches(case.games);
        let from = skipped.min(of_case);
        skipped -= from;
        if from < of_case {
            let job = Job { case, openings: plan.openings, seed, from, how, sink };
            case.game.visit_draughts(job).expect("the spec was checked for draughts")?;
        }
    }
    Ok(())
}

/// The batches of one match from number `from` on.
struct Job<'a, 'b> {
    case: &'a Case,
    openings: Openings,
    seed: u64,
    from: u64,
    how: Effort<'a>,
    sink: Sink<'b>,
}

/// What described engines that do not think by time never ask for.
fn no_deadline(_seconds: f64) -> Box<dyn Progress> {
    Box::new(Unwatched)
}

impl DraughtsVisitor for Job<'_, '_> {
    type Output = Result<(), MeasureError>;

    fn visit<R: Rules, B: Board>(self, game: &Draughts<R, B>) -> Self::Output {
        let Self { case, how, openings, .. } = self;
        let failed = |problem: String| MeasureError::Failed { game: case.label.clone(), problem };
        let rule = case.game.draw_rule().unwrap_or_else(default_draw_rule::<R>);
        let game = Adjudicated::<R, B>::new(game.duplicates(), rule);
        let openings = match openings {
            Openings::Ballots => ballots(&game, BALLOT_PLIES),
            Openings::Start => vec![Vec::new()],
        };
        if openings.is_empty() {
            return Err(failed("there are no ballots".to_owned()));
        }
        let planned = Match { game, openings, seed: Some(self.seed) };
        let engines = case.players.as_ref().expect("the spec was checked for players");
        let mut databases = Vec::new();
        for engine in engines {
            let open = |pieces| opened::<R, B>(&case.label, pieces, how);
            let database = engine.pieces.map(open).transpose()?;
            databases.push(database.map(|database| -> SharedDatabase<B> { Arc::new(database) }));
        }
        let players = || -> Players<R, B> {
            let seats = engines.iter().zip(&databases);
            seats.map(|(e, database)| e.player(rule, no_deadline, database.clone())).collect()
        };
        let all = batches(case.games);
        for batch in self.from..all {
            if databases.iter().any(Option::is_some) {
                // Its build told its share, which is now to be that of the games.
                how.progress.share(batch - self.from, all - self.from);
            }
            let range = pairs(case.games, batch);
            let wanted = range.end - range.start;
            let (mut score, mut nodes) = (Score::default(), 0);
            let played = planned.run(range, how.threads, players, how.progress, |_, pair| {
                score.add(&pair);
                nodes += pair.iter().map(|game| game.nodes).sum::<u64>();
                Ok::<(), PlayerError>(())
            });
            if played.map_err(|error: RunError<PlayerError>| failed(error.to_string()))? < wanted {
                return Err(MeasureError::Stopped);
            }
            let mut fields = vec![score.games(), score.wins, score.draws, score.losses];
            fields.extend(score.pairs);
            fields.push(nodes);
            let fields = fields.iter().map(u64::to_string).collect();
            (self.sink)(Entry { game: case.label.clone(), batch, fields, bins: Vec::new() })?;
        }
        Ok(())
    }
}

pub(super) fn summarise(entries: &[Entry]) -> Result<Vec<Quantity>, MeasureError> {
    let mut quantities = Vec::new();
    let mut games: Vec<&str> = entries.iter().map(|entry| entry.game.as_str()).collect();
    games.dedup();
    for game in games {
        let mut score = Score::default();
        for entry in entries.iter().filter(|entry| entry.game == game) {
            let count = |column| number::<u64>(entry, column, "number of games");
            score.wins += count(1)?;
            score.draws += count(2)?;
            score.losses += count(3)?;
            for (pairs, column) in score.pairs.iter_mut().zip(4..) {
                *pairs += count(column)?;
            }
        }
        quantities.extend(of_score(game, &score));
    }
    Ok(quantities)
}

fn of_score(game: &str, score: &Score) -> Vec<Quantity> {
    let exact = |name: &str, value: u64| Quantity::exact(game, name, "games", value);
    let text = |number: Option<f64>| {
        number.filter(|number| number.is_finite()).map(|n| n.to_string()).unwrap_or_default()
    };
    let share = score.share();
    let (low, high) = (score.interval().map(|i| i.0), score.interval().map(|i| i.1));
    let estimate = |name: &str, unit: &str, value: Option<f64>, ends: [Option<f64>; 2]| Quantity {
        low: text(ends[0]),
        high: text(ends[1]),
        ..Quantity::exact(game, name, unit, text(value))
    };
    vec![
        Quantity {
            standard_error: text(score.standard_error()),
            ..estimate("score", "rate", share, [low, high])
        },
        estimate("elo", "points", share.map(elo), [low.map(elo), high.map(elo)]),
        exact("games", score.games()),
        exact("wins", score.wins),
        exact("draws", score.draws),
        exact("losses", score.losses),
    ]
}
