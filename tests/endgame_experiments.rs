//! The measures `egdb` and `solve`, and databases in `match`: their numbers against those of the verbs,
//! their bytes against threads, kills and databases that are there already, their refusals.
#![allow(clippy::unwrap_used)]

use std::collections::HashMap;
use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

const EGDB: &str = r#"
id = "lab"
title = "Endgames"
question = "Who wins?"
source = "none"
measure = "egdb"
pieces = 4

[quick]
pieces = 3

[[game]]
name = "checkers-6"

[[game]]
name = "draughts-6"
pieces = 3

[[published]]
game = "checkers-6-4-pieces"
quantity = "wins"
value = "216518"
source = "two independent programs"

[[published]]
game = "checkers-6-4-pieces"
quantity = "cpu_seconds"
value = "6.00"
source = "J. van Horssen, Table 4"
"#;

const SOLVE: &str = r#"
id = "lab"
title = "Proofs"
question = "Who wins?"
source = "none"
measure = "solve"

[[game]]
name = "draughts-4"
label = "none"

[[game]]
name = "draughts-4"
label = "pns-3"
solver = "pns"
pieces = 3

[[game]]
name = "draughts-4"
label = "ply-2"
pieces = 3
plies = 2

[[game]]
name = "checkers-6"
label = "from-there"
fen = "W:WK16,17:B3,4"
play = "17-14"
pieces = 3

[[game]]
name = "draughts-4"
label = "limited"
nodes = 2

[[published]]
game = "none"
quantity = "value"
value = "draw"
source = "retrograde analysis"
"#;

const MATCH: &str = r#"
id = "lab"
title = "Perfect player"
question = "Who loses?"
source = "none"
measure = "match"
seed = 3
games = 30
openings = "start"

[[game]]
name = "draughts-4"
a = "perfect,pieces=4"
b = "depth=2,evaluation=material,pieces=3"

[quick]
pieces = 3
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

fn lab(spec: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("lab.toml"), spec).unwrap();
    folder
}

fn files(folder: &Path) -> Vec<Vec<u8>> {
    FILES.iter().map(|name| std::fs::read(folder.join("results/lab").join(name)).unwrap()).collect()
}

type Row = HashMap<String, String>;

fn rows(text: &str) -> Vec<Row> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    reader.deserialize().map(Result::unwrap).collect()
}

fn table(folder: &Path, name: &str) -> Vec<Row> {
    rows(&std::fs::read_to_string(folder.join("results/lab").join(name)).unwrap())
}

fn quantity(summary: &[Row], game: &str, name: &str) -> String {
    let found = summary.iter().find(|row| row["game"] == game && row["quantity"] == name);
    found.unwrap_or_else(|| panic!("no {name} of {game}"))["value"].clone()
}

#[test]
fn databases_are_counted_as_the_verb_counts_them() {
    let folder = lab(EGDB);
    let report = done(folder.path(), &["run", "lab.toml"]);
    assert!(report.contains("equal") && report.contains("another machine"), "{report}");
    let summary = table(folder.path(), "summary.csv");
    for (game, most) in [("checkers-6", 4), ("draughts-6", 3)] {
        // The database that the run has left.
        let pieces = most.to_string();
        let info = rows(&done(
            folder.path(),
            &["egdb", "info", game, "--dir", "egdb", "--pieces", &pieces],
        ));
        assert_eq!(info.len(), most - 1);
        for row in &info {
            let label = format!("{game}-{}-pieces", row["pieces"]);
            for name in [
                "wins",
                "draws",
                "losses",
                "positions",
                "cumulative_positions",
                "longest_win_plies",
                "positions_with_longest_win",
            ] {
                assert_eq!(quantity(&summary, &label, name), row[name], "{label} {name}");
            }
        }
        let longest = ["egdb", "longest", game, "--dir", "egdb", "--pieces", &pieces];
        let longest = rows(&done(folder.path(), &longest));
        for batch in table(folder.path(), "batches.csv").iter().filter(|row| row["game"] == game) {
            let same = longest.iter().find(|row| row["position"] == batch["position"]).unwrap();
            assert_eq!(same["line"], batch["line"]);
            assert_eq!(same["king_moves_in_a_row"], batch["king_moves_in_a_row"]);
            let of_pieces = longest.iter().filter(|row| row["pieces"] == batch["pieces"]);
            let kings = of_pieces.map(|row| row["king_moves_in_a_row"].parse::<u32>().unwrap());
            assert_eq!(kings.max().unwrap().to_string(), batch["king_moves_in_a_row"]);
        }
        let by_plies =
            ["egdb", "info", game, "--dir", "egdb", "--pieces", &pieces, "--by", "plies"];
        let by_plies = rows(&done(folder.path(), &by_plies));
        let bins = table(folder.path(), "histograms.csv");
        let bins: Vec<&Row> = bins.iter().filter(|row| row["game"] == game).collect();
        assert_eq!(bins.len(), by_plies.len());
        for (bin, row) in bins.iter().zip(&by_plies) {
            assert_eq!(bin["histogram"], row["value"]);
            assert_eq!(bin["bin"], row["plies"]);
            assert_eq!(bin["count"], row["positions"]);
        }
    }
    let costs = table(folder.path(), "costs.csv");
    assert_eq!(costs.len(), 3 + 2, "a row for each number of pieces");
    assert!(costs.iter().all(|row| row["slices_found"] == "0"));
    for plot in ["database-size", "distances-checkers-6", "distances-draughts-6"] {
        assert!(folder.path().join(format!("results/lab/{plot}.svg")).exists(), "{plot}");
    }
}

