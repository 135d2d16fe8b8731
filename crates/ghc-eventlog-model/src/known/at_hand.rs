//! What happens to threads in a few segments, kept while the user looks closely.

use crate::{
    keeping::sorted::Sorted,
    known::Known,
    limits,
    sorting::sort_by_number,
    terms::{op::Op, place::Needed},
};
use alloc::vec::Vec;
use ghc_eventlog::{Nanos, ThreadId};

impl Known {
    /// The segments that are needed for what one thread did. If they are few, everything in them is kept, for the next thread
    /// that the user looks at. With a thousand capabilities, those of one moment are already more than there is room for:
    /// then only this thread matters.
    pub(crate) fn needed(&self, segments: Vec<u32>, thread: Option<ThreadId>) -> Needed {
        let only = thread.filter(|_| self.bytes_to_read(&segments) > limits::THREADS_READ);
        Needed { segments, only }
    }

    /// Whether all that is needed is at hand.
    pub(crate) fn is_at_hand(&self, Needed { segments, only }: &Needed) -> bool {
        segments.iter().all(|segment| self.at_hand.has(*segment, *only))
    }
}

/// What happens to threads in one segment.
#[derive(Debug)]
struct OfSegment {
    /// By thread, and in order of time for each thread.
    by_thread: Vec<Op>,
    /// If set, it only has this thread's events, and wake-ups by this thread.
    only: Option<ThreadId>,
    last_use: u64,
}

/// What happens to threads in the most recently used segments, up to [`limits::AT_HAND_BYTES`].
#[derive(Debug, Default)]
pub(crate) struct AtHand {
    segments: Sorted<u32, OfSegment>,
    /// The segments that were asked for but have not been read, each with the only thread that matters.
    wanted: Vec<(u32, Option<ThreadId>)>,
    bytes: usize,
    clock: u64,
    /// Counts insertions and removals.
    pub(crate) changes: u64,
}

impl AtHand {
    /// Whether it has a segment: for all threads, or for the only one that matters.
    pub(crate) fn has(&self, segment: u32, only: Option<ThreadId>) -> bool {
        self.segments.get(&segment).is_some_and(|kept| kept.only.is_none() || kept.only == only)
    }

    /// Marks segments as used now; those that are not at hand are added to the wanted ones.
    pub(crate) fn want(&mut self, segments: &[u32], only: Option<ThreadId>) {
        self.clock += 1;
        for segment in segments {
            if let Some(kept) = self.segments.get_mut(segment) {
                kept.last_use = self.clock;
            }
        }
        let missing = segments.iter().copied().filter(|segment| !self.has(*segment, only));
        for segment in missing.collect::<Vec<_>>() {
            match self.wanted.iter_mut().find(|(other, _)| *other == segment) {
                // Two questions about different threads: reading all threads answers both.
                Some((_, other)) if *other != only => *other = None,
                Some(_) => {}
                None => self.wanted.push((segment, only)),
            }
        }
        // Drops the oldest wishes: by now the view has moved on.
        let too_many = self.wanted.len().saturating_sub(limits::MAX_WANTED);
        self.wanted.drain(..too_many);
    }

    pub(crate) fn is_wanted(&self, segment: u32) -> bool {
        self.wanted.iter().any(|(wanted, _)| *wanted == segment)
    }

    /// Takes the wanted segments, for the caller to read; they are to be [given back](Self::give_back).
    pub(crate) fn take_wanted(&mut self) -> Vec<(u32, Option<ThreadId>)> {
        core::mem::take(&mut self.wanted)
    }

    pub(crate) fn give_back(&mut self, wanted: Vec<(u32, Option<ThreadId>)>) {
        self.wanted = wanted;
    }

    /// Adds a segment's events, in order of time; if only one thread matters, what is [about it](keep_only).
    pub(crate) fn insert(&mut self, segment: u32, mut ops: Vec<Op>) {
        let place = self.wanted.iter().position(|(wanted, _)| *wanted == segment);
        let only = place.and_then(|place| self.wanted.remove(place).1);
        sort_by_number(&mut ops, |op| op.thread.0.into());
        ops.shrink_to_fit();
        let kept = OfSegment { by_thread: ops, only, last_use: self.clock };
        self.bytes += bytes_of(&kept);
        self.changes += 1;
        if let Some(old) = self.segments.insert(segment, kept) {
            self.bytes -= bytes_of(&old);
        }
        while self.bytes > limits::AT_HAND_BYTES {
            let oldest = self.segments.iter().min_by_key(|(_, kept)| kept.last_use);
            let Some((&oldest, _)) = oldest.filter(|(_, kept)| kept.last_use < self.clock) else { return };
            if let Some(old) = self.segments.remove(&oldest) {
                self.bytes -= bytes_of(&old);
            }
        }
    }

    /// What happens to a thread in a segment in `from..to`, in order.
    pub(crate) fn of(&self, segment: u32, thread: ThreadId, from: Nanos, to: Nanos) -> &[Op] {
        let Some(kept) = self.segments.get(&segment) else { return &[] };
        let place = |time: Nanos| kept.by_thread.partition_point(|op| (op.thread, op.time) < (thread, time));
        kept.by_thread.get(place(from)..place(to)).unwrap_or_default()
    }

    /// Everything that happens in a segment, by thread.
    pub(crate) fn all_of(&self, segment: u32) -> &[Op] {
        self.segments.get(&segment).map_or(&[], |kept| &kept.by_thread)
    }

    pub(crate) fn clear(&mut self) {
        *self = Self { changes: self.changes + 1, ..Self::default() };
    }

    pub(crate) fn bytes_held(&self) -> usize {
        self.bytes
    }
}

/// If only one thread matters, keeps what is about it.
pub(crate) fn keep_only(ops: &mut Vec<Op>, only: Option<ThreadId>) {
    let Some(only) = only else { return };
    ops.retain(|op| is_about(op, only));
    ops.shrink_to_fit();
}

/// Whether something happens to a thread, or is caused by it.
fn is_about(op: &Op, thread: ThreadId) -> bool {
    let by = op.what.waker().thread();
    op.thread == thread || by == Some(thread)
}

fn bytes_of(kept: &OfSegment) -> usize {
    kept.by_thread.capacity() * size_of::<Op>() + size_of::<(u32, OfSegment)>()
}
