//! The machine of a capability's lane.

use super::{FOUND, GC_SYNC, GC_WAIT, GC_WORKING, LOST, RUNNING};
use crate::{
    limits,
    terms::{
        machine::{Dialect, Lost, Machine, Sink, Watched},
        span::{Ending, Span},
    },
};
use ghc_eventlog::{
    GcDone, GcEnd, GcGlobalSync, GcIdle, GcStart, GcWork, Nanos, Record, RequestParGc, RequestSeqGc, RunThread,
    StopReason, StopThread, ThreadId,
};

/// What a capability is doing, and since when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Lane {
    since: Nanos,
    doing: LaneState,
    /// No event of this lane has been seen yet: what it is doing began before the log.
    fresh: bool,
    /// It has requested a collection while a thread ran on it.
    requested: bool,
    /// It leads the collection that goes on: it is the capability that the log names as the collecting one.
    leads: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LaneState {
    Idle,
    Run(ThreadId),
    /// It has requested a collection, and waits until all others have stopped: drawn as GC sync.
    Requested,
    /// A GC state's number.
    Collect(u8),
    /// Its part in a collection was over at this time: drawn as GC wait, also before if it had nothing to do before.
    Done(Nanos),
    /// Unknown: events were lost.
    Unknown,
}

impl Machine for Lane {
    const TAGS: &'static [u16] = &[
        RunThread::TAG,
        StopThread::TAG,
        RequestSeqGc::TAG,
        RequestParGc::TAG,
        GcStart::TAG,
        GcWork::TAG,
        GcIdle::TAG,
        GcDone::TAG,
        GcGlobalSync::TAG,
        GcEnd::TAG,
    ];
    const SUMS: usize = FOUND;

    fn starting(at: Nanos) -> Self {
        let doing = LaneState::Idle;
        Self { since: at, doing, fresh: true, requested: false, leads: false }
    }

    /// Follows one event, and passes the span that it ends to `sink`. The normal cases are handled here, with next to no work
    /// for each event; all others are in functions of their own.
    #[inline(always)]
    fn step(&mut self, record: Record<'_>, dialect: Dialect, sink: &mut impl Sink) {
        let time = record.time.max(self.since);
        match record.tag {
            RunThread::TAG => {
                let thread = dialect.threads.of(RunThread::read(record.payload).thread);
                match self.doing {
                    LaneState::Idle => self.rise(time, LaneState::Run(thread), sink),
                    // Another capability has collected, or nothing came of the request.
                    LaneState::Requested => self.end_sync(time, LaneState::Run(thread), sink),
                    // Impossible; seen where records were lost or logging was off.
                    LaneState::Run(_) | LaneState::Collect(_) | LaneState::Done(_) | LaneState::Unknown => {
                        self.lose(time, LaneState::Run(thread), dialect, sink)
                    }
                }
            }
            StopThread::TAG => {
                let StopThread { thread, status, .. } = StopThread::read(record.payload);
                let thread = dialect.threads.of(thread);
                if self.doing == LaneState::Run(thread) {
                    let ending = Ending::Stopped(status.reason(dialect.numbering));
                    sink.span(Span { start: self.since, end: time, ending, ..running(thread) });
                    let next = if self.requested { LaneState::Requested } else { LaneState::Idle };
                    self.requested = false;
                    self.turn(time, next);
                } else {
                    self.stray_stop(time, thread, status.reason(dialect.numbering), dialect, sink);
                }
            }
            RequestSeqGc::TAG | RequestParGc::TAG => match self.doing {
                LaneState::Idle => self.rise(time, LaneState::Requested, sink),
                LaneState::Unknown => self.lose(time, LaneState::Requested, dialect, sink),
                // It waits for the collection once the thread has stopped.
                LaneState::Run(_) => self.requested = true,
                // Impossible within a collection.
                LaneState::Requested | LaneState::Collect(_) | LaneState::Done(_) => {}
            },
            GcStart::TAG => match self.doing {
                // One span, from the request to the first phase.
                LaneState::Requested => self.doing = LaneState::Collect(GC_SYNC),
                LaneState::Idle => self.rise(time, LaneState::Collect(GC_SYNC), sink),
                // Threads are stopped before a collection: if one is running, its stop was lost.
                LaneState::Run(_) | LaneState::Unknown => self.lose(time, LaneState::Collect(GC_SYNC), dialect, sink),
                // Impossible.
                LaneState::Collect(_) | LaneState::Done(_) => {}
            },
            GcWork::TAG => self.phase(time, GC_WORKING, dialect, sink),
            GcIdle::TAG => self.phase(time, GC_WAIT, dialect, sink),
            GcDone::TAG => {
                self.phase(time, GC_WAIT, dialect, sink);
                // There are several in a collection that looks for dead weak pointers: the last one counts.
                if let LaneState::Collect(GC_WAIT) | LaneState::Done(_) = self.doing {
                    self.doing = LaneState::Done(time);
                }
            }
            GcGlobalSync::TAG => {
                self.leads = self.collects().is_some();
                return;
            }
            GcEnd::TAG => {
                if let Some(state) = self.collects() {
                    sink.span(Span { start: self.since, end: time, ..in_state(state) });
                    if let (LaneState::Done(done), true) = (self.doing, self.leads) {
                        sink.tail(done, time);
                    }
                    self.leads = false;
                    self.turn(time, LaneState::Idle);
                } else if self.doing == LaneState::Requested {
                    // Its begin and its phases were lost.
                    self.end_sync(time, LaneState::Idle, sink);
                } else if self.doing == LaneState::Unknown {
                    self.lose(time, LaneState::Idle, dialect, sink);
                }
            }
            // An event of other machines.
            _ => return,
        }
        self.fresh = false;
    }
}

