//! The preview of a long log before it is read is near the truth, and forgotten once the log is read.

use conformance::arranged;
use conformance::{comparable, project, shape, tiled};
use ghc_eventlog::Nanos;
use ghc_eventlog_model::{Model, Plan, Shape, Track, View, Window};
use std::fs;

/// Pixels of the whole log.
const WIDTH: usize = 40;

/// How many bytes are read before the looks.
const READ: usize = 1 << 20;

/// A log long enough for looks: a short one again and again.
fn repeated(log: &[u8]) -> Vec<u8> {
    tiled(log, (300u64 << 20).div_ceil(log.len() as u64))
}

/// The corpus's log, which has small blocks.
fn long_log() -> Vec<u8> {
    repeated(&fs::read(project().join("tests/corpus/threaded/log.eventlog")).unwrap())
}

/// Blocks as large as GHC's become.
fn log_of_large_blocks() -> Vec<u8> {
    let mut log = Vec::new();
    let shape = shape("caps").unwrap();
    (shape.write)(shape.count, &mut log).unwrap();
    repeated(&log)
}

fn look_at_all(model: &mut Model, log: &[u8]) {
    for look in model.looks(log.len() as u64).unwrap() {
        let bytes = |length: u64| &log[look.offset as usize..][..length as usize];
        let seen = model.look(look.offset, bytes(look.length)) || model.look(look.offset, bytes(look.longer));
        assert!(seen, "nothing was seen at {look:?}");
    }
}

/// What each track shows of the whole log.
type Whole = Vec<(Track, Window)>;

fn whole(model: &mut Model, to: Nanos) -> Whole {
    let (from, _) = model.extent().unwrap();
    let plan: Plan = model.plan(View { from, to, width: WIDTH }).coarse();
    model
        .tracks(&arranged(model))
        .into_iter()
        .map(|track| (track.clone(), comparable(model.window(&arranged(model), &plan, track.id))))
        .collect()
}

#[test]
fn a_long_log_is_seen_as_a_whole_before_it_is_read() {
    let (seen, truth) = before_and_after(&long_log());
    let mut compared = 0;
    for ((track, seen), (_, truth)) in seen.iter().zip(&truth) {
        // The preview does not show collections.
        if track.group == "Garbage collection" {
            continue;
        }
        // The log is the same all the time, but not within a pixel's 1/40.
        for (at, (seen, truth)) in seen.shares.iter().zip(&truth.shares).enumerate() {
            assert!(seen.abs_diff(*truth) < 40, "{}, {at}: seen {seen}, in truth {truth}", track.name.for_comparing());
            compared += usize::from(*truth > 10);
        }
    }
    assert!(compared > 3 * WIDTH, "{compared}");
}

/// Each look then sees one capability's block, and capabilities are not equally busy. So the picture is coarser, but
/// the activity of all has no gaps, and is right on average.
#[test]
fn large_blocks_are_met_too() {
    let (seen, truth) = before_and_after(&log_of_large_blocks());
    let ((activity, seen), (_, truth)) = (&seen[0], &truth[0]);
    assert_eq!(activity.shape, Shape::Level);
    // After what has been read, only one capability is seen.
    let behind = |window: &Window| window.shares[WIDTH / 8..].to_vec();
    assert!(behind(seen).iter().all(|share| *share > 0), "{:?}", seen.shares);
    let mean = |window| behind(window).iter().map(|share| f64::from(*share)).sum::<f64>() / behind(window).len() as f64;
    assert!((mean(seen) - mean(truth)).abs() < 25.0, "seen {}, in truth {}", mean(seen), mean(truth));
}

