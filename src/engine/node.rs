//! A place in the tree: a position with its key and what draw rules need to know of the way to it.

use super::key::{after, key, mix};
use crate::game::Game;
use crate::games::draughts::draw::{DrawRule, Played, lone_king_opponents};
use crate::games::draughts::{Board, Draughts, Move, Position, Rules, Word};

/// A position on the way from the root, with counters; small enough to copy for every move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<B: Board> {
    pub(super) position: Position<B>,
    /// Key of the position alone.
    pub(super) key: u64,
    /// Fingerprint of what else its value may depend on; 0 when on nothing.
    pub(super) way: u64,
    /// Plies in a row of kings without a capture.
    pub(super) quiet: u32,
    /// Plies counted against a lone king.
    pub(super) lone: u32,
}

/// A draw rule as the search asks about it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Draws {
    repetitions: bool,
    quiet: u32,
    lone: Option<[u32; 2]>,
}

impl Draws {
    pub(super) fn new(rule: DrawRule) -> Self {
        Self {
            repetitions: rule.repetitions.is_some(),
            quiet: rule.quiet_king_plies.unwrap_or(u32::MAX),
            lone: rule.lone_king_plies,
        }
    }

    /// Whether the value of a position can depend on the king moves before it.
    fn remember_kings(&self) -> bool {
        self.repetitions || self.quiet < u32::MAX
    }
}

impl<B: Board> Node<B> {
    /// The node of a game in progress, and the keys of its earlier positions, oldest first.
    pub(super) fn root<R: Rules>(played: &Played<B>, draws: &Draws) -> (Self, Vec<u64>) {
        let earlier: Vec<u64> = played.earlier().iter().map(|p| key::<R, B>(p)).collect();
        let quiet = played.quiet_plies().max(earlier.len() as u32);
        let mut node = Self {
            position: *played.position(),
            key: key::<R, B>(played.position()),
            way: 0,
            quiet,
            lone: played.lone_king_plies(),
        };
        if quiet > 0 && draws.remember_kings() {
            node.way = earlier.iter().fold(mix(u64::from(quiet)), |way, key| mix(way ^ key));
        }
        node.way ^= mix(u64::from(node.lone));
        (node, earlier)
    }

    /// The node after `mv`.
    #[inline(always)]
    pub(super) fn child<R: Rules>(
        &self,
        game: &Draughts<R, B>,
        mv: Move<B>,
        draws: &Draws,
    ) -> Self {
        let before = &self.position;
        let mover = before.side();
        let mut position = *before;
        game.play(&mut position, mv);
        let king_moved = !(before.kings(mover) & B::Word::bit(u32::from(mv.from))).is_empty();
        let captured = !mv.captured.is_empty();
        let mut next = Self {
            position,
            key: after(self.key, before, mv, &position),
            way: 0,
            quiet: 0,
            lone: 0,
        };
        if king_moved && !captured {
            next.quiet = self.quiet + 1;
            if draws.remember_kings() {
                next.way = mix(self.way ^ self.key);
            }
        }
        if draws.lone.is_some() && some_side_has_one_piece(&position) {
            let promoted =
                !king_moved && !(position.kings(mover) & B::Word::bit(u32::from(mv.to))).is_empty();
            if lone_king_opponents(&position).is_some() && !captured && !promoted {
                next.lone = self.lone + 1;
                next.way ^= mix(u64::from(next.lone));
            }
        }
        next
    }

    /// Whether a count of the rule has run out; a side that cannot move has lost all the same.
    #[inline(always)]
    pub(super) fn count_ran_out(&self, draws: &Draws) -> bool {
        if self.quiet >= draws.quiet {
            return true;
        }
        self.lone > 0
            && draws.lone.is_some_and(|limits| {
                let pieces = lone_king_opponents(&self.position);
                pieces.is_some_and(|n| self.lone >= if n == 3 { limits[0] } else { limits[1] })
            })
    }
}

#[inline(always)]
fn some_side_has_one_piece<B: Board>(position: &Position<B>) -> bool {
    use crate::games::draughts::Side::{Black, White};
    [White, Black].into_iter().any(|side| {
        let pieces = position.pieces(side);
        !pieces.is_empty() && pieces.without_lowest().is_empty()
    })
}

/// The keys of the positions on the way to the node in hand, the game before the root included.
#[derive(Clone, Debug, Default)]
pub(super) struct Line {
    keys: Vec<u64>,
}

impl Line {
    pub(super) fn start(&mut self, earlier: &[u64]) {
        self.keys.clear();
        self.keys.extend_from_slice(earlier);
    }

    #[inline(always)]
    pub(super) fn enter(&mut self, key: u64) {
        self.keys.push(key);
    }

    #[inline(always)]
    pub(super) fn leave(&mut self) {
        self.keys.pop();
    }

    /// Whether the position of `node`, which is not entered yet, has occurred before.
    #[inline(always)]
    pub(super) fn repeats<B: Board>(&self, node: &Node<B>, draws: &Draws) -> bool {
        // A king needs two moves to be back, so four plies at least.
        if !draws.repetitions || node.quiet < 4 {
            return false;
        }
        let since = self.keys.iter().rev().take(node.quiet as usize);
        since.skip(3).step_by(2).any(|key| *key == node.key)
    }
}
