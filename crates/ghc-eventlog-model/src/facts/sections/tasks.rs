//! Tasks: the threads of the operating system that the runtime works with.

use crate::{
    facts::{Section, scope::Scope, typed::facts},
    keeping::rts_flags::TraceClass,
    terms::absence::Absence,
};
use ghc_eventlog::{TaskCreate, TaskDelete, TaskMigrate};

facts! {
    /// Tasks: the threads of the operating system that the runtime works with. They are known of the whole log only.
    TasksFacts("tasks", "Tasks") {
        /// Why the log does not say; if a flag is missing, nothing else is known.
        pub lacks: Option<Absence>,
        /// How many different tasks were created. A few more than capabilities are usual. The runtime's task_count leaves
        /// out those of forkOS, and of calls into Haskell, once they end.
        pub created: Option<u64> = ("created", "Tasks created", Count, Repeatable),
        /// How many times a task was created. Main's task is created anew each time that its thread comes back into
        /// Haskell.
        pub creations: Option<u64> = ("creations", "Creations, repeated ones counted", Count, Repeatable),
        /// How many tasks ended while the log was written.
        pub deleted: Option<u64> = ("deleted", "Tasks ended", Count, Repeatable),
    }
}

impl TasksFacts {
    pub(super) fn gather(scope: &Scope<'_>) -> Self {
        let lacks = scope.lacks_class(&[TaskCreate::TAG, TaskMigrate::TAG, TaskDelete::TAG], TraceClass::Scheduler);
        if lacks.is_some_and(Absence::is_unlogged) || !scope.is_whole() {
            return Self { lacks, ..Self::default() };
        }
        let tasks = &scope.known().stores.tasks;
        // A log that was begun late only says where tasks go: how many were created is not known.
        let creates = tasks.creations() > 0;
        Self {
            lacks,
            created: tasks.created().filter(|_| creates),
            creations: Some(tasks.creations()).filter(|_| creates),
            deleted: Some(tasks.deleted()).filter(|_| scope.can_tell(TaskDelete::TAG)),
        }
    }

    pub(super) fn section(&self, scope: &Scope<'_>) -> Option<Section> {
        scope.of_whole(Section::of(self).needs(self.lacks))
    }
}
