//! `ludometer solve` and `ludometer perfect` as their users meet them, and players that ask a database.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

fn ludometer(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludometer"));
    command.args(arguments).current_dir(folder);
    command
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn done(folder: &Path, arguments: &[&str]) -> String {
    let output = ludometer(folder, arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
    String::from_utf8(output.stdout).unwrap()
}

fn refused(folder: &Path, arguments: &[&str], code: i32, words: &[&str]) {
    let output = ludometer(folder, arguments).output().unwrap();
    let message = stderr(&output);
    assert_eq!(output.status.code(), Some(code), "{message}");
    for word in words {
        assert!(message.contains(word), "no '{word}' in: {message}");
    }
}

/// The rows of a table as fields by the names of their columns.
fn rows(csv: &str) -> Vec<std::collections::HashMap<String, String>> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    reader.deserialize().map(|row| row.unwrap()).collect()
}

fn column(csv: &str, name: &str) -> Vec<String> {
    rows(csv).into_iter().map(|row| row[name].clone()).collect()
}

#[test]
fn both_solvers_and_both_4x4_games_make_a_draw() {
    let folder = tempfile::tempdir().unwrap();
    for game in ["checkers-4", "draughts-4"] {
        for solver in ["dfpn", "pns", "pns-mobility"] {
            let table = done(folder.path(), &["solve", game, "--solver", solver]);
            let [row] = rows(&table).try_into().unwrap();
            for (name, expected) in [
                ("game", game),
                ("solver", solver),
                ("pieces", "0"),
                ("value", "draw"),
                ("win", "disproved"),
                ("loss", "disproved"),
                ("plies_to_end", ""),
            ] {
                assert_eq!(row[name], expected, "{game} {solver}");
            }
            assert!(row["win_nodes"].parse::<u64>().unwrap() > 100);
            let mean: f64 = row["mean_depth"].parse().unwrap();
            assert!(mean > 1.0 && mean < row["greatest_depth"].parse().unwrap());
        }
    }
}

#[test]
fn a_database_is_asked_as_far_as_it_may_be() {
    let folder = tempfile::tempdir().unwrap();
    done(folder.path(), &["egdb", "build", "draughts-6", "--pieces", "3", "--dir", "egdb"]);
    let solve = |pieces: &str| {
        let arguments =
            ["solve", "draughts-6", "--fen", "W:W10,13:B2,6", "--egdb", "egdb", "--pieces", pieces];
        let table = done(folder.path(), &arguments);
        let nodes: u64 = column(&table, "win_nodes")[0].parse().unwrap();
        (column(&table, "value"), column(&table, "pieces"), nodes)
    };
    let (three, two) = (solve("3"), solve("2"));
    assert_eq!(three.0, two.0);
    assert_eq!((three.1[0].as_str(), two.1[0].as_str()), ("3", "2"));
    assert!(three.2 < two.2, "{} {}", three.2, two.2);
    refused(
        folder.path(),
        &["solve", "draughts-6", "--egdb", "egdb", "--pieces", "4"],
        1,
        &["egdb"],
    );
    refused(folder.path(), &["solve", "draughts-6", "--egdb", "nowhere"], 1, &["nowhere"]);
    refused(folder.path(), &["solve", "draughts-6", "--pieces", "3"], 2, &["--egdb"]);
    refused(
        folder.path(),
        &["match", "draughts-6", "perfect,egdb=nowhere", "depth=1"],
        1,
        &["nowhere"],
    );
    // A player with a database shows it in the games it signs.
    let engine = "depth=2,evaluation=material,egdb=egdb,pieces=3";
    let arguments =
        ["match", "draughts-6", engine, "depth=2", "--games", "2", "--out", "match.pdn"];
    done(folder.path(), &arguments);
    let games = std::fs::read_to_string(folder.path().join("match.pdn")).unwrap();
    assert!(games.contains(engine), "{games}");
}

/// Case O-EG2 of public bug reports, and the eleven plies that it takes.
#[test]
fn what_is_won_is_counted_and_played_as_a_database_does_and_what_is_drawn_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let solve = |fen: &str| {
        let table = done(folder.path(), &["solve", "checkers-8", "--fen", fen, "--distance"]);
        ["value", "plies_to_end", "best_play"].map(|name| column(&table, name).remove(0))
    };
    done(folder.path(), &["egdb", "build", "checkers-8", "--pieces", "2", "--dir", "egdb"]);
    for (fen, value, plies) in [("W:WK29:BK4", "win", 11), ("B:WK25:BK4", "loss", 10)] {
        let line = ["egdb", "probe", "checkers-8", "--dir", "egdb", "--fen", fen, "--line"];
        let moves = column(&done(folder.path(), &line), "move");
        assert_eq!(moves.len(), plies);
        assert_eq!(solve(fen), [value.into(), plies.to_string(), moves.join(" ")]);
    }
    assert_eq!(solve("W:WK32:BK1"), ["draw", "", ""]);
}

