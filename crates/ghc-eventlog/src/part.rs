//! Decoding from the middle of a log.

use crate::{
    decoder::Decoder,
    header::Header,
    limits::RESYNC_RECORDS,
    position::Position,
    stream::{Chunk, Record, Step},
};
use core::ops::ControlFlow;

/// Decodes a part of a log: the records between two offsets, exactly as a decoder finds them that reads from the log's
/// start.
///
/// Whether bytes are a record can depend on what follows them, so a part may ask for bytes beyond its end. Usually it
/// asks for none; at most for a few records, and never for more than [`Self::LOOK_AHEAD`].
///
/// ```
/// use ghc_eventlog::{Chunk, Decoder, PartDecoder, Position, Record, Step};
///
/// /// Passes the records from `from` up to the offset `end` to `take`. `first_pass` has read the log's headers.
/// fn read_part(log: &[u8], first_pass: &Decoder, from: Position, end: u64, mut take: impl FnMut(Record<'_>)) {
///     let mut part = PartDecoder::new(first_pass, from, end);
///     let mut bytes_at_hand = end as usize;
///     loop {
///         let chunk = Chunk { bytes: &log[..bytes_at_hand], offset: 0, last: bytes_at_hand == log.len() };
///         match part.next(chunk) {
///             Step::Event(record) => take(record),
///             Step::Need(bytes) => bytes_at_hand = part.offset() as usize + bytes,
///             Step::Header | Step::Notice(_) => {}
///             Step::End => return,
///         }
///     }
/// }
/// ```
#[derive(Debug, Clone)]
pub struct PartDecoder {
    decoder: Decoder,
    end: u64,
}

/// The longest record, in bytes: a head with a length field, and the longest payload that the field can express.
const LONGEST_RECORD: u64 = 12 + u16::MAX as u64;

impl PartDecoder {
    /// The most bytes beyond its end that a part can ask for: a block marker, the records that must follow a doubtful
    /// one, and the two bytes after them.
    pub const LOOK_AHEAD: u64 = 24 + (RESYNC_RECORDS as u64 + 1) * LONGEST_RECORD + 2;

    /// A decoder for the part from `from`, an earlier position of `first_pass`, to the offset `end`, where `first_pass`
    /// found the end of a record. `first_pass` must have read all headers up to there.
    #[must_use]
    pub fn new(first_pass: &Decoder, from: Position, end: u64) -> Self {
        Self { decoder: first_pass.resumed(from), end }
    }

    /// Makes one step: call it until it returns [`Step::End`], which comes at the part's end. `chunk` must begin at or
    /// before [`Self::offset`]. Set its `last` only if the log ends with it, not for the end of the part.
    /// [`Step::Need`] counts from that offset, and may ask for bytes beyond the part.
    #[inline]
    pub fn next<'a>(&mut self, chunk: Chunk<'a>) -> Step<'a> {
        if self.decoder.offset() >= self.end {
            return Step::End;
        }
        // The first pass read past here, so there was no error.
        self.decoder.next(chunk).unwrap_or(Step::End)
    }

    /// The fast path, as [`Decoder::each_plain`]: passes the plain records that come next in the block and in this part
    /// to `take`. Call [`Self::next`] for what comes after them.
    #[inline]
    pub fn each_plain<'a>(&mut self, chunk: Chunk<'a>, mut take: impl FnMut(Record<'a>)) {
        if self.decoder.offset() < self.end {
            self.decoder.each_plain(chunk, self.end, |record| {
                take(record);
                ControlFlow::Continue(())
            });
        }
    }

    /// The offset of the next byte to read, from the start of the file.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.decoder.offset()
    }

    /// The decoder's position. At the part's end it equals the position of the first pass there; if not, the file has
    /// changed.
    #[must_use]
    pub fn position(&self) -> Position {
        self.decoder.position()
    }

    /// The header in force.
    #[must_use]
    pub fn header(&self) -> &Header {
        self.decoder.header()
    }
}

#[cfg(test)]
mod tests;
