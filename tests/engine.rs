//! The search against plain minimax on random positions of every game, and positions with known
//! answers.
//!
//! The minimax here shares with the engine the rules, the evaluation and the numbers it adds to it,
//! and nothing else: no windows, no table, no ordering, and draws found by looking through the whole
//! game.
#![allow(clippy::unwrap_used)]

mod effort;

use effort::{Effort, effort, report};
use ludometer::engine::key::{after, key};
use ludometer::engine::{
    Engine, Evaluation, Found, Limits, MATE, Material, Positional, Settings, Variety, noise,
};
use ludometer::game::{Game, Notation, Progress, Unwatched};
use ludometer::games::draughts::draw::{Adjudicated, DrawRule, Played};
use ludometer::games::draughts::{
    B6, B8, B10, B12, B14, Board, Checkers, Draughts, Duplicates, International, Move, Position,
    Rules, Side, Word,
};
use ludometer::stream::{bounded, stream};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::Rng;

/// One ply of a game: the position before it, whether a king made it without a capture, and whether
/// it changed the material by a capture or a promotion.
#[derive(Clone, Copy)]
struct Ply<B: Board> {
    before: Position<B>,
    quiet_king: bool,
    new_material: bool,
}

/// A game as a plain list of plies.
#[derive(Clone)]
struct Record<B: Board> {
    plies: Vec<Ply<B>>,
    now: Position<B>,
}

impl<B: Board> Record<B> {
    fn play<R: Rules>(&mut self, game: &Draughts<R, B>, mv: Move<B>) {
        let before = self.now;
        game.play(&mut self.now, mv);
        let king = |p: &Position<B>, bit: u8| {
            !(p.kings(before.side()) & B::Word::bit(u32::from(bit))).is_empty()
        };
        let captured = !mv.captured.is_empty();
        let was_king = king(&before, mv.from);
        self.plies.push(Ply {
            before,
            quiet_king: was_king && !captured,
            new_material: captured || was_king != king(&self.now, mv.to),
        });
    }

    fn run(&self) -> usize {
        self.plies.iter().rev().take_while(|ply| ply.quiet_king).count()
    }

    fn repeated(&self) -> bool {
        let run = self.run();
        self.plies.iter().rev().take(run).any(|ply| ply.before == self.now)
    }

    /// Whether a count has run out, by going back through the game.
    fn counted_out(&self, rule: DrawRule) -> bool {
        let quiet = rule.quiet_king_plies.is_some_and(|most| self.run() >= most as usize);
        let against = |position: &Position<B>| {
            [Side::White, Side::Black].into_iter().find_map(|lone| {
                let alone = position.pieces(lone).count() == 1 && position.kings(lone).count() == 1;
                let others = position.pieces(lone.other()).count();
                let with_king = position.kings(lone.other()).count() > 0;
                (alone && with_king && others <= 3).then_some(others)
            })
        };
        let Some(others) = against(&self.now) else { return quiet };
        let mut counted = 0;
        for ply in self.plies.iter().rev() {
            if ply.new_material || against(&ply.before).is_none() {
                break;
            }
            counted += 1;
        }
        let lone = rule.lone_king_plies.is_some_and(|[three, fewer]| {
            counted > 0 && counted >= if others == 3 { three } else { fewer }
        });
        quiet || lone
    }
}

/// The value of the record's last position by plain minimax.
fn minimax<R: Rules, B: Board, E: Evaluation<R, B>>(
    rule: DrawRule,
    record: &Record<B>,
    depth: u32,
    ply: i32,
    judge: &(E, Option<u64>),
) -> i32 {
    let game = Draughts::<R, B>::new(Duplicates::Drop);
    if ply > 0 && rule.repetitions.is_some() && record.repeated() {
        return 0;
    }
    let mut moves = Vec::new();
    game.legal_moves(&record.now, &mut moves);
    if moves.is_empty() {
        return ply - MATE;
    }
    if ply > 0 && record.counted_out(rule) {
        return 0;
    }
    let captures = !moves[0].captured.is_empty();
    if depth == 0 && !captures {
        let random = judge.1.map_or(0, |salt| noise(key::<R, B>(&record.now), salt));
        return judge.0.evaluate(&record.now) + random;
    }
    let left = if depth == 0 || moves.len() == 1 { depth } else { depth - 1 };
    let value = |mv: &Move<B>| {
        let mut next = record.clone();
        next.play(&game, *mv);
        -minimax(rule, &next, left, ply + 1, judge)
    };
    moves.iter().map(value).max().unwrap()
}

