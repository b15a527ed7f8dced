//! The values of all positions of a slice with the same men, both sides to move.
//!
//! Of all moves only quiet moves of kings keep slice and men. A move of a man leads to a higher
//! configuration, a promotion to a slice with fewer men, a capture to one with fewer pieces; when
//! configurations are solved in falling order, all of these are known. So a configuration is solved
//! by itself, in memory that fits in a cache:
//!
//! 1. Every position gets what its known successors say. With a capture, which must be made, that is
//!    its value. Without, it gets the fastest win, the longest loss, and whether there is a draw
//!    among them; its quiet king moves are counted.
//! 2. For n = 0, 1, 2, ..: each position lost in n plies makes a win in n + 1 of every position from
//!    which a quiet king move leads to it, unless that is won faster or has a capture. Each position
//!    won in n takes one from the count of those positions; where nothing is left and no other
//!    successor is a draw or a win, that position is lost in n + 1, or in as many plies as the
//!    longest loss of step 1 if that is longer.
//! 3. What has no value now is a draw.
//!
//! The sets of kings of a colour are numbered without regard to the other colour, so that a move of
//! one colour changes one number only, from a list made once; pairs of sets that overlap are never
//! looked at.

use super::bytes::{DRAW, UNKNOWN, before};
use super::slices::Entry;
use super::tables::Tables;
use crate::games::draughts::board::{Direction, bits};
use crate::games::draughts::rules::King;
use crate::games::draughts::{Board, Draughts, Move, Position, Rules, Side, Word};

/// In place of a count of king moves: the value is final, whatever the king moves.
const FINAL: u8 = 255;
/// In place of a count of king moves: no loss, since some other move does not lose.
const NO_LOSS: u8 = 254;

/// A step of one king between two sets of kings of a colour.
#[derive(Clone, Copy, Debug)]
struct Step<W> {
    to: u32,
    /// What must be empty: the squares passed and the one arrived at.
    path: W,
}

/// The sets of kings of one colour, and the steps between them.
#[derive(Debug)]
struct Kings<W> {
    sets: Vec<W>,
    /// `steps[starts[set]..starts[set + 1]]` are those of a set.
    starts: Vec<u32>,
    steps: Vec<Step<W>>,
}

impl<W: Word> Kings<W> {
    const EMPTY: Self = Self { sets: Vec::new(), starts: Vec::new(), steps: Vec::new() };

    /// Lists the sets of `count` kings on the squares `open`.
    fn list<R: Rules, B: Board<Word = W>>(&mut self, entry: &Entry<B>, count: u32, open: W) {
        let subsets = entry.ranking.subsets();
        self.sets.clear();
        self.sets.extend(subsets.sets(count, open));
        self.starts.clear();
        self.steps.clear();
        for set in &self.sets {
            self.starts.push(self.steps.len() as u32);
            let free = open & !*set;
            for from in bits(*set).map(W::bit) {
                for direction in Direction::ALL {
                    let mut path = W::ZERO;
                    let mut at = B::step(from, direction) & free;
                    while !at.is_empty() {
                        path |= at;
                        let to = subsets.rank(*set & !from | at, open) as u32;
                        self.steps.push(Step { to, path });
                        if R::KING == King::Short {
                            break;
                        }
                        at = B::step(at, direction) & free;
                    }
                }
            }
        }
        self.starts.push(self.steps.len() as u32);
    }

    #[inline(always)]
    fn steps(&self, set: usize) -> &[Step<W>] {
        &self.steps[self.starts[set] as usize..self.starts[set + 1] as usize]
    }
}

/// The positions of a configuration with one side to move, by the numbers of the sets of black and
/// white kings: `black x (white sets) + white`.
#[derive(Debug)]
struct Half {
    bytes: Vec<u8>,
    /// King moves that are not yet known to lose, or [`FINAL`] or [`NO_LOSS`].
    left: Vec<u8>,
    /// The longest loss of other moves; means something only beside a count.
    longest: Vec<u8>,
}

