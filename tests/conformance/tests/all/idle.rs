//! A capability that does nothing for long.

use conformance::arranged;
use conformance::{answered, model_in_steps};
use ghc_eventlog::{
    Block, CapNo, CapsetId, GcEnd, GcStart, HeapAllocated, LogWriter, Nanos, RunThread, StopStatus, StopThread,
    ThreadId,
};
use ghc_eventlog_model::{Direction, Place, TrackId};

/// Two runs, with megabytes of events between them that are not about the lane.
fn log() -> Vec<u8> {
    let mut writer = LogWriter::new();
    writer.block(Block::of(CapNo(0)), |block| {
        // Without collections, idle time would not be known.
        block.event(Nanos(1), GcStart {});
        block.event(Nanos(3), GcEnd {});
        for start in [10, 9_000_000] {
            block.event(Nanos(start), RunThread { thread: ThreadId(1) });
            block.event(Nanos(start + 5), StopThread { thread: ThreadId(1), status: StopStatus(7), info: Some(0) });
            for at in 0..100_000 {
                block.event(Nanos(start + 10 + at), HeapAllocated { capset: CapsetId(0), bytes: at });
            }
        }
    });
    writer.end();
    writer.finish()
}

/// What is between is known to be empty without reading it, since it may be more than fits into memory.
#[test]
fn neighbours_far_apart_are_found_without_reading_what_is_between() {
    let log = log();
    let mut model = model_in_steps(&log, 1 << 20);
    let track = TrackId::capability(CapNo(0));
    for (from, direction, expected) in [(10, Direction::Next, 9_000_000), (9_000_000, Direction::Previous, 10)] {
        let search = model.neighbour(&arranged(&model), track, Nanos(from), direction);
        let (place, reads) = answered(&mut model, &log, search);
        let Place::Span(found) = place else { panic!("{place:?}") };
        assert_eq!(found.span.start, Nanos(expected));
        assert_few(&reads, &log);
    }
}

/// Idle is a state like the others: it begins where a span ends, and ends where the next one begins.
#[test]
fn an_idle_time_is_found_from_its_begin_to_its_end() {
    let log = log();
    let mut model = model_in_steps(&log, 1 << 20);
    let track = TrackId::capability(CapNo(0));
    for at in [40, 5_000_000, 8_999_000] {
        let (place, reads) = {
            let search = model.look_up(&arranged(&model), track, Nanos(at), Nanos(at + 1));
            answered(&mut model, &log, search)
        };
        let Place::Span(found) = place else { panic!("{place:?}") };
        assert_eq!((found.state, found.span.start, found.span.end), ("idle", Nanos(15), Nanos(9_000_000)));
        assert_few(&reads, &log);
    }
}

fn assert_few(reads: &[(u64, u64)], log: &[u8]) {
    let read: u64 = reads.iter().map(|(_, length)| length).sum();
    assert!(read < log.len() as u64 / 2, "read {read} of {}", log.len());
}
