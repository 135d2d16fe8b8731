//! Segments decoded again, as long as there is room for them.

use crate::{
    keeping::index::{Entry, Index, Segment},
    keeping::sorted::Sorted,
    keeping::sums::Sums,
    limits,
    profiles::{
        Profiles, censuses as census,
        frames::Frame,
        stacks::{Innermost, cap_of},
    },
    reading::caps::Caps,
    reading::session::lost_up_to,
    tracks::span::{Ending, Moment, Span},
    tracks::{
        Machines,
        capability::Lane,
        kind::Placed,
        machines::{Dialect, Lost, Row, Sample, Sink},
    },
};
use alloc::vec::Vec;
use ghc_eventlog::{BlockMarker, Chunk, Decoder, Nanos, PartDecoder, ProfSampleCostCentre, Record, Step};

/// What one segment holds, exactly.
#[derive(Debug, Default)]
pub(crate) struct SegmentDetail {
    /// By stream. What is still open at the segment's end is there too, up to it and marked so.
    lanes: Vec<(usize, Vec<Span>)>,
    /// Each with its stream.
    pub(crate) rows: Vec<(usize, Row)>,
    /// What adds to the sums, but for spans and rows: each with its stream.
    pub(crate) added: Vec<(usize, Added)>,
    /// What stands in censuses, if not all of those are kept: when each was, and where its entries end.
    census_ends: Vec<(Nanos, u32)>,
    census_entries: Vec<census::Entry>,
    /// The samples of the time profile, if not all of those are kept; of capabilities, and not of threads.
    pub(crate) samples: Vec<Innermost>,
    last_use: u64,
}

/// What one event adds to one of a stream's sums.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Added {
    /// The place among the sums.
    pub(crate) sum: usize,
    pub(crate) more: u64,
    pub(crate) time: Nanos,
}

impl SegmentDetail {
    /// The spans of one stream that end here, in order. `next` is its lane where its next segment begins: what goes on there
    /// ends there.
    pub(crate) fn lane(&self, stream: usize, next: Option<&Lane>) -> &[Span] {
        let spans = self.lanes.iter().find(|(of, _)| *of == stream).map_or(&[][..], |(_, spans)| spans);
        match (spans, next) {
            ([ended @ .., last], Some(lane)) if lane.open(last.end, Ending::Open).as_ref() == Some(last) => ended,
            _ => spans,
        }
    }

    /// What stands in it of censuses, in order: of the first and the last one perhaps not all.
    pub(crate) fn censuses(&self) -> impl Iterator<Item = (Nanos, &[census::Entry])> {
        let mut from = 0;
        self.census_ends.iter().map(move |(time, end)| {
            let entries = self.census_entries.get(from..*end as usize).unwrap_or_default();
            from = *end as usize;
            (*time, entries)
        })
    }

    /// One entry more of the census of some time.
    fn take_entry(&mut self, time: Nanos, entry: census::Entry) {
        self.census_entries.push(entry);
        let end = self.census_entries.len() as u32;
        match self.census_ends.last_mut() {
            Some((last, of_last)) if *last == time => *of_last = end,
            _ => self.census_ends.push((time, end)),
        }
    }

    fn bytes_held(&self) -> usize {
        let censuses = self.census_ends.capacity() * size_of::<(Nanos, u32)>()
            + self.census_entries.capacity() * size_of::<census::Entry>();
        let lanes = self.lanes.capacity() * size_of::<(usize, Vec<Span>)>();
        let spans: usize = self.lanes.iter().map(|(_, spans)| spans.capacity()).sum();
        let rows = self.rows.capacity() * size_of::<(usize, Row)>();
        let added = self.added.capacity() * size_of::<(usize, Added)>();
        let samples = self.samples.capacity() * size_of::<Innermost>();
        lanes + spans * size_of::<Span>() + rows + added + censuses + samples + size_of::<(u32, Self)>()
    }
}

