//! Look-ups find what each pixel shows, without reading anything twice.

use conformance::{
    answered, arranged, exact_window, files, has_idle, model_in_steps, project, replay, shared_logs, whole_range,
};
use ghc_eventlog::{
    Block, CapNo, CreateThread, GcDone, GcEnd, GcGlobalSync, GcIdle, GcStart, GcStats, HeapInfo, LogWriter, Nanos,
    RequestParGc, RunThread, StopStatus, StopThread, Text, ThreadId, ThreadLabel,
};
use ghc_eventlog_model::{Direction, Model, Place, Shape, TrackId, Value, View, limits};
use std::{fs, process::Command};

/// The most tracks of each log that are checked, since a damaged log can have a thousand.
const TRACKS: usize = 8;

fn logs() -> Vec<(String, Vec<u8>)> {
    let paths = files(&project().join("tests/corpus"), "log.eventlog").into_iter().chain(shared_logs());
    let logs = paths.map(|path| (path.display().to_string(), fs::read(&path).unwrap()));
    logs.filter(|(_, log)| model_in_steps(log, log.len()).extent().is_some()).collect()
}

/// A log in which every segment covers the whole time. Only available where logs are shared.
fn livelock() -> Option<Vec<u8>> {
    let path = project().join("../shared/hostile/livelock.eventlog.zst");
    let unpacked = Command::new("zstd").args(["-dc"]).arg(&path).output().ok()?;
    (path.exists() && unpacked.status.success()).then_some(unpacked.stdout)
}

/// What a look-up finds in a pixel, and how many bytes of the log it reads again.
pub(crate) fn look_up(model: &mut Model, log: &[u8], track: TrackId, from: Nanos, to: Nanos) -> (Place, u64) {
    let search = model.look_up(&arranged(model), track, from, to);
    let (place, reads) = answered(model, log, search);
    (place, reads.iter().map(|(_, length)| length).sum())
}

/// For any question about a log that is not in memory, no piece is read twice, so every job ends.
#[test]
fn nothing_is_read_twice() {
    let mut random = fastrand::Rng::with_seed(3);
    let hostile = livelock().map(|log| ("livelock".to_string(), log));
    for (name, log) in logs().into_iter().chain(hostile) {
        let mut model = model_in_steps(&log, 1 << 20);
        let (first, last) = model.extent().unwrap();
        let tracks = model.tracks(&arranged(&model));
        for round in 0..6 {
            let track = tracks[random.usize(0..tracks.len())].id;
            let at = Nanos(random.u64(first.0..=last.0));
            let width = Nanos(last.since(first).0 >> random.u32(0..30)).plus(Nanos(1));
            let direction = if round % 2 == 0 { Direction::Next } else { Direction::Previous };
            let searches = [
                model.look_up(&arranged(&model), track, at, at.plus(width)),
                model.neighbour(&arranged(&model), track, at, direction),
            ];
            for search in searches {
                let (_, reads) = answered(&mut model, &log, search);
                let read: u64 = reads.iter().map(|(_, length)| length).sum();
                // Each with a look at what follows it.
                let most = log.len() as u64 + reads.len() as u64 * limits::SEGMENT_AHEAD;
                assert!(read <= most, "{name}: {read} bytes of {}", log.len());
            }
        }
    }
}

/// For every pixel of the exact picture, a look-up finds something if and only if something is drawn there or right
/// beside it, and idle time is reported as such.
#[test]
fn what_a_pixel_shows_is_found() {
    let mut found = [0; 3];
    for (name, log) in logs() {
        let mut model = model_in_steps(&log, log.len());
        replay(&mut model, &log);
        let (first, last) = model.extent().unwrap();
        let width = 120;
        let view = View { from: first, to: last.plus(Nanos(1)), width };
        let place = |at: usize| first.plus(Nanos((view.pixel() * at as f64) as u64));
        for track in
            model.tracks(&arranged(&model)).into_iter().filter(|track| track.shape == Shape::States).take(TRACKS)
        {
            let window = exact_window(&mut model, &log, view, track.id);
            let busy = |at: usize| {
                let shares = window.shares.get(at * window.states..(at + 1) * window.states).unwrap_or_default();
                shares.iter().zip(track.states).any(|(share, state)| *share > 0 && state.role != "idle")
            };
            for at in 0..width {
                // Whole nanoseconds that hold the pixel.
                let (place, _) = look_up(&mut model, &log, track.id, place(at), place(at + 1).plus(Nanos(1)));
                let what = format!("{name}, {}, pixel {at}: {place:?}", track.name.for_comparing());
                match place {
                    Place::Many { count, longest, .. } => {
                        assert!(count > 1 && longest.state != "idle", "{what}");
                        assert!(longest.span.start < longest.span.end, "{what}");
                        found[0] += 1;
                    }
                    Place::Span(span) if span.state != "idle" => {
                        let near = at.saturating_sub(1)..at + 2;
                        assert!(near.clone().any(busy), "{what}");
                        found[1] += 1;
                    }
                    Place::Span(_) => {
                        assert!(!busy(at) && has_idle(&track), "{what}");
                        found[2] += 1;
                    }
                    Place::Empty => assert!(!busy(at) && !has_idle(&track), "{what}"),
                    Place::Unknown(_) => {
                        let shares = &window.shares[at * window.states..(at + 1) * window.states];
                        assert!(
                            track.lacks.iter().any(Option::is_some) || shares.iter().all(|share| *share == 0),
                            "{what}"
                        );
                    }
                    Place::Unread | Place::Level { .. } => panic!("{what}"),
                }
            }
        }
    }
    assert!(found.iter().all(|count| *count > 100), "{found:?}");
}

