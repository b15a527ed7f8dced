//! Programs of other people in matches, by the Hub protocol: what goes wrong is named.
#![cfg(unix)]
#![allow(clippy::unwrap_used)]

mod lab;

use std::os::unix::fs::PermissionsExt;

use lab::{Lab, Ran, run};

/// A program that answers every `go` with what follows.
fn program(lab: &Lab, answer: &str) -> String {
    let path = lab.path("program.sh");
    let script = format!(
        "#!/bin/sh\nwhile read -r line; do case \"$line\" in\nhub) echo 'id name=\"a b\"'; echo wait;;\n\
         init) echo ready;;\ngo*) {answer};;\nquit) exit;;\nesac; done\n"
    );
    std::fs::write(&path, script).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path.to_str().unwrap().to_owned()
}

fn play(game: &str, program: &str) -> Ran {
    run(&format!("match {game} depth=1 hub={program},time=0.01 --games 2 --threads 1"))
}

#[test]
fn a_program_that_cannot_play_is_named_with_what_it_did() {
    let lab = Lab::empty();
    for (answer, words) in [
        ("echo 'info depth=1 score=0.1'; echo 'done move=1-2'", ["plays '1-2'", "no legal move"]),
        ("echo 'done'", ["plays ''", "no legal move"]),
        ("echo 'error message=\"bad hash\"'", ["says: bad hash", "program.sh"]),
        ("exit", ["has ended", "program.sh"]),
    ] {
        play("draughts-10", &program(&lab, answer)).told(1, &words);
    }
}

#[test]
fn a_program_that_does_not_start_or_knows_no_such_game_is_refused() {
    let nowhere = "/nowhere/at/all";
    play("draughts-10", nowhere).refused(1, &["cannot start '/nowhere/at/all'"]);
    play("checkers-8", nowhere).refused(2, &["draughts-10"]);
}

#[test]
fn a_program_that_only_talks_is_given_up_and_finished_pairs_are_told() {
    let lab = Lab::empty();
    let talker = program(&lab, "while :; do echo 'info depth=1'; sleep 0.2; done");
    let b = format!("hub={talker},time=0.01");
    let played = lab.run(&format!("match draughts-10 depth=1 {b} --games 2 --out games.pdn"));
    played.told(1, &["does not answer"]);
    assert!(!lab.path("games.pdn").exists(), "a file without games is left");
}

#[test]
fn a_file_of_games_is_never_overwritten() {
    let lab = Lab::empty();
    lab.write("games.pdn", "precious");
    let played = lab.run("match draughts-8 depth=1 depth=0 --games 2 --out games.pdn");
    played.refused(1, &["games.pdn"]);
    assert_eq!(std::fs::read(lab.path("games.pdn")).unwrap(), b"precious");
}
