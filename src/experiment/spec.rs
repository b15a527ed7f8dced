//! The specification of an experiment: one TOML file `experiments/<id>.toml`.
//!
//! A spec states the question, the games, the measure, the seed and sizes, smaller sizes for a
//! quick run, known numbers that must come out first (`[[expect]]`) and the published values that
//! the report shows beside the measurement (`[[published]]`). Unknown keys are errors.

mod checks;
mod written;

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::manifest::hex;
use super::measure::states::Way;
use super::provenance::available_memory;
use crate::game::Playable;
use crate::games::catalog::{CatalogError, GameSpec, Parameters, Visitor};
use crate::games::draughts::Duplicates;
use crate::games::draughts::draw::DrawRule;
use crate::games::othello::Passes;
use crate::self_play::{Description, Judgement};
use crate::solve::Method as SolveMethod;
use crate::state_space::reachable::Order;
use crate::tree_size::{Method, Plan as Sample, ReplicatePlan};

pub use written::{Expect, GameTable, Known, Published, Quick, Spec};

use checks::{
    at_least, check_board, check_depths, check_end, check_expect, check_name, check_pieces,
    check_places, check_played, check_published, labels, needs,
};

/// What an experiment measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// Game tree size, game length and results, estimated from weighted random games.
    TreeSize,
    /// The same, counted exactly.
    Exact,
    /// Paths of each depth from the initial position.
    Perft,
    /// The formula bound on the state-space complexity of draughts boards.
    Ssc,
    /// Positions that can be reached, counted with their breadth-first depth.
    States,
    /// Branching factor and length of games that the engine plays against itself.
    SelfPlay,
    /// Scores of engines against one another.
    Match,
    /// Values of all positions with few pieces.
    Egdb,
    /// What positions are worth, proved.
    Solve,
    /// Coverage and efficiency of the methods of estimating game trees.
    Estimators,
}

/// Every measure.
pub const MEASURES: [Measure; 10] = [
    Measure::TreeSize,
    Measure::Exact,
    Measure::Perft,
    Measure::Ssc,
    Measure::States,
    Measure::SelfPlay,
    Measure::Match,
    Measure::Egdb,
    Measure::Solve,
    Measure::Estimators,
];

impl Measure {
    /// The name in specs and tables.
    pub fn name(self) -> &'static str {
        match self {
            Measure::TreeSize => "tree-size",
            Measure::Exact => "exact",
            Measure::Perft => "perft",
            Measure::Ssc => "ssc",
            Measure::States => "states",
            Measure::SelfPlay => "self-play",
            Measure::Match => "match",
            Measure::Egdb => "egdb",
            Measure::Solve => "solve",
            Measure::Estimators => "estimators",
        }
    }
}

/// The greatest search depth of self-play.
pub const DEEPEST: u32 = 12;

/// A spec that cannot be used; every message is one line and names the file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// The file cannot be read.
    #[error("{path}: {problem}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        problem: String,
    },
    /// The text is no spec.
    #[error("{path}, line {line}: {problem}")]
    Malformed {
        /// The file.
        path: PathBuf,
        /// 1-based line.
        line: usize,
        /// What is wrong and what is allowed.
        problem: String,
    },
    /// A value is missing, out of range or out of place.
    #[error("{path}: {problem}")]
    Meaningless {
        /// The file.
        path: PathBuf,
        /// What is wrong and what is allowed.
        problem: String,
    },
}

/// Everything that the data of a run depend on: a spec with defaults, quick overrides and game
/// parameters settled.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The spec.
    pub spec: Spec,
    /// The text of the spec.
    pub text: String,
    /// Whether the quick sizes apply.
    pub quick: bool,
    /// The games in the order of the spec.
    pub cases: Vec<Case>,
    /// The seed and sizes of the sample (tree-size).
    pub sample: Option<Sample>,
    /// The seed and sizes of replicates (tree-size); then there is no `sample`.
    pub replicates: Option<ReplicatePlan>,
    /// Confidence of intervals.
    pub confidence: f64,
    /// Limit on remembered positions (exact, states).
    pub max_positions: u64,
    /// What of states is counted (states).
    pub way: Way,
    /// Search depths in plies (self-play).
    pub depths: Vec<u32>,
    /// Board widths (ssc).
    pub boards: Vec<u32>,
    /// Where games begin (match).
    pub openings: Openings,
    /// What is studied of methods (estimators).
    pub study: Option<Study>,
}

