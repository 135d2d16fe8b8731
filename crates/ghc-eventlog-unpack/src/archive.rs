//! Zip archives, such as the artifacts of a build service.

use crate::{
    KIND, Stored,
    compressed::{Compression, Counted, PIECE, Patient, Place, Unpacking},
    peek,
};
use flate2::{Crc, bufread::DeflateDecoder};
use std::{
    cmp::Reverse,
    io::{self, BufRead, BufReader, ErrorKind, Read, SeekFrom},
};
use zip::{CompressionMethod, ZipArchive, result::ZipError};

/// What the names of logs end in.
const ENDINGS: [&str; 3] = [".eventlog", ".eventlog.gz", ".eventlog.zst"];

/// What a log begins with.
const MARK: &[u8] = b"hdrb";

/// The size of a header's marks and the data's mark, in bytes: no log is shorter.
const LEAST: u64 = 20;

/// How many entries are read to see if they are logs, because their names do not show it. Each takes two reads of the
/// file and a fraction of a millisecond, in a browser half a millisecond.
pub const MOST_PEEKS: usize = 200;

/// The folder in which macOS puts a file's attributes, under the file's own name.
const ATTRIBUTES: &str = "__MACOSX/";

/// Whether the first bytes of a file are an archive's: the start of an entry, or the end of an empty archive.
#[must_use]
pub fn is_zip(first: &[u8]) -> bool {
    matches!(first, b"PK\x03\x04" | b"PK\x05\x06")
}

/// A zip archive.
pub struct Archive<F> {
    /// Moves to its own offset before each read.
    directory: ZipArchive<BufReader<Patient<F>>>,
    file: F,
}

/// What a directory says of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its number in the archive.
    pub index: usize,
    /// Its name, with its folders.
    pub name: String,
    /// Its size in bytes without the archive's compression.
    pub size: u64,
}

impl Entry {
    fn is_file(&self) -> bool {
        !self.name.ends_with('/') && !self.name.starts_with(ATTRIBUTES)
    }

    fn is_named_log(&self) -> bool {
        let name = self.name.to_ascii_lowercase();
        ENDINGS.iter().any(|ending| name.ends_with(ending))
    }
}

/// A search for the logs of an archive. It works in steps, so that others need not wait for it: call [`Self::step`]
/// until it returns `true`.
#[derive(Debug)]
pub struct Search {
    /// The indexes of the logs found so far; in archive order once the search is over.
    pub found: Vec<usize>,
    /// The indexes of the entries that are yet to be read, the likeliest last.
    candidates: Vec<usize>,
}

impl Search {
    /// Reads `entries` more entries of `archive`, for which the search was made. Returns whether the search is over.
    pub fn step<F: Stored>(&mut self, archive: &mut Archive<F>, entries: usize) -> bool {
        for index in self.candidates.split_off(self.candidates.len().saturating_sub(entries)).into_iter().rev() {
            if archive.begins_like_a_log(index) {
                self.found.push(index);
            }
        }
        self.found.sort_unstable();
        self.candidates.is_empty()
    }
}

impl<F: Stored> Archive<F> {
    /// Reads an archive's directory.
    ///
    /// # Errors
    /// When the file has no directory, or it cannot be read.
    pub fn open(file: F) -> io::Result<Self> {
        let directory = ZipArchive::new(BufReader::with_capacity(PIECE, Patient(file.again()?)));
        Ok(Self { directory: directory.map_err(in_words)?, file })
    }

