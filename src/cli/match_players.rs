//! `ludometer match`: two engines against each other.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::database::open_failed;
use super::failure::{Failure, Result};
use super::game::GameArguments;
use super::hub::HubProgram;
use super::perft::threads;
use super::run::all_processors;
use super::table::{FormatArgument, print};
use super::talk::Talk;
use crate::experiment::measure::self_play::default_draw_rule;
use crate::experiment::provenance::{Clock, check_memory};
use crate::game::{Notation, Progress};
use crate::games::catalog::DraughtsVisitor;
use crate::games::draughts::draw::{Adjudicated, DrawRule};
use crate::games::draughts::{Board, Draughts, Rules, Side};
use crate::pdn::{Tag, push_record};
use crate::self_play::{
    BALLOT_PLIES, DatabasePlace, Description, Match, MatchGame, Player, PlayerError, Score,
    SharedDatabase, ballots, elo,
};
use crate::stream::RunError;

/// Play a match between two engines, in pairs of games with colours swapped
///
/// Each pair begins with an opening of its own: two-move ballots, that is one move of each side, without
/// those that lose material at once; after the last ballot comes the first again. An engine is described by
/// how long it thinks (depth=D, nodes=N or time=SECONDS) and, after commas, evaluation=positional or
/// material, egdb=DIR for the folder of an endgame database and pieces=K, table=BYTES, reductions, and weights of positional terms in hundredths of a man: mobility, safe-outpost,
/// weak-outpost, imbalance, centre, hole, trapped-king, runaway (e.g. mobility=5). A program of someone else that speaks the Hub protocol plays 10x10 draughts:
/// hub=COMMAND,time=SECONDS. The perfect player, perfect with egdb=DIR and pieces=K, proves its moves. Intervals are of 95 %, from the spread of pairs.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ludometer match draughts-8 depth=3 depth=1 --games 10
  ludometer match draughts-10 depth=3 depth=3,evaluation=material --games 8 --seed 2
  ludometer match checkers-8 time=0.001 nodes=5000 --games 4 --out match.pdn --threads 1
  ludometer match checkers-6 depth=2 depth=2 --games 4 --no-variety --format csv
  ludometer match draughts-4 perfect depth=4 --games 10 --openings start")]
pub struct PlayMatch {
    #[command(flatten)]
    game: GameArguments,
    /// The first engine
    #[arg(value_name = "A")]
    a: String,
    /// The second engine
    #[arg(value_name = "B")]
    b: String,
    /// Games, an even number [default: two for each ballot]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u64).range(2..=1_000_000))]
    games: Option<u64>,
    /// Seed of the order of openings and of what varies the games
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true,
          value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    seed: u64,
    /// Where games begin
    #[arg(long, value_name = "WHERE", default_value = "ballots")]
    openings: Openings,
    /// Vary nothing: openings in order, engines without random numbers
    #[arg(long, conflicts_with = "seed")]
    no_variety: bool,
    /// Write the games to this new file, as PDN
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Games at a time [default: all processors]
    #[arg(long, value_name = "T", allow_negative_numbers = true, value_parser = threads)]
    threads: Option<usize>,
    #[command(flatten)]
    format: FormatArgument,
}

/// Where games begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Openings {
    /// After two moves, which on small boards may have decided the game already
    Ballots,
    /// In the initial position
    Start,
}

impl PlayMatch {
    /// Runs the verb.
    ///
    /// # Errors
    /// For what describes no engine or is no game of draughts, when a player fails, and when
    /// interrupted.
    pub fn run(&self, talk: &Talk) -> Result {
        let game = self.game.settle()?;
        let read = |name: &str, text: &str| {
            Contestant::parse(text)
                .map_err(|error| Failure::Usage(format!("engine {name}: {error}")))
        };
        let engines = [read("A", &self.a)?, read("B", &self.b)?];
        if game.id() != "draughts-10"
            && let Some(program) = engines.iter().find(|e| matches!(e, Contestant::Program(_)))
        {
            return Err(Failure::Usage(format!(
                "{program}: the Hub protocol has no {} (allowed: draughts-10)",
                game.id()
            )));
        }
        if self.games.is_some_and(|games| games % 2 == 1) {
            return Err(Failure::Usage(format!(
                "--games {}: games come in pairs (allowed: even numbers)",
                self.games.unwrap_or_default()
            )));
        }
        let id = game.id();
        let rule = self.game.draw_rule()?;
        let playing = Playing { arguments: self, talk, id: &id, rule, engines };
        game.visit_draughts(playing).unwrap_or_else(|| {
            Err(Failure::Usage(format!(
                "{id} is not played by the engine (allowed: checkers and draughts)"
            )))
        })
    }
}

