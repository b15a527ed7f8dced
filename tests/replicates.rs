//! Every method of estimation against exact counts, and the reproducibility of replicates.

#![allow(clippy::unwrap_used)]

use std::convert::Infallible;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use ludometer::game::{Game, Outcome, Progress, Scored, Unwatched};
use ludometer::games::connect_four::ConnectFour;
use ludometer::games::dots_and_boxes::DotsAndBoxes;
use ludometer::games::draughts::draw::{Adjudicated, DrawRule};
use ludometer::games::draughts::{B4, B6, Checkers, Duplicates};
use ludometer::games::go::Go;
use ludometer::games::hex::Hex;
use ludometer::games::othello::{Othello, Passes};
use ludometer::games::synthetic::{Comb, UniformTree};
use ludometer::games::tic_tac_toe::TicTacToe;
use ludometer::tree_size::{
    Method, PrefixError, Replicate, ReplicateError, ReplicateEstimate, ReplicatePlan,
    ReplicatePlanError, ReplicateSummary, ReplicateVerdict, RunError, Scaled, bounded, exact,
    run_replicates, sample_replicates, stream,
};

const OUTCOMES: [Outcome; 3] = [Outcome::FirstWins, Outcome::SecondWins, Outcome::Draw];

fn smc(threshold: f64) -> Method {
    Method::Smc { threshold }
}

fn twisted(pilots: u32) -> Method {
    Method::TwistedSmc { threshold: 0.9, pilots }
}

fn policy(temperature: f64, look_ahead: u32, margin: Option<f64>) -> Method {
    Method::Policy { temperature, look_ahead, margin }
}

fn sampled<G: Scored>(
    game: &G,
    method: Method,
    games: u64,
    count: u64,
    seed: u64,
) -> Vec<Replicate> {
    let plan = ReplicatePlan::new(method, games, count, seed).unwrap();
    sample_replicates(game, &plan, 2, &Unwatched).unwrap().unwrap()
}

fn within_four_errors(name: &str, estimate: f64, standard_error: Option<f64>, expected: f64) {
    // Without any spread nothing was drawn that matters.
    let allowed = 4.0 * standard_error.unwrap_or(0.0) + 1e-11 * expected;
    assert!(
        (estimate - expected).abs() <= allowed,
        "{name}: {estimate} +- {standard_error:?}, exact {expected}"
    );
}

/// Every estimate of 200 replicates of `games` walks or particles against the exact count.
fn agrees_with_exact<G: Scored>(name: &str, game: &G, method: Method, games: u64) {
    let exact = exact(game, 1_000_000, 2, &Unwatched).unwrap();
    let summary = ReplicateSummary::of(&sampled(game, method, games, 200, 1), 0.95).unwrap();
    let name = format!("{name}, {method}");
    let whole = |what: &str, estimate: &ReplicateEstimate<Scaled>, expected: u128| {
        let error = estimate.standard_error.map(Scaled::to_f64);
        let name = format!("{name} {what}");
        within_four_errors(&name, estimate.value.to_f64(), error, expected as f64);
    };
    whole("gts", &summary.gts, exact.total_games());
    whole("nodes", &summary.nodes, exact.total_nodes());
    let agl = &summary.agl;
    within_four_errors(&format!("{name} agl"), agl.value, agl.standard_error, exact.agl());
    let rates = [&summary.first_rate, &summary.second_rate, &summary.draw_rate];
    for (outcome, rate) in OUTCOMES.into_iter().zip(rates) {
        let name = format!("{name} {outcome:?}");
        within_four_errors(&name, rate.value, rate.standard_error, exact.rate(outcome));
    }
}

fn every_method_agrees<G: Scored>(name: &str, game: &G) {
    agrees_with_exact(name, game, Method::Uniform, 500);
    agrees_with_exact(name, game, Method::LeafRaoBlackwell, 500);
    for threshold in [0.0, 0.5, 0.9, 1.0] {
        agrees_with_exact(name, game, smc(threshold), 50);
    }
    agrees_with_exact(name, game, smc(0.9), 1000);
    agrees_with_exact(name, game, Method::Stratified { plies: 2 }, 500);
    for (particles, pilots) in [(50, 1), (50, 4), (1000, 2)] {
        agrees_with_exact(name, game, twisted(pilots), particles);
    }
    agrees_with_exact(name, game, policy(1.0, 0, None), 100);
    agrees_with_exact(name, game, policy(2.0, 1, None), 100);
}

