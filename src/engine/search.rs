//! The search: principal variation search with iterative deepening.

use std::fmt;
use std::sync::Arc;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::Rng;

use super::evaluation::Evaluation;
use super::key::mix;
use super::node::{Draws, Line, Node};
use super::ordering::{Ordering, pick};
use super::probe::{Probe, Value};
use super::table::{Bound, Known, Route, Table};
use crate::game::{Game, Progress};
use crate::games::draughts::draw::{DrawRule, Played};
use crate::games::draughts::material::MAN;
use crate::games::draughts::{Board, Draughts, Duplicates, Move, Rules, Side, Word};
use crate::stream::bounded;

/// Above every score; a side that has lost after `n` plies has `-(MATE - n)`.
pub const MATE: i32 = 100_000;
const INFINITY: i32 = MATE + 1;
/// Plies from the root at which a position is evaluated whatever is going on.
const MAX_PLIES: usize = 192;
/// The greatest depth that can be asked for.
pub const MAX_DEPTH: u32 = 64;
/// Nodes between two looks at the progress.
const STRIDE: u64 = 1 << 12;
/// Half the first aspiration window, hundredths of a man.
const WINDOW: i32 = MAN / 4;
/// The random number of an evaluation is in `-NOISE..=NOISE`, hundredths of a man.
pub const NOISE: i32 = 8;

/// Above the plies to the end of any game that is won or lost by force: those of the way and those
/// that a database tells.
const LONGEST_MATE: i32 = 1000;

/// Whether the score says that the game is won or lost by force.
pub fn is_mate(score: i32) -> bool {
    score.abs() >= MATE - LONGEST_MATE
}

/// A database that an engine asks.
#[derive(Clone)]
struct Asked<B: Board> {
    probe: Arc<dyn Probe<B> + Send>,
    most_pieces: u32,
}

impl<B: Board> fmt::Debug for Asked<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Asked").field("most_pieces", &self.most_pieces).finish_non_exhaustive()
    }
}

/// How an engine is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Bytes of the transposition table; `None`: no table.
    pub table_bytes: Option<usize>,
    /// Whether late quiet moves are searched less deeply at first: stronger in the same time, but
    /// scores are no longer those of plain minimax.
    pub reductions: bool,
}

impl Settings {
    /// A table of 1 MiB, nothing reduced.
    pub const DEFAULT: Self = Self { table_bytes: Some(1 << 20), reductions: false };
}

impl Default for Settings {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// How far a search goes. It also ends when its progress says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The greatest depth in plies, 1 to [`MAX_DEPTH`].
    pub depth: u32,
    /// The most nodes.
    pub nodes: u64,
}

impl Limits {
    /// To a fixed depth, 1 to [`MAX_DEPTH`].
    pub fn depth(depth: u32) -> Self {
        Self { depth, nodes: u64::MAX }
    }
}

/// What makes one search differ from another of the same position.
#[derive(Debug)]
pub struct Variety<'a> {
    /// Where the order of the root moves and the numbers of the search come from.
    pub generator: &'a mut Xoshiro256PlusPlus,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found<B: Board> {
    /// The best move.
    pub best: Move<B>,
    /// What it is worth to the side to move.
    pub score: i32,
    /// The depth of the last iteration that was finished; 0 when none was.
    pub depth: u32,
    /// Positions visited, the root left out.
    pub nodes: u64,
    /// The best move and what is expected to follow.
    pub line: Vec<Move<B>>,
}

/// A player of the rules `R` on the board `B`, with its table; searches one position at a time.
#[derive(Clone, Debug)]
pub struct Engine<R: Rules, B: Board, E> {
    game: Draughts<R, B>,
    evaluation: E,
    draws: Draws,
    table: Option<Table>,
    asked: Option<Asked<B>>,
    reductions: bool,
    ordering: Ordering,
    line: Line,
    /// Moves and their ranks, one list for each distance from the root.
    moves: Vec<Vec<Move<B>>>,
    ranks: Vec<Vec<i32>>,
    /// What is expected to follow, one list for each distance from the root.
    expected: Vec<Vec<Move<B>>>,
    salt: Option<u64>,
    nodes: u64,
    most_nodes: u64,
    stopped: bool,
}