/// What the whole log looks like before it has been read, and afterwards.
fn before_and_after(log: &[u8]) -> (Whole, Whole) {
    let mut model = Model::of_size(Some(log.len() as u64));
    assert_eq!(model.looks(log.len() as u64), None, "before anything is known");
    model.feed(&log[..READ]);
    look_at_all(&mut model, log);
    let end = model.ahead().unwrap();
    let ahead = whole(&mut model, end);
    assert!(model.extent().unwrap().1 < Nanos(end.0 / 8), "little has been read");

    model.feed(&log[READ..]);
    model.finish();
    // Of another capability's last event, perhaps.
    let off = model.extent().unwrap().1.since(end);
    assert!(off < Nanos::MILLISECOND, "the last look tells how long the log is, but for {off}");
    let truth = whole(&mut model, end);
    (ahead, truth)
}

/// The preview makes no difference to what is known in the end, whether the log is read completely or in part.
#[test]
fn the_preview_leaves_nothing() {
    let log = long_log();
    let part = &log[..4 * READ];
    let [looked, plain] = [true, false].map(|looks| {
        let mut model = Model::of_size(Some(log.len() as u64));
        model.feed(&part[..READ]);
        if looks {
            look_at_all(&mut model, &log);
            assert!(model.ahead().is_some());
        }
        model.feed(&part[READ..]);
        model.stop();
        assert!(model.look(log.len() as u64 / 2, &log[log.len() / 2..][..READ]), "nothing is looked at any more");
        assert_eq!(model.ahead(), None);
        let to = Nanos(model.extent().unwrap().1.0 * 2);
        (model.extent(), model.bytes_held(), whole(&mut model, to))
    });
    assert_eq!(looked, plain);
}

/// If nothing can be seen at the log's end, the last look that shows something decides.
#[test]
fn a_damaged_end_is_no_end() {
    let mut log = long_log();
    let end = whole_extent(&log);
    let damaged = log.len() - (3 << 20);
    log[damaged..].fill(0);
    let mut model = Model::of_size(Some(log.len() as u64));
    model.feed(&log[..READ]);
    for look in model.looks(log.len() as u64).unwrap() {
        model.look(look.offset, &log[look.offset as usize..][..look.length as usize]);
    }
    let ahead = model.ahead().unwrap();
    assert!(ahead > Nanos(end.0 / 10 * 8) && ahead < end, "{ahead} of {end}");
}

/// The latest time of a log.
fn whole_extent(log: &[u8]) -> Nanos {
    let mut model = Model::of_size(Some(log.len() as u64));
    model.feed(log);
    model.extent().unwrap().1
}

#[test]
fn short_logs_are_not_looked_at() {
    let log = fs::read(project().join("tests/corpus/threaded/log.eventlog")).unwrap();
    let mut model = Model::new();
    model.feed(&log);
    assert_eq!(model.looks(log.len() as u64), Some(Vec::new()));
}

/// Bytes that are no blocks, although some look like one.
#[test]
fn where_no_block_is_nothing_is_seen() {
    let log = long_log();
    let mut model = Model::of_size(Some(log.len() as u64));
    model.feed(&log[..READ]);
    let marker = |time: u64, end: u64| {
        [&[0, 18][..], &time.to_be_bytes(), &4000u32.to_be_bytes(), &end.to_be_bytes(), &[0, 1]].concat()
    };
    let create = |time: u64| [&[0, 0][..], &time.to_be_bytes(), &[0, 0, 0, 7]].concat();
    let mut random = fastrand::Rng::with_seed(1);
    let noise: Vec<u8> = (0..1 << 16).map(|_| random.u8(..)).collect();
    let mut markers = Vec::new();
    for at in 0..2000 {
        markers.extend(marker(at, 1 << 60));
        // One event in it is sound, what follows is not.
        markers.extend(create(1 << 50));
        markers.extend([0xee; 5]);
    }
    for bytes in [&noise[..], &[0; 5000], &[0, 18].repeat(5000), &[0xff; 5000], &markers, &[]] {
        assert!(!model.look(1 << 27, bytes), "{:?}", &bytes[..bytes.len().min(40)]);
        assert_eq!(model.ahead(), None);
    }
}
