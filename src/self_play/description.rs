//! Engines described in a few words, and the engine as a player.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rand_xoshiro::Xoshiro256PlusPlus;
use thiserror::Error;

use super::perfect_player::PerfectPlayer;
use super::player::{Choice, DatabasePlace, Player, PlayerError, SharedDatabase, Watch, whole};
use crate::engine::{
    Engine, Evaluation, Limits, MAX_DEPTH, Material, Positional, Settings, Variety, Weights,
};
use crate::game::Progress;
use crate::games::draughts::draw::{DrawRule, Played};
use crate::games::draughts::{Board, Move, Rules};
use crate::solve::NoDatabase;
use crate::stream::bounded;

/// How long a described engine thinks about a move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Thinking {
    /// To this depth in plies; 0: a random legal move.
    Depth(u32),
    /// So many positions.
    Nodes(u64),
    /// So many seconds.
    Time(f64),
}

/// How a described engine judges positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// [`Positional`] with these weights.
    Positional(Weights),
    /// [`Material`].
    Material,
}

impl Judgement {
    /// [`Positional`] with the weights chosen by playing strength.
    pub const DEFAULT: Self = Self::Positional(Weights::DEFAULT);

    /// Reads `positional` or `material`; after the former, weights like `,mobility=5`.
    ///
    /// # Errors
    /// Names the part that is none of that.
    pub fn parse(text: &str) -> Result<Self, DescriptionError> {
        let wrong = |part: &str| DescriptionError {
            part: part.to_owned(),
            problem: "says nothing about an evaluation",
        };
        let mut parts = text.split(',').map(str::trim);
        let first = parts.next().unwrap_or_default();
        if !["positional", "material"].contains(&first) {
            return Err(wrong(first));
        }
        let mut weights = Weights::DEFAULT;
        let names = weights.named().map(|(name, _)| name);
        let key = |part: &str| part.split_once('=').map_or(part, |(key, _)| key).to_owned();
        if let Some(part) = parts.find(|part| !names.contains(&key(part).as_str())) {
            return Err(wrong(part));
        }
        Description::parse(&format!("depth=1,evaluation={text}"))
            .map(|description| description.judgement)
    }
}

/// An engine in a few words, like `depth=7,evaluation=material` or `time=0.1,reductions`.
#[derive(Clone, Debug, PartialEq)]
pub struct Description {
    /// Whether it is the perfect player, [`crate::solve::Perfect`], which searches only among moves
    /// of unknown value.
    pub perfect: bool,
    /// How long it thinks.
    pub thinking: Thinking,
    /// How it judges.
    pub judgement: Judgement,
    /// Bytes of its table; `None`: the default for the way it thinks.
    pub table_bytes: Option<usize>,
    /// [`Settings::reductions`].
    pub reductions: bool,
    /// The folder of the endgame database that it asks.
    pub egdb: Option<PathBuf>,
    /// The most pieces for which it asks a database; alone, it says nothing of where that is.
    pub pieces: Option<u32>,
}

/// Makes a progress that says stop when so many seconds have passed from now.
pub type Deadline = fn(f64) -> Box<dyn Progress>;

/// The greatest weight that can be given, hundredths of a man.
const HEAVIEST: i32 = 1000;
/// How deep the perfect player searches unless something else is said.
const DEPTH_OF_PERFECT: u32 = 9;
/// Table of an engine that thinks by time or nodes.
const LARGE_TABLE: usize = 32 << 20;
/// The largest table that can be described.
const LARGEST_TABLE: u64 = 1 << 36;

/// A description that says nothing.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("'{part}': {problem} (allowed: {})", Description::SYNTAX)]
pub struct DescriptionError {
    /// The part that is wrong.
    pub part: String,
    /// What is wrong with it.
    pub problem: &'static str,
}

impl Description {
    /// What [`Description::parse`] understands.
    pub const SYNTAX: &str = "depth=D, nodes=N or time=SECONDS, evaluation=positional|material, \
                              table=BYTES, reductions, perfect, egdb=DIR, pieces=K, and weights \
                              like mobility=W, joined by commas";

    /// An engine that searches to a fixed depth.
    pub fn depth(depth: u32, judgement: Judgement) -> Self {
        let thinking = Thinking::Depth(depth);
        Self {
            perfect: false,
            thinking,
            judgement,
            table_bytes: None,
            reductions: false,
            egdb: None,
            pieces: None,
        }
    }

