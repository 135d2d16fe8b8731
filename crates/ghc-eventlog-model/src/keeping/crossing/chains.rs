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
//! MVars are fair: who gets one later began to wait for it later, or at about the same time (capabilities' events are not exactly in
//! order). So a wait that had taken longer when that of the waker began than it took from then on was for something else, such as for a
//! thread to be done. And only when a thread wakes up the next one does it show that it had waited for what it hands on: the last wait
//! of a chain does not count yet.
//!
//! ```text
//! main        |wwwwwwwwwwwwwwwwwwwwwwwwwww|  joins thread 2, which waited for the lock meanwhile: no part of its chain
//! thread 2       |wwww|runs|wwww|runs ends|
//! ```
//!
//! Who holds a lock may wait for something else meanwhile, as for a timer or for input. Such a wait, which the runtime's own threads end,
//! is no part of a chain, and does not end one:
//!
//! ```text
//! thread 1    |wwwwww|runs |sleeps|runs      its chain is still that of its wait for the lock
//! thread 2       |wwwwwwwwwwwwwwwww|runs     woken by thread 1: one more wait
//! ```
//!
//! Whom a thread waits for in the end is not always the one that wakes it up: that one may have waited for the same thing.
//!
//! ```text
//! thread 1    |holds the lock            |
//! thread 2      |wwwwwwwwwwwwwwwwwwwwwwww|runs
//! thread 3        |wwwwwwwwwwwwwwwwwwwwwwwwww|runs     woken by thread 2, but it waited behind that one for thread 1
//! ```

use super::awaited::AwaitedThreads;
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
    /// When the last wait began.
    last: Nanos,
    /// How long collections had taken in all when it ended.
    paused: Nanos,
    /// How many waits there are.
    pub(crate) waits: u32,
    /// A bit for each thread that waited: those whose numbers have the same rest by 32 share one.
    seen: u32,
    /// Who kept its last thread waiting for longest, as far as is known, and when: who woke it up, or whom that one had waited for.
    root: Waker,
    held: (Nanos, Nanos),
    /// Whether its last wait is part of [`Chains::queued`].
    is_counted: bool,
    pub(crate) kept: KeptWaiting,
}

/// Who kept the next one waiting for longest, and when: from the end of its own wait until it woke that one up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct KeptWaiting {
    pub(crate) by: ThreadId,
    pub(crate) from: Nanos,
    pub(crate) to: Nanos,
    /// How much of that collections took, for which it cannot be blamed.
    pub(crate) paused: Nanos,
}

impl KeptWaiting {
    /// How long it took itself.
    pub(crate) fn length(&self) -> Nanos {
        self.to.since(self.from).since(self.paused)
    }
}

impl Chain {
    pub(crate) fn length(&self) -> Nanos {
        self.to.since(self.from)
    }

    /// Whether a wait for its last thread may be for what that one had waited for: see above.
    fn hands_on(&self, from: Nanos, to: Nanos) -> bool {
        self.waits > 0 && self.to > from && self.last.since(from) <= to.since(from.max(self.last))
    }

    /// How many threads waited, at least.
    pub(crate) fn threads(&self) -> u64 {
        self.seen.count_ones().into()
    }
}

/// Threads whose last chains are known: those with the same rest of the number by this share a place, and the last one has it. More have
/// no room: see `together_they_keep_the_budget`.
pub(crate) const CHAINS: usize = 390;

/// The chains that the last waits of threads were the ends of, and the longest of all.
#[derive(Debug, Default)]
pub(crate) struct Chains {
    last: Vec<Chain>,
    /// The runtime's own threads, in order: those that wait for input, output and timers.
    own: Vec<ThreadId>,
    /// Of those of three waits at least.
    pub(crate) longest: Chain,
    /// How long threads waited in all, but for collections: for others that had waited, and while others waited for them.
    pub(crate) queued: Nanos,
    /// For whom threads waited behind others that waited for the same one, and how long all together.
    pub(crate) behind: AwaitedThreads,
    pub(crate) behind_any: Nanos,
}

/// Two threads that wait for each other by turns are usual.
const LEAST: u32 = 3;

impl Chains {
    /// With the runtime's own threads.
    pub(crate) fn new(mut own: Vec<ThreadId>) -> Self {
        sort_by_number(&mut own, |thread| u64::from(thread.0));
        Self { own, ..Self::default() }
    }

