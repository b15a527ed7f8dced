//! Experiments: a spec in, a folder of results out, the same bytes on every machine.
//!
//! `experiments/<id>.toml` ([`spec`]) becomes `results/<id>/`:
//!
//! - `batches.csv` and `histograms.csv`, which grow batch by batch ([`journal`]),
//! - `summary.csv`, one row per quantity ([`quantity`]),
//! - `manifest.toml`, written last: what was run, with which program, on which machine
//!   ([`manifest`]). Times and threads stand here only, so the CSV files are reproducible.
//!
//! [`run`] checks that the folder can be written, then the known numbers of the spec
//! ([`expectation`]), then does the work that a former run has not done ([`measure`]). A run may
//! be killed at any instant; the next one reads back the finished batches and goes on, and the
//! files come out as if nothing had happened. Batches of two plans never mix: a plan is known by
//! the hash of all that its numbers depend on.

pub mod collection;
pub mod expectation;
pub mod journal;
pub mod manifest;
pub mod measure;
pub mod provenance;
pub mod quantity;
mod source;
pub mod spec;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use expectation::Unexpected;
use journal::{BATCHES, COSTS, HISTOGRAMS, Journal, JournalError};
use manifest::{
    MANIFEST, Manifest, Run, UNFINISHED, Unfinished, file_hash, text_hash, write_whole,
};
use measure::states::{self, Space};
use measure::{Cost, Effort, MeasureError};
use provenance::{Clock, Machine, Program};
use quantity::{Quantity, SUMMARY};
use spec::{Measure, Plan};

use crate::game::{Progress, Unwatched};

/// Name of the random number generator of every sample.
pub const GENERATOR: &str = "xoshiro256++, one jump of 2^128 per batch";

/// Folder of unfinished counts of states in the folder of the results.
pub const SCRATCH: &str = "scratch";

/// Why an experiment did not finish.
#[derive(Debug, thiserror::Error)]
pub enum ExperimentError {
    /// The folder of results cannot be used.
    #[error("results folder {folder}: {problem}")]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// Why.
        problem: String,
    },
    /// The folder holds results of another plan.
    #[error(
        "results folder {folder} belongs to another plan (it has {theirs}, the spec has {ours}); \
         change the spec back or start again with --fresh"
    )]
    OtherPlan {
        /// The folder.
        folder: PathBuf,
        /// The first line of the stored plan that differs.
        theirs: String,
        /// The same line of the spec's plan.
        ours: String,
    },
    /// A file of finished results is not what the manifest says.
    #[error("{path} does not match its checksum in {MANIFEST}; restore it or use --fresh")]
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// A known number did not come out.
    #[error(transparent)]
    Unexpected(#[from] Box<Unexpected>),
    /// The work was stopped; what is finished is kept.
    #[error("stopped after {done} of {all} batches; run again to go on")]
    Stopped {
        /// Finished batches.
        done: u64,
        /// Batches of the plan.
        all: u64,
    },
    /// The journal cannot be read or written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The work cannot be done.
    #[error(transparent)]
    Measure(MeasureError),
    /// A file cannot be read or written.
    #[error("{0}")]
    File(String),
}

/// How an experiment is run; its numbers do not depend on it.
#[derive(Clone, Copy)]
pub struct Order<'a> {
    /// Folder of the results, `results/<id>`.
    pub folder: &'a Path,
    /// Worker threads, at least 1.
    pub threads: usize,
    /// Throws away what the folder holds.
    pub fresh: bool,
    /// Memory for counts of states, in bytes.
    pub memory: u64,
    /// The folder for counts of states; default: the folder `scratch` in the folder of the results.
    pub scratch: Option<&'a Path>,
    /// The most that a count of states may keep on disk, in bytes.
    pub scratch_limit: u64,
    /// The folder of endgame databases; what is missing there is built, and stays.
    pub databases: &'a Path,
}

impl<'a> Order<'a> {
    /// An order for the folder `folder` with one thread and the default limits.
    pub fn new(folder: &'a Path) -> Self {
        Self {
            folder,
            threads: 1,
            fresh: false,
            memory: states::DEFAULT_MEMORY,
            scratch: None,
            scratch_limit: states::DEFAULT_SCRATCH_LIMIT,
            databases: Path::new(states::DEFAULT_DATABASES),
        }
    }
}

