//! The contents of the sections.

use super::{all, logs, models, query, tables, value};
use conformance::arranged;
use conformance::{files, model_in_steps, project, replay, whole_range};
use ghc_eventlog::{
    Block, CapNo, GcEnd, GcGlobalSync, GcStart, GcStats, LogWriter, Nanos, RequestParGc, RequestSeqGc, RunThread,
    SparkRun, SparkSteal, StopStatus, StopThread, ThreadId,
};
use ghc_eventlog_model::{Facts, State, TableQuery, Value, limits};
use std::fs;

/// The GC times of the generations add up to the whole GC time, for any range: no share is more than all, and cuts
/// through collections lose nothing.
#[test]
fn the_generations_have_the_gc_time_between_them() {
    for (name, log) in logs() {
        let mut model = model_in_steps(&log, 1 << 20);
        let Some((first, last)) = model.extent() else { continue };
        // Cuts through the longest collection, so that it is on both sides, and near its end.
        let longest = model.collections().rows().iter().max_by_key(|gc| gc.elapsed()).copied();
        let cut = longest.map_or(first, |gc| Nanos(gc.start.0 / 2 + gc.end.0 / 2)).max(first);
        let ends = [first, cut, cut.plus(Nanos(7)), last.plus(Nanos(1))];
        let mut ranges = vec![None];
        for pair in ends.windows(2).filter(|pair| pair[0] < pair[1]) {
            ranges.push(whole_range(&mut model, &log, pair[0], pair[1]).map(|(range, _)| range));
        }
        for range in &ranges {
            let facts = model.facts(range.as_ref());
            let Value::Duration(elapsed) = value(&facts, "gc", "elapsed_ns") else { continue };
            let page = all(&model, query("generations"), range.as_ref());
            // Without GC_STATS_GHC, it is not known which generations were collected.
            if !model.counts().any(|(tag, _)| tag == GcStats::TAG) {
                assert!(page.rows.is_empty(), "{name}");
                continue;
            }
            let mut sum = Nanos(0);
            for row in &page.rows {
                let [_, _, _, Value::Duration(time), share, ..] = &row[..] else { panic!("{name}: {row:?}") };
                sum = sum.plus(*time);
                assert!(!matches!(share, Value::Share(share) if *share > 1.0), "{name}: {row:?}");
            }
            assert_eq!(sum, elapsed, "{name}: {range:?}");
            assert!(!matches!(value(&facts, "gc", "share"), Value::Share(share) if share > 1.0), "{name}");
        }
    }
}

#[test]
fn states_are_those_of_the_tracks_and_their_parts_fill_the_known_time() {
    for (name, model, _) in models() {
        let lanes: Vec<_> =
            model.tracks(&arranged(&model)).into_iter().filter(|track| track.group == "Capabilities").collect();
        let facts = model.facts(None);
        let table = tables(&facts).find(|table| table.key == "caps").unwrap();
        let page = all(&model, query("caps"), None);
        assert_eq!(page.rows.len(), lanes.len(), "{name}");
        for (row, lane) in page.rows.iter().zip(lanes) {
            let totals = model.totals(&arranged(&model), lane.id);
            let (mut sum, mut all_told) = (Nanos(0), true);
            let mut known = Nanos(0);
            for (column, value) in table.columns.iter().zip(row) {
                let state = lane.states.iter().position(|State { name, .. }| name.eq_ignore_ascii_case(column.name));
                match (state, value) {
                    (Some(state), Value::Duration(time)) => {
                        assert_eq!((*time, lane.lacks[state]), (totals[state], None), "{name}, {}", column.key);
                        sum = sum.plus(if column.part { *time } else { Nanos(0) });
                    }
                    (Some(state), _) => {
                        assert!(*value == Value::Unknown && lane.lacks[state].is_some(), "{name}, {}", column.key);
                        all_told = false;
                    }
                    (None, Value::Duration(time)) if column.key == "known_ns" => known = *time,
                    (None, _) => assert!(
                        ["cap", "created_ns", "deleted_ns", "allocated_bytes", "log_writing_ns"].contains(&column.key)
                            || column.key.starts_with("sparks."),
                        "{name}"
                    ),
                }
            }
            assert!(!all_told || sum == known, "{name}, {}: {sum} of {known}", lane.name.for_comparing());
        }
    }
}

