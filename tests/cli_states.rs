//! `ludometer states` and the measure `states` as their users meet them: tables, bad input, kills, full
//! disks.
#![allow(clippy::unwrap_used)]

mod lab;

use std::path::Path;
use std::time::{Duration, Instant};

use lab::{Lab, refuses};

/// A count of two million states, long enough to be killed.
const COUNT: &str = "states draughts-6 --fen W:W16-18:B1,2";

/// The same count as an experiment, after a short one.
const SPEC: &str = r#"
id = "sample"
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

/// A folder whose files need no disk where the system has such a place: counts flush every file.
fn empty() -> Lab {
    let memory = Path::new("/dev/shm");
    Lab(if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() }.unwrap())
}

fn lab() -> Lab {
    let lab = empty();
    lab.write("sample.toml", SPEC);
    lab
}

fn manifest(lab: &Lab) -> toml::Table {
    lab.file("manifest.toml").parse().unwrap()
}

#[test]
fn levels_and_slices_are_the_same_states() {
    let lab = empty();
    let levels = lab.done("states checkers-4").stdout;
    let rows: Vec<&str> = levels.lines().collect();
    // Source: tests/data/levels/4x4_checkers.csv.
    assert_eq!(rows[0], "depth,side_to_move,new_states,cumulative_states");
    assert_eq!(rows[1..4], ["0,black,1,1", "1,white,3,4", "2,black,9,13"]);
    assert_eq!((rows.len(), rows[37]), (38, "36,black,3,2409"));
    let slices = lab.run("states checkers-4 --by slices");
    slices.told(0, &["2409 states, greatest depth 36, 19.7881 %", "upper bound 12174"]);
    let mut sums = [0; 2];
    let mut unreached = 0;
    let mut reader = csv::Reader::from_reader(slices.stdout.as_bytes());
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
    assert_eq!(lab.count("", ""), 0, "scratch files are left");
}

#[test]
fn other_games_and_first_levels_are_counted_in_memory() {
    let lab = empty();
    let last = |arguments: &str| {
        let table = lab.done(&format!("states {arguments}")).stdout;
        table.lines().last().unwrap().to_owned()
    };
    // Sources: enumeration of tic-tac-toe; J. Tromp's counts of Connect Four positions by ply; levels
    // of 6x6 checkers by two independent programs.
    assert_eq!(last("tic-tac-toe"), "9,second,78,5478");
    assert_eq!(last("connect-four --depth 5"), "5,second,4263,5678");
    assert_eq!(last("checkers-6 --depth 6"), "6,black,1463,2420");
    assert_eq!(last("checkers-6 --depth 0"), "0,black,1,1");
    assert_eq!(last("draughts-6 --fen B:W18:BK1 --depth 0"), "0,black,1,1");
    assert_eq!(last("draughts-14 --depth 1"), "1,black,13,14");
    let othello = lab.run("states othello --max-positions 1000");
    othello.refused(1, &["more than 1000 positions", "allowed: 1000"]);
}

