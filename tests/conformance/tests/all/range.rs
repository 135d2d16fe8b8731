//! Compares the totals of tracks in a range with their spans.

use conformance::arranged;
use conformance::{all_spans, long_logs, model_in_steps, times_in, whole_range};
use ghc_eventlog::{
    Block, CapNo, CapsetId, GcEnd, GcGlobalSync, GcStart, HeapAllocated, LogWriter, Nanos, RunThread, StopStatus,
    StopThread, ThreadId,
};
use ghc_eventlog_model::{Facts, Job, Model, Progress, RangeTotals, Shape, Span, Track, TrackId, Value, limits};

/// Random ranges of each log.
const RANGES: usize = 40;

/// The most tracks of each log that are checked, since a damaged log can have a thousand.
const TRACKS: usize = 20;

/// Each track's totals in a range, with what had to be read for them from `log`.
fn totals(model: &mut Model, log: &[u8], from: Nanos, to: Nanos, tracks: &[Track]) -> (Vec<RangeTotals>, Vec<u64>) {
    let (range, reads) = whole_range(model, log, from, to).expect("the log has been read");
    let totals = tracks
        .iter()
        .map(|track| model.range_totals(&arranged(model), &range, track.id).expect("all has been read"))
        .collect();
    (totals, reads)
}

/// The same, from the spans.
fn expected(spans: &[Span], track: &Track, from: Nanos, to: Nanos) -> RangeTotals {
    let states = times_in(spans, track, from, to);
    let begun = spans.iter().filter(|span| from <= span.start && span.start < to).count() as u64;
    RangeTotals { states, count: (track.id == TrackId::COLLECTIONS).then_some(begun) }
}

fn lanes(model: &Model) -> Vec<Track> {
    model.tracks(&arranged(model)).into_iter().filter(|track| track.shape == Shape::States).rev().take(TRACKS).collect()
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
        // A fresh model, with no segments in memory.
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
            let (found, _) = totals(&mut model, &log, from, to, &tracks);
            for ((track, spans), found) in tracks.iter().zip(&spans).zip(found) {
                assert_eq!(
                    found,
                    expected(spans, track, from, to),
                    "{name}, {}, {from:?} to {to:?}",
                    track.name.for_comparing()
                );
                compared += usize::from(found.states.iter().any(|time| *time > Nanos(0)));
            }
        }
    }
    assert!(compared > 1000, "{compared}");
}

/// Logs with bytes changed, missing and repeated.
fn damaged_logs() -> Vec<(String, Vec<u8>)> {
    let mut random = fastrand::Rng::with_seed(1);
    let mut logs = long_logs();
    logs.retain(|(_, log)| log.len() > 2000);
    for (name, log) in &mut logs {
        name.push_str(", damaged");
        log.truncate(2 << 20);
        for _ in 0..random.usize(1..30) {
            let at = random.usize(1000..log.len() - 200);
            let piece = at..at + random.usize(1..200);
            match random.u8(0..3) {
                0 => log[at] ^= 1 << random.u8(0..8),
                1 => drop(log.drain(piece)),
                _ => {
                    let piece = log[piece].to_vec();
                    log.splice(at..at, piece);
                }
            }
        }
    }
    logs
}

#[test]
fn the_whole_log_is_the_sum_of_its_parts() {
    let mut random = fastrand::Rng::with_seed(8);
    for (name, log) in long_logs().into_iter().chain(damaged_logs()) {
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
            let expected = model.totals(&arranged(&model), track.id);
            assert_eq!(whole[at].states, expected, "{name}, {}", track.name.for_comparing());
            let sum = |state: usize| parts.iter().fold(Nanos(0), |sum, part| sum.plus(part[at].states[state]));
            assert_eq!(
                (0..expected.len()).map(sum).collect::<Vec<_>>(),
                expected,
                "{name}, {}",
                track.name.for_comparing()
            );
            if track.id == TrackId::COLLECTIONS {
                let count = Some(model.collections().total().count);
                assert_eq!(whole[at].count, count, "{name}");
                assert_eq!(parts.iter().map(|part| part[at].count).sum::<Option<u64>>(), count, "{name}");
            }
        }
    }
}

