//! Of any log: who stopped last before each collection is what its runs say, and its table is the sum of the collections; and the lanes, the
//! track "GC sync" and ranges have the same times in which capabilities wait for a collection that they have requested.

use crate::stops::{columns, model_of};
use conformance::{
    Mutants, arranged, decode_in_steps, files, model_in_steps, project, shared_logs, spans, whole_range,
};
use ghc_eventlog::{CapNo, GcDone, GcIdle, GcStart, GcWork, Nanos, RequestParGc, RequestSeqGc, RunThread, StopThread};
use ghc_eventlog_model::{Span, TrackId, limits};
use std::{collections::BTreeMap, fs};

/// Larger logs take too long in a test.
const LARGE: u64 = 3 << 20;

/// The logs of the corpus, and real ones.
fn logs() -> Vec<(String, Vec<u8>)> {
    let mut logs = files(&project().join("tests/corpus"), "log.eventlog");
    logs.extend(shared_logs());
    logs.retain(|path| fs::metadata(path).is_ok_and(|data| data.len() < LARGE));
    logs.into_iter().map(|path| (path.display().to_string(), fs::read(path).unwrap())).collect()
}

/// The end of a run of a thread that has both ends in the log.
struct Run {
    cap: u16,
    thread: u32,
    to: u64,
}

/// What the events say, one capability at a time.
#[derive(Default)]
struct Said {
    runs: Vec<Run>,
    /// By capability: the times of requests, of begins of collections and of phases.
    requests: BTreeMap<u16, Vec<u64>>,
    starts: BTreeMap<u16, Vec<u64>>,
}

fn said(log: &[u8]) -> Said {
    let mut said = Said::default();
    let mut running: BTreeMap<u16, u32> = BTreeMap::new();
    decode_in_steps(log, log.len(), |_, record| {
        let Some(cap) = record.cap.map(|cap| cap.0).filter(|_| record.known) else { return };
        let time = record.time.0;
        match record.tag {
            RunThread::TAG => _ = running.insert(cap, RunThread::read(record.payload).thread.0),
            StopThread::TAG => {
                if let Some(thread) = running.remove(&cap) {
                    said.runs.push(Run { cap, thread, to: time });
                }
            }
            RequestSeqGc::TAG | RequestParGc::TAG => said.requests.entry(cap).or_default().push(time),
            GcStart::TAG | GcWork::TAG | GcIdle::TAG | GcDone::TAG => said.starts.entry(cap).or_default().push(time),
            _ => {}
        }
    });
    said
}

/// Of any log that has no losses, who stopped last is what its runs say.
#[test]
fn the_last_to_stop_is_the_one_whose_run_ended_last() {
    let (mut compared, mut known) = (0, 0);
    for (name, log) in logs() {
        let model = model_of(&log);
        if model.error().is_some() || model.diagnostics().count() > 0 {
            continue;
        }
        let said = said(&log);
        let Some(rows) = columns(&model, None, "collections", &["last_cap", "last_thread", "last_after_ns"]) else {
            continue;
        };
        for (gc, found) in model.collections().rows().iter().zip(rows) {
            let (Some(requested), Some(synced)) = (gc.requested, gc.synced) else {
                assert_eq!(found, [None; 3], "{name}: {gc:?}");
                continue;
            };
            let (requested, synced) = (requested.time().0, synced.time().0);
            let its = said.runs.iter().filter(|run| (requested..=synced).contains(&run.to));
            let latest = its.clone().map(|run| run.to).max();
            // Most of a long wait was for no thread: another test is about these.
            if found[0].is_some() && found[1].is_none() {
                assert!(found[2] > Some(limits::LATE_FOR_COLLECTION.0), "{name}: {gc:?}");
                assert!(gc.waited().unwrap().0 >= 2 * latest.map_or(0, |latest| latest - requested), "{name}: {gc:?}");
                continue;
            }
            compared += 1;
            match (<[Option<u64>; 3]>::try_from(found).unwrap(), latest) {
                ([Some(cap), Some(thread), Some(after)], Some(latest)) => {
                    known += 1;
                    assert_eq!(after, latest - requested, "{name}: {gc:?}");
                    let is_it =
                        |run: &Run| (run.to, u64::from(run.cap), u64::from(run.thread)) == (latest, cap, thread);
                    assert!(its.clone().any(is_it), "{name}: {gc:?}");
                }
                ([None, None, None], None) => {}
                // At the same nanosecond, the order in the file decides.
                ([None, None, None], Some(latest)) if latest == requested || latest == synced => {}
                other => panic!("{name}: {gc:?}: {other:?}"),
            }
        }
    }
    assert!(compared > 1000 || known > 20, "{compared}, {known}");
}

