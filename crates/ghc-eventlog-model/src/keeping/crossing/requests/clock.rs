//! Clocks of threads: how long each has been in each state, for those with open instances.

use super::{Surroundings, allocation::AllocationPiece};
use crate::{
    keeping::{
        crossing::{
            cells::{REASONS, place_of},
            doing::{Doing, Now},
        },
        sorted::{self, Sorted},
    },
    limits,
    sorting::sort_by_number,
    terms::op::{Op, What},
};
use alloc::vec::Vec;
use ghc_eventlog::{CapNo, Nanos, ThreadId};

/// The parts of an instance's time. [`BLOCKED`] is the first reason of [`REASONS`]; the others follow.
pub(crate) const RUNNING: usize = 0;
/// The program stood still for a collection, whatever the thread was doing.
pub(crate) const COLLECTING: usize = 1;
pub(crate) const RUNNABLE: usize = 2;
pub(crate) const FOREIGN: usize = 3;
pub(crate) const NOT_KNOWN: usize = 4;
pub(crate) const BLOCKED: usize = 5;
/// How many parts there are.
pub(crate) const PARTS: usize = BLOCKED + REASONS.len();

/// Times by part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Parts(pub(crate) [Nanos; PARTS]);

impl Parts {
    /// The parts of an instance that belongs to no thread.
    pub(super) fn unseen(length: Nanos, paused: Nanos) -> Self {
        let mut parts = Self::default();
        parts.add(COLLECTING, paused);
        parts.add(NOT_KNOWN, length.since(paused));
        parts
    }

    pub(crate) fn get(&self, part: usize) -> Nanos {
        self.0.get(part).copied().unwrap_or_default()
    }

    fn add(&mut self, part: usize, time: Nanos) {
        if let Some(sum) = self.0.get_mut(part) {
            *sum = sum.plus(time);
        }
    }

    /// What has been added since.
    fn since(&self, before: &Self) -> Self {
        let mut parts = *self;
        parts.0.iter_mut().zip(before.0).for_each(|(sum, before)| *sum = sum.since(before));
        parts
    }
}

/// The part that a state belongs to.
fn part_of(now: &Now) -> usize {
    match now.doing {
        Doing::Running => RUNNING,
        Doing::Runnable => RUNNABLE,
        Doing::Foreign => FOREIGN,
        Doing::NotKnown | Doing::Gone => NOT_KNOWN,
        Doing::Blocked => {
            let reason = place_of(now.reason);
            BLOCKED + reason.unwrap_or(REASONS.len() - 1)
        }
    }
}

/// How long a thread has been in each state, while it has open instances.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PartClock {
    /// How many instances of the thread are open.
    open: u32,
    /// Its time is counted up to here.
    told: Nanos,
    /// The time of collections up to then.
    paused: Nanos,
    parts: Parts,
}

impl PartClock {
    /// One that begins at a time, up to which collections took `paused`.
    pub(crate) fn at(time: Nanos, paused: Nanos) -> Self {
        Self { open: 0, told: time, paused, parts: Parts::default() }
    }

    /// Counts the time up to now for the state that the thread was in; `paused` is the total time of collections.
    pub(crate) fn spend(&mut self, before: &Now, time: Nanos, paused: Nanos) {
        // Where clocks go back, what was counted stays.
        if time <= self.told {
            return;
        }
        let spent = time.since(self.told);
        let collecting = paused.since(self.paused).min(spent);
        self.parts.add(COLLECTING, collecting);
        self.parts.add(part_of(before), spent.since(collecting));
        (self.told, self.paused) = (time, paused);
    }

    /// One more instance is open. Returns what to compare with when it ends.
    pub(crate) fn open(&mut self, now: &Now, time: Nanos, paused: Nanos) -> Parts {
        self.spend(now, time, paused);
        self.open += 1;
        self.parts
    }

    /// One instance less is open. Returns whether none is.
    pub(crate) fn close(&mut self) -> bool {
        self.open = self.open.saturating_sub(1);
        self.open == 0
    }

    /// The time by part since an earlier reading.
    pub(crate) fn since(&self, before: &Parts) -> Parts {
        self.parts.since(before)
    }
}

/// The clock of a thread.
#[derive(Debug, Clone)]
pub(crate) struct Clock {
    time: PartClock,
    /// How often it ran on another capability than before.
    pub(super) moves: u32,
    last_cap: Option<CapNo>,
    /// The capabilities that it ran on, each with the place of its last run there; and the number of runs.
    caps: Vec<(CapNo, u64)>,
    runs: u64,
    /// What it allocated, as far as its capabilities have told.
    pub(super) allocated: u64,
    /// How many of its pieces are of unknown amounts.
    pub(super) untold: u64,
    /// How long it ran on capabilities since they last told how much they allocated.
    pub(super) pieces: Vec<AllocationPiece>,
}

impl Clock {
    /// The time by part since an earlier reading.
    pub(super) fn since(&self, before: &Parts) -> Parts {
        self.time.since(before)
    }

    /// The capabilities that it ran on from a run on: the first ones, and whether there are more.
    pub(super) fn caps_since(&self, run: u64) -> (Vec<CapNo>, bool) {
        let its = || self.caps.iter().filter(|(_, last)| *last >= run).map(|(cap, _)| *cap);
        let mut caps: Vec<CapNo> = its().take(limits::MAX_REQUEST_CAPS).collect();
        sort_by_number(&mut caps, |cap| cap.0.into());
        (caps, its().count() > limits::MAX_REQUEST_CAPS)
    }

