//! The end of a program: the runtime collects once more, after the program has let go of its data. What is held from then on matters to
//! nobody.

use super::{Asked, Limit};
use crate::terms::{machine::Placed, sample::Sample};
use ghc_eventlog::Nanos;

pub(super) const SHARE: Limit = Limit::share(
    "time that must follow a collection, of the log",
    0.01,
    "the runtime collects once more as the program ends: what is held from then on matters to nobody",
);
pub(super) const TIME: Limit =
    Limit::time("time that must follow a collection", Nanos(20_000_000), "so long may the end of a short program take");
/// What is said where there is no other collection.
pub(super) const NO_OTHER: &str =
    "There is no major collection but at the end of the program, when it has let go of its data.";

/// The values of a line of the whole log, in order of time, up to the end of the program.
pub(super) fn before<'a, K: Placed>(of: &'a Asked<'_>) -> &'a [Sample] {
    let (from, to) = of.times();
    let end = Nanos((to.since(from).0 as f64 * SHARE.of()) as u64).max(TIME.nanos());
    let samples = of.samples::<K>();
    samples.get(..samples.partition_point(|sample| sample.time.plus(end) <= to)).unwrap_or_default()
}
