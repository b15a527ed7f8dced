//! The rules core: one module per family of games, and the catalog that names them.

mod board_text;
pub mod catalog;
pub mod chess;
pub mod connect_four;
pub mod dots_and_boxes;
pub mod draughts;
pub mod go;
pub mod hex;
mod machine;
pub mod othello;
mod square;
pub mod synthetic;
pub mod tic_tac_toe;
