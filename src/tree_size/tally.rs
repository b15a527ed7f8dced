//! Collecting walks into a batch: what each walk costs after it is played.

use super::batch::{BINS_PER_OCTAVE, Batch, Bin, BinKind, TAIL_KEPT};
use super::scaled::{Scaled, scale};
use super::walk::Walk;
use crate::game::Outcome;

/// Sums of in-flight weights are scaled down when a weight reaches 2^400 of their unit, so that
/// the square of a weight stays finite.
const RESCALE_AT: f64 = f64::from_bits((1023 + 400) << 52);

/// Sums over the games of one length and outcome.
#[derive(Clone, Copy, Default)]
struct Cell {
    games: u64,
    w: f64,
    w2: f64,
}

/// Collects walks into a batch; a walk costs a few additions and no logarithm.
pub(super) struct Tally {
    games: u64,
    /// The unit of weights is `2^scale`.
    scale: i64,
    /// `2^(exponent - scale)` for the exponent of the last walk.
    factor: f64,
    exponent: i64,
    /// By length and outcome: cell `3 N + outcome`.
    lengths: Vec<Cell>,
    weights: Vec<(u64, f64)>,
    nodes: f64,
    nodes2: f64,
    /// The exponent and the weight of the smallest walk.
    smallest: (i64, f64),
    /// Holds the largest weights, at most twice as many as kept; those not above `tail_from` are
    /// not among the largest.
    tail: Vec<f64>,
    tail_from: f64,
}

impl Tally {
    pub(super) fn new() -> Self {
        Self {
            games: 0,
            scale: 0,
            factor: 0.0,
            exponent: i64::MIN,
            lengths: vec![Cell::default(); 3 * 128],
            weights: vec![(0, 0.0); 1024],
            nodes: 0.0,
            nodes2: 0.0,
            smallest: (i64::MAX, f64::INFINITY),
            tail: Vec::with_capacity(2 * TAIL_KEPT),
            tail_from: 0.0,
        }
    }

    #[inline]
    pub(super) fn add(&mut self, walk: &Walk) {
        if walk.exponent != self.exponent {
            self.meet(walk);
        }
        let (mut w, mut y) = (walk.weight * self.factor, walk.nodes * self.factor);
        if !(f64::MIN_POSITIVE..RESCALE_AT).contains(&w) {
            (w, y) = self.far_from_unit(walk);
        }
        self.games += 1;
        self.nodes += y;
        self.nodes2 += y * y;
        // Scaled down once more, a weight is larger than every one scaled down less often.
        if (walk.exponent, walk.weight) < self.smallest {
            self.smallest = (walk.exponent, walk.weight);
        }

        let index = walk.plies as usize * 3 + walk.outcome as usize;
        if index >= self.lengths.len() {
            self.lengths.resize(2 * index, Cell::default());
        }
        let cell = &mut self.lengths[index];
        cell.games += 1;
        cell.w += w;
        cell.w2 += w * w;

        let bin = weight_bin(walk);
        if bin >= self.weights.len() {
            self.weights.resize(2 * bin, (0, 0.0));
        }
        let cell = &mut self.weights[bin];
        cell.0 += 1;
        cell.1 += w;

        if w > self.tail_from || self.tail.len() < TAIL_KEPT {
            self.keep(w);
        }
    }

    /// Prepares for an exponent other than the last walk's.
    #[cold]
    fn meet(&mut self, walk: &Walk) {
        if self.games == 0 {
            self.scale = walk.weight().exponent();
        }
        self.exponent = walk.exponent;
        self.factor = scale(1.0, self.exponent - self.scale);
    }

    /// The weight and the nodes of a walk that is far larger than the unit, which is then changed,
    /// or far smaller.
    #[cold]
    fn far_from_unit(&mut self, walk: &Walk) -> (f64, f64) {
        let unit = walk.weight().exponent();
        if unit > self.scale {
            self.change_scale(unit);
            self.factor = scale(1.0, self.exponent - unit);
        }
        let by = walk.exponent - self.scale;
        (scale(walk.weight, by), scale(walk.nodes, by))
    }

    fn change_scale(&mut self, unit: i64) {
        let by = self.scale - unit;
        for cell in &mut self.lengths {
            cell.w = scale(cell.w, by);
            cell.w2 = scale(cell.w2, 2 * by);
        }
        for cell in &mut self.weights {
            cell.1 = scale(cell.1, by);
        }
        for weight in &mut self.tail {
            *weight = scale(*weight, by);
        }
        self.nodes = scale(self.nodes, by);
        self.nodes2 = scale(self.nodes2, 2 * by);
        self.tail_from = scale(self.tail_from, by);
        self.scale = unit;
    }

    fn keep(&mut self, w: f64) {
        self.tail.push(w);
        if self.tail.len() == 2 * TAIL_KEPT {
            self.tail.select_nth_unstable_by(TAIL_KEPT - 1, |a, b| b.total_cmp(a));
            self.tail.truncate(TAIL_KEPT);
            self.tail_from = self.tail[TAIL_KEPT - 1];
        }
    }

