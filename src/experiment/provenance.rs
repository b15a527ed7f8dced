//! Where numbers come from: program, compiler, source revision, machine and time.
//!
//! What the system does not tell is absent, never guessed.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use serde::{Deserialize, Serialize};

/// The program that computed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program {
    /// Name of the crate.
    pub name: String,
    /// Version of the crate.
    pub version: String,
    /// SHA-256 of the source that the program was built from.
    pub source_sha256: String,
    /// Git revision of the source folder, where the folder still holds that source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub git_revision: Option<String>,
    /// Whether that source, or a spec in its folder, differed from that revision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub git_dirty: Option<bool>,
    /// Version of the compiler.
    pub rustc: String,
    /// Whether debug assertions were compiled in.
    pub debug_assertions: bool,
}

/// The machine that computed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// Model name of the processor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu: Option<String>,
    /// Logical processors available.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpus: Option<usize>,
    /// Operating system and architecture.
    pub system: String,
}

impl Program {
    /// The running program.
    pub fn here() -> Program {
        let source = Path::new(env!("CARGO_MANIFEST_DIR"));
        let built = env!("LUDOMETER_SOURCE");
        let unchanged = super::source::hash(source).is_ok_and(|now| now == built);
        let revision = unchanged.then(|| git(source, &["rev-parse", "HEAD"])).flatten();
        let code = ["src", "experiments", "Cargo.toml", "Cargo.lock", "build.rs"];
        let status = ["status", "--porcelain", "--untracked-files=no", "--"];
        let dirty = git(source, &[status.as_slice(), code.as_slice()].concat());
        Program {
            name: env!("CARGO_PKG_NAME").into(),
            version: env!("CARGO_PKG_VERSION").into(),
            source_sha256: built.into(),
            git_dirty: revision.as_ref().and(dirty).map(|changes| !changes.is_empty()),
            git_revision: revision,
            rustc: env!("LUDOMETER_RUSTC").into(),
            debug_assertions: cfg!(debug_assertions),
        }
    }
}

impl Machine {
    /// This machine.
    pub fn here() -> Machine {
        let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let model = info.lines().find(|line| line.starts_with("model name"));
        Machine {
            cpu: model.and_then(|line| line.split_once(':')).map(|(_, name)| name.trim().into()),
            cpus: std::thread::available_parallelism().ok().map(usize::from),
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        }
    }
}

/// Output of a git command about the folder `source`; `None` without git or repository.
fn git(source: &Path, arguments: &[&str]) -> Option<String> {
    if !source.join(".git").exists() {
        return None;
    }
    let output = Command::new("git").arg("-C").arg(source).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

/// A clock of wall and processor time.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    start: Instant,
    cpu: Option<f64>,
}

impl Clock {
    /// A clock that starts now.
    pub fn start() -> Clock {
        Clock { start: Instant::now(), cpu: cpu_seconds() }
    }

    /// Wall seconds since the start.
    pub fn wall_seconds(&self) -> f64 {
        milliseconds(self.start.elapsed().as_secs_f64())
    }

    /// Wall seconds since the start, unrounded.
    pub fn seconds(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    /// Processor seconds of all threads since the start, where the system tells.
    pub fn cpu_seconds(&self) -> Option<f64> {
        Some(milliseconds(cpu_seconds()? - self.cpu?))
    }
}

/// The most memory that this process has held at a time, where the system tells: `VmHWM` of Linux.
pub fn peak_memory_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

fn milliseconds(seconds: f64) -> f64 {
    (seconds * 1000.0).round() / 1000.0
}

/// Processor seconds of this process: fields 14 and 15 of `/proc/self/stat`, in the hundredths of
/// a second that Linux shows to programs (`USER_HZ`).
fn cpu_seconds() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let after_name = stat.rsplit_once(')')?.1;
    let mut fields = after_name.split_whitespace().skip(11);
    let user: u64 = fields.next()?.parse().ok()?;
    let system: u64 = fields.next()?.parse().ok()?;
    Some((user + system) as f64 / 100.0)
}

/// Refuses `what`, as in `a table`, where it is larger than the free memory, as far as that is known.
///
/// # Errors
/// Names both sizes.
pub fn check_memory(what: &str, bytes: u64) -> Result<(), String> {
    match available_memory() {
        Some(free) if bytes > free => {
            Err(format!("{what} of {bytes} bytes is more than the {free} bytes of free memory"))
        }
        _ => Ok(()),
    }
}

/// Bytes of memory that are free for a new program, where the system tells.
pub fn available_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}
