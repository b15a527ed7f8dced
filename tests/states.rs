//! The exact counter against published levels and against a plain hash-set search.
#![allow(clippy::unwrap_used)]

use ludometer::game::{Game, Notation, Unwatched};
use ludometer::games::draughts::{
    B4, B6, B8, Board, Checkers, Draughts, Duplicates, International, Rules,
};
use ludometer::state_space::breadth_first;
use ludometer::state_space::reachable::{self, Settings};

fn slice_levels<R: Rules, B: Board>(fen: &str, threads: usize) -> Vec<u64> {
    let scratch = tempfile::tempdir().unwrap();
    let game = Draughts::<R, B>::new(Duplicates::Drop);
    let settings = Settings {
        threads,
        memory: 1 << 30,
        scratch: &scratch.path().join("run"),
        scratch_limit: 1 << 30,
    };
    let start = game.read_position(fen).unwrap();
    reachable::count(&game, &start, &settings, &Unwatched).unwrap().levels()
}

fn hash_levels<R: Rules, B: Board>(fen: &str) -> Vec<u64> {
    let game = Draughts::<R, B>::new(Duplicates::Drop);
    let start = game.read_position(fen).unwrap();
    breadth_first::levels(&game, &start, None, 1 << 24, &Unwatched).unwrap()
}

#[test]
fn slices_and_hash_set_agree_on_small_starts() {
    for fen in ["B:W7,8:B1,2", "W:W7,8:B1,2", "W:W5-8:B1-3,K4", "B:WK8:BK1"] {
        let expected = hash_levels::<Checkers, B4>(fen);
        assert_eq!(slice_levels::<Checkers, B4>(fen, 1), expected, "{fen}");
        let expected = hash_levels::<International, B4>(fen);
        assert_eq!(slice_levels::<International, B4>(fen, 2), expected, "{fen}");
    }
    for fen in ["B:W16-18:B1-3", "W:W16,K5:B1,K9", "W:W14:BK1,K2"] {
        let expected = hash_levels::<Checkers, B6>(fen);
        assert_eq!(slice_levels::<Checkers, B6>(fen, 2), expected, "{fen}");
    }
    let expected = hash_levels::<International, B8>("W:W30,K32:BK1,5");
    assert_eq!(slice_levels::<International, B8>("W:W30,K32:BK1,5", 2), expected);
}
