//! Endgame databases against published counts, an independent solver and damaged files.
#![allow(clippy::unwrap_used)]

mod effort;
mod reference;

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use effort::{Effort, effort};
use ludometer::endgame::best_play::{choices, line, preference};
use ludometer::endgame::slices::{Slices, SlicesError, most_pieces};
use ludometer::endgame::summary::{Tally, tallies};
use ludometer::endgame::{
    BuildError, DEFAULT_CACHE, Database, FileError, Folder, OpenError, Tables, build, verify,
};
use ludometer::engine::{Probe, Value};
use ludometer::game::{Notation, Progress, Unwatched};
use ludometer::games::draughts::{
    B4, B6, B8, B10, B12, B14, Board, Checkers, Draughts, International, Rules, Side,
};
use ludometer::state_space::formula::{Formula, Slice};
use num_bigint::BigUint;
use reference::RuleSet;
use reference::retrograde::{self, Exact};

fn built<R: Rules, B: Board>(pieces: u32) -> Tables<R, B> {
    build(pieces, None, 2, &Unwatched, &mut |_| ()).unwrap()
}

/// The tallies of all slices, White to move.
fn counted<R: Rules, B: Board>(tables: &Tables<R, B>) -> Vec<(Slice, Tally)> {
    let entries = tables.slices().entries().iter().enumerate();
    entries.flat_map(|(place, entry)| tallies(entry, &tables.copy(place))).collect()
}

fn sum<'a>(tallies: impl Iterator<Item = &'a Tally>) -> Tally {
    let mut sum = Tally::default();
    tallies.for_each(|tally| sum.add(tally));
    sum
}

/// Source: tests/data/egdb/6x6.csv, the counts of databases of 6x6 checkers and draughts by two
/// independent programs.
fn counts_are_those_of_the_table<R: Rules>(pieces: u32) {
    let game = format!("{}-6", R::NAME);
    let counts = counted(&built::<R, B6>(pieces));
    let text = include_str!("data/egdb/6x6.csv");
    let rows = text.lines().skip(1).filter(|row| row.starts_with(&game));
    let mut cumulative = 0;
    let mut compared = 0;
    for row in rows {
        let fields: Vec<&str> = row.split(',').collect();
        let number: u32 = fields[1].parse().unwrap();
        if number > pieces {
            continue;
        }
        let of_pieces = counts.iter().filter(|(slice, _)| slice.pieces() == number);
        let tally = sum(of_pieces.map(|(_, tally)| tally));
        cumulative += tally.positions();
        let (longest, positions) = tally.longest_win().unwrap();
        let found = [
            tally.wins(),
            tally.draws(),
            tally.losses(),
            tally.positions(),
            cumulative,
            u64::from(longest),
            positions,
        ];
        let expected: Vec<u64> = fields[2..].iter().map(|field| field.parse().unwrap()).collect();
        assert_eq!(found.as_slice(), expected, "{row}");
        compared += 1;
    }
    assert_eq!(compared, pieces - 1);
    effort::report(&format!("{game}: {cumulative} positions"));
}

#[test]
fn counts_on_6x6_are_those_of_two_independent_programs() {
    let pieces = if effort() == Effort::Quick { 4 } else { 6 };
    counts_are_those_of_the_table::<Checkers>(pieces);
    counts_are_those_of_the_table::<International>(pieces);
}

/// Case O-ED1 of public bug reports: damforum.nl, topic 2603, and two independent programs.
#[test]
fn two_pieces_of_english_8x8_are_as_published() {
    let counts = counted(&built::<Checkers, B8>(2));
    let of = |white_men, black_men| {
        let wanted =
            Slice { black_men, black_kings: 1 - black_men, white_men, white_kings: 1 - white_men };
        let tally = &counts.iter().find(|(slice, _)| *slice == wanted).unwrap().1;
        let longest = tally.longest_win().unwrap().0;
        ([tally.positions(), tally.wins(), tally.draws(), tally.losses()], longest)
    };
    assert_eq!(of(0, 0), ([992, 230, 654, 108], 11));
    assert_eq!(of(1, 0).0, [868, 53, 574, 241]);
    assert_eq!(of(0, 1).0, [868, 331, 531, 6]);
    assert_eq!(of(1, 1), ([760, 102, 611, 47], 13));
}

