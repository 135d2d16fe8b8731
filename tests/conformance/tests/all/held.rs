//! Compares [`Model::bytes_held`] with the allocator's count, since the budget of `limits` relies on it. Each log
//! has much of one kind of data, so that others cannot hide an error in counting that one.

use allocation_counter::measure;
use conformance::{exact_plan, replay};
use ghc_eventlog::{
    Block, CStr, CapCreate, CapDisable, CapEnable, CapNo, CapsetAssignCap, CapsetId, ConcMarkBegin, ConcMarkEnd,
    ConcSweepBegin, ConcSweepEnd, CostCentre, CostCentreId, CostCentreStack, CreateThread, Event, EventType, GcEnd,
    GcGlobalSync, GcStart, HeapAllocated, HeapLive, HeapProfSampleBegin, HeapProfSampleCostCentre,
    HeapProfSampleString, LogMsg, LogWriter, MemReturn, Nanos, NonmovingHeapCensus, ProfSampleCostCentre, ProgramArgs,
    ProgramEnv, RequestParGc, RunThread, SegmentBlockSize, SparkCounters, SparkRun, StopStatus, StopThread, TaskCreate,
    TaskId, TaskMigrate, Text, TextList, ThreadId, ThreadLabel, TickyCounterDef, UserBinaryMsg, UserMarker, UserMsg,
    known_types,
};
use ghc_eventlog_model::{EventsWish, Job, Model, View, limits};

/// Memory that need not be counted: lists of a few things.
const LITTLE: usize = 1 << 10;

/// Makes a model, and checks that it holds at least `least` bytes, and that `bytes_held` is right up to a thirtieth and
/// [`LITTLE`].
fn assert_counted(what: &str, least: usize, make: impl FnOnce() -> Model) {
    let mut made = None;
    let held = measure(|| made = Some(make())).bytes_current as usize;
    let told = made.unwrap().bytes_held();
    assert!(held >= least, "{what}: {held} bytes are too few to tell anything by");
    assert!(told.abs_diff(held) <= held / 32 + LITTLE, "{what}: {told} bytes told, {held} held");
}

/// The model of a whole log; the log itself is not the model's.
fn model_of(log: &[u8]) -> Model {
    let mut model = Model::of_size(Some(0));
    model.feed(log);
    model.finish();
    model
}

/// The model of the beginning of a log.
fn begun(log: &[u8]) -> Model {
    let mut model = Model::of_size(Some(0));
    model.feed(log);
    model
}

/// A log of one block.
fn log(write: impl FnOnce(&mut LogWriter)) -> Vec<u8> {
    let mut log = LogWriter::with_types(&few_types());
    log.block(Block::of(CapNo(0)), write).end();
    log.finish()
}

/// Without their descriptions.
fn few_types() -> Vec<EventType> {
    known_types().into_iter().map(|declared| EventType { description: "".into(), ..declared }).collect()
}

fn assert_log_counted(what: &str, least: usize, write: impl FnOnce(&mut LogWriter)) {
    let log = log(write);
    assert_counted(what, least, || model_of(&log));
}

fn run(log: &mut LogWriter, thread: u32, from: u64, to: u64) {
    let thread = ThreadId(thread);
    log.event(Nanos(from), RunThread { thread });
    log.event(Nanos(to), StopThread { thread, status: StopStatus(5), info: Some(0) });
}

#[test]
fn an_empty_model_counts_next_to_nothing() {
    assert_counted("no log", 0, Model::new);
    assert_log_counted("one run", 0, |log| run(log, 1, 0, 10));
}