/// Positions that move side by side against each alone, in groups of many sizes, to the end.
fn moves_side_by_side<G: Scored>(name: &str, game: &G) {
    let mut generator = stream(1, 0);
    let mut scratch = Vec::new();
    for group in 1..30 {
        let mut alone = vec![game.initial(); group];
        while !alone.is_empty() {
            let moves: Vec<u32> = alone
                .iter()
                .map(|position| {
                    let mobility = game.mobility(position, &mut scratch) as u64;
                    bounded(&mut generator, mobility) as u32
                })
                .collect();
            let mut together = alone.clone();
            let mut mobilities = vec![0; alone.len()];
            game.play_each(&mut together, &moves, &mut mobilities, &mut scratch);
            for (position, nth) in alone.iter_mut().zip(moves) {
                game.play_nth(position, nth as usize, &mut scratch);
            }
            assert!(together == alone, "{name}");
            let counts = alone.iter().map(|position| game.mobility(position, &mut scratch) as u32);
            assert!(counts.eq(mobilities), "{name}");
            alone.retain(|position| game.mobility(position, &mut scratch) > 0);
        }
    }
}

#[test]
fn positions_side_by_side_move_as_they_do_alone() {
    for (columns, rows) in [(7, 6), (8, 8), (4, 4), (1, 3), (8, 3)] {
        let game = ConnectFour::new(columns, rows).unwrap();
        moves_side_by_side(&format!("Connect Four {columns}x{rows}"), &game);
    }
    for size in [4, 6, 8] {
        moves_side_by_side(&format!("Othello {size}"), &Othello::new(size, Passes::Plies).unwrap());
    }
    moves_side_by_side("tic-tac-toe", &TicTacToe);
    let rule = DrawRule::parse("threefold+cap=60").unwrap();
    let game = Adjudicated::<Checkers, B4>::new(Duplicates::Drop, rule);
    moves_side_by_side("checkers 4x4", &game);
}

#[test]
fn moves_that_end_the_game_are_told_apart_from_the_others() {
    let mut generator = stream(2, 0);
    let mut scratch = Vec::new();
    for (columns, rows) in [(7, 6), (8, 8), (4, 4), (5, 5), (1, 8), (8, 1), (3, 3), (6, 4)] {
        let game = ConnectFour::new(columns, rows).unwrap();
        for _ in 0..200 {
            let mut position = game.initial();
            loop {
                // By playing every move.
                let (mut ends, mut others) = ([0; 3], Vec::new());
                for nth in 0..game.mobility(&position, &mut scratch) {
                    let mut after = position;
                    game.play_nth(&mut after, nth, &mut scratch);
                    match game.mobility(&after, &mut scratch) {
                        0 => ends[game.outcome(&after) as usize] += 1,
                        _ => others.push(after),
                    }
                }
                let mut told = [0; 3];
                let open = game.open_moves(&position, &mut scratch, &mut told);
                assert_eq!((open, told), (others.len(), ends), "{columns}x{rows}");
                for (nth, after) in others.iter().enumerate() {
                    let mut played = position;
                    game.play_open(&mut played, nth, &mut scratch);
                    assert_eq!(played, *after, "{columns}x{rows}");
                }
                if others.is_empty() {
                    break;
                }
                position = others[bounded(&mut generator, others.len() as u64) as usize];
            }
        }
    }
}

#[test]
fn every_method_agrees_with_exact_counts_within_4_standard_errors() {
    every_method_agrees("tic-tac-toe", &TicTacToe);
    every_method_agrees("Connect Four 4x4", &ConnectFour::new(4, 4).unwrap());
    every_method_agrees("Connect Four 4x3", &ConnectFour::new(4, 3).unwrap());
    every_method_agrees("Connect Four 3x6", &ConnectFour::new(3, 6).unwrap());
    every_method_agrees("Othello 4x4", &Othello::new(4, Passes::Skipped).unwrap());
    every_method_agrees("Othello 4x4, passes", &Othello::new(4, Passes::Plies).unwrap());
    every_method_agrees("Hex 3x3", &Hex::new(3).unwrap());
    every_method_agrees("Dots and Boxes 2x1", &DotsAndBoxes::new(2, 1).unwrap());
    every_method_agrees("Go 3x1", &Go::new(3, 1).unwrap());
    every_method_agrees("comb", &Comb::new(3, 12).unwrap());
    every_method_agrees("uniform tree", &UniformTree::new(4, 9).unwrap());
}

