//! A copy of a log without the parts that the user leaves out.

use crate::input::{Source, no_room, temporary};
use ghc_eventlog_strip::{Strip, Stripping};
use std::{
    fs::File,
    io::{self, BufWriter, ErrorKind, Read, Seek, Write},
};

/// How many bytes are read at a time.
const PIECE: usize = 1 << 20;

/// A copy of a log without what `strip` leaves out.
///
/// # Errors
/// When it cannot be read, or there is no room for the copy.
pub(crate) fn without(mut source: Source, strip: Strip) -> io::Result<Source> {
    Ok(Source::made(source.name.clone(), stripped(&mut source.start("stripping")?, strip)?))
}

/// A copy of a log in a temporary file, without what `strip` leaves out.
fn stripped(log: &mut impl Read, strip: Strip) -> io::Result<File> {
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
