//! Games of draughts as text: Portable Draughts Notation, read and written.
//!
//! Sources: PDN 2.0 (A. Millett), and the PDN 3.0 draft (W. Wesselink, H. Grimminck) for the grammar
//! for reading, the GameType table and the numbering of squares. Three levels, each usable
//! alone:
//!
//! - [`TextGame`] is a game as it stands in the text, whatever its rules; [`Source::games`] reads
//!   them one by one. Nothing is dropped silently: what cannot be understood becomes a [`Warning`] with
//!   game, line and column. [`push_text_game`] writes it back with comments and variations.
//! - [`GameType`] says which rules and board, which colour `1-0` names, and where square 1 is.
//! - [`Record`] is a game as moves of the rules core. [`replay()`] plays a [`TextGame`] through and
//!   makes one of it, [`push_record`] writes it.
//!
//! # Which game is meant
//!
//! Boards of ours that have no number of their own use the number of their rules with the size
//! spelled out, as the syntax of the tag allows: `20,W,14,14,N2,0` is international draughts on
//! 14x14, `21,B,6,6,N1,0` is checkers on 6x6. International rules on 8x8 and 12x12 are written with
//! the numbers of Brazilian and Canadian draughts, 26 and 27.
//!
//! # Who has won
//!
//! A result in the text is a score of two numbers, the player who moves first in the variant first:
//! White in international draughts, **Black in checkers**, where `1-0` is a win for Black. A
//! [`Record`] stores the winner as a colour, so nobody has to remember that.

mod game_type;
mod record;
mod replay;
mod source;
mod squares;
mod syntax;
mod tokens;
mod warning;
mod write;

pub use game_type::{Family, GameType, GameTypeError};
pub use record::{DEPTH_TAG, GameResult, Record, SEED_TAG, Tag, Termination};
pub use replay::{Replay, Spelling, replay, respell};
pub use source::{Place, Source, pack};
pub use syntax::{Games, Item, TextGame, TextTag};
pub use warning::{Flaw, Warning};
pub use write::{push_record, push_text_game};
