//! The spark pool of each capability: how many sparks are waiting in it after each collection.

use super::{
    groups,
    kind::Kind,
    line::{Each, EventValue, Line, Named},
};
use crate::keeping::rts_flags::TraceClass;
use crate::terms::{machine::PlacedKind, value::Unit};
use ghc_eventlog::{Record, SparkCounters};

/// The lines of the pools.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct SparkPool;

impl Kind for SparkPool {
    const NAME: &'static str = "Spark pool";
    const ABOUT: &'static str = "How many sparks wait in the pool of each capability to be run.";
    type Machine = Each<Self>;
    type Tracks = Line;
    const TRACKS: Line = Line {
        heading: &groups::SPARKS,
        lines: &[Named { name: "pool", what: "sparks in the pool", role: "spark" }],
        alone: None,
        unit: Unit::Count,
        class: TraceClass::Sparks,
        parts: 1,
        of: PlacedKind::of::<Self>(),
    };
}

impl EventValue for SparkPool {
    const TAGS: &'static [u16] = &[SparkCounters::TAG];

    fn value(record: Record<'_>) -> u64 {
        SparkCounters::read(record.payload).remaining
    }
}
