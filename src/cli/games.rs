//! `ludometer games`: what can be measured, and collections of games of draughts.

mod check;
mod convert;
mod files;
mod stats;

use clap::{Args, Subcommand};

use super::failure::Result;
use super::table::{FormatArgument, print};
use super::talk::Talk;
use crate::games::catalog::names;

/// List the games, their aliases and their parameters; measure and check files of games (PDN)
#[derive(Args, Debug)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:
  ludometer games
  ludometer games --format csv
  ludometer games stats human/*.pdn
  ludometer games check games.pdn"
)]
pub struct Games {
    #[command(subcommand)]
    verb: Option<Verb>,
    #[command(flatten)]
    format: FormatArgument,
}

#[derive(Subcommand, Debug)]
enum Verb {
    Stats(stats::Stats),
    Check(check::Check),
    Convert(convert::Convert),
}

impl Games {
    /// Runs the verb.
    ///
    /// # Errors
    /// When stdout does not take it, and those of the verb below.
    pub fn run(&self, talk: &Talk) -> Result {
        match &self.verb {
            None => self.list(),
            Some(Verb::Stats(verb)) => verb.run(talk),
            Some(Verb::Check(verb)) => verb.run(talk),
            Some(Verb::Convert(verb)) => verb.run(talk),
        }
    }

    fn list(&self) -> Result {
        let rows: Vec<Vec<String>> = names()
            .iter()
            .map(|entry| {
                let flags: Vec<String> =
                    entry.parameters.iter().map(|p| format!("--{}", p.flag())).collect();
                vec![
                    entry.name.to_owned(),
                    entry.aliases.join(" "),
                    flags.join(" "),
                    entry.description.to_owned(),
                ]
            })
            .collect();
        let header = ["name", "aliases", "parameters", "description"];
        Ok(print(self.format.settle(), &header, &rows)?)
    }
}
