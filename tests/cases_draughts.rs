//! Public bug reports about other checkers and draughts programs, reconstructed: the inputs and the
//! right answers, through the library's public interface. Each test names the reports it rebuilds
//! (repository#issue). Expected values: two independent generators that agree with the published
//! perft tables, unless a comment says otherwise.
#![allow(clippy::unwrap_used)]

use std::collections::HashSet;

use ludometer::game::{Game, Notation, NotationError, Outcome, Scored, perft};
use ludometer::games::draughts::draw::{Adjudicated, DrawRule, Drawn};
use ludometer::games::draughts::{
    B6, B8, B10, B12, B14, Board, Checkers, Draughts, Duplicates, International, Position, Rules,
};

type English8 = Draughts<Checkers, B8>;
type International10 = Draughts<International, B10>;

fn english8() -> English8 {
    Draughts::new(Duplicates::Drop)
}

fn international10() -> International10 {
    Draughts::new(Duplicates::Drop)
}

/// The legal moves of `fen` as written, in alphabetical order.
fn written<R: Rules, B: Board>(game: &Draughts<R, B>, fen: &str) -> Vec<String> {
    let position = game.read_position(fen).unwrap();
    let mut moves = Vec::new();
    game.legal_moves(&position, &mut moves);
    let mut texts: Vec<String> = moves.iter().map(|mv| game.write_move(&position, *mv)).collect();
    texts.sort();
    texts
}

/// The position after the moves `texts`.
fn played<R: Rules, B: Board>(game: &Draughts<R, B>, fen: &str, texts: &str) -> Position<B> {
    let mut position = game.read_position(fen).unwrap();
    for text in texts.split_whitespace() {
        let mv = game.read_move(&position, text).unwrap();
        game.play(&mut position, mv);
    }
    position
}

fn refused<R: Rules, B: Board>(game: &Draughts<R, B>, fen: &str, text: &str) -> NotationError {
    let position = game.read_position(fen).unwrap();
    let error = game.read_move(&position, text).expect_err(text);
    assert_eq!(error.token, text);
    error
}

fn winner_is_second<R: Rules, B: Board>(game: &Draughts<R, B>, position: &Position<B>) -> bool {
    assert_eq!(game.mobility(position, &mut Vec::new()), 0);
    match game.outcome(position) {
        Outcome::FirstWins => false,
        Outcome::SecondWins => true,
        Outcome::Draw => panic!("a blocked side has lost"),
    }
}

/// google-deepmind/open_spiel#1460.
#[test]
fn a_capture_of_three_is_one_move_and_no_part_of_it_is_legal() {
    let (game, fen) = (english8(), "B:W11,19,27:B7");
    assert_eq!(written(&game, fen), ["7x32"]);
    refused(&game, fen, "7x16");
    refused(&game, fen, "7x23");
    refused(&game, fen, "7x16x23");
    for text in ["7x32", "7x16x23x32", "7:16:23:32"] {
        let end = played(&game, fen, text);
        assert_eq!(game.write_position(&end), "W:W:BK32");
        // Black, who moves first in checkers, has won.
        assert!(!winner_is_second(&game, &end));
    }
}

/// jau35/CS451#61; WCDF 1.19.
#[test]
fn in_checkers_crowning_ends_the_move() {
    let (game, fen) = (english8(), "W:W11:B6,7");
    assert_eq!(written(&game, fen), ["11x2"]);
    assert_eq!(game.write_position(&played(&game, fen, "11x2")), "B:WK2:B6");
    refused(&game, fen, "11x2x9");
}

/// techwithtim/Python-Checkers-AI#2.
#[test]
fn a_double_capture_may_land_on_the_edge() {
    let game = english8();
    for (fen, long, short) in
        [("W:W18:B6,14", "18x9x2", "18x2"), ("B:W27,19:B15", "15x24x31", "15x31")]
    {
        assert_eq!(written(&game, fen), [short]);
        assert_eq!(played(&game, fen, long), played(&game, fen, short));
    }
}

