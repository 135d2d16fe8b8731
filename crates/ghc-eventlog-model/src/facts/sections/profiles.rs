//! Profiles: of the heap, of time, ticky counters, and what they name.

use crate::{
    facts::{
        FlameInfo, Section,
        scope::Scope,
        typed::{Dated, facts},
    },
    keeping::rts_flags::TraceClass,
    known::breakdown::BreakdownSource,
    profiles::{names::DefinedKind, ticky::Counts},
    terms::{absence::Absence, value::Unit},
};
use alloc::vec::Vec;
use ghc_eventlog::{
    CostCentre, HeapBioProfSampleBegin, HeapProfSampleBegin, HeapProfSampleCostCentre, HeapProfSampleString, InfoTable,
    Ipe, Nanos, ProfSampleCostCentre, TickyCounterDef, TickyCounterSample,
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
    /// The heap profile: what the live data was made of. A census is a count of all live data, by type, cost centre or
    /// the like; a range counts its own.
    HeapProfileFacts("heap_profile", "Heap profile") {
        /// Why the log has none; if a flag is missing, nothing else is known.
        pub lacks: Option<Absence>,
        /// What the data is told apart by: type, cost centre, module or the like. The flag chooses it: -hT, -hc, -hm
        /// and others.
        pub breakdown: Option<LogText<'static>> = ("breakdown", "Broken down by", Text, Repeatable),
        /// The flags that restrict the profile to a part of the data, such as -hmMain: all sizes are of that part only.
        pub filters: Option<LogText<'static>> = ("filters", "Only a part", Text, Repeatable).only_if(|profile| profile.filters.is_some()),
        /// How many censuses there are. A census is a count of all live data, taken at a major collection; -i sets how
        /// often.
        pub censuses: Option<u64> = ("censuses", "Censuses", Count, Timed),
        /// How many bands hold anything. A band is one type, one cost centre or the like, whatever the profile is
        /// broken down by.
        pub bands: Option<u64> = ("bands_held", "Bands", Count, Repeatable),
        /// Whether any band had no name when the log was read.
        pub has_nameless: bool,
        /// How many bands have no name, since the log does not say what their info tables are. Another log of the same
        /// program may. Known of the whole log only.
        pub nameless: Option<u64> = ("nameless", "Without names", Count, Repeatable).only_if(|profile| profile.has_nameless),
        /// The size of all bands together in the largest census, and when that was.
        pub max: Option<Dated<u64>> = ("max_bytes", "Largest census", Bytes, Repeatable),
        /// The size of all bands together in the last census.
        pub last: Option<u64> = ("last_bytes", "Last census", Bytes, Repeatable),
        /// The census that the comparison begins with: the first one in the range.
        pub census_a: Option<Dated<Nanos>> = ("a_ns", "Census A", Time, Timed).only_if(|profile| profile.census_a.is_some()),
        /// The census that the comparison ends with: the last one in the range.
        pub census_b: Option<Dated<Nanos>> = ("b_ns", "Census B", Time, Timed).only_if(|profile| profile.census_b.is_some()),
    }
}

/// Said where the log has names that are not kept.
const NO_ROOM_FOR_NAMES: &str =
    "The log defines more names than there is room for: some of those without a name have one in the log.";

/// How many info tables have no name; `None` if there never were any.
fn count_of_nameless(scope: &Scope<'_>, tables: impl Iterator<Item = InfoTable>) -> Option<u64> {
    let has_adopted = scope.known().stores.profiles.names.adopted() > 0;
    Some(tables.count() as u64).filter(|count| *count > 0 || has_adopted)
}

