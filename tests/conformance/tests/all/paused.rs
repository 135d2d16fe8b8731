//! Classes of events that the program switches off and on again while it runs: no event tells, and nothing is known meanwhile.

use crate::disabled::{at, drawn, lane, log_of_runtime, pointed_at, without_threads};
use conformance::{
    agree, arranged, decode_in_steps, exact_plan, model_in_steps, replay, shared_logs, spans, whole_range,
    without_records,
};
use ghc_eventlog::{
    Block, Breakdown, CStr, CapNo, CapsetId, CreateThread, GcEnd, GcGlobalSync, GcIdle, GcStart, GcWork, HeapAllocated,
    HeapProfBegin, HeapProfSampleBegin, HeapProfSampleEnd, HeapProfSampleString, HeapSize, LogWriter, MigrateThread,
    Nanos, RtsIdentifier, RunThread, SparkCounters, StopStatus, StopThread, Text, ThreadId, ThreadLabel, ThreadWakeup,
};
use ghc_eventlog_model::{Model, Track, TrackId, View};
use std::{collections::BTreeMap, fs};

/// What threads do is not logged from the run of 3 on, which does not end there, until the run of 4; collections are.
const LANES: [&str; 3] = [
    "c 1 )  2 )   3             (  ]   (  ]      4 )     d", //
    "c 5  )                                        6  )  d",
    "c   7   )     (  ]                                  d",
];
const DRAWN: [&str; 3] = [
    "..11...22....~~~~~~~~~~~~~~www~~~~www~~~~~~~44......~", //
    "..555........~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~..666...~",
    "....7777.....~www~~~~~~~~~~~~~~~~~~~~~~~~~~~........~",
];

#[test]
fn what_is_not_logged_is_not_known() {
    for last in ["cd-+", ""] {
        let log = log_of_runtime(RUNTIME, &LANES, last);
        let mut model = model_in_steps(&log, 1 << 20);
        for (cap, drawing) in (0..).zip(DRAWN) {
            let width = drawing.len();
            assert_eq!(pointed_at(&mut model, &log, cap, width), drawing, "pointed at");
            assert_eq!(drawn(&mut model, &log, cap, width, true), without_threads(drawing), "exactly");
            assert_eq!(drawn(&mut model, &log, cap, width, false), without_threads(drawing), "from the overview");
            // The states divide the time.
            let is_near = |time: Nanos, letter: char, less: usize| {
                time.0.abs_diff(at(drawing.matches(letter).count() - less).0) < 5_000
            };
            let of = |name| total(&model, lane(cap), name);
            assert!(is_near(of("not known"), '~', 1), "{:?}", of("not known"));
            assert!(is_near(of("idle"), '.', 0), "{:?}", of("idle"));
        }
        agree(&log, &mut fastrand::Rng::with_seed(3)).unwrap();
    }
}

/// The time that a track was in a state, by its name.
fn total(model: &Model, track: TrackId, name: &str) -> Nanos {
    let states = model.track(&arranged(model), track).unwrap().states;
    let totals = model.totals(&arranged(model), track);
    totals[states.iter().position(|state| state.name == name).unwrap()]
}

const MS: u64 = 1_000_000;

/// Programs can switch classes off since GHC 10.
const RUNTIME: &str = "GHC-10.0.1 rts_thr";

/// Begins a log of such a program.
fn begun() -> LogWriter {
    let mut log = LogWriter::new();
    log.block(Block::GLOBAL, |block| {
        block.event(Nanos(0), RtsIdentifier { capset: CapsetId(0), text: Text(RUNTIME.as_bytes()) });
    });
    log
}

/// The same in a log that another version wrote: "GHC-9.10.3" becomes "GHC-9910.3".
fn as_if_of_ghc_10(mut log: Vec<u8>) -> Vec<u8> {
    let version = log.windows(6).position(|bytes| bytes == b"GHC-9.");
    version.into_iter().for_each(|at| log[at + 5] = b'9');
    log
}

