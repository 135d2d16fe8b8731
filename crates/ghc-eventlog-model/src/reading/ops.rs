//! The events about threads in one segment of the log.
//!
//! Runs and stops are taken from the capabilities' lanes, so that the time that threads ran equals the time that capabilities
//! ran them: where the lane ends a run whose end was lost, the run ends here, too.

use crate::{
    keeping::crossing::{marks::Mark, repeats},
    known::Known,
    reading::{
        again::{Again, Failure, SegmentItem, TakeItem, go_again},
        op_list::OpList,
    },
    terms::{
        machine::{Dialect, KeptRow, Lost, Machine, Placed, Sink},
        op::{Besides, GcStep, Occupied, Op, Waker, What},
        sample::Sample,
        span::{Ending, Moment, Span},
    },
    tracks::{
        capability::{GC_SYNC, GC_WAIT, GC_WORKING, Lane, RUNNING},
        collector::Collector,
    },
};
use alloc::vec::Vec;
use ghc_eventlog::{
    CapNo, Chunk, CreateSparkThread, CreateThread, Decoder, GcGlobalSync, GcStart, HeapAllocated, MigrateThread, Nanos,
    Record, RequestParGc, RequestSeqGc, RunThread, StopReason, StopThread, ThreadId, ThreadRunnable, ThreadWakeup,
};

impl Known {
    /// The events about threads in a segment, in order of time; events with equal times are in file order. `chunk` begins
    /// with the segment, and `reader` has read the log's headers. Begins and ends of user spans, collections, sparks, and what
    /// capabilities do besides running threads, are only included with [`Besides::Marks`]; what they allocate with
    /// [`Besides::Allocation`], but no sparks.
    pub(crate) fn ops(
        &self,
        segment: u32,
        chunk: Chunk<'_>,
        reader: &Decoder,
        (besides, marks): (Besides, &mut Vec<Mark>),
    ) -> Result<Vec<Op>, Failure> {
        let end = self.index.segment(segment).map_or(0, |known| known.end.saturating_sub(known.at.offset));
        let ops = OpList::for_bytes(end.min(chunk.bytes.len() as u64));
        let (has_caps, over) = (self.caps.count() > 0, self.caps_without_end());
        let mut found = FoundOps { known: self, has_caps, over, besides, ops, marks };
        let over = go_again(&self.index, segment, chunk, reader, &self.caps, |item: SegmentItem<'_, '_>| match item {
            SegmentItem::Event(again, record, dialect) if record.known => found.event(again, record, dialect),
            // Where logging was stopped and started again, threads that were not running keep their state.
            SegmentItem::Header(all, _) => all.iter().for_each(|again| found.end(again, again.last, None)),
            SegmentItem::Event(..) | SegmentItem::Unfollowed(..) => {}
        })?;
        for again in &over {
            let turn = self.index.turn(again.stream, segment);
            let ended = turn.filter(|turn| turn.next.is_none_or(|next| !again.machines.lane.goes_on(next)));
            let Some(turn) = ended else { continue };
            found.end(again, turn.entry.to, turn.next.and_then(occupied));
        }
        let ops = found.ops.in_order();
        repeats::compare(&ops, found.marks);
        Ok(ops)
    }
}

/// What is said by each type of event.
mod routes {
    use crate::{
        known::threads::{COLLECTOR, LANE, SPARKS, TAGS},
        terms::tags::Tags,
    };

    pub(super) const OF_LANE: u8 = 1;
    pub(super) const OF_COLLECTOR: u8 = 2;
    pub(super) const OF_THREADS: u8 = 4;
    pub(super) const OF_SPARKS: u8 = 8;

    static ALL: [u8; 256] = {
        let kinds: [(Tags, u8); 4] =
            [(LANE, OF_LANE), (COLLECTOR, OF_COLLECTOR), (TAGS, OF_THREADS), (SPARKS, OF_SPARKS)];
        let mut all = [0; 256];
        let mut tag = 0;
        while tag < all.len() {
            let mut kind = 0;
            while kind < kinds.len() {
                if kinds[kind].0.has(tag as u16) {
                    all[tag] |= kinds[kind].1;
                }
                kind += 1;
            }
            tag += 1;
        }
        all
    };

