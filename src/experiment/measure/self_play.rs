//! Measure `self-play`: what games of the engine against itself are like; batch `k` of a game is its
//! games at the `k`-th search depth of the spec.
//!
//! A game is left as soon as it has so few pieces that [`statistics`](crate::self_play) cut it off, and
//! duplicates are removed. The games wait as PDN in the scratch folder until their depth is finished,
//! so that a killed run goes on with the next game; what is kept are sums over games.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashSet;

use super::states::Space;
use super::{Cost, Effort, MeasureError, Sink, number};
use crate::experiment::collection::{Collection, CollectionError};
use crate::experiment::journal::Entry;
use crate::experiment::provenance::Clock;
use crate::experiment::quantity::Quantity;
use crate::experiment::spec::{Case, Plan};
use crate::games::catalog::DraughtsVisitor;
use crate::games::draughts::draw::{Adjudicated, DrawRule};
use crate::games::draughts::{Board, Draughts, Rules, Side};
use crate::pdn::{GameResult, Source, replay};
use crate::self_play::{
    Ending, Estimate, GameTree, Knowledge, Profile, SelfPlay, StopAt, Tally, as_published, pooled,
};
use crate::stream::RunError;

pub(super) const COLUMNS: [&str; 17] = [
    "depth",
    "games_played",
    "duplicates",
    "games",
    "cut",
    "plies",
    "plies_squared",
    "moves",
    "moves_squared",
    "plies_moves",
    "forced",
    "captures",
    "most_taken",
    "white_wins",
    "black_wins",
    "draws",
    "unfinished",
];

/// What the summary says of each depth and, as published, of all.
pub(super) const QUANTITIES: [&str; 5] =
    ["branching_factor", "game_length", "log10_gtc", "unique_games", "most_taken"];

/// Plies after which a game is stopped, where the draw rule sets no limit of its own.
pub const PLY_CAP: u32 = 2000;

/// The draw rule of self-play where nothing else is said: that of the rules, and a cap on plies.
pub fn default_draw_rule<R: Rules>() -> DrawRule {
    DrawRule { ply_cap: Some(PLY_CAP), ..DrawRule::of::<R>() }
}

pub(super) fn compute(
    plan: &Plan,
    done: usize,
    how: Effort,
    sink: Sink,
) -> Result<(), MeasureError> {
    let pieces = plan.cases.iter().flat_map(|case| {
        let depths = plan.depths.iter().enumerate();
        depths.map(move |(batch, depth)| (case, batch as u64, *depth))
    });
    for (case, batch, depth) in pieces.skip(done) {
        let seed = plan.spec.seed.expect("the spec was checked for a seed");
        let job = Job { case, batch, depth, seed, games: case.games, how };
        let entry = case.game.visit_draughts(job).expect("the spec was checked for draughts")?;
        sink(entry)?;
        // Only now the row is on the disk and nothing can be lost.
        clear(case, how.space).map_err(|error| MeasureError::failed(&case.label, error))?;
    }
    Ok(())
}

/// Removes the games of `case` that wait in the scratch folder.
pub(super) fn clear(case: &Case, space: Space) -> std::io::Result<()> {
    let folder = folder(case, space.scratch);
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
        // The folder of all games stays as long as other games are in it.
        let _ = std::fs::remove_dir(space.scratch);
    }
    Ok(())
}

fn folder(case: &Case, scratch: &Path) -> PathBuf {
    scratch.join(&case.label)
}

/// The games of one case at one depth.
struct Job<'a> {
    case: &'a Case,
    batch: u64,
    depth: u32,
    seed: u64,
    games: u64,
    how: Effort<'a>,
}

