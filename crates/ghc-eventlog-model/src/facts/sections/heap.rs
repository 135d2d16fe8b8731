//! The heap, as the runtime tells of it at collections.

use crate::{
    facts::{
        Section,
        scope::Scope,
        tables::caps,
        typed::{Dated, facts},
    },
    keeping::{rts_flags::TraceClass, samples::per_second},
    terms::{absence::Absence, sample::Sample, value::Value},
    tracks::{heap, mem_return},
};
use ghc_eventlog::{HeapAllocated, HeapLive, HeapSize, MemReturn};

const TAGS: &[u16] = &[HeapAllocated::TAG, HeapSize::TAG, HeapLive::TAG];

facts! {
    /// The heap: the memory that holds the program's data, as the runtime describes it at collections.
    HeapFacts("heap", "Heap") {
        /// Why the log does not say; if a flag is missing, nothing else is known.
        pub lacks: Option<Absence>,
        /// How many bytes the program allocated, all in all (the runtime calls it allocated_bytes). Most of them die
        /// soon, so this is usually far more than the heap ever holds.
        pub allocated: Option<u64> = ("allocated_bytes", "Allocated", Bytes, Repeatable).only_if(|heap| heap.allocated_between.is_none()),
        /// How many bytes the program allocated. The log tells that at collections only, and in this range is none: the
        /// number is between these two.
        pub allocated_between: Option<(u64, u64)> = ("allocated_between_bytes", "Allocated", Bytes, Repeatable)
            .only_if(|heap| heap.allocated_between.is_some()),
        /// How many bytes the program allocated per second, all capabilities together. A busy core often allocates
        /// about 1 GiB per second.
        pub allocation_rate: Option<u64> = ("allocated_bytes_per_s", "Allocation rate", BytesPerSecond, Timed),
        /// The most data that a collection found in use, and when that was first (the runtime calls it max_live_bytes).
        /// Only major collections measure it.
        pub max_live: Option<Dated<u64>> = ("max_live_bytes", "Most live data", Bytes, Repeatable),
        /// How much data the last major collection found in use, and when that was. If the log is complete, that is the
        /// collection at the program's end, when little is still in use: a leak shows in the line of live data before.
        pub last_live: Option<Dated<u64>> = ("last_live_bytes", "Live data, last measured", Bytes, Repeatable),
        /// The most memory that the heap had from the operating system, and when that was first (the runtime calls it
        /// max_mem_in_use_bytes). Two to four times the most live data is usual. Runtimes before GHC 9.2 only tell how much
        /// was left after some had been given back.
        pub max_size: Option<Dated<u64>> = ("max_size_bytes", "Largest heap", Bytes, Repeatable),
        /// The most memory in used blocks, and when that was first. A block is a piece of the heap, usually of 4 KiB.
        pub max_blocks: Option<Dated<u64>> = ("max_blocks_bytes", "Largest heap in blocks", Bytes, Repeatable),
        /// How many megablocks (pieces of memory, usually of 1 MiB) were given back to the operating system. Logged
        /// since GHC 9.2.
        pub returned_mblocks: Option<u64> = ("returned_mblocks", "Megablocks returned to the system", Count, Repeatable),
        /// How often the log has the size of the heap, which it has at collections.
        pub samples: Option<u64> = ("samples", "Heap size samples", Count, Repeatable),
    }
}

impl HeapFacts {
    pub(super) fn gather(scope: &Scope<'_>) -> Self {
        let lacks = scope.lacks_class(TAGS, TraceClass::Collections);
        if lacks.is_some_and(Absence::is_unlogged) {
            return Self { lacks, ..Self::default() };
        }
        let (allocated, allocated_between) = match caps::all_allocated(scope) {
            Value::Bytes(bytes) => (Some(bytes), None),
            Value::Between(least, most) => (None, Some((least, most))),
            _ => (None, None),
        };
        Self {
            lacks,
            allocated,
            allocated_between,
            allocation_rate: allocated.and_then(|bytes| per_second(bytes, scope.length()?)),
            max_live: scope.most::<heap::Live>().map(dated),
            last_live: scope.last::<heap::Live>().map(dated),
            max_size: largest(scope),
            max_blocks: scope.most::<heap::Blocks>().map(dated),
            returned_mblocks: returned(scope),
            samples: scope.samples_of::<heap::Size>(HeapSize::TAG),
        }
    }

    pub(super) fn section(&self, _: &Scope<'_>) -> Option<Section> {
        let mut section = Section::of(self).needs(self.lacks).count(self.samples, "samples of the heap's size");
        if self.max_size.is_some() && self.returned_mblocks.is_none() {
            section.remark(
                "Runtimes before GHC 9.2 write the heap's size after a collection has given memory back: at its largest, it may have \
                 been larger.",
            );
        }
        Some(section)
    }
}

/// The size is logged once a collection has given memory back; what there was before is logged with what was given back.
fn largest(scope: &Scope<'_>) -> Option<Dated<u64>> {
    let after = scope.most::<heap::Size>().map(dated);
    let mblock = scope.model.process().heap.map_or(0, |heap| heap.mblock_bytes);
    let moments = mem_return::moments(scope.known());
    let inside = moments.get(scope.within(moments, |moment| moment.time)).unwrap_or_default();
    // Of equally large ones, the first.
    let most = inside.iter().rev().max_by_key(|moment| moment.had());
    let before = most.map(|most| Dated { value: most.had().saturating_mul(mblock), at: Some(most.time) });
    match (before, after) {
        (Some(before), Some(after)) if before.value > after.value => Some(before),
        (_, after) => after,
    }
}

fn dated(Sample { time, value }: Sample) -> Dated<u64> {
    Dated { value, at: Some(time) }
}

/// Runtimes before GHC 9.2 do not tell.
fn returned(scope: &Scope<'_>) -> Option<u64> {
    scope.sums().filter(|_| scope.can_tell(MemReturn::TAG)).map(|sums| mem_return::mblocks(&sums))
}
