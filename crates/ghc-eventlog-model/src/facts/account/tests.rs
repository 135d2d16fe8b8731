use super::*;
use crate::{Model, limits, work};
use ghc_eventlog::{
    Block, CapCreate, CapDisable, CapsetId, GcEnd, GcGlobalSync, GcStart, LogWriter, RequestSeqGc, RtsIdentifier,
    RunThread, StopStatus, StopThread, Text, ThreadId, UserMsg,
};

const MS: u64 = 1_000_000;

/// Writes an event of a time.
type Write = dyn Fn(&mut LogWriter, Nanos);

/// Of each of some capabilities, from a time on: three runs of a ms, each with a collection of a ms after it, which the first one leads.
/// Before that, some are created; and there are some more events of no capability.
fn stream(caps: u16, from: u64, creates: u16, more: &[(u64, &Write)]) -> LogWriter {
    let mut log = LogWriter::new();
    let from = from * MS;
    log.block(Block::GLOBAL, |block| {
        (0..creates).for_each(|cap| _ = block.event(Nanos(from), CapCreate { cap: CapNo(cap) }));
        more.iter().for_each(|(time, write)| write(block, Nanos(time * MS)));
    });
    for cap in 0..caps {
        log.block(Block::of(CapNo(cap)), |block| {
            for nth in 0..3 {
                let (thread, at) = (ThreadId(u32::from(cap) + 1), from + nth * 2 * MS);
                block.event(Nanos(at), RunThread { thread });
                block.event(Nanos(at + MS), StopThread { thread, status: StopStatus(5), info: None });
                if cap == 0 {
                    block.event(Nanos(at + MS), RequestSeqGc {}).event(Nanos(at + MS), GcStart {});
                    block.event(Nanos(at + 2 * MS), GcGlobalSync {}).event(Nanos(at + 2 * MS), GcEnd {});
                } else {
                    block.event(Nanos(at + MS), GcStart {}).event(Nanos(at + 2 * MS), GcEnd {});
                }
            }
        });
    }
    log
}

fn ended(mut log: LogWriter) -> Vec<u8> {
    log.end();
    log.finish()
}

fn model(log: &[u8]) -> Model {
    let mut model = Model::of_figures();
    model.feed(log);
    model.finish();
    let mut replay = model.replay().unwrap();
    let read = |offset: u64, length: u64| Ok::<_, ()>(&log[offset as usize..(offset + length) as usize]);
    assert_eq!(work(&mut replay, &mut model, read), Ok(true));
    model
}

/// The milliseconds of some parts, and whether the sum is that of all.
fn parts(model: &Model, keys: &[&str]) -> Vec<u64> {
    let account = Scope::of(model, None).account().unwrap();
    let sum = account.parts.iter().fold(Nanos(0), |sum, part| sum.plus(part.time));
    assert_eq!(sum, account.all);
    let time = |key: &&str| account.parts.iter().find(|part| part.key == *key).unwrap().time.0 / MS;
    keys.iter().map(time).collect()
}

fn idle(model: &Model) -> u64 {
    let account = Scope::of(model, None).account().unwrap();
    account.parts.iter().filter(|part| part.is_idle()).fold(0, |sum, part| sum + part.time.0) / MS
}

const PARTS: [&str; 3] = ["running_ns", "not_known_ns", "disabled_ns"];

/// ```text
/// cap 0   |1|g|1|g|1|g|   off   |1|g|1|g|1|g|
/// ```
#[test]
fn what_capabilities_do_while_the_log_is_off_is_not_known() {
    let log = [ended(stream(2, 1, 2, &[])), ended(stream(2, 87, 0, &[]))].concat();
    let model = model(&log);
    assert_eq!(parts(&model, &PARTS), [12, 2 * 80, 0]);
    assert_eq!(idle(&model), 0);
    let facts = model.typed_facts(None);
    assert_eq!((facts.caps.not_known, facts.caps.idle), (Some(Nanos(160 * MS)), Some(Nanos(0))));
    assert_eq!((facts.caps.utilisation, facts.gc.share), (Some(0.5), Some(0.5)));
}

/// The second stream has nothing of the second capability: it may have done anything since the log was off.
#[test]
fn a_capability_that_does_not_come_again_is_not_known_or_not_there() {
    let first = ended(stream(2, 1, 2, &[]));
    let [unsaid, created] = [0, 1].map(|creates| [first.clone(), ended(stream(1, 17, creates, &[]))].concat());
    assert_eq!(parts(&model(&unsaid), &PARTS), [9, 10 + 16, 0]);
    assert_eq!(parts(&model(&created), &PARTS), [9, 10, 16], "all that are there are created");
}

fn last(block: &mut LogWriter, time: Nanos) {
    block.event(time, UserMsg { text: Text(b"last") });
}

