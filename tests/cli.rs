//! The command as its users meet it: examples, bad input, exit codes, pipes.
#![allow(clippy::unwrap_used)]

mod lab;

use std::path::Path;
use std::process::{Command, Stdio};

use lab::{Lab, ludometer, ran, run};

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

/// A folder with specs and collections of games, where the examples look for them.
fn sandbox() -> Lab {
    let lab = Lab::empty();
    let source = Path::new(env!("CARGO_MANIFEST_DIR"));
    for entry in std::fs::read_dir(source.join("experiments")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        lab.write(&format!("experiments/{name}"), std::fs::read(&path).unwrap());
    }
    let read = |name: &str| std::fs::read(source.join("tests/data/pdn").join(name)).unwrap();
    lab.write("games.pdn", read("draughts10_a.pdn"));
    lab.write("old.pdn", read("checkers8_b.pdn"));
    lab.write("algebraic.pdn", read("draughts10_c.pdn"));
    lab.write("human/games.pdn", read("draughts10_b.pdn"));
    let packed = ::ludometer::pdn::pack(&read("draughts10_d.pdn")).unwrap();
    lab.write("selfplay/games.pdn.zst", packed);
    lab
}

fn examples(help: &str) -> Vec<String> {
    let lines = help.lines().filter_map(|line| line.strip_prefix("  ludometer "));
    lines.map(|line| format!("ludometer {line}")).collect()
}

#[test]
fn every_example_of_every_verb_runs() {
    let lab = sandbox();
    let nested = ["stats", "check", "convert"].map(|verb| format!("games {verb}"));
    for verb in nested.into_iter().chain(VERBS.map(str::to_owned)) {
        let examples = examples(&run(&format!("{verb} --help")).stdout);
        assert!(!examples.is_empty(), "{verb} has no example");
        for example in examples {
            lab.script("sh", &example).done();
        }
    }
    for example in examples(&run("--help").stdout) {
        run(example.strip_prefix("ludometer ").unwrap()).done();
    }
}

