//! Best-first proof-number search in a tree.
//!
//! The tree is all of the memory: 16 bytes a node, the children of a node side by side, no moves, no
//! positions and no way up. The way from the root to the node in hand is kept on the side with its
//! positions; the n-th child is where the n-th legal move leads. The tree below a node that is
//! settled is given back for other nodes.

use super::leaves::{INFINITE, Leaves, Numbers, Start, Step};
use super::{Answer, Effort, Limit, Limits, Proof, Solver};
use crate::engine::Probe;
use crate::game::{Game, Progress};
use crate::games::draughts::{Board, Move, Position, Rules, Side};

/// Expansions between two looks at the progress.
const STRIDE: u64 = 1 << 10;
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Node {
    numbers: Numbers,
    /// The first child; of a block that was given back: the next such block.
    children: u32,
    count: u32,
}

impl Node {
    fn leaf(numbers: Numbers) -> Self {
        Self { numbers, children: NONE, count: 0 }
    }
}

/// Nodes in blocks of siblings.
#[derive(Debug, Default)]
struct Tree {
    nodes: Vec<Node>,
    /// The first free block of each length.
    free: Vec<u32>,
    /// Working space of [`Tree::give_back`].
    pending: Vec<(u32, u32)>,
}

impl Tree {
    /// Space for `count` nodes, at least one; `None` when there would be more than `most` in all.
    fn block(&mut self, count: u32, most: u64) -> Option<u32> {
        if let Some(head) = self.free.get_mut(count as usize)
            && *head != NONE
        {
            let block = *head;
            *head = self.nodes[block as usize].children;
            return Some(block);
        }
        let first = self.nodes.len();
        let after = first as u64 + u64::from(count);
        if after > most || after >= u64::from(NONE) {
            return None;
        }
        self.nodes.resize(after as usize, Node::leaf(Numbers::HELD));
        Some(first as u32)
    }

    fn children(&self, node: u32) -> &[Node] {
        let Node { children, count, .. } = self.nodes[node as usize];
        &self.nodes[children as usize..][..count as usize]
    }

    /// Gives the nodes below `node` back.
    fn give_back(&mut self, node: u32) {
        self.detach(node);
        while let Some((first, count)) = self.pending.pop() {
            for child in first..first + count {
                self.detach(child);
            }
            let length = count as usize;
            if self.free.len() <= length {
                self.free.resize(length + 1, NONE);
            }
            self.nodes[first as usize].children = std::mem::replace(&mut self.free[length], first);
        }
    }

    fn detach(&mut self, node: u32) {
        let node = &mut self.nodes[node as usize];
        if node.children != NONE {
            self.pending.push((node.children, node.count));
            node.children = NONE;
            node.count = 0;
        }
    }
}

/// The numbers of a node from those of its children.
fn combined(attacking: bool, children: &[Node]) -> Numbers {
    let add = |sum: u32, number: u32| match number {
        INFINITE => INFINITE,
        _ if sum == INFINITE => sum,
        _ => sum.saturating_add(number).min(INFINITE - 1),
    };
    let start = if attacking { Numbers::HELD } else { Numbers::WON };
    children.iter().fold(start, |numbers, Node { numbers: child, .. }| {
        if attacking {
            Numbers {
                proof: numbers.proof.min(child.proof),
                disproof: add(numbers.disproof, child.disproof),
            }
        } else {
            Numbers {
                proof: add(numbers.proof, child.proof),
                disproof: numbers.disproof.min(child.disproof),
            }
        }
    })
}

/// The solver; each question builds a tree of its own.
pub struct ProofNumberSearch<R: Rules, B: Board, P> {
    leaves: Leaves<R, B, P>,
}

impl<R: Rules, B: Board, P: Probe<B>> ProofNumberSearch<R, B, P> {
    /// A solver that asks `probe`.
    pub fn new(probe: P, start: Start) -> Self {
        Self { leaves: Leaves::new(probe, start) }
    }
}