/// Mind-Sports-Games/lila PR#274 and PR#412; FMJD 4.13, 4.14.
#[test]
fn the_most_pieces_are_captured_and_equals_are_a_free_choice() {
    let game = international10();
    let kings = "W:W33,K46:B8,19,28,37";
    assert_eq!(written(&game, kings), ["46x10", "46x14", "46x5"]);
    for long in ["46x32x23x5", "46x32x23x10", "46x32x23x14"] {
        let end = game.write_position(&played(&game, kings, long));
        assert!(end.ends_with(":B8"), "{long} takes 19, 28 and 37: {end}");
    }
    refused(&game, kings, "33x22");
    let men = "W:W32,33:BK27,28,K29";
    assert_eq!(written(&game, men), ["32x34", "33x31"]);
    assert_eq!(game.write_position(&played(&game, men, "32x23x34")), "B:W33,34:BK27");
    assert_eq!(game.write_position(&played(&game, men, "33x22x31")), "B:W31,32:BK29");
}

/// SecUSo/privacy-friendly-dame#20.
#[test]
fn two_pieces_in_a_row_block_a_king() {
    let game = international10();
    let position = game.read_position("W:WK46:B37,41").unwrap();
    assert!(winner_is_second(&game, &position), "White, the first mover, has lost");
    refused(&game, "W:WK46:B37,41", "46x32");
    let game = english8();
    let position = game.read_position("W:WK29:B22,25").unwrap();
    assert!(!winner_is_second(&game, &position), "Black, the first mover, has won");
    refused(&game, "W:WK29:B22,25", "29x18");
}

/// shubhendusaurabh/draughts.js#4.
#[test]
fn a_flying_king_moves_to_each_free_square_once_and_never_to_its_own() {
    assert_eq!(
        written(&international10(), "B:WK1,K2,14,16,31,37,42:BK49"),
        ["49-21", "49-27", "49-32", "49-35", "49-38", "49-40", "49-43", "49-44"]
    );
}

/// loks0n/rapid-draughts#1; wiegerw/pdn doc/gametype. First-ply counts: dctl's perft tables.
#[test]
fn every_board_starts_with_two_empty_rows_and_its_own_numbers() {
    fn start<R: Rules, B: Board>(fen: &str, men: u32, mobility: usize) {
        let game = Draughts::<R, B>::new(Duplicates::Drop);
        let position = game.initial();
        assert_eq!(game.read_position(fen), Ok(position));
        let text = game.write_position(&position);
        assert_eq!(text.matches(',').count() as u32, 2 * men - 2, "{text}");
        assert_eq!(game.mobility(&position, &mut Vec::new()), mobility);
    }
    start::<Checkers, B6>("B:W13-18:B1-6", 6, 5);
    start::<Checkers, B8>("B:W21-32:B1-12", 12, 7);
    start::<International, B6>("W:W13-18:B1-6", 6, 5);
    start::<International, B8>("W:W21-32:B1-12", 12, 7);
    start::<International, B10>("W:W31-50:B1-20", 20, 9);
    start::<International, B12>("W:W43-72:B1-30", 30, 11);
    start::<International, B14>("W:W57-98:B1-42", 42, 13);
}

/// Square 1 is the left-most dark square of the top row and the bottom left corner is dark, so the
/// two neighbours of these squares are fixed (FMJD 2.4, 2.6).
#[test]
fn squares_are_numbered_row_by_row_from_the_top_left() {
    assert_eq!(written(&international10(), "B:W50:B1"), ["1-6", "1-7"]);
    assert_eq!(written(&international10(), "W:W46:B5"), ["46-41"]);
    assert_eq!(written(&english8(), "B:W32:B4"), ["4-8"]);
    let game = Draughts::<International, B14>::new(Duplicates::Drop);
    assert_eq!(written(&game, "W:W92:B1"), ["92-85"]);
    assert_eq!(written(&game, "W:W98:B1"), ["98-90", "98-91"]);
}

