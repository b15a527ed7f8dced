//! Tables and plots of what experiments left in `results/`.
//!
//! This floor only reads; it never measures.

pub mod plot;
