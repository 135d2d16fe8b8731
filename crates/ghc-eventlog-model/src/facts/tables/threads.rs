//! The program's threads.

use crate::{
    facts::{
        scope::Scope,
        table::{Cells, Listed, columns},
    },
    keeping::{
        crossing::{cells::Did, doing::Doing, threads::ThreadLife, waited::MostlyWaited},
        threads::Thread,
    },
    terms::{
        table::Column,
        track::TrackId,
        value::{Unit, Value},
    },
    tracks::capability::RUNNING,
};
use core::ops;
use ghc_eventlog::{CapNo, Nanos};

pub(super) struct ThreadsTable;

impl Listed for ThreadsTable {
    type Row = ThreadRow;
    const SECTION: &'static str = "threads";
    const KEY: &'static str = "threads";
    const NAME: &'static str = "Threads";
    const ABOUT: &'static str = "Each Haskell thread, and how long it was in which state.";
    const KEPT: &'static str =
        "those that lived longest or ran longest, and as many of those with a label as there is room for";
    const HEAVIEST: Option<&'static str> = Some("running_ns");
    columns! {
        /// The runtime's number of the thread. Other tables and the timeline use it, too.
        Cells::new("thread", "Thread", Unit::Thread, |_, row| Value::Thread(row.thread.id)),
        /// The name that the program gave the thread by labelThread, if it gave one.
        Cells::new("label", "Label", Unit::Text, |scope, row| scope.label(Some(row.thread.id))),
        /// Whose thread it is: the program's, or the runtime's own, as the labels IOManager and TimerManager of the base
        /// library say. The runtime's threads wait in foreign calls for input, output and timers.
        Cells::new("whose", "Whose", Unit::Text, |scope, row| {
            let own = scope.model.threads().is_of_runtime(&row.thread);
            Value::words(if own { "runtime" } else { "program" })
        }),
        /// The time in which it ran on a capability.
        Cells::coloured("running_ns", "Running", Unit::Duration, "running", |_, row| {
            row.if_logged(Value::Duration(row.did.map_or(row.thread.ran, |did| did.time(Doing::Running))))
        }),
        /// The time in which it could run but no capability had time for it.
        Cells::coloured("runnable_ns", "Runnable", Unit::Duration, "runnable", |_, row| row.time(Doing::Runnable)),
        /// The time in which it waited: for an MVar, in STM, for another thread's evaluation or the like.
        Cells::coloured("blocked_ns", "Blocked", Unit::Duration, "blocked", |_, row| row.time(Doing::Blocked)),
        /// What it was blocked on for the longest time, all such waits together.
        Cells::new("blocked_mostly", "Mostly", Unit::Text, |_, row| {
            row.waited.map_or(Value::Unknown, |most| Value::words(most.reason.text()))
        }),
        /// The thread that most of its waiting was for: the one that woke it up, or whose black hole it waited for. None if there was
        /// no such single thread.
        Cells::new("blocked_for", "Mostly for", Unit::Thread, |_, row| {
            row.waited.and_then(|most| most.thread).map_or(Value::Unknown, Value::Thread)
        }),
        /// The label of that thread. TimerManager ends what threadDelay and timeout began, IOManager waits for files and sockets; both are
        /// the runtime's own threads.
        Cells::new("blocked_for_label", "That thread's label", Unit::Text, |scope, row| {
            scope.label(row.waited.and_then(|most| most.thread))
        }),
        /// The time in which it was in calls of foreign functions.
        Cells::coloured("foreign_ns", "In foreign calls", Unit::Duration, "foreign", |_, row| row.time(Doing::Foreign)),
        /// How often it was put on a capability to run. Many short runs mean that it is often blocked or interrupted.
        Cells::new("runs", "Runs", Unit::Count, |_, row| {
            row.if_logged(Value::Count(row.did.map_or(row.thread.runs, |did| did.runs.into())))
        }),
        /// How often it migrated, that is, was moved from one capability to another.
        Cells::new("migrations", "Migrated", Unit::Count, |_, row| {
            row.did.map_or(Value::Unknown, |did| Value::Count(did.migrations.into()))
        }),
        /// The mean time from being woken up to running. It is short as long as capabilities are free.
        Cells::new("latency_ns", "From wake-up to run, mean", Unit::Duration, |_, row| {
            let mean = row.did.and_then(|did| did.latency.0.checked_div(did.woken.into()));
            mean.map_or(Value::Unknown, |mean| Value::Duration(Nanos(mean)))
        }),
        /// When the thread was created, if that was not before the log began.
        Cells::new("created_ns", "Created", Unit::Time, |_, row| row.created().map_or(Value::Unknown, Value::Time)),
        /// The capability on which the thread was created.
        Cells::new("created_by", "Created by", Unit::Capability, |_, row| {
            let known = row.thread.created_by.or(row.first_created_by.filter(|cap| *cap != CapNo::GLOBAL));
            known.map_or(Value::Unknown, Value::Capability)
        }),
        /// When the thread finished, if it did before the end of the log.
        Cells::new("finished_ns", "Finished", Unit::Time, |_, row| row.finished.map_or(Value::Unknown, Value::Time)),
    }

