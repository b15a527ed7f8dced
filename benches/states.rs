//! The exact counter on two rows of a 6x6 board, in either order, with one thread and with two. Every
//! bench asserts its count.
//!
//! `cargo bench --bench states`; states per second are printed as elements per second. The start of
//! four men a side takes half a minute per iteration: `cargo bench --bench states 4v4`.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use ludometer::game::{Notation, Unwatched};
use ludometer::games::draughts::{B6, Checkers, Draughts, Duplicates, International, Rules};
use ludometer::state_space::reachable::{Order, Settings, count};

/// A start with as many men a side as it says, and its reachable states.
struct Start {
    name: &'static str,
    fen: &'static str,
    states: u64,
}

fn bench<R: Rules>(criterion: &mut Criterion, start: &Start, order: Order, threads: usize) {
    let game = Draughts::<R, B6>::new(Duplicates::Drop);
    let position = game.read_position(start.fen).expect("the position is one of the board");
    let mut group = criterion.benchmark_group("states");
    group.sample_size(10).throughput(Throughput::Elements(start.states));
    let name = format!("{}-6 {}, {order:?}, threads {threads}", R::NAME, start.name);
    group.bench_function(name, |bencher| {
        bencher.iter(|| {
            let scratch = tempfile::tempdir().expect("a folder for temporary files");
            let settings = Settings {
                order,
                threads,
                memory: 4 << 30,
                scratch: scratch.path(),
                scratch_limit: 4 << 30,
            };
            let counted = count(&game, &position, &settings, &Unwatched).expect("it fits");
            assert_eq!(counted.total(), start.states);
        });
    });
    group.finish();
}

/// Source of the totals: tests/data/levels.
fn three_men_a_side(criterion: &mut Criterion) {
    let checkers = Start { name: "3v3", fen: "B:W16-18:B1-3", states: 14_446_804 };
    let draughts = Start { name: "3v3", fen: "W:W16-18:B1-3", states: 16_048_525 };
    for order in [Order::BreadthFirst, Order::Any] {
        for threads in [1, 2] {
            bench::<Checkers>(criterion, &checkers, order, threads);
            bench::<International>(criterion, &draughts, order, threads);
        }
    }
}

/// Source of the totals: breadth-first and any order agree, and so do both numbers of threads.
fn four_men_a_side(criterion: &mut Criterion) {
    // Too long for a run of all benches.
    if !std::env::args().any(|argument| argument == "4v4") {
        return;
    }
    let checkers = Start { name: "4v4", fen: "B:W15-18:B1-4", states: 436_890_156 };
    let draughts = Start { name: "4v4", fen: "W:W15-18:B1-4", states: 322_262_151 };
    for order in [Order::BreadthFirst, Order::Any] {
        bench::<Checkers>(criterion, &checkers, order, 2);
        bench::<International>(criterion, &draughts, order, 2);
    }
}

criterion_group!(benches, three_men_a_side, four_men_a_side);
criterion_main!(benches);