    /// How many entries it has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.directory.len()
    }

    /// Whether it has none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.directory.is_empty()
    }

    /// The entry with this index, as the directory describes it.
    #[must_use]
    pub fn entry(&self, index: usize) -> Option<Entry> {
        let entry = self.directory.by_index_data(index).ok()?;
        let name = entry.name().unwrap_or_default().into_owned();
        Some(Entry { index, name, size: entry.size() })
    }

    /// All entries.
    pub fn entries(&self) -> impl Iterator<Item = Entry> {
        (0..self.len()).filter_map(|index| self.entry(index))
    }

    /// The index of the entry with exactly this name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<usize> {
        self.directory.index_for_name(name)
    }

    /// The entries that are logs; see [`Archive::search`].
    pub fn logs(&mut self) -> Vec<Entry> {
        let mut search = self.search();
        while !search.step(self, MOST_PEEKS) {}
        search.found.iter().filter_map(|&index| self.entry(index)).collect()
    }

    /// Begins a search for the entries that are logs. Most are known by their names, without reading. At most
    /// [`MOST_PEEKS`] of the others are read, the likeliest first.
    #[must_use]
    pub fn search(&self) -> Search {
        let mut files: Vec<Entry> = self.entries().filter(Entry::is_file).collect();
        let found = files.iter().filter(|entry| entry.is_named_log()).map(|entry| entry.index).collect();
        files.retain(|entry| !entry.is_named_log() && entry.size >= LEAST);
        files.sort_by_key(|entry| (!entry.name.contains("eventlog"), Reverse(entry.size)));
        files.truncate(MOST_PEEKS);
        Search { found, candidates: files.iter().rev().map(|entry| entry.index).collect() }
    }

    fn begins_like_a_log(&mut self, index: usize) -> bool {
        self.unpack(index).and_then(|log| peek(log, MARK.len())).is_ok_and(|(first, _)| first == MARK)
    }

    /// Unpacks an entry. Its content may itself be compressed.
    ///
    /// # Errors
    /// When there is no such entry, or when it is encrypted or compressed in an unknown way.
    pub fn unpack(&mut self, index: usize) -> io::Result<Unpacking> {
        let place = Place::default();
        let (first, entry) = peek(self.content(index, &place)?, KIND)?;
        let log = match Compression::of(&first) {
            Some(compression) => compression.unpack(BufReader::new(entry)),
            None => Box::new(entry),
        };
        Ok(Unpacking::new(log, place))
    }

    /// An entry's content as it was put into the archive. The zip crate only says where the entry is: its own reader
    /// borrows the archive, so it could not be kept.
    fn content(&mut self, index: usize, place: &Place) -> io::Result<Checked> {
        let entry = self.directory.by_index_raw(index).map_err(in_words)?;
        if entry.encrypted() {
            return Err(io::Error::other("the entry is encrypted"));
        }
        let start = entry.data_start().unwrap_or_default();
        let (size, method, sum) = (entry.compressed_size(), entry.compression(), entry.crc32());
        drop(entry);
        let mut file = self.file.again()?;
        file.seek(SeekFrom::Start(start))?;
        place.set(start);
        let stored = Counted::new(BufReader::new(Patient(file)).take(size), place);
        let content: Box<dyn Read> = match method {
            CompressionMethod::STORE => Box::new(stored),
            CompressionMethod::DEFLATE => Box::new(Deflated(DeflateDecoder::new(stored))),
            CompressionMethod::ZSTD => Compression::Zstd.unpack(stored),
            other => return Err(io::Error::other(format!("the entry is compressed by {other}, not by deflate"))),
        };
        Ok(Checked { content, crc: Crc::new(), sum })
    }
}

/// An error in words for people. The directory is at the end of an archive, so most archives that cannot be read are
/// cut off.
fn in_words(error: ZipError) -> io::Error {
    let text = match error {
        ZipError::Io(error) if error.kind() != ErrorKind::UnexpectedEof => return error,
        ZipError::UnsupportedArchive(what) => format!("the zip archive cannot be read: {what}"),
        ZipError::FileNotFound => "the zip archive has no such entry".to_string(),
        _ => "the zip archive is damaged or cut off: its list of entries cannot be read".to_string(),
    };
    io::Error::new(ErrorKind::InvalidData, text)
}

/// A deflate decoder, with errors in words for people.
struct Deflated<R>(DeflateDecoder<R>);

impl<R: BufRead> Read for Deflated<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.0.read(out).map_err(|error| match error.kind() {
            ErrorKind::InvalidInput | ErrorKind::InvalidData => {
                io::Error::new(ErrorKind::InvalidData, "the entry is damaged")
            }
            ErrorKind::UnexpectedEof => io::Error::new(ErrorKind::UnexpectedEof, "the entry is cut off"),
            _ => error,
        })
    }
}

/// An entry's content, which is checked against its checksum at the end.
struct Checked {
    content: Box<dyn Read>,
    crc: Crc,
    sum: u32,
}

impl Read for Checked {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.content.read(out)?;
        self.crc.update(out.get(..read).unwrap_or_default());
        if read == 0 && !out.is_empty() && self.crc.sum() != self.sum {
            return Err(io::Error::new(ErrorKind::InvalidData, "the checksum does not match"));
        }
        Ok(read)
    }
}