impl Lane {
    /// It waits for a collection no longer.
    fn end_sync(&mut self, time: Nanos, next: LaneState, sink: &mut impl Sink) {
        sink.span(Span { start: self.since, end: time, ..in_state(GC_SYNC) });
        self.turn(time, next);
    }

    /// A phase of a collection. Impossible outside of one, except if the log began within a collection.
    #[inline(always)]
    fn phase(&mut self, time: Nanos, state: u8, dialect: Dialect, sink: &mut impl Sink) {
        match self.doing {
            LaneState::Collect(before) if before != state => {
                sink.span(Span { start: self.since, end: time, ..in_state(before) });
                self.turn(time, LaneState::Collect(state));
            }
            LaneState::Done(_) if state != GC_WAIT => {
                sink.span(Span { start: self.since, end: time, ..in_state(GC_WAIT) });
                self.turn(time, LaneState::Collect(state));
            }
            LaneState::Idle if self.fresh => self.rise(time, LaneState::Collect(state), sink),
            LaneState::Requested => self.end_sync(time, LaneState::Collect(state), sink),
            LaneState::Unknown => self.lose(time, LaneState::Collect(state), dialect, sink),
            LaneState::Collect(_) | LaneState::Done(_) | LaneState::Idle | LaneState::Run(_) => {}
        }
    }

    /// Its state in a collection, by number; `None` if it takes part in none.
    #[inline(always)]
    fn collects(&self) -> Option<u8> {
        match self.doing {
            LaneState::Collect(state) => Some(state),
            LaneState::Done(_) => Some(GC_WAIT),
            LaneState::Idle | LaneState::Run(_) | LaneState::Requested | LaneState::Unknown => None,
        }
    }

    /// Events after `time`, the time of the last event, were lost: anything may have begun or ended, so that nothing is known until its
    /// next event. Returns whether something was known before, and the span that is cut off, if it was not idle.
    pub(crate) fn lose_sight(&mut self, time: Nanos) -> (bool, Option<Span>) {
        if self.doing == LaneState::Unknown {
            return (false, None);
        }
        let cut = self.open(time, Ending::Lost);
        (self.requested, self.leads) = (false, false);
        self.turn(time.max(self.since), LaneState::Unknown);
        (true, cut)
    }

    /// The end of the current state is missing in the log, but another state begins.
    #[cold]
    fn lose(&mut self, time: Nanos, next: LaneState, dialect: Dialect, sink: &mut impl Sink) {
        let ending = if self.doing == LaneState::Unknown { Ending::Next } else { Ending::Lost };
        // What had been requested during the run is over, or was never known to begin.
        self.requested = false;
        let missing = match self.doing {
            LaneState::Run(_) => Some(Watched::Threads),
            LaneState::Requested | LaneState::Collect(_) | LaneState::Done(_) => Some(Watched::Collections),
            LaneState::Idle | LaneState::Unknown => None,
        };
        let missing = missing.filter(|_| dialect.can_pause);
        if ending == Ending::Lost {
            sink.lost(if missing.is_some() { Lost::UnloggedEnd } else { Lost::End });
        }
        match missing {
            Some(class) => {
                sink.unlogged(class, self.since, time);
                self.open(self.since, Ending::Unlogged).into_iter().for_each(|span| sink.span(span));
                sink.span(Span { start: self.since, end: time, ..in_state(LOST) });
            }
            None => self.open(time, ending).into_iter().for_each(|span| sink.span(span)),
        }
        self.leads = false;
        self.turn(time, next);
    }

