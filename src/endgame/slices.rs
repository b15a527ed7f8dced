//! Which slices a database has, and where in them a position is.
//!
//! A slice and its twin, the board turned round and the colours exchanged, hold the same positions:
//! White to move in the one is Black to move in the other. Of each such pair the slice is kept
//! whose white pieces, then white kings, are not fewer than the black ones, with both sides to
//! move; a slice that is its own twin is kept with White to move only. So every position with a
//! colour-flipped twin is kept once, and as much is kept as all slices have with White to move.

use std::sync::Arc;

use thiserror::Error;

use crate::games::draughts::{Board, Position, Side, Word};
use crate::state_space::formula::Slice;
use crate::state_space::ranking::{Ranking, Subsets};

/// Why there can be no database with so many pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SlicesError {
    /// The fewest pieces are one of each colour, the most those of the initial position.
    #[error("{pieces} pieces on a board of {size} x {size} (allowed: 2 to {most})")]
    Pieces {
        /// The pieces that were asked for.
        pieces: u32,
        /// Rows of the board.
        size: u32,
        /// The most pieces of the board.
        most: u32,
    },
    /// The positions of a slice cannot be numbered.
    #[error("slice {0} is too large")]
    TooLarge(Slice),
}

/// A slice that is kept.
#[derive(Debug)]
pub struct Entry<B: Board> {
    /// The numbers of its positions.
    pub ranking: Ranking<B>,
    /// Whether it is its own twin and kept with White to move only.
    pub is_own_twin: bool,
}

impl<B: Board> Entry<B> {
    /// The slice.
    pub fn slice(&self) -> Slice {
        self.ranking.slice()
    }

    /// The sides to move with which it is kept.
    pub fn sides(&self) -> &'static [Side] {
        if self.is_own_twin { &[Side::White] } else { &[Side::White, Side::Black] }
    }

    /// How many positions are kept.
    pub fn size(&self) -> u64 {
        self.ranking.size() * self.sides().len() as u64
    }

    /// The number of the first position with `side` to move.
    #[inline(always)]
    pub fn first(&self, side: Side) -> u64 {
        match side {
            Side::White => 0,
            Side::Black => self.ranking.size(),
        }
    }
}

/// Where a position is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The slice, by its place in [`Slices::entries`].
    pub entry: usize,
    /// The number of the position: with White to move the number of its ranking, with Black to move
    /// as many more as the slice has positions.
    pub number: u64,
}

/// All slices with up to a number of pieces, at least one of each colour, at most as many of a
/// colour as in the initial position.
#[derive(Debug)]
pub struct Slices<B: Board> {
    pieces: u32,
    /// By material; see [`Slices::code`].
    known: Vec<Known>,
    entries: Vec<Entry<B>>,
}

/// A slice that is kept, or one whose twin is.
#[derive(Clone, Copy, Debug)]
struct Known {
    entry: u16,
    is_twin: bool,
}

/// No slice of the database.
const UNKNOWN: Known = Known { entry: u16::MAX, is_twin: false };

/// The most pieces of a board, both colours together.
pub fn most_pieces<B: Board>() -> u32 {
    B::N * (B::N - 2) / 2
}

/// The slice with the colours exchanged.
pub fn twin(slice: Slice) -> Slice {
    Slice {
        black_men: slice.white_men,
        black_kings: slice.white_kings,
        white_men: slice.black_men,
        white_kings: slice.black_kings,
    }
}

fn is_kept(slice: Slice) -> bool {
    (slice.white(), slice.white_kings) >= (slice.black(), slice.black_kings)
}

