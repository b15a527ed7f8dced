//! Names of squares: numbers from any corner, or letters and rows as in chess.

use std::borrow::Cow;

use super::game_type::GameType;
use super::tokens::SEPARATORS;
use crate::games::draughts::Board;

/// How the squares of a game are named. Corners as in [`GameType::corner`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Squares {
    /// The corner of square 1.
    pub(super) numbers: u8,
    /// The corner of square a1.
    letters: u8,
}

/// A move as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Written {
    /// Its squares, numbered from the top left.
    pub(super) squares: Vec<u32>,
    /// Whether a sign of a capture stands between them; `None` where nothing does.
    pub(super) capture: Option<bool>,
}

impl Squares {
    /// Numbers from the top left, letters from the bottom left.
    pub(super) const USUAL: Self = Self { numbers: 2, letters: 0 };

    /// What a game type says.
    pub(super) fn of(game_type: &GameType) -> Self {
        if game_type.has_letters() {
            Self { letters: game_type.corner(), ..Self::USUAL }
        } else {
            Self { numbers: game_type.corner(), ..Self::USUAL }
        }
    }

    /// The squares of a move; `None` when one of them is not on the board.
    pub(super) fn read_move<B: Board>(self, text: &str) -> Option<Written> {
        let mut squares = Vec::with_capacity(2);
        let mut capture = None;
        let bytes = text.as_bytes();
        // Four digits are two squares.
        let digits = if text.len() == 4 && text.parse::<u32>().is_ok() { 2 } else { 3 };
        let mut at = 0;
        while at < bytes.len() {
            let letter = bytes[at].is_ascii_alphabetic() && !matches!(bytes[at], b'x' | b'X');
            if letter || bytes[at].is_ascii_digit() {
                let begin = at;
                at += 1;
                while at < bytes.len() && at < begin + digits && bytes[at].is_ascii_digit() {
                    at += 1;
                }
                squares.push(self.square::<B>(&text[begin..at])?);
            } else {
                let sign = text[at..].chars().next().expect("there is a character left");
                if SEPARATORS.contains(&sign) {
                    let takes = matches!(sign, 'x' | 'X' | ':' | '×');
                    capture = Some(takes || capture == Some(true));
                }
                at += sign.len_utf8();
            }
        }
        (squares.len() > 1).then_some(Written { squares, capture })
    }

    /// The number, from the top left, of the square that `name` names.
    fn square<B: Board>(self, name: &str) -> Option<u32> {
        let mut rest = name.chars();
        let first = rest.next()?;
        if first.is_ascii_digit() {
            let number = name.parse::<u32>().ok()?;
            return (1..=B::SQUARES).contains(&number).then(|| self.turned::<B>(number));
        }
        let column = u32::from(first.to_ascii_lowercase()).checked_sub(u32::from('a'))?;
        let row = rest.as_str().parse::<u32>().ok()?.checked_sub(1)?;
        if column >= B::N || row >= B::N {
            return None;
        }
        let column = if self.letters & 1 == 0 { column } else { B::N - 1 - column };
        let row = if self.letters & 2 == 0 { B::N - 1 - row } else { row };
        (column % 2 == (row + 1) % 2).then_some(row * B::ROW + column / 2 + 1)
    }

    /// The number from the top left of the square that has `number` from the corner.
    fn turned<B: Board>(self, number: u32) -> u32 {
        let (row, place) = ((number - 1) / B::ROW, (number - 1) % B::ROW);
        let row = if self.numbers & 2 == 0 { B::N - 1 - row } else { row };
        let place = if self.numbers & 1 == 0 { place } else { B::ROW - 1 - place };
        row * B::ROW + place + 1
    }

    /// `fen` with every square numbered from the top left; what is no square stays as it is.
    pub(super) fn read_fen<B: Board>(self, fen: &str) -> Cow<'_, str> {
        let letters = fen.contains(|c: char| c.is_ascii_lowercase());
        if self.numbers == Self::USUAL.numbers && !letters {
            return Cow::Borrowed(fen);
        }
        let sections: Vec<String> = fen
            .trim()
            .trim_end_matches('.')
            .split(':')
            .map(|part| self.section::<B>(part))
            .collect();
        Cow::Owned(sections.join(":"))
    }

    /// A side to move, or a colour with the squares of its pieces.
    fn section<B: Board>(self, text: &str) -> String {
        let text = text.trim();
        let Some(list) = text.strip_prefix(['W', 'B']).filter(|list| !list.is_empty()) else {
            return text.to_owned();
        };
        let mut names = Vec::new();
        for token in list.split(',').map(str::trim) {
            let (king, squares) =
                token.strip_prefix('K').map_or(("", token), |squares| ("K", squares));
            let range = squares.split_once('-').and_then(|(first, last)| {
                Some((first.trim().parse::<u32>().ok()?, last.trim().parse::<u32>().ok()?))
            });
            match range {
                Some((first, last)) if 1 <= first && first <= last && last <= B::SQUARES => names
                    .extend(
                        (first..=last).map(|square| format!("{king}{}", self.turned::<B>(square))),
                    ),
                _ => names.push(
                    self.square::<B>(squares)
                        .map_or_else(|| token.to_owned(), |square| format!("{king}{square}")),
                ),
            }
        }
        format!("{}{}", &text[..1], names.join(","))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::games::draughts::{B8, B10, B14};

    fn read<B: Board>(squares: Squares, text: &str) -> Option<(Vec<u32>, Option<bool>)> {
        squares.read_move::<B>(text).map(|written| (written.squares, written.capture))
    }

    #[test]
    fn moves_are_read_in_every_form() {
        let usual = |text| read::<B10>(Squares::USUAL, text);
        assert_eq!(usual("32-28"), Some((vec![32, 28], Some(false))));
        assert_eq!(usual(" 1- 7"), Some((vec![1, 7], Some(false))));
        assert_eq!(usual("04x 09X13:1"), Some((vec![4, 9, 13, 1], Some(true))));
        assert_eq!(usual("3228"), Some((vec![32, 28], None)));
        assert_eq!(usual("a1b2"), Some((vec![46, 41], None)));
        assert_eq!(usual("j10-a1"), Some((vec![5, 46], Some(false))));
        for wrong in ["51-46", "0-7", "a2-b3", "k1-a1", "a11-b2", "32", ""] {
            assert_eq!(usual(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn square_1_may_stand_in_any_corner() {
        let first = |numbers| read::<B8>(Squares { numbers, letters: 0 }, "1-32").unwrap().0;
        assert_eq!(first(0), [29, 4]);
        assert_eq!(first(1), [32, 1]);
        assert_eq!(first(2), [1, 32]);
        assert_eq!(first(3), [4, 29]);
        let letters = |letters| read::<B14>(Squares { numbers: 2, letters }, "a1-c1").unwrap().0;
        assert_eq!(letters(0), [92, 93]);
        assert_eq!(letters(3), [7, 6]);
    }

    #[test]
    fn positions_are_turned_with_the_squares() {
        let turned = Squares { numbers: 1, letters: 0 };
        assert_eq!(turned.read_fen::<B8>("B:W1-3,K5:B32."), "B:W32,31,30,K28:B1");
        assert_eq!(Squares::USUAL.read_fen::<B8>("W:Wa1,Kc3:Bh8:H0"), "W:W29,K22:B4:H0");
        assert_eq!(Squares::USUAL.read_fen::<B8>("W:W31:BK1-3."), "W:W31:BK1-3.");
    }
}
