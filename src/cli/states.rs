//! `ludometer states`: the positions that can be reached, with their breadth-first depth.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use indicatif::HumanBytes;

use super::failure::{Failure, Result};
use super::game::GameArguments;
use super::perft::{read_position, threads};
use super::run::all_processors;
use super::size;
use super::table::{Format, FormatArgument, print};
use super::talk::Talk;
use crate::experiment::measure::Effort;
use crate::experiment::measure::states::{
    Counted, DEFAULT_MEMORY, DEFAULT_SCRATCH, DEFAULT_SCRATCH_LIMIT, Space, StatesError, Way,
    count, count_in_memory,
};
use crate::experiment::provenance::{Clock, peak_memory_bytes};
use crate::experiment::spec::default_max_positions;
use crate::game::Playable;
use crate::games::catalog::{DraughtsVisitor, GameSpec, Visitor};
use crate::games::draughts::{Board, Draughts, Rules};
use crate::state_space::formula::Slice;
use crate::state_space::reachable::{Order, SliceLevels, clear};

/// Count the positions that can be reached, with the ply at which each is first reached
///
/// A position is a placement of pieces with the side to move; the start is at depth 0, positions
/// without a move count, draw rules play no part, and no symmetry is used. Checkers and draughts
/// are counted slice by slice (a slice is all positions of the same material), with finished slices
/// and positions of later ones on disk: a count that was interrupted or killed goes on with the same
/// command. For other games, and with --depth, every position is kept in memory.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ludometer states checkers-4
  ludometer states draughts-6 --fen W:W17,18:B1,2 --by slices --threads 2
  ludometer states checkers-6 --depth 10
  ludometer states draughts-4 --order any
  ludometer states draughts-8 --fen W:WK32:BK1 --memory 1GiB --scratch elsewhere
  ludometer states tic-tac-toe --symmetry
  ludometer states connect-four --depth 6 --format csv")]
pub struct States {
    #[command(flatten)]
    game: GameArguments,
    /// Position to start from, in the game's notation [default: the initial position]
    #[arg(long, value_name = "POSITION")]
    fen: Option<String>,
    /// How positions are searched
    #[arg(long, value_name = "ORDER", default_value = "breadth-first")]
    order: OrderArgument,
    /// Count positions that a symmetry of the board makes of one another as one
    #[arg(long)]
    symmetry: bool,
    /// Split the count [default: levels, or sides in any order]
    #[arg(long, value_name = "PART")]
    by: Option<Part>,
    /// Count the first levels only, up to this depth, with every position in memory
    #[arg(long, value_name = "D", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    depth: Option<u32>,
    /// Most positions that may be kept in memory, about 50 bytes each [default: what the free memory allows, at most 100 million]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u64).range(1..))]
    max_positions: Option<u64>,
    /// Worker threads, each on a slice of its own; results do not depend on it [default: all
    /// processors]
    #[arg(long, value_name = "T", allow_negative_numbers = true, value_parser = threads)]
    threads: Option<usize>,
    /// Memory for the marks of positions [default: 12GiB]
    #[arg(long, value_name = "SIZE", value_parser = size::bytes)]
    memory: Option<u64>,
    /// Folder for what a count keeps on disk; removed at the end [default: ludometer-scratch/<game>]
    #[arg(long, value_name = "DIR")]
    scratch: Option<PathBuf>,
    /// Most that waiting positions may take on disk [default: 30GiB]
    #[arg(long, value_name = "SIZE", value_parser = size::bytes)]
    scratch_limit: Option<u64>,
    #[command(flatten)]
    format: FormatArgument,
}

/// How positions are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum OrderArgument {
    /// Level by level, which gives depths
    BreadthFirst,
    /// In the order that is fastest, without depths
    Any,
}

/// How the count is split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Part {
    /// By depth
    Levels,
    /// By the side to move
    Sides,
    /// By the numbers of men and kings of each colour
    Slices,
}