/// What is studied of methods of estimation (estimators).
#[derive(Clone, Debug, PartialEq)]
pub struct Study {
    /// The methods.
    pub methods: Vec<Method>,
    /// Estimates of each method on each game.
    pub repetitions: u64,
    /// Replicates of an estimate.
    pub replicates: u64,
    /// Whether the number of games is counted.
    pub exact: bool,
    /// Confidence of the intervals.
    pub confidence: f64,
}

/// Where the games of a match begin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Openings {
    /// After two moves, each pair in turn.
    #[default]
    Ballots,
    /// In the initial position.
    Start,
}

/// What is asked of a position (solve).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The most pieces of positions that are looked up in a database; 0: none is asked.
    pub pieces: u32,
    /// How proofs are searched.
    pub method: SolveMethod,
    /// The moves to play first, in canonical notation.
    pub play: String,
    /// Every position after so many plies is solved.
    pub plies: u32,
    /// The most positions to generate for a proof.
    pub nodes: u64,
    /// The most memory for a proof, in bytes.
    pub memory: u64,
}

/// One game of a plan.
#[derive(Clone, Debug)]
pub struct Case {
    /// What the rows of results are called.
    pub label: String,
    /// The game.
    pub game: GameSpec,
    /// Plies to count (perft), 0 for other measures.
    pub depth: u32,
    /// The position to start from in canonical notation (states, solve); `None` is the initial one.
    pub start: Option<String>,
    /// Games at each depth (self-play) or of the match, 0 for other measures.
    pub games: u64,
    /// How the engine judges positions (self-play).
    pub judgement: Judgement,
    /// The engines (match).
    pub players: Option<[Description; 2]>,
    /// The most pieces of the database (egdb), 0 for other measures.
    pub pieces: u32,
    /// What is asked (solve).
    pub question: Option<Question>,
}

impl Case {
    /// A game of which nothing more is said.
    pub fn new(label: String, game: GameSpec) -> Self {
        Self {
            label,
            game,
            depth: 0,
            start: None,
            games: 0,
            judgement: Judgement::DEFAULT,
            players: None,
            pieces: 0,
            question: None,
        }
    }
}

/// Positions of one ply that an exact count may remember when the spec sets no limit: as many as
/// three quarters of the free memory hold, at most 100 million; 20 million where it is unknown.
pub fn default_max_positions() -> u64 {
    /// Bytes that an exact count needs for each position of its largest ply.
    const BYTES: u64 = 200;
    match available_memory() {
        Some(bytes) => (bytes / 4 * 3 / BYTES).clamp(1, 100_000_000),
        None => 20_000_000,
    }
}

impl GameTable {
    /// The game with its parameters settled.
    ///
    /// # Errors
    /// As the catalog's, and for a value of `passes`, `duplicates` or `draw_rule` that is none.
    pub fn settle(&self) -> Result<GameSpec, String> {
        let parameters = Parameters {
            columns: self.columns,
            rows: self.rows,
            size: self.size,
            passes: self.passes.as_deref().map(parse_passes).transpose()?,
            duplicates: self.duplicates.as_deref().map(parse_duplicates).transpose()?,
            draw_rule: self.draw_rule.as_deref().map(parse_draw_rule).transpose()?,
            ply_cap: self.ply_cap,
            branching: self.branching,
            depth: self.tree_depth,
        };
        GameSpec::new(&self.name, &parameters).map_err(|error: CatalogError| error.to_string())
    }

    /// The game and the canonical text of the position to start from, for what knows no history.
    ///
    /// # Errors
    /// As [`GameTable::settle`], for a position that is none, and for a draw rule, which would need a
    /// history.
    pub fn settle_start(&self) -> Result<(GameSpec, Option<String>), String> {
        let game = self.settle()?;
        if game.has_draw_rule() {
            return Err(format!(
                "draw_rule of '{}' means nothing for positions, which have no history",
                self.name
            ));
        }
        if game.has_history() {
            return Err(format!(
                "the moves of '{}' depend on earlier positions, and a state has no history",
                self.name
            ));
        }
        let start = self.fen.as_deref().map(|text| game.visit(Canonical { text })).transpose()?;
        Ok((game, start))
    }
}

