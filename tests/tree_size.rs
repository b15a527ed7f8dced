//! The estimator of game tree size against exact counts, and its reproducibility.

#![allow(clippy::unwrap_used)]

use std::convert::Infallible;
use std::sync::atomic::{AtomicU64, Ordering};

use ludometer::game::{Outcome, Progress, Scored, Unwatched};
use ludometer::games::connect_four::ConnectFour;
use ludometer::games::othello::{Othello, Passes};
use ludometer::games::synthetic::{Comb, UniformTree};
use ludometer::games::tic_tac_toe::TicTacToe;
use ludometer::tree_size::{
    Batch, Doubt, Plan, PlanError, RunError, Scaled, Summary, Verdict, exact, run_batches, sample,
    stream, walk,
};

const OUTCOMES: [Outcome; 3] = [Outcome::FirstWins, Outcome::SecondWins, Outcome::Draw];

fn summary_of<G: Scored>(game: &G, seed: u64, games: u64) -> Summary {
    let plan = Plan::new(seed, 1, games, 20).unwrap();
    Summary::of(&sample(game, &plan, 2, &Unwatched).unwrap(), 0.95).unwrap()
}

fn rates(summary: &Summary) -> [(f64, f64); 3] {
    [&summary.first_rate, &summary.second_rate, &summary.draw_rate]
        .map(|rate| (rate.value, rate.standard_error.unwrap()))
}

fn within_four_errors(name: &str, estimate: f64, standard_error: f64, expected: f64) {
    let deviation = (estimate - expected).abs();
    assert!(
        deviation <= 4.0 * standard_error,
        "{name}: {estimate} +- {standard_error}, exact {expected}"
    );
}

/// Every estimate of `games` walks against the exact count.
fn agrees_with_exact<G: Scored>(name: &str, game: &G, seed: u64, games: u64) {
    let exact = exact(game, 1_000_000, 2, &Unwatched).unwrap();
    let summary = summary_of(game, seed, games);
    let whole = |estimate: &ludometer::tree_size::Estimate<Scaled>| {
        (estimate.value.to_f64(), estimate.standard_error.unwrap().to_f64())
    };
    let (gts, error) = whole(&summary.gts);
    within_four_errors(&format!("{name} gts"), gts, error, exact.total_games() as f64);
    let (nodes, error) = whole(&summary.nodes);
    within_four_errors(&format!("{name} nodes"), nodes, error, exact.total_nodes() as f64);
    let agl = &summary.agl;
    let error = agl.standard_error.unwrap();
    within_four_errors(&format!("{name} agl"), agl.value, error, exact.agl());
    for (outcome, (rate, error)) in OUTCOMES.into_iter().zip(rates(&summary)) {
        let name = format!("{name} {outcome:?}");
        within_four_errors(&name, rate, error, exact.rate(outcome));
    }
    let uniform = &summary.uniform;
    let error = uniform.length_deviation.unwrap() / (games as f64).sqrt();
    let expected = exact.uniform_mean_length();
    within_four_errors(&format!("{name} uniform length"), uniform.mean_length, error, expected);
    let shares = [uniform.first_rate, uniform.second_rate, uniform.draw_rate];
    for (outcome, share) in OUTCOMES.into_iter().zip(shares) {
        let expected = exact.uniform_rate(outcome);
        let error = (expected * (1.0 - expected) / games as f64).sqrt();
        within_four_errors(&format!("{name} uniform {outcome:?}"), share, error, expected);
    }
}

#[test]
fn estimates_agree_with_exact_counts_within_4_standard_errors() {
    agrees_with_exact("tic-tac-toe", &TicTacToe, 1, 40_000);
    agrees_with_exact("Connect Four 4x4", &ConnectFour::new(4, 4).unwrap(), 2, 40_000);
    agrees_with_exact("Connect Four 4x3", &ConnectFour::new(4, 3).unwrap(), 3, 40_000);
    agrees_with_exact("Othello 4x4", &Othello::new(4, Passes::Skipped).unwrap(), 4, 40_000);
    agrees_with_exact("Othello 4x4, passes", &Othello::new(4, Passes::Plies).unwrap(), 5, 40_000);
    agrees_with_exact("comb", &Comb::new(3, 12).unwrap(), 6, 40_000);
}

