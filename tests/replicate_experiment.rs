//! Tree size by replicates, from a spec and from the command line.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

const FILES: [&str; 3] = ["batches.csv", "histograms.csv", "summary.csv"];

const SPEC: &str = r#"
id = "sample"
title = "A sample by replicates"
question = "Does it survive?"
source = "made for this test"
measure = "tree-size"
seed = 7
method = "smc"
particles = 200
replicates = 60
threshold = 0.8

[[game]]
name = "connect-four"
columns = 5
rows = 5

[[game]]
name = "othello"
size = 4

[quick]
replicates = 3

[[published]]
game = "othello-4"
quantity = "gts"
value = "60060"
source = "counted exactly"
"#;

struct Lab {
    folder: tempfile::TempDir,
}

impl Lab {
    fn new(spec: &str) -> Lab {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("sample.toml"), spec).unwrap();
        Lab { folder }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ludometer"));
        command.args(arguments).current_dir(self.folder.path());
        command
    }

    fn run(&self, more: &[&str]) -> Output {
        self.command(&[&["run", "sample.toml"], more].concat()).output().unwrap()
    }

    fn done(&self, more: &[&str]) -> Output {
        let output = self.run(more);
        assert!(output.status.success(), "{}", stderr(&output));
        output
    }

    fn results(&self) -> PathBuf {
        self.folder.path().join("results/sample")
    }

    fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.results().join(name)).unwrap()
    }

    fn files(&self) -> Vec<String> {
        FILES.iter().map(|name| self.text(name)).collect()
    }
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn rows(path: &Path) -> usize {
    std::fs::read(path).map_or(0, |text| text.iter().filter(|byte| **byte == b'\n').count())
}

/// The fields of the row of `quantity` in a summary.
fn row<'a>(summary: &'a str, game: &str, quantity: &str) -> Vec<&'a str> {
    let mut rows = summary.lines().map(|line| line.split(',').collect::<Vec<_>>());
    rows.find(|row| row[0] == game && row[1] == quantity).unwrap()
}

#[test]
fn replicates_are_the_same_bytes_for_any_number_of_threads() {
    for method in [
        "smc",
        "twisted-smc",
        "uniform",
        "leaf-rao-blackwell",
        "stratified",
        "policy",
        "sensible-smc",
    ] {
        let spec = match method {
            "smc" => SPEC.to_owned(),
            "twisted-smc" | "sensible-smc" => SPEC.replace("smc", method),
            _ => SPEC
                .replace("smc", method)
                .replace("particles = 200", "games = 500")
                .replace("threshold = 0.8", if method == "stratified" { "prefix = 2" } else { "" }),
        };
        let lab = Lab::new(&spec);
        lab.done(&["--threads", "1"]);
        let one = lab.files();
        assert_eq!(one[0].lines().count(), 1 + 2 * 60, "{method}");
        for threads in ["2", "3"] {
            let lab = Lab::new(&spec);
            lab.done(&["--threads", threads]);
            assert_eq!(lab.files(), one, "{method}, {threads} threads");
        }
    }
}

#[test]
fn estimates_and_verdict_stand_in_the_summary_and_beside_published_values() {
    let lab = Lab::new(SPEC);
    let output = lab.done(&["--format", "text"]);
    let summary = lab.text("summary.csv");
    for (game, exact) in [("connect-four-5x5", 122_331_779_437_450.0), ("othello-4", 60_060.0)] {
        for quantity in ["gts", "gts_logarithmic", "gts_bootstrap"] {
            let fields = row(&summary, game, quantity);
            let number = |at: usize| fields[at].parse::<f64>().unwrap();
            let (value, error, low, high) = (number(4), number(5), number(6), number(7));
            assert!((value - exact).abs() < 4.0 * error, "{game} {fields:?}");
            assert!(low < value && value < high && error < 0.1 * value, "{game} {fields:?}");
        }
        assert_eq!(row(&summary, game, "verdict")[4], "trusted", "{game}");
        assert_eq!(row(&summary, game, "replicates")[4], "60");
        assert_eq!(row(&summary, game, "walks")[4], "12000");
        let relative: f64 = row(&summary, game, "relative_error")[4].parse().unwrap();
        let needed: f64 = row(&summary, game, "replicates_to_0.1_percent")[4].parse().unwrap();
        assert!((needed / (60.0 * (relative / 0.001).powi(2)) - 1.0).abs() < 0.01, "{game}");
    }
    let table = stdout(&output);
    assert!(
        table.contains("60 replicates of 200 games each by smc (threshold 0.8), seed 7"),
        "{table}"
    );
    assert!(lab.results().join("gts-convergence-othello-4.svg").exists());
    assert!(lab.results().join("agl-convergence-connect-four-5x5.svg").exists());
    lab.done(&["--quick"]);
    let quick = lab.folder.path().join("results/quick/sample/batches.csv");
    assert_eq!(rows(&quick), 1 + 2 * 3);
}