impl HeapProfileFacts {
    pub(super) fn gather(scope: &Scope<'_>) -> Self {
        let lacks = scope.lacks(|known| known.absence_of_censuses(CENSUSES));
        if lacks.is_some_and(Absence::is_unlogged) {
            return Self { lacks, ..Self::default() };
        }
        let bands = scope.bands();
        let any = bands.filter(|bands| bands.times.count > 0);
        let heap = &scope.known().stores.profiles.heap;
        let breakdowns = scope.known().breakdown().into_iter().chain(heap.later_breakdowns());
        let breakdowns: Vec<&str> = breakdowns.filter_map(|breakdown| breakdown.text()).collect();
        // The arguments have the same filters.
        let stores = &scope.known().stores;
        let filters = [stores.process.heap_filters(), &stores.profiles.heap.filters];
        let filters = filters.into_iter().find(|filters| !filters.is_empty());
        let compared = scope.compared();
        let nameless = count_of_nameless(scope, scope.known().nameless_bands());
        let moment = |time| Dated { value: time, at: Some(time) };
        Self {
            lacks,
            breakdown: (!breakdowns.is_empty()).then(|| LogText::from(breakdowns.join(", "))),
            filters: filters.map(|filters| LogText::joined(filters, " ")),
            censuses: bands.map(|bands| bands.times.count),
            bands: bands.map(|bands| bands.order.len() as u64),
            has_nameless: nameless.is_some(),
            nameless: nameless.and_then(|nameless| scope.of_whole(nameless)),
            max: any.map(|bands| Dated { value: bands.all.most, at: Some(bands.all.most_at) }),
            last: any.map(|bands| bands.all.last(&bands.times)),
            census_a: compared.map(|compared| moment(compared.a)),
            census_b: compared.map(|compared| moment(compared.b)),
        }
    }

    pub(super) fn section(&self, scope: &Scope<'_>) -> Option<Section> {
        let heap = &scope.known().stores.profiles.heap;
        let mut profile = Section::of(self).stacked().needs(self.lacks).count(self.censuses, "censuses");
        profile.exports = if self.censuses > Some(0) { OF_HEAP } else { &[] };
        let stacks = scope.held_stacks();
        profile.flame = stacks.map(|_| FlameInfo { table: "heap_cost_centres", unit: Unit::Bytes });
        if heap.later_breakdowns().next().is_some() {
            profile.remark("The log has several heap profiles, broken down by different things: the bands of all are together, and totals are of all.");
        }
        if heap.is_in_no_order() {
            profile.remark(
                "There are too many censuses to keep them all, and they are not in order of time: integrals, means and growth are wrong.",
            );
        } else if scope.misses_censuses() {
            profile.remark(
                "There are too many censuses to keep them all: these figures are of some, evenly spread. A shorter range has all.",
            );
        }
        if heap.has_late_bands() {
            profile.remark(
                "There are too many bands to keep them all: light ones are one. Bands that became heavy late are a part of that one until then.",
            );
        } else if heap.is_capped() {
            profile.remark("There are too many bands to keep them all: light ones are one.");
        }
        if heap.is_capped() && stacks.is_some() {
            profile.remark(if scope.is_whole() && heap.is_in_order() {
                "Each cost centre has at least so many bytes: of stacks without a band, only the innermost one is known."
            } else {
                "Each cost centre has at least so many bytes: stacks without a band do not count here."
            });
        }
        if stacks.is_some_and(|stacks| stacks.is_cut) {
            profile.remark(
                "There are too many stacks to keep them all: the lightest are shortened, as (deeper, not kept).",
            );
        }
        if self.has_nameless && scope.lacks_names() {
            profile.remark(NO_ROOM_FOR_NAMES);
        }
        if let Some(about) = self.about_bands(scope, !profile.remarks.is_empty()) {
            profile.remark(about);
        }
        Some(profile)
    }

