//! Compares `summary --json --range` with what the page shows for the same range: every figure and every row is equal,
//! or null in both, and adjacent ranges add up to the whole. `MUTANTS=200` tries 200 more mutants, `RANGES=10` ten
//! ranges of each log.

#![allow(clippy::unwrap_used, reason = "that is how tests fail")]

use conformance::{
    Mutants, SHAPES,
    accounted::{Account, Accounted},
    files, project, replay, shared_logs, whole_range,
};
use fastrand::Rng;
use ghc_eventlog::{LogWriter, Nanos};
use ghc_eventlog_model::{Facts, Model, Range, Section, TableQuery, Value, View};
use serde_json::{Number, Value as Json, json};
use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

/// The default numbers of mutants, and of ranges of each log.
const MUTANTS: usize = 10;
const RANGES: usize = 1;

/// Larger logs take too long for this.
const LARGE: u64 = 400_000;

/// Where the JSON has the rows of a table, and the column that sorts them: section, table, pointer, column.
const LISTS: &[(&str, &str, &str, &str)] = &[
    ("caps", "caps", "/caps", ""),
    ("gc", "generations", "/gc/generations", ""),
    ("threads", "threads", "/threads/top", "running_ns"),
    ("spans", "spans", "/spans", ""),
    ("messages", "markers", "/messages/markers", ""),
    ("messages", "instruments", "/instruments", ""),
    ("heap_profile", "bands", "/heap_profile/bands", ""),
    ("heap_profile", "heap_cost_centres", "/heap_profile/cost_centres", ""),
    ("time_profile", "cost_centres", "/time_profile/cost_centres", ""),
    ("time_profile", "modules", "/time_profile/modules", ""),
    ("time_profile", "stacks", "/time_profile/stacks", ""),
    ("time_profile", "sampled_threads", "/time_profile/sampled_threads", ""),
    ("ticky", "ticky", "/ticky", ""),
];

/// Sections that only have rows in the JSON.
const ROWS_ONLY: [&str; 3] = ["caps", "spans", "ticky"];

/// Figures and columns that are not sums over time: properties, the largest, the last, times.
const NO_SUMS: &[&str] = &[
    "nameless",
    "count",
    "created",
    "pause_ns",
    "max_",
    "mean_",
    "last_",
    "remaining",
    "tick_ns",
    "stacks_met",
    "bands_held",
    "labels",
    "counters",
    "arity",
    "free_variables",
    "from_ns",
    "to_ns",
    "a_ns",
    "b_ns",
    "latency_ns",
];

/// Sums that match `NO_SUMS` nevertheless.
const SUMS: &[&str] = &["gc/count", "sparks/count", "sparks/created", "ticky/allocd"];

fn asked(name: &str, default: usize) -> usize {
    env::var(name).ok().and_then(|count| count.parse().ok()).unwrap_or(default)
}

fn accounted(caps: u16, seed: u64) -> Vec<u8> {
    let mut log = LogWriter::new();
    let events = 2000 + 20 * u64::from(caps);
    let program = Accounted { caps, events, block: 3000, start: 1000 * seed, seed };
    let _: Account = program.write(&mut |_, block| _ = log.bytes(&block));
    log.end();
    log.finish()
}

/// The corpus, real logs, mutants of both, and logs that are made.
fn logs() -> Vec<(String, Vec<u8>)> {
    let mut paths = files(&project().join("tests/corpus"), "log.eventlog");
    assert!(paths.len() > 100, "the corpus is there");
    paths.extend(shared_logs());
    paths.retain(|path| fs::metadata(path).is_ok_and(|data| data.len() < LARGE));
    let mut logs: Vec<(String, Vec<u8>)> =
        paths.iter().map(|path| (path.display().to_string(), fs::read(path).unwrap())).collect();
    let mut random = Rng::with_seed(3);
    let sound: Vec<(String, Vec<u8>)> = logs.iter().filter(|(_, log)| log.len() > 3000).cloned().collect();
    for seed in 0..asked("MUTANTS", MUTANTS) as u64 {
        let (name, log) = random.choice(&sound).unwrap();
        logs.push((format!("{name}, mutant {seed}"), Mutants::new(log, seed).next().unwrap()));
    }
    for caps in [1, 2, 8, 48, 256] {
        logs.push((format!("{caps} capabilities"), accounted(caps, caps.into())));
    }
    for shape in SHAPES {
        let mut log = Vec::new();
        (shape.write)(20, &mut log).unwrap();
        logs.push((shape.name.to_string(), log));
    }
    logs.retain(|(_, log)| log.len() < 2 << 20);
    logs
}