impl<R: Rules, B: Board, E: Evaluation<R, B>> Engine<R, B, E> {
    /// An engine for games under the draw rule `rule`.
    pub fn new(evaluation: E, rule: DrawRule, settings: Settings) -> Self {
        Self {
            game: Draughts::new(Duplicates::Drop),
            evaluation,
            draws: Draws::new(rule),
            table: settings.table_bytes.map(Table::new),
            asked: None,
            reductions: settings.reductions,
            ordering: Ordering::new(MAX_PLIES + 1),
            line: Line::default(),
            moves: vec![Vec::new(); MAX_PLIES + 1],
            ranks: vec![Vec::new(); MAX_PLIES + 1],
            expected: vec![Vec::new(); MAX_PLIES + 1],
            salt: None,
            nodes: 0,
            most_nodes: u64::MAX,
            stopped: false,
        }
    }

    /// The engine with an endgame database, whose values take the place of a search. It knows nothing of
    /// draw rules: a repetition on the way is a draw all the same, counts that run out are not foreseen.
    pub fn with_database(mut self, probe: Arc<dyn Probe<B> + Send>) -> Self {
        let most_pieces = probe.most_pieces();
        self.asked = Some(Asked { probe, most_pieces });
        self
    }

    /// The best move of the game in progress; `None` when the side to move has no move.
    ///
    /// Each iteration of one ply more is handed to `each` when it is finished. A search that is
    /// stopped gives the best that it knows.
    ///
    /// # Panics
    /// When the depth is 0 or greater than [`MAX_DEPTH`].
    pub fn search(
        &mut self,
        played: &Played<B>,
        limits: Limits,
        variety: Option<Variety<'_>>,
        progress: &dyn Progress,
        each: &mut dyn FnMut(&Found<B>),
    ) -> Option<Found<B>> {
        assert!((1..=MAX_DEPTH).contains(&limits.depth), "a depth of 1 to {MAX_DEPTH} plies");
        let root = self.start(played, limits.nodes);
        let mut moves = Vec::new();
        self.game.legal_moves(&root.position, &mut moves);
        self.salt = variety.map(|Variety { generator }| {
            for last in (1..moves.len()).rev() {
                moves.swap(last, bounded(generator, last as u64 + 1) as usize);
            }
            generator.next_u64()
        });
        let mut found = Found { best: *moves.first()?, score: 0, depth: 0, nodes: 0, line: vec![] };
        for depth in 1..=limits.depth {
            let finished = self.aspire(&root, &mut moves, depth, &mut found, progress);
            found.nodes = self.nodes;
            if !finished {
                break;
            }
            found.depth = depth;
            each(&found);
        }
        Some(found)
    }

    /// The value of the position without looking further than captures reach.
    pub fn quiescence(&mut self, played: &Played<B>) -> i32 {
        let root = self.start(played, u64::MAX);
        self.salt = None;
        self.line.leave();
        self.follow(&root, -INFINITY, INFINITY, 0, &crate::game::Unwatched)
    }

    fn start(&mut self, played: &Played<B>, most_nodes: u64) -> Node<B> {
        let (root, earlier) = Node::root::<R>(played, &self.draws);
        self.line.start(&earlier);
        self.line.enter(root.key);
        self.ordering.start();
        if let Some(table) = &mut self.table {
            table.start();
        }
        self.nodes = 0;
        self.most_nodes = most_nodes;
        self.stopped = false;
        root
    }

    /// One iteration: a window round the last score, widened as long as the value is outside.
    /// False when it was stopped; `found` then has the best so far.
    fn aspire(
        &mut self,
        root: &Node<B>,
        moves: &mut [Move<B>],
        depth: u32,
        found: &mut Found<B>,
        progress: &dyn Progress,
    ) -> bool {
        let (mut low, mut high) = (-INFINITY, INFINITY);
        let mut margin = WINDOW;
        if depth > 1 && !is_mate(found.score) {
            (low, high) = (found.score - margin, found.score + margin);
        }
        loop {
            let score = self.root(root, moves, depth as i32, (low, high), found, progress);
            if self.stopped {
                return false;
            }
            margin *= 4;
            if score <= low {
                low = if margin > 8 * MAN { -INFINITY } else { score - margin };
            } else if score >= high {
                high = if margin > 8 * MAN { INFINITY } else { score + margin };
            } else {
                return true;
            }
        }
    }

