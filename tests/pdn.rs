//! Games of draughts as text: what public bug reports asked for, and real collections.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;

use ludometer::game::{Game, Notation};
use ludometer::games::catalog::{DraughtsVisitor, GameSpec, Parameters};
use ludometer::games::draughts::{
    B6, B8, B10, Board, Checkers, Draughts, Duplicates, International, Rules, Side,
};
use ludometer::pdn::{
    GameResult, Item, Record, Replay, Source, TextGame, Warning, push_record, push_text_game,
    replay, respell,
};

type English = Draughts<Checkers, B8>;

fn source(text: &str) -> Source {
    Source::new(text.as_bytes().to_vec())
}

/// Every game of a text with what became of it, and all warnings.
fn play<R: Rules, B: Board>(text: &str) -> (Vec<Replay<B>>, Vec<Warning>) {
    let game = Draughts::<R, B>::new(Duplicates::Drop);
    let source = source(text);
    let mut warnings = Vec::new();
    let replays = source
        .games()
        .map(|text| {
            let replay = replay(&game, &source, &text).unwrap();
            warnings.extend(text.warnings.iter().cloned());
            warnings.extend(replay.warnings.iter().cloned());
            replay
        })
        .collect();
    (replays, warnings)
}

/// The only game of a text.
fn one<R: Rules, B: Board>(text: &str) -> (Record<B>, Vec<Warning>) {
    let (mut games, warnings) = play::<R, B>(text);
    assert_eq!(games.len(), 1, "{text}");
    let game = games.remove(0);
    assert!(game.whole, "{text}: {warnings:?}");
    (game.record, warnings)
}

/// The position after the last move.
fn end<R: Rules, B: Board>(record: &Record<B>) -> String {
    let game = Draughts::<R, B>::new(Duplicates::Drop);
    let mut position = record.start;
    record.moves.iter().for_each(|mv| game.play(&mut position, *mv));
    game.write_position(&position)
}

fn shown(warnings: &[Warning]) -> Vec<String> {
    warnings.iter().map(ToString::to_string).collect()
}

/// wiegerw/pdn, issues of parsing: separator of games (1).
#[test]
fn a_star_is_a_mark_when_glued_to_a_move_and_an_end_when_alone() {
    let (record, warnings) = one::<International, B10>("1. 32-28* 19-23 *");
    assert_eq!(record.moves.len(), 2);
    assert_eq!(record.result, GameResult::Unfinished);
    assert_eq!(
        end::<International, B10>(&record),
        "W:W28,31,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50:\
         B1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,20,23"
    );
    assert_eq!(shown(&warnings), [""; 0]);
    let (games, warnings) = play::<International, B10>("1. 32-28 * 1. 31-27 *");
    let lengths: Vec<usize> = games.iter().map(|game| game.record.moves.len()).collect();
    assert_eq!(lengths, [1, 1]);
    assert!(games.iter().all(|game| game.record.result == GameResult::Unfinished));
    assert_eq!(shown(&warnings), [""; 0]);
}

/// wiegerw/pdn, games variation.pdn and movestrength.pdn.
#[test]
fn variations_marks_glyphs_and_comments_stay_out_of_the_main_line() {
    let text = "1. 32-28!? $1 19-23(!?!!!) (18-23 38-32 (37-32? 23-29! {Black wins}) 12-18) \
                2. 28x19 14x23 {end} *";
    let (games, warnings) = play::<International, B10>(text);
    assert_eq!(shown(&warnings), [""; 0]);
    assert_eq!(games[0].variation_plies, 5);
    assert_eq!(games[0].record.moves.len(), 4);
    assert_eq!(
        end::<International, B10>(&games[0].record),
        "W:W31,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50:\
         B1,2,3,4,5,6,7,8,9,10,11,12,13,15,16,17,18,20,23"
    );
    let source = source(text);
    let game = source.games().next().unwrap();
    let strengths: Vec<&str> = game
        .items
        .iter()
        .filter_map(|item| match item {
            Item::Move { strength, .. } => *strength,
            _ => None,
        })
        .collect();
    assert_eq!(strengths, ["!?", "(!?!!!)", "?", "!"]);
    assert!(game.items.contains(&Item::Nag(1)) && game.items.contains(&Item::Comment("end")));
}

