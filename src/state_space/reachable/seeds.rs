//! Seeds: positions of a slice that a move from another slice reaches, with their depth, on disk.
//!
//! One file holds the seeds that one source slice sends to one target slice: runs in order of
//! depth, a run being a header and the numbers of its positions in ascending order, written as
//! differences in LEB128.
//!
//! ```text
//! run = depth u32, count u32, bytes u32, CRC-32 of the bytes u32 (all little-endian), bytes
//! ```

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

const HEADER: usize = 16;

/// The space that waiting seeds take on disk, and the most that they may take, in bytes.
#[derive(Debug)]
pub(super) struct Disk {
    used: AtomicU64,
    allowed: u64,
}

impl Disk {
    pub(super) fn new(used: u64, allowed: u64) -> Self {
        Self { used: AtomicU64::new(used), allowed }
    }

    /// Takes space for a file that grows by `bytes`.
    fn take(&self, bytes: u64) -> Result<(), WriteError> {
        let used = self.used.fetch_add(bytes, Ordering::Relaxed) + bytes;
        let allowed = self.allowed;
        if used > allowed { Err(WriteError::Full { used, allowed }) } else { Ok(()) }
    }

    /// Gives the space of a file back that is gone.
    pub(super) fn give_back(&self, bytes: u64) {
        self.used.fetch_sub(bytes, Ordering::Relaxed);
    }

    pub(super) fn used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }
}

/// Why seeds were not written.
#[derive(Debug)]
pub(super) enum WriteError {
    Io(io::Error),
    Full { used: u64, allowed: u64 },
}

/// Writes the seeds of one source for one target.
#[derive(Debug)]
pub(super) struct SeedWriter {
    file: BufWriter<File>,
    bytes: u64,
    checksum: crc32fast::Hasher,
    encoded: Vec<u8>,
}

impl SeedWriter {
    pub(super) fn create(path: &Path) -> io::Result<Self> {
        let file = BufWriter::with_capacity(1 << 16, File::create(path)?);
        Ok(Self { file, bytes: 0, checksum: crc32fast::Hasher::new(), encoded: Vec::new() })
    }

    /// Appends a run of distinct ascending numbers; depths must not fall.
    pub(super) fn write_run(
        &mut self,
        depth: u32,
        numbers: &[u32],
        disk: &Disk,
    ) -> Result<(), WriteError> {
        self.encoded.clear();
        let mut previous = 0;
        for number in numbers.iter() {
            let mut difference = number - previous;
            previous = *number;
            while difference >= 0x80 {
                self.encoded.push(difference as u8 | 0x80);
                difference >>= 7;
            }
            self.encoded.push(difference as u8);
        }
        let mut header = [0; HEADER];
        let fields = [
            depth,
            numbers.len() as u32,
            self.encoded.len() as u32,
            crc32fast::hash(&self.encoded),
        ];
        for (place, field) in header.chunks_exact_mut(4).zip(fields) {
            place.copy_from_slice(&field.to_le_bytes());
        }
        self.checksum.update(&header);
        let bytes = (HEADER + self.encoded.len()) as u64;
        disk.take(bytes)?;
        self.bytes += bytes;
        let written =
            self.file.write_all(&header).and_then(|()| self.file.write_all(&self.encoded));
        written.map_err(WriteError::Io)
    }

    /// Hands everything to the system; the length in bytes and the checksum of all headers.
    pub(super) fn finish(mut self) -> io::Result<(u64, u32)> {
        self.file.flush()?;
        Ok((self.bytes, self.checksum.finalize()))
    }
}

/// Why seeds could not be read back.
#[derive(Debug, thiserror::Error)]
pub enum SeedError {
    /// The file could not be read.
    #[error("cannot read {path}: {error}", path = .0.display(), error = .1)]
    Io(PathBuf, io::Error),
    /// The file is not what was written.
    #[error("{path} is damaged: {what}", path = .0.display(), what = .1)]
    Damaged(PathBuf, &'static str),
}

/// Reads the seeds of one source back, run by run.
#[derive(Debug)]
pub(super) struct SeedReader {
    path: PathBuf,
    file: BufReader<File>,
    left: u64,
    checksum: crc32fast::Hasher,
    expected: u32,
    next: Option<Run>,
    encoded: Vec<u8>,
}

#[derive(Clone, Copy, Debug)]
struct Run {
    depth: u32,
    count: u32,
    bytes: u32,
    checksum: u32,
}

impl SeedReader {
    /// Opens a file that [`SeedWriter::finish`] gave `bytes` and `checksum` for.
    pub(super) fn open(path: &Path, bytes: u64, checksum: u32) -> Result<Self, SeedError> {
        let io = |error| SeedError::Io(path.to_owned(), error);
        let file = File::open(path).map_err(io)?;
        if file.metadata().map_err(io)?.len() != bytes {
            return Err(SeedError::Damaged(path.to_owned(), "its length is not what was written"));
        }
        let mut reader = Self {
            path: path.to_owned(),
            file: BufReader::with_capacity(1 << 16, file),
            left: bytes,
            checksum: crc32fast::Hasher::new(),
            expected: checksum,
            next: None,
            encoded: Vec::new(),
        };
        reader.read_header()?;
        Ok(reader)
    }

