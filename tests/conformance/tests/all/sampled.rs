//! The tracks of the time profile: their pictures, look-ups and neighbours agree with the single samples.

use conformance::arranged;
use conformance::{
    Mutants, answered, decode_in_steps, exact_plan, exact_window, files, model_in_steps, project, shared_logs,
};
use ghc_eventlog::{
    Block, CStr, CostCentre, CostCentreId, CostCentreStack, LogWriter, Nanos, ProfBegin, ProfSampleCostCentre, Text,
};
use ghc_eventlog_model::{Direction, Frame, Model, Note, Place, Shape, SpanInfo, Track, Value, View};
use std::{collections::BTreeMap, fs};

fn names_of(model: &Model) -> Vec<Track> {
    let of_names = |track: &Track| track.shape == Shape::Names;
    model.tracks(&arranged(model)).into_iter().filter(of_names).collect()
}

/// All samples of capabilities, by capability: when each was, and its innermost cost centre.
fn samples(log: &[u8]) -> BTreeMap<u32, Vec<(Nanos, Frame)>> {
    let sample = |_: &ghc_eventlog::Decoder, record: ghc_eventlog::Record<'_>| {
        (record.tag == ProfSampleCostCentre::TAG && record.known).then(|| {
            let sample = ProfSampleCostCentre::read(record.payload);
            (sample.cap, record.time, sample.stack.iter().next().map_or(Frame::Main, Frame::CostCentre))
        })
    };
    let mut by_cap = BTreeMap::<u32, Vec<(Nanos, Frame)>>::new();
    for (cap, time, frame) in decode_in_steps(log, 1 << 20, sample).events.into_iter().flatten() {
        by_cap.entry(cap).or_default().push((time, frame));
    }
    by_cap
}

/// A look-up at a time.
fn at(model: &mut Model, log: &[u8], track: &Track, time: Nanos) -> Option<SpanInfo> {
    exact_plan(model, log, View { from: time, to: time.plus(Nanos(1)), width: 1 });
    let search = model.look_up(&arranged(model), track.id, time, time.plus(Nanos(1)));
    match answered(model, log, search).0 {
        Place::Span(info) => Some(info),
        Place::Empty => None,
        other => panic!("{other:?}"),
    }
}

fn count_of(info: &SpanInfo) -> u64 {
    match info.fields.iter().find(|(name, _)| *name == "Samples") {
        Some((_, Value::Count(count))) => *count,
        other => panic!("{other:?}"),
    }
}

#[test]
fn runs_are_those_of_the_samples_one_after_the_other() {
    let paths = files(&project().join("tests/corpus"), "log.eventlog").into_iter().chain(shared_logs());
    let (mut tracks, mut runs, mut pixels) = (0, 0, 0);
    let mut random = fastrand::Rng::with_seed(8);
    for path in paths {
        let log = fs::read(&path).unwrap();
        if log.len() > 4 << 20 {
            continue;
        }
        let mut mutants = Mutants::new(&log, 5);
        for log in [log.clone()].into_iter().chain((0..3).map(|_| mutants.next().unwrap())) {
            let mut model = model_in_steps(&log, 4096);
            for track in names_of(&model) {
                let Note::Number(samples) = track.note else { panic!("{track:?}") };
                let (from, to) = track.known.expect("it has samples");
                // All runs by the keys for the next one, and back.
                let mut forwards = Vec::new();
                let mut time = Nanos(from.0.saturating_sub(1));
                while let search = model.neighbour(&arranged(&model), track.id, time, Direction::Next)
                    && let Place::Span(info) = answered(&mut model, &log, search).0
                {
                    assert!(time <= info.span.start && info.span.start <= info.span.end, "{path:?} {info:?}");
                    time = info.span.start;
                    forwards.push(info);
                }
                if from == Nanos(0) {
                    continue;
                }
                let mut time = Nanos::MAX;
                for expected in forwards.iter().rev() {
                    let search = model.neighbour(&arranged(&model), track.id, time, Direction::Previous);
                    let Place::Span(info) = answered(&mut model, &log, search).0 else {
                        panic!("{path:?} {expected:?}")
                    };
                    time = info.span.start;
                    assert_eq!(&info, expected, "{path:?}");
                }
                let counted: u64 = forwards.iter().map(count_of).sum();
                let is_apart = forwards.windows(2).all(|pair| pair[0].span.start < pair[1].span.start);
                assert!(counted == samples || !is_apart && counted < samples, "{path:?}: {counted} of {samples}");
                // A run is drawn as the look-up describes it.
                let view = View {
                    from: Nanos(random.u64(from.0..=to.0)),
                    to: Nanos(random.u64(from.0..=to.0)),
                    width: random.usize(1..200),
                };
                let view = View { from: view.from.min(view.to), to: view.from.max(view.to).plus(Nanos(1)), ..view };
                let drawn = exact_window(&mut model, &log, view, track.id);
                assert!(drawn.exact && drawn.counts.len() == view.width);
                for (pixel, number) in drawn.counts.iter().enumerate() {
                    let edge = |pixel: usize| view.from.plus(Nanos((pixel as f64 * view.pixel()) as u64));
                    let search =
                        model.look_up(&arranged(&model), track.id, edge(pixel).plus(Nanos(1)), edge(pixel + 1));
                    let name = number.checked_sub(1).map(|at| drawn.texts[2 * at as usize].clone());
                    match answered(&mut model, &log, search).0 {
                        Place::Span(info) if edge(pixel).plus(Nanos(1)) < edge(pixel + 1) => {
                            assert_eq!(name, Some(info.title), "{path:?} {view:?} {pixel}");
                            pixels += 1;
                        }
                        Place::Span(_) | Place::Empty | Place::Many { .. } => {}
                        other => panic!("{other:?}"),
                    }
                }
                tracks += 1;
                runs += forwards.len();
            }
        }
    }
    assert!(tracks > 10 && runs > 100 && pixels > 1000, "{tracks} {runs} {pixels}");
}

