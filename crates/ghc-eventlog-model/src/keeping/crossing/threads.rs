//! The states of all threads during the replay.

use super::{
    awaited::{AwaitedThreads, SumOverTime},
    cells::{Blocked, Did, Happened, NONE, REASONS, ThreadCells, block, place_of},
    chains::Chains,
    contention::BlackHoleWaits,
    doing::{Became, Doing, Now},
    rowless::Rowless,
    waited::{MostlyWaited, Waited},
};
use crate::{
    keeping::{bins::Bins, quantiles::Quantiles},
    limits,
    terms::op::{Op, Waker, What},
};
use alloc::{vec, vec::Vec};
use ghc_eventlog::{CapNo, Nanos, StopReason, ThreadId};

/// A thread, up to where the log has been replayed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ThreadLife {
    /// Its state.
    pub(crate) now: Now,
    /// Its cells have what it did up to here.
    pub(crate) counted_until: Nanos,
    /// Its last cell.
    pub(crate) last: u32,
    /// When it was first seen; [`Nanos::MAX`] if it was not.
    pub(crate) first: Nanos,
    /// The capability on which it was created then, [`CapNo::GLOBAL`] if that is not known; `None` if it existed before the log began.
    pub(crate) created_by: Option<CapNo>,
}

impl ThreadLife {
    const NONE: Self =
        Self { now: Now::GONE, counted_until: Nanos(0), last: NONE, first: Nanos::MAX, created_by: None };

    /// When it finished.
    pub(crate) fn finished(&self) -> Option<Nanos> {
        (self.now.doing == Doing::Gone && self.first != Nanos::MAX).then_some(self.now.since)
    }
}

/// A stretch of time in which a thread waited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Wait {
    pub(crate) thread: ThreadId,
    pub(crate) from: Nanos,
    pub(crate) to: Nanos,
    pub(crate) reason: StopReason,
    /// The thread whose black hole it waited for.
    pub(crate) owner: Waker,
    /// The thread that woke it up.
    pub(crate) by: Waker,
}

impl Wait {
    pub(crate) fn length(&self) -> Nanos {
        self.to.since(self.from)
    }

    /// The thread that it was for: the one that was evaluating what it waited for, or else the one that woke it up.
    pub(crate) fn whose(&self) -> Waker {
        if self.reason == StopReason::BlockedOnBlackHole { self.owner } else { self.by }
    }
}

/// The lives of all threads.
#[derive(Debug)]
pub(crate) struct ThreadLives {
    /// By the threads' places in [`crate::keeping::threads::Threads`].
    lives: Vec<ThreadLife>,
    pub(crate) cells: ThreadCells,
    /// Those that have no such place.
    pub(crate) rowless: Rowless,
    /// What the first threads did up to the begin of their last cells. It is asked for again and again, and a thread that lives long has
    /// many cells.
    sums: Vec<Did>,
    /// What all threads after those did, up to where each is counted.
    beyond_sums: Did,
    /// What threads waited for: those at the places in `waiters`, or the first ones if that is empty.
    waited: Vec<Waited>,
    /// Whom all threads waited for longest.
    pub(crate) awaited: AwaitedThreads,
    /// How long capabilities had been idle while threads were blocked, in the course of the log.
    pub(crate) idle: SumOverTime,
    /// Sorted.
    waiters: Vec<u32>,
    /// The time that these threads were blocked, by reason.
    blocked: Blocked,
    /// The times from wake-up to running.
    pub(crate) latencies: Bins,
    pub(crate) latency: Quantiles,
    /// The longest waits for each reason, the longest first.
    waits: [Vec<Wait>; REASONS.len()],
    /// How many waits there were.
    pub(crate) all_waits: u64,
    /// How many there were for each reason, in the order of [`REASONS`].
    pub(crate) waits_for: [u64; REASONS.len()],
    /// Chains of waits for MVars.
    pub(crate) chains: Chains,
    /// Who waited for whose black holes.
    pub(crate) contention: BlackHoleWaits,
    /// Whose black holes threads waited for longest, whichever threads these were.
    pub(crate) evaluating: AwaitedThreads,
    /// Whether threads waited that have a row and are not in `waited`.
    pub(crate) are_waits_beyond: bool,
    /// How many events were impossible after what came before.
    pub(crate) impossible: u64,
    /// The time for which two capabilities both say that they ran the same thread.
    pub(crate) twice: Nanos,
}

