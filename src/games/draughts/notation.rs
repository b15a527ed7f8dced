//! Moves in standard notation: `32-28`, `28x19`, and `46x32x23x5` where the short form of a capture
//! would mean more than one.
//!
//! The short form names origin and destination. The long form names every square where the piece
//! turns or rests; of the paths that make one move, the one whose squares come first in
//! lexicographic order is written. Both forms are read, with `x` or `:` between the squares of a
//! capture and leading zeros allowed.

use super::board::Direction;
use super::rules::{King, PassingPromotion, Rules};
use super::{Board, Duplicates, Move, Position, Side, Word, movegen};
use crate::game::NotationError;

pub(super) fn write<R: Rules, B: Board>(position: &Position<B>, mv: Move<B>) -> String {
    let mut moves = Vec::new();
    movegen::list::<R, B>(position, Duplicates::Drop, &mut moves);
    let namesakes = moves.iter().filter(|m| m.from == mv.from && m.to == mv.to).count();
    if namesakes > 1 { long::<R, B>(position, mv) } else { short(mv) }
}

fn short<B: Board>(mv: Move<B>) -> String {
    let sign = if mv.captured.is_empty() { '-' } else { 'x' };
    let square = |bit: u8| B::square_of(u32::from(bit));
    format!("{}{sign}{}", square(mv.from), square(mv.to))
}

/// The capture `mv` with all its squares.
fn long<R: Rules, B: Board>(position: &Position<B>, mv: Move<B>) -> String {
    let mut paths = paths::<R, B>(position, mv);
    paths.sort_unstable();
    let path = paths.first().expect("a legal capture has a path");
    let squares: Vec<String> = path.iter().map(u32::to_string).collect();
    squares.join("x")
}

pub(super) fn read<R: Rules, B: Board>(
    position: &Position<B>,
    text: &str,
) -> Result<Move<B>, NotationError> {
    let mut moves = Vec::new();
    movegen::list::<R, B>(position, Duplicates::Drop, &mut moves);
    let legal = || {
        let names: Vec<String> = moves.iter().map(|mv| write::<R, B>(position, *mv)).collect();
        if names.is_empty() { "none, the game is over".to_owned() } else { names.join(" ") }
    };
    let capture = text.contains(['x', ':']);
    let tokens = text.trim().split(if capture { &['x', ':'][..] } else { &['-'][..] });
    let squares: Option<Vec<u32>> = tokens.map(|t| t.parse().ok()).collect();
    let squares = squares.filter(|s| if capture { s.len() >= 2 } else { s.len() == 2 });
    let Some(squares) = squares else {
        return Err(NotationError::new(text, "not a move", "32-28, 28x19 or 46x32x23x5"));
    };
    let square = |bit: u8| B::square_of(u32::from(bit));
    let ends = (squares[0], *squares.last().expect("two squares at least"));
    let mut named: Vec<Move<B>> = moves
        .iter()
        .filter(|mv| capture != mv.captured.is_empty() && ends == (square(mv.from), square(mv.to)))
        .copied()
        .collect();
    if named.len() > 1 || squares.len() > 2 {
        let goes_by_squares = |mv: &Move<B>| paths::<R, B>(position, *mv).contains(&squares);
        // Two squares may be the whole path of one jump beside a tour with the same ends.
        if squares.len() > 2 || named.iter().any(goes_by_squares) {
            named.retain(goes_by_squares);
        }
    }
    match named[..] {
        [mv] => Ok(mv),
        [] => Err(NotationError::new(text, "not a legal move here", legal())),
        _ => {
            let names: Vec<String> = named.iter().map(|mv| long::<R, B>(position, *mv)).collect();
            Err(NotationError::new(text, "an ambiguous capture", names.join(" ")))
        }
    }
}

/// Every list of squares, origin and destination included, by which the capture `mv` can be made.
fn paths<R: Rules, B: Board>(position: &Position<B>, mv: Move<B>) -> Vec<Vec<u32>> {
    let from = B::Word::bit(u32::from(mv.from));
    let walker = Walker::<B> {
        empty: position.empty() | from,
        to: B::Word::bit(u32::from(mv.to)),
        flying: R::KING == King::Flying && !(position.kings & from).is_empty(),
        stop: if (position.kings & from).is_empty()
            && R::PASSING_PROMOTION == PassingPromotion::Ends
        {
            if position.side == Side::White { B::TOP } else { B::BOTTOM }
        } else {
            B::Word::ZERO
        },
        directions: if !(position.kings & from).is_empty() || R::MEN_CAPTURE_BACKWARDS {
            &Direction::ALL
        } else if position.side == Side::White {
            &Direction::UP
        } else {
            &Direction::DOWN
        },
    };
    let mut found = Vec::new();
    let mut path = vec![B::square_of(u32::from(mv.from))];
    walker.walk(from, mv.captured, &mut path, &mut found);
    found
}

struct Walker<B: Board> {
    empty: B::Word,
    to: B::Word,
    flying: bool,
    stop: B::Word,
    directions: &'static [Direction],
}

impl<B: Board> Walker<B> {
    /// Goes on from `at` until all of `left` is captured.
    fn walk(&self, at: B::Word, left: B::Word, path: &mut Vec<u32>, found: &mut Vec<Vec<u32>>) {
        if left.is_empty() {
            if at == self.to {
                found.push(path.clone());
            }
            return;
        }
        if path.len() > 1 && !(at & self.stop).is_empty() {
            return;
        }
        for &direction in self.directions {
            let mut victim = B::step(at, direction);
            while self.flying && !(victim & self.empty).is_empty() {
                victim = B::step(victim, direction);
            }
            if (victim & left).is_empty() {
                continue;
            }
            let mut landing = B::step(victim, direction) & self.empty;
            while !landing.is_empty() {
                path.push(B::square_of(landing.lowest()));
                self.walk(landing, left & !victim, path, found);
                path.pop();
                landing = if self.flying {
                    B::step(landing, direction) & self.empty
                } else {
                    B::Word::ZERO
                };
            }
        }
    }
}
