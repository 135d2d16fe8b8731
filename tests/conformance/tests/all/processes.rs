//! Files with the logs of several processes, one after the other: a thread of one is not the thread of another that has the
//! same number. A stream of the same process, after logging was stopped and started again, goes on with its threads.

use conformance::{agree, model_in_steps, replay, whole_range};
use ghc_eventlog::{
    Block, CapCreate, CapNo, CapsetId, CreateThread, LogWriter, Nanos, OsProcessPid, RunThread, StopStatus, StopThread,
    Text, ThreadId, ThreadLabel, ThreadWakeup,
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
