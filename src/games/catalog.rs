//! The one place that turns a name and its parameters into a game.
//!
//! A [`GameSpec`] is a game with every parameter settled; [`GameSpec::visit`] hands the game, with
//! its own type, to a [`Visitor`], so that every measurement is compiled for every game. A parameter
//! that a game does not take is an error, never ignored: numbers must depend on all that was said.

mod names;

use std::fmt;

pub use names::{Entry, Parameter, names};

use super::chess::Chess;
use super::connect_four::{self, ConnectFour};
use super::dots_and_boxes::{self, DotsAndBoxes};
use super::draughts::draw::{Adjudicated, DrawRule};
use super::draughts::{
    B4, B6, B8, B10, B12, B14, Board, Checkers, Draughts, Duplicates, International, Rules,
};
use super::go::{self, Go};
use super::hex::{self, Hex};
use super::othello::{Othello, Passes};
use super::synthetic::{self, Comb, UniformTree};
use super::tic_tac_toe::TicTacToe;
use crate::game::{Finished, Playable};

/// What may be said about a game beside its name; `None` where nothing was said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parameters {
    /// Columns of the board of Connect Four, default 7, and of Dots and Boxes, default 5.
    pub columns: Option<u32>,
    /// Rows of the board of Connect Four, default 6, and of Dots and Boxes, default as many as
    /// columns where they fit.
    pub rows: Option<u32>,
    /// Squares along a side of the board of Othello, default 8, Hex, default 11, and Go, default 7.
    pub size: Option<u32>,
    /// Whether a forced pass of Othello counts as a ply; default skipped.
    pub passes: Option<Passes>,
    /// What becomes of equal captures of draughts; default drop.
    pub duplicates: Option<Duplicates>,
    /// When a game of draughts is a draw; default none.
    pub draw_rule: Option<DrawRule>,
    /// Plies after which a game of chess is stopped as a draw, 0 for never; default 0.
    pub ply_cap: Option<u32>,
    /// Branching factor of a synthetic tree.
    pub branching: Option<u32>,
    /// Depth of a synthetic tree in plies.
    pub depth: Option<u32>,
}

impl Parameters {
    /// The parameters that were given.
    fn given(&self) -> Vec<Parameter> {
        let all = [
            (self.columns.is_some(), Parameter::Columns),
            (self.rows.is_some(), Parameter::Rows),
            (self.size.is_some(), Parameter::Size),
            (self.passes.is_some(), Parameter::Passes),
            (self.duplicates.is_some(), Parameter::Duplicates),
            (self.draw_rule.is_some(), Parameter::DrawRule),
            (self.ply_cap.is_some(), Parameter::PlyCap),
            (self.branching.is_some(), Parameter::Branching),
            (self.depth.is_some(), Parameter::Depth),
        ];
        all.into_iter().filter_map(|(given, parameter)| given.then_some(parameter)).collect()
    }
}

/// Receives a game with its own type.
pub trait Visitor {
    /// What the visit returns.
    type Output;
    /// Works on `game`.
    fn visit<G: Playable>(self, game: &G) -> Self::Output;
}

/// Receives a game of draughts with its rules and its board as types.
pub trait DraughtsVisitor {
    /// What the visit returns.
    type Output;
    /// Works on `game`.
    fn visit<R: Rules, B: Board>(self, game: &Draughts<R, B>) -> Self::Output;
}

/// A game with its parameters settled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameSpec {
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    TicTacToe,
    ConnectFour { columns: u32, rows: u32 },
    Othello { size: u32, passes: Passes },
    Hex { size: u32 },
    Go { size: u32 },
    DotsAndBoxes { columns: u32, rows: u32 },
    Chess { ply_cap: u32 },
    UniformTree { branching: u32, depth: u32 },
    Comb { branching: u32, depth: u32 },
    Draughts { family: Family, size: u32, duplicates: Duplicates, draw_rule: DrawRule },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Family {
    Checkers,
    International,
}

