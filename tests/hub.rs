//! Programs of other people in matches, by the Hub protocol: what goes wrong is named.
#![cfg(unix)]
#![allow(clippy::unwrap_used)]

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

/// A program that answers every `go` with what follows.
fn program(folder: &Path, answer: &str) -> String {
    let path = folder.join("program.sh");
    let script = format!(
        "#!/bin/sh\nwhile read -r line; do case \"$line\" in\nhub) echo 'id name=\"a b\"'; echo wait;;\n\
         init) echo ready;;\ngo*) {answer};;\nquit) exit;;\nesac; done\n"
    );
    std::fs::write(&path, script).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path.to_str().unwrap().to_owned()
}

fn play(game: &str, program: &str) -> Output {
    let b = format!("hub={program},time=0.01");
    Command::new(env!("CARGO_BIN_EXE_ludometer"))
        .args(["match", game, "depth=1", &b, "--games", "2", "--threads", "1"])
        .output()
        .unwrap()
}

#[test]
fn a_program_that_cannot_play_is_named_with_what_it_did() {
    let folder = tempfile::tempdir().unwrap();
    for (answer, words) in [
        ("echo 'info depth=1 score=0.1'; echo 'done move=1-2'", ["plays '1-2'", "no legal move"]),
        ("echo 'done'", ["plays ''", "no legal move"]),
        ("echo 'error message=\"bad hash\"'", ["says: bad hash", "program.sh"]),
        ("exit", ["has ended", "program.sh"]),
    ] {
        let output = play("draughts-10", &program(folder.path(), answer));
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{message}");
        assert!(words.iter().all(|word| message.contains(word)), "{message}");
    }
}

#[test]
fn a_program_that_does_not_start_or_knows_no_such_game_is_refused() {
    let output = play("draughts-10", "/nowhere/at/all");
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.contains("cannot start '/nowhere/at/all'"), "{message}");
    let output = play("checkers-8", "/nowhere/at/all");
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains("draughts-10"), "{message}");
}

#[test]
fn a_program_that_only_talks_is_given_up_and_finished_pairs_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pdn");
    let talker = "while :; do echo 'info depth=1'; sleep 0.2; done";
    let b = format!("hub={},time=0.01", program(folder.path(), talker));
    let arguments =
        ["match", "draughts-10", "depth=1", &b, "--games", "2", "--out", path.to_str().unwrap()];
    let output = Command::new(env!("CARGO_BIN_EXE_ludometer")).args(arguments).output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.contains("does not answer"), "{message}");
    assert!(!path.exists(), "a file without games is left");
}

#[test]
fn a_file_of_games_is_never_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pdn");
    std::fs::write(&path, "precious").unwrap();
    let arguments = [
        "match",
        "draughts-8",
        "depth=1",
        "depth=0",
        "--games",
        "2",
        "--out",
        path.to_str().unwrap(),
    ];
    let output = Command::new(env!("CARGO_BIN_EXE_ludometer")).args(arguments).output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.contains("games.pdn"), "{message}");
    assert_eq!(std::fs::read(&path).unwrap(), b"precious");
}
