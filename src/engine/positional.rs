//! The positional evaluation: material and eight terms, all of them counts of sets of squares.
//!
//! The terms are those that J. van Horssen names for the program of *Complexity of checkers and
//! draughts on different board sizes* (ICGA Journal 40, 2018, section 3): runaways, outpost safety,
//! left/right balance, centre control, mobility, holes, trapped kings in checkers, drawish endings.
//! Neither their definitions nor their weights are published; both are our own, and the weights are
//! chosen by playing strength. Each is symmetrical: a board turned round with colours exchanged has
//! the same value.

use std::fmt;

use super::evaluation::{Evaluation, drawish};
use crate::games::draughts::board::Direction;
use crate::games::draughts::material::{MAN, balance, king_value};
use crate::games::draughts::rules::King;
use crate::games::draughts::{Board, Position, Rules, Side, Word};

/// What each unit of a term is worth, in hundredths of a man.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weights {
    /// A quiet move more than the opponent.
    pub mobility: i32,
    /// A man in the opponent's half that no opponent can capture from the front: a piece or the edge
    /// behind it on both sides.
    pub safe_outpost: i32,
    /// A man in the opponent's half with no piece behind it on either side.
    pub weak_outpost: i32,
    /// Each man by which the left and right halves differ, counted against.
    pub imbalance: i32,
    /// A man in the centre: the middle half of the columns, the middle rows.
    pub centre: i32,
    /// A hole, counted against: an empty square of the own half behind two own men.
    pub hole: i32,
    /// A king of checkers without a step, counted against.
    pub trapped_king: i32,
    /// The share, in hundredths, of the difference of king and man that a runaway one step from its
    /// last row gets; each further step takes off a tenth of it.
    pub runaway_percent: i32,
}

impl Weights {
    /// The weights chosen by playing strength.
    pub const DEFAULT: Self = Self {
        mobility: 12,
        safe_outpost: 6,
        weak_outpost: -2,
        imbalance: 5,
        centre: 2,
        hole: 3,
        trapped_king: 40,
        runaway_percent: 80,
    };
}

impl Weights {
    /// Every weight with its name.
    pub fn named(&mut self) -> [(&'static str, &mut i32); 8] {
        [
            ("mobility", &mut self.mobility),
            ("safe-outpost", &mut self.safe_outpost),
            ("weak-outpost", &mut self.weak_outpost),
            ("imbalance", &mut self.imbalance),
            ("centre", &mut self.centre),
            ("hole", &mut self.hole),
            ("trapped-king", &mut self.trapped_king),
            ("runaway", &mut self.runaway_percent),
        ]
    }
}

impl fmt::Display for Weights {
    /// What differs from [`Weights::DEFAULT`], like `,mobility=5,hole=0`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut own, mut default) = (*self, Self::DEFAULT);
        for ((name, own), (_, default)) in own.named().into_iter().zip(default.named()) {
            if own != default {
                write!(f, ",{name}={own}")?;
            }
        }
        Ok(())
    }
}

impl Default for Weights {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// Steps from the last row up to which a man can be a runaway.
const RUN: usize = 4;

/// Drawish material keeps this part of its value, so that progress is still told from loss.
const DRAWISH_SHARE: i32 = 32;

/// The sets of squares of a board as one side sees it.
#[derive(Clone, Copy, Debug)]
struct View<W> {
    /// Rows 1 to [`RUN`] steps from the last row.
    run: [W; RUN],
    /// The opponent's half.
    far_half: W,
    /// The own half.
    near_half: W,
    left: W,
    right: W,
    centre: W,
    /// Squares of the first and last column.
    edge: W,
}

/// The positional evaluation of the rules `R` on the board `B`.
#[derive(Clone, Copy, Debug)]
pub struct Positional<R: Rules, B: Board> {
    weights: Weights,
    white: View<B::Word>,
    black: View<B::Word>,
    runaway: [i32; RUN],
    rules: std::marker::PhantomData<R>,
}

impl<R: Rules, B: Board> Default for Positional<R, B> {
    fn default() -> Self {
        Self::new(Weights::DEFAULT)
    }
}

/// The squares for which `is_in` of row and column holds, row 0 at the top.
fn squares<B: Board>(is_in: impl Fn(u32, u32) -> bool) -> B::Word {
    (1..=B::SQUARES)
        .filter(|square| {
            let (row, place) = ((square - 1) / B::ROW, (square - 1) % B::ROW);
            is_in(row, 2 * place + (row + 1) % 2)
        })
        .fold(B::Word::ZERO, |set, square| set | B::Word::bit(B::bit_of(square)))
}

fn view<B: Board>(white: bool) -> View<B::Word> {
    let n = B::N;
    // Row 0 is the last row of the side, column 0 its left edge.
    let own =
        |is_in: &dyn Fn(u32, u32) -> bool| {
            squares::<B>(|row, column| {
                if white { is_in(row, column) } else { is_in(n - 1 - row, n - 1 - column) }
            })
        };
    let mut run = [B::Word::ZERO; RUN];
    for (steps, rows) in run.iter_mut().enumerate() {
        *rows = own(&|row, _| row == steps as u32 + 1);
    }
    View {
        run,
        far_half: own(&|row, _| row < n / 2),
        near_half: own(&|row, _| row >= n / 2),
        left: own(&|_, column| column < n / 2),
        right: own(&|_, column| column >= n / 2),
        centre: own(&|row, column| {
            (n / 4..n - n / 4).contains(&column) && (n / 4 + 1..n - n / 4 - 1).contains(&row)
        }),
        edge: own(&|_, column| column == 0 || column == n - 1),
    }
}

impl<R: Rules, B: Board> Positional<R, B> {
    /// The evaluation with these weights.
    pub fn new(weights: Weights) -> Self {
        let gain = (king_value::<R, B>() - MAN) * weights.runaway_percent / 100;
        Self {
            weights,
            white: view::<B>(true),
            black: view::<B>(false),
            runaway: std::array::from_fn(|steps| gain * (10 - steps as i32) / 10),
            rules: std::marker::PhantomData,
        }
    }

