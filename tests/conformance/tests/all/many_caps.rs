//! For any number of capabilities and any order of blocks in the file, threads did what the program itself has counted.

use conformance::arranged;
use conformance::{
    accounted::{Account, Accounted},
    answered, decode_in_steps, model_in_steps, replay, replay_within,
};
use fastrand::Rng;
use ghc_eventlog::{CapNo, CreateThread, LogWriter, Nanos, RunThread, StopThread, ThreadId, ThreadWakeup};
use ghc_eventlog_model::{Model, Place, Value, limits};
use std::collections::VecDeque;

/// The order of blocks in the file.
#[derive(Debug, Clone, Copy)]
enum Order {
    /// Each as its buffer gets full.
    Full,
    /// One capability after the other.
    ByCap,
    /// In any order, but for those of one capability.
    Any,
}

fn log_of(program: Accounted, order: Order) -> (Vec<u8>, Account) {
    let mut blocks: Vec<(CapNo, Vec<u8>)> = Vec::new();
    let account = program.write(&mut |cap, block| blocks.push((cap, block)));
    match order {
        Order::Full => {}
        Order::ByCap => blocks.sort_by_key(|(cap, _)| *cap),
        Order::Any => blocks = shuffled(blocks, program),
    }
    let mut log = LogWriter::new();
    for (_, block) in blocks {
        log.bytes(&block);
    }
    log.end();
    (log.finish(), account)
}

fn shuffled(blocks: Vec<(CapNo, Vec<u8>)>, program: Accounted) -> Vec<(CapNo, Vec<u8>)> {
    let mut caps: Vec<CapNo> = blocks.iter().map(|(cap, _)| *cap).collect();
    let mut of_caps: Vec<VecDeque<Vec<u8>>> = vec![VecDeque::new(); program.caps.into()];
    blocks.into_iter().for_each(|(cap, block)| of_caps[usize::from(cap.0)].push_back(block));
    Rng::with_seed(program.seed).shuffle(&mut caps);
    caps.into_iter().map(|cap| (cap, of_caps[usize::from(cap.0)].pop_front().unwrap())).collect()
}

fn figure(model: &Model, section: &str, key: &str) -> u64 {
    match model.facts(None).section(section).unwrap().get(key).unwrap().value {
        Value::Duration(time) => time.0,
        ref other => panic!("{section} {key}: {other:?}"),
    }
}

fn account_of(model: &Model) -> Account {
    let of = |key| figure(model, "threads", key);
    Account {
        running: of("states_ns.running"),
        runnable: of("states_ns.runnable"),
        blocked: of("blocked_ns"),
        foreign: of("states_ns.foreign"),
    }
}

fn check(program: Accounted, order: Order) {
    let (log, account) = log_of(program, order);
    let mut model = model_in_steps(&log, 1 << 20);
    assert!(replay(&mut model, &log));
    assert_eq!(account_of(&model), account, "{program:?} {order:?}");
    assert_eq!(figure(&model, "caps", "running_ns"), account.running, "{program:?} {order:?}");
    assert_eq!(model.diagnostics().list(), [], "{program:?} {order:?}");
}

#[test]
fn threads_do_what_the_program_knows() {
    for (at, caps) in [1, 2, 3, 8, 40, 48, 64, 128, 256, 700, 1024].into_iter().enumerate() {
        for (order, block) in
            [(Order::Full, 1 << 16), (Order::ByCap, 1 << 14), (Order::Any, 300), (Order::Any, 1 << 21)]
        {
            let events = 20_000 + 40 * u64::from(caps);
            check(Accounted { caps, events, block, start: 1000, seed: at as u64 }, order);
        }
    }
}

/// Each capability alone has more than fits into the room for all.
#[test]
fn segments_of_all_capabilities_are_more_than_there_is_room_for() {
    for (caps, order) in [(48, Order::Full), (256, Order::ByCap), (1024, Order::Full)] {
        check(Accounted { caps, events: 2_500_000, block: 2 << 20, start: 0, seed: 7 }, order);
    }
}

/// How much room there is changes how often the log is read, and nothing else.
#[test]
fn little_room_is_enough() {
    for (events, bytes) in [(1_000, 0), (20_000, 10_000), (60_000, 100_000)] {
        let (log, account) = log_of(Accounted { caps: 24, events, block: 1 << 15, start: 5, seed: 3 }, Order::Any);
        let mut model = model_in_steps(&log, 1 << 20);
        assert!(replay_within(&mut model, &log, bytes));
        assert_eq!(account_of(&model), account, "{bytes} bytes");
    }
}

