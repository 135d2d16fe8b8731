//! Reads a header piece by piece, so that it may arrive in chunks of any size and may be damaged (FORMAT 5.3).

use crate::{
    descriptions::{contradicts, is_known, tag_of},
    error::{Error, ErrorKind, Looks, Notice, NoticeKind},
    events::{BlockMarker, info},
    header::{END_MARK, EventType, Header, Way},
    limits::{HEADER_GAP, HEADER_SEARCH, MAX_DESCRIPTION, MAX_DESCRIPTIONS, MAX_EVENT_TYPES},
    stream::Chunk,
};
use alloc::string::String;

/// The result of reading one piece of the header.
#[derive(Debug, PartialEq)]
pub(crate) enum Piece {
    /// The piece was read, and took this many bytes.
    Read(u64),
    /// This many bytes are needed, counted from the piece's start.
    Need(usize),
    /// A notice about the next bytes; this is how many.
    Notice(NoticeKind, u64),
    /// The header is complete; its last piece took this many bytes.
    Complete(u64),
}

/// A header that is being read.
#[derive(Debug, Clone, Default)]
pub(crate) struct HeaderReader {
    header: Header,
    begun: bool,
    /// For a further stream: how many bytes before its header have yet to be skipped.
    before: usize,
    /// The marks at the end were damaged, which has been reported; the header ends with them at the next call.
    ended: bool,
    /// The bytes of all descriptions so far.
    described: usize,
    /// Whether a part could not be read, so that event types may be missing.
    damaged: bool,
    /// Whether the writer has numbers of its own, once a number was found that its description contradicts.
    numbers_are_others: Option<bool>,
}

const BEGIN: &[u8; 8] = b"hdrbhetb";
const TYPE: &[u8; 4] = b"etb\0";
const TYPE_END: &[u8; 4] = b"ete\0";
const END: &[u8; 12] = b"hetehdredatb";

impl HeaderReader {
    /// A reader for the header of a further stream, which begins after `before` bytes.
    pub(crate) fn after(before: usize) -> Self {
        Self { before, ..Self::default() }
    }

    /// Reads the next piece of the header from the front of `at`.
    pub(crate) fn next(&mut self, at: Chunk<'_>) -> Result<Piece, Error> {
        if let Some(before) = at.bytes.get(..core::mem::take(&mut self.before)).filter(|before| !before.is_empty()) {
            // Before a further stream, empty blocks are normal.
            return Ok(match skipped(before) {
                Piece::Notice(NoticeKind::BlocksBeforeHeader(bytes), _) => Piece::Read(bytes),
                piece => piece,
            });
        }
        if !self.begun {
            return self.start(at);
        }
        if self.ended {
            return Ok(Piece::Complete(0));
        }
        match declaration(at.bytes) {
            Declaration::End => Ok(Piece::Complete(END.len() as u64)),
            Declaration::Need(bytes) if !at.last => Ok(Piece::Need(bytes)),
            Declaration::Need(_) => self.damage(at, self.cut(at)),
            Declaration::Damaged(kind) => self.damage(at, at.error(kind.unwrap_or(self.too_long(at)))),
            Declaration::Type { tag, size, description, bytes } => {
                if self.numbers_are_others.is_none() && self.meant_number(tag, description) != tag {
                    match self.looks_ahead(at) {
                        Ahead::Need(bytes) => return Ok(Piece::Need(bytes)),
                        Ahead::NumbersAreOthers(others) => self.numbers_are_others = Some(others),
                    }
                }
                let notice = self.declare(at, tag, size, description)?;
                Ok(notice.map_or(Piece::Read(bytes), |kind| Piece::Notice(kind, bytes)))
            }
        }
    }

