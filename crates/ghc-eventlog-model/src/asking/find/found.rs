//! The hits of a search: how many there are of each kind, how many in each stretch of time, and as many hits as there is room for.

use super::hit::{Hit, HitKind};
use crate::sorting::{sort_by_key, sort_by_number};
use alloc::{vec, vec::Vec};
use ghc_eventlog::Nanos;

/// In which order hits are looked for and kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FindOrder {
    /// The nearest to a time first: of each kind, this many are kept.
    Nearest(Nanos, usize),
    /// In order of time: [`Find::take_hits`](super::Find::take_hits) has those that are known to come next.
    InTime,
}

/// Stretches of time of equal length, in which hits are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct HitBuckets {
    /// When the first one begins.
    pub from: Nanos,
    /// When the last one ends.
    pub to: Nanos,
    /// How many there are.
    pub count: usize,
}

impl HitBuckets {
    /// The index of the stretch that a time is in.
    fn place(&self, time: Nanos) -> Option<usize> {
        if time < self.from || time >= self.to {
            return None;
        }
        let length = u128::from(self.to.since(self.from).0);
        Some((u128::from(time.since(self.from).0) * self.count as u128 / length) as usize)
    }
}

/// The hits of a search, or of a part of it.
#[derive(Debug, Clone)]
pub(super) struct FoundHits {
    order: FindOrder,
    buckets: HitBuckets,
    pub(super) counts: [u64; HitKind::ALL.len()],
    pub(super) in_buckets: Vec<u32>,
    /// By [`HitKind::place`].
    kept: [KeptHits; HitKind::ALL.len()],
}

#[derive(Debug, Clone)]
struct KeptHits {
    hits: Vec<Hit>,
    /// If some were dropped: hits at this distance from the wanted time, in ns, or farther, are not kept.
    too_far: Option<u64>,
}

impl FoundHits {
    pub(super) fn new(order: FindOrder, buckets: HitBuckets) -> Self {
        let none = || KeptHits { hits: Vec::new(), too_far: None };
        let in_buckets = vec![0; buckets.count];
        Self { order, buckets, counts: [0; HitKind::ALL.len()], in_buckets, kept: HitKind::ALL.map(|_| none()) }
    }

    /// An empty one for a part of the same search. It drops hits that would be too far to be kept here.
    pub(super) fn part(&self) -> Self {
        let mut part = Self::new(self.order, self.buckets);
        part.kept.iter_mut().zip(&self.kept).for_each(|(part, kept)| part.too_far = kept.too_far);
        part
    }

    /// Counts a hit, and keeps it if there is room.
    pub(super) fn add(&mut self, kind: HitKind, time: Nanos, hit: impl FnOnce() -> Hit) {
        if let Some(count) = self.counts.get_mut(kind.place()) {
            *count += 1;
        }
        if let Some(count) = self.buckets.place(time).and_then(|place| self.in_buckets.get_mut(place)) {
            *count = count.saturating_add(1);
        }
        let order = self.order;
        let Some(kept) = self.kept.get_mut(kind.place()) else { return };
        let has_room = match order {
            FindOrder::Nearest(near, most) => most > 0 && kept.too_far.is_none_or(|too_far| far(time, near) < too_far),
            FindOrder::InTime => true,
        };
        if has_room {
            kept.hits.push(hit());
            kept.leave_room(order);
        }
    }

    /// Adds the hits of a part.
    pub(super) fn merge(&mut self, part: Self) {
        self.counts.iter_mut().zip(part.counts).for_each(|(count, more)| *count += more);
        self.in_buckets.iter_mut().zip(part.in_buckets).for_each(|(count, more)| *count = count.saturating_add(more));
        for (kept, more) in self.kept.iter_mut().zip(part.kept) {
            kept.hits.extend(more.hits);
            kept.leave_room(self.order);
        }
    }

