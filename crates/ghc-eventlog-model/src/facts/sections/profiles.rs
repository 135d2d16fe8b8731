//! Profiles: of the heap, of time, and ticky counters.

use crate::facts::{Section, scope::Scope};
use ghc_eventlog::{
    HeapBioProfSampleBegin, HeapProfSampleBegin, ProfSampleCostCentre, TickyCounterDef, TickyCounterSample,
};

const CENSUSES: &[u16] = &[HeapProfSampleBegin::TAG, HeapBioProfSampleBegin::TAG];
const SAMPLES: &[u16] = &[ProfSampleCostCentre::TAG];
const TICKY: &[u16] = &[TickyCounterDef::TAG, TickyCounterSample::TAG];

pub(super) fn heap(scope: &Scope<'_>) -> Option<Section> {
    let censuses = scope.events(CENSUSES);
    let mut profile =
        Section::new("heap_profile", "Heap profile").needs(scope.lacks(CENSUSES, "-l -hT")).count(censuses);
    profile.number("censuses", "Censuses", censuses);
    scope.of_whole(profile)
}

pub(super) fn time(scope: &Scope<'_>) -> Option<Section> {
    let samples = scope.events(SAMPLES);
    let mut profile = Section::new("time_profile", "Time profile").needs(scope.lacks(SAMPLES, "-l -p")).count(samples);
    profile.number("samples", "Samples", samples);
    scope.of_whole(profile)
}

pub(super) fn ticky(scope: &Scope<'_>) -> Option<Section> {
    let counters = scope.events(&[TickyCounterDef::TAG]);
    let mut profile = Section::new("ticky", "Ticky counters").needs(scope.lacks(TICKY, "-lT")).count(counters);
    profile.number("counters", "Counters", counters);
    profile.number("samples", "Samples", scope.events(&[TickyCounterSample::TAG]));
    scope.of_whole(profile)
}
