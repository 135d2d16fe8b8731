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
    /// The log does not say. If a class of events is missing, the runtime flag that turns it on.
    Unknown(Option<&'static str>),
    /// This part of the file has not been read yet.
    Unread,
    /// Nothing.
    Empty,
    /// A mean over lanes.
    Level {
        /// How many of the lanes ran, on average.
        running: f64,
        /// How many of the lanes are known at that time.
        of: u64,
        /// What the lanes are, in the plural.
        what: &'static str,
    },
    /// A span.
    Span(SpanInfo),
    /// Several spans, too close together to be seen apart.
    Many {
        /// How many.
        count: u64,
        /// Whether there are more: counting all of them would mean reading too much of the file.
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
    /// The capability on which a thread did it. `None` if the track is the capability's own.
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

/// What was found at a place, or where to look for it.
pub(crate) enum Found {
    Place(Place),
    /// A place, and the offset of an event in the file whose text belongs to it.
    Event(Place, u64),
    /// A place, and the offsets of messages in the file that say more of it.
    Notes(Place, Vec<u64>),
    In(Source),
    /// First, what happens to threads in these segments must be at hand.
    Threads(Needed),
}

/// Where the spans of a track are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    /// In the lane of this stream.
    Lane(usize),
    /// Among the rows.
    Rows,
}

/// What must be at hand before a question can be answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Needed {
    pub(crate) segments: Vec<u32>,
    /// The only thread that matters, if it is known which.
    pub(crate) only: Option<ThreadId>,
}

/// The times where a pixel begins and ends, and the time at its middle.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pixel {
    pub(crate) from: Nanos,
    pub(crate) at: Nanos,
    pub(crate) to: Nanos,
    /// For a track that is drawn in parts: the part, such as a band.
    pub(crate) part: Option<u32>,
}

/// A span, and the place of its row.
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
    /// Adds what an event says to the fields.
    pub(crate) fn tell(&mut self, said: Vec<(&'static str, Value)>) {
        if let Self::Span(info) | Self::Many { longest: info, .. } = self {
            info.fields.extend(said);
        }
    }
}

impl Pixel {
    /// The pixel with half a pixel more on either side.
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
    /// What the other thread did there.
    pub(crate) place: Place,
    /// The time of the wake-up.
    pub(crate) moment: Option<Nanos>,
}
