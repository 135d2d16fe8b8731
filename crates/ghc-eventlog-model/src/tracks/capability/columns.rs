//! What lanes do in each pixel of a window.

use super::{FOUND, GC_WAIT, LOST, RUNNING, STATES};
use crate::{
    known::Known,
    known::caps::CapEvents,
    terms::{
        view::View,
        window::{Plan, WideSpans, add},
    },
};
use alloc::{vec, vec::Vec};

impl Known {
    /// Nanoseconds in each state for each pixel, including disabled and idle time; the wide spans go to `spans`.
    pub(super) fn lane_columns(&self, at: usize, plan: &Plan, exact: bool, spans: &mut WideSpans) -> Vec<f64> {
        let found = self.found_columns(at, plan, exact, spans);
        let stream = self.caps.streams.get(at);
        let lasts = stream.map_or(Vec::new(), |stream| self.lasting_columns(stream, plan.view));
        let censuses = stream.map_or(Vec::new(), |stream| self.census_columns(stream, plan.view));
        let disabled = stream.map_or(Vec::new(), |stream| self.disabled_columns(stream, plan.view));
        let tells_idle = self.logged_classes().idle();
        let rounding = plan.view.pixel() / 256.0;
        let mut columns = Vec::with_capacity(plan.view.width * STATES.len());
        let beside = lasts.into_iter().zip(censuses).zip(disabled);
        for (found, ((lasts, census), disabled)) in found.chunks(FOUND).zip(beside) {
            let left = lasts - found.iter().sum::<f64>();
            // A bucket that lies across the begin or the end counts what was found in all of it.
            let disabled = disabled.min(left).max(0.0);
            let idle = left - disabled;
            let wait = usize::from(GC_WAIT);
            // A bucket that lies across the begin or the end of the wait counts it in all of it.
            let census = found.get(wait).map_or(0.0, |waited| census.min(*waited));
            columns.extend(found.iter().enumerate().map(|(at, time)| if at == wait { time - census } else { *time }));
            columns.push(census);
            columns.push(disabled);
            columns.push(if tells_idle && idle > rounding { idle } else { 0.0 });
        }
        columns
    }

    /// Nanoseconds for each pixel in each state that the machine finds spans for; the wide spans go to `spans`.
    pub(crate) fn found_columns(&self, at: usize, plan: &Plan, exact: bool, spans: &mut WideSpans) -> Vec<f64> {
        let view = plan.view;
        let Some(stream) = self.caps.streams.get(at) else { return vec![0.0; view.width * FOUND] };
        let mut columns = self.columns_of_spans(at, plan, exact, spans);
        let (mut unseen, mut unlogged) = (vec![0.0; view.width], vec![0.0; view.width]);
        self.unseen_runs(stream).for_each(|run| add(view, run.start, run.end, 0, 1, &mut unseen));
        self.unlogged(stream).iter().for_each(|span| add(view, span.start, span.end, 0, 1, &mut unlogged));
        for (found, (unseen, unlogged)) in columns.chunks_mut(FOUND).zip(unseen.into_iter().zip(unlogged)) {
            let unseen = found[usize::from(RUNNING)].min(unseen);
            found[usize::from(RUNNING)] -= unseen;
            // A bucket that lies across the begin or the end of what is not logged counts what was found in all of it.
            let left = (view.pixel() - found.iter().sum::<f64>() - unseen).max(0.0);
            found[usize::from(LOST)] += unseen + unlogged.min(left);
        }
        columns
    }

    /// The same without a look at what was not logged.
    fn columns_of_spans(&self, at: usize, plan: &Plan, exact: bool, spans: &mut WideSpans) -> Vec<f64> {
        let view = plan.view;
        let states = FOUND;
        let mut columns = vec![0.0; view.width * states];
        let Some(stream) = self.caps.streams.get(at) else { return columns };
        if !exact {
            self.coarse_lane(stream, view, &mut columns);
            return columns;
        }
        for turn in self.index.turns(at).filter(|turn| view.meets(turn.from(), turn.to())) {
            let Some(detail) = self.details.get(turn.entry.segment) else { continue };
            for span in detail.lane(at, turn.next) {
                add(view, span.start, span.end, usize::from(span.state), states, &mut columns);
                if span.state != LOST {
                    let parts = self.shown_parts(stream, *span).filter(|part| part.state != LOST);
                    parts.for_each(|part| spans.offer(part));
                }
            }
        }
        columns
    }

    fn coarse_lane(&self, stream: &CapEvents, view: View, columns: &mut [f64]) {
        if let Some(series) = stream.series {
            self.stores.overview.columns(series, view, columns);
        }
        // While the log is being read, the open span is not in the overview yet.
        if let Some(open) = stream.open_span() {
            add(view, open.start, open.end, usize::from(open.state), FOUND, columns);
        }
    }

    /// For each pixel, the nanoseconds for which a lane exists.
    pub(crate) fn lasting_columns(&self, stream: &CapEvents, view: View) -> Vec<f64> {
        let mut columns = vec![0.0; view.width];
        if let Some((first, last)) = self.lane_times(stream) {
            add(view, first, last, 0, 1, &mut columns);
        }
        columns
    }

    /// For each pixel, the nanoseconds for which a lane's capability took censuses.
    fn census_columns(&self, stream: &CapEvents, view: View) -> Vec<f64> {
        let mut columns = vec![0.0; view.width];
        let censuses = self.censuses_of(stream, view.from, view.to);
        censuses.for_each(|span| add(view, span.start, span.end, 0, 1, &mut columns));
        columns
    }

    /// For each pixel, the nanoseconds for which a lane's capability was disabled.
    pub(crate) fn disabled_columns(&self, stream: &CapEvents, view: View) -> Vec<f64> {
        let mut columns = vec![0.0; view.width];
        self.disabled(stream).iter().for_each(|span| add(view, span.start, span.end, 0, 1, &mut columns));
        columns
    }
}
