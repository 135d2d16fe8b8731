//! The list of events in order of time, and of those that fit a query: it equals a stable sort, and a filter, of all events; and
//! the n-th row is right from any place.

use crate::events::{Row, decoded, read_job, wish};
use conformance::{Mutants, files, model_in_steps, project};
use ghc_eventlog::{Block, CapNo, CreateThread, LogWriter, Nanos, RunThread, Text, ThreadId, UserMsg};
use ghc_eventlog_model::{
    EventsWish, FindOrder, FindWishes, Job, Model, Patience, Query, ReadEvent, TablePage, Value, limits, work,
};
use std::{collections::BTreeSet, convert::Infallible, fs};

fn in_time(chosen: &[u16]) -> EventsWish {
    EventsWish { by_time: true, ..wish(chosen) }
}

fn time((_, row): &Row) -> Nanos {
    if let Value::Time(time) = row[0] { time } else { panic!("{row:?}") }
}

fn offset((_, row): &Row) -> u64 {
    if let Value::Offset(offset) = row[4] { offset } else { panic!("{row:?}") }
}

/// All events in order of time; those of one time stay in the order of the file.
fn sorted(mut all: Vec<Row>) -> Vec<Row> {
    all.sort_by_key(time);
    all
}

fn answered(job: &mut dyn Job, model: &mut Model, log: &[u8]) {
    let read = |offset: u64, length: u64| Ok::<_, Infallible>(&log[offset as usize..(offset + length) as usize]);
    assert_eq!(work(job, model, read), Ok(true));
}

fn page(model: &mut Model, log: &[u8], wish: &EventsWish, from: usize, count: usize, most: usize) -> TablePage {
    let job = model.event_rows_within(wish, from, count, most).unwrap();
    read_job(model, log, job).0
}

/// Checks pages from some places, not in order.
fn assert_pages(name: &str, model: &mut Model, log: &[u8], wish: &EventsWish, expected: &[&Row], most: usize) {
    let size = expected.len().div_ceil(7).max(1);
    for from in [3, 0, 6, 2, 5, 1, 4, 7].map(|part| part * size) {
        let page = page(model, log, wish, from, size.min(most), most);
        assert_eq!(page.found, expected.len(), "{name}, {wish:?}");
        let wanted = expected.iter().skip(from).take(size.min(most));
        for ((_, row), found) in wanted.clone().zip(&page.rows) {
            assert_eq!(found, row, "{name}, {wish:?}, from {from}, {most} at once");
        }
        assert_eq!(page.rows.len(), wanted.count(), "{name}, {wish:?}, from {from}");
    }
}

fn count(model: &mut Model, log: &[u8], wish: &EventsWish) -> u64 {
    let mut job = model.count_events(wish).unwrap().expect("the log is over");
    answered(&mut job, model, log);
    assert!(job.is_done());
    job.found()
}

/// Logs of the corpus with some mutants of each, with a name and a number.
fn logs() -> impl Iterator<Item = (String, usize, Vec<u8>)> {
    let mutants = std::env::var("MUTANTS").ok().and_then(|number| number.parse().ok()).unwrap_or(3);
    files(&project().join("tests/corpus"), "log.eventlog").into_iter().enumerate().flat_map(move |(seed, path)| {
        let log = fs::read(&path).unwrap();
        let mutants = if log.len() < 64 << 10 { mutants } else { 1 };
        let forms: Vec<Vec<u8>> =
            [log.clone()].into_iter().chain(Mutants::new(&log, seed as u64).take(mutants)).collect();
        forms.into_iter().enumerate().map(move |(form, log)| (format!("{}, form {form}", path.display()), form, log))
    })
}

