//! `ludometer egdb verify`: whether every value is what the moves say.

use std::collections::BTreeMap;

use clap::Args;

use super::{Place, pool, visit};
use crate::cli::failure::{Failure, Result};
use crate::cli::perft::threads;
use crate::cli::table::{FormatArgument, print};
use crate::cli::talk::Talk;
use crate::endgame::known::known;
use crate::endgame::summary::Tally;
use crate::endgame::{VerifyError, game_name, verify};
use crate::experiment::provenance::Clock;
use crate::games::catalog::DraughtsVisitor;
use crate::games::draughts::{Board, Draughts, Rules};

/// Check every position of a database against its successors
///
/// The checksum of every block is compared; then the value of every position must be the minimax of the
/// values of the positions that its legal moves lead to, won in an odd and lost in an even number of
/// plies. The counts of wins, draws and losses must be those that other programs have found, where
/// some have (`known_counts`). Takes about one byte of memory for each position.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ludometer egdb verify checkers-6 --dir egdb --threads 2")]
pub(super) struct Verify {
    #[command(flatten)]
    place: Place,
    /// Worker threads [default: all processors]
    #[arg(long, value_name = "T", allow_negative_numbers = true, value_parser = threads)]
    threads: Option<usize>,
    #[command(flatten)]
    format: FormatArgument,
}

impl Verify {
    pub(super) fn run(&self, talk: &Talk) -> Result {
        visit(&self.place.game, Work { arguments: self, talk })
    }
}

const HEADER: [&str; 8] =
    ["game", "pieces", "slices", "positions_verified", "wins", "draws", "losses", "known_counts"];

struct Work<'a> {
    arguments: &'a Verify,
    talk: &'a Talk,
}

impl DraughtsVisitor for Work<'_> {
    type Output = Result;

    fn visit<R: Rules, B: Board>(self, _game: &Draughts<R, B>) -> Result {
        let clock = Clock::start();
        let game = game_name::<R, B>();
        let database = self.arguments.place.open::<R, B>()?;
        let pool = pool(self.arguments.threads)?;
        let tables = pool.install(|| database.load()).map_err(Failure::work)?;
        drop(database);
        let watch = self.talk.watch(&game, None, "positions");
        let verified = pool.install(|| verify(&tables, &watch));
        drop(watch);
        let positions = verified.map_err(|error| match error {
            VerifyError::Stopped => Failure::Stopped("interrupted".into()),
            wrong => Failure::work(wrong),
        })?;
        let mut counts: BTreeMap<u32, (usize, Tally)> = BTreeMap::new();
        for (place, entry) in tables.slices().entries().iter().enumerate() {
            let (slices, sum) = counts.entry(entry.slice().pieces()).or_default();
            *slices += 1;
            sum.add(&Tally::of(&tables.copy(place)));
        }
        let mut rows = Vec::new();
        for (pieces, (slices, tally)) in &counts {
            let found = [tally.wins(), tally.draws(), tally.losses()];
            let known = known(&game, *pieces);
            if let Some(known) = known.filter(|known| *known != found) {
                return Err(Failure::work(format!(
                    "{game} with {pieces} pieces has {found:?} wins, draws and losses; known are \
                     {known:?}"
                )));
            }
            let mut row = vec![game.clone(), pieces.to_string(), slices.to_string()];
            row.push(tally.positions().to_string());
            row.extend(found.map(|count| count.to_string()));
            row.push(if known.is_some() { "equal".to_owned() } else { String::new() });
            rows.push(row);
        }
        print(self.arguments.format.settle(), &HEADER, &rows)?;
        let cpu = clock.cpu_seconds().map_or(String::new(), |cpu| format!(" ({cpu:.1} s CPU)"));
        self.talk
            .line(&format!("{positions} positions verified in {:.1} s{cpu}", clock.wall_seconds()));
        Ok(())
    }
}
