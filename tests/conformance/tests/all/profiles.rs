//! Profiles: facts about bands, stacks and counters equal a plain count of the log's events, and of the text dumps if
//! there are any. Parts add up to the whole. Names are found wherever the log defines them.

use conformance::{Mutants, decode_in_steps, files, model_in_steps, project, shared_logs, whole_range};
use ghc_eventlog::{
    Block, Breakdown, CStr, CapNo, CostCentre, CostCentreId, CostCentreStack, HeapBioProfSampleBegin, HeapProfBegin,
    HeapProfSampleBegin, HeapProfSampleCostCentre, HeapProfSampleEnd, HeapProfSampleString, InfoTable, Ipe, LogWriter,
    Nanos, ProfSampleCostCentre, Record, Text, TickyCounterDef, TickyCounterSample, UserBinaryMsg,
};
use ghc_eventlog_model::{Facts, Model, Range, TablePage, TableQuery, Value};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::PathBuf,
};

/// Damaged forms of each log.
const DAMAGED: usize = 3;

fn paths() -> Vec<PathBuf> {
    files(&project().join("tests/corpus"), "log.eventlog").into_iter().chain(shared_logs()).collect()
}

/// A heap profile, counted in the simplest way: each census with its time and the bytes of each band.
#[derive(Debug, Default)]
struct Censuses {
    all: Vec<(u64, BTreeMap<String, u64>)>,
    open: bool,
}

impl Censuses {
    fn begin(&mut self, time: u64) {
        self.all.push((time, BTreeMap::new()));
        self.open = true;
    }

    fn add(&mut self, time: u64, band: String, bytes: u64) {
        if !self.open {
            self.begin(time);
        }
        if let Some((_, bands)) = self.all.last_mut() {
            *bands.entry(band).or_default() += bytes;
        }
    }

    /// Most, last and integral of each band, in any order.
    fn bands(mut self) -> Vec<(u64, u64, u128)> {
        self.all.sort_by_key(|(time, _)| *time);
        let names: BTreeSet<&String> = self.all.iter().flat_map(|(_, bands)| bands.keys()).collect();
        let held = |name: &String| -> Vec<u64> {
            self.all.iter().map(|(_, bands)| bands.get(name).copied().unwrap_or(0)).collect()
        };
        let of_band = |name| {
            let held = held(name);
            let area = held.windows(2).zip(self.all.windows(2)).map(|(held, censuses)| {
                (u128::from(held[0]) + u128::from(held[1])) * u128::from(censuses[1].0 - censuses[0].0)
            });
            (held.iter().copied().max().unwrap_or(0), held.last().copied().unwrap_or(0), area.sum::<u128>() / 2)
        };
        sorted(names.into_iter().map(of_band).collect())
    }
}

fn sorted<T: Ord>(mut list: Vec<T>) -> Vec<T> {
    list.sort();
    list
}

/// The censuses of a log, from its events.
fn by_events(log: &[u8]) -> Censuses {
    let mut censuses = Censuses::default();
    let mut take = |record: Record<'_>| {
        let Record { tag, time, payload, known: true, .. } = record else { return };
        match tag {
            HeapProfSampleBegin::TAG => censuses.begin(time.0),
            HeapBioProfSampleBegin::TAG => censuses.begin(HeapBioProfSampleBegin::read(payload).time.0),
            HeapProfSampleEnd::TAG => censuses.open = false,
            HeapProfSampleString::TAG => {
                let HeapProfSampleString { label, bytes, .. } = HeapProfSampleString::read(payload);
                censuses.add(time.0, format!("{:?}", label.0), bytes);
            }
            HeapProfSampleCostCentre::TAG => {
                let HeapProfSampleCostCentre { stack, bytes, .. } = HeapProfSampleCostCentre::read(payload);
                censuses.add(time.0, format!("{:?}", stack.0), bytes);
            }
            _ => {}
        }
    };
    decode_in_steps(log, 1 << 20, |_, record| take(record));
    censuses
}

/// The censuses of a log, from its text dump.
fn by_text(dump: &str) -> Censuses {
    let mut censuses = Censuses::default();
    for line in dump.lines() {
        let Some((time, said)) = line.split_once(": ") else { continue };
        let Ok(time) = time.parse() else { continue };
        if said.starts_with("start heap prof sample") {
            let own = said.split_once(" at time ").and_then(|(_, time)| time.parse().ok());
            censuses.begin(own.unwrap_or(time));
        } else if said.starts_with("end prof sample") || said.starts_with("end heap prof sample") {
            censuses.open = false;
        } else if let Some((_, said)) = said.split_once(", residency ").filter(|_| said.starts_with("heap prof sample"))
        {
            let (bytes, band) = said.split_once(", ").unwrap();
            censuses.add(time, band.to_string(), bytes.parse().unwrap());
        }
    }
    censuses
}