/// Case O-EG1 of public bug reports.
#[test]
fn every_move_is_judged() {
    let folder = tempfile::tempdir().unwrap();
    let position = ["--fen", "W:WK2,K12:BK11"];
    let table = done(folder.path(), &[&["perfect", "checkers-8"], &position[..]].concat());
    let analysed = [&["analyse", "checkers-8"], &position[..], &["--perfect"]].concat();
    assert_eq!(done(folder.path(), &analysed), table);
    let mut judged: Vec<(String, String)> =
        column(&table, "move").into_iter().zip(column(&table, "value")).collect();
    judged.sort();
    let expected = [("12-16", "draw"), ("12-8", "draw"), ("2-6", "win"), ("2-7", "draw")];
    assert_eq!(judged, expected.map(|(mv, value)| (mv.to_owned(), value.to_owned())));
    let each = ["--plies", "1", "--distance"];
    let table = done(folder.path(), &[&["solve", "checkers-8"], &position[..], &each].concat());
    let lines = column(&table, "line").into_iter().zip(column(&table, "plies_to_end"));
    let counted: Vec<_> = lines.filter(|(_, plies)| !plies.is_empty()).collect();
    assert_eq!(counted, [("2-6".to_owned(), "12".to_owned())]);
}

#[test]
fn limits_and_interrupts_end_as_unknown() {
    let folder = tempfile::tempdir().unwrap();
    for limit in [["--nodes", "1000"], ["--memory", "1MiB"], ["--time", "0.05"]] {
        let arguments = [&["solve", "checkers-8", "--solver", "pns"], &limit[..]].concat();
        let table = done(folder.path(), &arguments);
        assert_eq!(column(&table, "value"), ["unknown"], "{limit:?}");
        assert_eq!(column(&table, "win"), ["unknown"], "{limit:?}");
    }
    let mut command = ludometer(folder.path(), &["solve", "checkers-8"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(300));
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    let table = String::from_utf8(output.stdout).unwrap();
    assert_eq!(column(&table, "value"), ["unknown"]);
}

/// Each limit of nodes holds for the proofs, and again for the search of the distance with its own.
#[test]
fn a_limit_ends_the_count_of_plies_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["solve", "checkers-8", "--fen", "W:WK2,K12:BK11", "--distance"];
    let whole = done(folder.path(), &arguments);
    let nodes: Vec<u64> = ["win_nodes", "loss_nodes"]
        .iter()
        .map(|name| column(&whole, name)[0].parse().unwrap_or(0))
        .collect();
    let enough = (nodes.iter().max().unwrap() + 1).to_string();
    let limited = [&arguments[..], &["--nodes", &enough]].concat();
    let output = ludometer(folder.path(), &limited).output().unwrap();
    assert!(output.status.success());
    assert!(stderr(&output).contains("plies are not counted: the limit of nodes"));
    let table = String::from_utf8(output.stdout).unwrap();
    assert_eq!(column(&table, "value"), ["win"]);
    assert_eq!(column(&table, "plies_to_end"), [""]);
    let hurried = ["solve", "checkers-8", "--time", "0.01"];
    let output = ludometer(folder.path(), &hurried).output().unwrap();
    assert!(stderr(&output).contains("a proof ended at the limit of time"));
}

