//! How long sparks ran: a run goes from where a thread starts a spark until the same thread starts the next one, or is over.
//! Only known for logs with an event for every spark.

use super::{
    bins::Bins,
    quantiles::Quantiles,
    sorted::{self, Sorted},
};
use crate::{
    keeping::store::{Purpose, Store},
    limits,
};
use ghc_eventlog::{Nanos, ThreadId};

/// All runs, and those that are not over.
#[derive(Debug, Default)]
pub(crate) struct SparkRuns {
    pub(crate) lengths: Quantiles,
    /// The same runs in a histogram for people.
    pub(crate) bins: Bins,
    /// All of them together.
    pub(crate) total: Nanos,
    /// When the first one began, and the last one ended.
    pub(crate) first_at: Option<Nanos>,
    pub(crate) last_end: Nanos,
    /// When the longest one began.
    pub(crate) longest_at: Option<Nanos>,
    /// The time at which each thread started its current spark. There cannot be more than a few for each capability.
    going_on: Sorted<u32, Nanos>,
}

impl SparkRuns {
    pub(crate) fn take_up(&mut self, thread: ThreadId, time: Nanos) {
        if self.going_on.len() >= limits::MAX_SPARK_THREADS && !self.going_on.contains_key(&thread.0) {
            return;
        }
        let before = self.going_on.insert(thread.0, time);
        self.end(before, time);
    }

    pub(crate) fn give_up(&mut self, thread: ThreadId, time: Nanos) {
        let before = self.going_on.remove(&thread.0);
        self.end(before, time);
    }

    /// What comes next is another process, or the same one later.
    pub(crate) fn forget(&mut self) {
        self.going_on.clear();
    }

    /// Ignored if it ends before it began: the thread moved to a capability with another clock.
    fn end(&mut self, begin: Option<Nanos>, end: Nanos) {
        let Some(begin) = begin.filter(|begin| *begin <= end) else { return };
        let length = end.since(begin).0;
        if self.lengths.count() == 0 || length > self.lengths.most() {
            self.longest_at = Some(begin);
        }
        self.total = self.total.plus(Nanos(length));
        self.first_at = Some(self.first_at.map_or(begin, |first| first.min(begin)));
        self.last_end = self.last_end.max(end);
        self.lengths.add(length);
        self.bins.add(length);
    }
}

impl Store for SparkRuns {
    fn of(_: Purpose) -> Self {
        Self::default()
    }

    fn end_stream(&mut self, _: Nanos) {
        self.forget();
    }

    fn bytes_held(&self) -> usize {
        self.lengths.bytes_held() + sorted::bytes_held(&self.going_on)
    }
}
