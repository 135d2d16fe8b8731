//! The instances of a label of user spans, and what the thread of each did meanwhile.

use conformance::{Mutants, files, model_in_steps, part_of, project, replay, shared_logs, whole_range};
use ghc_eventlog::{
    Block, CapNo, CapsetId, GcEnd, GcGlobalSync, GcStart, GcStats, GcWork, HeapAllocated, LogWriter, Nanos,
    RequestParGc, RunThread, StopStatus, StopThread, Text, ThreadId, ThreadWakeup, UserMsg,
};
use ghc_eventlog_model::{LogText, Model, RequestsQuery, Section, TableQuery, Value, limits, work};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

/// The time of one character of a drawing: 1 ms.
pub(crate) const STEP: u64 = 1_000_000;

/// Plays drawings, a line for each capability: digits run that thread, `)` stops it, `m` blocks it on an MVar, `f` lets it call a
/// foreign function, `x` finishes it; `u` wakes up thread 1. `a`, `b` and `c` begin a span of that label, and the capital letter ends
/// it. `q` requests a collection, `(` begins it, `=` says that all have stopped, `]` ends it. `h` says that the capability has allocated
/// 4000 bytes more.
pub(crate) fn log(lanes: &[&str]) -> Vec<u8> {
    let mut log = LogWriter::new();
    for (number, lane) in lanes.iter().enumerate() {
        let (mut thread, mut allocated) = (ThreadId(0), 100_000);
        log.block(Block::of(CapNo(number as u16)), |block| {
            for (place, letter) in (0..).zip(lane.chars()) {
                event(block, Nanos(1 + place * STEP), letter, &mut thread, &mut allocated);
            }
        });
    }
    log.end();
    log.finish()
}

fn event(block: &mut LogWriter, time: Nanos, letter: char, thread: &mut ThreadId, allocated: &mut u64) {
    let stop = |status| StopThread { thread: *thread, status: StopStatus(status), info: Some(0) };
    match letter {
        '0'..='9' => {
            *thread = ThreadId(letter.to_digit(10).unwrap());
            block.event(time, RunThread { thread: *thread });
        }
        ')' => _ = block.event(time, stop(3)),
        'm' => _ = block.event(time, stop(7)),
        'f' => _ = block.event(time, stop(6)),
        'x' => _ = block.event(time, stop(5)),
        'u' => _ = block.event(time, ThreadWakeup { thread: ThreadId(1), cap: CapNo(0) }),
        'a' | 'b' | 'c' => _ = block.event(time, UserMsg { text: Text(format!("START {letter}").as_bytes()) }),
        'A' | 'B' | 'C' => {
            let text = format!("STOP {}", letter.to_ascii_lowercase());
            block.event(time, UserMsg { text: Text(text.as_bytes()) });
        }
        'q' => _ = block.event(time, RequestParGc {}),
        '(' => _ = block.event(time, GcStart {}).event(time, GcWork {}),
        '=' => {
            let stats = GcStats {
                capset: CapsetId(0),
                generation: 0,
                copied_bytes: 0,
                slop_bytes: 0,
                fragmentation_bytes: 0,
                par_threads: 1,
                par_max_copied_bytes: 0,
                par_total_copied_bytes: 0,
                par_balanced_copied_bytes: Some(0),
            };
            block.event(time, GcGlobalSync {}).event(time, stats);
        }
        ']' => _ = block.event(time, GcEnd {}),
        'h' => {
            *allocated += 4000;
            block.event(time, HeapAllocated { capset: CapsetId(0), bytes: *allocated });
        }
        _ => {}
    }
}

pub(crate) type Row = BTreeMap<&'static str, Value>;

fn section(model: &Model, key: &str) -> Section {
    model.facts(None).section(key).unwrap().clone()
}

/// The rows of a table of a section, in its own order.
pub(crate) fn rows(model: &Model, of: &str, table: &str) -> Vec<Row> {
    let section = section(model, of);
    let Some(info) = section.tables.iter().find(|info| info.key == table) else { return Vec::new() };
    let order = model.order(TableQuery { table: table.into(), ..TableQuery::default() }, None);
    let mut rows = Vec::new();
    loop {
        let page = model.page(&order, None, rows.len(), 10_000);
        if page.rows.is_empty() {
            return rows;
        }
        rows.extend(page.rows.into_iter().map(|row| info.columns.iter().map(|column| column.key).zip(row).collect()));
    }
}

pub(crate) fn number(row: &Row, key: &str) -> u64 {
    known(row.get(key)).unwrap_or(0)
}

