//! The non-moving collector of the oldest generation.

use crate::{
    facts::{Section, scope::Scope},
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

pub(super) fn section(scope: &Scope<'_>) -> Option<Section> {
    let sums = scope.sums();
    let sum = |at: usize| sums.as_ref().map(|sums| sums.get(at));
    let mut nonmoving = Section::new("nonmoving", "Non-moving collector").needs(scope.lacks(TAGS, "-xn"));
    nonmoving.number("marks", "Mark phases", sum(COUNTS + MARK));
    nonmoving.duration("mark_ns", "Marking", sum(TIMES + MARK).map(Nanos));
    nonmoving.number("marked", "Objects marked", sum(MARKED));
    nonmoving.number("syncs", "Synchronisations", sum(COUNTS + SYNC));
    nonmoving.duration("sync_ns", "Synchronising", sum(TIMES + SYNC).map(Nanos));
    nonmoving.number("sweeps", "Sweep phases", sum(COUNTS + SWEEP));
    nonmoving.duration("sweep_ns", "Sweeping", sum(TIMES + SWEEP).map(Nanos));
    nonmoving.number("flushes", "Flushes of remembered sets", sum(Flushes::SUMS_FROM));
    nonmoving.number("pruned_segments", "Segments given back", sum(PRUNED));
    Some(nonmoving)
}
