//! FEN of positions: `side:colour list:colour list`, for every board size.
//!
//! Source: PDN 3.0, FEN grammar. Squares are numbers, `K` marks a king (before a range: all of it),
//! ranges read `a-b`. Read with leave: colours in any order or missing, spaces around numbers, a
//! trailing dot, and the counters `:H0:F1` that some servers append. Written canonically: White
//! first, squares ascending, no ranges, no dot, no spaces.

use super::board::bits;
use super::{Board, Position, Side, Word};
use crate::game::NotationError;

/// The syntax with the start position of the board as example.
pub(super) fn syntax<B: Board>() -> String {
    let men = B::ROW * (B::ROW - 1);
    format!("FEN, W:W{}-{}:B1-{men}", B::SQUARES - men + 1, B::SQUARES)
}

pub(super) fn write<B: Board>(position: &Position<B>) -> String {
    let list = |side: Side| {
        let squares: Vec<String> = bits(position.pieces(side))
            .map(|bit| {
                let king = !(position.kings & B::Word::bit(bit)).is_empty();
                format!("{}{}", if king { "K" } else { "" }, B::square_of(bit))
            })
            .collect();
        format!("{}{}", side.letter(), squares.join(","))
    };
    format!("{}:{}:{}", position.side.letter(), list(Side::White), list(Side::Black))
}

pub(super) fn read<B: Board>(text: &str) -> Result<Position<B>, NotationError> {
    let text = text.trim();
    let mut sections = text.strip_suffix('.').unwrap_or(text).split(':').map(str::trim);
    let name = sections.next().unwrap_or_default();
    let Some(side) = colour(name).filter(|_| name.len() == 1) else {
        return Err(NotationError::new(name, "no side to move", "W or B before the first ':'"));
    };
    let mut placed = Placed::<B> { pieces: [B::Word::ZERO; 2], kings: B::Word::ZERO };
    let mut seen = [false; 2];
    for section in sections {
        if is_counter(section) {
            continue;
        }
        let Some(owner) = colour(section) else {
            return Err(NotationError::new(section, "no colour", "W or B before its squares"));
        };
        if std::mem::replace(&mut seen[owner as usize], true) {
            return Err(NotationError::new(section, "this colour was listed before", ""));
        }
        let list = section[1..].trim();
        for token in list.split(',').filter(|_| !list.is_empty()) {
            placed.add(owner, token.trim())?;
        }
    }
    if seen == [false; 2] {
        return Err(NotationError::new(text, "no pieces", syntax::<B>()));
    }
    let [white, black] = placed.pieces;
    Ok(Position { white, black, kings: placed.kings, side })
}

fn colour(section: &str) -> Option<Side> {
    match section.chars().next()? {
        'W' => Some(Side::White),
        'B' => Some(Side::Black),
        _ => None,
    }
}

/// `H` and `F` with a number: half-move clock and move number of some servers.
fn is_counter(section: &str) -> bool {
    let digits = section.strip_prefix(['H', 'F']);
    digits.is_some_and(|d| !d.is_empty() && d.bytes().all(|b| b.is_ascii_digit()))
}

struct Placed<B: Board> {
    pieces: [B::Word; 2],
    kings: B::Word,
}

impl<B: Board> Placed<B> {
    /// Adds a square or a range of squares.
    fn add(&mut self, owner: Side, token: &str) -> Result<(), NotationError> {
        let wrong = |problem: &str| {
            NotationError::new(token, problem, format!("squares 1 to {}", B::SQUARES))
        };
        let (king, squares) = match token.strip_prefix('K') {
            Some(rest) => (true, rest),
            None => (false, token),
        };
        let (first, last) = squares.split_once('-').unwrap_or((squares, squares));
        let number = |digits: &str| {
            let digits = digits.trim();
            let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
            let square = plain.then(|| digits.parse::<u32>().ok()).flatten();
            let square = square.ok_or_else(|| wrong("not a square"))?;
            if (1..=B::SQUARES).contains(&square) {
                Ok(square)
            } else {
                Err(wrong("square off the board"))
            }
        };
        let (first, last) = (number(first)?, number(last)?);
        if last < first {
            return Err(wrong("the range runs backwards"));
        }
        for square in first..=last {
            let bit = B::Word::bit(B::bit_of(square));
            if !((self.pieces[0] | self.pieces[1]) & bit).is_empty() {
                return Err(wrong(&format!("square {square} already holds a piece")));
            }
            let far_row = if owner == Side::White { B::TOP } else { B::BOTTOM };
            if !king && !(far_row & bit).is_empty() {
                return Err(wrong(&format!("a man cannot stand on its king row ({square})")));
            }
            self.pieces[owner as usize] |= bit;
            if king {
                self.kings |= bit;
            }
        }
        Ok(())
    }
}