/// As many points are found in a pixel as are drawn there: those around it only count if it has none.
#[test]
fn points_are_found_as_they_are_drawn() {
    let mut log = LogWriter::new();
    log.block(Block::of(CapNo(0)), |block| {
        for time in [100, 101, 102, 103, 104, 105, 110, 111, 112] {
            block.event(Nanos(time), RequestParGc {});
            // No kind of track shows it.
            block.event(Nanos(time), ghc_eventlog::ThreadWakeup { thread: ThreadId(7), cap: CapNo(0) });
        }
    });
    let log = log.finish();
    let mut model = model_in_steps(&log, 1 << 16);
    let tracks = model.tracks(&arranged(&model)).into_iter();
    let points: Vec<TrackId> =
        tracks.filter(|track| matches!(track.shape, Shape::Points { .. })).map(|track| track.id).collect();
    assert!(points.len() > 1, "{points:?}");
    for track in points {
        let mut count = |from: u64, to: u64| match look_up(&mut model, &log, track, Nanos(from), Nanos(to)).0 {
            Place::Many { count, more: false, .. } => count,
            Place::Span(_) => 1,
            Place::Empty => 0,
            place => panic!("{place:?}"),
        };
        assert_eq!([(100, 110), (110, 120), (105, 106), (111, 112)].map(|(from, to)| count(from, to)), [6, 3, 1, 1]);
        assert_eq!([(113, 117), (106, 110), (114, 116)].map(|(from, to)| count(from, to)), [2, 4, 0]);
    }
}

/// A log of collections of 10 ns, one each 100 ns, with their generations.
fn collections(generations: Option<u16>, of: &[u8]) -> Vec<u8> {
    let mut log = LogWriter::new();
    if let Some(generations) = generations {
        log.event(Nanos(0), HeapInfo { generations, ..HeapInfo::read(&[0; 42]) });
    }
    for (piece, part) in of.chunks(4000).enumerate() {
        log.block(Block::of(CapNo(0)), |block| {
            for (at, &generation) in part.iter().enumerate() {
                let start = ((piece * 4000 + at) * 100) as u64;
                block.event(Nanos(start + 10), GcStart {});
                block.event(Nanos(start + 15), GcGlobalSync {});
                block.event(Nanos(start + 16), GcStats { generation: generation.into(), ..GcStats::read(&[0; 50]) });
                block.event(Nanos(start + 20), GcEnd {});
            }
        });
    }
    log.end();
    log.finish()
}

/// More collections than have a row in the table: the later ones are found, too, and the last row is not the last
/// collection.
#[test]
fn collections_without_a_row_are_found_like_the_others() {
    let many = limits::MAX_COLLECTIONS + 5000;
    let log = collections(None, &vec![0; many]);
    let mut model = model_in_steps(&log, 1 << 20);
    let track = TrackId::COLLECTIONS;
    assert!(model.collections().is_capped());
    let start = |at: usize| Nanos(at as u64 * 100 + 10);
    for at in [0, 7, limits::MAX_COLLECTIONS - 1, limits::MAX_COLLECTIONS, many - 2] {
        let (place, _) = look_up(&mut model, &log, track, start(at).plus(Nanos(3)), start(at).plus(Nanos(4)));
        let Place::Span(found) = place else { panic!("{at}: {place:?}") };
        assert_eq!(found.span.start, start(at));
        for (from, direction, expected) in [(at, Direction::Next, at + 1), (at + 1, Direction::Previous, at)] {
            let search = model.neighbour(&arranged(&model), track, start(from), direction);
            let (place, reads) = answered(&mut model, &log, search);
            let Place::Span(found) = place else { panic!("{at}: {place:?}") };
            assert_eq!(found.span.start, start(expected));
            assert!(reads.len() <= 3, "{reads:?}");
        }
    }
    let (place, _) = look_up(&mut model, &log, track, start(many - 50), start(many));
    let Place::Many { count, more, what, .. } = place else { panic!("{place:?}") };
    assert_eq!((count, more, what), (50, false, "collections"));
    let (place, _) = look_up(&mut model, &log, track, start(many - 2).plus(Nanos(40)), start(many - 2).plus(Nanos(41)));
    assert_eq!(place, Place::Empty);
}