impl GameSpec {
    /// The game called `name`, or by one of its aliases, with `parameters`.
    ///
    /// # Errors
    /// When no game has that name, when it does not take a parameter that was given, and when a
    /// value is out of range.
    pub fn new(name: &str, parameters: &Parameters) -> Result<Self, CatalogError> {
        let entry = names()
            .iter()
            .find(|entry| entry.name == name || entry.aliases.contains(&name))
            .ok_or_else(|| CatalogError::UnknownGame { name: name.to_owned() })?;
        if let Some(&parameter) =
            parameters.given().iter().find(|parameter| !entry.parameters.contains(parameter))
        {
            return Err(CatalogError::ForeignParameter { game: entry.name, parameter });
        }
        let draughts = |family, size| Kind::Draughts {
            family,
            size,
            duplicates: parameters.duplicates.unwrap_or_default(),
            draw_rule: parameters.draw_rule.unwrap_or(DrawRule::NONE),
        };
        let kind = match entry.name {
            "tic-tac-toe" => Kind::TicTacToe,
            "connect-four" => {
                let side = |given: Option<u32>, default, parameter| {
                    in_range(given.unwrap_or(default), 1, connect_four::MAX_SIDE, parameter)
                };
                Kind::ConnectFour {
                    columns: side(parameters.columns, 7, Parameter::Columns)?,
                    rows: side(parameters.rows, 6, Parameter::Rows)?,
                }
            }
            "othello" => {
                let size = parameters.size.unwrap_or(8);
                if Othello::new(size, Passes::Plies).is_none() {
                    let allowed = "4, 6 or 8".to_owned();
                    let value = u64::from(size);
                    return Err(CatalogError::OutOfRange {
                        parameter: Parameter::Size,
                        value,
                        allowed,
                    });
                }
                Kind::Othello { size, passes: parameters.passes.unwrap_or_default() }
            }
            "hex" => {
                let size = parameters.size.unwrap_or(hex::MAX_SIDE);
                Kind::Hex { size: in_range(size, hex::MIN_SIDE, hex::MAX_SIDE, Parameter::Size)? }
            }
            "go" => {
                let size = parameters.size.unwrap_or(go::MAX_SIDE);
                Kind::Go { size: in_range(size, 1, go::MAX_SIDE, Parameter::Size)? }
            }
            "dots-and-boxes" => {
                let columns = parameters.columns.unwrap_or(5);
                let columns = in_range(columns, 1, dots_and_boxes::MAX_SIDE, Parameter::Columns)?;
                let most = dots_and_boxes::most_rows(columns);
                // Where only the columns are given, the board is as square as it can be.
                let rows = parameters.rows.unwrap_or(columns.min(most));
                Kind::DotsAndBoxes { columns, rows: in_range(rows, 1, most, Parameter::Rows)? }
            }
            "chess" => Kind::Chess { ply_cap: parameters.ply_cap.unwrap_or(0) },
            "uniform-tree" => {
                let (branching, depth) = tree(parameters, 3, 8)?;
                Kind::UniformTree { branching, depth }
            }
            "comb" => {
                let (branching, depth) = tree(parameters, 2, 12)?;
                Kind::Comb { branching, depth }
            }
            "checkers-4" => draughts(Family::Checkers, 4),
            "checkers-6" => draughts(Family::Checkers, 6),
            "checkers-8" => draughts(Family::Checkers, 8),
            "checkers-10" => draughts(Family::Checkers, 10),
            "checkers-12" => draughts(Family::Checkers, 12),
            "checkers-14" => draughts(Family::Checkers, 14),
            "draughts-4" => draughts(Family::International, 4),
            "draughts-6" => draughts(Family::International, 6),
            "draughts-8" => draughts(Family::International, 8),
            "draughts-10" => draughts(Family::International, 10),
            "draughts-12" => draughts(Family::International, 12),
            "draughts-14" => draughts(Family::International, 14),
            other => unreachable!("the catalog lists {other} and does not know it"),
        };
        Ok(Self { kind })
    }

