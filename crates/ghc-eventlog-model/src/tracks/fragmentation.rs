//! Fragmentation: how much of the blocks is not live data, and how much of the heap is in no block. Both compare sizes that
//! one collection logs, in this order; live data only after a major one.
//!
//! ```text
//! GC_END  HEAP_LIVE 30  HEAP_SIZE 90  BLOCKS_SIZE 70          blocks beyond live data 40, heap beyond blocks 20
//! GC_END                HEAP_SIZE 90  BLOCKS_SIZE 75                                      heap beyond blocks 15
//! ```

use super::{
    heap,
    kind::Kind,
    line::{Line, Named},
};
use crate::terms::{
    machine::{Dialect, Machine, Placed, Sink},
    sample::Sample,
};
use core::marker::PhantomData;
use ghc_eventlog::{BlocksSize, GcEnd, HeapLive, HeapSize, Nanos, Record};

/// The line of blocks beyond live data.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct BeyondLive;

/// The line of heap beyond blocks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct BeyondBlocks;

impl Kind for BeyondLive {
    const NAME: &'static str = "Blocks \u{2212} live";
    const ABOUT: &'static str =
        "Memory in blocks that holds no live data: fragmentation, and data that has died since.";
    type Machine = Difference<Self>;
    type Tracks = Line;
    const TRACKS: Line =
        heap::bytes::<Self>(&[Named { name: Self::NAME, what: "in blocks, but not live", role: "heap" }]);
}

impl Kind for BeyondBlocks {
    const NAME: &'static str = "Heap \u{2212} blocks";
    const ABOUT: &'static str =
        "Memory of the heap that is in no block: it is free, but not given back to the operating system.";
    type Machine = Difference<Self>;
    type Tracks = Line;
    const TRACKS: Line = heap::bytes::<Self>(&[Named { name: Self::NAME, what: "of heap in no block", role: "heap" }]);
}

/// What is compared with the size of the blocks.
pub(crate) trait ComparedSize: Placed + core::fmt::Debug + Copy + PartialEq {
    /// The number of the event that has the size.
    const TAG: u16;
    /// The size in that event.
    fn bytes(payload: &[u8]) -> u64;
    /// The difference, if the two sizes are consistent.
    fn left(bytes: u64, blocks: u64) -> Option<u64>;
}

impl ComparedSize for BeyondLive {
    const TAG: u16 = HeapLive::TAG;

    fn bytes(payload: &[u8]) -> u64 {
        HeapLive::read(payload).bytes
    }

    fn left(bytes: u64, blocks: u64) -> Option<u64> {
        blocks.checked_sub(bytes)
    }
}

impl ComparedSize for BeyondBlocks {
    const TAG: u16 = HeapSize::TAG;

    fn bytes(payload: &[u8]) -> u64 {
        HeapSize::read(payload).bytes
    }

    fn left(bytes: u64, blocks: u64) -> Option<u64> {
        bytes.checked_sub(blocks)
    }
}

/// Follows the sizes that the collections of one capability log.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Difference<K> {
    /// The size logged since the last collection; 0 for none, since no size is ever 0.
    bytes: u64,
    of: PhantomData<K>,
}

impl<K: ComparedSize> Machine for Difference<K> {
    const TAGS: &'static [u16] = &[K::TAG, BlocksSize::TAG, GcEnd::TAG];
    const OF_LOG: bool = true;

    fn starting(_: Nanos) -> Self {
        Self { bytes: 0, of: PhantomData }
    }

    #[inline(always)]
    fn step(&mut self, record: Record<'_>, _: Dialect, sink: &mut impl Sink) {
        if record.tag == BlocksSize::TAG {
            let blocks = BlocksSize::read(record.payload).bytes;
            // Inconsistent sizes are impossible, and have not been seen in any log.
            let left = K::left(self.bytes, blocks).filter(|_| self.bytes > 0);
            left.into_iter().for_each(|value| sink.sample::<K>(Sample { time: record.time, value }));
        }
        // A size from an earlier collection does not belong to this one.
        self.bytes = if record.tag == K::TAG { K::bytes(record.payload) } else { 0 };
    }
}
