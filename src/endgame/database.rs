//! A database on disk, to be asked at random.
//!
//! Files are mapped into memory. A block that is stored as it is gets its checksum compared when it
//! is first asked for; a compressed block is unpacked into a cache of fixed size. Asking is safe
//! from any number of threads.

use std::marker::PhantomData;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock};

use zstd::bulk::Decompressor;

use super::bytes;
use super::file::{BLOCK, Content, FileError, SliceFile, unpacker};
use super::slices::{Place, Slices, SlicesError};
use super::tables::Tables;
use super::{game_name, without_pieces};
use crate::engine::{Probe, Value};
use crate::games::draughts::{Board, Position, Rules};

/// Why a database cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// There is no such database.
    #[error(transparent)]
    Slices(#[from] SlicesError),
    /// A file of it cannot be used.
    #[error(transparent)]
    File(#[from] FileError),
    /// Not one file of it is there.
    #[error("no endgame database of {game} in {dir}")]
    Nothing {
        /// The game.
        game: String,
        /// The folder.
        dir: String,
    },
}

/// Bytes of unpacked blocks that are kept unless something else is asked for.
pub const DEFAULT_CACHE: usize = 256 << 20;

/// A database that is open.
#[derive(Debug)]
pub struct Database<R: Rules, B: Board> {
    slices: Slices<B>,
    files: Vec<Opened>,
    cache: Cache,
    damage: OnceLock<FileError>,
    rules: PhantomData<R>,
}

#[derive(Debug)]
struct Opened {
    file: SliceFile,
    /// One bit for each block stored as it is that was found to be whole.
    checked: Vec<AtomicU64>,
}

impl<R: Rules, B: Board> Database<R, B> {
    /// Opens the database in `dir` with up to `pieces` pieces, or with as many as any of its files
    /// has. At most about `cache` bytes of unpacked blocks are kept.
    ///
    /// # Errors
    /// When a file is missing, damaged or something else.
    pub fn open(dir: &Path, pieces: Option<u32>, cache: usize) -> Result<Self, OpenError> {
        let game = game_name::<R, B>();
        let pieces = match pieces {
            Some(pieces) => pieces,
            None => most_present(dir, &game)?,
        };
        let slices = Slices::<B>::new(pieces)?;
        let files = slices.entries().iter().map(|entry| {
            let file = SliceFile::open(dir, content(&game, entry))?;
            let words = if file.is_compressed() { 0 } else { file.blocks().div_ceil(64) };
            Ok(Opened { file, checked: (0..words).map(|_| AtomicU64::new(0)).collect() })
        });
        let files: Vec<Opened> = files.collect::<Result<_, FileError>>()?;
        let compressed = files.iter().any(|opened| opened.file.is_compressed());
        let cache = Cache::new(if compressed { cache } else { 0 });
        Ok(Self { slices, files, cache, damage: OnceLock::new(), rules: PhantomData })
    }

    /// The slices.
    pub fn slices(&self) -> &Slices<B> {
        &self.slices
    }

    /// The length of all files together, in bytes.
    pub fn length(&self) -> u64 {
        self.files.iter().map(|opened| opened.file.length()).sum()
    }

    /// The file of a slice.
    pub fn path(&self, entry: usize) -> &Path {
        self.files[entry].file.path()
    }

    /// The bytes of a slice, every block checked.
    ///
    /// # Errors
    /// When a block is damaged.
    pub fn read(&self, entry: usize) -> Result<Vec<u8>, FileError> {
        self.files[entry].file.read()
    }

    /// The values of all slices in memory, every block checked.
    ///
    /// # Errors
    /// When a block is damaged.
    pub fn load(&self) -> Result<Tables<R, B>, FileError> {
        let tables = Tables::new(Slices::new(self.slices.pieces()).expect("they are open"));
        for (entry, opened) in self.files.iter().enumerate() {
            tables.put(entry, opened.file.read()?);
        }
        Ok(tables)
    }

    /// The value of `position`; `None` when it has too many pieces.
    ///
    /// # Errors
    /// When the block that tells is damaged.
    #[inline]
    pub fn value(&self, position: &Position<B>) -> Result<Option<Value>, FileError> {
        match self.slices.place(position) {
            Some(place) => self.byte(place).map(bytes::value),
            None => Ok(without_pieces::<R, B>(position)),
        }
    }

    #[inline]
    fn byte(&self, Place { entry, number }: Place) -> Result<u8, FileError> {
        let Opened { file, checked } = &self.files[entry];
        let number = number as usize;
        let block = number / BLOCK;
        if file.is_compressed() {
            return self.cache.byte(file, entry, block, number % BLOCK);
        }
        let (word, bit) = (&checked[block / 64], 1 << (block % 64));
        if word.load(Ordering::Relaxed) & bit == 0 {
            file.stored(block)?;
            word.fetch_or(bit, Ordering::Relaxed);
        }
        Ok(file.raw()[number])
    }
}

impl<R: Rules, B: Board> Probe<B> for Database<R, B> {
    #[inline]
    fn probe(&self, position: &Position<B>) -> Option<Value> {
        self.value(position).unwrap_or_else(|error| {
            let _ = self.damage.set(error);
            None
        })
    }

    fn most_pieces(&self) -> u32 {
        self.slices.pieces()
    }

    fn damage(&self) -> Option<String> {
        self.damage.get().map(FileError::to_string)
    }
}

/// What the file of `entry` holds.
pub(super) fn content<'a, B: Board>(game: &'a str, entry: &super::slices::Entry<B>) -> Content<'a> {
    let sides = entry.sides().len();
    Content { game, slice: entry.slice(), sides, positions: entry.size() }
}

