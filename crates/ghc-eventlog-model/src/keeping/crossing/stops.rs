//! Who stopped last before each collection (STATISTICS, "Who stopped last"): while a collection is requested and does not begin, all
//! others wait for that capability.
//!
//! ```text
//! cap 0   1111111 REQUEST               GC_START … GC_GLOBAL_SYNC
//! cap 1   2222222222222222222222222222                             thread 2 stopped last
//! cap 2   33333333333)                                             it stopped earlier
//! cap 3                  4444444444)                               likewise
//! cap 4   555555555 (events are lost)                              nothing is known of it
//! ```
//!
//! Most of the capabilities ran a thread when the collection was requested, but some begin afterwards, as capability 3 here: GHC lets one
//! that has just helped with a collection run a thread, even if the next one is requested. In a program whose threads stay in
//! `unsafe` foreign calls, nearly all long waits were seen to be for such a run. It is marked.
//!
//! Where the operating system takes the core from a capability that runs no thread, that one is late, and no thread is to blame. It may
//! be the one that has requested the collection, or one that has not come back from the collection before:
//!
//! ```text
//! cap 0   1111)REQUEST                  GC_START     it comes long after the last of the others: it is named
//! cap 1   22222222)GC_START
//!
//! cap 0   1111)REQUEST                  GC_START
//! cap 1   GC_DONE           GC_END GC_START          it was in the collection before: it is named
//! ```

use crate::{
    keeping::{
        collections::Collections,
        sorted::{self, Sorted},
    },
    limits,
    sorting::by_most,
    terms::{
        op::{GcStep, Occupied, Op, What},
        span::{Collection, Moment},
    },
};
use alloc::vec::Vec;
use ghc_eventlog::{CapNo, Nanos, ThreadId};

/// The capability that stopped last before a collection, and the thread that ran there; 0 if it was not for a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LastStop {
    /// How long after the request. Stored as a moment, so that [`Option`] takes no extra room.
    after: Moment,
    pub(crate) thread: ThreadId,
    pub(crate) cap: CapNo,
    pub(crate) why: LateFor,
}

/// Why a capability was the last one that a collection waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum LateFor {
    /// A thread ran on, which had begun before the request.
    RanOn,
    /// A thread ran, which had begun after the request.
    BeganLater,
    /// It took part in the collection before, and was not back from that.
    NotBack,
    /// It ran no thread, but came late: its OS thread was not run.
    NotRun,
}

impl LateFor {
    /// Whether it was for a Haskell thread, and not for the operating system.
    pub(crate) fn is_thread(self) -> bool {
        matches!(self, Self::RanOn | Self::BeganLater)
    }

    /// In words.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::RanOn => "its thread ran on",
            Self::BeganLater => "its thread began to run after the request",
            Self::NotBack => "it was not back from the collection before",
            Self::NotRun => "its OS thread did not run",
        }
    }
}

impl LastStop {
    /// How long after the request it stopped.
    pub(crate) fn after(self) -> Nanos {
        self.after.time()
    }
}

/// How often a thread on a capability stopped last, and how long after the requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct StoppedLast {
    pub(crate) count: u64,
    pub(crate) total: Nanos,
    pub(crate) longest: Nanos,
    /// When the collection was requested for which it took longest.
    pub(crate) longest_at: Nanos,
}

impl StoppedLast {
    /// For one collection, requested at a time.
    pub(crate) fn once(stop: LastStop, requested: Nanos) -> Self {
        Self { count: 1, total: stop.after(), longest: stop.after(), longest_at: requested }
    }

    pub(crate) fn add(&mut self, more: Self) {
        self.count += more.count;
        self.total = self.total.plus(more.total);
        if more.longest > self.longest {
            (self.longest, self.longest_at) = (more.longest, more.longest_at);
        }
    }
}

/// A capability and a thread that stopped last; and for those without a thread, why they came late.
pub(crate) type Stopper = (CapNo, ThreadId, LateFor);

/// What is known of each of them.
pub(crate) type LastToStop = Sorted<Stopper, StoppedLast>;

/// When a thread began to run does not part those who stopped.
fn stopper(stop: LastStop) -> Stopper {
    (stop.cap, stop.thread, if stop.why.is_thread() { LateFor::RanOn } else { stop.why })
}

/// Adds who stopped last before a collection that was requested at a time.
pub(crate) fn add_stop(all: &mut LastToStop, stop: LastStop, requested: Nanos) {
    let once = StoppedLast::once(stop, requested);
    match all.get_mut(&stopper(stop)) {
        Some(before) => before.add(once),
        None => _ = all.insert(stopper(stop), once),
    }
}

/// A requested collection that is not over.
#[derive(Debug, Clone, Copy)]
struct Pending {
    cap: CapNo,
    requested: Nanos,
    begun: Option<Nanos>,
    /// Whether all capabilities have stopped: no later stop counts.
    synced: bool,
    last: Option<LastStop>,
    /// The last other capability of which something is heard before it begins: when, and whether it was in another collection.
    heard: Option<Heard>,
}

