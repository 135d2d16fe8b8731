//! The time profile over time: which frame was innermost, for each capability, or for each thread that is sampled.
//!
//! ```text
//! cap 0   |parse      |token|parse   |  |write    |     each run has its frame's name, where there is room
//! cap 1   |parse  |IDLE                  |parse   |
//! ```
//!
//! A pixel of many runs shows the frame that was innermost longest.

use super::{
    groups::{self, Heading},
    kind::{Kind, Tracks},
};
use crate::{
    known::arrangement::Arranged,
    known::{
        Known,
        frames::module,
        sampled::{Run, SampleSource},
    },
    limits,
    profiles::{stacks::Sampled, tree::ROOT},
    terms::absence::Absence,
    terms::{
        place::{Direction, Found, Pixel, Place, SpanInfo},
        span::{Ending, Span},
        track::{Note, Shape, State, Track, TrackId},
        value::Value,
        view::View,
        window::{Plan, Window},
    },
};
use alloc::{
    format,
    string::{String, ToString},
    vec,
    vec::Vec,
};
use ghc_eventlog::{CapNo, Nanos, ProfSampleCostCentre};
use ghc_eventlog_text::LogText;

/// The tracks of capabilities, and then those of threads.
pub(crate) struct InnermostFrames;

/// Numbers from here on are threads, by their places.
const THREADS: u32 = 1 << 16;

/// How many ticks away to look for another run, first among the samples that have been read again.
const NEAR: [u64; 3] = [4, 16, 64];

/// How many frames of a stack are shown: the innermost ones say most.
const TOLD: usize = 6;

impl Kind for InnermostFrames {
    const NAME: &'static str = "Time profile";
    const ABOUT: &'static str =
        "Which cost centre or function was innermost when samples were taken, that is, which one ran.";
    type Machine = ();
    type Tracks = Self;
    const TRACKS: Self = Self;
}

/// The capability or thread whose samples a track shows.
fn whose(of: u32) -> SampleSource {
    match of.checked_sub(THREADS) {
        None => SampleSource::Cap(CapNo(u16::try_from(of).unwrap_or(u16::MAX))),
        Some(thread) => SampleSource::Thread(u16::try_from(thread).unwrap_or(u16::MAX)),
    }
}

/// The track that shows a sample.
pub(crate) fn track_of(row: &Sampled) -> TrackId {
    TrackId::of::<InnermostFrames>(if row.is_of_thread() { THREADS + u32::from(row.thread) } else { row.cap.into() })
}

/// For each pixel the place of the frame that was innermost longest, plus 1; 0 where there was none.
fn columns(runs: &[Run], view: View) -> Vec<u32> {
    let mut columns = vec![0; view.width];
    // The pixel that the last run came to, and how long each frame was innermost there.
    let (mut current, mut held) = (0, Vec::<(u32, f64)>::new());
    for run in runs {
        let length = run.end.since(run.start).0 as f64;
        view.spread(run.start, run.end, |pixel, share| {
            if pixel != current {
                (current, held) = (pixel, Vec::new());
            }
            match held.iter_mut().find(|(frame, _)| *frame == run.frame) {
                Some((_, time)) => *time += length * share,
                None => held.push((run.frame, length * share)),
            }
            let longest = held.iter().rev().max_by(|(_, one), (_, other)| one.total_cmp(other));
            if let (Some(column), Some((frame, _))) = (columns.get_mut(pixel), longest) {
                *column = frame.saturating_add(1);
            }
        });
    }
    columns
}

fn name(known: &Known, frame: u32) -> String {
    let frame = known.stores.profiles.time.tree.met().get(frame as usize);
    frame.map_or_else(|| "(no room for its name)".to_string(), |frame| known.stores.profiles.names.of_frame(*frame))
}

fn module_of(known: &Known, frame: u32) -> &str {
    known.stores.profiles.names.text(module(known, frame))
}

