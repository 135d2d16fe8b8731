//! What libraries say in messages: words of spans, tags and instants, instruments, and numbers after words.

use conformance::{Mutants, files, model_in_steps, part_of, project, replay, replay_within, written};
use ghc_eventlog::{Block, CapNo, LogWriter, Nanos, Text, UserBinaryMsg, UserMsg};
use ghc_eventlog_model::{
    Arrangement, LookUp, Model, Place, Shape, SpanWords, TableQuery, Track, Value, View, Wishes, work,
};
use std::fs;
use written::telemetry::{otel, pair};

fn case(name: &str) -> Vec<u8> {
    fs::read(project().join("tests/corpus").join(name).join("log.eventlog")).unwrap()
}

fn read(log: &[u8]) -> Model {
    let mut model = model_in_steps(log, 100);
    assert!(replay(&mut model, log));
    model
}

/// The rows of a table that a filter finds, in words: the columns with these keys.
fn rows(model: &Model, table: &str, filter: &str, keys: &[&str]) -> Vec<String> {
    let facts = model.facts(None);
    let info = facts.sections.iter().flat_map(|section| &section.tables).find(|info| info.key == table);
    let Some(info) = info else { return Vec::new() };
    let query = TableQuery { table: table.into(), filter: filter.into(), ..TableQuery::default() };
    let page = model.page(&model.order(query, None), None, 0, 1000);
    let told = |row: Vec<Value>| {
        let cell = |key: &&str| {
            let at = info.columns.iter().position(|column| column.key == *key);
            at.map_or(String::new(), |at| row[at].text(Nanos(0)))
        };
        keys.iter().map(cell).collect::<Vec<_>>().join(" | ")
    };
    page.rows.into_iter().map(told).collect()
}

fn figure(model: &Model, section: &str, key: &str) -> Option<Value> {
    let facts = model.facts(None);
    facts.section(section)?.figures.iter().find(|figure| figure.key == key).map(|figure| figure.value.clone())
}

fn sorted(mut rows: Vec<String>) -> Vec<String> {
    rows.sort();
    rows
}

#[test]
fn the_words_of_all_libraries_are_found_at_once() {
    let log = case("written-span-words");
    let spans = |model: &Model| sorted(rows(model, "spans", "", &["label", "count", "unfinished"]));
    let all = [
        "Desugar [Main] | 1 | 0",
        "GET / | 1 | 0",
        "Parser [Lib] | 1 | 0",
        "Parser [Main] | 1 | 0",
        "c_sin | 1 | 0",
        "inner | 1 | 0",
        "outer | 1 | 0",
        "renaming | 1 | 0",
        "twice | 2 | 0",
    ];
    let mut model = read(&log);
    assert_eq!(spans(&model), all);
    assert_eq!(figure(&model, "spans", "unmatched"), Some(Value::Count(0)));
    let of_request = rows(&model, "span_list", "path=/index", &["label", "tags", "instants"]);
    assert_eq!(of_request, ["GET / | path=/index.html | cache=miss"]);
    // The reader's words come to these, before and after the label.
    assert!(model.name_spans(SpanWords::parse("begin,done,* on,* off").unwrap()));
    assert!(replay(&mut model, &log));
    let more = [&all[..], &["lamp | 1 | 0", "own | 1 | 0"]].concat();
    assert_eq!(spans(&model), sorted(more.iter().map(ToString::to_string).collect()));
    // Numbers are the same, whatever the words.
    let numbers = ["GHC:allocs | 3 | 500 | 9000 | 500", "queue | 3 | −4 | 17 | −4"];
    let keys = ["name", "values", "last", "max", "min"];
    assert_eq!(rows(&model, "numbers", "", &keys), numbers);
    assert!(model.name_spans(SpanWords::parse("queue,done").unwrap()) && replay(&mut model, &log));
    assert_eq!(rows(&model, "numbers", "", &keys), numbers[..1]);
}

/// A program that prints "server started" and never "server ended" has no span, before and after the log is replayed.
#[test]
fn a_common_word_alone_begins_no_span() {
    let mut log = LogWriter::new();
    log.block(Block::of(CapNo(0)), |log| {
        for (at, text) in (1..).zip(["server started", "listening started", "job 1 ended"]) {
            log.event(Nanos(at), UserMsg { text: Text(text.as_bytes()) });
        }
    });
    let log = log.finish();
    let model = model_in_steps(&log, 1 << 20);
    assert_eq!(tracks(&model, "spans", &Arrangement::default()).len(), 0);
    let model = read(&log);
    assert!(rows(&model, "spans", "", &["label"]).is_empty());
    for key in ["unfinished", "unmatched", "labels"] {
        assert_eq!(figure(&model, "spans", key), Some(Value::Count(0)), "{key}");
    }
}

