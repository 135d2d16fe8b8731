//! How many events there are of each number.

use crate::{
    keeping::{
        occurring::{NOT_COUNTED, TypeCount},
        sorted::{self, Sorted},
    },
    limits,
};
use alloc::{boxed::Box, vec::Vec};

/// Events by their number.
#[derive(Debug)]
pub(crate) struct EventCounts {
    small: Box<[u64; 256]>,
    large: Sorted<u16, u64>,
    /// Events with large numbers, beyond the first few such numbers.
    other: u64,
    /// Counts of small numbers, and of all events, where the open segment begins.
    before: Box<[u64; 256]>,
    large_before: Sorted<u16, u64>,
    all_before: u64,
}

impl Default for EventCounts {
    fn default() -> Self {
        let (small, before) = (Box::new([0; 256]), Box::new([0; 256]));
        let (large, large_before) = (Sorted::new(), Sorted::default());
        Self { small, large, other: 0, before, large_before, all_before: 0 }
    }
}

impl EventCounts {
    /// How many events there are of each number.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u16, u64)> {
        let small = self.small.iter().enumerate().map(|(tag, &count)| (tag as u16, count));
        small.filter(|(_, count)| *count > 0).chain(self.large.iter().map(|(&tag, &count)| (tag, count)))
    }

    /// How many events have numbers beyond the first [`limits::MAX_COUNTED_TAGS`] large ones: they are counted together.
    pub(crate) fn others(&self) -> u64 {
        self.other
    }

    /// Whether there is an event of any of these numbers, all of which are below 256.
    pub(crate) fn has_any(&self, tags: &[u16]) -> bool {
        tags.iter().any(|tag| self.small.get(usize::from(*tag)).is_some_and(|count| *count > 0))
    }

    #[inline]
    pub(crate) fn count(&mut self, tag: u16) {
        match self.small.get_mut(usize::from(tag)) {
            Some(count) => *count += 1,
            None => self.count_large(tag),
        }
    }

    #[cold]
    fn count_large(&mut self, tag: u16) {
        if self.large.len() < limits::MAX_COUNTED_TAGS || self.large.contains_key(&tag) {
            *self.large.entry(tag).or_default() += 1;
        } else {
            self.other += 1;
        }
    }

    /// Ends a segment: returns how many events there are before it, and how many of each number are in it.
    pub(crate) fn end_segment(&mut self) -> (u64, Vec<TypeCount>) {
        let small = (0..).zip(self.small.iter().zip(self.before.iter()).map(|(now, before)| now - before));
        let before = |tag| self.large_before.get(tag).copied().unwrap_or(0);
        let large = self.large.iter().map(|(tag, now)| (*tag, now - before(tag)));
        let mut counts: Vec<(u16, u64)> = small.chain(large).filter(|(_, count)| *count > 0).collect();
        let all = self.total();
        let events_before = core::mem::replace(&mut self.all_before, all);
        let counted: u64 = counts.iter().map(|(_, count)| count).sum();
        if all - events_before > counted {
            counts.push((NOT_COUNTED, all - events_before - counted));
        }
        self.before.copy_from_slice(&*self.small);
        if !self.large.is_empty() {
            self.large_before.clone_from(&self.large);
        }
        let of_type = |(tag, count)| TypeCount { tag, count: u32::try_from(count).unwrap_or(u32::MAX) };
        (events_before, counts.into_iter().map(of_type).collect())
    }

    pub(crate) fn bytes_held(&self) -> usize {
        2 * size_of::<[u64; 256]>() + sorted::bytes_held(&self.large) + sorted::bytes_held(&self.large_before)
    }

    pub(crate) fn total(&self) -> u64 {
        self.small.iter().chain(self.large.values()).sum::<u64>() + self.other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The counts by number in the segment that ends now.
    fn ended(counts: &mut EventCounts) -> (u64, Vec<(u16, u32)>) {
        let (before, types) = counts.end_segment();
        (before, types.into_iter().map(|of| (of.tag, of.count)).collect())
    }

    #[test]
    fn a_segment_counts_the_events_since_the_last_one_ended() {
        let mut counts = EventCounts::default();
        [1, 300, 1].into_iter().for_each(|tag| counts.count(tag));
        assert_eq!(ended(&mut counts), (0, [(1, 2), (300, 1)].to_vec()));
        [2, 300].into_iter().for_each(|tag| counts.count(tag));
        assert_eq!(ended(&mut counts), (3, [(2, 1), (300, 1)].to_vec()));
        assert_eq!(ended(&mut counts), (5, Vec::new()));
    }

    #[test]
    fn numbers_beyond_the_limit_are_counted_together() {
        let mut counts = EventCounts::default();
        (0..limits::MAX_COUNTED_TAGS as u16 + 3).for_each(|tag| counts.count(1000 + tag));
        let (_, types) = ended(&mut counts);
        assert_eq!(types.len(), limits::MAX_COUNTED_TAGS + 1);
        assert_eq!(types.last(), Some(&(NOT_COUNTED, 3)));
    }
}