#[test]
fn events_in_order_of_time_are_all_events_sorted() {
    let mut rows = 0;
    for (name, form, log) in logs() {
        let expected = sorted(decoded(&log));
        let mut model = model_in_steps(&log, 10_000);
        let all: Vec<&Row> = expected.iter().collect();
        assert_pages(&name, &mut model, &log, &in_time(&[]), &all, limits::ORDER_KEYS);
        // With little room, it is found in several steps.
        assert_pages(&name, &mut model, &log, &in_time(&[]), &all, 50);
        let tags: BTreeSet<u16> = expected.iter().map(|(tag, _)| *tag).collect();
        let some: Vec<u16> = tags.into_iter().skip(form % 2).step_by(2).collect();
        let chosen: Vec<&Row> = expected.iter().filter(|(tag, _)| some.contains(tag)).collect();
        if !some.is_empty() {
            assert_pages(&name, &mut model, &log, &in_time(&some), &chosen, limits::ORDER_KEYS);
        }
        let at = |part: usize| expected.get(expected.len() * part / 8).map_or(Nanos(0), time);
        let (from, to) = (at(2), at(5));
        let within: Vec<&Row> = expected.iter().filter(|row| from <= time(row) && time(row) < to).collect();
        let wish = EventsWish { within: Some((from, to)), ..in_time(&[]) };
        assert_pages(&name, &mut model, &log, &wish, &within, limits::ORDER_KEYS);
        rows += expected.len();
    }
    assert!(rows > 50_000, "{rows}");
}

const QUERIES: [&str; 9] = [
    "thread:1",
    "type:thread cap:0",
    "-type:thread",
    "type:GC_START",
    "text:a",
    "GC",
    "from:1ms -cap:1",
    "type:message /[0-9]+/",
    "longer:1ms",
];

#[test]
fn events_that_fit_a_query_are_those_among_all() {
    let mut found = 0;
    for (name, form, log) in logs() {
        let in_file = decoded(&log);
        let by_time = sorted(in_file.clone());
        let mut model = model_in_steps(&log, 10_000);
        for query in QUERIES.into_iter().skip(form % 2).step_by(2) {
            let wishes =
                FindWishes { order: FindOrder::InTime, most_text: 0, events_only: true, ..FindWishes::default() };
            let parsed = Query::parse(query).unwrap();
            if model.check_query(&parsed).is_err() {
                continue;
            }
            let mut find = model.find(&parsed, wishes).unwrap();
            answered(&mut find, &mut model, &log);
            let hits: BTreeSet<u64> = find.take_hits().into_iter().map(|hit| hit.place).collect();
            for (order, all) in [(false, &in_file), (true, &by_time)] {
                let wish = EventsWish { by_time: order, query: query.into(), ..EventsWish::default() };
                let expected: Vec<&Row> = all.iter().filter(|row| hits.contains(&offset(row))).collect();
                assert_eq!(count(&mut model, &log, &wish), expected.len() as u64, "{name}, {query}");
                assert_pages(&name, &mut model, &log, &wish, &expected, limits::ORDER_KEYS);
                found += expected.len();
            }
        }
    }
    assert!(found > 20_000, "{found}");
}

/// A log of four capabilities with 30 segments or so; every hundredth event is a message.
fn long() -> Vec<u8> {
    let mut log = LogWriter::new();
    for round in 0..40_u64 {
        for cap in 0..4_u16 {
            log.block(Block::of(CapNo(cap)), |block| {
                for at in 0..2000 {
                    let time = Nanos(round * 8000 + at * 4 + u64::from(cap % 3));
                    if at % 100 == 0 {
                        block.event(time, UserMsg { text: Text(format!("round {round}").as_bytes()) });
                    } else {
                        block.event(time, CreateThread { thread: ThreadId(1) });
                    }
                }
            });
        }
    }
    log.end();
    log.finish()
}

#[test]
fn rows_that_are_shown_while_the_log_is_searched_stay_where_they_are() {
    let log = long();
    for by_time in [false, true] {
        let wish = EventsWish { by_time, query: "text:round".into(), ..EventsWish::default() };
        let mut model = model_in_steps(&log, 1 << 16);
        let all = if by_time { sorted(decoded(&log)) } else { decoded(&log) };
        let expected: Vec<&Row> = all.iter().filter(|(tag, _)| *tag == UserMsg::TAG).collect();
        let mut job = model.count_events(&wish).unwrap().unwrap();
        let (mut shown, mut between, mut patience) = (0, 0, Patience::default());
        loop {
            let rows = model.event_rows(&wish, shown, 5000).unwrap();
            let is_complete = rows.is_complete();
            let (page, _) = read_job(&mut model, &log, rows);
            assert!(page.found >= shown && page.found as u64 <= job.found(), "{} {}", page.found, job.found());
            assert!(page.rows.iter().eq(expected[shown..].iter().take(page.rows.len()).map(|(_, row)| row)));
            shown += page.rows.len();
            let reads = job.reads(&mut model);
            assert_eq!((is_complete, job.is_done()), (reads.is_empty(), reads.is_empty()));
            between += usize::from(shown > 0 && shown < expected.len());
            assert!(patience.goes_on(job.progress()));
            let Some((offset, length)) = reads.first().copied() else { break };
            job.give(&mut model, offset, &log[offset as usize..(offset + length) as usize]).unwrap();
        }
        assert_eq!(shown, expected.len());
        assert!(between > 2, "{between}");
        // What has been counted is not counted again, whatever the order.
        let other = EventsWish { by_time: !by_time, ..wish };
        assert!(model.count_events(&other).unwrap().unwrap().is_done());
    }
}