/// Reads a position and writes it canonically.
struct Canonical<'a> {
    text: &'a str,
}

impl Visitor for Canonical<'_> {
    type Output = Result<String, String>;

    fn visit<G: Playable>(self, game: &G) -> Self::Output {
        let position = game
            .read_position(self.text)
            .map_err(|error| format!("fen {error}; expected: {}", game.position_syntax()))?;
        Ok(game.write_position(&position))
    }
}

/// Reads `plies` or `skipped`.
///
/// # Errors
/// Names the text when it is neither.
pub fn parse_passes(text: &str) -> Result<Passes, String> {
    match text {
        "plies" => Ok(Passes::Plies),
        "skipped" => Ok(Passes::Skipped),
        _ => Err(format!("passes '{text}' is unknown (allowed: plies, skipped)")),
    }
}

/// Reads `drop` or `keep`.
///
/// # Errors
/// Names the text when it is neither.
pub fn parse_duplicates(text: &str) -> Result<Duplicates, String> {
    match text {
        "drop" => Ok(Duplicates::Drop),
        "keep" => Ok(Duplicates::Keep),
        _ => Err(format!("duplicates '{text}' is unknown (allowed: drop, keep)")),
    }
}

/// Reads a draw rule.
///
/// # Errors
/// Names the text when it is no draw rule.
pub fn parse_draw_rule(text: &str) -> Result<DrawRule, String> {
    DrawRule::parse(text).map_err(|error| error.to_string())
}

impl Plan {
    /// Whether the run takes long: a spec that says so, unless its quick sizes apply.
    pub fn takes_long(&self) -> bool {
        self.spec.long && !(self.quick && self.spec.quick != Quick::default())
    }

    /// Reads and settles the spec in the file `path`.
    ///
    /// # Errors
    /// Names the file, the line where there is one, the offending key or value and what is allowed.
    pub fn read(path: &Path, quick: bool) -> Result<Plan, SpecError> {
        let unreadable = |problem| SpecError::Unreadable { path: path.to_path_buf(), problem };
        let bytes = std::fs::read(path).map_err(|error| unreadable(error.to_string()))?;
        let text = String::from_utf8(bytes).map_err(|_| unreadable("not UTF-8 text".into()))?;
        let plan = Plan::parse(path, &text, quick)?;
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        if plan.spec.id != stem {
            let problem = format!("id '{}' differs from the file's name '{stem}'", plan.spec.id);
            return Err(SpecError::Meaningless { path: path.to_path_buf(), problem });
        }
        Ok(plan)
    }

    /// Settles the spec `text`; `path` is only named in errors.
    ///
    /// # Errors
    /// As [`Plan::read`].
    pub fn parse(path: &Path, text: &str, quick: bool) -> Result<Plan, SpecError> {
        let spec: Spec = toml::from_str(text).map_err(|error| SpecError::Malformed {
            path: path.to_path_buf(),
            line: error.span().map_or(1, |span| line_of(text, span.start)),
            problem: error.message().replace('\n', " "),
        })?;
        // Either size must make sense, whichever is asked for.
        settle(spec.clone(), text, !quick)
            .and_then(|_| settle(spec, text, quick))
            .map_err(|problem| SpecError::Meaningless { path: path.to_path_buf(), problem })
    }

