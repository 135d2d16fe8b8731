//! Why a capability was idle: the reasons add up, and name whom they are about.

use conformance::{arranged, files, model_in_steps, part_of, project, replay, spans};
use ghc_eventlog::{
    Block, CapNo, CreateThread, GcEnd, GcStart, LogWriter, Nanos, RequestSeqGc, RunThread, StopStatus, StopThread,
    ThreadId,
};
use ghc_eventlog_model::{IdleReason, Model, Shape, TrackId, work};
use std::{collections::BTreeMap, fs};

/// STOP_THREAD's numbers for "blocked on an MVar" and "yielding".
const ON_MVAR: StopStatus = StopStatus(7);
const YIELDING: StopStatus = StopStatus(3);

fn reasons(model: &mut Model, log: &[u8], cap: CapNo, from: Nanos, to: Nanos) -> Option<Vec<IdleReason>> {
    let mut why = model.why_idle(TrackId::capability(cap), from, to)?;
    assert!(model.idle_reasons(&why).is_none() || log.is_empty(), "something must be read first");
    assert!(work(&mut why, model, part_of(log)).unwrap());
    Some(model.idle_reasons(&why).unwrap())
}

/// For each capability of the corpus: whatever is idle between two of its spans has reasons that add up to it, and those of all of its time
/// add up to the account of the log.
#[test]
fn reasons_add_up_to_the_idle_time_and_to_the_account() {
    let (mut stretches, mut accounts) = (0, 0);
    for path in files(&project().join("tests/corpus"), "log.eventlog") {
        let log = fs::read(&path).unwrap();
        let mut model = model_in_steps(&log, log.len().max(1));
        let name = path.display().to_string();
        // What is lost may be found idle in one way, and not in the other.
        if !replay(&mut model, &log) || model.diagnostics().count() > 0 {
            continue;
        }
        let (Some((begin, end)), Some(account)) = (model.extent(), model.account(None)) else { continue };
        let mut sums = BTreeMap::<&str, u64>::new();
        let lanes = model.tracks(&arranged(&model)).into_iter().filter(|track| track.shape == Shape::States);
        let lanes: Vec<_> =
            lanes.filter(|track| model.why_idle(track.id, begin, end.plus(Nanos(1))).is_some()).collect();
        for lane in &lanes {
            let cap = CapNo(lanes.iter().position(|other| other.id == lane.id).unwrap() as u16);
            let cap = (0..=u16::MAX).map(CapNo).find(|cap| TrackId::capability(*cap) == lane.id).unwrap_or(cap);
            for reason in reasons(&mut model, &log, cap, begin, end.plus(Nanos(1))).unwrap() {
                *sums.entry(reason.key).or_default() += reason.time.0;
            }
            let all = spans(&mut model, &log, lane.id);
            let gaps: Vec<_> = all.windows(2).filter(|pair| pair[0].end < pair[1].start).collect();
            for pair in gaps.iter().step_by(gaps.len() / 20 + 1) {
                let (from, to) = (pair[0].end, pair[1].start);
                let found = reasons(&mut model, &log, cap, from, to).unwrap();
                let sum: u64 = found.iter().map(|reason| reason.time.0).sum();
                assert!(sum <= to.0 - from.0, "{name}: {found:?} from {from} to {to}");
                assert!(found.is_sorted_by(|one, other| one.time >= other.time));
                stretches += usize::from(sum == to.0 - from.0);
            }
        }
        let whole: BTreeMap<&str, u64> = account
            .parts
            .iter()
            .filter(|part| part.is_idle() && part.time.0 > 0)
            .map(|part| (part.key, part.time.0))
            .collect();
        assert_eq!(sums, whole, "{name}");
        accounts += 1;
    }
    assert!(stretches > 300 && accounts > 20, "{stretches} stretches, {accounts} accounts");
}

