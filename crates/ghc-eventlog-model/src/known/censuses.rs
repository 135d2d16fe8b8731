//! The censuses of a heap profile around a time: those that are kept, or, if that is not too much to read, all of them, read
//! again.
//!
//! ```text
//! log       |c1 ...|c2 ...|c3 ...|c4 ...|c5 ...|c6 ...|
//! kept       ^                    ^                       every third one
//! view                 |----|
//! read again       |c2, c3, c4, c5                        one on either side: bands go in straight lines
//! ```

use crate::{
    known::{Known, details::SegmentDetail},
    limits,
    profiles::{begins::Around, censuses::BandCensus},
};
use alloc::vec::Vec;
use ghc_eventlog::Nanos;

impl Known {
    /// The segments that must be at hand for all censuses around a time; none if all censuses are kept, or it is too much to read.
    pub(crate) fn census_segments(&self, from: Nanos, to: Nanos) -> Vec<u32> {
        let around = self.stores.profiles.heap.begins_around(from, to);
        around.map_or(Vec::new(), |around| self.segments_of(around).unwrap_or_default())
    }

    /// The segments with the censuses of a part of the log, if they are not too much to read.
    fn segments_of(&self, Around { from: (_, first), after }: Around) -> Option<Vec<u32>> {
        let last = after.map_or(self.index_end(), |(_, offset)| offset);
        if last.saturating_sub(first) > limits::DETAIL_READ {
            return None;
        }
        let global = self.caps.stream(None)?;
        let of = |segment: u32| self.index.segment(segment);
        let meets =
            |segment: &u32| of(*segment).is_some_and(|segment| segment.at.offset <= last && first < segment.end);
        let segments: Vec<u32> = self.index.stream(global).iter().map(|entry| entry.segment).filter(meets).collect();
        let bytes: u64 = segments.iter().filter_map(|at| of(*at)).map(|of| of.end - of.at.offset).sum();
        (bytes <= limits::DETAIL_READ).then_some(segments)
    }

    fn index_end(&self) -> u64 {
        self.index.segments().last().map_or(0, |segment| segment.end)
    }

    /// The censuses in `from..to`, with the one before and the one after; and whether these are all.
    pub(crate) fn censuses_around(&self, from: Nanos, to: Nanos) -> (Vec<BandCensus<'_>>, bool) {
        let heap = &self.stores.profiles.heap;
        let read = heap.begins_around(from, to).and_then(|around| self.read_again(around));
        let is_all = read.is_some() || heap.censuses.stride() == 1;
        let kept = || heap.censuses.around(from, to).map(|(time, entries)| (time, entries.into())).collect();
        let mut censuses: Vec<BandCensus<'_>> = read.unwrap_or_else(kept);
        // What was read again may have more than one census on either side.
        let first = censuses.partition_point(|(time, _)| *time < from).saturating_sub(1);
        let end = censuses.partition_point(|(time, _)| *time < to) + 1;
        censuses.truncate(end);
        censuses.drain(..first);
        (censuses, is_all)
    }

    /// Whether the heap profile was switched off between two censuses, of which one follows the other: then a collection in between
    /// has no census, although one was due. What lies between is not known.
    pub(crate) fn is_profile_paused(&self, from: Nanos, to: Nanos) -> bool {
        let collections = &self.stores.collections;
        let is_by_hand = self.stores.process.flags().is_some_and(|flags| flags.heap_profile_by_hand);
        let period = self.stores.profiles.heap.period.filter(|_| !is_by_hand && !collections.is_capped());
        let period = period.filter(|_| self.stores.process.can_pause());
        let Some(period) = period else { return false };
        // The runtime's timer takes its time, and a census may be counted to the begin or the end of its collection.
        let slack = period.plus(period).plus(limits::CENSUS_LATE);
        if to.since(from) < slack.plus(slack) {
            return false;
        }
        let rows = collections.rows();
        let first = rows.partition_point(|row| row.start < from.plus(slack));
        rows.get(first).is_some_and(|row| row.end.plus(slack) <= to)
    }

    /// The time of the first kept census after a time.
    pub(crate) fn census_after(&self, time: Nanos) -> Option<Nanos> {
        let after = time.plus(Nanos(1));
        self.stores.profiles.heap.censuses.around(after, after).map(|(time, _)| time).find(|next| *next > time)
    }

    /// The censuses of a part of the log, if all of its segments are at hand.
    fn read_again(&self, around: Around) -> Option<Vec<BandCensus<'_>>> {
        let segments = self.segments_of(around)?;
        let details: Option<Vec<&SegmentDetail>> = segments.iter().map(|at| self.details.get(*at)).collect();
        let mut censuses: Vec<BandCensus<'_>> = Vec::new();
        // At the begin of the first segment and at the end of the last one, there may be only a part of a census.
        let is_whole = |time: Nanos| around.from.0 <= time && around.after.is_none_or(|(after, _)| time < after);
        for (time, entries) in details?.into_iter().flat_map(SegmentDetail::censuses) {
            match censuses.last_mut() {
                _ if !is_whole(time) => {}
                // The census continues in another segment.
                Some((last, before)) if *last == time => before.to_mut().extend_from_slice(entries),
                _ => censuses.push((time, entries.into())),
            }
        }
        (!censuses.is_empty()).then_some(censuses)
    }
}
