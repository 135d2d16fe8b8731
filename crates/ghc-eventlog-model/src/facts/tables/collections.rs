//! The collections, one by one.

use crate::{
    facts::{
        scope::Scope,
        table::{Cells, Listed},
    },
    terms::{
        span::Collection,
        track::TrackId,
        value::{Unit, Value},
    },
    tracks::collected,
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
    const TRACK: Option<TrackId> = Some(TrackId::COLLECTIONS);
    const COLUMNS: &'static [Cells<Collection>] = &[
        Cells::new("start_ns", "Start", Unit::Time, |_, gc| Value::Time(gc.start)),
        Cells::new("pause_ns", "Pause", Unit::Duration, |_, gc| Value::Duration(gc.elapsed())),
        Cells::new("wait_ns", "Waited for the others", Unit::Duration, |_, gc| {
            gc.waited().map_or(Value::Unknown, Value::Duration)
        }),
        Cells::new("sync_ns", "Request to sync", Unit::Duration, |_, gc| {
            gc.sync().map_or(Value::Unknown, Value::Duration)
        }),
        Cells::new("kind", "Kind", Unit::Text, |scope, gc| {
            Value::words(collected::name(&collected::span(scope.known(), gc)).to_string())
        }),
        Cells::new("generation", "Generation", Unit::Count, |_, gc| {
            stats(gc, |generation| generation.into(), Unit::Count)
        }),
        Cells::new("copied_bytes", "Copied", Unit::Bytes, |_, gc| stats(gc, |_| gc.copied_bytes, Unit::Bytes)),
        Cells::new("slop_bytes", "Slop", Unit::Bytes, |_, gc| stats(gc, |_| gc.slop_bytes, Unit::Bytes)),
        Cells::new("fragmentation_bytes", "Fragmentation", Unit::Bytes, |_, gc| {
            stats(gc, |_| gc.fragmentation_bytes, Unit::Bytes)
        }),
        Cells::new("threads", "Threads", Unit::Count, |_, gc| stats(gc, |_| gc.par_threads.into(), Unit::Count)),
        Cells::new("balance", "Balance", Unit::Share, |_, gc| gc.balance().map_or(Value::Unknown, Value::Share)),
        Cells::new("cap", "Collected by", Unit::Capability, |_, gc| gc.cap.map_or(Value::Unknown, Value::Capability)),
    ];

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

    fn time(gc: &Collection) -> Option<Nanos> {
        Some(gc.start)
    }
}

/// What GC_STATS tells of a collection, if that is in the log: the generation comes with it.
fn stats(gc: &Collection, number: impl Fn(u16) -> u64, unit: Unit) -> Value {
    gc.generation.map_or(Value::Unknown, |generation| unit.value(number(generation)))
}
