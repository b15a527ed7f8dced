//! The exact counter against published levels and against a plain hash-set search, and what it keeps
//! on disk against damage, limits and interruption.
#![allow(clippy::unwrap_used)]

mod effort;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use effort::{Effort, effort, report};
use ludometer::game::{Game, Notation, Playable, Progress, Unwatched};
use ludometer::games::connect_four::ConnectFour;
use ludometer::games::draughts::{
    B4, B6, B8, Board, Checkers, Draughts, Duplicates, International, Position, Rules, Side, Word,
};
use ludometer::games::othello::{Othello, Passes};
use ludometer::games::tic_tac_toe::TicTacToe;
use ludometer::state_space::breadth_first::{self, Extent, SearchError};
use ludometer::state_space::formula::Formula;
use ludometer::state_space::reachable::{
    self, CountError, Order, Reachable, Settings, SliceLevels, clear,
};
use proptest::prelude::*;

/// A folder whose files need no disk where the system has such a place: counts flush every file.
fn scratch() -> tempfile::TempDir {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() }.unwrap()
}

fn settings(scratch: &Path) -> Settings<'_> {
    let order = Order::BreadthFirst;
    Settings { order, threads: 1, memory: 1 << 30, scratch, scratch_limit: 1 << 30 }
}

fn count<R: Rules, B: Board>(
    start: &Position<B>,
    settings: &Settings<'_>,
    progress: &dyn Progress,
) -> Result<Reachable, CountError> {
    reachable::count(&Draughts::<R, B>::new(Duplicates::Drop), start, settings, progress)
}

fn position<B: Board>(fen: &str) -> Position<B> {
    Draughts::<Checkers, B>::new(Duplicates::Drop).read_position(fen).unwrap()
}

fn slices<R: Rules, B: Board>(start: &Position<B>, threads: usize) -> Reachable {
    let folder = scratch();
    let settings = Settings { threads, ..settings(folder.path()) };
    count::<R, B>(start, &settings, &Unwatched).unwrap()
}

fn slice_levels<R: Rules, B: Board>(fen: &str, threads: usize) -> Vec<u64> {
    levels(&slices::<R, B>(&position(fen), threads))
}

fn levels(found: &Reachable) -> Vec<u64> {
    found.levels().expect("found breadth-first")
}

/// Every position that is remembered, up to `depth`, and not up to symmetry.
fn up_to(depth: Option<u32>) -> Extent {
    Extent { depth, most: 1 << 24, up_to_symmetry: false }
}

fn hash_levels<R: Rules, B: Board>(start: &Position<B>) -> Vec<u64> {
    let game = Draughts::<R, B>::new(Duplicates::Drop);
    breadth_first::levels(&game, start, up_to(None), &Unwatched).unwrap()
}

/// The first levels of a game, up to `depth`.
fn first_levels<G: Playable>(game: &G, depth: u32) -> Vec<u64> {
    breadth_first::levels(game, &game.initial(), up_to(Some(depth)), &Unwatched).unwrap()
}

/// The new states of every row of a file in `tests/data/levels`, whose columns must fit together.
fn published_levels(name: &str) -> Vec<u64> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/levels").join(name);
    let mut reader = csv::Reader::from_path(path).unwrap();
    let mut levels = Vec::new();
    for record in reader.records() {
        let record = record.unwrap();
        let [ply, new, sum] = [0, 1, 2].map(|field| record[field].parse::<u64>().unwrap());
        assert_eq!(ply, levels.len() as u64, "{name}");
        levels.push(new);
        assert_eq!(sum, levels.iter().sum::<u64>(), "{name}, ply {ply}");
    }
    levels
}