    /// Looked up once for an event, rather than once for each kind.
    #[inline]
    pub(super) fn of(tag: u16) -> u8 {
        ALL.get(usize::from(tag)).copied().unwrap_or(0)
    }
}

/// What has been found in a segment so far.
struct FoundOps<'k> {
    known: &'k Known,
    /// Nothing runs outside of capabilities, except in a log that has none.
    has_caps: bool,
    /// Of a log whose end is missing: after which time the log has no more events of capabilities.
    over: Vec<(CapNo, Nanos)>,
    besides: Besides,
    ops: OpList,
    marks: &'k mut Vec<Mark>,
}

impl FoundOps<'_> {
    fn with_marks(&self) -> bool {
        self.besides != Besides::Nothing
    }

    /// Whether a capability goes on unseen. Of one that is not in the log at all, no block was written.
    fn is_over(&self, cap: CapNo, time: Nanos) -> bool {
        self.over.iter().filter(|(of, _)| *of == cap).all(|(_, last)| *last < time)
    }

    fn cap_of(&self, stream: usize) -> CapNo {
        self.known.caps.streams.get(stream).and_then(|stream| stream.cap).unwrap_or(CapNo::GLOBAL)
    }

    /// Adds what an event says, which the machines of its stream have not followed.
    #[inline(always)]
    fn event(&mut self, again: &mut Again, record: &Record<'_>, dialect: Dialect) {
        let cap = self.cap_of(again.stream);
        self.ops.of_stream(again.stream);
        if let Some((time, thread)) = again.lost_sight.take() {
            self.lost_sight(time, thread, cap);
        }
        let route = routes::of(record.tag);
        if route & routes::OF_COLLECTOR != 0 && self.with_marks() {
            follow_collection(&mut again.machines.collector, *record, dialect, cap, &mut self.ops);
        }
        if route & routes::OF_LANE != 0 {
            self.lane(&mut again.machines.lane, record, dialect, cap);
        } else if route & routes::OF_THREADS != 0 {
            let by = Waker::of(again.machines.lane.thread());
            // As its lanes: they begin where those of the process before end.
            let time = record.time.max(self.known.index.processes.begin_of(record.offset));
            if let Some((thread, what)) = op(record.tag, record.payload, by) {
                let thread = dialect.threads.of(thread);
                self.ops.push(Op { time, thread, cap, what });
                if !self.over.is_empty() && goes_to(record).is_some_and(|to| self.is_over(to, time)) {
                    self.ops.push(Op { time, thread, cap, what: What::Unseen });
                }
            }
        } else if route & routes::OF_SPARKS != 0 {
            self.spark(&again.machines.lane, record, cap);
        } else if self.with_marks() {
            self.message(again.machines.lane.thread().unwrap_or_default(), record, cap);
        }
    }

    /// Adds what an event of a lane says, and lets the lane follow it.
    #[inline(always)]
    fn lane(&mut self, lane: &mut Lane, record: &Record<'_>, dialect: Dialect, cap: CapNo) {
        if self.has_caps && cap == CapNo::GLOBAL {
            return;
        }
        let before = occupied(lane);
        lane.step(*record, dialect, &mut Stops { cap, record, dialect, ops: &mut self.ops });
        if self.with_marks() {
            self.turned(before, lane, cap);
        }
        // The run has just begun, or continues.
        if record.tag == RunThread::TAG
            && let Some(thread) = lane.thread()
        {
            self.ops.push(Op { time: lane.since(), thread, cap, what: What::Run });
        }
    }

    /// Events of a capability were lost after a time, perhaps while a thread ran there.
    #[cold]
    fn lost_sight(&mut self, time: Nanos, thread: Option<ThreadId>, cap: CapNo) {
        if let Some(thread) = thread {
            self.ops.push(Op { time, thread, cap, what: What::LoseSight });
        }
        if self.with_marks() {
            let what = What::Occupied(Occupied::NotKnown);
            self.ops.push(Op { time, thread: ThreadId::default(), cap, what });
        }
    }

    /// Adds how an event changed what a lane says of its capability, `before` it. When a thread begins to run, nothing else needs to be
    /// said.
    #[inline]
    fn turned(&mut self, before: Option<Occupied>, lane: &Lane, cap: CapNo) {
        let after = occupied(lane);
        if before == after || after.is_none() && lane.thread().is_some() {
            return;
        }
        let what = after.map_or(What::Vacant, What::Occupied);
        self.ops.push(Op { time: lane.since(), thread: ThreadId::default(), cap, what });
    }

    #[cold]
    fn spark(&mut self, lane: &Lane, record: &Record<'_>, cap: CapNo) {
        // Impossible outside of a run.
        let Some(thread) = lane.thread().filter(|_| self.besides == Besides::Marks) else { return };
        let time = record.time.max(lane.since());
        self.ops.push(Op { time, thread, cap, what: What::Spark });
    }

    /// Adds what a message says, and what was allocated.
    fn message(&mut self, thread: ThreadId, record: &Record<'_>, cap: CapNo) {
        let Known { stores, index, .. } = self.known;
        if record.tag == HeapAllocated::TAG {
            if self.besides == Besides::Allocation {
                let HeapAllocated { bytes, .. } = HeapAllocated::read(record.payload);
                self.mark((record.time, thread, cap), Mark::allocated(bytes));
            }
            return;
        }
        let read = Mark::read(record.tag, record.payload, record.offset, &stores.messages);
        let process = index.processes.number(record.offset) as u8;
        for mark in read.into_iter().flatten() {
            self.mark((record.time, thread, cap), Mark { process, ..mark });
        }
    }

    fn mark(&mut self, (time, thread, cap): (Nanos, ThreadId, CapNo), mark: Mark) {
        self.ops.push(Op { time, thread, cap, what: What::Mark(self.marks.len() as u32) });
        self.marks.push(mark);
    }

    /// A stream has no more events up to a time, from which on its capability does something else, or nothing.
    fn end(&mut self, again: &Again, time: Nanos, next: Option<Occupied>) {
        let (lane, cap) = (&again.machines.lane, self.cap_of(again.stream));
        self.ops.of_stream(again.stream);
        if let Some(thread) = lane.thread() {
            self.ops.push(Op { time, thread, cap, what: What::LoseSight });
        }
        if self.with_marks() && occupied(lane) != next {
            let what = next.map_or(What::Vacant, What::Occupied);
            self.ops.push(Op { time, thread: ThreadId::default(), cap, what });
        }
    }
}

