//! How much of any stretch of time collections took.

use crate::{
    keeping::collections::Collections,
    terms::{
        op::{GcStep, Op, What},
        span::Collection,
    },
};
use alloc::vec::Vec;
use ghc_eventlog::{CapNo, Nanos};

/// The total time of collections up to any time, on any capability.
#[derive(Debug, Default)]
pub(crate) struct Pauses {
    /// A sum after each [`STEP`] collections, in order of their begins.
    until: Vec<Paused>,
    /// How many had begun at the last time that the replay asked for, and their sum.
    reached: (usize, Paused),
    /// The sum of those without a row that the replay has passed.
    without_row: Nanos,
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

    /// Only up to a time, at which the last one may not be over.
    fn until(self, time: Nanos) -> Nanos {
        self.sum.since(self.end.since(time))
    }
}

impl Pauses {
    pub(super) fn of(collections: &Collections) -> Self {
        let full = collections.rows().chunks_exact(STEP);
        let until = full.scan(Paused::default(), |paused, more| {
            *paused = paused.with(more);
            Some(*paused)
        });
        Self { until: until.collect(), reached: Default::default(), without_row: Nanos(0) }
    }

    /// The replay passes an event.
    pub(crate) fn pass(&mut self, op: &Op, collections: &Collections) {
        self.without_row = self.without_row.plus(without_row(op, collections));
    }

    /// The total time of the collections that are kept, up to a time. Time in collections of several capabilities counts once.
    pub(crate) fn until(&self, collections: &Collections, time: Nanos) -> Nanos {
        let rows = collections.rows();
        self.sum(rows, self.begun(rows, time)).until(time)
    }

    /// How many collections have begun at a time. It looks first shortly before the time that the replay has reached.
    fn begun(&self, rows: &[Collection], time: Nanos) -> usize {
        let has_begun = |at: usize| rows.get(at).is_some_and(|row| row.start <= time);
        let (reached, _) = self.reached;
        let (mut from, mut to) = (reached, if has_begun(reached) { rows.len() } else { reached });
        let mut back = 1;
        while from > 0 && !has_begun(from) {
            (to, from) = (from, from.saturating_sub(back));
            back *= 2;
        }
        from + rows.get(from..to).unwrap_or_default().partition_point(|row| row.start <= time)
    }

    /// The total time of all collections up to a time, which the replay has reached.
    pub(super) fn next(&mut self, collections: &Collections, time: Nanos) -> Nanos {
        self.next_of_kept(collections, time).plus(self.without_row)
    }

    /// As [`Self::until`], for who asks in order of time, as the replay does: nearly always no collection has begun since, or one.
    pub(super) fn next_of_kept(&mut self, collections: &Collections, time: Nanos) -> Nanos {
        let rows = collections.rows();
        if self.reached.0.checked_sub(1).and_then(|last| rows.get(last)).is_some_and(|row| row.start > time) {
            let before = self.begun(rows, time);
            self.reached = (before, self.sum(rows, before));
        }
        let (begun, paused) = &mut self.reached;
        while let Some(row) = rows.get(*begun).filter(|row| row.start <= time) {
            *begun += 1;
            *paused = paused.with(core::slice::from_ref(row));
        }
        paused.until(time)
    }

    /// Of the first so many collections.
    fn sum(&self, rows: &[Collection], count: usize) -> Paused {
        let (full, rest) = (count / STEP, count / STEP * STEP..count);
        let before = full.checked_sub(1).and_then(|last| self.until.get(last)).copied().unwrap_or_default();
        before.with(rows.get(rest).unwrap_or_default())
    }

    /// The time that collections that are kept took between two times.
    pub(crate) fn within(&self, collections: &Collections, from: Nanos, to: Nanos) -> Nanos {
        self.until(collections, to).since(self.until(collections, from))
    }

    pub(super) fn bytes_held(&self) -> usize {
        self.until.capacity() * size_of::<Paused>()
    }
}

/// How long a collection took that is over with an event, if it has no row: else nothing. One of seconds has a row.
pub(crate) fn without_row(op: &Op, collections: &Collections) -> Nanos {
    let What::Gc(GcStep::Over(length)) = op.what else { return Nanos(0) };
    if length == u32::MAX || !collections.is_capped() {
        return Nanos(0);
    }
    let (rows, start) = (collections.rows(), op.time.since(Nanos(length.into())));
    let first = rows.partition_point(|row| row.start < start);
    let mut same = rows.iter().skip(first).take_while(|row| row.start == start);
    let has_row = same.any(|row| row.cap.unwrap_or(CapNo::GLOBAL) == op.cap);
    if has_row { Nanos(0) } else { Nanos(length.into()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        keeping::{overview::Overview, store::Store},
        limits,
    };
    use ghc_eventlog::ThreadId;

    fn collection(start: u64, end: u64) -> Collection {
        Collection {
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
        }
    }

    #[test]
    fn pauses_are_added_up_to_any_time() {
        let mut overview = Overview::none();
        let mut collections = Collections::default();
        let times = (0..40u64).map(|at| (at * 100, at * 100 + 30)).chain([(4000, 4100), (4010, 4050), (4090, 4120)]);
        for (start, end) in times.clone() {
            collections.add(collection(start, end), &mut overview);
        }
        collections.settle(&[]);
        let mut pauses = Pauses::of(&collections);
        let in_pauses = |time: &u64| times.clone().any(|(start, end)| (start..end).contains(time));
        let mut sum = 0;
        for time in 0..4200 {
            assert_eq!(pauses.until(&collections, Nanos(time)), Nanos(sum), "{time}");
            // Some times are left out, and one of nine goes back.
            for asked in [time, time / 2].into_iter().take(1 + usize::from(time % 9 == 0)).filter(|time| time % 7 < 3) {
                assert_eq!(
                    pauses.next(&collections, Nanos(asked)),
                    pauses.until(&collections, Nanos(asked)),
                    "{asked}"
                );
            }
            sum += u64::from(in_pauses(&time));
        }
    }

    /// Also of those that are not kept.
    #[test]
    fn the_replay_knows_the_time_of_all_collections() {
        let mut collections = Collections::default();
        let times: Vec<(u64, u64)> =
            (0..3 * limits::MAX_COLLECTIONS as u64).map(|at| (at * 100, 10 + at % 7)).collect();
        let mut overview = Overview::none();
        for (start, length) in &times {
            collections.add(collection(*start, start + length), &mut overview);
        }
        collections.finish(&[]);
        assert!(collections.is_capped());
        let (mut pauses, mut sum) = (Pauses::of(&collections), 0);
        for (start, length) in times {
            assert_eq!(pauses.next(&collections, Nanos(start)), Nanos(sum));
            let (time, thread) = (Nanos(start + length), ThreadId(0));
            let op = Op { time, thread, cap: CapNo::GLOBAL, what: What::Gc(GcStep::Over(length as u32)) };
            pauses.pass(&op, &collections);
            sum += length;
        }
    }
}
