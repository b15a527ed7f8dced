//! What the depth-first search knows about positions it has met: a table of bounded size.
//!
//! An entry holds the whole position, not a key that could be that of another, so that what it says
//! is of that position. Buckets of four; a new entry takes the place of its own position, else of an
//! empty one, else of the one that took the least work. The table doubles when it is half full, as long as
//! it may.

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

impl<W: Word> Entry<W> {
    const EMPTY: Self =
        Self { key: [W::ZERO; 3], numbers: Numbers { proof: 1, disproof: 1 }, work: 0 };

    fn is_empty(&self) -> bool {
        self.work == 0
    }
}

type Bucket<W> = [Entry<W>; PLACES];

const PLACES: usize = 4;
const MOST_WORK: u64 = u32::MAX as u64 >> 1;

/// Buckets at first.
const FIRST: usize = 1 << 10;

pub(super) struct Table<B: Board> {
    buckets: Vec<Bucket<B::Word>>,
    /// The most buckets.
    most: usize,
    /// Entries in use.
    used: usize,
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
        let most = (bytes / size_of::<Bucket<B::Word>>() as u64).max(1) as usize;
        Self { buckets: vec![[Entry::EMPTY; PLACES]; most.min(FIRST)], most, used: 0 }
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
        let before =
            std::mem::replace(&mut bucket[chosen], Entry { key, numbers: known.numbers, work });
        self.used += usize::from(before.is_empty());
        let half = self.buckets.len() * PLACES / 2;
        if self.used > half && self.buckets.len() <= self.most / 2 {
            self.double();
        }
    }

    /// Makes two buckets of each.
    #[cold]
    fn double(&mut self) {
        let before = self.buckets.len();
        self.buckets.resize(2 * before, [Entry::EMPTY; PLACES]);
        // A position in bucket n goes to bucket 2 n or 2 n + 1: from the last on, they are free.
        for place in (0..before).rev() {
            let bucket = std::mem::replace(&mut self.buckets[place], [Entry::EMPTY; PLACES]);
            for entry in bucket.into_iter().filter(|entry| !entry.is_empty()) {
                let place = self.place(&entry.key);
                let bucket = &mut self.buckets[place];
                let free = bucket.iter_mut().find(|entry| entry.is_empty());
                *free.expect("two buckets hold what one held") = entry;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::game::Notation;
    use crate::games::draughts::{B8, Checkers, Draughts};

    fn king_on(square: u32, side: Side) -> Position<B8> {
        let king = u64::bit(B8::bit_of(square));
        let other = u64::bit(B8::bit_of(square % 32 + 1));
        Position::new(king, other, king | other, side)
    }

    /// 32 squares, both sides to move, both attackers.
    fn questions() -> impl Iterator<Item = (Position<B8>, Side, u32)> {
        let sides = [Side::White, Side::Black];
        let each = (1..=32).flat_map(move |square| sides.map(|side| king_on(square, side)));
        let asked = each.flat_map(move |position| sides.map(|attacker| (position, attacker)));
        asked.zip(1..).map(|((position, attacker), number)| (position, attacker, number))
    }

    #[test]
    fn what_is_put_in_is_found_while_the_table_grows() {
        let mut table = Table::<B8>::new(1 << 20);
        table.buckets.truncate(1);
        let mut in_all = 0;
        for (position, attacker, number) in questions() {
            let numbers = Numbers { proof: number, disproof: 7 };
            let known = Known { numbers, certain: number % 2 == 0 };
            table.put(&position, attacker, known, u64::from(number));
            assert_eq!(table.get(&position, attacker), Some(known));
            in_all = number;
        }
        let found = |(position, attacker, number): (Position<B8>, Side, u32)| {
            let known = table.get(&position, attacker);
            known.inspect(|known| assert_eq!(known.numbers.proof, number)).is_some()
        };
        let kept = questions().filter(|question| found(*question)).count();
        assert_eq!((in_all, kept, table.used), (128, kept, kept));
        // Of random positions half a table loses few to full buckets.
        assert!(kept > 100, "{kept}");
        assert!(table.buckets.len() >= 32);
    }

    #[test]
    fn a_table_stays_within_its_bytes_and_keeps_what_took_most_work() {
        let mut table = Table::<B8>::new(200);
        assert!(table.bytes() <= 200);
        let numbers = Numbers { proof: 3, disproof: 4 };
        let known = Known { numbers, certain: false };
        let start = Draughts::<Checkers, B8>::default().read_position("B:W21-32:B1-12").unwrap();
        table.put(&start, Side::Black, known, u64::MAX);
        for (position, attacker, _) in questions() {
            table.put(&position, attacker, known, 5);
        }
        assert!(table.bytes() <= 200);
        assert_eq!(table.get(&start, Side::Black), Some(known));
        assert_eq!(table.get(&start, Side::White), None);
    }
}
