//! `ludometer games`: the games of the catalog.

use clap::Args;

use super::failure::Result;
use super::table::{FormatArgument, print};
use crate::games::catalog::names;

/// List the games, their aliases and their parameters
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ludometer games
  ludometer games --format csv")]
pub struct Games {
    #[command(flatten)]
    format: FormatArgument,
}

impl Games {
    /// Runs the verb.
    ///
    /// # Errors
    /// When stdout does not take it.
    pub fn run(&self) -> Result {
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
