//! While a log is being read, what counts as exact stays the same, whatever comes later.

use conformance::arranged;
use conformance::{exact_window, long_logs, model_in_steps, whole_range};
use ghc_eventlog::{Block, CapCreate, CapNo, LogWriter, Nanos, RunThread, StopStatus, StopThread, ThreadId};
use ghc_eventlog_model::{Job, Model, Range, RangeTotals, Shape, Track, View};

#[test]
fn what_is_exact_while_a_log_is_read_is_the_same_in_the_end() {
    let (mut random, mut windows, mut ranges) = (fastrand::Rng::with_seed(6), 0, 0);
    // Of capabilities: those that are exact, and those that are not yet.
    let mut of_caps = [0, 0];
    for (name, log) in long_logs() {
        let mut whole = model_in_steps(&log, 1 << 16);
        for _ in 0..40 {
            let read = random.usize(log.len() / 3..=log.len());
            let mut model = Model::of_size(Some(log.len() as u64));
            log[..read].chunks(1 << 16).for_each(|bytes| model.feed(bytes));
            let Some((first, _)) = model.extent() else { continue };
            let until = model.exact_until();
            assert_eq!(model.range(first, until.plus(Nanos(1))).map(|_| ()), None, "{name}");
            if until <= first {
                continue;
            }
            let from = Nanos(random.u64(first.0..until.0));
            let view = View { from, to: until, width: random.usize(1..200) };
            let tracks = whole
                .tracks(&arranged(&whole))
                .into_iter()
                .filter(|track| matches!(track.shape, Shape::States | Shape::Level));
            for track in tracks.collect::<Vec<_>>() {
                let before = model.tracks(&arranged(&model)).into_iter().find(|before| before.id == track.id);
                // What a log lacks is only known at its end.
                if before.is_none_or(|before| before.lacks != track.lacks) {
                    continue;
                }
                let found = exact_window(&mut model, &log[..read], view, track.id);
                let expected = exact_window(&mut whole, &log, view, track.id);
                // The events about tasks may come at the end.
                if track.group == "Tasks" {
                    assert!(!found.exact, "{name}: {}", track.name.for_comparing());
                    continue;
                }
                // Which capabilities were disabled is only known when the process's own stream has been read.
                if ["Capabilities", "Activity"].contains(&track.group) {
                    of_caps[usize::from(!found.exact)] += 1;
                    if !found.exact {
                        continue;
                    }
                }
                assert_eq!(
                    found.exact,
                    expected.exact,
                    "{name}: {}, {read} bytes, {view:?}",
                    track.name.for_comparing()
                );
                // Sums of parts of a nanosecond may be tiny but not 0, and then they are drawn.
                let differ =
                    found.shares.iter().zip(&expected.shares).position(|(one, other)| one.abs_diff(*other) > 1);
                let at = differ.map(|at| (at, found.shares.len(), found.shares[at], expected.shares[at]));
                assert_eq!(at, None, "{name}: {}, {read} bytes, {view:?}", track.name.for_comparing());
                windows += usize::from(found.exact);
                let (range, _) = whole_range(&mut model, &log[..read], from, until).expect("that is known for good");
                let (expected, _) = whole_range(&mut whole, &log, from, until).expect("all has been read");
                let totals = model.range_totals(&arranged(&model), &range, track.id);
                assert_eq!(
                    totals,
                    whole.range_totals(&arranged(&whole), &expected, track.id),
                    "{name}: {}, {read} bytes",
                    track.name.for_comparing()
                );
                ranges += 1;
            }
        }
    }
    assert!(windows > 150 && ranges > 150, "{windows} {ranges}");
    assert!(of_caps.iter().all(|count| *count > 20), "{of_caps:?}");
}

/// A log of very many small blocks, of very many capabilities: its index is merged several times while it is read.
fn merging_log() -> Vec<u8> {
    const CAPS: u16 = 1000;
    const APART: u64 = 1_000_000;
    let mut log = LogWriter::new();
    log.block(Block::GLOBAL, |block| {
        for cap in 0..CAPS {
            block.event(Nanos(0), CapCreate { cap: CapNo(cap) });
        }
    });
    for round in 0..200 {
        for cap in 0..CAPS {
            let (start, thread) = (round * APART + u64::from(cap), ThreadId(1));
            log.block(Block::of(CapNo(cap)), |block| {
                block.event(Nanos(start), RunThread { thread });
                let stop = StopThread { thread, status: StopStatus(3), info: Some(0) };
                block.event(Nanos(start + round * u64::from(cap)), stop);
            });
        }
    }
    log.end();
    log.finish()
}

/// More of the log comes between the begin of a range and its reads, so the index may be merged meanwhile.
#[test]
fn a_range_begun_while_a_log_is_read_is_right() {
    let mut random = fastrand::Rng::with_seed(7);
    let (mut ranges, mut read_later) = (0, 0);
    for (name, log) in long_logs().into_iter().chain([("merging".to_string(), merging_log())]) {
        let mut whole = model_in_steps(&log, 1 << 16);
        let mut model = Model::of_size(Some(log.len() as u64));
        let mut begun: Vec<Range> = Vec::new();
        let mut fed = 0;
        for bytes in log.chunks(log.len() / 12 + 1) {
            model.feed(bytes);
            fed += bytes.len();
            // One of the ranges that were begun earlier gets what it needs, perhaps while more of the log comes.
            if let Some(range) = begun.last_mut()
                && let [(offset, length), ..] = range.reads(&mut model)[..]
            {
                assert!(offset + length <= fed as u64, "{name}");
                range.give(&mut model, offset, &log[offset as usize..(offset + length) as usize]).unwrap();
            }
            let (first, until) = (model.extent().map_or(0, |(first, _)| first.0), model.exact_until().0);
            if first < until {
                let from = Nanos(random.u64(first..until));
                begun.push(model.range(from, Nanos(random.u64(from.0..=until))).expect("that is known for good"));
            }
        }
        let is_finished = random.bool();
        if is_finished {
            model.finish();
        }
        // Before that, the last events of the stream that has the censuses may not have been read.
        let known = |track: &Track, totals: Option<RangeTotals>| {
            let mut totals = totals?;
            let place = |name: &str| track.states.iter().position(|state| state.name == name);
            if let (Some(wait), Some(census), false) = (place("GC wait"), place("census"), is_finished) {
                totals.states[wait] = totals.states[wait].plus(core::mem::take(&mut totals.states[census]));
            }
            Some(totals)
        };
        for mut range in begun {
            while let [(offset, length), ..] = range.reads(&mut model)[..] {
                range.give(&mut model, offset, &log[offset as usize..(offset + length) as usize]).unwrap();
                read_later += 1;
            }
            assert!(range.is_gathered(), "{name}: nothing more is wanted");
            let (from, to) = range.times();
            let (expected, _) = whole_range(&mut whole, &log, from, to).expect("all has been read");
            for track in whole
                .tracks(&arranged(&whole))
                .iter()
                .filter(|track| matches!(track.shape, Shape::States | Shape::Level))
                .take(30)
            {
                if model.track(&arranged(&model), track.id).is_some_and(|before| before.lacks == track.lacks) {
                    let (found, expected) = (
                        model.range_totals(&arranged(&model), &range, track.id),
                        whole.range_totals(&arranged(&whole), &expected, track.id),
                    );
                    let (found, expected) = (known(track, found), known(track, expected));
                    assert_eq!(found, expected, "{name}: {}, {from:?} to {to:?}", track.name.for_comparing());
                    ranges += 1;
                }
            }
        }
    }
    assert!(ranges > 150 && read_later > 20, "{ranges} {read_later}");
}
