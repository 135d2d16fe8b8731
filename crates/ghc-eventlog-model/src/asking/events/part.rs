//! Reading the events of one segment of the index again.

use super::wish::EventChoice;
use crate::{
    asking::find::event::SeenEvent,
    known::{
        Known,
        counted::SegmentCount,
        index::{Segment, ends_as_it_did},
        threads::LANE,
    },
    reading::{
        again::{Failure, SegmentItem, TakeItem, go_again},
        job::Changed,
        model::Model,
    },
    terms::{
        machine::{KeptRow, Lost, Machine, Placed, Sink},
        sample::Sample,
        span::Span,
    },
};
use alloc::vec::Vec;
use ghc_eventlog::{Chunk, Decoder, Header, Nanos, PartDecoder, Position, Record, RunThread, Step, ThreadId};

/// An event, and where it stands.
#[derive(Clone, Copy)]
pub(super) struct ListedEvent<'a> {
    /// Its number in the log.
    pub(super) number: u64,
    pub(super) seen: SeenEvent<'a>,
    /// The thread that ran there: for the begin of a run, the one that it runs.
    pub(super) ran: Option<ThreadId>,
}

/// Passes on the events of a segment, from a chunk that begins with it. It reads all of them, since only the end shows whether
/// they are still those of the log.
pub(super) fn each_event(
    known: &Known,
    reader: &Decoder,
    segment: u32,
    chunk: Chunk<'_>,
    take: &mut dyn FnMut(ListedEvent<'_>),
) -> Result<(), Failure> {
    let Some(Segment { at, end, events_before, .. }) = known.index.segment(segment) else { return Ok(()) };
    let mut header = PartDecoder::new(reader, *at, *end).header().clone();
    let mut number = *events_before;
    let pass_on: TakeItem<'_> = &mut |item| match item {
        SegmentItem::Event(again, record, dialect) => {
            number += 1;
            let lane = &mut again.machines.lane;
            let running = lane.thread();
            if record.known && LANE.has(record.tag) {
                lane.step(*record, dialect, &mut Ignored);
            }
            let ran = if record.tag == RunThread::TAG { lane.thread() } else { running };
            let seen = SeenEvent { record, header: &header, running, numbering: dialect.threads };
            take(ListedEvent { number, seen, ran });
        }
        SegmentItem::Unfollowed(record, dialect) => {
            number += 1;
            let seen = SeenEvent { record: &record, header: &header, running: None, numbering: dialect.threads };
            take(ListedEvent { number, seen, ran: None });
        }
        SegmentItem::Header(_, next) => header = next.clone(),
    };
    let over = go_again(&known.index, segment, chunk, reader, &known.caps, pass_on);
    over.map(|_| ())
}

/// Passes on the chosen events of a segment, from a chunk that begins with it.
pub(super) fn each_chosen(
    model: &Model,
    choice: &EventChoice,
    segment: u32,
    chunk: Chunk<'_>,
    take: &mut dyn FnMut(ListedEvent<'_>),
) -> Result<(), Failure> {
    let threads = &model.known.stores.threads;
    let mut text = Vec::new();
    each_event(&model.known, &model.decoder, segment, chunk, &mut |event| {
        if choice.has(event.seen, threads, &mut text) {
            take(event);
        }
    })
}

/// Counts the events that a function passes on.
pub(super) fn count_of(
    events: impl FnOnce(&mut dyn FnMut(ListedEvent<'_>)) -> Result<(), Failure>,
) -> Result<SegmentCount, Failure> {
    let mut count = SegmentCount::NONE;
    events(&mut |event| count.add(event.seen.record.time))?;
    Ok(count)
}

/// Gives bytes of the file to a job: calls `take` for each wanted segment that lies within them, with a chunk that begins with the
/// segment.
///
/// # Errors
/// When the file has changed since the log was first read.
pub(super) fn each_segment(
    model: &mut Model,
    (offset, bytes): (u64, &[u8]),
    wants: impl Fn(u32) -> bool,
    mut take: impl FnMut(&Model, u32, Chunk<'_>) -> Result<(), Failure>,
) -> Result<(), Changed> {
    let end = offset + bytes.len() as u64;
    let mut given = Ok(());
    for number in model.known.index.segments_within(offset, end).filter(|number| wants(*number)) {
        let Some(segment) = model.known.index.segment(number) else { continue };
        let has_looked = segment.ahead >= PartDecoder::LOOK_AHEAD;
        // The first pass did not look beyond what was fed, either.
        let chunk = Chunk { bytes, offset, last: end >= model.known.fed }.from(segment.at.offset);
        match take(model, number, chunk) {
            Ok(()) => {}
            // More than that cannot be needed, unless the file has changed.
            Err(Failure::Need(ahead)) if !has_looked => model.known.index.look_further(number, ahead),
            Err(Failure::Need(_) | Failure::Changed) => given = Err(Changed),
        }
    }
    given
}

/// Takes the spans of a lane, and drops them.
struct Ignored;

impl Sink for Ignored {
    #[inline(always)]
    fn span(&mut self, _: Span) {}

    fn sample<K: Placed>(&mut self, _: Sample) {}

    fn add<K: Placed>(&mut self, _: usize, _: u64, _: Nanos) {}

    fn reach<K: Placed>(&mut self, _: usize, _: u64, _: Nanos) {}

    fn row(&mut self, _: KeptRow) {}

    fn lost(&mut self, _: Lost) {}
}

/// A segment that has an event. It has all that is needed to decode it, even if the index changes meanwhile.
#[derive(Debug, Clone)]
pub(super) struct EventsPart {
    pub(super) at: Position,
    end: u64,
    /// The time of its last event.
    latest: Nanos,
    /// How many bytes beyond its end are read with it.
    ahead: u64,
}

impl EventsPart {
    /// All events of a segment.
    pub(super) fn of(segment: &Segment) -> Self {
        let Segment { at, end, latest, ahead, .. } = *segment;
        Self { at, end, latest, ahead }
    }

    /// Passes on its events, each with the offset at which it ends. It reads all of them, since only the end shows whether they
    /// are still those of the log.
    pub(super) fn events(
        &self,
        chunk: Chunk<'_>,
        model: &Model,
        mut take: impl FnMut(u64, &Record<'_>, &Header),
    ) -> Result<(), Failure> {
        let mut decoder = PartDecoder::new(&model.decoder, self.at, self.end);
        loop {
            match decoder.next(chunk) {
                Step::Event(record) if record.is_block_marker() => {}
                Step::Event(record) => take(decoder.offset(), &record, decoder.header()),
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
