//! The file of one slice.
//!
//! The file of slice 1.0.0.2 (black men, black kings, white men, white kings) of the database of
//! 6 x 6 checkers is called `checkers-6_1.0.0.2.egdb`. Numbers are unsigned and little-endian.
//!
//! ```text
//! at   bytes
//!  0       8  LUDOEGDB
//!  8       4  version of the format, 1
//! 12      16  game: name of the rules and rows of the board, as in `checkers-6`, then zeros
//! 28       4  the slice: black men, black kings, white men, white kings
//! 32       1  sides to move that are kept: 1 White, 2 White then Black
//! 33       1  how blocks are stored: 0 as they are, 1 as zstd frames of their own
//! 34       2  zeros
//! 36       4  bytes of a block before compression; the last block may have fewer
//! 40       8  positions
//! 48       4  blocks
//! 52     8 b  for each of the b blocks: bytes stored, CRC-32 of them
//!          4  CRC-32 of all bytes so far
//!             the blocks
//! ```
//!
//! The blocks together are the bytes of all positions (see [`super::bytes`]) in the order of
//! [`super::slices::Place::number`].

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use memmap2::Mmap;
use rayon::prelude::*;
use thiserror::Error;
use zstd::bulk::{Compressor, Decompressor};

use crate::state_space::formula::Slice;

const MAGIC: &[u8; 8] = b"LUDOEGDB";
const VERSION: u32 = 1;
const HEADER: usize = 52;
const GAME_BYTES: usize = 16;
/// Bytes of a block before compression: what a probe of a block that is not at hand unpacks.
pub(super) const BLOCK: usize = 4096;
/// The lowest level of zstd: higher ones save few bytes of such blocks and take several times as long.
const LEVEL: i32 = 1;

/// Why a file of a database cannot be used. Every message names the file.
#[derive(Debug, Error)]
pub enum FileError {
    /// It could not be read.
    #[error("cannot read {path}: {error}", path = .0.display(), error = .1)]
    Read(PathBuf, io::Error),
    /// It could not be written.
    #[error("cannot write {path}: {error}", path = .0.display(), error = .1)]
    Write(PathBuf, io::Error),
    /// It should be a folder.
    #[error("{path} is no folder", path = .0.display())]
    NoFolder(PathBuf),
    /// It is not there.
    #[error("{path} is missing", path = .0.display())]
    Missing(PathBuf),
    /// It is a folder, a pipe or the like.
    #[error("{path} is no regular file", path = .0.display())]
    Irregular(PathBuf),
    /// It is something else.
    #[error("{path} is no file of an endgame database", path = .0.display())]
    Foreign(PathBuf),
    /// It has another format.
    #[error("{path} has version {found} of the format (allowed: {VERSION})", path = .path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// The version it has.
        found: u32,
    },
    /// It belongs to another game, or to another slice.
    #[error("{path} holds {found}, not {wanted}", path = .path.display())]
    Other {
        /// The file.
        path: PathBuf,
        /// What is in it.
        found: String,
        /// What should be.
        wanted: String,
    },
    /// It is shorter or longer than it was.
    #[error("{path} has {found} bytes instead of {expected}", path = .path.display())]
    Length {
        /// The file.
        path: PathBuf,
        /// Its length.
        found: u64,
        /// The length that its header tells.
        expected: u64,
    },
    /// Header or index are not what was written.
    #[error("{path} is damaged: {what}", path = .0.display(), what = .1)]
    Header(PathBuf, &'static str),
    /// A block is not what was written.
    #[error("{path} is damaged: block {block} of {blocks}: {what}", path = .path.display())]
    Block {
        /// The file.
        path: PathBuf,
        /// The number of the block, from 0.
        block: usize,
        /// How many blocks there are.
        blocks: usize,
        /// What is wrong.
        what: &'static str,
    },
}

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Content<'a> {
    /// Name of the rules and rows of the board: `checkers-6`.
    pub(super) game: &'a str,
    pub(super) slice: Slice,
    pub(super) sides: usize,
    pub(super) positions: u64,
}

impl Content<'_> {
    /// The file in `dir`.
    pub(super) fn path(&self, dir: &Path) -> PathBuf {
        dir.join(format!("{}_{}.egdb", self.game, self.slice))
    }

    fn blocks(&self) -> usize {
        self.positions.div_ceil(BLOCK as u64) as usize
    }
}