#[test]
fn a_killed_run_resumes_to_the_same_bytes() {
    let spec = SPEC
        .replace("particles = 200", "particles = 4000")
        .replace("replicates = 60", "replicates = 400");
    let lab = Lab::new(&spec);
    lab.done(&["--threads", "2"]);
    let files = lab.files();
    let lab = Lab::new(&spec);
    let journal = lab.results().join("batches.csv");
    let mut kills = 0;
    for wanted in [3, 150, 500] {
        let mut command = lab.command(&["run", "sample.toml", "--threads", "2"]);
        let mut child = command.stdout(Stdio::null()).spawn().unwrap();
        let start = Instant::now();
        while rows(&journal) < wanted && start.elapsed() < Duration::from_secs(60) {
            if child.try_wait().unwrap().is_some() {
                break;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        kills += usize::from(!child.wait().unwrap().success());
    }
    assert!(kills >= 1, "every run was over before it could be killed");
    assert!(rows(&journal) > 3, "nothing was resumed");
    lab.done(&["--threads", "1"]);
    assert_eq!(lab.files(), files);
    assert!(!lab.text("manifest.toml").contains("resumed_batches = 0"));
}

#[test]
fn keys_that_say_nothing_for_the_method_are_refused() {
    let cases = [
        ("particles = 200", "games = 200", "'games' means nothing for method smc"),
        ("particles = 200", "", "needs 'particles'"),
        ("replicates = 60", "", "needs 'replicates'"),
        ("replicates = 60", "replicates = 60\ntrials = 3", "'trials' means nothing"),
        ("threshold = 0.8", "threshold = 1.1", "threshold 1.1 (allowed: 0 to 1)"),
        ("threshold = 0.8", "prefix = 3", "'prefix' means nothing for method smc"),
        ("threshold = 0.8", "pilots = 3", "'pilots' means nothing for method smc"),
        ("threshold = 0.8", "margin = 0.3", "'margin' means nothing for method smc"),
        ("threshold = 0.8", "look_ahead = 1", "'look_ahead' means nothing for method smc"),
        ("\"smc\"", "\"magic\"", "method 'magic' is unknown"),
        ("\"smc\"", "\"auto\"", "method 'auto' is unknown"),
        ("\"smc\"", "\"uniform\"", "'particles' means nothing for method uniform"),
        ("particles = 200", "particles = 0", "particles 0 (allowed: 1 to 16777216)"),
        ("measure = \"tree-size\"", "measure = \"exact\"", "means nothing for measure exact"),
    ];
    for (old, new, words) in cases {
        let lab = Lab::new(&SPEC.replacen(old, new, 1));
        let output = lab.run(&[]);
        let message = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{new}: {message}");
        assert!(message.contains(words), "no '{words}' in: {message}");
        assert_eq!(message.lines().count(), 1, "{message}");
    }
}

#[test]
fn the_command_line_estimates_by_any_method() {
    let lab = Lab::new(SPEC);
    let run = |arguments: &[&str]| {
        let all = [&["tree-size", "othello", "--size", "4", "--format", "csv"], arguments].concat();
        lab.command(&all).output().unwrap()
    };
    for arguments in [
        &["--method", "smc", "--particles", "100", "--threshold", "0.5"][..],
        &["--method", "leaf-rao-blackwell", "--games", "200"],
        &["--method", "twisted-smc", "--particles", "100", "--pilots", "2"],
        &["--method", "stratified", "--games", "200", "--prefix", "2"],
        &["--method", "uniform", "--games", "200", "--replicates", "50"],
        &["--method", "policy", "--games", "200", "--temperature", "2", "--look-ahead", "1"],
    ] {
        let output = run(arguments);
        assert!(output.status.success(), "{}", stderr(&output));
        let summary = stdout(&output);
        let gts = row(&summary, "othello-4", "gts");
        let (value, error): (f64, f64) = (gts[3].parse().unwrap(), gts[4].parse().unwrap());
        assert!((value - 60_060.0).abs() < 4.0 * error, "{arguments:?}: {gts:?}");
    }
    // Uniform walks without replicates are the trials they have always been.
    let plain = run(&["--games", "100"]);
    let named = run(&["--games", "100", "--method", "uniform"]);
    assert_eq!(stdout(&plain), stdout(&named));
    assert!(stdout(&plain).contains("othello-4,trials,,10,"), "{}", stdout(&plain));
    for (arguments, words) in [
        (&["--method", "smc", "--games", "9"][..], "'games' means nothing for method smc"),
        (&["--particles", "9"], "'particles' means nothing for method uniform"),
        (&["--method", "smc", "--trials", "9"], "'trials' means nothing for method smc"),
        (
            &["--method", "magic"],
            "allowed: uniform, leaf-rao-blackwell, smc, twisted-smc, stratified, policy, sensible-smc, auto",
        ),
        (&["--method", "smc", "--threshold", "2"], "threshold 2 (allowed: 0 to 1)"),
        (&["--method", "policy", "--temperature", "0"], "temperature 0 (allowed: numbers above 0)"),
        (&["--method", "policy", "--margin", "3"], "margin 3 (allowed: 0 to 2)"),
        (&["--method", "policy", "--look-ahead", "9"], "look_ahead 9 (allowed: 0 to 4 plies)"),
        (&["--method", "smc", "--threshold", "nan"], "threshold NaN (allowed: 0 to 1)"),
        (
            &["--method", "smc", "--replicates", "18446744073709551615"],
            "replicates 18446744073709551615",
        ),
        (
            &["--method", "smc", "--replicates", "100001"],
            "replicates 100001 (allowed: 1 to 100000)",
        ),
        (&["--margin", "0.5"], "'margin' means nothing for method uniform"),
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(words), "no '{words}' in: {}", stderr(&output));
    }
}

#[test]
fn populations_larger_than_the_memory_are_refused() {
    let lab = Lab::new(SPEC);
    let vast =
        ["tree-size", "chess", "--ply-cap", "9", "--method", "smc", "--particles", "16777216"];
    let output = lab.command(&[&vast[..], &["--threads", "512"]].concat()).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let message = stderr(&output);
    assert!(message.contains("a population of ") && message.contains("free memory"), "{message}");
}

#[test]
fn what_counts_every_game_is_called_exact() {
    let lab = Lab::new(SPEC);
    let comb = ["tree-size", "comb", "--tree-depth", "9", "--method", "smc", "--format", "csv"];
    let output = lab.command(&comb).output().unwrap();
    let summary = stdout(&output);
    assert!(summary.contains(",verdict,,exact: every game was counted,"), "{summary}");
    assert!(summary.contains(",gts,games,1.000000000000000e1,0.0"), "{summary}");
    let auto = ["tree-size", "comb", "--tree-depth", "9", "--method", "auto"];
    let said = stderr(&lab.command(&auto).output().unwrap());
    assert!(said.contains("smc, no error at all"), "{said}");
    // A spec and its resumption read what was counted back.
    let spec = SPEC.replace("particles = 200", "particles = 60060");
    let lab = Lab::new(&spec.replace("replicates = 60", "replicates = 2"));
    assert!(lab.run(&[]).status.success());
    let again = lab.run(&[]);
    assert!(again.status.success(), "{}", stderr(&again));
    assert!(lab.text("batches.csv").contains(",inf,"), "{}", lab.text("batches.csv"));
    assert!(lab.text("summary.csv").contains(",exact: every game was counted,"));
}

#[test]
fn sensible_games_are_never_called_all_games() {
    let lab = Lab::new(SPEC);
    let policy = ["tree-size", "tic-tac-toe", "--method", "policy", "--margin", "0.3"];
    let csv = lab.command(&[&policy[..], &["--format", "csv"]].concat()).output().unwrap();
    assert!(csv.status.success(), "{}", stderr(&csv));
    let summary = stdout(&csv);
    let quantities: Vec<&str> =
        summary.lines().skip(1).map(|line| line.split(',').nth(1).unwrap()).collect();
    for name in ["gts", "nodes", "agl", "first_wins", "second_wins", "draws"] {
        assert!(!quantities.contains(&name), "{name} in {summary}");
        assert!(quantities.contains(&format!("sensible_{name}").as_str()), "{name} in {summary}");
    }
    let smc = ["tree-size", "tic-tac-toe", "--method", "sensible-smc", "--format", "text"];
    let text = lab.command(&smc).output().unwrap();
    assert!(stdout(&text).contains(" sensible_gts "), "{}", stdout(&text));
    assert!(!stdout(&text).contains(" gts "), "{}", stdout(&text));
    // A published number of all games is not set beside that of sensible ones.
    let published =
        "\n[[published]]\nquantity = \"sensible_gts\"\nvalue = \"1000\"\nsource = \"a guess\"\n";
    let spec = SPEC
        .replace("\"smc\"", "\"policy\"")
        .replace("particles = 200", "games = 200")
        .replace("threshold = 0.8", "margin = 0.3");
    let lab = Lab::new(&(spec + published));
    let output = lab.run(&[]);
    assert!(output.status.success(), "{}", stderr(&output));
    let summary = lab.text("summary.csv");
    assert!(summary.contains(",sensible_gts,") && !summary.contains(",gts,"), "{summary}");
}

#[test]
fn auto_says_what_it_has_chosen_and_why() {
    let lab = Lab::new(SPEC);
    let arguments = ["tree-size", "tic-tac-toe", "--method", "auto", "--replicates", "20"];
    let output = lab.command(&arguments).output().unwrap();
    let said = stderr(&output);
    assert!(output.status.success(), "{said}");
    for method in ["uniform", "leaf-rao-blackwell", "smc", "twisted-smc", "stratified", "policy"] {
        assert!(said.contains(&format!("pilot: {method} needs")), "no {method} in {said}");
    }
    assert!(
        said.contains("auto: ") && said.contains("the least time for the same error"),
        "{said}"
    );
    // A game without end is refused before the pilot.
    let arguments = ["tree-size", "checkers-4", "--method", "auto"];
    let output = lab.command(&arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("endless games"), "{}", stderr(&output));
}

#[test]
fn auto_does_not_compare_by_pilots_that_cannot_be_trusted() {
    let lab = Lab::new(SPEC);
    let game = ["tree-size", "checkers-6", "--draw-rule", "fmjd+cap=150", "--method", "auto"];
    let run = |more: &[&str]| lab.command(&[&game[..], more].concat()).output().unwrap();
    // What is said of games does not matter where particles are chosen.
    let output = run(&["--games", "20", "--particles", "30", "--replicates", "5"]);
    let said = stderr(&output);
    assert!(output.status.success(), "{said}");
    let chosen = said.lines().find(|line| line.starts_with("auto: ")).unwrap();
    assert!(chosen.contains("smc, the largest estimate, since no pilot can be trusted"), "{said}");
    assert!(!said.contains("pilot: uniform needs"), "{said}");
    assert!(stdout(&output).contains(",walks,games,150,"), "{}", stdout(&output));
    let refused = run(&["--margin", "0.1"]);
    assert_eq!(refused.status.code(), Some(2));
    let message = stderr(&refused);
    assert!(message.contains("'--margin' means nothing for --method auto"), "{message}");
}

#[test]
fn numbers_beyond_the_range_of_f64_are_written_out() {
    let lab = Lab::new(SPEC);
    let game = ["tree-size", "draughts-14", "--draw-rule", "fmjd+cap=400", "--seed", "1"];
    for method in [
        &["--method", "smc", "--particles", "20", "--replicates", "3"][..],
        &["--games", "30", "--trials", "2"],
    ] {
        for format in ["text", "csv"] {
            let arguments = [&game[..], method, &["--format", format]].concat();
            let output = lab.command(&arguments).output().unwrap();
            let table = stdout(&output);
            assert!(output.status.success(), "{}", stderr(&output));
            assert!(!table.contains("inf") && !table.contains("NaN"), "{table}");
            let size = table.lines().find(|line| line.contains("log10_gts")).unwrap();
            let words: Vec<&str> = size.split([',', ' ']).filter(|word| !word.is_empty()).collect();
            assert!(words[2].parse::<f64>().unwrap() > 308.0, "{size}");
        }
    }
}

#[test]
fn long_walks_stop_soon_after_an_interrupt() {
    let lab = Lab::new(SPEC);
    for arguments in [
        &["chess", "--method", "policy", "--look-ahead", "2"][..],
        &["othello", "--method", "sensible-smc", "--look-ahead", "3"],
        &["go", "--size", "7", "--method", "stratified", "--prefix", "5", "--games", "2000000"],
    ] {
        let child = lab
            .command(&[&["tree-size"], arguments].concat())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let mut child = child.unwrap();
        std::thread::sleep(Duration::from_secs(2));
        let id = child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
        let told = Instant::now();
        let status = loop {
            match child.try_wait().unwrap() {
                Some(status) => break status,
                None if told.elapsed() > Duration::from_secs(60) => {
                    child.kill().unwrap();
                    panic!("{arguments:?} goes on");
                }
                None => std::thread::sleep(Duration::from_millis(20)),
            }
        };
        assert_eq!(status.code(), Some(130), "{arguments:?}");
    }
}