#[test]
fn sizes_are_those_of_the_formula() {
    // Positions with 2 pieces, 3 pieces at most, ..; source: J. van Horssen, Section 4.
    let published = [1029, 31_155, 512_910, 5_789_784, 48_881_249, 322_389_233, 1_617_366_257];
    for (pieces, size) in (2..).zip(published) {
        assert_eq!(Slices::<B6>::new(pieces).unwrap().size(), size);
    }
    fn agrees<B: Board>(pieces: u32) {
        let formula = Formula::new(B::N).unwrap();
        let of_both = formula.slices().filter(|(slice, _)| {
            slice.black() > 0 && slice.white() > 0 && slice.pieces() <= pieces
        });
        let expected: BigUint = of_both.map(|(_, size)| size).sum();
        assert_eq!(expected, Slices::<B>::new(pieces).unwrap().size().into());
    }
    agrees::<B4>(4);
    agrees::<B8>(4);
    agrees::<B10>(3);
    agrees::<B12>(3);
    agrees::<B14>(2);
    let refused = Slices::<B4>::new(5).unwrap_err();
    assert_eq!(refused, SlicesError::Pieces { pieces: 5, size: 4, most: 4 });
    assert!(refused.to_string().contains("5 pieces on a board of 4 x 4 (allowed: 2 to 4)"));
    assert!(Slices::<B6>::new(1).is_err());
    assert_eq!(most_pieces::<B6>(), 12);
}

fn every_position_agrees<R: Rules>(rules: RuleSet) {
    let game = Draughts::<R, B4>::default();
    let tables = built::<R, B4>(4);
    let mut asked = 0;
    let mut values = HashSet::new();
    for (position, exact) in retrograde::solve(4, rules, 4) {
        let position = game.read_position(&position.fen()).unwrap();
        let counts = [Side::White, Side::Black].map(|side| position.pieces(side).count_ones());
        if counts.iter().all(|count| *count <= 2) {
            let value = match exact {
                Exact::Win(plies) => Value::Win(plies),
                Exact::Draw => Value::Draw,
                Exact::Loss(plies) => Value::Loss(plies),
            };
            let fen = game.write_position(&position);
            assert_eq!(tables.probe(&position), Some(value), "{fen}");
            values.insert(value);
            asked += u64::from(counts.iter().all(|count| *count > 0));
        }
    }
    // White and Black to move.
    assert_eq!(asked, 2 * tables.slices().size());
    for value in [Value::Draw, Value::Loss(0), Value::Win(1), Value::Loss(2), Value::Win(3)] {
        assert!(values.contains(&value), "no {value:?}");
    }
}

#[test]
fn on_4x4_every_position_has_the_value_of_plain_retrograde_analysis_over_the_whole_graph() {
    every_position_agrees::<Checkers>(RuleSet::Checkers);
    every_position_agrees::<International>(RuleSet::International);
}

fn a_turned_position_has_the_same_value<R: Rules, B: Board>(pieces: u32) {
    let tables = built::<R, B>(pieces);
    let mut wins = 0;
    for entry in tables.slices().entries() {
        let mut cursor = entry.ranking.cursor();
        for number in (0..entry.ranking.size()).step_by(7) {
            let position = cursor.unrank(number, Side::Black);
            let value = tables.probe(&position).unwrap();
            assert_eq!(tables.probe(&position.rotated_and_swapped()), Some(value));
            wins += u64::from(matches!(value, Value::Win(_)));
        }
    }
    assert!(wins > 0);
}

