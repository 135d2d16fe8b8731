//! Who stopped last before each collection, in logs that are drawn in characters. `stops_of_logs.rs` has the same of real logs.

use conformance::{answered, arranged, exact_window, model_in_steps, replay, whole_range};
use ghc_eventlog::{
    Block, CapDisable, CapNo, CapsetId, GcEnd, GcGlobalSync, GcStart, GcStats, GcWork, HeapAllocated, LogWriter, Nanos,
    RequestParGc, RequestSeqGc, RunThread, StopStatus, StopThread, Text, ThreadId, ThreadLabel,
};
use ghc_eventlog_model::{Model, Place, Range, TableQuery, TrackId, Value, View};

/// The time of one character of a drawing: 1 µs.
const STEP: u64 = 1000;

/// The block of a capability whose `*` is damaged: all of its events up to the next `*` are lost.
#[derive(Clone, Copy, PartialEq)]
enum Written {
    Whole,
    Damaged,
}

/// Plays drawings, a line for each capability: digits run that thread, `)` stops it, `q` and `p` request a collection by one
/// thread or by several, `(` begins it and works, `=` says that all have stopped, `]` ends it; `-` disables the
/// capability, `a` changes nothing. What is between two `*` is lost.
fn log(lanes: &[&str]) -> Vec<u8> {
    let mut log = LogWriter::new();
    log.block(Block::of(CapNo(0)), |block| {
        block.event(Nanos(0), ThreadLabel { thread: ThreadId(7), label: Text(b"worker") });
    });
    for (number, lane) in lanes.iter().enumerate() {
        let cap = CapNo(number as u16);
        let (mut thread, mut place) = (ThreadId(0), 0);
        for (part, letters) in lane.split('*').enumerate() {
            let written = if part % 2 == 1 { Written::Damaged } else { Written::Whole };
            let from = log.offset();
            log.block(Block::of(cap), |block| {
                for letter in letters.chars() {
                    event(block, Nanos(1 + place * STEP), cap, letter, &mut thread);
                    place += 1;
                }
            });
            if written == Written::Damaged {
                log = damaged(log, from);
            }
            place += 1;
        }
    }
    log.end();
    log.finish()
}

fn event(block: &mut LogWriter, time: Nanos, cap: CapNo, letter: char, thread: &mut ThreadId) {
    match letter {
        '0'..='9' => {
            *thread = ThreadId(letter.to_digit(10).unwrap());
            block.event(time, RunThread { thread: *thread });
        }
        ')' => _ = block.event(time, StopThread { thread: *thread, status: StopStatus(3), info: Some(0) }),
        'q' => _ = block.event(time, RequestSeqGc {}),
        'p' => _ = block.event(time, RequestParGc {}),
        '(' => _ = block.event(time, GcStart {}).event(time, GcWork {}),
        '=' => {
            block.event(time, GcGlobalSync {}).event(
                time,
                GcStats {
                    capset: CapsetId(0),
                    generation: 0,
                    copied_bytes: 0,
                    slop_bytes: 0,
                    fragmentation_bytes: 0,
                    par_threads: 1,
                    par_max_copied_bytes: 0,
                    par_total_copied_bytes: 0,
                    par_balanced_copied_bytes: Some(0),
                },
            );
        }
        ']' => _ = block.event(time, GcEnd {}),
        'a' => _ = block.event(time, HeapAllocated { capset: CapsetId(0), bytes: 0 }),
        '-' => _ = block.event(time, CapDisable { cap }),
        _ => {}
    }
}

/// The log with the events of its last block, which begins at `from`, overwritten.
fn damaged(log: LogWriter, from: usize) -> LogWriter {
    const MARKER: usize = 2 + 8 + 4 + 8 + 2;
    let mut bytes = log.finish();
    bytes[from + MARKER..].fill(0xee);
    let mut log = LogWriter::empty();
    ghc_eventlog::known_types().iter().for_each(|declared| _ = log.write_as(declared.tag, declared.size));
    log.bytes(&bytes);
    log
}

