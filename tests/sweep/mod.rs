//! The slow, obviously right count of whole games: every position, ply after ply.
#![allow(dead_code)]

use std::collections::{HashMap, HashSet};

use ludometer::game::{Outcome, Scored};

/// Everything a count of whole games says, exactly.
#[derive(Debug, Default)]
pub struct Tally {
    pub games: u128,
    /// Games by length and result: first wins, second wins, draws.
    pub by_length: Vec<[u128; 3]>,
    /// Moves made on all games' paths, passes that count for no ply included.
    pub nodes: u128,
    pub positions: usize,
    /// Expected square of the weight of a uniform walk, to be compared with the square of `games`.
    pub mean_square: f64,
}

impl Tally {
    pub fn results(&self) -> [u128; 3] {
        let add = |sum: [u128; 3], row: &[u128; 3]| [0, 1, 2].map(|i| sum[i] + row[i]);
        self.by_length.iter().fold([0; 3], add)
    }

    pub fn mean_length(&self) -> f64 {
        let plies: u128 =
            self.by_length.iter().zip(0..).map(|(row, n)| n * row.iter().sum::<u128>()).sum();
        plies as f64 / self.games as f64
    }

    pub fn relative_variance(&self) -> f64 {
        self.mean_square / (self.games as f64).powi(2) - 1.0
    }
}

/// Counts every game by sweeping the positions ply after ply: how many paths lead to each
/// position at each length, and the expected square of the weight of the walks that do.
pub fn sweep<G: Scored>(game: &G) -> Tally {
    let mut tally = Tally { nodes: 1, ..Tally::default() };
    let mut seen = HashSet::from([game.initial()]);
    let mut level = HashMap::from([((game.initial(), 0usize), (1u128, 1f64))]);
    let mut moves = Vec::new();
    while !level.is_empty() {
        let mut next = HashMap::new();
        for ((position, length), (paths, square)) in level {
            game.legal_moves(&position, &mut moves);
            if moves.is_empty() {
                let result = match game.outcome(&position) {
                    Outcome::FirstWins => 0,
                    Outcome::SecondWins => 1,
                    Outcome::Draw => 2,
                };
                tally.by_length.resize(tally.by_length.len().max(length + 1), [0; 3]);
                tally.by_length[length][result] += paths;
                tally.games += paths;
                tally.mean_square += square;
            }
            let ply = usize::from(game.counts_as_ply(&position));
            for mv in &moves {
                let mut child = position.clone();
                game.play(&mut child, *mv);
                seen.insert(child.clone());
                let entry = next.entry((child, length + ply)).or_insert((0, 0.0));
                entry.0 += paths;
                entry.1 += square * moves.len() as f64;
                tally.nodes += paths;
            }
        }
        level = next;
    }
    tally.positions = seen.len();
    tally
}
