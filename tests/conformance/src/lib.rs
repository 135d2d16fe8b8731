//! Shared by the conformance tests: ways to read logs.

mod agree;
mod fuzzed;
pub mod hostile_texts;
pub mod malformed;
mod mutants;
mod queries;
mod report;
mod secrets;
mod stripped;
mod synth;
mod tile;
mod without;
pub mod written;

pub use agree::{Agreed, agree};
pub use fuzzed::{check_chunks, check_decoding};
pub use mutants::Mutants;
pub use queries::check_queries;
pub use report::report;
pub use secrets::{Planted, Secrets, gives_away, planted, secretive};
pub use stripped::{all_strips, check_copy, check_events, check_strip, copy_in_steps};
pub use synth::{SHAPES, Shape, accounted, heavy, shape};
pub use tile::{Threads, Tile, Unrepeatable, tiled};
pub use without::{number_of, without, without_records};

use ghc_eventlog::{Chunk, Decoder, Error, Nanos, Notice, Record, Step};
use ghc_eventlog_model::{Arrangement, Wishes, work};
use ghc_eventlog_model::{
    Collection, Direction, Ending, Job, LookUp, Model, Place, Plan, Range, Replay, Span, TableQuery, Track, TrackId,
    Value, View, Window,
};
use std::convert::Infallible;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// A log's steps, in order, as text or whatever `event` makes of each record.
#[derive(Debug, PartialEq)]
pub struct Decoded<T> {
    /// The results of `event` for the records.
    pub events: Vec<T>,
    /// The decoder's notices.
    pub notices: Vec<Notice>,
    /// Why it gave up, if it did.
    pub error: Option<Error>,
}

/// Decodes a log that arrives `step` bytes at a time. The decoder gets no more than it asks for.
pub fn decode_in_steps<T>(log: &[u8], step: usize, mut event: impl FnMut(&Decoder, Record<'_>) -> T) -> Decoded<T> {
    let mut decoded = Decoded { events: Vec::new(), notices: Vec::new(), error: None };
    let mut decoder = Decoder::new();
    let mut end = 0;
    loop {
        let from = decoder.offset() as usize;
        let chunk = Chunk { bytes: &log[from..end], offset: from as u64, last: end == log.len() };
        match decoder.next(chunk) {
            Ok(Step::Event(record)) => decoded.events.push(event(&decoder, record)),
            Ok(Step::Notice(notice)) => decoded.notices.push(notice),
            Ok(Step::Header) => {}
            Ok(Step::Need(bytes)) => {
                let from = decoder.offset() as usize;
                assert!(end < log.len(), "asks for more than there is");
                assert!(bytes > end - from, "asks for what it has");
                end = (from + bytes).max(end + step).min(log.len());
            }
            Ok(Step::End) => return decoded,
            Err(error) => {
                decoded.error = Some(error);
                return decoded;
            }
        }
    }
}

/// A model of a log that arrives `step` bytes at a time.
pub fn model_in_steps(log: &[u8], step: usize) -> Model {
    let mut model = Model::of_size(Some(log.len() as u64));
    log.chunks(step.max(1)).for_each(|bytes| model.feed(bytes));
    model.finish();
    model
}

/// What a window shows of a track exactly, after reading everything that it needs from `log`.
pub fn exact_window(model: &mut Model, log: &[u8], view: View, track: TrackId) -> Window {
    let plan = exact_plan(model, log, view);
    model.window(&arranged(model), &plan, track)
}

/// The window with unknown values made equal, so that windows can be compared.
pub fn comparable(mut window: Window) -> Window {
    window.values.iter_mut().filter(|value| value.is_nan()).for_each(|value| *value = -1.0);
    window
}

/// The plan of a window, after reading everything that it needs from `log`.
pub fn exact_plan(model: &mut Model, log: &[u8], view: View) -> Plan {
    let mut plan = model.plan_with(view, model.replayed_until().is_some());
    assert!(work(&mut plan, model, part_of(log)).unwrap());
    plan
}

/// The default arrangement of tracks.
pub fn arranged(model: &Model) -> Arrangement {
    model.arrange(Wishes::default(), None)
}

/// Reads pieces of a log.
pub fn part_of<'a>(log: &'a [u8]) -> impl Fn(u64, u64) -> Result<&'a [u8], Infallible> {
    |offset, length| Ok(&log[offset as usize..(offset + length) as usize])
}