/// A track by its name.
fn track(model: &Model, name: &str) -> Track {
    let tracks = model.tracks(&arranged(model));
    let names: Vec<String> = tracks.iter().map(|track| track.name.for_json()).collect();
    let place = names.iter().position(|other| other == name);
    place.map(|place| tracks[place].clone()).unwrap_or_else(|| panic!("{name} of {names:?}"))
}

/// Threads that wait, or run, when what they do is not logged any more: nothing is known of them until their next event.
#[test]
fn threads_are_not_known_while_they_are_not_logged() {
    let mut log = begun();
    log.block(Block::of(CapNo(0)), |block| {
        let stop = |thread, status| StopThread { thread, status: StopStatus(status), info: Some(0) };
        let [waits, runs, late] = [1, 2, 3].map(ThreadId);
        block.event(Nanos(0), CreateThread { thread: waits }).event(Nanos(0), CreateThread { thread: runs });
        block.event(Nanos(MS), RunThread { thread: waits }).event(Nanos(2 * MS), stop(waits, 8));
        block.event(Nanos(3 * MS), RunThread { thread: runs });
        // Here the class is switched off.
        block.event(Nanos(20 * MS), GcStart {}).event(Nanos(21 * MS), GcEnd {});
        block.event(Nanos(30 * MS), CreateThread { thread: late }).event(Nanos(30 * MS), RunThread { thread: late });
        block.event(Nanos(31 * MS), stop(late, 5));
        block.event(Nanos(40 * MS), RunThread { thread: waits }).event(Nanos(41 * MS), stop(waits, 5));
    });
    log.end();
    let log = log.finish();
    let mut model = model_in_steps(&log, log.len());
    replay(&mut model, &log);
    let mut states = |name: &str| -> Vec<(&'static str, u64, u64)> {
        let track = track(&model, name);
        let all = spans(&mut model, &log, track.id);
        all.iter()
            .map(|span| (track.states[usize::from(span.state)].name, span.start.0 / MS, span.end.0 / MS))
            .collect()
    };
    let waits = [("runnable", 0, 1), ("running", 1, 2), ("blocked", 2, 3), ("not known", 3, 40), ("running", 40, 41)];
    assert_eq!(states("thread 1"), waits);
    assert_eq!(states("thread 2"), [("runnable", 0, 3), ("not known", 3, 41)]);
    assert_eq!(states("thread 3"), [("running", 30, 31)]);
}

/// What is drawn of a line: a letter for each pixel, `~` if it is not known, `0` for 0 and `1` for more.
fn line(model: &mut Model, log: &[u8], name: &str, ms: u64) -> String {
    let track = track(model, name);
    let plan = exact_plan(model, log, View { from: Nanos(0), to: Nanos(ms * MS), width: ms as usize });
    let window = model.window(&arranged(model), &plan, track.id);
    let pixel = |pixel: &[f32]| if pixel[2].is_nan() { '~' } else { char::from(b'0' + u8::from(pixel[2] > 0.0)) };
    window.values.chunks(4).map(pixel).collect()
}

