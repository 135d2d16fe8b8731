//! Who stopped last before the collections: for whom all others waited.

use crate::{
    facts::{
        scope::Scope,
        stops::StopperRow,
        table::{Cells, Listed, columns},
    },
    terms::{
        track::TrackId,
        value::{Unit, Value},
    },
};
use core::ops;
use ghc_eventlog::Nanos;

pub(super) struct LastToStopTable;

impl Listed for LastToStopTable {
    type Row = StopperRow;
    const SECTION: &'static str = "gc";
    const KEY: &'static str = "last_to_stop";
    const NAME: &'static str = "Last to stop";
    const ABOUT: &'static str = "For whom the others waited before collections: the capability whose thread ran on for longest after \
        the request, and that thread; or, where most of a long wait was for no thread, the capability that came last, and why. A range \
        counts collections that begin in it.";
    const KEPT: &'static str = "those for which was waited longest";
    const TRACK: Option<TrackId> = Some(TrackId::GC_SYNC);
    columns! {
        /// The capability that stopped last.
        Cells::new("cap", "Capability", Unit::Capability, |_, row| Value::Capability(row.cap)),
        /// The thread that ran on it. Empty if the capability was late for another reason.
        Cells::new("thread", "Thread", Unit::Thread, |_, row| row.thread.map_or(Value::Unknown, Value::Thread)),
        /// The name that the program gave the thread by labelThread, if it gave one.
        Cells::new("label", "Label", Unit::Text, |scope, row| scope.label(row.thread)),
        /// Why it was the last: its thread ran on; it was not back from the collection before; or its OS thread did not run, as where
        /// there are more capabilities than cores.
        Cells::new("why", "Why", Unit::Text, |_, row| Value::words(row.why.words())),
        /// Before how many collections it stopped last.
        Cells::new("count", "Collections", Unit::Count, |_, row| Value::Count(row.stopped.count)),
        /// How long after the requests it stopped, all these collections together: so long it kept the others waiting.
        Cells::coloured("total_ns", "Stopped after", Unit::Duration, "gc-sync", |_, row| {
            Value::Duration(row.stopped.total)
        }),
        /// How long after a request it stopped at most.
        Cells::new("max_ns", "Longest", Unit::Duration, |_, row| Value::Duration(row.stopped.longest)),
        /// When the collection was requested for which it took longest to stop.
        Cells::new("max_at_ns", "Requested at", Unit::Time, |_, row| Value::Time(row.stopped.longest_at)),
    }

    fn places(scope: &Scope<'_>) -> ops::Range<usize> {
        0..scope.last_to_stop().map_or(0, <[StopperRow]>::len)
    }

    fn row(scope: &Scope<'_>, place: usize) -> Option<StopperRow> {
        scope.last_to_stop()?.get(place).copied()
    }

    fn of(scope: &Scope<'_>) -> u64 {
        let dropped = scope.known().replayed.as_ref().map_or(0, |replayed| replayed.stops.dropped);
        Self::places(scope).len() as u64 + scope.of_whole(dropped).unwrap_or(0)
    }

    fn time(row: &StopperRow) -> Option<Nanos> {
        Some(row.stopped.longest_at)
    }

    fn is_shown(scope: &Scope<'_>) -> bool {
        scope.last_to_stop().is_some()
    }
}
