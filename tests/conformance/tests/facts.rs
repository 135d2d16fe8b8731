//! Facts and tables: what they say is what the model knows, for the whole log and for a range of it; and whatever way a table
//! is paged, sorted and filtered, it has the same rows.

use conformance::{Mutants, files, model_in_steps, project, whole_range};
use ghc_eventlog::{
    Block, CapNo, CapsetAssignCap, CapsetCreate, CapsetId, CapsetType, CreateThread, GcEnd, GcGlobalSync, GcStart,
    LogWriter, Nanos, OsProcessPid, OsProcessPpid, ProgramEnv, RequestParGc, RequestSeqGc, RunThread, SparkRun,
    SparkSteal, StopStatus, StopThread, TextList, ThreadId, WallClockTime,
};
use ghc_eventlog_model::{
    Facts, Job, Model, Range, Section, State, TablePage, TableQuery, Unit, Value, Within, limits,
};
use std::{fs, path::PathBuf};

/// Damaged forms of each log.
const DAMAGED: usize = 2;

/// The logs of the corpus with their names, and damaged forms of them.
fn logs() -> Vec<(String, Vec<u8>)> {
    let paths = files(&project().join("tests/corpus"), "log.eventlog");
    assert!(paths.len() > 80);
    let with_mutants = |(seed, path): (usize, &PathBuf)| {
        let log = fs::read(path).unwrap();
        let mut forms: Vec<Vec<u8>> = Mutants::new(&log, seed as u64).take(DAMAGED).collect();
        forms.insert(0, log);
        let name = |at| format!("{}, form {at}", path.display());
        forms.into_iter().enumerate().map(|(at, log)| (name(at), log)).collect::<Vec<_>>()
    };
    paths.iter().enumerate().flat_map(with_mutants).collect()
}

/// The same, read, and of those that have a length the range that is all of it.
fn models() -> impl Iterator<Item = (String, Model, Option<Range>)> {
    logs().into_iter().map(|(name, log)| {
        let mut model = model_in_steps(&log, 1 << 20);
        let range = model.extent().and_then(|(first, last)| whole_range(&mut model, &log, first, last.plus(Nanos(1))));
        (name, model, range.map(|(range, _)| range))
    })
}

fn query(table: &str) -> TableQuery {
    TableQuery { table: table.into(), ..TableQuery::default() }
}

/// All rows that a query finds.
fn all(model: &Model, query: TableQuery, range: Option<&Range>) -> TablePage {
    model.page(&model.order(query, range), range, 0, usize::MAX)
}

fn tables(facts: &Facts) -> impl Iterator<Item = &ghc_eventlog_model::TableInfo> {
    facts.sections.iter().flat_map(|section| &section.tables)
}

fn value(facts: &Facts, section: &str, key: &str) -> Value {
    let figure = facts.section(section).and_then(|section| section.get(key));
    figure.unwrap_or_else(|| panic!("{section}, {key}")).value.clone()
}

/// A number, unless the log lacks what it takes.
fn told(section: Option<&Section>, value: Value) -> Value {
    if section.is_some_and(|section| section.flag.is_none()) { value } else { Value::Unknown }
}

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
        for (key, expected) in [
            ("count", Value::Count(total.count)),
            ("elapsed_ns", Value::Duration(total.elapsed)),
            ("pause_ns.max", of_any(Value::Duration(total.longest))),
            ("copied_bytes", of_any(Value::Bytes(total.copied_bytes))),
        ] {
            let gc = facts.section("gc");
            assert_eq!(value(&facts, "gc", key), told(gc, expected), "{name}, {key}");
        }
        let lanes: Vec<_> = model.tracks().into_iter().filter(|track| track.group == "Capabilities").collect();
        let running = lanes.iter().fold(Nanos(0), |sum, lane| sum.plus(model.totals(lane.id)[0]));
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

/// What the log lacks is not 0: it is not known, and the section says what would supply it.
#[test]
fn what_the_log_does_not_tell_is_not_known() {
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
    // Of a log that is cut off, what is missing may just not have come yet.
    assert_eq!(model("cut-in-event").facts(None).section("heap_profile").unwrap().flag, None);
}

