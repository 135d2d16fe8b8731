//! Why a log has nothing of something: the flag is named that would add it, unless it was on, and there was nothing to log.

use super::{query, value};
use conformance::{arranged, model_in_steps, replay, whole_range};
use ghc_eventlog::{
    Block, CapNo, CapsetId, CreateThread, GcEnd, GcGlobalSync, GcStart, GcStats, HeapSize, LogWriter, Nanos,
    ProgramArgs, RtsIdentifier, RunThread, StopStatus, StopThread, Text, TextList, ThreadId, ThreadLabel, UserMsg,
};
use ghc_eventlog_model::{Model, Value};

/// A log of a program with these arguments, after which come some events of a capability.
fn log_of(args: &str, runtime: &str, events: impl Fn(&mut LogWriter)) -> Vec<u8> {
    let args: Vec<u8> = args.split(' ').flat_map(|arg| arg.bytes().chain([0])).collect();
    let mut log = LogWriter::new();
    log.block(Block::GLOBAL, |block| {
        block.event(Nanos(1), RtsIdentifier { capset: CapsetId(0), text: Text(runtime.as_bytes()) });
        if args.len() > 1 {
            block.event(Nanos(1), ProgramArgs { capset: CapsetId(0), args: TextList(&args) });
        }
    });
    log.block(Block::of(CapNo(0)), |block| {
        block.event(Nanos(10), RunThread { thread: ThreadId(1) });
        events(block);
        block.event(Nanos(9000), StopThread { thread: ThreadId(1), status: StopStatus(5), info: None });
    });
    log.end();
    log.finish()
}

fn model_of(args: &str, runtime: &str) -> Model {
    model_in_steps(&log_of(args, runtime, |_| ()), 1 << 20)
}

/// The flag that a section names, and whether it says that nothing happened.
fn why(model: &Model, section: &str) -> (Option<&'static str>, bool) {
    let facts = model.facts(None);
    let section = facts.section(section).unwrap();
    (section.flag, section.none.is_some())
}

const THREADED: &str = "GHC-9.10.3 rts_thr";

#[test]
fn a_program_without_messages_is_not_told_to_log_them() {
    // The arguments say that messages were logged, that they were not, or nothing.
    let cases = [
        ("prog +RTS -l -RTS", (None, true)),
        ("prog +RTS -l-au", (None, true)),
        ("prog +RTS -l-u", (Some("-lu"), false)),
        ("prog +RTS -N2", (Some("-lu"), true)),
        ("", (Some("-lu"), true)),
    ];
    for (args, expected) in cases {
        let model = model_of(args, THREADED);
        for section in ["messages", "spans"] {
            assert_eq!(why(&model, section), expected, "{args}, {section}");
        }
        let user = value(&model.facts(None), "messages", "user");
        assert_eq!(user, if expected.0.is_some() { Value::Unknown } else { Value::Count(0) }, "{args}");
        let groups = model.groups(&arranged(&model));
        let spans = groups.iter().find(|group| group.key == "spans").unwrap().lacks.unwrap();
        assert_eq!((spans.flag, spans.none.is_some()), expected, "{args}");
    }
    let with =
        model_in_steps(&log_of("", THREADED, |block| _ = block.event(Nanos(20), UserMsg { text: Text(b"a") })), 9);
    assert_eq!(why(&with, "messages"), (None, false));
}

#[test]
fn what_was_logged_and_did_not_happen_took_no_time() {
    let model = model_of("prog +RTS -l", THREADED);
    assert_eq!(why(&model, "gc"), (None, true));
    assert_eq!(value(&model.facts(None), "gc", "count"), Value::Count(0));
    assert_eq!(value(&model.facts(None), "caps", "idle_ns"), Value::Duration(Nanos(0)));
    let model = model_of("prog +RTS -l-g", THREADED);
    assert_eq!(why(&model, "gc"), (Some("-lg"), false));
    assert_eq!(value(&model.facts(None), "gc", "count"), Value::Unknown);
    assert_eq!(value(&model.facts(None), "caps", "idle_ns"), Value::Unknown);
}

#[test]
fn advice_that_would_not_help_is_not_given() {
    for (section, args, runtime, expected) in [
        ("sparks", "prog +RTS -l", "GHC-9.10.3 rts_l", (None, true)),
        ("sparks", "prog +RTS -l-p", "GHC-9.10.3 rts_l", (None, true)),
        ("sparks", "prog +RTS -l-p", THREADED, (Some("-lp"), false)),
        ("sparks", "prog +RTS -l", THREADED, (None, true)),
        ("ticky", "prog +RTS -la", THREADED, (None, true)),
        ("ticky", "prog +RTS -l", THREADED, (Some("-lT"), false)),
        ("heap_profile", "prog +RTS -l -hT", THREADED, (None, true)),
        ("heap_profile", "prog +RTS -l", THREADED, (Some("-l -hT"), false)),
        ("time_profile", "prog +RTS -l -p", THREADED, (None, true)),
        ("time_profile", "prog -p", THREADED, (Some("-l -p"), false)),
        ("nonmoving", "prog +RTS -l -xn", THREADED, (None, true)),
        ("nonmoving", "prog +RTS -l", THREADED, (Some("-xn"), false)),
    ] {
        assert_eq!(why(&model_of(args, runtime), section), expected, "{section}, {args}, {runtime}");
    }
}

