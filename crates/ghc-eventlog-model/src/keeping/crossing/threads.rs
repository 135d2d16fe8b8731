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
    /// Its time is in its cells up to here.
    pub(crate) told: Nanos,
    /// Its last cell.
    pub(crate) last: u32,
    /// When it was first seen; [`Nanos::MAX`] if it was not.
    pub(crate) first: Nanos,
    /// Whether it was created then, rather than existing before the log began.
    pub(crate) created: bool,
}

impl ThreadLife {
    const NONE: Self = Self { now: Now::GONE, told: Nanos(0), last: NONE, first: Nanos::MAX, created: false };

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
    /// What threads waited for: the first ones, or, if there are too many, those at the places in the second list, which is sorted.
    waited: Vec<Waited>,
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
    /// Blocked times that are missing above, because there was no room: those of pairs that had waited shorter.
    pub(crate) contention_beyond: u64,
    /// How many events were impossible after what came before; and the time for which two capabilities both say that they ran
    /// the same thread.
    pub(crate) impossible: u64,
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

    /// How much room the states of threads without a row take from the events that wait.
    pub(crate) fn bytes_beside(&self) -> usize {
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
            did.spend(life.now.doing, time.since(life.told));
            return did;
        }
        self.by_cells(life, u32::MAX, time).0
    }

    /// What a thread did up to a time, by its cells before a piece: see [`ThreadCells::did_until`].
    fn by_cells(&self, life: &ThreadLife, piece: u32, time: Nanos) -> (Did, Now) {
        let (mut did, mut rest) = (Did::default(), Did::default());
        let add = |cell: &Did| did.add(cell);
        let between = |now: &Now, time| rest.spend(now.doing, time);
        let now = self.cells.did_until((life.last, life.told), (piece, time), add, between);
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
            block(&mut blocked, &life.now, time.since(life.told));
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

    /// Keeps what the threads at these places wait for, which are sorted; by default the first ones.
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
        let time = op.time.max(life.told);
        let spent = time.since(life.told);
        block(&mut self.blocked, &before, spent);
        life.last = self.cells.go_to(life.last, &before, life.told, time);
        life.told = time;
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
        self.came(place, op, (&before, &after), became, &more, time);
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
        self.came(place + limits::MAX_THREADS, op, (&before, &after), became, &more, time);
    }

    /// What follows for all threads together from what one does.
    #[inline]
    fn came(&mut self, place: usize, op: &Op, states: (&Now, &Now), became: Became, more: &Did, time: Nanos) {
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
mod tests {
    use super::*;
    use ghc_eventlog::CapNo;

    /// A pseudo-random number, from the previous one.
    fn next(number: u64) -> u64 {
        number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407)
    }

    /// The length of pieces changes no sum, up to the end or up to the begin of any piece that is left.
    #[test]
    fn longer_pieces_give_the_same_sums() {
        let end = 1u64 << 20;
        // There are no running totals for the last one.
        let places = [0, 1, 2, limits::MAX_SUMS];
        let mut lives = ThreadLives::new(Nanos(0), Nanos(end), Chains::default());
        let (mut time, mut chance) = (0, 1);
        while time < end {
            chance = next(chance);
            let (thread, cap) = (chance >> 40 & 3, CapNo((chance >> 43 & 1) as u16));
            let what = match chance >> 50 & 7 {
                0 | 1 => What::Run,
                2 => What::Stop(Some(StopReason::BlockedOnMVar), 0),
                3 => What::Stop(Some(StopReason::Yielding), 0),
                4 if chance >> 53 & 1 == 0 => What::LoseSight,
                4 => What::Stop(Some(StopReason::ForeignCall), 0),
                5 | 6 => What::Wake(Waker(1)),
                _ => What::Migrate(Waker(0)),
            };
            // Clocks go back sometimes.
            let now = if chance >> 56 == 0 { time.saturating_sub(5) } else { time };
            lives.step(places[thread as usize], &Op { time: Nanos(now), thread: ThreadId(thread as u32), cap, what });
            // Many events at once, then long pauses.
            time += if chance >> 60 == 0 { 5000 } else { chance >> 58 & 3 };
        }
        let before = |lives: &ThreadLives, piece: u32, time: Nanos| -> Vec<(Did, Now)> {
            lives.all().map(|(_, life)| lives.by_cells(life, piece, time)).collect()
        };
        let all = |lives: &ThreadLives| {
            before(lives, u32::MAX, Nanos(end)).into_iter().map(|(did, _)| did).collect::<Vec<_>>()
        };
        let until = |lives: &ThreadLives, time: Nanos| {
            let piece = lives.cells.piece(time);
            before(lives, piece, lives.cells.begin(piece))
        };
        let (told, blocked) = (all(&lives), lives.blocked_until(Nanos(end)));
        assert_eq!(
            places.map(|place| lives.did_until(place, Nanos(end))).as_slice(),
            told,
            "what is added up is the same"
        );
        let mut together = Did::default();
        told.iter().for_each(|did| together.add(did));
        assert_eq!(lives.all_did_until(Nanos(end)), together);
        assert!(told.iter().all(|did| did.runs > 100 && did.times.iter().all(|time| *time > Nanos(0))));
        let halves = until(&lives, Nanos(end / 2));
        let mut in_cells = lives.cells.blocked(0, u32::MAX);
        for _ in 0..18 {
            lives.coarsen();
            assert_eq!((all(&lives), lives.blocked_until(Nanos(end))), (told.clone(), blocked));
            if lives.cells.begin(lives.cells.piece(Nanos(end / 2))) == Nanos(end / 2) {
                assert_eq!(until(&lives, Nanos(end / 2)), halves);
            }
            let now = lives.cells.blocked(0, u32::MAX);
            assert!(now.iter().zip(in_cells).all(|(now, before)| *now >= before), "what was between comes to it");
            in_cells = now;
        }
    }

    /// Also if they come last.
    #[test]
    fn the_pairs_that_waited_longest_are_kept() {
        let mut all = Sorted::new();
        let (mut waits, mut gone) = (0, 0);
        for number in 0..5 * limits::MAX_CONTENTION as u32 {
            let length = if number % 5000 == 4999 { 1000 + u64::from(number) } else { 1 + u64::from(number % 7) };
            if all.len() >= limits::MAX_CONTENTION {
                gone += forget_short_waits(&mut all);
            }
            let times = (Nanos(0), Nanos(length));
            all.insert((ThreadId(number), Waker(1)), Contention { count: 2, total: Nanos(length), longest: times });
            waits += 2;
        }
        let heavy: Vec<u32> = all.iter().filter(|(_, of)| of.total.0 > 7).map(|((thread, _), _)| thread.0).collect();
        assert_eq!(heavy, [4999, 9999, 14_999, 19_999]);
        assert_eq!(all.values().map(|of| of.count).sum::<u64>() + gone, waits);
    }

    #[test]
    fn the_longest_waits_are_kept() {
        let mut waits = Vec::new();
        for length in (0..1000u64).map(|at| at * 7919 % 1000) {
            let wait = Wait {
                thread: ThreadId(1),
                from: Nanos(0),
                to: Nanos(length),
                reason: StopReason::BlockedOnMVar,
                owner: Waker(0),
                by: Waker(0),
            };
            keep_longest(&mut waits, wait);
        }
        let lengths: Vec<u64> = waits.iter().map(|wait| wait.length().0).collect();
        assert_eq!(lengths, (1000 - limits::MAX_WAITS as u64..1000).rev().collect::<Vec<_>>());
    }
}
