//! The size of a game's state space.
//!
//! [`formula`] bounds it from above by counting placements of pieces. A bound (`SSC <=`) and a count
//! of the positions that can be reached (`SSC =`) are different quantities and never share a column.

pub mod breadth_first;
pub mod formula;
pub mod ranking;
pub mod reachable;
