//! The boards of a game of Go so far.

/// Bits of the filter: a power of two, well above the number of boards of a long random game.
const FILTER_BITS: usize = 4096;

/// A set of boards, each as Black's and White's stones.
///
/// The set is a sorted list of exact boards, so that equality is that of sets. Two more functions of the
/// set answer most questions sooner: the points where each colour ever had a stone, and a filter of
/// one bit for each value of a hash. The list grows by doubling, a handful of times in a game.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct History {
    boards: Vec<[u64; 2]>,
    ever: [u64; 2],
    filter: [u64; FILTER_BITS / 64],
}

impl History {
    /// The set of one board.
    pub(super) fn new(board: [u64; 2]) -> Self {
        let mut history =
            Self { boards: Vec::with_capacity(128), ever: [0; 2], filter: [0; FILTER_BITS / 64] };
        history.insert(board);
        history
    }

    /// The points of `points` at which a stone of one colour has stood before, Black's or White's: a
    /// board with a stone on any other is a new one.
    #[inline(always)]
    pub(super) fn doubtful(&self, white: bool, points: u64) -> u64 {
        points & self.ever[usize::from(white)]
    }

    /// Whether `board` has occurred.
    #[inline]
    pub(super) fn contains(&self, board: [u64; 2]) -> bool {
        let (word, bit) = place(board);
        self.filter[word] >> bit & 1 == 1 && self.boards.binary_search(&board).is_ok()
    }

    /// Adds `board`, if it has not occurred.
    #[inline]
    pub(super) fn insert(&mut self, board: [u64; 2]) {
        if let Err(at) = self.boards.binary_search(&board) {
            self.boards.insert(at, board);
            self.ever = [self.ever[0] | board[0], self.ever[1] | board[1]];
            let (word, bit) = place(board);
            self.filter[word] |= 1 << bit;
        }
    }
}

/// Word and bit of a board in the filter.
#[inline(always)]
fn place([black, white]: [u64; 2]) -> (usize, u32) {
    let mixed = black
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .wrapping_add(white.wrapping_mul(0xc2b2_ae3d_27d4_eb4f));
    let at = (mixed >> (64 - FILTER_BITS.trailing_zeros())) as usize;
    (at / 64, (at % 64) as u32)
}
