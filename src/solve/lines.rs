//! Positions some moves away, each with the way there.

use crate::game::{Game, Notation};
use crate::games::draughts::{Board, Draughts, Move, Position, Rules};

/// Moves from a position, and where they lead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line<B: Board> {
    /// The moves.
    pub moves: Vec<Move<B>>,
    /// The position after them.
    pub position: Position<B>,
}

impl<B: Board> Line<B> {
    /// No move yet.
    pub fn from(position: Position<B>) -> Self {
        Self { moves: Vec::new(), position }
    }

    /// This line with one more move, legal in its position.
    pub fn with<R: Rules>(&self, game: &Draughts<R, B>, mv: Move<B>) -> Self {
        let mut longer = self.clone();
        longer.moves.push(mv);
        game.play(&mut longer.position, mv);
        longer
    }
}

/// The lines of `plies` moves that begin with `line`, in the canonical order of moves; ways that end
/// earlier are left out.
pub fn lines<R: Rules, B: Board>(game: &Draughts<R, B>, line: Line<B>, plies: u32) -> Vec<Line<B>> {
    let mut lines = vec![line];
    let mut moves = Vec::new();
    for _ in 0..plies {
        let mut longer = Vec::new();
        for line in &lines {
            game.legal_moves(&line.position, &mut moves);
            longer.extend(moves.iter().map(|mv| line.with(game, *mv)));
        }
        lines = longer;
    }
    lines
}

/// The text of `moves`, which begin in `position`, with blanks between.
pub fn write_moves<R: Rules, B: Board>(
    game: &Draughts<R, B>,
    position: &Position<B>,
    moves: &[Move<B>],
) -> String {
    let mut here = *position;
    let texts = moves.iter().map(|mv| {
        let text = game.write_move(&here, *mv);
        game.play(&mut here, *mv);
        text
    });
    texts.collect::<Vec<_>>().join(" ")
}
