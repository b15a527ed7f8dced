//! Connect Four on any board of up to 8 columns x 8 rows.
//!
//! Players drop a stone into a column that is not full; four of one colour in a row, column or
//! diagonal win; a full board is a draw. The standard board has 7 columns and 6 rows. A move is
//! written as the column's number, 1 on the left. Canonical order of moves: columns from the left.
//!
//! Bit `column * rows + row` of a word stands for a cell, row 0 at the bottom, so that even 8 x 8
//! fits a `u64`. There is no spare row between columns: a line of four starts only in a cell from
//! which it stays inside the columns it crosses, which one mask per direction says.
//!
//! A position knows `filled`: the stones and, as a constant, every bit beyond the board. The cells
//! that can be filled next are the empty ones above a filled one or at the bottom,
//!
//! ```text
//! landing = !filled & (filled << 1 | bottom)
//! ```
//!
//! one bit for each open column in the order of the columns: its population is the mobility, its
//! n-th bit is the n-th move.

mod text;

use super::machine::{bits, nth_bit};
use crate::game::{Game, Outcome, Scored, guess};

/// The most columns and rows a board may have.
pub const MAX_SIDE: u32 = 8;

/// Positions whose lines are looked for at once.
const LANES: usize = 8;

/// The constants of one board size.
#[derive(Clone, Copy, Debug)]
struct Geometry {
    columns: u32,
    rows: u32,
    /// The lowest cell of each column.
    bottom: u64,
    /// The highest cell of each column.
    top: u64,
    /// Every bit that is no cell.
    outside: u64,
    /// Distance of neighbours in a row, a column, a rising and a falling diagonal.
    steps: [u64; 4],
    /// Twice that.
    double_steps: [u64; 4],
    /// Cells in which a line of four of each kind may start.
    starts: [u64; 4],
}

impl Geometry {
    fn new(columns: u32, rows: u32) -> Self {
        let cells = |wanted: &dyn Fn(u32) -> bool| {
            (0..columns * rows)
                .filter(|cell| wanted(cell % rows))
                .fold(0u64, |mask, cell| mask | 1 << cell)
        };
        let column = u64::from(rows);
        let steps = [column, 1, column + 1, column - 1];
        Self {
            columns,
            rows,
            bottom: cells(&|row| row == 0),
            top: cells(&|row| row + 1 == rows),
            outside: !cells(&|_| true),
            steps,
            double_steps: steps.map(|step| 2 * step),
            starts: [
                u64::MAX,
                cells(&|row| row + 3 < rows),
                cells(&|row| row + 3 < rows),
                cells(&|row| row >= 3),
            ],
        }
    }

    /// Whether `stones` hold four in a row.
    #[inline(always)]
    fn has_four(&self, stones: u64) -> bool {
        let mut fours = [0; 4];
        for (four, line) in fours.iter_mut().zip(0..4) {
            let pairs = stones & (stones >> self.steps[line]);
            *four = pairs & (pairs >> self.double_steps[line]) & self.starts[line];
        }
        fours.iter().fold(0, |any, four| any | four) != 0
    }

    /// The lines of four that hold none of `stones`.
    fn open_lines(&self, stones: u64) -> i32 {
        let free = !(self.outside | stones);
        let lines = (0..4).map(|line| {
            let pairs = free & (free >> self.steps[line]);
            (pairs & (pairs >> self.double_steps[line]) & self.starts[line]).count_ones() as i32
        });
        lines.sum()
    }

    /// The cells, occupied or not, in which one more stone makes four in a row of `stones`.
    #[inline(always)]
    fn completing(&self, stones: u64) -> u64 {
        let [_, upward, ..] = self.starts;
        let mut cells = (stones & (stones >> 1) & (stones >> 2) & upward) << 3;
        for line in [0, 2, 3] {
            // Lines of four from each cell: whether the first, second, third and last are stones.
            let step = self.steps[line];
            let (second, third) = (stones >> step, stones >> (2 * step));
            let last = stones >> (3 * step);
            let front = stones & second & self.starts[line];
            let back = third & last & self.starts[line];
            cells |= (back & second) | (back & stones) << step;
            cells |= (front & last) << (2 * step) | (front & third) << (3 * step);
        }
        cells
    }

