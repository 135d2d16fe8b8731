//! What the log does not tell is unknown, and not 0: of a range between two events that tell it, and of a log that was written without
//! a class of events.

use super::{all, query, tables, value};
use conformance::{decode_in_steps, files, model_in_steps, number_of, project, replay, whole_range, without};
use ghc_eventlog::{
    Block, CapCreate, CapNo, CapsetId, GcEnd, GcGlobalSync, GcStart, HeapAllocated, LogWriter, Nanos, RunThread,
    SparkCounters, StopStatus, StopThread, ThreadId, TickyCounterSample, known_types,
};
use ghc_eventlog_model::{Facts, Model, Range, Value};
use std::{collections::BTreeMap, fs};

/// What is not known, or 0, of a range in which nothing tells how much was allocated.
fn range_of(model: &mut Model, log: &[u8], from: u64, to: u64) -> Range {
    whole_range(model, log, Nanos(from), Nanos(to)).expect("the log has been read").0
}

fn allocated(bytes: u64) -> HeapAllocated {
    HeapAllocated { capset: CapsetId(0), bytes }
}

/// Two capabilities that tell at 1 ms, 2 ms and so on how much they have allocated; so many events lie between two of these that each
/// millisecond is a segment of its own.
fn allocating(filler: u64) -> Vec<u8> {
    let mut log = LogWriter::new();
    log.block(Block::GLOBAL, |block| {
        for cap in 0..2 {
            block.event(Nanos(1), CapCreate { cap: CapNo(cap) });
        }
    });
    for ms in 1..=6u64 {
        for cap in 0..2 {
            log.block(Block::of(CapNo(cap)), |block| {
                let begin = (ms - 1) * 1_000_000 + 10;
                for number in 0..filler {
                    let at = begin + number * 900_000 / filler.max(1);
                    block.event(Nanos(at), RunThread { thread: ThreadId(1) });
                    block.event(Nanos(at + 5), StopThread { thread: ThreadId(1), status: StopStatus(5), info: None });
                }
                block.event(Nanos(ms * 1_000_000), allocated(ms * 1000 * (1 + u64::from(cap))));
            });
        }
    }
    log.end();
    log.finish()
}

/// The figure and the column of each capability, in words.
fn said(model: &Model, range: &Range) -> (String, Vec<String>) {
    let facts = model.facts(Some(range));
    let heap = facts.section("heap").unwrap();
    let figure = heap.figures.iter().find(|figure| figure.name == "Allocated").unwrap();
    let words = |value: &Value| if *value == Value::Unknown { "not known".into() } else { value.text(Nanos(0)) };
    let at = tables(&facts).find(|table| table.key == "caps").unwrap();
    let at = at.columns.iter().position(|column| column.key == "allocated_bytes").unwrap();
    let rows = all(model, query("caps"), Some(range)).rows;
    (words(&figure.value), rows.iter().map(|row| words(&row[at])).collect())
}

#[test]
fn a_range_within_one_nursery_says_between_what_the_allocation_is() {
    for filler in [0, 5000] {
        let log = allocating(filler);
        let mut model = model_in_steps(&log, 1 << 20);
        let mut said_of = |from, to| {
            let range = range_of(&mut model, &log, from, to);
            let (all, caps) = said(&model, &range);
            (all, caps.join(", "))
        };
        let own = |all: &str, caps: &str| (all.to_string(), caps.to_string());
        let (cap_0, cap_1) = ("between 0 B and 1000 B", "between 0 B and 1.95 KiB");
        assert_eq!(
            said_of(1_200_000, 1_800_000),
            own("between 0 B and 2.93 KiB", &format!("{cap_0}, {cap_1}")),
            "{filler}"
        );
        // With an event that tells it, it is what those in the range tell.
        assert_eq!(said_of(1_200_000, 2_000_001), own("2.93 KiB", "1000 B, 1.95 KiB"), "{filler}");
        assert_eq!(said_of(1_000_001, 2_000_000).0, "between 0 B and 2.93 KiB", "{filler}");
        // After the last one, nothing bounds it; before the first one, all of that may be older.
        assert_eq!(said_of(10, 500_000).0, "between 0 B and 2.93 KiB", "{filler}");
    }
}