impl ThreadLives {
    /// For a log from `begin` to `end`.
    pub(crate) fn new(begin: Nanos, end: Nanos, chains: Chains) -> Self {
        Self {
            lives: Vec::new(),
            cells: ThreadCells::new(begin, end.since(begin)),
            rowless: Rowless::new(),
            sums: Vec::new(),
            beyond_sums: Did::default(),
            waited: Vec::new(),
            awaited: AwaitedThreads::default(),
            idle: SumOverTime::default(),
            are_waits_beyond: false,
            waiters: Vec::new(),
            blocked: Blocked::default(),
            latencies: Bins::default(),
            latency: Quantiles::default(),
            waits: Default::default(),
            all_waits: 0,
            waits_for: [0; REASONS.len()],
            chains,
            contention: BlackHoleWaits::default(),
            evaluating: AwaitedThreads::default(),
            impossible: 0,
            twice: Nanos(0),
        }
    }

    /// There is room for as many threads as will have rows, at once: growing step by step takes up to three times as much for a while.
    pub(crate) fn reserve(&mut self, rows: usize) {
        self.lives.reserve_exact(rows);
    }

    /// How many places of threads there are.
    pub(crate) fn count(&self) -> usize {
        self.lives.len()
    }

    /// A thread by its place; `None` if nothing has happened to it.
    pub(crate) fn get(&self, place: usize) -> Option<&ThreadLife> {
        self.lives.get(place).filter(|life| life.first != Nanos::MAX)
    }

    /// What a thread is doing, by its place.
    #[inline]
    pub(crate) fn now(&self, place: usize) -> Now {
        match self.lives.get(place) {
            Some(life) => life.now,
            None => self.now_without_row(place),
        }
    }

    #[inline(never)]
    fn now_without_row(&self, place: usize) -> Now {
        place.checked_sub(limits::MAX_THREADS).map_or(Now::GONE, |place| self.rowless.now_at(place))
    }

    /// A place, beyond those of all rows, for a thread without a row, if something happens to it that can be followed.
    #[inline(never)]
    pub(crate) fn place_without_row(&mut self, op: &Op) -> Option<usize> {
        self.rowless.place(op).map(|place| limits::MAX_THREADS + place)
    }

    /// To be called once, at the end of the log.
    pub(crate) fn finish(&mut self, end: Nanos) {
        self.rowless.finish(end, &self.cells);
    }

    /// How many bytes the states of threads without a row take beyond their own budget: from that of the events that wait.
    pub(crate) fn bytes_over_budget(&self) -> usize {
        self.rowless.bytes_held().saturating_sub(limits::ROWLESS_BYTES)
    }

    /// All threads that have events, with their places.
    pub(crate) fn all(&self) -> impl Iterator<Item = (usize, &ThreadLife)> {
        self.lives.iter().enumerate().filter(|(_, life)| life.first != Nanos::MAX)
    }

    /// What a thread did up to a time after which it has no events yet; zero if nothing is known about it.
    pub(crate) fn did_until(&self, place: usize, time: Nanos) -> Did {
        let Some(life) = self.get(place) else { return Did::default() };
        if let (Some(sum), Some(cell)) = (self.sums.get(place), self.cells.get(life.last)) {
            let mut did = *sum;
            did.add(&cell.did);
            did.spend(life.now.doing, time.since(life.counted_until));
            return did;
        }
        self.by_cells(life, u32::MAX, time).0
    }

    /// How long a thread ran up to such a time: the same as in [`Self::did_until`], for whoever asks this of all threads.
    pub(crate) fn ran_until(&self, place: usize, time: Nanos) -> Nanos {
        if place < self.sums.len() {
            return self.did_until(place, time).time(Doing::Running);
        }
        let Some(life) = self.get(place) else { return Nanos(0) };
        let (mut within, mut between) = (Nanos(0), Nanos(0));
        let add = |cell: &Did| within = within.plus(cell.time(Doing::Running));
        let rest = |now: &Now, time: Nanos| {
            if now.doing == Doing::Running {
                between = between.plus(time);
            }
        };
        self.cells.did_until((life.last, life.counted_until), (u32::MAX, time), add, rest);
        within.plus(between)
    }

    /// What a thread did up to a time, by its cells before a piece: see [`ThreadCells::did_until`].
    fn by_cells(&self, life: &ThreadLife, piece: u32, time: Nanos) -> (Did, Now) {
        let (mut did, mut rest) = (Did::default(), Did::default());
        let add = |cell: &Did| did.add(cell);
        let between = |now: &Now, time| rest.spend(now.doing, time);
        let now = self.cells.did_until((life.last, life.counted_until), (piece, time), add, between);
        did.add(&rest);
        (did, now)
    }

