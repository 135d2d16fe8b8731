//! What a window of time shows of a track: columns one pixel wide, and the spans that are wide enough to be drawn on
//! their own. From the overview, or exactly from segments decoded again.

use crate::{
    asking::{job::Changed, view::View},
    keeping::{
        detail::{self, Failure},
        index::collecting,
    },
    limits,
    model::Model,
    reading::session::Session,
    sorting::sort_by_number,
    tracks::{TrackId, collected, heap_profile::ShownBands, span::Span},
};
use alloc::{string::String, vec::Vec};
use ghc_eventlog::{Chunk, Nanos};
use ghc_eventlog_text::LogText;

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
    /// Which bands of a heap profile it shows, each for itself: [`Model::plan`] says ten.
    pub bands: ShownBands,
    pub(crate) segments: Vec<u32>,
    /// The segments that thread states are made from; `None` where they are shown as well as is known without reading.
    pub(crate) threads: Option<Vec<u32>>,
}

impl Plan {
    /// The same window from the overview alone.
    #[must_use]
    pub fn coarse(self) -> Self {
        Self { exact: false, threads: None, ..self }
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
    /// Of a line: for each pixel the first, the smallest, the largest and the last value; NaN where none is known. Of bands: for
    /// each pixel the value of each, from the lowest to the highest.
    pub values: Vec<f32>,
    /// Of points: how many there are in each pixel. Of bands: the number of each, as [`Model::look_up_part`] takes it. Of names: which
    /// of them is in each pixel, the first one as 1; 0 where none is.
    pub counts: Vec<u32>,
    /// The spans wide enough to be drawn on their own, in order; none unless exact.
    pub spans: Vec<Span>,
    /// The spans' texts; empty where there is no room for it. Of bands: the name of each. Of names: two for each, what it is called and
    /// what it is coloured by.
    pub texts: Vec<LogText<'static>>,
}

impl Model {
    /// How a window is best answered. When it is worth being exact, [`Self::supply`] what must be read, then ask
    /// again; the window itself can be asked for at any time.
    pub fn plan(&mut self, view: View) -> Plan {
        self.plan_with(view, false)
    }

    /// The same, for a window that shows tracks of threads, too: they need more to be read.
    pub fn plan_with(&mut self, view: View, threads: bool) -> Plan {
        let session = &mut self.session;
        let threads = if threads { session.thread_segments(view.from, view.to) } else { None };
        session.at_hand.want(threads.as_deref().unwrap_or_default(), None);
        let segments = session.segments_in(view);
        let of = |segment: &u32| session.index.segment(*segment).map(|segment| segment.end - segment.at.offset);
        let bytes: u64 = segments.iter().filter_map(of).sum();
        let coarse = session.keeping.overview.bucket().0 as f64 > view.pixel() / 2.0;
        let exact = bytes <= limits::DETAIL_ALWAYS || coarse && bytes <= limits::DETAIL_READ;
        let segments = if exact { segments } else { Vec::new() };
        let mut wanted = session.census_segments(view.from, view.to);
        wanted.extend(session.sample_segments(view.from, view.to));
        wanted.extend_from_slice(&segments);
        sort_by_number(&mut wanted, |segment| (*segment).into());
        wanted.dedup();
        session.details.plan(&wanted);
        let of_threads = threads.iter().flatten().filter(|segment| session.at_hand.is_wanted(**segment));
        let missing = wanted.iter().filter(|segment| session.details.get(**segment).is_none());
        let mut missing: Vec<u32> = missing.chain(of_threads).copied().collect();
        sort_by_number(&mut missing, |segment| (*segment).into());
        missing.dedup();
        let reads = joined(missing.iter().filter_map(|segment| session.read_of(*segment)));
        Plan { view, exact, reads, bands: ShownBands::default(), segments, threads }
    }