#[test]
fn whoever_asks_a_damaged_database_names_the_damage() {
    let folder = tempfile::tempdir().unwrap();
    done(folder.path(), &["egdb", "build", "checkers-6", "--pieces", "3", "--dir", "egdb"]);
    for slice in ["1.0.0.2", "0.1.0.2", "0.1.1.1", "0.1.2.0", "1.0.1.1", "1.0.2.0"] {
        let path = folder.path().join(format!("egdb/checkers-6_{slice}.egdb"));
        let mut bytes = std::fs::read(&path).unwrap();
        let last = bytes.len() - 1;
        bytes[last] ^= 1;
        bytes[last / 2] ^= 1;
        std::fs::write(&path, bytes).unwrap();
    }
    // Four pieces, so that every verb searches before it asks.
    let position = ["--fen", "W:WK16,17:BK3,5"];
    let asking = ["--egdb", "egdb"];
    for verb in [
        &["solve", "checkers-6"][..],
        &["solve", "checkers-6", "--solver", "pns"],
        &["perfect", "checkers-6"],
        &["analyse", "checkers-6", "--depth", "13"],
    ] {
        let arguments = [verb, &position, &asking].concat();
        refused(folder.path(), &arguments, 1, &["checkers-6_", "is damaged: block"]);
    }
    for player in [&["--perfect"][..], &[]] {
        let play = ["selfplay", "checkers-6", "--depth", "4", "--games", "6", "--out", "games"];
        let arguments = [&play[..], &asking, player].concat();
        refused(folder.path(), &arguments, 1, &["checkers-6_", "is damaged: block"]);
    }
    for player in ["perfect,egdb=egdb", "depth=4,egdb=egdb"] {
        let arguments = ["match", "checkers-6", player, "depth=1", "--games", "4"];
        refused(folder.path(), &arguments, 1, &["checkers-6_", "is damaged: block"]);
    }
}

#[test]
fn what_has_no_solver_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    done(folder.path(), &["egdb", "build", "checkers-6", "--pieces", "2", "--dir", "egdb"]);
    for verb in ["solve", "perfect", "analyse"] {
        let asking = [verb, "checkers-6", "--egdb", "egdb", "--pieces", "13"];
        refused(folder.path(), &asking, 2, &["--pieces", "13 pieces", "2 to 12"]);
    }
    let player = "perfect,egdb=egdb,pieces=13";
    let asking = ["match", "checkers-6", player, "depth=1"];
    refused(folder.path(), &asking, 2, &["pieces=13", "2 to 12"]);
    refused(
        folder.path(),
        &["match", "checkers-6", "perfect,pieces=3", "depth=1"],
        2,
        &["pieces=", "egdb="],
    );
    refused(folder.path(), &["solve", "checkers-6", "--memory", "3KiB"], 2, &["3KiB", "1MiB"]);
    let vast = ["solve", "checkers-6", "--memory", "9000000GiB"];
    refused(folder.path(), &vast, 2, &["--memory", "free memory"]);
    for verb in ["solve", "perfect"] {
        refused(folder.path(), &[verb, "othello"], 2, &["othello", "checkers and draughts"]);
        refused(folder.path(), &[verb, "checkers-6", "--fen", "W:W99:B1"], 2, &["99"]);
        refused(folder.path(), &[verb, "checkers-6", "--play", "1-9"], 2, &["1-9"]);
    }
}

/// 4x4 is a draw, and both colours are played.
#[test]
fn the_perfect_player_does_not_lose_and_plays_the_same_on_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    for game in ["checkers-4", "draughts-4"] {
        let play = |threads: &str| {
            let out = format!("{game}-{threads}.pdn");
            let arguments = [
                "match",
                game,
                "perfect",
                "depth=3",
                "--games",
                "60",
                "--openings",
                "start",
                "--threads",
                threads,
                "--out",
                &out,
            ];
            let table = done(folder.path(), &arguments);
            assert_eq!(column(&table, "losses")[0], "0", "{table}");
            (table, std::fs::read(folder.path().join(out)).unwrap())
        };
        assert_eq!(play("1"), play("3"));
    }
}

/// Between two perfect players every game of 4x4 is drawn; the games tell who played.
#[test]
fn the_perfect_player_plays_itself() {
    let folder = tempfile::tempdir().unwrap();
    done(folder.path(), &["egdb", "build", "draughts-4", "--pieces", "3", "--dir", "egdb"]);
    let play = ["selfplay", "draughts-4", "--depth", "2", "--games", "20", "--out", "games"];
    let perfect = [&play[..], &["--perfect", "--egdb", "egdb"]].concat();
    let table = done(folder.path(), &perfect);
    assert_eq!(column(&table, "draws"), ["20"], "{table}");
    let games =
        std::fs::read_to_string(folder.path().join("games/draughts-4-depth-2.pdn")).unwrap();
    assert!(games.contains("[Engine \"perfect,evaluation=positional,pieces=3\"]"), "{games}");
    assert_eq!(column(&done(folder.path(), &perfect), "new_games"), ["0"]);
    // Others have played these.
    refused(folder.path(), &play, 2, &["draughts-4-depth-2.pdn"]);
}
