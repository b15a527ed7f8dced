//! Experiments survive what happens to them: threads, kills, full disks, edited specs and files.
#![allow(clippy::unwrap_used)]

mod lab;

use std::path::Path;

use lab::{Lab, lines, refuses};

const SPEC: &str = r#"
id = "sample"
title = "A sample"
question = "Does it survive?"
source = "made for this test"
measure = "tree-size"
seed = 7
trials = 4
games = 3000
batches = 6

[[game]]
name = "connect-four"
columns = 5
rows = 5

[[game]]
name = "othello"
size = 4

[quick]
games = 30
batches = 1

[[expect]]
quantity = "perft"
depth = 3
value = "125"
source = "5^3"
"#;

const RUN: &str = "run sample.toml";
const FRESH: &str = "run sample.toml --fresh";

fn whole() -> [String; 3] {
    let lab = Lab::new(SPEC);
    lab.done("run sample.toml --threads 1");
    lab.files()
}

#[test]
fn a_second_run_in_the_same_folder_is_refused_and_changes_nothing() {
    let lab = Lab::new(SPEC);
    lab.done(RUN);
    let before = lab.files();
    let running = std::fs::File::open(lab.results("")).unwrap();
    running.lock().unwrap();
    lab.run(RUN).refused(1, &["another run is at work here", "sample"]);
    lab.run(FRESH).refused(1, &["another run is at work here"]);
    drop(running);
    assert_eq!(lab.files(), before);
    lab.done(FRESH);
    assert_eq!(lab.files(), before);
}

#[test]
fn results_are_the_same_bytes_for_any_number_of_threads() {
    let one = whole();
    for threads in ["2", "5"] {
        let lab = Lab::new(SPEC);
        lab.done(&format!("run sample.toml --threads {threads}"));
        assert_eq!(lab.files(), one, "{threads} threads");
    }
}

#[test]
fn a_killed_run_resumes_to_the_same_bytes() {
    let spec = SPEC.replace("games = 3000\nbatches = 6", "games = 60000\nbatches = 60");
    let lab = Lab::new(&spec);
    lab.done("run sample.toml --threads 2");
    let files = lab.files();
    let lab = Lab::new(&spec);
    let mut kills = 0;
    for wanted in [3, 60, 250, 300] {
        let begun = || lines(lab.results("batches.csv")) >= wanted;
        let killed = lab.stopped("run sample.toml --threads 2", "-KILL", begun);
        kills += usize::from(killed.code != Some(0));
    }
    assert!(kills >= 1, "every run was over before it could be killed");
    assert!(!lab.results("manifest.toml").exists());
    assert!(lines(lab.results("batches.csv")) > 3, "nothing was resumed");
    lab.done("run sample.toml --threads 1");
    assert_eq!(lab.files(), files);
    let manifest = lab.file("manifest.toml");
    assert!(!manifest.contains("resumed_batches = 0"), "{manifest}");
}

#[cfg(unix)]
#[test]
fn an_interrupt_stops_between_batches_and_loses_nothing() {
    let spec = SPEC.replace("games = 3000\nbatches = 6", "games = 600000\nbatches = 300");
    let lab = Lab::new(&spec);
    let begun = || lines(lab.results("batches.csv")) >= 3;
    let interrupted = lab.stopped("run sample.toml --threads 1", "-TERM", begun);
    interrupted.told(130, &["run again to go on"]);
    assert!(lab.results("unfinished.toml").exists());
    let text = lab.file("batches.csv");
    assert!(text.ends_with('\n'), "a half-written row: {text}");
}

