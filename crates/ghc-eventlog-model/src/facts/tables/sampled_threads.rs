//! The threads that samples of the time profile are of, those with the most first. The runtime's own samples are of capabilities.

use super::cost_centres::share;
use crate::{
    facts::{
        scope::Scope,
        table::{Cells, Listed, columns},
    },
    terms::{
        table::Column,
        value::{Unit, Value},
    },
};
use core::ops;
use ghc_eventlog::ThreadId;

pub(super) struct SampledThreads;

impl Listed for SampledThreads {
    /// The thread, its samples, and how many it may lack.
    type Row = (ThreadId, u64, u64);
    const SECTION: &'static str = "time_profile";
    const KEY: &'static str = "sampled_threads";
    const NAME: &'static str = "Sampled threads";
    const ABOUT: &'static str = "The threads that samples were taken of, those with the most samples first.";
    columns! {
        /// The runtime's number of the thread.
        Cells::new("thread", "Thread", Unit::Thread, |_, (thread, ..)| Value::Thread(*thread)),
        /// The name that the program gave the thread by labelThread, if it gave one.
        Cells::new("label", "Label", Unit::Text, |scope, (thread, ..)| scope.label(Some(*thread))),
        /// How many samples were taken of this thread.
        Cells::new("samples", "Samples", Unit::Count, |_, (_, samples, _)| Value::Count(*samples)),
        /// How many more samples it may have, at most: there are too many threads to keep all, and one that was dropped for a while has those
        /// since it came back.
        Cells::new("lacks_up_to", "Lacks, at most", Unit::Count, |_, (.., before)| Value::Count(*before)),
        /// These samples as a share of all samples.
        Cells::new("share", "Share", Unit::Share, |scope, (_, samples, _)| share(scope, *samples)),
    }

    fn places(scope: &Scope<'_>) -> ops::Range<usize> {
        0..scope.samples().map_or(0, |samples| samples.order_of_threads.len())
    }

    fn row(scope: &Scope<'_>, place: usize) -> Option<Self::Row> {
        let samples = scope.samples()?;
        let at = *samples.order_of_threads.get(place)? as usize;
        let of = scope.known().stores.profiles.time.threads().get(at)?;
        Some((of.id, *samples.threads.get(at)?, of.before.into()))
    }

    /// Nearly always, all are kept.
    fn shows(scope: &Scope<'_>, column: &Column) -> bool {
        column.key != "lacks_up_to" || scope.known().stores.profiles.time.without_thread > 0
    }

    fn is_shown(scope: &Scope<'_>) -> bool {
        !scope.known().stores.profiles.time.threads().is_empty() && scope.samples().is_some()
    }
}