    /// The `cells` of each lane whose `stones` hold no four in a row, nothing for the others; the
    /// compiler makes vectors of the lanes.
    #[inline(always)]
    fn without_four(&self, stones: &[u64; LANES], cells: &[u64; LANES]) -> [u64; LANES] {
        let mut fours = [0; LANES];
        for line in 0..4 {
            let (step, double_step) = (self.steps[line], self.double_steps[line]);
            for (four, stones) in fours.iter_mut().zip(stones) {
                let pairs = stones & (stones >> step);
                *four |= pairs & (pairs >> double_step) & self.starts[line];
            }
        }
        let mut open = [0; LANES];
        for lane in 0..LANES {
            open[lane] = if fours[lane] == 0 { cells[lane] } else { 0 };
        }
        open
    }

    /// The cell that a stone dropped into each open column would fill.
    #[inline(always)]
    fn landing(&self, filled: u64) -> u64 {
        !filled & (filled << 1 | self.bottom)
    }
}

/// The rules of Connect Four on one board.
#[derive(Clone, Copy, Debug)]
pub struct ConnectFour {
    geometry: Geometry,
}

impl ConnectFour {
    /// Connect Four on `columns` x `rows` cells; `None` unless both are in 1..=[`MAX_SIDE`].
    pub fn new(columns: u32, rows: u32) -> Option<Self> {
        let sides = 1..=MAX_SIDE;
        let fits = sides.contains(&columns) && sides.contains(&rows);
        fits.then(|| Self { geometry: Geometry::new(columns, rows) })
    }

    /// Columns of the board.
    pub fn columns(&self) -> u32 {
        self.geometry.columns
    }

    /// Rows of the board.
    pub fn rows(&self) -> u32 {
        self.geometry.rows
    }
}

/// The stones of both players; who is to move follows from their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// Every stone and every bit beyond the board.
    filled: u64,
    /// Stones of the player who moved last.
    last: u64,
}

impl Position {
    #[inline(always)]
    fn drop_stone(&mut self, stone: u64, outside: u64) {
        self.last ^= self.filled ^ outside ^ stone;
        self.filled |= stone;
    }

    /// Stones of the player to move.
    fn own(self, geometry: &Geometry) -> u64 {
        self.filled & !geometry.outside & !self.last
    }

    fn first_is_to_move(self, geometry: &Geometry) -> bool {
        (self.filled & !geometry.outside).count_ones().is_multiple_of(2)
    }
}

/// A column, 0 on the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Column(u8);

impl Game for ConnectFour {
    type Position = Position;
    type Move = Column;

    fn initial(&self) -> Position {
        Position { filled: self.geometry.outside, last: 0 }
    }

    fn legal_moves(&self, position: &Position, moves: &mut Vec<Column>) {
        let geometry = &self.geometry;
        moves.clear();
        if !geometry.has_four(position.last) {
            let landing = bits(geometry.landing(position.filled));
            moves.extend(landing.map(|cell| Column((cell / geometry.rows) as u8)));
        }
    }

    #[inline]
    fn play(&self, position: &mut Position, Column(column): Column) {
        let geometry = &self.geometry;
        let cells = ((1 << geometry.rows) - 1) << (u32::from(column) * geometry.rows);
        position.drop_stone(geometry.landing(position.filled) & cells, geometry.outside);
    }

    #[inline]
    fn mobility(&self, position: &Position, _scratch: &mut Vec<Column>) -> usize {
        let geometry = &self.geometry;
        if geometry.has_four(position.last) {
            return 0;
        }
        // The branch is nearly always taken: predicting it takes the count off the chain of
        // operations that each ply waits for.
        if position.filled & geometry.top == 0 {
            return geometry.columns as usize;
        }
        geometry.landing(position.filled).count_ones() as usize
    }

    #[inline]
    fn play_nth(&self, position: &mut Position, n: usize, _scratch: &mut Vec<Column>) {
        let geometry = &self.geometry;
        let stone = nth_bit(geometry.landing(position.filled), n);
        position.drop_stone(stone, geometry.outside);
    }

