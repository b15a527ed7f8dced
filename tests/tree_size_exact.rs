//! Exact counting of small games against independent counts and closed forms.

#![allow(clippy::unwrap_used)]

use std::sync::atomic::{AtomicU64, Ordering};

use ludometer::game::{Game, Outcome, Progress, Scored, Unwatched};
use ludometer::games::connect_four::ConnectFour;
use ludometer::games::othello::{Othello, Passes};
use ludometer::games::synthetic::{Comb, UniformTree};
use ludometer::games::tic_tac_toe::TicTacToe;
use ludometer::tree_size::{Exact, ExactError, exact};

const OUTCOMES: [Outcome; 3] = [Outcome::FirstWins, Outcome::SecondWins, Outcome::Draw];

fn count<G: Scored>(game: &G) -> Exact {
    exact(game, 10_000_000, 2, &Unwatched).unwrap()
}

fn connect_four(columns: u32, rows: u32) -> Exact {
    count(&ConnectFour::new(columns, rows).unwrap())
}

fn results(exact: &Exact) -> [u128; 3] {
    OUTCOMES.map(|outcome| exact.games_with(outcome))
}

fn close(actual: f64, expected: f64, tolerance: f64) {
    assert!((actual - expected).abs() <= tolerance, "{actual} is not {expected}");
}

// Source of the expected numbers where nothing else is said: an independent forward dynamic
// programme over positions (of Connect Four: up to reflection).

#[test]
fn tic_tac_toe_is_counted_exactly() {
    let exact = count(&TicTacToe);
    assert_eq!(exact.total_games(), 255_168);
    assert_eq!(results(&exact), [131_184, 77_904, 46_080]);
    assert_eq!(exact.total_nodes(), 549_946);
    assert_eq!(exact.total_positions(), 5478);
    // Perft counts by ply.
    assert_eq!(exact.nodes, [1, 9, 72, 504, 3024, 15_120, 54_720, 148_176, 200_448, 127_872]);
    let lengths = [[1440, 0, 0], [0, 5328, 0], [47_952, 0, 0], [0, 72_576, 0], [81_792, 0, 46_080]];
    assert_eq!(exact.games[..5], [[0; 3]; 5]);
    assert_eq!(exact.games[5..], lengths);
    assert_eq!(exact.sum_of_lengths(), 2_106_288u32.into());
    close(exact.agl(), 8.254_514_672_686, 1e-12);
    close(exact.rate(Outcome::FirstWins), 0.514_108_352_1, 1e-10);
    close(exact.rate(Outcome::Draw), 0.180_586_907_4, 1e-10);
    assert_eq!(exact.mean_square_weight(), 81_782_991_360);
    close(exact.relative_variance(), 0.256_060_540_436, 1e-12);
    // Uniform play: X wins 737/1260, O wins 121/420, drawn 8/63.
    close(exact.uniform_rate(Outcome::FirstWins), 737.0 / 1260.0, 1e-15);
    close(exact.uniform_rate(Outcome::SecondWins), 121.0 / 420.0, 1e-15);
    close(exact.uniform_rate(Outcome::Draw), 8.0 / 63.0, 1e-15);
}

#[test]
fn connect_four_4x4_is_counted_exactly() {
    let exact = connect_four(4, 4);
    assert_eq!(exact.total_games(), 47_982_540);
    assert_eq!(results(&exact), [8_768_620, 8_543_744, 30_670_176]);
    let by_length: Vec<u128> = exact.games.iter().map(|row| row.iter().sum()).collect();
    let expected =
        [252, 312, 6096, 16_904, 118_456, 324_756, 1_501_020, 3_258_664, 7_142_796, 35_613_284];
    assert_eq!(by_length[7..], expected);
    close(exact.agl(), 15.578_943_757_458, 1e-12);
    assert_eq!(exact.mean_square_weight(), 7_652_118_011_181_056);
    close(exact.relative_variance(), 2.323_649_290_780, 1e-12);
    close(exact.uniform_mean_length(), 14.588_522_344_454, 1e-12);
    close(exact.uniform_rate(Outcome::FirstWins), 0.280_787_583_595, 1e-12);
    close(exact.uniform_rate(Outcome::SecondWins), 0.235_903_261_071, 1e-12);
    close(exact.uniform_rate(Outcome::Draw), 0.483_309_155_334, 1e-12);
    close(exact.uniform.iter().flatten().sum(), 1.0, 1e-15);
}

