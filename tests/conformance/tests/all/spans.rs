//! The program's own spans, between two messages: by label, in ranges of time, and each span alone.

use conformance::arranged;
use conformance::{Mutants, files, model_in_steps, project, replay, shared_logs, whole_range};
use ghc_eventlog::{Block, CapNo, LogWriter, Nanos, RunThread, Text, ThreadId, UserMsg};
use ghc_eventlog_model::{
    About, Arrangement, Direction, Facts, Model, Note, Place, Range, SpanRows, SpanWords, TableQuery, Track, Value,
    View, Wishes,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    time::Instant,
};

pub(crate) type Row = BTreeMap<&'static str, Value>;

fn rows(model: &Model, range: Option<&Range>, table: &str) -> Vec<Row> {
    let facts = model.facts(range);
    let section = facts.section("spans").unwrap();
    let Some(info) = section.tables.iter().find(|info| info.key == table) else { return Vec::new() };
    let order = model.order(TableQuery { table: table.into(), ..TableQuery::default() }, range);
    let mut rows = Vec::new();
    loop {
        let page = model.page(&order, range, rows.len(), 10_000);
        if page.rows.is_empty() {
            return rows;
        }
        rows.extend(page.rows.into_iter().map(|row| info.columns.iter().map(|column| column.key).zip(row).collect()));
    }
}

/// The rows of the table of labels, by label.
pub(crate) fn by_label(model: &Model, range: Option<&Range>) -> BTreeMap<String, Row> {
    let label = |row: &Row| match &row["label"] {
        Value::Text(label) => label.for_json(),
        other => panic!("{other:?}"),
    };
    rows(model, range, "spans").into_iter().map(|row| (label(&row), row)).collect()
}

pub(crate) fn number(row: &Row, key: &str) -> u64 {
    match row.get(key) {
        Some(Value::Count(number)) => *number,
        Some(Value::Duration(time) | Value::Time(time)) => time.0,
        _ => 0,
    }
}

/// Checks all properties for a log; returns how many of its spans ended.
fn check(name: &str, log: &[u8], random: &mut fastrand::Rng) -> u64 {
    let mut model = model_in_steps(log, 1 << 20);
    let Some((first, last)) = model.extent() else { return 0 };
    if !replay(&mut model, log) {
        return 0;
    }
    let whole = by_label(&model, None);
    let list = rows(&model, None, "span_list");
    let (mut spans, mut totals) = (0, Vec::new());
    for (label, row) in &whole {
        let is_its = |span: &&Row| span["label"] == Value::words(label.as_str());
        let is_open = |span: &&Row| span.get("ended") == Some(&Value::Text("unfinished".into()));
        let (open, closed): (Vec<&Row>, Vec<&Row>) = list.iter().filter(is_its).partition(is_open);
        let [count, total, most] = ["count", "total_ns", "max_ns"].map(|key| number(row, key));
        assert_eq!((count, number(row, "unfinished")), (closed.len() as u64, open.len() as u64), "{name}: {label}");
        assert_eq!(total, closed.iter().map(|span| number(span, "duration_ns")).sum::<u64>(), "{name}: {label}");
        assert_eq!(most, closed.iter().map(|span| number(span, "duration_ns")).max().unwrap_or(0), "{name}: {label}");
        assert!(total >= most && number(row, "without_gc_ns") <= total, "{name}: {label}");
        let p95 = number(row, "p95_ns");
        assert!(p95 <= most, "{name}: {label}");
        let longer = closed.iter().filter(|span| number(span, "duration_ns") > p95 + p95 / 200).count();
        assert!(longer as u64 <= count / 20, "{name}: {label}, {longer} of {count} are longer than {p95}");
        for span in open.iter().chain(&closed) {
            let from = number(span, "from_ns");
            let to = from + number(span, "duration_ns");
            assert!(first.0 <= from && to <= last.0, "{name}: {label}, {from} to {to}");
        }
        spans += count;
        totals.push(total);
    }
    let of_table: Vec<u64> = rows(&model, None, "spans").iter().map(|row| number(row, "total_ns")).collect();
    assert!(of_table.is_sorted_by(|one, next| one >= next), "{name}: {of_table:?}");
    // A range of the whole log has the same as the whole log.
    let (range, _) = whole_range(&mut model, log, first, last.plus(Nanos(1))).unwrap();
    let mut of_range = whole.clone();
    // Self times are not known for a range.
    of_range.values_mut().for_each(|row| drop(row.remove("self_ns")));
    assert_eq!(by_label(&model, Some(&range)), of_range, "{name}");
    // Adjacent ranges add up to all of the time.
    let middle = first.plus(Nanos(random.u64(0..=last.since(first).0)));
    let mut together = BTreeMap::<(String, &str), u64>::new();
    for (from, to) in [(first, middle), (middle, last.plus(Nanos(1)))] {
        let (range, _) = whole_range(&mut model, log, from, to).unwrap();
        for (label, row) in by_label(&model, Some(&range)) {
            for key in ["count", "total_ns", "without_gc_ns", "unfinished"] {
                *together.entry((label.clone(), key)).or_default() += number(&row, key);
            }
        }
    }
    for (label, row) in &whole {
        for key in ["total_ns", "without_gc_ns"] {
            let parts = together.get(&(label.clone(), key)).copied().unwrap_or(0);
            assert_eq!(parts, number(row, key), "{name}: {key} of {label}");
        }
        for key in ["count", "unfinished"] {
            let parts = together.get(&(label.clone(), key)).copied().unwrap_or(0);
            assert!(parts >= number(row, key), "{name}: {key} of {label}");
        }
    }
    spans
}

