//! Tree size by replicates, from a spec and from the command line.
#![allow(clippy::unwrap_used)]

mod lab;

use std::time::Duration;

use lab::{Lab, lines, quantity, refuses, rows, run};

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
        lab.done("run sample.toml --threads 1");
        let one = lab.files();
        assert_eq!(one[0].lines().count(), 1 + 2 * 60, "{method}");
        for threads in ["2", "3"] {
            let lab = Lab::new(&spec);
            lab.done(&format!("run sample.toml --threads {threads}"));
            assert_eq!(lab.files(), one, "{method}, {threads} threads");
        }
    }
}

#[test]
fn estimates_and_verdict_stand_in_the_summary_and_beside_published_values() {
    let lab = Lab::new(SPEC);
    let told = lab.done("run sample.toml --format text").stdout;
    let summary = lab.table("summary.csv");
    let value = |game: &str, name: &str| quantity(&summary, game, name)["value"].clone();
    for (game, exact) in [("connect-four-5x5", 122_331_779_437_450.0), ("othello-4", 60_060.0)] {
        for name in ["gts", "gts_logarithmic", "gts_bootstrap"] {
            let row = quantity(&summary, game, name);
            let [value, error, low, high] = ["value", "standard_error", "low", "high"]
                .map(|field| row[field].parse::<f64>().unwrap());
            assert!((value - exact).abs() < 4.0 * error, "{game} {row:?}");
            assert!(low < value && value < high && error < 0.1 * value, "{game} {row:?}");
        }
        assert_eq!(value(game, "verdict"), "trusted", "{game}");
        assert_eq!(value(game, "replicates"), "60");
        assert_eq!(value(game, "walks"), "12000");
        let relative: f64 = value(game, "relative_error").parse().unwrap();
        let needed: f64 = value(game, "replicates_to_0.1_percent").parse().unwrap();
        assert!((needed / (60.0 * (relative / 0.001).powi(2)) - 1.0).abs() < 0.01, "{game}");
    }
    let plan = "60 replicates of 200 games each by smc (threshold 0.8), seed 7";
    assert!(told.contains(plan), "{told}");
    assert!(lab.results("gts-convergence-othello-4.svg").exists());
    assert!(lab.results("agl-convergence-connect-four-5x5.svg").exists());
    lab.done("run sample.toml --quick");
    assert_eq!(lines(lab.path("results/quick/sample/batches.csv")), 1 + 2 * 3);
}

#[test]
fn a_killed_run_resumes_to_the_same_bytes() {
    let spec = SPEC
        .replace("particles = 200", "particles = 4000")
        .replace("replicates = 60", "replicates = 400");
    let lab = Lab::new(&spec);
    lab.done("run sample.toml --threads 2");
    let files = lab.files();
    let lab = Lab::new(&spec);
    let mut kills = 0;
    for wanted in [3, 150, 500] {
        let begun = || lines(lab.results("batches.csv")) >= wanted;
        let killed = lab.stopped("run sample.toml --threads 2", "-KILL", begun);
        kills += usize::from(killed.code != Some(0));
    }
    assert!(kills >= 1, "every run was over before it could be killed");
    assert!(lines(lab.results("batches.csv")) > 3, "nothing was resumed");
    lab.done("run sample.toml --threads 1");
    assert_eq!(lab.files(), files);
    assert!(!lab.file("manifest.toml").contains("resumed_batches = 0"));
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
    for (from, to, words) in cases {
        refuses(SPEC, from, to, &[words]);
    }
}

#[test]
fn the_command_line_estimates_by_any_method() {
    let othello = |more: &str| run(&format!("tree-size othello --size 4 --format csv {more}"));
    for arguments in [
        "--method smc --particles 100 --threshold 0.5",
        "--method leaf-rao-blackwell --games 200",
        "--method twisted-smc --particles 100 --pilots 2",
        "--method stratified --games 200 --prefix 2",
        "--method uniform --games 200 --replicates 50",
        "--method policy --games 200 --temperature 2 --look-ahead 1",
    ] {
        let summary = rows(&othello(arguments).done().stdout);
        let gts = quantity(&summary, "othello-4", "gts");
        let [value, error] =
            ["value", "standard_error"].map(|field| gts[field].parse::<f64>().unwrap());
        assert!((value - 60_060.0).abs() < 4.0 * error, "{arguments}: {gts:?}");
    }
    // Uniform walks without replicates are the trials they have always been.
    let plain = othello("--games 100").stdout;
    assert_eq!(plain, othello("--games 100 --method uniform").stdout);
    assert!(plain.contains("othello-4,trials,,10,"), "{plain}");
    for (arguments, words) in [
        ("--method smc --games 9", "'games' means nothing for method smc"),
        ("--particles 9", "'particles' means nothing for method uniform"),
        ("--method smc --trials 9", "'trials' means nothing for method smc"),
        (
            "--method magic",
            "allowed: uniform, leaf-rao-blackwell, smc, twisted-smc, stratified, policy, sensible-smc, auto",
        ),
        ("--method smc --threshold 2", "threshold 2 (allowed: 0 to 1)"),
        ("--method policy --temperature 0", "temperature 0 (allowed: 0.5 or more"),
        ("--method policy --temperature 0.49", "temperature 0.49 (allowed: 0.5 or more"),
        ("--method policy --temperature 0.02 --margin 0.1", "with a margin a quarter of it"),
        ("--method policy --margin 3", "margin 3 (allowed: 0 to 2)"),
        ("--method policy --look-ahead 9", "look_ahead 9 (allowed: 0 to 4 plies)"),
        ("--method smc --threshold nan", "threshold NaN (allowed: 0 to 1)"),
        ("--method smc --replicates 18446744073709551615", "replicates 18446744073709551615"),
        ("--method smc --replicates 100001", "replicates 100001 (allowed: 1 to 100000)"),
        ("--margin 0.5", "'margin' means nothing for method uniform"),
    ] {
        othello(arguments).refused(2, &[words]);
    }
}

