//! A batch of walks as mergeable sums: all that any later question about the walks needs.

use super::scaled::{Scaled, scale};
use super::walk::Walk;
use crate::game::Outcome;

/// How many of its largest weights a batch keeps.
pub const TAIL_KEPT: usize = 200;

/// Sums of in-flight weights are scaled down when a weight reaches 2^400 of their unit, so that
/// the square of a weight stays finite.
const RESCALE_AT: f64 = f64::from_bits((1023 + 400) << 52);

/// Bins of the weight histogram for each doubling of the weight.
const BINS_PER_OCTAVE: usize = 4;

/// What a [`Bin`] counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BinKind {
    /// Games of `bin` plies that the first player won.
    LengthFirst,
    /// Games of `bin` plies that the second player won.
    LengthSecond,
    /// Drawn games of `bin` plies.
    LengthDraw,
    /// Games whose weight lies in `[2^(bin/4), 2^((bin+1)/4))`; see [`weight_bin_log10`].
    Weight,
    /// The largest weights in descending order: `bin` is the rank from 0, `games` is 1.
    Tail,
}

impl BinKind {
    /// Every kind.
    pub const ALL: [Self; 5] =
        [Self::LengthFirst, Self::LengthSecond, Self::LengthDraw, Self::Weight, Self::Tail];

    /// The name of the kind in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::LengthFirst => "length-first",
            Self::LengthSecond => "length-second",
            Self::LengthDraw => "length-draw",
            Self::Weight => "weight",
            Self::Tail => "tail",
        }
    }

    /// The kind that `name` names.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The kind that counts the lengths of games that ended so.
    pub fn length(outcome: Outcome) -> Self {
        match outcome {
            Outcome::FirstWins => Self::LengthFirst,
            Outcome::SecondWins => Self::LengthSecond,
            Outcome::Draw => Self::LengthDraw,
        }
    }
}

/// The decimal logarithms of the lower and upper edge of a weight bin; every bin is
/// `log10(2) / 4` = 0.0753 wide.
pub fn weight_bin_log10(bin: u64) -> (f64, f64) {
    let edge = |bin: u64| bin as f64 * std::f64::consts::LOG10_2 / BINS_PER_OCTAVE as f64;
    (edge(bin), edge(bin + 1))
}

/// One cell of a histogram.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bin {
    /// What the cell counts.
    pub kind: BinKind,
    /// Which cell of its kind.
    pub bin: u64,
    /// Games in the cell.
    pub games: u64,
    /// Sum of their weights, in units of the batch's `2^scale`.
    pub weight: f64,
}

/// The sufficient statistics of the walks of one batch, or of several batches merged.
///
/// Sums of weights are in units of `2^scale`, sums of squared weights in units of `2^(2 scale)`,
/// where `2^scale` is the largest power of two not above the largest weight. A plain record of
/// numbers: written with the shortest digits that read back to the same `f64`, nothing is lost.
#[derive(Clone, Debug, PartialEq)]
pub struct Batch {
    /// The number of the batch in its plan, from 0; of merged batches, the first.
    pub index: u64,
    /// The trial that the batch belongs to, from 0; of merged batches, the first.
    pub trial: u64,
    /// Walks made, at least 1.
    pub games: u64,
    /// The exponent of two of the unit of weights.
    pub scale: i64,
    /// Sum of the weights X.
    pub w: f64,
    /// Sum of X^2.
    pub w2: f64,
    /// Sum of N X, where N is the length in plies.
    pub wn: f64,
    /// Sum of N X^2.
    pub w2n: f64,
    /// Sum of N^2 X^2.
    pub w2n2: f64,
    /// Sum of X over games that the first player won.
    pub w_first: f64,
    /// Sum of X^2 over games that the first player won.
    pub w2_first: f64,
    /// Sum of X over games that the second player won.
    pub w_second: f64,
    /// Sum of X^2 over games that the second player won.
    pub w2_second: f64,
    /// Sum of X over drawn games.
    pub w_draw: f64,
    /// Sum of X^2 over drawn games.
    pub w2_draw: f64,
    /// Sum of the node estimates Y (see [`Walk::nodes`]).
    pub nodes: f64,
    /// Sum of Y^2.
    pub nodes2: f64,
    /// The smallest weight.
    pub smallest: f64,
    /// The largest weight.
    pub largest: f64,
    /// Every weight above this one is listed in the tail bins; 0 when all weights are.
    pub tail_from: f64,
    /// Sum of N.
    pub plies: u64,
    /// Sum of N^2.
    pub plies2: u64,
    /// Games that the first player won.
    pub first: u64,
    /// Games that the second player won.
    pub second: u64,
    /// Drawn games.
    pub draws: u64,
    /// The histograms, ordered by kind and bin; empty cells are left out.
    pub bins: Vec<Bin>,
}

impl Batch {
    /// The cells of one kind, in order of their bins.
    pub fn bins_of(&self, kind: BinKind) -> impl Iterator<Item = &Bin> {
        self.bins.iter().filter(move |cell| cell.kind == kind)
    }

    /// The sum of the weights as one number.
    pub fn weight(&self) -> Scaled {
        Scaled::new(self.w, self.scale)
    }

    /// The mean weight: the batch's own estimate of gts.
    pub fn mean_weight(&self) -> Scaled {
        Scaled::new(self.w / self.games as f64, self.scale)
    }

    /// The batches as one; `None` when there are none.
    ///
    /// Sums are added in the order given, so the same batches in the same order give the same bits.
    pub fn merged(batches: &[Self]) -> Option<Self> {
        Self::merged_of(batches.iter(), true)
    }

