//! Depth-first proof-number search with a table, and a check of what it found.
//!
//! **The search** goes down with two thresholds, stays below a position until one of its numbers reaches a
//! threshold, and keeps the numbers of all positions in the table. Where numbers of children are added, the
//! greatest of them and one for each other unsettled child are taken instead of the sum: positions that are
//! reached on many ways would be counted many times (T. Ueda et al., *Weak proof-number search*, 2008).
//!
//! **Graph history.** A repetition is no win for the attacker, on that way. So a position may be held
//! because of the way to it, and the table would tell it on another way. A win has no such leaf: it
//! stands for every way. What is held is proved afterwards with no regard to ways, by a set of
//! positions: the root is a member; from each member on which the defender moves some move leads to a
//! member, from each on which the attacker moves every move does; a position that is known without a
//! search may stand for a member. Inside such a set the defender never loses, and who can go on for ever has
//! not lost: the set is the proof. It is gathered from the table. Where an entry is missing, because it was
//! overwritten, or leads out of the set, the position is searched again from an empty way; where the attacker
//! turns out to win, the position leaves the set and those that need it are looked at again.

use super::held::Held;
use super::leaves::{INFINITE, Leaves, Numbers, Start, Step};
use super::table::{Known, Table};
use super::{Answer, Effort, Limit, Limits, Proof, Solver};
use crate::engine::Probe;
use crate::game::{Game, Progress};
use crate::games::draughts::{Board, Move, Position, Rules, Side};

/// Expansions between two looks at the progress.
const STRIDE: u64 = 1 << 10;

/// The solver; what it learns is kept for later questions.
pub struct DepthFirstSearch<R: Rules, B: Board, P> {
    leaves: Leaves<R, B, P>,
    table: Table<B>,
    frames: Vec<Frame<B>>,
    /// The children of all frames, the latest last.
    children: Vec<Child<B>>,
    moves: Vec<Move<B>>,
    scratch: Vec<Move<B>>,
}

/// A position whose children are being searched.
#[derive(Clone, Copy, Debug)]
struct Frame<B: Board> {
    step: Step<B>,
    /// The numbers at which its search ends.
    limits: Numbers,
    /// Where its children begin.
    first: usize,
    /// The child being searched.
    chosen: usize,
    /// Nodes generated before it.
    before: u64,
}

#[derive(Clone, Copy, Debug)]
struct Child<B: Board> {
    step: Step<B>,
    numbers: Numbers,
}

/// The numbers of a position from those of its children, and where to go on.
struct Combined {
    numbers: Numbers,
    chosen: usize,
    /// The thresholds of the child chosen.
    limits: Numbers,
}

/// See the module: the greatest number, and one for each other unsettled child.
#[derive(Clone, Copy, Debug, Default)]
struct Weak {
    greatest: u32,
    unsettled: u32,
}

impl Weak {
    #[inline(always)]
    fn add(&mut self, number: u32) {
        if number > 0 {
            self.unsettled += 1;
            self.greatest = self.greatest.max(number);
        }
    }

    fn others(self) -> u32 {
        self.unsettled.saturating_sub(1)
    }

    fn number(self) -> u32 {
        match self.greatest {
            INFINITE => INFINITE,
            greatest => greatest.saturating_add(self.others()).min(INFINITE - 1),
        }
    }
}

/// The numbers of a position with these children, and which child to search within `limits`.
#[inline(always)]
fn combine<B: Board>(attacking: bool, children: &[Child<B>], limits: Numbers) -> Combined {
    // Of the two numbers, the one that one child decides, and the one that all of them make.
    let split = |numbers: Numbers| {
        if attacking {
            (numbers.proof, numbers.disproof)
        } else {
            (numbers.disproof, numbers.proof)
        }
    };
    let join = |one: u32, all: u32| {
        if attacking {
            Numbers { proof: one, disproof: all }
        } else {
            Numbers { proof: all, disproof: one }
        }
    };
    let (mut chosen, mut least, mut second) = (0, INFINITE, INFINITE);
    let mut chosen_all = 0;
    let mut weak = Weak::default();
    for (at, child) in children.iter().enumerate() {
        let (one, all) = split(child.numbers);
        weak.add(all);
        if one < least || (one == least && one < INFINITE && all < chosen_all) {
            second = least;
            (chosen, least, chosen_all) = (at, one, all);
        } else {
            second = second.min(one);
        }
    }
    let (one_limit, all_limit) = split(limits);
    // A little above the second best, so that the search does not change its mind at every step.
    let above = second.saturating_add(1 + second / 4).min(INFINITE - 1);
    let all = all_limit.saturating_sub(weak.others());
    let numbers = if least == 0 { join(0, INFINITE) } else { join(least, weak.number()) };
    Combined { numbers, chosen, limits: join(one_limit.min(above), all) }
}

