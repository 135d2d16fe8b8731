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
    const NAME: &'static str = "Remembered sets";
    const ABOUT: &'static str = "When a capability handed its remembered set to the non-moving collector: the list of what the program \
        overwrote during the marking.";
    type Machine = Each<Self>;
    type Tracks = Points;
    const TRACKS: Points = Points::of_collector::<Self>(
        Self::NAME,
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
