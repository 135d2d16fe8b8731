//! Lines and points against the events that they are made of.

use conformance::{answered, decode_in_steps, exact_plan, long_logs, model_in_steps, whole_range};
use ghc_eventlog::{Event, Nanos, RequestParGc, RequestSeqGc};
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
        for track in of_shape(model.tracks(), |shape| matches!(shape, Shape::Points { .. })) {
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