/// No sample is left out of the rate, and none counts twice.
#[test]
fn the_rate_is_of_all_samples() {
    let paths = files(&project().join("tests/corpus"), "log.eventlog").into_iter().chain(shared_logs());
    let mut tracks = 0;
    for path in paths {
        let log = fs::read(&path).unwrap();
        if log.len() > 4 << 20 {
            continue;
        }
        let mut model = model_in_steps(&log, 1 << 16);
        let Some(track) = model
            .tracks(&arranged(&model))
            .into_iter()
            .find(|track| track.name.for_comparing() == "Samples per second")
        else {
            continue;
        };
        let (from, to) = track.known.unwrap();
        let Shape::Line { most, .. } = track.shape else { panic!("{track:?}") };
        let (mut time, mut sum, mut pieces) = (from, 0, Vec::new());
        while time < to {
            let search = model.look_up(&arranged(&model), track.id, time, time.plus(Nanos(1)));
            let Place::Span(info) = answered(&mut model, &log, search).0 else { panic!("{path:?} {time:?}") };
            assert!(info.span.start == time && time < info.span.end, "{path:?} {info:?}");
            let count = count_of(&info);
            (sum, time) = (sum + count, info.span.end);
            pieces.push((
                info.span.start,
                info.span.end,
                count as f64 * 1e9 / info.span.end.since(info.span.start).0 as f64,
            ));
        }
        assert_eq!((time, sum), (to, model.profiled().samples()), "{path:?}");
        let highest = pieces.iter().map(|(.., rate)| *rate).fold(0.0, f64::max);
        assert!((highest - most as f64).abs() <= 1.0, "{path:?}: {highest} {most}");
        // A pixel has the smallest and the largest of the pieces that it meets.
        let view = View { from, to, width: 37 };
        let drawn = exact_window(&mut model, &log, view, track.id);
        for (pixel, values) in drawn.values.chunks(4).enumerate() {
            let edge = |pixel: usize| from.plus(Nanos((pixel as f64 * view.pixel()) as u64));
            let within = pieces.iter().filter(|(start, end, _)| *start < edge(pixel + 1) && edge(pixel) < *end);
            let (low, high) =
                within.fold((f64::MAX, 0.0f64), |(low, high), (.., rate)| (low.min(*rate), high.max(*rate)));
            let near = |one: f64, other: f32| (one - f64::from(other)).abs() <= 1.0 + one * 1e-6;
            assert!(
                edge(pixel) == edge(pixel + 1) || near(low, values[1]) && near(high, values[2]),
                "{path:?} {pixel}"
            );
        }
        tracks += 1;
    }
    assert!(tracks > 5, "{tracks}");
}

const CAPS: u32 = 5;
const TICKS: u64 = 60_000;
const TICK: u64 = 1_000_000;

/// When a capability was sampled at a tick.
fn time(tick: u64, cap: u32) -> Nanos {
    Nanos(tick * TICK + tick % 11 * 20_000 + u64::from(cap) * 100)
}

