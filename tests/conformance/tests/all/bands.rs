//! The track of the heap profile: what it draws is what the censuses held, exactly where all are kept or can be read again.

use conformance::arranged;
use conformance::{Mutants, answered, exact_plan, files, model_in_steps, project, shared_logs, whole_range};
use ghc_eventlog::{
    Block, CStr, CapNo, HeapProfSampleBegin, HeapProfSampleEnd, HeapProfSampleString, LogWriter, Nanos, Text,
};
use ghc_eventlog_model::{
    BandOrder, Direction, Model, Place, REST, Shape, ShownBands, TableQuery, Track, Value, View, Window,
};
use std::fs;

/// More entries than are kept: every second census is.
const CENSUSES: u64 = 400;
const BANDS: u64 = 2000;

/// The time of a census.
fn time(census: u64) -> Nanos {
    Nanos(1_000_000 + census * 100_000 + census % 7 * 1000)
}

/// What a band held in a census: some grow, some come and go.
fn held(census: u64, band: u64) -> u64 {
    if (census + band).is_multiple_of(5) { 0 } else { band % 17 * census + (census * 7919 + band * 104_729) % 1000 + 2 }
}

/// A log of them, with some censuses in two pieces, and some labels twice in each, in blocks of the runtime's size.
fn log() -> Vec<u8> {
    let mut log = LogWriter::new();
    let names: Vec<String> = (0..BANDS).map(|band| format!("band {band:04}")).collect();
    for census in 0..CENSUSES {
        let at = time(census);
        for piece in 0..4 {
            log.block(Block::GLOBAL, |log| {
                if piece == 0 || piece == 2 && census % 3 == 0 {
                    log.event(at, HeapProfSampleBegin { number: census });
                }
                for band in piece * BANDS / 4..(piece + 1) * BANDS / 4 {
                    let bytes = held(census, band);
                    let twice = if band % 50 == 0 { 1 } else { 0 };
                    for bytes in [bytes.saturating_sub(twice), twice]
                        .into_iter()
                        .filter(|bytes| *bytes > 0 && held(census, band) > 0)
                    {
                        let label = CStr(Text(names[band as usize].as_bytes()));
                        log.event(at.plus(Nanos(10)), HeapProfSampleString { profile: 0, bytes, label });
                    }
                }
                if piece == 3 {
                    log.event(at.plus(Nanos(20)), HeapProfSampleEnd { number: census });
                }
            });
            log.block(Block::of(CapNo(0)), |log| {
                log.event(at.plus(Nanos(30 + piece)), ghc_eventlog::GcStart {});
            });
        }
    }
    log.end();
    log.finish()
}

fn of_bands(model: &Model) -> Option<Track> {
    model.tracks(&arranged(model)).into_iter().find(|track| matches!(track.shape, Shape::Bands { .. }))
}

/// A window, after reading everything that can be read for it.
fn window(model: &mut Model, log: &[u8], track: &Track, view: View, bands: ShownBands) -> Window {
    let mut plan = exact_plan(model, log, view);
    plan.bands = bands;
    model.window(&arranged(model), &plan, track.id)
}

/// What a band, or all of them, held at a time by straight lines between censuses.
fn between(at: f64, held: impl Fn(u64) -> u64) -> f64 {
    let next = (0..CENSUSES).find(|census| time(*census).0 as f64 > at).unwrap();
    let (from, to) = (time(next - 1).0 as f64, time(next).0 as f64);
    held(next - 1) as f64 + (held(next) as f64 - held(next - 1) as f64) * (at - from) / (to - from)
}

