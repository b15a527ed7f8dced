//! The tag `GameType`: which rules and board a game is played by, and how its squares are named.
//!
//! Syntax: `number[,start colour,width,height,notation[,invert flag]]`, where the notation is a letter
//! (A as in chess, N numbers, S short) and the corner of the first square seen by the player who
//! starts: 0 bottom left, 1 bottom right, 2 top left, 3 top right. Source: PDN 3.0 draft, section
//! on the GameType tag. The flag says that the bottom left corner is no playing square.

use std::fmt;

use crate::games::catalog::{GameSpec, Parameters};
use crate::games::draughts::{Board, Rules, Side};

/// A row of the table of game types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Family {
    /// The number in the tag.
    pub number: u32,
    /// What the variant is called.
    pub name: &'static str,
    /// The name of our rules, where we have them.
    rules: Option<&'static str>,
    start: Side,
    width: u32,
    height: u32,
    notation: Notation,
}

/// How squares are named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Notation {
    letter: char,
    corner: u8,
    inverted: bool,
}

const fn row(
    number: u32,
    name: &'static str,
    rules: Option<&'static str>,
    start: Side,
    (width, height): (u32, u32),
    (letter, corner, inverted): (char, u8, bool),
) -> Family {
    let notation = Notation { letter, corner, inverted };
    Family { number, name, rules, start, width, height, notation }
}

/// Every variant with a number, with what a bare number stands for.
const FAMILIES: [Family; 14] = {
    use Side::{Black, White};
    let (international, english) = (Some("draughts"), Some("checkers"));
    [
        row(20, "international draughts", international, White, (10, 10), ('N', 2, false)),
        row(21, "English draughts", english, Black, (8, 8), ('N', 1, false)),
        row(22, "Italian draughts", None, White, (8, 8), ('N', 2, true)),
        row(23, "American pool checkers", None, Black, (8, 8), ('N', 1, false)),
        row(24, "Spanish draughts", None, White, (8, 8), ('N', 1, true)),
        row(25, "Russian draughts", None, White, (8, 8), ('A', 0, false)),
        row(26, "Brazilian draughts", international, White, (8, 8), ('A', 0, false)),
        row(27, "Canadian draughts", international, White, (12, 12), ('N', 2, false)),
        row(28, "Portuguese draughts", None, White, (8, 8), ('N', 1, true)),
        row(29, "Czech draughts", None, White, (8, 8), ('A', 0, false)),
        row(30, "Turkish draughts", None, White, (8, 8), ('A', 0, false)),
        row(31, "Thai draughts", None, Black, (8, 8), ('N', 2, false)),
        row(40, "Frisian draughts", None, White, (10, 10), ('N', 2, false)),
        row(41, "Spantsiretti draughts", None, White, (10, 8), ('A', 0, false)),
    ]
};

/// What a tag `GameType` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameType {
    family: Family,
    start: Side,
    width: u32,
    height: u32,
    notation: Notation,
}

impl GameType {
    /// The type of games with rules `R` on board `B`.
    pub fn of<R: Rules, B: Board>() -> Self {
        Self::of_rules(R::NAME, B::N).expect("the table has a row for each of our rules")
    }

    /// The type of games of `spec`; `None` when it is no game of draughts.
    pub fn of_game(spec: &GameSpec) -> Option<Self> {
        let (rules, size) = spec.draughts()?;
        Self::of_rules(rules, size)
    }

    fn of_rules(rules: &str, size: u32) -> Option<Self> {
        let ours = || FAMILIES.iter().filter(|family| family.rules == Some(rules));
        let family = *ours().find(|family| family.width == size).or_else(|| ours().next())?;
        // Moves are written with numbers from the top left; Black sees that corner bottom right.
        let corner = if family.start == Side::White { 2 } else { 1 };
        let notation = Notation { letter: 'N', corner, inverted: false };
        Some(Self { family, start: family.start, width: size, height: size, notation })
    }

