//! Collections of games: engines that play them, how they are stored, how they branch and how long
//! they are.
//!
//! - [`Player`] is whoever chooses moves; a [`Description`] makes an engine into one.
//! - [`play`] plays one game to its end: by the rules, by the draw rule, or in draughts when the material
//!   is drawish and the score near zero.
//! - [`SelfPlay`] plays many, each with random numbers of its own, on any number of threads.
//! - [`Match`] plays two players against each other, in pairs of games with colours swapped from the same
//!   opening ([`ballots`]); a [`Score`] says who is stronger, with its error.
//! - [`whole_games`] says which games of a file are whole, so that a killed run goes on.
//! - [`StopAt`] says at how many pieces a game is taken to be over, [`Profile`] is what one game
//!   contributes, cut off there, [`Tally`] what many games do: sums that merge exactly.
//! - [`pooled`] makes estimates of tallies: b, d and b^d with their errors, [`as_published`] as in J. J. van
//!   Horssen, *Complexity of checkers and draughts on different board sizes*, section 3.

mod ballots;
mod description;
mod harness;
mod matches;
mod perfect_player;
mod player;
mod playing;
mod profile;
mod statistics;
mod store;
mod tally;

pub use ballots::{BALLOT_PLIES, ballots};
pub use description::{Deadline, Description, DescriptionError, Judgement, Thinking};
pub use harness::{Knowledge, SelfPlay};
pub use matches::{Match, MatchGame, Players, Score, elo};
pub use player::{Choice, DatabasePlace, Player, PlayerError, SharedDatabase};
pub use playing::{Ending, PlayedGame, play};
pub use profile::{Profile, StopAt};
pub use statistics::{
    BRANCHING_FROM_DEPTH, Estimate, GameTree, LENGTH_DEPTHS, as_published, mean_at_ply, pooled,
};
pub use store::{GameText, OtherGames, Totals, WholeGames, whole_games};
pub use tally::{AtPly, Tally};