/// Every figure that adds up does so, however the log is cut.
#[test]
fn figures_of_the_whole_log_are_the_sums_of_those_of_its_parts() {
    const KEYS: [(&str, &str); 8] = [
        ("heap", "allocated_bytes"),
        ("heap", "returned_mblocks"),
        ("sparks", "created"),
        ("sparks", "converted"),
        ("sparks", "overflowed"),
        ("sparks", "dud"),
        ("sparks", "gcd"),
        ("sparks", "fizzled"),
    ];
    let mut random = fastrand::Rng::with_seed(18);
    let mut compared = [0; KEYS.len()];
    for (name, log) in long_logs().into_iter().chain(damaged_logs()) {
        let mut model = model_in_steps(&log, 1 << 20);
        let Some((first, last)) = model.extent() else { continue };
        let mut cuts: Vec<Nanos> = (0..5).map(|_| Nanos(random.u64(first.0..=last.0))).collect();
        cuts.extend([first, last.plus(Nanos(1))]);
        cuts.sort_unstable();
        // A part without any event that tells a figure does not know it, and adds nothing to it.
        let mut sums: [Option<u128>; KEYS.len()] = [None; KEYS.len()];
        let figures = |facts: &Facts| {
            KEYS.map(|(section, key)| match facts.section(section)?.get(key)?.value {
                Value::Bytes(number) | Value::Count(number) => Some(u128::from(number)),
                _ => None,
            })
        };
        for cut in cuts.windows(2) {
            let (range, _) = whole_range(&mut model, &log, cut[0], cut[1]).unwrap();
            let part = figures(&model.facts(Some(&range)));
            let known = sums.iter_mut().zip(part).filter_map(|(sum, part)| Some((sum, part?)));
            known.for_each(|(sum, part)| *sum = Some(sum.unwrap_or(0) + part));
        }
        let whole = figures(&model.facts(None));
        // Sums saturate, which nonsensical numbers reach.
        let same = |(sum, whole)| sum == whole || whole == Some(u64::MAX.into()) && sum >= whole;
        assert!(sums.into_iter().zip(whole).all(same), "{name}, {KEYS:?}: {sums:?}, not {whole:?}");
        compared.iter_mut().zip(whole).for_each(|(count, whole)| *count += usize::from(whole.unwrap_or(0) > 0));
    }
    assert!(compared.iter().filter(|count| **count > 0).count() >= 5, "{compared:?} of {KEYS:?}");
}

/// Only the segments in which the range begins and ends are read, however much is between them, and however much
/// happened at once at one of them.
#[test]
fn a_burst_at_an_edge_is_not_read_whole() {
    let mut writer = LogWriter::new();
    writer.block(Block::of(CapNo(0)), |block| {
        for start in [0, 1_000_000_000] {
            // 400 000 runs within 4 ms, of a log a second long: all within a few of the overview's buckets.
            for run in 0..400_000 {
                run_thread(block, start + run * 10, 4);
            }
        }
    });
    writer.end();
    let log = writer.finish();
    let mut model = model_in_steps(&log, 1 << 20);
    let tracks = lanes(&model);
    // From within the first burst to within the second one. Both edges are in a run; 2 and 3 ns of these are inside.
    let (from, to) = (Nanos(1_000_002), Nanos(1_002_000_003));
    let (found, reads) = totals(&mut model, &log, from, to, &tracks);
    let lane = tracks.iter().position(|track| track.id == TrackId::capability(CapNo(0))).unwrap();
    assert_eq!(found[lane].states[0], Nanos(300_000 * 4 - 2 + 200_000 * 4 + 3));
    assert!(reads.len() <= 2 && reads.iter().all(|length| *length < 1 << 20), "{reads:?}");
}

/// Its progress grows with what the job has read.
#[test]
fn a_range_reports_its_progress() {
    let mut writer = LogWriter::new();
    writer.block(Block::of(CapNo(0)), |block| (0..100_000).for_each(|run| run_thread(block, run * 10, 4)));
    writer.end();
    let log = writer.finish();
    let mut model = model_in_steps(&log, 1 << 20);
    let (from, to) = (Nanos(100_002), Nanos(800_002));
    let mut range = model.range(from, to).expect("the log has been read");
    let mut progress = vec![range.progress()];
    for _edge in 0..2 {
        let (offset, length) = range.reads(&mut model)[0];
        range.give(&mut model, offset, &log[offset as usize..(offset + length) as usize]).unwrap();
        progress.push(range.progress());
    }
    assert_eq!(range.reads(&mut model), []);
    assert_eq!(progress, [0, 1, 2].map(|done| Progress { done, of: 2 }));
    let lane =
        model.range_totals(&arranged(&model), &range, TrackId::capability(CapNo(0))).expect("all has been given");
    assert_eq!(lane.states[0], Nanos(70_000 * 4));
}

fn run_thread(block: &mut LogWriter, start: u64, length: u64) {
    let thread = ThreadId(1);
    block.event(Nanos(start), RunThread { thread });
    block.event(Nanos(start + length), StopThread { thread, status: StopStatus(3), info: Some(0) });
}

