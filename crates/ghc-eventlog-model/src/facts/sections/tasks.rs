//! Tasks: the threads of the operating system that the runtime works with.

use crate::facts::{Section, scope::Scope};
use ghc_eventlog::{TaskCreate, TaskDelete};

pub(super) fn section(scope: &Scope<'_>) -> Option<Section> {
    let mut tasks = Section::new("tasks", "Tasks");
    tasks.number("created", "Events of their creation", scope.events(&[TaskCreate::TAG]));
    tasks.number("deleted", "Events of their end", scope.events(&[TaskDelete::TAG]));
    scope.of_whole(tasks)
}
