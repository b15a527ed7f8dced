//! `ludometer selfplay`: collections of games that the engine plays against itself.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::Args;

use super::analyse::EvaluationArgument;
use super::database::DatabaseArguments;
use super::failure::{Failure, Result};
use super::game::GameArguments;
use super::perft::threads;
use super::run::all_processors;
use super::table::{FormatArgument, Table};
use super::talk::Talk;
use crate::engine::{Probe, Weights};
use crate::experiment::collection::{Collection, CollectionError};
use crate::experiment::measure::self_play::default_draw_rule;
use crate::experiment::provenance::Clock;
use crate::experiment::spec::DEEPEST;
use crate::game::Progress;
use crate::games::catalog::DraughtsVisitor;
use crate::games::draughts::draw::{Adjudicated, DrawRule};
use crate::games::draughts::{Board, Draughts, Rules};
use crate::self_play::{Ending, Judgement, Knowledge, SelfPlay, Totals};
use crate::stream::RunError;

/// Let the engine play against itself, and keep the games as PDN
///
/// Both sides search to the same depth; depth 0 makes random legal moves. Root moves are shuffled and
/// evaluations varied by numbers that depend on the seed, the depth and the game's number only, so the
/// files have the same bytes on any number of threads. There is one file for each depth, DIR/GAME-depth-D.pdn;
/// a run that was interrupted or killed goes on with the same command, and more games can be added later. A game
/// ends by the rules, by the draw rule (default: that of the rules, and a cap of 2000 plies), or in
/// draughts when the material is drawish and the score near zero.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ludometer selfplay draughts-6 --depth 0..3 --games 20 --seed 1 --out games
  ludometer selfplay checkers-8 --depth 4 --games 4 --threads 2 --out games
  ludometer selfplay draughts-8 --depth 3 --games 4 --out games --stop-at-pieces 9 --compress
  ludometer selfplay draughts-10 --depth 2 --games 4 --out games --evaluation material --format csv
  ludometer selfplay checkers-4 --depth 3 --games 4 --out games --perfect")]
pub struct PlaySelf {
    #[command(flatten)]
    game: GameArguments,
    /// Search depth in plies, or a range like 0..7, both ends included
    #[arg(long, value_name = "D|A..B", allow_negative_numbers = true, value_parser = depths)]
    depth: RangeInclusive<u32>,
    /// Games at each depth
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    games: u64,
    /// Seed of the random numbers
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true,
          value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    seed: u64,
    /// Folder of the files
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// How positions are judged
    #[arg(long, value_name = "WHICH", default_value = "positional")]
    evaluation: EvaluationArgument,
    /// Let the perfect player play, which searches so deep only where it finds no proof
    #[arg(long)]
    perfect: bool,
    #[command(flatten)]
    database: DatabaseArguments,
    /// Leave games unfinished once so many pieces or fewer are on the board
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(1..=97))]
    stop_at_pieces: Option<u32>,
    /// Write zstd-compressed files, .pdn.zst
    #[arg(long)]
    compress: bool,
    /// Worker threads; the files do not depend on it [default: all processors]
    #[arg(long, value_name = "T", allow_negative_numbers = true, value_parser = threads)]
    threads: Option<usize>,
    #[command(flatten)]
    format: FormatArgument,
}

fn depths(text: &str) -> std::result::Result<RangeInclusive<u32>, String> {
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    match (first.parse(), last.parse()) {
        (Ok(first), Ok(last)) if first <= last && last <= DEEPEST => Ok(first..=last),
        _ => Err(format!("allowed: a depth of 0 to {DEEPEST}, or a range like 0..7")),
    }
}

impl PlaySelf {
    /// Runs the verb.
    ///
    /// # Errors
    /// For what is no game of draughts, for files of other games, and when interrupted.
    pub fn run(&self, talk: &Talk) -> Result {
        let game = self.game.settle()?;
        std::fs::create_dir_all(&self.out)
            .map_err(|error| Failure::work(format!("--out {}: {error}", self.out.display())))?;
        let id = game.id();
        let playing = Playing { arguments: self, talk, id: &id, rule: self.game.draw_rule()? };
        game.visit_draughts(playing).unwrap_or_else(|| {
            Err(Failure::Usage(format!(
                "{id} is not played by the engine (allowed: checkers and draughts)"
            )))
        })
    }

    fn judgement(&self) -> Judgement {
        match self.evaluation {
            EvaluationArgument::Positional => Judgement::Positional(Weights::DEFAULT),
            EvaluationArgument::Material => Judgement::Material,
        }
    }
}

struct Playing<'a> {
    arguments: &'a PlaySelf,
    talk: &'a Talk,
    id: &'a str,
    rule: Option<DrawRule>,
}