    pub(crate) fn finish(mut self) -> Header {
        // The runtime declares its types in order, so a type out of order has the number of another.
        let tags = self.header.types().windows(2);
        let falls = tags.filter(|pair| matches!(pair, [one, next] if next.tag <= one.tag)).count();
        let damaged = self.damaged || falls == 1;
        let mut numbering = Numbering::default();
        self.header.types().iter().for_each(|of| numbering.add(of.tag, of.description.as_bytes()));
        self.header.finish(damaged, !damaged && numbering.is_other());
        self.header
    }

    /// Reads the rest of the header, from `at` on, to see whether the writer has numbers of its own.
    fn looks_ahead(&self, at: Chunk<'_>) -> Ahead {
        let mut numbering = Numbering::default();
        self.header.types().iter().for_each(|of| numbering.add(of.tag, of.description.as_bytes()));
        let gap = at.bytes.get(..HEADER_GAP).unwrap_or(at.bytes);
        let mut used = 0;
        loop {
            match declaration(gap.get(used..).unwrap_or_default()) {
                Declaration::Type { tag, description, bytes, .. } => {
                    numbering.add(tag, description);
                    used += bytes as usize;
                }
                Declaration::End => return Ahead::NumbersAreOthers(!self.damaged && numbering.is_other()),
                Declaration::Need(bytes) if !at.last && used + bytes <= HEADER_GAP => {
                    return Ahead::Need(used + bytes);
                }
                Declaration::Need(_) | Declaration::Damaged(_) => return Ahead::NumbersAreOthers(false),
            }
        }
    }

    fn start(&mut self, at: Chunk<'_>) -> Result<Piece, Error> {
        if at.bytes.starts_with(BEGIN) {
            self.begun = true;
            return Ok(Piece::Read(BEGIN.len() as u64));
        }
        let window = HEADER_SEARCH + BEGIN.len();
        if at.bytes.len() < window && !at.last {
            return Ok(Piece::Need(window));
        }
        if at.bytes.is_empty() && at.offset == 0 {
            return Err(at.error(ErrorKind::Empty));
        }
        // A compressed log may still contain the header's mark uncompressed.
        let looks = Looks::of(at.bytes.get(..window).unwrap_or(at.bytes));
        if looks.is_compressed() {
            return Err(at.error(ErrorKind::NotEventlog(looks)));
        }
        match find_header(at.bytes) {
            Some(0) => {
                self.begun = true;
                return Ok(Piece::Notice(NoticeKind::HeaderMark, BEGIN.len() as u64));
            }
            Some(found) => return Ok(skipped(at.bytes.get(..found).unwrap_or(at.bytes))),
            None => {}
        }
        if BEGIN.starts_with(at.bytes) {
            return Err(self.cut(at));
        }
        Err(at.error(match at.bytes {
            [b'h', b'd', b'r', b'b', rest @ ..] => ErrorKind::ExpectedEventType(mark(rest)),
            _ => ErrorKind::NotEventlog(looks),
        }))
    }

    /// The event type at the front of `at` is damaged. Continues at the next mark, and recovers what it can of the
    /// type. Without a next mark, the result is `error`.
    #[cold]
    fn damage(&mut self, at: Chunk<'_>, error: Error) -> Result<Piece, Error> {
        if at.bytes.len() < TEXT_MODE_SHOWS && !at.last {
            return Ok(Piece::Need(TEXT_MODE_SHOWS));
        }
        if is_text_mode(at.bytes) {
            return Err(at.error(ErrorKind::TextMode));
        }
        if at.bytes.first_chunk().is_some_and(|front| resembles(front, END)) {
            self.ended = true;
            return Ok(Piece::Notice(NoticeKind::HeaderMark, END.len() as u64));
        }
        let gap = at.bytes.get(..HEADER_GAP).unwrap_or(at.bytes);
        match next_mark(gap, at.last || gap.len() == HEADER_GAP) {
            Some(length) => {
                let bytes = gap.get(..length).unwrap_or(gap);
                let kind = self.mend(at, bytes)?;
                Ok(Piece::Notice(kind, length as u64))
            }
            None if gap.len() < HEADER_GAP && !at.last => Ok(Piece::Need((at.bytes.len() * 2).min(HEADER_GAP))),
            None => Err(error),
        }
    }

