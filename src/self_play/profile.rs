//! One game, cut off where its endgame would be looked up.
//!
//! Source: J. J. van Horssen, *Complexity of checkers and draughts on different board sizes*, ICGA
//! Journal, section 3, called *the paper* here.

use std::fmt;

use crate::game::Game;
use crate::games::draughts::{Board, Draughts, Position, Rules, Side, Word};
use crate::pdn::{GameResult, Record, Termination};

/// The number of pieces at which a game is taken to be over.
///
/// A game ends with the first position, the start position included, that has this many pieces or fewer,
/// as if it were found in an endgame database; its length is the number of plies to that
/// position. The result that is counted stays that of the whole game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StopAt(Option<u32>);

impl StopAt {
    /// Games are not cut off.
    pub const NEVER: Self = Self(None);

    /// Games are cut off at `pieces` pieces.
    pub fn pieces(pieces: u32) -> Self {
        Self(Some(pieces))
    }

    /// What the paper uses on a board of `size` x `size`: 6 pieces on 6x6, 10 on 8x8, 8 on 10x10,
    /// 7 on 12x12, 6 on 14x14; boards that it does not treat are not cut off.
    pub fn published(size: u32) -> Self {
        Self(match size {
            6 => Some(6),
            8 => Some(10),
            10 => Some(8),
            12 => Some(7),
            14 => Some(6),
            _ => None,
        })
    }

    /// The number of pieces; `None` when games are not cut off.
    pub fn limit(self) -> Option<u32> {
        self.0
    }

    /// Whether a game is over in `position`.
    #[inline]
    pub fn reached<B: Board>(self, position: &Position<B>) -> bool {
        let pieces = position.pieces(Side::White) | position.pieces(Side::Black);
        self.0.is_some_and(|limit| pieces.count() <= limit)
    }
}

impl fmt::Display for StopAt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(pieces) => write!(f, "{pieces}"),
            None => f.write_str("none"),
        }
    }
}

/// What one game contributes to a [`Tally`](super::Tally).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    /// For each ply played: the number of legal moves there were, and how many pieces the move took.
    pub plies: Vec<(u16, u8)>,
    /// Whether the game was cut off before its end.
    pub cut: bool,
    /// How the whole game ended.
    pub result: GameResult,
    /// Why it ended, where that is known.
    pub termination: Option<Termination>,
    /// The start and the moves that count: equal for duplicates and for no other games.
    pub key: Box<[u8]>,
}

impl Profile {
    /// The profile of `record`, whose moves must be legal, cut off at `stop`.
    ///
    /// Moves are counted under the duplicate policy of `game`.
    pub fn of<R: Rules, B: Board>(game: &Draughts<R, B>, record: &Record<B>, stop: StopAt) -> Self {
        let mut position = record.start;
        let mut legal = Vec::new();
        let mut plies = Vec::with_capacity(record.moves.len());
        let mut key = Vec::with_capacity(2 * record.moves.len() + 1);
        push_position(&position, &mut key);
        let mut played = 0;
        for &mv in &record.moves {
            if stop.reached(&position) {
                break;
            }
            game.legal_moves(&position, &mut legal);
            let mobility = u16::try_from(legal.len()).unwrap_or(u16::MAX);
            let taken = u8::try_from(mv.captured.count()).unwrap_or(u8::MAX);
            plies.push((mobility, taken));
            let index = legal.iter().position(|other| *other == mv);
            let index = index.expect("the moves of a record are legal");
            // Seven bits a byte, the eighth says that there are more.
            let mut rest = index;
            while rest >= 0x80 {
                key.push(0x80 | (rest & 0x7f) as u8);
                rest >>= 7;
            }
            key.push(rest as u8);
            game.play(&mut position, mv);
            played += 1;
        }
        Self {
            plies,
            cut: played < record.moves.len() || stop.reached(&position),
            result: record.result,
            termination: record.termination.clone(),
            key: key.into(),
        }
    }
}

