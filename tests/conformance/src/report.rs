//! Writes what the model has for a log as text: the corpus's expectations.

use crate::arranged;
use crate::{decode_in_steps, exact_window, model_in_steps, replay};
use ghc_eventlog::{Event, Value, info};
use ghc_eventlog_model::{LogText, Model, Note, Shape, Span, Totals, Track, TrackId, View, Window};
use std::fmt::Write;

/// Columns of the drawn timelines.
const WIDTH: usize = 100;

/// Logs up to this many events are listed event by event.
const LISTED: usize = 120;

/// The most tracks that are drawn, since a damaged log can have a thousand.
const DRAWN: usize = 20;

/// The most tracks of threads that are drawn.
const THREADS: usize = 12;

/// Everything about a log: figures, tracks drawn in characters, diagnostics, and the events of small ones.
pub fn report(log: &[u8]) -> String {
    let mut out = String::new();
    let mut model = model_in_steps(log, 10_000);
    replay(&mut model, log);
    // Writing into a string cannot fail.
    let _ = write_report(&mut out, &mut model, log);
    out
}

fn write_report(out: &mut String, model: &mut Model, log: &[u8]) -> std::fmt::Result {
    if let Some(error) = model.error() {
        return writeln!(out, "error: {error}");
    }
    writeln!(out, "program  {}", LogText::joined(&model.process().args, " ").for_terminal())?;
    writeln!(out, "runtime  {}", model.process().runtime.for_terminal())?;
    writeln!(out, "events   {}", model.events())?;
    for diagnostic in model.diagnostics().list() {
        writeln!(out, "notice   {}", diagnostic.kind)?;
    }
    if let Some((from, to)) = model.extent() {
        writeln!(out, "extent   {} to {} ns", from.0, to.0)?;
        tracks(out, model, log, View { from, to, width: WIDTH })?;
    }
    collections(out, model)?;
    threads(out, model)?;
    writeln!(out, "\nevent types")?;
    for (tag, count) in model.counts() {
        writeln!(out, "{count:>7}  {}", info(tag).map_or_else(|| format!("type {tag}"), |info| info.name.to_string()))?;
    }
    if model.events() as usize <= LISTED {
        events(out, log)?;
    }
    Ok(())
}

fn tracks(out: &mut String, model: &mut Model, log: &[u8], view: View) -> std::fmt::Result {
    let tracks = model.tracks(&arranged(model));
    let (threads, others): (Vec<Track>, Vec<Track>) = tracks.into_iter().partition(|track| track.group == "Threads");
    let (spans, others): (Vec<Track>, Vec<Track>) = others.into_iter().partition(|track| track.group == "Spans");
    let beyond = |list: &[Track], most: usize| list.len().saturating_sub(most);
    let more = beyond(&others, DRAWN) + beyond(&threads, THREADS) + beyond(&spans, THREADS);
    let of_replay = threads.into_iter().take(THREADS).chain(spans.into_iter().take(THREADS));
    for track in others.into_iter().take(DRAWN).chain(of_replay) {
        let window = exact_window(model, log, view, track.id);
        let note = match track.note {
            Note::Share(share) => format!("{:.2} %", share * 100.0),
            Note::Count(count, longest) => format!("{count}, longest {} ns", longest.0),
            Note::Number(count) => count.to_string(),
            Note::Time(time) => format!("{} ns", time.0),
            Note::Most(most, unit) => format!("at most {most} {}", unit.name()),
            Note::Lacks(flag) => format!("not logged: needs {flag}"),
        };
        writeln!(out, "\n{} ({note})", track.name.for_terminal())?;
        writeln!(out, "|{}|", drawn(&track, &window))?;
        for (span, text) in window.spans.iter().zip(&window.texts).filter(|(_, text)| !text.is_empty()).take(5) {
            writeln!(out, "  {}", described(&track, span, &text.for_terminal()))?;
        }
    }
    if more > 0 {
        writeln!(out, "\nand {more} tracks more")?;
    }
    Ok(())
}

/// A track's pixels. For lines, the largest value in tenths of the largest of all, `~` if none is known; for points,
/// their number.
fn drawn(track: &Track, window: &Window) -> String {
    let digit = |number: u64| char::from(b'0' + number.min(9) as u8);
    match track.shape {
        Shape::States | Shape::Level => {
            window.shares.chunks(window.states.max(1)).map(|shares| letter(track, shares)).collect()
        }
        Shape::Line { most, .. } => {
            let pixel = |values: &[f32]| match values {
                [_, _, high, _] if !high.is_nan() => digit((f64::from(*high) * 9.0 / most.max(1) as f64).ceil() as u64),
                _ => '~',
            };
            // What is too few for a rate is points.
            let few = window.counts.iter().map(|count| *count > 0).chain(std::iter::repeat(false));
            window.values.chunks(4).zip(few).map(|(values, few)| if few { 'x' } else { pixel(values) }).collect()
        }
        // All bands together.
        Shape::Bands { most, .. } => {
            let pixel = |values: &[f32]| match values.iter().sum::<f32>() {
                all if all.is_nan() => '~',
                all => digit((f64::from(all) * 9.0 / most.max(1) as f64).ceil() as u64),
            };
            window.values.chunks(window.counts.len().max(1)).map(pixel).collect()
        }
        // A letter for each name, in the order in which they come.
        Shape::Names => {
            let letter = |count: &u32| count.checked_sub(1).map_or('~', |at| char::from(b'a' + (at % 26) as u8));
            window.counts.iter().map(letter).collect()
        }
        Shape::Points { .. } => {
            window.counts.iter().map(|count| if *count == 0 { '.' } else { digit((*count).into()) }).collect()
        }
    }
}