/// The log as the page has it: read in pieces, drawn, and replayed.
fn page_of(log: &[u8], random: &mut Rng) -> Model {
    let mut model = Model::of_size(Some(log.len() as u64));
    log.chunks(random.usize(1000..1 << 20)).for_each(|bytes| model.feed(bytes));
    model.finish();
    if let Some((from, to)) = model.extent() {
        let view = View { from, to: Nanos((from.0 / 2 + to.0 / 2).max(from.0.saturating_add(1))), width: 300 };
        conformance::exact_plan(&mut model, log, view);
    }
    replay(&mut model, log);
    model
}

fn summary(file: &Path, range: Option<&str>) -> Output {
    let range = range.into_iter().flat_map(|range| ["--range", range]);
    Command::new(env!("CARGO_BIN_EXE_ghc-eventlog")).args(["summary", "--json"]).args(range).arg(file).output().unwrap()
}

fn json(file: &Path, range: Option<&str>) -> Json {
    let output = summary(file, range);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{range:?}: {error}: {output:?}"))
}

/// A value as the page gets it, without its unit.
fn plain(value: &Value, first: Nanos) -> Json {
    match value {
        Value::Unknown => Json::Null,
        Value::Text(text) => text.for_json().into(),
        Value::Time(time) => time.since(first).0.into(),
        Value::Duration(Nanos(number))
        | Value::Bytes(number)
        | Value::Count(number)
        | Value::Offset(number)
        | Value::BytesPerSecond(number)
        | Value::PerSecond(number) => (*number).into(),
        Value::Share(share) => (*share).into(),
        Value::Thread(thread) => thread.0.into(),
        Value::Capability(cap) => cap.0.into(),
        Value::ByteTime(area) => Number::from_u128(*area).unwrap().into(),
        Value::Growth(number) | Value::Change(number) | Value::Integer(number) => (*number).into(),
        Value::Stack(names) => json!(names.iter().map(|name| name.for_json()).collect::<Vec<_>>()),
        Value::Levels(levels) => json!(levels),
        Value::Between(least, most) => json!([least, most]),
    }
}

/// The value at a key with dots.
fn at<'j>(json: &'j Json, key: &str) -> &'j Json {
    key.split('.').fold(json, |json, part| json.get(part).unwrap_or(&Json::Null))
}

/// The rows that the page shows of a table, for a range or for the whole log.
fn rows(model: &Model, range: Option<&Range>, table: &str, sort: &str) -> Vec<Vec<Value>> {
    let query = TableQuery { table: table.into(), sort: sort.into(), down: !sort.is_empty(), ..TableQuery::default() };
    model.page(&model.order(query, range), range, 0, 10_000).rows
}

struct Compared {
    name: String,
    known: usize,
    rows: usize,
    wrong: Vec<String>,
}

impl Compared {
    fn equal(&mut self, what: &str, page: &Json, line: &Json) {
        self.known += usize::from(!page.is_null());
        // Where there are no instruments, the page has no table, and the JSON an empty list.
        let is_none = what == "/instruments" && page.is_null() && *line == json!([]);
        if page != line && !is_none {
            self.wrong.push(format!("{}, {what}: the page has {page}, the JSON {line}", self.name));
        }
    }

    fn figures(&mut self, section: &Section, first: Nanos, line: &Json) {
        for figure in section.figures.iter().filter(|_| !ROWS_ONLY.contains(&section.key)) {
            let key = format!("{}.{}", section.key, figure.key);
            self.equal(&key, &plain(&figure.value, first), at(line, &key));
        }
    }

    fn tables(&mut self, model: &Model, range: Option<&Range>, section: &Section, first: Nanos, line: &Json) {
        for (_, table, pointer, sort) in LISTS.iter().filter(|(of, ..)| *of == section.key) {
            let Some(info) = section.tables.iter().find(|info| info.key == *table) else {
                self.equal(pointer, &Json::Null, line.pointer(pointer).unwrap_or(&Json::Null));
                continue;
            };
            let of_page = rows(model, range, table, sort);
            let Some(items) = line.pointer(pointer).and_then(Json::as_array) else {
                // An unknown section is null and has no rows.
                assert!(of_page.is_empty() || section.flag.is_some(), "{}, {pointer}", self.name);
                continue;
            };
            let items: Vec<&Json> = items.iter().filter(|item| item.get("truncated").is_none()).collect();
            self.equal(&format!("{pointer}, rows"), &of_page.len().into(), &items.len().into());
            for (row, item) in of_page.iter().zip(items) {
                self.rows += 1;
                for (column, value) in info.columns.iter().zip(row).filter(|(column, _)| column.unit.has_words()) {
                    if column.key == "generation" {
                        continue;
                    }
                    let key = format!("{pointer} {}", column.key);
                    // A column has numbers.
                    let value = if matches!(value, Value::Between(..)) { &Value::Unknown } else { value };
                    self.equal(&key, &plain(value, first), at(item, column.key));
                }
            }
        }
    }

