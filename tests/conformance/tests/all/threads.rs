//! What threads did, from the replay in order of time: their states partition their lives, and agree with what the
//! capabilities ran.

use conformance::arranged;
use conformance::{Mutants, files, model_in_steps, project, replay, shared_logs, spans, whole_range};
use ghc_eventlog::{
    Block, CStr, CapNo, CreateThread, HeapProfSampleBegin, HeapProfSampleEnd, HeapProfSampleString, LogWriter, Nanos,
    RunThread, StopStatus, StopThread, Text, ThreadId, ThreadWakeup, UserMarker,
};
use ghc_eventlog_model::{
    DiagnosticKind, Direction, Facts, Job, LookUp, Model, Place, Range, Shape, TableQuery, TrackId, Value,
};
use std::{collections::BTreeMap, fs};

const STATES: [&str; 4] = ["running_ns", "runnable_ns", "blocked_ns", "foreign_ns"];

/// The rows of the table of threads: by thread, what is in each column.
fn rows(model: &Model, range: Option<&Range>) -> BTreeMap<ThreadId, BTreeMap<&'static str, Value>> {
    let facts = model.facts(range);
    let section = facts.section("threads").unwrap();
    let Some(table) = section.tables.iter().find(|table| table.key == "threads") else { return BTreeMap::new() };
    let order = model.order(TableQuery { table: "threads".into(), ..TableQuery::default() }, range);
    let mut rows = BTreeMap::new();
    for from in (0..).step_by(10_000) {
        let page = model.page(&order, range, from, 10_000);
        if page.rows.is_empty() {
            return rows;
        }
        for row in page.rows {
            let cells: BTreeMap<_, _> = table.columns.iter().map(|column| column.key).zip(row).collect();
            let Value::Thread(thread) = cells["thread"] else { panic!("{cells:?}") };
            rows.insert(thread, cells);
        }
    }
    rows
}

fn duration(value: &Value) -> u64 {
    match value {
        Value::Duration(time) => time.0,
        Value::Unknown => 0,
        other => panic!("{other:?}"),
    }
}

fn figure(facts: &Facts, key: &str) -> Option<u64> {
    match facts.section("threads")?.get(key)?.value {
        Value::Duration(time) => Some(time.0),
        _ => None,
    }
}

/// When each thread ran, from the lanes of all capabilities: separate times, in order. A run that is open at the end of
/// its capability's events ends there.
fn runs(model: &mut Model, log: &[u8]) -> BTreeMap<ThreadId, Vec<(Nanos, Nanos)>> {
    let lanes: Vec<_> = model
        .tracks(&arranged(model))
        .into_iter()
        .filter(|track| track.shape == Shape::States && track.states.iter().any(|state| state.name == "GC working"))
        .collect();
    let mut runs = BTreeMap::<ThreadId, Vec<(Nanos, Nanos)>>::new();
    for lane in lanes {
        for span in spans(model, log, lane.id) {
            let Some(thread) = span.thread else { continue };
            runs.entry(thread).or_default().push((span.start, span.end));
        }
    }
    for list in runs.values_mut() {
        list.sort();
        list.dedup_by(|next, before| {
            let meets = next.0 < before.1;
            if meets {
                before.1 = before.1.max(next.1);
            }
            meets
        });
    }
    runs
}

fn time_in(runs: &[(Nanos, Nanos)], from: Nanos, to: Nanos) -> u64 {
    runs.iter().map(|(start, end)| (*end).min(to).since((*start).max(from)).0).sum()
}

/// What they waited for is known once the log has been replayed, and of the whole log only: no column is empty before, or in a range.
#[test]
fn columns_of_what_threads_waited_for_come_once_that_is_known() {
    let log = fs::read(project().join("tests/corpus/blocked-threads/log.eventlog")).unwrap();
    let mut model = model_in_steps(&log, 1 << 20);
    let columns = |model: &Model, range: Option<&Range>| -> Vec<&str> {
        let facts = model.facts(range);
        let table = facts.section("threads").unwrap().tables.iter().find(|table| table.key == "threads").unwrap();
        let keys = table.columns.iter().map(|column| column.key);
        keys.filter(|key| key.starts_with("blocked_mostly") || key.starts_with("blocked_for")).collect()
    };
    assert_eq!(columns(&model, None), [""; 0]);
    assert!(replay(&mut model, &log));
    assert_eq!(columns(&model, None), ["blocked_mostly", "blocked_for", "blocked_for_label"]);
    let (from, to) = model.extent().unwrap();
    let (range, _) = whole_range(&mut model, &log, from, to).unwrap();
    assert_eq!(columns(&model, Some(&range)), [""; 0]);
}