/// The log goes on after the last event that tells how much was allocated.
#[test]
fn after_the_last_collection_it_is_not_known_what_was_allocated() {
    let mut log = LogWriter::new();
    log.block(Block::of(CapNo(0)), |block| {
        block.event(Nanos(1000), allocated(700));
        block.event(Nanos(2000), allocated(700));
        block.event(Nanos(9000), RunThread { thread: ThreadId(1) });
    });
    log.end();
    let log = log.finish();
    let mut model = model_in_steps(&log, 1 << 20);
    let mut said_of = |from, to| {
        let range = range_of(&mut model, &log, from, to);
        said(&model, &range).0
    };
    // The next event tells that nothing was.
    assert_eq!((said_of(1100, 1900).as_str(), said_of(3000, 8000).as_str()), ("0 B", "not known"));
    let range = range_of(&mut model, &log, 3000, 8000);
    let facts = model.facts(Some(&range));
    assert_eq!(value(&facts, "heap", "allocated_bytes"), Value::Unknown);
    assert_eq!(value(&facts, "heap", "allocated_bytes_per_s"), Value::Unknown);
}

#[test]
fn between_two_counters_of_sparks_it_is_not_known_how_many_there_were() {
    let counters = |created, converted| SparkCounters {
        created,
        dud: 0,
        overflowed: 0,
        converted,
        gcd: 0,
        fizzled: 0,
        remaining: 0,
    };
    let mut log = LogWriter::new();
    log.block(Block::of(CapNo(0)), |block| {
        for (at, created) in [(1000, 0), (2000, 5), (3000, 9)] {
            block.event(Nanos(at), counters(created, created));
        }
    });
    log.end();
    let log = log.finish();
    let mut model = model_in_steps(&log, 1 << 20);
    let mut of = |from, to, key| {
        let range = range_of(&mut model, &log, from, to);
        value(&model.facts(Some(&range)), "sparks", key)
    };
    assert_eq!([of(1100, 1900, "converted"), of(1100, 1900, "count")], [Value::Unknown, Value::Unknown]);
    // None of the whole log has overflowed.
    assert_eq!([of(1100, 1900, "overflowed"), of(1100, 2001, "converted")], [0, 5].map(Value::Count));
}

#[test]
fn between_two_samples_of_ticky_counters_nothing_is_known_of_them() {
    let mut log = LogWriter::new();
    log.block(Block::of(CapNo(0)), |block| {
        for at in [1000, 2000] {
            let sample = TickyCounterSample { id: 1, entries: 3, allocs_bytes: 8, allocd_bytes: 0 };
            block.event(Nanos(at), sample);
        }
    });
    log.end();
    let log = log.finish();
    let mut model = model_in_steps(&log, 1 << 20);
    let mut of = |from, to| {
        let range = range_of(&mut model, &log, from, to);
        value(&model.facts(Some(&range)), "ticky", "entries")
    };
    assert_eq!((of(1100, 1900), of(1100, 2001)), (Value::Unknown, Value::Count(3)));
}

/// Without GC_STATS_GHC, as before GHC 7.6, it is not known what was copied, nor which generation was collected.
#[test]
fn a_collection_without_statistics_copied_what_nobody_knows() {
    let types: Vec<_> = known_types().into_iter().filter(|declared| declared.tag != GcGlobalSync::TAG).collect();
    let mut log = LogWriter::with_types(&types);
    log.block(Block::of(CapNo(0)), |block| {
        block.event(Nanos(1000), GcStart {});
        block.event(Nanos(2000), GcEnd {});
    });
    log.end();
    let model = model_in_steps(&log.finish(), 1 << 20);
    let facts = model.facts(None);
    assert_eq!(value(&facts, "gc", "count"), Value::Count(1));
    for key in ["copied_bytes", "major", "minor_ns", "major_ns", "requests.seq", "requests.par"] {
        assert_eq!(value(&facts, "gc", key), Value::Unknown, "{key}");
    }
    assert!(tables(&facts).all(|table| table.key != "generations"));
    let kind = tables(&facts).find(|table| table.key == "collections").unwrap().columns.iter();
    let kind = kind.enumerate().find(|(_, column)| column.key == "kind").unwrap().0;
    assert_eq!(all(&model, query("collections"), None).rows[0][kind], Value::Unknown);
}

