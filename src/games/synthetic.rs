//! Trees whose size, mean length, result rates and variance are known in closed form.
//!
//! They are games like any other and exist to hold estimators against exact answers. Positions that
//! root the same subtree are one state, so that exact dynamic programming stays small however large
//! the tree is. Both trees have a branching factor b >= 1 and a depth d.
//!
//! **Uniform tree**: every node at a ply below d has b moves. Leaves: b^d, all at ply d; every
//! uniform walk has weight b^d, so the variance is 0. The last move decides the result: move 0 is a
//! win for the first player, move 1 for the second, any other a draw (as is the tree of depth 0).
//!
//! **Comb**: at every ply below d the first of the b moves ends the game and wins it for the player
//! who makes it; the b - 1 others go on; what stands after ply d is a draw. With q = b - 1 and the
//! convention that the winning move exists at ply d too:
//!
//! ```text
//! leaves won at ply k      q^(k-1)                 for k = 1..d
//! leaves drawn at ply d    q^d
//! E[X]   = sum_k q^(k-1) + q^d                     X = b^k at a leaf of ply k
//! E[X^2] = sum_k b^k q^(k-1) + b^d q^d
//! ```
//!
//! A walk of weight b^d has probability q^(d-1) / b^(d-1): for b = 2 the tree has d + 1 leaves and
//! E[X^2] = 2^(d+1) - 2 + 2^d, a weight distribution with a tail as heavy as one likes.

use crate::game::{Game, Notation, NotationError, Outcome, Scored};

/// The largest branching factor of a synthetic tree.
pub const MAX_BRANCHING: u32 = 1_000_000;
/// The largest depth of a synthetic tree.
pub const MAX_DEPTH: u32 = 1_000_000;

/// What is known about a tree without walking it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Known {
    /// The number of leaves, each a complete game; `None` past 2^128 - 1.
    pub leaves: Option<u128>,
    /// Decimal logarithm of the number of leaves.
    pub log10_leaves: f64,
    /// Mean length of a game, over leaves, in plies.
    pub mean_length: f64,
    /// Share of the leaves won by the first player.
    pub first_wins: f64,
    /// Share of the leaves won by the second player.
    pub second_wins: f64,
    /// Share of the leaves drawn.
    pub draws: f64,
    /// Variance of the weight of one uniform walk divided by the square of its mean.
    pub relative_variance: f64,
}

/// A node: its ply, and the move that led there as far as the result depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Node {
    ply: u32,
    result: Option<Outcome>,
}

/// The number of a move, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Branch(u32);

/// The tree in which every node at a ply below `depth` has `branching` children.
#[derive(Clone, Copy, Debug)]
pub struct UniformTree {
    branching: u32,
    depth: u32,
}

/// The tree in which the first move of every node ends the game.
#[derive(Clone, Copy, Debug)]
pub struct Comb {
    branching: u32,
    depth: u32,
}

fn in_range(branching: u32, depth: u32) -> bool {
    (1..=MAX_BRANCHING).contains(&branching) && depth <= MAX_DEPTH
}

impl UniformTree {
    /// `None` unless `branching` is in 1..=[`MAX_BRANCHING`] and `depth` at most [`MAX_DEPTH`].
    pub fn new(branching: u32, depth: u32) -> Option<Self> {
        in_range(branching, depth).then_some(Self { branching, depth })
    }

    /// The answers in closed form.
    pub fn known(&self) -> Known {
        let Self { branching, depth } = *self;
        let share = |winner: u32| match depth {
            0 => 0.0,
            _ if winner < branching => f64::from(branching).recip(),
            _ => 0.0,
        };
        Known {
            leaves: u128::from(branching).checked_pow(depth),
            log10_leaves: f64::from(depth) * f64::from(branching).log10(),
            mean_length: f64::from(depth),
            first_wins: share(0),
            second_wins: share(1),
            draws: match depth {
                0 => 1.0,
                _ => f64::from(branching.saturating_sub(2)) / f64::from(branching),
            },
            relative_variance: 0.0,
        }
    }
}

impl Comb {
    /// `None` unless `branching` is in 1..=[`MAX_BRANCHING`] and `depth` at most [`MAX_DEPTH`].
    pub fn new(branching: u32, depth: u32) -> Option<Self> {
        in_range(branching, depth).then_some(Self { branching, depth })
    }

