//! A spec as it is written: its tables and keys.

use serde::{Deserialize, Serialize};

use super::Measure;

/// A spec as written.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spec {
    /// Name of the experiment; equal to the file's stem.
    pub id: String,
    /// One line for headings.
    pub title: String,
    /// What the experiment answers.
    pub question: String,
    /// Where the published numbers come from.
    pub source: String,
    /// What is measured.
    pub measure: Measure,
    /// The seed of every random number (tree-size, self-play, match).
    pub seed: Option<u64>,
    /// Number of trials (tree-size); the spread of trials is what papers print after +-.
    pub trials: Option<u64>,
    /// Random games per trial or replicate (tree-size), games at each depth (self-play), games of a match.
    pub games: Option<u64>,
    /// Batches that each trial is cut into (tree-size), the steps of progress and resumption.
    pub batches: Option<u64>,
    /// How games are sampled (tree-size): `uniform` (default), `leaf-rao-blackwell`, `smc`,
    /// `twisted-smc`, `stratified`, `policy` or `sensible-smc`.
    pub method: Option<String>,
    /// Independent estimates (tree-size): instead of trials with `uniform`, needed by other methods.
    pub replicates: Option<u64>,
    /// Particles of a population (tree-size by `smc`), instead of games.
    pub particles: Option<u64>,
    /// The share of its particles under which an effective sample size makes a population resample
    /// (tree-size by `smc`), default 0.9.
    pub threshold: Option<f64>,
    /// Populations that learn beforehand (tree-size by `twisted-smc`), default 4.
    pub pilots: Option<u32>,
    /// Plies of the enumerated prefix (tree-size, `stratified`), default 4.
    pub prefix: Option<u32>,
    /// How little it matters to `policy` how good a move is (tree-size, estimators), default 1.
    pub temperature: Option<f64>,
    /// Plies of the search by which `policy` and `sensible-smc` judge a move (tree-size, estimators),
    /// default 0.
    pub look_ahead: Option<u32>,
    /// How much less than the best a move may be worth, so that only sensible games are counted
    /// (tree-size by `policy`, where there is no margin without it, and `sensible-smc`, default 0.1).
    pub margin: Option<f64>,
    /// Confidence of the intervals (tree-size), default 0.95.
    pub confidence: Option<f64>,
    /// Plies (perft), for games that state none.
    pub depth: Option<u32>,
    /// Largest number of positions that a count may remember (exact; states of other games than
    /// draughts).
    pub max_positions: Option<u64>,
    /// The order in which states are searched: `breadth-first` (default) or `any` (states of draughts).
    pub order: Option<String>,
    /// Whether positions that are symmetric to one another count as one (states of other games than
    /// draughts).
    pub symmetry: Option<bool>,
    /// Board widths (ssc).
    pub boards: Option<Vec<u32>>,
    /// Search depths in plies (self-play).
    pub depths: Option<Vec<u32>>,
    /// The most pieces of a position (egdb), for games that state none.
    pub pieces: Option<u32>,
    /// Where games begin: after `ballots` of two moves (default) or in the `start` (match).
    pub openings: Option<String>,
    /// The methods of estimation (estimators).
    pub methods: Option<Vec<String>>,
    /// Estimates of each method on each game (estimators).
    pub repetitions: Option<u64>,
    /// Whether the number of games is counted, so that intervals can be held against it (estimators);
    /// default: true.
    pub exact: Option<bool>,
    /// Whether the full run takes so long that `reproduce` leaves it out unless asked.
    #[serde(default)]
    pub long: bool,
    /// The games measured.
    #[serde(default)]
    pub game: Vec<GameTable>,
    /// What a quick run changes.
    #[serde(default)]
    pub quick: Quick,
    /// Known numbers that must come out before the main work starts.
    #[serde(default)]
    pub expect: Vec<Expect>,
    /// Published values of what is measured.
    #[serde(default)]
    pub published: Vec<Published>,
}

