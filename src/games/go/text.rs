//! Go positions as text: the board, the side to move and the passes before. What else the game has
//! been through is not told; a position that is read has no earlier board.

use super::{Go, PASS, Point, Position, bits};
use crate::game::{Notation, NotationError};
use crate::games::board_text;

impl Notation for Go {
    fn position_syntax(&self) -> String {
        format!(
            "{} rows of {} points X (Black), O or '.', from the top, joined by '/', a space and the \
             side to move X or O; then 'pass' if the last move was one, 'pass pass' if the game is over",
            self.rows, self.columns
        )
    }

    fn write_position(&self, position: &Position) -> String {
        let (black, white) = position.by_colour();
        let board = board_text::write(self.rows, self.columns, |row, column| {
            let bit = self.bit(row, column);
            [black >> bit & 1 == 1, white >> bit & 1 == 1]
        });
        let side = if position.second_moves { 'O' } else { 'X' };
        format!("{board} {side}{}", " pass".repeat(position.passes.into()))
    }

    fn read_position(&self, text: &str) -> Result<Position, NotationError> {
        let mut words = text.split_whitespace();
        let (Some(board), Some(side)) = (words.next(), words.next()) else {
            return Err(NotationError::new(text.trim(), "is no position", self.position_syntax()));
        };
        let mut stones = [0u64; 2];
        board_text::read(
            board,
            self.rows,
            self.columns,
            &self.position_syntax(),
            |row, column, player| stones[player] |= 1 << self.bit(row, column),
        )?;
        let empty = self.board & !(stones[0] | stones[1]);
        for colour in stones {
            let without =
                bits(colour).find(|stone| self.beside(self.chain(1 << stone, colour)) & empty == 0);
            if let Some(stone) = without {
                let problem = format!("the chain of {} has no liberty", self.point(stone));
                return Err(NotationError::new(board, problem, ""));
            }
        }
        let second_moves = match side {
            "X" | "x" => false,
            "O" | "o" => true,
            _ => return Err(NotationError::new(side, "is no side to move", "X or O")),
        };
        let mut passes = 0;
        for word in words {
            if word != "pass" || passes == 2 {
                return Err(NotationError::new(word, "is out of place", "up to two words pass"));
            }
            passes += 1;
        }
        Ok(self.position(stones, second_moves, passes))
    }

    fn write_move(&self, _position: &Position, Point(point): Point) -> String {
        if 1 << point == PASS { "pass".to_owned() } else { self.point(point.into()) }
    }

    fn read_move(&self, position: &Position, text: &str) -> Result<Point, NotationError> {
        let bit = match text {
            "pass" => Some(PASS.trailing_zeros()),
            _ => board_text::read_cell(text, self.columns, self.rows)
                .map(|(column, row)| row * (self.columns + 1) + column),
        };
        bit.filter(|bit| position.moves >> bit & 1 == 1)
            .map(|bit| Point(bit as u8))
            .ok_or_else(|| board_text::no_move(self, position, text))
    }
}

impl Go {
    /// The bit of the point in the `row`-th row from the top.
    fn bit(&self, row: u32, column: u32) -> u32 {
        (self.rows - 1 - row) * (self.columns + 1) + column
    }

    fn point(&self, bit: u32) -> String {
        board_text::cell(bit % (self.columns + 1), bit / (self.columns + 1))
    }
}
