//! Chess: published perft counts, the draw rules, and refusals.

#![allow(clippy::unwrap_used)]

use ludometer::game::{Game, Notation, Outcome, Scored, perft};
use ludometer::games::chess::Chess;

type Position = <Chess as Game>::Position;

#[test]
fn perft_counts_are_the_published_ones() {
    // Source: the perft tables of the Chess Programming Wiki, positions 1 to 6 (2 is "Kiwipete").
    let tables: [(&str, &[u64]); 6] = [
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            &[20, 400, 8902, 197_281, 4_865_609],
        ),
        (
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -",
            &[48, 2039, 97_862, 4_085_603],
        ),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", &[14, 191, 2812, 43_238, 674_624]),
        (
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            &[6, 264, 9467, 422_333],
        ),
        (
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
            &[44, 1486, 62_379, 2_103_487],
        ),
        (
            "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
            &[46, 2079, 89_890, 3_894_594],
        ),
    ];
    let game = Chess::default();
    for (fen, counts) in tables {
        let position = game.read_position(fen).unwrap();
        for (count, depth) in counts.iter().zip(1..) {
            assert_eq!(perft(&game, &position, depth), *count, "{fen} depth {depth}");
        }
    }
}

fn played(game: &Chess, start: &str, moves: &str) -> Position {
    let mut position = match start {
        "" => game.initial(),
        fen => game.read_position(fen).unwrap(),
    };
    for text in moves.split_whitespace() {
        let mv = game.read_move(&position, text).unwrap_or_else(|error| panic!("{error}"));
        game.play(&mut position, mv);
    }
    position
}

fn mobility(game: &Chess, position: &Position) -> usize {
    game.mobility(position, &mut Vec::new())
}

#[test]
fn checkmate_wins_and_stalemate_draws() {
    let game = Chess::default();
    let mated = played(&game, "", "f2f3 e7e5 g2g4 d8h4");
    assert_eq!((mobility(&game, &mated), game.outcome(&mated)), (0, Outcome::SecondWins));
    let mated = played(&game, "", "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7");
    assert_eq!((mobility(&game, &mated), game.outcome(&mated)), (0, Outcome::FirstWins));
    let stuck = game.read_position("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").unwrap();
    assert_eq!((mobility(&game, &stuck), game.outcome(&stuck)), (0, Outcome::Draw));
}

#[test]
fn the_third_occurrence_of_a_position_ends_the_game() {
    let game = Chess::default();
    let round = "g1f3 g8f6 f3g1 f6g8 ";
    let once = played(&game, "", round);
    assert_eq!(mobility(&game, &once), 20);
    assert!(once != game.initial());
    let twice = played(&game, "", &round.repeat(2));
    assert_eq!((mobility(&game, &twice), game.outcome(&twice)), (0, Outcome::Draw));
    // A pawn move between: the start has occurred twice, and cannot again.
    let anew = played(&game, "", &format!("{round}e2e4 e7e5 {round}"));
    assert!(mobility(&game, &anew) > 0);
}

#[test]
fn only_a_legal_capture_en_passant_makes_another_position() {
    let game = Chess::default();
    // After e2e4 the square e3 has been passed and nothing can capture there: the position after it
    // counts as an occurrence of the later ones.
    let round = "g8f6 g1f3 f6g8 f3g1 ";
    let twice = played(&game, "", &format!("e2e4 {}", round.repeat(2)));
    assert_eq!(mobility(&game, &twice), 0);
    // With a black pawn on d4 the capture is legal once, and the position does not come back.
    let start = "rnbqkbnr/ppp1pppp/8/8/3p4/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let captured = played(&game, start, &format!("e2e4 {}", round.repeat(2)));
    assert!(mobility(&game, &captured) > 0);
    let later = played(&game, start, &format!("e2e4 {}g8f6", round.repeat(2)));
    assert_eq!(mobility(&game, &later), 0);
    // The pawn is pinned: the capture is not legal, so the position is the same again.
    let fen = "3k4/8/8/8/3p4/8/4P3/K2R4 w - - 0 1";
    let round = "d8d7 a1a2 d7d8 a2a1 ";
    assert_eq!(mobility(&game, &played(&game, fen, &format!("e2e4 {}", round.repeat(2)))), 0);
}

#[test]
fn a_hundred_quiet_plies_are_a_draw_unless_the_last_one_mates() {
    let game = Chess::default();
    let position = played(&game, "4k3/8/8/8/8/8/8/R3K3 w - - 98 80", "a1a2");
    assert!(mobility(&game, &position) > 0);
    let position = played(&game, "4k3/8/8/8/8/8/8/R3K3 w - - 98 80", "a1a2 e8d8");
    assert_eq!((mobility(&game, &position), game.outcome(&position)), (0, Outcome::Draw));
    let mate = played(&game, "4k3/8/4K3/8/8/8/8/R7 w - - 99 80", "a1a8");
    assert_eq!((mobility(&game, &mate), game.outcome(&mate)), (0, Outcome::FirstWins));
    let pawn = played(&game, "4k3/7p/4K3/8/8/8/8/R7 b - - 99 80", "h7h6");
    assert!(mobility(&game, &pawn) > 0);
}

