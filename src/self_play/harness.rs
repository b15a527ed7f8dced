//! Self-play: many games of an engine against itself, each with random numbers of its own.
//!
//! Game `i` at a depth depends on the game with its draw rule, the seed, the depth, the evaluation, the
//! ending and `i`, and on nothing else: both players draw from stream `i` of a seed that is mixed from
//! seed, game and depth, and their tables are empty at the start of each search.

use std::ops::Range;

use super::description::{Description, Judgement};
use super::player::{Player, PlayerError, SharedDatabase};
use super::playing::{Ending, PlayedGame, play};
use super::store::GameText;
use crate::engine::Probe;
use crate::engine::key::mix;
use crate::game::Progress;
use crate::games::draughts::draw::Adjudicated;
use crate::games::draughts::{Board, Draughts, Rules};
use crate::pdn::{DEPTH_TAG, GameResult, Record, SEED_TAG, Tag, push_record};
use crate::stream::{RunError, Threads, in_order, stream};

/// Finished games for each thread that may wait for a longer one: games are kilobytes, and a thread
/// that waits is lost.
const WAITING: u64 = 256;

/// What both sides ask besides their own search.
#[derive(Clone)]
pub struct Knowledge<B: Board> {
    /// Whether they are the perfect player, which proves its moves and searches where no proof is found.
    pub perfect: bool,
    /// The database.
    pub database: Option<SharedDatabase<B>>,
}

impl<B: Board> Knowledge<B> {
    /// Nothing.
    pub fn none() -> Self {
        Self { perfect: false, database: None }
    }
}

/// What is played.
#[derive(Clone)]
pub struct SelfPlay<R: Rules, B: Board> {
    /// The game with its draw rule.
    pub game: Adjudicated<R, B>,
    /// The name of the game, e.g. `draughts-10`.
    pub id: String,
    /// The seed.
    pub seed: u64,
    /// The search depth of both sides in plies; 0: random legal moves.
    pub depth: u32,
    /// How both sides judge positions.
    pub judgement: Judgement,
    /// What both sides ask.
    pub knowledge: Knowledge<B>,
    /// What ends a game early.
    pub ending: Ending,
}

impl<R: Rules, B: Board> SelfPlay<R, B> {
    /// The tags of game `index`: everything that its moves depend on.
    fn tags(&self, index: u64) -> Vec<Tag> {
        let mut tags = vec![
            Tag::new("Event", format!("{} self-play", self.id)),
            Tag::new("Round", index + 1),
            Tag::new("Annotator", concat!("ludometer ", env!("CARGO_PKG_VERSION"))),
            Tag::new(SEED_TAG, self.seed),
            Tag::new(DEPTH_TAG, self.depth),
            Tag::new("Engine", self.engine()),
            Tag::new("DrawRule", self.game.rule()),
        ];
        tags.extend(self.ending.stop_at_pieces.map(|pieces| Tag::new("StopAtPieces", pieces)));
        tags
    }

    /// The players in a few words, without the folder of their database.
    fn engine(&self) -> String {
        let Knowledge { perfect, database } = &self.knowledge;
        let perfect = if *perfect { "perfect," } else { "" };
        let pieces =
            database.as_ref().map(|database| format!(",pieces={}", database.most_pieces()));
        format!("{perfect}{}{}", self.judgement, pieces.unwrap_or_default())
    }

    /// The text with which game `index` begins.
    pub fn head(&self, index: u64) -> String {
        let mut text = String::new();
        let record = Record {
            tags: self.tags(index),
            start: Draughts::<R, B>::start(),
            moves: Vec::new(),
            result: GameResult::Unfinished,
            termination: None,
        };
        push_record(self.game.rules(), &record, &mut text);
        let end = text.find("[Result ").expect("every game has a result");
        text.truncate(end);
        text
    }

    /// The seed from which the streams of the games come.
    fn own_seed(&self) -> u64 {
        let named = self.id.bytes().fold(self.seed, |hash, byte| mix(hash ^ u64::from(byte)));
        mix(named ^ u64::from(self.depth))
    }

    /// Game `index`, counted from 0.
    ///
    /// # Errors
    /// When stopped.
    pub fn play(
        &self,
        index: u64,
        players: &mut [Box<dyn Player<R, B>>],
        progress: &dyn Progress,
    ) -> Result<GameText, PlayerError> {
        let mut generator = stream(self.own_seed(), index);
        let random = Some(&mut generator);
        let PlayedGame { mut record, nodes } =
            play(&self.game, &[], players, [0, 0], self.ending, random, progress)?;
        record.tags = self.tags(index);
        let mut text = String::new();
        push_record(self.game.rules(), &record, &mut text);
        Ok(GameText { text, nodes })
    }

    /// Plays the games `range` on `threads` threads and hands each to `sink`, in order. `progress`
    /// advances by games; when it says stop, games in hand are dropped. Returns how many games were
    /// handed out.
    ///
    /// # Errors
    /// The first error of `sink`, after which nothing more is handed out; or no threads.
    pub fn run<E>(
        &self,
        range: Range<u64>,
        threads: usize,
        progress: &dyn Progress,
        sink: impl FnMut(GameText) -> Result<(), E>,
    ) -> Result<u64, RunError<E>> {
        let Knowledge { perfect, database } = &self.knowledge;
        let description =
            Description { perfect: *perfect, ..Description::depth(self.depth, self.judgement) };
        let rule = self.game.rule();
        // One player is enough for both sides: what it searched before plays no part.
        let never = |_| -> Box<dyn Progress> { Box::new(crate::game::Unwatched) };
        let worker = || vec![description.player(rule, never, database.clone())];
        let make = |players: &mut Vec<_>, index| {
            let game = self.play(index, players, progress).ok()?;
            progress.advance(1);
            Some(game)
        };
        in_order(range, Threads { threads, waiting: WAITING }, worker, make, sink)
    }
}