#[test]
fn threads_are_counted() {
    let create = |log: &mut LogWriter, of: &mut dyn Iterator<Item = u32>| {
        of.for_each(|number| {
            log.event(Nanos(1), CreateThread { thread: ThreadId(number) });
        });
    };
    assert_log_counted("threads", 16384 * 48, |log| create(log, &mut (0..16384)));
    assert_log_counted("a thread of a large number", 4 << 20, |log| {
        create(log, &mut [limits::DENSE_THREADS - 1].into_iter())
    });
    let from = limits::DENSE_THREADS;
    assert_log_counted("threads of huge numbers", 1 << 20, |log| create(log, &mut (from..from + 16384)));
    assert_log_counted("labels", 1000 * limits::MAX_TEXT, |log| {
        let label = "x".repeat(limits::MAX_TEXT);
        for number in 0..1000 {
            log.event(Nanos(1), ThreadLabel { thread: ThreadId(number), label: Text(label.as_bytes()) });
        }
    });
}

#[test]
fn messages_are_counted() {
    assert_log_counted("markers", 1000 * limits::MAX_TEXT / 2, |log| {
        for number in 0..1000 {
            let text = format!("{number}{}", "x".repeat(limits::MAX_TEXT / 2));
            log.event(Nanos(1), UserMarker { text: Text(text.as_bytes()) });
        }
    });
    assert_log_counted("labels of spans", 500 * limits::MAX_TEXT / 2, |log| {
        for number in 0..500 {
            let text = format!("START {number}{}", "x".repeat(limits::MAX_TEXT / 2));
            log.event(Nanos(1), UserMsg { text: Text(text.as_bytes()) });
        }
    });
}

/// After the replay.
#[test]
fn spans_between_messages_are_counted() {
    let many = log(|log| {
        for at in 0..20_000u64 {
            log.event(Nanos(at * 100), UserMsg { text: Text(format!("START l{}", at % 500).as_bytes()) });
            log.event(Nanos(at * 100 + at % 90), UserMsg { text: Text(format!("STOP l{}", at % 500).as_bytes()) });
        }
    });
    assert_counted("spans", 20_000 * 32, || {
        let mut model = model_of(&many);
        assert!(replay(&mut model, &many));
        model
    });
}

/// After the replay.
#[test]
fn what_threads_did_is_counted() {
    let replayed = |log: &[u8]| {
        let mut model = model_of(log);
        assert!(replay(&mut model, log));
        model
    };
    let many =
        log(|log| (1..16384).for_each(|thread| run(log, thread, u64::from(thread) * 100, u64::from(thread) * 100 + 7)));
    assert_counted("lives", 16384 * (40 + 88), || replayed(&many));
    // Also the details of a thread that the user zooms in on, which in a small log is all of it.
    assert_counted("what is at hand", 16384 * (40 + 88) + 30_000 * 24, || {
        let mut model = replayed(&many);
        let (from, to) = model.extent().unwrap();
        exact_plan(&mut model, &many, View { from, to, width: 100 });
        model
    });
    let one = log(|log| (0..20_000).for_each(|at| run(log, 1, at * 1000, at * 1000 + 10)));
    assert_counted("pieces of one thread", 5000 * 88, || replayed(&one));
}

#[test]
fn tasks_are_counted() {
    let create = |log: &mut LogWriter, number: u64| {
        log.event(Nanos(1), TaskCreate { task: TaskId(number), cap: CapNo(0), kernel_thread: 0 });
    };
    assert_log_counted("tasks", 8192 * 80, |log| (0..8192).for_each(|number| create(log, number)));
    assert_log_counted("stays", 16384 * 24, |log| {
        create(log, 1);
        for at in 0..16384 {
            log.event(Nanos(at), TaskMigrate { task: TaskId(1), cap: CapNo(0), new_cap: CapNo(1) });
        }
    });
}

#[test]
fn texts_and_sets_are_counted() {
    let text = "x".repeat(limits::MAX_TEXT);
    let texts = |count: usize| vec![&*text; count].join("\0");
    let (args, environment, capset) = (texts(250), texts(200), CapsetId(0));
    assert_log_counted("arguments", args.len(), |log| {
        log.event(Nanos(1), ProgramArgs { capset, args: TextList(args.as_bytes()) });
    });
    assert_log_counted("environment", environment.len(), |log| {
        log.event(Nanos(1), ProgramEnv { capset, env: TextList(environment.as_bytes()) });
    });
    assert_log_counted("members", 60_000 * 2, |log| {
        for (set, cap) in (0..60).flat_map(|set| (0..1000).map(move |cap| (set, cap))) {
            log.event(Nanos(1), CapsetAssignCap { capset: CapsetId(set), cap: CapNo(cap) });
        }
    });
}

