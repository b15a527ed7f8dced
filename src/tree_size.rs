//! Game tree size: how many games a game has, how long they are and how they end.
//!
//! *gts* is the number of leaves of the game tree (the number of different legal games), *agl* the
//! mean length of these games in plies. Three ways to them live here:
//!
//! - **Estimation** by sequential importance sampling. One *walk* is one game played from the
//!   initial position, each move drawn uniformly from the `c_j` legal moves of ply `j`; its *weight*
//!   is `X = c_1 c_2 ... c_N`, one over its probability. So `E[X] = gts`, `E[N X] / E[X] = agl`, and
//!   `E[X; the first player wins] / E[X]` is the rate of first wins. Sources: D. E. Knuth,
//!   *Estimating the efficiency of backtrack programs*, Math. Comp. 29 (1975); A. Yong and D. Yong,
//!   *An estimation method for game complexity*, equation (1). [`run_batches`] makes walks and hands
//!   out [`Batch`]es of mergeable sums, [`Summary`] turns batches into estimates with errors and says
//!   when they cannot be trusted.
//! - **Replicates** of other ways to estimate ([`Method`]): independent unbiased estimates of all
//!   sums, each made by a sample of walks, or by a population of walks that are multiplied and given up
//!   on their way (sequential Monte Carlo), which needs far less time for the same error. Walks may
//!   also prefer good moves, and count only *sensible games*, those without bad ones.
//!   [`run_replicates`] makes [`Replicate`]s, [`ReplicateSummary`] turns them into estimates with
//!   three kinds of interval and a verdict.
//! - **Exact counting** by dynamic programming over positions, ply by ply, where the game is small:
//!   [`exact`]. It also gives the exact variance of one walk, which the errors are held against.
//!
//! Every weight lives as a mantissa and an exponent of two ([`Scaled`]), so nothing overflows: walks
//! of 14x14 draughts pass 10^367, where `f64` ends at 10^308.
//!
//! Randomness is reproducible to the bit. Batch or replicate `k` draws from the Xoshiro256++ stream
//! that `seed` starts, advanced by `k` jumps of 2^128 draws ([`stream`]); they are handed out and
//! merged in order, so the number of threads changes no digit.
//!
//! What this floor does not do: write files, know games by name, know how good a move is but by the
//! static evaluation of its game.

mod batch;
mod exact;
mod leaf;
mod method;
mod outlook;
mod pareto;
mod plan;
mod policy;
mod replicate;
mod replicate_run;
mod replicate_summary;
mod run;
mod scaled;
mod sensible;
mod smc;
mod stratified;
mod student;
mod summary;
mod sums;
mod tally;
mod uniform;
mod walk;

pub use crate::stream::{RunError, bounded, stream};
pub use batch::{Batch, Bin, BinKind, TAIL_KEPT, weight_bin_log10};
pub use exact::{Exact, ExactError, exact};
pub use method::{
    DEFAULT_MARGIN, DEFAULT_PILOTS, DEFAULT_PREFIX, DEFAULT_TEMPERATURE, DEFAULT_THRESHOLD,
    MOST_LOOK_AHEAD, MOST_PILOTS, Method, ParameterError,
};
pub use pareto::{pareto_k_hat, pareto_tail_len};
pub use plan::{Plan, PlanError};
pub use replicate::Replicate;
pub use replicate_run::{
    MOST_GAMES, MOST_PARTICLES, MOST_REPLICATES, ReplicateError, ReplicatePlan, ReplicatePlanError,
    population_bytes, run_replicates, sample_replicates,
};
pub use replicate_summary::{
    DEVIATION_ALLOWED, EFFECTIVE_WALKS_NEEDED, LARGEST_REPLICATE_ALLOWED, RATE_DEVIATION_ALLOWED,
    REPLICATES_NEEDED, ReplicateDoubt, ReplicateEstimate, ReplicateSummary, ReplicateVerdict,
    replicate_convergence,
};
pub use run::{run_batches, sample};
pub use scaled::Scaled;
pub use stratified::{MOST_STRATA, PrefixError};
pub use student::{ConfidenceError, student_t_quantile};
pub use summary::{
    BATCHES_NEEDED, Convergence, Doubt, EFFECTIVE_GAMES_NEEDED, Estimate, K_HAT_ALLOWED,
    LARGEST_SHARE_ALLOWED, RATE_ERROR_ALLOWED, Summary, SummaryError, UniformPlay, Verdict,
    convergence,
};
pub use walk::{Walk, walk};