#[test]
fn the_same_bytes_on_any_threads_with_old_databases_and_after_a_kill() {
    for spec in [EGDB, SOLVE, MATCH] {
        let folder = lab(spec);
        done(folder.path(), &["run", "lab.toml", "--threads", "1"]);
        let whole = files(folder.path());
        done(folder.path(), &["run", "lab.toml", "--threads", "2", "--fresh"]);
        assert_eq!(files(folder.path()), whole, "the databases were there already");
        std::fs::remove_dir_all(folder.path().join("results")).unwrap();
        done(folder.path(), &["run", "lab.toml", "--threads", "2", "--egdb", "other"]);
        assert_eq!(files(folder.path()), whole);
        std::fs::remove_dir_all(folder.path().join("results")).unwrap();
        std::fs::remove_dir_all(folder.path().join("other")).unwrap();
        let mut child =
            ludometer(folder.path(), &["run", "lab.toml", "--egdb", "other", "--quiet"])
                .spawn()
                .unwrap();
        let begun = Instant::now();
        let slices = || std::fs::read_dir(folder.path().join("other")).map_or(0, Iterator::count);
        while slices() < 3 && child.try_wait().unwrap().is_none() {
            assert!(begun.elapsed() < Duration::from_secs(60), "nothing in a minute");
            std::thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        done(folder.path(), &["run", "lab.toml", "--egdb", "other"]);
        assert_eq!(files(folder.path()), whole);
    }
}

#[test]
fn proofs_are_those_of_the_verb() {
    let folder = lab(SOLVE);
    let report = done(folder.path(), &["run", "lab.toml"]);
    assert!(report.contains("equal"), "{report}");
    let summary = table(folder.path(), "summary.csv");
    let solve = |arguments: &[&str]| {
        rows(&done(folder.path(), &[&["solve"], arguments, &["--format", "csv"]].concat()))
    };
    let nodes = |row: &Row| {
        let of = |name: &str| row[name].parse::<u64>().unwrap_or(0);
        (of("win_nodes") + of("loss_nodes")).to_string()
    };
    let database = ["--egdb", "egdb", "--pieces", "3"];
    for (label, arguments) in [
        ("none", vec!["draughts-4"]),
        ("pns-3", [&["draughts-4", "--solver", "pns"][..], &database].concat()),
        (
            "from-there",
            [&["checkers-6", "--fen", "W:WK16,17:B3,4", "--play", "17-14"][..], &database].concat(),
        ),
    ] {
        let rows = solve(&arguments);
        assert_eq!(quantity(&summary, label, "value"), rows[0]["value"], "{label}");
        assert_eq!(quantity(&summary, label, "nodes"), nodes(&rows[0]), "{label}");
        assert_eq!(quantity(&summary, label, "greatest_depth"), rows[0]["greatest_depth"]);
    }
    assert_eq!(quantity(&summary, "limited", "value"), "unknown");
    let lines = [&["draughts-4", "--plies", "2", "--distance"][..], &database].concat();
    let lines = solve(&lines);
    for (name, value) in [("wins", "win"), ("draws", "draw"), ("losses", "loss")] {
        let count = lines.iter().filter(|row| row["value"] == value).count();
        assert_eq!(quantity(&summary, "ply-2", name), count.to_string(), "{name}");
    }
    assert_eq!(quantity(&summary, "ply-2", "unknown"), "0");
    let deepest = |value: &str| {
        let of_value = lines.iter().filter(|row| row["value"] == value);
        of_value.map(|row| 2 + row["plies_to_end"].parse::<u32>().unwrap()).max()
    };
    let batches = table(folder.path(), "batches.csv");
    let batch = batches.iter().find(|row| row["game"] == "ply-2").unwrap();
    for (name, value) in [("deepest_win", "win"), ("deepest_loss", "loss")] {
        let plies = deepest(value).map_or(String::new(), |plies| plies.to_string());
        assert_eq!(batch[&format!("{name}_plies")], plies);
        let moves = batch[&format!("{name}_line")].split_whitespace().count().to_string();
        assert!(moves == plies || (plies.is_empty() && moves == "0"), "{moves} {plies}");
    }
    assert!(folder.path().join("results/lab/proof-nodes.svg").exists());
}

#[test]
fn the_perfect_player_of_an_experiment_does_not_lose() {
    let folder = lab(MATCH);
    done(folder.path(), &["run", "lab.toml"]);
    let summary = table(folder.path(), "summary.csv");
    assert_eq!(quantity(&summary, "draughts-4", "games"), "30");
    assert_eq!(quantity(&summary, "draughts-4", "losses"), "0");
    let verb = [
        "match",
        "draughts-4",
        "perfect,egdb=egdb,pieces=4",
        "depth=2,evaluation=material,egdb=egdb,pieces=3",
        "--openings",
        "start",
        "--games",
        "30",
        "--seed",
        "3",
        "--format",
        "csv",
    ];
    let table = rows(&done(folder.path(), &verb));
    assert_eq!(quantity(&summary, "draughts-4", "wins"), table[0]["wins"]);
    done(folder.path(), &["run", "lab.toml", "--quick", "--egdb", "small"]);
    let small = std::fs::read_dir(folder.path().join("small")).unwrap();
    let names = small.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let pieces = names.filter_map(|name| {
        let counts = name.strip_prefix("draughts-4_")?.strip_suffix(".egdb")?.to_owned();
        Some(counts.split('.').map(|count| count.parse::<u32>().unwrap()).sum::<u32>())
    });
    assert_eq!(pieces.max(), Some(3), "a quick run builds no more than it says");
}

#[test]
fn damaged_databases_are_named_and_nothing_is_claimed() {
    let folder = lab(EGDB);
    done(folder.path(), &["run", "lab.toml"]);
    let path = folder.path().join("egdb/checkers-6_0.1.0.2.egdb");
    let mut bytes = std::fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let output = ludometer(folder.path(), &["run", "lab.toml", "--fresh"]).output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.contains("checkers-6_0.1.0.2.egdb"), "{message}");
    assert!(!folder.path().join("results/lab/manifest.toml").exists());
}