impl Known {
    /// Of a log whose end is missing: the last moments of its capabilities. A capability whose last block is missing goes on unseen.
    fn caps_without_end(&self) -> Vec<(CapNo, Nanos)> {
        let streams = self.caps.streams.iter().filter(|_| self.incomplete);
        streams.filter_map(|stream| Some((stream.cap?, stream.times()?.1))).collect()
    }

    /// Keeps the labels of the spans that begin in a segment. Needed if the log was read with other words.
    pub(crate) fn look_for_labels(&mut self, segment: u32, chunk: Chunk<'_>, reader: &Decoder) -> Result<(), Failure> {
        let Self { index, caps, stores, .. } = self;
        let take: TakeItem<'_> = &mut |found| {
            if let SegmentItem::Event(_, record, _) = found
                && record.known
            {
                let said = stores.messages.read(record.tag, record.payload);
                stores.messages.label(&said);
            }
        };
        go_again(index, segment, chunk, reader, caps, take)?;
        Ok(())
    }
}

/// What a lane says of its capability, if that neither runs a thread nor is idle.
#[inline]
fn occupied(lane: &Lane) -> Option<Occupied> {
    match lane.state()? {
        RUNNING => None,
        GC_WORKING => Some(Occupied::Working),
        GC_WAIT => Some(Occupied::Waiting),
        GC_SYNC => Some(Occupied::Syncing),
        _ => Some(Occupied::NotKnown),
    }
}