/// The games below `position` in which every move is worth at most `margin` less than the best.
fn sensible_games<G: Scored>(
    game: &G,
    position: &G::Position,
    look_ahead: u32,
    margin: f64,
) -> (u64, u64) {
    let mut moves = Vec::new();
    game.legal_moves(position, &mut moves);
    if moves.is_empty() {
        return (1, u64::from(game.outcome(position) == Outcome::FirstWins));
    }
    let after: Vec<G::Position> = moves
        .into_iter()
        .map(|mv| {
            let mut after = position.clone();
            game.play(&mut after, mv);
            after
        })
        .collect();
    let sign = if game.first_moves(position) { 1.0 } else { -1.0 };
    let values: Vec<f64> =
        after.iter().map(|after| sign * minimax(game, after, look_ahead)).collect();
    let best = values.iter().copied().fold(-1.0, f64::max);
    after
        .iter()
        .zip(values)
        .filter(|(_, value)| *value >= best - margin)
        .map(|(after, _)| sensible_games(game, after, look_ahead, margin))
        .fold((0, 0), |sum, more| (sum.0 + more.0, sum.1 + more.1))
}

/// The value to the first player of the best play of `plies` plies.
fn minimax<G: Scored>(game: &G, position: &G::Position, plies: u32) -> f64 {
    let mut moves = Vec::new();
    game.legal_moves(position, &mut moves);
    if moves.is_empty() {
        return match game.outcome(position) {
            Outcome::FirstWins => 1.0,
            Outcome::SecondWins => -1.0,
            Outcome::Draw => 0.0,
        };
    }
    if plies == 0 {
        return game.evaluate(position);
    }
    let values = moves.into_iter().map(|mv| {
        let mut after = position.clone();
        game.play(&mut after, mv);
        minimax(game, &after, plies - 1)
    });
    let least = if game.first_moves(position) { f64::max } else { f64::min };
    values.reduce(least).unwrap()
}

#[test]
fn sensible_games_are_those_within_the_margin_of_the_best_move() {
    fn agrees<G: Scored>(name: &str, game: &G, look_ahead: u32, margin: f64) -> u64 {
        let (games, first) = sensible_games(game, &game.initial(), look_ahead, margin);
        let smc = |threshold| Method::SensibleSmc { threshold, look_ahead, margin };
        let policy = |temperature| policy(temperature, look_ahead, Some(margin));
        for method in [policy(0.5), policy(5.0), smc(0.5), smc(1.0)] {
            let name = format!("{name}, {method}");
            let summary = ReplicateSummary::of(&sampled(game, method, 200, 200, 3), 0.95).unwrap();
            let error = summary.gts.standard_error.map(Scaled::to_f64);
            within_four_errors(&name, summary.gts.value.to_f64(), error, games as f64);
            let first = first as f64 / games as f64;
            let rate = &summary.first_rate;
            within_four_errors(&name, rate.value, rate.standard_error, first);
        }
        games
    }
    let tic_tac_toe = [(0, 0.0), (0, 0.2), (1, 0.0), (1, 0.3), (2, 0.5), (0, 2.0)]
        .map(|(look_ahead, margin)| agrees("tic-tac-toe", &TicTacToe, look_ahead, margin));
    assert!(tic_tac_toe[..5].iter().all(|games| (1..255_168).contains(games)), "{tic_tac_toe:?}");
    assert_eq!(tic_tac_toe[5], 255_168);
    let connect_four = ConnectFour::new(4, 3).unwrap();
    let othello = Othello::new(4, Passes::Plies).unwrap();
    for (look_ahead, margin) in [(0, 0.05), (1, 0.1)] {
        agrees("Connect Four 4x3", &connect_four, look_ahead, margin);
        agrees("Othello 4x4", &othello, look_ahead, margin);
        agrees("Hex 3x3", &Hex::new(3).unwrap(), look_ahead, margin);
        agrees("boxes 2x1", &DotsAndBoxes::new(2, 1).unwrap(), look_ahead, margin);
    }
    let rule = DrawRule::parse("threefold+cap=16").unwrap();
    let checkers = Adjudicated::<Checkers, B4>::new(Duplicates::Drop, rule);
    agrees("checkers 4x4", &checkers, 2, 0.1);
}