#[test]
fn tables_lists_and_ranges_agree() {
    let mut random = fastrand::Rng::with_seed(23);
    let (mut logs, mut spans) = (0, 0);
    for path in files(&project().join("tests/corpus"), "log.eventlog").into_iter().chain(shared_logs()) {
        let log = fs::read(&path).unwrap();
        if log.len() > 4 << 20 {
            continue;
        }
        let found = check(&path.display().to_string(), &log, &mut random);
        logs += usize::from(found > 0);
        spans += found;
    }
    assert!(logs >= 3 && spans > 100, "{logs} logs, {spans} spans");
}

/// For damaged logs, too, all answers agree, whatever is lost.
#[test]
fn in_damaged_logs_all_answers_agree() {
    let mut random = fastrand::Rng::with_seed(24);
    let log = fs::read(project().join("tests/corpus/spans/log.eventlog")).unwrap();
    let mut mutants = Mutants::new(&log, 25);
    for at in 0..200 {
        let mutant = mutants.next().unwrap();
        check(&format!("mutant {at}"), &mutant, &mut random);
    }
}

/// For pieces of any size, and in any order in the file.
#[test]
fn a_span_moves_with_its_thread() {
    let log = fs::read(project().join("tests/corpus/spans/log.eventlog")).unwrap();
    let mut model = model_in_steps(&log, 100);
    assert!(replay(&mut model, &log));
    let labels = by_label(&model, None);
    let of = |label: &str| ["count", "unfinished"].map(|key| number(&labels[label], key));
    assert_eq!((of("step"), of("job"), of("again")), ([48, 0], [8, 0], [2, 0]));
    assert_eq!((of("never stopped"), of("killed in"), of("request")), ([0, 1], [0, 1], [3, 2]));
    // Without the events of threads, spans are those of capabilities.
    let log = fs::read(project().join("tests/corpus/spans-user/log.eventlog")).unwrap();
    let mut model = model_in_steps(&log, 100);
    assert!(replay(&mut model, &log));
    assert!(rows(&model, None, "span_list").iter().all(|span| span.get("thread").is_none()));
    assert!(number(&by_label(&model, None)["step"], "count") > 0);
}

