//! Writes logs, for tests, fuzz seeds and generators (feature `write`). Events are written from the same table as they
//! are read by.

mod fields;

use crate::{
    CapNo, Nanos,
    events::{BlockMarker, EVENTS, Event, info},
    header::{EventType, VARIABLE},
    payload::Value,
    table::EventInfo,
};
use alloc::{collections::BTreeMap, vec::Vec};

pub use fields::NameError;

/// An event's struct, as the table makes it.
pub trait KnownEvent<'a> {
    /// The number on the wire.
    const TAG: u16;
    /// The event as an [`Event`].
    fn event(self) -> Event<'a>;
}

/// Writes a log, front to back. It checks nothing, so it can write invalid logs, too.
///
/// ```
/// use ghc_eventlog::{Block, CapNo, LogWriter, Nanos, RunThread, ThreadId};
///
/// let mut log = LogWriter::new();
/// log.block(Block::of(CapNo(0)), |block| {
///     block.event(Nanos(10), RunThread { thread: ThreadId(1) });
///     block.named(Nanos(20), "STOP_THREAD", &[("thread", 1.into()), ("status", 5.into())]).unwrap();
/// });
/// log.end();
/// let bytes = log.finish();
/// # assert!(bytes.ends_with(&[0, 0, 0, 1, 0, 5, 0, 0, 0, 0, 0xff, 0xff]));
/// ```
#[derive(Debug, Clone, Default)]
pub struct LogWriter {
    bytes: Vec<u8>,
    /// Payload sizes, by number.
    sizes: BTreeMap<u16, u16>,
    /// The smallest and the largest time of the events in the open block so far.
    times: Option<(Nanos, Nanos)>,
    /// The time of the last event.
    last: Nanos,
}

/// What a block's marker says. `None` means: computed from the block's contents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Block {
    /// The capability of the events; `None` for the global buffer.
    pub cap: Option<CapNo>,
    /// The marker's own time.
    pub time: Option<Nanos>,
    /// When the block was closed.
    pub end_time: Option<Nanos>,
    /// From the first byte of the marker to the end of the block.
    pub size: Option<u32>,
}

impl Block {
    /// A block of the global buffer.
    pub const GLOBAL: Self = Self { cap: None, time: None, end_time: None, size: None };

    /// A block of a capability.
    #[must_use]
    pub const fn of(cap: CapNo) -> Self {
        Self { cap: Some(cap), ..Self::GLOBAL }
    }
}

impl LogWriter {
    /// A log whose header declares [`known_types`].
    #[must_use]
    pub fn new() -> Self {
        Self::with_types(&known_types())
    }

    /// A log whose header declares these types.
    #[must_use]
    pub fn with_types(types: &[EventType]) -> Self {
        let mut log = Self::empty();
        log.header(types);
        log
    }

    /// A log without anything, not even a header.
    #[must_use]
    pub fn empty() -> Self {
        Self::default()
    }

