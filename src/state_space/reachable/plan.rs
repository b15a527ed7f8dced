//! The slices that a start position can reach, and which lead to which.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::marks::Marks;
use super::search::RUN;
use crate::games::draughts::{Board, Position};
use crate::state_space::formula::Slice;
use crate::state_space::ranking::{self, Ranking, Subsets};

/// What a full list of seeds takes in memory, with its encoding.
const LIST_BYTES: u64 = 2 * 4 * RUN as u64;

/// The slices of a search, numbered, with their rankings.
#[derive(Debug)]
pub(super) struct Plan<B: Board> {
    rankings: Vec<Ranking<B>>,
    numbers: FxHashMap<Slice, usize>,
    targets: Vec<Vec<usize>>,
}

impl<B: Board> Plan<B> {
    /// The slices below the material of `start`; an error names the slice that is too large.
    pub(super) fn new(start: &Position<B>) -> Result<Self, Slice> {
        let whole = ranking::slice_of(start);
        let most = whole.black().max(whole.white());
        let subsets = Arc::new(Subsets::new(most));
        let mut rankings = Vec::new();
        let mut numbers = FxHashMap::default();
        for slice in slices_below(whole) {
            let fits = Ranking::new(slice, Arc::clone(&subsets));
            // Seeds are written as 32-bit numbers.
            let ranking = fits.filter(|r| r.size() <= 1 << 32).ok_or(slice)?;
            if ranking.size() > 0 {
                numbers.insert(slice, rankings.len());
                rankings.push(ranking);
            }
        }
        let number = |slice: &Slice| numbers.get(slice).copied();
        let targets = rankings
            .iter()
            .map(|r| slices_after(r.slice()).iter().filter_map(number).collect())
            .collect();
        Ok(Self { rankings, numbers, targets })
    }

    /// How many slices there are.
    pub(super) fn len(&self) -> usize {
        self.rankings.len()
    }

    pub(super) fn ranking(&self, slice: usize) -> &Ranking<B> {
        &self.rankings[slice]
    }

    pub(super) fn slice(&self, slice: usize) -> Slice {
        self.rankings[slice].slice()
    }

    pub(super) fn slice_of(&self, position: &Position<B>) -> Option<usize> {
        self.numbers.get(&ranking::slice_of(position)).copied()
    }

    /// The number of the slice with this material.
    pub(super) fn number(&self, slice: Slice) -> Option<usize> {
        self.numbers.get(&slice).copied()
    }

    /// The most pieces of one colour in any slice.
    pub(super) fn most_pieces(&self) -> u32 {
        self.rankings.iter().map(|r| r.slice().black().max(r.slice().white())).max().unwrap_or(0)
    }

    /// The slices to which a single move may lead.
    pub(super) fn targets(&self, slice: usize) -> &[usize] {
        &self.targets[slice]
    }

    /// Memory that a search of the slice can touch, in bytes: marks of its positions and of those it
    /// leads to, and lists of seeds on their way to the disk.
    pub(super) fn memory(&self, slice: usize) -> u64 {
        let to = |target: &usize| {
            let size = self.rankings[*target].size();
            size / 4 + LIST_BYTES.min(8 * size)
        };
        let sent: u64 = self.targets[slice].iter().map(to).sum();
        2 * Marks::bytes(self.rankings[slice].size()) + sent
    }

    /// The space that waiting seeds may well take on disk at a time, in bytes: a bit for each
    /// position, reached or not. The counts of both 6x6 games took about nine tenths of that.
    pub(super) fn likely_seeds_bytes(&self) -> u64 {
        let positions = self.rankings.iter().map(|ranking| 2 * ranking.size());
        positions.fold(0, u64::saturating_add) / 8
    }
}

/// The slices that captures and promotions can make of `whole`, itself included.
fn slices_below(whole: Slice) -> Vec<Slice> {
    let mut slices = Vec::new();
    for black_men in 0..=whole.black_men {
        for black_kings in 0..=whole.black() - black_men {
            for white_men in 0..=whole.white_men {
                for white_kings in 0..=whole.white() - white_men {
                    let slice = Slice { black_men, black_kings, white_men, white_kings };
                    if slice.pieces() > 0 {
                        slices.push(slice);
                    }
                }
            }
        }
    }
    slices
}

/// The slices that one capture or promotion can make of `slice`; some may not be possible.
fn slices_after(slice: Slice) -> Vec<Slice> {
    let mut after = Vec::new();
    for promoted in 0..=1 {
        if slice.black_men >= promoted {
            for men in 0..=slice.white_men {
                for kings in 0..=slice.white_kings {
                    after.push(Slice {
                        black_men: slice.black_men - promoted,
                        black_kings: slice.black_kings + promoted,
                        white_men: slice.white_men - men,
                        white_kings: slice.white_kings - kings,
                    });
                }
            }
        }
        if slice.white_men >= promoted {
            for men in 0..=slice.black_men {
                for kings in 0..=slice.black_kings {
                    after.push(Slice {
                        black_men: slice.black_men - men,
                        black_kings: slice.black_kings - kings,
                        white_men: slice.white_men - promoted,
                        white_kings: slice.white_kings + promoted,
                    });
                }
            }
        }
    }
    after.sort_unstable();
    after.dedup();
    after.retain(|other| *other != slice && other.pieces() > 0);
    after
}
