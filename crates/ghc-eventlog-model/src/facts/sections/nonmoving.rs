//! The non-moving collector of the oldest generation.

use crate::{
    facts::{Section, scope::Scope, typed::facts},
    keeping::rts_flags::TraceClass,
    terms::{absence::Absence, machine::Placed},
    tracks::{
        flushes::Flushes,
        nonmoving::{COUNTS, MARK, MARKED, PRUNED, SWEEP, SYNC, TIMES},
    },
};
use ghc_eventlog::{
    ConcMarkBegin, ConcSweepBegin, ConcSyncBegin, ConcUpdRemSetFlush, Nanos, NonmovingHeapCensus,
    NonmovingPrunedSegments,
};

/// What every log of a program that uses it has some of.
const TAGS: &[u16] =
    &[ConcMarkBegin::TAG, ConcSyncBegin::TAG, ConcSweepBegin::TAG, ConcUpdRemSetFlush::TAG, NonmovingHeapCensus::TAG];

facts! {
    /// The non-moving collector (-xn): it collects the oldest generation while the program runs, and stops it only
    /// briefly.
    NonMovingFacts("nonmoving", "Non-moving collector") {
        /// The flag of the runtime without which there is no such collector; then nothing else is known.
        pub lacks: Option<Absence>,
        /// How many times the collector went through the heap to mark the data that is in use. The program runs
        /// meanwhile.
        pub marks: Option<u64> = ("marks", "Mark phases", Count, Repeatable),
        /// The time of all mark phases together. The program runs meanwhile, so this is no pause.
        pub marking: Option<Nanos> = ("mark_ns", "Marking", Duration, Timed),
        /// How many objects were marked as in use, summed over all mark phases.
        pub marked: Option<u64> = ("marked", "Objects marked", Count, Repeatable),
        /// How many times the program was stopped to finish the marking. These stops are the collector's pauses.
        pub syncs: Option<u64> = ("syncs", "Synchronisations", Count, Repeatable),
        /// The time in which the program was stopped to finish the marking, summed over all such stops.
        pub synchronising: Option<Nanos> = ("sync_ns", "Synchronising", Duration, Timed),
        /// How many times the collector gave back what it had not marked. The program runs meanwhile.
        pub sweeps: Option<u64> = ("sweeps", "Sweep phases", Count, Repeatable),
        /// The time of all sweep phases together. The program runs meanwhile, so this is no pause.
        pub sweeping: Option<Nanos> = ("sweep_ns", "Sweeping", Duration, Timed),
        /// How often a capability handed its remembered set to the collector: the list of what the program overwrote
        /// during the marking, which must be marked too.
        pub flushes: Option<u64> = ("flushes", "Flushes of remembered sets", Count, Repeatable),
        /// How many empty segments were given back after sweeping. A segment is the piece of this heap that holds
        /// objects of about one size; it is usually 32 KiB.
        pub pruned_segments: Option<u64> = ("pruned_segments", "Segments given back", Count, Repeatable),
    }
}

impl NonMovingFacts {
    pub(super) fn gather(scope: &Scope<'_>) -> Self {
        let lacks = scope.lacks(|known| known.absence_of_nonmoving(TAGS));
        if lacks.is_some_and(Absence::is_unlogged) {
            return Self { lacks, ..Self::default() };
        }
        let sums = scope.sums();
        let sum = |at: usize| sums.as_ref().map(|sums| sums.get(at));
        // What the log's runtime does not write, it does not tell.
        let sum_of = |tag: u16, at: usize| sum(at).filter(|_| scope.can_tell(tag));
        Self {
            lacks,
            marks: sum(COUNTS + MARK),
            marking: sum(TIMES + MARK).map(Nanos),
            marked: sum(MARKED),
            syncs: sum(COUNTS + SYNC),
            synchronising: sum(TIMES + SYNC).map(Nanos),
            sweeps: sum(COUNTS + SWEEP),
            sweeping: sum(TIMES + SWEEP).map(Nanos),
            flushes: sum_of(ConcUpdRemSetFlush::TAG, Flushes::SUMS_FROM),
            // These are of a class of their own.
            pruned_segments: sum_of(NonmovingPrunedSegments::TAG, PRUNED)
                .filter(|_| scope.known().logs(TraceClass::NonMoving) == Some(true)),
        }
    }

    pub(super) fn section(&self, _: &Scope<'_>) -> Option<Section> {
        Some(Section::of(self).needs(self.lacks))
    }
}
