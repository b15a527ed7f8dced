//! Sets of positions of a slice as bits of memory that grows as it is touched.

use memmap2::{Advice, MmapMut};

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
    fn words(&mut self) -> &mut [u64] {
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

/// Numbers whose memory has been asked for and that are dealt with a little later.
#[derive(Debug)]
struct Delayed {
    numbers: [u64; DELAY],
    next: usize,
}

/// About as many lines as a core can wait for at a time.
const DELAY: usize = 16;
/// No number.
const NONE: u64 = u64::MAX;

impl Delayed {
    const EMPTY: Self = Self { numbers: [NONE; DELAY], next: 0 };

    /// Takes `number` in and gives the one that has waited longest; [`NONE`] when none has.
    #[inline(always)]
    fn exchange(&mut self, number: u64) -> u64 {
        let oldest = std::mem::replace(&mut self.numbers[self.next], number);
        self.next = (self.next + 1) % DELAY;
        oldest
    }
}

/// A set of numbers below a size.
#[derive(Debug)]
pub(super) struct Seen {
    words: Zeros,
    delayed: Delayed,
}

impl Seen {
    pub(super) fn new(size: u64) -> std::io::Result<Self> {
        Ok(Self { words: Zeros::new(size.div_ceil(64) as usize)?, delayed: Delayed::EMPTY })
    }

    /// Adds `index` a little later; gives an earlier number that was new, if there is one.
    #[inline(always)]
    pub(super) fn insert(&mut self, index: u64) -> Option<u64> {
        prefetch(self.words.words(), (index / 64) as usize);
        let earlier = self.delayed.exchange(index);
        self.insert_now(earlier).then_some(earlier)
    }

    /// Adds what still waits and gives the numbers among it that were new.
    pub(super) fn settle(&mut self) -> impl Iterator<Item = u64> {
        let waiting = std::mem::replace(&mut self.delayed, Delayed::EMPTY).numbers;
        waiting.into_iter().filter(|index| self.insert_now(*index))
    }

    #[inline(always)]
    fn insert_now(&mut self, index: u64) -> bool {
        if index == NONE {
            return false;
        }
        let word = &mut self.words.words()[(index / 64) as usize];
        let bit = 1 << (index % 64);
        let new = *word & bit == 0;
        *word |= bit;
        new
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
    count: u64,
    delayed: Delayed,
}

/// Pairs of words for each bit of `busy`.
const LINE: usize = 16;

impl Marks {
    pub(super) fn new(size: u64) -> std::io::Result<Self> {
        let pairs = size.div_ceil(64) as usize;
        let lines = pairs.div_ceil(LINE);
        Ok(Self {
            pairs: Zeros::new(lines * LINE * 2)?,
            busy: vec![0; lines.div_ceil(64)],
            count: 0,
            delayed: Delayed::EMPTY,
        })
    }

    /// Memory for a set of numbers below `size` when all of it is touched, in bytes.
    pub(super) fn bytes(size: u64) -> u64 {
        size / 4 + size / (64 * LINE as u64 * 8)
    }

    /// Visits `index` and, when it is new, puts it in the frontier.
    #[inline(always)]
    pub(super) fn visit(&mut self, index: u64) {
        prefetch(self.pairs.words(), 2 * (index / 64) as usize);
        let earlier = self.delayed.exchange(index);
        self.visit_now(earlier);
    }

    #[inline(always)]
    fn visit_now(&mut self, index: u64) {
        if index == NONE {
            return;
        }
        let pair = (index / 64) as usize;
        let bit = 1_u64 << (index % 64);
        let words = self.pairs.words();
        if words[2 * pair] & bit == 0 {
            words[2 * pair] |= bit;
            words[2 * pair + 1] |= bit;
            let line = pair / LINE;
            self.busy[line / 64] |= 1 << (line % 64);
            self.count += 1;
        }
    }

    /// How many numbers stand in the frontier.
    pub(super) fn frontier(&mut self) -> u64 {
        for index in std::mem::replace(&mut self.delayed, Delayed::EMPTY).numbers {
            self.visit_now(index);
        }
        self.count
    }

    /// Empties the frontier and calls `each` with its numbers, lowest first.
    #[inline(always)]
    pub(super) fn take_frontier(&mut self, mut each: impl FnMut(u64)) {
        self.frontier();
        self.count = 0;
        let words = self.pairs.words();
        for (group, busy) in self.busy.iter_mut().enumerate() {
            let mut lines = std::mem::take(busy);
            while lines != 0 {
                let line = group * 64 + lines.trailing_zeros() as usize;
                lines &= lines - 1;
                for pair in line * LINE..(line + 1) * LINE {
                    let mut fresh = std::mem::take(&mut words[2 * pair + 1]);
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
                marks.take_frontier(|index| taken.push(index));
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
        let mut new: Vec<u64> = numbers.filter_map(|index| seen.insert(index)).collect();
        new.extend(seen.settle());
        new.sort_unstable();
        assert_eq!(new, (0..150).chain([29_999_999]).collect::<Vec<_>>());
    }
}
