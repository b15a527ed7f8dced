//! Finished results as they lie in `results/<id>/`, read whole and held against their checksums.

use std::collections::BTreeMap;
use std::path::Path;

use super::ReportError;
use crate::experiment::journal::{BATCHES, COSTS, Entry, HISTOGRAMS, Journal};
use crate::experiment::manifest::{self, MANIFEST, Manifest};
use crate::experiment::quantity::{self, Quantity, SUMMARY};
use crate::experiment::spec::Plan;

/// A row of `costs.csv` by its columns.
pub(super) type CostRow = BTreeMap<String, String>;

/// One finished experiment.
#[derive(Debug)]
pub(super) struct Finished {
    pub(super) manifest: Manifest,
    pub(super) plan: Plan,
    pub(super) quantities: Vec<Quantity>,
    pub(super) entries: Vec<Entry>,
    /// Where the manifest has a file of costs.
    pub(super) costs: Vec<CostRow>,
}

impl Finished {
    /// Reads the experiment `id` from its folder under `results`.
    pub(super) fn read(results: &Path, id: &str) -> Result<Self, ReportError> {
        let folder = results.join(id);
        let path = folder.join(MANIFEST);
        let missing = || ReportError::Missing { id: id.to_owned(), folder: folder.clone() };
        let manifest: Manifest =
            manifest::read(&path).map_err(ReportError::File)?.ok_or_else(missing)?;
        if manifest.id != id {
            return Err(ReportError::OtherId { path, id: manifest.id });
        }
        manifest.check(&path, &[BATCHES, HISTOGRAMS, SUMMARY]).map_err(ReportError::File)?;
        for (name, stored) in &manifest.files_sha256 {
            let path = folder.join(name);
            if manifest::file_hash(&path).map_err(ReportError::File)? != *stored {
                return Err(ReportError::Changed { path });
            }
        }
        let plan = Plan::parse(&path, &manifest.spec, manifest.quick)?;
        let quantities = quantity::read(&folder).map_err(ReportError::File)?;
        let entries = Journal::read(&folder, &plan.columns(), &plan.work())?;
        let costs = match manifest.files_sha256.contains_key(COSTS) {
            true => read_costs(&folder.join(COSTS)).map_err(ReportError::File)?,
            false => Vec::new(),
        };
        Ok(Self { manifest, plan, quantities, entries, costs })
    }

    /// The batches of the game or board called `label`, in order.
    pub(super) fn entries_of<'a>(&'a self, label: &'a str) -> impl Iterator<Item = &'a Entry> {
        self.entries.iter().filter(move |entry| entry.game == label)
    }
}

fn read_costs(path: &Path) -> Result<Vec<CostRow>, String> {
    let named = |error: csv::Error| format!("{}: {error}", path.display()).replace('\n', " ");
    let mut reader = csv::Reader::from_path(path).map_err(named)?;
    reader.deserialize().collect::<Result<_, _>>().map_err(named)
}

/// The names of the folders under `results` that hold a manifest, and of those that hold only the
/// beginnings of a run, each in alphabetical order.
pub(super) fn list(results: &Path) -> Result<(Vec<String>, Vec<String>), ReportError> {
    let refuse = |error: std::io::Error| {
        ReportError::File(format!("results folder {}: {error}", results.display()))
    };
    let (mut finished, mut begun) = (Vec::new(), Vec::new());
    for entry in std::fs::read_dir(results).map_err(refuse)? {
        let folder = entry.map_err(refuse)?;
        let name = folder.file_name().to_string_lossy().into_owned();
        if folder.path().join(MANIFEST).exists() {
            finished.push(name);
        } else if folder.path().join(manifest::UNFINISHED).exists() {
            begun.push(name);
        }
    }
    finished.sort();
    begun.sort();
    Ok((finished, begun))
}
