//! Breadth-first search inside one slice.
//!
//! Level by level: the seeds of a depth join what the level before has reached, each new position is
//! expanded, quiet moves without promotion mark the next level, everything else leaves the slice
//! for good and becomes a seed of another. All paths to a position have lengths of the same
//! parity, so the parity of the depth tells the side to move and each parity has marks of its own.
//!
//! A position is sent to another slice once only, at the least depth found *in this slice*: the
//! memory of what was sent ends with the search, since a later slice may reach the same position
//! at a lesser depth.

use std::io;
use std::path::{Path, PathBuf};

use super::marks::{Marks, Seen};
use super::plan::Plan;
use super::seeds::{SeedError, SeedReader, SeedWriter};
use crate::game::{Game, Progress};
use crate::games::draughts::{Board, Draughts, Move, Position, Rules, Side, Word};
use crate::state_space::ranking::Ranking;

/// Seeds for one target are written when there are so many of them, and at the end of a level.
const RUN: usize = 1 << 20;
/// Positions expanded between two looks at whether to stop.
const STOP_INTERVAL: u64 = 1 << 18;

/// Why a search ended early.
#[derive(Debug)]
pub(super) enum SearchError {
    Stopped,
    Seeds(SeedError),
    Write(PathBuf, io::Error),
    Memory(io::Error),
}

/// What a slice holds and what it sent on.
#[derive(Debug, Default)]
pub(super) struct Searched {
    /// Depth and new positions, ascending.
    pub(super) levels: Vec<(u32, u64)>,
    /// Target slice, bytes and checksum of each seed file written.
    pub(super) sent: Vec<(usize, u64, u32)>,
}

/// Where a search begins and where its seeds go.
pub(super) struct Task<'a, B: Board> {
    pub(super) plan: &'a Plan<B>,
    pub(super) slice: usize,
    pub(super) start: &'a Position<B>,
    pub(super) seeds: Vec<SeedReader>,
    /// Gives the file for the seeds sent to a slice.
    pub(super) path: &'a dyn Fn(usize) -> PathBuf,
}

impl<B: Board> Task<'_, B> {
    pub(super) fn run<R: Rules>(
        mut self,
        game: &Draughts<R, B>,
        progress: &dyn Progress,
    ) -> Result<Searched, SearchError> {
        let ranking = self.plan.ranking(self.slice);
        let new_marks = || Marks::new(ranking.size()).map_err(SearchError::Memory);
        let mut marks = [new_marks()?, new_marks()?];
        let mut senders = Senders::new(&self);
        let mut levels = Vec::new();
        let mut depth = 0;
        if self.plan.slice_of(self.start) == Some(self.slice) {
            marks[0].visit(ranking.rank(self.start));
        }
        loop {
            let parity = (depth % 2) as usize;
            for seeds in &mut self.seeds {
                while seeds.next_depth() == Some(depth) {
                    seeds
                        .read_run(|index| marks[parity].visit(index))
                        .map_err(SearchError::Seeds)?;
                }
            }
            let new = marks[parity].frontier();
            if new == 0 {
                // A gap: go on where the next seeds are.
                match self.seeds.iter().filter_map(SeedReader::next_depth).min() {
                    Some(next) => depth = next,
                    None => break,
                }
                continue;
            }
            levels.push((depth, new));
            let side = if parity == 0 { self.start.side() } else { self.start.side().other() };
            let [even, odd] = &mut marks;
            let (from, to) = if parity == 0 { (even, odd) } else { (odd, even) };
            senders.expand(game, ranking, side, depth, from, to, progress)?;
            depth += 1;
        }
        let sent = senders.finish()?;
        Ok(Searched { levels, sent })
    }
}

/// What leaves the slice, by target.
struct Senders<'a, B: Board> {
    plan: &'a Plan<B>,
    slice: usize,
    path: &'a dyn Fn(usize) -> PathBuf,
    /// By side to move, promotion, captured men, captured kings.
    senders: Vec<Option<Sender<'a, B>>>,
    most: usize,
}

struct Sender<'a, B: Board> {
    target: usize,
    ranking: &'a Ranking<B>,
    seen: [Seen; 2],
    waiting: Vec<u32>,
    writer: SeedWriter,
    path: PathBuf,
}

impl<'a, B: Board> Senders<'a, B> {
    fn new(task: &Task<'a, B>) -> Self {
        let most = task.plan.most_pieces() as usize + 1;
        let senders = (0..4 * most * most).map(|_| None).collect();
        Self { plan: task.plan, slice: task.slice, path: task.path, senders, most }
    }

