//! The command as its users meet it: examples, bad input, exit codes, pipes.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::{Command, Output, Stdio};

const VERBS: [&str; 16] = [
    "analyse",
    "solve",
    "perfect",
    "match",
    "selfplay",
    "games",
    "perft",
    "moves",
    "ssc",
    "states",
    "tree-size",
    "run",
    "reproduce",
    "report",
    "completions",
    "man",
];

fn ludometer() -> Command {
    Command::new(env!("CARGO_BIN_EXE_ludometer"))
}

fn run(arguments: &[&str]) -> Output {
    ludometer().args(arguments).output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Fails unless the command ended with `code` after one line on stderr that names every word.
fn assert_refused(output: &Output, code: i32, words: &[&str]) {
    let message = stderr(output);
    assert_eq!(output.status.code(), Some(code), "{message}");
    assert_eq!(message.lines().count(), 1, "more than one line: {message}");
    assert!(message.starts_with("error: "), "{message}");
    for word in words {
        assert!(message.contains(word), "no '{word}' in: {message}");
    }
}

fn sandbox() -> tempfile::TempDir {
    let sandbox = tempfile::tempdir().unwrap();
    let experiments = sandbox.path().join("experiments");
    std::fs::create_dir(&experiments).unwrap();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments");
    for entry in std::fs::read_dir(source).unwrap() {
        let entry = entry.unwrap();
        std::fs::copy(entry.path(), experiments.join(entry.file_name())).unwrap();
    }
    // Collections of games, where the examples look for them.
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/pdn");
    let read = |name: &str| std::fs::read(data.join(name)).unwrap();
    for (name, games) in [
        ("games.pdn", read("draughts10_a.pdn")),
        ("old.pdn", read("checkers8_b.pdn")),
        ("algebraic.pdn", read("draughts10_c.pdn")),
        ("human/games.pdn", read("draughts10_b.pdn")),
        ("selfplay/games.pdn.zst", ludometer::pdn::pack(&read("draughts10_d.pdn")).unwrap()),
    ] {
        let path = sandbox.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, games).unwrap();
    }
    sandbox
}

fn examples(help: &str) -> Vec<String> {
    let lines = help.lines().filter_map(|line| line.strip_prefix("  ludometer "));
    lines.map(|line| format!("ludometer {line}")).collect()
}

