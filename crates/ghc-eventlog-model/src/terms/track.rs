//! A track's description of itself.

use crate::terms::{machine::Placed, value::Unit};
use alloc::vec::Vec;
use ghc_eventlog::Nanos;
use ghc_eventlog_text::LogText;

/// Identifies a track: its kind, and its number within that kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TrackId {
    pub(crate) kind: u8,
    pub(crate) of: u32,
}

impl TrackId {
    /// A track of some kind.
    pub(crate) const fn of<K: Placed>(of: u32) -> Self {
        Self { kind: K::NUMBER, of }
    }

    /// Its number within a kind, if it is of that kind.
    pub(crate) fn of_kind<K: Placed>(self) -> Option<u32> {
        (self.kind == K::NUMBER).then_some(self.of)
    }

    /// A number below 2^40 that never changes. Other languages, and links to a view, identify the track by it.
    #[must_use]
    pub const fn number(self) -> u64 {
        ((self.kind as u64) << 32) + self.of as u64
    }

    /// The reverse of [`Self::number`]. A number that is no track's gives a track that no log has.
    #[must_use]
    pub fn from_number(number: u64) -> Self {
        Self { kind: u8::try_from(number >> 32).unwrap_or(u8::MAX), of: number as u32 }
    }
}

/// A state of a track, as the page shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct State {
    /// Its name, for people.
    pub name: &'static str,
    /// Its role in the palette.
    pub role: &'static str,
}

impl State {
    /// For a number that no state has.
    pub(crate) const UNKNOWN: Self = Self { name: "unknown", role: "muted" };

    /// How time in it is painted.
    #[must_use]
    pub fn fill(&self) -> Fill {
        match self.role {
            "idle" => Fill::Ground,
            "hatch" => Fill::Hatched,
            _ => Fill::Full,
        }
    }
}

/// How time in a state is painted. The page, saved pages and reports all use it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fill {
    /// An area of its colour.
    Full,
    /// Lines of its colour: the log does not say, or nothing could be done.
    Hatched,
    /// Nothing: the row's background shows.
    Ground,
}

/// What a track looks like on the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// A lane: in one state at any time, or unknown; spans have text where they are wide enough.
    States,
    /// A level between 0 and 1, filled from the bottom.
    Level,
    /// A line: one value at any time.
    Line {
        /// What the values are.
        unit: Unit,
        /// The largest one.
        most: u64,
        /// How far the smallest one is below 0.
        below: u64,
        /// Its role in the palette.
        role: &'static str,
    },
    /// Stacked bands: each has a value at any time.
    Bands {
        /// What the values are.
        unit: Unit,
        /// The largest sum of all bands.
        most: u64,
    },
    /// One of many names at any time, or none; wide spans show their name.
    Names,
    /// Moments.
    Points {
        /// Their role in the palette.
        role: &'static str,
    },
}

impl Shape {
    /// The shape's name: the page has a painter for each.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::States => "states",
            Self::Level => "level",
            Self::Line { .. } => "line",
            Self::Bands { .. } => "bands",
            Self::Names => "names",
            Self::Points { .. } => "points",
        }
    }
}

/// A track's description of itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Track {
    /// Its identity, for queries.
    pub id: TrackId,
    /// Its name.
    pub name: LogText<'static>,
    /// The heading above it.
    pub group: &'static str,
    /// What it looks like.
    pub shape: Shape,
    /// Its states, by number.
    pub states: &'static [State],
    /// For each state, the runtime flag that the log needs to show it; `None` if the log shows it.
    pub lacks: Vec<Option<&'static str>>,
    /// A figure that summarizes it.
    pub note: Note,
    /// From when to when the log has data for it: outside, nothing is known. `None` for the whole log.
    pub known: Option<(Nanos, Nanos)>,
}

/// A figure that summarizes a track.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Note {
    /// A share between 0 and 1.
    Share(f64),
    /// A number of things, and the time that the longest took.
    Count(u64, Nanos),
    /// A number of things.
    Number(u64),
    /// A total time.
    Time(Nanos),
    /// The largest value.
    Most(u64, Unit),
    /// The log does not say: it was written without this runtime flag.
    Lacks(&'static str),
}

/// What must be done before tracks show anything, or everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Needs {
    /// The log must be [gone through once more](crate::Model::replay).
    pub replay: bool,
    /// More of the file must be read to show what threads did in a window: see [`Model::plan_with`](crate::Model::plan_with).
    pub thread_states: bool,
    /// The same to show user spans, if there are too many to keep them all.
    pub user_spans: bool,
}

impl Needs {
    /// What tracks with either needs need.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Self {
            replay: self.replay || other.replay,
            thread_states: self.thread_states || other.thread_states,
            user_spans: self.user_spans || other.user_spans,
        }
    }
}
