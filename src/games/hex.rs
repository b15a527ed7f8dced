//! Hex on n x n cells, n = 2 to 11; without the swap rule.
//!
//! Two players fill empty cells of a rhombus of hexagons in turn. The first player (X) owns the top
//! and the bottom side, the second (O) the left and the right one; who joins the own two sides by a
//! chain of own stones has won, and the game ends with that stone. A full board always holds exactly
//! one such chain, so no game is a draw.
//!
//! Cells are written with the column's letter and the row's number, `a1` in the top left corner; a
//! cell touches the two beside it in its row, the one above, the one above to the right, the one
//! below and the one below to the left. Canonical order of moves: row by row from the top left.
//!
//! Bit `size * row + column` of a `u128` stands for a cell, row 0 on top. Each player's stones that
//! are joined to one of the own sides are known, so that a new stone wins when it touches both kinds;
//! what it joins to a side is found by flooding from it, and each stone is flooded once.

mod text;

use super::machine::{bits_wide, nth_index_wide};
use crate::game::{Game, Outcome, Scored, guess};

/// The fewest cells along a side.
pub const MIN_SIDE: u32 = 2;
/// The most cells along a side.
pub const MAX_SIDE: u32 = 11;

const MAX_CELLS: usize = (MAX_SIDE * MAX_SIDE) as usize;

/// The rules of Hex on one board.
#[derive(Clone, Debug)]
pub struct Hex {
    size: u32,
    /// Every cell.
    board: u128,
    /// The neighbours of each cell.
    neighbours: [u128; MAX_CELLS],
    /// The cells on the two sides of the first and of the second player.
    borders: [[u128; 2]; 2],
}

impl Hex {
    /// Hex on `size` x `size` cells; `None` unless `size` is in [`MIN_SIDE`]..=[`MAX_SIDE`].
    pub fn new(size: u32) -> Option<Self> {
        if !(MIN_SIDE..=MAX_SIDE).contains(&size) {
            return None;
        }
        let cells = |wanted: &dyn Fn(u32, u32) -> bool| {
            (0..size * size)
                .filter(|cell| wanted(cell / size, cell % size))
                .fold(0u128, |set, cell| set | 1 << cell)
        };
        let touch = |cell: u32| {
            let (row, column) = (cell / size, cell % size);
            cells(&|r, c| {
                let step = (i64::from(r) - i64::from(row), i64::from(c) - i64::from(column));
                matches!(step, (0, 1 | -1) | (1 | -1, 0) | (-1, 1) | (1, -1))
            })
        };
        let mut neighbours = [0; MAX_CELLS];
        for (set, cell) in neighbours.iter_mut().zip(0..size * size) {
            *set = touch(cell);
        }
        let last = size - 1;
        let borders = [
            [cells(&|row, _| row == 0), cells(&|row, _| row == last)],
            [cells(&|_, column| column == 0), cells(&|_, column| column == last)],
        ];
        Some(Self { size, board: cells(&|_, _| true), neighbours, borders })
    }

    /// Cells along one side.
    pub fn size(&self) -> u32 {
        self.size
    }

    #[inline(always)]
    fn empty(&self, position: &Position) -> u128 {
        let [first, second] = &position.sides;
        self.board & !(first.stones | second.stones)
    }

    /// The cells of `within` that a chain in `within` joins to `cell`, itself included.
    #[inline]
    fn chain(&self, cell: u32, within: u128) -> u128 {
        let mut reached = 1 << cell;
        let mut from = self.neighbours[cell as usize] & within;
        while from != 0 {
            reached |= from;
            let next = from.trailing_zeros();
            from = (from & (from - 1)) | (self.neighbours[next as usize] & within & !reached);
        }
        reached
    }

