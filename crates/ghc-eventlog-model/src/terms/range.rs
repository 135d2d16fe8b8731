//! What a track did in a range of time.

use alloc::vec::Vec;
use ghc_eventlog::Nanos;

/// What a track did in a range of time.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RangeTotals {
    /// The time in each of its states. A span that crosses an edge of the range counts with the part inside.
    pub states: Vec<Nanos>,
    /// How many things began in the range, on a track that counts them.
    pub count: Option<u64>,
}
