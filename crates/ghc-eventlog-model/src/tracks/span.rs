//! What the tracks are made of.

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
    /// The thread stopped, for a reason if it is a known one.
    Stopped(Option<StopReason>),
    /// Something else began without this having ended: its end is missing in the log.
    Lost,
    /// The log, or what there is of this capability, ends here.
    Open,
}

/// A garbage collection, seen from the capability that did it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Collection {
    /// GC_START of the collecting capability.
    pub start: Nanos,
    /// Its GC_END.
    pub end: Nanos,
    /// When it was requested, if that is in the log: before `start`.
    pub requested: Option<Nanos>,
    /// The collecting capability; `None` in logs without blocks.
    pub cap: Option<CapNo>,
    /// The oldest generation collected; `None` if the log does not tell.
    pub generation: Option<u16>,
    /// Threads of the collector, as configured.
    pub par_threads: u32,
    /// Bytes copied.
    pub copied_bytes: u64,
}

impl Collection {
    /// The pause.
    #[must_use]
    pub fn elapsed(&self) -> Nanos {
        self.end.since(self.start)
    }
}
