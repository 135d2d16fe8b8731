//! What the non-moving collector does.

use ghc_eventlog::Nanos;

/// A phase that is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Phase {
    pub(crate) start: Nanos,
    pub(crate) end: Nanos,
    /// The state's number on the track.
    pub(crate) state: u8,
}

/// The state's number where the program is stopped.
pub(crate) const SYNC: usize = 1;

/// What the non-moving heap holds in blocks of one size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Census {
    pub(crate) time: Nanos,
    pub(crate) block_bytes: u16,
    pub(crate) active_segments: u32,
    pub(crate) filled_segments: u32,
    pub(crate) live_blocks: u32,
}

impl Census {
    /// Bytes of the blocks that are in use.
    pub(crate) fn live_bytes(&self) -> u64 {
        u64::from(self.block_bytes) * u64::from(self.live_blocks)
    }
}
