//! Of very many definitions and stacks, those that weigh most are kept, whenever they come.

use conformance::{heavy, model_in_steps};
use ghc_eventlog::{
    Block, CStr, CapNo, HeapProfSampleBegin, HeapProfSampleEnd, HeapProfSampleString, InfoTable, Ipe, LogWriter, Nanos,
    Text, TickyCounterBeginSample, TickyCounterDef, TickyCounterSample, UserMsg,
};
use ghc_eventlog_model::{DiagnosticKind, Job, Model, Progress, RequestsQuery, TableQuery, Value, limits, work};
use std::{collections::BTreeMap, convert::Infallible, ops::Range};

fn log(write: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> Vec<u8> {
    let mut log = Vec::new();
    write(&mut log).unwrap();
    log
}

fn read(log: &[u8]) -> Model {
    let model = model_in_steps(log, 1 << 20);
    assert_eq!(model.error(), None);
    model
}

/// Reads the names that were not kept; returns how many bytes it took.
fn look_for_names(model: &mut Model, log: &[u8]) -> u64 {
    let Some(mut names) = model.late_names() else { return 0 };
    let mut read = 0;
    let is_done = work(&mut names, model, |offset, length| {
        read += length;
        Ok::<_, Infallible>(&log[offset as usize..(offset + length) as usize])
    });
    assert!(is_done.unwrap());
    assert_eq!(names.progress().done, names.progress().of);
    assert!(!model.lacks_names() && model.late_names().is_none());
    read
}

fn diagnostics(model: &Model) -> Vec<DiagnosticKind> {
    model.diagnostics().list().iter().map(|diagnostic| diagnostic.kind).collect()
}

/// Columns of a table's rows, as text.
fn rows<const N: usize>(model: &Model, table: &str, columns: [&str; N]) -> Vec<[String; N]> {
    let query = TableQuery { table: table.into(), ..TableQuery::default() };
    let order = model.order(query, None);
    let facts = model.facts(None);
    let info = facts.sections.iter().flat_map(|section| &section.tables).find(|info| info.key == table).unwrap();
    let at = columns.map(|key| info.columns.iter().position(|column| column.key == key).unwrap());
    let pages = (0..).map(|page| model.page(&order, None, page * limits::MAX_PAGE, limits::MAX_PAGE).rows);
    let rows = pages.take_while(|rows| !rows.is_empty()).flatten();
    rows.map(|row| at.map(|at| row[at].text(Nanos(0)))).collect()
}

fn figure(model: &Model, section: &str, key: &str) -> Option<u64> {
    match model.facts(None).section(section)?.get(key)?.value {
        Value::Count(count) => Some(count),
        _ => None,
    }
}

/// The bands' names, modules and places in the source.
fn bands(model: &Model) -> BTreeMap<String, [String; 3]> {
    let rows = rows(model, "bands", ["name", "module", "source", "last_bytes"]);
    rows.into_iter().map(|[name, module, source, last]| (name, [module, source, last])).collect()
}

fn bytes(count: u64) -> String {
    Value::Bytes(count).text(Nanos(0))
}

/// Wherever those that are used are in the log, and however many there are.
#[test]
fn info_tables_that_hold_something_have_names() {
    let most = limits::MAX_INFO_TABLES as u64;
    let cases: [(u64, Range<u64>); 4] =
        [(most + 5, most..most + 5), (100_000, 99_000..100_000), (70_000, 30_000..36_000), (120_000, 50_000..62_000)];
    for (all, used) in cases {
        let log = log(|to| heavy::info_tables(all, used.clone(), to));
        let mut model = read(&log);
        let nameless = used.clone().filter(|number| *number >= most).count() as u64;
        let said: Vec<_> = diagnostics(&model);
        assert!(
            matches!(said[..], [DiagnosticKind::NamesNotRead(count)] if count <= nameless && count > 0),
            "{said:?}"
        );
        assert!(model.lacks_names());
        assert!(look_for_names(&mut model, &log) <= log.len() as u64);
        assert_eq!(diagnostics(&model), []);
        let bands = bands(&model);
        assert_eq!(bands.len() as u64, used.end - used.start);
        for number in used.clone() {
            let [name, module, source] = heavy::name_of(number);
            let last = bytes(1000 * (number - used.start + 1) + 19);
            assert_eq!(bands.get(&name), Some(&[module, source, last]), "{number}");
        }
        assert_eq!(figure(&model, "definitions", "info_tables"), Some(all));
        let kept = rows(&model, "info_table_definitions", ["label"]).len() as u64;
        assert_eq!(kept, used.end - used.start);
        assert!(model.markdown(None, 10).contains(&format!("f{}", used.end - 1)));
    }
}

#[test]
fn a_usual_log_is_read_only_once() {
    let log = log(|to| heavy::info_tables(30_000, 29_000..30_000, to));
    let mut model = read(&log);
    assert!(!model.lacks_names() && model.late_names().is_none());
    assert_eq!(rows(&model, "info_table_definitions", ["label"]).len(), 30_000);
    // Nor is one whose names are all there.
    let log = self::log(|to| heavy::info_tables(50_000, 100..200, to));
    let mut model = read(&log);
    assert!(!model.lacks_names() && model.late_names().is_none());
    assert_eq!((diagnostics(&model), figure(&model, "definitions", "info_tables")), (vec![], Some(50_000)));
}

/// The names may have changed.
#[test]
fn a_log_that_has_changed_gives_no_names() {
    let log = log(|to| heavy::info_tables(40_000, 39_000..40_000, to));
    let mut model = read(&log);
    let mut names = model.late_names().unwrap();
    let changed = vec![0x55; log.len()];
    let is_done = work(&mut names, &mut model, |offset, length| {
        Ok::<_, Infallible>(&changed[offset as usize..(offset + length) as usize])
    });
    assert!(!is_done.unwrap());
    assert!(matches!(diagnostics(&model)[..], [DiagnosticKind::NamesNotRead(1000)]));
}

fn cstr(text: &str) -> CStr<'_> {
    CStr(Text(text.as_bytes()))
}

