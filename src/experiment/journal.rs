//! The journal of a run: `batches.csv`, one row of mergeable sufficient statistics per batch,
//! and `histograms.csv`, the batch's bins; both only ever grow at the end.
//!
//! A batch is written in two steps, each flushed to the disk: first its bins, then its row. The
//! row is the commit point: bins without a row, and a last row without its line end, are what a
//! killed run leaves behind, and [`Journal::open`] cuts them off. The last two columns of a row
//! check the row and its bins, so damage anywhere is found and named; a journal never mixes
//! batches of two plans, since rows must come in the order of the plan.

use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::manifest::hex;
use super::measure::Cost;

/// File of the batch rows.
pub const BATCHES: &str = "batches.csv";
/// File of the histogram bins.
pub const HISTOGRAMS: &str = "histograms.csv";
/// File name of what the work has cost; it depends on the machine.
pub const COSTS: &str = "costs.csv";
/// Columns of `histograms.csv`: the game, its batch, the name of the histogram, the bin, how many
/// games (or positions) are in it, and the sum of their weights.
pub const HISTOGRAM_COLUMNS: [&str; 6] = ["game", "batch", "histogram", "bin", "count", "weight"];

/// One finished piece of work: the statistics of one batch of one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Id of the game (or board).
    pub game: String,
    /// Number of the batch within the game, from 0.
    pub batch: u64,
    /// The measure's columns.
    pub fields: Vec<String>,
    /// Histogram name, bin, count, weight.
    pub bins: Vec<[String; 4]>,
}

/// A journal that cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The system refused to read or write.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
    /// A row that no run has written.
    #[error("{path}, line {line}: {problem}; restore the file or start again with --fresh")]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// 1-based line.
        line: u64,
        /// What is wrong.
        problem: String,
    },
}

/// Appends a row to the file of costs in `folder`.
///
/// # Errors
/// When the system refuses.
pub fn append_cost(folder: &Path, cost: &Cost) -> Result<(), JournalError> {
    let path = folder.join(COSTS);
    let row = csv_line(&cost.figures.iter().map(|(_, figure)| figure).collect::<Vec<_>>());
    let header = match path.exists() {
        true => String::new(),
        false => csv_line(&cost.figures.iter().map(|(name, _)| *name).collect::<Vec<_>>()),
    };
    let file = OpenOptions::new().create(true).append(true).open(&path);
    file.and_then(|mut file| file.write_all((header + &row).as_bytes()))
        .map_err(|error| JournalError::Io { path, error })
}

/// The two growing files of a run, opened for appending.
#[derive(Debug)]
pub struct Journal {
    batches: Growing,
    histograms: Growing,
}

#[derive(Debug)]
struct Growing {
    path: PathBuf,
    file: File,
}

/// The CSV records of a file with their lines; the last may have no line end.
struct Rows {
    rows: Vec<Row>,
    /// Bytes up to and including the last line end.
    whole: u64,
}

struct Row {
    line: u64,
    end: u64,
    fields: Vec<String>,
}

impl Journal {
    /// Opens the journal in `folder`, creating it when there is none, and reads back the batches
    /// that a former run has finished. `columns` are the measure's columns; `work` lists game and
    /// batch of every piece of work in order.
    ///
    /// # Errors
    /// When a file cannot be read or written, or holds a row that is not the work's.
    pub fn open(
        folder: &Path,
        columns: &[&str],
        work: &[(String, u64)],
    ) -> Result<(Journal, Vec<Entry>), JournalError> {
        let header = batch_header(columns);
        let (batches, rows) = Growing::open(folder.join(BATCHES), &header)?;
        let (histograms, bins) = Growing::open(folder.join(HISTOGRAMS), &HISTOGRAM_COLUMNS)?;
        let mut journal = Journal { batches, histograms };
        let (entries, bins_end) = journal.collect(&rows, &bins, header.len(), work)?;
        journal.batches.cut(rows.whole)?;
        journal.histograms.cut(bins_end)?;
        Ok((journal, entries))
    }

    /// Reads the finished batches of the journal in `folder` without changing it.
    ///
    /// # Errors
    /// As [`Journal::open`].
    pub fn read(
        folder: &Path,
        columns: &[&str],
        work: &[(String, u64)],
    ) -> Result<Vec<Entry>, JournalError> {
        let header = batch_header(columns);
        let reading = |name| {
            let path = folder.join(name);
            let file = File::open(&path);
            file.map(|file| Growing { path: path.clone(), file })
                .map_err(|error| JournalError::Io { path, error })
        };
        let (batches, histograms) = (reading(BATCHES)?, reading(HISTOGRAMS)?);
        let rows = batches.rows(&header)?;
        let bins = histograms.rows(&HISTOGRAM_COLUMNS)?;
        let journal = Journal { batches, histograms };
        journal.collect(&rows, &bins, header.len(), work).map(|(entries, _)| entries)
    }

