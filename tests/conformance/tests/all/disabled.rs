//! Capabilities that come and go, and are disabled meanwhile, as each kind of question shows them.

use conformance::arranged;
use conformance::{answered, decode_in_steps, exact_window, files, model_in_steps, project, spans, whole_range};
use ghc_eventlog::{
    Block, CapCreate, CapDelete, CapDisable, CapEnable, CapNo, CapsetId, Event, GcEnd, GcStart, GcWork, HeapAllocated,
    LogWriter, Nanos, RtsIdentifier, RunThread, StopStatus, StopThread, Text, ThreadId,
};
use ghc_eventlog_model::{Direction, Facts, Model, Note, Place, Span, TableQuery, TrackId, Value, View, limits};
use std::{collections::BTreeMap, fs};

/// The time of one character of a drawing.
const STEP: u64 = 50_000;

pub(crate) fn at(place: usize) -> Nanos {
    Nanos(place as u64 * STEP)
}

/// Plays drawings, a line for each capability: digits run that thread, `)` stops it, `(` begins a collection that
/// works, `]` ends it, `a` is an event that changes nothing; `c` creates the capability, `d` deletes it, `-` disables
/// it, `+` enables it. The events about capabilities are outside of their streams, in the last block or in the first
/// one.
fn log(lanes: &[&str], global_last: bool) -> Vec<u8> {
    log_telling_last(lanes, if global_last { "cd-+" } else { "" })
}

/// The same, with these letters in the last block, and all other events about capabilities in the first one.
fn log_telling_last(lanes: &[&str], last: &str) -> Vec<u8> {
    log_of_runtime("GHC-9.10.3 rts_thr", lanes, last)
}

/// The same of a runtime.
pub(crate) fn log_of_runtime(runtime: &str, lanes: &[&str], last: &str) -> Vec<u8> {
    let mut log = LogWriter::new();
    log.block(Block::GLOBAL, |block| {
        block.event(at(0), RtsIdentifier { capset: CapsetId(0), text: Text(runtime.as_bytes()) });
    });
    let global = |log: &mut LogWriter, is_last: bool| {
        log.block(Block::GLOBAL, |block| {
            let width = lanes.iter().map(|lane| lane.len()).max().unwrap_or(0);
            for place in 0..width {
                for (number, lane) in lanes.iter().enumerate() {
                    let (cap, time) = (CapNo(number as u16), at(place));
                    let letter =
                        lane.as_bytes().get(place).filter(|letter| last.contains(char::from(**letter)) == is_last);
                    match letter {
                        Some(b'c') => block.event(time, CapCreate { cap }),
                        Some(b'd') => block.event(time, CapDelete { cap }),
                        Some(b'-') => block.event(time, CapDisable { cap }),
                        Some(b'+') => block.event(time, CapEnable { cap }),
                        _ => continue,
                    };
                }
            }
        });
    };
    global(&mut log, false);
    for (number, lane) in lanes.iter().enumerate() {
        log.block(Block::of(CapNo(number as u16)), |block| {
            let mut thread = ThreadId(0);
            for (place, letter) in lane.bytes().enumerate() {
                let time = at(place);
                match letter {
                    b'0'..=b'9' => {
                        thread = ThreadId(u32::from(letter - b'0'));
                        block.event(time, RunThread { thread });
                    }
                    b')' => {
                        block.event(time, StopThread { thread, status: StopStatus(5), info: Some(0) });
                    }
                    b'(' => {
                        block.event(time, GcStart {}).event(time, GcWork {});
                    }
                    b']' => {
                        block.event(time, GcEnd {});
                    }
                    b'a' => {
                        block.event(time, HeapAllocated { capset: CapsetId(0), bytes: 0 });
                    }
                    _ => {}
                }
            }
        });
    }
    global(&mut log, true);
    log.end();
    log.finish()
}

pub(crate) fn lane(cap: u16) -> TrackId {
    TrackId::capability(CapNo(cap))
}

/// The letter of a state: those of the drawings, `.` for idle, `/` for disabled, `~` for what is not known.
fn letter(state: &str, title: &str) -> char {
    match state {
        "running" => title.chars().last().unwrap(),
        "GC working" => 'w',
        "disabled" => '/',
        "idle" => '.',
        "not known" => '~',
        other => panic!("{other}"),
    }
}

/// A lane by look-ups, at the middle of each character.
pub(crate) fn pointed_at(model: &mut Model, log: &[u8], cap: u16, width: usize) -> String {
    let place = |place: usize| {
        let search = model.look_up(
            &arranged(model),
            lane(cap),
            Nanos(at(place).0 + STEP / 2),
            Nanos(at(place).0 + STEP / 2 + 1),
        );
        match answered(model, log, search).0 {
            Place::Span(info) => letter(info.state, info.title.for_comparing()),
            Place::Unknown(None) => '~',
            other => panic!("{other:?}"),
        }
    };
    (0..width).map(place).collect()
}

