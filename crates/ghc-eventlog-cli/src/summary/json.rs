//! Facts as JSON: a stable interface. No key changes its meaning or is removed. What is not in the log, or is not known
//! for a range, is null.
//!
//! The keys in [`PARTS`] are always there. Everything else that the model has for a section comes after them.

use super::Summary;
use ghc_eventlog::Nanos;
use ghc_eventlog_model::{
    DiagnosticKind, Evidence, Facts, Finding, LogText, Process, Section, Stake, TableInfo, TableOrder, TableQuery,
    TypedFacts, Value, doors::safe_json,
};
use ghc_eventlog_report::each_page;
use serde::{Serialize, Serializer, ser::SerializeSeq};
use serde_json::{Map, Number, Value as Json, json};
use std::io::{self, Write};

/// The version of the interface. It rises when the meaning of a key changes.
const SCHEMA: u32 = 1;

/// The value of a top-level key.
enum Part {
    /// The figures of the section with that name, by their keys, and the lists among them.
    Section(&'static [&'static str], &'static [(&'static str, List)]),
    /// The rows of a table of that section.
    Rows(List),
    /// The rows of a table of another section: empty if that section has none.
    RowsOf(&'static str, List),
}

/// A list of rows.
struct List {
    /// The table that they come from; null if the model does not have it.
    table: &'static str,
    /// The column by which the rows are sorted, the largest first; empty for the table's own order.
    most: &'static str,
    columns: &'static [&'static str],
}

