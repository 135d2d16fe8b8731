//! The instances of one label of user spans ("requests"), or of a family of labels, and what the thread of each did meanwhile.
//!
//! ```text
//! thread 7    runs on 0    blocked on an MVar    (collection)    runs on 1
//! START a |----------------------------------------------------------------| STOP a
//! START b         |------|                                   STOP b within it
//! the instance of a:  running 25, blocked on MVar 22, collecting 12, runnable 4; moved once; 8 of it in b
//! ```
//!
//! Each thread with an open instance has a clock: running totals of the time in each state. An instance is the difference
//! between two readings of it, so an event costs the same however many instances are open. Only the longest instances are
//! kept, with sums of the others by their length; whatever else is asked for is asked for anew.

mod allocation;
mod clock;
mod nested;
mod sums;

use super::{
    breaks::Break,
    label_set::LabelSet,
    marks::{Mark, MarkKind},
    pairing::{Opened, Owner, SpanKey, key_of, search},
    pauses::{Pauses, without_row},
    repeats::Repeats,
};
use crate::{
    keeping::{bins::Bins, collections::Collections, messages::OTHERS, quantiles::Quantiles, threads::Threads},
    limits,
    sorting::sort_by_key,
    terms::{
        messages::NO_NUMBER,
        op::{Op, What},
    },
};
use alloc::vec::Vec;
use allocation::{AllocationShares, Due};
use clock::Clocks;
pub(crate) use clock::{BLOCKED, COLLECTING, FOREIGN, NOT_KNOWN, PARTS, PartClock, Parts, RUNNABLE, RUNNING};
use core::cmp::Reverse;
use ghc_eventlog::{CapNo, Nanos, ThreadId};
use ghc_eventlog_text::LogText;
pub(crate) use nested::{Nested, NestedTime};
pub(crate) use sums::PartSums;
use sums::SumsByLength;

/// Which instances are asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Wanted {
    /// Their label, or those of their family.
    of: LabelSet,
    /// How many of these there are.
    pub(crate) labels: usize,
    /// Whether these are all labels that are called so. If not, there was no room for the others.
    pub(crate) are_all: bool,
    /// What the label or the family is called.
    pub(crate) name: LogText<'static>,
    /// They begin from this time on, and before the other one.
    pub(crate) from: Nanos,
    pub(crate) to: Nanos,
    /// Those that are kept take at least this long, and less than the other one. All are counted.
    pub(crate) least: Nanos,
    pub(crate) most: Nanos,
}

impl Wanted {
    /// Those with these labels that begin between two times; of these, those between two lengths are kept. `are_all` says whether no other
    /// labels are called so.
    pub(crate) fn of(
        (labels, are_all): (&[u16], bool),
        name: LogText<'static>,
        (from, to): (Nanos, Nanos),
        (least, most): (Nanos, Nanos),
    ) -> Self {
        Self { of: LabelSet::of(labels), labels: labels.len(), are_all, name, from, to, least, most }
    }

    /// Whether one of them stands for labels that are not told apart.
    pub(crate) fn has_others(&self) -> bool {
        (OTHERS..=OTHERS + limits::MAX_SPAN_FAMILIES as u16).any(|label| self.of.has(label))
    }
}

/// An instance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Request {
    pub(crate) start: Nanos,
    pub(crate) end: Nanos,
    /// The thread that began it; 0 if none did.
    pub(crate) thread: ThreadId,
    pub(crate) label: u16,
    number: u64,
    /// Its time, by what its thread did: they add up to its length.
    pub(crate) parts: Parts,
    /// The capabilities on which the thread ran meanwhile, up to [`limits::MAX_REQUEST_CAPS`] of them.
    pub(crate) caps: Vec<CapNo>,
    /// Whether it ran on more.
    pub(crate) has_more_caps: bool,
    /// How often the thread ran on another capability than before.
    pub(crate) moves: u32,
    /// What the thread allocated; `None` if the log does not tell.
    pub(crate) allocated: Option<u64>,
    /// The spans directly within it, by label, the longest first; `None` if that is not known, as for spans that are no thread's.
    pub(crate) nested: Option<Vec<NestedTime>>,
}

impl Request {
    pub(crate) fn length(&self) -> Nanos {
        self.end.since(self.start)
    }

    /// The number that distinguishes it from others with its label.
    pub(crate) fn number(&self) -> Option<u64> {
        Some(self.number).filter(|number| *number != NO_NUMBER)
    }

    /// Its time without that of the spans directly within it.
    pub(crate) fn own(&self) -> Option<Nanos> {
        let within = self.nested.as_ref()?.iter().fold(Nanos(0), |sum, nested| sum.plus(nested.time));
        Some(self.length().since(within))
    }

