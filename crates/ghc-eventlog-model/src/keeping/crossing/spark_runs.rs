//! How long sparks ran: a run goes from where a thread starts a spark until the same thread starts the next one, or is over.
//! Only known for logs with an event for every spark.
//!
//! ```text
//! cap 0   RUN 7  SPARK_RUN ......... STOP 7                          a run begins here
//! cap 1                                     RUN 7 .... SPARK_STEAL   and ends here, where the next one begins
//! cap 0                                                              RUN 7 (events are lost): of this run nothing is known
//! ```
//!
//! A thread may move to another capability while it evaluates a spark, whose events may be in an earlier block of the file. So this
//! takes the order of time over all capabilities.

use crate::{
    keeping::{
        bins::Bins,
        quantiles::Quantiles,
        sorted::{self, Sorted},
    },
    limits,
    sorting::sort_by_number,
    terms::op::{Occupied, Op, What},
};
use alloc::vec::Vec;
use ghc_eventlog::{Nanos, StopReason, ThreadId};

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
    /// In order of time: when it is not known what threads do, from one moment to another. A run that goes on then is not known.
    gaps: Vec<(Nanos, Nanos)>,
    /// How many of the gaps are over.
    gaps_over: usize,
}

impl SparkRuns {
    /// No runs, of a log with some gaps.
    pub(crate) fn new(mut gaps: Vec<(Nanos, Nanos)>) -> Self {
        sort_by_number(&mut gaps, |(from, _)| from.0);
        Self { gaps, ..Self::default() }
    }

    /// Applies an event. To be called in order of time.
    #[inline]
    pub(crate) fn step(&mut self, op: &Op) {
        if matches!(op.what, What::Spark) || !self.going_on.is_empty() {
            self.follow(op);
        }
    }

    /// Most logs have no event for a spark.
    #[cold]
    fn follow(&mut self, op: &Op) {
        while let Some((_, to)) = self.gaps.get(self.gaps_over).copied().filter(|(from, _)| *from <= op.time) {
            self.going_on.clear();
            if op.time < to {
                return;
            }
            self.gaps_over += 1;
        }
        match op.what {
            What::Spark => self.begin(op.thread, op.time),
            What::Stop(Some(StopReason::Finished), _) => {
                let begun = self.going_on.remove(&op.thread.0);
                self.end(begun, op.time);
            }
            // The thread may have done anything.
            What::StopMissing | What::LoseSight => _ = self.going_on.remove(&op.thread.0),
            // Any thread may have.
            What::Occupied(Occupied::NotKnown) => self.going_on.clear(),
            // Gaps have these.
            What::Unlogged | What::ProcessOver => {}
            // The spark goes on when its thread does.
            What::Stop(..) | What::Run | What::Create | What::Wake(_) | What::Migrate(_) | What::Unseen => {}
            What::Mark(_) | What::Gc(_) | What::Occupied(_) | What::Vacant => {}
        }
    }

    fn begin(&mut self, thread: ThreadId, time: Nanos) {
        if self.going_on.len() >= limits::MAX_SPARK_THREADS && !self.going_on.contains_key(&thread.0) {
            return;
        }
        let before = self.going_on.insert(thread.0, time);
        self.end(before, time);
    }

    fn end(&mut self, begun: Option<Nanos>, end: Nanos) {
        let Some(begin) = begun else { return };
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

    pub(crate) fn bytes_held(&self) -> usize {
        self.lengths.bytes_held()
            + sorted::bytes_held(&self.going_on)
            + self.gaps.capacity() * size_of::<(Nanos, Nanos)>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ghc_eventlog::CapNo;

    /// Plays events drawn in characters, 10 ns each: `a` and `b` are begins of sparks of the threads 1 and 2, `A` and `B` their ends,
    /// `x` is where thread 1 is lost sight of, `?` where events are lost. Gives the lengths of the runs in order.
    fn play(events: &str, gaps: &[(u64, u64)]) -> Vec<u64> {
        let mut runs = SparkRuns::new(gaps.iter().map(|(from, to)| (Nanos(*from), Nanos(*to))).collect());
        let (mut lengths, mut total) = (Vec::new(), 0);
        for (at, letter) in events.chars().enumerate() {
            let what = match letter {
                'a' | 'b' => What::Spark,
                'A' | 'B' => What::Stop(Some(StopReason::Finished), 0),
                'x' => What::LoseSight,
                '?' => What::Occupied(Occupied::NotKnown),
                _ => What::Stop(Some(StopReason::Yielding), 0),
            };
            let thread = ThreadId(if letter.eq_ignore_ascii_case(&'b') { 2 } else { 1 });
            runs.step(&Op { time: Nanos(at as u64 * 10), thread, cap: CapNo(at as u16 % 2), what });
            if runs.total.0 > total {
                lengths.push(runs.total.0 - total);
                total = runs.total.0;
            }
        }
        assert_eq!(runs.lengths.count(), lengths.len() as u64);
        lengths
    }

    #[test]
    fn a_run_ends_with_the_next_spark_of_its_thread_or_with_the_thread() {
        assert_eq!(play(" a  b a  B A", &[]), [50, 50, 50]);
        assert_eq!(play("   A  B", &[]), [] as [u64; 0]);
    }

    #[test]
    fn nothing_is_known_of_runs_in_which_something_is_missing() {
        assert_eq!(play("a b x B A", &[]), [40]);
        assert_eq!(play("a b ? B A a A", &[]), [20]);
    }

    /// Where logging was stopped and started again, where what threads do was not logged, and where a process ends.
    #[test]
    fn nothing_is_known_of_runs_in_gaps() {
        let events = "a A a  b A  B a A";
        assert_eq!(play(events, &[]), [20, 50, 50, 20]);
        assert_eq!(play(events, &[(80, 80)]), [20, 20], "a moment");
        assert_eq!(play(events, &[(60, 80), (10, 10)]), [20], "what begins within one is not known, either");
    }

    #[test]
    fn no_more_runs_go_on_than_there_is_room_for() {
        let mut runs = SparkRuns::default();
        for thread in 0..2 * limits::MAX_SPARK_THREADS as u32 {
            let what = What::Spark;
            runs.step(&Op { time: Nanos(thread.into()), thread: ThreadId(thread), cap: CapNo(0), what });
        }
        assert_eq!(runs.going_on.len(), limits::MAX_SPARK_THREADS);
    }
}
