//! Counts that other programs have found.

/// Wins, draws and losses with White to move.
pub type Counts = [u64; 3];

/// By game and number of pieces. 6 x 6: two independent programs, which agree with the sizes and
/// longest wins that J. van Horssen gives in *Complexity of checkers and draughts on different board
/// sizes*. 8 x 8: damforum.nl, topic 2603, for two kings, and two independent programs.
const KNOWN: [(&str, u32, Counts); 11] = [
    ("checkers-6", 2, [256, 648, 125]),
    ("checkers-6", 3, [15_579, 1_907, 12_640]),
    ("checkers-6", 4, [216_518, 115_390, 149_847]),
    ("checkers-6", 5, [2_714_672, 515_498, 2_046_704]),
    ("checkers-6", 6, [21_437_585, 6_306_158, 15_347_722]),
    ("draughts-6", 2, [407, 432, 190]),
    ("draughts-6", 3, [11_126, 14_014, 4_986]),
    ("draughts-6", 4, [192_404, 186_773, 102_578]),
    ("draughts-6", 5, [2_162_960, 1_914_317, 1_199_597]),
    ("draughts-6", 6, [18_115_994, 14_398_397, 10_577_074]),
    ("checkers-8", 2, [716, 2_370, 402]),
];

/// What is known of the positions of `game` with exactly `pieces` pieces.
pub fn known(game: &str, pieces: u32) -> Option<Counts> {
    KNOWN.iter().find(|row| (row.0, row.1) == (game, pieces)).map(|row| row.2)
}