#[test]
fn every_published_level_of_4x4_and_of_three_men_on_6x6_comes_out() {
    let expected = published_levels("4x4_checkers.csv");
    let start = Draughts::<Checkers, B4>::start();
    assert_eq!(levels(&slices::<Checkers, B4>(&start, 2)), expected);
    assert_eq!(hash_levels::<Checkers, B4>(&start), expected);
    let expected = published_levels("4x4_draughts.csv");
    let start = Draughts::<International, B4>::start();
    assert_eq!(levels(&slices::<International, B4>(&start, 2)), expected);
    assert_eq!(hash_levels::<International, B4>(&start), expected);
    if effort() >= Effort::Full {
        let expected = published_levels("6x6_1row_3v3_checkers.csv");
        assert_eq!(slice_levels::<Checkers, B6>("B:W16-18:B1-3", 2), expected);
        let expected = published_levels("6x6_1row_3v3_draughts.csv");
        assert_eq!(slice_levels::<International, B6>("W:W16-18:B1-3", 2), expected);
        report("level sizes: 4 starts, every level");
    }
}

/// Source: breadth-first searches of the standard starts by two independent programs.
#[test]
fn the_first_levels_of_the_6x6_starts_are_as_known() {
    const CHECKERS: [u64; 14] =
        [1, 5, 25, 81, 237, 608, 1463, 3602, 8760, 19893, 45842, 98958, 208_640, 416_506];
    const DRAUGHTS: [u64; 14] =
        [1, 5, 25, 81, 237, 626, 1535, 3842, 9743, 23224, 55233, 124_632, 271_571, 552_237];
    let depth = if effort() >= Effort::Full { 13 } else { 10 };
    let levels = first_levels(&Draughts::<Checkers, B6>::new(Duplicates::Drop), depth);
    assert_eq!(levels, CHECKERS[..=depth as usize]);
    let levels = first_levels(&Draughts::<International, B6>::new(Duplicates::Drop), depth);
    assert_eq!(levels, DRAUGHTS[..=depth as usize]);
}

#[test]
fn the_plain_search_counts_other_games() {
    // Source: enumeration of tic-tac-toe.
    assert_eq!(first_levels(&TicTacToe, 20).iter().sum::<u64>(), 5478);
    // Source: J. Tromp, number of legal Connect Four positions by ply, 7 x 6.
    let levels = [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184_275];
    assert_eq!(first_levels(&ConnectFour::new(7, 6).unwrap(), 8), levels);
}

#[test]
fn positions_that_are_images_of_one_another_count_once_when_asked() {
    fn classes<G: Playable>(game: &G, depth: u32) -> Vec<u64> {
        let extent = Extent { up_to_symmetry: true, ..up_to(Some(depth)) };
        breadth_first::levels(game, &game.initial(), extent, &Unwatched).unwrap()
    }
    // Source: OEIS A008907, essentially different positions of tic-tac-toe by ply.
    assert_eq!(classes(&TicTacToe, 20), [1, 3, 12, 38, 108, 174, 204, 153, 57, 15]);
    // The mirror maps one of the columns, and one of the pairs of columns, to itself.
    assert_eq!(
        classes(&ConnectFour::new(7, 6).unwrap(), 2),
        [1, 7_u64.div_ceil(2), 49_u64.div_ceil(2)]
    );
    // All first moves of Othello are alike; the answers are the parallel, diagonal and perpendicular one.
    assert_eq!(classes(&Othello::new(8, Passes::Plies).unwrap(), 2), [1, 1, 3]);
    // Four symmetries keep the start of Othello, so most classes have four positions.
    let game = Othello::new(4, Passes::Plies).unwrap();
    let (all, few) = (first_levels(&game, 20), classes(&game, 20));
    assert_eq!(all.len(), few.len());
    assert!(all.iter().zip(&few).all(|(all, few)| few * 8 >= *all && few <= all));
    assert!(few.iter().sum::<u64>() * 3 < all.iter().sum());
}

#[test]
fn the_plain_search_stops_at_its_limit_and_when_told() {
    let search = |most, progress: &dyn Progress| {
        let extent = Extent { most, ..up_to(None) };
        breadth_first::levels(&TicTacToe, &TicTacToe.initial(), extent, progress)
    };
    // Of the 5478 positions 334 lie within three plies, 1090 within four.
    let too_many = SearchError::TooMany { depth: 4, allowed: 1000 };
    assert_eq!(search(1000, &Unwatched), Err(too_many));
    assert_eq!(search(5478, &Unwatched).unwrap().len(), 10);
    assert_eq!(search(5478, &StopAfter::new(100)), Err(SearchError::Stopped));
}

