//! Profiles: of the heap, of time, and ticky counters.

use crate::facts::{Section, scope::Scope, value::Unit};
use ghc_eventlog::{
    HeapBioProfSampleBegin, HeapProfSampleBegin, ProfSampleCostCentre, TickyCounterDef, TickyCounterSample,
};

const CENSUSES: &[u16] = &[HeapProfSampleBegin::TAG, HeapBioProfSampleBegin::TAG];
const SAMPLES: &[u16] = &[ProfSampleCostCentre::TAG];
const TICKY: &[u16] = &[TickyCounterDef::TAG, TickyCounterSample::TAG];

pub(super) fn heap(scope: &Scope<'_>) -> Option<Section> {
    let censuses = Some(scope.events(CENSUSES));
    let profile = Section::new("heap_profile", "Heap profile")
        .count(censuses)
        .lacks(scope.lacks(CENSUSES, "-hT"))
        .figure("censuses", "Censuses", Unit::Count, censuses);
    scope.of_whole(profile)
}

pub(super) fn time(scope: &Scope<'_>) -> Option<Section> {
    let samples = Some(scope.events(SAMPLES));
    let profile = Section::new("time_profile", "Time profile").count(samples).lacks(scope.lacks(SAMPLES, "-p")).figure(
        "samples",
        "Samples",
        Unit::Count,
        samples,
    );
    scope.of_whole(profile)
}

pub(super) fn ticky(scope: &Scope<'_>) -> Option<Section> {
    let counters = Some(scope.events(&[TickyCounterDef::TAG]));
    let profile = Section::new("ticky", "Ticky counters")
        .count(counters)
        .lacks(scope.lacks(TICKY, "-lT"))
        .figure("counters", "Counters", Unit::Count, counters)
        .figure("samples", "Samples", Unit::Count, Some(scope.events(&[TickyCounterSample::TAG])));
    scope.of_whole(profile)
}
