//! The tasks, one by one.

use crate::{
    facts::{
        scope::Scope,
        table::{Cells, Listed, columns},
    },
    keeping::tasks::Task,
    terms::value::{Unit, Value},
};
use alloc::string::ToString;
use core::ops;
use ghc_eventlog::Nanos;

pub(super) struct Tasks;

impl Listed for Tasks {
    /// A task, and its place among all.
    type Row = (usize, Task);
    const SECTION: &'static str = "tasks";
    const KEY: &'static str = "tasks";
    const NAME: &'static str = "Tasks";
    const ABOUT: &'static str = "The tasks: threads of the operating system that the runtime works with.";
    const KEPT: &'static str = "those that lasted longest, and those that are not over";
    columns! {
        /// The place of the task among all, from 1 on, in the order in which they were created.
        Cells::new("task", "Task", Unit::Count, |_, (place, _)| Value::Count(*place as u64 + 1)),
        /// The number that the runtime calls the task by. It may be used again.
        Cells::new("number", "Number", Unit::Text, |_, (_, task)| Value::words(task.number.to_string())),
        /// The operating system's number of the thread.
        Cells::new("kernel_thread", "Kernel thread", Unit::Text, |_, (_, task)| {
            task.kernel_thread.map_or(Value::Unknown, |thread| Value::words(thread.to_string()))
        }),
        /// The moment at which the task was created.
        Cells::new("created_ns", "Created", Unit::Time, |_, (_, task)| Value::Time(task.created)),
        /// When the task ended, if it did before the end of the log.
        Cells::new("deleted_ns", "Ended", Unit::Time, |_, (_, task)| {
            task.deleted.map_or(Value::Unknown, |deleted| Value::Time(deleted.time()))
        }),
        /// How often the task moved to another capability.
        Cells::new("moves", "Moved", Unit::Count, |_, (_, task)| Value::Count(task.moves)),
    }

    fn places(scope: &Scope<'_>) -> ops::Range<usize> {
        0..scope.known().stores.tasks.rows().len()
    }

    fn row(scope: &Scope<'_>, place: usize) -> Option<(usize, Task)> {
        Some((place, *scope.known().stores.tasks.rows().get(place)?))
    }

    fn of(scope: &Scope<'_>) -> u64 {
        scope.known().stores.tasks.creations()
    }

    fn time((_, task): &(usize, Task)) -> Option<Nanos> {
        Some(task.created)
    }

    /// They are of the whole log.
    fn is_shown(scope: &Scope<'_>) -> bool {
        scope.is_whole()
    }
}
