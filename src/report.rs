//! Tables and plots of what experiments left in `results/`.
//!
//! [`write()`] sets every finished experiment's numbers beside the published ones ([`comparison`], [`table`]) and
//! draws its plots ([`plot`]). This floor reads results and never measures: the spec, with its
//! `[[published]]` values, is taken from the manifest, so a report says what was known when the
//! numbers were made. Results whose files do not match their checksums are refused. The same results
//! give the same bytes.

pub mod comparison;
mod costs;
mod decimal;
mod figures;
pub mod plot;
mod results;
pub mod table;

use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::experiment::journal::JournalError;
use crate::experiment::manifest::{MANIFEST, write_whole};
use crate::experiment::measure::MeasureError;
use crate::experiment::spec::{Measure, SpecError};
use comparison::Class;
use plot::PlotError;
use results::Finished;
use table::Table;

/// All tables as CSV, in the folder of results.
pub const TABLES_CSV: &str = "tables.csv";
/// All tables as text, in the folder of results.
pub const TABLES_TEXT: &str = "tables.txt";

/// Why there is no report.
#[derive(Debug, Error)]
pub enum ReportError {
    /// The experiment has no finished results.
    #[error(
        "{folder}: experiment '{id}' has no finished results \
         (make them with 'ludometer run experiments/{id}.toml')"
    )]
    Missing {
        /// The experiment.
        id: String,
        /// Where its results should be.
        folder: PathBuf,
    },
    /// The folder holds no results at all.
    #[error("{0}: no finished results (make them with 'ludometer reproduce')")]
    Nothing(PathBuf),
    /// The manifest is another experiment's.
    #[error(
        "{path} belongs to experiment '{id}'; a folder of results is named after its experiment"
    )]
    OtherId {
        /// The manifest.
        path: PathBuf,
        /// The experiment it names.
        id: String,
    },
    /// A file is not what the manifest says.
    #[error(
        "{path} does not match its checksum in {MANIFEST}; restore it or run the experiment again \
         with --fresh"
    )]
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// A file cannot be read or written, or holds nonsense.
    #[error("{0}")]
    File(String),
    /// The spec in the manifest cannot be used.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The batches cannot be read.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A batch cannot be understood.
    #[error(transparent)]
    Measure(#[from] MeasureError),
    /// A plot cannot be made.
    #[error(transparent)]
    Plot(#[from] PlotError),
}

/// Which image files are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Images {
    /// None.
    Without,
    /// SVG only: light and sharp.
    Svg,
    /// SVG, and PNG beside it.
    SvgAndPng,
}

/// What was read and written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// A table for every experiment.
    pub tables: Vec<Table>,
    /// The files written, in order.
    pub files: Vec<PathBuf>,
    /// What was left out and why.
    pub notes: Vec<String>,
}

impl Report {
    /// The tables as text, a blank line between two, and the verdicts counted at the end.
    pub fn to_text(&self) -> String {
        let mut texts: Vec<String> = self.tables.iter().map(Table::to_text).collect();
        texts.push(self.tally() + "\n");
        texts.join("\n")
    }

    /// How many published values were measured, how many of them agree and how many cannot be judged
    /// because the estimate is not to be trusted, in one line.
    pub fn tally(&self) -> String {
        let verdicts = self.tables.iter().flat_map(|t| t.rows.iter().map(|row| row.verdict));
        let classes: Vec<Class> = verdicts.filter_map(|verdict| verdict.class()).collect();
        let count = |class: Class| classes.iter().filter(|c| **c == class).count();
        format!(
            "published values: {}; {} agree, {} differ, {} not trusted, {} not measured",
            classes.len(),
            count(Class::Agrees),
            count(Class::Differs),
            count(Class::NotTrusted),
            count(Class::Unmeasured),
        )
    }

    /// The tables as one CSV.
    pub fn to_csv(&self) -> String {
        table::csv(&self.tables.iter().collect::<Vec<_>>())
    }
}

