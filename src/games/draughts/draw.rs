//! Draw rules as values, and draughts whose positions remember what such a rule needs.
//!
//! Sources: FMJD Annex 1 (November 2015), article 6; WCDF rules 1.32. One move of the rule books is
//! one ply here, so "25 moves by each player" are 50 plies.
//!
//! * Repetition: the same placement with the same side to move has occurred a third time, the
//!   position at the start of the game included (FMJD 6.1, WCDF 1.32.1). Occurrences need not follow
//!   one another.
//! * Quiet king moves: 50 plies in a row in which only kings moved and nothing was captured (FMJD
//!   6.2); 80 plies in English draughts (WCDF 1.32.2).
//! * Lone king: once one side has a single king and nothing else, and the other three pieces with a
//!   king among them, 32 more plies (FMJD 6.3); against one or two pieces with a king, 10 more
//!   plies (FMJD 6.4). The ply that makes the material is not counted; the count begins anew when
//!   a capture or a promotion changes the material.
//! * Ply cap: not a rule of any book; the game is stopped as a draw after that many plies.
//!
//! A side that cannot move has lost, even where a count would run out at the same ply.

use std::fmt;

use super::rules::King;
use super::{Board, Draughts, Duplicates, Move, Position, Rules, Side, Word};
use crate::game::{Game, Notation, NotationError, Outcome, Scored};

/// When a game that nobody has won is a draw; each part may be absent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct DrawRule {
    /// Occurrences of a position that end the game.
    pub repetitions: Option<u32>,
    /// Plies in a row of kings without a capture that end the game.
    pub quiet_king_plies: Option<u32>,
    /// Plies allowed against a lone king: with three pieces, and with one or two.
    pub lone_king_plies: Option<[u32; 2]>,
    /// Plies after which the game is stopped.
    pub ply_cap: Option<u32>,
}

const THREEFOLD: u32 = 3;

impl DrawRule {
    /// No draw but by a ply cap, if one is added.
    pub const NONE: Self =
        Self { repetitions: None, quiet_king_plies: None, lone_king_plies: None, ply_cap: None };
    /// The rules of the FMJD: threefold, 25 moves, 16 and 5 moves.
    pub const FMJD: Self = Self {
        repetitions: Some(THREEFOLD),
        quiet_king_plies: Some(50),
        lone_king_plies: Some([32, 10]),
        ply_cap: None,
    };
    /// The rules of the WCDF: threefold, 40 moves.
    pub const ENGLISH: Self = Self {
        repetitions: Some(THREEFOLD),
        quiet_king_plies: Some(80),
        lone_king_plies: None,
        ply_cap: None,
    };

    /// The rule that goes with the rules `R`: English draughts or FMJD.
    pub fn of<R: Rules>() -> Self {
        match R::KING {
            King::Short => Self::ENGLISH,
            King::Flying => Self::FMJD,
        }
    }

    /// What [`DrawRule::parse`] understands.
    pub const SYNTAX: &str = "none, fmjd, english, threefold, repetitions=N, quiet=N, \
                              lone-king=N/N, cap=N, joined by +";

    /// Whether no game can go on for ever under this rule.
    ///
    /// Between two captures or man moves, of which a game has finitely many, only kings move: a
    /// limit on repetitions or on quiet king moves ends that, and a ply cap ends everything. The
    /// count against a lone king alone does not: other material can shuffle for ever.
    pub fn ends_every_game(&self) -> bool {
        self.repetitions.is_some() || self.quiet_king_plies.is_some() || self.ply_cap.is_some()
    }

    /// Reads parts joined by `+`, for example `fmjd+cap=2000`; a later part overrides an earlier.
    ///
    /// # Errors
    /// Names the part that is none of [`DrawRule::SYNTAX`] or whose number is 0 or too large.
    pub fn parse(text: &str) -> Result<Self, NotationError> {
        let mut rule = Self::NONE;
        for part in text.split('+').map(str::trim) {
            let wrong = |problem: &str| NotationError::new(part, problem, Self::SYNTAX);
            let number = |digits: &str| match digits.parse::<u32>() {
                Ok(n) if n > 0 => Ok(n),
                _ => Err(wrong("needs a whole number of plies, at least 1")),
            };
            let preset = match part.split_once('=') {
                None => match part {
                    "none" => Self::NONE,
                    "fmjd" => Self::FMJD,
                    "english" => Self::ENGLISH,
                    "threefold" => Self { repetitions: Some(THREEFOLD), ..rule },
                    _ => return Err(wrong("no draw rule")),
                },
                Some(("cap", n)) => Self { ply_cap: Some(number(n)?), ..rule },
                Some(("repetitions", n)) => Self { repetitions: Some(number(n)?), ..rule },
                Some(("quiet", n)) => Self { quiet_king_plies: Some(number(n)?), ..rule },
                Some(("lone-king", both)) => {
                    let (three, two) =
                        both.split_once('/').ok_or_else(|| wrong("needs two numbers"))?;
                    Self { lone_king_plies: Some([number(three)?, number(two)?]), ..rule }
                }
                Some(_) => return Err(wrong("no draw rule")),
            };
            rule = Self { ply_cap: preset.ply_cap.or(rule.ply_cap), ..preset };
        }
        Ok(rule)
    }
}

