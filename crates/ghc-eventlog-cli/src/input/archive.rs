//! Zip archives, such as a build service keeps as artifacts.

use super::{
    KIND,
    compressed::{Compression, Counted, Place, Unpacking},
    peek,
};
use flate2::{Crc, bufread::DeflateDecoder};
use std::{
    fs::File,
    io::{self, BufReader, ErrorKind, Read, Seek, SeekFrom},
};
use zip::{CompressionMethod, ZipArchive};

/// What the names of logs end in.
const ENDINGS: [&str; 3] = [".eventlog", ".eventlog.gz", ".eventlog.zst"];

/// What a log begins with.
const MARK: &[u8] = b"hdrb";

/// Where a Mac puts a file's attributes, under the file's own name.
const ATTRIBUTES: &str = "__MACOSX/";

/// Tells an archive from its first bytes: those of an entry, or of the end of an archive without any.
pub(super) fn is_zip(first: &[u8]) -> bool {
    matches!(first, b"PK\x03\x04" | b"PK\x05\x06")
}

/// Opens the entry of that name, or else the only one that is a log.
///
/// # Errors
/// When there is no such entry, or more than one: the message lists what there is to choose from.
pub(super) fn open(file: File, entry: Option<&str>) -> io::Result<Unpacking> {
    let mut archive = Archive { directory: ZipArchive::new(BufReader::new(file.try_clone()?))?, file };
    let index = match entry {
        Some(name) => archive.directory.index_for_name(name).ok_or_else(|| archive.no_entry(name))?,
        None => archive.only_log()?,
    };
    archive.unpack(index)
}

struct Archive {
    /// Reads from a place of its own choice at each call.
    directory: ZipArchive<BufReader<File>>,
    file: File,
}

impl Archive {
    fn name(&self, index: usize) -> String {
        self.directory.name_for_index(index).and_then(Result::ok).unwrap_or_default().into_owned()
    }

    /// The number of the entry that is a log.
    fn only_log(&mut self) -> io::Result<usize> {
        let logs: Vec<usize> = (0..self.directory.len()).filter(|&index| self.is_log(index)).collect();
        match logs.as_slice() {
            [log] => Ok(*log),
            [] => Err(io::Error::other("no entry of the zip archive is an eventlog")),
            logs => {
                let names = list(logs.iter().map(|&index| self.name(index)));
                Err(io::Error::other(format!("{} entries are logs; choose one with --entry NAME:{names}", logs.len())))
            }
        }
    }

    fn is_log(&mut self, index: usize) -> bool {
        let name = self.name(index);
        if name.starts_with(ATTRIBUTES) || name.ends_with('/') {
            return false;
        }
        let ending = |ending: &&str| name.to_ascii_lowercase().ends_with(ending);
        ENDINGS.iter().any(ending)
            || self.unpack(index).and_then(|log| peek(log, MARK.len())).is_ok_and(|(first, _)| first == MARK)
    }

    fn no_entry(&self, name: &str) -> io::Error {
        let names = list((0..self.directory.len()).map(|index| self.name(index)));
        io::Error::new(ErrorKind::NotFound, format!("no entry {name:?} among these:{names}"))
    }

    /// An entry's content, which may be compressed by itself.
    fn unpack(&mut self, index: usize) -> io::Result<Unpacking> {
        let place = Place::default();
        let (first, entry) = peek(self.entry(index, &place)?, KIND)?;
        let log = match Compression::of(&first) {
            Some(compression) => compression.unpack(BufReader::new(entry)),
            None => Box::new(entry),
        };
        Ok(Unpacking::new(log, place))
    }

    /// An entry's content as it was put into the archive. The zip crate's own reader borrows the archive, so that it
    /// could not be kept; the crate says where the entry is.
    fn entry(&mut self, index: usize, place: &Place) -> io::Result<Checked> {
        let entry = self.directory.by_index_raw(index)?;
        if entry.encrypted() {
            return Err(io::Error::other("the entry is encrypted"));
        }
        let start = entry.data_start().unwrap_or_default();
        let (size, method, sum) = (entry.compressed_size(), entry.compression(), entry.crc32());
        drop(entry);
        let mut file = self.file.try_clone()?;
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

/// Names one below the other; what is in them must not do anything to a terminal.
fn list(names: impl Iterator<Item = String>) -> String {
    names.map(|name| format!("\n  {}", name.escape_debug())).collect()
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