#[test]
fn connect_four_4x3_has_the_games_of_oeis_a342329() {
    assert_eq!(connect_four(4, 3).total_games(), 356_232);
}

#[test]
fn connect_four_5x4_and_4x5_are_counted_exactly() {
    let wide = connect_four(5, 4);
    assert_eq!(wide.total_games(), 152_505_051_772);
    assert_eq!(results(&wide), [38_498_892_738, 39_068_053_266, 74_938_105_768]);
    assert_eq!(wide.mean_square_weight(), 157_661_254_811_885_540_230_000);
    close(wide.agl(), 19.356_975_311_030, 1e-12);
    close(wide.relative_variance(), 5.778_857_719_520, 1e-12);
    close(wide.uniform_mean_length(), 16.667_585_356_733, 1e-11);
    let high = connect_four(4, 5);
    assert_eq!(high.total_games(), 5_317_582_722);
    assert_eq!(results(&high), [1_026_679_764, 1_139_699_172, 3_151_203_786]);
    assert_eq!(high.mean_square_weight(), 185_644_187_086_532_524_032);
    close(high.agl(), 19.400_053_281_578, 1e-12);
    close(high.relative_variance(), 5.565_273_846_152, 1e-12);
}

#[test]
#[ignore = "50 million positions: 2 GB and 20 CPU-seconds when optimised"]
fn connect_four_5x5_is_counted_exactly() {
    let exact = connect_four(5, 5);
    assert_eq!(exact.total_games(), 122_331_779_437_450);
    assert_eq!(results(&exact), [33_518_330_789_384, 28_717_195_773_926, 60_096_252_874_140]);
    assert_eq!(exact.sum_of_lengths(), 2_960_764_084_469_616u64.into());
    assert_eq!(exact.mean_square_weight(), 327_348_864_163_383_005_008_454_993_750);
    close(exact.agl(), 24.202_738_634_923, 1e-12);
    close(exact.relative_variance(), 20.874_203_709_975, 1e-12);
    close(exact.uniform_rate(Outcome::FirstWins), 0.504_101_149_241, 1e-11);
}

#[test]
fn passes_change_the_length_of_othello_games_and_nothing_else() {
    let skipped = count(&Othello::new(4, Passes::Skipped).unwrap());
    let counted = count(&Othello::new(4, Passes::Plies).unwrap());
    for exact in [&skipped, &counted] {
        assert_eq!(exact.total_games(), 60_060);
        assert_eq!(results(exact), [24_632, 30_116, 5312]);
        assert_eq!(exact.mean_square_weight(), 11_962_317_504);
        close(exact.relative_variance(), 2.316_230_196_710, 1e-12);
    }
    assert_eq!(skipped.sum_of_lengths(), 712_704u32.into());
    close(skipped.agl(), 11.866_533_466_533, 1e-12);
    assert_eq!(skipped.games.len(), 13);
    assert_eq!(skipped.games[12], [20_748, 27_532, 5300]);
    assert_eq!(counted.sum_of_lengths(), 766_784u32.into());
    close(counted.agl(), 12.766_966_366_966, 1e-12);
    assert_eq!(counted.games.len(), 18);
    assert_eq!(counted.games[12], [5276, 16_516, 4052]);
    assert_eq!(counted.games[17], [48, 0, 0]);
    assert_eq!(skipped.nodes, counted.nodes);
    assert_eq!(skipped.positions, counted.positions);
}

#[test]
fn synthetic_trees_have_their_closed_forms() {
    let tree = UniformTree::new(5, 25).unwrap();
    let exact = count(&tree);
    assert_eq!(exact.total_games(), 5u128.pow(25));
    assert_eq!(exact.total_nodes(), (5u128.pow(26) - 1) / 4);
    assert_eq!(exact.relative_variance(), 0.0);
    assert_eq!((exact.agl(), exact.agl_deviation()), (25.0, 0.0));
    for (outcome, known) in
        OUTCOMES.into_iter().zip([tree.known().first_wins, tree.known().second_wins])
    {
        close(exact.rate(outcome), known, 1e-15);
    }
    for (branching, depth) in [(2, 30), (3, 20), (10, 12)] {
        let comb = Comb::new(branching, depth).unwrap();
        let exact = count(&comb);
        let known = comb.known();
        assert_eq!(Some(exact.total_games()), known.leaves);
        close(exact.agl() / known.mean_length, 1.0, 1e-12);
        close(exact.rate(Outcome::FirstWins), known.first_wins, 1e-12);
        close(exact.rate(Outcome::Draw), known.draws, 1e-12);
        close(exact.relative_variance() / known.relative_variance, 1.0, 1e-12);
    }
}

