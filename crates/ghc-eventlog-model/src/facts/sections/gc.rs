//! Garbage collections.

use crate::{
    facts::{
        Section,
        scope::Scope,
        typed::{Dated, facts},
    },
    keeping::{
        bins::Bins,
        collections::{AGES, Collections, Totals},
        rts_flags::TraceClass,
    },
    known::sums::Sums,
    sorting::sort_by_number,
    terms::{
        absence::Absence,
        span::Collection,
        track::{State, TrackId},
        value::Unit,
    },
    tracks::{
        capability::GC_WORKING,
        collected::{
            self, COPIED, PAR_BALANCED, PAR_BALANCES, PAR_COPIED, PAR_MAX_COPIED, PARALLEL, SLOP, SYNC, SYNCED, WAITED,
            is_below_zero,
        },
    },
};
use alloc::vec::Vec;
use ghc_eventlog::{GcStart, GcStats, HeapBioProfSampleBegin, HeapProfSampleBegin, Nanos, RequestParGc, RequestSeqGc};

/// A census of a heap profile is taken before its collection ends: it is part of the pause. Whether it is part of the
/// runtime's own figure depends on the runtime.
const CENSUSES: &[u16] = &[HeapProfSampleBegin::TAG, HeapBioProfSampleBegin::TAG];
const USUAL_BUILD: &str = "The GC time includes the censuses of the heap profile, as the runtime's own figure does.";
const PROFILED_BUILD: &str = "The GC time includes the censuses of the heap profile. The runtime leaves them out of its own \
    figure, since the program was built with -prof.";
const ANY_BUILD: &str = "The GC time includes the censuses of the heap profile. The runtime leaves them out of its own figure if \
    the program was built with -prof, which the log does not tell.";

/// Why the share that is left differs from the runtime's own.
const PRODUCTIVITY: &str = "Productivity is of elapsed time, and the runtime's start and exit (INIT, EXIT) count as the program's: \
    the log tells neither these nor CPU time, which +RTS -s has.";

/// What the share is of, where some time is missing.
const PARTLY_KNOWN: &str =
    "The share and productivity are of the time that the log tells of: of the rest, collections are not known.";

