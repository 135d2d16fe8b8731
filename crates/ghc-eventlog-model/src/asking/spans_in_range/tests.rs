//! Logs with more user spans than are kept: windows and ranges have all of them.

use super::*;
use crate::{
    Arrangement, Job, Model, Range as TimeRange, Span, View, Wishes, terms::track::TrackId,
    tracks::user_spans::UserSpanTracks,
};
use alloc::{format, string::String, vec::Vec};
use ghc_eventlog::{Block, CapNo, LogWriter, RunThread, Text, ThreadId, UserMsg};

/// A span as it was written: label, begin and end; no end if it never ended.
type Written = (&'static str, u64, Option<u64>);

/// A log with two capabilities, and what is in it: nested spans of thread 1, overlapping ones of thread 2, which come in other lengths, and
/// now and then a long one.
fn log(rounds: u64) -> (Vec<u8>, Vec<Written>) {
    let (mut one, mut two) = (Vec::<(u64, String)>::new(), Vec::<(u64, String)>::new());
    let mut written: Vec<Written> = Vec::new();
    for round in 0..rounds {
        let at = 1000 + round * 100;
        let (inner, over) = (20 + round % 13, 75 + round % 90);
        one.extend([(at, "START outer"), (at + 10, "START inner")].map(|(time, text)| (time, text.into())));
        one.extend([(at + 10 + inner, "STOP inner"), (at + 90, "STOP outer")].map(|(time, text)| (time, text.into())));
        written.extend([("outer", at, Some(at + 90)), ("inner", at + 10, Some(at + 10 + inner))]);
        two.extend([(at + 5, format!("START {round} request")), (at + 5 + over, format!("STOP {round} request"))]);
        written.push(("request", at + 5, Some(at + 5 + over)));
        if round % 5000 == 777 {
            two.extend([(at + 7, "START long".into()), (at + 55_555, "STOP long".into())]);
            written.push(("long", at + 7, Some(at + 55_555)));
        }
        if round % 20_000 == 3 {
            two.push((at + 8, format!("START {round} never")));
            written.push(("never", at + 8, None));
        }
    }
    let mut log = LogWriter::new();
    for events in [&mut one, &mut two] {
        events.sort_by_key(|(time, _)| *time);
    }
    let blocks = one.chunks(700).map(|events| (0_u16, events)).chain(two.chunks(300).map(|events| (1, events)));
    let mut blocks: Vec<(u16, &[(u64, String)])> = blocks.collect();
    blocks.sort_by_key(|(_, events)| events.first().map(|(time, _)| *time));
    let mut runs = [false; 2];
    for (cap, events) in blocks {
        log.block(Block::of(CapNo(cap)), |block| {
            let first = events.first().map_or(0, |(time, _)| *time);
            if !core::mem::replace(&mut runs[usize::from(cap)], true) {
                block.event(Nanos(first), RunThread { thread: ThreadId(u32::from(cap) + 1) });
            }
            for (time, text) in events {
                block.event(Nanos(*time), UserMsg { text: Text(text.as_bytes()) });
            }
        });
    }
    log.end();
    (log.finish(), written)
}

fn replayed(log: &[u8]) -> Model {
    let mut model = Model::new();
    log.chunks(1 << 20).for_each(|chunk| model.feed(chunk));
    model.finish();
    let mut replay = model.replay().unwrap();
    work(&mut replay, &mut model, log);
    assert!(model.known.longest_dropped_span().is_some(), "not all spans are kept");
    model
}

fn work(job: &mut impl Job, model: &mut Model, log: &[u8]) {
    loop {
        let reads = job.reads(model);
        if reads.is_empty() {
            return;
        }
        for (offset, length) in reads {
            job.give(model, offset, &log[offset as usize..(offset + length) as usize]).unwrap();
        }
    }
}

fn range(model: &mut Model, log: &[u8], from: u64, to: u64) -> TimeRange {
    let mut range = model.range(Nanos(from), Nanos(to)).unwrap();
    work(&mut range, model, log);
    range
}

const LABELS: [&str; 5] = ["outer", "inner", "request", "long", "never"];

#[test]
fn the_totals_of_any_range_are_exact() {
    let rounds = limits::MAX_USER_SPANS as u64 / 2;
    let (log, written) = log(rounds);
    let mut model = replayed(&log);
    let end = 1000 + rounds * 100;
    let mut ranges: Vec<(u64, u64)> = (0..12).map(|at| (at * end / 17 + at * 7, end - at * end / 23)).collect();
    ranges.extend([(0, end * 2), (1000, 1001), (500_000, 500_120), (777_717, 999_999), (end / 2, end / 2 + 60_000)]);
    let (mut added_up, mut read) = (0, 0);
    for (from, to) in ranges {
        let range = range(&mut model, &log, from, to);
        let found = range.summed.spans.as_ref().unwrap();
        match &found.all {
            Some(_) => read += 1,
            None => added_up += 1,
        }
        for label in LABELS {
            let its = written.iter().filter(|(of, ..)| *of == label);
            let is_in = |start: u64, end: u64| start < to && (end > from || start >= from);
            let clipped = its.clone().filter_map(|(_, start, end)| Some((*start, (*end)?)));
            let clipped = clipped.filter(|(start, end)| is_in(*start, *end));
            let lengths: Vec<u64> = clipped.map(|(start, end)| end.min(to) - start.max(from)).collect();
            let open = its.filter(|(_, start, end)| end.is_none() && is_in(*start, u64::MAX)).count() as u64;
            let place = usize::from(model.known.stores.messages.labels.find(label.as_bytes()));
            let of = found.tally.by_label.get(place).copied().unwrap_or_default();
            assert_eq!(
                (of.count, of.total.0, of.longest.0, of.unfinished()),
                (lengths.len() as u64, lengths.iter().sum(), lengths.iter().copied().max().unwrap_or(0), Some(open)),
                "{label} in {from} to {to}"
            );
        }
    }
    assert!(added_up > 5 && read > 2, "{added_up} added up, {read} read");
}

#[test]
fn windows_show_all_spans_once_the_user_looks_closely() {
    let rounds = limits::MAX_USER_SPANS as u64 / 2;
    let (log, written) = log(rounds);
    let mut model = replayed(&log);
    let arrangement: Arrangement = model.arrange(Wishes::default(), None);
    for from in [1000, 77_777, 1000 + rounds * 50, 1000 + rounds * 99] {
        let view = View { from: Nanos(from), to: Nanos(from + 900), width: 900 };
        let mut plan = model.plan_with(view, true);
        work(&mut plan, &mut model, &log);
        for label in LABELS {
            let number = model.known.stores.messages.labels.find(label.as_bytes());
            let tracks = model.tracks_of(&arrangement, "spans", 0, 1000);
            let its = |id: &TrackId| {
                let of = id.of_kind::<UserSpanTracks>().unwrap();
                of & 0xffff == u32::from(number)
            };
            let ids: Vec<TrackId> = tracks.iter().map(|track| track.id).filter(its).collect();
            let mut drawn: Vec<(u64, u64)> = Vec::new();
            for id in ids {
                let window = model.window(&arrangement, &plan, id);
                assert!(window.exact, "{label} from {from}");
                drawn.extend(window.spans.iter().map(|Span { start, end, .. }| (start.0, end.0)));
            }
            drawn.sort_unstable();
            let end = model.extent().unwrap().1.0;
            let its = written.iter().filter(|(of, ..)| *of == label).map(|(_, start, to)| (*start, to.unwrap_or(end)));
            let mut expected: Vec<(u64, u64)> = its.filter(|(start, end)| *start < from + 900 && *end > from).collect();
            expected.sort_unstable();
            assert_eq!(drawn, expected, "{label} from {from}");
        }
    }
    let bytes = model.known.spans_at_hand.bytes_held();
    assert!((1..8 << 20).contains(&bytes), "{bytes}");
}
