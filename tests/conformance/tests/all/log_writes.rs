//! The time that the runtime spent writing the log, as each kind of question shows it.

use conformance::{answered, arranged, exact_window, model_in_steps, whole_range};
use ghc_eventlog::{
    Block, CapNo, CapsetId, HeapAllocated, LogWriter, Nanos, RunThread, StopStatus, StopThread, ThreadId,
};
use ghc_eventlog_model::{Facts, Model, Place, TableQuery, TrackId, Value, View};

fn us(micros: u64) -> Nanos {
    Nanos(micros * 1000)
}

/// A log of a capability that runs a thread from 100 µs to 5000 µs, in three blocks: the first one is closed at 1001 µs and
/// the next one begins at 1400 µs, the second one is closed at 3001 µs and the next one begins at 3500 µs. Another
/// capability is idle for long between two blocks, of which the first was closed when it was flushed.
///
/// ```text
/// µs     100            1000  1400             3000   3500       5000
/// cap 0   |running       |write|                |write|           |
/// cap 1   |r|       flush             idle                     |r|
/// ```
fn log(by_runtime: bool) -> Vec<u8> {
    let mut log = LogWriter::new();
    let told = |time: u64| by_runtime.then(|| us(time));
    let allocated = |bytes| HeapAllocated { capset: CapsetId(0), bytes };
    let thread = ThreadId(1);
    let cap = |cap: u16, time, end_time| Block { time: told(time), end_time: told(end_time), ..Block::of(CapNo(cap)) };
    log.block(cap(0, 90, 1001), |block| {
        block.event(us(100), RunThread { thread }).event(us(1000), allocated(1));
    });
    log.block(cap(1, 90, 1100), |block| {
        block.event(us(100), RunThread { thread: ThreadId(2) });
        block.event(us(200), StopThread { thread: ThreadId(2), status: StopStatus(2), info: Some(0) });
    });
    log.block(cap(0, 1400, 3001), |block| {
        block.event(us(1402), allocated(2)).event(us(3000), allocated(3));
    });
    log.block(cap(1, 1110, 5001), |block| {
        block.event(us(4800), RunThread { thread: ThreadId(2) });
        block.event(us(4900), StopThread { thread: ThreadId(2), status: StopStatus(2), info: Some(0) });
    });
    // An event may have a time that was taken before the block began.
    log.block(cap(0, 3502, 5001), |block| {
        block.event(us(3500), allocated(4));
        block.event(us(5000), StopThread { thread, status: StopStatus(2), info: Some(0) });
    });
    log.end();
    log.finish()
}

fn figure(facts: &Facts) -> Option<Value> {
    facts.section("caps").unwrap().get("log_writing_ns").map(|figure| figure.value.clone())
}

fn lane(cap: u16) -> TrackId {
    TrackId::capability(CapNo(cap))
}

#[test]
fn the_time_that_writing_the_log_took_is_known() {
    let log = log(true);
    for size in [1, 64, log.len()] {
        let mut model = model_in_steps(&log, size);
        assert_eq!(figure(&model.facts(None)), Some(Value::Duration(us(399 + 499 + 10))), "{size}");
        let (range, _) = whole_range(&mut model, &log, us(1201), us(3101)).unwrap();
        assert_eq!(figure(&model.facts(Some(&range))), Some(Value::Duration(us(199 + 100))));
        let order = model.order(TableQuery { table: "caps".into(), ..TableQuery::default() }, None);
        let facts = model.facts(None);
        let columns = &facts.section("caps").unwrap().tables[0].columns;
        let at = columns.iter().position(|column| column.key == "log_writing_ns").unwrap();
        let rows = model.page(&order, None, 0, 9).rows;
        let cells: Vec<Value> = rows.into_iter().map(|mut row| row.swap_remove(at)).collect();
        assert_eq!(cells, [us(898), us(10)].map(Value::Duration));
    }
}

/// What the lane says is not lost, and the times of its states stay as they are.
#[test]
fn writing_the_log_is_drawn_over_what_the_capability_did() {
    let log = log(true);
    let mut model = model_in_steps(&log, log.len());
    let view = View { from: us(0), to: us(5000), width: 50 };
    let window = exact_window(&mut model, &log, view, lane(0));
    assert_eq!(window.hatched, [(us(1001), us(1400)), (us(3001), us(3500))]);
    assert_eq!(exact_window(&mut model, &log, view, lane(1)).hatched, [], "too short to be seen");
    let coarse = model.plan(view).coarse();
    assert_eq!(model.window(&arranged(&model), &coarse, lane(0)).hatched.len(), 2);
    let running = |model: &Model| model.totals(&arranged(model), lane(0))[0];
    assert_eq!(running(&model), us(4900));

    let search = model.look_up(&arranged(&model), lane(0), us(1200), us(1201));
    let Place::Span(info) = answered(&mut model, &log, search).0 else { panic!("no span") };
    assert_eq!((info.state, info.span.end), ("running", us(5000)));
    assert!(info.fields.contains(&("Writing the log (estimate)", Value::Duration(us(898)))), "{:?}", info.fields);
    let search = model.look_up(&arranged(&model), lane(1), us(150), us(151));
    let Place::Span(info) = answered(&mut model, &log, search).0 else { panic!("no span") };
    assert!(info.fields.iter().all(|(name, _)| !name.contains("log")), "{:?}", info.fields);
}

/// Other writers of logs give markers the times of events: then nothing is known of the time between blocks.
#[test]
fn markers_with_the_times_of_events_tell_nothing() {
    let log = log(false);
    let mut model = model_in_steps(&log, log.len());
    assert_eq!(figure(&model.facts(None)), None);
    let view = View { from: us(0), to: us(5000), width: 50 };
    assert_eq!(exact_window(&mut model, &log, view, lane(0)).hatched, []);
}
