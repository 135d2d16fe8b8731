//! A capability that does nothing for long.

use conformance::model_in_steps;
use ghc_eventlog::{
    Block, CapNo, CapsetId, HeapAllocated, LogWriter, Nanos, RunThread, StopStatus, StopThread, ThreadId,
};
use ghc_eventlog_model::{Direction, Lookup, TrackId};

/// Two runs, with megabytes of events between them that say nothing of the lane.
fn log() -> Vec<u8> {
    let mut writer = LogWriter::new();
    writer.block(Block::of(CapNo(0)), |block| {
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

/// What is between is not read to be known empty: it may be more than fits in memory.
#[test]
fn neighbours_far_apart_are_found_without_reading_what_is_between() {
    let log = log();
    let mut model = model_in_steps(&log, 1 << 20);
    let track = TrackId::Capability(CapNo(0));
    for (from, direction, expected) in [(10, Direction::Next, 9_000_000), (9_000_000, Direction::Previous, 10)] {
        let mut read = 0;
        let found = loop {
            match model.neighbour(track, Nanos(from), direction) {
                Lookup::Found(found) => break found,
                Lookup::Read { offset, length } => {
                    read += length;
                    model.supply(offset, &log[offset as usize..(offset + length) as usize]);
                }
            }
        };
        assert_eq!(found, Some(Nanos(expected)));
        assert!(read < log.len() as u64 / 2, "read {read} of {}", log.len());
    }
}