/// A model that has been read and replayed.
pub(crate) fn model_of(log: &[u8]) -> Model {
    let mut model = model_in_steps(log, 1 << 20);
    replay(&mut model, log);
    model
}

/// Some columns of a table of the GC section; `None` if it is not there, or does not have them.
pub(crate) fn columns<'a>(
    model: &'a Model,
    range: Option<&'a Range>,
    table: &str,
    keys: &[&str],
) -> Option<Vec<Vec<Option<u64>>>> {
    let facts = model.facts(range);
    let info = facts.section("gc")?.tables.iter().find(|info| info.key == table)?;
    let place = |key: &&str| info.columns.iter().position(|column| column.key == *key);
    let places: Vec<usize> = keys.iter().map(place).collect::<Option<_>>()?;
    let order = model.order(TableQuery { table: table.into(), ..TableQuery::default() }, range);
    let mut rows = Vec::new();
    loop {
        let page = model.page(&order, range, rows.len(), usize::MAX);
        if page.rows.is_empty() {
            return Some(rows);
        }
        rows.extend(page.rows.iter().map(|row| places.iter().map(|place| number(&row[*place])).collect()));
    }
}

fn number(value: &Value) -> Option<u64> {
    match value {
        Value::Unknown => None,
        Value::Time(time) | Value::Duration(time) => Some(time.0),
        Value::Count(number) => Some(*number),
        Value::Capability(cap) => Some(cap.0.into()),
        Value::Thread(thread) => Some(thread.0.into()),
        other => panic!("{other:?}"),
    }
}

/// For each collection: capability, thread and delay of the last to stop, the delay in characters.
fn last(lanes: &[&str]) -> Vec<Option<(u64, u64, u64)>> {
    let log = log(lanes);
    let model = model_of(&log);
    let rows = columns(&model, None, "collections", &["last_cap", "last_thread", "last_after_ns"]).unwrap();
    rows.iter()
        .map(|row| match row[..] {
            [Some(cap), Some(thread), Some(after)] => Some((cap, thread, after / STEP)),
            [None, None, None] => None,
            _ => panic!("{row:?}"),
        })
        .collect()
}

/// A thread in an `unsafe` foreign call of 30 µs looks like any other that runs on: capability 0 asks for a collection, and waits.
#[test]
fn a_thread_that_runs_on_is_named_with_its_capability_and_its_delay() {
    let lanes = &[
        "1 )p                             ( =] ",
        "  7                              )    ",
        "  3    )                              ",
    ];
    let log = log(lanes);
    let mut model = model_of(&log);
    let found = columns(&model, None, "collections", &["last_cap", "last_thread", "last_after_ns"]).unwrap();
    assert_eq!(found, [[Some(1), Some(7), Some(30 * STEP)]]);
    let all = ["cap", "thread", "count", "total_ns", "max_ns", "max_at_ns"];
    let found = columns(&model, None, "last_to_stop", &all).unwrap();
    assert_eq!(found, [[Some(1), Some(7), Some(1), Some(30 * STEP), Some(30 * STEP), Some(1 + 3 * STEP)]]);
    // The capability that waits is not idle.
    let drawn = lane(&mut model, &log, 0, lanes[0].len());
    assert_eq!(drawn, "rr.oooooooooooooooooooooooooooooowww~~");
    // The tooltips of the collection and of the time before it name both, and so does the picture.
    for (track, at) in [(TrackId::COLLECTIONS, 34), (TrackId::GC_SYNC, 10)] {
        let at = Nanos(1 + at * STEP);
        let search = model.look_up(&arranged(&model), track, at, at.plus(Nanos(1)));
        let Place::Span(info) = answered(&mut model, &log, search).0 else { panic!() };
        let field = |name: &str| info.fields.iter().find(|(other, _)| *other == name).map(|(_, value)| value.clone());
        assert_eq!(field("Last to stop"), Some(Value::words("cap 1, 7 worker".to_string())));
        assert_eq!(field("It stopped after"), Some(Value::Duration(Nanos(30 * STEP))));
    }
    let view = View { from: Nanos(0), to: Nanos(40 * STEP), width: 400 };
    let window = exact_window(&mut model, &log, view, TrackId::GC_SYNC);
    assert_eq!(window.texts.first().map(|text| text.for_comparing()), Some("waited for cap 1, 7 worker"));
}

