//! What the searches know of a position before they search it, and of the way to it.

use crate::engine::{Probe, Value};
use crate::game::Game;
use crate::games::draughts::{Board, Draughts, Duplicates, Move, Position, Rules, Side, Word};

/// A database that knows no position.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoDatabase;

impl<B: Board> Probe<B> for NoDatabase {
    fn probe(&self, _position: &Position<B>) -> Option<Value> {
        None
    }

    fn most_pieces(&self) -> u32 {
        0
    }
}

/// Proof or disproof number of what cannot be reached.
pub(super) const INFINITE: u32 = u32::MAX;

/// How many positions the attacker has to win, and the defender to hold, at least, to settle a
/// position (proof and disproof number).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    pub(super) proof: u32,
    pub(super) disproof: u32,
}

impl Numbers {
    /// The attacker wins.
    pub(super) const WON: Self = Self { proof: 0, disproof: INFINITE };
    /// The attacker does not win.
    pub(super) const HELD: Self = Self { proof: INFINITE, disproof: 0 };

    #[inline(always)]
    pub(super) fn settled(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }
}

/// The numbers that a position has before its moves are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// 1 and 1, as published.
    One,
    /// As much as can be said at once: all moves must be answered where the other side moves.
    Mobility,
}

/// A position on a way from the root.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step<B: Board> {
    pub(super) position: Position<B>,
    /// Plies in a row that can be taken back: of kings, without a capture.
    pub(super) quiet: u32,
}

impl<B: Board> Step<B> {
    pub(super) fn root(position: &Position<B>) -> Self {
        Self { position: *position, quiet: 0 }
    }

    /// The step after `mv`.
    #[inline(always)]
    pub(super) fn after<R: Rules>(&self, game: &Draughts<R, B>, mv: Move<B>) -> Self {
        let mover = self.position.side();
        let from = B::Word::bit(u32::from(mv.from));
        let king = !(self.position.kings(mover) & from).is_empty();
        let mut position = self.position;
        game.play(&mut position, mv);
        let quiet = if king && mv.captured.is_empty() { self.quiet + 1 } else { 0 };
        Self { position, quiet }
    }

    /// Whether the position occurs among the steps before it, `earlier`, the latest last.
    #[inline(always)]
    pub(super) fn repeats<'a>(&self, earlier: impl DoubleEndedIterator<Item = &'a Self>) -> bool {
        // A king needs two moves to be back, so four plies at least.
        self.quiet >= 4
            && earlier
                .rev()
                .take(self.quiet as usize)
                .skip(3)
                .step_by(2)
                .any(|step| step.position == self.position)
    }
}

/// The rules with a database: what is known of positions without a search.
pub(super) struct Leaves<R: Rules, B: Board, P> {
    pub(super) game: Draughts<R, B>,
    pub(super) probe: P,
    most_pieces: u32,
    start: Start,
}

impl<R: Rules, B: Board, P: Probe<B>> Leaves<R, B, P> {
    pub(super) fn new(probe: P, start: Start) -> Self {
        let most_pieces = probe.most_pieces();
        Self { game: Draughts::new(Duplicates::Drop), probe, most_pieces, start }
    }

    /// What the database knows of `position`.
    #[inline(always)]
    pub(super) fn value(&self, position: &Position<B>) -> Option<Value> {
        let pieces = position.pieces(Side::White) | position.pieces(Side::Black);
        let asked = self.most_pieces > 0 && pieces.count() <= self.most_pieces;
        if asked { self.probe.probe(position) } else { None }
    }

    /// The numbers of `position`, settled where the database or the rules tell.
    #[inline(always)]
    pub(super) fn numbers(
        &self,
        position: &Position<B>,
        attacker: Side,
        scratch: &mut Vec<Move<B>>,
    ) -> Numbers {
        let attacking = position.side() == attacker;
        if let Some(value) = self.value(position) {
            let won = match value {
                Value::Win(_) => attacking,
                Value::Draw => false,
                Value::Loss(_) => !attacking,
            };
            return if won { Numbers::WON } else { Numbers::HELD };
        }
        // Where positions start alike, a look at what can move is enough.
        let mobility = match self.start {
            Start::Mobility => self.game.mobility(position, scratch) as u32,
            Start::One => {
                u32::from(self.game.can_step(position) || self.game.can_capture(position))
            }
        };
        match (attacking, mobility) {
            (true, 0) => Numbers::HELD,
            (false, 0) => Numbers::WON,
            (true, mobility) => Numbers { proof: 1, disproof: mobility },
            (false, mobility) => Numbers { proof: mobility, disproof: 1 },
        }
    }
}
