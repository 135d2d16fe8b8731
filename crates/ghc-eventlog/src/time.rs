//! Time, and its only unit.

use core::fmt;

/// Nanoseconds on the runtime's monotonic clock (FORMAT 1.7): since the start of the process as a rule, since boot in
/// a forked child. Rebase on the smallest time of the log before showing it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Nanos(pub u64);

impl Nanos {
    /// One second.
    pub const SECOND: Self = Self(1_000_000_000);
    /// One millisecond.
    pub const MILLISECOND: Self = Self(1_000_000);
    /// The latest time there is.
    pub const MAX: Self = Self(u64::MAX);

    /// The time from `earlier` to here; 0 when it is not earlier.
    #[must_use]
    pub const fn since(self, earlier: Self) -> Self {
        Self(self.0.saturating_sub(earlier.0))
    }

    /// This much later, at most the latest time there is.
    #[must_use]
    pub const fn plus(self, later: Self) -> Self {
        Self(self.0.saturating_add(later.0))
    }
}

impl fmt::Display for Nanos {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ns", self.0)
    }
}