/// A lane as it is drawn, with a pixel for each character, as the state that it is mostly in; exactly, or from the
/// overview.
pub(crate) fn drawn(model: &mut Model, log: &[u8], cap: u16, width: usize, exact: bool) -> String {
    let view = View { from: Nanos(0), to: at(width), width };
    let track = model.track(&arranged(model), lane(cap)).unwrap();
    let window = if exact {
        exact_window(model, log, view, track.id)
    } else {
        let plan = model.plan(view).coarse();
        model.window(&arranged(model), &plan, track.id)
    };
    let pixel = |shares: &[u8]| {
        // Of two equal shares, the first: what a disabled capability still does hides that it is disabled.
        let (state, share) = shares.iter().enumerate().rev().max_by_key(|(_, share)| **share).unwrap();
        if *share == 0 { '~' } else { letter(track.states[state].name, "?") }
    };
    window.shares.chunks(window.states).map(pixel).collect()
}

fn value(facts: &Facts, key: &str) -> Option<Value> {
    facts.section("caps").unwrap().get(key).map(|figure| figure.value.clone())
}

/// The column of the table of capabilities.
fn column(model: &Model, key: &str) -> Option<Vec<Value>> {
    let facts = model.facts(None);
    let table = facts.sections.iter().flat_map(|section| &section.tables).find(|table| table.key == "caps").unwrap();
    let place = table.columns.iter().position(|column| column.key == key)?;
    let order = model.order(TableQuery { table: "caps".into(), ..TableQuery::default() }, None);
    Some(model.page(&order, None, 0, usize::MAX).rows.into_iter().map(|mut row| row.swap_remove(place)).collect())
}

fn ns(places: usize) -> Value {
    Value::Duration(at(places))
}

/// Two capabilities. The second comes late, is disabled twice, and goes early.
const LANES: [&str; 2] = [
    "c  1   )   (  ]      2     )      d", //
    "    c 3  ) -     a  +  4 )   -  a d",
];
const DRAWN: [&str; 2] = [
    "...1111....www.......222222.......~", //
    "~~~~..333../////////...44..../////~",
];

/// The drawing of a lane without its threads' numbers, which pixels do not have.
pub(crate) fn without_threads(drawing: &str) -> String {
    drawing.replace(|letter: char| letter.is_ascii_digit(), "?")
}

#[test]
fn a_lane_begins_with_its_capability_and_is_disabled_for_a_while() {
    for global_last in [true, false] {
        let log = log(&LANES, global_last);
        let mut model = model_in_steps(&log, 1 << 20);
        for (cap, drawing) in (0..).zip(DRAWN) {
            let width = drawing.len();
            assert_eq!(pointed_at(&mut model, &log, cap, width), drawing, "pointed at");
            assert_eq!(drawn(&mut model, &log, cap, width, true), without_threads(drawing), "exactly");
            assert_eq!(drawn(&mut model, &log, cap, width, false), without_threads(drawing), "from the overview");
        }
    }
}

#[test]
fn a_disabled_capability_says_since_when_and_for_how_long() {
    let log = log(&LANES, true);
    let mut model = model_in_steps(&log, 1 << 20);
    let search = model.look_up(&arranged(&model), lane(1), at(15), at(16));
    let Place::Span(info) = answered(&mut model, &log, search).0 else { panic!("a span") };
    assert_eq!((info.state, info.role, info.title.for_comparing()), ("disabled", "hatch", "disabled"));
    assert_eq!(info.fields, [("Start", Value::Time(at(11))), ("Duration", ns(9))]);
    // Idle time ends where the disabled time begins, and begins where it ends.
    for (place, from, to) in [(10, 9, 11), (21, 20, 23), (5, 4, 6)] {
        let search = model.look_up(&arranged(&model), lane(1), at(place), Nanos(at(place).0 + 1));
        let Place::Span(info) = answered(&mut model, &log, search).0 else { panic!("a span") };
        assert_eq!((info.state, info.span.start, info.span.end), ("idle", at(from), at(to)));
    }
}

#[test]
fn the_keys_go_to_disabled_times() {
    let log = log(&LANES, true);
    let mut model = model_in_steps(&log, 1 << 20);
    let found: Vec<_> = spans(&mut model, &log, lane(1)).iter().map(|span| (span.start, span.end)).collect();
    assert_eq!(found, [(6, 9), (11, 20), (23, 25), (29, 34)].map(|(from, to)| (at(from), at(to))));
    let mut back = Vec::new();
    let mut time = at(35);
    while let Place::Span(info) = {
        let search = model.neighbour(&arranged(&model), lane(1), time, Direction::Previous);
        answered(&mut model, &log, search).0
    } {
        time = info.span.start;
        back.push(time);
    }
    assert_eq!(back, [29, 23, 11, 6].map(at));
}