    /// The depth of the next run; `None` at the end.
    pub(super) fn next_depth(&self) -> Option<u32> {
        self.next.map(|run| run.depth)
    }

    /// Calls `each` with the numbers of the next run.
    pub(super) fn read_run(&mut self, mut each: impl FnMut(u64)) -> Result<(), SeedError> {
        let run = self.next.take().expect("asked for a run after the last");
        self.encoded.resize(run.bytes as usize, 0);
        self.file
            .read_exact(&mut self.encoded)
            .map_err(|error| SeedError::Io(self.path.clone(), error))?;
        self.left -= u64::from(run.bytes);
        if crc32fast::hash(&self.encoded) != run.checksum {
            return Err(self.damaged("the checksum of a run does not match"));
        }
        let (mut number, mut difference, mut shift, mut count) = (0_u64, 0_u64, 0, 0);
        for byte in &self.encoded {
            difference |= u64::from(byte & 0x7f) << shift;
            shift += 7;
            if byte & 0x80 == 0 {
                number += difference;
                each(number);
                (difference, shift) = (0, 0);
                count += 1;
            }
        }
        if count != run.count {
            return Err(self.damaged("a run has another number of seeds than it says"));
        }
        self.read_header()
    }

    fn read_header(&mut self) -> Result<(), SeedError> {
        if self.left == 0 {
            let whole = self.checksum.clone().finalize() == self.expected;
            return if whole { Ok(()) } else { Err(self.damaged("its checksum does not match")) };
        }
        let mut header = [0; HEADER];
        if self.left < HEADER as u64 {
            return Err(self.damaged("it ends in the middle of a run"));
        }
        self.file
            .read_exact(&mut header)
            .map_err(|error| SeedError::Io(self.path.clone(), error))?;
        self.checksum.update(&header);
        self.left -= HEADER as u64;
        let [depth, count, bytes, checksum] = std::array::from_fn(|field| {
            u32::from_le_bytes(std::array::from_fn(|byte| header[4 * field + byte]))
        });
        if u64::from(bytes) > self.left {
            return Err(self.damaged("it ends in the middle of a run"));
        }
        self.next = Some(Run { depth, count, bytes, checksum });
        Ok(())
    }

    fn damaged(&self, what: &'static str) -> SeedError {
        SeedError::Damaged(self.path.clone(), what)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn written(dir: &Path) -> (PathBuf, u64, u32) {
        let path = dir.join("seeds");
        let mut writer = SeedWriter::create(&path).unwrap();
        let disk = Disk::new(100, 1000);
        writer.write_run(3, &[2, 500, 70_000], &disk).unwrap();
        writer.write_run(3, &[u32::MAX], &disk).unwrap();
        writer.write_run(8, &[0, 1], &disk).unwrap();
        let (bytes, checksum) = writer.finish().unwrap();
        assert_eq!(disk.used(), 100 + bytes);
        (path, bytes, checksum)
    }

    fn read(path: &Path, bytes: u64, checksum: u32) -> Result<Vec<(u32, u64)>, SeedError> {
        let mut reader = SeedReader::open(path, bytes, checksum)?;
        let mut seeds = Vec::new();
        while let Some(depth) = reader.next_depth() {
            reader.read_run(|number| seeds.push((depth, number)))?;
        }
        Ok(seeds)
    }

    #[test]
    fn seeds_come_back_in_order() {
        let dir = tempfile::tempdir().unwrap();
        let (path, bytes, checksum) = written(dir.path());
        let expected = [(3, 2), (3, 500), (3, 70_000), (3, u64::from(u32::MAX)), (8, 0), (8, 1)];
        assert_eq!(read(&path, bytes, checksum).unwrap(), expected);
    }

    #[test]
    fn a_run_that_does_not_fit_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let mut writer = SeedWriter::create(&dir.path().join("seeds")).unwrap();
        let refused = writer.write_run(3, &[7], &Disk::new(90, 100)).unwrap_err();
        assert!(matches!(refused, WriteError::Full { used: 107, allowed: 100 }), "{refused:?}");
    }

    #[test]
    fn every_flipped_bit_and_every_missing_byte_is_found() {
        let dir = tempfile::tempdir().unwrap();
        let (path, bytes, checksum) = written(dir.path());
        let whole = std::fs::read(&path).unwrap();
        for bit in 0..whole.len() * 8 {
            let mut damaged = whole.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            std::fs::write(&path, &damaged).unwrap();
            let error = read(&path, bytes, checksum).expect_err("damage goes unseen");
            assert!(error.to_string().contains("seeds is damaged"), "{error}");
        }
        for length in 0..whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            assert!(read(&path, bytes, checksum).is_err());
        }
    }
}
