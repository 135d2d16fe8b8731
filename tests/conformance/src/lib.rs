//! Shared by the conformance tests: reading logs the way that each test wants them.

pub mod malformed;
mod report;
mod synth;
mod tile;

pub use report::report;
pub use synth::{SHAPES, Shape, shape};
pub use tile::{Threads, Tile, Unrepeatable, tiled};

use ghc_eventlog::{Chunk, Decoder, Error, Nanos, Notice, Record, Step};
use ghc_eventlog_model::{Direction, Model, Place, Search, Span, Track, TrackId, View, Window};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// A log's steps, in order, as text or whatever `event` makes of each record.
#[derive(Debug, PartialEq)]
pub struct Decoded<T> {
    /// What `event` made of the records.
    pub events: Vec<T>,
    /// What the decoder had to say.
    pub notices: Vec<Notice>,
    /// Why it gave up, if it did.
    pub error: Option<Error>,
}

/// Decodes a log that arrives `step` bytes at a time; the decoder gets what it asks for, and no more.
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

/// What a window shows of a track, exactly: with all that must be read for it, read from `log`.
pub fn exact_window(model: &mut Model, log: &[u8], view: View, track: TrackId) -> Window {
    for (offset, length) in model.plan(view).reads {
        model.supply(offset, &log[offset as usize..(offset + length) as usize]);
    }
    let plan = model.plan(view);
    assert!(plan.reads.is_empty(), "what was supplied is there");
    model.window(&plan, track)
}

/// All spans of a track that take any time, in order; idle time is none.
pub fn spans(model: &mut Model, log: &[u8], track: TrackId) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut at = Nanos(model.extent().map_or(0, |(from, _)| from.0.saturating_sub(1)));
    loop {
        let search = model.neighbour(track, at, Direction::Next);
        let Place::Span(found) = answered(model, log, search).0 else { return spans };
        at = found.span.start;
        spans.push(found.span);
    }
}

/// Adds the idle time of a lane to the time of its spans: what is left of the time that is known of it, if the log tells.
pub fn add_idle(totals: &mut [Nanos], track: &Track) {
    let Some((first, last)) = track.known else { return };
    let busy = totals.iter().copied().reduce(Nanos::plus).unwrap_or_default();
    if let (Some(idle), Some(None)) = (totals.last_mut(), track.lacks.last()) {
        *idle = last.since(first).since(busy);
    }
}

/// Reads from `log` what a search wants until it has its answer, and tells which pieces those were: never one twice.
pub fn answered(model: &mut Model, log: &[u8], mut search: Search) -> (Place, Vec<(u64, u64)>) {
    let mut reads = Vec::new();
    while let Some((offset, length)) = search.read {
        assert!(!reads.contains(&(offset, length)), "{length} bytes at {offset} are read twice");
        reads.push((offset, length));
        model.supply(offset, &log[offset as usize..(offset + length) as usize]);
        model.go_on(&mut search);
    }
    (model.found(&search).expect("nothing more must be read").clone(), reads)
}

/// The logs of the corpus, and real ones with known answers, with their names. Plain small ones are repeated until they
/// have a MiB: that needs many segments, and buckets wider than spans.
pub fn long_logs() -> Vec<(String, Vec<u8>)> {
    let mut logs = Vec::new();
    for path in files(&project().join("tests/corpus"), "log.eventlog").into_iter().chain(shared_logs()) {
        let log = fs::read(&path).unwrap();
        let name = path.display().to_string();
        // Damaged logs and those of many streams cannot be repeated; they are looked at as they are.
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

/// All files below `folder` whose name ends in `suffix`, in order; empty if there is no such folder.
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

/// The real logs with known answers that lie beside the project where it is developed. Says aloud when they do not.
pub fn shared_logs() -> Vec<PathBuf> {
    let folder = project().join("../shared/eventlogs");
    let logs = files(&folder, ".eventlog");
    if logs.is_empty() {
        eprintln!("SKIPPED: no logs in {}, this test read nothing", folder.display());
    }
    logs
}