/// If nothing was lost, *not known* is neither a figure nor a column; if something was, it is both.
#[test]
fn unknown_time_of_capabilities_is_only_shown_if_there_is_any() {
    let (mut with, mut without) = (0, 0);
    for (name, model, _) in models() {
        let facts = model.facts(None);
        let lost = model.tracks(&arranged(&model)).into_iter().filter(|track| track.group == "Capabilities");
        let lost: u64 =
            lost.filter_map(|lane| model.totals(&arranged(&model), lane.id).get(4).map(|lost| lost.0)).sum();
        let figure = facts.section("caps").unwrap().get("not_known_ns");
        let table = tables(&facts).find(|table| table.key == "caps").unwrap();
        let column = table.columns.iter().any(|column| column.key == "not_known_ns");
        assert_eq!((figure.is_some(), column), (lost > 0, lost > 0), "{name}");
        if let Some(figure) = figure {
            assert_eq!((figure.name, &figure.value), ("Not known", &Value::Duration(Nanos(lost))), "{name}");
        }
        with += usize::from(lost > 0);
        without += usize::from(lost == 0);
    }
    assert!(with > 1 && without > 10, "{with}, {without}");
}

/// A spark runs until its thread takes the next one or finishes, even if the thread waits or moves to another
/// capability.
#[test]
fn sparks_run_until_their_thread_takes_the_next_one() {
    let (a, b) = (ThreadId(1), ThreadId(2));
    let stop = |thread, status| StopThread { thread, status: StopStatus(status), info: Some(0) };
    let mut log = LogWriter::new();
    log.block(Block::of(CapNo(0)), |log| {
        log.event(Nanos(0), RunThread { thread: a }).event(Nanos(10), SparkRun {});
        // The nursery is full, and another thread runs its sparks. Its last spark does not end.
        log.event(Nanos(15), stop(a, 1)).event(Nanos(16), RunThread { thread: b });
        log.event(Nanos(20), SparkSteal { victim: CapNo(1) })
            .event(Nanos(27), SparkRun {})
            .event(Nanos(30), stop(b, 1));
        log.event(Nanos(40), RunThread { thread: a }).event(Nanos(50), SparkRun {});
        log.event(Nanos(55), stop(a, 5)).event(Nanos(60), RunThread { thread: a }).event(Nanos(99), stop(a, 5));
    });
    log.end();
    let log = log.finish();
    let mut model = model_in_steps(&log, 1 << 20);
    let before = model.facts(None);
    assert_eq!(value(&before, "sparks", "run_ns.count"), Value::Unknown, "threads have not been followed");
    assert!(before.section("sparks").unwrap().remark_text().is_some());
    replay(&mut model, &log);
    let facts = model.facts(None);
    assert_eq!(facts.section("sparks").unwrap().remark_text(), None);
    let figure = |key: &str| value(&facts, "sparks", key);
    let ns = |ns| Value::Duration(Nanos(ns));
    // 10 to 50, 50 to 55, and 20 to 27.
    assert_eq!(figure("run_ns.count"), Value::Count(3));
    assert_eq!(["run_ns.p50", "run_ns.p95", "run_ns.max"].map(figure), [ns(7), ns(40), ns(40)]);
    assert_eq!(facts.section("sparks").unwrap().get("run_ns.max").unwrap().time, Some(Nanos(10)));
    let histogram = |facts: &Facts| {
        let [runs] = &facts.section("sparks").unwrap().histograms[..] else { panic!("{facts:?}") };
        let bins: Vec<_> = runs.bins.iter().map(|bin| (bin.from, bin.to, bin.counts.clone())).collect();
        (runs.of_whole_log, bins)
    };
    let bins = vec![(5, 10, vec![2]), (10, 20, vec![0]), (20, 50, vec![1])];
    assert_eq!(histogram(&facts), (false, bins.clone()));
    let (range, _) = whole_range(&mut model, &log, Nanos(5), Nanos(52)).unwrap();
    let of_range = model.facts(Some(&range));
    assert_eq!(value(&of_range, "sparks", "run_ns.max"), Value::Unknown);
    assert_eq!(histogram(&of_range), (true, bins), "it says that it is of the whole log");
    let plain = model_in_steps(&fs::read(project().join("tests/corpus/threaded/log.eventlog")).unwrap(), 1 << 20);
    assert_eq!(plain.facts(None).section("sparks").unwrap().get("run_ns.max"), None, "no spark is logged on its own");
}