/// wiegerw/pdn, games Cat.A1.pdn and windragon.pdn.
#[test]
fn dots_in_place_of_a_move_add_no_ply() {
    for moves in [
        "1. ... 7-12 2. 8x17 *",
        "1... 7-12 2. 8x17 *",
        "1.... 7-12 8x17 *",
        "1. … 7-12 2.8x17 77. ... {note} *",
        "7-12 8x17 77. ... *",
    ] {
        let text = format!("[FEN \"B:W8,25,30:B7,15,18\"]\n\n{moves}");
        let (record, warnings) = one::<International, B10>(&text);
        assert_eq!(record.moves.len(), 2, "{moves}");
        assert_eq!(end::<International, B10>(&record), "B:W17,25,30:B15,18", "{moves}");
        assert_eq!(shown(&warnings), [""; 0], "{moves}");
    }
}

/// RoepStoep/lidraughts#16, miskibin/py-draughts#29.
#[test]
fn a_short_capture_with_several_meanings_is_an_error_that_lists_them() {
    fn check<R: Rules, B: Board>(fen: &str, short: &str, long: [&str; 2]) {
        let (games, warnings) = play::<R, B>(&format!("[FEN \"{fen}\"]\n1. {short} *"));
        assert!(!games[0].whole && games[0].record.moves.is_empty());
        assert_eq!(
            shown(&warnings),
            [format!(
                "game 1, line 2, column 4: move 1: '{short}': an ambiguous capture (allowed: {} {})",
                long[0], long[1]
            )]
        );
        let game = Draughts::<R, B>::new(Duplicates::Drop);
        for long in long {
            let (record, warnings) = one::<R, B>(&format!("[FEN \"{fen}\"]\n1. {long} *"));
            assert_eq!(shown(&warnings), [""; 0]);
            let mut text = String::new();
            push_record(&game, &record, &mut text);
            assert!(text.contains(&format!(" {long} *\n")), "{text}");
        }
    }
    check::<Checkers, B8>("W:W18:B6,7,14,15", "18x2", ["18x9x2", "18x11x2"]);
    check::<International, B10>("W:WK4:B13,20,32,37", "4x15", ["4x27x38x15", "4x31x42x15"]);
}

/// The capture takes 6 and 14 or 7 and 15; Black can answer with 15-18 only if 15 is still there.
#[test]
fn the_moves_that_follow_may_decide_a_capture() {
    let fen = "[FEN \"W:W18:B6,7,14,15\"]\n";
    let (record, warnings) = one::<Checkers, B8>(&format!("{fen}1. 18x2 15-18 2. 2x11 *"));
    assert_eq!(end::<Checkers, B8>(&record), "B:WK11:B18");
    assert_eq!(
        shown(&warnings),
        ["game 1, line 2, column 4: '18x2': an ambiguous capture \
          (allowed: 18x9x2 18x11x2); decided by the moves that follow"]
    );
    // Neither capture lets 1-5 be made.
    let (games, _) = play::<Checkers, B8>(&format!("{fen}1. 18x2 1-5 *"));
    assert!(!games[0].whole);
}

/// PDN 2.0 draft, results; wiegerw/pdn, games goulds.pdn.
#[test]
fn the_first_score_is_that_of_the_first_mover() {
    let (record, warnings) = one::<Checkers, B8>("[FEN \"W:W12:B3,8\"]\n1-0");
    assert_eq!(record.result, GameResult::Won(Side::Black));
    assert_eq!(shown(&warnings), [""; 0]);
    let moves = "1. 5-7 15-12 2. 2-5 12-9 3. 7-11 14x7x2 4. 1-5 2x7 5. 4x11 9x2 6. 3-6 13x8x3";
    let (record, warnings) = one::<Checkers, B6>(&format!("{moves} 0-1"));
    assert_eq!((record.moves.len(), record.result), (12, GameResult::Won(Side::White)));
    assert_eq!(end::<Checkers, B6>(&record), "B:WK2,K3,16,17,18:B");
    assert_eq!(shown(&warnings), [""; 0]);
    for (score, result) in [
        ("2-0", GameResult::Won(Side::White)),
        ("1-0", GameResult::Won(Side::White)),
        ("0-2", GameResult::Won(Side::Black)),
        ("1-1", GameResult::Draw),
        ("1/2-1/2", GameResult::Draw),
        ("½-½", GameResult::Draw),
        ("1/2", GameResult::Draw),
        ("0-0", GameResult::DoubleForfeit),
        ("*", GameResult::Unfinished),
    ] {
        for text in [format!("1. 32-28 19-23 {score}"), format!("[Result \"{score}\"]\n1. 32-28 *")]
        {
            let (record, warnings) = one::<International, B10>(&text);
            assert_eq!(record.result, result, "{text}");
            assert_eq!(shown(&warnings), [""; 0], "{text}");
        }
    }
}

