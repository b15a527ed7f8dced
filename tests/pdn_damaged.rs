//! Damaged games of draughts: whatever the text, nothing panics, nothing recurses without bound, and
//! what is read can be written and read again.
//!
//! Texts are made of real ones by cutting, doubling, swapping and flipping, and of the words of PDN
//! in any order. `LUDOMETER_SECONDS=600 cargo test --profile ci --test pdn_damaged -- --ignored` goes
//! on for so long.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use ludometer::games::draughts::{
    B6, B8, B10, B14, Board, Checkers, Draughts, Duplicates, International, Rules,
};
use ludometer::pdn::{Item, Source, TextGame, pack, push_record, push_text_game, replay, respell};
use ludometer::self_play::{Profile, StopAt, Tally, pooled};
use ludometer::stream::{bounded, stream};
use rand_xoshiro::Xoshiro256PlusPlus;

/// What must be the same after writing and reading, places and spellings of moves left out.
fn content(game: &TextGame<'_>) -> Vec<String> {
    let items = game.items.iter().filter_map(|item| match item {
        Item::Move { strength, .. } => Some(format!("move {strength:?}")),
        Item::Ellipsis | Item::Setup(..) => None,
        other => Some(format!("{other:?}")),
    });
    items.chain([game.score().to_owned()]).collect()
}

fn reread(written: &str) -> (Vec<Vec<String>>, String) {
    let source = Source::new(written.as_bytes().to_vec());
    let mut again = String::new();
    let contents = source
        .games()
        .map(|game| {
            push_text_game(&game, None, &mut again);
            content(&game)
        })
        .collect();
    (contents, again)
}

/// Replays, measures and writes every game by the rules `R`.
fn replay_all<R: Rules, B: Board>(source: &Source) {
    let rules = Draughts::<R, B>::new(Duplicates::Drop);
    let mut tally = Tally::default();
    for text in source.games() {
        let Ok((replay_made, spelling)) = respell(&rules, source, &text) else { continue };
        assert_eq!(replay(&rules, source, &text).unwrap(), replay_made);
        let shown = replay_made.warnings.iter().map(ToString::to_string);
        assert!(shown.into_iter().all(|warning| !warning.is_empty()));
        tally.add(&Profile::of(&rules, &replay_made.record, StopAt::published(B::N)));
        let mut written = String::new();
        push_record(&rules, &replay_made.record, &mut written);
        let again = Source::new(written.into_bytes());
        let games: Vec<TextGame<'_>> = again.games().collect();
        assert_eq!(games.len(), 1);
        let record = replay(&rules, &again, &games[0]).unwrap().record;
        assert_eq!(
            (record.start, record.moves, record.result, record.termination),
            (
                replay_made.record.start,
                replay_made.record.moves,
                replay_made.record.result,
                replay_made.record.termination
            )
        );
        push_text_game(&text, Some(&spelling), &mut String::new());
    }
    let _ = pooled(&[&tally]);
}

/// Everything that may be done with a text; returns the number of games.
fn digest(text: Vec<u8>) -> usize {
    let source = Source::new(text);
    let mut written = String::new();
    let mut contents = Vec::new();
    for (index, game) in source.games().enumerate() {
        assert_eq!(game.number, index as u64 + 1);
        assert!(game.warnings.iter().all(|warning| !warning.to_string().is_empty()));
        push_text_game(&game, None, &mut written);
        contents.push(content(&game));
    }
    let (again, rewritten) = reread(&written);
    assert_eq!(contents, again, "of:\n{}\nwas written:\n{written}", source.text());
    assert_eq!(written, rewritten);
    replay_all::<International, B10>(&source);
    replay_all::<Checkers, B8>(&source);
    if contents.len() % 4 == 1 {
        replay_all::<International, B14>(&source);
        replay_all::<Checkers, B6>(&source);
    }
    contents.len()
}

#[test]
fn depth_size_and_repetition_do_no_harm() {
    let deep = format!("1. 32-28 {} 31-27 {} *", "(".repeat(100_000), ")".repeat(100_000));
    assert_eq!(digest(deep.into_bytes()), 1);
    for piece in [
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        "\"",
        "$",
        "*",
        "* ",
        "!",
        "\\",
        "%",
        ";",
        "1.",
        "...",
        "x",
        "-",
        "[A \"b\"]",
        "[A \"b\"]\n\n",
        "{}",
        "1-0 ",
        "32-28 ",
        "1-0 {} ",
        "[Event \"",
        "\0",
        "½",
        "/",
        "\r",
        "9",
        "1 - ",
        "a1",
        "[a",
        "[FEN \"W:W1:B50\"]",
        "32-28 (",
        "( 1-0 ",
    ] {
        assert!(digest(piece.repeat(5_000).into_bytes()) <= 5_000, "{piece}");
    }
    assert_eq!(digest(Vec::new()), 0);
    assert_eq!(digest(b" \r\n\t% nothing\n".to_vec()), 0);
    assert_eq!(digest(vec![0xff; 10_000]), 1);
}