    /// What the reader should know of the bands: of several things, the first. `is_more_said`: whether there are other remarks.
    fn about_bands(&self, scope: &Scope<'_>, is_more_said: bool) -> Option<&'static str> {
        let known = scope.known();
        let heap = &known.stores.profiles.heap;
        let source = known.breakdown_source().map(|(_, source)| source);
        let text = match () {
            () if source.is_none() && self.censuses != Some(0) => {
                "The log does not say what the bands are: logging was started after the profile, and no argument of the program tells."
            }
            () if known.has_nameless_tables() => {
                "The log does not say what its info tables are. Build the program with -finfo-table-map. From GHC 10 on, -lI logs them; another log of the same program may have their names."
            }
            () if self.filters.is_some() => {
                "A flag restricts the profile to a part of the data: all sizes are of that part only."
            }
            () if known.stores.profiles.names.adopted() > 0 => {
                "Names of info tables that the log lacks are from another log of the same program."
            }
            () if source == Some(BreakdownSource::Arguments) => {
                "Logging was started after the profile: what the bands are is known from the program's arguments."
            }
            () if source == Some(BreakdownSource::Bands) => {
                "Logging was started after the profile: what the bands are is known from how they look."
            }
            () if heap.is_cut => "The last census is cut off: it may be incomplete.",
            () if heap.outside > 0 => "Some entries stand outside of all censuses: each run of them is taken for one.",
            () if self.censuses == Some(0) && !scope.is_whole() => {
                "The range has no census: what bands held in it is guessed from those around it."
            }
            () if self.censuses == Some(1) && !scope.is_whole() => {
                "The range has one census only: there is nothing to compare it with."
            }
            // Nothing is between censuses that are not there.
            () if is_more_said || self.censuses == Some(0) => return None,
            () => {
                "Between two censuses, each band is taken to go in a straight line; what a census does not name had 0 bytes in it."
            }
        };
        Some(text)
    }
}

facts! {
    /// The time profile: which code ran whenever a sample was taken. Of a range, the samples in it.
    TimeProfileFacts("time_profile", "Time profile") {
        /// Why the log has none; if a flag is missing, nothing else is known. Stacks in messages need no flag.
        pub lacks: Option<Absence>,
        /// How many samples were taken. Code that is in twice as many samples took about twice as long.
        pub samples: Option<u64> = ("samples", "Samples", Count, Timed),
        /// The time from one sample to the next.
        pub tick: Option<Nanos> = ("tick_ns", "Each tick", Duration, Repeatable),
        /// How many different stacks the samples met, of those that are kept. A stack is the chain of cost centres or functions, from the
        /// outermost to the one that ran.
        pub stacks: Option<u64> = ("stacks_met", "Stacks", Count, Timed),
        /// Whether there were too many stacks to keep them all.
        pub has_pruned: bool,
        /// How many samples are of stacks that were too light to be kept. They count for the outer part that is kept. Known of the whole log
        /// only.
        pub pruned: Option<u64> = ("stacks_not_kept.samples", "Samples of stacks not kept", Count, Timed).only_if(|profile| profile.has_pruned),
        /// How many of these samples any one stack may lack, at most. Known of the whole log only.
        pub lacks_up_to: Option<u64> = ("stacks_not_kept.max_of_one", "Missing from one stack, at most", Count, Timed).only_if(|profile| profile.has_pruned),
        /// How many samples are of threads that are not kept: those with few samples, and others before they had many. Known of the whole
        /// log only.
        pub without_thread: Option<u64> = ("threads_not_kept.samples", "Samples of threads not kept", Count, Timed).only_if(|profile| profile.without_thread.is_some()),
        /// Whether any function in stacks had no name when the log was read.
        pub has_nameless: bool,
        /// How many of the functions in stacks have no name, since the log does not say what their info tables are. Another
        /// log of the same program may. Known of the whole log only.
        pub nameless: Option<u64> = ("nameless", "Without names", Count, Repeatable).only_if(|profile| profile.has_nameless),
        /// Whether any stack that came in pieces lacks its last one.
        pub has_unfinished: bool,
        /// How many stacks came in pieces of which the last is missing. They do not count as samples. Known of the
        /// whole log only.
        pub unfinished: Option<u64> = ("unfinished", "Stacks without an end", Count, Timed).only_if(|profile| profile.has_unfinished),
        /// Whether any message of ghc-stack-profiler was not read.
        pub has_unread: bool,
        /// How many messages of ghc-stack-profiler were not read, because they are damaged or of a kind that only later
        /// versions of it write. Known of the whole log only.
        pub unread: Option<u64> = ("unread", "Messages not read", Count, Timed).only_if(|profile| profile.has_unread),
    }
}

impl TimeProfileFacts {
    pub(super) fn gather(scope: &Scope<'_>) -> Self {
        let profiles = &scope.known().stores.profiles;
        let lacks = scope.lacks(|known| known.absence_of_samples(SAMPLES)).filter(|_| profiles.time.samples == 0);
        let unfinished = profiles.unfinished();
        let has_unfinished = unfinished > 0;
        if lacks.is_some_and(Absence::is_unlogged) {
            return Self { lacks, has_unfinished, ..Self::default() };
        }
        let samples = scope.samples();
        // Without samples of threads, they are other libraries' messages.
        let unread = Some(profiles.unread()).filter(|unread| *unread > 0 && !profiles.time.threads().is_empty());
        let nameless = count_of_nameless(scope, scope.known().nameless_frames());
        Self {
            lacks,
            samples: samples.map(|samples| samples.count),
            tick: profiles.time.tick(),
            stacks: samples.map(|samples| samples.order.len() as u64),
            has_pruned: profiles.time.tree.lacks_up_to > 0,
            pruned: scope.of_whole(profiles.time.tree.deeper()),
            lacks_up_to: scope.of_whole(profiles.time.tree.lacks_up_to),
            without_thread: scope.of_whole(profiles.time.without_thread).filter(|samples| *samples > 0),
            has_nameless: nameless.is_some(),
            nameless: nameless.and_then(|nameless| scope.of_whole(nameless)),
            has_unfinished,
            unfinished: scope.of_whole(unfinished),
            has_unread: unread.is_some(),
            unread: unread.and_then(|unread| scope.of_whole(unread)),
        }
    }