    fn places(scope: &Scope<'_>) -> ops::Range<usize> {
        0..scope.model.threads().rows().len()
    }

    fn row(scope: &Scope<'_>, place: usize) -> Option<ThreadRow> {
        let thread = *scope.model.threads().rows().get(place)?;
        let life = scope.known().replayed.as_ref().and_then(|replayed| replayed.lives.get(place));
        let finished = life.and_then(ThreadLife::finished);
        let is_logged = scope.known().logged_classes().lacks(RUNNING).is_none();
        let did = scope.thread(place).filter(|_| is_logged);
        let waited = scope.mostly_waited(place).filter(|_| is_logged);
        let first = life.map(|life| life.first);
        let first_created_by = life.and_then(|life| life.created_by);
        Some(ThreadRow { thread, first, first_created_by, finished, did, waited, is_logged })
    }

    fn of(scope: &Scope<'_>) -> u64 {
        scope.model.threads().count()
    }

    fn time(row: &ThreadRow) -> Option<Nanos> {
        row.created()
    }

    fn track(scope: &Scope<'_>, row: &ThreadRow) -> Option<TrackId> {
        scope.known().track_of_thread(row.thread.id)
    }

    /// What each did in a range is known only if the log has been gone through in order of time.
    fn is_shown(scope: &Scope<'_>) -> bool {
        scope.is_whole() || scope.threads().is_some()
    }

    /// Until then, columns are left out that have nothing in them.
    fn shows(scope: &Scope<'_>, column: &Column) -> bool {
        if column.key == "whose" {
            return scope.model.threads().of_runtime().next().is_some();
        }
        if ["blocked_mostly", "blocked_for", "blocked_for_label"].contains(&column.key) {
            return scope.is_whole() && scope.threads().is_some();
        }
        let of_replay = ["finished_ns", "runnable_ns", "blocked_ns", "foreign_ns", "migrations", "latency_ns"];
        scope.threads().is_some() || !of_replay.contains(&column.key)
    }
}

/// A thread, and what it did.
pub(super) struct ThreadRow {
    thread: Thread,
    /// When something happened to it first.
    first: Option<Nanos>,
    /// The capability on which it was created then, if it was: perhaps [`CapNo::GLOBAL`].
    first_created_by: Option<CapNo>,
    finished: Option<Nanos>,
    did: Option<Did>,
    waited: Option<MostlyWaited>,
    /// Whether runs are logged: a log may name threads, by their sparks, and lack what they did.
    is_logged: bool,
}

impl ThreadRow {
    /// A value, if runs are logged.
    fn if_logged(&self, value: Value) -> Value {
        if self.is_logged { value } else { Value::Unknown }
    }

    /// Its lifetime begins then. Clocks of two cores may differ by some ns: it may have run on one before it was created on the other.
    fn created(&self) -> Option<Nanos> {
        let created = self.thread.created().or(self.first.filter(|_| self.first_created_by.is_some()))?;
        Some(self.first.map_or(created, |first| first.min(created)))
    }

    fn time(&self, doing: Doing) -> Value {
        self.did.map_or(Value::Unknown, |did| Value::Duration(did.time(doing)))
    }
}