    /// The offset of the next byte, from the start of the log.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.bytes.len()
    }

    /// The log.
    #[must_use]
    pub fn finish(self) -> Vec<u8> {
        self.bytes
    }

    /// Writes a header: the log's first one, or that of a further stream.
    pub fn header(&mut self, types: &[EventType]) -> &mut Self {
        self.sizes.clear();
        self.bytes(b"hdrbhetb");
        for declared in types {
            self.declare(declared);
        }
        self.bytes(b"hetehdredatb")
    }

    /// Writes one event type, for headers that are made piece by piece. Later records of its number have its size.
    pub fn declare(&mut self, declared: &EventType) -> &mut Self {
        self.bytes(b"etb\0").bytes(&declared.tag.to_be_bytes()).bytes(&declared.size.to_be_bytes());
        self.bytes(&(declared.description.len() as u32).to_be_bytes()).bytes(declared.description.as_bytes());
        self.bytes(&[0; 4]).bytes(b"ete\0").write_as(declared.tag, declared.size)
    }

    /// Gives later records of this number payloads of `size` bytes, whatever the header says: some runtimes do that.
    pub fn write_as(&mut self, tag: u16, size: u16) -> &mut Self {
        self.sizes.insert(tag, size);
        self
    }

    /// Writes an event.
    pub fn event<'a, E: KnownEvent<'a>>(&mut self, time: Nanos, event: E) -> &mut Self {
        self.record(time, E::TAG, event.event())
    }

    /// Writes a record of any number. The payload of `Event::Unknown` is written as it is. The payload of a known event
    /// is cut, or filled up with zeros, to the size of its number if that is fixed. A length over 65535 wraps, as GHC's
    /// does.
    pub fn record(&mut self, time: Nanos, tag: u16, event: Event<'_>) -> &mut Self {
        let mut payload = Vec::new();
        event.write(self.size(tag).unwrap_or(0), &mut payload);
        self.frame(time, tag, &payload)
    }

    /// Writes an event by its name and the names of its fields in the table. Fields that are left out are absent if
    /// they can be, otherwise 0 or empty.
    ///
    /// # Errors
    /// When there is no such event or field, or the field cannot have the value.
    pub fn named(&mut self, time: Nanos, name: &str, fields: &[(&str, Value<'_>)]) -> Result<&mut Self, NameError> {
        let info = EVENTS.iter().find(|info| info.name == name).ok_or(NameError::Event)?;
        let payload = fields::by_name(info, fields, self.size(info.tag).unwrap_or(0))?;
        Ok(self.frame(time, info.tag, &payload))
    }

    /// Writes a block: its marker, then what `contents` writes. Blocks may be nested, which only damaged logs have.
    pub fn block(&mut self, block: Block, contents: impl FnOnce(&mut Self)) -> &mut Self {
        let marker = |size, end_time| BlockMarker { size, end_time, cap: block.cap.unwrap_or(CapNo::GLOBAL) };
        let (from, last, outside) = (self.offset(), self.last, self.times);
        self.event(Nanos(0), marker(0, Nanos(0)));
        let head = self.offset();
        (self.last, self.times) = (last, None);
        contents(self);
        let size = block.size.unwrap_or((self.offset() - from) as u32);
        let inside = self.bytes.split_off(head);
        self.bytes.truncate(from);
        let (first, end, last) = match self.times {
            Some((first, end)) => (first, end, self.last),
            None => (last, last, last),
        };
        self.event(block.time.unwrap_or(first), marker(size, block.end_time.unwrap_or(end)));
        (self.last, self.times) = (last, joined(outside, self.times.filter(|_| !inside.is_empty())));
        self.bytes(&inside)
    }

    /// Writes the end mark. GHC 9.2 and later have it within the last block, older releases after it.
    pub fn end(&mut self) -> &mut Self {
        self.bytes(&[0xff, 0xff])
    }

    /// Writes bytes as they are.
    pub fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.bytes.extend_from_slice(bytes);
        self
    }

    fn frame(&mut self, time: Nanos, tag: u16, payload: &[u8]) -> &mut Self {
        self.last = time;
        self.times = joined(self.times, Some((time, time)));
        self.bytes(&tag.to_be_bytes()).bytes(&time.0.to_be_bytes());
        if self.size(tag) == Some(VARIABLE) {
            self.bytes(&(payload.len() as u16).to_be_bytes());
        }
        self.bytes(payload)
    }

    /// The declared size; otherwise that of the newest runtime, if the number is known.
    fn size(&self, tag: u16) -> Option<u16> {
        self.sizes.get(&tag).copied().or_else(|| info(tag).map(newest_size))
    }
}

/// Every event type of the table, in its newest form.
#[must_use]
pub fn known_types() -> Vec<EventType> {
    EVENTS.iter().map(EventType::from).collect()
}

impl From<&EventInfo> for EventType {
    /// The newest form.
    fn from(info: &EventInfo) -> Self {
        Self { tag: info.tag, size: newest_size(info), description: info.doc.into() }
    }
}

fn newest_size(info: &EventInfo) -> u16 {
    match info.variable {
        true => VARIABLE,
        false => info.wire.iter().map(|field| field.newest_size()).sum::<usize>() as u16,
    }
}

fn joined(some: Option<(Nanos, Nanos)>, more: Option<(Nanos, Nanos)>) -> Option<(Nanos, Nanos)> {
    let (Some((from, to)), Some((first, last))) = (some, more) else { return some.or(more) };
    Some((from.min(first), to.max(last)))
}
