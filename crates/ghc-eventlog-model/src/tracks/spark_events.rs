//! Single sparks, where the log has an event for each: a row for each event type that occurs, with what every event says.
//!
//! ```text
//! ▾ Sparks
//!   SPARK_CREATE   4 300   xxxx xx xx   x
//!   SPARK_STEAL       12      x  x     x      its record, read again from the file, says from which capability
//! ```

use super::{groups, kind::Kind, other::OfTypes};
use crate::terms::tags::Tags;
use core::marker::PhantomData;
use ghc_eventlog::{
    CreateSparkThread, RunSpark, SparkCreate, SparkDud, SparkFizzle, SparkGc, SparkOverflow, SparkRun, SparkSteal,
    StealSpark,
};

/// The tracks of the types.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct SparkEvents;

/// The numbers of the events about single sparks.
pub(crate) const SPARK_EVENTS: Tags = Tags::of(&[
    RunSpark::TAG,
    StealSpark::TAG,
    CreateSparkThread::TAG,
    SparkCreate::TAG,
    SparkDud::TAG,
    SparkOverflow::TAG,
    SparkRun::TAG,
    SparkSteal::TAG,
    SparkFizzle::TAG,
    SparkGc::TAG,
]);

impl Kind for SparkEvents {
    const NAME: &'static str = "Single sparks";
    const ABOUT: &'static str = "Every event of a single spark, as points. Only logs written with -lf have them.";
    type Machine = ();
    type Tracks = OfTypes<Self>;
    const TRACKS: OfTypes<Self> = OfTypes {
        heading: &groups::SPARKS,
        role: "spark",
        has: |tag| SPARK_EVENTS.has(tag),
        summed_up: false,
        of: PhantomData,
    };
}