/// By capability.
type Tellings = BTreeMap<Option<CapNo>, Vec<(Nanos, u64)>>;

/// When each capability tells how much it has allocated, and how much that is: the largest so far.
fn tellings(log: &[u8]) -> Option<Tellings> {
    let mut all = Tellings::new();
    let decoded = decode_in_steps(log, log.len(), |_, record| {
        if record.tag == HeapAllocated::TAG && record.known {
            let of = all.entry(record.cap).or_default();
            let most = of.last().map_or(0, |(_, most)| *most);
            of.push((record.time, most.max(HeapAllocated::read(record.payload).bytes)));
        }
    });
    let is_sound = decoded.notices.is_empty() && decoded.error.is_none();
    let in_order = |times: &Vec<(Nanos, u64)>| times.is_sorted_by_key(|(time, _)| *time);
    (is_sound && all.values().all(in_order)).then_some(all)
}

/// In each log of the corpus, ranges without any event that tells it: what was allocated is between 0 and what the next events tell.
#[test]
fn no_range_says_that_nothing_was_allocated_unless_the_log_does() {
    let mut between = 0;
    for path in files(&project().join("tests/corpus"), "log.eventlog") {
        let (name, log) = (path.display(), fs::read(&path).unwrap());
        let Some(tellings) = tellings(&log) else { continue };
        let mut model = model_in_steps(&log, 1 << 20);
        let mut times: Vec<Nanos> = tellings.values().flatten().map(|(time, _)| *time).collect();
        times.sort_unstable();
        let gaps = times.windows(2).filter(|pair| pair[1].since(pair[0]) > Nanos(2));
        for pair in gaps.take(20) {
            let (from, to) = (pair[0].plus(Nanos(1)), pair[1]);
            let Some((range, _)) = whole_range(&mut model, &log, from, to) else { continue };
            // A capability whose events have ended takes no part.
            let ends = |cap: &Option<CapNo>| {
                let of_cap = decode_in_steps(&log, log.len(), |_, record| (record.cap == *cap).then_some(record.time));
                of_cap.events.into_iter().flatten().max()
            };
            let grown = tellings.iter().filter(|(cap, _)| ends(cap) >= Some(from)).map(|(_, of)| {
                let next = of.partition_point(|(time, _)| *time < to);
                let before = next.checked_sub(1).map_or(0, |last| of[last].1);
                of.get(next).map(|(_, total)| total - before)
            });
            let expected = match grown.sum::<Option<u64>>() {
                None => Value::Unknown,
                Some(0) => Value::Bytes(0),
                Some(most) => Value::Between(0, most),
            };
            let facts = model.facts(Some(&range));
            let heap = facts.section("heap").unwrap();
            let figure = heap.figures.iter().find(|figure| figure.name == "Allocated").unwrap();
            assert_eq!(figure.value, expected, "{name}: {from:?} to {to:?}");
            between += usize::from(matches!(expected, Value::Between(..)));
        }
    }
    assert!(between > 100, "{between}");
}

