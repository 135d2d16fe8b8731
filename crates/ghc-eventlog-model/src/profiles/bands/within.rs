//! Totals of bands over a range of time.

use super::{
    super::{
        censuses::Entry,
        totals::{Held, Times},
    },
    HeapProfile, sum,
};
use crate::profiles::censuses::BandCensus;
use alloc::vec::Vec;
use ghc_eventlog::Nanos;

impl HeapProfile {
    /// Totals of each band, and of all together, for `from..to`. Integrals cover just that time, including lines to censuses
    /// outside of it. `censuses` are those within, the one before and the one after.
    pub(crate) fn within(&self, censuses: &[BandCensus<'_>], from: Nanos, to: Nanos) -> (Vec<Held>, Held, Times) {
        let bands = self.bands.len();
        let (held, here) = (alloc::vec![Held::default(); bands], alloc::vec![None; bands]);
        let mut part = PartTotals { held, here, all: Held::default() };
        let mut times = Times::default();
        let mut before: Option<(Nanos, &[Entry])> = None;
        let mut length = Nanos(0);
        for (time, entries) in censuses {
            let (time, entries) = (*time, &**entries);
            if let Some((start, first)) = before {
                let (left, right) = weights((start, time), (from, to));
                part.area_of(first, left);
                part.area_of(entries, right);
                length = length.plus(Nanos(time.min(to).since(start.max(from)).0));
            }
            if from <= time && time < to {
                times.add(time);
                part.add(entries, &times);
            }
            before = Some((time, entries));
        }
        (part.held, part.all, times.over(length))
    }

    /// The most that each band holds at `from` and at `to`, and when, where these are between two of the censuses, or at the second one:
    /// on its line there, a band may hold more than in any census from `from` on and before `to`. Empty if neither is.
    pub(crate) fn at_ends(&self, censuses: &[BandCensus<'_>], from: Nanos, to: Nanos) -> Vec<(u64, Nanos)> {
        let mut ends = Vec::new();
        for end in [from, to] {
            let between = censuses.windows(2).find(|two| matches!(two, [(a, _), (b, _)] if *a < end && end <= *b));
            let Some([(start, first), (next, last)]) = between else { continue };
            ends.resize(self.bands.len(), (0, from));
            let mut here = alloc::vec![0u128; ends.len()];
            for (entries, weight) in [(first, next.since(end)), (last, end.since(*start))] {
                for entry in &**entries {
                    if let Some(here) = here.get_mut(entry.band as usize) {
                        *here = here.saturating_add(u128::from(entry.bytes) * u128::from(weight.0));
                    }
                }
            }
            for (most, here) in ends.iter_mut().zip(here) {
                let bytes = u64::try_from(here / u128::from(next.since(*start).0)).unwrap_or(u64::MAX);
                *most = if bytes > most.0 { (bytes, end) } else { *most };
            }
        }
        ends
    }
}

/// Totals of a part of a profile.
struct PartTotals {
    held: Vec<Held>,
    /// What each band has in the census that is being added.
    here: Vec<Option<u64>>,
    all: Held,
}

impl PartTotals {
    /// Adds a census that is already in `times`. One that was read again may name a band more than once.
    fn add(&mut self, entries: &[Entry], times: &Times) {
        for entry in entries {
            if let Some(here) = self.here.get_mut(entry.band as usize) {
                *here = Some(here.unwrap_or(0).saturating_add(entry.bytes));
            }
        }
        for entry in entries {
            let here = self.here.get_mut(entry.band as usize).and_then(Option::take);
            if let (Some(held), Some(bytes)) = (self.held.get_mut(entry.band as usize), here) {
                held.add(bytes, Nanos(0), times);
            }
        }
        self.all.add(sum(entries), Nanos(0), times);
    }

    /// Adds one half of the trapezoids over `time`.
    fn area_of(&mut self, entries: &[Entry], time: Nanos) {
        for entry in entries {
            if let Some(held) = self.held.get_mut(entry.band as usize) {
                held.area_of(entry.bytes, time);
            }
        }
        self.all.area_of(sum(entries), time);
    }
}

/// For two censuses at `start` and `end`, and a range: twice the time for which the first one's bytes count, and twice the
/// time for which the second one's do. Between them, bytes change in a straight line.
fn weights((start, end): (Nanos, Nanos), (from, to): (Nanos, Nanos)) -> (Nanos, Nanos) {
    let (first, last) = (start.max(from), end.min(to));
    let inside = u128::from(last.since(first).0);
    if inside == 0 {
        return (Nanos(0), Nanos(0));
    }
    let rest = u128::from(end.since(first).0) + u128::from(end.since(last).0);
    let whole = u128::from(end.since(start).0);
    // No clock goes far enough to overflow here, but a damaged time may.
    let left = inside.checked_mul(rest).map_or(inside, |product| product / whole);
    (Nanos(u64::try_from(left).unwrap_or(u64::MAX)), Nanos(u64::try_from(2 * inside - left).unwrap_or(u64::MAX)))
}