/// miskibin/py-draughts#33 and PR#35.
#[test]
fn broken_fen_is_refused_with_the_offending_token() {
    fn refuses<R: Rules, B: Board>(fen: &str, token: &str) {
        let game = Draughts::<R, B>::new(Duplicates::Drop);
        let error = game.read_position(fen).expect_err(fen);
        assert_eq!(error.token, token, "{fen}: {error}");
        assert!(!error.problem.is_empty());
    }
    refuses::<International, B10>("W:WK4,WK5,55:B4", "WK5");
    refuses::<International, B10>("W:W5:B5", "5");
    refuses::<International, B10>("W:WK5:B5", "5");
    refuses::<International, B10>("W:W5,5:B1", "5");
    refuses::<International, B10>("W:W25,25:B1", "25");
    refuses::<International, B10>("W:W0:B1", "0");
    refuses::<International, B10>("W:W31-28:B1", "31-28");
    refuses::<Checkers, B8>("B:W33:B1", "33");
    refuses::<International, B10>("W:W3x:B1", "3x");
    refuses::<International, B10>("", "");
    refuses::<International, B10>("X:W5:B1", "X");
    refuses::<International, B10>("W:W6,:B1", "");
    refuses::<International, B10>("W", "W");
    refuses::<International, B10>("W:W3 1:B1,2", "3 1");
    refuses::<International, B10>("W:W31:B1 2", "1 2");
    refuses::<International, B10>("W:W31:W B1", "W B1");
    // A man that has reached its last row is a king (FMJD 3.5).
    refuses::<International, B10>("W:W31:B46", "46");
}

/// wiegerw/pdn doc/fen; AttackingOrDefending/pydraughts tests.
#[test]
fn every_valid_spelling_of_a_position_is_read() {
    let game = international10();
    for fen in [
        "W:W31-50:B1-20",
        "W:B1-20:W31-50",
        "W : W31 - 50 : B 1-19, 20 .",
        "W:W31-50:B1-20.",
        "W:W31-50:B1-20:H0:F1",
        " W : W31-50 : B1-20 ",
    ] {
        assert_eq!(game.read_position(fen), Ok(game.initial()), "{fen}");
    }
    let game = english8();
    let position = game.read_position("B:W12,13,K8:B6,3,K1.").unwrap();
    assert_eq!(game.write_position(&position), "B:WK8,12,13:BK1,3,6");
    // A K before a range makes all of it kings (PDN 3.0).
    let kings = game.read_position("W:WK29-32:BK1-2").unwrap();
    assert_eq!(game.write_position(&kings), "W:WK29,K30,K31,K32:BK1,K2");
}

/// RoepStoep/lidraughts#16; miskibin/py-draughts#29.
#[test]
fn a_capture_with_several_meanings_is_written_long_and_refused_short() {
    let (game, fen) = (english8(), "W:W18:B6,7,14,15");
    assert_eq!(written(&game, fen), ["18x11x2", "18x9x2"]);
    let error = refused(&game, fen, "18x2");
    assert!(error.allowed.contains("18x11x2") && error.allowed.contains("18x9x2"), "{error}");
    assert_eq!(game.write_position(&played(&game, fen, "18x9x2")), "B:WK2:B7,15");
    assert_eq!(game.write_position(&played(&game, fen, "18x11x2")), "B:WK2:B6,14");

    let (game, fen) = (international10(), "W:WK4:B13,20,32,37");
    assert_eq!(written(&game, fen), ["4x27x38x15", "4x31x42x15"]);
    let error = refused(&game, fen, "4x15");
    assert!(error.allowed.contains("4x27x38x15") && error.allowed.contains("4x31x42x15"));
    assert_eq!(game.write_position(&played(&game, fen, "4x27x38x15")), "B:WK15:B37");
    assert_eq!(game.write_position(&played(&game, fen, "4x31x42x15")), "B:WK15:B32");
}

/// A single jump has no longer form, so its two squares name it even where a tour ends there too.
#[test]
fn a_single_jump_beside_a_tour_with_the_same_ends_can_be_read_back() {
    let (game, fen) = (english8(), "W:WK11:B6,7,13,14,15,16,K30");
    let texts = written(&game, fen);
    assert!(texts.contains(&"11x20".to_owned()), "{texts:?}");
    assert!(texts.contains(&"11x2x9x18x11x20".to_owned()), "{texts:?}");
    let jump = game.write_position(&played(&game, fen, "11x20"));
    assert_eq!(jump, "B:WK20:B6,7,13,14,15,K30");
}

