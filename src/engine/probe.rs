//! What a search asks of an endgame database.

use std::sync::Arc;

use crate::games::draughts::{Board, Position};

/// The value of a position for the side to move, when both sides play as well as can be: the
/// winner as fast, the loser as long as possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// Won; the opponent has no move after this many plies, an odd number.
    Win(u32),
    /// Neither side can win.
    Draw,
    /// Lost; the side to move has no move after this many plies, an even number.
    Loss(u32),
}

impl Value {
    /// `win`, `draw` or `loss`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Win(_) => "win",
            Self::Draw => "draw",
            Self::Loss(_) => "loss",
        }
    }

    /// The plies to the end; a draw has none.
    pub fn plies(self) -> Option<u32> {
        match self {
            Self::Win(plies) | Self::Loss(plies) => Some(plies),
            Self::Draw => None,
        }
    }

    /// What this, the value after a move, is to the side that makes the move, counted from before it.
    pub fn before(self) -> Self {
        match self {
            Self::Win(plies) => Self::Loss(plies + 1),
            Self::Draw => Self::Draw,
            Self::Loss(plies) => Self::Win(plies + 1),
        }
    }
}

/// Something that knows the exact value of some positions under one set of rules, with no regard to
/// draw rules and to what was played before.
pub trait Probe<B: Board>: Sync {
    /// The value of `position`; `None` when it is not known. Positions with a capture to be made, or
    /// without a move, are asked for like all others.
    fn probe(&self, position: &Position<B>) -> Option<Value>;

    /// The most pieces of a position that can be known; with more, asking is in vain.
    fn most_pieces(&self) -> u32;

    /// Why positions have been taken for unknown that should be known: the first damage that was met, in
    /// one line.
    fn damage(&self) -> Option<String> {
        None
    }
}

impl<B: Board, P: Probe<B> + ?Sized> Probe<B> for &P {
    fn probe(&self, position: &Position<B>) -> Option<Value> {
        (**self).probe(position)
    }

    fn most_pieces(&self) -> u32 {
        (**self).most_pieces()
    }

    fn damage(&self) -> Option<String> {
        (**self).damage()
    }
}

impl<B: Board, P: Probe<B> + Send + ?Sized> Probe<B> for Arc<P> {
    fn probe(&self, position: &Position<B>) -> Option<Value> {
        (**self).probe(position)
    }

    fn most_pieces(&self) -> u32 {
        (**self).most_pieces()
    }

    fn damage(&self) -> Option<String> {
        (**self).damage()
    }
}
