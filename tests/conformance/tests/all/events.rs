//! The log's events, read again page by page, are those of a decoder that reads from front to back, each once, for any
//! choice of types and any start.

use conformance::{Mutants, decode_in_steps, files, model_in_steps, project};
use ghc_eventlog::{Block, CapNo, CreateThread, GcEnd, GcStart, LogWriter, Nanos, RunThread, ThreadId};
use ghc_eventlog_model::{Changed, EventRows, EventsWish, Job, Listing, Model, Query, TablePage, Value, limits};
use std::{collections::BTreeMap, fs};

/// An event: its number, and its row.
pub(crate) type Row = (u16, Vec<Value>);

/// All events, from a decoder that reads from front to back.
pub(crate) fn decoded(log: &[u8]) -> Vec<Row> {
    // The first name that any header has for a type.
    let mut names: BTreeMap<u16, String> = BTreeMap::new();
    let rows = decode_in_steps(log, 1 << 16, |decoder, record| {
        let header = decoder.header();
        let described = header.declared(record.tag).map_or("", |declared| &*declared.description);
        let ghcs = ghc_eventlog::info(record.tag).filter(|_| !header.has_other_fields(record.tag));
        let known = ghcs.map_or(described, |info| info.name);
        if !known.is_empty() {
            names.entry(record.tag).or_insert_with(|| known[..known.floor_char_boundary(limits::MAX_TEXT)].to_string());
        }
        let row = vec![
            Value::Time(record.time),
            record.cap.map_or(Value::Unknown, Value::Capability),
            Value::Unknown,
            Value::words(ghc_eventlog_text::fields(&record, header).cut(limits::MAX_EVENT_TEXT).for_json()),
            Value::Offset(record.offset),
        ];
        (!record.is_block_marker()).then_some((record.tag, row))
    });
    let number = |(at, (tag, mut row)): (usize, Row)| {
        row[2] = Value::words(names.get(&tag).cloned().unwrap_or_else(|| format!("type {tag}")));
        row.push(Value::Count(at as u64 + 1));
        (tag, row)
    };
    rows.events.into_iter().flatten().enumerate().map(number).collect()
}

pub(crate) fn wish(chosen: &[u16]) -> EventsWish {
    EventsWish { types: (!chosen.is_empty()).then(|| chosen.to_vec()), ..EventsWish::default() }
}

/// The same of a range, from one time to before another.
fn wish_within(chosen: &[u16], within: (Nanos, Nanos)) -> EventsWish {
    EventsWish { within: Some(within), ..wish(chosen) }
}

/// Some rows, after reading everything that they need, from the last piece to the first; and how many bytes were read.
fn page(model: &mut Model, log: &[u8], chosen: &[u16], from: usize, count: usize) -> (TablePage, u64) {
    read(model, log, &wish(chosen), from, count)
}

fn read(model: &mut Model, log: &[u8], wish: &EventsWish, from: usize, count: usize) -> (TablePage, u64) {
    let job = model.event_rows(wish, from, count).expect("a wish");
    read_job(model, log, job)
}

/// The rows of a job, without their threads, and with their type also where its fields take its place.
pub(crate) fn read_job(model: &mut Model, log: &[u8], mut job: EventRows) -> (TablePage, u64) {
    let mut bytes = 0;
    loop {
        let reads = job.reads(model);
        assert_eq!(job.page().is_some(), reads.is_empty());
        let Some(&(offset, length)) = reads.last() else { break };
        bytes += length;
        job.give(model, offset, &log[offset as usize..(offset + length) as usize]).unwrap();
    }
    assert_eq!(job.progress().done, job.progress().of);
    let mut page = job.page().unwrap().clone();
    let fields = job.field_columns();
    for row in &mut page.rows {
        if let Some(only) = job.only_type().filter(|_| !fields.is_empty()) {
            row.splice(fields.clone(), [Value::words(model.type_name(only))]);
        }
        row.drain(2..4);
    }
    (page, bytes)
}