fn known(value: Option<&Value>) -> Option<u64> {
    match value {
        Some(Value::Count(number) | Value::Bytes(number)) => Some(*number),
        Some(Value::Duration(time) | Value::Time(time)) => Some(time.0),
        _ => None,
    }
}

fn figure(section: &Section, key: &str) -> Option<u64> {
    known(section.get(key).map(|figure| &figure.value))
}

/// Looks at the instances that a query asks for.
fn ask(model: &mut Model, log: &[u8], query: &RequestsQuery) {
    let mut job = model.requests(query).unwrap();
    assert!(work(&mut job, model, part_of(log)).unwrap());
}

/// A model that has looked at all instances of a label.
fn of_label(log: &[u8], label: &'static str) -> Model {
    let mut model = model_in_steps(log, 100);
    assert!(replay(&mut model, log));
    assert!(section_is_missing(&model));
    ask(&mut model, log, &RequestsQuery::of(label));
    model
}

/// Nobody has asked yet.
fn section_is_missing(model: &Model) -> bool {
    model.facts(None).section("requests").is_none()
}

/// What is told of each instance of a label, with times in milliseconds: `key=value` for all that is not 0.
fn told(model: &Model) -> Vec<String> {
    let cell = |(key, value): (&'static str, Value)| {
        let key = key.trim_end_matches("_ns");
        match value {
            Value::Duration(time) | Value::Time(time) if time.0 > 1 => Some(format!("{key}={}", time.0 / STEP)),
            Value::Count(0) | Value::Duration(_) | Value::Time(_) | Value::Unknown => None,
            value => Some(format!("{key}={}", value.text(Nanos(0)))).filter(|text| !text.ends_with('=')),
        }
    };
    // The sum of the blocked times by reason is looked at elsewhere.
    let rows = rows(model, "requests", "requests").into_iter().map(|row| {
        let cells = row.into_iter().filter(|(key, _)| !["blocked_ns"].contains(key));
        cells.filter_map(cell).collect::<Vec<_>>().join(" ")
    });
    rows.collect()
}

#[test]
fn waits_and_collections_are_told_apart() {
    let log = log(&[
        "1a.m..q(=]...1..A)", //
        "2.....)...2u.....)",
    ]);
    let model = of_label(&log, "a");
    let row = "blocked.mvar=6 caps=0 collecting=2 duration=15 from=1 runnable=2 running=5 self=15 thread=1";
    assert_eq!(told(&model), [row]);
}

#[test]
fn an_instance_moves_with_its_thread() {
    let log = log(&[
        "1a.).....1.)1..A)", //
        "2...)1..)3......)",
    ]);
    let row = "capability_changes=2 caps=0, 1 duration=14 from=1 runnable=4 running=10 self=14 thread=1".to_string();
    assert_eq!(told(&of_label(&log, "a")), [row]);
}

#[test]
fn spans_within_an_instance_are_told_by_label() {
    let log = log(&["1a.b..B.b.Bc.A.C)"]);
    // c does not end within a.
    assert_eq!(told(&of_label(&log, "a")), ["caps=0 duration=12 from=1 nested=b 5.000 ms running=12 self=7 thread=1"]);
    let of_b = told(&of_label(&log, "b"));
    assert_eq!(
        of_b,
        ["caps=0 duration=3 from=3 running=3 self=3 thread=1", "caps=0 duration=2 from=8 running=2 self=2 thread=1"]
    );
    let model = of_label(&log, "a");
    let nested = model.nested_in_request(0).unwrap();
    assert_eq!(nested.len(), 1);
    assert_eq!((nested[0].0.for_json().as_str(), nested[0].1), ("b", Nanos(5 * STEP)));
    assert_eq!(model.nested_in_request(1), None);
}

#[test]
fn the_same_label_may_be_open_twice() {
    let log = log(&["1a.a.m.1A..A)", "2.....u"]);
    let told = told(&of_label(&log, "a"));
    let outer = "blocked.mvar=1 caps=0 duration=10 from=1 nested=a 5.000 ms runnable=1 running=8 self=5 thread=1";
    let inner = "blocked.mvar=1 caps=0 duration=5 from=3 runnable=1 running=3 self=5 thread=1";
    assert_eq!(told, [outer, inner]);
}

