//! Tracks: what is drawn in a row of its own. Each kind is one file, with its state machine, its description, its answers and
//! its tests, and stands once in the list of kinds below.
//!
//! A new counter line, say, is a file like `spark_pool.rs` and its line in the list: nothing else, in no language. What it stands
//! under is one of the headings in `groups.rs`.

mod activity;
pub(crate) mod allocation;
pub(crate) mod capability;
pub(crate) mod collected;
pub(crate) mod few;
pub(crate) mod flushes;
mod fragmentation;
mod gc_requests;
mod gc_sync;
pub(crate) mod groups;
pub(crate) mod heap;
pub(crate) mod heap_profile;
mod in_all;
pub(crate) mod kind;
pub(crate) mod line;
pub(crate) mod machines;
pub(crate) mod mem_return;
pub(crate) mod nonmoving;
pub(crate) mod other;
pub(crate) mod points;
mod sample_rate;
pub(crate) mod span;
mod spark_events;
pub(crate) mod spark_pool;
pub(crate) mod spark_rates;
mod task;
pub(crate) mod thread;
mod time_profile;
pub(crate) mod user_spans;
pub(crate) mod wake_ups;

use crate::facts::value::Unit;
use alloc::vec::Vec;
use ghc_eventlog::{CapNo, Nanos, Record};
use ghc_eventlog_text::LogText;
use kind::{Kind, Placed, Tracks};
use machines::{Dialect, LANE_BIT, Machine, MachineOf, Sink, Steps, Tags, is_among, kinds, sums_before, with_bit};

kinds! {
    machines of at most 184 bytes:
    0 activity: activity::Activity,
    2 lane: capability::Lanes,
    1 collector: collected::Collected,
    15 gc_sync: gc_sync::GcSync,
    16 nonmoving: nonmoving::NonMoving,
    4 gc_requests: gc_requests::GcRequests,
    17 flushes: flushes::Flushes,
    5 live: heap::Live,
    6 blocks: heap::Blocks,
    7 heap_size: heap::Size,
    8 beyond_live: fragmentation::BeyondLive,
    9 beyond_blocks: fragmentation::BeyondBlocks,
    10 mem_return: mem_return::Returned,
    11 allocation_in_all: allocation::AllocationInAll,
    12 allocation: allocation::Allocation,
    19 heap_profile: heap_profile::Bands,
    20 innermost: time_profile::InnermostFrames,
    21 sample_rate: sample_rate::SampleRate,
    3 spark_pool: spark_pool::SparkPool,
    13 spark_rates: spark_rates::SparkRates,
    26 spark_events: spark_events::SparkEvents,
    22 thread: thread::Threads,
    23 user_spans: user_spans::UserSpans,
    18 task: task::Task,
    25 other: other::Other,
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

/// Which track: a kind of tracks, and which one of that kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TrackId {
    kind: u8,
    of: u32,
}

impl TrackId {
    /// Mean utilisation of all capabilities.
    pub const ACTIVITY: Self = Self::of::<activity::Activity>(0);
    /// Collections of all capabilities.
    pub const COLLECTIONS: Self = Self::of::<collected::Collected>(0);

    /// Memory returned to the system.
    pub(crate) const RETURNED: Self = Self::of::<mem_return::Returned>(0);
    /// Live data.
    pub(crate) const LIVE: Self = Self::of::<heap::Live>(0);
    /// Samples of the time profile per second.
    pub(crate) const SAMPLE_RATE: Self = Self::of::<sample_rate::SampleRate>(0);
    /// Phases of the non-moving collector.
    pub const NONMOVING: Self = Self::of::<nonmoving::NonMoving>(0);
    /// What comes before collections, from their requests on.
    pub const GC_SYNC: Self = Self::of::<gc_sync::GcSync>(0);

    /// A capability's lane.
    #[must_use]
    pub const fn capability(cap: CapNo) -> Self {
        Self::of::<capability::Lanes>(cap.0 as u32)
    }

    /// A thread's, by its place.
    pub(crate) const fn thread(place: usize) -> Self {
        Self::of::<thread::Threads>(place as u32)
    }

    /// A track of some kind.
    pub(crate) const fn of<K: Placed>(of: u32) -> Self {
        Self { kind: K::NUMBER, of }
    }

    /// Whether it is that of a thread, or of threads of one label.
    #[must_use]
    pub const fn is_thread(self) -> bool {
        self.kind == thread::Threads::NUMBER
    }

    /// Which one of a kind it is, if it is of that.
    pub(crate) fn of_kind<K: Placed>(self) -> Option<u32> {
        (self.kind == K::NUMBER).then_some(self.of)
    }

    /// Whether there is nothing to be seen on it before the log has been [gone through once more](crate::Model::replay).
    #[must_use]
    pub const fn is_of_replay(self) -> bool {
        self.is_thread() || self.kind == user_spans::UserSpans::NUMBER
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

    /// What answers questions about it; `None` for a kind that there is not.
    pub(crate) fn tracks(self) -> Option<(&'static dyn Tracks, u32)> {
        KINDS.iter().find(|(number, _)| *number == self.kind).map(|(_, tracks)| (*tracks, self.of))
    }
}
