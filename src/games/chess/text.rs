//! Chess positions as FEN and moves as in UCI.

use cozy_chess::util::{display_uci_move, parse_uci_move};
use cozy_chess::{Board, Color, FenParseError, File, Move, Square};

use super::{Chess, Position};
use crate::game::{Game, Notation, NotationError};
use crate::games::board_text;

const SYNTAX: &str = "FEN, rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1; the two numbers may be left out";

impl Notation for Chess {
    fn position_syntax(&self) -> String {
        SYNTAX.to_owned()
    }

    fn write_position(&self, position: &Position) -> String {
        position.board.to_string()
    }

    fn read_position(&self, text: &str) -> Result<Position, NotationError> {
        let mut fields: Vec<&str> = text.split_whitespace().collect();
        if fields.len() == 4 {
            fields.extend(["0", "1"]);
        }
        let &[placement, side, castling, en_passant, clock, number] = &fields[..] else {
            let problem = format!("has {} fields, not 6 or 4", fields.len());
            return Err(NotationError::new(text.trim(), problem, SYNTAX));
        };
        if placement.split('/').count() != 8 {
            let problem = format!("has {} ranks, not 8", placement.split('/').count());
            return Err(NotationError::new(placement, problem, SYNTAX));
        }
        let board = Board::from_fen(&fields.join(" "), false).map_err(|error| {
            let (token, problem, allowed) = match error {
                FenParseError::InvalidBoard => {
                    (placement, "is no placement that chess can reach", SYNTAX)
                }
                FenParseError::InvalidSideToMove => (side, "is no side to move", "w or b"),
                FenParseError::InvalidCastlingRights => {
                    (castling, "are no castling rights of this placement", "KQkq or -")
                }
                FenParseError::InvalidEnPassant => {
                    (en_passant, "is no square passed by the last move", "a square or -")
                }
                FenParseError::InvalidHalfMoveClock => {
                    (clock, "is no number of plies without pawn move or capture", "0 to 100")
                }
                FenParseError::InvalidFullmoveNumber => {
                    (number, "is no number of the move", "1 to 65535")
                }
                FenParseError::MissingField | FenParseError::TooManyFields => {
                    (text, "is no FEN", SYNTAX)
                }
            };
            NotationError::new(token, problem, allowed)
        })?;
        let is_castling_of_960 = Color::ALL.into_iter().any(|color| {
            let rights = board.castle_rights(color);
            (rights.short.is_some() || rights.long.is_some()) && board.king(color).file() != File::E
        });
        if is_castling_of_960 {
            let problem = "are no castling rights: the king is not on its square";
            return Err(NotationError::new(castling, problem, ""));
        }
        Ok(self.position(board))
    }

    fn write_move(&self, position: &Position, mv: Move) -> String {
        display_uci_move(&position.board, mv).to_string()
    }

    fn read_move(&self, position: &Position, text: &str) -> Result<Move, NotationError> {
        let is_spelled = |mv: &Move| self.write_move(position, *mv) == text;
        let named = parse_uci_move(&position.board, text).ok().filter(is_spelled);
        let mut moves = Vec::new();
        self.legal_moves(position, &mut moves);
        named
            .filter(|mv| moves.contains(mv))
            .ok_or_else(|| board_text::no_move(self, position, text))
    }
}

/// Every square has the same number in the crate as in masks: a1 is 0, h8 is 63.
const _: () =
    assert!(Square::A1 as usize == 0 && Square::B1 as usize == 1 && Square::H8 as usize == 63);
