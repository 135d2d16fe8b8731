//! What crosses capabilities: what threads did, user spans, values, who stopped last before each collection, why capabilities were
//! idle, and how long sparks ran.

pub(crate) mod account;
pub(crate) mod awaited;
mod breaks;
pub(crate) mod cells;
pub(crate) mod chains;
pub(crate) mod contention;
pub(crate) mod counters;
pub(crate) mod doing;
mod folded;
pub(crate) mod label_set;
pub(crate) mod low_use;
pub(crate) mod marks;
pub(crate) mod notes;
pub(crate) mod pairing;
pub(crate) mod pauses;
pub(crate) mod repeats;
pub(crate) mod requests;
pub(crate) mod rowless;
pub(crate) mod rows;
pub(crate) mod span_parts;
pub(crate) mod spans;
pub(crate) mod spark_runs;
pub(crate) mod stops;
pub(crate) mod stretches;
pub(crate) mod threads;
pub(crate) mod waited;

use crate::{
    keeping::{collections::Collections, diagnostics::DiagnosticKind, messages::Messages, threads::Threads},
    limits,
    sorting::sort_by_number,
    terms::op::{Op, What},
};
use account::IdleAccount;
use alloc::vec::Vec;
pub(crate) use breaks::Break;
use chains::Chains;
use counters::CounterStore;
use doing::{Doing, Now};
use ghc_eventlog::{CapNo, Nanos, StopReason, ThreadId};
use marks::{Mark, MarkKind};
use repeats::Repeats;
use spans::UserSpans;
use spark_runs::SparkRuns;
use stops::AllStops;
use threads::{ThreadLives, Wait};

/// What the replay, in order of time, has found.
#[derive(Debug)]
pub(crate) struct Replayed {
    pub(crate) lives: ThreadLives,
    /// The user spans, between two messages of the program each.
    pub(crate) spans: UserSpans,
    /// Who stopped last before each collection.
    pub(crate) stops: AllStops,
    /// Why capabilities were idle.
    pub(crate) account: IdleAccount,
    /// How long sparks ran.
    pub(crate) spark_runs: SparkRuns,
    /// Values in messages.
    pub(crate) counters: CounterStore,
    pub(crate) repeats: Repeats,
    /// In order of time; those from the second number on have not happened yet.
    breaks: (Vec<Break>, usize),
    /// The replay is complete up to this time.
    pub(crate) until: Nanos,
    /// When the log begins and ends.
    pub(crate) begin: Nanos,
    pub(crate) end: Nanos,
    /// Whether the whole log has been replayed.
    pub(crate) is_done: bool,
    /// Bytes held while segments are put in order of time.
    pub(crate) waiting_bytes: usize,
}

impl Replayed {
    /// Nothing, for a log from `begin` to `end`, with some breaks.
    pub(crate) fn new(
        begin: Nanos,
        end: Nanos,
        collections: &Collections,
        account: IdleAccount,
        mut breaks: Vec<Break>,
        spark_runs: SparkRuns,
        chains: Chains,
    ) -> Self {
        sort_by_number(&mut breaks, |one| one.time.0);
        Self {
            lives: ThreadLives::new(begin, end, chains),
            spans: UserSpans::new(collections, begin, end),
            counters: CounterStore::default(),
            repeats: Repeats::default(),
            breaks: (breaks, 0),
            stops: AllStops::default(),
            account,
            spark_runs,
            until: begin,
            begin,
            end,
            is_done: false,
            waiting_bytes: 0,
        }
    }

    /// Lets the breaks happen up to a time. To be called before what happens at that time.
    #[inline]
    pub(crate) fn break_until(&mut self, time: Nanos, stores: (&Threads, &Collections)) {
        let (threads, collections) = stores;
        while let Some(next) = self.breaks.0.get(self.breaks.1).copied().filter(|next| next.time <= time) {
            self.breaks.1 += 1;
            self.account.go_to(next.time);
            self.break_all(&next, threads, collections);
        }
    }

    /// A function of its own, since the page loads it late.
    #[cold]
    #[inline(never)]
    fn break_all(&mut self, all: &Break, threads: &Threads, collections: &Collections) {
        for (place, thread) in threads.rows().iter().enumerate() {
            if self.lives.get(place).is_some() {
                self.break_one(all, place, thread.id, collections);
            }
        }
        let rowless: Vec<(usize, ThreadId)> = self.lives.rowless.alive().map(|(place, id, _)| (place, id)).collect();
        for (place, id) in rowless {
            self.break_one(all, limits::MAX_THREADS + place, id, collections);
        }
    }

