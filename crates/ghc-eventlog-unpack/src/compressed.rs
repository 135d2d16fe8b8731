//! Unpacks compressed data front to back, up to the first error.

use crate::{
    gzip::{Members, Trailing},
    zstd::Frames,
};
use std::{
    cell::Cell,
    fmt,
    io::{self, BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom},
    rc::Rc,
};

/// How many compressed bytes are read at a time.
pub(crate) const PIECE: usize = 1 << 16;

/// How many bytes are unpacked at a time. When a decoder finds damage, it returns nothing of what it has unpacked in
/// the same call.
const GRAIN: usize = 1 << 15;

/// How a log is compressed.
#[derive(Debug, Clone, Copy)]
pub enum Compression {
    /// RFC 1952, with any number of members.
    Gzip,
    /// RFC 8878, with any number of frames.
    Zstd,
}

impl Compression {
    /// The compression of a file with these first bytes; `None` if it has none.
    #[must_use]
    pub fn of(first: &[u8]) -> Option<Self> {
        match first {
            [0x1f, 0x8b, ..] => Some(Self::Gzip),
            // A frame, and a skippable frame.
            [0x28, 0xb5, 0x2f, 0xfd] | [0x50..=0x5f, 0x2a, 0x4d, 0x18] => Some(Self::Zstd),
            _ => None,
        }
    }

    /// Unpacks `compressed`.
    pub(crate) fn unpack(self, compressed: impl BufRead + 'static) -> Box<dyn Read> {
        match self {
            Self::Gzip => Box::new(Members::new(compressed)),
            Self::Zstd => Box::new(Frames::new(compressed)),
        }
    }
}

/// A log that is being unpacked. If its compressed data are damaged, it ends there; everything before can be read.
pub struct Unpacking {
    unpacked: Box<dyn Read>,
    place: Place,
    /// Bytes unpacked so far.
    offset: u64,
    /// Unpacking ends after this many bytes.
    pub limit: u64,
    /// Why it ended before the log did, if it did.
    pub broken: Option<Broken>,
}

impl Unpacking {
    /// Unpacks `compressed`, which is compressed in this way.
    pub fn of<R: Read + 'static>(compression: Compression, compressed: R) -> Self {
        let place = Place::default();
        let counted = Counted::new(BufReader::with_capacity(PIECE, Patient(compressed)), &place);
        Self::new(compression.unpack(counted), place)
    }

    /// `place` counts the bytes of the file that `unpacked` has used.
    pub(crate) fn new(unpacked: Box<dyn Read>, place: Place) -> Self {
        Self { unpacked, place, offset: 0, limit: u64::MAX, broken: None }
    }

    /// How many bytes of the stored file have been used.
    #[must_use]
    pub fn used(&self) -> u64 {
        self.place.get()
    }

    fn end(&mut self, problem: Problem) -> usize {
        self.broken = Some(Broken { problem, place: self.place.get(), offset: self.offset });
        0
    }
}

impl Read for Unpacking {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.broken.is_some() {
            return Ok(0);
        }
        if self.offset >= self.limit {
            return Ok(self.end(Problem::TooLong));
        }
        let size = out.len().min(GRAIN);
        let read = match self.unpacked.read(out.get_mut(..size).unwrap_or_default()) {
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => self.end(Problem::Cut),
            Err(error) if error.get_ref().is_some_and(|error| error.is::<Trailing>()) => self.end(Problem::Trailing),
            Err(error) => self.end(Problem::Damaged(error.to_string())),
            Ok(read) => read,
        };
        self.offset += read as u64;
        Ok(read)
    }
}

/// Why and where unpacking ended before the log did.
#[derive(Debug)]
pub struct Broken {
    problem: Problem,
    /// How many bytes of the compressed file had been used by then.
    place: u64,
    /// Where the log ends because of it, in bytes of the unpacked log.
    pub offset: u64,
}

#[derive(Debug)]
enum Problem {
    /// The compressed file ends too early.
    Cut,
    /// The decoder's error.
    Damaged(String),
    /// Something else follows the compressed data.
    Trailing,
    /// The log is longer than the limit.
    TooLong,
}

impl Broken {
    /// Whether the end is missing and nothing else is wrong.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        matches!(self.problem, Problem::Cut)
    }
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { problem, place, offset } = self;
        match problem {
            Problem::Cut => {
                write!(f, "the compressed file is cut off at byte {place}; the log is missing from byte {offset} on")
            }
            Problem::Damaged(what) => {
                write!(
                    f,
                    "the compressed file is damaged at byte {place} ({what}); the log is missing from byte {offset} on"
                )
            }
            Problem::Trailing => {
                write!(f, "the compressed file has something else after the log, at byte {place}; that is ignored")
            }
            Problem::TooLong => write!(f, "the log is too long for a temporary copy, which ends at byte {offset}"),
        }
    }
}

/// How many bytes of a file have been used. The reader and its users share this.
pub(crate) type Place = Rc<Cell<u64>>;

/// A reader that counts the bytes as they are used.
pub(crate) struct Counted<R> {
    bytes: R,
    place: Place,
}

impl<R> Counted<R> {
    pub(crate) fn new(bytes: R, place: &Place) -> Self {
        Self { bytes, place: Rc::clone(place) }
    }
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.bytes.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.bytes.consume(amount);
        self.place.set(self.place.get() + amount as u64);
    }
}

impl<R: BufRead> Read for Counted<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(out)?;
        self.consume(read);
        Ok(read)
    }
}

/// A reader that repeats a read when a signal interrupts it, so that decoders need not.
pub(crate) struct Patient<R>(pub(crate) R);

impl<R: Read> Read for Patient<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.0.read(out) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                read => return read,
            }
        }
    }
}

impl<R: Seek> Seek for Patient<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.seek(to)
    }
}
