//! Exact counting: forward dynamic programming over positions, ply by ply.
//!
//! All positions reached after `k` moves are held once, each with
//!
//! - `paths`: the number of ways to reach it; a finished position's paths are games,
//! - `squares`: the sum over these ways of the product of the mobilities on the way. Over finished
//!   positions this is `sum X(g)`, which is `E[X^2]` for a walk `g` of probability `1 / X(g)`,
//! - `chance`: the probability that uniformly random play reaches it.
//!
//! `paths` and `squares` are integers of 128 bits; a sum that passes them is an error. `chance` is a
//! fixed-point number in units of 2^-120, rounded down at each division: sums of integers do not
//! depend on their order, so the result is the same to the bit for any number of threads, and the
//! rounding of a billion positions stays below 10^-26.
//!
//! Only two plies are in memory at a time. No symmetry is used.

use std::hash::{BuildHasher, Hash};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use num_bigint::BigUint;
use rayon::prelude::*;
use rustc_hash::{FxBuildHasher, FxHashMap};
use thiserror::Error;

use crate::game::{Outcome, Progress, Scored};

/// The probability 1 as a fixed-point number.
const CERTAIN: u128 = 1 << 120;

/// Maps that a ply is spread over; a power of two.
const SHARDS: usize = 256;

/// Positions are handed from shard to shard in parcels of this many.
const PARCEL: usize = 512;

/// Counts of games by their result: first wins, second wins, draws.
pub type ByOutcome<T> = [T; 3];

/// What exact counting finds.
#[derive(Clone, Debug, PartialEq)]
pub struct Exact {
    /// Games by length in plies (the index) and outcome; skipped passes are not counted in lengths.
    pub games: Vec<ByOutcome<u128>>,
    /// `sum X(g)` over the games `g` of each length and outcome.
    pub squares: Vec<ByOutcome<u128>>,
    /// The probability that uniformly random play ends with each length and outcome.
    pub uniform: Vec<ByOutcome<f64>>,
    /// Nodes of the game tree after each number of moves (the index), from the root; skipped passes
    /// are moves here.
    pub nodes: Vec<u128>,
    /// Distinct positions after each number of moves (the index). A position reached with different
    /// numbers of skipped passes is counted for each.
    pub positions: Vec<u64>,
}

/// Why exact counting gave up.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ExactError {
    /// A ply with too many positions.
    #[error("more than {limit} positions at ply {ply}: the game is too large to count exactly")]
    TooLarge {
        /// The most positions allowed at one ply.
        limit: u64,
        /// The ply with more.
        ply: usize,
    },
    /// A sum past 2^128 - 1.
    #[error("{quantity} passed 2^128 - 1 at ply {ply}")]
    Overflow {
        /// What was summed.
        quantity: &'static str,
        /// The ply reached.
        ply: usize,
    },
    /// No threads.
    #[error("threads 0: at least 1 thread is needed")]
    NoThreads,
    /// The threads could not be started.
    #[error("cannot start {threads} threads: {problem}")]
    Threads {
        /// Threads asked for.
        threads: usize,
        /// What the system says.
        problem: String,
    },
    /// The progress said stop.
    #[error("stopped at ply {ply}")]
    Stopped {
        /// The ply reached.
        ply: usize,
    },
}

impl Exact {
    /// The number of games (gts).
    pub fn total_games(&self) -> u128 {
        self.games.iter().flatten().sum()
    }

    /// The number of games that ended so.
    pub fn games_with(&self, outcome: Outcome) -> u128 {
        self.games.iter().map(|row| row[outcome as usize]).sum()
    }

    /// The share of games that ended so.
    pub fn rate(&self, outcome: Outcome) -> f64 {
        self.games_with(outcome) as f64 / self.total_games() as f64
    }

    /// The sum of the lengths of all games in plies.
    pub fn sum_of_lengths(&self) -> BigUint {
        self.by_length(&self.games).map(|(plies, games)| BigUint::from(plies) * games).sum()
    }

    /// The mean length of a game in plies.
    pub fn agl(&self) -> f64 {
        quotient(&self.sum_of_lengths(), &self.total_games().into())
    }

    /// The number of nodes of the game tree, root and leaves included.
    pub fn total_nodes(&self) -> u128 {
        self.nodes.iter().sum()
    }

    /// The positions of all plies together; one that occurs at several plies is counted at each.
    pub fn total_positions(&self) -> u64 {
        self.positions.iter().sum()
    }

