//! Boards of stones as text: rows of X, O and '.', from the top, joined by '/'; cells as a column's
//! letter and a row's number.

use crate::game::{Notation, NotationError};

/// The board of which `stone` tells, for row and column, whether the first and whether the second
/// player has a stone there; row 0 is written first.
pub(super) fn write(rows: u32, columns: u32, stone: impl Fn(u32, u32) -> [bool; 2]) -> String {
    let cell = |row, column| match stone(row, column) {
        [true, _] => 'X',
        [_, true] => 'O',
        _ => '.',
    };
    let row = |row| (0..columns).map(|column| cell(row, column)).collect::<String>();
    (0..rows).map(row).collect::<Vec<_>>().join("/")
}

/// Calls `put` with row, column and player, 0 or 1, of every stone of `text`.
///
/// # Errors
/// Names a row or cell that the board cannot have; `syntax` is what is allowed.
pub(super) fn read(
    text: &str,
    rows: u32,
    columns: u32,
    syntax: &str,
    mut put: impl FnMut(u32, u32, usize),
) -> Result<(), NotationError> {
    let lines: Vec<&str> = text.split('/').collect();
    if lines.len() != rows as usize {
        let problem = format!("has {} rows, the board has {rows}", lines.len());
        return Err(NotationError::new(text, problem, syntax));
    }
    for (line, row) in lines.into_iter().zip(0..) {
        let width = line.chars().count();
        if width != columns as usize {
            let problem = format!("has {width} cells, the board has {columns} columns");
            return Err(NotationError::new(line, problem, syntax));
        }
        for (character, column) in line.chars().zip(0..) {
            match character {
                'X' | 'x' => put(row, column, 0),
                'O' | 'o' => put(row, column, 1),
                '.' => {}
                _ => return Err(NotationError::new(character, "is no cell", "X O .")),
            }
        }
    }
    Ok(())
}

/// The name of a cell: `a1` for column 0 and row 0.
pub(super) fn cell(column: u32, row: u32) -> String {
    format!("{}{}", (b'a' + column as u8) as char, row + 1)
}

/// Column and row of the cell called `text` on a board of this size.
pub(super) fn read_cell(text: &str, columns: u32, rows: u32) -> Option<(u32, u32)> {
    let letter = *text.as_bytes().first()?;
    let column = u32::from(letter.checked_sub(b'a')?);
    let number = text.get(1..)?;
    let row = number.parse::<u32>().ok()?.checked_sub(1)?;
    (column < columns && row < rows && text == cell(column, row)).then_some((column, row))
}

/// The error about `text`, which names none of the legal moves of `position`.
pub(super) fn no_move<G: Notation>(game: &G, position: &G::Position, text: &str) -> NotationError {
    let mut moves = Vec::new();
    game.legal_moves(position, &mut moves);
    let legal: Vec<String> = moves.iter().map(|mv| game.write_move(position, *mv)).collect();
    NotationError::new(text, "not a legal move here", legal.join(" "))
}
