//! What occurs in each segment of the log, in little room. Searches for events of a type, or for a thread's runs, skip the
//! segments that have none, and know the number of each event that they find.
//!
//! ```text
//! segments         |    0    |     1     |    2    |
//! events before    0        4100        8230
//! types            RUN STOP   RUN STOP    RUN STOP GC_START GC_END …
//! of each          2050 2050  2065 2065   1990 1990 4 4 …
//! ```

use crate::{sorting::sort_by_number, terms::tags::Tags};
use alloc::vec::Vec;
use ghc_eventlog::{Nanos, ThreadId};

/// What occurs in a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Occurring {
    pub(crate) tags: TagSet,
    /// The threads that ran.
    pub(crate) ran: ThreadFilter,
    /// A bound for the lengths of the runs that end here.
    pub(crate) longest_run: LongestRun,
}

impl Occurring {
    /// Adds what occurs in the next segment.
    pub(crate) fn add(&mut self, other: &Self) {
        self.tags.add(&other.tags);
        self.ran.0 |= other.ran.0;
        self.longest_run.0 |= other.longest_run.0;
    }
}

/// A set of event numbers; those from 256 on count as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct TagSet {
    small: Tags,
    large: bool,
}

impl TagSet {
    pub(crate) fn insert(&mut self, tag: u16) {
        self.small.insert(tag);
        self.large |= tag >= 256;
    }

    pub(crate) fn may_have(&self, tag: u16) -> bool {
        if tag < 256 { self.small.has(tag) } else { self.large }
    }

    /// Whether any of some numbers occurs.
    pub(crate) fn has_any(&self, tags: Tags) -> bool {
        self.small.meets(tags)
    }

    /// Whether the sets may have a number in common.
    pub(crate) fn meets(&self, other: &Self) -> bool {
        self.small.meets(other.small) || self.large && other.large
    }

    fn add(&mut self, other: &Self) {
        self.small.add(other.small);
        self.large |= other.large;
    }
}

impl FromIterator<u16> for TagSet {
    fn from_iter<T: IntoIterator<Item = u16>>(tags: T) -> Self {
        let mut set = Self::default();
        tags.into_iter().for_each(|tag| set.insert(tag));
        set
    }
}

/// How many events of a number a segment has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TypeCount {
    /// [`NOT_COUNTED`] for numbers that are not counted individually.
    pub(crate) tag: u16,
    pub(crate) count: u32,
}

/// No event's number: on the wire it is the end of the log.
pub(crate) const NOT_COUNTED: u16 = u16::MAX;

/// A set of event numbers that distinguishes all of them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Chosen {
    tags: TagSet,
    /// The numbers from 256 on, in order.
    large: Vec<u16>,
}

impl Chosen {
    pub(crate) fn has(&self, tag: u16) -> bool {
        if tag < 256 { self.tags.may_have(tag) } else { self.large.binary_search(&tag).is_ok() }
    }
}

impl FromIterator<u16> for Chosen {
    fn from_iter<T: IntoIterator<Item = u16>>(tags: T) -> Self {
        let all: Vec<u16> = tags.into_iter().filter(|tag| *tag != NOT_COUNTED).collect();
        let mut large: Vec<u16> = all.iter().copied().filter(|tag| *tag >= 256).collect();
        sort_by_number(&mut large, |tag| (*tag).into());
        Self { tags: all.into_iter().collect(), large }
    }
}

/// A set of thread numbers, as one bit of 64 for each: about one other thread in 64 shares it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct ThreadFilter(u64);

impl ThreadFilter {
    #[inline(always)]
    pub(crate) fn insert(&mut self, thread: ThreadId) {
        self.0 |= Self::bit(thread);
    }

    const fn bit(thread: ThreadId) -> u64 {
        // Multiplying spreads neighbours: take the top six bits.
        1 << (thread.0.wrapping_mul(0x9e37_79b1) >> 26)
    }

    pub(crate) fn may_have(self, thread: ThreadId) -> bool {
        self.0 & Self::bit(thread) != 0
    }
}

/// The most that a run may have taken, at most twice as much as the longest one: all their lengths, combined bit by bit, which takes less
/// time than comparing them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct LongestRun(u64);

impl LongestRun {
    #[inline(always)]
    pub(crate) fn insert(&mut self, length: Nanos) {
        self.0 |= length.0;
    }

    pub(crate) fn may_reach(self, length: Nanos) -> bool {
        self.0 >= length.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_run_is_longer_than_the_longest_may_be() {
        let lengths = [0, 1, 5, 1000, 1 << 40].map(Nanos);
        for longest in lengths {
            let mut of = LongestRun::default();
            lengths.into_iter().filter(|length| *length <= longest).for_each(|length| of.insert(length));
            assert!(of.may_reach(longest) && !of.may_reach(Nanos(2 * longest.0 + 1)), "{longest:?}");
        }
    }

    /// Segments are merged in pairs.
    #[test]
    fn merged_segments_have_what_occurs_in_either() {
        let of = |tags: &[u16], thread| {
            let mut ran = ThreadFilter::default();
            ran.insert(ThreadId(thread));
            Occurring { tags: tags.iter().copied().collect(), ran, longest_run: LongestRun::default() }
        };
        let mut both = of(&[1, 9], 1);
        both.add(&of(&[1, 255, 300], 2));
        assert_eq!([1, 9, 255, 300, 2, 254].map(|tag| both.tags.may_have(tag)), [true, true, true, true, false, false]);
        assert_eq!([1, 2, 3].map(|thread| both.ran.may_have(ThreadId(thread))), [true, true, false]);
        let mut large_before = of(&[300], 1);
        large_before.add(&of(&[1], 2));
        assert!(large_before.tags.may_have(300));
    }
}