/// Events that a log may lack: a class that was not logged, or what older runtimes do not write.
const LEFT_OUT: &[&[&str]] = &[
    &[
        "CREATE_THREAD",
        "RUN_THREAD",
        "STOP_THREAD",
        "THREAD_RUNNABLE",
        "MIGRATE_THREAD",
        "THREAD_WAKEUP",
        "THREAD_LABEL",
        "TASK_CREATE",
        "TASK_MIGRATE",
        "TASK_DELETE",
    ],
    &[
        "GC_START",
        "GC_END",
        "REQUEST_SEQ_GC",
        "REQUEST_PAR_GC",
        "GC_IDLE",
        "GC_WORK",
        "GC_DONE",
        "GC_STATS_GHC",
        "GC_GLOBAL_SYNC",
        "HEAP_ALLOCATED",
        "HEAP_SIZE",
        "HEAP_LIVE",
        "HEAP_INFO_GHC",
        "MEM_RETURN",
        "BLOCKS_SIZE",
    ],
    &["SPARK_COUNTERS"],
    &[
        "SPARK_COUNTERS",
        "SPARK_CREATE",
        "SPARK_DUD",
        "SPARK_OVERFLOW",
        "SPARK_RUN",
        "SPARK_STEAL",
        "SPARK_FIZZLE",
        "SPARK_GC",
    ],
    &["USER_MSG", "USER_MARKER", "USER_BINARY_MSG"],
    &["NONMOVING_HEAP_CENSUS", "NONMOVING_PRUNED_SEGMENTS"],
    &["TICKY_COUNTER_SAMPLE"],
    &["GC_STATS_GHC"],
    &["GC_GLOBAL_SYNC"],
    &["REQUEST_SEQ_GC", "REQUEST_PAR_GC"],
    &["HEAP_ALLOCATED"],
    &["HEAP_SIZE"],
    &["HEAP_LIVE"],
    &["BLOCKS_SIZE"],
    &[
        "HEAP_PROF_BEGIN",
        "HEAP_PROF_SAMPLE_BEGIN",
        "HEAP_PROF_SAMPLE_STRING",
        "HEAP_PROF_SAMPLE_COST_CENTRE",
        "HEAP_PROF_SAMPLE_END",
        "HEAP_BIO_PROF_SAMPLE_BEGIN",
    ],
    &["PROF_BEGIN", "PROF_SAMPLE_COST_CENTRE"],
    &["TASK_CREATE"],
];

/// A number, if the value is one.
fn number(value: &Value) -> Option<f64> {
    Some(match value {
        Value::Duration(time) => time.0 as f64,
        Value::Bytes(number) | Value::Count(number) | Value::BytesPerSecond(number) | Value::PerSecond(number) => {
            *number as f64
        }
        Value::Share(share) => *share,
        _ => return None,
    })
}

/// The figures that are numbers, and the columns of tables all of whose cells are: their sums.
fn numbers(model: &Model, facts: &Facts) -> BTreeMap<String, f64> {
    let mut numbers = BTreeMap::new();
    for section in &facts.sections {
        // These are about the log's events and definitions themselves.
        if ["log", "events", "definitions"].contains(&section.key) {
            continue;
        }
        for figure in &section.figures {
            numbers.extend(number(&figure.value).map(|number| (format!("{}.{}", section.key, figure.key), number)));
        }
        for table in &section.tables {
            let rows = all(model, query(table.key), None).rows;
            // How much is known is a figure that may be 0.
            let columns = table.columns.iter().enumerate().filter(|(_, column)| column.key != "known_ns");
            for (at, column) in columns {
                let cells: Option<Vec<f64>> = rows.iter().map(|row| number(&row[at])).collect();
                let cells = cells.filter(|cells| !cells.is_empty());
                numbers.extend(cells.map(|cells| (format!("{}[{}]", table.key, column.key), cells.iter().sum())));
            }
        }
    }
    numbers
}

/// A log without some events says less, and not that there was nothing: no figure that was not 0 is 0 without them.
#[test]
fn what_is_not_logged_is_nowhere_0() {
    let (mut compared, mut wrong) = (0, Vec::new());
    for path in files(&project().join("tests/corpus"), "log.eventlog") {
        let (name, log) = (path.display().to_string(), fs::read(&path).unwrap());
        let model_of = |log: &[u8]| {
            let mut model = model_in_steps(log, 1 << 20);
            replay(&mut model, log);
            model
        };
        // The arguments would say that the events are logged.
        let arguments = number_of("PROGRAM_ARGS");
        let Some(whole) = without(&log, |tag| tag == arguments) else { continue };
        let model = model_of(&whole);
        let known = numbers(&model, &model.facts(None));
        for names in LEFT_OUT {
            let tags: Vec<u16> = names.iter().map(|name| number_of(name)).collect();
            let log = without(&whole, |tag| tags.contains(&tag)).expect("it was sound");
            if log.len() == whole.len() {
                continue;
            }
            let model = model_of(&log);
            for (key, left) in numbers(&model, &model.facts(None)) {
                compared += 1;
                if left == 0.0 && known.get(&key).is_some_and(|number| *number > 0.0) {
                    wrong.push(format!("{name} without {}: {key} is 0", names[0]));
                }
            }
        }
    }
    assert!(compared > 5000, "{compared}");
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
