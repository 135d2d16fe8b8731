//! The copy while it is written. It is always as long as the part of the log that is done.

use crate::Due;
use ghc_eventlog::Chunk;

/// Replaces each byte of a record that is left out. No runtime uses the event number that two of these make; two zeros
/// would be CREATE_THREAD.
pub(crate) const BLANK: u8 = b'*';

/// Replaces each byte that is not part of a record. No event has the number that two of these make.
pub(crate) const NOTHING: u8 = 0xfe;

/// EVENT_DATA_END.
const END_MARK: [u8; 2] = [0xff, 0xff];

/// A chunk of a log, and the copy of it so far.
pub(crate) struct Copying<'a, 'o> {
    pub(crate) chunk: Chunk<'a>,
    /// The offset up to which the log is copied.
    pub(crate) at: u64,
    out: &'o mut Vec<u8>,
}

impl<'a, 'o> Copying<'a, 'o> {
    /// Begins to copy `chunk` to the end of `out`.
    pub(crate) fn new(chunk: Chunk<'a>, out: &'o mut Vec<u8>) -> Self {
        Self { chunk, at: chunk.offset, out }
    }

    /// The log's bytes from here to the offset `to`.
    pub(crate) fn log(&self, to: u64) -> &'a [u8] {
        let rest = self.chunk.from(self.at).bytes;
        let length = usize::try_from(to.saturating_sub(self.at)).unwrap_or(usize::MAX);
        rest.get(..length).unwrap_or(rest)
    }

    /// Writes these bytes in place of the same number of bytes of the log.
    pub(crate) fn put(&mut self, bytes: &[u8]) {
        self.out.extend_from_slice(bytes);
        self.at += bytes.len() as u64;
    }

    /// Writes `byte` in place of each byte of the log up to `to`.
    pub(crate) fn fill(&mut self, byte: u8, to: u64) {
        let count = usize::try_from(to.saturating_sub(self.at)).unwrap_or(usize::MAX);
        self.out.resize(self.out.len() + count, byte);
        self.at = self.at.max(to);
    }

    pub(crate) fn nothing(&mut self, to: u64) {
        self.fill(NOTHING, to);
    }

    /// Writes bytes that are no record, up to `to`: the end mark if a record was due and the end mark is there,
    /// otherwise filler.
    pub(crate) fn no_record(&mut self, due: Due, to: u64) {
        if due == Due::Record && self.log(to).starts_with(&END_MARK) {
            self.put(&END_MARK);
        }
        self.nothing(to);
    }
}
