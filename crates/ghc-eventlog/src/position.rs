//! Places in a log, between two records: what a decoder knows there.

use crate::{CapNo, Nanos, limits::MAX_TIME_OPEN};

/// A place in a log from which decoding can go on: between two records, with what is known there of the block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// Bytes from the start of the file.
    pub offset: u64,
    /// The capability of the open block.
    pub cap: Option<CapNo>,
    /// Where the open block ends; the largest number outside of blocks.
    pub(crate) block_end: u64,
    /// Times that its events can have.
    pub(crate) times: (Nanos, Nanos),
    /// The time of the event before, within the block.
    pub(crate) last_time: Nanos,
    /// The time of the last event before the block.
    pub(crate) before: Nanos,
    /// Which header, of those read so far, frames the records.
    pub(crate) header: u16,
}

impl Position {
    /// The place as the end of the record before it.
    #[must_use]
    pub const fn end(&self) -> End {
        End { offset: self.offset, of_block: self.block_end == NO_BLOCK }
    }

    /// What times are nearly always above: nothing more needs to be asked of them then.
    #[inline]
    pub(crate) fn floor(&self) -> Nanos {
        self.last_time.max(self.times.0)
    }

    /// Goes past a record that ends at `end`.
    #[inline]
    pub(crate) fn step_over(&mut self, time: Nanos, end: u64) {
        self.offset = end;
        self.last_time = time;
        if end >= self.block_end {
            self.leave_block();
        }
    }

    /// Outside of blocks only what logs without them have may stand, and what damage leaves: zeros, say. Times that are far
    /// from those before must be vouched for.
    pub(crate) fn leave_block(&mut self) {
        let before = self.latest();
        let times = if before > Nanos(0) { (Nanos(0), before.plus(MAX_TIME_OPEN)) } else { ANY_TIME };
        let Self { offset, header, .. } = *self;
        *self = Self { offset, header, before, times, last_time: before, ..START };
    }

    /// The time of the last event, in whichever block.
    #[must_use]
    pub fn latest(&self) -> Nanos {
        if self.last_time > Nanos(0) { self.last_time } else { self.before }
    }
}

/// Outside of blocks.
pub(crate) const NO_BLOCK: u64 = u64::MAX;
pub(crate) const ANY_TIME: (Nanos, Nanos) = (Nanos(0), Nanos::MAX);
pub(crate) const START: Position = Position {
    offset: 0,
    cap: None,
    block_end: NO_BLOCK,
    times: ANY_TIME,
    last_time: Nanos(0),
    before: Nanos(0),
    header: 0,
};

/// Where a record ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct End {
    /// Bytes from the start of the file.
    pub offset: u64,
    /// Whether its block ends with it.
    pub of_block: bool,
}