impl DraughtsVisitor for Playing<'_> {
    type Output = Result;

    fn visit<R: Rules, B: Board>(self, game: &Draughts<R, B>) -> Result {
        let rule = self.rule.unwrap_or_else(default_draw_rule::<R>);
        if !rule.ends_every_game() {
            return Err(Failure::Usage(format!(
                "--draw-rule {rule}: games need not end (allowed: a limit on repetitions, quiet moves or \
                 plies)"
            )));
        }
        let columns = [
            ("game", 0),
            ("depth", 0),
            ("games", 0),
            ("white_wins", 0),
            ("black_wins", 0),
            ("draws", 0),
            ("unfinished", 0),
            ("ply_caps", 0),
            ("mean_plies", 0),
            ("new_games", 0),
            ("new_nodes", 12),
            ("cpu_seconds", 0),
        ];
        let database = self.arguments.database.open::<R, B>()?;
        let knowledge = Knowledge { perfect: self.arguments.perfect, database };
        let mut table = Table::new(self.arguments.format.settle(), &columns)?;
        for depth in self.arguments.depth.clone() {
            let self_play = SelfPlay {
                game: Adjudicated::<R, B>::new(game.duplicates(), rule),
                id: self.id.to_owned(),
                seed: self.arguments.seed,
                depth,
                judgement: self.arguments.judgement(),
                knowledge: knowledge.clone(),
                ending: Ending { stop_at_pieces: self.arguments.stop_at_pieces },
            };
            table.row(&self.depth(&self_play)?)?;
        }
        Ok(())
    }
}

impl Playing<'_> {
    /// Plays the games of one depth that are still missing; the row of the table.
    fn depth<R: Rules, B: Board>(&self, self_play: &SelfPlay<R, B>) -> Result<Vec<String>> {
        let arguments = self.arguments;
        let depth = self_play.depth;
        let extension = if arguments.compress { "pdn.zst" } else { "pdn" };
        let path = arguments.out.join(format!("{}-depth-{depth}.{extension}", self.id));
        let head = |index| self_play.head(index);
        let mut collection =
            Collection::open(&path, arguments.compress, arguments.games, head).map_err(failure)?;
        let found = collection.totals().games;
        let missing = arguments.games - found;
        if found > 0 {
            self.talk.line(&format!("{}: {found} games found, {missing} to play", path.display()));
        }
        let clock = Clock::start();
        let watch = self.talk.watch(&format!("{} depth {depth}", self.id), Some(missing), "games");
        let threads = arguments.threads.unwrap_or_else(all_processors);
        let mut nodes = 0;
        let played = self_play.run(found..arguments.games, threads, &watch, |game| {
            nodes += game.nodes;
            collection.append(&game)
        });
        let stopped = watch.stopped();
        drop(watch);
        let finished = collection.finish();
        let database = self_play.knowledge.database.as_ref();
        if let Some(damage) = database.and_then(|database| database.damage()) {
            return Err(Failure::work(damage));
        }
        let played = match played {
            Ok(played) => played,
            Err(RunError::Sink(error)) => return Err(failure(error)),
            Err(error) => return Err(Failure::work(error)),
        };
        finished.map_err(failure)?;
        if played < missing {
            debug_assert!(stopped, "only a stop leaves games unplayed");
            return Err(Failure::Stopped(format!(
                "interrupted at depth {depth} after {} of {} games; the same command goes on",
                found + played,
                arguments.games
            )));
        }
        let cpu = clock.cpu_seconds();
        let totals = collection.totals();
        self.say(totals, depth, played, nodes, cpu);
        Ok(row::<R>(self.id, depth, totals, played, nodes, cpu))
    }

    fn say(&self, totals: &Totals, depth: u32, played: u64, nodes: u64, cpu: Option<f64>) {
        let endings: Vec<String> =
            totals.terminations.iter().map(|(why, games)| format!("{games} {why}")).collect();
        let mut line = format!("{} depth {depth}: {}", self.id, endings.join(", "));
        if let Some(cpu) = cpu.filter(|cpu| *cpu > 0.0 && played > 0) {
            line += &format!(
                "; {cpu:.1} s CPU, {:.4} s a game, {:.1} million nodes per CPU second",
                cpu / played as f64,
                nodes as f64 / cpu / 1e6
            );
        }
        self.talk.line(&line);
    }
}

fn row<R: Rules>(
    id: &str,
    depth: u32,
    totals: &Totals,
    played: u64,
    nodes: u64,
    cpu: Option<f64>,
) -> Vec<String> {
    use crate::games::draughts::Side;
    use crate::pdn::GameResult;
    let with = |result: GameResult| totals.with_result(result.score(R::FIRST_MOVER)).to_string();
    vec![
        id.to_owned(),
        depth.to_string(),
        totals.games.to_string(),
        with(GameResult::Won(Side::White)),
        with(GameResult::Won(Side::Black)),
        with(GameResult::Draw),
        with(GameResult::Unfinished),
        totals.ended_by("ply cap").to_string(),
        format!("{:.2}", totals.plies as f64 / totals.games as f64),
        played.to_string(),
        nodes.to_string(),
        cpu.map_or(String::new(), |cpu| cpu.to_string()),
    ]
}

fn failure(error: CollectionError) -> Failure {
    match error {
        CollectionError::Other { .. } | CollectionError::TooMany { .. } => Failure::usage(error),
        CollectionError::Io { .. } | CollectionError::Damaged { .. } => Failure::work(error),
    }
}
