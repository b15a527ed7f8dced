//! Matches: two players, pairs of games with colours swapped from the same opening, and what the score
//! says about their strength.
//!
//! The unit of a match is the pair, not the game: both games of a pair begin in one opening, which may
//! favour a colour, so they are not independent. Errors come from the spread of the pairs' scores.

use std::fmt;
use std::ops::Range;

use super::player::{Player, PlayerError};
use super::playing::{Ending, play};
use crate::game::Progress;
use crate::games::draughts::draw::Adjudicated;
use crate::games::draughts::{Board, Move, Rules, Side};
use crate::pdn::{GameResult, Record};
use crate::stream::{RunError, Threads, bounded, in_order, stream};

/// Finished pairs for each thread that may wait for an earlier one.
const WAITING: u64 = 64;

/// The two players of one match, made anew for each thread.
pub type Players<R, B> = Vec<Box<dyn Player<R, B>>>;

/// What is played.
#[derive(Clone, Debug)]
pub struct Match<R: Rules, B: Board> {
    /// The game with its draw rule.
    pub game: Adjudicated<R, B>,
    /// Openings; each pair plays one, all of them in turn.
    pub openings: Vec<Vec<Move<B>>>,
    /// Seed of the order of openings and of what varies the games; `None`: openings in order and
    /// nothing varied.
    pub seed: Option<u64>,
}

/// A game of a match.
#[derive(Clone, Debug)]
pub struct MatchGame<B: Board> {
    /// The colour of player A.
    pub colour_of_a: Side,
    /// The moves and the result.
    pub record: Record<B>,
    /// Positions that both players visited.
    pub nodes: u64,
}

impl<B: Board> MatchGame<B> {
    /// What the game gives player A: 2 for a win, 1 for a draw, 0.
    pub fn halves_of_a(&self) -> u64 {
        match self.record.result {
            GameResult::Won(side) if side == self.colour_of_a => 2,
            GameResult::Won(_) | GameResult::DoubleForfeit => 0,
            GameResult::Draw | GameResult::Unfinished => 1,
        }
    }
}

impl<R: Rules, B: Board> Match<R, B> {
    /// The number of the opening of each pair in turn.
    fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.openings.len()).collect();
        if let Some(seed) = self.seed {
            let mut generator = stream(seed, 0);
            for last in (1..order.len()).rev() {
                order.swap(last, bounded(&mut generator, last as u64 + 1) as usize);
            }
        }
        order
    }

    /// The two games of a pair: player A, the first of `players`, has White first.
    ///
    /// # Errors
    /// When a player was stopped or cannot play on.
    pub fn pair(
        &self,
        opening: &[Move<B>],
        number: u64,
        players: &mut [Box<dyn Player<R, B>>],
        progress: &dyn Progress,
    ) -> Result<[MatchGame<B>; 2], PlayerError> {
        let mut game = |which: u64| {
            let colour_of_a = if which == 0 { Side::White } else { Side::Black };
            let seats = if which == 0 { [0, 1] } else { [1, 0] };
            // Stream 0 is that of the order.
            let mut generator = self.seed.map(|seed| stream(seed, 1 + 2 * number + which));
            let random = generator.as_mut();
            let ending = Ending::default();
            let played = play(&self.game, opening, players, seats, ending, random, progress)?;
            Ok(MatchGame { colour_of_a, record: played.record, nodes: played.nodes })
        };
        Ok([game(0)?, game(1)?])
    }

    /// Plays the pairs with numbers `pairs` on `threads` threads and hands each to `sink`, in order,
    /// with the number of its opening. `progress` advances by games. Returns the number of pairs handed
    /// out, all of them unless it was stopped.
    ///
    /// # Errors
    /// When a player cannot play on, or the first error of `sink`.
    ///
    /// # Panics
    /// When there is no opening.
    pub fn run<E: From<PlayerError>>(
        &self,
        pairs: Range<u64>,
        threads: usize,
        players: impl Fn() -> Players<R, B> + Sync,
        progress: &dyn Progress,
        mut sink: impl FnMut(usize, [MatchGame<B>; 2]) -> Result<(), E>,
    ) -> Result<u64, RunError<E>> {
        let order = self.order();
        assert!(!order.is_empty(), "a match needs an opening");
        let make = |players: &mut Players<R, B>, number: u64| {
            let opening = order[(number % order.len() as u64) as usize];
            match self.pair(&self.openings[opening], number, players, progress) {
                Err(PlayerError::Stopped) => None,
                games => {
                    progress.advance(2);
                    Some((opening, games))
                }
            }
        };
        let spread = Threads { threads, waiting: WAITING };
        in_order(pairs, spread, players, make, |(opening, games)| sink(opening, games?))
    }
}

