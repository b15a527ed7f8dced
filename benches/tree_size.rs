//! Walks and particles per second of the tree-size estimators and positions per second of exact
//! counting.
//!
//! Every bench asserts what it made: a walk is only worth counting when it is the right one. With
//! random numbers from a seed, the mean length and the results of a batch are fixed numbers.

#![allow(missing_docs)]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use ludometer::game::{Scored, Unwatched};
use ludometer::games::connect_four::ConnectFour;
use ludometer::games::draughts::draw::{Adjudicated, DrawRule};
use ludometer::games::draughts::{B10, Duplicates, International};
use ludometer::games::othello::{Othello, Passes};
use ludometer::games::tic_tac_toe::TicTacToe;
use ludometer::tree_size::{
    Batch, DEFAULT_THRESHOLD, Method, Plan, ReplicatePlan, exact, sample, sample_replicates,
};

/// One batch of `games` walks on one thread, whose games have `plies` plies in all.
fn walks<G: Scored>(c: &mut Criterion, name: &str, game: &G, games: u64, plies: u64) {
    let plan = Plan::new(1, 1, games, 1).expect("the plan has one batch");
    let mut group = c.benchmark_group("walks");
    group.throughput(Throughput::Elements(games));
    group.bench_function(name, |bench| {
        bench.iter(|| {
            let batches = sample(game, black_box(&plan), 1, &Unwatched);
            let batches: Vec<Batch> = batches.expect("nobody stops it");
            assert_eq!((batches[0].games, batches[0].plies), (games, plies));
        });
    });
    group.finish();
}

fn estimates(c: &mut Criterion) {
    walks(c, "tic-tac-toe", &TicTacToe, 100_000, 762_642);
    let game = ConnectFour::new(7, 6).expect("7x6 is a board");
    walks(c, "connect-four-7x6", &game, 100_000, 2_128_662);
    let game = Othello::new(8, Passes::Skipped).expect("8x8 is a board");
    walks(c, "othello-8", &game, 5000, 299_967);
    let rule = DrawRule::parse("fmjd").expect("the rule is known");
    let game = Adjudicated::<International, B10>::new(Duplicates::Drop, rule);
    walks(c, "draughts-10-fmjd", &game, 500, 46_059);
}

/// One population of 4096 particles on one thread, whose estimate of gts is near `log10`.
fn population<G: Scored>(c: &mut Criterion, name: &str, game: &G, log10: f64) {
    let particles = 4096;
    let method = Method::Smc { threshold: DEFAULT_THRESHOLD };
    let plan = ReplicatePlan::new(method, particles, 1, 1).expect("the plan has one replicate");
    let mut group = c.benchmark_group("particles");
    group.throughput(Throughput::Elements(particles));
    group.bench_function(name, |bench| {
        bench.iter(|| {
            let made = sample_replicates(game, black_box(&plan), 1, &Unwatched);
            let made = made.expect("there is no prefix").expect("nobody stops it");
            // Half as much again is more than four standard deviations.
            assert!((made[0].z.log10() - log10).abs() < 0.2, "{}", made[0].z);
        });
    });
    group.finish();
}

fn populations(c: &mut Criterion) {
    let game = ConnectFour::new(7, 6).expect("7x6 is a board");
    population(c, "connect-four-7x6", &game, 28.92);
    let game = Othello::new(8, Passes::Skipped).expect("8x8 is a board");
    population(c, "othello-8", &game, 54.81);
}

fn counts(c: &mut Criterion) {
    let game = ConnectFour::new(5, 4).expect("5x4 is a board");
    let mut group = c.benchmark_group("exact");
    group.sample_size(10);
    group.throughput(Throughput::Elements(3_945_711));
    group.bench_function("connect-four-5x4", |bench| {
        bench.iter(|| {
            let exact = exact(&game, 1_000_000, 1, &Unwatched).expect("it is small enough");
            assert_eq!(exact.total_games(), 152_505_051_772);
            assert_eq!(exact.total_positions(), 3_945_711);
        });
    });
    group.finish();
}

criterion_group!(benches, estimates, populations, counts);
criterion_main!(benches);
