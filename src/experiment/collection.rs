//! Files of self-played games that only grow at the end: opened, cut to their whole games, continued.
//!
//! Plain PDN, or the same text compressed: one zstd frame for every [`FRAME_GAMES`] games, so that the
//! bytes do not depend on where a run was interrupted. A frame is written once its games are played;
//! the games of a last, shorter frame are played again by nobody, but the frame is written anew when
//! more games follow.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use zstd::zstd_safe::find_frame_compressed_size;

use crate::self_play::{GameText, OtherGames, Totals, whole_games};

/// Games in a compressed frame.
pub const FRAME_GAMES: u64 = 16;
/// Compression level of zstd: later games of a frame are short, a high level is cheap.
const LEVEL: i32 = 19;

/// A file of games that cannot be opened or continued.
#[derive(Debug, thiserror::Error)]
pub enum CollectionError {
    /// The system refused to read or write.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
    /// It holds other games.
    #[error("{path}: {error}")]
    Other {
        /// The file.
        path: PathBuf,
        /// Which game, and how it differs.
        error: OtherGames,
    },
    /// It holds more games than were asked for.
    #[error("{path} holds {found} games, more than {wanted}")]
    TooMany {
        /// The file.
        path: PathBuf,
        /// Games in the file.
        found: u64,
        /// Games asked for.
        wanted: u64,
    },
    /// It is not what the program writes.
    #[error("{path}, after game {games}: {problem}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Whole games before the damage.
        games: u64,
        /// What is wrong.
        problem: &'static str,
    },
}

/// A growing file of games.
#[derive(Debug)]
pub struct Collection {
    path: PathBuf,
    file: File,
    compressed: bool,
    /// The text of the last frame, not yet written, and its games.
    pending: String,
    pending_games: u64,
    totals: Totals,
}

impl Collection {
    /// Opens the file at `path`, creating it when there is none, and cuts off what follows its last
    /// whole game. Game `i` must begin with `head(i)`.
    ///
    /// # Errors
    /// When the file cannot be read or written, holds other games, or more than `wanted`.
    pub fn open(
        path: &Path,
        compressed: bool,
        wanted: u64,
        head: impl Fn(u64) -> String,
    ) -> Result<Self, CollectionError> {
        let io = |error| CollectionError::Io { path: path.to_owned(), error };
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(io)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(io)?;
        let mut collection = Self {
            path: path.to_owned(),
            file,
            compressed,
            pending: String::new(),
            pending_games: 0,
            totals: Totals::default(),
        };
        let end = if compressed {
            collection.read_frames(&bytes, head)?
        } else {
            collection.read_plain(&bytes, head)?
        };
        let found = collection.totals.games;
        if found > wanted {
            return Err(CollectionError::TooMany { path: path.to_owned(), found, wanted });
        }
        collection.file.set_len(end as u64).map_err(io)?;
        collection.file.seek(SeekFrom::End(0)).map_err(io)?;
        Ok(collection)
    }

    /// Whole games in the file, and those of the last frame.
    pub fn totals(&self) -> &Totals {
        &self.totals
    }

    /// Appends a game.
    ///
    /// # Errors
    /// When the system refuses; the next [`Collection::open`] cuts off what was half-written.
    pub fn append(&mut self, game: &GameText) -> Result<(), CollectionError> {
        self.totals.add(&game.text);
        if !self.compressed {
            return self.write(game.text.as_bytes());
        }
        self.pending += &game.text;
        self.pending_games += 1;
        if self.pending_games == FRAME_GAMES { self.finish() } else { Ok(()) }
    }

