//! Games as text, wrapped at [`WIDTH`] columns.

use std::fmt::Write;

use super::{GameType, Item, Record, Spelling, Tag, TextGame};
use crate::game::{Game, Notation};
use crate::games::draughts::{Board, Draughts, Rules};

/// The longest line of moves.
pub(super) const WIDTH: usize = 79;

/// Appends `record` to `text`: tags, an empty line, moves with the result, an empty line.
///
/// Tags come in the order of the record, then `Result`, `GameType`, `SetUp` and `FEN` where the game
/// does not begin in the initial position, and `Termination` where it is known. A capture has the
/// short form unless that is ambiguous. Every move of the record must be legal where it is
/// made.
pub fn push_record<R: Rules, B: Board>(
    game: &Draughts<R, B>,
    record: &Record<B>,
    text: &mut String,
) {
    for Tag { name, value } in &record.tags {
        if !Record::<B>::holds(name) {
            push_tag(name, value, text);
        }
    }
    let score = record.result.score(R::FIRST_MOVER);
    push_tag("Result", score, text);
    push_tag("GameType", &GameType::of::<R, B>().to_string(), text);
    if record.start != game.initial() {
        push_tag("SetUp", "1", text);
        push_tag("FEN", &game.write_position(&record.start), text);
    }
    if let Some(termination) = &record.termination {
        push_tag("Termination", &termination.to_string(), text);
    }
    text.push('\n');
    let mut line = Line::new(text);
    let mut position = record.start;
    let mut number = 1;
    for (ply, &mv) in record.moves.iter().enumerate() {
        if position.side() == R::FIRST_MOVER {
            line.word(format_args!("{number}."));
        } else {
            if ply == 0 {
                line.word(format_args!("{number}..."));
            }
            number += 1;
        }
        line.word(format_args!("{}", game.write_move(&position, mv)));
        game.play(&mut position, mv);
    }
    line.word(format_args!("{score}"));
    line.text.push_str("\n\n");
}

/// Appends `game` to `text` with its comments, marks and variations.
///
/// With its `spelling` ([`respell`](super::respell)), moves that can be made are written as
/// [`push_record`] writes them, and so are the tags `GameType` and `FEN`; without it, everything stays
/// as it was written. A game without tags gets its result as one. Numbers of moves, `...` and what was
/// not understood are not kept.
pub fn push_text_game(game: &TextGame<'_>, spelling: Option<&Spelling>, text: &mut String) {
    if game.tags.is_empty() {
        // Without any tag, a game without moves could be taken for a second result of the last.
        push_tag("Result", game.score.unwrap_or("*"), text);
    }
    for tag in &game.tags {
        let value = match (tag.name, spelling) {
            ("GameType", Some(spelling)) => &spelling.game_type,
            ("FEN", Some(spelling)) => &spelling.start,
            _ => tag.value.as_ref(),
        };
        push_tag(tag.name, value, text);
    }
    if let Some(spelling) = spelling {
        if game.tag("GameType").is_none() {
            push_tag("GameType", &spelling.game_type, text);
        }
        if spelling.set_up && game.tag("FEN").is_none() {
            push_tag("SetUp", "1", text);
            push_tag("FEN", &spelling.start, text);
        }
    }
    text.push('\n');
    let mut depth = 0usize;
    let first = game.items.iter().find(|item| {
        match item {
            Item::Open => depth += 1,
            Item::Close => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && matches!(item, Item::Move { .. } | Item::Ellipsis)
    });
    let begins_second =
        spelling.map_or(matches!(first, Some(Item::Ellipsis)), |spelling| spelling.begins_second);
    let mut line = Line::new(text);
    let mut ply = usize::from(begins_second);
    let mut outer = Vec::new();
    // Whether a move of the second player needs its number, and whether a word stands alone.
    let mut numbered = true;
    for (index, item) in game.items.iter().enumerate() {
        match item {
            Item::Move { text: written, strength, .. } => {
                let number = ply / 2 + 1;
                if ply % 2 == 0 {
                    line.word(format_args!("{number}."));
                } else if numbered {
                    line.word(format_args!("{number}..."));
                }
                let spelled = spelling.and_then(|spelling| spelling.moves[index].as_deref());
                let strength = strength.unwrap_or_default();
                line.word(format_args!("{}{strength}", spelled.unwrap_or(written)));
                ply += 1;
                numbered = false;
                continue;
            }
            Item::Ellipsis => continue,
            Item::Nag(number) => {
                line.word(format_args!("${number}"));
                continue;
            }
            Item::Comment(comment) if comment.contains('}') => {
                line.word(format_args!("; {comment}"));
                line.end();
            }
            Item::Comment(comment) => line.word(format_args!("{{{comment}}}")),
            Item::Setup(..) if outer.is_empty() && spelling.is_some_and(|s| s.set_up) => continue,
            Item::Setup(position, _) => line.word(format_args!("/{position}/")),
            Item::Open => {
                line.word(format_args!("("));
                outer.push(ply);
                ply = ply.saturating_sub(1);
            }
            Item::Close => {
                line.word(format_args!(")"));
                ply = outer.pop().unwrap_or(ply);
            }
        }
        numbered = true;
    }
    line.word(format_args!("{}", game.score.unwrap_or("*")));
    line.text.push_str("\n\n");
}

/// Appends a tag, its value between quotes on one line.
pub(super) fn push_tag(name: &str, value: &str, text: &mut String) {
    text.push('[');
    text.push_str(name);
    text.push_str(" \"");
    for character in value.chars() {
        match character {
            '"' | '\\' => text.extend(['\\', character]),
            control if control.is_control() => text.push(' '),
            plain => text.push(plain),
        }
    }
    text.push_str("\"]\n");
}

/// Words on lines that are not longer than [`WIDTH`] unless one word is.
pub(super) struct Line<'a> {
    pub(super) text: &'a mut String,
    /// Characters on the last line.
    column: usize,
}