/// One pixel: the initial of the state that it is mostly in (n for minor, j for major collections, i for GC wait, w for
/// runnable), in lower case if that is less than half of the time; `.` for idle, `~` if most is not known; levels as
/// digits.
fn letter(track: &Track, shares: &[u8]) -> char {
    let known = shares.iter().any(|share| *share > 0) || track.id == TrackId::COLLECTIONS;
    if !known {
        return '~';
    }
    if track.shape == Shape::Level {
        return shares.first().map_or(' ', |&share| if share == 0 { '.' } else { char::from(b'0' + share / 26) });
    }
    let found = shares.iter().zip(track.states).filter(|(_, state)| state.role != "idle").map(|(share, _)| share);
    let Some((state, &share)) = found.enumerate().max_by_key(|(at, share)| (**share, usize::MAX - at)) else {
        return ' ';
    };
    let name = track.states.get(state).map_or("?", |state| state.name);
    let initial = match name {
        "minor GC" => 'n',
        "major GC" => 'j',
        "GC sync" => 'o',
        "GC wait" => 'i',
        "not known" => '~',
        "runnable" => 'w',
        "in a foreign call" => 'f',
        name => name.strip_prefix("GC ").unwrap_or(name).chars().next().unwrap_or('?'),
    };
    match share {
        0 => '.',
        1..=127 => initial,
        _ => initial.to_ascii_uppercase(),
    }
}

fn described(track: &Track, span: &Span, text: &str) -> String {
    let state = track.states.get(usize::from(span.state)).map_or("?", |state| state.name);
    format!("{} + {} ns {state}: {text:?} {:?}", span.start.0, span.end.since(span.start).0, span.ending)
}

fn collections(out: &mut String, model: &Model) -> std::fmt::Result {
    let total = model.collections().total();
    if total.count == 0 {
        return Ok(());
    }
    writeln!(out, "\ncollections {} in {} ns", total.count, total.elapsed.0)?;
    let told = |(generation, totals): &(usize, &Totals)| *generation < 3 || totals.count > 0;
    for (generation, totals) in model.collections().by_generation().iter().enumerate().filter(told) {
        let (elapsed, longest) = (totals.elapsed.0, totals.longest.0);
        let copied = totals.copied_bytes;
        writeln!(
            out,
            "  generation {generation}: {} in {elapsed} ns, longest {longest}, {copied} bytes copied",
            totals.count
        )?;
    }
    Ok(())
}

fn threads(out: &mut String, model: &Model) -> std::fmt::Result {
    let threads = model.threads();
    writeln!(out, "\nthreads {}", threads.rows().len())?;
    for thread in threads.rows().iter().take(12) {
        let label = threads.label(thread.id).map_or(String::new(), |label| format!(" {:?}", label.for_comparing()));
        writeln!(out, "  {}{label}: {} runs, {} ns", thread.id, thread.runs, thread.ran.0)?;
    }
    Ok(())
}

fn events(out: &mut String, log: &[u8]) -> std::fmt::Result {
    writeln!(out, "\nevents")?;
    let lines = decode_in_steps(log, log.len(), |_, record| {
        let name = info(record.tag).map_or("?", |info| info.name);
        let cap = record.cap.map_or(String::new(), |cap| format!(" cap {cap}"));
        let decoded = record.decode();
        let flaw = decoded.flaw.map_or(String::new(), |flaw| format!(" ({flaw:?})"));
        format!("{:>7} {}{cap} {name}{}{flaw}", record.offset, record.time.0, fields(decoded.event))
    });
    lines.events.iter().try_for_each(|line| writeln!(out, "{line}"))
}

fn fields(event: Event<'_>) -> String {
    let mut out = String::new();
    event.visit(&mut |name, value| {
        let value = match value {
            Value::Absent => return,
            Value::Number(number) => number.to_string(),
            Value::Time(time) => format!("{} ns", time.0),
            Value::Thread(thread) => thread.to_string(),
            Value::Cap(cap) => cap.to_string(),
            Value::Capset(capset) => capset.to_string(),
            Value::Task(_) => "…".to_string(),
            Value::Address(address) => format!("{address:#x}"),
            Value::Name(text, number) => format!("{number} {}", text.unwrap_or("?")),
            Value::Text(text) => format!("{text:?}"),
            Value::List(list) => format!("{:?}", list.iter().collect::<Vec<_>>()),
            Value::Raw(bytes) => format!("{}", bytes.escape_ascii()),
            Value::Stack(stack) => format!("{:?}", stack.iter().map(|id| id.0).collect::<Vec<_>>()),
        };
        let _ = write!(out, " {name}={value}");
    });
    out
}
