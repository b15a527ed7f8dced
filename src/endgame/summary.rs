//! How many positions are won, drawn and lost, and in how many plies.

use super::bytes::{self, UNKNOWN};
use super::slices::{Entry, twin};
use super::{Database, FileError};
use crate::engine::Value;
use crate::game::Progress;
use crate::games::draughts::{Board, Position, Rules, Side};
use crate::state_space::formula::Slice;

/// Positions by their value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    counts: [u64; 256],
}

impl Default for Tally {
    fn default() -> Self {
        Self { counts: [0; 256] }
    }
}

impl Tally {
    /// Counts the values `bytes`.
    pub fn of(bytes: &[u8]) -> Self {
        // Neighbours are often alike; counting them in turn in several places keeps an addition from
        // waiting for the one before.
        let mut counts = [[0_u32; 256]; 4];
        let mut tally = Self::default();
        for part in bytes.chunks(1 << 30) {
            for four in part.chunks(4) {
                for (counts, byte) in counts.iter_mut().zip(four) {
                    counts[usize::from(*byte)] += 1;
                }
            }
            for counts in &mut counts {
                for (sum, count) in tally.counts.iter_mut().zip(std::mem::replace(counts, [0; 256]))
                {
                    *sum += u64::from(count);
                }
            }
        }
        tally
    }

    /// Adds the positions of `other`.
    pub fn add(&mut self, other: &Self) {
        for (sum, count) in self.counts.iter_mut().zip(other.counts) {
            *sum += count;
        }
    }

    /// The values that some position has, draws first, then by distance, and how many have them.
    pub fn values(&self) -> impl Iterator<Item = (Value, u64)> {
        (0..UNKNOWN).zip(self.counts).filter(|(_, count)| *count > 0).map(|(byte, count)| {
            (bytes::value(byte).expect("below 255 every byte has a value"), count)
        })
    }

    /// All positions.
    pub fn positions(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Positions that are won for the side to move.
    pub fn wins(&self) -> u64 {
        self.sum(|value| matches!(value, Value::Win(_)))
    }

    /// Positions that are drawn.
    pub fn draws(&self) -> u64 {
        self.sum(|value| value == Value::Draw)
    }

    /// Positions that are lost for the side to move.
    pub fn losses(&self) -> u64 {
        self.sum(|value| matches!(value, Value::Loss(_)))
    }

    fn sum(&self, which: impl Fn(Value) -> bool) -> u64 {
        self.values().filter(|(value, _)| which(*value)).map(|(_, count)| count).sum()
    }

    /// The plies of the longest win and how many positions have it; `None` without a win.
    pub fn longest_win(&self) -> Option<(u32, u64)> {
        let wins = self.values().filter_map(|(value, count)| match value {
            Value::Win(plies) => Some((plies, count)),
            _ => None,
        });
        wins.last()
    }
}

/// The tallies of the slices that `bytes`, the values of `entry`, tell of, White to move: of the slice
/// itself and, unless it is its own twin, of its twin.
pub fn tallies<B: Board>(entry: &Entry<B>, bytes: &[u8]) -> Vec<(Slice, Tally)> {
    let size = entry.ranking.size() as usize;
    let of = |side: &Side| match side {
        Side::White => entry.slice(),
        Side::Black => twin(entry.slice()),
    };
    let parts = entry.sides().iter().zip(bytes.chunks(size));
    parts.map(|(side, bytes)| (of(side), Tally::of(bytes))).collect()
}

/// The positions won in `plies` plies among those of `entry`, whose values are `bytes`, all seen with
/// White to move.
pub fn won_in<B: Board>(entry: &Entry<B>, bytes: &[u8], plies: u32) -> Vec<Position<B>> {
    let Some(byte) = bytes::byte(Value::Win(plies)) else { return Vec::new() };
    let mut cursor = entry.ranking.cursor();
    let mut found = Vec::new();
    for side in entry.sides() {
        let first = entry.first(*side) as usize;
        let bytes = &bytes[first..first + entry.ranking.size() as usize];
        for number in memchr::memchr_iter(byte, bytes) {
            let position = cursor.unrank(number as u64, *side);
            found.push(match side {
                Side::White => position,
                Side::Black => position.rotated_and_swapped(),
            });
        }
    }
    found
}

/// The positions with one number of pieces.
#[derive(Clone, Debug)]
pub struct Survey<B: Board> {
    /// Their values.
    pub tally: Tally,
    /// Those won in the most plies, seen with White to move.
    pub longest_wins: Vec<Position<B>>,
}

/// Reads all positions with `pieces` pieces, every block checked; `None` when stopped. `progress`
/// advances by positions.
///
/// # Errors
/// When a block is damaged.
pub fn survey<R: Rules, B: Board>(
    database: &Database<R, B>,
    pieces: u32,
    progress: &dyn Progress,
) -> Result<Option<Survey<B>>, FileError> {
    let mut survey = Survey { tally: Tally::default(), longest_wins: Vec::new() };
    let mut longest = 0;
    for (place, entry) in database.slices().entries().iter().enumerate() {
        if entry.slice().pieces() != pieces {
            continue;
        }
        if progress.stopped() {
            return Ok(None);
        }
        let bytes = database.read(place)?;
        let tally = Tally::of(&bytes);
        let here = tally.longest_win().map_or(0, |(plies, _)| plies);
        if here > longest {
            longest = here;
            survey.longest_wins.clear();
        }
        if here == longest && here > 0 {
            survey.longest_wins.extend(won_in(entry, &bytes, here));
        }
        survey.tally.add(&tally);
        progress.advance(entry.size());
    }
    Ok(Some(survey))
}