    fn bytes_held(&self) -> usize {
        self.caps.capacity() * size_of::<CapNo>()
            + self.nested.as_ref().map_or(0, Vec::capacity) * size_of::<NestedTime>()
    }
}

/// What else the events need to be understood.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Surroundings<'a> {
    pub(crate) threads: &'a Threads,
    pub(crate) collections: &'a Collections,
    /// `None` if the log does not have collections.
    pub(crate) pauses: Option<&'a Pauses>,
    /// The total time of the collections without a row so far.
    pub(crate) without_row: Nanos,
    /// What happens to many threads at once, in order of time.
    pub(crate) breaks: &'a [Break],
    pub(crate) repeats: &'a Repeats,
}

impl Surroundings<'_> {
    /// The total time of collections up to a time, which the replay has reached.
    fn paused(&self, time: Nanos) -> Nanos {
        self.pauses.map_or(Nanos(0), |pauses| pauses.until(self.collections, time).plus(self.without_row))
    }
}

/// A span of any label that has begun.
#[derive(Debug, Clone, Copy)]
struct OpenInstance {
    key: SpanKey,
    label: u16,
    /// How many spans had begun before it.
    nth: u64,
    start: Nanos,
    /// Its place among the open instances, if it is wanted.
    slot: Option<u32>,
}

impl Opened for OpenInstance {
    fn key(&self) -> SpanKey {
        self.key
    }
}

/// An instance that has begun, or one that has ended and of which it is not known yet what it allocated.
#[derive(Debug)]
struct Instance {
    /// Tells it from others that had its slot before.
    nth: u64,
    request: Request,
    has_ended: bool,
    due: Due,
    /// Its thread's clock when it began, and how often the thread had changed its capability.
    parts: Parts,
    /// The time of collections by then.
    paused: Nanos,
    moves: u32,
    /// The place of the thread's last run by then.
    run: u64,
}

#[cfg(test)]
pub(crate) use self::{allocation::SHARE_BYTES, clock::CLOCK_BYTES, nested::AROUND_BYTES, sums::SUMS_BYTES};

/// Bytes of an instance that is open or waits, and of one that is kept, at their largest.
#[cfg(test)]
pub(crate) const INSTANCE_BYTES: usize = size_of::<Option<Instance>>() + size_of::<OpenInstance>() + ROW_BYTES;
#[cfg(test)]
pub(crate) const ROW_BYTES: usize = size_of::<Request>()
    + limits::MAX_REQUEST_CAPS * size_of::<CapNo>()
    + limits::MAX_REQUEST_NESTED * size_of::<NestedTime>();

/// The instances of a label, as far as the log has been read for them.
#[derive(Debug)]
pub(crate) struct Requests {
    /// Tells them from those that were asked for before.
    pub(crate) number: u64,
    pub(crate) wanted: Wanted,
    /// Whether the log has collections: then it is known how long instances waited for them.
    pub(crate) knows_pauses: bool,
    /// Whether the log has been read to the end, or as far as needed.
    pub(crate) is_done: bool,
    /// How many ended, and how many of these have a wanted length.
    pub(crate) count: u64,
    pub(crate) chosen: u64,
    /// How many began and never ended.
    pub(crate) unfinished: u64,
    /// How many of the label were not followed, because too many spans were open when they began.
    pub(crate) beyond: u64,
    pub(crate) total: Nanos,
    pub(crate) lengths: Bins,
    pub(crate) fine: Quantiles,
    by_length: SumsByLength,
    /// The longest ones of a wanted length: once all are known, at most [`limits::MAX_REQUESTS`], the longest first.
    pub(crate) rows: Vec<Request>,
    /// The open spans, as in [`super::spans::UserSpans`].
    open: Vec<OpenInstance>,
    begun: u64,
    instances: Vec<Option<Instance>>,
    free: Vec<u32>,
    /// How many of the breaks have happened.
    broken: usize,
    /// The time of collections without a row so far.
    without_row: Nanos,
    clocks: Clocks,
    nested: Nested,
    allocation: AllocationShares,
}

impl Requests {
    /// None yet.
    pub(crate) fn new(number: u64, wanted: Wanted, knows_pauses: bool, tells_allocation: bool) -> Self {
        Self {
            number,
            wanted,
            knows_pauses,
            is_done: false,
            count: 0,
            chosen: 0,
            unfinished: 0,
            beyond: 0,
            total: Nanos(0),
            lengths: Bins::default(),
            fine: Quantiles::default(),
            by_length: SumsByLength::default(),
            rows: Vec::new(),
            open: Vec::new(),
            begun: 0,
            instances: Vec::new(),
            free: Vec::new(),
            broken: 0,
            without_row: Nanos(0),
            clocks: Clocks::default(),
            nested: Nested::default(),
            allocation: AllocationShares::new(tells_allocation),
        }
    }