fn value(facts: &Facts, section: &str, key: &str) -> Value {
    facts.section(section).unwrap().get(key).unwrap().value.clone()
}

fn rows(model: &Model, table: &str, range: Option<&Range>) -> TablePage {
    let query = TableQuery { table: table.into(), ..TableQuery::default() };
    model.page(&model.order(query, range), range, 0, usize::MAX)
}

/// The values of one column, by its key; none of a table that the log does not fill.
fn column(model: &Model, section: &str, table: &str, range: Option<&Range>, key: &str) -> Vec<Value> {
    let facts = model.facts(range);
    let info = facts.section(section).and_then(|section| section.tables.iter().find(|info| info.key == table));
    let Some(place) = info.and_then(|info| info.columns.iter().position(|column| column.key == key)) else {
        return Vec::new();
    };
    rows(model, table, range).rows.into_iter().map(|row| row[place].clone()).collect()
}

fn number(value: &Value) -> u128 {
    match value {
        Value::Unknown => 0,
        Value::Bytes(number) | Value::Count(number) => u128::from(*number),
        Value::ByteTime(area) => *area,
        other => panic!("{other:?}"),
    }
}

fn numbers(model: &Model, section: &str, table: &str, range: Option<&Range>, key: &str) -> Vec<u128> {
    column(model, section, table, range, key).iter().map(number).collect()
}

/// Most, last and integral of each band, as the model has them.
fn bands_of(model: &Model) -> Vec<(u64, u64, u128)> {
    let of = |key| numbers(model, "heap_profile", "bands", None, key);
    let (most, last, area) = (of("max_bytes"), of("last_bytes"), of("integral_byte_ns"));
    sorted(most.into_iter().zip(last).zip(area).map(|((most, last), area)| (most as u64, last as u64, area)).collect())
}

#[test]
fn bands_are_what_the_events_say() {
    let mut compared = 0;
    for (seed, path) in paths().iter().enumerate() {
        let log = fs::read(path).unwrap();
        let damaged: Vec<Vec<u8>> = Mutants::new(&log, seed as u64).take(DAMAGED).collect();
        for log in [log].iter().chain(&damaged) {
            let censuses = by_events(log);
            let times: Vec<u64> = censuses.all.iter().map(|(time, _)| *time).collect();
            let sum = |(_, bands): &(u64, BTreeMap<String, u64>)| {
                bands.values().try_fold(0u64, |all, more| all.checked_add(*more))
            };
            // Damaged numbers may be any size, so their sums saturate.
            let sound = censuses.all.iter().all(|census| sum(census).is_some()) && times.is_sorted();
            if sound && times.windows(2).all(|two| two[0] != two[1]) {
                compared += usize::from(!times.is_empty());
                let count = times.len();
                let model = model_in_steps(log, 1 << 16);
                assert_eq!(bands_of(&model), censuses.bands(), "{}", path.display());
                let censuses = value(&model.facts(None), "heap_profile", "censuses");
                assert!(censuses == Value::Count(count as u64) || count == 0, "{}", path.display());
            }
        }
    }
    assert!(compared > 20, "{compared}");
}

#[test]
fn bands_are_what_the_text_dumps_say() {
    let mut compared = 0;
    for path in shared_logs() {
        let Ok(dump) = fs::read(path.with_extension("show")) else { continue };
        let censuses = by_text(&String::from_utf8_lossy(&dump));
        compared += usize::from(!censuses.all.is_empty());
        let model = model_in_steps(&fs::read(&path).unwrap(), 1 << 16);
        assert_eq!(bands_of(&model), censuses.bands(), "{}", path.display());
    }
    assert!(compared > 10 || shared_logs().is_empty(), "{compared}");
}

fn sum(model: &Model, section: &str, table: &str, range: Option<&Range>, key: &str) -> u128 {
    numbers(model, section, table, range, key).iter().fold(0, |sum, more| sum.saturating_add(*more))
}

/// A log, and damaged forms of it.
fn with_damaged(log: Vec<u8>, seed: u64) -> Vec<Vec<u8>> {
    let damaged: Vec<Vec<u8>> = Mutants::new(&log, seed).take(DAMAGED).collect();
    [log].into_iter().chain(damaged).collect()
}