/// A finished experiment.
#[derive(Clone, Debug)]
pub struct Finished {
    /// What was measured.
    pub quantities: Vec<Quantity>,
    /// How much of it this run has done.
    pub done: Done,
}

/// What a run has done of an experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Done {
    /// All of it, or what former runs have left of it.
    Work,
    /// The summary of data that were there: its rules or the words of the spec have changed since.
    Summary,
    /// Nothing: everything was there.
    Nothing,
}

/// The default folder of the results of `plan` under the folder `results`; quick results stay apart.
pub fn folder(results: &Path, plan: &Plan) -> PathBuf {
    if plan.quick { results.join("quick").join(&plan.spec.id) } else { results.join(&plan.spec.id) }
}

/// Runs `plan`, or what a former run has left of it. `watch` is called once, with the units of
/// progress to come where they are known, and gives the progress to report to.
///
/// # Errors
/// When the folder cannot be used, when a known number does not come out, when the work fails or is
/// stopped. Finished batches are never lost.
pub fn run<P: crate::game::Progress>(
    plan: &Plan,
    order: Order,
    watch: impl FnOnce(Option<u64>, &'static str) -> P,
) -> Result<Finished, ExperimentError> {
    let folder = order.folder;
    let made = !folder.exists();
    prepare(folder)?;
    let _lock = lock(folder)?;
    let scratch = match order.scratch {
        Some(scratch) => scratch.join(&plan.spec.id),
        None => folder.join(SCRATCH),
    };
    let Order { memory, scratch_limit, databases, .. } = order;
    let space = Space { memory, scratch: &scratch, scratch_limit, databases };
    if order.fresh {
        clear(folder)?;
        plan.clear_scratch(space).map_err(ExperimentError::File)?;
    }
    let hash = plan.hash();
    let former = read_former(folder, plan, &hash)?;
    if let Some(former) = former {
        return finished_before(plan, folder, former);
    }
    // Taken now: the source folder may have moved on when the work is done.
    let program = (Program::here(), Machine::here());
    let clock = Clock::start();
    let columns = plan.columns();
    let work = plan.work();
    let begun = File::open(folder.join(UNFINISHED)).is_ok();
    if !begun {
        let silent = Effort { threads: order.threads, progress: &Unwatched, space, costs: None };
        let checked = expectation::check(plan, silent);
        let wrong = match checked {
            Ok(None) => None,
            Ok(Some(unexpected)) => Some(ExperimentError::Unexpected(Box::new(unexpected))),
            Err(error) => Some(ExperimentError::Measure(error)),
        };
        if let Some(error) = wrong {
            if made {
                // Only an empty folder goes, and only where this run has made it.
                let _ = std::fs::remove_dir(folder);
            }
            return Err(error);
        }
        let marker = Unfinished { plan_sha256: hash.clone(), plan: plan.canonical() };
        write_whole(&folder.join(UNFINISHED), manifest::text(&marker).as_bytes())
            .map_err(ExperimentError::File)?;
    }
    let (mut journal, mut entries) = Journal::open(folder, &columns, &work)?;
    let resumed = entries.len();
    let peak_scratch = AtomicU64::new(0);
    if resumed < work.len() {
        let (total, unit) = plan.units(resumed);
        let progress = DiskWatch { inner: &watch(total, unit), peak: &peak_scratch };
        let written = RefCell::new(Ok(()));
        let tell = |cost: Cost| {
            let mut written = written.borrow_mut();
            if written.is_ok() {
                *written = journal::append_cost(folder, &cost);
            }
        };
        let costs: Option<&dyn Fn(Cost)> = Some(&tell);
        let how = Effort { threads: order.threads, progress: &progress, space, costs };
        let computed = plan.compute(resumed, how, &mut |entry| {
            journal.append(&entry)?;
            entries.push(entry);
            Ok(())
        });
        written.into_inner().map_err(ExperimentError::Journal)?;
        match computed {
            Ok(()) => {}
            Err(MeasureError::Stopped) => {
                let (done, all) = (entries.len() as u64, work.len() as u64);
                return Err(ExperimentError::Stopped { done, all });
            }
            Err(MeasureError::Journal(error)) => return Err(ExperimentError::Journal(error)),
            Err(error) => return Err(ExperimentError::Measure(error)),
        }
    }
    // A run that was killed after its last row may have left something.
    plan.clear_scratch(space).map_err(ExperimentError::File)?;
    let run = Run {
        threads: order.threads,
        batches: work.len() as u64,
        resumed_batches: resumed as u64,
        resumed: begun,
        wall_seconds: clock.wall_seconds(),
        cpu_seconds: clock.cpu_seconds(),
        peak_memory_bytes: provenance::peak_memory_bytes(),
        peak_scratch_bytes: Some(peak_scratch.into_inner()).filter(|bytes| *bytes > 0),
    };
    let quantities = plan.summarise(&entries).map_err(ExperimentError::Measure)?;
    let made = Made { program: program.0, summarised_by: None, machine: program.1, run };
    conclude(plan, folder, &quantities, made)?;
    Ok(Finished { quantities, done: Done::Work })
}

/// Remembers the most that was on disk.
struct DiskWatch<'a> {
    inner: &'a dyn Progress,
    peak: &'a AtomicU64,
}