    /// Appends one finished batch; on return it is on the disk.
    ///
    /// # Errors
    /// When the system refuses; what was half-written is cut off again by the next
    /// [`Journal::open`].
    pub fn append(&mut self, entry: &Entry) -> Result<(), JournalError> {
        let bins = bin_lines(entry);
        let mut fields = vec![entry.game.clone(), entry.batch.to_string()];
        fields.extend(entry.fields.iter().cloned());
        fields.push(check(&bins));
        fields.push(check(&csv_line(&fields)));
        self.histograms.append(&bins)?;
        self.batches.append(&csv_line(&fields))
    }

    fn collect(
        &self,
        rows: &Rows,
        bins: &Rows,
        width: usize,
        work: &[(String, u64)],
    ) -> Result<(Vec<Entry>, u64), JournalError> {
        let corrupt = |growing: &Growing, line, problem: String| JournalError::Corrupt {
            path: growing.path.clone(),
            line,
            problem,
        };
        let mut entries = Vec::new();
        let mut next_bin = 0;
        let mut bins_end = bins.rows.first().map_or(bins.whole, |row| row.end);
        next_bin += usize::from(!bins.rows.is_empty());
        for row in rows.rows.iter().skip(1) {
            let refuse = |problem: String| corrupt(&self.batches, row.line, problem);
            if row.fields.len() != width {
                let found = row.fields.len();
                return Err(refuse(format!("{found} fields where the header has {width}")));
            }
            let (body, own) = row.fields.split_at(width - 1);
            if check(&csv_line(body)) != own[0] {
                return Err(refuse("the row does not match its check".into()));
            }
            let Some((game, batch)) = work.get(entries.len()) else {
                return Err(refuse(format!("the plan has only {} batches", work.len())));
            };
            if body[0] != *game || body[1] != batch.to_string() {
                let found = format!("batch {} of {}", body[1], body[0]);
                return Err(refuse(format!("{found} where batch {batch} of {game} is due")));
            }
            let mut entry = Entry {
                game: game.clone(),
                batch: *batch,
                fields: body[2..width - 2].to_vec(),
                bins: Vec::new(),
            };
            let first_bin = bins.rows.get(next_bin).map_or(0, |bin| bin.line);
            while let Some(bin) = bins.rows.get(next_bin) {
                let [bin_game, bin_batch, cell @ ..] = bin.fields.as_slice() else {
                    return Err(corrupt(&self.histograms, bin.line, "one field".into()));
                };
                let Ok(cell) = <[String; 4]>::try_from(cell.to_vec()) else {
                    let found = bin.fields.len();
                    let problem = format!("{found} fields where the header has 6");
                    return Err(corrupt(&self.histograms, bin.line, problem));
                };
                if bin_game != game || *bin_batch != body[1] {
                    break;
                }
                entry.bins.push(cell);
                bins_end = bin.end;
                next_bin += 1;
            }
            if check(&bin_lines(&entry)) != body[width - 2] {
                let problem = format!(
                    "the bins of batch {batch} of {game}, from this line on, do not match their check"
                );
                return Err(corrupt(&self.histograms, first_bin.max(1), problem));
            }
            entries.push(entry);
        }
        Ok((entries, bins_end))
    }
}

impl Growing {
    /// Opens the file, writing the header when it is empty or was cut within the header.
    fn open(path: PathBuf, header: &[&str]) -> Result<(Growing, Rows), JournalError> {
        let opened = OpenOptions::new().create(true).read(true).append(true).open(&path);
        let file = opened.map_err(|error| JournalError::Io { path: path.clone(), error })?;
        let mut growing = Growing { path, file };
        let mut rows = growing.rows(header)?;
        if rows.rows.is_empty() {
            growing.cut(0)?;
            growing.append(&csv_line(header))?;
            rows = growing.rows(header)?;
        }
        Ok((growing, rows))
    }

    /// The whole rows of the file, header first.
    fn rows(&self, header: &[&str]) -> Result<Rows, JournalError> {
        let bytes = std::fs::read(&self.path).map_err(|error| self.io(error))?;
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .from_reader(&bytes[..whole]);
        let mut rows: Vec<Row> = Vec::new();
        let mut record = csv::StringRecord::new();
        loop {
            let line = rows.len() as u64 + 1;
            let more = reader.read_record(&mut record).map_err(|_| JournalError::Corrupt {
                path: self.path.clone(),
                line,
                problem: "not UTF-8 text".into(),
            })?;
            if !more {
                break;
            }
            let fields = record.iter().map(str::to_owned).collect();
            rows.push(Row { line, end: reader.position().byte(), fields });
        }
        if let Some(first) = rows.first()
            && first.fields != header
        {
            return Err(JournalError::Corrupt {
                path: self.path.clone(),
                line: 1,
                problem: format!("the header is not '{}'", header.join(",")),
            });
        }
        Ok(Rows { rows, whole: whole as u64 })
    }

    fn cut(&mut self, length: u64) -> Result<(), JournalError> {
        self.file.set_len(length).map_err(|error| self.io(error))?;
        self.file.seek(SeekFrom::End(0)).map_err(|error| self.io(error))?;
        Ok(())
    }

