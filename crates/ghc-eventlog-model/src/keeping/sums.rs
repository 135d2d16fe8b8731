//! What the machines of one stream have found, summed up.

use crate::{keeping::collections::KINDS, tracks::capability};
use ghc_eventlog::Nanos;

/// Sums of a stream's spans and collections that are over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Sums {
    /// Time in each state of its lane that spans are found of.
    pub(crate) lane: [Nanos; capability::FOUND],
    /// How many collections it did.
    pub(crate) collections: u64,
    /// Their pauses, by kind: see [`crate::keeping::collections::Collections::kind`].
    pub(crate) pauses: [Nanos; KINDS],
}

impl Sums {
    pub(crate) fn add_span(&mut self, state: u8, time: Nanos) {
        if let Some(total) = self.lane.get_mut(usize::from(state)) {
            *total = total.plus(time);
        }
    }

    pub(crate) fn add_pause(&mut self, kind: usize, time: Nanos) {
        if let Some(total) = self.pauses.get_mut(kind) {
            *total = total.plus(time);
        }
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.times_with(other, Nanos::plus);
        self.collections += other.collections;
    }

    /// What has been added since it was like this.
    pub(crate) fn since(mut self, before: &Self) -> Self {
        self.times_with(before, Nanos::since);
        self.collections -= before.collections;
        self
    }

    fn times_with(&mut self, other: &Self, make: impl Fn(Nanos, Nanos) -> Nanos) {
        let times = self.lane.iter_mut().chain(&mut self.pauses);
        let others = other.lane.iter().chain(&other.pauses);
        times.zip(others).for_each(|(time, other)| *time = make(*time, *other));
    }
}