impl States {
    /// Runs the verb.
    ///
    /// # Errors
    /// For what makes no sense, when positions cannot be counted, and when interrupted.
    pub fn run(&self, talk: &Talk) -> Result {
        let game = self.game.settle()?;
        if game.has_draw_rule() {
            return Err(Failure::usage("--draw-rule means nothing here: a state has no history"));
        }
        if game.has_history() {
            return Err(Failure::usage(format!(
                "{}: the moves of this game depend on earlier positions, and a state has no history",
                game.id()
            )));
        }
        let start = game.visit(Start { text: self.fen.as_deref() })?;
        let by_slices = game.visit_draughts(IsDraughts).is_some() && self.depth.is_none();
        let by = self.by.unwrap_or(match self.order {
            OrderArgument::BreadthFirst => Part::Levels,
            OrderArgument::Any => Part::Sides,
        });
        self.check_places(&game, by_slices)?;
        let clock = Clock::start();
        let (counted, disk) = if by_slices {
            self.on_disk(&game, &start, talk)?
        } else {
            (self.in_memory(&game, &start, talk)?, 0)
        };
        let format = self.format.settle();
        let is_draughts = game.visit_draughts(IsDraughts).is_some();
        let sides = match (is_draughts, start.starts_with('W')) {
            // A ply does not say who is to move.
            _ if !game.alternates() => ["", ""],
            (false, _) => ["first", "second"],
            (true, true) => ["white", "black"],
            (true, false) => ["black", "white"],
        };
        match by {
            Part::Levels => print_levels(&counted, sides, format)?,
            Part::Sides => print_sides(&counted, sides, format)?,
            Part::Slices => print_slices(&counted, format)?,
        }
        let share = counted.share().map_or(String::new(), |share| {
            let bound = counted.upper_bound.unwrap_or_default();
            format!(", {:.4} % of the upper bound {bound}", 100.0 * share)
        });
        let to = if self.depth.is_some() { "to" } else { "greatest" };
        let depth =
            counted.deepest().map_or(String::new(), |depth| format!(", {to} depth {depth}"));
        let total = counted.total();
        let what = if self.symmetry { "states up to symmetry" } else { "states" };
        talk.line(&format!("{}: {total} {what}{depth}{share}", game.id()));
        let seconds = clock.wall_seconds();
        if seconds >= 0.1 {
            let cpu = clock.cpu_seconds().map_or(String::new(), |cpu| format!(" ({cpu:.1} s CPU)"));
            let memory =
                peak_memory_bytes().map(|bytes| format!("{} of memory", HumanBytes(bytes)));
            let disk = Some(disk).filter(|bytes| *bytes > 0);
            let disk = disk.map(|bytes| format!("{} of disk", HumanBytes(bytes)));
            let most: Vec<String> = memory.into_iter().chain(disk).collect();
            let most = if most.is_empty() {
                String::new()
            } else {
                format!("; at most {}", most.join(", "))
            };
            talk.line(&format!("{seconds:.1} s{cpu}{most}"));
        }
        Ok(())
    }

    /// Refuses options that say nothing about the way of counting.
    fn check_places(&self, game: &GameSpec, by_slices: bool) -> Result {
        let on_disk = [
            ("--by slices", self.by == Some(Part::Slices)),
            ("--order any", self.order == OrderArgument::Any),
            ("--memory", self.memory.is_some()),
            ("--scratch", self.scratch.is_some()),
            ("--scratch-limit", self.scratch_limit.is_some()),
        ];
        let id = game.id();
        if by_slices && self.max_positions.is_some() {
            return Err(Failure::usage(format!(
                "--max-positions: {id} is counted slice by slice (allowed: --memory, or --depth with \
                 --max-positions)"
            )));
        }
        if self.order == OrderArgument::Any && self.by == Some(Part::Levels) {
            return Err(Failure::usage(
                "--by levels: --order any finds no depths (allowed: sides, slices)",
            ));
        }
        if self.by == Some(Part::Sides) && !game.alternates() {
            return Err(Failure::usage(format!(
                "--by sides: the players of {id} do not move by turns (allowed: levels)"
            )));
        }
        if self.symmetry && game.visit_draughts(IsDraughts).is_some() {
            return Err(Failure::usage(format!(
                "--symmetry: the board of {id} has no symmetry that the rules respect"
            )));
        }
        for (option, given) in on_disk {
            if given && !by_slices {
                let why = match self.depth {
                    Some(_) => "with --depth every position is kept in memory".to_owned(),
                    None => format!("every position of {id} is kept in memory"),
                };
                return Err(Failure::usage(format!("{option}: {why} (allowed: --max-positions)")));
            }
        }
        Ok(())
    }