/// The runtime leaves censuses out of its GC time, and a log cannot. If a log or a range has censuses, a remark says
/// so.
#[test]
fn gc_time_with_censuses_says_so() {
    let (mut with, mut without) = (0, 0);
    for (name, model, range) in models() {
        let censuses = model.counts().any(|(tag, _)| [162, 166].contains(&tag));
        for range in [None, range.as_ref()] {
            let facts = model.facts(range);
            let remark = facts.section("gc").unwrap().remark_text();
            let any_time = matches!(value(&facts, "gc", "elapsed_ns"), Value::Duration(elapsed) if elapsed > Nanos(0));
            let told = censuses && any_time;
            assert_eq!(remark.as_ref().is_some_and(|remark| remark.contains("censuses")), told, "{name}: {remark:?}");
            // Else it says why productivity is not the runtime's own.
            let gc = facts.section("gc").unwrap();
            let productivity = gc.none.is_none() && value(&facts, "gc", "productivity") != Value::Unknown;
            assert_eq!(remark.is_some(), told || productivity, "{name}: {remark:?}");
            let markdown = model.markdown(range, 1);
            assert_eq!(markdown.contains("includes the censuses of the heap profile"), told, "{name}: {markdown}");
            with += usize::from(told);
            without += usize::from(!told);
        }
    }
    assert!(with > 10 && without > 100, "{with}, {without}");
}

/// Different tasks, whatever their creations are; that is what the runtime counts.
#[test]
fn tasks_are_counted_by_their_numbers() {
    let logs = conformance::shared_logs();
    let mut checked = 0;
    for path in &logs {
        // The runtime counts differently for programs that call in from outside, or use the non-moving collector.
        if !["ghc-9.10.3/threads.eventlog", "ghc-9.10.3/sparks.eventlog"].iter().any(|name| path.ends_with(name)) {
            continue;
        }
        let figures = fs::read_to_string(path.with_extension("rts")).unwrap();
        let (_, rest) = figures.split_once("(\"task_count\", \"").unwrap();
        let expected: u64 = rest.split_once('"').unwrap().0.parse().unwrap();
        let model = model_in_steps(&fs::read(path).unwrap(), 1 << 20);
        assert_eq!(value(&model.facts(None), "tasks", "created"), Value::Count(expected), "{}", path.display());
        checked += 1;
    }
    assert!(checked == 2 || logs.is_empty(), "{checked}");
}