/// The segments at hand; those not used for longest go first.
#[derive(Debug)]
pub(crate) struct Details {
    segments: Sorted<u32, SegmentDetail>,
    bytes: usize,
    clock: u64,
    /// When a window was planned last: what has been used since then it may need.
    planned: u64,
}

impl Default for Details {
    fn default() -> Self {
        Self { segments: Sorted::default(), bytes: 0, clock: 0, planned: u64::MAX }
    }
}

impl Details {
    pub(crate) fn get(&self, segment: u32) -> Option<&SegmentDetail> {
        self.segments.get(&segment)
    }

    /// Marks segments as used together: none of them goes before all others are gone.
    pub(crate) fn touch(&mut self, segments: &[u32]) {
        self.clock += 1;
        // Whoever asks now needs them one by one: what else comes is no window's.
        self.planned = u64::MAX;
        for segment in segments {
            if let Some(detail) = self.segments.get_mut(segment) {
                detail.last_use = self.clock;
            }
        }
    }

    /// Marks the segments that a window is drawn from, as far as they are there: with those that come next, they may take more room than
    /// others.
    pub(crate) fn plan(&mut self, segments: &[u32]) {
        self.touch(segments);
        self.planned = self.clock;
    }

    /// Makes all that is there older than what comes now.
    pub(crate) fn tick(&mut self) {
        self.clock += 1;
    }

    /// Adds a segment; `beside` is how many bytes of their room others hold.
    pub(crate) fn insert(&mut self, segment: u32, mut detail: SegmentDetail, beside: usize) {
        detail.last_use = self.clock;
        self.bytes += detail.bytes_held();
        if let Some(old) = self.segments.insert(segment, detail) {
            self.bytes -= old.bytes_held();
        }
        self.leave_room(beside);
    }

    /// Drops what there is no room for, of what is not in use now, where others hold `beside` bytes of it.
    pub(crate) fn leave_room(&mut self, beside: usize) {
        let room = |most: usize| most.saturating_sub(beside).max(limits::DETAIL_LEAST);
        let unplanned = self.planned.min(self.clock);
        while self.bytes > room(limits::DETAIL_BYTES) && self.drop_oldest(unplanned) {}
        while self.bytes > room(limits::DETAIL_MOST) && self.drop_oldest(self.clock) {}
    }

    /// Drops the segment not used for longest, if that was before some use.
    fn drop_oldest(&mut self, before: u64) -> bool {
        let oldest = self.segments.iter().min_by_key(|(_, detail)| detail.last_use);
        let Some((&segment, _)) = oldest.filter(|(_, detail)| detail.last_use < before) else { return false };
        if let Some(old) = self.segments.remove(&segment) {
            self.bytes -= old.bytes_held();
        }
        true
    }

    pub(crate) fn clear(&mut self) {
        self.segments.clear();
        self.bytes = 0;
    }

    pub(crate) fn bytes_held(&self) -> usize {
        self.bytes
    }
}

/// Why a part of the log cannot be decoded again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Failure {
    /// So many bytes beyond its end are needed.
    Need(u64),
    /// What stands there is not what was read.
    Changed,
}