/// Rows are for labels or for threads. No span on a row hides another, and a look-up finds one of them.
#[test]
fn rows_show_what_the_list_has() {
    let (mut rows_seen, mut nested, mut of_threads) = (0, 0, 0);
    for case in ["spans", "spans-user", "messages", "chat", "chat-single"] {
        let log = fs::read(project().join("tests/corpus").join(case).join("log.eventlog")).unwrap();
        let mut model = model_in_steps(&log, 1 << 20);
        let before = model.tracks_of(&arranged(&model), "spans", 0, 1000);
        assert!(before.iter().all(|track| track.known == Some((Nanos(0), Nanos(0)))), "{case}");
        assert!(replay(&mut model, &log));
        for order in [SpanRows::ByThread, SpanRows::ByLabel] {
            for name in check_rows(case, &mut model, &log, order) {
                nested += usize::from(name.contains(" · "));
                of_threads += usize::from(order == SpanRows::ByThread && name != "No known thread");
                rows_seen += 1;
            }
        }
    }
    assert!(
        rows_seen > 30 && nested > 3 && of_threads > 5,
        "{rows_seen} rows, {nested} nested, {of_threads} of threads"
    );
}

/// For any damage, no span is missing from the rows, and none is there twice.
#[test]
fn rows_of_damaged_logs_too() {
    let log = fs::read(project().join("tests/corpus/spans/log.eventlog")).unwrap();
    let mut mutants = Mutants::new(&log, 26);
    let mut rows_seen = 0;
    for at in 0..100 {
        let mutant = mutants.next().unwrap();
        let mut model = model_in_steps(&mutant, 1 << 20);
        if model.extent().is_none() || !replay(&mut model, &mutant) {
            continue;
        }
        for order in [SpanRows::ByThread, SpanRows::ByLabel] {
            rows_seen += check_rows(&format!("mutant {at}"), &mut model, &mutant, order).len();
        }
    }
    assert!(rows_seen > 1000, "{rows_seen}");
}

/// Checks that the rows together have all spans; returns the names of the rows.
fn check_rows(case: &str, model: &mut Model, log: &[u8], order: SpanRows) -> Vec<String> {
    let by = &model.arrange(Wishes { spans: order, ..Wishes::default() }, None);
    let list = rows(model, None, "span_list");
    let tracks: Vec<Track> = model.tracks_of(by, "spans", 0, 1000);
    let mut shown = 0;
    // The first row of a label or a thread sums up all of them.
    for rows in tracks.chunk_by(|_, next| matches!(next.note, Note::Number(_))) {
        let (mut drawn, mut most) = (0, Nanos(0));
        for track in rows {
            let (seen, longest) = check_row(case, (model, by), log, track, &list, order);
            if let Note::Number(count) = track.note {
                assert!(count > 0 && seen <= count, "{case}: {}", track.name.for_comparing());
            }
            (drawn, most) = (drawn + seen, most.max(longest));
        }
        let Note::Count(count, longest) = rows[0].note else { panic!("{case}: {:?}", rows[0].note) };
        // What takes no time is not drawn.
        assert!(count > 0 && drawn <= count && longest == most, "{case}: {}", rows[0].name.for_comparing());
        shown += count as usize;
    }
    assert_eq!(shown, list.len(), "{case}: {order:?}");
    for (place, track) in tracks.iter().enumerate() {
        assert_eq!(model.place(by, track.id), Some(("spans", place)), "{case}");
    }
    check_ways(case, model, by, &list);
    tracks.into_iter().map(|track| track.name.for_json()).collect()
}

/// Each span of the list leads to a row of the timeline that has it.
fn check_ways(case: &str, model: &Model, by: &Arrangement, list: &[Row]) {
    let about = About { arrangement: Some(by), ..About::default() };
    let order = model.order(TableQuery { table: "span_list".into(), ..TableQuery::default() }, about);
    let ways = model.page(&order, about, 0, list.len()).tracks;
    assert_eq!(ways.len(), list.len(), "{case}");
    for (row, track) in list.iter().zip(ways) {
        let (start, length) = (number(row, "from_ns"), number(row, "duration_ns"));
        let track = track.unwrap_or_else(|| panic!("{case}: {row:?} leads nowhere"));
        assert!(model.place(by, track).is_some(), "{case}: {row:?}");
        // What takes no time is not drawn.
        if length == 0 {
            continue;
        }
        let search = model.look_up(by, track, Nanos(start), Nanos(start + 1));
        let found = model.found(&search);
        let Some(Place::Span(info)) = found else { panic!("{case}: {row:?} leads to {found:?}") };
        // A span without length may be within any other.
        assert!(
            length == 0 || (info.span.start, info.span.end) == (Nanos(start), Nanos(start + length)),
            "{case}: {row:?}"
        );
    }
}