/// The rows of a table, in its own order.
const fn rows(table: &'static str, columns: &'static [&'static str]) -> List {
    List { table, most: "", columns }
}

/// All keys, in order.
const PARTS: &[(&str, Part)] = &[
    (
        "caps",
        Part::Rows(rows(
            "caps",
            &[
                "cap",
                "running_ns",
                "gc_working_ns",
                "gc_wait_ns",
                "gc_sync_ns",
                "census_ns",
                "disabled_ns",
                "idle_ns",
                "log_writing_ns",
                "created_ns",
                "deleted_ns",
                "allocated_bytes",
                "sparks.created",
                "sparks.dud",
                "sparks.overflowed",
                "sparks.converted",
                "sparks.gcd",
                "sparks.fizzled",
                "sparks.remaining",
            ],
        )),
    ),
    (
        "low_use",
        Part::RowsOf(
            "caps",
            rows("low_use", &["from_ns", "duration_ns", "running", "unused_ns", "reason", "reason_share"]),
        ),
    ),
    (
        "gc",
        Part::Section(
            &[
                "count",
                "elapsed_ns",
                "pause_ns.p50",
                "pause_ns.p95",
                "pause_ns.p99",
                "pause_ns.max",
                "sync_ns",
                "balance",
                "requests.seq",
                "requests.par",
            ],
            &[
                (
                    "generations",
                    rows("generations", &["generation", "count", "parallel", "elapsed_ns", "max_ns", "copied_bytes"]),
                ),
                (
                    "last_to_stop",
                    rows(
                        "last_to_stop",
                        &["cap", "thread", "label", "why", "count", "total_ns", "max_ns", "max_at_ns"],
                    ),
                ),
            ],
        ),
    ),
    ("nonmoving", Part::Section(&["marks", "mark_ns", "syncs", "sync_ns", "sweeps", "sweep_ns", "flushes"], &[])),
    (
        "heap",
        Part::Section(
            &[
                "max_live_bytes",
                "last_live_bytes",
                "max_size_bytes",
                "max_blocks_bytes",
                "returned_mblocks",
                "allocated_bytes",
                "allocated_bytes_per_s",
            ],
            &[],
        ),
    ),
    (
        "threads",
        Part::Section(
            &["count", "states_ns.running", "states_ns.runnable", "states_ns.foreign", "states_ns.blocked.{}"],
            &[(
                "top",
                List {
                    table: "threads",
                    most: "running_ns",
                    columns: &[
                        "thread",
                        "label",
                        "running_ns",
                        "runnable_ns",
                        "blocked_ns",
                        "foreign_ns",
                        "created_ns",
                        "finished_ns",
                        "runs",
                        "migrations",
                    ],
                },
            )],
        ),
    ),
    (
        "sparks",
        Part::Section(
            &[
                "created",
                "dud",
                "overflowed",
                "converted",
                "gcd",
                "fizzled",
                "remaining",
                "run_ns.count",
                "run_ns.p50",
                "run_ns.p95",
                "run_ns.max",
            ],
            &[],
        ),
    ),
    (
        "spans",
        Part::Rows(rows(
            "spans",
            &["label", "count", "total_ns", "self_ns", "mean_ns", "max_ns", "p95_ns", "without_gc_ns", "unfinished"],
        )),
    ),
    ("instruments", Part::RowsOf("messages", rows("instruments", &["name", "kind", "values", "last", "max"]))),
    ("messages", Part::Section(&["user", "log", "binary"], &[("markers", rows("markers", &["text", "count"]))])),
    (
        "heap_profile",
        Part::Section(
            &["breakdown", "censuses"],
            &[
                ("bands", rows("bands", &["name", "max_bytes", "last_bytes", "mean_bytes", "integral_byte_ns"])),
                ("cost_centres", rows("heap_cost_centres", &["name", "module", "source", "self_bytes", "total_bytes"])),
            ],
        ),
    ),
    (
        "time_profile",
        Part::Section(
            &["samples", "tick_ns"],
            &[
                ("cost_centres", rows("cost_centres", &["name", "module", "source", "self_samples", "total_samples"])),
                ("modules", rows("modules", &["module", "self_samples", "total_samples"])),
                ("stacks", rows("stacks", &["stack", "samples"])),
                ("sampled_threads", rows("sampled_threads", &["thread", "label", "samples"])),
            ],
        ),
    ),
    ("ticky", Part::Rows(rows("ticky", &["id", "name", "arity", "entries", "allocs", "allocd"]))),
    ("tasks", Part::Section(&["created", "deleted"], &[])),
    ("events", Part::Rows(rows("events", &["number", "name", "count"]))),
];

/// What is told of each instance of a label.
const REQUESTS: Part = Part::Section(
    &["label", "count", "unfinished", "total_ns"],
    &[
        ("against_median", rows("slowest_request", &["what", "median_ns", "slowest_ns", "more_ns"])),
        (
            "instances",
            rows(
                "requests",
                &[
                    "from_ns",
                    "duration_ns",
                    "number",
                    "thread",
                    CAPS,
                    "running_ns",
                    "collecting_ns",
                    "blocked_ns",
                    "runnable_ns",
                    "foreign_ns",
                    "allocated_bytes",
                    "capability_changes",
                    "self_ns",
                    NESTED,
                ],
            ),
        ),
    ],
);

/// The column of spans within others, which is an object here: their times in nanoseconds by label.
const NESTED: &str = "nested";

/// The column of an instance's capabilities, which is a list of numbers here.
const CAPS: &str = "caps";

/// Writes the summary, with at most `top` items of each list.
pub(super) fn write(summary: &Summary, top: usize, out: &mut impl Write) -> io::Result<()> {
    let whole = summary.model.facts(None);
    let facts = summary.facts();
    let mut lists = Lists::default();
    let mut all = Map::new();
    all.insert("schema".into(), SCHEMA.into());
    all.insert("log".into(), log(summary, &whole));
    all.insert("range".into(), facts.section("range").map_or(Json::Null, |range| figures(range, &[], summary).into()));
    all.insert("rts".into(), rts(&summary.model.typed_facts(summary.range.as_ref())));
    all.insert("process".into(), process(summary, &whole));
    for (key, part) in PARTS {
        let section = facts.section(if let Part::RowsOf(section, _) = part { section } else { key });
        all.insert((*key).into(), section.map_or(Json::Null, |section| said(section, part, summary, top, &mut lists)));
    }
    // Only if it is asked for.
    if let Some(section) = facts.section("requests") {
        all.insert("requests".into(), said(section, &REQUESTS, summary, top, &mut lists));
    }
    all.insert("account".into(), account(summary));
    all.insert("findings".into(), findings(summary));
    all.insert("missing".into(), missing(&whole));
    all.insert("diagnostics".into(), diagnostics(summary, top));
    let (all, lists) = (Json::from(all), lists.0);
    serde_json::to_writer_pretty(Safe(&mut *out), &Filled { json: &all, lists: &lists, summary })?;
    writeln!(out)
}

/// The lists of a summary. The document has a mark in place of each, since all rows in memory at once may be a gigabyte.
#[derive(Default)]
struct Lists(Vec<LongList>);

struct LongList {
    table: TableInfo,
    columns: &'static [&'static str],
    order: TableOrder,
    top: usize,
    /// How many rows are left out, as the list's last item.
    truncated: Option<u64>,
}

/// The begin of a mark. No text of a log has this character in JSON: its door makes it visible.
const MARK: char = '\0';

impl Lists {
    /// A mark for a list.
    fn add(&mut self, list: LongList) -> Json {
        self.0.push(list);
        format!("{MARK}{}", self.0.len() - 1).into()
    }
}

