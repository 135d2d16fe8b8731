//! What a window of time shows of a track: columns one pixel wide, and the spans that are wide enough to be drawn on their
//! own.

use crate::{
    limits,
    sorting::sort_by_number,
    terms::{bands::ShownBands, progress::Progress, span::Span, track::Needs, view::View},
};
use alloc::{string::String, vec::Vec};
use ghc_eventlog::Nanos;
use ghc_eventlog_text::LogText;

/// The width in pixels from which a span is drawn on its own.
pub(crate) const WIDE: f64 = 3.0;

/// The width in pixels from which a span has room for text.
const ROOM_FOR_TEXT: f64 = 18.0;

/// Counters of what may change pictures: what was kept of the log, what was decoded again, and what must be read for that.
pub(crate) type Version = [u64; 4];

/// How a window is to be answered: see [`Model::plan`](crate::Model::plan).
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// The window.
    pub view: View,
    /// Whether the window should be drawn exactly: buckets are too wide for it, or little of the file is needed.
    pub exact: bool,
    /// The parts of the file that must be read first, as offset and length.
    pub reads: Vec<(u64, u64)>,
    /// Which bands of a heap profile are shown individually: [`Model::plan`](crate::Model::plan) chooses ten.
    pub bands: ShownBands,
    pub(crate) segments: Vec<u32>,
    /// The segments from which the states of threads are made; `None` to show what is known without reading.
    pub(crate) threads: Option<Vec<u32>>,
    /// What the tracks need that are shown.
    pub(crate) needs: Needs,
    /// The version of what was known when the plan was made.
    pub(crate) made_of: Version,
    pub(crate) progress: Progress,
}

impl Plan {
    /// A plan for a window that needs no reads: all of its `segments` are at hand.
    pub(crate) fn of(view: View, exact: bool, segments: Vec<u32>) -> Self {
        Self {
            view,
            exact,
            reads: Vec::new(),
            bands: ShownBands::default(),
            segments,
            threads: None,
            needs: Needs::default(),
            made_of: Version::default(),
            progress: Progress::default(),
        }
    }

    /// The same window, from the overview alone.
    #[must_use]
    pub fn coarse(self) -> Self {
        Self { exact: false, threads: None, ..self }
    }
}

/// What a window shows of a track.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Window {
    /// Whether the picture is exact, or a coarser one.
    pub exact: bool,
    /// How many numbers there are for each pixel: one for each state.
    pub states: usize,
    /// For each pixel, the share of its time in each state, 255 for all of it. A state that is there at all has at least 1.
    /// The rest, up to 255, is unknown time; on the track of collections it is time without a collection.
    pub shares: Vec<u8>,
    /// Lines: for each pixel the first, the smallest, the largest and the last value; NaN where none is known. Bands: for
    /// each pixel the value of each band, from the lowest to the highest.
    pub values: Vec<f32>,
    /// Points: how many there are in each pixel. Bands: the number of each band, as
    /// [`Model::look_up_part`](crate::Model::look_up_part) takes it. Names: for each pixel the number of its name, counted
    /// from 1; 0 for none.
    pub counts: Vec<u32>,
    /// The spans that are wide enough to be drawn on their own, in order. Empty unless the window is exact.
    pub spans: Vec<Span>,
    /// Times that are hatched, from when to when, whatever the states say: when the runtime wrote the log. Only those that are
    /// wide enough to be seen.
    pub hatched: Vec<(Nanos, Nanos)>,
    /// The spans' texts; empty where there is no room. Bands: the name of each band. Names: two texts for each name, what it
    /// is called and what decides its colour.
    pub texts: Vec<LogText<'static>>,
}

/// Adds the time from `start` to `end` to the columns of a state, one of `states`.
pub(crate) fn add(view: View, start: Nanos, end: Nanos, state: usize, states: usize, columns: &mut [f64]) {
    let length = end.since(start).0 as f64;
    view.spread(start, end, |pixel, share| {
        if let Some(column) = columns.get_mut(pixel * states + state) {
            *column += length * share;
        }
    });
}

/// Turns columns of nanoseconds into shares of a pixel's time: 255 for all of it.
pub(crate) fn shares(columns: &[f64], pixel: f64) -> Vec<u8> {
    let share = |&time: &f64| if time > 0.0 { (time / pixel * 255.0).clamp(1.0, 255.0) as u8 } else { 0 };
    columns.iter().map(share).collect()
}

/// The spans of a window that are wide enough to be drawn on their own.
pub(crate) struct WideSpans {
    view: View,
    kept: Vec<Span>,
    wide: Nanos,
}

impl WideSpans {
    pub(crate) fn new(view: View) -> Self {
        // A span of no length is never wide enough, at any zoom.
        Self { view, kept: Vec::new(), wide: Nanos(((view.pixel() * WIDE) as u64).max(1)) }
    }

    /// A collector that takes no spans.
    pub(crate) fn none(view: View) -> Self {
        Self { wide: Nanos::MAX, ..Self::new(view) }
    }

    /// Keeps a span, if it is wide enough.
    pub(crate) fn offer(&mut self, span: Span) {
        let wide = span.end.since(span.start) >= self.wide && self.view.meets(span.start, span.end);
        if wide && self.kept.len() < limits::MAX_SPANS {
            self.kept.push(span);
        }
    }

    /// Sorts them by time.
    pub(crate) fn sort(&mut self) {
        sort_by_number(&mut self.kept, |span| span.start.0);
    }

    pub(crate) fn into_window(
        self,
        exact: bool,
        columns: &[f64],
        states: usize,
        text: impl Fn(&Span) -> String,
    ) -> Window {
        let room = Nanos((self.view.pixel() * ROOM_FOR_TEXT) as u64);
        let visible = |span: &Span| span.end.min(self.view.to).since(span.start.max(self.view.from));
        // A picture has no room for more of a text.
        let drawn = |span: &Span| LogText::from(text(span)).cut(limits::MAX_TEXT);
        let texts = self.kept.iter().map(|span| if visible(span) >= room { drawn(span) } else { LogText::default() });
        let texts = texts.collect();
        let shares = shares(columns, self.view.pixel());
        Window { exact, states, shares, spans: self.kept, texts, ..Window::default() }
    }
}