#[test]
fn help_lists_every_verb_and_version_names_the_release() {
    let help = run("--help").stdout;
    for verb in VERBS {
        assert!(help.contains(&format!("\n  {verb} ")), "{verb}");
    }
    assert_eq!(run("--version").stdout, format!("ludometer {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn what_makes_no_sense_is_refused_in_one_line_with_exit_code_2() {
    let cases: &[(&str, &[&str])] = &[
        ("perft chekers-8 --depth 3", &["'chekers-8'", "did you mean 'checkers-8'"]),
        ("perft shogi --depth 3", &["'shogi'", "allowed", "othello"]),
        ("perft english --depth -1", &["-1", "--depth"]),
        ("perft english --depth x", &["'x'", "--depth"]),
        ("perft english", &["--depth"]),
        ("perft english --depth 2 --fen W:W99:B1", &["99"]),
        ("perft english --depth 2 --fen ''", &["expected: FEN"]),
        ("perft english --depth 2 --columns 4", &["--columns"]),
        ("perft english --depth 2 --threads 0", &["--threads", "1 to 1024"]),
        ("perft english --depth 2 --table 9XB", &["9XB", "MiB"]),
        ("perft english --depth 2 --duplicates both", &["both", "drop, keep"]),
        ("perft english --depth 2 --draw-rule luck", &["luck", "fmjd"]),
        ("moves connect-four --columns 9", &["--columns 9", "1 to 8"]),
        ("moves connect-four --columns -3", &["-3", "--columns"]),
        ("moves connect-four --play '4 8'", &["move 2", "'8'"]),
        ("moves othello --size 5", &["--size 5", "4, 6 or 8"]),
        ("ssc --board 7", &["7", "even"]),
        ("ssc --board -8", &["-8"]),
        ("ssc --board 1000", &["1000", "allowed"]),
        ("tree-size tic-tac-toe --games 0", &["0", "--games"]),
        ("tree-size tic-tac-toe --trials 0", &["0", "--trials"]),
        ("tree-size tic-tac-toe --games 5 --batches 6", &["6", "5"]),
        ("tree-size tic-tac-toe --confidence 1.5", &["1.5", "between 0 and 1"]),
        ("tree-size tic-tac-toe --confidence nan", &["--confidence", "between 0 and 1"]),
        ("tree-size draughts-6", &["draughts-6", "--draw-rule fmjd", "draw_rule"]),
        ("tree-size english --exact", &["checkers-8", "--draw-rule fmjd"]),
        ("moves connect-four --play '4 3 4 3 4 3 4 1'", &["move 8", "over", "first"]),
        ("tree-size tic-tac-toe --seed -1", &["-1", "--seed"]),
        ("run experiments/none.toml", &["experiments/none.toml"]),
        ("reproduce --experiments nowhere", &["nowhere"]),
        ("completions cmd.exe", &["cmd.exe", "bash"]),
        ("nonsense", &["nonsense"]),
    ];
    for (arguments, words) in cases {
        run(arguments).refused(2, words);
    }
    run("").told(2, &[]);
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
            let moves = run(&format!("moves {game} --fen '{text}'"));
            moves.refused(2, &[grammar]);
            let message = moves.stderr;
            assert_eq!(message.matches(grammar).count(), 1, "{message}");
            assert!(message.len() < 420, "{message}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn threads_that_cannot_be_started_are_an_error_and_no_panic() {
    let limited = "ulimit -v 600000; exec ludometer perft draughts-6 --depth 8 --threads 1024";
    Lab::empty().script("sh", limited).failed(1, &["cannot start 1024 threads: "]);
}

#[test]
fn perft_of_depth_0_is_the_position_itself() {
    assert_eq!(run("perft english --depth 0").done().stdout, "depth,nodes\n0,1\n");
}

#[test]
fn an_exact_count_that_is_too_large_fails_with_exit_code_1() {
    let count = run("tree-size draughts-8 --draw-rule fmjd --exact --max-positions 1000");
    count.refused(1, &["draughts-8", "1000"]);
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_is_success_and_no_panic() {
    let lab = Lab::empty();
    for (reader, commands) in [
        (
            "head -1",
            ["perft draughts-10 --depth 6", "moves draughts-10", "ssc --board 14 --by slices"],
        ),
        ("true", ["--help", "perft --help", "completions bash"]),
    ] {
        for command in commands {
            let script = format!("set -o pipefail; ludometer {command} | {reader}");
            let message = lab.script("bash", &script).done().stderr;
            assert!(!message.contains("panicked"), "{command}: {message}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_fails_in_one_line_with_exit_code_1() {
    for verb in ["games", "ssc", "completions bash", "moves othello"] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let written = ran(ludometer(verb).stdout(full));
        written.refused(1, &["standard output", "No space left"]);
    }
}

#[test]
fn nothing_but_text_comes_out_of_a_pipe() {
    for arguments in ["--help", "perft --help", "perft nope", "games"] {
        for setting in [None, Some(""), Some("1")] {
            let mut command = ludometer(arguments);
            command.env_remove("NO_COLOR").envs(setting.map(|value| ("NO_COLOR", value)));
            let output = ran(&mut command);
            assert!(!output.stdout.contains('\x1b') && !output.stderr.contains('\x1b'));
        }
    }
}

#[test]
fn fens_in_csv_are_quoted_and_every_row_has_as_many_fields_as_the_header() {
    // Source of the position: bug reports about FENs written without quotes.
    let text = run("moves english --fen B:W21,22:B1,2").stdout;
    assert!(text.contains("\"W:W21,22:B"), "{text}");
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 4);
    for row in rows {
        assert_eq!(row.len(), 2);
        run(&format!("moves english --fen {}", &row[1])).done();
    }
}

#[test]
fn formats_are_the_same_numbers() {
    let csv = run("perft tic-tac-toe --depth 9").stdout;
    // Source: perft of tic-tac-toe, enumeration; the games still going on at ply 9 end there.
    let nodes = ["9", "72", "504", "3024", "15120", "54720", "148176", "200448", "127872"];
    let rows: Vec<&str> = csv.lines().skip(1).collect();
    assert_eq!(rows.len(), 9);
    for (row, (depth, nodes)) in rows.iter().zip((1..).zip(nodes)) {
        assert_eq!(*row, format!("{depth},{nodes}"));
    }
    let text = run("perft tic-tac-toe --depth 9 --format text").stdout;
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
    let plain = run("perft draughts-8 --depth 6").stdout;
    // Source: R. Halbersma, dctl, perft of Brazilian draughts.
    assert_eq!(plain, "depth,nodes\n1,7\n2,49\n3,302\n4,1469\n5,7473\n6,37628\n");
    for more in ["--threads 3", "--table 1000", "--table 1MiB"] {
        assert_eq!(run(&format!("perft draughts-8 --depth 6 {more}")).stdout, plain, "{more}");
    }
    let divided = run("perft draughts-8 --depth 6 --divide").stdout;
    let sum: u64 = divided
        .lines()
        .skip(1)
        .map(|row| row.split_once(',').unwrap().1.parse::<u64>().unwrap())
        .sum();
    assert_eq!(sum, 37628);
}

#[test]
fn moves_plays_a_move_list_and_tells_the_end_on_stderr() {
    let moves = run("moves connect-four --play '4 3 4 3 4 3 4'");
    assert_eq!(moves.stdout, "move,position\n");
    moves.told(0, &["the first player has won"]);
    assert_eq!(run("--quiet moves connect-four --play '4 3 4 3 4 3 4'").stderr, "");
}

#[test]
fn table_1_comes_out_in_all_digits() {
    // Source: J. van Horssen, Table 1.
    let text = run("ssc").stdout;
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
        let sizes = "--games 500 --trials 4 --batches 3 --seed 42";
        run(&format!("tree-size connect-four --threads {threads} {sizes}")).stdout
    };
    let one = of("1");
    assert!(one.lines().count() > 10, "{one}");
    assert_eq!(one, of("1"));
    assert_eq!(one, of("2"));
    assert_eq!(one, of("8"));
}

#[test]
fn exact_counts_show_every_digit() {
    let text = run("tree-size tic-tac-toe --exact").stdout;
    // Source: enumeration of the game tree of tic-tac-toe.
    for row in ["gts,games,255168,", "first_games,games,131184,", "nodes,nodes,549946,"] {
        assert!(text.contains(row), "no '{row}' in {text}");
    }
}

#[test]
fn manual_pages_and_completions_cover_every_verb() {
    let lab = Lab::empty();
    lab.done("man pages");
    let pages = lab.path("pages");
    let script = run("completions bash").stdout;
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
    let mut child = ludometer("perft draughts-10 --depth 14")
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