    /// Takes bytes of the file that a plan or a lookup asked for. Decoding them may show that a look further ahead is
    /// needed: then the same question asks for more.
    ///
    /// # Errors
    /// When they are not what was fed: the file has changed, and what it was cannot be told any more.
    pub fn supply(&mut self, offset: u64, bytes: &[u8]) -> Result<(), Changed> {
        let session = &mut self.session;
        // What comes now is newer than what is there, and may push it out.
        session.details.tick();
        let beside = session.beside_details();
        let end = offset + bytes.len() as u64;
        let mut supplied = Ok(());
        for number in session.index.segments_within(offset, end) {
            let Some(segment) = session.index.segment(number) else { continue };
            // Beyond what was fed the first pass has not looked, either.
            let chunk = Chunk { bytes, offset, last: end >= session.fed }.from(segment.at.offset);
            match detail::decode(&session.index, number, chunk, &self.decoder, &session.caps, &session.profiles) {
                Ok(detail) => session.details.insert(number, detail, beside),
                Err(Failure::Need(ahead)) => session.index.look_further(number, ahead),
                Err(Failure::Changed) => supplied = Err(Changed),
            }
        }
        self.supply_ops(offset, bytes)?;
        supplied
    }

    /// What a planned window shows of a track.
    #[must_use]
    pub fn window(&self, plan: &Plan, track: TrackId) -> Window {
        let Some((tracks, of)) = track.tracks() else { return Window::default() };
        let exact = plan.exact && plan.reads.is_empty() && plan.view.to <= self.exact_until();
        tracks.window(&self.session, of, plan, exact)
    }
}

/// Ranges that meet as one: offsets and lengths, in order.
pub(crate) fn joined(ranges: impl Iterator<Item = (u64, u64)>) -> Vec<(u64, u64)> {
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
    /// The segments that tell something of a window, in order.
    pub(crate) fn segments_in(&self, view: View) -> Vec<u32> {
        let mut segments = Vec::new();
        for (at, stream) in self.caps.streams.iter().enumerate() {
            let turns = self.index.turns(at).filter(|turn| view.meets(turn.from(), turn.to()));
            segments.extend(turns.map(|turn| turn.entry.segment));
            let collecting = collecting(self.index.stream(at), collected::counted(&stream.sums));
            let meeting = collecting.filter(|entry| view.meets(entry.reaches_back_to(), entry.to));
            segments.extend(meeting.map(|entry| entry.segment));
        }
        sort_by_number(&mut segments, |segment| (*segment).into());
        segments.dedup();
        segments
    }
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

/// Columns of nanoseconds as shares of a pixel's time: 255 for all of it.
pub(crate) fn shares(columns: &[f64], pixel: f64) -> Vec<u8> {
    let share = |&time: &f64| if time > 0.0 { (time / pixel * 255.0).clamp(1.0, 255.0) as u8 } else { 0 };
    columns.iter().map(share).collect()
}

/// The spans of a window that are wide enough to be drawn on their own.
pub(crate) struct Spans {
    view: View,
    kept: Vec<Span>,
    wide: Nanos,
}

impl Spans {
    pub(crate) fn new(view: View) -> Self {
        // A span of no length is not wide enough at any zoom.
        Self { view, kept: Vec::new(), wide: Nanos(((view.pixel() * WIDE) as u64).max(1)) }
    }

    /// Takes none.
    pub(crate) fn none(view: View) -> Self {
        Self { wide: Nanos::MAX, ..Self::new(view) }
    }

    /// Takes a span, if it is wide enough.
    pub(crate) fn offer(&mut self, span: Span) {
        let wide = span.end.since(span.start) >= self.wide && self.view.meets(span.start, span.end);
        if wide && self.kept.len() < limits::MAX_SPANS {
            self.kept.push(span);
        }
    }

    /// Puts them in order of time.
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
        let texts =
            self.kept.iter().map(|span| if visible(span) >= room { text(span).into() } else { LogText::default() });
        let texts = texts.collect();
        let shares = shares(columns, self.view.pixel());
        Window { exact, states, shares, spans: self.kept, texts, ..Window::default() }
    }
}
