//! Censuses of the heap profile on capabilities' lanes, as each kind of question shows them, and what the page says of the GC time that
//! they are part of.

use conformance::{answered, arranged, exact_window, model_in_steps, spans, whole_range};
use ghc_eventlog::{
    Block, Breakdown, CStr, CapNo, CapsetId, CostCentre, CostCentreId, CostCentreStack, GcDone, GcEnd, GcGlobalSync,
    GcIdle, GcStart, GcWork, HeapBioProfSampleBegin, HeapProfBegin, HeapProfSampleBegin, HeapProfSampleCostCentre,
    HeapProfSampleEnd, HeapProfSampleString, LogWriter, Nanos, RtsIdentifier, RunThread, StopStatus, StopThread, Text,
    ThreadId,
};
use ghc_eventlog_model::{Facts, FlameProfile, FlameQuery, Model, Place, Range, TableQuery, TrackId, Value, View};

fn us(micros: u64) -> Nanos {
    Nanos(micros * 1000)
}

fn cstr(text: &str) -> CStr<'_> {
    CStr(Text(text.as_bytes()))
}

fn profile(breakdown: u32) -> HeapProfBegin<'static> {
    let none = CStr::default();
    HeapProfBegin {
        profile: 0,
        period: us(1000),
        breakdown: Breakdown(breakdown),
        module_filter: none,
        closure_filter: none,
        type_filter: none,
        cost_centre_filter: none,
        stack_filter: none,
        retainer_filter: none,
        biography_filter: none,
    }
}

/// How a census is logged.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Logged {
    /// From 1900 µs to 2000 µs.
    Usual,
    /// Without an event at its end, as up to GHC 8.4.
    WithoutEnd,
    /// At the end of the program, with the time of its begin.
    Biographical,
    None,
}

/// A log of two capabilities with two collections: capability 0 leads the first one and takes a census in it, capability 1
/// leads the second one.
///
/// ```text
/// µs      100      1000     1310             2000  2100    3000
/// cap 0   |running |  GC    |counts and writes|tidies| running | GC |
/// cap 1   |running |  GC    |        waits           | running | GC |
/// ```
fn log(runtime: &str, breakdown: u32, logged: Logged, global_last: bool) -> Vec<u8> {
    let mut log = LogWriter::new();
    let global = |log: &mut LogWriter| {
        log.block(Block::GLOBAL, |block| {
            if !runtime.is_empty() {
                block.event(us(1), RtsIdentifier { capset: CapsetId(0), text: Text(runtime.as_bytes()) });
            }
            if logged == Logged::None {
                return;
            }
            block.event(us(2), profile(breakdown));
            let written = if logged == Logged::Biographical {
                block.event(us(3900), HeapBioProfSampleBegin { number: 0, time: us(1400) });
                us(3900)
            } else {
                block.event(us(1900), HeapProfSampleBegin { number: 0 });
                us(1950)
            };
            block.event(written, HeapProfSampleString { profile: 0, bytes: 4096, label: cstr("Maybe") });
            if logged != Logged::WithoutEnd {
                block.event(written.plus(us(50)), HeapProfSampleEnd { number: 0 });
            }
        });
    };
    if !global_last {
        global(&mut log);
    }
    for cap in [0, 1] {
        log.block(Block::of(CapNo(cap)), |block| {
            let thread = ThreadId(u32::from(cap) + 1);
            for (begin, end, leader) in [(1000, 2100, 0), (3000, 3400, 1)] {
                block.event(us(begin - 900), RunThread { thread });
                block.event(us(begin), StopThread { thread, status: StopStatus(1), info: Some(0) });
                block.event(us(begin), GcStart {}).event(us(begin + 10), GcWork {});
                block.event(us(begin + 290), GcIdle {}).event(us(begin + 300), GcDone {});
                block.event(us(begin + 305), GcIdle {}).event(us(begin + 310), GcDone {});
                if cap == leader {
                    block.event(us(end), GcGlobalSync {});
                }
                block.event(us(end), GcEnd {});
            }
        });
    }
    if global_last {
        global(&mut log);
    }
    log.end();
    log.finish()
}

fn lane(cap: u16) -> TrackId {
    TrackId::capability(CapNo(cap))
}

