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
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::expand::{Address, Expander, Leaving, Sink};
use super::marks::{Marks, Seen};
use super::plan::Plan;
use super::seeds::{Disk, SeedError, SeedReader, SeedWriter, WriteError};
use crate::game::Progress;
use crate::games::draughts::{Board, Draughts, Position, Rules, Side};
use crate::state_space::ranking::Ranking;

/// Positions whose marks should fit in the cache, for both sides to move.
const GROUP: u64 = 1 << 17;
/// Seeds for one target are written when there are so many of them, and at the end of a level.
pub(super) const RUN: usize = 1 << 20;
/// Positions expanded between two looks at whether to stop.
const STOP_INTERVAL: u64 = 1 << 18;

/// In which order a slice is searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Level by level, which gives depths.
    #[default]
    BreadthFirst,
    /// In the order that is fastest: positions are counted, and their depths stay unknown.
    Any,
}

impl FromStr for Order {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "breadth-first" => Ok(Self::BreadthFirst),
            "any" => Ok(Self::Any),
            _ => Err(format!("'{text}' (allowed: breadth-first, any)")),
        }
    }
}

/// Why a search ended early.
#[derive(Debug)]
pub(super) enum SearchError {
    Stopped,
    Seeds(SeedError),
    Write(PathBuf, io::Error),
    Full { used: u64, allowed: u64 },
    Memory(io::Error),
}

/// What a slice holds and what it sent on.
#[derive(Debug, Default)]
pub(super) struct Searched {
    /// Depth and new positions, ascending; in any order the depths are only 0 for even and 1 for odd.
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
    pub(super) disk: &'a Disk,
    /// Gives the file for the seeds sent to a slice.
    pub(super) path: &'a dyn Fn(usize) -> PathBuf,
}

impl<B: Board> Task<'_, B> {
    pub(super) fn run<R: Rules>(
        mut self,
        game: &Draughts<R, B>,
        order: Order,
        progress: &dyn Progress,
    ) -> Result<Searched, SearchError> {
        let ranking = self.plan.ranking(self.slice);
        let new_marks = || Marks::new(ranking.size()).map_err(SearchError::Memory);
        let mut marks = [new_marks()?, new_marks()?];
        if self.plan.slice_of(self.start) == Some(self.slice) {
            marks[0].visit(ranking.rank(self.start));
        }
        let sides = [self.start.side(), self.start.side().other()];
        let expanders = sides.map(|side| Expander::new(game, ranking, side));
        let senders = Senders::new(&self);
        let mut search = Search { sides, ranking, marks, expanders, senders, progress };
        let levels = match order {
            Order::BreadthFirst => search.breadth_first(&mut self.seeds)?,
            Order::Any => search.in_any_order(&mut self.seeds)?,
        };
        let sent = search.senders.finish()?;
        Ok(Searched { levels, sent })
    }
}

/// A search under way; of all pairs the first is for even depths.
struct Search<'a, R: Rules, B: Board> {
    sides: [Side; 2],
    ranking: &'a Ranking<B>,
    marks: [Marks; 2],
    expanders: [Expander<'a, R, B>; 2],
    senders: Senders<'a, B>,
    progress: &'a dyn Progress,
}

impl<R: Rules, B: Board> Search<'_, R, B> {
    fn breadth_first(&mut self, seeds: &mut [SeedReader]) -> Result<Vec<(u32, u64)>, SearchError> {
        let mut levels = Vec::new();
        let mut depth = 0;
        loop {
            let parity = (depth % 2) as usize;
            for seeds in &mut *seeds {
                while seeds.next_depth() == Some(depth) {
                    self.take_seeds(seeds)?;
                }
            }
            let new = self.marks[parity].frontier();
            if new == 0 {
                // A gap: go on where the next seeds are.
                match seeds.iter().filter_map(SeedReader::next_depth).min() {
                    Some(next) => depth = next,
                    None => break,
                }
                continue;
            }
            levels.push((depth, new));
            self.expand(depth + 1, 0..self.ranking.size(), true)?;
            depth += 1;
            self.senders.end_level(depth)?;
        }
        Ok(levels)
    }

    /// Group by group of configurations, which stay in the cache: men move to later ones only, so that
    /// a group is done when its kings find nothing new. The depths found are parities.
    fn in_any_order(&mut self, seeds: &mut [SeedReader]) -> Result<Vec<(u32, u64)>, SearchError> {
        for seeds in seeds {
            while seeds.next_depth().is_some() {
                self.take_seeds(seeds)?;
            }
        }
        let (size, block) = (self.ranking.size(), self.ranking.kings());
        let step = block * (GROUP / block).max(1);
        let mut first = 0;
        while first < size {
            let range = first..size.min(first + step);
            let mut parity = 0;
            let mut idle = 0;
            while idle < 2 {
                let before = self.marks[parity].frontier();
                self.expand(1 - parity as u32, range.clone(), false)?;
                let nothing = self.marks[parity].frontier() == before;
                idle = if nothing { idle + 1 } else { 0 };
                parity = 1 - parity;
            }
            first = range.end;
        }
        self.senders.write_seen()?;
        let levels = [0, 1].map(|parity: u32| (parity, self.marks[parity as usize].visited()));
        Ok(levels.into_iter().filter(|(_, visited)| *visited > 0).collect())
    }

    fn take_seeds(&mut self, seeds: &mut SeedReader) -> Result<(), SearchError> {
        let depth = seeds.next_depth().expect("asked for only where there is a run");
        let marks = &mut self.marks[(depth % 2) as usize];
        seeds.read_run(|index| marks.visit(index)).map_err(SearchError::Seeds)
    }

    /// Expands the frontier in `range` into marks and seeds at `depth`, which are kept in the order in
    /// which they come when the senders should be `listing`.
    fn expand(&mut self, depth: u32, range: Range<u64>, listing: bool) -> Result<(), SearchError> {
        let [even, odd] = &mut self.marks;
        let parity = 1 - (depth % 2) as usize;
        let (from, to) = if parity == 0 { (even, odd) } else { (odd, even) };
        let expander = &mut self.expanders[parity];
        let side = self.sides[parity];
        let senders = &mut self.senders;
        let mut expansion = Expansion { senders, to, side, depth, listing, failure: None };
        let mut expanded = 0;
        from.take_frontier(range, |index| {
            expanded += 1;
            if expanded % STOP_INTERVAL == 0 {
                self.progress.advance(STOP_INTERVAL);
                if self.progress.stopped() {
                    expansion.failure = Some(SearchError::Stopped);
                }
            }
            if expansion.failure.is_none() {
                expander.push(index, &mut expansion);
            }
        });
        expander.flush(&mut expansion);
        self.progress.advance(expanded % STOP_INTERVAL);
        expansion.failure.map_or(Ok(()), Err)
    }
}

