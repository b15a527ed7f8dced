//! Games as they stand in a text, whatever their rules.
//!
//! What ends a game: a result; a tag once there have been moves; a tag that the game has
//! already, after an empty line; the end of the text. A star that stands alone is a result, one that is
//! glued to a move marks it as forced. Comments on the line of the result still belong to its game.
//! A game has its items in one list, variations between [`Item::Open`] and [`Item::Close`], so that
//! no depth of nesting can exhaust the stack.

use std::borrow::Cow;
use std::collections::HashSet;

use winnow::Parser;

use super::GameResult;
use super::source::Source;
use super::tokens::{Token, blank, token};
use super::warning::{Flaw, Warning};
use crate::games::draughts::Side;

/// Warnings that are kept of one game; the last says that there are more.
const MOST_WARNINGS: usize = 100;

/// A tag pair of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextTag<'a> {
    /// The name.
    pub name: &'a str,
    /// The value without quotes and escapes.
    pub value: Cow<'a, str>,
    /// Where it stands, as an offset in the text.
    pub offset: usize,
}

/// A part of the moves of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item<'a> {
    /// A move as written, e.g. `32-28` or `1- 7`.
    Move {
        /// Its squares and separators.
        text: Cow<'a, str>,
        /// The marks glued to it, e.g. `!?`, `(?)` or `*`.
        strength: Option<&'a str>,
        /// Where it stands, as an offset in the text.
        offset: usize,
    },
    /// `...` in place of a move or after its number: the second player is next. It stands for no move.
    Ellipsis,
    /// A numeric annotation glyph, `$7`.
    Nag(u16),
    /// A comment.
    Comment(&'a str),
    /// A new position in the middle of the moves, with its offset.
    Setup(&'a str, usize),
    /// A variation begins: it replaces the move just before it.
    Open,
    /// The variation ends.
    Close,
}

/// A game as it stands in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextGame<'a> {
    /// Its number in the text, from 1.
    pub number: u64,
    /// Where it begins, as an offset in the text.
    pub offset: usize,
    /// Its tags in order.
    pub tags: Vec<TextTag<'a>>,
    /// Moves, comments and variations in order.
    pub items: Vec<Item<'a>>,
    /// The result at its end.
    pub score: Option<&'a str>,
    /// What is wrong with it.
    pub warnings: Vec<Warning>,
}

impl<'a> TextGame<'a> {
    /// The value of the first tag `name`.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|tag| tag.name == name).map(|tag| tag.value.as_ref())
    }

    /// The score of the game: that of the tag `Result`, unless it has none or `*`; then that at the
    /// end of the moves.
    pub fn score(&self) -> &str {
        let said = self.tag("Result").filter(|said| is_known(said) && *said != "*");
        said.or(self.score.filter(|said| is_known(said))).unwrap_or("*")
    }

    /// The number of moves in the main line.
    pub fn plies(&self) -> usize {
        let mut depth = 0usize;
        let mut plies = 0;
        for item in &self.items {
            match item {
                Item::Open => depth += 1,
                Item::Close => depth = depth.saturating_sub(1),
                Item::Move { .. } if depth == 0 => plies += 1,
                _ => {}
            }
        }
        plies
    }
}

fn is_known(score: &str) -> bool {
    GameResult::of_score(score, Side::White).is_some()
}

/// The games of a [`Source`], one by one.
#[derive(Clone, Debug)]
pub struct Games<'a> {
    source: &'a Source,
    rest: &'a str,
    number: u64,
}

impl<'a> Games<'a> {
    pub(super) fn new(source: &'a Source) -> Self {
        Self { source, rest: source.text(), number: 0 }
    }

    /// Skips what is between words and gives the offset of the next, if there is one.
    fn ahead(&mut self) -> Option<usize> {
        let blanks = blank.parse_next(&mut self.rest);
        debug_assert!(blanks.is_ok(), "no blank is a blank too");
        (!self.rest.is_empty()).then(|| self.source.text().len() - self.rest.len())
    }

    /// The next word, not yet taken, with what would be left after it.
    fn peek(&self) -> (Token<'a>, &'a str) {
        let mut rest = self.rest;
        let word = token.parse_next(&mut rest).expect("any character is a word if nothing else");
        (word, rest)
    }

    /// Reads on after the result: comments on its line, and results that say it again.
    fn tail(&mut self, game: &mut TextGame<'a>) {
        loop {
            let before = self.rest;
            let Some(offset) = self.ahead() else { return };
            let same_line = !before[..before.len() - self.rest.len()].contains(['\n', '\r']);
            let (word, after) = self.peek();
            match word {
                Token::Comment { text, closed } if same_line => {
                    if !closed {
                        self.warn(game, offset, Flaw::UnclosedComment);
                    }
                    game.items.push(Item::Comment(text));
                }
                Token::Score(text) if text != "*" || game.score != Some("*") => {
                    self.warn(game, offset, Flaw::SecondScore(text.to_owned()));
                }
                _ => return,
            }
            self.rest = after;
        }
    }

    /// Adds a warning, the first few of a game.
    fn warn(&self, game: &mut TextGame<'a>, offset: usize, flaw: Flaw) {
        if game.warnings.len() == MOST_WARNINGS {
            return;
        }
        let last = game.warnings.len() + 1 == MOST_WARNINGS;
        let flaw = if last { Flaw::Many } else { flaw };
        game.warnings.push(Warning { game: game.number, place: self.source.place(offset), flaw });
    }