#[test]
fn populations_larger_than_the_memory_are_refused() {
    let vast = "tree-size chess --ply-cap 9 --method smc --particles 16777216 --threads 512";
    run(vast).refused(1, &["a population of ", "free memory"]);
}

#[test]
fn what_counts_every_game_is_called_exact() {
    let summary = run("tree-size comb --tree-depth 9 --method smc --format csv").stdout;
    assert!(summary.contains(",verdict,,exact: every game was counted,"), "{summary}");
    assert!(summary.contains(",gts,games,1.000000000000000e1,0.0"), "{summary}");
    run("tree-size comb --tree-depth 9 --method auto").told(0, &["smc, no error at all"]);
    // A spec and its resumption read what was counted back.
    let spec = SPEC.replace("particles = 200", "particles = 60060");
    let lab = Lab::new(&spec.replace("replicates = 60", "replicates = 2"));
    lab.done("run sample.toml");
    lab.done("run sample.toml");
    assert!(lab.file("batches.csv").contains(",inf,"), "{}", lab.file("batches.csv"));
    assert!(lab.file("summary.csv").contains(",exact: every game was counted,"));
}

#[test]
fn sensible_games_are_never_called_all_games() {
    let policy = run("tree-size tic-tac-toe --method policy --margin 0.3 --format csv").done();
    let summary = rows(&policy.stdout);
    for name in ["gts", "nodes", "agl", "first_wins", "second_wins", "draws"] {
        assert!(summary.iter().all(|row| row["quantity"] != name), "{name} in {summary:?}");
        quantity(&summary, "tic-tac-toe", &format!("sensible_{name}"));
    }
    let text = run("tree-size tic-tac-toe --method sensible-smc --format text").stdout;
    assert!(text.contains(" sensible_gts ") && !text.contains(" gts "), "{text}");
    // A published number of all games is not set beside that of sensible ones.
    let published =
        "\n[[published]]\nquantity = \"sensible_gts\"\nvalue = \"1000\"\nsource = \"a guess\"\n";
    let spec = SPEC
        .replace("\"smc\"", "\"policy\"")
        .replace("particles = 200", "games = 200")
        .replace("threshold = 0.8", "margin = 0.3");
    let lab = Lab::new(&(spec + published));
    lab.done("run sample.toml");
    let summary = lab.file("summary.csv");
    assert!(summary.contains(",sensible_gts,") && !summary.contains(",gts,"), "{summary}");
}

#[test]
fn auto_says_what_it_has_chosen_and_why() {
    let auto = run("tree-size tic-tac-toe --method auto --replicates 20");
    for method in ["uniform", "leaf-rao-blackwell", "smc", "twisted-smc", "stratified", "policy"] {
        auto.told(0, &[&format!("pilot: {method} needs")]);
    }
    auto.told(0, &["auto: ", "the least time for the same error"]);
    // A game without end is refused before the pilot.
    run("tree-size checkers-4 --method auto").refused(2, &["endless games"]);
}

#[test]
fn auto_does_not_compare_by_pilots_that_cannot_be_trusted() {
    let auto = "tree-size checkers-6 --draw-rule fmjd+cap=150 --method auto";
    // What is said of games does not matter where particles are chosen.
    let ran = run(&format!("{auto} --games 20 --particles 30 --replicates 5")).done();
    let said = ran.stderr;
    let chosen = said.lines().find(|line| line.starts_with("auto: ")).unwrap();
    assert!(chosen.contains("smc, the largest estimate, since no pilot can be trusted"), "{said}");
    assert!(!said.contains("pilot: uniform needs"), "{said}");
    assert!(ran.stdout.contains(",walks,games,150,"), "{}", ran.stdout);
    let nothing = "'--margin' means nothing for --method auto";
    run(&format!("{auto} --margin 0.1")).refused(2, &[nothing]);
}

#[test]
fn numbers_beyond_the_range_of_f64_are_written_out() {
    let game = "tree-size draughts-14 --draw-rule fmjd+cap=400 --seed 1";
    for method in ["--method smc --particles 20 --replicates 3", "--games 30 --trials 2"] {
        for format in ["text", "csv"] {
            let table = run(&format!("{game} {method} --format {format}")).done().stdout;
            assert!(!table.contains("inf") && !table.contains("NaN"), "{table}");
            let size = table.lines().find(|line| line.contains("log10_gts")).unwrap();
            let words: Vec<&str> = size.split([',', ' ']).filter(|word| !word.is_empty()).collect();
            assert!(words[2].parse::<f64>().unwrap() > 308.0, "{size}");
        }
    }
}

#[test]
fn long_walks_stop_soon_after_an_interrupt() {
    let lab = Lab::empty();
    for game in [
        "chess --method policy --look-ahead 2",
        "othello --method sensible-smc --look-ahead 3",
        "go --size 7 --method stratified --prefix 5 --games 2000000",
    ] {
        let at_work = || {
            std::thread::sleep(Duration::from_secs(2));
            true
        };
        lab.stopped(&format!("tree-size {game}"), "-INT", at_work).told(130, &[]);
    }
}