impl fmt::Display for DrawRule {
    /// Canonical text, which [`DrawRule::parse`] reads back.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        let uncapped = Self { ply_cap: None, ..*self };
        if uncapped == Self::FMJD {
            parts.push("fmjd".to_owned());
        } else if uncapped == Self::ENGLISH {
            parts.push("english".to_owned());
        } else {
            parts.extend(self.repetitions.map(|n| match n {
                THREEFOLD => "threefold".to_owned(),
                n => format!("repetitions={n}"),
            }));
            parts.extend(self.quiet_king_plies.map(|n| format!("quiet={n}")));
            parts.extend(self.lone_king_plies.map(|[a, b]| format!("lone-king={a}/{b}")));
        }
        parts.extend(self.ply_cap.map(|n| format!("cap={n}")));
        if parts.is_empty() {
            parts.push("none".to_owned());
        }
        f.write_str(&parts.join("+"))
    }
}

/// Why a game was drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Drawn {
    /// The position occurred often enough.
    Repetition,
    /// Too many quiet king moves in a row.
    QuietKings,
    /// A lone king held out long enough.
    LoneKing,
    /// The ply cap was reached.
    PlyCap,
}

/// A position with as much of its history as a draw rule needs.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Played<B: Board> {
    position: Position<B>,
    /// Plies since the start; 0 for ever when there is no ply cap.
    plies: u32,
    quiet_plies: u32,
    lone_king_plies: u32,
    /// Earlier positions that can come back: those since the last capture or man move.
    earlier: Vec<Position<B>>,
    drawn: Option<Drawn>,
}

impl<B: Board> Clone for Played<B> {
    fn clone(&self) -> Self {
        Self { earlier: self.earlier.clone(), ..*self }
    }

    /// The memory of the earlier positions is used again.
    fn clone_from(&mut self, other: &Self) {
        let mut earlier = std::mem::take(&mut self.earlier);
        earlier.clone_from(&other.earlier);
        *self = Self { earlier, ..*other };
    }
}

impl<B: Board> Played<B> {
    /// A game that begins in `position`.
    pub fn new(position: Position<B>) -> Self {
        Self {
            position,
            plies: 0,
            quiet_plies: 0,
            lone_king_plies: 0,
            earlier: Vec::new(),
            drawn: None,
        }
    }

    /// The placement and the side to move.
    pub fn position(&self) -> &Position<B> {
        &self.position
    }

    /// Earlier positions that can come back, oldest first: those since the last capture or man move;
    /// none when the rule has no limit on repetitions.
    pub fn earlier(&self) -> &[Position<B>] {
        &self.earlier
    }

    /// Plies in a row of kings without a capture; 0 when the rule has no limit on them.
    pub fn quiet_plies(&self) -> u32 {
        self.quiet_plies
    }

    /// Plies counted against a lone king; 0 when the rule has no limit on them.
    pub fn lone_king_plies(&self) -> u32 {
        self.lone_king_plies
    }

    /// The draw rule that applies here, if any; the side to move may still have no move.
    pub fn drawn(&self) -> Option<Drawn> {
        self.drawn
    }
}

/// Draughts under a draw rule: a game that cannot go on for ever (unless the rule is empty).
#[derive(Clone, Copy, Debug)]
pub struct Adjudicated<R: Rules, B: Board> {
    game: Draughts<R, B>,
    rule: DrawRule,
}

impl<R: Rules, B: Board> Adjudicated<R, B> {
    /// The game under a duplicate policy and a draw rule.
    pub fn new(duplicates: Duplicates, rule: DrawRule) -> Self {
        Self { game: Draughts::new(duplicates), rule }
    }

    /// The game without its draw rule.
    pub fn rules(&self) -> &Draughts<R, B> {
        &self.game
    }

    /// The draw rule.
    pub fn rule(&self) -> DrawRule {
        self.rule
    }