#[test]
fn censuses_that_are_not_kept_are_read_again_up_to_a_limit() {
    let log = log();
    let mut model = model_in_steps(&log, 1 << 18);
    let track = of_bands(&model).expect("there is a heap profile");
    let all = |census: u64| (0..BANDS).map(|band| held(census, band)).sum::<u64>();
    let mut random = fastrand::Rng::with_seed(3);
    let (mut spikes, mut lines) = (0, 0);
    for round in 0..30 {
        let first = if round == 0 { 0 } else { random.u64(0..CENSUSES - 60) };
        let count = random.u64(1..50);
        let view = View {
            from: time(first).plus(Nanos(random.u64(0..90_000))),
            to: time(first + count).plus(Nanos(random.u64(0..90_000))),
            width: random.usize(1..200),
        };
        let count = random.usize(1..20);
        let drawn = window(&mut model, &log, &track, view, ShownBands { order: BandOrder::Maximum, count });
        assert!(drawn.exact, "{view:?}");
        assert_eq!((drawn.counts.len(), drawn.counts.last()), (count + 1, Some(&REST)));
        for (pixel, values) in drawn.values.chunks(count + 1).enumerate() {
            let edge = |pixel: usize| view.from.0 + (pixel as f64 * view.pixel()) as u64;
            let within = (0..CENSUSES).filter(|at| (edge(pixel)..edge(pixel + 1)).contains(&time(*at).0));
            let largest = within.max_by_key(|census| all(*census));
            let middle = edge(pixel).midpoint(edge(pixel + 1)) as f64;
            let expected =
                |held: &dyn Fn(u64) -> u64| largest.map_or_else(|| between(middle, held), |at| held(at) as f64);
            let sum: f64 = values.iter().map(|value| f64::from(*value)).sum();
            assert!((sum - expected(&all)).abs() <= 1e-4 * sum, "{view:?} {pixel}: {sum}");
            let band: u64 = drawn.texts[0].for_comparing().strip_prefix("band ").unwrap().parse().unwrap();
            let of_band = expected(&|census| held(census, band));
            assert!((f64::from(values[0]) - of_band).abs() <= 1e-4 * of_band + 1e-3, "{view:?} {pixel} {band}");
            *if largest.is_some() { &mut spikes } else { &mut lines } += 1;
        }
        // A look-up finds what is drawn there, for any band.
        let census = first + 1;
        for place in 0..count {
            let found = model.look_up_part(
                &arranged(&model),
                track.id,
                time(census),
                time(census).plus(Nanos(1)),
                Some(drawn.counts[place]),
            );
            let Place::Span(info) = answered(&mut model, &log, found).0 else { panic!("nothing at {census}") };
            let name = &drawn.texts[place];
            let band: u64 = name.for_comparing().strip_prefix("band ").unwrap().parse().unwrap();
            assert_eq!(info.span.start, time(census));
            let bytes = ghc_eventlog_model::Value::Bytes(held(census, band)).text(Nanos(0));
            assert_eq!(info.title, format!("{}: {bytes}", name.for_comparing()));
        }
        let search = model.neighbour(&arranged(&model), track.id, time(census), Direction::Next);
        let Place::Span(next) = answered(&mut model, &log, search).0 else { panic!("nothing after {census}") };
        assert_eq!(next.span.start, time(census + 1));
    }
    assert!(spikes > 300 && lines > 300, "{spikes} {lines}");
    for _ in 0..10 {
        let (first, count) = (random.u64(1..CENSUSES - 60), random.u64(3..50));
        let (from, to) =
            (time(first).plus(Nanos(random.u64(1..90_000))), time(first + count).since(Nanos(random.u64(1..90_000))));
        let (range, _) = whole_range(&mut model, &log, from, to).unwrap();
        let within = first + 1..first + count;
        let facts = model.facts(Some(&range));
        let section = facts.sections.iter().find(|section| section.key == "heap_profile").unwrap();
        let value = |key: &str| section.get(key).unwrap().value.clone();
        assert_eq!(value("censuses"), Value::Count(count - 1));
        assert_eq!(value("max_bytes"), Value::Bytes(within.clone().map(all).max().unwrap()));
        // The first census in the range, and the last one.
        let (a, b) = (first + 1, first + count - 1);
        assert_eq!((value("a_ns"), value("b_ns")), (Value::Time(time(a)), Value::Time(time(b))));
        let order = model.order(TableQuery { table: "compared".into(), ..TableQuery::default() }, Some(&range));
        let page = model.page(&order, Some(&range), 0, BANDS as usize);
        let mut changes = Vec::new();
        for row in page.rows {
            let [Value::Text(name), Value::Bytes(of_a), Value::Bytes(of_b), Value::Change(change), Value::Bytes(most)] =
                &row[..]
            else {
                panic!("{row:?}")
            };
            let band: u64 = name.for_comparing().strip_prefix("band ").unwrap().parse().unwrap();
            assert_eq!((*of_a, *of_b), (held(a, band), held(b, band)), "{name:?}");
            assert_eq!(*change, *of_b as i64 - *of_a as i64);
            assert_eq!(Some(*most), within.clone().map(|census| held(census, band)).max(), "{name:?}");
            changes.push(*change);
        }
        assert!(changes.len() as u64 > BANDS / 2 && changes.is_sorted_by(|one, next| one >= next));
    }
    // For a range longer than what is read again, some facts are known, and they say that they are not complete.
    let (range, _) = whole_range(&mut model, &log, time(0), time(CENSUSES)).unwrap();
    let facts = model.facts(Some(&range));
    let section = facts.sections.iter().find(|section| section.key == "heap_profile").unwrap();
    let told = section.remark_text().is_some_and(|remark| remark.contains("too many censuses"));
    assert_eq!(told, section.get("censuses").unwrap().value != Value::Count(CENSUSES), "{section:?}");
    // For the whole log, the kept censuses are drawn, and the window says so.
    let view = View { from: time(0), to: time(CENSUSES - 1), width: 100 };
    let drawn = window(&mut model, &log, &track, view, ShownBands::default());
    assert!(drawn.exact == (log.len() < 20 << 20) && drawn.values.iter().skip(11).all(|value| value.is_finite()));
}

