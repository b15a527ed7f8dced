//! A batch of walks as mergeable sums: all that any later question about the walks needs.

use super::scaled::{Scaled, scale};
use crate::game::Outcome;

/// How many of its largest weights a batch keeps.
pub const TAIL_KEPT: usize = 200;

/// Bins of the weight histogram for each doubling of the weight.
pub(super) const BINS_PER_OCTAVE: usize = 4;

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
    /// Sum of the node estimates Y (see [`Walk::nodes`](super::Walk::nodes)).
    pub nodes: f64,
    /// Sum of Y^2.
    pub nodes2: f64,
    /// The smallest weight, in units of `2^smallest_scale`; from 1 up to 2.
    pub smallest: f64,
    /// The exponent of two of the unit of the smallest weight.
    pub smallest_scale: i64,
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

    /// Whether all weights are equal.
    pub fn is_constant(&self) -> bool {
        (self.smallest_scale, self.smallest) == (self.scale, self.largest)
    }

    /// The sum of the weights as one number.
    pub fn weight(&self) -> Scaled {
        Scaled::new(self.w, self.scale)
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
        if (other.smallest_scale, other.smallest) < (self.smallest_scale, self.smallest) {
            (self.smallest_scale, self.smallest) = (other.smallest_scale, other.smallest);
        }
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
        for weight in [&mut self.largest, &mut self.tail_from] {
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::tree_size::tally::tests::{batch_of, walks};

    #[test]
    fn merged_batches_are_the_batch_of_all_walks() {
        // Whole weights below 2^53 in sum: additions are exact in any grouping.
        let walks = walks(2000);
        let parts: Vec<Batch> =
            (0..).zip(walks.chunks(450)).map(|(index, part)| batch_of(part, index)).collect();
        let merged = Batch::merged(&parts).unwrap();
        let whole = batch_of(&walks, 0);
        let sums = |batch: &Batch| {
            [batch.w, batch.wn, batch.w_first, batch.w_second, batch.w_draw, batch.nodes]
        };
        assert_eq!(sums(&merged), sums(&whole));
        assert_eq!((merged.games, merged.plies, merged.plies2), (2000, whole.plies, whole.plies2));
        assert_eq!(
            (merged.scale, merged.smallest, merged.largest),
            (whole.scale, whole.smallest, whole.largest)
        );
        let histograms = |batch: &Batch| -> Vec<Bin> {
            batch.bins.iter().filter(|cell| cell.kind != BinKind::Tail).copied().collect()
        };
        assert_eq!(histograms(&merged), histograms(&whole));
        // Each part keeps 200 of its 450 weights, so more than 200 of all are known, in order.
        let tail = |batch: &Batch| -> Vec<f64> {
            batch.bins_of(BinKind::Tail).map(|cell| cell.weight).collect()
        };
        let (of_parts, of_whole) = (tail(&merged), tail(&whole));
        assert_eq!(of_parts[..TAIL_KEPT], of_whole[..]);
        assert!(of_parts.iter().all(|weight| *weight >= merged.tail_from));
        assert_eq!(Batch::merged(&[]), None);
        assert_eq!(Batch::merged(&parts[..1]).unwrap(), parts[0]);
    }

    #[test]
    fn bin_kinds_are_read_back_by_name() {
        for kind in BinKind::ALL {
            assert_eq!(BinKind::from_name(kind.name()), Some(kind));
        }
        assert_eq!(BinKind::from_name("no kind"), None);
    }
}