#[test]
fn slices_and_hash_set_agree_on_small_starts() {
    fn check<R: Rules, B: Board>(fens: &[&str]) {
        for fen in fens {
            let expected = hash_levels::<R, B>(&position(fen));
            assert_eq!(slice_levels::<R, B>(fen, 2), expected, "{fen}");
        }
    }
    let small = ["B:W7,8:B1,2", "W:W7,8:B1,2", "W:W5-8:B1-3,K4", "B:WK8:BK1", "W:W8:B", "B:W8:B"];
    check::<Checkers, B4>(&small);
    check::<International, B4>(&small);
    check::<Checkers, B6>(&["W:W16,K5:B1,K9", "W:W14:BK1,K2"]);
    check::<International, B8>(&["W:WK32:BK1,5"]);
    if effort() >= Effort::Full {
        check::<Checkers, B6>(&["B:W16-18:B1-3"]);
        check::<International, B8>(&["W:W30,K32:BK1,5"]);
    }
}

/// A placement of up to five pieces, drawn by its squares and kinds; a man on its king row is a king.
fn placement<B: Board>(pieces: &[(u32, bool, bool)], side: Side) -> Position<B> {
    let [mut white, mut black, mut kings] = [B::Word::ZERO; 3];
    for (square, is_white, is_king) in pieces {
        let bit = B::Word::bit(B::bit_of(square % B::SQUARES + 1));
        if !((white | black) & bit).is_empty() {
            continue;
        }
        let far_row = if *is_white { B::TOP } else { B::BOTTOM };
        let own = if *is_white { &mut white } else { &mut black };
        *own |= bit;
        if *is_king || !(far_row & bit).is_empty() {
            kings |= bit;
        }
    }
    Position::new(white, black, kings, side)
}

fn in_any_order<R: Rules, B: Board>(start: &Position<B>) -> Reachable {
    let folder = scratch();
    let settings = Settings { order: Order::Any, threads: 2, ..settings(folder.path()) };
    count::<R, B>(start, &settings, &Unwatched).unwrap()
}

/// The slices of a search with nothing of their depths but whether they are even.
fn by_parity(found: &Reachable) -> Vec<SliceLevels> {
    let of = |slice: &SliceLevels| {
        let at = |parity| {
            let those = slice.levels.iter().filter(|(depth, _)| depth % 2 == parity);
            (parity, those.map(|(_, new)| new).sum::<u64>())
        };
        let levels = [at(0), at(1)].into_iter().filter(|(_, new)| *new > 0).collect();
        SliceLevels { levels, ..slice.clone() }
    };
    found.slices.iter().map(of).collect()
}

