//! The measure `self-play`: its numbers against `selfplay` with `games stats`, and its bytes against
//! threads and kills.
#![allow(clippy::unwrap_used)]

mod lab;

use lab::{Lab, Row, refuses, rows};

const SPEC: &str = r#"
id = "sample"
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

/// The value and the ends of the interval of a quantity.
fn quantity(summary: &[Row], game: &str, name: &str, depth: &str) -> [f64; 3] {
    let sought = [("game", game), ("quantity", name), ("depth", depth)];
    let is_it = |row: &&Row| sought.iter().all(|(column, field)| row[*column] == *field);
    let row = summary.iter().find(is_it).unwrap();
    ["value", "low", "high"].map(|field| row[field].parse().unwrap())
}

#[test]
fn the_measure_says_what_the_verbs_say_of_the_same_games() {
    let lab = Lab::new(SPEC);
    let report = lab.done("run sample.toml").stdout;
    assert!(report.contains("within tolerance") && report.contains("DIFFERS"), "{report}");
    let summary = lab.table("summary.csv");
    for (game, games) in [("draughts-6", "40"), ("checkers-6", "30")] {
        let play = format!("selfplay {game} --depth 1..3 --games {games} --seed 7 --out {game}");
        lab.done(&play);
        let paths = [1, 2, 3].map(|depth| format!("{game}/{game}-depth-{depth}.pdn")).join(" ");
        let table = lab.done(&format!("games stats --by group --format csv {paths}")).stdout;
        let mut compared = 0;
        for row in rows(&table) {
            let group = row["group"].as_str();
            let depth = match group.rsplit_once([' ', '=']) {
                Some((_, depth)) if depth.parse::<u32>().is_ok() => depth,
                None if group.parse::<u32>().is_ok() => group,
                _ if group == "published" => "",
                _ => continue,
            };
            for (name, columns) in [
                ("branching_factor", ["b", "b_low", "b_high"]),
                ("game_length", ["d_plies", "d_low_plies", "d_high_plies"]),
                ("log10_gtc", ["log10_gtc", "log10_gtc_low", "log10_gtc_high"]),
            ] {
                let expected = columns.map(|name| row[name].parse::<f64>().unwrap());
                let found = quantity(&summary, game, name, depth);
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
    let lab = Lab::new(SPEC);
    lab.done("run sample.toml --threads 1");
    let whole = lab.files();
    for name in ["branching.svg", "game-length.svg", "lengths-draughts-6.svg", "costs.csv"] {
        assert!(lab.results(name).exists(), "{name}");
    }
    std::fs::remove_dir_all(lab.results("")).unwrap();
    let waiting = lab.results("scratch/draughts-6/depth-2.pdn");
    let begun = || waiting.metadata().is_ok_and(|file| file.len() > 2000);
    let killed = lab.stopped("run sample.toml --threads 2", "-KILL", begun);
    assert_ne!(killed.code, Some(0), "it was over too soon");
    lab.done("run sample.toml --threads 2");
    assert_eq!(lab.files(), whole);
    assert!(!lab.results("scratch").exists());
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
        refuses(SPEC, from, to, words);
    }
}
