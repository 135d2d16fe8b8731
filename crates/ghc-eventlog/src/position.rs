//! Positions between two records of a log, with what the decoder knows there.

use crate::{CapNo, Nanos, limits::MAX_TIME_OPEN};

/// A place between two records from which decoding can continue, with what is known about the block there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// Bytes from the start of the file.
    pub offset: u64,
    /// The capability of the open block.
    pub cap: Option<CapNo>,
    /// Where the open block ends; [`NO_BLOCK`] outside of blocks.
    pub(crate) block_end: u64,
    /// Times that its events can have.
    pub(crate) times: (Nanos, Nanos),
    /// The time of the previous event in the block.
    pub(crate) last_time: Nanos,
    /// The time of the last event before the block.
    pub(crate) before: Nanos,
    /// The index of the header that frames the records, among those read so far.
    pub(crate) header: u16,
}

impl Position {
    /// This position as the end of the record before it.
    #[must_use]
    pub const fn end(&self) -> End {
        End { offset: self.offset, of_block: self.block_end == NO_BLOCK }
    }

    /// Nearly every time is at or above this, and then needs no further check.
    #[inline]
    pub(crate) fn floor(&self) -> Nanos {
        self.last_time.max(self.times.0)
    }

    /// Moves past a record that ends at `end`.
    #[inline]
    pub(crate) fn step_over(&mut self, time: Nanos, end: u64) {
        self.offset = end;
        self.last_time = time;
        if end >= self.block_end {
            self.leave_block();
        }
    }

    /// Outside of blocks there are either records of a log without blocks, or what damage left, such as zeros. So a
    /// time that is far from the previous ones must be confirmed by the records that follow.
    pub(crate) fn leave_block(&mut self) {
        let before = self.latest();
        let times = if before > Nanos(0) { (Nanos(0), before.plus(MAX_TIME_OPEN)) } else { ANY_TIME };
        let Self { offset, header, .. } = *self;
        *self = Self { offset, header, before, times, last_time: before, ..START };
    }

    /// The time of the last event, in this block or an earlier one.
    #[must_use]
    pub fn latest(&self) -> Nanos {
        if self.last_time > Nanos(0) { self.last_time } else { self.before }
    }
}

/// The `block_end` outside of blocks.
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