/// Checks that all rows of a model are the expected ones, in pages of some size.
fn assert_rows(name: &str, model: &mut Model, log: &[u8], chosen: &[u16], expected: &[Row], size: usize) {
    let is_chosen = |tag: u16| chosen.is_empty() || chosen.contains(&tag);
    let expected: Vec<&Row> = expected.iter().filter(|(tag, _)| is_chosen(*tag)).collect();
    for from in (0..=expected.len()).step_by(size) {
        let (page, _) = page(model, log, chosen, from, size);
        assert_eq!((page.found, page.from), (expected.len(), from), "{name}, {chosen:?}");
        let wanted = &expected[from..expected.len().min(from + size)];
        let rows: Vec<&Vec<Value>> = wanted.iter().map(|(_, row)| row).collect();
        assert_eq!(page.rows.len(), rows.len(), "{name}, {chosen:?}, from {from}");
        for (row, expected) in page.rows.iter().zip(&rows) {
            assert_eq!(row, *expected, "{name}, {chosen:?}, from {from}");
        }
        let times: Vec<Value> = page.times.iter().map(|time| Value::Time(time.unwrap())).collect();
        assert!(times.iter().zip(rows).all(|(time, row)| *time == row[0]), "{name}");
    }
}

/// Checks that all rows of some ranges are the expected ones, including ranges at the edges of the log.
fn assert_ranges(name: &str, model: &mut Model, log: &[u8], chosen: &[u16], expected: &[Row]) {
    let time = |(_, row): &Row| if let Value::Time(time) = row[0] { time } else { panic!("{name}: {row:?}") };
    let mut times: Vec<Nanos> = expected.iter().map(time).collect();
    times.sort_unstable();
    let at = |part: usize| times.get(times.len() * part / 8).or(times.last()).copied().unwrap_or_default();
    let after = |time: Nanos| time.plus(Nanos(1));
    let ranges = [(at(0), after(at(8))), (at(0), at(1)), (at(3), at(5)), (at(4), after(at(4))), (at(7), Nanos::MAX)];
    for range in ranges {
        let is_in = |row: &&Row| {
            let time = time(row);
            (chosen.is_empty() || chosen.contains(&row.0)) && range.0 <= time && time < range.1
        };
        let expected: Vec<&Row> = expected.iter().filter(is_in).collect();
        for from in [0, expected.len() / 2] {
            let (page, _) = read(model, log, &wish_within(chosen, range), from, 500);
            assert_eq!(page.found, expected.len(), "{name}, {chosen:?}, {range:?}");
            let wanted = expected.iter().skip(from).take(500).map(|(_, row)| row);
            assert!(page.rows.iter().eq(wanted), "{name}, {chosen:?}, {range:?} from {from}: {:?}", page.rows);
        }
    }
}

fn listing(model: &Model) -> Listing {
    model.facts(None).section("events").unwrap().listing.clone().unwrap()
}

#[test]
fn events_read_again_are_those_of_the_log() {
    let number = |name| std::env::var(name).ok().and_then(|number| number.parse().ok());
    let mutants = number("MUTANTS").unwrap_or(5);
    let (mut rows, mut unknown) = (0, 0);
    for (seed, path) in files(&project().join("tests/corpus"), "log.eventlog").iter().enumerate() {
        let log = fs::read(path).unwrap();
        let mutants = if log.len() < 64 << 10 { mutants } else { 1 };
        let forms = [log.clone()].into_iter().chain(Mutants::new(&log, seed as u64).take(mutants));
        for (form, log) in forms.enumerate() {
            let name = format!("{}, form {form}", path.display());
            let expected = decoded(&log);
            let mut model = model_in_steps(&log, 10_000);
            assert_eq!(expected.len() as u64, model.events(), "{name}");
            assert_rows(&name, &mut model, &log, &[], &expected, 997);
            rows += expected.len();
            let Listing { table, choices } = listing(&model);
            assert_eq!(table.rows, expected.len(), "{name}");
            let mut counts: BTreeMap<u16, u64> = BTreeMap::new();
            expected.iter().for_each(|(tag, _)| *counts.entry(*tag).or_default() += 1);
            unknown += counts.range(256..).count();
            let offered: BTreeMap<u16, u64> = choices.iter().map(|choice| (choice.key, choice.count)).collect();
            assert_eq!(offered, counts, "{name}");
            if expected.len() < 10_000 {
                for tag in counts.keys() {
                    assert_rows(&name, &mut model, &log, &[*tag], &expected, 333);
                }
            }
            let some: Vec<u16> = counts.keys().copied().step_by(2).collect();
            let chosen: &[u16] = if form % 2 == 0 { &[] } else { &some };
            assert_ranges(&name, &mut model, &log, chosen, &expected);
            assert_rows(&name, &mut model, &log, &some, &expected, 5000);
        }
    }
    assert!(rows > 50_000 && unknown > 0, "{rows} rows, {unknown} large numbers");
}

