//! The log that a report holds: packed, and without what is not to be in it.

use crate::input::{no_room, temporary};
use flate2::{Compression, write::GzEncoder};
use ghc_eventlog::{
    Chunk, Decoder, LogMsg, NoticeKind, ProgramArgs, ProgramEnv, Record, Step, UserBinaryMsg, UserMarker, UserMsg,
};
use std::{
    fs::File,
    io::{self, BufWriter, ErrorKind, Read, Seek, Write},
    ops::Range,
};

/// What of a log is not in a report, in any form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Strip {
    /// The program's environment: it may tell secrets.
    pub(crate) env: bool,
    /// The program's arguments.
    pub(crate) args: bool,
    /// What the program and the runtime say: messages and markers.
    pub(crate) messages: bool,
}

/// In place of each byte that is left out.
const BLANK: u8 = b'*';

/// In place of each byte that is no record's. No event has a number of two of these; zeros would read as CREATE_THREAD.
const NOTHING: u8 = 0xfe;

/// Most bytes of which it is not known yet what they are: more than any header has.
const MOST_UNKNOWN: u64 = 64 << 20;

/// Bytes read at a time.
const PIECE: usize = 1 << 20;

impl Strip {
    pub(super) fn any(self) -> bool {
        self.env || self.args || self.messages
    }

    /// From which byte of its payload on a record is left out, if it is.
    fn from(self, record: &Record<'_>) -> Option<usize> {
        // Behind the number of the set of capabilities, if its form is known.
        let strings = if record.known { size_of::<u32>() } else { 0 };
        match record.tag {
            ProgramEnv::TAG => self.env.then_some(strings),
            ProgramArgs::TAG => self.args.then_some(strings),
            LogMsg::TAG | UserMsg::TAG | UserMarker::TAG | UserBinaryMsg::TAG => self.messages.then_some(0),
            _ => None,
        }
    }
}

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
    copy_stripped(log, strip, &mut out)?;
    let mut file = out.into_inner().map_err(|error| no_room(error.error()))?;
    file.rewind()?;
    Ok(file)
}

/// Copies a log, but for what is to be left out. All stays where it is, so that offsets are those of the log itself. What is no
/// record, as where it is damaged, may hold anything: it is left out, too.
fn copy_stripped(log: &mut impl Read, strip: Strip, out: &mut impl Write) -> io::Result<()> {
    let mut decoder = Decoder::new();
    let (mut buffer, mut offset, mut last) = (Vec::new(), 0u64, false);
    // Up to where it is known what the bytes are, and whether what follows is a header.
    let (mut known, mut in_header) = (0, true);
    loop {
        let mut mask = Mask { offset, kept: Vec::new(), blank: Vec::new() };
        let chunk = Chunk { bytes: &buffer, offset, last };
        let needed = loop {
            match decoder.next(chunk) {
                Ok(Step::Event(record)) => {
                    known = decoder.offset();
                    mask.keep(record.offset..known);
                    if let Some(from) = strip.from(&record) {
                        mask.blank(known - record.payload.len() as u64 + from as u64..known);
                    }
                }
                Ok(Step::Header) => {
                    mask.keep(known..decoder.offset());
                    (known, in_header) = (decoder.offset(), false);
                }
                Ok(Step::Notice(notice)) => {
                    if in_header {
                        mask.keep(known..decoder.offset());
                    }
                    known = decoder.offset();
                    in_header |= matches!(notice.kind, NoticeKind::FurtherStream);
                }
                Ok(Step::Need(bytes)) => break Some(bytes),
                Ok(Step::End) | Err(_) => break None,
            }
        };
        let end = offset + buffer.len() as u64;
        // A header may come in several pieces; but what comes to no end is none. All else that has been gone past is no record.
        if needed.is_none() || !in_header || end - known > MOST_UNKNOWN {
            known = decoder.offset();
        }
        let used = known.min(end);
        let (done, rest) = buffer.split_at((used - offset) as usize);
        mask.write(done, out)?;
        let rest = rest.to_vec();
        (buffer, offset) = (rest, used);
        let Some(needed) = needed else { break };
        let have = buffer.len();
        let needed = needed + (decoder.offset() - offset) as usize;
        buffer.resize(have.max(needed).max(have + PIECE), 0);
        let read = read_some(log, buffer.get_mut(have..).unwrap_or_default())?;
        buffer.truncate(have + read);
        if read == 0 {
            if last {
                break;
            }
            last = true;
        }
    }
    // What follows the end of the log, or what nothing can be made of.
    let mut rest = Mask { offset, kept: Vec::new(), blank: Vec::new() };
    loop {
        rest.offset = offset;
        rest.write(&buffer, out)?;
        offset += buffer.len() as u64;
        buffer.resize(PIECE, 0);
        let read = read_some(log, &mut buffer)?;
        buffer.truncate(read);
        if read == 0 {
            return Ok(());
        }
    }
}

fn read_some(log: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match log.read(buffer) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            read => return read,
        }
    }
}

/// What is copied of a piece of the log.
struct Mask {
    /// Where the piece begins in the log.
    offset: u64,
    kept: Vec<Range<u64>>,
    blank: Vec<Range<u64>>,
}

impl Mask {
    fn keep(&mut self, range: Range<u64>) {
        match self.kept.last_mut() {
            Some(before) if before.end == range.start => before.end = range.end,
            _ => self.kept.push(range),
        }
    }

    fn blank(&mut self, range: Range<u64>) {
        self.blank.push(range);
    }

    /// Writes the piece: [`NOTHING`] where nothing is kept.
    fn write(&self, piece: &[u8], out: &mut impl Write) -> io::Result<()> {
        let mut masked = vec![NOTHING; piece.len()];
        let place = |range: &Range<u64>| {
            let at = |offset: u64| (offset.max(self.offset) - self.offset).min(piece.len() as u64) as usize;
            at(range.start)..at(range.end)
        };
        for range in &self.kept {
            if let (Some(to), Some(from)) = (masked.get_mut(place(range)), piece.get(place(range))) {
                to.copy_from_slice(from);
            }
        }
        for range in &self.blank {
            // Strings end with 0: how many there are may be known.
            let bytes = masked.get_mut(place(range)).unwrap_or_default();
            bytes.iter_mut().filter(|byte| **byte != 0).for_each(|byte| *byte = BLANK);
        }
        // The mark at a stream's end is no record.
        for end in self.kept.iter().map(|range| place(range).end).chain([0]) {
            let marked = |bytes: &[u8]| bytes.get(end..).is_some_and(|rest| rest.starts_with(&END_MARK));
            if marked(piece)
                && let Some(mark) = masked.get_mut(end..).and_then(<[u8]>::first_chunk_mut::<2>)
            {
                *mark = END_MARK;
            }
        }
        out.write_all(&masked)
    }
}

/// EVENT_DATA_END.
const END_MARK: [u8; 2] = [0xff, 0xff];