    /// The canonical name with the board's size, fit for a file's name: `connect-four-7x6`,
    /// `othello-8`, `draughts-10`, `comb-b2-d12`; what differs from the default follows:
    /// `draughts-6-fmjd-cap-2000`, `checkers-8-keep`, `othello-4-plies`.
    pub fn id(&self) -> String {
        match self.kind {
            Kind::TicTacToe => "tic-tac-toe".to_owned(),
            Kind::ConnectFour { columns, rows } => format!("connect-four-{columns}x{rows}"),
            Kind::Othello { size, passes } => match passes {
                Passes::Skipped => format!("othello-{size}"),
                Passes::Plies => format!("othello-{size}-plies"),
            },
            Kind::Go { size } => format!("go-{size}"),
            Kind::Hex { size } => format!("hex-{size}"),
            Kind::DotsAndBoxes { columns, rows } => format!("dots-and-boxes-{columns}x{rows}"),
            Kind::Chess { ply_cap: 0 } => "chess".to_owned(),
            Kind::Chess { ply_cap } => format!("chess-cap-{ply_cap}"),
            Kind::UniformTree { branching, depth } => format!("uniform-tree-b{branching}-d{depth}"),
            Kind::Comb { branching, depth } => format!("comb-b{branching}-d{depth}"),
            Kind::Draughts { family, size, duplicates, draw_rule } => {
                let family = match family {
                    Family::Checkers => "checkers",
                    Family::International => "draughts",
                };
                let mut id = format!("{family}-{size}");
                if duplicates == Duplicates::Keep {
                    id += "-keep";
                }
                if draw_rule != DrawRule::NONE {
                    id += &format!("-{draw_rule}").replace(['+', '=', '/'], "-");
                }
                id
            }
        }
    }

    /// Whether no game can go on for ever: in draughts a matter of the draw rule, since kings can
    /// move to and fro.
    pub fn ends(&self) -> bool {
        match self.kind {
            Kind::Draughts { draw_rule, .. } => draw_rule.ends_every_game(),
            _ => true,
        }
    }

    /// Whether positions remember earlier ones, on which the moves or the end of the game depend.
    pub fn has_history(&self) -> bool {
        self.has_draw_rule() || matches!(self.kind, Kind::Go { .. } | Kind::Chess { .. })
    }

    /// Whether the players always move by turns, so that the number of plies says who is to move.
    pub fn alternates(&self) -> bool {
        !matches!(self.kind, Kind::DotsAndBoxes { .. })
    }

    /// Every parameter on which numbers depend, with its value as the command line takes it.
    pub fn parameters(&self) -> Vec<(&'static str, String)> {
        let settled = match self.kind {
            Kind::TicTacToe => vec![],
            Kind::ConnectFour { columns, rows } | Kind::DotsAndBoxes { columns, rows } => {
                vec![(Parameter::Columns, columns.to_string()), (Parameter::Rows, rows.to_string())]
            }
            Kind::Hex { size } | Kind::Go { size } => vec![(Parameter::Size, size.to_string())],
            Kind::Othello { size, passes } => vec![
                (Parameter::Size, size.to_string()),
                (
                    Parameter::Passes,
                    match passes {
                        Passes::Plies => "plies",
                        Passes::Skipped => "skipped",
                    }
                    .to_owned(),
                ),
            ],
            Kind::Chess { ply_cap } => vec![(Parameter::PlyCap, ply_cap.to_string())],
            Kind::UniformTree { branching, depth } | Kind::Comb { branching, depth } => vec![
                (Parameter::Branching, branching.to_string()),
                (Parameter::Depth, depth.to_string()),
            ],
            Kind::Draughts { duplicates, draw_rule, .. } => vec![
                (
                    Parameter::Duplicates,
                    match duplicates {
                        Duplicates::Drop => "drop",
                        Duplicates::Keep => "keep",
                    }
                    .to_owned(),
                ),
                (Parameter::DrawRule, draw_rule.to_string()),
            ],
        };
        settled.into_iter().map(|(parameter, value)| (parameter.key(), value)).collect()
    }

