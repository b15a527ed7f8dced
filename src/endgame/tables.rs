//! All values of a database in memory, while it is built or to be asked at once.

use std::marker::PhantomData;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering};

use super::bytes::{self, UNKNOWN};
use super::slices::Slices;
use super::without_pieces;
use crate::engine::{Probe, Value};
use crate::games::draughts::{Board, Move, Position, Rules, Side, Word};

/// The values of the slices of a database, one byte for each position.
#[derive(Debug)]
pub struct Tables<R: Rules, B: Board> {
    slices: Slices<B>,
    /// By entry. Bytes of different configurations are written at the same time.
    bytes: Vec<OnceLock<Box<[AtomicU8]>>>,
    rules: PhantomData<R>,
}

impl<R: Rules, B: Board> Tables<R, B> {
    /// Tables of which nothing is known.
    pub(super) fn new(slices: Slices<B>) -> Self {
        let bytes = slices.entries().iter().map(|_| OnceLock::new()).collect();
        Self { slices, bytes, rules: PhantomData }
    }

    /// The slices.
    pub fn slices(&self) -> &Slices<B> {
        &self.slices
    }

    /// The values of a slice by the number of the position: see [`bytes`].
    ///
    /// # Panics
    /// When there are none yet.
    #[inline(always)]
    pub(super) fn bytes(&self, entry: usize) -> &[AtomicU8] {
        self.bytes[entry].get().expect("slices are built in the order in which they are needed")
    }

    /// Makes room for the values of a slice.
    pub(super) fn begin(&self, entry: usize) {
        let size = self.slices.entries()[entry].size();
        let room = (0..size).map(|_| AtomicU8::new(UNKNOWN)).collect();
        self.bytes[entry].set(room).expect("a slice is built once");
    }

    /// Takes the values of a slice.
    pub(super) fn put(&self, entry: usize, bytes: Vec<u8>) {
        let bytes = bytes.into_iter().map(AtomicU8::new).collect();
        self.bytes[entry].set(bytes).expect("a slice is built once");
    }

    /// A copy of the values of a slice.
    pub fn copy(&self, entry: usize) -> Vec<u8> {
        self.bytes(entry).iter().map(|byte| byte.load(Ordering::Relaxed)).collect()
    }

    /// The byte of the position to which `mv`, a legal move of `side`, leads.
    #[inline(always)]
    pub(super) fn after(
        &self,
        mut men: [B::Word; 2],
        mut kings: [B::Word; 2],
        side: Side,
        mv: Move<B>,
    ) -> u8 {
        let (mine, other, far_row) = match side {
            Side::White => (1, 0, B::TOP),
            Side::Black => (0, 1, B::BOTTOM),
        };
        let from = B::Word::bit(u32::from(mv.from));
        let to = B::Word::bit(u32::from(mv.to));
        let crowned = !(kings[mine] & from).is_empty() || !(to & far_row).is_empty();
        men[mine] &= !from;
        kings[mine] &= !from;
        let now = if crowned { &mut kings[mine] } else { &mut men[mine] };
        *now |= to;
        men[other] &= !mv.captured;
        kings[other] &= !mv.captured;
        if (men[other] | kings[other]).is_empty() {
            // Nothing left to move: lost in 0.
            return 1;
        }
        let place = self.slices.locate(men, kings, side.other());
        self.bytes(place.entry)[place.number as usize].load(Ordering::Relaxed)
    }
}

impl<R: Rules, B: Board> Probe<B> for Tables<R, B> {
    #[inline]
    fn probe(&self, position: &Position<B>) -> Option<Value> {
        match self.slices.place(position) {
            Some(place) => {
                let bytes = self.bytes[place.entry].get()?;
                bytes::value(bytes[place.number as usize].load(Ordering::Relaxed))
            }
            None => without_pieces::<R, B>(position),
        }
    }

    fn most_pieces(&self) -> u32 {
        self.slices.pieces()
    }
}