impl<'a> Line<'a> {
    pub(super) fn new(text: &'a mut String) -> Self {
        Self { text, column: 0 }
    }

    /// Ends the line.
    fn end(&mut self) {
        self.text.push('\n');
        self.column = 0;
    }

    /// Appends a word after a space or a line end.
    pub(super) fn word(&mut self, word: std::fmt::Arguments<'_>) {
        let separator = self.text.len();
        if self.column > 0 {
            self.text.push(' ');
        }
        let begin = self.text.len();
        self.text.write_fmt(word).expect("a string takes any text");
        let width = self.text[begin..].chars().count();
        if let Some(last) = self.text[begin..].rfind(['\n', '\r']).map(|at| begin + at + 1) {
            self.column = self.text[last..].chars().count();
            return;
        }
        if self.column > 0 && self.column + 1 + width > WIDTH {
            self.text.replace_range(separator..begin, "\n");
            self.column = width;
        } else {
            self.column += begin - separator + width;
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::games::draughts::{B6, B10, Checkers, Duplicates, International, Side};
    use crate::pdn::{DEPTH_TAG, GameResult, Termination};

    fn record<R: Rules, B: Board>(
        game: &Draughts<R, B>,
        fen: Option<&str>,
        moves: &str,
        result: GameResult,
    ) -> Record<B> {
        let start = fen.map_or(game.initial(), |fen| game.read_position(fen).unwrap());
        let mut position = start;
        let moves = moves
            .split_whitespace()
            .map(|text| {
                let mv = game.read_move(&position, text).unwrap();
                game.play(&mut position, mv);
                mv
            })
            .collect();
        Record { tags: vec![Tag::new(DEPTH_TAG, 3)], start, moves, result, termination: None }
    }

    #[test]
    fn a_game_is_written_with_the_score_of_its_variant() {
        let game = Draughts::<Checkers, B6>::new(Duplicates::Drop);
        let moves = "5-7 15-12 2-5 12-9 7-11 14x7x2 1-5 2x7 4x11 9x2 3-6 13x8x3";
        let mut record = record(&game, None, moves, GameResult::Won(Side::White));
        record.termination = Some(Termination::NoMoves);
        record.tags.push(Tag::new("Result", "left out"));
        record.tags.push(Tag::new("Event", "a \"quoted\" \\ event\nin one line"));
        let mut text = String::new();
        push_record(&game, &record, &mut text);
        assert_eq!(
            text,
            "[Depth \"3\"]\n[Event \"a \\\"quoted\\\" \\\\ event in one line\"]\n[Result \"0-1\"]\n\
             [GameType \"21,B,6,6,N1,0\"]\n[Termination \"no moves\"]\n\n\
             1. 5-7 15-12 2. 2-5 12-9 3. 7-11 14x2 4. 1-5 2x7 5. 4x11 9x2 6. 3-6 13x3 0-1\n\n"
        );
    }

    #[test]
    fn a_game_that_the_second_player_begins_says_so() {
        let game = Draughts::<International, B10>::new(Duplicates::Drop);
        let fen = "B:W8,25,30:B7,15,18";
        let record = record(&game, Some(fen), "7-12 8x17", GameResult::Unfinished);
        let mut text = String::new();
        push_record(&game, &record, &mut text);
        let moves = text.split("\n\n").nth(1).unwrap();
        assert_eq!(moves, "1... 7-12 2. 8x17 *");
        assert!(text.contains("[SetUp \"1\"]\n[FEN \"B:W8,25,30:B7,15,18\"]\n"), "{text}");
    }

    #[test]
    fn no_line_of_moves_is_too_long() {
        let mut text = String::new();
        let mut line = Line::new(&mut text);
        for number in 0..500 {
            line.word(format_args!("{}", 1u64 << (number % 60)));
        }
        line.word(format_args!("{}", "x".repeat(200)));
        let lines: Vec<&str> = text.lines().collect();
        let (last, rest) = lines.split_last().unwrap();
        assert_eq!(last.len(), 200);
        for (index, pair) in rest.windows(2).enumerate() {
            assert!(pair[0].len() <= WIDTH, "line {index}");
            let next = pair[1].split(' ').next().unwrap();
            assert!(pair[0].len() + 1 + next.len() > WIDTH, "line {index} is too short");
        }
        assert_eq!(text.split_whitespace().count(), 501);
    }
}
