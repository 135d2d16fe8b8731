//! Tasks: the threads of the operating system that the runtime works with.

use crate::facts::{Section, scope::Scope, typed::facts};
use ghc_eventlog::{TaskCreate, TaskDelete, TaskMigrate};

facts! {
    /// The threads of the operating system that the runtime works with: of a range, nothing is known.
    TasksFacts("tasks", "Tasks") {
        /// The flag of the runtime without which the log does not say; then nothing else is known.
        pub lacks: Option<&'static str>,
        /// Different numbers of tasks that were created (`task_count`).
        pub created: Option<u64> = ("created", "Tasks created", Count, Repeatable),
        /// Creations: a number may be used again.
        pub creations: Option<u64> = ("creations", "Creations, reused numbers counted", Count, Repeatable),
        /// Tasks that ended.
        pub deleted: Option<u64> = ("deleted", "Tasks ended", Count, Repeatable),
    }
}

impl TasksFacts {
    pub(super) fn gather(scope: &Scope<'_>) -> Self {
        let lacks = scope.lacks(&[TaskCreate::TAG, TaskMigrate::TAG, TaskDelete::TAG], "-ls");
        if lacks.is_some() || !scope.is_whole() {
            return Self { lacks, ..Self::default() };
        }
        let tasks = &scope.known().stores.tasks;
        Self { lacks, created: tasks.created(), creations: Some(tasks.creations()), deleted: Some(tasks.deleted()) }
    }

    pub(super) fn section(&self, scope: &Scope<'_>) -> Option<Section> {
        scope.of_whole(Section::of(self).needs(self.lacks))
    }
}