/// A program that is killed loses its buffers: for each capability a different time, in which most ran.
#[test]
fn what_runs_where_its_capability_ends_ends_there() {
    for seed in 0..40 {
        let caps = 1 + seed as u16 % 9;
        let (log, _) = log_of(Accounted { caps, events: 5000, block: 2000, start: 1, seed }, Order::Full);
        let cut = log.len() / 2 + seed as usize * 997 % (log.len() / 2);
        let mut model = model_in_steps(&log[..cut], 1 << 20);
        assert!(replay(&mut model, &log[..cut]));
        let ran = figure(&model, "caps", "running_ns");
        assert_eq!(figure(&model, "threads", "states_ns.running"), ran, "{caps} capabilities, cut at {cut}");
    }
}

/// The same of a log in which logging was stopped, with threads running, and begun again.
#[test]
fn what_runs_where_a_stream_ends_ends_there() {
    for seed in 0..20 {
        let caps = 1 + seed as u16 % 5;
        let of = |start| Accounted { caps, events: 3000, block: 2000, start, seed: seed + start };
        let mut blocks: Vec<Vec<u8>> = Vec::new();
        of(0).write(&mut |_, block| blocks.push(block));
        // The last blocks of each capability are missing.
        blocks.truncate(blocks.len() - usize::from(caps) - seed as usize);
        let mut log = LogWriter::new();
        for block in &blocks {
            log.bytes(block);
        }
        log.end();
        let mut log = log.finish();
        log.extend(log_of(of(1_000_000), Order::Any).0);
        let mut model = model_in_steps(&log, 1 << 20);
        assert!(replay(&mut model, &log));
        let ran = figure(&model, "caps", "running_ns");
        assert_eq!(
            figure(&model, "threads", "states_ns.running"),
            ran,
            "seed {seed}: {:?}",
            model.diagnostics().list()
        );
    }
}

/// What a thread does at some time is found in bounded memory, even if a thousand segments cover that time.
#[test]
fn a_look_at_one_thread_keeps_what_is_about_it() {
    let (log, _) = log_of(Accounted { caps: 700, events: 1_000_000, block: 2 << 20, start: 0, seed: 5 }, Order::Full);
    let mut model = model_in_steps(&log, 1 << 20);
    assert!(replay(&mut model, &log));
    let (end, before) = (model.extent().unwrap().1, model.bytes_held());
    let mut random = Rng::with_seed(9);
    let mut seen = 0;
    for thread in [1, 77, 2000] {
        let turns = turns_of(&log, ThreadId(thread));
        let name = thread.to_string();
        let tracks = model.tracks_of(&arranged(&model), "threads", 0, 2100).into_iter();
        let track =
            tracks.into_iter().find(|track| track.name.for_comparing().split(' ').any(|word| word == name)).unwrap();
        for _ in 0..5 {
            let time = Nanos(random.u64(end.0 / 10..end.0));
            let since = turns.iter().rfind(|turn| **turn <= time).unwrap();
            let search = model.look_up(&arranged(&model), track.id, time, time.plus(Nanos(1)));
            let (place, reads) = answered(&mut model, &log, search);
            let Place::Span(found) = place else { panic!("{place:?}") };
            assert_eq!(found.span.start, *since, "thread {thread} at {time}");
            assert!(reads.iter().all(|(_, length)| *length <= limits::LOOKUP_READ));
            seen += reads.iter().map(|(_, length)| length).sum::<u64>();
            assert!(model.bytes_held() < before + limits::AT_HAND_BYTES, "{} and {before} bytes", model.bytes_held());
        }
    }
    assert!(seen > 30 << 20, "{seen} bytes were read: too few to need this");
}

/// When a thread began to do something else: it runs, it stops, it is woken up.
fn turns_of(log: &[u8], thread: ThreadId) -> Vec<Nanos> {
    let mut turns = Vec::new();
    decode_in_steps(log, 1 << 20, |_, record| {
        let of = match record.tag {
            CreateThread::TAG => CreateThread::read(record.payload).thread,
            RunThread::TAG => RunThread::read(record.payload).thread,
            StopThread::TAG => StopThread::read(record.payload).thread,
            ThreadWakeup::TAG => ThreadWakeup::read(record.payload).thread,
            _ => return,
        };
        if of == thread {
            turns.push(record.time);
        }
    });
    turns.sort();
    turns
}
