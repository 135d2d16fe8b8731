//! Totals of spans by label: how many there are, and how long they are.

use super::{super::folded::FoldedLabels, pieces::PieceSum};
use crate::{
    keeping::{
        bins::{self, Bins},
        heaviest::lightest,
        messages::Labels,
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
    /// How many surely never ended.
    unfinished: u64,
    /// How many were not followed because too many others were open, and have ended, as far as is known: those that surely have not are
    /// unfinished, once the log is over.
    pub(crate) not_followed: u32,
    /// For how many of them it is not remembered that they are open.
    not_remembered: u32,
    /// Whether an end may be that of one of these: then it is not known how many never ended.
    may_have_ended: bool,
    /// Whether some of them are only added up: their lengths are not known one by one.
    is_only_summed: bool,
}

impl OfLabel {
    /// Their time without that of spans directly within them on the same thread; `None` if that is not known for all of them.
    pub(crate) fn own(&self) -> Option<Nanos> {
        (self.owned == self.count).then_some(self.own)
    }

    /// How many began, as far as is known.
    pub(crate) fn begun(&self) -> u64 {
        self.count + self.unfinished + u64::from(self.not_followed)
    }

    /// How many never ended; `None` if that is not known.
    pub(crate) fn unfinished(&self) -> Option<u64> {
        (!self.may_have_ended).then_some(self.unfinished)
    }

    /// How many have a begin that is known, and an end, be it that of the log.
    pub(crate) fn spans(&self) -> u64 {
        self.count + self.unfinished
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
    /// The labels whose lengths there was no room for.
    folded: FoldedLabels,
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

fn with_label(key: u64, label: u16) -> u64 {
    u64::from(label) << 32 | u64::from(key as u32)
}

impl Tally {
    fn of(&mut self, label: u16) -> Option<&mut OfLabel> {
        let at = usize::from(label);
        if at >= self.by_label.len() {
            self.by_label.resize(at + 1, OfLabel::default());
        }
        self.by_label.get_mut(at)
    }

    /// Adds a span of a length. `own` is its own time, if that is known; `paused` is the part that collections took. `labels` are all labels:
    /// without them, the lengths of labels that there is no room for are not kept with those of their families.
    pub(crate) fn add(
        &mut self,
        label: u16,
        length: Nanos,
        own: Option<Nanos>,
        paused: Nanos,
        labels: Option<&Labels>,
    ) {
        if let Some(of) = self.of(label) {
            of.count += 1;
            of.total = of.total.plus(length);
            of.longest = of.longest.max(length);
            of.own = of.own.plus(own.unwrap_or_default());
            of.owned += u64::from(own.is_some());
            of.paused = of.paused.plus(paused);
        }
        self.lengths.add(length.0);
        let Some(key) = self.key_of(label) else { return };
        if let Some(count) = self.fine.get_mut(&fine_key(key, length.0)) {
            *count += 1;
            return;
        }
        if self.fine.len() >= limits::MAX_SPAN_LENGTHS {
            self.make_room(label, labels);
        }
        if let Some(key) = self.key_of(label) {
            self.count(fine_key(key, length.0), 1);
        }
    }

    /// Under which number the lengths of a label are; `None` if they are not kept.
    fn key_of(&self, label: u16) -> Option<u16> {
        let is_only_summed = self.by_label.get(usize::from(label)).is_some_and(|of| of.is_only_summed);
        self.folded.key_of(label).filter(|_| !is_only_summed)
    }

    /// Adds spans that are only known together.
    pub(super) fn add_sum(&mut self, label: u16, sum: &PieceSum) {
        self.are_some_only_summed = true;
        if let Some(of) = self.of(label) {
            of.count += sum.count;
            of.total = of.total.plus(sum.total);
            of.longest = of.longest.max(sum.longest);
            of.paused = of.paused.plus(sum.paused);
            of.is_only_summed = true;
        }
    }

    /// Whether there was no room for the lengths of some labels.
    pub(crate) fn lacks_some_lengths(&self) -> bool {
        !self.folded.is_empty() || self.by_label.iter().any(|of| of.is_only_summed)
    }

    /// Makes room for more lengths: those of the labels that took the least time are kept together with those of their families, or not at all,
    /// until half of the room is free, or at least some. Those of `stays` stay: it may have come just now, and take most time in the end.
    #[cold]
    #[inline(never)]
    fn make_room(&mut self, stays: u16, labels: Option<&Labels>) {
        let stays = self.folded.key_of(stays);
        while self.fine.len() >= limits::MAX_SPAN_LENGTHS {
            let mut all: Vec<(u64, u16, usize)> = Vec::new();
            for key in self.fine.keys() {
                match all.last_mut().filter(|(_, last, _)| *last == label_of(*key)) {
                    Some((.., count)) => *count += 1,
                    None => all.push((0, label_of(*key), 1)),
                }
            }
            for (of, label) in self.by_label.iter().zip(0..) {
                let place = self.folded.key_of(label).and_then(|key| all.binary_search_by_key(&key, |of| of.1).ok());
                if let Some((total, ..)) = place.and_then(|place| all.get_mut(place)) {
                    *total = total.saturating_add(of.total.0);
                }
            }
            all.retain(|(_, key, _)| Some(*key) != stays);
            self.folded.fold(lightest(all, self.fine.len() - limits::MAX_SPAN_LENGTHS / 2), labels);
            let fine = core::mem::replace(&mut self.fine, Sorted::new());
            for (key, count) in fine.as_slice() {
                if let Some(moved) = self.folded.moved(label_of(*key)) {
                    self.count(with_label(*key, moved), *count);
                }
            }
        }
    }

    /// Adds to the count of a label and a length.
    fn count(&mut self, key: u64, more: u64) {
        match self.fine.get_mut(&key) {
            Some(count) => *count += more,
            None => _ = self.fine.insert(key, more),
        }
    }

    pub(crate) fn add_unfinished(&mut self, label: u16) {
        if let Some(of) = self.of(label) {
            of.unfinished += 1;
        }
    }

    /// A span is no longer followed.
    pub(super) fn give_up(&mut self, label: u16) {
        if let Some(of) = self.of(label) {
            of.not_followed = of.not_followed.saturating_add(1);
        }
    }

    /// From now on it is not remembered that some spans are open that were given up.
    pub(super) fn forget_open(&mut self, label: u16, count: u32) {
        if let Some(of) = self.of(label).filter(|_| count > 0) {
            of.not_remembered = of.not_remembered.saturating_add(count);
        }
    }

    /// A span ends whose begin is not known, of a label if it says which. Returns whether it may be one that is not remembered.
    pub(super) fn may_end(&mut self, label: Option<u16>) -> bool {
        let mut may = false;
        for (of, place) in self.by_label.iter_mut().zip(0..) {
            if of.not_remembered > 0 && label.is_none_or(|label| label == place) {
                of.may_have_ended = true;
                may = true;
            }
        }
        may
    }

    /// The log is over, and some spans that were given up surely have not ended.
    pub(super) fn never_ended(&mut self, label: u16, count: u32) {
        if let Some(of) = self.of(label) {
            let count = count.min(of.not_followed);
            of.not_followed -= count;
            of.unfinished += u64::from(count);
        }
    }

    /// The same for those that are not remembered, where no end can be theirs.
    pub(super) fn settle(&mut self) {
        for label in 0..self.by_label.len() as u16 {
            let of = self.by_label.get(usize::from(label)).copied().unwrap_or_default();
            if !of.may_have_ended {
                self.never_ended(label, of.not_remembered);
            }
        }
    }

    /// How many spans never ended; `None` if that is not known.
    pub(crate) fn unfinished(&self) -> Option<u64> {
        self.by_label.iter().map(OfLabel::unfinished).sum()
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
            let of = self.by_label.get(usize::from(*label)).filter(|of| !of.is_only_summed)?;
            longest = longest.max(of.longest);
            count += of.count;
        }
        for label in self.folded.keys_of(labels)? {
            for (key, count) in self.of_key(label) {
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
        self.by_label.get(usize::from(label))?;
        // Others are those of its family.
        self.key_of(label).filter(|key| *key == label)?;
        let mut bins = Bins::default();
        self.of_key(label).for_each(|(key, count)| bins.add_to((key & 0xff) as usize, count));
        Some(bins)
    }

    /// The counts of a label, or of those that are kept together, in order of the lengths.
    fn of_key(&self, label: u16) -> impl Iterator<Item = (u64, u64)> {
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
        self.by_label.capacity() * size_of::<OfLabel>() + sorted::bytes_held(&self.fine) + self.folded.bytes_held()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keeping::{
        messages::Messages,
        store::{Event, Store},
    };
    use alloc::format;
    use ghc_eventlog::UserMsg;

    /// Of each label, what ended, was not followed and never ended is what began: where that is not known, nothing is said.
    #[test]
    fn what_never_ended_is_exact_or_not_known() {
        let mut tally = Tally::default();
        (0..10).for_each(|nth| tally.give_up(nth % 2));
        tally.forget_open(0, 2);
        tally.forget_open(1, 1);
        assert_eq!([Some(1), Some(7)].map(|label| tally.may_end(label)), [true, false]);
        tally.never_ended(0, 3);
        tally.settle();
        assert_eq!([0, 1].map(|label| tally.by_label[label].unfinished()), [Some(5), None]);
        assert_eq!([0, 1].map(|label| tally.by_label[label].not_followed), [0, 5]);
        assert!(tally.by_label.iter().all(|of| of.begun() == 5) && tally.unfinished().is_none());
    }

    #[test]
    fn percentiles_of_lengths_are_known() {
        let mut tally = Tally::default();
        (1..=200).for_each(|length| tally.add(0, Nanos(length), None, Nanos(0), None));
        tally.add(1, Nanos(7), None, Nanos(0), None);
        assert_eq!([0, 1, 2].map(|label| tally.p95(label)), [Some(Nanos(190)), Some(Nanos(7)), None]);
    }

    #[test]
    fn percentiles_of_several_labels_are_those_of_all_their_spans() {
        let (mut tally, mut all) = (Tally::default(), Tally::default());
        for length in 1..=2000u64 {
            tally.add((length * 7919 % 50) as u16, Nanos(length * 1000), None, Nanos(0), None);
            all.add(0, Nanos(length * 1000), None, Nanos(0), None);
        }
        let labels: Vec<u16> = (0..50).collect();
        for percent in [1, 50, 95, 99] {
            assert_eq!(tally.percentile(&labels, percent), all.percentile(&[0], percent), "{percent}");
        }
        assert_eq!(tally.percentile(&[7, 50], 50), None, "there is no such label");
    }

    /// What there is no room for by label is still known of the family, and nothing is said of only some of its labels.
    #[test]
    fn percentiles_of_a_family_are_known_however_many_lengths_its_labels_have() {
        let mut messages = Messages::default();
        let count = 1500u16;
        for at in 0..count {
            let text =
                if at % 3 == 2 { format!("START other{}", "x".repeat(at.into())) } else { format!("START job {at}") };
            messages.step(Event::of(UserMsg::TAG, Nanos(1), text.as_bytes()));
        }
        let (mut tally, mut all) = (Tally::default(), Tally::default());
        let mut next = crate::random::numbers(3);
        for at in 0..60_000u32 {
            let (label, length) = ((at % u32::from(count)) as u16, Nanos(1000 + next(10_000_000)));
            tally.add(label, length, None, Nanos(0), Some(&messages.labels));
            if label % 3 != 2 {
                all.add(0, length, None, Nanos(0), None);
            }
        }
        assert!(tally.fine.len() <= limits::MAX_SPAN_LENGTHS && tally.lacks_some_lengths());
        let family: Vec<u16> = (0..count).filter(|label| label % 3 != 2).collect();
        for percent in [1, 50, 95, 99, 100] {
            assert_eq!(tally.percentile(&family, percent), all.percentile(&[0], percent), "{percent}");
        }
        assert_eq!(tally.percentile(&family[1..], 50), None);
        assert!(family.iter().any(|label| tally.p95(*label).is_none() && tally.lengths_of(*label).is_none()));
    }

    /// The heaviest label comes last. What is known of it is exact, and of the lightest nothing is said.
    #[test]
    fn if_there_are_too_many_lengths_those_of_the_lightest_labels_are_forgotten() {
        let mut tally = Tally::default();
        // Each is in a place of its own.
        let lengths = |factor: u64| (0..150).map(move |nth| Nanos(factor * (1000 + nth * 8)));
        let labels = 2 * limits::MAX_SPAN_LENGTHS as u16 / 150;
        for label in 0..labels {
            lengths(1 + u64::from(label)).for_each(|length| tally.add(label, length, None, Nanos(0), None));
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
