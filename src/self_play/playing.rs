//! One game between two players, and when it ends.

use rand_xoshiro::Xoshiro256PlusPlus;

use super::player::{Player, PlayerError};
use crate::engine::drawish;
use crate::game::{Game, Progress};
use crate::games::draughts::draw::{Adjudicated, Drawn, Played};
use crate::games::draughts::{Board, Move, Rules, Side, Word};
use crate::pdn::{GameResult, Record, Termination};

/// A score this near to zero, in hundredths of a man, makes drawish material a draw. The positional
/// evaluation keeps a thirty-second of what such material is worth.
const NEAR_ZERO: i32 = 25;

/// What ends a game beside the rules and the draw rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ending {
    /// The game is left unfinished once so many pieces or fewer are on the board.
    pub stop_at_pieces: Option<u32>,
}

/// A game that was played, without tags, and what it took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedGame<B: Board> {
    /// The moves and the result.
    pub record: Record<B>,
    /// Positions that both players visited.
    pub nodes: u64,
}

/// Plays a game from its start position through the moves of `opening` to its end; `seats` are the
/// indices of White and of Black among `players`, and may be equal.
///
/// A single legal move is made without asking. A game of draughts is drawn when the material is
/// drawish ([`drawish`]) and the score of the player to move near zero: the score of its search
/// where it searches, what it sees at a glance where it has no choice or does not search.
///
/// # Errors
/// When a player was stopped or cannot play on.
pub fn play<R: Rules, B: Board>(
    game: &Adjudicated<R, B>,
    opening: &[Move<B>],
    players: &mut [Box<dyn Player<R, B>>],
    seats: [usize; 2],
    ending: Ending,
    mut generator: Option<&mut Xoshiro256PlusPlus>,
    progress: &dyn Progress,
) -> Result<PlayedGame<B>, PlayerError> {
    let start = game.initial();
    let mut played = start.clone();
    let mut record = Record {
        tags: Vec::new(),
        start: *start.position(),
        moves: opening.to_vec(),
        result: GameResult::Unfinished,
        termination: None,
    };
    for mv in opening {
        game.play(&mut played, *mv);
    }
    let mut nodes = 0;
    let mut moves = Vec::new();
    players.iter_mut().for_each(|player| player.begin());
    loop {
        if let Some((result, termination)) = over(game, &played, &mut moves, ending) {
            record.result = result;
            record.termination = Some(termination);
            return Ok(PlayedGame { record, nodes });
        }
        let player = &mut players[seats[played.position().side() as usize]];
        let choice = if moves.len() == 1 {
            None
        } else {
            Some(player.choose(&played, &moves, generator.as_deref_mut(), progress)?)
        };
        nodes += choice.map_or(0, |choice| choice.nodes);
        if drawish::<R, B>(played.position()) {
            let score = choice.and_then(|choice| choice.score).or_else(|| player.glance(&played));
            if score.is_some_and(|score| score.abs() <= NEAR_ZERO) {
                record.result = GameResult::Draw;
                record.termination = Some(Termination::DrawishMaterial);
                return Ok(PlayedGame { record, nodes });
            }
        }
        let mv = choice.map_or(moves[0], |choice| choice.mv);
        record.moves.push(mv);
        game.play(&mut played, mv);
    }
}

/// How the game has ended, if it has; lists the moves of the side to move.
fn over<R: Rules, B: Board>(
    game: &Adjudicated<R, B>,
    played: &Played<B>,
    moves: &mut Vec<Move<B>>,
    ending: Ending,
) -> Option<(GameResult, Termination)> {
    game.rules().legal_moves(played.position(), moves);
    if moves.is_empty() {
        let winner = played.position().side().other();
        return Some((GameResult::Won(winner), Termination::NoMoves));
    }
    if let Some(drawn) = played.drawn() {
        let why = match drawn {
            Drawn::Repetition => Termination::Repetition,
            Drawn::QuietKings => Termination::QuietKings,
            Drawn::LoneKing => Termination::LoneKing,
            Drawn::PlyCap => Termination::PlyCap,
        };
        return Some((GameResult::Draw, why));
    }
    let most = ending.stop_at_pieces?;
    let position = played.position();
    let pieces = (position.pieces(Side::White) | position.pieces(Side::Black)).count();
    (pieces <= most)
        .then(|| (GameResult::Unfinished, Termination::Other(format!("{most} pieces left"))))
}
