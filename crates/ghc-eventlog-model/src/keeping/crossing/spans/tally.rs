//! Totals of spans by label: how many there are, and how long they are.

use super::pieces::PieceSum;
use crate::{
    keeping::{
        bins::{self, Bins},
        heaviest::lightest,
        quantiles::{middle, place},
        sorted::{self, Sorted},
    },
    limits,
    sorting::sort_pairs,
};
use alloc::vec::Vec;
use ghc_eventlog::Nanos;

/// Totals of the spans of one label.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct OfLabel {
    /// How many ended.
    pub(crate) count: u64,
    pub(crate) total: Nanos,
    pub(crate) longest: Nanos,
    /// Their own time: without the spans directly within them on the same thread.
    own: Nanos,
    /// For how many of them that is known.
    owned: u64,
    /// The part of their time that collections took.
    pub(crate) paused: Nanos,
    /// How many never ended.
    pub(crate) unfinished: u64,
    /// How many were not followed until they ended, because too many others were open: they count as unfinished until their ends come.
    pub(crate) not_followed: u32,
    /// Whether their lengths are forgotten, since there was no room for those of labels with so little time, or never known one by one.
    lacks_lengths: bool,
}

impl OfLabel {
    /// Their time without that of spans directly within them on the same thread; `None` if that is not known for all of them.
    pub(crate) fn own(&self) -> Option<Nanos> {
        (self.owned == self.count).then_some(self.own)
    }
}

/// Totals of the spans of all labels.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tally {
    pub(crate) by_label: Vec<OfLabel>,
    /// The lengths of all of them, but for those that are only summed.
    pub(crate) lengths: Bins,
    /// Counts by label and length: see [`fine_key`].
    fine: Sorted<u64, u64>,
    /// Whether some spans are only known as [sums](PieceSum): how many there are of each length is not known.
    pub(crate) are_some_only_summed: bool,
}

/// A label and the place of a length, as exact as in [`crate::keeping::quantiles`]. The bin of the length is a part of it, so that
/// these counts also tell exactly how many lengths are in each bin.
///
/// ```text
/// | 63 .. 32: label | 31 .. 8: place | 7 .. 0: bin |
/// ```
fn fine_key(label: u16, length: u64) -> u64 {
    u64::from(label) << 32 | (place(length) as u64) << 8 | bins::place(length) as u64
}

fn label_of(key: u64) -> u16 {
    (key >> 32) as u16
}

impl Tally {
    fn of(&mut self, label: u16) -> Option<&mut OfLabel> {
        let at = usize::from(label);
        if at >= self.by_label.len() {
            self.by_label.resize(at + 1, OfLabel::default());
        }
        self.by_label.get_mut(at)
    }

    /// Adds a span of a length. `own` is its own time, if that is known; `paused` is the part that collections took.
    pub(crate) fn add(&mut self, label: u16, length: Nanos, own: Option<Nanos>, paused: Nanos) {
        if let Some(of) = self.of(label) {
            of.count += 1;
            of.total = of.total.plus(length);
            of.longest = of.longest.max(length);
            of.own = of.own.plus(own.unwrap_or_default());
            of.owned += u64::from(own.is_some());
            of.paused = of.paused.plus(paused);
        }
        self.lengths.add(length.0);
        if self.lacks_lengths_of(label) {
            return;
        }
        let key = fine_key(label, length.0);
        if let Some(count) = self.fine.get_mut(&key) {
            *count += 1;
            return;
        }
        if self.fine.len() >= limits::MAX_SPAN_LENGTHS {
            self.forget_lengths(label);
        }
        self.fine.insert(key, 1);
    }

    /// Adds spans that are only known together.
    pub(super) fn add_sum(&mut self, label: u16, sum: &PieceSum) {
        self.are_some_only_summed = true;
        if let Some(of) = self.of(label) {
            of.count += sum.count;
            of.total = of.total.plus(sum.total);
            of.longest = of.longest.max(sum.longest);
            of.paused = of.paused.plus(sum.paused);
            of.lacks_lengths = true;
        }
    }

    /// Whether there was no room for the lengths of some labels.
    pub(crate) fn lacks_some_lengths(&self) -> bool {
        self.by_label.iter().any(|of| of.lacks_lengths)
    }

    fn lacks_lengths_of(&self, label: u16) -> bool {
        self.by_label.get(usize::from(label)).is_some_and(|of| of.lacks_lengths)
    }

    /// Makes room for more lengths: forgets those of the labels that took the least time, until half of the room is free. Those of `stays` stay:
    /// it may have come just now, and take most time in the end.
    #[cold]
    #[inline(never)]
    fn forget_lengths(&mut self, stays: u16) {
        let mut counts = alloc::vec![0; self.by_label.len()];
        for key in self.fine.keys() {
            if let Some(count) = counts.get_mut(usize::from(label_of(*key))) {
                *count += 1;
            }
        }
        let Self { by_label, fine, .. } = self;
        let labels = by_label.iter().zip(counts).zip(0..).filter(|(_, label)| *label != stays);
        let labels = labels.map(|((of, count), label)| (of.total.0, label, count)).collect();
        for label in lightest(labels, fine.len() - limits::MAX_SPAN_LENGTHS / 2) {
            if let Some(of) = by_label.get_mut(usize::from(label)) {
                of.lacks_lengths = true;
            }
        }
        fine.retain(|key, _| !by_label.get(usize::from(label_of(*key))).is_some_and(|of| of.lacks_lengths));
    }

    pub(crate) fn add_unfinished(&mut self, label: u16) {
        if let Some(of) = self.of(label) {
            of.unfinished += 1;
        }
    }