    /// The batch of the walks added.
    ///
    /// # Panics
    /// When there are none.
    pub(super) fn finish(mut self, index: u64, trial: u64) -> Batch {
        assert!(self.games > 0, "a batch holds at least one game");
        self.tail.sort_by(|a, b| b.total_cmp(a));
        let whole = self.games <= TAIL_KEPT as u64;
        self.tail.truncate(TAIL_KEPT);
        // The canonical unit: batches of the same walks are equal however they were scaled.
        let unit = Scaled::new(self.tail[0], self.scale).exponent();
        self.change_scale(unit);
        self.tail_from = if whole { 0.0 } else { self.tail[TAIL_KEPT - 1] };
        let smallest = Scaled::new(self.smallest.1, self.smallest.0);
        let mut batch = Batch {
            index,
            trial,
            games: self.games,
            scale: self.scale,
            w: 0.0,
            w2: 0.0,
            wn: 0.0,
            w2n: 0.0,
            w2n2: 0.0,
            w_first: 0.0,
            w2_first: 0.0,
            w_second: 0.0,
            w2_second: 0.0,
            w_draw: 0.0,
            w2_draw: 0.0,
            nodes: self.nodes,
            nodes2: self.nodes2,
            smallest: smallest.mantissa(),
            smallest_scale: smallest.exponent(),
            largest: self.tail[0],
            tail_from: self.tail_from,
            plies: 0,
            plies2: 0,
            first: 0,
            second: 0,
            draws: 0,
            bins: Vec::new(),
        };
        for outcome in [Outcome::FirstWins, Outcome::SecondWins, Outcome::Draw] {
            let of_outcome = self.lengths.iter().skip(outcome as usize).step_by(3);
            for (plies, cell) in (0u64..).zip(of_outcome).filter(|(_, cell)| cell.games > 0) {
                batch.add_cell(plies, outcome, cell);
            }
        }
        for (bin, (games, weight)) in (0..).zip(self.weights).filter(|(_, cell)| cell.0 > 0) {
            batch.bins.push(Bin { kind: BinKind::Weight, bin, games, weight });
        }
        for (bin, weight) in (0..).zip(self.tail) {
            batch.bins.push(Bin { kind: BinKind::Tail, bin, games: 1, weight });
        }
        batch
    }
}

impl Batch {
    fn add_cell(&mut self, plies: u64, outcome: Outcome, cell: &Cell) {
        let n = plies as f64;
        self.w += cell.w;
        self.w2 += cell.w2;
        self.wn += n * cell.w;
        self.w2n += n * cell.w2;
        self.w2n2 += n * n * cell.w2;
        let (w, w2, games) = match outcome {
            Outcome::FirstWins => (&mut self.w_first, &mut self.w2_first, &mut self.first),
            Outcome::SecondWins => (&mut self.w_second, &mut self.w2_second, &mut self.second),
            Outcome::Draw => (&mut self.w_draw, &mut self.w2_draw, &mut self.draws),
        };
        *w += cell.w;
        *w2 += cell.w2;
        *games += cell.games;
        self.plies += plies * cell.games;
        self.plies2 += plies * plies * cell.games;
        let kind = BinKind::length(outcome);
        self.bins.push(Bin { kind, bin: plies, games: cell.games, weight: cell.w });
    }
}

/// The weight bin of a walk, read off the bits of its weight.
#[inline]
fn weight_bin(walk: &Walk) -> usize {
    const MANTISSA: u64 = (1 << 52) - 1;
    // The mantissa bits of 2^(1/4), 2^(1/2) and 2^(3/4).
    const EDGES: [u64; 3] = [0x3_06fe_0a31_b715, 0x6_a09e_667f_3bcd, 0xa_e89f_995a_d3ad];
    let bits = walk.weight.to_bits();
    let octave = (bits >> 52) as i64 - 1023 + walk.exponent;
    let mantissa = bits & MANTISSA;
    let quarter: usize = EDGES.iter().map(|edge| usize::from(mantissa >= *edge)).sum();
    octave as usize * BINS_PER_OCTAVE + quarter
}

