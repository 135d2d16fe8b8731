//! A capability's lane: the thread that runs, or what its collector does, or nothing (STATISTICS, "Capability states").
//!
//! ```text
//! RUN_THREAD 1   STOP_THREAD   GC_START  GC_WORK  GC_DONE  GC_END
//!      |111111111111|             |ooooooo|wwwwwwww|ddddddd|
//! ```
//!
//! Works in file order. The states partition the capability's time: what lies between spans is idle.

use super::State;
use crate::span::{Ending, Span};
use ghc_eventlog::{
    GcDone, GcEnd, GcIdle, GcStart, GcWork, Nanos, Record, RunThread, StatusNumbering, StopThread, ThreadId,
};

/// The lane's states, by number. Idle is what is left.
pub(crate) const STATES: &[State] = &[
    State { name: "running", role: "running" },
    State { name: "GC working", role: "gc-working" },
    State { name: "GC idle", role: "gc-idle" },
    State { name: "GC done", role: "gc-idle" },
    State { name: "GC sync", role: "gc-sync" },
];

/// The number of the state in which a thread runs.
pub(crate) const RUNNING: u8 = 0;
const GC_WORKING: u8 = 1;
const GC_IDLE: u8 = 2;
const GC_DONE: u8 = 3;
const GC_OTHER: u8 = 4;

/// What a capability is doing, and since when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Lane {
    since: Nanos,
    doing: Doing,
    /// Nothing of this lane has been seen yet: what it is doing began before the log.
    fresh: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Doing {
    Idle,
    Run(ThreadId),
    /// A GC state's number.
    Collect(u8),
}

impl Lane {
    pub(crate) const WANTS: &[u16] =
        &[RunThread::TAG, StopThread::TAG, GcStart::TAG, GcWork::TAG, GcIdle::TAG, GcDone::TAG, GcEnd::TAG];

    pub(crate) fn starting(at: Nanos) -> Self {
        Self { since: at, doing: Doing::Idle, fresh: true }
    }

    /// Follows one event; the span that it ends, if it ends one.
    #[inline(always)]
    pub(crate) fn step(&mut self, record: Record<'_>, numbering: StatusNumbering) -> Option<Span> {
        let time = record.time;
        let span = match (record.tag, self.doing) {
            (RunThread::TAG, doing) => {
                let ending = match doing {
                    // Normal.
                    Doing::Idle => Ending::Next,
                    // Impossible; seen where records were lost or logging was off.
                    Doing::Run(_) | Doing::Collect(_) => Ending::Lost,
                };
                let thread = RunThread::read(record.payload).thread;
                self.turn(time, Doing::Run(thread), ending)
            }
            (StopThread::TAG, doing) => {
                let stop = StopThread::read(record.payload);
                match doing {
                    // Another thread's stop is impossible; seen where records were lost: its own stop is, and a run.
                    Doing::Run(thread) if thread != stop.thread => self.turn(time, Doing::Idle, Ending::Lost),
                    // Normal.
                    Doing::Run(_) => self.turn(time, Doing::Idle, Ending::Stopped(stop.status.reason(numbering))),
                    // The thread ran when the log began.
                    Doing::Idle if self.fresh => {
                        self.doing = Doing::Run(stop.thread);
                        let ending = Ending::Stopped(stop.status.reason(numbering));
                        self.turn(time, Doing::Idle, ending).map(|span| Span { open_start: true, ..span })
                    }
                    // Impossible; seen where records were lost.
                    Doing::Idle | Doing::Collect(_) => None,
                }
            }
            // Threads are stopped before a collection; a running one lost its stop.
            (GcStart::TAG, Doing::Run(_)) => self.turn(time, Doing::Collect(GC_OTHER), Ending::Lost),
            (GcStart::TAG, Doing::Idle) => self.turn(time, Doing::Collect(GC_OTHER), Ending::Next),
            // Impossible.
            (GcStart::TAG, Doing::Collect(_)) => None,
            (GcWork::TAG, doing) => self.phase(time, doing, GC_WORKING),
            (GcIdle::TAG, doing) => self.phase(time, doing, GC_IDLE),
            (GcDone::TAG, doing) => self.phase(time, doing, GC_DONE),
            (GcEnd::TAG, Doing::Collect(_)) => self.turn(time, Doing::Idle, Ending::Next),
            _ => None,
        };
        self.fresh = false;
        span
    }