fn tracks(model: &Model, group: &str, by: &Arrangement) -> Vec<Track> {
    model.tracks_of(by, group, 0, 1000)
}

/// The fields of what is at a time of a track, read from the file as far as necessary.
fn fields(model: &mut Model, log: &[u8], mut search: LookUp) -> Vec<(&'static str, String)> {
    assert!(work(&mut search, model, part_of(log)).unwrap());
    let Some(Place::Span(info)) = model.found(&search) else { panic!("{:?}", model.found(&search)) };
    info.fields.iter().map(|(name, value)| (*name, value.text(Nanos(0)))).collect()
}

fn look_up(model: &mut Model, log: &[u8], group: &str, name: &str, at: u64) -> Vec<(&'static str, String)> {
    let by = model.arrange(Wishes::default(), None);
    let track = tracks(model, group, &by).into_iter().find(|track| track.name.for_json() == name).unwrap();
    let search = model.look_up(&by, track.id, Nanos(at), Nanos(at + 1));
    fields(model, log, search)
}

#[test]
fn tags_and_instants_are_in_tables_and_in_tooltips() {
    let log = case("written-telemetry");
    let mut model = read(&log);
    let keys = ["label", "tags", "instants", "parent", "trace", "span", "ended"];
    let iface =
        "GetModIface | File=src/A.hs, kind=rule | result=ChangedStore |  | 0000000000007777 | 0000000000000abc | ";
    let kick = "kick | File=src/B.hs |  | 0000000000000abc | 0000000000007777 |  | ";
    let open = "kick | File=src/A.hs |  |  |  |  | unfinished";
    assert_eq!(sorted(rows(&model, "span_list", "", &keys)), [iface, open, kick]);
    assert_eq!(sorted(rows(&model, "span_list", "file=src/a.hs", &keys)), [iface, open]);
    assert_eq!(rows(&model, "span_list", "result=Changed", &keys), [iface]);
    let said = look_up(&mut model, &log, "spans", "GetModIface", 300_000);
    let named = |name: &str| said.iter().filter(|(of, _)| *of == name).map(|(_, text)| &**text).collect::<Vec<_>>();
    assert_eq!(named("Tag"), ["File=src/A.hs", "kind=rule"]);
    assert_eq!(named("Instant"), ["result=ChangedStore at 399.000 µs"]);
    assert_eq!((named("Trace"), named("Span number")), (vec!["0000000000007777"], vec!["0000000000000abc"]));
    // The parent is another span of this log.
    let said = look_up(&mut model, &log, "spans", "kick", 240_000);
    assert!(said.contains(&("Parent", "GetModIface, 0000000000000abc".to_string())), "{said:?}");
    let counted = [("malformed", 3), ("unknown", 3), ("unattached", 1)];
    for (key, count) in counted {
        assert_eq!(figure(&model, "spans", key), Some(Value::Count(count)), "{key}");
    }
}

