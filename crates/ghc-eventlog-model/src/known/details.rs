//! Segments that were decoded again, as long as there is room for them.

use crate::{
    keeping::sorted::Sorted,
    limits,
    profiles::{censuses as census, stacks::Innermost},
    terms::{
        machine::KeptRow,
        span::{Ending, Span},
    },
    tracks::capability::Lane,
};
use alloc::vec::Vec;
use ghc_eventlog::Nanos;

/// What one segment holds, exactly.
#[derive(Debug, Default)]
pub(crate) struct SegmentDetail {
    /// By stream. What is still open at the segment's end is included, up to the end, and marked as open.
    pub(crate) lanes: Vec<(usize, Vec<Span>)>,
    /// Each with its stream.
    pub(crate) rows: Vec<(usize, KeptRow)>,
    /// What adds to the sums, besides spans and rows: each with its stream.
    pub(crate) added: Vec<(usize, Added)>,
    /// If not all censuses are kept: the time of each census in it, and where its entries end.
    census_ends: Vec<(Nanos, u32)>,
    census_entries: Vec<census::Entry>,
    /// If not all samples of the time profile are kept: those of capabilities, not of threads.
    pub(crate) samples: Vec<Innermost>,
    last_use: u64,
}

/// What one event adds to one of a stream's sums.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Added {
    /// The sum's place.
    pub(crate) sum: usize,
    pub(crate) more: u64,
    pub(crate) time: Nanos,
}

impl SegmentDetail {
    /// The spans of one stream that end in the segment, in order. `next` is its lane where its next segment begins: what
    /// continues there ends there.
    pub(crate) fn lane(&self, stream: usize, next: Option<&Lane>) -> &[Span] {
        let spans = self.lanes.iter().find(|(of, _)| *of == stream).map_or(&[][..], |(_, spans)| spans);
        match (spans, next) {
            ([ended @ .., last], Some(lane)) if lane.open(last.end, Ending::Open).as_ref() == Some(last) => ended,
            _ => spans,
        }
    }

    /// Its censuses, in order; the first and the last one may be incomplete.
    pub(crate) fn censuses(&self) -> impl Iterator<Item = (Nanos, &[census::Entry])> {
        let mut from = 0;
        self.census_ends.iter().map(move |(time, end)| {
            let entries = self.census_entries.get(from..*end as usize).unwrap_or_default();
            from = *end as usize;
            (*time, entries)
        })
    }

    /// Adds an entry to the census of a time.
    pub(crate) fn take_entry(&mut self, time: Nanos, entry: census::Entry) {
        self.census_entries.push(entry);
        let end = self.census_entries.len() as u32;
        match self.census_ends.last_mut() {
            Some((last, of_last)) if *last == time => *of_last = end,
            _ => self.census_ends.push((time, end)),
        }
    }

    /// The segment is complete.
    pub(crate) fn finish(&mut self) {
        self.census_entries.shrink_to_fit();
        self.samples.shrink_to_fit();
    }

    fn bytes_held(&self) -> usize {
        let censuses = self.census_ends.capacity() * size_of::<(Nanos, u32)>()
            + self.census_entries.capacity() * size_of::<census::Entry>();
        let lanes = self.lanes.capacity() * size_of::<(usize, Vec<Span>)>();
        let spans: usize = self.lanes.iter().map(|(_, spans)| spans.capacity()).sum();
        let rows = self.rows.capacity() * size_of::<(usize, KeptRow)>();
        let added = self.added.capacity() * size_of::<(usize, Added)>();
        let samples = self.samples.capacity() * size_of::<Innermost>();
        lanes + spans * size_of::<Span>() + rows + added + censuses + samples + size_of::<(u32, Self)>()
    }
}

/// The segments at hand; the least recently used one is dropped first.
#[derive(Debug)]
pub(crate) struct Details {
    segments: Sorted<u32, SegmentDetail>,
    bytes: usize,
    clock: u64,
    /// When a window was last planned: it may need what has been used since then.
    planned: u64,
    /// Counts insertions and removals.
    pub(crate) changes: u64,
}

impl Default for Details {
    fn default() -> Self {
        Self { segments: Sorted::new(), bytes: 0, clock: 0, planned: u64::MAX, changes: 0 }
    }
}

impl Details {
    pub(crate) fn get(&self, segment: u32) -> Option<&SegmentDetail> {
        self.segments.get(&segment)
    }