/// What the comparisons met, so that a run which tests little cannot pass.
#[derive(Debug, Default)]
struct Seen {
    searches: usize,
    captures: usize,
    draws: usize,
    wins: usize,
    with_history: usize,
}

/// The engine with every feature, table large, tiny and absent, against minimax.
fn agrees<R: Rules, B: Board, E: Evaluation<R, B>>(
    evaluation: &E,
    rule: DrawRule,
    record: &Record<B>,
    played: &Played<B>,
    deepest: u32,
    seen: &mut Seen,
) {
    let game = Draughts::<R, B>::new(Duplicates::Drop);
    let at = format!("{} {} {}", R::NAME, B::N, game.write_position(&record.now));
    let mut moves = Vec::new();
    game.legal_moves(&record.now, &mut moves);
    seen.captures += usize::from(!moves[0].captured.is_empty());
    seen.with_history += usize::from(record.run() > 0);
    for salted in [false, true] {
        let seed = seen.searches as u64;
        let salt = salted.then(|| {
            let mut generator = stream(seed, 0);
            (1..moves.len()).rev().for_each(|last| {
                bounded(&mut generator, last as u64 + 1);
            });
            generator.next_u64()
        });
        let judge = (evaluation.clone(), salt);
        let values: Vec<i32> =
            (1..=deepest).map(|depth| minimax::<R, B, E>(rule, record, depth, 0, &judge)).collect();
        for table_bytes in [None, Some(64), Some(1 << 20)] {
            let settings = Settings { table_bytes, reductions: false };
            let mut engine = Engine::<R, B, E>::new(evaluation.clone(), rule, settings);
            for depth in 1..=deepest {
                let mut generator = stream(seed, 0);
                let variety = salted.then_some(Variety { generator: &mut generator });
                let limits = Limits::depth(depth);
                let mut scores = Vec::new();
                let found = engine
                    .search(played, limits, variety, &Unwatched, &mut |f| scores.push(f.score))
                    .unwrap();
                let expected = &values[..depth as usize];
                assert_eq!(scores, expected, "{at} depth {depth} table {table_bytes:?}");
                assert_eq!((found.depth, Some(&found.score)), (depth, expected.last()));
                follows::<R, B, E>(rule, record, &found, &judge, &at);
                seen.searches += 1;
                seen.draws += usize::from(found.score == 0);
                seen.wins += usize::from(found.score.abs() > MATE / 2);
            }
        }
    }
}

/// The best move is worth the score, and the line can be played.
fn follows<R: Rules, B: Board, E: Evaluation<R, B>>(
    rule: DrawRule,
    record: &Record<B>,
    found: &Found<B>,
    judge: &(E, Option<u64>),
    at: &str,
) {
    let game = Draughts::<R, B>::new(Duplicates::Drop);
    let mut record = record.clone();
    let mut moves = Vec::new();
    assert_eq!(found.line.first(), Some(&found.best), "{at}");
    for (ply, mv) in found.line.iter().enumerate() {
        game.legal_moves(&record.now, &mut moves);
        assert!(moves.contains(mv), "{at}: {mv:?} in {:?}", found.line);
        let left = if moves.len() == 1 { found.depth } else { found.depth - 1 };
        record.play(&game, *mv);
        if ply == 0 {
            assert_eq!(found.score, -minimax::<R, B, E>(rule, &record, left, 1, judge), "{at}");
        }
    }
}

