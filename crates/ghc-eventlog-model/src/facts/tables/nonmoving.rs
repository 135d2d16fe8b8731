//! Censuses of the non-moving heap: what it holds in blocks of each size after a cycle.

use crate::{
    facts::{
        scope::Scope,
        table::{Cells, Listed, columns},
    },
    terms::{
        nonmoving::Census,
        value::{Unit, Value},
    },
    tracks::nonmoving::CENSUSES,
};
use core::ops;
use ghc_eventlog::Nanos;

pub(super) struct NonMovingHeap;

impl Listed for NonMovingHeap {
    type Row = Census;
    const SECTION: &'static str = "nonmoving";
    const KEY: &'static str = "nonmoving_heap";
    const NAME: &'static str = "Non-moving heap";
    const ABOUT: &'static str =
        "Censuses of the non-moving heap: counts of what it holds after the collector's work, in blocks of each size.";
    columns! {
        /// The moment at which it was counted.
        Cells::new("time_ns", "Time", Unit::Time, |_, census| Value::Time(census.time)),
        /// The size of the blocks that are counted in this row. A block holds one object, of this size at most.
        Cells::new("block_bytes", "Block size", Unit::Bytes, |_, census| Value::Bytes(census.block_bytes.into())),
        /// How many segments, which are groups of such blocks, have some blocks in use and some free.
        Cells::new("active_segments", "Active segments", Unit::Count, |_, census| {
            Value::Count(census.active_segments.into())
        }),
        /// How many segments, which are groups of such blocks, have no free block.
        Cells::new("filled_segments", "Filled segments", Unit::Count, |_, census| {
            Value::Count(census.filled_segments.into())
        }),
        /// How many of these blocks are in use.
        Cells::new("live_blocks", "Live blocks", Unit::Count, |_, census| Value::Count(census.live_blocks.into())),
        /// The size of the blocks in use: their number times the size of one.
        Cells::new("live_bytes", "Live", Unit::Bytes, |_, census| Value::Bytes(census.live_bytes())),
    }

    fn places(scope: &Scope<'_>) -> ops::Range<usize> {
        scope.within(scope.known().stores.nonmoving.censuses(), |census| census.time)
    }

    fn row(scope: &Scope<'_>, place: usize) -> Option<Census> {
        scope.known().stores.nonmoving.censuses().get(place).copied()
    }

    fn of(scope: &Scope<'_>) -> u64 {
        scope.sums().map_or(0, |sums| sums.get(CENSUSES))
    }

    fn time(census: &Census) -> Option<Nanos> {
        Some(census.time)
    }

    fn is_shown(scope: &Scope<'_>) -> bool {
        !scope.known().stores.nonmoving.censuses().is_empty()
    }
}