/// Its innermost cost centre then: 0 is none.
fn innermost(tick: u64, cap: u32) -> u32 {
    ((tick / (1 + u64::from(cap) * 2)) * 7919 % 13) as u32
}

/// More samples than are kept. For a while there are none.
fn log() -> Vec<u8> {
    let mut log = LogWriter::new();
    log.block(Block::GLOBAL, |log| {
        log.event(Nanos(0), ProfBegin { interval: Nanos(TICK) });
        for id in 1..13 {
            let text = format!("function{id}");
            let (label, module) = (CStr(Text(text.as_bytes())), CStr(Text(b"Main")));
            log.event(Nanos(0), CostCentre { id: CostCentreId(id), label, module, location: module, flags: 0 });
        }
    });
    for from in (1..TICKS).step_by(500) {
        log.block(Block::GLOBAL, |log| {
            for tick in (from..from + 500).filter(|tick| !is_silent(*tick)) {
                for cap in 0..CAPS {
                    let inner = innermost(tick, cap).to_be_bytes();
                    let stack = [inner, 1u32.to_be_bytes()];
                    let stack = if inner == [0; 4] { &[][..] } else { &stack };
                    log.event(time(tick, cap), ProfSampleCostCentre { cap, tick, stack: CostCentreStack(stack) });
                }
            }
        });
    }
    log.end();
    log.finish()
}

fn is_silent(tick: u64) -> bool {
    (30_000..30_100).contains(&tick)
}

#[test]
fn samples_that_are_not_kept_are_read_again_where_that_is_not_too_much() {
    let log = log();
    let mut model = model_in_steps(&log, 1 << 18);
    let tracks = names_of(&model);
    assert_eq!(tracks.len(), CAPS as usize);
    let by_cap = samples(&log);
    let mut random = fastrand::Rng::with_seed(6);
    let (mut found, mut none, mut steps) = (0, 0, Vec::new());
    for round in 0..300 {
        let cap = random.u32(0..CAPS);
        let track = &tracks[cap as usize];
        assert_eq!(track.note, Note::Number(by_cap[&cap].len() as u64));
        // Half of them around the time without samples.
        let moment = if round % 2 == 0 { random.u64(0..TICKS * TICK) } else { random.u64(29_950..30_150) * TICK + 7 };
        let before = by_cap[&cap].partition_point(|(time, _)| time.0 <= moment).checked_sub(1);
        let expected = before.map(|before| by_cap[&cap][before]).filter(|(last, _)| {
            let next = by_cap[&cap].get(before.unwrap() + 1).map(|(time, _)| *time);
            moment < last.0 + TICK || next.is_some_and(|next| next.since(*last).0 <= 2 * TICK)
        });
        let info = at(&mut model, &log, track, Nanos(moment));
        let name = expected.map(|(_, frame)| model.profiled().frame_name(frame));
        assert_eq!(info.as_ref().map(|info| info.title.clone()), name, "{cap} at {moment}");
        *if info.is_some() { &mut found } else { &mut none } += 1;
        // The next one begins with the first sample of another cost centre.
        let after = by_cap[&cap].partition_point(|(time, _)| time.0 <= moment);
        let next = by_cap[&cap][after..].iter().find(|(_, frame)| expected.is_none_or(|(_, of)| of != *frame));
        let search = model.neighbour(&arranged(&model), track.id, Nanos(moment), Direction::Next);
        if let (Some(info), Some((next, _)), Place::Span(told)) = (info, next, answered(&mut model, &log, search).0)
            && info.span.end == *next
        {
            steps.push(told.span.start == *next);
        }
    }
    assert!(found > 100 && none > 50, "{found} {none}");
    // But where the next one is in a part of the log that has not been read again.
    let right = steps.iter().filter(|is_right| **is_right).count();
    assert!(steps.len() > 100 && right > steps.len() * 9 / 10, "{right} of {}", steps.len());
    // For the whole log, the kept samples are drawn, and the window says so. Each capability has its share of them.
    let view = View { from: time(1, 0), to: time(TICKS - 1, 0), width: 300 };
    for track in &tracks {
        let plan = model.plan(view).coarse();
        let drawn = model.window(&arranged(&model), &plan, track.id);
        let pixel_of_silence = (30_050.0 / TICKS as f64 * 300.0) as usize;
        let empty = drawn.counts.iter().filter(|count| **count == 0).count();
        assert!(empty <= 1 && drawn.counts[pixel_of_silence - 2] > 0, "{}: {empty}", track.name.for_comparing());
    }
}
