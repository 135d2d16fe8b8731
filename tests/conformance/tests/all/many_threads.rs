//! Very many threads: the totals count all of them, whatever has a row, and those that weigh most have one, wherever they come.

use conformance::{arranged, model_in_steps, replay, whole_range};
use ghc_eventlog::{
    Block, CapNo, CapsetId, CreateThread, LogWriter, Nanos, OsProcessPid, RunThread, StopStatus, StopThread, Text,
    ThreadId, ThreadLabel, ThreadWakeup,
};
use ghc_eventlog_model::{DiagnosticKind, Model, TableQuery, Value, limits};

const MANY: u32 = limits::MAX_THREADS as u32 + limits::MAX_THREADS as u32 / 3;

/// A process in which many threads run for 300 ns each, on two capabilities in turn; those for which `is_heavy` is true are blocked for
/// 10 ms in between. They are numbered from `first` on.
fn process(log: &mut LogWriter, first: u32, pid: Option<u32>, begin: u64, is_heavy: impl Fn(u32) -> bool) {
    if let Some(pid) = pid {
        log.block(Block::GLOBAL, |block| {
            block.event(Nanos(begin), OsProcessPid { capset: CapsetId(0), pid });
        });
    }
    for nth in (0..MANY).step_by(1000) {
        log.block(Block::of(CapNo((nth / 1000 % 2) as u16)), |block| {
            for nth in nth..MANY.min(nth + 1000) {
                let (thread, at) = (ThreadId(first + nth), begin + u64::from(nth) * 1000);
                block.event(Nanos(at), CreateThread { thread });
                let mut run = |at: u64, time: u64, status: u16| {
                    block.event(Nanos(at), RunThread { thread });
                    block.event(Nanos(at + time), StopThread { thread, status: StopStatus(status), info: Some(0) });
                };
                run(at + 100, 300, if is_heavy(nth) { 7 } else { 5 });
            }
        });
    }
    // They are woken up when all others are over.
    let end = begin + u64::from(MANY) * 1000;
    log.block(Block::of(CapNo(0)), |block| {
        for nth in (0..MANY).filter(|nth| is_heavy(*nth)) {
            let (thread, at) = (ThreadId(first + nth), end + u64::from(nth) * 1000 + 10_000_000);
            block.event(Nanos(at), ThreadWakeup { thread, cap: CapNo(0) });
            block.event(Nanos(at + 100), RunThread { thread });
            block.event(Nanos(at + 400), StopThread { thread, status: StopStatus(5), info: Some(0) });
            block.event(Nanos(at + 500), ThreadLabel { thread, label: Text(format!("heavy {nth}").as_bytes()) });
        }
    });
}

fn read(log: LogWriter) -> (Vec<u8>, Model) {
    let mut log = log;
    log.end();
    let log = log.finish();
    let mut model = model_in_steps(&log, 1 << 20);
    assert!(replay(&mut model, &log));
    (log, model)
}

/// The threads that were blocked longest, each with its label and that time.
fn blocked(model: &Model, count: usize) -> Vec<(Value, Value, Value)> {
    let facts = model.facts(None);
    let table = facts.section("threads").unwrap().tables.iter().find(|table| table.key == "threads").unwrap();
    let at = |key: &str| table.columns.iter().position(|column| column.key == key).unwrap();
    let query = TableQuery { table: "threads".into(), sort: "blocked_ns".into(), down: true, ..TableQuery::default() };
    let order = model.order(query, None);
    let page = model.page(&order, None, 0, count);
    page.rows
        .into_iter()
        .map(|row| (row[at("thread")].clone(), row[at("label")].clone(), row[at("blocked_ns")].clone()))
        .collect()
}

