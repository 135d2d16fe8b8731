//! Lines and points against the events that they are made of.

use conformance::{answered, decode_in_steps, exact_plan, long_logs, model_in_steps, whole_range};
use ghc_eventlog::{Block, CapNo, Event, LogWriter, Nanos, RequestParGc, RequestSeqGc, SparkCounters};
use ghc_eventlog_model::{Place, Shape, Track, View};

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

/// At any zoom a pixel of a line has the smallest and the largest value that it shows, and a look-up the one in force.
#[test]
fn a_line_shows_each_value_until_the_next_one() {
    let mut compared = 0;
    let mut random = fastrand::Rng::with_seed(3);
    for (name, log) in long_logs() {
        let mut model = model_in_steps(&log, 1 << 16);
        let Some((first, last)) = model.extent() else { continue };
        let pools = events(&log, |event| match event {
            Event::SparkCounters(counters) => Some(counters.remaining),
            _ => None,
        });
        for track in of_shape(model.tracks(), |shape| matches!(shape, Shape::Line { .. })) {
            let own: Vec<_> = pools.iter().filter(|(_, cap, _)| track.name == format!("HEC {cap}")).collect();
            let (known, end) = track.known.expect("a line is of a capability");
            assert!(known >= first && end <= last, "{name}");
            for width in [1, 7, 300] {
                let from = Nanos(random.u64(first.0..=last.0));
                let to = Nanos(random.u64(from.0..=last.0) + 1);
                let view = View { from, to, width };
                let plan = exact_plan(&mut model, &log, view);
                let window = model.window(&plan, track.id);
                assert!(window.exact && window.values.len() == width * 4, "{name}");
                for (pixel, values) in window.values.chunks(4).enumerate() {
                    let edge = |pixel: usize| from.plus(Nanos((pixel as f64 * view.pixel()) as u64));
                    let held = own.iter().rev().find(|(time, ..)| *time <= edge(pixel));
                    let inside = own.iter().filter(|(time, ..)| edge(pixel) < *time && *time < edge(pixel + 1));
                    let shown: Vec<u64> = held.into_iter().chain(inside).map(|(.., value)| *value).collect();
                    if shown.is_empty() || edge(pixel) > end {
                        assert!(values.iter().all(|value| value.is_nan()), "{name} {pixel}");
                        continue;
                    }
                    let expected =
                        [shown[0], *shown.iter().min().unwrap(), *shown.iter().max().unwrap(), shown[shown.len() - 1]];
                    // Several at one time come in any order.
                    assert_eq!(values[1..3], expected.map(|value| value as f32)[1..3], "{name} {pixel}");
                    compared += 1;
                }
            }
            if let Some(&&(time, _, value)) =
                own.iter().rfind(|(time, ..)| own.iter().filter(|(at, ..)| at == time).count() == 1)
            {
                let search = model.look_up(track.id, time, time.plus(Nanos(1)));
                let Place::Span(found) = answered(&mut model, &log, search).0 else {
                    panic!("{name}: nothing at {time:?}")
                };
                assert_eq!((found.span.start, found.title), (time, format!("{value} sparks in the pool")), "{name}");
            }
        }
    }
    assert!(compared > 1000, "{compared}");
}

/// Of points, every one is counted, however the log is cut into ranges; and drawn.
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
        let requested = model.tracks().into_iter().filter(|track| track.name == "GC requests").collect();
        for track in of_shape(requested, |shape| matches!(shape, Shape::Points { .. })) {
            let cut = Nanos(random.u64(first.0..=last.0));
            let end = last.plus(Nanos(1));
            for (from, to) in [(first, cut), (cut, end), (first, end)] {
                let (range, _) = whole_range(&mut model, &log, from, to).expect("it has been read");
                let expected = requests.iter().filter(|(time, ..)| from <= *time && *time < to).count() as u64;
                let found = model.range_totals(&range, track.id).expect("all has been read").count;
                assert_eq!(found, Some(expected), "{name} {from:?} to {to:?}");
                let view = View { from, to: to.max(from.plus(Nanos(1))), width: 50 };
                let plan = exact_plan(&mut model, &log, view);
                let drawn: u32 = model.window(&plan, track.id).counts.iter().sum();
                assert_eq!(u64::from(drawn), expected, "{name}");
                counted += expected;
            }
        }
    }
    assert!(counted > 1000, "{counted}");
}

/// What one counter and one kind of points have more values of than have a row: one each 100 ns, the largest a spike.
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

/// Beyond the rows there are buckets: none is left out, whatever the window, as long as its pixels are no narrower.
#[test]
fn what_has_more_values_than_rows_is_drawn_from_all_of_them() {
    let log = many_values();
    let mut model = model_in_steps(&log, 1 << 16);
    let [line, points] =
        [|shape: &Shape| matches!(shape, Shape::Line { .. }), |shape: &Shape| matches!(shape, Shape::Points { .. })]
            .map(|wanted: fn(&Shape) -> bool| of_shape(model.tracks(), wanted).remove(0).id);
    // A bucket has at most so many of them, and lies across two pixels at most.
    let bucket = 11;
    let mut random = fastrand::Rng::with_seed(5);
    for round in 0..50 {
        let width = random.usize(1..200);
        let length = random.u64(width as u64 * 2 * bucket..MANY);
        let first = if round == 0 { 0 } else { random.u64(0..MANY - length) };
        let view = View { from: Nanos(first * 100), to: Nanos((first + length) * 100), width };
        let plan = exact_plan(&mut model, &log, view);
        let (values, counts) = (model.window(&plan, line).values, model.window(&plan, points).counts);
        assert!(!model.window(&plan, line).exact);
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
    assert_eq!(model.window(&plan, points).counts.iter().map(|count| u64::from(*count)).sum::<u64>(), MANY);
    let spikes = model.window(&plan, line).values.chunks(4).filter(|values| values[2] == 5000.0).count();
    assert_eq!(spikes, 1);
}
