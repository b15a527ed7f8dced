//! A number for every position of a material slice, and back.
//!
//! A slice is the set of positions with given numbers of men and kings of both colours, one colour
//! to move. Its positions are numbered without gaps:
//!
//! ```text
//! index  = configuration x K + (rank of the black kings) x C(e - bk, wk) + (rank of the white kings)
//! configuration = (configurations with lower black men) + (white placements - 1 - rank of the white men)
//! K      = C(e, bk) C(e - bk, wk),  e = squares without a man
//! ```
//!
//! Every rank is the colexicographic rank of a set among the squares still free: black men on all
//! but the last row, white men on all but the first without black men, black kings on the squares
//! without men, white kings on what is left. The white men count backwards, so that a move of a man
//! of either colour always leads to a higher configuration. Sizes of slices add up to the bound of
//! [`super::formula`].

use std::sync::Arc;

use super::formula::Slice;
use crate::games::draughts::{Board, Position, Side, Word, board::bits};

const CHUNK: u32 = 9;
/// Sets of this many members at most are listed in a table.
const LONGEST_LIST: u64 = 1 << 23;

/// Tables of the sets of squares of a board, shared by all rankings.
#[derive(Debug)]
pub struct Subsets<B: Board> {
    /// `ranks[chunk * (most + 1) + n][bits]`: what nine bits add to a rank when `n` members are below.
    ranks: Vec<[u32; 1 << CHUNK]>,
    most: usize,
    /// `members[k][r]`: the set of `k` squares with rank `r`.
    members: Vec<Vec<B::Word>>,
    /// `binomials[n][k]`, saturating.
    binomials: Vec<Vec<u64>>,
}

impl<B: Board> Subsets<B> {
    /// Tables for sets of at most `most` squares.
    pub fn new(most: u32) -> Self {
        let chunks = B::SQUARES.div_ceil(CHUNK);
        let binomials = binomials((chunks * CHUNK) as usize);
        let mut ranks = Vec::new();
        for chunk in 0..chunks {
            for below in 0..=most {
                let mut table = [0; 1 << CHUNK];
                for (set, rank) in table.iter_mut().enumerate() {
                    let sum: u64 = bits(set as u64)
                        .zip(below + 1..)
                        .map(|(bit, place)| choose(&binomials, chunk * CHUNK + bit, place))
                        .fold(0, u64::saturating_add);
                    *rank = u32::try_from(sum).unwrap_or(u32::MAX);
                }
                ranks.push(table);
            }
        }
        let members = (0..=most).map(|k| members::<B>(&binomials, k)).collect();
        Self { ranks, most: most as usize, members, binomials }
    }

    fn choose(&self, n: u32, k: u32) -> u64 {
        choose(&self.binomials, n, k)
    }

    /// All sets of `k` members of `squares` in order of rank, for every `k` that rankings take.
    pub fn sets(&self, k: u32, squares: B::Word) -> impl Iterator<Item = B::Word> {
        let count = self.choose(squares.count(), k) as usize;
        self.members[k as usize][..count].iter().map(move |set| set.deposit(squares))
    }

    /// The rank of `set` among the sets of as many members of `squares`.
    #[inline(always)]
    pub fn rank(&self, set: B::Word, squares: B::Word) -> u64 {
        let mut rest = set.extract(squares);
        let (mut rank, mut below, mut row) = (0, 0, 0);
        // A fixed number of look-ups, since how many a set needs cannot be predicted.
        for _ in 0..B::SQUARES.div_ceil(CHUNK) {
            let chunk = rest.low() & ((1 << CHUNK) - 1);
            rank += self.ranks[row + below][chunk as usize];
            below += chunk.count_ones() as usize;
            row += self.most + 1;
            rest = rest >> CHUNK;
        }
        u64::from(rank)
    }

    /// The set of `k` members of `squares` with rank `rank`.
    #[inline(always)]
    fn unrank(&self, k: u32, rank: u64, squares: B::Word) -> B::Word {
        self.members[k as usize][rank as usize].deposit(squares)
    }
}

fn binomials(squares: usize) -> Vec<Vec<u64>> {
    let mut rows = vec![vec![1]];
    for n in 1..=squares {
        let above: &Vec<u64> = &rows[n - 1];
        let inner = (1..n).map(|k| above[k - 1].saturating_add(above[k]));
        rows.push(std::iter::once(1).chain(inner).chain([1]).collect());
    }
    rows
}

fn choose(binomials: &[Vec<u64>], n: u32, k: u32) -> u64 {
    binomials[n as usize].get(k as usize).copied().unwrap_or(0)
}

/// All sets of `k` squares in order of rank; empty when there are too many to list.
fn members<B: Board>(binomials: &[Vec<u64>], k: u32) -> Vec<B::Word> {
    if choose(binomials, B::SQUARES, k) > LONGEST_LIST {
        return Vec::new();
    }
    let mut sets = vec![Vec::from([B::Word::ZERO])];
    // Colexicographic order: by the highest member first.
    for size in 1..=k {
        let smaller = &sets[size as usize - 1];
        let mut list = Vec::new();
        for highest in size - 1..B::SQUARES {
            let below = choose(binomials, highest, size - 1) as usize;
            list.extend(smaller[..below].iter().map(|set| *set | B::Word::bit(highest)));
        }
        sets.push(list);
    }
    sets.pop().expect("the list of the empty set is there")
}

