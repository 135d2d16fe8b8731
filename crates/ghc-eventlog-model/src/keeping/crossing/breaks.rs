//! What happens to many threads at once.

use crate::terms::op::{Op, What};
use ghc_eventlog::{CapNo, Nanos, ThreadId};

/// Something that happens to many threads at once, which no event tells: see [`What::Unlogged`] and [`What::ProcessOver`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Break {
    pub(crate) time: Nanos,
    pub(crate) what: What,
    /// It happens to the threads with these numbers: the first one, and one after the last.
    pub(crate) threads: (u32, u32),
}

impl Break {
    pub(crate) fn is_about(&self, thread: ThreadId) -> bool {
        (self.threads.0..self.threads.1).contains(&thread.0)
    }

    pub(crate) fn op(&self, thread: ThreadId, cap: CapNo) -> Op {
        Op { time: self.time, thread, cap, what: self.what }
    }
}
