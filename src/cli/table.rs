//! Tables on stdout: CSV for programs, aligned text for people.

use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};

use clap::ValueEnum;

use crate::experiment::journal::csv_line;

/// How a table is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Comma-separated values with a header
    Csv,
    /// Aligned columns
    Text,
}

/// The choice of a format on the command line.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct FormatArgument {
    /// Form of the table [default: text on a terminal, else csv]
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,
}

impl FormatArgument {
    /// The format to write.
    pub fn settle(self) -> Format {
        let terminal = io::stdout().is_terminal();
        self.format.unwrap_or(if terminal { Format::Text } else { Format::Csv })
    }
}

/// A table that is written row by row.
pub struct Table {
    out: BufWriter<StdoutLock<'static>>,
    format: Format,
    widths: Vec<usize>,
}

impl Table {
    /// Writes the header; in text each column is at least as wide as its name and its width here.
    ///
    /// # Errors
    /// When stdout does not take it.
    pub fn new(format: Format, columns: &[(&str, usize)]) -> io::Result<Table> {
        let widths = columns.iter().map(|(name, width)| name.len().max(*width)).collect();
        let out = BufWriter::new(io::stdout().lock());
        let mut table = Table { out, format, widths };
        let names: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
        table.row(&names)?;
        Ok(table)
    }

    /// Writes one row at once, so that a reader sees it and an interrupt does not lose it.
    ///
    /// # Errors
    /// When stdout does not take it.
    pub fn row<T: AsRef<str>>(&mut self, fields: &[T]) -> io::Result<()> {
        self.write(fields)?;
        self.finish()
    }

    /// Writes what is still buffered.
    ///
    /// # Errors
    /// When stdout does not take it.
    pub fn finish(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// Writes one row, sooner or later; [`Table::finish`] must follow the last.
    ///
    /// # Errors
    /// When stdout does not take it.
    pub fn write<T: AsRef<str>>(&mut self, fields: &[T]) -> io::Result<()> {
        match self.format {
            Format::Csv => {
                let fields: Vec<&[u8]> = fields.iter().map(|f| f.as_ref().as_bytes()).collect();
                self.out.write_all(csv_line(&fields).as_bytes())?;
            }
            Format::Text => {
                let mut line = String::new();
                for (field, width) in fields.iter().zip(&self.widths) {
                    let field = field.as_ref();
                    if is_number(field) {
                        line.push_str(&format!("{field:>width$}  "));
                    } else {
                        line.push_str(&format!("{field:<width$}  "));
                    }
                }
                writeln!(self.out, "{}", line.trim_end())?;
            }
        }
        Ok(())
    }
}

/// Writes a whole table whose columns are as wide as their widest field; words at the end of a row are
/// in nobody's way.
///
/// # Errors
/// When stdout does not take it.
pub fn print(format: Format, header: &[&str], rows: &[Vec<String>]) -> io::Result<()> {
    let in_the_way = |row: &&Vec<String>, column: usize| {
        is_number(&row[column]) || row[column + 1..].iter().any(|field| !field.is_empty())
    };
    let width = |column: usize| {
        let rows = rows.iter().filter(|row| in_the_way(row, column));
        rows.map(|row| row[column].chars().count()).max()
    };
    let columns: Vec<(&str, usize)> =
        header.iter().enumerate().map(|(i, name)| (*name, width(i).unwrap_or(0))).collect();
    let mut table = Table::new(format, &columns)?;
    rows.iter().try_for_each(|row| table.write(row))?;
    table.finish()
}

fn is_number(field: &str) -> bool {
    field.starts_with(|c: char| c.is_ascii_digit() || c == '-') && field.parse::<f64>().is_ok()
}
