//! Compares the overview with the events at every zoom.

use conformance::arranged;
use conformance::{add_idle, exact_window, long_logs, model_in_steps, spans};
use ghc_eventlog::Nanos;
use ghc_eventlog_model::{Model, Shape, Track, View};

/// Random windows of each log.
const WINDOWS: usize = 12;

/// In any window, every pixel and state is at most half a bucket away from the truth. If a bucket crosses a pixel's
/// edge, its time is divided by overlap, which can be wrong by a quarter of the bucket on either side.
#[test]
fn the_overview_is_within_a_bucket_of_the_events() {
    let mut random = fastrand::Rng::with_seed(4);
    let mut compared = 0;
    for (name, log) in long_logs() {
        let mut model = model_in_steps(&log, 1 << 20);
        let Some((from, to)) = model.extent() else { continue };
        let bucket = model.bucket().0 as f64;
        for _ in 0..WINDOWS {
            let (a, b) = (random.u64(from.0..=to.0), random.u64(from.0..=to.0));
            let view = View { from: Nanos(a.min(b)), to: Nanos(a.max(b) + 1), width: random.usize(1..200) };
            let pixel = (view.to.0 - view.from.0) as f64 / view.width as f64;
            if pixel < bucket {
                continue;
            }
            // Shares are rounded, and any time counts as at least 1.
            let within = 255.0 * bucket / 2.0 / pixel + 1.5;
            for track in model.tracks(&arranged(&model)) {
                let plan = model.plan(view).coarse();
                let coarse = model.window(&arranged(&model), &plan, track.id);
                let exact = exact_window(&mut model, &log, view, track.id);
                for (at, (a, b)) in coarse.shares.iter().zip(&exact.shares).enumerate() {
                    let place = (at / coarse.states, at % coarse.states);
                    assert!(
                        f64::from(a.abs_diff(*b)) <= within,
                        "{name}, {}, {view:?}, pixel and state {place:?}: {a} in the overview, {b} exactly, {within}",
                        track.name.for_comparing()
                    );
                    compared += usize::from(*b > 0);
                }
            }
        }
    }
    assert!(compared > 10_000, "{compared}");
}

/// Totals over the whole log are exact to the nanosecond.
#[test]
fn totals_are_what_the_spans_add_up_to() {
    for (name, log) in long_logs() {
        let mut model = model_in_steps(&log, 1 << 20);
        if model.extent().is_none() {
            continue;
        }
        for track in model.tracks(&arranged(&model)).iter().filter(|track| track.shape == Shape::States) {
            assert_eq!(
                model.totals(&arranged(&model), track.id),
                exact_totals(&mut model, &log, track),
                "{name}, {}",
                track.name.for_comparing()
            );
        }
    }
}

/// Nanoseconds in each state, from the exact spans.
fn exact_totals(model: &mut Model, log: &[u8], track: &Track) -> Vec<Nanos> {
    let mut totals = vec![Nanos(0); track.states.len()];
    for span in spans(model, log, track.id) {
        let total = &mut totals[usize::from(span.state)];
        *total = total.plus(span.end.since(span.start));
    }
    add_idle(&mut totals, track);
    totals
}
