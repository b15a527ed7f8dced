//! The ways to search for proofs, by name.

use std::fmt;
use std::str::FromStr;

use super::{DepthFirstSearch, Limits, ProofNumberSearch, Solver, Start};
use crate::engine::Probe;
use crate::games::draughts::{Board, Rules};

/// How proofs are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// [`DepthFirstSearch`].
    DepthFirst,
    /// [`ProofNumberSearch`] as published, from [`Start::One`].
    BestFirst,
    /// [`ProofNumberSearch`] from [`Start::Mobility`].
    BestFirstMobility,
}

impl Method {
    /// Every method.
    pub const ALL: [Self; 3] = [Self::DepthFirst, Self::BestFirst, Self::BestFirstMobility];

    /// Its name on the command line and in specs.
    pub fn name(self) -> &'static str {
        match self {
            Self::DepthFirst => "dfpn",
            Self::BestFirst => "pns",
            Self::BestFirstMobility => "pns-mobility",
        }
    }

    /// Of `memory` bytes for a proof, what the table gets.
    pub fn table_bytes(self, memory: u64) -> u64 {
        match self {
            Self::DepthFirst => memory / 8 * 7,
            Self::BestFirst | Self::BestFirstMobility => 0,
        }
    }

    /// The limits of a proof that may generate `nodes` positions and take `memory` bytes, the table
    /// included.
    pub fn limits(self, nodes: u64, memory: u64) -> Limits {
        Limits { nodes, bytes: memory - self.table_bytes(memory) }
    }

    /// A solver that asks `probe`, of whose proofs each may take `memory` bytes.
    pub fn solver<R: Rules, B: Board, P: Probe<B> + 'static>(
        self,
        probe: P,
        memory: u64,
    ) -> Box<dyn Solver<B>> {
        match self {
            Self::DepthFirst => {
                Box::new(DepthFirstSearch::<R, B, P>::new(probe, self.table_bytes(memory)))
            }
            Self::BestFirst => Box::new(ProofNumberSearch::<R, B, P>::new(probe, Start::One)),
            Self::BestFirstMobility => {
                Box::new(ProofNumberSearch::<R, B, P>::new(probe, Start::Mobility))
            }
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Method {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|method| method.name() == text).ok_or_else(|| {
            let allowed = Self::ALL.map(Self::name).join(", ");
            format!("'{text}' is unknown (allowed: {allowed})")
        })
    }
}