/// Facts of parts of the log add up to those of the whole log.
#[test]
fn parts_add_up() {
    let (mut of_heap, mut of_time, mut of_ticky, mut of_threads) = (0, 0, 0, 0);
    for (seed, path) in (0..).zip(paths()) {
        for (form, log) in with_damaged(fs::read(&path).unwrap(), seed).iter().enumerate() {
            let mut model = model_in_steps(log, 1 << 20);
            let Some((first, last)) = model.extent() else { continue };
            let name = format!("{}, form {form}", path.display());
            // Sums of impossible sizes saturate, for parts and for the whole.
            let too_large = |key, most| sum(&model, "heap_profile", "bands", None, key) > most;
            if too_large("integral_byte_ns", u128::MAX / 4) || too_large("max_bytes", u64::MAX.into()) {
                continue;
            }
            let facts = model.facts(None);
            let bands = rows(&model, "bands", None).rows.len() as u128;
            if bands > 0 {
                let last = sum(&model, "heap_profile", "bands", None, "last_bytes");
                assert_eq!(last, number(&value(&facts, "heap_profile", "last_bytes")), "{name}");
                of_heap += 1;
            }
            let samples = value(&facts, "time_profile", "samples");
            if samples != Value::Unknown && samples != Value::Count(0) {
                for (table, key) in [("cost_centres", "self_samples"), ("stacks", "samples")] {
                    assert_eq!(sum(&model, "time_profile", table, None, key), number(&samples), "{table} of {name}");
                }
                of_time += 1;
            }
            of_ticky += usize::from(!rows(&model, "ticky", None).rows.is_empty());
            let counts = |model: &Model, range: Option<&Range>| {
                let of_counters = |key| sum(model, "ticky", "ticky", range, key);
                [
                    sum(model, "time_profile", "cost_centres", range, "self_samples"),
                    sum(model, "time_profile", "sampled_threads", range, "samples"),
                    of_counters("entries"),
                    of_counters("allocs"),
                ]
            };
            let whole = counts(&model, None);
            let whole_area = sum(&model, "heap_profile", "bands", None, "integral_byte_ns");
            let most = sum(&model, "heap_profile", "bands", None, "max_bytes");
            of_threads += usize::from(whole[1] > 0);
            let (mut parts, mut area, mut cuts) = ([0u128; 4], 0, 0);
            let length = last.since(first).0.saturating_add(1);
            for part in 0..5 {
                let at = |part: u64| first.plus(Nanos((u128::from(length) * u128::from(part) / 5) as u64));
                // The last one reaches to the end of time: a biographical census may be later than the log.
                let to = if part == 4 { Nanos::MAX } else { at(part + 1) };
                let from = if part == 0 { Nanos(0) } else { at(part) };
                let Some((range, _)) = whole_range(&mut model, log, from, to) else { continue };
                cuts += 1;
                area += sum(&model, "heap_profile", "bands", Some(&range), "integral_byte_ns");
                parts.iter_mut().zip(counts(&model, Some(&range))).for_each(|(sum, part)| *sum += part);
            }
            if cuts < 5 {
                continue; // more of this range may come
            }
            // Counts of damaged logs may be any size.
            assert!(
                parts == whole || whole.iter().any(|sum| *sum > u128::from(u64::MAX / 4)),
                "{parts:?} {whole:?} {name}"
            );
            // At each cut each band is rounded to a nanosecond.
            assert!(area.abs_diff(whole_area) <= 10 * (most + bands), "{area} and {whole_area} of {name}");
        }
    }
    assert!(
        of_heap > 30 && of_time > 15 && of_ticky > 6 && of_threads > 6,
        "{of_heap} {of_time} {of_ticky} {of_threads}"
    );
}

