//! `ludometer tree-size`: game tree size, game length and results of a game.

mod pilot;

use std::path::PathBuf;

use clap::Args;

use super::failure::{Failure, Result};
use super::game::{DuplicatesArgument, GameArguments, PassesArgument};
use super::perft::threads;
use super::run::{RunArguments, print_quantities, run_plan};
use super::table::FormatArgument;
use super::talk::Talk;
use crate::experiment::measure::states::{
    DEFAULT_DATABASES, DEFAULT_MEMORY, DEFAULT_SCRATCH_LIMIT, Space,
};
use crate::experiment::measure::{Effort, MeasureError};
use crate::experiment::spec::Plan;
use crate::experiment::{Done, Finished};
use crate::tree_size::{DEFAULT_THRESHOLD, Method};

/// Estimate the number of games, their length and their results, or count them
///
/// The estimate weights random games by the product of their numbers of moves. Its table shows the
/// value, standard error, confidence interval and the spread of single trials, and how far the
/// interval can be trusted. Other methods than uniform need less time for the same error; they make
/// independent replicates instead of trials, for the same table with three kinds of interval. Checkers and draughts need a --draw-rule that ends every game (a limit
/// on repetitions, on quiet king moves or on plies): without one the tree is infinite.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ludometer tree-size tic-tac-toe
  ludometer tree-size connect-four --columns 5 --rows 4 --games 2000 --trials 12 --seed 7
  ludometer tree-size othello --size 4 --passes plies --exact
  ludometer tree-size othello --method smc --particles 4096 --replicates 200
  ludometer tree-size connect-four --method auto
  ludometer tree-size connect-four --method sensible-smc --margin 0.2 --look-ahead 1
  ludometer tree-size draughts-6 --draw-rule fmjd+cap=300 --games 200
  ludometer tree-size tic-tac-toe --out elsewhere/tic-tac-toe")]
pub struct TreeSize {
    #[command(flatten)]
    game: GameArguments,
    /// How games are sampled: uniform; leaf-rao-blackwell (moves that end the game are counted, not
    /// drawn); smc (sequential Monte Carlo); twisted-smc (that, with particles weighted by what their
    /// kind has ahead: checkers and draughts); stratified; policy (good moves are likelier);
    /// sensible-smc (games of good moves alone); or auto: what a pilot run finds fastest for the same
    /// error [default: uniform]
    #[arg(long, value_name = "M", value_parser = parse_choice, conflicts_with = "exact")]
    method: Option<Choice>,
    /// Random games per trial or replicate [default: 10000]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "exact")]
    games: Option<u64>,
    /// Trials of uniform walks; their spread is shown beside the standard error [default: 10]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "exact")]
    trials: Option<u64>,
    /// Replicates: independent estimates [default: 100, for uniform trials instead]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "exact")]
    replicates: Option<u64>,
    /// Particles of a population of smc [default: 4096]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "exact")]
    particles: Option<u64>,
    /// Share of its particles under which an effective sample makes a population of smc resample,
    /// from 0 to 1 [default: 0.9]
    #[arg(long, value_name = "T", allow_negative_numbers = true, conflicts_with = "exact")]
    threshold: Option<f64>,
    /// Populations of twisted-smc that learn before the first replicate [default: 4]
    #[arg(long, value_name = "N", allow_negative_numbers = true, conflicts_with = "exact")]
    pilots: Option<u32>,
    /// Plies of the enumerated prefix of stratified [default: 4]
    #[arg(long, value_name = "P", allow_negative_numbers = true, conflicts_with = "exact")]
    prefix: Option<u32>,
    /// How little it matters to policy how good a move is: 0.5 or more, with a margin a quarter of it or
    /// more [default: 1]
    #[arg(long, value_name = "T", allow_negative_numbers = true, conflicts_with = "exact")]
    temperature: Option<f64>,
    /// Plies of the search by which policy and sensible-smc judge a move; 0 for the static
    /// evaluation [default: 0]
    #[arg(long, value_name = "P", allow_negative_numbers = true, conflicts_with = "exact")]
    look_ahead: Option<u32>,
    /// How much less than the best a move may be worth, from 0 to 2 (a win less a loss): counts
    /// sensible games only [default: none for policy, 0.1 for sensible-smc]
    #[arg(long, value_name = "V", allow_negative_numbers = true, conflicts_with = "exact")]
    margin: Option<f64>,
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

/// A method, or the wish to have one chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Choice {
    Named(Method),
    Auto,
}