impl Half {
    const EMPTY: Self = Self { bytes: Vec::new(), left: Vec::new(), longest: Vec::new() };

    fn clear(&mut self, size: usize) {
        self.bytes.clear();
        self.bytes.resize(size, DRAW);
        self.left.clear();
        self.left.resize(size, FINAL);
        self.longest.clear();
        self.longest.resize(size, DRAW);
    }
}

/// The bytes that some position has.
#[derive(Clone, Copy, Debug)]
struct Present([u64; 4]);

impl Present {
    #[inline(always)]
    fn insert(&mut self, byte: u8) {
        self.0[usize::from(byte / 64)] |= 1 << (byte % 64);
    }

    /// The lowest byte above `byte`.
    fn after(&self, byte: u8) -> Option<u8> {
        (byte..u8::MAX)
            .map(|byte| byte + 1)
            .find(|b| self.0[usize::from(b / 64)] >> (b % 64) & 1 == 1)
    }
}

/// A distance that no byte can tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooLong;

/// Room for the positions of a configuration, used again and again.
#[derive(Debug)]
pub(super) struct Workbench<R: Rules, B: Board> {
    game: Draughts<R, B>,
    /// Of Black first.
    kings: [Kings<B::Word>; 2],
    /// With Black to move first.
    halves: [Half; 2],
    scratch: Vec<Move<B>>,
}

impl<R: Rules, B: Board> Workbench<R, B> {
    pub(super) fn new() -> Self {
        Self {
            game: Draughts::default(),
            kings: [Kings::EMPTY, Kings::EMPTY],
            halves: [Half::EMPTY, Half::EMPTY],
            scratch: Vec::new(),
        }
    }

    /// Solves one configuration of the slice `entry` of `tables`, where all that its positions can
    /// lead to is known but other placements of the same kings, and writes the values there.
    pub(super) fn solve(
        &mut self,
        tables: &Tables<R, B>,
        place: usize,
        configuration: u64,
    ) -> Result<(), TooLong> {
        let entry = &tables.slices().entries()[place];
        let slice = entry.slice();
        let men = entry.ranking.men(configuration);
        let open = B::ALL & !(men[0] | men[1]);
        for (kings, count) in self.kings.iter_mut().zip([slice.black_kings, slice.white_kings]) {
            kings.list::<R, B>(entry, count, open);
        }
        let size = self.kings[0].sets.len() * self.kings[1].sets.len();
        let mut present = Present([0; 4]);
        for (side, half) in [Side::Black, Side::White].into_iter().zip(&mut self.halves) {
            half.clear(size);
            look_around(
                &self.game,
                tables,
                &self.kings,
                half,
                men,
                side,
                &mut self.scratch,
                &mut present,
            )?;
        }
        let mut byte = DRAW;
        while let Some(next) = present.after(byte) {
            byte = next;
            if byte == UNKNOWN {
                return Err(TooLong);
            }
            self.spread::<false>(byte, &mut present);
            self.spread::<true>(byte, &mut present);
        }
        self.store(tables, place, configuration);
        Ok(())
    }

    /// Tells the positions before those of value `byte` with White to move when WHITE, else Black.
    fn spread<const WHITE: bool>(&mut self, byte: u8, present: &mut Present) {
        let [of_black, of_white] = &mut self.halves;
        let (here, there) = if WHITE { (of_white, of_black) } else { (of_black, of_white) };
        let [black, white] = &self.kings;
        let width = white.sets.len();
        let is_loss = byte % 2 == 1;
        for at in memchr::memchr_iter(byte, &here.bytes) {
            let (b, w) = (at / width, at % width);
            // The side that is not to move has moved its king.
            let (steps, others) = if WHITE {
                (black.steps(b), white.sets[w])
            } else {
                (white.steps(w), black.sets[b])
            };
            for step in steps {
                if !(step.path & others).is_empty() {
                    continue;
                }
                let to = step.to as usize;
                let to = if WHITE { to * width + w } else { b * width + to };
                let left = there.left[to];
                if is_loss {
                    if left != FINAL && there.bytes[to] > byte + 1 {
                        there.bytes[to] = byte + 1;
                        present.insert(byte + 1);
                    }
                } else if left < NO_LOSS {
                    there.left[to] = left - 1;
                    if left == 1 {
                        let lost = there.longest[to].max(byte + 1);
                        there.bytes[to] = lost;
                        present.insert(lost);
                    }
                }
            }
        }
    }

