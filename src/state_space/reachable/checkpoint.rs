//! What a count keeps on disk, so that a killed one goes on where it was.
//!
//! In the scratch folder: `count.txt` says which count this is; `<slice>.done` holds the levels of a
//! finished slice with the length and checksum of every seed file that it sent; `<source>-to-<target>.seeds`
//! are the seeds that still wait. A slice is finished when its `.done` file, written to a temporary
//! name, has its final name. Seeds of unfinished slices are thrown away, seeds for finished slices
//! removed.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::CountError;
use super::search::Searched;
use crate::state_space::formula::Slice;

/// Why the scratch folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// A file could not be read or written.
    #[error("cannot use {path}: {error}", path = .0.display(), error = .1)]
    Io(PathBuf, io::Error),
    /// A file is not what was written.
    #[error("{path} is damaged: {what}", path = .0.display(), what = .1)]
    Damaged(PathBuf, String),
    /// The folder belongs to another count.
    #[error("{path} belongs to another count: it says '{found}', this is '{wanted}'; remove the folder or take another", path = .path.display())]
    Other {
        /// The file that names the count.
        path: PathBuf,
        /// What it says.
        found: String,
        /// What it should say.
        wanted: String,
    },
    /// Another process counts in the folder.
    #[error("another count is at work in {path}", path = .0.display())]
    Busy(PathBuf),
}

/// A scratch folder.
#[derive(Debug)]
pub(super) struct Checkpoint {
    dir: PathBuf,
    /// Locked as long as the count lasts.
    _identity: fs::File,
}

const IDENTITY: &str = "count.txt";

impl Checkpoint {
    /// Opens or creates the folder for the count named `identity` (one line).
    pub(super) fn open(dir: &Path, identity: &str) -> Result<Self, CheckpointError> {
        let io = |path: &Path| {
            let path = path.to_owned();
            move |error| CheckpointError::Io(path, error)
        };
        fs::create_dir_all(dir).map_err(io(dir))?;
        let path = dir.join(IDENTITY);
        match fs::read_to_string(&path) {
            Ok(found) if found.trim_end() == identity => {}
            Ok(found) => {
                let (found, wanted) = (found.trim_end().to_owned(), identity.to_owned());
                return Err(CheckpointError::Other { path, found, wanted });
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                write_whole(&path, &format!("{identity}\n"))?;
            }
            Err(error) => return Err(io(&path)(error)),
        }
        let identity = fs::File::open(&path).map_err(io(&path))?;
        match identity.try_lock() {
            Err(fs::TryLockError::WouldBlock) => Err(CheckpointError::Busy(dir.to_owned())),
            // A file system without locks is no reason not to count.
            Ok(()) | Err(fs::TryLockError::Error(_)) => {
                Ok(Self { dir: dir.to_owned(), _identity: identity })
            }
        }
    }

    /// Refuses to start when the disk has less than `needed` bytes left, where it says how many.
    pub(super) fn check_space(&self, needed: u64) -> Result<(), CountError> {
        match fs4::available_space(&self.dir) {
            Ok(free) if free < needed => {
                Err(CountError::NoSpace { path: self.dir.clone(), free, needed })
            }
            _ => Ok(()),
        }
    }

    /// The file of the seeds that `source` sends to `target`.
    pub(super) fn seeds(&self, source: Slice, target: Slice) -> PathBuf {
        self.dir.join(format!("{}-to-{}.seeds", name(source), name(target)))
    }

    fn done(&self, slice: Slice) -> PathBuf {
        self.dir.join(format!("{}.done", name(slice)))
    }

    /// Records that `slice` is finished.
    pub(super) fn finish(
        &self,
        slice: Slice,
        searched: &Searched,
        target: impl Fn(usize) -> Slice,
    ) -> Result<(), CheckpointError> {
        let mut text = String::new();
        for (depth, new) in &searched.levels {
            text += &format!("level {depth} {new}\n");
        }
        for (to, bytes, checksum) in &searched.sent {
            text += &format!("seeds {} {bytes} {checksum}\n", name(target(*to)));
        }
        text += &format!("end {}\n", crc32fast::hash(text.as_bytes()));
        write_whole(&self.done(slice), &text)
    }