/// A lane's spans within a collection: their states, begins and ends in µs.
fn states(model: &mut Model, log: &[u8], cap: u16) -> Vec<(&'static str, u64, u64)> {
    let track = model.track(&arranged(model), lane(cap)).unwrap();
    let spans = spans(model, log, track.id).into_iter();
    spans
        .filter(|span| span.thread.is_none())
        .map(|span| (track.states[usize::from(span.state)].name, span.start.0 / 1000, span.end.0 / 1000))
        .collect()
}

fn figure(facts: &Facts, key: &str) -> Option<Value> {
    facts.section("caps").unwrap().get(key).map(|figure| figure.value.clone())
}

const SECOND: [(&str, u64, u64); 3] = [("GC sync", 3000, 3010), ("GC working", 3010, 3290), ("GC wait", 3290, 3400)];

#[test]
fn who_takes_a_census_does_not_wait() {
    let logs = [(Logged::Usual, 1310, 2000), (Logged::WithoutEnd, 1310, 1950), (Logged::Biographical, 1400, 2100)];
    for (logged, begin, end) in logs {
        for global_last in [false, true] {
            let log = log("GHC-9.10.3 rts_thr", 7, logged, global_last);
            let mut model = model_in_steps(&log, log.len());
            let first = [
                ("GC sync", 1000, 1010),
                ("GC working", 1010, 1290),
                ("GC wait", 1290, begin),
                ("census", begin, end),
                ("GC wait", end, 2100),
            ];
            let expected: Vec<_> = first.into_iter().chain(SECOND).filter(|(_, from, to)| from < to).collect();
            assert_eq!(states(&mut model, &log, 0), expected, "{logged:?}");
            let helped = [("GC sync", 1000, 1010), ("GC working", 1010, 1290), ("GC wait", 1290, 2100)];
            let expected: Vec<_> = helped.into_iter().chain(SECOND).collect();
            assert_eq!(states(&mut model, &log, 1), expected, "it waits; {logged:?}");

            let census = us(end - begin);
            assert_eq!(figure(&model.facts(None), "census_ns"), Some(Value::Duration(census)), "{logged:?}");
            let (range, _) = whole_range(&mut model, &log, us(1500), us(1925)).unwrap();
            let facts = model.facts(Some(&range));
            assert_eq!(figure(&facts, "census_ns"), Some(Value::Duration(us(425))), "{logged:?}");
            assert_eq!(figure(&facts, "gc_wait_ns"), Some(Value::Duration(us(425))), "that of the other; {logged:?}");
        }
    }
}

/// The states divide the time of a capability, with a census as without.
#[test]
fn a_census_is_taken_from_the_wait_and_from_nothing_else() {
    let totals = |logged| {
        let log = log("GHC-9.10.3 rts_thr", 7, logged, true);
        let model = model_in_steps(&log, log.len());
        model.totals(&arranged(&model), lane(0)).iter().map(|time| time.0 / 1000).collect::<Vec<_>>()
    };
    //                                   run work wait sync lost census disabled idle
    assert_eq!(totals(Logged::Usual), [1800, 560, 230, 20, 0, 690, 0, 0]);
    assert_eq!(totals(Logged::None), [1800, 560, 920, 20, 0, 0, 0, 0]);
}

#[test]
fn a_census_is_drawn_as_one_and_told_as_one() {
    let log = log("GHC-9.10.3 rts_thr", 7, Logged::Usual, true);
    let mut model = model_in_steps(&log, log.len());
    let track = model.track(&arranged(&model), lane(0)).unwrap();
    let census = track.states.iter().position(|state| state.name == "census").unwrap();
    assert_eq!(track.states[census].role, "census", "a colour of its own");
    let view = View { from: us(1310), to: us(2110), width: 8 };
    let shares = |shares: &[u8]| shares.chunks(track.states.len()).map(|pixel| pixel[census]).collect::<Vec<u8>>();
    let window = exact_window(&mut model, &log, view, track.id);
    let drawn = shares(&window.shares);
    assert_eq!((&drawn[..6], drawn[7]), (&[255; 6][..], 0), "{drawn:?}");
    assert!((220..240).contains(&drawn[6]), "{drawn:?}");
    let plan = model.plan(view).coarse();
    let coarse = shares(&model.window(&arranged(&model), &plan, track.id).shares);
    assert!(coarse.iter().zip(&drawn).all(|(coarse, drawn)| coarse.abs_diff(*drawn) < 30), "{coarse:?}, {drawn:?}");

    let search = model.look_up(&arranged(&model), lane(0), us(1500), us(1501));
    let Place::Span(info) = answered(&mut model, &log, search).0 else { panic!("no span") };
    assert_eq!((info.state, info.span.start, info.span.end), ("census", us(1310), us(2000)));

    let order = model.order(TableQuery { table: "caps".into(), ..TableQuery::default() }, None);
    let columns = |model: &Model| {
        let facts = model.facts(None);
        let table = facts.section("caps").unwrap().tables[0].columns.clone();
        table.iter().position(|column| column.key == "census_ns")
    };
    let at = columns(&model).expect("a column of its own");
    let cells: Vec<Value> =
        model.page(&order, None, 0, 9).rows.into_iter().map(|mut row| row.swap_remove(at)).collect();
    assert_eq!(cells, [us(690), Nanos(0)].map(Value::Duration));
    let without = self::log("GHC-9.10.3 rts_thr", 7, Logged::None, true);
    assert_eq!(columns(&model_in_steps(&without, without.len())), None);
}

