//! Which rows threads have on the timeline, and in which order: of hundreds of thousands, those that somebody looks for.
//!
//! ```text
//! in order of first appearance | by label, `worker` unfolded
//!   1 main                     |   1 main
//!   2 worker                   |   worker (2)       stands for both: a row of the label
//!   3                          |     2 worker
//!   4 worker                   |     4 worker
//!                              |   3
//! ```

use crate::terms::track::TrackId;
use alloc::{string::String, vec::Vec};

/// How the rows of threads stand on the timeline: see [`Wishes`](crate::Wishes). By default all of them, by first appearance.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ThreadRows {
    /// Which come first.
    pub order: ThreadOrder,
    /// Only threads that have this in their number or label, whatever its case.
    pub text: String,
    /// Only those that were in this state, by its number among the states of a thread's track.
    pub state: Option<usize>,
    /// Only those that were there, or ran.
    pub presence: Presence,
    /// Whether threads of one label share a row, unless only one has it.
    pub by_label: bool,
    /// The rows of labels below which their threads have rows of their own, too.
    pub unfolded: Vec<TrackId>,
}

/// Which of the threads' rows come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ThreadOrder {
    /// Those that were there first.
    #[default]
    First,
    /// Those that ran for the longest time.
    Running,
    /// Those that were blocked for the longest time.
    Blocked,
    /// Those that were there for the longest time.
    Lifetime,
    /// Those whose label comes first in the alphabet; those without one last.
    Label,
}

/// Whether a thread must have been there, or have run, for it to have a row: in a range of time, or ever.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Presence {
    /// All threads.
    #[default]
    Any,
    /// Those that were there.
    Alive,
    /// Those that ran.
    Ran,
}

/// The mark of a row that is a label's: the rest is the place of the first thread that has it.
pub(crate) const LABEL: u32 = 1 << 31;

/// The rows that threads have.
#[derive(Debug, Default)]
pub(crate) struct ThreadRowList {
    /// From top to bottom: places of threads, and of labels.
    pub(crate) list: Vec<u32>,
    /// The row of each thread; [`NONE`] if it has none.
    pub(crate) of_thread: Vec<u32>,
    /// The label of each thread: those of one label have the same number. Empty unless labels have rows.
    pub(crate) labels: Vec<u32>,
    /// Whether each thread is shown; likewise.
    pub(crate) is_shown: Vec<bool>,
    /// The rows of labels that are unfolded.
    pub(crate) unfolded: Vec<u32>,
    /// How many threads have a row, or are among those of a label's.
    pub(crate) shown: usize,
}

pub(crate) const NONE: u32 = u32::MAX;

impl ThreadRowList {
    pub(crate) fn bytes_held(&self) -> usize {
        let lists = [&self.list, &self.of_thread, &self.labels, &self.unfolded];
        lists.iter().map(|list| list.capacity() * size_of::<u32>()).sum::<usize>() + self.is_shown.capacity()
    }

    pub(crate) fn count(&self) -> usize {
        self.list.len()
    }

    pub(crate) fn nth(&self, row: usize) -> Option<u32> {
        self.list.get(row).copied()
    }

    /// The row of a thread, or of a label.
    pub(crate) fn row_of(&self, of: u32) -> Option<usize> {
        if label_of(of).is_some() {
            return self.list.iter().position(|row| *row == of);
        }
        self.of_thread.get(of as usize).filter(|row| **row != NONE).map(|row| *row as usize)
    }

    /// The places of the threads that a label's row stands for.
    pub(crate) fn members(&self, label: u32) -> impl Iterator<Item = usize> {
        let number = self.labels.get(label as usize).copied();
        let each = self.labels.iter().zip(&self.is_shown).enumerate();
        each.filter(move |(_, (other, is_shown))| **is_shown && Some(**other) == number).map(|(place, _)| place)
    }
}

/// The place of the first thread that has a label, if it is a label's row.
pub(crate) fn label_of(of: u32) -> Option<u32> {
    (of & LABEL != 0).then_some(of & !LABEL)
}
