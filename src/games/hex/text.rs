//! Hex positions as text: the board, row by row.

use super::{Cell, Hex, Position, Side, bits_wide};
use crate::game::{Notation, NotationError};
use crate::games::board_text;

impl Notation for Hex {
    fn position_syntax(&self) -> String {
        format!(
            "{0} rows of {0} cells X, O or '.', from the top, joined by '/', X first to move",
            self.size
        )
    }

    fn write_position(&self, position: &Position) -> String {
        let [first, second] = position.sides.map(|side| side.stones);
        board_text::write(self.size, self.size, |row, column| {
            let bit = self.size * row + column;
            [(first >> bit) & 1 == 1, (second >> bit) & 1 == 1]
        })
    }

    fn read_position(&self, text: &str) -> Result<Position, NotationError> {
        let text = text.trim();
        let mut stones = [0u128; 2];
        board_text::read(text, self.size, self.size, &self.position_syntax(), |row, column, p| {
            stones[p] |= 1 << (self.size * row + column);
        })?;
        let problem = |problem: &str| Err(NotationError::new(text, problem, ""));
        let [xs, os] = stones.map(u128::count_ones);
        if xs != os && xs != os + 1 {
            return problem(&format!("has {xs} X and {os} O; they alternate and X begins"));
        }
        let second_moves = xs != os;
        let (last, next) = if second_moves { (0, 1) } else { (1, 0) };
        if self.is_joined(next, stones[next]) {
            return problem("joins the sides of the player to move: the game was over before");
        }
        let won = self.is_joined(last, stones[last]);
        let mut before = bits_wide(stones[last]).map(|cell| stones[last] & !(1 << cell));
        if won && before.all(|before| self.is_joined(last, before)) {
            return problem("joins two sides in a way that no last move completes");
        }
        let sides = [0, 1].map(|player| {
            let joined = if won && player == last {
                [0; 2]
            } else {
                [0, 1].map(|border| self.joined(player, stones[player], border))
            };
            Side { stones: stones[player], joined }
        });
        Ok(Position { sides, second_moves, won })
    }

    fn write_move(&self, _position: &Position, Cell(cell): Cell) -> String {
        board_text::cell(u32::from(cell) % self.size, u32::from(cell) / self.size)
    }

    fn read_move(&self, position: &Position, text: &str) -> Result<Cell, NotationError> {
        let cell = board_text::read_cell(text, self.size, self.size)
            .map(|(column, row)| self.size * row + column)
            .filter(|cell| !position.won && (self.empty(position) >> cell) & 1 == 1);
        cell.map(|cell| Cell(cell as u8)).ok_or_else(|| board_text::no_move(self, position, text))
    }
}

impl Hex {
    /// The stones of `player` that a chain joins to one of the player's sides.
    fn joined(&self, player: usize, stones: u128, border: usize) -> u128 {
        let at_border = bits_wide(stones & self.borders[player][border]);
        at_border.fold(0, |joined, cell| joined | self.chain(cell, stones))
    }

    fn is_joined(&self, player: usize, stones: u128) -> bool {
        self.joined(player, stones, 0) & self.borders[player][1] != 0
    }
}