    /// Applies an event, and what it says, unless that is repeated. To be called in order of time.
    pub(crate) fn step(&mut self, op: &Op, mark: Option<&Mark>, around: Surroundings<'_>) {
        self.without_row = self.without_row.plus(without_row(op, around.collections));
        let around = &Surroundings { without_row: self.without_row, ..around };
        while let Some(next) = around.breaks.get(self.broken).filter(|next| next.time <= op.time) {
            self.broken += 1;
            self.break_all(next, around);
        }
        match (op.what, mark) {
            (What::Mark(_), Some(Mark { what: MarkKind::Allocated, key, .. })) => self.allocated(op, *key),
            (What::Mark(_), Some(mark)) => self.mark(op, mark, around),
            (What::Mark(_) | What::Spark | What::Gc(_), _) => {}
            _ => {
                let Some(place) = around.threads.known_place(op.thread) else { return };
                self.clocks.step(place, op, around);
                self.allocation.step(op, &mut self.clocks);
                if self.clocks.is_over(place) {
                    self.nested.leave(Owner::Thread(op.thread));
                }
            }
        }
    }

    #[cold]
    fn break_all(&mut self, next: &Break, around: &Surroundings<'_>) {
        for (place, thread) in around.threads.rows().iter().enumerate().filter(|(_, thread)| next.is_about(thread.id)) {
            let op = next.op(thread.id, CapNo::GLOBAL);
            self.clocks.step(place, &op, around);
            if self.clocks.is_over(place) {
                self.nested.leave(Owner::Thread(thread.id));
            }
        }
    }

    /// A capability says how much it has allocated so far.
    fn allocated(&mut self, op: &Op, total: u64) {
        let Self { clocks, instances, allocation, .. } = self;
        let mut over = Vec::new();
        allocation.told(op, total, clocks, |slot, nth, bytes| {
            let place = instances.get_mut(slot as usize).and_then(Option::as_mut);
            let Some(instance) = place.filter(|instance| instance.nth == nth) else { return };
            instance.due.pay(bytes);
            if instance.has_ended && instance.due.is_settled() {
                over.push(slot);
            }
        });
        over.into_iter().for_each(|slot| self.settle(slot));
    }

    fn mark(&mut self, op: &Op, mark: &Mark, around: &Surroundings<'_>) {
        let key = key_of(op, mark);
        let (after, found) = search(&self.open, key);
        match (mark.what, found) {
            (MarkKind::Begin | MarkKind::BeginOfProcess, _) => self.begin(op, mark, key, after, around),
            (MarkKind::End | MarkKind::EndOfProcess, Some(at)) => {
                let open = self.open.remove(at);
                self.end(&open, op.time, around);
            }
            _ => {}
        }
    }

    fn begin(&mut self, op: &Op, mark: &Mark, key: SpanKey, at: usize, around: &Surroundings<'_>) {
        let label = mark.label();
        if self.open.len() >= limits::MAX_OPEN_REQUESTS {
            self.beyond += u64::from(self.wanted.of.has(label));
            return;
        }
        let (nth, start) = (self.begun, op.time);
        self.begun += 1;
        self.nested.begin(key.0, nth);
        let Wanted { from, to, .. } = self.wanted;
        let is_wanted = self.wanted.of.has(label) && from <= start && start < to;
        let slot = is_wanted.then(|| self.instance(op, mark, nth, around));
        self.open.insert(at, OpenInstance { key, label, nth, start, slot });
    }

    /// The slot of a new instance.
    fn instance(&mut self, op: &Op, mark: &Mark, nth: u64, around: &Surroundings<'_>) -> u32 {
        let place = around.threads.known_place(op.thread);
        self.allocation.read(op.thread, Some(op.cap), op.time, &mut self.clocks);
        let opened = self.clocks.open(place, op.thread, op.time, around);
        let request = Request {
            start: op.time,
            end: op.time,
            thread: op.thread,
            label: mark.label(),
            number: mark.number,
            parts: Parts::default(),
            caps: Vec::new(),
            has_more_caps: false,
            moves: 0,
            allocated: None,
            nested: None,
        };
        let slot = self.free.pop().unwrap_or_else(|| {
            self.instances.push(None);
            self.instances.len() as u32 - 1
        });
        let mut due = Due::default();
        self.allocation.begin(&mut due, opened.clock, (slot, nth));
        let (parts, moves, run) = opened.reading;
        let paused = around.paused(op.time);
        if let Some(place) = self.instances.get_mut(slot as usize) {
            *place = Some(Instance { nth, request, has_ended: false, due, parts, paused, moves, run });
        }
        slot
    }