/// Numbers the positions of one slice.
#[derive(Clone, Debug)]
pub struct Ranking<B: Board> {
    slice: Slice,
    subsets: Arc<Subsets<B>>,
    /// `before[r]`: configurations whose black men have a rank below `r`; one more at the end.
    before: Vec<u64>,
    kings: u64,
    white_kings: u64,
}

/// Where the pieces of a position of a slice stand; the first of two sets is that of Black.
#[derive(Clone, Copy, Debug)]
pub struct Placement<B: Board> {
    /// The number of the first position with the same men.
    first: u64,
    /// The men.
    pub men: [B::Word; 2],
    /// The kings.
    pub kings: [B::Word; 2],
}

impl<B: Board> Placement<B> {
    /// The position with `side` to move.
    #[inline(always)]
    pub fn position(&self, side: Side) -> Position<B> {
        let [black, white] = self.kings;
        Position::new_unchecked(self.men[1] | white, self.men[0] | black, black | white, side)
    }
}

impl<B: Board> Ranking<B> {
    /// Prepares the numbers of `slice`.
    ///
    /// `None` when the slice is too large to be numbered here: more than 2^63 positions, or a kind of
    /// piece with more than 8 million placements or more members than the tables hold.
    pub fn new(slice: Slice, subsets: Arc<Subsets<B>>) -> Option<Self> {
        let Slice { black_men, black_kings, white_men, white_kings } = slice;
        for k in [black_men, black_kings, white_men, white_kings] {
            if subsets.members.get(k as usize).is_none_or(Vec::is_empty) {
                return None;
            }
        }
        let open = B::SQUARES.checked_sub(black_men + white_men)?;
        let left = open.checked_sub(black_kings)?;
        left.checked_sub(white_kings)?;
        let men_squares = B::SQUARES - B::ROW;
        let placements = subsets.choose(men_squares, black_men);
        let mut before = Vec::with_capacity(placements as usize + 1);
        let mut sum = 0;
        before.push(0);
        for rank in 0..placements {
            let black = subsets.unrank(black_men, rank, black_squares::<B>());
            sum += subsets.choose(white_squares::<B>(black).count(), white_men);
            before.push(sum);
        }
        let white_choices = subsets.choose(left, white_kings);
        let kings = subsets.choose(open, black_kings).checked_mul(white_choices)?;
        sum.checked_mul(kings).filter(|size| *size < 1 << 63)?;
        Some(Self { slice, subsets, before, kings, white_kings: white_choices })
    }

    /// The slice.
    pub fn slice(&self) -> Slice {
        self.slice
    }

    /// The number of positions, one colour to move.
    pub fn size(&self) -> u64 {
        self.configurations() * self.kings
    }

    /// The number of `position`, which must belong to the slice; who is to move plays no part.
    #[inline]
    pub fn rank(&self, position: &Position<B>) -> u64 {
        let sides = [Side::Black, Side::White];
        self.rank_pieces(sides.map(|s| position.men(s)), sides.map(|s| position.kings(s)))
    }

    /// The number of the position with these men and kings, of Black first, which must belong to
    /// the slice.
    #[inline(always)]
    pub fn rank_pieces(&self, men: [B::Word; 2], kings: [B::Word; 2]) -> u64 {
        let black_men = self.subsets.rank(men[0], black_squares::<B>());
        let white_men = self.subsets.rank(men[1], white_squares::<B>(men[0]));
        let configuration = self.before[black_men as usize + 1] - 1 - white_men;
        configuration * self.kings + self.rank_kings(men, kings)
    }

    /// The number of the position with the men of `placement` and these kings.
    #[inline(always)]
    pub fn rank_other_kings(&self, placement: &Placement<B>, kings: [B::Word; 2]) -> u64 {
        placement.first + self.rank_kings(placement.men, kings)
    }

    #[inline(always)]
    fn rank_kings(&self, men: [B::Word; 2], kings: [B::Word; 2]) -> u64 {
        let open = B::ALL & !(men[0] | men[1]);
        let black_rank = self.subsets.rank(kings[0], open);
        let white_rank = self.subsets.rank(kings[1], open & !kings[0]);
        black_rank * self.white_kings + white_rank
    }

    /// How many configurations there are: placements of all men.
    pub fn configurations(&self) -> u64 {
        *self.before.last().expect("one entry at least")
    }

    /// The men of `configuration`, those of Black first.
    #[inline]
    pub fn men(&self, configuration: u64) -> [B::Word; 2] {
        let black_rank = self.before.partition_point(|first| *first <= configuration) - 1;
        let black =
            self.subsets.unrank(self.slice.black_men, black_rank as u64, black_squares::<B>());
        let white_rank = self.before[black_rank + 1] - 1 - configuration;
        let white =
            self.subsets.unrank(self.slice.white_men, white_rank, white_squares::<B>(black));
        [black, white]
    }