/// Without -prof, the runtime's own GC time has the censuses in it; with -prof it has not.
#[test]
fn the_remark_about_gc_time_is_true_of_either_build() {
    let remark = |runtime: &str, breakdown| {
        let log = log(runtime, breakdown, Logged::Usual, true);
        let model = model_in_steps(&log, log.len());
        model.facts(None).section("gc").unwrap().remark_text().unwrap_or_default()
    };
    let (usual, profiled) = ("as the runtime's own figure does", "since the program was built with -prof");
    for (runtime, breakdown, words) in [
        ("GHC-9.10.3 rts_thr", 7, usual),
        ("GHC-9.0.2 rts_l", 7, usual),
        ("GHC-9.10.3 rts_thr_p", 7, profiled),
        ("GHC-9.0.2 rts_p", 1, profiled),
        ("", 1, profiled),
        ("", 7, "which the log does not tell"),
    ] {
        let remark = remark(runtime, breakdown);
        assert!(remark.contains(words), "{runtime:?}, {breakdown}: {remark}");
    }
}

#[test]
fn a_census_is_the_same_however_the_log_arrives() {
    let log = log("GHC-9.10.3 rts_thr", 7, Logged::Usual, false);
    for size in [1, 100, log.len()] {
        let mut model = model_in_steps(&log, size);
        assert!(states(&mut model, &log, 0).contains(&("census", 1310, 2000)), "{size}");
    }
}

/// All rows of a table, and the section's figures.
fn rows(model: &Model, table: &str, range: Option<&Range>) -> Vec<Vec<Value>> {
    let order = model.order(TableQuery { table: table.into(), ..TableQuery::default() }, range);
    model.page(&order, range, 0, usize::MAX).rows
}

/// A range compares the first and the last census in it, not those around it, and says which these are; what grew and
/// shrank in between has its most.
#[test]
fn a_range_compares_the_censuses_in_it() {
    const HELD: [u64; 6] = [10, 100, 700, 400, 259, 900];
    let mut log = LogWriter::new();
    log.block(Block::GLOBAL, |block| {
        block.event(us(2), profile(7));
        for (at, bytes) in (1..).zip(HELD) {
            let time = us(at * 1000);
            block.event(time, HeapProfSampleBegin { number: at });
            block.event(time, HeapProfSampleString { profile: 0, bytes, label: cstr("Maybe") });
            block.event(time, HeapProfSampleEnd { number: at });
        }
    });
    log.end();
    let log = log.finish();
    let mut model = model_in_steps(&log, log.len());
    let mut compared = |from: u64, to: u64| {
        let (range, _) = whole_range(&mut model, &log, us(from), us(to)).unwrap();
        let facts = model.facts(Some(&range));
        let section = facts.section("heap_profile").unwrap();
        let time = |key| match section.get(key).map(|figure| &figure.value) {
            Some(Value::Time(time)) => Some(time.0 / 1_000_000),
            _ => None,
        };
        let remark = section.remark_text().unwrap_or_default();
        let rows = rows(&model, "compared", Some(&range)).into_iter().map(|row| row[1..].to_vec()).collect::<Vec<_>>();
        (time("a_ns").zip(time("b_ns")), rows, section.get("max_bytes").map(|figure| figure.value.clone()), remark)
    };
    let row =
        |a, b, change, most| vec![vec![Value::Bytes(a), Value::Bytes(b), Value::Change(change), Value::Bytes(most)]];
    // Around it are those at 1 ms and at 6 ms.
    let (censuses, found, most, _) = compared(1500, 5500);
    assert_eq!((censuses, found), (Some((2, 5)), row(100, 259, 159, 700)));
    assert_eq!(most, Some(Value::Bytes(700)));
    // A census at the begin is in the range, one at the end is not.
    assert_eq!(compared(2000, 5000).0, Some((2, 4)));
    let (censuses, rows, _, remark) = compared(2500, 3500);
    assert_eq!((censuses, rows.len()), (None, 0));
    assert!(remark.contains("one census"), "{remark}");
    let (censuses, rows, _, remark) = compared(2500, 2900);
    assert_eq!((censuses, rows.len()), (None, 0));
    assert!(remark.contains("no census"), "{remark}");
}

