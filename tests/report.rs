//! Reports of finished experiments: right numbers beside the published ones, whole plots, and no word
//! about results that are missing, unfinished or changed.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use ludometer::experiment::spec::Plan;
use ludometer::experiment::{Order, folder, run};
use ludometer::game::Unwatched;
use ludometer::report::comparison::Finding;
use ludometer::report::table::COLUMNS;
use ludometer::report::{Images, Report, ReportError, TABLES_CSV, TABLES_TEXT, write};

/// Source: enumeration of tic-tac-toe gives 255168 games of 2106288 plies in all (8.2545147 on average)
/// and 5478 positions; the published 5479 is wrong on purpose.
const EXACT: &str = r#"
id = "exact"
title = "Small games"
question = "Do exact counts come out?"
source = "enumeration"
measure = "exact"
[[game]]
name = "tic-tac-toe"
[[published]]
quantity = "gts"
value = "255168"
source = "Table A"
[[published]]
quantity = "agl"
value = "8.254515"
source = "Table A"
[[published]]
quantity = "positions"
value = "5479"
source = "a wrong number"
"#;

/// Published: A. Yong and D. Yong, "An estimation method for game complexity": 2.55e5 +- 0.04e5.
const SAMPLE: &str = r#"
id = "sample"
title = "Tic-tac-toe by sampling"
question = "Does the estimate come out?"
source = "Yong and Yong"
measure = "tree-size"
seed = 1
trials = 10
games = 2000
batches = 2
[[game]]
name = "tic-tac-toe"
[[published]]
game = "tic-tac-toe"
quantity = "gts"
value = "2.55e5"
plus_minus = "0.04e5"
source = "Table 1"
[[published]]
game = "tic-tac-toe"
quantity = "draws"
value = "18.1"
unit = "percent"
source = "Table 1"
"#;

/// Published: J. van Horssen, Table 1.
const BOUNDS: &str = r#"
id = "bounds"
title = "State-space bounds"
question = "Does Table 1 come out?"
source = "van Horssen, Table 1"
measure = "ssc"
boards = [4, 6, 8]
[[published]]
game = "6x6"
quantity = "ssc_upper_bound"
value = "63838220543"
source = "Table 1"
[[published]]
game = "8x8"
quantity = "ssc_upper_bound"
value = "500995484682338672639"
source = "Table 1"
"#;

/// Published: paths of checkers on 8 x 8 (OEIS A133046).
const PATHS: &str = r#"
id = "paths"
title = "Perft"
question = "Are the rules right?"
source = "OEIS A133046"
measure = "perft"
depth = 4
[[game]]
name = "checkers-8"
[[published]]
quantity = "perft"
depth = 4
value = "1469"
source = "A133046"
[[published]]
quantity = "perft"
depth = 5
value = "7361"
source = "A133046, deeper than the run"
"#;

/// Source: breadth-first search of 4x4 checkers by two independent programs; the share is 2409 of the
/// 12174 positions of the formula, both colours to move.
const STATES: &str = r#"
id = "states"
title = "Reachable positions"
question = "Does the counter reach what can be reached?"
source = "breadth-first search"
measure = "states"
[[game]]
name = "checkers-4"
[[game]]
name = "tic-tac-toe"
[[published]]
game = "checkers-4"
quantity = "states"
value = "2409"
source = "Table B"
[[published]]
game = "checkers-4"
quantity = "share"
value = "19.8"
unit = "percent"
source = "Table B"
"#;

fn finish(results: &Path, text: &str) {
    let plan = Plan::parse(Path::new("spec.toml"), text, false).unwrap();
    let folder = folder(results, &plan);
    let order = Order::new(&folder);
    run(&plan, order, |_, _| Unwatched).unwrap();
}

/// A folder with the results of every measure, and its report.
fn reported(images: Images) -> (tempfile::TempDir, Report) {
    let results = tempfile::tempdir().unwrap();
    for text in [EXACT, SAMPLE, BOUNDS, PATHS, STATES] {
        finish(results.path(), text);
    }
    let report = write(results.path(), &[], images).unwrap();
    (results, report)
}

fn names(files: &[PathBuf], results: &Path) -> Vec<String> {
    files.iter().map(|f| f.strip_prefix(results).unwrap().display().to_string()).collect()
}