/// All capabilities have events in the segment that is being read.
#[test]
fn capabilities_are_counted() {
    let mut log = LogWriter::with_types(&few_types());
    for cap in 0..1024 {
        log.block(Block::of(CapNo(cap)), |block| {
            block.event(Nanos(1), CreateThread { thread: ThreadId(1) });
        });
    }
    let log = log.finish();
    assert_counted("capabilities", 1024 * 1000, || model_of(&log));
    assert_counted("entries of a segment", 1024 * 1500, || begun(&log));
    assert_log_counted("lives", 1000 * 50, |log| {
        for cap in 0..1000 {
            log.event(Nanos(1), CapCreate { cap: CapNo(cap) });
        }
    });
    assert_log_counted("disabled stretches", 8000 * 16, |log| {
        for at in 0..16000 {
            log.event(Nanos(at * 2), CapDisable { cap: CapNo(0) });
            log.event(Nanos(at * 2 + 1), CapEnable { cap: CapNo(0) });
        }
    });
    assert_log_counted("rests", 16000 * 16, |log| {
        (0..16000).for_each(|at| run(log, 1, at * 100_000, at * 100_000 + 10));
    });
}

#[test]
fn collections_are_counted() {
    assert_log_counted("collections", 8192 * 72, |log| {
        for at in (0..8192).map(|at| at * 100) {
            log.event(Nanos(at), GcStart {}).event(Nanos(at + 1), GcGlobalSync {}).event(Nanos(at + 2), GcEnd {});
        }
    });
    assert_log_counted("a long collection", 50_000, |log| {
        log.event(Nanos(0), GcStart {}).event(Nanos(0), GcGlobalSync {}).event(Nanos(u64::MAX / 2), GcEnd {});
    });
    assert_log_counted("phases", 16000 * 24, |log| {
        for at in (0..8000).map(|at| at * 100) {
            log.event(Nanos(at), ConcMarkBegin {}).event(Nanos(at + 1), ConcMarkEnd { marked: 1 });
            log.event(Nanos(at + 2), ConcSweepBegin {}).event(Nanos(at + 3), ConcSweepEnd {});
        }
    });
    assert_log_counted("censuses", 16000 * 24, |log| {
        for at in 0..16000 {
            let (active_segments, filled_segments, live_blocks) = (1, 2, 3);
            let block_bytes = SegmentBlockSize(16);
            log.event(Nanos(at), NonmovingHeapCensus { block_bytes, active_segments, filled_segments, live_blocks });
        }
    });
    assert_log_counted("returns of memory", 16000 * 32, |log| {
        for at in 0..16000 {
            let (current, needed, returned) = (1, 1, 0);
            log.event(Nanos(at), MemReturn { capset: CapsetId(0), current, needed, returned });
        }
    });
}

/// In a log that seems to be large: data that will be merged into wider buckets, and long spans, which are not written
/// to each of their buckets.
#[test]
fn buckets_are_counted() {
    let model = |log: &[u8]| {
        let mut model = Model::new();
        model.feed(log);
        model
    };
    let long = log(|log| (0..3).for_each(|at| run(log, 1, at << 26, (at + 1) << 26)));
    assert_counted("buckets", (4 + 2) << limits::OVERVIEW_LOG2, || model(&long));
    let mut log = LogWriter::with_types(&few_types());
    for cap in 0..3 {
        log.block(Block::of(CapNo(cap)), |block| {
            block.event(Nanos(0), GcStart {}).event(Nanos(0), GcGlobalSync {}).event(Nanos(1 << 26), GcEnd {});
        });
    }
    let log = log.finish();
    assert_counted("long spans", (4 + 7 * 4) << limits::OVERVIEW_LOG2, || model(&log));
}