#[test]
fn every_example_of_every_verb_runs() {
    let sandbox = sandbox();
    let binary = Path::new(env!("CARGO_BIN_EXE_ludometer"));
    let path = format!("{}:{}", binary.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let nested = ["stats", "check", "convert"].map(|verb| vec!["games", verb]);
    for verb in nested.into_iter().chain(VERBS.map(|verb| vec![verb])) {
        let help = stdout(&run(&[&verb[..], &["--help"]].concat()));
        let examples = examples(&help);
        assert!(!examples.is_empty(), "{verb:?} has no example");
        for example in examples {
            let mut shell = Command::new("sh");
            shell.args(["-c", &example]).env("PATH", &path).current_dir(sandbox.path());
            let output = shell.output().unwrap();
            assert!(output.status.success(), "{example}: {}", stderr(&output));
        }
    }
    for example in examples(&stdout(&run(&["--help"]))) {
        let arguments: Vec<&str> = example.split_whitespace().skip(1).collect();
        assert!(run(&arguments).status.success(), "{example}");
    }
}

#[test]
fn help_lists_every_verb_and_version_names_the_release() {
    let help = stdout(&run(&["--help"]));
    for verb in VERBS {
        assert!(help.contains(&format!("\n  {verb} ")), "{verb}");
    }
    let version = stdout(&run(&["--version"]));
    assert_eq!(version, format!("ludometer {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn what_makes_no_sense_is_refused_in_one_line_with_exit_code_2() {
    let cases: &[(&[&str], &[&str])] = &[
        (&["perft", "chekers-8", "--depth", "3"], &["'chekers-8'", "did you mean 'checkers-8'"]),
        (&["perft", "shogi", "--depth", "3"], &["'shogi'", "allowed", "othello"]),
        (&["perft", "english", "--depth", "-1"], &["-1", "--depth"]),
        (&["perft", "english", "--depth", "x"], &["'x'", "--depth"]),
        (&["perft", "english"], &["--depth"]),
        (&["perft", "english", "--depth", "2", "--fen", "W:W99:B1"], &["99"]),
        (&["perft", "english", "--depth", "2", "--fen", ""], &["expected: FEN"]),
        (&["perft", "english", "--depth", "2", "--columns", "4"], &["--columns"]),
        (&["perft", "english", "--depth", "2", "--threads", "0"], &["--threads", "1 to 1024"]),
        (&["perft", "english", "--depth", "2", "--table", "9XB"], &["9XB", "MiB"]),
        (&["perft", "english", "--depth", "2", "--duplicates", "both"], &["both", "drop, keep"]),
        (&["perft", "english", "--depth", "2", "--draw-rule", "luck"], &["luck", "fmjd"]),
        (&["moves", "connect-four", "--columns", "9"], &["--columns 9", "1 to 8"]),
        (&["moves", "connect-four", "--columns", "-3"], &["-3", "--columns"]),
        (&["moves", "connect-four", "--play", "4 8"], &["move 2", "'8'"]),
        (&["moves", "othello", "--size", "5"], &["--size 5", "4, 6 or 8"]),
        (&["ssc", "--board", "7"], &["7", "even"]),
        (&["ssc", "--board", "-8"], &["-8"]),
        (&["ssc", "--board", "1000"], &["1000", "allowed"]),
        (&["tree-size", "tic-tac-toe", "--games", "0"], &["0", "--games"]),
        (&["tree-size", "tic-tac-toe", "--trials", "0"], &["0", "--trials"]),
        (&["tree-size", "tic-tac-toe", "--games", "5", "--batches", "6"], &["6", "5"]),
        (&["tree-size", "tic-tac-toe", "--confidence", "1.5"], &["1.5", "between 0 and 1"]),
        (
            &["tree-size", "tic-tac-toe", "--confidence", "nan"],
            &["--confidence", "between 0 and 1"],
        ),
        (&["tree-size", "draughts-6"], &["draughts-6", "--draw-rule fmjd", "draw_rule"]),
        (&["tree-size", "english", "--exact"], &["checkers-8", "--draw-rule fmjd"]),
        (&["moves", "connect-four", "--play", "4 3 4 3 4 3 4 1"], &["move 8", "over", "first"]),
        (&["tree-size", "tic-tac-toe", "--seed", "-1"], &["-1", "--seed"]),
        (&["run", "experiments/none.toml"], &["experiments/none.toml"]),
        (&["reproduce", "--experiments", "nowhere"], &["nowhere"]),
        (&["completions", "cmd.exe"], &["cmd.exe", "bash"]),
        (&["nonsense"], &["nonsense"]),
    ];
    for (arguments, words) in cases {
        let output = run(arguments);
        assert_refused(&output, 2, words);
        assert_eq!(stdout(&output), "", "{arguments:?}");
    }
    assert_eq!(run(&[]).status.code(), Some(2));
}

#[test]
fn a_bad_position_is_cut_short_and_its_grammar_is_told_once() {
    let long = "x".repeat(500);
    for (game, grammar) in [
        ("connect-four", "rows of"),
        ("othello", "characters"),
        ("tic-tac-toe", "nine characters"),
        ("draughts-10", "FEN"),
    ] {
        for text in [long.as_str(), "", "."] {
            let output = run(&["moves", game, "--fen", text]);
            assert_refused(&output, 2, &[grammar]);
            let message = stderr(&output);
            assert_eq!(message.matches(grammar).count(), 1, "{message}");
            assert!(message.len() < 420, "{message}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn threads_that_cannot_be_started_are_an_error_and_no_panic() {
    let binary = env!("CARGO_BIN_EXE_ludometer");
    let script =
        format!("ulimit -v 600000; exec {binary} perft draughts-6 --depth 8 --threads 1024");
    let output = Command::new("sh").args(["-c", &script]).output().unwrap();
    assert_refused(&output, 1, &["cannot start 1024 threads: "]);
}

#[test]
fn perft_of_depth_0_is_the_position_itself() {
    let output = run(&["perft", "english", "--depth", "0"]);
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(0), "depth,nodes\n0,1\n"));
}

#[test]
fn an_exact_count_that_is_too_large_fails_with_exit_code_1() {
    let output = run(&[
        "tree-size",
        "draughts-8",
        "--draw-rule",
        "fmjd",
        "--exact",
        "--max-positions",
        "1000",
    ]);
    assert_refused(&output, 1, &["draughts-8", "1000"]);
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_is_success_and_no_panic() {
    let binary = env!("CARGO_BIN_EXE_ludometer");
    for verb in ["perft draughts-10 --depth 6", "moves draughts-10", "ssc --board 14 --by slices"] {
        let script = format!("set -o pipefail; {binary} {verb} | head -1");
        let output = Command::new("bash").args(["-c", &script]).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{verb}: {}", stderr(&output));
        assert!(!stderr(&output).contains("panicked"), "{verb}");
    }
    for verb in ["--help", "perft --help", "completions bash"] {
        let script = format!("set -o pipefail; {binary} {verb} | true");
        let output = Command::new("bash").args(["-c", &script]).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{verb}: {}", stderr(&output));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_fails_in_one_line_with_exit_code_1() {
    for verb in [&["games"][..], &["ssc"], &["completions", "bash"], &["moves", "othello"]] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = ludometer().args(verb).stdout(full).output().unwrap();
        assert_refused(&output, 1, &["standard output", "No space left"]);
    }
}

#[test]
fn nothing_but_text_comes_out_of_a_pipe() {
    for arguments in [&["--help"][..], &["perft", "--help"], &["perft", "nope"], &["games"]] {
        for setting in [None, Some(""), Some("1")] {
            let mut command = ludometer();
            command.args(arguments).env_remove("NO_COLOR");
            if let Some(value) = setting {
                command.env("NO_COLOR", value);
            }
            let output = command.output().unwrap();
            assert!(!output.stdout.contains(&0x1b) && !output.stderr.contains(&0x1b));
        }
    }
}

#[test]
fn fens_in_csv_are_quoted_and_every_row_has_as_many_fields_as_the_header() {
    // Source of the position: bug reports about FENs written without quotes.
    let output = run(&["moves", "english", "--fen", "B:W21,22:B1,2"]);
    let text = stdout(&output);
    assert!(text.contains("\"W:W21,22:B"), "{text}");
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 4);
    for row in rows {
        assert_eq!(row.len(), 2);
        let back = run(&["moves", "english", "--fen", &row[1]]);
        assert!(back.status.success(), "{}", stderr(&back));
    }
}

#[test]
fn formats_are_the_same_numbers() {
    let csv = stdout(&run(&["perft", "tic-tac-toe", "--depth", "9"]));
    // Source: perft of tic-tac-toe, enumeration; the games still going on at ply 9 end there.
    let nodes = ["9", "72", "504", "3024", "15120", "54720", "148176", "200448", "127872"];
    let rows: Vec<&str> = csv.lines().skip(1).collect();
    assert_eq!(rows.len(), 9);
    for (row, (depth, nodes)) in rows.iter().zip((1..).zip(nodes)) {
        assert_eq!(*row, format!("{depth},{nodes}"));
    }
    let text = stdout(&run(&["perft", "tic-tac-toe", "--depth", "9", "--format", "text"]));
    let words = |text: &str| -> Vec<String> {
        text.split(|c: char| c == ',' || c.is_whitespace())
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect()
    };
    assert_eq!(words(&text), words(&csv));
}

#[test]
fn perft_is_the_same_with_threads_table_and_divide() {
    let plain = stdout(&run(&["perft", "draughts-8", "--depth", "6"]));
    // Source: R. Halbersma, dctl, perft of Brazilian draughts.
    assert_eq!(plain, "depth,nodes\n1,7\n2,49\n3,302\n4,1469\n5,7473\n6,37628\n");
    for more in [&["--threads", "3"][..], &["--table", "1000"], &["--table", "1MiB"]] {
        let output = run(&[&["perft", "draughts-8", "--depth", "6"], more].concat());
        assert_eq!(stdout(&output), plain, "{more:?}");
    }
    let divided = stdout(&run(&["perft", "draughts-8", "--depth", "6", "--divide"]));
    let sum: u64 = divided
        .lines()
        .skip(1)
        .map(|row| row.split_once(',').unwrap().1.parse::<u64>().unwrap())
        .sum();
    assert_eq!(sum, 37628);
}

#[test]
fn moves_plays_a_move_list_and_tells_the_end_on_stderr() {
    let output = run(&["moves", "connect-four", "--play", "4 3 4 3 4 3 4"]);
    assert_eq!(stdout(&output), "move,position\n");
    assert!(stderr(&output).contains("the first player has won"), "{}", stderr(&output));
    let quiet = run(&["--quiet", "moves", "connect-four", "--play", "4 3 4 3 4 3 4"]);
    assert_eq!(stderr(&quiet), "");
}

#[test]
fn table_1_comes_out_in_all_digits() {
    // Source: J. van Horssen, Table 1.
    let text = stdout(&run(&["ssc"]));
    let totals = [
        "6,63838220543",
        "8,500995484682338672639",
        "10,2301985676687843186738387267616767",
        "12,5732895173614141678179591577998733384657257103359",
        "14,7717880162220474034203925206374892518645244798128637950441522462719",
    ];
    assert_eq!(text.lines().skip(1).collect::<Vec<_>>(), totals);
}

#[test]
fn an_estimate_is_the_same_for_any_number_of_threads() {
    let of = |threads: &str| {
        let sizes = ["--games", "500", "--trials", "4", "--batches", "3", "--seed", "42"];
        let verb = ["tree-size", "connect-four", "--threads", threads];
        stdout(&run(&[&verb[..], &sizes].concat()))
    };
    let one = of("1");
    assert!(one.lines().count() > 10, "{one}");
    assert_eq!(one, of("1"));
    assert_eq!(one, of("2"));
    assert_eq!(one, of("8"));
}

#[test]
fn exact_counts_show_every_digit() {
    let text = stdout(&run(&["tree-size", "tic-tac-toe", "--exact"]));
    // Source: enumeration of the game tree of tic-tac-toe.
    for row in ["gts,games,255168,", "first_games,games,131184,", "nodes,nodes,549946,"] {
        assert!(text.contains(row), "no '{row}' in {text}");
    }
}

#[test]
fn manual_pages_and_completions_cover_every_verb() {
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("man");
    let output = ludometer().arg("man").arg(&pages).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let script = stdout(&run(&["completions", "bash"]));
    for verb in VERBS {
        let page = std::fs::read_to_string(pages.join(format!("ludometer-{verb}.1"))).unwrap();
        assert!(page.contains("ludometer"), "{verb}");
        assert!(script.contains(verb), "{verb}");
    }
    assert!(pages.join("ludometer.1").exists());
    assert!(pages.join("ludometer-games-stats.1").exists());
}

#[cfg(unix)]
#[test]
fn an_interrupted_count_ends_with_exit_code_130() {
    let mut child = ludometer()
        .args(["perft", "draughts-10", "--depth", "14"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_secs(2));
    let id = child.id().to_string();
    Command::new("kill").args(["-INT", &id]).status().unwrap();
    std::thread::sleep(std::time::Duration::from_millis(200));
    Command::new("kill").args(["-INT", &id]).status().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
}
