//! Profiles: of the heap, of time, ticky counters, and what they name.

use crate::{
    facts::{
        FlameInfo, Section,
        scope::Scope,
        typed::{Dated, facts},
    },
    limits,
    profiles::ticky::Counts,
    terms::value::Unit,
};
use alloc::string::ToString;
use ghc_eventlog::{
    CostCentre, HeapBioProfSampleBegin, HeapProfSampleBegin, HeapProfSampleCostCentre, HeapProfSampleString, Ipe,
    Nanos, ProfSampleCostCentre, TickyCounterDef, TickyCounterSample,
};
use ghc_eventlog_text::LogText;

const CENSUSES: &[u16] =
    &[HeapProfSampleBegin::TAG, HeapBioProfSampleBegin::TAG, HeapProfSampleCostCentre::TAG, HeapProfSampleString::TAG];
const SAMPLES: &[u16] = &[ProfSampleCostCentre::TAG];
const TICKY: &[u16] = &[TickyCounterDef::TAG, TickyCounterSample::TAG];
const DEFINITIONS: &[u16] = &[CostCentre::TAG, Ipe::TAG];

/// What profiles can be written as.
const OF_HEAP: &[(&str, &str)] = &[("hp", ".hp for hp2ps"), ("csv", "CSV"), ("tsv", "TSV")];
const OF_TIME: &[(&str, &str)] = &[("speedscope", "speedscope"), ("folded", "folded stacks")];

facts! {
    /// The heap profile: of a range, its censuses. Sizes are in bytes.
    HeapProfileFacts("heap_profile", "Heap profile") {
        /// The flag of the runtime without which the log has none; then nothing else is known.
        pub lacks: Option<&'static str>,
        /// What the bands are: types, cost centres, and so on.
        pub breakdown: Option<LogText<'static>> = ("breakdown", "Broken down by", Text, Repeatable),
        /// Censuses.
        pub censuses: Option<u64> = ("censuses", "Censuses", Count, Timed),
        /// Bands that hold anything.
        pub bands: Option<u64> = ("bands_held", "Bands", Count, Repeatable),
        /// All bands together in the census that has most, and when that was.
        pub max: Option<Dated<u64>> = ("max_bytes", "Largest census", Bytes, Repeatable),
        /// All bands together in the last census.
        pub last: Option<u64> = ("last_bytes", "Last census", Bytes, Repeatable),
        /// Of a range, the last census that is no later than its begin; the log's first one if there is none.
        pub census_a: Option<Dated<Nanos>> = ("a_ns", "Census A", Time, Timed).only_if(|profile| profile.census_a.is_some()),
        /// The first one that is no earlier than its end; the log's last one if there is none.
        pub census_b: Option<Dated<Nanos>> = ("b_ns", "Census B", Time, Timed).only_if(|profile| profile.census_b.is_some()),
    }
}

impl HeapProfileFacts {
    pub(super) fn gather(scope: &Scope<'_>) -> Self {
        let lacks = scope.lacks(CENSUSES, "-l -hT");
        if lacks.is_some() {
            return Self { lacks, ..Self::default() };
        }
        let bands = scope.bands();
        let any = bands.filter(|bands| bands.times.count > 0);
        let breakdown = scope.known().stores.profiles.heap.breakdown().and_then(|breakdown| breakdown.text());
        let compared = scope.compared();
        let moment = |time| Dated { value: time, at: Some(time) };
        Self {
            lacks,
            breakdown: breakdown.map(|breakdown| LogText::from(breakdown.to_string())),
            censuses: bands.map(|bands| bands.times.count),
            bands: bands.map(|bands| bands.order.len() as u64),
            max: any.map(|bands| Dated { value: bands.all.most, at: Some(bands.all.most_at) }),
            last: any.map(|bands| bands.all.last(&bands.times)),
            census_a: compared.map(|compared| moment(compared.a)),
            census_b: compared.map(|compared| moment(compared.b)),
        }
    }

    pub(super) fn section(&self, scope: &Scope<'_>) -> Option<Section> {
        let heap = &scope.known().stores.profiles.heap;
        let mut profile = Section::of(self).stacked().needs(self.lacks).count(self.censuses);
        profile.exports = if self.censuses > Some(0) { OF_HEAP } else { &[] };
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
            () => {
                "Between two censuses, each band is taken to go in a straight line; what a census does not name had 0 bytes in it."
            }
        });
        Some(profile)
    }
}

facts! {
    /// The time profile: of a range, its samples.
    TimeProfileFacts("time_profile", "Time profile") {
        /// The flag of the runtime without which the log has none; then nothing else is known. Stacks in messages need no flag.
        pub lacks: Option<&'static str>,
        /// Samples, if of a range all are kept.
        pub samples: Option<u64> = ("samples", "Samples", Count, Timed),
        /// The time from one tick to the next.
        pub tick: Option<Nanos> = ("tick_ns", "Each tick", Duration, Repeatable),
        /// Different stacks that have samples.
        pub stacks: Option<u64> = ("stacks_met", "Stacks", Count, Timed),
        /// Whether any stack that came in pieces lacks its last one.
        pub has_unfinished: bool,
        /// How many such there are: they are no samples. Of a range, that is not known.
        pub unfinished: Option<u64> = ("unfinished", "Stacks without an end", Count, Timed).only_if(|profile| profile.has_unfinished),
    }
}

