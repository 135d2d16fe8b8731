//! What the tracks did in a range of time, against what their spans say.

use conformance::{long_logs, model_in_steps, spans};
use ghc_eventlog::{
    Block, CapNo, CapsetId, GcEnd, GcGlobalSync, GcStart, HeapAllocated, LogWriter, Nanos, RunThread, StopStatus,
    StopThread, ThreadId,
};
use ghc_eventlog_model::{Collection, Model, RangeTotals, Shape, Span, Track, TrackId};

/// Random ranges of each log.
const RANGES: usize = 40;

/// Tracks of each log that are looked at: a damaged log can have a thousand.
const TRACKS: usize = 20;

/// Each track's totals in a range, with what had to be read for them from `log`.
fn totals(model: &mut Model, log: &[u8], from: Nanos, to: Nanos, tracks: &[Track]) -> (Vec<RangeTotals>, Vec<u64>) {
    let mut range = model.range(from, to).expect("the log has been read");
    let reads = range.reads.clone();
    for &(offset, length) in &reads {
        assert_eq!(model.range_totals(&range, TrackId::Collections), None, "something is missing");
        model.supply(offset, &log[offset as usize..(offset + length) as usize]);
        model.gather(&mut range);
    }
    let totals = tracks.iter().map(|track| model.range_totals(&range, track.id).expect("all has been read")).collect();
    (totals, reads.into_iter().map(|(_, length)| length).collect())
}

/// The same from the spans that tell all.
fn expected(spans: &[Span], track: &Track, from: Nanos, to: Nanos) -> RangeTotals {
    let mut states = vec![Nanos(0); track.states.len()];
    for span in spans {
        let state = &mut states[usize::from(span.state)];
        *state = state.plus(span.end.min(to).since(span.start.max(from)));
    }
    let begun = spans.iter().filter(|span| from <= span.start && span.start < to).count() as u64;
    RangeTotals { states, count: (track.id == TrackId::Collections).then_some(begun) }
}

fn lanes(model: &Model) -> Vec<Track> {
    model.tracks().into_iter().filter(|track| track.shape == Shape::States).rev().take(TRACKS).collect()
}

/// Collections as spans: those that take no time too, unlike what the lookups tell.
fn all_spans(model: &mut Model, log: &[u8], track: &Track) -> Vec<Span> {
    if track.id != TrackId::Collections {
        return spans(model, log, track.id);
    }
    let collections = model.collections();
    assert!(!collections.is_capped());
    let is_major = |generation: Option<u16>| generation.is_some_and(|generation| generation >= collections.oldest());
    let span = |row: &Collection| Span {
        start: row.start,
        end: row.end,
        state: u8::from(is_major(row.generation)),
        thread: None,
        ending: Default::default(),
        open_start: false,
    };
    collections.rows().iter().map(span).collect()
}

#[test]
fn ranges_have_what_their_spans_add_up_to() {
    let mut random = fastrand::Rng::with_seed(7);
    let mut compared = 0;
    for (name, log) in long_logs() {
        let mut model = model_in_steps(&log, 1 << 20);
        let Some((first, last)) = model.extent() else { continue };
        let tracks = lanes(&model);
        if tracks.is_empty() {
            continue;
        }
        let spans: Vec<Vec<Span>> = tracks.iter().map(|track| all_spans(&mut model, &log, track)).collect();
        // A fresh one, which has nothing at hand.
        let mut model = model_in_steps(&log, 1 << 20);
        let edges = spans.iter().flatten().flat_map(|span| [span.start, span.end]).collect::<Vec<_>>();
        for round in 0..RANGES {
            // Anywhere, and where spans begin and end.
            let time = |random: &mut fastrand::Rng| match random.choice(&edges) {
                Some(edge) if round % 2 == 1 => Nanos(edge.0.saturating_add(random.u64(0..3)).saturating_sub(1)),
                _ => Nanos(random.u64(first.0.saturating_sub(9)..=last.0.saturating_add(9))),
            };
            let (a, b) = (time(&mut random), time(&mut random));
            let (from, to) = (a.min(b), a.max(b));
            let (found, reads) = totals(&mut model, &log, from, to, &tracks);
            eprintln!("R {} {} {} {name}", reads.len(), tracks.len(), reads.iter().sum::<u64>());
            for ((track, spans), found) in tracks.iter().zip(&spans).zip(found) {
                assert_eq!(found, expected(spans, track, from, to), "{name}, {}, {from:?} to {to:?}", track.name);
                compared += usize::from(found.states.iter().any(|time| *time > Nanos(0)));
            }
        }
    }
    assert!(compared > 1000, "{compared}");
}

#[test]
fn the_whole_log_is_the_sum_of_its_parts() {
    let mut random = fastrand::Rng::with_seed(8);
    for (name, log) in long_logs() {
        let mut model = model_in_steps(&log, 1 << 20);
        let Some((first, last)) = model.extent() else { continue };
        let tracks = lanes(&model);
        let mut cuts: Vec<Nanos> = (0..8).map(|_| Nanos(random.u64(first.0..=last.0))).collect();
        cuts.extend([first, last.plus(Nanos(1))]);
        cuts.sort_unstable();
        let parts: Vec<Vec<RangeTotals>> =
            cuts.windows(2).map(|cut| totals(&mut model, &log, cut[0], cut[1], &tracks).0).collect();
        let (whole, reads) = totals(&mut model, &log, first, last.plus(Nanos(1)), &tracks);
        assert!(reads.is_empty(), "{name}: nothing is at the edge of the whole log");
        for (at, track) in tracks.iter().enumerate() {
            let expected = model.totals(track.id);
            assert_eq!(whole[at].states, expected, "{name}, {}", track.name);
            let sum = |state: usize| parts.iter().fold(Nanos(0), |sum, part| sum.plus(part[at].states[state]));
            assert_eq!((0..expected.len()).map(sum).collect::<Vec<_>>(), expected, "{name}, {}", track.name);
            if track.id == TrackId::Collections {
                let count = Some(model.collections().total().count);
                assert_eq!(whole[at].count, count, "{name}");
                assert_eq!(parts.iter().map(|part| part[at].count).sum::<Option<u64>>(), count, "{name}");
            }
        }
    }
}
