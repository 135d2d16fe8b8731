//! Which of the labels that are not kept took most time, so that the replay can begin again with those.
//!
//! ```text
//! first replay     START a … START z      there is room for a to y: spans of z count for all others
//! at its end       z took longer than b
//! second replay                           z is kept in place of b
//! ```

use crate::{keeping::places::Places, limits, sorting::sort_by_key};
use alloc::vec::Vec;
use core::cmp::Reverse;
use ghc_eventlog::Nanos;

/// A label and the time that its spans took, in nanoseconds.
#[derive(Debug, Clone, Copy)]
struct MissedLabel {
    /// As marks have it.
    label: u32,
    /// The most that they may have taken: that may be too much, never too little.
    most: u64,
    /// How much of that it may have taken before it came; nothing is known of that time.
    before: u64,
}

/// The heaviest of them, a space-saving summary. When there are too many, half are forgotten. A label that comes then may be one of these: so
/// it begins with the weight of the heaviest of them. A quarter of all stay because they may have taken most: so a label that takes more than
/// one part of 1024 of all their time stays, however evenly it comes. Another quarter stay because they have surely taken most: otherwise
/// whatever comes late, and begins with much, would drive out what was heavy and does not come again.
#[derive(Debug, Default)]
pub(super) struct MissedLabels {
    rows: Vec<MissedLabel>,
    places: Places,
    /// No label that was forgotten is heavier.
    forgotten: u64,
}

impl MissedLabels {
    /// A span of a label took so long; labels are given as marks have them.
    pub(super) fn add(&mut self, label: u32, length: Nanos) {
        let known = self.places.find_number(label.into()).and_then(|place| self.rows.get_mut(place as usize));
        if let Some(known) = known {
            known.most = known.most.saturating_add(length.0);
            return;
        }
        if self.rows.len() >= limits::MAX_MISSED_LABELS {
            self.forget_lightest();
        }
        self.places.insert_number(label.into(), self.rows.len() as u32);
        let before = self.forgotten;
        self.rows.push(MissedLabel { label, most: before.saturating_add(length.0), before });
    }

    /// A function of its own, since the page loads it late.
    #[cold]
    #[inline(never)]
    fn forget_lightest(&mut self) {
        let quarter = limits::MAX_MISSED_LABELS / 4;
        sort_by_key(&mut self.rows, |row| (Reverse(row.most), row.label));
        let mut others = self.rows.split_off(quarter.min(self.rows.len()));
        sort_by_key(&mut others, |row| (Reverse(row.most - row.before), row.label));
        self.rows.extend(others.iter().take(quarter));
        self.forgotten = others.iter().skip(quarter).map(|row| row.most).fold(self.forgotten, u64::max);
        self.places.clear();
        for (row, place) in self.rows.iter().zip(0..) {
            self.places.insert_number(row.label.into(), place);
        }
    }

    /// All that are known, each with what it has surely taken: since it came. Where there are very many labels of about the same weight,
    /// the most that one may have taken is nearly all from before it came, and says nothing.
    pub(super) fn sure(&self) -> impl Iterator<Item = (u32, u64)> {
        self.rows.iter().map(|row| (row.label, row.most - row.before))
    }

    pub(super) fn bytes_held(&self) -> usize {
        self.rows.capacity() * MISSED_BYTES + self.places.bytes_held()
    }
}

/// Bytes for a label, without its place.
pub(crate) const MISSED_BYTES: usize = size_of::<MissedLabel>();

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heavy_label_is_found_among_any_number() {
        let mut missed = MissedLabels::default();
        let count = limits::MAX_MISSED_LABELS as u32 * 5;
        let heavy = [count / 2, count - 1];
        for label in 0..count {
            missed.add(label, Nanos(100));
            if heavy.contains(&label) {
                (0..50).for_each(|_| missed.add(label, Nanos(100)));
            }
        }
        assert!(missed.rows.len() <= limits::MAX_MISSED_LABELS && missed.bytes_held() > 0);
        let mut surest: Vec<(u32, u64)> = missed.sure().collect();
        surest.sort_unstable_by_key(|(_, weight)| Reverse(*weight));
        let mut first: Vec<(u32, u64)> = surest.iter().take(2).copied().collect();
        first.sort_unstable();
        assert_eq!(first, heavy.map(|label| (label, 5100)), "and no more than they took");
        assert!(surest.iter().skip(2).all(|(_, weight)| *weight == 100));
        assert!(missed.rows.iter().all(|row| row.most >= 100), "no weight is too small");
    }

    /// They come early, and only once; so many others come later that these begin with more than the heavy ones took.
    #[test]
    fn heavy_labels_that_do_not_come_again_stay() {
        let mut missed = MissedLabels::default();
        let count = limits::MAX_MISSED_LABELS as u32 * 40;
        let heavy = count / 4..count / 4 + 400;
        (0..count).for_each(|label| missed.add(label, Nanos(if heavy.contains(&label) { 600 } else { 100 })));
        assert!(missed.forgotten > 600);
        let kept = missed.sure().filter(|(label, weight)| heavy.contains(label) && *weight == 600).count();
        assert_eq!(kept, 400);
    }

    /// However evenly it comes between all the others.
    #[test]
    fn a_label_that_comes_all_the_time_stays() {
        let mut missed = MissedLabels::default();
        let rounds = limits::MAX_MISSED_LABELS as u32 * 20;
        for label in 1..rounds {
            missed.add(label, Nanos(100));
            if label % 500 == 0 {
                missed.add(0, Nanos(100));
            }
        }
        let heaviest = missed.sure().max_by_key(|(_, weight)| *weight).unwrap();
        assert_eq!(heaviest, (0, u64::from((rounds - 1) / 500) * 100));
    }
}