    /// The sums of the batches as one, histograms left out; `None` when there are none.
    pub(super) fn merged_sums<'a>(batches: impl Iterator<Item = &'a Self>) -> Option<Self> {
        Self::merged_of(batches, false)
    }

    fn merged_of<'a>(batches: impl Iterator<Item = &'a Self>, histograms: bool) -> Option<Self> {
        let mut total: Option<Self> = None;
        let mut cells = Vec::new();
        for batch in batches {
            let sums = Self { bins: Vec::new(), ..*batch };
            let before = match &mut total {
                None => {
                    total = Some(sums);
                    0
                }
                Some(total) => total.add(sums),
            };
            if histograms {
                let unit = total.as_ref().map_or(0, |total| total.scale);
                if before != 0 {
                    cells
                        .iter_mut()
                        .for_each(|cell: &mut Bin| cell.weight = scale(cell.weight, -before));
                }
                let added = batch
                    .bins
                    .iter()
                    .map(|cell| Bin { weight: scale(cell.weight, batch.scale - unit), ..*cell });
                cells.extend(added);
            }
        }
        let mut total = total?;
        total.bins = join(cells, total.tail_from);
        Some(total)
    }

    /// Adds the sums of `other` and returns by how many powers of two the unit grew.
    fn add(&mut self, mut other: Self) -> i64 {
        let unit = self.scale.max(other.scale);
        let grown = unit - self.scale;
        self.change_scale(unit);
        other.change_scale(unit);
        self.games += other.games;
        for (sum, more) in self.sums_mut().into_iter().zip(other.sums_mut()) {
            *sum += *more;
        }
        for (sum, more) in self.square_sums_mut().into_iter().zip(other.square_sums_mut()) {
            *sum += *more;
        }
        self.smallest = self.smallest.min(other.smallest);
        self.largest = self.largest.max(other.largest);
        self.tail_from = self.tail_from.max(other.tail_from);
        self.plies += other.plies;
        self.plies2 += other.plies2;
        self.first += other.first;
        self.second += other.second;
        self.draws += other.draws;
        grown
    }

    fn sums_mut(&mut self) -> [&mut f64; 6] {
        [
            &mut self.w,
            &mut self.wn,
            &mut self.w_first,
            &mut self.w_second,
            &mut self.w_draw,
            &mut self.nodes,
        ]
    }

    fn square_sums_mut(&mut self) -> [&mut f64; 7] {
        [
            &mut self.w2,
            &mut self.w2n,
            &mut self.w2n2,
            &mut self.w2_first,
            &mut self.w2_second,
            &mut self.w2_draw,
            &mut self.nodes2,
        ]
    }

    fn change_scale(&mut self, unit: i64) {
        let by = self.scale - unit;
        if by == 0 {
            return;
        }
        for sum in self.sums_mut() {
            *sum = scale(*sum, by);
        }
        for sum in self.square_sums_mut() {
            *sum = scale(*sum, 2 * by);
        }
        for weight in [&mut self.smallest, &mut self.largest, &mut self.tail_from] {
            *weight = scale(*weight, by);
        }
        for cell in &mut self.bins {
            cell.weight = scale(cell.weight, by);
        }
        self.scale = unit;
    }
}

/// Adds up cells of the same kind and bin in the order given, and ranks the tails as one tail that
/// lists every weight above `tail_from`.
fn join(cells: Vec<Bin>, tail_from: f64) -> Vec<Bin> {
    let (mut tail, mut cells): (Vec<Bin>, Vec<Bin>) =
        cells.into_iter().partition(|cell| cell.kind == BinKind::Tail);
    // Stable: equal cells keep the order of their batches, so their sums are reproducible.
    cells.sort_by_key(|cell| (cell.kind, cell.bin));
    let mut joined: Vec<Bin> = Vec::new();
    for cell in cells {
        match joined.last_mut() {
            Some(last) if (last.kind, last.bin) == (cell.kind, cell.bin) => {
                last.games += cell.games;
                last.weight += cell.weight;
            }
            _ => joined.push(cell),
        }
    }
    tail.retain(|cell| cell.weight >= tail_from);
    tail.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    joined.extend(tail.into_iter().zip(0..).map(|(cell, bin)| Bin { bin, ..cell }));
    joined
}

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
    smallest: f64,
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
            smallest: f64::INFINITY,
            tail: Vec::with_capacity(2 * TAIL_KEPT),
            tail_from: 0.0,
        }
    }

    #[inline]
    pub(super) fn add(&mut self, walk: &Walk) {
        if walk.exponent != self.exponent {
            self.meet(walk);
        }
        let mut w = walk.weight * self.factor;
        if w >= RESCALE_AT {
            self.rescale(walk);
            w = walk.weight * self.factor;
        }
        let y = walk.nodes * self.factor;
        self.games += 1;
        self.nodes += y;
        self.nodes2 += y * y;
        self.smallest = self.smallest.min(w);

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

    #[cold]
    fn meet(&mut self, walk: &Walk) {
        if self.games == 0 {
            self.scale = walk.weight().exponent();
        }
        self.exponent = walk.exponent;
        self.factor = scale(1.0, self.exponent - self.scale);
        // A factor beyond the range of f64 means a weight far above the unit.
        if !self.factor.is_finite() {
            self.rescale(walk);
        }
    }

    #[cold]
    fn rescale(&mut self, walk: &Walk) {
        let unit = walk.weight().exponent();
        self.change_scale(unit);
        self.factor = scale(1.0, self.exponent - unit);
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
        self.smallest = scale(self.smallest, by);
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
            smallest: self.smallest,
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