/// Checks all properties for a log; returns how many threads it has.
fn check(name: &str, log: &[u8], random: &mut fastrand::Rng, ranges: usize, is_damaged: bool) -> usize {
    let mut model = model_in_steps(log, 1 << 20);
    let Some((first, last)) = model.extent() else { return 0 };
    if !replay(&mut model, log) {
        return 0;
    }
    if model.facts(None).section("threads").unwrap().flag.is_some() {
        // It is only replayed for its messages.
        return 0;
    }
    if model.tracks_of(&arranged(&model), "caps", 0, 1).is_empty() {
        // The log is older than blocks, or has lost them, so no capability is known.
        return 0;
    }
    // If two capabilities claim the same thread for longer than clocks can differ, one of them is believed.
    let is_claimed_twice =
        model.diagnostics().list().iter().any(
            |diagnostic| matches!(diagnostic.kind, DiagnosticKind::Impossible { twice, .. } if twice > Nanos(10_000)),
        );
    let is_damaged = is_damaged || is_claimed_twice;
    let runs = runs(&mut model, log);
    let whole = rows(&model, None);
    let mut not_known = 0;
    // A thread that is not in the table ran for no time.
    for (thread, row) in &whole {
        let told: u64 = STATES.iter().map(|state| duration(&row[state])).sum();
        let ran = runs.get(thread).map_or(0, |runs| time_in(runs, first, last));
        let told_ran = duration(&row["running_ns"]);
        assert!(is_damaged || told_ran == ran, "{name}: {thread} ran {told_ran}, not {ran}");
        if let (Value::Time(created), finished) = (&row["created_ns"], &row["finished_ns"]) {
            let end = if let Value::Time(finished) = finished { *finished } else { last };
            let life = end.since(*created).0;
            // a damaged log may have events of a thread before its begin and after its end.
            let most = if is_damaged { last.since(first).0 } else { life };
            assert!(told <= most, "{name}: the states partition the life of thread {thread}, {life} ns: {row:?}");
            not_known += most - told;
        }
    }
    let facts = model.facts(None);
    let sums = |rows: &BTreeMap<ThreadId, BTreeMap<&str, Value>>, state: &str| -> u64 {
        rows.values().map(|row| duration(&row[state])).sum()
    };
    if !is_damaged {
        let told = figure(&facts, "states_ns.not_known").unwrap_or(0);
        assert_eq!(told, not_known, "{name}: with what is not known, the states partition all lives");
    }
    let all_ran: u64 = runs.values().map(|runs| time_in(runs, first, last)).sum();
    assert!(is_damaged || figure(&facts, "states_ns.running") == Some(all_ran), "{name}");
    assert_eq!(figure(&facts, "states_ns.runnable"), Some(sums(&whole, "runnable_ns")), "{name}");
    let by_reason = |facts: &Facts| -> u64 {
        let of_reasons = facts.section("threads").unwrap().figures.iter();
        of_reasons
            .filter(|figure| figure.key.starts_with("states_ns.blocked"))
            .map(|figure| duration(&figure.value))
            .sum()
    };
    assert_eq!(by_reason(&facts), sums(&whole, "blocked_ns"), "{name}");
    // Adjacent ranges add up to the whole.
    let length = last.since(first).0;
    let mut cuts: Vec<Nanos> = (1..ranges).map(|_| first.plus(Nanos(random.u64(0..=length)))).collect();
    cuts.extend([first, last.plus(Nanos(1))]);
    cuts.sort();
    let mut together = BTreeMap::<(ThreadId, &str), u64>::new();
    for pair in cuts.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let (range, _) = whole_range(&mut model, log, from, to).unwrap();
        let part = rows(&model, Some(&range));
        for (thread, row) in &part {
            let ran = runs.get(thread).map_or(0, |runs| time_in(runs, from, to));
            let told_ran = duration(&row["running_ns"]);
            assert!(is_damaged || told_ran == ran, "{name}: {thread} ran {told_ran} from {from} to {to}, not {ran}");
            let told: u64 = STATES.iter().map(|state| duration(&row[state])).sum();
            assert!(told <= to.since(from).0, "{name}: {thread}, {from} to {to}: {row:?}");
            for state in STATES {
                *together.entry((*thread, state)).or_default() += duration(&row[state]);
            }
            for count in ["runs", "migrations"] {
                if let Value::Count(number) = row[count] {
                    *together.entry((*thread, count)).or_default() += number;
                }
            }
        }
        let facts = model.facts(Some(&range));
        assert_eq!(by_reason(&facts), sums(&part, "blocked_ns"), "{name}, {from} to {to}");
    }
    for (thread, row) in &whole {
        for state in STATES {
            let parts = together.get(&(*thread, state)).copied().unwrap_or(0);
            assert_eq!(parts, duration(&row[state]), "{name}: {state} of thread {thread} in ranges side by side");
        }
        for count in ["runs", "migrations"] {
            let parts = together.get(&(*thread, count)).copied().unwrap_or(0);
            let Value::Count(all) = row[count] else { continue };
            assert_eq!(parts, all, "{name}: {count} of thread {thread} in ranges side by side");
        }
    }
    whole.len()
}

