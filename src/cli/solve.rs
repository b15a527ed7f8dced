//! `ludometer solve`: what a position is worth, proved.

use std::sync::Arc;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::database::DatabaseArguments;
use super::deadline::{Until, seconds};
use super::failure::{Failure, Result};
use super::game::GameArguments;
use super::perft::read_position;
use super::size;
use super::table::{FormatArgument, Table};
use super::talk::Talk;
use crate::engine::Value;
use crate::experiment::provenance::{Clock, check_memory};
use crate::game::{Game, Notation, Progress};
use crate::games::catalog::DraughtsVisitor;
use crate::games::draughts::{Board, Draughts, Position, Rules, Side};
use crate::self_play::SharedDatabase;
use crate::solve::lines::{Line, lines, write_moves};
use crate::solve::{
    Answer, DistanceSearch, Limit, Limits, Method, NoDatabase, Proof, Solution, solve,
};

/// Prove what a position of checkers or draughts is worth
///
/// Two proofs make the value of a position for the side to move: that it can or cannot win, and that
/// the opponent can or cannot. Draw rules play no part; who can go on for ever has not lost. Positions with
/// few pieces are looked up in an endgame database, where one is given. A proof that runs into a limit,
/// or is interrupted, is unknown. One row for each line of --plies moves from the position.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ludometer solve checkers-4
  ludometer solve draughts-4 --plies 1 --distance
  ludometer solve checkers-8 --fen W:WK29:BK4 --solver pns --nodes 1000000
  ludometer solve draughts-6 --fen W:W13,K2:BK5 --format csv")]
pub struct Solve {
    #[command(flatten)]
    game: GameArguments,
    #[command(flatten)]
    database: DatabaseArguments,
    /// Position, in the game's notation [default: the initial position]
    #[arg(long, value_name = "POSITION")]
    fen: Option<String>,
    /// Moves to play first, separated by blanks
    #[arg(long, value_name = "MOVES")]
    play: Option<String>,
    /// Solve every position after so many moves instead
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(0..=20))]
    plies: u32,
    /// Count the plies to the end of what is won or lost, and show the best play of both sides
    #[arg(long)]
    distance: bool,
    /// How proofs are searched
    #[arg(long, value_name = "WHICH", default_value = "dfpn", value_parser = methods())]
    solver: Method,
    /// Most positions to generate for a proof, and again to count plies
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Most memory for a proof; a small table makes dfpn slow, so limit nodes or time as well
    #[arg(long, value_name = "SIZE", default_value = "1GiB", value_parser = proof_memory)]
    memory: u64,
    /// Seconds for a row
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, value_parser = seconds)]
    time: Option<f64>,
    #[command(flatten)]
    format: FormatArgument,
}

/// Reads the name of a method, and shows all with what they do.
fn methods() -> impl TypedValueParser<Value = Method> {
    let shown = |method: Method| {
        PossibleValue::new(method.name()).help(match method {
            Method::DepthFirst => "Depth-first proof-number search with a table",
            Method::BestFirst => "Best-first proof-number search as published",
            Method::BestFirstMobility => "The same, beginning with the number of moves",
        })
    };
    PossibleValuesParser::new(Method::ALL.map(shown))
        .map(|name| name.parse().expect("only names of methods are possible"))
}

/// Reads the size of the memory for a proof.
fn proof_memory(text: &str) -> std::result::Result<u64, String> {
    size::bytes(text).and_then(|bytes| match bytes < 1 << 20 {
        true => Err("allowed: 1MiB or more".to_owned()),
        false => Ok(bytes),
    })
}

impl Solve {
    /// Runs the verb.
    ///
    /// # Errors
    /// For what is no game of draughts, for an unknown position or move, for a database that cannot be
    /// used, and when interrupted.
    pub fn run(&self, talk: &Talk) -> Result {
        let game = self.game.settle()?;
        check_memory("a table", self.memory)
            .map_err(|problem| Failure::Usage(format!("--memory: {problem}")))?;
        let solving = Solving { arguments: self, talk, id: game.id() };
        game.visit_draughts(solving).unwrap_or_else(|| {
            Err(Failure::Usage(format!(
                "{} has no solver (allowed: checkers and draughts)",
                game.id()
            )))
        })
    }
}

/// The position that `--fen` names, or the initial one, and the moves of `--play` from there.
///
/// # Errors
/// For an unknown position or move.
pub(super) fn begin<R: Rules, B: Board>(
    game: &Draughts<R, B>,
    fen: Option<&str>,
    play: Option<&str>,
) -> Result<(Position<B>, Line<B>)> {
    let position = match fen {
        None => game.initial(),
        Some(text) => read_position(game, text)?,
    };
    let mut line = Line::from(position);
    for text in play.unwrap_or_default().split_whitespace() {
        let mv = game.read_move(&line.position, text).map_err(Failure::usage)?;
        line = line.with(game, mv);
    }
    Ok((position, line))
}

struct Solving<'a> {
    arguments: &'a Solve,
    talk: &'a Talk,
    id: String,
}

const COLUMNS: [(&str, usize); 17] = [
    ("game", 0),
    ("pieces", 0),
    ("solver", 0),
    ("line", 0),
    ("to_move", 0),
    ("value", 7),
    ("plies_to_end", 0),
    ("win", 9),
    ("loss", 9),
    ("win_nodes", 0),
    ("loss_nodes", 0),
    ("greatest_depth", 0),
    ("mean_depth", 0),
    ("branching_factor", 0),
    ("memory_bytes", 0),
    ("cpu_seconds", 0),
    ("best_play", 0),
];