/// Writes `bytes` to the file of `content` in `dir`, compressed or not: to a temporary name first.
/// Gives the length of the file.
pub(super) fn write(
    dir: &Path,
    content: Content<'_>,
    bytes: &[u8],
    compressed: bool,
) -> Result<u64, FileError> {
    let path = content.path(dir);
    let failed = |error| FileError::Write(path.clone(), error);
    let blocks: io::Result<Vec<(Vec<u8>, u32)>> = bytes
        .par_chunks(BLOCK)
        .map_init(
            || Compressor::new(LEVEL),
            |compressor, block| {
                let stored = match compressor {
                    _ if !compressed => Vec::new(),
                    Ok(compressor) => compressor.compress(block)?,
                    Err(error) => return Err(io::Error::new(error.kind(), error.to_string())),
                };
                let checksum = crc32fast::hash(if compressed { &stored } else { block });
                Ok((stored, checksum))
            },
        )
        .collect();
    let blocks = blocks.map_err(failed)?;
    let mut head = Vec::with_capacity(HEADER + 8 * blocks.len() + 4);
    head.extend(MAGIC);
    head.extend(VERSION.to_le_bytes());
    let mut game = [0; GAME_BYTES];
    game[..content.game.len()].copy_from_slice(content.game.as_bytes());
    head.extend(game);
    let Slice { black_men, black_kings, white_men, white_kings } = content.slice;
    head.extend([black_men, black_kings, white_men, white_kings].map(|count| count as u8));
    head.extend([content.sides as u8, u8::from(compressed), 0, 0]);
    head.extend((BLOCK as u32).to_le_bytes());
    head.extend(content.positions.to_le_bytes());
    head.extend((blocks.len() as u32).to_le_bytes());
    for ((stored, checksum), block) in blocks.iter().zip(bytes.chunks(BLOCK)) {
        let length = if compressed { stored.len() } else { block.len() };
        head.extend((length as u32).to_le_bytes());
        head.extend(checksum.to_le_bytes());
    }
    head.extend(crc32fast::hash(&head).to_le_bytes());
    let temporary = path.with_extension("tmp");
    let whole = || -> io::Result<u64> {
        let mut file = BufWriter::with_capacity(1 << 16, File::create(&temporary)?);
        file.write_all(&head)?;
        if compressed {
            blocks.iter().try_for_each(|(stored, _)| file.write_all(stored))?;
        } else {
            file.write_all(bytes)?;
        }
        let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.sync_all()?;
        let length = file.metadata()?.len();
        fs::rename(&temporary, &path)?;
        Ok(length)
    };
    whole().map_err(|error| {
        // What is left of it is of no use; the error that counts is the first.
        let _ = fs::remove_file(&temporary);
        failed(error)
    })
}

/// Locks the database of `game` in `dir`, which is made when it is not there, as long as what is
/// returned lives; `None` when another process has it.
pub(super) fn lock(dir: &Path, game: &str) -> Result<Option<File>, FileError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |error| FileError::Write(path, error)
    };
    if fs::metadata(dir).is_ok_and(|found| !found.is_dir()) {
        return Err(FileError::NoFolder(dir.to_owned()));
    }
    fs::create_dir_all(dir).map_err(failed(dir))?;
    let path = dir.join(format!("{game}.lock"));
    let file = File::create(&path).map_err(failed(&path))?;
    match file.try_lock() {
        Err(fs::TryLockError::WouldBlock) => Ok(None),
        // A file system without locks is no reason not to build.
        Ok(()) | Err(fs::TryLockError::Error(_)) => Ok(Some(file)),
    }
}

/// A file that is open, mapped into memory.
#[derive(Debug)]
pub(super) struct SliceFile {
    path: PathBuf,
    map: Mmap,
    compressed: bool,
    positions: usize,
    /// Where each block begins, and where the last ends.
    starts: Vec<u64>,
    checksums: Vec<u32>,
}

