//! The ways to estimate: which random games are made and how they are weighted.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// The share of its particles under which an effective sample makes a population resample, unless
/// something else is said.
pub const DEFAULT_THRESHOLD: f64 = 0.9;

/// The populations that learn what classes of positions have ahead, unless something else is said.
pub const DEFAULT_PILOTS: u32 = 4;

/// The most of them.
pub const MOST_PILOTS: u32 = 100;

/// The plies of a stratified prefix unless something else is said.
pub const DEFAULT_PREFIX: u32 = 4;

/// The most plies of a look ahead.
pub const MOST_LOOK_AHEAD: u32 = 4;

/// How much less than the best a sensible move may be worth unless something else is said.
pub const DEFAULT_MARGIN: f64 = 0.1;

/// The temperature of a policy unless something else is said.
pub const DEFAULT_TEMPERATURE: f64 = 1.0;

/// So many times the temperature may the worth of two moves differ. The probabilities of moves that are
/// farther apart differ by more than exp(4): games through the worse are missing from any sample, and
/// what is left looks as even as if there were none.
const COLDEST: f64 = 4.0;

/// A parameter of a method that makes no sense.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error("{name} {value} (allowed: {allowed})")]
pub struct ParameterError {
    /// The parameter's name in specs.
    pub name: &'static str,
    /// Its value.
    pub value: f64,
    /// What is allowed.
    pub allowed: &'static str,
}

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
    /// particles. From 0 (only when moves are first drawn) to 1 (at every ply).
    Smc {
        /// The share of its particles under which an effective sample makes a population resample.
        threshold: f64,
    },
    /// The same, with particles weighted besides by what the classes of their positions have ahead,
    /// which `pilots` populations beforehand have learned.
    TwistedSmc {
        /// As of [`Method::Smc`].
        threshold: f64,
        /// Populations that learn, 1 to [`MOST_PILOTS`].
        pilots: u32,
    },
    /// Walks from every position after `plies` moves, which are enumerated, as many from each as its
    /// share of the standard deviation asks for (Neyman allocation).
    Stratified {
        /// Moves of the enumerated prefix, at least 1.
        plies: u32,
    },
    /// Walks that choose their moves by how good they look, weighted by one over the probability of
    /// their choices.
    Policy {
        /// How little it matters how good a move is, in units of half the difference between a win
        /// and a loss; 0.5 or more, with a margin a quarter of it or more.
        temperature: f64,
        /// Plies of the search that judges a move, at most [`MOST_LOOK_AHEAD`]; 0 for the static
        /// evaluation.
        look_ahead: u32,
        /// Only moves that are worth at most so much less than the best, from 0 to 2: the sums are
        /// then those over *sensible games*, not over all.
        margin: Option<f64>,
    },
    /// Sequential Monte Carlo over sensible games alone.
    SensibleSmc {
        /// As of [`Method::Smc`].
        threshold: f64,
        /// As of [`Method::Policy`].
        look_ahead: u32,
        /// As of [`Method::Policy`].
        margin: f64,
    },
}

impl Method {
    /// One of each that is over all games, with default parameters.
    pub const ALL: [Self; 6] = [
        Self::Uniform,
        Self::LeafRaoBlackwell,
        Self::Smc { threshold: DEFAULT_THRESHOLD },
        Self::TwistedSmc { threshold: DEFAULT_THRESHOLD, pilots: DEFAULT_PILOTS },
        Self::Stratified { plies: DEFAULT_PREFIX },
        Self::Policy { temperature: DEFAULT_TEMPERATURE, look_ahead: 0, margin: None },
    ];

    /// The method over sensible games alone, with default parameters.
    pub const SENSIBLE: Self =
        Self::SensibleSmc { threshold: DEFAULT_THRESHOLD, look_ahead: 0, margin: DEFAULT_MARGIN };

    /// One of each, with default parameters.
    pub fn all() -> Vec<Self> {
        Self::ALL.into_iter().chain([Self::SENSIBLE]).collect()
    }

    /// The names of all methods, between commas.
    pub fn names() -> String {
        Self::all().into_iter().map(Self::name).collect::<Vec<_>>().join(", ")
    }

    /// Whether replicates are populations of particles, not samples of games.
    pub fn has_particles(self) -> bool {
        matches!(self, Self::Smc { .. } | Self::TwistedSmc { .. } | Self::SensibleSmc { .. })
    }

    /// Whether the sums are those over sensible games.
    pub fn is_of_sensible_games(self) -> bool {
        matches!(self, Self::Policy { margin: Some(_), .. } | Self::SensibleSmc { .. })
    }

