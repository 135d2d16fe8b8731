//! Chains of waits for MVars: while a thread waited, so did the one that woke it up in the end.
//!
//! ```text
//! thread 1    |wwwwwwww|runs           it is woken by nobody who waited: a chain of one
//! thread 2        |wwwwwww|runs        woken by thread 1, which still waited when this began: a chain of two
//! thread 3           |wwwwwww|runs     woken by thread 2: a chain of three, from the begin of the first wait
//! ```
//!
//! Threads that hand each other one lock make a chain that does not end. A thread that waits for a result, or for work, makes none:
//! who wakes it up had been running.
//!
//! Who holds a lock may wait for something else meanwhile, as for a timer or for input. Such a wait, which the runtime's own threads end,
//! is no part of a chain, and does not end one:
//!
//! ```text
//! thread 1    |wwwwww|runs |sleeps|runs      its chain is still that of its wait for the lock
//! thread 2       |wwwwwwwwwwwwwwwww|runs     woken by thread 1: one more wait
//! ```

use crate::sorting::sort_by_number;
use crate::terms::op::Waker;
use alloc::vec::Vec;
use ghc_eventlog::{Nanos, ThreadId};

/// A chain of waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Chain {
    /// Who waited last.
    pub(crate) thread: ThreadId,
    /// When the first wait began, and the last one ended.
    pub(crate) from: Nanos,
    pub(crate) to: Nanos,
    /// How many waits there are.
    pub(crate) waits: u32,
    /// A bit for each thread that waited: those whose numbers have the same rest by 32 share one.
    seen: u32,
    pub(crate) kept: KeptWaiting,
}

/// Who kept the next one waiting for longest, and when: from the end of its own wait until it woke that one up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct KeptWaiting {
    pub(crate) by: ThreadId,
    pub(crate) from: Nanos,
    pub(crate) to: Nanos,
}

impl KeptWaiting {
    pub(crate) fn length(&self) -> Nanos {
        self.to.since(self.from)
    }
}

impl Chain {
    pub(crate) fn length(&self) -> Nanos {
        self.to.since(self.from)
    }

    /// How many threads waited, at least.
    pub(crate) fn threads(&self) -> u64 {
        self.seen.count_ones().into()
    }
}

/// Threads whose last chains are known: those with the same rest of the number by this share a place, and the last one has it. More have
/// no room: see `together_they_keep_the_budget`.
pub(crate) const CHAINS: usize = 600;

/// The chains that the last waits of threads were the ends of, and the longest of all.
#[derive(Debug, Default)]
pub(crate) struct Chains {
    last: Vec<Chain>,
    /// The runtime's own threads, in order: those that wait for input, output and timers.
    own: Vec<ThreadId>,
    /// Of those of three waits at least.
    pub(crate) longest: Chain,
}

/// Two threads that wait for each other by turns are usual.
const LEAST: u32 = 3;

impl Chains {
    /// With the runtime's own threads.
    pub(crate) fn new(mut own: Vec<ThreadId>) -> Self {
        sort_by_number(&mut own, |thread| u64::from(thread.0));
        Self { own, ..Self::default() }
    }

    /// A thread's wait for an MVar is over; `by` woke it up.
    pub(crate) fn waited(&mut self, thread: ThreadId, from: Nanos, to: Nanos, by: Waker) {
        if self.last.is_empty() {
            self.last.resize(CHAINS, Chain::default());
        }
        if by.thread().is_some_and(|by| self.own.binary_search(&by).is_ok()) {
            return;
        }
        let at = |thread: u32| thread as usize % CHAINS;
        let before = by.thread().and_then(|by| self.last.get(at(by.0)).filter(|chain| chain.thread == by));
        let seen = 1 << (thread.0 % u32::BITS);
        let chain = match before.filter(|before| before.to > from && before.waits > 0) {
            Some(Chain { thread: by, from: begin, to: woken, waits, seen: others, kept }) => {
                let here = KeptWaiting { by: *by, from: *woken, to };
                let kept = if here.length() > kept.length() { here } else { *kept };
                let (waits, seen) = (waits.saturating_add(1), seen | others);
                Chain { thread, from: (*begin).min(from), to, waits, seen, kept }
            }
            None => Chain { thread, from, to, waits: 1, seen, kept: KeptWaiting::default() },
        };
        if let Some(place) = self.last.get_mut(at(thread.0)) {
            *place = chain;
        }
        if chain.waits >= LEAST && chain.length() > self.longest.length() {
            self.longest = chain;
        }
    }

    pub(crate) fn bytes_held(&self) -> usize {
        self.last.capacity() * size_of::<Chain>() + self.own.capacity() * size_of::<ThreadId>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One of the runtime's own threads.
    const TIMER: ThreadId = ThreadId(90);

    /// Waits as (thread, from, to, waker).
    fn longest(waits: &[(u32, u64, u64, u32)]) -> (u64, u32) {
        let mut chains = Chains::new(alloc::vec![TIMER]);
        waits
            .iter()
            .for_each(|(thread, from, to, by)| chains.waited(ThreadId(*thread), Nanos(*from), Nanos(*to), Waker(*by)));
        (chains.longest.length().0, chains.longest.waits)
    }

    #[test]
    fn waits_for_those_who_wait_are_a_chain() {
        assert_eq!(longest(&[(1, 0, 10, 9), (2, 5, 15, 1), (3, 8, 20, 2), (1, 12, 25, 3)]), (25, 4));
    }

    /// The second one has the lock from its wake-up at 15 until it wakes the third one at 40.
    #[test]
    fn who_keeps_the_next_one_waiting_for_longest_is_known() {
        let mut chains = Chains::new(Vec::new());
        for (thread, from, to, by) in [(1, 0, 10, 9), (2, 5, 15, 1), (3, 8, 40, 2), (1, 12, 45, 3), (7, 1, 46, 1)] {
            chains.waited(ThreadId(thread), Nanos(from), Nanos(to), Waker(by));
        }
        assert_eq!(chains.longest.kept, KeptWaiting { by: ThreadId(2), from: Nanos(15), to: Nanos(40) });
    }

    /// Each sleeps while it has the lock.
    #[test]
    fn who_sleeps_with_the_lock_hands_it_on_all_the_same() {
        let turns = [(1, 0, 5, 90), (2, 1, 6, 1), (2, 7, 12, 90), (3, 2, 13, 2), (3, 14, 19, 90), (1, 8, 20, 3)];
        assert_eq!(longest(&turns), (19, 3));
    }

    /// Threads that only sleep, or wait for requests which something outside wakes up for, make none.
    #[test]
    fn waits_for_timers_and_input_are_none() {
        assert_eq!(longest(&[(1, 0, 10, 90), (2, 5, 15, 90), (3, 8, 20, 90)]), (0, 0));
        assert_eq!(longest(&[(9, 0, 10, 90), (1, 0, 11, 9), (9, 12, 20, 90), (2, 0, 21, 9), (9, 22, 30, 90)]), (0, 0));
    }

    #[test]
    fn waits_for_results_and_for_work_are_none() {
        // A main thread waits for one worker after the other, and they wait for it.
        assert_eq!(longest(&[(1, 0, 10, 2), (2, 11, 20, 1), (1, 21, 30, 2), (2, 31, 40, 1)]), (0, 0));
        assert_eq!(longest(&[(2, 0, 10, 1), (3, 0, 11, 1), (4, 0, 12, 1), (1, 13, 30, 2)]), (0, 0));
    }
}
