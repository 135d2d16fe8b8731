//! Which threads waited for which others' black holes.

use super::threads::Wait;
use crate::{
    keeping::{
        heaviest::Heaviest,
        sorted::{self, Sorted},
    },
    limits,
    terms::op::Waker,
};
use ghc_eventlog::{Nanos, ThreadId};

/// How often, and for how long, a thread was blocked on black holes of another thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Contention {
    pub(crate) count: u64,
    pub(crate) total: Nanos,
    pub(crate) longest: (Nanos, Nanos),
}

/// The waits for black holes, of each pair of threads.
#[derive(Debug, Default)]
pub(crate) struct BlackHoleWaits {
    /// By the blocked thread and the owner of the black hole.
    pub(crate) pairs: Sorted<(ThreadId, Waker), Contention>,
    /// How many waits are missing, because there was no room: those of pairs that had waited shorter.
    pub(crate) beyond: u64,
}

impl BlackHoleWaits {
    /// Adds a wait for a black hole that is over.
    pub(crate) fn add(&mut self, wait: &Wait) {
        let key = (wait.thread, wait.owner);
        if self.pairs.len() >= limits::MAX_CONTENTION && !self.pairs.contains_key(&key) {
            self.forget_short_waits();
        }
        let times = (wait.from, wait.to);
        let first = Contention { count: 0, total: Nanos(0), longest: times };
        let contention = self.pairs.entry(key).or_insert(first);
        contention.count += 1;
        contention.total = contention.total.plus(wait.length());
        if wait.length() > contention.longest.1.since(contention.longest.0) {
            contention.longest = times;
        }
    }

    /// Keeps the half of the pairs that waited longest.
    #[cold]
    fn forget_short_waits(&mut self) {
        let mut half = Heaviest::half_of(self.pairs.values().map(|contention| contention.total.0).collect());
        let before = core::mem::take(&mut self.pairs);
        for (key, contention) in before.iter() {
            if half.stays(contention.total.0) {
                self.pairs.insert(*key, *contention);
            } else {
                self.beyond += contention.count;
            }
        }
    }

    pub(crate) fn bytes_held(&self) -> usize {
        sorted::bytes_held(&self.pairs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;
    use ghc_eventlog::StopReason;

    /// Also if they come last.
    #[test]
    fn the_pairs_that_waited_longest_are_kept() {
        let mut all = BlackHoleWaits::default();
        let waits = 5 * limits::MAX_CONTENTION as u32;
        for number in 0..waits {
            let length = if number % 5000 == 4999 { 1000 + u64::from(number) } else { 1 + u64::from(number % 7) };
            all.add(&Wait {
                thread: ThreadId(number),
                from: Nanos(0),
                to: Nanos(length),
                reason: StopReason::BlockedOnBlackHole,
                owner: Waker(1),
                by: Waker(0),
            });
        }
        let heavy = all.pairs.iter().filter(|(_, of)| of.total.0 > 7).map(|((thread, _), _)| thread.0);
        assert_eq!(heavy.collect::<Vec<u32>>(), [4999, 9999, 14_999, 19_999]);
        assert_eq!(all.pairs.values().map(|of| of.count).sum::<u64>() + all.beyond, u64::from(waits));
    }
}
