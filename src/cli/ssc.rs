//! `ludometer ssc`: the formula bound on the state space of draughts boards.

use clap::{Args, ValueEnum};

use super::failure::{Failure, Result};
use super::table::{Format, FormatArgument, Table, print};
use crate::state_space::formula::Formula;

/// Compute the Schaeffer-Lake upper bound on the number of positions of draughts boards
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ludometer ssc
  ludometer ssc --board 8 --by pieces
  ludometer ssc --board 4 --board 6 --format text
  ludometer ssc --board 4 --by slices")]
pub struct Ssc {
    /// Width of the board, an even number; may be given several times [default: 6 8 10 12 14]
    #[arg(long = "board", value_name = "N", allow_negative_numbers = true)]
    boards: Vec<u32>,
    /// Split the bound
    #[arg(long, value_enum, value_name = "PART")]
    by: Option<Part>,
    #[command(flatten)]
    format: FormatArgument,
}

/// How the bound is split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Part {
    /// By the number of pieces on the board
    Pieces,
    /// By the numbers of men and kings of each colour
    Slices,
}

impl Ssc {
    /// Runs the verb.
    ///
    /// # Errors
    /// For a board without formula.
    pub fn run(&self) -> Result {
        let boards = if self.boards.is_empty() { &[6, 8, 10, 12, 14] } else { &self.boards[..] };
        let formulas: Vec<Formula> = boards
            .iter()
            .map(|board| Formula::new(*board).map_err(Failure::usage))
            .collect::<Result<_>>()?;
        let format = self.format.settle();
        match self.by {
            None => {
                let row = |formula: &Formula| {
                    vec![formula.size().to_string(), formula.total().to_string()]
                };
                let rows: Vec<_> = formulas.iter().map(row).collect();
                print(format, &["board", "ssc_upper_bound"], &rows)?;
            }
            Some(Part::Pieces) => {
                let mut rows = Vec::new();
                for formula in &formulas {
                    for (pieces, bound) in formula.by_pieces() {
                        let numbers = [formula.size().to_string(), pieces.to_string()];
                        rows.push([&numbers[..], &[bound.to_string()]].concat());
                    }
                }
                print(format, &["board", "pieces", "ssc_upper_bound"], &rows)?;
            }
            Some(Part::Slices) => print_slices(&formulas, format)?,
        }
        Ok(())
    }
}

/// Row by row, since a large board has millions of slices.
fn print_slices(formulas: &[Formula], format: Format) -> std::io::Result<()> {
    let columns = [
        ("board", 0),
        ("black_men", 0),
        ("black_kings", 0),
        ("white_men", 0),
        ("white_kings", 0),
        ("ssc_upper_bound", 24),
    ];
    let mut table = Table::new(format, &columns)?;
    for formula in formulas {
        for (slice, bound) in formula.slices() {
            let counts = [slice.black_men, slice.black_kings, slice.white_men, slice.white_kings];
            let mut row = vec![formula.size().to_string()];
            row.extend(counts.map(|count| count.to_string()));
            row.push(bound.to_string());
            table.write(&row)?;
        }
    }
    table.finish()
}
