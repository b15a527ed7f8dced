//! `ludometer perfect`: the value of every move of a position.

use std::sync::Arc;

use clap::Args;

use super::database::DatabaseArguments;
use super::failure::{Failure, Result};
use super::game::GameArguments;
use super::solve::begin;
use super::table::{FormatArgument, print};
use super::talk::Talk;
use crate::game::{Notation, Progress};
use crate::games::catalog::{DraughtsVisitor, GameSpec};
use crate::games::draughts::{Board, Draughts, Rules};
use crate::self_play::SharedDatabase;
use crate::solve::{NoDatabase, Pains, Perfect};

/// Judge every move of a position of checkers or draughts as the perfect player does
///
/// One row for each legal move: what it is worth to the side that makes it, as an endgame database
/// tells or a proof, with the plies to the end where the database tells; unknown where a proof takes too
/// long. The perfect player plays matches too: ludometer match draughts-6 perfect depth=8.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ludometer perfect checkers-4
  ludometer perfect draughts-6 --fen W:WK1,K2:BK18
  ludometer perfect checkers-8 --fen W:WK2,K12:BK11 --format csv")]
pub struct JudgeMoves {
    #[command(flatten)]
    game: GameArguments,
    #[command(flatten)]
    database: DatabaseArguments,
    /// Position, in the game's notation [default: the initial position]
    #[arg(long, value_name = "POSITION")]
    fen: Option<String>,
    /// Moves to play first, separated by blanks
    #[arg(long, value_name = "MOVES")]
    play: Option<String>,
    #[command(flatten)]
    format: FormatArgument,
}

impl JudgeMoves {
    /// Runs the verb.
    ///
    /// # Errors
    /// For what is no game of draughts, for an unknown position or move, for a database that cannot be
    /// used, and when interrupted.
    pub fn run(&self, talk: &Talk) -> Result {
        let (fen, play) = (self.fen.as_deref(), self.play.as_deref());
        let judging = Judging { database: &self.database, fen, play, format: self.format, talk };
        judging.of(&self.game.settle()?)
    }
}

/// More than in a game, where nobody waits: some minutes, which an interrupt ends.
const PAINS: Pains =
    Pains { depth_first_nodes: 100_000_000, table_bytes: 256 << 20, ..Pains::DEFAULT };

/// A position whose moves are to be judged.
pub(super) struct Judging<'a> {
    pub(super) database: &'a DatabaseArguments,
    pub(super) fen: Option<&'a str>,
    pub(super) play: Option<&'a str>,
    pub(super) format: FormatArgument,
    pub(super) talk: &'a Talk,
}

impl Judging<'_> {
    /// Prints the moves of a position of `game`.
    pub(super) fn of(self, game: &GameSpec) -> Result {
        game.visit_draughts(self).unwrap_or_else(|| {
            Err(Failure::Usage(format!(
                "{} has no perfect player (allowed: checkers and draughts)",
                game.id()
            )))
        })
    }
}

impl DraughtsVisitor for Judging<'_> {
    type Output = Result;

    fn visit<R: Rules, B: Board>(self, game: &Draughts<R, B>) -> Result {
        let opened = self.database.open::<R, B>()?;
        let database: SharedDatabase<B> = opened.unwrap_or_else(|| Arc::new(NoDatabase));
        let (_, played) = begin(game, self.fen, self.play)?;
        let position = played.position;
        let watch = self.talk.watch("judging", None, "nodes");
        let mut perfect = Perfect::<R, B, _>::new(database.clone(), PAINS);
        let judged = perfect.judge(&position, &watch);
        if let Some(damage) = database.damage() {
            return Err(Failure::work(damage));
        }
        if watch.stopped() {
            return Err(Failure::Stopped("interrupted".into()));
        }
        drop(watch);
        let rows: Vec<Vec<String>> = judged
            .iter()
            .map(|judged| {
                let worth = judged.worth.map_or("unknown".to_owned(), |worth| worth.to_string());
                let plies = judged.plies.map_or(String::new(), |plies| plies.to_string());
                vec![game.write_move(&position, judged.mv), worth, plies]
            })
            .collect();
        print(self.format.settle(), &["move", "value", "plies_to_end"], &rows)?;
        if rows.is_empty() {
            self.talk.line("the side to move has no move: it has lost");
        }
        self.talk.line(&format!("{} nodes of proofs", perfect.nodes()));
        Ok(())
    }
}
