//! The perfect player: it asks the database, else it proves.
//!
//! What it knows of a position is proved or not known; what was proved once is kept. Each question goes
//! to best-first search first, which settles most within its nodes and depends on nothing but the
//! position, then to depth-first search with its table.

use rustc_hash::FxHashMap;

use super::leaves::{Leaves, Start};
use super::{Answer, DepthFirstSearch, Limit, Limits, ProofNumberSearch, Solver, Worth};
use crate::engine::{Probe, Value};
use crate::game::{Game, Progress};
use crate::games::draughts::{Board, Move, Position, Rules, Side};

/// How hard the perfect player tries to answer a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pains {
    /// The most nodes of best-first search.
    pub best_first_nodes: u64,
    /// The most nodes of depth-first search.
    pub depth_first_nodes: u64,
    /// The table of depth-first search, in bytes.
    pub table_bytes: u64,
}

impl Pains {
    /// A second or so in the hardest of positions.
    pub const DEFAULT: Self =
        Self { best_first_nodes: 300_000, depth_first_nodes: 5_000_000, table_bytes: 32 << 20 };
}

/// Answers that are kept; the next one makes it begin anew.
const MOST_KEPT: usize = 1 << 21;

/// A move with what is known of it for the side that makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JudgedMove<B: Board> {
    /// The move.
    pub mv: Move<B>,
    /// Its value, if it is known.
    pub worth: Option<Worth>,
    /// The plies to the end, counted from before the move, where the database tells.
    pub plies: Option<u32>,
}

/// Where `mv` leads, and its value when the database has it.
struct Led<B: Board> {
    mv: Move<B>,
    position: Position<B>,
    value: Option<Value>,
}

/// What the perfect player knows; one position at a time.
pub struct Perfect<R: Rules, B: Board, P> {
    leaves: Leaves<R, B, P>,
    best_first: ProofNumberSearch<R, B, P>,
    depth_first: Option<DepthFirstSearch<R, B, P>>,
    /// Answers of best-first search to whether this side can win, with the nodes they took.
    kept: FxHashMap<(Position<B>, Side), (Answer, u64)>,
    pains: Pains,
    nodes: u64,
}

impl<R: Rules, B: Board, P: Probe<B> + Clone> Perfect<R, B, P> {
    /// A player that asks `probe`.
    pub fn new(probe: P, pains: Pains) -> Self {
        Self {
            leaves: Leaves::new(probe.clone(), Start::Mobility),
            best_first: ProofNumberSearch::new(probe, Start::Mobility),
            depth_first: None,
            kept: FxHashMap::default(),
            pains,
            nodes: 0,
        }
    }

    /// Forgets what may make an answer depend on earlier questions: the table of depth-first search.
    pub fn begin(&mut self) {
        self.depth_first = None;
    }

    /// The nodes that all answers so far have taken; an answer that was kept counts again, so that the
    /// number depends on the questions only.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether `attacker` can force a win from `position`.
    pub fn can_win(
        &mut self,
        position: &Position<B>,
        attacker: Side,
        progress: &dyn Progress,
    ) -> Answer {
        let question = (*position, attacker);
        let kept = self.kept.get(&question).copied();
        let (answer, nodes) = kept.unwrap_or_else(|| {
            let limits = Limits::nodes(self.pains.best_first_nodes);
            let proof = self.best_first.can_win(position, attacker, limits, progress);
            if self.kept.len() >= MOST_KEPT {
                self.kept.clear();
            }
            if proof.answer != Answer::Unknown(Limit::Stopped) {
                self.kept.insert(question, (proof.answer, proof.effort.nodes));
            }
            (proof.answer, proof.effort.nodes)
        });
        self.nodes += nodes;
        if !matches!(answer, Answer::Unknown(Limit::Nodes)) {
            return answer;
        }
        let Pains { depth_first_nodes, table_bytes, .. } = self.pains;
        let probe = &self.leaves.probe;
        let solver = self
            .depth_first
            .get_or_insert_with(|| DepthFirstSearch::new(probe.clone(), table_bytes));
        let limits = Limits::nodes(depth_first_nodes);
        let proof = solver.can_win(position, attacker, limits, progress);
        self.nodes += proof.effort.nodes;
        proof.answer
    }

