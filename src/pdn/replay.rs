//! Games of a text played through by the rules core.
//!
//! What counts is the moves. Numbers of moves are not looked at; the position of the tag `FEN` says
//! who moves. Where a game type puts square 1 in another corner than ours and the moves fit only
//! the usual numbering, the moves win. A short capture that could mean several is an error that lists
//! them, unless only one of them lets the moves after it be made. A variation replaces the move just before it, and begins in
//! the position before that move.

use super::game_type::GameType;
use super::record::{GameResult, Record, Tag, Termination};
use super::source::Source;
use super::squares::Squares;
use super::syntax::{Item, TextGame};
use super::tokens::setup_position;
use super::warning::{Flaw, Warning};
use crate::game::{Game, Notation, NotationError};
use crate::games::catalog::GameSpec;
use crate::games::draughts::{Board, Draughts, Move, Position, Rules, Side};

/// Variations inside variations that are followed.
const DEEPEST: usize = 200;
/// Plies that are tried to find out which of several captures was meant.
const FORESIGHT: usize = 100;

/// A game played through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replay<B: Board> {
    /// The game, up to the first move that cannot be made.
    pub record: Record<B>,
    /// Whether every move of the main line could be made.
    pub whole: bool,
    /// Plies in variations that could be made.
    pub variation_plies: usize,
    /// What is wrong with the moves and with the result they lead to.
    pub warnings: Vec<Warning>,
}

/// How a game of a text is spelled in the notation of the rules core.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spelling {
    /// The tag `GameType`.
    pub(super) game_type: String,
    /// The position before the first move.
    pub(super) start: String,
    /// Whether the player who moves second in the variant makes the first move.
    pub(super) begins_second: bool,
    /// Whether the position before the first move stands among the moves.
    pub(super) set_up: bool,
    /// For each item of the text that is a move and could be made: the move.
    pub(super) moves: Vec<Option<String>>,
}

impl TextGame<'_> {
    /// Whether the main line holds a position.
    fn has_setup(&self) -> bool {
        let mut depth = 0usize;
        self.items.iter().any(|item| {
            match item {
                Item::Open => depth += 1,
                Item::Close => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0 && matches!(item, Item::Setup(..))
        })
    }

    /// Which game this is: what the tag `GameType` says, or else `asked`; with what is wrong with the
    /// tag.
    ///
    /// # Errors
    /// When the tag names rules or a board that we do not have, or when nothing says which game
    /// it is.
    pub fn game(
        &self,
        source: &Source,
        asked: Option<&GameSpec>,
    ) -> Result<(GameSpec, Option<Warning>), Warning> {
        let tag = self.tags.iter().find(|tag| tag.name == "GameType");
        let offset = tag.map_or(self.offset, |tag| tag.offset);
        let warning = |flaw| Warning { game: self.number, place: source.place(offset), flaw };
        let Some(tag) = tag else {
            return asked.cloned().map(|game| (game, None)).ok_or_else(|| warning(Flaw::NoGame));
        };
        match GameType::read(&tag.value) {
            Ok(said) => {
                let game = said.game().ok_or_else(|| warning(Flaw::NoRules(said.describe())))?;
                let other = asked
                    .filter(|asked| asked.draughts() != game.draughts())
                    .map(|asked| warning(Flaw::OtherGame { tag: game.id(), asked: asked.id() }));
                // What was asked for may say more of the same game, such as a draw rule.
                let asked = asked.filter(|_| other.is_none());
                Ok((asked.cloned().unwrap_or(game), other))
            }
            Err(error) => match asked {
                Some(game) => Ok((game.clone(), Some(warning(error.into())))),
                None => Err(warning(error.into())),
            },
        }
    }
}

/// Plays `text` through by the rules of `game`.
///
/// # Errors
/// When the position before the first move cannot be made out.
pub fn replay<R: Rules, B: Board>(
    game: &Draughts<R, B>,
    source: &Source,
    text: &TextGame<'_>,
) -> Result<Replay<B>, Warning> {
    play_through(game, source, text, None)
}

