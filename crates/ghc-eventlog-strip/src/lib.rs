//! Copies a log without the parts that the user leaves out, as its bytes arrive.
//!
//! The copy is as long as the log, and everything that stays keeps its offset. The copy only has what the decoder
//! understood:
//!
//! - Headers: the marks, and the number and size of each event type. A description is free text, so only GHC's own and
//!   those of this project's table of events are written, copied from our tables. Others become the event's name, or
//!   empty. Extra information becomes zeros.
//! - Events: number, time and length, and the fields that the decoder knows in this form, unless they are left out.
//!   Bytes after the known fields become stars, and so does the whole payload of an unknown event.
//! - An event within which the log ends: its number, and its length if it has one. They confirm the events before it.
//! - End marks.
//! - An empty block before a header (GHC 9.0 leaves one where logging is restarted): its number.
//!
//! All other bytes become filler: whatever else comes before a header, damaged and skipped bytes, and everything after
//! the end.
//!
//! The decoder finds the same events in the copy as in the log, at the same offsets and times. The copy still shows how
//! long a text was, and how many arguments a list had.

mod copying;
mod header;
mod records;

use copying::Copying;
use ghc_eventlog::{Chunk, Decoder, Notice, NoticeKind, Step};

/// What is left out of a log, in any form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Strip {
    /// The program's environment: it may hold secrets.
    pub env: bool,
    /// The command line: the program's arguments, its invocation (Eden), the filters of a heap profile.
    pub args: bool,
    /// Messages and markers, of the program and of the runtime.
    pub messages: bool,
}

impl Strip {
    /// Whether anything is left out.
    #[must_use]
    pub fn any(self) -> bool {
        self.env || self.args || self.messages
    }
}

/// A copy in progress: call [`Self::feed`] with the log's bytes in order, then [`Self::finish`]. The crate's
/// documentation says what gets into the copy.
pub struct Stripping {
    strip: Strip,
    decoder: Decoder,
    /// Bytes that are not copied yet, and the offset of the first one.
    buffer: Vec<u8>,
    offset: u64,
    /// The offset up to which the decoder needs bytes. Calling it earlier would only repeat its work.
    needed: u64,
    due: Due,
}

/// What the decoder expects at the next byte to be copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Due {
    /// Marks and event types of a header.
    Header,
    /// A record or an end mark.
    Record,
    /// Nothing: it is searching for the next record.
    Nothing,
    /// Nothing: the log has ended.
    Over,
}

impl Stripping {
    /// The copy of a log's bytes from its first one on.
    #[must_use]
    pub fn new(strip: Strip) -> Self {
        Self { strip, decoder: Decoder::new(), buffer: Vec::new(), offset: 0, needed: 0, due: Due::Header }
    }

    /// Takes the next bytes of the log, and appends the part of the copy that is ready to `out`.
    pub fn feed(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        self.buffer.extend_from_slice(bytes);
        self.step(false, out);
    }

    /// The log has ended: appends the rest of the copy to `out`.
    pub fn finish(&mut self, out: &mut Vec<u8>) {
        self.step(true, out);
    }

    fn step(&mut self, last: bool, out: &mut Vec<u8>) {
        let Self { strip, decoder, buffer, offset, needed, due } = self;
        let end = *offset + buffer.len() as u64;
        if end < *needed && !last {
            return;
        }
        let mut copying = Copying::new(Chunk { bytes: buffer, offset: *offset, last }, out);
        while *due != Due::Over {
            let step = decoder.next(copying.chunk);
            *due = match step {
                Ok(Step::Event(record)) => {
                    copying.no_record(*due, record.offset);
                    records::write(&mut copying, &record, decoder.offset(), *strip);
                    Due::Record
                }
                Ok(Step::Header) => {
                    header::write(&mut copying, decoder.offset());
                    Due::Record
                }
                Ok(Step::Notice(Notice { kind: NoticeKind::Cut { tag: Some(tag), .. }, offset })) => {
                    copying.no_record(*due, offset);
                    records::write_cut(&mut copying, tag, decoder, end);
                    Due::Nothing
                }
                Ok(Step::Notice(notice)) => noticed(&mut copying, notice, decoder.offset(), *due),
                Ok(Step::Need(bytes)) => {
                    *needed = decoder.offset() + bytes as u64;
                    *due = passed(&mut copying, decoder.offset(), *due);
                    break;
                }
                Ok(Step::End) | Err(_) => {
                    passed(&mut copying, decoder.offset(), *due);
                    Due::Over
                }
            };
        }
        if last || *due == Due::Over {
            copying.nothing(end);
        }
        let copied = (copying.at - *offset) as usize;
        *offset = copying.at;
        buffer.drain(..copied.min(buffer.len()));
    }
}

/// Copies what comes before a notice, and the bytes that the notice is about. Returns what is due after it.
fn noticed(copying: &mut Copying<'_, '_>, notice: Notice, to: u64, due: Due) -> Due {
    if due == Due::Header {
        let goes_on = header::noticed(copying, notice, to);
        return if goes_on { Due::Header } else { Due::Nothing };
    }
    copying.no_record(due, to);
    match notice.kind {
        NoticeKind::FurtherStream => Due::Header,
        _ => Due::Record,
    }
}

/// Copies bytes that the decoder passed without a step. Returns what is due after them.
fn passed(copying: &mut Copying<'_, '_>, to: u64, due: Due) -> Due {
    match due {
        Due::Header => header::write(copying, to),
        // One byte may be the first half of an end mark.
        Due::Record if to < copying.at + 2 => {}
        _ if to > copying.at => {
            copying.no_record(due, to);
            return Due::Nothing;
        }
        _ => {}
    }
    due
}