#[test]
fn segments_without_the_type_are_not_read() {
    let log = long();
    let mut model = model_in_steps(&log, 1 << 16);
    let wish = EventsWish { query: "type:RUN_THREAD".into(), ..EventsWish::default() };
    assert!(model.count_events(&wish).unwrap().unwrap().reads(&mut model).is_empty());
    // What the type alone decides is known without reading.
    let wish = EventsWish { query: "type:message".into(), ..EventsWish::default() };
    let job = model.count_events(&wish).unwrap().unwrap();
    assert_eq!((job.is_done(), job.found()), (true, 40 * 4 * 20));
}

#[test]
fn few_segments_are_read_for_a_page_in_order_of_time() {
    let log = long();
    let mut model = model_in_steps(&log, 1 << 16);
    let piece = model.pieces_with(&[], None).map(|piece| piece.length).max().unwrap();
    let all = decoded(&log).len();
    for from in [0, all / 2, all - 30] {
        let job = model.event_rows_within(&in_time(&[]), from, 30, 1000).unwrap();
        let (page, bytes) = read_job(&mut model, &log, job);
        assert_eq!(page.rows.len(), 30);
        // Those of each capability around that time, up to three times.
        assert!(bytes <= 4 * 3 * 3 * piece && bytes < log.len() as u64, "{bytes}, {piece} in a segment");
    }
    // The next page needs only those with its rows.
    let first = model.event_rows(&in_time(&[]), all / 2, 30).unwrap();
    read_job(&mut model, &log, first);
    let next = model.event_rows(&in_time(&[]), all / 2 + 30, 30).unwrap();
    let (_, bytes) = read_job(&mut model, &log, next);
    assert!(bytes <= 4 * (piece + limits::SEGMENT_AHEAD), "{bytes}, {piece} in a segment");
}

#[test]
fn the_row_of_a_moment_is_that_of_its_first_event() {
    for (name, form, log) in logs().filter(|(_, form, _)| *form < 3) {
        let in_file = decoded(&log);
        let by_time = sorted(in_file.clone());
        let mut model = model_in_steps(&log, 10_000);
        let at = |part: usize| by_time.get(by_time.len() * part / 5).map_or(Nanos(form as u64), time);
        for moment in [Nanos(0), at(1), at(3).plus(Nanos(1)), at(4), Nanos::MAX] {
            let first = by_time.iter().find(|row| time(row) >= moment).map(offset);
            for (order, all) in [(false, &in_file), (true, &by_time)] {
                let expected = all.iter().position(|row| Some(offset(row)) == first).unwrap_or(all.len());
                let wish = EventsWish { by_time: order, ..EventsWish::default() };
                let mut job = model.event_place(&wish, moment).unwrap().unwrap();
                answered(&mut job, &mut model, &log);
                assert_eq!(job.row(), Some(expected as u64), "{name}, {moment:?}, in order of time: {order}");
            }
        }
    }
}

fn event(model: &mut Model, log: &[u8], offset: u64) -> Option<ReadEvent> {
    let mut job = model.event_details(offset);
    answered(&mut job, model, log);
    job.event().cloned()
}

