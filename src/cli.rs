//! The `ludometer` command: one file per verb.
//!
//! Data goes to stdout (CSV when it is not a terminal), talk to stderr. Exit codes: 0 the work is
//! done (a reader that closes the pipe early has what it wanted), 1 the work failed, 2 what was
//! asked for makes no sense, 130 interrupted. No escape sequence is written to anything but a
//! terminal, and none at all when `NO_COLOR` is set and not empty.

mod analyse;
mod database;
mod deadline;
mod egdb;
mod failure;
mod game;
mod games;
mod hub;
mod match_players;
mod moves;
mod pages;
mod perfect;
mod perft;
mod report;
mod reproduce;
mod run;
mod selfplay;
mod size;
mod solve;
mod ssc;
mod states;
mod table;
mod talk;
mod tree_size;

use std::io::Write;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand};

use failure::{Failure, Result};
use talk::Talk;

/// Measure how complex board games are
#[derive(Parser, Debug)]
#[command(
    name = "ludometer",
    version,
    about,
    max_term_width = 100,
    after_help = "Examples:
  ludometer games
  ludometer perft draughts-8 --depth 5
  ludometer ssc

Exit codes: 0 done, 1 the work failed, 2 usage, 130 interrupted."
)]
struct Cli {
    /// Say nothing but errors
    #[arg(long, short, global = true)]
    quiet: bool,
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand, Debug)]
enum Verb {
    Games(games::Games),
    Perft(perft::Perft),
    Moves(moves::Moves),
    Ssc(ssc::Ssc),
    States(states::States),
    TreeSize(tree_size::TreeSize),
    Analyse(analyse::Analyse),
    Egdb(egdb::Egdb),
    Solve(solve::Solve),
    #[command(name = "perfect")]
    JudgeMoves(perfect::JudgeMoves),
    #[command(name = "selfplay")]
    PlaySelf(selfplay::PlaySelf),
    #[command(name = "match")]
    PlayMatch(match_players::PlayMatch),
    Run(run::RunExperiment),
    Reproduce(reproduce::Reproduce),
    Report(report::WriteReport),
    Completions(pages::Completions),
    Man(pages::Man),
}

impl Verb {
    fn run(&self, talk: &Talk) -> Result {
        match self {
            Verb::Games(verb) => verb.run(talk),
            Verb::Perft(verb) => verb.run(talk),
            Verb::Moves(verb) => verb.run(talk),
            Verb::Ssc(verb) => verb.run(),
            Verb::States(verb) => verb.run(talk),
            Verb::TreeSize(verb) => verb.run(talk),
            Verb::Analyse(verb) => verb.run(talk),
            Verb::Egdb(verb) => verb.run(talk),
            Verb::Solve(verb) => verb.run(talk),
            Verb::JudgeMoves(verb) => verb.run(talk),
            Verb::PlaySelf(verb) => verb.run(talk),
            Verb::PlayMatch(verb) => verb.run(talk),
            Verb::Run(verb) => verb.run(talk),
            Verb::Reproduce(verb) => verb.run(talk),
            Verb::Report(verb) => verb.run(talk),
            Verb::Completions(verb) => verb.run(Cli::command()),
            Verb::Man(verb) => verb.run(Cli::command(), talk),
        }
    }
}

/// Runs the command line of this process and gives its exit code.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return answer(&error),
    };
    let talk = Talk::new(cli.quiet);
    match cli.verb.run(&talk) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

/// Prints help or version; says in one line what is wrong with the command line.
fn answer(error: &clap::Error) -> ExitCode {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            let printed = error.print().and_then(|()| std::io::stdout().flush());
            printed.map_or_else(|error| Failure::from(error).report(), |()| ExitCode::SUCCESS)
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            // Nothing can be done about a closed stderr.
            let _ = error.print();
            ExitCode::from(2)
        }
        _ => {
            let text = error.render().to_string();
            let message = text.split("\nUsage:").next().unwrap_or_default();
            let message = message.split("\nFor more information").next().unwrap_or_default();
            let words: Vec<&str> = message.split_whitespace().collect();
            let message = words.join(" ");
            Failure::Usage(message.trim_start_matches("error: ").to_owned()).report()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
