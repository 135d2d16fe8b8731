//! A track, as it describes itself.

use crate::terms::{machine::Placed, value::Unit};
use alloc::vec::Vec;
use ghc_eventlog::Nanos;
use ghc_eventlog_text::LogText;

/// Which track: a kind of tracks, and which one of that kind.
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

    /// Which one of a kind it is, if it is of that.
    pub(crate) fn of_kind<K: Placed>(self) -> Option<u32> {
        (self.kind == K::NUMBER).then_some(self.of)
    }

    /// It as a number that never changes, below 2^40: what other languages, and links to a view, know it by.
    #[must_use]
    pub const fn number(self) -> u64 {
        ((self.kind as u64) << 32) + self.of as u64
    }

    /// The reverse of [`Self::number`]; what is none comes out as a track that no log has.
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
    /// A number that no state has.
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

/// How time in a state is painted: the page, pages that are saved and reports do it alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fill {
    /// An area of its colour.
    Full,
    /// Lines of its colour: the log does not tell, or nothing could be done.
    Hatched,
    /// Nothing: the row's ground is seen.
    Ground,
}

/// What a track looks like on the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// A lane: at any time in one state, or nothing is known; spans with text where they are wide enough.
    States,
    /// A level between 0 and 1, filled from below.
    Level,
    /// A line: at any time one value.
    Line {
        /// What the values are.
        unit: Unit,
        /// The largest one.
        most: u64,
        /// Its role in the palette.
        role: &'static str,
    },
    /// Bands, one on the other: at any time each has a value.
    Bands {
        /// What the values are.
        unit: Unit,
        /// The largest sum of all bands.
        most: u64,
    },
    /// At any time one of many names, or none: wide enough ones are written.
    Names,
    /// Moments.
    Points {
        /// Their role in the palette.
        role: &'static str,
    },
}

impl Shape {
    /// Its name: the page has a painter for each.
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

/// A track, describing itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Track {
    /// Which track, for the queries.
    pub id: TrackId,
    /// Its name.
    pub name: LogText<'static>,
    /// The heading that it stands under.
    pub group: &'static str,
    /// What it looks like.
    pub shape: Shape,
    /// Its states, by number.
    pub states: &'static [State],
    /// For each state, the flag of the runtime without which the log cannot tell it; `None` where it does.
    pub lacks: Vec<Option<&'static str>>,
    /// A figure that sums it up.
    pub note: Note,
    /// From when to when the log tells of it: outside, nothing is known. `None` for all of the log.
    pub known: Option<(Nanos, Nanos)>,
}

/// A figure that sums a track up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Note {
    /// A share between 0 and 1.
    Share(f64),
    /// A number of things, and the time that the longest took.
    Count(u64, Nanos),
    /// A number of things.
    Number(u64),
    /// A time, all in all.
    Time(Nanos),
    /// The largest value.
    Most(u64, Unit),
    /// The log does not tell, for want of this flag of the runtime.
    Lacks(&'static str),
}

/// What must be done before tracks show anything, or all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Needs {
    /// The log must be [gone through once more](crate::Model::replay).
    pub replay: bool,
    /// More of the file must be read for a window, to show what threads did: see [`Model::plan_with`](crate::Model::plan_with).
    pub thread_states: bool,
}