    /// Searches the root moves; the best one comes to the front.
    fn root(
        &mut self,
        root: &Node<B>,
        moves: &mut [Move<B>],
        depth: i32,
        (low, high): (i32, i32),
        found: &mut Found<B>,
        progress: &dyn Progress,
    ) -> i32 {
        let left = if moves.len() == 1 { depth } else { depth - 1 };
        let mut best = -INFINITY;
        let mut alpha = low;
        for at in 0..moves.len() {
            let mv = moves[at];
            let next = root.child(&self.game, mv, &self.draws);
            let mut score = if at == 0 {
                -self.node::<true>(&next, -high, -alpha, left, 1, progress)
            } else {
                -self.node::<false>(&next, -alpha - 1, -alpha, left, 1, progress)
            };
            if at > 0 && score > alpha && score < high && !self.stopped {
                score = -self.node::<true>(&next, -high, -alpha, left, 1, progress);
            }
            if self.stopped {
                break;
            }
            if score > best {
                best = score;
                // A score that only bounds the value from above says nothing of which move is best.
                if score > low {
                    found.best = mv;
                    found.score = score;
                    found.line.clear();
                    found.line.push(mv);
                    if score < high {
                        found.line.extend_from_slice(&self.expected[1]);
                    }
                    moves[..=at].rotate_right(1);
                }
            }
            alpha = alpha.max(score);
            if score >= high {
                break;
            }
        }
        best
    }

    /// The value of `node` with `depth` plies left, exact inside the window, else a bound.
    fn node<const PV: bool>(
        &mut self,
        node: &Node<B>,
        alpha: i32,
        beta: i32,
        depth: i32,
        ply: usize,
        progress: &dyn Progress,
    ) -> i32 {
        if PV {
            self.expected[ply].clear();
        }
        if depth == 0 || ply >= MAX_PLIES {
            return self.follow(node, alpha, beta, ply, progress);
        }
        if self.count(progress) {
            return 0;
        }
        if self.line.repeats(node, &self.draws) {
            return 0;
        }
        if let Some(score) = self.probed(node, ply) {
            return score;
        }
        let key = node.key ^ node.way;
        let mut hint = Route::NONE;
        if let Some(table) = &self.table
            && let Some(known) = table.get(key)
        {
            hint = known.best;
            let score = from_table(known.score, ply);
            let cuts = match known.bound {
                Bound::Exact => true,
                Bound::Lower => score >= beta,
                Bound::Upper => score <= alpha,
            };
            if !PV && cuts && i32::from(known.depth) == depth {
                return score;
            }
        }
        let mut moves = std::mem::take(&mut self.moves[ply]);
        self.game.legal_moves(&node.position, &mut moves);
        let value = if moves.is_empty() {
            ply as i32 - MATE
        } else if node.count_ran_out(&self.draws) {
            0
        } else {
            self.line.enter(node.key);
            let value = self.moves::<PV>(node, &mut moves, alpha, beta, depth, ply, hint, progress);
            self.line.leave();
            value
        };
        self.moves[ply] = moves;
        value
    }

    /// What the database says of `node`, as a score.
    #[inline(always)]
    fn probed(&self, node: &Node<B>, ply: usize) -> Option<i32> {
        let Asked { probe, most_pieces } = self.asked.as_ref()?;
        let position = &node.position;
        let pieces = position.pieces(Side::White) | position.pieces(Side::Black);
        if pieces.count() > *most_pieces {
            return None;
        }
        Some(match probe.probe(position)? {
            Value::Win(plies) => MATE - (ply as i32 + plies as i32),
            Value::Draw => 0,
            Value::Loss(plies) => ply as i32 + plies as i32 - MATE,
        })
    }

