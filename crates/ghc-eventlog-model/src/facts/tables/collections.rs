//! The collections, one by one.

use crate::{
    facts::{
        scope::Scope,
        table::{Cells, Listed, columns},
    },
    terms::{
        span::Collection,
        table::Column,
        track::TrackId,
        value::{Unit, Value},
    },
    tracks::collected::{self, is_below_zero},
};
use alloc::string::ToString;
use core::ops;
use ghc_eventlog::Nanos;

pub(super) struct Collected;

impl Listed for Collected {
    type Row = Collection;
    const SECTION: &'static str = "gc";
    const KEY: &'static str = "collections";
    const NAME: &'static str = "Collections";
    const ABOUT: &'static str =
        "Each collection: when it was, how long the program stood still for it, and what it copied.";
    const TRACK: Option<TrackId> = Some(TrackId::COLLECTIONS);
    columns! {
        /// The moment at which the collection began.
        Cells::new("start_ns", "Start", Unit::Time, |_, gc| Value::Time(gc.start)),
        /// How long the program stood still for it: from its begin to its end, on the capability that collected.
        Cells::new("pause_ns", "Pause", Unit::Duration, |_, gc| Value::Duration(gc.elapsed())),
        /// From the request for the collection to its begin: this is how long the collecting capability waited for the
        /// others to stop.
        Cells::new("wait_ns", "Waited for the others", Unit::Duration, |_, gc| {
            gc.waited().map_or(Value::Unknown, Value::Duration)
        }),
        /// From the request until the log says that all capabilities had stopped. GHC writes that at the end of the collection, so this is
        /// about the wait for the others and the pause together.
        Cells::new("sync_ns", "Request to sync", Unit::Duration, |_, gc| {
            gc.sync().map_or(Value::Unknown, Value::Duration)
        }),
        /// The capability that stopped last: the one whose thread ran on for longest after the request, or one without a thread if
        /// most of a long wait was for that. All others waited for it. Empty if there was none, or if the log does not say.
        Cells::new("last_cap", "Last to stop", Unit::Capability, |scope, gc| {
            scope.known().last_to_stop(gc).map_or(Value::Unknown, |stop| Value::Capability(stop.cap))
        }),
        /// The thread that ran on the capability that stopped last. Empty if that was late for another reason.
        Cells::new("last_thread", "Last thread", Unit::Thread, |scope, gc| {
            let stop = scope.known().last_to_stop(gc).filter(|stop| stop.why.is_thread());
            stop.map_or(Value::Unknown, |stop| Value::Thread(stop.thread))
        }),
        /// The name that the program gave that thread by labelThread, if it gave one.
        Cells::new("last_label", "Last thread's label", Unit::Text, |scope, gc| {
            scope.label(scope.known().last_to_stop(gc).map(|stop| stop.thread))
        }),
        /// How long after the request it stopped, or was ready.
        Cells::new("last_after_ns", "Stopped after", Unit::Duration, |scope, gc| {
            scope.known().last_to_stop(gc).map_or(Value::Unknown, |stop| Value::Duration(stop.after()))
        }),
        /// Whether it was a minor collection, of younger generations only, or a major one, of all generations.
        Cells::new("kind", "Kind", Unit::Text, |scope, gc| {
            let name = || collected::name(&collected::span(scope.known(), gc)).to_string();
            gc.generation.map_or(Value::Unknown, |_| Value::words(name()))
        }),
        /// The oldest generation that it collected. Generation 0 has the newest data; what survives moves to an older
        /// one.
        Cells::new("generation", "Generation", Unit::Count, |_, gc| {
            stats(gc, |generation| generation.into(), Unit::Count)
        }),
        /// How many bytes it copied: data that it found in use and moved. Copying is most of its work.
        Cells::new("copied_bytes", "Copied", Unit::Bytes, |_, gc| stats(gc, |_| gc.copied_bytes, Unit::Bytes)),
        /// Slop: space in used blocks that holds no data, mostly at their ends.
        Cells::new("slop_bytes", "Slop", Unit::Bytes, |_, gc| {
            if is_below_zero(gc.slop_bytes) { Value::Unknown } else { stats(gc, |_| gc.slop_bytes, Unit::Bytes) }
        }),
        /// Memory that the heap has from the operating system and that is in no used block.
        Cells::new("fragmentation_bytes", "Fragmentation", Unit::Bytes, |_, gc| {
            stats(gc, |_| gc.fragmentation_bytes, Unit::Bytes)
        }),
        /// How many threads it was set up for. Fewer may have taken part: the log does not say.
        Cells::new("threads", "Threads", Unit::Count, |_, gc| stats(gc, |_| gc.par_threads.into(), Unit::Count)),
        /// How evenly its threads shared the copying: 100 % if each copied as much, 0 % if one copied everything.
        Cells::new("balance", "Balance", Unit::Share, |_, gc| gc.balance().map_or(Value::Unknown, Value::Share)),
        /// The capability that led the collection. Others may have helped.
        Cells::new("cap", "Collected by", Unit::Capability, |_, gc| gc.cap.map_or(Value::Unknown, Value::Capability)),
    }

    fn places(scope: &Scope<'_>) -> ops::Range<usize> {
        scope.within(scope.known().stores.collections.rows(), |gc| gc.start)
    }

    fn row(scope: &Scope<'_>, place: usize) -> Option<Collection> {
        scope.known().stores.collections.rows().get(place).copied()
    }

    fn of(scope: &Scope<'_>) -> u64 {
        let all = scope.known().stores.collections.total().count;
        if scope.is_whole() { all } else { scope.range_totals(TrackId::COLLECTIONS).count.unwrap_or(0) }
    }

    fn shows(scope: &Scope<'_>, column: &Column) -> bool {
        !column.key.starts_with("last_") || scope.known().tells_last_to_stop()
    }

    fn time(gc: &Collection) -> Option<Nanos> {
        Some(gc.start)
    }
}

/// What GC_STATS tells of a collection, if that is in the log: the generation comes with it.
fn stats(gc: &Collection, number: impl Fn(u16) -> u64, unit: Unit) -> Value {
    gc.generation.map_or(Value::Unknown, |generation| unit.value(number(generation)))
}
