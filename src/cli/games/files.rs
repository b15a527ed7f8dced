//! Files of games, read one after another, with what is wrong in them.

use std::fs::File;
use std::io::{self, Read};

use anyhow::{Context, anyhow};
use clap::Args;

use super::super::failure::{Failure, Result};
use super::super::game::GameArguments;
use super::super::talk::Talk;
use crate::game::Progress;
use crate::games::catalog::GameSpec;
use crate::pdn::{Source, TextGame, Warning};

/// The files and how they are read.
#[derive(Args, Debug)]
pub struct FilesArguments {
    /// Files of games in PDN, zstd-compressed or not; - is the standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// The game where a file does not say which: a name that `ludometer games` lists
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// Fail at the first thing that a strict reader would refuse
    #[arg(long)]
    strict: bool,
    /// Warnings to show of each file
    #[arg(long, value_name = "N", default_value_t = 5)]
    warnings: u64,
}

/// Reads files and passes on what is wrong in them.
pub struct Files<'a> {
    arguments: &'a FilesArguments,
    /// The game to fall back on.
    pub asked: Option<GameSpec>,
    talk: &'a Talk,
}

impl FilesArguments {
    /// The files, once the game is settled.
    ///
    /// # Errors
    /// A usage failure for an unknown game or one whose games are not written in PDN.
    pub fn settle<'a>(&'a self, talk: &'a Talk) -> Result<Files<'a>> {
        let asked = match &self.game {
            None => None,
            Some(name) => {
                let game = GameArguments::named(name).settle()?;
                if game.draughts().is_none() {
                    let problem = "only games of checkers and draughts are written in PDN";
                    return Err(Failure::Usage(format!("--game {name}: {problem}")));
                }
                Some(game)
            }
        };
        Ok(Files { arguments: self, asked, talk })
    }
}

impl Files<'_> {
    /// The names of the files.
    pub fn names(&self) -> &[String] {
        &self.arguments.files
    }

    /// Reads the file `name`, hands each of its games to `each`, which pushes warnings, and gives the
    /// number of warnings.
    ///
    /// # Errors
    /// When the file cannot be read, for a warning when reading is strict, when interrupted, and
    /// those of `each`.
    pub fn read(
        &self,
        name: &str,
        mut each: impl FnMut(&Source, TextGame<'_>, &mut Vec<Warning>) -> Result,
    ) -> Result<u64> {
        let source = open(name)?;
        let watch = self.talk.watch(&format!("reading {name}"), None, "games");
        let mut count = 0;
        let mut empty = true;
        for mut game in source.games() {
            empty = false;
            if watch.stopped() {
                return Err(Failure::Stopped(format!(
                    "interrupted in {name}, game {}",
                    game.number
                )));
            }
            watch.advance(1);
            let mut warnings = std::mem::take(&mut game.warnings);
            each(&source, game, &mut warnings)?;
            for warning in warnings {
                if self.arguments.strict {
                    return Err(Failure::Work(anyhow!("{name}: {warning}")));
                }
                if count < self.arguments.warnings {
                    self.talk.line(&format!("warning: {name}: {warning}"));
                }
                count += 1;
            }
        }
        if empty {
            self.talk.line(&format!("warning: {name}: no games"));
        }
        if let hidden @ 1.. = count.saturating_sub(self.arguments.warnings) {
            self.talk.line(&format!("warning: {name}: {hidden} more, see --warnings"));
        }
        Ok(count)
    }
}

/// The text of a file.
fn open(name: &str) -> Result<Source> {
    let read = || -> io::Result<Source> {
        let mut bytes = Vec::new();
        if name == "-" {
            io::stdin().lock().read_to_end(&mut bytes)?;
        } else {
            File::open(name)?.read_to_end(&mut bytes)?;
        }
        Source::unpack(bytes)
    };
    Ok(read().with_context(|| format!("reading '{name}'"))?)
}