#[test]
fn a_result_that_the_board_contradicts_is_noticed() {
    for score in ["0-1", "1/2-1/2", "0-0"] {
        let (_, warnings) = one::<Checkers, B8>(&format!("[FEN \"W:W12:B3,8\"]\n{score}"));
        let expected = format!(
            "game 1, line 1, column 1: the result is {score}, but White to move has no move and has lost"
        );
        assert_eq!(shown(&warnings), [expected]);
    }
    // Only the side to move loses by having no move.
    let (_, warnings) = one::<Checkers, B8>("[FEN \"B:W12:B3,8\"]\n1/2-1/2");
    assert_eq!(shown(&warnings), [""; 0]);
}

/// scalachess PR#350, lc0 PR#1647; wiegerw/pdn, games linecomment.pdn.
#[test]
fn byte_order_marks_and_line_ends_leave_no_trace() {
    let windows =
        "\u{feff}[Event \"x\"]\r\n[Result \"*\"]\r\n\r\n% line comment 9-9\r\n1. 32-28 19-23 *\r\n";
    for text in [windows.to_owned(), windows.replace("\r\n", "\n"), windows.replace("\r\n", "\r")] {
        let (record, warnings) = one::<International, B10>(&text);
        assert_eq!(record.tag("Event"), Some("x"));
        assert_eq!(record.moves.len(), 2);
        assert_eq!(shown(&warnings), [""; 0]);
    }
}

/// openingtree#216, #220: both games meet after three plies.
#[test]
fn games_of_one_text_that_transpose_meet_in_one_position() {
    let text = "1. 9-13 21-17 2. 12-16 17-14 1-0\n1. 12-16 21-17 2. 9-13 24-20 0-1";
    let (games, _) = play::<Checkers, B8>(text);
    let after = |replay: &Replay<B8>| {
        let game = English::new(Duplicates::Drop);
        let mut position = replay.record.start;
        replay.record.moves[..3].iter().for_each(|mv| game.play(&mut position, *mv));
        game.write_position(&position)
    };
    let meeting = "W:W17,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,10,11,13,16";
    assert_eq!([after(&games[0]), after(&games[1])], [meeting, meeting]);
    assert_eq!(games[0].record.result, GameResult::Won(Side::Black));
    assert_eq!(games[1].record.result, GameResult::Won(Side::White));
}

/// Each text with the warnings it must give, and the moves that must be read all the same.
#[test]
fn what_is_wrong_is_named_with_its_place_and_the_rest_is_read() {
    let cases: [(&str, usize, &[&str]); 19] = [
        ("1. 32-28 19-23", 2, &["line 1, column 10: the game ends without a result"]),
        ("32-28 oops 19-23 *", 2, &["line 1, column 7: 'oops' is not understood and left out"]),
        ("32-28 ! 19-23 *", 2, &[]),
        ("! 32-28 *", 1, &["line 1, column 1: the marks '!' belong to no move and are left out"]),
        ("32-28 19-23 ) 2. 28x19 *", 3, &["line 1, column 13: ')' closes no variation"]),
        ("32-28 (31-27 (33-29 *", 1, &["line 1, column 7: 2 variations are left open"]),
        (
            "32-28 {open 19-23 *",
            1,
            &[
                "line 1, column 7: the comment is not closed",
                "line 1, column 7: the game ends without a result",
            ],
        ),
        (
            "[Event \"a]\n32-28 *",
            1,
            &["line 1, column 1: the tag Event has a quote or bracket too few or too many"],
        ),
        (
            "[Event \"a \"b\" c\"]\n32-28 *",
            1,
            &["line 1, column 1: the tag Event has a quote or bracket too few or too many"],
        ),
        ("[Event \"a\"]\n[Event \"b\"]\n32-28 *", 1, &["line 2, column 1: a second tag Event"]),
        (
            "[Result \"1-0\"]\n32-28 0-1",
            1,
            &["line 2, column 7: the tag Result says '1-0' and the end of the moves '0-1'"],
        ),
        ("32-28 1-0 0-1", 1, &["line 1, column 11: a second result, '0-1'"]),
        (
            "32-28 12-0",
            1,
            &["line 1, column 7: '12-0' is no known result; the game counts as unfinished"],
        ),
        (
            "[Result \"4-6\"]\n32-28 4-6",
            1,
            &["line 1, column 1: '4-6' is no known result; the game counts as unfinished"],
        ),
        (
            "32x28 19-23 *",
            2,
            &["line 1, column 1: '32x28' is written with a wrong separator or none"],
        ),
        (
            "3228 1923 28-19 *",
            3,
            &[
                "line 1, column 1: '3228' is written with a wrong separator or none",
                "line 1, column 6: '1923' is written with a wrong separator or none",
                "line 1, column 11: '28-19' is written with a wrong separator or none",
            ],
        ),
        (
            "32-28 19-23 28x24x19 *",
            3,
            &["line 1, column 13: '28x24x19' does not go by these squares; taken for the only \
             capture with its ends"],
        ),
        ("32-28 $99999 19-23 *", 2, &["line 1, column 7: '$' is not understood and left out"]),
        (
            "32-28 19-23 /W:W28:B23/ 28x19 *",
            2,
            &[
                "line 1, column 13: a position set up in the middle of the moves: what follows it is \
             not replayed",
            ],
        ),
    ];
    for (text, plies, expected) in cases {
        let (games, warnings) = play::<International, B10>(text);
        assert_eq!(games.len(), 1, "{text}");
        assert_eq!(games[0].record.moves.len(), plies, "{text}: {warnings:?}");
        let expected: Vec<String> = expected.iter().map(|what| format!("game 1, {what}")).collect();
        assert_eq!(shown(&warnings), expected, "{text}");
    }
}

