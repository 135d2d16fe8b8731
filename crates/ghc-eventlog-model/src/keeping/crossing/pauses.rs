//! How much of any stretch of time collections took.

use crate::{keeping::collections::Collections, terms::span::Collection};
use alloc::vec::Vec;
use ghc_eventlog::Nanos;

/// The total time of collections up to any time, on any capability.
#[derive(Debug, Default)]
pub(crate) struct Pauses {
    /// A sum after each [`STEP`] collections, in order of their begins.
    until: Vec<Paused>,
}

/// How many collections lie between two kept sums: the most that must be added up to answer for a time.
const STEP: usize = 16;

/// The total time of some collections, and their last end.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Paused {
    end: Nanos,
    sum: Nanos,
}

impl Paused {
    /// Adds more collections, in order of their begins. Collections of different capabilities may overlap.
    fn with(self, more: &[Collection]) -> Self {
        more.iter().fold(self, |Self { end, sum }, row| Self {
            end: end.max(row.end),
            sum: sum.plus(row.end.since(row.start.max(end))),
        })
    }
}

impl Pauses {
    pub(super) fn of(collections: &Collections) -> Self {
        let full = collections.rows().chunks_exact(STEP);
        let until = full.scan(Paused::default(), |paused, more| {
            *paused = paused.with(more);
            Some(*paused)
        });
        Self { until: until.collect() }
    }

    /// The total time of collections up to a time. Time in collections of several capabilities counts once.
    pub(crate) fn until(&self, collections: &Collections, time: Nanos) -> Nanos {
        let rows = collections.rows();
        let begun = rows.partition_point(|row| row.start <= time);
        let (full, rest) = (begun / STEP, begun / STEP * STEP..begun);
        let before = full.checked_sub(1).and_then(|last| self.until.get(last)).copied().unwrap_or_default();
        let Paused { end, sum } = before.with(rows.get(rest).unwrap_or_default());
        sum.since(end.since(time))
    }

    /// The time that collections took between two times.
    pub(crate) fn within(&self, collections: &Collections, from: Nanos, to: Nanos) -> Nanos {
        self.until(collections, to).since(self.until(collections, from))
    }

    pub(super) fn bytes_held(&self) -> usize {
        self.until.capacity() * size_of::<Paused>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keeping::overview::Overview;
    use crate::keeping::store::Store;

    #[test]
    fn pauses_are_added_up_to_any_time() {
        let mut overview = Overview::none();
        let mut collections = Collections::default();
        let times = (0..40u64).map(|at| (at * 100, at * 100 + 30)).chain([(4000, 4100), (4010, 4050), (4090, 4120)]);
        for (start, end) in times.clone() {
            let row = Collection {
                start: Nanos(start),
                end: Nanos(end),
                requested: None,
                synced: None,
                cap: None,
                generation: None,
                par_threads: 1,
                copied_bytes: 0,
                slop_bytes: 0,
                fragmentation_bytes: 0,
                balance: None,
            };
            collections.add(row, &mut overview);
        }
        collections.settle(&[]);
        let pauses = Pauses::of(&collections);
        let in_pauses = |time: &u64| times.clone().any(|(start, end)| (start..end).contains(time));
        let mut sum = 0;
        for time in 0..4200 {
            assert_eq!(pauses.until(&collections, Nanos(time)), Nanos(sum), "{time}");
            sum += u64::from(in_pauses(&time));
        }
    }
}