#[test]
fn games_with_a_history_agree_with_exact_counts() {
    let rule = DrawRule::parse("threefold+cap=16").unwrap();
    let game = Adjudicated::<Checkers, B4>::new(Duplicates::Drop, rule);
    every_method_agrees("checkers 4x4", &game);
}

#[test]
fn large_connect_four_boards_agree_with_published_counts() {
    // Columns, rows, games, agl. Source: an independent forward dynamic programme.
    let known = [
        (5, 4, 152_505_051_772.0, 19.356975311030),
        (5, 5, 122_331_779_437_450.0, 24.202738634923),
    ];
    for (columns, rows, gts, agl) in known {
        let game = ConnectFour::new(columns, rows).unwrap();
        for (method, games) in [(smc(0.9), 512), (Method::LeafRaoBlackwell, 2000)] {
            let name = format!("{columns}x{rows}, {method}");
            let summary =
                ReplicateSummary::of(&sampled(&game, method, games, 100, 3), 0.95).unwrap();
            let error = summary.gts.standard_error.map(Scaled::to_f64);
            within_four_errors(&name, summary.gts.value.to_f64(), error, gts);
            within_four_errors(&name, summary.agl.value, summary.agl.standard_error, agl);
            assert!(summary.relative_error.unwrap() < 0.02, "{name}");
        }
    }
}

#[test]
fn sequential_monte_carlo_is_unbiased_over_10000_short_replicates() {
    fn unbiased<G: Scored>(name: &str, game: &G, gts: f64, threshold: f64, count: u64) {
        let summary =
            ReplicateSummary::of(&sampled(game, smc(threshold), 16, count, 5), 0.95).unwrap();
        let error = summary.relative_error.unwrap();
        let off = summary.gts.value.to_f64() / gts - 1.0;
        assert!(error < 0.005, "{name}, threshold {threshold}: relative error {error}");
        assert!(off.abs() < 4.0 * error, "{name}, threshold {threshold}: off by {off} +- {error}");
    }
    for threshold in [0.3, 0.9, 1.0] {
        unbiased("tic-tac-toe", &TicTacToe, 255_168.0, threshold, 10_000);
        let game = ConnectFour::new(4, 4).unwrap();
        unbiased("Connect Four 4x4", &game, 47_982_540.0, threshold, 20_000);
        let game = Othello::new(4, Passes::Skipped).unwrap();
        unbiased("Othello 4x4", &game, 60_060.0, threshold, 20_000);
    }
}

#[test]
fn populations_that_know_their_classes_are_unbiased_over_10000_short_replicates() {
    let rule = DrawRule::parse("threefold+cap=12").unwrap();
    let game = Adjudicated::<Checkers, B4>::new(Duplicates::Drop, rule);
    let gts = exact(&game, 1_000_000, 2, &Unwatched).unwrap().total_games() as f64;
    for pilots in [1, 3] {
        let replicates = sampled(&game, twisted(pilots), 16, 20_000, 5);
        let summary = ReplicateSummary::of(&replicates, 0.95).unwrap();
        let error = summary.relative_error.unwrap();
        let off = summary.gts.value.to_f64() / gts - 1.0;
        assert!(error < 0.01, "{pilots}: relative error {error}");
        assert!(off.abs() < 4.0 * error, "{pilots}: off by {off} +- {error}");
    }
}

#[test]
fn classes_keep_populations_together_through_long_games_of_kings() {
    let rule = DrawRule::parse("english+cap=200").unwrap();
    let game = Adjudicated::<Checkers, B6>::new(Duplicates::Drop, rule);
    // The standard deviation of the logarithms, which no single large replicate rules.
    let spread = |method| {
        let sizes: Vec<f64> =
            sampled(&game, method, 8192, 24, 2).iter().map(|one| one.z.log10()).collect();
        let mean = sizes.iter().sum::<f64>() / 24.0;
        (sizes.iter().map(|size| (size - mean).powi(2)).sum::<f64>() / 23.0).sqrt()
    };
    let (plain, informed) = (spread(smc(0.9)), spread(twisted(4)));
    assert!(informed < plain / 1.25, "{informed} and {plain}");
}

