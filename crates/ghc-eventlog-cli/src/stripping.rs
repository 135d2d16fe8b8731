//! A log without what is not to be told of it: as if that were not there.

use crate::input::{Source, no_room, temporary};
use ghc_eventlog_strip::{Strip, Stripping};
use std::{
    fs::File,
    io::{self, BufWriter, ErrorKind, Read, Seek, Write},
};

/// Bytes read at a time.
const PIECE: usize = 1 << 20;

/// A copy of a log, but for what is to be left out.
///
/// # Errors
/// When it cannot be read, or there is no room for the copy.
pub(crate) fn without(mut source: Source, strip: Strip) -> io::Result<Source> {
    Ok(Source::made(source.name.clone(), stripped(&mut source.start("stripping")?, strip)?))
}

/// A copy of a log in a temporary file, but for what is to be left out.
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