#[test]
fn instruments_are_lines_and_rows() {
    let log = case("written-telemetry");
    let mut model = read(&log);
    let keys = ["name", "kind", "values", "last", "max", "min"];
    let expected = [
        "in flight | up-down counter | 4 | 0 | 2 | 0",
        "requests | counter | 2 | 7 | 7 | 2",
        "values map size_bytes | value observer | 3 | −20 | 30 | −20",
        "never used | value recorder | 0 |  |  | ",
    ];
    assert_eq!(rows(&model, "instruments", "", &keys), expected);
    assert_eq!(figure(&model, "messages", "undeclared"), Some(Value::Count(1)));
    let by = model.arrange(Wishes::default(), None);
    let lines = tracks(&model, "counters", &by);
    let names = |lines: &[Track]| lines.iter().map(|track| track.name.for_json()).collect::<Vec<_>>();
    // What has no value has no line.
    assert_eq!(names(&lines), ["in flight", "requests", "values map size_bytes"]);
    assert!(matches!(lines[2].shape, Shape::Line { most: 30, below: 20, .. }), "{:?}", lines[2].shape);
    for (place, line) in lines.iter().enumerate() {
        assert_eq!(model.place(&by, line.id), Some(("counters", place)));
    }
    // Its values, each pixel of 10 µs: of an up-down counter, the sum so far.
    let (first, last) = model.extent().unwrap();
    let width = last.since(first).0 as usize / 10_000;
    let plan = model.plan(View { from: first, to: last, width });
    let window = model.window(&by, &plan, lines[0].id);
    let lasts = window.values.chunks(4).map(|pixel| pixel[3]).filter(|last| !last.is_nan());
    let mut drawn: Vec<i64> = lasts.map(|last| last as i64).collect();
    drawn.dedup();
    assert_eq!((drawn, window.exact), (vec![1, 2, 1, 0], true));
    // A reader who does not want a line does without, and its row says so.
    let wishes = Wishes { hidden_counters: vec!["requests".into()], ..Wishes::default() };
    let by = model.arrange(wishes, None);
    assert_eq!(names(&tracks(&model, "counters", &by)), ["in flight", "values map size_bytes"]);
    let about = ghc_eventlog_model::About { arrangement: Some(&by), ..Default::default() };
    let order = model.order(TableQuery { table: "instruments".into(), ..TableQuery::default() }, about);
    assert_eq!(model.page(&order, about, 1, 1).rows[0].last(), Some(&Value::words("hidden")));
}

/// With more instruments than are kept, a value of one that is not kept is not one of an undeclared instrument.
#[test]
fn values_of_instruments_that_are_not_kept_are_not_undeclared() {
    let mut log = LogWriter::new();
    log.block(Block::of(CapNo(0)), |block| {
        for number in 0..1000u64 {
            let declared = format!("ot2 metric create Counter {number:016x} c{number}");
            block.event(Nanos(number), UserMsg { text: Text(declared.as_bytes()) });
            let value = format!("ot2 metric capture {number:016x} 1");
            block.event(Nanos(number), UserMsg { text: Text(value.as_bytes()) });
        }
    });
    log.end();
    let model = read(&log.finish());
    assert_eq!(figure(&model, "messages", "undeclared"), None);
    assert_eq!(figure(&model, "messages", "values_beyond"), Some(Value::Count(1000 - 128)));
}

/// Programs declare all instruments when they start, and use some of them.
#[test]
fn an_instrument_that_is_used_has_a_row_wherever_it_is_declared() {
    let mut log = LogWriter::new();
    log.block(Block::of(CapNo(0)), |block| {
        let declared = (1..=500u64).map(|number| format!("ot2 metric create Counter {number:016x} c{number}"));
        let values = (0..1000u64).map(|_| format!("ot2 metric capture {:016x} 1", 250));
        for (text, time) in declared.chain(values).zip(1..) {
            block.event(Nanos(time), UserMsg { text: Text(text.as_bytes()) });
        }
    });
    log.end();
    let model = read(&log.finish());
    let all = rows(&model, "instruments", "", &["name", "values", "last"]);
    assert_eq!((all.len(), all.contains(&"c250 | 1000 | 1000".into())), (128, true), "{all:?}");
    assert_eq!(figure(&model, "messages", "values_beyond"), None);
}

/// What is drawn from buckets has no more values than the log.
#[test]
fn a_look_up_never_says_more_than_the_largest_value() {
    let value = 1_000_000_001u64;
    let mut log = LogWriter::new();
    log.block(Block::of(CapNo(0)), |block| {
        for at in 0..40_000 {
            block.event(Nanos(at * 1000), UserMsg { text: Text(format!("queue {value}").as_bytes()) });
        }
    });
    log.end();
    let log = log.finish();
    let model = read(&log);
    let by = model.arrange(Wishes::default(), None);
    let line = tracks(&model, "counters", &by).pop().unwrap();
    let search = model.look_up(&by, line.id, Nanos(10_000_000), Nanos(20_000_000));
    let Some(Place::Span(info)) = model.found(&search) else { panic!("there are values") };
    let digits: String = info.title.for_json().chars().filter(char::is_ascii_digit).collect();
    assert_eq!(digits, value.to_string());
}

