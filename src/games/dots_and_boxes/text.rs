//! Dots and Boxes positions as text: the edges line by line, the side to move and the boxes of both.

use super::{DotsAndBoxes, Edge, Position};
use crate::game::{Notation, NotationError};
use crate::games::board_text;

impl Notation for DotsAndBoxes {
    fn position_syntax(&self) -> String {
        format!(
            "{} lines of edges from the top, joined by '/', by turns {} of '-' and {} of '|', '.' for \
             an edge that is not drawn; the side to move X or O, X began; the boxes of both: {}",
            2 * self.rows + 1,
            self.columns,
            self.columns + 1,
            self.write_position(&Position { edges: 1, lead: 0, second_moves: true })
        )
    }

    fn write_position(&self, position: &Position) -> String {
        let mut lines = Vec::new();
        let mut edge = 0;
        for (drawn, length) in self.lines() {
            let write = |edge: u32| if position.edges >> edge & 1 == 1 { drawn } else { '.' };
            lines.push((edge..edge + length).map(write).collect::<String>());
            edge += length;
        }
        let closed = self.closed(position.edges) as i32;
        let first = (closed + i32::from(position.lead)) / 2;
        let side = if position.second_moves { 'O' } else { 'X' };
        format!("{} {side} {first}-{}", lines.join("/"), closed - first)
    }

    fn read_position(&self, text: &str) -> Result<Position, NotationError> {
        let syntax = || self.position_syntax();
        let words: Vec<&str> = text.split_whitespace().collect();
        let &[board, side, boxes] = &words[..] else {
            return Err(NotationError::new(text.trim(), "is no position", syntax()));
        };
        let edges = self.read_edges(board)?;
        let second_moves = match side {
            "X" | "x" => false,
            "O" | "o" => true,
            _ => return Err(NotationError::new(side, "is no side to move", "X or O")),
        };
        let closed = self.closed(edges);
        let shares = boxes.split_once('-').and_then(|(first, second)| {
            Some((first.parse::<u32>().ok()?, second.parse::<u32>().ok()?))
        });
        let (first, second) = match shares {
            Some((first, second)) if first.checked_add(second) == Some(closed) => (first, second),
            Some(_) => {
                let problem = format!("the board has {closed} closed boxes");
                return Err(NotationError::new(boxes, problem, ""));
            }
            None => return Err(NotationError::new(boxes, "is no share of boxes", "0-0")),
        };
        if closed == 0 && second_moves == edges.count_ones().is_multiple_of(2) {
            let problem =
                format!("{} edges and no box: the other side is to move", edges.count_ones());
            return Err(NotationError::new(side, problem, ""));
        }
        Ok(Position { edges, lead: (first as i32 - second as i32) as i8, second_moves })
    }

    fn write_move(&self, _position: &Position, Edge(edge): Edge) -> String {
        let line = 2 * self.columns + 1;
        let (row, place) = (u32::from(edge) / line, u32::from(edge) % line);
        let dot = board_text::cell;
        match place.checked_sub(self.columns) {
            None => format!("{}{}", dot(place, row), dot(place + 1, row)),
            Some(column) => format!("{}{}", dot(column, row), dot(column, row + 1)),
        }
    }
}

impl DotsAndBoxes {
    /// How a drawn edge of each line is written, and how many edges the line has.
    fn lines(&self) -> impl Iterator<Item = (char, u32)> {
        let (columns, count) = (self.columns, 2 * self.rows + 1);
        (0..count).map(move |line| if line % 2 == 0 { ('-', columns) } else { ('|', columns + 1) })
    }

    fn read_edges(&self, board: &str) -> Result<u64, NotationError> {
        let (count, wanted) = (board.split('/').count(), self.lines().count());
        if count != wanted {
            let problem = format!("has {count} lines, the board has {wanted}");
            return Err(NotationError::new(board, problem, self.position_syntax()));
        }
        let (mut edges, mut edge) = (0u64, 0);
        for (text, (drawn, length)) in board.split('/').zip(self.lines()) {
            let found = text.chars().count();
            if found != length as usize {
                let problem = format!("has {found} edges, this line of the board has {length}");
                return Err(NotationError::new(text, problem, self.position_syntax()));
            }
            for character in text.chars() {
                match character {
                    '.' => {}
                    _ if character == drawn => edges |= 1 << edge,
                    _ => {
                        let allowed = format!("{drawn} .");
                        return Err(NotationError::new(character, "is no edge here", allowed));
                    }
                }
                edge += 1;
            }
        }
        Ok(edges)
    }
}
