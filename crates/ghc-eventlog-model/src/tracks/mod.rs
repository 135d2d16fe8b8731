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
mod spark_events;
pub(crate) mod spark_pool;
pub(crate) mod spark_rates;
mod task;
pub(crate) mod thread;
mod time_profile;
pub(crate) mod user_spans;
mod wake_ups;

use crate::facts::explained::{self, Explained};
use crate::terms::{
    machine::{Dialect, Machine, Placed, Sink},
    tags::Tags,
    track::{Needs, TrackId},
};
use alloc::{vec, vec::Vec};
use capability::Lanes;
use ghc_eventlog::{CapNo, Nanos, Record};
use kind::{Kind, Tracks};
use machines::{MachineOf, Steps, are_distinct, is_among, kinds, sums_before, tags_but_of_lane};

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

    /// What must be done before it shows anything, or all.
    #[must_use]
    pub fn needs(self) -> Needs {
        self.tracks().map_or(Needs::default(), |(tracks, _)| tracks.needs())
    }

    /// What answers questions about it; `None` for a kind that there is not.
    pub(crate) fn tracks(self) -> Option<(&'static dyn Tracks, u32)> {
        KINDS.iter().find(|(number, _)| *number == self.kind).map(|(_, tracks)| (*tracks, self.of))
    }
}
