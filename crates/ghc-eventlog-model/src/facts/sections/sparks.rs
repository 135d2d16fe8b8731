//! Sparks, as `+RTS -s` counts them.

use crate::{
    facts::{
        Section,
        scope::Scope,
        tables::caps,
        typed::{Dated, facts},
    },
    keeping::{bins::Bins, quantiles::Quantiles, rts_flags::TraceClass},
    terms::{absence::Absence, track::State, value::Unit},
    tracks::{
        capability::RUNNING,
        spark_rates::{CONVERTED, CREATED, DUD, FIZZLED, GCD, OVERFLOWED},
    },
};
use ghc_eventlog::{Nanos, SparkCounters, SparkCreate, SparkRun, SparkSteal};

const TAGS: &[u16] = &[SparkCounters::TAG, SparkCreate::TAG, SparkRun::TAG];

/// Where every spark is logged.
const RUNS: &[u16] = &[SparkRun::TAG, SparkSteal::TAG];

facts! {
    /// Sparks, as +RTS -s counts them. A spark is a value that the program wants evaluated in parallel (par), if any
    /// capability has time for it.
    SparksFacts("sparks", "Sparks") {
        /// Why the log does not say; if a flag is missing, nothing else is known.
        pub lacks: Option<Absence>,
        /// How many sparks the program made: those created, duds and those overflowed, together (the runtime calls it
        /// sparks_count).
        pub count: Option<u64> = ("count", "Sparks", Count, Repeatable),
        /// How many sparks were put into the pool of a capability, where they wait to be run.
        pub created: Option<u64> = ("created", "Created", Count, Repeatable),
        /// How many sparks were run, which is the work done in parallel (the runtime calls it sparks_converted). It
        /// should be most of them.
        pub converted: Option<u64> = ("converted", "Converted", Count, Repeatable),
        /// How many sparks were thrown away since the pool was full (the runtime calls it sparks_overflowed). If it is
        /// large, too many are made at once.
        pub overflowed: Option<u64> = ("overflowed", "Overflowed", Count, Repeatable),
        /// How many sparks were duds: the value was evaluated already when the spark was to be created (the runtime
        /// calls it sparks_dud).
        pub dud: Option<u64> = ("dud", "Dud", Count, Repeatable),
        /// How many sparks a collection removed, since nothing needed the value any more (the runtime calls it
        /// sparks_gcd). If it is large, they came too late, or their value was not kept.
        pub gcd: Option<u64> = ("gcd", "GC'd", Count, Repeatable),
        /// How many sparks fizzled: the value was evaluated by other code before the spark was run (the runtime calls
        /// it sparks_fizzled). If it is large, there is too little work in each, or they come too late.
        pub fizzled: Option<u64> = ("fizzled", "Fizzled", Count, Repeatable),
        /// How many sparks still waited in the pools of all capabilities at the end.
        pub remaining: Option<u64> = ("remaining", "Still in the pools", Count, Repeatable),
        /// Whether the log has each spark: only then are runs known. Of a range, none of these are.
        pub has_runs: bool,
        /// How many runs of sparks ended. Runs are known once threads have
        /// been followed, if the log has each spark (-lf), and of the whole log only.
        pub runs: Option<u64> = ("run_ns.count", "Runs of sparks that ended", Count, Repeatable).only_if(|sparks| sparks.has_runs),
        /// Half of the runs of sparks took no longer than this, within 0.4 %. Runs of less than some microseconds are
        /// hardly worth a spark.
        pub run_p50: Option<Nanos> = ("run_ns.p50", "Median run of a spark, within 0.4 %", Duration, Timed).only_if(|sparks| sparks.has_runs),
        /// 95 % of the runs of sparks took no longer than this, within 0.4 %; one in twenty took longer.
        pub run_p95: Option<Nanos> = ("run_ns.p95", "95 % of the runs are no longer than, within 0.4 %", Duration, Timed)
            .only_if(|sparks| sparks.has_runs),
        /// The longest run of a spark, and when it began.
        pub longest_run: Option<Dated<Nanos>> = ("run_ns.max", "Longest run of a spark", Duration, Timed).only_if(|sparks| sparks.has_runs),
        /// How often the log has the counters of sparks. Known of the whole log only.
        pub samples: Option<u64> = ("samples", "Samples of their counters", Count, Repeatable),
    }
}

impl SparksFacts {
    pub(super) fn gather(scope: &Scope<'_>) -> Self {
        let lacks = scope.lacks_class(TAGS, TraceClass::Sparks);
        if lacks.is_some_and(Absence::is_unlogged) {
            return Self { lacks, ..Self::default() };
        }
        let all = |number| caps::all_sparks(scope, number);
        let [created, dud, overflowed] = [CREATED, DUD, OVERFLOWED].map(all);
        let count =
            [created, dud, overflowed].into_iter().try_fold(0u64, |sum, number| Some(sum.saturating_add(number?)));
        let runs = scope.replayed().map(|replayed| &replayed.spark_runs);
        // A spark's run is one of its thread's.
        let threads = scope.known().logged_classes().lacks(RUNNING).is_none();
        let lengths = runs.map(|runs| &runs.lengths).filter(|_| threads && scope.is_whole());
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
            longest_run: any
                .map(|lengths| Dated { value: Nanos(lengths.most()), at: runs.and_then(|runs| runs.longest_at) }),
            samples: scope.of_whole(scope.events(&[SparkCounters::TAG])).filter(|samples| *samples > 0),
        }
    }

    pub(super) fn section(&self, scope: &Scope<'_>) -> Option<Section> {
        let mut sparks = Section::of(self).needs(self.lacks).count(self.count, "sparks");
        if self.has_runs {
            let bins = scope.replayed().map_or(Bins::default(), |replayed| replayed.spark_runs.bins);
            let counted = [(State { name: "runs", role: "spark" }, bins)];
            if let Some(histogram) = sparks.histogram("runs", "Runs of sparks", Unit::Duration, &counted, None) {
                // In which part of the log each was is not kept.
                histogram.of_whole_log = !scope.is_whole();
            }
            if scope.replayed().is_none() && scope.known().is_finished() {
                sparks.remark("How long sparks ran is known once threads have been followed.");
            }
        }
        Some(sparks)
    }
}
