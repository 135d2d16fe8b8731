//! Tasks: the operating system threads that the runtime uses, and on which capability each was when.
//!
//! ```text
//! TASK_CREATE 7 on 0     TASK_MIGRATE 7 to 2     TASK_DELETE 7
//!      |--------- cap 0 -------|------ cap 2 --------|
//! ```
//!
//! The number is the address of the thread, which the system gives to another one once the task is gone: here, each use has
//! a row of its own. The runtime, however, creates one and the same task again when its thread comes back, as main's does:
//! how many different tasks there were is known by number and kernel thread together.

use super::{
    heaviest::Heaviest,
    new_places::NewPlaces,
    sorted::{self, Sorted},
};
use crate::{
    keeping::{
        diagnostics::DiagnosticKind,
        store::{Event, Purpose, Store},
    },
    limits,
    terms::{span::Moment, tags::Tags},
};
use alloc::vec::Vec;
use core::num::NonZeroU64;
use ghc_eventlog::{CapNo, Nanos, TaskCreate, TaskDelete, TaskId, TaskMigrate};

/// All tasks, as far as there is room.
#[derive(Debug, Default)]
pub(crate) struct TaskStore {
    rows: Vec<Task>,
    /// In order of time for each task.
    stays: Vec<Stay>,
    /// The tasks that are not over, by number: their places among the rows.
    open: Sorted<TaskId, u32>,
    /// All tasks that were created: number and kernel thread, 0 if the log does not say.
    different: Sorted<(TaskId, u64), ()>,
    /// How many were created and deleted, including those that are not kept.
    created: u64,
    deleted: u64,
    /// Whether not all different tasks are kept.
    is_capped: bool,
    /// Whether some tasks or stays are not kept.
    lost_some: bool,
}

/// A task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Task {
    pub(crate) number: TaskId,
    pub(crate) created: Nanos,
    pub(crate) deleted: Option<Moment>,
    /// The kernel's number of its thread; `None` if the log does not say.
    pub(crate) kernel_thread: Option<NonZeroU64>,
    /// How often it moved to another capability.
    pub(crate) moves: u64,
    /// The capability that it is on now, and since when.
    cap: CapNo,
    since: Nanos,
}

/// A stretch of time that a task was on one capability.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stay {
    /// The task's place among the rows.
    task: u32,
    pub(crate) cap: CapNo,
    pub(crate) from: Nanos,
    pub(crate) to: Nanos,
}

impl TaskStore {
    fn create(&mut self, TaskCreate { task, cap, kernel_thread }: TaskCreate, time: Nanos) {
        self.created += 1;
        // A second creation with an open number: the end of the first is missing.
        self.leave(task, time, None);
        if self.different.len() < limits::MAX_TASKS {
            self.different.insert((task, kernel_thread), ());
        } else {
            self.is_capped |= !self.different.contains_key(&(task, kernel_thread));
        }
        if self.rows.len() >= limits::MAX_TASKS {
            self.lost_some = true;
            // To go through all rows for a few places, again and again, would take longer than to read the log.
            if 8 * (self.rows.len() - self.open.len()) >= self.rows.len() {
                self.forget_short_tasks();
            }
        }
        if self.rows.len() >= limits::MAX_TASKS {
            return;
        }
        self.open.insert(task, self.rows.len() as u32);
        let kernel_thread = NonZeroU64::new(kernel_thread);
        self.rows.push(Task { number: task, created: time, deleted: None, kernel_thread, moves: 0, cap, since: time });
    }

    /// A task leaves its capability: for another one, or because it is deleted.
    fn leave(&mut self, task: TaskId, time: Nanos, to: Option<CapNo>) {
        let Some(&place) = self.open.get(&task) else { return };
        let Some(row) = self.rows.get_mut(place as usize) else { return };
        let stay = Stay { task: place, cap: row.cap, from: row.since, to: time.max(row.since) };
        self.stays.push(stay);
        match to {
            Some(cap) => (row.cap, row.since, row.moves) = (cap, stay.to, row.moves + 1),
            None => {
                row.deleted = Moment::at(stay.to);
                self.open.remove(&task);
            }
        }
        if self.stays.len() >= limits::MAX_TASK_STAYS {
            self.lost_some = true;
            let length = |stay: &Stay| stay.to.since(stay.from).0;
            let mut half = Heaviest::half_of(self.stays.iter().map(length).collect());
            self.stays.retain(|stay| half.stays(length(stay)));
        }
    }