impl<B: Board> Slices<B> {
    /// The slices with 2 to `pieces` pieces.
    ///
    /// # Errors
    /// When the board has no such positions or too many.
    pub fn new(pieces: u32) -> Result<Self, SlicesError> {
        let most = most_pieces::<B>();
        if !(2..=most).contains(&pieces) {
            return Err(SlicesError::Pieces { pieces, size: B::N, most });
        }
        let of_colour = (pieces - 1).min(most / 2);
        let mut kept = Vec::new();
        let colour = || (1..=of_colour).flat_map(|n| (0..=n).map(move |men| (men, n - men)));
        for (black_men, black_kings) in colour() {
            for (white_men, white_kings) in colour() {
                let slice = Slice { black_men, black_kings, white_men, white_kings };
                if slice.pieces() <= pieces && is_kept(slice) {
                    kept.push(slice);
                }
            }
        }
        kept.sort_by_key(|slice| (slice.pieces(), slice.black_men + slice.white_men, *slice));
        let subsets = Arc::new(Subsets::new(of_colour));
        let mut entries = Vec::new();
        let base = pieces as usize;
        let mut slices = Self { pieces, known: vec![UNKNOWN; base.pow(4)], entries: Vec::new() };
        for slice in kept {
            let ranking = Ranking::new(slice, Arc::clone(&subsets));
            let ranking = ranking.filter(|ranking| ranking.size() < 1 << 40);
            let ranking = ranking.ok_or(SlicesError::TooLarge(slice))?;
            let entry = entries.len() as u16;
            for (slice, is_twin) in [(twin(slice), true), (slice, false)] {
                let code = slices.code_of(slice);
                slices.known[code] = Known { entry, is_twin };
            }
            entries.push(Entry { ranking, is_own_twin: twin(slice) == slice });
        }
        Ok(Self { entries, ..slices })
    }

    /// The most pieces of a position.
    pub fn pieces(&self) -> u32 {
        self.pieces
    }

    /// The slices that are kept, those that others need first: by pieces, then by men.
    pub fn entries(&self) -> &[Entry<B>] {
        &self.entries
    }

    /// How many positions are kept.
    pub fn size(&self) -> u64 {
        self.entries.iter().map(Entry::size).sum()
    }

    /// Material as one number: a digit below `pieces` for each kind.
    #[inline(always)]
    fn code(&self, counts: [u32; 4]) -> usize {
        counts.into_iter().fold(0, |code, count| code * self.pieces as usize + count as usize)
    }

    fn code_of(&self, slice: Slice) -> usize {
        self.code([slice.black_men, slice.black_kings, slice.white_men, slice.white_kings])
    }

    /// The place of the slice that is kept for `slice`, and whether it is the twin.
    pub fn find(&self, slice: Slice) -> Option<(usize, bool)> {
        let known = (slice.pieces() <= self.pieces && slice.black() > 0 && slice.white() > 0)
            .then(|| self.known[self.code_of(slice)])?;
        (known.entry != UNKNOWN.entry).then_some((usize::from(known.entry), known.is_twin))
    }

    /// Where the position with these men and kings, those of Black first, and `side` to move is
    /// kept. It must have at least one piece of each colour, and no more pieces than the database.
    #[inline(always)]
    pub(super) fn locate(&self, men: [B::Word; 2], kings: [B::Word; 2], side: Side) -> Place {
        let counts = [men[0].count(), kings[0].count(), men[1].count(), kings[1].count()];
        let known = self.known[self.code(counts)];
        let entry = &self.entries[usize::from(known.entry)];
        let (rank, side) = if known.is_twin {
            let turned = |sets: [B::Word; 2]| [B::turned(sets[1]), B::turned(sets[0])];
            (entry.ranking.rank_pieces(turned(men), turned(kings)), side.other())
        } else if entry.is_own_twin && side == Side::Black {
            let turned = |sets: [B::Word; 2]| [B::turned(sets[1]), B::turned(sets[0])];
            (entry.ranking.rank_pieces(turned(men), turned(kings)), Side::White)
        } else {
            (entry.ranking.rank_pieces(men, kings), side)
        };
        Place { entry: usize::from(known.entry), number: entry.first(side) + rank }
    }

    /// Where `position` is kept; `None` when it has no piece of some colour, or too many pieces.
    #[inline]
    pub fn place(&self, position: &Position<B>) -> Option<Place> {
        let sides = [Side::Black, Side::White];
        let (men, kings) = (sides.map(|s| position.men(s)), sides.map(|s| position.kings(s)));
        let counts = [men[0].count(), kings[0].count(), men[1].count(), kings[1].count()];
        let [black, white] = [counts[0] + counts[1], counts[2] + counts[3]];
        if black == 0 || white == 0 || black + white > self.pieces {
            return None;
        }
        let known = self.known[self.code(counts)];
        (known.entry != UNKNOWN.entry).then(|| self.locate(men, kings, position.side()))
    }
}
