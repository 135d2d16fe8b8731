//! What a window of time shows of a track: columns one pixel wide, and the spans that are wide enough to be drawn on
//! their own. From the overview, or exactly from segments decoded again.

use crate::{
    caps::Stream,
    detail::SegmentDetail,
    index::Entry,
    limits,
    model::Model,
    preview::Sample,
    span::{Collection, Ending, Span},
    state::State,
    tracks::{TrackId, capability, collections},
    view::View,
};
use alloc::{
    collections::BTreeMap,
    format,
    string::{String, ToString},
    vec,
    vec::Vec,
};
use ghc_eventlog::{CapNo, Chunk, Nanos};

/// Pixels from which on a span is drawn on its own.
const WIDE: f64 = 3.0;

/// Pixels from which on a span has room for text.
const ROOM_FOR_TEXT: f64 = 18.0;

/// How a window is to be answered: see [`Model::plan`].
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// The window.
    pub view: View,
    /// Whether it is worth being drawn exactly: buckets are too wide for it, or little of the file is needed.
    pub exact: bool,
    /// What must be read of the file, as offset and length, before it can be.
    pub reads: Vec<(u64, u64)>,
    segments: Vec<u32>,
}

impl Plan {
    /// The same window from the overview alone.
    #[must_use]
    pub fn coarse(self) -> Self {
        Self { exact: false, ..self }
    }
}

/// What a window shows of a track.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Window {
    /// Whether this is all there is to know, or a coarser picture.
    pub exact: bool,
    /// How many numbers there are for each pixel: one for each state.
    pub states: usize,
    /// For each pixel, the share of its time in each state, 255 for all of it. What is there at all is at least 1.
    pub shares: Vec<u8>,
    /// The spans wide enough to be drawn on their own, in order; none unless exact.
    pub spans: Vec<Span>,
    /// The spans' texts; empty where there is no room for it.
    pub texts: Vec<String>,
}

impl Model {
    /// How a window is best answered. When it is worth being exact, [`Self::supply`] what must be read, then ask
    /// again; the window itself can be asked for at any time.
    pub fn plan(&mut self, view: View) -> Plan {
        let state = &mut self.state;
        let segments = state.segments_in(view);
        let of = |segment: &u32| state.index.segment(*segment).map(|segment| segment.end - segment.at.offset);
        let bytes: u64 = segments.iter().filter_map(of).sum();
        let coarse = state.overview.bucket().0 as f64 > view.pixel() / 2.0;
        let exact = bytes <= limits::DETAIL_ALWAYS || coarse && bytes <= limits::DETAIL_READ;
        if !exact {
            return Plan { view, exact, reads: Vec::new(), segments: Vec::new() };
        }
        state.details.touch(&segments);
        Plan { view, exact, reads: state.missing(&segments), segments }
    }

    /// Takes bytes of the file that a plan or a lookup asked for. Decoding them may show that a look further ahead is
    /// needed: then the same question asks for more.
    pub fn supply(&mut self, offset: u64, bytes: &[u8]) {
        let state = &mut self.state;
        // What comes now is newer than what is there, and may push it out.
        state.details.tick();
        let end = offset + bytes.len() as u64;
        for number in state.index.segments_within(offset, end) {
            let Some(segment) = state.index.segment(number) else { continue };
            // Beyond what was fed the first pass has not looked, either.
            let chunk = Chunk { bytes, offset, last: end >= state.fed }.from(segment.at.offset);
            match crate::detail::decode(&state.index, number, chunk, &self.decoder, &state.caps) {
                Ok(detail) => state.details.insert(number, detail),
                Err(ahead) => state.index.look_further(number, ahead),
            }
        }
    }

    /// What a planned window shows of a track.
    #[must_use]
    pub fn window(&self, plan: &Plan, track: TrackId) -> Window {
        let state = &self.state;
        let exact = plan.exact && plan.reads.is_empty() && self.is_finished();
        match track {
            TrackId::Activity => state.activity(plan, exact),
            TrackId::Collections => state.collections_window(plan, exact),
            TrackId::Capability(cap) => {
                let Some(at) = state.caps.stream(Some(cap)) else { return Window::default() };
                let mut spans = Spans::new(plan.view);
                let mut columns = state.lane_columns(at, plan, exact, &mut spans);
                let read = state.caps.streams.get(at).map_or(Nanos(0), |stream| stream.last);
                state.preview.columns(cap, read, plan.view, &mut columns);
                let text = |span: &Span| span.thread.map_or(String::new(), |thread| state.thread_text(thread));
                spans.into_window(exact, &columns, capability::STATES.len(), text)
            }
        }
    }
}

