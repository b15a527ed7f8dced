//! The measure `match`: its numbers against those of the verb, and its bytes against threads and kills.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

const SPEC: &str = r#"
id = "duel"
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

const FILES: [&str; 2] = ["batches.csv", "summary.csv"];

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

fn lab(spec: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("duel.toml"), spec).unwrap();
    folder
}

fn files(folder: &Path) -> Vec<Vec<u8>> {
    FILES
        .iter()
        .map(|name| std::fs::read(folder.join("results/duel").join(name)).unwrap())
        .collect()
}

/// The rows of a table in CSV, columns by name.
fn rows(text: &str) -> Vec<std::collections::HashMap<String, String>> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    reader.deserialize().map(Result::unwrap).collect()
}

#[test]
fn the_measure_says_what_the_verb_says() {
    let folder = lab(SPEC);
    let report = done(folder.path(), &["run", "duel.toml"]);
    assert!(report.contains("within tolerance"), "{report}");
    let summary = std::fs::read_to_string(folder.path().join("results/duel/summary.csv")).unwrap();
    let summary = rows(&summary);
    for (label, game, a, b, games) in [
        ("deep-8", "draughts-8", "depth=4", "depth=2,evaluation=material", "24"),
        ("deep-6", "checkers-6", "depth=1", "nodes=200", "6"),
    ] {
        let verb = ["match", game, a, b, "--games", games, "--seed", "5", "--format", "csv"];
        let table = rows(&done(folder.path(), &verb));
        let quantity = |name: &str| {
            summary.iter().find(|row| row["game"] == label && row["quantity"] == name).unwrap()
        };
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
    let folder = lab(SPEC);
    done(folder.path(), &["run", "duel.toml", "--threads", "1"]);
    let whole = files(folder.path());
    let batches = folder.path().join("results/duel/batches.csv");
    assert_eq!(std::fs::read_to_string(&batches).unwrap().lines().count(), 1 + 2 + 1);
    done(folder.path(), &["run", "duel.toml", "--threads", "3", "--fresh"]);
    assert_eq!(files(folder.path()), whole);
    std::fs::remove_dir_all(folder.path().join("results")).unwrap();
    let mut child = ludometer(folder.path(), &["run", "duel.toml", "--quiet"]).spawn().unwrap();
    let end = Instant::now() + Duration::from_secs(60);
    while std::fs::read_to_string(&batches).map_or(0, |text| text.lines().count()) < 2 {
        assert!(Instant::now() < end, "no batch in a minute");
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    done(folder.path(), &["run", "duel.toml"]);
    assert_eq!(files(folder.path()), whole);
}

#[test]
fn wrong_engines_are_named() {
    for (from, to, words) in [
        ("a = \"depth=4\"", "a = \"depth=99\"", ["a 'depth=99'", "range"]),
        ("a = \"depth=4\"", "a = \"time=1\"", ["'time=1'", "depends on the machine"]),
        ("a = \"depth=4\"\n", "", ["match", "'game.a'"]),
        ("games = 6", "games = 7", ["games 7", "even"]),
        ("measure = \"match\"", "measure = \"ssc\"", ["'game.a'", "match"]),
        ("seed = 5\n", "", ["match", "'seed'"]),
        ("name = \"draughts-8\"", "name = \"othello\"", ["othello", "checkers and draughts"]),
        ("games = 6", "games = 6\nevaluation = \"material\"", ["evaluation", "self-play"]),
    ] {
        assert!(SPEC.contains(from));
        let mut spec = SPEC.replacen(from, to, 1);
        if to.contains("ssc") {
            spec = spec.replace("seed = 5\ngames = 24", "boards = [8]").replace("games = 6\n", "");
        }
        let folder = lab(&spec);
        let output = ludometer(folder.path(), &["run", "duel.toml"]).output().unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(words.iter().all(|word| message.contains(word)), "{words:?}: {message}");
    }
}
