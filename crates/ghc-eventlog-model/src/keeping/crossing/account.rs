//! Where the capabilities' time went (STATISTICS, "The account"), as far as only the order of time tells: why they were idle.
//!
//! ```text
//! cap 0    |111111111111111|      oooooooooooo|2222222222222|
//! cap 1    |3333|....r.....|......oooooooooooo|......m......|
//! thread 3      |runnable on cap 1            |blocked on an MVar
//!                r: a thread is runnable that last ran there
//!                               ^ a collection is pending      m: every thread is blocked, most of them on an MVar
//! ```
//!
//! At any moment all idle capabilities have the same reason, but for those that threads wait for which last ran there. So a step in
//! time is a few additions, however many capabilities there are.
//!
//! The runtime's own threads, which wait for input, output and timers, do not count: every program has them.

mod lanes;

use crate::{
    keeping::{
        crossing::{
            cells::{REASONS, place_of},
            doing::{Doing, Now},
            low_use::{CapTime, LowUses, Use},
            stretches::{CapStretch, Gaps, goes_on},
        },
        rests::Rests,
        store::Store,
    },
    limits,
    terms::op::{GcStep, OCCUPATIONS, Occupied, Op, What},
};
use alloc::vec::Vec;
use ghc_eventlog::{CapNo, Nanos, ThreadId};
#[cfg(test)]
pub(crate) use lanes::LANE_BYTES;
use lanes::{AccountLane, Does};
pub(crate) use lanes::{Shift, ShiftTo};

/// The reasons for which a capability is idle, by number: the first that holds counts. A collection is pending.
pub(crate) const COLLECTION: usize = 0;
/// A thread is runnable that last ran there.
pub(crate) const RUNNABLE_HERE: usize = 1;
/// Threads are runnable, but they last ran elsewhere.
pub(crate) const RUNNABLE_ELSEWHERE: usize = 2;
/// The first of the reasons that all threads wait for: those of [`REASONS`], in their order.
pub(crate) const BLOCKED: usize = 3;
/// They are in foreign calls.
pub(crate) const FOREIGN: usize = BLOCKED + REASONS.len();
/// There is no other thread.
pub(crate) const NO_THREAD: usize = FOREIGN + 1;
/// It is not known what the threads do.
pub(crate) const NOT_KNOWN: usize = NO_THREAD + 1;
/// How many reasons there are.
pub(crate) const IDLE_REASONS: usize = NOT_KNOWN + 1;

/// The account of idle time, and of what else takes the order of time over all capabilities.
#[derive(Debug)]
pub(crate) struct IdleAccount {
    now: Nanos,
    /// In order of capabilities.
    lanes: Vec<AccountLane>,
    /// In order of time; those before `shifted` have happened.
    shifts: Vec<Shift>,
    shifted: usize,
    /// Which threads are the runtime's own: a bit for each place.
    own: Vec<u64>,
    running: u64,
    idle: u64,
    /// How many of these have a runnable thread of their own.
    idle_here: u64,
    existing: u64,
    /// How many take part in a collection, and of how many it is not known what they do.
    collecting: u64,
    not_known: u64,
    /// The time of all capabilities together, and when few of them ran.
    pub(crate) spent: CapTime,
    /// For how long they existed.
    existed: Nanos,
    pub(crate) low_use: LowUses,
    /// How many threads are runnable, and how many wait for each reason from [`BLOCKED`] on.
    runnable: u64,
    waiting: [u32; IDLE_REASONS - BLOCKED],
    /// The capabilities that have requested a collection.
    pending: Vec<CapNo>,
    /// The capability that collects, while a collection goes on; and when the last one was over.
    collects: Option<CapNo>,
    last_over: Option<Nanos>,
    quiet_since: Option<Nanos>,
    /// The last such time, until a collection comes after it.
    last_quiet: Option<(Nanos, Nanos)>,
    /// When any was, although threads could run.
    pub(crate) gaps: Gaps,
    /// The longest time in which any capability was idle for a reason.
    pub(crate) longest_idle: [CapStretch; IDLE_REASONS],
    open_idle: [CapStretch; IDLE_REASONS],
    /// The longest run.
    pub(crate) longest_run: CapStretch,
    /// The longest stretch of [`Occupied`], by its number.
    pub(crate) longest_else: [CapStretch; OCCUPATIONS],
    /// The time in which any capability ran a thread; in which several did; in which all did, and further threads were runnable.
    pub(crate) any_ran: Nanos,
    pub(crate) several_ran: Nanos,
    pub(crate) all_ran_and_more: Nanos,
    pub(crate) longest_and_more: CapStretch,
    open_and_more: CapStretch,
    /// The time that capabilities waited in a collection after that was over, and the longest such wait.
    pub(crate) late: Nanos,
    pub(crate) longest_late: CapStretch,
    /// When every capability was idle for long, and then a collection came; as if on stream 0.
    pub(crate) quiet: Rests,
    /// How many such times there were.
    pub(crate) quiet_count: u64,
}