impl DraughtsVisitor for Job<'_> {
    type Output = Result<Entry, MeasureError>;

    fn visit<R: Rules, B: Board>(self, game: &Draughts<R, B>) -> Self::Output {
        let stop = StopAt::published(B::N);
        let rule = self.case.game.draw_rule().unwrap_or_else(default_draw_rule::<R>);
        let self_play = SelfPlay {
            game: Adjudicated::<R, B>::new(game.duplicates(), rule),
            id: self.case.game.id(),
            seed: self.seed,
            depth: self.depth,
            judgement: self.case.judgement,
            knowledge: Knowledge::none(),
            ending: Ending { stop_at_pieces: stop.limit() },
        };
        let path = self.play(&self_play)?;
        let (tally, duplicates) = self.measure(game, &path, stop)?;
        Ok(self.entry(&tally, duplicates))
    }
}

impl Job<'_> {
    /// Plays the games that are still missing into a file, and tells what they cost.
    fn play<R: Rules, B: Board>(
        &self,
        self_play: &SelfPlay<R, B>,
    ) -> Result<PathBuf, MeasureError> {
        let failed = |error: CollectionError| MeasureError::failed(&self.case.label, error);
        let folder = folder(self.case, self.how.space.scratch);
        std::fs::create_dir_all(&folder).map_err(|error| {
            MeasureError::failed(&self.case.label, format!("{}: {error}", folder.display()))
        })?;
        let path = folder.join(format!("depth-{}.pdn", self.depth));
        let head = |index| self_play.head(index);
        let mut collection = Collection::open(&path, false, self.games, head).map_err(failed)?;
        let found = collection.totals().games;
        let clock = Clock::start();
        let mut nodes = 0;
        let Effort { threads, progress, .. } = self.how;
        progress.advance(found);
        let played = self_play.run(found..self.games, threads, progress, |game| {
            nodes += game.nodes;
            collection.append(&game)
        });
        let played = match played {
            Ok(played) => played,
            Err(RunError::Sink(error)) => return Err(failed(error)),
            Err(error) => return Err(MeasureError::failed(&self.case.label, error)),
        };
        if played > 0
            && let Some(costs) = self.how.costs
        {
            costs(
                Cost::of(&self.case.label, &clock)
                    .with("depth", self.depth)
                    .with("games", played)
                    .with("nodes", nodes),
            );
        }
        if found + played < self.games { Err(MeasureError::Stopped) } else { Ok(path) }
    }

    /// Reads the games back and adds them up; also how many were duplicates.
    fn measure<R: Rules, B: Board>(
        &self,
        game: &Draughts<R, B>,
        path: &Path,
        stop: StopAt,
    ) -> Result<(Tally, u64), MeasureError> {
        let wrong = |problem: String| MeasureError::Failed {
            game: self.case.label.clone(),
            problem: format!("{}: {problem}", path.display()),
        };
        let bytes = std::fs::read(path).map_err(|error| wrong(error.to_string()))?;
        let source = Source::new(bytes);
        let (mut tally, mut seen, mut duplicates) = (Tally::default(), FxHashSet::default(), 0);
        for text in source.games() {
            let replay =
                replay(game, &source, &text).map_err(|warning| wrong(warning.to_string()))?;
            if !replay.whole {
                return Err(wrong("a game is not legal to its end".to_owned()));
            }
            let profile = Profile::of(game, &replay.record, stop);
            if seen.insert(profile.key.clone()) {
                tally.add(&profile);
            } else {
                duplicates += 1;
            }
        }
        if tally.games + duplicates != self.games {
            return Err(wrong(format!("it has {} games", tally.games + duplicates)));
        }
        Ok((tally, duplicates))
    }

    fn entry(&self, tally: &Tally, duplicates: u64) -> Entry {
        let won = |side| tally.ended(GameResult::Won(side)).to_string();
        let fields = vec![
            self.depth.to_string(),
            self.games.to_string(),
            duplicates.to_string(),
            tally.games.to_string(),
            tally.cut.to_string(),
            tally.plies.to_string(),
            tally.plies_squared.to_string(),
            tally.moves.to_string(),
            tally.moves_squared.to_string(),
            tally.plies_moves.to_string(),
            tally.forced.to_string(),
            tally.captures().to_string(),
            tally.most_taken().unwrap_or(0).to_string(),
            won(Side::White),
            won(Side::Black),
            tally.ended(GameResult::Draw).to_string(),
            tally.ended(GameResult::Unfinished).to_string(),
        ];
        let mut bins = Vec::new();
        let mut add = |histogram: &str,
                       place: &dyn std::fmt::Display,
                       count: &dyn std::fmt::Display| {
            bins.push([histogram.to_owned(), place.to_string(), count.to_string(), String::new()]);
        };
        for (plies, games) in &tally.lengths {
            add("length", plies, games);
        }
        for (moves, positions) in &tally.mobilities {
            add("mobility", moves, positions);
        }
        for (taken, moves) in &tally.taken {
            add("taken", taken, moves);
        }
        for (ply, at) in tally.at_ply.iter().enumerate() {
            add("ply-games", &ply, &at.games);
            add("ply-moves", &ply, &at.moves);
            add("ply-captures", &ply, &at.captures);
        }
        for ((_, reason), games) in &tally.endings {
            let reason = if reason.is_empty() { "-" } else { reason };
            add("ending", &reason.replace(' ', "-"), games);
        }
        Entry { game: self.case.label.clone(), batch: self.batch, fields, bins }
    }
}