#[test]
fn every_measure_is_tabled_beside_what_is_published() {
    let (_results, report) = reported(Images::Without);
    let ids: Vec<&str> = report.tables.iter().map(|t| t.experiment.as_str()).collect();
    assert_eq!(ids, ["bounds", "exact", "paths", "sample", "states"]);
    let verdict = |experiment: &str, quantity: &str, game: &str| {
        let table = report.tables.iter().find(|t| t.experiment == experiment).unwrap();
        let row =
            table.rows.iter().rfind(|r| r.measured.quantity == quantity && r.measured.game == game);
        row.unwrap().verdict.finding
    };
    assert_eq!(verdict("bounds", "ssc_upper_bound", "4x4"), Finding::Unpublished);
    assert_eq!(verdict("bounds", "ssc_upper_bound", "8x8"), Finding::Equal);
    assert_eq!(verdict("exact", "gts", "tic-tac-toe"), Finding::Equal);
    assert_eq!(verdict("exact", "agl", "tic-tac-toe"), Finding::PrintedDigits);
    assert_eq!(verdict("exact", "positions", "tic-tac-toe"), Finding::Differs);
    assert_eq!(verdict("paths", "perft", ""), Finding::Unmeasured);
    assert_eq!(verdict("paths", "perft", "checkers-8"), Finding::Equal);
    assert_eq!(verdict("sample", "gts", "tic-tac-toe"), Finding::WithinPlusMinus);
    assert_eq!(verdict("sample", "draws", "tic-tac-toe"), Finding::WithinStandardErrors);
    assert_eq!(verdict("states", "states", "checkers-4"), Finding::Equal);
    assert_eq!(verdict("states", "share", "checkers-4"), Finding::PrintedDigits);
    assert_eq!(verdict("states", "deepest_ply", "tic-tac-toe"), Finding::Unpublished);
    let wrong: Vec<_> = report.tables.iter().flat_map(|t| t.disagreements()).collect();
    assert_eq!(wrong.len(), 1);
    assert_eq!(wrong[0].measured.quantity, "positions");
    assert_eq!(
        report.tally(),
        "published values: 11; 9 agree, 1 differ, 0 not trusted, 1 not measured"
    );
    assert!(report.to_text().ends_with("1 differ, 0 not trusted, 1 not measured\n"));
}

#[test]
fn text_and_csv_tables_are_written_and_say_the_same() {
    let (results, report) = reported(Images::Without);
    let text = std::fs::read_to_string(results.path().join(TABLES_TEXT)).unwrap();
    let csv = std::fs::read_to_string(results.path().join(TABLES_CSV)).unwrap();
    assert_eq!((&text, &csv), (&report.to_text(), &report.to_csv()));
    assert!(text.contains("500995484682338672639  500995484682338672639  equal\n"), "{text}");
    assert!(text.contains("10 trials of 2000 games each, seed 1, 95 % intervals"), "{text}");
    assert!(!text.contains('\u{1b}'));
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    assert_eq!(reader.headers().unwrap().iter().collect::<Vec<_>>(), COLUMNS);
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), report.tables.iter().map(|t| t.rows.len()).sum::<usize>());
    let draws = rows.iter().find(|r| &r[0] == "sample" && &r[2] == "draws").unwrap();
    let [measured, published]: [f64; 2] =
        [5, 10].map(|column: usize| draws[column].parse().unwrap());
    assert_eq!((&draws[4], published), ("percent", 18.1));
    // Source: 46080 of 255168 games are drawn.
    assert!((measured - 18.0587).abs() < 2.0, "{measured} is in percent");
}

#[test]
fn every_measure_gets_its_plots() {
    let (results, report) = reported(Images::Svg);
    let expected = [
        "bounds/growth.svg",
        "bounds/pieces.svg",
        "exact/lengths-tic-tac-toe.svg",
        "exact/plies-tic-tac-toe.svg",
        "paths/perft.svg",
        "sample/gts-convergence-tic-tac-toe.svg",
        "sample/agl-convergence-tic-tac-toe.svg",
        "sample/weights-tic-tac-toe.svg",
        "sample/lengths-tic-tac-toe.svg",
        "states/levels.svg",
        "states/levels-log10.svg",
        "states/slices.svg",
        TABLES_CSV,
        TABLES_TEXT,
    ];
    assert_eq!(names(&report.files, results.path()), expected);
    assert_eq!(report.notes, Vec::<String>::new());
    for path in &report.files {
        let text = std::fs::read_to_string(path).unwrap();
        assert!(text.len() < 60_000, "{} stays light", path.display());
        if path.extension().unwrap() == "svg" {
            assert!(text.trim_end().ends_with("</svg>"), "{}", path.display());
            assert!(!text.contains("NaN"), "{}", path.display());
        }
    }
    let read = |name: &str| std::fs::read_to_string(results.path().join(name)).unwrap();
    let convergence = read("sample/gts-convergence-tic-tac-toe.svg");
    assert!(convergence.contains("published: (2.55 ± 0.04) × 10⁵"));
    assert!(convergence.contains("estimate with 95 % interval"));
    assert!(read("sample/lengths-tic-tac-toe.svg").contains("uniform play (unweighted)"));
    // One disc for each of the 29 slices that are reached and one in the legend.
    assert_eq!(read("states/slices.svg").matches("<circle").count(), 30);
    assert!(read("states/levels-log10.svg").contains("tic-tac-toe"));
    // One disc for each published board and one in the legend.
    assert_eq!(read("bounds/growth.svg").matches("<circle").count(), 3);
}

