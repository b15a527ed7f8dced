//! `ludometer egdb longest`: the longest wins, each with best play to the end.

use clap::Args;

use super::{Place, known, visit};
use crate::cli::failure::{Failure, Result};
use crate::cli::table::{FormatArgument, print};
use crate::cli::talk::Talk;
use crate::endgame::best_play::{Choice, line};
use crate::endgame::game_name;
use crate::endgame::summary::{Tally, won_in};
use crate::game::Notation;
use crate::games::catalog::DraughtsVisitor;
use crate::games::draughts::{Board, Draughts, Position, Rules};

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
            let mut longest = 0;
            let mut positions: Vec<Position<B>> = Vec::new();
            for (place, entry) in database.slices().entries().iter().enumerate() {
                if entry.slice().pieces() != pieces {
                    continue;
                }
                if crate::game::Progress::stopped(&watch) {
                    return Err(Failure::Stopped("interrupted".into()));
                }
                let bytes = database.read(place).map_err(Failure::work)?;
                let here = Tally::of(&bytes).longest_win().map_or(0, |(plies, _)| plies);
                if here > longest {
                    longest = here;
                    positions.clear();
                }
                if here == longest && here > 0 {
                    positions.extend(won_in(entry, &bytes, here));
                }
                crate::game::Progress::advance(&watch, entry.size());
            }
            for position in positions {
                let best = known(&database, line(game, &database, &position))?;
                let mut before = position;
                let moves = best.iter().map(|choice| {
                    let text = game.write_move(&before, choice.mv);
                    before = choice.position;
                    text
                });
                let moves: Vec<String> = moves.collect();
                rows.push(vec![
                    name.clone(),
                    pieces.to_string(),
                    longest.to_string(),
                    game.write_position(&position),
                    king_moves(&position, &best).to_string(),
                    moves.join(" "),
                ]);
            }
        }
        drop(watch);
        print(self.arguments.format.settle(), &HEADER, &rows)?;
        Ok(())
    }
}

/// The most quiet king moves that follow one another.
fn king_moves<B: Board>(position: &Position<B>, line: &[Choice<B>]) -> usize {
    use crate::games::draughts::Word;
    let mut before = *position;
    let (mut most, mut now) = (0, 0);
    for choice in line {
        let from = B::Word::bit(u32::from(choice.mv.from));
        let quiet = choice.mv.captured.is_empty();
        let king = !(before.kings(before.side()) & from).is_empty();
        now = if quiet && king { now + 1 } else { 0 };
        most = most.max(now);
        before = choice.position;
    }
    most
}