/// Ranges that meet as one: offsets and lengths, in order.
fn joined(ranges: impl Iterator<Item = (u64, u64)>) -> Vec<(u64, u64)> {
    let mut reads: Vec<(u64, u64)> = Vec::new();
    for (from, length) in ranges {
        match reads.last_mut() {
            Some((start, before)) if *start + *before >= from => *before = (*before).max(from + length - *start),
            _ => reads.push((from, length)),
        }
    }
    reads
}

impl State {
    /// What must be read for those of some segments that are not at hand; in order, offsets and lengths.
    pub(crate) fn missing(&self, segments: &[u32]) -> Vec<(u64, u64)> {
        let missing = segments.iter().filter(|segment| self.details.get(**segment).is_none());
        joined(missing.filter_map(|segment| self.read_of(*segment)))
    }

    /// The segments that tell something of a window, in order.
    fn segments_in(&self, view: View) -> Vec<u32> {
        let streams = (0..self.caps.streams.len()).map(|at| self.index.stream(at));
        let entries = streams.flatten().filter(|entry| view.meets(entry.reaches_back_to(), entry.to));
        let mut segments: Vec<u32> = entries.map(|entry| entry.segment).collect();
        segments.sort_unstable();
        segments.dedup();
        segments
    }

    fn activity(&self, plan: &Plan, exact: bool) -> Window {
        let mut mean = vec![0.0; plan.view.width];
        let states = capability::STATES.len();
        let lanes = self.caps.count().max(1) as f64;
        for (cap, _) in self.caps.lanes() {
            let Some(at) = self.caps.stream(Some(cap)) else { continue };
            let columns = self.lane_columns(at, plan, exact, &mut Spans::none(plan.view));
            let running = columns.iter().skip(usize::from(capability::RUNNING)).step_by(states);
            mean.iter_mut().zip(running).for_each(|(mean, time)| *mean += time / lanes);
        }
        self.activity_ahead(plan.view, &mut mean);
        Window { exact, states: 1, shares: shares(&mean, plan.view.pixel()), ..Window::default() }
    }

    /// Adds to each pixel the mean time of running behind what has been read, as far as that was looked at.
    fn activity_ahead(&self, view: View, mean: &mut [f64]) {
        if self.preview.is_empty() {
            return;
        }
        let read = self.caps.lanes().filter_map(|(cap, stream)| {
            let (from, to) = stream.times()?;
            Some((cap, Some(Sample::of(cap, from, to, &stream.sums))))
        });
        let mut lanes: BTreeMap<CapNo, Option<Sample>> = self.preview.caps().map(|cap| (cap, None)).collect();
        lanes.extend(read);
        let states = capability::STATES.len();
        let mut columns = vec![0.0; view.width * states];
        for (cap, known) in &lanes {
            self.preview.columns_throughout(*cap, *known, view, &mut columns);
        }
        let running = columns.iter().skip(usize::from(capability::RUNNING)).step_by(states);
        mean.iter_mut().zip(running).for_each(|(mean, time)| *mean += time / lanes.len().max(1) as f64);
    }

    /// Nanoseconds in each state for each pixel; the wide spans go to `spans`.
    fn lane_columns(&self, at: usize, plan: &Plan, exact: bool, spans: &mut Spans) -> Vec<f64> {
        let view = plan.view;
        let states = capability::STATES.len();
        let mut columns = vec![0.0; view.width * states];
        let Some(stream) = self.caps.streams.get(at) else { return columns };
        if !exact {
            self.coarse_lane(stream, view, &mut columns);
            return columns;
        }
        for (entry, detail) in self.details_in(at, plan) {
            for span in detail.lane(at) {
                // Each entry draws the time that it covers: what is open at its end goes on in the next one.
                let (start, end) = (span.start.max(entry.from), span.end.min(entry.to));
                if start < end {
                    add(view, start, end, usize::from(span.state), states, &mut columns);
                }
                spans.offer(*span);
            }
        }
        columns
    }

    fn coarse_lane(&self, stream: &Stream, view: View, columns: &mut [f64]) {
        if let Some(series) = stream.series {
            self.overview.columns(series, view, columns);
        }
        // While reading, what is open has not reached the overview.
        if let Some(open) = stream.open_span() {
            add(view, open.start, open.end, usize::from(open.state), capability::STATES.len(), columns);
        }
    }

