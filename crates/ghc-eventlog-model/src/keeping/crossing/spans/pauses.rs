//! How much of any time collections took.

use crate::{keeping::collections::Collections, terms::span::Collection};
use alloc::vec::Vec;
use ghc_eventlog::Nanos;

/// How long collections took up to any time, whichever capability was in them.
#[derive(Debug, Default)]
pub(crate) struct Pauses {
    /// After each [`STEP`] collections in order of their begins.
    until: Vec<Paused>,
}

/// Collections from one sum that is kept to the next: the most that are added up for one time that is asked about.
const STEP: usize = 16;

/// What some collections took together, and the last end of them.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Paused {
    end: Nanos,
    sum: Nanos,
}

impl Paused {
    /// With more of them, in order of their begins. Where several capabilities tell of their own, they overlap.
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

    /// How long collections took up to a time; what several capabilities tell of the same time counts once.
    pub(crate) fn until(&self, collections: &Collections, time: Nanos) -> Nanos {
        let rows = collections.rows();
        let begun = rows.partition_point(|row| row.start <= time);
        let (full, rest) = (begun / STEP, begun / STEP * STEP..begun);
        let before = full.checked_sub(1).and_then(|last| self.until.get(last)).copied().unwrap_or_default();
        let Paused { end, sum } = before.with(rows.get(rest).unwrap_or_default());
        sum.since(end.since(time))
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
