//! How many events there are of each number.

use crate::{
    keeping::occurring::{LARGE, TypeCount},
    limits,
};
use alloc::{boxed::Box, collections::BTreeMap, vec::Vec};

/// Events by their number.
#[derive(Debug)]
pub(crate) struct Counts {
    small: Box<[u64; 256]>,
    large: BTreeMap<u16, u64>,
    /// Those of large numbers beyond the first few.
    other: u64,
    /// Those of small numbers, and all, where the open segment begins.
    before: Box<[u64; 256]>,
    all_before: u64,
}

impl Default for Counts {
    fn default() -> Self {
        Self { small: Box::new([0; 256]), large: BTreeMap::new(), other: 0, before: Box::new([0; 256]), all_before: 0 }
    }
}

impl Counts {
    /// How many events there are of each number.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u16, u64)> {
        let small = self.small.iter().enumerate().map(|(tag, &count)| (tag as u16, count));
        small.filter(|(_, count)| *count > 0).chain(self.large.iter().map(|(&tag, &count)| (tag, count)))
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

    /// A segment ends: how many events there are before it, and how many of each number are in it.
    pub(crate) fn end_segment(&mut self) -> (u64, Vec<TypeCount>) {
        let added = self.small.iter().zip(self.before.iter()).map(|(now, before)| now - before);
        let small: u64 = added.clone().sum();
        let all = self.total();
        let events_before = core::mem::replace(&mut self.all_before, all);
        let counts = (0..LARGE).zip(added).chain([(LARGE, all - events_before - small)]);
        let of_type = |(tag, count)| TypeCount { tag, count: u32::try_from(count).unwrap_or(u32::MAX) };
        let types = counts.filter(|(_, count)| *count > 0).map(of_type).collect();
        self.before.copy_from_slice(&*self.small);
        (events_before, types)
    }

    pub(crate) fn total(&self) -> u64 {
        self.small.iter().chain(self.large.values()).sum::<u64>() + self.other
    }
}