#[test]
fn larger_connect_four_boards_agree_with_published_counts_within_4_standard_errors() {
    // Columns, rows, games, agl, rates of first and second wins, relative variance of one walk.
    // Source: an independent forward dynamic programme over positions up to reflection.
    let known = [
        (5, 4, 152_505_051_772.0, 19.356975311030, 0.2524433931, 0.2561754697, 5.778857719520),
        (4, 5, 5_317_582_722.0, 19.400053281578, 0.1930726455, 0.2143265524, 5.565273846152),
        (5, 5, 122_331_779_437_450.0, 24.202738634923, 0.2739952851, 0.2347484514, 20.874203709975),
    ];
    for (columns, rows, gts, agl, first, second, variance) in known {
        let name = format!("Connect Four {columns}x{rows}");
        let games = 300_000;
        let summary = summary_of(&ConnectFour::new(columns, rows).unwrap(), 7, games);
        let exact_error = gts * (variance / games as f64).sqrt();
        within_four_errors(&name, summary.gts.value.to_f64(), exact_error, gts);
        let error = summary.gts.standard_error.unwrap().to_f64();
        assert!((error / exact_error - 1.0).abs() < 0.05, "{name}: {error} is not {exact_error}");
        within_four_errors(&name, summary.agl.value, summary.agl.standard_error.unwrap(), agl);
        let [first_wins, second_wins, _] = rates(&summary);
        within_four_errors(&name, first_wins.0, first_wins.1, first);
        within_four_errors(&name, second_wins.0, second_wins.1, second);
        assert_eq!(summary.verdict, Verdict::Trusted, "{name}");
    }
}

#[test]
fn reported_standard_errors_match_the_exact_ones() {
    fn compare<G: Scored>(name: &str, game: &G, variance: f64) {
        let games = 200_000u64;
        let exact = exact(game, 1_000_000, 2, &Unwatched).unwrap();
        let summary = summary_of(game, 8, games);
        let close = |what: &str, reported: f64, expected: f64| {
            let ratio = reported / expected;
            assert!((ratio - 1.0).abs() < 0.03, "{name} {what}: {reported} is not {expected}");
        };
        let root = (games as f64).sqrt();
        close("relative variance", summary.relative_variance.unwrap(), variance);
        let error = summary.gts.standard_error.unwrap() / summary.gts.value;
        close("gts", error.to_f64(), variance.sqrt() / root);
        close("agl", summary.agl.standard_error.unwrap(), exact.agl_deviation() / root);
        for (outcome, (_, error)) in OUTCOMES.into_iter().zip(rates(&summary)) {
            close(&format!("{outcome:?}"), error, exact.rate_deviation(outcome) / root);
        }
        // The width of the interval over 20 batches: chi-square with 19 degrees of freedom.
        let (low, high) = summary.gts.interval.unwrap();
        let half_width = ((high - low) / summary.gts.value).to_f64() / 2.0;
        let batch_error = half_width / 2.093_024;
        let ratio = batch_error / (variance.sqrt() / root);
        assert!((0.5..1.6).contains(&ratio), "{name}: interval {ratio} times as wide as it should");
    }
    // Source of the variances: an independent forward dynamic programme.
    compare("tic-tac-toe", &TicTacToe, 0.256060540436);
    compare("Connect Four 4x4", &ConnectFour::new(4, 4).unwrap(), 2.323649290780);
    compare("Othello 4x4", &Othello::new(4, Passes::Skipped).unwrap(), 2.316230196710);
}

#[test]
fn intervals_of_95_percent_hold_the_exact_value_95_times_in_100() {
    // 400 intervals: 380 expected, standard deviation 4.4.
    let hits = (0..400)
        .filter(|seed| {
            let plan = Plan::new(*seed, 1, 1000, 20).unwrap();
            let batches = sample(&TicTacToe, &plan, 1, &Unwatched).unwrap();
            let summary = Summary::of(&batches, 0.95).unwrap();
            let (low, high) = summary.gts.interval.unwrap();
            (low.to_f64()..high.to_f64()).contains(&255_168.0)
        })
        .count();
    assert!((363..=397).contains(&hits), "{hits} of 400 intervals hold the exact value");
}

#[test]
fn the_log_of_the_mean_is_reported_and_not_the_mean_of_the_logs() {
    // Tic-tac-toe, 40,000 walks, 5 seeds: one walk has standard deviation 129,121 (exact), so the
    // estimate lies within 4 x 129121 / 200 = 2582; the mean of log10 X is 5.2802 (exact).
    for seed in 0..5 {
        let summary = summary_of(&TicTacToe, seed, 40_000);
        assert!((summary.gts.value.to_f64() - 255_168.0).abs() < 2582.0, "seed {seed}");
        assert!((summary.log10_gts() - 5.4068).abs() < 0.005, "seed {seed}");
    }
}