#[test]
fn no_game_hides_in_another() {
    let texts = [
        ("[Event \"a\"]\n\n1. 32-28\n\n[Event \"b\"]\n\n1. 31-27 *", [1, 1]),
        ("[Event \"a\"]\n\n1. 32-28 {never closed\n\n[Event \"b\"]\n\n1. 31-27 {x} *", [1, 1]),
        (
            "[Event \"a\"]\n[Result \"1-0\"]\n\n[Event \"b\"]\n[Result \"1-0\"]\n1. 31-27 1-0",
            [0, 1],
        ),
        ("[Event \"a\"]\n{only a comment}\n[Event \"b\"]\n1. 31-27 1-0", [0, 1]),
        ("[Event \"a\"]\n1. 32-28 (31-27\n[Event \"b\"]\n1. 31-27 1-0", [1, 1]),
        ("[Event \"a\n1. 32-28 *\n[Event \"b\"]\n1. 31-27 1-0", [1, 1]),
        ("1. 32-28 1-0 {resigns}\n[Event \"b\"]\n1. 31-27 0-1", [1, 1]),
    ];
    for (text, lengths) in texts {
        let (games, _) = play::<International, B10>(text);
        let found: Vec<usize> = games.iter().map(|game| game.record.moves.len()).collect();
        assert_eq!(found, lengths, "{text}");
    }
}

/// 6x6: the same two moves under every numbering that the tag can name.
#[test]
fn squares_may_be_numbered_from_any_corner_or_have_letters() {
    let moves = [
        ("20,W,6,6,N2,0", "13-10 6-9"),
        ("20,W,6,6,N1,0", "6-9 13-10"),
        ("20,W,6,6,N0,0", "4-7 15-12"),
        ("20,W,6,6,N3,0", "15-12 4-7"),
        ("20,W,6,6,A0,0", "b2-a3 e5-f4"),
        ("20,W,6,6,N2,0", "b2a3 e5f4"),
        ("20,W,6,6,A3,0", "e5-f4 b2-a3"),
    ];
    let ends: Vec<String> = moves
        .iter()
        .map(|(game_type, moves)| {
            let text = format!("[GameType \"{game_type}\"]\n{moves} *");
            let (record, warnings) = one::<International, B6>(&text);
            assert_eq!(shown(&warnings), [""; 0], "{text}");
            end::<International, B6>(&record)
        })
        .collect();
    assert_eq!(ends[0], "W:W10,14,15,16,17,18:B1,2,3,4,5,9");
    assert!(ends.iter().all(|end| *end == ends[0]), "{ends:?}");
}