/// The most pieces of a file of the game's database.
fn most_present(dir: &Path, game: &str) -> Result<u32, OpenError> {
    let read = |error| FileError::Read(dir.to_owned(), error);
    let mut most = 0;
    for file in std::fs::read_dir(dir).map_err(read)? {
        let name = file.map_err(read)?.file_name();
        let name = name.to_string_lossy();
        let slice = name.strip_prefix(game).and_then(|name| name.strip_prefix('_'));
        let Some(slice) = slice.and_then(|slice| slice.strip_suffix(".egdb")) else { continue };
        let counts: Option<Vec<u32>> = slice.split('.').map(|count| count.parse().ok()).collect();
        if let Some([_, _, _, _]) = counts.as_deref() {
            most = most.max(counts.iter().flatten().sum());
        }
    }
    if most == 0 {
        return Err(OpenError::Nothing { game: game.to_owned(), dir: dir.display().to_string() });
    }
    Ok(most)
}

/// Blocks that share a lock; the one that was put there first makes room for another.
const WAYS: usize = 4;
/// In place of a key: nothing is kept here.
const NO_BLOCK: u64 = u64::MAX;

/// A bounded number of unpacked blocks.
#[derive(Debug)]
struct Cache {
    sets: Vec<Mutex<Set>>,
    unpackers: Mutex<Unpackers>,
}

#[derive(Debug)]
struct Set {
    keys: [u64; WAYS],
    next: usize,
    /// The blocks one after the other; empty until the first is kept.
    blocks: Vec<u8>,
}

/// Idle ones.
#[derive(Default)]
struct Unpackers(Vec<Decompressor<'static>>);

impl std::fmt::Debug for Unpackers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} unpackers", self.0.len())
    }
}

impl Cache {
    fn new(bytes: usize) -> Self {
        let set = || Mutex::new(Set { keys: [NO_BLOCK; WAYS], next: 0, blocks: Vec::new() });
        let sets = (bytes / (WAYS * BLOCK)).max(1);
        Self { sets: (0..sets).map(|_| set()).collect(), unpackers: Mutex::default() }
    }

    #[inline]
    fn byte(
        &self,
        file: &SliceFile,
        entry: usize,
        block: usize,
        at: usize,
    ) -> Result<u8, FileError> {
        let key = (entry as u64) << 40 | block as u64;
        let hash = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let set = ((u128::from(hash) * self.sets.len() as u128) >> 64) as usize;
        let mut set = lock(&self.sets[set]);
        let way = match set.keys.iter().position(|kept| *kept == key) {
            Some(way) => way,
            None => self.unpack(&mut set, key, file, block)?,
        };
        Ok(set.blocks[way * BLOCK + at])
    }

    #[cold]
    fn unpack(
        &self,
        set: &mut Set,
        key: u64,
        file: &SliceFile,
        block: usize,
    ) -> Result<usize, FileError> {
        let idle = lock(&self.unpackers).0.pop();
        let mut unpacker = idle.unwrap_or_else(unpacker);
        set.blocks.resize(WAYS * BLOCK, 0);
        let way = set.next;
        set.next = (way + 1) % WAYS;
        set.keys[way] = NO_BLOCK;
        file.block(block, &mut unpacker, &mut set.blocks[way * BLOCK..][..BLOCK])?;
        set.keys[way] = key;
        lock(&self.unpackers).0.push(unpacker);
        Ok(way)
    }
}

fn lock<T>(held: &Mutex<T>) -> MutexGuard<'_, T> {
    held.lock().expect("nothing panics with the lock in hand")
}
