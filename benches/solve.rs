//! Proofs that White cannot win 6x6 draughts from the initial position, by both solvers: depth-first
//! with no database, best-first with one of three pieces. Every bench asserts its answer and its count
//! of nodes.
//!
//! `cargo bench --bench solve`; nodes per second are printed as elements per second.

use std::time::Duration;

use criterion::{Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use ludometer::endgame::build;
use ludometer::game::Unwatched;
use ludometer::games::draughts::{B6, Draughts, International, Side};
use ludometer::solve::{
    Answer, DepthFirstSearch, Limits, NoDatabase, ProofNumberSearch, Solver, Start,
};

fn bench<S: Solver<B6>>(criterion: &mut Criterion, name: &str, nodes: u64, solver: impl Fn() -> S) {
    let start = Draughts::<International, B6>::start();
    let limits = Limits { nodes: u64::MAX, bytes: 1 << 30 };
    let mut group = criterion.benchmark_group("solve draughts-6");
    group.sample_size(10).sampling_mode(SamplingMode::Flat).warm_up_time(Duration::from_secs(1));
    group.throughput(Throughput::Elements(nodes));
    group.bench_function(name, |bencher| {
        // A new solver each time: a table that is full of answers would be asked for them.
        bencher.iter(|| {
            let proof = solver().can_win(&start, Side::White, limits, &Unwatched);
            assert_eq!((proof.answer, proof.effort.nodes), (Answer::Disproved, nodes));
        });
    });
}

fn both_solvers(criterion: &mut Criterion) {
    // As much memory as `ludometer solve` gives the table; the count of nodes depends on it.
    bench(criterion, "depth-first, no database", 16_900_095, || {
        DepthFirstSearch::<International, B6, _>::new(NoDatabase, 7 << 27)
    });
    let tables = build::<International, B6>(3, None, 1, &Unwatched, &mut |_| ()).expect("it fits");
    bench(criterion, "best-first, three pieces", 13_303_704, || {
        ProofNumberSearch::<International, B6, _>::new(&tables, Start::One)
    });
}

criterion_group!(benches, both_solvers);
criterion_main!(benches);
