//! What is at a place of a track.

use crate::terms::{
    machine::KeptRow,
    span::Span,
    track::{State, TrackId},
    value::Value,
};
use alloc::vec::Vec;
use ghc_eventlog::{CapNo, Nanos, ThreadId};
use ghc_eventlog_text::LogText;

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
        /// What they are of, in the plural.
        what: &'static str,
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
    pub title: LogText<'static>,
    /// The capability on which a thread did it, if its track is not that of the capability itself.
    pub cap: Option<CapNo>,
    /// The rest, in order: name and value.
    pub fields: Vec<(&'static str, Value)>,
}

/// Which way to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Later.
    Next,
    /// Earlier.
    Previous,
}

/// What is found of a place, or where it is to be looked for.
pub(crate) enum Found {
    Place(Place),
    /// What the event at an offset of the file says belongs to it.
    Event(Place, u64),
    In(Source),
    /// What happens to threads in these segments must be at hand first.
    Threads(Needed),
}

/// Where the spans of a track are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    /// In the lane of a stream.
    Lane(usize),
    /// Among the rows.
    Rows,
}

/// What must be at hand to answer a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Needed {
    pub(crate) segments: Vec<u32>,
    /// The only thread that matters, if that is known.
    pub(crate) only: Option<ThreadId>,
}

/// From when to when a pixel goes, and the time at its middle.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pixel {
    pub(crate) from: Nanos,
    pub(crate) at: Nanos,
    pub(crate) to: Nanos,
    /// Which part of what is drawn there, of a track that has such: a band.
    pub(crate) part: Option<u32>,
}

/// A span, and the row that it stands for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Item {
    pub(crate) span: Span,
    pub(crate) row: Option<KeptRow>,
}

impl SpanInfo {
    /// A span in a state, with some words and fields.
    pub(crate) fn of(
        span: Span,
        State { name, role }: State,
        title: impl Into<LogText<'static>>,
        fields: Vec<(&'static str, Value)>,
    ) -> Self {
        Self { span, state: name, role, title: title.into(), cap: None, fields }
    }
}

impl Place {
    /// Adds what an event says to what is told of it.
    pub(crate) fn tell(&mut self, said: Vec<(&'static str, Value)>) {
        if let Self::Span(info) | Self::Many { longest: info, .. } = self {
            info.fields.extend(said);
        }
    }
}

impl Pixel {
    /// With half a pixel on either side.
    pub(crate) fn wider(self) -> Self {
        let half = Nanos(self.to.since(self.from).0 / 2);
        Self { from: self.from.since(half), to: self.to.plus(half), ..self }
    }
}

/// Where a wake-up leads.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct WakeUp {
    /// The track of the other thread.
    pub(crate) track: TrackId,
    /// What it did there.
    pub(crate) place: Place,
    /// When the one was woken up by the other.
    pub(crate) moment: Option<Nanos>,
}
