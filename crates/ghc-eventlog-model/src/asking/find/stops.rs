//! Which segments a search reads, and in which order.

use super::{
    finder::{Finder, Prepared},
    found::FindOrder,
    hit::HitKind,
};
use crate::{
    keeping::{diagnostics::Diagnostics, occurring::TagSet},
    known::{Known, index::Segment, threads::LANE},
    sorting::sort_by_key,
};
use alloc::{vec, vec::Vec};
use ghc_eventlog::{GcEnd, Nanos, ThreadId, UserBinaryMsg, UserMarker, UserMsg};

/// So many segments are searched by how near they are; then comes what follows in the file, up to its end, and then its front: a file
/// that is read from front to back is read twice as fast.
const NEAREST: usize = 256;

/// A segment that has to be read.
#[derive(Debug, Clone, Copy)]
pub(super) struct FindPart {
    pub(super) segment: u32,
    /// Nothing that is found in it happened or began before this.
    pub(super) first: Nanos,
    /// Hits before this have been taken already.
    pub(super) from: Nanos,
}

/// The time of a segment's hits.
#[derive(Debug, Clone, Copy)]
struct Extent {
    first: Nanos,
    last: Nanos,
    /// Whether a run that is open at its end may not go on in a later one: the length of such a run is nowhere.
    may_be_last: bool,
}

impl Known {
    /// The segments in which a query may find something; the first one to look at is last.
    pub(super) fn segments_to_search(&self, finder: &Finder, order: FindOrder) -> Vec<FindPart> {
        let (from, to) = finder.times();
        let (tags, of_threads) = (finder.tags(), finder.tags_of_threads());
        let (runs, collections) = (finder.finds(HitKind::Run), finder.finds(HitKind::Collection));
        // If events are missing, a thread may stop in a segment that is not known to have a run of it.
        let Diagnostics { unended, unbegun, unlogged, .. } = self.stores.diagnostics;
        let is_paired = unended + unbegun + unlogged.0 + unlogged.1 == 0;
        let thread = finder.required().find_map(|test| match test {
            Prepared::Thread(thread) if is_paired => Some(*thread),
            _ => None,
        });
        let cap = finder.required().find_map(|test| match test {
            Prepared::Cap(cap) => Some(self.caps.stream(Some(*cap))),
            _ => None,
        });
        let mut caps = vec![false; self.index.segments().len()];
        for entry in cap.flatten().into_iter().flat_map(|stream| self.index.stream(stream)) {
            caps.get_mut(entry.segment as usize).into_iter().for_each(|has| *has = true);
        }
        let least = finder.least_length();
        let may_end_run = |segment: &Segment| {
            let occurring = &segment.occurring;
            occurring.tags.has_any(LANE) && least.is_none_or(|least| occurring.longest_run.may_reach(least))
        };
        // Where there are more capabilities than are followed, nothing is known of their times.
        let is_whole = !self.caps.is_capped;
        let may_have = |segment: &Segment, extent: &Extent, has_cap: bool| {
            let is_in_time = extent.first < to && extent.last >= from;
            let of_cap = cap.is_none() || has_cap;
            let of_thread = thread.is_none_or(|thread: ThreadId| {
                segment.occurring.ran.may_have(thread) || segment.occurring.tags.meets(&of_threads)
            });
            let has_events = segment.occurring.tags.meets(&tags) && of_thread;
            let has_runs = runs && (extent.may_be_last || may_end_run(segment)) && of_thread;
            let has_collections = collections && segment.occurring.tags.may_have(GcEnd::TAG);
            (!is_whole || is_in_time && of_cap) && (has_events || has_runs || has_collections)
        };
        let all = self.index.segments().iter().zip(self.extents()).zip(caps).zip(0..);
        let stops = all.filter(|(((segment, extent), has_cap), _)| may_have(segment, extent, *has_cap));
        let mut stops: Vec<(FindPart, Nanos)> = stops
            .map(|(((_, Extent { first, last, .. }), _), segment)| (FindPart { segment, first, from: Nanos(0) }, last))
            .collect();
        match order {
            FindOrder::InTime => sort_by_key(&mut stops, |(part, _)| core::cmp::Reverse((part.first, part.segment))),
            FindOrder::Nearest(near, _) => nearest_first(&mut stops, near, NEAREST),
        }
        stops.into_iter().map(|(part, _)| part).collect()
    }

    /// By segment: whether a query may find an event in it.
    pub(in crate::asking) fn may_find_events(&self, finder: &Finder) -> Vec<bool> {
        let mut may = vec![false; self.index.segments().len()];
        for part in self.segments_to_search(finder, FindOrder::InTime) {
            may.get_mut(part.segment as usize).into_iter().for_each(|may| *may = true);
        }
        may
    }

    /// The segments with messages that may be tags of spans; the first one is last.
    pub(super) fn segments_with_tags(&self) -> Vec<u32> {
        let tags: TagSet = [UserMsg::TAG, UserMarker::TAG, UserBinaryMsg::TAG].into_iter().collect();
        let segments = (0..).zip(self.index.segments()).filter(|(_, segment)| segment.occurring.tags.meets(&tags));
        let mut stops: Vec<u32> = segments.map(|(number, _)| number).collect();
        stops.reverse();
        stops
    }

    /// The time of each segment's hits, including spans that began before it and end in it.
    fn extents(&self) -> Vec<Extent> {
        let begin = |segment: &Segment| Extent { first: segment.first, last: segment.latest, may_be_last: false };
        let mut extents: Vec<Extent> = self.index.segments().iter().map(begin).collect();
        for stream in 0..self.caps.streams.len() {
            for turn in self.index.all_turns(stream) {
                let entry = turn.entry;
                let Some(extent) = extents.get_mut(entry.segment as usize) else { continue };
                let runs = turn.lane().thread().is_some();
                let began = if runs { turn.from() } else { Nanos::MAX };
                extent.first = extent.first.min(entry.reaches_back_to()).min(began);
                extent.last = extent.last.max(entry.to);
                extent.may_be_last |= turn.may_be_last();
            }
        }
        extents
    }
}

/// Puts the segments in the order in which they are searched for hits around a time, the first one last: the `nearest` ones, those that come
/// after that time in the file, and its front. Each has the time of its last hit beside it.
fn nearest_first(stops: &mut [(FindPart, Nanos)], near: Nanos, nearest: usize) {
    let far = |part: &FindPart, last: Nanos| part.first.since(near).max(near.since(last));
    sort_by_key(stops, |(part, last)| core::cmp::Reverse((far(part, *last), part.segment)));
    let rest = stops.len().saturating_sub(nearest);
    if let Some(rest) = stops.get_mut(..rest) {
        sort_by_key(rest, |(part, _)| core::cmp::Reverse((part.first < near, part.segment)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_come_first_then_what_follows_then_the_front() {
        let stop = |segment: u32| {
            let first = Nanos(u64::from(segment) * 10);
            (FindPart { segment, first, from: Nanos(0) }, first.plus(Nanos(9)))
        };
        let mut stops: Vec<(FindPart, Nanos)> = [3, 1, 4, 0, 5, 9, 2, 6, 8, 7].map(stop).into();
        nearest_first(&mut stops, Nanos(55), 4);
        let order: Vec<u32> = stops.iter().rev().map(|(part, _)| part.segment).collect();
        assert_eq!(order, [5, 6, 4, 7, 8, 9, 0, 1, 2, 3]);
    }
}
