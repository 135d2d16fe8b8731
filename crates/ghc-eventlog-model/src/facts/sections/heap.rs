//! The heap, as the runtime tells of it at collections.

use crate::facts::{Section, scope::Scope};
use ghc_eventlog::{HeapAllocated, HeapLive, HeapSize};

const TAGS: &[u16] = &[HeapAllocated::TAG, HeapSize::TAG, HeapLive::TAG];

pub(super) fn section(scope: &Scope<'_>) -> Option<Section> {
    let samples = scope.events(&[HeapSize::TAG]);
    let mut heap = Section::new("heap", "Heap").needs(scope.lacks(TAGS, "-lg")).count(samples);
    heap.number("samples", "Samples of its size", samples);
    scope.of_whole(heap)
}
