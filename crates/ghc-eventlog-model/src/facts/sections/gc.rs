//! Garbage collections.

use crate::{
    facts::{Section, scope::Scope},
    keeping::collections::{Collections, Totals},
    tracks::{TrackId, capability::GC_WORKING, span::Collection},
};
use alloc::vec::Vec;
use ghc_eventlog::{Nanos, RequestParGc, RequestSeqGc};

pub(super) fn section(scope: &Scope<'_>) -> Option<Section> {
    let lacks = scope.session().told().lacks(GC_WORKING);
    let told = Told::of(scope, &scope.session().keeping.collections);
    let totals = told.totals;
    let requests = |tag| scope.of_whole(scope.events(&[tag]));
    let mut gc = Section::new("gc", "Garbage collection").needs(lacks).count(told.count);
    gc.number("count", "Collections", told.count);
    gc.number("major", "Major collections", told.majors);
    gc.duration("elapsed_ns", "GC time", told.elapsed());
    gc.share("share", "GC share of the time", told.share(scope));
    gc.share("productivity", "Productivity", told.share(scope).map(|share| (1.0 - share).max(0.0)));
    gc.duration("minor_ns", "Minor GC", told.state(0));
    gc.duration("major_ns", "Major GC", told.state(1));
    gc.duration("pause_ns.mean", "Mean pause", told.mean());
    gc.duration("pause_ns.p50", "Median pause", told.percentile(50));
    gc.duration("pause_ns.p95", "95 % of the pauses are no longer than", told.percentile(95));
    gc.duration("pause_ns.p99", "99 % of the pauses are no longer than", told.percentile(99));
    gc.duration("pause_ns.max", "Longest pause", totals.map(|totals| totals.longest)).at(told.longest_at);
    gc.duration("sync_ns", "Waited for the others", told.sync);
    gc.bytes("copied_bytes", "Copied", totals.map(|totals| totals.copied_bytes));
    gc.number("requests.seq", "Sequential requests", requests(RequestSeqGc::TAG));
    gc.number("requests.par", "Parallel requests", requests(RequestParGc::TAG));
    Some(gc)
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
    sync: Option<Nanos>,
    /// The pauses, in no order, if all of them are kept.
    pauses: Option<Vec<Nanos>>,
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
        let totals_of_any = totals.filter(|totals| totals.count > 0);
        let is_longest = |gc: &&Collection| totals_of_any.is_some_and(|totals| totals.longest == gc.elapsed());
        Self {
            count: totals.map(|totals| totals.count).or(scope.range_totals(TrackId::COLLECTIONS).count),
            majors,
            states: scope.states(TrackId::COLLECTIONS).try_into().ok(),
            totals: totals_of_any,
            longest_at: rows.iter().find(is_longest).map(|gc| gc.start),
            sync: kept.and_then(waited),
            pauses: kept.map(|rows| rows.iter().map(Collection::elapsed).collect()),
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

    /// The part of the time in which the program stood still.
    fn share(&self, scope: &Scope<'_>) -> Option<f64> {
        let length = scope.length().filter(|length| *length > Nanos(0))?;
        Some(self.elapsed()?.0 as f64 / length.0 as f64)
    }

    fn mean(&self) -> Option<Nanos> {
        let Totals { elapsed, count, .. } = self.totals?;
        elapsed.0.checked_div(count).map(Nanos)
    }

    /// The shortest pause of those that so many percent of the pauses do not exceed.
    fn percentile(&self, percent: usize) -> Option<Nanos> {
        let mut pauses = self.pauses.clone()?;
        let at = (pauses.len() * percent).div_ceil(100).checked_sub(1)?;
        Some(*pauses.select_nth_unstable(at).1)
    }
}

fn majors_among(rows: &[Collection], collections: &Collections) -> u64 {
    rows.iter().filter(|gc| collections.is_major(gc)).count() as u64
}

/// From each request to the begin of its collection, all together; `None` where there are no requests: the runtime without
/// threads makes none.
fn waited(rows: &[Collection]) -> Option<Nanos> {
    let waits = rows.iter().filter_map(|gc| Some(gc.start.since(gc.requested?)));
    waits.reduce(Nanos::plus)
}