    /// What the published perft tables of the game do with games that are over early.
    pub fn finished(&self) -> Finished {
        match self.kind {
            Kind::Othello { .. } => Finished::Count,
            _ => Finished::Drop,
        }
    }

    /// Hands the game to `visitor`: draughts as `Draughts` without a draw rule and as `Adjudicated`
    /// with one.
    pub fn visit<V: Visitor>(&self, visitor: V) -> V::Output {
        const SETTLED: &str = "the range was checked when the specification was made";
        match self.kind {
            Kind::TicTacToe => visitor.visit(&TicTacToe),
            Kind::ConnectFour { columns, rows } => {
                visitor.visit(&ConnectFour::new(columns, rows).expect(SETTLED))
            }
            Kind::Othello { size, passes } => {
                visitor.visit(&Othello::new(size, passes).expect(SETTLED))
            }
            Kind::Go { size } => visitor.visit(&Go::new(size, size).expect(SETTLED)),
            Kind::Hex { size } => visitor.visit(&Hex::new(size).expect(SETTLED)),
            Kind::DotsAndBoxes { columns, rows } => {
                visitor.visit(&DotsAndBoxes::new(columns, rows).expect(SETTLED))
            }
            Kind::Chess { ply_cap } => visitor.visit(&Chess::new((ply_cap > 0).then_some(ply_cap))),
            Kind::UniformTree { branching, depth } => {
                visitor.visit(&UniformTree::new(branching, depth).expect(SETTLED))
            }
            Kind::Comb { branching, depth } => {
                visitor.visit(&Comb::new(branching, depth).expect(SETTLED))
            }
            Kind::Draughts { draw_rule, .. } => {
                self.visit_draughts(Ruled { visitor, draw_rule }).expect("the kind is draughts")
            }
        }
    }

    /// Hands a game of draughts to `visitor` with its rules and board as types and without its draw
    /// rule; `None` for every other game.
    pub fn visit_draughts<V: DraughtsVisitor>(&self, visitor: V) -> Option<V::Output> {
        let Kind::Draughts { family, size, duplicates, .. } = self.kind else { return None };
        Some(match (family, size) {
            (Family::Checkers, 4) => visitor.visit(&Draughts::<Checkers, B4>::new(duplicates)),
            (Family::Checkers, 6) => visitor.visit(&Draughts::<Checkers, B6>::new(duplicates)),
            (Family::Checkers, 8) => visitor.visit(&Draughts::<Checkers, B8>::new(duplicates)),
            (Family::Checkers, 10) => visitor.visit(&Draughts::<Checkers, B10>::new(duplicates)),
            (Family::Checkers, 12) => visitor.visit(&Draughts::<Checkers, B12>::new(duplicates)),
            (Family::Checkers, 14) => visitor.visit(&Draughts::<Checkers, B14>::new(duplicates)),
            (Family::International, 4) => {
                visitor.visit(&Draughts::<International, B4>::new(duplicates))
            }
            (Family::International, 6) => {
                visitor.visit(&Draughts::<International, B6>::new(duplicates))
            }
            (Family::International, 8) => {
                visitor.visit(&Draughts::<International, B8>::new(duplicates))
            }
            (Family::International, 10) => {
                visitor.visit(&Draughts::<International, B10>::new(duplicates))
            }
            (Family::International, 12) => {
                visitor.visit(&Draughts::<International, B12>::new(duplicates))
            }
            (Family::International, 14) => {
                visitor.visit(&Draughts::<International, B14>::new(duplicates))
            }
            _ => unreachable!("no such board in the catalog"),
        })
    }