#[test]
fn a_population_as_large_as_every_ply_counts_the_tree() {
    for one in sampled(&TicTacToe, smc(0.9), 200_448, 2, 1) {
        let counts = [one.z, one.zn, one.first, one.second, one.draws, one.nodes];
        let expected = [255_168.0, 2_106_288.0, 131_184.0, 77_904.0, 46_080.0, 549_946.0];
        for (count, expected) in counts.into_iter().zip(expected) {
            assert!((count.to_f64() / expected - 1.0).abs() < 1e-12, "{count} is not {expected}");
        }
        assert_eq!(one.resamplings, 0);
    }
}

#[test]
fn a_prefix_as_long_as_the_game_counts_the_tree() {
    let one = sampled(&TicTacToe, Method::Stratified { plies: 9 }, 1, 1, 1)[0];
    let counts = [one.z, one.zn, one.first, one.second, one.draws, one.nodes].map(Scaled::to_f64);
    assert_eq!(counts, [255_168.0, 2_106_288.0, 131_184.0, 77_904.0, 46_080.0, 549_946.0]);
}

#[test]
fn counting_the_moves_that_end_the_game_leaves_a_comb_without_variance() {
    let game = Comb::new(3, 12).unwrap();
    for one in sampled(&game, Method::LeafRaoBlackwell, 1, 5, 1) {
        assert_eq!(one.z.to_f64(), game.known().leaves.unwrap() as f64);
    }
}

#[test]
fn resampling_and_counting_leaves_lower_the_variance() {
    let game = ConnectFour::new(5, 5).unwrap();
    let variance = |method| {
        let replicates = sampled(&game, method, 1024, 300, 2);
        ReplicateSummary::of(&replicates, 0.95).unwrap().relative_variance.unwrap()
    };
    // Exact: 20.874203709975 over the number of walks.
    let uniform = variance(Method::Uniform);
    assert!((uniform * 1024.0 / 20.874_203_709_975 - 1.0).abs() < 0.4, "{}", uniform * 1024.0);
    assert!(variance(Method::LeafRaoBlackwell) < uniform / 1.5);
    assert!(variance(smc(0.9)) < uniform / 1.8);
    // A population that never resamples is a sample of walks.
    let never = variance(smc(0.0));
    assert!((0.5..1.3).contains(&(never / uniform)), "{never} and {uniform}");
}

#[test]
fn trees_beyond_the_range_of_f64_are_measured_by_every_method() {
    // 23^3000, more than 10^4000; the nodes are 23/22 of the leaves.
    let game = UniformTree::new(23, 3000).unwrap();
    let expected = 3000.0 * 23f64.log10();
    let methods = [
        Method::Uniform,
        Method::LeafRaoBlackwell,
        smc(0.0),
        smc(0.9),
        Method::Stratified { plies: 1 },
        policy(1e18, 0, None),
        twisted(1),
    ];
    for method in methods {
        let summary = ReplicateSummary::of(&sampled(&game, method, 64, 3, 1), 0.95).unwrap();
        let log10 = summary.gts.value.log10();
        assert!((log10 - expected).abs() < 1e-10, "{method}: {log10}");
        let nodes = (summary.nodes.value / summary.gts.value).to_f64();
        assert!((nodes - 23.0 / 22.0).abs() < 1e-11, "{method}: {nodes}");
        assert!((summary.agl.value - 3000.0).abs() < 1e-6, "{method}: {}", summary.agl.value);
    }
    // Shares of wins far below 1 beside a tree beyond f64.
    let game = Comb::new(17, 500).unwrap();
    let known = game.known();
    for method in [Method::Uniform, smc(0.9)] {
        let summary = ReplicateSummary::of(&sampled(&game, method, 2000, 30, 1), 0.95).unwrap();
        let off = summary.gts.value.log10() - known.log10_leaves;
        // The relative variance of one walk is infinite for practical purposes.
        assert!(method == Method::Uniform || off.abs() < 0.01, "{method}: {off}");
    }
}