/// A log of `all` info tables with texts of `length` letters each, of which the `used` ones have bytes: the last one most.
fn long_names(all: u64, used: Range<u64>, length: usize) -> Vec<u8> {
    let mut log = LogWriter::new();
    log.block(Block::GLOBAL, |log| {
        for number in 0..all {
            let text = format!("{number:0length$}");
            let [table_name, label, module] = ["t", "l", "m"].map(|kind| format!("{kind}{text}"));
            let [table_name, label, module] = [&table_name, &label, &module].map(|text| cstr(text));
            let (info_table, none) = (InfoTable(number + 1), cstr(""));
            let (closure_type, type_name, location) = (none, none, none);
            log.event(Nanos(5), Ipe { info_table, table_name, closure_type, type_name, label, module, location });
        }
    });
    for time in [10, 20].map(Nanos) {
        log.block(Block::GLOBAL, |log| {
            log.event(time, HeapProfSampleBegin { number: 0 });
            for number in used.clone() {
                let label = format!("{:#x}", number + 1);
                log.event(time, HeapProfSampleString { profile: 0, bytes: number, label: cstr(&label) });
            }
            log.event(time, HeapProfSampleEnd { number: 0 });
        });
    }
    log.end();
    log.finish()
}

/// If their texts need too much room, the heaviest have names; and how many have none is said. Nothing in this log but the names says that its
/// bands are info tables.
#[test]
fn if_there_is_no_room_for_all_names_the_heaviest_have_some() {
    let log = long_names(40_000, 20_000..32_000, 200);
    let mut model = read(&log);
    look_for_names(&mut model, &log);
    let bands = rows(&model, "bands", ["name", "last_bytes"]);
    let is_named = |name: &str| name.starts_with('l');
    let named = bands.iter().filter(|[name, _]| is_named(name)).count();
    assert_eq!(diagnostics(&model), [DiagnosticKind::TooManyNames(12_000 - named as u64)]);
    // Rows are sorted by what the bands hold.
    assert!(named > 1000 && bands.iter().take(named).all(|[name, _]| is_named(name)), "{named}");
    assert_eq!(bands[0][0], format!("l{:0200}", 31_999));
}