/// Values as a look-up finds them.
#[test]
fn a_line_says_its_values() {
    let log = case("written-telemetry");
    let mut model = read(&log);
    let by = model.arrange(Wishes::default(), None);
    let line = tracks(&model, "counters", &by).pop().unwrap();
    let title = |model: &Model, at: u64| {
        let search = model.look_up(&by, line.id, Nanos(at), Nanos(at + 1));
        let Some(Place::Span(info)) = model.found(&search) else { return String::new() };
        info.title.for_json().trim().to_string()
    };
    assert_eq!([100_000, 230_000, 300_000, 500_000].map(|at| title(&model, at)), ["", "10", "30", "−20"]);
    assert!(replay_within(&mut model, &log, 0), "with any room for the replay");
    assert_eq!(title(&model, 500_000), "−20");
}

/// Tags of many different texts are read from the file when they are shown; those of short spans make room for those of longer
/// ones. Nothing grows beyond its bound.
#[test]
fn tags_beyond_the_room_are_read_when_they_are_shown() {
    let long = "x".repeat(1000);
    let mut log = LogWriter::new();
    let count = 9000u64;
    for chunk in (0..count).collect::<Vec<_>>().chunks(100) {
        log.block(Block::of(CapNo(0)), |log| {
            for span in chunk {
                let (at, bytes) = (span * 1000, span.to_le_bytes());
                log.event(Nanos(at), UserBinaryMsg { bytes: &otel(1, &[&bytes, b"request"]) });
                log.event(Nanos(at + 1), UserBinaryMsg { bytes: &pair(3, *span, "id", &format!("{span:x}-{span}")) });
                log.event(Nanos(at + 2), UserBinaryMsg { bytes: &pair(4, *span, "long", &long) });
                log.event(Nanos(at + 500), UserBinaryMsg { bytes: &otel(2, &[&bytes]) });
            }
        });
    }
    log.end();
    let log = log.finish();
    let mut model = model_in_steps(&log, 1 << 20);
    assert!(replay(&mut model, &log));
    assert_eq!(rows(&model, "span_list", "id=10-16", &["tags"]), ["id=10-16"]);
    for span in [16, count - 1] {
        let said = look_up(&mut model, &log, "spans", "request", span * 1000 + 100);
        assert!(said.contains(&("Tag", format!("id={span:x}-{span}"))), "{said:?}");
        let instant = said.iter().find(|(name, _)| *name == "Instant").unwrap();
        assert!(instant.1.starts_with(&format!("long={long} at ")), "{instant:?}");
    }
}

/// Whatever is damaged: the answers of the table, the lines and the look-up agree, and no part of it fails.
#[test]
fn damaged_messages_break_nothing() {
    let mut lines_seen = 0;
    for name in ["written-telemetry", "written-span-words"] {
        let log = case(name);
        let mut mutants = Mutants::new(&log, 31);
        for at in 0..150 {
            let mutant = mutants.next().unwrap();
            let mut model = model_in_steps(&mutant, 1000);
            if model.extent().is_none() || !replay(&mut model, &mutant) {
                continue;
            }
            lines_seen += check_lines(&format!("{name}, mutant {at}"), &mut model, &mutant);
        }
    }
    for path in files(&project().join("tests/corpus"), "log.eventlog") {
        let log = fs::read(&path).unwrap();
        let mut model = model_in_steps(&log, 1 << 20);
        if model.extent().is_some() && replay(&mut model, &log) {
            lines_seen += check_lines(&path.display().to_string(), &mut model, &log);
        }
    }
    assert!(lines_seen > 300, "{lines_seen}");
}

/// Each line has a row in one of the tables, with the same largest value; returns how many lines there are.
fn check_lines(case: &str, model: &mut Model, log: &[u8]) -> usize {
    let by = model.arrange(Wishes::default(), None);
    let lines = tracks(model, "counters", &by);
    let mut told = Vec::new();
    for table in ["instruments", "numbers"] {
        told.extend(rows(model, table, "", &["name", "max", "values"]));
    }
    told.retain(|row| !row.ends_with(" | 0"));
    assert_eq!(told.len(), lines.len(), "{case}");
    for (line, row) in lines.iter().zip(&told) {
        let Shape::Line { most, .. } = line.shape else { panic!("{case}") };
        let is_its = row.starts_with(&*line.name.for_terminal());
        assert!(is_its && (row.contains(&format!("| {most} |")) || most == 0), "{case}: {row}, {most}");
        let (from, to) = line.known.unwrap();
        let mut search = model.look_up(&by, line.id, from, to.max(from.plus(Nanos(1))));
        assert!(work(&mut search, model, part_of(log)).unwrap(), "{case}");
        assert!(matches!(model.found(&search), Some(Place::Span(_))), "{case}: {:?}", model.found(&search));
    }
    lines.len()
}
