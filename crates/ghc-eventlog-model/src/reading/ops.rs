//! The events about threads in one segment of the log.
//!
//! Runs and stops are taken from the capabilities' lanes, so that the time that threads ran equals the time that capabilities
//! ran them: where the lane ends a run whose end was lost, the run ends here, too.

use crate::{
    keeping::crossing::marks::Mark,
    known::{
        Known,
        threads::{COLLECTOR, LANE, SPARKS, TAGS},
    },
    reading::{
        again::{Failure, SegmentItem, TakeItem, go_again},
        op_list::OpList,
    },
    terms::{
        machine::{Dialect, KeptRow, Lost, Machine, Placed, Sink},
        op::{Besides, GcStep, Occupied, Op, SparkStep, Waker, What},
        sample::Sample,
        span::{Ending, Moment, Span},
    },
    tracks::{
        capability::{GC_SYNC, GC_WAIT, GC_WORKING, Lane, RUNNING},
        collected::Collector,
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
        let mut ops = OpList::default();
        let with_marks = besides != Besides::Nothing;
        let streams = &self.caps.streams;
        // Nothing runs outside of capabilities, except in a log that has none.
        let has_caps = self.caps.count() > 0;
        let cap_of = |stream: usize| streams.get(stream).and_then(|stream| stream.cap).unwrap_or(CapNo::GLOBAL);
        let lose_sight = |stream: usize, lane: &Lane, time: Nanos| {
            lane.thread().map(|thread| Op { time, thread, cap: cap_of(stream), what: What::LoseSight })
        };
        let with_caps = with_marks;
        let with_sparks = besides == Besides::Marks;
        // What a capability does from a time on, if it does not go on with what it did.
        let goes_over = |stream: usize, lane: &Lane, next: Option<Occupied>, time: Nanos| {
            let what = next.map_or(What::Vacant, What::Occupied);
            let op = Op { time, thread: ThreadId::default(), cap: cap_of(stream), what };
            Some(op).filter(|_| with_caps && lane.thread().is_none() && occupied(lane) != next)
        };
        let over =
            go_again(&self.index, segment, chunk, reader, &self.caps, |found: SegmentItem<'_, '_>| match found {
                SegmentItem::Event(again, record, dialect) if record.known => {
                    let cap = cap_of(again.stream);
                    ops.of_stream(again.stream);
                    if let Some(time) = again.lost_sight.take().filter(|_| with_caps) {
                        let what = What::Occupied(Occupied::NotKnown);
                        ops.push(Op { time, thread: ThreadId::default(), cap, what });
                    }
                    if with_marks && COLLECTOR.has(record.tag) {
                        follow_collection(&mut again.machines.collector, record, dialect, cap, &mut ops);
                    }
                    if LANE.has(record.tag) {
                        if has_caps && cap == CapNo::GLOBAL {
                            return;
                        }
                        if with_sparks {
                            ops.add(lost_sparks(&again.machines.lane, record.time, cap));
                        }
                        let before = occupied(&again.machines.lane);
                        again.machines.lane.step(
                            record,
                            dialect,
                            &mut Stops { cap, record: &record, dialect, ops: &mut ops },
                        );
                        if with_caps {
                            ops.add(turned(before, &again.machines.lane, cap));
                        }
                        // The run has just begun, or continues.
                        if record.tag == RunThread::TAG
                            && let Some(thread) = again.machines.lane.thread()
                        {
                            ops.push(Op { time: again.machines.lane.since(), thread, cap, what: What::Run });
                        }
                    } else if SPARKS.has(record.tag) {
                        let lane = &again.machines.lane;
                        // Impossible outside of a run.
                        if let Some(thread) = lane.thread().filter(|_| with_sparks) {
                            ops.add(lost_sparks(lane, record.time, cap));
                            let time = record.time.max(lane.since());
                            ops.push(Op { time, thread, cap, what: What::Spark(SparkStep::Begins) });
                        }
                    } else if TAGS.has(record.tag) {
                        let by = Waker::of(again.machines.lane.thread());
                        let Record { tag, payload, .. } = record;
                        // As its lanes: they begin where those of the process before end.
                        let time = record.time.max(self.index.processes.begin_of(record.offset));
                        let op = op(tag, payload, by);
                        ops.add(op.map(|(thread, what)| Op { time, thread: dialect.threads.of(thread), cap, what }));
                    } else if with_marks {
                        let thread = again.machines.lane.thread().unwrap_or_default();
                        if record.tag == HeapAllocated::TAG {
                            if besides == Besides::Allocation {
                                let HeapAllocated { bytes, .. } = HeapAllocated::read(record.payload);
                                ops.push(Op { time: record.time, thread, cap, what: What::Mark(marks.len() as u32) });
                                marks.push(Mark::allocated(bytes));
                            }
                            return;
                        }
                        let read = Mark::read(record.tag, record.payload, record.offset, &self.stores.messages);
                        let process = self.index.processes.number(record.offset) as u8;
                        for mark in read.into_iter().flatten() {
                            ops.push(Op { time: record.time, thread, cap, what: What::Mark(marks.len() as u32) });
                            marks.push(Mark { process, ..mark });
                        }
                    }
                }
                // Where logging was stopped and started again, threads that were not running keep their state.
                SegmentItem::Header(all, _) => {
                    for again in all {
                        ops.of_stream(again.stream);
                        let lane = &again.machines.lane;
                        ops.add(lose_sight(again.stream, lane, again.last));
                        ops.add(goes_over(again.stream, lane, None, again.last));
                    }
                }
                SegmentItem::Event(..) | SegmentItem::Unfollowed(..) => {}
            })?;
        for again in &over {
            ops.of_stream(again.stream);
            let turn = self.index.turn(again.stream, segment);
            let lane = &again.machines.lane;
            let ended = turn.filter(|turn| turn.next.is_none_or(|next| !lane.goes_on(next)));
            let Some(turn) = ended else { continue };
            ops.add(lose_sight(again.stream, lane, turn.entry.to));
            ops.add(goes_over(again.stream, lane, turn.next.and_then(occupied), turn.entry.to));
        }
        Ok(ops.in_order())
    }
}

