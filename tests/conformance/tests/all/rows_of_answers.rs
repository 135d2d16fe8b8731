//! The answer to a look-up is on a row, whose place is the one that the page shows.

use conformance::{arranged, model_in_steps, replay};
use ghc_eventlog::{Block, CapNo, LogWriter, Nanos, RunThread, StopStatus, StopThread, ThreadId};
use ghc_eventlog_model::{Arrangement, Direction, work};
use std::convert::Infallible;

/// Three threads, of which the last one in the file ran first: its capability's block comes later.
fn log() -> Vec<u8> {
    let mut log = LogWriter::new();
    for (cap, threads) in [(0, [(1, 5000), (2, 7000)]), (1, [(3, 1000), (3, 3000)])] {
        log.block(Block::of(CapNo(cap)), |block| {
            for (thread, start) in threads.map(|(thread, start)| (ThreadId(thread), start)) {
                block.event(Nanos(start), RunThread { thread });
                block.event(Nanos(start + 500), StopThread { thread, status: StopStatus(3), info: Some(0) });
            }
        });
    }
    log.end();
    log.finish()
}

#[test]
fn an_answer_is_on_the_row_that_is_shown() {
    let log = log();
    let mut model = model_in_steps(&log, log.len());
    replay(&mut model, &log);
    let shown = arranged(&model);
    let threads = model.tracks_of(&shown, "threads", 0, 8);
    assert_eq!(threads.len(), 3);
    let (first, last) = model.extent().unwrap();
    let mut moved = 0;
    for (place, track) in threads.iter().map(|track| track.id).enumerate() {
        let at = model.look_up(&shown, track, first, last);
        let beside = model.neighbour(&shown, track, first, Direction::Next);
        for mut search in [at, beside] {
            assert_eq!(model.place(search.arrangement(), track), Some(("threads", place)));
            let read =
                |offset: u64, length: u64| Ok::<_, Infallible>(&log[offset as usize..(offset + length) as usize]);
            assert_eq!(work(&mut search, &mut model, read), Ok(true));
            assert!(model.found(&search).is_some());
        }
        // Without the rows, it would be the place in the file.
        moved += u32::from(model.place(&Arrangement::default(), track) != Some(("threads", place)));
    }
    assert_eq!(moved, 3);
}
