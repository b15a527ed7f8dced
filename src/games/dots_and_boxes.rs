//! Dots and Boxes on m x n boxes; boards of up to 64 edges.
//!
//! A ply draws one edge between two dots that are neighbours. Who draws the last edge of a box, or of
//! two at once, owns them and moves again; otherwise the other player moves. The game ends when every
//! edge is drawn, and the majority of boxes wins; equal shares are a draw. Every game thus has as
//! many plies as the board has edges, and every order of the edges is a game: there are exactly
//! (edges)! of them, and each uniform walk has that weight.
//!
//! An edge is written as its two dots, `a1b1` or `a1a2`: a dot has the column's letter and the row's
//! number, `a1` in the top left corner. Canonical order of moves: line by line from the top, a line
//! of horizontal edges before the vertical ones below it, each from the left.
//!
//! Bit n of a `u64` stands for the n-th edge in this order. A position holds the edges, by how many
//! boxes the first player leads, and who is to move; the edges alone tell neither.

mod text;

use super::machine::{bits, nth_bit};
use crate::game::{Game, Outcome, Scored, guess};

/// The most edges a board may have.
pub const MAX_EDGES: u32 = 64;
/// The most boxes in a row or column: a single line of them.
pub const MAX_SIDE: u32 = 21;

/// The most rows of boxes beside `columns` columns.
pub fn most_rows(columns: u32) -> u32 {
    MAX_EDGES.saturating_sub(columns) / (2 * columns + 1)
}

/// The rules of Dots and Boxes on one board.
#[derive(Clone, Debug)]
pub struct DotsAndBoxes {
    columns: u32,
    rows: u32,
    /// Every edge.
    board: u64,
    /// The edges of the boxes on either side of each edge; 0 where there is none.
    boxes: [[u64; 2]; MAX_EDGES as usize],
}

impl DotsAndBoxes {
    /// Dots and Boxes on `columns` x `rows` boxes; `None` unless both are at least 1 and the board
    /// has at most [`MAX_EDGES`] edges.
    pub fn new(columns: u32, rows: u32) -> Option<Self> {
        let sides = 1..=MAX_SIDE;
        if !sides.contains(&columns) || !(1..=most_rows(columns)).contains(&rows) {
            return None;
        }
        let edges = columns * (rows + 1) + rows * (columns + 1);
        let mut game = Self {
            columns,
            rows,
            board: u64::MAX >> (MAX_EDGES - edges),
            boxes: [[0; 2]; MAX_EDGES as usize],
        };
        for row in 0..rows {
            for column in 0..columns {
                let [top, left, right, bottom] = game.sides(column, row);
                let sides = [top, left, right, bottom].iter().fold(0, |set, edge| set | 1 << edge);
                for (edge, place) in [(top, 0), (bottom, 1), (left, 0), (right, 1)] {
                    game.boxes[edge as usize][place] = sides;
                }
            }
        }
        Some(game)
    }

    /// Columns of boxes.
    pub fn columns(&self) -> u32 {
        self.columns
    }

    /// Rows of boxes.
    pub fn rows(&self) -> u32 {
        self.rows
    }

    /// The number of the horizontal edge to the right of the dot.
    fn horizontal(&self, column: u32, row: u32) -> u32 {
        row * (2 * self.columns + 1) + column
    }

    /// The number of the vertical edge below the dot.
    fn vertical(&self, column: u32, row: u32) -> u32 {
        row * (2 * self.columns + 1) + self.columns + column
    }

    /// The top, left, right and bottom edge of a box.
    fn sides(&self, column: u32, row: u32) -> [u32; 4] {
        [
            self.horizontal(column, row),
            self.vertical(column, row),
            self.vertical(column + 1, row),
            self.horizontal(column, row + 1),
        ]
    }