    /// Reads a description.
    ///
    /// # Errors
    /// Names the part that is none of [`Description::SYNTAX`], or the whole when nothing says how long
    /// to think.
    pub fn parse(text: &str) -> Result<Self, DescriptionError> {
        let mut thinking = None;
        let mut material = false;
        let mut weights = Weights::DEFAULT;
        let (mut table_bytes, mut reductions) = (None, false);
        let mut weighted = None;
        let (mut perfect, mut egdb, mut pieces) = (false, None, None);
        for part in text.split(',').map(str::trim) {
            let wrong = |problem| DescriptionError { part: part.to_owned(), problem };
            let number = |digits: &str| digits.parse::<u64>().ok();
            let (key, value) = part.split_once('=').unwrap_or((part, ""));
            let given = match key {
                "depth" => number(value)
                    .filter(|depth| *depth <= u64::from(MAX_DEPTH))
                    .map(|depth| Thinking::Depth(depth as u32)),
                "nodes" => number(value).filter(|nodes| *nodes > 0).map(Thinking::Nodes),
                "time" => value
                    .parse()
                    .ok()
                    .filter(|seconds| (1e-6..1e6).contains(seconds))
                    .map(Thinking::Time),
                _ => None,
            };
            match (key, value) {
                ("depth" | "nodes" | "time", _) => {
                    if thinking.is_some() {
                        return Err(wrong("said twice how long to think"));
                    }
                    thinking = Some(given.ok_or_else(|| wrong("no number in range"))?);
                }
                ("evaluation", "positional") => material = false,
                ("evaluation", "material") => material = true,
                ("table", _) => {
                    let bytes = number(value).filter(|bytes| *bytes <= LARGEST_TABLE);
                    table_bytes =
                        Some(bytes.ok_or_else(|| wrong("no number of bytes up to 2^36"))? as usize);
                }
                ("reductions", "") => reductions = true,
                ("perfect", "") => perfect = true,
                ("egdb", "") => return Err(wrong("names no folder")),
                ("egdb", _) => egdb = Some(PathBuf::from(value)),
                ("pieces", _) => {
                    let given = number(value).filter(|pieces| (2..=24).contains(pieces));
                    pieces = Some(given.ok_or_else(|| wrong("no number of pieces"))? as u32);
                }
                _ => {
                    let named = weights.named().into_iter().find(|(name, _)| *name == key);
                    let (_, weight) = named.ok_or_else(|| wrong("says nothing about an engine"))?;
                    weighted.get_or_insert(part);
                    *weight = value
                        .parse()
                        .ok()
                        .filter(|weight: &i32| weight.abs() <= HEAVIEST)
                        .ok_or_else(|| wrong("no whole number of -1000 to 1000"))?;
                }
            }
        }
        let unsaid = "does not say how long to think";
        let thinking = thinking
            .or(perfect.then_some(Thinking::Depth(DEPTH_OF_PERFECT)))
            .ok_or(DescriptionError { part: text.to_owned(), problem: unsaid })?;
        if let Some(part) = weighted.filter(|_| material) {
            let problem = "material alone has no such weight";
            return Err(DescriptionError { part: part.to_owned(), problem });
        }
        let judgement = if material { Judgement::Material } else { Judgement::Positional(weights) };
        Ok(Self { perfect, thinking, judgement, table_bytes, reductions, egdb, pieces })
    }

    /// The database that it asks, if it asks one: in the folder that it names, else in `folder`.
    pub fn database(&self, folder: Option<&Path>) -> Option<DatabasePlace> {
        if self.egdb.is_none() && self.pieces.is_none() {
            return None;
        }
        let dir = self.egdb.as_deref().or(folder)?.to_owned();
        Some(DatabasePlace { dir, pieces: self.pieces })
    }

    /// The player; `deadline` is asked by an engine that thinks by time, `database` is that of
    /// [`Description::database`], opened.
    pub fn player<R: Rules, B: Board>(
        &self,
        rule: DrawRule,
        deadline: Deadline,
        database: Option<SharedDatabase<B>>,
    ) -> Box<dyn Player<R, B>> {
        let searcher: Box<dyn Player<R, B>> = match self.judgement {
            Judgement::Material => {
                Box::new(self.thinker::<R, B, _>(Material, rule, deadline, database.clone()))
            }
            Judgement::Positional(weights) => {
                let evaluation = Positional::<R, B>::new(weights);
                Box::new(self.thinker::<R, B, _>(evaluation, rule, deadline, database.clone()))
            }
        };
        if !self.perfect {
            return searcher;
        }
        let database = database.unwrap_or_else(|| Arc::new(NoDatabase));
        Box::new(PerfectPlayer::new(database, searcher))
    }

    fn thinker<R: Rules, B: Board, E: Evaluation<R, B>>(
        &self,
        evaluation: E,
        rule: DrawRule,
        deadline: Deadline,
        database: Option<SharedDatabase<B>>,
    ) -> Thinker<R, B, E> {
        let default = match self.thinking {
            Thinking::Depth(_) => Settings::DEFAULT.table_bytes,
            Thinking::Nodes(_) | Thinking::Time(_) => Some(LARGE_TABLE),
        };
        let settings =
            Settings { table_bytes: self.table_bytes.or(default), reductions: self.reductions };
        let mut engine = Engine::new(evaluation, rule, settings);
        if let Some(database) = &database {
            engine = engine.with_database(database.clone());
        }
        Thinker { engine, database, thinking: self.thinking, deadline }
    }
}

