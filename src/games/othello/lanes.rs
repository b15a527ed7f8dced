//! The eight directions of Othello as four lanes of words, shifted up and down the board.
//!
//! A lane is a line through a square: along the row, the column and both diagonals. Each step along
//! a lane is a shift by a constant; arrays of four words let the compiler use one vector register
//! for all lanes. A run of opposing discs is at most 6 long and is filled by parallel prefix: one
//! step, then one, then two, then two more.

/// The step along the row, the column and both diagonals.
const STEP: [u32; 4] = [1, 8, 9, 7];
/// Columns b to g: discs on a side column cannot be outflanked across it.
const INNER: u64 = 0x7e7e_7e7e_7e7e_7e7e;
/// The opposing discs that a line may cross, by lane.
const CROSSABLE: [u64; 4] = [INNER, u64::MAX, INNER, INNER];

type Lanes = [u64; 4];

#[inline(always)]
fn lanes(value: impl Fn(usize) -> u64) -> Lanes {
    [value(0), value(1), value(2), value(3)]
}

#[inline(always)]
fn any(lanes: Lanes) -> u64 {
    (lanes[0] | lanes[2]) | (lanes[1] | lanes[3])
}

/// The discs of `crossable` in an unbroken run from `from`, towards higher bits.
#[inline(always)]
fn run_up(from: Lanes, crossable: Lanes) -> Lanes {
    let run = lanes(|i| crossable[i] & (from[i] << STEP[i]));
    let run = lanes(|i| run[i] | (crossable[i] & (run[i] << STEP[i])));
    let pairs = lanes(|i| crossable[i] & (crossable[i] << STEP[i]));
    let run = lanes(|i| run[i] | (pairs[i] & (run[i] << (2 * STEP[i]))));
    lanes(|i| run[i] | (pairs[i] & (run[i] << (2 * STEP[i]))))
}

/// The discs of `crossable` in an unbroken run from `from`, towards lower bits.
#[inline(always)]
fn run_down(from: Lanes, crossable: Lanes) -> Lanes {
    let run = lanes(|i| crossable[i] & (from[i] >> STEP[i]));
    let run = lanes(|i| run[i] | (crossable[i] & (run[i] >> STEP[i])));
    let pairs = lanes(|i| crossable[i] & (crossable[i] >> STEP[i]));
    let run = lanes(|i| run[i] | (pairs[i] & (run[i] >> (2 * STEP[i]))));
    lanes(|i| run[i] | (pairs[i] & (run[i] >> (2 * STEP[i]))))
}

/// The squares behind a run of opposing discs that starts beside an own disc, occupied or not.
#[inline(always)]
pub(super) fn placements(own: u64, other: u64) -> u64 {
    let from = [own; 4];
    let crossable = lanes(|i| other & CROSSABLE[i]);
    let (up, down) = (run_up(from, crossable), run_down(from, crossable));
    any(lanes(|i| (up[i] << STEP[i]) | (down[i] >> STEP[i])))
}

/// The opposing discs that a disc on the square `placed` turns over.
#[inline(always)]
pub(super) fn flips(placed: u64, own: u64, other: u64) -> u64 {
    let from = [placed; 4];
    let crossable = lanes(|i| other & CROSSABLE[i]);
    let (up, down) = (run_up(from, crossable), run_down(from, crossable));
    let outflanked = |end: u64, run: u64| if end & own != 0 { run } else { 0 };
    any(lanes(|i| outflanked(up[i] << STEP[i], up[i]) | outflanked(down[i] >> STEP[i], down[i])))
}