/// Another capability gets ready for a collection.
#[derive(Debug, Clone, Copy)]
struct Heard {
    cap: CapNo,
    at: Nanos,
    was_collecting: bool,
}

impl Pending {
    /// Who is late, if it is none whose thread ran on: most of the wait is left when all threads have stopped.
    fn late_without_thread(&self, begun: Nanos) -> Option<LastStop> {
        let stopped = self.last.map_or(self.requested, |last| self.requested.plus(last.after()));
        let heard = self.heard.filter(|heard| heard.at > stopped);
        let ready = heard.map_or(stopped, |heard| heard.at);
        let is_most = |time: Nanos| time > limits::LATE_FOR_COLLECTION && time.0 > begun.since(self.requested).0 / 2;
        let (cap, at, why) = if is_most(begun.since(ready)) {
            (self.cap, begun, LateFor::NotRun)
        } else {
            let heard = heard.filter(|heard| is_most(heard.at.since(stopped)))?;
            (heard.cap, heard.at, if heard.was_collecting { LateFor::NotBack } else { LateFor::NotRun })
        };
        Some(LastStop { after: Moment::at(at.since(self.requested))?, thread: ThreadId(0), cap, why })
    }
}

/// What a capability does at a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CapDoes {
    /// Nothing that matters here.
    Nothing,
    /// Events are lost.
    NotKnown,
    /// It takes part in a collection.
    Collects,
    /// It runs a thread since a time.
    Runs(ThreadId, Nanos),
}

/// Who stopped last before each collection, as far as the log has been replayed.
#[derive(Debug, Default)]
pub(crate) struct AllStops {
    /// By the collections' rows; shorter if nothing is known of the last ones.
    by_row: Vec<Option<LastStop>>,
    /// Of all collections, whatever rows are kept.
    pub(crate) all: LastToStop,
    /// How many entries of `all` were dropped, because there was no room.
    pub(crate) dropped: u64,
    /// What each capability does, by its number.
    caps: Vec<CapDoes>,
    /// In order of their requests: one for each capability at most. GHC has only one at a time.
    pending: Vec<Pending>,
}

impl AllStops {
    /// Applies an event. To be called in order of time.
    #[inline]
    pub(crate) fn step(&mut self, op: &Op, collections: &Collections) {
        match op.what {
            What::Run => _ = self.turn(op, CapDoes::Runs(op.thread, op.time)),
            What::Stop(..) => {
                if let CapDoes::Runs(thread, since) = self.turn(op, CapDoes::Nothing)
                    && thread == op.thread
                    && !self.pending.is_empty()
                {
                    self.stopped(op, since);
                }
            }
            // When it stopped is not known.
            What::StopMissing | What::LoseSight | What::Unlogged | What::ProcessOver => {
                _ = self.turn(op, CapDoes::Nothing);
            }
            What::Gc(step) => self.follow(op, step, collections),
            What::Create | What::Wake(_) | What::Migrate(_) | What::Unseen | What::Mark(_) | What::Spark => {}
            What::Occupied(Occupied::NotKnown) => _ = self.turn(op, CapDoes::NotKnown),
            What::Vacant => self.hear(op, CapDoes::Nothing),
            What::Occupied(_) => self.hear(op, CapDoes::Collects),
        }
    }

    /// A capability does something else from now on; what it did before.
    #[inline]
    fn turn(&mut self, op: &Op, does: CapDoes) -> CapDoes {
        let cap = usize::from(op.cap.0);
        if cap >= self.caps.len() {
            if does == CapDoes::Nothing {
                return does;
            }
            self.caps.resize(cap + 1, CapDoes::Nothing);
        }
        self.caps.get_mut(cap).map_or(CapDoes::Nothing, |before| core::mem::replace(before, does))
    }

    /// A capability begins or ends to take part in a collection.
    fn hear(&mut self, op: &Op, does: CapDoes) {
        let before = self.turn(op, does);
        // What it did in the meantime is not known, or this says nothing of collections.
        if before == CapDoes::NotKnown || before != CapDoes::Collects && does != CapDoes::Collects {
            return;
        }
        let others = |pending: &&mut Pending| pending.cap != op.cap && pending.begun.is_none();
        for pending in self.pending.iter_mut().filter(others) {
            let was_collecting = before == CapDoes::Collects
                || pending.heard.is_some_and(|heard| heard.cap == op.cap && heard.was_collecting);
            pending.heard = Some(Heard { cap: op.cap, at: op.time, was_collecting });
        }
    }

