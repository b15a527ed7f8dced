//! `ludometer perft`: the number of paths of each depth.

use clap::{Args, ValueEnum};

use super::failure::{Failure, Result};
use super::game::GameArguments;
use super::size;
use super::table::{Format, FormatArgument, Table, print};
use super::talk::Talk;
use crate::experiment::provenance::Clock;
use crate::game::{Finished, NotationError, Perft as How, PerftError, Playable, divide};
use crate::games::catalog::Visitor;

/// Count the paths of 1, 2, .. plies from a position
///
/// A multi-capture is one ply; draw rules are ignored unless asked for. A game that is over before
/// the full depth counts as nothing, as in the tables of draughts; in Othello, whose tables count
/// it, as one.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ludometer perft draughts-10 --depth 6
  ludometer perft english --depth 8 --duplicates keep --threads 2
  ludometer perft brazilian --depth 4 --divide --format csv
  ludometer perft draughts-10 --fen W:WK46:BK5,15,20 --depth 5
  ludometer perft othello --depth 7 --finished count
  ludometer perft othello --size 6 --depth 6 --table 16MiB")]
pub struct Perft {
    #[command(flatten)]
    game: GameArguments,
    /// Deepest ply to count
    #[arg(long, value_name = "D", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(0..=1000))]
    depth: u32,
    /// Position to start from, in the game's notation [default: the initial position]
    #[arg(long, value_name = "POSITION")]
    fen: Option<String>,
    /// Count below each legal move, at depth D only
    #[arg(long)]
    divide: bool,
    /// What games contribute that are over before depth D [default: as the game's published tables]
    #[arg(long, value_name = "HOW")]
    finished: Option<FinishedArgument>,
    /// Worker threads
    #[arg(long, value_name = "T", default_value_t = 1, allow_negative_numbers = true,
          value_parser = threads)]
    threads: usize,
    /// Remember counts of positions, per thread: a number of entries or a size like 64MiB
    #[arg(long, value_name = "SIZE", value_parser = parse_table)]
    table: Option<TableSize>,
    #[command(flatten)]
    format: FormatArgument,
}

/// What finished games contribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FinishedArgument {
    /// Nothing
    Drop,
    /// One each
    Count,
}

/// The size of the table of remembered positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TableSize {
    Entries(usize),
    Bytes(usize),
}

/// Reads a number of worker threads.
pub(super) fn threads(text: &str) -> std::result::Result<usize, String> {
    match text.parse() {
        Ok(threads @ 1..=1024) => Ok(threads),
        _ => Err("allowed: 1 to 1024".into()),
    }
}

fn parse_table(text: &str) -> std::result::Result<TableSize, String> {
    let wrong = |_| "allowed: a number of entries, or a number with KiB, MiB or GiB".to_owned();
    if let Ok(entries) = text.parse() {
        return Ok(TableSize::Entries(entries));
    }
    let bytes = usize::try_from(size::bytes(text).map_err(wrong)?);
    bytes.map(TableSize::Bytes).map_err(|error| error.to_string())
}

impl Perft {
    /// Runs the verb.
    ///
    /// # Errors
    /// For an unknown game or position, and when interrupted.
    pub fn run(&self, talk: &Talk) -> Result {
        if self.divide && self.depth == 0 {
            return Err(Failure::Usage("--divide needs a --depth of at least 1, not 0".into()));
        }
        let game = self.game.settle()?;
        let finished = match self.finished {
            None => game.finished(),
            Some(FinishedArgument::Drop) => Finished::Drop,
            Some(FinishedArgument::Count) => Finished::Count,
        };
        game.visit(Count { arguments: self, finished, talk })
    }
}

struct Count<'a> {
    arguments: &'a Perft,
    finished: Finished,
    talk: &'a Talk,
}

