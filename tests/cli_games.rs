//! `games stats`, `games check` and `games convert` as their users meet them.
#![allow(clippy::unwrap_used)]

mod lab;

use lab::{Lab, Ran, Row, ludometer, ran, run};
use ludometer::pdn::pack;

/// Runs the verb with a text on its standard input.
fn read(arguments: &str, input: &str) -> Ran {
    let lab = Lab::empty();
    lab.write("input", input);
    ran(ludometer(arguments).stdin(std::fs::File::open(lab.path("input")).unwrap()))
}

/// The rows of the table of a command that has done its work.
fn rows(ran: Ran) -> Vec<Row> {
    lab::rows(&ran.done().stdout)
}

fn number(row: &Row, column: &str) -> f64 {
    row[column].parse().unwrap_or_else(|_| panic!("{column}: '{}'", row[column]))
}

/// Two games that part at the third ply, and the first once more: counted by hand. 7 moves at the
/// start of checkers, 7 after 11-15, 7 after 23-19, 6 after 22-18 (a capture: 15x22 is the only move).
const GAMES: &str = "[GameType \"21\"]\n[Depth \"3\"]\n1. 11-15 23-19 1-0\n\n\
                     [GameType \"21\"]\n[Depth \"3\"]\n1. 11-15 22-18 2. 15x22 0-1\n\n\
                     [GameType \"21\"]\n[Depth \"3\"]\n1. 11-15 23-19 1/2-1/2\n";

#[test]
fn stats_of_a_few_games_are_as_counted_by_hand() {
    let found = rows(read("games stats - --stop-at-pieces none", GAMES));
    let row = &found[0];
    assert_eq!((row["game"].as_str(), row["group"].as_str()), ("checkers-8", "depth 3"));
    for (column, expected) in [
        ("games_read", 3.0),
        ("games_broken", 0.0),
        ("duplicates", 1.0),
        ("games", 2.0),
        ("d_plies", 2.5),
        ("d_standard_error_plies", 0.5),
        // 7 + 7 in one game, 7 + 7 + 1 in the other.
        ("b", 5.8),
        ("captures", 1.0),
        ("most_pieces_taken", 1.0),
        ("positions", 5.0),
        ("positions_with_one_move", 1.0),
        ("black_wins", 1.0),
        ("white_wins", 1.0),
        ("draws", 0.0),
        ("shortest_plies", 2.0),
        ("longest_plies", 3.0),
    ] {
        assert_eq!(number(row, column), expected, "{column}");
    }
    assert!((number(row, "log10_gtc") - 2.5 * 5.8f64.log10()).abs() < 1e-4);
    // e is 14 - 2 * 5.8 = 2.4 and 15 - 3 * 5.8 = -2.4; their variance is 2 * 2.4^2.
    let error = (2.0f64 * 2.0 * 2.4 * 2.4).sqrt() / 5.0;
    assert!((number(row, "b_standard_error") - error).abs() < 1e-4);
    let published = found.iter().find(|row| row["group"] == "published").unwrap();
    assert_eq!(number(published, "b"), 5.8);
    assert_eq!(published["d_plies"], "", "one depth is not three");

    let all = "games stats - --stop-at-pieces none --keep-duplicates --group none";
    let kept = &rows(read(all, GAMES))[0];
    assert_eq!((number(kept, "games"), number(kept, "draws")), (3.0, 1.0));
    assert_eq!(number(kept, "d_plies"), 2.3333);
}

#[test]
fn games_are_cut_before_duplicates_are_removed() {
    // Cut at 24 pieces nothing is left of any game, cut at 23 only the capture is the last ply.
    let cut = |pieces: &str| {
        rows(read(&format!("games stats - --stop-at-pieces {pieces}"), GAMES)).remove(0)
    };
    let none = cut("24");
    assert_eq!((number(&none, "duplicates"), number(&none, "games")), (2.0, 1.0));
    assert_eq!((none["b"].as_str(), number(&none, "d_plies")), ("", 0.0));
    assert_eq!(number(&cut("23"), "games_cut"), 1.0);
    assert_eq!(cut("23")["d_plies"], "2.5000");
}