    /// A run ended that had begun at `since`.
    fn stopped(&mut self, op: &Op, since: Nanos) {
        for pending in self.pending.iter_mut().filter(|pending| !pending.synced) {
            let why = if since > pending.requested { LateFor::BeganLater } else { LateFor::RanOn };
            let after = Moment::at(op.time.since(pending.requested));
            pending.last = after.map(|after| LastStop { after, thread: op.thread, cap: op.cap, why });
        }
    }

    fn follow(&mut self, op: &Op, step: GcStep, collections: &Collections) {
        let place = self.pending.iter().position(|pending| pending.cap == op.cap);
        let pending = place.and_then(|place| self.pending.get_mut(place));
        match (step, pending) {
            (GcStep::Requested, _) => {
                // Nothing came of its last request.
                place.map(|place| self.pending.remove(place));
                if self.pending.len() >= limits::MAX_PENDING_COLLECTIONS {
                    self.pending.remove(0);
                }
                let requested = op.time;
                self.pending.push(Pending {
                    cap: op.cap,
                    requested,
                    begun: None,
                    synced: false,
                    last: None,
                    heard: None,
                });
            }
            (GcStep::Begun, Some(pending)) => pending.begun = Some(op.time),
            (GcStep::Synced, Some(pending)) => pending.synced = true,
            (GcStep::Over(_), Some(_)) => {
                if let Some(pending) = place.map(|place| self.pending.remove(place)) {
                    self.over(pending, collections);
                }
            }
            (GcStep::Begun | GcStep::Synced | GcStep::Over(_), None) => {}
        }
    }

    fn over(&mut self, pending: Pending, collections: &Collections) {
        let Pending { cap, requested, begun: Some(begun), synced: true, .. } = pending else { return };
        let Some(last) = pending.late_without_thread(begun).or(pending.last) else { return };
        let row = place_of(collections, cap, requested, begun);
        if let Some(row) = row {
            if row >= self.by_row.len() {
                self.by_row.resize(row + 1, None);
            }
            if let Some(kept) = self.by_row.get_mut(row) {
                *kept = Some(last);
            }
        } else if !collections.is_capped() {
            // All rows are kept, so times are false: it is not known what was requested.
            return;
        }
        if self.all.len() >= limits::MAX_LAST_STOPS && self.all.get(&stopper(last)).is_none() {
            self.make_room();
        }
        add_stop(&mut self.all, last, requested);
    }

    /// Keeps the half for which was waited longest.
    #[cold]
    fn make_room(&mut self) {
        let all = core::mem::take(&mut self.all);
        let total = |place: u32| all.values().nth(place as usize).map_or(0, |stopped| stopped.total.0);
        for place in by_most(all.len(), total).into_iter().take(limits::MAX_LAST_STOPS / 2) {
            if let Some((key, stopped)) = all.get_indexed(place as usize) {
                self.all.insert(*key, *stopped);
            }
        }
        self.dropped += (all.len() - self.all.len()) as u64;
    }

    /// Who stopped last before the collection of a row; `None` if that is not known.
    pub(crate) fn before(&self, collections: &Collections, gc: &Collection) -> Option<LastStop> {
        let cap = gc.cap.unwrap_or(CapNo::GLOBAL);
        let row = place_of(collections, cap, gc.requested?.time(), gc.start)?;
        self.by_row.get(row).copied().flatten()
    }

    pub(crate) fn bytes_held(&self) -> usize {
        self.by_row.capacity() * size_of::<Option<LastStop>>()
            + sorted::bytes_held(&self.all)
            + self.caps.capacity() * size_of::<CapDoes>()
            + self.pending.capacity() * size_of::<Pending>()
    }
}

/// The row of a collection.
fn place_of(collections: &Collections, cap: CapNo, requested: Nanos, start: Nanos) -> Option<usize> {
    let rows = collections.rows();
    let first = rows.partition_point(|row| row.start < start);
    let same = rows.get(first..)?.iter().take_while(|row| row.start == start);
    let is_it = |row: &Collection| row.cap.unwrap_or(CapNo::GLOBAL) == cap && row.requested == Moment::at(requested);
    same.into_iter().position(is_it).map(|place| first + place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn if_there_is_no_room_those_are_kept_for_which_was_waited_longest() {
        let most = limits::MAX_LAST_STOPS as u32;
        let mut stops = AllStops::default();
        for thread in 0..most {
            // In no order.
            let after = u64::from(thread.wrapping_mul(7919) % most);
            let after = Moment::at(Nanos(after)).unwrap();
            let stop = LastStop { after, thread: ThreadId(thread), cap: CapNo(0), why: LateFor::RanOn };
            add_stop(&mut stops.all, stop, Nanos(0));
        }
        stops.make_room();
        let mut kept: Vec<u64> = stops.all.values().map(|stopped| stopped.total.0).collect();
        kept.sort_unstable();
        assert_eq!(kept, (u64::from(most) / 2..u64::from(most)).collect::<Vec<_>>());
        assert_eq!(stops.dropped, u64::from(most) / 2);
    }
}
