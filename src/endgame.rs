//! Endgame databases: the value of every position with few pieces, with the distance in plies.
//!
//! A value is a win, a draw or a loss for the side to move when both sides play as well as can be,
//! with the number of plies to the end, which the winner keeps small and the loser large. The side that
//! cannot move has lost; draw rules play no part. Positions with a capture to be made and positions
//! without a move have their values like all others.
//!
//! - [`slices`]: what is kept: one byte ([`bytes`]) for every placement of men and kings of both
//!   colours, at least one of each, up to a number of pieces, turned boards with exchanged colours
//!   once.
//! - [`build`]: slices in the order of pieces and men, each configuration of men by retrograde
//!   analysis over king moves, in memory and as files.
//! - [`Database`]: files, mapped into memory, asked at random.
//! - [`summary`], [`best_play`], [`verify`]: what is in a database, and whether it is right.

pub mod best_play;
mod build;
pub mod bytes;
mod database;
mod file;
pub mod known;
mod retrograde;
pub mod slices;
pub mod summary;
mod tables;
mod verify;

pub use build::{BuildError, Folder, Stage, build};
pub use database::{DEFAULT_CACHE, Database, OpenError};
pub use file::FileError;
pub use tables::Tables;
pub use verify::{VerifyError, verify};

use crate::engine::Value;
use crate::games::draughts::{Board, Draughts, Duplicates, Position, Rules, Word};

/// The name of a game in files: `checkers-6`.
pub fn game_name<R: Rules, B: Board>() -> String {
    format!("{}-{}", R::NAME, B::N)
}

/// The value of a position in which a colour has no piece; `None` for all others.
fn without_pieces<R: Rules, B: Board>(position: &Position<B>) -> Option<Value> {
    let side = position.side();
    if position.pieces(side).is_empty() {
        return Some(Value::Loss(0));
    }
    if !position.pieces(side.other()).is_empty() {
        return None;
    }
    let game = Draughts::<R, B>::new(Duplicates::Drop);
    Some(if game.can_step(position) { Value::Win(1) } else { Value::Loss(0) })
}