    /// Whether a line without anything on it stands between two offsets.
    fn apart(&self, last: usize, offset: usize) -> bool {
        self.source.place(offset).line > self.source.place(last).line + 1
    }

    /// Compares the results that the game gives, and says what is strange about them.
    fn judge_scores(&self, game: &mut TextGame<'a>, end: usize) {
        let meaning = |score: &str| GameResult::of_score(score, Side::White);
        let tag = game.tags.iter().find(|tag| tag.name == "Result");
        let tag = tag.map(|tag| (tag.value.to_string(), tag.offset));
        if let Some((value, offset)) = &tag
            && meaning(value).is_none()
        {
            self.warn(game, *offset, Flaw::UnknownScore(value.clone()));
        }
        match (game.score, tag) {
            (None, _) => self.warn(game, end, Flaw::NoScore),
            (Some(score), Some((value, _))) => {
                if meaning(score).is_none() && score != value {
                    self.warn(game, end, Flaw::UnknownScore(score.to_owned()));
                } else if let (Some(text), Some(said)) = (meaning(score), meaning(&value))
                    && text != said
                    && score != "*"
                {
                    self.warn(game, end, Flaw::ScoresDiffer { tag: value, end: score.to_owned() });
                }
            }
            (Some(score), None) => {
                if meaning(score).is_none() {
                    self.warn(game, end, Flaw::UnknownScore(score.to_owned()));
                }
            }
        }
    }
}

impl<'a> Iterator for Games<'a> {
    type Item = TextGame<'a>;

    fn next(&mut self) -> Option<TextGame<'a>> {
        let offset = self.ahead()?;
        self.number += 1;
        let mut game = TextGame {
            number: self.number,
            offset,
            tags: Vec::new(),
            items: Vec::new(),
            score: None,
            warnings: Vec::new(),
        };
        // Where each variation that is still open began.
        let mut open: Vec<usize> = Vec::new();
        let mut seen: HashSet<&str> = HashSet::new();
        // Whether the game has more than tags and comments, and where its last tag ends.
        let mut begun = false;
        let mut last_tag = offset;
        let mut end = offset;
        while let Some(offset) = self.ahead() {
            let (word, after) = self.peek();
            end = offset;
            match word {
                Token::Tag { name, value, whole } => {
                    let second = !seen.insert(name);
                    let commented = !game.items.is_empty();
                    if begun || (second && (commented || self.apart(last_tag, offset))) {
                        break;
                    }
                    if !whole {
                        self.warn(&mut game, offset, Flaw::BrokenTag(name.to_owned()));
                    }
                    if second {
                        self.warn(&mut game, offset, Flaw::SecondTag(name.to_owned()));
                    }
                    game.tags.push(TextTag { name, value, offset });
                    last_tag = self.source.text().len() - after.len();
                }
                Token::Number { second } => game.items.extend(second.then_some(Item::Ellipsis)),
                Token::Move { text, .. }
                    if game.tag("Result") == Some(text) && self.ends_after(after) =>
                {
                    game.score = Some(text);
                }
                Token::Move { text, strength } => {
                    game.items.push(Item::Move { text: Cow::Borrowed(text), strength, offset });
                }
                Token::Strength(text) => self.strengthen(&mut game, text, offset),
                Token::Ellipsis => game.items.push(Item::Ellipsis),
                Token::Score(text) => game.score = Some(text),
                Token::Open => {
                    open.push(offset);
                    game.items.push(Item::Open);
                }
                Token::Close if open.pop().is_some() => game.items.push(Item::Close),
                Token::Close => self.warn(&mut game, offset, Flaw::StrayClose),
                Token::Nag(Some(number)) => game.items.push(Item::Nag(number)),
                Token::Nag(None) => self.warn(&mut game, offset, Flaw::Junk("$".to_owned())),
                Token::Comment { text, closed } => {
                    if !closed {
                        self.warn(&mut game, offset, Flaw::UnclosedComment);
                    }
                    game.items.push(Item::Comment(text));
                }
                Token::Setup(text) => game.items.push(Item::Setup(text, offset)),
                Token::Junk(text) => self.warn(&mut game, offset, Flaw::Junk(text.to_owned())),
            }
            begun |= game.score.is_some()
                || game.items.last().is_some_and(|item| !matches!(item, Item::Comment(_)));
            self.rest = after;
            if game.score.is_some() {
                self.tail(&mut game);
                break;
            }
        }
        if let Some(&outermost) = open.first() {
            self.warn(&mut game, outermost, Flaw::UnclosedVariations(open.len()));
            game.items.extend(open.iter().map(|_| Item::Close));
        }
        self.judge_scores(&mut game, end);
        Some(game)
    }
}

impl<'a> Games<'a> {
    /// Whether the text or the game ends after `rest` begins.
    fn ends_after(&self, rest: &'a str) -> bool {
        let mut ahead = Games { rest, ..self.clone() };
        ahead.ahead().is_none() || matches!(ahead.peek().0, Token::Tag { .. })
    }

    /// Marks the last move, from which the marks stand apart.
    fn strengthen(&self, game: &mut TextGame<'a>, text: &'a str, offset: usize) {
        match game.items.last_mut() {
            Some(Item::Move { strength: strength @ None, .. }) => *strength = Some(text),
            _ => self.warn(game, offset, Flaw::LooseStrength(text.to_owned())),
        }
    }
}
