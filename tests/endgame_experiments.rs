//! The measures `egdb` and `solve`, and databases in `match`: their numbers against those of the verbs,
//! their bytes against threads, kills and databases that are there already, their refusals.
#![allow(clippy::unwrap_used)]

mod lab;

use lab::{Lab, Row, refuses, rows};

const EGDB: &str = r#"
id = "sample"
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
id = "sample"
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
id = "sample"
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

fn quantity(summary: &[Row], game: &str, name: &str) -> String {
    lab::quantity(summary, game, name)["value"].clone()
}

#[test]
fn databases_are_counted_as_the_verb_counts_them() {
    let lab = Lab::new(EGDB);
    let report = lab.done("run sample.toml").stdout;
    assert!(report.contains("equal") && report.contains("another machine"), "{report}");
    let summary = lab.table("summary.csv");
    for (game, most) in [("checkers-6", 4), ("draughts-6", 3)] {
        // The database that the run has left.
        let egdb = |verb: &str, more: &str| {
            let command = format!("egdb {verb} {game} --dir egdb --pieces {most} {more}");
            rows(&lab.done(&command).stdout)
        };
        let info = egdb("info", "");
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
        let longest = egdb("longest", "");
        for batch in lab.table("batches.csv").iter().filter(|row| row["game"] == game) {
            let same = longest.iter().find(|row| row["position"] == batch["position"]).unwrap();
            assert_eq!(same["line"], batch["line"]);
            assert_eq!(same["king_moves_in_a_row"], batch["king_moves_in_a_row"]);
            let of_pieces = longest.iter().filter(|row| row["pieces"] == batch["pieces"]);
            let kings = of_pieces.map(|row| row["king_moves_in_a_row"].parse::<u32>().unwrap());
            assert_eq!(kings.max().unwrap().to_string(), batch["king_moves_in_a_row"]);
        }
        let by_plies = egdb("info", "--by plies");
        let bins = lab.table("histograms.csv");
        let bins: Vec<&Row> = bins.iter().filter(|row| row["game"] == game).collect();
        assert_eq!(bins.len(), by_plies.len());
        for (bin, row) in bins.iter().zip(&by_plies) {
            assert_eq!(bin["histogram"], row["value"]);
            assert_eq!(bin["bin"], row["plies"]);
            assert_eq!(bin["count"], row["positions"]);
        }
    }
    let costs = lab.table("costs.csv");
    assert_eq!(costs.len(), 3 + 2, "a row for each number of pieces");
    assert!(costs.iter().all(|row| row["slices_found"] == "0"));
    for plot in ["database-size", "distances-checkers-6", "distances-draughts-6"] {
        assert!(lab.results(&format!("{plot}.svg")).exists(), "{plot}");
    }
}

#[test]
fn the_same_bytes_on_any_threads_with_old_databases_and_after_a_kill() {
    for spec in [EGDB, SOLVE, MATCH] {
        let lab = Lab::new(spec);
        lab.done("run sample.toml --threads 1");
        let whole = lab.files();
        lab.done("run sample.toml --threads 2 --fresh");
        assert_eq!(lab.files(), whole, "the databases were there already");
        std::fs::remove_dir_all(lab.results("")).unwrap();
        lab.done("run sample.toml --threads 2 --egdb other");
        assert_eq!(lab.files(), whole);
        std::fs::remove_dir_all(lab.results("")).unwrap();
        std::fs::remove_dir_all(lab.path("other")).unwrap();
        lab.stopped("run sample.toml --egdb other", "-KILL", || lab.count("other", "") >= 3);
        lab.done("run sample.toml --egdb other");
        assert_eq!(lab.files(), whole);
    }
}

