//! Perft of the seven games of checkers and draughts from the start, duplicates dropped. Every
//! bench asserts its count.
//!
//! `cargo bench --bench perft`; nodes per second are printed as elements per second.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use ludometer::game::{Game, perft};
use ludometer::games::draughts::{
    B6, B8, B10, B12, B14, Board, Checkers, Draughts, Duplicates, International, Rules,
};

fn bench<R: Rules, B: Board>(criterion: &mut Criterion, depth: u32, expected: u64) {
    let game = Draughts::<R, B>::new(Duplicates::Drop);
    let mut group = criterion.benchmark_group("perft");
    group.sample_size(10).throughput(Throughput::Elements(expected));
    group.bench_function(format!("{}-{}", R::NAME, B::N), |bencher| {
        bencher.iter(|| {
            assert_eq!(perft(black_box(&game), &game.initial(), depth), expected);
        });
    });
    group.finish();
}

fn seven_games(criterion: &mut Criterion) {
    // Sources: the files of tests/perft.
    bench::<Checkers, B6>(criterion, 15, 45_721_399);
    bench::<Checkers, B8>(criterion, 10, 18_391_564);
    bench::<International, B6>(criterion, 14, 21_546_796);
    bench::<International, B8>(criterion, 10, 21_560_022);
    bench::<International, B10>(criterion, 9, 41_022_423);
    bench::<International, B12>(criterion, 8, 31_839_056);
    bench::<International, B14>(criterion, 7, 15_007_858);
}

criterion_group!(benches, seven_games);
criterion_main!(benches);
