//! Ludometer measures how complex board games are: how many positions they have, how many games can
//! be played, how long games are and how they end.
//!
//! # A tour
//!
//! A game is a value. Perft counts its move paths, the exact counter its games where they are few;
//! the estimator plays random games and weighs them, which works for games of any size.
//!
//! ```
//! use ludometer::game::{Game, Unwatched, perft};
//! use ludometer::games::connect_four::ConnectFour;
//! use ludometer::tree_size::{Plan, Summary, Verdict, sample};
//!
//! let game = ConnectFour::new(4, 4).ok_or("no such board")?;
//! assert_eq!(perft(&game, &game.initial(), 5), 1020);
//!
//! // Seed 1: 10 trials of 2000 games, each in 4 batches, on 2 threads.
//! let plan = Plan::new(1, 10, 2000, 4)?;
//! let batches = sample(&game, &plan, 2, &Unwatched).ok_or("stopped")?;
//! let summary = Summary::of(&batches, 0.95)?;
//! assert_eq!(summary.verdict, Verdict::Trusted);
//!
//! // There are 47 982 540 games, of 15.58 plies on average.
//! let (low, high) = summary.gts.interval.expect("40 batches give an interval");
//! assert!(low.to_f64() < 47_982_540.0 && 47_982_540.0 < high.to_f64());
//! let (low, high) = summary.agl.interval.expect("40 batches give an interval");
//! assert!(low < 15.58 && 15.58 < high);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The floors
//!
//! Imports only go down; a test fails on one that goes up:
//!
//! ```text
//! cli > report > experiment > tree_size > self_play > solve > endgame > engine > stream > state_space > pdn > games > game
//! ```
//!
//! - [`game`] says what a game is, in a few small traits, and counts paths of moves (perft). The
//!   order of moves is part of the contract, so that a seed means the same game for ever.
//! - [`games`] holds the rules: draughts as rules on boards, tic-tac-toe, Connect Four, Othello, Hex,
//!   Dots and Boxes, Go, chess and trees with known answers. Its catalog turns a name with parameters into a game.
//! - [`pdn`] reads and writes games of draughts as text, whatever the tools that wrote them made of
//!   the standard.
//! - [`state_space`] bounds the number of positions by counting placements of pieces, in every digit.
//! - [`stream`] hands out random numbers, one stream for each piece of work.
//! - [`engine`] plays checkers and draughts by alpha-beta search.
//! - [`endgame`] builds databases of positions with few pieces, with their values and distances, and
//!   looks them up.
//! - [`solve`] proves what positions of checkers and draughts are worth.
//! - [`self_play`] plays collections of games, and measures any: branching factor, length, results, with
//!   errors.
//! - [`tree_size`] estimates or counts games, their lengths and results, with intervals and a verdict
//!   on whether to trust them.
//! - [`experiment`] runs a TOML spec into a folder of CSV files and a manifest, goes on where it was
//!   interrupted, and writes the same bytes on any number of threads.
//! - [`report`] sets finished results beside the published values and draws them; it measures
//!   nothing.
//! - [`cli`] is the command `ludometer`, one file per verb.

pub mod cli;
pub mod endgame;
pub mod engine;
pub mod experiment;
pub mod game;
pub mod games;
pub mod pdn;
pub mod report;
pub mod self_play;
pub mod solve;
pub mod state_space;
pub mod stream;
pub mod tree_size;