/// Reports the experiments `ids` in the folder `results`, or all finished ones when `ids` is empty.
///
/// The plots of an experiment are written into its folder, and plots of an earlier report that are
/// not among them are removed from it; without images the plots stay as they are. When all
/// experiments are reported, their tables are written to [`TABLES_CSV`] and [`TABLES_TEXT`] in
/// `results`. Nothing is written or removed unless all of it can be read.
///
/// # Errors
/// Names the experiment without finished results, the file that is missing, changed or nonsense, or
/// the file that cannot be written.
pub fn write(results: &Path, ids: &[String], images: Images) -> Result<Report, ReportError> {
    let mut report = Report::default();
    let all = ids.is_empty();
    let mut names = ids.to_vec();
    if all {
        let (finished, begun) = results::list(results)?;
        if finished.is_empty() {
            return Err(ReportError::Nothing(results.to_path_buf()));
        }
        report.notes.extend(begun.iter().map(|id| format!("{id}: not finished, left out")));
        names = finished;
    }
    let mut figures = Vec::new();
    for id in &names {
        let finished = Finished::read(results, id)?;
        report.tables.push(table_of(&finished));
        if images != Images::Without {
            let folder = results.join(id);
            figures.extend(figures::of(&finished)?.into_iter().map(|f| (folder.clone(), f)));
        }
    }
    for (folder, (name, plot)) in figures {
        let path = folder.join(format!("{name}.svg"));
        report.notes.extend(plot.write_svg(&path)?);
        report.files.push(path);
        if images == Images::SvgAndPng {
            let path = folder.join(format!("{name}.png"));
            plot.write_png(&path)?;
            report.files.push(path);
        }
    }
    if images != Images::Without {
        for id in &names {
            let stale = remove_stale(&results.join(id), &report.files)?;
            if !stale.is_empty() {
                report.notes.push(format!("{id}: removed earlier plots: {}", stale.join(" ")));
            }
        }
    }
    if all {
        for (name, content) in [(TABLES_CSV, report.to_csv()), (TABLES_TEXT, report.to_text())] {
            let path = results.join(name);
            write_whole(&path, content.as_bytes()).map_err(ReportError::File)?;
            report.files.push(path);
        }
    }
    Ok(report)
}

/// Removes the plots in `folder` that are not among those just `written`; their names, sorted.
fn remove_stale(folder: &Path, written: &[PathBuf]) -> Result<Vec<String>, ReportError> {
    let refuse = |path: &Path, error: std::io::Error| {
        ReportError::File(format!("plot {}: {error}", path.display()))
    };
    let mut stale = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(|error| refuse(folder, error))? {
        let path = entry.map_err(|error| refuse(folder, error))?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
        if figures::is_plot(name) && !written.contains(&path) && path.is_file() {
            std::fs::remove_file(&path).map_err(|error| refuse(&path, error))?;
            stale.push(name.to_owned());
        }
    }
    stale.sort();
    Ok(stale)
}

/// The table of an experiment with what a reader must know to read it.
fn table_of(finished: &Finished) -> Table {
    let spec = &finished.plan.spec;
    let quick = if finished.manifest.quick { " (QUICK sizes)" } else { "" };
    let mut heading = vec![format!("{}: {}{quick}", spec.id, spec.title)];
    if let (Measure::TreeSize, Some(sample)) = (spec.measure, &finished.plan.sample) {
        heading.push(format!(
            "{} trials of {} games each, seed {}, {} % intervals over {} batches",
            sample.trials(),
            sample.games(),
            sample.seed(),
            100.0 * finished.plan.confidence,
            sample.total_batches(),
        ));
    }
    if let Some(sample) = &finished.plan.replicates {
        heading.push(format!(
            "{} replicates of {} games each by {}, seed {}, {} % intervals over replicates",
            sample.replicates(),
            sample.games(),
            sample.method(),
            sample.seed(),
            100.0 * finished.plan.confidence,
        ));
    }
    if !spec.published.is_empty() {
        heading.push(format!("published: {}", spec.source));
    }
    Table::new(&spec.id, heading, &costs::beside(finished), &spec.published)
}