    fn append(&mut self, text: &str) -> Result<(), JournalError> {
        self.file.write_all(text.as_bytes()).map_err(|error| self.io(error))?;
        self.file.sync_data().map_err(|error| self.io(error))
    }

    fn io(&self, error: std::io::Error) -> JournalError {
        JournalError::Io { path: self.path.clone(), error }
    }
}

/// The whole header of `batches.csv` for a measure with these `columns`.
pub fn batch_header<'a>(columns: &[&'a str]) -> Vec<&'a str> {
    [&["game", "batch"], columns, &["histograms_check", "check"]].concat()
}

/// One CSV line, quoted where needed, with its line end.
pub fn csv_line<T: AsRef<[u8]>>(fields: &[T]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(fields).expect("writing to memory cannot fail");
    let bytes = writer.into_inner().expect("flushing to memory cannot fail");
    String::from_utf8(bytes).expect("the fields were text")
}

fn bin_lines(entry: &Entry) -> String {
    let batch = entry.batch.to_string();
    let line = |[name, bin, count, weight]: &[String; 4]| {
        csv_line(&[&entry.game, &batch, name, bin, count, weight])
    };
    entry.bins.iter().map(line).collect()
}

/// The first 16 hexadecimal digits of the SHA-256 of `text`.
fn check(text: &str) -> String {
    hex(&Sha256::digest(text.as_bytes())[..8])
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn entry(batch: u64) -> Entry {
        Entry {
            game: "g".into(),
            batch,
            fields: vec![format!("{}", batch * 10), "W:W1,2:B3".into()],
            bins: vec![["length".into(), "7".into(), batch.to_string(), "1.5".into()]],
        }
    }

    fn work() -> Vec<(String, u64)> {
        (0..3).map(|batch| ("g".to_owned(), batch)).collect()
    }

    const COLUMNS: [&str; 2] = ["count", "text"];

    fn open(folder: &Path) -> Result<(Journal, Vec<Entry>), JournalError> {
        Journal::open(folder, &COLUMNS, &work())
    }

    fn written(folder: &Path, batches: u64) -> (Vec<u8>, Vec<u8>) {
        let (mut journal, _) = open(folder).unwrap();
        for batch in 0..batches {
            journal.append(&entry(batch)).unwrap();
        }
        (
            std::fs::read(folder.join(BATCHES)).unwrap(),
            std::fs::read(folder.join(HISTOGRAMS)).unwrap(),
        )
    }

    #[test]
    fn what_was_appended_is_read_back() {
        let folder = tempfile::tempdir().unwrap();
        written(folder.path(), 2);
        let (_, entries) = open(folder.path()).unwrap();
        assert_eq!(entries, [entry(0), entry(1)]);
    }

    #[test]
    fn a_journal_cut_at_any_byte_resumes_to_the_same_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let (batches, bins) = written(folder.path(), 3);
        for cut in 0..=batches.len() {
            let short = tempfile::tempdir().unwrap();
            std::fs::write(short.path().join(BATCHES), &batches[..cut]).unwrap();
            std::fs::write(short.path().join(HISTOGRAMS), &bins).unwrap();
            let (mut journal, entries) = open(short.path()).unwrap();
            for batch in entries.len() as u64..3 {
                journal.append(&entry(batch)).unwrap();
            }
            assert_eq!(std::fs::read(short.path().join(BATCHES)).unwrap(), batches);
            assert_eq!(std::fs::read(short.path().join(HISTOGRAMS)).unwrap(), bins);
        }
    }

    #[test]
    fn every_flipped_byte_of_a_whole_row_is_refused_with_file_and_line() {
        let folder = tempfile::tempdir().unwrap();
        let (batches, bins) = written(folder.path(), 2);
        for (name, bytes) in [(BATCHES, &batches), (HISTOGRAMS, &bins)] {
            for at in 0..bytes.len() {
                let mut damaged = bytes.clone();
                damaged[at] = if damaged[at] == b'5' { b'6' } else { b'5' };
                let last_line_end = at + 1 == bytes.len();
                std::fs::write(folder.path().join(BATCHES), &batches).unwrap();
                std::fs::write(folder.path().join(HISTOGRAMS), &bins).unwrap();
                std::fs::write(folder.path().join(name), &damaged).unwrap();
                let refused = Journal::read(folder.path(), &COLUMNS, &work());
                if last_line_end && name == BATCHES {
                    assert_eq!(refused.unwrap().len(), 1, "a row without end is dropped");
                    continue;
                }
                let message = refused.unwrap_err().to_string();
                assert!(message.contains(".csv, line "), "{message}");
            }
        }
    }

    #[test]
    fn rows_of_another_plan_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        written(folder.path(), 2);
        let other = vec![("h".to_owned(), 0)];
        let message = Journal::open(folder.path(), &COLUMNS, &other).unwrap_err().to_string();
        assert!(message.contains("batches.csv, line 2"), "{message}");
    }
}