#[test]
fn png_files_come_only_when_asked_for() {
    let results = tempfile::tempdir().unwrap();
    finish(results.path(), BOUNDS);
    let pngs = |images| {
        let report = write(results.path(), &[], images).unwrap();
        report.files.iter().filter(|f| f.extension().unwrap() == "png").count()
    };
    assert_eq!(pngs(Images::Svg), 0);
    assert_eq!(pngs(Images::SvgAndPng), 2);
    let bytes = std::fs::read(results.path().join("bounds/growth.png")).unwrap();
    assert_eq!(bytes[..8], *b"\x89PNG\r\n\x1a\n");
}

#[test]
fn doubts_of_a_sample_stand_in_tally_text_and_pictures() {
    let results = tempfile::tempdir().unwrap();
    // 5 batches of one trial: too few for an interval that can be trusted.
    let few = SAMPLE.replace("trials = 10", "trials = 1").replace("batches = 2", "batches = 5");
    finish(results.path(), &few);
    let report = write(results.path(), &[], Images::Svg).unwrap();
    let tally = "published values: 2; 0 agree, 0 differ, 2 not trusted, 0 not measured";
    assert_eq!(report.tally(), tally);
    let text = report.to_text();
    assert!(
        text.contains("\ntic-tac-toe: not trusted: 5 batches, fewer than 10\ntic-tac-toe  gts")
    );
    assert!(
        text.contains("within 3 +-, not trusted\n") && !text.contains("within 4 s.e."),
        "{text}"
    );
    for name in ["gts-convergence", "agl-convergence"] {
        let path = results.path().join(format!("sample/{name}-tic-tac-toe.svg"));
        let svg = std::fs::read_to_string(path).unwrap();
        assert!(svg.contains("estimate with 95 % interval, not trusted"), "{name}");
    }
}

#[test]
fn plots_that_are_no_longer_drawn_are_removed_and_nothing_else() {
    let (results, first) = reported(Images::SvgAndPng);
    let folder = results.path().join("sample");
    let kept = ["lengths-tic-tac-toe.txt", "photo.png", "my-weights-x.svg"].map(|n| folder.join(n));
    kept.iter().for_each(|path| std::fs::write(path, "").unwrap());
    let gone =
        ["lengths-of-a-game-no-longer-in-the-spec.svg", "gts-convergence-x.png", "perft.svg"]
            .map(|n| folder.join(n));
    gone.iter().for_each(|path| std::fs::write(path, "").unwrap());
    write(results.path(), &[], Images::Without).unwrap();
    write(results.path(), &["bounds".to_owned()], Images::SvgAndPng).unwrap();
    assert!(gone.iter().chain(&first.files).all(|path| path.exists()), "nothing to do with these");
    let report = write(results.path(), &[], Images::Svg).unwrap();
    assert!(kept.iter().chain(&report.files).all(|path| path.exists()));
    assert!(!gone.iter().any(|path| path.exists()));
    // Every kind of plot is known for one: the PNG files were not written this time.
    let left = first.files.iter().filter(|path| path.exists()).count();
    assert_eq!(left, report.files.len());
    let notes: Vec<&str> = report.notes.iter().filter_map(|n| n.split(':').next()).collect();
    assert_eq!(notes, ["bounds", "exact", "paths", "sample", "states"]);
    assert!(report.notes[0].ends_with("removed earlier plots: growth.png pieces.png"));
}

#[test]
fn the_same_results_give_the_same_report() {
    let (first, report) = reported(Images::Svg);
    let (second, _) = reported(Images::Svg);
    for name in names(&report.files, first.path()) {
        let bytes = |results: &Path| std::fs::read(results.join(&name)).unwrap();
        assert_eq!(bytes(first.path()), bytes(second.path()), "{name}");
    }
}