#[test]
fn sparks_are_counted() {
    assert_log_counted("sparks going on", 4096 * 20, |log| {
        for thread in 0..4096 {
            log.event(Nanos(1), RunThread { thread: ThreadId(thread) });
            log.event(Nanos(1), SparkRun {});
            log.event(Nanos(1), StopThread { thread: ThreadId(thread), status: StopStatus(5), info: Some(0) });
        }
    });
    assert_log_counted("a long spark", 50_000, |log| {
        log.event(Nanos(1), RunThread { thread: ThreadId(1) });
        log.event(Nanos(1), SparkRun {}).event(Nanos(u64::MAX / 2), SparkRun {});
    });
}

#[test]
fn values_are_counted() {
    assert_log_counted("values", 16000 * 16, |log| {
        for at in 1..16000 {
            log.event(Nanos(at), HeapLive { capset: CapsetId(0), bytes: at });
        }
    });
    let mut log = LogWriter::with_types(&few_types());
    for cap in 0..500 {
        log.block(Block::of(CapNo(cap)), |block| {
            for at in 1..3 {
                let (created, dud, overflowed, converted, gcd, fizzled) = (at, at, at, at, at, at);
                let counters = SparkCounters { created, dud, overflowed, converted, gcd, fizzled, remaining: at };
                block.event(Nanos(at << 20), counters);
            }
        });
    }
    let log = log.finish();
    assert_counted("counters", 500 * 7 * 100, || model_of(&log));
    assert_log_counted("buckets of values", 500_000, |log| {
        for at in 1..40000 {
            log.event(Nanos(at << 20), HeapLive { capset: CapsetId(0), bytes: at });
        }
    });
    assert_log_counted("buckets of points", 16000 * 16, |log| {
        for at in 1..40000 {
            log.event(Nanos(at), RequestParGc {});
        }
    });
    assert_log_counted("amounts", 2 * 16384, |log| {
        for at in 1..10 {
            log.event(Nanos(at << 20), HeapAllocated { capset: CapsetId(0), bytes: at });
        }
    });
}

#[test]
fn other_events_are_counted() {
    let assert_counted = |what: &str, least: usize, types: std::ops::Range<u16>, times: u64| {
        let of = |tag| EventType { tag, size: 0, description: "".into() };
        let mut log = LogWriter::with_types(&types.clone().map(of).collect::<Vec<_>>());
        log.block(Block::of(CapNo(0)), |block| {
            for (time, tag) in (0..times).flat_map(|time| types.clone().map(move |tag| (time, tag))) {
                block.record(Nanos(time), tag, Event::Unknown(&[]));
            }
        });
        let log = log.finish();
        assert_counted(what, least, || model_of(&log));
    };
    assert_counted("events of their own", 200 * 1024 * 16, 300..500, 1024);
    assert_counted("buckets of them", 200 * 1024 * 16, 300..500, 1500);
    assert_counted("types of one event", 256 * 150, 300..556, 1);
    assert_counted("a large number", 2 * 65_000, 65_000..65_001, 1);
    assert_counted("numbers", 1000 * 2 * 10, 1000..5000, 2);
}

#[test]
fn headers_are_counted() {
    let assert_counted = |what: &str, least: usize, types: std::ops::Range<u16>, length: usize| {
        let of = |tag| EventType { tag, size: 0, description: "x".repeat(length).into() };
        let mut log = LogWriter::with_types(&types.map(of).collect::<Vec<_>>());
        let log = log.end().clone().finish();
        assert_counted(what, least, || model_of(&log));
    };
    assert_counted("descriptions", 40 * 50_000, 300..340, 50_000);
    assert_counted("descriptions that are kept", (3700 + 1000) * limits::MAX_TEXT, 300..4000, limits::MAX_TEXT);
    assert_counted("names", 3700 * 40, 300..4000, 1);
    assert_counted("declarations", 60_000 * 8, 60_000..60_001, 1);
}

