//! Decoding segments of the log again.

use crate::{
    known::{
        caps::CapStreams,
        details::{Added, SegmentDetail},
        index::{Index, Segment, StreamEntry},
        sums::Sums,
    },
    profiles::{
        Profiles,
        stacks::{Innermost, cap_of},
    },
    terms::{
        frame::Frame,
        machine::{Dialect, KeptRow, Lost, Placed, Sink},
        sample::Sample,
        span::{Ending, Moment, Span},
    },
    tracks::{
        Machines,
        capability::{LOST, Lane},
    },
};
use alloc::vec::Vec;
use ghc_eventlog::{
    BlockMarker, Chunk, Decoder, Header, Nanos, Notice, NoticeKind, PartDecoder, ProfSampleCostCentre, Record, Step,
    ThreadId,
};

/// Why a part of the log cannot be decoded again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Failure {
    /// This many bytes beyond its end are needed.
    Need(u64),
    /// The bytes are not what was read before.
    Changed,
}

impl Failure {
    /// The failure for a part that ends at `end`.
    pub(crate) fn of_need(part: &PartDecoder, bytes: usize, end: u64) -> Self {
        match (part.offset() + bytes as u64).saturating_sub(end) {
            needed if needed > PartDecoder::LOOK_AHEAD => Self::Changed,
            needed => Self::Need(needed),
        }
    }
}

/// Decodes a segment from a chunk that begins with it. `reader` has read the log's headers.
pub(crate) fn decode(
    index: &Index,
    segment: u32,
    chunk: Chunk<'_>,
    reader: &Decoder,
    caps: &CapStreams,
    Profiles { heap, time, .. }: &Profiles,
) -> Result<SegmentDetail, Failure> {
    let mut detail = SegmentDetail::default();
    let (has_more, has_more_samples) = (heap.censuses.stride() > 1, time.rows.stride() > 1);
    let again = go_again(index, segment, chunk, reader, caps, |found: SegmentItem<'_, '_>| {
        let SegmentItem::Event(again, record, dialect) = found else { return };
        again.step(*record, dialect, &mut detail.rows, &mut detail.added);
        let open = again.machines.heap_profile.0.map_or(record.time, Moment::time);
        if has_more && let Some(entry) = heap.entry_of(record.tag, record.payload).filter(|_| record.known) {
            detail.take_entry(open, entry);
        }
        if has_more_samples && record.tag == ProfSampleCostCentre::TAG && record.known {
            let ProfSampleCostCentre { cap, stack, .. } = ProfSampleCostCentre::read(record.payload);
            let frame = stack.iter().next().map_or(Frame::Main, Frame::CostCentre);
            let frame = time.tree.find(frame).unwrap_or(u32::MAX);
            detail.samples.push(Innermost { time: record.time, frame, cap: cap_of(cap) });
        }
    })?;
    let next = |again: &Again| index.turn(again.stream, segment).and_then(|turn| turn.next);
    detail.lanes =
        again.into_iter().map(|again| (next(&again), again)).map(|(next, again)| again.finish(next)).collect();
    detail.finish();
    Ok(detail)
}

