//! Rates of what is counted one by one: where it is few, it is told and drawn as what it is, and not as a rate.

use conformance::{answered, arranged, decode_in_steps, exact_plan, files, model_in_steps, project};
use ghc_eventlog::{Block, CapNo, LogWriter, Nanos, SparkCounters};
use ghc_eventlog_model::{Model, Note, Place, Shape, Track, Unit, View};
use std::fs;

/// The kind of tracks of the rates of sparks.
const SPARK_RATES: u64 = 13;

/// The number of converted sparks among them.
const CONVERTED: u64 = 1;

/// Fewer than this are few.
const FEW: u64 = 10;

fn spark_tracks(model: &Model) -> Vec<Track> {
    let all = model.tracks(&arranged(model)).into_iter();
    all.filter(|track| track.id.number() >> 32 == SPARK_RATES).collect()
}

/// A log that counts converted sparks at some times, in ms.
fn converting(counted: &[(u64, u64)]) -> Vec<u8> {
    let mut log = LogWriter::new();
    log.block(Block::of(CapNo(0)), |block| {
        for (ms, converted) in counted {
            let counters = SparkCounters {
                created: 0,
                dud: 0,
                overflowed: 0,
                converted: *converted,
                gcd: 0,
                fizzled: 0,
                remaining: 0,
            };
            block.event(Nanos(ms * 1_000_000), counters);
        }
    });
    log.end();
    log.finish()
}

/// What a look-up says of a time.
fn title(model: &mut Model, log: &[u8], track: &Track, at: Nanos) -> (String, Nanos, Nanos) {
    let search = model.look_up(&arranged(model), track.id, at, at.plus(Nanos(1)));
    match answered(model, log, search).0 {
        Place::Span(found) => (found.title.for_json(), found.span.start, found.span.end),
        other => (format!("{other:?}"), Nanos(0), Nanos(0)),
    }
}

/// What is drawn: how many things came to be counted in each pixel, else a letter for the rate: `r`, `_` for 0 and `~` if it is not known.
fn drawn(model: &mut Model, log: &[u8], track: &Track, ms: u64, width: usize) -> String {
    let view = View { from: Nanos(0), to: Nanos(ms * 1_000_000), width };
    let plan = exact_plan(model, log, view);
    let window = model.window(&arranged(model), &plan, track.id);
    let pixels = window.values.chunks(4).zip(&window.counts);
    let pixel = |(values, count): (&[f32], &u32)| match (count, values[2]) {
        (1.., high) => {
            assert_eq!(high, 0.0, "what is drawn as points is no rate");
            char::from_digit(*count, 10).unwrap()
        }
        (0, high) if high.is_nan() => '~',
        (0, high) if high > 0.0 => 'r',
        _ => '_',
    };
    pixels.map(pixel).collect()
}

#[test]
fn one_converted_spark_is_no_rate() {
    let log = converting(&[(0, 0), (250, 1), (500, 1), (750, 1001), (1000, 1004)]);
    let mut model = model_in_steps(&log, 1 << 20);
    let [track] = &spark_tracks(&model)[..] else { panic!("one line has values") };
    assert_eq!(track.id.number() >> 16 & 0xffff, CONVERTED);
    assert_eq!(drawn(&mut model, &log, track, 1000, 20), "____1_____rrrrr____3");
    let mut title = |ms: u64| title(&mut model, &log, track, Nanos(ms * 1_000_000)).0;
    assert_eq!(title(100), "1 spark converted");
    assert_eq!(title(300), "0/s sparks converted");
    assert_eq!(title(600), "4000/s sparks converted");
    assert_eq!(title(800), "3 sparks converted");
    // The scale is that of what is drawn as a line.
    assert_eq!(track.note, Note::Most(4000, Unit::PerSecond));
}

#[test]
fn a_line_of_few_sparks_says_how_many_there_are() {
    // Less than one per second: a rate in whole numbers would be none.
    let log = converting(&[(0, 0), (3000, 1), (6000, 1), (9000, 3)]);
    let mut model = model_in_steps(&log, 1 << 20);
    let [track] = &spark_tracks(&model)[..] else { panic!("one line has values") };
    assert_eq!(track.note, Note::Number(3));
    assert_eq!(title(&mut model, &log, track, Nanos(1)).0, "1 spark converted");
    assert_eq!(drawn(&mut model, &log, track, 9000, 9), "__1_____2");
}

/// Where many such stretches are in one pixel, there is a rate to see.
#[test]
fn many_stretches_of_few_sparks_are_a_rate_from_afar() {
    let counted: Vec<(u64, u64)> = (0..=200).map(|ms| (ms, ms * 3 + ms % 2)).collect();
    let log = converting(&counted);
    let mut model = model_in_steps(&log, 1 << 20);
    let [track] = &spark_tracks(&model)[..] else { panic!("one line has values") };
    assert_eq!(drawn(&mut model, &log, track, 200, 4), "rrrr");
    assert_eq!(drawn(&mut model, &log, track, 8, 16).replace('_', ""), "42424242");
}