#[test]
fn turning_the_board_and_exchanging_colours_changes_no_value() {
    a_turned_position_has_the_same_value::<Checkers, B6>(4);
    a_turned_position_has_the_same_value::<International, B8>(2);
    a_turned_position_has_the_same_value::<Checkers, B12>(2);
}

fn every_value_is_minimax<R: Rules, B: Board>(pieces: u32) {
    let tables = built::<R, B>(pieces);
    assert_eq!(verify(&tables, &Unwatched), Ok(tables.slices().size()));
}

#[test]
fn databases_of_every_board_are_verified() {
    every_value_is_minimax::<Checkers, B4>(4);
    every_value_is_minimax::<International, B4>(4);
    every_value_is_minimax::<Checkers, B6>(4);
    every_value_is_minimax::<International, B6>(4);
    every_value_is_minimax::<Checkers, B8>(3);
    every_value_is_minimax::<International, B8>(3);
    every_value_is_minimax::<International, B10>(2);
    every_value_is_minimax::<Checkers, B12>(2);
    every_value_is_minimax::<International, B14>(2);
}

#[test]
fn positions_outside_are_not_known_and_those_without_a_colour_are_decided() {
    let game = Draughts::<Checkers, B6>::default();
    let tables = built::<Checkers, B6>(3);
    let value = |fen: &str| tables.probe(&game.read_position(fen).unwrap());
    assert_eq!(tables.most_pieces(), 3);
    assert_eq!(value("W:W16-18:B1"), None);
    assert_eq!(value("B:W16-18:B1-3"), None);
    assert_eq!(value("W:W:B1"), Some(Value::Loss(0)));
    assert_eq!(value("W:W18:B"), Some(Value::Win(1)));
    assert_eq!(value("W:W:B"), Some(Value::Loss(0)));
    // A capture of the last piece, and a man that cannot move.
    assert_eq!(value("W:W11:B8"), Some(Value::Win(1)));
    assert_eq!(value("W:W4:BK1,K6"), Some(Value::Loss(0)));
}

#[test]
fn best_play_ends_when_the_value_says() {
    let game = Draughts::<Checkers, B6>::default();
    let tables = built::<Checkers, B6>(3);
    let position = game.read_position("W:WK16:BK3,4").unwrap();
    let value = tables.probe(&position).unwrap();
    assert_eq!(value, Value::Loss(32));
    let moves = line(&game, &tables, &position).unwrap();
    assert_eq!(moves.len(), 32);
    assert!(choices(&game, &tables, &moves[31].position).unwrap().is_empty());
    let drawn = game.read_position("W:WK16:BK3").unwrap();
    let all = choices(&game, &tables, &drawn).unwrap();
    if tables.probe(&drawn) == Some(Value::Draw) {
        assert_eq!(line(&game, &tables, &drawn).unwrap(), []);
        assert_eq!(all[0].value, Value::Draw);
    }
    let order = [Value::Win(3), Value::Win(5), Value::Draw, Value::Loss(8), Value::Loss(2)];
    assert!(order.windows(2).all(|pair| preference(pair[0]) > preference(pair[1])));
}

/// A folder with the databases of 6x6 checkers and draughts with three pieces.
fn folder(compressed: bool) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let keep = Some(Folder { dir: folder.path(), compressed });
    build::<Checkers, B6>(3, keep, 2, &Unwatched, &mut |_| ()).unwrap();
    build::<International, B6>(3, keep, 1, &Unwatched, &mut |_| ()).unwrap();
    folder
}

fn names(dir: &Path) -> Vec<PathBuf> {
    let mut names: Vec<PathBuf> =
        std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.sort();
    names
}

