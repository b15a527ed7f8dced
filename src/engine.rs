//! A player of checkers and draughts on any board: alpha-beta search to a fixed depth.
//!
//! [`Engine`] is generic over rules and board ([`crate::games::draughts`]) and over an
//! [`Evaluation`], so that each game has its own compiled search. What it does: principal variation
//! search with iterative deepening and aspiration windows; a transposition table; the table's move
//! first, then captures by size, killer moves and history; one ply more where there is a single legal
//! move; at the end of the depth captures are followed until none is left, since who can capture must.
//! Nothing is pruned on a guess, unless [`Settings::reductions`] asks for it.
//!
//! Scores are in hundredths of a man, from the view of the side to move. A side without a move has
//! lost: `-(MATE - plies from the root)`. A draw is 0.
//!
//! **The value is exact.** The score of a finished search to depth d is the value of plain minimax to
//! depth d with the same leaves, table or no table; a test holds it to that in every game. So a cut
//! from the table needs the very depth that is left, not a greater one.
//!
//! **Draw rules.** The search knows the rule of the game ([`DrawRule`]): a position that occurred
//! before, in the game or on the way from the root, is a draw at once when the rule limits
//! repetitions; the counts of quiet king moves and against a lone king are kept. The ply cap is no
//! concern of the search. What a position is worth may then depend on the way to it, from the last
//! capture or man move on; the table knows a position that kings have led to by that way too, so it
//! never hands a value from one history to another. Two ways of equal positions and equal order meet;
//! others do not, which costs some nodes in endings of kings.
//!
//! **Keys** are 64 bits wide ([`key`]), and every bit that does not choose the place in the table is
//! compared. A wrong hit needs two positions of one search with equal keys: with 10^6 positions in the
//! table and 10^6 questions, one search in 2 * 10^7 has one. Nothing else guards against it.
//!
//! **Variety.** With a [`Variety`] the root moves are shuffled and every evaluation gets a small
//! number added that depends on the position and the search only. Without one a search has no
//! randomness. The table is empty at the start of each search: a result depends on position, history,
//! limits and variety, never on what was searched before.
//!
//! **Databases.** An engine may be given a [`Probe`]; the positions it knows have its value, plies to the
//! end included, and are not searched.
//!
//! What this floor does not do: read the clock (a [`crate::game::Progress`] stops it), keep opening
//! books or endgame databases, play games.
//!
//! [`DrawRule`]: crate::games::draughts::draw::DrawRule

pub mod evaluation;
pub mod key;
mod node;
mod ordering;
mod positional;
mod probe;
mod search;
mod table;

pub use evaluation::{Evaluation, Material, drawish};
pub use positional::{Positional, Weights};
pub use probe::{Probe, Value};
pub use search::{
    Engine, Found, Limits, MATE, MAX_DEPTH, NOISE, Settings, Variety, is_mate, noise,
};
