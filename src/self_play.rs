//! Collections of games: engines that play them, and how they are stored.
//!
//! - [`Player`] is whoever chooses moves; a [`Description`] makes an engine into one.
//! - [`play`] plays one game to its end: by the rules, by the draw rule, or in draughts when the material
//!   is drawish and the score near zero.
//! - [`SelfPlay`] plays many, each with random numbers of its own, on any number of threads.
//! - [`Match`] plays two players against each other, in pairs of games with colours swapped from the same
//!   opening ([`ballots`]); a [`Score`] says who is stronger, with its error.
//! - [`whole_games`] says which games of a file are whole, so that a killed run goes on.

mod ballots;
mod harness;
mod matches;
mod player;
mod playing;
mod store;

pub use ballots::{BALLOT_PLIES, ballots};
pub use harness::SelfPlay;
pub use matches::{Match, MatchGame, Players, Score, elo};
pub use player::{
    Choice, Deadline, Description, DescriptionError, Judgement, Player, PlayerError, Thinking,
};
pub use playing::{Ending, PlayedGame, play};
pub use store::{GameText, OtherGames, Totals, WholeGames, whole_games};
