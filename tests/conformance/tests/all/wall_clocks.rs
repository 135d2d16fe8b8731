//! The time of day: what the log says of it each time that logging is started.

use ghc_eventlog::{Block, CapNo, CapsetId, CreateThread, LogWriter, Nanos, ThreadId, WallClockTime};
use ghc_eventlog_model::Model;

/// A log with a wall clock at each of some times.
fn model(clocks: &[(u64, u32, Nanos)]) -> Model {
    let mut log = LogWriter::new();
    log.block(Block::of(CapNo(0)), |block| {
        block.event(Nanos(1), CreateThread { thread: ThreadId(1) });
        for &(seconds, nanoseconds, at) in clocks {
            block.event(at, WallClockTime { capset: CapsetId(0), seconds, nanoseconds });
        }
    });
    log.end();
    let mut model = Model::new();
    model.feed(&log.finish());
    model.finish();
    model
}

#[test]
fn each_start_of_logging_has_its_own_clock() {
    let clocks = [(100, 5, Nanos(10)), (4000, 6, Nanos(2_000_000_000))];
    let model = model(&clocks);
    assert_eq!(model.process().wall_clocks, clocks);
    assert_eq!(model.process().wall_clock, Some(clocks[0]), "the first one is nearest to the start");
}

#[test]
fn however_many_clocks_there_are_few_are_kept() {
    let clocks: Vec<_> = (0..1000).map(|at| (at, 0, Nanos(10 + at))).collect();
    let model = model(&clocks);
    let kept = &model.process().wall_clocks;
    assert!((2..=64).contains(&kept.len()), "{kept:?}");
    // Over all of the log.
    assert_eq!((kept.first(), kept.last()), (clocks.first(), clocks.last()));
    assert!(kept.is_sorted() && kept.iter().any(|(at, ..)| (300..700).contains(at)), "{kept:?}");
}
