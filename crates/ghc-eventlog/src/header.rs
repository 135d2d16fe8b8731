//! The header: which event types a log has, and how long their records are (FORMAT 1).

use crate::{
    error::{Error, ErrorKind, Looks, Notice, NoticeKind},
    events::{BlockMarker, ConcMarkEnd, Ipe, Startup, TaskCreate, TickyCounterBeginSample, info},
    limits::{HEADER_SEARCH, MAX_DESCRIPTION, MAX_DESCRIPTIONS, MAX_EVENT_TYPES},
    names::StatusNumbering,
    stream::Chunk,
    table::EventInfo,
};
use alloc::{boxed::Box, string::String, vec::Vec};

/// The size that the header gives to event types whose records carry their own length.
pub const VARIABLE: u16 = 0xffff;

/// The number that ends the data.
pub(crate) const END_MARK: u16 = 0xffff;

/// One declared event type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventType {
    /// Its number.
    pub tag: u16,
    /// The payload's bytes, or [`VARIABLE`].
    pub size: u16,
    /// Its description, with what is not UTF-8 replaced.
    pub description: Box<str>,
}

/// How the records of one number are framed and understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Layout {
    pub(crate) size: u16,
    pub(crate) way: Way,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Way {
    /// Its fields are known, and framing needs nothing but the size.
    Known,
    /// Declared, but not in a form that the table knows: skipped by its size.
    Opaque,
    #[default]
    Undeclared,
    /// Its fields are known, and its length is checked against them.
    Checked,
    /// A block marker.
    Block,
    /// An info table's provenance, whose length may be one too large.
    Ipe,
}

/// A log's header.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Header {
    types: Vec<EventType>,
    /// By number, up to the largest one declared.
    layouts: Vec<Layout>,
}

impl Header {
    /// The declared event types, in file order, repeated ones included.
    #[must_use]
    pub fn types(&self) -> &[EventType] {
        &self.types
    }

    /// The last declaration of a number.
    #[must_use]
    pub fn declared(&self, tag: u16) -> Option<&EventType> {
        self.types.iter().rfind(|declared| declared.tag == tag)
    }

    /// Which of its numberings of stop reasons this log uses: GHC 7.8.1 and 7.8.2 have event 58, but not yet 59, the
    /// mark of the release that undid the change.
    #[must_use]
    pub fn status_numbering(&self) -> StatusNumbering {
        match (self.layout(58).way, self.layout(59).way) {
            (Way::Undeclared, _) => StatusNumbering::Usual,
            (_, Way::Undeclared) => StatusNumbering::Shifted,
            _ => StatusNumbering::Usual,
        }
    }

    pub(crate) fn layout(&self, tag: u16) -> Layout {
        self.layouts.get(usize::from(tag)).copied().unwrap_or_default()
    }

    /// The layouts by number, up to the largest one declared.
    pub(crate) fn layouts(&self) -> &[Layout] {
        &self.layouts
    }

    fn finish(&mut self) {
        self.mend_sizes();
        let largest = self.types.iter().map(|declared| usize::from(declared.tag)).max();
        self.layouts = alloc::vec![Layout::default(); largest.map_or(0, |tag| tag + 1)];
        for declared in self.types.iter().filter(|declared| declared.tag != END_MARK) {
            if let Some(layout) = self.layouts.get_mut(usize::from(declared.tag)) {
                *layout = Layout { size: declared.size, way: way(declared) };
            }
        }
    }

    /// Sizes that the runtime declares and does not write (FORMAT 1.6). GHC 6.12 declares thread numbers with 8 bytes and
    /// writes 4; the others were in development between GHC 9.2 and 9.4.
    fn mend_sizes(&mut self) {
        let ghc_6_12 = self.types.iter().any(|declared| (declared.tag, declared.size) == (0, 8));
        for declared in &mut self.types {
            declared.size = match (declared.tag, declared.size) {
                (0..=6 | 8 | 15, size) if ghc_6_12 && size != VARIABLE => size.saturating_sub(4),
                (Startup::TAG, 0) if ghc_6_12 => 2,
                (TaskCreate::TAG, 14) => 18,
                (ConcMarkEnd::TAG, 0) => 4,
                (TickyCounterBeginSample::TAG, 32) => 0,
                (_, size) => size,
            }
        }
    }
}