/// The bands of a census add up to it, for each census alone, in a range without any other.
#[test]
fn bands_of_a_census_add_up_to_it() {
    const MOST: usize = 12;
    let mut compared = 0;
    for (seed, path) in (0..).zip(paths()) {
        for log in with_damaged(fs::read(&path).unwrap(), seed) {
            // Several of one time are in one range; and damaged sizes may be larger than any sum.
            let mut censuses = BTreeMap::<u64, Vec<u128>>::new();
            for (time, bands) in by_events(&log).all {
                censuses.entry(time).or_default().push(bands.values().map(|bytes| u128::from(*bytes)).sum());
            }
            let mut model = model_in_steps(&log, 1 << 20);
            let every = censuses.len().div_ceil(MOST).max(1);
            for (time, sums) in censuses.iter().step_by(every) {
                let ([expected], Some(after)) = (&sums[..], time.checked_add(1)) else { continue };
                let Some((range, _)) = whole_range(&mut model, &log, Nanos(*time), Nanos(after)) else { continue };
                let facts = model.facts(Some(&range));
                // Nothing is known for too many censuses, nor for censuses outside the range.
                if value(&facts, "heap_profile", "censuses") != Value::Count(1) || *expected > u64::MAX.into() {
                    continue;
                }
                let told = number(&value(&facts, "heap_profile", "last_bytes"));
                let of_bands = sum(&model, "heap_profile", "bands", Some(&range), "last_bytes");
                assert_eq!((told, of_bands), (*expected, *expected), "at {time} of {}", path.display());
                compared += 1;
            }
        }
    }
    assert!(compared > 300, "{compared}");
}

/// The events of profiles, as a log has them: times, numbers, payloads.
type Events = Vec<(Nanos, u16, Vec<u8>)>;

fn profile_events(log: &[u8]) -> Events {
    let is_of_profile = |tag| matches!(tag, 160..=169 | UserBinaryMsg::TAG | 210..=212);
    let events = decode_in_steps(log, 1 << 20, |_, record| {
        let Record { tag, time, payload, known, .. } = record;
        (known && is_of_profile(tag) && record.decode().flaw.is_none()).then(|| (time, tag, payload.to_vec()))
    });
    events.events.into_iter().flatten().collect()
}

fn is_definition((_, tag, payload): &(Nanos, u16, Vec<u8>)) -> bool {
    let in_message = matches!(payload[..], [0xff, 0xcc | 0xcd, ..] | [0xff, 0xc0, _, 0xff, 0xcc | 0xcd, ..]);
    matches!(*tag, CostCentre::TAG | Ipe::TAG | TickyCounterDef::TAG) || (*tag == UserBinaryMsg::TAG && in_message)
}

/// All facts about profiles. Rows are sorted, since some tables have the order of first appearance.
fn facts_of_profiles(events: &Events) -> Vec<String> {
    let log = log_of(|log| {
        for (time, tag, payload) in events {
            let (time, tag) = (*time, *tag);
            log.record(time, tag, Record { offset: 0, time, tag, cap: None, known: true, payload }.event());
        }
    });
    let model = model_in_steps(&log, 1 << 20);
    let facts = model.facts(None);
    let mut told = Vec::new();
    for key in ["heap_profile", "time_profile", "ticky", "definitions"] {
        let Some(section) = facts.section(key) else { continue };
        told.extend(section.figures.iter().map(|figure| format!("{}: {:?}", figure.key, figure.value)));
        for table in &section.tables {
            let rows = rows(&model, table.key, None).rows;
            told.extend(sorted(rows.iter().map(|row| format!("{} {row:?}", table.key)).collect()));
        }
    }
    told
}

/// For all logs: definitions may come before all other events, or after them.
#[test]
fn definitions_may_be_anywhere() {
    let mut compared = 0;
    for path in paths() {
        let events = profile_events(&fs::read(&path).unwrap());
        let (definitions, others): (Events, Events) = events.iter().cloned().partition(is_definition);
        // What a number of ghc-stack-profiler means may change when logging is started again.
        let mut texts = BTreeMap::<&[u8], BTreeSet<&[u8]>>::new();
        for (_, _, bytes) in definitions.iter().filter(|(_, tag, _)| *tag == UserBinaryMsg::TAG) {
            let (number, text) = bytes.split_at(bytes.len().min(if bytes.get(1) == Some(&0xc0) { 13 } else { 10 }));
            texts.entry(number).or_default().insert(text);
        }
        if definitions.is_empty() || others.is_empty() || texts.values().any(|texts| texts.len() > 1) {
            continue;
        }
        compared += 1;
        let told = facts_of_profiles(&events);
        let front = [&definitions[..], &others].concat();
        let end = [&others[..], &definitions].concat();
        assert_eq!(facts_of_profiles(&front), told, "definitions first in {}", path.display());
        assert_eq!(facts_of_profiles(&end), told, "definitions last in {}", path.display());
    }
    assert!(compared > 8, "{compared}");
}

pub fn cstr(text: &str) -> CStr<'_> {
    CStr(Text(text.as_bytes()))
}