impl<R: Rules, B: Board, P: Probe<B>> Solver<B> for ProofNumberSearch<R, B, P> {
    fn can_win(
        &mut self,
        position: &Position<B>,
        attacker: Side,
        limits: Limits,
        progress: &dyn Progress,
    ) -> Proof {
        let mut search = Search {
            leaves: &self.leaves,
            attacker,
            tree: Tree::default(),
            way: vec![(0, Step::root(position))],
            moves: Vec::new(),
            scratch: Vec::new(),
            effort: Effort::root(),
        };
        let numbers = self.leaves.numbers(position, attacker, &mut search.scratch);
        search.tree.nodes.push(Node::leaf(numbers));
        let answer = search.run(limits, progress);
        search.effort.bytes = (search.tree.nodes.len() * size_of::<Node>()) as u64;
        Proof { answer, effort: search.effort }
    }
}

struct Search<'a, R: Rules, B: Board, P> {
    leaves: &'a Leaves<R, B, P>,
    attacker: Side,
    tree: Tree,
    /// From the root to the node in hand.
    way: Vec<(u32, Step<B>)>,
    moves: Vec<Move<B>>,
    scratch: Vec<Move<B>>,
    effort: Effort,
}

impl<R: Rules, B: Board, P: Probe<B>> Search<'_, R, B, P> {
    fn run(&mut self, limits: Limits, progress: &dyn Progress) -> Answer {
        let mut reported = 0;
        loop {
            match self.tree.nodes[0].numbers {
                Numbers { proof: 0, .. } => return Answer::Proved,
                Numbers { disproof: 0, .. } => return Answer::Disproved,
                _ => {}
            }
            if self.effort.nodes >= limits.nodes {
                return Answer::Unknown(Limit::Nodes);
            }
            if self.effort.expanded.is_multiple_of(STRIDE) {
                progress.advance(self.effort.nodes - reported);
                reported = self.effort.nodes;
                if progress.stopped() {
                    return Answer::Unknown(Limit::Stopped);
                }
            }
            self.descend();
            if !self.expand(limits) {
                return Answer::Unknown(Limit::Memory);
            }
            self.update();
        }
    }

    /// Goes from the node in hand to the leaf below it that bears most on both numbers.
    fn descend(&mut self) {
        loop {
            let (at, step) = *self.way.last().expect("the root is never left");
            let node = self.tree.nodes[at as usize];
            if node.children == NONE {
                return;
            }
            let attacking = step.position.side() == self.attacker;
            let bears = |child: &Node| {
                if attacking {
                    child.numbers.proof == node.numbers.proof
                } else {
                    child.numbers.disproof == node.numbers.disproof
                }
            };
            let chosen = self.tree.children(at).iter().position(bears);
            let chosen = chosen.expect("a number is that of a child");
            self.leaves.game.legal_moves(&step.position, &mut self.moves);
            let next = step.after(&self.leaves.game, self.moves[chosen]);
            self.way.push((node.children + chosen as u32, next));
        }
    }

    /// Gives the node in hand its children; false when there is no memory for them.
    fn expand(&mut self, limits: Limits) -> bool {
        let (at, step) = *self.way.last().expect("the root is never left");
        let mut moves = std::mem::take(&mut self.moves);
        self.leaves.game.legal_moves(&step.position, &mut moves);
        let most = limits.bytes / size_of::<Node>() as u64;
        let block = self.tree.block(moves.len() as u32, most);
        if let Some(first) = block {
            for (child, mv) in moves.iter().enumerate() {
                let next = step.after(&self.leaves.game, *mv);
                let numbers = if next.repeats(self.way.iter().map(|(_, step)| step)) {
                    Numbers::HELD
                } else {
                    self.leaves.numbers(&next.position, self.attacker, &mut self.scratch)
                };
                self.tree.nodes[first as usize + child] = Node::leaf(numbers);
            }
            let node = &mut self.tree.nodes[at as usize];
            (node.children, node.count) = (first, moves.len() as u32);
            self.effort.expanded(moves.len(), self.way.len());
        }
        self.moves = moves;
        block.is_some()
    }

    /// Brings the numbers up to date from the node in hand upwards, and goes up as far as they change:
    /// above, the same leaf bears most as before, seen from there.
    fn update(&mut self) {
        loop {
            let (at, step) = self.way.last().expect("the root is never left");
            let (at, attacking) = (*at, step.position.side() == self.attacker);
            let numbers = combined(attacking, self.tree.children(at));
            let before = std::mem::replace(&mut self.tree.nodes[at as usize].numbers, numbers);
            if numbers.settled() {
                self.tree.give_back(at);
            } else if numbers == before {
                return;
            }
            if self.way.len() == 1 {
                return;
            }
            self.way.pop();
        }
    }
}
