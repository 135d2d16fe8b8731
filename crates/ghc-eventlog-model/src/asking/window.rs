//! What a window of time shows of a track: columns one pixel wide, and the spans that are wide enough to be drawn on
//! their own. From the overview, or exactly from segments decoded again.

use crate::{
    asking::view::View,
    keeping::index::collecting,
    limits,
    model::Model,
    reading::caps::CapEvents,
    reading::preview::Sample,
    reading::session::Session,
    tracks::span::{Collection, Ending, Span},
    tracks::{TrackId, capability, collections},
};
use alloc::{
    collections::BTreeMap,
    format,
    string::{String, ToString},
    vec,
    vec::Vec,
};
use ghc_eventlog::{CapNo, Chunk, Nanos};

const RUNNING: usize = capability::RUNNING as usize;
const LOST: usize = capability::LOST as usize;

/// Pixels from which on a span is drawn on its own.
pub(crate) const WIDE: f64 = 3.0;

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
    pub(crate) segments: Vec<u32>,
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
    /// For each pixel, the share of its time in each state, 255 for all of it. What is there at all is at least 1. What is
    /// missing to 255 is not known; on the collections' track, there is nothing then.
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
        let session = &mut self.session;
        let segments = session.segments_in(view);
        let of = |segment: &u32| session.index.segment(*segment).map(|segment| segment.end - segment.at.offset);
        let bytes: u64 = segments.iter().filter_map(of).sum();
        let coarse = session.overview.bucket().0 as f64 > view.pixel() / 2.0;
        let exact = bytes <= limits::DETAIL_ALWAYS || coarse && bytes <= limits::DETAIL_READ;
        if !exact {
            return Plan { view, exact, reads: Vec::new(), segments: Vec::new() };
        }
        session.details.touch(&segments);
        Plan { view, exact, reads: session.missing(&segments), segments }
    }

    /// Takes bytes of the file that a plan or a lookup asked for. Decoding them may show that a look further ahead is
    /// needed: then the same question asks for more.
    pub fn supply(&mut self, offset: u64, bytes: &[u8]) {
        let session = &mut self.session;
        // What comes now is newer than what is there, and may push it out.
        session.details.tick();
        let end = offset + bytes.len() as u64;
        for number in session.index.segments_within(offset, end) {
            let Some(segment) = session.index.segment(number) else { continue };
            // Beyond what was fed the first pass has not looked, either.
            let chunk = Chunk { bytes, offset, last: end >= session.fed }.from(segment.at.offset);
            match crate::keeping::detail::decode(&session.index, number, chunk, &self.decoder, &session.caps) {
                Ok(detail) => session.details.insert(number, detail),
                Err(ahead) => session.index.look_further(number, ahead),
            }
        }
    }

    /// What a planned window shows of a track.
    #[must_use]
    pub fn window(&self, plan: &Plan, track: TrackId) -> Window {
        let session = &self.session;
        let exact = plan.exact && plan.reads.is_empty() && self.is_finished();
        match track {
            TrackId::Activity => session.activity(plan, exact),
            TrackId::Collections => session.collections_window(plan, exact),
            TrackId::Capability(cap) => {
                let Some(at) = session.caps.stream(Some(cap)) else { return Window::default() };
                let mut spans = Spans::new(plan.view);
                let mut columns = session.lane_columns(at, plan, exact, &mut spans);
                let read = session.caps.streams.get(at).map_or(Nanos(0), |stream| stream.last);
                session.preview.columns(cap, read, plan.view, &mut columns);
                let text = |span: &Span| span.thread.map_or(String::new(), |thread| session.thread_text(thread));
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

impl Session {
    /// What must be read for those of some segments that are not at hand; in order, offsets and lengths.
    pub(crate) fn missing(&self, segments: &[u32]) -> Vec<(u64, u64)> {
        let missing = segments.iter().filter(|segment| self.details.get(**segment).is_none());
        joined(missing.filter_map(|segment| self.read_of(*segment)))
    }

    /// The segments that tell something of a window, in order.
    pub(crate) fn segments_in(&self, view: View) -> Vec<u32> {
        let mut segments = Vec::new();
        for (at, stream) in self.caps.streams.iter().enumerate() {
            let turns = self.index.turns(at).filter(|turn| view.meets(turn.from(), turn.to()));
            segments.extend(turns.map(|turn| turn.entry.segment));
            let collecting = collecting(self.index.stream(at), stream.sums.collections);
            let meeting = collecting.filter(|entry| view.meets(entry.reaches_back_to(), entry.to));
            segments.extend(meeting.map(|entry| entry.segment));
        }
        segments.sort_unstable();
        segments.dedup();
        segments
    }

    fn activity(&self, plan: &Plan, exact: bool) -> Window {
        let columns: Vec<f64> = self.running(plan, exact).iter().flat_map(|running| running.shared()).collect();
        Window { exact, states: 2, shares: shares(&columns, plan.view.pixel()), ..Window::default() }
    }

    /// What all lanes together did in each pixel.
    pub(crate) fn running(&self, plan: &Plan, exact: bool) -> Vec<Running> {
        let mut mean = vec![Running::default(); plan.view.width];
        if !self.told().threads {
            return mean;
        }
        for (cap, stream) in self.caps.lanes() {
            let Some(at) = self.caps.stream(Some(cap)) else { continue };
            let columns = self.found_columns(at, plan, exact, &mut Spans::none(plan.view));
            let lasts = lasting_columns(stream, plan.view);
            let lane = columns.chunks(capability::FOUND).zip(lasts);
            mean.iter_mut().zip(lane).for_each(|(mean, (found, lasts))| mean.add(found[RUNNING], lasts - found[LOST]));
        }
        self.running_ahead(plan.view, &mut mean);
        mean
    }

    /// Adds what lanes did after what has been read, as far as that was looked at.
    fn running_ahead(&self, view: View, mean: &mut [Running]) {
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
        for (cap, known) in &lanes {
            let mut columns = vec![0.0; view.width * states];
            self.preview.columns_throughout(*cap, *known, view, &mut columns);
            let lane = columns.chunks(states);
            mean.iter_mut()
                .zip(lane)
                .for_each(|(mean, lane)| mean.add(lane[RUNNING], lane.iter().sum::<f64>() - lane[LOST]));
        }
    }

    /// Nanoseconds in each state for each pixel, idle too; the wide spans go to `spans`.
    fn lane_columns(&self, at: usize, plan: &Plan, exact: bool, spans: &mut Spans) -> Vec<f64> {
        let found = self.found_columns(at, plan, exact, spans);
        let lasts = self.caps.streams.get(at).map_or(Vec::new(), |stream| lasting_columns(stream, plan.view));
        let tells_idle = self.told().idle();
        let rounding = plan.view.pixel() / 256.0;
        let mut columns = Vec::with_capacity(plan.view.width * capability::STATES.len());
        for (found, lasts) in found.chunks(capability::FOUND).zip(lasts) {
            let idle = lasts - found.iter().sum::<f64>();
            columns.extend_from_slice(found);
            columns.push(if tells_idle && idle > rounding { idle } else { 0.0 });
        }
        columns
    }

    /// Nanoseconds in each state that spans are found of, for each pixel; the wide spans go to `spans`.
    fn found_columns(&self, at: usize, plan: &Plan, exact: bool, spans: &mut Spans) -> Vec<f64> {
        let view = plan.view;
        let states = capability::FOUND;
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
                if span.state != capability::LOST {
                    spans.offer(*span);
                }
            }
        }
        columns
    }

    fn coarse_lane(&self, stream: &CapEvents, view: View, columns: &mut [f64]) {
        if let Some(series) = stream.series {
            self.overview.columns(series, view, columns);
        }
        // While reading, what is open has not reached the overview.
        if let Some(open) = stream.open_span() {
            add(view, open.start, open.end, usize::from(open.state), capability::FOUND, columns);
        }
    }

    fn collections_window(&self, plan: &Plan, exact: bool) -> Window {
        let view = plan.view;
        let states = collections::STATES.len();
        let majors = self.collections.majors();
        if !exact {
            let mut kinds = vec![0.0; view.width * crate::keeping::collections::KINDS];
            self.overview.columns(self.collections.series, view, &mut kinds);
            let columns: Vec<f64> = kinds
                .chunks(crate::keeping::collections::KINDS)
                .flat_map(|kinds| collections::by_state(kinds, majors))
                .collect();
            return Spans::none(view).into_window(false, &columns, states, |_| String::new());
        }
        let mut columns = vec![0.0; view.width * states];
        let mut spans = Spans::new(view);
        let details = plan.segments.iter().filter_map(|segment| self.details.get(*segment));
        for (_, collection) in details.flat_map(|detail| &detail.collections) {
            let span = self.collection_span(collection);
            add(view, span.start, span.end, usize::from(span.state), states, &mut columns);
            spans.offer(span);
        }
        spans.kept.sort_by_key(|span| span.start);
        spans.into_window(true, &columns, states, |span| {
            collections::STATES.get(usize::from(span.state)).map_or(String::new(), |state| state.name.to_string())
        })
    }

    /// A collection, as a span of its track.
    pub(crate) fn collection_span(&self, collection: &Collection) -> Span {
        Span {
            start: collection.start,
            end: collection.end,
            thread: None,
            state: collections::state(self.collections.is_major(collection)),
            ending: Ending::Next,
            open_start: false,
        }
    }

    /// A thread's label, or its number.
    pub(crate) fn thread_text(&self, thread: ghc_eventlog::ThreadId) -> String {
        match self.threads.label(thread) {
            // The number first: it is what tells them apart where the text is cut.
            Some(label) => format!("{thread} {label}"),
            None => format!("thread {thread}"),
        }
    }
}

/// What some lanes did in a pixel, in nanoseconds.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Running {
    /// The time that they ran, of all together.
    pub(crate) ran: f64,
    /// The time that is known of them, of all together.
    pub(crate) known: f64,
    /// The time that is known of any of them.
    any: f64,
}

impl Running {
    /// Adds what is known of a lane.
    fn add(&mut self, ran: f64, known: f64) {
        self.ran += ran;
        self.known += known;
        self.any = self.any.max(known);
    }

    /// The mean time that those ran, and did not, which are known.
    fn shared(&self) -> [f64; 2] {
        if self.known <= 0.0 {
            return [0.0; 2];
        }
        let ran = self.ran / self.known * self.any;
        [ran, (self.any - ran).max(0.0)]
    }
}

/// For each pixel, the nanoseconds of the time that a lane lasts.
fn lasting_columns(stream: &CapEvents, view: View) -> Vec<f64> {
    let mut columns = vec![0.0; view.width];
    if let Some((first, last)) = stream.times() {
        add(view, first, last, 0, 1, &mut columns);
    }
    columns
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

    /// Takes a span, if it is wide enough.
    fn offer(&mut self, span: Span) {
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
