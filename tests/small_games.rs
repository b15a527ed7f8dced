//! Tic-tac-toe, Connect Four, Othello and the synthetic trees against known numbers.

#![allow(clippy::unwrap_used)]

use std::collections::{HashMap, HashSet};

use ludometer::game::{Game, Outcome, Scored, perft};
use ludometer::games::connect_four::ConnectFour;
use ludometer::games::othello::{Othello, Passes};
use ludometer::games::tic_tac_toe::TicTacToe;

/// Everything a count of whole games says, exactly.
#[derive(Debug, Default)]
struct Tally {
    games: u128,
    /// Games by length and result: first wins, second wins, draws.
    by_length: Vec<[u128; 3]>,
    /// Moves made on all games' paths, passes that count for no ply included.
    nodes: u128,
    positions: usize,
    /// Expected square of the weight of a uniform walk, to be compared with the square of `games`.
    mean_square: f64,
}

impl Tally {
    fn results(&self) -> [u128; 3] {
        let add = |sum: [u128; 3], row: &[u128; 3]| [0, 1, 2].map(|i| sum[i] + row[i]);
        self.by_length.iter().fold([0; 3], add)
    }

    fn mean_length(&self) -> f64 {
        let plies: u128 =
            self.by_length.iter().zip(0..).map(|(row, n)| n * row.iter().sum::<u128>()).sum();
        plies as f64 / self.games as f64
    }

    fn relative_variance(&self) -> f64 {
        self.mean_square / (self.games as f64).powi(2) - 1.0
    }
}

/// Counts every game by sweeping the positions ply after ply: how many paths lead to each
/// position at each length, and the expected square of the weight of the walks that do.
fn sweep<G: Scored>(game: &G) -> Tally {
    let mut tally = Tally { nodes: 1, ..Tally::default() };
    let mut seen = HashSet::from([game.initial()]);
    let mut level = HashMap::from([((game.initial(), 0usize), (1u128, 1f64))]);
    let mut moves = Vec::new();
    while !level.is_empty() {
        let mut next = HashMap::new();
        for ((position, length), (paths, square)) in level {
            game.legal_moves(&position, &mut moves);
            if moves.is_empty() {
                let result = match game.outcome(&position) {
                    Outcome::FirstWins => 0,
                    Outcome::SecondWins => 1,
                    Outcome::Draw => 2,
                };
                tally.by_length.resize(tally.by_length.len().max(length + 1), [0; 3]);
                tally.by_length[length][result] += paths;
                tally.games += paths;
                tally.mean_square += square;
            }
            let ply = usize::from(game.counts_as_ply(&position));
            for mv in &moves {
                let mut child = position.clone();
                game.play(&mut child, *mv);
                seen.insert(child.clone());
                let entry = next.entry((child, length + ply)).or_insert((0, 0.0));
                entry.0 += paths;
                entry.1 += square * moves.len() as f64;
                tally.nodes += paths;
            }
        }
        level = next;
    }
    tally.positions = seen.len();
    tally
}

fn close(actual: f64, expected: f64, tolerance: f64) {
    assert!((actual - expected).abs() <= tolerance, "{actual} is not {expected}");
}

// Source of the exact counts: an independent forward dynamic programme over positions.

#[test]
fn tic_tac_toe_has_255168_games() {
    let tally = sweep(&TicTacToe);
    assert_eq!(tally.games, 255_168);
    assert_eq!(tally.results(), [131_184, 77_904, 46_080]);
    assert_eq!(tally.nodes, 549_946);
    assert_eq!(tally.positions, 5478);
    let lengths = [[1440, 0, 0], [0, 5328, 0], [47_952, 0, 0], [0, 72_576, 0], [81_792, 0, 46_080]];
    assert_eq!(tally.by_length[5..], lengths);
    close(tally.mean_length(), 8.254_514_672_686, 1e-11);
    close(tally.relative_variance(), 0.256_060_540_436, 1e-11);
}

#[test]
fn connect_four_4x4_has_47982540_games() {
    let tally = sweep(&ConnectFour::new(4, 4).unwrap());
    assert_eq!(tally.games, 47_982_540);
    assert_eq!(tally.results(), [8_768_620, 8_543_744, 30_670_176]);
    close(tally.mean_length(), 15.578_943_757_458, 1e-11);
    close(tally.relative_variance(), 2.323_649_290_780, 1e-10);
    let by_length: Vec<u128> = tally.by_length.iter().map(|row| row.iter().sum()).collect();
    let expected =
        [252, 312, 6096, 16_904, 118_456, 324_756, 1_501_020, 3_258_664, 7_142_796, 35_613_284];
    assert_eq!(by_length[7..], expected);
}

#[test]
fn connect_four_counts_columns_before_rows() {
    // 4 columns x 3 rows: OEIS A342329. 4 x 5: the same dynamic programme as above.
    assert_eq!(sweep(&ConnectFour::new(4, 3).unwrap()).games, 356_232);
    let tally = sweep(&ConnectFour::new(4, 5).unwrap());
    assert_eq!(tally.games, 5_317_582_722);
    assert_eq!(tally.results(), [1_026_679_764, 1_139_699_172, 3_151_203_786]);
    close(tally.relative_variance(), 5.565_273_846_152, 1e-9);
}

#[test]
fn connect_four_7x6_has_the_positions_of_oeis_a212693() {
    let game = ConnectFour::new(7, 6).unwrap();
    let mut level = HashSet::from([game.initial()]);
    let mut moves = Vec::new();
    for expected in [1, 7, 49, 238, 1120, 4263, 16_422, 54_859, 184_275] {
        assert_eq!(level.len(), expected);
        let mut next = HashSet::new();
        for position in level {
            game.legal_moves(&position, &mut moves);
            for mv in &moves {
                let mut child = position;
                game.play(&mut child, *mv);
                next.insert(child);
            }
        }
        level = next;
    }
}

#[test]
fn connect_four_perft_loses_the_games_won_at_ply_7() {
    let game = ConnectFour::new(7, 6).unwrap();
    let counts: Vec<u64> = (0..=8).map(|depth| perft(&game, &game.initial(), depth)).collect();
    assert_eq!(counts, [1, 7, 49, 343, 2401, 16_807, 117_649, 823_536, 5_673_234]);
}

#[test]
fn othello_4x4_has_60060_games_with_and_without_passes_as_plies() {
    let counted = sweep(&Othello::new(4, Passes::Plies).unwrap());
    let skipped = sweep(&Othello::new(4, Passes::Skipped).unwrap());
    for tally in [&counted, &skipped] {
        assert_eq!(tally.games, 60_060);
        assert_eq!(tally.results(), [24_632, 30_116, 5312]);
        close(tally.relative_variance(), 2.316_230_196_710, 1e-10);
    }
    close(counted.mean_length(), 12.766_966_366_966, 1e-11);
    close(skipped.mean_length(), 11.866_533_466_533, 1e-11);
    assert_eq!(counted.by_length[17], [48, 0, 0]);
    assert_eq!(skipped.by_length[12], [20_748, 27_532, 5300]);
}

#[test]
fn othello_perft_counts_a_pass_as_a_ply() {
    // Source: the published Othello perft list, confirmed by an independent enumeration.
    let game = Othello::new(8, Passes::Skipped).unwrap();
    let counts: Vec<u64> = (1..=9).map(|depth| perft(&game, &game.initial(), depth)).collect();
    assert_eq!(counts, [4, 12, 56, 244, 1396, 8200, 55_092, 390_216, 3_005_288]);
}