#[test]
fn profiles_are_counted() {
    let bytes = 5;
    let names: Vec<String> = (0..10_000).map(|number| format!("a band of some name {number}")).collect();
    let label = |log: &mut LogWriter, time: u64, name: &str| {
        log.event(Nanos(time), HeapProfSampleString { profile: 0, bytes, label: CStr(Text(name.as_bytes())) });
    };
    assert_log_counted("bands", 10_000 * 100, |log| names.iter().for_each(|name| label(log, 1, name)));
    assert_log_counted("censuses", 100 * 1000 * 16, |log| {
        for time in 0..100 {
            log.event(Nanos(time), HeapProfSampleBegin { number: 0 });
            names.iter().take(1000).for_each(|name| label(log, time, name));
        }
    });
    let stack = |number: u32| [[1, 0, 0, 0], number.to_be_bytes(), [0, 0, 1, 0]];
    assert_log_counted("stacks of bands", 10_000 * 100, |log| {
        for number in 0..10_000 {
            let ids = stack(number);
            log.event(Nanos(1), HeapProfSampleCostCentre { profile: 0, bytes, stack: CostCentreStack(&ids) });
        }
    });
    assert_log_counted("samples", 50_000 * 16, |log| {
        for tick in 0..50_000 {
            let ids = stack(tick as u32 % 10_000);
            log.event(Nanos(tick), ProfSampleCostCentre { cap: 0, tick, stack: CostCentreStack(&ids) });
        }
    });
    assert_log_counted("stacks of threads", 1000 * 100, |log| {
        for number in 0..1000u64 {
            let frames: Vec<u64> = (number..number + 20).collect();
            stack_message(log, number, 0xffca, 7, &frames);
        }
    });
    let pieces = |log: &mut LogWriter| {
        let frames: Vec<u64> = (0..100).collect();
        (0..60).for_each(|thread| stack_message(log, 1, 0xffcb, thread, &frames));
    };
    let waiting = log(pieces);
    assert_counted("stacks that wait", 60 * 100 * 9, || begun(&waiting));
    let pieces = log(|log| {
        // A place in the source says which frame comes first.
        log.event(Nanos(1), UserBinaryMsg { bytes: &[&[0xff, 0xcd][..], &[0; 24]].concat() });
        pieces(log);
    });
    assert_counted("pieces of stacks", 60 * 100 * 20, || begun(&pieces));
    assert_log_counted("names of stacks", 4000 * 60, |log| {
        for (number, name) in (0..4000u64).zip(&names) {
            let mut bytes = [&[0xff, 0xcc][..], &number.to_be_bytes(), &(name.len() as u16).to_be_bytes()].concat();
            bytes.extend(name.as_bytes());
            log.event(Nanos(1), UserBinaryMsg { bytes: &bytes });
        }
    });
    assert_log_counted("definitions", 10_000 * 100, |log| {
        for (number, name) in (0..).zip(&names) {
            let [label, module] = [&**name, "Main"].map(|text| CStr(Text(text.as_bytes())));
            let centre = CostCentre { id: CostCentreId(number), label, module, location: label, flags: 0 };
            log.event(Nanos(1), centre);
            log.event(
                Nanos(1),
                TickyCounterDef {
                    id: number.into(),
                    arity: 0,
                    arguments: module,
                    name: label,
                    info_table: None,
                    json: None,
                },
            );
        }
    });
}

/// A message of the library ghc-stack-profiler: info tables that a thread's stack is made of.
fn stack_message(log: &mut LogWriter, time: u64, tag: u16, thread: u32, frames: &[u64]) {
    let mut bytes = [&tag.to_be_bytes()[..], &[0; 4], &thread.to_be_bytes()].concat();
    bytes.extend((frames.len() as u16).to_be_bytes());
    frames.iter().for_each(|frame| bytes.extend([&[1], &frame.to_be_bytes()[..]].concat()));
    log.event(Nanos(time), UserBinaryMsg { bytes: &bytes });
}