    /// The names in specs of the parameters that the method takes.
    pub fn keys(self) -> &'static [&'static str] {
        match self {
            Self::Uniform | Self::LeafRaoBlackwell => &[],
            Self::Smc { .. } => &["threshold"],
            Self::TwistedSmc { .. } => &["threshold", "pilots"],
            Self::Stratified { .. } => &["prefix"],
            Self::Policy { .. } => &["temperature", "look_ahead", "margin"],
            Self::SensibleSmc { .. } => &["threshold", "look_ahead", "margin"],
        }
    }

    /// The parameters that have a value, with their names in specs.
    pub fn parameters(self) -> Vec<(&'static str, String)> {
        let value = |key: &&'static str| Some((*key, self.value(key)?));
        self.keys().iter().filter_map(value).collect()
    }

    fn value(self, key: &str) -> Option<String> {
        match (key, self) {
            (
                "threshold",
                Self::Smc { threshold }
                | Self::TwistedSmc { threshold, .. }
                | Self::SensibleSmc { threshold, .. },
            ) => Some(threshold.to_string()),
            ("pilots", Self::TwistedSmc { pilots, .. }) => Some(pilots.to_string()),
            ("prefix", Self::Stratified { plies }) => Some(plies.to_string()),
            ("temperature", Self::Policy { temperature, .. }) => Some(temperature.to_string()),
            (
                "look_ahead",
                Self::Policy { look_ahead, .. } | Self::SensibleSmc { look_ahead, .. },
            ) => Some(look_ahead.to_string()),
            ("margin", Self::Policy { margin, .. }) => margin.map(|margin| margin.to_string()),
            ("margin", Self::SensibleSmc { margin, .. }) => Some(margin.to_string()),
            _ => None,
        }
    }

    /// Says which parameter makes no sense.
    ///
    /// # Errors
    /// Names it, its value and what is allowed.
    pub fn check(self) -> Result<(), ParameterError> {
        let wrong = |name, value: f64, allowed| Err(ParameterError { name, value, allowed });
        match self {
            Self::Smc { threshold }
            | Self::TwistedSmc { threshold, .. }
            | Self::SensibleSmc { threshold, .. }
                if !(0.0..=1.0).contains(&threshold) =>
            {
                wrong("threshold", threshold, "0 to 1")
            }
            Self::TwistedSmc { pilots, .. } if !(1..=MOST_PILOTS).contains(&pilots) => {
                wrong("pilots", pilots.into(), "1 to 100")
            }
            Self::Stratified { plies: 0 } => wrong("prefix", 0.0, "1 or more plies"),
            Self::Policy { temperature, margin, .. }
                if !(temperature > 0.0 && temperature.is_finite())
                    || temperature < margin.unwrap_or(2.0) / COLDEST =>
            {
                let allowed = "0.5 or more; with a margin a quarter of it or more";
                wrong("temperature", temperature, allowed)
            }
            Self::Policy { look_ahead, .. } | Self::SensibleSmc { look_ahead, .. }
                if look_ahead > MOST_LOOK_AHEAD =>
            {
                wrong("look_ahead", look_ahead.into(), "0 to 4 plies")
            }
            Self::Policy { margin: Some(margin), .. } | Self::SensibleSmc { margin, .. }
                if !(0.0..=2.0).contains(&margin) =>
            {
                wrong("margin", margin, "0 to 2")
            }
            _ => Ok(()),
        }
    }

    /// The name in specs and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Uniform => "uniform",
            Self::LeafRaoBlackwell => "leaf-rao-blackwell",
            Self::Smc { .. } => "smc",
            Self::TwistedSmc { .. } => "twisted-smc",
            Self::Stratified { .. } => "stratified",
            Self::Policy { .. } => "policy",
            Self::SensibleSmc { .. } => "sensible-smc",
        }
    }
}

impl FromStr for Method {
    type Err = String;

    /// The method of a name, with default parameters.
    fn from_str(text: &str) -> Result<Self, String> {
        let named = Self::all().into_iter().find(|method| method.name() == text);
        named.ok_or_else(|| format!("'{text}' is unknown (allowed: {})", Self::names()))
    }
}

impl fmt::Display for Method {
    /// The name and the parameters.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        let parameters = self.parameters();
        if parameters.is_empty() {
            return Ok(());
        }
        let named: Vec<String> =
            parameters.iter().map(|(name, value)| format!("{name} {value}")).collect();
        write!(f, " ({})", named.join(", "))
    }
}
