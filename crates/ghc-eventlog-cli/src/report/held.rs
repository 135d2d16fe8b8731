//! The log that a report holds: packed, and without what is not to be in it.

use crate::input::{no_room, temporary};
use flate2::{Compression, write::GzEncoder};
use ghc_eventlog_strip::{Strip, Stripping};
use std::{
    fs::File,
    io::{self, BufWriter, ErrorKind, Read, Seek, Write},
};

/// Bytes read at a time.
const PIECE: usize = 1 << 20;

/// A log packed by gzip, in a temporary file; `None` if it takes more than `most` bytes.
pub(super) fn packed(log: &mut impl Read, most: u64) -> io::Result<Option<File>> {
    let file = BufWriter::with_capacity(1 << 17, temporary()?);
    let mut encoder = GzEncoder::new(Limited { file, left: most, full: false }, Compression::default());
    let written = io::copy(log, &mut encoder);
    if encoder.get_ref().full {
        return Ok(None);
    }
    written?;
    let limited = match encoder.finish() {
        Ok(limited) => limited,
        Err(error) if error.kind() == ErrorKind::FileTooLarge => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut file = limited.file.into_inner().map_err(|error| no_room(error.error()))?;
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

/// A copy of a log in a temporary file, but for what is to be left out.
pub(super) fn stripped(log: &mut impl Read, strip: Strip) -> io::Result<File> {
    let mut out = BufWriter::with_capacity(1 << 17, temporary()?);
    let mut stripping = Stripping::new(strip);
    let (mut piece, mut ready) = (vec![0; PIECE], Vec::new());
    loop {
        let read = read_some(log, &mut piece)?;
        ready.clear();
        match piece.get(..read) {
            Some(bytes) if read > 0 => stripping.feed(bytes, &mut ready),
            _ => stripping.finish(&mut ready),
        }
        out.write_all(&ready).map_err(|error| no_room(&error))?;
        if read == 0 {
            break;
        }
    }
    let mut file = out.into_inner().map_err(|error| no_room(error.error()))?;
    file.rewind()?;
    Ok(file)
}

fn read_some(log: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match log.read(buffer) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            read => return read,
        }
    }
}
