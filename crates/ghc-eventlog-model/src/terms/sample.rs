//! Values and numbers at one time.

use ghc_eventlog::Nanos;

/// A value at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sample {
    pub(crate) time: Nanos,
    pub(crate) value: u64,
}

/// What happened, in a few numbers: the kind says what they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NumbersAt {
    pub(crate) time: Nanos,
    pub(crate) numbers: [u64; 3],
}

impl NumbersAt {
    /// The first number, which is what there was.
    pub(crate) fn had(&self) -> u64 {
        self.numbers.first().copied().unwrap_or_default()
    }
}