/// A written zero belongs to the square in some lists (dctl, PDN files).
#[test]
fn squares_with_leading_zeros_are_read() {
    let game = international10();
    assert_eq!(played(&game, "W:W8:BK50", "08-02"), played(&game, "W:W8:BK50", "8-2"));
}

/// techwithtim/Python-Checkers#9; ImparaAI/checkers PR#12; ealt/Checkers#7.
#[test]
fn only_the_side_to_move_can_lose_by_immobility() {
    let game = english8();
    let blocked = game.read_position("W:W12:B3,8").unwrap();
    assert!(!winner_is_second(&game, &blocked), "White is blocked and has lost");
    assert_eq!(written(&game, "B:W12:B3,8"), ["3-7", "8-11"]);
    // Black wins in three plies by 8-11.
    assert_eq!(
        written(&game, &game.write_position(&played(&game, "B:W12:B3,8", "8-11"))),
        ["12-8"]
    );
    let won = played(&game, "B:W12:B3,8", "8-11 12-8 3x12");
    assert!(!winner_is_second(&game, &won));
}

/// pychess/pychess#567; edre/nokamute#5; littlegolem.net forum topic 17 (board 300).
#[test]
fn a_repetition_counts_the_start_and_need_not_be_consecutive() {
    let game =
        Adjudicated::<Checkers, B8>::new(Duplicates::Drop, DrawRule::parse("threefold").unwrap());
    let mut position = game.read_position("W:WK32:BK1").unwrap();
    let moves = "32-27 1-5 27-32 5-1 32-28 1-5 28-32 5-1";
    for (ply, text) in moves.split(' ').enumerate() {
        assert_eq!(position.drawn(), None, "after {ply} plies");
        let mv = game.read_move(&position, text).unwrap();
        game.play(&mut position, mv);
    }
    assert_eq!(position.drawn(), Some(Drawn::Repetition));
    assert_eq!(game.mobility(&position, &mut Vec::new()), 0);
    assert_eq!(game.outcome(&position), Outcome::Draw);
}

/// bcorfman/raven-checkers#8. 6x6 and 8x8: dctl, OEIS A133046; the rest: two own programs.
#[test]
fn perft_of_checkers_is_right_on_every_board_from_depth_0() {
    fn counts<B: Board>(expected: &[u64]) {
        let game = Draughts::<Checkers, B>::new(Duplicates::Keep);
        let start = game.initial();
        let counted: Vec<u64> =
            (0..expected.len() as u32).map(|depth| perft(&game, &start, depth)).collect();
        assert_eq!(counted, expected, "{0}x{0}", B::N);
    }
    counts::<B6>(&[1, 5, 25, 106, 369, 1271]);
    counts::<B8>(&[1, 7, 49, 302, 1469, 7361, 36768, 179_740, 845_931, 3_963_680]);
    counts::<B10>(&[1, 9, 81, 658, 4265, 26875]);
    counts::<B12>(&[1, 11, 121, 1222, 10053, 78629]);
    counts::<B14>(&[1, 13, 169, 2042, 20513, 194_687]);
}

/// edre/minimax-rs#6; openingtree/openingtree#216: a state is all pieces and the side to move.
#[test]
fn distinct_positions_after_each_ply_are_counted_once() {
    let game = english8();
    let mut level = HashSet::from([game.initial()]);
    let mut moves = Vec::new();
    let mut counts = vec![1];
    for _ in 1..=7 {
        let mut next = HashSet::new();
        for position in &level {
            game.legal_moves(position, &mut moves);
            for mv in &moves {
                let mut child = *position;
                game.play(&mut child, *mv);
                next.insert(child);
            }
        }
        counts.push(next.len());
        level = next;
    }
    assert_eq!(counts, [1, 7, 49, 216, 805, 2733, 9105, 28123]);
}
