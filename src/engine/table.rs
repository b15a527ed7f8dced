//! The transposition table: what a search knows about positions it has met.
//!
//! Clusters of four entries fill a cache line. An entry holds the whole key, the score with its
//! bound, the depth that was left, and origin and destination of the best move. A new entry takes
//! the place of its own position, else an empty one, else the one with the least depth left. Entries
//! of earlier searches count as empty: a search never sees them, and since the four places of a
//! cluster are equal, what it keeps does not depend on them.

/// What a stored score says about the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// The value is the score or less.
    Upper,
    /// The value is the score or more.
    Lower,
    /// The value is the score.
    Exact,
}

/// Origin and destination of a move, 7 bits each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Route(u16);

impl Route {
    /// No move: no piece goes from bit 127 to bit 127.
    pub(super) const NONE: Self = Self(u16::MAX);

    #[inline(always)]
    pub(super) fn new(from: u8, to: u8) -> Self {
        Self(u16::from(from) << 7 | u16::from(to))
    }
}

/// What the table tells about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
    pub(super) score: i32,
    pub(super) depth: u8,
    pub(super) bound: Bound,
    pub(super) best: Route,
}

/// Score in the low 32 bits, then depth (8), generation (8), best move (14), bound (2).
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    key: u64,
    data: u64,
}

impl Entry {
    #[inline(always)]
    fn new(key: u64, known: Known, generation: u8) -> Self {
        let bound = match known.bound {
            Bound::Upper => 1,
            Bound::Lower => 2,
            Bound::Exact => 3,
        };
        let data = u64::from(known.score as u32)
            | u64::from(known.depth) << 32
            | u64::from(generation) << 40
            | u64::from(known.best.0 & 0x3fff) << 48
            | bound << 62;
        Self { key, data }
    }

    #[inline(always)]
    fn depth(self) -> u8 {
        (self.data >> 32) as u8
    }

    #[inline(always)]
    fn generation(self) -> u8 {
        (self.data >> 40) as u8
    }

    #[inline(always)]
    fn known(self) -> Known {
        let best = (self.data >> 48) as u16 & 0x3fff;
        Known {
            score: self.data as u32 as i32,
            depth: self.depth(),
            bound: match self.data >> 62 {
                1 => Bound::Upper,
                2 => Bound::Lower,
                _ => Bound::Exact,
            },
            best: if best == 0x3fff { Route::NONE } else { Route(best) },
        }
    }
}

const PLACES: usize = 4;

#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
struct Cluster([Entry; PLACES]);

/// A table of a fixed number of clusters.
#[derive(Clone, Debug)]
pub(super) struct Table {
    clusters: Vec<Cluster>,
    /// Generation of the running search; 0 is no search's, so that a cleared entry is empty.
    generation: u8,
}

impl Table {
    /// A table of at most `bytes`, at least one cluster; the number of clusters is a power of two.
    pub(super) fn new(bytes: usize) -> Self {
        let fitting = (bytes / size_of::<Cluster>()).max(1);
        let clusters = 1 << fitting.ilog2();
        Self { clusters: vec![Cluster::default(); clusters], generation: 0 }
    }

    /// Forgets everything, for a new search.
    pub(super) fn start(&mut self) {
        if self.generation == u8::MAX {
            self.clusters.fill(Cluster::default());
            self.generation = 0;
        }
        self.generation += 1;
    }

    #[inline(always)]
    fn place(&self, key: u64) -> usize {
        key as usize & (self.clusters.len() - 1)
    }

    /// What is known about the position with this key.
    #[inline(always)]
    pub(super) fn get(&self, key: u64) -> Option<Known> {
        let cluster = &self.clusters[self.place(key)];
        let own = cluster.0.iter().find(|entry| entry.key == key)?;
        (own.generation() == self.generation).then(|| own.known())
    }

    /// Stores what is known about the position with this key.
    #[inline(always)]
    pub(super) fn put(&mut self, key: u64, known: Known) {
        let generation = self.generation;
        let place = self.place(key);
        let cluster = &mut self.clusters[place];
        let rank = |entry: &Entry| {
            if entry.key == key {
                0
            } else if entry.generation() != generation {
                1
            } else {
                2 + u32::from(entry.depth())
            }
        };
        let mut worst = 0;
        for place in 1..PLACES {
            if rank(&cluster.0[place]) < rank(&cluster.0[worst]) {
                worst = place;
            }
        }
        cluster.0[worst] = Entry::new(key, known, generation);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(score: i32, depth: u8) -> Known {
        Known { score, depth, bound: Bound::Lower, best: Route::new(97, 103) }
    }

    #[test]
    fn what_is_put_in_comes_out_until_the_next_search() {
        let mut table = Table::new(1 << 12);
        table.start();
        for (score, bound) in [(-29_990, Bound::Exact), (0, Bound::Upper), (7, Bound::Lower)] {
            for best in [Route::new(0, 110), Route::NONE, Route::new(110, 0)] {
                let known = Known { score, depth: 12, bound, best };
                table.put(0xfeed, known);
                assert_eq!(table.get(0xfeed), Some(known));
            }
        }
        assert_eq!(table.get(0xfeed ^ 1 << 63), None);
        table.start();
        assert_eq!(table.get(0xfeed), None);
    }

    #[test]
    fn a_full_cluster_gives_up_its_least_depth() {
        let mut table = Table::new(64);
        table.start();
        for (key, depth) in [(1, 5), (2, 3), (3, 4), (4, 9), (5, 1)] {
            table.put(key, known(key as i32, depth));
        }
        let kept: Vec<bool> = (1..=5).map(|key| table.get(key).is_some()).collect();
        assert_eq!(kept, [true, false, true, true, true]);
    }

    #[test]
    fn old_searches_never_come_back() {
        let mut table = Table::new(64);
        table.start();
        table.put(1, known(1, 1));
        for _ in 0..1000 {
            table.start();
            assert_eq!(table.get(1), None);
        }
    }
}
