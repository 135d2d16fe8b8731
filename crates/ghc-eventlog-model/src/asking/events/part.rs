//! Some rows of one segment of the index, and how their events are read again.

use crate::{keeping::index::Segment, model::Model};
use core::ops;
use ghc_eventlog::{Chunk, Header, PartDecoder, Position, Record, Step};

/// Some rows of one segment. It has all that is needed to decode them, whatever becomes of the index meanwhile.
#[derive(Debug, Clone)]
pub(super) struct Part {
    pub(super) at: Position,
    pub(super) end: u64,
    /// How many bytes beyond its end are read with it.
    pub(super) ahead: u64,
    /// How many events of the log stand before it.
    pub(super) events_before: u64,
    /// How many chosen events of it come before the rows.
    pub(super) skip: u64,
    /// Their places in the page.
    pub(super) rows: ops::Range<usize>,
}

impl Part {
    /// All of a segment.
    pub(super) fn of(segment: &Segment) -> Self {
        let Segment { at, end, ahead, events_before, .. } = *segment;
        Self { at, end, ahead, events_before, skip: 0, rows: 0..0 }
    }

    /// Gives its events, each with its number in the log, until `wants_more` says that it does not; or how many bytes beyond its
    /// end are needed for that.
    pub(super) fn events(
        &self,
        chunk: Chunk<'_>,
        model: &Model,
        mut wants_more: impl FnMut(u64, &Record<'_>, &Header) -> bool,
    ) -> Result<(), u64> {
        let mut decoder = PartDecoder::new(&model.decoder, self.at, self.end);
        let mut number = self.events_before;
        loop {
            match decoder.next(chunk) {
                Step::Event(record) if record.is_block_marker() => {}
                Step::Event(record) => {
                    number += 1;
                    if !wants_more(number, &record, decoder.header()) {
                        return Ok(());
                    }
                }
                Step::Header | Step::Notice(_) => {}
                Step::Need(bytes) => return Err((decoder.offset() + bytes as u64).saturating_sub(self.end)),
                Step::End => return Ok(()),
            }
        }
    }

    /// What must be read of the file for it, as offset and length.
    pub(super) fn read_of(&self, model: &Model) -> (u64, u64) {
        (self.at.offset, (self.end + self.ahead).min(model.session.fed) - self.at.offset)
    }

    pub(super) fn is_within(&self, from: u64, to: u64) -> bool {
        from <= self.at.offset && self.end <= to
    }

    /// From now on reads at least so many bytes beyond its end; whether there is any use in that.
    pub(super) fn look_further(&mut self, needed: u64) -> bool {
        // More than that cannot be needed, unless the file has changed.
        let wants = self.ahead < PartDecoder::LOOK_AHEAD;
        self.ahead = needed.max(self.ahead * 16).min(PartDecoder::LOOK_AHEAD);
        wants
    }
}
