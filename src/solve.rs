//! What positions are worth: proofs, and the player who plays by them.
//!
//! A [`Solver`] answers one question: can this side force a win from this position? Two answers make
//! the value of a position ([`solve`]): a side that cannot win against an opponent who cannot win
//! either has a draw. Two solvers:
//!
//! - [`ProofNumberSearch`] is best-first proof-number search without a transposition table, as J. J.
//!   van Horssen, *Complexity of checkers and draughts on different board sizes*, section 4.1, has it
//!   (the search itself: L. V. Allis, *Searching for Solutions in Games and Artificial Intelligence*,
//!   1994).
//! - [`DepthFirstSearch`] is depth-first proof-number search (A. Nagai, *Df-pn algorithm for searching
//!   AND/OR trees and its applications*, 2002) with a table of bounded size, and checks what it found.
//!
//! On these stand [`DistanceSearch`], which finds how far a win is, and [`Perfect`], which judges moves.
//!
//! Leaves are positions without a move, and what an endgame database knows
//! ([`crate::engine::Probe`]); [`NoDatabase`] knows nothing.
//!
//! **Repetition.** Draw rules play no part: a side wins when it can force a position in which the
//! opponent has no move, however long that takes; who can go on for ever has not lost. So a position
//! that occurred before on the way from the root is not a win for the side that wants to win. A strategy that
//! wins never needs a repetition, and one that holds can go on from the earlier occurrence as it did
//! there; that makes the answers of a tree search exact, since in a tree each position has one way
//! to it. With a table it has many, which is the graph-history interaction; what
//! [`DepthFirstSearch`] does about it stands there.
//!
//! **Nothing is claimed that is not proved.** A search that runs out of nodes, memory or time
//! answers [`Answer::Unknown`].

mod depth_first;
mod distance;
mod held;
mod leaves;
pub mod lines;
mod method;
mod perfect;
mod proof_number;
mod table;

use std::fmt;

pub use depth_first::DepthFirstSearch;
pub use distance::DistanceSearch;
pub use leaves::{NoDatabase, Start};
pub use method::Method;
pub use perfect::{JudgedMove, Pains, Perfect};
pub use proof_number::ProofNumberSearch;

use crate::game::Progress;
use crate::games::draughts::{Board, Position, Side};

/// Whether a side can force a win.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    /// It can.
    Proved,
    /// It cannot.
    Disproved,
    /// Not answered.
    Unknown(Limit),
}

/// What ended a search without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limit {
    /// [`Limits::nodes`].
    Nodes,
    /// [`Limits::bytes`].
    Memory,
    /// The progress said stop.
    Stopped,
}

impl fmt::Display for Answer {
    /// `proved`, `disproved` or `unknown`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Proved => "proved",
            Self::Disproved => "disproved",
            Self::Unknown(_) => "unknown",
        })
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Nodes => "the limit of nodes",
            Self::Memory => "the limit of memory",
            Self::Stopped => "stopped",
        })
    }
}

/// How far a search goes. It also ends when its progress says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most positions that may be generated.
    pub nodes: u64,
    /// The most memory for nodes, in bytes.
    pub bytes: u64,
}

impl Limits {
    /// So many nodes, and the memory that they take.
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes, bytes: u64::MAX }
    }
}

/// What a search took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Positions generated, the root included.
    pub nodes: u64,
    /// Positions whose moves were generated.
    pub expanded: u64,
    /// The greatest distance of a generated position from the root, in plies.
    pub greatest_depth: u32,
    /// The sum of those distances.
    pub depths: u64,
    /// The most memory that held nodes at one time, in bytes.
    pub bytes: u64,
}

impl Effort {
    /// The effort of finding the root and nothing else.
    fn root() -> Self {
        Self { nodes: 1, ..Self::default() }
    }

    /// Counts an expansion that generated `children` positions at `depth`.
    #[inline(always)]
    fn expanded(&mut self, children: usize, depth: usize) {
        self.expanded += 1;
        self.nodes += children as u64;
        self.depths += (children * depth) as u64;
        if children > 0 {
            self.greatest_depth = self.greatest_depth.max(depth as u32);
        }
    }

    /// The mean distance from the root of the positions generated, in plies.
    pub fn mean_depth(&self) -> f64 {
        self.depths as f64 / self.nodes.max(1) as f64
    }

    /// The mean number of moves of the positions whose moves were generated; `None` for none.
    pub fn branching_factor(&self) -> Option<f64> {
        (self.expanded > 0).then(|| (self.nodes - 1) as f64 / self.expanded as f64)
    }

    /// The effort of both.
    pub fn and(&self, other: &Self) -> Self {
        Self {
            nodes: self.nodes + other.nodes,
            expanded: self.expanded + other.expanded,
            greatest_depth: self.greatest_depth.max(other.greatest_depth),
            depths: self.depths + other.depths,
            bytes: self.bytes.max(other.bytes),
        }
    }
}

/// An answer and what it took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The answer.
    pub answer: Answer,
    /// What it took.
    pub effort: Effort,
}

/// Who answers whether a side can force a win.
pub trait Solver<B: Board> {
    /// Whether `attacker` can force a win from `position`. `progress` advances by nodes.
    fn can_win(
        &mut self,
        position: &Position<B>,
        attacker: Side,
        limits: Limits,
        progress: &dyn Progress,
    ) -> Proof;
}

/// What a position is worth to the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Worth {
    /// It can force a win.
    Win,
    /// Neither side can force a win.
    Draw,
    /// The opponent can force a win.
    Loss,
}

impl fmt::Display for Worth {
    /// `win`, `draw` or `loss`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Win => "win",
            Self::Draw => "draw",
            Self::Loss => "loss",
        })
    }
}

/// What was found out about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Solution {
    /// Whether the side to move can force a win.
    pub win: Proof,
    /// Whether the opponent can; not asked when the side to move can.
    pub loss: Option<Proof>,
}

impl Solution {
    /// What the position is worth, if the answers say so.
    pub fn worth(&self) -> Option<Worth> {
        match (self.win.answer, self.loss.map(|proof| proof.answer)) {
            (Answer::Proved, _) => Some(Worth::Win),
            (_, Some(Answer::Proved)) => Some(Worth::Loss),
            (Answer::Disproved, Some(Answer::Disproved)) => Some(Worth::Draw),
            _ => None,
        }
    }

    /// What both answers took together.
    pub fn effort(&self) -> Effort {
        self.loss.map_or(self.win.effort, |loss| self.win.effort.and(&loss.effort))
    }
}

/// Asks `solver` whether the side to move of `position` can win, and if not, whether the opponent can;
/// the limits hold for each question.
pub fn solve<B: Board>(
    solver: &mut dyn Solver<B>,
    position: &Position<B>,
    limits: Limits,
    progress: &dyn Progress,
) -> Solution {
    let side = position.side();
    let win = solver.can_win(position, side, limits, progress);
    let decided = matches!(win.answer, Answer::Proved | Answer::Unknown(Limit::Stopped));
    let loss = (!decided).then(|| solver.can_win(position, side.other(), limits, progress));
    Solution { win, loss }
}