    /// The terms of one side.
    #[inline(always)]
    fn side<const WHITE: bool>(&self, position: &Position<B>) -> i32 {
        let side = if WHITE { Side::White } else { Side::Black };
        let view = if WHITE { &self.white } else { &self.black };
        let weights = &self.weights;
        let (men, kings) = (position.men(side), position.kings(side));
        let (own, empty) = (men | kings, position.empty());
        let ahead_left =
            |set| B::step(set, if WHITE { Direction::UpLeft } else { Direction::DownRight });
        let ahead_right =
            |set| B::step(set, if WHITE { Direction::UpRight } else { Direction::DownLeft });
        let back_left =
            |set| B::step(set, if WHITE { Direction::DownLeft } else { Direction::UpRight });
        let back_right =
            |set| B::step(set, if WHITE { Direction::DownRight } else { Direction::UpLeft });
        let count = |set: B::Word| set.count() as i32;

        let mut moves = count(ahead_left(men) & empty) + count(ahead_right(men) & empty);
        let mut value = 0;
        if !kings.is_empty() {
            moves += king_moves::<R, B>(kings, empty);
            if R::KING == King::Short {
                let mobile = Direction::ALL
                    .iter()
                    .fold(B::Word::ZERO, |set, direction| set | B::step(empty, *direction));
                value -= weights.trapped_king * count(kings & !mobile);
            }
        }
        value += weights.mobility * moves;

        let outposts = men & view.far_half & !view.edge;
        let supported = (ahead_right(own), ahead_left(own));
        value += weights.safe_outpost * count(outposts & supported.0 & supported.1);
        value += weights.weak_outpost * count(outposts & !(supported.0 | supported.1));

        value -= weights.imbalance * (count(men & view.left) - count(men & view.right)).abs();
        value += weights.centre * count(men & view.centre);
        let behind_two = back_left(men) & back_right(men) & view.near_half;
        value -= weights.hole * count(empty & behind_two);

        let run = view.run;
        let advanced = men & (run[0] | run[1] | run[2] | run[3]);
        if !advanced.is_empty() && position.kings(side.other()).is_empty() {
            value += self.runaways::<WHITE>(advanced, position);
        }
        value
    }

    /// The men among `advanced` that no opponent can reach before they are crowned.
    ///
    /// A man runs free when no opponent stands in the triangle in front of it or beside that: each
    /// opponent, and the squares one step behind it, covers the triangle that opens towards the man.
    fn runaways<const WHITE: bool>(&self, advanced: B::Word, position: &Position<B>) -> i32 {
        let side = if WHITE { Side::White } else { Side::Black };
        let view = if WHITE { &self.white } else { &self.black };
        let (away, towards) =
            if WHITE { (Direction::UP, Direction::DOWN) } else { (Direction::DOWN, Direction::UP) };
        let opponents = position.pieces(side.other());
        let mut covered =
            opponents | (B::step(opponents, away[0]) | B::step(opponents, away[1])) & B::ALL;
        for _ in 0..=RUN {
            covered |= (B::step(covered, towards[0]) | B::step(covered, towards[1])) & B::ALL;
        }
        let free = advanced & !covered;
        (0..RUN).map(|steps| self.runaway[steps] * (free & view.run[steps]).count() as i32).sum()
    }
}

/// The quiet moves of kings.
#[inline(always)]
fn king_moves<R: Rules, B: Board>(kings: B::Word, empty: B::Word) -> i32 {
    let mut moves = 0;
    for direction in Direction::ALL {
        let mut front = B::step(kings, direction) & empty;
        moves += front.count();
        if R::KING == King::Flying {
            while !front.is_empty() {
                front = B::step(front, direction) & empty;
                moves += front.count();
            }
        }
    }
    moves as i32
}

impl<R: Rules, B: Board> Evaluation<R, B> for Positional<R, B> {
    #[inline(always)]
    fn evaluate(&self, position: &Position<B>) -> i32 {
        let terms = self.side::<true>(position) - self.side::<false>(position);
        let mut white = balance::<R, B>(position) + terms;
        if drawish::<R, B>(position) {
            white /= DRAWISH_SHARE;
        }
        if position.side() == Side::White { white } else { -white }
    }
}
