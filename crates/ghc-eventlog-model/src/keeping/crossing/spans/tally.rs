//! Totals of spans by label: how many there are, and how long they are.

use crate::{
    keeping::{
        bins::Bins,
        quantiles::{middle, place},
        sorted::{self, Sorted},
    },
    limits,
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
    /// Their own time (without the spans directly within them on the same thread), and for how many of them it is known.
    own: Nanos,
    owned: u64,
    /// The part of their time that collections took.
    pub(crate) paused: Nanos,
    pub(crate) unfinished: u64,
    pub(crate) lengths: Bins,
}

impl OfLabel {
    /// Their time without that of spans directly within them on the same thread; `None` if that is not known for all of them.
    pub(crate) fn own(&self) -> Option<Nanos> {
        (self.count > 0 && self.owned == self.count).then_some(self.own)
    }
}

/// Totals of the spans of all labels.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) by_label: Vec<OfLabel>,
    /// Counts by label and length; lengths are as exact as in [`crate::keeping::quantiles`].
    fine: Sorted<(u16, u16), u64>,
    /// Whether there was no room for these counts: then no label's [`Self::p95`] is known.
    is_coarse: bool,
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
            of.lengths.add(length.0);
        }
        let key = (label, place(length.0) as u16);
        if self.fine.len() >= limits::MAX_SPAN_LENGTHS && !self.fine.contains_key(&key) {
            self.is_coarse = true;
        } else {
            *self.fine.entry(key).or_default() += 1;
        }
    }

    pub(crate) fn add_unfinished(&mut self, label: u16) {
        if let Some(of) = self.of(label) {
            of.unfinished += 1;
        }
    }

    /// The length that 95 percent of a label's spans do not exceed; `None` if it is not known.
    pub(crate) fn p95(&self, label: u16) -> Option<Nanos> {
        self.percentile(label, 95)
    }

    /// The length that so many percent of a label's spans do not exceed; `None` if it is not known.
    pub(crate) fn percentile(&self, label: u16, percent: u128) -> Option<Nanos> {
        let of = self.by_label.get(usize::from(label)).filter(|_| !self.is_coarse)?;
        let mut before = (u128::from(of.count) * percent).div_ceil(100);
        if before == u128::from(of.count) {
            return Some(of.longest).filter(|_| of.count > 0);
        }
        let mut its = self.fine.iter().filter(|((of, _), _)| *of == label);
        let found = its.find(|(_, count)| {
            let is_here = before <= u128::from(**count);
            before = before.saturating_sub(u128::from(**count));
            is_here
        });
        found.map(|((_, at), _)| Nanos(middle((*at).into())).min(of.longest))
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
}