/// A document with lists in place of marks.
struct Filled<'a> {
    json: &'a Json,
    lists: &'a [LongList],
    summary: &'a Summary,
}

impl Serialize for Filled<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let inner = |json| Filled { json, ..*self };
        match self.json {
            Json::Object(object) => to.collect_map(object.iter().map(|(key, json)| (key, inner(json)))),
            Json::String(text) => {
                let place = text.strip_prefix(MARK).and_then(|place| place.parse::<usize>().ok());
                match place.and_then(|place| self.lists.get(place)) {
                    Some(list) => list.serialize(self.summary, to),
                    None => text.serialize(to),
                }
            }
            json => json.serialize(to),
        }
    }
}

impl LongList {
    fn serialize<S: Serializer>(&self, summary: &Summary, to: S) -> Result<S::Ok, S::Error> {
        let mut seq = to.serialize_seq(None)?;
        each_page(&summary.model, summary.range.as_ref(), &self.order, self.top, |page| {
            let rows = page.rows.iter().zip(page.from..);
            rows.into_iter().try_for_each(|(row, place)| seq.serialize_element(&self.item(row, place, summary)))
        })?;
        if let Some(left) = self.truncated {
            seq.serialize_element(&json!({ "truncated": left }))?;
        }
        seq.end()
    }

    fn item(&self, row: &[Value], place: usize, summary: &Summary) -> Json {
        let mut item = empty(self.columns);
        for (column, value) in self.table.columns.iter().zip(row).filter(|(column, _)| column.unit.has_words()) {
            let value = match value {
                // For people, the last one reads "5 and older".
                Value::Text(text) if column.key == "generation" => generation(&text.for_json()),
                _ if column.key == NESTED => nested(summary.model.nested_in_request(place)),
                Value::Text(caps) if column.key == CAPS => numbers(&caps.for_json()),
                // A column has numbers.
                Value::Between(..) => Json::Null,
                value => plain(value, summary.origin()),
            };
            put(&mut item, column.key, value);
        }
        item.into()
    }
}

/// Writes JSON [safely](safe_json). Each piece that the serializer writes is whole text.
struct Safe<W>(W);

