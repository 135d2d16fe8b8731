//! What a search has seen of spans.

use crate::terms::{
    place::{Direction, Item, Pixel},
    span::Span,
    window::WIDE,
};
use ghc_eventlog::Nanos;

/// What has been seen of spans so far.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct PixelTally {
    /// In the pixel.
    pub(crate) inside: SpanCount,
    /// In it, and half a pixel beside it: a picture's pixels need not lie where the screen's are.
    pub(crate) around: SpanCount,
    /// The one at the pixel's middle.
    pub(crate) covering: Option<Item>,
    /// The one that is looked for beside a time.
    pub(crate) beside: Option<Item>,
    /// When the last one ended before the pixel's middle, and when the next one begins after it.
    pub(crate) since: Nanos,
    pub(crate) until: Option<Nanos>,
    /// Whether some segments were left out.
    pub(crate) more: bool,
}

/// How many spans there are, and the longest of them.
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

    /// A segment begins with nothing new since then.
    pub(crate) fn nothing_since(&mut self, since: Nanos, pixel: Pixel) {
        if since <= pixel.at {
            self.since = self.since.max(since);
        }
    }

    /// The span at the pixel's middle, if it is so wide that it is drawn on its own.
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