struct Playing<'a> {
    arguments: &'a PlayMatch,
    talk: &'a Talk,
    id: &'a str,
    rule: Option<DrawRule>,
    engines: [Contestant; 2],
}

/// Who plays.
#[derive(Clone, Debug, PartialEq)]
enum Contestant {
    Engine(Description),
    Program(HubProgram),
}

impl Contestant {
    fn parse(text: &str) -> std::result::Result<Self, String> {
        match HubProgram::parse(text) {
            Some(program) => program.map(Self::Program),
            None => {
                let engine = Description::parse(text).map_err(|error| error.to_string())?;
                if let Some(bytes) = engine.table_bytes {
                    check_memory("a table", bytes as u64)
                        .map_err(|problem| format!("'{text}': {problem}"))?;
                }
                if engine.pieces.is_some() && engine.egdb.is_none() {
                    return Err(format!("'{text}': says pieces= without egdb="));
                }
                Ok(Self::Engine(engine))
            }
        }
    }

    /// Opens the database that it asks.
    fn open<R: Rules, B: Board>(&self) -> Result<Option<SharedDatabase<B>>> {
        let place = match self {
            Self::Engine(engine) => engine.database(None),
            Self::Program(_) => None,
        };
        let opened = place.as_ref().map(DatabasePlace::open::<R, B>).transpose();
        opened.map_err(|error| open_failed(&format!("'{self}'"), error))
    }

    fn player<R: Rules, B: Board>(
        &self,
        rule: DrawRule,
        database: Option<SharedDatabase<B>>,
    ) -> Box<dyn Player<R, B>> {
        match self {
            Self::Engine(engine) => engine.player(rule, deadline, database),
            Self::Program(program) => program.player(),
        }
    }
}

impl std::fmt::Display for Contestant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Engine(engine) => engine.fmt(f),
            Self::Program(program) => program.fmt(f),
        }
    }
}

/// A clock that says stop when a time has passed.
struct Alarm {
    clock: Clock,
    seconds: f64,
}

impl Progress for Alarm {
    fn advance(&self, _units: u64) {}

    fn stopped(&self) -> bool {
        self.clock.seconds() >= self.seconds
    }
}

/// What to say when the file of `--out` cannot be written.
fn out_failed(path: &Path) -> impl Fn(std::io::Error) -> Failure {
    move |error| Failure::work(format!("--out {}: {error}", path.display()))
}

fn deadline(seconds: f64) -> Box<dyn Progress> {
    Box::new(Alarm { clock: Clock::start(), seconds })
}

