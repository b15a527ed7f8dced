//! `ludometer report`: the results beside the published values.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::failure::{Failure, Result};
use super::table::{Format, FormatArgument};
use super::talk::Talk;
use crate::report::{Images, ReportError, write};

/// Show finished results beside the published values, and draw their plots
///
/// Nothing is measured. The plots of an experiment are written into its folder; the tables of all
/// experiments are also written to tables.csv and tables.txt in the folder of results.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ludometer report
  ludometer report table-1-ssc --format text
  ludometer report --quick --images none")]
pub struct WriteReport {
    /// Experiments to report [default: all that are finished]
    #[arg(value_name = "ID")]
    ids: Vec<String>,
    /// Folder of all results
    #[arg(long, value_name = "DIR", default_value = "results")]
    results: PathBuf,
    /// Report the results of quick runs
    #[arg(long)]
    quick: bool,
    /// Plots to draw
    #[arg(long, value_name = "WHICH", default_value = "all")]
    images: ImagesArgument,
    #[command(flatten)]
    format: FormatArgument,
}

/// Plots to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ImagesArgument {
    /// No plots
    None,
    /// SVG only
    Svg,
    /// SVG and PNG
    All,
}

impl WriteReport {
    /// Runs the verb.
    ///
    /// # Errors
    /// When there are no results or they cannot be read or written.
    pub fn run(&self, talk: &Talk) -> Result {
        let images = match self.images {
            ImagesArgument::None => Images::Without,
            ImagesArgument::Svg => Images::Svg,
            ImagesArgument::All => Images::SvgAndPng,
        };
        show(&results_folder(&self.results, self.quick), &self.ids, images, self.format, talk)
    }
}

/// The folder of the experiments' folders; quick results stay apart.
pub(super) fn results_folder(results: &Path, quick: bool) -> PathBuf {
    if quick { results.join("quick") } else { results.to_path_buf() }
}

/// Writes the plots and prints the tables of the experiments `ids`, of all when there are none.
pub(super) fn show(
    results: &Path,
    ids: &[String],
    images: Images,
    format: FormatArgument,
    talk: &Talk,
) -> Result {
    let report = write(results, ids, images).map_err(|error: ReportError| Failure::work(error))?;
    let tables = match format.settle() {
        Format::Csv => report.to_csv(),
        Format::Text => report.to_text(),
    };
    let mut out = std::io::stdout().lock();
    out.write_all(tables.as_bytes())?;
    out.flush()?;
    for note in &report.notes {
        talk.line(&format!("note: {note}"));
    }
    if !report.files.is_empty() {
        talk.line(&format!("{} files written in {}", report.files.len(), results.display()));
    }
    Ok(())
}
