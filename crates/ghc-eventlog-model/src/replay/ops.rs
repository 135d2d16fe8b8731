//! What happens to threads, as it stands in one segment of the log.
//!
//! Runs and stops come from the capabilities' lanes, so that the time that threads ran is the time that capabilities ran them: what
//! the lane takes for a run that lost its end ends here, too.

use super::spans::Mark;
use crate::{
    known::Known,
    reading::again::{Failure, Found, go_again},
    sorting::sort_by_number,
    terms::{
        machine::{Dialect, Lost, Machine, Placed, Row, Sink},
        sample::Sample,
        span::{Ending, Span},
        tags::Tags,
        value::Value,
    },
    tracks::capability::{Lane, RUNNING},
};
use alloc::vec::Vec;
use ghc_eventlog::{
    CapNo, Chunk, CreateSparkThread, CreateThread, Decoder, GcDone, GcEnd, GcIdle, GcStart, GcWork, MigrateThread,
    Nanos, Record, RunThread, StopReason, StopThread, ThreadId, ThreadRunnable, ThreadWakeup, UserBinaryMsg, UserMsg,
};

/// Something that happens to a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Op {
    pub(crate) time: Nanos,
    pub(crate) thread: ThreadId,
    /// The capability in whose stream it stands.
    pub(crate) cap: CapNo,
    pub(crate) what: What,
}

/// What that is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum What {
    /// It is created.
    Create,
    /// It begins to run.
    Run,
    /// It stops: why, if that is known, and the thread that owns the black hole that it waits for, if any.
    Stop(Option<StopReason>, u32),
    /// The capability that it runs on has no more events, in this stream of the file or at all.
    LoseSight,
    /// It can run again, or comes to another capability.
    Wake(Waker),
    /// The same by MIGRATE_THREAD.
    Migrate(Waker),
    /// A span of the user's begins or ends: its place among the segment's [`Mark`]s. Of the thread that runs there,
    /// 0 if none does.
    Mark(u32),
}

/// The thread that ran where somebody was woken up: 0 if none did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) struct Waker(pub(crate) u32);

impl Waker {
    fn of(thread: Option<ThreadId>) -> Self {
        Self(thread.map_or(0, |thread| thread.0))
    }

    /// It, for a table.
    pub(crate) fn value(self) -> Value {
        self.thread().map_or(Value::Unknown, Value::Thread)
    }

    /// It, if there was one: no thread has the number 0.
    pub(crate) fn thread(self) -> Option<ThreadId> {
        Some(ThreadId(self.0)).filter(|thread| thread.0 > 0)
    }
}

/// The events that a lane's machine must follow to tell who runs.
const LANE: Tags =
    Tags::of(&[RunThread::TAG, StopThread::TAG, GcStart::TAG, GcWork::TAG, GcIdle::TAG, GcDone::TAG, GcEnd::TAG]);

/// What tells of threads, beside those.
pub(crate) const TAGS: Tags =
    Tags::of(&[CreateThread::TAG, CreateSparkThread::TAG, ThreadRunnable::TAG, MigrateThread::TAG, ThreadWakeup::TAG]);

/// All that is looked at: messages may be marks.
const ALL: Tags = LANE.with(TAGS).with(Tags::of(&[UserMsg::TAG, UserBinaryMsg::TAG]));

impl Known {
    /// For each segment, whether there may be anything in it for those who ask what happens to threads: a profile's have nothing
    /// but samples. Where the last event of a capability is, a thread may run that began to do so segments before.
    pub(crate) fn tell_of_threads(&self) -> Vec<bool> {
        let mut tell: Vec<bool> =
            self.index.segments().iter().map(|segment| segment.occurring.tags.has_any(ALL)).collect();
        for stream in 0..self.caps.streams.len() {
            let turns = self.index.all_turns(stream);
            let last = turns.filter(|turn| turn.lane().thread().is_some() && turn.may_be_last());
            for turn in last {
                if let Some(tells) = tell.get_mut(turn.entry.segment as usize) {
                    *tells = true;
                }
            }
        }
        tell
    }

