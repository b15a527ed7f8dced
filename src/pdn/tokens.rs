//! The words of PDN, each a small parser.
//!
//! Source: the grammar for reading of the PDN 3.0 draft, with leave for what files hold: blanks inside moves
//! (`1- 7`), moves without a separator (`a3b4`, `3228`), leading zeros, `%` lines, any number of
//! dots after a move number, tags with a quote too few or too many. Every parser here ends: each
//! takes at least one character or fails, and none calls itself.

use std::borrow::Cow;

use winnow::Result;
use winnow::ascii::{digit1, space0};
use winnow::combinator::{alt, delimited, eof, fail, not, opt, peek, preceded, repeat, terminated};
use winnow::dispatch;
use winnow::error::EmptyError;
use winnow::prelude::*;
use winnow::token::{any, literal, none_of, one_of, rest, take_till, take_while};

type Parsed<T> = Result<T, EmptyError>;

/// A word of a text, as it stands there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// `[Name "value"]`; `whole` is false when a quote or bracket was missing or one too many.
    Tag { name: &'a str, value: Cow<'a, str>, whole: bool },
    /// `12.`, or `12...` before a move of the second player.
    Number { second: bool },
    /// A move, blanks inside included, and the marks glued to it.
    Move { text: &'a str, strength: Option<&'a str> },
    /// `!?` or `(!)` that stands alone.
    Strength(&'a str),
    /// `...` that stands alone.
    Ellipsis,
    /// `1-0` and its like, or `*` that stands alone.
    Score(&'a str),
    /// `(`
    Open,
    /// `)`
    Close,
    /// `$7`; `None` when the number is too large.
    Nag(Option<u16>),
    /// `{..}` or `; ..` to the end of the line; `closed` is false when the brace is missing.
    Comment { text: &'a str, closed: bool },
    /// `/FEN "B:.."/` or `/B:../`
    Setup(&'a str),
    /// Anything else.
    Junk(&'a str),
}

/// Takes what stands between words: white space and lines that begin with `%`.
pub(super) fn blank<'a>(input: &mut &'a str) -> Parsed<&'a str> {
    let escape = ('%', take_till(0.., is_line_end)).void();
    let space = take_while(1.., is_space).void();
    repeat::<_, _, (), _, _>(0.., alt((space, escape))).take().parse_next(input)
}

/// Takes one word.
pub(super) fn token<'a>(input: &mut &'a str) -> Parsed<Token<'a>> {
    let special = dispatch! { peek(any);
        '[' => alt((tag, broken_tag)),
        '{' => comment,
        ';' => preceded(';', take_till(0.., is_line_end))
            .map(|text: &str| Token::Comment { text: text.trim(), closed: true }),
        '(' => alt((strength.map(Token::Strength), '('.value(Token::Open))),
        ')' => ')'.value(Token::Close),
        '$' => preceded('$', digit1).map(|number: &str| Token::Nag(number.parse().ok())),
        '/' => setup,
        '!' | '?' => strength.map(Token::Strength),
        '*' => terminated("*", boundary).map(Token::Score),
        '.' | '…' => take_while(1.., ['.', '…']).value(Token::Ellipsis),
        c if c.is_ascii_alphanumeric() || c == '½' =>
            alt((half.map(Token::Score), number, move_or_score)),
        _ => fail,
    };
    alt((special, junk)).parse_next(input)
}

fn is_line_end(c: char) -> bool {
    matches!(c, '\n' | '\r')
}

/// White space, with the end-of-file mark of DOS and byte-order marks of files that were joined.
fn is_space(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{1a}' | '\u{feff}' | '\0')
}

/// Succeeds where a word may end, and takes nothing.
fn boundary(input: &mut &str) -> Parsed<()> {
    let ends = one_of(|c: char| is_space(c) || "[]{}();$".contains(c)).void();
    peek(alt((eof.void(), ends))).parse_next(input)
}

fn junk<'a>(input: &mut &'a str) -> Parsed<Token<'a>> {
    let word = take_till(0.., |c: char| is_space(c) || "[]{}();$".contains(c));
    (any, word).take().map(Token::Junk).parse_next(input)
}

fn name<'a>(input: &mut &'a str) -> Parsed<&'a str> {
    take_while(1.., |c: char| c.is_ascii_alphanumeric() || c == '_').parse_next(input)
}

/// The start of a tag at the start of a line, and takes it.
fn tag_start(input: &mut &str) -> Parsed<()> {
    ('[', space0, name, space0, '"').void().parse_next(input)
}

fn tag<'a>(input: &mut &'a str) -> Parsed<Token<'a>> {
    let escaped = ('\\', one_of(['"', '\\'])).void();
    let plain = none_of(['"', '\\', '\n', '\r']).void();
    let lone = '\\'.void();
    let value = repeat::<_, _, (), _, _>(0.., alt((plain, escaped, lone))).take();
    let value = delimited('"', value, '"').map(unescaped);
    ('[', space0, name, space0, value, space0, ']')
        .map(|(_, _, name, _, value, _, _)| Token::Tag { name, value, whole: true })
        .parse_next(input)
}