    /// A thread stopped that was not running.
    #[cold]
    fn stray_stop(
        &mut self,
        time: Nanos,
        thread: ThreadId,
        reason: Option<StopReason>,
        dialect: Dialect,
        sink: &mut impl Sink,
    ) {
        match self.doing {
            // The stop of another thread is impossible; seen where records were lost: this thread's stop and a run are
            // missing.
            LaneState::Run(_) => self.lose(time, LaneState::Idle, dialect, sink),
            LaneState::Unknown => {
                sink.lost(Lost::Sight);
                self.lose(time, LaneState::Idle, dialect, sink);
            }
            // The thread ran when the log began.
            LaneState::Idle if self.fresh => {
                let ending = Ending::Stopped(reason);
                sink.span(Span { start: self.since, end: time, ending, open_start: true, ..running(thread) });
                self.turn(time, LaneState::Idle);
            }
            // Its run began while nothing of it was logged.
            LaneState::Idle if dialect.can_pause => {
                sink.lost(Lost::UnloggedBegin);
                sink.unlogged(Watched::Threads, self.since, time);
                sink.span(Span { start: self.since, end: time, ..in_state(LOST) });
                self.turn(time, LaneState::Idle);
            }
            // Impossible; seen where records were lost.
            LaneState::Idle | LaneState::Requested | LaneState::Collect(_) | LaneState::Done(_) => {
                sink.lost(Lost::Begin)
            }
        }
    }

    /// Something begins after an idle stretch.
    #[inline(always)]
    fn rise(&mut self, time: Nanos, doing: LaneState, sink: &mut impl Sink) {
        // Most idle stretches are short, and need not be reported.
        if time.0 - self.since.0 >= limits::REST.0 {
            sink.rest(self.since, time);
        }
        self.turn(time, doing);
    }

    #[inline(always)]
    fn turn(&mut self, time: Nanos, doing: LaneState) {
        self.since = time;
        self.doing = doing;
    }

    /// The span that is open now, as if it ended at `end`; `None` when idle.
    pub(crate) fn open(&self, end: Nanos, ending: Ending) -> Option<Span> {
        let span = Span { thread: self.thread(), ..in_state(self.state()?) };
        Some(Span { start: self.since, end: end.max(self.since), ending, ..span })
    }

    /// The state that it is in, by number; `None` when idle.
    #[inline]
    pub(crate) fn state(&self) -> Option<u8> {
        match self.doing {
            LaneState::Idle => None,
            LaneState::Run(_) => Some(RUNNING),
            LaneState::Requested => Some(GC_SYNC),
            LaneState::Collect(state) => Some(state),
            LaneState::Done(_) => Some(GC_WAIT),
            LaneState::Unknown => Some(LOST),
        }
    }

    /// The thread that it runs.
    #[inline]
    pub(crate) fn thread(&self) -> Option<ThreadId> {
        match self.doing {
            LaneState::Run(thread) => Some(thread),
            LaneState::Idle
            | LaneState::Requested
            | LaneState::Collect(_)
            | LaneState::Done(_)
            | LaneState::Unknown => None,
        }
    }

    /// Whether its state is still the same one later on.
    pub(crate) fn goes_on(&self, later: &Self) -> bool {
        let open = |lane: &Self| (lane.since, lane.state(), lane.thread());
        open(self) == open(later)
    }

    /// Whether it has followed no event yet.
    pub(crate) fn is_fresh(&self) -> bool {
        self.fresh
    }

    /// When what it is doing began.
    pub(crate) fn since(&self) -> Nanos {
        self.since
    }
}

/// A span in which a thread ran, without its times and its ending.
const fn running(thread: ThreadId) -> Span {
    Span { thread: Some(thread), ..in_state(RUNNING) }
}

/// A span in a state, given by its number, without its times.
const fn in_state(state: u8) -> Span {
    Span { start: Nanos(0), end: Nanos(0), thread: None, state, ending: Ending::Next, open_start: false }
}

#[cfg(test)]
mod tests;