/// A lane as it is drawn: `r` running, `o` GC sync, `w` another state of a collection, `.` idle.
fn lane(model: &mut Model, log: &[u8], cap: u16, width: usize) -> String {
    let place = |place: usize| {
        let at = Nanos(1 + place as u64 * STEP + STEP / 2);
        let search = model.look_up(&arranged(model), TrackId::capability(CapNo(cap)), at, at.plus(Nanos(1)));
        match answered(model, log, search).0 {
            Place::Span(info) => match info.state {
                "running" => 'r',
                "GC sync" => 'o',
                "GC working" | "GC wait" => 'w',
                "idle" => '.',
                other => panic!("{other}"),
            },
            _ => '~',
        }
    };
    (0..width).map(place).collect()
}

#[test]
fn sequential_and_parallel_requests_count() {
    assert_eq!(last(&["1) q  (=]  p  (=]", "2)        2 )    "]), [None, Some((1, 2, 1))]);
    assert_eq!(last(&["q  (=]  p  (=]", "2 )   2)       "]), [Some((1, 2, 2)), None]);
}

/// The last one before GC_GLOBAL_SYNC is meant, whatever comes after it.
#[test]
fn stops_count_between_the_request_and_the_sync() {
    assert_eq!(last(&["1)p   (=]    ", "2     )      ", "3   )        ", "4)           "]), [Some((1, 2, 4))]);
    assert_eq!(last(&["1)p (=]      ", "2  )         ", "3        )   "]), [Some((1, 2, 1))]);
}

/// GHC lets a capability that has just helped with a collection run a thread, even if the next collection is requested: then the others
/// wait for that one, which its tooltip says.
#[test]
fn who_began_to_run_after_the_request_counts_and_is_marked() {
    assert_eq!(last(&["1)p    (=]", "2   )     ", "   3  )   "]), [Some((2, 3, 4))]);
    assert_eq!(last(&["1)p    (=]", "2     )   ", "   3 )    "]), [Some((1, 2, 4))]);
    for (lane, expected) in [("    3 )   ", Some("after the request")), ("3     )   ", None)] {
        let log = log(&["1)p    (=]", lane]);
        let mut model = model_of(&log);
        let at = Nanos(1 + 3 * STEP);
        let search = model.look_up(&arranged(&model), TrackId::GC_SYNC, at, at.plus(Nanos(1)));
        let Place::Span(info) = answered(&mut model, &log, search).0 else { panic!() };
        let began = info.fields.iter().find(|(name, _)| *name == "It began to run").map(|(_, value)| value.clone());
        assert_eq!(began, expected.map(|text| Value::words(text.to_string())));
    }
}

/// It is known that none ran: that is not the same as not known.
#[test]
fn where_nobody_ran_the_list_is_empty() {
    let log = log(&["1)p    (=]", "3)        "]);
    assert_eq!(columns(&model_of(&log), None, "last_to_stop", &["cap"]), Some(vec![]));
}

/// Where nobody else runs, it is the thread of the capability that requests, if that still runs one.
#[test]
fn one_capability_waits_for_itself_or_for_nobody() {
    assert_eq!(last(&["1 ) p (=]"]), [None]);
    assert_eq!(last(&["1 p ) (=]"]), [Some((0, 1, 2))]);
}

#[test]
fn each_of_several_that_request_at_once_has_its_own() {
    assert_eq!(
        last(&["1)p      (=]      ", "2)  p         (=] ", "3          )      ", "4    )            "]),
        [Some((3, 4, 3)), Some((2, 3, 7))]
    );
}

#[test]
fn without_a_request_in_the_log_it_is_not_known() {
    assert_eq!(last(&["1)  (=]  p (=]", "2  )     3)   "]), [None, Some((1, 3, 1))]);
    let log = log(&["1)  (=]", "2  )   "]);
    assert_eq!(columns(&model_of(&log), None, "last_to_stop", &["cap"]), None, "not an empty list");
}

