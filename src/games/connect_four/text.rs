//! Connect Four positions as text: the board, or the columns played.

use super::{Column, ConnectFour, Geometry, Position, bits};
use crate::game::{Game, Notation, NotationError};

impl Notation for ConnectFour {
    fn position_syntax(&self) -> String {
        let geometry = &self.geometry;
        format!(
            "{} rows of {} cells X, O or '.', from the top, joined by '/', X first to move; \
             or the columns played, each 1 to {}: 4 4 3",
            geometry.rows, geometry.columns, geometry.columns
        )
    }

    fn write_position(&self, position: &Position) -> String {
        let geometry = &self.geometry;
        let (own, other) = (position.own(geometry), position.last);
        let first_is_to_move = position.first_is_to_move(geometry);
        let (first, second) = if first_is_to_move { (own, other) } else { (other, own) };
        let row = |row: u32| -> String {
            let cell = |column: u32| {
                let bit = column * geometry.rows + row;
                match ((first >> bit) & 1, (second >> bit) & 1) {
                    (1, _) => 'X',
                    (_, 1) => 'O',
                    _ => '.',
                }
            };
            (0..geometry.columns).map(cell).collect()
        };
        let rows: Vec<String> = (0..geometry.rows).rev().map(row).collect();
        rows.join("/")
    }

    fn read_position(&self, text: &str) -> Result<Position, NotationError> {
        let text = text.trim();
        let is_transcript = |c: char| c.is_ascii_digit() || c.is_ascii_whitespace() || c == ',';
        if text.is_empty() {
            Err(NotationError::new(text, "is no position", self.position_syntax()))
        } else if text.chars().all(is_transcript) {
            self.read_transcript(text)
        } else {
            self.read_board(text)
        }
    }

    fn write_move(&self, _position: &Position, Column(column): Column) -> String {
        (column + 1).to_string()
    }
}

impl ConnectFour {
    fn read_transcript(&self, text: &str) -> Result<Position, NotationError> {
        let mut position = self.initial();
        let mut moves = Vec::new();
        for (index, digit) in text.chars().filter(char::is_ascii_digit).enumerate() {
            self.legal_moves(&position, &mut moves);
            let column = digit.to_digit(10).and_then(|number| number.checked_sub(1));
            let named = moves.iter().find(|mv| column == Some(u32::from(mv.0)));
            let Some(mv) = named else {
                let legal: Vec<String> =
                    moves.iter().map(|mv| self.write_move(&position, *mv)).collect();
                let problem = if legal.is_empty() {
                    format!("move {}: the game is over", index + 1)
                } else {
                    format!("move {}: no open column of this board", index + 1)
                };
                return Err(NotationError::new(digit, problem, legal.join(" ")));
            };
            self.play(&mut position, *mv);
        }
        Ok(position)
    }

    fn read_board(&self, text: &str) -> Result<Position, NotationError> {
        let geometry = &self.geometry;
        let Geometry { columns, rows, .. } = *geometry;
        let lines: Vec<&str> = text.split('/').collect();
        if lines.len() != rows as usize {
            let problem = format!("has {} rows, the board has {rows}", lines.len());
            return Err(NotationError::new(text, problem, self.position_syntax()));
        }
        let (mut first, mut second) = (0u64, 0u64);
        for (line, row) in lines.iter().zip((0..rows).rev()) {
            let width = line.chars().count();
            if width != columns as usize {
                let problem = format!("has {width} cells, the board has {columns} columns");
                return Err(NotationError::new(*line, problem, self.position_syntax()));
            }
            for (character, column) in line.chars().zip(0..columns) {
                let cell = 1 << (column * rows + row);
                match character {
                    'X' | 'x' => first |= cell,
                    'O' | 'o' => second |= cell,
                    '.' => {}
                    _ => return Err(NotationError::new(character, "is no cell", "X O .")),
                }
            }
        }
        let problem = |problem: &str| Err(NotationError::new(text, problem, ""));
        let stones = first | second;
        if stones & !(stones << 1 | geometry.bottom) != 0 {
            return problem("has a stone above an empty cell");
        }
        let (xs, os) = (first.count_ones(), second.count_ones());
        if xs != os && xs != os + 1 {
            return problem(&format!("has {xs} X and {os} O; they alternate and X begins"));
        }
        let (own, last) = if xs == os { (first, second) } else { (second, first) };
        if geometry.has_four(own) {
            return problem("has four in a row of the player to move: the game was over before");
        }
        let tops = stones & (!(stones >> 1) | geometry.top) & last;
        if geometry.has_four(last) && bits(tops).all(|top| geometry.has_four(last & !(1 << top))) {
            return problem("has four in a row that no last move completes");
        }
        Ok(Position { filled: stones | geometry.outside, last })
    }
}
