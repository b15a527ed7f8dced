//! Tic-tac-toe, Connect Four, Othello and the synthetic trees against known numbers.

#![allow(clippy::unwrap_used)]

mod sweep;

use std::collections::HashSet;

use ludometer::game::{Finished, Game, Notation, Outcome, Perft, Scored, Unwatched, divide, perft};
use ludometer::games::connect_four::ConnectFour;
use ludometer::games::othello::{Othello, Passes};
use ludometer::games::synthetic::{Comb, Known, UniformTree};
use ludometer::games::tic_tac_toe::TicTacToe;
use sweep::sweep;

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

/// The number of paths of at most `depth` plies from `position` that end a game.
fn finished<G: Game>(game: &G, position: &G::Position, depth: u32) -> u64 {
    let mut moves = Vec::new();
    game.legal_moves(position, &mut moves);
    let below = |mv: &G::Move| {
        let mut child = position.clone();
        game.play(&mut child, *mv);
        finished(game, &child, depth - 1)
    };
    match depth {
        _ if moves.is_empty() => 1,
        0 => 0,
        _ => moves.iter().map(below).sum(),
    }
}

#[test]
fn the_published_othello_perft_of_10_counts_finished_games_in() {
    // The published 24571284 is the number of leaves of the tree cut at ply 10: the 228 games that
    // are over at ply 9 are among them. Paths of exactly 10 plies are fewer.
    let game = Othello::new(8, Passes::Plies).unwrap();
    let start = game.initial();
    let count = |finished| {
        let how = Perft { finished, threads: 2, table_entries: 0 };
        let counts = divide(&game, &start, 10, how, &Unwatched).unwrap();
        counts.iter().map(|(_, nodes)| nodes).sum::<u64>()
    };
    let over = finished(&game, &start, 9);
    assert_eq!((count(Finished::Drop), over), (24_571_056, 228));
    assert_eq!(count(Finished::Count), 24_571_284);
    assert_eq!(perft(&game, &start, 10), 24_571_056);
}

#[test]
fn games_over_after_one_move_are_counted_where_asked_for() {
    // X wins at once in the top row; the other replies go on.
    let start = TicTacToe.read_position("XX.OO....").unwrap();
    let count = |finished| {
        let how = Perft { finished, threads: 1, table_entries: 0 };
        let counts = divide(&TicTacToe, &start, 3, how, &Unwatched).unwrap();
        counts.iter().map(|(_, nodes)| nodes).sum::<u64>()
    };
    let over = finished(&TicTacToe, &start, 2);
    assert!(over > 1);
    assert_eq!(count(Finished::Count), count(Finished::Drop) + over);
}

#[test]
fn tic_tac_toe_has_765_positions_up_to_symmetry() {
    const ROTATE: [usize; 9] = [6, 3, 0, 7, 4, 1, 8, 5, 2];
    const MIRROR: [usize; 9] = [2, 1, 0, 5, 4, 3, 8, 7, 6];
    let turn = |text: &str, by: [usize; 9]| by.map(|i| &text[i..=i]).concat();
    let mut classes = HashSet::new();
    let mut level = HashSet::from([TicTacToe.initial()]);
    let mut moves = Vec::new();
    while !level.is_empty() {
        let mut next = HashSet::new();
        for position in level {
            let mut text = TicTacToe.write_position(&position);
            let mut images = Vec::new();
            for _ in 0..4 {
                text = turn(&text, ROTATE);
                images.extend([text.clone(), turn(&text, MIRROR)]);
            }
            classes.insert(images.into_iter().min());
            TicTacToe.legal_moves(&position, &mut moves);
            for mv in &moves {
                let mut child = position;
                TicTacToe.play(&mut child, *mv);
                next.insert(child);
            }
        }
        level = next;
    }
    assert_eq!(classes.len(), 765);
}

/// The legal moves of `position` as text.
fn legal<G: Notation>(game: &G, position: &G::Position) -> Vec<String> {
    let mut moves = Vec::new();
    game.legal_moves(position, &mut moves);
    moves.iter().map(|mv| game.write_move(position, *mv)).collect()
}

/// What is wrong with `text`.
fn refusal<G: Notation>(game: &G, text: &str) -> String {
    match game.read_position(text) {
        Ok(position) => panic!("'{text}' was read as {}", game.write_position(&position)),
        Err(error) => error.to_string(),
    }
}

