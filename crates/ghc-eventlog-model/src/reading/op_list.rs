//! The events of a segment, put in order of time as they come.
//!
//! A segment has some blocks, each of one capability. Within a block, few events are out of place, and only by some places: a
//! collection's end may have an earlier time than what was written before it. So each block becomes a sorted run, and at the end there
//! are only runs to merge.
//!
//! ```text
//! block of cap 0     1 3 4 2 9     the 2 moves by two places
//! block of cap 1     2 5 8
//! merged             1 2 2 3 4 5 8 9
//! ```

use crate::{sorting::merge_runs, terms::op::Op};
use alloc::vec::Vec;

/// How many places an event moves within its run. One that would have to move further begins the next run, so that a log in which times
/// go back all the time takes no longer.
const NEARBY: usize = 32;

#[derive(Debug, Default)]
pub(super) struct OpList {
    ops: Vec<Op>,
    /// Where each run but the last one ends.
    ends: Vec<usize>,
    /// Where the last run begins, and whose events it has.
    run: usize,
    stream: Option<usize>,
}

/// How many bytes of a log most events take at least.
const BYTES_OF_EVENT: u64 = 16;

impl OpList {
    /// Room for the events in this many bytes of a log. What is left of it is given back in the end.
    pub(super) fn for_bytes(bytes: u64) -> Self {
        Self { ops: Vec::with_capacity((bytes / BYTES_OF_EVENT) as usize), ..Self::default() }
    }

    /// What follows is of a stream.
    #[inline]
    pub(super) fn of_stream(&mut self, stream: usize) {
        if self.stream.replace(stream) != Some(stream) {
            self.begin_run(self.ops.len());
        }
    }

    fn begin_run(&mut self, at: usize) {
        if at > self.run {
            self.ends.push(at);
            self.run = at;
        }
    }

    #[inline]
    pub(super) fn push(&mut self, op: Op) {
        let is_last = self.ops.len() <= self.run || self.ops.last().is_none_or(|last| last.time <= op.time);
        self.ops.push(op);
        if !is_last {
            self.settle(op);
        }
    }

    /// Moves the last event, which is earlier than the one before it, to its place.
    #[cold]
    fn settle(&mut self, op: Op) {
        let last = self.ops.len() - 1;
        let run = self.ops.get(self.run..last).unwrap_or_default();
        let later = run.iter().rev().take(NEARBY + 1).take_while(|other| other.time > op.time).count();
        if later > NEARBY {
            self.begin_run(last);
        } else if let Some(moved) = self.ops.get_mut(last - later..) {
            moved.rotate_right(1);
        }
    }

    /// All of them in order of time; those with equal times as they came.
    pub(super) fn in_order(self) -> Vec<Op> {
        let Self { mut ops, mut ends, .. } = self;
        ends.push(ops.len());
        ops.shrink_to_fit();
        merge_runs(ops, ends, |op| op.time.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::op::What;
    use ghc_eventlog::{CapNo, Nanos, ThreadId};

    #[test]
    fn they_are_in_order_of_time_and_equal_ones_as_they_came() {
        let mut next = crate::random::numbers(7);
        for round in 0..300 {
            let mut list = OpList::default();
            let mut all: Vec<Op> = Vec::new();
            let [blocks, most, back] = [next(9), 1 + next(90), [1, 3, 40, 10_000][round % 4]];
            for block in 0..blocks {
                list.of_stream(block as usize % 3);
                let mut time = next(50);
                for _ in 0..next(most) {
                    time += next(4);
                    let op = Op {
                        time: Nanos(time.saturating_sub(next(back))),
                        thread: ThreadId(all.len() as u32),
                        cap: CapNo(0),
                        what: What::Create,
                    };
                    list.push(op);
                    all.push(op);
                }
            }
            all.sort_by_key(|op| op.time);
            let key = |ops: Vec<Op>| ops.into_iter().map(|op| (op.time, op.thread)).collect::<Vec<_>>();
            assert_eq!(key(list.in_order()), key(all), "{round}");
        }
    }

    /// Times that only go back do not move more and more events.
    #[test]
    fn times_that_go_back_begin_runs() {
        let mut list = OpList::default();
        list.of_stream(0);
        for time in (0..10_000).rev() {
            list.push(Op { time: Nanos(time), thread: ThreadId(0), cap: CapNo(0), what: What::Create });
        }
        assert!(list.ends.len() > 200, "{}", list.ends.len());
        assert!(list.in_order().iter().map(|op| op.time.0).eq(0..10_000));
    }
}