/// Picture, totals, range and lookup call the same collections major, whatever generations there are.
#[test]
fn majors_are_the_same_everywhere() {
    let of: Vec<u8> = (0..2000).map(|at| (at % 12) as u8).collect();
    for (generations, oldest) in
        [(None, 1), (Some(0), 1), (Some(1), 0), (Some(2), 1), (Some(6), 5), (Some(9), 8), (Some(12), 11)]
    {
        let log = collections(generations, &of);
        let mut model = model_in_steps(&log, 1 << 20);
        let majors = of.iter().filter(|generation| **generation >= oldest).count() as u64;
        let expected = [Nanos((2000 - majors) * 10), Nanos(majors * 10)];
        assert_eq!(model.totals(&arranged(&model), TrackId::COLLECTIONS), expected, "{generations:?}");
        let (first, last) = model.extent().unwrap();
        let (range, _) = whole_range(&mut model, &log, first, last).unwrap();
        assert_eq!(
            model.range_totals(&arranged(&model), &range, TrackId::COLLECTIONS).unwrap().states,
            expected,
            "{generations:?}"
        );
        let view = View { from: Nanos(0), to: Nanos(2400), width: 2400 };
        let drawn = exact_window(&mut model, &log, view, TrackId::COLLECTIONS);
        for (at, span) in drawn.spans.iter().enumerate() {
            assert_eq!(span.state, u8::from(of[at] >= oldest), "{generations:?}, {at}");
        }
        assert_eq!(drawn.spans.len(), 24);
        let coarse = model.plan(View { from: first, to: last, width: 1 }).coarse();
        let coarse = model.window(&arranged(&model), &coarse, TrackId::COLLECTIONS).shares;
        assert_eq!(coarse[0] > 0, majors < 2000, "{generations:?}: {coarse:?}");
        assert_eq!(coarse[1] > 0, majors > 0, "{generations:?}: {coarse:?}");
    }
}