#[test]
fn dead_material_is_a_draw_and_no_other() {
    let game = Chess::default();
    for (placement, dead) in [
        ("4k3/8/8/8/8/8/8/4K3", true),
        ("4k3/8/8/8/8/8/8/4KN2", true),
        ("4kb2/8/8/8/8/8/8/4K3", true),
        // Bishops of both sides on dark squares, then on both colours.
        ("4kb2/8/8/8/8/8/8/2B1K3", true),
        ("4k1b1/8/8/8/8/8/8/2B1K3", false),
        ("4k3/8/8/8/8/8/8/4KNN1", false),
        ("4kn2/8/8/8/8/8/8/4KN2", false),
        ("4kn2/8/8/8/8/8/8/4KB2", false),
        ("4k3/7p/8/8/8/8/8/4K3", false),
        ("4k3/7r/8/8/8/8/8/4K3", false),
        ("4k3/7q/8/8/8/8/8/4K3", false),
    ] {
        let position = game.read_position(&format!("{placement} w - - 0 1")).unwrap();
        assert_eq!(mobility(&game, &position) == 0, dead, "{placement}");
    }
}

#[test]
fn the_ply_cap_stops_a_game_and_is_part_of_the_position() {
    let game = Chess::new(Some(6));
    let position = played(&game, "", "e2e4 e7e5 g1f3 b8c6 f1b5");
    assert!(mobility(&game, &position) > 0);
    let position = played(&game, "", "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6");
    assert_eq!((mobility(&game, &position), game.outcome(&position)), (0, Outcome::Draw));
    // The number of the move in a FEN tells how many plies are left.
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0";
    let read = |number: u32| game.read_position(&format!("{start} {number}")).unwrap();
    assert_eq!(mobility(&game, &read(3)), 20);
    assert_eq!(mobility(&game, &read(4)), 0);
    assert!(read(1) != read(2));
    let free = Chess::default();
    let read = |number: u32| free.read_position(&format!("{start} {number}")).unwrap();
    assert!(read(1) == read(2));
    let mate = played(&Chess::new(Some(4)), "", "f2f3 e7e5 g2g4 d8h4");
    assert_eq!(game.outcome(&mate), Outcome::SecondWins);
}

#[test]
fn moves_are_listed_by_square_and_written_as_in_uci() {
    let game = Chess::default();
    let listed = |fen: &str| {
        let position = game.read_position(fen).unwrap();
        let mut moves = Vec::new();
        game.legal_moves(&position, &mut moves);
        let texts: Vec<String> = moves.iter().map(|mv| game.write_move(&position, *mv)).collect();
        texts.join(" ")
    };
    assert_eq!(
        listed("4k3/P7/8/8/8/8/8/4K2R w K - 0 1"),
        "e1d1 e1f1 e1g1 e1d2 e1e2 e1f2 h1f1 h1g1 h1h2 h1h3 h1h4 h1h5 h1h6 h1h7 h1h8 \
         a7a8n a7a8b a7a8r a7a8q"
    );
    let castled = played(&game, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1c1 e8g8");
    assert_eq!(game.write_position(&castled), "r4rk1/8/8/8/8/8/8/2KR3R w - - 2 2");
    let start = game.initial();
    for text in ["e2e5", "e1h1", "e2e4q", "E2E4", "e4", ""] {
        assert!(game.read_move(&start, text).is_err(), "{text}");
    }
    let both = game.read_position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap();
    assert!(game.read_move(&both, "e1h1").is_err() && game.read_move(&both, "e1g1").is_ok());
}

#[test]
fn chess_names_what_is_wrong_with_a_fen() {
    let game = Chess::default();
    for (text, problem) in [
        ("8/8/8/8 w - - 0 1", "'8/8/8/8': has 4 ranks, not 8"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0", "has 5 fields, not 6 or 4"),
        ("4k3/8/8/8/8/8/8/8 w - - 0 1", "is no placement"),
        ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "'x': is no side to move"),
        ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "'K': are no castling rights of this placement"),
        ("4k3/8/8/8/8/8/8/5K1R w K - 0 1", "'K': are no castling rights: the king"),
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "'e6': is no square passed"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 101 1", "'101': is no number of plies"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 0", "'0': is no number of the move"),
    ] {
        let error = match game.read_position(text) {
            Ok(position) => panic!("'{text}' was read as {}", game.write_position(&position)),
            Err(error) => error.to_string(),
        };
        assert!(error.contains(problem), "{text}: {error}");
    }
}