    /// Recovers a type from a damaged declaration. One of GHC's descriptions identifies it; without one, most of its
    /// parts must fit together.
    fn mend(&mut self, at: Chunk<'_>, bytes: &[u8]) -> Result<NoticeKind, Error> {
        let before = core::mem::replace(&mut self.damaged, true);
        let lost = NoticeKind::TypeLost(bytes.len() as u64);
        let Some((head, rest)) = bytes.split_first_chunk::<12>() else { return Ok(lost) };
        let Some((text, end)) = rest.split_last_chunk::<8>() else { return Ok(lost) };
        let [begin @ .., tag1, tag2, size1, size2, _, _, _, _] = head;
        let [_, _, _, _, _, _, _, _, length @ ..] = head;
        let (tag, size) = (u16::from_be_bytes([*tag1, *tag2]), u16::from_be_bytes([*size1, *size2]));
        let length = u32::from_be_bytes(*length) as usize;
        let fitting = [begin == TYPE, length == text.len(), end.starts_with(&[0; 4]), end.ends_with(TYPE_END)];
        let named = tag_of(text);
        if named.is_none() && fitting.iter().filter(|fits| **fits).count() < 2 || text.len() > MAX_DESCRIPTION as usize
        {
            return Ok(lost);
        }
        let tag = named.filter(|_| !is_known(tag, text)).unwrap_or(tag);
        // The description fills the rest of the declaration, so no other type was lost with it.
        self.damaged = before || named.is_none();
        self.declare(at, tag, size, text)?;
        Ok(NoticeKind::TypeMended { tag })
    }

    fn declare(&mut self, at: Chunk<'_>, tag: u16, size: u16, description: &[u8]) -> Result<Option<NoticeKind>, Error> {
        self.described += description.len();
        if self.header.types().len() >= MAX_EVENT_TYPES as usize || self.described > MAX_DESCRIPTIONS {
            return Err(at.error(ErrorKind::TooManyTypes));
        }
        let number = self.right_number(tag, description);
        let notice = match self.header.declared(number) {
            _ if number != tag => Some(NoticeKind::TypeMended { tag: number }),
            _ if tag == END_MARK => Some(NoticeKind::EndMarkDeclared),
            Some(before) => Some(NoticeKind::TypeDeclaredTwice { tag, resized: before.size != size }),
            None => None,
        };
        let description = String::from_utf8_lossy(description).into_owned().into_boxed_str();
        self.header.declare(EventType { tag: number, size, description });
        Ok(notice)
    }

    fn right_number(&self, tag: u16, description: &[u8]) -> u16 {
        if self.numbers_are_others == Some(true) { tag } else { self.meant_number(tag, description) }
    }

    /// The number that was meant, if GHC's numbers are. If GHC gives this description to another number that differs by
    /// one bit, that is the one. (Other writers of logs use some of GHC's descriptions for their own numbers.)
    fn meant_number(&self, tag: u16, description: &[u8]) -> u16 {
        let meant = tag_of(description).filter(|_| !is_known(tag, description));
        let wrong = |meant: &u16| (tag ^ meant).is_power_of_two() || info(tag).is_none();
        meant.filter(|meant| wrong(meant) && self.header.declared(*meant).is_none()).unwrap_or(tag)
    }

    fn too_long(&self, at: Chunk<'_>) -> ErrorKind {
        let length = u32::from_be_bytes(mark(at.bytes.get(8..).unwrap_or_default()));
        ErrorKind::DescriptionTooLong { types: self.header.types().len() as u32, length }
    }

