//! `ludometer egdb`: endgame databases.

mod build;
mod info;
mod longest;
mod probe;
mod verify;

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::database::open_failed;
use super::failure::{Failure, Result};
use super::game::GameArguments;
use super::talk::Talk;
use crate::endgame::Database;
use crate::engine::Probe;
use crate::games::catalog::{DraughtsVisitor, GameSpec};
use crate::games::draughts::{Board, Rules};

/// Build and ask endgame databases of checkers and draughts
///
/// A database knows for every position with few pieces who wins and in how many plies, without draw
/// rules.
#[derive(Args, Debug)]
pub struct Egdb {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand, Debug)]
enum Verb {
    Build(build::Build),
    Info(info::Info),
    Longest(longest::Longest),
    Probe(probe::ProbePosition),
    Verify(verify::Verify),
}

impl Egdb {
    /// Runs the verb.
    ///
    /// # Errors
    /// For what is no game of draughts, for files that cannot be used, and when interrupted.
    pub fn run(&self, talk: &Talk) -> Result {
        match &self.verb {
            Verb::Build(verb) => verb.run(talk),
            Verb::Info(verb) => verb.run(talk),
            Verb::Longest(verb) => verb.run(talk),
            Verb::Probe(verb) => verb.run(talk),
            Verb::Verify(verb) => verb.run(talk),
        }
    }
}

/// A database that is there.
#[derive(Args, Debug)]
struct Place {
    #[command(flatten)]
    game: GameArguments,
    /// Folder of the database
    #[arg(long, value_name = "DIR")]
    dir: PathBuf,
    /// Positions with up to so many pieces [default: as many as the files have]
    #[arg(long, value_name = "K", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(0..=84))]
    pieces: Option<u32>,
}

impl Place {
    fn open<R: Rules, B: Board>(&self) -> Result<Database<R, B>> {
        Database::open(&self.dir, self.pieces, crate::endgame::DEFAULT_CACHE)
            .map_err(|error| open_failed("--pieces", error))
    }
}

/// Hands the game to `visitor`, or says that it has no such databases.
fn visit<T, V: DraughtsVisitor<Output = Result<T>>>(
    arguments: &GameArguments,
    visitor: V,
) -> Result<T> {
    let game: GameSpec = arguments.settle()?;
    if game.has_draw_rule() {
        return Err(Failure::usage("--draw-rule means nothing here: databases know no history"));
    }
    let id = game.id();
    game.visit_draughts(visitor).unwrap_or_else(|| {
        let allowed = "(allowed: checkers and draughts)";
        Err(Failure::Usage(format!("there are no endgame databases of {id} {allowed}")))
    })
}

/// The pool of a verb with `--threads`.
fn pool(threads: Option<usize>) -> Result<rayon::ThreadPool> {
    let threads = threads.unwrap_or_else(super::run::all_processors);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|error| Failure::work(format!("cannot start {threads} threads: {error}")))
}

/// What was found, or the damage that kept it from being found.
fn known<R: Rules, B: Board, T>(database: &Database<R, B>, found: Option<T>) -> Result<T> {
    found.ok_or_else(|| match database.damage() {
        Some(error) => Failure::work(error),
        None => Failure::work("a successor is not in the database"),
    })
}
