//! The account of the capabilities' time: its parts add up to capabilities × time, to the nanosecond, and all idle time has a reason.

use crate::disabled::log_of_runtime;
use conformance::{Mutants, files, model_in_steps, project, replay, shared_logs, whole_range};
use ghc_eventlog::{
    Block, CapDisable, CapEnable, CapNo, GcEnd, GcStart, LogWriter, Nanos, RunThread, StopStatus, StopThread, ThreadId,
    ThreadWakeup,
};
use ghc_eventlog_model::{Account, Model, limits};
use std::fs;

/// Checks an account; returns how much idle time it has.
fn check(account: &Account, of: &str) -> u64 {
    let sum: u64 = account.parts.iter().map(|part| part.time.0).sum();
    assert_eq!(sum, account.all.0, "{of}: {:?}", account.parts);
    assert_eq!(account.all.0, account.time.0 * account.caps, "{of}");
    for part in &account.parts {
        let longest = part.longest.as_ref().map_or(0, |longest| longest.length().0);
        assert!(longest <= part.time.0, "{of}: {part:?}");
    }
    account.parts.iter().filter(|part| part.is_idle()).map(|part| part.time.0).sum()
}

/// The times of the parts, by the ends of their keys; without those of no time.
fn times(account: &Account) -> Vec<(&'static str, u64)> {
    let of = |part: &ghc_eventlog_model::AccountPart| (part.key.trim_start_matches("idle_ns."), part.time.0);
    account.parts.iter().map(of).filter(|(_, time)| *time > 0).collect()
}

#[test]
fn parts_of_real_logs_add_up() {
    let (mut accounts, mut idle) = (0, 0);
    for path in files(&project().join("tests/corpus"), ".eventlog").into_iter().chain(shared_logs()) {
        let log = fs::read(&path).unwrap();
        let mut model = model_in_steps(&log, 1 << 20);
        let before = model.account(None);
        if !replay(&mut model, &log) {
            continue;
        }
        let Some(account) = model.account(None) else { continue };
        let name = path.display().to_string();
        accounts += 1;
        let of_log = check(&account, &name);
        idle += of_log;
        assert_eq!(before.map(|before| check(&before, &name)), Some(of_log), "{name}: before the replay");
        if model.diagnostics().lost_bytes() == 0 && model.typed_facts(None).log.complete == Some(true) {
            assert_eq!(account.differs, Nanos(0), "{name}");
        }
        let Some((from, to)) = model.extent() else { continue };
        let length = to.since(from).0;
        for (begin, end) in [(0, 3), (3, 7), (7, 10)] {
            let at = |tenths: u64| from.plus(Nanos(length / 10 * tenths));
            let Some((range, _)) = whole_range(&mut model, &log, at(begin), at(end)) else { continue };
            if let Some(account) = model.account(Some(&range)) {
                check(&account, &format!("{name} {begin}..{end}"));
            }
        }
    }
    assert!(accounts > 60 && idle > 1_000_000_000, "{accounts} accounts, {idle} ns");
}

#[test]
fn parts_of_damaged_logs_add_up() {
    let mut checked = 0;
    for path in files(&project().join("tests/corpus"), ".eventlog") {
        let log = fs::read(&path).unwrap();
        for log in Mutants::new(&log, 35).take(2) {
            let mut model = model_in_steps(&log, 1 << 16);
            replay(&mut model, &log);
            // A false time may be beyond all bounds.
            if let Some(account) = model.account(None) {
                let sum: u64 = account.parts.iter().map(|part| part.time.0).sum();
                assert_eq!(sum, account.all.0, "{}", path.display());
                checked += 1;
            }
        }
    }
    assert!(checked > 50, "{checked}");
}

/// A log of two capabilities; `capability` writes the events of each.
fn two(capability: impl Fn(&mut LogWriter, u16)) -> Model {
    let mut log = LogWriter::new();
    for cap in 0..2 {
        log.block(Block::of(CapNo(cap)), |block| {
            block.event(Nanos(1), GcStart {}).event(Nanos(1), GcEnd {});
            capability(block, cap);
        });
    }
    log.end();
    let log = log.finish();
    let mut model = model_in_steps(&log, 1 << 16);
    replay(&mut model, &log);
    model
}

fn run(block: &mut LogWriter, thread: u32, from: u64, to: u64, status: u16) {
    block.event(Nanos(from), RunThread { thread: ThreadId(thread) });
    block.event(Nanos(to), StopThread { thread: ThreadId(thread), status: StopStatus(status), info: Some(0) });
}

