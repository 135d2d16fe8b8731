//! Stretches of time in which something was so: the longest ones on capabilities, and those in which threads had to wait for one.

use crate::limits;
use ghc_eventlog::{CapNo, Nanos, ThreadId};

/// A stretch of time on a capability.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CapStretch {
    pub(crate) from: Nanos,
    pub(crate) to: Nanos,
    /// The capability; the global number if it may be any.
    pub(crate) cap: CapNo,
    /// The thread that ran; 0 if none did.
    pub(crate) thread: ThreadId,
}

impl CapStretch {
    pub(super) const NONE: Self = Self { from: Nanos(0), to: Nanos(0), cap: CapNo::GLOBAL, thread: ThreadId(0) };

    pub(crate) fn length(&self) -> Nanos {
        self.to.since(self.from)
    }

    /// Becomes another one, if that is longer.
    pub(super) fn make_longest(&mut self, other: Self) {
        if other.length() > self.length() {
            *self = other;
        }
    }
}

/// The stretches of time in which any capability was idle although threads could run.
#[derive(Debug, Default)]
pub(crate) struct Gaps {
    open: Option<(Nanos, Nanos)>,
    pub(crate) count: u64,
    /// The time in all of them that is over, and in those that are short.
    pub(crate) total: Nanos,
    pub(crate) short: Nanos,
}

impl Gaps {
    /// It is so from one time to another, perhaps since earlier.
    #[inline]
    pub(super) fn go_on(&mut self, from: Nanos, to: Nanos) {
        match &mut self.open {
            Some((_, until)) if *until == from => *until = to,
            open => {
                let over = open.replace((from, to));
                self.over(over);
            }
        }
    }

    /// The log is over, and with it what goes on.
    pub(super) fn finish(&mut self) {
        let open = self.open.take();
        self.over(open);
    }

    fn over(&mut self, gap: Option<(Nanos, Nanos)>) {
        let Some(length) = gap.map(|(from, to)| to.since(from)) else { return };
        self.count += 1;
        self.total = self.total.plus(length);
        if length < limits::SHORT_GAP {
            self.short = self.short.plus(length);
        }
    }
}

/// Something was so from one time to another, perhaps since earlier.
pub(super) fn goes_on(open: &mut CapStretch, longest: &mut CapStretch, from: Nanos, to: Nanos) {
    let since = if open.to == from { open.from } else { from };
    *open = CapStretch { from: since, to, ..CapStretch::NONE };
    longest.make_longest(*open);
}