    /// What happens to threads in a segment, in order of time; what is of one time in order of the file. From a chunk that begins with
    /// the segment; `reader` has read the log's headers.
    /// Spans of the user's begin and end there only for those who give `marks`.
    pub(crate) fn ops(
        &self,
        segment: u32,
        chunk: Chunk<'_>,
        reader: &Decoder,
        mut marks: Option<&mut Vec<Mark>>,
    ) -> Result<Vec<Op>, Failure> {
        let mut ops: Vec<Op> = Vec::new();
        let streams = &self.caps.streams;
        // Outside of capabilities nothing runs, but in a log that does not tell of any.
        let has_caps = self.caps.count() > 0;
        let cap_of = |stream: usize| streams.get(stream).and_then(|stream| stream.cap).unwrap_or(CapNo::GLOBAL);
        let lose_sight = |stream: usize, lane: &Lane, time: Nanos| {
            lane.thread().map(|thread| Op { time, thread, cap: cap_of(stream), what: What::LoseSight })
        };
        let over = go_again(&self.index, segment, chunk, reader, &self.caps, &mut |found| match found {
            Found::Event(again, record, dialect) if record.known => {
                let cap = cap_of(again.stream);
                if LANE.has(record.tag) {
                    if has_caps && cap == CapNo::GLOBAL {
                        return;
                    }
                    again.machines.lane.step(
                        record,
                        dialect,
                        &mut Stops { cap, record: &record, dialect, ops: &mut ops },
                    );
                    // It has begun just now, or goes on.
                    if record.tag == RunThread::TAG
                        && let Some(thread) = again.machines.lane.thread()
                    {
                        ops.push(Op { time: again.machines.lane.since(), thread, cap, what: What::Run });
                    }
                } else if TAGS.has(record.tag) {
                    let by = Waker::of(again.machines.lane.thread());
                    let Record { time, tag, payload, .. } = record;
                    ops.extend(op(tag, payload, by).map(|(thread, what)| Op { time, thread, cap, what }));
                } else if let Some(marks) = &mut marks
                    && let Some(mark) = Mark::read(record.tag, record.payload, &self.messages)
                {
                    let place = marks.len() as u32;
                    marks.push(mark);
                    let thread = again.machines.lane.thread().unwrap_or_default();
                    ops.push(Op { time: record.time, thread, cap, what: What::Mark(place) });
                }
            }
            // Where logging was stopped and started again, threads that did not run go on with what they did before.
            Found::Header(all) => {
                ops.extend(all.iter().filter_map(|again| lose_sight(again.stream, &again.machines.lane, again.last)));
            }
            Found::Event(..) => {}
        })?;
        for again in &over {
            let turn = self.index.turn(again.stream, segment);
            let lane = &again.machines.lane;
            let ended = turn.filter(|turn| turn.next.is_none_or(|next| !lane.goes_on(next)));
            ops.extend(ended.and_then(|turn| lose_sight(again.stream, lane, turn.entry.to)));
        }
        // Stable: what is equal stays in order of the file. A segment has some runs that are in order, one of each block.
        sort_by_number(&mut ops, |op| op.time.0);
        Ok(ops)
    }
}

impl Known {
    /// Keeps the labels of the spans that begin in a segment: for when other words were looked for while the log was read.
    pub(crate) fn look_for_labels(&mut self, segment: u32, chunk: Chunk<'_>, reader: &Decoder) -> Result<(), Failure> {
        let Self { index, caps, messages, .. } = self;
        go_again(index, segment, chunk, reader, caps, &mut |found| {
            if let Found::Event(_, record, _) = found
                && record.known
            {
                messages.label(record.tag, record.payload);
            }
        })?;
        Ok(())
    }
}

/// What an event says of a thread.
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

/// Where a lane's spans end, its threads stop.
struct Stops<'a> {
    cap: CapNo,
    /// The event that ends them.
    record: &'a Record<'a>,
    dialect: Dialect,
    ops: &'a mut Vec<Op>,
}

impl Sink for Stops<'_> {
    #[inline(always)]
    fn span(&mut self, span: Span) {
        let Some(thread) = span.thread.filter(|_| span.state == RUNNING) else { return };
        if span.open_start {
            self.ops.push(Op { time: span.start, thread, cap: self.cap, what: What::Run });
        }
        let (reason, owner) = match span.ending {
            Ending::Stopped(reason) => {
                (reason, StopThread::read(self.record.payload).info.filter(|_| is_black_hole(reason)))
            }
            Ending::Next | Ending::Lost | Ending::Open => (None, None),
        };
        self.ops.push(Op { time: span.end, thread, cap: self.cap, what: What::Stop(reason, owner.unwrap_or(0)) });
    }

    fn sample<K: Placed>(&mut self, _: Sample) {}

    fn add<K: Placed>(&mut self, _: usize, _: u64, _: Nanos) {}

    fn reach<K: Placed>(&mut self, _: usize, _: u64, _: Nanos) {}

    fn row(&mut self, _: Row) {}

    /// The stop of a thread whose run is not in the log tells what it did from then on, if nothing else has told of it before.
    #[cold]
    fn lost(&mut self, lost: Lost) {
        if lost == Lost::Begin && self.record.tag == StopThread::TAG {
            let StopThread { thread, status, info } = StopThread::read(self.record.payload);
            let reason = status.reason(self.dialect.numbering);
            let owner = info.filter(|_| is_black_hole(reason)).unwrap_or(0);
            self.ops.push(Op { time: self.record.time, thread, cap: self.cap, what: What::Stop(reason, owner) });
        }
    }
}

fn is_black_hole(reason: Option<StopReason>) -> bool {
    reason == Some(StopReason::BlockedOnBlackHole)
}
