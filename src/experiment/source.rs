//! A checksum of the source that a program is built from, shared with the build script.
//!
//! The build script stores it in the program; a manifest names the revision of a source folder only
//! while the folder still has that checksum.

use std::io;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

/// What a program is made of.
pub const PARTS: [&str; 5] = ["src", "Cargo.toml", "Cargo.lock", "build.rs", ".cargo/config.toml"];

/// SHA-256 over the names and contents of all files of [`PARTS`] in `folder`, in hexadecimal.
///
/// # Errors
/// When a file cannot be read.
pub fn hash(folder: &Path) -> io::Result<String> {
    let mut files = Vec::new();
    for part in PARTS {
        collect(&folder.join(part), &mut files)?;
    }
    files.sort();
    let mut digest = Sha256::new();
    for file in files {
        let name = file.strip_prefix(folder).unwrap_or(&file).to_string_lossy().into_owned();
        let content = std::fs::read(&file)?;
        digest.update(format!("{name}\n{}\n", content.len()));
        digest.update(content);
    }
    Ok(digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if !path.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    for entry in std::fs::read_dir(path)? {
        collect(&entry?.path(), files)?;
    }
    Ok(())
}
