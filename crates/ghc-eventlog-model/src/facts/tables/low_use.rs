//! Stretches in which few capabilities ran Haskell, and what the others did.

use crate::{
    facts::{
        account,
        scope::Scope,
        table::{Cells, Listed, columns},
    },
    keeping::crossing::low_use::{CapTime, LowStretch, LowUse},
    terms::{
        track::TrackId,
        value::{Unit, Value},
    },
    tracks::{activity::Activity, capability::RUNNING},
};
use core::ops;
use ghc_eventlog::Nanos;

/// The share of the capabilities below which use is low, in percent, if the reader does not choose another.
const HALF: u8 = 50;

pub(super) struct LowUseTable;

impl Listed for LowUseTable {
    type Row = LowStretch;
    const SECTION: &'static str = "caps";
    const KEY: &'static str = "low_use";
    const NAME: &'static str = "Low use";
    const ABOUT: &'static str = "The longest stretches in which fewer than half of the capabilities ran Haskell, or fewer than the share that you have chosen. Interruptions shorter than 100 µs do not end a stretch, as long as few ran on average.";
    const KEPT: &'static str = "the longest";
    const TRACK: Option<TrackId> = Some(TrackId::of::<Activity>(0));
    columns! {
        /// The moment from which few capabilities ran.
        Cells::new("from_ns", "From", Unit::Time, |_, low| Value::Time(low.from)),
        /// How long few capabilities ran.
        Cells::new("duration_ns", "Duration", Unit::Duration, |_, low| Value::Duration(low.length())),
        /// The share of the capabilities that ran, on average.
        Cells::coloured("running", "Running", Unit::Share, "running", |_, low| {
            share(low.spent.running, low.spent.running.plus(low.spent.unused()))
        }),
        /// The time in which capabilities did something else or nothing, summed over all of them.
        Cells::new("unused_ns", "Not running", Unit::Duration, |_, low| Value::Duration(low.spent.unused())),
        /// Why, for the longest part of that time.
        Cells::new("reason", "Mostly because", Unit::Text, |_, low| Value::words(reason(&low.spent).0)),
        /// How much of that time has this reason.
        Cells::new("reason_share", "Share", Unit::Share, |_, low| share(reason(&low.spent).1, low.spent.unused())),
    }

    fn places(scope: &Scope<'_>) -> ops::Range<usize> {
        0..low_use(scope).map_or(0, |low| low.longest.len())
    }

    fn row(scope: &Scope<'_>, place: usize) -> Option<LowStretch> {
        low_use(scope)?.longest.get(place).copied()
    }

    fn of(scope: &Scope<'_>) -> u64 {
        low_use(scope).map_or(0, |low| low.count)
    }

    fn time(low: &LowStretch) -> Option<Nanos> {
        Some(low.from)
    }

    fn is_shown(scope: &Scope<'_>) -> bool {
        low_use(scope).is_some()
    }
}

/// The stretches, if the whole log is meant, and it says when capabilities ran.
fn low_use<'k>(scope: &'k Scope<'_>) -> Option<&'k LowUse> {
    let known = scope.known();
    let replayed = known.replayed.as_ref().filter(|replayed| replayed.is_done && scope.is_whole())?;
    let percent = scope.arrangement.wishes().low_use_percent.unwrap_or(HALF);
    replayed.account.low_use.below(percent.into()).filter(|_| known.logged_classes().lacks(RUNNING).is_none())
}

/// Why capabilities did not run, mostly, and for how long.
fn reason(spent: &CapTime) -> (&'static str, Nanos) {
    let idle = account::REASONS.iter().zip(spent.idle).map(|((_, name, _), time)| (*name, time));
    let idle = idle.map(|(name, time)| (name.strip_prefix("Idle: ").unwrap_or(name), time));
    let all = [("collections", spent.collecting), ("events are missing", spent.not_known)].into_iter().chain(idle);
    // The first one of those that are equally long.
    all.reduce(|most, other| if other.1 > most.1 { other } else { most }).unwrap_or_default()
}

fn share(part: Nanos, all: Nanos) -> Value {
    if all == Nanos(0) { Value::Unknown } else { Value::Share(part.0 as f64 / all.0 as f64) }
}