impl Failure {
    /// Of a part that ends at `end`.
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
    caps: &Caps,
    Profiles { heap, time, .. }: &Profiles,
) -> Result<SegmentDetail, Failure> {
    let mut detail = SegmentDetail::default();
    let (has_more, has_more_samples) = (heap.censuses.stride() > 1, time.rows.stride() > 1);
    let again = go_again(index, segment, chunk, reader, caps, &mut |found| {
        let Found::Event(again, record, dialect) = found else { return };
        again.step(record, dialect, &mut detail.rows, &mut detail.added);
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
    detail.lanes = again.into_iter().map(Again::finish).collect();
    detail.census_entries.shrink_to_fit();
    detail.samples.shrink_to_fit();
    Ok(detail)
}

/// What is found in a segment that is gone through again.
pub(crate) enum Found<'a, 'r> {
    /// An event, and the machines of its stream, which have not followed it yet.
    Event(&'a mut Again, Record<'r>, Dialect),
    /// The header of a further stream of the file: all machines, which are these, begin anew.
    Header(&'a [Again]),
}

/// Goes through a segment once more, in a chunk that begins with it: gives what it finds to `take`. What is left in the end are the
/// machines of its streams.
pub(crate) fn go_again(
    index: &Index,
    segment: u32,
    chunk: Chunk<'_>,
    reader: &Decoder,
    caps: &Caps,
    take: &mut dyn FnMut(Found<'_, '_>),
) -> Result<Vec<Again>, Failure> {
    let Some(known) = index.segment(segment) else { return Ok(Vec::new()) };
    let &Segment { at, stream, one_capability, mut block_end, end, .. } = known;
    let mut all: Vec<Again> = index.entries_of(segment).map(Again::new).collect();
    let place_of = |all: &[Again], stream| all.iter().position(|again| Some(again.stream) == stream);
    let mut part = PartDecoder::new(reader, at, end);
    let mut dialect = Dialect::of(part.header(), one_capability);
    let mut current = place_of(&all, Some(stream));
    loop {
        if let Some(again) = current.and_then(|current| all.get_mut(current)) {
            part.each_plain(chunk, |record| {
                again.arrive(&record);
                take(Found::Event(again, record, dialect));
            });
        }
        match part.next(chunk) {
            Step::Event(record) if record.is_block_marker() => {
                block_end = record.offset + u64::from(BlockMarker::read(record.payload).size);
                let stream = caps.stream(record.cap);
                current = place_of(&all, stream);
                dialect.one_capability &= stream.is_some_and(Caps::is_of_first_capability);
            }
            Step::Event(record) => {
                if let Some(again) = current.and_then(|current| all.get_mut(current)) {
                    again.arrive(&record);
                    take(Found::Event(again, record, dialect));
                }
            }
            Step::Header => {
                dialect = Dialect::of(part.header(), dialect.one_capability);
                take(Found::Header(&all));
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

/// One stream's machines, gone through a segment once more.
pub(crate) struct Again {
    pub(crate) stream: usize,
    entry: Entry,
    pub(crate) machines: Machines,
    /// The largest time of its events so far.
    pub(crate) last: Nanos,
    /// Whether it has had an event here: its machines know of all losses before.
    entered: bool,
    /// Whether events of it may have been lost since its last one.
    lost: bool,
    /// Whether its next event is the first of a further stream of the file.
    restarted: bool,
    spans: Vec<Span>,
}

impl Again {
    fn new((stream, entry): (usize, &Entry)) -> Self {
        let (machines, last) = (entry.machines, entry.from);
        Self { stream, entry: *entry, machines, last, entered: false, lost: false, restarted: false, spans: Vec::new() }
    }

    /// Its next event: sees to what happened since the last one.
    #[inline]
    fn arrive(&mut self, record: &Record<'_>) {
        if core::mem::take(&mut self.lost) && !self.restarted {
            self.machines.lane.lose_sight(self.last);
        }
        if core::mem::take(&mut self.restarted) {
            self.machines = Machines::starting(record.time.max(self.last));
        }
        self.last = self.last.max(record.time);
        self.entered = true;
    }

    fn step(
        &mut self,
        record: Record<'_>,
        dialect: Dialect,
        rows: &mut Vec<(usize, Row)>,
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

    fn finish(mut self) -> (usize, Vec<Span>) {
        self.spans.extend(self.machines.lane.open(self.entry.to, Ending::Open));
        self.spans.shrink_to_fit();
        (self.stream, self.spans)
    }
}

struct Gather<'a> {
    spans: &'a mut Vec<Span>,
    stream: usize,
    rows: &'a mut Vec<(usize, Row)>,
    added: &'a mut Vec<(usize, Added)>,
    /// The stream's sums, as far as running totals make them.
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

    fn row(&mut self, row: Row) {
        self.rows.push((self.stream, row));
    }

    fn lost(&mut self, _: Lost) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A segment of which `count` of its size take all the room that there is.
    fn one_of(count: usize) -> SegmentDetail {
        let spans = Vec::with_capacity((limits::DETAIL_BYTES / count - 1000) / size_of::<Span>());
        SegmentDetail { lanes: alloc::vec![(0, spans)], ..SegmentDetail::default() }
    }

    /// Those that are there after these have come, one after the other; what `touched` names was used before the last one.
    fn left(coming: &[u32], touched: &[u32]) -> Vec<u32> {
        let mut details = Details::default();
        for (at, segment) in coming.iter().enumerate() {
            if at + 1 == coming.len() {
                details.touch(touched);
            }
            details.tick();
            details.insert(*segment, one_of(3), 0);
        }
        let held = details.segments.values().map(SegmentDetail::bytes_held).sum::<usize>();
        assert_eq!(details.bytes_held(), held);
        assert!(held <= limits::DETAIL_BYTES);
        details.segments.keys().copied().collect()
    }

    #[test]
    fn those_not_used_for_longest_go_first() {
        assert_eq!(left(&[5, 4, 3], &[]), [3, 4, 5]);
        assert_eq!(left(&[5, 4, 3, 2], &[]), [2, 3, 4]);
        assert_eq!(left(&[5, 4, 3, 2], &[5]), [2, 3, 5]);
        assert_eq!(left(&[1, 2, 3, 4], &[1, 2]), [1, 2, 4]);
        assert_eq!(left(&[1, 2, 3, 3], &[]), [1, 2, 3], "the same again takes no more");
    }

    /// A window is drawn from all of its segments at once.
    #[test]
    fn what_comes_together_stays_together() {
        let mut details = Details::default();
        details.insert(9, one_of(3), 0);
        details.tick();
        (0..5).for_each(|segment| details.insert(segment, one_of(3), 0));
        assert!(details.get(9).is_none() && (0..5).all(|segment| details.get(segment).is_some()));
        details.clear();
        assert!(details.get(0).is_none() && details.bytes_held() == 0);
    }

    /// It comes in several reads: what came before, or was there, is not read again and again in turns.
    #[test]
    fn what_a_window_needs_may_take_more_room() {
        let mut details = Details::default();
        let fitting = 3 * limits::DETAIL_MOST / limits::DETAIL_BYTES;
        let mut window = |first: u32, count: usize| {
            let wanted: Vec<u32> = (first..).take(count).collect();
            details.plan(&wanted);
            for segment in &wanted {
                details.tick();
                details.insert(*segment, one_of(3), 0);
            }
            assert!(details.bytes_held() <= limits::DETAIL_MOST);
            wanted.iter().filter(|segment| details.get(**segment).is_some()).count()
        };
        assert_eq!((window(0, 3), window(10, fitting), window(12, fitting)), (3, fitting, fitting));
        assert_eq!(window(50, 9), fitting, "but not any room");
        assert_eq!(window(90, 1), 1);
        assert_eq!(details.segments.len(), 3, "the next one leaves of them what has room as a rule");
    }

    #[test]
    fn what_others_hold_is_done_without_but_not_all() {
        let kept = |beside: usize| {
            let mut details = Details::default();
            for segment in 0..20 {
                details.tick();
                details.insert(segment, one_of(20), beside);
            }
            details.segments.len()
        };
        let least = 20 * limits::DETAIL_LEAST / limits::DETAIL_BYTES;
        assert_eq!([0, limits::DETAIL_BYTES / 2, limits::DETAIL_BYTES, usize::MAX].map(kept), [20, 10, least, least]);
    }

    /// What a segment holds is counted, or there would be no bound.
    #[test]
    fn spans_and_rows_take_room() {
        let rows = Vec::with_capacity(100);
        let detail = SegmentDetail { rows, ..one_of(50) };
        let spans = limits::DETAIL_BYTES / 50 - 2000;
        assert!(detail.bytes_held() > spans + 100 * size_of::<(usize, Row)>());
        assert!(detail.bytes_held() < spans + 100 * size_of::<(usize, Row)>() + 5000);
    }
}
