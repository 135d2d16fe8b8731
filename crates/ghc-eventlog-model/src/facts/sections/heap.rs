//! The heap, as the runtime tells of it at collections.

use crate::facts::{Section, scope::Scope, value::Unit};
use ghc_eventlog::{HeapAllocated, HeapLive, HeapSize};

const TAGS: &[u16] = &[HeapAllocated::TAG, HeapSize::TAG, HeapLive::TAG];

pub(super) fn section(scope: &Scope<'_>) -> Option<Section> {
    let samples = scope.events(&[HeapSize::TAG]);
    let heap = Section::new("heap", "Heap").count(Some(samples)).lacks(scope.lacks(TAGS, "-lg")).figure(
        "samples",
        "Samples of its size",
        Unit::Count,
        Some(samples),
    );
    scope.of_whole(heap)
}