/// A random game of at most `plies` plies from `start`.
fn random_game<R: Rules, B: Board>(
    rule: DrawRule,
    start: Position<B>,
    plies: u64,
    generator: &mut Xoshiro256PlusPlus,
) -> (Record<B>, Played<B>) {
    let game = Draughts::<R, B>::new(Duplicates::Drop);
    let adjudicated = Adjudicated::<R, B>::new(Duplicates::Drop, rule);
    let mut record = Record { plies: Vec::new(), now: start };
    let mut played = Played::new(start);
    let mut moves = Vec::new();
    for _ in 0..plies {
        let mut next = played.clone();
        adjudicated.legal_moves(&played, &mut moves);
        let mv = moves[bounded(generator, moves.len() as u64) as usize];
        adjudicated.play(&mut next, mv);
        if adjudicated.mobility(&next, &mut moves) == 0 {
            break;
        }
        record.play(&game, mv);
        played = next;
    }
    (record, played)
}

/// A few pieces, kings among them, at random.
fn random_ending<B: Board>(generator: &mut Xoshiro256PlusPlus) -> Position<B> {
    let (mut white, mut black, mut kings) = (B::Word::ZERO, B::Word::ZERO, B::Word::ZERO);
    let pieces = 2 + bounded(generator, 4);
    for piece in 0..pieces {
        let square = B::Word::bit(B::bit_of(1 + bounded(generator, u64::from(B::SQUARES)) as u32));
        if !((white | black) & square).is_empty() {
            continue;
        }
        let own = if piece % 2 == 0 { &mut white } else { &mut black };
        *own |= square;
        if bounded(generator, 4) > 0 || !(square & (B::TOP | B::BOTTOM)).is_empty() {
            kings |= square;
        }
    }
    let side = if bounded(generator, 2) == 0 { Side::White } else { Side::Black };
    Position::new(white, black, kings, side)
}

fn agrees_on_random_positions<R: Rules, B: Board>() {
    let mut generator = stream(u64::from(B::N), R::NAME.len() as u64);
    let mut seen = Seen::default();
    let game = Draughts::<R, B>::new(Duplicates::Drop);
    let (each, deepest) = match (effort(), B::N) {
        (Effort::Quick, 6 | 8) => (6, 4),
        (Effort::Quick, _) => (4, 3),
        (_, 6 | 8) => (150, 4),
        (_, 10) => (60, 4),
        (_, _) => (24, 4),
    };
    let strict = DrawRule::parse("repetitions=3+quiet=5+lone-king=4/3").unwrap();
    for number in 0..each {
        let rule = [DrawRule::of::<R>(), DrawRule::NONE, strict][number % 3];
        let plies = bounded(&mut generator, 3 * u64::from(B::SQUARES));
        let (record, played) = random_game::<R, B>(rule, game.initial(), plies, &mut generator);
        agrees(&Positional::<R, B>::default(), rule, &record, &played, deepest, &mut seen);
        agrees::<R, B, _>(&Material, rule, &record, &played, deepest.min(3), &mut seen);
        let start = random_ending::<B>(&mut generator);
        if game.mobility(&start, &mut Vec::new()) > 0 {
            let plies = bounded(&mut generator, 12);
            let (record, played) = random_game::<R, B>(rule, start, plies, &mut generator);
            agrees(&Positional::<R, B>::default(), rule, &record, &played, deepest, &mut seen);
            agrees::<R, B, _>(&Material, rule, &record, &played, deepest.min(3), &mut seen);
        }
    }
    report(&format!("{} {}: {seen:?}", R::NAME, B::N));
    assert!(seen.searches > 30 * each, "{seen:?}");
    if effort() > Effort::Quick {
        assert!(seen.captures > each / 4 && seen.with_history > each / 4, "{seen:?}");
        assert!(seen.draws > each && seen.wins > each, "{seen:?}");
    }
}

macro_rules! minimax_tests {
    ($($test:ident: $rules:ident, $board:ty;)*) => {$(
        #[test]
        fn $test() {
            agrees_on_random_positions::<$rules, $board>();
        }
    )*};
}
minimax_tests! {
    checkers_6_has_the_value_of_minimax: Checkers, B6;
    checkers_8_has_the_value_of_minimax: Checkers, B8;
    draughts_6_has_the_value_of_minimax: International, B6;
    draughts_8_has_the_value_of_minimax: International, B8;
    draughts_10_has_the_value_of_minimax: International, B10;
    draughts_12_has_the_value_of_minimax: International, B12;
    draughts_14_has_the_value_of_minimax: International, B14;
}