/// Checks one row; returns how many spans are drawn on it, and the longest.
fn check_row(
    case: &str,
    (model, by): (&mut Model, &Arrangement),
    log: &[u8],
    track: &Track,
    list: &[Row],
    order: SpanRows,
) -> (u64, Nanos) {
    let (first, last) = model.extent().unwrap();
    let name = format!("{case}: {}", track.name.for_comparing());
    let [open] = model.totals(by, track.id)[..] else { panic!("{name}") };
    let (range, _) = whole_range(model, log, first, last.plus(Nanos(1))).unwrap();
    assert_eq!(model.range_totals(by, &range, track.id).unwrap().states, [open], "{name}");
    let view = View { from: first, to: last, width: 2000 };
    let plan = model.plan(view);
    let window = model.window(by, &plan, track.id);
    assert!(window.exact && window.spans.is_sorted_by(|one, next| one.end <= next.start), "{name}");
    let pixel = last.since(first).0 as f64 / 2000.0;
    let drawn: f64 = window.shares.iter().map(|share| f64::from(*share) / 255.0 * pixel).sum();
    // A pixel's share is rounded, and any time is drawn.
    let tolerance = list.len() as f64 * 2.0 * pixel / 255.0 + open.0 as f64 * 0.01;
    assert!((drawn - open.0 as f64).abs() <= tolerance, "{name}");
    // All spans with a length, one after the other. Each is in the list, and belongs to the row's label or thread.
    let of = track.name.for_comparing().split(" · ").next().unwrap();
    let (mut total, mut most, mut found, mut until) = (Nanos(0), Nanos(0), 0, Nanos(0));
    let mut search = model.look_up(by, track.id, first, first.plus(Nanos(1)));
    let mut beside = Vec::new();
    loop {
        if let Some(Place::Span(info)) = model.found(&search)
            && beside.last() != Some(&info.span.start)
        {
            let (start, end) = (info.span.start, info.span.end);
            assert!(start >= until, "{name}: {start} before {until}");
            let thread = info.fields.iter().find(|(name, _)| *name == "Thread").map_or(&Value::Unknown, |(_, of)| of);
            let is_it = |row: &&Row| {
                (number(row, "from_ns"), number(row, "duration_ns")) == (start.0, end.since(start).0)
                    && row["label"] == Value::Text(info.title.clone())
                    && row.get("thread").unwrap_or(&Value::Unknown) == thread
            };
            let row = list.iter().find(is_it).unwrap_or_else(|| panic!("{name}: {info:?}"));
            match order {
                SpanRows::ByLabel => assert_eq!(info.title, of, "{name}"),
                SpanRows::ByThread => match row.get("thread") {
                    Some(Value::Thread(thread)) => {
                        assert!(of.split(' ').any(|word| word == thread.0.to_string()), "{name}: {thread}");
                    }
                    _ => assert_eq!(of, "No known thread"),
                },
            }
            (total, most) = (total.plus(end.since(start)), most.max(end.since(start)));
            (found, until) = (found + 1, end);
            beside.push(start);
        }
        search = model.neighbour(by, track.id, *beside.last().unwrap_or(&first), Direction::Next);
        let Some(Place::Span(_)) = model.found(&search) else { break };
    }
    assert_eq!(total, open, "{name}");
    (found, most)
}