impl Visitor for Count<'_> {
    type Output = Result;

    fn visit<G: Playable>(self, game: &G) -> Result {
        let arguments = self.arguments;
        let position = match &arguments.fen {
            None => game.initial(),
            Some(text) => read_position(game, text)?,
        };
        // A hash table of the standard library is at most 7/8 full and keeps one byte per slot.
        let entry = (std::mem::size_of::<(G::Position, u32, u64)>() + 1) * 8 / 7;
        let table_entries = match arguments.table {
            None => 0,
            Some(TableSize::Entries(entries)) => entries,
            Some(TableSize::Bytes(bytes)) => bytes / entry,
        };
        let how = How { finished: self.finished, threads: arguments.threads, table_entries };
        let format = arguments.format.settle();
        if arguments.divide {
            self.divide(game, &position, how, format)
        } else {
            self.depths(game, &position, how, format)
        }
    }
}

impl Count<'_> {
    fn depths<G: Playable>(
        &self,
        game: &G,
        position: &G::Position,
        how: How,
        format: Format,
    ) -> Result {
        let mut table = Table::new(format, &[("depth", 0), ("nodes", 20)])?;
        if self.arguments.depth == 0 {
            table.row(&["0", "1"])?;
        }
        for depth in 1..=self.arguments.depth {
            let counts = self.count(game, position, depth, how)?;
            let nodes = sum(&counts, depth)?;
            table.row(&[depth.to_string(), nodes.to_string()])?;
        }
        Ok(())
    }

    fn divide<G: Playable>(
        &self,
        game: &G,
        position: &G::Position,
        how: How,
        format: Format,
    ) -> Result {
        let counts = self.count(game, position, self.arguments.depth, how)?;
        let nodes = sum(&counts, self.arguments.depth)?;
        let rows: Vec<Vec<String>> = counts
            .iter()
            .map(|(mv, nodes)| vec![game.write_move(position, *mv), nodes.to_string()])
            .collect();
        print(format, &["move", "nodes"], &rows)?;
        self.talk.line(&format!("{} moves, {nodes} nodes", rows.len()));
        Ok(())
    }

    fn count<G: Playable>(
        &self,
        game: &G,
        position: &G::Position,
        depth: u32,
        how: How,
    ) -> Result<Vec<(G::Move, u64)>> {
        let clock = Clock::start();
        let watch = self.talk.watch(&format!("depth {depth}"), None, "subtrees");
        let counts = divide(game, position, depth, how, &watch).map_err(|error| match error {
            PerftError::Stopped => Failure::Stopped(format!("interrupted at depth {depth}")),
            PerftError::Overflow => Failure::work(format!("depth {depth}: {error}")),
            PerftError::Threads { .. } => Failure::work(error),
        })?;
        drop(watch);
        let (seconds, nodes) = (clock.wall_seconds(), sum(&counts, depth)?);
        if seconds >= 0.1 {
            let speed = nodes as f64 / seconds / 1e6;
            let line =
                format!("depth {depth}: {seconds:.1} s, {speed:.1} million nodes per second");
            self.talk.line(&line);
        }
        Ok(counts)
    }
}

fn sum<M>(counts: &[(M, u64)], depth: u32) -> Result<u64> {
    counts
        .iter()
        .try_fold(0u64, |sum, (_, nodes)| sum.checked_add(*nodes))
        .ok_or_else(|| Failure::work(format!("depth {depth}: {}", PerftError::Overflow)))
}

/// Reads a position, or fails as usage.
pub(super) fn read_position<G: Playable>(game: &G, text: &str) -> Result<G::Position> {
    game.read_position(text).map_err(|mut error: NotationError| {
        let syntax = game.position_syntax();
        if error.allowed == syntax {
            error.allowed.clear();
        }
        Failure::Usage(format!("position {error}; expected: {syntax}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_sizes_are_entries_or_binary_units() {
        assert_eq!(parse_table("1000"), Ok(TableSize::Entries(1000)));
        assert_eq!(parse_table("2MiB"), Ok(TableSize::Bytes(2 << 20)));
        for wrong in ["", "MiB", "-1", "2MB", "99999999999GiB"] {
            assert!(parse_table(wrong).is_err(), "{wrong}");
        }
    }
}