/// A game and its parameters, as written.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameTable {
    /// A name or alias that the catalog knows.
    pub name: String,
    /// What the rows of results are called; default: the id that the catalog gives.
    pub label: Option<String>,
    /// Columns of the Connect Four board.
    pub columns: Option<u32>,
    /// Rows of the Connect Four board.
    pub rows: Option<u32>,
    /// Width of the Othello board.
    pub size: Option<u32>,
    /// Whether a forced pass counts as a ply: `plies` or `skipped`.
    pub passes: Option<String>,
    /// What happens to duplicate captures: `drop` or `keep`.
    pub duplicates: Option<String>,
    /// The draw rule of a draughts game.
    pub draw_rule: Option<String>,
    /// Plies after which a game of chess is stopped as a draw; 0 for never.
    pub ply_cap: Option<u32>,
    /// Moves per position of a synthetic tree.
    pub branching: Option<u32>,
    /// Plies of a synthetic tree.
    pub tree_depth: Option<u32>,
    /// Plies to count (perft).
    pub depth: Option<u32>,
    /// The position to start from, in the game's notation (states, solve); default: the initial
    /// position.
    pub fen: Option<String>,
    /// Games at each depth (self-play) or of the match, where they are others than those of the spec.
    pub games: Option<u64>,
    /// How the engine judges positions (self-play), like `material`; default: positional, with the
    /// weights chosen by playing strength.
    pub evaluation: Option<String>,
    /// The first engine (match), like `depth=7,evaluation=material`.
    pub a: Option<String>,
    /// The second engine (match).
    pub b: Option<String>,
    /// The most pieces of a position (egdb), or of the positions that are looked up in a database
    /// (solve; default: none is asked).
    pub pieces: Option<u32>,
    /// How proofs are searched (solve): `dfpn` (default), `pns` or `pns-mobility`.
    pub solver: Option<String>,
    /// Moves to play first (solve).
    pub play: Option<String>,
    /// Solve every position after so many plies, 0 by default (solve).
    pub plies: Option<u32>,
    /// Most positions to generate for a proof (solve); default: no limit.
    pub nodes: Option<u64>,
    /// Most memory for a proof, in MiB (solve); default: 1024.
    pub memory_mib: Option<u64>,
}

/// Smaller sizes for a quick run; absent keys keep the full value.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Quick {
    /// Trials.
    pub trials: Option<u64>,
    /// Games per trial.
    pub games: Option<u64>,
    /// Batches per trial.
    pub batches: Option<u64>,
    /// Independent estimates.
    pub replicates: Option<u64>,
    /// Particles of a population.
    pub particles: Option<u64>,
    /// A cap on the depth of every game (perft).
    pub depth: Option<u32>,
    /// Only the first so many games.
    pub first_games: Option<usize>,
    /// Search depths (self-play).
    pub depths: Option<Vec<u32>>,
    /// A cap on the pieces of every database (egdb, solve, match).
    pub pieces: Option<u32>,
    /// Estimates of each method on each game (estimators).
    pub repetitions: Option<u64>,
}

/// What an `[[expect]]` row counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Known {
    /// Paths of `depth` plies from the initial position.
    Perft,
    /// Number of games, counted exactly.
    Games,
    /// Formula bound on the positions of a `board` x `board` draughts game.
    Ssc,
    /// Positions that can be reached.
    States,
}

/// A known number that must come out before the main work starts.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expect {
    /// What is counted.
    pub quantity: Known,
    /// The game; the spec's first game when absent.
    pub game: Option<GameTable>,
    /// Plies (perft).
    pub depth: Option<u32>,
    /// Board width (ssc).
    pub board: Option<u32>,
    /// The known number, all digits.
    pub value: String,
    /// Where it is known from.
    pub source: String,
}

/// A published value that the report shows beside the measurement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// Label of the game, or `NxN` of the board, it is about; the only one when absent.
    pub game: Option<String>,
    /// The quantity, named as in `summary.csv`.
    pub quantity: String,
    /// Plies, for a perft.
    pub depth: Option<u32>,
    /// The number as printed, without rounding or separators of our own.
    pub value: String,
    /// The number printed after +-: for estimates the spread of single trials.
    pub plus_minus: Option<String>,
    /// Unit of `value` where the publication's differs from `summary.csv`: `percent`.
    pub unit: Option<String>,
    /// Half a unit of the last printed digit, when it is not what the printed digits say.
    pub rounding: Option<String>,
    /// How far from `value` the measured one may be, in percent of it, for what depends on choices
    /// that the publication does not state.
    pub tolerance_percent: Option<f64>,
    /// Publication, table and row.
    pub source: String,
}
