//! The heap after each collection: live data (after major collections only), the blocks in use, and the memory that the
//! runtime has from the system. Each value is about the whole process, on whichever capability it is logged.

use super::{
    groups::{self, Heading},
    kind::Kind,
    line::{Each, EventValue, Line, Named},
};
use crate::keeping::rts_flags::TraceClass;
use crate::terms::{
    machine::{Placed, PlacedKind},
    value::Unit,
};
use ghc_eventlog::{BlocksSize, HeapLive, HeapSize, Record};

/// The line of live data.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Live;

/// The line of the blocks' size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Blocks;

/// The line of the heap's size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Size;

const HEADING: &Heading = &groups::HEAP;

/// Lines in bytes.
pub(super) const fn bytes<K: Kind + Placed>(lines: &'static [Named]) -> Line {
    Line {
        heading: HEADING,
        lines,
        alone: None,
        unit: Unit::Bytes,
        class: TraceClass::Collections,
        parts: 1,
        of: PlacedKind::of::<K>(),
    }
}

impl Kind for Live {
    const NAME: &'static str = "Live data";
    const ABOUT: &'static str = "How much data the last major collection found in use.";
    type Machine = Each<Self>;
    type Tracks = Line;
    const TRACKS: Line = bytes::<Self>(&[Named { name: Self::NAME, what: "live", role: "heap" }]);
}

impl EventValue for Live {
    const TAGS: &'static [u16] = &[HeapLive::TAG];
    const OF_LOG: bool = true;

    fn value(record: Record<'_>) -> u64 {
        HeapLive::read(record.payload).bytes
    }
}

impl Kind for Blocks {
    const NAME: &'static str = "Blocks";
    const ABOUT: &'static str = "The size of all blocks in use. A block is a piece of the heap, usually of 4 KiB.";
    type Machine = Each<Self>;
    type Tracks = Line;
    const TRACKS: Line = bytes::<Self>(&[Named { name: Self::NAME, what: "in blocks", role: "heap" }]);
}

impl EventValue for Blocks {
    const TAGS: &'static [u16] = &[BlocksSize::TAG];
    const OF_LOG: bool = true;

    fn value(record: Record<'_>) -> u64 {
        BlocksSize::read(record.payload).bytes
    }
}

impl Kind for Size {
    const NAME: &'static str = "Heap size";
    const ABOUT: &'static str = "How much memory the heap has from the operating system.";
    type Machine = Each<Self>;
    type Tracks = Line;
    const TRACKS: Line = bytes::<Self>(&[Named { name: Self::NAME, what: "of heap", role: "heap" }]);
}

impl EventValue for Size {
    const TAGS: &'static [u16] = &[HeapSize::TAG];
    const OF_LOG: bool = true;

    fn value(record: Record<'_>) -> u64 {
        HeapSize::read(record.payload).bytes
    }
}