    /// Forgets half of the tasks that are over: those that lasted shortest.
    #[cold]
    fn forget_short_tasks(&mut self) {
        let lasted = |task: &Task| Some(task.deleted?.time().since(task.created).0);
        let mut half = Heaviest::half_of(self.rows.iter().filter_map(lasted).collect());
        let stays = |task: &Task| lasted(task).is_none_or(|lasted| half.stays(lasted));
        let places = NewPlaces::of(self.rows.iter().map(stays));
        places.drop_from(&mut self.rows, |_| {});
        self.stays.retain_mut(|stay| places.get(stay.task).map(|task| stay.task = task).is_some());
        // Those that are not over have stayed.
        self.open.iter_mut().for_each(|(_, task)| *task = places.get(*task).unwrap_or(u32::MAX));
    }

    /// The tasks that have a row, in order of creation.
    pub(crate) fn rows(&self) -> &[Task] {
        &self.rows
    }

    /// Where a task was when; up to `end` if it is not over.
    pub(crate) fn stays(&self, place: usize, end: Nanos) -> impl Iterator<Item = Stay> {
        let kept = self.stays.iter().filter(move |stay| stay.task as usize == place).copied();
        let open = self.rows.get(place).filter(|row| row.deleted.is_none());
        kept.chain(open.map(move |row| Stay {
            task: place as u32,
            cap: row.cap,
            from: row.since,
            to: end.max(row.since),
        }))
    }

    /// How many different tasks were created; `None` if there are too many to distinguish.
    pub(crate) fn created(&self) -> Option<u64> {
        (!self.is_capped).then_some(self.different.len() as u64)
    }

    /// How many times a task was created, also one that had been there before.
    pub(crate) fn creations(&self) -> u64 {
        self.created
    }

    /// How many times a task was deleted.
    pub(crate) fn deleted(&self) -> u64 {
        self.deleted
    }

    /// Whether some of it is not kept.
    pub(crate) fn is_capped(&self) -> bool {
        self.is_capped || self.lost_some
    }
}

impl Store for TaskStore {
    const TAGS: Tags = Tags::of(&[TaskCreate::TAG, TaskMigrate::TAG, TaskDelete::TAG]);

    fn of(_: Purpose) -> Self {
        Self::default()
    }

    fn step(&mut self, event: Event<'_>) {
        let Event { tag, time, payload, .. } = event;
        match tag {
            TaskCreate::TAG => self.create(TaskCreate::read(payload), time),
            TaskMigrate::TAG => {
                let TaskMigrate { task, new_cap, .. } = TaskMigrate::read(payload);
                self.leave(task, time, Some(new_cap));
            }
            TaskDelete::TAG => {
                self.deleted += 1;
                self.leave(TaskDelete::read(payload).task, time, None);
            }
            _ => {}
        }
    }

    fn bytes_held(&self) -> usize {
        let keys = sorted::bytes_held(&self.open) + sorted::bytes_held(&self.different);
        self.rows.capacity() * size_of::<Task>() + self.stays.capacity() * size_of::<Stay>() + keys
    }

