//! `ludometer analyse`: the best move of a position.

use clap::{Args, ValueEnum};

use super::database::DatabaseArguments;
use super::deadline::{Until, seconds};
use super::failure::{Failure, Result};
use super::game::GameArguments;
use super::perfect::Judging;
use super::perft::read_position;
use super::size;
use super::table::{FormatArgument, Table};
use super::talk::Talk;
use crate::engine::{
    Engine, Evaluation, Found, Limits, MATE, MAX_DEPTH, Material, Positional, Settings, Variety,
    is_mate,
};
use crate::experiment::provenance::Clock;
use crate::experiment::provenance::check_memory;
use crate::game::{Game, Notation};
use crate::games::catalog::DraughtsVisitor;
use crate::games::draughts::draw::{Adjudicated, DrawRule, Played};
use crate::games::draughts::{Board, Draughts, Duplicates, Rules};
use crate::stream::stream;

/// Search the best move of a position of checkers or draughts
///
/// One row for each finished depth. Scores are in men, from the view of the side to move; a win or
/// loss by force is shown as the number of plies to the end. Without a limit the search goes to 7 plies.
/// With a seed, root moves are shuffled and evaluations varied, as in self-play.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ludometer analyse draughts-10
  ludometer analyse checkers-8 --fen W:WK2,K12:BK11 --depth 13
  ludometer analyse draughts-8 --fen W:W21-32:B1-12 --time 0.5
  ludometer analyse draughts-14 --nodes 100000 --evaluation material
  ludometer analyse draughts-10 --depth 9 --table none --format csv
  ludometer analyse checkers-8 --fen W:WK2,K12:BK11 --perfect")]
pub struct Analyse {
    #[command(flatten)]
    game: GameArguments,
    /// Position, in the game's notation [default: the initial position]
    #[arg(long, value_name = "POSITION")]
    fen: Option<String>,
    /// Moves to play first, separated by blanks
    #[arg(long, value_name = "MOVES")]
    play: Option<String>,
    /// Judge every move as the perfect player does, by database and proof
    #[arg(long, conflicts_with_all = ["depth", "time", "nodes", "reductions", "seed"])]
    perfect: bool,
    /// Greatest depth in plies
    #[arg(long, value_name = "D", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_DEPTH)))]
    depth: Option<u32>,
    /// Seconds to think
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, value_parser = seconds)]
    time: Option<f64>,
    /// Most positions to visit
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// How positions are judged
    #[arg(long, value_name = "WHICH", default_value = "positional")]
    evaluation: EvaluationArgument,
    /// Size of the transposition table, like 16MiB, or none
    #[arg(long, value_name = "SIZE", default_value = "16MiB", value_parser = table_bytes)]
    table: TableBytes,
    /// Search late quiet moves less deeply at first
    #[arg(long)]
    reductions: bool,
    #[command(flatten)]
    database: DatabaseArguments,
    /// Vary the search by this seed
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    seed: Option<u64>,
    #[command(flatten)]
    format: FormatArgument,
}

/// How positions are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum EvaluationArgument {
    /// Material and positional terms
    Positional,
    /// Material alone
    Material,
}

/// The size of a table that may be absent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct TableBytes(Option<usize>);

fn table_bytes(text: &str) -> std::result::Result<TableBytes, String> {
    if text == "none" {
        return Ok(TableBytes(None));
    }
    let bytes = size::bytes(text).map_err(|allowed| format!("{allowed}, or none"))?;
    let bytes = usize::try_from(bytes).map_err(|error| error.to_string())?;
    check_memory("a table", bytes as u64).map(|()| TableBytes(Some(bytes)))
}

/// Depth of a search without a limit.
const DEFAULT_DEPTH: u32 = 7;

impl Analyse {
    /// Runs the verb.
    ///
    /// # Errors
    /// For what is no game of draughts, for an unknown position or move, for a finished game.
    pub fn run(&self, talk: &Talk) -> Result {
        let game = self.game.settle()?;
        if self.perfect {
            let (fen, play) = (self.fen.as_deref(), self.play.as_deref());
            let judging =
                Judging { database: &self.database, fen, play, format: self.format, talk };
            return judging.of(&game);
        }
        let analysis = Analysis { arguments: self, talk, rule: self.game.draw_rule()? };
        game.visit_draughts(analysis).unwrap_or_else(|| {
            Err(Failure::Usage(format!(
                "{} is not played by the engine (allowed: checkers and draughts)",
                game.id()
            )))
        })
    }
}