facts! {
    /// Garbage collections: the program stops while the memory that it no longer needs is found. A range counts those
    /// that begin in it.
    GcFacts("gc", "Garbage collection") {
        /// Why the log does not say; if a flag is missing, nothing else is known.
        pub lacks: Option<Absence>,
        /// How many collections there were, minor and major (the runtime calls it num_GCs).
        pub count: Option<u64> = ("count", "Collections", Count, Repeatable),
        /// How many collections were of all generations, the oldest included (the runtime calls it major_gcs). They
        /// usually take longer than minor ones, since they go through all live data.
        pub major: Option<u64> = ("major", "Major collections", Count, Repeatable),
        /// The time in which the program stood still for collections: all pauses together (the runtime calls it
        /// GC_wall_seconds). Of a range, the part that is inside counts.
        pub elapsed: Option<Nanos> = ("elapsed_ns", "GC time", Duration, Timed),
        /// The share of the time in which the program stood still for collections. A few percent are usual; much more
        /// is worth a closer look.
        pub share: Option<f64> = ("share", "GC share of the time", Share, Timed),
        /// The share of the time that is left for the program: 100 % less the GC share. It is of elapsed time, and counts the
        /// runtime's start and exit as the program's: the log tells neither these nor CPU time. So +RTS -s, which leaves
        /// them out, prints a little less.
        pub productivity: Option<f64> = ("productivity", "Productivity", Share, Timed),
        /// The time in minor collections, which are those of the younger generations only. Of a range, the part that is
        /// inside counts.
        pub minor_elapsed: Option<Nanos> = ("minor_ns", "Minor GC", Duration, Timed),
        /// The time in major collections, which are those of all generations. Of a range, the part that is inside
        /// counts.
        pub major_elapsed: Option<Nanos> = ("major_ns", "Major GC", Duration, Timed),
        /// The mean time that the program stood still for a collection.
        pub mean_pause: Option<Nanos> = ("pause_ns.mean", "Mean pause", Duration, Timed),
        /// Whether the next three are exact: all pauses are kept. Else they are within 0.4 %.
        pub exact_percentiles: bool,
        /// Half of all pauses are no longer than this, within 0.4 %; the other half are no shorter.
        pub pause_p50: Option<Nanos> = ("pause_ns.p50", "Median pause", Duration, Timed)
            .or_named("Median pause, within 0.4 %", |gc| !gc.exact_percentiles),
        /// 95 % of all pauses are no longer than this, within 0.4 %; one in twenty is longer.
        pub pause_p95: Option<Nanos> = ("pause_ns.p95", "95 % of the pauses are no longer than", Duration, Timed)
            .or_named("95 % of the pauses are no longer than, within 0.4 %", |gc| !gc.exact_percentiles),
        /// 99 % of all pauses are no longer than this, within 0.4 %; one in a hundred is longer.
        pub pause_p99: Option<Nanos> = ("pause_ns.p99", "99 % of the pauses are no longer than", Duration, Timed)
            .or_named("99 % of the pauses are no longer than, within 0.4 %", |gc| !gc.exact_percentiles),
        /// The longest time that the program stood still for a collection, and when that began.
        pub max_pause: Option<Dated<Nanos>> = ("pause_ns.max", "Longest pause", Duration, Timed),
        /// The time from the request for a collection until it begins, summed over all collections: this is how long
        /// collecting capabilities waited for the others to stop. Of a range, the part that is inside counts.
        pub waited: Option<Nanos> = ("wait_ns", "Waited for the others", Duration, Timed),
        /// The time from the request for a collection until the log says that all capabilities have stopped, summed
        /// over all collections. GHC writes that at the end of a collection, so these are about the waits and the pauses together.
        pub sync: Option<Nanos> = ("sync_ns", "From requests to sync", Duration, Timed),
        /// How many bytes the collections copied: data that they found in use and moved (the runtime calls it
        /// copied_bytes). Copying is most of the work of a collection.
        pub copied: Option<u64> = ("copied_bytes", "Copied", Bytes, Repeatable),
        /// Slop is space in used blocks that holds no data, mostly at their ends. This is the slop after each
        /// collection, summed over all collections: compare it with their number.
        pub slop: Option<u64> = ("slop_bytes", "Slop of all collections", Bytes, Repeatable),
        /// How many collections were set up for more than one thread. Fewer threads may have taken part: the log does
        /// not say.
        pub parallel: Option<u64> = ("parallel", "Parallel collections", Count, Repeatable),
        /// How many bytes were copied by collections with more than one thread (the runtime calls it par_copied_bytes).
        pub par_copied: Option<u64> = ("par_copied_bytes", "Copied in parallel", Bytes, Repeatable),
        /// How many bytes the busiest thread copied in each parallel collection, summed over all of them (the runtime
        /// calls it cumulative_par_max_copied_bytes). Close to all that was copied in parallel means that one thread
        /// did nearly everything.
        pub par_max_copied: Option<u64> = ("par_max_copied_bytes", "Copied by the busiest threads", Bytes, Repeatable),
        /// How many bytes count as evenly shared between the threads of each parallel collection, summed over all of
        /// them (the runtime calls it cumulative_par_balanced_copied_bytes). Logged since GHC 8.4.
        pub par_balanced_copied: Option<u64> = ("par_balanced_copied_bytes", "Copied evenly", Bytes, Repeatable),
        /// The balance says how evenly the threads of parallel collections shared the copying: 100 % if each copied as
        /// much, 0 % if one copied everything.
        pub balance: Option<f64> = ("balance", "Parallel balance", Share, Repeatable),
        /// How many times a collection by one thread was requested. Known of the whole log only.
        pub requests_seq: Option<u64> = ("requests.seq", "Sequential requests", Count, Repeatable),
        /// How many times a collection by several threads was requested. Known of the whole log only.
        pub requests_par: Option<u64> = ("requests.par", "Parallel requests", Count, Repeatable),
        /// Whether censuses of a heap profile are part of the pauses.
        pub with_censuses: bool,
        /// Whether the program was built with -prof, if the log tells: then the runtime leaves the censuses out of its own
        /// figure.
        pub is_profiled: Option<bool>,
        /// How many minor and how many major pauses were how long.
        pub(crate) pauses: Vec<(State, Bins)>,
    }
}

