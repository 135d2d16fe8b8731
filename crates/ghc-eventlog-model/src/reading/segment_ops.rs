//! The events of one segment, held until their time comes.

use crate::{
    keeping::crossing::{
        Replayed,
        marks::Mark,
        requests::{Requests, Surroundings},
    },
    known::stores::Stores,
    merging::InOrder,
    terms::op::{Op, What},
};
use alloc::vec::Vec;
use core::convert::Infallible;
use ghc_eventlog::Nanos;

/// The time of an event and its segment, which decides the order where times are equal.
pub(super) type Key = (Nanos, u32);

/// Both as one number, which is compared faster.
pub(super) fn packed((time, segment): Key) -> u128 {
    u128::from(time.0) << u32::BITS | u128::from(segment)
}

/// The time in such a number.
pub(super) fn time_of(packed: u128) -> Nanos {
    Nanos((packed >> u32::BITS) as u64)
}

/// The events of a segment that have not been taken yet.
#[derive(Debug)]
pub(super) struct SegmentOps {
    pub(super) segment: u32,
    pub(super) ops: Vec<Op>,
    pub(super) marks: Vec<Mark>,
    /// How many of them have been taken.
    pub(super) next: usize,
    /// The first event that is not held: from there on, the segment must be read again.
    pub(super) rest: Option<Key>,
}

impl InOrder for SegmentOps {
    type Key = u128;
    type Error = Infallible;

    #[inline]
    fn key(&mut self) -> Result<Option<u128>, Infallible> {
        Ok(self.ops.get(self.next).map(|op| packed((op.time, self.segment))))
    }
}

impl SegmentOps {
    /// Takes the next event.
    #[inline]
    pub(super) fn step(&mut self, replayed: &mut Replayed, stores: &mut Stores) {
        let Some(op) = self.ops.get(self.next) else { return };
        self.next += 1;
        let Stores { threads, collections, messages, .. } = stores;
        replayed.break_until(op.time, (&*threads, &*collections));
        replayed.until = replayed.until.max(op.time);
        replayed.account.pass_until(op.time);
        // Half of all events, and about their threads only.
        if !matches!(op.what, What::Wake(_) | What::Migrate(_) | What::Create | What::Unseen) {
            replayed.stops.step(op, collections);
            replayed.spans.pauses.pass(op, collections);
            replayed.spark_runs.step(op);
            replayed.account.follow(op);
        }
        if let What::Mark(mark) = op.what {
            if let Some(mark) = self.marks.get(mark as usize) {
                replayed.mark(self.segment, op, mark, (&*threads, &*collections, &*messages));
            }
        } else if !matches!(op.what, What::Spark | What::Gc(_) | What::Occupied(_) | What::Vacant)
            && let Some(place) = threads.place_of(op.thread).or_else(|| replayed.lives.place_without_row(op))
        {
            let changed = replayed.lives.step(place, op);
            if let Some((before, after)) = changed {
                replayed.account.thread(place, &before, &after);
                replayed.spans.thread_does(op.thread, &before, op.time, collections);
                replayed.follow_waits(op, (&before, &after), collections);
            }
            // It finishes, or had before.
            if matches!(op.what, What::Stop(..))
                && changed.map_or_else(|| replayed.lives.now(place), |(_, after)| after).is_over()
            {
                replayed.spans.thread_finished(op.thread, op.time);
            }
        }
    }

    /// Gives the next event to the instances of a label.
    #[inline]
    pub(super) fn follow(&mut self, requests: &mut Requests, around: Surroundings<'_>) {
        let Some(op) = self.ops.get(self.next) else { return };
        self.next += 1;
        let mark = if let What::Mark(mark) = op.what { self.marks.get(mark as usize) } else { None };
        let mark = mark.filter(|mark| !around.repeats.is_repeated(self.segment, op, mark));
        requests.step(op, mark, around);
    }

    /// How many of the held events come before a moment.
    pub(super) fn count_before(&self, key: Key) -> usize {
        let left = self.ops.get(self.next..).unwrap_or_default();
        left.partition_point(|op| (op.time, self.segment) < key)
    }

    /// Drops the events that have been taken, and those from `horizon` on.
    pub(super) fn cut(&mut self, horizon: Key) {
        let kept = self.count_before(horizon);
        let dropped = self.ops.get(self.next + kept).map(|op| (op.time, self.segment));
        self.rest = dropped.or(self.rest);
        self.ops = self.ops.iter().skip(self.next).take(kept).copied().collect();
        self.next = 0;
        let all = core::mem::take(&mut self.marks);
        for op in &mut self.ops {
            if let What::Mark(mark) = &mut op.what {
                let of_op = all.get(*mark as usize);
                *mark = self.marks.len() as u32;
                self.marks.extend(of_op);
            }
        }
    }

    pub(super) fn bytes_held(&self) -> usize {
        self.ops.capacity() * size_of::<Op>() + self.marks.capacity() * size_of::<Mark>()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use ghc_eventlog::{CapNo, ThreadId};

    /// A segment with events at these times.
    pub(in crate::reading) fn held(segment: u32, times: &[u64]) -> SegmentOps {
        let op = |time: &u64| Op { time: Nanos(*time), thread: ThreadId(1), cap: CapNo(0), what: What::Run };
        SegmentOps { segment, ops: times.iter().map(op).collect(), marks: Vec::new(), next: 0, rest: None }
    }

    #[test]
    fn a_cut_drops_the_marks_of_the_dropped_ops() {
        let mut one = held(0, &[1, 2, 3, 4]);
        one.marks.resize(3, Mark::default());
        one.marks.iter_mut().zip(0..).for_each(|(mark, number)| mark.number = number);
        for (at, mark) in [(0, 2), (1, 0), (3, 1)] {
            one.ops[at].what = What::Mark(mark);
        }
        one.next = 1;
        one.cut((Nanos(4), 0));
        assert_eq!(one.rest, Some((Nanos(4), 0)));
        assert_eq!(one.ops.iter().map(|op| op.time.0).collect::<Vec<_>>(), [2, 3]);
        assert_eq!((one.ops[0].what, one.marks.len(), one.marks[0].number), (What::Mark(0), 1, 0));
    }
}