impl IdleAccount {
    /// For capabilities, in order, each with its stream; when they come and go, in order of time; and places of the runtime's own threads
    /// as bits.
    pub(crate) fn new(caps: &[(CapNo, u32)], shifts: Vec<Shift>, own: Vec<u64>) -> Self {
        let lane = |&(cap, _): &(CapNo, u32)| {
            let (does, since) = (Does::Idle, Nanos(0));
            AccountLane { cap, does, since, exists: false, disabled: false, runnable: 0, off: Nanos(0) }
        };
        Self {
            now: Nanos(0),
            lanes: caps.iter().map(lane).collect(),
            shifts,
            shifted: 0,
            own,
            running: 0,
            idle: 0,
            idle_here: 0,
            existing: 0,
            collecting: 0,
            not_known: 0,
            spent: CapTime::default(),
            existed: Nanos(0),
            low_use: LowUses::default(),
            runnable: 0,
            waiting: [0; IDLE_REASONS - BLOCKED],
            pending: Vec::new(),
            collects: None,
            last_over: None,
            quiet_since: None,
            last_quiet: None,
            gaps: Gaps::default(),
            longest_idle: [CapStretch::NONE; IDLE_REASONS],
            open_idle: [CapStretch::NONE; IDLE_REASONS],
            longest_run: CapStretch::NONE,
            longest_else: [CapStretch::NONE; OCCUPATIONS],
            any_ran: Nanos(0),
            several_ran: Nanos(0),
            all_ran_and_more: Nanos(0),
            longest_and_more: CapStretch::NONE,
            open_and_more: CapStretch::NONE,
            late: Nanos(0),
            longest_late: CapStretch::NONE,
            quiet: Rests::longer_than(limits::QUIET, limits::MAX_QUIET),
            quiet_count: 0,
        }
    }

    /// Applies an event to the capability that it is on. To be called in order of time, before [`Self::thread`].
    #[inline(never)]
    pub(crate) fn step(&mut self, op: &Op) {
        self.go_to(op.time);
        self.follow(op);
    }

    /// The same once its time has come, as a part of the loop over all events.
    #[inline(always)]
    pub(crate) fn follow(&mut self, op: &Op) {
        let (does, only) = match op.what {
            What::Run => {
                if !self.pending.is_empty() || self.collects.is_some() {
                    self.runs_again(op.cap);
                }
                (Does::Run(op.thread), None)
            }
            What::Stop(..) | What::StopMissing | What::LoseSight => (Does::Idle, Some(Does::Run(op.thread))),
            What::Occupied(what) => (Does::Else(what), None),
            What::Vacant => (Does::Idle, None),
            What::Gc(step) => return self.collect(op.cap, step),
            // These are about threads only, or happen where lanes are not known.
            What::Create
            | What::Wake(_)
            | What::Migrate(_)
            | What::Unseen
            | What::Mark(_)
            | What::Spark
            | What::Unlogged
            | What::ProcessOver => return,
        };
        self.turn(op.cap, (only, does));
    }

    /// A capability runs a thread: what it requested, or collected, is over. What says so may be lost.
    #[cold]
    fn runs_again(&mut self, on: CapNo) {
        self.pending.retain(|cap| *cap != on);
        self.collects = self.collects.filter(|cap| *cap != on);
    }

    /// A thread at a place has another state.
    #[inline]
    pub(crate) fn thread(&mut self, place: usize, before: &Now, after: &Now) {
        let bits = self.own.get(place / 64).copied().unwrap_or_default();
        if bits >> (place % 64) & 1 == 0
            && (before.doing, before.reason, before.cap) != (after.doing, after.reason, after.cap)
        {
            self.count(before, false);
            self.count(after, true);
        }
    }

