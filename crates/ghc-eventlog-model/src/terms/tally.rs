//! What a look-up has seen of spans.

use crate::terms::{
    place::{Direction, Item, Pixel},
    span::Span,
    window::WIDE,
};
use ghc_eventlog::Nanos;

/// What a look-up has seen of spans so far.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct PixelTally {
    /// The spans in the pixel.
    pub(crate) inside: SpanCount,
    /// The spans in the pixel, or within half a pixel of it: a picture's pixels need not be aligned with the screen's.
    pub(crate) around: SpanCount,
    /// The span at the pixel's middle.
    pub(crate) covering: Option<Item>,
    /// The neighbour that is looked for: the next or the previous span from a time.
    pub(crate) beside: Option<Item>,
    /// When the last span before the pixel's middle ended, and when the next one after it begins.
    pub(crate) since: Nanos,
    pub(crate) until: Option<Nanos>,
    /// Whether some segments were left out.
    pub(crate) more: bool,
}

/// How many spans, and the longest of them.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct SpanCount {
    pub(crate) count: u64,
    pub(crate) longest: Option<Item>,
}

impl PixelTally {
    pub(crate) fn take(&mut self, item: Item, pixel: Pixel) {
        let span = item.span;
        self.inside.take(item, pixel);
        self.around.take(item, pixel.wider());
        let covers = span.start <= pixel.at && pixel.at < span.end;
        if covers {
            self.covering = Some(item);
        }
        if span.end <= pixel.at {
            self.since = self.since.max(span.end);
        }
        if span.start > pixel.at {
            self.until = Some(self.until.map_or(span.start, |until| until.min(span.start)));
        }
    }

    pub(crate) fn take_beside(&mut self, item: Item, time: Nanos, direction: Direction) {
        let start = item.span.start;
        let better = match (direction, self.beside.map(|found| found.span.start)) {
            (Direction::Next, found) => start > time && found.is_none_or(|found| start < found),
            (Direction::Previous, found) => start < time && found.is_none_or(|found| start >= found),
        };
        if better {
            self.beside = Some(item);
        }
    }

    /// At the begin of a segment: the lane has been empty since `since`.
    pub(crate) fn nothing_since(&mut self, since: Nanos, pixel: Pixel) {
        if since <= pixel.at {
            self.since = self.since.max(since);
        }
    }

    /// The span at the pixel's middle, if it is wide enough to be drawn on its own.
    pub(crate) fn wide(&self, pixel: Pixel) -> Option<Item> {
        let wide = pixel.to.since(pixel.from).0 as f64 * WIDE;
        self.covering.filter(|Item { span, .. }| span.end.since(span.start).0 as f64 >= wide)
    }
}

impl SpanCount {
    fn take(&mut self, item: Item, Pixel { from, to, .. }: Pixel) {
        let span = item.span;
        if span.start >= to || span.end <= from {
            return;
        }
        self.count += 1;
        let length = |span: Span| span.end.since(span.start);
        if self.longest.is_none_or(|longest| length(span) > length(longest.span)) {
            self.longest = Some(item);
        }
    }
}
