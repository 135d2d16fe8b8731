//! For any log, all ways to the same fact must agree.

use crate::arranged;
use crate::{all_spans, exact_window, has_idle, model_in_steps, replay, replay_within, times_in, whole_range};
use ghc_eventlog::{Chunk, Decoder, Nanos, PartDecoder, Position, Record, Step};
use ghc_eventlog_model::{Model, Shape, Span, Track, View};
use std::thread;

/// How much was compared.
#[derive(Debug, Clone, Copy, Default)]
pub struct Agreed {
    /// Events, counted once for each size of parts.
    pub events: usize,
    /// Times in a state that are not 0, each for one range or pixel of one track.
    pub times: usize,
}

impl std::ops::AddAssign for Agreed {
    fn add_assign(&mut self, more: Self) {
        self.events += more.events;
        self.times += more.times;
    }
}

/// Sizes of parts in bytes: an event each, and larger ones.
const PARTS: [u64; 4] = [1, 4 << 10, 128 << 10, u64::MAX];

/// The most parts of one event that are compared, since each clones a decoder.
const MOST_PARTS: usize = 300;

/// The most tracks that are compared, since a damaged log can have a thousand.
const TRACKS: usize = 8;

/// Checks that all ways to the same fact agree, with ranges and windows chosen by `random`.
///
/// # Errors
/// A text about the first difference.
pub fn agree(log: &[u8], random: &mut fastrand::Rng) -> Result<Agreed, String> {
    let mut agreed = Agreed::default();
    for size in PARTS {
        agreed.events += parts_agree(log, size)?;
    }
    agreed.times = times_agree(log, random)?;
    means_change_nothing(log, random.usize(log.len() / 16..log.len().max(1)))?;
    Ok(agreed)
}

/// The replay's memory, and the threads in which it decodes segments, do not change what threads did, nor the spans.
fn means_change_nothing(log: &[u8], bytes: usize) -> Result<(), String> {
    let mut models = [(); 2].map(|()| model_in_steps(log, log.len()));
    let [much, little] = &mut models;
    if !replay(much, log) {
        return Ok(());
    }
    little.share_work(|parts| {
        thread::scope(|scope| parts.iter_mut().rev().for_each(|part| _ = scope.spawn(|| part.work())));
    });
    replay_within(little, log, bytes);
    let [much, little] = models.map(|model| {
        let mut said = model.markdown(None, 1000);
        model.diagnostics().list().iter().for_each(|diagnostic| said += &format!("{}\n", diagnostic.kind));
        said
    });
    match much.lines().zip(little.lines()).find(|(much, little)| much != little) {
        None if much == little => Ok(()),
        differ => Err(format!("with room for {bytes} bytes: {differ:?}")),
    }
}

/// Offset, time, number, capability, whether it is known, and payload.
type Event<'a> = (u64, u64, u16, Option<u16>, bool, &'a [u8]);

fn event<'a>(record: &Record<'a>) -> Event<'a> {
    let Record { offset, time, tag, cap, known, payload } = *record;
    (offset, time.0, tag, cap.map(|cap| cap.0), known, payload)
}

/// A run of records.
struct Part<'a> {
    at: Position,
    end: u64,
    events: Vec<Event<'a>>,
}

/// Checks that a log decoded part by part has the same events as one decoded from its start.
fn parts_agree(log: &[u8], size: u64) -> Result<usize, String> {
    let (first_pass, parts) = parts(log, size);
    let stride = parts.len().div_ceil(MOST_PARTS).max(1);
    let mut compared = 0;
    for part in parts.iter().step_by(stride) {
        let found = read_part(log, &first_pass, part)?;
        if found != part.events {
            let differ = found.iter().zip(&part.events).find(|(one, other)| one != other);
            let (at, counts) = (part.at.offset, (found.len(), part.events.len()));
            return Err(format!("part of {size} bytes at {at} to {}: {counts:?} events, {differ:?}", part.end));
        }
        compared += found.len();
    }
    Ok(compared)
}