    /// How many boxes have all four edges.
    fn closed(&self, edges: u64) -> u32 {
        let boxes = (0..self.rows).flat_map(|row| (0..self.columns).map(move |c| (c, row)));
        let is_closed = |&(column, row): &(u32, u32)| {
            self.sides(column, row).iter().all(|edge| edges >> edge & 1 == 1)
        };
        boxes.filter(is_closed).count() as u32
    }

    #[inline(always)]
    fn draw(&self, position: &mut Position, edge: u64) {
        position.edges |= edge;
        let beside = self.boxes[edge.trailing_zeros() as usize & 63];
        let made: i8 =
            beside.map(|sides| i8::from(sides != 0 && sides & !position.edges == 0)).iter().sum();
        position.lead += if position.second_moves { -made } else { made };
        position.second_moves ^= made == 0;
    }

    /// The edges under the reflections of the board: left and right if `mirrored`, top and bottom
    /// if `flipped`, then rows and columns if `transposed`, on a square board.
    fn image(&self, edges: u64, mirrored: bool, flipped: bool, transposed: bool) -> u64 {
        let line = 2 * self.columns + 1;
        bits(edges).fold(0, |image, edge| {
            let (row, place) = (edge / line, edge % line);
            let is_horizontal = place < self.columns;
            let column = if is_horizontal { place } else { place - self.columns };
            let last_column = self.columns - u32::from(is_horizontal);
            let last_row = self.rows - u32::from(!is_horizontal);
            let column = if mirrored { last_column - column } else { column };
            let row = if flipped { last_row - row } else { row };
            let to = match (is_horizontal, transposed) {
                (true, false) => self.horizontal(column, row),
                (false, false) => self.vertical(column, row),
                (true, true) => self.vertical(row, column),
                (false, true) => self.horizontal(row, column),
            };
            image | 1 << to
        })
    }
}

/// The edges drawn, the first player's lead and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    edges: u64,
    /// Boxes of the first player less those of the second.
    lead: i8,
    /// Whether the second player is to move, or would be, were there an edge left.
    second_moves: bool,
}

/// An edge, by its number in canonical order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Edge(u8);

impl Game for DotsAndBoxes {
    type Position = Position;
    type Move = Edge;

    fn initial(&self) -> Position {
        Position { edges: 0, lead: 0, second_moves: false }
    }

    fn legal_moves(&self, position: &Position, moves: &mut Vec<Edge>) {
        moves.clear();
        moves.extend(bits(self.board & !position.edges).map(|edge| Edge(edge as u8)));
    }

    #[inline]
    fn play(&self, position: &mut Position, Edge(edge): Edge) {
        self.draw(position, 1 << edge);
    }

    #[inline]
    fn mobility(&self, position: &Position, _scratch: &mut Vec<Edge>) -> usize {
        (self.board & !position.edges).count_ones() as usize
    }

    #[inline]
    fn play_nth(&self, position: &mut Position, n: usize, _scratch: &mut Vec<Edge>) {
        self.draw(position, nth_bit(self.board & !position.edges, n));
    }

    fn representative(&self, position: &Position) -> Option<Position> {
        let symmetries = if self.columns == self.rows { 8 } else { 4 };
        let image = |symmetry: u32| {
            let [mirrored, flipped, transposed] = [1, 2, 4].map(|bit| symmetry & bit != 0);
            self.image(position.edges, mirrored, flipped, transposed)
        };
        (0..symmetries).map(image).min().map(|edges| Position { edges, ..*position })
    }
}

impl Scored for DotsAndBoxes {
    fn outcome(&self, terminal: &Position) -> Outcome {
        match terminal.lead {
            1.. => Outcome::FirstWins,
            0 => Outcome::Draw,
            ..0 => Outcome::SecondWins,
        }
    }

    fn first_moves(&self, position: &Position) -> bool {
        !position.second_moves
    }

    /// By the boxes.
    fn evaluate(&self, position: &Position) -> f64 {
        guess(position.lead.into(), 2.0)
    }
}