    /// The answers in closed form; the sums run over at most `depth` terms.
    pub fn known(&self) -> Known {
        let Self { branching, depth } = *self;
        let (b, q) = (f64::from(branching), f64::from(branching - 1));
        // Everything is divided by the drawn leaves' q^d (by 1 when q = 0), which is the largest
        // term up to a factor d, so that nothing overflows before the final ratio does.
        let scale = if branching == 1 { 1.0 } else { q };
        let term = |k: u32| match branching {
            1 => f64::from(u8::from(k == 1)),
            _ => scale.powf(f64::from(k) - 1.0 - f64::from(depth)),
        };
        let drawn = if branching == 1 { f64::from(u8::from(depth == 0)) } else { 1.0 };
        let (mut first, mut second, mut plies) = (0.0, 0.0, f64::from(depth) * drawn);
        let mut squares = drawn * b.powf(f64::from(depth));
        for k in 1..=depth {
            let leaves = term(k);
            *(if k % 2 == 1 { &mut first } else { &mut second }) += leaves;
            plies += f64::from(k) * leaves;
            squares += leaves * b.powf(f64::from(k));
        }
        let total = first + second + drawn;
        let log10_scale = f64::from(depth) * scale.log10();
        // E[X^2] / E[X]^2 = squares / (total^2 * scale^d), taken apart in logarithms.
        let log10_ratio = squares.log10() - 2.0 * total.log10() - log10_scale;
        Known {
            leaves: self.leaves(),
            log10_leaves: total.log10() + log10_scale,
            mean_length: plies / total,
            first_wins: first / total,
            second_wins: second / total,
            draws: drawn / total,
            relative_variance: 10f64.powf(log10_ratio) - 1.0,
        }
    }

    fn leaves(&self) -> Option<u128> {
        let q = u128::from(self.branching - 1);
        let (mut power, mut won) = (1u128, 0u128);
        for _ in 0..self.depth {
            won = won.checked_add(power)?;
            power = power.checked_mul(q)?;
        }
        won.checked_add(power)
    }
}

impl Game for UniformTree {
    type Position = Node;
    type Move = Branch;

    fn initial(&self) -> Node {
        Node { ply: 0, result: (self.depth == 0).then_some(Outcome::Draw) }
    }

    fn legal_moves(&self, position: &Node, moves: &mut Vec<Branch>) {
        list(self.mobility_of(*position), moves);
    }

    #[inline]
    fn play(&self, position: &mut Node, Branch(branch): Branch) {
        position.ply += 1;
        position.result = (position.ply == self.depth).then_some(match branch {
            0 => Outcome::FirstWins,
            1 => Outcome::SecondWins,
            _ => Outcome::Draw,
        });
    }

    #[inline]
    fn mobility(&self, position: &Node, _scratch: &mut Vec<Branch>) -> usize {
        self.mobility_of(*position) as usize
    }

    #[inline]
    fn play_nth(&self, position: &mut Node, n: usize, _scratch: &mut Vec<Branch>) {
        self.play(position, Branch(n as u32));
    }
}

impl Game for Comb {
    type Position = Node;
    type Move = Branch;

    fn initial(&self) -> Node {
        Node { ply: 0, result: (self.depth == 0).then_some(Outcome::Draw) }
    }

    fn legal_moves(&self, position: &Node, moves: &mut Vec<Branch>) {
        list(self.mobility_of(*position), moves);
    }

    #[inline]
    fn play(&self, position: &mut Node, Branch(branch): Branch) {
        position.ply += 1;
        position.result = match (branch, position.ply % 2) {
            (0, 1) => Some(Outcome::FirstWins),
            (0, _) => Some(Outcome::SecondWins),
            _ => (position.ply == self.depth).then_some(Outcome::Draw),
        };
    }

    #[inline]
    fn mobility(&self, position: &Node, _scratch: &mut Vec<Branch>) -> usize {
        self.mobility_of(*position) as usize
    }

    #[inline]
    fn play_nth(&self, position: &mut Node, n: usize, _scratch: &mut Vec<Branch>) {
        self.play(position, Branch(n as u32));
    }
}

fn list(mobility: u32, moves: &mut Vec<Branch>) {
    moves.clear();
    moves.extend((0..mobility).map(Branch));
}

