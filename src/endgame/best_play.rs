//! What the moves of a position are worth, and how a game goes on when both sides play best.

use std::cmp::Reverse;

use crate::engine::{Probe, Value};
use crate::game::Game;
use crate::games::draughts::{Board, Draughts, Move, Position, Rules, Word};

/// A legal move with its value for the side that makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice<B: Board> {
    /// The move.
    pub mv: Move<B>,
    /// The position it leads to.
    pub position: Position<B>,
    /// What it gives the side that makes it, counted from before the move.
    pub value: Value,
}

/// A larger key for a better value: fast wins, slow wins, draws, slow losses, fast losses.
pub fn preference(value: Value) -> (i32, i64) {
    match value {
        Value::Win(plies) => (1, -i64::from(plies)),
        Value::Draw => (0, 0),
        Value::Loss(plies) => (-1, i64::from(plies)),
    }
}

/// The legal moves of `position`, the best first and equal ones in canonical order; `None` when the
/// value of one is not known.
pub fn choices<R: Rules, B: Board>(
    game: &Draughts<R, B>,
    database: &impl Probe<B>,
    position: &Position<B>,
) -> Option<Vec<Choice<B>>> {
    let mut moves = Vec::new();
    game.legal_moves(position, &mut moves);
    let choice = |mv: &Move<B>| {
        let mut next = *position;
        game.play(&mut next, *mv);
        let value = database.probe(&next)?.before();
        Some(Choice { mv: *mv, position: next, value })
    };
    let mut choices: Vec<Choice<B>> = moves.iter().map(choice).collect::<Option<_>>()?;
    choices.sort_by_key(|choice| Reverse(preference(choice.value)));
    Some(choices)
}

/// The moves to the end of a decided game, the first of the best each time; none for a draw, which has no
/// end. `None` when a value is not known.
pub fn line<R: Rules, B: Board>(
    game: &Draughts<R, B>,
    database: &impl Probe<B>,
    position: &Position<B>,
) -> Option<Vec<Choice<B>>> {
    let mut line: Vec<Choice<B>> = Vec::new();
    if database.probe(position)? == Value::Draw {
        return Some(line);
    }
    loop {
        let here = line.last().map_or(*position, |choice| choice.position);
        match choices(game, database, &here)?.first() {
            // Each move of a right database brings the end nearer by one.
            Some(best) if line.len() <= 2 * super::bytes::LONGEST as usize => line.push(*best),
            _ => return Some(line),
        }
    }
}

/// The most moves of kings without a capture, of either side, that follow one another in a line from
/// `position`.
pub fn king_moves_in_a_row<B: Board>(position: &Position<B>, line: &[Choice<B>]) -> u32 {
    let mut before = *position;
    let (mut most, mut now) = (0, 0);
    for choice in line {
        let from = B::Word::bit(u32::from(choice.mv.from));
        let king = !(before.kings(before.side()) & from).is_empty();
        now = if king && choice.mv.captured.is_empty() { now + 1 } else { 0 };
        most = most.max(now);
        before = choice.position;
    }
    most
}
