//! An upper bound of the state-space complexity of checkers and draughts on N x N boards.
//!
//! J. Schaeffer and R. Lake, "Solving the game of checkers" (Games of No Chance 29, 1996), count the
//! ways to place pieces on an 8 x 8 board; J. van Horssen, "Complexity of checkers and draughts on
//! different board sizes" (Section 2), generalises the count to any even N and gives the results for
//! N = 6 .. 14 in Table 1. With `R = N / 2` dark squares on a row, `S = N^2 / 2` dark squares in all,
//! at most `n = N (N - 2) / 2` pieces, `m = n / 2` of them of one colour,
//!
//! ```text
//! Size(N, n) = sum of Num(b, B, w, W, f) over b + B <= m, w + W <= m, f <= min(b, R), minus 1
//!
//! Num(b, B, w, W, f) = C(R, f) C(S - 2R, b - f)       b black men, f of them on their first row
//!                    x C(S - R - (b - f), w)          w white men
//!                    x C(S - b - w, B)                B black kings
//!                    x C(S - b - w - B, W)            W white kings
//! ```
//!
//! A man never stands on the row where it would be crowned. The empty board is not counted; boards
//! with one colour only are. The bound is for one given colour to move, the same for checkers and
//! draughts: with either colour to move it doubles. It says nothing about which placements can be
//! reached from the initial position.
//!
//! The sums are factored, so that no term is visited more often than needed. The men contribute
//! `M(b, w) = sum over f of C(R, f) C(S - 2R, b - f) C(S - R - (b - f), w)`; with `e = S - b - w`
//! squares left, all kings together contribute `sum over B <= m - b of C(e, B) A(e - B, m - w)` where
//! `A(x, q) = sum over i <= q of C(x, i)`, and `k` kings contribute
//! `C(e, k) x sum over B of C(k, B)` with `k - (m - w) <= B <= m - b`.

use std::fmt;

use num_bigint::BigUint;
use thiserror::Error;

/// The smallest board: on a 2 x 2 board no row of men is left.
pub const MIN_SIZE: u32 = 4;
/// The largest board, whose bound takes about a second.
pub const MAX_SIZE: u32 = 32;

static ZERO: BigUint = BigUint::ZERO;

/// A board for which the bound is not defined or not offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum FormulaError {
    /// Rows of men and the dark squares of a row need an even number of rows.
    #[error("board size {0} is odd (allowed: even sizes from {MIN_SIZE} to {MAX_SIZE})")]
    Odd(u32),
    /// Smaller than [`MIN_SIZE`] or larger than [`MAX_SIZE`].
    #[error("board size {0} is out of range (allowed: even sizes from {MIN_SIZE} to {MAX_SIZE})")]
    OutOfRange(u32),
}

/// How many pieces of each kind stand on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slice {
    /// Black men, `b`.
    pub black_men: u32,
    /// Black kings, `B`.
    pub black_kings: u32,
    /// White men, `w`.
    pub white_men: u32,
    /// White kings, `W`.
    pub white_kings: u32,
}

impl fmt::Display for Slice {
    /// Black men, black kings, white men and white kings: `6.0.6.0`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { black_men, black_kings, white_men, white_kings } = self;
        write!(f, "{black_men}.{black_kings}.{white_men}.{white_kings}")
    }
}

impl Slice {
    /// All black pieces.
    pub fn black(&self) -> u32 {
        self.black_men + self.black_kings
    }

    /// All white pieces.
    pub fn white(&self) -> u32 {
        self.white_men + self.white_kings
    }

    /// All pieces.
    pub fn pieces(&self) -> u32 {
        self.black() + self.white()
    }
}

/// The bound for one board size, with the tables it is computed from.
#[derive(Clone, Debug)]
pub struct Formula {
    size: u32,
    /// `binomials[x][i] = C(x, i)` for `i <= x <= S`.
    binomials: Vec<Vec<BigUint>>,
    /// `at_most[x][q] = C(x, 0) + .. + C(x, q)` for `q <= x <= S`.
    at_most: Vec<Vec<BigUint>>,
    /// `men[b][w]`: the placements of `b` black and `w` white men, each at most `m`.
    men: Vec<Vec<BigUint>>,
}