    /// Brings the history up to date with a move just made and applies the rule.
    fn record(&self, played: &mut Played<B>, before: Position<B>, mv: Move<B>) {
        let mover = before.side();
        let king_moved = !(before.kings(mover) & B::Word::bit(u32::from(mv.from))).is_empty();
        let captured = !mv.captured.is_empty();
        let now = played.position;
        let reversible = king_moved && !captured;
        let promoted =
            !king_moved && !(now.kings(mover) & B::Word::bit(u32::from(mv.to))).is_empty();
        let mut drawn = None;
        if let Some(limit) = self.rule.repetitions {
            if reversible {
                played.earlier.push(before);
                // The side to move alternates, and a king needs two moves to be back.
                let same = played.earlier.iter().rev().skip(3).step_by(2);
                let occurrences = 1 + same.filter(|earlier| **earlier == now).count();
                if occurrences >= limit as usize {
                    drawn = Some(Drawn::Repetition);
                }
            } else {
                played.earlier.clear();
            }
        }
        if let Some(limit) = self.rule.quiet_king_plies {
            played.quiet_plies = if reversible { played.quiet_plies + 1 } else { 0 };
            if played.quiet_plies >= limit {
                drawn = drawn.or(Some(Drawn::QuietKings));
            }
        }
        if let Some(limits) = self.rule.lone_king_plies {
            match lone_king_opponents(&now) {
                Some(pieces) => {
                    played.lone_king_plies =
                        if captured || promoted { 0 } else { played.lone_king_plies + 1 };
                    let limit = if pieces == 3 { limits[0] } else { limits[1] };
                    if played.lone_king_plies >= limit {
                        drawn = drawn.or(Some(Drawn::LoneKing));
                    }
                }
                None => played.lone_king_plies = 0,
            }
        }
        if let Some(cap) = self.rule.ply_cap {
            played.plies += 1;
            if played.plies >= cap {
                drawn = drawn.or(Some(Drawn::PlyCap));
            }
        }
        played.drawn = drawn;
    }
}

/// The number of pieces, one to three with a king among them, that stand against a lone king.
pub fn lone_king_opponents<B: Board>(position: &Position<B>) -> Option<u32> {
    [Side::White, Side::Black].into_iter().find_map(|lone| {
        let pieces = position.pieces(lone.other()).count();
        let alone = position.pieces(lone).count() == 1 && !position.kings(lone).is_empty();
        (alone && (1..=3).contains(&pieces) && !position.kings(lone.other()).is_empty())
            .then_some(pieces)
    })
}

impl<R: Rules, B: Board> Game for Adjudicated<R, B> {
    type Position = Played<B>;
    type Move = Move<B>;

    fn initial(&self) -> Played<B> {
        Played::new(self.game.initial())
    }

    #[inline]
    fn legal_moves(&self, played: &Played<B>, moves: &mut Vec<Move<B>>) {
        if played.drawn.is_some() {
            moves.clear();
        } else {
            self.game.legal_moves(&played.position, moves);
        }
    }

    #[inline]
    fn play(&self, played: &mut Played<B>, mv: Move<B>) {
        let before = played.position;
        self.game.play(&mut played.position, mv);
        self.record(played, before, mv);
    }

    #[inline]
    fn mobility(&self, played: &Played<B>, scratch: &mut Vec<Move<B>>) -> usize {
        if played.drawn.is_some() { 0 } else { self.game.mobility(&played.position, scratch) }
    }

    #[inline]
    fn play_nth(&self, played: &mut Played<B>, n: usize, scratch: &mut Vec<Move<B>>) {
        let mv = self.game.nth(&played.position, n, scratch);
        self.play(played, mv);
    }
}

impl<R: Rules, B: Board> Scored for Adjudicated<R, B> {
    fn outcome(&self, terminal: &Played<B>) -> Outcome {
        if self.game.mobility(&terminal.position, &mut Vec::new()) > 0 {
            Outcome::Draw
        } else {
            self.game.outcome(&terminal.position)
        }
    }

    fn first_moves(&self, played: &Played<B>) -> bool {
        self.game.first_moves(&played.position)
    }

    /// That of the placement, and the plies that count towards a draw.
    #[inline]
    fn class(&self, played: &Played<B>) -> u64 {
        let counted = u64::from(played.quiet_plies) << 8 | u64::from(played.lone_king_plies);
        self.game.class(&played.position) | counted << 32
    }

    fn evaluate(&self, played: &Played<B>) -> f64 {
        self.game.evaluate(&played.position)
    }
}