#[test]
fn one_experiment_alone_leaves_the_tables_of_all_as_they_are() {
    let (results, _) = reported(Images::Without);
    let tables = results.path().join(TABLES_CSV);
    let before = std::fs::read(&tables).unwrap();
    let report = write(results.path(), &["bounds".to_owned()], Images::Svg).unwrap();
    assert_eq!(report.tables.len(), 1);
    assert_eq!(names(&report.files, results.path()), ["bounds/growth.svg", "bounds/pieces.svg"]);
    assert_eq!(std::fs::read(&tables).unwrap(), before);
}

#[test]
fn results_that_do_not_exist_are_refused_by_name() {
    let results = tempfile::tempdir().unwrap();
    let error = write(results.path(), &[], Images::Svg).unwrap_err();
    assert!(matches!(error, ReportError::Nothing(_)), "{error}");
    finish(results.path(), BOUNDS);
    let error = write(results.path(), &["nonesuch".to_owned()], Images::Svg).unwrap_err();
    assert!(matches!(&error, ReportError::Missing { id, .. } if id == "nonesuch"), "{error}");
    assert!(error.to_string().contains("experiments/nonesuch.toml"), "{error}");
    let error = write(&results.path().join("void"), &[], Images::Svg).unwrap_err().to_string();
    assert!(error.contains("void") && !error.contains('\n'), "{error}");
}

#[test]
fn manifests_without_a_checksum_or_with_another_plan_are_refused() {
    let without_summary = |text: &str| {
        let kept = text.lines().filter(|line| !line.starts_with("\"summary.csv\""));
        kept.collect::<Vec<_>>().join("\n")
    };
    for problem in ["lacks 'summary.csv'", "does not match plan_sha256"] {
        let results = tempfile::tempdir().unwrap();
        finish(results.path(), BOUNDS);
        let path = results.path().join("bounds/manifest.toml");
        let text = std::fs::read_to_string(&path).unwrap();
        let edited = match problem {
            "lacks 'summary.csv'" => without_summary(&text),
            _ => text.replacen("board = 8", "board = 6", 1),
        };
        assert_ne!(edited, text, "{problem}");
        std::fs::write(&path, edited).unwrap();
        let error = write(results.path(), &[], Images::Svg).unwrap_err().to_string();
        assert!(error.contains(problem) && error.contains("manifest.toml"), "{error}");
        assert!(!results.path().join(TABLES_CSV).exists());
    }
}

#[test]
fn changed_files_are_refused_and_nothing_is_written() {
    for name in ["batches.csv", "histograms.csv", "summary.csv"] {
        let results = tempfile::tempdir().unwrap();
        finish(results.path(), BOUNDS);
        let path = results.path().join("bounds").join(name);
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text.replacen('8', "9", 1)).unwrap();
        let error = write(results.path(), &[], Images::Svg).unwrap_err();
        assert!(matches!(&error, ReportError::Changed { path: p } if *p == path), "{error}");
        assert!(!results.path().join(TABLES_CSV).exists());
        assert!(!results.path().join("bounds/growth.svg").exists());
        std::fs::remove_file(&path).unwrap();
        let error = write(results.path(), &[], Images::Svg).unwrap_err().to_string();
        assert!(error.contains(name), "{error}");
    }
}

#[test]
fn unfinished_results_are_left_out_with_a_note_and_refused_when_named() {
    let results = tempfile::tempdir().unwrap();
    finish(results.path(), BOUNDS);
    finish(results.path(), PATHS);
    let manifest = results.path().join("paths/manifest.toml");
    std::fs::rename(&manifest, results.path().join("paths/unfinished.toml")).unwrap();
    let report = write(results.path(), &[], Images::Without).unwrap();
    assert_eq!(report.tables.len(), 1);
    assert_eq!(report.notes, ["paths: not finished, left out"]);
    let error = write(results.path(), &["paths".to_owned()], Images::Without).unwrap_err();
    assert!(matches!(error, ReportError::Missing { .. }), "{error}");
}

#[test]
fn results_under_the_name_of_another_experiment_are_refused() {
    let results = tempfile::tempdir().unwrap();
    finish(results.path(), BOUNDS);
    std::fs::rename(results.path().join("bounds"), results.path().join("other")).unwrap();
    let error = write(results.path(), &[], Images::Without).unwrap_err();
    assert!(matches!(&error, ReportError::OtherId { id, .. } if id == "bounds"), "{error}");
}
