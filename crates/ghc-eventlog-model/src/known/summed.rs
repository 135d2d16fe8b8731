//! A range of time, summed up.

use crate::{
    keeping::crossing::{
        cells::{Blocked, Did},
        spans::{Tally, UserSpan},
    },
    known::sums::Sums,
};
use alloc::vec::Vec;
use ghc_eventlog::Nanos;

/// What the tracks did in a range of time.
#[derive(Debug)]
pub(crate) struct SummedRange {
    pub(crate) from: Nanos,
    pub(crate) to: Nanos,
    /// By stream.
    pub(crate) sums: Vec<Sums>,
    /// What threads did in it, if it is known.
    pub(crate) threads: Option<InRange>,
    /// The user spans in it, if it is known and not all of them are kept.
    pub(crate) spans: Option<SpansInRange>,
    /// By stream: the first event after it that says how much was allocated, as far as one was looked for. It bounds what was
    /// allocated in a range that has no such event.
    pub(crate) next_growth: Vec<Option<Growth>>,
}

/// By how much a running total grew, from the last event that tells it to the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Growth {
    /// When it came to be told.
    pub(crate) time: Nanos,
    pub(crate) more: u64,
}

impl SummedRange {
    /// The sums of one stream.
    pub(crate) fn of_stream(&self, stream: usize) -> Option<&Sums> {
        self.sums.get(stream)
    }

    /// The sums of all streams.
    pub(crate) fn of_all(&self) -> Sums {
        let mut all = Sums::default();
        self.sums.iter().for_each(|sums| all.add_all(sums));
        all
    }
}

/// The user spans in a range, if not all of them are kept.
#[derive(Debug, Clone)]
pub(crate) struct SpansInRange {
    pub(crate) tally: Tally,
    /// All of them, if they have been read.
    pub(crate) all: Option<Vec<UserSpan>>,
}

/// What threads did in a range.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct InRange {
    /// By the thread's place, for threads that existed in the range.
    pub(crate) by_place: Vec<Did>,
    pub(crate) blocked: Blocked,
    /// What those without a row did together: exact for a range that begins and ends with pieces.
    pub(crate) without_row: Did,
}