/// In any log and in damaged ones, the table of those who stopped last is the sum of the collections' rows, of the whole log and of
/// ranges.
#[test]
fn the_table_of_the_last_is_the_sum_of_the_collections() {
    let mut compared = 0;
    for (name, log) in logs().into_iter().filter(|(_, log)| log.len() < 400_000) {
        for log in std::iter::once(log.clone()).chain(Mutants::new(&log, 5).take(3)) {
            let mut model = model_of(&log);
            let Some((first, last)) = model.extent() else { continue };
            assert!(!model.collections().is_capped());
            let middle = Nanos(first.0 + (last.0 - first.0) / 3);
            let (range, _) = whole_range(&mut model, &log, middle, last).unwrap();
            for range in [None, Some(&range)] {
                let Some(table) =
                    columns(&model, range, "last_to_stop", &["cap", "thread", "count", "total_ns", "max_ns"])
                else {
                    continue;
                };
                let rows =
                    columns(&model, range, "collections", &["last_cap", "last_thread", "last_after_ns"]).unwrap();
                let mut sums: BTreeMap<(u64, Option<u64>), [u64; 3]> = BTreeMap::new();
                for row in rows {
                    let [Some(cap), thread, Some(after)] = row[..] else { continue };
                    let [count, total, longest] = sums.entry((cap, thread)).or_default();
                    (*count, *total, *longest) = (*count + 1, total.saturating_add(after), after.max(*longest));
                }
                compared += table.len();
                let totals: Vec<_> = table.iter().map(|row| row[3]).collect();
                assert!(totals.is_sorted_by(|one, other| one >= other), "{name}: most time first");
                // A capability that was late without a thread has a row for each reason.
                let mut by_thread: BTreeMap<(u64, Option<u64>), [u64; 3]> = BTreeMap::new();
                for row in table {
                    let [more, time, most] = [2, 3, 4].map(|at| row[at].unwrap());
                    let [count, total, longest] = by_thread.entry((row[0].unwrap(), row[1])).or_default();
                    (*count, *total, *longest) = (*count + more, total.saturating_add(time), most.max(*longest));
                }
                assert_eq!(by_thread, sums, "{name}");
            }
        }
    }
    assert!(compared > 50, "{compared}");
}

/// How much of `from..to` a lane is in each state, by its spans.
fn inside(spans: &[Span], state: usize, from: Nanos, to: Nanos) -> u64 {
    let its = spans.iter().filter(|span| usize::from(span.state) == state);
    its.map(|span| span.end.min(to).since(span.start.max(from)).0).sum()
}