#[test]
fn what_makes_no_sense_is_refused_in_one_line() {
    let lab = empty();
    let usage: &[(&str, &[&str])] = &[
        ("checkers-7", &["'checkers-7'"]),
        ("checkers-6 --fen B:W99:B1", &["99", "expected: FEN"]),
        ("checkers-6 --order depth", &["depth", "breadth-first", "any"]),
        ("checkers-6 --order any --by levels", &["--by levels", "sides, slices"]),
        ("checkers-6 --order any --depth 3", &["--order any", "--max-positions"]),
        ("othello --order any", &["--order any", "--max-positions"]),
        ("checkers-4 --symmetry", &["--symmetry", "checkers-4 has no symmetry"]),
        ("checkers-6 --memory 12", &["12", "MiB"]),
        ("checkers-6 --memory 12GB", &["12GB", "MiB"]),
        ("checkers-6 --scratch-limit x", &["x", "--scratch-limit"]),
        ("checkers-6 --threads 0", &["--threads", "1 to 1024"]),
        ("checkers-6 --draw-rule fmjd", &["--draw-rule", "history"]),
        ("checkers-6 --max-positions 10", &["--max-positions", "slice by slice"]),
        ("checkers-6 --depth -1", &["-1", "--depth"]),
        ("checkers-6 --depth 3 --memory 1GiB", &["--memory", "--max-positions"]),
        ("checkers-6 --depth 3 --by slices", &["--by slices", "--depth"]),
        ("tic-tac-toe --scratch here", &["--scratch", "tic-tac-toe"]),
        ("tic-tac-toe --by slices", &["--by slices", "tic-tac-toe"]),
    ];
    for (arguments, words) in usage {
        lab.run(&format!("states {arguments}")).refused(2, words);
    }
    let work: &[(&str, &[&str])] = &[
        ("checkers-6 --memory 1MiB", &["bytes of memory", "allowed: 1048576"]),
        ("checkers-6 --memory 1GiB", &["bytes of memory", "allowed: 1073741824"]),
        ("checkers-8", &["too large"]),
        ("draughts-14", &["too large"]),
    ];
    for (arguments, words) in work {
        let start = Instant::now();
        lab.run(&format!("states {arguments}")).refused(1, words);
        assert!(start.elapsed() < Duration::from_secs(60), "{arguments}");
    }
    assert_eq!(lab.count("", ""), 0, "something was written");
}

#[cfg(unix)]
#[test]
fn a_killed_and_an_interrupted_count_go_on_to_the_same_table() {
    let lab = empty();
    let whole = lab.done(COUNT).stdout;
    let finished = || lab.count("ludometer-scratch/draughts-6", ".done");
    let mut kills = 0;
    for slices in [2, 5] {
        let killed = lab.stopped(COUNT, "-KILL", || finished() >= slices);
        kills += usize::from(killed.code != Some(0));
    }
    let resumed = finished();
    assert!(kills > 0 && resumed >= 2, "{kills} kills");
    let interrupted = lab.stopped(COUNT, "-INT", || finished() >= resumed + 2);
    interrupted.told(130, &["the same command goes on"]);
    let other = lab.run("states draughts-6 --fen W:W18:B1");
    other.refused(1, &["count.txt", "another count", "W:W18:B1"]);
    assert_eq!(lab.done(&format!("{COUNT} --threads 2")).stdout, whole);
    assert!(!lab.path("ludometer-scratch").exists());
}

#[cfg(unix)]
#[test]
fn a_full_disk_fails_in_one_line_and_the_count_goes_on_later() {
    let lab = empty();
    let count = format!("{COUNT} --scratch here");
    // Files of at most 60 blocks of 512 bytes stand in for a full disk.
    let script = format!("trap '' XFSZ; ulimit -f 60; exec ludometer {count} --threads 1");
    lab.script("sh", &script).refused(1, &["cannot write here/", ".seeds", "File too large"]);
    let finished = lab.count("here", ".done");
    assert!(finished > 0);
    let limited = lab.run(&format!("{count} --scratch-limit 40KiB"));
    limited.refused(1, &["of scratch space", "allowed: 40960"]);
    assert!(lab.count("here", ".done") >= finished);
    assert_eq!(lab.done(&count).stdout, lab.done(COUNT).stdout);
    assert!(!lab.path("here").exists());
}

#[test]
fn a_killed_experiment_resumes_to_the_same_bytes_and_its_manifest_says_so() {
    let lab = lab();
    let whole = lab.done("run sample.toml --threads 1").stdout;
    assert!(whole.contains(",equal,"), "{whole}");
    let files = lab.files();
    // Source: tests/data/levels/4x4_draughts.csv.
    for row in ["draughts-4,states,,positions,4266,", "draughts-4,deepest_ply,,plies,37,"] {
        assert!(files[2].contains(row), "no '{row}' in {}", files[2]);
    }
    assert_eq!(manifest(&lab)["run"]["resumed"].as_bool(), Some(false));
    for name in ["levels.svg", "levels-log10.svg", "slices.svg"] {
        assert!(lab.results(name).exists(), "{name}");
    }
    std::fs::remove_dir_all(lab.results("")).unwrap();
    let finished = || lab.count("results/sample/scratch/three", ".done");
    let killed = lab.stopped("run sample.toml --threads 2", "-KILL", || finished() >= 4);
    assert_ne!(killed.code, Some(0), "it was over too soon");
    assert!(lab.results("unfinished.toml").exists() && !lab.results("manifest.toml").exists());
    assert!(finished() >= 4, "{}", finished());
    lab.done("run sample.toml --threads 2");
    assert_eq!(lab.files(), files);
    let run = manifest(&lab)["run"].clone();
    assert_eq!(run["resumed"].as_bool(), Some(true));
    assert_eq!(run["resumed_batches"].as_integer(), Some(1));
    assert!(!lab.results("scratch").exists());
}

