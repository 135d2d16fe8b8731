//! Garbage collections.

use crate::{
    facts::{Section, scope::Scope},
    keeping::{
        bins::Bins,
        collections::{AGES, Collections, Totals},
    },
    known::sums::Sums,
    sorting::sort_by_number,
    terms::{
        span::Collection,
        track::{State, TrackId},
        value::Unit,
    },
    tracks::{
        capability::GC_WORKING,
        collected::{
            self, COPIED, PAR_BALANCED, PAR_BALANCES, PAR_COPIED, PAR_MAX_COPIED, PARALLEL, SLOP, SYNC, SYNCED, WAITED,
        },
    },
};
use alloc::vec::Vec;
use ghc_eventlog::{GcStats, HeapBioProfSampleBegin, HeapProfSampleBegin, Nanos, RequestParGc, RequestSeqGc};

/// A census of a heap profile is taken before its collection ends, and no event tells how long it takes.
const CENSUSES: &[u16] = &[HeapProfSampleBegin::TAG, HeapBioProfSampleBegin::TAG];
const WITH_CENSUSES: &str = "The GC time includes the censuses of the heap profile. The runtime leaves them out of its own \
    figure; the log does not tell how long they took.";

pub(super) fn section(scope: &Scope<'_>) -> Option<Section> {
    let lacks = scope.known().told().lacks(GC_WORKING);
    let told = Told::of(scope, &scope.known().stores.collections);
    let totals = told.totals;
    let requests = |tag| scope.of_whole(scope.events(&[tag]));
    let mut gc = Section::new("gc", "Garbage collection").needs(lacks).count(told.count);
    let any_time = told.elapsed().is_some_and(|elapsed| elapsed > Nanos(0));
    if any_time && scope.known().counts.has_any(CENSUSES) {
        gc.remark(WITH_CENSUSES);
    }
    gc.number("count", "Collections", told.count);
    gc.number("major", "Major collections", told.majors);
    gc.duration("elapsed_ns", "GC time", told.elapsed());
    gc.share("share", "GC share of the time", told.share(scope));
    gc.share("productivity", "Productivity", told.share(scope).map(|share| 1.0 - share));
    gc.duration("minor_ns", "Minor GC", told.state(0));
    gc.duration("major_ns", "Major GC", told.state(1));
    gc.duration("pause_ns.mean", "Mean pause", told.mean());
    for (percent, key, exact, about) in PERCENTILES {
        let name = if told.pauses.is_some() { exact } else { about };
        gc.duration(key, name, told.percentile(percent));
    }
    gc.duration("pause_ns.max", "Longest pause", totals.map(|totals| totals.longest)).at(told.longest_at);
    let sums = Summed::of(scope);
    gc.duration("wait_ns", "Waited for the others", sums.of_requests(WAITED).map(Nanos));
    gc.duration("sync_ns", "From requests to sync", sums.of_requests(SYNC).map(Nanos));
    gc.bytes("copied_bytes", "Copied", sums.get(COPIED).filter(|_| sums.any));
    gc.bytes("slop_bytes", "Slop of all collections", sums.of_stats(SLOP));
    gc.number("parallel", "Parallel collections", sums.of_stats(PARALLEL));
    gc.bytes("par_copied_bytes", "Copied in parallel", sums.of_stats(PAR_COPIED));
    gc.bytes("par_max_copied_bytes", "Copied by the busiest threads", sums.of_stats(PAR_MAX_COPIED));
    gc.bytes("par_balanced_copied_bytes", "Copied evenly", sums.balanced());
    gc.share("balance", "Parallel balance", sums.balance());
    gc.number("requests.seq", "Sequential requests", requests(RequestSeqGc::TAG));
    gc.number("requests.par", "Parallel requests", requests(RequestParGc::TAG));
    gc.histogram("pauses", "Pauses", Unit::Duration, &told.bins, Some(("collections", "pause_ns")));
    Some(gc)
}

/// How many percent, and what the pause is called that so many percent of all do not exceed: where it is exact, and where it
/// is as exact as [`Quantiles`](crate::keeping::quantiles::Quantiles) are.
const PERCENTILES: [(u64, &str, &str, &str); 3] = [
    (50, "pause_ns.p50", "Median pause", "Median pause, within 0.4 %"),
    (
        95,
        "pause_ns.p95",
        "95 % of the pauses are no longer than",
        "95 % of the pauses are no longer than, within 0.4 %",
    ),
    (
        99,
        "pause_ns.p99",
        "99 % of the pauses are no longer than",
        "99 % of the pauses are no longer than, within 0.4 %",
    ),
];

/// What is summed up of collections, whatever rows are kept.
struct Summed {
    sums: Option<Sums>,
    /// Whether requests are logged: the runtime without threads makes none.
    requests: bool,
    /// Whether GC_STATS is.
    stats: bool,
    /// Whether there are any collections.
    any: bool,
}

impl Summed {
    fn of(scope: &Scope<'_>) -> Self {
        let known = scope.known();
        let requests = known.caps.streams.iter().any(|stream| stream.sums.get(SYNCED) > 0);
        let any = known.stores.collections.total().count > 0;
        Self { sums: scope.sums(), requests, stats: known.counts.has_any(&[GcStats::TAG]), any }
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
        let percents = PERCENTILES.iter().map(|(percent, ..)| *percent);
        let about = percents.filter_map(|percent| Some((percent, collections.about(percent)?))).collect();
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

    /// The part of the time in which the program stood still: all of it, where collections of several capabilities are said to
    /// overlap, as only damage makes them.
    fn share(&self, scope: &Scope<'_>) -> Option<f64> {
        let length = scope.length().filter(|length| *length > Nanos(0))?;
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