#[test]
fn states_partition_lives_and_are_what_capabilities_ran() {
    let mut random = fastrand::Rng::with_seed(14);
    let paths = files(&project().join("tests/corpus"), "log.eventlog").into_iter().chain(shared_logs());
    let (mut logs, mut threads) = (0, 0);
    for path in paths {
        let log = fs::read(&path).unwrap();
        if log.len() > 8 << 20 {
            continue;
        }
        let found = check(&path.display().to_string(), &log, &mut random, 4, false);
        logs += usize::from(found > 0);
        threads += found;
    }
    assert!(logs > 20 && threads > 200, "{logs} logs, {threads} threads");
}

/// A table of the longest lacks only its shortest rows.
#[test]
fn the_longest_come_first() {
    let mut several = 0;
    for path in files(&project().join("tests/corpus"), "log.eventlog") {
        let log = fs::read(&path).unwrap();
        let mut model = model_in_steps(&log, 1 << 20);
        if !replay(&mut model, &log) {
            continue;
        }
        for (table, column) in [("waits", "blocked_ns"), ("black_holes", "total_ns"), ("span_list", "duration_ns")] {
            let facts = model.facts(None);
            let tables = facts.sections.iter().flat_map(|section| &section.tables);
            let Some(info) = tables.into_iter().find(|info| info.key == table) else { continue };
            let at = info.columns.iter().position(|of| of.key == column).unwrap();
            let order = model.order(TableQuery { table: table.into(), ..TableQuery::default() }, None);
            let rows = model.page(&order, None, 0, 10_000).rows;
            let lengths: Vec<u64> = rows.iter().map(|row| duration(&row[at])).collect();
            assert!(lengths.is_sorted_by(|one, next| one >= next), "{}: {table}", path.display());
            several += usize::from(lengths.len() > 3);
        }
    }
    assert!(several > 10, "{several}");
}

#[test]
fn in_damaged_logs_all_answers_agree() {
    let mut random = fastrand::Rng::with_seed(15);
    let log = fs::read(project().join("tests/corpus/threaded/log.eventlog")).unwrap();
    let mut mutants = Mutants::new(&log, 14);
    for at in 0..400 {
        let mutant = mutants.next().unwrap();
        check(&format!("mutant {at}"), &mutant, &mut random, 3, true);
    }
}

/// Look-ups lead from what a thread did to the run that woke it up, and from there to the threads that were woken up.
#[test]
fn wake_ups_lead_from_thread_to_thread() {
    let paths = files(&project().join("tests/corpus"), "log.eventlog").into_iter().chain(shared_logs());
    let (mut back, mut forth) = (0, 0);
    for path in paths {
        let log = fs::read(&path).unwrap();
        if log.len() > 1 << 20 {
            continue;
        }
        let mut model = model_in_steps(&log, 1 << 20);
        if !replay(&mut model, &log) {
            continue;
        }
        for track in model.tracks_of(&arranged(&model), "threads", 0, 12) {
            for span in spans(&mut model, &log, track.id).into_iter().take(40) {
                let search = model.woken(&arranged(&model), track.id, span.start, Direction::Previous);
                let (place, waker) = answer(&mut model, &log, search);
                let Place::Span(run) = place else { continue };
                assert_eq!(run.state, "running", "{path:?}: {run:?} woke up {span:?}");
                assert!(run.span.start <= span.end, "{path:?}: {run:?}, {span:?}");
                back += 1;
                let search = model.woken(&arranged(&model), waker.unwrap(), run.span.start, Direction::Next);
                let (place, track) = answer(&mut model, &log, search);
                let Place::Span(woken) = place else { panic!("{path:?}: {run:?} woke up nobody") };
                assert!(run.span.start <= woken.span.start && woken.span.start <= run.span.end, "{path:?}: {woken:?}");
                assert!(woken.state != "running" && track.is_some(), "{path:?}: {run:?} woke up {woken:?}");
                forth += 1;
            }
        }
    }
    assert!(back > 200 && forth > 200, "{back} {forth}");
}

/// A look-up's answer, and its track.
fn answer(model: &mut Model, log: &[u8], mut search: LookUp) -> (Place, Option<TrackId>) {
    while let [(offset, length), ..] = search.reads(model)[..] {
        search.give(model, offset, &log[offset as usize..(offset + length) as usize]).unwrap();
    }
    (model.found(&search).expect("nothing more must be read").clone(), search.track())
}

