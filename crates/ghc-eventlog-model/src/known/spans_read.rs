//! User spans that are read from the file again, since there are too many to keep them all: where the user looks closely, at the edges
//! of a range, and where something is searched for in a short time.
//!
//! ```text
//! wanted           |from ----------- to|
//! read     |-------|-------------------|-------|      `longest_dropped` more on either side
//! kept   ==========================                   longer spans are kept, wherever they begin
//! read               |--|   |---|     |---|           others begin and end within what is read
//! ```

use crate::{
    keeping::crossing::{
        marks::{Mark, MarkKind},
        notes::NoteChain,
        pairing::{SpanKey, key_of},
        spans::{UserSpan, UserSpans},
    },
    known::Known,
    limits,
    sorting::{sort_by_key, sort_by_number},
    terms::op::{Op, What},
};
use alloc::{vec, vec::Vec};
use ghc_eventlog::{Nanos, ThreadId};

/// A span begins or ends.
#[derive(Debug, Clone, Copy)]
struct SpanEvent {
    time: Nanos,
    key: SpanKey,
    thread: ThreadId,
    segment: u32,
    label: u16,
    begins: bool,
}

/// The shorter spans that meet a stretch of time, as far as they have been read.
#[derive(Debug, Clone)]
pub(crate) struct SpanReading {
    from: Nanos,
    to: Nanos,
    longest_dropped: Nanos,
    /// The segments that have not been read yet.
    missing: Vec<u32>,
    events: Vec<SpanEvent>,
    /// Whether there were more than [`limits::MAX_SPAN_EVENTS`].
    has_overflowed: bool,
}

impl SpanReading {
    /// A reading of `from..to`. `None` if all spans are kept, or if more than `most` bytes of the file would have to be read.
    pub(crate) fn new(known: &Known, from: Nanos, to: Nanos, most: u64) -> Option<Self> {
        let longest_dropped = known.longest_dropped_span()?;
        let missing = known.segments_between(from.since(longest_dropped), to.plus(longest_dropped).plus(Nanos(1)));
        let fits = known.bytes_to_read(&missing) <= most;
        fits.then(|| Self { from, to, longest_dropped, missing, events: Vec::new(), has_overflowed: false })
    }

    /// The segments that have not been read yet.
    pub(crate) fn missing(&self) -> &[u32] {
        &self.missing
    }

    /// Whether more begins and ends were read than there is room for: then it has none.
    pub(crate) fn has_overflowed(&self) -> bool {
        self.has_overflowed
    }

    /// Takes the begins and ends of spans in a segment.
    pub(crate) fn take(&mut self, known: &Known, segment: u32, ops: &[Op], marks: &[Mark]) {
        let Some(place) = self.missing.iter().position(|missing| *missing == segment) else { return };
        self.missing.remove(place);
        let Some(repeats) = known.replayed.as_ref().map(|replayed| &replayed.repeats) else { return };
        let (from, to) = (self.from.since(self.longest_dropped), self.to.plus(self.longest_dropped));
        for op in ops {
            let What::Mark(place) = op.what else { continue };
            let mark = marks.get(place as usize).filter(|mark| !repeats.is_repeated(segment, op, mark));
            let Some(mark) = mark else { continue };
            let begins = match mark.what {
                MarkKind::Begin | MarkKind::BeginOfProcess => true,
                MarkKind::End | MarkKind::EndOfProcess => false,
                MarkKind::Note(_) | MarkKind::Value | MarkKind::Allocated => continue,
            };
            if op.time < from || op.time > to {
                continue;
            }
            if self.events.len() >= limits::MAX_SPAN_EVENTS {
                self.has_overflowed = true;
                self.events = Vec::new();
                self.missing = Vec::new();
                return;
            }
            let (time, key, thread, label) = (op.time, key_of(op, mark), op.thread, mark.label());
            self.events.push(SpanEvent { time, key, thread, segment, label, begins });
        }
    }

    /// All spans that meet the time, in order of their begins, once nothing is missing: the shorter ones that were read, and the longer
    /// ones that are kept.
    pub(crate) fn all(self, spans: &UserSpans) -> Vec<UserSpan> {
        let (from, to, longest_dropped) = (self.from, self.to, self.longest_dropped);
        let mut all = self.finish(spans);
        all.extend(spans.long(longest_dropped).filter(|span| span.meets(from, to)));
        sort_by_number(&mut all, |span| span.start.0);
        all
    }