    /// A span is no longer followed.
    pub(super) fn give_up(&mut self, label: u16) {
        self.add_unfinished(label);
        if let Some(of) = self.of(label) {
            of.not_followed = of.not_followed.saturating_add(1);
        }
    }

    /// A span ends that was no longer followed.
    pub(super) fn end_given_up(&mut self, label: u16) {
        if let Some(of) = self.of(label) {
            of.unfinished = of.unfinished.saturating_sub(1);
        }
    }

    /// The length that 95 % of a label's spans do not exceed; `None` if it is not known.
    pub(crate) fn p95(&self, label: u16) -> Option<Nanos> {
        self.percentile(&[label], 95)
    }

    /// The length that `percent` % of the spans of some labels do not exceed; `None` if it is not known.
    pub(crate) fn percentile(&self, labels: &[u16], percent: u64) -> Option<Nanos> {
        let mut longest = Nanos(0);
        // Each length, with the place of its count.
        let mut lengths: Vec<(u64, u32)> = Vec::new();
        let mut counts: Vec<u64> = Vec::new();
        let mut count = 0;
        for label in labels {
            let of = self.by_label.get(usize::from(*label)).filter(|of| !of.lacks_lengths)?;
            longest = longest.max(of.longest);
            count += of.count;
            for (key, count) in self.of_label(*label) {
                lengths.push((u64::from(key as u32 >> 8), counts.len() as u32));
                counts.push(count);
            }
        }
        let mut before = (u128::from(count) * u128::from(percent)).div_ceil(100) as u64;
        if before == count {
            return Some(longest).filter(|_| count > 0);
        }
        sort_pairs(&mut lengths);
        let found = lengths.iter().find(|(_, place)| {
            let count = counts.get(*place as usize).copied().unwrap_or_default();
            let is_here = before <= count;
            before = before.saturating_sub(count);
            is_here
        });
        found.map(|(place, _)| Nanos(middle(*place as usize)).min(longest))
    }

    /// How many of a label's spans have which length; `None` if that is not known.
    pub(crate) fn lengths_of(&self, label: u16) -> Option<Bins> {
        self.by_label.get(usize::from(label)).filter(|of| !of.lacks_lengths)?;
        let mut bins = Bins::default();
        self.of_label(label).for_each(|(key, count)| bins.add_to((key & 0xff) as usize, count));
        Some(bins)
    }

    /// Its counts, in order of the lengths.
    fn of_label(&self, label: u16) -> impl Iterator<Item = (u64, u64)> {
        let all = self.fine.as_slice();
        let of = |label: u64| all.partition_point(|(key, _)| *key >> 32 < label);
        let (from, to) = (of(label.into()), of(u64::from(label) + 1));
        all.get(from..to).unwrap_or_default().iter().copied()
    }

    /// The sum of a number over all labels.
    pub(crate) fn sum(&self, number: impl Fn(&OfLabel) -> u64) -> u64 {
        self.by_label.iter().map(number).fold(0, u64::saturating_add)
    }

    pub(super) fn bytes_held(&self) -> usize {
        self.by_label.capacity() * size_of::<OfLabel>() + sorted::bytes_held(&self.fine)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_of_lengths_are_known() {
        let mut tally = Tally::default();
        (1..=200).for_each(|length| tally.add(0, Nanos(length), None, Nanos(0)));
        tally.add(1, Nanos(7), None, Nanos(0));
        assert_eq!([0, 1, 2].map(|label| tally.p95(label)), [Some(Nanos(190)), Some(Nanos(7)), None]);
    }

    #[test]
    fn percentiles_of_several_labels_are_those_of_all_their_spans() {
        let (mut tally, mut all) = (Tally::default(), Tally::default());
        for length in 1..=2000u64 {
            tally.add((length * 7919 % 50) as u16, Nanos(length * 1000), None, Nanos(0));
            all.add(0, Nanos(length * 1000), None, Nanos(0));
        }
        let labels: Vec<u16> = (0..50).collect();
        for percent in [1, 50, 95, 99] {
            assert_eq!(tally.percentile(&labels, percent), all.percentile(&[0], percent), "{percent}");
        }
        assert_eq!(tally.percentile(&[7, 50], 50), None, "there is no such label");
    }

    /// The heaviest label comes last. What is known of it is exact, and of the lightest nothing is said.
    #[test]
    fn if_there_are_too_many_lengths_those_of_the_lightest_labels_are_forgotten() {
        let mut tally = Tally::default();
        // Each is in a place of its own.
        let lengths = |factor: u64| (0..150).map(move |nth| Nanos(factor * (1000 + nth * 8)));
        let labels = 2 * limits::MAX_SPAN_LENGTHS as u16 / 150;
        for label in 0..labels {
            lengths(1 + u64::from(label)).for_each(|length| tally.add(label, length, None, Nanos(0)));
        }
        assert!(tally.fine.len() <= limits::MAX_SPAN_LENGTHS);
        let is_known = |label: u16| tally.p95(label).is_some() && tally.lengths_of(label).is_some();
        assert!(is_known(labels - 1) && !is_known(0));
        assert!((0..labels).map(is_known).is_sorted(), "the heaviest are known");
        assert!((0..labels).filter(|label| is_known(*label)).count() >= usize::from(labels / 4));
        let expected = lengths(labels.into()).nth(142).unwrap().0;
        assert!(tally.p95(labels - 1).unwrap().0.abs_diff(expected) <= expected / 250);
        assert!(tally.by_label.iter().all(|of| of.count == 150), "all are counted");
        assert!(tally.lacks_some_lengths());
    }
}
