//! Profiles: of the heap, of time, ticky counters, and what they name.

use crate::{
    facts::{Section, scope::Scope},
    profiles::bands::Held,
};
use alloc::string::ToString;
use ghc_eventlog::{
    CostCentre, HeapBioProfSampleBegin, HeapProfSampleBegin, HeapProfSampleCostCentre, HeapProfSampleString, Ipe,
    ProfSampleCostCentre, TickyCounterDef, TickyCounterSample,
};

const CENSUSES: &[u16] =
    &[HeapProfSampleBegin::TAG, HeapBioProfSampleBegin::TAG, HeapProfSampleCostCentre::TAG, HeapProfSampleString::TAG];
const SAMPLES: &[u16] = &[ProfSampleCostCentre::TAG];
const TICKY: &[u16] = &[TickyCounterDef::TAG, TickyCounterSample::TAG];
const DEFINITIONS: &[u16] = &[CostCentre::TAG, Ipe::TAG];

pub(super) fn heap(scope: &Scope<'_>) -> Option<Section> {
    let heap = &scope.session().profiles.heap;
    let bands = scope.bands();
    let censuses = bands.map(|bands| bands.times.count);
    let mut profile =
        Section::new("heap_profile", "Heap profile").needs(scope.lacks(CENSUSES, "-l -hT")).count(censuses);
    let breakdown = heap.breakdown().and_then(|breakdown| breakdown.text());
    profile.text("breakdown", "Broken down by", breakdown.map(ToString::to_string));
    profile.number("censuses", "Censuses", censuses);
    profile.number("bands_held", "Bands", bands.map(|bands| bands.order.len() as u64));
    let told = |value: fn(&Held) -> u64| bands.map(|bands| value(&bands.all)).filter(|_| censuses > Some(0));
    profile.bytes("max_bytes", "Largest census", told(|all| all.most));
    profile.at(bands.filter(|bands| bands.times.count > 0).map(|bands| bands.all.most_at));
    profile.bytes(
        "last_bytes",
        "Last census",
        bands.filter(|_| censuses > Some(0)).map(|bands| bands.all.last(&bands.times)),
    );
    profile.remark(match () {
        () if bands.is_none() => "There are too many censuses to keep them all: of a range, nothing is known.",
        () if heap.is_cut => "The last census is cut off: it may be incomplete.",
        () if heap.outside > 0 => "Some entries stand outside of all censuses: each run of them is taken for one.",
        () if heap.is_capped() => "There are too many bands to keep them all: the rest is one.",
        () => "Between two censuses, each band is taken to go in a straight line; what a census does not name had 0 bytes in it.",
    });
    Some(profile)
}

pub(super) fn time(scope: &Scope<'_>) -> Option<Section> {
    let time = &scope.session().profiles.time;
    let samples = scope.samples();
    let count = samples.map(|samples| samples.count);
    let mut profile = Section::new("time_profile", "Time profile").needs(scope.lacks(SAMPLES, "-l -p")).count(count);
    profile.number("samples", "Samples", count);
    profile.duration("tick_ns", "Each tick", time.tick());
    profile.number("stacks_met", "Stacks", samples.map(|samples| samples.order.len() as u64));
    profile.flame = Some("stacks").filter(|_| time.samples > 0);
    if samples.is_none() {
        profile.remark("There are too many samples to keep them all: of a range, there is only a flame graph of some.");
    } else if time.cut > 0 {
        profile.remark("There are too many stacks to keep them all: some samples count for the outer part of theirs.");
    }
    Some(profile)
}

pub(super) fn ticky(scope: &Scope<'_>) -> Option<Section> {
    let ticky = &scope.session().profiles.ticky;
    let counts = scope.counters();
    let counters = ticky.counters().len() as u64;
    let mut profile = Section::new("ticky", "Ticky counters").needs(scope.lacks(TICKY, "-lT")).count(counters);
    profile.number("counters", "Counters", counters);
    let sum = |of: fn(&crate::profiles::ticky::Counts) -> u64| match scope.is_whole() {
        true => Some(of(&ticky.all)),
        false => counts.map(|counts| counts.iter().fold(0u64, |sum, counts| sum.saturating_add(of(counts)))),
    };
    profile.number("entries", "Entries", sum(|counts| counts.entries));
    profile.bytes("allocs_bytes", "Allocated", sum(|counts| counts.allocs));
    profile.number("samples", "Samples", scope.of_whole(ticky.samples));
    if counts.is_none() {
        profile.remark("There are too many samples to keep them all: of a range, nothing is known.");
    }
    Some(profile)
}

/// What numbers and addresses in profiles stand for.
pub(super) fn definitions(scope: &Scope<'_>) -> Option<Section> {
    let names = &scope.session().profiles.names;
    let (centres, tables) = (names.centres().len() as u64, names.tables().len() as u64);
    let mut section = Section::new("definitions", "Definitions");
    section.number("cost_centres", "Cost centres", centres);
    section.number("info_tables", "Info tables", tables);
    if names.dropped > 0 {
        section.remark("There are more definitions than are kept: some names are numbers.");
    }
    scope.of_whole(section).filter(|_| scope.events(DEFINITIONS) > 0)
}