    fn end(&mut self, open: &OpenInstance, time: Nanos, around: &Surroundings<'_>) {
        let end = time.max(open.start);
        let nested = self.nested.end(open.key.0, open.nth, open.label, end.since(open.start));
        let Some(slot) = open.slot else { return };
        let Some(instance) = self.instances.get_mut(slot as usize).and_then(Option::as_mut) else { return };
        let Instance { request, parts, paused, moves, run, due, .. } = instance;
        request.end = end;
        // A process or a capability may have many open spans at once, none within another.
        request.nested = nested.filter(|_| matches!(open.key.0, Owner::Thread(_)));
        let place = around.threads.known_place(request.thread);
        let cap = self.clocks.last_cap(request.thread);
        self.allocation.read(request.thread, cap, end, &mut self.clocks);
        if let Some(clock) = self.clocks.read(place, request.thread, end, around) {
            request.parts = clock.since(parts);
            request.moves = clock.moves.saturating_sub(*moves);
            (request.caps, request.has_more_caps) = clock.caps_since(*run);
            self.allocation.end(due, clock, (slot, open.nth));
        } else {
            let paused = around.paused(end).since(*paused).min(request.length());
            request.parts = Parts::unseen(request.length(), paused);
            due.never();
        }
        instance.has_ended = true;
        self.clocks.close(instance.request.thread);
        let waits = self.instances.len() - self.free.len();
        if instance_is_settled(&self.instances, slot)
            || waits > limits::MAX_OPEN_REQUESTS + limits::MAX_WAITING_REQUESTS
        {
            self.settle(slot);
        }
    }

    /// Everything is known of an instance that has ended, or as much as will be.
    fn settle(&mut self, slot: u32) {
        let Some(instance) = self.instances.get_mut(slot as usize).and_then(Option::take) else { return };
        self.free.push(slot);
        let Instance { mut request, due, .. } = instance;
        request.allocated = due.sum();
        let length = request.length();
        self.count += 1;
        self.total = self.total.plus(length);
        self.lengths.add(length.0);
        self.fine.add(length.0);
        self.by_length.add(&request);
        if self.wanted.least <= length && length < self.wanted.most {
            self.chosen += 1;
            self.rows.push(request);
            if self.rows.len() >= 2 * limits::MAX_REQUESTS {
                self.keep_longest();
            }
        }
    }

    /// Drops all but the longest.
    fn keep_longest(&mut self) {
        sort_by_key(&mut self.rows, |row| (Reverse(row.length()), row.start, row.thread));
        self.rows.truncate(limits::MAX_REQUESTS);
    }

    /// Whether nothing that comes from some time on is wanted.
    pub(crate) fn is_past(&self, time: Nanos) -> bool {
        time >= self.wanted.to && self.open.iter().all(|open| open.slot.is_none())
    }

    /// To be called once, after the last event that matters.
    pub(crate) fn finish(&mut self) {
        let open = core::mem::take(&mut self.open);
        self.unfinished = open.iter().filter(|open| open.slot.is_some()).count() as u64;
        for slot in 0..self.instances.len() {
            let ended = |instance: &Instance| instance.has_ended;
            if self.instances.get(slot).and_then(Option::as_ref).is_some_and(ended) {
                self.settle(slot as u32);
            }
        }
        self.keep_longest();
        self.rows.shrink_to_fit();
        (self.instances, self.free) = (Vec::new(), Vec::new());
        (self.clocks, self.nested) = (Clocks::default(), Nested::default());
        self.allocation = AllocationShares::default();
        self.is_done = true;
    }

    /// The sums of the instances about as long as the median, if there are any.
    pub(crate) fn typical(&self) -> Option<&PartSums> {
        self.by_length.at(self.fine.at(50)?)
    }

    pub(crate) fn bytes_held(&self) -> usize {
        let waiting = self.instances.iter().flatten().map(|instance| &instance.request);
        let own: usize = self.rows.iter().chain(waiting).map(Request::bytes_held).sum();
        own + self.wanted.of.bytes_held()
            + self.wanted.name.bytes_held()
            + self.rows.capacity() * size_of::<Request>()
            + self.open.capacity() * size_of::<OpenInstance>()
            + self.instances.capacity() * size_of::<Option<Instance>>()
            + self.free.capacity() * size_of::<u32>()
            + self.fine.bytes_held()
            + self.by_length.bytes_held()
            + self.clocks.bytes_held()
            + self.nested.bytes_held()
            + self.allocation.bytes_held()
    }
}

fn instance_is_settled(instances: &[Option<Instance>], slot: u32) -> bool {
    instances.get(slot as usize).and_then(Option::as_ref).is_some_and(|instance| instance.due.is_settled())
}