/// From each request to GC_GLOBAL_SYNC of its collection, computed from the events.
#[test]
fn the_time_to_sync_is_that_from_requests_to_global_syncs() {
    let mut logs_with = 0;
    for path in files(&project().join("tests/corpus"), "log.eventlog") {
        let log = fs::read(&path).unwrap();
        let mut requested: std::collections::BTreeMap<Option<CapNo>, Nanos> = Default::default();
        let (mut sync, mut syncs) = (0, 0);
        conformance::decode_in_steps(&log, log.len(), |_, record| match record.tag {
            RequestSeqGc::TAG | RequestParGc::TAG => _ = requested.insert(record.cap, record.time),
            GcGlobalSync::TAG => {
                if let Some(request) = requested.get(&record.cap) {
                    sync += record.time.since(*request).0;
                    syncs += 1;
                }
            }
            GcEnd::TAG => _ = requested.remove(&record.cap),
            _ => {}
        });
        // If nothing was lost, each of them belongs to a collection.
        let whole = ["threaded", "sparks", "nonmoving", "heap-type", "resized", "only-collections"];
        let name = path.parent().unwrap().file_name().unwrap().to_str().unwrap().to_string();
        if whole.contains(&name.as_str()) && syncs > 0 {
            // GC_END comes after GC_GLOBAL_SYNC in the file.
            let facts = model_in_steps(&log, 1 << 20).facts(None);
            assert_eq!(value(&facts, "gc", "sync_ns"), Value::Duration(Nanos(sync)), "{name}");
            logs_with += 1;
        }
    }
    assert!(logs_with >= 4, "{logs_with}");
}

#[test]
fn all_collections_are_counted_even_if_not_all_are_kept() {
    let count = limits::MAX_COLLECTIONS as u64 + 1000;
    let mut log = LogWriter::new();
    log.block(Block::of(CapNo(0)), |block| {
        for at in 0..count {
            let pause = if at == 70_000 { 900 } else { 10 };
            block.event(Nanos(at * 1000), GcStart {});
            block.event(Nanos(at * 1000 + 1), GcGlobalSync {});
            block.event(Nanos(at * 1000 + pause), GcEnd {});
        }
    });
    log.end();
    let log = log.finish();
    let mut model = model_in_steps(&log, 1 << 20);
    let page = model.page(&model.order(query("collections"), None), None, 0, usize::MAX);
    assert!(page.kept < limits::MAX_COLLECTIONS && page.of == count, "{} of {}", page.kept, page.of);
    assert_eq!((page.rows.len(), page.found), (limits::MAX_PAGE, page.kept));
    let by_pause = TableQuery { sort: "pause_ns".into(), down: true, ..query("collections") };
    let longest = model.page(&model.order(by_pause, None), None, 0, 1);
    assert_eq!((longest.rows[0][1].clone(), longest.times[0]), (Value::Duration(Nanos(900)), Some(Nanos(70_000_000))));
    let facts = model.facts(None);
    assert_eq!(value(&facts, "gc", "count"), Value::Count(count));
    let median = facts.section("gc").unwrap().get("pause_ns.p50").unwrap();
    assert_eq!((median.name, &median.value), ("Median pause, within 0.4 %", &Value::Duration(Nanos(10))));
    let [ref pauses] = facts.section("gc").unwrap().histograms[..] else { panic!("{facts:?}") };
    let bins: Vec<_> =
        pauses.bins.iter().map(|bin| (bin.from, bin.to, bin.counts[0])).filter(|bin| bin.2 > 0).collect();
    assert_eq!(bins, [(10, 20, count - 1), (500, 1000, 1)], "of all, kept or not");
    assert_eq!(facts.section("gc").unwrap().get("pause_ns.max").unwrap().time, Some(Nanos(70_000_000)));
    let (range, _) = whole_range(&mut model, &log, Nanos(0), Nanos(500_000)).unwrap();
    let facts = model.facts(Some(&range));
    assert_eq!(value(&facts, "gc", "count"), Value::Count(500));
    assert_eq!(value(&facts, "gc", "pause_ns.max"), Value::Unknown, "not all collections are kept");
    assert_eq!(value(&facts, "gc", "pause_ns.p50"), Value::Unknown, "not all collections are kept");
    assert!(facts.section("gc").unwrap().histograms.is_empty(), "not all collections are kept");
}