#[test]
fn what_has_been_read_of_a_log_can_be_listed_before_the_rest() {
    let mut log = LogWriter::new();
    for run in 0..60_000 {
        log.block(Block::of(CapNo(run as u16 % 2)), |block| {
            block.event(Nanos(run), RunThread { thread: ThreadId(1) });
            if run % 100 == 0 {
                block.event(Nanos(run), GcStart {});
            }
        });
    }
    log.end();
    let log = log.finish();
    let expected = decoded(&log);
    let mut model = Model::of_size(Some(log.len() as u64));
    let (mut before, mut between) = (0, 0);
    for bytes in log.chunks(log.len() / 9) {
        model.feed(bytes);
        let rows = listing(&model).table.rows;
        assert!(rows >= before && rows as u64 <= model.events(), "{rows} of {}", model.events());
        between += usize::from(before < rows && rows < expected.len());
        before = rows;
        assert_rows("runs", &mut model, &log, &[], &expected[..rows], 5000);
        assert_rows("runs", &mut model, &log, &[9, 10], &expected[..rows], 5000);
    }
    assert!(between > 2, "{between}");
    model.finish();
    assert_rows("runs", &mut model, &log, &[9, 10], &expected, 5000);
    assert_ranges("runs", &mut model, &log, &[9, 10], &expected);
    // For a range, only its edges are read, and the pieces with the rows.
    let piece = model.pieces_with(&[], None).map(|piece| piece.length).max().unwrap();
    let range = wish_within(&[], (Nanos(20_000), Nanos(50_000)));
    let (rows, bytes) = read(&mut model, &log, &range, 15_000, 20);
    assert_eq!(rows.found, expected.iter().filter(|(_, row)| in_range(row, 20_000, 50_000)).count());
    assert!(bytes <= 6 * piece && 20 * piece < log.len() as u64, "{bytes} bytes, {piece} in a segment");
    // The edges of one range are read once, for all of its pages.
    let (next, bytes) = read(&mut model, &log, &range, 15_020, 20);
    assert_eq!(next.found, rows.found);
    assert!(bytes <= 2 * piece + 4096, "{bytes} bytes, {piece} in a segment");
}

fn in_range(row: &[Value], from: u64, to: u64) -> bool {
    matches!(row[0], Value::Time(Nanos(time)) if from <= time && time < to)
}

/// A job continues even if the index is merged meanwhile, and the merged index has the same rows.
#[test]
fn a_merged_index_has_the_same_rows() {
    const CAPS: u16 = 1000;
    let mut log = LogWriter::new();
    for round in 0..300 {
        for cap in 0..CAPS {
            log.block(Block::of(CapNo(cap)), |block| {
                let at = round * 2000 + u64::from(cap);
                block.event(Nanos(at), RunThread { thread: ThreadId(1) });
                if cap == 500 && round % 10 == 0 {
                    block.event(Nanos(at), GcStart {});
                    block.event(Nanos(at + 1), GcEnd {});
                }
            });
        }
    }
    log.end();
    let log = log.finish();
    let expected = decoded(&log);
    let mut model = Model::of_size(Some(log.len() as u64));
    let (first, rest) = log.split_at(log.len() / 20);
    model.feed(first);
    let pieces = |model: &Model| model.pieces_with(&[], None).count();
    let early = pieces(&model);
    assert!(early > 4, "{early}");
    let mut job = model.event_rows(&wish(&[]), 1000, 5000).unwrap();
    let range = wish_within(&[], (Nanos(3000), Nanos(24_000)));
    let mut of_range = model.event_rows(&range, 0, 10).unwrap();
    model.feed(rest);
    model.finish();
    assert!(pieces(&model) < early * 10, "{} pieces are not merged", pieces(&model));
    while let [(offset, length), ..] = job.reads(&mut model)[..] {
        job.give(&mut model, offset, &log[offset as usize..(offset + length) as usize]).unwrap();
    }
    let rows = read_job(&mut model, &log, job).0.rows;
    assert!(rows.iter().zip(&expected[1000..]).all(|(row, (_, expected))| row == expected) && rows.len() > 100);
    // Its counts are for the old segments, not the merged ones, so the next page must not use them.
    while let [(offset, length), ..] = of_range.reads(&mut model)[..] {
        of_range.give(&mut model, offset, &log[offset as usize..(offset + length) as usize]).unwrap();
    }
    let found = expected.iter().filter(|(_, row)| in_range(row, 3000, 24_000)).count();
    assert_eq!(read(&mut model, &log, &range, 10, 10).0.found, found);
    assert_rows("merged", &mut model, &log, &[9], &expected, 7);
    assert_rows("merged", &mut model, &log, &[9, 10], &expected, 7);
    assert_rows("merged", &mut model, &log, &[1], &expected, 9999);
    assert_ranges("merged", &mut model, &log, &[9, 10], &expected);
    assert_ranges("merged", &mut model, &log, &[], &expected);
    // A few rows need only a few segments, wherever they are.
    let piece = model.pieces_with(&[], None).map(|piece| piece.length).max().unwrap();
    for from in [0, 150_000, expected.len() - 20] {
        let (_, bytes) = page(&mut model, &log, &[], from, 20);
        assert!(bytes <= 2 * piece + 4096, "{bytes} bytes for 20 rows, {piece} in a segment");
    }
}