#[test]
fn diagnostics_are_counted() {
    let mut log = LogWriter::with_types(&few_types());
    for time in 1..1000 {
        // A block cannot be smaller than its marker.
        log.block(Block { size: Some(3), ..Block::of(CapNo(0)) }, |block| {
            block.event(Nanos(time), CreateThread { thread: ThreadId(1) });
        });
    }
    let log = log.finish();
    assert_counted("diagnostics", 500 * 40, || model_of(&log));
}

/// Half a record is kept until the other half comes.
#[test]
fn the_rest_of_a_piece_is_counted() {
    let text = "x".repeat(60_000);
    let log = log(|log| {
        log.event(Nanos(1), UserMsg { text: Text(text.as_bytes()) });
    });
    assert_counted("a piece", 50_000, || begun(&log[..log.len() - 1000]));
}

/// One thread runs again and again.
fn long_log() -> Vec<u8> {
    log(|log| (0..100_000).for_each(|at| run(log, 1, at * 20, at * 20 + 10)))
}

/// Each with events of a few types.
#[test]
fn segments_are_counted() {
    let text = "x".repeat(3000);
    let log = log(|log| {
        for at in 0..5000 {
            let record = Event::UserMsg(UserMsg { text: Text(text.as_bytes()) });
            log.record(Nanos(at), [UserMsg::TAG, UserMarker::TAG, LogMsg::TAG][at as usize % 3], record);
        }
    });
    assert_counted("segments", 100_000, || model_of(&log));
}

#[test]
fn segments_read_again_are_counted() {
    let log = long_log();
    assert_counted("spans of segments", 1_000_000, || {
        let mut model = model_of(&log);
        exact_plan(&mut model, &log, View { from: Nanos(0), to: Nanos(1_000_000), width: 1 });
        model
    });
    let collecting = self::log(|log| {
        for at in (0..50_000).map(|at| at * 100) {
            log.event(Nanos(at), GcStart {}).event(Nanos(at + 1), GcGlobalSync {}).event(Nanos(at + 2), GcEnd {});
        }
    });
    assert_counted("rows of segments", 1_000_000, || {
        let mut model = model_of(&collecting);
        exact_plan(&mut model, &collecting, View { from: Nanos(0), to: Nanos(1_000_000), width: 1 });
        model
    });
    let requesting = self::log(|log| {
        (0..100_000).for_each(|at| {
            log.event(Nanos(at), RequestParGc {});
        });
    });
    assert_counted("sums of segments", 800_000, || {
        let mut model = model_of(&requesting);
        exact_plan(&mut model, &requesting, View { from: Nanos(0), to: Nanos(10_000), width: 1 });
        model
    });
}

/// The counts at a list's edges, for the chosen types.
#[test]
fn counts_are_counted() {
    let log = long_log();
    let types = [1].repeat(100_000);
    assert_counted("a filter", types.len() * 2, || {
        let mut model = model_of(&log);
        let within = Some((Nanos(10), Nanos(1_000_000)));
        let wish = EventsWish { types: Some(types.clone()), within, by_time: true, ..EventsWish::default() };
        let mut job = model.event_rows(&wish, 0, 10).unwrap();
        while let [(offset, length), ..] = job.reads(&mut model)[..] {
            job.give(&mut model, offset, &log[offset as usize..(offset + length) as usize]).unwrap();
        }
        model
    });
}

#[test]
fn glimpses_are_counted() {
    let begin = log(|log| run(log, 1, 0, 10));
    let mut place = LogWriter::empty();
    for cap in 0..200 {
        place.block(Block::of(CapNo(cap)), |block| run(block, 1, 1000, 2000));
    }
    let place = place.finish();
    assert_counted("glimpses", 17 * 200 * 60, || {
        let mut model = begun(&begin);
        for look in model.looks(16 * limits::LOOK_DESERVED).unwrap() {
            assert!(model.look(look.offset, &place));
        }
        model
    });
}