#[test]
fn totals_count_all_threads_and_the_heavy_ones_have_rows() {
    let at_places = [0, 1000, MANY / 2, limits::MAX_THREADS as u32 - 7, MANY - 1];
    let each_50th: Vec<u32> = (0..MANY / 50).map(|nth| nth * 50).collect();
    for (first, heavy) in [(1, &at_places[..]), ((1 << 28) - MANY, &at_places), ((1 << 20) - 500, &each_50th)] {
        let mut log = LogWriter::new();
        process(&mut log, first, None, 0, |nth| heavy.binary_search(&nth).is_ok());
        let (bytes, mut model) = read(log);
        let facts = model.typed_facts(None).threads;
        let runs = u64::from(MANY) + heavy.len() as u64;
        assert_eq!((facts.count, facts.created), (Some(MANY.into()), Some(MANY.into())));
        assert_eq!(facts.running, Some(Nanos(300 * runs)));
        assert_eq!(facts.runnable, Some(Nanos(100 * runs)));
        let wait = Nanos(u64::from(MANY) * 1000 + 10_000_000 - 400);
        let all = wait.0 * heavy.len() as u64;
        assert_eq!((facts.blocked, facts.blocked_on_mvar), (Some(Nanos(all)), Some(Nanos(all))));
        assert_eq!(facts.wakeups, Some(heavy.len() as u64));
        for nth in heavy {
            let row = model.threads().get(ThreadId(first + nth)).expect("it has a row");
            assert_eq!(row.created(), Some(Nanos(u64::from(*nth) * 1000)));
            assert_eq!(model.threads().label(row.id).unwrap().for_terminal(), format!("heavy {nth}"));
        }
        let most = blocked(&model, heavy.len() + 1);
        assert!(most[..heavy.len()].iter().all(|(.., time)| *time == Value::Duration(wait)));
        assert_eq!(most[heavy.len()].2, Value::Duration(Nanos(0)));
        // Those without a row are together.
        let without = model.threads().without_row().unwrap();
        assert_eq!((without.open, without.longest), (0, Nanos(400)));
        assert_eq!(without.count, u64::from(MANY) - model.threads().rows().len() as u64);
        assert_eq!(facts.without_row, Some(without.count));
        assert_eq!(facts.running_without_row, Some(Nanos(300 * without.count)));
        assert_eq!(facts.blocked_without_row, Some(Nanos(0)));
        let said = model.diagnostics().list().iter().map(|diagnostic| diagnostic.kind);
        assert_eq!(said.filter(|kind| *kind == DiagnosticKind::TooManyThreads(without)).count(), 1);
        assert!(model.tracks(&arranged(&model)).len() < limits::MAX_THREADS);
        // Of a range, what capabilities did is exact, and the rest nearly.
        let (from, to) = (Nanos(10_000_000), Nanos(30_000_000));
        let (range, _) = whole_range(&mut model, &bytes, from, to).unwrap();
        let facts = model.typed_facts(Some(&range)).threads;
        let begun = heavy
            .iter()
            .filter(|nth| **nth < 30_000)
            .map(|nth| to.since(from.max(Nanos(u64::from(*nth) * 1000 + 400))));
        assert_eq!(facts.running, Some(Nanos(300 * 20_000)));
        assert_eq!(facts.blocked, Some(Nanos(begun.map(|time| time.0).sum())));
        assert!(facts.runnable.unwrap().0.abs_diff(100 * 20_000) < 100 * 200, "{:?}", facts.runnable);
    }
}

/// Those of the next process have numbers of their own, although the thread with the largest one has no row.
#[test]
fn threads_of_several_processes_are_told_apart() {
    let mut all = Vec::new();
    for (pid, heavy) in [(77, 200_000), (78, 5)] {
        let mut log = LogWriter::new();
        process(&mut log, 1, Some(pid), u64::from(pid - 77) << 32, |nth| nth == heavy);
        log.end();
        all.extend(log.finish());
    }
    let mut model = model_in_steps(&all, 1 << 20);
    assert!(replay(&mut model, &all));
    let facts = model.typed_facts(None).threads;
    assert_eq!(facts.count, Some(2 * u64::from(MANY)));
    assert_eq!(facts.running, Some(Nanos(300 * (2 * u64::from(MANY) + 2))));
    let labels: Vec<String> = blocked(&model, 2).into_iter().map(|(_, label, _)| format!("{label:?}")).collect();
    assert!(
        ["heavy 200000", "heavy 5"].iter().all(|label| labels.iter().any(|found| found.contains(label))),
        "{labels:?}"
    );
}