    /// Expands the frontier `from`, which lies at `depth`, into `to` and into seeds.
    #[allow(clippy::too_many_arguments)]
    fn expand<R: Rules>(
        &mut self,
        game: &Draughts<R, B>,
        ranking: &Ranking<B>,
        side: Side,
        depth: u32,
        from: &mut Marks,
        to: &mut Marks,
        progress: &dyn Progress,
    ) -> Result<(), SearchError> {
        let mut cursor = ranking.cursor();
        let mut moves: Vec<Move<B>> = Vec::new();
        let mut failure = None;
        let mut expanded = 0;
        from.take_frontier(|index| {
            expanded += 1;
            if expanded % STOP_INTERVAL == 0 {
                progress.advance(STOP_INTERVAL);
                if progress.stopped() {
                    failure = Some(SearchError::Stopped);
                }
            }
            if failure.is_some() {
                return;
            }
            let position = cursor.unrank(index, side);
            let kings = position.kings(side);
            let other_kings = position.kings(side.other());
            game.visit_moves(&position, &mut moves, |mv| {
                let origin = B::Word::bit(u32::from(mv.from));
                if mv.captured.is_empty() && !(kings & origin).is_empty() {
                    let moved = kings & !origin | B::Word::bit(u32::from(mv.to));
                    to.visit(match side {
                        Side::Black => cursor.rank_kings(moved, other_kings),
                        Side::White => cursor.rank_kings(other_kings, moved),
                    });
                    return;
                }
                let mut next = position;
                game.play(&mut next, mv);
                let promoted = next.kings(side).count() != kings.count();
                if mv.captured.is_empty() && !promoted {
                    to.visit(ranking.rank(&next));
                } else if let Err(error) = self.send(&position, &mv, &next, promoted, depth + 1) {
                    failure = Some(error);
                }
            });
        });
        progress.advance(expanded % STOP_INTERVAL);
        if let Some(failure) = failure {
            return Err(failure);
        }
        for sender in self.senders.iter_mut().flatten() {
            let settled = sender.seen[(depth + 1) as usize % 2].settle();
            sender.waiting.extend(settled.map(|index| index as u32));
            sender.flush(depth + 1)?;
        }
        Ok(())
    }

    #[inline]
    fn send(
        &mut self,
        position: &Position<B>,
        mv: &Move<B>,
        next: &Position<B>,
        promoted: bool,
        depth: u32,
    ) -> Result<(), SearchError> {
        let victims = position.side().other();
        let men = (mv.captured & position.men(victims)).count() as usize;
        let kings = mv.captured.count() as usize - men;
        let kind = position.side() as usize * 2 + usize::from(promoted);
        let place = (kind * self.most + men) * self.most + kings;
        if self.senders[place].is_none() {
            self.senders[place] = Some(self.open(next)?);
        }
        let sender = self.senders[place].as_mut().expect("opened just now");
        let index = sender.ranking.rank(next);
        if let Some(new) = sender.seen[(depth % 2) as usize].insert(index) {
            sender.waiting.push(new as u32);
            if sender.waiting.len() >= RUN {
                sender.flush(depth)?;
            }
        }
        Ok(())
    }

    #[cold]
    fn open(&self, position: &Position<B>) -> Result<Sender<'a, B>, SearchError> {
        let target = self.plan.slice_of(position).expect("a move leads to a slice of the plan");
        assert_ne!(target, self.slice, "captures and promotions leave the slice");
        let ranking = self.plan.ranking(target);
        let new_seen = || Seen::new(ranking.size()).map_err(SearchError::Memory);
        let path = (self.path)(target);
        let writer = SeedWriter::create(&path).map_err(|error| write_error(&path, error))?;
        Ok(Sender {
            target,
            ranking,
            seen: [new_seen()?, new_seen()?],
            waiting: Vec::new(),
            writer,
            path,
        })
    }

    fn finish(self) -> Result<Vec<(usize, u64, u32)>, SearchError> {
        let mut sent = Vec::new();
        for sender in self.senders.into_iter().flatten() {
            let (bytes, checksum) =
                sender.writer.finish().map_err(|error| write_error(&sender.path, error))?;
            sent.push((sender.target, bytes, checksum));
        }
        Ok(sent)
    }
}

impl<B: Board> Sender<'_, B> {
    fn flush(&mut self, depth: u32) -> Result<(), SearchError> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let written = self.writer.write_run(depth, &mut self.waiting);
        self.waiting.clear();
        written.map_err(|error| write_error(&self.path, error))
    }
}

fn write_error(path: &Path, error: io::Error) -> SearchError {
    SearchError::Write(path.to_owned(), error)
}