/// The first rate of a line has no sample before it.
#[test]
fn the_scale_has_the_largest_rate() {
    let log = converting(&[(0, 0), (10, 1000), (1000, 1100)]);
    let model = model_in_steps(&log, 1 << 20);
    let [track] = &spark_tracks(&model)[..] else { panic!("one line has values") };
    assert_eq!(track.note, Note::Most(100_000, Unit::PerSecond));
    // Few at a time, but many together, are a rate, too, which is drawn from afar.
    let counted: Vec<(u64, u64)> = (0..=200).map(|ms| (ms, ms * 5)).collect();
    let log = converting(&counted);
    let mut model = model_in_steps(&log, 1 << 20);
    let [track] = &spark_tracks(&model)[..] else { panic!("one line has values") };
    assert_eq!(track.note, Note::Number(1000));
    assert!(matches!(track.shape, Shape::Line { most: 5000, .. }), "{:?}", track.shape);
    assert_eq!(drawn(&mut model, &log, track, 200, 4), "rrrr");
    assert_eq!(drawn(&mut model, &log, track, 8, 8), "55555555");
}

/// Of a line with more values than are kept, those that are kept are drawn as what they are.
#[test]
fn few_sparks_are_points_also_where_not_all_are_kept() {
    let many = 100_000u64;
    let mut total = 0;
    let counted: Vec<(u64, u64)> = (0..=many)
        .map(|ms| {
            // At first one every two seconds; later many, up to 30 at a time.
            total += if ms < many / 2 { u64::from(ms % 2000 == 1000) } else { ms % 31 };
            (ms, total)
        })
        .collect();
    let log = converting(&counted);
    let mut model = model_in_steps(&log, 1 << 20);
    let [track] = &spark_tracks(&model)[..] else { panic!("one line has values") };
    // Thirty in a millisecond.
    assert_eq!(track.note, Note::Most(30_000, Unit::PerSecond));
    let picture = drawn(&mut model, &log, track, many, 200);
    // All are seen, of which fewer are kept.
    let (few, rates) = (&picture[..96], &picture[104..]);
    assert_eq!(few.replace('_', ""), "1".repeat(24), "{few}");
    assert_eq!(rates.replace('r', ""), "", "{rates}");
    let search = model.look_up(&arranged(&model), track.id, Nanos(750_000_000), Nanos(1_250_000_000));
    let Place::Span(found) = answered(&mut model, &log, search).0 else { panic!("some were counted there") };
    assert!(["1 spark converted", "few sparks converted"].contains(&found.title.for_comparing()), "{:?}", found.title);
}

/// At any time, the title says how many sparks there were, or a rate where they are many: by the counters in the log.
#[test]
fn titles_have_rates_of_many_things_only() {
    let (mut few, mut rates) = (0, 0);
    for path in files(&project().join("tests/corpus"), "log.eventlog") {
        let (name, log) = (path.display().to_string(), fs::read(&path).unwrap());
        if name.contains("restart") || name.contains("malformed") {
            continue;
        }
        let mut model = model_in_steps(&log, 1 << 20);
        for track in spark_tracks(&model) {
            let (line, cap) = (track.id.number() >> 16 & 0xffff, track.id.number() as u16);
            let counters = decode_in_steps(&log, log.len(), |_, record| {
                (record.tag == SparkCounters::TAG && record.cap == Some(CapNo(cap)) && record.known)
                    .then(|| (record.time, SparkCounters::read(record.payload)))
            });
            let total = |counters: &SparkCounters| match line {
                0 => counters.created,
                1 => counters.converted,
                2 => counters.overflowed,
                3 => counters.dud,
                4 => counters.gcd,
                _ => counters.fizzled,
            };
            let totals: Vec<(Nanos, u64)> =
                counters.events.iter().flatten().map(|(time, counters)| (*time, total(counters))).collect();
            for pair in totals.windows(2).filter(|pair| pair[0].0 < pair[1].0) {
                let at = pair[0].0;
                let (title, start, end) = title(&mut model, &log, &track, at);
                let until = |time: Nanos| totals.iter().rfind(|(at, _)| *at <= time).map_or(0, |(_, total)| *total);
                let things = until(end) - until(start);
                let number: u64 = title.split([' ', '/']).next().unwrap().parse().expect(&title);
                if title.contains("/s") {
                    assert!(things == 0 || things >= FEW, "{name}: {title}, of {things}");
                    rates += 1;
                } else {
                    assert_eq!((number, things < FEW), (things, true), "{name}: {title}");
                    few += 1;
                }
            }
        }
    }
    assert!(few > 20 && rates > 20, "{few}, {rates}");
}