fn both_counters_agree<R: Rules, B: Board>(start: &Position<B>) {
    let one = slices::<R, B>(start, 1);
    let depths = levels(&one);
    assert_eq!(depths, hash_levels::<R, B>(start), "{start:?}");
    assert_eq!(slices::<R, B>(start, 2), one, "{start:?}");
    assert_eq!(one.total(), depths.iter().sum::<u64>());
    let any = in_any_order::<R, B>(start);
    assert_eq!(any.levels(), None);
    assert_eq!((any.by_side(), any.slices), (one.by_side(), by_parity(&one)), "{start:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if effort() >= Effort::Full { 64 } else { 8 }))]

    #[test]
    fn both_counters_agree_level_by_level_on_random_starts(
        pieces in prop::collection::vec((0..1000_u32, any::<bool>(), any::<bool>()), 1..=5),
        white in any::<bool>(),
    ) {
        let side = if white { Side::White } else { Side::Black };
        both_counters_agree::<Checkers, B4>(&placement(&pieces, side));
        both_counters_agree::<International, B4>(&placement(&pieces, side));
        let few = &pieces[..pieces.len().min(4)];
        both_counters_agree::<Checkers, B6>(&placement(few, side));
        both_counters_agree::<International, B6>(&placement(few, side));
    }
}

#[test]
fn slices_of_the_start_add_up_to_the_bound_of_the_formula() {
    // Both colours to move: twice the bound.
    let bound = |size| u64::try_from(2_u32 * Formula::new(size).unwrap().total()).unwrap();
    let start = Draughts::<Checkers, B4>::start();
    assert_eq!(reachable::upper_bound(&start), Some(bound(4)));
    let sizes = slices::<Checkers, B4>(&start, 1).slices;
    assert_eq!(2 * sizes.iter().map(|slice| slice.size).sum::<u64>(), bound(4));
    // Source: J. van Horssen, Table 1.
    let start = Draughts::<Checkers, B6>::start();
    assert_eq!(reachable::upper_bound(&start), Some(2 * 63_838_220_543));
    assert_eq!(reachable::upper_bound(&Draughts::<Checkers, B8>::start()), None);
}

/// Progress that says stop once so many positions were counted.
struct StopAfter {
    most: u64,
    done: AtomicU64,
}

impl StopAfter {
    fn new(most: u64) -> Self {
        Self { most, done: AtomicU64::new(0) }
    }
}

impl Progress for StopAfter {
    fn advance(&self, units: u64) {
        self.done.fetch_add(units, Ordering::Relaxed);
    }

    fn stopped(&self) -> bool {
        self.done.load(Ordering::Relaxed) >= self.most
    }
}

/// A count of some 200,000 states in 35 slices.
const SMALL: &str = "W:W17,18:B1,2";

fn small(settings: &Settings<'_>, progress: &dyn Progress) -> Result<Reachable, CountError> {
    count::<International, B6>(&position(SMALL), settings, progress)
}

/// A scratch folder in which a count of [`SMALL`] was stopped half way.
fn stopped(folder: &Path) -> PathBuf {
    let scratch = folder.join("run");
    let stop = StopAfter::new(60_000);
    let stopped = small(&settings(&scratch), &stop);
    assert!(matches!(stopped, Err(CountError::Stopped)), "{stopped:?}");
    scratch
}

fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let all = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        all.filter(|path| path.extension().is_some_and(|e| e == extension)).collect();
    files.sort();
    files
}

#[test]
fn a_stopped_count_goes_on_where_it_was_and_leaves_nothing_when_cleared() {
    let folder = scratch();
    let scratch = stopped(folder.path());
    let finished = files(&scratch, "done").len();
    assert!(finished >= 3 && !files(&scratch, "seeds").is_empty(), "{finished} slices finished");
    let whole = slices::<International, B6>(&position(SMALL), 1);
    let counted = StopAfter::new(u64::MAX);
    let settings = Settings { threads: 2, ..settings(&scratch) };
    assert_eq!(small(&settings, &counted).unwrap(), whole);
    assert_eq!(counted.done.load(Ordering::Relaxed), whole.total());
    // A finished count is not made again, and no seeds are left of it.
    assert!(files(&scratch, "seeds").is_empty());
    assert_eq!(small(&settings, &Unwatched).unwrap(), whole);
    clear(&scratch).unwrap();
    assert!(!scratch.exists());
}

#[test]
fn seeds_of_a_slice_that_was_killed_are_thrown_away() {
    let folder = scratch();
    let scratch = stopped(folder.path());
    let whole = slices::<International, B6>(&position(SMALL), 1);
    // What a killed process leaves of a slice: its seeds, half written, and no record.
    let waiting = files(&scratch, "seeds").pop().unwrap();
    let (_, slice) = waiting.file_stem().unwrap().to_str().unwrap().split_once("-to-").unwrap();
    assert!(!scratch.join(format!("{slice}.done")).exists());
    let half = scratch.join(format!("{slice}-to-0.0.0.1.seeds"));
    std::fs::write(&half, b"half").unwrap();
    std::fs::write(scratch.join(format!("{slice}.tmp")), b"level 3").unwrap();
    assert_eq!(small(&settings(&scratch), &Unwatched).unwrap(), whole);
    assert!(!half.exists());
    clear(&scratch).unwrap();
    assert!(!scratch.exists());
}

