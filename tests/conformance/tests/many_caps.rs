//! However many capabilities there are, and in whichever blocks their events stand in the file: threads did what the program knows they did.

use conformance::{
    accounted::{Account, Accounted},
    model_in_steps, replay, replay_within,
};
use fastrand::Rng;
use ghc_eventlog::{CapNo, LogWriter};
use ghc_eventlog_model::{Model, Value};
use std::collections::VecDeque;

/// Where the blocks of capabilities stand in the file.
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

/// Of each capability there is more than fits into the room for all.
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

/// A program that is killed loses what was in its buffers: of each capability something else, and most ran then.
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
        // Of each capability, the last blocks are missing.
        blocks.truncate(blocks.len() - usize::from(caps) - seed as usize);
        let mut log = LogWriter::new();
        blocks.iter().for_each(|block| drop(log.bytes(block)));
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