#[test]
fn what_a_capability_allocates_is_shared_by_running_time() {
    //               from 1 to 12, thread 1 runs for 5 and thread 2 for 4 ms
    let log = log(&["1h.a..)2...)1A)h1a..A)1.a.A)"]);
    let model = of_label(&log, "a");
    let allocated: Vec<Option<u64>> =
        rows(&model, "requests", "requests").iter().map(|row| known(row.get("allocated_bytes"))).collect();
    // The first is the longest: 4 of the 10 ms in which threads ran between the two totals. Nothing is told after the last one.
    assert_eq!(allocated, [Some(4000 * 4 / 11), None, None]);
    // Nor before the first one.
    let log = self::log(&["1.a.A.h.)"]);
    assert_eq!(rows(&of_label(&log, "a"), "requests", "requests")[0].get("allocated_bytes"), Some(&Value::Unknown));
}

#[test]
fn unfinished_instances_are_counted_apart() {
    let log = log(&["1a.a.A..x2b.."]);
    let model = of_label(&log, "a");
    let section = section(&model, "requests");
    assert_eq!([figure(&section, "count"), figure(&section, "unfinished")], [Some(1), Some(1)]);
    assert_eq!(told(&model), ["caps=0 duration=2 from=3 running=2 self=2 thread=1"]);
    let model = of_label(&log, "b");
    let section = self::section(&model, "requests");
    assert_eq!([figure(&section, "count"), figure(&section, "unfinished")], [Some(0), Some(1)]);
    assert_eq!((told(&model), section.get("slowest")), (vec![], None));
}

/// What runs no thread is a capability's: it is not known what it did.
#[test]
fn without_a_thread_only_collections_are_known() {
    let log = log(&["a.q(=]..A"]);
    assert_eq!(told(&of_label(&log, "a")), ["collecting=2 duration=8 not_known=6"]);
}

/// Few of them are kept, since there are so many; but each of the spans is known to have waited for its own.
#[test]
fn all_collections_count_however_many_there_are() {
    let collections = limits::MAX_COLLECTIONS * 3 / 2;
    let log = log(&[&format!("1a.A)1a)..{}1.A)1a)q(=]1.A)", "q(=]".repeat(collections))]);
    let mut model = model_in_steps(&log, 1 << 16);
    assert!(replay(&mut model, &log));
    ask(&mut model, &log, &RequestsQuery::of("a"));
    let collecting: Vec<u64> =
        rows(&model, "requests", "requests").iter().map(|row| number(row, "collecting_ns")).collect();
    assert_eq!(collecting, [2 * collections as u64, 2, 0].map(|steps| steps * STEP));
    assert!(section(&model, "requests").remarks.is_empty());
    let spans = rows(&model, "spans", "spans");
    assert_eq!(number(&spans[0], "total_ns") - number(&spans[0], "without_gc_ns"), collecting.iter().sum());
}

#[test]
fn the_slowest_is_compared_with_those_near_the_median() {
    let quick = "1a.A)";
    let log = log(&[&format!("{}1a.m......................1.A)", quick.repeat(20)), &format!("{}u", ".".repeat(120))]);
    let model = of_label(&log, "a");
    let section = section(&model, "requests");
    let said = section.get("slowest").unwrap().value.text(Nanos(0));
    assert_eq!(
        said,
        "The slowest took 27.00 ms, 13 times the median of 2.003 ms: it was blocked on an MVar 17.00 ms longer, runnable 6.000 ms \
         longer, running 2.000 ms longer."
    );
    let compared: Vec<_> = rows(&model, "requests", "slowest_request")
        .iter()
        .map(|row| (row["what"].text(Nanos(0)), number(row, "median_ns") / STEP, number(row, "slowest_ns") / STEP))
        .collect();
    let row = |what: &str, median, slowest| (what.to_string(), median, slowest);
    let expected =
        [row("all of it", 2, 27), row("running", 2, 4), row("runnable", 0, 6), row("blocked on an MVar", 0, 17)];
    assert_eq!(compared, expected);
}

/// Instances of a range begin in it. Those of a bar of the histogram are as long as it says; all are counted.
#[test]
fn instances_are_chosen_by_begin_and_by_length() {
    let log = log(&["1a.A.a..A.a...A.a....A.a.....A)"]);
    let mut model = of_label(&log, "a");
    let lengths = |model: &Model| -> Vec<u64> {
        rows(model, "requests", "requests").iter().map(|row| number(row, "duration_ns") / STEP).collect()
    };
    assert_eq!(lengths(&model), [6, 5, 4, 3, 2]);
    let query = RequestsQuery::of("a");
    let (from, to) = (Nanos(4 * STEP), Nanos(12 * STEP));
    let (range, _) = whole_range(&mut model, &log, from, to).unwrap();
    ask(&mut model, &log, &RequestsQuery { from, to, ..query.clone() });
    let facts = model.typed_facts(Some(&range)).requests;
    assert_eq!((facts.count, facts.total), (Some(2), Some(Nanos(7 * STEP))));
    // They are not those of the whole log.
    assert!(section_is_missing(&model));
    ask(&mut model, &log, &RequestsQuery { least: Nanos(3 * STEP), most: Nanos(5 * STEP), ..query });
    assert_eq!(lengths(&model), [4, 3]);
    let section = section(&model, "requests");
    assert_eq!((figure(&section, "count"), figure(&section, "chosen.count")), (Some(5), Some(2)));
    let counted: u64 = section.histograms[0].bins.iter().flat_map(|bin| &bin.counts).sum();
    assert_eq!(counted, 5);
    // The slowest one has no row: what it did is not known.
    assert!(section.get("slowest").is_none());
    // Whatever follows threads anew drops what was asked for.
    assert!(replay(&mut model, &log));
    assert!(section_is_missing(&model));
}