/// Four collections and three threads, in two halves of the log.
fn in_halves() -> Vec<u8> {
    log_of("prog +RTS -l", THREADED, |block| {
        for (number, at) in (0..).zip([1000, 2000, 3000, 7000]) {
            block.event(Nanos(at), GcStart {});
            block.event(Nanos(at + 5), GcGlobalSync {});
            let stats = GcStats {
                capset: CapsetId(0),
                generation: 0,
                copied_bytes: 8,
                slop_bytes: 0,
                fragmentation_bytes: 0,
                par_threads: 1,
                par_max_copied_bytes: 0,
                par_total_copied_bytes: 0,
                par_balanced_copied_bytes: None,
            };
            block.event(Nanos(at + 9), stats);
            block.event(Nanos(at + 10 + number), GcEnd {});
            block.event(Nanos(at + 20), HeapSize { capset: CapsetId(0), bytes: 1 << 20 });
        }
        block.event(Nanos(8000), CreateThread { thread: ThreadId(2) });
        block.event(Nanos(8001), CreateThread { thread: ThreadId(3) });
    })
}

/// In a range, what a section counts is in the range, or not known.
#[test]
fn things_are_counted_in_the_range() {
    let log = in_halves();
    let mut model = model_in_steps(&log, 1 << 20);
    replay(&mut model, &log);
    let (range, _) = whole_range(&mut model, &log, Nanos(500), Nanos(5000)).unwrap();
    let count = |section: &str| {
        let of =
            |facts: &ghc_eventlog_model::Facts| facts.section(section).map(|section| (section.count, section.things));
        (of(&model.facts(None)), of(&model.facts(Some(&range))))
    };
    let both = |whole: u64, ranged: u64, things| (Some((Some(whole), things)), Some((Some(ranged), things)));
    assert_eq!(count("gc"), both(4, 3, "collections"));
    assert_eq!(count("heap"), both(4, 3, "samples of the heap's size"));
    assert_eq!(count("threads"), both(3, 1, "threads"));
    // These are of the whole log, and have no section of a range.
    assert_eq!(count("messages").1, None);
    assert_eq!(count("events").1, None);
}

/// The threads of the base library wait in foreign calls: they are summed apart from the program's.
#[test]
fn foreign_calls_of_the_runtimes_own_threads_are_summed_apart() {
    let labels = ["IOManager on cap 0", "TimerManager", "IOManager of mine", "worker"];
    let log = log_of("prog +RTS -l", THREADED, |block| {
        for (thread, label) in (2..).zip(labels) {
            let at = u64::from(thread) * 100;
            block.event(Nanos(at), CreateThread { thread: ThreadId(thread) });
            block.event(Nanos(at), ThreadLabel { thread: ThreadId(thread), label: Text(label.as_bytes()) });
            block.event(Nanos(at + 10), RunThread { thread: ThreadId(thread) });
            // In a foreign call, up to the end of the log.
            block.event(Nanos(at + 20), StopThread { thread: ThreadId(thread), status: StopStatus(6), info: None });
        }
    });
    let mut model = model_in_steps(&log, 1 << 20);
    replay(&mut model, &log);
    let facts = model.facts(None);
    let foreign = |thread: u64| Nanos(9000 - thread * 100 - 20);
    let sum = |threads: [u64; 2]| Value::Duration(foreign(threads[0]).plus(foreign(threads[1])));
    assert_eq!(value(&facts, "threads", "foreign_ns.runtime"), sum([2, 3]));
    assert_eq!(value(&facts, "threads", "foreign_ns.program"), sum([4, 5]));
    let all = facts.section("threads").unwrap().get("states_ns.foreign").unwrap();
    let every = [2, 3, 4, 5].map(foreign).into_iter().fold(Nanos(0), Nanos::plus);
    assert_eq!((all.value.clone(), all.name), (Value::Duration(every), "In foreign calls, all threads"));
    let whose = facts.section("threads").unwrap().tables.iter().find(|table| table.key == "threads").unwrap();
    let at = whose.columns.iter().position(|column| column.key == "whose").unwrap();
    let rows = super::all(&model, query("threads"), None).rows;
    let own = rows.iter().filter(|row| row[at] == Value::words("runtime")).count();
    assert_eq!((own, rows.len()), (2, 5));
    // Without such threads, there is one figure.
    let facts = model_of("prog +RTS -l", THREADED).facts(None);
    assert!(facts.section("threads").unwrap().get("foreign_ns.runtime").is_none());
}