/// For any log, heights are numbers of at least 0, and together no higher than the track's largest value. If all
/// censuses are kept, the highest pixel has that value.
#[test]
fn bands_are_as_high_as_their_track_says() {
    let paths = files(&project().join("tests/corpus"), "log.eventlog").into_iter().chain(shared_logs());
    let (mut tracks, mut pixels) = (0, 0);
    for path in paths {
        let log = fs::read(&path).unwrap();
        if log.len() > 4 << 20 {
            continue;
        }
        let mut mutants = Mutants::new(&log, 11);
        for log in [log.clone()].into_iter().chain((0..3).map(|_| mutants.next().unwrap())) {
            let mut model = model_in_steps(&log, 4096);
            let Some(track) = of_bands(&model) else { continue };
            let Shape::Bands { most, .. } = track.shape else { panic!("{track:?}") };
            let (first, last) = model.extent().unwrap();
            let (from, to) = track.known.unwrap();
            tracks += 1;
            let orders = [BandOrder::Integral, BandOrder::Maximum, BandOrder::Last, BandOrder::Slope, BandOrder::Name];
            for (count, order) in [1, 3, 10, 50, usize::MAX].into_iter().zip(orders) {
                let view = View { from: from.min(first), to: to.max(last).plus(Nanos(1)), width: 100 };
                let drawn = window(&mut model, &log, &track, view, ShownBands { order, count });
                let bands = drawn.counts.len();
                assert_eq!((drawn.texts.len(), drawn.values.len()), (bands, bands * view.width), "{path:?}");
                let sums = drawn.values.chunks(bands.max(1)).map(|values| {
                    assert!(values.iter().all(|value| *value >= 0.0) || values.iter().all(|value| value.is_nan()));
                    values.iter().map(|value| f64::from(*value)).sum::<f64>()
                });
                let highest = sums.filter(|sum| !sum.is_nan()).fold(0.0, f64::max);
                pixels += view.width;
                let near = |sum: f64| (sum - most as f64).abs() <= 1e-5 * most as f64;
                assert!(near(highest) || highest < most as f64, "{path:?}: {highest} of {most}");
                assert!(near(highest) || !drawn.exact || bands == 0, "{path:?}: {highest} of {most}");
            }
        }
    }
    assert!(tracks > 30 && pixels > 10_000, "{tracks} {pixels}");
}

/// What a band's picture shows of the whole log is as high as the band's most, and no band has more pieces than another.
#[test]
fn courses_are_as_high_as_the_most() {
    let paths = files(&project().join("tests/corpus"), "log.eventlog").into_iter().chain(shared_logs());
    let mut compared = 0;
    for path in paths {
        let log = fs::read(&path).unwrap();
        for log in [log.clone()].into_iter().chain(Mutants::new(&log, 17).take(2)) {
            let model = model_in_steps(&log, 1 << 18);
            let order = model.order(TableQuery { table: "bands".into(), ..TableQuery::default() }, None);
            let count =
                model.facts(None).section("heap_profile").and_then(|section| match section.get("censuses")?.value {
                    Value::Count(count) => Some(count),
                    _ => None,
                });
            for row in model.page(&order, None, 0, 500).rows {
                let (Value::Levels(levels), Value::Bytes(most)) = (&row[1], &row[2]) else { continue };
                assert_eq!(levels.len(), 40, "{path:?}");
                let highest = levels.iter().copied().max().unwrap();
                // Not all of many censuses are kept, and damaged sizes may be any number.
                let is_exact = count.is_some_and(|count| count < 200) && *most < 1 << 50;
                assert!(!is_exact || highest == *most, "{path:?}: {highest} of {most}");
                compared += 1;
            }
        }
    }
    assert!(compared > 200, "{compared}");
}
