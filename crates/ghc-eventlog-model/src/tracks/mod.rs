//! Tracks: what is drawn in a row of its own. Each kind is one file, with its state machine, its description, its answers and
//! its tests, and has one line in the list of kinds below.
//!
//! For example, a new counter line is a file like `spark_pool.rs` and its line in the list, and nothing else in any language.
//! Its heading is one of those in `groups.rs`.

pub(crate) mod activity;
pub(crate) mod allocation;
pub(crate) mod capability;
pub(crate) mod collected;
pub(crate) mod collector;
pub(crate) mod counters;
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
mod line_pixels;
pub(crate) mod machines;
pub(crate) mod mem_return;
pub(crate) mod nonmoving;
pub(crate) mod other;
pub(crate) mod points;
mod sample_rate;
mod spark_events;
pub(crate) mod spark_pool;
pub(crate) mod spark_rates;
mod task;
pub(crate) mod thread;
mod thread_info;
pub(crate) mod time_profile;
pub(crate) mod user_spans;
mod wake_ups;

use crate::terms::{
    explained::{Explained, Thing},
    machine::{Dialect, Machine, Placed, Sink},
    tags::Tags,
    track::{Needs, TrackId},
};
use alloc::{vec, vec::Vec};
use capability::CapabilityTracks;
use ghc_eventlog::{CapNo, Nanos, Record};
use kind::{Kind, Tracks};
use machines::{MachineOf, Steps, are_distinct, is_among, kinds, sums_before, tags_but_of_lane};

kinds! {
    machines of at most 184 bytes:
    0 activity: activity::Activity,
    2 lane: capability::CapabilityTracks,
    1 collector: collected::CollectionsTrack,
    15 gc_sync: gc_sync::GcSync,
    16 nonmoving: nonmoving::NonMovingTrack,
    4 gc_requests: gc_requests::GcRequests,
    17 flushes: flushes::Flushes,
    5 live: heap::Live,
    6 blocks: heap::Blocks,
    7 heap_size: heap::Size,
    8 beyond_live: fragmentation::BeyondLive,
    9 beyond_blocks: fragmentation::BeyondBlocks,
    10 mem_return: mem_return::MemReturnTrack,
    11 allocation_in_all: allocation::AllocationInAll,
    12 allocation: allocation::Allocation,
    19 heap_profile: heap_profile::HeapProfileTrack,
    20 innermost: time_profile::InnermostFrames,
    21 sample_rate: sample_rate::SampleRate,
    3 spark_pool: spark_pool::SparkPool,
    13 spark_rates: spark_rates::SparkRates,
    26 spark_events: spark_events::SparkEvents,
    22 thread: thread::ThreadTracks,
    23 user_spans: user_spans::UserSpanTracks,
    27 counters: counters::CounterTracks,
    18 task: task::TaskTracks,
    25 other: other::Other,
}

/// A kind of tracks, by its name in the list of kinds.
fn explain<K: Kind>(key: &'static str) -> Explained {
    let section = K::TRACKS.heading().key();
    Explained { thing: Thing::Track, section, table: None, key, name: K::NAME, unit: None, about: K::ABOUT }
}

impl TrackId {
    /// Mean utilisation of all capabilities.
    pub const ACTIVITY: Self = Self::of::<activity::Activity>(0);
    /// Collections of all capabilities.
    pub const COLLECTIONS: Self = Self::of::<collected::CollectionsTrack>(0);

    /// Memory returned to the system.
    pub(crate) const RETURNED: Self = Self::of::<mem_return::MemReturnTrack>(0);
    /// Live data.
    pub(crate) const LIVE: Self = Self::of::<heap::Live>(0);
    /// Samples of the time profile per second.
    pub(crate) const SAMPLE_RATE: Self = Self::of::<sample_rate::SampleRate>(0);
    /// Phases of the non-moving collector.
    pub const NONMOVING: Self = Self::of::<nonmoving::NonMovingTrack>(0);
    /// The time before each collection, from its request on.
    pub const GC_SYNC: Self = Self::of::<gc_sync::GcSync>(0);

    /// The track of a capability's lane.
    #[must_use]
    pub const fn capability(cap: CapNo) -> Self {
        Self::of::<capability::CapabilityTracks>(cap.0 as u32)
    }

    /// The track of a thread, by its place.
    pub(crate) const fn thread(place: usize) -> Self {
        Self::of::<thread::ThreadTracks>(place as u32)
    }

    /// What must be done before it shows anything, or everything.
    #[must_use]
    pub fn needs(self) -> Needs {
        self.tracks().map_or(Needs::default(), |(tracks, _)| tracks.needs())
    }

    /// What its kind is called in [`explanations`](crate::explanations); empty if there is no such kind.
    #[must_use]
    pub fn kind(self) -> &'static str {
        NAMES_OF_KINDS.iter().find(|(number, _)| *number == self.kind).map_or("", |(_, name)| name)
    }

    /// What answers questions about it; `None` if there is no such kind.
    pub(crate) fn tracks(self) -> Option<(&'static dyn Tracks, u32)> {
        KINDS.iter().find(|(number, _)| *number == self.kind).map(|(_, tracks)| (*tracks, self.of))
    }
}