#[test]
fn damaged_files_of_a_count_are_refused_by_name() {
    let folder = scratch();
    let scratch = stopped(folder.path());
    let mut damaged = 0;
    for path in [files(&scratch, "done"), files(&scratch, "seeds")].concat() {
        let whole = std::fs::read(&path).unwrap();
        let middle = whole.len() / 2;
        let mut flipped = whole.clone();
        flipped[middle] ^= 0x10;
        let copy = folder.path().join("copy");
        for content in [&whole[..whole.len() - 1], &whole[..middle], &[], &flipped[..]] {
            let _ = std::fs::remove_dir_all(&copy);
            std::fs::create_dir(&copy).unwrap();
            for entry in std::fs::read_dir(&scratch).unwrap() {
                let entry = entry.unwrap();
                std::fs::copy(entry.path(), copy.join(entry.file_name())).unwrap();
            }
            let name = path.file_name().unwrap();
            std::fs::write(copy.join(name), content).unwrap();
            let message = small(&settings(&copy), &Unwatched).expect_err("unseen").to_string();
            let (name, lines) = (name.to_str().unwrap(), message.lines().count());
            assert!(message.contains(name) && message.contains("damaged"), "{name}: {message}");
            assert_eq!(lines, 1, "{message}");
            damaged += 1;
        }
        // The first three of each kind are enough for the loop of edit and test.
        if effort() == Effort::Quick && damaged % 12 == 0 && path.extension().unwrap() == "seeds" {
            break;
        }
    }
    assert!(damaged >= 20, "{damaged} damaged files");
}

#[test]
fn too_little_memory_is_refused_before_anything_is_written() {
    let folder = scratch();
    let scratch = folder.path().join("run");
    let settings = Settings { memory: 10_000, ..settings(&scratch) };
    let error = small(&settings, &Unwatched).unwrap_err();
    let CountError::Memory { needed, allowed: 10_000, .. } = error else { panic!("{error}") };
    assert!(error.to_string().contains(&format!("{needed} bytes of memory (allowed: 10000)")));
    assert!(!scratch.exists());
    let error = count::<Checkers, B8>(&Draughts::<Checkers, B8>::start(), &settings, &Unwatched);
    assert!(matches!(error, Err(CountError::TooLarge(_))), "{error:?}");
    assert!(!scratch.exists());
}

#[test]
fn a_scratch_limit_that_is_passed_is_an_error_after_which_the_count_goes_on() {
    let folder = scratch();
    let scratch = folder.path().join("run");
    let tight = Settings { scratch_limit: 2000, ..settings(&scratch) };
    let error = small(&tight, &Unwatched).unwrap_err();
    let CountError::Scratch { used, allowed: 2000 } = error else { panic!("{error}") };
    assert!(used > 2000);
    let whole = slices::<International, B6>(&position(SMALL), 1);
    assert_eq!(small(&settings(&scratch), &Unwatched).unwrap(), whole);
}

#[test]
fn the_folder_of_another_count_is_refused() {
    let folder = scratch();
    let scratch = stopped(folder.path());
    let settings = settings(&scratch);
    let other = [
        count::<Checkers, B6>(&position(SMALL), &settings, &Unwatched),
        count::<International, B6>(&position("B:W17,18:B1,2"), &settings, &Unwatched),
        count::<International, B8>(&position("W:W17,18:B1,2"), &settings, &Unwatched),
    ];
    for refused in other {
        let message = refused.unwrap_err().to_string();
        assert!(message.contains("count.txt belongs to another count"), "{message}");
    }
    // One count at a time.
    let held = std::fs::File::open(scratch.join("count.txt")).unwrap();
    held.lock().unwrap();
    let message = small(&settings, &Unwatched).unwrap_err().to_string();
    assert!(message.contains("another count is at work"), "{message}");
    drop(held);
    small(&settings, &Unwatched).unwrap();
}