/// Sparks are counted at the end of each collection. So if they are counted without one, collections are not logged; and if there
/// are two collections for one count, sparks are not.
#[test]
fn lines_end_where_their_class_is_switched_off() {
    let write = |collections: &[u64], counts: &[u64]| {
        let mut log = begun();
        log.block(Block::of(CapNo(0)), |block| {
            for at in (0..100).step_by(10) {
                let (time, capset) = (Nanos(at * MS), CapsetId(0));
                if collections.contains(&at) {
                    block.event(time, GcStart {}).event(time.plus(Nanos(1000)), GcWork {});
                    block
                        .event(time.plus(Nanos(2000)), GcIdle {})
                        .event(time.plus(Nanos(2500)), ghc_eventlog::GcDone {});
                    block.event(time.plus(Nanos(3000)), HeapAllocated { capset, bytes: (at + 1) * (at + 1) * 100 });
                    block.event(time.plus(Nanos(4000)), GcGlobalSync {}).event(time.plus(Nanos(5000)), GcEnd {});
                    block.event(time.plus(Nanos(6000)), HeapSize { capset, bytes: 1 << 20 });
                }
                if counts.contains(&at) {
                    let converted = at * 100;
                    let (created, dud, overflowed, gcd, fizzled, remaining) = (0, 0, 0, 0, 0, 0);
                    block.event(
                        time.plus(Nanos(7000)),
                        SparkCounters { created, dud, overflowed, converted, gcd, fizzled, remaining },
                    );
                }
            }
        });
        log.end();
        log.finish()
    };
    let all: Vec<u64> = (0..100).step_by(10).collect();
    let some = [0, 10, 20, 70, 80, 90];
    let lines = |log: &[u8]| {
        let mut model = model_in_steps(log, log.len());
        ["Heap size", "Allocation", "Cap 0 converted"].map(|name| line(&mut model, log, name, 90))
    };
    let known = "1".repeat(90);
    let [size, allocated, sparks] = lines(&write(&all, &all));
    assert!(size == known && allocated == known && sparks == known, "{size}\n{allocated}\n{sparks}");
    // From the count at 20 to that at 70: also where the rate is the same before, during and after it.
    let paused = "1".repeat(21) + &"~".repeat(49) + &"1".repeat(20);
    // A size, or a rate, holds until the class is switched off, which is found to a bucket.
    let held = "1".repeat(21) + &"~".repeat(48) + &"1".repeat(21);
    let [size, allocated, sparks] = lines(&write(&some, &all));
    assert!(size == held && allocated == held && sparks == known, "{size}\n{allocated}\n{sparks}");
    let [size, allocated, sparks] = lines(&write(&all, &some));
    assert!(size == known && allocated == known && sparks == paused, "{size}\n{allocated}\n{sparks}");
}

/// A collection without a census that was due: the profile was switched off meanwhile, and no band is drawn through that time.
#[test]
fn bands_are_not_drawn_through_a_pause() {
    let write = |censuses: &[u64]| {
        let mut log = begun();
        log.block(Block::GLOBAL, |block| {
            let none = CStr(Text(b""));
            block.event(
                Nanos(0),
                HeapProfBegin {
                    profile: 0,
                    period: Nanos(100 * MS),
                    breakdown: Breakdown(7),
                    module_filter: none,
                    closure_filter: none,
                    type_filter: none,
                    cost_centre_filter: none,
                    stack_filter: none,
                    retainer_filter: none,
                    biography_filter: none,
                },
            );
            for at in censuses {
                let time = Nanos(at * MS + 1000);
                block.event(time, HeapProfSampleBegin { number: 0 });
                block.event(time, HeapProfSampleString { profile: 0, bytes: 100, label: CStr(Text(b"[]")) });
                block.event(time, HeapProfSampleEnd { number: 0 });
            }
        });
        log.block(Block::of(CapNo(0)), |block| {
            for at in (0..3000).step_by(100) {
                block.event(Nanos(at * MS), GcStart {}).event(Nanos(at * MS), GcGlobalSync {});
                block.event(Nanos(at * MS + 5000), GcEnd {});
            }
        });
        log.end();
        log.finish()
    };
    let drawn = |log: &[u8]| -> String {
        let mut model = model_in_steps(log, log.len());
        let plan = exact_plan(&mut model, log, View { from: Nanos(0), to: Nanos(3000 * MS), width: 30 });
        let window = model.window(&arranged(&model), &plan, track(&model, "Heap profile").id);
        window.values.iter().map(|held| if held.is_nan() { '~' } else { 'b' }).collect()
    };
    let all: Vec<u64> = (0..3000).step_by(100).collect();
    assert_eq!(drawn(&write(&all)), "b".repeat(30));
    let some: Vec<u64> = all.iter().copied().filter(|at| !(1001..2000).contains(at)).collect();
    assert_eq!(drawn(&write(&some)), "b".repeat(11) + &"~".repeat(9) + &"b".repeat(10));
    // One that comes late is no pause.
    let late: Vec<u64> = all.iter().copied().filter(|at| !(1001..1200).contains(at)).collect();
    assert_eq!(drawn(&write(&late)), "b".repeat(30));
}

/// What the scheduler logs.
const OF_THREADS: &[u16] =
    &[RunThread::TAG, StopThread::TAG, CreateThread::TAG, MigrateThread::TAG, ThreadWakeup::TAG, ThreadLabel::TAG];