/// A file that cannot be read completely for some time counts as changed, and then it is readable again.
#[test]
fn what_could_not_be_counted_is_counted_the_next_time() {
    const START: u64 = 1_000_000_000;
    let create = CreateThread { thread: ThreadId(1) };
    let mut log = LogWriter::new();
    let end = log.offset() + limits::SEGMENT_HARD as usize;
    // The segment's last record has a time that the records after it must confirm.
    log.block(Block::of(CapNo(0)), |block| {
        let mut time = START;
        while block.offset() + 14 < end {
            time += 1;
            block.event(Nanos(time), create);
        }
        block.event(Nanos(START - 20_000_000), create);
        for _ in 0..50_000 {
            block.event(Nanos(time), create);
        }
    });
    log.end();
    let log = log.finish();
    let expected = decoded(&log);
    let mut model = model_in_steps(&log, 1 << 16);
    let range = wish_within(&[], (Nanos(START + 100), Nanos(START + 1000)));
    let mut job = model.event_rows(&range, 0, 10).unwrap();
    let [(offset, length)] = job.reads(&mut model)[..] else { panic!("one edge") };
    let piece = &log[offset as usize..][..(length - limits::SEGMENT_AHEAD) as usize];
    let given: Vec<_> = (0..9).map(|_| job.give(&mut model, offset, piece)).collect();
    assert_eq!((given[0], given[8]), (Ok(()), Err(Changed)), "first more of it is wanted");
    assert_eq!(job.page(), None);
    let found = expected.iter().filter(|(_, row)| in_range(row, START + 100, START + 1000)).count();
    assert_eq!(read(&mut model, &log, &range, 0, 10).0.found, found);
}

#[test]
fn pages_beyond_the_end_are_empty() {
    let log = fs::read(project().join("tests/corpus/single/log.eventlog")).unwrap();
    let mut model = model_in_steps(&log, 10_000);
    let all = listing(&model).table.rows;
    let lengths = |(page, bytes): (TablePage, u64)| (page.rows.len(), page.found, bytes);
    assert_eq!(lengths(page(&mut model, &log, &[], all, 100)), (0, all, 0));
    assert_eq!(lengths(page(&mut model, &log, &[], usize::MAX, usize::MAX)), (0, all, 0));
    assert_eq!(lengths(page(&mut model, &log, &[255], 0, 100)), (0, 0, 0));
    assert_eq!(page(&mut model, &log, &[], all - 1, 100).0.rows.len(), 1);
    let none = EventsWish { types: Some(Vec::new()), ..EventsWish::default() };
    assert_eq!(lengths(read(&mut model, &log, &none, 0, 10)), (0, 0, 0));
    let no_query = EventsWish { query: "longer:soon".into(), ..EventsWish::default() };
    assert_eq!(model.event_rows(&no_query, 0, 10).unwrap_err(), Query::parse("longer:soon").unwrap_err());
}
