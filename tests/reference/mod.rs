//! A second move generator for checkers and draughts: slow, and as near to the rule text as code
//! can be. It shares nothing with the library: a two-dimensional mailbox, recursion over single
//! jumps, sets for duplicates, and a small FEN reader of its own. Any even board size.
//!
//! Rules: FMJD official rules of international draughts (November 2015), articles 3 and 4; WCDF
//! rules of checkers 1.17 to 1.20. The meaning of a capture *path* (what `keep` counts) is that of
//! R. Halbersma's perft tables: the ordered list of captured pieces and the destination.
//!
//! Every test file that includes this module uses its own part of it.
#![allow(dead_code)]

pub mod retrograde;

use std::collections::BTreeSet;

/// Which of the two rule sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleSet {
    /// Short kings, men capture forwards, free choice of capture.
    Checkers,
    /// Flying kings, men capture both ways, the most pieces must be captured.
    International,
}

/// One square of the mailbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Cell {
    /// Nothing stands here.
    Empty,
    /// A piece.
    Piece {
        /// Whether it is White's.
        white: bool,
        /// Whether it is a king.
        king: bool,
    },
}

/// A placement of pieces and the side to move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// Rows and columns of the board.
    pub size: usize,
    /// Whether White is to move.
    pub white_to_move: bool,
    /// `cells[row][column]`, row 0 at the top, White at the bottom.
    pub cells: Vec<Vec<Cell>>,
}

/// A whole move: squares 1 to N * N / 2; `captured` in the order of capture.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// Square of origin.
    pub from: usize,
    /// Square of destination; equal to `from` after a closed tour.
    pub to: usize,
    /// Captured squares.
    pub captured: Vec<usize>,
}

impl Move {
    /// The move with its captured squares in ascending order: what `drop` identifies moves by.
    pub fn sorted(&self) -> Move {
        let mut captured = self.captured.clone();
        captured.sort_unstable();
        Move { captured, ..*self }
    }
}

/// Row and column of square `square` on a board of `size` rows; square 1 is the left-most dark
/// square of the top row and the bottom left corner is dark.
pub fn row_and_column(size: usize, square: usize) -> (usize, usize) {
    let per_row = size / 2;
    let row = (square - 1) / per_row;
    let place = (square - 1) % per_row;
    (row, if row.is_multiple_of(2) { 2 * place + 1 } else { 2 * place })
}

/// The square at `row`, `column`, which must be dark.
pub fn square_at(size: usize, row: usize, column: usize) -> usize {
    row * (size / 2) + column / 2 + 1
}

/// The number of dark squares.
pub fn squares(size: usize) -> usize {
    size * size / 2
}

const DIAGONALS: [(isize, isize); 4] = [(-1, -1), (-1, 1), (1, -1), (1, 1)];

impl Position {
    /// An empty board.
    pub fn empty(size: usize, white_to_move: bool) -> Position {
        Position { size, white_to_move, cells: vec![vec![Cell::Empty; size]; size] }
    }

    /// The initial position: two empty rows between the men; Black moves first in checkers.
    pub fn initial(size: usize, rules: RuleSet) -> Position {
        let mut position = Position::empty(size, rules == RuleSet::International);
        let men = size * (size - 2) / 4;
        for square in 1..=men {
            position.put(square, Cell::Piece { white: false, king: false });
            position.put(squares(size) + 1 - square, Cell::Piece { white: true, king: false });
        }
        position
    }

    /// What stands on `square`.
    pub fn at(&self, square: usize) -> Cell {
        let (row, column) = row_and_column(self.size, square);
        self.cells[row][column]
    }

    /// Puts `cell` on `square`.
    pub fn put(&mut self, square: usize, cell: Cell) {
        let (row, column) = row_and_column(self.size, square);
        self.cells[row][column] = cell;
    }

    /// Reads well-formed FEN text such as `W:WK3,31-50:B1-20`; panics on anything else.
    pub fn parse(size: usize, fen: &str) -> Position {
        let mut parts = fen.split(':');
        let mut position = match parts.next() {
            Some("W") => Position::empty(size, true),
            Some("B") => Position::empty(size, false),
            other => panic!("side to move {other:?} in {fen}"),
        };
        for part in parts {
            let white = match part.chars().next() {
                Some('W') => true,
                Some('B') => false,
                other => panic!("colour {other:?} in {fen}"),
            };
            for item in part[1..].split(',').filter(|item| !item.is_empty()) {
                let (king, numbers) = match item.strip_prefix('K') {
                    Some(numbers) => (true, numbers),
                    None => (false, item),
                };
                let (first, last) = numbers.split_once('-').unwrap_or((numbers, numbers));
                let first: usize = first.parse().unwrap();
                let last: usize = last.trim_start_matches('K').parse().unwrap();
                for square in first..=last {
                    assert!(position.at(square) == Cell::Empty, "{square} twice in {fen}");
                    position.put(square, Cell::Piece { white, king });
                }
            }
        }
        position
    }

    /// FEN text with every square written out in ascending order.
    pub fn fen(&self) -> String {
        let side = |white: bool| {
            let mut items = Vec::new();
            for square in 1..=squares(self.size) {
                match self.at(square) {
                    Cell::Piece { white: w, king } if w == white => {
                        items.push(format!("{}{square}", if king { "K" } else { "" }));
                    }
                    _ => {}
                }
            }
            items.join(",")
        };
        let to_move = if self.white_to_move { "W" } else { "B" };
        format!("{to_move}:W{}:B{}", side(true), side(false))
    }