/// [`replay`], with the spelling of the game for
/// [`push_text_game`](super::push_text_game).
///
/// # Errors
/// As [`replay`].
pub fn respell<R: Rules, B: Board>(
    game: &Draughts<R, B>,
    source: &Source,
    text: &TextGame<'_>,
) -> Result<(Replay<B>, Spelling), Warning> {
    let mut moves = Vec::new();
    let replay = play_through(game, source, text, Some(&mut moves))?;
    let spelling = Spelling {
        game_type: GameType::of::<R, B>().to_string(),
        start: game.write_position(&replay.record.start),
        set_up: replay.whole && text.has_setup(),
        begins_second: replay.record.start.side() != R::FIRST_MOVER,
        moves,
    };
    Ok((replay, spelling))
}

fn play_through<R: Rules, B: Board>(
    game: &Draughts<R, B>,
    source: &Source,
    text: &TextGame<'_>,
    spelled: Option<&mut Vec<Option<String>>>,
) -> Result<Replay<B>, Warning> {
    let said = text.tag("GameType").and_then(|value| GameType::read(value).ok());
    let squares = said.map_or(Squares::USUAL, |said| Squares::of(&said));
    let warning = |offset, flaw| Warning { game: text.number, place: source.place(offset), flaw };
    let spell = spelled.is_some();
    let attempt = |squares| Attempt::make(game, text, squares, spell);
    let mut attempt_made = attempt(squares);
    if squares.numbers != Squares::USUAL.numbers {
        let usual = attempt(Squares::USUAL);
        let plies = |made: &Result<Attempt<B>, _>| made.as_ref().map_or(0, |made| made.moves.len());
        if plies(&usual) > plies(&attempt_made) || attempt_made.is_err() {
            attempt_made = usual.map(|mut made| {
                let tag = text.tags.iter().find(|tag| tag.name == "GameType");
                made.flaws.insert(0, (tag.map_or(text.offset, |tag| tag.offset), Flaw::Corner));
                made
            });
        }
    }
    let made = attempt_made.map_err(|(offset, flaw)| warning(offset, flaw))?;
    let result =
        GameResult::of_score(text.score(), R::FIRST_MOVER).unwrap_or(GameResult::Unfinished);
    let mut warnings: Vec<Warning> =
        made.flaws.into_iter().map(|(offset, flaw)| warning(offset, flaw)).collect();
    if made.whole && game.mobility(&made.end, &mut Vec::new()) == 0 {
        let loser = made.end.side();
        if !matches!(result, GameResult::Unfinished) && result != GameResult::Won(loser.other()) {
            let side = if loser == Side::White { "White" } else { "Black" };
            let said = text.score().to_owned();
            let last = text.items.iter().rev().find_map(|item| match item {
                Item::Move { offset, .. } => Some(*offset),
                _ => None,
            });
            warnings.push(warning(last.unwrap_or(text.offset), Flaw::Board { said, side }));
        }
    }
    let tags = text.tags.iter().filter(|tag| !Record::<B>::holds(tag.name));
    let record = Record {
        tags: tags.map(|tag| Tag::new(tag.name, &tag.value)).collect(),
        start: made.start,
        moves: made.moves,
        result,
        termination: text.tag("Termination").map(Termination::read),
    };
    if let Some(moves) = spelled {
        *moves = made.spelled;
    }
    Ok(Replay { record, whole: made.whole, variation_plies: made.variation_plies, warnings })
}

/// What came of playing the moves under one numbering of the squares.
struct Attempt<B: Board> {
    start: Position<B>,
    moves: Vec<Move<B>>,
    end: Position<B>,
    whole: bool,
    variation_plies: usize,
    /// For each item the move as the rules core writes it; empty when nobody wants to know.
    spelled: Vec<Option<String>>,
    flaws: Vec<(usize, Flaw)>,
}