fn way(declared: &EventType) -> Way {
    let variable = declared.size == VARIABLE;
    let fits =
        |info: &&EventInfo| info.variable == variable && (variable || usize::from(declared.size) >= info.min_size);
    let Some(info) = info(declared.tag).filter(fits) else { return Way::Opaque };
    match info.tag {
        BlockMarker::TAG => Way::Block,
        Ipe::TAG => Way::Ipe,
        _ if info.checkable => Way::Checked,
        _ => Way::Known,
    }
}

/// What reading a piece of the header came to.
pub(crate) enum Piece {
    /// The piece is read; so many bytes are used.
    Read(u64),
    /// So many bytes must be there, counted from the piece's start.
    Need(usize),
    /// Something to know; so many bytes are used.
    Notice(NoticeKind, u64),
    /// The header is complete; so many bytes are used.
    Complete(u64),
}

/// Reads a header piece by piece, so that it may arrive in pieces of any size.
#[derive(Debug, Clone, Default)]
pub(crate) struct HeaderReader {
    header: Header,
    place: Place,
    described: usize,
}

#[derive(Debug, Clone, Copy, Default)]
enum Place {
    #[default]
    Start,
    Types,
    /// Extra information to be skipped: so many bytes more, of this type.
    Extra(u32, u16),
    Data,
}

const HEADER_BEGIN: &[u8; 8] = b"hdrbhetb";
const HEADER_END: &[u8; 8] = b"hdredatb";

impl HeaderReader {
    /// Reads the next piece of the header from the front of `at`.
    pub(crate) fn next(&mut self, at: Chunk<'_>) -> Result<Piece, Error> {
        match self.place {
            Place::Start => self.start(at),
            Place::Types => self.event_type(at),
            Place::Extra(bytes, tag) => self.extra(at, bytes, tag),
            Place::Data => self.data(at),
        }
    }

    pub(crate) fn finish(mut self) -> Header {
        self.header.finish();
        self.header
    }

    fn start(&mut self, at: Chunk<'_>) -> Result<Piece, Error> {
        if at.bytes.starts_with(HEADER_BEGIN) {
            self.place = Place::Types;
            return Ok(Piece::Read(8));
        }
        let window = HEADER_SEARCH + HEADER_BEGIN.len();
        if at.bytes.len() < window && !at.last {
            return Ok(Piece::Need(window));
        }
        if at.bytes.is_empty() && at.offset == 0 {
            return Err(at.error(ErrorKind::Empty));
        }
        // Compressed, a log may still have its mark in the clear.
        let looks = Looks::of(at.bytes.get(..window).unwrap_or(at.bytes));
        if looks.is_compressed() {
            return Err(at.error(ErrorKind::NotEventlog(looks)));
        }
        if let Some(found) = find_header(at.bytes) {
            return Ok(Piece::Notice(NoticeKind::BytesBeforeHeader(found as u64), found as u64));
        }
        if HEADER_BEGIN.starts_with(at.bytes) {
            return Err(self.cut(at));
        }
        Err(at.error(match at.bytes {
            [b'h', b'd', b'r', b'b', rest @ ..] => ErrorKind::ExpectedEventType(mark(rest)),
            _ => ErrorKind::NotEventlog(looks),
        }))
    }