#[test]
fn disabled_time_is_counted_separately() {
    let log = log(&LANES, true);
    let mut model = model_in_steps(&log, 1 << 20);
    let told = |model: &Model, key| column(model, key).unwrap();
    assert_eq!(told(&model, "disabled_ns"), [ns(0), ns(14)]);
    assert_eq!(told(&model, "idle_ns"), [ns(21), ns(11)]);
    assert_eq!(told(&model, "known_ns"), [ns(34), ns(30)]);
    assert_eq!(told(&model, "created_ns"), [0, 4].map(|place| Value::Time(at(place))));
    assert_eq!(told(&model, "deleted_ns"), [34, 34].map(|place| Value::Time(at(place))));
    let facts = model.facts(None);
    assert_eq!(value(&facts, "disabled_ns"), Some(ns(14)));
    // Disabled capabilities cannot work: these could for 34 and 16, and ran for 10 and 5.
    assert_eq!(value(&facts, "utilisation"), Some(Value::Share(15.0 / 50.0)));
    assert_eq!(model.track(&arranged(&model), lane(1)).unwrap().note, Note::Share(5.0 / 16.0));
    assert_eq!(model.track(&arranged(&model), TrackId::ACTIVITY).unwrap().note, Note::Share(15.0 / 50.0));
    // From 8 to 13: runs for 1, is idle for 2, disabled for 2.
    let (range, _) = whole_range(&mut model, &log, at(8), at(13)).unwrap();
    let states = model.range_totals(&arranged(&model), &range, lane(1)).unwrap().states;
    let [running, .., disabled, idle] = states[..] else { panic!("{states:?}") };
    assert_eq!((running, disabled, idle), (at(1), at(2), at(2)));
    assert_eq!(value(&model.facts(Some(&range)), "disabled_ns"), Some(ns(2)));
    // If none was disabled, it is neither a figure nor a column.
    let (range, _) = whole_range(&mut model, &log, at(0), at(9)).unwrap();
    assert_eq!(value(&model.facts(Some(&range)), "disabled_ns"), None);
}

#[test]
fn the_mean_is_of_those_that_could_work() {
    let log = log(&LANES, true);
    let mut model = model_in_steps(&log, 1 << 20);
    let mut level = |place: usize| {
        // Exactly.
        exact_window(&mut model, &log, View { from: at(0), to: at(35), width: 35 }, TrackId::ACTIVITY);
        let search = model.look_up(&arranged(&model), TrackId::ACTIVITY, at(place), at(place + 1));
        answered(&mut model, &log, search).0
    };
    // Both exist and one of them runs; one is disabled, and the other does not run, and then does; both are enabled
    // again.
    assert_eq!(level(8), Place::Level { running: 1.0, of: 2, what: "capabilities" });
    assert_eq!(level(15), Place::Level { running: 0.0, of: 1, what: "capabilities" });
    assert_eq!(level(31), Place::Level { running: 0.0, of: 1, what: "capabilities" });
    assert_eq!(level(24), Place::Level { running: 2.0, of: 2, what: "capabilities" });
}

/// The runtime lets a bound thread continue on a disabled capability, which counts as a run.
#[test]
fn runs_on_a_disabled_capability_are_shown() {
    let lanes = [
        "c  (  ]         d", //
        "c 3 -  )    +   d",
    ];
    let log = log(&lanes, true);
    let mut model = model_in_steps(&log, 1 << 20);
    assert_eq!(pointed_at(&mut model, &log, 1, 17), "..33333/////....~");
    let states = model.totals(&arranged(&model), lane(1));
    let [running, .., disabled, idle] = states[..] else { panic!("{states:?}") };
    assert_eq!((running, disabled, idle), (at(5), at(5), at(6)));
}

/// When each capability was disabled, from the events.
fn disabled_by_events(log: &[u8]) -> BTreeMap<CapNo, Vec<(Nanos, Nanos)>> {
    let mut disabled: BTreeMap<CapNo, Vec<(Nanos, Nanos)>> = BTreeMap::new();
    decode_in_steps(log, 1 << 20, |_, record| match record.decode().event {
        Event::CapDisable(event) => disabled.entry(event.cap).or_default().push((record.time, Nanos::MAX)),
        Event::CapEnable(CapEnable { cap }) | Event::CapDelete(CapDelete { cap }) => {
            if let Some((_, to)) = disabled.get_mut(&cap).and_then(|stretches| stretches.last_mut()) {
                *to = record.time.min(*to);
            }
        }
        _ => {}
    });
    disabled
}

