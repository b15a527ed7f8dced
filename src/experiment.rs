//! Experiments: a spec in, a folder of results out, the same bytes on every machine.
//!
//! `experiments/<id>.toml` becomes `results/<id>/`: `batches.csv` and `histograms.csv`
//! ([`journal`]), `summary.csv` ([`quantity`]) and `manifest.toml` ([`manifest`]).

pub mod journal;
pub mod manifest;
pub mod provenance;
pub mod quantity;