    pub(super) fn section(&self, scope: &Scope<'_>) -> Option<Section> {
        let time = &scope.known().stores.profiles.time;
        let mut profile = Section::of(self).stacked().needs(self.lacks).count(self.samples, "samples");
        profile.exports = if self.samples > Some(0) { OF_TIME } else { &[] };
        profile.flame = Some(FlameInfo { table: "stacks", unit: Unit::Count }).filter(|_| time.samples > 0);
        if scope.known().stores.profiles.is_order_unknown() {
            profile.remark(
                "Nothing in the log says at which end the stacks of threads begin, and versions of ghc-stack-profiler differ: they may be upside down.",
            );
        }
        if scope.samples().is_none() {
            profile.remark(
                "There are too many samples to keep them all: of a range, there is only a flame graph of some.",
            );
        }
        if self.has_unfinished {
            profile.remark("Some stacks came in pieces of which the last is missing: they are no samples.");
        }
        if time.without_thread > 0 {
            profile.remark(
                "There are too many sampled threads to keep them all: the samples of those with few are of no thread. One that was dropped for a while has those since it came back, and more of them before.",
            );
        }
        if time.tree.lacks_up_to > 0 {
            profile.remark(
                "There are too many stacks to keep them all: the samples of the lightest count for their outer part, as (deeper, not kept).",
            );
            if scope.is_whole() {
                profile.remark(if time.tree.lacks_frames {
                    "There are too many functions, too: those with few samples may have more."
                } else {
                    "Functions and modules count all of their own samples; in all, they have at least so many."
                });
            }
        } else if time.cut > 0 {
            profile
                .remark("There are too many stacks to keep them all: some samples count for the outer part of theirs.");
        }
        if profile.remarks.is_empty() && scope.events(SAMPLES) > 0 {
            profile.remark(
                "Shares are of all samples. Percentages in the runtime's .prof file are larger: they leave out what is sampled in the cost \
                 centres IDLE, SYSTEM, GC and OVERHEAD, such as a capability that has nothing to do.",
            );
        }
        if self.has_nameless && scope.lacks_names() {
            profile.remark(NO_ROOM_FOR_NAMES);
        }
        scope.about_labels().into_iter().for_each(|missing| profile.remark(missing));
        Some(profile)
    }
}

facts! {
    /// Ticky counters of a program built with -ticky: how often code was entered, and what it allocated. Of a range,
    /// what was counted in it.
    TickyFacts("ticky", "Ticky counters") {
        /// Why the log has none; if a flag is missing, nothing else is known.
        pub lacks: Option<Absence>,
        /// How many counters there are: one for each function, thunk or the like. A range has as many as the whole log.
        pub counters: Option<u64> = ("counters", "Counters", Count, Repeatable),
        /// How often code was entered, that is, begun to run: all counters together.
        pub entries: Option<u64> = ("entries", "Entries", Count, Repeatable),
        /// How many bytes the counted code allocated, all counters together.
        pub allocated: Option<u64> = ("allocs_bytes", "Allocated", Bytes, Repeatable),
        /// How often the log has the increase of the counters. Known of the whole log only.
        pub samples: Option<u64> = ("samples", "Samples", Count, Timed),
    }
}

impl TickyFacts {
    pub(super) fn gather(scope: &Scope<'_>) -> Self {
        let lacks = scope.lacks_class(TICKY, TraceClass::Ticky);
        if lacks.is_some_and(Absence::is_unlogged) {
            return Self { lacks, ..Self::default() };
        }
        let ticky = &scope.known().stores.profiles.ticky;
        let sum = |of: fn(&Counts) -> u64| match scope.is_whole() {
            true => (ticky.samples > 0).then_some(of(&ticky.all)),
            false => scope.counters().map(|all| all.iter().fold(0u64, |sum, counts| sum.saturating_add(of(counts)))),
        };
        Self {
            lacks,
            counters: Some(ticky.counters().len() as u64),
            entries: sum(|counts| counts.entries),
            allocated: sum(|counts| counts.allocs),
            samples: scope.of_whole(ticky.samples).filter(|samples| *samples > 0),
        }
    }

