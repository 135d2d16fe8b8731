//! Who made everybody wait: who stopped last before each collection; and the time in which a capability that has requested one waits.

use conformance::{
    Mutants, answered, arranged, decode_in_steps, exact_window, files, model_in_steps, project, replay, shared_logs,
    spans, whole_range,
};
use ghc_eventlog::{
    Block, CapDisable, CapNo, CapsetId, GcDone, GcEnd, GcGlobalSync, GcIdle, GcStart, GcStats, GcWork, HeapAllocated,
    LogWriter, Nanos, RequestParGc, RequestSeqGc, RunThread, StopStatus, StopThread, Text, ThreadId, ThreadLabel,
};
use ghc_eventlog_model::{Model, Place, Range, Span, TableQuery, TrackId, Value, View};
use std::{collections::BTreeMap, fs};

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
fn model_of(log: &[u8]) -> Model {
    let mut model = model_in_steps(log, 1 << 20);
    replay(&mut model, log);
    model
}

/// Some columns of a table of the GC section; `None` if it is not there, or does not have them.
fn columns<'a>(
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

/// What is later than this for a collection, and for no thread, is named without one.
const LATE: u64 = 1_000_000;

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

/// Larger logs take too long in a test.
const LARGE: u64 = 3 << 20;

/// The logs of the corpus, and real ones.
fn logs() -> Vec<(String, Vec<u8>)> {
    let mut logs = files(&project().join("tests/corpus"), "log.eventlog");
    logs.extend(shared_logs());
    logs.retain(|path| fs::metadata(path).is_ok_and(|data| data.len() < LARGE));
    logs.into_iter().map(|path| (path.display().to_string(), fs::read(path).unwrap())).collect()
}

/// The end of a run of a thread that has both ends in the log.
struct Run {
    cap: u16,
    thread: u32,
    to: u64,
}

/// What the events say, one capability at a time.
#[derive(Default)]
struct Said {
    runs: Vec<Run>,
    /// By capability: the times of requests, of begins of collections and of phases.
    requests: BTreeMap<u16, Vec<u64>>,
    starts: BTreeMap<u16, Vec<u64>>,
}

fn said(log: &[u8]) -> Said {
    let mut said = Said::default();
    let mut running: BTreeMap<u16, u32> = BTreeMap::new();
    decode_in_steps(log, log.len(), |_, record| {
        let Some(cap) = record.cap.map(|cap| cap.0).filter(|_| record.known) else { return };
        let time = record.time.0;
        match record.tag {
            RunThread::TAG => _ = running.insert(cap, RunThread::read(record.payload).thread.0),
            StopThread::TAG => {
                if let Some(thread) = running.remove(&cap) {
                    said.runs.push(Run { cap, thread, to: time });
                }
            }
            RequestSeqGc::TAG | RequestParGc::TAG => said.requests.entry(cap).or_default().push(time),
            GcStart::TAG | GcWork::TAG | GcIdle::TAG | GcDone::TAG => said.starts.entry(cap).or_default().push(time),
            _ => {}
        }
    });
    said
}

/// Of any log that has no losses, who stopped last is what its runs say.
#[test]
fn the_last_to_stop_is_the_one_whose_run_ended_last() {
    let (mut compared, mut known) = (0, 0);
    for (name, log) in logs() {
        let model = model_of(&log);
        if model.error().is_some() || model.diagnostics().count() > 0 {
            continue;
        }
        let said = said(&log);
        let Some(rows) = columns(&model, None, "collections", &["last_cap", "last_thread", "last_after_ns"]) else {
            continue;
        };
        for (gc, found) in model.collections().rows().iter().zip(rows) {
            let (Some(requested), Some(synced)) = (gc.requested, gc.synced) else {
                assert_eq!(found, [None; 3], "{name}: {gc:?}");
                continue;
            };
            let (requested, synced) = (requested.time().0, synced.time().0);
            let its = said.runs.iter().filter(|run| (requested..=synced).contains(&run.to));
            let latest = its.clone().map(|run| run.to).max();
            // Most of a long wait was for no thread: another test is about these.
            if found[0].is_some() && found[1].is_none() {
                assert!(found[2] > Some(LATE), "{name}: {gc:?}");
                assert!(gc.waited().unwrap().0 >= 2 * latest.map_or(0, |latest| latest - requested), "{name}: {gc:?}");
                continue;
            }
            compared += 1;
            match (<[Option<u64>; 3]>::try_from(found).unwrap(), latest) {
                ([Some(cap), Some(thread), Some(after)], Some(latest)) => {
                    known += 1;
                    assert_eq!(after, latest - requested, "{name}: {gc:?}");
                    let is_it =
                        |run: &Run| (run.to, u64::from(run.cap), u64::from(run.thread)) == (latest, cap, thread);
                    assert!(its.clone().any(is_it), "{name}: {gc:?}");
                }
                ([None, None, None], None) => {}
                // At the same nanosecond, the order in the file decides.
                ([None, None, None], Some(latest)) if latest == requested || latest == synced => {}
                other => panic!("{name}: {gc:?}: {other:?}"),
            }
        }
    }
    assert!(compared > 1000 || known > 20, "{compared}, {known}");
}

