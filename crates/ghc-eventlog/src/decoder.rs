//! The decoder: turns chunks of bytes, of any size, into records.

use crate::{
    CapNo, Flaw, Nanos,
    error::{Cause, Error, ErrorKind, Notice, NoticeKind},
    events::{BlockMarker, CreateMachine},
    frame::{Bounds, Frame, Framed, frame, sane_marker},
    header::{Header, Way},
    header_reader::{HeaderReader, Piece, find_header},
    limits::{HEADER_SEARCH, HEADERS_BYTES, MAX_HEADERS, MAX_TIME_OPEN, MAX_TIME_OUTSIDE, SIZES_TRIED_ON},
    plain::plain,
    position::{ANY_TIME, NO_BLOCK, Position, START},
    resync::{Found, Resync},
    sizes,
    stream::{Chunk, Record, Step},
};
use alloc::{boxed::Box, sync::Arc, vec::Vec};
use core::ops::ControlFlow;

/// Turns a log's bytes into records. Call [`Self::next`] in a loop (the crate's documentation shows it). The decoder
/// keeps no bytes: if it needs more than the chunk has, it returns [`Step::Need`], and the caller passes a longer
/// chunk.
#[derive(Debug, Clone)]
pub struct Decoder {
    at: Position,
    /// The header in force.
    header: Arc<Header>,
    headers: Vec<Arc<Header>>,
    phase: Phase,
    /// Whether this stream's end mark was read.
    ended: bool,
    /// Event numbers for which a [`NoticeKind::SizeMended`] was already given: one notice per number is enough.
    resized: Vec<u16>,
}

#[derive(Debug, Clone)]
enum Phase {
    Header(Box<HeaderReader>),
    /// After a header with sizes that are not GHC's: whether they are true has yet to be seen.
    Sizes(Box<Header>),
    Events,
    /// Between events; this notice comes before the next one.
    Tell(Notice),
    /// Looking for the next record after damage.
    Damaged(Resync),
    /// After an end mark.
    AfterEnd,
    /// After the end mark, in bytes that are not read; they begin at this offset.
    Trailing(u64),
    Over,
}

impl Default for Decoder {
    fn default() -> Self {
        Self::new()
    }
}

impl Decoder {
    /// A decoder at the start of a log.
    #[must_use]
    pub fn new() -> Self {
        Self {
            at: START,
            header: Arc::default(),
            headers: Vec::new(),
            phase: Phase::Header(Box::default()),
            ended: false,
            resized: Vec::new(),
        }
    }

