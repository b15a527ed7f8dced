//! What is wrong with a text, and where.

use std::fmt;

use super::game_type::GameTypeError;
use super::source::Place;
use crate::game::NotationError;

/// Something that a strict reader would refuse, in one game of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The number of the game in its text, from 1.
    pub game: u64,
    /// Where it stands.
    pub place: Place,
    /// What it is.
    pub flaw: Flaw,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Place { line, column } = self.place;
        write!(f, "game {}, line {line}, column {column}: {}", self.game, self.flaw)
    }
}

/// What can be wrong with a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    /// A word that is nothing that PDN knows.
    #[error("'{}' is not understood and left out", shown(.0))]
    Junk(String),
    /// A quote or a bracket of a tag is missing or there is one too many.
    #[error("the tag {} has a quote or bracket too few or too many", shown(.0))]
    BrokenTag(String),
    /// The game has the tag already.
    #[error("a second tag {}", shown(.0))]
    SecondTag(String),
    /// A comment without its closing brace.
    #[error("the comment is not closed")]
    UnclosedComment,
    /// So many variations without their closing parentheses.
    #[error("{} left open", counted(*.0, "variation is", "variations are"))]
    UnclosedVariations(usize),
    /// A parenthesis that closes nothing.
    #[error("')' closes no variation")]
    StrayClose,
    /// Marks that follow no move, or a move that has some.
    #[error("the marks '{}' belong to no move and are left out", shown(.0))]
    LooseStrength(String),
    /// The game ends without a result.
    #[error("the game ends without a result")]
    NoScore,
    /// Another result after the result.
    #[error("a second result, '{}'", shown(.0))]
    SecondScore(String),
    /// A result that is no known score.
    #[error("'{}' is no known result; the game counts as unfinished", shown(.0))]
    UnknownScore(String),
    /// The tag and the end of the moves say different things; the tag is believed.
    #[error("the tag Result says '{tag}' and the end of the moves '{end}'")]
    ScoresDiffer {
        /// What the tag says.
        tag: String,
        /// What stands at the end of the moves.
        end: String,
    },
    /// The tag `GameType` is malformed.
    #[error(transparent)]
    GameType(#[from] GameTypeError),
    /// The tag says that the game is another than the one asked for; the tag is believed.
    #[error("the tag GameType says {tag}, not {asked}")]
    OtherGame {
        /// The game of the tag.
        tag: String,
        /// The game asked for.
        asked: String,
    },
    /// We do not have these rules or this board.
    #[error("no rules for {0} here: the game cannot be replayed")]
    NoRules(String),
    /// Nothing says what game it is.
    #[error("no tag GameType, and no game was named: the game cannot be replayed")]
    NoGame,
    /// The position at the start cannot be read.
    #[error("the start position: {0}")]
    Start(NotationError),
    /// The tag says that the game is set up, and no position follows.
    #[error("the tag SetUp without a position: the game cannot be replayed")]
    NoStart,
    /// The first square is in another corner than the tag `GameType` says.
    #[error("the moves number the squares from the top left, whatever the tag GameType says")]
    Corner,
    /// A move of the main line that cannot be made; the moves after it are not read.
    #[error("move {ply}: {error}")]
    Move {
        /// Its number in plies, from 1.
        ply: usize,
        /// What is wrong with it.
        error: NotationError,
    },
    /// A short capture that could mean several, of which only one lets the moves after it be made.
    #[error("{0}; decided by the moves that follow")]
    Decided(NotationError),
    /// A move of a variation that cannot be made; the rest of the variation is not read.
    #[error("in a variation: {0}")]
    Variation(NotationError),
    /// Variations too deep to follow.
    #[error("variations nested more than {0} deep are not followed")]
    Depth(usize),
    /// A capture written as a quiet move or the other way round, or a move with nothing between
    /// its squares.
    #[error("'{}' is written with a wrong separator or none", shown(.0))]
    Separator(String),
    /// A capture that does not go by the squares in between, but the only one with its ends.
    #[error("'{}' does not go by these squares; taken for the only capture with its ends", shown(.0))]
    Detour(String),
    /// A position set up in the middle of the moves; what follows is not read.
    #[error("a position set up in the middle of the moves: what follows it is not replayed")]
    Setup,
    /// There are more warnings about the game than are kept.
    #[error("and more that is wrong with this game")]
    Many,
    /// The position on the board at the end contradicts the result.
    #[error("the result is {said}, but {side} to move has no move and has lost")]
    Board {
        /// The score of the game.
        said: String,
        /// The side to move.
        side: &'static str,
    },
}

/// A token, its middle left out where it is longer than a message should be.
fn shown(token: &str) -> String {
    const KEPT: usize = 40;
    match token.char_indices().nth(KEPT) {
        None => token.to_owned(),
        Some((at, _)) => format!("{}…", &token[..at]),
    }
}

fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