/// The runtime defines everything again when logging is started again.
#[test]
fn of_repeated_definitions_the_last_one_counts() {
    let once = long_names(40_000, 39_000..40_000, 3);
    let mut twice = once.clone();
    let mut other = LogWriter::new();
    other.block(Block::GLOBAL, |log| {
        let [table_name, label, module] = ["t", "new", "New"].map(cstr);
        let none = CStr::default();
        let (closure_type, type_name, location) = (none, none, none);
        let info_table = InfoTable(39_501);
        log.event(Nanos(30), Ipe { info_table, table_name, closure_type, type_name, label, module, location });
    });
    other.end();
    twice.extend(other.finish());
    let mut model = read(&twice);
    look_for_names(&mut model, &twice);
    let bands = bands(&model);
    assert_eq!(bands.len(), 1000);
    assert_eq!(bands.get("new").map(|[module, ..]| module.as_str()), Some("New"));
    assert!(!bands.contains_key("l39500") && bands.contains_key("l39499"));
}

#[test]
fn cost_centres_that_are_used_have_names() {
    for (all, used) in [(60_000, 59_900..60_000), (60_000, 32_700..32_900), (90_000, 40_000..41_000)] {
        let log = log(|to| heavy::cost_centres(all, used.clone(), to));
        let mut model = read(&log);
        assert!(matches!(diagnostics(&model)[..], [DiagnosticKind::NamesNotRead(_)]));
        look_for_names(&mut model, &log);
        assert_eq!(diagnostics(&model), []);
        let bands = bands(&model);
        let sampled = rows(&model, "cost_centres", ["name", "module", "self_samples"]);
        for number in used.clone() {
            let [name, module, source] = heavy::name_of(number);
            let (nth, of_band) = (number - used.start + 1, bands.get(&format!("{name}/f0")));
            assert_eq!(of_band, Some(&[module.clone(), source, bytes(1000 * nth + 19)]));
            let samples = Value::Count(nth).text(Nanos(0));
            assert!(sampled.contains(&[name, module, samples]), "{number}");
        }
        assert_eq!(figure(&model, "definitions", "cost_centres"), Some(all));
    }
}

/// The stacks with samples of their own, by their frames joined by `/`.
fn stacks(model: &Model) -> BTreeMap<String, u64> {
    let stacks = model.profiled().stacks();
    stacks.map(|(frames, own)| (frames.iter().map(|name| name.for_page()).collect::<Vec<_>>().join("/"), own)).collect()
}

fn stack_of(number: u64) -> String {
    heavy::callers(number).iter().rev().map(|id| format!("f{id}")).collect::<Vec<_>>().join("/")
}

#[test]
fn heavy_stacks_are_kept_whenever_they_come() {
    let all = 200_000;
    for (heavy, samples) in [(199_900..all, 50), (100_000..100_100, 50), (120_000..124_000, 20), (0..10, 300)] {
        let count = heavy.end - heavy.start;
        let log = log(|to| heavy::stacks(all, heavy.clone(), samples, to));
        let model = read(&log);
        let total = all - count + count * samples;
        assert_eq!(figure(&model, "time_profile", "samples"), Some(total));
        let (pruned, lacks) = ("stacks_not_kept.samples", "stacks_not_kept.max_of_one");
        let [pruned, lacks] = [pruned, lacks].map(|key| figure(&model, "time_profile", key).unwrap());
        assert!(lacks < samples && pruned > 0 && pruned <= all - count + count * lacks, "{lacks} {pruned}");
        let stacks = stacks(&model);
        assert_eq!(stacks.values().sum::<u64>(), total);
        for number in heavy {
            let own = stacks.get(&stack_of(number)).copied().unwrap_or_default();
            assert!((samples - lacks..=samples).contains(&own), "{number}: {own}");
        }
        let deeper = stacks.iter().filter(|(name, _)| name.ends_with("(deeper, not kept)"));
        assert_eq!(deeper.map(|(_, own)| own).sum::<u64>(), pruned);
        assert!(model.facts(None).section("time_profile").unwrap().remark_text().unwrap().contains("too many stacks"));
    }
}

#[test]
fn of_few_stacks_nothing_is_said() {
    let log = log(|to| heavy::stacks(20_000, 10..20, 3, to));
    let model = read(&log);
    assert_eq!(figure(&model, "time_profile", "stacks_not_kept.samples"), None);
    assert_eq!(stacks(&model).len(), 20_000);
}

