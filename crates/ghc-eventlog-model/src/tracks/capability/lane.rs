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
    /// Events were lost in its state, so that its end may be missing for that reason.
    damaged: bool,
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
        Self { since: at, doing, fresh: true, requested: false, leads: false, damaged: false }
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
                    sink.span(Span { start: self.since, end: time, ..collecting(state) });
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
        sink.span(Span { start: self.since, end: time, ..collecting(GC_SYNC) });
        self.turn(time, next);
    }

    /// A phase of a collection. Impossible outside of one, except if the log began within a collection.
    #[inline(always)]
    fn phase(&mut self, time: Nanos, state: u8, dialect: Dialect, sink: &mut impl Sink) {
        match self.doing {
            LaneState::Collect(before) if before != state => {
                sink.span(Span { start: self.since, end: time, ..collecting(before) });
                self.turn(time, LaneState::Collect(state));
            }
            LaneState::Done(_) if state != GC_WAIT => {
                sink.span(Span { start: self.since, end: time, ..collecting(GC_WAIT) });
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

    /// Events after `time`, the time of the last event, were lost: anything may have begun or ended. The current state may
    /// continue. Returns whether it is unknown from now on.
    pub(crate) fn lose_sight(&mut self, time: Nanos) -> bool {
        let is_idle = self.doing == LaneState::Idle;
        if is_idle {
            self.turn(time.max(self.since), LaneState::Unknown);
        }
        self.damaged = true;
        is_idle
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
        let missing = missing.filter(|_| self.is_switched_off(dialect));
        if ending == Ending::Lost {
            sink.lost(if missing.is_some() { Lost::UnloggedEnd } else { Lost::End });
        }
        match missing {
            Some(class) => {
                sink.unlogged(class, self.since, time);
                self.open(self.since, Ending::Unlogged).into_iter().for_each(|span| sink.span(span));
                sink.span(Span { start: self.since, end: time, ..collecting(LOST) });
            }
            None => self.open(time, ending).into_iter().for_each(|span| sink.span(span)),
        }
        self.leads = false;
        self.turn(time, next);
    }

    /// Whether an event that is missing was not logged, rather than lost.
    fn is_switched_off(&self, dialect: Dialect) -> bool {
        !self.damaged && dialect.can_pause
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
            LaneState::Run(_) | LaneState::Unknown => self.lose(time, LaneState::Idle, dialect, sink),
            // The thread ran when the log began.
            LaneState::Idle if self.fresh => {
                let ending = Ending::Stopped(reason);
                sink.span(Span { start: self.since, end: time, ending, open_start: true, ..running(thread) });
                self.turn(time, LaneState::Idle);
            }
            // Its run began while nothing of it was logged.
            LaneState::Idle if self.is_switched_off(dialect) => {
                sink.lost(Lost::UnloggedBegin);
                sink.unlogged(Watched::Threads, self.since, time);
                sink.span(Span { start: self.since, end: time, ..collecting(LOST) });
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
        self.damaged = false;
    }

    /// The span that is open now, as if it ended at `end`; `None` when idle.
    pub(crate) fn open(&self, end: Nanos, ending: Ending) -> Option<Span> {
        let span = match self.doing {
            LaneState::Idle => return None,
            LaneState::Run(thread) => running(thread),
            LaneState::Requested => collecting(GC_SYNC),
            LaneState::Collect(state) => collecting(state),
            LaneState::Done(_) => collecting(GC_WAIT),
            LaneState::Unknown => collecting(LOST),
        };
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
        let open = |lane: &Self| lane.open(lane.since, Ending::Open);
        self.since == later.since && open(self) == open(later)
    }

    /// Whether events were lost while its thread ran: what else it did then is not known.
    pub(crate) fn is_damaged(&self) -> bool {
        self.damaged
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
    Span { thread: Some(thread), ..collecting(RUNNING) }
}

/// A span of a phase of a collection, without its times.
const fn collecting(state: u8) -> Span {
    Span { start: Nanos(0), end: Nanos(0), thread: None, state, ending: Ending::Next, open_start: false }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::{
        machine::{KeptRow, Placed},
        sample::Sample,
    };
    use alloc::{string::String, vec, vec::Vec};
    use ghc_eventlog::{CapNo, StatusNumbering};

    const TODAY: Dialect = Dialect {
        numbering: StatusNumbering::Usual,
        has_global_sync: true,
        one_capability: false,
        threads: crate::terms::numbering::Numbering { added: 0 },
        can_pause: true,
    };

    impl Sink for Vec<Span> {
        fn span(&mut self, span: Span) {
            self.push(span);
        }

        fn sample<K: Placed>(&mut self, _: Sample) {}

        fn add<K: Placed>(&mut self, _: usize, _: u64, _: Nanos) {}

        fn reach<K: Placed>(&mut self, _: usize, _: u64, _: Nanos) {}

        fn row(&mut self, _: KeptRow) {}

        fn lost(&mut self, _: Lost) {}
    }

    /// Plays events drawn in characters, 10 ns each: digits run that thread, `)` stops it, `?` requests a collection, `(` starts it, `w`, `i`,
    /// `d` are its phases, `s` says that it leads the collection, `]` ends it; at `*` events are lost. Draws the lane in the same way: `.` is idle, `?` a lost end,
    /// `~` unknown.
    fn play(events: &str) -> String {
        play_in(TODAY, events)
    }

    fn play_in(dialect: Dialect, events: &str) -> String {
        let mut lane = Lane::starting(Nanos(0));
        let mut spans: Vec<Span> = Vec::new();
        let mut thread = 9u32;
        for (at, letter) in events.bytes().enumerate() {
            let time = Nanos(at as u64 * 10);
            let (tag, payload) = match letter {
                b'*' => {
                    lane.lose_sight(time);
                    continue;
                }
                b'0'..=b'9' => {
                    thread = u32::from(letter - b'0');
                    (RunThread::TAG, thread.to_be_bytes().to_vec())
                }
                b')' => (StopThread::TAG, [&thread.to_be_bytes()[..], &[0, 5, 0, 0, 0, 0]].concat()),
                b'?' => (RequestParGc::TAG, vec![]),
                b'(' => (GcStart::TAG, vec![]),
                b'w' => (GcWork::TAG, vec![]),
                b'i' => (GcIdle::TAG, vec![]),
                b'd' => (GcDone::TAG, vec![]),
                b's' => (GcGlobalSync::TAG, vec![]),
                b']' => (GcEnd::TAG, vec![]),
                _ => continue,
            };
            let record = Record { offset: 0, time, tag, cap: Some(CapNo(0)), known: true, payload: &payload };
            lane.step(record, dialect, &mut spans);
        }
        spans.extend(lane.open(Nanos(events.len() as u64 * 10), Ending::Open));
        draw(events.len(), &spans)
    }

    fn draw(width: usize, spans: &[Span]) -> String {
        let mut lane = vec!['.'; width];
        for span in spans {
            let state = ['r', 'w', 'i', 'o', '~'][usize::from(span.state)];
            let state = span.thread.map_or(state, |thread| char::from_digit(thread.0, 10).unwrap());
            let (from, to) = ((span.start.0 / 10) as usize, (span.end.0 / 10) as usize);
            lane[from..to].fill(state);
            match span.ending {
                Ending::Lost if to > from => lane[to - 1] = '?',
                _ => {}
            }
        }
        lane.into_iter().collect()
    }

    #[test]
    fn threads_run_and_stop() {
        let events = "1    )   2  )3 ) ";
        let drawn_ = "11111....222.33..";
        assert_eq!(play(events), drawn_);
    }

    #[test]
    fn a_collection_has_phases() {
        let events = "1  )(  w   i d  w d ] 2 ) ";
        let drawn_ = "111.ooowwwwiiiiiwwii..22..";
        assert_eq!(play(events), drawn_);
    }

    #[test]
    fn who_requests_a_collection_waits_for_it_from_then_on() {
        assert_eq!(play("1 ) ? ( w ] "), "11..ooooww..");
        // A thread that still runs goes on running.
        assert_eq!(play("1 ? ) ( w ] "), "1111ooooww..");
        // Another capability was faster.
        assert_eq!(play("1 ) ? 2 )   "), "11..oo22....");
        assert_eq!(play("1 ) ? w ]   "), "11..ooww....");
        assert_eq!(play("1 ) ? ]     "), "11..oo......");
        assert_eq!(play("1 ) ?       "), "11..oooooooo");
        assert_eq!(play("1 ) * ? ( ] "), "11..~~oooo..");
        // The stop was lost: what comes after a later run is not about that request.
        assert_eq!(play("1 ?*( w ] 2 ) "), "111?ooww..22..");
    }

    /// What the lane hands on of collections that it leads.
    #[derive(Default)]
    struct Tails(Vec<(u64, u64)>);

    impl Sink for Tails {
        fn span(&mut self, _: Span) {}

        fn sample<K: Placed>(&mut self, _: Sample) {}

        fn add<K: Placed>(&mut self, _: usize, _: u64, _: Nanos) {}

        fn reach<K: Placed>(&mut self, _: usize, _: u64, _: Nanos) {}

        fn tail(&mut self, from: Nanos, to: Nanos) {
            self.0.push((from.0, to.0));
        }

        fn row(&mut self, _: KeptRow) {}

        fn lost(&mut self, _: Lost) {}
    }

    /// Plays phases of collections, one ns each.
    fn tails(events: &str) -> Vec<(u64, u64)> {
        let (mut lane, mut tails) = (Lane::starting(Nanos(0)), Tails::default());
        for (at, letter) in (0..).zip(events.bytes()) {
            let tag = match letter {
                b'(' => GcStart::TAG,
                b'w' => GcWork::TAG,
                b'i' => GcIdle::TAG,
                b'd' => GcDone::TAG,
                b's' => GcGlobalSync::TAG,
                b']' => GcEnd::TAG,
                _ => continue,
            };
            let record = Record { offset: 0, time: Nanos(at), tag, cap: Some(CapNo(0)), known: true, payload: &[] };
            lane.step(record, TODAY, &mut tails);
        }
        tails.0
    }

    #[test]
    fn who_leads_a_collection_has_a_time_between_its_work_and_its_end() {
        assert_eq!(tails("(wid  s]"), [(3, 7)]);
        assert_eq!(tails("(wididid  s]"), [(7, 11)], "from the last time that it was done");
        assert_eq!(tails("(wid  ]"), [], "it helps only");
        assert_eq!(tails("(wid s  wid  ]"), [(10, 13)]);
        assert_eq!(tails("(w  s]  (id ]"), [], "it is not seen to be done, and then it helps");
        assert_eq!(tails("s(id ]"), [], "outside of a collection");
    }

    #[test]
    fn repeated_phases_are_one() {
        assert_eq!(play("( w w  w ]"), "oowwwwwww.");
    }

    #[test]
    fn a_thread_already_running_began_with_the_log() {
        assert_eq!(play("     )  1 )"), "99999...11.");
    }

    #[test]
    fn a_collection_already_running_is_seen_from_its_first_phase() {
        assert_eq!(play("   d ]"), "...ii.");
    }

    #[test]
    fn lost_events_leave_no_hole_and_no_overlap() {
        assert_eq!(play("1 *  2  ) "), "1111?222..");
        assert_eq!(play("1 *  (  ] "), "1111?ooo..");
        assert_eq!(play("( * 3  )  "), "ooo?333...");
        assert_eq!(play("1)* )  ]  "), "1.~~......");
    }

    /// Without a loss, what is missing was not logged: nothing is known until the lane's next event.
    #[test]
    fn what_is_not_logged_is_not_known() {
        assert_eq!(play("1    2  ) "), "~~~~~222..");
        assert_eq!(play("1    (  ] "), "~~~~~ooo..");
        assert_eq!(play("(   3  )  "), "~~~~333...");
        assert_eq!(play("1)  )  ]  "), "1~~~......");
        assert_eq!(play("1 ? ( w ] 2 ) "), "~~~~ooww..22..");
        // Before GHC 10 no program can do that.
        let old = Dialect { can_pause: false, ..TODAY };
        assert_eq!(play_in(old, "1    2  ) "), "1111?222..");
        assert_eq!(play_in(old, "1)  )  ]  "), "1.........");
    }

    #[test]
    fn lost_time_is_not_idle_until_the_lane_s_next_event() {
        assert_eq!(play("1 ) * 2 ) "), "11..~~22..");
        assert_eq!(play("1 ) *   ) "), "11..~~~~..");
        assert_eq!(play("1 ) * ( ] "), "11..~~oo..");
        assert_eq!(play("1 ) * d ] "), "11..~~ii..");
        assert_eq!(play("1 ) *   ] "), "11..~~~~..");
        assert_eq!(play("1 ) * * 2 "), "11..~~~~22");
        assert_eq!(play("1 ) *     "), "11..~~~~~~");
        // The current state may continue.
        assert_eq!(play("1 * )   "), "1111....");
        assert_eq!(play("( * ]   "), "oooo....");
    }

    #[test]
    fn what_is_open_at_the_end_is_open() {
        let mut lane = Lane::starting(Nanos(0));
        let payload = 7u32.to_be_bytes();
        let run = Record { offset: 0, time: Nanos(5), tag: RunThread::TAG, cap: None, known: true, payload: &payload };
        lane.step(run, TODAY, &mut Vec::new());
        let span = lane.open(Nanos(50), Ending::Open).unwrap();
        assert_eq!((span.start, span.end, span.thread), (Nanos(5), Nanos(50), Some(ThreadId(7))));
    }

    #[test]
    fn time_going_back_makes_no_negative_span() {
        let mut lane = Lane::starting(Nanos(0));
        let event = |time, tag| Record { offset: 0, time: Nanos(time), tag, cap: None, known: true, payload: &[] };
        let mut spans = Vec::new();
        lane.step(event(100, GcStart::TAG), TODAY, &mut spans);
        lane.step(event(90, GcEnd::TAG), TODAY, &mut spans);
        assert_eq!((spans[0].start, spans[0].end), (Nanos(100), Nanos(100)));
    }
}