impl<W: Write> Write for Safe<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = str::from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
        self.0.write_all(safe_json(text).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Where the capabilities' time went. Reasons to be idle for no time are left out.
fn account(summary: &Summary) -> Json {
    let Some(account) = summary.model.account(summary.range.as_ref()) else { return Json::Null };
    let mut object = empty(&["capability_ns"]);
    put(&mut object, "capability_ns", account.all.0.into());
    let mut idle = Map::new();
    for part in &account.parts {
        // A reason may have dots.
        match part.key.strip_prefix("idle_ns.") {
            Some(reason) if part.time.0 > 0 => _ = idle.insert(reason.to_string(), part.time.0.into()),
            Some(_) => {}
            None => put(&mut object, part.key, part.time.0.into()),
        }
    }
    object.insert("idle_ns".into(), idle.into());
    object.into()
}

/// What is worth knowing of the program: null for a range.
fn findings(summary: &Summary) -> Json {
    if summary.range.is_some() {
        return Json::Null;
    }
    let origin = summary.origin();
    let evidence = |evidence: &Evidence| {
        json!({
            "from_ns": evidence.from.since(origin).0,
            "to_ns": evidence.to.since(origin).0,
            "cap": evidence.cap.map(|cap| cap.0),
            "thread": evidence.thread.map(|thread| thread.0),
            "label": evidence.label.for_json(),
        })
    };
    let finding = |finding: &Finding| {
        json!({
            "id": finding.id,
            "level": finding.level.name(),
            "title": finding.title,
            "text": finding.text.for_json(origin),
            "evidence": finding.evidence.iter().map(evidence).collect::<Vec<_>>(),
            "at_stake_ns": if let Stake::Time(time) = finding.stake { Some(time.0) } else { None },
            "at_stake_bytes": if let Stake::Bytes(bytes) = finding.stake { Some(bytes) } else { None },
            "try": Some(&finding.remedy).filter(|remedy| !remedy.is_empty()),
            "needs": finding.needs,
        })
    };
    summary.model.findings().list.iter().map(finding).collect::<Vec<_>>().into()
}

fn log(summary: &Summary, whole: &Facts) -> Json {
    let mut log = Map::new();
    log.insert("file".into(), summary.file.to_string_lossy().into_owned().into());
    let figures = whole.section("log").map(|section| figures(section, &["bytes"], summary)).unwrap_or_default();
    for (key, value) in figures {
        let value = match (key.as_str(), value.as_str()) {
            ("complete", Some(word)) => Json::from(word == "yes"),
            _ => value,
        };
        let is_size = key == "bytes";
        log.insert(key, value);
        if is_size {
            log.insert("compression".into(), summary.compression.into());
            log.insert("streams".into(), summary.streams.into());
        }
    }
    log.into()
}

fn process(summary: &Summary, whole: &Facts) -> Json {
    let Some(section) = whole.section("process") else { return Json::Null };
    let mut process = figures(section, &["program", "args", "rts", "pid", "ppid", "started"], summary);
    let args = &summary.model.process().args;
    let args = args.split_first().map(|(_, args)| args);
    process.insert("args".into(), args.map_or(Json::Null, texts));
    let Process { pid, ppid, .. } = summary.model.process();
    process.insert("pid".into(), json!(pid));
    process.insert("ppid".into(), json!(ppid));
    if summary.env {
        process.insert("env".into(), texts(summary.model.process().environment()));
    }
    process.into()
}

/// The figures that the runtime prints with `+RTS -t --machine-readable`, by its names, as far as the log has them.
fn rts(facts: &TypedFacts) -> Json {
    let TypedFacts { gc, heap, caps, sparks, tasks, .. } = facts;
    json!({
        "num_GCs": gc.count,
        "major_gcs": gc.major,
        "GC_wall_seconds": gc.elapsed.map(|time| time.0 as f64 / Nanos::SECOND.0 as f64),
        "copied_bytes": gc.copied,
        "par_copied_bytes": gc.par_copied,
        "cumulative_par_max_copied_bytes": gc.par_max_copied,
        "cumulative_par_balanced_copied_bytes": gc.par_balanced_copied,
        "allocated_bytes": heap.allocated,
        "max_live_bytes": heap.max_live.map(|most| most.value),
        "max_mem_in_use_bytes": heap.max_size.map(|most| most.value),
        "n_capabilities": caps.created,
        "sparks_count": sparks.count,
        "sparks_converted": sparks.converted,
        "sparks_overflowed": sparks.overflowed,
        "sparks_dud": sparks.dud,
        "sparks_gcd": sparks.gcd,
        "sparks_fizzled": sparks.fizzled,
        "task_count": tasks.created,
    })
}

/// A section; null if the log has nothing of it.
fn said(section: &Section, part: &Part, summary: &Summary, top: usize, lists: &mut Lists) -> Json {
    match part {
        // Of a range, nothing is known of it.
        Part::RowsOf(_, list)
            if table(section, list).is_none() && section.flag.is_none() && summary.range.is_none() =>
        {
            json!([])
        }
        Part::Rows(list) | Part::RowsOf(_, list) => {
            let Some(table) = table(section, list) else { return Json::Null };
            let (mut items, left) = items(table, list, summary, top);
            items.truncated = Some(left).filter(|left| *left > 0);
            lists.add(items)
        }
        Part::Section(keys, of_section) => {
            let is_known = section.figures.iter().any(|figure| figure.value != Value::Unknown);
            if (section.flag.is_some() || section.none.is_some()) && !is_known {
                return Json::Null;
            }
            let mut object = figures(section, keys, summary);
            let several = of_section.iter().filter(|(_, list)| self::table(section, list).is_some()).count() > 1;
            for (key, list) in *of_section {
                let Some(table) = table(section, list) else {
                    put(&mut object, key, Json::Null);
                    continue;
                };
                let (items, left) = items(table, list, summary, top);
                put(&mut object, key, lists.add(items));
                if left > 0 {
                    // With several lists, each has its own number of left out items.
                    let of = if several { format!("truncated.{key}") } else { "truncated".to_string() };
                    put(&mut object, &of, left.into());
                }
            }
            object.into()
        }
    }
}

/// The table that a list comes from; `None` if the section does not have it or is empty.
fn table<'s>(section: &'s Section, list: &List) -> Option<&'s TableInfo> {
    section.tables.iter().find(|table| table.key == list.table)
}

/// The items of a list, and how many are left out.
fn items(table: &TableInfo, list: &List, summary: &Summary, top: usize) -> (LongList, u64) {
    let query = TableQuery {
        table: table.key.to_string(),
        sort: list.most.to_string(),
        down: !list.most.is_empty(),
        ..TableQuery::default()
    };
    let order = summary.model.order(query, summary.range.as_ref());
    let of = summary.model.page(&order, summary.range.as_ref(), 0, 0).of;
    // Not all rows are kept of some tables, so how many there are is found by looking.
    let is_there = |place: usize| !summary.model.page(&order, summary.range.as_ref(), place, 1).rows.is_empty();
    let (mut there, mut gone) = (0, top.min(usize::try_from(of).unwrap_or(usize::MAX)));
    while there < gone {
        let middle = there + (gone - there) / 2;
        if is_there(gone - 1) {
            there = gone;
        } else if is_there(middle) {
            there = middle + 1;
        } else {
            gone = middle;
        }
    }
    let left = of.saturating_sub(there as u64);
    (LongList { table: table.clone(), columns: list.columns, order, top, truncated: None }, left)
}

