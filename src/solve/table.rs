//! What the depth-first search knows about positions it has met: a table of bounded size.
//!
//! An entry holds the whole position, not a key that could be that of another, so that what it says
//! is of that position. Buckets of four; a new entry takes the place of its own position, else of an
//! empty one, else of the one that took the least work.

use super::leaves::Numbers;
use crate::engine::key::mix;
use crate::games::draughts::{Board, Position, Side, Word};

/// What the table tells of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
    pub(super) numbers: Numbers,
    /// Whether settled numbers hold on every way to the position.
    pub(super) certain: bool,
}

/// A position with the attacker, which ghost bits of the kings say.
type Key<W> = [W; 3];

#[derive(Clone, Copy, Debug)]
struct Entry<W> {
    key: Key<W>,
    numbers: Numbers,
    /// Positions generated below, shifted left by one; the lowest bit says whether it is certain.
    work: u32,
}

const PLACES: usize = 4;
const MOST_WORK: u64 = u32::MAX as u64 >> 1;

pub(super) struct Table<B: Board> {
    buckets: Vec<[Entry<B::Word>; PLACES]>,
}

fn key<B: Board>(position: &Position<B>, attacker: Side) -> Key<B::Word> {
    let mut kings = position.kings(Side::White) | position.kings(Side::Black);
    if position.side() == Side::Black {
        kings |= B::Word::bit(B::N);
    }
    if attacker == Side::Black {
        kings |= B::Word::bit(2 * B::N + 1);
    }
    [position.pieces(Side::White), position.pieces(Side::Black), kings]
}

impl<B: Board> Table<B> {
    /// A table of at most `bytes`, at least one bucket.
    pub(super) fn new(bytes: u64) -> Self {
        let bucket = size_of::<[Entry<B::Word>; PLACES]>() as u64;
        let empty =
            Entry { key: [B::Word::ZERO; 3], numbers: Numbers { proof: 1, disproof: 1 }, work: 0 };
        Self { buckets: vec![[empty; PLACES]; (bytes / bucket).max(1) as usize] }
    }

    /// The memory it takes.
    pub(super) fn bytes(&self) -> u64 {
        size_of_val(self.buckets.as_slice()) as u64
    }

    #[inline(always)]
    fn place(&self, key: &Key<B::Word>) -> usize {
        let hash = key.iter().fold(0, |hash, word| {
            // Words wider than 64 bits give their upper part too.
            let upper = (*word >> (B::N * B::N / 4)) >> (B::N * B::N / 4);
            mix(hash ^ word.low() ^ upper.low().rotate_left(32))
        });
        ((u128::from(hash) * self.buckets.len() as u128) >> 64) as usize
    }

    /// What is known about `position` when `attacker` wants to win.
    #[inline(always)]
    pub(super) fn get(&self, position: &Position<B>, attacker: Side) -> Option<Known> {
        let key = key(position, attacker);
        let bucket = &self.buckets[self.place(&key)];
        let entry = bucket.iter().find(|entry| entry.key == key)?;
        Some(Known { numbers: entry.numbers, certain: entry.work & 1 == 1 })
    }

    /// Stores what is known; `work` is the number of positions that it took.
    #[inline(always)]
    pub(super) fn put(&mut self, position: &Position<B>, attacker: Side, known: Known, work: u64) {
        let key = key(position, attacker);
        let place = self.place(&key);
        let bucket = &mut self.buckets[place];
        let mut work = work.clamp(1, MOST_WORK) as u32;
        let (mut chosen, mut least) = (0, u32::MAX);
        for (at, entry) in bucket.iter().enumerate() {
            if entry.key == key {
                chosen = at;
                work = work.max(entry.work >> 1);
                break;
            }
            if entry.work < least {
                (chosen, least) = (at, entry.work);
            }
        }
        let work = work << 1 | u32::from(known.certain);
        bucket[chosen] = Entry { key, numbers: known.numbers, work };
    }
}
