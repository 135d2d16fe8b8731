//! Tasks: the threads of the operating system that the runtime works with.

use crate::facts::{Section, scope::Scope};
use ghc_eventlog::{TaskCreate, TaskDelete, TaskMigrate};

pub(super) fn section(scope: &Scope<'_>) -> Option<Section> {
    let kept = &scope.known().stores.tasks;
    let flag = scope.lacks(&[TaskCreate::TAG, TaskMigrate::TAG, TaskDelete::TAG], "-ls");
    let mut tasks = Section::new("tasks", "Tasks").needs(flag);
    tasks.number("created", "Tasks created", kept.created());
    tasks.number("creations", "Creations, reused numbers counted", kept.creations());
    tasks.number("deleted", "Tasks ended", kept.deleted());
    scope.of_whole(tasks)
}
