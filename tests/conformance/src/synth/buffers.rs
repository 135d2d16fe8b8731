//! Buffers for events on their way into a log: one for each capability and one for the rest, as in the runtime.

use ghc_eventlog::{Block, CapNo, KnownEvent, LogWriter, Nanos};
use std::{
    collections::BTreeMap,
    io::{self, Write},
};

/// A buffer with this many bytes is written as a block. With the longest record, that is at most GHC's 2 MiB.
pub(super) const FULL: usize = (2 << 20) - (1 << 17);

pub(super) struct Buffers<'w> {
    to: &'w mut dyn Write,
    /// The first failure; nothing is written after it.
    result: io::Result<()>,
    open: BTreeMap<Option<CapNo>, Buffer>,
    /// A buffer with this many bytes is written as a block.
    full: usize,
    /// The capability whose blocks come last in the file, and these blocks.
    late: (Option<CapNo>, Vec<u8>),
    /// How many blocks there are so far.
    blocks: u64,
}

#[derive(Default)]
struct Buffer {
    events: LogWriter,
    /// The smallest and the largest time.
    times: Option<(Nanos, Nanos)>,
}

impl<'w> Buffers<'w> {
    /// Begins a log.
    pub(super) fn new(full: usize, late: Option<CapNo>, to: &'w mut dyn Write) -> Self {
        let result = to.write_all(&LogWriter::new().finish());
        Self { to, result, open: BTreeMap::new(), full, late: (late, Vec::new()), blocks: 0 }
    }

    pub(super) fn blocks(&self) -> u64 {
        self.blocks
    }

    /// Adds an event to a capability's buffer, or to the global one.
    pub(super) fn post<'a>(&mut self, cap: Option<CapNo>, time: Nanos, event: impl KnownEvent<'a>) {
        let buffer = self.open.entry(cap).or_default();
        buffer.events.event(time, event);
        let (first, last) = buffer.times.unwrap_or((time, time));
        buffer.times = Some((first.min(time), last.max(time)));
        if buffer.events.offset() >= self.full {
            self.flush(cap);
        }
    }

    /// Writes a buffer as a block, if it has events.
    pub(super) fn flush(&mut self, cap: Option<CapNo>) {
        let Some(Buffer { events, times: Some((first, last)) }) = self.open.remove(&cap) else { return };
        let mut block = LogWriter::empty();
        block.block(Block { cap, time: Some(first), end_time: Some(last), size: None }, |block| {
            block.bytes(&events.finish());
        });
        self.blocks += 1;
        if cap.is_some() && cap == self.late.0 {
            self.late.1.extend(block.finish());
        } else {
            self.write(&block.finish());
        }
    }

    /// Writes what is left, and the end mark.
    ///
    /// # Errors
    /// When anything could not be written.
    pub(super) fn finish(mut self) -> io::Result<()> {
        while let Some(cap) = self.open.keys().next().copied() {
            self.flush(cap);
        }
        let late = std::mem::take(&mut self.late.1);
        self.write(&late);
        let mut end = LogWriter::empty();
        end.end();
        self.write(&end.finish());
        self.result
    }

    fn write(&mut self, bytes: &[u8]) {
        if self.result.is_ok() {
            self.result = self.to.write_all(bytes);
        }
    }
}