/// The first pass, and the parts that it is cut into.
fn parts(log: &[u8], size: u64) -> (Decoder, Vec<Part<'_>>) {
    let chunk = Chunk { bytes: log, offset: 0, last: true };
    let mut decoder = Decoder::new();
    let mut parts: Vec<Part<'_>> = Vec::new();
    let mut next = Some(decoder.position());
    while let Ok(step) = decoder.next(chunk) {
        match step {
            Step::Event(record) => {
                if let Some(at) = next.take() {
                    parts.push(Part { at, end: 0, events: Vec::new() });
                }
                let part = parts.last_mut().expect("one was begun");
                part.events.push(event(&record));
                part.end = decoder.offset();
                if part.end - part.at.offset >= size {
                    next = Some(decoder.position());
                }
            }
            Step::Header => next = Some(decoder.position()),
            Step::Notice(_) => {}
            Step::Need(_) | Step::End => break,
        }
    }
    (decoder, parts)
}

/// A part's events, with no more bytes beyond its end than it asks for.
fn read_part<'a>(log: &'a [u8], first_pass: &Decoder, part: &Part<'_>) -> Result<Vec<Event<'a>>, String> {
    let mut decoder = PartDecoder::new(first_pass, part.at, part.end);
    let mut have = part.end;
    let mut found = Vec::new();
    loop {
        let bytes = &log[part.at.offset as usize..have as usize];
        let chunk = Chunk { bytes, offset: part.at.offset, last: have == log.len() as u64 };
        match decoder.next(chunk) {
            Step::Event(record) => found.push(event(&record)),
            Step::Header | Step::Notice(_) => {}
            Step::Need(bytes) => {
                have = (decoder.offset() + bytes as u64).min(log.len() as u64);
                if have - part.end.min(have) > PartDecoder::LOOK_AHEAD {
                    return Err(format!(
                        "part at {}: asks for {} bytes beyond its end",
                        part.at.offset,
                        have - part.end
                    ));
                }
            }
            Step::End => return Ok(found),
        }
    }
}

/// Checks that overview, exact picture, spans, totals and range totals have the same times.
fn times_agree(log: &[u8], random: &mut fastrand::Rng) -> Result<usize, String> {
    let whole = || {
        let mut model = model_in_steps(log, log.len());
        replay(&mut model, log);
        model
    };
    let mut model = whole();
    let Some((first, last)) = model.extent() else { return Ok(0) };
    let lanes = model.tracks(&arranged(&model)).into_iter().filter(|track| track.shape == Shape::States);
    let (threads, others): (Vec<Track>, Vec<Track>) = lanes.partition(|track| track.group == "Threads");
    let mut compared = 0;
    for track in others.into_iter().rev().take(TRACKS).chain(threads.into_iter().rev().take(TRACKS / 2)) {
        let mut spans = all_spans(&mut model, log, &track);
        if track.group == "Spans" {
            // These spans overlap; the lane shows when any was open.
            unite(&mut spans);
        }
        let all = (first, last.plus(Nanos(1)));
        let totals = model.totals(&arranged(&model), track.id);
        same("totals", &track, all, &times_in(&spans, &track, Nanos(0), Nanos::MAX), &totals)?;
        for round in 0..4 {
            let mut time = || match random.choice(&spans) {
                Some(span) if round % 2 == 1 => span.start.plus(Nanos(random.u64(0..3))),
                _ => Nanos(random.u64(all.0.0..=all.1.0)),
            };
            let (a, b) = (time(), time());
            let range = if round == 0 { all } else { (a.min(b), a.max(b)) };
            // A fresh model has no segments in memory.
            let mut fresh = whole();
            let (summed, _) = whole_range(&mut fresh, log, range.0, range.1).expect("the log has been read");
            let states = fresh.range_totals(&arranged(&fresh), &summed, track.id).expect("all has been read").states;
            let expected = times_in(&spans, &track, range.0, range.1);
            same("range", &track, range, &expected, &states)?;
            compared += states.iter().filter(|time| time.0 > 0).count();
            let view = View { from: range.0, to: range.1.max(range.0.plus(Nanos(1))), width: random.usize(1..40) };
            compared += pictures_agree(&mut fresh, log, &track, view, &spans)?;
        }
    }
    Ok(compared)
}