    /// The kept hits of a kind, in order of time.
    pub(super) fn hits(&self, kind: HitKind) -> Vec<&Hit> {
        let Some(kept) = self.kept.get(kind.place()) else { return Vec::new() };
        let mut hits: Vec<&Hit> = kept.hits.iter().collect();
        if let FindOrder::Nearest(near, most) = self.order {
            sort_by_key(&mut hits, |hit| (far(hit.time, near), hit.key()));
            hits.truncate(most);
        }
        sort_by_key(&mut hits, |hit| hit.key());
        hits
    }

    /// Takes all hits out.
    pub(super) fn take(&mut self) -> Vec<Hit> {
        self.kept.iter_mut().flat_map(|kept| core::mem::take(&mut kept.hits)).collect()
    }
}

impl KeptHits {
    /// Drops the farthest hits once there are twice as many as may be kept, so that they are sorted rarely.
    fn leave_room(&mut self, order: FindOrder) {
        let FindOrder::Nearest(near, most) = order else { return };
        if self.hits.len() < most.saturating_mul(2).max(1) {
            return;
        }
        let key = |hit: &Hit| (far(hit.time, near), hit.key());
        sort_by_key(&mut self.hits, key);
        self.hits.truncate(most);
        // A hit that is exactly as far may still come before the last one by its key.
        self.too_far = self.hits.last().and_then(|hit| far(hit.time, near).checked_add(1));
    }
}

/// The distance of two times, in ns.
fn far(time: Nanos, near: Nanos) -> u64 {
    time.0.abs_diff(near.0)
}

/// Hits that wait until all that comes before them is known.
#[derive(Debug, Default)]
pub(super) struct WaitingHits {
    /// Each with the segment that it was found in.
    hits: Vec<(Hit, u32)>,
    /// How many hits, from the first on, are in order.
    sorted: usize,
    bytes: usize,
}

impl WaitingHits {
    pub(super) fn add(&mut self, hits: Vec<Hit>, segment: u32) {
        self.bytes += hits.iter().map(bytes_of).sum::<usize>();
        self.hits.extend(hits.into_iter().map(|hit| (hit, segment)));
    }

    pub(super) fn bytes_held(&self) -> usize {
        self.bytes
    }

    /// Takes those before a moment, in order.
    pub(super) fn take_before(&mut self, moment: Nanos) -> Vec<Hit> {
        self.sort();
        let count = self.hits.partition_point(|(hit, _)| hit.time < moment);
        let taken: Vec<Hit> = self.hits.drain(..count).map(|(hit, _)| hit).collect();
        self.sorted -= count;
        self.bytes -= taken.iter().map(bytes_of).sum::<usize>();
        taken
    }

    /// Takes all of them, in order.
    pub(super) fn take_all(&mut self) -> Vec<Hit> {
        self.sort();
        (self.sorted, self.bytes) = (0, 0);
        self.hits.drain(..).map(|(hit, _)| hit).collect()
    }

    /// Drops those that come last, so that about half of the room is left. Returns the moment from which on all are dropped, and
    /// the segments that must be read again for that; `None` if all are of one moment.
    pub(super) fn drop_last(&mut self) -> Option<(Nanos, Vec<u32>)> {
        self.sort();
        let first = self.hits.first()?.0.time;
        let mut bytes = 0;
        let half = self.hits.iter().position(|(hit, _)| {
            bytes += bytes_of(hit);
            bytes > self.bytes / 2 && hit.time > first
        })?;
        let moment = self.hits.get(half)?.0.time;
        let from = self.hits.partition_point(|(hit, _)| hit.time < moment);
        let mut segments: Vec<u32> = self.hits.drain(from..).map(|(_, segment)| segment).collect();
        self.sorted = from;
        self.bytes = self.hits.iter().map(|(hit, _)| bytes_of(hit)).sum();
        sort_by_number(&mut segments, |segment| u64::from(*segment));
        segments.dedup();
        Some((moment, segments))
    }

    fn sort(&mut self) {
        if self.sorted < self.hits.len() {
            sort_by_key(&mut self.hits, |(hit, _)| hit.key());
            self.sorted = self.hits.len();
        }
    }
}

fn bytes_of(hit: &Hit) -> usize {
    size_of::<(Hit, u32)>() + hit.text.bytes_held()
}
