//! `ludometer games check`: whether every game of a file can be replayed.

use clap::Args;

use super::super::failure::Result;
use super::super::table::{FormatArgument, print};
use super::super::talk::Talk;
use super::files::FilesArguments;
use crate::games::catalog::DraughtsVisitor;
use crate::games::draughts::{Board, Draughts, Rules};
use crate::pdn::{Source, TextGame, Warning, replay};

/// Replay every game of files and count games, plies and warnings
///
/// A game is whole when every move of its main line is legal. Games of rules that are not known
/// here are read but not replayed.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ludometer games check games.pdn
  ludometer games check --game checkers-8 --strict old.pdn
  ludometer games check selfplay/*.pdn.zst --warnings 100")]
pub struct Check {
    #[command(flatten)]
    files: FilesArguments,
    #[command(flatten)]
    format: FormatArgument,
}

/// What is counted.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    games: u64,
    whole: u64,
    written: u64,
    plies: u64,
    variation_plies: u64,
    warnings: u64,
}

impl Counts {
    fn row(&self, name: &str) -> Vec<String> {
        let counts =
            [self.games, self.whole, self.written, self.plies, self.variation_plies, self.warnings];
        std::iter::once(name.to_owned()).chain(counts.iter().map(u64::to_string)).collect()
    }

    fn add(&mut self, other: &Counts) {
        self.games += other.games;
        self.whole += other.whole;
        self.written += other.written;
        self.plies += other.plies;
        self.variation_plies += other.variation_plies;
        self.warnings += other.warnings;
    }
}

impl Check {
    /// Runs the verb.
    ///
    /// # Errors
    /// When a file cannot be read, and for a warning when reading is strict.
    pub fn run(&self, talk: &Talk) -> Result {
        let files = self.files.settle(talk)?;
        let mut rows = Vec::new();
        let mut all = Counts::default();
        for name in files.names() {
            let mut counts = Counts::default();
            counts.warnings = files.read(name, |source, text, warnings| {
                counts.games += 1;
                counts.written += text.plies() as u64;
                match text.game(source, files.asked.as_ref()) {
                    Err(warning) => warnings.push(warning),
                    Ok((game, warning)) => {
                        warnings.extend(warning);
                        let play = Play { source, text: &text, warnings, counts: &mut counts };
                        game.visit_draughts(play).expect("PDN holds games of draughts");
                    }
                }
                Ok(())
            })?;
            all.add(&counts);
            rows.push(counts.row(name));
        }
        if rows.len() > 1 {
            rows.push(all.row("all files"));
        }
        let header = [
            "file",
            "games",
            "whole_games",
            "plies_written",
            "plies_replayed",
            "variation_plies_replayed",
            "warnings",
        ];
        Ok(print(self.format.settle(), &header, &rows)?)
    }
}

struct Play<'a> {
    source: &'a Source,
    text: &'a TextGame<'a>,
    warnings: &'a mut Vec<Warning>,
    counts: &'a mut Counts,
}

impl DraughtsVisitor for Play<'_> {
    type Output = ();

    fn visit<R: Rules, B: Board>(self, game: &Draughts<R, B>) {
        match replay(game, self.source, self.text) {
            Err(warning) => self.warnings.push(warning),
            Ok(replay) => {
                self.counts.whole += u64::from(replay.whole);
                self.counts.plies += replay.record.moves.len() as u64;
                self.counts.variation_plies += replay.variation_plies as u64;
                self.warnings.extend(replay.warnings);
            }
        }
    }
}