impl<R: Rules, B: Board, P: Probe<B>> DepthFirstSearch<R, B, P> {
    /// A solver that asks `probe`, with a table of so many bytes.
    pub fn new(probe: P, table_bytes: u64) -> Self {
        Self {
            leaves: Leaves::new(probe, Start::Mobility),
            table: Table::new(table_bytes),
            frames: Vec::new(),
            children: Vec::new(),
            moves: Vec::new(),
            scratch: Vec::new(),
        }
    }
}

impl<R: Rules, B: Board, P: Probe<B>> Solver<B> for DepthFirstSearch<R, B, P> {
    /// [`Limits::bytes`] bounds the set that proves what is held, beside the table.
    fn can_win(
        &mut self,
        position: &Position<B>,
        attacker: Side,
        limits: Limits,
        progress: &dyn Progress,
    ) -> Proof {
        let mut search = Search {
            solver: self,
            attacker,
            limits,
            progress,
            effort: Effort::root(),
            reported: 0,
        };
        let answer = search.answer(position).unwrap_or_else(Answer::Unknown);
        let mut effort = search.effort;
        effort.bytes = effort.bytes.max(self.table.bytes());
        Proof { answer, effort }
    }
}

struct Search<'s, R: Rules, B: Board, P> {
    solver: &'s mut DepthFirstSearch<R, B, P>,
    attacker: Side,
    limits: Limits,
    progress: &'s dyn Progress,
    effort: Effort,
    reported: u64,
}

