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

use super::{
    horizon::horizon_of,
    segment_ops::{Key, SegmentOps, packed, time_of},
};
use crate::{
    keeping::crossing::{
        Replayed,
        requests::{Requests, Surroundings},
    },
    known::{Known, stores::Stores},
    limits,
    merging::Merge,
    reading::{
        job::{Changed, Job},
        model::Model,
    },
    sorting::sort_by_key,
    terms::{
        op::{Besides, Op},
        progress::Progress,
    },
};
use alloc::vec::Vec;
use ghc_eventlog::Nanos;

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
                let (breaks, repeats) = (replayed.breaks(), &replayed.repeats);
                let around = Surroundings { threads, collections, pauses, without_row: Nanos(0), breaks, repeats };
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
                        self.once_more = 0;
                        // Before it is finished: what is still open is weighed, too.
                        if !self.begin_with_other_labels(known, true) {
                            known.finish_replay();
                        }
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

    /// If other labels of user spans are heavier than those that are kept, it begins again with those. Returns whether it does.
    fn begin_with_other_labels(&mut self, known: &mut Known, is_over: bool) -> bool {
        let begins = known.begin_replay_with_other_labels(self.most_bytes, is_over).is_some();
        if begins {
            let read = self.read;
            *self = Self::of(known, self.follower, self.most_bytes);
            self.read += read;
        }
        begins
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
            &|number| waiting.iter().rev().any(|waiting| waiting.key.1 == number),
            besides,
            &mut |_, segment, ops, marks| come.push(SegmentOps { segment, ops, marks, next: 0, rest: None }),
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
    use super::{super::segment_ops::tests::held, *};
    use alloc::vec;

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
}