impl fmt::Display for Judgement {
    /// The evaluation as a description has it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Material => f.write_str("evaluation=material"),
            Self::Positional(weights) => {
                write!(f, "evaluation=positional{weights}")
            }
        }
    }
}

impl fmt::Display for Description {
    /// Canonical text, which [`Description::parse`] reads back.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.perfect {
            f.write_str("perfect,")?;
        }
        match self.thinking {
            Thinking::Depth(depth) => write!(f, "depth={depth}")?,
            Thinking::Nodes(nodes) => write!(f, "nodes={nodes}")?,
            Thinking::Time(seconds) => write!(f, "time={seconds}")?,
        }
        write!(f, ",{}", self.judgement)?;
        if let Some(bytes) = self.table_bytes {
            write!(f, ",table={bytes}")?;
        }
        if self.reductions {
            f.write_str(",reductions")?;
        }
        if let Some(dir) = &self.egdb {
            write!(f, ",egdb={}", dir.display())?;
        }
        if let Some(pieces) = self.pieces {
            write!(f, ",pieces={pieces}")?;
        }
        Ok(())
    }
}

/// The engine as a player.
struct Thinker<R: Rules, B: Board, E> {
    engine: Engine<R, B, E>,
    database: Option<SharedDatabase<B>>,
    thinking: Thinking,
    deadline: Deadline,
}

impl<R: Rules, B: Board, E: Evaluation<R, B>> Player<R, B> for Thinker<R, B, E> {
    fn choose(
        &mut self,
        played: &Played<B>,
        moves: &[Move<B>],
        mut generator: Option<&mut Xoshiro256PlusPlus>,
        progress: &dyn Progress,
    ) -> Result<Choice<B>, PlayerError> {
        if progress.stopped() {
            return Err(PlayerError::Stopped);
        }
        let limits = match self.thinking {
            Thinking::Depth(0) => {
                let count = moves.len() as u64;
                let n = generator.as_mut().map_or(0, |generator| bounded(generator, count));
                return Ok(Choice { mv: moves[n as usize], score: None, nodes: 0 });
            }
            Thinking::Depth(depth) => Limits::depth(depth),
            Thinking::Nodes(nodes) => Limits { depth: MAX_DEPTH, nodes },
            Thinking::Time(_) => Limits::depth(MAX_DEPTH),
        };
        let until = match self.thinking {
            Thinking::Time(seconds) => Some((self.deadline)(seconds)),
            Thinking::Depth(_) | Thinking::Nodes(_) => None,
        };
        let watch = Watch { progress, until };
        let variety = generator.map(|generator| Variety { generator });
        let found = self.engine.search(played, limits, variety, &watch, &mut |_| ());
        if progress.stopped() {
            return Err(PlayerError::Stopped);
        }
        whole(self.database.as_ref())?;
        let found = found.expect("there are moves to choose from");
        Ok(Choice { mv: found.best, score: Some(found.score), nodes: found.nodes })
    }

    fn glance(&mut self, played: &Played<B>) -> Option<i32> {
        Some(self.engine.quiescence(played))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptions_round_trip_and_wrong_parts_are_named() {
        for text in [
            "depth=7,evaluation=positional",
            "depth=0,evaluation=material",
            "time=0.1,evaluation=positional,mobility=5,weak-outpost=-9,table=1048576,reductions",
            "nodes=5000,evaluation=material",
            "depth=8,evaluation=material,egdb=/some/folder,pieces=6",
            "perfect,depth=9,evaluation=positional,egdb=folder",
            "perfect,nodes=100,evaluation=material",
            "perfect,depth=9,evaluation=positional,pieces=8",
        ] {
            let description = Description::parse(text).expect(text);
            assert_eq!(description.to_string(), text);
        }
        let perfect = Description::parse("perfect").map(|description| description.to_string());
        assert_eq!(perfect, Ok("perfect,depth=9,evaluation=positional".to_owned()));
        for (text, part) in [
            ("depth=7,evaluation=perfect", "evaluation=perfect"),
            ("depth=65", "depth=65"),
            ("depth=7,time=1", "time=1"),
            ("evaluation=material", "evaluation=material"),
            ("", ""),
            ("time=0", "time=0"),
            ("depth=3,reductions=1", "reductions=1"),
            ("depth=3,mobility=5,evaluation=material", "mobility=5"),
            ("depth=3,table=99999999999999", "table=99999999999999"),
            ("perfect=1", "perfect=1"),
            ("perfect,egdb=", "egdb="),
            ("perfect,egdb=x,pieces=1", "pieces=1"),
            ("evaluation=material,egdb=x", "evaluation=material,egdb=x"),
        ] {
            assert_eq!(Description::parse(text).map_err(|error| error.part), Err(part.into()));
        }
    }
}