/// Bands of equal names are told apart by the modules of the cost centres in which they differ, or else by their places.
#[test]
fn bands_of_equal_names_are_told_apart() {
    let centres = [
        (1, "CAF", "Data.Map.Internal", "<entire-module>"),
        (2, "CAF", "GHC.Base", "<entire-module>"),
        (3, "go", "Main", "Main.hs:3:1-9"),
        (4, "go", "Main", "Main.hs:7:1-9"),
        (5, "go", "Other", "Other.hs:1:1-9"),
        (6, "parse", "Main", "Main.hs:20:1-9"),
    ];
    let stacks: [&[u32]; 8] = [&[1], &[2], &[3, 6], &[4, 6], &[5, 6], &[6], &[6, 1], &[7]];
    let mut log = LogWriter::new();
    log.block(Block::GLOBAL, |block| {
        block.event(us(1), profile(1));
        for (id, label, module, location) in centres {
            let [label, module, location] = [label, module, location].map(cstr);
            block.event(us(2), CostCentre { id: CostCentreId(id), label, module, location, flags: 0 });
        }
        for time in [us(1000), us(2000)] {
            block.event(time, HeapProfSampleBegin { number: 0 });
            for (at, stack) in (0..).zip(stacks) {
                let ids: Vec<[u8; 4]> = stack.iter().map(|id| id.to_be_bytes()).collect();
                let (bytes, stack) = (1000 - at, CostCentreStack(&ids));
                block.event(time, HeapProfSampleCostCentre { profile: 0, bytes, stack });
            }
            block.event(time, HeapProfSampleEnd { number: 0 });
        }
    });
    log.end();
    let log = log.finish();
    let mut model = model_in_steps(&log, log.len());
    let names = [
        "Data.Map.Internal.CAF",
        "GHC.Base.CAF",
        "Main.go (Main.hs:3:1-9)/parse",
        "Main.go (Main.hs:7:1-9)/parse",
        "Other.go/parse",
        "parse",
        "parse/CAF",
        "cc #7",
    ];
    let text = |value: &Value| match value {
        Value::Text(text) => text.for_comparing().to_string(),
        other => panic!("{other:?}"),
    };
    let found: Vec<String> = rows(&model, "bands", None).iter().map(|row| text(&row[0])).collect();
    assert_eq!(found, names, "in the table");
    let tracks = model.tracks(&arranged(&model));
    let track = tracks.iter().find(|track| track.group == "Heap profile").unwrap().id;
    let view = View { from: us(1000), to: us(2000), width: 4 };
    let window = exact_window(&mut model, &log, view, track);
    let drawn: Vec<&str> = window.texts.iter().map(|text| text.for_comparing()).collect();
    assert_eq!(drawn, names, "on the track, the largest first");
    let search = model.look_up(&arranged(&model), track, us(1000), us(1001));
    let Place::Span(info) = answered(&mut model, &log, search).0 else { panic!("no census") };
    let told: Vec<String> = info.fields.iter().map(|(_, value)| value.text(Nanos(0)).to_string()).collect();
    assert!(told.iter().any(|told| told.starts_with("GHC.Base.CAF: ")), "in the tooltip: {told:?}");

    let query = FlameQuery { profile: FlameProfile::Heap, width: u32::MAX, ..FlameQuery::default() };
    let flame = model.flame(None, &query);
    let mut cells: Vec<&str> = flame.names.iter().map(|name| name.name.for_comparing()).collect();
    cells.sort_unstable();
    let expected = [
        "Data.Map.Internal.CAF",
        "GHC.Base.CAF",
        "Main.go (Main.hs:3:1-9)",
        "Main.go (Main.hs:7:1-9)",
        "Other.go",
        "cc #7",
        "parse",
    ];
    assert_eq!(cells, expected, "in the flame graph");
}
