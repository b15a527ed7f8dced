//! Self-play: the same bytes on any number of threads, after interrupts and kills; games that follow the
//! rules to the end they claim.
#![allow(clippy::unwrap_used)]

mod lab;

use std::time::Duration;

use lab::Lab;
use ludometer::engine::{Weights, drawish};
use ludometer::game::{Game, Unwatched};
use ludometer::games::draughts::draw::{Adjudicated, DrawRule, Drawn};
use ludometer::games::draughts::{
    B6, B8, B10, B12, Board, Checkers, Draughts, Duplicates, International, Rules, Side, Word,
};
use ludometer::pdn::{GameResult, Record, Termination};
use ludometer::self_play::{Description, Ending, Judgement, Knowledge, SelfPlay, play};
use ludometer::stream::stream;

const POSITIONAL: Judgement = Judgement::Positional(Weights::DEFAULT);

fn self_play<R: Rules, B: Board>(depth: u32) -> SelfPlay<R, B> {
    SelfPlay {
        game: Adjudicated::new(Duplicates::Drop, DrawRule::of::<R>()),
        id: format!("{}-{}", R::NAME, B::N),
        seed: 5,
        depth,
        judgement: POSITIONAL,
        knowledge: Knowledge::none(),
        ending: Ending::default(),
    }
}

fn texts<R: Rules, B: Board>(
    plan: &SelfPlay<R, B>,
    range: std::ops::Range<u64>,
    threads: usize,
) -> Vec<String> {
    let mut texts = Vec::new();
    let played = plan.run(range.clone(), threads, &Unwatched, |game| {
        texts.push(game.text);
        Ok::<(), std::convert::Infallible>(())
    });
    assert_eq!(played.unwrap(), range.end - range.start);
    texts
}

#[test]
fn games_are_the_same_on_any_number_of_threads_and_from_any_start() {
    for depth in 0..3 {
        let plan = self_play::<International, B8>(depth);
        let alone = texts(&plan, 0..12, 1);
        for threads in [2, 3] {
            assert_eq!(texts(&plan, 0..12, threads), alone, "depth {depth}, {threads} threads");
        }
        assert_eq!(texts(&plan, 7..12, 2), alone[7..]);
        for (index, text) in alone.iter().enumerate() {
            assert!(text.starts_with(&plan.head(index as u64)), "{text}");
        }
    }
}

fn moves_of(text: &str) -> &str {
    text.split_once("\n\n").unwrap().1
}

#[test]
fn games_of_other_numbers_depths_and_seeds_differ() {
    let plan = self_play::<International, B10>(1);
    let mut moves: Vec<String> =
        texts(&plan, 0..40, 2).iter().map(|text| moves_of(text).to_owned()).collect();
    let other_seed = SelfPlay { seed: 6, ..self_play::<International, B10>(1) };
    moves.extend(texts(&other_seed, 0..40, 2).iter().map(|text| moves_of(text).to_owned()));
    let deeper = self_play::<International, B10>(2);
    moves.extend(texts(&deeper, 0..40, 2).iter().map(|text| moves_of(text).to_owned()));
    moves.sort_unstable();
    moves.dedup();
    assert_eq!(moves.len(), 120);
}

/// Plays a game again by its record and holds it to its result.
fn replays<R: Rules, B: Board>(
    game: &Adjudicated<R, B>,
    record: &Record<B>,
    ending: Ending,
    at: &str,
) {
    let mut played = game.initial();
    let mut moves = Vec::new();
    let pieces = |played: &ludometer::games::draughts::draw::Played<B>| {
        let position = played.position();
        (position.pieces(Side::White) | position.pieces(Side::Black)).count()
    };
    for mv in &record.moves {
        game.legal_moves(&played, &mut moves);
        assert!(moves.contains(mv), "{at}: {mv:?}");
        assert!(ending.stop_at_pieces.is_none_or(|most| pieces(&played) > most), "{at}");
        game.play(&mut played, *mv);
    }
    let stuck = game.rules().mobility(played.position(), &mut moves) == 0;
    let termination = record.termination.clone().unwrap();
    let expected = match &termination {
        Termination::NoMoves => {
            assert!(stuck, "{at}");
            GameResult::Won(played.position().side().other())
        }
        Termination::Other(text) => {
            let most = ending.stop_at_pieces.unwrap();
            assert_eq!(*text, format!("{most} pieces left"));
            assert!(pieces(&played) <= most, "{at}");
            GameResult::Unfinished
        }
        Termination::DrawishMaterial => {
            assert!(drawish::<R, B>(played.position()) && !stuck, "{at}");
            GameResult::Draw
        }
        drawn => {
            let drawn_by = match played.drawn().unwrap() {
                Drawn::Repetition => Termination::Repetition,
                Drawn::QuietKings => Termination::QuietKings,
                Drawn::LoneKing => Termination::LoneKing,
                Drawn::PlyCap => Termination::PlyCap,
            };
            assert_eq!(*drawn, drawn_by, "{at}");
            GameResult::Draw
        }
    };
    assert_eq!(record.result, expected, "{at}: {termination:?}");
}

