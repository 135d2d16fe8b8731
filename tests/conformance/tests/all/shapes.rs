//! Compares lines and points with their events.

use conformance::arranged;
use conformance::{answered, decode_in_steps, exact_plan, long_logs, model_in_steps, whole_range};
use ghc_eventlog::{
    Block, BlocksSize, CapNo, CapsetId, Event, GcEnd, HeapAllocated, HeapInfo, HeapLive, HeapSize, LogWriter,
    MemReturn, Nanos, RequestParGc, RequestSeqGc, SparkCounters,
};
use ghc_eventlog_model::{Note, Place, Shape, TableQuery, Track, Value, View, limits};
use std::collections::BTreeMap;

/// Time, capability (the largest number for none) and value of each event that has one, in order of time.
fn events(log: &[u8], value: fn(Event<'_>) -> Option<u64>) -> Vec<(Nanos, u16, u64)> {
    let read = decode_in_steps(log, log.len(), |_, record| {
        Some((record.time, record.cap.map_or(u16::MAX, |cap| cap.0), value(record.event())?))
    });
    let mut found: Vec<_> = read.events.into_iter().flatten().collect();
    found.sort_by_key(|(time, ..)| *time);
    found
}

fn of_shape(tracks: Vec<Track>, wanted: fn(&Shape) -> bool) -> Vec<Track> {
    tracks.into_iter().filter(|track| wanted(&track.shape)).collect()
}

/// The kind number of the allocation lines.
const ALLOCATION: u64 = 12;

/// A line from its events: values, each from a time on, and when the last one ends, if it is not known to continue.
#[derive(Default)]
struct Made {
    values: Vec<(Nanos, u64)>,
    until: Option<Nanos>,
}

/// A counter's line from the values of events, for one capability if `cap` names one.
fn counter(log: &[u8], cap: Option<u16>, value: fn(Event<'_>) -> Option<u64>) -> Made {
    let own = events(log, value).into_iter().filter(|(_, of, _)| cap.is_none_or(|cap| *of == cap));
    Made { values: own.map(|(time, _, value)| (time, value)).collect(), until: None }
}

/// The rates of a capability's running total, in file order.
fn rates(log: &[u8], cap: u16, total: impl Fn(Event<'_>) -> Option<u64>) -> Made {
    let read = decode_in_steps(log, log.len(), |_, record| {
        (record.cap == Some(CapNo(cap))).then(|| Some((record.time, total(record.event())?))).flatten()
    });
    let mut made = Made::default();
    let mut most = 0;
    for (time, total) in read.events.into_iter().flatten() {
        if let Some(since) = made.until.filter(|since| *since < time) {
            let more = u128::from(total.max(most) - most);
            made.values.push((since, (more * 1_000_000_000 / u128::from(time.since(since).0)) as u64));
        }
        (made.until, most) = (made.until.max(Some(time)), most.max(total));
    }
    made
}

/// What one collection leaves. The blocks' size is the last of these values.
fn left(log: &[u8], of: fn(Event<'_>) -> Option<u64>, left: fn(u64, u64) -> Option<u64>) -> Made {
    let mut told: BTreeMap<Option<CapNo>, u64> = BTreeMap::new();
    let read = decode_in_steps(log, log.len(), |_, record| match record.event() {
        Event::BlocksSize(blocks) => Some((record.time, left(told.remove(&record.cap)?, blocks.bytes)?)),
        Event::GcEnd(_) => told.remove(&record.cap).and(None),
        event => of(event).and_then(|bytes| told.insert(record.cap, bytes)).and(None),
    });
    let mut values: Vec<_> = read.events.into_iter().flatten().collect();
    values.sort_by_key(|(time, _)| *time);
    Made { values, until: None }
}

fn live(event: Event<'_>) -> Option<u64> {
    if let Event::HeapLive(live) = event { Some(live.bytes) } else { None }
}

fn size(event: Event<'_>) -> Option<u64> {
    if let Event::HeapSize(size) = event { Some(size.bytes) } else { None }
}

fn blocks(event: Event<'_>) -> Option<u64> {
    if let Event::BlocksSize(blocks) = event { Some(blocks.bytes) } else { None }
}

/// A line from its events, with the name of its values; `None` for lines that other tests check: those of all
/// capabilities together, and samples.
fn made(log: &[u8], track: &Track) -> Option<(Made, &'static str)> {
    let (kind, line, cap) = (track.id.number() >> 32, track.id.number() >> 16 & 0xffff, track.id.number() as u16);
    let pool = |event: Event<'_>| {
        if let Event::SparkCounters(counters) = event { Some(counters.remaining) } else { None }
    };
    let total = |event: Event<'_>| if let Event::HeapAllocated(all) = event { Some(all.bytes) } else { None };
    Some(match (kind, line) {
        (3, 0) => (counter(log, Some(cap), pool), "sparks in the pool"),
        (5, 0) => (counter(log, None, live), "live"),
        (6, 0) => (counter(log, None, blocks), "in blocks"),
        (7, 0) => (counter(log, None, size), "of heap"),
        (8, 0) => (left(log, live, |live, blocks| blocks.checked_sub(live)), "in blocks, but not live"),
        (9, 0) => (left(log, size, |size, blocks| size.checked_sub(blocks)), "of heap in no block"),
        // sampled.rs checks the samples of the time profile, few.rs the rates of sparks, telemetry.rs values in messages.
        (11 | 21, 0) | (13 | 27, _) => return None,
        (ALLOCATION, 0) => (rates(log, cap, total), "allocated"),
        other => panic!("{other:?}"),
    })
}

/// Lines of the same counter on all capabilities have one scale; others have their own.
#[test]
fn lines_of_all_capabilities_have_one_scale() {
    let mut compared = 0;
    for (name, log) in long_logs() {
        let model = model_in_steps(&log, 1 << 16);
        let lines = of_shape(model.tracks(&arranged(&model)), |shape| matches!(shape, Shape::Line { .. }));
        let most = |track: &Track| if let Shape::Line { most, .. } = track.shape { most } else { 0 };
        let cap_and_counter = |track: &Track| {
            let name = track.name.for_comparing();
            let (cap, counter) = name.strip_prefix("Cap ")?.split_once(' ')?;
            Some((cap.to_string(), counter.to_string()))
        };
        for track in &lines {
            let Some((_, counter)) = cap_and_counter(track) else { continue };
            let of_all = lines.iter().filter(|other| {
                other.id.kind() == track.id.kind() && cap_and_counter(other).is_some_and(|(_, own)| own == counter)
            });
            assert_eq!(model.alike(&arranged(&model), track.id), of_all.map(most).max(), "{name}, {counter}");
            compared += 1;
        }
    }
    assert!(compared > 10, "{compared}");
}

/// At any zoom a pixel of a line has the smallest and the largest value that it shows, and a look-up the one in force.
#[test]
fn a_line_shows_each_value_until_the_next_one() {
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    let mut compared = 0;
    let mut random = fastrand::Rng::with_seed(3);
    for (name, log) in long_logs() {
        let mut model = model_in_steps(&log, 1 << 16);
        let Some((first, last)) = model.extent() else { continue };
        for track in of_shape(model.tracks(&arranged(&model)), |shape| matches!(shape, Shape::Line { .. })) {
            // A log that was restarted has other totals, and nothing is known for the time in between.
            if name.contains("restart") {
                continue;
            }
            let Some((Made { values: mut own, until }, what)) = made(&log, &track) else { continue };
            if until.is_some() {
                // An unchanged rate is one value.
                own.dedup_by_key(|(_, rate)| *rate);
            }
            let (known, end) = track.known.expect("a line is of a time");
            assert!(known >= first && end <= last && until.is_none_or(|until| until == end), "{name}");
            assert_eq!(Some(known), own.first().map(|(time, _)| *time), "{name}, {}", track.name.for_comparing());
            let most = own.iter().map(|(_, value)| *value).max().unwrap();
            assert!(
                matches!(track.shape, Shape::Line { most: drawn, .. } if drawn == most),
                "{name}, {}",
                track.name.for_comparing()
            );
            for width in [1, 7, 300] {
                let from = Nanos(random.u64(first.0..=last.0));
                let to = Nanos(random.u64(from.0..=last.0) + 1);
                let view = View { from, to, width };
                let plan = exact_plan(&mut model, &log, view);
                let window = model.window(&arranged(&model), &plan, track.id);
                assert!(window.exact && window.values.len() == width * 4, "{name}");
                for (pixel, values) in window.values.chunks(4).enumerate() {
                    let edge = |pixel: usize| from.plus(Nanos((pixel as f64 * view.pixel()) as u64));
                    let held = own.iter().rev().find(|(time, _)| *time <= edge(pixel));
                    let inside = own.iter().filter(|(time, _)| edge(pixel) < *time && *time < edge(pixel + 1));
                    let shown: Vec<u64> = held.into_iter().chain(inside).map(|(_, value)| *value).collect();
                    if shown.is_empty() || edge(pixel) > end {
                        assert!(values.iter().all(|value| value.is_nan()), "{name} {pixel}");
                        continue;
                    }
                    let expected =
                        [shown[0], *shown.iter().min().unwrap(), *shown.iter().max().unwrap(), shown[shown.len() - 1]];
                    // Values with the same time may be in any order.
                    assert_eq!(values[1..3], expected.map(|value| value as f32)[1..3], "{name} {pixel}");
                    compared += 1;
                }
            }
            *seen.entry(what).or_default() += 1;
            if let Some(&(time, value)) =
                own.iter().rfind(|(time, _)| own.iter().filter(|(at, _)| at == time).count() == 1)
            {
                let search = model.look_up(&arranged(&model), track.id, time, time.plus(Nanos(1)));
                let Place::Span(found) = answered(&mut model, &log, search).0 else {
                    panic!("{name}: nothing at {time:?}")
                };
                let Shape::Line { unit, .. } = track.shape else { panic!("{:?}", track.shape) };
                let title = format!("{} {what}", unit.value(value).text(Nanos(0)));
                assert_eq!(
                    (found.span.start, found.title.for_json()),
                    (time, title),
                    "{name}, {}",
                    track.name.for_comparing()
                );
                // It is not known until when the last value of a counter held.
                let names: Vec<&str> = found.fields.iter().map(|(name, _)| *name).collect();
                let expected: &[&str] = if until.is_some() { &["Start", "End", "Duration"] } else { &["Since"] };
                assert_eq!(names, expected, "{name}, {}", track.name.for_comparing());
            }
        }
    }
    assert!(compared > 1000, "{compared}");
    assert!(seen.len() >= 7, "{seen:?}");
}

/// The bytes per second that a text begins with: "1.23 MiB/s allocated".
fn rate_in(text: &str) -> f64 {
    let (number, rest) = text.split_once(' ').expect(text);
    let units = ["B/s", "KiB/s", "MiB/s", "GiB/s", "TiB/s"];
    let unit = units.iter().position(|unit| rest.starts_with(unit)).expect(text);
    number.parse::<f64>().expect(text) * 1024_f64.powi(unit as i32)
}

/// A step function's area in a time, by its values from times on; each holds until the next one, the last until `end`.
fn area(values: &[(Nanos, u64)], end: Nanos, from: Nanos, to: Nanos) -> f64 {
    let ends = values.iter().skip(1).map(|(time, _)| *time).chain([end]);
    let held = values.iter().zip(ends);
    held.map(|((start, value), end)| end.min(to).since((*start).max(from)).0 as f64 * *value as f64).sum()
}

/// What all capabilities allocate together is the sum of what each does, at any place of any size.
#[test]
fn the_line_of_all_capabilities_is_the_sum_of_theirs() {
    let mut compared = 0;
    let mut random = fastrand::Rng::with_seed(6);
    for (name, log) in long_logs() {
        let mut model = model_in_steps(&log, 1 << 16);
        let tracks = model.tracks(&arranged(&model));
        let Some(all) = tracks.iter().find(|track| track.id.number() >> 32 == 11) else { continue };
        let each = tracks.iter().filter(|track| track.id.number() >> 32 == ALLOCATION);
        let each: Vec<Made> = each.map(|track| made(&log, track).unwrap().0).collect();
        assert!(each.len() > 1, "{name}");
        let (known, end) = all.known.unwrap();
        for _ in 0..20 {
            let (a, b) = (random.u64(known.0..end.0), random.u64(known.0..end.0));
            let search = model.look_up(&arranged(&model), all.id, Nanos(a.min(b)), Nanos(a.max(b).max(a.min(b) + 1)));
            let Place::Span(found) = answered(&mut model, &log, search).0 else { panic!("{name}: nothing there") };
            let (from, to) = (found.span.start, found.span.end);
            assert!(from.0 <= a.min(b) && a.max(b) <= to.0, "{name}: all of what was asked for");
            let sum: f64 = each.iter().map(|made| area(&made.values, made.until.unwrap(), from, to)).sum();
            let mean = sum / to.since(from).0 as f64;
            let shown = rate_in(found.title.for_comparing());
            // Each rate is rounded down, and so is what is written.
            assert!((shown - mean).abs() <= mean * 1e-2 + 10.0, "{name}, {from:?} to {to:?}: {shown}, not {mean}");
            compared += 1;
        }
        let view = View { from: known, to: end, width: 100 };
        let plan = exact_plan(&mut model, &log, view);
        let values = model.window(&arranged(&model), &plan, all.id).values;
        let high = values.chunks(4).map(|values| values[2]).fold(0.0, f32::max);
        assert!(values.iter().all(|value| !value.is_nan()), "{name}");
        assert!(
            matches!(all.shape, Shape::Line { most, .. } if most == high as u64),
            "{name}: {high} in {:?}",
            all.shape
        );
    }
    assert!(compared > 100, "{compared}");
}

/// More values than have a row, on more capabilities than get all of their buckets: sums and rates are right
/// nevertheless.
#[test]
fn what_is_allocated_is_known_however_much_is_kept() {
    const CAPS: u16 = 40;
    const TIMES: u64 = 3 * limits::MAX_SAMPLES_EACH as u64;
    let mut log = LogWriter::new();
    for cap in 0..CAPS {
        log.block(Block::of(CapNo(cap)), |log| {
            for at in 0..=TIMES {
                // All under one set of capabilities, whichever capability it is of.
                log.event(
                    Nanos(at * 1000),
                    HeapAllocated { capset: CapsetId(0), bytes: at * 10 * (u64::from(cap) + 1) },
                );
            }
        });
    }
    log.end();
    let log = log.finish();
    let mut model = model_in_steps(&log, 1 << 20);
    let all: u64 = (1..=u64::from(CAPS)).map(|cap| TIMES * 10 * cap).sum();
    let facts = model.facts(None);
    assert_eq!(facts.section("heap").unwrap().get("allocated_bytes").unwrap().value, Value::Bytes(all));
    let (range, _) = whole_range(&mut model, &log, Nanos(1001), Nanos(TIMES * 1000 / 2 + 1)).unwrap();
    let half = all / 2 - all / TIMES;
    let facts = model.facts(Some(&range));
    assert_eq!(facts.section("heap").unwrap().get("allocated_bytes").unwrap().value, Value::Bytes(half));
    let track =
        model.tracks(&arranged(&model)).into_iter().find(|track| track.name.for_comparing() == "Allocation").unwrap();
    let Shape::Line { most, .. } = track.shape else { panic!("{track:?}") };
    let rate = all * 1_000_000 / TIMES;
    assert!(most.abs_diff(rate) < rate / 1000, "{most}, not {rate}");
}

/// The size is logged once a collection has given memory back, and with that what there was before.
#[test]
fn the_heap_is_at_its_largest_before_memory_is_given_back() {
    const SET: CapsetId = CapsetId(0);
    let largest = |mblock_bytes: u64, returns: &[(u64, u32)]| {
        let mut log = LogWriter::new();
        log.event(Nanos(0), HeapInfo { mblock_bytes, ..HeapInfo::read(&[0; 42]) });
        log.block(Block::of(CapNo(0)), |log| {
            log.event(Nanos(10), GcEnd {}).event(Nanos(12), HeapSize { capset: SET, bytes: 70 });
            for &(at, current) in returns {
                log.event(Nanos(at), MemReturn { capset: SET, current, needed: 1, returned: 2 });
            }
        });
        log.end();
        let model = model_in_steps(&log.finish(), 1 << 20);
        let facts = model.facts(None);
        let heap = facts.section("heap").unwrap();
        assert!(heap.remarks.is_empty(), "this runtime tells");
        heap.get("max_size_bytes").map(|figure| (figure.value.clone(), figure.time)).unwrap()
    };
    let of = |bytes: u64, at: u64| (Value::Bytes(bytes), Some(Nanos(at)));
    assert_eq!(largest(10, &[(20, 8), (30, 9), (40, 9)]), of(90, 30));
    assert_eq!([largest(10, &[(20, 7)]), largest(10, &[])], [of(70, 12), of(70, 12)]);
}

/// Fragmentation is computed from the sizes that one collection leaves, in any capability's stream, not from those of
/// an earlier one.
#[test]
fn fragmentation_is_of_one_collection() {
    const SET: CapsetId = CapsetId(0);
    let mut log = LogWriter::new();
    log.block(Block::of(CapNo(1)), |log| {
        log.event(Nanos(30), GcEnd {}).event(Nanos(31), HeapSize { capset: SET, bytes: 90 });
        log.event(Nanos(32), BlocksSize { capset: SET, bytes: 75 });
        // Lost: the size of the blocks.
        log.event(Nanos(50), GcEnd {}).event(Nanos(51), HeapLive { capset: SET, bytes: 40 });
        log.event(Nanos(60), GcEnd {}).event(Nanos(61), BlocksSize { capset: SET, bytes: 60 });
    });
    log.block(Block::of(CapNo(0)), |log| {
        log.event(Nanos(10), GcEnd {}).event(Nanos(11), HeapLive { capset: SET, bytes: 30 });
        log.event(Nanos(12), HeapSize { capset: SET, bytes: 90 });
        log.event(Nanos(13), BlocksSize { capset: SET, bytes: 70 });
        log.event(Nanos(13), MemReturn { capset: SET, current: 9, needed: 7, returned: 2 });
        log.event(Nanos(14), MemReturn { capset: SET, current: 7, needed: 7, returned: 0 });
    });
    log.end();
    let log = log.finish();
    let mut model = model_in_steps(&log, 1 << 20);
    let view = View { from: Nanos(10), to: Nanos(70), width: 6 };
    let plan = exact_plan(&mut model, &log, view);
    let drawn = |name: &str| -> Vec<i64> {
        let track =
            model.tracks(&arranged(&model)).into_iter().find(|track| track.name.for_comparing() == name).unwrap();
        model.window(&arranged(&model), &plan, track.id).values.chunks(4).map(|values| values[3] as i64).collect()
    };
    assert_eq!(drawn("Blocks \u{2212} live"), [40; 6]);
    assert_eq!(drawn("Heap \u{2212} blocks"), [20, 20, 15, 15, 15, 15]);
    // A counter of the whole log is in order of time, not of the file.
    assert_eq!(drawn("Blocks"), [70, 70, 75, 75, 75, 60]);
    let facts = model.facts(None);
    let heap = facts.section("heap").unwrap();
    let figure = |key: &str| heap.get(key).map(|figure| (figure.value.clone(), figure.time)).unwrap();
    assert_eq!(figure("max_blocks_bytes"), (Value::Bytes(75), Some(Nanos(32))));
    assert_eq!(figure("max_size_bytes"), (Value::Bytes(90), Some(Nanos(12))), "the first of them");
    assert_eq!(figure("max_live_bytes"), (Value::Bytes(40), Some(Nanos(51))));
    assert_eq!(figure("last_live_bytes"), (Value::Bytes(40), Some(Nanos(51))));
    assert_eq!(figure("returned_mblocks"), (Value::Count(2), None));
    assert_eq!(figure("allocated_bytes"), (Value::Unknown, None), "the log does not tell");
    let points = model
        .tracks(&arranged(&model))
        .into_iter()
        .find(|track| track.name.for_comparing() == "Memory returned")
        .unwrap();
    assert_eq!(points.note, Note::Number(1), "nothing is no return");
    let order = model.order(TableQuery { table: "returned".into(), ..TableQuery::default() }, None);
    let page = model.page(&order, None, 0, 9);
    let [first, second] = [[9, 7, 2], [7, 7, 0]].map(|row| row.map(Value::Count).to_vec());
    assert_eq!(page.rows.iter().map(|row| row[1..].to_vec()).collect::<Vec<_>>(), [first, second]);
    assert_eq!((page.times, page.of), (vec![Some(Nanos(13)), Some(Nanos(14))], 2));
    let (range, _) = whole_range(&mut model, &log, Nanos(14), Nanos(52)).unwrap();
    let facts = model.facts(Some(&range));
    let figure = |key: &str| facts.section("heap").and_then(|heap| heap.get(key)).unwrap().value.clone();
    assert_eq!((figure("max_blocks_bytes"), figure("returned_mblocks")), (Value::Bytes(75), Value::Count(0)));
    assert_eq!((figure("max_live_bytes"), figure("max_size_bytes")), (Value::Bytes(40), Value::Bytes(90)));
}

/// Every point is counted, however the log is cut into ranges, and every point is drawn.
#[test]
fn points_are_counted_exactly_in_any_range() {
    let (mut random, mut counted) = (fastrand::Rng::with_seed(4), 0);
    for (name, log) in long_logs() {
        let mut model = model_in_steps(&log, 1 << 16);
        let Some((first, last)) = model.extent() else { continue };
        let requests = events(&log, |event| match event {
            Event::RequestSeqGc(RequestSeqGc {}) => Some(0),
            Event::RequestParGc(RequestParGc {}) => Some(1),
            _ => None,
        });
        let returns = events(&log, |event| match event {
            Event::MemReturn(MemReturn { returned: 1.., .. }) => Some(0),
            _ => None,
        });
        let known = ["GC requests", "Memory returned"];
        let tracks = model
            .tracks(&arranged(&model))
            .into_iter()
            .filter(|track| known.contains(&track.name.for_comparing()))
            .collect();
        for track in of_shape(tracks, |shape| matches!(shape, Shape::Points { .. })) {
            let cut = Nanos(random.u64(first.0..=last.0));
            let end = last.plus(Nanos(1));
            for (from, to) in [(first, cut), (cut, end), (first, end)] {
                let (range, _) = whole_range(&mut model, &log, from, to).expect("it has been read");
                let own = if track.name.for_comparing() == "Memory returned" { &returns } else { &requests };
                let expected = own.iter().filter(|(time, ..)| from <= *time && *time < to).count() as u64;
                let found = model.range_totals(&arranged(&model), &range, track.id).expect("all has been read").count;
                assert_eq!(found, Some(expected), "{name} {from:?} to {to:?}");
                let view = View { from, to: to.max(from.plus(Nanos(1))), width: 50 };
                let plan = exact_plan(&mut model, &log, view);
                let drawn: u32 = model.window(&arranged(&model), &plan, track.id).counts.iter().sum();
                assert_eq!(u64::from(drawn), expected, "{name}");
                counted += expected;
            }
        }
    }
    assert!(counted > 1000, "{counted}");
}

/// More values of one counter and one kind of points than have a row: one each 100 ns, the largest a spike.
const MANY: u64 = 60_000;
const SPIKE: u64 = 41_234;

fn value(at: u64) -> u64 {
    if at == SPIKE { 5000 } else { 100 + at * 7 % 91 }
}

fn many_values() -> Vec<u8> {
    let mut log = LogWriter::new();
    for block in 0..MANY / 1000 {
        log.block(Block::of(CapNo(0)), |log| {
            for at in block * 1000..(block + 1) * 1000 {
                let counters = SparkCounters { remaining: value(at), ..SparkCounters::read(&[0; 56]) };
                log.event(Nanos(at * 100), counters);
                log.event(Nanos(at * 100 + 10), RequestSeqGc {});
            }
        });
    }
    log.end();
    log.finish()
}

/// Beyond the rows there are buckets: in any window, no value is left out, as long as pixels are not narrower than
/// buckets.
#[test]
fn what_has_more_values_than_rows_is_drawn_from_all_of_them() {
    let log = many_values();
    let mut model = model_in_steps(&log, 1 << 16);
    let [line, points] =
        [|shape: &Shape| matches!(shape, Shape::Line { .. }), |shape: &Shape| matches!(shape, Shape::Points { .. })]
            .map(|wanted: fn(&Shape) -> bool| of_shape(model.tracks(&arranged(&model)), wanted).remove(0).id);
    // A bucket has at most this many of them, and is in at most two pixels.
    let bucket = 11;
    let mut random = fastrand::Rng::with_seed(5);
    for round in 0..50 {
        let width = random.usize(1..200);
        let length = random.u64(width as u64 * 2 * bucket..MANY);
        let first = if round == 0 { 0 } else { random.u64(0..MANY - length) };
        let view = View { from: Nanos(first * 100), to: Nanos((first + length) * 100), width };
        let plan = exact_plan(&mut model, &log, view);
        let (values, counts) = (
            model.window(&arranged(&model), &plan, line).values,
            model.window(&arranged(&model), &plan, points).counts,
        );
        assert!(!model.window(&arranged(&model), &plan, line).exact);
        // A look-up finds what the pixel shows.
        let edges = (random.usize(0..width), view.pixel());
        let (from, to) = ((edges.0 as f64 * edges.1) as u64, ((edges.0 + 1) as f64 * edges.1) as u64);
        let search = model.look_up(&arranged(&model), line, view.from.plus(Nanos(from)), view.from.plus(Nanos(to)));
        let Place::Span(found) = answered(&mut model, &log, search).0 else { panic!("nothing in {view:?}") };
        let [low, high] = [1, 2].map(|at| Value::Count(values[edges.0 * 4 + at] as u64).text(Nanos(0)));
        let expected = if low == high { low } else { format!("{low} to {high}") };
        assert_eq!(found.title, format!("{expected} sparks in the pool"), "{view:?}");
        let drawn = counts.iter().map(|count| u64::from(*count)).sum::<u64>();
        assert!(drawn.abs_diff(length) <= 2 * bucket, "{view:?}: {drawn} of {length}");
        for (pixel, (values, count)) in values.chunks(4).zip(counts).enumerate() {
            let edge = |pixel: usize| first as f64 + pixel as f64 * view.pixel() / 100.0;
            let (from, to) = (edge(pixel).ceil() as u64, edge(pixel + 1) as u64);
            assert!(u64::from(count).abs_diff(to - from) <= 2 * bucket, "{view:?} {pixel}: {count}");
            let within = |from: u64, to: u64| (from..to.min(MANY)).map(value);
            let (inner, outer) = (from + bucket..to - bucket, from.saturating_sub(bucket)..to + bucket);
            let [low, high] = [values[1], values[2]].map(|value| value as u64);
            assert!(within(inner.start, inner.end).all(|value| low <= value && value <= high), "{view:?} {pixel}");
            let near: Vec<u64> = within(outer.start, outer.end).collect();
            assert!(near.contains(&low) && near.contains(&high), "{view:?} {pixel}: {low} to {high}");
        }
    }
    let all = View { from: Nanos(0), to: Nanos(MANY * 100), width: 60 };
    let plan = exact_plan(&mut model, &log, all);
    assert_eq!(
        model.window(&arranged(&model), &plan, points).counts.iter().map(|count| u64::from(*count)).sum::<u64>(),
        MANY
    );
    let spikes =
        model.window(&arranged(&model), &plan, line).values.chunks(4).filter(|values| values[2] == 5000.0).count();
    assert_eq!(spikes, 1);
    // If a pixel is narrower than a bucket, it shows a row; nothing is known for the time until the next row.
    let search = model.look_up(&arranged(&model), line, Nanos(100_000), Nanos(100_001));
    let Place::Span(found) = answered(&mut model, &log, search).0 else { panic!("nothing there") };
    assert_eq!(found.fields, [("Time", Value::Time(found.span.start))]);
}