    #[inline]
    fn count(&mut self, now: &Now, comes: bool) {
        let by = if comes { 1 } else { u32::MAX };
        let reason = match now.doing {
            Doing::Running | Doing::Gone => return,
            Doing::Runnable => {
                self.runnable = self.runnable.wrapping_add(if comes { 1 } else { u64::MAX });
                if let Some(lane) = self.lane(now.cap) {
                    let was = lane.is_idle() && lane.runnable > 0;
                    lane.runnable = lane.runnable.wrapping_add(by);
                    let is = lane.is_idle() && lane.runnable > 0;
                    self.idle_here = self.idle_here + u64::from(is) - u64::from(was);
                }
                return;
            }
            Doing::Blocked => BLOCKED + place_of(now.reason).unwrap_or(REASONS.len() - 1),
            Doing::Foreign => FOREIGN,
            Doing::NotKnown => NOT_KNOWN,
        };
        if let Some(waiting) = self.waiting.get_mut(reason - BLOCKED) {
            *waiting = waiting.wrapping_add(by);
        }
    }

    /// A collection is requested, goes on, or is over.
    fn collect(&mut self, cap: CapNo, step: GcStep) {
        if matches!(step, GcStep::Requested | GcStep::Begun) {
            self.end_quiet();
        }
        match step {
            GcStep::Requested if self.pending.contains(&cap) => {}
            GcStep::Requested => {
                if self.pending.len() >= limits::MAX_PENDING_COLLECTIONS {
                    self.pending.remove(0);
                }
                self.pending.push(cap);
            }
            GcStep::Begun => self.collects = Some(cap),
            // The world is stopped up to the end: what says so is written then, too. Whatever others had requested is done.
            GcStep::Synced => {}
            GcStep::Over(_) => {
                self.pending.clear();
                (self.collects, self.last_over) = (None, Some(self.now));
            }
        }
    }

    /// A collection is requested, or begins: keeps the time before it in which all were idle, if that was long.
    fn end_quiet(&mut self) {
        let now = self.now;
        let last = self.last_quiet.take().filter(|(_, to)| now.since(*to) <= limits::QUIET_BEFORE);
        let open = self.quiet_since.filter(|since| now.since(*since) >= limits::QUIET).map(|since| (since, now));
        if let Some((from, to)) = open.or(last) {
            self.quiet.add(0, from, to);
            self.quiet_count += 1;
            // That of one collection is not that of the next.
            self.quiet_since = self.quiet_since.map(|_| now);
        }
    }

    /// The capability whose collection is pending, or goes on: of several that have asked for one, the first.
    pub(crate) fn requester(&self) -> Option<CapNo> {
        self.collects.or(self.pending.first().copied())
    }

    #[inline(always)]
    fn lane(&mut self, cap: CapNo) -> Option<&mut AccountLane> {
        // Nearly always the numbers are the places.
        let place = usize::from(cap.0);
        let is_there = self.lanes.get(place).is_some_and(|lane| lane.cap == cap);
        let place = if is_there { place } else { self.search(cap)? };
        self.lanes.get_mut(place)
    }

    #[cold]
    fn search(&self, cap: CapNo) -> Option<usize> {
        self.lanes.binary_search_by_key(&cap, |lane| lane.cap).ok()
    }

    /// A capability does something else from now on; perhaps only if it does a certain thing so far.
    #[inline(always)]
    fn turn(&mut self, cap: CapNo, (only, does): (Option<Does>, Does)) {
        let now = self.now;
        let Some(lane) = self.lane(cap) else { return };
        if lane.does == does || only.is_some_and(|only| lane.does != only) {
            return;
        }
        if lane.disabled {
            return self.turn_disabled(cap, does);
        }
        let (since, before) = (lane.since, lane.does);
        (lane.since, lane.does) = (now, does);
        if !lane.counts() {
            return;
        }
        // Single fields, not the lane: copying it takes longer than the rest.
        let has_runnable = lane.runnable > 0;
        self.was(before, CapStretch { from: since, to: now, cap, thread: ThreadId(0) });
        self.tally(does, has_runnable, 1);
        self.tally(before, has_runnable, u64::MAX);
        self.changed();
    }

