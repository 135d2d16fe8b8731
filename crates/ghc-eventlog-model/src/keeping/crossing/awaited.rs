//! Which threads the others wait for longest, however many threads wait.
//!
//! As in "space saving" (Metwally, Agrawal, El Abbadi): a thread that is new takes the place of the one that was waited for shortest, and
//! may have as much of its time as that one had. So whoever is waited for longer than one part in [`limits::MAX_AWAITED`] of all is kept.

use crate::{limits, terms::op::Waker};
use alloc::vec::Vec;
use ghc_eventlog::{Nanos, ThreadId};

/// The threads that others wait for longest.
#[derive(Debug, Default)]
pub(crate) struct AwaitedThreads(Vec<AwaitedThread>);

#[derive(Debug)]
pub(crate) struct AwaitedThread {
    whom: Waker,
    /// How long others waited for it, and for those that had its place before.
    time: Nanos,
    before: Nanos,
    /// When the first wait for it began, and the last one was over.
    from: Nanos,
    to: Nanos,
}

impl AwaitedThreads {
    /// Adds a wait for a thread, from a time to another.
    #[inline]
    pub(crate) fn add(&mut self, whom: Waker, (from, to): (Nanos, Nanos)) {
        let length = to.since(from);
        let new = AwaitedThread { whom, time: length, before: Nanos(0), from, to };
        if let Some(of) = self.0.iter_mut().find(|of| of.whom == whom) {
            (of.time, of.from, of.to) = (of.time.plus(length), of.from.min(from), of.to.max(to));
        } else if self.0.len() < limits::MAX_AWAITED {
            self.0.push(new);
        } else if let Some(least) = self.0.iter_mut().min_by_key(|of| of.time) {
            *least = AwaitedThread { time: least.time.plus(length), before: least.time, ..new };
        }
    }

    /// When the first wait for a thread began, and the last one was over. `None` if not all waits for it are known.
    pub(crate) fn times(&self, thread: ThreadId) -> Option<(Nanos, Nanos)> {
        let of = self.0.iter().find(|of| of.whom.thread() == Some(thread) && of.before == Nanos(0))?;
        Some((of.from, of.to))
    }

    /// The one of those that count that they waited for longest, and for how long at least. `None` if it may have been another one: where very many were waited
    /// for about as long.
    pub(crate) fn longest(&self, counts: &dyn Fn(ThreadId) -> bool) -> Option<(ThreadId, Nanos)> {
        let least = |of: &AwaitedThread| of.time.since(of.before);
        let counted = || self.0.iter().filter(|of| of.whom.thread().is_none_or(counts));
        let longest = counted().filter(|of| of.whom.thread().is_some()).max_by_key(|of| least(of))?;
        // Of one that has lost its place, it was no longer than of any that has one now.
        let is_sure = counted().all(|of| of.whom == longest.whom || of.time <= least(longest));
        Some((longest.whom.thread()?, least(longest))).filter(|_| is_sure)
    }
}

/// How a sum grew: so much at some times, evenly spread.
#[derive(Debug, Default)]
pub(crate) struct SumOverTime {
    points: Vec<(Nanos, Nanos)>,
    /// The next point is after this time, and the one after it so much later.
    next: Nanos,
    step: Nanos,
}

/// The most points of a [`SumOverTime`].
pub(crate) const POINTS: usize = 256;

impl SumOverTime {
    /// The sum is so much by now.
    #[inline]
    pub(crate) fn add(&mut self, time: Nanos, sum: impl FnOnce() -> Nanos) {
        if time < self.next {
            return;
        }
        if self.points.len() >= POINTS {
            let mut stays = false;
            self.points.retain(|_| {
                stays = !stays;
                stays
            });
            let length = time.since(self.points.first().map_or(Nanos(0), |(first, _)| *first));
            self.step = Nanos(length.0 / (POINTS as u64 / 2));
        }
        self.points.push((time, sum()));
        self.next = time.plus(self.step);
    }

    /// How much it grew between two times at most; `all` is what it is in the end.
    pub(crate) fn grew(&self, (from, to): (Nanos, Nanos), all: Nanos) -> Nanos {
        let before = self.points.iter().rev().find(|(time, _)| *time <= from).map_or(Nanos(0), |(_, sum)| *sum);
        let after = self.points.iter().find(|(time, _)| *time >= to).map_or(all, |(_, sum)| *sum);
        after.since(before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_thread_that_is_waited_for_longest_is_known_among_any_number_of_others() {
        let mut all = AwaitedThreads::default();
        for at in 0..100_000u32 {
            all.add(Waker::of(Some(ThreadId(1000 + at))), (Nanos(0), Nanos(6)));
            if at % 2 == 0 && at > 1000 {
                all.add(Waker::of(Some(ThreadId(7))), (Nanos(0), Nanos(7)));
            }
        }
        let (thread, time) = all.longest(&|_| true).unwrap();
        let (real, sum) = (7 * 49_499, 6 * 100_000 + 7 * 49_499);
        assert!(
            thread == ThreadId(7) && time.0 <= real && real - time.0 <= sum / limits::MAX_AWAITED as u64,
            "{time:?}"
        );
        assert_eq!(all.longest(&|thread| thread != ThreadId(7)), None);
        assert_eq!(AwaitedThreads::default().longest(&|_| true), None);
        // Where another one may have been waited for longer, none is named.
        let mut all = AwaitedThreads::default();
        (0..100_000u32).for_each(|at| all.add(Waker::of(Some(ThreadId(1000 + at % 40))), (Nanos(0), Nanos(7))));
        assert_eq!(all.longest(&|_| true), None);
    }

    #[test]
    fn the_time_from_the_first_wait_to_the_last_is_known() {
        let mut all = AwaitedThreads::default();
        for (thread, from, to) in [(7, 10, 100), (8, 10, 300), (7, 5, 50), (8, 20, 301)] {
            all.add(Waker::of(Some(ThreadId(thread))), (Nanos(from), Nanos(to)));
        }
        let times = |thread| all.times(ThreadId(thread)).map(|(from, to)| (from.0, to.0));
        assert_eq!([7, 8, 9].map(times), [Some((5, 100)), Some((10, 301)), None]);
    }

    #[test]
    fn how_much_a_sum_grew_is_never_too_little() {
        let mut sum = SumOverTime::default();
        (0..100_000).for_each(|time| sum.add(Nanos(time), || Nanos(3 * time)));
        assert!(sum.points.len() <= POINTS);
        for (from, to) in [(0, 1), (500, 70_000), (99_999, 100_000), (40_000, 40_010)] {
            let grew = sum.grew((Nanos(from), Nanos(to)), Nanos(300_000)).0;
            assert!((3 * (to - from)..3 * (to - from) + 6 * 1000).contains(&grew), "{from} {to} {grew}");
        }
    }
}
