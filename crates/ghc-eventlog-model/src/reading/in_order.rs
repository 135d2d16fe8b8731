//! The events of threads in all segments of a log, in order of time, in bounded memory.
//!
//! A segment is decoded as a whole, and its events are held until their time comes. With many capabilities, or in a log so
//! long that its segments are long too, the segments of one time may need more room than there is. Then nothing is held from
//! some moment on, the *horizon*: what comes after it is dropped, and its segments are read again once everything before the
//! horizon has been taken.
//!
//! ```text
//!                            horizon
//! segment 0    =====held========|---dropped---     read again from the horizon on
//! segment 1       ==held========|---dropped---     read again from the horizon on
//! segment 2              (to be read)              it begins before the horizon: read, and held up to it
//! segment 3                        (to be read)    it begins after the horizon: not read yet
//! ```
//!
//! The amount of room only affects how often segments are read.

use crate::{
    keeping::crossing::{
        Replayed,
        marks::Mark,
        requests::{Requests, Surroundings},
    },
    known::{Known, stores::Stores},
    limits,
    merging::{InOrder, Merge},
    reading::{
        job::{Changed, Job},
        model::Model,
    },
    sorting::sort_by_key,
    terms::{
        op::{Besides, Op, What},
        progress::Progress,
    },
};
use alloc::vec::Vec;
use core::convert::Infallible;
use ghc_eventlog::Nanos;

/// The time of an event and its segment, which decides the order where times are equal.
type Key = (Nanos, u32);

/// Both as one number, which is compared faster.
fn packed((time, segment): Key) -> u128 {
    u128::from(time.0) << u32::BITS | u128::from(segment)
}

/// The time in such a number.
fn time_of(packed: u128) -> Nanos {
    Nanos((packed >> u32::BITS) as u64)
}

/// Who is given the events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Follower {
    /// What crosses capabilities: [`Replayed`].
    Replayed,
    /// The instances of a label of user spans: the [`Requests`] with this number.
    Requests(u64),
}

/// The replay: reads the log again in order of time, as a [`Job`]. See [`Model::replay`] and [`Model::requests`].
#[derive(Debug)]
pub struct Replay {
    follower: Follower,
    /// The segments to be read, sorted by their first event that has not been taken; the next one is last.
    waiting: Vec<WaitingSegment>,
    /// How many segments have been read, counting each time.
    read: usize,
    /// How many will have been read in the end, estimated from the time that it has reached; once segments must be read
    /// again.
    expected: usize,
    merge: Merge<SegmentOps>,
    held_bytes: usize,
    /// Nothing is held from here on.
    horizon: Option<Key>,
    most_bytes: usize,
    /// How many segments must probably be read once more, with other labels of user spans.
    once_more: usize,
    /// Once all events before this one have been taken, it checks whether other labels of user spans matter more, and begins again with
    /// those. A moment of the log, so that the answer does not depend on how the log is read.
    look_early: Option<u128>,
}

/// A replay of this many segments or more finds out after a sixteenth of them whether other labels are heavier.
const LONG_REPLAY: usize = 64;

#[derive(Debug, Clone, Copy)]
struct WaitingSegment {
    key: Key,
    /// Whether its events before `key` have been taken.
    is_again: bool,
}