    /// Marks segments as used together: none of them is dropped before all others are.
    pub(crate) fn touch(&mut self, segments: &[u32]) {
        self.clock += 1;
        // The caller needs them one by one: what else comes belongs to no window.
        self.planned = u64::MAX;
        for segment in segments {
            if let Some(detail) = self.segments.get_mut(segment) {
                detail.last_use = self.clock;
            }
        }
    }

    /// Marks the segments of a window that are at hand: together with those that come next, they may take more room than
    /// others.
    pub(crate) fn plan(&mut self, segments: &[u32]) {
        self.touch(segments);
        self.planned = self.clock;
    }

    /// Makes everything at hand older than what comes now.
    pub(crate) fn tick(&mut self) {
        self.clock += 1;
    }

    /// Adds a segment. `beside` is how many bytes of its room are used by others.
    pub(crate) fn insert(&mut self, segment: u32, mut detail: SegmentDetail, beside: usize) {
        detail.last_use = self.clock;
        self.bytes += detail.bytes_held();
        self.changes += 1;
        if let Some(old) = self.segments.insert(segment, detail) {
            self.bytes -= old.bytes_held();
        }
        self.leave_room(beside);
    }

    /// Drops what there is no room for, except what is in use. `beside` is how many bytes of its room are used by others.
    pub(crate) fn leave_room(&mut self, beside: usize) {
        let room = |most: usize| most.saturating_sub(beside).max(limits::DETAIL_LEAST);
        let unplanned = self.planned.min(self.clock);
        while self.bytes > room(limits::DETAIL_BYTES) && self.drop_oldest(unplanned) {}
        while self.bytes > room(limits::DETAIL_MOST) && self.drop_oldest(self.clock) {}
    }

    /// Drops the least recently used segment, if its last use was before `before`. Returns whether it did.
    fn drop_oldest(&mut self, before: u64) -> bool {
        let oldest = self.segments.iter().min_by_key(|(_, detail)| detail.last_use);
        let Some((&segment, _)) = oldest.filter(|(_, detail)| detail.last_use < before) else { return false };
        self.changes += 1;
        if let Some(old) = self.segments.remove(&segment) {
            self.bytes -= old.bytes_held();
        }
        true
    }

    pub(crate) fn clear(&mut self) {
        self.segments.clear();
        self.bytes = 0;
        self.changes += 1;
    }

    pub(crate) fn bytes_held(&self) -> usize {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A segment of such a size that `count` of them take all the room.
    fn one_of(count: usize) -> SegmentDetail {
        let spans = Vec::with_capacity((limits::DETAIL_BYTES / count - 1000) / size_of::<Span>());
        SegmentDetail { lanes: alloc::vec![(0, spans)], ..SegmentDetail::default() }
    }

    /// The segments at hand after `coming` were added in order; `touched` were used right before the last one.
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
    fn the_least_recently_used_segments_are_dropped_first() {
        assert_eq!(left(&[5, 4, 3], &[]), [3, 4, 5]);
        assert_eq!(left(&[5, 4, 3, 2], &[]), [2, 3, 4]);
        assert_eq!(left(&[5, 4, 3, 2], &[5]), [2, 3, 5]);
        assert_eq!(left(&[1, 2, 3, 4], &[1, 2]), [1, 2, 4]);
        assert_eq!(left(&[1, 2, 3, 3], &[]), [1, 2, 3], "the same again takes no more");
    }

    /// A window is drawn from all of its segments at once.
    #[test]
    fn segments_used_together_stay_together() {
        let mut details = Details::default();
        details.insert(9, one_of(3), 0);
        details.tick();
        (0..5).for_each(|segment| details.insert(segment, one_of(3), 0));
        assert!(details.get(9).is_none() && (0..5).all(|segment| details.get(segment).is_some()));
        details.clear();
        assert!(details.get(0).is_none() && details.bytes_held() == 0);
    }

    /// They come in several reads: what came before, or was there, is not dropped and read again and again.
    #[test]
    fn the_segments_of_a_window_may_take_more_room() {
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
    fn room_used_by_others_is_given_up_except_for_a_rest() {
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

    /// All that a segment holds is counted, or there would be no bound.
    #[test]
    fn spans_and_rows_take_room() {
        let rows = Vec::with_capacity(100);
        let detail = SegmentDetail { rows, ..one_of(50) };
        let spans = limits::DETAIL_BYTES / 50 - 2000;
        assert!(detail.bytes_held() > spans + 100 * size_of::<(usize, KeptRow)>());
        assert!(detail.bytes_held() < spans + 100 * size_of::<(usize, KeptRow)>() + 5000);
    }
}