/// ```text
/// cap 0   1111111111|22222|..........|11111|
/// cap 1   |..b.......|..e..|n.........|.....|
/// thread 2 was blocked, could run where it ran last (elsewhere for capability 1), and is over
/// ```
#[test]
fn idle_time_has_the_first_reason_that_holds() {
    let model = two(|block, cap| {
        if cap == 0 {
            run(block, 2, 1, 11, 7);
            block.event(Nanos(21), RunThread { thread: ThreadId(1) });
            block.event(Nanos(31), ThreadWakeup { thread: ThreadId(2), cap: CapNo(0) });
            block.event(Nanos(41), StopThread { thread: ThreadId(1), status: StopStatus(5), info: Some(0) });
            run(block, 2, 51, 61, 5);
            run(block, 3, 71, 81, 5);
        } else {
            run(block, 9, 1, 1, 5);
            run(block, 9, 81, 81, 5);
        }
    });
    let account = model.account(None).unwrap();
    check(&account, "drawn");
    let expected = [
        ("running_ns", 10 + 20 + 10 + 10),
        // Capability 0, while thread 2 could run there.
        ("runnable here", 10),
        // Capability 1 meanwhile, and since it was woken up.
        ("runnable elsewhere", 20),
        // Both in the gap at 11, and capability 1 up to the wake-up.
        ("blocked on an MVar", 10 + 20),
        // Capability 1 beside the first run, the third and the last; both at 61.
        ("no thread", 10 + 10 + 20 + 10),
    ];
    assert_eq!(times(&account), expected);
}

#[test]
fn disabled_capabilities_are_not_idle() {
    let mut log = LogWriter::new();
    log.block(Block::GLOBAL, |block| {
        block.event(Nanos(100_001), CapDisable { cap: CapNo(1) });
        block.event(Nanos(300_001), CapEnable { cap: CapNo(1) });
    });
    for cap in 0..2 {
        log.block(Block::of(CapNo(cap)), |block| {
            block.event(Nanos(1), GcStart {}).event(Nanos(1), GcEnd {});
            run(block, 7 + u32::from(cap), 1, if cap == 0 { 400_001 } else { 50_001 }, 5);
            run(block, 9, 400_001, 400_001, 5);
        });
    }
    log.end();
    let log = log.finish();
    let mut model = model_in_steps(&log, 1 << 16);
    replay(&mut model, &log);
    let account = model.account(None).unwrap();
    check(&account, "disabled");
    assert_eq!(account.differs, Nanos(0));
    assert_eq!(times(&account), [("running_ns", 450_000), ("disabled_ns", 200_000), ("no thread", 150_000)]);
}

/// A thread in short foreign calls comes back to its disabled capability again and again, more often than idle times are kept.
#[test]
fn all_disabled_time_is_known_once_threads_have_been_followed() {
    let runs = 2 * limits::MAX_RESTS as u64;
    let (rest, each) = (limits::REST.0 * 2, limits::REST.0 * 3);
    let end = 1 + runs * each;
    let mut log = LogWriter::new();
    log.block(Block::of(CapNo(1)), |block| {
        block.event(Nanos(1), GcStart {}).event(Nanos(1), GcEnd {});
        (0..runs).for_each(|at| run(block, 7, 1 + at * each, 1 + at * each + each - rest, 5));
        run(block, 7, end, end, 5);
    });
    log.block(Block::GLOBAL, |block| {
        block.event(Nanos(1 + each), CapDisable { cap: CapNo(1) });
    });
    log.end();
    let log = log.finish();
    let mut model = model_in_steps(&log, 1 << 20);
    let disabled = |model: &Model| {
        let account = model.account(None).unwrap();
        check(&account, "disabled");
        let facts = model.facts(None);
        let remarks = &facts.section("account").unwrap().remarks;
        let is_said = remarks.iter().any(|remark| remark.contains("when they were disabled"));
        (times(&account).into_iter().find(|(key, _)| *key == "disabled_ns").unwrap().1, is_said, account.differs)
    };
    let all = (runs - 1) * rest;
    let (some, is_said, _) = disabled(&model);
    assert!(is_said && some < all, "{some} of {all}");
    replay(&mut model, &log);
    assert_eq!(disabled(&model), (all, false, Nanos(0)));
}

/// A capability that is disabled while a class of events is paused, and around it, or for a part of it.
#[test]
fn time_that_is_not_logged_does_not_enable_a_capability() {
    let beside = |lane| {
        let lanes = ["c 1 )  2 )   3             (  ]   (  ]      4 )     d", lane];
        let log = log_of_runtime("GHC-10.0.1 rts_thr", &lanes, "cd-+");
        let mut model = model_in_steps(&log, 1 << 20);
        replay(&mut model, &log);
        let account = model.account(None).unwrap();
        check(&account, lane);
        account.differs
    };
    let enabled = beside("c5  )                                         6  )   d");
    for lane in [
        "c5  )-                                       +6  )   d",
        "c5  )         -         +                     6  )   d",
        "c5  )-                  +                     6  )   d",
        "c5  )                   -                    +6  )   d",
    ] {
        // What followed the threads says idle where the lanes do.
        assert_eq!(beside(lane), enabled, "{lane}");
    }
}
