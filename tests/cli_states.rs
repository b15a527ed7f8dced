//! `ludometer states` and the measure `states` as their users meet them: tables, bad input, kills, full
//! disks.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A count of two million states, long enough to be killed.
const COUNT: [&str; 4] = ["states", "draughts-6", "--fen", "W:W16-18:B1,2"];

/// The same count as an experiment, after a short one.
const SPEC: &str = r#"
id = "count"
title = "Two counts"
question = "Do they survive?"
source = "breadth-first search, two independent programs"
measure = "states"

[[game]]
name = "draughts-4"

[[game]]
label = "three"
name = "draughts-6"
fen = "W:W16-18:B1,2"

[quick]
first_games = 1

[[expect]]
quantity = "states"
value = "4266"
source = "breadth-first search, two independent programs"

[[expect]]
quantity = "states"
game = { name = "checkers-4", fen = "B:W7,8:B1,2" }
value = "2409"
source = "breadth-first search, two independent programs"

[[published]]
game = "draughts-4"
quantity = "states"
value = "4266"
source = "breadth-first search, two independent programs"
"#;

const FILES: [&str; 3] = ["batches.csv", "histograms.csv", "summary.csv"];

/// A folder whose files need no disk where the system has such a place: counts flush every file.
fn folder() -> tempfile::TempDir {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() }.unwrap()
}

