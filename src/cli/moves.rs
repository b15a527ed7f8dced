//! `ludometer moves`: the legal moves of a position.

use clap::Args;

use super::failure::{Failure, Result};
use super::game::GameArguments;
use super::perft::read_position;
use super::table::{FormatArgument, print};
use super::talk::Talk;
use crate::game::{Outcome, Playable};
use crate::games::catalog::Visitor;

/// List the legal moves of a position, in canonical order, each with the position it leads to
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ludometer moves draughts-10
  ludometer moves english --fen B:W11,19,27:B7
  ludometer moves draughts-8 --fen W:W18:B6,7,14,15 --duplicates keep --format csv
  ludometer moves connect-four --play \"4 3 4 3 4 3\"
  ludometer moves othello --play \"d3 c3\"")]
pub struct Moves {
    #[command(flatten)]
    game: GameArguments,
    /// Position, in the game's notation [default: the initial position]
    #[arg(long, value_name = "POSITION")]
    fen: Option<String>,
    /// Moves to play first, separated by blanks
    #[arg(long, value_name = "MOVES")]
    play: Option<String>,
    #[command(flatten)]
    format: FormatArgument,
}

impl Moves {
    /// Runs the verb.
    ///
    /// # Errors
    /// For an unknown game, position or move.
    pub fn run(&self, talk: &Talk) -> Result {
        self.game.settle()?.visit(List { arguments: self, talk })
    }
}

struct List<'a> {
    arguments: &'a Moves,
    talk: &'a Talk,
}

impl Visitor for List<'_> {
    type Output = Result;

    fn visit<G: Playable>(self, game: &G) -> Result {
        let mut position = match &self.arguments.fen {
            None => game.initial(),
            Some(text) => read_position(game, text)?,
        };
        let played = self.arguments.play.as_deref().unwrap_or_default();
        let mut moves = Vec::new();
        for (index, text) in played.split_whitespace().enumerate() {
            if game.mobility(&position, &mut moves) == 0 {
                let result = result(game.outcome(&position));
                let problem = format!("move {} '{text}': the game is over: {result}", index + 1);
                return Err(Failure::Usage(problem));
            }
            let mv = game
                .read_move(&position, text)
                .map_err(|error| Failure::Usage(format!("move {} {error}", index + 1)))?;
            game.play(&mut position, mv);
        }
        game.legal_moves(&position, &mut moves);
        let rows: Vec<Vec<String>> = moves
            .iter()
            .map(|mv| {
                let mut next = position.clone();
                game.play(&mut next, *mv);
                vec![game.write_move(&position, *mv), game.write_position(&next)]
            })
            .collect();
        print(self.arguments.format.settle(), &["move", "position"], &rows)?;
        if moves.is_empty() {
            let result = result(game.outcome(&position));
            let position = game.write_position(&position);
            self.talk.line(&format!("the game is over in {position}: {result}"));
        }
        Ok(())
    }
}

fn result(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::FirstWins => "the first player has won",
        Outcome::SecondWins => "the second player has won",
        Outcome::Draw => "a draw",
    }
}