impl DraughtsVisitor for Playing<'_> {
    type Output = Result;

    fn visit<R: Rules, B: Board>(self, game: &Draughts<R, B>) -> Result {
        let arguments = self.arguments;
        let rule = self.rule.unwrap_or_else(default_draw_rule::<R>);
        if !rule.ends_every_game() {
            return Err(Failure::Usage(format!("--draw-rule {rule}: games need not end")));
        }
        let game = Adjudicated::<R, B>::new(game.duplicates(), rule);
        let openings = match arguments.openings {
            Openings::Ballots => ballots(&game, BALLOT_PLIES),
            Openings::Start => vec![Vec::new()],
        };
        if openings.is_empty() {
            return Err(Failure::Usage(format!("{} has no ballots", self.id)));
        }
        let pairs = arguments.games.map_or(openings.len() as u64, |games| games / 2);
        let seed = (!arguments.no_variety).then_some(arguments.seed);
        let planned = Match { game, openings, seed };
        let mut out = match &arguments.out {
            None => None,
            Some(path) => {
                // What stands there may be the games of another match.
                let opened = File::create_new(path).map_err(out_failed(path));
                Some(BufWriter::new(opened?))
            }
        };
        let clock = Clock::start();
        let watch = self.talk.watch(&format!("{} match", self.id), Some(2 * pairs), "games");
        let threads = arguments.threads.unwrap_or_else(all_processors);
        let opened = self.engines.iter().map(Contestant::open::<R, B>);
        let databases = opened.collect::<Result<Vec<_>>>()?;
        let players = || {
            let seats = self.engines.iter().zip(&databases);
            seats.map(|(engine, database)| engine.player(rule, database.clone())).collect()
        };
        let (mut score, mut nodes, mut round) = (Score::default(), 0, 0);
        let played = planned.run(0..pairs, threads, players, &watch, |opening, pair| {
            score.add(&pair);
            for game in pair {
                nodes += game.nodes;
                round += 1;
                if let Some(out) = &mut out {
                    let text = self.text(&planned, opening, round, game);
                    out.write_all(text.as_bytes()).map_err(Trouble::File)?;
                }
            }
            Ok(())
        });
        drop(watch);
        let failure = match played {
            Ok(played) if played < pairs && score.games() == 0 => {
                Some(Failure::Stopped("interrupted before the first pair was over".into()))
            }
            Ok(_) => None,
            Err(RunError::Sink(Trouble::Player(error))) => Some(Failure::work(error)),
            Err(RunError::Sink(Trouble::File(error))) => {
                Some(out_failed(arguments.out.as_deref().unwrap_or(Path::new("")))(error))
            }
            Err(error) => Some(Failure::work(error.to_string())),
        };
        if let (Some(mut out), Some(path)) = (out, &arguments.out) {
            let flushed = out.flush();
            if score.games() == 0 {
                // A file without games would only be in the way of the next try.
                let _ = std::fs::remove_file(path);
            }
            if failure.is_none() {
                flushed.map_err(out_failed(path))?;
            }
        }
        // What was played is told even where the match could not go on.
        if score.games() > 0 {
            self.print(&score)?;
        }
        if let Some(failure) = failure {
            return Err(failure);
        }
        let cpu = clock.cpu_seconds().unwrap_or(0.0);
        self.talk.line(&format!(
            "{}: {} pairs of {} ballots, {nodes} nodes, {cpu:.1} s CPU",
            self.id,
            score.games() / 2,
            planned.openings.len()
        ));
        if score.games() < 2 * pairs {
            return Err(Failure::Stopped(format!(
                "interrupted after {} of {} games",
                score.games(),
                2 * pairs
            )));
        }
        Ok(())
    }
}

enum Trouble {
    Player(PlayerError),
    File(std::io::Error),
}

impl std::fmt::Display for Trouble {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Player(error) => error.fmt(f),
            Self::File(error) => error.fmt(f),
        }
    }
}

impl From<PlayerError> for Trouble {
    fn from(error: PlayerError) -> Self {
        Self::Player(error)
    }
}

impl Playing<'_> {
    fn text<R: Rules, B: Board>(
        &self,
        planned: &Match<R, B>,
        opening: usize,
        round: u64,
        game: MatchGame<B>,
    ) -> String {
        let [a, b] = self.engines.each_ref().map(Contestant::to_string);
        let (white, black) = if game.colour_of_a == Side::White { (a, b) } else { (b, a) };
        let mut played = crate::game::Game::initial(&planned.game);
        let moves: Vec<String> = planned.openings[opening]
            .iter()
            .map(|mv| {
                let text = planned.game.write_move(&played, *mv);
                crate::game::Game::play(&planned.game, &mut played, *mv);
                text
            })
            .collect();
        let mut record = game.record;
        record.tags = vec![
            Tag::new("Event", format!("{} match", self.id)),
            Tag::new("Round", round),
            Tag::new("White", white),
            Tag::new("Black", black),
            Tag::new("Opening", moves.join(" ")),
            Tag::new("DrawRule", planned.game.rule()),
        ];
        let mut text = String::new();
        push_record(planned.game.rules(), &record, &mut text);
        text
    }

    /// One row for each player.
    fn print(&self, score: &Score) -> Result {
        let header = [
            "player",
            "engine",
            "games",
            "wins",
            "draws",
            "losses",
            "score_percent",
            "score_low",
            "score_high",
            "elo",
            "elo_low",
            "elo_high",
        ];
        let row = |(name, engine, score): (&str, &Contestant, Score)| {
            let mut row = vec![name.to_owned(), engine.to_string()];
            row.extend(
                [score.games(), score.wins, score.draws, score.losses].map(|n| n.to_string()),
            );
            let share = score.share();
            let (low, high) = (score.interval().map(|i| i.0), score.interval().map(|i| i.1));
            for value in [share, low, high] {
                row.push(value.map_or(String::new(), |share| format!("{:.1}", 100.0 * share)));
            }
            for value in [share, low, high] {
                let points = value.map(elo).filter(|points| points.is_finite());
                row.push(points.map_or(String::new(), |points| format!("{points:.0}")));
            }
            row
        };
        let [a, b] = &self.engines;
        let rows = [("A", a, *score), ("B", b, score.reversed())].map(row);
        print(self.arguments.format.settle(), &header, &rows)?;
        Ok(())
    }
}