/// In any log and in damaged ones, the table of those who stopped last is the sum of the collections' rows, of the whole log and of
/// ranges.
#[test]
fn the_table_of_the_last_is_the_sum_of_the_collections() {
    let mut compared = 0;
    for (name, log) in logs().into_iter().filter(|(_, log)| log.len() < 400_000) {
        for log in std::iter::once(log.clone()).chain(Mutants::new(&log, 5).take(3)) {
            let mut model = model_of(&log);
            let Some((first, last)) = model.extent() else { continue };
            assert!(!model.collections().is_capped());
            let middle = Nanos(first.0 + (last.0 - first.0) / 3);
            let (range, _) = whole_range(&mut model, &log, middle, last).unwrap();
            for range in [None, Some(&range)] {
                let Some(table) =
                    columns(&model, range, "last_to_stop", &["cap", "thread", "count", "total_ns", "max_ns"])
                else {
                    continue;
                };
                let rows =
                    columns(&model, range, "collections", &["last_cap", "last_thread", "last_after_ns"]).unwrap();
                let mut sums: BTreeMap<(u64, Option<u64>), [u64; 3]> = BTreeMap::new();
                for row in rows {
                    let [Some(cap), thread, Some(after)] = row[..] else { continue };
                    let [count, total, longest] = sums.entry((cap, thread)).or_default();
                    (*count, *total, *longest) = (*count + 1, total.saturating_add(after), after.max(*longest));
                }
                compared += table.len();
                let totals: Vec<_> = table.iter().map(|row| row[3]).collect();
                assert!(totals.is_sorted_by(|one, other| one >= other), "{name}: most time first");
                // A capability that was late without a thread has a row for each reason.
                let mut by_thread: BTreeMap<(u64, Option<u64>), [u64; 3]> = BTreeMap::new();
                for row in table {
                    let [more, time, most] = [2, 3, 4].map(|at| row[at].unwrap());
                    let [count, total, longest] = by_thread.entry((row[0].unwrap(), row[1])).or_default();
                    (*count, *total, *longest) = (*count + more, total.saturating_add(time), most.max(*longest));
                }
                assert_eq!(by_thread, sums, "{name}");
            }
        }
    }
    assert!(compared > 50, "{compared}");
}

/// How much of `from..to` a lane is in each state, by its spans.
fn inside(spans: &[Span], state: usize, from: Nanos, to: Nanos) -> u64 {
    let its = spans.iter().filter(|span| usize::from(span.state) == state);
    its.map(|span| span.end.min(to).since(span.start.max(from)).0).sum()
}

