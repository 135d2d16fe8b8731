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
    /// How long the first wait for it was.
    first: Nanos,
    /// How long capabilities had been idle in all when the first wait for it was over, and when the last one was.
    idle: (Nanos, Nanos),
}

impl AwaitedThreads {
    /// Adds a wait for a thread that is over; capabilities have been idle for `idle` in all by now.
    #[inline]
    pub(crate) fn add(&mut self, whom: Waker, length: Nanos, idle: Nanos) {
        let new = AwaitedThread { whom, time: length, before: Nanos(0), first: length, idle: (idle, idle) };
        if let Some(of) = self.0.iter_mut().find(|of| of.whom == whom) {
            (of.time, of.idle.1) = (of.time.plus(length), idle);
        } else if self.0.len() < limits::MAX_AWAITED {
            self.0.push(new);
        } else if let Some(least) = self.0.iter_mut().min_by_key(|of| of.time) {
            *least = AwaitedThread { time: least.time.plus(length), before: least.time, ..new };
        }
    }

    /// How long capabilities were idle, at most, from the first wait for a thread until the last one was over. `None` if not all waits for
    /// it are known.
    pub(crate) fn idle_meanwhile(&self, thread: ThreadId, caps: u64) -> Option<Nanos> {
        let of = self.0.iter().find(|of| of.whom.thread() == Some(thread) && of.before == Nanos(0))?;
        Some(of.idle.1.since(of.idle.0).plus(Nanos(of.first.0.saturating_mul(caps))))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_thread_that_is_waited_for_longest_is_known_among_any_number_of_others() {
        let mut all = AwaitedThreads::default();
        for at in 0..100_000u32 {
            all.add(Waker::of(Some(ThreadId(1000 + at))), Nanos(6), Nanos(0));
            if at % 2 == 0 && at > 1000 {
                all.add(Waker::of(Some(ThreadId(7))), Nanos(7), Nanos(0));
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
        (0..100_000u32).for_each(|at| all.add(Waker::of(Some(ThreadId(1000 + at % 40))), Nanos(7), Nanos(0)));
        assert_eq!(all.longest(&|_| true), None);
    }

    #[test]
    fn idle_time_counts_from_the_first_wait_to_the_last() {
        let mut all = AwaitedThreads::default();
        for (thread, length, idle) in [(7, 10, 100), (8, 10, 300), (7, 20, 140), (8, 5, 301)] {
            all.add(Waker::of(Some(ThreadId(thread))), Nanos(length), Nanos(idle));
        }
        assert_eq!(
            [7, 8, 9].map(|thread| all.idle_meanwhile(ThreadId(thread), 2)),
            [Some(Nanos(60)), Some(Nanos(21)), None]
        );
    }
}
