//! The exact counter on one row of three men a side on 6x6, with one thread and with two. Every bench
//! asserts its count.
//!
//! `cargo bench --bench states`; states per second are printed as elements per second.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use ludometer::game::{Notation, Unwatched};
use ludometer::games::draughts::{B6, Checkers, Draughts, Duplicates, International, Rules};
use ludometer::state_space::reachable::{Settings, count};

fn bench<R: Rules>(criterion: &mut Criterion, fen: &str, threads: usize, expected: u64) {
    let game = Draughts::<R, B6>::new(Duplicates::Drop);
    let start = game.read_position(fen).expect("the position is one of the board");
    let mut group = criterion.benchmark_group("states");
    group.sample_size(10).throughput(Throughput::Elements(expected));
    group.bench_function(format!("{}-6 3v3, threads {threads}", R::NAME), |bencher| {
        bencher.iter(|| {
            let scratch = tempfile::tempdir().expect("a folder for temporary files");
            let settings = Settings {
                threads,
                memory: 1 << 30,
                scratch: scratch.path(),
                scratch_limit: 1 << 30,
            };
            let counted = count(&game, &start, &settings, &Unwatched).expect("it fits");
            assert_eq!(counted.total(), expected);
        });
    });
    group.finish();
}

fn three_men_a_side(criterion: &mut Criterion) {
    // Source: tests/data/levels.
    for threads in [1, 2] {
        bench::<Checkers>(criterion, "B:W16-18:B1-3", threads, 14_446_804);
        bench::<International>(criterion, "W:W16-18:B1-3", threads, 16_048_525);
    }
}

criterion_group!(benches, three_men_a_side);
criterion_main!(benches);
