//! The states of all threads during the replay.

use super::{
    cells::{Blocked, Did, NONE, REASONS, ThreadCells, block},
    chains::Chains,
    doing::{Became, Doing, Now},
    rowless::Rowless,
    waited::{MostlyWaited, Waited},
};
use crate::{
    keeping::{
        bins::Bins,
        heavier_half::HeavierHalf,
        quantiles::Quantiles,
        sorted::{self, Sorted},
    },
    limits,
    terms::op::{Op, Waker, What},
};
use alloc::{vec, vec::Vec};
use ghc_eventlog::{Nanos, StopReason, ThreadId};

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
    /// Whether it was created then, rather than existing before the log began.
    pub(crate) created: bool,
}

impl ThreadLife {
    const NONE: Self = Self { now: Now::GONE, counted_until: Nanos(0), last: NONE, first: Nanos::MAX, created: false };

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
}

/// How often, and for how long, a thread was blocked on black holes of another thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Contention {
    pub(crate) count: u64,
    pub(crate) total: Nanos,
    pub(crate) longest: (Nanos, Nanos),
}

/// The lives of all threads.
#[derive(Debug)]
pub(crate) struct ThreadLives {
    /// By the threads' places in [`crate::keeping::threads::Threads`].
    lives: Vec<ThreadLife>,
    pub(crate) cells: ThreadCells,
    /// Those that have no such place.
    pub(crate) rowless: Rowless,
    /// Running totals of the first threads. They are asked for again and again, and a thread that lives long has many cells.
    sums: Vec<Did>,
    /// What threads waited for: those at the places in `waiters`, or the first ones if that is empty.
    waited: Vec<Waited>,
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
    /// By the blocked thread and the owner of the black hole.
    pub(crate) contention: Sorted<(ThreadId, Waker), Contention>,
    /// How many waits are missing in `contention`, because there was no room: those of pairs that had waited shorter.
    pub(crate) contention_beyond: u64,
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
            waited: Vec::new(),
            waiters: Vec::new(),
            blocked: Blocked::default(),
            latencies: Bins::default(),
            latency: Quantiles::default(),
            waits: Default::default(),
            all_waits: 0,
            waits_for: [0; REASONS.len()],
            chains,
            contention: Sorted::new(),
            contention_beyond: 0,
            impossible: 0,
            twice: Nanos(0),
        }
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

    #[cold]
    fn now_without_row(&self, place: usize) -> Now {
        place.checked_sub(limits::MAX_THREADS).map_or(Now::GONE, |place| self.rowless.now_at(place))
    }

    /// A place, beyond those of all rows, for a thread without a row, if something happens to it that can be followed.
    #[cold]
    pub(crate) fn place_without_row(&mut self, op: &Op) -> Option<usize> {
        self.rowless.place(op).map(|place| limits::MAX_THREADS + place)
    }

    /// Whether the thread at a place has finished.
    #[inline]
    pub(crate) fn is_over(&self, place: usize) -> bool {
        let now = self.now(place);
        now.doing == Doing::Gone && now != Now::GONE
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
        if let Some(sum) = self.sums.get(place) {
            let mut did = *sum;
            did.spend(life.now.doing, time.since(life.counted_until));
            return did;
        }
        self.by_cells(life, u32::MAX, time).0
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
        self.all().for_each(|(place, _)| all.add(&self.did_until(place, time)));
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

    /// Applies an event to the thread at a place. To be called in order of time.
    #[inline]
    pub(crate) fn step(&mut self, place: usize, op: &Op) {
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
        let Some(life) = self.lives.get_mut(place) else { return };
        let before = life.now;
        let became = life.now.step(op);
        let migrated = matches!(op.what, What::Migrate(_));
        let is_end = matches!(op.what, What::Stop(..) | What::StopMissing | What::LoseSight);
        if became == Became::Same && is_end && before.doing == Doing::Running {
            self.twice = self.twice.plus(op.time.since(before.since));
        }
        if became == Became::Same && !migrated {
            return;
        }
        if life.first == Nanos::MAX {
            if before == life.now {
                return;
            }
            life.first = op.time;
            life.created = op.what == What::Create;
        }
        // Where clocks go back, what was recorded stays.
        let time = op.time.max(life.counted_until);
        let spent = time.since(life.counted_until);
        block(&mut self.blocked, &before, spent);
        life.last = self.cells.go_to(life.last, &before, life.counted_until, time);
        life.counted_until = time;
        let after = life.now;
        let more = Did::of(op, &before, became, time);
        if let Some(cell) = self.cells.get_mut(life.last) {
            cell.did.count(&more);
            cell.now = after;
        }
        if let Some(sum) = self.sums.get_mut(place) {
            sum.count(&more);
            sum.spend(before.doing, spent);
        }
        self.after_change(place, op, (&before, &after), became, &more, time);
        if self.cells.is_full() {
            self.coarsen();
        }
    }

    /// The same for a thread without a row: its place among those.
    #[cold]
    fn step_without_row(&mut self, place: usize, op: &Op) {
        let before = self.rowless.now_at(place);
        let mut after = before;
        let became = after.step(op);
        let is_end = matches!(op.what, What::Stop(..) | What::StopMissing | What::LoseSight);
        if became == Became::Same && is_end && before.doing == Doing::Running {
            self.twice = self.twice.plus(op.time.since(before.since));
        }
        if became == Became::Same && !matches!(op.what, What::Migrate(_)) {
            return;
        }
        let time = if became == Became::Same { before.since } else { after.since };
        let more = Did::of(op, &before, became, time);
        block(&mut self.blocked, &before, time.since(before.since));
        self.rowless.go_to(place, &before, &Now { since: time, ..after }, &more, &self.cells);
        self.after_change(place + limits::MAX_THREADS, op, (&before, &after), became, &more, time);
    }

    /// Adds a change of one thread to what is known of all together.
    #[inline]
    fn after_change(&mut self, place: usize, op: &Op, states: (&Now, &Now), became: Became, more: &Did, time: Nanos) {
        let (before, after) = states;
        if more.woken > 0 {
            self.latencies.add(more.latency.0);
            self.latency.add(more.latency.0);
        }
        if became == Became::Impossible {
            self.impossible += 1;
        }
        // When a wait ends that is not followed further is not known.
        let is_cut = matches!(op.what, What::Unlogged | What::ProcessOver);
        if before.doing == Doing::Blocked && after.doing != Doing::Blocked && !is_cut {
            self.waited(place, op, before, time);
        }
    }

    /// A thread is not blocked any more.
    fn waited(&mut self, place: usize, op: &Op, before: &Now, to: Nanos) {
        let Some(reason) = before.reason else { return };
        let by = match op.what {
            What::Wake(by) | What::Migrate(by) => by,
            _ => Waker(0),
        };
        let wait = Wait { thread: op.thread, from: before.since, to, reason, owner: before.other, by };
        self.all_waits += 1;
        if let Some(waited) = self.waited_place(place).and_then(|at| self.waited.get_mut(at)) {
            waited.add(&wait);
        }
        let place = REASONS.iter().position(|other| *other == reason);
        if let Some(count) = place.and_then(|place| self.waits_for.get_mut(place)) {
            *count += 1;
        }
        if let Some(waits) = place.and_then(|place| self.waits.get_mut(place)) {
            keep_longest(waits, wait);
        }
        if matches!(reason, StopReason::BlockedOnMVar | StopReason::BlockedOnMVarRead) {
            self.chains.waited(op.thread, wait.from, to, by);
        }
        if reason == StopReason::BlockedOnBlackHole {
            let key = (op.thread, before.other);
            if self.contention.len() >= limits::MAX_CONTENTION && !self.contention.contains_key(&key) {
                self.contention_beyond += forget_short_waits(&mut self.contention);
            }
            let times = (wait.from, wait.to);
            let first = Contention { count: 0, total: Nanos(0), longest: times };
            let contention = self.contention.entry(key).or_insert(first);
            contention.count += 1;
            contention.total = contention.total.plus(wait.length());
            if wait.length() > contention.longest.1.since(contention.longest.0) {
                contention.longest = times;
            }
        }
    }

    #[cold]
    fn coarsen(&mut self) {
        self.rowless.double(self.cells.width());
        let moved = self.cells.double();
        for life in &mut self.lives {
            life.last = moved.get(life.last as usize).copied().unwrap_or(NONE);
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
            + sorted::bytes_held(&self.contention)
    }
}

/// Keeps the half of the pairs that waited longest. Returns how many waits the others had.
#[cold]
fn forget_short_waits(all: &mut Sorted<(ThreadId, Waker), Contention>) -> u64 {
    let mut half = HeavierHalf::of(all.values().map(|contention| contention.total.0).collect());
    let before = core::mem::take(all);
    let mut gone = 0;
    for (key, contention) in before.iter() {
        if half.stays(contention.total.0) {
            all.insert(*key, *contention);
        } else {
            gone += contention.count;
        }
    }
    gone
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