    /// A stream's entries in a plan's window, with their segments' details.
    fn details_in(&self, at: usize, plan: &Plan) -> impl Iterator<Item = (&Entry, &SegmentDetail)> {
        let view = plan.view;
        let entries = self.index.stream(at).iter().filter(move |entry| view.meets(entry.from, entry.to));
        entries.filter_map(|entry| Some((entry, self.details.get(entry.segment)?)))
    }

    fn collections_window(&self, plan: &Plan, exact: bool) -> Window {
        let view = plan.view;
        let states = collections::STATES.len();
        let oldest = self.collections.oldest();
        if !exact {
            let mut kinds = vec![0.0; view.width * crate::gc::KINDS];
            self.overview.columns(self.collections.series, view, &mut kinds);
            let columns: Vec<f64> =
                kinds.chunks(crate::gc::KINDS).flat_map(|kinds| collections::by_state(kinds, oldest)).collect();
            return Spans::none(view).into_window(false, &columns, states, |_| String::new());
        }
        let mut columns = vec![0.0; view.width * states];
        let mut spans = Spans::new(view);
        let details = plan.segments.iter().filter_map(|segment| self.details.get(*segment));
        for (_, collection) in details.flat_map(|detail| &detail.collections) {
            let span = collection_span(collection, oldest);
            add(view, span.start, span.end, usize::from(span.state), states, &mut columns);
            spans.offer(span);
        }
        spans.kept.sort_by_key(|span| span.start);
        spans.into_window(true, &columns, states, |span| {
            collections::STATES.get(usize::from(span.state)).map_or(String::new(), |state| state.name.to_string())
        })
    }

    /// A thread's label, or its number.
    pub(crate) fn thread_text(&self, thread: ghc_eventlog::ThreadId) -> String {
        match self.threads.label(thread) {
            Some(label) => format!("{label} {thread}"),
            None => format!("thread {thread}"),
        }
    }
}

/// A collection, as a span of its track.
pub(crate) fn collection_span(collection: &Collection, oldest: u16) -> Span {
    Span {
        start: collection.start,
        end: collection.end,
        thread: None,
        state: collections::state(collection, oldest),
        ending: Ending::Next,
        open_start: false,
    }
}

fn add(view: View, start: Nanos, end: Nanos, state: usize, states: usize, columns: &mut [f64]) {
    let length = end.since(start).0 as f64;
    view.spread(start, end, |pixel, share| {
        if let Some(column) = columns.get_mut(pixel * states + state) {
            *column += length * share;
        }
    });
}

fn shares(columns: &[f64], pixel: f64) -> Vec<u8> {
    let share = |&time: &f64| if time > 0.0 { (time / pixel * 255.0).clamp(1.0, 255.0) as u8 } else { 0 };
    columns.iter().map(share).collect()
}

/// The spans of a window that are wide enough to be drawn on their own.
struct Spans {
    view: View,
    kept: Vec<Span>,
    wide: Nanos,
}

impl Spans {
    fn new(view: View) -> Self {
        // A span of no length is not wide enough at any zoom.
        Self { view, kept: Vec::new(), wide: Nanos(((view.pixel() * WIDE) as u64).max(1)) }
    }

    /// Takes none.
    fn none(view: View) -> Self {
        Self { wide: Nanos::MAX, ..Self::new(view) }
    }

    /// Takes a span, if it is wide enough. Pieces of one that lies across segments come in a row and become one again.
    fn offer(&mut self, span: Span) {
        if let Some(last) = self.kept.last_mut()
            && (last.start, last.state, last.thread) == (span.start, span.state, span.thread)
        {
            *last = span;
            return;
        }
        let wide = span.end.since(span.start) >= self.wide && self.view.meets(span.start, span.end);
        if wide && self.kept.len() < limits::MAX_SPANS {
            self.kept.push(span);
        }
    }

    fn into_window(self, exact: bool, columns: &[f64], states: usize, text: impl Fn(&Span) -> String) -> Window {
        let room = Nanos((self.view.pixel() * ROOM_FOR_TEXT) as u64);
        let visible = |span: &Span| span.end.min(self.view.to).since(span.start.max(self.view.from));
        let texts = self.kept.iter().map(|span| if visible(span) >= room { text(span) } else { String::new() });
        let texts = texts.collect();
        Window { exact, states, shares: shares(columns, self.view.pixel()), spans: self.kept, texts }
    }
}
