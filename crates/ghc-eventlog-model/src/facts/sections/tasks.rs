//! Tasks: the threads of the operating system that the runtime works with.

use crate::facts::{Section, scope::Scope, value::Unit};
use ghc_eventlog::{TaskCreate, TaskDelete};

pub(super) fn section(scope: &Scope<'_>) -> Option<Section> {
    let tasks = Section::new("tasks", "Tasks")
        .figure("created", "Events of their creation", Unit::Count, Some(scope.events(&[TaskCreate::TAG])))
        .figure("deleted", "Events of their end", Unit::Count, Some(scope.events(&[TaskDelete::TAG])));
    scope.of_whole(tasks)
}
