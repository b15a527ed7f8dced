//! The search from the initial position of all seven games, positional evaluation, to a fixed depth.
//! Every bench asserts its count of nodes.
//!
//! `cargo bench --bench engine`; nodes per second are printed as elements per second.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use ludometer::engine::{Engine, Limits, Positional, Settings};
use ludometer::game::{Game, Unwatched};
use ludometer::games::draughts::draw::{Adjudicated, DrawRule};
use ludometer::games::draughts::{
    B6, B8, B10, B12, B14, Board, Checkers, Duplicates, International, Rules,
};

fn bench<R: Rules, B: Board>(criterion: &mut Criterion, depth: u32, expected: u64) {
    let rule = DrawRule::of::<R>();
    let played = Adjudicated::<R, B>::new(Duplicates::Drop, rule).initial();
    let evaluation = Positional::<R, B>::default();
    let mut engine = Engine::new(evaluation, rule, Settings::DEFAULT);
    let mut group = criterion.benchmark_group("engine");
    group.sample_size(10).throughput(Throughput::Elements(expected));
    group.bench_function(format!("{}-{}, depth {depth}", R::NAME, B::N), |bencher| {
        bencher.iter(|| {
            let limits = Limits::depth(depth);
            let found = engine.search(&played, limits, None, &Unwatched, &mut |_| ());
            assert_eq!(found.expect("the game is not over").nodes, expected);
        });
    });
    group.finish();
}

fn seven_games(criterion: &mut Criterion) {
    bench::<Checkers, B6>(criterion, 12, 163_858);
    bench::<Checkers, B8>(criterion, 9, 190_849);
    bench::<International, B6>(criterion, 12, 186_515);
    bench::<International, B8>(criterion, 9, 184_322);
    bench::<International, B10>(criterion, 8, 172_385);
    bench::<International, B12>(criterion, 7, 104_817);
    bench::<International, B14>(criterion, 7, 157_931);
}

criterion_group!(benches, seven_games);
criterion_main!(benches);
