//! What becomes of sparks on each capability: how many are created, run and lost per second, from one collection to the next.
//! A spark is counted where it is created, and where it is run: these may differ.

use super::{
    groups,
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
use ghc_eventlog::{Record, SparkCounters};

/// The lines of the rates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct SparkRates;

/// The number of each total.
pub(crate) const CREATED: usize = 0;
pub(crate) const CONVERTED: usize = 1;
pub(crate) const OVERFLOWED: usize = 2;
pub(crate) const DUD: usize = 3;
pub(crate) const GCD: usize = 4;
pub(crate) const FIZZLED: usize = 5;
const COUNT: usize = 6;

impl Kind for SparkRates {
    const NAME: &'static str = "Spark rates";
    const ABOUT: &'static str = "Where sparks are few, a mark for each time that some were counted; else a line: how many sparks per second were created, converted (run), overflowed (thrown away from a full pool), duds \
        (evaluated already), GC'd (not needed any more) or fizzled (evaluated by other code first).";
    type Machine = Rates<Self>;
    type Tracks = Line;
    const TRACKS: Line = Line {
        heading: &groups::SPARKS,
        lines: &[
            Named { name: "created", what: "sparks created", role: "spark" },
            Named { name: "converted", what: "sparks converted", role: "spark" },
            Named { name: "overflowed", what: "sparks overflowed", role: "spark" },
            Named { name: "dud", what: "dud sparks", role: "spark" },
            Named { name: "GC'd", what: "sparks GC'd", role: "spark" },
            Named { name: "fizzled", what: "sparks fizzled", role: "spark" },
        ],
        alone: None,
        unit: Unit::PerSecond,
        class: TraceClass::Sparks,
        parts: <SparkRates as Growing>::PARTS,
        of: PlacedKind::of::<Self>(),
    };
}

impl Growing for SparkRates {
    const TAG: u16 = SparkCounters::TAG;
    const COUNT: usize = COUNT;
    // One spark in a thousand seconds is still one.
    const PARTS: u64 = 1000;
    type Totals = [u64; COUNT];

    fn totals(record: Record<'_>) -> [u64; COUNT] {
        let SparkCounters { created, converted, overflowed, dud, gcd, fizzled, .. } =
            SparkCounters::read(record.payload);
        let mut totals = [0; COUNT];
        totals[CREATED] = created;
        totals[CONVERTED] = converted;
        totals[OVERFLOWED] = overflowed;
        totals[DUD] = dud;
        totals[GCD] = gcd;
        totals[FIZZLED] = fizzled;
        totals
    }
}

/// Whether any event counts sparks, according to some sums. If none does, it is not known how many there were.
pub(crate) fn is_logged(sums: &Sums) -> bool {
    sums.get(SparkRates::SUMS_FROM + COUNT) > 0
}

/// How many sparks of a sort there were, according to some sums; `number` is the total's number.
pub(crate) fn counted(sums: &Sums, number: usize) -> u64 {
    sums.get(SparkRates::SUMS_FROM + number)
}
