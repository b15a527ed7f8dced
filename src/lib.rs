//! Ludometer measures how complex board games are.
//!
//! The floors of the house, from the ground up; imports only go down:
//!
//! ```text
//! cli > report > experiment > tree_size > state_space > games > game
//! ```

pub mod cli;
pub mod experiment;
pub mod game;
pub mod games;
pub mod report;
pub mod state_space;
pub mod tree_size;
