//! Requests for a garbage collection on any capability: sequential or parallel.

use super::{
    kind::Kind,
    line::{Each, EventValue},
    points::Points,
};
use ghc_eventlog::{Record, RequestParGc, RequestSeqGc};

/// The track of all requests.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct GcRequests;

impl Kind for GcRequests {
    const NAME: &'static str = "GC requests";
    const ABOUT: &'static str = "Each request for a collection, by one thread or by several.";
    type Machine = Each<Self>;
    type Tracks = Points;
    const TRACKS: Points = Points::of_collector::<Self>(
        Self::NAME,
        "requests",
        |value| if value == PARALLEL { "parallel GC requested" } else { "sequential GC requested" },
        "gc-working",
    );
}

/// The values of requests for a sequential collection, and for a parallel one.
const SEQUENTIAL: u64 = 1;
const PARALLEL: u64 = 2;

impl EventValue for GcRequests {
    const TAGS: &'static [u16] = &[RequestSeqGc::TAG, RequestParGc::TAG];
    const POINTS: bool = true;

    fn value(record: Record<'_>) -> u64 {
        if record.tag == RequestParGc::TAG { PARALLEL } else { SEQUENTIAL }
    }
}
