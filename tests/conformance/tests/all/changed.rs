//! Every question notices if the file has changed after it was read, and never answers from the new contents.

use conformance::arranged;
use ghc_eventlog::{Block, CapNo, LogWriter, Nanos, RunThread, StopStatus, StopThread, Text, ThreadId, UserMarker};
use ghc_eventlog_model::{Changed, Direction, EventsWish, Job, Model, TrackId, View, limits};

/// How long the log is, in events of two sorts: many segments.
const RUNS: u64 = 50_000;

/// How long a run and a pause take together, in nanoseconds.
const APART: u64 = 1000;

/// A log in which a thread runs now and then, for `lasts` each time, and marks it. All other bytes are the same.
fn log(lasts: u64) -> Vec<u8> {
    let mut log = LogWriter::new();
    log.block(Block::of(CapNo(0)), |block| {
        for run in 0..RUNS {
            let (thread, at) = (ThreadId(1), run * APART + 1);
            block.event(Nanos(at), RunThread { thread });
            block.event(Nanos(at), UserMarker { text: Text(b"here") });
            block.event(Nanos(at + lasts), StopThread { thread, status: StopStatus(5), info: None });
        }
    });
    log.end();
    log.finish()
}

/// Passes everything that a job needs from `file`, until it notices a change; `None` if it needs nothing.
fn answered(job: &mut dyn Job, model: &mut Model, file: &[u8]) -> Option<Result<(), Changed>> {
    let mut last = None;
    loop {
        let reads = job.reads(model);
        for &(offset, length) in &reads {
            let given = job.give(model, offset, &file[offset as usize..(offset + length) as usize]);
            if given.is_err() {
                return Some(given);
            }
            last = Some(given);
        }
        if reads.is_empty() {
            return last;
        }
    }
}

/// All questions that read the file again, for a model of `read` when the file now is `there`.
fn answers(read: &[u8], there: &[u8]) -> Vec<(&'static str, Option<Result<(), Changed>>)> {
    let model = || {
        let mut model = Model::of_size(Some(read.len() as u64));
        model.feed(read);
        model.finish();
        model
    };
    let (from, to) = (Nanos(RUNS * APART / 2), Nanos(RUNS * APART / 2 + 5 * APART));
    let lane = TrackId::capability(CapNo(0));
    let mut answers = Vec::new();
    let mut ask = |name, job: &mut dyn Job, mut model: Model| answers.push((name, answered(job, &mut model, there)));

    let of_lane = model();
    ask("a pixel of a lane", &mut of_lane.look_up(&arranged(&of_lane), lane, from, Nanos(from.0 + 10)), of_lane);
    let of_lane = model();
    ask("the next span", &mut of_lane.neighbour(&arranged(&of_lane), lane, from, Direction::Next), of_lane);
    let mut of_range = model();
    ask("a range", &mut of_range.range(from, to).unwrap(), of_range);
    let all = |by_time| EventsWish { by_time, ..EventsWish::default() };
    let of_type = EventsWish { types: Some(vec![58]), ..EventsWish::default() };
    let of_rows = model();
    ask("some events", &mut of_rows.event_rows(&all(false), RUNS as usize, 10).unwrap(), of_rows);
    let of_rows = model();
    ask("those of a type", &mut of_rows.event_rows(&of_type, RUNS as usize / 2, 10).unwrap(), of_rows);

    let of_rows = model();
    ask("events in order of time", &mut of_rows.event_rows(&all(true), RUNS as usize, 10).unwrap(), of_rows);
    let mut of_rows = model();
    let query = EventsWish { query: "thread".into(), ..EventsWish::default() };
    ask("events that fit a query", &mut of_rows.count_events(&query).unwrap().unwrap(), of_rows);
    let of_rows = model();
    ask("the row of a moment", &mut of_rows.event_place(&all(true), from).unwrap().unwrap(), of_rows);
    let of_rows = model();
    ask("an event", &mut of_rows.event_details(1 << 16), of_rows);

    let mut of_window = model();
    let view = View { from, to, width: 100 };
    let mut supplied = None;
    while let Some(&(offset, length)) = of_window.plan(view).reads.first() {
        supplied = Some(of_window.supply(offset, &there[offset as usize..(offset + length) as usize]));
        if supplied == Some(Err(Changed)) {
            break;
        }
    }
    let plan = of_window.plan(view);
    assert_eq!(of_window.window(&arranged(&of_window), &plan, lane).exact, supplied == Some(Ok(())));
    answers.push(("a window", supplied));
    answers
}

#[test]
fn every_question_notices_a_changed_file() {
    let (first, second) = (log(300), log(301));
    assert_eq!(first.len(), second.len());
    assert!(first.len() as u64 > 10 * limits::SEGMENT_HARD);
    for (name, answer) in answers(&first, &second) {
        assert_eq!(answer, Some(Err(Changed)), "{name}");
    }
    for (name, answer) in answers(&first, &first) {
        assert_eq!(answer, Some(Ok(())), "{name}");
    }
}

/// The same for a file that was truncated, or overwritten with something else.
#[test]
fn every_question_notices_a_file_that_is_no_longer_a_log() {
    let log = log(300);
    for there in [vec![0; log.len()], vec![0x55; log.len()], log.iter().rev().copied().collect()] {
        for (name, answer) in answers(&log, &there) {
            assert_eq!(answer, Some(Err(Changed)), "{name}");
        }
    }
}