    /// Writes what is still held back; no game may be appended after a shorter frame.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn finish(&mut self) -> Result<(), CollectionError> {
        if self.pending_games == 0 {
            return Ok(());
        }
        let frame = zstd::bulk::compress(self.pending.as_bytes(), LEVEL)
            .map_err(|error| CollectionError::Io { path: self.path.clone(), error })?;
        self.pending.clear();
        self.pending_games = 0;
        self.write(&frame)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), CollectionError> {
        self.file
            .write_all(bytes)
            .map_err(|error| CollectionError::Io { path: self.path.clone(), error })
    }

    fn damaged(&self, problem: &'static str) -> CollectionError {
        CollectionError::Damaged { path: self.path.clone(), games: self.totals.games, problem }
    }

    /// Adds up the whole games of plain text; gives their end.
    fn read_plain(
        &mut self,
        bytes: &[u8],
        head: impl Fn(u64) -> String,
    ) -> Result<usize, CollectionError> {
        let text = str::from_utf8(bytes).map_err(|_| self.damaged("it is no text"))?;
        let whole = whole_games(text, 0, head)
            .map_err(|error| CollectionError::Other { path: self.path.clone(), error })?;
        self.totals = whole.totals;
        Ok(whole.end)
    }

    /// Adds up the games of the whole frames; gives where the last full frame ends, and holds back the
    /// games of a shorter one after it.
    fn read_frames(
        &mut self,
        bytes: &[u8],
        head: impl Fn(u64) -> String,
    ) -> Result<usize, CollectionError> {
        let mut end = 0;
        while let Ok(length) = find_frame_compressed_size(&bytes[end..]) {
            if length == 0 {
                break;
            }
            let frame = &bytes[end..end + length];
            let text = zstd::stream::decode_all(frame)
                .map_err(|_| self.damaged("a frame cannot be decompressed"))?;
            let text = String::from_utf8(text).map_err(|_| self.damaged("it is no text"))?;
            let whole = whole_games(&text, self.totals.games, &head)
                .map_err(|error| CollectionError::Other { path: self.path.clone(), error })?;
            if whole.end < text.len() || self.pending_games > 0 {
                return Err(self.damaged("a frame is not of whole games"));
            }
            let games = whole.totals.games;
            self.totals.merge(whole.totals);
            if games < FRAME_GAMES {
                self.pending = text;
                self.pending_games = games;
            } else {
                end += length;
                continue;
            }
            break;
        }
        Ok(end)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn head(index: u64) -> String {
        format!("[Round \"{}\"]\n", index + 1)
    }

    fn game(index: u64) -> GameText {
        let text = format!("{}[Result \"1-0\"]\n\n1. 32-28 19-23 1-0\n\n", head(index));
        GameText { text, nodes: 0 }
    }

    fn append(path: &Path, compressed: bool, games: u64) {
        let mut collection = Collection::open(path, compressed, games, head).unwrap();
        for index in collection.totals().games..games {
            collection.append(&game(index)).unwrap();
        }
        collection.finish().unwrap();
        assert_eq!(collection.totals().games, games);
    }

    #[test]
    fn a_file_cut_anywhere_is_continued_to_the_same_bytes() {
        let folder = tempfile::tempdir().unwrap();
        for compressed in [false, true] {
            let path = folder.path().join(format!("games-{compressed}"));
            append(&path, compressed, 40);
            let whole = std::fs::read(&path).unwrap();
            for cut in 0..whole.len() {
                std::fs::write(&path, &whole[..cut]).unwrap();
                append(&path, compressed, 40);
                assert_eq!(std::fs::read(&path).unwrap(), whole, "cut at {cut}");
            }
            std::fs::remove_file(&path).unwrap();
            for games in [3, 16, 20, 40] {
                append(&path, compressed, games);
            }
            assert_eq!(std::fs::read(&path).unwrap(), whole);
            let error = Collection::open(&path, compressed, 39, head).unwrap_err();
            assert!(matches!(error, CollectionError::TooMany { found: 40, wanted: 39, .. }));
            let other = |index| head(index + 1);
            let error = Collection::open(&path, compressed, 40, other).unwrap_err();
            assert!(matches!(error, CollectionError::Other { .. }), "{error}");
            assert_eq!(std::fs::read(&path).unwrap(), whole, "a refused file stays as it is");
        }
    }
}
