//! Tracks of states whose spans are few: they come once per collection or more seldom, are kept in rows, and need nothing of the
//! file.
//!
//! ```text
//! rows      |==|   |=====|      |=|       some of them, once there are too many: then the overview has the picture
//! ```

use super::{State, span::Span};
use crate::{
    asking::{
        lookup::{Direction, Found, Pixel},
        window::{Plan, Spans, Window, add},
    },
    keeping::overview::{Overview, SeriesId},
};
use alloc::{string::ToString, vec, vec::Vec};
use ghc_eventlog::Nanos;

/// What a window shows of them; `coarse` is where their whole time is, if not all of them are kept.
pub(crate) fn window(
    plan: &Plan,
    exact: bool,
    states: &[State],
    spans: impl Iterator<Item = Span>,
    coarse: Option<(&Overview, SeriesId)>,
) -> Window {
    let view = plan.view;
    let mut columns = vec![0.0; view.width * states.len()];
    let text = |span: &Span| states.get(usize::from(span.state)).unwrap_or(&State::UNKNOWN).name.to_string();
    if let Some((overview, series)) = coarse {
        overview.columns(series, view, &mut columns);
        return Spans::none(view).into_window(exact, &columns, states.len(), text);
    }
    let mut wide = if exact { Spans::new(view) } else { Spans::none(view) };
    for span in spans.filter(|span| view.meets(span.start, span.end)) {
        add(view, span.start, span.end, usize::from(span.state), states.len(), &mut columns);
        wide.offer(span);
    }
    wide.sort();
    wide.into_window(exact, &columns, states.len(), text)
}

/// Those that may be drawn in a pixel; `more` if not all are kept.
pub(crate) fn at(spans: impl Iterator<Item = Span>, pixel: Pixel, more: bool) -> Found {
    let Pixel { from, to, .. } = pixel.wider();
    Found::Among { spans: spans.filter(|span| span.start < to && span.end > from).collect(), more }
}

/// Those that begin nearest to a time, later or earlier. What takes no time is not drawn.
pub(crate) fn beside(spans: impl Iterator<Item = Span>, time: Nanos, direction: Direction) -> Found {
    let drawn = spans.filter(|span| span.start < span.end);
    let nearest = match direction {
        Direction::Next => drawn.filter(|span| span.start > time).min_by_key(|span| span.start),
        Direction::Previous => drawn.filter(|span| span.start < time).max_by_key(|span| span.start),
    };
    Found::Among { spans: Vec::from_iter(nearest), more: false }
}