    /// The tables of sets behind the numbers.
    pub fn subsets(&self) -> &Subsets<B> {
        &self.subsets
    }

    /// How many positions have the same men.
    pub fn kings(&self) -> u64 {
        self.kings
    }

    /// A reader of positions with numbers that mostly go up.
    pub fn cursor(&self) -> Cursor<'_, B> {
        let placement = Placement { first: 0, men: self.men(0), kings: [B::Word::ZERO; 2] };
        let mut cursor = Cursor { ranking: self, row: 0, left: B::Word::ZERO, placement };
        cursor.turn_to(0);
        cursor
    }
}

/// Gives the position of a number, and is fastest for numbers of the same row: those that differ
/// in the white kings only.
#[derive(Clone, Debug)]
pub struct Cursor<'a, B: Board> {
    ranking: &'a Ranking<B>,
    /// The first number of the row.
    row: u64,
    /// The squares left for white kings.
    left: B::Word,
    /// A placement of the row.
    placement: Placement<B>,
}

impl<B: Board> Cursor<'_, B> {
    /// The placement with number `index`.
    #[inline(always)]
    pub fn placement(&mut self, index: u64) -> Placement<B> {
        if index.wrapping_sub(self.row) >= self.ranking.white_kings {
            self.turn_to(index);
        }
        let white = self.ranking.slice.white_kings;
        self.placement.kings[1] = self.ranking.subsets.unrank(white, index - self.row, self.left);
        self.placement
    }

    /// The position with number `index` and `side` to move.
    #[inline]
    pub fn unrank(&mut self, index: u64, side: Side) -> Position<B> {
        self.placement(index).position(side)
    }

    /// Goes to the row that holds `index`.
    fn turn_to(&mut self, index: u64) {
        let Ranking { slice, subsets, kings, white_kings, .. } = self.ranking;
        if index.wrapping_sub(self.placement.first) >= *kings {
            let configuration = index / kings;
            self.placement.first = configuration * kings;
            self.placement.men = self.ranking.men(configuration);
        }
        let black_rank = (index - self.placement.first) / white_kings;
        let open = B::ALL & !(self.placement.men[0] | self.placement.men[1]);
        let black = subsets.unrank(slice.black_kings, black_rank, open);
        self.placement.kings[0] = black;
        self.row = self.placement.first + black_rank * white_kings;
        self.left = open & !black;
    }
}

#[inline(always)]
fn black_squares<B: Board>() -> B::Word {
    B::ALL & !B::BOTTOM
}

#[inline(always)]
fn white_squares<B: Board>(black_men: B::Word) -> B::Word {
    B::ALL & !B::TOP & !black_men
}

/// The material of a position.
pub fn slice_of<B: Board>(position: &Position<B>) -> Slice {
    Slice {
        black_men: position.men(Side::Black).count(),
        black_kings: position.kings(Side::Black).count(),
        white_men: position.men(Side::White).count(),
        white_kings: position.kings(Side::White).count(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::games::draughts::{B4, B6, B8};
    use crate::state_space::formula::Formula;

    fn every_number_comes_back<B: Board>(slice: Slice, stride: u64) {
        let ranking = Ranking::<B>::new(slice, Arc::new(Subsets::new(6))).unwrap();
        let mut cursor = ranking.cursor();
        for index in (0..ranking.size()).step_by(stride as usize) {
            for side in [Side::White, Side::Black] {
                let position = cursor.unrank(index, side);
                assert_eq!(slice_of(&position), slice, "{index}");
                assert_eq!(ranking.rank(&position), index, "{slice:?}");
            }
        }
    }

    fn slice(black_men: u32, black_kings: u32, white_men: u32, white_kings: u32) -> Slice {
        Slice { black_men, black_kings, white_men, white_kings }
    }

    #[test]
    fn ranks_of_whole_slices_come_back() {
        every_number_comes_back::<B6>(slice(2, 1, 1, 1), 1);
        every_number_comes_back::<B6>(slice(0, 2, 3, 0), 1);
        every_number_comes_back::<B6>(slice(4, 0, 0, 1), 1);
        every_number_comes_back::<B6>(slice(3, 3, 3, 3), 7_654_321);
        every_number_comes_back::<B6>(slice(6, 0, 6, 0), 9_973);
        every_number_comes_back::<B4>(slice(1, 1, 2, 0), 1);
        every_number_comes_back::<B8>(slice(1, 2, 1, 1), 101);
    }

    #[test]
    fn sizes_of_slices_add_up_to_the_bound() {
        let subsets = Arc::new(Subsets::<B6>::new(6));
        let formula = Formula::new(6).unwrap();
        let mut total = 0;
        for (slice, size) in formula.slices() {
            let ranking = Ranking::new(slice, Arc::clone(&subsets)).unwrap();
            assert_eq!(size, ranking.size().into(), "{slice:?}");
            total += ranking.size();
        }
        // Table 1, 6 x 6.
        assert_eq!(total, 63_838_220_543);
    }
}
