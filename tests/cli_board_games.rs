//! Hex, Dots and Boxes, Go and chess on the command line.
#![allow(clippy::unwrap_used)]

mod lab;

use lab::{rows, run};

fn stdout(arguments: &str) -> String {
    run(arguments).done().stdout
}

/// The value in `column` of the row of `quantity`.
fn cell(table: &str, quantity: &str, column: &str) -> String {
    let rows = rows(table);
    let row = rows.iter().find(|row| row["quantity"] == quantity);
    row.unwrap_or_else(|| panic!("no {quantity} in\n{table}"))[column].clone()
}

#[test]
fn every_walk_of_dots_and_boxes_has_the_weight_of_all_games() {
    // Each of the 12! orders of the edges is a game: the estimator has no variance.
    let game = "tree-size dots-and-boxes --columns 2 --rows 2";
    assert_eq!(cell(&stdout(&format!("{game} --exact")), "gts", "value"), "479001600");
    for seed in 1..=3 {
        let table = stdout(&format!("{game} --games 50 --trials 4 --seed {seed}"));
        let value: f64 = cell(&table, "gts", "value").parse().unwrap();
        assert!((value / 479_001_600.0 - 1.0).abs() < 1e-12, "{table}");
        let error: f64 = cell(&table, "gts", "standard_error").parse().unwrap();
        assert!(error <= 1e-6 * value, "{table}");
    }
}

#[test]
fn the_games_are_counted_and_estimated_by_name() {
    assert_eq!(cell(&stdout("tree-size hex --size 3 --exact"), "gts", "value"), "257760");
    assert_eq!(stdout("perft chess --depth 3"), "depth,nodes\n1,20\n2,400\n3,8902\n");
    assert_eq!(stdout("perft go --size 2 --depth 2"), "depth,nodes\n1,5\n2,21\n");
    for game in ["hex", "go --size 3", "dots-and-boxes", "chess --ply-cap 40"] {
        let table = stdout(&format!("tree-size {game} --games 20 --trials 2"));
        let games: f64 = cell(&table, "gts", "value").parse().unwrap();
        assert!(games > 1000.0, "{table}");
    }
}

#[test]
fn a_count_of_states_says_what_it_cannot_tell() {
    let boxes = "states dots-and-boxes --columns 1 --rows 1";
    assert_eq!(
        stdout(boxes),
        "depth,side_to_move,new_states,cumulative_states\n\
         0,,1,1\n1,,4,5\n2,,6,11\n3,,4,15\n4,,1,16\n"
    );
    assert!(stdout(&format!("{boxes} --symmetry")).ends_with("4,,1,6\n"));
    for (arguments, words) in [
        (format!("{boxes} --by sides"), ["--by sides", "allowed: levels"]),
        ("states go --size 2".to_owned(), ["go-2", "no history"]),
        ("states chess --depth 2".to_owned(), ["chess", "no history"]),
        ("tree-size hex --size 12".to_owned(), ["--size 12", "2 to 11"]),
        ("tree-size go --size 8".to_owned(), ["--size 8", "1 to 7"]),
        ("tree-size chess --size 8".to_owned(), ["chess", "allowed: --ply-cap"]),
        ("perft dots-and-boxes --columns 6 --rows 5 --depth 1".to_owned(), ["--rows 5", "1 to 4"]),
    ] {
        run(&arguments).refused(2, &words);
    }
}
