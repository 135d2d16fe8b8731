//! A preview of a long log, before all of it has been read.
//!
//! ```text
//! file    |=====read=====|      look      look      look      look|
//! drawn   |==============|  ~~~~~~~~  ~~~~~~~~  ~~~~~~~~  ~~~~~~~~|      what was seen there, as if it went on so
//! ```
//!
//! A few places of the file are read, as many as take next to no time, and the last one, which shows how long the log is.
//! Blocks say which capability's events they hold and when, so the contents of any block can be drawn at their place. What is
//! seen there represents its surroundings until those are read; then it is dropped.

use crate::{
    keeping::sorted::Sorted,
    known::{
        preview::{Glimpse, Preview},
        sums::Sums,
    },
    limits,
    reading::{cursor::Cursor, model::Model},
    terms::{
        machine::{Dialect, KeptRow, Lost, Placed, Sink},
        sample::Sample,
        span::{Ending, Span},
    },
    tracks::{Machines, capability::LANE},
};
use alloc::vec::Vec;
use ghc_eventlog::{CapNo, Chunk, Decoder, Nanos, Step};

/// A part of the file to be looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    /// Where it begins, in bytes from the start of the file.
    pub offset: u64,
    /// Its length in bytes: enough if blocks are small.
    pub length: u64,
    /// A length in bytes that is enough for blocks of any size.
    pub longer: u64,
}

impl Model {
    /// Which parts of a log of this many bytes are worth a look before they are read; none if reading the log takes no time.
    /// The last part comes first: it shows how long the log is. `None` as long as too little has been read to know.
    #[must_use]
    pub fn looks(&mut self, log_bytes: u64) -> Option<Vec<Look>> {
        self.extent()?;
        let count = (log_bytes / limits::LOOK_DESERVED).min(limits::LOOKS);
        if count < limits::LOOKS_WORTH || self.is_finished() {
            return Some(Vec::new());
        }
        let look = |offset: u64| Look { offset, length: limits::LOOK, longer: limits::LOOK_LONGER };
        // In the middles of equal parts: half of such a part is longer than any look.
        let middles = (0..count).map(|at| log_bytes / count * at + log_bytes / count / 2);
        let read = self.offset();
        let ahead = middles.filter(|offset| *offset > read);
        // The last block may be of the maximum size.
        let end = Look { length: limits::LOOK_LONGER, ..look(log_bytes - limits::LOOK_LONGER) };
        self.known.preview = Preview { places: count, end_at: end.offset, ..Preview::default() };
        Some(core::iter::once(end).chain(ahead.map(look)).collect())
    }

    /// Takes the bytes of such a part. Returns whether they were enough to see what a capability did.
    pub fn look(&mut self, offset: u64, bytes: &[u8]) -> bool {
        let Some(dialect) = self.cursor.as_ref().map(Cursor::dialect) else { return true };
        let seen = streams_in(Chunk { bytes, offset, last: false }, self.decoder.searching(offset), dialect);
        let latest = seen.values().map(|stream| stream.to).max();
        let glimpses = seen.iter().filter_map(|(cap, stream)| Some(stream.glimpse((*cap)?)));
        self.known.revision += 1;
        self.known.preview.add(offset, latest, glimpses)
    }

    /// Until when the log continues after what has been read, as far as the preview shows.
    #[must_use]
    pub fn ahead(&self) -> Option<Nanos> {
        let (_, read) = self.extent()?;
        self.known.preview.last.filter(|last| *last > read)
    }
}

/// What is seen at one place, by capability. The global stream is included for its times.
type SeenByCap = Sorted<Option<CapNo>, SeenStream>;

struct SeenStream {
    machines: Machines,
    from: Nanos,
    to: Nanos,
    sums: Sums,
}

fn streams_in(chunk: Chunk<'_>, mut decoder: Decoder, mut dialect: Dialect) -> SeenByCap {
    let mut streams = SeenByCap::default();
    let mut opened = Nanos(0);
    while let Ok(step) = decoder.next(chunk) {
        match step {
            Step::Event(record) if record.is_block_marker() => opened = record.time,
            Step::Event(record) => {
                let stream = streams.entry(record.cap).or_insert_with(|| SeenStream::starting(opened));
                stream.to = stream.to.max(record.time);
                if record.known {
                    let SeenStream { machines, sums, .. } = stream;
                    machines.step(record, dialect, &mut SumUp(sums));
                }
            }
            // Another stream, perhaps of another process: nothing goes on there.
            Step::Header => {
                dialect = Dialect::of(decoder.header(), dialect.one_capability, dialect.threads);
                streams.iter_mut().for_each(|(_, stream)| stream.restart());
            }
            Step::Notice(_) => {}
            Step::Need(_) | Step::End => break,
        }
    }
    streams.iter_mut().for_each(|(_, stream)| stream.restart());
    streams
}

impl SeenStream {
    fn starting(time: Nanos) -> Self {
        Self { machines: Machines::starting(time), from: time, to: time, sums: Sums::default() }
    }

    /// Nothing goes on: what is open ends here.
    fn restart(&mut self) {
        if let Some(open) = self.machines.lane.open(self.to, Ending::Open) {
            SumUp(&mut self.sums).span(open);
        }
        self.machines = Machines::starting(self.to);
    }

    fn glimpse(&self, cap: CapNo) -> Glimpse {
        Glimpse::of(cap, self.from, self.to, &self.sums)
    }
}

/// Sums spans by state.
struct SumUp<'a>(&'a mut Sums);

impl Sink for SumUp<'_> {
    fn span(&mut self, span: Span) {
        self.0.add(LANE + usize::from(span.state), span.end.since(span.start).0);
    }

    fn sample<K: Placed>(&mut self, _: Sample) {}

    fn add<K: Placed>(&mut self, _: usize, _: u64, _: Nanos) {}

    fn reach<K: Placed>(&mut self, _: usize, _: u64, _: Nanos) {}

    fn row(&mut self, _: KeptRow) {}

    fn lost(&mut self, _: Lost) {}
}