    /// The same for one that is disabled, and counts as long as it does something.
    #[cold]
    fn turn_disabled(&mut self, cap: CapNo, does: Does) {
        let now = self.now;
        let Some(lane) = self.lane(cap) else { return };
        let before = *lane;
        lane.count_off(now);
        (lane.since, lane.does) = (now, does);
        let after = *lane;
        self.count_lane(&before, &after, before.counts());
    }

    /// Counts what has changed of a capability. `is_over`: what it did is over.
    fn count_lane(&mut self, before: &AccountLane, after: &AccountLane, is_over: bool) {
        if is_over {
            let stretch = CapStretch { from: before.since, to: self.now, cap: before.cap, thread: ThreadId(0) };
            self.was(before.does, stretch);
        }
        for (lane, by) in [(after, 1), (before, u64::MAX)] {
            if lane.counts() {
                self.existing = self.existing.wrapping_add(by);
                self.tally(lane.does, lane.runnable > 0, by);
            }
        }
        self.changed();
    }

    /// For how long a capability was disabled and did nothing, up to the end of the log.
    pub(crate) fn off(&self, cap: CapNo) -> Nanos {
        self.lanes.get(self.search(cap).unwrap_or(usize::MAX)).map_or(Nanos(0), |lane| lane.off)
    }

    /// Changes whether a capability exists and may be used, and what is counted of all of them.
    #[cold]
    fn shift(&mut self, Shift { cap, to, .. }: Shift) {
        let now = self.now;
        let Some(lane) = self.lane(cap) else { return };
        let before = *lane;
        lane.count_off(now);
        match to {
            ShiftTo::Exists => lane.exists = true,
            ShiftTo::Disabled => lane.disabled = true,
            ShiftTo::Enabled => lane.disabled = false,
            ShiftTo::Gone => lane.exists = false,
        }
        if lane.exists != before.exists {
            lane.since = now;
        }
        let after = *lane;
        self.count_lane(&before, &after, after.since == now && before.counts());
    }

    /// What is counted of all capabilities has changed.
    #[inline]
    fn changed(&mut self) {
        let now = self.now;
        let used = Use { running: self.spent.running, all: self.existed };
        self.low_use.turn((self.running, self.existing), now, used, &self.spent);
        match self.quiet_since {
            None if self.is_quiet() => self.quiet_since = Some(now),
            Some(since) if !self.is_quiet() => {
                self.last_quiet = (now.since(since) >= limits::QUIET).then_some((since, now));
                self.quiet_since = None;
            }
            _ => {}
        }
    }

    /// Counts what a capability does, which exists and may be used: once more by adding 1, once less by adding the largest number.
    #[inline]
    fn tally(&mut self, does: Does, has_runnable: bool, by: u64) {
        let count = match does {
            Does::Run(_) => &mut self.running,
            Does::Else(Occupied::NotKnown) => &mut self.not_known,
            Does::Else(_) => &mut self.collecting,
            Does::Idle => {
                if has_runnable {
                    self.idle_here = self.idle_here.wrapping_add(by);
                }
                &mut self.idle
            }
        };
        *count = count.wrapping_add(by);
    }

    fn is_quiet(&self) -> bool {
        self.existing > 0 && self.idle == self.existing
    }

    /// What a capability did is over.
    #[inline(always)]
    fn was(&mut self, did: Does, stretch: CapStretch) {
        match did {
            Does::Idle => {}
            Does::Run(thread) => self.longest_run.make_longest(CapStretch { thread, ..stretch }),
            Does::Else(what) => {
                if let Some(longest) = self.longest_else.get_mut(what as usize) {
                    longest.make_longest(stretch);
                }
                let over = self.last_over.filter(|_| what == Occupied::Waiting && self.collects.is_none());
                if let Some(over) = over {
                    let late = CapStretch { from: over.max(stretch.from), ..stretch };
                    self.late = self.late.plus(late.length());
                    self.longest_late.make_longest(late);
                }
            }
        }
    }

    /// Time passes.
    #[inline(never)]
    pub(crate) fn go_to(&mut self, time: Nanos) {
        self.pass_until(time);
    }