#[test]
fn the_count_does_not_depend_on_the_threads() {
    let game = ConnectFour::new(4, 4).unwrap();
    let one = exact(&game, 1_000_000, 1, &Unwatched).unwrap();
    for threads in [2, 5] {
        assert_eq!(exact(&game, 1_000_000, threads, &Unwatched).unwrap(), one);
    }
}

#[test]
fn a_game_too_large_is_refused_with_its_ply() {
    let game = ConnectFour::new(7, 6).unwrap();
    // Positions at plies 0 to 7 (OEIS A212693): 1 7 49 238 1120 4263 16422 54859.
    let refused = exact(&game, 16_422, 2, &Unwatched).unwrap_err();
    assert_eq!(refused, ExactError::TooLarge { limit: 16_422, ply: 7 });
    assert_eq!(
        refused.to_string(),
        "more than 16422 positions at ply 7: the game is too large to count exactly"
    );
    let refused = exact(&game, 1000, 1, &Unwatched).unwrap_err();
    assert_eq!(refused, ExactError::TooLarge { limit: 1000, ply: 4 });
}

#[test]
fn sums_beyond_128_bits_are_refused_and_never_wrap() {
    // 10^38 games fit 128 bits, 10^39 do not; the squares of the weights pass them first.
    let refused = exact(&UniformTree::new(10, 39).unwrap(), 100, 1, &Unwatched).unwrap_err();
    assert!(matches!(refused, ExactError::Overflow { .. }), "{refused}");
    assert!(refused.to_string().contains("passed 2^128 - 1 at ply"), "{refused}");
    let fits = exact(&UniformTree::new(4, 31).unwrap(), 100, 1, &Unwatched).unwrap();
    assert_eq!(fits.mean_square_weight(), 1 << 124);
    assert!(exact(&UniformTree::new(4, 32).unwrap(), 100, 1, &Unwatched).is_err());
}

/// Two moves from each of the two positions, for ever.
struct Endless;

impl Game for Endless {
    type Position = bool;
    type Move = bool;
    fn initial(&self) -> bool {
        false
    }
    fn legal_moves(&self, _position: &bool, moves: &mut Vec<bool>) {
        moves.clear();
        moves.extend([false, true]);
    }
    fn play(&self, position: &mut bool, mv: bool) {
        *position = mv;
    }
}

impl Scored for Endless {
    fn outcome(&self, _terminal: &bool) -> Outcome {
        Outcome::Draw
    }
    fn first_moves(&self, _position: &bool) -> bool {
        true
    }
}

/// Counts what is reported and says stop once that many units are.
struct StopAfter {
    seen: AtomicU64,
    limit: u64,
}

impl Progress for StopAfter {
    fn advance(&self, units: u64) {
        self.seen.fetch_add(units, Ordering::Relaxed);
    }
    fn stopped(&self) -> bool {
        self.seen.load(Ordering::Relaxed) >= self.limit
    }
}

#[test]
fn a_game_without_end_is_refused() {
    let refused = exact(&Endless, 100, 1, &Unwatched).unwrap_err();
    assert!(matches!(refused, ExactError::Overflow { .. }), "{refused}");
}

#[test]
fn a_count_stops_when_told_and_reports_every_position() {
    let stop = StopAfter { seen: AtomicU64::new(0), limit: 1000 };
    let stopped = exact(&TicTacToe, 10_000, 2, &stop).unwrap_err();
    assert!(matches!(stopped, ExactError::Stopped { .. }), "{stopped}");
    let all = StopAfter { seen: AtomicU64::new(0), limit: u64::MAX };
    exact(&TicTacToe, 10_000, 2, &all).unwrap();
    assert_eq!(all.seen.into_inner(), 5478);
    assert_eq!(exact(&TicTacToe, 10_000, 0, &Unwatched), Err(ExactError::NoThreads));
}