#[test]
fn files_tell_what_was_built_compressed_or_not() {
    let tables = built::<International, B6>(3);
    for compressed in [true, false] {
        let folder = folder(compressed);
        // The smallest cache there is, so that blocks push one another out.
        for cache in [0, DEFAULT_CACHE] {
            let database = Database::<International, B6>::open(folder.path(), None, cache).unwrap();
            assert_eq!(database.most_pieces(), 3);
            for (place, entry) in database.slices().entries().iter().enumerate() {
                assert_eq!(database.read(place).unwrap(), tables.copy(place));
                let mut cursor = entry.ranking.cursor();
                for side in entry.sides() {
                    // Far apart, so that hardly any two are in the same block.
                    for number in 0..entry.ranking.size() {
                        let number = number * 2_147_483_647 % entry.ranking.size();
                        let position = cursor.unrank(number, *side);
                        assert_eq!(database.probe(&position), tables.probe(&position));
                    }
                }
            }
            assert!(database.damage().is_none());
        }
    }
}

#[test]
fn the_number_of_threads_changes_no_byte_and_a_larger_build_keeps_smaller_slices() {
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    for (folder, steps) in folders.iter().zip([&[(4, 1)][..], &[(3, 2), (4, 2)]]) {
        for (pieces, threads) in steps {
            let keep = Some(Folder { dir: folder.path(), compressed: true });
            let mut found = 0;
            build::<Checkers, B6>(*pieces, keep, *threads, &Unwatched, &mut |stage| {
                found += stage.found;
            })
            .unwrap();
            assert_eq!(found, if *pieces == 4 && steps.len() == 2 { 9 } else { 0 });
        }
    }
    let [one, two] = folders.map(|folder| {
        let files = names(folder.path()).into_iter();
        files.map(|path| std::fs::read(path).unwrap()).collect::<Vec<_>>()
    });
    assert_eq!(one.len(), 23 + 1);
    assert_eq!(one, two);
}

fn opened(dir: &Path) -> Result<Database<Checkers, B6>, OpenError> {
    Database::open(dir, None, 0)
}

/// What goes wrong when the database is opened and read.
fn complaint(dir: &Path) -> String {
    let read = |database: Database<Checkers, B6>| database.load().map(|_| ());
    match opened(dir).map(read) {
        Err(error) => error.to_string(),
        Ok(Err(error)) => error.to_string(),
        Ok(Ok(())) => panic!("nothing is wrong"),
    }
}

#[test]
fn every_changed_byte_and_every_missing_byte_is_found_and_the_file_named() {
    for compressed in [true, false] {
        let folder = folder(compressed);
        let path = folder.path().join("checkers-6_0.1.0.1.egdb");
        let whole = std::fs::read(&path).unwrap();
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 0x10;
            std::fs::write(&path, &damaged).unwrap();
            let message = complaint(folder.path());
            assert!(message.contains("checkers-6_0.1.0.1.egdb"), "{at}: {message}");
            // Header, index of one block, checksum.
            if at >= 52 + 8 + 4 {
                assert!(message.contains("is damaged: block 0 of 1"), "{at}: {message}");
            }
        }
        for length in 0..whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            let message = complaint(folder.path());
            assert!(message.contains("checkers-6_0.1.0.1.egdb"), "{length}: {message}");
            if length >= 52 {
                assert!(message.contains(&format!("has {length} bytes instead")), "{message}");
            }
        }
        std::fs::write(&path, &whole).unwrap();
        opened(folder.path()).unwrap().load().unwrap();
    }
}

#[test]
fn a_damaged_block_makes_its_positions_unknown_and_is_told() {
    let game = Draughts::<Checkers, B6>::default();
    for compressed in [true, false] {
        let folder = folder(compressed);
        let path = folder.path().join("checkers-6_0.1.0.1.egdb");
        let mut bytes = std::fs::read(&path).unwrap();
        let last = bytes.len() - 1;
        bytes[last] ^= 1;
        std::fs::write(&path, bytes).unwrap();
        let database = opened(folder.path()).unwrap();
        let position = game.read_position("W:WK1:BK18").unwrap();
        assert!(matches!(database.value(&position), Err(FileError::Block { block: 0, .. })));
        assert_eq!(database.probe(&position), None);
        assert!(database.damage().unwrap().to_string().contains("0.1.0.1.egdb is damaged"));
        assert!(database.probe(&game.read_position("W:WK1:B8").unwrap()).is_some());
    }
}

