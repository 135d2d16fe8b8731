//! Some rows of one segment of the index, and how to read their events again.

use crate::{
    known::index::{Segment, ends_as_it_did},
    reading::{again::Failure, job::Changed, model::Model},
};
use core::ops;
use ghc_eventlog::{Chunk, Header, Nanos, PartDecoder, Position, Record, Step};

/// Some rows of one segment. It has all that is needed to decode them, even if the index changes meanwhile.
#[derive(Debug, Clone)]
pub(super) struct EventsPart {
    pub(super) at: Position,
    pub(super) end: u64,
    /// The time of its last event.
    pub(super) latest: Nanos,
    /// How many bytes beyond its end are read with it.
    pub(super) ahead: u64,
    /// How many events of the log come before it.
    pub(super) events_before: u64,
    /// How many of its matching events come before the rows.
    pub(super) skip: u64,
    /// Their places in the page.
    pub(super) rows: ops::Range<usize>,
}

impl EventsPart {
    /// All events of a segment.
    pub(super) fn of(segment: &Segment) -> Self {
        let Segment { at, end, latest, ahead, events_before, .. } = *segment;
        Self { at, end, latest, ahead, events_before, skip: 0, rows: 0..0 }
    }

    /// Passes on its events, each with its number in the log. It reads all of them, since only the end shows whether they are
    /// still those of the log.
    pub(super) fn events(
        &self,
        chunk: Chunk<'_>,
        model: &Model,
        mut take: impl FnMut(u64, &Record<'_>, &Header),
    ) -> Result<(), Failure> {
        let mut decoder = PartDecoder::new(&model.decoder, self.at, self.end);
        let mut number = self.events_before;
        loop {
            match decoder.next(chunk) {
                Step::Event(record) if record.is_block_marker() => {}
                Step::Event(record) => {
                    number += 1;
                    take(number, &record, decoder.header());
                }
                Step::Header | Step::Notice(_) => {}
                Step::Need(bytes) => return Err(Failure::of_need(&decoder, bytes, self.end)),
                Step::End if ends_as_it_did(&decoder, self.end, self.latest) => return Ok(()),
                Step::End => return Err(Failure::Changed),
            }
        }
    }

    /// What must be read of the file for it, as offset and length.
    pub(super) fn read_of(&self, model: &Model) -> (u64, u64) {
        (self.at.offset, (self.end + self.ahead).min(model.known.fed) - self.at.offset)
    }

    pub(super) fn is_within(&self, from: u64, to: u64) -> bool {
        from <= self.at.offset && self.end <= to
    }

    /// If it failed because of missing bytes: from now on, reads at least that many bytes beyond its end.
    pub(super) fn look_further(&mut self, failure: Failure) -> Result<(), Changed> {
        match failure {
            // More than that cannot be needed, unless the file has changed.
            Failure::Need(needed) if self.ahead < PartDecoder::LOOK_AHEAD => {
                self.ahead = needed.max(self.ahead * 16).min(PartDecoder::LOOK_AHEAD);
                Ok(())
            }
            Failure::Need(_) | Failure::Changed => Err(Changed),
        }
    }
}