    fn store(&self, tables: &Tables<R, B>, place: usize, configuration: u64) {
        let entry = &tables.slices().entries()[place];
        let first = configuration * entry.ranking.kings();
        let [black, white] = &self.kings;
        for side in entry.sides() {
            let half = &self.halves[usize::from(*side == Side::White)];
            let mut rows = half.bytes.chunks_exact(white.sets.len());
            let mut number = (entry.first(*side) + first) as usize;
            let to = tables.bytes(place);
            for b in &black.sets {
                let row = rows.next().expect("one row for each set of black kings");
                for (w, byte) in white.sets.iter().zip(row) {
                    if (*b & *w).is_empty() {
                        let byte = if *byte == UNKNOWN { DRAW } else { *byte };
                        to[number].store(byte, std::sync::atomic::Ordering::Relaxed);
                        number += 1;
                    }
                }
            }
        }
    }
}

/// Step 1 for one side to move.
#[allow(clippy::too_many_arguments)]
fn look_around<R: Rules, B: Board>(
    game: &Draughts<R, B>,
    tables: &Tables<R, B>,
    kings: &[Kings<B::Word>; 2],
    half: &mut Half,
    men: [B::Word; 2],
    side: Side,
    scratch: &mut Vec<Move<B>>,
    present: &mut Present,
) -> Result<(), TooLong> {
    let mut at = 0;
    let all_men = men[0] | men[1];
    for b in &kings[0].sets {
        for w in &kings[1].sets {
            let here = at;
            at += 1;
            if !(*b & *w).is_empty() {
                continue;
            }
            let position = Position::<B>::new_unchecked(men[1] | *w, men[0] | *b, *b | *w, side);
            let mut seen = Seen { fastest: UNKNOWN, longest: DRAW, draw: false };
            let (mut moves, mut captures) = (0_u8, false);
            game.visit_moves(&position, scratch, |mv| {
                let from = B::Word::bit(u32::from(mv.from));
                let is_capture = !mv.captured.is_empty();
                captures |= is_capture;
                if !is_capture && (from & all_men).is_empty() {
                    moves += 1;
                } else {
                    seen.add(tables.after(men, [*b, *w], side, mv));
                }
            });
            let (byte, left) = if seen.fastest != UNKNOWN {
                (seen.fastest, if captures { FINAL } else { NO_LOSS })
            } else if captures {
                (if seen.draw { DRAW } else { seen.longest }, FINAL)
            } else if seen.draw {
                (UNKNOWN, NO_LOSS)
            } else if moves == 0 {
                // No move at all is a loss in 0.
                (seen.longest.max(1), FINAL)
            } else {
                half.longest[here] = seen.longest;
                (UNKNOWN, moves)
            };
            half.bytes[here] = byte;
            half.left[here] = left;
            if seen.longest == UNKNOWN {
                return Err(TooLong);
            }
            if byte != UNKNOWN {
                present.insert(byte);
            }
        }
    }
    Ok(())
}

/// What known successors say.
struct Seen {
    fastest: u8,
    longest: u8,
    draw: bool,
}

impl Seen {
    #[inline(always)]
    fn add(&mut self, successor: u8) {
        debug_assert_ne!(successor, UNKNOWN, "a successor is not known yet");
        let byte = before(successor);
        if successor == DRAW {
            self.draw = true;
        } else if byte.is_multiple_of(2) {
            self.fastest = self.fastest.min(byte);
        } else {
            self.longest = self.longest.max(byte);
        }
    }
}
