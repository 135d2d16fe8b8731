//! A log for reading at any place.

use super::{Broken, Bytes, Log, about};
use ghc_eventlog::{Chunk, Decoder};
use ghc_eventlog_unpack::peek;
use std::{
    env,
    fs::File,
    io::{self, BufWriter, Read, Seek, SeekFrom},
};

/// An unpacked copy ends at this many bytes: a few KB can be made to unpack to more than any disk holds.
const COPY_LIMIT: u64 = 64 << 30;

/// So many first bytes tell whether a log can be read at all.
const HEAD: usize = 1 << 16;

/// A log that can be read at any place. What cannot is copied into a temporary file, compressed logs unpacked.
///
/// Why a copy: the merge reads a piece when its time has come, in any order, so that unpacking twice would not do; and
/// checkpoints would cost 32 KiB each for gzip, megabytes each for zstd, and decoders of our own, since those at hand
/// cannot be set back to a state. The copy takes the log's length of disk, and 0.1 s to write for 200 MB.
pub(crate) struct Source {
    /// How messages name it.
    pub(crate) name: String,
    file: File,
    broken: Option<Broken>,
}

impl Source {
    /// A log in a file as it is; any other is copied into a temporary file.
    pub(crate) fn of(log: Log) -> io::Result<Self> {
        let Log { name, bytes } = log;
        let name = if name == "-" { "standard input".to_string() } else { name };
        let (file, broken) = match bytes {
            Bytes::File(file) => (file, None),
            Bytes::Pipe(mut pipe) => (copied(&mut pipe)?, None),
            Bytes::Compressed(mut unpacking) => {
                unpacking.limit = COPY_LIMIT;
                let (head, mut all) = peek(&mut unpacking, HEAD)?;
                // What is no log at all need not be unpacked to the end for that to be said of it.
                let file = if may_be_log(&head) { copied(&mut all) } else { copied(&mut head.as_slice()) };
                drop(all);
                (file?, unpacking.broken)
            }
        };
        Ok(Self { name, file, broken })
    }

    /// What ended the unpacking before the log was over.
    pub(crate) fn broken(&self) -> Option<&Broken> {
        self.broken.as_ref()
    }

    /// The whole log, from its start.
    pub(crate) fn start(&mut self) -> io::Result<&mut File> {
        self.file.rewind()?;
        Ok(&mut self.file)
    }

    /// The bytes from one offset to another.
    pub(crate) fn range(&mut self, from: u64, to: u64) -> io::Result<Vec<u8>> {
        self.file.seek(SeekFrom::Start(from))?;
        let mut bytes = Vec::with_capacity((to - from) as usize);
        Read::by_ref(&mut self.file).take(to - from).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

fn may_be_log(head: &[u8]) -> bool {
    Decoder::new().next(Chunk { bytes: head, offset: 0, last: false }).is_ok()
}

/// A copy in a temporary file, which has no name and goes when it is closed, however the program ends.
pub(super) fn copied(bytes: &mut impl Read) -> io::Result<File> {
    copy(bytes).map_err(|error| about("temporary copy (TMPDIR says where)", &error))
}

fn copy(bytes: &mut impl Read) -> io::Result<File> {
    let mut writer = BufWriter::with_capacity(1 << 17, temporary()?);
    io::copy(bytes, &mut writer)?;
    let mut file = writer.into_inner()?;
    file.rewind()?;
    Ok(file)
}

/// An empty temporary file: in the folder that `TMPDIR` names, else in `/var/tmp` where there is one, the place for
/// large files; `/tmp` is often in memory.
fn temporary() -> io::Result<File> {
    match env::var_os("TMPDIR") {
        None => tempfile::tempfile_in("/var/tmp").or_else(|_| tempfile::tempfile()),
        Some(_) => tempfile::tempfile(),
    }
}