#[test]
fn keys_are_used_once_and_tell_their_unit() {
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

/// Times and durations end in `_ns`, sizes in `_bytes`, or what they belong to does; nothing else does.
fn unit_in_key(key: &str, unit: Unit) {
    let parts = |ending: &str| key.split('.').any(|part| part.ends_with(ending) || part == ending.trim_matches('_'));
    // How many times there are is none.
    let is_time = parts("_ns") && !key.ends_with(".count");
    assert_eq!(is_time, matches!(unit, Unit::Time | Unit::Duration), "{key}");
    assert_eq!(parts("_bytes"), unit == Unit::Bytes, "{key}");
}

#[test]
fn a_range_of_all_of_the_log_tells_the_same() {
    let mut compared = 0;
    for (name, model, range) in models() {
        let Some(range) = range else { continue };
        let (whole, ranged) = (model.facts(None), model.facts(Some(&range)));
        assert!(ranged.section("range").is_some() && whole.section("range").is_none());
        for section in ranged.sections.iter().filter(|section| section.key != "range") {
            let same = whole.section(section.key).unwrap_or_else(|| panic!("{name}, {}", section.key));
            assert_eq!((section.name, section.flag), (same.name, same.flag), "{name}");
            for (figure, same) in section.figures.iter().zip(&same.figures) {
                assert_eq!((figure.key, figure.unit), (same.key, same.unit), "{name}");
                if figure.value != Value::Unknown {
                    assert_eq!((&figure.value, figure.time), (&same.value, same.time), "{name}, {}", figure.key);
                    compared += 1;
                }
            }
        }
        for table in tables(&ranged) {
            let (in_range, in_all) = (all(&model, query(table.key), Some(&range)), all(&model, query(table.key), None));
            assert_eq!(in_range, in_all, "{name}, {}", table.key);
        }
    }
    assert!(compared > 1000, "{compared}");
}

/// The parts of a log have its collections between them, each once.
#[test]
fn parts_of_a_log_have_its_collections_between_them() {
    for (name, log) in logs() {
        let mut model = model_in_steps(&log, 1 << 20);
        let Some((first, last)) = model.extent() else { continue };
        let middle = Nanos(first.0 + last.since(first).0 / 3);
        let mut rows = Vec::new();
        let mut count = 0;
        for (from, to) in [(first, middle), (middle, last.plus(Nanos(1)))] {
            let Some((range, _)) = whole_range(&mut model, &log, from, to) else { continue };
            let page = all(&model, query("collections"), Some(&range));
            assert_eq!((page.found, page.of), (page.rows.len(), page.kept as u64), "{name}");
            assert!(page.times.iter().all(|time| time.is_some_and(|time| from <= time && time < to)), "{name}");
            if let Value::Count(found) = value(&model.facts(Some(&range)), "gc", "count") {
                assert_eq!(found, page.of, "{name}");
                count += found;
            }
            rows.extend(page.rows);
        }
        assert_eq!(rows, all(&model, query("collections"), None).rows, "{name}");
        let logged = model.facts(None).section("gc").is_some_and(|gc| gc.flag.is_none());
        assert_eq!(count, if logged { model.collections().total().count } else { 0 }, "{name}");
    }
}

/// The generations share the GC time out among them, whatever is told of: no share is more than all, and cuts through collections
/// lose nothing.
#[test]
fn the_generations_have_the_gc_time_between_them() {
    for (name, log) in logs() {
        let mut model = model_in_steps(&log, 1 << 20);
        let Some((first, last)) = model.extent() else { continue };
        // Through the longest collection, so that it lies on both sides; and the little of it that is left.
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

/// A range of which something must still be read tells nothing yet, and nothing wrong.
#[test]
fn a_range_that_is_not_summed_up_yet_is_not_known() {
    let log = fs::read(project().join("tests/corpus/threaded/log.eventlog")).unwrap();
    let mut model = model_in_steps(&log, 1 << 20);
    let (first, last) = model.extent().unwrap();
    let range = model.range(Nanos(first.0 + 1_000_000), Nanos(last.0 - 1_000_000)).unwrap();
    assert!(!range.reads(&model).is_empty());
    assert_eq!(value(&model.facts(Some(&range)), "caps", "running_ns"), Value::Unknown);
    let row = all(&model, query("caps"), Some(&range)).rows.swap_remove(0);
    assert_eq!(row[1], Value::Unknown);
}

#[test]
fn states_are_those_of_the_tracks_and_their_parts_fill_the_known_time() {
    for (name, model, _) in models() {
        let lanes: Vec<_> = model.tracks().into_iter().filter(|track| track.group == "Capabilities").collect();
        let facts = model.facts(None);
        let table = tables(&facts).find(|table| table.key == "caps").unwrap();
        let page = all(&model, query("caps"), None);
        assert_eq!(page.rows.len(), lanes.len(), "{name}");
        for (row, lane) in page.rows.iter().zip(lanes) {
            let totals = model.totals(lane.id);
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
                        ["cap", "created_ns", "deleted_ns", "allocated_bytes"].contains(&column.key)
                            || column.key.starts_with("sparks."),
                        "{name}"
                    ),
                }
            }
            assert!(!all_told || sum == known, "{name}, {}: {sum} of {known}", lane.name);
        }
    }
}

