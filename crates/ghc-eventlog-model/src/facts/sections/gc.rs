//! Garbage collections.

use crate::{
    facts::{Section, scope::Scope, tables::generations, value::Unit},
    tracks::{TrackId, capability::GC_WORKING, span::Collection},
};
use alloc::vec::Vec;
use ghc_eventlog::{Nanos, RequestParGc, RequestSeqGc};

pub(super) fn section(scope: &Scope<'_>) -> Option<Section> {
    let lacks = scope.session().told().lacks(GC_WORKING);
    let told = Told::of(scope, lacks.is_none());
    let requests = |tag| scope.of_whole(scope.events(&[tag])).filter(|_| lacks.is_none());
    let gc = Section::new("gc", "Garbage collection")
        .count(told.count)
        .lacks(lacks)
        .figure("count", "Collections", Unit::Count, told.count)
        .figure("major", "Major collections", Unit::Count, told.majors)
        .duration("elapsed_ns", "GC time", told.elapsed())
        .share("share", "GC share of the time", told.share(scope))
        .share("productivity", "Productivity", told.share(scope).map(|share| (1.0 - share).max(0.0)))
        .duration("minor_ns", "Minor GC", told.minor)
        .duration("major_ns", "Major GC", told.major)
        .duration("pause_ns.mean", "Mean pause", told.mean())
        .duration("pause_ns.p50", "Median pause", told.percentile(50))
        .duration("pause_ns.p95", "95 % of the pauses are no longer than", told.percentile(95))
        .duration("pause_ns.p99", "99 % of the pauses are no longer than", told.percentile(99))
        .duration("pause_ns.max", "Longest pause", told.longest)
        .at(told.longest_at)
        .duration("sync_ns", "Waited for the others", told.sync)
        .figure("copied_bytes", "Copied", Unit::Bytes, told.copied)
        .figure("requests.seq", "Sequential requests", Unit::Count, requests(RequestSeqGc::TAG))
        .figure("requests.par", "Parallel requests", Unit::Count, requests(RequestParGc::TAG));
    Some(gc)
}

/// What is known of the collections.
#[derive(Default)]
struct Told {
    count: Option<u64>,
    majors: Option<u64>,
    minor: Option<Nanos>,
    major: Option<Nanos>,
    longest: Option<Nanos>,
    longest_at: Option<Nanos>,
    sync: Option<Nanos>,
    copied: Option<u64>,
    /// The pauses, in no order, if all of them are kept.
    pauses: Option<Vec<Nanos>>,
}

impl Told {
    fn of(scope: &Scope<'_>, logged: bool) -> Self {
        if !logged {
            return Self::default();
        }
        let collections = &scope.session().keeping.collections;
        let [minor, major] = *scope.states(TrackId::COLLECTIONS) else { return Self::default() };
        let rows = collections.rows();
        let rows = rows.get(scope.within(rows, |gc| gc.start)).unwrap_or_default();
        let kept = Some(rows).filter(|_| !collections.is_capped());
        let longest = match scope.range {
            None => Some(collections.total().longest),
            Some(_) => kept.map(|rows| rows.iter().map(Collection::elapsed).max().unwrap_or_default()),
        };
        let by_generation = generations::totals(scope);
        let (count, majors) = by_generation.as_ref().map_or((None, None), |by_generation| {
            let majors = by_generation.iter().skip(collections.oldest().into());
            (Some(by_generation.iter().map(|totals| totals.count).sum()), Some(majors.map(|totals| totals.count).sum()))
        });
        Self {
            count: count.or(scope.range_totals(TrackId::COLLECTIONS).count),
            majors,
            minor: Some(minor),
            major: Some(major),
            longest: longest.filter(|longest| *longest > Nanos(0)),
            longest_at: rows.iter().find(|gc| Some(gc.elapsed()) == longest).map(|gc| gc.start),
            sync: kept.map(|rows| {
                let waits = rows.iter().filter_map(|gc| Some(gc.start.since(gc.requested?)));
                waits.fold(Nanos(0), Nanos::plus)
            }),
            copied: by_generation
                .map(|totals| totals.iter().fold(0, |copied: u64, totals| copied.saturating_add(totals.copied_bytes))),
            pauses: kept.map(|rows| rows.iter().map(Collection::elapsed).collect()),
        }
    }

    /// All pauses together.
    fn elapsed(&self) -> Option<Nanos> {
        Some(self.minor?.plus(self.major?))
    }

    /// The part of the time in which the program stood still.
    fn share(&self, scope: &Scope<'_>) -> Option<f64> {
        let length = scope.length().filter(|length| *length > Nanos(0))?;
        Some(self.elapsed()?.0 as f64 / length.0 as f64)
    }

    fn mean(&self) -> Option<Nanos> {
        // Of a range, pauses across its edges are no whole ones.
        let pauses = self.pauses.as_ref();
        let whole = pauses.map(|pauses| pauses.iter().copied().fold(Nanos(0), Nanos::plus)).or(self.elapsed())?;
        whole.0.checked_div(self.count?).map(Nanos)
    }

    /// The shortest pause of those that so many percent of the pauses do not exceed.
    fn percentile(&self, percent: usize) -> Option<Nanos> {
        let mut pauses = self.pauses.clone()?;
        let at = (pauses.len() * percent).div_ceil(100).checked_sub(1)?;
        Some(*pauses.select_nth_unstable(at).1)
    }
}
