//! Uniform random games and perft of the small games. Every bench asserts what it counts.
//!
//! `cargo bench --bench small_games`; games per second are printed as elements per second.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use ludometer::game::{Game, perft};
use ludometer::games::chess::Chess;
use ludometer::games::connect_four::ConnectFour;
use ludometer::games::dots_and_boxes::DotsAndBoxes;
use ludometer::games::go::Go;
use ludometer::games::hex::Hex;
use ludometer::games::othello::{Othello, Passes};
use ludometer::games::tic_tac_toe::TicTacToe;
use ludometer::tree_size::{bounded, stream};

/// Plays `games` uniform games of one stream and returns their plies, forced passes included, and
/// the sum of their weights divided by `scale`.
fn random_games<G: Game>(game: &G, games: u64, scale: f64) -> (u64, f64) {
    let mut generator = stream(1, 0);
    let mut scratch = Vec::new();
    let (mut plies, mut weights) = (0, 0.0);
    for _ in 0..games {
        let mut position = game.initial();
        let mut weight = scale.recip();
        loop {
            let mobility = game.mobility(&position, &mut scratch);
            if mobility == 0 {
                break;
            }
            let n = bounded(&mut generator, mobility as u64) as usize;
            game.play_nth(&mut position, n, &mut scratch);
            weight *= mobility as f64;
            plies += 1;
        }
        weights += weight;
    }
    (plies, weights)
}

fn bench_games<G: Game>(
    criterion: &mut Criterion,
    name: &str,
    game: &G,
    games: u64,
    scale: f64,
    expected_plies: u64,
) {
    let mut group = criterion.benchmark_group("random games");
    group.throughput(Throughput::Elements(games));
    group.bench_function(name, |bencher| {
        bencher.iter(|| {
            let (plies, weights) = random_games(black_box(game), games, scale);
            assert_eq!(plies, expected_plies, "{name}");
            weights
        });
    });
    group.finish();
}

fn bench_perft<G: Game>(
    criterion: &mut Criterion,
    name: &str,
    game: &G,
    depth: u32,
    expected: u64,
) {
    let mut group = criterion.benchmark_group("perft");
    group.throughput(Throughput::Elements(expected));
    group.bench_function(name, |bencher| {
        bencher.iter(|| {
            assert_eq!(perft(black_box(game), &game.initial(), depth), expected, "{name}");
        });
    });
    group.finish();
}

fn small_games(criterion: &mut Criterion) {
    let connect_four = ConnectFour::new(7, 6).expect("a standard board");
    let othello = Othello::new(8, Passes::Skipped).expect("a standard board");
    bench_games(criterion, "tic-tac-toe", &TicTacToe, 100_000, 1.0, 762_642);
    bench_games(criterion, "connect-four-7x6", &connect_four, 100_000, 1e28, 2_128_662);
    bench_games(criterion, "othello-8", &othello, 10_000, 1e54, 604_444);
    let hex = Hex::new(11).expect("a standard board");
    let boxes = DotsAndBoxes::new(5, 5).expect("a standard board");
    let go = Go::new(7, 7).expect("the largest board");
    bench_games(criterion, "hex-11", &hex, 20_000, 1e200, 2_150_146);
    bench_games(criterion, "dots-and-boxes-5x5", &boxes, 100_000, 1e81, 6_000_000);
    bench_games(criterion, "go-7", &go, 5000, 1e300, 372_755);
    bench_games(criterion, "chess", &Chess::default(), 1000, 1e300, 338_108);
    // Sources: as in tests/small_games.rs and tests/chess.rs.
    bench_perft(criterion, "connect-four-7x6", &connect_four, 8, 5_673_234);
    bench_perft(criterion, "othello-8", &othello, 9, 3_005_288);
    bench_perft(criterion, "chess", &Chess::default(), 5, 4_865_609);
}

criterion_group!(benches, small_games);
criterion_main!(benches);
