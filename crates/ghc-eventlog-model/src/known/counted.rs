//! What is kept of the event list from one page to the next: how many of the chosen events each segment has, and the order of
//! those around the page that was read last.

use alloc::{string::String, vec::Vec};
use ghc_eventlog::Nanos;

/// Which events are chosen.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct CountedOf {
    /// Their types; `None` for all.
    pub(crate) types: Option<Vec<u16>>,
    /// The query that they fit.
    pub(crate) query: String,
    /// Their times, from a time to before another; `None` for all.
    pub(crate) times: Option<(Nanos, Nanos)>,
}

/// The chosen events of a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SegmentCount {
    /// How many there are.
    pub(crate) count: u64,
    /// None of them is earlier.
    pub(crate) first: Nanos,
    /// None of them is later.
    pub(crate) last: Nanos,
}

impl SegmentCount {
    pub(crate) const NONE: Self = Self { count: 0, first: Nanos::MAX, last: Nanos(0) };

    /// Adds an event.
    pub(crate) fn add(&mut self, time: Nanos) {
        self.count += 1;
        self.first = self.first.min(time);
        self.last = self.last.max(time);
    }
}

/// The chosen events of a log that is over; until then, its segments change.
#[derive(Debug, Default)]
pub(crate) struct Counted {
    pub(crate) of: CountedOf,
    /// By segment; `None` for those that must be read to know.
    pub(crate) counts: Vec<Option<SegmentCount>>,
    /// How many of them come before [`Self::keys`], in order of time.
    pub(crate) before: u64,
    /// Where they are in order of time, for some that follow each other: each has its time and its offset in the file.
    pub(crate) keys: Vec<u128>,
}

impl Counted {
    pub(crate) fn bytes_held(&self) -> usize {
        self.of.types.as_ref().map_or(0, |types| types.capacity() * size_of::<u16>())
            + self.of.query.capacity()
            + self.counts.capacity() * size_of::<Option<SegmentCount>>()
            + self.keys.capacity() * size_of::<u128>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// They are small, compared with the index of the same segments.
    #[test]
    fn counts_and_their_segments_take_room() {
        let of = CountedOf { types: Some([1, 2, 3].into()), query: "cap:1".into(), times: None };
        let counted = Counted { of, counts: Vec::with_capacity(100), before: 0, keys: Vec::with_capacity(10) };
        assert_eq!(counted.bytes_held(), 3 * 2 + 5 + 100 * 32 + 10 * 16);
    }
}