/// A capability of which nothing is known in between is not it; one of which something is known may be.
#[test]
fn what_is_lost_is_not_the_last() {
    assert_eq!(last(&["1)p      (=]  ", "2 * )   *  4 )", "3)            "]), [None]);
    assert_eq!(last(&["1)p      (=]  ", "2 * )   *  4 )", "3   )         "]), [Some((2, 3, 2))]);
    assert_eq!(last(&["1)p      (=]  ", "2 *  *  )     ", "3   )         "]), [Some((1, 2, 6))]);
    // Its stop is missing, but something else began.
    assert_eq!(last(&["1)p      (=]  ", "2    4      ) ", "3  )          "]), [Some((2, 3, 1))]);
}

#[test]
fn disabled_capabilities_count_if_they_run_a_thread() {
    assert_eq!(last(&["1)p     (=]", "2 -  )     ", "3  )       "]), [Some((1, 2, 3))]);
}

#[test]
fn a_range_has_the_collections_that_begin_in_it() {
    let lanes = ["p  (=]  p   (=]  p (=]", "2 )     3  )     2)   "];
    let log = log(&lanes);
    let mut model = model_of(&log);
    let keys = ["cap", "thread", "count", "total_ns", "max_ns"];
    let whole = columns(&model, None, "last_to_stop", &keys).unwrap();
    let row =
        |thread, count, total, max| vec![Some(1), Some(thread), Some(count), Some(total * STEP), Some(max * STEP)];
    assert_eq!(whole, [row(2, 2, 3, 2), row(3, 1, 3, 3)]);
    for (from, to, expected) in
        [(2, 9, vec![row(2, 1, 2, 2)]), (4, 13, vec![row(3, 1, 3, 3)]), (4, 11, vec![]), (0, 30, whole.clone())]
    {
        let (range, _) = whole_range(&mut model, &log, Nanos(from * STEP), Nanos(to * STEP)).unwrap();
        assert_eq!(columns(&model, Some(&range), "last_to_stop", &keys).unwrap(), expected, "{from} to {to}");
    }
}

/// Whoever is late by milliseconds although no thread runs any more: here, a character is 1 µs, and `~` 2 ms.
fn late(lanes: [&str; 2]) -> Option<[Option<u64>; 3]> {
    let slow = |lane: &str| lane.replace('~', &" ".repeat(2000));
    let [one, other] = lanes.map(slow);
    let rows = columns(&model_of(&log(&[&one, &other])), None, "last_to_stop", &["cap", "thread", "max_ns"]).unwrap();
    rows.into_iter().next().map(|row| row.try_into().unwrap())
}

#[test]
fn a_capability_that_is_late_without_a_thread_is_named_without_one() {
    // It has asked for the collection itself, and the other one has stopped at once.
    assert_eq!(late(["1)p  ~(=]", "2  )( ~  "]), Some([Some(0), None, Some(2003 * STEP)]));
    // The other one stops at once, but begins to collect late.
    assert_eq!(late(["1)p  ~ (=]", "2  ) ~(   "]), Some([Some(1), None, Some(2003 * STEP)]));
    // A thread runs on for most of the time.
    assert_eq!(late(["1)p ~ (=]", "2   ~)   "]), Some([Some(1), Some(2), Some(2002 * STEP)]));
    // Nobody is late.
    assert_eq!(late(["1)p  (=]", "2  )(   "]), Some([Some(1), Some(2), Some(STEP)]));
}

/// A request whose run's stop was lost is over with the run: what comes after a later run is idle.
#[test]
fn a_request_is_over_with_the_run_whose_stop_was_lost() {
    let lanes = ["1 p (  =] 2 )   a", "  3)            "];
    let log = log(&lanes);
    let mut model = model_in_steps(&log, 1 << 20);
    assert_eq!(lane(&mut model, &log, 0, 15), "rrrrwwww..rr...");
}