/// A disabled capability still does a little now and then. In between it is disabled, except for times too short to be
/// kept.
#[test]
fn real_logs_tell_when_capabilities_were_disabled() {
    let mut seen = Vec::new();
    for path in files(&project().join("tests/corpus"), "log.eventlog") {
        let log = fs::read(&path).unwrap();
        for (cap, stretches) in disabled_by_events(&log) {
            let mut model = model_in_steps(&log, 1 << 20);
            let track = model.track(&arranged(&model), lane(cap.0)).unwrap();
            let what = format!("{}, {}", path.display(), track.name.for_comparing());
            let state = track.states.iter().position(|state| state.name == "disabled").unwrap();
            let found = spans(&mut model, &log, track.id);
            let (disabled, busy): (Vec<_>, Vec<_>) = found.into_iter().partition(|span| span.state == state as u8);
            let inside = |from: Nanos, to: Nanos, spans: &[Span]| {
                let times = spans.iter().map(|span| span.end.min(to).since(span.start.max(from)));
                times.fold(Nanos(0), Nanos::plus)
            };
            let (mut told, mut short) = (Nanos(0), Nanos(0));
            for &(from, to) in &stretches {
                let to = to.min(track.known.unwrap().1);
                told = told.plus(to.since(from).since(inside(from, to, &busy)));
                let count = busy.iter().filter(|span| span.start < to && span.end > from).count() as u64;
                short = short.plus(Nanos((count + 1) * limits::REST.0));
            }
            let total = model.totals(&arranged(&model), track.id)[state];
            assert_eq!(total, inside(Nanos(0), Nanos::MAX, &disabled), "{what}");
            assert!(total <= told && told <= total.plus(short), "{what}: {total} of {told}");
            assert!(disabled.iter().all(|span| inside(span.start, span.end, &busy) == Nanos(0)), "{what}");
            seen.push(total > Nanos(0));
        }
    }
    // In the logs `chat`, `disabled`, `resized` and `returned`.
    assert_eq!(seen, [true; 10]);
}

#[test]
fn a_lane_does_not_go_to_its_deletion_where_something_is_missing() {
    let whole = log(&LANES, false);
    let known = |log: &[u8]| {
        let model = model_in_steps(log, 1 << 20);
        model.track(&arranged(&model), lane(1)).unwrap().known.unwrap()
    };
    assert_eq!(known(&whole), (at(4), at(34)));
    // Without its end mark, more of it may be missing.
    assert_eq!(known(&whole[..whole.len() - 2]), (at(4), at(32)));
    // Some bytes between two blocks are not part of an event.
    let block = whole.windows(2).rposition(|bytes| bytes == [0, 18]).unwrap();
    let damaged = [&whole[..block], &[0xee; 40], &whole[block..]].concat();
    assert_eq!(known(&damaged), (at(6), at(32)));
}

#[test]
fn a_capability_counts_once_as_created() {
    let one = log(&["c1)(]c", "c  1 )"], true);
    let two = [one.clone(), log(&["c1)(]c", "c  1 )", "c   1)"], true)].concat();
    for (log, created) in [(one, 2), (two, 3)] {
        assert_eq!(value(&model_in_steps(&log, 1 << 20).facts(None), "created"), Some(Value::Count(created)));
    }
}

/// The event that disables it comes at the end of the log. Before that, nothing that depends on it counts as exact.
#[test]
fn what_may_turn_out_to_be_disabled_is_not_exact() {
    // Long enough for several segments, which become final one by one.
    let lanes = [
        format!("c  1   )   (  ]      2     )   {}", "3)".repeat(30_000)),
        format!("    c 3  ) -     a  +  4 )   - {}", "a ".repeat(30_000)),
    ];
    let log = log_telling_last(&[&lanes[0], &lanes[1]], "-+");
    let mut whole = model_in_steps(&log, 1 << 20);
    let mut differ = 0;
    for read in (1..log.len()).step_by(log.len() / 100) {
        let mut model = Model::of_size(Some(log.len() as u64));
        model.feed(&log[..read]);
        let (Some((first, _)), until) = (model.extent(), model.exact_until()) else { continue };
        if until <= first {
            continue;
        }
        let view = View { from: first, to: until, width: 20 };
        for track in [lane(0), lane(1), TrackId::ACTIVITY] {
            let found = exact_window(&mut model, &log[..read], view, track);
            let expected = exact_window(&mut whole, &log, view, track);
            differ += usize::from(found.shares != expected.shares);
            assert!(!found.exact && expected.exact, "{read} bytes, {track:?}, until {until}");
        }
    }
    assert!(differ > 0);
}