    fn runs_on(&mut self, cap: CapNo) {
        self.runs += 1;
        if self.last_cap.is_some_and(|last| last != cap) {
            self.moves = self.moves.saturating_add(1);
        }
        self.last_cap = Some(cap);
        let run = self.runs;
        // Of too many, those are forgotten on which it ran longest ago.
        if self.caps.len() >= limits::MAX_CLOCK_CAPS && !self.caps.iter().any(|(other, _)| *other == cap) {
            let oldest = self.caps.iter().zip(0..).min_by_key(|((_, last), _)| *last).map(|(_, place)| place);
            oldest.map(|place| self.caps.swap_remove(place));
        }
        match self.caps.iter_mut().find(|(other, _)| *other == cap) {
            Some((_, last)) => *last = run,
            None => self.caps.push((cap, run)),
        }
    }
}

/// Bytes of a clock.
#[cfg(test)]
pub(crate) const CLOCK_BYTES: usize = size_of::<(ThreadId, Clock)>()
    + limits::MAX_CLOCK_CAPS * (size_of::<(CapNo, u64)>() + size_of::<AllocationPiece>());

/// What a new instance keeps of its thread's clock.
pub(super) struct OpenedClock<'c> {
    pub(super) clock: Option<&'c Clock>,
    pub(super) reading: (Parts, u32, u64),
}

/// All threads' states, and the clocks of those with open instances.
#[derive(Debug, Default)]
pub(crate) struct Clocks {
    /// By the threads' places.
    now: Vec<Now>,
    clocks: Sorted<ThreadId, Clock>,
}

impl Clocks {
    /// Something happens to the thread at a place.
    pub(super) fn step(&mut self, place: usize, op: &Op, around: &Surroundings<'_>) {
        if place >= self.now.len() {
            self.now.resize(place + 1, Now::GONE);
        }
        let Some(now) = self.now.get_mut(place) else { return };
        let before = *now;
        now.step(op);
        let after = *now;
        if let Some(clock) = self.clocks.get_mut(&op.thread) {
            clock.time.spend(&before, op.time, around.paused(op.time));
            if matches!(op.what, What::Run) && after.doing == Doing::Running {
                clock.runs_on(op.cap);
            }
        }
    }

    /// Whether the thread at a place has finished.
    pub(super) fn is_over(&self, place: usize) -> bool {
        self.now.get(place).is_some_and(|now| now.doing == Doing::Gone && *now != Now::GONE)
    }

    /// One more instance of a thread is open.
    pub(super) fn open(
        &mut self,
        place: Option<usize>,
        thread: ThreadId,
        time: Nanos,
        around: &Surroundings<'_>,
    ) -> OpenedClock<'_> {
        // No thread has the number 0.
        if thread == ThreadId(0) {
            return OpenedClock { clock: None, reading: (Parts::default(), 0, 0) };
        }
        let now = self.now_of(place);
        if self.clocks.get(&thread).is_none() {
            let mut clock = Clock {
                time: PartClock::at(time, around.paused(time)),
                moves: 0,
                last_cap: None,
                caps: Vec::new(),
                runs: 0,
                allocated: 0,
                untold: 0,
                pieces: Vec::new(),
            };
            if now.doing == Doing::Running {
                clock.runs_on(now.cap);
            }
            self.clocks.insert(thread, clock);
        }
        let Some(clock) = self.clocks.get_mut(&thread) else {
            return OpenedClock { clock: None, reading: (Parts::default(), 0, 0) };
        };
        let parts = clock.time.open(&now, time, around.paused(time));
        let clock = &*clock;
        // The run in which it begins is one of its own.
        let run = clock.runs + u64::from(now.doing != Doing::Running);
        OpenedClock { clock: Some(clock), reading: (parts, clock.moves, run) }
    }

    /// The clock of a thread, set to a time.
    pub(super) fn read(
        &mut self,
        place: Option<usize>,
        thread: ThreadId,
        time: Nanos,
        around: &Surroundings<'_>,
    ) -> Option<&Clock> {
        let now = self.now_of(place);
        let clock = self.clocks.get_mut(&thread)?;
        clock.time.spend(&now, time, around.paused(time));
        Some(clock)
    }

    /// One instance of a thread less is open.
    pub(super) fn close(&mut self, thread: ThreadId) {
        let Some(clock) = self.clocks.get_mut(&thread) else { return };
        if clock.time.close() {
            self.clocks.remove(&thread);
        }
    }

    /// The capability that a thread with an open instance last ran on.
    pub(super) fn last_cap(&self, thread: ThreadId) -> Option<CapNo> {
        self.clocks.get(&thread)?.last_cap
    }

    /// The clock of a thread, as it is.
    pub(super) fn get_mut(&mut self, thread: ThreadId) -> Option<&mut Clock> {
        self.clocks.get_mut(&thread)
    }

    fn now_of(&self, place: Option<usize>) -> Now {
        place.and_then(|place| self.now.get(place)).copied().unwrap_or(Now::GONE)
    }

    pub(super) fn bytes_held(&self) -> usize {
        let own = |clock: &Clock| {
            clock.caps.capacity() * size_of::<(CapNo, u64)>() + clock.pieces.capacity() * size_of::<AllocationPiece>()
        };
        self.now.capacity() * size_of::<Now>()
            + sorted::bytes_held(&self.clocks)
            + self.clocks.values().map(own).sum::<usize>()
    }
}