fn result_of(terminal: &Node) -> Outcome {
    terminal.result.expect("a node without moves is a leaf, which has a result")
}

impl Scored for UniformTree {
    fn outcome(&self, terminal: &Node) -> Outcome {
        result_of(terminal)
    }

    fn first_moves(&self, position: &Node) -> bool {
        position.ply.is_multiple_of(2)
    }
}

impl Scored for Comb {
    fn outcome(&self, terminal: &Node) -> Outcome {
        result_of(terminal)
    }

    fn first_moves(&self, position: &Node) -> bool {
        position.ply.is_multiple_of(2)
    }
}

const SYNTAX: &str = "the ply, and at a leaf its result: 3, '4 first', '4 second' or '4 draw'";

fn write_node(node: &Node) -> String {
    let ply = node.ply;
    match node.result {
        None => ply.to_string(),
        Some(Outcome::FirstWins) => format!("{ply} first"),
        Some(Outcome::SecondWins) => format!("{ply} second"),
        Some(Outcome::Draw) => format!("{ply} draw"),
    }
}

/// Reads a node that `exists` in the tree.
fn read_node(text: &str, exists: impl Fn(&Node) -> bool) -> Result<Node, NotationError> {
    let mut words = text.split_ascii_whitespace();
    let ply = words.next().unwrap_or_default();
    let ply = ply.parse().map_err(|_| NotationError::new(ply, "is no ply", SYNTAX))?;
    let result = match words.next() {
        None => None,
        Some("first") => Some(Outcome::FirstWins),
        Some("second") => Some(Outcome::SecondWins),
        Some("draw") => Some(Outcome::Draw),
        Some(word) => return Err(NotationError::new(word, "is no result", SYNTAX)),
    };
    if let Some(word) = words.next() {
        return Err(NotationError::new(word, "follows the result", SYNTAX));
    }
    let node = Node { ply, result };
    if exists(&node) {
        Ok(node)
    } else {
        Err(NotationError::new(text, "is no node of this tree", SYNTAX))
    }
}

impl UniformTree {
    #[inline]
    fn mobility_of(&self, node: Node) -> u32 {
        if node.ply < self.depth { self.branching } else { 0 }
    }

    fn exists(&self, node: &Node) -> bool {
        match node.result {
            None => node.ply < self.depth,
            Some(_) if node.ply != self.depth => false,
            Some(_) if self.depth == 0 => *node == self.initial(),
            Some(Outcome::FirstWins) => true,
            Some(Outcome::SecondWins) => self.branching >= 2,
            Some(Outcome::Draw) => self.branching >= 3,
        }
    }
}

impl Comb {
    #[inline]
    fn mobility_of(&self, node: Node) -> u32 {
        if node.result.is_none() { self.branching } else { 0 }
    }

    fn exists(&self, node: &Node) -> bool {
        // With one move only, the game ends at ply 1.
        let longest = if self.branching == 1 { self.depth.min(1) } else { self.depth };
        match node.result {
            None => node.ply < longest,
            Some(Outcome::Draw) => node.ply == self.depth && (self.branching > 1 || node.ply == 0),
            Some(Outcome::FirstWins) => node.ply <= longest && node.ply % 2 == 1,
            Some(Outcome::SecondWins) => {
                node.ply <= longest && node.ply.is_multiple_of(2) && node.ply > 0
            }
        }
    }
}

impl Notation for UniformTree {
    fn position_syntax(&self) -> String {
        SYNTAX.to_owned()
    }

    fn write_position(&self, position: &Node) -> String {
        write_node(position)
    }

    fn read_position(&self, text: &str) -> Result<Node, NotationError> {
        read_node(text, |node| self.exists(node))
    }

    fn write_move(&self, _position: &Node, Branch(branch): Branch) -> String {
        branch.to_string()
    }
}

impl Notation for Comb {
    fn position_syntax(&self) -> String {
        SYNTAX.to_owned()
    }

    fn write_position(&self, position: &Node) -> String {
        write_node(position)
    }

    fn read_position(&self, text: &str) -> Result<Node, NotationError> {
        read_node(text, |node| self.exists(node))
    }

    fn write_move(&self, _position: &Node, Branch(branch): Branch) -> String {
        branch.to_string()
    }
}
