//! `ludometer egdb probe`: the value of a position and of its moves.

use clap::Args;

use super::info::value_fields;
use super::{Place, known, visit};
use crate::cli::failure::{Failure, Result};
use crate::cli::perft::read_position;
use crate::cli::table::{FormatArgument, print};
use crate::cli::talk::Talk;
use crate::endgame::best_play::{Choice, choices, line};
use crate::engine::Value;
use crate::game::Notation;
use crate::games::catalog::DraughtsVisitor;
use crate::games::draughts::{Board, Draughts, Position, Rules};

/// Look up the value of a position and of its moves
///
/// Values are for the side that moves, with the plies to the end of the game. One row for each move,
/// the best first; with --line, one for each move of best play to the end.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ludometer egdb probe checkers-6 --dir egdb --fen W:WK16:BK3,4
  ludometer egdb probe checkers-6 --dir egdb --fen W:WK16,K17:BK3 --line")]
pub(super) struct ProbePosition {
    #[command(flatten)]
    place: Place,
    /// Position, in the game's notation
    #[arg(long, value_name = "POSITION")]
    fen: String,
    /// Show best play to the end instead of the moves
    #[arg(long)]
    line: bool,
    #[command(flatten)]
    format: FormatArgument,
}

impl ProbePosition {
    pub(super) fn run(&self, talk: &Talk) -> Result {
        visit(&self.place.game, Work { arguments: self, talk })
    }
}

struct Work<'a> {
    arguments: &'a ProbePosition,
    talk: &'a Talk,
}

impl DraughtsVisitor for Work<'_> {
    type Output = Result;

    fn visit<R: Rules, B: Board>(self, game: &Draughts<R, B>) -> Result {
        let position = read_position(game, &self.arguments.fen)?;
        let database = self.arguments.place.open::<R, B>()?;
        let text = game.write_position(&position);
        let Some(value) = database.value(&position).map_err(Failure::work)? else {
            return Err(Failure::Usage(format!(
                "{text} is not in the database: it knows positions with up to {} pieces, {} of a \
                 colour",
                database.slices().pieces(),
                crate::endgame::slices::most_pieces::<B>() / 2
            )));
        };
        let moves = known(&database, choices(game, &database, &position))?;
        let best = known(&database, line(game, &database, &position))?;
        let format = self.arguments.format.settle();
        if self.arguments.line {
            let mut before = position;
            let rows = best.iter().enumerate().map(|(ply, choice)| {
                let mut row = vec![(ply + 1).to_string()];
                row.extend(fields(game, &before, choice));
                before = choice.position;
                row
            });
            let rows: Vec<_> = rows.collect();
            print(format, &["ply", "move", "value", "plies", "position"], &rows)?;
        } else {
            let rows: Vec<_> = moves.iter().map(|choice| fields(game, &position, choice)).collect();
            print(format, &["move", "value", "plies", "position"], &rows)?;
        }
        self.talk.line(&format!("{text}: {}", value_text(value)));
        if !best.is_empty() {
            let mut before = position;
            let moves = best.iter().map(|choice| {
                let text = game.write_move(&before, choice.mv);
                before = choice.position;
                text
            });
            let moves: Vec<String> = moves.collect();
            self.talk.line(&format!("best play: {}", moves.join(" ")));
        }
        Ok(())
    }
}

fn fields<R: Rules, B: Board>(
    game: &Draughts<R, B>,
    before: &Position<B>,
    choice: &Choice<B>,
) -> Vec<String> {
    let (value, plies) = value_fields(choice.value);
    let mv = game.write_move(before, choice.mv);
    vec![mv, value.to_owned(), plies, game.write_position(&choice.position)]
}

fn value_text(value: Value) -> String {
    match value {
        Value::Win(plies) => format!("win in {plies} plies"),
        Value::Draw => "draw".to_owned(),
        Value::Loss(plies) => format!("loss in {plies} plies"),
    }
}
