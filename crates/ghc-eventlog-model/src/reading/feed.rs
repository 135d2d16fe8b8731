//! Chunks of any size in, whole records out: the unused rest of a chunk is put before the next one.

use alloc::vec::Vec;
use ghc_eventlog::Chunk;

/// Bytes of the new chunk appended to the leftover: enough for nearly any record that lies across both. To a longer leftover,
/// as many as it has are appended, so it doubles.
const BRIDGE: usize = 1 << 10;

/// What has been fed but not used yet.
#[derive(Debug, Default)]
pub(crate) struct Leftover {
    bytes: Vec<u8>,
    /// Where it begins, in bytes from the start of the file.
    offset: u64,
}

impl Leftover {
    /// Passes `bytes`, appended to the leftover of earlier bytes, to `use_up`, which returns the offset up to which it has
    /// used them.
    pub(crate) fn feed(&mut self, mut bytes: &[u8], mut use_up: impl FnMut(Chunk<'_>) -> u64) {
        while !self.bytes.is_empty() && !bytes.is_empty() {
            let left = self.bytes.len();
            let (bridge, after) = bytes.split_at(bytes.len().min(left.max(BRIDGE)));
            self.bytes.extend_from_slice(bridge);
            let used = (use_up(self.chunk(false)) - self.offset) as usize;
            if used >= left {
                // The leftover is used up: what follows can be used without copying it.
                bytes = bytes.get(used - left..).unwrap_or_default();
                self.offset += used as u64;
                self.bytes.clear();
            } else {
                self.bytes.drain(..used);
                self.offset += used as u64;
                bytes = after;
            }
        }
        if !bytes.is_empty() {
            let used = use_up(Chunk { bytes, offset: self.offset, last: false });
            let rest = bytes.get((used - self.offset) as usize..).unwrap_or_default();
            self.bytes.extend_from_slice(rest);
            self.offset = used;
        }
    }

    /// Passes on the leftover when no more will come.
    pub(crate) fn last(&mut self, use_up: impl FnOnce(Chunk<'_>) -> u64) {
        use_up(self.chunk(true));
        self.bytes = Vec::new();
    }

    fn chunk(&self, last: bool) -> Chunk<'_> {
        Chunk { bytes: &self.bytes, offset: self.offset, last }
    }

    pub(crate) fn bytes_held(&self) -> usize {
        self.bytes.capacity()
    }
}
