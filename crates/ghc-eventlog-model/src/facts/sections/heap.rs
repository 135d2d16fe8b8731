//! The heap, as the runtime tells of it at collections.

use crate::{
    facts::{
        Section,
        scope::Scope,
        typed::{Dated, facts},
    },
    keeping::samples::per_second,
    terms::sample::Sample,
    tracks::{allocation, heap, mem_return},
};
use ghc_eventlog::{HeapAllocated, HeapLive, HeapSize, MemReturn};

const TAGS: &[u16] = &[HeapAllocated::TAG, HeapSize::TAG, HeapLive::TAG];

facts! {
    /// The heap: the memory that holds the program's data, as the runtime describes it at collections.
    HeapFacts("heap", "Heap") {
        /// The flag of the runtime without which the log does not say; then nothing else is known.
        pub lacks: Option<&'static str>,
        /// How many bytes the program allocated, all in all (the runtime calls it allocated_bytes). Most of them die
        /// soon, so this is usually far more than the heap ever holds.
        pub allocated: Option<u64> = ("allocated_bytes", "Allocated", Bytes, Repeatable),
        /// How many bytes the program allocated per second, all capabilities together. A busy core often allocates
        /// about 1 GiB per second.
        pub allocation_rate: Option<u64> = ("allocated_bytes_per_s", "Allocation rate", BytesPerSecond, Timed),
        /// The most data that a collection found in use, and when that was first (the runtime calls it max_live_bytes).
        /// Only major collections measure it.
        pub max_live: Option<Dated<u64>> = ("max_live_bytes", "Most live data", Bytes, Repeatable),
        /// How much data the last major collection found in use, and when that was.
        pub last_live: Option<Dated<u64>> = ("last_live_bytes", "Last live data", Bytes, Repeatable),
        /// The most memory that the heap had from the operating system, and when that was first (the runtime calls it
        /// max_mem_in_use_bytes). Two to four times the most live data is usual.
        pub max_size: Option<Dated<u64>> = ("max_size_bytes", "Largest size", Bytes, Repeatable),
        /// The most memory in used blocks, and when that was first. A block is a piece of the heap, usually of 4 KiB.
        pub max_blocks: Option<Dated<u64>> = ("max_blocks_bytes", "Largest size of blocks", Bytes, Repeatable),
        /// How many megablocks (pieces of memory, usually of 1 MiB) were given back to the operating system. Logged
        /// since GHC 9.2.
        pub returned_mblocks: Option<u64> = ("returned_mblocks", "Megablocks returned to the system", Count, Repeatable),
        /// How often the log has the size of the heap, which it has at collections. Known of the whole log only.
        pub samples: Option<u64> = ("samples", "Heap size samples", Count, Repeatable),
    }
}

impl HeapFacts {
    pub(super) fn gather(scope: &Scope<'_>) -> Self {
        let lacks = scope.lacks(TAGS, "-lg");
        if lacks.is_some() {
            return Self { lacks, ..Self::default() };
        }
        let allocated = allocated(scope);
        Self {
            lacks,
            allocated,
            allocation_rate: allocated.and_then(|bytes| per_second(bytes, scope.length()?)),
            max_live: scope.most::<heap::Live>().map(dated),
            last_live: scope.last::<heap::Live>().map(dated),
            max_size: scope.most::<heap::Size>().map(dated),
            max_blocks: scope.most::<heap::Blocks>().map(dated),
            returned_mblocks: returned(scope),
            samples: scope.of_whole(scope.events(&[HeapSize::TAG])),
        }
    }

    pub(super) fn section(&self, _: &Scope<'_>) -> Option<Section> {
        Some(Section::of(self).needs(self.lacks).count(self.samples))
    }
}

fn dated(Sample { time, value }: Sample) -> Dated<u64> {
    Dated { value, at: Some(time) }
}

/// How much all capabilities allocated.
fn allocated(scope: &Scope<'_>) -> Option<u64> {
    let told = scope.known().counts.has_any(&[HeapAllocated::TAG]);
    scope.sums().filter(|_| told).map(|sums| allocation::allocated(&sums))
}

/// Runtimes before GHC 9.2 do not tell.
fn returned(scope: &Scope<'_>) -> Option<u64> {
    scope.model.description(MemReturn::TAG)?;
    scope.sums().map(|sums| mem_return::mblocks(&sums))
}
