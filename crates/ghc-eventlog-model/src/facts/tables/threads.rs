//! The program's threads.

use crate::{
    facts::{
        scope::Scope,
        table::{Cells, Listed},
        value::{Unit, Value},
    },
    keeping::threads::Thread,
};
use alloc::string::ToString;
use core::ops;
use ghc_eventlog::Nanos;

pub(super) struct Threads;

impl Listed for Threads {
    type Row = Thread;
    const SECTION: &'static str = "threads";
    const KEY: &'static str = "threads";
    const NAME: &'static str = "Threads";
    const COLUMNS: &'static [Cells<Thread>] = &[
        Cells::new("thread", "Thread", Unit::Thread, |_, thread| Value::Thread(thread.id)),
        Cells::new("label", "Label", Unit::Text, |scope, thread| {
            scope.model.threads().label(thread.id).map_or(Value::Unknown, |label| Value::Text(label.to_string()))
        }),
        Cells::new("created_ns", "Created", Unit::Time, |_, thread| thread.created.map_or(Value::Unknown, Value::Time)),
        Cells::new("created_by", "Created by", Unit::Capability, |_, thread| {
            thread.created_by.map_or(Value::Unknown, Value::Capability)
        }),
        Cells::coloured("running_ns", "Running", Unit::Duration, "running", |_, thread| Value::Duration(thread.ran)),
        Cells::new("runs", "Runs", Unit::Count, |_, thread| Value::Count(thread.runs)),
    ];

    fn places(scope: &Scope<'_>) -> ops::Range<usize> {
        0..scope.model.threads().rows().len()
    }

    fn row(scope: &Scope<'_>, place: usize) -> Option<Thread> {
        scope.model.threads().rows().get(place).copied()
    }

    fn of(scope: &Scope<'_>) -> u64 {
        scope.model.threads().count()
    }

    fn time(thread: &Thread) -> Option<Nanos> {
        thread.created
    }

    /// How long each ran in a range is not known.
    fn is_told(scope: &Scope<'_>) -> bool {
        scope.is_whole()
    }
}
