//! The input: a log from a file or from standard input, plain, compressed, or an entry of a zip archive.
//!
//! Its first bytes decide what it is, not its name. `inc` and `check` unpack while they read, and need no more memory
//! than for a plain log. `show` reads at different offsets, so it makes a copy first (see [`Source`]).

mod archive;
mod source;
#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "that is how tests fail")]
mod tests;

use crate::{
    output::{Identity, cannot_write, is_about_writing},
    progress::{self, Counted},
    say::{plainly, shown},
};
use ghc_eventlog_unpack::{Compression, KIND, Unpacking, is_zip, peek};
use std::{
    ffi::{OsStr, OsString},
    fs::File,
    io::{self, ErrorKind, Read, Seek},
};

pub(crate) use ghc_eventlog_unpack::Broken;
pub(crate) use source::{Source, TOO_LONG, no_room, temporary};

/// A log from its start, unpacked.
pub(crate) struct Log {
    /// The file's name as it was given; `-` is standard input.
    pub(crate) file: OsString,
    /// The log's name in messages.
    pub(crate) name: String,
    /// The identity of its file, so that no output overwrites it.
    pub(crate) identity: Option<Identity>,
    bytes: Bytes,
}

enum Bytes {
    /// A plain log in a file that can be read at any offset.
    File(File),
    /// A plain log that can only be read front to back.
    Pipe(Box<dyn Read>),
    Compressed(Packed),
}

/// A log that is unpacked while it is read.
struct Packed {
    unpacking: Unpacking,
    /// "gzip", "zstd" or "zip".
    by: &'static str,
    /// How many bytes will be read, if that is known: the unpacked size of a zip archive's entry, the stored size of
    /// other files.
    size: Option<u64>,
}

impl Log {
    /// Opens a log. In a zip archive, opens the entry named `entry`, or the only entry that is a log.
    ///
    /// # Errors
    /// When there is nothing to read, when a zip archive has several logs and no entry is named, and when an entry is
    /// named but the file is no archive.
    pub(crate) fn open(file: &OsStr, entry: Option<&str>) -> io::Result<Self> {
        let name = if is_stdin(file) { "standard input".to_string() } else { shown(file) };
        let (bytes, identity) = Bytes::open(file, entry).map_err(|error| about(&name, &error))?;
        Ok(Self { file: file.to_os_string(), name, identity, bytes })
    }

    pub(crate) fn is_stdin(&self) -> bool {
        is_stdin(&self.file)
    }

    /// The current length of the file; `None` if it is not a plain log in a file.
    pub(crate) fn length(&self) -> Option<u64> {
        match &self.bytes {
            Bytes::File(file) => file.metadata().ok().map(|metadata| metadata.len()),
            Bytes::Pipe(_) | Bytes::Compressed(_) => None,
        }
    }

    /// Begins to show how much of the log has been read.
    pub(crate) fn begin(&self, doing: &'static str) {
        let size = match &self.bytes {
            Bytes::Compressed(packed) => packed.size,
            _ => self.length(),
        };
        progress::begin(doing, size);
    }

    pub(crate) fn is_compressed(&self) -> bool {
        self.compression().is_some()
    }

    /// The log's compression: "gzip", "zstd" or "zip".
    pub(crate) fn compression(&self) -> Option<&'static str> {
        match &self.bytes {
            Bytes::Compressed(packed) => Some(packed.by),
            Bytes::File(_) | Bytes::Pipe(_) => None,
        }
    }

    /// Why unpacking ended before the log did, if it has so far.
    pub(crate) fn broken(&self) -> Option<&Broken> {
        match &self.bytes {
            Bytes::Compressed(packed) => packed.unpacking.broken.as_ref(),
            Bytes::File(_) | Bytes::Pipe(_) => None,
        }
    }
}

impl Read for Log {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = match &mut self.bytes {
            Bytes::File(file) => Counted(file).read(out),
            Bytes::Pipe(pipe) => Counted(pipe).read(out),
            Bytes::Compressed(packed) => packed.read(out),
        };
        read.map_err(|error| if error.kind() == ErrorKind::Interrupted { error } else { about(&self.name, &error) })
    }
}

