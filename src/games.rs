//! The rules core: one module per family of games, and the catalog that names them.

mod bit_select;
pub mod catalog;
pub mod connect_four;
pub mod draughts;
pub mod othello;
pub mod synthetic;
pub mod tic_tac_toe;