    /// `E[X^2]` for the weight X of one walk.
    pub fn mean_square_weight(&self) -> u128 {
        self.squares.iter().flatten().sum()
    }

    /// The variance of the weight of one walk over the square of its mean.
    pub fn relative_variance(&self) -> f64 {
        let games = BigUint::from(self.total_games());
        let mean_squared = &games * &games;
        quotient(&(BigUint::from(self.mean_square_weight()) - &mean_squared), &mean_squared)
    }

    /// The standard deviation of one walk's term in the delta method for agl, in plies: the standard
    /// error of agl from `n` walks is this over `sqrt(n)`.
    pub fn agl_deviation(&self) -> f64 {
        let agl = self.agl();
        self.deviation(|plies, _| plies as f64 - agl)
    }

    /// The like for the share of games that ended so.
    pub fn rate_deviation(&self, outcome: Outcome) -> f64 {
        let rate = self.rate(outcome);
        self.deviation(|_, ended| f64::from(u8::from(ended == outcome as usize)) - rate)
    }

    /// The mean length in plies of uniformly random play.
    pub fn uniform_mean_length(&self) -> f64 {
        let rows = self.uniform.iter().enumerate();
        rows.map(|(plies, row)| plies as f64 * row.iter().sum::<f64>()).sum()
    }

    /// The probability that uniformly random play ends so.
    pub fn uniform_rate(&self, outcome: Outcome) -> f64 {
        self.uniform.iter().map(|row| row[outcome as usize]).sum()
    }

    fn by_length<'a>(
        &self,
        rows: &'a [ByOutcome<u128>],
    ) -> impl Iterator<Item = (usize, u128)> + use<'a> {
        rows.iter().enumerate().map(|(plies, row)| (plies, row.iter().sum()))
    }

    /// `sqrt(E[X^2 r^2]) / E[X]` for a residual `r` of length and outcome.
    fn deviation(&self, residual: impl Fn(usize, usize) -> f64) -> f64 {
        let mut sum = 0.0;
        for (plies, row) in self.squares.iter().enumerate() {
            for (ended, square) in row.iter().enumerate() {
                let r = residual(plies, ended);
                sum += *square as f64 * r * r;
            }
        }
        sum.sqrt() / self.total_games() as f64
    }
}

/// `a / b`, correct to a few units in the last place for numbers of any size.
fn quotient(a: &BigUint, b: &BigUint) -> f64 {
    // Both are shifted so that the quotient has at least 64 significant bits.
    let shift = 64 + b.bits().saturating_sub(a.bits());
    let scaled = (a << shift) / b;
    let digits = scaled.bits().saturating_sub(64);
    let head = u64::try_from(&scaled >> digits).expect("64 bits were kept");
    super::Scaled::new(head as f64, digits as i64 - shift as i64).to_f64()
}

/// Counts every game of `game` exactly on `threads` threads.
///
/// `limit` is the most positions allowed at one ply; a position takes about 100 bytes, and two
/// plies are in memory. `progress` advances by positions.
///
/// # Errors
/// When a ply has more positions than `limit`, a sum passes 2^128 - 1 (which a game without end does
/// in time), the progress says stop, or there are no threads.
pub fn exact<G: Scored>(
    game: &G,
    limit: u64,
    threads: usize,
    progress: &dyn Progress,
) -> Result<Exact, ExactError> {
    if threads == 0 {
        return Err(ExactError::NoThreads);
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| ExactError::Threads { threads, problem: error.to_string() })?;
    pool.install(|| Count::new(game, limit, progress).run())
}

/// What is known of a position at its ply.
#[derive(Clone, Copy)]
struct Entry {
    paths: u128,
    squares: u128,
    chance: u128,
}

type Shard<P> = FxHashMap<P, Entry>;

/// Positions on their way to a shard of the next ply.
type Parcel<P> = Vec<(P, Entry)>;

fn unlocked<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// The positions of one ply with the same number of skipped passes, spread by their hash.
struct Layer<P> {
    shards: Vec<Mutex<Shard<P>>>,
}

impl<P: Eq + Hash> Layer<P> {
    fn new() -> Self {
        Self { shards: (0..SHARDS).map(|_| Mutex::new(Shard::default())).collect() }
    }

    fn of_root(root: P) -> Self {
        let mut layer = Self::new();
        let entry = Entry { paths: 1, squares: 1, chance: CERTAIN };
        layer.shards[0] = Mutex::new([(root, entry)].into_iter().collect());
        layer
    }