impl Read for Packed {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.by == ZIP {
            return Counted(&mut self.unpacking).read(out);
        }
        let read = self.unpacking.read(out);
        progress::reach(self.unpacking.used());
        read
    }
}

const ZIP: &str = "zip";

impl Bytes {
    /// The bytes of a log, and the identity of their file.
    fn open(file: &OsStr, entry: Option<&str>) -> io::Result<(Self, Option<Identity>)> {
        let (stored, identity) = Self::stored(file)?;
        Ok((stored.unpacked(entry)?, identity))
    }

    fn unpacked(self, entry: Option<&str>) -> io::Result<Self> {
        let (first, bytes) = self.peek()?;
        if is_zip(&first) {
            let (unpacking, size) = archive::open(bytes.into_file()?, entry)?;
            return Ok(Self::Compressed(Packed { unpacking, by: ZIP, size }));
        }
        if entry.is_some() {
            return Err(io::Error::other("no zip archive, so there is no entry to choose"));
        }
        Ok(match (Compression::of(&first), bytes) {
            (None, bytes) => bytes,
            (Some(compression), Self::File(file)) => {
                let (by, size) = (name_of(compression), file.metadata().ok().map(|metadata| metadata.len()));
                Self::Compressed(Packed { unpacking: Unpacking::of(compression, file), by, size })
            }
            (Some(compression), bytes) => {
                let unpacking = Unpacking::of(compression, bytes.into_pipe());
                Self::Compressed(Packed { unpacking, by: name_of(compression), size: None })
            }
        })
    }

    /// The stored bytes, and the identity of their file.
    fn stored(name: &OsStr) -> io::Result<(Self, Option<Identity>)> {
        if is_stdin(name) {
            return Ok((Self::Pipe(Box::new(io::stdin())), Identity::of_stdin()));
        }
        let file = File::open(name)?;
        let identity = Identity::of(&file, name);
        // A shell's `<(command)` has a name, but is a pipe.
        let bytes = if file.metadata()?.is_file() { Self::File(file) } else { Self::Pipe(Box::new(file)) };
        Ok((bytes, identity))
    }

    /// The first bytes, and a reader of all bytes.
    fn peek(self) -> io::Result<(Vec<u8>, Self)> {
        match self {
            Self::File(mut file) => {
                let (first, _) = peek(&mut file, KIND)?;
                file.rewind()?;
                Ok((first, Self::File(file)))
            }
            bytes => {
                // The program that writes to the pipe may be slow to begin.
                progress::begin("reading", None);
                let (first, pipe) = peek(bytes.into_pipe(), KIND)?;
                Ok((first, Self::Pipe(Box::new(pipe))))
            }
        }
    }

    fn into_pipe(self) -> Box<dyn Read> {
        match self {
            Self::File(file) => Box::new(file),
            Self::Pipe(pipe) => pipe,
            Self::Compressed(packed) => Box::new(packed),
        }
    }

    fn into_file(self) -> io::Result<File> {
        match self {
            Self::File(file) => Ok(file),
            bytes => {
                progress::begin("copying", None);
                match source::copied(&mut Counted(bytes.into_pipe()), source::COPY_LIMIT)? {
                    (file, false) => Ok(file),
                    (_, true) => Err(io::Error::other(
                        "the zip archive is longer than 64 GiB, the most that is copied from a pipe; save it to a file first",
                    )),
                }
            }
        }
    }
}

fn name_of(compression: Compression) -> &'static str {
    match compression {
        Compression::Gzip => "gzip",
        Compression::Zstd => "zstd",
    }
}

fn is_stdin(file: &OsStr) -> bool {
    file == "-"
}

/// An error with the name of the log that it is about.
pub(crate) fn about(what: &str, error: &io::Error) -> io::Error {
    let text = format!("{what}: {}", plainly(error));
    if is_about_writing(error) { cannot_write(error.kind(), text) } else { io::Error::new(error.kind(), text) }
}
