//! README shows true output: every `$ ludometer ...` in it is run and what stands below it compared.
//!
//! A line `...` stands for any number of lines. Tables are written as on a terminal. The two commands
//! of the set-up are CI's to run; here they are only held to what CI reads.
#![allow(clippy::unwrap_used)]

use std::path::Path;

use assert_cmd::Command;

/// A command line of README and the lines shown below it.
struct Example {
    command: String,
    shown: Vec<String>,
}

fn readme() -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap()
}

fn examples(text: &str) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        if line.starts_with("```") {
            inside = line == "```console";
        } else if inside {
            match line.strip_prefix("$ ") {
                Some(command) => examples.push(Example { command: command.into(), shown: vec![] }),
                None => examples.last_mut().unwrap().shown.push(line.into()),
            }
        }
    }
    examples
}

/// The words of a command line; double quotes keep blanks.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (n, part) in command.split('"').enumerate() {
        if n % 2 == 1 {
            words.push(part.into());
        } else {
            words.extend(part.split_whitespace().map(String::from));
        }
    }
    words
}

/// Whether `output` is `shown`, where a line `...` stands for any lines.
fn agrees(shown: &[String], output: &[&str]) -> bool {
    match shown.split_first() {
        None => output.is_empty(),
        Some((first, rest)) if first == "..." => {
            (0..=output.len()).any(|skipped| agrees(rest, &output[skipped..]))
        }
        Some((first, rest)) => {
            output.first().is_some_and(|line| line.trim_end() == first.trim_end())
                && agrees(rest, &output[1..])
        }
    }
}

#[test]
fn every_example_of_the_readme_prints_what_the_readme_shows() {
    let text = readme();
    // The examples run one after the other in a folder of their own, with the specs beside them.
    let folder = tempfile::tempdir().unwrap();
    let specs = folder.path().join("experiments");
    std::fs::create_dir(&specs).unwrap();
    for entry in
        std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments")).unwrap()
    {
        let path = entry.unwrap().path();
        std::fs::copy(&path, specs.join(path.file_name().unwrap())).unwrap();
    }
    let collections = Path::new("tests/data/pdn");
    std::fs::create_dir_all(folder.path().join(collections)).unwrap();
    let games = collections.join("draughts10_a.pdn");
    let original = Path::new(env!("CARGO_MANIFEST_DIR")).join(&games);
    std::fs::copy(original, folder.path().join(&games)).unwrap();
    let mut run = 0;
    for example in examples(&text) {
        let words = words(&example.command);
        if words[0] != "ludometer" || example.shown.is_empty() {
            continue;
        }
        let mut command = Command::new(env!("CARGO_BIN_EXE_ludometer"));
        command.current_dir(folder.path()).args(&words[1..]).args(["--format", "text"]);
        let output = command.output().unwrap();
        let stdout = String::from_utf8(output.stdout).unwrap();
        let lines: Vec<&str> = stdout.lines().collect();
        assert!(output.status.success(), "{}: {:?}", example.command, output.status);
        assert!(
            agrees(&example.shown, &lines),
            "$ {}\nREADME shows:\n{}\nit prints:\n{stdout}",
            example.command,
            example.shown.join("\n")
        );
        run += 1;
    }
    assert!(run >= 3, "README shows {run} examples with output");
}

#[test]
fn the_readme_names_one_command_for_the_main_job_and_one_for_the_tests() {
    let commands: Vec<String> = examples(&readme()).into_iter().map(|e| e.command).collect();
    let cargo: Vec<&str> = commands
        .iter()
        .map(String::as_str)
        .filter(|command| command.starts_with("cargo"))
        .collect();
    assert_eq!(cargo.len(), 2, "{cargo:?}");
    assert!(cargo[0].starts_with("cargo run --release") && cargo[0].ends_with("reproduce --quick"));
    assert!(cargo[1].starts_with("cargo test --profile ci"));
}

#[test]
fn the_comparison_sees_a_wrong_line() {
    let lines = |text: &str| text.lines().map(String::from).collect::<Vec<_>>();
    assert!(agrees(&lines("a\n...\nd"), &["a", "b", "c", "d"]));
    assert!(!agrees(&lines("a\n...\nd"), &["a", "b", "c"]));
    assert!(!agrees(&lines("a"), &["a", "b"]));
    assert!(!agrees(&lines("a\nb"), &["a", "c"]));
}