/// More of them than have a row.
#[test]
fn all_collections_are_counted() {
    const COUNT: u64 = limits::MAX_COLLECTIONS as u64 + 50_000;
    const APART: u64 = 1000;
    let mut writer = LogWriter::new();
    let caps = 4;
    for cap in 0..caps {
        writer.block(Block::of(CapNo(cap)), |block| {
            for number in (u64::from(cap)..COUNT).step_by(caps.into()) {
                let start = number * APART;
                block.event(Nanos(start), GcStart {});
                block.event(Nanos(start + 10), GcGlobalSync {});
                block.event(Nanos(start + 100), GcEnd {});
            }
        });
    }
    writer.end();
    let log = writer.finish();
    let mut model = model_in_steps(&log, 1 << 20);
    assert!(model.collections().is_capped());
    let tracks = lanes(&model);
    let mut random = fastrand::Rng::with_seed(9);
    for _ in 0..30 {
        let (a, b) = (random.u64(0..COUNT * APART), random.u64(0..COUNT * APART));
        let (from, to) = (a.min(b), a.max(b));
        let (found, _) = totals(&mut model, &log, Nanos(from), Nanos(to), &tracks);
        let before = |time: u64| (time / APART) * 100 + (time % APART).min(100);
        let minor = Nanos(before(to) - before(from));
        let count = Some(to.div_ceil(APART) - from.div_ceil(APART));
        let at = tracks.iter().position(|track| track.id == TrackId::COLLECTIONS).unwrap();
        assert_eq!(found[at], RangeTotals { states: vec![minor, Nanos(0)], count });
    }
}

/// The sizes of the blocks are false, so the events of collections are outside of them. They then belong to no
/// capability, but to the stream that they follow.
#[test]
fn collections_outside_of_blocks_are_counted() {
    let mut writer = LogWriter::new();
    for cap in 0..2 {
        writer.block(Block { size: Some(24), ..Block::of(CapNo(cap)) }, |block| {
            for start in [100, 200, 300] {
                block.event(Nanos(start + u64::from(cap)), GcStart {});
                block.event(Nanos(start + u64::from(cap)), GcGlobalSync {});
                block.event(Nanos(start + u64::from(cap) + 50), GcEnd {});
            }
        });
    }
    writer.end();
    let log = writer.finish();
    let mut model = model_in_steps(&log, 1 << 20);
    let tracks = lanes(&model);
    let (found, _) = totals(&mut model, &log, Nanos(140), Nanos(301), &tracks);
    let at = tracks.iter().position(|track| track.id == TrackId::COLLECTIONS).unwrap();
    assert_eq!(found[at], RangeTotals { states: vec![Nanos(10 + 11 + 100 + 1), Nanos(0)], count: Some(3) });
}

/// Buckets of such a log are too wide to count in nanoseconds.
#[test]
fn weeks_are_summed_up_to_the_nanosecond() {
    const WEEK: u64 = 7 * 24 * 3600 * 1_000_000_000;
    let mut writer = LogWriter::new();
    writer.block(Block::of(CapNo(0)), |block| {
        for week in 0..100 {
            run_thread(block, week * WEEK + 1, WEEK / 2 + 3);
            for at in 0..2000 {
                block.event(Nanos(week * WEEK + WEEK / 2 + 4), HeapAllocated { capset: CapsetId(0), bytes: at });
            }
        }
    });
    writer.end();
    let log = writer.finish();
    let mut model = model_in_steps(&log, 1 << 20);
    let tracks = lanes(&model);
    let (found, _) = totals(&mut model, &log, Nanos(5 * WEEK + 2), Nanos(95 * WEEK + 6), &tracks);
    let lane = tracks.iter().position(|track| track.id == TrackId::capability(CapNo(0))).unwrap();
    assert_eq!(found[lane].states[0], Nanos(90 * (WEEK / 2 + 3) - 1 + 5));
}

#[test]
fn a_range_is_unknown_while_the_log_is_being_read() {
    let (_, log) = long_logs().into_iter().find(|(name, _)| name.contains("threaded")).unwrap();
    let mut model = Model::new();
    model.feed(&log[..log.len() / 2]);
    assert!(model.range(Nanos(0), Nanos(u64::MAX)).is_none());
    model.stop();
    let tracks = lanes(&model);
    let (found, reads) = totals(&mut model, &log, Nanos(0), Nanos(u64::MAX), &tracks);
    assert!(reads.is_empty());
    assert_eq!(found[0].states, model.totals(&arranged(&model), tracks[0].id));
}

#[test]
fn no_time_has_nothing() {
    let (_, log) = long_logs().into_iter().find(|(name, _)| name.contains("threaded")).unwrap();
    let mut model = model_in_steps(&log, 1 << 20);
    let (first, last) = model.extent().unwrap();
    let tracks = lanes(&model);
    let middle = Nanos(first.0.midpoint(last.0));
    for (from, to) in [(middle, middle), (last, first), (Nanos(0), Nanos(0)), (Nanos(u64::MAX), Nanos(u64::MAX))] {
        for found in totals(&mut model, &log, from, to, &tracks).0 {
            assert!(found.states.iter().all(|time| *time == Nanos(0)) && found.count.unwrap_or(0) == 0, "{found:?}");
        }
    }
}
