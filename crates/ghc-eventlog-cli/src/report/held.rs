//! The log that a report holds, packed.

use crate::input::{no_room, temporary};
use flate2::{Compression, write::GzEncoder};
use std::{
    fs::File,
    io::{self, BufWriter, ErrorKind, Read, Seek, Write},
};

/// A log packed by gzip, in a temporary file; `None` if it takes more than `most` bytes.
pub(super) fn packed(log: &mut impl Read, most: u64) -> io::Result<Option<File>> {
    let file = BufWriter::with_capacity(1 << 17, temporary()?);
    let mut encoder = GzEncoder::new(Limited { file, left: most, full: false }, Compression::default());
    let written = io::copy(log, &mut encoder).and_then(|_| encoder.try_finish());
    // The error's kind does not say it: what the system says beyond `ulimit -f` is the same.
    if encoder.get_ref().full {
        return Ok(None);
    }
    written?;
    let mut file = encoder.finish()?.file.into_inner().map_err(|error| no_room(error.error()))?;
    file.rewind()?;
    Ok(Some(file))
}

/// A file that takes no more than so many bytes.
struct Limited {
    file: BufWriter<File>,
    left: u64,
    full: bool,
}

impl Write for Limited {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.left.checked_sub(bytes.len() as u64) {
            Some(left) => self.left = left,
            None => {
                self.full = true;
                return Err(ErrorKind::FileTooLarge.into());
            }
        }
        self.file.write_all(bytes).map_err(|error| no_room(&error))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush().map_err(|error| no_room(&error))
    }
}