/// Wins, draws and losses of one player, and the pairs by what they gave it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Pairs that gave 0, 1/2, 1, 3/2, 2 points.
    pub pairs: [u64; 5],
}

impl Score {
    /// Adds a pair, as player A sees it.
    pub fn add<B: Board>(&mut self, pair: &[MatchGame<B>; 2]) {
        let halves = pair.each_ref().map(MatchGame::halves_of_a);
        for half in halves {
            match half {
                2 => self.wins += 1,
                1 => self.draws += 1,
                _ => self.losses += 1,
            }
        }
        self.pairs[(halves[0] + halves[1]) as usize] += 1;
    }

    /// The score of the other player.
    pub fn reversed(&self) -> Self {
        let mut pairs = self.pairs;
        pairs.reverse();
        Self { wins: self.losses, draws: self.draws, losses: self.wins, pairs }
    }

    /// Games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points per game, 0 to 1; no game gives none.
    pub fn share(&self) -> Option<f64> {
        let games = self.games();
        (games > 0).then(|| (self.wins as f64 + self.draws as f64 / 2.0) / games as f64)
    }

    /// The standard error of [`Score::share`] from the spread of pairs; `None` for fewer than two pairs
    /// or pairs without spread, which say nothing about it.
    pub fn standard_error(&self) -> Option<f64> {
        let pairs: u64 = self.pairs.iter().sum();
        let mean = self.share()?;
        let squares: f64 = (0..5)
            .map(|quarters| {
                let deviation = quarters as f64 / 4.0 - mean;
                self.pairs[quarters] as f64 * deviation * deviation
            })
            .sum();
        (pairs > 1 && squares > 0.0).then(|| (squares / (pairs - 1) as f64 / pairs as f64).sqrt())
    }

    /// The interval of 95 % round [`Score::share`], cut to 0..1: 1.96 standard errors either way.
    pub fn interval(&self) -> Option<(f64, f64)> {
        let (mean, error) = (self.share()?, self.standard_error()?);
        Some(((mean - 1.96 * error).max(0.0), (mean + 1.96 * error).min(1.0)))
    }
}

/// The difference in Elo points that makes this share of the points expected; infinite at 0 and 1.
///
/// Source: A. E. Elo, *The Rating of Chessplayers*: a share of 1 / (1 + 10^(-D/400)).
pub fn elo(share: f64) -> f64 {
    400.0 * (share / (1.0 - share)).log10()
}

impl fmt::Display for Score {
    /// `+12 =30 -8`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "+{} ={} -{}", self.wins, self.draws, self.losses)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_come_from_the_spread_of_pairs() {
        // Pairs of 2, 1, 1 and 0 points: shares 1, 1/2, 1/2, 0.
        let score = Score { wins: 3, draws: 2, losses: 3, pairs: [1, 0, 2, 0, 1] };
        assert_eq!(score.share(), Some(0.5));
        // The variance of the four shares is (1/4 + 1/4) / 3, that of their mean a quarter.
        let error = score.standard_error().expect("there is spread");
        assert!((error - (0.5_f64 / 3.0 / 4.0).sqrt()).abs() < 1e-12);
        let (low, high) = score.interval().expect("there is spread");
        assert!((high - low - 2.0 * 1.96 * error).abs() < 1e-12);
        assert_eq!(score.reversed().reversed(), score);
        let even = Score { wins: 5, draws: 0, losses: 5, pairs: [0, 0, 5, 0, 0] };
        assert_eq!(even.standard_error(), None);
        assert_eq!(Score::default().share(), None);
    }

    #[test]
    fn elo_of_a_share_is_the_inverse_of_the_expected_score() {
        assert_eq!(elo(0.5), 0.0);
        for difference in [-300.0, -20.0, 100.0, 400.0] {
            let share = 1.0 / (1.0 + 10f64.powf(-difference / 400.0));
            assert!((elo(share) - difference).abs() < 1e-9);
        }
        assert!(elo(1.0).is_infinite() && elo(0.0).is_infinite());
    }
}