/// Self time by its definition, from the list of spans: the length of a span without the spans directly within it.
#[test]
fn self_time_is_what_no_span_within_took() {
    let mut nested = 0;
    for case in ["spans", "spans-user", "chat", "chat-single", "messages"] {
        let log = fs::read(project().join("tests/corpus").join(case).join("log.eventlog")).unwrap();
        let mut model = model_in_steps(&log, 1 << 20);
        assert!(replay(&mut model, &log));
        let list = rows(&model, None, "span_list");
        let by_label = rows(&model, None, "spans");
        let owned: Vec<_> =
            by_label.iter().filter(|row| row.get("self_ns").is_some_and(|own| *own != Value::Unknown)).collect();
        let mut of_threads = BTreeMap::<String, Vec<(u64, u64, &Value)>>::new();
        // Those of the whole process are on no thread.
        let is_owned = |row: &&Row| owned.iter().any(|of| of["label"] == row["label"]);
        let ended = |row: &&Row| row.get("ended").is_none_or(|ended| *ended == Value::words(""));
        for row in list.iter().filter(is_owned).filter(ended) {
            let start = number(row, "from_ns");
            let span = (start, start + number(row, "duration_ns"), &row["label"]);
            of_threads.entry(format!("{:?}", row.get("thread"))).or_default().push(span);
        }
        let mut own = BTreeMap::<String, u64>::new();
        // If spans cross, the time in both counts for the one that began last.
        let mut crossed = BTreeSet::new();
        for spans in of_threads.values() {
            let cross = |one: &(u64, u64, &Value), other: &(u64, u64, &Value)| {
                one.0 < other.0 && other.0 < one.1 && one.1 < other.1
            };
            if spans.iter().any(|one| spans.iter().any(|other| cross(one, other))) {
                crossed.extend(spans.iter().map(|span| format!("{:?}", span.2)));
            }
            let is_in = |inner: &(u64, u64, &Value), outer: &(u64, u64, &Value)| {
                outer.0 <= inner.0 && inner.1 <= outer.1 && (outer.0, outer.1) != (inner.0, inner.1)
            };
            for span in spans {
                let within: Vec<_> = spans.iter().filter(|inner| is_in(inner, span)).collect();
                let direct = within.iter().filter(|inner| !within.iter().any(|between| is_in(inner, between)));
                let inner: u64 = direct.map(|span| span.1 - span.0).sum();
                nested += usize::from(inner > 0);
                *own.entry(format!("{:?}", span.2)).or_default() += (span.1 - span.0).saturating_sub(inner);
            }
        }
        for row in
            rows(&model, None, "spans").iter().filter(|row| matches!(row.get("self_ns"), Some(Value::Duration(_))))
        {
            let its = own.get(&format!("{:?}", row["label"])).copied().unwrap_or_default();
            assert_eq!(number(row, "self_ns"), its, "{case}: {row:?}");
        }
        // Some time with a span, some without.
        let facts = model.typed_facts(None).spans;
        let (first, last) = model.extent().unwrap();
        let mut all: Vec<_> = list.iter().map(|row| (number(row, "from_ns"), number(row, "duration_ns"))).collect();
        all.sort_unstable();
        let (mut open, mut until) = (0, 0);
        for (from, length) in all {
            open += (from + length).saturating_sub(from.max(until));
            until = until.max(from + length);
        }
        assert_eq!(facts.none_open, Some(Nanos(last.since(first).0 - open)), "{case}");
    }
    assert!(nested > 20, "{nested}");
}

/// With other words than START and STOP, the result is the same whether they are set before the log is read or after
/// it.
#[test]
fn other_words_begin_and_end_spans() {
    let log = fs::read(project().join("tests/corpus/spans/log.eventlog")).unwrap();
    let renamed = other_words(&log);
    let read = |log: &[u8]| {
        let mut model = model_in_steps(log, 1000);
        assert!(replay(&mut model, log));
        model
    };
    let tell = |model: &Model| (by_label(model, None), rows(model, None, "span_list"));
    let told = tell(&read(&log));
    let mut late = read(&renamed);
    assert!(by_label(&late, None).len() < told.0.len());
    assert!(late.name_spans(SpanWords::parse("BEGIN,DONE").unwrap()));
    assert!(!late.name_spans(SpanWords::parse("BEGIN,DONE").unwrap()));
    assert_eq!(late.replayed_until(), None);
    assert!(replay(&mut late, &renamed));
    assert_eq!(tell(&late), told);
    let mut early = Model::new();
    assert!(!early.name_spans(SpanWords::parse("BEGIN,DONE").unwrap()));
    renamed.chunks(777).for_each(|piece| early.feed(piece));
    early.finish();
    assert!(replay(&mut early, &renamed));
    assert_eq!(tell(&early), told);
    // While it is read.
    let mut amid = Model::new();
    let (half, rest) = renamed.split_at(renamed.len() / 2);
    amid.feed(half);
    assert!(amid.name_spans(SpanWords::parse("BEGIN,DONE").unwrap()));
    amid.feed(rest);
    amid.finish();
    assert!(replay(&mut amid, &renamed));
    assert_eq!(tell(&amid), told);
    // And back to the default words.
    assert!(late.name_spans(SpanWords::default()));
    assert!(replay(&mut late, &renamed));
    assert!(by_label(&late, None).len() < told.0.len());
}

