//! The longest times that threads were blocked: as many of each reason, but the longest first whatever it is, so that what is cut
//! off are short ones.

use crate::{
    facts::{
        scope::Scope,
        table::{Cells, Listed},
    },
    keeping::crossing::threads::Wait,
    terms::{
        track::TrackId,
        value::{Unit, Value},
    },
};
use alloc::string::ToString;
use core::ops;
use ghc_eventlog::Nanos;

pub(super) struct Waits;

impl Listed for Waits {
    type Row = Wait;
    const SECTION: &'static str = "threads";
    const KEY: &'static str = "waits";
    const NAME: &'static str = "Longest waits";
    const KEPT: &'static str = "the longest ones of each reason";
    const COLUMNS: &'static [Cells<Wait>] = &[
        Cells::new("from_ns", "From", Unit::Time, |_, wait| Value::Time(wait.from)),
        Cells::coloured("blocked_ns", "Blocked", Unit::Duration, "blocked", |_, wait| Value::Duration(wait.length())),
        Cells::new("thread", "Thread", Unit::Thread, |_, wait| Value::Thread(wait.thread)),
        Cells::new("label", "Label", Unit::Text, |scope, wait| {
            scope.model.threads().label(wait.thread).map_or(Value::Unknown, Value::words)
        }),
        Cells::new("reason", "Why", Unit::Text, |_, wait| Value::words(wait.reason.text().to_string())),
        Cells::new("owner", "Black hole of", Unit::Thread, |_, wait| wait.owner.value()),
        Cells::new("woken_by", "Woken up by", Unit::Thread, |_, wait| wait.by.value()),
    ];

    fn places(scope: &Scope<'_>) -> ops::Range<usize> {
        0..scope.waits().len()
    }

    fn row(scope: &Scope<'_>, place: usize) -> Option<Wait> {
        scope.waits().get(place).copied()
    }

    fn of(scope: &Scope<'_>) -> u64 {
        scope.known().replayed.as_ref().map_or(0, |replayed| replayed.lives.all_waits)
    }

    fn time(wait: &Wait) -> Option<Nanos> {
        Some(wait.from)
    }

    fn track(scope: &Scope<'_>, wait: &Wait) -> Option<TrackId> {
        scope.known().track_of_thread(wait.thread)
    }

    fn is_told(scope: &Scope<'_>) -> bool {
        scope.is_whole() && !Self::places(scope).is_empty()
    }
}