    fn cut(&self, at: Chunk<'_>) -> Error {
        let types = self.header.types().len() as u32;
        Error { kind: ErrorKind::HeaderCut { types }, offset: at.offset + at.bytes.len() as u64 }
    }

    /// The notices to give once the header is complete; `after` is the last one that was given.
    pub(crate) fn notice(header: &Header, after: Option<NoticeKind>, offset: u64) -> Option<Notice> {
        let blocks = header.candidates(BlockMarker::TAG).iter().any(|layout| layout.way == Way::Block);
        let other = header.types().iter().filter(|of| header.has_other_fields(of.tag)).count() as u32;
        let kind = match after {
            None if !blocks => NoticeKind::NoBlockMarkers,
            None | Some(NoticeKind::NoBlockMarkers) if other > 0 => NoticeKind::OtherFields { types: other },
            _ => return None,
        };
        Some(Notice { kind, offset })
    }
}

/// What the rest of a header shows.
enum Ahead {
    /// This many bytes are needed to see it.
    Need(usize),
    NumbersAreOthers(bool),
}

/// Shows whether a header's numbers are another writer's. Damage changes one number, and mostly puts it out of order. So
/// numbers in order of which several have descriptions that GHC gives to others are meant (a log of March 2009 has
/// them).
#[derive(Default)]
struct Numbering {
    last: Option<u16>,
    is_out_of_order: bool,
    contradicted: u32,
}

impl Numbering {
    fn add(&mut self, tag: u16, description: &[u8]) {
        self.is_out_of_order |= self.last.replace(tag).is_some_and(|last| last >= tag);
        self.contradicted += u32::from(contradicts(tag, description));
    }

    fn is_other(&self) -> bool {
        !self.is_out_of_order && self.contradicted > 1
    }
}

/// Reports bytes before a header. They are lost, unless they are markers of empty blocks.
fn skipped(bytes: &[u8]) -> Piece {
    let tag = BlockMarker::TAG.to_be_bytes();
    let are_blocks = bytes.len().is_multiple_of(BLOCK) && bytes.chunks(BLOCK).all(|block| block.starts_with(&tag));
    let length = bytes.len() as u64;
    let kind = if are_blocks { NoticeKind::BlocksBeforeHeader } else { NoticeKind::BytesBeforeHeader };
    Piece::Notice(kind(length), length)
}

/// The size of a block marker, in bytes.
const BLOCK: usize = 24;

/// What was found where an event type should be.
enum Declaration<'a> {
    Type {
        tag: u16,
        size: u16,
        description: &'a [u8],
        bytes: u64,
    },
    /// The header's end.
    End,
    /// This many bytes are needed to decide.
    Need(usize),
    /// Neither of them, and what is wrong with it; `None` if a text is too long.
    Damaged(Option<ErrorKind>),
}

/// GHC writes no extra information, but reserves the right to: it is skipped.
fn declaration(bytes: &[u8]) -> Declaration<'_> {
    use Declaration::{Damaged, End as HeaderEnd, Need, Type};
    let Some((begin, rest)) = bytes.split_first_chunk::<4>() else { return Need(4) };
    if begin != TYPE {
        return match bytes.first_chunk::<12>() {
            Some(END) => HeaderEnd,
            None if END.starts_with(bytes) => Need(END.len()),
            _ if END.starts_with(begin) => Damaged(Some(ErrorKind::ExpectedData(wrong_mark(bytes)))),
            _ => Damaged(Some(ErrorKind::ExpectedEventType(*begin))),
        };
    }
    let Some(([tag1, tag2, size1, size2, length @ ..], rest)) = rest.split_first_chunk::<8>() else { return Need(12) };
    let tag = u16::from_be_bytes([*tag1, *tag2]);
    let length = u32::from_be_bytes(*length);
    if length > MAX_DESCRIPTION {
        return Damaged(None);
    }
    let (length, head) = (length as usize, TYPE.len() + 8);
    let Some((description, rest)) = rest.split_at_checked(length) else { return Need(head + length + 4) };
    let Some((extra, rest)) = rest.split_first_chunk::<4>() else { return Need(head + length + 4) };
    let extra = u32::from_be_bytes(*extra);
    if extra > MAX_DESCRIPTION {
        return Damaged(Some(ErrorKind::ExpectedEndOfType { tag }));
    }
    let used = head + length + 4 + extra as usize + TYPE_END.len();
    match rest.get(extra as usize..extra as usize + TYPE_END.len()) {
        None => Need(used),
        Some(end) if end == TYPE_END && !holds_type(bytes.get(head..used).unwrap_or_default()) => {
            Type { tag, size: u16::from_be_bytes([*size1, *size2]), description, bytes: used as u64 }
        }
        Some(_) => Damaged(Some(ErrorKind::ExpectedEndOfType { tag })),
    }
}

