//! A copy of a log without what is to be left out, made as its bytes come.
//!
//! The copy is as long as the log, and all that stays is at its place: offsets are those of the log itself. Nothing gets into the
//! copy because it was not understood. What is written is:
//!
//! - of a header, its marks, and of each event type the number and the size. A description is free text: only GHC's own and those
//!   of this project's table of events are written, in the words of our tables; others become the event's name, or empty. Extra information becomes zeros.
//! - of an event, its number, time and length, and the fields that the decoder knows in this form, unless they are left out. Bytes
//!   after the known fields, and the whole payload of an event that is not known, become stars.
//! - of the event within which the log ends, its number, and its length if it has one: they speak for the events before it.
//! - end marks.
//! - of an empty block before a header, as GHC 9.0 leaves one where logging is restarted, its number.
//!
//! All other bytes are filler: what else precedes a header, what is damaged, what is skipped, what follows the end.
//!
//! The decoder finds the same events in the copy as in the log, at the same offsets and times. How long a text was can be seen,
//! and of lists of arguments how many there are.

mod copying;
mod header;
mod records;

use copying::Copying;
use ghc_eventlog::{Chunk, Decoder, Notice, NoticeKind, Step};

/// What of a log is left out, in any form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Strip {
    /// The program's environment: it may hold secrets.
    pub env: bool,
    /// What was said on the command line: the program's arguments, its invocation (Eden), the filters of a heap profile.
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

/// A log that is being copied, but for what is left out: see the crate's documentation for what gets into the copy.
pub struct Stripping {
    strip: Strip,
    decoder: Decoder,
    /// Bytes that are not copied yet, and the offset of the first one.
    buffer: Vec<u8>,
    offset: u64,
    /// Up to which offset the decoder needs bytes: before they are there it would only look at the same ones again.
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
    /// Nothing: it is looking for the next record.
    Nothing,
    /// Nothing any more.
    Over,
}

impl Stripping {
    /// The copy of a log's bytes from its first one on.
    #[must_use]
    pub fn new(strip: Strip) -> Self {
        Self { strip, decoder: Decoder::new(), buffer: Vec::new(), offset: 0, needed: 0, due: Due::Header }
    }

    /// Takes the next bytes of the log, and adds to `out` what is ready of its copy.
    pub fn feed(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        self.buffer.extend_from_slice(bytes);
        self.step(false, out);
    }

    /// There are no more bytes: adds the rest.
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

/// Copies what the decoder has gone past up to a notice, and what the notice is about; what is due after it.
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

/// Copies what the decoder has gone past without a word; what is due after it.
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
