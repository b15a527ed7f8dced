//! `manifest.toml`: what was run, with which program, on which machine, and a checksum of each
//! file of results. It is written last, so its presence means that the experiment is finished;
//! until then `unfinished.toml` says which plan the growing files belong to.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::provenance::{Machine, Program};

/// File name of the manifest.
pub const MANIFEST: &str = "manifest.toml";
/// File name of the marker of a run that is not finished.
pub const UNFINISHED: &str = "unfinished.toml";

/// Everything about a finished run that is not a number of the result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Name of the experiment.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Its measure.
    pub measure: String,
    /// Whether the sizes are those of a quick run.
    pub quick: bool,
    /// SHA-256 of what the data depend on.
    pub plan_sha256: String,
    /// What the data depend on, one `key = value` per line.
    pub plan: String,
    /// The text of the spec.
    pub spec: String,
    /// Name of the random number generator, where one was used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub generator: Option<String>,
    /// The program that made the data.
    pub program: Program,
    /// The program that summarised them, where it is another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summarised_by: Option<Program>,
    /// The machine.
    pub machine: Machine,
    /// The run that computed the last batch.
    pub run: Run,
    /// SHA-256 of each file of results.
    pub files_sha256: BTreeMap<String, String>,
}

impl Manifest {
    /// Refuses a manifest that contradicts itself or leaves a file of results without a checksum.
    ///
    /// # Errors
    /// Names the file `path` and what is wrong with it.
    pub fn check(&self, path: &Path, files: &[&str]) -> Result<(), String> {
        check_plan(path, &self.plan, &self.plan_sha256)?;
        match files.iter().find(|name| !self.files_sha256.contains_key(**name)) {
            Some(name) => Err(format!("{}: [files_sha256] lacks '{name}'", path.display())),
            None => Ok(()),
        }
    }
}

/// Refuses a stored plan that does not have its checksum.
///
/// # Errors
/// Names the file `path`.
pub fn check_plan(path: &Path, plan: &str, plan_sha256: &str) -> Result<(), String> {
    if text_hash(plan) == plan_sha256 {
        return Ok(());
    }
    let path = path.display();
    Err(format!("{path}: 'plan' does not match plan_sha256; restore it or use --fresh"))
}

/// How the work went.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// Worker threads.
    pub threads: usize,
    /// Batches in all.
    pub batches: u64,
    /// Batches read back from a former, interrupted run.
    pub resumed_batches: u64,
    /// Whether a former run had begun the work and was interrupted; its times are not in those below.
    #[serde(default)]
    pub resumed: bool,
    /// Wall time of this run.
    pub wall_seconds: f64,
    /// Processor time of this run, all threads together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_seconds: Option<f64>,
    /// The most memory that the process has held at a time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peak_memory_bytes: Option<u64>,
    /// The most that counts of states have kept on disk at a time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peak_scratch_bytes: Option<u64>,
}

/// The marker of a run that is not finished.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unfinished {
    /// SHA-256 of what the data depend on.
    pub plan_sha256: String,
    /// What the data depend on.
    pub plan: String,
}

/// Reads a TOML file of this module; `None` when there is none.
///
/// # Errors
/// Names the file and what is wrong with it.
pub fn read<T: for<'de> Deserialize<'de>>(path: &Path) -> Result<Option<T>, String> {
    match std::fs::read_to_string(path) {
        Ok(text) => toml::from_str(&text).map(Some).map_err(|error: toml::de::Error| {
            format!("{}: {}", path.display(), error.message().replace('\n', " "))
        }),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(format!("{}: {error}", path.display())),
    }
}

/// The text of a TOML file of this module.
pub fn text<T: Serialize>(value: &T) -> String {
    toml::to_string(value).expect("tables of texts and numbers have a TOML form")
}

/// Writes `content` to a temporary file beside `path` and renames it when it is whole.
///
/// # Errors
/// Names the file; nothing half-written stays behind.
pub fn write_whole(path: &Path, content: &[u8]) -> Result<(), String> {
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(".tmp");
    let temporary = PathBuf::from(temporary);
    let written = std::fs::File::create(&temporary)
        .and_then(|mut file| file.write_all(content).and_then(|()| file.sync_data()))
        .and_then(|()| std::fs::rename(&temporary, path));
    written.map_err(|error| {
        // The error to report is the first one, not that of tidying up.
        let _ = std::fs::remove_file(&temporary);
        format!("{}: {error}", path.display())
    })
}

/// SHA-256 of a text, in hexadecimal.
pub fn text_hash(text: &str) -> String {
    hex(&Sha256::digest(text.as_bytes()))
}

/// SHA-256 of a file, in hexadecimal.
///
/// # Errors
/// Names the file.
pub fn file_hash(path: &Path) -> Result<String, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(hex(&Sha256::digest(bytes)))
}

/// Lower-case hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