    fn is_empty(&mut self) -> bool {
        let mut shards = self.shards.iter_mut();
        shards.all(|shard| shard.get_mut().unwrap_or_else(PoisonError::into_inner).is_empty())
    }

    fn shard_of(position: &P) -> usize {
        // The map itself uses the lowest and the highest bits of the hash.
        (FxBuildHasher.hash_one(position) >> 40) as usize % SHARDS
    }
}

/// What one shard adds to the result.
#[derive(Default)]
struct Found {
    positions: u64,
    nodes: u128,
    games: ByOutcome<u128>,
    squares: ByOutcome<u128>,
    chance: ByOutcome<u128>,
}

/// The result as it grows.
#[derive(Default)]
struct Sums {
    games: Vec<ByOutcome<u128>>,
    squares: Vec<ByOutcome<u128>>,
    chances: Vec<ByOutcome<u128>>,
    nodes: Vec<u128>,
    positions: Vec<u64>,
}

impl Sums {
    fn add(&mut self, found: &Found, ply: usize, length: usize) -> Result<(), ExactError> {
        for table in [&mut self.games, &mut self.squares, &mut self.chances] {
            table.resize(table.len().max(length + 1), [0; 3]);
        }
        self.positions[ply] += found.positions;
        add(&mut self.nodes[ply], found.nodes, "nodes", ply)?;
        let rows = [
            (&mut self.games[length], &found.games, "games"),
            (&mut self.squares[length], &found.squares, "squares of weights"),
            (&mut self.chances[length], &found.chance, "chances"),
        ];
        for (row, found, quantity) in rows {
            for (sum, more) in row.iter_mut().zip(found) {
                add(sum, *more, quantity, ply)?;
            }
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Exact, ExactError> {
        // What the accessors of `Exact` add up fits too.
        let ply = self.nodes.len() - 1;
        let totals = [
            (&self.nodes[..], "nodes"),
            (self.games.as_flattened(), "games"),
            (self.squares.as_flattened(), "squares of weights"),
        ];
        for (values, quantity) in totals {
            let mut total = 0;
            values.iter().try_for_each(|value| add(&mut total, *value, quantity, ply))?;
        }
        // Skipped passes make games shorter than their number of moves.
        let lengths = self.games.iter().rposition(|row| *row != [0; 3]).map_or(0, |last| last + 1);
        for table in [&mut self.games, &mut self.squares, &mut self.chances] {
            table.truncate(lengths);
        }
        let share = |chance: u128| chance as f64 / CERTAIN as f64;
        Ok(Exact {
            games: self.games,
            squares: self.squares,
            uniform: self.chances.iter().map(|row| row.map(share)).collect(),
            nodes: self.nodes,
            positions: self.positions,
        })
    }
}

fn add(sum: &mut u128, more: u128, quantity: &'static str, ply: usize) -> Result<(), ExactError> {
    *sum = sum.checked_add(more).ok_or(ExactError::Overflow { quantity, ply })?;
    Ok(())
}

/// The parts, or the error that made the others stop.
fn first_error_or_all(parts: Vec<Result<Found, ExactError>>) -> Result<Vec<Found>, ExactError> {
    let errors = parts.iter().filter_map(|part| part.as_ref().err());
    let cause = errors.min_by_key(|error| matches!(error, ExactError::Stopped { .. })).cloned();
    match cause {
        Some(error) => Err(error),
        None => parts.into_iter().collect(),
    }
}

struct Count<'a, G: Scored> {
    game: &'a G,
    limit: u64,
    progress: &'a dyn Progress,
    /// Set with the first error, so that other threads stop soon.
    failed: AtomicBool,
    /// Distinct positions of the ply being built.
    next_positions: AtomicU64,
}

impl<'a, G: Scored> Count<'a, G> {
    fn new(game: &'a G, limit: u64, progress: &'a dyn Progress) -> Self {
        let (failed, next_positions) = (AtomicBool::new(false), AtomicU64::new(0));
        Self { game, limit, progress, failed, next_positions }
    }

