//! Tracks of states with few spans: these happen about once per collection or less often, are kept in rows, and need not be
//! read from the file.
//!
//! ```text
//! rows      |==|   |=====|      |=|       some of them, once there are too many: then the overview has the picture
//! ```

use crate::{
    keeping::overview::{Overview, SeriesId},
    terms::{
        place::{Direction, Found, Item, Pixel, Place, SpanInfo},
        span::Span,
        tally::PixelTally,
        track::State,
        window::{Plan, WideSpans, Window, add},
    },
};
use alloc::{string::String, vec};
use ghc_eventlog::Nanos;

/// What a window shows of them. `coarse` has the time of all spans, if not all of them are kept.
pub(crate) fn window(
    plan: &Plan,
    exact: bool,
    states: &[State],
    spans: impl Iterator<Item = Span>,
    coarse: Option<(&Overview, SeriesId)>,
    text: impl Fn(&Span) -> String,
) -> Window {
    let view = plan.view;
    let mut columns = vec![0.0; view.width * states.len()];
    if let Some((overview, series)) = coarse {
        overview.columns(series, view, &mut columns);
        return WideSpans::none(view).into_window(exact, &columns, states.len(), text);
    }
    let mut wide = if exact { WideSpans::new(view) } else { WideSpans::none(view) };
    for span in spans.filter(|span| view.meets(span.start, span.end)) {
        add(view, span.start, span.end, usize::from(span.state), states.len(), &mut columns);
        wide.offer(span);
    }
    wide.sort();
    wide.into_window(exact, &columns, states.len(), text)
}

/// What is drawn in a pixel. `more` says that not all spans are kept; `what` is their name in the plural.
pub(crate) fn at(
    spans: impl Iterator<Item = Span>,
    pixel: Pixel,
    more: bool,
    what: &'static str,
    info: impl Fn(Span) -> SpanInfo,
) -> Found {
    let mut tally = PixelTally::default();
    // Spans of no length are not drawn; the same below.
    spans.filter(|span| span.start < span.end).for_each(|span| tally.take(Item { span, row: None }, pixel));
    let seen = if tally.inside.count > 0 { tally.inside } else { tally.around };
    let count = seen.count;
    Found::Place(match (tally.wide(pixel), seen.longest) {
        (Some(wide), _) => Place::Span(info(wide.span)),
        (None, None) => Place::Empty,
        (None, Some(longest)) if count > 1 || more => Place::Many { count, more, what, longest: info(longest.span) },
        (None, Some(only)) => Place::Span(info(only.span)),
    })
}

/// The span that begins next after a time, or last before it.
pub(crate) fn beside(
    spans: impl Iterator<Item = Span>,
    time: Nanos,
    direction: Direction,
    info: impl Fn(Span) -> SpanInfo,
) -> Found {
    let drawn = spans.filter(|span| span.start < span.end);
    let nearest = match direction {
        Direction::Next => drawn.filter(|span| span.start > time).min_by_key(|span| span.start),
        Direction::Previous => drawn.filter(|span| span.start < time).max_by_key(|span| span.start),
    };
    Found::Place(nearest.map_or(Place::Empty, |span| Place::Span(info(span))))
}

/// The state of a span.
pub(crate) fn state_of(states: &[State], span: &Span) -> State {
    states.get(usize::from(span.state)).copied().unwrap_or(State::UNKNOWN)
}
