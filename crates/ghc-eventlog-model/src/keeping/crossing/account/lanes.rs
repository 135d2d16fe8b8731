//! What the account knows of each capability at a moment, and when capabilities come and go.

use crate::terms::op::Occupied;
use ghc_eventlog::{CapNo, Nanos, ThreadId};

/// What a capability does at a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Does {
    Idle,
    Run(ThreadId),
    Else(Occupied),
}

/// What is known of a capability.
#[derive(Debug, Clone, Copy)]
pub(super) struct AccountLane {
    pub(super) cap: CapNo,
    pub(super) does: Does,
    pub(super) since: Nanos,
    /// Whether it exists, and may be used.
    pub(super) exists: bool,
    pub(super) disabled: bool,
    /// How many threads are runnable that last ran there.
    pub(super) runnable: u32,
    /// For how long it was disabled and did nothing, up to `since`.
    pub(super) off: Nanos,
}

/// Bytes for a capability.
#[cfg(test)]
pub(crate) const LANE_BYTES: usize = size_of::<AccountLane>();

impl AccountLane {
    /// Whether it exists, and may be used, or is used: a thread in a foreign call comes back to its capability also if that is disabled.
    pub(super) fn counts(&self) -> bool {
        self.exists && !self.is_off()
    }

    /// Whether it is disabled and does nothing.
    pub(super) fn is_off(&self) -> bool {
        self.disabled && self.does == Does::Idle
    }

    /// The time that it is off has come up to `now`.
    pub(super) fn count_off(&mut self, now: Nanos) {
        if self.exists && self.is_off() {
            self.off = self.off.plus(now.since(self.since));
        }
        if self.does == Does::Idle {
            self.since = now;
        }
    }

    pub(super) fn is_idle(&self) -> bool {
        self.counts() && self.does == Does::Idle
    }
}

/// When a capability comes, goes, is disabled or enabled: known before the replay.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shift {
    pub(crate) time: Nanos,
    pub(crate) cap: CapNo,
    pub(crate) to: ShiftTo,
}

/// See [`Shift`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ShiftTo {
    Exists,
    Disabled,
    Enabled,
    Gone,
}