fn replicates_of(
    method: Method,
    range: Range<u64>,
    threads: usize,
    progress: &dyn Progress,
) -> Vec<Replicate> {
    let plan = ReplicatePlan::new(method, 1000, 12, 42).unwrap();
    let game = ConnectFour::new(7, 6).unwrap();
    let mut replicates = Vec::new();
    let made = run_replicates(&game, &plan, range, threads, progress, |one| {
        replicates.push(one);
        Ok::<(), Infallible>(())
    });
    assert_eq!(made.unwrap(), replicates.len() as u64);
    replicates
}

const METHODS: [Method; 6] = [
    Method::Uniform,
    Method::LeafRaoBlackwell,
    Method::Smc { threshold: 0.9 },
    Method::TwistedSmc { threshold: 0.9, pilots: 2 },
    Method::Stratified { plies: 2 },
    Method::Policy { temperature: 1.0, look_ahead: 0, margin: None },
];

#[test]
fn replicates_depend_on_the_seed_and_not_on_the_threads() {
    for method in METHODS {
        let replicates = replicates_of(method, 0..12, 1, &Unwatched);
        assert!(replicates.iter().map(|one| one.index).eq(0..12));
        assert!(replicates.windows(2).all(|pair| pair[0].z != pair[1].z), "{method}");
        for threads in [2, 3] {
            let again = replicates_of(method, 0..12, threads, &Unwatched);
            assert_eq!(again, replicates, "{method}, {threads} threads");
        }
        // A run that is resumed makes the same; numbers beyond the plan are not made.
        let mut resumed = replicates_of(method, 0..5, 2, &Unwatched);
        resumed.extend(replicates_of(method, 5..999, 2, &Unwatched));
        assert_eq!(resumed, replicates, "{method}");
    }
}

/// Says stop once so many walks or particles are made.
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
fn a_stopped_run_has_handed_out_whole_replicates_without_a_gap() {
    for method in METHODS {
        let whole = replicates_of(method, 0..12, 2, &Unwatched);
        for threads in [1, 2] {
            let progress = StopAfter { made: AtomicU64::new(0), limit: 5000 };
            let made = replicates_of(method, 0..12, threads, &progress);
            assert!(made.len() < 12, "{method}, {threads} threads");
            assert_eq!(made, whole[..made.len()], "{method}, {threads} threads");
        }
    }
}

#[test]
fn plans_and_prefixes_that_make_no_sense_are_refused() {
    let refused = |method, games, count| ReplicatePlan::new(method, games, count, 1).unwrap_err();
    let none = ReplicatePlanError::Replicates { replicates: 0 };
    assert_eq!(refused(Method::Uniform, 10, 0), none);
    let error = refused(Method::Uniform, 10, u64::MAX).to_string();
    assert_eq!(error, "replicates 18446744073709551615 (allowed: 1 to 100000)");
    assert_eq!(refused(Method::Uniform, 0, 1), ReplicatePlanError::Games { games: 0 });
    assert_eq!(refused(smc(0.5), 0, 1).to_string(), "particles 0 (allowed: 1 to 16777216)");
    assert_eq!(refused(smc(1.5), 9, 1).to_string(), "threshold 1.5 (allowed: 0 to 1)");
    assert_eq!(refused(smc(f64::NAN), 9, 1).to_string(), "threshold NaN (allowed: 0 to 1)");
    let wrong = [
        (twisted(0), "pilots 0 (allowed: 1 to 100)"),
        (Method::TwistedSmc { threshold: 2.0, pilots: 1 }, "threshold 2 (allowed: 0 to 1)"),
        (Method::Stratified { plies: 0 }, "prefix 0 (allowed: 1 or more plies)"),
        (
            policy(0.0, 0, None),
            "temperature 0 (allowed: 0.5 or more; with a margin a quarter of it or more)",
        ),
        (
            policy(f64::INFINITY, 0, None),
            "temperature inf (allowed: 0.5 or more; with a margin a quarter of it or more)",
        ),
        (
            Method::SensibleSmc { threshold: 0.9, look_ahead: 0, margin: 2.5 },
            "margin 2.5 (allowed: 0 to 2)",
        ),
        (policy(1.0, 5, None), "look_ahead 5 (allowed: 0 to 4 plies)"),
        (policy(1.0, 0, Some(-0.1)), "margin -0.1 (allowed: 0 to 2)"),
        (policy(1.0, 0, Some(f64::NAN)), "margin NaN (allowed: 0 to 2)"),
    ];
    for (method, problem) in wrong {
        assert_eq!(refused(method, 9, 1).to_string(), problem);
    }
    let prefix = |plies, games| {
        let plan = ReplicatePlan::new(Method::Stratified { plies }, games, 1, 1).unwrap();
        let game = ConnectFour::new(7, 6).unwrap();
        sample_replicates(&game, &plan, 1, &Unwatched).unwrap_err()
    };
    assert_eq!(prefix(12, 100), PrefixError::TooLarge { plies: 12 });
    assert_eq!(prefix(2, 10), PrefixError::TooFewWalks { plies: 2, strata: 49, games: 10 });
    let plan = ReplicatePlan::new(Method::Uniform, 10, 1, 1).unwrap();
    let never = |_| Ok::<(), Infallible>(());
    let result = run_replicates(&TicTacToe, &plan, 0..1, 0, &Unwatched, never);
    assert!(matches!(result, Err(ReplicateError::Run(RunError::NoThreads))));
}