pub fn begin(log: &mut LogWriter, breakdown: u32) {
    let none = CStr::default();
    log.event(
        Nanos(1),
        HeapProfBegin {
            profile: 0,
            period: Nanos(1000),
            breakdown: Breakdown(breakdown),
            module_filter: none,
            closure_filter: none,
            type_filter: none,
            cost_centre_filter: none,
            stack_filter: none,
            retainer_filter: none,
            biography_filter: none,
        },
    );
}

/// The texts of a column, such as names of bands.
fn texts(log: &[u8], section: &str, table: &str, key: &str) -> Vec<String> {
    let model = model_in_steps(log, 1 << 20);
    column(&model, section, table, None, key).iter().map(|value| value.text(Nanos(0))).collect()
}

pub fn log_of(write: impl FnOnce(&mut LogWriter)) -> Vec<u8> {
    let mut log = LogWriter::new();
    log.block(Block::GLOBAL, write).end();
    log.finish()
}

#[test]
fn names_are_found_whatever_the_order_of_definitions() {
    let define = |log: &mut LogWriter| {
        for (id, label) in [(1, "main"), (2, "build")] {
            let (label, module, location) = (cstr(label), cstr("Main"), cstr("Main.hs:1:2-3"));
            log.event(Nanos(5), CostCentre { id: CostCentreId(id), label, module, location, flags: 0 });
        }
        log.event(
            Nanos(5),
            Ipe {
                info_table: InfoTable(0x4010),
                table_name: cstr("sat_s1_info"),
                closure_type: cstr("21"),
                type_name: cstr("[]"),
                label: cstr("xs"),
                module: cstr("Main"),
                location: cstr("Main.hs:7:1-9"),
            },
        );
        let (id, arity, arguments, name) = (9, 1, cstr("i"), cstr("go"));
        log.event(Nanos(5), TickyCounterDef { id, arity, arguments, name, info_table: None, json: None });
    };
    let ids = |ids: &[u32]| ids.iter().map(|id| id.to_be_bytes()).collect::<Vec<_>>();
    let sample = |log: &mut LogWriter, breakdown| {
        begin(log, breakdown);
        log.event(Nanos(5), HeapProfSampleBegin { number: 0 });
        for stack in [&[2, 1][..], &[7], &[]] {
            let (stack, bytes) = (ids(stack), 10 * stack.len() as u64);
            log.event(Nanos(5), HeapProfSampleCostCentre { profile: 0, bytes, stack: CostCentreStack(&stack) });
        }
        for label in ["0x4010", "0x9999", "x"] {
            log.event(Nanos(5), HeapProfSampleString { profile: 0, bytes: 5, label: cstr(label) });
        }
        let stack = ids(&[2, 1]);
        log.event(Nanos(5), ProfSampleCostCentre { cap: 0, tick: 1, stack: CostCentreStack(&stack) });
        log.event(Nanos(5), TickyCounterSample { id: 9, entries: 3, allocs_bytes: 0, allocd_bytes: 0 });
    };
    for before in [true, false] {
        let log = |breakdown| {
            log_of(|log| {
                if before {
                    define(log);
                }
                sample(log, breakdown);
                if !before {
                    define(log);
                }
            })
        };
        let bands = |breakdown| texts(&log(breakdown), "heap_profile", "bands", "name");
        assert_eq!(bands(1), ["build/main", "cc #7", "0x4010", "0x9999", "x", "MAIN"]);
        assert_eq!(bands(8), ["build/main", "cc #7", "xs", "0x9999", "x", "MAIN"]);
        assert_eq!(texts(&log(8), "heap_profile", "bands", "source")[2], "Main.hs:7:1-9");
        assert_eq!(texts(&log(1), "time_profile", "stacks", "stack"), ["main › build"]);
        assert_eq!(texts(&log(1), "ticky", "ticky", "name"), ["go"]);
    }
}

#[test]
fn eras_are_in_the_order_of_their_numbers() {
    let log = log_of(|log| {
        begin(log, 9);
        for time in [5, 7] {
            log.event(Nanos(time), HeapProfSampleBegin { number: 0 });
            for (era, bytes) in [("10", 5), ("9", 500), ("1", 50)] {
                log.event(Nanos(time), HeapProfSampleString { profile: 0, bytes, label: cstr(era) });
            }
        }
    });
    assert_eq!(texts(&log, "heap_profile", "bands", "name"), ["1", "9", "10"]);
}