/// A line of moves: where it is, where it was before its last move, and whether it is still
/// followed.
#[derive(Clone, Copy)]
struct LineOfPlay<B: Board> {
    now: Position<B>,
    before: Option<Position<B>>,
    alive: bool,
}

impl<B: Board> Attempt<B> {
    fn make<R: Rules>(
        game: &Draughts<R, B>,
        text: &TextGame<'_>,
        squares: Squares,
        spell: bool,
    ) -> Result<Self, (usize, Flaw)> {
        let mut start = start(game, text, squares)?;
        let mut line = LineOfPlay { now: start, before: None, alive: true };
        let mut outer: Vec<LineOfPlay<B>> = Vec::new();
        // Variations that are too deep to be followed.
        let mut unfollowed = 0usize;
        let mut made = Attempt {
            start,
            moves: Vec::with_capacity(text.items.len()),
            end: start,
            whole: true,
            variation_plies: 0,
            spelled: if spell { vec![None; text.items.len()] } else { Vec::new() },
            flaws: Vec::new(),
        };
        for (index, item) in text.items.iter().enumerate() {
            match item {
                Item::Open if unfollowed > 0 || outer.len() == DEEPEST => {
                    if unfollowed == 0 {
                        made.flaws.push((text.offset, Flaw::Depth(DEEPEST)));
                    }
                    unfollowed += 1;
                }
                Item::Open => {
                    outer.push(line);
                    line =
                        LineOfPlay { now: line.before.unwrap_or(line.now), before: None, ..line };
                }
                Item::Close if unfollowed > 0 => unfollowed -= 1,
                Item::Close => line = outer.pop().unwrap_or(line),
                Item::Move { text: written, offset, .. } if line.alive && unfollowed == 0 => {
                    let mut read = read_move(game, &line.now, written, squares);
                    if let Err(error) = &read
                        && error.is_ambiguous()
                        && outer.is_empty()
                        && let Some(mv) =
                            meant(game, &line.now, error, &text.items[index + 1..], squares)
                    {
                        read = Ok((mv, Some(Flaw::Decided(error.clone()))));
                    }
                    match read {
                        Ok((mv, flaw)) => {
                            made.flaws.extend(flaw.map(|flaw| (*offset, flaw)));
                            if spell {
                                made.spelled[index] = Some(game.write_move(&line.now, mv));
                            }
                            line.before = Some(line.now);
                            game.play(&mut line.now, mv);
                            if outer.is_empty() {
                                made.moves.push(mv);
                            } else {
                                made.variation_plies += 1;
                            }
                        }
                        Err(error) if outer.is_empty() => {
                            let ply = made.moves.len() + 1;
                            made.flaws.push((*offset, Flaw::Move { ply, error }));
                            (line.alive, made.whole) = (false, false);
                        }
                        Err(error) => {
                            made.flaws.push((*offset, Flaw::Variation(error)));
                            line.alive = false;
                        }
                    }
                }
                Item::Setup(fen, offset) if line.alive && unfollowed == 0 => {
                    if outer.is_empty() && made.moves.is_empty() {
                        start = read_position(game, setup_position(fen), squares)
                            .map_err(|error| (*offset, Flaw::Start(error)))?;
                        made.start = start;
                        line = LineOfPlay { now: start, before: None, alive: true };
                    } else {
                        made.flaws.push((*offset, Flaw::Setup));
                        made.whole &= !outer.is_empty();
                        line.alive = false;
                    }
                }
                _ => {}
            }
        }
        // Every variation is closed, so that this is the main line.
        made.end = line.now;
        Ok(made)
    }
}

