//! The text of a collection of games: decoding, line ends, places.

use std::io::{self, Read};

use super::syntax::Games;

/// The first bytes of a zstd frame.
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// The level at which [`pack`] compresses: the gain above it is small and the time is not.
const LEVEL: i32 = 9;
/// The longest text that is taken, packed or not: far more than any collection, far less than what
/// a small file can be made to unfold to.
const LONGEST: u64 = 8 << 30;

/// A line and a column, both counted from 1, the column in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The line.
    pub line: usize,
    /// The character on the line.
    pub column: usize,
}

/// The decoded text of a collection of games.
///
/// A byte-order mark is taken off. Bytes that are no UTF-8 are read as ISO 8859-1, the encoding of
/// PDN 2.0. Lines end with LF, CR LF or CR.
#[derive(Clone, Debug)]
pub struct Source {
    text: String,
    /// Offsets with their places: the start of each line, and one after every so many bytes of a
    /// long one, so that finding a place takes no time that a text could make long.
    marks: Vec<(usize, Place)>,
}

/// Bytes of a line after which there is a mark.
const STRIDE: usize = 4096;

impl Source {
    /// The text of `bytes`, which may be packed ([`pack`]).
    ///
    /// # Errors
    /// When packed bytes are damaged, or the text is longer than 8 GiB.
    pub fn unpack(bytes: Vec<u8>) -> io::Result<Self> {
        let bytes = if bytes.starts_with(&ZSTD_MAGIC) {
            let mut unpacked = Vec::new();
            zstd::Decoder::new(&bytes[..])?.take(LONGEST + 1).read_to_end(&mut unpacked)?;
            unpacked
        } else {
            bytes
        };
        if bytes.len() as u64 > LONGEST {
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, "the text passes 8 GiB"));
        }
        Ok(Self::new(bytes))
    }

    /// The text of `bytes`.
    pub fn new(bytes: Vec<u8>) -> Self {
        let mut text = String::from_utf8(bytes).unwrap_or_else(|error| {
            let mut decoded = String::with_capacity(error.as_bytes().len());
            for chunk in error.as_bytes().utf8_chunks() {
                decoded.push_str(chunk.valid());
                decoded.extend(chunk.invalid().iter().map(|&byte| char::from(byte)));
            }
            decoded
        });
        if text.starts_with('\u{feff}') {
            text.drain(..'\u{feff}'.len_utf8());
        }
        let marks = marks(&text);
        Self { text, marks }
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The games, one by one.
    pub fn games(&self) -> Games<'_> {
        Games::new(self)
    }

    /// Where the byte `offset` of the text stands.
    pub(super) fn place(&self, offset: usize) -> Place {
        let after = self.marks.partition_point(|(at, _)| *at <= offset);
        let (at, place) = self.marks[after - 1];
        let column = place.column + self.text[at..offset].chars().count();
        Place { column, ..place }
    }
}

fn marks(text: &str) -> Vec<(usize, Place)> {
    let mut place = Place { line: 1, column: 1 };
    let mut marks = vec![(0, place)];
    let mut last = 0;
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let next = characters.peek();
        let after = next.map_or(text.len(), |(at, _)| *at);
        let folded = character == '\r' && next.is_some_and(|(_, next)| *next == '\n');
        if matches!(character, '\n' | '\r') && !folded {
            place = Place { line: place.line + 1, column: 1 };
        } else {
            place.column += 1;
            if at < last + STRIDE {
                continue;
            }
        }
        marks.push((after, place));
        last = after;
    }
    marks
}

/// `text` as a zstd frame; frames set one after another unpack to their texts one after another.
///
/// # Errors
/// When there is no memory for it.
pub fn pack(text: &[u8]) -> io::Result<Vec<u8>> {
    zstd::encode_all(text, LEVEL)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn bytes_that_are_no_utf8_are_latin_1() {
        let source = Source::new(b"\xef\xbb\xbfJos\xe9 \xc3\xa9 \xbd-\xbd".to_vec());
        assert_eq!(source.text(), "José é ½-½");
    }

    #[test]
    fn places_count_lines_of_every_kind_and_characters() {
        let source = Source::new("é1\r\n2\rx3\n4".as_bytes().to_vec());
        let place = |what| {
            let Place { line, column } = source.place(source.text().find(what).unwrap());
            (line, column)
        };
        assert_eq!(place("1"), (1, 2));
        assert_eq!(place("2"), (2, 1));
        assert_eq!(place("3"), (3, 2));
        assert_eq!(place("4"), (4, 1));
        assert_eq!(source.place(source.text().len()), Place { line: 4, column: 2 });
    }

    #[test]
    fn packed_frames_unpack_one_after_another() {
        let mut packed = pack(b"1. 32-28 *\n").unwrap();
        packed.extend(pack(b"1. 31-27 *\n").unwrap());
        assert_eq!(Source::unpack(packed.clone()).unwrap().text(), "1. 32-28 *\n1. 31-27 *\n");
        packed.truncate(packed.len() - 3);
        assert!(Source::unpack(packed).is_err());
    }
}