    /// A phase of a collection. Outside of one it is impossible, save where the log began within a collection.
    fn phase(&mut self, time: Nanos, doing: Doing, state: u8) -> Option<Span> {
        match doing {
            Doing::Collect(before) if before == state => None,
            Doing::Collect(_) => self.turn(time, Doing::Collect(state), Ending::Next),
            Doing::Idle if self.fresh => self.turn(time, Doing::Collect(state), Ending::Next),
            Doing::Idle | Doing::Run(_) => None,
        }
    }

    fn turn(&mut self, time: Nanos, doing: Doing, ending: Ending) -> Option<Span> {
        let span = self.open(time.max(self.since), ending);
        self.since = time.max(self.since);
        self.doing = doing;
        span
    }

    /// The span that is open now, as if it ended at `end`; `None` when idle.
    pub(crate) fn open(&self, end: Nanos, ending: Ending) -> Option<Span> {
        let (state, thread) = match self.doing {
            Doing::Idle => return None,
            Doing::Run(thread) => (RUNNING, Some(thread)),
            Doing::Collect(state) => (state, None),
        };
        Some(Span { start: self.since, end: end.max(self.since), thread, state, ending, open_start: false })
    }

    /// When what it is doing began.
    pub(crate) fn since(&self) -> Nanos {
        self.since
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::{string::String, vec, vec::Vec};
    use ghc_eventlog::CapNo;

    /// Plays events drawn in characters, one each 10 ns: digits run that thread, `)` stops it, `(` starts a collection,
    /// `w`, `i`, `d` its phases, `]` ends it. Draws the lane in the same way, `.` for idle, `?` for a lost end.
    fn play(events: &str) -> String {
        let mut lane = Lane::starting(Nanos(0));
        let mut spans: Vec<Span> = Vec::new();
        let mut thread = 9u32;
        for (at, letter) in events.bytes().enumerate() {
            let (tag, payload) = match letter {
                b'0'..=b'9' => {
                    thread = u32::from(letter - b'0');
                    (RunThread::TAG, thread.to_be_bytes().to_vec())
                }
                b')' => (StopThread::TAG, [&thread.to_be_bytes()[..], &[0, 5, 0, 0, 0, 0]].concat()),
                b'(' => (GcStart::TAG, vec![]),
                b'w' => (GcWork::TAG, vec![]),
                b'i' => (GcIdle::TAG, vec![]),
                b'd' => (GcDone::TAG, vec![]),
                b']' => (GcEnd::TAG, vec![]),
                _ => continue,
            };
            let time = Nanos(at as u64 * 10);
            let record = Record { offset: 0, time, tag, cap: Some(CapNo(0)), known: true, payload: &payload };
            spans.extend(lane.step(record, StatusNumbering::Usual));
        }
        spans.extend(lane.open(Nanos(events.len() as u64 * 10), Ending::Open));
        draw(events.len(), &spans)
    }

    fn draw(width: usize, spans: &[Span]) -> String {
        let mut lane = vec!['.'; width];
        for span in spans {
            let state = ['r', 'w', 'i', 'd', 'o'][usize::from(span.state)];
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
        let drawn_ = "111.ooowwwwiidddwwdd..22..";
        assert_eq!(play(events), drawn_);
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
        assert_eq!(play("   d ]"), "...dd.");
    }

    #[test]
    fn lost_events_leave_no_hole_and_no_overlap() {
        assert_eq!(play("1    2  ) "), "1111?222..");
        assert_eq!(play("1    (  ] "), "1111?ooo..");
        assert_eq!(play("(   3  )  "), "ooo?333...");
        assert_eq!(play("1)  )  ]  "), "1.........");
    }

    #[test]
    fn what_is_open_at_the_end_is_open() {
        let mut lane = Lane::starting(Nanos(0));
        let payload = 7u32.to_be_bytes();
        let run = Record { offset: 0, time: Nanos(5), tag: RunThread::TAG, cap: None, known: true, payload: &payload };
        lane.step(run, StatusNumbering::Usual);
        let span = lane.open(Nanos(50), Ending::Open).unwrap();
        assert_eq!((span.start, span.end, span.thread), (Nanos(5), Nanos(50), Some(ThreadId(7))));
    }

    #[test]
    fn time_going_back_makes_no_negative_span() {
        let mut lane = Lane::starting(Nanos(0));
        let event = |time, tag| Record { offset: 0, time: Nanos(time), tag, cap: None, known: true, payload: &[] };
        lane.step(event(100, GcStart::TAG), StatusNumbering::Usual);
        let span = lane.step(event(90, GcEnd::TAG), StatusNumbering::Usual).unwrap();
        assert_eq!((span.start, span.end), (Nanos(100), Nanos(100)));
    }
}
