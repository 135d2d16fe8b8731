//! What happens to threads in a few segments, kept while somebody looks closely.

use super::ops::Op;
use crate::{keeping::sorted::Sorted, limits, sorting::sort_by_number};
use alloc::vec::Vec;
use ghc_eventlog::{Nanos, ThreadId};

/// What happens to threads in one segment.
#[derive(Debug)]
struct OfSegment {
    /// By thread, and in order of time for each.
    by_thread: Vec<Op>,
    last_use: u64,
}

/// What happens to threads in the segments that were used last, up to [`limits::AT_HAND_BYTES`].
#[derive(Debug, Default)]
pub(crate) struct AtHand {
    segments: Sorted<u32, OfSegment>,
    /// The segments that were asked for, and have not come.
    wanted: Vec<u32>,
    bytes: usize,
    clock: u64,
}

impl AtHand {
    pub(crate) fn has(&self, segment: u32) -> bool {
        self.segments.contains_key(&segment)
    }

    /// These are used now, and those of them that are not at hand are wanted, beside what was wanted before.
    pub(crate) fn want(&mut self, segments: &[u32]) {
        self.clock += 1;
        for segment in segments {
            if let Some(kept) = self.segments.get_mut(segment) {
                kept.last_use = self.clock;
            }
        }
        let wanted = |segment: &u32| !self.has(*segment) && !self.wanted.contains(segment);
        let more: Vec<u32> = segments.iter().copied().filter(wanted).collect();
        self.wanted.extend(more);
        // The oldest wishes go: by now the view has moved on.
        let too_many = self.wanted.len().saturating_sub(limits::MAX_WANTED);
        self.wanted.drain(..too_many);
    }

    pub(crate) fn is_wanted(&self, segment: u32) -> bool {
        self.wanted.contains(&segment)
    }

    /// What is wanted, for whoever sees to it; to be [given back](Self::give_back).
    pub(crate) fn take_wanted(&mut self) -> Vec<u32> {
        core::mem::take(&mut self.wanted)
    }

    pub(crate) fn give_back(&mut self, wanted: Vec<u32>) {
        self.wanted = wanted;
    }

    /// Takes those of a segment, in order of time.
    pub(crate) fn insert(&mut self, segment: u32, mut ops: Vec<Op>) {
        self.wanted.retain(|other| *other != segment);
        sort_by_number(&mut ops, |op| op.thread.0.into());
        ops.shrink_to_fit();
        let kept = OfSegment { by_thread: ops, last_use: self.clock };
        self.bytes += bytes_of(&kept);
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

    /// What happens to a thread in a segment from one time to before another, in order.
    pub(crate) fn of(&self, segment: u32, thread: ThreadId, from: Nanos, to: Nanos) -> &[Op] {
        let Some(kept) = self.segments.get(&segment) else { return &[] };
        let place = |time: Nanos| kept.by_thread.partition_point(|op| (op.thread, op.time) < (thread, time));
        kept.by_thread.get(place(from)..place(to)).unwrap_or_default()
    }

    /// All that happens in a segment, by thread.
    pub(crate) fn all_of(&self, segment: u32) -> &[Op] {
        self.segments.get(&segment).map_or(&[], |kept| &kept.by_thread)
    }

    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }

    pub(crate) fn bytes_held(&self) -> usize {
        self.bytes
    }
}

fn bytes_of(kept: &OfSegment) -> usize {
    kept.by_thread.capacity() * size_of::<Op>() + size_of::<(u32, OfSegment)>()
}