#[test]
fn cut_files_resume_and_damaged_files_are_refused_with_file_and_line() {
    let files = whole();
    let unfinished = |lab: &Lab| {
        lab.done(RUN);
        // A run that was killed before its end: the marker instead of manifest and summary.
        let manifest = lab.file("manifest.toml");
        let table: toml::Table = manifest.parse().unwrap();
        let marker = format!(
            "plan_sha256 = {}\nplan = '''\n{}'''\n",
            table["plan_sha256"],
            table["plan"].as_str().unwrap()
        );
        std::fs::write(lab.results("unfinished.toml"), marker).unwrap();
        std::fs::remove_file(lab.results("manifest.toml")).unwrap();
        std::fs::remove_file(lab.results("summary.csv")).unwrap();
    };
    for (name, keep) in [("batches.csv", 0.3), ("batches.csv", 0.71), ("batches.csv", 0.0)] {
        let lab = Lab::new(SPEC);
        unfinished(&lab);
        let text = lab.file(name);
        let cut = (text.len() as f64 * keep) as usize;
        std::fs::write(lab.results(name), &text[..cut]).unwrap();
        lab.done(RUN);
        assert_eq!(lab.files(), files, "{name} cut to {keep}");
    }
    for (name, line) in [("batches.csv", 5), ("histograms.csv", 40)] {
        let lab = Lab::new(SPEC);
        unfinished(&lab);
        let text = lab.file(name);
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        // One digit more in the middle of the line.
        let middle = lines[line - 1].len() / 2;
        lines[line - 1].insert(middle, '1');
        std::fs::write(lab.results(name), lines.join("\n") + "\n").unwrap();
        lab.run(RUN).refused(1, &[name, "line ", "--fresh"]);
        lab.done(FRESH);
        assert_eq!(lab.files(), files);
    }
}

#[test]
fn finished_results_are_not_computed_again_and_must_match_their_checksums() {
    let lab = Lab::new(SPEC);
    lab.done(RUN);
    let manifest = lab.file("manifest.toml");
    lab.run(RUN).told(0, &["was finished"]);
    assert_eq!(lab.file("manifest.toml"), manifest);
    let mut text = lab.file("histograms.csv");
    text.pop();
    text.push(' ');
    std::fs::write(lab.results("histograms.csv"), text).unwrap();
    lab.run(RUN).refused(1, &["histograms.csv", "checksum"]);
}

#[test]
fn data_are_summarised_anew_where_another_program_did_so_in_another_way() {
    let lab = Lab::new(SPEC);
    lab.done(RUN);
    let (summary, manifest) = (lab.file("summary.csv"), lab.file("manifest.toml"));
    let sha256 = |text: &str| {
        use sha2::{Digest, Sha256};
        let digest = Sha256::digest(text.as_bytes());
        digest.iter().map(|byte| format!("{byte:02x}")).collect::<String>()
    };
    let old = summary.replace("trusted", "not to be trusted");
    assert_ne!(old, summary);
    let put = |name: &str, text: &str| std::fs::write(lab.results(name), text).unwrap();
    let source = |manifest: &str| {
        let line = manifest.lines().find(|line| line.starts_with("source_sha256")).unwrap();
        line.to_owned()
    };
    let other = source(&manifest).replacen('"', "\"0", 1);
    let made =
        manifest.replace(&sha256(&summary), &sha256(&old)).replacen(&source(&manifest), &other, 1);
    put("summary.csv", &old);
    put("manifest.toml", &made);
    lab.run(RUN).told(0, &["was finished, summarised anew"]);
    assert_eq!(lab.file("summary.csv"), summary);
    let anew = lab.file("manifest.toml");
    let by_both = [other, source(&manifest)];
    let sources: Vec<&str> =
        anew.lines().filter(|line| line.starts_with("source_sha256")).collect();
    assert_eq!(sources, by_both, "{anew}");
    assert!(anew.contains("[summarised_by]"), "{anew}");
    let times =
        |text: &str| text.lines().find(|line| line.starts_with("wall_seconds")).map(str::to_owned);
    assert_eq!(times(&anew), times(&manifest));
    // A kill between the two files: the new summary beside the old manifest.
    put("manifest.toml", &made);
    lab.run(RUN).told(0, &["was finished, summarised anew"]);
    assert_eq!(lab.file("manifest.toml"), anew);
    // Neither of the two is no summary of these data.
    put("summary.csv", &summary.replace('7', "8"));
    lab.run(RUN).refused(1, &["summary.csv", "checksum"]);
}

#[test]
fn a_changed_plan_is_refused_and_changed_words_are_not() {
    let lab = Lab::new(SPEC);
    lab.done(RUN);
    let files = lab.files();
    lab.write("sample.toml", SPEC.replace("seed = 7", "seed = 8"));
    lab.run(RUN).refused(1, &["seed = 7", "seed = 8", "--fresh"]);
    assert_eq!(lab.files(), files);
    lab.write("sample.toml", SPEC.replace("A sample", "Another title"));
    lab.done(RUN);
    assert_eq!(lab.files(), files);
    let manifest = lab.file("manifest.toml");
    assert!(manifest.contains("title = \"Another title\""), "{manifest}");
    lab.write("sample.toml", SPEC.replace("seed = 7", "seed = 8"));
    lab.done(FRESH);
    assert_ne!(lab.files(), files);
}

