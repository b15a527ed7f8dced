//! Ballots: openings of a few plies from which the games of a match begin, so that two engines that
//! always play alike do not play one game again and again.
//!
//! A two-move ballot is one move of each side, every pair of legal moves once. Pairs after which one side
//! loses material by force at once are left out, as in the two-move restriction of checkers, whose 49
//! pairs make 47 ballots, and in the matches of J. van Horssen (*Complexity of checkers and draughts on
//! different board sizes*, section 3), where 79 of the 81 pairs of 10x10 draughts are played, each
//! twice.

use crate::engine::{Engine, Limits, Material, Settings};
use crate::game::{Game, Unwatched};
use crate::games::draughts::draw::{Adjudicated, Played};
use crate::games::draughts::material::MAN;
use crate::games::draughts::{Board, Move, Rules};

/// Plies of a two-move ballot.
pub const BALLOT_PLIES: usize = 2;

/// Plies within which a ballot must not lose material; 3 to 7 leave out the same ones.
const LOOK_AHEAD: u32 = 4;

/// The openings of `plies` plies that lose no material at once, in canonical order.
pub fn ballots<R: Rules, B: Board>(game: &Adjudicated<R, B>, plies: usize) -> Vec<Vec<Move<B>>> {
    let mut engine = Engine::new(Material, game.rule(), Settings::DEFAULT);
    let mut found = Vec::new();
    let mut path = Vec::new();
    extend(game, &game.initial(), plies, &mut engine, &mut path, &mut found);
    found
}

fn extend<R: Rules, B: Board>(
    game: &Adjudicated<R, B>,
    played: &Played<B>,
    plies: usize,
    engine: &mut Engine<R, B, Material>,
    path: &mut Vec<Move<B>>,
    found: &mut Vec<Vec<Move<B>>>,
) {
    let mut moves = Vec::new();
    game.legal_moves(played, &mut moves);
    if plies == 0 {
        let limits = Limits::depth(LOOK_AHEAD);
        let search = engine.search(played, limits, None, &Unwatched, &mut |_| ());
        if search.is_some_and(|search| search.score.abs() < MAN) {
            found.push(path.clone());
        }
        return;
    }
    for mv in moves {
        let mut next = played.clone();
        game.play(&mut next, mv);
        path.push(mv);
        extend(game, &next, plies - 1, engine, path, found);
        path.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::draughts::draw::DrawRule;
    use crate::games::draughts::{B6, B8, B10, B12, B14, Checkers, Duplicates, International};

    fn count<R: Rules, B: Board>() -> usize {
        ballots(&Adjudicated::<R, B>::new(Duplicates::Drop, DrawRule::of::<R>()), BALLOT_PLIES)
            .len()
    }

    #[test]
    fn there_are_47_ballots_of_checkers_and_79_of_10x10_draughts() {
        assert_eq!(count::<Checkers, B8>(), 47);
        assert_eq!(count::<International, B10>(), 79);
    }

    #[test]
    fn other_boards_lose_a_pair_here_and_there() {
        assert_eq!(count::<Checkers, B6>(), 23);
        assert_eq!(count::<International, B6>(), 23);
        assert_eq!(count::<International, B8>(), 47);
        assert_eq!(count::<International, B12>(), 119);
        assert_eq!(count::<International, B14>(), 167);
    }
}
