//! What goes in and what comes out: a chunk of bytes that knows its place, and the steps that the decoder makes in it.

use crate::{
    BlockMarker, CapNo, Nanos,
    error::{Error, ErrorKind, Notice},
    table::Decoded,
};

/// Some of a log's bytes. The caller owns them; events borrow from them.
#[derive(Debug, Clone, Copy)]
pub struct Chunk<'a> {
    /// The bytes.
    pub bytes: &'a [u8],
    /// The place of the first one, in bytes from the start of the file.
    pub offset: u64,
    /// Whether the log ends with these bytes.
    pub last: bool,
}

impl<'a> Chunk<'a> {
    /// The part from `offset` on; empty if that is outside.
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

/// One step of the decoder.
#[derive(Debug, Clone, Copy)]
pub enum Step<'a> {
    /// A header was read: the log's own, or that of a further stream.
    Header,
    /// An event, block markers included.
    Event(Record<'a>),
    /// Something that the log's reader should know.
    Notice(Notice),
    /// More bytes are needed: at least this many, counted from the decoder's offset.
    Need(usize),
    /// The log is over.
    End,
}

/// An event before its fields are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Record<'a> {
    /// Where it begins, in bytes from the start of the file.
    pub offset: u64,
    /// When it was posted, or says that it was.
    pub time: Nanos,
    /// Its number.
    pub tag: u16,
    /// The capability of its block; a block marker has its own block's. `None` for the global buffer.
    pub cap: Option<CapNo>,
    /// Whether this number, in the form the header declares, is one that the table knows.
    pub known: bool,
    /// Its fields' bytes.
    pub payload: &'a [u8],
}

impl<'a> Record<'a> {
    /// Whether it is a mark in the file, which says whose the records after it are, and no event of the program's. What only has
    /// its number, and not its form, is an event that is not known.
    #[inline(always)]
    #[must_use]
    pub fn is_block_marker(&self) -> bool {
        self.known && self.tag == BlockMarker::TAG
    }

    /// Reads the fields. A record that is too short for its fields comes out as unknown, with that flaw.
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

    /// Gives each field to `visit`, in wire order, as [`crate::Event::visit`] does, but faster. Of an unknown event, or one
    /// too short for its fields, that is the payload.
    #[inline]
    pub fn visit(&self, mut visit: impl FnMut(&'static str, crate::Value<'a>)) {
        if self.known {
            crate::events::visit_fields(self.tag, self.payload, &mut visit);
        } else {
            visit("payload", crate::Value::Raw(self.payload));
        }
    }

    /// Reads the fields, whatever flaws they have.
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