impl TimeProfileFacts {
    pub(super) fn gather(scope: &Scope<'_>) -> Self {
        let profiles = &scope.known().stores.profiles;
        let lacks = scope.lacks(SAMPLES, "-l -p").filter(|_| profiles.time.samples == 0);
        let unfinished = profiles.unfinished();
        let has_unfinished = unfinished > 0;
        if lacks.is_some() {
            return Self { lacks, has_unfinished, ..Self::default() };
        }
        let samples = scope.samples();
        Self {
            lacks,
            samples: samples.map(|samples| samples.count),
            tick: profiles.time.tick(),
            stacks: samples.map(|samples| samples.order.len() as u64),
            has_unfinished,
            unfinished: scope.of_whole(unfinished),
        }
    }

    pub(super) fn section(&self, scope: &Scope<'_>) -> Option<Section> {
        let time = &scope.known().stores.profiles.time;
        let mut profile = Section::of(self).stacked().needs(self.lacks).count(self.samples);
        profile.exports = if self.samples > Some(0) { OF_TIME } else { &[] };
        profile.flame = Some(FlameInfo { table: "stacks", unit: Unit::Count }).filter(|_| time.samples > 0);
        if scope.samples().is_none() {
            profile.remark(
                "There are too many samples to keep them all: of a range, there is only a flame graph of some.",
            );
        } else if self.has_unfinished {
            profile.remark("Some stacks came in pieces of which the last is missing: they are no samples.");
        } else if time.threads().len() >= limits::MAX_SAMPLED_THREADS {
            profile
                .remark("There are too many sampled threads to keep them all: the samples of some are of no thread.");
        } else if time.cut > 0 {
            profile
                .remark("There are too many stacks to keep them all: some samples count for the outer part of theirs.");
        }
        Some(profile)
    }
}

facts! {
    /// Ticky counters: of a range, what was counted in it, if all samples are kept.
    TickyFacts("ticky", "Ticky counters") {
        /// The flag of the runtime without which the log has none; then nothing else is known.
        pub lacks: Option<&'static str>,
        /// Counters: of a range, as many as of the whole log.
        pub counters: Option<u64> = ("counters", "Counters", Count, Repeatable),
        /// How often closures were entered.
        pub entries: Option<u64> = ("entries", "Entries", Count, Repeatable),
        /// Bytes that they allocated.
        pub allocated: Option<u64> = ("allocs_bytes", "Allocated", Bytes, Repeatable),
        /// Samples of the counters. Of a range, that is not known.
        pub samples: Option<u64> = ("samples", "Samples", Count, Timed),
    }
}

impl TickyFacts {
    pub(super) fn gather(scope: &Scope<'_>) -> Self {
        let lacks = scope.lacks(TICKY, "-lT");
        if lacks.is_some() {
            return Self { lacks, ..Self::default() };
        }
        let ticky = &scope.known().stores.profiles.ticky;
        let sum = |of: fn(&Counts) -> u64| match scope.is_whole() {
            true => Some(of(&ticky.all)),
            false => scope.counters().map(|all| all.iter().fold(0u64, |sum, counts| sum.saturating_add(of(counts)))),
        };
        Self {
            lacks,
            counters: Some(ticky.counters().len() as u64),
            entries: sum(|counts| counts.entries),
            allocated: sum(|counts| counts.allocs),
            samples: scope.of_whole(ticky.samples),
        }
    }

    pub(super) fn section(&self, scope: &Scope<'_>) -> Option<Section> {
        let mut profile = Section::of(self).needs(self.lacks).count(self.counters);
        if scope.known().stores.profiles.ticky.dropped > 0 {
            profile.remark("There are too many counters to keep them all: some are missing.");
        } else if scope.counters().is_none() {
            profile.remark("There are too many samples to keep them all: of a range, nothing is known.");
        }
        Some(profile)
    }
}

facts! {
    /// What numbers and addresses in profiles stand for: of a range, nothing is known.
    DefinitionsFacts("definitions", "Definitions") {
        /// Cost centres.
        pub cost_centres: Option<u64> = ("cost_centres", "Cost centres", Count, Repeatable),
        /// Info tables.
        pub info_tables: Option<u64> = ("info_tables", "Info tables", Count, Repeatable),
    }
}

impl DefinitionsFacts {
    pub(super) fn gather(scope: &Scope<'_>) -> Self {
        let names = &scope.known().stores.profiles.names;
        Self {
            cost_centres: scope.of_whole(names.centres().len() as u64),
            info_tables: scope.of_whole(names.tables().len() as u64),
        }
    }

    pub(super) fn section(&self, scope: &Scope<'_>) -> Option<Section> {
        let mut section = Section::of(self).stacked();
        if scope.known().stores.profiles.names.dropped > 0 {
            section.remark("There are more definitions than are kept: some names are numbers.");
        }
        scope.of_whole(section).filter(|_| scope.events(DEFINITIONS) > 0)
    }
}
