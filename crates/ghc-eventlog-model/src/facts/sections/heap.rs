//! The heap, as the runtime tells of it at collections.

use crate::{
    facts::{Section, scope::Scope},
    keeping::samples::per_second,
    terms::{
        sample::Sample,
        value::{Unit, Value},
    },
    tracks::{allocation, heap, mem_return},
};
use ghc_eventlog::{HeapAllocated, HeapLive, HeapSize, MemReturn};

const TAGS: &[u16] = &[HeapAllocated::TAG, HeapSize::TAG, HeapLive::TAG];

pub(super) fn section(scope: &Scope<'_>) -> Option<Section> {
    let samples = scope.events(&[HeapSize::TAG]);
    let allocated = allocated(scope);
    let mut heap = Section::new("heap", "Heap").needs(scope.lacks(TAGS, "-lg")).count(scope.of_whole(samples));
    heap.bytes("allocated_bytes", "Allocated", allocated);
    let rate = allocated.and_then(|bytes| per_second(bytes, scope.length()?));
    let rate = rate.map_or(Value::Unknown, Value::BytesPerSecond);
    heap.value("allocated_bytes_per_s", "Allocation rate", Unit::BytesPerSecond, rate);
    size(&mut heap, "max_live_bytes", "Most live data", scope.most::<heap::Live>());
    size(&mut heap, "last_live_bytes", "Last live data", scope.last::<heap::Live>());
    size(&mut heap, "max_size_bytes", "Largest size", scope.most::<heap::Size>());
    size(&mut heap, "max_blocks_bytes", "Largest size of blocks", scope.most::<heap::Blocks>());
    heap.number("returned_mblocks", "Megablocks returned to the system", returned(scope));
    heap.number("samples", "Heap size samples", scope.of_whole(samples));
    Some(heap)
}

/// Adds a size, and when that was.
fn size(heap: &mut Section, key: &'static str, name: &'static str, sample: Option<Sample>) {
    heap.bytes(key, name, sample.map(|sample| sample.value)).at(sample.map(|sample| sample.time));
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
