//! Files with the logs of several processes, one after the other: a thread of one is not the thread of another that has the
//! same number. A stream of the same process, after logging was stopped and started again, goes on with its threads.

use conformance::{agree, arranged, model_in_steps, replay, spans, whole_range};
use ghc_eventlog::{
    Block, CapCreate, CapNo, CapsetId, CreateThread, LogWriter, Nanos, OsProcessPid, RunThread, StopStatus, StopThread,
    Text, ThreadId, ThreadLabel, ThreadWakeup, UserMsg,
};
use ghc_eventlog_model::{DiagnosticKind, Model, TableQuery, Value};

/// A process with three threads, whose clock begins at `begin`: each is created, labelled, and runs for 1 µs. Thread 2 waits
/// for a black hole of thread 3, and is woken up.
fn process(log: &mut LogWriter, pid: Option<u32>, begin: u64, label: &str) {
    let at = |micros: u64| Nanos(begin + micros * 1000);
    log.block(Block::GLOBAL, |block| {
        if let Some(pid) = pid {
            block.event(at(1), OsProcessPid { capset: CapsetId(0), pid });
        }
        block.event(at(2), CapCreate { cap: CapNo(0) });
    });
    log.block(Block::of(CapNo(0)), |block| {
        for thread in 1..4 {
            let id = ThreadId(thread);
            let text = format!("{label} {thread}");
            block.event(at(10 * u64::from(thread)), CreateThread { thread: id });
            block.event(at(10 * u64::from(thread) + 1), ThreadLabel { thread: id, label: Text(text.as_bytes()) });
        }
        let mut run = |thread: u32, from: u64, status: u16, info: u32| {
            block.event(at(from), RunThread { thread: ThreadId(thread) });
            let stop = StopThread { thread: ThreadId(thread), status: StopStatus(status), info: Some(info) };
            block.event(at(from + 1), stop);
        };
        run(1, 20_000, 5, 0);
        run(2, 20_010, 8, 3);
        run(3, 20_020, 3, 0);
        block.event(at(20_030), ThreadWakeup { thread: ThreadId(2), cap: CapNo(0) });
        let mut run = |thread: u32, from: u64, status: u16| {
            block.event(at(from), RunThread { thread: ThreadId(thread) });
            block.event(
                at(from + 1),
                StopThread { thread: ThreadId(thread), status: StopStatus(status), info: Some(0) },
            );
        };
        run(2, 20_040, 5);
        run(3, 20_050, 5);
    });
    log.end();
}

/// Some processes, each with a header of its own.
fn processes(all: &[(Option<u32>, u64, &str)]) -> Vec<u8> {
    let logs = all.iter().map(|(pid, begin, label)| {
        let mut log = LogWriter::new();
        process(&mut log, *pid, *begin, label);
        log.finish()
    });
    logs.collect::<Vec<_>>().concat()
}

fn read(log: &[u8]) -> Model {
    let mut model = model_in_steps(log, log.len());
    replay(&mut model, log);
    model
}

/// Each thread's number, label and runs.
fn threads(model: &Model) -> Vec<(u32, String, u64)> {
    let threads = model.threads();
    let label = |id| threads.label(id).map(|label| label.for_terminal()).unwrap_or_default();
    threads.rows().iter().map(|row| (row.id.0, label(row.id), row.runs)).collect()
}

fn added(model: &Model) -> Vec<(Option<u32>, u32)> {
    let of = |kind: DiagnosticKind| match kind {
        DiagnosticKind::OtherProcess { pid, added, .. } => Some((pid, added)),
        _ => None,
    };
    model.diagnostics().list().iter().filter_map(|diagnostic| of(diagnostic.kind)).collect()
}

#[test]
fn threads_of_two_processes_are_not_joined() {
    let later = 1_000_000_000;
    let two = [
        // The clock begins anew, the process ids differ, or both.
        processes(&[(None, 0, "one"), (None, 0, "two")]),
        processes(&[(Some(7), 0, "one"), (Some(8), later, "two")]),
        processes(&[(Some(7), 0, "one"), (Some(8), 0, "two")]),
        // As in containers, in which a program is always process 1.
        processes(&[(Some(1), 0, "one"), (Some(1), 0, "two")]),
    ];
    for (number, log) in two.iter().enumerate() {
        let model = read(log);
        assert_eq!(added(&model).iter().map(|(_, added)| *added).collect::<Vec<_>>(), [1000], "{number}");
        let expected = [
            (1, "one 1", 1),
            (2, "one 2", 2),
            (3, "one 3", 2),
            (1001, "two 1", 1),
            (1002, "two 2", 2),
            (1003, "two 3", 2),
        ];
        assert_eq!(threads(&model), expected.map(|(id, label, runs)| (id, label.to_string(), runs)), "{number}");
        let impossible = |kind| matches!(kind, DiagnosticKind::Impossible { .. });
        assert!(!model.diagnostics().list().iter().any(|of| impossible(of.kind)), "{number}");
        // Black holes belong to threads of the same process.
        let query = TableQuery { table: "black_holes".into(), ..TableQuery::default() };
        let rows = model.page(&model.order(query, None), None, 0, 10).rows;
        let pairs: Vec<_> = rows.iter().map(|row| (row[0].clone(), row[1].clone())).collect();
        let of = |thread| Value::Thread(ThreadId(thread));
        for pair in [(of(2), of(3)), (of(1002), of(1003))] {
            assert!(pairs.contains(&pair), "{number}: {pairs:?}");
        }
        for step in [1, 100, 5000] {
            assert_eq!(threads(&model_in_steps(log, step)), threads(&model), "{number} in steps of {step}");
        }
    }
}

