//! Censuses: what each band held at a time, one list after the other. All are kept as long as there is room, then every
//! second one, every fourth, and so on.

use crate::{limits, sorting::sort_by_number};
use alloc::{borrow::Cow, vec::Vec};
use ghc_eventlog::Nanos;

/// What a band held in a census.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) band: u32,
    pub(crate) bytes: u64,
}

/// What bands held at a time.
pub(crate) type BandCensus<'s> = (Nanos, Cow<'s, [Entry]>);

// Two censuses of all bands fit, so that thinning always makes room for one more.
const _: () = assert!(limits::MAX_CENSUS_ENTRIES >= 2 * (limits::MAX_BANDS + 1));

/// The censuses that are kept.
#[derive(Debug)]
pub(crate) struct Censuses {
    /// The time of each census, and its range in `entries`.
    heads: Vec<Head>,
    entries: Vec<Entry>,
    /// How many censuses came for each that is kept.
    stride: u64,
    /// How many came.
    count: u64,
}

#[derive(Debug, Clone, Copy)]
struct Head {
    time: Nanos,
    /// From 1 on, in the order in which they came.
    number: u64,
    from: u32,
    to: u32,
}

impl Default for Censuses {
    fn default() -> Self {
        Self { heads: Vec::new(), entries: Vec::new(), stride: 1, count: 0 }
    }
}

impl Censuses {
    /// How many came for each that is kept: 1 as long as none is missing.
    pub(crate) fn stride(&self) -> u64 {
        self.stride
    }

    /// The kept censuses, with their times.
    pub(crate) fn iter(
        &self,
    ) -> impl ExactSizeIterator<Item = (Nanos, &[Entry])> + DoubleEndedIterator<Item = (Nanos, &[Entry])> {
        self.heads.iter().map(|head| {
            let entries = self.entries.get(head.from as usize..head.to as usize);
            (head.time, entries.unwrap_or_default())
        })
    }

    /// The censuses in `from..to`, the one before and the one after.
    pub(crate) fn around(&self, from: Nanos, to: Nanos) -> impl DoubleEndedIterator<Item = (Nanos, &[Entry])> {
        let first = self.heads.partition_point(|head| head.time < from).saturating_sub(1);
        let end = self.heads.partition_point(|head| head.time < to) + 1;
        self.iter().take(end).skip(first)
    }

    /// Adds a census.
    pub(crate) fn push(&mut self, time: Nanos, entries: &[Entry]) {
        let is_kept = self.count.is_multiple_of(self.stride);
        self.count += 1;
        if !is_kept {
            return;
        }
        while self.entries.len() + entries.len() > limits::MAX_CENSUS_ENTRIES
            || self.heads.len() >= limits::MAX_CENSUSES
        {
            self.thin();
        }
        // The census may be one of those that have just been dropped.
        if (self.count - 1).is_multiple_of(self.stride) {
            let from = self.entries.len() as u32;
            self.entries.extend_from_slice(entries);
            let number = self.count;
            self.heads.push(Head { time, number, from, to: self.entries.len() as u32 });
        }
    }

    /// Drops every second one.
    fn thin(&mut self) {
        self.stride *= 2;
        let heads = core::mem::take(&mut self.heads);
        let mut to = 0;
        for head in heads.iter().step_by(2) {
            let (from, entries) = (to, head.from as usize..head.to as usize);
            to += entries.len();
            // They move to the front: none is overwritten before it has moved.
            self.entries.copy_within(entries, from);
            self.heads.push(Head { from: from as u32, to: to as u32, ..*head });
        }
        self.entries.truncate(to);
    }

    /// Makes some entries parts of another band's: `is_part` tells by the entry and its census's number. Returns when that band has
    /// the most, and how much; `None` without any census.
    pub(crate) fn join(&mut self, band: u32, is_part: impl Fn(&Entry, u64) -> bool) -> Option<(Nanos, u64)> {
        let mut most: Option<(Nanos, u64)> = None;
        let mut end = 0;
        for head in &mut self.heads {
            let (begin, mut joined, mut has_joined) = (end, 0_u64, false);
            for at in head.from as usize..head.to as usize {
                let Some(entry) = self.entries.get(at).copied() else { continue };
                if entry.band == band || is_part(&entry, head.number) {
                    joined = joined.saturating_add(entry.bytes);
                    has_joined = true;
                } else if let Some(place) = self.entries.get_mut(end) {
                    *place = entry;
                    end += 1;
                }
            }
            if let (true, Some(place)) = (has_joined, self.entries.get_mut(end)) {
                *place = Entry { band, bytes: joined };
                end += 1;
            }
            (head.from, head.to) = (begin as u32, end as u32);
            if most.is_none_or(|(_, bytes)| joined > bytes) {
                most = Some((head.time, joined));
            }
        }
        self.entries.truncate(end);
        most
    }

    /// Puts them in order of time.
    pub(crate) fn sort(&mut self) {
        sort_by_number(&mut self.heads, |head| head.time.0);
    }

    pub(crate) fn bytes_held(&self) -> usize {
        self.heads.capacity() * size_of::<Head>() + self.entries.capacity() * size_of::<Entry>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn when_there_are_too_many_every_second_census_stays() {
        let mut censuses = Censuses::default();
        let each = limits::MAX_CENSUS_ENTRIES / 8;
        for number in 0..30u64 {
            let entries: Vec<Entry> = (0..each as u32).map(|band| Entry { band, bytes: number }).collect();
            censuses.push(Nanos(number), &entries);
        }
        let kept: Vec<(u64, u64)> = censuses.iter().map(|(time, entries)| (time.0, entries[7].bytes)).collect();
        assert_eq!(kept, [0, 4, 8, 12, 16, 20, 24, 28].map(|number| (number, number)));
        assert!(censuses.iter().all(|(_, entries)| entries.len() == each) && censuses.stride() == 4);
    }

    #[test]
    fn empty_censuses_are_bounded_too() {
        let mut censuses = Censuses::default();
        (0..10 * limits::MAX_CENSUSES as u64).for_each(|number| censuses.push(Nanos(number), &[]));
        let times: Vec<u64> = censuses.iter().map(|(time, _)| time.0).collect();
        assert!((limits::MAX_CENSUSES / 2..=limits::MAX_CENSUSES).contains(&times.len()));
        assert!(times.iter().zip(0..).all(|(time, place)| *time == place * censuses.stride()));
    }
}
