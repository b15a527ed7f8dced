//! Sets of positions of a slice as bits of memory that grows as it is touched.

use std::ops::Range;

use memmap2::{Advice, MmapMut};

use crate::games::draughts::board::bits;

/// Memory of zeros, backed by pages that exist once they are written to.
#[derive(Debug)]
enum Zeros {
    Small(Vec<u64>),
    Mapped(MmapMut),
}

/// Above this many words the memory is mapped, with huge pages where the system has them.
const SMALL_WORDS: usize = 1 << 18;

impl Zeros {
    fn new(words: usize) -> std::io::Result<Self> {
        if words <= SMALL_WORDS {
            return Ok(Self::Small(vec![0; words]));
        }
        let map = MmapMut::map_anon(words * 8)?;
        // Only speed depends on it.
        #[cfg(target_os = "linux")]
        let _ = map.advise(Advice::HugePage);
        Ok(Self::Mapped(map))
    }

    #[inline(always)]
    fn words(&self) -> &[u64] {
        match self {
            Self::Small(words) => words,
            Self::Mapped(map) => bytemuck::cast_slice(map),
        }
    }

    #[inline(always)]
    fn words_mut(&mut self) -> &mut [u64] {
        match self {
            Self::Small(words) => words,
            Self::Mapped(map) => bytemuck::cast_slice_mut(map),
        }
    }
}

/// Asks the processor for the cache line of a word that will be wanted soon.
#[inline(always)]
fn prefetch(words: &[u64], at: usize) {
    #[cfg(target_arch = "x86_64")]
    if let Some(word) = words.get(at) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch reads nothing that the program sees and cannot fault.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(word).cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (words, at);
}

/// A set of numbers below a size.
#[derive(Debug)]
pub(super) struct Seen {
    words: Zeros,
}

impl Seen {
    /// No set of any number.
    pub(super) const EMPTY: Self = Self { words: Zeros::Small(Vec::new()) };

    pub(super) fn new(size: u64) -> std::io::Result<Self> {
        Ok(Self { words: Zeros::new(size.div_ceil(64) as usize)? })
    }

    /// Asks for the memory of `index`, which will be wanted soon.
    #[inline(always)]
    pub(super) fn announce(&self, index: u64) {
        prefetch(self.words.words(), (index / 64) as usize);
    }

    /// Adds `index`; whether it was new.
    #[inline(always)]
    pub(super) fn insert(&mut self, index: u64) -> bool {
        let word = &mut self.words.words_mut()[(index / 64) as usize];
        let bit = 1 << (index % 64);
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    /// The numbers, lowest first.
    pub(super) fn numbers(&self) -> impl Iterator<Item = u64> {
        let busy = self.words.words().iter().enumerate().filter(|(_, word)| **word != 0);
        busy.flat_map(|(at, word)| bits(*word).map(move |bit| at as u64 * 64 + u64::from(bit)))
    }
}

/// A set of numbers of which the latest can be taken out in order: visited positions and among them
/// the frontier.
///
/// A visited word and its frontier word are neighbours, so that one cache line serves both; one bit
/// in `busy` stands for [`LINE`] pairs, so that empty stretches are skipped.
#[derive(Debug)]
pub(super) struct Marks {
    pairs: Zeros,
    busy: Vec<u64>,
    visited: u64,
    taken: u64,
}

/// Pairs of words for each bit of `busy`.
const LINE: usize = 16;
/// Numbers for each bit of `busy`.
const LINE_NUMBERS: u64 = 64 * LINE as u64;

impl Marks {
    pub(super) fn new(size: u64) -> std::io::Result<Self> {
        let pairs = size.div_ceil(64) as usize;
        let lines = pairs.div_ceil(LINE);
        Ok(Self {
            pairs: Zeros::new(lines * LINE * 2)?,
            busy: vec![0; lines.div_ceil(64)],
            visited: 0,
            taken: 0,
        })
    }