    /// Follows whom threads wait for, where an event has ended a wait.
    #[inline]
    pub(crate) fn follow_waits(&mut self, op: &Op, (before, after): (&Now, &Now), collections: &Collections) {
        if let Some(reason) = before.reason
            && before.doing == Doing::Blocked
            && after.doing != Doing::Blocked
        {
            self.waited(op, before, reason, collections);
        }
    }

    #[inline(never)]
    fn waited(&mut self, op: &Op, before: &Now, reason: StopReason, collections: &Collections) {
        let (from, by, to) = (before.since, op.what.waker(), op.time.max(before.since));
        let wait = Wait { thread: op.thread, from, to, reason, owner: before.other, by };
        self.lives.idle.add(to, || self.account.idle_while_blocked());
        self.lives.awaited.add(wait.whose(), (from, to));
        if matches!(reason, StopReason::BlockedOnMVar | StopReason::BlockedOnMVarRead) {
            let paused = self.spans.pauses.next_of_kept(collections, to);
            let until = |time| self.spans.pauses.until(collections, time);
            self.lives.chains.waited(op.thread, (from, to), by, paused, until);
        }
    }

    fn break_one(&mut self, all: &Break, place: usize, thread: ThreadId, collections: &Collections) {
        if !all.is_about(thread) {
            return;
        }
        let before = self.lives.now(place);
        if let Some((before, after)) = self.lives.step(place, &all.op(thread, before.cap)) {
            self.account.thread(place, &before, &after);
            self.spans.thread_does(thread, &before, all.time, collections);
        }
        if all.what == What::ProcessOver {
            self.spans.thread_finished(thread, all.time);
        }
    }

    /// All breaks, in order of time.
    pub(crate) fn breaks(&self) -> &[Break] {
        &self.breaks.0
    }

    /// The breaks of one thread in `from..to`, in order.
    pub(crate) fn breaks_of(&self, thread: ThreadId, from: Nanos, to: Nanos) -> impl Iterator<Item = Op> {
        let (all, done) = &self.breaks;
        let happened = all.iter().take(*done).filter(move |one| from <= one.time && one.time < to);
        happened.filter(move |one| one.is_about(thread)).map(move |one| one.op(thread, CapNo::GLOBAL))
    }

    /// Takes what a message says, in order of time. Not a part of the loop over all events, which is faster as it is small.
    #[inline(never)]
    pub(crate) fn mark(&mut self, segment: u32, op: &Op, mark: &Mark, stores: (&Threads, &Collections, &Messages)) {
        let (threads, collections, messages) = stores;
        if self.repeats.take(segment, op, mark) {
            return;
        }
        match mark.what {
            MarkKind::Value => self.counters.add(mark, op.time, messages),
            _ => {
                let lives = &self.lives;
                let now = |thread| match threads.known_place(thread) {
                    Some(place) => lives.now(place),
                    None => lives.rowless.now_of(thread),
                };
                self.spans.step(op, *mark, (collections, &messages.labels), now);
            }
        }
    }

    /// What the user should know about it.
    pub(crate) fn diagnostics(&self) -> impl Iterator<Item = DiagnosticKind> {
        let Self { lives: ThreadLives { impossible, twice, contention, .. }, spans, .. } = self;
        let all = [
            (*impossible > 0 || *twice > Nanos(0), DiagnosticKind::Impossible { runs: *impossible, twice: *twice }),
            (spans.unmatched > 0, DiagnosticKind::UnbegunSpans(spans.unmatched)),
            (spans.given_up > 0, DiagnosticKind::TooManySpans(spans.given_up)),
            (contention.beyond > 0, DiagnosticKind::TooManyOwners(contention.beyond)),
        ];
        all.into_iter().filter_map(|(is_so, kind)| is_so.then_some(kind))
    }

    pub(crate) fn bytes_held(&self) -> usize {
        self.lives.bytes_held()
            + self.spans.bytes_held()
            + self.counters.bytes_held()
            + self.repeats.bytes_held()
            + self.stops.bytes_held()
            + self.spark_runs.bytes_held()
            + self.account.bytes_held()
            + self.breaks.0.capacity() * size_of::<Break>()
    }
}
