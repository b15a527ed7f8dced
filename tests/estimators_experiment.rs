//! The measure `estimators`: coverage and variance against exact counts, bytes against threads and kills,
//! refusals.
#![allow(clippy::unwrap_used)]

mod lab;

use std::collections::HashSet;
use std::path::Path;

use lab::{Lab, Row, lines, quantity, refuses, rows};

const SPEC: &str = r#"
id = "sample"
title = "Methods"
question = "Which is best?"
source = "none"
measure = "estimators"
seed = 11
methods = ["uniform", "leaf-rao-blackwell", "smc"]
repetitions = 60
replicates = 25
games = 160

[quick]
repetitions = 2

[[game]]
name = "connect-four"
columns = 4
rows = 4

[[game]]
name = "tic-tac-toe"

[[published]]
game = "tic-tac-toe-uniform"
quantity = "gts"
value = "255168"
tolerance_percent = 5.0
source = "enumeration"
"#;

/// Source of the relative variances: results/exact-small-games, exact.
#[test]
fn variances_are_exact_ones_and_intervals_cover() {
    let lab = Lab::new(SPEC);
    let report = lab.done("run sample.toml").stdout;
    assert!(report.contains("within tolerance"), "{report}");
    let summary = lab.table("summary.csv");
    let number = |game: &str, name: &str, field: &str| -> f64 {
        quantity(&summary, game, name)[field].parse().unwrap()
    };
    for (game, variance) in [("connect-four-4x4", 2.316_230_2), ("tic-tac-toe", 0.256_060_540)] {
        let label = format!("{game}-uniform");
        let measured = number(&label, "relative_variance", "value");
        let error = number(&label, "relative_variance", "standard_error");
        // The mean of 160 walks.
        assert!((measured - variance / 160.0).abs() < 4.0 * error, "{game}: {measured} +- {error}");
        for method in ["uniform", "leaf-rao-blackwell", "smc"] {
            let label = format!("{game}-{method}");
            assert!(number(&label, "deviation", "value").abs() < 4.0, "{label}");
            let covered = number(&label, "coverage_t", "value");
            assert!(covered > 0.8, "{label}: {covered}");
        }
        let smc = number(&format!("{game}-smc"), "relative_variance", "value");
        assert!(smc < measured, "{game}: a population is better than as many walks");
    }
    let covered = number("tic-tac-toe-smc", "trusted_coverage_agl", "value");
    assert!(covered > 0.8, "agl: {covered}");
    for row in &lab.table("batches.csv") {
        // 160 walks have an effective size of 48 on connect-four-4x4.
        let thin = row["game"] == "connect-four-4x4" && row["method"] != "smc (threshold 0.9)";
        assert_eq!(row["trusted"] == "0", thin, "{row:?}");
        assert!(
            row["agl_given"] == row["trusted"] && row["draws_given"] == row["trusted"],
            "{row:?}"
        );
    }
    let costs = lab.table("costs.csv");
    assert_eq!(costs.len(), 6);
    assert!(costs.iter().all(|row| row["replicates"] == "1500"));
    assert!(lab.results("coverage.svg").exists());
}

#[test]
fn the_same_bytes_on_any_threads_and_after_a_kill() {
    let lab = Lab::new(SPEC);
    lab.done("run sample.toml --threads 1");
    let whole = lab.files();
    lab.done("run sample.toml --threads 3 --fresh");
    assert_eq!(lab.files(), whole);
    std::fs::remove_dir_all(lab.results("")).unwrap();
    let begun = || lines(lab.results("batches.csv")) >= 3;
    lab.stopped("run sample.toml --quiet", "-KILL", begun);
    lab.done("run sample.toml");
    assert_eq!(lab.files(), whole);
}

#[test]
fn what_makes_no_sense_is_refused_by_name() {
    for (from, to, words) in [
        ("\"smc\"]", "\"magic\"]", ["'magic'", "leaf-rao-blackwell"]),
        ("\"smc\"]", "\"uniform\"]", ["'uniform'", "twice"]),
        ("repetitions = 60", "repetitions = 0", ["repetitions 0", "1 or more"]),
        ("replicates = 25", "replicates = 1", ["replicates 1", "2 or more"]),
        (
            "replicates = 25",
            "replicates = 9223372036854775807",
            ["repetitions of 9223372036854775807", "100000"],
        ),
        ("repetitions = 60", "repetitions = 100000000000", ["100000000000", "in all"]),
        ("games = 160", "games = 16777217", ["particles 16777217", "16777216"]),
        ("games = 160", "games = 160\nprefix = 3", ["'prefix'", "only: stratified"]),
        ("games = 160", "games = 160\npilots = 3", ["'pilots'", "only: twisted-smc"]),
        ("games = 160", "games = 160\ntemperature = 2.0", ["'temperature'", "only: policy"]),
        ("\"smc\"]", "\"sensible-smc\"]", ["'sensible-smc'", "sensible games, not all"]),
        ("replicates = 25\n", "", ["estimators", "'replicates'"]),
        ("seed = 11\n", "", ["estimators", "'seed'"]),
        ("name = \"tic-tac-toe\"", "name = \"draughts-6\"", ["endless", "draw_rule"]),
        (
            "tic-tac-toe-uniform",
            "tic-tac-toe",
            ["'tic-tac-toe' is not measured", "tic-tac-toe-smc"],
        ),
        ("measure = \"estimators\"", "measure = \"exact\"", ["means nothing", "estimators"]),
    ] {
        refuses(SPEC, from, to, &words);
    }
}

/// What results/coverage says of the intervals of estimates that are trusted, for every game, method and
/// quantity; where fewer than one in a hundred are trusted there is no share to speak of.
#[test]
fn committed_intervals_that_are_trusted_cover_as_often_as_they_say() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("results/coverage/batches.csv");
    let rows = rows(&std::fs::read_to_string(path).unwrap());
    let number = |row: &Row, column: &str| row[column].parse::<f64>().unwrap();
    let distinct = |of: fn(&Row) -> &str| rows.iter().map(of).collect::<HashSet<_>>().len();
    let games = distinct(|row| &row["game"]);
    let methods = distinct(|row| row["method"].split(' ').next().unwrap());
    assert!(games >= 12 && methods == 6 && rows.len() == games * methods);
    let mut intervals = ["t", "log", "bootstrap"]
        .map(|kind| ("trusted".to_owned(), format!("trusted_covered_{kind}")))
        .to_vec();
    intervals.extend(
        ["agl", "first", "second", "draws"]
            .map(|ratio| (format!("{ratio}_given"), format!("{ratio}_covered"))),
    );
    let mut studied = 0;
    for (given, covered) in &intervals {
        let (mut all, mut all_covered) = (0.0, 0.0);
        for row in &rows {
            let (given, covered) = (number(row, given), number(row, covered));
            (all, all_covered) = (all + given, all_covered + covered);
            let repetitions = number(row, "repetitions");
            assert!(repetitions >= 500.0);
            if given >= 0.01 * repetitions {
                let within = (0.92 * given..=0.98 * given).contains(&covered);
                assert!(within, "{covered} of {given} in {row:?}");
                studied += 1;
            }
        }
        let share = all_covered / all;
        assert!((0.94..=0.96).contains(&share), "{covered}: {share}");
    }
    assert!(studied > 350, "only {studied} shares are studied");
}