/// A log with three times as many ticky counters as are kept, whose names have this many letters. Those that count most are defined last.
fn ticky_counters(length: usize, busy: &Range<u64>) -> Vec<u8> {
    let all = busy.end;
    let mut log = LogWriter::new();
    log.block(Block::GLOBAL, |log| {
        for id in 0..all {
            let name = format!("f{id:0length$}");
            let [name, none] = [&name, ""].map(cstr);
            log.event(Nanos(5), TickyCounterDef { id, arity: 1, arguments: none, name, info_table: None, json: None });
        }
        for time in [10, 20].map(Nanos) {
            log.event(time, TickyCounterBeginSample {});
            for id in 0..all {
                let entries = if busy.contains(&id) { 1_000_000 + id } else { 1 };
                log.event(time, TickyCounterSample { id, entries, allocs_bytes: 0, allocd_bytes: 0 });
            }
        }
    });
    log.end();
    log.finish()
}

/// A program has a ticky counter for each of its functions; their names may need more room than there is.
#[test]
fn ticky_counters_that_count_have_names() {
    let all = 3 * limits::MAX_COUNTERS as u64;
    let busy = all - 5..all;
    for (length, are_all_named) in [(1, true), (150, false)] {
        let log = ticky_counters(length, &busy);
        let mut model = read(&log);
        assert!(matches!(diagnostics(&model)[..], [DiagnosticKind::NamesNotRead(_)]) && model.lacks_names());
        assert!(look_for_names(&mut model, &log) > 0);
        let rows = rows(&model, "ticky", ["name", "entries"]);
        assert!(rows.len() <= limits::MAX_COUNTERS);
        let nameless = rows.iter().filter(|[name, _]| !name.starts_with('f')).count() as u64;
        assert_eq!(nameless == 0, are_all_named);
        let said = if are_all_named { vec![] } else { vec![DiagnosticKind::TooManyNames(nameless)] };
        assert_eq!(diagnostics(&model), said);
        for id in busy.clone() {
            let entries = Value::Count(2 * (1_000_000 + id)).text(Nanos(0));
            assert!(rows.contains(&[format!("f{id:0length$}"), entries]), "{id}");
        }
        let sum = 2 * (busy.clone().map(|id| 1_000_000 + id).sum::<u64>() + busy.start);
        assert_eq!(figure(&model, "ticky", "entries"), Some(sum));
    }
}

/// A log of user spans with 50 000 labels; each hundredth span from number `first` on is a slow one.
fn slow_among_many(first: u64) -> Vec<u8> {
    let (mut log, mut time) = (LogWriter::new(), 0);
    for block in 0..150 {
        log.block(Block::of(CapNo(0)), |log| {
            for number in block * 2000..(block + 1) * 2000 {
                let is_slow = number >= first && number % 100 == 99;
                let label = if is_slow { "a slow one".into() } else { format!("one of many, {}", number % 50_000) };
                for (word, took) in [("START", if is_slow { 500 } else { 10 }), ("STOP", 10)] {
                    log.event(Nanos(time), UserMsg { text: Text(format!("{word} {label}").as_bytes()) });
                    time += took;
                }
            }
        });
    }
    log.end();
    log.finish()
}