#[test]
fn what_makes_no_sense_is_refused_by_name() {
    for (spec, from, to, words) in [
        (EGDB, "pieces = 4", "pieces = 1", ["pieces 1", "2 to 12"]),
        (EGDB, "pieces = 4", "pieces = 13", ["pieces 13", "2 to 12"]),
        (EGDB, "pieces = 4\n", "", ["egdb", "'pieces'"]),
        (EGDB, "name = \"draughts-6\"", "name = \"othello\"", ["othello", "checkers and draughts"]),
        (
            EGDB,
            "pieces = 3\n\n[[pub",
            "pieces = 3\ndraw_rule = \"fmjd\"\n\n[[pub",
            ["draw_rule", "history"],
        ),
        (
            EGDB,
            "checkers-6-4-pieces",
            "checkers-6-5-pieces",
            ["checkers-6-5-pieces", "not measured"],
        ),
        (SOLVE, "solver = \"pns\"", "solver = \"magic\"", ["solver 'magic'", "pns-mobility"]),
        (SOLVE, "play = \"17-14\"", "play = \"17-99\"", ["play", "17-99"]),
        (SOLVE, "plies = 2", "plies = 7", ["plies 7", "0 to 6"]),
        (SOLVE, "nodes = 2", "nodes = 0", ["nodes 0", "1 or more"]),
        (SOLVE, "nodes = 2", "memory_mib = 0", ["memory_mib 0", "1 to"]),
        (SOLVE, "value = \"draw\"", "value = \"tie\"", ["'tie'", "win, draw, loss"]),
        (SOLVE, "fen = \"W:WK16,17:B3,4\"", "fen = \"W:WK99:B3\"", ["fen", "99"]),
        (MATCH, "pieces=4", "egdb=x,pieces=4", ["egdb=x", "--egdb"]),
        (MATCH, "pieces=4", "pieces=13", ["pieces 13", "2 to 4"]),
        (MATCH, "openings = \"start\"", "openings = \"end\"", ["openings 'end'", "ballots, start"]),
    ] {
        assert!(spec.contains(from), "{from}");
        let folder = lab(&spec.replacen(from, to, 1));
        let output = ludometer(folder.path(), &["run", "lab.toml"]).output().unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert_eq!(message.lines().count(), 1, "{message}");
        assert!(words.iter().all(|word| message.contains(word)), "{words:?}: {message}");
        assert!(!folder.path().join("results").exists() && !folder.path().join("egdb").exists());
    }
}