    fn all(&mut self, model: &Model, range: Option<&Range>, line: &Json) {
        let first = model.extent().unwrap().0;
        let facts = model.facts(range);
        let ignored = ["log", "process", "definitions", "events"];
        for section in facts.sections.iter().filter(|section| !ignored.contains(&section.key)) {
            self.figures(section, first, line);
            self.tables(model, range, section, first, line);
        }
        let remarks = facts.sections.iter().flat_map(|of| of.remarks.iter().map(|text| (of.key, *text)));
        let remarks: Vec<Json> = remarks.map(|(section, text)| json!({ "section": section, "text": text })).collect();
        self.equal("/remarks", &remarks.into(), &line["remarks"]);
        // What the page does not show for a range, the command line does not print either.
        for (key, value) in line.as_object().unwrap() {
            let apart =
                ["schema", "log", "range", "rts", "process", "missing", "remarks", "diagnostics", "instruments"];
            // These are no sections: the page has them of the whole log, and no other.
            if range.is_none() && ["findings", "low_use"].contains(&key.as_str()) {
                continue;
            }
            if facts.section(key).is_none() && !apart.contains(&key.as_str()) {
                self.equal(key, &Json::Null, value);
            }
        }
    }
}

/// Ends of ranges, counted from the first moment of a log of that length.
fn some_range(round: usize, length: u64, random: &mut Rng) -> (u64, u64) {
    // No range can end after the last time of the clock.
    let length = length.min(u64::MAX - 1);
    let begin = random.u64(0..=length);
    match round % 7 {
        0 | 5 | 6 => (begin, begin.saturating_add(random.u64(1..=length.max(1)))),
        // One nanosecond.
        1 => (begin, begin + 1),
        // Far beyond the end.
        2 => (begin, length.saturating_mul(3).max(begin + 1)),
        // The last moment, and the first one.
        3 => (length, length + 1),
        _ => (0, 1),
    }
}

fn compare(name: &str, file: &Path, log: &[u8], random: &mut Rng) -> Option<Compared> {
    let mut model = page_of(log, random);
    let mut compared = Compared { name: name.to_string(), known: 0, rows: 0, wrong: Vec::new() };
    let Some((first, last)) = model.extent() else {
        let output = summary(file, Some("0..1"));
        assert!(output.stdout.is_empty() && output.status.code() == Some(2), "{name}: {output:?}");
        return None;
    };
    compared.all(&model, None, &json(file, None));
    let length = last.since(first).0;
    for _ in 0..asked("RANGES", RANGES) {
        let (from, to) = some_range(random.usize(..7), length, random);
        compared.name = format!("{name}, {from}..{to}");
        // The page clips what is selected to the log: `selectable` of viewport.js.
        let on_page = [from, to].map(|at| first.plus(Nanos(at)).min(last.plus(Nanos(1))));
        let (range, _) = whole_range(&mut model, log, on_page[0], on_page[1]).unwrap();
        compared.all(&model, Some(&range), &json(file, Some(&format!("{from}..{to}"))));
    }
    for (from, to) in [(length / 2, length / 2), (length / 2 + 1, length / 2)] {
        let (range, _) = whole_range(&mut model, log, first.plus(Nanos(from)), first.plus(Nanos(to))).unwrap();
        nothing_is_in(&model, &range, &format!("{name}, {from}..{to}"));
        let output = summary(file, Some(&format!("{from}..{to}")));
        assert!(output.stdout.is_empty() && output.status.code() == Some(2), "{name}: {output:?}");
    }
    Some(compared)
}

/// In a range that is empty or ends before it begins, sums are 0 or unknown.
fn nothing_is_in(model: &Model, range: &Range, name: &str) {
    for (key, sum) in sums(model, Some(range)) {
        assert!(sum.is_none_or(|sum| sum == 0), "{name}, {key}: {sum:?}");
    }
}

fn is_sum(key: &str) -> bool {
    SUMS.contains(&key) || !key.split(['/', '.']).any(|part| NO_SUMS.iter().any(|no| part.starts_with(no)))
}

/// Figures and table cells that are sums over time; `None` if they are not known.
fn sums(model: &Model, range: Option<&Range>) -> BTreeMap<String, Option<u128>> {
    let facts: Facts = model.facts(range);
    let mut sums = BTreeMap::new();
    for section in &facts.sections {
        if ["log", "process", "definitions", "events", "tasks", "messages", "range"].contains(&section.key) {
            continue;
        }
        for figure in &section.figures {
            // Spans across an edge count on both sides.
            let key = format!("{}/{}", section.key, figure.key);
            // Of a range, it is not known why capabilities were idle.
            let is_reason = key.starts_with("account/idle_ns.");
            if section.key != "spans" && section.key != "heap_profile" && !is_reason {
                put(&mut sums, key, &figure.value);
            }
        }
        for (_, table, pointer, _) in LISTS.iter().filter(|(of, table, ..)| of == &section.key && has_sums(table)) {
            let Some(info) = section.tables.iter().find(|info| info.key == *table) else { continue };
            for row in rows(model, range, table, "") {
                for (column, value) in info.columns.iter().zip(&row).skip(1) {
                    put(&mut sums, format!("{pointer} {:?}/{}", row[0], column.key), value);
                }
            }
        }
    }
    sums
}