/// A range after reading everything that it needs from `log`, and the lengths of the parts that were read; `None` if
/// the log has not been read to its end.
pub fn whole_range(model: &mut Model, log: &[u8], from: Nanos, to: Nanos) -> Option<(Range, Vec<u64>)> {
    let mut range = model.range(from, to)?;
    let mut lengths = Vec::new();
    loop {
        let reads = range.reads(model);
        if reads.is_empty() {
            return Some((range, lengths));
        }
        assert_eq!(model.range_totals(&arranged(model), &range, TrackId::COLLECTIONS), None, "something is missing");
        for (offset, length) in reads {
            range.give(model, offset, &log[offset as usize..(offset + length) as usize]).unwrap();
            lengths.push(length);
        }
    }
}

/// Replays a log in order of time; returns whether there is anything to replay.
pub fn replay(model: &mut Model, log: &[u8]) -> bool {
    let replay = model.replay();
    follow(model, log, replay)
}

/// The same with at most `bytes` bytes of memory.
pub fn replay_within(model: &mut Model, log: &[u8], bytes: usize) -> bool {
    let replay = model.replay_within(bytes);
    follow(model, log, replay)
}

fn follow(model: &mut Model, log: &[u8], replay: Option<Replay>) -> bool {
    let Some(mut replay) = replay else { return false };
    assert!(work(&mut replay, model, part_of(log)).unwrap());
    true
}

/// All spans of a track that take any time, in order, without idle time.
pub fn spans(model: &mut Model, log: &[u8], track: TrackId) -> Vec<Span> {
    let mut spans: Vec<Span> = first_span(model, log, track).into_iter().collect();
    let mut at = Nanos(model.extent().map_or(0, |(from, _)| from.0.saturating_sub(1)));
    loop {
        let search = model.neighbour(&arranged(model), track, at, Direction::Next);
        let Place::Span(found) = answered(model, log, search).0 else { return spans };
        at = found.span.start;
        if spans.first().is_none_or(|first| first.start < at) {
            spans.push(found.span);
        }
    }
}

/// The span that begins at time 0. Asking for the next span cannot find it, since no time is before it.
fn first_span(model: &mut Model, log: &[u8], track: TrackId) -> Option<Span> {
    let search = model.neighbour(&arranged(model), track, Nanos(1), Direction::Previous);
    let Place::Span(found) = answered(model, log, search).0 else { return None };
    (found.span.start == Nanos(0)).then_some(found.span)
}

/// The same, but with collections as the table lists them: also those that take no time, and all that begin at the same
/// time.
pub fn all_spans(model: &mut Model, log: &[u8], track: &Track) -> Vec<Span> {
    let collections = model.collections();
    assert!(!collections.is_capped());
    let span = |start, end, state| Span { start, end, state, thread: None, ending: Ending::Next, open_start: false };
    let collected = |row: &Collection| span(row.start, row.end, u8::from(collections.is_major(row)));
    match track.id {
        TrackId::COLLECTIONS => collections.rows().iter().map(collected).collect(),
        TrackId::GC_SYNC => {
            let waited = |row: &Collection| Some(span(row.requested?.time(), row.start, 0));
            collections.rows().iter().filter_map(waited).collect()
        }
        TrackId::NONMOVING => {
            let query = TableQuery { table: "nonmoving_phases".into(), ..TableQuery::default() };
            let phase = |row: &Vec<Value>| {
                let [Value::Time(start), Value::Duration(length), Value::Text(name)] = &row[..] else {
                    panic!("{row:?}")
                };
                let state = track.states.iter().position(|state| *name == state.name).expect("a state of the track");
                span(*start, start.plus(*length), state as u8)
            };
            model.page(&model.order(query, None), None, 0, usize::MAX).rows.iter().map(phase).collect()
        }
        other => spans(model, log, other),
    }
}

