//! `ludometer egdb info`: how many positions are won, drawn and lost.

use clap::{Args, ValueEnum};

use super::{Place, visit};
use crate::cli::failure::{Failure, Result};
use crate::cli::table::{FormatArgument, print};
use crate::cli::talk::Talk;
use crate::endgame::game_name;
use crate::endgame::summary::{Tally, tallies};
use crate::engine::Value;
use crate::games::catalog::DraughtsVisitor;
use crate::games::draughts::{Board, Draughts, Rules};
use crate::state_space::formula::Slice;

/// Count the positions that are won, drawn and lost
///
/// The side to move is White: positions with Black to move are these seen from the other side of the
/// board. Every block is read and its checksum compared.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ludometer egdb info checkers-6 --dir egdb
  ludometer egdb info checkers-6 --dir egdb --pieces 3 --by slices
  ludometer egdb info checkers-6 --dir egdb --by plies --format csv")]
pub(super) struct Info {
    #[command(flatten)]
    place: Place,
    /// Split the counts
    #[arg(long, value_name = "PART", default_value = "pieces")]
    by: Part,
    #[command(flatten)]
    format: FormatArgument,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Part {
    /// By the number of pieces
    Pieces,
    /// By the numbers of men and kings of each colour
    Slices,
    /// By the number of pieces and the plies to the end
    Plies,
}

impl Info {
    pub(super) fn run(&self, talk: &Talk) -> Result {
        visit(&self.place.game, Work { arguments: self, talk })
    }
}

struct Work<'a> {
    arguments: &'a Info,
    talk: &'a Talk,
}

impl DraughtsVisitor for Work<'_> {
    type Output = Result;

    fn visit<R: Rules, B: Board>(self, _game: &Draughts<R, B>) -> Result {
        let database = self.arguments.place.open::<R, B>()?;
        let game = game_name::<R, B>();
        let mut counts: Vec<(Slice, Tally)> = Vec::new();
        let watch = self.talk.watch(&game, Some(database.slices().size()), "positions");
        for (place, entry) in database.slices().entries().iter().enumerate() {
            let bytes = database.read(place).map_err(Failure::work)?;
            counts.extend(tallies(entry, &bytes));
            crate::game::Progress::advance(&watch, entry.size());
            if crate::game::Progress::stopped(&watch) {
                return Err(Failure::Stopped("interrupted".into()));
            }
        }
        drop(watch);
        counts.sort_by_key(|(slice, _)| (slice.pieces(), *slice));
        let format = self.arguments.format.settle();
        match self.arguments.by {
            Part::Pieces => {
                let rows = by_pieces(&counts).into_iter().scan(0, |cumulative, (pieces, tally)| {
                    *cumulative += tally.positions();
                    let mut row = vec![game.clone(), pieces.to_string()];
                    row.extend(fields(&tally));
                    row.insert(6, cumulative.to_string());
                    Some(row)
                });
                let mut header = vec!["game", "pieces"];
                header.extend(FIELDS);
                header.insert(6, "cumulative_positions");
                print(format, &header, &rows.collect::<Vec<_>>())?;
            }
            Part::Slices => {
                let rows = counts.iter().map(|(slice, tally)| {
                    let Slice { black_men, black_kings, white_men, white_kings } = slice;
                    let counts = [white_men, white_kings, black_men, black_kings];
                    let mut row = vec![game.clone()];
                    row.extend(counts.map(|count| count.to_string()));
                    row.extend(fields(tally));
                    row
                });
                let mut header =
                    vec!["game", "white_men", "white_kings", "black_men", "black_kings"];
                header.extend(FIELDS);
                print(format, &header, &rows.collect::<Vec<_>>())?;
            }
            Part::Plies => {
                let mut rows = Vec::new();
                for (pieces, tally) in by_pieces(&counts) {
                    for (value, positions) in tally.values() {
                        let (name, plies) = value_fields(value);
                        let positions = positions.to_string();
                        let pieces = pieces.to_string();
                        rows.push(vec![game.clone(), pieces, name.into(), plies, positions]);
                    }
                }
                print(format, &["game", "pieces", "value", "plies", "positions"], &rows)?;
            }
        }
        self.talk.line(&format!("{game}: {} bytes in files", database.length()));
        Ok(())
    }
}

fn by_pieces(counts: &[(Slice, Tally)]) -> Vec<(u32, Tally)> {
    let groups = counts.chunk_by(|a, b| a.0.pieces() == b.0.pieces());
    let sum = |group: &[(Slice, Tally)]| {
        let mut sum = Tally::default();
        group.iter().for_each(|(_, tally)| sum.add(tally));
        (group[0].0.pieces(), sum)
    };
    groups.map(sum).collect()
}

const FIELDS: [&str; 6] =
    ["wins", "draws", "losses", "positions", "longest_win_plies", "positions_with_longest_win"];

fn fields(tally: &Tally) -> Vec<String> {
    let mut fields: Vec<String> = [tally.wins(), tally.draws(), tally.losses(), tally.positions()]
        .map(|n| n.to_string())
        .into();
    let longest = tally.longest_win();
    fields.push(longest.map_or(String::new(), |(plies, _)| plies.to_string()));
    fields.push(longest.map_or(String::new(), |(_, positions)| positions.to_string()));
    fields
}

/// `win`, `draw` or `loss`, and the plies to the end; a draw has none.
pub(super) fn value_fields(value: Value) -> (&'static str, String) {
    (value.name(), value.plies().map_or(String::new(), |plies| plies.to_string()))
}
