//! Decoding from the middle of a log.

use crate::{
    decoder::Decoder,
    header::Header,
    limits::RESYNC_RECORDS,
    position::Position,
    stream::{Chunk, Record, Step},
};
use core::ops::ControlFlow;

/// Decodes a part of a log: the records between two places, as a decoder that came from the log's start finds them.
///
/// Whether a record is one can depend on what follows it. So a part needs its own bytes, and of those beyond its end as
/// many as it asks for: a few records at most, never more than [`Self::LOOK_AHEAD`], and none at all as a rule.
///
/// ```
/// use ghc_eventlog::{Chunk, Decoder, PartDecoder, Position, Record, Step};
///
/// /// Gives the records from `from` up to the offset `end` to `take`. `first_pass` has read the log's headers.
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

/// The longest record: a head with its length, and as much payload as a length can say.
const LONGEST_RECORD: u64 = 12 + u16::MAX as u64;

impl PartDecoder {
    /// Most bytes beyond its end that a part can ask for: those of a block marker, of the records that must follow
    /// something doubtful, and of the first two bytes behind them.
    pub const LOOK_AHEAD: u64 = 24 + (RESYNC_RECORDS as u64 + 1) * LONGEST_RECORD + 2;

    /// A decoder of the part from `from`, a position that `first_pass` had, to `end`, where one of its records ended.
    /// `first_pass` must have read the headers up to there.
    #[must_use]
    pub fn new(first_pass: &Decoder, from: Position, end: u64) -> Self {
        Self { decoder: first_pass.resumed(from), end }
    }

    /// Makes one step. `chunk` must begin at or before [`Self::offset`]; it is the log's last one only if the log ends
    /// with it, whatever the part's end. [`Step::Need`] counts from that offset, and may ask for bytes beyond the part.
    #[inline]
    pub fn next<'a>(&mut self, chunk: Chunk<'a>) -> Step<'a> {
        if self.decoder.offset() >= self.end {
            return Step::End;
        }
        // The first pass read on here, so there was no error.
        self.decoder.next(chunk).unwrap_or(Step::End)
    }

    /// Takes the plain records ahead in a chunk, as far as they are of one block and of this part: as
    /// [`Decoder::each_plain`] does. What is behind them [`Self::next`] tells.
    #[inline]
    pub fn each_plain<'a>(&mut self, chunk: Chunk<'a>, mut take: impl FnMut(Record<'a>)) {
        if self.decoder.offset() < self.end {
            self.decoder.each_plain(chunk, self.end, |record| {
                take(record);
                ControlFlow::Continue(())
            });
        }
    }

    /// The place of the next byte to be read, from the start of the file.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.decoder.offset()
    }

    /// The place as the decoder knows it: at the part's end, where the first pass was there, too, unless the file has changed.
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