/// Flying kings among many men: the paths of one capture are too many to be listed.
#[test]
fn captures_with_very_many_paths_are_read_and_written() {
    let fens = [
        "W:WK97:B13,15,17,19,27,29,31,33,41,43,45,47,55,57,59,61,69,71,73,75,83,85",
        "W:WK98,K1:B16,18,20,30,32,34,44,46,48,58,60,62,72,74,76,86,88",
        "W:WK92:B86,72,74,58,60,62,44,46,48,30,32,34,16,18,20",
    ];
    for fen in fens {
        for moves in ["98x1", "92x7", "97x2x50x30x41x98", "1x98x1x98x1"] {
            let text = format!("[FEN \"{fen}\"]\n1. {moves} *");
            replay_all::<International, B14>(&Source::new(text.into_bytes()));
        }
    }
}

/// Words of PDN, good and bad.
const WORDS: [&str; 48] = [
    "1.",
    "2...",
    "32-28",
    "31-27",
    "19-23",
    "28x19",
    "14x23",
    "9-13",
    "21-17",
    "11-15",
    "a3-b4",
    "b6c5",
    "3228",
    "33x24x13",
    "5x5",
    "99-1",
    "0-7",
    "1-0",
    "0-1",
    "1/2-1/2",
    "2-0",
    "1-1",
    "0-0",
    "*",
    "4-6",
    "½-½",
    "(",
    ")",
    "(",
    ")",
    "{ a comment }",
    "{",
    "}",
    "; line\n",
    "% line\n",
    "$3",
    "$70000",
    "!?",
    "(!)",
    "...",
    "\n\n",
    "[Event \"x\"]\n",
    "[Result \"4-6\"]\n",
    "[FEN \"W:W31-50:B1-20\"]\n",
    "[GameType \"20,W,10,10,N1,0\"]\n",
    "[broken \"tag]\n",
    "/W:W32:B19/",
    "[SetUp \"1\"]",
];

struct Breaker {
    originals: Vec<Vec<u8>>,
}

impl Breaker {
    fn new() -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/pdn");
        let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
        paths.sort();
        Self { originals: paths.iter().map(|path| fs::read(path).unwrap()).collect() }
    }

    /// The `n`-th damaged text.
    fn text(&self, n: u64) -> Vec<u8> {
        let mut generator = stream(n, 0);
        let mut below = |bound: usize| draw(&mut generator, bound);
        if below(3) == 0 {
            let words = 1 + below(60);
            let text: Vec<&str> = (0..words).map(|_| WORDS[below(WORDS.len())]).collect();
            return text.join(if below(4) == 0 { "" } else { " " }).into_bytes();
        }
        let original = &self.originals[below(self.originals.len())];
        let begin = below(original.len());
        let mut text = original[begin..original.len().min(begin + 1 + below(3000))].to_vec();
        for _ in 0..1 + below(12) {
            let at = below(text.len() + 1);
            let to = at + below(text.len() - at + 1).min(1 + below(200));
            match below(7) {
                0 => drop(text.drain(at..to)),
                1 => {
                    let piece = text[at..to].to_vec();
                    let into = below(text.len() + 1);
                    text.splice(into..into, piece);
                }
                2 => {
                    let word = WORDS[below(WORDS.len())];
                    text.splice(at..at, word.bytes());
                }
                3 if at < text.len() => text[at] ^= 1 << below(8),
                4 if at < text.len() => text[at] = below(256) as u8,
                5 => text.truncate(at),
                _ => {
                    let bytes = b"(){}[]\"*;%$/!?x-:.\r\n\\ 0123456789";
                    text.insert(at, bytes[below(bytes.len())]);
                }
            }
            if text.is_empty() {
                break;
            }
        }
        text
    }
}

fn draw(generator: &mut Xoshiro256PlusPlus, bound: usize) -> usize {
    bounded(generator, bound as u64) as usize
}

#[test]
fn damaged_texts_are_read_and_survive_being_written() {
    let breaker = Breaker::new();
    let games: usize = (0..1500).map(|n| digest(breaker.text(n))).sum();
    assert!(games > 1500);
}

/// Packed bytes that are cut or changed are an error or another text, never a panic.
#[test]
fn damaged_frames_are_refused_or_read() {
    let breaker = Breaker::new();
    let packed = pack(&breaker.originals[0]).unwrap();
    for n in 0..2000 {
        let mut generator = stream(n, 1);
        let mut damaged = packed.clone();
        let at = draw(&mut generator, damaged.len());
        damaged[at] ^= 1 << draw(&mut generator, 8);
        if n % 3 == 0 {
            damaged.truncate(at);
        }
        if let Ok(source) = Source::unpack(damaged) {
            let _ = source.games().count();
        }
    }
}

/// As long as LUDOMETER_SECONDS says.
#[test]
#[ignore = "runs for ten minutes; see `just pdn-damaged`"]
fn damaged_texts_are_read_for_a_long_time() {
    let seconds = std::env::var("LUDOMETER_SECONDS").map_or(600, |text| text.parse().unwrap());
    let (breaker, begun) = (Breaker::new(), Instant::now());
    let first = 1_000_000;
    let mut n = first;
    let mut games = 0;
    while begun.elapsed() < Duration::from_secs(seconds) {
        let text = breaker.text(n);
        let read = std::panic::catch_unwind(|| digest(text));
        games += read.unwrap_or_else(|_| panic!("text {n} does harm"));
        n += 1;
    }
    println!("{} texts with {games} games read, written and replayed", n - first);
}
