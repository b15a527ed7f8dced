//! Games as they are stored: PDN, one file for each game and depth, games in the order of their
//! numbers, so that a file only ever grows at the end.
//!
//! What a killed run leaves behind is whole games and perhaps a part of one more; [`whole_games`] says
//! where the whole ones end. It looks at tags and empty lines only: that moves are legal is for the
//! reader of PDN to say.

use std::collections::BTreeMap;

use thiserror::Error;

/// A game as text, with what it took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameText {
    /// The game as PDN, its last empty line included.
    pub text: String,
    /// Positions that both players visited.
    pub nodes: u64,
}

/// What many stored games come to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Games.
    pub games: u64,
    /// Plies in all.
    pub plies: u64,
    /// Games for each value of the tag `Result`.
    pub results: BTreeMap<String, u64>,
    /// Games for each value of the tag `Termination`.
    pub terminations: BTreeMap<String, u64>,
}

impl Totals {
    /// Adds a whole game.
    pub fn add(&mut self, text: &str) {
        let (tags, moves) = text.split_once("\n\n").unwrap_or((text, ""));
        for (name, counts) in
            [("Result", &mut self.results), ("Termination", &mut self.terminations)]
        {
            let value = tags.lines().find_map(|line| {
                line.strip_prefix('[')?.strip_prefix(name)?.strip_prefix(" \"")?.strip_suffix("\"]")
            });
            *counts.entry(value.unwrap_or_default().to_owned()).or_default() += 1;
        }
        let words = moves.split_whitespace().filter(|word| !word.ends_with('.')).count();
        self.games += 1;
        // The last word is the result.
        self.plies += words.saturating_sub(1) as u64;
    }

    /// Adds the games of `other`.
    pub fn merge(&mut self, other: Self) {
        self.games += other.games;
        self.plies += other.plies;
        for (own, others) in
            [(&mut self.results, other.results), (&mut self.terminations, other.terminations)]
        {
            others.into_iter().for_each(|(value, count)| *own.entry(value).or_default() += count);
        }
    }

    /// Games with this termination.
    pub fn ended_by(&self, termination: &str) -> u64 {
        self.terminations.get(termination).copied().unwrap_or(0)
    }

    /// Games with this result.
    pub fn with_result(&self, result: &str) -> u64 {
        self.results.get(result).copied().unwrap_or(0)
    }
}

/// Characters of a line that an error quotes.
const LONGEST_QUOTATION: usize = 100;

/// The whole games at the start of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WholeGames {
    /// What they come to.
    pub totals: Totals,
    /// Where the last of them ends, in bytes.
    pub end: usize,
}

/// A file that holds other games than those asked for.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "game {number} begins with '{found}' where '{expected}' is due: the file was made with other parameters"
)]
pub struct OtherGames {
    /// The game, counted from 1.
    pub number: u64,
    /// The line found.
    pub found: String,
    /// The line that was expected.
    pub expected: String,
}

/// The whole games at the start of `text`; game i of the file, counted from 0, is game `first` + i and
/// must begin with `head(first + i)`. What follows the last whole game must be the beginning of the
/// next.
///
/// # Errors
/// When a game begins otherwise.
pub fn whole_games(
    text: &str,
    first: u64,
    head: impl Fn(u64) -> String,
) -> Result<WholeGames, OtherGames> {
    let mut whole = WholeGames::default();
    loop {
        let rest = &text[whole.end..];
        if rest.is_empty() {
            return Ok(whole);
        }
        let number = first + whole.totals.games;
        let head = head(number);
        if !rest.starts_with(&head) && !head.starts_with(rest) {
            let mut pairs = rest.lines().zip(head.lines());
            let (found, expected) = pairs.find(|(a, b)| a != b).unwrap_or((rest, &head));
            let clipped = |line: &str| -> String {
                line.chars().filter(|c| !c.is_control()).take(LONGEST_QUOTATION).collect()
            };
            let (found, expected) = (clipped(found), clipped(expected));
            return Err(OtherGames { number: number + 1, found, expected });
        }
        let Some(tags) = rest.find("\n\n") else { return Ok(whole) };
        let Some(moves) = rest[tags + 2..].find("\n\n") else { return Ok(whole) };
        let length = tags + 2 + moves + 2;
        whole.totals.add(&rest[..length]);
        whole.end += length;
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn head(index: u64) -> String {
        format!("[Round \"{}\"]\n[Seed \"7\"]\n", index + 1)
    }

    fn game(index: u64) -> String {
        let tags = "[Result \"1-0\"]\n[Termination \"no moves\"]\n";
        format!("{}{tags}\n1. 32-28 19-23 2. 28x19\n14x23 1-0\n\n", head(index))
    }

    #[test]
    fn a_text_cut_anywhere_has_its_whole_games() {
        let text = game(0) + &game(1) + &game(2);
        let ends = [0, game(0).len(), game(0).len() + game(1).len(), text.len()];
        for cut in 0..=text.len() {
            let whole = whole_games(&text[..cut], 0, head).unwrap();
            let games = ends.iter().filter(|end| **end <= cut).count() - 1;
            assert_eq!((whole.totals.games, whole.end), (games as u64, ends[games]), "{cut}");
            assert_eq!(whole.totals.plies, 4 * games as u64);
            assert_eq!(whole.totals.ended_by("no moves"), games as u64);
            assert_eq!(whole.totals.with_result("1-0"), games as u64);
        }
    }

    #[test]
    fn games_of_another_run_are_refused() {
        let text = game(0) + &game(2);
        let error = whole_games(&text, 0, head).unwrap_err();
        assert_eq!((error.number, error.expected.as_str()), (2, "[Round \"2\"]"));
        let other = game(0).replace("\"7\"", "\"8\"");
        let error = whole_games(&other, 0, head).unwrap_err();
        assert_eq!((error.number, error.found.as_str()), (1, "[Seed \"8\"]"));
    }
}