#[test]
fn a_position_among_the_moves_before_the_first_is_the_start() {
    let text = "/FEN \"B:W8,25,30:B7,15,18\"/ 1... 7-12 2. 8x17 *";
    let (record, warnings) = one::<International, B10>(text);
    assert_eq!(end::<International, B10>(&record), "B:W17,25,30:B15,18");
    assert_eq!(shown(&warnings), [""; 0]);
    let source = source(text);
    let game = source.games().next().unwrap();
    let rules = Draughts::<International, B10>::new(Duplicates::Drop);
    let mut written = String::new();
    push_text_game(&game, Some(&respell(&rules, &source, &game).unwrap().1), &mut written);
    assert_eq!(
        written,
        "[Result \"*\"]\n[GameType \"20,W,10,10,N2,0\"]\n[SetUp \"1\"]\n[FEN \"B:W8,25,30:B7,15,18\"]\n\n\
         1... 7-12 2. 8x17 *\n\n"
    );
}

#[test]
fn comments_marks_and_variations_are_written_where_they_stood() {
    let text = "[Event \"x\"]\n\n{first} 1. 32-28! $4 (1. 31-27 {a} 19-23 (1... 20-25) 2. 27-22) \
                19-23?? {b} 2. 28x19 ; to } the end\n14x23 *";
    let source = source(text);
    let mut written = String::new();
    push_text_game(&source.games().next().unwrap(), None, &mut written);
    assert_eq!(
        written,
        "[Event \"x\"]\n\n{first} 1. 32-28! $4 ( 1. 31-27 {a} 1... 19-23 ( 1... 20-25 ) 2. 27-22 ) \
         1...\n19-23?? {b} 2. 28x19 ; to } the end\n2... 14x23 *\n\n"
    );
}

// Real collections.

fn collection(name: &str) -> Source {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/pdn").join(name);
    Source::unpack(fs::read(path).unwrap()).unwrap()
}

fn named(name: &str) -> GameSpec {
    GameSpec::new(name, &Parameters::default()).unwrap()
}

/// What reading a collection comes to.
#[derive(Debug, Default, PartialEq, Eq)]
struct Counts {
    games: usize,
    whole: usize,
    plies: usize,
    warnings: usize,
}

struct Respelled<'a>(&'a Source, &'a TextGame<'a>);

/// The game written again, whether it is whole, its plies and its warnings.
impl DraughtsVisitor for Respelled<'_> {
    type Output = (String, bool, usize, usize);
    fn visit<R: Rules, B: Board>(self, game: &Draughts<R, B>) -> Self::Output {
        let mut text = String::new();
        let Ok((replay, spelling)) = respell(game, self.0, self.1) else {
            push_text_game(self.1, None, &mut text);
            return (text, false, 0, 1);
        };
        push_text_game(self.1, replay.whole.then_some(&spelling), &mut text);
        (text, replay.whole, replay.record.moves.len(), replay.warnings.len())
    }
}

fn read_all(source: &Source, asked: &GameSpec) -> (Counts, String) {
    let (mut counts, mut written) = (Counts::default(), String::new());
    for text in source.games() {
        let (game, warning) = text.game(source, Some(asked)).unwrap();
        let (respelled, whole, plies, warnings) =
            game.visit_draughts(Respelled(source, &text)).unwrap();
        written += &respelled;
        counts.games += 1;
        counts.whole += usize::from(whole);
        counts.plies += plies;
        counts.warnings += text.warnings.len() + warnings + usize::from(warning.is_some());
    }
    (counts, written)
}

/// What is left of a game when places are forgotten: tags, items and result.
fn content(game: &TextGame<'_>) -> String {
    let tags: Vec<String> = game
        .tags
        .iter()
        .filter(|tag| !matches!(tag.name, "GameType" | "FEN"))
        .map(|tag| format!("{}={}", tag.name, tag.value))
        .collect();
    let items: Vec<String> = game
        .items
        .iter()
        .filter_map(|item| match item {
            Item::Move { strength, .. } => Some(format!("move{strength:?}")),
            Item::Ellipsis => None,
            other => Some(format!("{other:?}")),
        })
        .collect();
    format!("{tags:?} {items:?} {}", game.score())
}

/// (file, game, games, whole games, plies replayed, warnings)
const COLLECTIONS: [(&str, &str, [usize; 4]); 11] = [
    ("checkers8_b.pdn", "checkers-8", [43, 43, 2280, 0]),
    // Problem 93 has a man on its king row.
    ("checkers8_problems.pdn", "checkers-8", [262, 261, 0, 1]),
    ("draughts10_a.pdn", "draughts-10", [23, 23, 2381, 0]),
    ("draughts10_b.pdn", "draughts-10", [33, 33, 3268, 1]),
    ("draughts10_d.pdn", "draughts-10", [16, 16, 1616, 2]),
    ("draughts10_e.pdn", "draughts-10", [8, 8, 816, 1]),
    ("draughts10_f.pdn", "draughts-10", [4, 4, 535, 4]),
    ("draughts10_g.pdn", "draughts-10", [13, 13, 1381, 0]),
    // Two short captures are ambiguous and decided by the moves that follow.
    ("draughts10_h.pdn", "draughts-10", [34, 34, 3014, 2]),
    ("problems10_a.pdn", "draughts-10", [51, 51, 602, 0]),
    ("malformed_b.pdn", "draughts-10", [2, 2, 252, 2]),
];