/// Capability 1 is idle: first no other thread can run, then thread 7 can, on capability 0; then capability 0 asks for a collection. That ends with
/// the next run there, even if what says so is lost.
#[test]
fn reasons_name_threads_and_capabilities() {
    let mut log = LogWriter::new();
    log.block(Block::of(CapNo(0)), |block| {
        block.event(Nanos(0), GcStart {}).event(Nanos(10), GcEnd {});
        block.event(Nanos(100), CreateThread { thread: ThreadId(5) });
        block.event(Nanos(100), RunThread { thread: ThreadId(5) });
        block.event(Nanos(300), CreateThread { thread: ThreadId(7) });
        block.event(Nanos(500), RequestSeqGc {});
        block.event(Nanos(520), StopThread { thread: ThreadId(5), status: YIELDING, info: None });
        block.event(Nanos(530), GcStart {}).event(Nanos(600), GcEnd {});
        block.event(Nanos(600), RunThread { thread: ThreadId(7) });
        block.event(Nanos(900), StopThread { thread: ThreadId(7), status: ON_MVAR, info: None });
    });
    log.block(Block::of(CapNo(1)), |block| {
        block.event(Nanos(0), GcStart {}).event(Nanos(10), GcEnd {});
        block.event(Nanos(50), CreateThread { thread: ThreadId(9) });
        block.event(Nanos(60), RunThread { thread: ThreadId(9) });
        block.event(Nanos(80), StopThread { thread: ThreadId(9), status: ON_MVAR, info: None });
        block.event(Nanos(900), RunThread { thread: ThreadId(9) });
    });
    log.end();
    let log = log.finish();
    let mut model = model_in_steps(&log, log.len());
    assert!(
        model.why_idle(TrackId::capability(CapNo(1)), Nanos(80), Nanos(900)).is_none(),
        "threads were not followed yet"
    );
    replay(&mut model, &log);
    let found = reasons(&mut model, &log, CapNo(1), Nanos(80), Nanos(900)).unwrap();
    let told: Vec<_> = found
        .iter()
        .map(|reason| {
            (reason.key, reason.time.0, reason.threads.iter().map(|thread| thread.0).collect::<Vec<_>>(), reason.cap)
        })
        .collect();
    assert_eq!(
        told,
        [
            // Thread 7 from 300 to 500, and thread 5 from 600 on.
            ("idle_ns.runnable elsewhere", 500, vec![5, 7], None),
            ("idle_ns.blocked on an MVar", 220, vec![], None),
            ("idle_ns.collection pending", 100, vec![], Some(CapNo(0))),
        ]
    );
}

/// Capability 2 is idle while the others ask for collections, one after the other: each for as long as its own collections were pending.
#[test]
fn collections_are_named_by_who_has_requested_each() {
    let mut log = LogWriter::new();
    let collections: [(u16, u64, u64); 4] = [(1, 100, 400), (0, 500, 550), (1, 600, 700), (0, 800, 810)];
    for cap in 0..2 {
        log.block(Block::of(CapNo(cap)), |block| {
            block.event(Nanos(0), GcStart {}).event(Nanos(10), GcEnd {});
            for (_, from, to) in collections.into_iter().filter(|(other, ..)| *other == cap) {
                block.event(Nanos(from), RequestSeqGc {}).event(Nanos(from + 5), GcStart {});
                block.event(Nanos(to), GcEnd {}).event(Nanos(to), RunThread { thread: ThreadId(5 + u32::from(cap)) });
                let (thread, status) = (ThreadId(5 + u32::from(cap)), YIELDING);
                block.event(Nanos(to + 1), StopThread { thread, status, info: None });
            }
        });
    }
    log.block(Block::of(CapNo(2)), |block| {
        block.event(Nanos(0), GcStart {}).event(Nanos(10), GcEnd {});
        block.event(Nanos(900), RunThread { thread: ThreadId(9) });
    });
    log.end();
    let log = log.finish();
    let mut model = model_in_steps(&log, log.len());
    replay(&mut model, &log);
    let found = reasons(&mut model, &log, CapNo(2), Nanos(50), Nanos(900)).unwrap();
    let pending = found.iter().filter(|reason| reason.key == "idle_ns.collection pending");
    let mut by_cap: Vec<_> = pending.map(|reason| (reason.cap.unwrap().0, reason.time.0)).collect();
    by_cap.sort_unstable();
    assert_eq!(by_cap, [(0, 50 + 10), (1, 300 + 100)]);
}
