//! Verifies a database position by position.
//!
//! Every value must be the minimax of the values of the successors: lost in 0 without a move; else
//! won in one ply more than the fastest loss of a successor; without such a loss, drawn when a
//! successor is drawn; else lost in one ply more than the slowest win. Distances fall along the moves
//! that decide, so values for which this holds everywhere are right, wins and losses by induction on
//! their distance, and draws because either side can go from draw to draw for ever.
//!
//! The successors come from the canonical list of legal moves, one position at a time, and nothing is
//! shared with the way values were found but the numbers of positions.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;
use thiserror::Error;

use super::bytes;
use super::slices::Place;
use super::tables::Tables;
use crate::engine::{Probe, Value};
use crate::game::{Game, Notation, Progress};
use crate::games::draughts::{Board, Draughts, Duplicates, Position, Rules, Side};

/// Why a database is not verified.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum VerifyError {
    /// A value is not the minimax of the successors.
    #[error("{position} is {kept:?} in the database; its moves say {wanted:?}")]
    Wrong {
        /// The position.
        position: String,
        /// Its value in the database; `None` when it has none.
        kept: Option<Value>,
        /// What its successors say; `None` when one of them has no value.
        wanted: Option<Value>,
    },
    /// The work was asked to stop.
    #[error("stopped")]
    Stopped,
}

/// Positions between two looks at whether to stop.
const STRETCH: u64 = 1 << 14;

/// Verifies every position of `tables` on the current threads of rayon; gives how many there are.
///
/// # Errors
/// For a wrong value, and when stopped.
pub fn verify<R: Rules, B: Board>(
    tables: &Tables<R, B>,
    progress: &dyn Progress,
) -> Result<u64, VerifyError> {
    let all = tables.slices().size();
    let done = AtomicU64::new(0);
    progress.share(0, all);
    for (place, entry) in tables.slices().entries().iter().enumerate() {
        let size = entry.ranking.size();
        for side in entry.sides() {
            let stretches: Vec<u64> = (0..size).step_by(STRETCH as usize).collect();
            stretches.into_par_iter().try_for_each(|first| {
                if progress.stopped() {
                    return Err(VerifyError::Stopped);
                }
                let last = size.min(first + STRETCH);
                stretch(tables, place, *side, first..last)?;
                let done = done.fetch_add(last - first, Ordering::Relaxed) + (last - first);
                progress.advance(last - first);
                progress.share(done, all);
                Ok(())
            })?;
        }
    }
    Ok(all)
}

fn stretch<R: Rules, B: Board>(
    tables: &Tables<R, B>,
    place: usize,
    side: Side,
    numbers: std::ops::Range<u64>,
) -> Result<(), VerifyError> {
    let game = Draughts::<R, B>::new(Duplicates::Drop);
    let entry = &tables.slices().entries()[place];
    let bytes = tables.bytes(place);
    let mut cursor = entry.ranking.cursor();
    let mut moves = Vec::new();
    for number in numbers {
        let position = cursor.unrank(number, side);
        let at = Place { entry: place, number: entry.first(side) + number };
        let kept = bytes::value(bytes[at.number as usize].load(Ordering::Relaxed));
        let wanted = minimax(&game, tables, &position, &mut moves);
        if kept.is_none() || kept != wanted || tables.slices().place(&position) != Some(at) {
            let position = game.write_position(&position);
            return Err(VerifyError::Wrong { position, kept, wanted });
        }
    }
    Ok(())
}

/// What the successors of `position` say; `None` when one of them has no value.
fn minimax<R: Rules, B: Board>(
    game: &Draughts<R, B>,
    tables: &Tables<R, B>,
    position: &Position<B>,
    moves: &mut Vec<<Draughts<R, B> as Game>::Move>,
) -> Option<Value> {
    game.legal_moves(position, moves);
    if moves.is_empty() {
        return Some(Value::Loss(0));
    }
    let (mut win, mut draw, mut loss) = (None::<u32>, false, 0);
    for mv in moves.iter() {
        let mut next = *position;
        game.play(&mut next, *mv);
        match tables.probe(&next)? {
            Value::Loss(plies) => win = Some(win.map_or(plies, |fastest| fastest.min(plies))),
            Value::Draw => draw = true,
            Value::Win(plies) => loss = loss.max(plies),
        }
    }
    Some(match win {
        Some(plies) => Value::Win(plies + 1),
        None if draw => Value::Draw,
        None => Value::Loss(loss + 1),
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::endgame::build;
    use crate::game::Unwatched;
    use crate::games::draughts::{B4, International};

    #[test]
    fn every_wrong_byte_is_found_and_the_position_named() {
        let tables = build::<International, B4>(2, None, 1, &Unwatched, &mut |_| ()).unwrap();
        let all = verify(&tables, &Unwatched).unwrap();
        let mut changed = 0;
        for place in 0..tables.slices().entries().len() {
            for byte in tables.bytes(place) {
                let right = byte.load(Ordering::Relaxed);
                for wrong in [right ^ 1, right.wrapping_add(2), bytes::UNKNOWN] {
                    byte.store(wrong, Ordering::Relaxed);
                    let error = verify(&tables, &Unwatched).unwrap_err();
                    assert!(matches!(error, VerifyError::Wrong { .. }), "{error}");
                    assert!(error.to_string().contains(":W"), "{error}");
                }
                byte.store(right, Ordering::Relaxed);
                changed += 1;
            }
        }
        assert_eq!(changed, all);
    }
}
