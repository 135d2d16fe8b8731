//! What a thread waited for most, and which thread's wake-ups ended most of that.

use super::cells::{REASONS, block, place_of};
use super::{cells::Blocked, doing::Now, threads::Wait};
use crate::terms::op::Waker;
use ghc_eventlog::{Nanos, StopReason, ThreadId};

/// The waits of one thread.
///
/// The times by reason are exact. Of the threads that it waited for only one is kept: the one that most of the time was for, if there is
/// such a one, found as in a vote that one candidate wins with more than half of it. What is kept of that thread's time is since it became
/// the candidate, so it may be less than all, never more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Waited {
    by_reason: Blocked,
    candidate: Waker,
    /// By how much the candidate leads.
    lead: Nanos,
    at_least: Nanos,
}

/// What a thread waited for most: see [`Model::mostly_waited`](crate::Model::mostly_waited).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MostlyWaited {
    /// The reason.
    pub reason: StopReason,
    /// How long it was blocked for this reason.
    pub time: Nanos,
    /// The thread that most of all its waiting was for: the one that woke it up, or that was evaluating what it waited for. `None` if that
    /// was no single thread, or is not known.
    pub thread: Option<ThreadId>,
}

impl Waited {
    /// Adds a wait that is over.
    pub(crate) fn add(&mut self, wait: &Wait) {
        let length = wait.length();
        let place = place_of(Some(wait.reason));
        if let Some(time) = place.and_then(|place| self.by_reason.get_mut(place)) {
            *time = time.plus(length);
        }
        let whose = wait.whose();
        if whose == self.candidate {
            (self.lead, self.at_least) = (self.lead.plus(length), self.at_least.plus(length));
        } else if self.lead >= length {
            self.lead = self.lead.since(length);
        } else {
            (self.candidate, self.lead, self.at_least) = (whose, length.since(self.lead), length);
        }
    }

    /// What it waited for most, up to a time, which is in its state `now`; `None` if it did not wait.
    pub(crate) fn most(mut self, now: &Now, until: Nanos) -> Option<MostlyWaited> {
        block(&mut self.by_reason, now, until.since(now.since));
        let all = self.by_reason.iter().fold(Nanos(0), |all, time| all.plus(*time));
        let longest = self.by_reason.iter().zip(REASONS).max_by_key(|(time, _)| **time);
        let (&time, reason) = longest.filter(|(time, _)| **time > Nanos(0))?;
        let thread = self.candidate.thread().filter(|_| self.at_least.0 > all.0 / 2);
        Some(MostlyWaited { reason, time, thread })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use StopReason::{BlockedOnBlackHole, BlockedOnMVar, BlockedOnStm};

    /// Waits for these threads, for these times, one after the other.
    fn waited(waits: &[(StopReason, u32, u64)]) -> Waited {
        let mut waited = Waited::default();
        for (reason, by, length) in waits {
            let (owner, by) = match reason {
                BlockedOnBlackHole => (Waker(*by), Waker(99)),
                _ => (Waker(0), Waker(*by)),
            };
            let (from, to) = (Nanos(100), Nanos(100 + length));
            waited.add(&Wait { thread: ThreadId(1), from, to, reason: *reason, owner, by });
        }
        waited
    }

    fn most(waits: &[(StopReason, u32, u64)]) -> Option<(StopReason, u64, Option<u32>)> {
        let most = waited(waits).most(&Now::GONE, Nanos(1000))?;
        Some((most.reason, most.time.0, most.thread.map(|thread| thread.0)))
    }

    #[test]
    fn the_reason_with_the_most_time() {
        assert_eq!(most(&[]), None);
        assert_eq!(
            most(&[(BlockedOnMVar, 7, 10), (BlockedOnStm, 7, 30), (BlockedOnMVar, 7, 25)]),
            Some((BlockedOnMVar, 35, Some(7)))
        );
    }

    #[test]
    fn a_thread_that_most_of_the_time_was_for() {
        // Half of it is not most.
        assert_eq!(most(&[(BlockedOnMVar, 7, 10), (BlockedOnMVar, 8, 10)]), Some((BlockedOnMVar, 20, None)));
        let many = [(BlockedOnMVar, 2, 5), (BlockedOnMVar, 3, 5), (BlockedOnMVar, 7, 40), (BlockedOnMVar, 4, 5)];
        assert_eq!(most(&many), Some((BlockedOnMVar, 55, Some(7))));
        // Nobody is no thread.
        assert_eq!(most(&[(BlockedOnMVar, 0, 10)]), Some((BlockedOnMVar, 10, None)));
    }

    #[test]
    fn whose_black_hole_it_was_counts_and_not_who_woke_it_up() {
        assert_eq!(most(&[(BlockedOnBlackHole, 5, 10)]), Some((BlockedOnBlackHole, 10, Some(5))));
    }

    /// Whatever the order, the thread that is named had more than half of the time.
    #[test]
    fn the_thread_that_is_named_had_most_of_the_time() {
        let mut chance = 1u64;
        for _ in 0..2000 {
            let mut waits = alloc::vec::Vec::new();
            for _ in 0..9 {
                chance = crate::random::after(chance);
                waits.push((BlockedOnMVar, (chance >> 60) as u32 % 3 + 1, chance >> 40 & 63));
            }
            let all: u64 = waits.iter().map(|(_, _, length)| length).sum();
            if let Some((_, _, Some(named))) = most(&waits) {
                let its: u64 = waits.iter().filter(|(_, by, _)| *by == named).map(|(_, _, length)| length).sum();
                assert!(2 * its > all, "{waits:?}");
            }
        }
    }

    #[test]
    fn a_wait_that_is_not_over_counts() {
        let now = Now {
            since: Nanos(200),
            doing: super::super::doing::Doing::Blocked,
            reason: Some(BlockedOnStm),
            ..Now::GONE
        };
        let most = waited(&[(BlockedOnMVar, 7, 10)]).most(&now, Nanos(300));
        assert_eq!(most, Some(MostlyWaited { reason: BlockedOnStm, time: Nanos(100), thread: None }));
    }
}
