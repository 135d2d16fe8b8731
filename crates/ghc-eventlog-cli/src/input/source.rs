//! A log that can be read at any offset.

use super::{Broken, Bytes, Log, about};
use crate::{
    output::cannot_write,
    progress::{self, Counted},
    say::without_number,
};
use ghc_eventlog::{Chunk, Decoder, Step, limits::HEADER_GAP};
use std::{
    env,
    fs::File,
    io::{self, BufWriter, Cursor, ErrorKind, Read, Seek, SeekFrom, Write},
};

/// The most bytes of a temporary copy: a few KB can unpack to more than any disk has, and a pipe need not end.
pub(super) const COPY_LIMIT: u64 = 64 << 30;

/// This many first bytes show whether a log can be read at all. A damaged header is searched for in fewer.
const HEAD: usize = 2 * HEADER_GAP;

/// A log that can be read at any offset. Pipes and compressed logs are copied into a temporary file, unpacked.
///
/// Why a copy: the merge reads pieces in order of time, which is any order in the file, so unpacking twice would not be
/// enough. Checkpoints would take 32 KiB each for gzip and megabytes each for zstd, and need decoders of our own, since
/// the existing ones cannot return to an earlier state. The copy takes as much disk space as the log, and 0.1 s to
/// write for 200 MB.
pub(crate) struct Source {
    /// How messages name it.
    pub(crate) name: String,
    file: File,
    broken: Option<Broken>,
    /// Whether a pipe had more bytes than [`COPY_LIMIT`].
    too_long: bool,
}

impl Source {
    /// Uses a plain log in a file directly, and copies any other into a temporary file.
    ///
    /// # Errors
    /// When there is no room for the copy, or the log cannot be read.
    pub(crate) fn of(log: Log) -> io::Result<Self> {
        Self::with_limit(log, COPY_LIMIT)
    }

    pub(super) fn with_limit(log: Log, limit: u64) -> io::Result<Self> {
        let name = log.name.clone();
        let (file, broken, too_long) = match log.bytes {
            Bytes::File(file) => (file, None, false),
            Bytes::Pipe(pipe) => {
                progress::begin("copying", None);
                let (file, too_long) = copied_if_log(&mut Counted(pipe), limit)?;
                (file, None, too_long)
            }
            Bytes::Compressed(mut packed) => {
                progress::begin("unpacking", packed.size);
                packed.unpacking.limit = limit;
                // Unpacking itself stops at the limit, and reports it.
                let (file, _) = copied_if_log(&mut packed, u64::MAX)?;
                (file, packed.unpacking.broken, false)
            }
        };
        Ok(Self { name, file, broken, too_long })
    }

    /// A log that was made from another one.
    pub(crate) fn made(name: String, file: File) -> Self {
        Self { name, file, broken: None, too_long: false }
    }

    /// Why unpacking ended before the log did, if it did.
    pub(crate) fn broken(&self) -> Option<&Broken> {
        self.broken.as_ref()
    }

    /// Whether the log was longer than [`COPY_LIMIT`], so that its end is missing.
    pub(crate) fn is_too_long(&self) -> bool {
        self.too_long
    }

    /// A reader of the whole log from its start. Shows `doing` as progress, with how much has been read.
    pub(crate) fn start(&mut self, doing: &'static str) -> io::Result<Counted<&mut File>> {
        self.file.rewind()?;
        progress::begin(doing, self.length());
        Ok(Counted(&mut self.file))
    }

    /// Its current length.
    pub(crate) fn length(&self) -> Option<u64> {
        self.file.metadata().ok().map(|metadata| metadata.len())
    }

    /// Appends the log's bytes from one offset to another to `bytes`.
    ///
    /// # Errors
    /// When the log no longer has these bytes.
    pub(crate) fn read(&mut self, from: u64, to: u64, bytes: &mut Vec<u8>) -> io::Result<()> {
        let length = to.saturating_sub(from);
        let read = self
            .file
            .seek(SeekFrom::Start(from))
            .and_then(|_| Read::by_ref(&mut self.file).take(length).read_to_end(bytes))
            .map_err(|error| about(&self.name, &error))?;
        if read as u64 == length { Ok(()) } else { Err(self.changed()) }
    }