#[test]
fn trees_beyond_the_range_of_f64_are_measured() {
    // 10^330: the product is infinite in f64.
    let summary = summary_of(&UniformTree::new(10, 330).unwrap(), 1, 1000);
    assert!((summary.log10_gts() - 330.0).abs() < 1e-12, "{}", summary.log10_gts());
    assert_eq!(format!("{:.2e}", summary.gts.value), "1.00e330");
    assert_eq!(summary.gts.standard_error, Some(Scaled::ZERO));
    assert!((summary.agl.value - 330.0).abs() < 1e-9, "{}", summary.agl.value);
    assert_eq!(summary.agl.standard_error, None);
    let (low, high) = summary.gts.interval.unwrap();
    assert!((low / high).to_f64() > 1.0 - 1e-12);
    // 23^3000, more than 10^4000; the nodes are 23/22 of the leaves.
    let summary = summary_of(&UniformTree::new(23, 3000).unwrap(), 1, 100);
    let expected = 3000.0 * 23f64.log10();
    assert!((summary.log10_gts() - expected).abs() < 1e-11, "{}", summary.log10_gts());
    let nodes = (summary.nodes.value / summary.gts.value).to_f64();
    assert!((nodes - 23.0 / 22.0).abs() < 1e-12, "{nodes}");
}

#[test]
fn a_tail_too_heavy_for_the_sample_is_not_trusted() {
    // The comb with 20 moves: a walk has weight 20^k with probability 0.05 * 0.95^(k-1), a Pareto
    // tail of shape ln 20 / -ln 0.95 = 58.
    let summary = summary_of(&Comb::new(20, 200).unwrap(), 1, 100_000);
    let Verdict::NotTrusted(doubts) = &summary.verdict else {
        panic!("{} with k-hat {:?}", summary.verdict, summary.k_hat);
    };
    assert!(doubts.iter().any(|doubt| matches!(doubt, Doubt::HeavyTail(_))), "{doubts:?}");
}

#[test]
fn whole_walks_never_change() {
    // Weight, nodes, plies and outcome from an independent implementation of the generator, the
    // bounded draw and tic-tac-toe: cells b3 a3 c3 ... for the draws 7 2 8 5 4 3 0 of seed 42.
    let mut generator = stream(42, 0);
    let walks: Vec<_> = (0..3).map(|_| walk(&TicTacToe, &mut generator, &mut Vec::new())).collect();
    let seen: Vec<_> = walks.iter().map(|w| (w.weight, w.nodes, w.plies, w.outcome)).collect();
    let expected = [
        (181_440.0, 260_650.0, 7, Outcome::FirstWins),
        (362_880.0, 986_410.0, 9, Outcome::FirstWins),
        (60_480.0, 79_210.0, 6, Outcome::SecondWins),
    ];
    assert_eq!(seen, expected);
    assert!(walks.iter().all(|walk| walk.exponent == 0));
}

fn batches_of(plan: &Plan, range: std::ops::Range<u64>, threads: usize) -> Vec<Batch> {
    let mut batches = Vec::new();
    let game = ConnectFour::new(7, 6).unwrap();
    let made = run_batches(&game, plan, range, threads, &Unwatched, |batch| {
        batches.push(batch);
        Ok::<(), Infallible>(())
    });
    assert_eq!(made.unwrap(), batches.len() as u64);
    batches
}

#[test]
fn batches_depend_on_the_seed_and_not_on_the_threads() {
    let plan = Plan::new(42, 3, 1000, 7).unwrap();
    let batches = batches_of(&plan, 0..21, 1);
    for threads in [2, 3, 8] {
        assert_eq!(batches_of(&plan, 0..21, threads), batches, "{threads} threads");
    }
    // A run that is resumed makes the same batches; numbers beyond the plan are not made.
    let mut resumed = batches_of(&plan, 0..5, 2);
    resumed.extend(batches_of(&plan, 5..999, 2));
    assert_eq!(resumed, batches);
    let other = Plan::new(43, 3, 1000, 7).unwrap();
    assert!(batches_of(&other, 0..21, 1).iter().zip(&batches).all(|(a, b)| a.w != b.w));
    assert!(batches.windows(2).all(|pair| pair[0].w != pair[1].w));
}

#[test]
fn trials_and_batches_share_out_every_game() {
    let plan = Plan::new(42, 3, 1000, 7).unwrap();
    let batches = batches_of(&plan, 0..21, 2);
    let numbers: Vec<(u64, u64, u64)> =
        batches.iter().map(|b| (b.index, b.trial, b.games)).collect();
    for (index, trial, games) in &numbers {
        assert_eq!((*trial, *games), (plan.trial_of(*index), plan.games_of(*index)));
        assert!([142, 143].contains(games));
    }
    for trial in 0..3 {
        let games = numbers.iter().filter(|(_, of, _)| *of == trial).map(|(_, _, games)| games);
        assert_eq!(games.sum::<u64>(), 1000);
    }
    assert_eq!((plan.total_batches(), plan.total_games()), (21, 3000));
    assert!(numbers.iter().map(|(index, _, _)| *index).eq(0..21));
}