    /// What all threads together did, up to a time after which there are no events yet.
    pub(crate) fn all_did_until(&self, time: Nanos) -> Did {
        let mut all = self.rowless.did_until(time);
        all.add(&self.beyond_sums);
        for (place, life) in self.all() {
            if place < limits::MAX_SUMS {
                all.add(&self.did_until(place, time));
            } else {
                all.spend(life.now.doing, time.since(life.counted_until));
            }
        }
        all
    }

    /// The time that threads were blocked, by reason, up to a time after which there are no events yet.
    pub(crate) fn blocked_until(&self, time: Nanos) -> Blocked {
        let mut blocked = self.blocked;
        for (_, life) in self.all() {
            block(&mut blocked, &life.now, time.since(life.counted_until));
        }
        self.rowless.alive().for_each(|(.., now)| block(&mut blocked, now, time.since(now.since)));
        blocked
    }

    /// What a thread waited for most, up to a time after which it has no events yet; `None` if it did not wait, and if there are
    /// too many threads to know.
    pub(crate) fn mostly_waited(&self, place: usize, time: Nanos) -> Option<MostlyWaited> {
        self.waited.get(self.waited_place(place)?)?.most(&self.get(place)?.now, time)
    }

    /// The longest waits for each reason, in the order of [`REASONS`].
    pub(crate) fn waits(&self) -> impl Iterator<Item = &Wait> {
        self.waits.iter().flatten()
    }

    /// Chooses the threads for which it is kept what they wait for: those at these places, which are sorted. Otherwise it is the first ones.
    pub(crate) fn keep_waits_of(&mut self, waiters: Vec<u32>) {
        self.waited = vec![Waited::default(); waiters.len()];
        self.waiters = waiters;
    }

    fn waited_place(&self, place: usize) -> Option<usize> {
        if self.waiters.is_empty() {
            return Some(place);
        }
        self.waiters.binary_search(&u32::try_from(place).ok()?).ok()
    }

    /// Applies an event to the thread at a place. To be called in order of time. Returns the thread's states before and after it, if it
    /// changes anything.
    #[inline]
    pub(crate) fn step(&mut self, place: usize, op: &Op) -> Option<(Now, Now)> {
        if place >= self.lives.len() {
            if let Some(place) = place.checked_sub(limits::MAX_THREADS) {
                return self.step_without_row(place, op);
            }
            self.lives.resize(place + 1, ThreadLife::NONE);
            self.sums.resize(self.lives.len().min(limits::MAX_SUMS), Did::default());
            if self.waiters.is_empty() {
                self.waited.resize(self.lives.len().min(limits::MAX_WAITED), Waited::default());
            }
        }
        let life = self.lives.get_mut(place)?;
        let before = life.now;
        let became = life.now.step(op);
        if became == Became::Same {
            self.twice = self.twice.plus(run_twice(op, &before));
            if !matches!(op.what, What::Migrate(_)) {
                return None;
            }
        }
        let after = life.now;
        if life.first == Nanos::MAX {
            if before == after {
                return None;
            }
            life.first = op.time;
            life.created_by = (op.what == What::Create).then_some(op.cap);
        }
        // Where clocks go back, what was recorded stays.
        let time = op.time.max(life.counted_until);
        let since = core::mem::replace(&mut life.counted_until, time);
        let more = Happened::of(op, &before, became, time);
        if place >= limits::MAX_SUMS {
            self.beyond_sums.spend(before.doing, time.since(since));
            self.beyond_sums.count(&more);
        }
        let last = life.last;
        life.last = self.cells.go_to(last, (&before, &after), (since, time), &more);
        if life.last != last {
            self.close_cell(place, last, before.doing, (since, time));
        }
        self.after_change(place, op, (&before, &after), (time.since(since), time), became, more.latency);
        if self.cells.is_full() {
            self.coarsen();
        }
        Some((before, after))
    }

    /// A cell is not a thread's last one any more: adds to its sums what they do not have, up to the begin of its last cell, at a time.
    #[cold]
    fn close_cell(&mut self, place: usize, cell: u32, doing: Doing, (since, time): (Nanos, Nanos)) {
        let (Some(sum), Some(cell)) = (self.sums.get_mut(place), self.cells.get(cell)) else { return };
        sum.add(&cell.did);
        let end = self.cells.begin(cell.piece + 1);
        sum.spend(doing, self.cells.begin(self.cells.piece(time)).since(end.max(since)));
    }

