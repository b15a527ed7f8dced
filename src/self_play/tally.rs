//! Sums over games, exact and in any order the same.

use std::collections::BTreeMap;

use super::Profile;
use crate::pdn::GameResult;

/// What the games were like at one ply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AtPly {
    /// Games in which a move was made at this ply.
    pub games: u64,
    /// Legal moves in all of them.
    pub moves: u128,
    /// Squares of the numbers of legal moves.
    pub moves_squared: u128,
    /// Games in which that move was a capture.
    pub captures: u64,
}

/// Sums over games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The games.
    pub games: u64,
    /// The games that were cut off.
    pub cut: u64,
    /// Plies of each game (L), summed.
    pub plies: u128,
    /// L^2 summed.
    pub plies_squared: u128,
    /// Legal moves in all positions of a game in which a move was made (M), summed.
    pub moves: u128,
    /// M^2 summed.
    pub moves_squared: u128,
    /// L M summed.
    pub plies_moves: u128,
    /// Plies that had one legal move.
    pub forced: u64,
    /// How the games ended and why; a game that does not say why has the empty reason.
    pub endings: BTreeMap<(GameResult, String), u64>,
    /// The games at each ply, from the first.
    pub at_ply: Vec<AtPly>,
    /// Games of each length in plies.
    pub lengths: BTreeMap<u64, u64>,
    /// Positions by number of legal moves.
    pub mobilities: BTreeMap<u16, u64>,
    /// Captures by number of pieces taken.
    pub taken: BTreeMap<u8, u64>,
}

impl Tally {
    /// Adds a game.
    pub fn add(&mut self, game: &Profile) {
        let length = game.plies.len();
        let moves: u64 = game.plies.iter().map(|(mobility, _)| u64::from(*mobility)).sum();
        let (l, m) = (length as u128, u128::from(moves));
        self.games += 1;
        self.cut += u64::from(game.cut);
        self.plies += l;
        self.plies_squared += l * l;
        self.moves += m;
        self.moves_squared += m * m;
        self.plies_moves += l * m;
        let reason = game.termination.as_ref().map(ToString::to_string).unwrap_or_default();
        *self.endings.entry((game.result, reason)).or_default() += 1;
        *self.lengths.entry(length as u64).or_default() += 1;
        if self.at_ply.len() < length {
            self.at_ply.resize(length, AtPly::default());
        }
        for (at, &(mobility, taken)) in self.at_ply.iter_mut().zip(&game.plies) {
            at.games += 1;
            at.moves += u128::from(mobility);
            at.moves_squared += u128::from(mobility) * u128::from(mobility);
            at.captures += u64::from(taken > 0);
            self.forced += u64::from(mobility == 1);
            *self.mobilities.entry(mobility).or_default() += 1;
            if taken > 0 {
                *self.taken.entry(taken).or_default() += 1;
            }
        }
    }

    /// Adds the games of another tally.
    pub fn merge(&mut self, other: &Tally) {
        self.games += other.games;
        self.cut += other.cut;
        self.plies += other.plies;
        self.plies_squared += other.plies_squared;
        self.moves += other.moves;
        self.moves_squared += other.moves_squared;
        self.plies_moves += other.plies_moves;
        self.forced += other.forced;
        add_all(&mut self.endings, &other.endings);
        add_all(&mut self.lengths, &other.lengths);
        add_all(&mut self.mobilities, &other.mobilities);
        add_all(&mut self.taken, &other.taken);
        if self.at_ply.len() < other.at_ply.len() {
            self.at_ply.resize(other.at_ply.len(), AtPly::default());
        }
        for (mine, theirs) in self.at_ply.iter_mut().zip(&other.at_ply) {
            mine.games += theirs.games;
            mine.moves += theirs.moves;
            mine.moves_squared += theirs.moves_squared;
            mine.captures += theirs.captures;
        }
    }

    /// Games that ended in `result`.
    pub fn ended(&self, result: GameResult) -> u64 {
        let same = self.endings.iter().filter(|((other, _), _)| *other == result);
        same.map(|(_, games)| games).sum()
    }

    /// Captures made.
    pub fn captures(&self) -> u64 {
        self.taken.values().sum()
    }

    /// The most pieces taken in one move; `None` when nothing was taken.
    pub fn most_taken(&self) -> Option<u8> {
        self.taken.last_key_value().map(|(taken, _)| *taken)
    }
}

fn add_all<K: Clone + Ord>(mine: &mut BTreeMap<K, u64>, theirs: &BTreeMap<K, u64>) {
    for (key, count) in theirs {
        *mine.entry(key.clone()).or_default() += count;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::draughts::Side;
    use crate::pdn::Termination;

    #[test]
    fn merging_tallies_is_adding_their_games() {
        let game = |plies: &[(u16, u8)], result, termination| Profile {
            plies: plies.to_vec(),
            cut: plies.len() > 2,
            result,
            termination,
            key: Box::new([]),
        };
        let games = [
            game(&[(9, 0), (1, 2)], GameResult::Draw, Some(Termination::PlyCap)),
            game(&[(7, 0), (3, 1), (2, 1)], GameResult::Won(Side::White), None),
            game(&[], GameResult::Won(Side::Black), Some(Termination::Other("x".into()))),
            game(&[(5, 0)], GameResult::Unfinished, None),
            game(&[(400, 0)], GameResult::DoubleForfeit, None),
        ];
        let tally = |games: &[Profile]| {
            let mut tally = Tally::default();
            games.iter().for_each(|game| tally.add(game));
            tally
        };
        let all = tally(&games);
        for split in 0..=games.len() {
            let (first, second) = (tally(&games[..split]), tally(&games[split..]));
            for (mut one, other) in [(first.clone(), &second), (second.clone(), &first)] {
                one.merge(other);
                assert_eq!(one, all);
            }
        }
        assert_eq!((all.games, all.plies, all.moves, all.forced, all.cut), (5, 7, 427, 1, 1));
        assert_eq!(all.ended(GameResult::Won(Side::White)), 1);
        assert_eq!((all.captures(), all.most_taken()), (3, Some(2)));
        assert_eq!(all.at_ply[1], AtPly { games: 2, moves: 4, moves_squared: 10, captures: 2 });
    }
}