/// STATISTICS, "Capability states": a capability is in GC sync from its own request, once no thread runs on it, to its first phase,
/// else from GC_START. So the track "GC sync", which is from a request to GC_START, is within the lanes: of the whole log, and
/// of any range.
#[test]
fn lanes_and_ranges_and_the_track_agree_about_gc_sync() {
    let mut random = fastrand::Rng::with_seed(3);
    let (mut waits, mut ranges, mut begins) = (0, 0, 0);
    for (name, log) in logs() {
        let mut model = model_in_steps(&log, 1 << 20);
        if model.collections().rows().iter().all(|gc| gc.requested.is_none()) {
            continue;
        }
        let (first, last) = model.extent().unwrap();
        let lanes: Vec<_> =
            model.tracks(&arranged(&model)).into_iter().filter(|track| track.group == "Capabilities").collect();
        if lanes.is_empty() {
            continue;
        }
        let state = |name: &str| lanes[0].states.iter().position(|state| state.name == name).unwrap();
        let [running, sync, unknown] = ["running", "GC sync", "not known"].map(state);
        let all: Vec<Vec<Span>> = lanes.iter().map(|track| spans(&mut model, &log, track.id)).collect();
        let place = |cap: CapNo| lanes.iter().position(|track| track.id == TrackId::capability(cap)).unwrap();
        let collections = model.collections().rows().to_vec();
        // A lane of a capability that has requested a collection is in no other state until the collection begins.
        for gc in &collections {
            let (Some(requested), Some(cap)) = (gc.requested, gc.cap) else { continue };
            let (from, spans) = (requested.time(), &all[place(cap)]);
            let known: u64 = [running, sync, unknown].map(|state| inside(spans, state, from, gc.start)).iter().sum();
            assert_eq!(known, gc.start.since(from).0, "{name}: {gc:?}");
            waits += 1;
        }
        // And it is in that state for no other reason.
        let said = said(&log);
        for (track, spans) in lanes.iter().zip(&all) {
            let cap = (0..u16::MAX).find(|cap| track.id == TrackId::capability(CapNo(*cap))).unwrap();
            let has = |times: &BTreeMap<u16, Vec<u64>>, is_it: &dyn Fn(u64) -> bool| {
                times.get(&cap).is_some_and(|times| times.iter().any(|time| is_it(*time)))
            };
            for (at, span) in spans.iter().enumerate().filter(|(_, span)| usize::from(span.state) == sync) {
                let run = at.checked_sub(1).and_then(|at| spans.get(at)).filter(|run| run.end == span.start);
                let in_run = run.map_or(Nanos::MAX, |run| run.start);
                let is_so = has(&said.requests, &|time| time == span.start.0 || (in_run.0..=span.start.0).contains(&time))
                    || has(&said.starts, &|time| time == span.start.0)
                    // Where times go back, spans do not.
                    || model.diagnostics().count() > 0;
                assert!(is_so, "{name}, capability {cap}: {span:?}");
                begins += 1;
            }
        }
        // The same of any range, by its totals.
        for round in 0..12 {
            let mut time = || Nanos(random.u64(first.0..=last.0));
            let (a, b) = (time(), time());
            let (from, to) = if round == 0 { (first, last.plus(Nanos(1))) } else { (a.min(b), a.max(b)) };
            let (range, _) = whole_range(&mut model, &log, from, to).unwrap();
            let arrangement = arranged(&model);
            let totals = |track| model.range_totals(&arrangement, &range, track).unwrap().states;
            let waited = totals(TrackId::GC_SYNC)[0];
            let in_track: u64 = collections
                .iter()
                .filter_map(|gc| Some(gc.start.min(to).since(gc.requested?.time().max(from)).0))
                .sum();
            assert_eq!(waited.0, in_track, "{name}: {from:?} to {to:?}");
            let mut in_lanes = 0;
            for (track, spans) in lanes.iter().zip(&all) {
                let states = totals(track.id);
                assert_eq!(states[sync].0, inside(spans, sync, from, to), "{name}: {from:?} to {to:?}");
                in_lanes += states[sync].0;
            }
            // Some of the time a thread may have run on, where the request came before its stop.
            let not_yet: u64 = collections
                .iter()
                .filter_map(|gc| {
                    let (from, to, spans) = (gc.requested?.time().max(from), gc.start.min(to), &all[place(gc.cap?)]);
                    Some(inside(spans, running, from, to) + inside(spans, unknown, from, to))
                })
                .sum();
            assert!(in_lanes + not_yet >= waited.0, "{name}: {from:?} to {to:?}: {in_lanes}, {not_yet}, {waited:?}");
            ranges += 1;
        }
    }
    assert!(waits > 500 && ranges > 100 && begins > 500, "{waits}, {ranges}, {begins}");
}