#[test]
fn real_collections_are_read_whole_and_survive_being_written() {
    for (file, game, [games, whole, plies, warnings]) in COLLECTIONS {
        let (source, game) = (collection(file), named(game));
        let (counts, written) = read_all(&source, &game);
        assert_eq!(counts, Counts { games, whole, plies, warnings }, "{file}");
        // Read, write, read: the same games, and nothing is left to be said about their moves.
        let again = Source::new(written.clone().into_bytes());
        let (recounts, rewritten) = read_all(&again, &game);
        assert_eq!(
            (recounts.games, recounts.whole, recounts.plies),
            (games, whole, plies),
            "{file}"
        );
        assert_eq!(written, rewritten, "{file}");
        let before: Vec<String> = source.games().map(|game| content(&game)).collect();
        let after: Vec<String> = again.games().map(|game| content(&game)).collect();
        assert_eq!(before, after, "{file}");
    }
}

/// Records that are written as [`push_record`] does are read back equal.
#[test]
fn records_of_real_games_are_read_back_equal() {
    for (file, game, ..) in COLLECTIONS {
        let source = collection(file);
        fn check<R: Rules, B: Board>(source: &Source) {
            let game = Draughts::<R, B>::new(Duplicates::Drop);
            for text in source.games() {
                let Ok(Replay { record, whole: true, .. }) = replay(&game, source, &text) else {
                    continue;
                };
                let mut written = String::new();
                push_record(&game, &record, &mut written);
                let (read, warnings) = one::<R, B>(&written);
                assert_eq!(read, record, "{written}");
                let of_result = |text: &String| text.contains("the result is");
                assert!(shown(&warnings).iter().all(of_result), "{warnings:?}");
            }
        }
        if game == "checkers-8" {
            check::<Checkers, B8>(&source);
        } else {
            check::<International, B10>(&source);
        }
    }
}

/// Squares named as in chess: Brazilian rules fit the start of most of these Czech games.
#[test]
fn squares_with_letters_are_read_in_real_games() {
    let source = collection("draughts10_c.pdn");
    let written: usize = source.games().map(|text| text.plies()).sum();
    assert_eq!((source.games().count(), written), (44, 1994));
    let (counts, _) = read_all(&source, &named("draughts-8"));
    assert_eq!((counts.games, counts.whole, counts.plies), (44, 9, 908));
}

#[test]
fn a_game_type_names_its_game_and_wins_over_what_was_asked() {
    let asked = named("draughts-10");
    let game = |tag: &str, asked: Option<&GameSpec>| {
        let source = source(&format!("{tag}\n1. 32-28 *"));
        let text = source.games().next().unwrap();
        text.game(&source, asked)
            .map(|(game, warning)| (game.id(), warning.map(|w| w.to_string())))
            .map_err(|warning| warning.to_string())
    };
    assert_eq!(game("", Some(&asked)), Ok(("draughts-10".into(), None)));
    assert_eq!(
        game("", None),
        Err(
            "game 1, line 2, column 1: no tag GameType, and no game was named: the game cannot be \
             replayed"
                .into()
        )
    );
    assert_eq!(game("[GameType \"21,B,6,6,N1,0\"]", None), Ok(("checkers-6".into(), None)));
    assert_eq!(
        game("[GameType \"21\"]", Some(&asked)),
        Ok((
            "checkers-8".into(),
            Some(
                "game 1, line 1, column 1: the tag GameType says checkers-8, not draughts-10"
                    .into()
            )
        ))
    );
    let error = game("[GameType \"25\"]", Some(&asked)).unwrap_err();
    assert!(error.contains("no rules for Russian draughts here"), "{error}");
    let error = game("[GameType \"20,W,16,16,N2,0\"]", None).unwrap_err();
    assert!(error.contains("no rules for international draughts on 16x16 here"), "{error}");
    let (id, warning) = game("[GameType \"twenty\"]", Some(&asked)).unwrap();
    assert!(id == "draughts-10" && warning.unwrap().contains("'twenty'"));
}
