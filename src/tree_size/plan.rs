//! How many walks are made, and how they are divided into trials and batches.

use thiserror::Error;

/// `trials` independent repetitions of `games` walks each, every trial cut into `batches` batches.
///
/// Batch `k` belongs to trial `k / batches`. The batches of a trial differ by at most one game; the
/// larger ones come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    seed: u64,
    trials: u64,
    games: u64,
    batches: u64,
}

/// A plan that cannot be carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PlanError {
    /// No trials.
    #[error("trials 0: at least 1 trial is needed")]
    NoTrials,
    /// No games in a trial.
    #[error("games 0: at least 1 game per trial is needed")]
    NoGames,
    /// No batches, or more batches than games.
    #[error("batches {batches}: a trial of {games} games has from 1 to {games} batches")]
    Batches {
        /// Batches asked for in each trial.
        batches: u64,
        /// Games in each trial.
        games: u64,
    },
    /// More games or batches in all than 2^63.
    #[error("{trials} trials of {games} games: more than 2^63 games in all")]
    TooMany {
        /// Trials asked for.
        trials: u64,
        /// Games in each trial.
        games: u64,
    },
}

impl Plan {
    /// A plan of `trials` trials of `games` games in `batches` batches each, drawn from `seed`.
    ///
    /// # Errors
    /// When there is nothing to do, more batches than games, or more than 2^63 games in all.
    pub fn new(seed: u64, trials: u64, games: u64, batches: u64) -> Result<Self, PlanError> {
        if trials == 0 {
            return Err(PlanError::NoTrials);
        }
        if games == 0 {
            return Err(PlanError::NoGames);
        }
        if batches == 0 || batches > games {
            return Err(PlanError::Batches { batches, games });
        }
        if trials.checked_mul(games).is_none_or(|all| all > 1 << 63) {
            return Err(PlanError::TooMany { trials, games });
        }
        Ok(Self { seed, trials, games, batches })
    }

    /// The batches that a trial of `games` games is cut into when nothing else is asked for: 32,
    /// or as many as keep 50 games in each, but at least 1.
    pub fn default_batches(games: u64) -> u64 {
        (games / 50).clamp(1, 32)
    }

    /// The seed.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The number of trials.
    pub fn trials(&self) -> u64 {
        self.trials
    }

    /// Games in each trial.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Batches in each trial.
    pub fn batches(&self) -> u64 {
        self.batches
    }

    /// Batches in all: they are numbered `0..total_batches()`.
    pub fn total_batches(&self) -> u64 {
        self.trials * self.batches
    }

    /// Games in all.
    pub fn total_games(&self) -> u64 {
        self.trials * self.games
    }

    /// The trial of batch `batch`.
    pub fn trial_of(&self, batch: u64) -> u64 {
        batch / self.batches
    }

    /// The number of games of batch `batch`.
    pub fn games_of(&self, batch: u64) -> u64 {
        let larger = self.games % self.batches;
        self.games / self.batches + u64::from(batch % self.batches < larger)
    }
}
