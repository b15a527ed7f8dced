//! Databases made of the slow generator's values.
//!
//! Every test file that includes this module uses its own part of it.
#![allow(dead_code)]

use std::collections::HashMap;

use ludometer::engine::{Probe, Value};
use ludometer::game::Notation;
use ludometer::games::draughts::{
    Board, Checkers, Draughts, International, Position, Rules, Side, Word,
};

use crate::reference::RuleSet;
use crate::reference::retrograde::{self, Exact};

/// A database made of the slow generator's values.
pub struct Exactly<B: Board> {
    /// By position.
    pub values: HashMap<Position<B>, Value>,
    /// The most pieces.
    pub pieces: u32,
}

impl<B: Board> Exactly<B> {
    /// Of the positions with so many pieces or fewer.
    pub fn new<R: Rules>(rules: RuleSet, pieces: u32) -> Self {
        let game = Draughts::<R, B>::default();
        let values = retrograde::solve(B::N as usize, rules, pieces as usize);
        let values = values.iter().map(|(position, value)| {
            let value = match value {
                Exact::Win(plies) => Value::Win(*plies),
                Exact::Draw => Value::Draw,
                Exact::Loss(plies) => Value::Loss(*plies),
            };
            (game.read_position(&position.fen()).unwrap(), value)
        });
        Self { values: values.collect(), pieces }
    }

    /// Of checkers.
    pub fn checkers(pieces: u32) -> Self {
        Self::new::<Checkers>(RuleSet::Checkers, pieces)
    }

    /// Of draughts.
    pub fn draughts(pieces: u32) -> Self {
        Self::new::<International>(RuleSet::International, pieces)
    }
}

impl<B: Board> Probe<B> for Exactly<B> {
    fn probe(&self, position: &Position<B>) -> Option<Value> {
        self.values.get(position).copied()
    }

    fn most_pieces(&self) -> u32 {
        self.pieces
    }
}

/// As much of a database as has few pieces.
pub struct UpTo<'a, P> {
    /// All of it.
    pub database: &'a P,
    /// The most pieces.
    pub pieces: u32,
}

impl<B: Board, P: Probe<B>> Probe<B> for UpTo<'_, P> {
    fn probe(&self, position: &Position<B>) -> Option<Value> {
        (pieces(position) <= self.pieces).then(|| self.database.probe(position)).flatten()
    }

    fn most_pieces(&self) -> u32 {
        self.pieces
    }
}

/// How many pieces there are.
pub fn pieces<B: Board>(position: &Position<B>) -> u32 {
    let pieces = position.pieces(Side::White) | position.pieces(Side::Black);
    pieces.count()
}

/// The positions of `database` in an order of their own that is the same in every run.
pub fn in_order<R: Rules, B: Board>(database: &Exactly<B>) -> Vec<(Position<B>, Value)> {
    let game = Draughts::<R, B>::default();
    let mut all: Vec<(Position<B>, Value)> =
        database.values.iter().map(|(position, value)| (*position, *value)).collect();
    all.sort_by_cached_key(|(position, _)| game.write_position(position));
    all
}
