//! The arguments that name a game, shared by every verb that takes one.

use clap::{Args, ValueEnum};

use super::failure::{Failure, Result};
use crate::games::catalog::{CatalogError, GameSpec, Parameters, names};
use crate::games::draughts::Duplicates;
use crate::games::draughts::draw::DrawRule;
use crate::games::othello::Passes;

/// A game and its parameters.
#[derive(Args, Clone, Debug)]
pub struct GameArguments {
    /// Name or alias of the game; `ludometer games` lists them
    pub game: String,
    /// Columns of the board of Connect Four or Dots and Boxes
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub columns: Option<u32>,
    /// Rows of the board of Connect Four or Dots and Boxes
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub rows: Option<u32>,
    /// Squares along a side of the board of Othello, Hex or Go
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub size: Option<u32>,
    /// Whether a forced pass in Othello counts as a ply
    #[arg(long, value_name = "WHICH")]
    pub passes: Option<PassesArgument>,
    /// What happens to captures with equal origin, destination and captured pieces
    #[arg(long, value_name = "POLICY")]
    pub duplicates: Option<DuplicatesArgument>,
    /// Draw rule of a draughts game, e.g. `fmjd`, `english`, `none+cap=500`
    #[arg(long, value_name = "RULE")]
    pub draw_rule: Option<String>,
    /// Plies after which a game of chess is stopped as a draw, 0 for never
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub ply_cap: Option<u32>,
    /// Moves in each position of a synthetic tree
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub branching: Option<u32>,
    /// Plies of a synthetic tree
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub tree_depth: Option<u32>,
}

/// Whether a forced pass counts as a ply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PassesArgument {
    /// A pass is a ply
    Plies,
    /// A pass is no ply
    Skipped,
}

/// What happens to duplicate captures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DuplicatesArgument {
    /// They count once
    Drop,
    /// Each path counts
    Keep,
}

impl GameArguments {
    /// The draw rule of `--draw-rule`, `none` included; `None` when nothing was said.
    ///
    /// # Errors
    /// A usage failure that names what is no draw rule.
    pub fn draw_rule(&self) -> Result<Option<DrawRule>> {
        let rule = self.draw_rule.as_deref().map(DrawRule::parse).transpose();
        rule.map_err(|error| Failure::Usage(format!("--draw-rule {error}")))
    }

    /// The game `name` with every parameter at its default.
    pub fn named(name: &str) -> Self {
        Self {
            game: name.to_owned(),
            columns: None,
            rows: None,
            size: None,
            passes: None,
            duplicates: None,
            draw_rule: None,
            ply_cap: None,
            branching: None,
            tree_depth: None,
        }
    }

    /// The game.
    ///
    /// # Errors
    /// A usage failure that names what is unknown or out of range.
    pub fn settle(&self) -> Result<GameSpec> {
        let parameters = Parameters {
            columns: self.columns,
            rows: self.rows,
            size: self.size,
            passes: self.passes.map(|passes| match passes {
                PassesArgument::Plies => Passes::Plies,
                PassesArgument::Skipped => Passes::Skipped,
            }),
            duplicates: self.duplicates.map(|duplicates| match duplicates {
                DuplicatesArgument::Drop => Duplicates::Drop,
                DuplicatesArgument::Keep => Duplicates::Keep,
            }),
            draw_rule: self.draw_rule()?,
            ply_cap: self.ply_cap,
            branching: self.branching,
            depth: self.tree_depth,
        };
        GameSpec::new(&self.game, &parameters).map_err(|error| match &error {
            CatalogError::UnknownGame { name } => match nearest(name) {
                Some(near) => Failure::Usage(format!("did you mean '{near}'? {error}")),
                None => Failure::usage(error),
            },
            _ => Failure::usage(error),
        })
    }
}

/// The name or alias that is nearest to `text`, if any is near.
fn nearest(text: &str) -> Option<&'static str> {
    let known = names().iter().flat_map(|entry| entry.aliases.iter().chain([&entry.name]));
    let near = known.map(|name| (distance(text, name), *name)).min()?;
    (near.0 <= 1 + text.len() / 4).then_some(near.1)
}

/// The number of letters to insert, delete or change to make `b` of `a` (Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, letter) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, other) in b.iter().enumerate() {
            let changed = diagonal + usize::from(letter != *other);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_pen_finds_the_game_that_was_meant() {
        assert_eq!(nearest("conect-four"), Some("connect-four"));
        assert_eq!(nearest("chekers-8"), Some("checkers-8"));
        assert_eq!(nearest("Othello"), Some("othello"));
        assert_eq!(nearest("shogi"), None);
    }

    #[test]
    fn distance_counts_insertions_deletions_and_changes() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("same", "same"), 0);
    }
}