/// Appends a position: a byte for each square and one for the side to move, the squares run-length
/// encoded by what is on them.
fn push_position<B: Board>(position: &Position<B>, key: &mut Vec<u8>) {
    let on = |square: u32| {
        let bit = B::Word::bit(B::bit_of(square));
        let holds = |set: B::Word| u8::from(!(set & bit).is_empty());
        let (white, black) = (Side::White, Side::Black);
        holds(position.men(white))
            | holds(position.kings(white)) << 1
            | holds(position.men(black)) << 2
            | holds(position.kings(black)) << 3
    };
    key.push(position.side() as u8);
    let mut square = 1;
    while square <= B::SQUARES {
        let what = on(square);
        let run = (square..=B::SQUARES).take_while(|other| on(*other) == what).count();
        key.extend([what, run as u8]);
        square += run as u32;
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::game::Notation;
    use crate::games::draughts::{B6, Checkers, Duplicates};

    fn record(fen: Option<&str>, moves: &str) -> (Draughts<Checkers, B6>, Record<B6>) {
        let game = Draughts::<Checkers, B6>::new(Duplicates::Drop);
        let start = fen.map_or(game.initial(), |fen| game.read_position(fen).unwrap());
        let mut position = start;
        let read = |text| {
            let mv = game.read_move(&position, text).unwrap();
            game.play(&mut position, mv);
            mv
        };
        let moves = moves.split_whitespace().map(read).collect();
        let result = GameResult::Won(Side::White);
        (game, Record { tags: vec![], start, moves, result, termination: None })
    }

    const GAME: &str = "5-7 15-12 2-5 12-9 7-11 14x7x2 1-5 2x7 4x11 9x2 3-6 13x8x3";

    /// Counted by hand: 12 men until 14x7x2 takes two, then one a ply until the end.
    #[test]
    fn a_game_ends_where_the_pieces_are_few_enough() {
        let (game, record) = record(None, GAME);
        let length = |stop| {
            let profile = Profile::of(&game, &record, stop);
            (profile.plies.len(), profile.cut)
        };
        assert_eq!(length(StopAt::NEVER), (12, false));
        assert_eq!(length(StopAt::pieces(12)), (0, true));
        assert_eq!(length(StopAt::pieces(11)), (6, true));
        assert_eq!(length(StopAt::pieces(10)), (6, true));
        assert_eq!(length(StopAt::pieces(9)), (8, true));
        assert_eq!(length(StopAt::published(6)), (12, true));
        assert_eq!(length(StopAt::pieces(4)), (12, false));
        let taken: Vec<u8> = Profile::of(&game, &record, StopAt::NEVER)
            .plies
            .iter()
            .map(|(_, taken)| *taken)
            .collect();
        assert_eq!(taken, [0, 0, 0, 0, 0, 2, 0, 1, 1, 1, 0, 2]);
    }

    #[test]
    fn keys_are_equal_for_equal_games_only() {
        let key = |fen, moves, stop| {
            let (game, record) = record(fen, moves);
            Profile::of(&game, &record, stop).key
        };
        let whole = key(None, GAME, StopAt::NEVER);
        let shorter = "5-7 15-12 2-5 12-9 7-11 14x7x2 1-5";
        assert_ne!(whole, key(None, shorter, StopAt::NEVER));
        assert_eq!(key(None, GAME, StopAt::pieces(10)), key(None, shorter, StopAt::pieces(10)));
        assert_ne!(key(None, "5-7", StopAt::NEVER), key(None, "5-8", StopAt::NEVER));
        assert_eq!(
            key(None, "5-7", StopAt::NEVER),
            key(Some("B:W13-18:B1-6"), "5-7", StopAt::NEVER)
        );
        assert_ne!(
            key(Some("B:W13-17:B1-6"), "5-7", StopAt::NEVER),
            key(None, "5-7", StopAt::NEVER)
        );
        assert_ne!(
            key(Some("B:WK13:B1-6"), "", StopAt::NEVER),
            key(Some("B:W13:B1-6"), "", StopAt::NEVER)
        );
    }
}