#[test]
fn a_known_number_that_does_not_come_out_stops_the_run_before_it_starts() {
    let lab = Lab::new(&SPEC.replace("\"125\"", "\"126\""));
    lab.run(RUN).refused(1, &["perft 3 of connect-four-5x5", "126", "125", "5^3"]);
    assert!(!lab.results("").exists(), "the run has left something behind");
}

#[test]
fn quick_results_stay_apart() {
    let lab = Lab::new(SPEC);
    lab.done("run sample.toml --quick");
    assert!(!lab.results("").exists());
    assert!(lab.path("results/quick/sample/manifest.toml").exists());
    // Four trials of one batch for each of two games, and the header.
    assert_eq!(lines(lab.path("results/quick/sample/batches.csv")), 9);
}

#[test]
fn bad_specs_are_refused_in_one_line_that_names_the_offender() {
    let cases: &[(&str, &str, &[&str])] = &[
        ("seed = 7", "sead = 7", &["line 7", "`sead`", "`seed`"]),
        ("seed = 7", "", &["'seed'"]),
        ("seed = 7", "seed = 7.5", &["line 7"]),
        ("seed = 7", "seed = -7", &["line 7"]),
        ("id = \"sample\"", "id = \"other\"", &["'other'", "'sample'"]),
        ("trials = 4", "trials = 0", &["trials 0"]),
        ("games = 3000", "games = 0", &["games 0"]),
        ("batches = 6", "batches = 3001", &["batches 3001"]),
        ("tree-size", "tree-sise", &["tree-sise", "tree-size"]),
        ("connect-four", "conect-four", &["'conect-four'", "allowed"]),
        ("columns = 5", "columns = 9", &["9", "1 to 8"]),
        ("columns = 5", "passes = \"plies\"", &["passes"]),
        ("columns = 5", "colums = 5", &["`colums`", "`columns`"]),
        ("size = 4", "size = 4\ndepth = 3", &["depth", "tree-size"]),
        ("size = 4", "size = 4\n[[game]]\nname = \"othello\"\nsize = 4", &["'othello-4'", "label"]),
        ("value = \"125\"", "value = \"1e3\"", &["1e3"]),
        ("depth = 3\n", "", &["depth"]),
        ("seed = 7", "seed = 7\nboards = [8]", &["boards", "ssc"]),
        ("seed = 7", "seed = 7\nconfidence = 1.0", &["confidence 1"]),
        ("seed = 7", "seed = ", &["line 7"]),
        (
            "[quick]",
            "[[published]]\nsource = \"s\"\nquantity = \"gts\"\nvalue = \"abc\"\n[quick]",
            &["published.value 'abc'"],
        ),
        (
            "[quick]",
            "[[published]]\nsource = \"s\"\nquantity = \"gts\"\nvalue = \"nan\"\n[quick]",
            &["'nan'"],
        ),
        (
            "[quick]",
            "[[published]]\nsource = \"s\"\nquantity = \"gts\"\nvalue = \"inf\"\n[quick]",
            &["'inf'"],
        ),
        (
            "[quick]",
            "[[published]]\nsource = \"s\"\nquantity = \"gts\"\nvalue = \"1\"\nplus_minus = \"0.0\"\n[quick]",
            &["plus_minus '0.0'"],
        ),
        (
            "[quick]",
            "[[published]]\nsource = \"s\"\nquantity = \"gts\"\nvalue = \"1\"\nrounding = \"-1\"\n[quick]",
            &["rounding '-1'"],
        ),
        (
            "[quick]",
            "[[published]]\nsource = \"s\"\nquantity = \"gts\"\nvalue = \"1\"\nunit = \"furlong\"\n[quick]",
            &["furlong", "percent"],
        ),
        (
            "[quick]",
            "[[published]]\nsource = \"s\"\nquantity = \"perft\"\nvalue = \"1\"\n[quick]",
            &["'perft'", "gts"],
        ),
        (
            "[quick]",
            "[[published]]\nsource = \"s\"\nquantity = \"gts\"\nvalue = \"1\"\ngame = \"go\"\n[quick]",
            &["'go'", "othello-4"],
        ),
        ("games = 30\n", "games = 0\n", &["games 0"]),
        ("games = 30\n", "first_games = 0\n", &["first_games 0"]),
        ("name = \"othello\"\nsize = 4", "name = \"draughts-6\"", &["draughts-6", "draw_rule"]),
    ];
    for (from, to, words) in cases {
        refuses(SPEC, from, to, &[&["sample.toml"], *words].concat());
    }
}