    /// The same as a part of the loop over all events.
    #[inline(always)]
    pub(crate) fn pass_until(&mut self, time: Nanos) {
        loop {
            let shift = self.shifts.get(self.shifted).copied().filter(|shift| shift.time <= time);
            self.spend(shift.map_or(time, |shift| shift.time));
            let Some(shift) = shift else { break };
            self.shifted += 1;
            self.shift(shift);
        }
    }

    #[inline(always)]
    fn spend(&mut self, to: Nanos) {
        let from = self.now;
        if to <= from {
            return;
        }
        self.now = to;
        let time = to.since(from);
        let add = |sum: &mut Nanos, caps: u64| *sum = sum.plus(times(time, caps));
        add(&mut self.existed, self.existing);
        add(&mut self.spent.running, self.running);
        add(&mut self.spent.collecting, self.collecting);
        add(&mut self.spent.not_known, self.not_known);
        if self.idle > 0 {
            if self.pending.is_empty() && self.collects.is_none() {
                self.idled(RUNNABLE_HERE, self.idle_here, from);
                let others = self.idle - self.idle_here;
                if self.runnable > 0 {
                    self.gaps.go_on(from, to);
                }
                if others > 0 {
                    self.idled(self.reason(), others, from);
                }
            } else {
                self.idled(COLLECTION, self.idle, from);
            }
        }
        if self.running > 0 {
            self.any_ran = self.any_ran.plus(time);
            if self.running > 1 {
                self.several_ran = self.several_ran.plus(time);
            }
            if self.running == self.existing && self.runnable > 0 {
                self.all_ran_and_more = self.all_ran_and_more.plus(time);
                goes_on(&mut self.open_and_more, &mut self.longest_and_more, from, to);
            }
        }
    }

    /// Why a capability is idle for which no thread waits.
    fn reason(&self) -> usize {
        if self.runnable > 0 {
            return RUNNABLE_ELSEWHERE;
        }
        let of = |reason: usize| self.waiting.get(reason - BLOCKED).copied().unwrap_or_default();
        let most = (BLOCKED..=FOREIGN).fold(BLOCKED, |most, reason| if of(reason) > of(most) { reason } else { most });
        match of(most) {
            0 if of(NOT_KNOWN) > 0 => NOT_KNOWN,
            0 => NO_THREAD,
            _ => most,
        }
    }

    /// How long capabilities have been idle up to now while threads were blocked.
    #[inline]
    pub(crate) fn idle_while_blocked(&self) -> Nanos {
        let blocked = self.spent.idle.get(BLOCKED..FOREIGN).unwrap_or_default();
        blocked.iter().fold(Nanos(0), |sum, time| sum.plus(*time))
    }

    /// Some capabilities were idle for a reason from a time until now.
    fn idled(&mut self, reason: usize, caps: u64, from: Nanos) {
        if caps == 0 {
            return;
        }
        let (to, time) = (self.now, self.now.since(from));
        if let Some(sum) = self.spent.idle.get_mut(reason) {
            *sum = sum.plus(times(time, caps));
        }
        if let (Some(open), Some(longest)) = (self.open_idle.get_mut(reason), self.longest_idle.get_mut(reason)) {
            goes_on(open, longest, from, to);
        }
    }

    /// The log is over, and all of its capabilities are gone.
    pub(crate) fn finish(&mut self, end: Nanos) {
        self.go_to(Nanos::MAX);
        self.gaps.finish();
        self.low_use.finish(end, &self.spent);
    }

    pub(crate) fn bytes_held(&self) -> usize {
        self.lanes.capacity() * size_of::<AccountLane>()
            + self.shifts.capacity() * size_of::<Shift>()
            + self.own.capacity() * size_of::<u64>()
            + self.pending.capacity() * size_of::<CapNo>()
            + self.quiet.bytes_held()
            + self.low_use.bytes_held()
    }
}

/// The time of some capabilities together, at most the largest one. In wasm, a function finds out whether a product is too large. It is
/// not called where both numbers are small.
#[inline(always)]
fn times(time: Nanos, caps: u64) -> Nanos {
    let is_small = (time.0 | caps) >> u32::BITS == 0;
    if is_small { Nanos(time.0.wrapping_mul(caps)) } else { long_times(time, caps) }
}

#[cold]
fn long_times(time: Nanos, caps: u64) -> Nanos {
    Nanos(time.0.saturating_mul(caps))
}