    /// Reads the value of the tag.
    ///
    /// # Errors
    /// When the number is missing or unknown, or what follows it does not have the form.
    pub fn read(text: &str) -> Result<Self, GameTypeError> {
        let wrong = |part: &str, problem: &'static str| GameTypeError {
            part: part.trim().to_owned(),
            problem,
        };
        let parts: Vec<&str> = text.split(',').map(str::trim).collect();
        let number: u32 =
            parts[0].parse().map_err(|_| wrong(parts[0], "no number of a game type"))?;
        let known = FAMILIES.iter().find(|family| family.number == number);
        let family = *known.ok_or_else(|| wrong(parts[0], "an unknown game type"))?;
        let mut read = Self::bare(family);
        match parts[..] {
            [_] => return Ok(read),
            [_, start, width, height, notation, ref rest @ ..] if rest.len() <= 1 => {
                read.start = match start {
                    "W" | "w" => Side::White,
                    "B" | "b" => Side::Black,
                    _ => return Err(wrong(start, "no start colour, W or B")),
                };
                let size = |part: &str| {
                    let size = part.parse::<u32>().ok().filter(|size| (1..=100).contains(size));
                    size.ok_or_else(|| wrong(part, "no width or height of a board"))
                };
                (read.width, read.height) = (size(width)?, size(height)?);
                read.notation = Notation::read(notation, rest.first().copied())
                    .ok_or_else(|| wrong(notation, "no notation such as N2 or A0"))?;
            }
            _ => return Err(wrong(text, "a game type with too many or too few parts")),
        }
        Ok(read)
    }

    /// What the bare number of `family` stands for.
    fn bare(family: Family) -> Self {
        Self {
            family,
            start: family.start,
            width: family.width,
            height: family.height,
            notation: family.notation,
        }
    }

    /// The variant.
    pub fn family(&self) -> Family {
        self.family
    }

    /// The colour that moves first in the variant and whose points stand first in a score.
    pub fn first(&self) -> Side {
        self.family.start
    }

    /// The game, without draw rule; `None` when we do not have its rules or its board.
    pub fn game(&self) -> Option<GameSpec> {
        let rules = self.family.rules.filter(|_| self.width == self.height)?;
        GameSpec::new(&format!("{rules}-{}", self.width), &Parameters::default()).ok()
    }

    /// The variant and, where it is not the usual one, the board.
    pub(super) fn describe(&self) -> String {
        let Self { family, width, height, .. } = *self;
        if (width, height) == (family.width, family.height) {
            family.name.to_owned()
        } else {
            format!("{} on {width}x{height}", family.name)
        }
    }

    /// Whether squares have letters as in chess.
    pub(super) fn has_letters(&self) -> bool {
        self.notation.letter != 'N'
    }

    /// The corner of square 1 with White at the bottom: 0 bottom left, 1 bottom right, 2 top left,
    /// 3 top right.
    pub fn corner(&self) -> u8 {
        match self.start {
            Side::White => self.notation.corner,
            Side::Black => 3 - self.notation.corner,
        }
    }
}

impl Notation {
    fn read(text: &str, flag: Option<&str>) -> Option<Self> {
        let mut letters = text.chars();
        let letter = letters.next().filter(|letter| matches!(letter, 'A' | 'N' | 'S'))?;
        let corner = letters.next()?.to_digit(10).filter(|corner| *corner <= 3)?;
        let inverted = match flag {
            None | Some("0") => false,
            Some("1") => true,
            Some(_) => return None,
        };
        letters.next().is_none().then_some(Self { letter, corner: corner as u8, inverted })
    }
}

impl fmt::Display for GameType {
    /// The full form, e.g. `20,W,10,10,N2,0`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Notation { letter, corner, inverted } = self.notation;
        let (number, start) = (self.family.number, self.start.letter());
        let (width, height, flag) = (self.width, self.height, u8::from(inverted));
        write!(f, "{number},{start},{width},{height},{letter}{corner},{flag}")
    }
}

/// A value of the tag that names no game type.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("GameType '{part}': {problem}")]
pub struct GameTypeError {
    /// The offending part.
    pub part: String,
    /// What is wrong with it.
    pub problem: &'static str,
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::games::draughts::{B6, B8, B10, B12, B14, Checkers, International};

    #[test]
    fn every_game_of_ours_is_read_back_from_its_type() {
        let types = [
            (GameType::of::<International, B6>(), "20,W,6,6,N2,0", "draughts-6"),
            (GameType::of::<International, B8>(), "26,W,8,8,N2,0", "draughts-8"),
            (GameType::of::<International, B10>(), "20,W,10,10,N2,0", "draughts-10"),
            (GameType::of::<International, B12>(), "27,W,12,12,N2,0", "draughts-12"),
            (GameType::of::<International, B14>(), "20,W,14,14,N2,0", "draughts-14"),
            (GameType::of::<Checkers, B6>(), "21,B,6,6,N1,0", "checkers-6"),
            (GameType::of::<Checkers, B8>(), "21,B,8,8,N1,0", "checkers-8"),
        ];
        for (game_type, text, id) in types {
            assert_eq!(game_type.to_string(), text);
            let read = GameType::read(text).unwrap();
            assert_eq!(read, game_type);
            let game = read.game().unwrap();
            assert_eq!(game.id(), id);
            assert_eq!(GameType::of_game(&game), Some(game_type));
            assert_eq!(read.corner(), 2, "{text}: square 1 is top left");
        }
    }

    #[test]
    fn bare_numbers_and_foreign_variants_are_known() {
        let game = |text| GameType::read(text).unwrap().game().map(|game| game.id());
        assert_eq!(game("20").as_deref(), Some("draughts-10"));
        assert_eq!(game("21").as_deref(), Some("checkers-8"));
        assert_eq!(game("26").as_deref(), Some("draughts-8"));
        assert_eq!(game("25"), None);
        assert_eq!(game("20,W,10,8,N2,0"), None);
        assert_eq!(GameType::read("25").unwrap().family().name, "Russian draughts");
    }

    #[test]
    fn what_is_no_game_type_is_named() {
        let cases = [
            ("", "''"),
            ("x", "'x'"),
            ("99", "'99'"),
            ("20,W", "'20,W'"),
            ("20,Z,10,10,N2,0", "'Z'"),
            ("20,W,ten,10,N2,0", "'ten'"),
            ("20,W,10,10,N4,0", "'N4'"),
            ("20,W,10,10,N2,0,7", "'20,W,10,10,N2,0,7'"),
        ];
        for (text, part) in cases {
            let error = GameType::read(text).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