impl<R: Rules, B: Board, P: Probe<B>> Search<'_, R, B, P> {
    fn answer(&mut self, root: &Position<B>) -> Result<Answer, Limit> {
        loop {
            let known = self.known(root);
            if known.certain && known.numbers.settled() {
                let won = known.numbers.proof == 0;
                return Ok(if won { Answer::Proved } else { Answer::Disproved });
            }
            if known.numbers.disproof != 0 {
                self.search(root)?;
                continue;
            }
            if let Some(held) = self.gather(root)? {
                for position in held.positions() {
                    self.put(position, Numbers::HELD, true);
                }
                return Ok(Answer::Disproved);
            }
        }
    }

    /// What leaves and table tell of a position.
    fn known(&mut self, position: &Position<B>) -> Known {
        let numbers = self.solver.leaves.numbers(position, self.attacker, &mut self.solver.scratch);
        if numbers.settled() {
            return Known { numbers, certain: true };
        }
        let known = self.solver.table.get(position, self.attacker);
        known.unwrap_or(Known { numbers, certain: false })
    }

    /// Gathers a set of positions that proves that `root` is held; `None` when the attacker wins `root`.
    fn gather(&mut self, root: &Position<B>) -> Result<Option<Held<B>>, Limit> {
        let mut held = Held::of(root);
        let mut next = Vec::new();
        while let Some((member, position)) = held.next() {
            self.check_progress()?;
            let mut moves = std::mem::take(&mut self.solver.moves);
            self.solver.leaves.game.legal_moves(&position, &mut moves);
            next.clear();
            next.extend(moves.iter().map(|mv| {
                let mut after = position;
                self.solver.leaves.game.play(&mut after, *mv);
                after
            }));
            self.solver.moves = moves;
            let mut won = false;
            if position.side() == self.attacker {
                won = !self.all_held(member, &next, &mut held)?;
            } else if !self.one_held(member, &next, &mut held) {
                // The entry said more than is true, or what it rested on is gone.
                self.put(&position, Numbers { proof: 1, disproof: 1 }, false);
                self.search(&position)?;
                won = self.known(&position).numbers.proof == 0;
                held.again(member);
            }
            if won {
                let attacker = self.attacker;
                for position in held.lose(member, |position| position.side() == attacker) {
                    self.put(&position, Numbers::WON, true);
                }
                if !held.contains(root) {
                    return Ok(None);
                }
            }
            self.effort.bytes = self.effort.bytes.max(self.solver.table.bytes() + held.bytes());
            if held.bytes() > self.limits.bytes {
                return Err(Limit::Memory);
            }
        }
        Ok(Some(held))
    }

    /// Takes the positions `next` into the set; false when the attacker wins one of them.
    fn all_held(
        &mut self,
        member: u32,
        next: &[Position<B>],
        held: &mut Held<B>,
    ) -> Result<bool, Limit> {
        for position in next {
            if !held.contains(position) {
                let mut known = self.known(position);
                if !known.numbers.settled() {
                    self.search(position)?;
                    known = self.known(position);
                }
                if known.numbers.proof == 0 {
                    return Ok(false);
                }
                if known.certain {
                    continue;
                }
            }
            held.need(member, position);
        }
        Ok(true)
    }

    /// Takes one of `next` into the set that is known to be held; false when none is.
    fn one_held(&mut self, member: u32, next: &[Position<B>], held: &mut Held<B>) -> bool {
        let mut found = next.iter().find(|position| held.contains(position));
        if found.is_none() {
            for position in next {
                let known = self.known(position);
                if known.numbers.disproof == 0 {
                    if known.certain {
                        return true;
                    }
                    found = found.or(Some(position));
                }
            }
        }
        if let Some(position) = found {
            held.need(member, position);
        }
        found.is_some()
    }

    fn put(&mut self, position: &Position<B>, numbers: Numbers, certain: bool) {
        self.solver.table.put(position, self.attacker, Known { numbers, certain }, 1);
    }

    /// Searches `root` from an empty way until it is settled in the table.
    fn search(&mut self, root: &Position<B>) -> Result<(), Limit> {
        self.solver.frames.clear();
        self.solver.children.clear();
        let unlimited = Numbers { proof: INFINITE, disproof: INFINITE };
        self.enter(Step::root(root), unlimited);
        while let Some(frame) = self.solver.frames.last() {
            let Frame { step, limits, first, .. } = *frame;
            let attacking = step.position.side() == self.attacker;
            let Combined { numbers, chosen, limits: inner } =
                combine(attacking, &self.solver.children[first..], limits);
            if numbers.settled()
                || numbers.proof >= limits.proof
                || numbers.disproof >= limits.disproof
            {
                self.leave(numbers);
                continue;
            }
            let child = self.solver.children[first + chosen];
            let table = self.solver.table.get(&child.step.position, self.attacker);
            if let Some(known) = table
                && known.numbers != child.numbers
            {
                self.solver.children[first + chosen].numbers = known.numbers;
                continue;
            }
            self.check_limits()?;
            self.solver.frames.last_mut().expect("it was there").chosen = first + chosen;
            self.enter(child.step, inner);
        }
        Ok(())
    }

    /// Generates the children of `step`.
    fn enter(&mut self, step: Step<B>, limits: Numbers) {
        let DepthFirstSearch { leaves, table, frames, children, moves, scratch } = self.solver;
        let before = self.effort.nodes;
        frames.push(Frame { step, limits, first: children.len(), chosen: 0, before });
        leaves.game.legal_moves(&step.position, moves);
        for mv in moves.iter() {
            let next = step.after(&leaves.game, *mv);
            let numbers = if next.repeats(frames.iter().map(|frame| &frame.step)) {
                Numbers::HELD
            } else {
                let numbers = leaves.numbers(&next.position, self.attacker, scratch);
                match numbers.settled() {
                    true => numbers,
                    false => {
                        let known = table.get(&next.position, self.attacker);
                        known.map_or(numbers, |known| known.numbers)
                    }
                }
            };
            children.push(Child { step: next, numbers });
        }
        self.effort.expanded(moves.len(), frames.len());
    }

    /// Stores the numbers of the last frame and hands them to the one before it.
    fn leave(&mut self, numbers: Numbers) {
        let DepthFirstSearch { table, frames, children, .. } = self.solver;
        let frame = frames.pop().expect("a frame is left that was entered");
        children.truncate(frame.first);
        // A win rests on no repetition.
        let known = Known { numbers, certain: numbers.proof == 0 };
        table.put(&frame.step.position, self.attacker, known, self.effort.nodes - frame.before);
        if let Some(above) = frames.last() {
            children[above.chosen].numbers = numbers;
        }
    }

    fn check_limits(&mut self) -> Result<(), Limit> {
        if self.effort.nodes >= self.limits.nodes {
            return Err(Limit::Nodes);
        }
        self.check_progress()
    }

    fn check_progress(&mut self) -> Result<(), Limit> {
        if self.effort.nodes - self.reported >= STRIDE {
            self.progress.advance(self.effort.nodes - self.reported);
            self.reported = self.effort.nodes;
            if self.progress.stopped() {
                return Err(Limit::Stopped);
            }
        }
        Ok(())
    }
}