#[test]
fn a_restart_of_logging_is_no_other_process() {
    let later = 1_000_000_000;
    for pid in [None, Some(7)] {
        let log = processes(&[(pid, 0, "one"), (pid, later, "two")]);
        let model = read(&log);
        assert_eq!(added(&model), []);
        assert_eq!(model.threads().rows().len(), 3);
    }
}

/// What is drawn of a thread: the names of its states, with their times in µs.
fn states(model: &mut Model, log: &[u8], name: &str) -> Vec<(&'static str, u64, u64)> {
    let tracks = model.tracks(&arranged(model));
    let names: Vec<String> = tracks.iter().map(|track| track.name.for_json()).collect();
    let track = names.iter().position(|other| other == name).map(|place| tracks[place].clone());
    let track = track.unwrap_or_else(|| panic!("{name} of {names:?}"));
    let all = spans(model, log, track.id);
    all.iter()
        .map(|span| (track.states[usize::from(span.state)].name, span.start.0 / 1000, span.end.0 / 1000))
        .collect()
}

/// A process in which a thread waits and another one can run at the end, and in which a span of no thread and one of the whole
/// process are open. It takes 100 µs from `begin` on.
fn unfinished(pid: u32, begin: u64, ends_spans: bool) -> Vec<u8> {
    let mut log = LogWriter::new();
    let at = |micros: u64| Nanos((begin + micros) * 1000);
    log.block(Block::GLOBAL, |block| {
        block.event(at(0), OsProcessPid { capset: CapsetId(0), pid });
        block.event(at(0), CapCreate { cap: CapNo(0) });
    });
    log.block(Block::of(CapNo(0)), |block| {
        let stop = |thread, status| StopThread { thread: ThreadId(thread), status: StopStatus(status), info: Some(0) };
        for text in if ends_spans { ["STOP a", "ot2 end span 7"] } else { ["START a", "ot2 begin span 7 b"] } {
            block.event(at(5), UserMsg { text: Text(text.as_bytes()) });
        }
        block.event(at(10), RunThread { thread: ThreadId(1) }).event(at(20), stop(1, 8));
        block.event(at(30), RunThread { thread: ThreadId(2) }).event(at(40), stop(2, 2));
        block.event(at(50), RunThread { thread: ThreadId(3) }).event(at(100), UserMsg { text: Text(b"end") });
    });
    log.end();
    log.finish()
}

#[test]
fn what_waits_when_a_process_ends_ends_with_it() {
    for (begin, until) in [(1_000_000, 1_000_100), (0, 100)] {
        let log = [unfinished(1, 0, false), unfinished(2, begin, true)].concat();
        let mut model = read(&log);
        assert_eq!(states(&mut model, &log, "thread 1"), [("running", 10, 20), ("blocked", 20, 100)], "{begin}");
        assert_eq!(states(&mut model, &log, "thread 2"), [("running", 30, 40), ("runnable", 40, 100)], "{begin}");
        assert_eq!(states(&mut model, &log, "thread 3"), [("running", 50, 100)], "{begin}");
        if begin > 0 {
            let second = [("running", begin + 10, begin + 20), ("blocked", begin + 20, until)];
            assert_eq!(states(&mut model, &log, "thread 1001"), second);
        }
        // A message of one process does not end a span of another.
        let facts = model.facts(None);
        let figure =
            |key: &str| facts.section("spans").and_then(|spans| spans.get(key)).map(|figure| figure.value.clone());
        assert_eq!((figure("count"), figure("unfinished")), (Some(Value::Count(0)), Some(Value::Count(2))), "{begin}");
        assert_eq!(figure("unmatched"), Some(Value::Count(2)), "{begin}");
    }
}

/// The clock of another process begins anew, or goes on, and the notice says which.
#[test]
fn the_notice_of_another_process_says_whether_its_clock_begins_anew() {
    let said = |begin: u64| {
        let model = read(&processes(&[(Some(7), 0, "one"), (Some(8), begin, "two")]));
        let notices: Vec<String> = model.diagnostics().list().iter().map(|of| of.kind.to_string()).collect();
        notices.into_iter().find(|said| said.contains("another process")).unwrap()
    };
    assert!(said(0).contains("clock begins anew") && !said(1_000_000_000).contains("clock"), "{}", said(0));
}

/// All ways to a fact agree, and so do ranges.
#[test]
fn the_parts_of_a_file_of_three_processes_agree() {
    let log = processes(&[(Some(5), 0, "one"), (Some(6), 0, "two"), (Some(7), 3_000_000_000, "three")]);
    let mut model = read(&log);
    assert_eq!(added(&model), [(Some(6), 1000), (Some(7), 2000)]);
    assert_eq!(model.threads().rows().len(), 9);
    agree(&log, &mut fastrand::Rng::with_seed(1)).unwrap();
    let (from, to) = model.extent().unwrap();
    assert!(whole_range(&mut model, &log, from, Nanos(to.0 + 1)).is_some());
}