#[test]
fn bad_boards_are_refused_before_anything_is_written() {
    let head = "id = 'sample'\ntitle = 't'\nquestion = 'q'\nsource = 's'\nmeasure = 'ssc'\n";
    for (boards, word) in [("[7]", "7"), ("[6, 6]", "6"), ("[0]", "0"), ("[6, 1000]", "1000")] {
        let lab = Lab::new(&format!("{head}boards = {boards}\n"));
        lab.run(RUN).refused(2, &["sample.toml", "board", word]);
        assert!(!lab.results("").exists(), "{boards}");
    }
}

#[test]
fn a_manifest_without_checksums_or_with_another_plan_is_refused() {
    let lab = Lab::new(SPEC);
    lab.done(RUN);
    let whole = lab.file("manifest.toml");
    let path = lab.results("manifest.toml");
    let without = |word: &str| -> String {
        whole.lines().filter(|line| !line.starts_with(word)).map(|l| format!("{l}\n")).collect()
    };
    let end = whole.find("[files_sha256]").unwrap();
    let cases = [
        (without("\"summary.csv\""), "summary.csv"),
        (whole[..end].to_owned(), "files_sha256"),
        (whole.replacen("\nseed = 7\n", "\nseed = 8\n", 1), "plan_sha256"),
    ];
    for (text, word) in cases {
        assert_ne!(text, whole, "{word}");
        std::fs::write(&path, text).unwrap();
        lab.run(RUN).refused(1, &["manifest.toml", word]);
    }
    std::fs::write(&path, whole).unwrap();
    lab.done(RUN);
}

#[test]
fn a_results_folder_that_cannot_be_written_is_refused_before_the_work() {
    let lab = Lab::new(SPEC);
    lab.run("run sample.toml --results sample.toml")
        .refused(1, &["results folder sample.toml/sample"]);
}

#[cfg(unix)]
#[test]
fn a_disk_that_fills_up_fails_in_one_line_and_the_run_can_go_on_later() {
    let files = whole();
    let lab = Lab::new(SPEC);
    // Files of at most 16 blocks of 512 bytes stand in for a full disk.
    let limited = "trap '' XFSZ; ulimit -f 16; exec ludometer run sample.toml --threads 1";
    lab.script("sh", limited).refused(1, &[".csv", "File too large"]);
    assert!(!lab.results("manifest.toml").exists());
    lab.done(RUN);
    assert_eq!(lab.files(), files);
}

#[test]
fn every_measure_runs_from_a_spec() {
    let head = "id = 'sample'\ntitle = 't'\nquestion = 'q'\nsource = 's'\n";
    let cases = [
        ("measure = 'ssc'\nboards = [4, 6]\n", "6x6,ssc_upper_bound,,positions,63838220543,"),
        // Source of the counts: enumeration of tic-tac-toe, and dctl for checkers on 6x6.
        ("measure = 'exact'\n[[game]]\nname = 'tic-tac-toe'\n", "tic-tac-toe,gts,,games,255168,"),
        (
            "measure = 'perft'\ndepth = 6\n[[game]]\nname = 'checkers-6'\n",
            "checkers-6,perft,6,paths,4104,",
        ),
    ];
    for (body, row) in cases {
        let lab = Lab::new(&format!("{head}{body}"));
        lab.done("run sample.toml --threads 2");
        let summary = lab.file("summary.csv");
        assert!(summary.contains(row), "no '{row}' in {summary}");
    }
}

#[test]
fn the_command_line_can_keep_its_estimate_as_an_experiment() {
    let lab = Lab::new(SPEC);
    let first = lab.done("tree-size tic-tac-toe --games 100 --out kept");
    let again = lab.run("tree-size tic-tac-toe --games 100 --out kept");
    again.told(0, &["was finished"]);
    assert_eq!(first.stdout, again.stdout);
    assert!(lab.path("kept/manifest.toml").exists());
}

#[test]
fn every_spec_of_the_repository_is_sound() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments");
    let mut specs = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            for quick in [false, true] {
                ludometer::experiment::spec::Plan::read(&path, quick).unwrap();
            }
            specs += 1;
        }
    }
    assert!(specs >= 9, "{specs}");
}