#[test]
fn histograms_add_up_to_the_groups() {
    let by = |what: &str| {
        let by = format!("games stats - --stop-at-pieces none --group none --by {what}");
        rows(read(&by, GAMES))
    };
    let sum =
        |rows: &[Row], column: &str| -> f64 { rows.iter().map(|row| number(row, column)).sum() };
    assert_eq!(sum(&by("length"), "games"), 2.0);
    assert_eq!(sum(&by("mobility"), "positions"), 5.0);
    assert_eq!(sum(&by("taken"), "captures"), 1.0);
    assert_eq!(sum(&by("result"), "games"), 2.0);
    let plies = by("ply");
    let of = |column: &str| -> Vec<f64> { plies.iter().map(|row| number(row, column)).collect() };
    assert_eq!(of("games"), [2.0, 2.0, 1.0]);
    assert_eq!(of("b"), [7.0, 7.0, 1.0]);
    assert_eq!(of("captures"), [0.0, 0.0, 1.0]);
}

/// The paper: 8.22 legal moves in more than 500,000 games of people on 10x10.
#[test]
fn human_games_branch_as_published() {
    let files = ["a", "b", "d", "e", "g"].map(|x| format!("tests/data/pdn/draughts10_{x}.pdn"));
    let row = rows(run(&format!("games stats --group none {}", files.join(" ")))).remove(0);
    assert_eq!((row["game"].as_str(), number(&row, "games_broken")), ("draughts-10", 0.0));
    assert!((number(&row, "b") - 8.22).abs() < 0.2, "{}", row["b"]);
    assert!(number(&row, "b_low") < 8.22 && 8.22 < number(&row, "b_high"));
}

#[test]
fn check_counts_and_warns_and_strict_refuses() {
    let file = "tests/data/pdn/draughts10_d.pdn";
    let check = run(&format!("games check {file} --warnings 1"));
    check.told(0, &["game 11, line 232, column 53: '30-39'", "1 more"]);
    assert_eq!(check.stderr.lines().count(), 2, "{}", check.stderr);
    let row = &rows(check)[0];
    assert_eq!((number(row, "games"), number(row, "whole_games")), (16.0, 16.0));
    assert_eq!((number(row, "plies_replayed"), number(row, "warnings")), (1616.0, 2.0));
    let strict = run(&format!("games check {file} --strict"));
    strict.refused(1, &[&format!("error: {file}: game 11, line 232")]);
    run("games check tests/data/pdn/draughts10_a.pdn --strict").done();
}

#[test]
fn convert_writes_what_a_strict_reader_takes() {
    let converted = run("games convert tests/data/pdn/draughts10_d.pdn").done().stdout;
    let check = rows(read("games check - --strict", &converted));
    assert_eq!(number(&check[0], "plies_replayed"), 1616.0);
    // The same from a packed file.
    let lab = Lab::empty();
    lab.write("games.pdn.zst", pack(converted.as_bytes()).unwrap());
    assert_eq!(lab.run("games convert games.pdn.zst").stdout, converted);
}

#[test]
fn what_cannot_be_read_is_named() {
    let lab = Lab::empty();
    lab.write("bad.zst", [0x28, 0xb5, 0x2f, 0xfd, 1, 2, 3]);
    lab.write("unnamed.pdn", include_bytes!("data/pdn/checkers8_b.pdn"));
    let cases: [(&str, i32, &[&str]); 8] = [
        ("stats", 2, &["FILE"]),
        ("stats no-such-file.pdn", 1, &["no-such-file.pdn"]),
        ("check .", 1, &["directory"]),
        ("check bad.zst", 1, &["bad.zst"]),
        ("stats --game othello unnamed.pdn", 2, &["othello", "draughts"]),
        ("stats --game chekers-8 unnamed.pdn", 2, &["checkers-8"]),
        ("stats --stop-at-pieces many unnamed.pdn", 2, &["many", "none"]),
        ("stats --by colour unnamed.pdn", 2, &["colour"]),
    ];
    for (arguments, code, words) in cases {
        lab.run(&format!("games {arguments}")).refused(code, words);
    }
    // Nothing says which game it is.
    lab.run("games stats unnamed.pdn").told(1, &["43 games left out", "see --game"]);
    // An empty file is no error for check and one for stats.
    assert_eq!(rows(run("games check /dev/null"))[0]["games"], "0");
    run("games stats /dev/null").told(1, &[]);
}

#[test]
fn games_of_several_kinds_are_measured_apart() {
    let mixed = "[GameType \"20\"]\n1. 32-28 19-23 *\n[GameType \"21,B,6,6,N1,0\"]\n1. 5-7 *\n\
                 [GameType \"25\"]\n1. c3-d4 *\n";
    let stats = read("games stats - --group none", mixed);
    stats.told(0, &["Russian draughts", "1 games left out"]);
    let found: Vec<(String, f64)> =
        rows(stats).iter().map(|row| (row["game"].clone(), number(row, "d_plies"))).collect();
    assert_eq!(found, [("checkers-6".to_owned(), 1.0), ("draughts-10".to_owned(), 2.0)]);
}