    fn event_type(&mut self, at: Chunk<'_>) -> Result<Piece, Error> {
        let Some((&begin, rest)) = at.bytes.split_first_chunk::<4>() else { return self.need(at, 4) };
        match &begin {
            b"etb\0" => {}
            b"hete" => {
                self.place = Place::Data;
                return Ok(Piece::Read(4));
            }
            _ => return Err(at.error(ErrorKind::ExpectedEventType(begin))),
        }
        let Some((head @ [tag1, tag2, size1, size2, n @ ..], rest)) = rest.split_first_chunk::<8>() else {
            return self.need(at, 12);
        };
        // No number is large enough to have both of these bytes.
        if head.windows(2).any(|bytes| bytes == b"\r\n") {
            return Err(at.error(ErrorKind::TextMode));
        }
        let tag = u16::from_be_bytes([*tag1, *tag2]);
        let length = u32::from_be_bytes([n[0], n[1], n[2], n[3]]);
        if length > MAX_DESCRIPTION {
            let types = self.header.types.len() as u32;
            return Err(at.error(ErrorKind::DescriptionTooLong { types, length }));
        }
        let length = length as usize;
        let (Some(description), Some(extra)) = (rest.get(..length), rest.get(length..length + 4)) else {
            return self.need(at, 12 + length + 4);
        };
        // "\0\0\0\n\rCreate…" and the like: a carriage return has never stood in a description, nor a newline first.
        if description.contains(&b'\r') || description.starts_with(b"\n") {
            return Err(at.error(ErrorKind::TextMode));
        }
        self.described += length;
        if self.header.types.len() >= MAX_EVENT_TYPES as usize || self.described > MAX_DESCRIPTIONS {
            return Err(at.error(ErrorKind::TooManyTypes));
        }
        let notice = self.declare(tag, u16::from_be_bytes([*size1, *size2]), description);
        self.place = Place::Extra(u32::from_be_bytes(mark(extra)), tag);
        let used = 12 + length as u64 + 4;
        Ok(notice.map_or(Piece::Read(used), |kind| Piece::Notice(kind, used)))
    }

    fn declare(&mut self, tag: u16, size: u16, description: &[u8]) -> Option<NoticeKind> {
        let notice = match self.header.declared(tag) {
            _ if tag == END_MARK => Some(NoticeKind::EndMarkDeclared),
            Some(before) => Some(NoticeKind::TypeDeclaredTwice { tag, resized: before.size != size }),
            None => None,
        };
        let description = String::from_utf8_lossy(description).into_owned().into_boxed_str();
        self.header.types.push(EventType { tag, size, description });
        notice
    }

    /// GHC writes no extra information, but says that one day it might: it is skipped without being kept.
    fn extra(&mut self, at: Chunk<'_>, bytes: u32, tag: u16) -> Result<Piece, Error> {
        if bytes > 0 {
            let skipped = (bytes as usize).min(at.bytes.len());
            if skipped == 0 {
                return self.need(at, 1);
            }
            self.place = Place::Extra(bytes - skipped as u32, tag);
            return Ok(Piece::Read(skipped as u64));
        }
        let Some(end) = at.bytes.first_chunk::<4>() else { return self.need(at, 4) };
        if end != b"ete\0" {
            return Err(at.error(ErrorKind::ExpectedEndOfType { tag }));
        }
        self.place = Place::Types;
        Ok(Piece::Read(4))
    }

    fn data(&mut self, at: Chunk<'_>) -> Result<Piece, Error> {
        let Some(marks) = at.bytes.first_chunk::<8>() else { return self.need(at, 8) };
        if marks == HEADER_END {
            return Ok(Piece::Complete(8));
        }
        let (first, second) = marks.split_at(4);
        Err(at.error(ErrorKind::ExpectedData(mark(if first == b"hdre" { second } else { first }))))
    }

    fn need(&self, at: Chunk<'_>, bytes: usize) -> Result<Piece, Error> {
        if at.last { Err(self.cut(at)) } else { Ok(Piece::Need(bytes)) }
    }

    fn cut(&self, at: Chunk<'_>) -> Error {
        let types = self.header.types.len() as u32;
        Error { kind: ErrorKind::HeaderCut { types }, offset: at.offset + at.bytes.len() as u64 }
    }

    /// Something to know once the header is complete.
    pub(crate) fn notice(header: &Header, offset: u64) -> Option<Notice> {
        let blocks = header.layout(BlockMarker::TAG).way == Way::Block;
        (!blocks).then_some(Notice { kind: NoticeKind::NoBlockMarkers, offset })
    }
}

/// Where in the first bytes a header begins, if one does.
pub(crate) fn find_header(bytes: &[u8]) -> Option<usize> {
    let window = bytes.get(..HEADER_SEARCH + HEADER_BEGIN.len()).unwrap_or(bytes);
    window.windows(HEADER_BEGIN.len()).position(|bytes| bytes == HEADER_BEGIN)
}

fn mark(bytes: &[u8]) -> [u8; 4] {
    let mut mark = [0; 4];
    for (to, from) in mark.iter_mut().zip(bytes) {
        *to = *from;
    }
    mark
}