    pub(super) fn section(&self, scope: &Scope<'_>) -> Option<Section> {
        let mut profile =
            Section::of(self).needs(self.lacks).count(scope.of_whole(self.counters).flatten(), "counters");
        let ticky = &scope.known().stores.profiles.ticky;
        if ticky.lacks_counts {
            profile.remark(
                "There are too many counters to keep them all: some that counted least are missing. The counts of a counter that was dropped \
                 for a while begin when it came back.",
            );
        } else if scope.counters().is_none() && !ticky.has_all() {
            profile.remark("There are too many samples to keep them all: of a range, nothing is known.");
        } else if scope.counters().is_none() {
            profile.remark("The log has what was counted only at its samples, of which none is here: it is not known.");
        }
        Some(profile)
    }
}

facts! {
    /// What the numbers and addresses in profiles stand for. It is shown for the whole log only.
    DefinitionsFacts("definitions", "Definitions") {
        /// How many cost centres the log defines. A cost centre is a place in the source to which the profiler
        /// attributes costs.
        pub cost_centres: Option<u64> = ("cost_centres", "Cost centres", Count, Repeatable),
        /// How many info tables the log defines. An info table describes one kind of value in memory, and with
        /// -finfo-table-map also where in the source it comes from.
        pub info_tables: Option<u64> = ("info_tables", "Info tables", Count, Repeatable),
    }
}

impl DefinitionsFacts {
    pub(super) fn gather(scope: &Scope<'_>) -> Self {
        let names = &scope.known().stores.profiles.names;
        Self {
            cost_centres: scope.of_whole(names.defined(DefinedKind::CostCentre)),
            info_tables: scope.of_whole(names.defined(DefinedKind::InfoTable)),
        }
    }

    pub(super) fn section(&self, scope: &Scope<'_>) -> Option<Section> {
        let mut section = Section::of(self).stacked();
        let names = &scope.known().stores.profiles.names;
        if names.dropped > 0 {
            section.remark("There are more definitions than are kept: some names are numbers.");
        }
        if [DefinedKind::CostCentre, DefinedKind::InfoTable].iter().any(|kind| names.left_out(*kind) > 0) {
            section.remark(
                "There are more definitions than are kept: the tables have those that the profiles use, for the heaviest bands and stacks \
                 first. One that is repeated may count each time.",
            );
        }
        scope.of_whole(section).filter(|_| scope.events(DEFINITIONS) > 0)
    }
}