#[test]
fn a_label_that_does_not_exist_cannot_be_asked_for() {
    let log = log(&["1a.A)"]);
    let mut model = model_in_steps(&log, 100);
    assert!(model.requests(&RequestsQuery::of("a")).is_none(), "before the replay");
    assert!(replay(&mut model, &log));
    assert!(model.requests(&RequestsQuery::of("A")).is_none());
    assert_eq!(model.span_labels(), [LogText::from("a")]);
    assert!(section_is_missing(&model));
}

/// Of very many instances the slowest are kept, and everything is counted.
#[test]
fn the_slowest_are_kept() {
    let mut log = LogWriter::new();
    let mut time = 1;
    for block in 0..10 {
        log.block(Block::of(CapNo(0)), |events| {
            events.event(Nanos(time), RunThread { thread: ThreadId(1) });
            for nth in 0..1000 {
                events.event(Nanos(time), UserMsg { text: Text(b"START a") });
                time += 100 + (block * 1000 + nth) * 7919 % 10_000;
                events.event(Nanos(time), UserMsg { text: Text(b"STOP a") });
            }
        });
    }
    log.end();
    let log = log.finish();
    let model = of_label(&log, "a");
    let lengths: Vec<u64> = rows(&model, "requests", "requests").iter().map(|row| number(row, "duration_ns")).collect();
    let expected: Vec<u64> = (100..10_100).rev().take(limits::MAX_REQUESTS).collect();
    assert_eq!(lengths, expected);
    let section = section(&model, "requests");
    let table = section.tables.iter().find(|table| table.key == "requests").unwrap();
    assert_eq!((figure(&section, "count"), table.rows), (Some(10_000), limits::MAX_REQUESTS));
    assert_eq!(figure(&section, "total_ns"), Some((100..10_100).sum()));
    assert_eq!(figure(&section, "duration_ns.max"), Some(10_099));
    let median = figure(&section, "duration_ns.p50").unwrap();
    assert!(median.abs_diff(5099) < 5099 / 200, "{median}");
}

/// Checks all properties for a log; returns how many instances it has.
fn check(name: &str, log: &[u8]) -> u64 {
    let mut model = model_in_steps(log, 1 << 20);
    if model.extent().is_none() || !replay(&mut model, log) {
        return 0;
    }
    let by_label: BTreeMap<String, Row> =
        rows(&model, "spans", "spans").into_iter().map(|row| (row["label"].text(Nanos(0)), row)).collect();
    let allocated = model.typed_facts(None).heap.allocated;
    let mut all = 0;
    let labels: Vec<LogText<'static>> = model.span_labels().into_iter().map(LogText::into_owned).collect();
    for label in labels {
        let case = format!("{name}: {}", label.for_terminal());
        ask(&mut model, log, &RequestsQuery::of(label.clone()));
        let of = section(&model, "requests");
        // The table may show it with other letters.
        let spans = &by_label[&Value::Text(label.clone()).text(Nanos(0))];
        for key in ["count", "unfinished", "total_ns"] {
            assert_eq!(figure(&of, key).unwrap(), number(spans, key), "{case}: {key}");
        }
        let count = number(spans, "count");
        assert_eq!(figure(&of, "duration_ns.max").unwrap_or(0), number(spans, "max_ns"), "{case}");
        let rows = rows(&model, "requests", "requests");
        assert_eq!(rows.len() as u64, count.min(limits::MAX_REQUESTS as u64), "{case}");
        let sum = |key: &str| rows.iter().map(|row| number(row, key)).sum::<u64>();
        for row in &rows {
            check_row(&case, row);
        }
        if rows.len() as u64 == count {
            let self_time = known(spans.get("self_ns"));
            if self_time.is_some() && rows.iter().all(|row| known(row.get("self_ns")).is_some()) {
                assert_eq!(Some(sum("self_ns")), self_time, "{case}");
            }
            if let Some(without) = known(spans.get("without_gc_ns")).filter(|_| count > 0) {
                assert_eq!(sum("collecting_ns"), number(spans, "total_ns") - without, "{case}");
            }
        }
        let most = rows.iter().filter_map(|row| known(row.get("allocated_bytes"))).max();
        assert!(most <= allocated || most.is_none_or(|most| most == 0), "{case}: {most:?} of {allocated:?}");
        all += count;
        // The amount of memory only affects how often parts are read.
        let before = (of.figures.clone(), rows);
        let mut job = model.requests_within(&RequestsQuery::of(label.clone()), 2000).unwrap();
        assert!(work(&mut job, &mut model, part_of(log)).unwrap());
        let again = section(&model, "requests");
        assert_eq!((again.figures, self::rows(&model, "requests", "requests")), before, "{case}");
    }
    check_families(name, &mut model, log, &by_label);
    all
}