#[test]
fn trials_are_the_estimates_of_their_own_batches() {
    let plan = Plan::new(9, 4, 500, 5).unwrap();
    let batches = batches_of(&plan, 0..20, 2);
    let summary = Summary::of(&batches, 0.95).unwrap();
    for (trial, value) in (0..).zip(&summary.gts.trials) {
        let own: Vec<Batch> = batches.iter().filter(|b| b.trial == trial).cloned().collect();
        let alone = Summary::of(&own, 0.95).unwrap();
        assert!(((*value / alone.gts.value).to_f64() - 1.0).abs() < 1e-13, "trial {trial}");
        let agl = summary.agl.trials[trial as usize];
        assert!((agl - alone.agl.value).abs() < 1e-12, "trial {trial}");
    }
}

#[test]
fn merging_groups_of_batches_changes_nothing_but_rounding() {
    let plan = Plan::new(10, 1, 4000, 16).unwrap();
    let batches = batches_of(&plan, 0..16, 2);
    let whole = Batch::merged(&batches).unwrap();
    let groups: Vec<Batch> = batches.chunks(5).map(|group| Batch::merged(group).unwrap()).collect();
    let regrouped = Batch::merged(&groups).unwrap();
    let counts = |b: &Batch| (b.games, b.plies, b.plies2, b.first, b.second, b.draws, b.scale);
    assert_eq!(counts(&regrouped), counts(&whole));
    let sums = |b: &Batch| [b.w, b.w2, b.wn, b.w2n, b.w2n2, b.w_first, b.w_draw, b.nodes, b.nodes2];
    for (a, b) in sums(&regrouped).into_iter().zip(sums(&whole)) {
        assert!((a / b - 1.0).abs() < 1e-14, "{a} is not {b}");
    }
    assert_eq!(regrouped.tail_from, whole.tail_from);
    let cells = |b: &Batch| -> Vec<_> { b.bins.iter().map(|c| (c.kind, c.bin, c.games)).collect() };
    assert_eq!(cells(&regrouped), cells(&whole));
}

/// Says stop once so many walks are made.
struct StopAfter {
    made: AtomicU64,
    limit: u64,
}

impl Progress for StopAfter {
    fn advance(&self, units: u64) {
        self.made.fetch_add(units, Ordering::Relaxed);
    }
    fn stopped(&self) -> bool {
        self.made.load(Ordering::Relaxed) >= self.limit
    }
}

#[test]
fn a_stopped_run_has_handed_out_whole_batches_without_a_gap() {
    let plan = Plan::new(42, 1, 40_000, 40).unwrap();
    let whole = batches_of(&plan, 0..40, 2);
    for threads in [1, 2, 4] {
        let progress = StopAfter { made: AtomicU64::new(0), limit: 20_000 };
        let mut batches = Vec::new();
        let game = ConnectFour::new(7, 6).unwrap();
        let made = run_batches(&game, &plan, 0..40, threads, &progress, |batch| {
            batches.push(batch);
            Ok::<(), Infallible>(())
        });
        assert_eq!(made.unwrap(), batches.len() as u64);
        assert!(batches.len() < 40, "{threads} threads");
        assert_eq!(batches, whole[..batches.len()], "{threads} threads");
        assert!(sample(&game, &plan, threads, &progress).is_none());
    }
}

#[test]
fn a_failing_receiver_ends_the_run_with_its_error() {
    let plan = Plan::new(42, 1, 4000, 40).unwrap();
    for threads in [1, 3] {
        let mut seen = 0;
        let result = run_batches(&TicTacToe, &plan, 0..40, threads, &Unwatched, |_| {
            seen += 1;
            if seen == 4 { Err("disk full") } else { Ok(()) }
        });
        assert!(matches!(result, Err(RunError::Sink("disk full"))), "{threads} threads");
        assert_eq!(seen, 4);
    }
}

#[test]
fn plans_with_nothing_to_do_are_refused() {
    assert_eq!(Plan::new(1, 0, 10, 1), Err(PlanError::NoTrials));
    assert_eq!(Plan::new(1, 1, 0, 1), Err(PlanError::NoGames));
    assert_eq!(Plan::new(1, 1, 10, 0), Err(PlanError::Batches { batches: 0, games: 10 }));
    let error = Plan::new(1, 1, 10, 11).unwrap_err();
    assert_eq!(error.to_string(), "batches 11: a trial of 10 games has from 1 to 10 batches");
    assert!(Plan::new(1, u64::MAX, u64::MAX, 1).is_err());
    let plan = Plan::new(1, 1, 10, 1).unwrap();
    let never = |_| Ok::<(), Infallible>(());
    let result = run_batches(&TicTacToe, &plan, 0..1, 0, &Unwatched, never);
    assert!(matches!(result, Err(RunError::NoThreads)));
}