    fn play_each(
        &self,
        positions: &mut [Position],
        moves: &[u32],
        mobilities: &mut [u32],
        scratch: &mut Vec<Column>,
    ) {
        let geometry = &self.geometry;
        let (tiles, rest) = positions.as_chunks_mut::<LANES>();
        let (moves_of_tiles, moves_of_rest) = moves.as_chunks::<LANES>();
        let (counts, counts_of_rest) = mobilities.as_chunks_mut::<LANES>();
        for ((tile, moves), counts) in tiles.iter_mut().zip(moves_of_tiles).zip(counts) {
            let mut landings = [0; LANES];
            for ((position, nth), landing) in tile.iter_mut().zip(moves).zip(&mut landings) {
                let stone = nth_bit(geometry.landing(position.filled), *nth as usize);
                position.drop_stone(stone, geometry.outside);
                *landing = geometry.landing(position.filled);
            }
            let open = geometry.without_four(&tile.map(|position| position.last), &landings);
            *counts = open.map(u64::count_ones);
        }
        for ((position, nth), count) in rest.iter_mut().zip(moves_of_rest).zip(counts_of_rest) {
            self.play_nth(position, *nth as usize, scratch);
            *count = self.mobility(position, scratch) as u32;
        }
    }

    fn representative(&self, position: &Position) -> Option<Position> {
        let Geometry { columns, rows, outside, .. } = self.geometry;
        let mirrored = |stones: u64| {
            (0..columns).fold(0, |image, column| {
                let cells = stones >> (column * rows) & ((1 << rows) - 1);
                image | cells << ((columns - 1 - column) * rows)
            })
        };
        let (filled, last) = (position.filled, position.last);
        let image = (mirrored(filled) | outside, mirrored(last));
        let (filled, last) = (filled, last).min(image);
        Some(Position { filled, last })
    }
}

impl Scored for ConnectFour {
    fn outcome(&self, terminal: &Position) -> Outcome {
        let geometry = &self.geometry;
        match (geometry.has_four(terminal.last), terminal.first_is_to_move(geometry)) {
            (false, _) => Outcome::Draw,
            (true, true) => Outcome::SecondWins,
            (true, false) => Outcome::FirstWins,
        }
    }

    fn first_moves(&self, position: &Position) -> bool {
        position.first_is_to_move(&self.geometry)
    }

    /// By the lines of four that are still open to each player.
    fn evaluate(&self, position: &Position) -> f64 {
        let geometry = &self.geometry;
        let (own, last) = (position.own(geometry), position.last);
        // A line is open to a player where the other has no stone.
        let to_move = geometry.open_lines(last) - geometry.open_lines(own);
        let lead = if position.first_is_to_move(geometry) { to_move } else { -to_move };
        guess(lead.into(), 10.0)
    }

    #[inline]
    fn open_moves(
        &self,
        position: &Position,
        _open: &mut Vec<Column>,
        ends: &mut [u32; 3],
    ) -> usize {
        let geometry = &self.geometry;
        let landing = geometry.landing(position.filled);
        let open = landing & !geometry.completing(position.own(geometry));
        let wins = (landing & !open).count_ones();
        // Fixed places keep the counts in registers.
        let first = position.first_is_to_move(geometry);
        ends[Outcome::FirstWins as usize] += if first { wins } else { 0 };
        ends[Outcome::SecondWins as usize] += if first { 0 } else { wins };
        // A stone in the last empty cell ends the game in any case.
        if !position.filled == landing && landing.is_power_of_two() {
            ends[Outcome::Draw as usize] += open.count_ones();
            return 0;
        }
        open.count_ones() as usize
    }

    #[inline]
    fn play_open(&self, position: &mut Position, n: usize, _open: &mut Vec<Column>) {
        let geometry = &self.geometry;
        let completing = geometry.completing(position.own(geometry));
        let stone = nth_bit(geometry.landing(position.filled) & !completing, n);
        position.drop_stone(stone, geometry.outside);
    }
}
