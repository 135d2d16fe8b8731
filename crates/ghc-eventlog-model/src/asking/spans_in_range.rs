//! The totals of user spans in a range of time, if not all spans are kept.
//!
//! ```text
//! range              |from --------------------------- to|
//! pieces      |===0===|===1===|===2===|===3===|===4===|
//! known               |sums of 1 and 2|
//! read        |-------|               |------------------|
//! ```
//!
//! The shorter spans that begin in a piece have sums ([`UserSpans::pieces_within`]). Those that begin in the rest of the range, or reach
//! into it from before, are read again. Longer spans are kept.

use crate::{
    keeping::crossing::{
        marks::Mark,
        spans::{Tally, UserSpan, UserSpans},
    },
    known::{Known, spans_read::SpanReading, summed::SpansInRange},
    limits,
    terms::op::Op,
};
use alloc::vec::Vec;
use core::ops::Range;
use ghc_eventlog::Nanos;

/// The spans of a range that are being added up.
#[derive(Debug)]
pub(crate) struct SpanSumming {
    from: Nanos,
    to: Nanos,
    /// The pieces whose sums are used.
    pieces: Range<usize>,
    readings: Vec<SpanReading>,
}

impl SpanSumming {
    /// Begins to add up. `None` if all spans are kept, and if too much of the file would have to be read.
    pub(crate) fn new(known: &Known, from: Nanos, to: Nanos) -> Option<Self> {
        let longest_dropped = known.longest_dropped_span()?;
        let whole = SpanReading::new(known, from, to, limits::SPANS_READ);
        if let Some(reading) = whole {
            return Some(Self { from, to, pieces: 0..0, readings: alloc::vec![reading] });
        }
        let spans = &known.replayed.as_ref()?.spans;
        let (pieces, begin, end) = spans.pieces_within(from, to.since(longest_dropped));
        if pieces.is_empty() {
            let reading = SpanReading::new(known, from, to, limits::DETAIL_READ)?;
            return Some(Self { from, to, pieces, readings: alloc::vec![reading] });
        }
        let edges =
            [(from, begin), (end, to)].map(|(from, to)| SpanReading::new(known, from, to, limits::DETAIL_READ / 2));
        let [Some(first), Some(last)] = edges else { return None };
        Some(Self { from, to, pieces, readings: alloc::vec![first, last] })
    }

    /// The segments that have not been read yet.
    pub(crate) fn segments(&self) -> impl Iterator<Item = u32> {
        self.readings.iter().flat_map(|reading| reading.missing().iter().copied())
    }

    /// Takes the begins and ends of spans in a segment.
    pub(crate) fn take(&mut self, known: &Known, segment: u32, ops: &[Op], marks: &[Mark]) {
        self.readings.iter_mut().for_each(|reading| reading.take(known, segment, ops, marks));
    }

    /// The sums, once nothing is missing; `None` if there was too much to read.
    pub(crate) fn finish(self, known: &Known) -> Option<SpansInRange> {
        let spans: &UserSpans = &known.replayed.as_ref()?.spans;
        if self.readings.iter().any(SpanReading::has_overflowed) {
            return None;
        }
        let is_whole = self.pieces.is_empty();
        let mut all: Vec<UserSpan> = Vec::new();
        for (nth, reading) in self.readings.into_iter().enumerate() {
            // What reaches from one edge to the other is in both.
            let is_new = |span: &UserSpan| nth == 0 || !spans.begins_before(span, &self.pieces);
            let found = reading.finish(spans).into_iter();
            all.extend(found.filter(|span| is_new(span) && !spans.begins_in(span, &self.pieces)));
        }
        let mut tally = Tally::default();
        all.extend(spans.long(known.longest_dropped_span()?).filter(|span| span.meets(self.from, self.to)));
        spans.add_within(&mut tally, self.pieces, all.iter(), &known.stores.collections, (self.from, self.to));
        Some(SpansInRange { tally, all: is_whole.then_some(all) })
    }
}

#[cfg(test)]
mod tests;
