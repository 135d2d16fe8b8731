//! The span at a point of a track, all that is known of it, and its neighbours.

use crate::{
    gc::Collections,
    index::Entry,
    model::Model,
    span::{Collection, Ending, Span},
    state::State,
    tracks::{TrackId, capability, collections},
    window::collection_span,
};
use alloc::{
    format,
    string::{String, ToString},
    vec,
    vec::Vec,
};
use ghc_eventlog::{Nanos, StopReason};

/// The answer to a question that may need a piece of the file.
#[derive(Debug, Clone, PartialEq)]
pub enum Lookup<T> {
    /// The answer; `None` if there is nothing.
    Found(Option<T>),
    /// So many bytes from this offset on must be supplied first ([`Model::supply`]); then ask again.
    Read {
        /// In bytes from the start of the file.
        offset: u64,
        /// In bytes.
        length: u64,
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

/// Leaves the function with what must be read, unless it is at hand.
macro_rules! at_hand {
    ($lookup:expr) => {
        match $lookup {
            Ok(detail) => detail,
            Err((offset, length)) => return Lookup::Read { offset, length },
        }
    };
}

impl Model {
    /// The span of a track at a time.
    #[must_use]
    pub fn span_at(&self, track: TrackId, time: Nanos) -> Lookup<SpanInfo> {
        let state = &self.state;
        match track {
            TrackId::Activity => Lookup::Found(None),
            TrackId::Collections => Lookup::Found(collection_at(&state.collections, time).map(|gc| state.gc_info(gc))),
            TrackId::Capability(cap) => match state.caps.stream(Some(cap)) {
                Some(stream) => state.lane_span(stream, time),
                None => Lookup::Found(None),
            },
        }
    }

    /// The start of the first span that begins after `time`, or of the last one that begins before it.
    #[must_use]
    pub fn neighbour(&self, track: TrackId, time: Nanos, direction: Direction) -> Lookup<Nanos> {
        let state = &self.state;
        match track {
            TrackId::Activity => Lookup::Found(None),
            TrackId::Collections => {
                let rows = state.collections.rows();
                let found = match direction {
                    Direction::Next => rows.get(rows.partition_point(|row| row.start <= time)),
                    Direction::Previous => {
                        rows.get(..rows.partition_point(|row| row.start < time)).and_then(<[_]>::last)
                    }
                };
                Lookup::Found(found.map(|row| row.start))
            }
            TrackId::Capability(cap) => match state.caps.stream(Some(cap)) {
                Some(stream) => state.lane_neighbour(stream, time, direction),
                None => Lookup::Found(None),
            },
        }
    }
}

/// The collection at a time. They do not overlap, save by a few µs where clocks differ.
fn collection_at(collections: &Collections, time: Nanos) -> Option<&Collection> {
    let rows = collections.rows();
    let before = rows.get(..rows.partition_point(|row| row.start <= time))?;
    before.iter().rev().take(4).find(|row| time < row.end)
}

/// The entries in which a lane turns to something else. The others need not be read to know that no span begins there,
/// however many there are: more than the cache holds, on a capability that idles.
fn turning(entries: &[Entry]) -> impl DoubleEndedIterator<Item = &Entry> {
    entries.iter().enumerate().filter_map(|(at, entry)| {
        let turns = entries.get(at + 1).is_none_or(|next| next.machines.lane != entry.machines.lane);
        turns.then_some(entry)
    })
}

impl State {
    /// A segment's spans of one stream, or what must be read for them.
    fn lane_of(&self, stream: usize, entry: &Entry) -> Result<&[Span], (u64, u64)> {
        if let Some(detail) = self.details.get(entry.segment) {
            return Ok(detail.lane(stream));
        }
        Err(self.read_of(entry.segment).unwrap_or_default())
    }

    fn lane_span(&self, stream: usize, time: Nanos) -> Lookup<SpanInfo> {
        let entries = self.index.stream(stream);
        for (at, entry) in entries.iter().enumerate().filter(|(_, entry)| entry.from <= time && time <= entry.to) {
            let lane = at_hand!(self.lane_of(stream, entry));
            let Some(span) = lane.iter().find(|span| span.start <= time && time < span.end) else { continue };
            if span.ending != Ending::Open {
                return Lookup::Found(Some(self.span_info(*span)));
            }
            // Open at the segment's end: it ends in the last of the entries that begin with it still open.
            let behind = entries.get(at + 1..).unwrap_or_default();
            let going_on = behind.iter().take_while(|next| next.machines.lane.since() == span.start);
            let Some(last) = going_on.last() else { return Lookup::Found(Some(self.span_info(*span))) };
            let lane = at_hand!(self.lane_of(stream, last));
            let whole = lane.iter().find(|whole| whole.start == span.start).unwrap_or(span);
            return Lookup::Found(Some(self.span_info(*whole)));
        }
        Lookup::Found(None)
    }

    fn lane_neighbour(&self, stream: usize, time: Nanos, direction: Direction) -> Lookup<Nanos> {
        let entries = self.index.stream(stream);
        match direction {
            Direction::Next => {
                for entry in turning(entries).filter(|entry| entry.to > time) {
                    let lane = at_hand!(self.lane_of(stream, entry));
                    if let Some(span) = lane.iter().find(|span| span.start > time && span.start < span.end) {
                        return Lookup::Found(Some(span.start));
                    }
                }
            }
            Direction::Previous => {
                for entry in turning(entries).rev().filter(|entry| entry.reaches_back_to() < time) {
                    let lane = at_hand!(self.lane_of(stream, entry));
                    if let Some(span) = lane.iter().rfind(|span| span.start < time && span.start < span.end) {
                        return Lookup::Found(Some(span.start));
                    }
                }
            }
        }
        Lookup::Found(None)
    }

    fn span_info(&self, span: Span) -> SpanInfo {
        let state = capability::STATES.get(usize::from(span.state)).copied().unwrap_or(capability::STATES[0]);
        let mut fields = Vec::new();
        let mut title = state.name.to_string();
        if let Some(thread) = span.thread {
            title = self.thread_text(thread);
            fields.push(("Thread", Field::Text(thread.to_string())));
            fields.extend(self.threads.label(thread).map(|label| ("Label", Field::Text(label.to_string()))));
        }
        fields.push(("Start", Field::Time(span.start)));
        fields.push(("Duration", Field::Duration(span.end.since(span.start))));
        fields.extend(ending_text(span.ending).map(|text| ("Ended", Field::Text(text.to_string()))));
        if span.open_start {
            fields.push(("Began", Field::Text("before the log".to_string())));
        }
        SpanInfo { span, state: state.name, role: state.role, title, fields }
    }

    fn gc_info(&self, gc: &Collection) -> SpanInfo {
        let span = collection_span(gc, self.collections.oldest());
        let state = collections::STATES.get(usize::from(span.state)).copied().unwrap_or(collections::STATES[0]);
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
