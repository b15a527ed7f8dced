//! The exact value of every position with few pieces, found the plain way: all positions in a hash
//! map, swept until nothing changes. It knows the rules by the slow generator alone.

use std::collections::HashMap;

use super::{Cell, Position, RuleSet, row_and_column, squares};

/// The value of a position for the side to move, with the plies to the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exact {
    /// Won in so many plies.
    Win(u32),
    /// Neither side can win.
    Draw,
    /// Lost in so many plies.
    Loss(u32),
}

/// Every position of a board of `size` rows with one to `most` pieces, both colours to move; men do
/// not stand on their last row.
pub fn all_positions(size: usize, most: usize) -> Vec<Position> {
    let mut all = Vec::new();
    for white_to_move in [true, false] {
        place(&mut Position::empty(size, white_to_move), 1, most, &mut all);
    }
    all
}

fn place(board: &mut Position, square: usize, left: usize, all: &mut Vec<Position>) {
    if square > squares(board.size) {
        if board.cells.iter().flatten().any(|cell| *cell != Cell::Empty) {
            all.push(board.clone());
        }
        return;
    }
    place(board, square + 1, left, all);
    if left == 0 {
        return;
    }
    let (row, _) = row_and_column(board.size, square);
    for white in [true, false] {
        for king in [true, false] {
            let last = if white { 0 } else { board.size - 1 };
            if king || row != last {
                board.put(square, Cell::Piece { white, king });
                place(board, square + 1, left - 1, all);
            }
        }
    }
    board.put(square, Cell::Empty);
}

/// The value of every position with at most `most` pieces.
pub fn solve(size: usize, rules: RuleSet, most: usize) -> HashMap<Position, Exact> {
    let positions = all_positions(size, most);
    let places: HashMap<&Position, usize> =
        positions.iter().enumerate().map(|(place, position)| (position, place)).collect();
    let after: Vec<Vec<usize>> = positions
        .iter()
        .map(|position| {
            let moves = position.moves(rules, false);
            moves.iter().map(|mv| places[&position.after(mv)]).collect()
        })
        .collect();
    let mut values: Vec<Option<Exact>> = vec![None; positions.len()];
    let mut open: Vec<usize> = (0..positions.len()).collect();
    let mut idle = 0;
    // A sweep finds what ends after so many plies; wins and losses alternate.
    for plies in 0.. {
        let known = |place: usize| {
            let value = |next: &usize| values[*next];
            let lost = |next: &usize| matches!(value(next), Some(Exact::Loss(_)));
            let won = |next: &usize| matches!(value(next), Some(Exact::Win(_)));
            if after[place].iter().any(lost) {
                Some(Exact::Win(plies))
            } else {
                after[place].iter().all(won).then_some(Exact::Loss(plies))
            }
        };
        let found: Vec<(usize, Exact)> =
            open.iter().filter_map(|place| Some((*place, known(*place)?))).collect();
        for (place, value) in &found {
            values[*place] = Some(*value);
        }
        open.retain(|place| values[*place].is_none());
        idle = if found.is_empty() { idle + 1 } else { 0 };
        if idle == 2 {
            break;
        }
    }
    drop(places);
    let values = values.into_iter().map(|value| value.unwrap_or(Exact::Draw));
    positions.into_iter().zip(values).collect()
}
