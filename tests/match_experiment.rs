//! The measure `match`: its numbers against those of the verb, and its bytes against threads and kills.
#![allow(clippy::unwrap_used)]

mod lab;

use lab::{Lab, lines, quantity, refuses, rows};

const SPEC: &str = r#"
id = "sample"
title = "Deeper against shallower"
question = "Who wins?"
source = "none"
measure = "match"
seed = 5
games = 24

[[game]]
name = "draughts-8"
label = "deep-8"
a = "depth=4"
b = "depth=2,evaluation=material"

[[game]]
name = "checkers-6"
label = "deep-6"
a = "depth=1"
b = "nodes=200"
games = 6

[quick]
games = 2

[[published]]
game = "deep-8"
quantity = "score"
value = "90"
unit = "percent"
tolerance_percent = 40.0
source = "a guess"
"#;

#[test]
fn the_measure_says_what_the_verb_says() {
    let lab = Lab::new(SPEC);
    let report = lab.done("run sample.toml").stdout;
    assert!(report.contains("within tolerance"), "{report}");
    let summary = lab.table("summary.csv");
    for (label, game, a, b, games) in [
        ("deep-8", "draughts-8", "depth=4", "depth=2,evaluation=material", "24"),
        ("deep-6", "checkers-6", "depth=1", "nodes=200", "6"),
    ] {
        let verb = format!("match {game} {a} {b} --games {games} --seed 5 --format csv");
        let table = rows(&lab.done(&verb).stdout);
        let quantity = |name: &str| quantity(&summary, label, name);
        for name in ["games", "wins", "draws", "losses"] {
            assert_eq!(quantity(name)["value"], table[0][name], "{label} {name}");
        }
        for (column, field) in
            [("score_percent", "value"), ("score_low", "low"), ("score_high", "high")]
        {
            let share: f64 = quantity("score")[field].parse().unwrap();
            assert_eq!(format!("{:.1}", 100.0 * share), table[0][column], "{label} {column}");
        }
    }
}

#[test]
fn the_same_bytes_on_any_number_of_threads_and_after_a_kill() {
    let lab = Lab::new(SPEC);
    lab.done("run sample.toml --threads 1");
    let whole = lab.files();
    assert_eq!(lines(lab.results("batches.csv")), 1 + 2 + 1);
    lab.done("run sample.toml --threads 3 --fresh");
    assert_eq!(lab.files(), whole);
    std::fs::remove_dir_all(lab.results("")).unwrap();
    let begun = || lines(lab.results("batches.csv")) >= 2;
    lab.stopped("run sample.toml --quiet", "-KILL", begun);
    lab.done("run sample.toml");
    assert_eq!(lab.files(), whole);
}

#[test]
fn wrong_engines_are_named() {
    for (from, to, words) in [
        ("a = \"depth=4\"", "a = \"depth=99\"", ["a 'depth=99'", "range"]),
        ("a = \"depth=4\"", "a = \"time=1\"", ["'time=1'", "depends on the machine"]),
        ("a = \"depth=4\"\n", "", ["match", "'game.a'"]),
        ("games = 6", "games = 7", ["games 7", "even"]),
        ("seed = 5\n", "", ["match", "'seed'"]),
        ("name = \"draughts-8\"", "name = \"othello\"", ["othello", "checkers and draughts"]),
        ("games = 6", "games = 6\nevaluation = \"material\"", ["evaluation", "self-play"]),
    ] {
        refuses(SPEC, from, to, &words);
    }
    let other = SPEC.replace("seed = 5\ngames = 24", "boards = [8]").replace("games = 6\n", "");
    refuses(&other, "measure = \"match\"", "measure = \"ssc\"", &["'game.a'", "match"]);
}