fn games_replay<R: Rules, B: Board>(depth: u32, games: u64, rule: &str, ending: Ending) {
    let game = Adjudicated::<R, B>::new(Duplicates::Drop, DrawRule::parse(rule).unwrap());
    let describe = Description::depth(depth, POSITIONAL);
    let mut players = vec![describe.player::<R, B>(game.rule(), |_| Box::new(Unwatched), None)];
    let mut unended = 0;
    for index in 0..games {
        let mut generator = stream(9, index);
        let random = Some(&mut generator);
        let at = format!("{} {} depth {depth} game {index}", R::NAME, B::N);
        let played = play(&game, &[], &mut players, [0, 0], ending, random, &Unwatched).unwrap();
        assert!(!played.record.moves.is_empty());
        replays(&game, &played.record, ending, &at);
        unended += u64::from(played.record.result == GameResult::Unfinished);
    }
    assert_eq!(unended > 0, ending.stop_at_pieces.is_some());
}

#[test]
fn every_game_replays_to_the_end_it_claims() {
    let whole = Ending::default();
    games_replay::<Checkers, B6>(2, 60, "english", whole);
    games_replay::<Checkers, B8>(1, 30, "english+cap=90", whole);
    games_replay::<International, B6>(2, 60, "fmjd", whole);
    games_replay::<International, B8>(1, 40, "fmjd", whole);
    games_replay::<International, B10>(1, 20, "fmjd", whole);
    games_replay::<International, B12>(0, 20, "fmjd+cap=150", whole);
    games_replay::<International, B8>(1, 20, "fmjd", Ending { stop_at_pieces: Some(10) });
}

#[test]
fn depth_0_makes_uniformly_random_moves() {
    let game =
        Adjudicated::<International, B10>::new(Duplicates::Drop, DrawRule::parse("cap=2").unwrap());
    let describe = Description::depth(0, POSITIONAL);
    let mut players = vec![describe.player(game.rule(), |_| Box::new(Unwatched), None)];
    let mut counts = std::collections::HashMap::new();
    for index in 0..8100 {
        let mut generator = stream(2, index);
        let random = Some(&mut generator);
        let ending = Ending::default();
        let played = play(&game, &[], &mut players, [0, 0], ending, random, &Unwatched).unwrap();
        assert_eq!(played.record.termination, Some(Termination::PlyCap));
        *counts.entry(played.record.moves).or_insert(0u32) += 1;
    }
    // 81 pairs of moves, 100 games each; chi-square with 80 degrees of freedom passes 124.8 once in a
    // thousand.
    assert_eq!(counts.len(), 81);
    let chi: f64 = counts.values().map(|n| (f64::from(*n) - 100.0).powi(2) / 100.0).sum();
    assert!(chi < 124.8, "chi-square {chi}");
}

