//! `ludometer tree-size`: game tree size, game length and results of a game.

use std::path::PathBuf;

use clap::Args;

use super::failure::{Failure, Result};
use super::game::{DuplicatesArgument, GameArguments, PassesArgument};
use super::perft::threads;
use super::run::{RunArguments, print_quantities, run_plan};
use super::table::FormatArgument;
use super::talk::Talk;
use crate::experiment::Finished;
use crate::experiment::measure::states::{
    DEFAULT_DATABASES, DEFAULT_MEMORY, DEFAULT_SCRATCH_LIMIT, Space,
};
use crate::experiment::measure::{Effort, MeasureError};
use crate::experiment::spec::Plan;

/// Estimate the number of games, their length and their results, or count them
///
/// The estimate weights random games by the product of their numbers of moves. Its table shows the
/// value, standard error, confidence interval and the spread of single trials, and how far the
/// interval can be trusted. Checkers and draughts need a --draw-rule that ends every game (a limit
/// on repetitions, on quiet king moves or on plies): without one the tree is infinite.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ludometer tree-size tic-tac-toe
  ludometer tree-size connect-four --columns 5 --rows 4 --games 2000 --trials 12 --seed 7
  ludometer tree-size othello --size 4 --passes plies --exact
  ludometer tree-size draughts-6 --draw-rule fmjd+cap=300 --games 200
  ludometer tree-size tic-tac-toe --out elsewhere/tic-tac-toe")]
pub struct TreeSize {
    #[command(flatten)]
    game: GameArguments,
    /// Random games per trial
    #[arg(long, value_name = "N", default_value_t = 10_000, allow_negative_numbers = true,
          value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "exact")]
    games: u64,
    /// Trials; their spread is shown beside the standard error
    #[arg(long, value_name = "N", default_value_t = 10, allow_negative_numbers = true,
          value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "exact")]
    trials: u64,
    /// Batches per trial, the steps of progress and resumption [default: by the games]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "exact")]
    batches: Option<u64>,
    /// Seed of the random numbers
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true,
          value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64),
          conflicts_with = "exact")]
    seed: u64,
    /// Confidence of the intervals, between 0 and 1
    #[arg(
        long,
        value_name = "P",
        default_value_t = 0.95,
        allow_negative_numbers = true,
        value_parser = parse_confidence,
        conflicts_with = "exact"
    )]
    confidence: f64,
    /// Count every game instead, by dynamic programming
    #[arg(long)]
    exact: bool,
    /// Most positions of one ply that --exact may remember, about 200 bytes each [default: what
    /// three quarters of the free memory hold, at most 100 million]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(1..),
          requires = "exact")]
    max_positions: Option<u64>,
    /// Worker threads; results do not depend on it [default: all processors]
    #[arg(long, value_name = "T", allow_negative_numbers = true, value_parser = threads)]
    threads: Option<usize>,
    /// Keep the results in this folder, as an experiment that can be interrupted and resumed
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Throw away what the folder of --out holds
    #[arg(long, requires = "out")]
    fresh: bool,
    #[command(flatten)]
    format: FormatArgument,
}

fn parse_confidence(text: &str) -> std::result::Result<f64, String> {
    match text.parse() {
        Ok(confidence) if confidence > 0.0 && confidence < 1.0 => Ok(confidence),
        _ => Err("allowed: a number between 0 and 1".into()),
    }
}

impl TreeSize {
    /// Runs the verb.
    ///
    /// # Errors
    /// For what makes no sense, when the work fails, and when interrupted.
    pub fn run(&self, talk: &Talk) -> Result {
        let game = self.game.settle()?;
        let text = self.spec(&game.id());
        let plan = Plan::parse("the command line".as_ref(), &text, false)
            .map_err(|error| Failure::usage(error.to_string()))?;
        let how = RunArguments {
            quick: false,
            threads: self.threads,
            results: PathBuf::new(),
            fresh: self.fresh,
            memory: DEFAULT_MEMORY,
            scratch: None,
            scratch_limit: DEFAULT_SCRATCH_LIMIT,
            egdb: DEFAULT_DATABASES.into(),
        };
        let finished = match &self.out {
            Some(folder) => run_plan(&plan, folder, &how, talk)?,
            None => in_memory(&plan, how.threads(), talk)?,
        };
        print_quantities(&finished, self.format)
    }

    /// The spec that says what the command line says.
    fn spec(&self, id: &str) -> String {
        let what = if self.exact { "counted" } else { "estimated" };
        let mut lines = vec![
            format!("id = '{id}'"),
            format!("title = 'Game tree size of {id}, {what}'"),
            "question = 'How many games are there, how long are they and who wins?'".to_owned(),
            "source = 'the command line'".to_owned(),
        ];
        if self.exact {
            lines.push("measure = 'exact'".to_owned());
            lines.extend(self.max_positions.map(|most| format!("max_positions = {most}")));
        } else {
            lines.push("measure = 'tree-size'".to_owned());
            lines.push(format!("seed = {}", self.seed));
            lines.push(format!("trials = {}", self.trials));
            lines.push(format!("games = {}", self.games));
            lines.extend(self.batches.map(|batches| format!("batches = {batches}")));
            lines.push(format!("confidence = {:?}", self.confidence));
        }
        let game = &self.game;
        lines.push("[[game]]".to_owned());
        lines.push(format!("name = '{}'", game.game));
        let numbers = [
            ("columns", game.columns),
            ("rows", game.rows),
            ("size", game.size),
            ("ply_cap", game.ply_cap),
            ("branching", game.branching),
            ("tree_depth", game.tree_depth),
        ];
        for (key, value) in numbers {
            lines.extend(value.map(|value| format!("{key} = {value}")));
        }
        let passes = game.passes.map(|passes| match passes {
            PassesArgument::Plies => "plies",
            PassesArgument::Skipped => "skipped",
        });
        let duplicates = game.duplicates.map(|duplicates| match duplicates {
            DuplicatesArgument::Drop => "drop",
            DuplicatesArgument::Keep => "keep",
        });
        let words = [
            ("passes", passes),
            ("duplicates", duplicates),
            ("draw_rule", game.draw_rule.as_deref()),
        ];
        for (key, value) in words {
            lines.extend(value.map(|value| format!("{key} = '{value}'")));
        }
        lines.join("\n") + "\n"
    }
}

/// Does the work of `plan` without writing a file.
fn in_memory(plan: &Plan, threads: usize, talk: &Talk) -> Result<Finished> {
    let (total, unit) = plan.units(0);
    let watch = talk.watch(&plan.spec.id, total, unit);
    let mut entries = Vec::new();
    let how = Effort { threads, progress: &watch, space: Space::default(), costs: None };
    let computed = plan.compute(0, how, &mut |entry| {
        entries.push(entry);
        Ok(())
    });
    drop(watch);
    computed.map_err(|error| match error {
        MeasureError::Stopped => Failure::Stopped("interrupted".into()),
        error => Failure::work(error),
    })?;
    let quantities = plan.summarise(&entries).map_err(Failure::work)?;
    Ok(Finished { quantities, was_finished: false })
}