impl GcFacts {
    /// What a reader of the times should know: a sentence.
    #[must_use]
    pub fn remark(&self) -> Option<&'static str> {
        let remark = match self.is_profiled {
            Some(false) => USUAL_BUILD,
            Some(true) => PROFILED_BUILD,
            None => ANY_BUILD,
        };
        self.with_censuses.then_some(remark)
    }

    pub(super) fn gather(scope: &Scope<'_>) -> Self {
        let lacks = match scope.known().logged_classes().lacks(GC_WORKING) {
            Some(flag) => Some(Absence::of_flag(flag)),
            None => scope.lacks_class(&[GcStart::TAG], TraceClass::Collections),
        };
        if lacks.is_some_and(Absence::is_unlogged) {
            return Self { lacks, exact_percentiles: true, ..Self::default() };
        }
        let told = Told::of(scope, &scope.known().stores.collections);
        let sums = Summed::of(scope);
        let (elapsed, share) = (told.elapsed(), told.share(scope));
        // The runtime without threads requests none: its log does not tell that there were no requests.
        let has_requests = scope.known().counts.has_any(&[RequestSeqGc::TAG, RequestParGc::TAG]);
        let requests = |tag| scope.of_whole(scope.events(&[tag])).filter(|_| has_requests);
        // Without GC_STATS_GHC it is not known which generation was collected.
        let of_ages = |value: Option<Nanos>| value.filter(|_| sums.stats);
        let any_time = elapsed.is_some_and(|elapsed| elapsed > Nanos(0));
        Self {
            lacks,
            count: told.count,
            major: told.majors.filter(|_| sums.stats),
            elapsed,
            share,
            productivity: share.map(|share| 1.0 - share),
            minor_elapsed: of_ages(told.state(0)),
            major_elapsed: of_ages(told.state(1)),
            mean_pause: told.mean(),
            exact_percentiles: told.pauses.is_some(),
            pause_p50: told.percentile(50),
            pause_p95: told.percentile(95),
            pause_p99: told.percentile(99),
            max_pause: told.totals.map(|totals| Dated { value: totals.longest, at: told.longest_at }),
            waited: sums.of_requests(WAITED).map(Nanos),
            sync: sums.of_requests(SYNC).map(Nanos),
            copied: sums.of_stats(COPIED),
            slop: sums.of_stats(SLOP).filter(|slop| !is_below_zero(*slop)),
            parallel: sums.of_stats(PARALLEL),
            par_copied: sums.of_stats(PAR_COPIED),
            par_max_copied: sums.of_stats(PAR_MAX_COPIED),
            par_balanced_copied: sums.balanced(),
            balance: sums.balance(),
            requests_seq: requests(RequestSeqGc::TAG),
            requests_par: requests(RequestParGc::TAG),
            with_censuses: any_time && scope.known().counts.has_any(CENSUSES),
            is_profiled: scope.known().is_profiled(),
            pauses: told.bins,
        }
    }

    pub(super) fn section(&self, scope: &Scope<'_>) -> Option<Section> {
        let mut gc = Section::of(self).needs(self.lacks).count(self.count, "collections");
        if let Some(remark) = self.remark().or(self.productivity.map(|_| PRODUCTIVITY)) {
            gc.remark(remark);
        }
        // Most old logs lack some microseconds at their begins and ends.
        let times = self.share.and_then(|_| scope.known_length().zip(scope.length()));
        if times.is_some_and(|(known, length)| length.since(known).0 > length.0 / 1000) {
            gc.remark(PARTLY_KNOWN);
        }
        if !scope.is_whole() && scope.known().stores.collections.is_capped() {
            gc.remark(
                "There are more collections than there is room for: of a range, it is not known how long each took.",
            );
        }
        scope.about_labels().into_iter().for_each(|missing| gc.remark(missing));
        gc.histogram("pauses", "Pauses", Unit::Duration, &self.pauses, Some(("collections", "pause_ns")));
        Some(gc)
    }
}

/// What is summed up of collections, whatever rows are kept.
struct Summed {
    sums: Option<Sums>,
    /// Whether requests are logged: the runtime without threads makes none.
    requests: bool,
    /// Whether GC_STATS is.
    stats: bool,
}

impl Summed {
    fn of(scope: &Scope<'_>) -> Self {
        let known = scope.known();
        let requests = known.caps.streams.iter().any(|stream| stream.sums.get(SYNCED) > 0);
        Self { sums: scope.sums(), requests, stats: known.counts.has_any(&[GcStats::TAG]) }
    }

    fn get(&self, sum: usize) -> Option<u64> {
        Some(self.sums.as_ref()?.get(sum))
    }

    fn of_requests(&self, sum: usize) -> Option<u64> {
        self.get(sum).filter(|_| self.requests)
    }

    fn of_stats(&self, sum: usize) -> Option<u64> {
        self.get(sum).filter(|_| self.stats)
    }

    /// Known if all parallel collections tell it: since GHC 8.4.
    fn balanced(&self) -> Option<u64> {
        self.of_stats(PAR_BALANCED).filter(|_| self.get(PAR_BALANCES) == self.get(PARALLEL))
    }

