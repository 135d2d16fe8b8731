//! Compresses the log that a report includes.

use crate::input::{no_room, temporary};
use std::{
    fs::File,
    io::{self, BufWriter, ErrorKind, Read, Seek, Write},
};
use zlib_rs::{Deflate, DeflateConfig, DeflateFlush, Status};

/// How many bytes are read or written at once.
const PIECE: usize = 1 << 17;

/// Compresses a log with gzip into a temporary file; `None` if it takes more than `most` bytes.
pub(super) fn packed(log: &mut impl Read, most: u64) -> io::Result<Option<File>> {
    let mut file = Limited { file: BufWriter::with_capacity(PIECE, temporary()?), left: most, full: false };
    let written = pack(log, &mut file);
    // The error's kind does not show this: the system returns the same one beyond `ulimit -f`.
    if file.full {
        return Ok(None);
    }
    written?;
    let mut file = file.file.into_inner().map_err(|error| no_room(error.error()))?;
    file.rewind()?;
    Ok(Some(file))
}

/// Compresses with zlib-rs, in a third of miniz_oxide's time. Files from others are unpacked with miniz_oxide, which
/// has no unsafe code.
fn pack(log: &mut impl Read, out: &mut impl Write) -> io::Result<()> {
    // In zlib, adding 16 to the window bits selects the gzip format.
    let window_bits = 15 + 16;
    let mut deflate = Deflate::new_with_config(DeflateConfig { window_bits, ..DeflateConfig::default() });
    let (mut piece, mut packed) = (vec![0; PIECE], vec![0; PIECE]);
    loop {
        let read = match log.read(&mut piece) {
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            read => read?,
        };
        let mut left = piece.get(..read).unwrap_or_default();
        let flush = if read == 0 { DeflateFlush::Finish } else { DeflateFlush::NoFlush };
        loop {
            let (used, made) = (deflate.total_in(), deflate.total_out());
            let status =
                deflate.compress(left, &mut packed, flush).map_err(|error| io::Error::other(error.as_str()))?;
            left = left.get((deflate.total_in() - used) as usize..).unwrap_or_default();
            out.write_all(packed.get(..(deflate.total_out() - made) as usize).unwrap_or_default())?;
            match status {
                Status::StreamEnd => return Ok(()),
                Status::Ok | Status::BufError if left.is_empty() && read > 0 => break,
                Status::Ok | Status::BufError => {}
            }
        }
    }
}

/// A file that accepts at most a given number of bytes.
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
