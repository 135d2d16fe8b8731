//! The decoder's input and output: a chunk of bytes with its offset, and the steps that the decoder makes in it.

use crate::{
    BlockMarker, CapNo, Nanos,
    error::{Error, ErrorKind, Notice},
    table::Decoded,
};

/// Some of a log's bytes. The caller owns them, and events borrow from them.
#[derive(Debug, Clone, Copy)]
pub struct Chunk<'a> {
    /// The bytes.
    pub bytes: &'a [u8],
    /// The offset of the first one, from the start of the file.
    pub offset: u64,
    /// Whether the log ends with these bytes.
    pub last: bool,
}

impl<'a> Chunk<'a> {
    /// The part from `offset` on; empty if `offset` is not in the chunk.
    #[inline]
    #[must_use]
    pub fn from(self, offset: u64) -> Self {
        let skip = usize::try_from(offset.wrapping_sub(self.offset)).unwrap_or(usize::MAX);
        Self { bytes: self.bytes.get(skip..).unwrap_or_default(), offset, last: self.last }
    }

    pub(crate) fn error(self, kind: ErrorKind) -> Error {
        Error { kind, offset: self.offset }
    }

    pub(crate) fn ends_at(self, offset: u64) -> bool {
        self.last && offset == self.offset + self.bytes.len() as u64
    }
}

/// One step of the decoder, as [`crate::Decoder::next`] returns it.
#[derive(Debug, Clone, Copy)]
pub enum Step<'a> {
    /// A header was read: the log's first one, or that of a further stream. [`crate::Decoder::header`] has it.
    Header,
    /// An event, block markers included.
    Event(Record<'a>),
    /// Something that the user should know about the log. Decoding continues.
    Notice(Notice),
    /// More bytes are needed: call again with at least this many, counted from the decoder's offset.
    Need(usize),
    /// The log has ended. Every further call returns this again.
    End,
}

/// An event before its fields are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Record<'a> {
    /// Where it begins, in bytes from the start of the file.
    pub offset: u64,
    /// When it was posted, as the log has it.
    pub time: Nanos,
    /// Its number.
    pub tag: u16,
    /// The capability of its block; for a block marker, of the block that it begins. `None` for the global buffer.
    pub cap: Option<CapNo>,
    /// Whether the table has this number in the form that the header declares.
    pub known: bool,
    /// The bytes of its fields.
    pub payload: &'a [u8],
}

impl<'a> Record<'a> {
    /// Whether it is a block marker: not an event of the program, but a mark in the file that gives the capability of
    /// the records after it. A record that has the number of a block marker, but not its form, is an unknown event.
    #[inline(always)]
    #[must_use]
    pub fn is_block_marker(&self) -> bool {
        self.known && self.tag == BlockMarker::TAG
    }

    /// Reads the fields. A record that is too short for its fields becomes [`crate::Event::Unknown`] with
    /// [`crate::Flaw::Short`].
    #[inline]
    #[must_use]
    pub fn decode(&self) -> Decoded<'a> {
        if !self.known {
            return Decoded { event: crate::Event::Unknown(self.payload), used: self.payload.len(), flaw: None };
        }
        let decoded = crate::events::decode(self.tag, self.payload);
        if decoded.flaw == Some(crate::Flaw::Short) {
            return Decoded { event: crate::Event::Unknown(self.payload), ..decoded };
        }
        decoded
    }

    /// Calls `visit` with each field, in wire order, as [`crate::Event::visit`] does, but faster. An unknown event, or
    /// one that is too short for its fields, has its payload as the only field.
    pub fn visit(&self, mut visit: impl FnMut(&'static str, crate::Value<'a>)) {
        self.visit_each(&mut visit);
    }

    /// One function for all visitors: it has code for each type of event, 16 KB of a page's wasm.
    fn visit_each(&self, visit: crate::Visit<'_, 'a>) {
        if self.known {
            crate::events::visit_fields(self.tag, self.payload, visit);
        } else {
            visit("payload", crate::Value::Raw(self.payload));
        }
    }

    /// Reads the fields, and ignores their flaws.
    #[inline]
    #[must_use]
    pub fn event(&self) -> crate::Event<'a> {
        self.decode().event
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_marker_of_another_form_is_an_event() {
        let record = |tag, known| Record { offset: 0, time: Nanos(0), tag, cap: None, known, payload: &[] };
        assert!(record(BlockMarker::TAG, true).is_block_marker());
        assert!(!record(BlockMarker::TAG, false).is_block_marker() && !record(0, true).is_block_marker());
    }
}