    /// Everything that a digit of `batches.csv` depends on, one `key = value` per line.
    pub fn canonical(&self) -> String {
        let spec = &self.spec;
        let mut lines = vec![format!("measure = {}", spec.measure.name())];
        if let Some(sample) = &self.sample {
            lines.push(format!("seed = {}", sample.seed()));
            lines.push(format!("trials = {}", sample.trials()));
            lines.push(format!("games = {}", sample.games()));
            lines.push(format!("batches = {}", sample.batches()));
        }
        if let Some(sample) = &self.replicates {
            lines.push(format!("seed = {}", sample.seed()));
            lines.push(format!("method = {}", sample.method().name()));
            for (key, value) in sample.method().parameters() {
                lines.push(format!("{key} = {value}"));
            }
            lines.push(format!("games = {}", sample.games()));
            lines.push(format!("replicates = {}", sample.replicates()));
        }
        for case in &self.cases {
            lines.push(format!("game = {}", case.label));
            lines.push(format!("id = {}", case.game.id()));
            for (key, value) in case.game.parameters() {
                lines.push(format!("{key} = {value}"));
            }
            if spec.measure == Measure::Perft {
                lines.push(format!("depth = {}", case.depth));
            }
            if let Some(start) = &case.start {
                lines.push(format!("start = {start}"));
            }
            if matches!(spec.measure, Measure::SelfPlay | Measure::Match | Measure::Estimators) {
                lines.push(format!("games = {}", case.games));
            }
            if case.judgement != Judgement::DEFAULT {
                lines.push(case.judgement.to_string());
            }
            for (name, player) in ["a", "b"].into_iter().zip(case.players.iter().flatten()) {
                lines.push(format!("{name} = {player}"));
            }
            if spec.measure == Measure::Egdb {
                lines.push(format!("pieces = {}", case.pieces));
            }
            if let Some(question) = &case.question {
                let Question { pieces, method, play, plies, nodes, memory } = question;
                lines.push(format!("pieces = {pieces}"));
                lines.push(format!("solver = {method}"));
                lines.push(format!("play = {play}"));
                lines.push(format!("plies = {plies}"));
                lines.push(format!("nodes = {nodes}"));
                lines.push(format!("memory = {memory}"));
            }
        }
        if self.openings == Openings::Start {
            lines.push("openings = start".to_owned());
        }
        if let Some(Study { methods, repetitions, replicates, exact, confidence }) = &self.study {
            lines.extend(methods.iter().map(|method| format!("method = {method}")));
            lines.push(format!("repetitions = {repetitions}"));
            lines.push(format!("replicates = {replicates}"));
            lines.push(format!("exact = {exact}"));
            lines.push(format!("confidence = {confidence}"));
        }
        if self.way.order == Order::Any {
            lines.push("order = any".to_owned());
        }
        if self.way.up_to_symmetry {
            lines.push("symmetry = true".to_owned());
        }
        if matches!(spec.measure, Measure::SelfPlay | Measure::Match | Measure::Estimators) {
            lines.extend(spec.seed.map(|seed| format!("seed = {seed}")));
            lines.extend(self.depths.iter().map(|depth| format!("depth = {depth}")));
        }
        for board in &self.boards {
            lines.push(format!("board = {board}"));
        }
        lines.join("\n") + "\n"
    }

    /// SHA-256 of [`Plan::canonical`], in hexadecimal: two specs with equal hashes give equal data.
    pub fn hash(&self) -> String {
        hex(&Sha256::digest(self.canonical().as_bytes()))
    }
}

fn line_of(text: &str, offset: usize) -> usize {
    text.bytes().take(offset).filter(|byte| *byte == b'\n').count() + 1
}

