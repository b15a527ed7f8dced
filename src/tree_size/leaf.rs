//! Replicates of walks that count the moves which end the game instead of drawing them.
//!
//! A walk of weight `w` stands in a position with `t` moves that end the game at once and `c` that do
//! not. All `t` games are counted, each with weight `w`; one of the `c` other moves is drawn and the
//! weight becomes `c w`. That is the conditional expectation, given the walk before, of what a draw
//! among all moves would have counted of these games (a Rao-Blackwell estimate), so the sums keep
//! their expectations and the part of their variance that these draws would add is gone.

use rand_xoshiro::Xoshiro256PlusPlus;

use super::replicate::{Estimator, Replicate};
use super::scaled::scale;
use super::sums::{Sums, Term};
use super::walk::{SCALE_AT, SCALE_BITS};
use crate::game::{Progress, Scored};
use crate::stream::bounded;

/// `games` walks of moves drawn uniformly among those that do not end the game.
pub(super) struct LeafRaoBlackwell {
    pub(super) games: u64,
}

impl<G: Scored> Estimator<G> for LeafRaoBlackwell {
    type Space = Vec<G::Move>;

    fn space(&self) -> Self::Space {
        Vec::new()
    }

    fn replicate(
        &self,
        game: &G,
        generator: &mut Xoshiro256PlusPlus,
        scratch: &mut Self::Space,
        progress: &dyn Progress,
    ) -> Option<Replicate> {
        Sums::of_walks(self.games, progress, |sums| sums.add(&walk(game, generator, scratch)))
    }
}

/// What one walk counts.
#[inline]
fn walk<G: Scored>(
    game: &G,
    generator: &mut Xoshiro256PlusPlus,
    scratch: &mut Vec<G::Move>,
) -> Term {
    let mut position = game.initial();
    let mut term = Term { nodes: 1.0, ..Term::default() };
    let mut weight = 1.0;
    let mut plies = 0;
    if game.mobility(&position, scratch) == 0 {
        term.end(weight, plies, game.outcome(&position));
        return term;
    }
    loop {
        let mut ends = [0; 3];
        let open = game.open_moves(&position, scratch, &mut ends);
        plies += u32::from(game.counts_as_ply(&position));
        term.end_each(weight, plies, ends);
        term.nodes += weight * (open + ends.iter().sum::<u32>() as usize) as f64;
        if open == 0 {
            return term;
        }
        let n = bounded(generator, open as u64);
        game.play_open(&mut position, n as usize, scratch);
        weight *= open as f64;
        if weight >= SCALE_AT {
            weight = scale(weight, -SCALE_BITS);
            term.rescale(-SCALE_BITS);
        }
    }
}