fn search<R: Rules, B: Board>(
    fen: &str,
    depth: u32,
    table_bytes: Option<usize>,
) -> (String, Found<B>) {
    let rule = DrawRule::of::<R>();
    let game = Adjudicated::<R, B>::new(Duplicates::Drop, rule);
    let played = game.read_position(fen).unwrap();
    let settings = Settings { table_bytes, reductions: false };
    let mut engine = Engine::<R, B, _>::new(Positional::<R, B>::default(), rule, settings);
    let found =
        engine.search(&played, Limits::depth(depth), None, &Unwatched, &mut |_| ()).unwrap();
    (game.write_move(&played, found.best), found)
}

/// Case O-EG1 of the collected bug reports: exact solutions by two independent programs.
#[test]
fn two_kings_beat_one_with_the_only_winning_move_with_and_without_the_table() {
    for table_bytes in [None, Some(16 << 20)] {
        let (best, found) = search::<Checkers, B8>("W:WK2,K12:BK11", 13, table_bytes);
        assert_eq!((best.as_str(), found.score), ("2-6", MATE - 13), "table {table_bytes:?}");
        assert_eq!(found.line.len(), 13);
    }
}

/// Case O-DT1: the side to move loses when it cannot move; the other side's being stuck means nothing.
#[test]
fn a_blocked_man_is_taken_in_three_plies() {
    let (best, found) = search::<Checkers, B8>("B:W12:B3,8", 3, None);
    assert_eq!((best.as_str(), found.score), ("8-11", MATE - 3));
    let game = Adjudicated::<Checkers, B8>::new(Duplicates::Drop, DrawRule::ENGLISH);
    let blocked = game.read_position("W:W12:B3,8").unwrap();
    let mut engine = Engine::<Checkers, B8, _>::new(Material, DrawRule::ENGLISH, Settings::DEFAULT);
    assert_eq!(engine.search(&blocked, Limits::depth(3), None, &Unwatched, &mut |_| ()), None);
}

/// Case O-DT2: positions of the game before the root count.
#[test]
fn a_position_that_occurred_in_the_game_is_a_draw_in_the_search() {
    let rule = DrawRule::ENGLISH;
    let game = Adjudicated::<Checkers, B8>::new(Duplicates::Drop, rule);
    let mut played = game.read_position("W:WK32:BK1").unwrap();
    let mut engine = Engine::<Checkers, B8, _>::new(Always(50), rule, Settings::DEFAULT);
    for (ply, text) in "32-27 1-5 27-32".split(' ').enumerate() {
        let found =
            engine.search(&played, Limits::depth(1), None, &Unwatched, &mut |_| ()).unwrap();
        assert_eq!(found.score, -50, "ply {ply}");
        let mv = game.read_move(&played, text).unwrap();
        game.play(&mut played, mv);
    }
    // 5-1 would make the start position again: a draw, which is better than -50.
    let found = engine.search(&played, Limits::depth(1), None, &Unwatched, &mut |_| ()).unwrap();
    assert_eq!((game.write_move(&played, found.best).as_str(), found.score), ("5-1", 0));
}

/// Every position is worth the same to whoever is to move.
#[derive(Clone)]
struct Always(i32);

impl<R: Rules, B: Board> Evaluation<R, B> for Always {
    fn evaluate(&self, _position: &Position<B>) -> i32 {
        self.0
    }
}

fn keys_follow_moves<R: Rules, B: Board>() {
    let game = Draughts::<R, B>::new(Duplicates::Drop);
    let mut generator = stream(7, u64::from(B::N));
    let mut moves = Vec::new();
    for _ in 0..20 {
        let mut position = game.initial();
        let mut known = key::<R, B>(&position);
        for _ in 0..200 {
            game.legal_moves(&position, &mut moves);
            if moves.is_empty() {
                break;
            }
            let mv = moves[bounded(&mut generator, moves.len() as u64) as usize];
            let before = position;
            game.play(&mut position, mv);
            known = after(known, &before, mv, &position);
            assert_eq!(known, key::<R, B>(&position));
        }
    }
}