    fn on_disk(&self, game: &GameSpec, start: &str, talk: &Talk) -> Result<(Counted, u64)> {
        let default = Path::new(DEFAULT_SCRATCH);
        let scratch = self.scratch.clone().unwrap_or_else(|| default.join(game.id()));
        let watch = talk.watch(&game.id(), None, "states");
        let space = Space {
            memory: self.memory.unwrap_or(DEFAULT_MEMORY),
            scratch: &scratch,
            scratch_limit: self.scratch_limit.unwrap_or(DEFAULT_SCRATCH_LIMIT),
            ..Space::default()
        };
        let threads = self.threads.unwrap_or_else(all_processors);
        let how = Effort { threads, progress: &watch, space, costs: None };
        let counted = count(game, Some(start), self.way(), &scratch, how);
        let disk = watch.peak_disk();
        drop(watch);
        let counted = counted.map_err(failure)?;
        clear(&scratch).map_err(Failure::work)?;
        if self.scratch.is_none() {
            // The folder of all counts stays as long as another count is in it.
            let _ = std::fs::remove_dir(default);
        }
        Ok((counted, disk))
    }

    fn in_memory(&self, game: &GameSpec, start: &str, talk: &Talk) -> Result<Counted> {
        let watch = talk.watch(&game.id(), None, "states");
        let how = Effort { threads: 1, progress: &watch, space: Space::default(), costs: None };
        count_in_memory(game, Some(start), self.depth, self.way(), how).map_err(failure)
    }

    fn way(&self) -> Way {
        let order = match self.order {
            OrderArgument::BreadthFirst => Order::BreadthFirst,
            OrderArgument::Any => Order::Any,
        };
        let max_positions = self.max_positions.unwrap_or_else(default_max_positions);
        Way { order, up_to_symmetry: self.symmetry, max_positions }
    }
}

fn failure(error: StatesError) -> Failure {
    if error.is_stop() { Failure::Stopped(error.to_string()) } else { Failure::work(error) }
}

/// The position to start from, canonically written.
struct Start<'a> {
    text: Option<&'a str>,
}

impl Visitor for Start<'_> {
    type Output = Result<String>;

    fn visit<G: Playable>(self, game: &G) -> Self::Output {
        let position = match self.text {
            Some(text) => read_position(game, text)?,
            None => game.initial(),
        };
        Ok(game.write_position(&position))
    }
}

struct IsDraughts;

impl DraughtsVisitor for IsDraughts {
    type Output = ();

    fn visit<R: Rules, B: Board>(self, _game: &Draughts<R, B>) {}
}

fn print_levels(counted: &Counted, sides: [&str; 2], format: Format) -> std::io::Result<()> {
    let mut cumulative = 0;
    let row = |(depth, new): (usize, &u64)| {
        cumulative += new;
        vec![
            depth.to_string(),
            sides[depth % 2].to_owned(),
            new.to_string(),
            cumulative.to_string(),
        ]
    };
    let rows: Vec<_> = counted.levels.iter().flatten().enumerate().map(row).collect();
    print(format, &["depth", "side_to_move", "new_states", "cumulative_states"], &rows)
}

fn print_sides(counted: &Counted, sides: [&str; 2], format: Format) -> std::io::Result<()> {
    let row = |(side, states): (&str, u64)| vec![side.to_owned(), states.to_string()];
    let rows: Vec<_> = sides.into_iter().zip(counted.by_side).map(row).collect();
    print(format, &["side_to_move", "states"], &rows)
}

/// Positions and states with either colour to move; a slice that is not reached has no plies.
fn print_slices(counted: &Counted, format: Format) -> std::io::Result<()> {
    let header = [
        "black_men",
        "black_kings",
        "white_men",
        "white_kings",
        "positions",
        "states",
        "density",
        "first_ply",
        "last_ply",
    ];
    let row = |of: &SliceLevels| {
        let Slice { black_men, black_kings, white_men, white_kings } = of.slice;
        let mut row: Vec<String> =
            [black_men, black_kings, white_men, white_kings].map(|count| count.to_string()).into();
        let (positions, states) = (2 * of.size, of.reached());
        row.extend([positions.to_string(), states.to_string()]);
        row.push((states as f64 / positions as f64).to_string());
        for level in [of.levels.first(), of.levels.last()] {
            let level = level.filter(|_| counted.levels.is_some());
            row.push(level.map_or(String::new(), |(ply, _)| ply.to_string()));
        }
        row
    };
    let rows: Vec<_> = counted.slices.iter().map(row).collect();
    print(format, &header, &rows)
}
