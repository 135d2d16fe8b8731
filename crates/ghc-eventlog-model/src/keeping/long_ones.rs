//! What exceeds a limit, of lengths of time: exact, also where there are too many to keep a row of each.

use ghc_eventlog::Nanos;

/// How many lengths exceed a limit, and their sum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct LongOnes {
    pub(crate) count: u64,
    pub(crate) sum: Nanos,
    /// The longest of all, also if that does not exceed the limit.
    pub(crate) longest: Nanos,
}

impl LongOnes {
    pub(crate) fn add(&mut self, length: Nanos, limit: Nanos) {
        self.longest = self.longest.max(length);
        if length > limit {
            self.count += 1;
            self.sum = self.sum.plus(length);
        }
    }

    /// Those of both.
    pub(crate) fn with(self, other: Self) -> Self {
        Self {
            count: self.count + other.count,
            sum: self.sum.plus(other.sum),
            longest: self.longest.max(other.longest),
        }
    }
}
