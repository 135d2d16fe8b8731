//! What holds of the model for every log.

use conformance::{exact_window, files, model_in_steps, project, report, shared_logs, tiled};
use ghc_eventlog::Nanos;
use ghc_eventlog_model::{Lookup, Model, Shape, Track, TrackId, View};
use std::fs;

/// Every log that can be read, with its name.
fn logs() -> Vec<(String, Vec<u8>)> {
    let paths = files(&project().join("tests/corpus"), "log.eventlog").into_iter().chain(shared_logs());
    let logs = paths.map(|path| (path.display().to_string(), fs::read(&path).unwrap()));
    logs.filter(|(_, log)| model_in_steps(log, log.len()).extent().is_some()).collect()
}

/// A log long enough to need many segments and buckets wider than a pixel.
fn long_log() -> Vec<u8> {
    let log = fs::read(project().join("tests/corpus/threaded/log.eventlog")).unwrap();
    tiled(&log, 300)
}

fn whole(model: &Model, width: usize) -> View {
    let (from, to) = model.extent().unwrap();
    View { from, to: to.plus(Nanos(1)), width }
}

/// The window as the overview alone gives it.
fn coarse_window(model: &mut Model, view: View, track: TrackId) -> ghc_eventlog_model::Window {
    let plan = model.plan(view).coarse();
    model.window(&plan, track)
}

#[test]
fn chunks_of_any_size_give_the_same_model() {
    for (name, log) in logs() {
        let expected = report(&log);
        for step in [1, 999] {
            let mut model = model_in_steps(&log, step);
            assert_eq!(model.events(), model_in_steps(&log, log.len()).events(), "{name}");
            let view = whole(&model, 50);
            let mut at_once = model_in_steps(&log, log.len());
            for track in model.tracks() {
                let window = exact_window(&mut model, &log, view, track.id);
                let same = exact_window(&mut at_once, &log, view, track.id);
                assert_eq!(window, same, "{name}, {}", track.name);
            }
        }
        assert!(expected.contains("extent"));
    }
}

/// The states of a lane and its idle time partition the time: no pixel holds more than it is wide.
#[test]
fn states_never_overlap() {
    for (name, log) in logs() {
        let mut model = model_in_steps(&log, log.len());
        for width in [1, 37, 1000] {
            let view = whole(&model, width);
            for track in model.tracks() {
                for window in
                    [exact_window(&mut model, &log, view, track.id), coarse_window(&mut model, view, track.id)]
                {
                    assert_eq!(window.shares.len(), width * window.states);
                    // What is there at all counts as 1: so many states may exceed by that.
                    let most =
                        window.shares.chunks(window.states).map(|shares| shares.iter().map(|&s| u32::from(s)).sum());
                    assert!(most.max() <= Some(255 + window.states as u32), "{name}, {}", track.name);
                }
            }
        }
    }
}

/// Spans of a lane follow one another; the text is what it says.
#[test]
fn spans_are_in_order_and_found_again() {
    for (name, log) in logs() {
        let mut model = model_in_steps(&log, log.len());
        let view = whole(&model, 2000);
        for track in model.tracks().into_iter().filter(|track| track.shape == Shape::States) {
            let window = exact_window(&mut model, &log, view, track.id);
            let in_order = window
                .spans
                .is_sorted_by(|a, b| a.start <= b.start && (a.end <= b.start || track.id == TrackId::Collections));
            assert!(in_order, "{name}, {}", track.name);
            for span in window.spans.iter().take(50) {
                let middle = Nanos(span.start.0 + span.end.since(span.start).0 / 2);
                let Lookup::Found(found) = model.span_at(track.id, middle) else { panic!("all is at hand") };
                let found = found.unwrap_or_else(|| panic!("{name}, {}: nothing at {middle}", track.name));
                assert_eq!(found.span, *span, "{name}, {}", track.name);
            }
        }
    }
}

/// The overview and the exact spans agree: over the whole log to the nanosecond, in any window within the edges'
/// buckets.
#[test]
fn the_overview_says_what_the_exact_spans_say() {
    let log = long_log();
    let mut model = model_in_steps(&log, 1 << 20);
    let view = whole(&model, 1);
    let tracks = model.tracks();
    for track in tracks.iter().filter(|track| track.shape == Shape::States) {
        assert_eq!(model.totals(track.id), exact_totals(&mut model, &log, track), "{}", track.name);
    }
    for part in 0..20 {
        let length = view.to.since(view.from).0 / 20;
        let view =
            View { from: Nanos(view.from.0 + part * length), to: Nanos(view.from.0 + (part + 1) * length), width: 90 };
        for track in &tracks {
            let coarse = coarse_window(&mut model, view, track.id);
            let exact = exact_window(&mut model, &log, view, track.id);
            for (at, (a, b)) in coarse.shares.iter().zip(&exact.shares).enumerate() {
                assert!(a.abs_diff(*b) <= 6, "{} at {at}: {a} in the overview, {b} exactly", track.name);
            }
        }
    }
}

/// Nanoseconds in each state, from the exact spans of windows that follow one another.
fn exact_totals(model: &mut Model, log: &[u8], track: &Track) -> Vec<Nanos> {
    let mut totals = vec![Nanos(0); track.states.len()];
    let mut at = model.extent().unwrap().0;
    while let Some(start) = next_span(model, log, track.id, at) {
        let span = span_at(model, log, track.id, start);
        let total = &mut totals[usize::from(span.state)];
        *total = total.plus(span.end.since(span.start));
        at = start;
    }
    totals
}

fn next_span(model: &mut Model, log: &[u8], track: TrackId, after: Nanos) -> Option<Nanos> {
    answered(model, log, |model| model.neighbour(track, after, ghc_eventlog_model::Direction::Next))
}

fn span_at(model: &mut Model, log: &[u8], track: TrackId, at: Nanos) -> ghc_eventlog_model::Span {
    answered(model, log, |model| model.span_at(track, at)).expect("there is a span").span
}

/// Asks until nothing more must be read.
fn answered<T>(model: &mut Model, log: &[u8], ask: impl Fn(&Model) -> Lookup<T>) -> Option<T> {
    loop {
        match ask(model) {
            Lookup::Found(found) => return found,
            Lookup::Read { offset, length } => {
                model.supply(offset, &log[offset as usize..(offset + length) as usize]);
            }
        }
    }
}

#[test]
fn memory_is_bounded_whatever_the_length_of_the_log() {
    let log = fs::read(project().join("tests/corpus/threaded/log.eventlog")).unwrap();
    let held = |times| {
        let log = tiled(&log, times);
        let mut model = model_in_steps(&log, 1 << 16);
        let view = whole(&model, 1000);
        let plan = model.plan(view);
        assert!(plan.reads.iter().map(|(_, length)| length).sum::<u64>() <= 2 << 20 || !plan.exact);
        (model.events(), model.bytes_held())
    };
    let (events, once) = held(1);
    let (more_events, often) = held(16);
    let (_, longer) = held(128);
    assert_eq!(more_events, 16 * events);
    // Once the overview has merged its buckets it has a spare series, and series have changed places with it.
    assert!(often <= 2 * once, "{once} bytes for one, {often} for 16");
    // What still grows are the rows of threads and collections, up to their caps.
    assert!(longer <= often + often / 5, "{often} bytes for 16, {longer} for 128");
}
