//! Othello positions as text: the board and the side to move, or a transcript of moves.

use super::{Othello, Position, Square};
use crate::game::{Game, Notation, NotationError};

const CELLS: &str = "X for Black, O for White, - for an empty square";

impl Notation for Othello {
    fn position_syntax(&self) -> String {
        format!(
            "{} characters ({CELLS}), row by row from a1, a space and the side to move X or O; \
             or a transcript: d3c3b3 (forced passes may be left out)",
            self.size * self.size
        )
    }

    fn write_position(&self, position: &Position) -> String {
        let (black, white) = position.by_colour();
        let disc = |bit: u32| match ((black >> bit) & 1, (white >> bit) & 1) {
            (1, _) => 'X',
            (_, 1) => 'O',
            _ => '-',
        };
        let board: String = self.squares().map(disc).collect();
        format!("{board} {}", if position.first_moves { 'X' } else { 'O' })
    }

    fn read_position(&self, text: &str) -> Result<Position, NotationError> {
        let text = text.trim().trim_end_matches(';').trim_end();
        let starts_transcript = |c: char| matches!(c.to_ascii_lowercase(), 'a'..='h' | 'p');
        match text.chars().next() {
            Some(first) if starts_transcript(first) => self.read_transcript(text),
            Some(_) => self.read_board(text),
            None => Err(NotationError::new(text, "is no position", self.position_syntax())),
        }
    }

    fn write_move(&self, position: &Position, Square(square): Square) -> String {
        if position.moves == self.pass() {
            "pass".to_owned()
        } else {
            format!("{}{}", (b'a' + square % 8) as char, square / 8 + 1)
        }
    }
}

impl Othello {
    /// The bit numbers of the squares, row by row.
    fn squares(&self) -> impl Iterator<Item = u32> + use<> {
        let size = self.size;
        (0..size).flat_map(move |row| (0..size).map(move |column| 8 * row + column))
    }

    fn read_board(&self, text: &str) -> Result<Position, NotationError> {
        let size = self.size * self.size;
        let (board, side) = text.rsplit_once(char::is_whitespace).unwrap_or((text, ""));
        let first_moves = match side {
            "X" | "x" => true,
            "O" | "o" => false,
            _ => return Err(NotationError::new(side, "is no side to move", "X or O")),
        };
        let board = board.trim_end();
        let count = board.chars().count();
        if count != size as usize {
            let problem = format!("has {count} squares, the board has {size}");
            return Err(NotationError::new(board, problem, self.position_syntax()));
        }
        let (mut black, mut white) = (0u64, 0u64);
        for (character, bit) in board.chars().zip(self.squares()) {
            match character {
                'X' | 'x' | '*' => black |= 1 << bit,
                'O' | 'o' => white |= 1 << bit,
                '-' | '.' => {}
                _ => return Err(NotationError::new(character, "is no square", CELLS)),
            }
        }
        if self.middle() & !(black | white) != 0 {
            let problem = "has an empty square in the middle, where every game starts with discs";
            return Err(NotationError::new(board, problem, ""));
        }
        let (own, other) = if first_moves { (black, white) } else { (white, black) };
        Ok(self.position(own, other, first_moves))
    }

    fn read_transcript(&self, text: &str) -> Result<Position, NotationError> {
        let mut position = self.initial();
        let mut moves = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            let length = if rest.get(..4).is_some_and(|word| word.eq_ignore_ascii_case("pass")) {
                4
            } else {
                rest.char_indices().nth(2).map_or(rest.len(), |(index, _)| index)
            };
            let (token, after) = rest.split_at(length);
            rest = after.trim_start();
            let name = token.to_ascii_lowercase();
            // A transcript may leave out the passes that the board makes plain.
            if position.moves == self.pass() && name != "pass" {
                self.make(&mut position, self.pass());
            }
            self.legal_moves(&position, &mut moves);
            let names: Vec<String> =
                moves.iter().map(|mv| self.write_move(&position, *mv)).collect();
            match names.iter().position(|legal| *legal == name) {
                Some(n) => self.play(&mut position, moves[n]),
                None => {
                    let problem = if moves.is_empty() {
                        "comes after the end of the game"
                    } else {
                        "is not a legal move here"
                    };
                    return Err(NotationError::new(token, problem, names.join(" ")));
                }
            }
        }
        Ok(position)
    }
}
