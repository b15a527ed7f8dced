//! The rules core: one module per family of games, and the catalog that names them.

pub mod catalog;
pub mod connect_four;
pub mod draughts;
mod machine;
pub mod othello;
mod square;
pub mod synthetic;
pub mod tic_tac_toe;
