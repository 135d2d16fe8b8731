//! The non-moving collector of the oldest generation.

use crate::{
    facts::{Section, scope::Scope, typed::facts},
    terms::machine::Placed,
    tracks::{
        flushes::Flushes,
        nonmoving::{COUNTS, MARK, MARKED, PRUNED, SWEEP, SYNC, TIMES},
    },
};
use ghc_eventlog::{ConcMarkBegin, ConcSweepBegin, ConcSyncBegin, ConcUpdRemSetFlush, Nanos, NonmovingHeapCensus};

/// What every log of a program that uses it has some of.
const TAGS: &[u16] =
    &[ConcMarkBegin::TAG, ConcSyncBegin::TAG, ConcSweepBegin::TAG, ConcUpdRemSetFlush::TAG, NonmovingHeapCensus::TAG];

facts! {
    /// The non-moving collector of the oldest generation.
    NonMovingFacts("nonmoving", "Non-moving collector") {
        /// The flag of the runtime without which there is no such collector; then nothing else is known.
        pub lacks: Option<&'static str>,
        /// Phases of marking.
        pub marks: Option<u64> = ("marks", "Mark phases", Count, Repeatable),
        /// The time of all of them.
        pub marking: Option<Nanos> = ("mark_ns", "Marking", Duration, Timed),
        /// Objects that they marked.
        pub marked: Option<u64> = ("marked", "Objects marked", Count, Repeatable),
        /// Synchronisations after marking: the collector's pauses.
        pub syncs: Option<u64> = ("syncs", "Synchronisations", Count, Repeatable),
        /// The time of all of them.
        pub synchronising: Option<Nanos> = ("sync_ns", "Synchronising", Duration, Timed),
        /// Phases of sweeping.
        pub sweeps: Option<u64> = ("sweeps", "Sweep phases", Count, Repeatable),
        /// The time of all of them.
        pub sweeping: Option<Nanos> = ("sweep_ns", "Sweeping", Duration, Timed),
        /// How often a capability flushed its update remembered set.
        pub flushes: Option<u64> = ("flushes", "Flushes of remembered sets", Count, Repeatable),
        /// Segments given back while sweeping.
        pub pruned_segments: Option<u64> = ("pruned_segments", "Segments given back", Count, Repeatable),
    }
}

impl NonMovingFacts {
    pub(super) fn gather(scope: &Scope<'_>) -> Self {
        let lacks = scope.lacks(TAGS, "-xn");
        if lacks.is_some() {
            return Self { lacks, ..Self::default() };
        }
        let sums = scope.sums();
        let sum = |at: usize| sums.as_ref().map(|sums| sums.get(at));
        Self {
            lacks,
            marks: sum(COUNTS + MARK),
            marking: sum(TIMES + MARK).map(Nanos),
            marked: sum(MARKED),
            syncs: sum(COUNTS + SYNC),
            synchronising: sum(TIMES + SYNC).map(Nanos),
            sweeps: sum(COUNTS + SWEEP),
            sweeping: sum(TIMES + SWEEP).map(Nanos),
            flushes: sum(Flushes::SUMS_FROM),
            pruned_segments: sum(PRUNED),
        }
    }

    pub(super) fn section(&self, _: &Scope<'_>) -> Option<Section> {
        Some(Section::of(self).needs(self.lacks))
    }
}
