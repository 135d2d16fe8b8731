//! The copy while it is written: always as long as what has been gone past of the log.

use crate::Due;
use ghc_eventlog::Chunk;

/// In place of each byte of a record that is left out. A record that began with it would have a number that no runtime uses; with
/// zeros it would be CREATE_THREAD.
pub(crate) const BLANK: u8 = b'*';

/// In place of each byte that is no record's. No event has a number of two of these.
pub(crate) const NOTHING: u8 = 0xfe;

/// EVENT_DATA_END.
const END_MARK: [u8; 2] = [0xff, 0xff];

/// Some bytes of a log, and the copy of them as far as it is written.
pub(crate) struct Copying<'a, 'o> {
    pub(crate) chunk: Chunk<'a>,
    /// Up to where the log is copied.
    pub(crate) at: u64,
    out: &'o mut Vec<u8>,
}

impl<'a, 'o> Copying<'a, 'o> {
    /// Nothing of `chunk` is copied yet; the copy goes to the end of `out`.
    pub(crate) fn new(chunk: Chunk<'a>, out: &'o mut Vec<u8>) -> Self {
        Self { chunk, at: chunk.offset, out }
    }

    /// The log's bytes from here to the offset `to`.
    pub(crate) fn log(&self, to: u64) -> &'a [u8] {
        let rest = self.chunk.from(self.at).bytes;
        let length = usize::try_from(to.saturating_sub(self.at)).unwrap_or(usize::MAX);
        rest.get(..length).unwrap_or(rest)
    }

    /// Writes these bytes in place of as many of the log.
    pub(crate) fn put(&mut self, bytes: &[u8]) {
        self.out.extend_from_slice(bytes);
        self.at += bytes.len() as u64;
    }

    /// Writes one byte in place of each of the log's up to `to`.
    pub(crate) fn fill(&mut self, byte: u8, to: u64) {
        let count = usize::try_from(to.saturating_sub(self.at)).unwrap_or(usize::MAX);
        self.out.resize(self.out.len() + count, byte);
        self.at = self.at.max(to);
    }

    pub(crate) fn nothing(&mut self, to: u64) {
        self.fill(NOTHING, to);
    }

    /// Writes what is no record up to `to`: the end mark, if one is there where a record was due, and filler.
    pub(crate) fn no_record(&mut self, due: Due, to: u64) {
        if due == Due::Record && self.log(to).starts_with(&END_MARK) {
            self.put(&END_MARK);
        }
        self.nothing(to);
    }
}