/// Merges spans that meet.
fn unite(spans: &mut Vec<Span>) {
    spans.sort_by_key(|span| span.start);
    spans.dedup_by(|next, before| {
        let meets = next.start <= before.end;
        if meets {
            before.end = before.end.max(next.end);
        }
        meets
    });
}

fn same(what: &str, track: &Track, range: (Nanos, Nanos), spans: &[Nanos], found: &[Nanos]) -> Result<(), String> {
    if spans == found {
        Ok(())
    } else {
        Err(format!("{what} of {}, {range:?}: spans {spans:?}, found {found:?}", track.name.for_terminal()))
    }
}

/// Compares the exact picture with the spans, and the coarse picture with the exact one.
fn pictures_agree(model: &mut Model, log: &[u8], track: &Track, view: View, spans: &[Span]) -> Result<usize, String> {
    let exact = exact_window(model, log, view, track.id);
    let plan = model.plan(view).coarse();
    let coarse = model.window(&arranged(model), &plan, track.id);
    let (first, last) = model.extent().unwrap_or_default();
    // While there are few threads, each has a picture of its own, in at most 8191 pieces.
    let of_thread = (last.since(first).0 / 8191 + 1).checked_next_power_of_two().map_or(f64::MAX, |width| width as f64);
    let bucket = if track.group == "Threads" { of_thread } else { model.bucket().0 as f64 };
    let pixel = view.pixel();
    let states = exact.states;
    let deepest = deepest_overlap(spans);
    let mut compared = 0;
    for at in 0..view.width {
        // Subtract first, since times since boot have more digits than an f64 holds.
        let after = |time: Nanos| (i128::from(time.0) - i128::from(view.from.0)) as f64;
        let edge = |at: usize| at as f64 * pixel;
        let mut times = vec![0.0; states];
        for span in spans {
            let time = after(span.end).min(edge(at + 1)) - after(span.start).max(edge(at));
            times[usize::from(span.state)] += time.max(0.0);
        }
        if let (Some((first, last)), Some(None), true) = (track.known, track.lacks.last(), has_idle(track)) {
            let known = after(last).min(edge(at + 1)) - after(first).max(edge(at));
            times[states - 1] = (known.max(0.0) - times.iter().sum::<f64>()).max(0.0);
        }
        for (state, time) in times.into_iter().enumerate() {
            let (exactly, coarsely) = (exact.shares[at * states + state], coarse.shares[at * states + state]);
            // Shares are rounded down, but any time except slivers of idle time counts as at least 1.
            let rounding = 2.0;
            let expected = (time / pixel * 255.0).min(255.0);
            let wrong = (f64::from(exactly) - expected).abs() > rounding;
            // Disabled and idle time is the rest, so it is off by as much as all other states together.
            let others = if has_idle(track) && state + 2 >= states { states as f64 } else { 1.0 };
            let within = others.max(deepest) * (255.0 * bucket / 2.0 / pixel + 1.5);
            if wrong || pixel >= bucket && f64::from(exactly.abs_diff(coarsely)) > within {
                return Err(format!(
                    "{}, {view:?}, pixel {at}, state {state}: {expected} by its spans, {exactly} exactly, {coarsely} coarsely",
                    track.name.for_terminal()
                ));
            }
            compared += usize::from(exactly > 0);
        }
    }
    Ok(compared)
}

/// The most spans that overlap: collections of different capabilities, if times are false.
fn deepest_overlap(spans: &[Span]) -> f64 {
    let mut edges: Vec<(Nanos, i32)> = spans.iter().flat_map(|span| [(span.start, 1), (span.end, -1)]).collect();
    edges.sort_unstable();
    let mut depth = 0;
    let deepest = edges.into_iter().map(|(_, change)| {
        depth += change;
        depth
    });
    f64::from(deepest.max().unwrap_or(0).max(1))
}