impl Formula {
    /// Prepares the bound for a `size` x `size` board.
    ///
    /// # Errors
    /// When `size` is odd or outside [`MIN_SIZE`] ..= [`MAX_SIZE`].
    pub fn new(size: u32) -> Result<Self, FormulaError> {
        if !(MIN_SIZE..=MAX_SIZE).contains(&size) {
            return Err(FormulaError::OutOfRange(size));
        }
        if !size.is_multiple_of(2) {
            return Err(FormulaError::Odd(size));
        }
        let binomials = pascal(size as usize * size as usize / 2);
        let at_most = binomials.iter().map(|row| prefix_sums(row)).collect();
        let mut formula = Self { size, binomials, at_most, men: Vec::new() };
        let side = formula.pieces_per_side();
        formula.men =
            (0..=side).map(|b| (0..=side).map(|w| formula.place_men(b, w)).collect()).collect();
        Ok(formula)
    }

    /// Rows (and columns) of the board, `N`.
    pub fn size(&self) -> u32 {
        self.size
    }

    /// Dark squares of the board, `S = N^2 / 2`.
    pub fn squares(&self) -> u32 {
        self.size * self.size / 2
    }

    /// Dark squares of a row, `R = N / 2`.
    pub fn row_squares(&self) -> u32 {
        self.size / 2
    }

    /// The most pieces of one colour, `m = N (N - 2) / 4`.
    pub fn pieces_per_side(&self) -> u32 {
        self.size * (self.size - 2) / 4
    }

    /// The most pieces on the board, `n = N (N - 2) / 2`.
    pub fn max_pieces(&self) -> u32 {
        2 * self.pieces_per_side()
    }

    /// The bound: placements with 1 to `max_pieces` pieces, one given colour to move.
    pub fn total(&self) -> BigUint {
        let side = self.pieces_per_side();
        let mut total = BigUint::ZERO;
        for b in 0..=side {
            for w in 0..=side {
                let left = self.squares() - b - w;
                let kings: BigUint = (0..=side - b)
                    .map(|k| self.choose(left, k) * self.choose_at_most(left - k, side - w))
                    .sum();
                total += self.place(b, w) * kings;
            }
        }
        total - 1u32
    }

    /// The placements with exactly 1, 2, .. `max_pieces` pieces, in this order, each with its number
    /// of pieces; their sum is [`Formula::total`].
    pub fn by_pieces(&self) -> Vec<(u32, BigUint)> {
        (1..=self.max_pieces()).map(|pieces| (pieces, self.with_pieces(pieces))).collect()
    }

    /// The placements with exactly `pieces` pieces; zero for 0 pieces and above `max_pieces`.
    pub fn with_pieces(&self, pieces: u32) -> BigUint {
        let side = self.pieces_per_side();
        if pieces == 0 || pieces > 2 * side {
            return BigUint::ZERO;
        }
        let mut total = BigUint::ZERO;
        for men in 0..=pieces {
            let kings = pieces - men;
            let mut of_men = BigUint::ZERO;
            for b in men.saturating_sub(side)..=men.min(side) {
                let w = men - b;
                let fewest = kings.saturating_sub(side - w);
                let most = kings.min(side - b);
                if fewest > most {
                    continue;
                }
                let mut colourings = self.choose_at_most(kings, most).clone();
                if fewest > 0 {
                    colourings -= self.choose_at_most(kings, fewest - 1);
                }
                of_men += self.place(b, w) * colourings;
            }
            total += of_men * self.choose(self.squares() - men, kings);
        }
        total
    }