fn unescaped(value: &str) -> Cow<'_, str> {
    if !value.contains('\\') {
        return Cow::Borrowed(value);
    }
    let mut plain = String::with_capacity(value.len());
    let mut characters = value.chars().peekable();
    while let Some(c) = characters.next() {
        let escaped = characters.next_if(|&next| c == '\\' && matches!(next, '"' | '\\'));
        plain.push(escaped.unwrap_or(c));
    }
    Cow::Owned(plain)
}

/// A tag that has a name and something after it, to the end of the line or to another bracket.
fn broken_tag<'a>(input: &mut &'a str) -> Parsed<Token<'a>> {
    let value = take_till(0.., |c: char| is_line_end(c) || c == '[');
    ('[', space0, peek(one_of(|c: char| c.is_ascii_alphabetic())), name, value)
        .verify(|(.., value): &(_, _, _, _, &str)| value.contains(['"', ']']))
        .map(|(_, _, _, name, value): (_, _, _, _, &str)| {
            let value = value.trim().trim_end_matches(']').trim_end();
            let value = value.strip_prefix('"').unwrap_or(value);
            let value = value.strip_suffix('"').unwrap_or(value);
            Token::Tag { name, value: Cow::Borrowed(value), whole: false }
        })
        .parse_next(input)
}

/// A comment up to its brace. Without one it ends before the next tag at the start of a line, or
/// with the text, so that it never hides a game.
fn comment<'a>(input: &mut &'a str) -> Parsed<Token<'a>> {
    '{'.parse_next(input)?;
    let text = *input;
    let mut from = 0;
    loop {
        let Some(stop) = text[from..].find(['}', '\n', '\r']).map(|at| from + at) else {
            rest.parse_next(input)?;
            return Ok(Token::Comment { text: text.trim(), closed: false });
        };
        let closed = text.as_bytes()[stop] == b'}';
        from = stop + 1;
        if closed || tag_start(&mut &text[from..]).is_ok() {
            *input = &text[from..];
            return Ok(Token::Comment { text: text[..stop].trim(), closed });
        }
    }
}

fn setup<'a>(input: &mut &'a str) -> Parsed<Token<'a>> {
    let text = take_till(1.., |c: char| c == '/' || is_line_end(c));
    delimited('/', text, '/')
        .verify(|text: &str| text.contains(':'))
        .map(|text: &str| Token::Setup(text.trim()))
        .parse_next(input)
}

/// `!`, `??`, `(?!)`, with a star among them for a forced move.
fn strength<'a>(input: &mut &'a str) -> Parsed<&'a str> {
    let marks = || take_while(1.., ['!', '?', '*']);
    alt((('(', space0, marks(), space0, ')').take(), marks())).parse_next(input)
}

fn half<'a>(input: &mut &'a str) -> Parsed<&'a str> {
    let half = || alt(("1/2", "½"));
    let both = (half(), space0, '-', space0, half()).take();
    terminated(alt((both, half())), boundary).parse_next(input)
}

fn number<'a>(input: &mut &'a str) -> Parsed<Token<'a>> {
    let dots = preceded(digit1, take_while(1.., ['.', '…']));
    dots.map(|dots: &str| Token::Number { second: dots != "." }).parse_next(input)
}

/// A square, with letters as in chess or as a number.
fn square(input: &mut &str) -> Parsed<()> {
    let letters = (one_of(|c: char| c.is_ascii_alphabetic() && c != 'x' && c != 'X'), digits(1, 2));
    alt((digits(1, 3), letters.void())).parse_next(input)
}

/// From `least` to `most` digits and not one more.
fn digits<'a>(least: usize, most: usize) -> impl Parser<&'a str, (), EmptyError> {
    let number = take_while(least..=most, |c: char| c.is_ascii_digit());
    terminated(number, not(one_of(|c: char| c.is_ascii_digit()))).void()
}

/// What may stand between the squares of a move.
pub(super) const SEPARATORS: [char; 7] = ['-', 'x', 'X', ':', '×', '–', '−'];

fn move_text<'a>(input: &mut &'a str) -> Parsed<&'a str> {
    let onward = (space0, one_of(SEPARATORS), space0, square).void();
    let separated = (square, repeat::<_, _, (), _, _>(1.., onward)).void();
    let letters = || (one_of('a'..='n'), take_while(1..=2, |c: char| c.is_ascii_digit()));
    let letters = (letters(), repeat::<_, _, (), _, _>(1.., letters())).void();
    alt((separated, letters, digits(4, 4))).take().parse_next(input)
}

fn move_or_score<'a>(input: &mut &'a str) -> Parsed<Token<'a>> {
    let text = move_text.parse_next(input)?;
    let squares = text.split_once('-').map(|(one, other)| (one.trim(), other.trim()));
    if matches!(squares, Some(("0", _) | (_, "0") | ("1", "1"))) {
        return Ok(Token::Score(text));
    }
    let strength = opt(repeat::<_, _, (), _, _>(1.., strength).take()).parse_next(input)?;
    Ok(Token::Move { text, strength })
}

/// The position in a set-up, without the word and the quotes that may stand about it.
pub(super) fn setup_position(text: &str) -> &str {
    let word = (opt(literal("FEN")), space0).void();
    let mut position = text;
    // The word is optional, so that this takes something or nothing and cannot fail.
    let _: Parsed<()> = { word }.parse_next(&mut position);
    position.trim_matches('"')
}
