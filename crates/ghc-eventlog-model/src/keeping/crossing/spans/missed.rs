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

/// The heaviest of them, a space-saving summary. When there are too many, the lighter half is forgotten. A label that comes then may be one of
/// these: so it begins with the weight of the heaviest of them. A weight may be too large, never too small.
#[derive(Debug, Default)]
pub(super) struct MissedLabels {
    /// Labels, each with the most time that its spans may have taken, in nanoseconds.
    rows: Vec<(u32, u64)>,
    places: Places,
    /// No label that was forgotten is heavier.
    forgotten: u64,
}

impl MissedLabels {
    /// A span of a label took so long; labels are given as marks have them.
    pub(super) fn add(&mut self, label: u32, length: Nanos) {
        let known = self.places.find_number(label.into()).and_then(|place| self.rows.get_mut(place as usize));
        if let Some((_, weight)) = known {
            *weight = weight.saturating_add(length.0);
            return;
        }
        if self.rows.len() >= limits::MAX_MISSED_LABELS {
            self.forget_lightest();
        }
        self.places.insert_number(label.into(), self.rows.len() as u32);
        self.rows.push((label, self.forgotten.saturating_add(length.0)));
    }

    fn forget_lightest(&mut self) {
        sort_by_key(&mut self.rows, |(label, weight)| (Reverse(*weight), *label));
        let half = limits::MAX_MISSED_LABELS / 2;
        self.forgotten = self.rows.get(half).map_or(self.forgotten, |(_, weight)| *weight);
        self.rows.truncate(half);
        self.places.clear();
        for ((label, _), place) in self.rows.iter().zip(0..) {
            self.places.insert_number((*label).into(), place);
        }
    }

    /// All that are known, each with the most that it may have taken.
    pub(super) fn rows(&self) -> &[(u32, u64)] {
        &self.rows
    }

    pub(super) fn bytes_held(&self) -> usize {
        self.rows.capacity() * size_of::<(u32, u64)>() + self.places.bytes_held()
    }
}

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
        assert!(missed.rows().len() <= limits::MAX_MISSED_LABELS && missed.bytes_held() > 0);
        let mut heaviest = missed.rows().to_vec();
        heaviest.sort_unstable_by_key(|(_, weight)| Reverse(*weight));
        let mut first: Vec<u32> = heaviest.iter().take(2).map(|(label, _)| *label).collect();
        first.sort_unstable();
        assert_eq!(first, heavy);
        assert!(heaviest.iter().all(|(_, weight)| *weight >= 100), "no weight is too small");
    }
}
