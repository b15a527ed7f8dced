//! The measure `self-play`: its numbers against `selfplay` with `games stats`, and its bytes against
//! threads and kills.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

const SPEC: &str = r#"
id = "games"
title = "Games of two boards"
question = "Are they the same games?"
source = "self-play"
measure = "self-play"
seed = 7
depths = [1, 2, 3]
games = 40

[[game]]
name = "draughts-6"

[[game]]
name = "checkers-6"
games = 30

[quick]
games = 5
depths = [0, 1, 2, 3]

[[published]]
game = "draughts-6"
quantity = "branching_factor"
value = "3.75"
tolerance_percent = 50.0
source = "J. van Horssen, Table 3"

[[published]]
game = "draughts-6"
quantity = "game_length"
value = "190"
tolerance_percent = 10.0
source = "ten times J. van Horssen, Table 3"
"#;

const FILES: [&str; 3] = ["batches.csv", "histograms.csv", "summary.csv"];

fn ludometer(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludometer"));
    command.args(arguments).current_dir(folder);
    command
}

fn done(folder: &Path, arguments: &[&str]) -> String {
    let Output { status, stdout, stderr } = ludometer(folder, arguments).output().unwrap();
    assert!(status.success(), "{}", String::from_utf8_lossy(&stderr));
    String::from_utf8(stdout).unwrap()
}

fn refused(folder: &Path, words: &[&str]) {
    let output = ludometer(folder, &["run", "games.toml"]).output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(words.iter().all(|word| message.contains(word)), "{message}");
    assert!(!folder.join("results").exists());
}

fn lab(spec: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("games.toml"), spec).unwrap();
    folder
}

fn files(folder: &Path) -> Vec<Vec<u8>> {
    FILES
        .iter()
        .map(|name| std::fs::read(folder.join("results/games").join(name)).unwrap())
        .collect()
}

/// The value and the ends of the interval of a quantity.
fn quantity(folder: &Path, game: &str, name: &str, depth: &str) -> [f64; 3] {
    let mut reader = csv::Reader::from_path(folder.join("results/games/summary.csv")).unwrap();
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let row = rows.iter().find(|row| &row[0] == game && &row[1] == name && &row[2] == depth);
    [4, 6, 7].map(|field| row.unwrap()[field].parse().unwrap())
}

#[test]
fn the_measure_says_what_the_verbs_say_of_the_same_games() {
    let folder = lab(SPEC);
    let report = done(folder.path(), &["run", "games.toml"]);
    assert!(report.contains("within tolerance") && report.contains("DIFFERS"), "{report}");
    for (game, games) in [("draughts-6", "40"), ("checkers-6", "30")] {
        let play = ["selfplay", game, "--depth", "1..3", "--games", games, "--seed", "7"];
        done(folder.path(), &[&play[..], &["--out", game]].concat());
        let paths: Vec<String> = (1..=3).map(|d| format!("{game}/{game}-depth-{d}.pdn")).collect();
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        let stats = [&["games", "stats", "--by", "group", "--format", "csv"], &paths[..]].concat();
        let table = done(folder.path(), &stats);
        let mut reader = csv::Reader::from_reader(table.as_bytes());
        let header = reader.headers().unwrap().clone();
        let column = |name: &str| header.iter().position(|column| column == name).unwrap();
        let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        let mut compared = 0;
        for row in &rows {
            let group = row[column("group")].to_owned();
            let depth = match group.rsplit_once([' ', '=']) {
                Some((_, depth)) if depth.parse::<u32>().is_ok() => depth,
                None if group.parse::<u32>().is_ok() => &group,
                _ if group == "published" => "",
                _ => continue,
            };
            for (name, columns) in [
                ("branching_factor", ["b", "b_low", "b_high"]),
                ("game_length", ["d_plies", "d_low_plies", "d_high_plies"]),
                ("log10_gtc", ["log10_gtc", "log10_gtc_low", "log10_gtc_high"]),
            ] {
                let expected = columns.map(|name| row[column(name)].parse::<f64>().unwrap());
                let found = quantity(folder.path(), game, name, depth);
                // Tables have four decimals.
                let near = |(a, b): (&f64, &f64)| (a - b).abs() <= 5.1e-5;
                assert!(
                    found.iter().zip(&expected).all(near),
                    "{name} {depth}: {found:?} {expected:?}"
                );
                compared += 1;
            }
        }
        assert!(compared >= 9, "{compared} numbers compared in\n{table}");
    }
}

#[test]
fn the_same_bytes_on_any_number_of_threads_and_after_a_kill() {
    let folder = lab(SPEC);
    done(folder.path(), &["run", "games.toml", "--threads", "1"]);
    let whole = files(folder.path());
    let results = folder.path().join("results");
    for name in ["branching.svg", "game-length.svg", "lengths-draughts-6.svg", "costs.csv"] {
        assert!(results.join("games").join(name).exists(), "{name}");
    }
    std::fs::remove_dir_all(&results).unwrap();
    let command = ["run", "games.toml", "--threads", "2"];
    let mut child = ludometer(folder.path(), &command).spawn().unwrap();
    let waiting = results.join("games/scratch/draughts-6/depth-2.pdn");
    let begun = Instant::now();
    while !waiting.metadata().is_ok_and(|file| file.len() > 2000) {
        assert!(begun.elapsed() < Duration::from_secs(60) && child.try_wait().unwrap().is_none());
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    done(folder.path(), &command);
    assert_eq!(files(folder.path()), whole);
    assert!(!results.join("games/scratch").exists());
}

#[test]
fn specs_that_make_no_sense_are_refused() {
    let cases: [(&str, &str, &[&str]); 8] = [
        ("name = \"draughts-6\"", "name = \"othello\"", &["othello", "checkers and draughts"]),
        ("depths = [1, 2, 3]\ngames", "depths = [1, 3, 2]\ngames", &["depths must rise"]),
        ("depths = [1, 2, 3]\ngames", "depths = [1, 13]\ngames", &["13", "0 to 12"]),
        ("depths = [1, 2, 3]\ngames", "games", &["needs 'depths'"]),
        ("seed = 7", "", &["seed"]),
        ("games = 30", "games = 0", &["games", "0"]),
        ("tolerance_percent = 10.0", "tolerance_percent = 0.0", &["tolerance_percent", "0"]),
        (
            "name = \"draughts-6\"",
            "name = \"draughts-6\"\ndraw_rule = \"lone-king=32/10\"",
            &["draw_rule"],
        ),
    ];
    for (from, to, words) in cases {
        assert!(SPEC.contains(from), "{from}");
        refused(lab(&SPEC.replacen(from, to, 1)).path(), words);
    }
}