    /// The same position seen from the other side of the board with the colours exchanged.
    pub fn rotated_and_swapped(&self) -> Position {
        let mut turned = Position::empty(self.size, !self.white_to_move);
        for square in 1..=squares(self.size) {
            if let Cell::Piece { white, king } = self.at(square) {
                let other = squares(self.size) + 1 - square;
                turned.put(other, Cell::Piece { white: !white, king });
            }
        }
        turned
    }

    fn step(&self, from: (usize, usize), direction: (isize, isize)) -> Option<(usize, usize)> {
        let row = from.0.checked_add_signed(direction.0)?;
        let column = from.1.checked_add_signed(direction.1)?;
        (row < self.size && column < self.size).then_some((row, column))
    }

    /// Every empty square along `direction` before the first piece, nearest first.
    fn run(&self, from: (usize, usize), direction: (isize, isize)) -> Vec<(usize, usize)> {
        let mut reached = Vec::new();
        let mut here = from;
        while let Some(next) = self.step(here, direction) {
            if self.cells[next.0][next.1] != Cell::Empty {
                break;
            }
            reached.push(next);
            here = next;
        }
        reached
    }

    /// Whether `direction` leads a man of the side to move towards promotion.
    fn forward(&self, direction: (isize, isize)) -> bool {
        if self.white_to_move { direction.0 < 0 } else { direction.0 > 0 }
    }

    fn quiet_moves(&self, rules: RuleSet, from: (usize, usize), king: bool) -> Vec<Move> {
        let mut moves = Vec::new();
        for direction in DIAGONALS {
            if !king && !self.forward(direction) {
                continue;
            }
            let flying = king && rules == RuleSet::International;
            let reach = if flying { self.size } else { 1 };
            for to in self.run(from, direction).into_iter().take(reach) {
                moves.push(Move {
                    from: square_at(self.size, from.0, from.1),
                    to: square_at(self.size, to.0, to.1),
                    captured: Vec::new(),
                });
            }
        }
        moves
    }

    /// Adds to `paths` every way to go on capturing from `here`, and the path so far when there is
    /// no way to go on. The moving piece has been lifted off the board; captured pieces stay on it.
    fn capture_on(
        &self,
        rules: RuleSet,
        origin: usize,
        here: (usize, usize),
        king: bool,
        captured: &mut Vec<usize>,
        paths: &mut BTreeSet<Move>,
    ) {
        let mut goes_on = false;
        for direction in DIAGONALS {
            if !king && rules == RuleSet::Checkers && !self.forward(direction) {
                continue;
            }
            let flying = king && rules == RuleSet::International;
            let approach = if flying { self.run(here, direction) } else { Vec::new() };
            let Some(victim) = self.step(approach.last().copied().unwrap_or(here), direction)
            else {
                continue;
            };
            let Cell::Piece { white, .. } = self.cells[victim.0][victim.1] else { continue };
            let victim_square = square_at(self.size, victim.0, victim.1);
            if white == self.white_to_move || captured.contains(&victim_square) {
                continue;
            }
            let reach = if flying { self.size } else { 1 };
            for landing in self.run(victim, direction).into_iter().take(reach) {
                goes_on = true;
                captured.push(victim_square);
                self.capture_on(rules, origin, landing, king, captured, paths);
                captured.pop();
            }
        }
        if !goes_on && !captured.is_empty() {
            let to = square_at(self.size, here.0, here.1);
            paths.insert(Move { from: origin, to, captured: captured.clone() });
        }
    }

    /// Every legal move, one for each distinct path (`keep`), captured squares in path order.
    pub fn paths(&self, rules: RuleSet) -> Vec<Move> {
        let mut quiet = Vec::new();
        let mut captures = BTreeSet::new();
        for square in 1..=squares(self.size) {
            let Cell::Piece { white, king } = self.at(square) else { continue };
            if white != self.white_to_move {
                continue;
            }
            let here = row_and_column(self.size, square);
            quiet.extend(self.quiet_moves(rules, here, king));
            let mut lifted = self.clone();
            lifted.put(square, Cell::Empty);
            lifted.capture_on(rules, square, here, king, &mut Vec::new(), &mut captures);
        }
        if captures.is_empty() {
            return quiet;
        }
        let most = captures.iter().map(|path| path.captured.len()).max().unwrap();
        let allowed = |path: &Move| rules == RuleSet::Checkers || path.captured.len() == most;
        captures.into_iter().filter(allowed).collect()
    }

    /// Every legal move by origin, destination and captured set, sorted: a multiset under `keep`,
    /// a set under `drop`.
    pub fn moves(&self, rules: RuleSet, keep: bool) -> Vec<Move> {
        let mut moves: Vec<Move> = self.paths(rules).iter().map(Move::sorted).collect();
        moves.sort();
        if !keep {
            moves.dedup();
        }
        moves
    }

    /// The position after `mv`, the other side to move. A man that ends its move on the last row
    /// becomes a king (FMJD 4.15; in checkers it can only end there).
    pub fn after(&self, mv: &Move) -> Position {
        let mut next = self.clone();
        let Cell::Piece { white, king } = self.at(mv.from) else {
            panic!("no piece on {}", mv.from)
        };
        next.put(mv.from, Cell::Empty);
        for &square in &mv.captured {
            next.put(square, Cell::Empty);
        }
        let (row, _) = row_and_column(self.size, mv.to);
        let last = if white { 0 } else { self.size - 1 };
        next.put(mv.to, Cell::Piece { white, king: king || row == last });
        next.white_to_move = !self.white_to_move;
        next
    }

    /// Move paths of exactly `depth` plies.
    pub fn perft(&self, rules: RuleSet, keep: bool, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let moves = self.moves(rules, keep);
        moves.iter().map(|mv| self.after(mv).perft(rules, keep, depth - 1)).sum()
    }
}
