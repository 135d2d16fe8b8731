//! Sparks, as `+RTS -s` counts them.

use crate::{
    facts::{Section, scope::Scope, tables::caps},
    keeping::quantiles::Quantiles,
    terms::{track::State, value::Unit},
    tracks::spark_rates::{CONVERTED, CREATED, DUD, FIZZLED, GCD, OVERFLOWED},
};
use ghc_eventlog::{Nanos, SparkCounters, SparkCreate, SparkRun, SparkSteal};

const TAGS: &[u16] = &[SparkCounters::TAG, SparkCreate::TAG, SparkRun::TAG];

/// Where every spark is logged.
const RUNS: &[u16] = &[SparkRun::TAG, SparkSteal::TAG];

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
    sparks.number("remaining", "Still in the pools", caps::all_in_pools(scope));
    if scope.known().counts.has_any(RUNS) {
        run_times(&mut sparks, scope);
    }
    sparks.number("samples", "Samples of their counters", scope.of_whole(samples));
    Some(sparks)
}

/// How long they ran. In which part of the log each did is not kept.
fn run_times(sparks: &mut Section, scope: &Scope<'_>) {
    let runs = &scope.known().stores.spark_runs;
    let lengths = scope.of_whole(&runs.lengths);
    let percentile = |percent| lengths.and_then(|lengths| lengths.at(percent)).map(Nanos);
    let any = lengths.filter(|lengths| lengths.count() > 0);
    sparks.number("run_ns.count", "Runs of sparks that ended", lengths.map(Quantiles::count));
    sparks.duration("run_ns.p50", "Median run of a spark, within 0.4 %", percentile(50));
    sparks.duration("run_ns.p95", "95 % of the runs are no longer than, within 0.4 %", percentile(95));
    sparks
        .duration("run_ns.max", "Longest run of a spark", any.map(|lengths| Nanos(lengths.most())))
        .at(any.and(runs.longest_at));
    let counted = [(State { name: "runs", role: "spark" }, runs.bins)];
    if let Some(histogram) = sparks.histogram("runs", "Runs of sparks", Unit::Duration, &counted, None) {
        histogram.of_whole_log = !scope.is_whole();
    }
}