/// What is known of a run.
fn info(known: &Known, whose: SampleSource, run: &Run) -> SpanInfo {
    let profiles = &known.stores.profiles;
    let time = &profiles.time;
    let mut fields = vec![("Samples", Value::Count(run.samples))];
    let module = module_of(known, run.frame);
    if !module.is_empty() {
        fields.push(("Module", Value::words(module.to_string())));
    }
    let frame = time.tree.met().get(run.frame as usize);
    fields.extend(frame.and_then(|frame| Some(("Source", Value::words(profiles.names.source_of(*frame)?)))));
    // The stack of its first sample; other samples may have other outer frames.
    let rows = time.rows.kept();
    let first = rows.partition_point(|row| row.time < run.start);
    let here = rows.get(first..).unwrap_or_default().iter().take_while(|row| row.time == run.start);
    let node = here.filter(|row| whose.has(row)).map(|row| row.node).next().unwrap_or(ROOT);
    let callers: Vec<u32> = time.tree.path(node).skip(1).take(TOLD + 1).collect();
    if time.tree.path(node).next() == Some(run.frame) && !callers.is_empty() {
        let mut text: Vec<String> = callers.iter().take(TOLD).map(|frame| name(known, *frame)).collect();
        text.extend((callers.len() > TOLD).then(|| "…".to_string()));
        fields.push(("Called from", Value::words(text.join(" ← "))));
    }
    let span = Span { start: run.start, end: run.end, thread: None, state: 0, ending: Ending::Next, open_start: false };
    SpanInfo::of(span, State { name: "innermost", role: "band-rest" }, name(known, run.frame), fields)
}