/// A thread that runs for two seconds while megabytes of a heap profile are written.
fn profiled() -> Vec<u8> {
    let thread = ThreadId(3);
    let (mut log, mut time) = (LogWriter::new(), Nanos::MILLISECOND);
    log.block(Block::of(CapNo(0)), |log| {
        log.event(time, CreateThread { thread });
        log.event(time, RunThread { thread });
    });
    for census in 0..2000 {
        log.block(Block::GLOBAL, |log| {
            log.event(time, HeapProfSampleBegin { number: census });
            for band in 0..50 {
                let label = CStr(Text(b"a label of a band"));
                log.event(time, HeapProfSampleString { profile: 0, bytes: band, label });
            }
            log.event(time, HeapProfSampleEnd { number: census });
        });
        time = time.plus(Nanos::MILLISECOND);
    }
    log.block(Block::of(CapNo(0)), |log| {
        log.event(time, StopThread { thread, status: StopStatus(5), info: None });
    });
    log.end();
    log.finish()
}

/// Samples of profiles do not affect threads, so they are not read again.
#[test]
fn the_replay_of_a_profile_only_reads_what_may_be_about_threads() {
    let log = profiled();
    let mut model = model_in_steps(&log, 1 << 16);
    let mut job = model.replay().unwrap();
    let (mut read, mut asked) = (0, job.reads(&mut model));
    while !asked.is_empty() {
        for (offset, length) in asked {
            read += length;
            job.give(&mut model, offset, &log[offset as usize..(offset + length) as usize]).unwrap();
        }
        asked = job.reads(&mut model);
    }
    assert!(read * 4 < log.len() as u64, "{read} of {}", log.len());
    assert_eq!(rows(&model, None)[&ThreadId(3)]["running_ns"], Value::Duration(Nanos(2_000_000_000)));
}

/// Logging may begin while threads run or are blocked. The first end in the log shows what was before it.
#[test]
fn a_log_may_begin_within_a_run_or_a_wait() {
    let (ran, waited) = (ThreadId(4), ThreadId(5));
    let mut log = LogWriter::new();
    log.block(Block::of(CapNo(0)), |log| {
        log.event(Nanos(100), UserMarker { text: Text(b"logging was started") });
        log.event(Nanos(1000), StopThread { thread: ran, status: StopStatus(3), info: None });
        log.event(Nanos(1000), RunThread { thread: ran });
        log.event(Nanos(1500), StopThread { thread: ran, status: StopStatus(5), info: None });
        // Its run is not in the log.
        log.event(Nanos(2000), StopThread { thread: waited, status: StopStatus(4), info: None });
        log.event(Nanos(3000), ThreadWakeup { thread: waited, cap: CapNo(0) });
        log.event(Nanos(3200), RunThread { thread: waited });
        log.event(Nanos(3500), StopThread { thread: waited, status: StopStatus(5), info: None });
    });
    log.end();
    let log = log.finish();
    let mut model = model_in_steps(&log, 100);
    assert!(replay(&mut model, &log));
    let rows = rows(&model, None);
    let times = |thread: ThreadId| STATES.map(|state| duration(&rows[&thread][state]));
    assert_eq!((times(ran), times(waited)), ([1400, 0, 0, 0], [300, 200, 1000, 0]));
    assert_eq!(figure(&model.facts(None), "states_ns.running"), Some(1700));
}

/// The last block of a capability is missing: a thread that is woken up there may have run, and may have been blocked since.
#[test]
fn what_is_woken_up_on_a_capability_without_events_is_not_known() {
    let states = |is_whole: bool| {
        let mut log = LogWriter::new();
        for (cap, thread, end) in [(1, 7, 2000), (0, 8, 9000)] {
            log.block(Block::of(CapNo(cap)), |block| {
                block.event(Nanos(1000), CreateThread { thread: ThreadId(thread) });
                block.event(Nanos(1000), RunThread { thread: ThreadId(thread) });
                if cap == 0 {
                    block.event(Nanos(5000), ThreadWakeup { thread: ThreadId(7), cap: CapNo(1) });
                }
                let stop = StopThread { thread: ThreadId(thread), status: StopStatus(7), info: Some(0) };
                block.event(Nanos(end), stop);
            });
        }
        if is_whole {
            log.end();
        }
        let log = log.finish();
        let mut model = model_in_steps(&log, 1 << 20);
        replay(&mut model, &log);
        conformance::agree(&log, &mut fastrand::Rng::with_seed(1)).unwrap();
        let row = &rows(&model, None)[&ThreadId(7)];
        let known: Vec<u64> = STATES.iter().map(|state| row.get(state).map_or(0, duration)).collect();
        (known, figure(&model.facts(None), "states_ns.not_known"))
    };
    assert_eq!(states(true).0, [1000, 4000, 3000, 0]);
    assert_eq!(states(false), (vec![1000, 0, 3000, 0], Some(4000)));
}
