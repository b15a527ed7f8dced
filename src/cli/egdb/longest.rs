//! `ludometer egdb longest`: the longest wins, each with best play to the end.

use clap::Args;

use super::{Place, known, visit};
use crate::cli::failure::{Failure, Result};
use crate::cli::table::{FormatArgument, print};
use crate::cli::talk::Talk;
use crate::endgame::best_play::{king_moves_in_a_row, line};
use crate::endgame::game_name;
use crate::endgame::summary::survey;
use crate::game::Notation;
use crate::games::catalog::DraughtsVisitor;
use crate::games::draughts::{Board, Draughts, Rules};
use crate::solve::lines::write_moves;

/// Show the positions that take longest to win, with best play
///
/// For each number of pieces every position, White to move, whose win takes most plies. Where several
/// moves are equally good the line has the first in the order of `ludometer moves`.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ludometer egdb longest checkers-6 --dir egdb
  ludometer egdb longest draughts-6 --dir egdb --pieces 3 --format csv")]
pub(super) struct Longest {
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    format: FormatArgument,
}

impl Longest {
    pub(super) fn run(&self, talk: &Talk) -> Result {
        visit(&self.place.game, Work { arguments: self, talk })
    }
}

const HEADER: [&str; 6] =
    ["game", "pieces", "longest_win_plies", "position", "king_moves_in_a_row", "line"];

struct Work<'a> {
    arguments: &'a Longest,
    talk: &'a Talk,
}

impl DraughtsVisitor for Work<'_> {
    type Output = Result;

    fn visit<R: Rules, B: Board>(self, game: &Draughts<R, B>) -> Result {
        let database = self.arguments.place.open::<R, B>()?;
        let name = game_name::<R, B>();
        let watch = self.talk.watch(&name, Some(database.slices().size()), "positions");
        let mut rows = Vec::new();
        for pieces in 2..=database.slices().pieces() {
            let Some(survey) = survey(&database, pieces, &watch).map_err(Failure::work)? else {
                return Err(Failure::Stopped("interrupted".into()));
            };
            let longest = survey.tally.longest_win().map_or(0, |(plies, _)| plies);
            for position in survey.longest_wins {
                let best = known(&database, line(game, &database, &position))?;
                let moves: Vec<_> = best.iter().map(|choice| choice.mv).collect();
                rows.push(vec![
                    name.clone(),
                    pieces.to_string(),
                    longest.to_string(),
                    game.write_position(&position),
                    king_moves_in_a_row(&position, &best).to_string(),
                    write_moves(game, &position, &moves),
                ]);
            }
        }
        drop(watch);
        print(self.arguments.format.settle(), &HEADER, &rows)?;
        Ok(())
    }
}
