//! The eight symmetries of a square board.

use super::machine::bits;

/// A set of cells of a `side` x `side` board (cell = `stride * row + column`) under each rotation and
/// reflection, the identity first.
pub(super) fn images(set: u64, side: u32, stride: u32) -> [u64; 8] {
    std::array::from_fn(|symmetry| {
        bits(set).fold(0, |image, cell| {
            let (mut row, mut column) = (cell / stride, cell % stride);
            if symmetry & 1 != 0 {
                row = side - 1 - row;
            }
            if symmetry & 2 != 0 {
                column = side - 1 - column;
            }
            if symmetry & 4 != 0 {
                (row, column) = (column, row);
            }
            image | 1 << (stride * row + column)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_without_symmetry_has_eight_images_and_the_whole_board_one() {
        let mut cell = images(1 << 1, 4, 8).to_vec();
        assert_eq!(cell[0], 1 << 1);
        cell.sort_unstable();
        cell.dedup();
        assert_eq!(cell.len(), 8);
        assert_eq!(images(0o777, 3, 3), [0o777; 8]);
    }
}