#[test]
fn connect_four_sees_a_vertical_four_and_a_diagonal_in_the_last_column() {
    let game = ConnectFour::new(7, 6).unwrap();
    for (transcript, won_at) in [("4 3 4 3 4 3 4", 7), ("4 5 5 6 7 6 6 7 7 1 7", 11)] {
        let position = game.read_position(transcript).unwrap();
        assert_eq!(transcript.split(' ').count(), won_at);
        assert!(legal(&game, &position).is_empty());
        assert_eq!(game.outcome(&position), Outcome::FirstWins);
        let before = game.read_position(&transcript[..transcript.len() - 2]).unwrap();
        assert_eq!(legal(&game, &before).len(), 7);
    }
}

#[test]
fn connect_four_reads_transcripts_and_boards_alike() {
    let game = ConnectFour::new(7, 6).unwrap();
    let board = "......./......./......./......./...X.../..XOO..";
    let played = game.read_position("4 5 3, 4").map(|position| game.write_position(&position));
    assert_eq!(played.as_deref(), Ok("......./......./......./......./...O.../..XXO.."));
    let read = game.read_position(board).unwrap();
    assert_eq!(game.write_position(&read), board);
    assert_eq!(game.read_position("3445"), Ok(read));
}

#[test]
fn connect_four_names_what_is_wrong_with_a_position() {
    let game = ConnectFour::new(4, 4).unwrap();
    for (text, culprit, problem) in [
        ("1 2 5", "'5'", "move 3: no open column of this board (allowed: 1 2 3 4)"),
        ("1 1 1 1 1", "'1'", "move 5: no open column of this board (allowed: 2 3 4)"),
        ("0", "'0'", "move 1: no open column"),
        ("1 2 1 2 1 2 1 2", "'2'", "move 8: the game is over"),
        ("....", "'....'", "has 1 rows, the board has 4"),
        ("..../..../.../....", "'...'", "has 3 cells, the board has 4 columns"),
        ("..../..../..../..Z.", "'Z'", "is no cell"),
        ("..../..../.X../..O.", "", "a stone above an empty cell"),
        ("..../..../..../..O.", "", "has 0 X and 1 O"),
        ("..../..../OOOO/XXXX", "", "has four in a row of the player to move"),
        ("..../O.../OOOX/XXXX", "", "has four in a row that no last move completes"),
    ] {
        let refused = refusal(&game, text);
        assert!(refused.contains(culprit) && refused.contains(problem), "{text}: {refused}");
    }
}

#[test]
fn othello_goes_on_when_one_side_has_to_pass() {
    let game = Othello::new(8, Passes::Skipped).unwrap();
    let mut position = game.read_position("d3c3b3b2f5a3a1c1").unwrap();
    assert_eq!(legal(&game, &position), ["pass"]);
    assert!(!game.counts_as_ply(&position));
    let pass = game.read_move(&position, "pass").unwrap();
    game.play(&mut position, pass);
    assert_eq!(legal(&game, &position), ["e3", "f6"]);
    assert!(game.counts_as_ply(&position));
    let e3 = game.read_move(&position, "e3").unwrap();
    game.play(&mut position, e3);
    let unwritten = game.read_position("d3c3b3b2f5a3a1c1e3").unwrap();
    assert_eq!(unwritten, position);
    assert_eq!(game.read_position("D3 c3b3b2 f5a3a1c1 PASS e3").unwrap(), position);
    // The ninth disc is White's: e3 is square 8 * 2 + 4 of the text.
    assert_eq!(&game.write_position(&position)[20..=20], "O");
    assert!(game.write_position(&position).ends_with(" X"));
}

#[test]
fn othello_begins_with_the_four_moves_of_black() {
    let game = Othello::new(8, Passes::Plies).unwrap();
    let start = game.initial();
    assert_eq!(legal(&game, &start), ["d3", "c4", "f5", "e6"]);
    assert_eq!(
        game.write_position(&start),
        "---------------------------OX------XO--------------------------- X"
    );
    let small = Othello::new(4, Passes::Plies).unwrap();
    assert_eq!(small.write_position(&small.initial()), "-----OX--XO----- X");
    assert_eq!(legal(&small, &small.initial()), ["b1", "a2", "d3", "c4"]);
}