#[test]
fn fresh_throws_away_what_an_interrupted_count_has_left() {
    let lab = lab();
    let finished = || lab.count("elsewhere/sample/three", ".done");
    let run = "run sample.toml --scratch elsewhere";
    let killed = lab.stopped(run, "-KILL", || finished() >= 3);
    assert_ne!(killed.code, Some(0), "it was over too soon");
    // The count begins again, and this time has too little memory.
    let fresh = lab.run(&format!("{run} --fresh --memory 100KiB"));
    fresh.refused(1, &["three", "bytes of memory"]);
    assert_eq!(finished(), 0);
    assert!(!lab.results("scratch").exists());
}

#[test]
fn a_count_in_any_order_has_the_same_states_and_no_depths() {
    let lab = lab();
    lab.done("run sample.toml");
    let rows = |part: &[&str]| {
        let summary = lab.file("summary.csv");
        let wanted = |row: &&str| part.iter().any(|part| row.contains(part));
        summary.lines().filter(wanted).map(str::to_owned).collect::<Vec<String>>()
    };
    let states = ["states", "to_move", "share", "slices"];
    let by_depth = rows(&states);
    assert_eq!(by_depth.len(), 2 * 6);
    assert_eq!(rows(&["deepest_ply"]).len(), 2);
    assert!(manifest(&lab)["run"]["peak_scratch_bytes"].as_integer().unwrap() > 0);
    let spec = SPEC.replacen("measure", "order = \"any\"\nmeasure", 1);
    lab.write("sample.toml", spec);
    // The results in the folder are of another plan.
    lab.run("run sample.toml").refused(1, &["sample"]);
    std::fs::remove_dir_all(lab.results("")).unwrap();
    lab.done("run sample.toml");
    assert_eq!(rows(&states), by_depth);
    assert!(rows(&["deepest_ply"]).is_empty());
    lab.done("report sample");
    assert!(lab.results("slices.svg").exists() && !lab.results("levels.svg").exists());
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
        refuses(SPEC, from, to, &[&["sample.toml"], *words].concat());
    }
}

#[test]
fn a_known_number_of_states_that_does_not_come_out_stops_the_run() {
    let lab = empty();
    lab.write("sample.toml", SPEC.replace("\"2409\"", "\"2410\""));
    let words = ["states of checkers-4 from B:W7,8:B1,2 = 2410", "came out as 2409"];
    lab.run("run sample.toml --quick").refused(1, &words);
    assert!(!lab.results("").exists() && !lab.path("results/quick/sample").exists());
}

#[test]
fn a_long_experiment_is_left_out_of_reproduce_unless_asked_for() {
    let lab = empty();
    lab.write("experiments/sample.toml", SPEC);
    let long = SPEC
        .replace("\"sample\"", "\"long\"")
        .replace("\"states\"\n\n[", "\"states\"\nlong = true\n\n[");
    // Quick sizes make a long experiment short.
    lab.write("experiments/sized.toml", long.replace("\"long\"", "\"sized\""));
    let unsized_too = long.replace("[quick]\nfirst_games = 1\n", "");
    assert_ne!(unsized_too, long);
    lab.write("experiments/long.toml", unsized_too);
    let left_out = ["[1/3] Two counts: takes long, left out", "--long"];
    lab.run("reproduce --quick").told(0, &left_out);
    let finished = |id: &str| lab.path(&format!("results/quick/{id}/manifest.toml")).exists();
    assert!(finished("sample") && finished("sized") && !lab.path("results/quick/long").exists());
    lab.done("reproduce --quick --long");
    assert!(finished("long"));
}