/// Which labels matter shows after a part of the log: then it is not followed twice. The slow one comes when there is no room for more.
#[test]
fn a_label_that_matters_from_early_on_is_found_early() {
    for (first, most_read) in [(6000, 1.2), (225_000, 2.1)] {
        let log = slow_among_many(first);
        let mut model = read(&log);
        let mut replay = model.replay().unwrap();
        let (mut read, mut shares) = (0, Vec::new());
        loop {
            let Progress { done, of } = replay.progress();
            shares.push(done as f64 / of as f64);
            let reads = replay.reads(&mut model);
            if reads.is_empty() {
                break;
            }
            for (offset, length) in reads {
                read += length;
                replay.give(&mut model, offset, &log[offset as usize..(offset + length) as usize]).unwrap();
            }
        }
        assert!((read as f64) < most_read * log.len() as f64, "{read} of {}", log.len());
        assert!(shares.is_sorted() && shares.ends_with(&[1.0]), "{shares:?}");
        assert!(shares[shares.len() - 2] > 0.8, "{shares:?}");
        let rows = rows(&model, "spans", ["label", "count", "total_ns"]);
        let slow = (300_000 - first) / 100;
        let expected = ["a slow one".into(), slow.to_string(), Value::Duration(Nanos(slow * 500)).text(Nanos(0))];
        assert!(rows.contains(&expected), "{expected:?}");
        assert_eq!(rows.len(), limits::MAX_SPAN_LABELS + 1);
        // All spans of the family are looked at, also those of labels that are not told apart.
        let mut job = model.requests(&RequestsQuery::of("one of many, #")).unwrap();
        while let Some(&(offset, length)) = job.reads(&mut model).first() {
            job.give(&mut model, offset, &log[offset as usize..(offset + length) as usize]).unwrap();
        }
        assert_eq!(figure(&model, "requests", "count"), Some(300_000 - slow));
        // The same labels are kept however little comes at once.
        let mut other = self::read(&log);
        let mut replay = other.replay().unwrap();
        while let Some(&(offset, length)) = replay.reads(&mut other).first() {
            let end = offset + length.min(300_000);
            replay.give(&mut other, offset, &log[offset as usize..end as usize]).unwrap();
        }
        assert!(rows == self::rows(&other, "spans", ["label", "count", "total_ns"]));
    }
}

/// A log of a heap profile, whose censuses have these bands.
fn heap_profile(censuses: &[Vec<(String, u64)>]) -> Vec<u8> {
    let mut log = LogWriter::new();
    log.block(Block::GLOBAL, |log| {
        for (number, bands) in (1..).zip(censuses) {
            let time = Nanos(number * 100_000_000);
            log.event(time, HeapProfSampleBegin { number });
            for (label, bytes) in bands {
                log.event(time, HeapProfSampleString { profile: 0, bytes: *bytes, label: cstr(label) });
            }
            log.event(time, HeapProfSampleEnd { number });
        }
    });
    log.end();
    log.finish()
}

/// Among more light ones than there is room for: hundreds that are heavy in one census, wherever that is; and few that are steady among
/// heavier ones that come once.
#[test]
fn bands_that_are_heavy_have_rows_whenever_they_come() {
    let censuses = 8;
    let light = |census: u64| (0..20_000).map(move |nth| (format!("light {nth}"), 50 + (nth * 7 + census * 31) % 100));
    let once = |census: u64| (0..17_000).map(move |nth| (format!("once {census} {nth}"), 2000 + nth % 50));
    let peak = || (0..600).map(|nth| (format!("heavy {nth}"), 1_000_000 + nth));
    let steady = |census: u64| (0..50).map(move |nth| (format!("heavy {nth}"), 1000 + 20 * census + nth));
    let peaks = [0, 4, censuses - 1].map(|at| {
        let others = |census: u64| if at == 4 { light(census).collect() } else { once(census).collect::<Vec<_>>() };
        let all = (0..censuses).map(|census| (if census == at { peak().collect() } else { vec![] }, others(census)));
        (all.collect::<Vec<_>>(), peak().collect::<Vec<_>>())
    });
    let steady = (0..censuses).map(|census| (steady(census).collect(), once(census).collect())).collect();
    let steady = (steady, (0..50).map(|nth| (format!("heavy {nth}"), 1000 + 20 * (censuses - 1) + nth)).collect());
    for (parts, heavy) in peaks.into_iter().chain([steady]) {
        // The heavy ones come last, when there is no room left.
        let bands: Vec<_> = parts.into_iter().map(|(heavy, others)| [others, heavy].concat()).collect();
        let model = read(&heap_profile(&bands));
        let rows = rows(&model, "bands", ["name", "max_bytes"]);
        let most = heavy.into_iter().map(|(name, most)| [name, bytes(most)]);
        let lacking: Vec<_> = most.filter(|row| !rows.contains(row)).collect();
        assert_eq!((lacking.len(), lacking.first()), (0, None));
        assert_eq!(rows.len(), limits::MAX_BANDS + 1);
        let remark = model.facts(None).section("heap_profile").unwrap().remark_text().unwrap();
        assert!(remark.contains("light ones are one"), "{remark}");
    }
}