impl SliceFile {
    /// Opens the file of `content` in `dir` and checks all but the blocks.
    pub(super) fn open(dir: &Path, content: Content<'_>) -> Result<Self, FileError> {
        let path = content.path(dir);
        let read = |error| FileError::Read(path.clone(), error);
        // Opening a pipe would wait for somebody to write.
        if fs::metadata(&path).is_ok_and(|found| !found.is_file()) {
            return Err(FileError::Irregular(path));
        }
        let file = match File::open(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(FileError::Missing(path));
            }
            other => other.map_err(read)?,
        };
        let found = file.metadata().map_err(read)?.len();
        if found == 0 {
            return Err(FileError::Foreign(path));
        }
        // SAFETY: files of a database are written under another name and never changed; who changes
        // one behind our back can make values wrong, which checksums are for.
        let map = unsafe { Mmap::map(&file) }.map_err(read)?;
        Self::check(path, map, content)
    }

    fn check(path: PathBuf, map: Mmap, content: Content<'_>) -> Result<Self, FileError> {
        let bytes = &map[..];
        let found = bytes.len() as u64;
        if bytes.len() < 12 || &bytes[..8] != MAGIC {
            return Err(FileError::Foreign(path));
        }
        let version = word(bytes, 8);
        if version != VERSION {
            return Err(FileError::Version { path, found: version });
        }
        let blocks = content.blocks();
        let head = HEADER + 8 * blocks;
        let shortest = (head + 4) as u64;
        if bytes.len() < HEADER {
            return Err(FileError::Length { path, found, expected: shortest });
        }
        let game = String::from_utf8_lossy(&bytes[12..12 + GAME_BYTES]);
        let game = game.trim_end_matches('\0');
        let [black_men, black_kings, white_men, white_kings] =
            [28, 29, 30, 31].map(|at| u32::from(bytes[at]));
        let slice = Slice { black_men, black_kings, white_men, white_kings };
        if game != content.game || slice != content.slice {
            let found = format!("slice {slice} of {game}");
            let wanted = format!("slice {} of {}", content.slice, content.game);
            return Err(FileError::Other { path, found, wanted });
        }
        if found < shortest {
            return Err(FileError::Length { path, found, expected: shortest });
        }
        let positions = u64::from_le_bytes(std::array::from_fn(|i| bytes[40 + i]));
        let fits = usize::from(bytes[32]) == content.sides
            && bytes[33] < 2
            && word(bytes, 36) == BLOCK as u32
            && positions == content.positions
            && word(bytes, 48) == blocks as u32;
        if !fits {
            return Err(FileError::Header(path, "its header does not fit its slice"));
        }
        if word(bytes, head) != crc32fast::hash(&bytes[..head]) {
            return Err(FileError::Header(path, "the checksum of header and index does not match"));
        }
        let entries = bytes[HEADER..head].chunks_exact(8);
        let mut starts = vec![shortest];
        starts.extend(entries.clone().scan(shortest, |end, entry| {
            *end += u64::from(word(entry, 0));
            Some(*end)
        }));
        let expected = starts[blocks];
        if found != expected {
            return Err(FileError::Length { path, found, expected });
        }
        let checksums = entries.map(|entry| word(entry, 4)).collect();
        let compressed = bytes[33] == 1;
        Ok(Self { path, compressed, positions: positions as usize, starts, checksums, map })
    }

    /// The path.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The length in bytes.
    pub(super) fn length(&self) -> u64 {
        self.map.len() as u64
    }

    pub(super) fn is_compressed(&self) -> bool {
        self.compressed
    }

    pub(super) fn blocks(&self) -> usize {
        self.checksums.len()
    }

    /// The bytes of positions, unchecked, where blocks are stored as they are.
    #[inline(always)]
    pub(super) fn raw(&self) -> &[u8] {
        debug_assert!(!self.compressed);
        &self.map[self.starts[0] as usize..]
    }

    /// How many positions a block has.
    fn length_of(&self, block: usize) -> usize {
        BLOCK.min(self.positions - block * BLOCK)
    }

    fn damaged(&self, block: usize, what: &'static str) -> FileError {
        FileError::Block { path: self.path.clone(), block, blocks: self.blocks(), what }
    }

    /// A block as it is stored, its checksum compared.
    pub(super) fn stored(&self, block: usize) -> Result<&[u8], FileError> {
        let stored = &self.map[self.starts[block] as usize..self.starts[block + 1] as usize];
        if crc32fast::hash(stored) != self.checksums[block] {
            return Err(self.damaged(block, "its checksum does not match"));
        }
        if !self.compressed && stored.len() != self.length_of(block) {
            return Err(self.damaged(block, "it has the wrong length"));
        }
        Ok(stored)
    }

    /// Checks a block and unpacks it into `to`, which has room for all its positions.
    pub(super) fn block(
        &self,
        block: usize,
        unpacker: &mut Decompressor<'_>,
        to: &mut [u8],
    ) -> Result<(), FileError> {
        let stored = self.stored(block)?;
        let to = &mut to[..self.length_of(block)];
        if !self.compressed {
            to.copy_from_slice(stored);
        } else if unpacker.decompress_to_buffer(stored, to).ok() != Some(to.len()) {
            return Err(self.damaged(block, "it cannot be unpacked"));
        }
        Ok(())
    }

    /// The bytes of all positions, every block checked.
    pub(super) fn read(&self) -> Result<Vec<u8>, FileError> {
        let mut bytes = vec![0; self.positions];
        bytes
            .par_chunks_mut(BLOCK)
            .enumerate()
            .try_for_each_init(unpacker, |unpacker, (block, to)| self.block(block, unpacker, to))?;
        Ok(bytes)
    }
}

/// What unpacks blocks.
pub(super) fn unpacker() -> Decompressor<'static> {
    Decompressor::new().expect("there is memory for what unpacks a block")
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(std::array::from_fn(|i| bytes[at + i]))
}
