//! Memory that major collections return to the system, in megablocks.

use super::{groups, kind::Kind, points::Points};
use crate::{
    known::Known,
    known::sums::Sums,
    terms::{
        machine::{Dialect, Machine, Placed, PlacedKind, Sink},
        sample::{NumbersAt, Sample},
    },
};
use ghc_eventlog::{MemReturn, Nanos, Record};

/// The track of what was returned.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct MemReturnTrack;

/// Its sums: how often memory was returned, and how many megablocks.
const TIMES: usize = 0;
const MBLOCKS: usize = 1;

impl Kind for MemReturnTrack {
    const NAME: &'static str = "Memory returned";
    const ABOUT: &'static str =
        "Megablocks (pieces of memory, usually of 1 MiB) that were given back to the operating system.";
    type Machine = Returns;
    type Tracks = Points;
    const TRACKS: Points = Points {
        name: Self::NAME,
        heading: &groups::HEAP,
        what: "returns of memory",
        title: |_| "memory returned",
        amount: Some("Megablocks returned"),
        role: "heap",
        of: PlacedKind::of::<Self>(),
    };
}

/// Passes on what it reads: a point if memory was returned, and always a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Returns;

impl Machine for Returns {
    const TAGS: &'static [u16] = &[MemReturn::TAG];
    const SUMS: usize = 2;
    const POINTS: bool = true;

    fn starting(_: Nanos) -> Self {
        Self
    }

    #[inline(always)]
    fn step(&mut self, record: Record<'_>, _: Dialect, sink: &mut impl Sink) {
        let MemReturn { current, needed, returned, .. } = MemReturn::read(record.payload);
        let (time, value) = (record.time, u64::from(returned));
        sink.moment::<MemReturnTrack>(NumbersAt { time, numbers: [current, needed, returned].map(u64::from) });
        if value > 0 {
            sink.sample::<MemReturnTrack>(Sample { time, value });
            sink.add::<MemReturnTrack>(TIMES, 1, time);
            sink.add::<MemReturnTrack>(MBLOCKS, value, time);
        }
    }
}

/// What the log says about it, as far as it is kept: what the runtime had, needed, and returned.
pub(crate) fn moments(known: &Known) -> &[NumbersAt] {
    known.stores.moments.of(MemReturnTrack::NUMBER)
}

/// How many megablocks were returned, according to some sums.
pub(crate) fn mblocks(sums: &Sums) -> u64 {
    sums.get(MemReturnTrack::SUMS_FROM + MBLOCKS)
}