#[test]
fn files_of_other_versions_games_and_slices_are_refused() {
    let folder = folder(true);
    let path = folder.path().join("checkers-6_0.1.0.2.egdb");
    let whole = std::fs::read(&path).unwrap();
    let check = |bytes: &[u8], words: &[&str]| {
        std::fs::write(&path, bytes).unwrap();
        let message = complaint(folder.path());
        for word in words.iter().chain(&["checkers-6_0.1.0.2.egdb"]) {
            assert!(message.contains(word), "no '{word}' in: {message}");
        }
    };
    let mut other = whole.clone();
    other[8] = 2;
    check(&other, &["version 2", "allowed: 1"]);
    let copy = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    check(&copy("draughts-6_0.1.0.2.egdb"), &["holds slice 0.1.0.2 of draughts-6, not"]);
    check(&copy("checkers-6_1.0.0.2.egdb"), &["holds slice 1.0.0.2 of checkers-6, not"]);
    check(b"something else", &["is no file of an endgame database"]);
    check(b"", &["is no file of an endgame database"]);
    std::fs::remove_file(&path).unwrap();
    let message = complaint(folder.path());
    assert!(message.contains("checkers-6_0.1.0.2.egdb is missing"), "{message}");
    // What the smaller database needs is there.
    Database::<Checkers, B6>::open(folder.path(), Some(2), 0).unwrap().load().unwrap();
    let nothing = Database::<Checkers, B8>::open(folder.path(), None, 0).unwrap_err();
    assert!(nothing.to_string().contains("no endgame database of checkers-8"), "{nothing}");
    let message = Database::<Checkers, B8>::open(folder.path(), Some(2), 0).unwrap_err();
    assert!(message.to_string().contains("checkers-8_0.1.0.1.egdb is missing"), "{message}");
}

/// Stops after some reports.
struct Impatient(std::sync::atomic::AtomicU64);

impl Progress for Impatient {
    fn advance(&self, _units: u64) {
        self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    }

    fn stopped(&self) -> bool {
        self.0.load(std::sync::atomic::Ordering::Relaxed) > 20
    }
}

#[test]
fn a_stopped_build_keeps_finished_slices_and_goes_on_to_the_same_bytes() {
    let whole = folder(true);
    let folder = tempfile::tempdir().unwrap();
    let keep = Some(Folder { dir: folder.path(), compressed: true });
    let mut stops = 0;
    loop {
        let before = names(folder.path()).len();
        let impatient = Impatient(0.into());
        match build::<Checkers, B6>(3, keep, 1, &impatient, &mut |_| ()) {
            Ok(_) => break,
            Err(BuildError::Stopped) => stops += 1,
            Err(other) => panic!("{other}"),
        }
        assert!(names(folder.path()).len() > before, "no slice was finished");
    }
    assert!(stops > 0, "it was never stopped");
    for path in names(folder.path()) {
        let same = whole.path().join(path.file_name().unwrap());
        assert_eq!(std::fs::read(&path).unwrap(), std::fs::read(same).unwrap(), "{path:?}");
    }
    assert_eq!(names(folder.path()).len(), 9 + 1);
}

#[test]
fn two_builds_in_a_folder_do_not_mix() {
    let folder = tempfile::tempdir().unwrap();
    let lock = std::fs::File::create(folder.path().join("checkers-6.lock")).unwrap();
    lock.lock().unwrap();
    let keep = Some(Folder { dir: folder.path(), compressed: true });
    let refused = build::<Checkers, B6>(2, keep, 1, &Unwatched, &mut |_| ()).unwrap_err();
    assert!(refused.to_string().contains("another build of checkers-6 is at work in"), "{refused}");
    build::<International, B6>(2, keep, 1, &Unwatched, &mut |_| ()).unwrap();
}