impl<R: Rules, B: Board> Notation for Adjudicated<R, B> {
    fn position_syntax(&self) -> String {
        self.game.position_syntax()
    }

    /// The FEN of the placement; the history is not written.
    fn write_position(&self, played: &Played<B>) -> String {
        self.game.write_position(&played.position)
    }

    /// A game that begins in the position of the FEN.
    fn read_position(&self, text: &str) -> Result<Played<B>, NotationError> {
        self.game.read_position(text).map(Played::new)
    }

    fn write_move(&self, played: &Played<B>, mv: Move<B>) -> String {
        self.game.write_move(&played.position, mv)
    }

    fn read_move(&self, played: &Played<B>, text: &str) -> Result<Move<B>, NotationError> {
        self.game.read_move(&played.position, text)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::games::draughts::{B8, B10, Checkers, International};

    /// Plays `moves` from `fen` and gives the draw after each ply.
    fn draws<R: Rules, B: Board>(rule: DrawRule, fen: &str, moves: &str) -> Vec<Option<Drawn>> {
        let game = Adjudicated::<R, B>::new(Duplicates::Drop, rule);
        let mut played = game.read_position(fen).unwrap();
        let mut seen = Vec::new();
        for text in moves.split_whitespace() {
            let mv = game.read_move(&played, text).unwrap();
            game.play(&mut played, mv);
            seen.push(played.drawn());
        }
        seen
    }

    #[test]
    fn texts_of_rules_round_trip() {
        for text in [
            "none",
            "fmjd",
            "english",
            "fmjd+cap=2000",
            "threefold",
            "cap=7",
            "quiet=50",
            "threefold+lone-king=32/10",
            "repetitions=2+cap=9",
        ] {
            assert_eq!(DrawRule::parse(text).unwrap().to_string(), text);
        }
        for (text, offender) in [
            ("fmjd+cap=0", "cap=0"),
            ("fide", "fide"),
            ("cap=x", "cap=x"),
            ("", ""),
            ("lone-king=3", "lone-king=3"),
            ("english+", ""),
        ] {
            assert_eq!(DrawRule::parse(text).unwrap_err().token, offender);
        }
    }

    #[test]
    fn the_third_occurrence_counts_from_the_start_and_need_not_follow_on() {
        let draws = draws::<Checkers, B8>(
            DrawRule::ENGLISH,
            "W:WK32:BK1",
            "32-27 1-5 27-32 5-1 32-28 1-5 28-32 5-1",
        );
        assert_eq!(draws[..7], [None; 7]);
        assert_eq!(draws[7], Some(Drawn::Repetition));
    }

    #[test]
    fn a_lone_king_holds_out_ten_plies_against_one_king() {
        let rule = DrawRule { repetitions: None, ..DrawRule::FMJD };
        let moves = ["46-41 4-9 41-46 9-4"; 3].join(" ");
        let draws = draws::<International, B10>(rule, "W:WK46:BK4", &moves);
        assert_eq!(draws.iter().position(Option::is_some), Some(9));
        assert_eq!(draws[9], Some(Drawn::LoneKing));
    }

    #[test]
    fn the_ply_that_makes_the_material_is_not_counted() {
        let rule = DrawRule { repetitions: None, ..DrawRule::FMJD };
        // 46x5 leaves two kings against one: 10 plies from there.
        let moves = format!("46x5 {}", ["1-6 5-10 6-1 10-5"; 3].join(" "));
        let draws = draws::<International, B10>(rule, "W:WK46,K15:B41,K1", &moves);
        assert_eq!(draws.iter().position(Option::is_some), Some(10));
    }

    #[test]
    fn quiet_king_plies_begin_anew_after_a_man_move() {
        let rule = DrawRule::parse("quiet=4").unwrap();
        let draws =
            draws::<Checkers, B8>(rule, "W:WK32,21:BK1", "32-27 1-5 21-17 5-1 27-32 1-5 32-27");
        assert_eq!(draws.iter().position(Option::is_some), Some(6));
    }

    #[test]
    fn a_blocked_side_has_lost_even_when_the_cap_is_reached() {
        let game =
            Adjudicated::<Checkers, B8>::new(Duplicates::Drop, DrawRule::parse("cap=1").unwrap());
        let mut played = game.read_position("B:W12:B3,4").unwrap();
        let mv = game.read_move(&played, "4-8").unwrap();
        game.play(&mut played, mv);
        assert_eq!(played.drawn(), Some(Drawn::PlyCap));
        assert_eq!(game.outcome(&played), Outcome::FirstWins);
    }
}
