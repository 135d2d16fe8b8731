//! Sparks, as `+RTS -s` counts them.

use crate::{
    facts::{Section, scope::Scope, tables::caps},
    tracks::spark_rates::{CONVERTED, CREATED, DUD, FIZZLED, GCD, OVERFLOWED},
};
use ghc_eventlog::{SparkCounters, SparkCreate, SparkRun};

const TAGS: &[u16] = &[SparkCounters::TAG, SparkCreate::TAG, SparkRun::TAG];

pub(super) fn section(scope: &Scope<'_>) -> Option<Section> {
    let samples = scope.events(&[SparkCounters::TAG]);
    let all = |number| caps::all_sparks(scope, number);
    let count =
        [CREATED, DUD, OVERFLOWED].into_iter().try_fold(0u64, |sum, number| Some(sum.saturating_add(all(number)?)));
    let mut sparks = Section::new("sparks", "Sparks").needs(scope.lacks(TAGS, "-lp")).count(count);
    sparks.number("count", "Sparks", count);
    sparks.number("created", "Created", all(CREATED));
    sparks.number("converted", "Converted", all(CONVERTED));
    sparks.number("overflowed", "Overflowed", all(OVERFLOWED));
    sparks.number("dud", "Dud", all(DUD));
    sparks.number("gcd", "GC'd", all(GCD));
    sparks.number("fizzled", "Fizzled", all(FIZZLED));
    sparks.number("remaining", "Left in the pools", caps::all_in_pools(scope));
    sparks.number("samples", "Samples of their counters", scope.of_whole(samples));
    Some(sparks)
}