/// What was not written when the program was killed may have been anything.
#[test]
fn of_a_log_without_an_end_it_is_not_known_what_comes_after_the_last_events() {
    let killed = model(&stream(2, 1, 2, &[(13, &last)]).finish());
    assert_eq!(parts(&killed, &PARTS), [6, 2 * 6, 0]);
    assert_eq!(killed.typed_facts(None).gc.share, Some(0.5));
    let whole = model(&ended(stream(2, 1, 2, &[(13, &last)])));
    assert_eq!(parts(&whole, &PARTS), [6, 0, 2 * 6]);
    let disable = |block: &mut LogWriter, time| _ = block.event(time, CapDisable { cap: CapNo(1) });
    let disabled = model(&stream(2, 1, 2, &[(7, &disable), (13, &last)]).finish());
    assert_eq!(parts(&disabled, &PARTS), [6, 6, 6], "it is said of one what it does");
}

/// A thread runs while the events are written, except for the last time.
#[test]
fn all_of_the_time_that_writing_the_log_held_threads_up_counts() {
    const WRITES: u64 = 2 * limits::MAX_LOG_WRITES as u64;
    let mut log = LogWriter::new();
    let mut block = |nth: u64, write: &dyn Fn(&mut LogWriter)| {
        let at = Nanos((nth + 1) * MS);
        log.block(Block { time: Some(at), end_time: Some(at.plus(Nanos(MS / 2))), ..Block::of(CapNo(0)) }, write);
    };
    let at = |nth: u64| Nanos((nth + 1) * MS + 1);
    block(0, &|block| {
        _ = block.event(at(0), CapCreate { cap: CapNo(0) }).event(at(0), GcStart {}).event(at(0), GcEnd {})
    });
    block(1, &|block| _ = block.event(at(1), RunThread { thread: ThreadId(1) }));
    for nth in 2..=WRITES {
        block(nth, &|block| last(block, at(nth)));
    }
    let stop = StopThread { thread: ThreadId(1), status: StopStatus(5), info: None };
    block(WRITES + 1, &|block| _ = block.event(at(WRITES + 1), stop));
    block(WRITES + 2, &|block| last(block, at(WRITES + 2)));
    let model = model(&ended(log));
    assert_eq!(parts(&model, &["running_ns", "log_writing_ns"]), [WRITES / 2, WRITES / 2]);
    assert_eq!(model.typed_facts(None).caps.log_writing, Some(Nanos((WRITES + 2) * MS / 2)));
}

/// Of a run that ends after a loss it is not known when it began.
#[test]
fn a_run_is_cut_off_where_events_are_lost() {
    let mut log = LogWriter::new();
    let stop = |status| StopThread { thread: ThreadId(1), status: StopStatus(status), info: None };
    log.block(Block::of(CapNo(0)), |block| {
        block
            .event(Nanos(MS), GcStart {})
            .event(Nanos(MS), GcEnd {})
            .event(Nanos(MS), RunThread { thread: ThreadId(1) });
        last(block, Nanos(2 * MS));
        block.bytes(&[0xee; 100]);
    });
    log.block(Block::of(CapNo(0)), |block| {
        block.event(Nanos(9 * MS), stop(7)).event(Nanos(10 * MS), RunThread { thread: ThreadId(1) });
        block.event(Nanos(12 * MS), stop(5));
    });
    let model = model(&ended(log));
    assert_eq!(parts(&model, &PARTS), [3, 7, 0]);
    let threads = model.typed_facts(None).threads;
    let ms = |time: Option<Nanos>| time.unwrap_or_default().0 / MS;
    assert_eq!((ms(threads.running), ms(threads.not_known), ms(threads.blocked_on_mvar)), (3, 7, 1));
}

/// While events of threads are switched off, the first capability collects in a run, so that this has no end; the other one seems to run on.
#[test]
fn what_runs_on_through_a_pause_is_not_known() {
    let mut log = LogWriter::new();
    let text = Text(b"GHC-10.0.1 rts_thr");
    log.block(Block::GLOBAL, |block| {
        block.event(Nanos(MS), RtsIdentifier { capset: CapsetId(0), text });
        (0..2).for_each(|cap| _ = block.event(Nanos(MS), CapCreate { cap: CapNo(cap) }));
    });
    let (off, on) = (100, 190);
    for cap in 0..2 {
        log.block(Block::of(CapNo(cap)), |block| {
            for nth in 0..300 {
                let (thread, at) = (ThreadId(u32::from(cap) + 1), Nanos((nth + 1) * MS));
                if nth <= off || nth > on {
                    block.event(at, RunThread { thread });
                }
                let end = at.plus(Nanos(MS / 2));
                if nth < off || nth >= on {
                    block.event(end, StopThread { thread, status: StopStatus(5), info: None });
                }
                if cap == 0 {
                    block.event(end, GcStart {}).event(end, GcEnd {});
                }
            }
        });
    }
    let model = model(&ended(log));
    let [running, not_known] = parts(&model, &["running_ns", "not_known_ns"])[..] else { unreachable!() };
    let threads = model.typed_facts(None).threads;
    assert_eq!(threads.running.map(|time| time.0 / MS), Some(running));
    assert!((208..=212).contains(&running) && (178..=186).contains(&not_known), "{running} {not_known}");
}