    /// The shorter spans that meet the time, in order of their begins, once nothing is missing.
    pub(crate) fn finish(mut self, spans: &UserSpans) -> Vec<UserSpan> {
        // As in the replay: by time, and at the same time by segment.
        sort_by_number(&mut self.events, |event| event.segment.into());
        sort_by_number(&mut self.events, |event| event.time.0);
        sort_by_key(&mut self.events, |event| event.key);
        let mut found: Vec<UserSpan> = Vec::new();
        for of_key in self.events.chunk_by(|one, other| one.key == other.key) {
            let mut open: Vec<&SpanEvent> = Vec::new();
            for event in of_key {
                if event.begins {
                    open.push(event);
                } else if let Some(begin) = open.pop() {
                    let span = UserSpan::ended(begin.key, begin.thread, begin.label, begin.time, event.time);
                    let is_in = span.length() <= self.longest_dropped && span.meets(self.from, self.to);
                    found.extend(is_in.then_some(span));
                }
            }
        }
        sort_by_number(&mut found, |span| span.start.0);
        // What was said of them is only known of those that are kept.
        let rows = spans.rows.kept();
        for span in &mut found {
            let first = rows.partition_point(|kept| kept.start < span.start);
            let same = rows.iter().skip(first).take_while(|kept| kept.start == span.start);
            let is_it = |kept: &&UserSpan| {
                let mut kept = **kept;
                kept.notes = span.notes;
                kept == *span
            };
            let kept = same.into_iter().find(is_it);
            span.notes = match kept {
                Some(kept) => kept.notes,
                None if spans.notes.has_any() => NoteChain::LOST,
                None => NoteChain::NONE,
            };
        }
        found
    }
}

/// All spans that meet a stretch of time, where the user looks closely.
#[derive(Debug)]
struct SpansBetween {
    from: Nanos,
    to: Nanos,
    /// In order of their begins.
    spans: Vec<UserSpan>,
}

/// The spans in a stretch of time where the user looks closely: those that have been read, and those that are being read.
#[derive(Debug, Default)]
pub(crate) struct SpansAtHand {
    complete: Option<SpansBetween>,
    reading: Option<SpanReading>,
    /// The last stretches of time that had too many spans, so that they are not read again.
    refused: Vec<(Nanos, Nanos)>,
    /// Grows with each change: what was drawn before is out of date.
    pub(crate) changes: u64,
}

impl SpansAtHand {
    /// All spans that meet a stretch of time, in order of their begins, and a few more; `None` if they are not at hand.
    pub(crate) fn between(&self, from: Nanos, to: Nanos) -> Option<&[UserSpan]> {
        let complete = self.complete.as_ref().filter(|of| of.from <= from && to <= of.to)?;
        Some(&complete.spans)
    }

    pub(crate) fn clear(&mut self) {
        *self = Self { changes: self.changes + 1, ..Self::default() };
    }

    pub(crate) fn bytes_held(&self) -> usize {
        self.complete.as_ref().map_or(0, |of| of.spans.capacity() * size_of::<UserSpan>())
            + self.reading.as_ref().map_or(0, |reading| reading.events.capacity() * size_of::<SpanEvent>())
    }

    /// Takes the reading in progress, for the caller to go on with; to be [given back](Self::go_on).
    pub(crate) fn take_reading(&mut self) -> Option<SpanReading> {
        self.reading.take()
    }

    /// Goes on with a reading, which may be complete by now.
    pub(crate) fn go_on(&mut self, reading: SpanReading, spans: &UserSpans) {
        let (from, to) = (reading.from, reading.to);
        if reading.has_overflowed {
            self.changes += 1;
            let forgotten = self.refused.len().saturating_sub(3);
            self.refused.drain(..forgotten);
            self.refused.push((from, to));
        } else if reading.missing.is_empty() {
            self.changes += 1;
            self.complete = Some(SpansBetween { from, to, spans: reading.all(spans) });
        } else {
            self.reading = Some(reading);
        }
    }
}

impl Known {
    /// No span that is not kept is longer: these must be read from the file. `None` if all are kept, or before the replay is complete.
    pub(crate) fn longest_dropped_span(&self) -> Option<Nanos> {
        let replayed = self.replayed.as_ref().filter(|replayed| replayed.is_done)?;
        replayed.spans.rows.longest_dropped()
    }

    /// The segments that must be read for the spans in a window: none if all spans are kept, if they are at hand, or if that would be too
    /// much.
    pub(crate) fn want_spans(&mut self, from: Nanos, to: Nanos) -> Vec<u32> {
        if self.longest_dropped_span().is_none() || self.spans_at_hand.between(from, to).is_some() {
            return Vec::new();
        }
        let reading = self.spans_at_hand.reading.as_ref();
        if let Some(reading) = reading.filter(|reading| reading.from <= from && to <= reading.to) {
            return reading.missing.clone();
        }
        // The user may move the window next: as much is read on either side, if it is not too much.
        let more = to.since(from);
        let stretches = [(from.since(more), to.plus(more)), (from, to)];
        let refused = core::mem::take(&mut self.spans_at_hand.refused);
        let mut accepted = stretches.into_iter().filter(|stretch| !refused.contains(stretch));
        let reading = accepted.find_map(|(from, to)| SpanReading::new(self, from, to, limits::THREADS_READ));
        self.spans_at_hand.refused = refused;
        let missing = reading.as_ref().map_or(vec![], |reading| reading.missing.clone());
        if let (Some(reading), Some(replayed)) = (reading, &self.replayed) {
            self.spans_at_hand.go_on(reading, &replayed.spans);
        }
        missing
    }
}