/// Tables with a row for each thing, whose first cell is its name.
fn has_sums(table: &str) -> bool {
    ["caps", "threads", "bands", "modules", "stacks", "ticky"].contains(&table)
}

fn put(sums: &mut BTreeMap<String, Option<u128>>, key: String, value: &Value) {
    if !is_sum(&key) {
        return;
    }
    let number = match value {
        Value::Duration(Nanos(number)) | Value::Bytes(number) | Value::Count(number) => Some(u128::from(*number)),
        Value::ByteTime(area) => Some(*area),
        Value::Unknown => None,
        _ => return,
    };
    // Several stacks may have the same names.
    let sum = sums.entry(key).or_insert(Some(0));
    *sum = sum.zip(number).map(|(sum, number)| sum + number);
}

#[test]
fn the_page_and_the_command_line_agree_on_a_range() {
    let mut random = Rng::with_seed(asked("SEED", 1) as u64);
    let file = tempfile::NamedTempFile::new().unwrap();
    let (mut tried, mut known, mut rows, mut wrong) = (0, 0, 0, Vec::new());
    for (name, log) in logs() {
        fs::write(file.path(), &log).unwrap();
        let Some(compared) = compare(&name, file.path(), &log, &mut random) else { continue };
        (tried, known, rows) = (tried + 1, known + compared.known, rows + compared.rows);
        wrong.extend(compared.wrong);
    }
    println!("{tried} logs, {known} known values, {rows} rows; {} differ", wrong.len());
    assert!(wrong.is_empty(), "{:#?}", &wrong[..wrong.len().min(40)]);
    assert!(tried > 100 && known > 10_000 && rows > 1000, "{tried} {known} {rows}");
}

#[test]
fn adjacent_ranges_add_up() {
    let mut random = Rng::with_seed(asked("SEED", 1) as u64);
    let (mut tried, mut compared, mut wrong) = (0, 0, Vec::new());
    for (name, log) in logs() {
        let mut model = page_of(&log, &mut random);
        let Some((first, last)) = model.extent() else { continue };
        let mut cuts: Vec<Nanos> = (0..=asked("RANGES", RANGES)).map(|_| Nanos(random.u64(first.0..=last.0))).collect();
        // Beyond both ends: a census may be later than the log.
        cuts.extend([Nanos(0), Nanos::MAX]);
        cuts.sort_unstable();
        let mut parts = Vec::new();
        for cut in cuts.windows(2) {
            let (range, _) = whole_range(&mut model, &log, cut[0], cut[1]).unwrap();
            parts.push(sums(&model, Some(&range)));
        }
        tried += 1;
        for (key, whole) in sums(&model, None) {
            let sum: Option<u128> = parts.iter().map(|part| part.get(&key).map_or(Some(0), |sum| *sum)).sum();
            let (Some(whole), Some(sum)) = (whole, sum) else { continue };
            compared += usize::from(whole > 0);
            // If a range ends between two censuses, what bands held then is rounded to a byte, for all the time between
            // them.
            let is_integral = key.ends_with("integral_byte_ns");
            let rounded = if is_integral { whole / 1000 + 8 } else { 0 };
            // Sums saturate, which nonsensical numbers reach.
            if sum.abs_diff(whole) > rounded && whole < u64::MAX.into() {
                wrong.push(format!("{name}, {key}: parts have {sum}, the whole {whole}; cut at {cuts:?}"));
            }
        }
    }
    println!("{tried} logs, {compared} sums; {} differ", wrong.len());
    assert!(wrong.is_empty(), "{:#?}", &wrong[..wrong.len().min(40)]);
    assert!(tried > 100 && compared > 5000, "{tried} {compared}");
}

/// So that a new table is not forgotten here.
#[test]
fn every_list_is_compared() {
    let path: PathBuf = project().join("tests/corpus/heap-cost-centre/log.eventlog");
    let line = json(&path, Some("0..1s"));
    for (section, value) in line.as_object().unwrap().iter().filter(|(key, _)| *key != "process") {
        for (key, _) in value.as_object().into_iter().flatten().filter(|(_, value)| value.is_array()) {
            let pointer = format!("/{section}/{key}");
            assert!(LISTS.iter().any(|(_, _, of, _)| *of == pointer), "{pointer}");
        }
    }
}
