//! Zip archives, such as a build service keeps as artifacts.

use crate::{
    KIND, Stored,
    compressed::{Compression, Counted, Place, Unpacking},
    peek,
};
use flate2::{Crc, bufread::DeflateDecoder};
use std::io::{self, BufReader, ErrorKind, Read, SeekFrom};
use zip::{CompressionMethod, ZipArchive};

/// What the names of logs end in.
const ENDINGS: [&str; 3] = [".eventlog", ".eventlog.gz", ".eventlog.zst"];

/// What a log begins with.
const MARK: &[u8] = b"hdrb";

/// Where a Mac puts a file's attributes, under the file's own name.
const ATTRIBUTES: &str = "__MACOSX/";

/// Tells an archive from its first bytes: those of an entry, or of the end of an archive without any.
#[must_use]
pub fn is_zip(first: &[u8]) -> bool {
    matches!(first, b"PK\x03\x04" | b"PK\x05\x06")
}

/// A zip archive.
pub struct Archive<F> {
    /// Reads from a place of its own choice at each call.
    directory: ZipArchive<BufReader<F>>,
    file: F,
}

/// What a directory says of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its number in the archive.
    pub index: usize,
    /// Its name, with its folders.
    pub name: String,
    /// Its bytes without the archive's compression.
    pub size: u64,
}

impl<F: Stored> Archive<F> {
    /// Reads an archive's directory.
    ///
    /// # Errors
    /// When there is none, or none that can be read.
    pub fn open(file: F) -> io::Result<Self> {
        Ok(Self { directory: ZipArchive::new(BufReader::new(file.again()?))?, file })
    }

    /// All entries.
    pub fn entries(&mut self) -> Vec<Entry> {
        (0..self.directory.len()).map(|index| self.entry(index)).collect()
    }

    /// The entries that are logs: by their names, or by what they begin with.
    pub fn logs(&mut self) -> Vec<Entry> {
        let entries = self.entries();
        entries.into_iter().filter(|entry| self.is_log(entry)).collect()
    }

    fn entry(&mut self, index: usize) -> Entry {
        let name = self.directory.name_for_index(index).and_then(Result::ok).unwrap_or_default().into_owned();
        let size = self.directory.by_index_raw(index).map_or(0, |entry| entry.size());
        Entry { index, name, size }
    }

    fn is_log(&mut self, Entry { index, name, .. }: &Entry) -> bool {
        if name.starts_with(ATTRIBUTES) || name.ends_with('/') {
            return false;
        }
        let ending = |ending: &&str| name.to_ascii_lowercase().ends_with(ending);
        ENDINGS.iter().any(ending)
            || self.unpack(*index).and_then(|log| peek(log, MARK.len())).is_ok_and(|(first, _)| first == MARK)
    }

    /// An entry's content, which may be compressed by itself.
    ///
    /// # Errors
    /// When there is no such entry, or it is encrypted or compressed in a way that is not known.
    pub fn unpack(&mut self, index: usize) -> io::Result<Unpacking> {
        let place = Place::default();
        let (first, entry) = peek(self.content(index, &place)?, KIND)?;
        let log = match Compression::of(&first) {
            Some(compression) => compression.unpack(BufReader::new(entry)),
            None => Box::new(entry),
        };
        Ok(Unpacking::new(log, place))
    }

    /// An entry's content as it was put into the archive. The zip crate's own reader borrows the archive, so that it
    /// could not be kept; the crate says where the entry is.
    fn content(&mut self, index: usize, place: &Place) -> io::Result<Checked> {
        let entry = self.directory.by_index_raw(index)?;
        if entry.encrypted() {
            return Err(io::Error::other("the entry is encrypted"));
        }
        let start = entry.data_start().unwrap_or_default();
        let (size, method, sum) = (entry.compressed_size(), entry.compression(), entry.crc32());
        drop(entry);
        let mut file = self.file.again()?;
        file.seek(SeekFrom::Start(start))?;
        place.set(start);
        let stored = Counted::new(BufReader::new(file).take(size), place);
        let content: Box<dyn Read> = match method {
            CompressionMethod::STORE => Box::new(stored),
            CompressionMethod::DEFLATE => Box::new(DeflateDecoder::new(stored)),
            CompressionMethod::ZSTD => Compression::Zstd.unpack(stored),
            other => return Err(io::Error::other(format!("the entry is compressed by {other}, not by deflate"))),
        };
        Ok(Checked { content, crc: Crc::new(), sum })
    }
}

/// An entry's content, held against its checksum at its end.
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