/// The numbers in a text, which are between commas.
fn numbers(text: &str) -> Json {
    text.split(", ").filter_map(|number| number.parse::<u64>().ok()).collect::<Vec<_>>().into()
}

/// Times by label.
fn nested(times: Option<Vec<(LogText<'static>, Nanos)>>) -> Json {
    let object = |times: Vec<(LogText<'static>, Nanos)>| -> Map<String, Json> {
        times.into_iter().map(|(label, time)| (label.for_json(), time.0.into())).collect()
    };
    times.map_or(Json::Null, |times| object(times).into())
}

/// A generation's number, as a number.
fn generation(text: &str) -> Json {
    text.parse::<u64>().map_or_else(|_| text.into(), Json::from)
}

/// A section's figures. Those with `keys` come first and are always there.
fn figures(section: &Section, keys: &[&str], summary: &Summary) -> Map<String, Json> {
    let mut object = empty(keys);
    for figure in &section.figures {
        put(&mut object, figure.key, plain(&figure.value, summary.origin()));
    }
    object
}

fn empty(keys: &[&str]) -> Map<String, Json> {
    let mut object = Map::new();
    keys.iter().for_each(|key| put(&mut object, key, Json::Null));
    object
}

/// Sets a value. Dots in the key separate the names of nested objects.
fn put(object: &mut Map<String, Json>, key: &str, value: Json) {
    match key.split_once('.') {
        // The object itself, which may stay empty.
        None if key == "{}" => {}
        None => {
            object.insert(key.to_string(), value);
        }
        Some((head, rest)) => {
            let inner = object.entry(head).or_insert_with(|| Map::new().into());
            if !inner.is_object() {
                *inner = Map::new().into();
            }
            if let Json::Object(inner) = inner {
                put(inner, rest, value);
            }
        }
    }
}

/// A value without its unit, which is in the key. Times count from the log's first moment.
fn plain(value: &Value, origin: Nanos) -> Json {
    match value {
        Value::Unknown => Json::Null,
        Value::Text(text) => text.for_json().into(),
        Value::Time(time) => time.since(origin).0.into(),
        Value::Duration(duration) => duration.0.into(),
        Value::Bytes(number) | Value::Count(number) | Value::Offset(number) => (*number).into(),
        Value::BytesPerSecond(number) | Value::PerSecond(number) => (*number).into(),
        Value::Between(least, most) => json!([least, most]),
        Value::Share(share) => (*share).into(),
        Value::Thread(thread) => thread.0.into(),
        Value::Capability(cap) => cap.0.into(),
        // It may be more than 64 bits: a gibibyte for twenty seconds is.
        Value::ByteTime(area) => Number::from_u128(*area).map_or(Json::Null, Json::from),
        Value::Growth(number) | Value::Change(number) | Value::Integer(number) => (*number).into(),
        Value::Stack(names) => texts(names),
        Value::Levels(levels) => json!(levels),
    }
}

fn texts(texts: &[LogText<'_>]) -> Json {
    texts.iter().map(LogText::for_json).collect::<Vec<_>>().into()
}

/// For each section that is not complete in the log, the `+RTS` flag that would add the rest.
fn missing(whole: &Facts) -> Json {
    let lacking = whole.sections.iter().filter_map(|section| Some((section.key, section.flag?)));
    lacking.map(|(section, flag)| json!({ "section": section, "flag": flag })).collect::<Vec<_>>().into()
}

fn diagnostics(summary: &Summary, top: usize) -> Json {
    let diagnostics = summary.model.diagnostics();
    let object = |kind: &DiagnosticKind| json!({ "text": kind.to_string(), "offset": kind.offset(), "lost_bytes": kind.lost_bytes() });
    let kept = diagnostics.list().iter().take(top);
    let left = diagnostics.count().saturating_sub(kept.len() as u64);
    let mut list: Vec<Json> = summary.model.foremost().iter().map(object).collect();
    list.extend(kept.map(|diagnostic| object(&diagnostic.kind)));
    if left > 0 {
        list.push(json!({ "truncated": left }));
    }
    list.into()
}