    /// Searches `moves`, the moves of `node`, and stores what comes of it.
    #[allow(clippy::too_many_arguments)]
    #[inline(always)]
    fn moves<const PV: bool>(
        &mut self,
        node: &Node<B>,
        moves: &mut [Move<B>],
        mut alpha: i32,
        beta: i32,
        depth: i32,
        ply: usize,
        hint: Route,
        progress: &dyn Progress,
    ) -> i32 {
        let side = node.position.side();
        let before = alpha;
        let left = if moves.len() == 1 { depth } else { depth - 1 };
        let mut ranks = std::mem::take(&mut self.ranks[ply]);
        if moves.len() > 1 {
            self.ordering.rank(moves, side, ply, hint, &mut ranks);
        } else {
            ranks.clear();
            ranks.push(0);
        }
        let mut best = -INFINITY;
        let mut best_move = Route::NONE;
        for at in 0..moves.len() {
            let mv = pick(moves, &mut ranks, at);
            let next = node.child(&self.game, mv, &self.draws);
            let mut score;
            if at == 0 {
                score = -self.node::<PV>(&next, -beta, -alpha, left, ply + 1, progress);
            } else {
                let late = self.reductions && at >= 4 && left >= 2 && mv.captured.is_empty();
                let first = if late { left - 1 } else { left };
                score = -self.node::<false>(&next, -alpha - 1, -alpha, first, ply + 1, progress);
                if late && score > alpha {
                    score = -self.node::<false>(&next, -alpha - 1, -alpha, left, ply + 1, progress);
                }
                if PV && score > alpha && score < beta {
                    score = -self.node::<true>(&next, -beta, -alpha, left, ply + 1, progress);
                }
            }
            if self.stopped {
                break;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = Route::new(mv.from, mv.to);
                    if PV {
                        let (head, tail) = self.expected.split_at_mut(ply + 1);
                        head[ply].clear();
                        head[ply].push(mv);
                        head[ply].extend_from_slice(&tail[0]);
                    }
                    if score >= beta {
                        self.ordering.refuted(mv, side, ply, depth);
                        break;
                    }
                }
            }
        }
        self.ranks[ply] = ranks;
        if self.stopped {
            return 0;
        }
        if let Some(table) = &mut self.table {
            let bound = if best >= beta {
                Bound::Lower
            } else if best > before {
                Bound::Exact
            } else {
                Bound::Upper
            };
            let score = to_table(best, ply);
            let best = if bound == Bound::Upper { hint } else { best_move };
            table.put(node.key ^ node.way, Known { score, depth: depth as u8, bound, best });
        }
        best
    }

    /// The value of `node` when captures are followed to their end.
    fn follow(
        &mut self,
        node: &Node<B>,
        mut alpha: i32,
        beta: i32,
        ply: usize,
        progress: &dyn Progress,
    ) -> i32 {
        if self.count(progress) {
            return 0;
        }
        if self.line.repeats(node, &self.draws) {
            return 0;
        }
        if let Some(score) = self.probed(node, ply) {
            return score;
        }
        let captures = self.game.can_capture(&node.position);
        if !captures && !self.game.can_step(&node.position) {
            return ply as i32 - MATE;
        }
        if node.count_ran_out(&self.draws) {
            return 0;
        }
        if !captures || ply >= MAX_PLIES {
            return self.judge(node);
        }
        let mut moves = std::mem::take(&mut self.moves[ply]);
        self.game.legal_moves(&node.position, &mut moves);
        // A capture cannot be undone: nothing before it can occur again.
        let mut best = -INFINITY;
        for mv in &moves {
            let next = node.child(&self.game, *mv, &self.draws);
            let score = -self.follow(&next, -beta, -alpha, ply + 1, progress);
            if score > best {
                best = score;
                alpha = alpha.max(score);
                if score >= beta {
                    break;
                }
            }
        }
        self.moves[ply] = moves;
        best
    }

    /// The evaluation with the random number of position and search.
    #[inline(always)]
    fn judge(&self, node: &Node<B>) -> i32 {
        let value = self.evaluation.evaluate(&node.position);
        match self.salt {
            Some(salt) => value + noise(node.key, salt),
            None => value,
        }
    }

    /// Counts a node; true when the search is to stop.
    #[inline(always)]
    fn count(&mut self, progress: &dyn Progress) -> bool {
        self.nodes += 1;
        if self.nodes.is_multiple_of(STRIDE) || self.nodes >= self.most_nodes {
            self.look(progress);
        }
        self.stopped
    }

    #[cold]
    fn look(&mut self, progress: &dyn Progress) {
        progress.advance(STRIDE);
        self.stopped |= progress.stopped() || self.nodes >= self.most_nodes;
    }
}

/// The random number of the position with this key in the search with this salt.
#[inline(always)]
pub fn noise(key: u64, salt: u64) -> i32 {
    let width = 2 * NOISE as u64 + 1;
    (((mix(key ^ salt) >> 32) * width) >> 32) as i32 - NOISE
}

/// A score as the table holds it: wins and losses counted from the position, not from the root.
#[inline(always)]
fn to_table(score: i32, ply: usize) -> i32 {
    if is_mate(score) { score + score.signum() * ply as i32 } else { score }
}

#[inline(always)]
fn from_table(score: i32, ply: usize) -> i32 {
    if is_mate(score) { score - score.signum() * ply as i32 } else { score }
}
