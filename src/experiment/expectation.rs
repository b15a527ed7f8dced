//! The known numbers of a spec (`[[expect]]`): they must come out before the main work starts.

use super::measure::states::Way;
use super::measure::{Effort, MeasureError, exact_games, perft_nodes, reachable_states};
use super::spec::{Case, Expect, Known, Plan};
use crate::state_space::formula::upper_bound;

/// A known number that did not come out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {what} = {expected} ({source_of_value}), but it came out as {found}")]
pub struct Unexpected {
    /// What was counted.
    pub what: String,
    /// The known number.
    pub expected: String,
    /// Where it is known from.
    pub source_of_value: String,
    /// What came out.
    pub found: String,
}

/// What a count of states that is made to be checked is called in its scratch folder; no label has
/// this form.
const EXPECTED: &str = "expected.states";

/// Recomputes every known number of `plan`; the first that differs is returned.
///
/// # Errors
/// When stopped or when a number cannot be computed.
pub fn check(plan: &Plan, how: Effort) -> Result<Option<Unexpected>, MeasureError> {
    for expect in &plan.spec.expect {
        let (what, found) = recompute(plan, expect, how)?;
        if found != expect.value {
            return Ok(Some(Unexpected {
                what,
                expected: expect.value.clone(),
                source_of_value: expect.source.clone(),
                found,
            }));
        }
    }
    Ok(None)
}

fn recompute(plan: &Plan, expect: &Expect, how: Effort) -> Result<(String, String), MeasureError> {
    let known = "the spec was checked when it was read";
    let game = match &expect.game {
        Some(table) => table.settle().ok(),
        None => plan.cases.first().map(|case| case.game.clone()),
    };
    match expect.quantity {
        Known::Ssc => {
            let board = expect.board.expect(known);
            let what = format!("ssc of {board}x{board}");
            match upper_bound(board) {
                Ok(bound) => Ok((what, bound.to_string())),
                Err(error) => Err(MeasureError::Failed { game: what, problem: error.to_string() }),
            }
        }
        Known::Perft => {
            let (game, depth) = (game.expect(known), expect.depth.expect(known));
            let nodes = perft_nodes(&game, depth, how)?;
            Ok((format!("perft {depth} of {}", game.id()), nodes.to_string()))
        }
        Known::Games => {
            let game = game.expect(known);
            let what = format!("games of {}", game.id());
            let games = exact_games(&what, &game, plan.max_positions, how)?;
            Ok((what, games.to_string()))
        }
        Known::States => {
            let game = game.expect(known);
            let start = match &expect.game {
                Some(table) => table.settle_start().expect(known).1,
                None => plan.cases.first().and_then(|case| case.start.clone()),
            };
            let from = start.as_ref().map(|start| format!(" from {start}")).unwrap_or_default();
            let what = format!("states of {}{from}", game.id());
            let way = Way { up_to_symmetry: false, ..plan.way };
            let case = Case { start, ..Case::new(EXPECTED.to_owned(), game) };
            let states = reachable_states(&case, way, how)?;
            Ok((what, states.to_string()))
        }
    }
}