impl Known {
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
fn occupied(lane: &Lane) -> Option<Occupied> {
    let span = lane.open(lane.since(), Ending::Open)?;
    match span.state {
        RUNNING => None,
        GC_WORKING => Some(Occupied::Working),
        GC_WAIT => Some(Occupied::Waiting),
        GC_SYNC => Some(Occupied::Syncing),
        _ => Some(Occupied::NotKnown),
    }
}

/// What must be said of sparks before the next event of a lane, if events were lost in the run that goes on.
fn lost_sparks(lane: &Lane, time: Nanos, cap: CapNo) -> Option<Op> {
    let time = time.max(lane.since());
    let thread = lane.thread().filter(|_| lane.is_damaged())?;
    Some(Op { time, thread, cap, what: What::Spark(SparkStep::Lost) })
}

/// How an event changed that. When a thread begins to run, nothing else needs to be said.
fn turned(before: Option<Occupied>, lane: &Lane, cap: CapNo) -> Option<Op> {
    let after = occupied(lane);
    let what = match after {
        _ if before == after => return None,
        Some(occupied) => What::Occupied(occupied),
        None if lane.thread().is_some() => return None,
        None => What::Vacant,
    };
    Some(Op { time: lane.since(), thread: ThreadId::default(), cap, what })
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
        add(gc.end.max(synced), GcStep::Over);
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
                let owner = self.owner(StopThread::read(self.record.payload).info, reason);
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
        if matches!(lost, Lost::Begin | Lost::UnloggedBegin) && self.record.tag == StopThread::TAG {
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