/// The events of a segment that have not been taken yet.
#[derive(Debug)]
struct SegmentOps {
    segment: u32,
    ops: Vec<Op>,
    marks: Vec<Mark>,
    next: usize,
    /// The first event that is not held: from there on, the segment must be read again.
    rest: Option<Key>,
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
    fn step(&mut self, replayed: &mut Replayed, stores: &mut Stores) {
        let Some(op) = self.ops.get(self.next) else { return };
        self.next += 1;
        let Stores { threads, collections, log_writes, messages, .. } = stores;
        replayed.break_until(op.time, (&*threads, &*collections, &*log_writes));
        replayed.until = replayed.until.max(op.time);
        replayed.account.pass_until(op.time, log_writes);
        // Half of all events, and about their threads only.
        if !matches!(op.what, What::Wake(_) | What::Migrate(_) | What::Create) {
            replayed.stops.step(op, collections);
            replayed.spark_runs.step(op);
            replayed.account.follow(op, log_writes);
        }
        if let What::Mark(mark) = op.what {
            if let Some(mark) = self.marks.get(mark as usize) {
                replayed.mark(op, mark, (&*threads, &*collections, &*messages));
            }
        } else if !matches!(op.what, What::Spark(_) | What::Gc(_) | What::Occupied(_) | What::Vacant)
            && let Some(place) = threads.place_of(op.thread).or_else(|| replayed.lives.place_without_row(op))
        {
            let changed = replayed.lives.step(place, op);
            if let Some((before, after)) = changed {
                replayed.account.thread(place, &before, &after);
                replayed.spans.thread_does(op.thread, &before, op.time, collections);
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
    fn follow(&mut self, requests: &mut Requests, around: Surroundings<'_>) {
        let Some(op) = self.ops.get(self.next) else { return };
        self.next += 1;
        let mark = if let What::Mark(mark) = op.what { self.marks.get(mark as usize) } else { None };
        requests.step(op, mark, around);
    }

    /// How many of the held events come before a moment.
    fn count_before(&self, key: Key) -> usize {
        let left = self.ops.get(self.next..).unwrap_or_default();
        left.partition_point(|op| (op.time, self.segment) < key)
    }

    /// Drops the events that have been taken, and those from `horizon` on.
    fn cut(&mut self, horizon: Key) {
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

    fn bytes_held(&self) -> usize {
        self.ops.capacity() * size_of::<Op>() + self.marks.capacity() * size_of::<Mark>()
    }
}

impl Replay {
    /// For all events about threads in a log that has been read; at most `most_bytes` of them are held.
    pub(super) fn of(known: &mut Known, follower: Follower, most_bytes: usize) -> Self {
        let tells = known.tell_of_threads();
        let segments = (0..).zip(known.index.segments()).zip(tells).filter(|(_, tells)| *tells);
        let waiting =
            segments.map(|((number, segment), _)| WaitingSegment { key: (segment.first, number), is_again: false });
        let mut waiting: Vec<WaitingSegment> = waiting.collect();
        sort_by_key(&mut waiting, |waiting| core::cmp::Reverse(waiting.key));
        let merge = Merge::new();
        let may_be_again = follower == Follower::Replayed && known.stores.messages.labels.may_be_chosen();
        // Once some have been chosen, others are seldom better.
        let is_first = may_be_again && !known.stores.messages.labels.are_chosen();
        let once_more = if is_first { waiting.len() } else { 0 };
        // The first one to be read is last.
        let after_sixteenth = waiting.get(waiting.len() - waiting.len() / 16).map(|waiting| packed(waiting.key));
        let look_early = after_sixteenth.filter(|_| is_first && waiting.len() >= LONG_REPLAY);
        let mut replay = Self {
            follower,
            waiting,
            read: 0,
            expected: 0,
            merge,
            held_bytes: 0,
            horizon: None,
            most_bytes,
            once_more,
            look_early,
        };
        replay.go_on(known, usize::MAX);
        replay
    }

    /// Takes the events that are known to come next: about `most` of them, or all if there are fewer.
    fn go_on(&mut self, known: &mut Known, most: usize) {
        let Known { replayed, requests, stores, .. } = known;
        let Some(replayed) = replayed else { return };
        match (self.follower, requests) {
            (Follower::Replayed, _) => self.take_next(most, |held| held.step(replayed, stores)),
            (Follower::Requests(number), Some(requests)) if requests.number == number => {
                let Stores { threads, collections, .. } = &*stores;
                let pauses = requests.knows_pauses.then_some(&replayed.spans.pauses);
                let around = Surroundings { threads, collections, pauses, breaks: replayed.breaks() };
                self.take_next(most, |held| held.follow(requests, around));
                if self.merge.next_key().is_some_and(|next| requests.is_past(time_of(next))) {
                    self.stop();
                }
            }
            // Others have been asked for meanwhile, or another replay has begun.
            (Follower::Requests(_), _) => self.stop(),
        }
        if self.looks_now() {
            self.look_early = None;
            self.begin_with_other_labels(known, false);
            return self.go_on(known, most);
        }
        if self.merge.next_key().is_none() {
            // Everything before the horizon has been taken.
            self.horizon = None;
            if self.waiting.is_empty() {
                match self.follower {
                    Follower::Replayed => {
                        known.finish_replay();
                        self.once_more = 0;
                        self.begin_with_other_labels(known, true);
                    }
                    Follower::Requests(number) => known.finish_requests(number),
                }
            }
        }
    }

    /// Whether all events before the [early look](Self::look_early) have been taken, or all that there are.
    fn looks_now(&mut self) -> bool {
        let waiting = self.waiting.last().map(|waiting| packed(waiting.key));
        let next = [self.merge.next_key(), waiting].into_iter().flatten().min();
        self.look_early.is_some_and(|early| next.is_none_or(|next| next >= early))
    }

    /// If other labels of user spans are heavier than those that are kept, it begins again with those.
    fn begin_with_other_labels(&mut self, known: &mut Known, is_over: bool) {
        if known.begin_replay_with_other_labels(self.most_bytes, is_over).is_some() {
            let read = self.read;
            *self = Self::of(known, self.follower, self.most_bytes);
            self.read += read;
        }
    }

    /// Passes the events that are known to come next: about `most` of them, or all if there are fewer.
    fn take_next(&mut self, most: usize, mut step: impl FnMut(&mut SegmentOps)) {
        let waiting = self.waiting.last().map(|waiting| packed(waiting.key));
        let limit = [waiting, self.look_early].into_iter().flatten().min();
        let mut left = most;
        while let Some(next) = self.merge.next_key() {
            if left == 0 || limit.is_some_and(|limit| limit <= next) {
                break;
            }
            let advanced = self.merge.advance(limit, |held| {
                step(held);
                left = left.saturating_sub(1);
                Ok(())
            });
            if let Ok(Some(over)) = advanced {
                self.held_bytes -= over.bytes_held();
            }
        }
    }

    /// How many of the events that are known to come next are taken at once, when a part with `come` events has been read.
    ///
    /// Segments of several capabilities often begin at the same time, and so nothing can be taken before the last of them has been read. All
    /// at once, that would take several times as long as one part does, and a question of the page has to wait meanwhile. What is left is
    /// taken with the next parts, if there are any.
    fn at_once(&self, come: usize) -> usize {
        let next = self.waiting.last();
        let is_last = next.is_none_or(|next| self.horizon.is_some_and(|horizon| next.key >= horizon));
        if is_last {
            return usize::MAX;
        }
        // More than come each time, so that what is left does not grow.
        limits::REPLAY_AT_ONCE.max(2 * come)
    }

    /// Nothing more is wanted.
    fn stop(&mut self) {
        self.waiting = Vec::new();
        drop(self.merge.take_streams());
        self.held_bytes = 0;
    }

    /// A segment was read.
    fn add(&mut self, mut held: SegmentOps) {
        let place = self.waiting.iter().rposition(|waiting| waiting.key.1 == held.segment);
        let Some(WaitingSegment { key, is_again }) = place.map(|place| self.waiting.remove(place)) else { return };
        self.read += 1;
        if is_again {
            held.next = held.ops.partition_point(|op| op.time < key.0);
        }
        if is_again || self.horizon.is_some() {
            self.hold_up_to(held, self.horizon.unwrap_or((Nanos::MAX, u32::MAX)));
        } else {
            self.hold(held);
        }
    }

    /// Holds the events before `horizon`. For the others, the segment is read again.
    fn hold_up_to(&mut self, mut held: SegmentOps, horizon: Key) {
        let before = held.rest;
        held.cut(horizon);
        if held.rest != before {
            // What was waiting before is a part of what waits now.
            if let Some(place) = before.and_then(|key| self.waiting.iter().rposition(|waiting| waiting.key == key)) {
                self.waiting.remove(place);
            }
            if let Some(key) = held.rest {
                let place = self.waiting.partition_point(|waiting| waiting.key > key);
                self.waiting.insert(place, WaitingSegment { key, is_again: true });
            }
        }
        self.hold(held);
    }

    fn hold(&mut self, held: SegmentOps) {
        self.held_bytes += held.bytes_held();
        if let Ok(Some(empty)) = self.merge.push(held) {
            self.held_bytes -= empty.bytes_held();
        }
    }

    /// Moves the horizon closer, so that the held events need at most three quarters of the room, but at least one event is
    /// held.
    fn bring_horizon_nearer(&mut self, room: usize) {
        let all = self.merge.take_streams();
        self.held_bytes = 0;
        let horizon = horizon_of(&all, room / 4 * 3 / size_of::<Op>());
        self.horizon = Some(horizon);
        all.into_iter().for_each(|held| self.hold_up_to(held, horizon));
    }
}

/// The latest moment before which at most `most` events happen; or the moment after the first event, if that is later.
fn horizon_of(all: &[SegmentOps], most: usize) -> Key {
    let firsts = all.iter().filter_map(|held| held.ops.get(held.next).map(|op| (op.time, held.segment)));
    let Some((time, segment)) = firsts.min() else { return (Nanos::MAX, u32::MAX) };
    let fits = |key: Key| all.iter().map(|held| held.count_before(key)).sum::<usize>() <= most;
    let last = last_that(time.0, u64::MAX, |time| fits((Nanos(time), 0)));
    if last > time.0 {
        return (Nanos(last), 0);
    }
    // Too many events at one time to be held: take a part of its segments, at least one.
    let last = last_that(u64::from(segment) + 1, u32::MAX.into(), |segment| fits((time, segment as u32)));
    (time, last as u32)
}

/// The last number in `first..=last` for which `is_so` is true; it must be true up to some number, and false after it.
/// `first` if it is true for none.
fn last_that(first: u64, last: u64, is_so: impl Fn(u64) -> bool) -> u64 {
    let (mut low, mut high) = (first, last);
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        if is_so(middle) { low = middle } else { high = middle - 1 }
    }
    low
}

impl Job for Replay {
    /// Asks for several segments at once: those that come next.
    fn reads(&mut self, model: &mut Model) -> Vec<(u64, u64)> {
        let mut reads: Vec<(u64, u64)> = Vec::new();
        let mut bytes = 0;
        let is_near = |waiting: &&WaitingSegment| self.horizon.is_none_or(|horizon| waiting.key < horizon);
        for WaitingSegment { key: (_, segment), .. } in self.waiting.iter().rev().take_while(is_near) {
            let Some((offset, length)) = model.known.read_of(*segment) else { continue };
            bytes += length;
            match reads.last_mut() {
                // Usually the next one follows in the file.
                Some((from, before)) if offset >= *from && offset <= *from + *before => {
                    *before = (*before).max(offset + length - *from);
                }
                _ => reads.push((offset, length)),
            }
            if bytes >= limits::REPLAY_AHEAD {
                break;
            }
        }
        reads
    }

    fn give(&mut self, model: &mut Model, offset: u64, bytes: &[u8]) -> Result<(), Changed> {
        model.known.revision += 1;
        let Self { waiting, follower, .. } = self;
        let besides = match follower {
            Follower::Replayed => Besides::Marks,
            Follower::Requests(_) => Besides::Allocation,
        };
        let mut come: Vec<SegmentOps> = Vec::new();
        model.each_ops(
            offset,
            bytes,
            // What is read ahead is near the end of the list.
            |number| waiting.iter().rev().any(|waiting| waiting.key.1 == number),
            besides,
            |_, segment, ops, marks| come.push(SegmentOps { segment, ops, marks, next: 0, rest: None }),
        )?;
        let count = come.iter().map(|held| held.ops.len()).sum();
        come.into_iter().for_each(|held| self.add(held));
        let known = &mut model.known;
        self.go_on(known, self.at_once(count));
        // What is known of instances has a part of the room; an eighth is left for events.
        let beside = match self.follower {
            Follower::Replayed => known.replayed.as_ref().map_or(0, |replayed| replayed.lives.bytes_over_budget()),
            Follower::Requests(_) => known.requests.as_ref().map_or(0, Requests::bytes_held),
        };
        let room = self.most_bytes.saturating_sub(beside).max(self.most_bytes / 8);
        if self.held_bytes > room {
            self.go_on(known, usize::MAX);
        }
        if self.held_bytes > room {
            self.bring_horizon_nearer(room);
        }
        if let Some(replayed) = &mut known.replayed {
            replayed.waiting_bytes = self.held_bytes;
            if self.horizon.is_some() || self.expected > 0 {
                let until = self.merge.next_key().map_or(replayed.until, time_of);
                self.expected = expected(self.read, until, replayed);
            }
        }
        known.details.leave_room(known.beside_details());
        Ok(())
    }

    /// Everything that it needs was passed to `give`.
    fn take(&mut self, _: &Model) {}

    fn progress(&self) -> Progress {
        Progress {
            done: self.read,
            of: (self.read + self.waiting.len()).max(self.expected).saturating_add(self.once_more),
        }
    }
}

/// How many times segments will have been read in the end, if it continues at this rate.
fn expected(read: usize, until: Nanos, replayed: &Replayed) -> usize {
    let [all, gone] = [replayed.end, until].map(|time| u128::from(time.since(replayed.begin).0));
    usize::try_from(read as u128 * all / gone.max(1)).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use ghc_eventlog::{CapNo, ThreadId};

    fn held(segment: u32, times: &[u64]) -> SegmentOps {
        let op = |time: &u64| Op { time: Nanos(*time), thread: ThreadId(1), cap: CapNo(0), what: What::Run };
        SegmentOps { segment, ops: times.iter().map(op).collect(), marks: Vec::new(), next: 0, rest: None }
    }

    #[test]
    fn the_horizon_is_as_far_as_there_is_room() {
        let all = [held(4, &[1, 2, 5]), held(7, &[2, 3, 9])];
        let horizons = [1, 2, 3, 4, 5, 6].map(|most| horizon_of(&all, most));
        let expected = [2, 2, 3, 5, 9, u64::MAX].map(|time| (Nanos(time), 0));
        assert_eq!(horizons, expected);
    }

    #[test]
    fn if_too_much_happens_at_one_time_some_segments_are_held() {
        let all = [held(4, &[8, 8]), held(7, &[8, 8, 8]), held(9, &[8])];
        let horizons = [0, 1, 2, 4, 5].map(|most| horizon_of(&all, most));
        assert_eq!(horizons, [5, 5, 7, 7, 9].map(|segment| (Nanos(8), segment)));
    }

    /// Four segments of the same time are taken piece by piece, as long as parts are read that others can be taken with.
    #[test]
    fn what_comes_at_once_is_taken_in_pieces() {
        let mut replay = Replay {
            follower: Follower::Replayed,
            waiting: vec![WaitingSegment { key: (Nanos(5000), 9), is_again: false }],
            read: 0,
            expected: 0,
            merge: Merge::new(),
            held_bytes: 0,
            horizon: None,
            most_bytes: 1 << 20,
            once_more: 0,
            look_early: None,
        };
        for segment in 0..4u32 {
            let times: Vec<u64> = (0..1000).map(|nth| nth * 4 + u64::from(segment)).collect();
            replay.hold(held(segment, &times));
        }
        let take = |replay: &mut Replay, most: usize| {
            let mut times = Vec::new();
            replay.take_next(most, |held| {
                times.push(held.ops[held.next].time.0);
                held.next += 1;
            });
            times
        };
        let most = limits::REPLAY_AT_ONCE;
        let (some, rest) = (take(&mut replay, 1500), take(&mut replay, most));
        assert_eq!((some.len(), rest.len(), replay.held_bytes), (1500, 2500, 0));
        assert!(some.iter().chain(&rest).copied().eq(0..4000));
        assert_eq!([0, 1000, most].map(|come| replay.at_once(come)), [most, most, 2 * most]);
        // Nothing is left behind: no part comes after the last one, or before what was held so far has been taken.
        replay.horizon = Some((Nanos(4500), 0));
        assert_eq!(replay.at_once(1000), usize::MAX);
        (replay.horizon, replay.waiting) = (None, Vec::new());
        assert_eq!(replay.at_once(1000), usize::MAX);
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
