//! A game as moves of the rules core, with what is known about it.

use std::fmt;

use crate::games::draughts::{Board, Move, Position, Side};

/// The tag that holds the search depth of a self-played game, in plies.
pub const DEPTH_TAG: &str = "Depth";
/// The tag that holds the seed of a self-played game.
pub const SEED_TAG: &str = "Seed";

/// A tag pair, `[Name "value"]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag {
    /// The name, e.g. `Event`.
    pub name: String,
    /// The value without quotes and escapes.
    pub value: String,
}

impl Tag {
    /// The tag `name` with `value`.
    pub fn new(name: impl Into<String>, value: impl ToString) -> Self {
        Self { name: name.into(), value: value.to_string() }
    }
}

/// How a game ended. The winner is a colour; which score stands for it is a matter of the
/// game type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GameResult {
    /// This colour won.
    Won(Side),
    /// Nobody won.
    Draw,
    /// Both lost (`0-0`).
    DoubleForfeit,
    /// Unfinished or unknown (`*`).
    Unfinished,
}

impl GameResult {
    /// The score in a game where `first` moves first from the start position: `1-0`, `0-1`,
    /// `1/2-1/2`, `0-0` or `*`.
    pub fn score(self, first: Side) -> &'static str {
        match self {
            Self::Won(side) if side == first => "1-0",
            Self::Won(_) => "0-1",
            Self::Draw => "1/2-1/2",
            Self::DoubleForfeit => "0-0",
            Self::Unfinished => "*",
        }
    }

    /// The result that a score stands for in a game where `first` moves first, or `None` when it
    /// is no known score. `1-0` and `2-0` are wins, `1/2-1/2`, `½-½` and `1-1` draws.
    pub fn of_score(text: &str, first: Side) -> Option<Self> {
        Some(match text {
            "1-0" | "2-0" => Self::Won(first),
            "0-1" | "0-2" => Self::Won(first.other()),
            "1/2-1/2" | "1/2" | "½-½" | "½" | "1-1" => Self::Draw,
            "0-0" => Self::DoubleForfeit,
            "*" => Self::Unfinished,
            _ => return None,
        })
    }
}

/// Why a game ended where it did; the value of the tag `Termination`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Termination {
    /// The side to move had no move.
    NoMoves,
    /// A position occurred often enough.
    Repetition,
    /// Too many quiet king moves in a row.
    QuietKings,
    /// A lone king held out long enough.
    LoneKing,
    /// The score was near zero with drawish material.
    DrawishMaterial,
    /// The ply cap was reached.
    PlyCap,
    /// Any other reason, in the words of the text.
    Other(String),
}

impl Termination {
    const NAMED: [(Self, &'static str); 6] = [
        (Self::NoMoves, "no moves"),
        (Self::Repetition, "repetition"),
        (Self::QuietKings, "quiet kings"),
        (Self::LoneKing, "lone king"),
        (Self::DrawishMaterial, "drawish material"),
        (Self::PlyCap, "ply cap"),
    ];

    /// The reason that `text` names.
    pub fn read(text: &str) -> Self {
        let named = Self::NAMED.into_iter().find(|(_, name)| *name == text);
        named.map_or_else(|| Self::Other(text.to_owned()), |(termination, _)| termination)
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Other(text) => text,
            named => Self::NAMED
                .iter()
                .find(|(termination, _)| termination == named)
                .map_or("", |(_, name)| name),
        })
    }
}

/// A game of draughts, main line only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record<B: Board> {
    /// Tags in the order of the text, without those that say what the other fields hold (`Result`,
    /// `GameType`, `SetUp`, `FEN`, `Termination`).
    pub tags: Vec<Tag>,
    /// The position before the first move.
    pub start: Position<B>,
    /// The moves, each legal where it is made.
    pub moves: Vec<Move<B>>,
    /// How it ended.
    pub result: GameResult,
    /// Why it ended, where that is known.
    pub termination: Option<Termination>,
}

impl<B: Board> Record<B> {
    /// The value of the first tag `name`.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|tag| tag.name == name).map(|tag| tag.value.as_str())
    }

    /// Whether the tag `name` says what a field of a record holds.
    pub(super) fn holds(name: &str) -> bool {
        matches!(name, "Result" | "GameType" | "SetUp" | "Setup" | "FEN" | "Termination")
    }
}
