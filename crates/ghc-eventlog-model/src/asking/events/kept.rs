//! What is kept of the list from one page to the next.

use super::wish::{EventChoice, EventsWish};
use crate::{
    known::counted::{Counted, SegmentCount},
    reading::model::Model,
};
use alloc::vec::Vec;
use core::ops::Range;

impl Model {
    /// How many chosen events each segment has, as far as known.
    pub(super) fn counts_of(&self, wish: &EventsWish, choice: &EventChoice) -> Vec<Option<SegmentCount>> {
        if self.keeps_counts() && self.counted.of == wish.counted_of() && !self.counted.counts.is_empty() {
            return self.counted.counts.clone();
        }
        choice.counts(self)
    }

    /// Whether counts are valid for later questions: the log is over, so that the index does not change.
    pub(super) fn keeps_counts(&self) -> bool {
        self.known.is_finished()
    }

    /// What is kept of a wish's events; `None` as long as the log is being read.
    pub(super) fn counted_for(&mut self, wish: &EventsWish, counts: &[Option<SegmentCount>]) -> Option<&mut Counted> {
        if !self.keeps_counts() {
            return None;
        }
        let of = wish.counted_of();
        if self.counted.of != of || self.counted.counts.is_empty() {
            self.counted = Counted { of, counts: counts.to_vec(), ..Counted::default() };
        }
        Some(&mut self.counted)
    }

    /// The keys of some rows in order of time, if they are kept.
    pub(super) fn kept_keys(&self, wish: &EventsWish, rows: Range<u64>) -> Option<&[u128]> {
        let Counted { of, before, keys, .. } = &self.counted;
        let place = |row: u64| usize::try_from(row.checked_sub(*before)?).ok();
        let kept = keys.get(place(rows.start)?..place(rows.end)?)?;
        (self.keeps_counts() && *of == wish.counted_of()).then_some(kept)
    }
}
