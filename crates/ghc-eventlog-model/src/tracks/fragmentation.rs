//! Fragmentation: how much of the blocks is not live data, and how much of the heap is in no block. Both are told of values that
//! one collection leaves, in this order; live data only after a major one.
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
pub(crate) trait Compared: Placed + core::fmt::Debug + Copy + PartialEq {
    /// The number of the event that tells it.
    const TAG: u16;
    /// How much it is, in that event.
    fn bytes(payload: &[u8]) -> u64;
    /// What is left, if the two fit together.
    fn left(bytes: u64, blocks: u64) -> Option<u64>;
}

impl Compared for BeyondLive {
    const TAG: u16 = HeapLive::TAG;

    fn bytes(payload: &[u8]) -> u64 {
        HeapLive::read(payload).bytes
    }

    fn left(bytes: u64, blocks: u64) -> Option<u64> {
        blocks.checked_sub(bytes)
    }
}

impl Compared for BeyondBlocks {
    const TAG: u16 = HeapSize::TAG;

    fn bytes(payload: &[u8]) -> u64 {
        HeapSize::read(payload).bytes
    }

    fn left(bytes: u64, blocks: u64) -> Option<u64> {
        bytes.checked_sub(blocks)
    }
}

/// Follows the sizes that the collections of one capability leave.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Difference<K> {
    /// What has been told since the last collection; none is ever 0.
    bytes: u64,
    of: PhantomData<K>,
}

impl<K: Compared> Machine for Difference<K> {
    const TAGS: &'static [u16] = &[K::TAG, BlocksSize::TAG, GcEnd::TAG];
    const OF_LOG: bool = true;

    fn starting(_: Nanos) -> Self {
        Self { bytes: 0, of: PhantomData }
    }

    #[inline(always)]
    fn step(&mut self, record: Record<'_>, _: Dialect, sink: &mut impl Sink) {
        if record.tag == BlocksSize::TAG {
            let blocks = BlocksSize::read(record.payload).bytes;
            // What does not fit together is impossible, and seen of no log.
            let left = K::left(self.bytes, blocks).filter(|_| self.bytes > 0);
            left.into_iter().for_each(|value| sink.sample::<K>(Sample { time: record.time, value }));
        }
        // What was told after an earlier collection is not of this one.
        self.bytes = if record.tag == K::TAG { K::bytes(record.payload) } else { 0 };
    }
}
