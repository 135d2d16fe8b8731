//! A copy of a log without what is not to be told, made as its bytes come.

mod mask;

use ghc_eventlog::{
    Chunk, Decoder, LogMsg, NoticeKind, ProgramArgs, ProgramEnv, Record, Step, UserBinaryMsg, UserMarker, UserMsg,
};
use mask::Mask;

/// What of a log is left out, in any form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Strip {
    /// The program's environment: it may tell secrets.
    pub env: bool,
    /// The program's arguments.
    pub args: bool,
    /// What the program and the runtime say: messages and markers.
    pub messages: bool,
}

/// Most bytes of which it is not known yet what they are: more than any header has.
const MOST_UNKNOWN: u64 = 64 << 20;

impl Strip {
    /// Whether anything is left out.
    #[must_use]
    pub fn any(self) -> bool {
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

/// A log that is being copied, but for what is left out. All stays where it is, so that offsets are those of the log itself. What is
/// no record, as where it is damaged, may hold anything: it is left out, too.
pub struct Stripping {
    strip: Strip,
    decoder: Decoder,
    /// Bytes of which it is not known yet what they are, and the offset of the first one.
    buffer: Vec<u8>,
    offset: u64,
    /// Up to where it is known what the bytes are, and whether what follows is a header.
    known: u64,
    in_header: bool,
    /// Nothing more can be made of the log.
    over: bool,
}

impl Stripping {
    /// The copy of a log's bytes from its first one on.
    #[must_use]
    pub fn new(strip: Strip) -> Self {
        Self { strip, decoder: Decoder::new(), buffer: Vec::new(), offset: 0, known: 0, in_header: true, over: false }
    }

    /// Takes the next bytes of the log, and adds to `out` what is ready of its copy.
    pub fn feed(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        self.buffer.extend_from_slice(bytes);
        self.step(false, out);
    }

    /// There are no more bytes: adds the rest.
    pub fn finish(&mut self, out: &mut Vec<u8>) {
        self.step(true, out);
        // An event that is cut off is none.
        self.leave_out(out);
    }

    fn step(&mut self, last: bool, out: &mut Vec<u8>) {
        if self.over {
            return self.leave_out(out);
        }
        let mut mask = Mask::new(self.offset);
        self.decode(last, &mut mask);
        let end = self.offset + self.buffer.len() as u64;
        // A header may come in several pieces; but what comes to no end is none. All else that has been gone past is no record.
        if self.over || !self.in_header || end - self.known > MOST_UNKNOWN {
            self.known = self.decoder.offset();
        }
        let used = self.known.min(end);
        mask.copy(self.buffer.drain(..(used - self.offset) as usize).as_slice(), out);
        self.offset = used;
        if self.over {
            self.leave_out(out);
        }
    }

    /// Nothing is known of these bytes: they follow the end of the log, or nothing can be made of them.
    fn leave_out(&mut self, out: &mut Vec<u8>) {
        Mask::new(self.offset).copy(&self.buffer, out);
        self.offset += self.buffer.len() as u64;
        self.buffer.clear();
    }

    /// Decodes as much as there is.
    fn decode(&mut self, last: bool, mask: &mut Mask) {
        let chunk = Chunk { bytes: &self.buffer, offset: self.offset, last };
        loop {
            match self.decoder.next(chunk) {
                Ok(Step::Event(record)) => {
                    self.known = self.decoder.offset();
                    mask.keep(record.offset..self.known);
                    if let Some(from) = self.strip.from(&record) {
                        mask.blank(self.known - record.payload.len() as u64 + from as u64..self.known);
                    }
                }
                Ok(Step::Header) => {
                    mask.keep(self.known..self.decoder.offset());
                    (self.known, self.in_header) = (self.decoder.offset(), false);
                }
                Ok(Step::Notice(notice)) => {
                    if self.in_header {
                        mask.keep(self.known..self.decoder.offset());
                    }
                    self.known = self.decoder.offset();
                    self.in_header |= matches!(notice.kind, NoticeKind::FurtherStream);
                }
                Ok(Step::Need(_)) => return,
                Ok(Step::End) | Err(_) => {
                    self.over = true;
                    return;
                }
            }
        }
    }
}
