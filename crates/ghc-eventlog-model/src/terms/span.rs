//! What tracks are made of.

use core::num::NonZeroU64;
use ghc_eventlog::{CapNo, Nanos, StopReason, ThreadId};

/// A stretch of time in which a capability was in one state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// When it began.
    pub start: Nanos,
    /// When it ended.
    pub end: Nanos,
    /// The thread that ran, in a state that has one.
    pub thread: Option<ThreadId>,
    /// The state's number on its track.
    pub state: u8,
    /// How it ended.
    pub ending: Ending,
    /// Whether it may have begun earlier, before what the log shows.
    pub open_start: bool,
}

/// How a span ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ending {
    /// The next state followed.
    #[default]
    Next,
    /// The thread stopped: the reason, if it is known.
    Stopped(Option<StopReason>),
    /// Something else began although this had not ended: its end is missing in the log.
    Lost,
    /// Its end was not logged, since its class of events was switched off meanwhile: what happened after this is not known.
    Unlogged,
    /// The log ends here, or this capability's events do.
    Open,
}

/// A time for which `Option` takes no extra room. The largest nanosecond that a `u64` can hold cannot be stored: it counts as
/// no time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment(NonZeroU64);

impl Moment {
    /// At a time.
    #[must_use]
    pub fn at(time: Nanos) -> Option<Self> {
        NonZeroU64::new(!time.0).map(Self)
    }

    /// The time.
    #[must_use]
    pub fn time(self) -> Nanos {
        Nanos(!self.0.get())
    }
}

/// A garbage collection, seen from the capability that did it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Collection {
    /// GC_START of the collecting capability.
    pub start: Nanos,
    /// Its GC_END.
    pub end: Nanos,
    /// When it was requested, if that is in the log: before `start`.
    pub requested: Option<Moment>,
    /// GC_GLOBAL_SYNC, if that is in the log.
    pub synced: Option<Moment>,
    /// The collecting capability; `None` in logs without blocks.
    pub cap: Option<CapNo>,
    /// The oldest generation collected; `None` if the log does not say.
    pub generation: Option<u16>,
    /// The number of GC threads, as configured.
    pub par_threads: u32,
    /// Bytes copied.
    pub copied_bytes: u64,
    /// Bytes of slop: memory in use that holds nothing, at the ends of blocks.
    pub slop_bytes: u64,
    /// Bytes of memory that the runtime holds and does not use.
    pub fragmentation_bytes: u64,
    /// For a parallel collection: how evenly the GC threads shared the copying, from 0 to [`Self::EVENLY`].
    pub balance: Option<u16>,
}

impl Collection {
    /// The balance of a collection whose threads all copied the same amount.
    pub const EVENLY: u16 = 10_000;

    /// How evenly the GC threads shared the copying, from 0 to 1.
    #[must_use]
    pub fn balance(&self) -> Option<f64> {
        Some(f64::from(self.balance?) / f64::from(Self::EVENLY))
    }

    /// From its request to GC_GLOBAL_SYNC.
    #[must_use]
    pub fn sync(&self) -> Option<Nanos> {
        Some(self.synced?.time().since(self.requested?.time()))
    }

    /// From its request to its begin: the time that the collecting capability waited for the others.
    #[must_use]
    pub fn waited(&self) -> Option<Nanos> {
        Some(self.start.since(self.requested?.time()))
    }

    /// Whether it had more than one thread.
    #[must_use]
    pub fn is_parallel(&self) -> bool {
        self.par_threads > 1
    }

    /// The pause.
    #[must_use]
    pub fn elapsed(&self) -> Nanos {
        self.end.since(self.start)
    }
}