    /// What `position` is worth; `None` when that is not known.
    pub fn worth(&mut self, position: &Position<B>, progress: &dyn Progress) -> Option<Worth> {
        if let Some(value) = self.leaves.value(position) {
            return Some(worth_of(value));
        }
        let side = position.side();
        let win = self.can_win(position, side, progress);
        if win == Answer::Proved {
            return Some(Worth::Win);
        }
        match (win, self.can_win(position, side.other(), progress)) {
            (_, Answer::Proved) => Some(Worth::Loss),
            (Answer::Disproved, Answer::Disproved) => Some(Worth::Draw),
            _ => None,
        }
    }

    /// Every legal move of `position` with what is known of it, in canonical order.
    pub fn judge(&mut self, position: &Position<B>, progress: &dyn Progress) -> Vec<JudgedMove<B>> {
        let mut moves = Vec::new();
        self.leaves.game.legal_moves(position, &mut moves);
        let judged = self.led(position, &moves).into_iter().map(|led| {
            let worth = match led.value {
                Some(value) => Some(worth_of(value)),
                None => self.worth(&led.position, progress).map(other_side),
            };
            JudgedMove { mv: led.mv, worth, plies: led.value.and_then(Value::plies) }
        });
        judged.collect()
    }

    /// The first of `moves`, legal moves of `position`, of those that are best: wins, the fastest first
    /// where the database tells; draws; what is not known; losses, the slowest first. A winning move to one
    /// of the positions `earlier` comes after the others.
    pub fn choose(
        &mut self,
        position: &Position<B>,
        moves: &[Move<B>],
        earlier: &[Position<B>],
        progress: &dyn Progress,
    ) -> Option<JudgedMove<B>> {
        let side = position.side();
        let led = self.led(position, moves);
        let known = |led: &Led<B>, worth| JudgedMove {
            mv: led.mv,
            worth,
            plies: led.value.and_then(Value::plies),
        };
        let wins = |led: &&Led<B>| matches!(led.value, Some(Value::Win(_)));
        let fastest = led.iter().filter(wins).min_by_key(|led| led.value.and_then(Value::plies));
        if let Some(fastest) = fastest {
            return Some(known(fastest, Some(Worth::Win)));
        }
        let open = led.iter().any(|led| led.value.is_none());
        let win = match open {
            true => self.can_win(position, side, progress),
            false => Answer::Disproved,
        };
        if win == Answer::Proved {
            let fresh = |led: &&Led<B>| !earlier.contains(&led.position);
            let again = |led: &&Led<B>| earlier.contains(&led.position);
            for led in led.iter().filter(fresh).chain(led.iter().filter(again)) {
                let asked = led.value.is_none();
                if asked && self.can_win(&led.position, side, progress) == Answer::Proved {
                    return Some(known(led, Some(Worth::Win)));
                }
            }
        }
        let mut unknown = None;
        let mut lost = None;
        for led in &led {
            let holds = match led.value {
                Some(value) => match worth_of(value) {
                    Worth::Loss => Answer::Proved,
                    Worth::Draw | Worth::Win => Answer::Disproved,
                },
                None => self.can_win(&led.position, side.other(), progress),
            };
            match holds {
                // It may be more than a draw where nobody knows whether there is a win.
                Answer::Disproved => {
                    let worth = (win == Answer::Disproved).then_some(Worth::Draw);
                    return Some(known(led, worth));
                }
                Answer::Unknown(_) => unknown = unknown.or(Some(known(led, None))),
                Answer::Proved => {
                    // Where the database does not tell, the end is beyond it.
                    let held = |plies: Option<u32>| plies.unwrap_or(u32::MAX);
                    let this = known(led, Some(Worth::Loss));
                    if lost.is_none_or(|best: JudgedMove<B>| held(this.plies) > held(best.plies)) {
                        lost = Some(this);
                    }
                }
            }
        }
        unknown.or(lost)
    }

    fn led(&self, position: &Position<B>, moves: &[Move<B>]) -> Vec<Led<B>> {
        let lead = |mv: &Move<B>| {
            let mut next = *position;
            self.leaves.game.play(&mut next, *mv);
            let value = self.leaves.value(&next).map(Value::before);
            Led { mv: *mv, position: next, value }
        };
        moves.iter().map(lead).collect()
    }
}

fn worth_of(value: Value) -> Worth {
    match value {
        Value::Win(_) => Worth::Win,
        Value::Draw => Worth::Draw,
        Value::Loss(_) => Worth::Loss,
    }
}

fn other_side(worth: Worth) -> Worth {
    match worth {
        Worth::Win => Worth::Loss,
        Worth::Draw => Worth::Draw,
        Worth::Loss => Worth::Win,
    }
}
