//! What is at a place of a track, and what comes before and after it.
//!
//! ```text
//! drawn    |      ##  ||| |   ##########     |
//! asked          ^  one pixel, from ... to
//! ```
//!
//! A question may need pieces of the file, one after the other: see [`Search`].

mod search;
mod stops;
mod tally;

use crate::{
    asking::view::View,
    asking::window::Plan,
    model::Model,
    reading::caps::CapEvents,
    reading::session::Session,
    tracks::span::{Collection, Ending, Span},
    tracks::{TrackId, capability, collections},
};
use alloc::{
    format,
    string::{String, ToString},
    vec,
    vec::Vec,
};
use ghc_eventlog::{Nanos, StopReason};
pub use search::Search;
use search::{Of, Question};
use tally::Pixel;

/// What is at a place of a track.
#[derive(Debug, Clone, PartialEq)]
pub enum Place {
    /// The log does not tell; if it lacks a class of events, the flag of the runtime that brings it.
    Unknown(Option<&'static str>),
    /// It has not been read yet.
    Unread,
    /// Nothing.
    Empty,
    /// A mean of lanes.
    Level {
        /// How many of them ran, on average.
        running: f64,
        /// How many of them are known at that time.
        of: u64,
    },
    /// A span.
    Span(SpanInfo),
    /// Several spans, too close to each other to be seen.
    Many {
        /// How many.
        count: u64,
        /// Whether there are more: too much of the file would have to be read to count all.
        more: bool,
        /// What they are, in the plural.
        what: &'static str,
        /// The longest of them.
        longest: SpanInfo,
    },
}

/// A span and what is known of it.
#[derive(Debug, Clone, PartialEq)]
pub struct SpanInfo {
    /// The span.
    pub span: Span,
    /// Its state's name.
    pub state: &'static str,
    /// Its state's role in the palette.
    pub role: &'static str,
    /// A few words that name it.
    pub title: String,
    /// The rest, in order: name and value.
    pub fields: Vec<(&'static str, Field)>,
}

/// A value, for the page to write in its own way.
#[derive(Debug, Clone, PartialEq)]
pub enum Field {
    /// Words.
    Text(String),
    /// A point in time.
    Time(Nanos),
    /// A duration.
    Duration(Nanos),
    /// A size in bytes.
    Bytes(u64),
}

/// Which way to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Later.
    Next,
    /// Earlier.
    Previous,
}

impl Model {
    /// Begins to look up what is drawn of a track in a pixel from `from` to `to`.
    #[must_use]
    pub fn look_up(&self, track: TrackId, from: Nanos, to: Nanos) -> Search {
        let to = to.max(from.plus(Nanos(1)));
        let pixel = Pixel { from, at: Nanos(from.0.midpoint(to.0)), to };
        let session = &self.session;
        let mut search = Search::new(Question::At(pixel), session.place_of(track));
        let known = match (track, search.of) {
            (TrackId::Activity, _) => Some(session.level_at(pixel, self.is_finished())),
            (_, Of::Collections) => session.told().lacks(capability::GC_WORKING).map(|flag| Place::Unknown(Some(flag))),
            (_, Of::Lane(at)) => match session.caps.streams.get(at) {
                Some(stream) => session.unknown_at(at, stream, pixel, self.is_finished()),
                None => Some(Place::Unknown(None)),
            },
            (_, Of::Nothing) => Some(Place::Unknown(None)),
        };
        match known {
            Some(place) => search.done(place),
            None => search.look(session),
        }
        search
    }

    /// Begins to look up the first span that begins after `time`, or the last one that begins before it. Idle time is none.
    #[must_use]
    pub fn neighbour(&self, track: TrackId, time: Nanos, direction: Direction) -> Search {
        let mut search = Search::new(Question::Beside(time, direction), self.session.place_of(track));
        search.look(&self.session);
        search
    }

    /// Goes on with what has been supplied.
    pub fn go_on(&self, search: &mut Search) {
        search.go_on(&self.session);
    }

    /// The answer; `None` as long as anything must be read.
    #[must_use]
    pub fn found<'a>(&self, search: &'a Search) -> Option<&'a Place> {
        search.place.as_ref()
    }
}

impl Session {
    /// Where a track's spans are looked for.
    fn place_of(&self, track: TrackId) -> Of {
        match track {
            TrackId::Activity => Of::Nothing,
            TrackId::Collections => Of::Collections,
            TrackId::Capability(cap) => self.caps.stream(Some(cap)).map_or(Of::Nothing, Of::Lane),
        }
    }