impl Progress for DiskWatch<'_> {
    fn advance(&self, units: u64) {
        self.inner.advance(units);
    }

    fn stopped(&self) -> bool {
        self.inner.stopped()
    }

    fn share(&self, done: u64, all: u64) {
        self.inner.share(done, all);
    }

    fn on_disk(&self, bytes: u64) {
        self.peak.fetch_max(bytes, Ordering::Relaxed);
        self.inner.on_disk(bytes);
    }
}

/// Makes the folder and makes sure that files can be written there.
fn prepare(folder: &Path) -> Result<(), ExperimentError> {
    let refuse = |error: std::io::Error| ExperimentError::Folder {
        folder: folder.to_path_buf(),
        problem: error.to_string(),
    };
    std::fs::create_dir_all(folder).map_err(refuse)?;
    let probe = folder.join("probe.tmp");
    File::create(&probe).map_err(refuse)?;
    std::fs::remove_file(&probe).map_err(refuse)
}

/// Removes every file that a run writes, the manifest first.
fn clear(folder: &Path) -> Result<(), ExperimentError> {
    for name in [MANIFEST, SUMMARY, UNFINISHED, HISTOGRAMS, BATCHES, COSTS] {
        let path = folder.join(name);
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(ExperimentError::File(format!("{}: {error}", path.display())));
            }
            _ => {}
        }
    }
    Ok(())
}

/// The manifest of a finished run of the same plan, after looking that the folder holds no other.
fn read_former(
    folder: &Path,
    plan: &Plan,
    hash: &str,
) -> Result<Option<Manifest>, ExperimentError> {
    let finished: Option<Manifest> =
        manifest::read(&folder.join(MANIFEST)).map_err(ExperimentError::File)?;
    let begun: Option<Unfinished> =
        manifest::read(&folder.join(UNFINISHED)).map_err(ExperimentError::File)?;
    if let Some(former) = &finished {
        let files = [BATCHES, HISTOGRAMS, SUMMARY];
        former.check(&folder.join(MANIFEST), &files).map_err(ExperimentError::File)?;
    }
    if let Some(former) = &begun {
        let path = folder.join(UNFINISHED);
        manifest::check_plan(&path, &former.plan, &former.plan_sha256)
            .map_err(ExperimentError::File)?;
    }
    let stored = match (&finished, &begun) {
        (Some(former), _) => Some((&former.plan_sha256, &former.plan)),
        (None, Some(former)) => Some((&former.plan_sha256, &former.plan)),
        (None, None) => None,
    };
    match stored {
        Some((stored, text)) if stored != hash => {
            let (theirs, ours) = difference(text, &plan.canonical());
            let folder = folder.to_path_buf();
            Err(ExperimentError::OtherPlan { folder, theirs, ours })
        }
        None if folder.join(BATCHES).exists() => {
            let problem = format!("{BATCHES} without {UNFINISHED}: start again with --fresh");
            Err(ExperimentError::Folder { folder: folder.to_path_buf(), problem })
        }
        _ => Ok(finished),
    }
}

