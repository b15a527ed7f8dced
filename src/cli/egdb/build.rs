//! `ludometer egdb build`: solve all positions with few pieces.

use std::path::PathBuf;

use clap::Args;
use indicatif::HumanBytes;

use super::visit;
use crate::cli::failure::{Failure, Result};
use crate::cli::game::GameArguments;
use crate::cli::perft::threads;
use crate::cli::run::all_processors;
use crate::cli::table::{FormatArgument, Table};
use crate::cli::talk::Talk;
use crate::endgame::slices::Slices;
use crate::endgame::{BuildError, Folder, Stage, build, game_name};
use crate::experiment::provenance::{Clock, check_memory, peak_memory_bytes};
use crate::games::catalog::DraughtsVisitor;
use crate::games::draughts::{Board, Draughts, Rules};

/// Solve all positions with up to a number of pieces, one file for each material
///
/// Takes about one byte of memory for each position. Files that are there already are taken as they are,
/// so that a build that was interrupted or killed goes on with the same command, and a database grows
/// by a build with more pieces. One row for each number of pieces, with the time it took.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ludometer egdb build checkers-6 --pieces 4 --dir egdb
  ludometer egdb build draughts-4 --pieces 4 --dir egdb --threads 1 --uncompressed")]
pub(super) struct Build {
    #[command(flatten)]
    game: GameArguments,
    /// Most pieces of a position, both colours together
    #[arg(long, value_name = "K", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(0..=84))]
    pieces: u32,
    /// Folder of the database; made when it is not there
    #[arg(long, value_name = "DIR")]
    dir: PathBuf,
    /// Worker threads; the files do not depend on it [default: all processors]
    #[arg(long, value_name = "T", allow_negative_numbers = true, value_parser = threads)]
    threads: Option<usize>,
    /// Store blocks as they are, for the fastest probes
    #[arg(long)]
    uncompressed: bool,
    #[command(flatten)]
    format: FormatArgument,
}

impl Build {
    pub(super) fn run(&self, talk: &Talk) -> Result {
        visit(&self.game, Work { arguments: self, talk })
    }
}

struct Work<'a> {
    arguments: &'a Build,
    talk: &'a Talk,
}

const COLUMNS: [(&str, usize); 9] = [
    ("game", 0),
    ("pieces", 0),
    ("slices", 0),
    ("slices_found", 0),
    ("positions", 11),
    ("cumulative_positions", 0),
    ("bytes", 11),
    ("seconds", 0),
    ("cpu_seconds", 0),
];

impl DraughtsVisitor for Work<'_> {
    type Output = Result;

    fn visit<R: Rules, B: Board>(self, _game: &Draughts<R, B>) -> Result {
        let Build { pieces, dir, uncompressed, format, .. } = self.arguments;
        let threads = self.arguments.threads.unwrap_or_else(all_processors);
        let slices = Slices::<B>::new(*pieces)
            .map_err(|error| Failure::Usage(format!("--pieces: {error}")))?;
        check_memory("a database", slices.size()).map_err(Failure::work)?;
        drop(slices);
        let game = game_name::<R, B>();
        let (whole, mut clock) = (Clock::start(), Clock::start());
        let mut table = Table::new(format.settle(), &COLUMNS)?;
        let (mut written, mut cumulative) = (Ok(()), 0);
        let mut each = |stage: Stage| {
            cumulative += stage.positions;
            let row = [
                game.clone(),
                stage.pieces.to_string(),
                stage.slices.to_string(),
                stage.found.to_string(),
                stage.positions.to_string(),
                cumulative.to_string(),
                stage.bytes.to_string(),
                clock.wall_seconds().to_string(),
                clock.cpu_seconds().map_or(String::new(), |seconds| seconds.to_string()),
            ];
            clock = Clock::start();
            if written.is_ok() {
                written = table.row(&row);
            }
        };
        let watch = self.talk.watch(&game, None, "positions");
        let folder = Folder { dir, compressed: !uncompressed };
        let built = build::<R, B>(*pieces, Some(folder), threads, &watch, &mut each);
        drop(watch);
        built.map_err(|error| match error {
            BuildError::Stopped => Failure::Stopped(
                "interrupted; finished slices are kept, and the same command goes on".into(),
            ),
            other => Failure::work(other),
        })?;
        written?;
        let cpu = whole.cpu_seconds().map_or(String::new(), |cpu| format!(" ({cpu:.1} s CPU)"));
        let memory = peak_memory_bytes()
            .map_or(String::new(), |bytes| format!("; at most {} of memory", HumanBytes(bytes)));
        self.talk.line(&format!(
            "{game}: {cumulative} positions with up to {pieces} pieces in {:.1} s{cpu}{memory}",
            whole.wall_seconds()
        ));
        Ok(())
    }
}