    fn remarks(&self) -> Vec<DiagnosticKind> {
        self.is_capped().then_some(DiagnosticKind::TooManyTasks).into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: TaskId = TaskId(7);

    fn create(tasks: &mut TaskStore, task: TaskId, time: u64) {
        tasks.create(TaskCreate { task, cap: CapNo(0), kernel_thread: 0 }, Nanos(time));
    }

    fn stays(tasks: &TaskStore, place: usize) -> Vec<(u16, u64, u64)> {
        tasks.stays(place, Nanos(100)).map(|stay| (stay.cap.0, stay.from.0, stay.to.0)).collect()
    }

    #[test]
    fn a_task_is_where_it_was_created_until_it_moves_or_is_over() {
        let mut tasks = TaskStore::default();
        create(&mut tasks, ONE, 10);
        tasks.leave(ONE, Nanos(20), Some(CapNo(2)));
        assert_eq!(stays(&tasks, 0), [(0, 10, 20), (2, 20, 100)]);
        tasks.leave(ONE, Nanos(30), None);
        assert_eq!(stays(&tasks, 0), [(0, 10, 20), (2, 20, 30)]);
        assert_eq!((tasks.rows[0].moves, tasks.rows[0].deleted), (1, Moment::at(Nanos(30))));
    }

    #[test]
    fn a_reused_number_gets_another_row() {
        let mut tasks = TaskStore::default();
        create(&mut tasks, ONE, 10);
        create(&mut tasks, ONE, 40);
        tasks.leave(ONE, Nanos(50), None);
        // No task with this number was created.
        tasks.leave(TaskId(8), Nanos(60), Some(CapNo(1)));
        assert_eq!((tasks.rows().len(), tasks.created(), tasks.creations()), (2, Some(1), 2));
        assert_eq!((stays(&tasks, 0), stays(&tasks, 1)), (Vec::from([(0, 10, 40)]), Vec::from([(0, 40, 50)])));
    }

    /// Spare workers end, and the next ones get their numbers; main's task is created anew when its thread comes back.
    #[test]
    fn tasks_differ_by_number_and_kernel_thread() {
        let mut tasks = TaskStore::default();
        for (number, kernel_thread) in [(1, 6439), (2, 6442), (1, 6439), (2, 6460), (2, 6461), (1, 6439)] {
            tasks.create(TaskCreate { task: TaskId(number), cap: CapNo(0), kernel_thread }, Nanos(10));
            tasks.leave(TaskId(number), Nanos(20), None);
        }
        assert_eq!((tasks.created(), tasks.creations()), (Some(4), 6));
    }

    #[test]
    fn tasks_are_bounded_and_report_it() {
        let mut tasks = TaskStore::default();
        (0..=limits::MAX_TASKS as u64).for_each(|number| create(&mut tasks, TaskId(number), number));
        assert_eq!((tasks.rows().len(), tasks.created(), tasks.is_capped()), (limits::MAX_TASKS, None, true));
        let mut moving = TaskStore::default();
        create(&mut moving, ONE, 0);
        let most = limits::MAX_TASK_STAYS as u64;
        (0..most).for_each(|at| moving.leave(ONE, Nanos(at), Some(CapNo(1))));
        assert!(moving.stays.len() == limits::MAX_TASK_STAYS / 2 && moving.is_capped());
        assert_eq!((moving.created(), moving.rows[0].moves), (Some(1), most));
        // The longest one comes last.
        moving.leave(ONE, Nanos(most * 2), Some(CapNo(2)));
        (1..most).for_each(|at| moving.leave(ONE, Nanos(most * 2 + at), Some(CapNo(1))));
        assert!(moving.stays.iter().any(|stay| stay.to.since(stay.from) > Nanos(most)));
    }

    /// Tasks that stay fill nearly all rows, so each short one finds few that could make room for it.
    #[test]
    fn where_most_tasks_are_open_the_others_cost_little() {
        let mut tasks = TaskStore::default();
        let most = limits::MAX_TASKS as u64;
        (0..most - 10).for_each(|number| create(&mut tasks, TaskId(number), number));
        for number in most..2_000_000 {
            create(&mut tasks, TaskId(number), number);
            tasks.leave(TaskId(number), Nanos(number + 1), None);
        }
        assert_eq!((tasks.creations(), tasks.rows().len()), (2_000_000 - 10, limits::MAX_TASKS));
        assert!((0..most - 10).all(|number| tasks.rows[number as usize].deleted.is_none()));
    }

    /// A task for each call from outside, and two that stay: one that was there before, and one that comes last.
    #[test]
    fn the_tasks_that_lasted_longest_stay() {
        let mut tasks = TaskStore::default();
        create(&mut tasks, ONE, 0);
        for number in 0..3 * limits::MAX_TASKS as u64 {
            let (task, time) = (TaskId(1000 + number), 10 * number);
            create(&mut tasks, task, time);
            let lasts = if number == 9000 { 9 } else { 1 + number % 3 };
            tasks.leave(task, Nanos(time + lasts), None);
        }
        create(&mut tasks, TaskId(8), 500_000);
        tasks.leave(ONE, Nanos(600_000), Some(CapNo(1)));
        assert!(tasks.is_capped() && tasks.rows().len() <= limits::MAX_TASKS);
        assert_eq!(tasks.creations(), 3 * limits::MAX_TASKS as u64 + 2);
        let place = |number| tasks.rows().iter().position(|task| task.number == TaskId(number));
        assert_eq!(stays(&tasks, place(7).unwrap())[0], (0, 0, 600_000));
        assert_eq!(stays(&tasks, place(10_000).unwrap()), [(0, 90_000, 90_009)]);
        assert!(place(8).is_some() && tasks.rows().is_sorted_by_key(|task| task.created));
        let stay = tasks.stays.iter().all(|stay| stay.from == tasks.rows[stay.task as usize].created);
        assert!(stay, "stays are of other tasks");
    }
}
