//! Properties of the model for every log.

use conformance::arranged;
use conformance::{
    answered, comparable, decode_in_steps, exact_window, files, model_in_steps, project, report, shared_logs, tiled,
};
use ghc_eventlog::{BlockMarker, Nanos, Notice, NoticeKind};
use ghc_eventlog_model::{Model, Place, Shape, Track, TrackId, View};
use std::fs;

/// Every log that can be read, with its name.
fn logs() -> Vec<(String, Vec<u8>)> {
    let paths = files(&project().join("tests/corpus"), "log.eventlog").into_iter().chain(shared_logs());
    let logs = paths.map(|path| (path.display().to_string(), fs::read(&path).unwrap()));
    logs.filter(|(_, log)| model_in_steps(log, log.len()).extent().is_some()).collect()
}

fn whole(model: &Model, width: usize) -> View {
    let (from, to) = model.extent().unwrap();
    View { from, to: to.plus(Nanos(1)), width }
}

/// The window as the overview alone gives it.
fn coarse_window(model: &mut Model, view: View, track: TrackId) -> ghc_eventlog_model::Window {
    let plan = model.plan(view).coarse();
    let window = model.window(&arranged(model), &plan, track);
    // What is kept in rows is exact at any zoom.
    let from_rows = window.values.len() + window.counts.len() > 0;
    assert!(from_rows || !window.exact && window.spans.is_empty());
    window
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
            for track in model.tracks(&arranged(&model)) {
                let window = comparable(exact_window(&mut model, &log, view, track.id));
                let same = comparable(exact_window(&mut at_once, &log, view, track.id));
                assert_eq!(window, same, "{name}, {}", track.name.for_comparing());
            }
        }
        assert!(expected.contains("extent"));
    }
}

/// The states of a lane and its idle time partition the time: no pixel has more than its width.
#[test]
fn states_never_overlap() {
    for (name, log) in logs() {
        let mut model = model_in_steps(&log, log.len());
        for width in [1, 37, 1000] {
            let view = whole(&model, width);
            // The non-moving collector marks while it has stopped the program, too.
            for track in model.tracks(&arranged(&model)).into_iter().filter(|track| track.id != TrackId::NONMOVING) {
                for window in
                    [exact_window(&mut model, &log, view, track.id), coarse_window(&mut model, view, track.id)]
                {
                    assert_eq!(window.shares.len(), width * window.states);
                    // Any time counts as at least 1, so the sum may exceed the width by the number of states.
                    let most = window
                        .shares
                        .chunks(window.states.max(1))
                        .map(|shares| shares.iter().map(|&s| u32::from(s)).sum());
                    assert!(most.max() <= Some(255 + window.states as u32), "{name}, {}", track.name.for_comparing());
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
        let lanes = |track: &Track| track.shape == Shape::States && track.id != TrackId::NONMOVING;
        for track in model.tracks(&arranged(&model)).into_iter().filter(lanes) {
            let window = exact_window(&mut model, &log, view, track.id);
            let in_order =
                window.spans.is_sorted_by(|a, b| a.start <= b.start && (a.end <= b.start || track.known.is_none()));
            assert!(in_order, "{name}, {}", track.name.for_comparing());
            for span in window.spans.iter().take(50) {
                let middle = Nanos(span.start.0 + span.end.since(span.start).0 / 2);
                let search = model.look_up(&arranged(&model), track.id, middle, middle.plus(Nanos(1)));
                let (Place::Span(found), reads) = answered(&mut model, &log, search) else {
                    panic!("{name}, {}: nothing at {middle}", track.name.for_comparing())
                };
                assert_eq!(reads, [], "all is at hand");
                assert_eq!(found.span, *span, "{name}, {}", track.name.for_comparing());
            }
        }
    }
}

/// The model holds a fraction of what it has read, up to its limits; more if the log has little else than collections.
#[test]
fn memory_is_bounded_whatever_the_length_of_the_log() {
    let log = fs::read(project().join("tests/corpus/threaded/log.eventlog")).unwrap();
    for times in [1, 16, 128] {
        let log = tiled(&log, times);
        let model = model_in_steps(&log, 1 << 16);
        let held = model.bytes_held();
        // Each type of other events that has very many takes some 30 kB.
        assert!(held <= 300_000 + log.len() / 2, "{held} bytes of {} read", log.len());
    }
}

/// If a capability's block is cut off, nothing is known after its last event, whatever the block says about its end.
#[test]
fn a_lane_ends_where_its_block_is_cut_off() {
    let log = fs::read(project().join("tests/corpus/threaded/log.eventlog")).unwrap();
    let mut compared = 0;
    for cut in (3000..log.len()).step_by(97) {
        let part = &log[..cut];
        let events = decode_in_steps(part, part.len(), |_, record| (record.cap, record.time, record.tag)).events;
        let Some(&(Some(cap), time, tag)) = events.last() else { continue };
        let model = model_in_steps(part, part.len());
        let track =
            model.tracks(&arranged(&model)).into_iter().find(|track| track.id == TrackId::capability(cap)).unwrap();
        let of_cap = events.iter().filter(|event| event.0 == Some(cap) && event.2 != BlockMarker::TAG);
        let (Some(last), Some((_, known))) = (of_cap.map(|event| event.1).max(), track.known) else { continue };
        if tag != BlockMarker::TAG && is_cut_within_a_block(part) {
            assert_eq!(known, last, "cut at {cut}, the last event at {time}");
            compared += 1;
        }
    }
    assert!(compared > 50, "{compared}");
}

fn is_cut_within_a_block(log: &[u8]) -> bool {
    let beyond = |notice: &Notice| matches!(notice.kind, NoticeKind::Cut { .. } | NoticeKind::BlockBeyondEnd(_));
    decode_in_steps(log, log.len(), |_, _| ()).notices.iter().any(beyond)
}
