//! Writing logs, for tests, fuzz seeds and generators (feature `write`). The table that events are read by is the one
//! that they are written by.

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

/// An event of the table, as its struct.
pub trait KnownEvent<'a> {
    /// The number on the wire.
    const TAG: u16;
    /// It, as one of all.
    fn event(self) -> Event<'a>;
}

/// Builds a log, front to back. What it is told to write it writes: a log is as valid as what is asked for.
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
    /// The smallest and the largest time of the open block's events so far.
    times: Option<(Nanos, Nanos)>,
    /// The time of the last event.
    last: Nanos,
}

/// What a block's marker says. What is `None` comes from what the block turns out to hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Block {
    /// Whose events; `None` for the global buffer.
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

    /// Where the next byte goes, in bytes from the start of the log.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.bytes.len()
    }

    /// The log.
    #[must_use]
    pub fn finish(self) -> Vec<u8> {
        self.bytes
    }

    /// Writes a header: the log's, or that of a further stream.
    pub fn header(&mut self, types: &[EventType]) -> &mut Self {
        self.sizes.clear();
        self.bytes(b"hdrbhetb");
        for declared in types {
            self.declare(declared);
        }
        self.bytes(b"hetehdredatb")
    }

    /// Writes one event type, for headers made piece by piece. Records of its number take its size from now on.
    pub fn declare(&mut self, declared: &EventType) -> &mut Self {
        self.bytes(b"etb\0").bytes(&declared.tag.to_be_bytes()).bytes(&declared.size.to_be_bytes());
        self.bytes(&(declared.description.len() as u32).to_be_bytes()).bytes(declared.description.as_bytes());
        self.bytes(&[0; 4]).bytes(b"ete\0").write_as(declared.tag, declared.size)
    }

    /// Writes records of a number with payloads of this size from now on, whatever the header says: some runtimes do.
    pub fn write_as(&mut self, tag: u16, size: u16) -> &mut Self {
        self.sizes.insert(tag, size);
        self
    }

    /// Writes an event.
    pub fn event<'a, E: KnownEvent<'a>>(&mut self, time: Nanos, event: E) -> &mut Self {
        self.record(time, E::TAG, event.event())
    }

    /// Writes a record of any number. The payload of `Event::Unknown` is written as it is; that of a known event, if
    /// its number has a fixed size, is cut or filled up with zeros to it. A length over 65535 wraps, as GHC's does.
    pub fn record(&mut self, time: Nanos, tag: u16, event: Event<'_>) -> &mut Self {
        let mut payload = Vec::new();
        event.write(self.size(tag).unwrap_or(0), &mut payload);
        self.frame(time, tag, &payload)
    }

    /// Writes an event by its name and the names of its fields, as the table has them. Fields left out are 0, empty, or
    /// absent if they can be.
    ///
    /// # Errors
    /// When there is no such event or field, or a value is none that the field can have.
    pub fn named(&mut self, time: Nanos, name: &str, fields: &[(&str, Value<'_>)]) -> Result<&mut Self, NameError> {
        let info = EVENTS.iter().find(|info| info.name == name).ok_or(NameError::Event)?;
        let payload = fields::by_name(info, fields, self.size(info.tag).unwrap_or(0))?;
        Ok(self.frame(time, info.tag, &payload))
    }

    /// Writes a block: its marker, then what `contents` writes. Blocks may be nested, as in no log but damaged ones.
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

    /// Writes the end mark: within the last block since GHC 9.2, behind it before.
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

    /// As declared; otherwise as the newest runtime has it, if it is known at all.
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