/// Adds what an event says about a collection. `collector` is the machine of the capability, which has not followed the event.
fn follow_collection(collector: &mut Collector, record: Record<'_>, dialect: Dialect, cap: CapNo, ops: &mut OpList) {
    let over = collector.follow(record.tag, record.time, record.payload, dialect);
    let mut add = |time: Nanos, step: GcStep| {
        ops.push(Op { time, thread: ThreadId::default(), cap, what: What::Gc(step) });
    };
    match record.tag {
        RequestSeqGc::TAG | RequestParGc::TAG => add(record.time, GcStep::Requested),
        // On most capabilities it is the collection of another one, which they help with.
        GcStart::TAG if collector.has_request() => {
            let begun = collector.busy_since().unwrap_or(record.time);
            add(begun, GcStep::Begun);
            // Logs from before GC_GLOBAL_SYNC: no collection begins before all have stopped.
            if !dialect.has_global_sync {
                add(begun, GcStep::Synced);
            }
        }
        GcGlobalSync::TAG => add(record.time, GcStep::Synced),
        _ => {}
    }
    if let Some(gc) = over {
        // GC_END may have an earlier time than what comes before it.
        let synced = gc.synced.map_or(gc.start, Moment::time);
        let end = gc.end.max(synced);
        add(end, GcStep::Over(end.since(gc.start).0.try_into().unwrap_or(u32::MAX)));
    }
}

/// What an event says about a thread.
fn op(tag: u16, payload: &[u8], by: Waker) -> Option<(ThreadId, What)> {
    Some(match tag {
        CreateThread::TAG => (CreateThread::read(payload).thread, What::Create),
        CreateSparkThread::TAG => (CreateSparkThread::read(payload).thread, What::Create),
        ThreadRunnable::TAG => (ThreadRunnable::read(payload).thread, What::Wake(by)),
        MigrateThread::TAG => (MigrateThread::read(payload).thread, What::Migrate(by)),
        ThreadWakeup::TAG => (ThreadWakeup::read(payload).thread, What::Wake(by)),
        _ => return None,
    })
}

/// The capability on which a thread is to run from an event on.
fn goes_to(record: &Record<'_>) -> Option<CapNo> {
    match record.tag {
        MigrateThread::TAG => Some(MigrateThread::read(record.payload).cap),
        ThreadWakeup::TAG => Some(ThreadWakeup::read(record.payload).cap),
        _ => None,
    }
}

/// Stops threads where their lane's spans end.
struct Stops<'a> {
    cap: CapNo,
    /// The event that ends them.
    record: &'a Record<'a>,
    dialect: Dialect,
    ops: &'a mut OpList,
}

impl Sink for Stops<'_> {
    #[inline(always)]
    fn span(&mut self, span: Span) {
        let Some(thread) = span.thread.filter(|_| span.state == RUNNING) else { return };
        if span.open_start {
            self.ops.push(Op { time: span.start, thread, cap: self.cap, what: What::Run });
        }
        let what = match span.ending {
            Ending::Stopped(reason) => {
                // Few threads stop for one, and only then the rest of the event matters.
                let read = || self.owner(StopThread::read(self.record.payload).info, reason);
                let owner = if is_black_hole(reason) { read() } else { None };
                What::Stop(reason, owner.unwrap_or(0))
            }
            Ending::Unlogged => What::LoseSight,
            Ending::Next | Ending::Lost | Ending::Open => What::StopMissing,
        };
        self.ops.push(Op { time: span.end, thread, cap: self.cap, what });
    }

    fn sample<K: Placed>(&mut self, _: Sample) {}

    fn add<K: Placed>(&mut self, _: usize, _: u64, _: Nanos) {}

    fn reach<K: Placed>(&mut self, _: usize, _: u64, _: Nanos) {}

    fn row(&mut self, _: KeptRow) {}

    /// The run before a stop is missing in the log: the stop still says what the thread did afterwards, unless an earlier
    /// event did.
    #[cold]
    fn lost(&mut self, lost: Lost) {
        if matches!(lost, Lost::Begin | Lost::UnloggedBegin | Lost::Sight) && self.record.tag == StopThread::TAG {
            let StopThread { thread, status, info } = StopThread::read(self.record.payload);
            let reason = status.reason(self.dialect.numbering);
            let (owner, thread) = (self.owner(info, reason).unwrap_or(0), self.dialect.threads.of(thread));
            self.ops.push(Op { time: self.record.time, thread, cap: self.cap, what: What::Stop(reason, owner) });
        }
    }
}

impl Stops<'_> {
    /// The owner of the black hole that a thread stops for.
    fn owner(&self, info: Option<u32>, reason: Option<StopReason>) -> Option<u32> {
        info.filter(|_| is_black_hole(reason)).map(|owner| self.dialect.threads.of(ThreadId(owner)).0)
    }
}

fn is_black_hole(reason: Option<StopReason>) -> bool {
    reason == Some(StopReason::BlockedOnBlackHole)
}