#[cfg(test)]
pub(super) mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::tree_size::{bounded, stream, weight_bin_log10};

    fn made(weight: f64, exponent: i64, plies: u32, outcome: Outcome) -> Walk {
        Walk { weight, nodes: 2.0 * weight, exponent, plies, outcome }
    }

    pub(in crate::tree_size) fn batch_of(walks: &[Walk], index: u64) -> Batch {
        let mut tally = Tally::new();
        walks.iter().for_each(|walk| tally.add(walk));
        tally.finish(index, 0)
    }

    /// Walks with whole weights, every length and outcome, no two alike in sequence.
    pub(in crate::tree_size) fn walks(count: usize) -> Vec<Walk> {
        let mut generator = stream(11, 0);
        let outcomes = [Outcome::FirstWins, Outcome::SecondWins, Outcome::Draw];
        let mut draw = |bound| bounded(&mut generator, bound);
        (0..count)
            .map(|_| {
                let weight = (1 + draw(1 << 20)) as f64;
                made(weight, 0, draw(300) as u32, outcomes[draw(3) as usize])
            })
            .collect()
    }

    #[test]
    fn sums_are_those_of_the_walks() {
        let walks = walks(5000);
        let batch = batch_of(&walks, 3);
        let unit = 2f64.powi(batch.scale as i32);
        let sum = |f: &dyn Fn(&Walk) -> f64| walks.iter().map(f).sum::<f64>();
        let close = |actual: f64, expected: f64| {
            assert!((actual / expected - 1.0).abs() < 1e-12, "{actual} is not {expected}");
        };
        let n = |walk: &Walk| f64::from(walk.plies);
        let drawn = |walk: &Walk| f64::from(u8::from(walk.outcome == Outcome::Draw));
        close(batch.w * unit, sum(&|x| x.weight));
        close(batch.w2 * unit * unit, sum(&|x| x.weight.powi(2)));
        close(batch.wn * unit, sum(&|x| n(x) * x.weight));
        close(batch.w2n * unit * unit, sum(&|x| n(x) * x.weight.powi(2)));
        close(batch.w2n2 * unit * unit, sum(&|x| (n(x) * x.weight).powi(2)));
        close(batch.w_draw * unit, sum(&|x| drawn(x) * x.weight));
        close(batch.w2_draw * unit * unit, sum(&|x| drawn(x) * x.weight.powi(2)));
        close(batch.w_first + batch.w_second + batch.w_draw, batch.w);
        close(batch.nodes * unit, sum(&|x| 2.0 * x.weight));
        close(batch.nodes2 * unit * unit, sum(&|x| 4.0 * x.weight.powi(2)));
        assert_eq!((batch.index, batch.trial, batch.games), (3, 0, 5000));
        assert_eq!(batch.first + batch.second + batch.draws, 5000);
        assert_eq!(batch.plies, walks.iter().map(|x| u64::from(x.plies)).sum::<u64>());
        assert_eq!(batch.plies2, walks.iter().map(|x| u64::from(x.plies).pow(2)).sum::<u64>());
        let largest = walks.iter().map(|x| x.weight).fold(0.0, f64::max);
        assert_eq!(batch.largest * unit, largest);
        assert!((1.0..2.0).contains(&batch.largest));
    }

    #[test]
    fn histograms_hold_every_walk_in_its_place() {
        let walks = walks(3000);
        let batch = batch_of(&walks, 0);
        let unit = 2f64.powi(batch.scale as i32);
        for cell in batch.bins_of(BinKind::LengthDraw) {
            let here = |x: &&Walk| x.outcome == Outcome::Draw && u64::from(x.plies) == cell.bin;
            assert_eq!(cell.games, walks.iter().filter(here).count() as u64);
            let weight: f64 = walks.iter().filter(here).map(|x| x.weight).sum();
            assert_eq!(cell.weight * unit, weight);
        }
        let mut games = 0;
        for cell in batch.bins_of(BinKind::Weight) {
            let (low, high) = weight_bin_log10(cell.bin);
            let here = |x: &&Walk| (low..high).contains(&x.weight.log10());
            assert_eq!(cell.games, walks.iter().filter(here).count() as u64, "bin {}", cell.bin);
            games += cell.games;
        }
        assert_eq!(games, 3000);
    }

    #[test]
    fn the_tail_is_the_largest_weights() {
        let walks = walks(3000);
        let batch = batch_of(&walks, 0);
        let unit = 2f64.powi(batch.scale as i32);
        let mut weights: Vec<f64> = walks.iter().map(|x| x.weight).collect();
        weights.sort_by(|a, b| b.total_cmp(a));
        let tail: Vec<f64> = batch.bins_of(BinKind::Tail).map(|cell| cell.weight * unit).collect();
        assert_eq!(tail, weights[..TAIL_KEPT]);
        assert_eq!(batch.tail_from * unit, weights[TAIL_KEPT - 1]);
        let few = batch_of(&walks[..50], 0);
        assert_eq!((few.bins_of(BinKind::Tail).count(), few.tail_from), (50, 0.0));
    }

    #[test]
    fn weights_of_any_size_meet_in_one_batch() {
        // 10^0 to beyond 10^900, in rising and in falling order.
        let mut walks: Vec<Walk> = (0..7)
            .map(|i| made(1.25 * 2f64.powi(100 * i), 512 * i64::from(i), 5, Outcome::Draw))
            .collect();
        let rising = batch_of(&walks, 0);
        walks.reverse();
        let falling = batch_of(&walks, 0);
        assert_eq!(rising, falling);
        assert_eq!((rising.scale, rising.largest), (6 * 612, 1.25));
        assert_eq!(rising.bins_of(BinKind::Tail).nth(1).unwrap().weight, 1.25 * 2f64.powi(-612));
        assert_eq!((rising.smallest_scale, rising.smallest), (0, 1.25));
        assert!(rising.bins.iter().all(|cell| cell.weight.is_finite()));
        assert!((rising.weight().log10() - (3672.0 * 2f64.log10() + 1.25f64.log10())).abs() < 1e-9);
        let apart: Vec<Batch> = walks.iter().map(|walk| batch_of(&[*walk], 0)).collect();
        assert_eq!(Batch::merged(&apart).unwrap(), rising);
    }
}