    /// The error for a log that another program changed after we first read it.
    pub(crate) fn changed(&self) -> io::Error {
        let text = "another program changed the file or cut it off while it was being read; the rest is not shown";
        about(&self.name, &io::Error::other(text))
    }
}

/// The message for a log that is longer than a copy may be.
pub(crate) const TOO_LONG: &str =
    "the log is longer than 64 GiB, the most that is copied from a pipe: its end is missing";

/// Copies all bytes of a log. If it is no log, copies only the first bytes, which are enough to report that: a device
/// or a pipe need not end. Also returns whether there were more bytes than the limit.
fn copied_if_log(bytes: &mut impl Read, limit: u64) -> io::Result<(File, bool)> {
    let (head, may_be_log) = head(bytes)?;
    if may_be_log { copied(&mut Cursor::new(head).chain(bytes), limit) } else { copied(&mut head.as_slice(), limit) }
}

/// Reads the first bytes, as many as it takes to see whether they are a log's. Returns them, and whether they are.
fn head(bytes: &mut impl Read) -> io::Result<(Vec<u8>, bool)> {
    let mut head = Vec::new();
    let mut decoder = Decoder::new();
    let mut needed = 1;
    loop {
        // Reads a little at a time, to refuse slow input that is no log as early as possible.
        let mut some = [0; 1 << 12];
        match bytes.read(&mut some) {
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
            Ok(0) => return Ok((head, true)),
            Ok(read) => head.extend_from_slice(some.get(..read).unwrap_or_default()),
        }
        while head.len() >= needed {
            match decoder.next(Chunk { bytes: &head, offset: 0, last: false }) {
                Ok(Step::Notice(_)) => {}
                Ok(Step::Need(more)) => needed = (decoder.offset() as usize).saturating_add(more).max(head.len() + 1),
                Ok(_) => return Ok((head, true)),
                Err(_) => return Ok((head, false)),
            }
        }
        if head.len() >= HEAD {
            return Ok((head, true));
        }
    }
}

/// Copies bytes to a temporary file that has no name, so that it disappears when it is closed, however the program
/// ends. Also returns whether there were more bytes than the limit.
pub(super) fn copied(bytes: &mut impl Read, limit: u64) -> io::Result<(File, bool)> {
    let mut writer = BufWriter::with_capacity(1 << 17, temporary()?);
    let mut buffer = vec![0; 1 << 16];
    let mut left = limit;
    loop {
        let read = match bytes.read(&mut buffer) {
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            read => read?,
        };
        let taken = left.min(read as u64) as usize;
        writer.write_all(buffer.get(..taken).unwrap_or_default()).map_err(|error| no_room(&error))?;
        left -= taken as u64;
        if read == 0 || taken < read {
            let mut file = writer.into_inner().map_err(|error| no_room(error.error()))?;
            file.rewind()?;
            return Ok((file, read > 0));
        }
    }
}

/// An empty temporary file in the folder that `TMPDIR` names, or else in `/var/tmp` if there is one. That is the folder
/// for large files; `/tmp` is often in memory.
pub(crate) fn temporary() -> io::Result<File> {
    let file = match env::var_os("TMPDIR") {
        None => tempfile::tempfile_in("/var/tmp").or_else(|_| tempfile::tempfile()),
        Some(_) => tempfile::tempfile(),
    };
    file.map_err(|error| no_room(&error))
}

/// The message for a temporary file that cannot be written, with what the user can do.
pub(crate) fn no_room(error: &io::Error) -> io::Error {
    let reason = without_number(&error.to_string());
    cannot_write(
        error.kind(),
        format!("cannot write a temporary file: {reason} (the environment variable TMPDIR names the folder to use)"),
    )
}