impl Tracks for InnermostFrames {
    fn heading(&self) -> &'static Heading {
        &groups::TIME_PROFILE
    }

    fn count(&self, known: &Arranged<'_>) -> usize {
        let time = &known.stores.profiles.time;
        time.caps().len() + time.threads().len()
    }

    fn nth(&self, known: &Arranged<'_>, place: usize) -> Option<u32> {
        let time = &known.stores.profiles.time;
        match place.checked_sub(time.caps().len()) {
            None => time.caps().get(place).map(|of| of.cap.0.into()),
            Some(thread) => (thread < time.threads().len()).then_some(THREADS + thread as u32),
        }
    }

    fn place(&self, known: &Arranged<'_>, of: u32) -> Option<usize> {
        let time = &known.stores.profiles.time;
        match whose(of) {
            SampleSource::Cap(cap) => time.caps().binary_search_by_key(&cap, |of| of.cap).ok(),
            SampleSource::Thread(thread) => {
                let thread = usize::from(thread);
                (thread < time.threads().len()).then_some(time.caps().len() + thread)
            }
        }
    }

    fn figure(&self, known: &Arranged<'_>) -> Option<Note> {
        Some(Note::Number(known.stores.profiles.time.samples))
    }

    fn lacks(&self, known: &Arranged<'_>) -> Option<Absence> {
        known.absence_of_samples(&[ProfSampleCostCentre::TAG])
    }

    fn describe(&self, known: &Arranged<'_>, of: u32) -> Track {
        let time = &known.stores.profiles.time;
        let (name, samples) = match whose(of) {
            SampleSource::Cap(cap) => {
                let of = time.caps().iter().find(|of| of.cap == cap);
                (format!("Capability {}", cap.0), of.map_or(0, |of| of.samples))
            }
            SampleSource::Thread(thread) => {
                let of = time.threads().get(usize::from(thread));
                let label = of.and_then(|of| known.stores.threads.label_text(of.id)).unwrap_or_default();
                let name = of.map_or(String::new(), |of| format!("Thread {} {label}", of.id.0));
                (name.trim_end().to_string(), of.map_or(0, |of| of.samples))
            }
        };
        let lasts = time.tick().unwrap_or_default();
        Track {
            id: TrackId::of::<Self>(of),
            name: name.into(),
            group: groups::TIME_PROFILE.name(),
            shape: Shape::Names,
            states: &[],
            lacks: Vec::new(),
            note: Note::Number(samples),
            known: time.times.map(|(first, last)| (first, last.plus(lasts))),
        }
    }

    fn window(&self, known: &Arranged<'_>, of: u32, plan: &Plan, _: bool) -> Window {
        let (runs, exact) = known.runs(whose(of), plan.view.from, plan.view.to);
        let mut counts = columns(&runs, plan.view);
        let (mut numbers, mut texts) = (vec![0u32; known.stores.profiles.time.tree.met().len()], Vec::new());
        // All frames that were not kept have one name.
        let mut of_unknown = 0;
        for column in counts.iter_mut().filter(|column| **column > 0) {
            let frame = *column - 1;
            let number = numbers.get_mut(frame as usize).unwrap_or(&mut of_unknown);
            if *number == 0 {
                texts.push(LogText::from(name(known, frame)).cut(limits::MAX_TEXT));
                texts.push(LogText::from(module_of(known, frame)).into_owned());
                *number = texts.len() as u32 / 2;
            }
            *column = *number;
        }
        Window { exact, counts, texts, ..Window::default() }
    }

    fn at(&self, known: &Arranged<'_>, of: u32, pixel: Pixel) -> Found {
        let (runs, exact) = known.runs(whose(of), pixel.from, pixel.to);
        let longest = runs.iter().rev().max_by_key(|run| run.end.min(pixel.to).since(run.start.max(pixel.from)));
        let Some(longest) = longest.map(|run| info(known, whose(of), run)) else {
            return Found::Place(Place::Empty);
        };
        Found::Place(match runs.as_slice() {
            [_] => Place::Span(longest),
            _ => Place::Many { count: runs.len() as u64, more: !exact, what: "runs of samples", longest },
        })
    }

    fn beside(&self, known: &Arranged<'_>, of: u32, time: Nanos, direction: Direction) -> Found {
        let mine = whose(of);
        let within = |ticks: u64| {
            let tick = known.stores.profiles.time.tick().unwrap_or(Nanos(1)).0;
            let far = Nanos(tick.saturating_mul(ticks));
            let (from, to) = match direction {
                Direction::Next => (time, time.plus(far)),
                Direction::Previous => (Nanos(time.0.saturating_sub(far.0)), time),
            };
            let (runs, exact) = known.runs(mine, from, to);
            let found = match direction {
                Direction::Next => runs.into_iter().find(|run| run.start > time),
                Direction::Previous => runs.into_iter().rev().find(|run| run.start < time),
            };
            found.filter(|_| exact || ticks == u64::MAX)
        };
        // A near run may be among the samples that have been read again; all others are found among those that are kept.
        let found = NEAR.into_iter().chain([u64::MAX]).find_map(within);
        Found::Place(found.map_or(Place::Empty, |run| Place::Span(info(known, mine, &run))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pixel_shows_the_frame_that_was_innermost_longest() {
        let run = |(start, end, frame): (u64, u64, char)| Run {
            start: Nanos(start),
            end: Nanos(end),
            frame: u32::from(frame),
            samples: 1,
        };
        let drawn = |runs: &[(u64, u64, char)]| -> String {
            let runs: Vec<Run> = runs.iter().copied().map(run).collect();
            let columns = columns(&runs, View { from: Nanos(0), to: Nanos(80), width: 8 });
            columns.iter().map(|column| column.checked_sub(1).map_or('.', |frame| frame as u8 as char)).collect()
        };
        assert_eq!(drawn(&[(0, 25, 'a'), (25, 70, 'b')]), "aaabbbb.");
        assert_eq!(drawn(&[(10, 13, 'a'), (13, 17, 'b'), (17, 20, 'a')]), ".a......");
        assert_eq!(drawn(&[(0, 4, 'a'), (4, 18, 'b'), (18, 30, 'c')]), "bbc.....");
    }
}
