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
    let from = B::Word::bit(u32::from(mv.from));
    let mut path = vec![B::square_of(u32::from(mv.from))];
    let found = Walker::of::<R>(position, mv).first(from, mv.captured, &mut path);
    assert!(found, "a legal capture has a path");
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
        let goes_by_squares = |mv: &Move<B>| {
            let from = B::Word::bit(u32::from(mv.from));
            Walker::of::<R>(position, *mv).goes_by(from, mv.captured, &squares[1..])
        };
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
            Err(NotationError::ambiguous(text, &names))
        }
    }
}

/// Follows the piece that makes a capture from square to square.
struct Walker<B: Board> {
    empty: B::Word,
    to: B::Word,
    flying: bool,
    stop: B::Word,
    directions: &'static [Direction],
}

impl<B: Board> Walker<B> {
    fn of<R: Rules>(position: &Position<B>, mv: Move<B>) -> Self {
        let from = B::Word::bit(u32::from(mv.from));
        let man = (position.kings & from).is_empty();
        Self {
            empty: position.empty() | from,
            to: B::Word::bit(u32::from(mv.to)),
            flying: R::KING == King::Flying && !man,
            stop: if man && R::PASSING_PROMOTION == PassingPromotion::Ends {
                if position.side == Side::White { B::TOP } else { B::BOTTOM }
            } else {
                B::Word::ZERO
            },
            directions: if !man || R::MEN_CAPTURE_BACKWARDS {
                &Direction::ALL
            } else if position.side == Side::White {
                &Direction::UP
            } else {
                &Direction::DOWN
            },
        }
    }

    /// The jumps from `at` over one of `left`, as squares of landing and victim.
    fn jumps(&self, at: B::Word, left: B::Word) -> impl Iterator<Item = (B::Word, B::Word)> {
        self.directions.iter().flat_map(move |&direction| {
            let mut victim = B::step(at, direction);
            while self.flying && !(victim & self.empty).is_empty() {
                victim = B::step(victim, direction);
            }
            let victim = victim & left;
            let mut landing = if victim.is_empty() {
                B::Word::ZERO
            } else {
                B::step(victim, direction) & self.empty
            };
            std::iter::from_fn(move || {
                let jump = (!landing.is_empty()).then_some((landing, victim));
                landing = if self.flying {
                    B::step(landing, direction) & self.empty
                } else {
                    B::Word::ZERO
                };
                jump
            })
        })
    }

    /// Whether the piece at `at` is stopped by its promotion after the first jump.
    fn stopped(&self, at: B::Word) -> bool {
        !(at & self.stop).is_empty()
    }

    /// Whether the capture of all of `left` from `at` can land on just the squares of `path`.
    fn goes_by(&self, at: B::Word, left: B::Word, path: &[u32]) -> bool {
        let Some((&next, rest)) = path.split_first() else {
            return left.is_empty() && at == self.to;
        };
        self.jumps(at, left).any(|(landing, victim)| {
            B::square_of(landing.lowest()) == next
                && (rest.is_empty() || !self.stopped(landing))
                && self.goes_by(landing, left & !victim, rest)
        })
    }

    /// Extends `path` by the squares of the capture of all of `left` from `at` that come first in
    /// lexicographic order; false, and `path` as it was, when there is no way.
    fn first(&self, at: B::Word, left: B::Word, path: &mut Vec<u32>) -> bool {
        if left.is_empty() {
            return at == self.to;
        }
        if path.len() > 1 && self.stopped(at) {
            return false;
        }
        let mut jumps: Vec<(B::Word, B::Word)> = self.jumps(at, left).collect();
        jumps.sort_unstable();
        for (landing, victim) in jumps {
            path.push(B::square_of(landing.lowest()));
            if self.first(landing, left & !victim, path) {
                return true;
            }
            path.pop();
        }
        false
    }
}
