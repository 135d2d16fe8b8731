//! Which threads were blocked on black holes of which others: on what those were evaluating.

use crate::{
    facts::{
        scope::Scope,
        table::{Cells, Listed, columns},
    },
    keeping::crossing::contention::Contention,
    sorting::by_most,
    terms::{
        op::Waker,
        track::TrackId,
        value::{Unit, Value},
    },
};
use core::ops;
use ghc_eventlog::{Nanos, ThreadId};

pub(super) struct BlackHoles;

/// A thread, the one that it was blocked on, and how.
pub(super) struct BlackHoleRow {
    thread: ThreadId,
    owner: Waker,
    contention: Contention,
}

impl Listed for BlackHoles {
    type Row = BlackHoleRow;
    const SECTION: &'static str = "threads";
    const KEY: &'static str = "black_holes";
    const NAME: &'static str = "Blocked on black holes";
    const ABOUT: &'static str =
        "Which threads waited for values that others were evaluating (black holes), and for how long.";
    const KEPT: &'static str = "those that waited longest";
    columns! {
        /// The thread that waited.
        Cells::new("thread", "Thread", Unit::Thread, |_, row| Value::Thread(row.thread)),
        /// The thread that was evaluating the value: while it does, the value is called a black hole.
        Cells::new("owner", "Black hole of", Unit::Thread, |_, row| row.owner.value()),
        /// How often the one waited for the other.
        Cells::new("count", "Times", Unit::Count, |_, row| Value::Count(row.contention.count)),
        /// How long the one waited for the other, all waits together.
        Cells::coloured("total_ns", "Blocked", Unit::Duration, "blocked", |_, row| {
            Value::Duration(row.contention.total)
        }),
        /// How long the longest of these waits was.
        Cells::new("longest_ns", "Longest", Unit::Duration, |_, row| {
            let (from, to) = row.contention.longest;
            Value::Duration(to.since(from))
        }),
        /// When the longest of these waits began.
        Cells::new("longest_at_ns", "From", Unit::Time, |_, row| Value::Time(row.contention.longest.0)),
    }

    fn places(scope: &Scope<'_>) -> ops::Range<usize> {
        0..scope.known().replayed.as_ref().map_or(0, |replayed| replayed.lives.contention.pairs.len())
    }

    fn row(scope: &Scope<'_>, place: usize) -> Option<BlackHoleRow> {
        let contention = &scope.known().replayed.as_ref()?.lives.contention.pairs;
        let total = |place: u32| contention.values().nth(place as usize).map_or(0, |pair| pair.total.0);
        let place = *scope.black_holes(|| by_most(contention.len(), total)).get(place)?;
        let (&(thread, owner), &contention) = contention.iter().nth(place as usize)?;
        Some(BlackHoleRow { thread, owner, contention })
    }

    fn of(scope: &Scope<'_>) -> u64 {
        let beyond = scope.known().replayed.as_ref().map_or(0, |replayed| replayed.lives.contention.beyond);
        Self::places(scope).len() as u64 + beyond
    }

    fn time(row: &BlackHoleRow) -> Option<Nanos> {
        Some(row.contention.longest.0)
    }

    fn track(scope: &Scope<'_>, row: &BlackHoleRow) -> Option<TrackId> {
        scope.known().track_of_thread(row.thread)
    }

    fn is_shown(scope: &Scope<'_>) -> bool {
        scope.is_whole() && !Self::places(scope).is_empty()
    }
}