    fn run(&self) -> Result<Exact, ExactError> {
        let mut sums = Sums::default();
        let mut layers = vec![Layer::of_root(self.game.initial())];
        while !layers.is_empty() {
            let ply = sums.nodes.len();
            let next: Vec<Layer<G::Position>> = (0..=layers.len()).map(|_| Layer::new()).collect();
            self.next_positions.store(0, Ordering::Relaxed);
            sums.nodes.push(0);
            sums.positions.push(0);
            // The index of a layer is the number of passes skipped on the way to it.
            for (skipped, layer) in layers.into_iter().enumerate() {
                let shards = layer.shards.into_par_iter().map(unlocked);
                let found: Vec<Result<Found, ExactError>> = shards
                    .filter(|shard| !shard.is_empty())
                    .map(|shard| self.expand(shard, ply, &next[skipped..=skipped + 1]))
                    .collect();
                for found in first_error_or_all(found)? {
                    sums.add(&found, ply, ply - skipped)?;
                }
            }
            layers = next;
            while layers.last_mut().is_some_and(Layer::is_empty) {
                layers.pop();
            }
        }
        sums.finish()
    }

    /// Adds up the finished positions of `shard` and moves on from the others: to `next[0]` by moves
    /// that count as a ply, to `next[1]` by skipped passes.
    fn expand(
        &self,
        shard: Shard<G::Position>,
        ply: usize,
        next: &[Layer<G::Position>],
    ) -> Result<Found, ExactError> {
        self.expand_all(shard, ply, next)
            .inspect_err(|_| self.failed.store(true, Ordering::Relaxed))
    }

    fn expand_all(
        &self,
        shard: Shard<G::Position>,
        ply: usize,
        next: &[Layer<G::Position>],
    ) -> Result<Found, ExactError> {
        let mut found = Found::default();
        let mut parcels: [Vec<Parcel<G::Position>>; 2] =
            [0, 1].map(|_| (0..SHARDS).map(|_| Vec::new()).collect());
        let mut moves = Vec::new();
        for (number, (position, entry)) in shard.into_iter().enumerate() {
            let pause = number % PARCEL == 0;
            if pause && (self.progress.stopped() || self.failed.load(Ordering::Relaxed)) {
                return Err(ExactError::Stopped { ply });
            }
            found.positions += 1;
            add(&mut found.nodes, entry.paths, "nodes", ply)?;
            self.game.legal_moves(&position, &mut moves);
            if moves.is_empty() {
                let outcome = self.game.outcome(&position) as usize;
                add(&mut found.games[outcome], entry.paths, "games", ply)?;
                add(&mut found.squares[outcome], entry.squares, "squares of weights", ply)?;
                add(&mut found.chance[outcome], entry.chance, "chances", ply)?;
                continue;
            }
            let mobility = moves.len() as u128;
            let squares = entry.squares.checked_mul(mobility);
            let squares =
                squares.ok_or(ExactError::Overflow { quantity: "squares of weights", ply })?;
            let child_entry = Entry { squares, chance: entry.chance / mobility, ..entry };
            let layer = usize::from(!self.game.counts_as_ply(&position));
            for mv in &moves {
                let mut child = position.clone();
                self.game.play(&mut child, *mv);
                let to = Layer::shard_of(&child);
                let parcel = &mut parcels[layer][to];
                parcel.push((child, child_entry));
                if parcel.len() == PARCEL {
                    self.deliver(parcel, &next[layer].shards[to], ply + 1)?;
                }
            }
        }
        for (parcels, layer) in parcels.iter_mut().zip(next) {
            for (parcel, to) in parcels.iter_mut().zip(&layer.shards) {
                self.deliver(parcel, to, ply + 1)?;
            }
        }
        self.progress.advance(found.positions);
        Ok(found)
    }

    fn deliver(
        &self,
        parcel: &mut Parcel<G::Position>,
        to: &Mutex<Shard<G::Position>>,
        ply: usize,
    ) -> Result<(), ExactError> {
        if parcel.is_empty() {
            return Ok(());
        }
        let mut shard = to.lock().unwrap_or_else(PoisonError::into_inner);
        let before = shard.len();
        for (position, entry) in parcel.drain(..) {
            let known = shard.entry(position).or_insert(Entry { paths: 0, squares: 0, chance: 0 });
            add(&mut known.paths, entry.paths, "paths", ply)?;
            add(&mut known.squares, entry.squares, "squares of weights", ply)?;
            add(&mut known.chance, entry.chance, "chances", ply)?;
        }
        let new = (shard.len() - before) as u64;
        drop(shard);
        if self.next_positions.fetch_add(new, Ordering::Relaxed) + new > self.limit {
            return Err(ExactError::TooLarge { limit: self.limit, ply });
        }
        Ok(())
    }
}