/// Whether another event type begins in the middle of this one. Then its lengths are too large, and end where another
/// type does only by chance.
fn holds_type(bytes: &[u8]) -> bool {
    bytes.windows(TYPE.len()).any(|window| window == TYPE)
}

/// The first wrong one of the marks between event types and data.
fn wrong_mark(bytes: &[u8]) -> [u8; 4] {
    let marks = bytes.chunks(4).zip(END.chunks(4));
    let mut wrong = marks.filter(|(mark, right)| mark != right).map(|(mark, _)| mark);
    mark(wrong.next().unwrap_or_default())
}

/// Where the next event type begins after the first byte, or the header ends. `all` means that no more bytes will come.
fn next_mark(bytes: &[u8], all: bool) -> Option<usize> {
    let is_mark = |at: usize| {
        let here = bytes.get(at..).unwrap_or_default();
        here.starts_with(TYPE) || here.first_chunk().is_some_and(|front| resembles(front, END))
    };
    // An offset is only judged once all bytes of a possible mark are there.
    let end = if all { bytes.len() } else { (bytes.len() + 1).saturating_sub(END.len()) };
    (1..end).find(|at| is_mark(*at))
}

/// Whether these are the marks, with at most a third of their bytes wrong: one whole mark may be missing.
fn resembles<const N: usize>(bytes: &[u8; N], marks: &[u8; N]) -> bool {
    bytes.iter().zip(marks).filter(|(byte, right)| byte != right).count() <= N / 3
}

/// How many bytes of an event type it takes to see changed line ends: its numbers, and one byte of its description.
const TEXT_MODE_SHOWS: usize = 13;

/// Whether changed line ends put a byte into the numbers of an event type: `00 00 00 0d`, the length of "Create
/// thread", becomes `00 00 00 0a 0d`.
fn is_text_mode(bytes: &[u8]) -> bool {
    let numbers = bytes.get(..TEXT_MODE_SHOWS).unwrap_or(bytes).get(TYPE.len()..).unwrap_or_default();
    numbers.windows(2).any(|two| two == b"\r\n" || two == b"\n\r")
}

/// Where a header begins in the first bytes, if one does.
pub(crate) fn find_header(bytes: &[u8]) -> Option<usize> {
    let window = bytes.get(..HEADER_SEARCH + BEGIN.len()).unwrap_or(bytes);
    let mut places = window.windows(BEGIN.len());
    let damaged = || {
        // A damaged mark counts if an event type follows it.
        let front = |at: usize| window.get(at..).and_then(<[u8]>::first_chunk::<12>);
        (0..window.len()).find(|at| front(*at).is_some_and(|front| resembles(front, b"hdrbhetbetb\0")))
    };
    places.position(|bytes| bytes == BEGIN).or_else(damaged)
}

fn mark(bytes: &[u8]) -> [u8; 4] {
    let mut mark = [0; 4];
    for (to, from) in mark.iter_mut().zip(bytes) {
        *to = *from;
    }
    mark
}

#[cfg(test)]
mod tests;