    /// The placements of one material slice; zero for the empty board and where a colour has more
    /// than `pieces_per_side` pieces.
    pub fn slice(&self, slice: Slice) -> BigUint {
        let side = self.pieces_per_side();
        if slice.pieces() == 0 || slice.black() > side || slice.white() > side {
            return BigUint::ZERO;
        }
        let left = self.squares() - slice.black_men - slice.white_men;
        self.place(slice.black_men, slice.white_men)
            * self.choose(left, slice.black_kings)
            * self.choose(left - slice.black_kings, slice.white_kings)
    }

    /// Every material slice but the empty board with its placements, in the order of the paper's
    /// sums: black men, then black kings, white men, white kings, each ascending.
    pub fn slices(&self) -> impl Iterator<Item = (Slice, BigUint)> + '_ {
        let side = self.pieces_per_side();
        let colour =
            move || (0..=side).flat_map(move |men| (0..=side - men).map(move |kings| (men, kings)));
        colour()
            .flat_map(move |black| colour().map(move |white| (black, white)))
            .filter(|&(black, white)| (black, white) != ((0, 0), (0, 0)))
            .map(|((black_men, black_kings), (white_men, white_kings))| {
                let slice = Slice { black_men, black_kings, white_men, white_kings };
                (slice, self.slice(slice))
            })
    }

    /// `M(b, w)` as defined above.
    fn place_men(&self, b: u32, w: u32) -> BigUint {
        let (row, squares) = (self.row_squares(), self.squares());
        let inner = squares - 2 * row;
        (b.saturating_sub(inner)..=b.min(row))
            .map(|first| {
                let advanced = b - first;
                self.choose(row, first)
                    * self.choose(inner, advanced)
                    * self.choose(squares - row - advanced, w)
            })
            .sum()
    }

    fn place(&self, b: u32, w: u32) -> &BigUint {
        &self.men[b as usize][w as usize]
    }

    /// `C(x, i)` for `x <= S`.
    fn choose(&self, x: u32, i: u32) -> &BigUint {
        self.binomials[x as usize].get(i as usize).unwrap_or(&ZERO)
    }

    /// `A(x, q)` for `x <= S`.
    fn choose_at_most(&self, x: u32, q: u32) -> &BigUint {
        &self.at_most[x as usize][q.min(x) as usize]
    }
}

/// The bound for a `size` x `size` board, one given colour to move.
///
/// # Errors
/// As [`Formula::new`].
pub fn upper_bound(size: u32) -> Result<BigUint, FormulaError> {
    Ok(Formula::new(size)?.total())
}

/// `C(n, k)`, the ways to choose `k` of `n` things; zero when `k > n`.
pub fn binomial(n: u32, k: u32) -> BigUint {
    if k > n {
        return BigUint::ZERO;
    }
    // Each partial product is itself a binomial, so the divisions leave no remainder.
    (0..k.min(n - k)).fold(BigUint::from(1u32), |c, i| c * (n - i) / (i + 1))
}

/// The decimal logarithm of `value`, to about 15 digits; minus infinity for 0.
pub fn log10(value: &BigUint) -> f64 {
    let shift = value.bits().saturating_sub(64);
    let leading = (value >> shift).iter_u64_digits().next().unwrap_or(0);
    (leading as f64).log10() + shift as f64 * std::f64::consts::LOG10_2
}

/// Rows 0 to `last` of Pascal's triangle.
fn pascal(last: usize) -> Vec<Vec<BigUint>> {
    let one = || BigUint::from(1u32);
    let mut rows = vec![vec![one()]];
    for x in 0..last {
        let above: &Vec<BigUint> = &rows[x];
        let mut row = vec![one()];
        row.extend(above.windows(2).map(|pair| &pair[0] + &pair[1]));
        row.push(one());
        rows.push(row);
    }
    rows
}

fn prefix_sums(row: &[BigUint]) -> Vec<BigUint> {
    row.iter()
        .scan(BigUint::ZERO, |sum, term| {
            *sum += term;
            Some(sum.clone())
        })
        .collect()
}
