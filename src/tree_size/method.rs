//! The ways to estimate: which random games are made and how they are weighted.

use std::fmt;
use std::str::FromStr;

/// The share of its particles under which an effective sample makes a population resample, unless
/// something else is said.
pub const DEFAULT_THRESHOLD: f64 = 0.9;

/// The plies of a stratified prefix unless something else is said.
pub const DEFAULT_PREFIX: u32 = 4;

/// A way to estimate the sums over all games. All are unbiased, for every sum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Method {
    /// Independent walks of uniformly drawn moves, weighted by the product of the mobilities.
    Uniform,
    /// The same walks, but moves that end the game at once are counted and not drawn.
    LeafRaoBlackwell,
    /// Sequential Monte Carlo: walks that go on side by side, as the particles of a population, and
    /// are multiplied or given up in proportion to their weight times the mobility of their
    /// positions, whenever the effective sample size falls under `threshold` times the number of
    /// particles. From 0 (never) to 1 (at every ply).
    Smc {
        /// The share of its particles under which an effective sample makes a population resample.
        threshold: f64,
    },
    /// Walks from every position after `plies` moves, which are enumerated, as many from each as its
    /// share of the standard deviation asks for (Neyman allocation).
    Stratified {
        /// Moves of the enumerated prefix, at least 1.
        plies: u32,
    },
}

impl Method {
    /// One of each, with default parameters.
    pub const ALL: [Self; 4] = [
        Self::Uniform,
        Self::LeafRaoBlackwell,
        Self::Smc { threshold: DEFAULT_THRESHOLD },
        Self::Stratified { plies: DEFAULT_PREFIX },
    ];

    /// The parameters with their names in specs.
    pub fn parameters(self) -> Vec<(&'static str, String)> {
        match self {
            Self::Uniform | Self::LeafRaoBlackwell => Vec::new(),
            Self::Smc { threshold } => vec![("threshold", threshold.to_string())],
            Self::Stratified { plies } => vec![("prefix", plies.to_string())],
        }
    }

    /// The name in specs and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Uniform => "uniform",
            Self::LeafRaoBlackwell => "leaf-rao-blackwell",
            Self::Smc { .. } => "smc",
            Self::Stratified { .. } => "stratified",
        }
    }
}

impl FromStr for Method {
    type Err = String;

    /// The method of a name, with default parameters.
    fn from_str(text: &str) -> Result<Self, String> {
        let named = Self::ALL.into_iter().find(|method| method.name() == text);
        named.ok_or_else(|| {
            format!("'{text}' is unknown (allowed: {})", Self::ALL.map(Self::name).join(", "))
        })
    }
}

impl fmt::Display for Method {
    /// The name and the parameters.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        self.parameters().iter().try_for_each(|(name, value)| write!(f, " ({name} {value})"))
    }
}