    /// A thread's wait for an MVar is over; `by` woke it up. Up to the end of the wait, collections had taken `paused` in all, and
    /// `paused_until` says the same of an earlier time.
    pub(crate) fn waited(
        &mut self,
        thread: ThreadId,
        (from, to): (Nanos, Nanos),
        by: Waker,
        paused: Nanos,
        paused_until: impl Fn(Nanos) -> Nanos,
    ) {
        if self.last.is_empty() {
            self.last.resize(CHAINS, Chain::default());
        }
        if by.thread().is_some_and(|by| self.own.binary_search(&by).is_ok()) {
            return;
        }
        let place = |thread: ThreadId| thread.0 as usize % CHAINS;
        let seen = 1 << (thread.0 % u32::BITS);
        let mut chain = Chain {
            thread,
            from,
            to,
            last: from,
            paused,
            waits: 1,
            seen,
            root: by,
            held: (from, to),
            ..Chain::default()
        };
        let before = by.thread().and_then(|by| self.last.get_mut(place(by)).filter(|before| before.thread == by));
        if let Some(before) = before.filter(|before| before.hands_on(from, to)) {
            if before.waits > 1 && !core::mem::replace(&mut before.is_counted, true) {
                let wait = before.to.since(before.last).since(before.paused.since(paused_until(before.last)));
                self.queued = self.queued.plus(wait);
            }
            if before.waits >= LEAST && before.length() > self.longest.length() {
                self.longest = *before;
            }
            let (held_from, held_to) = before.held;
            let behind = (from.max(held_from), before.to.min(held_to));
            let length = behind.1.since(behind.0);
            chain.held = (before.to, to);
            if length > Nanos(0) && before.root.thread().is_some_and(|root| root != thread) {
                self.behind.add(before.root, behind);
                self.behind_any = self.behind_any.plus(length);
                if length >= to.since(before.to) {
                    (chain.root, chain.held) = (before.root, before.held);
                }
            }
            let here = KeptWaiting { by: before.thread, from: before.to, to, paused: paused.since(before.paused) };
            chain.kept = if here.length() > before.kept.length() { here } else { before.kept };
            (chain.from, chain.waits, chain.seen) = (before.from, before.waits.saturating_add(1), seen | before.seen);
        }
        if let Some(last) = self.last.get_mut(place(thread)) {
            *last = chain;
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

    /// Waits as (thread, from, to, waker), while the runtime collects in `paused`.
    fn all(waits: &[(u32, u64, u64, u32)], paused: core::ops::Range<u64>) -> Chains {
        let mut chains = Chains::new(alloc::vec![TIMER]);
        let until = |time: Nanos| Nanos(time.0.clamp(paused.start, paused.end) - paused.start);
        for (thread, from, to, by) in waits {
            let times = (Nanos(*from), Nanos(*to));
            chains.waited(ThreadId(*thread), times, Waker(*by), until(times.1), until);
        }
        chains
    }

    /// The length of the longest chain, and how many waits it has.
    fn longest(waits: &[(u32, u64, u64, u32)]) -> (u64, u32) {
        let chains = all(waits, 0..0);
        (chains.longest.length().0, chains.longest.waits)
    }

    /// Three threads have the lock by turns. It shows that the fourth wait was for the lock, too, when another thread waits for the end of that one.
    const TURNS: [(u32, u64, u64, u32); 5] =
        [(1, 0, 10, 9), (2, 5, 15, 1), (3, 8, 20, 2), (1, 12, 25, 3), (2, 16, 30, 1)];

    #[test]
    fn waits_for_those_who_wait_are_a_chain() {
        assert_eq!([longest(&TURNS), longest(&TURNS[..4])], [(25, 4), (20, 3)]);
        // Each but the first one and the last one.
        assert_eq!(all(&TURNS, 0..0).queued, Nanos(10 + 12 + 13));
        assert_eq!(all(&TURNS, 13..19).queued, Nanos(10 + 12 + 13 - 2 - 6 - 6));
    }

    /// Capabilities' events are not exactly in order: the second one asked for the lock before the third one.
    #[test]
    fn waits_that_begin_at_about_the_same_time_are_a_chain() {
        assert_eq!(longest(&[(1, 0, 10, 9), (2, 6, 15, 1), (3, 5, 20, 2), (1, 12, 25, 3)]), (20, 3));
    }

    /// The main thread, 7, waits for workers to be done, which hand each other a lock.
    #[test]
    fn who_waits_for_others_to_be_done_is_no_part_of_a_chain() {
        let joins = |begin: u64| {
            let done = [(7, begin, 60, 2), (7, 61, 70, 3)];
            let chains = all(&[&TURNS[..], &done[..]].concat(), 0..0);
            (chains.longest.length().0, chains.longest.threads(), chains.longest.kept.by, chains.queued.0)
        };
        // Also where it begins to wait after all others.
        assert_eq!([0, 2, 20].map(joins), [(30, 3, ThreadId(1), 10 + 12 + 13 + 14); 3]);
    }

    /// The second one has the lock from its wake-up at 15 until it wakes the third one at 40.
    #[test]
    fn who_keeps_the_next_one_waiting_for_longest_is_known() {
        let waits = [(1, 0, 10, 9), (2, 5, 15, 1), (3, 8, 40, 2), (1, 12, 48, 3), (2, 41, 50, 1)];
        let second = KeptWaiting { by: ThreadId(2), from: Nanos(15), to: Nanos(40), paused: Nanos(0) };
        assert_eq!(all(&waits, 0..0).longest.kept, second);
        // While the runtime collects, nobody keeps anybody waiting.
        let third = KeptWaiting { by: ThreadId(3), from: Nanos(40), to: Nanos(48), paused: Nanos(0) };
        assert_eq!(all(&waits, 16..39).longest.kept, third);
        let kept = all(&waits, 16..20).longest.kept;
        assert_eq!((kept, kept.length()), (KeptWaiting { paused: Nanos(4), ..second }, Nanos(21)));
    }

    /// Thread 9 holds the lock for long, again and again; in between, each of three others has it for a moment.
    #[test]
    fn whom_threads_wait_for_behind_others_is_known() {
        let round = |at: u64| [(1, at, at + 80, 9), (2, at + 5, at + 81, 1), (3, at + 8, at + 82, 2)];
        let chains = all(&[0, 100, 200].map(round).concat(), 0..0);
        assert_eq!(chains.behind.longest(&|_| true), Some((ThreadId(9), Nanos(3 * (75 + 72)))));
        assert_eq!(all(&[(1, 0, 10, 9), (2, 11, 20, 9)], 0..0).behind.longest(&|_| true), None);
    }

    /// Each sleeps while it has the lock.
    #[test]
    fn who_sleeps_with_the_lock_hands_it_on_all_the_same() {
        let turns = [
            (1, 0, 5, 90),
            (2, 1, 6, 1),
            (2, 7, 12, 90),
            (3, 2, 13, 2),
            (3, 14, 19, 90),
            (1, 8, 20, 3),
            (2, 13, 27, 1),
        ];
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