    /// What was recorded for `slice`; `None` when it is not finished.
    pub(super) fn finished(
        &self,
        slice: Slice,
        number: impl Fn(Slice) -> Option<usize>,
    ) -> Result<Option<Searched>, CheckpointError> {
        let path = self.done(slice);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(CheckpointError::Io(path, error)),
        };
        let damaged = |what: &str| CheckpointError::Damaged(path.clone(), what.to_owned());
        let (body, checksum) = text
            .strip_suffix('\n')
            .and_then(|text| text.rsplit_once("end "))
            .ok_or_else(|| damaged("it has no end"))?;
        if checksum.parse() != Ok(crc32fast::hash(body.as_bytes())) {
            return Err(damaged("its checksum does not match"));
        }
        let mut searched = Searched::default();
        for line in body.lines() {
            let fields: Vec<&str> = line.split(' ').collect();
            let parsed = match fields[..] {
                ["level", depth, new] => depth
                    .parse()
                    .ok()
                    .zip(new.parse().ok())
                    .map(|level| searched.levels.push(level)),
                ["seeds", target, bytes, checksum] => slice_named(target)
                    .and_then(&number)
                    .zip(bytes.parse().ok())
                    .zip(checksum.parse().ok())
                    .map(|((to, bytes), checksum)| searched.sent.push((to, bytes, checksum))),
                _ => None,
            };
            parsed.ok_or_else(|| damaged(&format!("it has the line '{line}'")))?;
        }
        Ok(Some(searched))
    }

    /// Removes every seed file for which `keep` is false.
    pub(super) fn sweep(&self, keep: impl Fn(Slice, Slice) -> bool) -> Result<(), CheckpointError> {
        let io = |error| CheckpointError::Io(self.dir.clone(), error);
        for entry in fs::read_dir(&self.dir).map_err(io)? {
            let path = entry.map_err(io)?.path();
            let file =
                path.file_name().map(|f| f.to_string_lossy().into_owned()).unwrap_or_default();
            let Some(ends) = file.strip_suffix(".seeds").and_then(|f| f.split_once("-to-")) else {
                continue;
            };
            let kept = slice_named(ends.0)
                .zip(slice_named(ends.1))
                .is_some_and(|(source, target)| keep(source, target));
            if !kept {
                remove(&path)?;
            }
        }
        Ok(())
    }
}

/// Removes the files of a count from `dir` and, when nothing else is in it, the folder.
pub(super) fn clear(dir: &Path) -> Result<(), CheckpointError> {
    let io = |error| CheckpointError::Io(dir.to_owned(), error);
    for entry in fs::read_dir(dir).map_err(io)? {
        let path = entry.map_err(io)?.path();
        let ours = path.extension().is_some_and(|e| e == "done" || e == "seeds" || e == "tmp");
        if ours || path.file_name().is_some_and(|f| f == IDENTITY) {
            remove(&path)?;
        }
    }
    // A folder that holds anything else stays.
    let _ = fs::remove_dir(dir);
    Ok(())
}

/// Removes a file that may be gone already.
pub(super) fn remove(path: &Path) -> Result<(), CheckpointError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(CheckpointError::Io(path.to_owned(), error))
        }
        _ => Ok(()),
    }
}

/// Writes a file so that it has its name only once it is whole.
fn write_whole(path: &Path, text: &str) -> Result<(), CheckpointError> {
    let temporary = path.with_extension("tmp");
    let written = fs::File::create(&temporary).and_then(|mut file| {
        io::Write::write_all(&mut file, text.as_bytes())?;
        fs::rename(&temporary, path)
    });
    written.map_err(|error| CheckpointError::Io(path.to_owned(), error))
}

/// Black men, black kings, white men, white kings.
fn name(slice: Slice) -> String {
    let Slice { black_men, black_kings, white_men, white_kings } = slice;
    format!("{black_men}.{black_kings}.{white_men}.{white_kings}")
}

fn slice_named(text: &str) -> Option<Slice> {
    let counts: Option<Vec<u32>> = text.split('.').map(|count| count.parse().ok()).collect();
    match counts?[..] {
        [black_men, black_kings, white_men, white_kings] => {
            Some(Slice { black_men, black_kings, white_men, white_kings })
        }
        _ => None,
    }
}