/// What leaves the slice, by target.
struct Senders<'a, B: Board> {
    plan: &'a Plan<B>,
    slice: usize,
    path: &'a dyn Fn(usize) -> PathBuf,
    disk: &'a Disk,
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
        Self { plan: task.plan, slice: task.slice, path: task.path, disk: task.disk, senders, most }
    }

    /// Writes the seeds of a level.
    fn end_level(&mut self, depth: u32) -> Result<(), SearchError> {
        self.senders.iter_mut().flatten().try_for_each(|sender| sender.flush(depth, self.disk))
    }

    /// Writes everything that was seen as seeds, with its parity for a depth.
    fn write_seen(&mut self) -> Result<(), SearchError> {
        for sender in self.senders.iter_mut().flatten() {
            for parity in [0, 1] {
                let seen = std::mem::replace(&mut sender.seen[parity as usize], Seen::EMPTY);
                for number in seen.numbers() {
                    sender.waiting.push(number as u32);
                    if sender.waiting.len() >= RUN {
                        sender.flush(parity, self.disk)?;
                    }
                }
                sender.flush(parity, self.disk)?;
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

/// Where the successors of a level go.
struct Expansion<'a, 'b, B: Board> {
    senders: &'a mut Senders<'b, B>,
    to: &'a mut Marks,
    side: Side,
    depth: u32,
    /// Whether new seeds are listed, or only remembered.
    listing: bool,
    failure: Option<SearchError>,
}

impl<B: Board> Sink<B> for Expansion<'_, '_, B> {
    #[inline(always)]
    fn announce(&self, number: u64) {
        self.to.announce(number);
    }

    #[inline(always)]
    fn inside(&mut self, number: u64) {
        self.to.visit(number);
    }

    #[inline(always)]
    fn address(&mut self, leaving: &Leaving<B>) -> Address {
        let Leaving { placement, promotion, men, kings } = leaving;
        let kind = self.side as usize * 2 + usize::from(*promotion);
        let most = self.senders.most;
        let place = (kind * most + usize::from(*men)) * most + usize::from(*kings);
        if self.senders.senders[place].is_none() {
            match self.senders.open(&placement.position(self.side.other())) {
                Ok(sender) => self.senders.senders[place] = Some(sender),
                Err(error) => {
                    self.failure = Some(error);
                    return Address::NOWHERE;
                }
            }
        }
        let sender = self.senders.senders[place].as_ref().expect("opened just now");
        let number = sender.ranking.rank_pieces(placement.men, placement.kings);
        sender.seen[(self.depth % 2) as usize].announce(number);
        Address { place: place as u32, number: number as u32 }
    }

    #[inline(always)]
    fn leaving(&mut self, Address { place, number }: Address) {
        let Some(Some(sender)) = self.senders.senders.get_mut(place as usize) else {
            return;
        };
        if sender.seen[(self.depth % 2) as usize].insert(number.into()) && self.listing {
            sender.waiting.push(number);
            if sender.waiting.len() >= RUN
                && let Err(error) = sender.flush(self.depth, self.senders.disk)
            {
                self.failure = Some(error);
            }
        }
    }
}

impl<B: Board> Sender<'_, B> {
    fn flush(&mut self, depth: u32, disk: &Disk) -> Result<(), SearchError> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        self.waiting.sort_unstable();
        let written = self.writer.write_run(depth, &self.waiting, disk);
        self.waiting.clear();
        written.map_err(|error| match error {
            WriteError::Io(error) => write_error(&self.path, error),
            WriteError::Full { used, allowed } => SearchError::Full { used, allowed },
        })
    }
}

fn write_error(path: &Path, error: io::Error) -> SearchError {
    SearchError::Write(path.to_owned(), error)
}