#[test]
fn keys_follow_moves_and_tell_side_kind_and_game_apart() {
    keys_follow_moves::<Checkers, B6>();
    keys_follow_moves::<Checkers, B8>();
    keys_follow_moves::<International, B8>();
    keys_follow_moves::<International, B10>();
    keys_follow_moves::<International, B14>();
    let read = |fen: &str| Draughts::<Checkers, B8>::default().read_position(fen).unwrap();
    let mut keys: Vec<u64> = ["W:W18:B7", "B:W18:B7", "W:WK18:B7", "W:W7:B18", "W:W18:B6"]
        .iter()
        .map(|fen| key::<Checkers, B8>(&read(fen)))
        .collect();
    keys.push(key::<International, B8>(&read("W:W18:B7")));
    let ten = Draughts::<International, B10>::default().read_position("W:W18:B7").unwrap();
    keys.push(key::<International, B10>(&ten));
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), 7);
}

fn turned_boards_have_the_same_value<R: Rules, B: Board>() {
    let mut generator = stream(3, u64::from(B::N));
    let game = Draughts::<R, B>::new(Duplicates::Drop);
    let evaluation = Positional::<R, B>::default();
    let mut different = 0;
    for number in 0..200 {
        let start = if number % 2 == 0 { game.initial() } else { random_ending(&mut generator) };
        if game.mobility(&start, &mut Vec::new()) == 0 {
            continue;
        }
        let plies = bounded(&mut generator, 3 * u64::from(B::SQUARES));
        let (record, _) = random_game::<R, B>(DrawRule::of::<R>(), start, plies, &mut generator);
        let value = evaluation.evaluate(&record.now);
        assert_eq!(value, evaluation.evaluate(&record.now.rotated_and_swapped()));
        let material: i32 = Evaluation::<R, B>::evaluate(&Material, &record.now);
        different += usize::from(value != material);
    }
    assert!(different > 100, "positional terms play no part");
}

#[test]
fn a_board_turned_round_with_colours_exchanged_has_the_same_value() {
    turned_boards_have_the_same_value::<Checkers, B6>();
    turned_boards_have_the_same_value::<Checkers, B8>();
    turned_boards_have_the_same_value::<International, B8>();
    turned_boards_have_the_same_value::<International, B10>();
    turned_boards_have_the_same_value::<International, B14>();
}

/// A search is stopped after so many looks.
struct StopAfter(std::sync::atomic::AtomicU64);

impl Progress for StopAfter {
    fn advance(&self, _units: u64) {}
    fn stopped(&self) -> bool {
        use std::sync::atomic::Ordering::Relaxed;
        self.0.fetch_sub(1, Relaxed) == 1
    }
}

#[test]
fn a_stopped_search_gives_a_legal_move_and_its_last_whole_depth() {
    let rule = DrawRule::FMJD;
    let game = Adjudicated::<International, B10>::new(Duplicates::Drop, rule);
    let played = game.initial();
    let evaluation = Positional::<International, B10>::default();
    let mut engine = Engine::<International, B10, _>::new(evaluation, rule, Settings::DEFAULT);
    let mut moves = Vec::new();
    game.legal_moves(&played, &mut moves);
    let mut last = 0;
    for looks in [1, 2, 8] {
        let progress = StopAfter(looks.into());
        let limits = Limits::depth(20);
        let found = engine.search(&played, limits, None, &progress, &mut |_| ()).unwrap();
        assert!(moves.contains(&found.best) && found.depth >= last && found.depth < 20);
        last = found.depth;
    }
    let limits = Limits { depth: 20, nodes: 1000 };
    let found = engine.search(&played, limits, None, &Unwatched, &mut |_| ()).unwrap();
    assert_eq!(found.nodes, 1000);
    // What came before leaves no trace.
    let again = engine.search(&played, limits, None, &Unwatched, &mut |_| ()).unwrap();
    assert_eq!(found, again);
}