#[test]
fn methods_are_read_back_by_name() {
    for method in Method::ALL {
        assert_eq!(method.name().parse(), Ok(method));
    }
    let error = "magic".parse::<Method>().unwrap_err();
    assert_eq!(
        error,
        "'magic' is unknown (allowed: uniform, leaf-rao-blackwell, smc, twisted-smc, \
         stratified, policy, sensible-smc)"
    );
}

/// What counts every game of `game` says so, and has its estimates right to the last digit.
fn is_exact<G: Scored>(game: &G, method: Method, games: u64, replicates: u64) {
    let exact = exact(game, 1_000_000, 2, &Unwatched).unwrap();
    let whole = ReplicateSummary::of(&sampled(game, method, games, replicates, 1), 0.95).unwrap();
    assert_eq!(whole.verdict, ReplicateVerdict::Exact, "{method}");
    assert_eq!(whole.gts.value, Scaled::from(exact.total_games()), "{method}");
    assert_eq!(whole.nodes.value, Scaled::from(exact.total_nodes()), "{method}");
    assert_eq!(whole.gts.interval, Some((whole.gts.value, whole.gts.value)), "{method}");
    assert_eq!(whole.agl.value, exact.agl(), "{method}");
    assert_eq!(whole.agl.standard_error, Some(0.0), "{method}");
    assert_eq!(whole.draw_rate.value, exact.rate(Outcome::Draw), "{method}");
}

#[test]
fn what_counts_every_game_is_exact_and_what_draws_one_move_is_not() {
    // The eighth ply has the most nodes: 9! less those below games that have ended before.
    let (game, widest) = (TicTacToe, 200_448);
    for method in [smc(0.9), twisted(1)] {
        is_exact(&game, method, widest, 1);
        is_exact(&Comb::new(2, 12).unwrap(), method, 2, 3);
    }
    is_exact(&game, Method::Stratified { plies: 9 }, 1, 2);
    let drawn = sampled(&game, smc(0.9), widest - 1, 1, 1);
    assert!(!drawn[0].is_exact() && drawn[0].least_ess == (widest - 1) as f64);
    let drawn = sampled(&game, Method::Stratified { plies: 8 }, 50_000, 1, 1);
    assert!(!drawn[0].is_exact());
    for method in [Method::Uniform, Method::LeafRaoBlackwell, policy(1.0, 0, None)] {
        assert!(!sampled(&game, method, 100, 1, 1)[0].is_exact());
    }
}

#[test]
fn a_prefix_of_more_nodes_than_a_number_can_tell_is_refused() {
    for (depth, plies) in [(402, 400), (400, 400)] {
        let game = UniformTree::new(10, depth).unwrap();
        let plan = ReplicatePlan::new(Method::Stratified { plies }, 10, 30, 1).unwrap();
        let refused = sample_replicates(&game, &plan, 1, &Unwatched);
        assert_eq!(refused, Err(PrefixError::TooManyNodes { plies }));
    }
}
