//! The values and the names of figures.

use super::{all, logs, models, query, tables, told, value};
use conformance::arranged;
use conformance::{model_in_steps, project, whole_range};
use ghc_eventlog::{
    Block, CapCreate, CapNo, CapsetAssignCap, CapsetCreate, CapsetId, CapsetType, CreateThread, GcStats, LogWriter,
    Nanos, OsProcessPid, OsProcessPpid, ProgramEnv, TextList, ThreadId, WallClockTime,
};
use ghc_eventlog_model::{Class, Dated, Model, Range, Unit, Value};
use std::fs;

#[test]
fn figures_are_what_the_model_knows() {
    let (mut known, mut unknown) = (0, 0);
    for (name, model, _) in models() {
        let facts = model.facts(None);
        assert_eq!(value(&facts, "log", "events"), Value::Count(model.events()), "{name}");
        assert_eq!(value(&facts, "log", "bytes"), Value::Bytes(model.offset()), "{name}");
        let total = model.collections().total();
        let any = total.count > 0;
        let of_any = |value| if any { value } else { Value::Unknown };
        let has_stats = model.counts().any(|(tag, _)| tag == GcStats::TAG);
        let of_stats = |value| if has_stats { value } else { Value::Unknown };
        for (key, expected) in [
            ("count", Value::Count(total.count)),
            ("elapsed_ns", Value::Duration(total.elapsed)),
            ("pause_ns.max", of_any(Value::Duration(total.longest))),
            ("copied_bytes", of_stats(Value::Bytes(total.copied_bytes))),
        ] {
            let gc = facts.section("gc");
            assert_eq!(value(&facts, "gc", key), told(gc, expected), "{name}, {key}");
        }
        let lanes: Vec<_> =
            model.tracks(&arranged(&model)).into_iter().filter(|track| track.group == "Capabilities").collect();
        let running = lanes.iter().fold(Nanos(0), |sum, lane| sum.plus(model.totals(&arranged(&model), lane.id)[0]));
        let caps = facts.section("caps");
        assert_eq!(value(&facts, "caps", "running_ns"), told(caps, Value::Duration(running)), "{name}");
        assert_eq!(value(&facts, "caps", "count"), Value::Count(lanes.len() as u64), "{name}");
        let figures = || facts.sections.iter().flat_map(|section| &section.figures);
        known += figures().filter(|figure| figure.value != Value::Unknown).count();
        unknown += figures().filter(|figure| figure.value == Value::Unknown).count();
        for figure in figures() {
            assert!(figure.value.unit().is_none_or(|unit| unit == figure.unit), "{name}, {}", figure.key);
        }
    }
    assert!(known > 1000 && unknown > 100, "{known}, {unknown}");
}

/// A section's figures are its typed facts, and what a section's flag would supply is `None` there.
#[test]
fn figures_are_made_of_typed_facts() {
    let dated = |dated: Dated<Nanos>| (Value::Duration(dated.value), dated.at);
    let unknown = || (Value::Unknown, None);
    for (name, model, range) in models() {
        for range in [None, range.as_ref()] {
            let (facts, typed) = (model.facts(range), model.typed_facts(range));
            let gc = facts.section("gc").unwrap();
            assert_eq!((gc.flag, gc.count), (typed.gc.lacks.and_then(|lacks| lacks.flag), typed.gc.count), "{name}");
            let longest = gc.get("pause_ns.max").unwrap();
            assert_eq!((longest.value.clone(), longest.time), typed.gc.max_pause.map_or_else(unknown, dated), "{name}");
            let known =
                facts.section("gc").into_iter().flat_map(|gc| &gc.figures).any(|figure| figure.value != Value::Unknown);
            assert!(typed.gc.lacks.is_none_or(|lacks| !lacks.is_unlogged()) || !known, "{name}");
            assert_eq!(typed.range.length.is_some(), model.extent().is_some(), "{name}");
        }
    }
}

/// Times differ from run to run, and so does what is divided by one; settings and numbers of things do not.
#[test]
fn times_are_no_repeatable_facts() {
    let is_setting = |key: &str| key == "tick_ns";
    for (name, model, _) in models() {
        for figure in model.facts(None).sections.iter().flat_map(|section| &section.figures) {
            let is_time = matches!(figure.unit, Unit::Duration | Unit::Time | Unit::BytesPerSecond);
            assert!(!is_time || figure.class == Class::Timed || is_setting(figure.key), "{name}, {}", figure.key);
            let is_size = matches!(figure.unit, Unit::Bytes);
            assert!(!is_size || figure.class == Class::Repeatable, "{name}, {}", figure.key);
        }
    }
}

