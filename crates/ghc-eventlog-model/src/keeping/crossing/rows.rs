//! Which threads have a row on the timeline, and in which order: there may be hundreds of thousands, and the user looks for a
//! few.
//!
//! ```text
//! in order of first appearance | by label, `worker` unfolded
//!   1 main                     |   1 main
//!   2 worker                   |   worker (2)       the label's row, for both
//!   3                          |     2 worker
//!   4 worker                   |     4 worker
//!                              |   3
//! ```

use crate::terms::track::TrackId;
use alloc::{string::String, vec::Vec};

/// How the rows of threads are arranged on the timeline: see [`Wishes`](crate::Wishes). By default all threads, by first
/// appearance.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ThreadRows {
    /// How rows are sorted.
    pub order: ThreadOrder,
    /// Only threads with this text in their number or label, ignoring case.
    pub text: String,
    /// Only threads that were in this state: its number among the states of a thread's track.
    pub state: Option<usize>,
    /// Only threads that existed, or ran.
    pub presence: Presence,
    /// Whether threads with the same label share a row. A label that only one thread has gets no row.
    pub by_label: bool,
    /// The rows of labels that are unfolded: each of their threads has a row below.
    pub unfolded: Vec<TrackId>,
}

/// How rows of threads are sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ThreadOrder {
    /// By first appearance.
    #[default]
    First,
    /// By time running, longest first.
    Running,
    /// By time blocked, longest first.
    Blocked,
    /// By lifetime, longest first.
    Lifetime,
    /// By label in alphabetical order; threads without one come last.
    Label,
}

/// Whether only threads have a row that existed, or ran, in a range of time or ever.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Presence {
    /// All threads.
    #[default]
    Any,
    /// Threads that existed.
    Alive,
    /// Threads that ran.
    Ran,
}

/// The bit that marks a label's row: the other bits are the place of the first thread with that label.
pub(crate) const LABEL: u32 = 1 << 31;

/// The rows of threads.
#[derive(Debug, Default)]
pub(crate) struct ThreadRowList {
    /// Places of threads and of labels, from top to bottom.
    pub(crate) list: Vec<u32>,
    /// The row of each thread; [`NONE`] if it has none.
    pub(crate) of_thread: Vec<u32>,
    /// The label of each thread: threads with the same label have the same number. Empty unless labels have rows.
    pub(crate) labels: Vec<u32>,
    /// Whether each thread is shown. Empty unless labels have rows.
    pub(crate) is_shown: Vec<bool>,
    /// The rows of labels that are unfolded.
    pub(crate) unfolded: Vec<u32>,
    /// How many threads have a row, or are part of a label's row.
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

    /// The places of the threads that share a label's row.
    pub(crate) fn members(&self, label: u32) -> impl Iterator<Item = usize> {
        let number = self.labels.get(label as usize).copied();
        let each = self.labels.iter().zip(&self.is_shown).enumerate();
        each.filter(move |(_, (other, is_shown))| **is_shown && Some(**other) == number).map(|(place, _)| place)
    }
}

/// The place of the first thread with the label, if this is a label's row.
pub(crate) fn label_of(of: u32) -> Option<u32> {
    (of & LABEL != 0).then_some(of & !LABEL)
}
