//! Profiles: of the heap, of time, ticky counters, and what they name.

use crate::{
    facts::{FlameInfo, Section, scope::Scope},
    limits,
    profiles::totals::Held,
    terms::value::{Unit, Value},
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

/// What profiles can be written as.
const OF_HEAP: &[(&str, &str)] = &[("hp", ".hp for hp2ps"), ("csv", "CSV"), ("tsv", "TSV")];
const OF_TIME: &[(&str, &str)] = &[("speedscope", "speedscope"), ("folded", "folded stacks")];

pub(super) fn heap(scope: &Scope<'_>) -> Option<Section> {
    let heap = &scope.known().stores.profiles.heap;
    let bands = scope.bands();
    let censuses = bands.map(|bands| bands.times.count);
    let mut profile =
        Section::new("heap_profile", "Heap profile").stacked().needs(scope.lacks(CENSUSES, "-l -hT")).count(censuses);
    profile.exports = if censuses > Some(0) { OF_HEAP } else { &[] };
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
    if let Some(compared) = scope.compared() {
        profile.value("a_ns", "Census A", Unit::Time, Value::Time(compared.a)).at(Some(compared.a));
        profile.value("b_ns", "Census B", Unit::Time, Value::Time(compared.b)).at(Some(compared.b));
    }
    let stacks = scope.held_stacks();
    profile.flame = stacks.map(|_| FlameInfo { table: "heap_cost_centres", unit: Unit::Bytes });
    profile.remark(match () {
        () if heap.is_in_no_order() => {
            "There are too many censuses to keep them all, and they are not in order of time: integrals, means and growth are wrong."
        }
        () if scope.misses_censuses() => {
            "There are too many censuses to keep them all: this is told of some of them. A shorter range has all."
        }
        () if heap.is_cut => "The last census is cut off: it may be incomplete.",
        () if heap.outside > 0 => "Some entries stand outside of all censuses: each run of them is taken for one.",
        () if heap.is_capped() => "There are too many bands to keep them all: the rest is one.",
        () if stacks.is_some_and(|stacks| stacks.is_cut) => {
            "There are too many stacks to keep them all: some bytes of cost centres count for the outer part of theirs."
        }
        () => "Between two censuses, each band is taken to go in a straight line; what a census does not name had 0 bytes in it.",
    });
    Some(profile)
}

pub(super) fn time(scope: &Scope<'_>) -> Option<Section> {
    let time = &scope.known().stores.profiles.time;
    let samples = scope.samples();
    let count = samples.map(|samples| samples.count);
    // Stacks in messages need no flag.
    let lacks = scope.lacks(SAMPLES, "-l -p").filter(|_| time.samples == 0);
    let mut profile = Section::new("time_profile", "Time profile").stacked().needs(lacks).count(count);
    profile.exports = if count > Some(0) { OF_TIME } else { &[] };
    profile.number("samples", "Samples", count);
    profile.duration("tick_ns", "Each tick", time.tick());
    profile.number("stacks_met", "Stacks", samples.map(|samples| samples.order.len() as u64));
    let unfinished = scope.known().stores.profiles.unfinished();
    if unfinished > 0 {
        profile.number("unfinished", "Stacks without an end", scope.of_whole(unfinished));
    }
    profile.flame = Some(FlameInfo { table: "stacks", unit: Unit::Count }).filter(|_| time.samples > 0);
    if samples.is_none() {
        profile.remark("There are too many samples to keep them all: of a range, there is only a flame graph of some.");
    } else if unfinished > 0 {
        profile.remark("Some stacks came in pieces of which the last is missing: they are no samples.");
    } else if time.threads().len() >= limits::MAX_SAMPLED_THREADS {
        profile.remark("There are too many sampled threads to keep them all: the samples of some are of no thread.");
    } else if time.cut > 0 {
        profile.remark("There are too many stacks to keep them all: some samples count for the outer part of theirs.");
    }
    Some(profile)
}

pub(super) fn ticky(scope: &Scope<'_>) -> Option<Section> {
    let ticky = &scope.known().stores.profiles.ticky;
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
    if ticky.dropped > 0 {
        profile.remark("There are too many counters to keep them all: some are missing.");
    } else if counts.is_none() {
        profile.remark("There are too many samples to keep them all: of a range, nothing is known.");
    }
    Some(profile)
}

/// What numbers and addresses in profiles stand for.
pub(super) fn definitions(scope: &Scope<'_>) -> Option<Section> {
    let names = &scope.known().stores.profiles.names;
    let (centres, tables) = (names.centres().len() as u64, names.tables().len() as u64);
    let mut section = Section::new("definitions", "Definitions").stacked();
    section.number("cost_centres", "Cost centres", centres);
    section.number("info_tables", "Info tables", tables);
    if names.dropped > 0 {
        section.remark("There are more definitions than are kept: some names are numbers.");
    }
    scope.of_whole(section).filter(|_| scope.events(DEFINITIONS) > 0)
}
