//! `ludometer reproduce`: every experiment, then the report.

use std::path::{Path, PathBuf};

use clap::Args;

use super::failure::{Failure, Result};
use super::report::show;
use super::run::{RunArguments, run_plan, spec_failure};
use super::table::FormatArgument;
use super::talk::Talk;
use crate::experiment::folder;
use crate::experiment::spec::Plan;
use crate::report::Images;

/// Run every experiment, then show the tables beside the published values
///
/// Experiments that are finished are not run again; use --fresh to do so. Without --quick this
/// takes some minutes of processor time. Specs that say `long = true` take an hour or more of it and
/// run only with --long, or with --quick where they say what that is.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ludometer reproduce --quick")]
pub struct Reproduce {
    #[command(flatten)]
    how: RunArguments,
    /// Folder of the specs
    #[arg(long, value_name = "DIR", default_value = "experiments")]
    experiments: PathBuf,
    /// Run also the experiments whose specs say that they take long
    #[arg(long)]
    long: bool,
    #[command(flatten)]
    format: FormatArgument,
}

impl Reproduce {
    /// Runs the verb.
    ///
    /// # Errors
    /// For a spec that makes no sense, and when an experiment fails.
    pub fn run(&self, talk: &Talk) -> Result {
        let mut plans = Vec::new();
        for path in specs(&self.experiments)? {
            plans.push(Plan::read(&path, self.how.quick).map_err(spec_failure)?);
        }
        for (index, plan) in plans.iter().enumerate() {
            let place = format!("[{}/{}] {}", index + 1, plans.len(), plan.spec.title);
            if plan.takes_long() && !self.long {
                talk.line(&format!("{place}: takes long, left out (--long runs it)"));
                continue;
            }
            talk.line(&place);
            run_plan(plan, &folder(&self.how.results, plan), &self.how, talk)?;
        }
        show(&self.how.results_folder(), &[], Images::SvgAndPng, self.format, talk)
    }
}

/// The specs in `folder`, by name.
fn specs(folder: &Path) -> Result<Vec<PathBuf>> {
    let unreadable = |problem: String| {
        Failure::Usage(format!("experiments folder {}: {problem}", folder.display()))
    };
    let entries = std::fs::read_dir(folder).map_err(|error| unreadable(error.to_string()))?;
    let mut paths = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| unreadable(error.to_string()))?.path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            paths.push(path);
        }
    }
    if paths.is_empty() {
        return Err(unreadable("no spec (a file <id>.toml) in it".into()));
    }
    paths.sort();
    Ok(paths)
}