/// The same log with BEGIN and DONE in place of START and STOP: of the same length.
fn other_words(log: &[u8]) -> Vec<u8> {
    let mut renamed = log.to_vec();
    for (word, other) in [(b"START ".as_slice(), b"BEGIN ".as_slice()), (b"STOP ", b"DONE ")] {
        let places: Vec<usize> = (0..log.len()).filter(|at| log[*at..].starts_with(word)).collect();
        assert!(places.len() > 10);
        places.into_iter().for_each(|at| renamed[at..at + other.len()].copy_from_slice(other));
    }
    renamed
}

#[test]
fn the_label_that_is_chosen_has_a_histogram() {
    let log = fs::read(project().join("tests/corpus/spans/log.eventlog")).unwrap();
    let mut model = model_in_steps(&log, 1 << 20);
    assert!(replay(&mut model, &log));
    let labels = by_label(&model, None);
    for (label, row) in &labels {
        let facts = with_histogram_of(&model, Some(label));
        let section = facts.section("spans").unwrap();
        let of = |key: &str| section.histograms.iter().find(|histogram| histogram.key == key);
        let name = format!("Durations of {label}");
        assert_eq!(
            of("durations.chosen").map(|histogram| histogram.name.for_comparing()),
            (number(row, "count") > 0).then_some(name.as_str())
        );
        assert!(section.histograms.iter().filter(|histogram| histogram.name == *name).count() <= 1);
        let counted: u64 = of("durations.chosen").map_or(0, |of| of.bins.iter().flat_map(|bin| &bin.counts).sum());
        assert_eq!(counted, number(row, "count"), "{label}");
    }
    for none in [Some("no such label"), None] {
        let facts = with_histogram_of(&model, none);
        assert!(facts.section("spans").unwrap().histograms.iter().all(|histogram| histogram.key != "durations.chosen"));
    }
}

fn with_histogram_of(model: &Model, label: Option<&str>) -> Facts {
    let wishes = Wishes { histogram_of: label.map(str::to_string), ..Wishes::default() };
    model.facts(About { arrangement: Some(&model.arrange(wishes, None)), ..About::default() })
}

/// The cost of an end without a begin, while the most possible spans are open. To print the figure: `cargo test
/// --release -p conformance --test spans -- --ignored --nocapture unmatched`.
#[test]
#[ignore = "a measurement"]
fn cost_of_unmatched_ends() {
    const ENDS: u32 = 200_000;
    let log = |open: u64, ends: u32| {
        let mut log = LogWriter::new();
        let mut time = 1000;
        let texts = (0..open).map(|number| format!("START {number} r")).chain((0..ends).map(|_| "STOP x".to_string()));
        let texts: Vec<String> = texts.collect();
        for texts in texts.chunks(1000) {
            log.block(Block::of(CapNo(0)), |events| {
                events.event(Nanos(time), RunThread { thread: ThreadId(1) });
                for text in texts {
                    time += 10;
                    events.event(Nanos(time), UserMsg { text: Text(text.as_bytes()) });
                }
            });
        }
        log.end();
        log.finish()
    };
    let took = |log: &[u8]| {
        let best = (0..5).map(|_| {
            let mut model = model_in_steps(log, 1 << 20);
            let begin = Instant::now();
            assert!(replay(&mut model, log));
            begin.elapsed()
        });
        best.min().unwrap()
    };
    for open in [1, 64, 4095] {
        let (with, without) = (took(&log(open, ENDS)), took(&log(open, 0)));
        println!("{open} open: {:?} for each unmatched end", with.saturating_sub(without) / ENDS);
    }
}
