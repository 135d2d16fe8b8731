//! Lanes drawn in characters: see [`play`].

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
        if letter == b'*' {
            spans.extend(lane.lose_sight(time).1);
            continue;
        }
        let Some((tag, payload)) = event(letter, &mut thread) else { continue };
        let record = Record { offset: 0, time, tag, cap: Some(CapNo(0)), known: true, payload: &payload };
        lane.step(record, dialect, &mut spans);
    }
    spans.extend(lane.open(Nanos(events.len() as u64 * 10), Ending::Open));
    draw(events.len(), &spans)
}

/// The event that a letter stands for, and its payload. `thread` is the thread that ran last.
fn event(letter: u8, thread: &mut u32) -> Option<(u16, Vec<u8>)> {
    let phase = |tag| Some((tag, vec![]));
    match letter {
        b'0'..=b'9' => {
            *thread = u32::from(letter - b'0');
            Some((RunThread::TAG, thread.to_be_bytes().to_vec()))
        }
        b')' => Some((StopThread::TAG, [&thread.to_be_bytes()[..], &[0, 5, 0, 0, 0, 0]].concat())),
        b'?' => phase(RequestParGc::TAG),
        b'(' => phase(GcStart::TAG),
        b'w' => phase(GcWork::TAG),
        b'i' => phase(GcIdle::TAG),
        b'd' => phase(GcDone::TAG),
        b's' => phase(GcGlobalSync::TAG),
        b']' => phase(GcEnd::TAG),
        _ => None,
    }
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
    assert_eq!(play("1 ?*( w ] 2 ) "), "11?~ooww..22..");
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
        let Some((tag, payload)) = event(letter, &mut 0) else { continue };
        let record = Record { offset: 0, time: Nanos(at), tag, cap: Some(CapNo(0)), known: true, payload: &payload };
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
    assert_eq!(play("1 *  2  ) "), "1?~~~222..");
    assert_eq!(play("1 *  (  ] "), "1?~~~ooo..");
    assert_eq!(play("( * 3  )  "), "o?~~333...");
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
    // What goes on at the loss may have ended and begun again many times.
    assert_eq!(play("1 * )   "), "1?~~....");
    assert_eq!(play("( * ]   "), "o?~~....");
    assert_eq!(play("1 * * )   "), "1?~~~~....");
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
