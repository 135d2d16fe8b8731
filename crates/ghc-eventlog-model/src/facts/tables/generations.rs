//! The collections, by generation.

use crate::{
    facts::{
        scope::Scope,
        table::{Cells, Listed, columns},
    },
    keeping::collections::{AGES, Totals},
    terms::value::{Unit, Value},
    tracks::collected::PAUSES,
};
use alloc::{
    format,
    string::{String, ToString},
    vec,
    vec::Vec,
};
use core::ops;
use ghc_eventlog::{GcStats, Nanos};

pub(super) struct Generations;

/// The collections of a generation, and how many generations have a row of their own.
pub(crate) struct Generation {
    number: usize,
    is_last: bool,
    /// Of those that begin in the range, if it is about one.
    totals: Totals,
    /// Their time, and that of those that began before: the part that is inside.
    elapsed: Nanos,
}

impl Listed for Generations {
    type Row = Generation;
    const SECTION: &'static str = "gc";
    const KEY: &'static str = "generations";
    const NAME: &'static str = "Generations";
    const ABOUT: &'static str =
        "Collections by generation. Generation 0 has the newest data; what survives moves to an older one.";
    columns! {
        /// The oldest generation that was collected; the younger ones are collected with it.
        Cells::new("generation", "Generation", Unit::Text, |_, row| Value::words(row.name())),
        /// How many such collections there were.
        Cells::new("count", "Collections", Unit::Count, |_, row| Value::Count(row.totals.count)),
        /// How many of them were set up for more than one thread.
        Cells::new("parallel", "Parallel", Unit::Count, |_, row| Value::Count(row.totals.parallel)),
        /// The time in which the program stood still for them. Of a range, the part that is inside counts.
        Cells::new("elapsed_ns", "GC time", Unit::Duration, |_, row| Value::Duration(row.elapsed)),
        /// The share of the time in which the program stood still for them.
        Cells::new("share", "Share of the time", Unit::Share, |scope, row| row.share(scope)),
        /// The mean time that the program stood still for one of them.
        Cells::new("mean_ns", "Mean pause", Unit::Duration, |_, row| row.mean()),
        /// The longest time that the program stood still for one of them.
        Cells::new("max_ns", "Longest pause", Unit::Duration, |_, row| Value::Duration(row.totals.longest)),
        /// How many bytes they copied: data that they found in use and moved.
        Cells::new("copied_bytes", "Copied", Unit::Bytes, |_, row| Value::Bytes(row.totals.copied_bytes)),
    }

    /// Up to the oldest generation of which there is one.
    fn places(scope: &Scope<'_>) -> ops::Range<usize> {
        let is_any = |(totals, elapsed): &(Totals, Nanos)| totals.count > 0 || *elapsed > Nanos(0);
        let last = totals(scope).and_then(|totals| totals.iter().rposition(is_any));
        0..last.map_or(0, |last| last + 1)
    }

    fn is_shown(scope: &Scope<'_>) -> bool {
        totals(scope).is_some()
    }

    fn row(scope: &Scope<'_>, place: usize) -> Option<Generation> {
        let all = totals(scope)?;
        let (totals, elapsed) = *all.get(place)?;
        Some(Generation { number: place, is_last: place + 1 == all.len(), totals, elapsed })
    }
}

impl Generation {
    fn name(&self) -> String {
        if self.is_last { format!("{} and older", self.number) } else { self.number.to_string() }
    }

    fn share(&self, scope: &Scope<'_>) -> Value {
        let length = scope.length().filter(|length| *length > Nanos(0));
        length.map_or(Value::Unknown, |length| Value::Share((self.elapsed.0 as f64 / length.0 as f64).min(1.0)))
    }

    fn mean(&self) -> Value {
        let mean = self.totals.elapsed.0.checked_div(self.totals.count);
        mean.map_or(Value::Unknown, |mean| Value::Duration(Nanos(mean)))
    }
}

/// Totals by generation, and the time that is inside; the last are those of all older ones. Of a range, totals of those that begin
/// in it; `None` if not all of them are kept.
fn totals(scope: &Scope<'_>) -> Option<Vec<(Totals, Nanos)>> {
    let collections = &scope.known().stores.collections;
    // Which generation was collected comes with the rest of GC_STATS_GHC.
    if !scope.known().counts.has_any(&[GcStats::TAG]) {
        return None;
    }
    let whole = collections.by_generation();
    if scope.is_whole() {
        return Some(whole.iter().map(|totals| (*totals, totals.elapsed)).collect());
    }
    if collections.is_capped() {
        return None;
    }
    let last = whole.len() - 1;
    let mut all = vec![(Totals::default(), Nanos(0)); whole.len()];
    let rows = collections.rows();
    for gc in rows.get(scope.within(rows, |gc| gc.start)).unwrap_or_default() {
        if let Some((totals, _)) = all.get_mut(usize::from(gc.generation.unwrap_or(0)).min(last)) {
            *totals = totals.with(Totals::of(&[*gc]));
        }
    }
    for (age, inside) in scope.sums()?.of(PAUSES, AGES).iter().enumerate() {
        if let Some((_, elapsed)) = all.get_mut(age.min(last)) {
            *elapsed = elapsed.plus(Nanos(*inside));
        }
    }
    Some(all)
}