fn settle(spec: Spec, text: &str, quick: bool) -> Result<Plan, String> {
    check_name("id", &spec.id)?;
    if spec.id == "quick" {
        return Err("id 'quick' is taken by the folder of quick results".into());
    }
    check_places(&spec)?;
    let overrides = if quick { spec.quick.clone() } else { Quick::default() };
    let max_positions = spec.max_positions.unwrap_or_else(default_max_positions);
    let order = match &spec.order {
        Some(text) => text.parse().map_err(|problem| format!("order {problem}"))?,
        None => Order::BreadthFirst,
    };
    let openings = match spec.openings.as_deref() {
        None | Some("ballots") => Openings::Ballots,
        Some("start") => Openings::Start,
        Some(other) => {
            return Err(format!("openings '{other}' is unknown (allowed: ballots, start)"));
        }
    };
    let mut plan = Plan {
        text: text.to_owned(),
        quick,
        cases: Vec::new(),
        sample: None,
        replicates: None,
        confidence: spec.confidence.unwrap_or(0.95),
        max_positions,
        way: Way { order, up_to_symmetry: spec.symmetry.unwrap_or(false), max_positions },
        depths: overrides.depths.clone().or(spec.depths.clone()).unwrap_or_default(),
        boards: spec.boards.clone().unwrap_or_default(),
        openings,
        study: None,
        spec,
    };
    let spec = &plan.spec;
    let count = overrides.first_games.unwrap_or(usize::MAX);
    at_least("quick.first_games", count as u64, 1)?;
    for table in spec.game.iter().take(count) {
        let (game, start) = match spec.measure {
            Measure::States | Measure::Egdb | Measure::Solve => table.settle_start()?,
            _ => (table.settle()?, None),
        };
        if matches!(spec.measure, Measure::TreeSize | Measure::Exact) {
            check_end(&game)?;
        }
        let label = table.label.clone().unwrap_or_else(|| game.id());
        check_name("label", &label)?;
        if plan.cases.iter().any(|case| case.label == label) {
            return Err(format!("two games are called '{label}' (give one another 'label')"));
        }
        let mut case = Case::new(label, game);
        case.start = start;
        let most = overrides.pieces.unwrap_or(u32::MAX);
        match spec.measure {
            Measure::Perft => {
                let full = table.depth.or(spec.depth).ok_or_else(|| needs(spec, "depth"))?;
                case.depth = full.min(overrides.depth.unwrap_or(u32::MAX));
                at_least("depth", case.depth.into(), 1)?;
            }
            Measure::SelfPlay | Measure::Match => {
                check_played(table, &case.game)?;
                let full = table.games.or(spec.games).ok_or_else(|| needs(spec, "games"))?;
                case.games = overrides.games.map_or(full, |quick| quick.min(full));
                at_least("games", case.games, 1)?;
            }
            Measure::Estimators => {
                check_end(&case.game)?;
                let full = table.games.or(spec.games).ok_or_else(|| needs(spec, "games"))?;
                case.games = overrides.games.map_or(full, |quick| quick.min(full));
                at_least("games", case.games, 1)?;
            }
            Measure::Egdb => {
                let full = table.pieces.or(spec.pieces).ok_or_else(|| needs(spec, "pieces"))?;
                case.pieces = full.min(most);
                check_pieces(&case.game, case.pieces)?;
            }
            Measure::Solve => {
                case.question = Some(checks::question(table, &case, most)?);
            }
            _ => {}
        }
        if spec.measure == Measure::Match {
            case.players = Some(checks::players(spec, table, &case, most)?);
        }
        if let Some(text) = &table.evaluation {
            case.judgement =
                Judgement::parse(text).map_err(|error| format!("evaluation {error}"))?;
        }
        plan.cases.push(case);
    }
    match spec.measure {
        Measure::Ssc => {
            if plan.boards.is_empty() {
                return Err(needs(spec, "boards"));
            }
            for (index, board) in plan.boards.iter().enumerate() {
                check_board(*board)?;
                if plan.boards[..index].contains(board) {
                    return Err(format!("boards: {board} is listed twice"));
                }
            }
        }
        measure => {
            if plan.cases.is_empty() {
                return Err(needs(spec, "[[game]]"));
            }
            if measure == Measure::SelfPlay {
                check_depths(&plan.depths)?;
            }
            if matches!(measure, Measure::SelfPlay | Measure::Match | Measure::Estimators) {
                spec.seed.ok_or_else(|| needs(spec, "seed"))?;
            }
        }
    }
    at_least("max_positions", plan.max_positions, 1)?;
    if !(plan.confidence > 0.0 && plan.confidence < 1.0) {
        return Err(format!("confidence {} is not between 0 and 1", plan.confidence));
    }
    if spec.measure == Measure::Estimators {
        plan.study =
            Some(checks::study(spec, &plan.cases, overrides.repetitions, plan.confidence)?);
    }
    if spec.measure == Measure::TreeSize {
        match checks::replicates(spec, &overrides)? {
            Some(replicates) => plan.replicates = Some(replicates),
            None => plan.sample = Some(checks::sample(spec, &overrides)?),
        }
    }
    for expect in &spec.expect {
        check_expect(spec, expect)?;
    }
    let labels = labels(spec)?;
    for published in &spec.published {
        check_published(spec.measure, &labels, published)?;
    }
    Ok(plan)
}