/// STATISTICS, "Capability states": a capability is in GC sync from its own request, once no thread runs on it, to its first phase,
/// else from GC_START. So the track "GC sync", which is from a request to GC_START, is within the lanes: of the whole log, and
/// of any range.
#[test]
fn lanes_and_ranges_and_the_track_agree_about_gc_sync() {
    let mut random = fastrand::Rng::with_seed(3);
    let (mut waits, mut ranges, mut begins) = (0, 0, 0);
    for (name, log) in logs() {
        let mut model = model_in_steps(&log, 1 << 20);
        if model.collections().rows().iter().all(|gc| gc.requested.is_none()) {
            continue;
        }
        let (first, last) = model.extent().unwrap();
        let lanes: Vec<_> =
            model.tracks(&arranged(&model)).into_iter().filter(|track| track.group == "Capabilities").collect();
        if lanes.is_empty() {
            continue;
        }
        let state = |name: &str| lanes[0].states.iter().position(|state| state.name == name).unwrap();
        let [running, sync, unknown] = ["running", "GC sync", "not known"].map(state);
        let all: Vec<Vec<Span>> = lanes.iter().map(|track| spans(&mut model, &log, track.id)).collect();
        let place = |cap: CapNo| lanes.iter().position(|track| track.id == TrackId::capability(cap)).unwrap();
        let collections = model.collections().rows().to_vec();
        // A lane of a capability that has requested a collection is in no other state until the collection begins.
        for gc in &collections {
            let (Some(requested), Some(cap)) = (gc.requested, gc.cap) else { continue };
            let (from, spans) = (requested.time(), &all[place(cap)]);
            let known: u64 = [running, sync, unknown].map(|state| inside(spans, state, from, gc.start)).iter().sum();
            assert_eq!(known, gc.start.since(from).0, "{name}: {gc:?}");
            waits += 1;
        }
        // And it is in that state for no other reason.
        let said = said(&log);
        for (track, spans) in lanes.iter().zip(&all) {
            let cap = (0..u16::MAX).find(|cap| track.id == TrackId::capability(CapNo(*cap))).unwrap();
            let has = |times: &BTreeMap<u16, Vec<u64>>, is_it: &dyn Fn(u64) -> bool| {
                times.get(&cap).is_some_and(|times| times.iter().any(|time| is_it(*time)))
            };
            for (at, span) in spans.iter().enumerate().filter(|(_, span)| usize::from(span.state) == sync) {
                let run = at.checked_sub(1).and_then(|at| spans.get(at)).filter(|run| run.end == span.start);
                let in_run = run.map_or(Nanos::MAX, |run| run.start);
                let is_so = has(&said.requests, &|time| time == span.start.0 || (in_run.0..=span.start.0).contains(&time))
                    || has(&said.starts, &|time| time == span.start.0)
                    // Where times go back, spans do not.
                    || model.diagnostics().count() > 0;
                assert!(is_so, "{name}, capability {cap}: {span:?}");
                begins += 1;
            }
        }
        // The same of any range, by its totals.
        for round in 0..12 {
            let mut time = || Nanos(random.u64(first.0..=last.0));
            let (a, b) = (time(), time());
            let (from, to) = if round == 0 { (first, last.plus(Nanos(1))) } else { (a.min(b), a.max(b)) };
            let (range, _) = whole_range(&mut model, &log, from, to).unwrap();
            let arrangement = arranged(&model);
            let totals = |track| model.range_totals(&arrangement, &range, track).unwrap().states;
            let waited = totals(TrackId::GC_SYNC)[0];
            let in_track: u64 = collections
                .iter()
                .filter_map(|gc| Some(gc.start.min(to).since(gc.requested?.time().max(from)).0))
                .sum();
            assert_eq!(waited.0, in_track, "{name}: {from:?} to {to:?}");
            let mut in_lanes = 0;
            for (track, spans) in lanes.iter().zip(&all) {
                let states = totals(track.id);
                assert_eq!(states[sync].0, inside(spans, sync, from, to), "{name}: {from:?} to {to:?}");
                in_lanes += states[sync].0;
            }
            // Some of the time a thread may have run on, where the request came before its stop.
            let not_yet: u64 = collections
                .iter()
                .filter_map(|gc| {
                    let (from, to, spans) = (gc.requested?.time().max(from), gc.start.min(to), &all[place(gc.cap?)]);
                    Some(inside(spans, running, from, to) + inside(spans, unknown, from, to))
                })
                .sum();
            assert!(in_lanes + not_yet >= waited.0, "{name}: {from:?} to {to:?}: {in_lanes}, {not_yet}, {waited:?}");
            ranges += 1;
        }
    }
    assert!(waits > 500 && ranges > 100 && begins > 500, "{waits}, {ranges}, {begins}");
}

/// A request whose run's stop was lost is over with the run: what comes after a later run is idle.
#[test]
fn a_request_is_over_with_the_run_whose_stop_was_lost() {
    let lanes = ["1 p (  =] 2 )   a", "  3)            "];
    let log = log(&lanes);
    let mut model = model_in_steps(&log, 1 << 20);
    assert_eq!(lane(&mut model, &log, 0, 15), "rrrrwwww..rr...");
}
