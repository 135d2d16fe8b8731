//! Sparks, as `+RTS -s` counts them.

use crate::{
    facts::{
        Section,
        scope::Scope,
        tables::caps,
        typed::{Dated, facts},
    },
    keeping::quantiles::Quantiles,
    terms::{track::State, value::Unit},
    tracks::spark_rates::{CONVERTED, CREATED, DUD, FIZZLED, GCD, OVERFLOWED},
};
use ghc_eventlog::{Nanos, SparkCounters, SparkCreate, SparkRun, SparkSteal};

const TAGS: &[u16] = &[SparkCounters::TAG, SparkCreate::TAG, SparkRun::TAG];

/// Where every spark is logged.
const RUNS: &[u16] = &[SparkRun::TAG, SparkSteal::TAG];

facts! {
    /// Sparks, as `+RTS -s` counts them: of a range, those of that time.
    SparksFacts("sparks", "Sparks") {
        /// The flag of the runtime without which the log does not say; then nothing else is known.
        pub lacks: Option<&'static str>,
        /// All: created, duds and overflowed (`sparks_count`).
        pub count: Option<u64> = ("count", "Sparks", Count, Repeatable),
        /// Put into a pool.
        pub created: Option<u64> = ("created", "Created", Count, Repeatable),
        /// Run (`sparks_converted`).
        pub converted: Option<u64> = ("converted", "Converted", Count, Repeatable),
        /// Lost, since the pool was full (`sparks_overflowed`).
        pub overflowed: Option<u64> = ("overflowed", "Overflowed", Count, Repeatable),
        /// Evaluated already when they were to be created (`sparks_dud`).
        pub dud: Option<u64> = ("dud", "Dud", Count, Repeatable),
        /// Needed by nobody any more (`sparks_gcd`).
        pub gcd: Option<u64> = ("gcd", "GC'd", Count, Repeatable),
        /// Evaluated by somebody else before they were run (`sparks_fizzled`).
        pub fizzled: Option<u64> = ("fizzled", "Fizzled", Count, Repeatable),
        /// Left in all pools at the end.
        pub remaining: Option<u64> = ("remaining", "Still in the pools", Count, Repeatable),
        /// Whether the log has each spark: only then are runs known. Of a range, none of these are.
        pub has_runs: bool,
        /// Runs of sparks that ended.
        pub runs: Option<u64> = ("run_ns.count", "Runs of sparks that ended", Count, Repeatable).only_if(|sparks| sparks.has_runs),
        /// How long the shorter half of them took at most, within 0.4 %.
        pub run_p50: Option<Nanos> = ("run_ns.p50", "Median run of a spark, within 0.4 %", Duration, Timed).only_if(|sparks| sparks.has_runs),
        /// How long 95 % of them took at most, within 0.4 %.
        pub run_p95: Option<Nanos> = ("run_ns.p95", "95 % of the runs are no longer than, within 0.4 %", Duration, Timed)
            .only_if(|sparks| sparks.has_runs),
        /// The longest one, and when it began.
        pub longest_run: Option<Dated<Nanos>> = ("run_ns.max", "Longest run of a spark", Duration, Timed).only_if(|sparks| sparks.has_runs),
        /// How often the log has the counters. Of a range, that is not known.
        pub samples: Option<u64> = ("samples", "Samples of their counters", Count, Repeatable),
    }
}

impl SparksFacts {
    pub(super) fn gather(scope: &Scope<'_>) -> Self {
        let lacks = scope.lacks(TAGS, "-lp");
        if lacks.is_some() {
            return Self { lacks, ..Self::default() };
        }
        let all = |number| caps::all_sparks(scope, number);
        let [created, dud, overflowed] = [CREATED, DUD, OVERFLOWED].map(all);
        let count =
            [created, dud, overflowed].into_iter().try_fold(0u64, |sum, number| Some(sum.saturating_add(number?)));
        let runs = &scope.known().stores.spark_runs;
        let lengths = scope.of_whole(&runs.lengths);
        let percentile = |percent| lengths.and_then(|lengths| lengths.at(percent)).map(Nanos);
        let any = lengths.filter(|lengths| lengths.count() > 0);
        Self {
            lacks,
            count,
            created,
            converted: all(CONVERTED),
            overflowed,
            dud,
            gcd: all(GCD),
            fizzled: all(FIZZLED),
            remaining: caps::all_in_pools(scope),
            has_runs: scope.known().counts.has_any(RUNS),
            runs: lengths.map(Quantiles::count),
            run_p50: percentile(50),
            run_p95: percentile(95),
            longest_run: any.map(|lengths| Dated { value: Nanos(lengths.most()), at: runs.longest_at }),
            samples: scope.of_whole(scope.events(&[SparkCounters::TAG])),
        }
    }

    pub(super) fn section(&self, scope: &Scope<'_>) -> Option<Section> {
        let mut sparks = Section::of(self).needs(self.lacks).count(self.count);
        if self.has_runs {
            let counted = [(State { name: "runs", role: "spark" }, scope.known().stores.spark_runs.bins)];
            if let Some(histogram) = sparks.histogram("runs", "Runs of sparks", Unit::Duration, &counted, None) {
                // In which part of the log each was is not kept.
                histogram.of_whole_log = !scope.is_whole();
            }
        }
        Some(sparks)
    }
}