    /// The fewest stones with which `player` joins both sides, were the other one to pass.
    fn stones_needed(&self, position: &Position, player: usize) -> u32 {
        let stones = position.sides[player].stones;
        let empty = self.empty(position);
        let [near, far] = self.borders[player];
        let [left, right] = self.borders[1];
        // What lies beside cells: in the row, below and above, and above to the right or below to the
        // left, without going round a side.
        let beside = |cells: u128| {
            let (inner, outer) = (cells & !right, cells & !left);
            let row = inner << 1 | outer >> 1;
            let column = cells << self.size | cells >> self.size;
            near | row | column | inner >> (self.size - 1) | outer << (self.size - 1)
        };
        let joined = |seed: u128| {
            let mut reached = seed;
            loop {
                let next = reached | beside(reached) & stones;
                if next == reached {
                    return reached;
                }
                reached = next;
            }
        };
        let mut reached = joined(near & stones);
        let mut needed = 0;
        while reached & far == 0 {
            let next = joined(reached | beside(reached) & empty);
            if next == reached {
                // The other player has won.
                return self.size * self.size;
            }
            (reached, needed) = (next, needed + 1);
        }
        needed
    }

    #[inline(always)]
    fn fill(&self, position: &mut Position, cell: u32) {
        let player = usize::from(position.second_moves);
        position.second_moves = !position.second_moves;
        let Side { stones, joined } = &mut position.sides[player];
        let stone = 1u128 << cell;
        *stones |= stone;
        let around = self.neighbours[cell as usize];
        let touches = [0, 1]
            .map(|border| (around & joined[border]) | (stone & self.borders[player][border]) != 0);
        match touches {
            [false, false] => {}
            [true, true] => {
                *joined = [0; 2];
                position.won = true;
            }
            [first, _] => {
                let loose = *stones & !(joined[0] | joined[1]);
                joined[usize::from(!first)] |= self.chain(cell, loose);
            }
        }
    }
}

/// The stones of one player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Side {
    stones: u128,
    /// Those joined to either of the player's sides, a function of the stones; nothing once both
    /// are joined.
    joined: [u128; 2],
}

/// The stones of both players and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The first player's and the second player's.
    sides: [Side; 2],
    second_moves: bool,
    /// Whether the player who moved last has joined both sides.
    won: bool,
}

/// A cell, `size * row + column`, row 0 on top.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cell(u8);

impl Game for Hex {
    type Position = Position;
    type Move = Cell;

    fn initial(&self) -> Position {
        Position { sides: [Side::default(); 2], second_moves: false, won: false }
    }

    fn legal_moves(&self, position: &Position, moves: &mut Vec<Cell>) {
        moves.clear();
        if !position.won {
            moves.extend(bits_wide(self.empty(position)).map(|cell| Cell(cell as u8)));
        }
    }

    #[inline]
    fn play(&self, position: &mut Position, Cell(cell): Cell) {
        self.fill(position, cell.into());
    }

    #[inline]
    fn mobility(&self, position: &Position, _scratch: &mut Vec<Cell>) -> usize {
        if position.won { 0 } else { self.empty(position).count_ones() as usize }
    }

    #[inline]
    fn play_nth(&self, position: &mut Position, n: usize, _scratch: &mut Vec<Cell>) {
        self.fill(position, nth_index_wide(self.empty(position), n));
    }

    /// A half turn maps each player's sides to themselves; reflections exchange the players.
    fn representative(&self, position: &Position) -> Option<Position> {
        let spare = u128::BITS - self.size * self.size;
        let turned = |set: u128| set.reverse_bits() >> spare;
        let image = Position {
            sides: position.sides.map(|Side { stones, joined: [one, other] }| Side {
                stones: turned(stones),
                joined: [turned(other), turned(one)],
            }),
            ..*position
        };
        let stones = |position: &Position| position.sides.map(|side| side.stones);
        Some(if stones(&image) < stones(position) { image } else { *position })
    }
}

impl Scored for Hex {
    fn outcome(&self, terminal: &Position) -> Outcome {
        if terminal.second_moves { Outcome::FirstWins } else { Outcome::SecondWins }
    }

    fn first_moves(&self, position: &Position) -> bool {
        !position.second_moves
    }

    /// By the stones that each player still needs to join both sides.
    fn evaluate(&self, position: &Position) -> f64 {
        let [first, second] = [0, 1].map(|player| f64::from(self.stones_needed(position, player)));
        guess(second - first, 2.0)
    }
}