/// Where nothing was lost, *not known* is neither a figure nor a column; where something was, it is both.
#[test]
fn what_is_not_known_of_the_capabilities_is_told_where_there_is_any() {
    let (mut with, mut without) = (0, 0);
    for (name, model, _) in models() {
        let facts = model.facts(None);
        let lost = model.tracks().into_iter().filter(|track| track.group == "Capabilities");
        let lost: u64 = lost.filter_map(|lane| model.totals(lane.id).get(4).map(|lost| lost.0)).sum();
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

/// A spark runs until its thread takes the next one or is over, whatever it waits for meanwhile, and on whichever capability.
#[test]
fn sparks_run_until_their_thread_takes_the_next_one() {
    let (a, b) = (ThreadId(1), ThreadId(2));
    let stop = |thread, status| StopThread { thread, status: StopStatus(status), info: Some(0) };
    let mut log = LogWriter::new();
    log.block(Block::of(CapNo(0)), |log| {
        log.event(Nanos(0), RunThread { thread: a }).event(Nanos(10), SparkRun {});
        // The nursery is full, and another thread runs its sparks, the last of which is not over.
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
    let facts = model.facts(None);
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

/// The runtime leaves censuses out of its GC time, and a log cannot: it says so where it has any, of a range as well.
#[test]
fn gc_time_with_censuses_says_so() {
    let (mut with, mut without) = (0, 0);
    for (name, model, range) in models() {
        let censuses = model.counts().any(|(tag, _)| [162, 166].contains(&tag));
        for range in [None, range.as_ref()] {
            let facts = model.facts(range);
            let remark = facts.section("gc").unwrap().remark;
            let any_time = matches!(value(&facts, "gc", "elapsed_ns"), Value::Duration(elapsed) if elapsed > Nanos(0));
            let told = censuses && any_time;
            assert_eq!(remark.is_some(), told, "{name}: {remark:?}");
            let markdown = model.markdown(range, 1);
            assert_eq!(markdown.contains("includes the censuses of the heap profile"), told, "{name}: {markdown}");
            with += usize::from(told);
            without += usize::from(!told);
        }
    }
    assert!(with > 10 && without > 100, "{with}, {without}");
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

#[test]
fn pages_of_any_size_have_the_same_rows() {
    for (name, model, _) in models() {
        for table in tables(&model.facts(None)) {
            let order = model.order(query(table.key), None);
            let whole = model.page(&order, None, 0, usize::MAX);
            assert_eq!((whole.found, whole.kept), (whole.rows.len(), table.rows), "{name}, {}", table.key);
            for size in [1, 7, 100] {
                let mut rows = Vec::new();
                for from in (0..whole.found + size).step_by(size) {
                    let page = model.page(&order, None, from, size);
                    assert_eq!((page.found, page.kept, page.of), (whole.found, whole.kept, whole.of), "{name}");
                    assert!(page.rows.len() <= size && page.rows.len() == page.times.len());
                    rows.extend(page.rows);
                }
                assert_eq!(rows, whole.rows, "{name}, {}, {size}", table.key);
            }
        }
    }
}

/// What a value is sorted by: a number or a text.
fn rank(value: &Value) -> Option<(f64, String)> {
    let number = |number: u64| Some((number as f64, String::new()));
    match value {
        Value::Unknown => None,
        Value::Text(text) => Some((0.0, text.to_lowercase())),
        Value::Time(time) | Value::Duration(time) => number(time.0),
        Value::Bytes(value) | Value::Count(value) | Value::Offset(value) => number(*value),
        Value::BytesPerSecond(value) | Value::PerSecond(value) => number(*value),
        Value::Share(share) => Some((*share, String::new())),
        Value::Thread(thread) => number(thread.0.into()),
        Value::Capability(cap) => number(cap.0.into()),
    }
}

#[test]
fn sorted_tables_are_sorted_and_have_the_same_rows() {
    let text = |rows: &[Vec<Value>]| {
        let mut rows: Vec<String> = rows.iter().map(|row| format!("{row:?}")).collect();
        rows.sort_unstable();
        rows
    };
    let mut sorted = 0;
    for (name, model, _) in models() {
        for table in tables(&model.facts(None)) {
            let as_it_is = text(&all(&model, query(table.key), None).rows);
            for (at, column) in table.columns.iter().enumerate() {
                for down in [false, true] {
                    let page = all(&model, TableQuery { sort: column.key.into(), down, ..query(table.key) }, None);
                    assert_eq!(text(&page.rows), as_it_is, "{name}, {} by {}", table.key, column.key);
                    let ranks: Vec<_> = page.rows.iter().map(|row| rank(&row[at])).collect();
                    let known = ranks.iter().take_while(|rank| rank.is_some()).count();
                    assert!(ranks[known..].iter().all(Option::is_none), "{name}: what is not known comes last");
                    let in_order = |pair: &[Option<(f64, String)>]| {
                        if down { pair[0] >= pair[1] } else { pair[0] <= pair[1] }
                    };
                    assert!(ranks[..known].windows(2).all(in_order), "{name}, {} by {}", table.key, column.key);
                    sorted += usize::from(known > 2 && ranks[0] != ranks[known - 1]);
                }
            }
        }
    }
    assert!(sorted > 500, "{sorted}");
}

#[test]
fn a_filter_finds_the_rows_that_show_its_text() {
    let (mut some, mut none) = (0, 0);
    for (name, model, _) in models() {
        let origin = model.extent().map_or(Nanos(0), |(first, _)| first);
        for table in tables(&model.facts(None)) {
            let whole = all(&model, query(table.key), None).rows;
            for filter in ["major", "MAJOR gc", "hec 1", "1", "µS", "kib", "manager", "12\u{202f}", "no such text"] {
                let plain = filter.replace('\u{202f}', "").to_lowercase();
                let shows =
                    |row: &&Vec<Value>| row.iter().any(|value| value.text(origin).to_lowercase().contains(&plain));
                let expected: Vec<_> = whole.iter().filter(shows).cloned().collect();
                let wanted = TableQuery { filter: filter.into(), ..query(table.key) };
                let found = all(&model, wanted.clone(), None);
                assert_eq!(found.rows, expected, "{name}, {}, {filter}", table.key);
                assert_eq!((found.found, found.kept), (expected.len(), table.rows), "{name}");
                if let Some(first) = table.columns.first() {
                    let sorted = all(&model, TableQuery { sort: first.key.into(), down: true, ..wanted }, None);
                    assert_eq!(sorted.found, expected.len(), "{name}");
                }
                some += usize::from(!expected.is_empty() && expected.len() < whole.len());
                none += usize::from(expected.is_empty());
            }
        }
    }
    assert!(some > 200 && none > 200, "{some}, {none}");
}

#[test]
fn a_filter_takes_any_way_to_write_microseconds() {
    let log = fs::read(project().join("tests/corpus/threaded/log.eventlog")).unwrap();
    let model = model_in_steps(&log, 1 << 20);
    let found = |filter: &str| all(&model, TableQuery { filter: filter.into(), ..query("collections") }, None).rows;
    let (micro_sign, kept) = (found("\u{b5}s"), all(&model, query("collections"), None).rows.len());
    assert!(!micro_sign.is_empty() && found("no such text").is_empty());
    for filter in ["\u{3bc}s", "\u{39c}S", "us", "US"] {
        assert_eq!(found(filter), micro_sign, "{filter}");
    }
    let first = &micro_sign[0];
    let pause = first.iter().map(|value| value.text(Nanos(0))).find(|text| text.ends_with("\u{b5}s")).unwrap();
    let exact = found(&pause.replace('\u{b5}', "u"));
    assert!(exact.contains(first) && exact.len() < kept, "{pause}: {} of {kept}", exact.len());
}

/// What a histogram counts are the rows of its table, in a range as well.
#[test]
fn a_bar_of_a_histogram_has_as_many_rows_as_it_says() {
    let mut bars = 0;
    for (name, model, range) in models() {
        for range in [None, range.as_ref()] {
            let facts = model.facts(range);
            for section in &facts.sections {
                for histogram in &section.histograms {
                    let Some((table, column)) = histogram.rows else { continue };
                    unit_in_key(column, histogram.unit);
                    let mut counted = 0;
                    for pair in histogram.bins.windows(2) {
                        assert_eq!(pair[0].to, pair[1].from, "{name}");
                    }
                    for bin in &histogram.bins {
                        let within = Within { column: column.into(), from: bin.from, to: bin.to };
                        let found = all(&model, TableQuery { within: Some(within), ..query(table) }, range);
                        let count: u64 = bin.counts.iter().sum();
                        assert_eq!(found.rows.len() as u64, count, "{name}, {} from {}", histogram.key, bin.from);
                        counted += found.rows.len();
                        bars += usize::from(count > 0);
                    }
                    assert_eq!(counted, all(&model, query(table), range).rows.len(), "{name}, {}", histogram.key);
                }
            }
        }
    }
    assert!(bars > 100, "{bars}");
}

/// What the environment tells is shown to nobody who has not asked for it.
#[test]
fn the_environment_is_told_to_those_who_ask() {
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
    let text = |text: &str| Value::Text(text.into());
    assert_eq!(sets, [vec![Value::Count(0), text("OS process"), Value::Count(2), text("0-1")]]);
}

/// Different tasks, whatever their creations are; that is what the runtime counts.
#[test]
fn tasks_are_told_apart_by_their_numbers() {
    let logs = conformance::shared_logs();
    let mut checked = 0;
    for path in &logs {
        // The runtime's own count of a program that calls in from outside, or collects without moving, is another.
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

/// From each request to GC_GLOBAL_SYNC of the collection that it leads to, as the events tell it.
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
        // Where nothing was lost, each of them is of a collection.
        let whole = ["threaded", "sparks", "nonmoving", "heap-type", "resized", "only-collections"];
        let name = path.parent().unwrap().file_name().unwrap().to_str().unwrap().to_string();
        if whole.contains(&name.as_str()) && syncs > 0 {
            // GC_END stands behind GC_GLOBAL_SYNC in the file.
            let facts = model_in_steps(&log, 1 << 20).facts(None);
            assert_eq!(value(&facts, "gc", "sync_ns"), Value::Duration(Nanos(sync)), "{name}");
            logs_with += 1;
        }
    }
    assert!(logs_with >= 4, "{logs_with}");
}

#[test]
fn of_more_collections_than_are_kept_all_are_counted() {
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

#[test]
fn a_table_in_markdown_says_how_many_rows_it_leaves_out_if_any() {
    let mut log = LogWriter::new();
    log.block(Block::of(CapNo(0)), |block| {
        for thread in 1..=3 {
            block.event(Nanos(1), CreateThread { thread: ThreadId(thread) });
        }
    });
    let log = log.finish();
    let model = model_in_steps(&log, log.len());
    let threads = |top: usize| {
        let markdown = model.markdown(None, top);
        let (_, table) = markdown.split_once("**Threads**").expect("a table of threads");
        table.split("</details>").next().unwrap_or_default().contains(" more\n").then(|| table.contains("and 1 more\n"))
    };
    assert_eq!([threads(1), threads(2), threads(3), threads(4)], [Some(false), Some(true), None, None]);
}

/// The clock is told some time after it, as a rule.
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
    let text = |text: &str| Value::Text(text.into());
    let second = Nanos::SECOND.0;
    assert_eq!(started(5 * second, 5 * second), text("2023-11-14T22:13:20Z"));
    assert_eq!(started(2 * second, 5 * second), text("2023-11-14T22:13:17Z"));
    assert_eq!(started(second / 20, second), text("2023-11-14T22:13:19Z"));
}

#[test]
fn a_page_says_of_which_table_it_is_and_where() {
    for (name, model, range) in models() {
        for table in tables(&model.facts(range.as_ref())) {
            let order = model.order(query(table.key), range.as_ref());
            let page = model.page(&order, range.as_ref(), 1, 1);
            assert_eq!((&*page.table, page.from), (table.key, 1), "{name}");
        }
    }
}

#[test]
fn of_what_there_is_not_there_are_no_rows() {
    let log = fs::read(project().join("tests/corpus/threaded/log.eventlog")).unwrap();
    let model = model_in_steps(&log, 1 << 20);
    let page = all(&model, query("no such table"), None);
    assert_eq!((page.found, page.kept, page.of, page.rows.len()), (0, 0, 0, 0));
    // An order that is not of any column is the table's own.
    let odd = all(&model, TableQuery { sort: "no such column".into(), ..query("threads") }, None);
    assert_eq!(odd.rows, all(&model, query("threads"), None).rows);
    let beyond = model.page(&model.order(query("threads"), None), None, usize::MAX, usize::MAX);
    assert_eq!((beyond.rows.len(), beyond.found), (0, odd.found));
}