/// What the log lacks is unknown, not 0, and the section names the flag that would add it.
#[test]
fn what_is_not_in_the_log_is_unknown() {
    let model = |case: &str| {
        model_in_steps(&fs::read(project().join("tests/corpus").join(case).join("log.eventlog")).unwrap(), 1 << 20)
    };
    let facts = model("only-collections").facts(None);
    let flags: Vec<_> = facts.sections.iter().filter_map(|section| Some((section.key, section.flag?))).collect();
    for lacking in [("caps", "-ls"), ("threads", "-ls"), ("sparks", "-lp"), ("messages", "-lu"), ("ticky", "-lT")] {
        assert!(flags.contains(&lacking), "{lacking:?} in {flags:?}");
    }
    for (section, key) in [("caps", "running_ns"), ("threads", "count"), ("messages", "user"), ("ticky", "counters")] {
        assert_eq!(value(&facts, section, key), Value::Unknown, "{section}, {key}");
    }
    assert_eq!(facts.section("threads").unwrap().count, None);
    let facts = model("only-messages").facts(None);
    assert_eq!(facts.section("gc").unwrap().flag, Some("-lg"));
    assert!(facts.section("gc").unwrap().figures.iter().all(|figure| figure.value == Value::Unknown));
    // If a log is cut off, events may be missing only because they come later.
    assert_eq!(model("cut-in-event").facts(None).section("heap_profile").unwrap().flag, None);
}

#[test]
fn keys_are_unique_and_show_their_unit() {
    for (name, model, range) in models() {
        for facts in [model.facts(None), model.facts(range.as_ref())] {
            let keys: Vec<&str> = facts.sections.iter().map(|section| section.key).collect();
            assert!(are_different(&keys), "{name}: {keys:?}");
            for section in &facts.sections {
                let keys: Vec<&str> = section.figures.iter().map(|figure| figure.key).collect();
                assert!(are_different(&keys), "{name}: {keys:?}");
                section.figures.iter().for_each(|figure| unit_in_key(figure.key, figure.unit));
            }
            for table in tables(&facts) {
                let keys: Vec<&str> = table.columns.iter().map(|column| column.key).collect();
                assert!(are_different(&keys), "{name}: {keys:?}");
                table.columns.iter().for_each(|column| unit_in_key(column.key, column.unit));
                let parts = table.columns.iter().any(|column| column.part);
                assert!(!parts || keys.contains(&"known_ns"), "{name}, {}", table.key);
            }
        }
    }
}

fn are_different(keys: &[&str]) -> bool {
    let mut sorted = keys.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    sorted.len() == keys.len()
}

/// Older GHCs do not log the creation of capabilities, so its number is unknown.
#[test]
fn capabilities_that_no_event_creates_are_not_said_to_be_none() {
    let of_log = |creates: bool| {
        let mut log = LogWriter::new();
        log.block(Block::of(CapNo(0)), |block| {
            if creates {
                block.event(Nanos(1), CapCreate { cap: CapNo(0) });
            }
            block.event(Nanos(2), CreateThread { thread: ThreadId(1) });
        });
        log.end();
        value(&model_in_steps(&log.finish(), 1 << 20).facts(None), "caps", "created")
    };
    assert_eq!((of_log(true), of_log(false)), (Value::Count(1), Value::Unknown));
}

/// Checks that keys of times and durations (or of the object around them) end in `_ns`, of sizes in `_bytes`, of sizes
/// over time in `_byte_ns`, and no other keys do.
pub(crate) fn unit_in_key(key: &str, unit: Unit) {
    let parts = |ending: &str| key.split('.').any(|part| part.ends_with(ending) || part == ending.trim_matches('_'));
    // A number of times is not a time.
    let is_time = parts("_ns") && !key.ends_with(".count");
    assert_eq!(is_time, matches!(unit, Unit::Time | Unit::Duration | Unit::ByteTime), "{key}");
    assert_eq!(parts("_byte_ns"), unit == Unit::ByteTime, "{key}");
    // The allocations of ticky counters have the runtime's own names.
    let is_ticky = matches!(key, "allocs" | "allocd");
    assert_eq!(parts("_bytes") || is_ticky, matches!(unit, Unit::Bytes | Unit::Change), "{key}");
}

