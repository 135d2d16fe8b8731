//! The longest times that threads were blocked: as many of each reason, but the longest first whatever it is, so that what is cut
//! off are short ones.

use crate::{
    facts::{
        scope::Scope,
        table::{Cells, Listed, columns},
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
    const ABOUT: &'static str = "The longest times that threads were blocked, of each reason.";
    const KEPT: &'static str = "the longest ones of each reason";
    columns! {
        /// The moment from which the thread was blocked.
        Cells::new("from_ns", "From", Unit::Time, |_, wait| Value::Time(wait.from)),
        /// How long the thread was blocked.
        Cells::coloured("blocked_ns", "Blocked", Unit::Duration, "blocked", |_, wait| Value::Duration(wait.length())),
        /// The thread that was blocked.
        Cells::new("thread", "Thread", Unit::Thread, |_, wait| Value::Thread(wait.thread)),
        /// The name that the program gave the thread by labelThread, if it gave one.
        Cells::new("label", "Label", Unit::Text, |scope, wait| scope.label(Some(wait.thread))),
        /// What it waited for: an MVar, STM, a black hole (a value that another thread was evaluating) or the like.
        Cells::new("reason", "Why", Unit::Text, |_, wait| Value::words(wait.reason.text().to_string())),
        /// The thread that woke it up, if the log says so.
        Cells::new("woken_by", "Woken up by", Unit::Thread, |_, wait| wait.by.value()),
        /// The label of the thread that woke it up. TimerManager ends what threadDelay and timeout began, IOManager waits for files and
        /// sockets; both are the runtime's own threads.
        Cells::new("woken_by_label", "Waker's label", Unit::Text, |scope, wait| scope.label(wait.by.thread())),
        /// The thread that was evaluating the value that this one waited for: such a value is called a black hole.
        Cells::new("owner", "Black hole of", Unit::Thread, |_, wait| wait.owner.value()),
    }

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

    fn is_shown(scope: &Scope<'_>) -> bool {
        scope.is_whole() && !Self::places(scope).is_empty()
    }
}