    /// Why nothing is known of a lane in a pixel, if so.
    fn unknown_at(&self, at: usize, stream: &CapEvents, pixel: Pixel, finished: bool) -> Option<Place> {
        let Pixel { from, to, .. } = pixel;
        let Some((first, mut last)) = stream.times() else { return Some(Place::Unknown(None)) };
        if !finished {
            // As far as it can be read again.
            last = self.index.stream(at).last().map_or(Nanos(0), |entry| entry.to);
        }
        if to > first && from <= last {
            return None;
        }
        Some(if finished || to <= first { Place::Unknown(None) } else { Place::Unread })
    }

    /// The mean of the lanes in a pixel: exactly where the window is drawn so.
    fn level_at(&self, pixel: Pixel, finished: bool) -> Place {
        let view = View { from: pixel.from, to: pixel.to, width: 1 };
        let segments = self.segments_in(view);
        let exact = finished && segments.iter().all(|segment| self.details.get(*segment).is_some());
        let plan = Plan { view, exact, reads: Vec::new(), segments };
        let here = self.running(&plan, exact).first().copied().unwrap_or_default();
        if here.known <= 0.0 {
            let read = self.extent().is_none_or(|(_, last)| pixel.from <= last);
            let lacks = self.told().lacks(capability::RUNNING);
            return if finished || read { Place::Unknown(lacks) } else { Place::Unread };
        }
        let known =
            self.caps.lanes().filter(|(_, stream)| stream.lasts(pixel.from, pixel.to) > Nanos(0)).count() as u64;
        // Before they have been read, those seen ahead count.
        let of = if known > 0 { known } else { self.caps.count() as u64 };
        Place::Level { running: here.ran / here.known * of as f64, of }
    }

    fn span_info(&self, span: Span) -> SpanInfo {
        let state = capability::STATES.get(usize::from(span.state)).copied().unwrap_or(crate::tracks::State::UNKNOWN);
        let mut fields = Vec::new();
        let mut title = state.name.to_string();
        if let Some(thread) = span.thread {
            title = self.thread_text(thread);
            fields.push(("Thread", Field::Text(thread.to_string())));
            fields.extend(self.threads.label(thread).map(|label| ("Label", Field::Text(label.to_string()))));
        }
        fields.push(("Start", Field::Time(span.start)));
        fields.push(("Duration", Field::Duration(span.end.since(span.start))));
        fields.extend(self.waited_on(span).map(|time| ("After the collection", Field::Duration(time))));
        fields.extend(ending_text(span.ending).map(|text| ("Ended", Field::Text(text.to_string()))));
        if span.open_start {
            fields.push(("Began", Field::Text("before the log".to_string())));
        }
        SpanInfo { span, state: state.name, role: state.role, title, fields }
    }

    /// How much of a helper's wait lies after the end of the collection that it helped with, as far as that is known: the
    /// collection is over, but the capability cannot be used yet.
    fn waited_on(&self, span: Span) -> Option<Nanos> {
        if span.state != capability::GC_WAIT {
            return None;
        }
        let rows = self.collections.rows();
        let begun = rows.get(..rows.partition_point(|row| row.start < span.end))?;
        let end = begun.last()?.end.max(span.start);
        Some(span.end.since(end)).filter(|after| *after > Nanos(0) && end < span.end)
    }

    fn gc_info(&self, gc: &Collection) -> SpanInfo {
        let span = self.collection_span(gc);
        let state = collections::STATES.get(usize::from(span.state)).copied().unwrap_or(crate::tracks::State::UNKNOWN);
        let mut fields = vec![("Start", Field::Time(gc.start)), ("Pause", Field::Duration(gc.elapsed()))];
        if let Some(requested) = gc.requested {
            fields.push(("Waited for the others", Field::Duration(gc.start.since(requested))));
        }
        if let Some(generation) = gc.generation {
            fields.push(("Generation", Field::Text(generation.to_string())));
            fields.push(("Copied", Field::Bytes(gc.copied_bytes)));
            fields.push(("Threads", Field::Text(gc.par_threads.to_string())));
        }
        fields.extend(gc.cap.map(|cap| ("Collected by", Field::Text(format!("HEC {cap}")))));
        SpanInfo { span, state: state.name, role: state.role, title: state.name.to_string(), fields }
    }
}

fn ending_text(ending: Ending) -> Option<&'static str> {
    match ending {
        Ending::Next => None,
        Ending::Stopped(reason) => Some(reason.map_or("for an unknown reason", StopReason::text)),
        Ending::Lost => Some("not in the log: something else began"),
        Ending::Open => Some("not in the log: it ends before"),
    }
}