/// What is found in a segment that is decoded again.
pub(crate) enum SegmentItem<'a, 'r> {
    /// An event, and the machines of its stream, which have not followed it yet.
    Event(&'a mut Again, &'a Record<'r>, Dialect),
    /// An event of a capability beyond the limit, which no machines follow.
    Unfollowed(Record<'r>, Dialect),
    /// The header of a further stream of the file. All machines, which are given here, start again.
    Header(&'a [Again], &'a Header),
}

/// What takes them, where that need not be fast.
pub(crate) type TakeItem<'a> = &'a mut dyn FnMut(SegmentItem<'_, '_>);

/// Decodes a segment again, from a chunk that begins with it, and passes what it finds to `take`. Returns the machines of its
/// streams, as they are at its end. Each type of `take` gets code of its own; what need not be fast is a [`TakeItem`].
pub(crate) fn go_again(
    index: &Index,
    segment: u32,
    chunk: Chunk<'_>,
    reader: &Decoder,
    caps: &CapStreams,
    mut take: impl FnMut(SegmentItem<'_, '_>),
) -> Result<Vec<Again>, Failure> {
    let Some(known) = index.segment(segment) else { return Ok(Vec::new()) };
    let &Segment { at, stream, one_capability, mut block_end, end, .. } = known;
    let mut all: Vec<Again> = index.entries_of(segment).map(Again::new).collect();
    let place_of = |all: &[Again], stream| all.iter().position(|again| Some(again.stream) == stream);
    let mut part = PartDecoder::new(reader, at, end);
    let threads = |part: &PartDecoder| index.processes.numbering(part.offset());
    let can_pause = |offset: u64| index.can_pause_from.is_some_and(|from| from <= offset);
    let of_header = |part: &PartDecoder, one_capability| Dialect {
        can_pause: can_pause(part.offset()),
        ..Dialect::of(part.header(), one_capability, threads(part))
    };
    let mut dialect = of_header(&part, one_capability);
    let mut current = place_of(&all, Some(stream));
    loop {
        if let Some(again) = current.and_then(|current| all.get_mut(current)) {
            part.each_plain(chunk, |record| {
                again.arrive(&record);
                take(SegmentItem::Event(again, &record, dialect));
            });
        }
        match part.next(chunk) {
            Step::Event(record) if record.is_block_marker() => {
                block_end = record.offset + u64::from(BlockMarker::read(record.payload).size);
                let stream = caps.stream(record.cap);
                current = place_of(&all, stream);
                dialect.can_pause = can_pause(record.offset);
                dialect.one_capability &= stream.is_some_and(CapStreams::is_of_first_capability);
            }
            Step::Event(record) => {
                if let Some(again) = current.and_then(|current| all.get_mut(current)) {
                    again.arrive(&record);
                    take(SegmentItem::Event(again, &record, dialect));
                } else {
                    take(SegmentItem::Unfollowed(record, dialect));
                }
            }
            Step::Header => {
                dialect = of_header(&part, dialect.one_capability);
                take(SegmentItem::Header(&all, part.header()));
                all.iter_mut().for_each(Again::restart);
            }
            Step::Notice(notice) => {
                let Some(to) = lost_up_to(notice) else { continue };
                for (at, again) in all.iter_mut().enumerate() {
                    again.lost |= again.entered && (to > block_end || Some(at) == current);
                }
            }
            Step::Need(bytes) => return Err(Failure::of_need(&part, bytes, end)),
            Step::End if known.is_as_it_was(&part) => return Ok(all),
            Step::End => return Err(Failure::Changed),
        }
    }
}

/// One stream's machines while a segment is decoded again.
pub(crate) struct Again {
    pub(crate) stream: usize,
    entry: StreamEntry,
    pub(crate) machines: Machines,
    /// The largest time of its events so far.
    pub(crate) last: Nanos,
    /// Whether it has had an event here: then its machines know of all earlier losses.
    entered: bool,
    /// Whether events of it may have been lost since its last event.
    lost: bool,
    /// When its lane was lost sight of, if that was before its last event and nobody took it; and the thread that ran there.
    pub(crate) lost_sight: Option<(Nanos, Option<ThreadId>)>,
    /// Whether its next event is the first of a further stream of the file.
    restarted: bool,
    /// Its spans that nobody took: where events were lost, what was cut off there.
    pub(crate) spans: Vec<Span>,
}

impl Again {
    fn new((stream, entry): (usize, &StreamEntry)) -> Self {
        let (machines, last) = (entry.machines, entry.from);
        Self {
            stream,
            entry: *entry,
            machines,
            last,
            entered: false,
            lost: false,
            lost_sight: None,
            restarted: false,
            spans: Vec::new(),
        }
    }

    /// To be called at its next event: handles what happened since the last one.
    #[inline]
    fn arrive(&mut self, record: &Record<'_>) {
        if core::mem::take(&mut self.lost) && !self.restarted {
            self.lose_sight();
        }
        if core::mem::take(&mut self.restarted) {
            self.machines = Machines::starting(record.time.max(self.last));
        }
        self.last = self.last.max(record.time);
        self.entered = true;
    }

    #[cold]
    fn lose_sight(&mut self) {
        let (is_lost, cut) = self.machines.lane.lose_sight(self.last);
        self.machines.collector.lose_sight(self.last);
        if is_lost {
            self.lost_sight = Some((self.last, cut.and_then(|cut| cut.thread)));
        }
        self.spans.extend(cut);
    }

    fn step(
        &mut self,
        record: Record<'_>,
        dialect: Dialect,
        rows: &mut Vec<(usize, KeptRow)>,
        added: &mut Vec<(usize, Added)>,
    ) {
        if !record.known {
            return;
        }
        let sums = &mut self.entry.before;
        let mut sink = Gather { spans: &mut self.spans, stream: self.stream, rows, added, sums };
        self.machines.step(record, dialect, &mut sink);
    }

    fn restart(&mut self) {
        self.spans.extend(self.machines.lane.open(self.last, Ending::Open));
        self.machines = Machines::starting(self.last);
        self.restarted = true;
    }

    /// `next` is its lane where its next segment begins.
    fn finish(mut self, next: Option<&Lane>) -> (usize, Vec<Span>) {
        let lane = &self.machines.lane;
        let is_cut = next.is_some_and(|next| next.state() == Some(LOST) && !lane.goes_on(next));
        let ending = if is_cut { Ending::Lost } else { Ending::Open };
        self.spans.extend(lane.open(self.entry.to, ending));
        self.spans.shrink_to_fit();
        (self.stream, self.spans)
    }
}

struct Gather<'a> {
    spans: &'a mut Vec<Span>,
    stream: usize,
    rows: &'a mut Vec<(usize, KeptRow)>,
    added: &'a mut Vec<(usize, Added)>,
    /// The stream's sums, as far as they come from running totals.
    sums: &'a mut Sums,
}

impl Sink for Gather<'_> {
    #[inline(always)]
    fn span(&mut self, span: Span) {
        self.spans.push(span);
    }

    fn sample<K: Placed>(&mut self, _: Sample) {}

    fn add<K: Placed>(&mut self, sum: usize, more: u64, time: Nanos) {
        if more > 0 {
            self.added.push((self.stream, Added { sum: K::SUMS_FROM + sum, more, time }));
        }
    }

    fn reach<K: Placed>(&mut self, sum: usize, total: u64, time: Nanos) {
        let more = self.sums.reach(K::SUMS_FROM + sum, total);
        self.add::<K>(sum, more, time);
    }

    fn row(&mut self, row: KeptRow) {
        self.rows.push((self.stream, row));
    }

    fn lost(&mut self, _: Lost) {}
}

/// The file offset up to which events were lost.
pub(crate) fn lost_up_to(notice: Notice) -> Option<u64> {
    match notice.kind {
        NoticeKind::Lost { bytes, .. } => Some(notice.offset + bytes),
        NoticeKind::BlockLacks(_) => Some(notice.offset),
        _ => None,
    }
}