fn parse_choice(text: &str) -> std::result::Result<Choice, String> {
    match text {
        "auto" => Ok(Choice::Auto),
        _ => text
            .parse()
            .map(Choice::Named)
            .map_err(|_| format!("allowed: {}, auto", Method::names())),
    }
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
        let method = match self.method {
            None => None,
            Some(Choice::Named(method)) => Some(method),
            Some(Choice::Auto) => {
                // What makes no sense is refused before the pilot goes to work.
                self.check_auto()?;
                self.plan(&game.id(), Some(Method::LeafRaoBlackwell))?;
                self.plan(&game.id(), Some(Method::Smc { threshold: DEFAULT_THRESHOLD }))?;
                Some(pilot::choose(&game, self.seed, talk)?)
            }
        };
        let plan = self.plan(&game.id(), method)?;
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

    /// Refuses the options of single methods.
    fn check_auto(&self) -> Result {
        let options = [
            ("--trials", self.trials.is_some()),
            ("--batches", self.batches.is_some()),
            ("--threshold", self.threshold.is_some()),
            ("--pilots", self.pilots.is_some()),
            ("--prefix", self.prefix.is_some()),
            ("--temperature", self.temperature.is_some()),
            ("--look-ahead", self.look_ahead.is_some()),
            ("--margin", self.margin.is_some()),
        ];
        match options.iter().find(|(_, given)| *given) {
            None => Ok(()),
            Some((option, _)) => Err(Failure::usage(format!(
                "'{option}' means nothing for --method auto (allowed: --games, --particles, \
                 --replicates)"
            ))),
        }
    }

    fn plan(&self, id: &str, method: Option<Method>) -> Result<Plan> {
        Plan::parse("the command line".as_ref(), &self.spec(id, method), false)
            .map_err(|error| Failure::usage(error.to_string()))
    }

    /// The spec that says what the command line says.
    fn spec(&self, id: &str, method: Option<Method>) -> String {
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
            lines.extend(self.sample(method));
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

impl TreeSize {
    /// The lines of the spec about the sample: what was said, and defaults where nothing was.
    fn sample(&self, method: Option<Method>) -> Vec<String> {
        let of_trials = self.replicates.is_none() && matches!(method, None | Some(Method::Uniform));
        let by_particles = method.is_some_and(Method::has_particles);
        // Where the method is chosen, what is said of the others does not matter.
        let said = |number: Option<u64>, particles: bool| {
            number.filter(|_| self.method != Some(Choice::Auto) || particles == by_particles)
        };
        let default = |wanted: bool, number: u64| wanted.then_some(number);
        let numbers = [
            ("trials", self.trials.or(default(of_trials, 10))),
            ("replicates", self.replicates.or(default(!of_trials, 100))),
            ("games", said(self.games, false).or(default(!by_particles, 10_000))),
            ("particles", said(self.particles, true).or(default(by_particles, 4096))),
            ("batches", self.batches),
            ("pilots", self.pilots.map(u64::from)),
            ("prefix", self.prefix.map(u64::from)),
            ("look_ahead", self.look_ahead.map(u64::from)),
        ];
        let mut lines = Vec::new();
        lines.extend(method.map(|method| format!("method = '{}'", method.name())));
        for (key, value) in numbers {
            lines.extend(value.map(|value| format!("{key} = {value}")));
        }
        let fractions = [
            ("threshold", self.threshold),
            ("temperature", self.temperature),
            ("margin", self.margin),
        ];
        for (key, value) in fractions {
            // TOML writes what is no number in small letters.
            lines.extend(value.map(|value| format!("{key} = {value:?}").to_lowercase()));
        }
        lines
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
    Ok(Finished { quantities, done: Done::Work })
}