/// The one capture among those that `error` lists after which the moves of the main line in `rest`
/// can be made; `None` when that leaves several or none.
fn meant<R: Rules, B: Board>(
    game: &Draughts<R, B>,
    position: &Position<B>,
    error: &NotationError,
    rest: &[Item<'_>],
    squares: Squares,
) -> Option<Move<B>> {
    let candidates =
        error.allowed.split(' ').filter_map(|text| game.read_move(position, text).ok());
    let mut lines: Vec<(Move<B>, Position<B>)> = candidates
        .map(|mv| {
            let mut next = *position;
            game.play(&mut next, mv);
            (mv, next)
        })
        .collect();
    let mut depth = 0usize;
    let moves = rest.iter().filter_map(|item| match item {
        Item::Open => {
            depth += 1;
            None
        }
        Item::Close => {
            depth = depth.saturating_sub(1);
            None
        }
        Item::Move { text, .. } if depth == 0 => Some(text),
        _ => None,
    });
    for written in moves.take(FORESIGHT) {
        // A line that would need a decision of its own is not followed further.
        lines.retain_mut(|(_, now)| match read_move(game, now, written, squares) {
            Ok((mv, _)) => {
                game.play(now, mv);
                true
            }
            Err(_) => false,
        });
        if lines.len() <= 1 {
            break;
        }
    }
    match lines[..] {
        [(mv, _)] => Some(mv),
        _ => None,
    }
}

/// The position before the first move.
fn start<R: Rules, B: Board>(
    game: &Draughts<R, B>,
    text: &TextGame<'_>,
    squares: Squares,
) -> Result<Position<B>, (usize, Flaw)> {
    let tag = |names: &[&str]| text.tags.iter().find(|tag| names.contains(&tag.name));
    match tag(&["FEN"]) {
        Some(fen) => read_position(game, &fen.value, squares)
            .map_err(|error| (fen.offset, Flaw::Start(error))),
        None => match tag(&["SetUp", "Setup"]).filter(|tag| tag.value.trim() == "1") {
            Some(tag) if !text.has_setup() => Err((tag.offset, Flaw::NoStart)),
            _ => Ok(game.initial()),
        },
    }
}

fn read_position<R: Rules, B: Board>(
    game: &Draughts<R, B>,
    fen: &str,
    squares: Squares,
) -> Result<Position<B>, NotationError> {
    game.read_position(&squares.read_fen::<B>(fen))
}

/// The legal move that `written` names, with what is wrong with its spelling.
fn read_move<R: Rules, B: Board>(
    game: &Draughts<R, B>,
    position: &Position<B>,
    written: &str,
    squares: Squares,
) -> Result<(Move<B>, Option<Flaw>), NotationError> {
    let named = |error: NotationError| NotationError { token: written.to_owned(), ..error };
    let Some(read) = squares.read_move::<B>(written) else {
        let allowed = format!("squares 1 to {} or a1 to the far corner", B::SQUARES);
        return Err(NotationError::new(written, "a square that is not on the board", allowed));
    };
    let (from, to) = (read.squares[0], *read.squares.last().expect("two squares at least"));
    let long = read.squares.len() > 2;
    let capture = read.capture == Some(true) || long;
    let spelled = if capture {
        let squares: Vec<String> = read.squares.iter().map(u32::to_string).collect();
        game.read_move(position, &squares.join("x"))
    } else {
        game.read_move(position, &format!("{from}-{to}"))
    };
    let error = match spelled {
        Ok(mv) => {
            // Letters need no separator; four digits and lists of squares do.
            let plain = read.capture == Some(capture) || written.contains(char::is_alphabetic);
            return Ok((mv, (!plain).then(|| Flaw::Separator(written.to_owned()))));
        }
        Err(error) => error,
    };
    let other = if long || !capture { format!("{from}x{to}") } else { format!("{from}-{to}") };
    let flaw = match (long, read.capture) {
        (true, _) => Some(Flaw::Detour(written.to_owned())),
        (false, None) if written.contains(char::is_alphabetic) => None,
        (false, _) => Some(Flaw::Separator(written.to_owned())),
    };
    match game.read_move(position, &other) {
        Ok(mv) => Ok((mv, flaw)),
        // The short form may be ambiguous where a quiet spelling was merely wrong.
        Err(second) if !long && second.is_ambiguous() => Err(named(second)),
        Err(_) => Err(named(error)),
    }
}