impl DraughtsVisitor for Solving<'_> {
    type Output = Result;

    fn visit<R: Rules, B: Board>(self, game: &Draughts<R, B>) -> Result {
        let arguments = self.arguments;
        let opened = arguments.database.open::<R, B>()?;
        let database: SharedDatabase<B> = opened.unwrap_or_else(|| Arc::new(NoDatabase));
        let (position, played) = begin(game, arguments.fen.as_deref(), arguments.play.as_deref())?;
        let lines = lines(game, played, arguments.plies);
        let mut table = Table::new(arguments.format.settle(), &COLUMNS)?;
        let watch = self.talk.watch(&format!("solving {}", self.id), None, "nodes");
        let (method, memory) = (arguments.solver, arguments.memory);
        let mut solver = method.solver::<R, B, _>(database.clone(), memory);
        let table_bytes = Method::DepthFirst.table_bytes(memory);
        let mut distances = DistanceSearch::<R, B, _>::new(database.clone(), table_bytes);
        for line in &lines {
            let clock = Clock::start();
            let until = Until { progress: &watch, clock, seconds: arguments.time };
            let solution = solve(solver.as_mut(), &line.position, self.limits(), &until);
            let counted = match arguments.distance && solution.worth().is_some() {
                true => self.count(game, &mut distances, line, &until),
                false => Ok(None),
            };
            if let Some(damage) = database.damage() {
                return Err(Failure::work(damage));
            }
            let cpu = clock.cpu_seconds().unwrap_or(0.0);
            let moves = write_moves(game, &position, &line.moves);
            let stopped = watch.stopped();
            if !stopped {
                self.explain(&moves, &solution, counted.as_ref().err().copied());
            }
            let counted = counted.unwrap_or_default();
            let pieces = database.most_pieces();
            table.row(&self.row(line, moves, &solution, counted, pieces, cpu))?;
            if stopped {
                return Err(Failure::Stopped("interrupted".into()));
            }
        }
        Ok(())
    }
}

impl Solving<'_> {
    fn limits(&self) -> Limits {
        let Solve { solver, nodes, memory, .. } = self.arguments;
        solver.limits(nodes.unwrap_or(u64::MAX), *memory)
    }

    /// The plies to the end and the moves; `None` where there is no end.
    ///
    /// # Errors
    /// When a limit is met.
    fn count<R: Rules, B: Board>(
        &self,
        game: &Draughts<R, B>,
        distances: &mut DistanceSearch<R, B, SharedDatabase<B>>,
        line: &Line<B>,
        progress: &dyn Progress,
    ) -> std::result::Result<Option<(u32, String)>, Limit> {
        let limits = self.limits();
        let position = &line.position;
        let (plies, attacker) = match distances.value(position, limits, progress)? {
            Value::Win(plies) => (plies, position.side()),
            Value::Loss(plies) => (plies, position.side().other()),
            Value::Draw => return Ok(None),
        };
        // Without the moves the plies are still worth telling.
        let moves = distances.line(position, attacker, limits, progress).unwrap_or_default();
        Ok(Some((plies, write_moves(game, position, &moves))))
    }

    /// Says which limits have kept something from being known after `moves`.
    fn explain(&self, moves: &str, solution: &Solution, uncounted: Option<Limit>) {
        let after = if moves.is_empty() { String::new() } else { format!(" after {moves}") };
        let name = |limit| match limit {
            // An interrupt has been told apart.
            Limit::Stopped => "the limit of time".to_owned(),
            other => other.to_string(),
        };
        for proof in [Some(solution.win), solution.loss].into_iter().flatten() {
            if let Answer::Unknown(limit) = proof.answer {
                let limit = name(limit);
                self.talk.line(&format!("{}{after}: a proof ended at {limit}", self.id));
            }
        }
        if let Some(limit) = uncounted {
            let limit = name(limit);
            self.talk.line(&format!("{}{after}: plies are not counted: {limit}", self.id));
        }
    }

    fn row<B: Board>(
        &self,
        line: &Line<B>,
        moves: String,
        solution: &Solution,
        counted: Option<(u32, String)>,
        pieces: u32,
        cpu: f64,
    ) -> Vec<String> {
        let effort = solution.effort();
        let proof =
            |proof: Option<Proof>, field: fn(Proof) -> String| proof.map_or(String::new(), field);
        let (win, loss) = (Some(solution.win), solution.loss);
        let to_move = match line.position.side() {
            Side::White => "white",
            Side::Black => "black",
        };
        let (plies, best_play) =
            counted.map_or_else(Default::default, |(plies, moves)| (plies.to_string(), moves));
        vec![
            self.id.clone(),
            pieces.to_string(),
            self.arguments.solver.name().to_owned(),
            moves,
            to_move.to_owned(),
            solution.worth().map_or("unknown".to_owned(), |worth| worth.to_string()),
            plies,
            proof(win, |proof| proof.answer.to_string()),
            proof(loss, |proof| proof.answer.to_string()),
            proof(win, |proof| proof.effort.nodes.to_string()),
            proof(loss, |proof| proof.effort.nodes.to_string()),
            effort.greatest_depth.to_string(),
            format!("{:.1}", effort.mean_depth()),
            effort.branching_factor().map_or(String::new(), |factor| format!("{factor:.2}")),
            effort.bytes.to_string(),
            format!("{cpu:.2}"),
            best_play,
        ]
    }
}