/// Interrupts a run again and again until one gets through; the file is then as if nothing had happened.
fn interrupted_runs_end_in_the_same_bytes(signal: &str, options: &str, file: &str) {
    let lab = Lab::empty();
    let games = format!("selfplay draughts-8 --depth 3 --games 60 --seed 3 {options}");
    lab.done(&format!("{games} --out whole --threads 2"));
    let mut interrupted = 0;
    for attempt in 0.. {
        assert!(attempt < 200, "the run never ends");
        let at_work = || {
            std::thread::sleep(Duration::from_millis(60 + 40 * attempt));
            true
        };
        let cut = lab.stopped(&format!("{games} --out cut --threads 1"), signal, at_work);
        if cut.code == Some(0) {
            break;
        }
        interrupted += 1;
    }
    assert!(interrupted > 0, "no run was interrupted");
    let [whole, cut] = ["whole", "cut"].map(|out| std::fs::read(lab.path(out).join(file)).unwrap());
    assert!(cut == whole, "{interrupted} interrupts left other bytes");
}

#[test]
fn killed_runs_end_in_the_same_bytes() {
    interrupted_runs_end_in_the_same_bytes("-KILL", "", "draughts-8-depth-3.pdn");
}

#[test]
fn interrupted_compressed_runs_end_in_the_same_bytes() {
    interrupted_runs_end_in_the_same_bytes("-INT", "--compress", "draughts-8-depth-3.pdn.zst");
}

#[test]
fn a_compressed_file_holds_the_same_games() {
    let lab = Lab::empty();
    for compress in ["", "--compress"] {
        let games = "selfplay checkers-6 --depth 0..2 --games 20 --out games";
        lab.done(&format!("{games} {compress}"));
    }
    for depth in 0..=2 {
        let file = lab.path(&format!("games/checkers-6-depth-{depth}.pdn"));
        let plain = std::fs::read(&file).unwrap();
        let frames = std::fs::read(file.with_extension("pdn.zst")).unwrap();
        assert!(frames.len() < plain.len() / 2);
        assert_eq!(zstd::stream::decode_all(frames.as_slice()).unwrap(), plain);
    }
}

#[test]
fn files_of_other_parameters_are_refused_and_left_alone() {
    let lab = Lab::empty();
    let games = "selfplay draughts-6 --depth 1 --out games";
    lab.done(&format!("{games} --games 5"));
    let file = lab.path("games/draughts-6-depth-1.pdn");
    let before = std::fs::read(&file).unwrap();
    for (options, word) in [
        ("--games 5 --seed 2", "Seed"),
        ("--games 5 --evaluation material", "evaluation=positional"),
        ("--games 5 --stop-at-pieces 5", "StopAtPieces"),
        ("--games 4", "5 games"),
    ] {
        let other = lab.run(&format!("{games} {options}"));
        other.failed(2, &[word, "draughts-6-depth-1.pdn"]);
        assert_eq!(std::fs::read(&file).unwrap(), before, "{options}");
    }
    for wrong in [
        "othello --depth 1",
        "draughts-6 --depth 3..1",
        "draughts-6 --depth 13",
        "draughts-6 --depth 1 --draw-rule lone-king=9/9",
    ] {
        lab.run(&format!("selfplay {wrong} --games 1 --out games")).refused(2, &[]);
    }
}

#[test]
fn a_player_that_cannot_play_on_ends_the_game_with_its_words() {
    use ludometer::self_play::{Choice, Player, PlayerError};
    struct Resigns;
    impl Player<Checkers, B8> for Resigns {
        fn choose(
            &mut self,
            _: &ludometer::games::draughts::draw::Played<B8>,
            _: &[ludometer::games::draughts::Move<B8>],
            _: Option<&mut rand_xoshiro::Xoshiro256PlusPlus>,
            _: &dyn ludometer::game::Progress,
        ) -> Result<Choice<B8>, PlayerError> {
            Err(PlayerError::Failed("gone".into()))
        }
        fn glance(&mut self, _: &ludometer::games::draughts::draw::Played<B8>) -> Option<i32> {
            None
        }
    }
    let game = Adjudicated::<Checkers, B8>::new(Duplicates::Drop, DrawRule::ENGLISH);
    let mut players: Vec<Box<dyn Player<Checkers, B8>>> = vec![Box::new(Resigns)];
    let played = play(&game, &[], &mut players, [0, 0], Ending::default(), None, &Unwatched);
    assert_eq!(played.unwrap_err(), PlayerError::Failed("gone".into()));
    assert_eq!(Draughts::<Checkers, B8>::start().side(), Side::Black);
}