/// The names and values of what a look-up finds at a time, without its times.
fn fields(model: &mut Model, log: &[u8], track: TrackId, at: u64) -> (String, Vec<(&'static str, String)>) {
    let (place, _) = look_up(model, log, track, Nanos(at), Nanos(at + 1));
    let Place::Span(found) = place else { panic!("{at}: {place:?}") };
    let start = ("Start", Value::Time(found.span.start));
    assert!(found.fields.contains(&start));
    let value = |field: &Value| match field {
        Value::Text(text) => text.for_json(),
        Value::Time(time) | Value::Duration(time) => time.to_string(),
        Value::Bytes(bytes) => format!("{bytes} bytes"),
        Value::Count(count) => count.to_string(),
        Value::Thread(thread) => thread.to_string(),
        Value::Capability(cap) => format!("cap {cap}"),
        other => panic!("{other:?} is told of no span"),
    };
    let others = found.fields.iter().filter(|field| **field != start);
    (found.title.for_json(), others.map(|(name, field)| (*name, value(field))).collect())
}

#[test]
fn a_look_up_has_everything_that_is_known_about_a_span() {
    let (collecting, helping, thread) = (CapNo(0), CapNo(1), ThreadId(7));
    let mut log = LogWriter::new();
    log.block(Block::of(collecting), |block| {
        block.event(Nanos(10), StopThread { thread, status: StopStatus(7), info: Some(0) });
        block.event(Nanos(90), RequestParGc {}).event(Nanos(100), GcStart {}).event(Nanos(105), GcGlobalSync {});
        let stats = GcStats { generation: 1, copied_bytes: 77, par_threads: 2, ..GcStats::read(&[0; 58]) };
        block.event(Nanos(190), stats).event(Nanos(200), GcEnd {});
        block.event(Nanos(300), ThreadLabel { thread, label: Text(b"main") });
        block.event(Nanos(310), RunThread { thread }).event(Nanos(390), RunThread { thread: ThreadId(8) });
        block.event(Nanos(395), CreateThread { thread: ThreadId(9) });
    });
    // It waits until the collection ends or longer: not at all, a little, and all the time.
    log.block(Block::of(helping), |block| {
        block.event(Nanos(0), CreateThread { thread });
        for (start, wait, end) in [(110, 150, 200), (205, 215, 260)] {
            block.event(Nanos(start), GcStart {}).event(Nanos(wait), GcIdle {}).event(Nanos(end), GcEnd {});
        }
    });
    log.block(Block::of(CapNo(2)), |block| {
        block.event(Nanos(120), GcStart {}).event(Nanos(150), GcDone {}).event(Nanos(260), GcEnd {});
    });
    log.end();
    let log = log.finish();
    let mut model = model_in_steps(&log, 1 << 20);
    let text =
        |fields: Values<'static>| fields.iter().map(|(name, value)| (*name, (*value).to_string())).collect::<Vec<_>>();
    let lane = |cap| TrackId::capability(CapNo(cap));
    type Values<'a> = &'a [(&'a str, &'a str)];
    let cases: [(TrackId, u64, &str, Values<'_>); 9] = [
        (
            lane(0),
            320,
            "7 main",
            &[("Thread", "7"), ("Label", "main"), ("Duration", "80 ns"), ("Ended", "missing: something else began")],
        ),
        (
            lane(0),
            392,
            "thread 8",
            &[("Thread", "8"), ("Duration", "5 ns"), ("Ended", "still running when the log ends")],
        ),
        (lane(0), 50, "idle", &[("Duration", "80 ns")]),
        (lane(1), 170, "GC wait", &[("Duration", "50 ns")]),
        (lane(1), 230, "GC wait", &[("Duration", "45 ns"), ("After the collection", "45 ns")]),
        (lane(1), 120, "GC sync", &[("Duration", "40 ns")]),
        (lane(2), 170, "GC wait", &[("Duration", "110 ns"), ("After the collection", "60 ns")]),
        (
            TrackId::COLLECTIONS,
            150,
            "major GC",
            &[
                ("Pause", "100 ns"),
                ("Waited for the others", "10 ns"),
                ("Generation", "1"),
                ("Copied", "77 bytes"),
                ("Slop", "0 bytes"),
                ("Fragmentation", "0 bytes"),
                ("Threads", "2"),
                ("Collected by", "cap 0"),
            ],
        ),
        (TrackId::GC_SYNC, 95, "GC sync", &[("Waited for the others", "10 ns")]),
    ];
    for (track, at, title, expected) in cases {
        assert_eq!(fields(&mut model, &log, track, at), (title.to_string(), text(expected)), "{track:?}, {at}");
    }
}

/// A thread that runs when the log begins; its stop shows that it ran.
#[test]
fn a_run_that_began_before_the_log_is_reported_as_such() {
    let mut log = LogWriter::new();
    log.block(Block::of(CapNo(0)), |block| {
        block.event(Nanos(100), HeapInfo::read(&[0; 42]));
        block.event(Nanos(110), StopThread { thread: ThreadId(7), status: StopStatus(5), info: None });
    });
    log.end();
    let log = log.finish();
    let mut model = model_in_steps(&log, 1 << 20);
    let (title, fields) = fields(&mut model, &log, TrackId::capability(CapNo(0)), 105);
    assert_eq!(title, "thread 7");
    assert_eq!(fields[2..], [("Ended", "finished".to_string()), ("Began", "before the log".to_string())]);
}

/// Of several spans in a pixel the longest is named, the first of those that are equally long; and the one that is drawn on its
/// own if it is at the pixel's middle.
#[test]
fn the_longest_span_of_a_pixel_is_named() {
    let mut log = LogWriter::new();
    let thread = ThreadId(1);
    log.block(Block::of(CapNo(0)), |block| {
        block.event(Nanos(0), GcStart {}).event(Nanos(1), GcEnd {});
        for (start, end) in [(100, 110), (120, 150), (160, 190), (195, 199), (300, 700)] {
            block.event(Nanos(start), RunThread { thread });
            block.event(Nanos(end), StopThread { thread, status: StopStatus(3), info: Some(0) });
        }
        block.event(Nanos(900), CreateThread { thread });
    });
    log.end();
    let log = log.finish();
    let mut model = model_in_steps(&log, 1 << 20);
    let cases =
        [((100, 200), 4, 120), ((150, 200), 2, 160), ((110, 155), 1, 120), ((194, 304), 2, 300), ((290, 310), 1, 300)];
    for ((from, to), expected, start) in cases {
        let (place, _) = look_up(&mut model, &log, TrackId::capability(CapNo(0)), Nanos(from), Nanos(to));
        let (count, found) = match place {
            Place::Many { count, longest, more: false, .. } => (count, longest),
            Place::Span(found) => (1, found),
            place => panic!("{from}: {place:?}"),
        };
        assert_eq!((count, found.span.start), (expected, Nanos(start)), "{from} to {to}");
    }
}