/// The time between `from` and `to` in each of a track's states, from its spans.
pub fn times_in(spans: &[Span], track: &Track, from: Nanos, to: Nanos) -> Vec<Nanos> {
    let mut times = vec![Nanos(0); track.states.len()];
    for span in spans {
        let time = &mut times[usize::from(span.state)];
        *time = time.plus(span.end.min(to).since(span.start.max(from)));
    }
    let inside = track.known.map(|(first, last)| (first.max(from).min(to), last.min(to).max(from)));
    add_idle(&mut times, &Track { known: inside.filter(|(first, last)| first <= last), ..track.clone() });
    times
}

/// Adds a lane's idle time to the times of its spans: the rest of the time for which the lane is known, if the log has
/// that. Spans while it is disabled do not reduce it.
pub fn add_idle(totals: &mut [Nanos], track: &Track) {
    let Some((first, last)) = track.known.filter(|_| has_idle(track)) else { return };
    let sum = |totals: &[Nanos]| totals.iter().copied().fold(Nanos(0), Nanos::plus);
    if let Some(disabled) = track.states.iter().position(|state| state.name == "disabled") {
        let time = core::mem::take(&mut totals[disabled]);
        totals[disabled] = time.min(last.since(first).since(sum(totals)));
    }
    let busy = sum(totals);
    if let (Some(idle), Some(None)) = (totals.last_mut(), track.lacks.last()) {
        *idle = last.since(first).since(busy);
    }
}

/// Whether a track's last state is the rest of its time.
pub fn has_idle(track: &Track) -> bool {
    track.states.last().is_some_and(|state| state.name == "idle")
}

/// Reads everything that a look-up needs from `log`, until it has its answer. Returns the answer and the pieces that
/// were read, and checks that none was read twice.
pub fn answered(model: &mut Model, log: &[u8], mut search: LookUp) -> (Place, Vec<(u64, u64)>) {
    let mut reads = Vec::new();
    while let [(offset, length), ..] = search.reads(model)[..] {
        assert!(!reads.contains(&(offset, length)), "{length} bytes at {offset} are read twice");
        reads.push((offset, length));
        search.give(model, offset, &log[offset as usize..(offset + length) as usize]).unwrap();
    }
    (model.found(&search).expect("nothing more must be read").clone(), reads)
}

/// The logs of the corpus, and real ones with known answers, with their names. Small undamaged ones are repeated until
/// they have a MiB, so that they have many segments, and buckets wider than spans.
pub fn long_logs() -> Vec<(String, Vec<u8>)> {
    let mut logs = Vec::new();
    for path in files(&project().join("tests/corpus"), "log.eventlog").into_iter().chain(shared_logs()) {
        let log = fs::read(&path).unwrap();
        let name = path.display().to_string();
        // Damaged logs and logs with many streams cannot be repeated, so they stay as they are.
        let plain = name.contains("tests/corpus") && !name.contains("malformed");
        let times = if plain { (1 << 20) / log.len().max(1) as u64 } else { 0 };
        logs.push((name, if times > 1 && is_sound(&log) { tiled(&log, times) } else { log }));
    }
    logs
}

fn is_sound(log: &[u8]) -> bool {
    let model = model_in_steps(log, log.len());
    model.error().is_none() && model.diagnostics().count() == 0
}

/// All files below `folder` whose name ends in `suffix`, sorted; empty if there is no such folder.
pub fn files(folder: &Path, suffix: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files(&path, suffix));
        } else if path.to_string_lossy().ends_with(suffix) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The project's top folder.
pub fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The real logs with known answers, which developers have beside the project. Prints a message if they are missing.
pub fn shared_logs() -> Vec<PathBuf> {
    let folder = project().join("../shared/eventlogs");
    let logs = files(&folder, ".eventlog");
    if logs.is_empty() {
        eprintln!("SKIPPED: no logs in {}, this test read nothing", folder.display());
    }
    logs
}