/// Threads that are all alive at the same time, with numbers far apart, so that each takes as much room as 16 neighbours.
#[test]
fn threads_that_are_not_followed_are_counted() {
    let mut log = LogWriter::new();
    let all: Vec<u32> = (1..=MANY).collect();
    for some in all.chunks(1000) {
        log.block(Block::of(CapNo(0)), |block| {
            for nth in some {
                block.event(Nanos(u64::from(*nth) * 1000), CreateThread { thread: ThreadId(nth * 16) });
            }
        });
    }
    log.block(Block::of(CapNo(0)), |block| {
        let (thread, at) = (ThreadId(16), u64::from(MANY + 1) * 1000);
        block.event(Nanos(at), RunThread { thread });
        block.event(Nanos(at + 500), StopThread { thread, status: StopStatus(1), info: Some(0) });
    });
    let (bytes, mut model) = read(log);
    let facts = model.typed_facts(None).threads;
    let not_followed = facts.not_followed.expect("there is no room for all");
    let without = facts.without_row.unwrap();
    assert!(0 < not_followed && not_followed < without, "{not_followed} of {without}");
    // A thread that was created, and nothing else, could run from then on: the sum lacks those that were not followed.
    let runnable = facts.runnable.unwrap().0;
    let of_all: u64 = (1..=u64::from(MANY)).map(|nth| (u64::from(MANY) + 1 - nth) * 1000 + 500).sum();
    assert!(runnable < of_all && runnable > of_all / 2, "{runnable} of {of_all}");
    assert_eq!(facts.running, Some(Nanos(500)));
    let remark = model.facts(None).section("threads").unwrap().remark_text().unwrap();
    assert!(remark.contains("too many lived at the same time"), "{remark}");
    let (range, _) = whole_range(&mut model, &bytes, Nanos(1000), Nanos(2_000_000)).unwrap();
    assert_eq!(model.typed_facts(Some(&range)).threads.not_followed, None);
}

const LATE: u32 = limits::MAX_THREADS as u32 / 4 * 3;

/// Threads that all wait for the same time. Of many, one of those that lose their rows gets a label at the end.
fn equal_waits(count: u32) -> Model {
    let mut log = LogWriter::new();
    let runs = |at: u32, status: u16| {
        let (from, to) = (Nanos(u64::from(at) * 100 + 20), Nanos(u64::from(at) * 100 + 90));
        move |block: &mut LogWriter, thread| {
            block.event(from, RunThread { thread });
            block.event(to, StopThread { thread, status: StopStatus(status), info: Some(0) });
        }
    };
    log.block(Block::of(CapNo(3)), |block| {
        for nth in 0..count {
            block.event(Nanos(u64::from(nth) * 100), CreateThread { thread: ThreadId(nth + 1) });
            runs(nth, 7)(block, ThreadId(nth + 1));
        }
        for nth in 0..count {
            let thread = ThreadId(nth + 1);
            block.event(Nanos(u64::from(count + nth) * 100), ThreadWakeup { thread, cap: CapNo(3) });
            runs(count + nth, 5)(block, thread);
        }
        let label = Text(b"late");
        block.event(Nanos(u64::from(count) * 200), ThreadLabel { thread: ThreadId(LATE.min(count - 1) + 1), label });
    });
    read(log).1
}

/// The known cells of a column of the threads' table, in rows that contain a text.
fn known_cells(model: &Model, key: &str, filter: &str) -> Vec<Value> {
    let facts = model.facts(None);
    let table = facts.section("threads").unwrap().tables.iter().find(|table| table.key == "threads").unwrap();
    let at = table.columns.iter().position(|column| column.key == key).unwrap();
    let query = TableQuery { table: "threads".into(), filter: filter.into(), ..TableQuery::default() };
    let rows = model.page(&model.order(query, None), None, 0, limits::MAX_PAGE).rows;
    rows.iter().map(|row| row[at].clone()).filter(|cell| *cell != Value::Unknown).collect()
}

#[test]
fn what_threads_waited_for_is_known_of_some_and_said() {
    let said = "only known of those threads that may have waited longest";
    for (count, is_said) in [(limits::MAX_WAITED, false), (limits::MAX_WAITED + 1, true)] {
        let model = equal_waits(count as u32);
        let remark = model.facts(None).section("threads").unwrap().remark_text().unwrap_or_default();
        assert_eq!(remark.contains(said), is_said, "{remark}");
        assert_eq!(known_cells(&model, "blocked_mostly", "").len(), limits::MAX_WAITED);
    }
}

/// It had lost its row by then, and with it what the first pass knew.
#[test]
fn where_a_thread_was_created_that_got_its_label_late_is_known() {
    let model = equal_waits(MANY);
    let of = |key: &str| known_cells(&model, key, "late");
    let created = Nanos(u64::from(LATE) * 100);
    assert_eq!([of("created_ns"), of("created_by")], [[Value::Time(created)], [Value::Capability(CapNo(3))]]);
}