fn ludometer(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludometer"));
    command.args(arguments).current_dir(folder);
    command
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    ludometer(folder, arguments).output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn done(folder: &Path, arguments: &[&str]) -> Output {
    let output = run(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
    output
}

fn refused(output: &Output, code: i32, words: &[&str]) {
    let message = stderr(output);
    assert_eq!(output.status.code(), Some(code), "{message}");
    assert_eq!(message.lines().count(), 1, "more than one line: {message}");
    for word in words {
        assert!(message.contains(word), "no '{word}' in: {message}");
    }
    assert_eq!(stdout(output), "");
}

fn finished_slices(scratch: &Path) -> usize {
    let Ok(entries) = std::fs::read_dir(scratch) else { return 0 };
    let names = entries.flatten().map(|entry| entry.file_name());
    names.filter(|name| name.to_string_lossy().ends_with(".done")).count()
}

/// Waits until so many slices are finished; whether the process is still at work.
fn wait(child: &mut Child, scratch: &Path, slices: usize) -> bool {
    let start = Instant::now();
    while finished_slices(scratch) < slices && start.elapsed() < Duration::from_secs(100) {
        if child.try_wait().unwrap().is_some() {
            return false;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    child.try_wait().unwrap().is_none()
}

#[test]
fn levels_and_slices_are_the_same_states() {
    let folder = folder();
    let levels = stdout(&done(folder.path(), &["states", "checkers-4"]));
    let rows: Vec<&str> = levels.lines().collect();
    // Source: tests/data/levels/4x4_checkers.csv.
    assert_eq!(rows[0], "depth,side_to_move,new_states,cumulative_states");
    assert_eq!(rows[1..4], ["0,black,1,1", "1,white,3,4", "2,black,9,13"]);
    assert_eq!((rows.len(), rows[37]), (38, "36,black,3,2409"));
    let output = done(folder.path(), &["states", "checkers-4", "--by", "slices"]);
    let message = stderr(&output);
    assert!(message.contains("2409 states, greatest depth 36, 19.7881 %"), "{message}");
    assert!(message.contains("upper bound 12174"), "{message}");
    let mut sums = [0; 2];
    let mut unreached = 0;
    let text = stdout(&output);
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
    assert_eq!(header[..4], ["black_men", "black_kings", "white_men", "white_kings"]);
    assert_eq!(header[4..], ["positions", "states", "density", "first_ply", "last_ply"]);
    for record in reader.records() {
        let record = record.unwrap();
        let [positions, states] = [4, 5].map(|field| record[field].parse::<u64>().unwrap());
        sums = [sums[0] + positions, sums[1] + states];
        assert_eq!(record[6].parse::<f64>().unwrap(), states as f64 / positions as f64);
        assert_eq!(states == 0, record[7].is_empty() && record[8].is_empty());
        unreached += usize::from(states == 0);
    }
    // Twice the bound of the formula, both colours to move.
    assert_eq!(sums, [12174, 2409]);
    assert!(unreached > 0);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "scratch files are left");
}

#[test]
fn other_games_and_first_levels_are_counted_in_memory() {
    let folder = folder();
    let last = |arguments: &[&str]| {
        let text = stdout(&done(folder.path(), &[&["states"], arguments].concat()));
        text.lines().last().unwrap().to_owned()
    };
    // Sources: enumeration of tic-tac-toe; J. Tromp's counts of Connect Four positions by ply; levels
    // of 6x6 checkers by two independent programs.
    assert_eq!(last(&["tic-tac-toe"]), "9,second,78,5478");
    assert_eq!(last(&["connect-four", "--depth", "5"]), "5,second,4263,5678");
    assert_eq!(last(&["checkers-6", "--depth", "6"]), "6,black,1463,2420");
    assert_eq!(last(&["checkers-6", "--depth", "0"]), "0,black,1,1");
    assert_eq!(last(&["draughts-6", "--fen", "B:W18:BK1", "--depth", "0"]), "0,black,1,1");
    assert_eq!(last(&["draughts-14", "--depth", "1"]), "1,black,13,14");
    let output = run(folder.path(), &["states", "othello", "--max-positions", "1000"]);
    refused(&output, 1, &["more than 1000 positions", "allowed: 1000"]);
}

#[test]
fn what_makes_no_sense_is_refused_in_one_line() {
    let folder = folder();
    let usage: &[(&[&str], &[&str])] = &[
        (&["checkers-7"], &["'checkers-7'"]),
        (&["checkers-6", "--fen", "B:W99:B1"], &["99", "expected: FEN"]),
        (&["checkers-6", "--order", "depth"], &["depth", "breadth-first", "any"]),
        (&["checkers-6", "--order", "any", "--by", "levels"], &["--by levels", "sides, slices"]),
        (&["checkers-6", "--order", "any", "--depth", "3"], &["--order any", "--max-positions"]),
        (&["othello", "--order", "any"], &["--order any", "--max-positions"]),
        (&["checkers-4", "--symmetry"], &["--symmetry", "checkers-4 has no symmetry"]),
        (&["checkers-6", "--memory", "12"], &["12", "MiB"]),
        (&["checkers-6", "--memory", "12GB"], &["12GB", "MiB"]),
        (&["checkers-6", "--scratch-limit", "x"], &["x", "--scratch-limit"]),
        (&["checkers-6", "--threads", "0"], &["--threads", "1 to 1024"]),
        (&["checkers-6", "--draw-rule", "fmjd"], &["--draw-rule", "history"]),
        (&["checkers-6", "--max-positions", "10"], &["--max-positions", "slice by slice"]),
        (&["checkers-6", "--depth", "-1"], &["-1", "--depth"]),
        (&["checkers-6", "--depth", "3", "--memory", "1GiB"], &["--memory", "--max-positions"]),
        (&["checkers-6", "--depth", "3", "--by", "slices"], &["--by slices", "--depth"]),
        (&["tic-tac-toe", "--scratch", "here"], &["--scratch", "tic-tac-toe"]),
        (&["tic-tac-toe", "--by", "slices"], &["--by slices", "tic-tac-toe"]),
    ];
    for (arguments, words) in usage {
        refused(&run(folder.path(), &[&["states"], *arguments].concat()), 2, words);
    }
    let work: &[(&[&str], &[&str])] = &[
        (&["checkers-6", "--memory", "1MiB"], &["bytes of memory", "allowed: 1048576"]),
        (&["checkers-6", "--memory", "1GiB"], &["bytes of memory", "allowed: 1073741824"]),
        (&["checkers-8"], &["too large"]),
        (&["draughts-14"], &["too large"]),
    ];
    for (arguments, words) in work {
        let start = Instant::now();
        refused(&run(folder.path(), &[&["states"], *arguments].concat()), 1, words);
        assert!(start.elapsed() < Duration::from_secs(60), "{arguments:?}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "something was written");
}

#[cfg(unix)]
#[test]
fn a_killed_and_an_interrupted_count_go_on_to_the_same_table() {
    let folder = folder();
    let whole = stdout(&done(folder.path(), &COUNT));
    let scratch = folder.path().join("ludometer-scratch/draughts-6");
    let mut kills = 0;
    for slices in [2, 5] {
        let mut child = ludometer(folder.path(), &COUNT).stdout(Stdio::null()).spawn().unwrap();
        kills += usize::from(wait(&mut child, &scratch, slices));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert!(kills > 0 && finished_slices(&scratch) >= 2, "{kills} kills");
    let mut command = ludometer(folder.path(), &COUNT);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    assert!(wait(&mut child, &scratch, finished_slices(&scratch) + 2));
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    assert!(stderr(&output).contains("the same command goes on"), "{}", stderr(&output));
    let other = run(folder.path(), &["states", "draughts-6", "--fen", "W:W18:B1"]);
    refused(&other, 1, &["count.txt", "another count", "W:W18:B1"]);
    let again = done(folder.path(), &[&COUNT[..], &["--threads", "2"]].concat());
    assert_eq!(stdout(&again), whole);
    assert!(!folder.path().join("ludometer-scratch").exists());
}

#[cfg(unix)]
#[test]
fn a_full_disk_fails_in_one_line_and_the_count_goes_on_later() {
    let folder = folder();
    // Files of at most 60 blocks of 512 bytes stand in for a full disk.
    let script = format!(
        "trap '' XFSZ; ulimit -f 60; exec {} {} --threads 1 --scratch here",
        env!("CARGO_BIN_EXE_ludometer"),
        COUNT.join(" ")
    );
    let mut shell = Command::new("sh");
    let output = shell.args(["-c", &script]).current_dir(folder.path()).output().unwrap();
    refused(&output, 1, &["cannot write here/", ".seeds", "File too large"]);
    let finished = finished_slices(&folder.path().join("here"));
    assert!(finished > 0);
    let limited = [&COUNT[..], &["--scratch", "here", "--scratch-limit", "40KiB"]].concat();
    refused(&run(folder.path(), &limited), 1, &["of scratch space", "allowed: 40960"]);
    assert!(finished_slices(&folder.path().join("here")) >= finished);
    let again = stdout(&done(folder.path(), &[&COUNT[..], &["--scratch", "here"]].concat()));
    assert_eq!(again, stdout(&done(folder.path(), &COUNT)));
    assert!(!folder.path().join("here").exists());
}

fn lab() -> (tempfile::TempDir, PathBuf) {
    let folder = folder();
    std::fs::write(folder.path().join("count.toml"), SPEC).unwrap();
    let results = folder.path().join("results/count");
    (folder, results)
}

fn read(results: &Path) -> Vec<Vec<u8>> {
    FILES.iter().map(|name| std::fs::read(results.join(name)).unwrap()).collect()
}

fn manifest(results: &Path) -> toml::Table {
    std::fs::read_to_string(results.join("manifest.toml")).unwrap().parse().unwrap()
}

#[test]
fn a_killed_experiment_resumes_to_the_same_bytes_and_its_manifest_says_so() {
    let (folder, results) = lab();
    let whole = done(folder.path(), &["run", "count.toml", "--threads", "1"]);
    assert!(stdout(&whole).contains(",equal,"), "{}", stdout(&whole));
    let files = read(&results);
    let summary = String::from_utf8(files[2].clone()).unwrap();
    // Source: tests/data/levels/4x4_draughts.csv.
    for row in ["draughts-4,states,,positions,4266,", "draughts-4,deepest_ply,,plies,37,"] {
        assert!(summary.contains(row), "no '{row}' in {summary}");
    }
    assert_eq!(manifest(&results)["run"]["resumed"].as_bool(), Some(false));
    for name in ["levels.svg", "levels-log10.svg", "slices.svg"] {
        assert!(results.join(name).exists(), "{name}");
    }
    std::fs::remove_dir_all(folder.path().join("results")).unwrap();
    let command = ["run", "count.toml", "--threads", "2"];
    let mut child = ludometer(folder.path(), &command).stdout(Stdio::null()).spawn().unwrap();
    assert!(wait(&mut child, &results.join("scratch/three"), 4), "it was over too soon");
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(results.join("unfinished.toml").exists() && !results.join("manifest.toml").exists());
    let finished = finished_slices(&results.join("scratch/three"));
    assert!(finished >= 4, "{finished}");
    done(folder.path(), &command);
    assert_eq!(read(&results), files);
    let run = manifest(&results)["run"].clone();
    assert_eq!(run["resumed"].as_bool(), Some(true));
    assert_eq!(run["resumed_batches"].as_integer(), Some(1));
    assert!(!results.join("scratch").exists());
}

#[test]
fn fresh_throws_away_what_an_interrupted_count_has_left() {
    let (folder, results) = lab();
    let elsewhere = folder.path().join("elsewhere/count/three");
    let command = ["run", "count.toml", "--scratch", "elsewhere"];
    let mut child = ludometer(folder.path(), &command).stdout(Stdio::null()).spawn().unwrap();
    assert!(wait(&mut child, &elsewhere, 3), "it was over too soon");
    child.kill().unwrap();
    child.wait().unwrap();
    // The count begins again, and this time has too little memory.
    let fresh = [&command[..], &["--fresh", "--memory", "100KiB"]].concat();
    let output = run(folder.path(), &fresh);
    refused(&output, 1, &["three", "bytes of memory"]);
    assert_eq!(finished_slices(&elsewhere), 0);
    assert!(!results.join("scratch").exists());
}

#[test]
fn a_count_in_any_order_has_the_same_states_and_no_depths() {
    let (folder, results) = lab();
    done(folder.path(), &["run", "count.toml"]);
    let rows = |part: &[&str]| {
        let summary = std::fs::read_to_string(results.join("summary.csv")).unwrap();
        let wanted = |row: &&str| part.iter().any(|part| row.contains(part));
        summary.lines().filter(wanted).map(str::to_owned).collect::<Vec<String>>()
    };
    let states = ["states", "to_move", "share", "slices"];
    let by_depth = rows(&states);
    assert_eq!(by_depth.len(), 2 * 6);
    assert_eq!(rows(&["deepest_ply"]).len(), 2);
    assert!(manifest(&results)["run"]["peak_scratch_bytes"].as_integer().unwrap() > 0);
    let spec = SPEC.replacen("measure", "order = \"any\"\nmeasure", 1);
    std::fs::write(folder.path().join("count.toml"), spec).unwrap();
    // The results in the folder are of another plan.
    refused(&run(folder.path(), &["run", "count.toml"]), 1, &["count"]);
    std::fs::remove_dir_all(&results).unwrap();
    done(folder.path(), &["run", "count.toml"]);
    assert_eq!(rows(&states), by_depth);
    assert!(rows(&["deepest_ply"]).is_empty());
    done(folder.path(), &["report", "count"]);
    assert!(results.join("slices.svg").exists() && !results.join("levels.svg").exists());
}

#[test]
fn bad_specs_of_counts_are_refused() {
    let cases: &[(&str, &str, &[&str])] = &[
        ("W:W16-18:B1,2", "W:W16-99:B1,2", &["99", "expected: FEN"]),
        ("fen = \"W", "draw_rule = \"fmjd\"\nfen = \"W", &["draw_rule", "history"]),
        ("\"states\"\n\n[[game]]", "\"exact\"\n\n[[game]]", &["game.fen", "states"]),
        ("measure = \"states\"", "measure = \"states\"\nseed = 7", &["seed", "tree-size"]),
        ("B:W7,8:B1,2", "B:W7,8:B1,77", &["77"]),
        ("quantity = \"states\"\ngame", "quantity = \"games\"\ngame", &["fen", "states"]),
        ("measure = \"states\"", "measure = \"states\"\nlong = 1", &["line 7"]),
        (
            "measure = \"states\"",
            "measure = \"states\"\norder = \"depth\"",
            &["order 'depth'", "any"],
        ),
    ];
    for (from, to, words) in cases {
        assert!(SPEC.contains(from), "{from}");
        let (folder, results) = lab();
        std::fs::write(folder.path().join("count.toml"), SPEC.replacen(from, to, 1)).unwrap();
        refused(
            &run(folder.path(), &["run", "count.toml"]),
            2,
            &[&["count.toml"], *words].concat(),
        );
        assert!(!results.exists(), "{to}");
    }
}

#[test]
fn a_known_number_of_states_that_does_not_come_out_stops_the_run() {
    let (folder, results) = lab();
    std::fs::write(folder.path().join("count.toml"), SPEC.replace("\"2409\"", "\"2410\"")).unwrap();
    let output = run(folder.path(), &["run", "count.toml", "--quick"]);
    refused(&output, 1, &["states of checkers-4 from B:W7,8:B1,2 = 2410", "came out as 2409"]);
    assert!(!results.exists() && !folder.path().join("results/quick/count").exists());
}

#[test]
fn a_long_experiment_is_left_out_of_reproduce_unless_asked_for() {
    let (folder, _) = lab();
    let specs = folder.path().join("experiments");
    std::fs::create_dir(&specs).unwrap();
    std::fs::write(specs.join("count.toml"), SPEC).unwrap();
    let long = SPEC
        .replace("\"count\"", "\"long\"")
        .replace("\"states\"\n\n[", "\"states\"\nlong = true\n\n[");
    // Quick sizes make a long experiment short.
    std::fs::write(specs.join("sized.toml"), long.replace("\"long\"", "\"sized\"")).unwrap();
    let unsized_too = long.replace("[quick]\nfirst_games = 1\n", "");
    assert_ne!(unsized_too, long);
    std::fs::write(specs.join("long.toml"), unsized_too).unwrap();
    let output = done(folder.path(), &["reproduce", "--quick"]);
    assert!(
        stderr(&output).contains("[2/3] Two counts: takes long, left out"),
        "{}",
        stderr(&output)
    );
    assert!(stderr(&output).contains("--long"));
    let results = folder.path().join("results/quick");
    assert!(results.join("count/manifest.toml").exists() && !results.join("long").exists());
    assert!(results.join("sized/manifest.toml").exists());
    done(folder.path(), &["reproduce", "--quick", "--long"]);
    assert!(results.join("long/manifest.toml").exists());
}