    /// The same for a thread without a row.
    #[inline(never)]
    fn step_without_row(&mut self, place: usize, op: &Op) -> Option<(Now, Now)> {
        let before = self.rowless.now_at(place);
        let mut after = before;
        let became = after.step(op);
        if became == Became::Same {
            self.twice = self.twice.plus(run_twice(op, &before));
            if !matches!(op.what, What::Migrate(_)) {
                return None;
            }
        }
        let time = if became == Became::Same { before.since } else { after.since };
        let more = Happened::of(op, &before, became, time);
        self.rowless.go_to(place, &before, &Now { since: time, ..after }, &more, &self.cells);
        let spent = time.since(before.since);
        self.after_change(place + limits::MAX_THREADS, op, (&before, &after), (spent, time), became, more.latency);
        Some((before, after))
    }

    /// Adds a change of one thread at a time, which was in its state `before` for the time `spent`, to what is known of all together.
    #[inline(always)]
    fn after_change(
        &mut self,
        place: usize,
        op: &Op,
        (before, after): (&Now, &Now),
        (spent, time): (Nanos, Nanos),
        became: Became,
        latency: Option<Nanos>,
    ) {
        if let Some(latency) = latency {
            self.latencies.add(latency.0);
            self.latency.add(latency.0);
        }
        if became == Became::Impossible {
            self.impossible += 1;
        }
        if before.doing == Doing::Blocked {
            block(&mut self.blocked, before, spent);
            // When a wait ends that is not followed further is not known.
            let is_cut = matches!(op.what, What::Unlogged | What::ProcessOver);
            if after.doing != Doing::Blocked && !is_cut {
                self.waited(place, op, before, time);
            }
        }
    }

    /// A thread is not blocked any more.
    #[inline(never)]
    fn waited(&mut self, place: usize, op: &Op, before: &Now, to: Nanos) {
        let Some(reason) = before.reason else { return };
        let by = op.what.waker();
        let wait = Wait { thread: op.thread, from: before.since, to, reason, owner: before.other, by };
        self.all_waits += 1;
        match self.waited_place(place).and_then(|at| self.waited.get_mut(at)) {
            Some(waited) => waited.add(&wait),
            None => self.are_waits_beyond |= place < limits::MAX_THREADS,
        }
        let place = place_of(Some(reason));
        if let Some(count) = place.and_then(|place| self.waits_for.get_mut(place)) {
            *count += 1;
        }
        if let Some(waits) = place.and_then(|place| self.waits.get_mut(place)) {
            keep_longest(waits, wait);
        }
        if reason == StopReason::BlockedOnBlackHole {
            self.evaluating.add(before.other, (wait.from, wait.to));
            self.contention.add(&wait);
        }
    }

    #[cold]
    fn coarsen(&mut self) {
        self.rowless.double(self.cells.width());
        let last =
            |cells: &ThreadCells, life: &ThreadLife| cells.get(life.last).map_or(Did::default(), |cell| cell.did);
        for (sum, life) in self.sums.iter_mut().zip(&self.lives) {
            sum.add(&last(&self.cells, life));
        }
        let moved = self.cells.double();
        for life in &mut self.lives {
            life.last = moved.get(life.last as usize).copied().unwrap_or(NONE);
        }
        for (sum, life) in self.sums.iter_mut().zip(&self.lives) {
            sum.take_off(&last(&self.cells, life));
        }
    }

    pub(crate) fn bytes_held(&self) -> usize {
        let waits: usize = self.waits.iter().map(Vec::capacity).sum();
        self.lives.capacity() * size_of::<ThreadLife>()
            + self.sums.capacity() * size_of::<Did>()
            + self.waited.capacity() * size_of::<Waited>()
            + self.waiters.capacity() * size_of::<u32>()
            + self.cells.bytes_held()
            + self.rowless.bytes_held()
            + self.latency.bytes_held()
            + waits * size_of::<Wait>()
            + self.chains.bytes_held()
            + self.contention.bytes_held()
    }
}

/// How long a thread had run on another capability, if an event there says that it ends: clocks differ, or the log is damaged.
#[inline]
fn run_twice(op: &Op, before: &Now) -> Nanos {
    let is_end = matches!(op.what, What::Stop(..) | What::StopMissing | What::LoseSight);
    if is_end && before.doing == Doing::Running { op.time.since(before.since) } else { Nanos(0) }
}

/// Keeps a wait if it is among the longest; the list is sorted, longest first.
fn keep_longest(waits: &mut Vec<Wait>, wait: Wait) {
    let is_full = waits.len() >= limits::MAX_WAITS;
    if is_full && waits.last().is_some_and(|shortest| shortest.length() >= wait.length()) {
        return;
    }
    if is_full {
        waits.pop();
    }
    let place = waits.partition_point(|kept| kept.length() >= wait.length());
    waits.insert(place, wait);
}

#[cfg(test)]
mod tests;