/// The runs of each capability that begin and end, as far as nothing else happens there in between, by the events alone.
fn whole_runs(log: &[u8]) -> BTreeMap<CapNo, Vec<(Nanos, Nanos)>> {
    let mut runs: BTreeMap<CapNo, Vec<(Nanos, Nanos)>> = BTreeMap::new();
    let mut running: BTreeMap<CapNo, (ThreadId, Nanos)> = BTreeMap::new();
    decode_in_steps(log, log.len(), |_, record| {
        let Some(cap) = record.cap.filter(|_| record.known) else { return };
        match record.tag {
            RunThread::TAG => {
                running.insert(cap, (RunThread::read(record.payload).thread, record.time));
            }
            StopThread::TAG => {
                let stopped = StopThread::read(record.payload).thread;
                if let Some((thread, since)) = running.remove(&cap)
                    && thread == stopped
                {
                    runs.entry(cap).or_default().push((since, record.time));
                }
            }
            GcStart::TAG => _ = running.remove(&cap),
            _ => {}
        }
    });
    runs
}

/// Of real logs, a stretch without any event of the scheduler: capabilities run there only what is seen to begin and to end.
#[test]
fn real_logs_do_not_run_through_a_pause() {
    let mut unknown = 0;
    for path in shared_logs() {
        let log = as_if_of_ghc_10(fs::read(&path).unwrap());
        if log.len() > 3 << 20 {
            continue;
        }
        let whole = model_in_steps(&log, log.len());
        let Some((first, last)) = whole.extent() else { continue };
        let third = last.since(first).0 / 3;
        let (from, to) = (Nanos(first.0 + third), Nanos(first.0 + 2 * third));
        let is_paused =
            |record: &ghc_eventlog::Record<'_>| OF_THREADS.contains(&record.tag) && (from..to).contains(&record.time);
        let Some(paused) = without_records(&log, is_paused) else { continue };
        let name = path.display();
        let mut model = model_in_steps(&paused, paused.len());
        let Some((range, _)) = whole_range(&mut model, &paused, from, to) else { continue };
        // Before GHC 9.2, logs do not begin with the name of the runtime.
        let mut first = None;
        decode_in_steps(&paused, paused.len(), |_, record| {
            let is_either = record.tag == RtsIdentifier::TAG || record.cap.is_some();
            first = first.or(is_either.then_some(record.tag));
        });
        let is_of_ghc_10 = first == Some(RtsIdentifier::TAG) && paused.windows(6).any(|bytes| bytes == b"GHC-99");
        let runs = whole_runs(&paused);
        for (cap, runs) in &runs {
            let inside = runs.iter().map(|(start, end)| (*end).min(to).since((*start).max(from)).0).sum::<u64>();
            let track = model.track(&arranged(&model), TrackId::capability(*cap)).unwrap();
            let totals = model.range_totals(&arranged(&model), &range, track.id).unwrap().states;
            let of = |name: &str| totals[track.states.iter().position(|state| state.name == name).unwrap()];
            if is_of_ghc_10 {
                assert_eq!(of("running").0, inside, "{name}, capability {cap}");
                let sum: u64 = totals.iter().map(|time| time.0).sum();
                assert!(sum <= to.since(from).0, "{name}, capability {cap}: {totals:?}");
                unknown += usize::from(of("not known") > Nanos(0));
            }
        }
    }
    assert!(unknown > 5, "{unknown}");
}

/// Nothing is switched off in a log that is as it was written.
#[test]
fn whole_logs_have_no_pauses() {
    for path in shared_logs() {
        let log = as_if_of_ghc_10(fs::read(&path).unwrap());
        let model = model_in_steps(&log, log.len());
        if log.len() > 3 << 20 || model.diagnostics().lost_bytes() > 0 {
            continue;
        }
        for track in model.tracks(&arranged(&model)).iter().filter(|track| track.group == "Capabilities") {
            if track.states.iter().any(|state| state.name == "not known") {
                assert_eq!(total(&model, track.id, "not known"), Nanos(0), "{}", path.display());
            }
        }
        assert_eq!(model.pauses(), 0, "{}", path.display());
    }
}