#[test]
fn proofs_are_those_of_the_verb() {
    let lab = Lab::new(SOLVE);
    let report = lab.done("run sample.toml").stdout;
    assert!(report.contains("equal"), "{report}");
    let summary = lab.table("summary.csv");
    let solve =
        |arguments: &str| rows(&lab.done(&format!("solve {arguments} --format csv")).stdout);
    let nodes = |row: &Row| {
        let of = |name: &str| row[name].parse::<u64>().unwrap_or(0);
        (of("win_nodes") + of("loss_nodes")).to_string()
    };
    for (label, arguments) in [
        ("none", "draughts-4"),
        ("pns-3", "draughts-4 --solver pns --egdb egdb --pieces 3"),
        ("from-there", "checkers-6 --fen W:WK16,17:B3,4 --play 17-14 --egdb egdb --pieces 3"),
    ] {
        let rows = solve(arguments);
        assert_eq!(quantity(&summary, label, "value"), rows[0]["value"], "{label}");
        assert_eq!(quantity(&summary, label, "nodes"), nodes(&rows[0]), "{label}");
        assert_eq!(quantity(&summary, label, "greatest_depth"), rows[0]["greatest_depth"]);
    }
    assert_eq!(quantity(&summary, "limited", "value"), "unknown");
    let lines = solve("draughts-4 --plies 2 --distance --egdb egdb --pieces 3");
    for (name, value) in [("wins", "win"), ("draws", "draw"), ("losses", "loss")] {
        let count = lines.iter().filter(|row| row["value"] == value).count();
        assert_eq!(quantity(&summary, "ply-2", name), count.to_string(), "{name}");
    }
    assert_eq!(quantity(&summary, "ply-2", "unknown"), "0");
    let deepest = |value: &str| {
        let of_value = lines.iter().filter(|row| row["value"] == value);
        of_value.map(|row| 2 + row["plies_to_end"].parse::<u32>().unwrap()).max()
    };
    let batches = lab.table("batches.csv");
    let batch = batches.iter().find(|row| row["game"] == "ply-2").unwrap();
    for (name, value) in [("deepest_win", "win"), ("deepest_loss", "loss")] {
        let plies = deepest(value).map_or(String::new(), |plies| plies.to_string());
        assert_eq!(batch[&format!("{name}_plies")], plies);
        let moves = batch[&format!("{name}_line")].split_whitespace().count().to_string();
        assert!(moves == plies || (plies.is_empty() && moves == "0"), "{moves} {plies}");
    }
    assert!(lab.results("proof-nodes.svg").exists());
}

#[test]
fn the_perfect_player_of_an_experiment_does_not_lose() {
    let lab = Lab::new(MATCH);
    lab.done("run sample.toml");
    let summary = lab.table("summary.csv");
    assert_eq!(quantity(&summary, "draughts-4", "games"), "30");
    assert_eq!(quantity(&summary, "draughts-4", "losses"), "0");
    let verb = "match draughts-4 perfect,egdb=egdb,pieces=4 \
                depth=2,evaluation=material,egdb=egdb,pieces=3 \
                --openings start --games 30 --seed 3 --format csv";
    assert_eq!(quantity(&summary, "draughts-4", "wins"), rows(&lab.done(verb).stdout)[0]["wins"]);
    lab.done("run sample.toml --quick --egdb small");
    let small = std::fs::read_dir(lab.path("small")).unwrap();
    let names = small.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let pieces = names.filter_map(|name| {
        let counts = name.strip_prefix("draughts-4_")?.strip_suffix(".egdb")?.to_owned();
        Some(counts.split('.').map(|count| count.parse::<u32>().unwrap()).sum::<u32>())
    });
    assert_eq!(pieces.max(), Some(3), "a quick run builds no more than it says");
}

#[test]
fn damaged_databases_are_named_and_nothing_is_claimed() {
    let lab = Lab::new(EGDB);
    lab.done("run sample.toml");
    let path = lab.path("egdb/checkers-6_0.1.0.2.egdb");
    let mut bytes = std::fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(&path, bytes).unwrap();
    lab.run("run sample.toml --fresh").refused(1, &["checkers-6_0.1.0.2.egdb"]);
    assert!(!lab.results("manifest.toml").exists());
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
        refuses(spec, from, to, &words);
    }
}
