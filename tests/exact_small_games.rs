//! Small games against every row of `tests/data/exact_small_games.csv`.

#![allow(clippy::unwrap_used)]

mod sweep;

use std::collections::BTreeMap;

use ludometer::games::connect_four::ConnectFour;
use ludometer::games::dots_and_boxes::DotsAndBoxes;
use ludometer::games::hex::Hex;
use ludometer::games::othello::{Othello, Passes};
use ludometer::games::tic_tac_toe::TicTacToe;
use sweep::{Tally, sweep};

/// The rows of the file, quantity and value, by game and board.
fn table() -> BTreeMap<(String, String), Vec<(String, String)>> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/exact_small_games.csv");
    let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_path(path).unwrap();
    let mut table: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for row in reader.records() {
        let row = row.unwrap();
        let board = row[1].split(" (").next().unwrap().to_owned();
        let passes = if row[1].contains("pass not counted") { " skipped" } else { "" };
        table
            .entry((row[0].to_owned(), board + passes))
            .or_default()
            .push((row[2].to_owned(), row[3].to_owned()));
    }
    table
}

fn by_length(tally: &Tally, length: &str) -> [u128; 3] {
    tally.by_length.get(length.parse::<usize>().unwrap()).copied().unwrap_or_default()
}

/// What `tally` says about a quantity of the file; `None` for what is not about whole games.
fn counted(tally: &Tally, quantity: &str) -> Option<String> {
    let [first, second, drawn] = tally.results();
    let rate = |count: u128| format!("{:.10}", count as f64 / tally.games as f64);
    if let Some(rest) = quantity.strip_prefix("games_of_length_") {
        let length = rest.strip_suffix("(p1/p2/draw)").unwrap();
        return Some(by_length(tally, length).map(|count| count.to_string()).join("/"));
    }
    if let Some(length) = quantity.strip_prefix("games_ending_at_ply_") {
        return Some(by_length(tally, length).iter().sum::<u128>().to_string());
    }
    let sum = tally.by_length.iter().zip(0..).map(|(row, n)| n * row.iter().sum::<u128>());
    Some(match quantity {
        "games" => tally.games.to_string(),
        "sum_of_lengths" => sum.sum::<u128>().to_string(),
        "agl" => format!("{:.12}", tally.mean_length()),
        "p1_wins" => first.to_string(),
        "p2_wins" => second.to_string(),
        "draws" => drawn.to_string(),
        "p1_rate" => rate(first),
        "p2_rate" => rate(second),
        "draw_rate" => rate(drawn),
        "E_uniform[X^2]" => format!("{:.13e}", tally.mean_square),
        "uniform_rel_variance_per_game(f64)" => format!("{:.8}", tally.relative_variance().abs()),
        _ if quantity.starts_with("uniform_play_") || quantity.starts_with("nonterminal_") => {
            return None;
        }
        _ => panic!("the file has the unknown quantity '{quantity}'"),
    })
}

/// The value of the file in the digits in which [`counted`] gives it.
fn expected(quantity: &str, value: &str) -> String {
    match quantity {
        "E_uniform[X^2]" => format!("{:.13e}", value.parse::<f64>().unwrap()),
        "uniform_rel_variance_per_game(f64)" => format!("{:.8}", value.parse::<f64>().unwrap()),
        _ => value.to_owned(),
    }
}

#[test]
fn every_small_game_has_the_counts_of_the_file() {
    let table = table();
    let mut rows = 0;
    for ((game, board), quantities) in &table {
        let tally = match (game.as_str(), board.as_str()) {
            ("tictactoe", "3x3") => sweep(&TicTacToe),
            ("connect4-4x3", _) => sweep(&ConnectFour::new(4, 3).unwrap()),
            ("connect4-4x4", _) => sweep(&ConnectFour::new(4, 4).unwrap()),
            ("connect4-4x5", _) => sweep(&ConnectFour::new(4, 5).unwrap()),
            ("connect4-5x4", _) => sweep(&ConnectFour::new(5, 4).unwrap()),
            ("othello", "4x4") => sweep(&Othello::new(4, Passes::Plies).unwrap()),
            ("othello", "4x4 skipped") => sweep(&Othello::new(4, Passes::Skipped).unwrap()),
            ("hex", "2x2") => sweep(&Hex::new(2).unwrap()),
            ("hex", "3x3") => sweep(&Hex::new(3).unwrap()),
            ("dots_and_boxes", "1x1 boxes") => sweep(&DotsAndBoxes::new(1, 1).unwrap()),
            ("dots_and_boxes", "1x2 boxes") => sweep(&DotsAndBoxes::new(1, 2).unwrap()),
            ("dots_and_boxes", "2x2 boxes") => sweep(&DotsAndBoxes::new(2, 2).unwrap()),
            other => panic!("the file has the unknown game {other:?}"),
        };
        for (quantity, value) in quantities {
            if let Some(counted) = counted(&tally, quantity) {
                assert_eq!(counted, expected(quantity, value), "{game} {board} {quantity}");
                rows += 1;
            }
        }
    }
    assert_eq!((table.len(), rows), (12, 211));
}
