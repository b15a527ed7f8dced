//! Tic-tac-toe: three in a row on 3 x 3 cells; X moves first.
//!
//! The game ends when a player has three in a row, column or diagonal, or when all cells are full.
//! Cells are written `a1` (top left) to `c3` (bottom right): the column's letter, then the row
//! counted from the top. Canonical order of moves: row by row from the top left.
//!
//! Bit `3 * row + column` of a 9-bit mask stands for a cell, row 0 on top.

use super::machine::{bits, nth_bit};
use super::square;
use crate::game::{Game, Notation, NotationError, Outcome, Scored, guess};

/// All nine cells.
const BOARD: u16 = 0b111_111_111;
/// Rows, columns and diagonals.
const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
const SYNTAX: &str =
    "nine characters X, O or '.', row by row from the top, X first to move: XO..X....";

/// The rules of tic-tac-toe.
#[derive(Clone, Copy, Debug, Default)]
pub struct TicTacToe;

/// The cells of both players; who is to move follows from their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// Cells of the player to move.
    own: u16,
    /// Cells of the player who moved last.
    other: u16,
}

/// A cell, `3 * row + column`, row 0 on top.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cell(u8);

impl Position {
    fn empty(self) -> u16 {
        BOARD & !(self.own | self.other)
    }

    /// The cells that may be filled: none once the last mover has a line.
    #[inline]
    fn playable(self) -> u16 {
        if has_line(self.other) { 0 } else { self.empty() }
    }

    fn first_is_to_move(self) -> bool {
        self.own.count_ones() == self.other.count_ones()
    }

    /// The cells of X and of O.
    fn by_player(self) -> (u16, u16) {
        if self.first_is_to_move() { (self.own, self.other) } else { (self.other, self.own) }
    }

    #[inline]
    fn fill(&mut self, cell: u16) {
        *self = Self { own: self.other, other: self.own | cell };
    }
}

#[inline]
fn has_line(cells: u16) -> bool {
    LINES.iter().any(|line| cells & line == *line)
}

impl Game for TicTacToe {
    type Position = Position;
    type Move = Cell;

    fn initial(&self) -> Position {
        Position { own: 0, other: 0 }
    }

    fn legal_moves(&self, position: &Position, moves: &mut Vec<Cell>) {
        moves.clear();
        moves.extend(bits(position.playable().into()).map(|bit| Cell(bit as u8)));
    }

    fn play(&self, position: &mut Position, Cell(cell): Cell) {
        position.fill(1 << cell);
    }

    #[inline]
    fn mobility(&self, position: &Position, _scratch: &mut Vec<Cell>) -> usize {
        position.playable().count_ones() as usize
    }

    #[inline]
    fn play_nth(&self, position: &mut Position, n: usize, _scratch: &mut Vec<Cell>) {
        position.fill(nth_bit(position.empty().into(), n) as u16);
    }

    fn representative(&self, position: &Position) -> Option<Position> {
        let images = |cells: u16| square::images(cells.into(), 3, 3).map(|image| image as u16);
        let positions = images(position.own).into_iter().zip(images(position.other));
        positions.min().map(|(own, other)| Position { own, other })
    }
}

impl Scored for TicTacToe {
    fn outcome(&self, terminal: &Position) -> Outcome {
        match (has_line(terminal.other), terminal.first_is_to_move()) {
            (false, _) => Outcome::Draw,
            (true, true) => Outcome::SecondWins,
            (true, false) => Outcome::FirstWins,
        }
    }

    fn first_moves(&self, position: &Position) -> bool {
        position.first_is_to_move()
    }

    /// By the lines that are still open to each player.
    fn evaluate(&self, position: &Position) -> f64 {
        let (first, second) = position.by_player();
        let open = |other: u16| LINES.iter().filter(|line| *line & other == 0).count() as f64;
        guess(open(second) - open(first), 4.0)
    }
}

impl Notation for TicTacToe {
    fn position_syntax(&self) -> String {
        SYNTAX.to_owned()
    }

    fn write_position(&self, position: &Position) -> String {
        let (first, second) = position.by_player();
        let cell = |bit: u32| match ((first >> bit) & 1, (second >> bit) & 1) {
            (1, _) => 'X',
            (_, 1) => 'O',
            _ => '.',
        };
        (0..9).map(cell).collect()
    }

    fn read_position(&self, text: &str) -> Result<Position, NotationError> {
        let text = text.trim();
        let (mut first, mut second) = (0u16, 0u16);
        let mut cells = 0u32;
        for character in text.chars() {
            match character {
                'X' | 'x' if cells < 9 => first |= 1 << cells,
                'O' | 'o' if cells < 9 => second |= 1 << cells,
                'X' | 'x' | 'O' | 'o' | '.' => {}
                _ => return Err(NotationError::new(character, "is no cell", SYNTAX)),
            }
            cells += 1;
        }
        if cells != 9 {
            return Err(NotationError::new(text, format!("has {cells} cells, not 9"), SYNTAX));
        }
        let problem = |problem: &str| Err(NotationError::new(text, problem, ""));
        let (xs, os) = (first.count_ones(), second.count_ones());
        if xs != os && xs != os + 1 {
            return problem(&format!("has {xs} X and {os} O; they alternate and X begins"));
        }
        let position = if xs == os {
            Position { own: first, other: second }
        } else {
            Position { own: second, other: first }
        };
        if has_line(position.own) {
            return problem("has a line of the player to move: the game was over before");
        }
        let before = bits(position.other.into()).map(|bit| position.other & !(1 << bit));
        if has_line(position.other) && before.into_iter().all(has_line) {
            return problem("has two lines that no single move completes");
        }
        Ok(position)
    }

    fn write_move(&self, _position: &Position, Cell(cell): Cell) -> String {
        format!("{}{}", (b'a' + cell % 3) as char, cell / 3 + 1)
    }
}