/// A family has all spans of its labels, and each says which label it has.
fn check_families(name: &str, model: &mut Model, log: &[u8], by_label: &BTreeMap<String, Row>) {
    let labels: Vec<LogText<'static>> = model.span_labels().into_iter().map(LogText::into_owned).collect();
    for family in model.span_families() {
        // A label of the same name wins.
        if labels.contains(&family) {
            continue;
        }
        let case = format!("{name}: {}", family.for_terminal());
        let of_family = |label: &&LogText<'static>| {
            let mut numbers = family.for_terminal();
            numbers.retain(|letter| letter != '#');
            let mut plain = label.for_terminal();
            plain.retain(|letter| letter != '#' && !letter.is_ascii_digit());
            plain == numbers
        };
        let rows_of: Vec<&Row> = labels
            .iter()
            .filter(of_family)
            .map(|label| &by_label[&Value::Text(label.clone()).text(Nanos(0))])
            .collect();
        ask(model, log, &RequestsQuery::of(family.clone()));
        let of = section(model, "requests");
        let asked = figure(&of, "labels").unwrap();
        assert!(asked > 1 && asked <= rows_of.len() as u64, "{case}: {asked}");
        if asked < rows_of.len() as u64 {
            continue; // Labels without their numbers may be alike: "a1" and "a".
        }
        for key in ["count", "unfinished", "total_ns"] {
            let sum: u64 = rows_of.iter().map(|row| number(row, key)).sum();
            assert_eq!(figure(&of, key), Some(sum), "{case}: {key}");
        }
        let named: BTreeSet<String> =
            rows(model, "requests", "requests").iter().map(|row| row["label"].text(Nanos(0))).collect();
        assert!(named.iter().all(|label| by_label.contains_key(label)), "{case}: {named:?}");
        assert!(named.len() as u64 <= asked, "{case}: {named:?}");
    }
}

/// The times of an instance add up to its duration.
fn check_row(case: &str, row: &Row) {
    let duration = number(row, "duration_ns");
    let blocked: u64 =
        row.iter().filter(|(key, _)| key.starts_with("blocked.")).filter_map(|(_, value)| known(Some(value))).sum();
    let others = ["running_ns", "collecting_ns", "runnable_ns", "foreign_ns", "not_known_ns"];
    let sum = others.iter().map(|key| number(row, key)).sum::<u64>() + blocked;
    assert_eq!(sum, duration, "{case}: {row:?}");
    assert_eq!(blocked, number(row, "blocked_ns"), "{case}: {row:?}");
    assert!(number(row, "self_ns") <= duration, "{case}: {row:?}");
}

#[test]
fn instances_agree_with_the_totals_of_spans() {
    let (mut logs, mut instances) = (0, 0);
    for path in files(&project().join("tests/corpus"), "log.eventlog").into_iter().chain(shared_logs()) {
        let log = fs::read(&path).unwrap();
        if log.len() > 4 << 20 {
            continue;
        }
        let found = check(&path.display().to_string(), &log);
        logs += usize::from(found > 0);
        instances += found;
    }
    assert!(logs >= 3 && instances > 100, "{logs} logs, {instances} instances");
}

/// For damaged logs, too.
#[test]
fn in_damaged_logs_instances_agree_with_the_totals() {
    let log = fs::read(project().join("tests/corpus/spans/log.eventlog")).unwrap();
    let mut mutants = Mutants::new(&log, 27);
    let mut instances = 0;
    for at in 0..60 {
        let mutant = mutants.next().unwrap();
        instances += check(&format!("mutant {at}"), &mutant);
    }
    assert!(instances > 1000, "{instances}");
}
