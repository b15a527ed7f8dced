//! The games in which every move is nearly as good as the best: a game of its own, a part of another.
//! What a move is worth is said in [`super::policy`].

use super::method::MOST_LOOK_AHEAD;
use super::policy::judge;
use crate::game::{Game, Outcome, Scored};

/// `game` without the moves that are worth less than the best by more than `margin`.
pub(super) struct Sensible<'a, G> {
    pub(super) game: &'a G,
    /// Plies of the search that judges a move; 0 for the static evaluation.
    pub(super) look_ahead: u32,
    pub(super) margin: f64,
}

impl<G: Scored> Game for Sensible<'_, G> {
    type Position = G::Position;
    type Move = G::Move;

    fn initial(&self) -> G::Position {
        self.game.initial()
    }

    fn legal_moves(&self, position: &G::Position, moves: &mut Vec<G::Move>) {
        self.game.legal_moves(position, moves);
        if moves.len() < 2 {
            return;
        }
        let mut lists = [const { Vec::new() }; MOST_LOOK_AHEAD as usize + 1];
        let mut values = Vec::with_capacity(moves.len());
        judge(self.game, position, moves, self.look_ahead, &mut lists, &mut values);
        let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut values = values.into_iter();
        moves.retain(|_| values.next().is_some_and(|value| value >= best - self.margin));
    }

    fn play(&self, position: &mut G::Position, mv: G::Move) {
        self.game.play(position, mv);
    }

    fn counts_as_ply(&self, position: &G::Position) -> bool {
        self.game.counts_as_ply(position)
    }
}

impl<G: Scored> Scored for Sensible<'_, G> {
    fn outcome(&self, terminal: &G::Position) -> Outcome {
        self.game.outcome(terminal)
    }

    fn first_moves(&self, position: &G::Position) -> bool {
        self.game.first_moves(position)
    }

    fn evaluate(&self, position: &G::Position) -> f64 {
        self.game.evaluate(position)
    }

    fn class(&self, position: &G::Position) -> u64 {
        self.game.class(position)
    }
}