#[test]
fn othello_names_what_is_wrong_with_a_position() {
    let game = Othello::new(4, Passes::Plies).unwrap();
    for (text, problem) in [
        ("-----OX--XO-----", "'': is no side to move (allowed: X or O)"),
        ("-----OX--XO----- Z", "'Z': is no side to move"),
        ("-----OX--XO---- X", "has 15 squares, the board has 16"),
        ("-----OX--XO----? X", "'?': is no square"),
        ("------X--XO----- X", "has an empty square in the middle"),
        ("b1b1", "'b1': is not a legal move here (allowed: "),
        ("b1h8", "'h8': is not a legal move here"),
        ("pass", "'pass': is not a legal move here"),
        ("b1é", "'é': is not a legal move here"),
    ] {
        let refused = refusal(&game, text);
        assert!(refused.contains(problem), "{text}: {refused}");
    }
}

#[test]
fn tic_tac_toe_names_what_is_wrong_with_a_position() {
    for (text, problem) in [
        ("XO..X...", "has 8 cells, not 9"),
        ("XO..X.....", "has 10 cells, not 9"),
        ("XO..Z....", "'Z': is no cell"),
        ("XX.......", "has 2 X and 0 O"),
        ("O........", "has 0 X and 1 O"),
        ("XXXOO..O.", "the game was over before"),
        ("XXXOOO...", "the game was over before"),
        ("OOOXXXX..", "the game was over before"),
    ] {
        let refused = refusal(&TicTacToe, text);
        assert!(refused.contains(problem), "{text}: {refused}");
    }
    // Two lines that one move completes.
    assert!(TicTacToe.read_position("XXXXOOXOO").is_ok());
}

fn matches_known<G: Scored>(game: &G, known: &Known) {
    let tally = sweep(game);
    assert_eq!(Some(tally.games), known.leaves);
    close(known.log10_leaves, (tally.games as f64).log10(), 1e-9);
    close(known.mean_length, tally.mean_length(), 1e-9);
    close(
        known.relative_variance,
        tally.relative_variance(),
        1e-9 * (1.0 + known.relative_variance),
    );
    let share = |count: u128| count as f64 / tally.games as f64;
    let rates = [known.first_wins, known.second_wins, known.draws];
    for (rate, count) in rates.into_iter().zip(tally.results()) {
        close(rate, share(count), 1e-12);
    }
}

#[test]
fn synthetic_trees_are_as_their_closed_forms_say() {
    for branching in 1..=5 {
        for depth in 0..=9 {
            let tree = UniformTree::new(branching, depth).unwrap();
            matches_known(&tree, &tree.known());
            let comb = Comb::new(branching, depth).unwrap();
            matches_known(&comb, &comb.known());
        }
    }
}

#[test]
fn closed_forms_hold_out_beyond_the_range_of_floating_point() {
    let tree = UniformTree::new(10, 330).unwrap().known();
    assert_eq!((tree.leaves, tree.log10_leaves, tree.mean_length), (None, 330.0, 330.0));
    // b = 2: d + 1 leaves and E[X^2] = 3 * 2^d - 2.
    let comb = Comb::new(2, 40).unwrap().known();
    assert_eq!(comb.leaves, Some(41));
    let variance = (3.0 * 2f64.powi(40) - 2.0) / 41f64.powi(2) - 1.0;
    close(comb.relative_variance / variance, 1.0, 1e-12);
    // b = 3: 2^d - 1 games won and 2^d drawn.
    let comb = Comb::new(3, 2000).unwrap().known();
    assert_eq!(comb.leaves, None);
    close(comb.log10_leaves, 2001.0 * 2f64.log10(), 1e-9);
    close(comb.draws, 0.5, 1e-12);
}

#[test]
fn trees_and_boards_out_of_range_do_not_exist() {
    assert!(UniformTree::new(0, 3).is_none() && Comb::new(2, 1_000_001).is_none());
    assert!(ConnectFour::new(0, 6).is_none() && ConnectFour::new(7, 9).is_none());
    assert!(Othello::new(5, Passes::Plies).is_none() && Othello::new(10, Passes::Plies).is_none());
}