/// The sums of an entry, without its histograms.
fn tally_of(entry: &Entry) -> Result<(u32, Tally), MeasureError> {
    let tally = Tally {
        games: number(entry, 3, "number of games")?,
        cut: number(entry, 4, "number of games")?,
        plies: number(entry, 5, "sum")?,
        plies_squared: number(entry, 6, "sum")?,
        moves: number(entry, 7, "sum")?,
        moves_squared: number(entry, 8, "sum")?,
        plies_moves: number(entry, 9, "sum")?,
        forced: number(entry, 10, "number of plies")?,
        ..Tally::default()
    };
    Ok((number(entry, 0, "depth")?, tally))
}

pub(super) fn summarise(entries: &[Entry]) -> Result<Vec<Quantity>, MeasureError> {
    let mut quantities = Vec::new();
    let mut games: Vec<&str> = entries.iter().map(|entry| entry.game.as_str()).collect();
    games.dedup();
    for game in games {
        let mut tallies = BTreeMap::new();
        let mut most_taken = 0;
        for entry in entries.iter().filter(|entry| entry.game == game) {
            let (depth, tally) = tally_of(entry)?;
            let taken: u64 = number(entry, 12, "number of pieces")?;
            most_taken = most_taken.max(taken);
            let at = |quantity| Quantity { depth: Some(depth), ..quantity };
            quantities.extend(of_tree(game, &pooled(&[&tally])).into_iter().map(at));
            quantities.push(at(Quantity::exact(game, "unique_games", "games", tally.games)));
            quantities.push(at(Quantity::exact(game, "most_taken", "pieces", taken)));
            tallies.insert(u64::from(depth), tally);
        }
        let by_depth: BTreeMap<u64, &Tally> =
            tallies.iter().map(|(d, tally)| (*d, tally)).collect();
        quantities.extend(of_tree(game, &as_published(&by_depth)));
        quantities.push(Quantity::exact(game, "most_taken", "pieces", most_taken));
    }
    Ok(quantities)
}

/// Branching factor, length and size; what is unknown is left out.
fn of_tree(game: &str, tree: &GameTree) -> Vec<Quantity> {
    let parts = [
        ("branching_factor", "moves", tree.branching),
        ("game_length", "plies", tree.length),
        ("log10_gtc", "", tree.log10_size),
    ];
    let quantity = |(name, unit, estimate): (&str, &str, Option<Estimate>)| {
        let Estimate { value, standard_error, interval } = estimate?;
        let text = |number: Option<f64>| number.map(|n| n.to_string()).unwrap_or_default();
        let exact = Quantity::exact(game, name, unit, value);
        let (low, high) =
            (text(interval.map(|(low, _)| low)), text(interval.map(|(_, high)| high)));
        Some(Quantity { standard_error: text(standard_error), low, high, ..exact })
    };
    parts.into_iter().filter_map(quantity).collect()
}