    /// The offset of the next byte to read, from the start of the file. The caller must keep the bytes from here on.
    #[inline]
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.at.offset
    }

    /// The memory that the headers read so far take, in bytes; at most [`HEADERS_BYTES`].
    #[must_use]
    pub fn bytes_held(&self) -> usize {
        self.headers.iter().map(|header| size_of::<Header>() + header.bytes_held()).sum()
    }

    /// The header in force: empty before the first one is read.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// All headers that were read so far, in order of the file, without repeated ones.
    pub fn headers(&self) -> impl Iterator<Item = &Header> {
        self.headers.iter().map(|header| &**header)
    }

    /// The place to pass to [`Self::resumed`] later. Call it only between records: right after an event, a header, or a
    /// notice of a loss.
    #[inline]
    #[must_use]
    pub fn position(&self) -> Position {
        self.at
    }

    /// A decoder that reads the events of one header, from the offset `from` on; the log's last event before them is at
    /// `before`.
    pub(crate) fn of(header: Header, from: u64, before: Nanos) -> Self {
        let at = Position { offset: from, before, ..START };
        Self { at, header: Arc::new(header), phase: Phase::Events, ..Self::new() }
    }

    /// A decoder that continues at `position` of the same log.
    #[must_use]
    pub fn resumed(&self, position: Position) -> Self {
        let header = self.headers.get(usize::from(position.header)).unwrap_or(&self.header);
        Self {
            at: position,
            header: Arc::clone(header),
            headers: self.headers.clone(),
            phase: Phase::Events,
            ended: false,
            resized: Vec::new(),
        }
    }

    /// A decoder of the same log that searches for the next block from `offset` on and continues there. A notice
    /// reports the bytes that it skips on the way.
    #[must_use]
    pub fn searching(&self, offset: u64) -> Self {
        let resync = Resync::for_block(offset);
        Self { phase: Phase::Damaged(resync), ..self.resumed(Position { offset, header: self.at.header, ..START }) }
    }

    /// Makes one step: call it until it returns [`Step::End`]. After [`Step::Need`], call it with a chunk that holds at
    /// least that many bytes from [`Self::offset`] on; after any other step, with the same chunk or a later one.
    /// `chunk` must begin at or before [`Self::offset`].
    ///
    /// # Errors
    /// When the log's first header cannot be read: without it nothing can be read.
    #[inline]
    pub fn next<'a>(&mut self, chunk: Chunk<'a>) -> Result<Step<'a>, Error> {
        if let Phase::Events = self.phase
            && let bytes = within_block(chunk, &self.at)
            && let Some(plain) = plain(bytes, self.header.layouts(), self.at.times, self.at.floor())
        {
            let record = plain.at(self.at.offset, self.at.cap);
            let end = self.at.offset + (bytes.len() - plain.behind.len()) as u64;
            self.at.step_over(record.time, end);
            return Ok(Step::Event(record));
        }
        self.other_step(chunk)
    }

    /// The fast path: passes records to `take` while they are plain, that is framed by the header, complete in the
    /// chunk, and within their block. It stops at the end of the block, after the first record that ends at the offset
    /// `until` or later, and when `take` returns `Break`. Call [`Self::next`] for whatever comes then. Calling this
    /// before each `next` is faster than `next` alone, since the decoder's state stays in registers from record to
    /// record.
    #[inline(always)]
    pub fn each_plain<'a>(
        &mut self,
        chunk: Chunk<'a>,
        until: u64,
        mut take: impl FnMut(Record<'a>) -> ControlFlow<()>,
    ) {
        let Phase::Events = self.phase else { return };
        let (at, layouts) = (self.at, self.header.layouts());
        let bytes = within_block(chunk, &at);
        // Once no more bytes than this are left, `until` is reached.
        let enough = bytes.len().saturating_sub(saturating(until.saturating_sub(at.offset)));
        let (mut rest, mut floor) = (bytes, at.floor());
        while let Some(plain) = plain(rest, layouts, at.times, floor) {
            let record = plain.at(at.offset + (bytes.len() - rest.len()) as u64, at.cap);
            (rest, floor) = (plain.behind, plain.time);
            if take(record).is_break() || rest.len() <= enough {
                break;
            }
        }
        let used = (bytes.len() - rest.len()) as u64;
        if used > 0 {
            self.at.step_over(floor, at.offset + used);
        }
    }

    #[cold]
    #[inline(never)]
    fn other_step<'a>(&mut self, chunk: Chunk<'a>) -> Result<Step<'a>, Error> {
        if let Phase::Events = self.phase
            && let Some(step) = self.event_step(chunk)
        {
            return Ok(step);
        }
        loop {
            let here = chunk.from(self.at.offset);
            let step = match core::mem::replace(&mut self.phase, Phase::Over) {
                Phase::Header(reader) => self.header_step(reader, here)?,
                Phase::Sizes(header) => self.sizes_step(header, here)?,
                Phase::Events => {
                    self.phase = Phase::Events;
                    self.event_step(chunk)
                }
                Phase::Tell(notice) => {
                    self.tell_of_header(Some(notice.kind));
                    Some(Step::Notice(notice))
                }
                Phase::Damaged(resync) => self.damaged_step(resync, chunk),
                Phase::AfterEnd => self.after_end_step(chunk),
                Phase::Trailing(from) => self.trailing_step(from, here),
                Phase::Over => Some(Step::End),
            };
            if let Some(step) = step {
                return Ok(step);
            }
        }
    }

    fn notice<'a>(&self, kind: NoticeKind) -> Option<Step<'a>> {
        Some(Step::Notice(Notice { kind, offset: self.at.offset }))
    }

    fn header_step<'a>(&mut self, mut reader: Box<HeaderReader>, here: Chunk<'_>) -> Result<Option<Step<'a>>, Error> {
        let piece = match reader.next(here) {
            Ok(piece) => piece,
            Err(error) if self.headers.is_empty() => return Err(error),
            Err(error) => return Ok(Some(self.further_header_lost(error))),
        };
        let step = match piece {
            Piece::Read(bytes) => {
                self.at.offset += bytes;
                None
            }
            Piece::Notice(kind, bytes) => {
                let step = self.notice(kind);
                self.at.offset += bytes;
                step
            }
            Piece::Need(bytes) => Some(Step::Need(bytes)),
            Piece::Complete(bytes) => {
                self.at.offset += bytes;
                let header = reader.finish();
                if header.has_doubts() && !self.headers.iter().any(|known| known.declares_as(&header)) {
                    self.phase = Phase::Sizes(Box::new(header));
                    return Ok(None);
                }
                return self.header_complete(header);
            }
        };
        self.phase = Phase::Header(reader);
        Ok(step)
    }

    /// Reads what follows a header in two ways, to see which sizes are true.
    fn sizes_step<'a>(&mut self, mut header: Box<Header>, here: Chunk<'_>) -> Result<Option<Step<'a>>, Error> {
        if here.bytes.len() < SIZES_TRIED_ON && !here.last {
            self.phase = Phase::Sizes(header);
            return Ok(Some(Step::Need(SIZES_TRIED_ON)));
        }
        sizes::decide(&mut header, here, self.at.latest());
        self.header_complete(*header)
    }

    /// A further stream cannot be read without its header. The streams before it have been read.
    fn further_header_lost<'a>(&mut self, error: Error) -> Step<'a> {
        self.phase = Phase::Trailing(self.at.offset);
        Step::Notice(Notice { kind: NoticeKind::FurtherHeader(error.kind), offset: error.offset })
    }

    /// A complete header comes into force.
    fn header_complete<'a>(&mut self, header: Header) -> Result<Option<Step<'a>>, Error> {
        match self.take_header(header) {
            Ok(()) => Ok(Some(Step::Header)),
            Err(error) if self.headers.is_empty() => Err(error),
            Err(error) => Ok(Some(self.further_header_lost(error))),
        }
    }

    fn take_header(&mut self, header: Header) -> Result<(), Error> {
        let known = self.headers.iter().position(|known| known.declares_as(&header));
        let index = known.unwrap_or(self.headers.len());
        let kept: usize = self.headers.iter().map(|header| header.bytes_held()).sum();
        let too_large = known.is_none() && index > 0 && kept + header.bytes_held() > HEADERS_BYTES;
        if index >= MAX_HEADERS || too_large {
            return Err(Error { kind: ErrorKind::TooManyHeaders, offset: self.at.offset });
        }
        if known.is_none() {
            self.headers.push(Arc::new(header));
        }
        if let Some(header) = self.headers.get(index) {
            self.header = Arc::clone(header);
        }
        self.at = Position { offset: self.at.offset, header: index as u16, before: self.at.latest(), ..START };
        self.ended = false;
        self.resized.clear();
        self.tell_of_header(None);
        Ok(())
    }

    /// Events come next, or before them what there is to say of the header after the notice `after`. A notice of an
    /// event comes after all of these.
    fn tell_of_header(&mut self, after: Option<NoticeKind>) {
        let notice = HeaderReader::notice(&self.header, after, self.at.offset);
        self.phase = notice.map_or(Phase::Events, Phase::Tell);
    }

    /// `self.phase` is `Events` when this is called, and stays so unless this changes it.
    fn event_step<'a>(&mut self, chunk: Chunk<'a>) -> Option<Step<'a>> {
        let here = chunk.from(self.at.offset);
        if here.bytes.is_empty() && here.last {
            if let Some(beyond) = self.block_beyond(self.at.offset) {
                self.at.block_end = NO_BLOCK;
                return Some(beyond);
            }
            self.phase = Phase::Over;
            return if self.ended { Some(Step::End) } else { self.notice(NoticeKind::NoEndMark) };
        }
        match frame(here, &self.header, self.bounds()) {
            Frame::Need(bytes) if !here.last => Some(Step::Need(bytes)),
            Frame::Need(bytes) => Some(self.cut(here, bytes)),
            Frame::EndMark => {
                self.phase = Phase::AfterEnd;
                None
            }
            Frame::Record(record) => Some(self.record_or_loss(record)),
            Frame::Damaged(cause) => {
                self.phase = Phase::Damaged(Resync::new(cause, self.at.offset, self.bounds()));
                None
            }
        }
    }

    /// The bounds of the open block. An empty block has none: the reference implementation gives its capability to the
    /// next event.
    fn bounds(&self) -> Bounds {
        if self.at.offset >= self.at.block_end {
            return Bounds { block_end: NO_BLOCK, times: ANY_TIME, last_time: self.at.before };
        }
        Bounds { block_end: self.at.block_end, times: self.at.times, last_time: self.at.last_time }
    }

    /// The bytes that the open block lacks if it ends at `end`.
    fn block_lacks(&self, end: u64) -> Option<u64> {
        let open = Some(self.at.block_end).filter(|block_end| *block_end != NO_BLOCK);
        open.and_then(|block_end| block_end.checked_sub(end)).filter(|bytes| *bytes > 0)
    }

    /// The notice about the last block, if the log ends before the block should.
    fn block_beyond<'a>(&self, end: u64) -> Option<Step<'a>> {
        let kind = NoticeKind::BlockBeyondEnd(self.block_lacks(end)?);
        Some(Step::Notice(Notice { kind, offset: end }))
    }

    /// A record; but before a block marker that comes too early, the loss at the end of the open block.
    fn record_or_loss<'a>(&mut self, record: Framed<'a>) -> Step<'a> {
        if record.layout.way == Way::Block
            && let Some(bytes) = self.block_lacks(self.at.offset)
        {
            self.at.leave_block();
            return Step::Notice(Notice { kind: NoticeKind::BlockLacks(bytes), offset: self.at.offset });
        }
        self.record(record)
    }

    fn record<'a>(&mut self, record: Framed<'a>) -> Step<'a> {
        let Framed { tag, time, layout, payload, end, flaw } = record;
        if layout.way == Way::Block {
            return self.block(BlockMarker::read(payload), time, payload, end);
        }
        if let Some(flaw) = flaw {
            self.phase = Phase::Tell(Notice { kind: NoticeKind::Fields { tag, flaw }, offset: self.at.offset });
        } else if let Some(notice) = self.other_size(tag, layout.size) {
            self.phase = Phase::Tell(notice);
        }
        if (time < self.at.times.0 || time > self.at.times.1) && tag != CreateMachine::TAG {
            // The records that follow agree with this one, so the marker's times are false, as in merged logs.
            self.at.times = block_times(time, Nanos(0));
        }
        let known = layout.way != Way::Opaque && flaw != Some(Flaw::Short);
        let record = Record { offset: self.at.offset, time, tag, cap: self.at.cap, known, payload };
        self.at.step_over(time, end);
        Step::Event(record)
    }

    /// The notice for the first record of a number whose size is not the header's.
    fn other_size(&mut self, tag: u16, size: u16) -> Option<Notice> {
        if self.header.layout(tag).way != Way::Doubtful || self.resized.contains(&tag) {
            return None;
        }
        let declared = self.header.declared(tag)?.size;
        if declared == size || self.header.is_ghcs_mistake(tag, declared) {
            return None;
        }
        self.resized.push(tag);
        Some(Notice { kind: NoticeKind::SizeMended { tag, declared, size }, offset: self.at.offset })
    }

    fn block<'a>(&mut self, block: BlockMarker, time: Nanos, payload: &'a [u8], end: u64) -> Step<'a> {
        let offset = self.at.offset;
        let cap = (block.cap != CapNo::GLOBAL).then_some(block.cap);
        let record = Record { offset, time, tag: BlockMarker::TAG, cap, known: true, payload };
        let smallest = end - offset;
        let size = u64::from(block.size);
        self.at = Position {
            offset: end,
            cap,
            // A size that cannot be right leaves the block open until the next marker.
            block_end: if size < smallest { NO_BLOCK } else { offset + size },
            times: block_times(time, block.end_time),
            last_time: time,
            before: self.at.latest(),
            header: self.at.header,
        };
        if size < smallest {
            self.phase = Phase::Tell(Notice { kind: NoticeKind::BlockSize(block.size), offset });
        }
        Step::Event(record)
    }

    fn cut<'a>(&mut self, here: Chunk<'_>, needed: usize) -> Step<'a> {
        self.phase = Phase::Over;
        let tag = here.bytes.first_chunk::<2>().map(|tag| u16::from_be_bytes(*tag));
        let bytes = here.bytes.len() as u64;
        let missing = (needed as u64).saturating_sub(bytes);
        let offset = self.at.offset;
        self.at.offset += bytes;
        Step::Notice(Notice { kind: NoticeKind::Cut { tag, missing, bytes }, offset })
    }

    fn damaged_step<'a>(&mut self, mut resync: Resync, chunk: Chunk<'a>) -> Option<Step<'a>> {
        match resync.search(chunk, &self.header) {
            Found::Need { offset, bytes } => {
                self.at.offset = offset;
                self.phase = Phase::Damaged(resync);
                Some(Step::Need(bytes))
            }
            Found::At(offset) => {
                let lost = Notice { kind: resync.lost(offset), offset: resync.from };
                self.at.offset = offset;
                if offset >= self.at.block_end {
                    self.at.leave_block();
                }
                self.phase = if chunk.ends_at(offset) { Phase::Over } else { Phase::Events };
                Some(Step::Notice(lost))
            }
        }
    }

    /// After an end mark comes the end, a further stream, more events (the reference decodes them too), or junk.
    fn after_end_step<'a>(&mut self, chunk: Chunk<'a>) -> Option<Step<'a>> {
        let behind = chunk.from(self.at.offset + 2);
        self.ended = true;
        if behind.bytes.len() < HEADER_SEARCH + 8 && !behind.last {
            self.phase = Phase::AfterEnd;
            return Some(Step::Need(2 + HEADER_SEARCH + 8));
        }
        if behind.bytes.is_empty() {
            self.at.offset += 2;
            return Some(self.block_beyond(behind.offset).unwrap_or(Step::End));
        }
        if let Some(skip) = find_header(behind.bytes) {
            self.at = Position { offset: behind.offset, before: self.at.latest(), ..START };
            self.phase = Phase::Header(Box::new(HeaderReader::after(skip)));
            let offset = behind.offset + skip as u64;
            return Some(Step::Notice(Notice { kind: NoticeKind::FurtherStream, offset }));
        }
        match self.goes_on(behind) {
            Frame::Need(bytes) if !behind.last => {
                self.phase = Phase::AfterEnd;
                Some(Step::Need(2 + bytes))
            }
            Frame::Record(_) => {
                self.phase = Phase::Events;
                let step = self.notice(NoticeKind::EventsAfterEndMark);
                self.at.offset += 2;
                step
            }
            _ if self.at.block_end != NO_BLOCK && behind.offset < self.at.block_end => {
                self.phase = Phase::Damaged(Resync::new(Cause::EndMark, self.at.offset, self.bounds()));
                None
            }
            _ => {
                self.at.offset += 2;
                self.phase = Phase::Trailing(self.at.offset);
                None
            }
        }
    }

    /// Whether a record follows the end mark. Its time must not be much earlier: zeros, which a full disk leaves, would
    /// read as thread 0 being created at time 0.
    fn goes_on<'a>(&self, behind: Chunk<'a>) -> Frame<'a> {
        let earliest = Nanos(self.at.latest().0.saturating_sub(MAX_TIME_OUTSIDE.0));
        match frame(behind, &self.header, Bounds { block_end: NO_BLOCK, ..self.bounds() }) {
            Frame::Record(Framed { tag: BlockMarker::TAG, payload, time, .. }) if !sane_marker(payload, time) => {
                Frame::Damaged(Cause::EndMark)
            }
            Frame::Record(record) if record.time < earliest || record.time == Nanos(0) => {
                Frame::Damaged(Cause::EndMark)
            }
            frame => frame,
        }
    }

    fn trailing_step<'a>(&mut self, from: u64, here: Chunk<'_>) -> Option<Step<'a>> {
        self.at.offset += here.bytes.len() as u64;
        if !here.last {
            self.phase = Phase::Trailing(from);
            return Some(Step::Need(1));
        }
        let bytes = self.at.offset - from;
        (bytes > 0).then_some(Step::Notice(Notice { kind: NoticeKind::BytesAfterEndMark(bytes), offset: from }))
    }
}

/// The bytes from `at` on that the chunk has and that belong to the block of `at`.
#[inline]
fn within_block<'a>(chunk: Chunk<'a>, at: &Position) -> &'a [u8] {
    let rest = chunk.from(at.offset).bytes;
    rest.get(..saturating(at.block_end.saturating_sub(at.offset))).unwrap_or(rest)
}

fn saturating(bytes: u64) -> usize {
    usize::try_from(bytes).unwrap_or(usize::MAX)
}

/// The times that a block's events may have. Events posted with an earlier time can lie a little before the marker's.
pub(crate) fn block_times(opened: Nanos, closed: Nanos) -> (Nanos, Nanos) {
    let to = if closed < opened { opened.plus(MAX_TIME_OPEN) } else { closed.plus(MAX_TIME_OUTSIDE) };
    (Nanos(opened.0.saturating_sub(MAX_TIME_OUTSIDE.0)), to)
}
