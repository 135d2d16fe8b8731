//! What a track did in a range of time.

use alloc::vec::Vec;
use ghc_eventlog::Nanos;

/// What a track did in a range of time.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RangeTotals {
    /// The time in each of its states. What lies across an edge of the range counts with the part that is inside.
    pub states: Vec<Nanos>,
    /// How many things began in it, on a track that counts them.
    pub count: Option<u64>,
}