/// The first lines in which two plans differ.
fn difference(theirs: &str, ours: &str) -> (String, String) {
    let (mut theirs, mut ours) = (theirs.lines(), ours.lines());
    loop {
        let pair = (theirs.next(), ours.next());
        if pair.0 != pair.1 || pair == (None, None) {
            let shown =
                |line: Option<&str>| line.map_or("nothing more".into(), |l| format!("'{l}'"));
            return (shown(pair.0), shown(pair.1));
        }
    }
}

/// Keeps two runs from writing the same files: the lock is on the folder itself.
fn lock(folder: &Path) -> Result<File, ExperimentError> {
    let refuse =
        |problem: String| ExperimentError::Folder { folder: folder.to_path_buf(), problem };
    let file = File::open(folder).map_err(|error| refuse(error.to_string()))?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(refuse("another run is at work here".into())),
        // A file system without locks is no reason not to run.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(file),
    }
}

/// Takes finished results as they are, or summarises their data anew where this program does so in
/// another way than the one that made them, or where the words of the spec have changed.
fn finished_before(
    plan: &Plan,
    folder: &Path,
    former: Manifest,
) -> Result<Finished, ExperimentError> {
    let check = |name: &str, allowed: &[&str]| {
        let path = folder.join(name);
        let hash = file_hash(&path).map_err(ExperimentError::File)?;
        match allowed.contains(&hash.as_str()) {
            true => Ok(()),
            false => Err(ExperimentError::Changed { path }),
        }
    };
    for (name, stored) in former.files_sha256.iter().filter(|(name, _)| *name != SUMMARY) {
        check(name, &[stored])?;
    }
    let columns = plan.columns();
    let entries = Journal::read(folder, &columns, &plan.work())?;
    let quantities = plan.summarise(&entries).map_err(ExperimentError::Measure)?;
    let (stored, new) = (&former.files_sha256[SUMMARY], text_hash(&quantity::to_csv(&quantities)));
    // The new one where a run was killed between the two files.
    check(SUMMARY, &[stored, &new])?;
    let same = *stored == new;
    if same && former.spec == plan.text {
        return Ok(Finished { quantities, done: Done::Nothing });
    }
    let here = Program::here();
    let summarised_by = match same {
        true => former.summarised_by,
        false => Some(here).filter(|here| here.source_sha256 != former.program.source_sha256),
    };
    let Manifest { program, machine, run, .. } = former;
    conclude(plan, folder, &quantities, Made { program, summarised_by, machine, run })?;
    Ok(Finished { quantities, done: Done::Summary })
}

/// How results were made.
struct Made {
    program: Program,
    summarised_by: Option<Program>,
    machine: Machine,
    run: Run,
}

/// Writes summary and manifest; the manifest ends the run.
fn conclude(
    plan: &Plan,
    folder: &Path,
    quantities: &[Quantity],
    made: Made,
) -> Result<(), ExperimentError> {
    let write = |name: &str, content: &str| {
        write_whole(&folder.join(name), content.as_bytes()).map_err(ExperimentError::File)
    };
    write(SUMMARY, &quantity::to_csv(quantities))?;
    let mut files_sha256 = BTreeMap::new();
    for name in [BATCHES, HISTOGRAMS, SUMMARY] {
        let hash = file_hash(&folder.join(name)).map_err(ExperimentError::File)?;
        files_sha256.insert(name.to_owned(), hash);
    }
    if folder.join(COSTS).exists() {
        let hash = file_hash(&folder.join(COSTS)).map_err(ExperimentError::File)?;
        files_sha256.insert(COSTS.to_owned(), hash);
    }
    let manifest = Manifest {
        id: plan.spec.id.clone(),
        title: plan.spec.title.clone(),
        measure: plan.spec.measure.name().into(),
        quick: plan.quick,
        plan_sha256: plan.hash(),
        plan: plan.canonical(),
        spec: plan.text.clone(),
        generator: matches!(
            plan.spec.measure,
            Measure::TreeSize | Measure::SelfPlay | Measure::Match | Measure::Estimators
        )
        .then(|| GENERATOR.into()),
        program: made.program,
        summarised_by: made.summarised_by,
        machine: made.machine,
        run: made.run,
        files_sha256,
    };
    write(MANIFEST, &manifest::text(&manifest))?;
    match std::fs::remove_file(folder.join(UNFINISHED)) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(ExperimentError::File(format!("{}: {error}", folder.join(UNFINISHED).display())))
        }
        _ => Ok(()),
    }
}
