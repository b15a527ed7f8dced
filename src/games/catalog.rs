//! The one place that turns a name and its parameters into a game.
//!
//! A [`GameSpec`] is a game with every parameter settled; [`GameSpec::visit`] hands the game, with
//! its own type, to a [`Visitor`], so that every measurement is compiled for every game. A parameter
//! that a game does not take is an error, never ignored: numbers must depend on all that was said.

mod names;

use std::fmt;

pub use names::{Entry, Parameter, names};

use super::connect_four::{self, ConnectFour};
use super::draughts::draw::{Adjudicated, DrawRule};
use super::draughts::{
    B4, B6, B8, B10, B12, B14, Board, Checkers, Draughts, Duplicates, International, Rules,
};
use super::othello::{Othello, Passes};
use super::synthetic::{self, Comb, UniformTree};
use super::tic_tac_toe::TicTacToe;
use crate::game::{Finished, Playable};

/// What may be said about a game beside its name; `None` where nothing was said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parameters {
    /// Columns of the Connect Four board; default 7.
    pub columns: Option<u32>,
    /// Rows of the Connect Four board; default 6.
    pub rows: Option<u32>,
    /// Squares along a side of the Othello board; default 8.
    pub size: Option<u32>,
    /// Whether a forced pass of Othello counts as a ply; default skipped.
    pub passes: Option<Passes>,
    /// What becomes of equal captures of draughts; default drop.
    pub duplicates: Option<Duplicates>,
    /// When a game of draughts is a draw; default none.
    pub draw_rule: Option<DrawRule>,
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

    /// Every parameter on which numbers depend, with its value as the command line takes it.
    pub fn parameters(&self) -> Vec<(&'static str, String)> {
        let settled = match self.kind {
            Kind::TicTacToe => vec![],
            Kind::ConnectFour { columns, rows } => {
                vec![(Parameter::Columns, columns.to_string()), (Parameter::Rows, rows.to_string())]
            }
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
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    struct Moves;

    impl Visitor for Moves {
        type Output = usize;
        fn visit<G: Playable>(self, game: &G) -> usize {
            game.mobility(&game.initial(), &mut Vec::new())
        }
    }

    fn spec(name: &str) -> GameSpec {
        GameSpec::new(name, &Parameters::default()).unwrap()
    }

    #[test]
    fn every_name_leads_to_its_game() {
        let expected = [
            ("tic-tac-toe", "tic-tac-toe", 9),
            ("connect-four", "connect-four-7x6", 7),
            ("othello", "othello-8", 4),
            ("uniform-tree", "uniform-tree-b3-d8", 3),
            ("comb", "comb-b2-d12", 2),
            ("checkers-4", "checkers-4", 3),
            ("checkers-6", "checkers-6", 5),
            ("checkers-8", "checkers-8", 7),
            ("checkers-10", "checkers-10", 9),
            ("checkers-12", "checkers-12", 11),
            ("checkers-14", "checkers-14", 13),
            ("draughts-4", "draughts-4", 3),
            ("draughts-6", "draughts-6", 5),
            ("draughts-8", "draughts-8", 7),
            ("draughts-10", "draughts-10", 9),
            ("draughts-12", "draughts-12", 11),
            ("draughts-14", "draughts-14", 13),
        ];
        let found: Vec<(&str, String, usize)> = names()
            .iter()
            .map(|entry| (entry.name, spec(entry.name).id(), spec(entry.name).visit(Moves)))
            .collect();
        let expected: Vec<(&str, String, usize)> =
            expected.into_iter().map(|(name, id, moves)| (name, id.to_owned(), moves)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn an_id_tells_what_differs_from_the_default() {
        let id =
            |name: &str, parameters: Parameters| GameSpec::new(name, &parameters).unwrap().id();
        let ruled = |rule: &str| Parameters {
            draw_rule: Some(DrawRule::parse(rule).unwrap()),
            ..Parameters::default()
        };
        assert_eq!(id("draughts-6", ruled("fmjd+cap=2000")), "draughts-6-fmjd-cap-2000");
        assert_eq!(id("checkers-8", ruled("lone-king=32/10")), "checkers-8-lone-king-32-10");
        let keep = Duplicates::Keep;
        let both = Parameters { duplicates: Some(keep), ..ruled("english") };
        assert_eq!(id("checkers-8", both), "checkers-8-keep-english");
        let plies = Parameters { passes: Some(Passes::Plies), ..Parameters::default() };
        assert_eq!(id("othello", plies), "othello-8-plies");
    }

    #[test]
    fn only_draughts_without_a_limit_go_on_for_ever() {
        let ends = |rule: &str| {
            let draw_rule = Some(DrawRule::parse(rule).unwrap());
            GameSpec::new("draughts-6", &Parameters { draw_rule, ..Parameters::default() })
                .unwrap()
                .ends()
        };
        for rule in ["fmjd", "english", "threefold", "quiet=9", "cap=100"] {
            assert!(ends(rule), "{rule}");
        }
        assert!(!ends("none") && !ends("lone-king=32/10") && spec("othello").ends());
    }

    #[test]
    fn checkers_on_large_boards_counts_the_known_paths() {
        struct Counts;
        impl Visitor for Counts {
            type Output = Vec<u64>;
            fn visit<G: Playable>(self, game: &G) -> Vec<u64> {
                (1..=5).map(|depth| crate::game::perft(game, &game.initial(), depth)).collect()
            }
        }
        // Source: public bug report bcorfman/raven-checkers#8, rebuilt in tests/cases_draughts.rs; two
        // programs agree.
        for (name, counts) in [
            ("checkers-10", [9, 81, 658, 4265, 26875]),
            ("checkers-12", [11, 121, 1222, 10053, 78629]),
            ("checkers-14", [13, 169, 2042, 20513, 194687]),
        ] {
            assert_eq!(spec(name).visit(Counts), counts, "{name}");
        }
    }

    #[test]
    fn an_alias_is_the_same_game() {
        for entry in names() {
            for alias in entry.aliases {
                assert_eq!(spec(alias), spec(entry.name));
            }
        }
        for (alias, id) in [
            ("english", "checkers-8"),
            ("brazilian", "draughts-8"),
            ("international", "draughts-10"),
            ("canadian", "draughts-12"),
        ] {
            assert_eq!(spec(alias).id(), id);
        }
    }

    #[test]
    fn names_and_aliases_are_distinct() {
        let mut all: Vec<&str> = names()
            .iter()
            .flat_map(|entry| entry.aliases.iter().copied().chain([entry.name]))
            .collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
    }

    #[test]
    fn settled_parameters_are_the_ones_that_the_game_takes() {
        for entry in names() {
            let keys: Vec<&str> =
                spec(entry.name).parameters().into_iter().map(|(key, _)| key).collect();
            let taken: Vec<&str> =
                entry.parameters.iter().map(|parameter| parameter.key()).collect();
            assert_eq!(keys, taken, "{}", entry.name);
        }
        let settled = [("duplicates", "drop".to_owned()), ("draw_rule", "none".to_owned())];
        assert_eq!(spec("draughts-10").parameters(), settled);
        let settled = [("size", "8".to_owned()), ("passes", "skipped".to_owned())];
        assert_eq!(spec("othello").parameters(), settled);
    }

    #[test]
    fn a_refused_game_names_the_offender_and_what_is_allowed() {
        let none = Parameters::default();
        let refusal = |name: &str, parameters: Parameters| {
            GameSpec::new(name, &parameters).unwrap_err().to_string()
        };
        let unknown = refusal("chess", none.clone());
        assert!(unknown.starts_with("unknown game 'chess' (allowed: tic-tac-toe connect-four "));
        assert_eq!(
            refusal("othello", Parameters { columns: Some(7), ..none.clone() }),
            "othello does not take --columns (allowed: --size --passes)"
        );
        assert_eq!(
            refusal("tic-tac-toe", Parameters { size: Some(3), ..none.clone() }),
            "tic-tac-toe does not take --size (it has no parameters)"
        );
        let rule = Parameters { draw_rule: Some(DrawRule::FMJD), ..none.clone() };
        assert_eq!(
            refusal("comb", rule),
            "comb does not take --draw-rule (allowed: --branching --tree-depth)"
        );
        assert_eq!(
            refusal("connect-four", Parameters { rows: Some(9), ..none.clone() }),
            "--rows 9 is out of range (allowed: 1 to 8)"
        );
        assert_eq!(
            refusal("othello", Parameters { size: Some(5), ..none.clone() }),
            "--size 5 is out of range (allowed: 4, 6 or 8)"
        );
        assert_eq!(
            refusal("uniform-tree", Parameters { branching: Some(0), ..none }),
            "--branching 0 is out of range (allowed: 1 to 1000000)"
        );
    }

    #[test]
    fn draughts_are_known_by_their_rules_and_board() {
        struct Names;
        impl DraughtsVisitor for Names {
            type Output = (&'static str, u32);
            fn visit<R: Rules, B: Board>(self, _game: &Draughts<R, B>) -> Self::Output {
                (R::NAME, B::N)
            }
        }
        for entry in names() {
            let (game, size) = entry.name.rsplit_once('-').unwrap_or((entry.name, ""));
            let expected = match game {
                "checkers" => Some((Checkers::NAME, size.parse().unwrap())),
                "draughts" => Some((International::NAME, size.parse().unwrap())),
                _ => None,
            };
            assert_eq!(spec(entry.name).visit_draughts(Names), expected, "{}", entry.name);
        }
    }

    #[test]
    fn a_draw_rule_makes_a_game_with_history() {
        struct TypeName;
        impl Visitor for TypeName {
            type Output = &'static str;
            fn visit<G: Playable>(self, _game: &G) -> &'static str {
                std::any::type_name::<G>()
            }
        }
        let with = |draw_rule| Parameters { draw_rule: Some(draw_rule), ..Parameters::default() };
        let ruled = GameSpec::new("draughts-8", &with(DrawRule::FMJD)).unwrap();
        assert!(ruled.visit(TypeName).contains("Adjudicated") && ruled.has_draw_rule());
        let unruled = GameSpec::new("draughts-8", &with(DrawRule::NONE)).unwrap();
        assert!(!unruled.visit(TypeName).contains("Adjudicated") && !unruled.has_draw_rule());
        assert_eq!(unruled, spec("draughts-8"));
    }
}