#[test]
fn an_event_has_its_whole_text_and_its_bytes() {
    let long = "word ".repeat(9000);
    let mut log = LogWriter::new();
    log.block(Block::of(CapNo(0)), |block| {
        block.event(Nanos(5), RunThread { thread: ThreadId(7) });
        block.event(Nanos(6), UserMsg { text: Text(long.as_bytes()) });
    });
    log.end();
    let log = log.finish();
    let mut model = model_in_steps(&log, 1 << 16);
    let offset = offset(&decoded(&log)[1]);
    let read = event(&mut model, &log, offset).unwrap();
    assert_eq!((read.number, read.time, read.cap, read.ran), (2, Nanos(6), Some(CapNo(0)), Some(ThreadId(7))));
    assert_eq!(read.text.for_json(), long);
    assert_eq!(read.fields, [("text", Value::words(long.clone()))]);
    // Two bytes of the type, eight of the time, two of the length.
    assert_eq!((read.bytes.len(), &read.bytes[..2]), (12 + long.len(), &[0, 19][..]));
    assert_eq!(&read.bytes[12..], long.as_bytes());
    assert_eq!(event(&mut model, &log, offset + 1), None);
    assert_eq!(event(&mut model, &log, u64::MAX), None);
}

#[test]
fn any_event_can_be_read_on_its_own() {
    for (name, _, log) in logs() {
        let all = decoded(&log);
        let mut model = model_in_steps(&log, 10_000);
        for (at, row) in all.iter().enumerate().step_by(all.len().div_ceil(5).max(1)) {
            let read = event(&mut model, &log, offset(row)).unwrap_or_else(|| panic!("{name}: {row:?}"));
            assert_eq!((read.number, read.time, read.tag), (at as u64 + 1, time(row), row.0), "{name}");
            let bytes = &log[read.offset as usize..][..read.bytes.len()];
            assert_eq!(read.bytes, bytes, "{name}");
            let end = read.offset + bytes.len() as u64;
            let next = all.get(at + 1).map_or(log.len() as u64, offset);
            assert!(bytes.len() >= 10 && end <= next, "{name}: {read:?}, the next one is at {next}");
        }
    }
}

#[test]
fn lines_are_those_that_find_prints() {
    let mut log = LogWriter::new();
    log.block(Block::of(CapNo(3)), |block| {
        block.event(Nanos(5), RunThread { thread: ThreadId(7) });
        block.event(Nanos(6), UserMsg { text: Text(b"say \"a\\b\"\n") });
    });
    log.end();
    let log = log.finish();
    let mut model = model_in_steps(&log, 1 << 16);
    let mut job = model.event_lines(&wish(&[]), 1, 10).unwrap();
    answered(&mut job, &mut model, &log);
    let at = offset(&decoded(&log)[1]);
    let expected = format!(
        r#"{{"time_ns":6,"kind":"message","type":"USER_MSG","length_ns":null,"cap":3,"thread":7,"text":"say \"a\\b\"\u000a","offset":{at},"number":2}}"#
    );
    assert_eq!(job.lines(), Some(&[expected][..]));
    assert_eq!(job.page(), None);
}

/// The fields of the only type are columns, and the thread that ran is one.
#[test]
fn events_of_one_type_have_their_fields_as_columns() {
    let log = fs::read(project().join("tests/corpus/threaded/log.eventlog")).unwrap();
    let mut model = model_in_steps(&log, 10_000);
    let wish = EventsWish { by_time: true, query: "type:MIGRATE_THREAD".into(), ..EventsWish::default() };
    let mut job = model.event_rows(&wish, 0, 1000).unwrap();
    answered(&mut job, &mut model, &log);
    let keys: Vec<&str> = job.columns().iter().map(|column| column.key).collect();
    assert_eq!(keys, ["time_ns", "cap", "ran", "ran_label", "thread", "cap", "event", "offset_bytes", "number"]);
    assert_eq!(job.field_columns(), 4..6);
    let page = job.page().unwrap();
    assert!(page.found > 3);
    for row in &page.rows {
        let (Value::Thread(thread), Value::Capability(cap)) = (&row[4], &row[5]) else { panic!("{row:?}") };
        assert_eq!(row[6], Value::words(format!("migrating thread {} to cap {}", thread.0, cap.0)));
    }
    // Runs of threads: the thread that ran there is the one that the event names.
    let wish = EventsWish { query: "type:RUN_THREAD".into(), ..wish };
    let mut job = model.event_rows(&wish, 0, 1000).unwrap();
    answered(&mut job, &mut model, &log);
    let rows = &job.page().unwrap().rows;
    assert!(rows.len() > 100 && rows.iter().all(|row| row[2] == row[4]), "{rows:?}");
}