    /// Memory for a set of numbers below `size` when all of it is touched, in bytes.
    pub(super) fn bytes(size: u64) -> u64 {
        size / 4 + size / (64 * LINE as u64 * 8)
    }

    /// Asks for the memory of `index`, which will be wanted soon.
    #[inline(always)]
    pub(super) fn announce(&self, index: u64) {
        prefetch(self.pairs.words(), 2 * (index / 64) as usize);
    }

    /// Visits `index` and, when it is new, puts it in the frontier.
    #[inline(always)]
    pub(super) fn visit(&mut self, index: u64) {
        let pair = (index / 64) as usize;
        let bit = 1_u64 << (index % 64);
        // Whether a number is new cannot be predicted, so nothing here hangs on it.
        let words = self.pairs.words_mut();
        let [visited, frontier] = words[2 * pair..][..2] else { unreachable!("two words a pair") };
        let new = bit & !visited;
        words[2 * pair] = visited | bit;
        words[2 * pair + 1] = frontier | new;
        let is_new = u64::from(new != 0);
        let line = pair / LINE;
        self.busy[line / 64] |= is_new << (line % 64);
        self.visited += is_new;
    }

    /// How many numbers have been visited.
    pub(super) fn visited(&self) -> u64 {
        self.visited
    }

    /// How many numbers stand in the frontier.
    pub(super) fn frontier(&self) -> u64 {
        self.visited - self.taken
    }

    /// Takes the numbers out of the frontier and calls `each` with them, lowest first. Of the others
    /// than those in `range` some may be taken too.
    #[inline(always)]
    pub(super) fn take_frontier(&mut self, range: Range<u64>, mut each: impl FnMut(u64)) {
        let words = self.pairs.words_mut();
        let lines = range.start / LINE_NUMBERS..range.end.div_ceil(LINE_NUMBERS);
        for group in lines.start / 64..lines.end.div_ceil(64) {
            let first = group * 64;
            let mut mask = u64::MAX << lines.start.saturating_sub(first);
            if lines.end - first < 64 {
                mask &= (1 << (lines.end - first)) - 1;
            }
            let busy = &mut self.busy[group as usize];
            let mut busy_lines = *busy & mask;
            *busy &= !mask;
            while busy_lines != 0 {
                let line = (first as usize) + busy_lines.trailing_zeros() as usize;
                busy_lines &= busy_lines - 1;
                for pair in line * LINE..(line + 1) * LINE {
                    let mut fresh = std::mem::take(&mut words[2 * pair + 1]);
                    self.taken += u64::from(fresh.count_ones());
                    while fresh != 0 {
                        each(pair as u64 * 64 + u64::from(fresh.trailing_zeros()));
                        fresh &= fresh - 1;
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_frontier_is_what_was_new_since_it_was_taken() {
        for size in [1_000, 40_000_000] {
            let mut marks = Marks::new(size).unwrap();
            let take = |marks: &mut Marks| {
                let mut taken = Vec::new();
                marks.take_frontier(0..size, |index| taken.push(index));
                taken
            };
            for index in [size - 1, 3, 64, 3, 0] {
                marks.visit(index);
            }
            assert_eq!(marks.frontier(), 4);
            assert_eq!(take(&mut marks), [0, 3, 64, size - 1]);
            marks.visit(3);
            marks.visit(65);
            assert_eq!(take(&mut marks), [65]);
            assert_eq!(marks.frontier(), 0);
        }
    }

    #[test]
    fn seen_numbers_are_new_once() {
        let mut seen = Seen::new(30_000_000).unwrap();
        let numbers = (0..100).chain(50..150).chain([29_999_999, 29_999_999]);
        let new: Vec<u64> = numbers.filter(|index| seen.insert(*index)).collect();
        assert_eq!(new, (0..150).chain([29_999_999]).collect::<Vec<_>>());
    }
}