    fn balance(&self) -> Option<f64> {
        let all = self.of_stats(PAR_COPIED).filter(|all| *all > 0)?;
        Some(self.balanced()?.min(all) as f64 / all as f64)
    }
}

/// What is known of the collections.
#[derive(Default)]
struct Told {
    count: Option<u64>,
    majors: Option<u64>,
    /// The time in minor ones, and in major ones; of a range, the part that is inside.
    states: Option<[Nanos; 2]>,
    /// Of those that begin in a range, if all of them are kept.
    totals: Option<Totals>,
    longest_at: Option<Nanos>,
    /// The pauses, the shortest first, if all of them are kept.
    pauses: Option<Vec<Nanos>>,
    /// The pauses that so many percent do not exceed, if not all are kept; of a range that is not known.
    about: Vec<(u64, Nanos)>,
    /// How many minor and how many major ones were how long.
    bins: Vec<(State, Bins)>,
}

impl Told {
    fn of(scope: &Scope<'_>, collections: &Collections) -> Self {
        let rows = collections.rows();
        let rows = rows.get(scope.within(rows, |gc| gc.start)).unwrap_or_default();
        let kept = Some(rows).filter(|_| !collections.is_capped());
        let majors = collections.by_age().into_iter().skip(collections.majors()).map(|totals| totals.count);
        let (totals, majors) = match scope.range {
            None => (Some(collections.total()), Some(majors.sum())),
            Some(_) => (kept.map(Totals::of), kept.map(|rows| majors_among(rows, collections))),
        };
        let pauses = match (scope.range, kept) {
            (None, _) => *collections.pauses(),
            (Some(_), Some(rows)) => bins_of(rows, collections),
            (Some(_), None) => Default::default(),
        };
        let about = |percent| Some((percent, collections.about(percent)?));
        let about = [50, 95, 99].into_iter().filter_map(about).collect();
        let totals_of_any = totals.filter(|totals| totals.count > 0);
        let is_longest = |gc: &&Collection| totals_of_any.is_some_and(|totals| totals.longest == gc.elapsed());
        Self {
            count: totals.map(|totals| totals.count).or(scope.range_totals(TrackId::COLLECTIONS).count),
            majors,
            states: scope.states(TrackId::COLLECTIONS).try_into().ok(),
            totals: totals_of_any,
            longest_at: rows.iter().find(is_longest).map(|gc| gc.start),
            pauses: kept.map(|rows| {
                let mut pauses: Vec<Nanos> = rows.iter().map(Collection::elapsed).collect();
                sort_by_number(&mut pauses, |pause| pause.0);
                pauses
            }),
            about: scope.of_whole(about).unwrap_or_default(),
            bins: collected::bins(&pauses, collections.majors()),
        }
    }

    fn state(&self, state: usize) -> Option<Nanos> {
        self.states?.get(state).copied()
    }

    /// All pauses together.
    fn elapsed(&self) -> Option<Nanos> {
        let [minor, major] = self.states?;
        Some(minor.plus(major))
    }

    /// See [`GcFacts::share`]: all of the time, where collections of several capabilities are said to overlap, as only damage makes
    /// them.
    fn share(&self, scope: &Scope<'_>) -> Option<f64> {
        let length = scope.known_length().filter(|length| *length > Nanos(0))?;
        Some((self.elapsed()?.0 as f64 / length.0 as f64).min(1.0))
    }

    fn mean(&self) -> Option<Nanos> {
        let Totals { elapsed, count, .. } = self.totals?;
        elapsed.0.checked_div(count).map(Nanos)
    }

    /// The shortest pause of those that so many percent of the pauses do not exceed.
    fn percentile(&self, percent: u64) -> Option<Nanos> {
        let Some(pauses) = &self.pauses else {
            return self.about.iter().find(|(of, _)| *of == percent).map(|(_, pause)| *pause);
        };
        let at = (pauses.len() * percent as usize).div_ceil(100).checked_sub(1)?;
        pauses.get(at).copied()
    }
}

fn majors_among(rows: &[Collection], collections: &Collections) -> u64 {
    rows.iter().filter(|gc| collections.is_major(gc)).count() as u64
}

/// How many pauses were how long, by age.
fn bins_of(rows: &[Collection], collections: &Collections) -> [Bins; AGES] {
    let mut pauses = [Bins::default(); AGES];
    for gc in rows {
        if let Some(bins) = pauses.get_mut(collections.age(gc)) {
            bins.add(gc.elapsed().0);
        }
    }
    pauses
}