struct Analysis<'a> {
    arguments: &'a Analyse,
    talk: &'a Talk,
    rule: Option<DrawRule>,
}

impl DraughtsVisitor for Analysis<'_> {
    type Output = Result;

    fn visit<R: Rules, B: Board>(self, _game: &Draughts<R, B>) -> Result {
        let rule = self.rule.unwrap_or(DrawRule::of::<R>());
        let game = Adjudicated::<R, B>::new(Duplicates::Drop, rule);
        let mut played = match &self.arguments.fen {
            None => game.initial(),
            Some(text) => read_position(&game, text)?,
        };
        for text in self.arguments.play.as_deref().unwrap_or_default().split_whitespace() {
            let mv = game.read_move(&played, text).map_err(Failure::usage)?;
            game.play(&mut played, mv);
        }
        if game.mobility(&played, &mut Vec::new()) == 0 {
            let position = game.write_position(&played);
            return Err(Failure::Usage(format!("the game is over in {position}")));
        }
        match self.arguments.evaluation {
            EvaluationArgument::Material => self.analyse(&game, &played, Material),
            EvaluationArgument::Positional => {
                self.analyse(&game, &played, Positional::<R, B>::default())
            }
        }
    }
}

impl Analysis<'_> {
    fn analyse<R: Rules, B: Board, E: Evaluation<R, B>>(
        &self,
        game: &Adjudicated<R, B>,
        played: &Played<B>,
        evaluation: E,
    ) -> Result {
        let arguments = self.arguments;
        let settings =
            Settings { table_bytes: arguments.table.0, reductions: arguments.reductions };
        let mut engine = Engine::new(evaluation, game.rule(), settings);
        let database = arguments.database.open::<R, B>()?;
        if let Some(database) = &database {
            engine = engine.with_database(database.clone());
        }
        let unlimited = arguments.time.is_none() && arguments.nodes.is_none();
        let depth = if unlimited { DEFAULT_DEPTH } else { MAX_DEPTH };
        let limits = Limits {
            depth: arguments.depth.unwrap_or(depth),
            nodes: arguments.nodes.unwrap_or(u64::MAX),
        };
        let clock = Clock::start();
        let watch = self.talk.watch("analysis", None, "nodes");
        let until = Until { progress: &watch, clock, seconds: arguments.time };
        let columns = [("depth", 0), ("score", 7), ("nodes", 12), ("line", 0)];
        let format = arguments.format.settle();
        let mut table = Table::new(format, &columns)?;
        let mut written = Ok(());
        let mut each = |found: &Found<B>| {
            let row = [
                found.depth.to_string(),
                score_text(found.score),
                found.nodes.to_string(),
                line_text(game, played, found),
            ];
            if written.is_ok() {
                written = table.row(&row);
            }
        };
        let mut generator = arguments.seed.map(|seed| stream(seed, 0));
        let variety = generator.as_mut().map(|generator| Variety { generator });
        let found = engine.search(played, limits, variety, &until, &mut each);
        drop(watch);
        written?;
        if let Some(damage) = database.and_then(|database| database.damage()) {
            return Err(Failure::work(damage));
        }
        let found = found.expect("the game is not over");
        let (seconds, best) = (clock.wall_seconds(), game.write_move(played, found.best));
        let speed = found.nodes as f64 / seconds.max(1e-3) / 1e6;
        self.talk.line(&format!(
            "best move {best}; {} nodes in {seconds:.2} s, {speed:.1} million nodes per second",
            found.nodes
        ));
        Ok(())
    }
}

/// Men with two decimals; `win 13` or `loss 4` with the plies to the end.
fn score_text(score: i32) -> String {
    match (is_mate(score), score > 0) {
        (true, true) => format!("win {}", MATE - score),
        (true, false) => format!("loss {}", MATE + score),
        _ => format!("{:.2}", f64::from(score) / 100.0),
    }
}

fn line_text<R: Rules, B: Board>(
    game: &Adjudicated<R, B>,
    played: &Played<B>,
    found: &Found<B>,
) -> String {
    let mut played = played.clone();
    let texts: Vec<String> = found
        .line
        .iter()
        .map(|mv| {
            let text = game.write_move(&played, *mv);
            game.play(&mut played, *mv);
            text
        })
        .collect();
    texts.join(" ")
}