#[test]
fn every_figure_and_column_begins_with_a_capital_or_a_number() {
    for (name, model, _) in models() {
        let facts = model.facts(None);
        let columns = tables(&facts).flat_map(|table| &table.columns).map(|column| column.name);
        let figures = facts.sections.iter().flat_map(|section| &section.figures).map(|figure| figure.name);
        for label in figures.chain(columns) {
            assert!(label.starts_with(|first: char| first.is_uppercase() || first.is_ascii_digit()), "{name}: {label}");
        }
    }
}

/// The environment is only shown on request.
#[test]
fn the_environment_is_only_shown_on_request() {
    let mut log = LogWriter::new();
    let capset = CapsetId(0);
    log.event(Nanos(1), OsProcessPid { capset, pid: 42 });
    log.event(Nanos(1), OsProcessPpid { capset, ppid: 7 });
    log.event(Nanos(2), ProgramEnv { capset, env: TextList(b"HOME=/root\0PASSWORD=secret\0") });
    log.event(Nanos(3), CapsetCreate { capset, kind: CapsetType(2) });
    log.event(Nanos(3), CapsetAssignCap { capset, cap: CapNo(0) });
    log.event(Nanos(3), CapsetAssignCap { capset, cap: CapNo(1) });
    log.end();
    let model = model_in_steps(&log.finish(), 1 << 20);
    let facts = model.facts(None);
    let process = facts.section("process").unwrap();
    assert_eq!(value(&facts, "process", "pid"), Value::Text("42".into()));
    assert_eq!(value(&facts, "process", "ppid"), Value::Text("7".into()));
    assert!(!format!("{facts:?}").contains("secret") && tables(&facts).all(|table| table.key != "environment"));
    let [(label, table)] = &process.on_request[..] else { panic!("{process:?}") };
    assert_eq!((label.as_str(), table.rows), ("Show the environment (2 variables)", 2));
    let rows = all(&model, query(table.key), None).rows;
    assert_eq!(rows[1], [Value::Text("PASSWORD=secret".into())]);
    assert_eq!(model.process().environment().len(), 2);
    let sets = all(&model, query("capsets"), None).rows;
    let text = |text: &str| Value::words(text);
    assert_eq!(sets, [vec![Value::Count(0), text("OS process"), Value::Count(2), text("0-1")]]);
}

/// The wall clock is usually logged some time after the first event.
#[test]
fn the_log_begins_when_its_first_event_was_by_the_wall_clock() {
    let started = |first: u64, told: u64| {
        let mut log = LogWriter::new();
        log.block(Block::of(CapNo(0)), |block| {
            let clock = WallClockTime { capset: CapsetId(0), seconds: 1_700_000_000, nanoseconds: 900_000_000 };
            block.event(Nanos(told), clock).event(Nanos(first), CreateThread { thread: ThreadId(1) });
        });
        let log = log.finish();
        value(&model_in_steps(&log, log.len()).facts(None), "process", "started")
    };
    let text = |text: &str| Value::words(text);
    let second = Nanos::SECOND.0;
    assert_eq!(started(5 * second, 5 * second), text("2023-11-14T22:13:20Z"));
    assert_eq!(started(2 * second, 5 * second), text("2023-11-14T22:13:17Z"));
    assert_eq!(started(second / 20, second), text("2023-11-14T22:13:19Z"));
}

/// Also for parts of the log, for which the missing data is read again.
#[test]
fn a_model_without_what_is_only_drawn_says_the_same() {
    let mut ranges = 0;
    for (name, log) in logs() {
        let mut drawn = model_in_steps(&log, 1 << 20);
        let mut figures = Model::of_figures();
        log.chunks(1 << 20).for_each(|bytes| figures.feed(bytes));
        figures.finish();
        assert_eq!(figures.facts(None), drawn.facts(None), "{name}");
        let Some((first, last)) = drawn.extent() else { continue };
        let quarter = Nanos(last.since(first).0 / 4);
        for (from, to) in [(first, last.plus(Nanos(1))), (first.plus(quarter), last)] {
            let read_again = |model: &mut Model| whole_range(model, &log, from, to).map(|(range, _)| range);
            let (range, other) = (read_again(&mut figures), read_again(&mut drawn));
            assert_eq!(figures.facts(range.as_ref()), drawn.facts(other.as_ref()), "{name}, {from:?} to {to:?}");
            for table in tables(&drawn.facts(None)) {
                let rows = |model: &Model, range: &Option<Range>| all(model, query(table.key), range.as_ref());
                assert_eq!(rows(&figures, &range), rows(&drawn, &other), "{name}, {from:?} to {to:?}, {}", table.key);
            }
            ranges += usize::from(range.is_some());
        }
    }
    assert!(ranges > 400, "{ranges}");
}
