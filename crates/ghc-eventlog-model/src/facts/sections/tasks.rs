//! Tasks: the threads of the operating system that the runtime works with.

use crate::facts::{Section, scope::Scope};
use ghc_eventlog::{TaskCreate, TaskDelete, TaskMigrate};

pub(super) fn section(scope: &Scope<'_>) -> Option<Section> {
    let kept = &scope.session().keeping.tasks;
    let flag = scope.lacks(&[TaskCreate::TAG, TaskMigrate::TAG, TaskDelete::TAG], "-ls");
    let mut tasks = Section::new("tasks", "Tasks").needs(flag);
    tasks.number("created", "Different tasks created", kept.created());
    tasks.number("creations", "Times one was created", kept.creations());
    tasks.number("deleted", "Times one was over", kept.deleted());
    scope.of_whole(tasks)
}
