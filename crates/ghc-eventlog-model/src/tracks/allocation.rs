//! Allocation: how fast each capability allocates, from one collection to the next, and the sum of all of them. The runtime
//! logs a running total for each capability; it does not matter under which set of capabilities.

use super::{
    groups,
    in_all::InAll,
    kind::Kind,
    line::{Growing, Line, Named, Rates},
};
use crate::{
    keeping::rts_flags::TraceClass,
    known::sums::Sums,
    terms::{
        machine::{Placed, PlacedKind},
        value::Unit,
    },
};
use core::marker::PhantomData;
use ghc_eventlog::{HeapAllocated, Record};

/// The name of the line of all capabilities, and of a single one's line.
const NAME: &str = "Allocation";

/// The lines of the capabilities.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Allocation;

/// The line of their sum.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct AllocationInAll;

impl Kind for Allocation {
    const NAME: &'static str = NAME;
    const ABOUT: &'static str =
        "How fast the program allocates on each capability: the mean from one collection to the next.";
    type Machine = Rates<Self>;
    type Tracks = Line;
    const TRACKS: Line = Line {
        heading: &groups::HEAP,
        lines: &[Named { name: "alloc", what: "allocated", role: "heap" }],
        alone: Some(NAME),
        unit: Unit::BytesPerSecond,
        class: TraceClass::Collections,
        parts: 1,
        of: PlacedKind::of::<Self>(),
    };
}

impl Growing for Allocation {
    const TAG: u16 = HeapAllocated::TAG;
    const COUNT: usize = 1;
    const IN_ALL: bool = true;
    type Totals = [u64; 1];

    fn totals(record: Record<'_>) -> [u64; 1] {
        [HeapAllocated::read(record.payload).bytes]
    }
}

impl Kind for AllocationInAll {
    const NAME: &'static str = NAME;
    const ABOUT: &'static str = "How fast the program allocates, all capabilities together: the mean in each of many equal stretches of time. A capability's own line has means from one collection to the next. Where collections follow each other faster than these stretches, its maximum may be the higher one.";
    type Machine = ();
    type Tracks = InAll<Allocation>;
    const TRACKS: InAll<Allocation> = InAll {
        number: Self::NUMBER,
        heading: &groups::HEAP,
        line: Named { name: NAME, what: "allocated by all capabilities", role: "heap" },
        unit: Unit::BytesPerSecond,
        of: PhantomData,
    };
}

/// The place of the sum of bytes allocated, and that of the number of events that tell it.
pub(crate) const BYTES: usize = Allocation::SUMS_FROM;
pub(crate) const TOLD: usize = BYTES + <Allocation as Growing>::COUNT;

/// How much was allocated, according to some sums.
pub(crate) fn allocated(sums: &Sums) -> u64 {
    sums.get(BYTES)
}

/// Whether any event tells how much it was. If none does, it is not known, and not 0.
pub(crate) fn is_logged(sums: &Sums) -> bool {
    sums.get(TOLD) > 0
}