/// Of many eras, the late ones may be the heaviest: a list that is cut has these, in the order of their numbers.
#[test]
fn a_list_with_little_room_has_the_heaviest_eras() {
    for times in [&[5][..], &[5, 7]] {
        let log = log_of(|log| {
            begin(log, 9);
            for time in times {
                log.event(Nanos(*time), HeapProfSampleBegin { number: 0 });
                for (era, bytes) in [("1", 10), ("2", 10), ("3", 10), ("9", 5000), ("10", 500)] {
                    log.event(Nanos(*time), HeapProfSampleString { profile: 0, bytes, label: cstr(era) });
                }
            }
        });
        let model = model_in_steps(&log, 1 << 20);
        let query = TableQuery { table: "bands".into(), ..TableQuery::default() };
        let first = |most: usize| {
            let page = model.page(&model.order_for(query.clone(), most, None), None, 0, most);
            let names: Vec<Value> = page.rows.iter().map(|row| row[0].clone()).collect();
            (names, page.of)
        };
        let names = |names: &[&'static str]| names.iter().map(|name| Value::words(*name)).collect::<Vec<_>>();
        assert_eq!(first(2), (names(&["9", "10"]), 5));
        assert_eq!(first(3), (names(&["1", "9", "10"]), 5));
        assert_eq!(first(5), (names(&["1", "2", "3", "9", "10"]), 5));
    }
}

/// Of bytes that are no text, all look alike.
#[test]
fn bands_of_equal_names_have_numbers() {
    let log = log_of(|log| {
        begin(log, 7);
        log.event(Nanos(5), HeapProfSampleBegin { number: 0 });
        for (label, bytes) in [(&b"\xfea"[..], 30), (b"\xfda", 20), (b"a", 10), (b"\xfca", 5)] {
            log.event(Nanos(5), HeapProfSampleString { profile: 0, bytes, label: CStr(Text(label)) });
        }
    });
    let names = texts(&log, "heap_profile", "bands", "name");
    assert_eq!(names, ["\u{fffd}a", "\u{fffd}a (2)", "a", "\u{fffd}a (3)"]);
}

/// More censuses than are kept: facts are exact for all of them, and for a range that is short enough to be read again.
#[test]
fn what_is_thinned_out_is_counted() {
    let (censuses, bands) = (400u64, 2000u64);
    let names: Vec<String> = (0..bands).map(|band| format!("band {band}")).collect();
    let bytes = |census: u64, band: u64| (band + 1) * 8 + (census * 7 + band) % 64;
    let mut log = LogWriter::new();
    for census in 0..censuses {
        log.block(Block::GLOBAL, |log| {
            log.event(Nanos(1000 * census), HeapProfSampleBegin { number: 0 });
            for (band, name) in (0..).zip(&names) {
                let bytes = bytes(census, band);
                log.event(Nanos(1000 * census), HeapProfSampleString { profile: 0, bytes, label: cstr(name) });
            }
            log.event(Nanos(1000 * census), HeapProfSampleEnd { number: 0 });
        });
    }
    log.end();
    let log = log.finish();
    let mut model = model_in_steps(&log, 1 << 20);
    assert_eq!(bands_of(&model), by_events(&log).bands());
    let (range, _) = whole_range(&mut model, &log, Nanos(0), Nanos(50_000)).unwrap();
    let facts = model.facts(Some(&range));
    let profile = facts.section("heap_profile").unwrap();
    assert_eq!(profile.count, Some(50));
    assert!(profile.remark_text().is_some_and(|remark| !remark.contains("too many censuses")));
}

/// The stream of a capability does not affect censuses, wherever its blocks are.
#[test]
fn events_between_the_pieces_of_a_census_do_not_end_it() {
    let log = {
        let mut log = LogWriter::new();
        let piece = |log: &mut LogWriter, time| {
            log.event(Nanos(time), HeapProfSampleString { profile: 0, bytes: 4, label: cstr("a") });
        };
        log.block(Block::GLOBAL, |log| {
            log.event(Nanos(3), HeapProfSampleBegin { number: 0 });
            piece(log, 3);
        });
        log.block(Block::of(CapNo(0)), |log| {
            log.event(Nanos(4), ghc_eventlog::RunThread { thread: ghc_eventlog::ThreadId(1) });
        });
        log.block(Block::GLOBAL, |log| piece(log, 5));
        log.end();
        log.finish()
    };
    assert_eq!(bands_of(&model_in_steps(&log, 1 << 20)), [(8, 8, 0)]);
}
