//! The perfect player at the board: it chooses at random among the best moves that it knows, and
//! where it knows of none, what a searching player likes best.

use rand_xoshiro::Xoshiro256PlusPlus;

use super::player::{Choice, Player, PlayerError, SharedDatabase, Watch, whole};
use crate::engine::MATE;
use crate::game::Progress;
use crate::games::draughts::draw::Played;
use crate::games::draughts::{Board, Move, Rules};
use crate::solve::{JudgedMove, Pains, Perfect, Worth};
use crate::stream::bounded;

/// The score of a win that nobody has counted, in hundredths of a man.
const SURE_WIN: i32 = MATE / 2;

pub(super) struct PerfectPlayer<R: Rules, B: Board> {
    database: SharedDatabase<B>,
    perfect: Perfect<R, B, SharedDatabase<B>>,
    searcher: Box<dyn Player<R, B>>,
}

impl<R: Rules, B: Board> PerfectPlayer<R, B> {
    /// A player that asks `database`, and `searcher` about moves of unknown value.
    pub(super) fn new(database: SharedDatabase<B>, searcher: Box<dyn Player<R, B>>) -> Self {
        let perfect = Perfect::new(database.clone(), Pains::DEFAULT);
        Self { database, perfect, searcher }
    }
}

/// Whether a search may tell more than the proofs do.
fn open<B: Board>(judged: &JudgedMove<B>) -> bool {
    match judged.worth {
        None => true,
        Some(Worth::Loss) => judged.plies.is_none(),
        Some(Worth::Win | Worth::Draw) => false,
    }
}

fn score<B: Board>(judged: &JudgedMove<B>) -> Option<i32> {
    let counted = judged.plies.map_or(SURE_WIN, |plies| MATE - plies as i32);
    Some(match judged.worth? {
        Worth::Win => counted,
        Worth::Draw => 0,
        Worth::Loss => -counted,
    })
}

impl<R: Rules, B: Board> Player<R, B> for PerfectPlayer<R, B> {
    fn begin(&mut self) {
        self.perfect.begin();
        self.searcher.begin();
    }

    fn choose(
        &mut self,
        played: &Played<B>,
        moves: &[Move<B>],
        mut generator: Option<&mut Xoshiro256PlusPlus>,
        progress: &dyn Progress,
    ) -> Result<Choice<B>, PlayerError> {
        let mut order = moves.to_vec();
        if let Some(generator) = &mut generator {
            for last in (1..order.len()).rev() {
                order.swap(last, bounded(generator, last as u64 + 1) as usize);
            }
        }
        // A match counts games, not the nodes of proofs.
        let watch = &Watch { progress, until: None };
        let before = self.perfect.nodes();
        let (position, earlier) = (played.position(), played.earlier());
        let chosen = self.perfect.choose(position, &order, earlier, watch);
        let mut chosen = chosen.expect("there are moves to choose from");
        let mut nodes = self.perfect.nodes() - before;
        if progress.stopped() {
            return Err(PlayerError::Stopped);
        }
        if open(&chosen) {
            let liked = self.searcher.choose(played, moves, generator, progress)?;
            nodes += liked.nodes;
            order.retain(|mv| *mv != liked.mv);
            order.insert(0, liked.mv);
            let again = self.perfect.choose(position, &order, earlier, watch);
            chosen = again.expect("there are moves to choose from");
        }
        if progress.stopped() {
            return Err(PlayerError::Stopped);
        }
        whole(Some(&self.database))?;
        Ok(Choice { mv: chosen.mv, score: score(&chosen), nodes })
    }

    fn glance(&mut self, played: &Played<B>) -> Option<i32> {
        self.searcher.glance(played)
    }
}