    /// The name of the rules and the size of the board of a game of draughts; `None` for every
    /// other game.
    pub fn draughts(&self) -> Option<(&'static str, u32)> {
        let Kind::Draughts { family, size, .. } = self.kind else { return None };
        let rules = match family {
            Family::Checkers => Checkers::NAME,
            Family::International => International::NAME,
        };
        Some((rules, size))
    }

    /// The draw rule of a game of draughts that has one.
    pub fn draw_rule(&self) -> Option<DrawRule> {
        match self.kind {
            Kind::Draughts { draw_rule, .. } if draw_rule != DrawRule::NONE => Some(draw_rule),
            _ => None,
        }
    }

    /// Whether the game has a draw rule, so that its positions carry a history.
    pub fn has_draw_rule(&self) -> bool {
        self.draw_rule().is_some()
    }
}

/// Adds the draw rule to a game of draughts and hands it on.
struct Ruled<V> {
    visitor: V,
    draw_rule: DrawRule,
}

impl<V: Visitor> DraughtsVisitor for Ruled<V> {
    type Output = V::Output;

    fn visit<R: Rules, B: Board>(self, game: &Draughts<R, B>) -> V::Output {
        if self.draw_rule == DrawRule::NONE {
            self.visitor.visit(game)
        } else {
            self.visitor.visit(&Adjudicated::<R, B>::new(game.duplicates(), self.draw_rule))
        }
    }
}

fn in_range(value: u32, least: u32, most: u32, parameter: Parameter) -> Result<u32, CatalogError> {
    if (least..=most).contains(&value) {
        Ok(value)
    } else {
        let allowed = format!("{least} to {most}");
        Err(CatalogError::OutOfRange { parameter, value: u64::from(value), allowed })
    }
}

/// Branching factor and depth of a synthetic tree.
fn tree(parameters: &Parameters, branching: u32, depth: u32) -> Result<(u32, u32), CatalogError> {
    let branching = parameters.branching.unwrap_or(branching);
    let depth = parameters.depth.unwrap_or(depth);
    Ok((
        in_range(branching, 1, synthetic::MAX_BRANCHING, Parameter::Branching)?,
        in_range(depth, 0, synthetic::MAX_DEPTH, Parameter::Depth)?,
    ))
}

/// A name or parameter of which no game can be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CatalogError {
    /// No game has this name.
    UnknownGame {
        /// The name.
        name: String,
    },
    /// The game does not take this parameter.
    ForeignParameter {
        /// The canonical name of the game.
        game: &'static str,
        /// The parameter.
        parameter: Parameter,
    },
    /// The value of a parameter is not one that the game takes.
    OutOfRange {
        /// The parameter.
        parameter: Parameter,
        /// Its value.
        value: u64,
        /// What is allowed.
        allowed: String,
    },
}

impl fmt::Display for CatalogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownGame { name } => {
                let known: Vec<&str> = names().iter().map(|entry| entry.name).collect();
                write!(f, "unknown game '{name}' (allowed: {})", known.join(" "))
            }
            Self::ForeignParameter { game, parameter } => {
                let taken = names()
                    .iter()
                    .find(|entry| entry.name == *game)
                    .map(|entry| entry.parameters)
                    .unwrap_or_default();
                write!(f, "{game} does not take --{}", parameter.flag())?;
                if taken.is_empty() {
                    return write!(f, " (it has no parameters)");
                }
                let flags: Vec<String> =
                    taken.iter().map(|parameter| format!("--{}", parameter.flag())).collect();
                write!(f, " (allowed: {})", flags.join(" "))
            }
            Self::OutOfRange { parameter, value, allowed } => {
                write!(f, "--{} {value} is out of range (allowed: {allowed})", parameter.flag())
            }
        }
    }
}

impl std::error::Error for CatalogError {}

#[cfg(test)]
mod tests;
