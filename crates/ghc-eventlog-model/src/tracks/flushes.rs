//! Flushes of the capabilities' remembered sets to the non-moving collector.

use super::{
    kind::Kind,
    line::{Each, EventValue},
    points::Points,
};
use ghc_eventlog::{ConcUpdRemSetFlush, Record};

/// The track of all flushes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Flushes;

impl Kind for Flushes {
    type Machine = Each<Self>;
    type Tracks = Points;
    const TRACKS: Points = Points::of_collector::<Self>(
        "Remembered sets",
        "flushes of remembered sets",
        |_| "remembered set flushed",
        "nonmoving-mark",
    );
}

impl EventValue for Flushes {
    const TAGS: &'static [u16] = &[ConcUpdRemSetFlush::TAG];
    const POINTS: bool = true;

    fn value(_: Record<'_>) -> u64 {
        1
    }
}
