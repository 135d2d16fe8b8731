//! What threads did in user spans of each label, by the spans' lengths: so what the slow ones did more of than the others, for all labels
//! at once.
//!
//! ```text
//! thread 7    runs    blocked on an MVar    (collection)    runs
//! START a |------------------------------------------------------| STOP a
//! sums of a, of about this length:  running 25, blocked on an MVar 22, collecting 12
//! ```
//!
//! The instances of one label are known in more detail once they are asked for: see [`super::requests`].

use super::{
    doing::Now,
    pairing::Owner,
    requests::{Nested, NestedTime, PARTS, PartClock, PartSums, Parts},
};
use crate::{
    keeping::{
        heavier_half::lightest,
        quantiles::place,
        sorted::{self, Sorted},
    },
    limits,
    sorting::{sort_by_key, sort_by_number},
};
use alloc::{boxed::Box, vec::Vec};
use ghc_eventlog::{Nanos, ThreadId};

/// Sums by label and length.
#[derive(Debug)]
pub(crate) struct SpanParts {
    /// How many open spans are followed, up to [`limits::MAX_FOLLOWED_SPANS`].
    followed: usize,
    /// What the threads of these spans did.
    clocks: Sorted<ThreadId, PartClock>,
    nested: Nested,
    sums: Sorted<(u16, u16), PartSums>,
    /// The time of spans of another label directly within them, by label, length, and the other label.
    within: Sorted<(u16, u16, u16), Nanos>,
    /// By label, whether its sums are missing, since there was no room for labels that took so little time.
    is_incomplete: Vec<bool>,
    /// Whether some spans of threads are in no sum, since too many others were open when they began.
    are_some_left_out: bool,
}

impl Default for SpanParts {
    fn default() -> Self {
        Self {
            followed: 0,
            clocks: Sorted::new(),
            nested: Nested::with_room(limits::MAX_FOLLOWED_NESTED),
            sums: Sorted::new(),
            within: Sorted::new(),
            is_incomplete: Vec::new(),
            are_some_left_out: false,
        }
    }
}

/// What a span that begins keeps of its thread's clock; `None` if it is not followed.
pub(super) type ReadClock = Option<Box<Parts>>;

/// What slow spans of a label did for longer than those near the median, on average.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct MoreOf {
    /// How much longer they are.
    pub(crate) longer: Nanos,
    /// By part, the largest first.
    pub(crate) parts: Vec<(usize, Nanos)>,
    /// By the labels of spans directly within them, the largest first.
    pub(crate) within: Vec<(u16, Nanos)>,
    /// Whether these are means of only some spans.
    pub(crate) are_some_left_out: bool,
}

impl SpanParts {
    /// A thread was in a state up to a time; `paused` is the total time of collections by then.
    #[inline]
    pub(super) fn step(&mut self, thread: ThreadId, before: &Now, time: Nanos, paused: impl FnOnce() -> Nanos) {
        if self.clocks.is_empty() {
            return;
        }
        if let Some(clock) = self.clocks.get_mut(&thread) {
            clock.spend(before, time, paused());
        }
    }

    /// The `nth` span begins, by a thread in a state.
    pub(super) fn begin(
        &mut self,
        (owner, nth): (Owner, u64),
        thread: ThreadId,
        now: &Now,
        time: Nanos,
        paused: impl FnOnce() -> Nanos,
    ) -> ReadClock {
        // No thread has the number 0.
        if thread == ThreadId(0) {
            return None;
        }
        if self.followed >= limits::MAX_FOLLOWED_SPANS {
            self.are_some_left_out = true;
            return None;
        }
        self.followed += 1;
        self.nested.begin(owner, nth);
        let paused = paused();
        if !self.clocks.contains_key(&thread) {
            self.clocks.insert(thread, PartClock::at(time, paused));
        }
        self.clocks.get_mut(&thread).map(|clock| Box::new(clock.open(now, time, paused)))
    }

    /// A span ends that had begun with a reading of its thread's clock.
    pub(super) fn end(
        &mut self,
        (owner, nth): (Owner, u64),
        (label, length): (u16, Nanos),
        (thread, begun): (ThreadId, ReadClock),
        now: &Now,
        time: Nanos,
        paused: Nanos,
    ) {
        let nested = self.nested.end(owner, nth, label, length);
        let (Some(begun), Some(clock)) = (begun, self.clocks.get_mut(&thread)) else { return };
        clock.spend(now, time, paused);
        let parts = clock.since(&begun);
        self.followed = self.followed.saturating_sub(1);
        if clock.close() {
            self.clocks.remove(&thread);
        }
        let bin = coarse_bin(length.0);
        if self.sums.len() >= limits::MAX_SPAN_SUMS && !self.sums.contains_key(&(label, bin)) {
            self.forget_lightest();
        }
        if self.is_incomplete(label) {
            return;
        }
        self.sums.entry((label, bin)).or_default().add(&parts);
        self.are_some_left_out |= nested.is_none();
        // A process or a capability may have many open spans at once, none within another.
        let nested = nested.filter(|_| matches!(owner, Owner::Thread(_)));
        for NestedTime { label: other, time } in nested.into_iter().flatten() {
            let Some(other) = other else { continue };
            let key = (label, bin, other);
            if self.within.len() < limits::MAX_SPAN_SUMS || self.within.contains_key(&key) {
                let sum = self.within.entry(key).or_default();
                *sum = sum.plus(time);
            } else {
                self.are_some_left_out = true;
            }
        }
    }

    /// A span is no longer followed, which had begun with a reading of its thread's clock.
    pub(super) fn give_up(&mut self, (owner, nth): (Owner, u64), (thread, begun): (ThreadId, ReadClock)) {
        self.nested.give_up(owner, nth);
        let (Some(_), Some(clock)) = (begun, self.clocks.get_mut(&thread)) else { return };
        self.followed = self.followed.saturating_sub(1);
        if clock.close() {
            self.clocks.remove(&thread);
        }
        self.are_some_left_out = true;
    }

    /// Whether there was no room for a label's sums.
    fn is_incomplete(&self, label: u16) -> bool {
        self.is_incomplete.get(usize::from(label)).is_some_and(|is_incomplete| *is_incomplete)
    }

    /// Makes room: forgets the sums of the labels that took the least time, until half of the room is free.
    #[cold]
    fn forget_lightest(&mut self) {
        let mut labels: Vec<(u64, u16, usize)> = Vec::new();
        for ((label, _), sums) in self.sums.iter() {
            let more = sums.total().0;
            match labels.last_mut().filter(|(_, last, _)| last == label) {
                Some((total, _, count)) => (*total, *count) = (total.saturating_add(more), *count + 1),
                None => labels.push((more, *label, 1)),
            }
        }
        for label in lightest(labels, self.sums.len() - limits::MAX_SPAN_SUMS / 2) {
            let at = usize::from(label);
            if at >= self.is_incomplete.len() {
                self.is_incomplete.resize(at + 1, false);
            }
            if let Some(is_incomplete) = self.is_incomplete.get_mut(at) {
                *is_incomplete = true;
            }
        }
        let Self { sums, within, is_incomplete, .. } = self;
        let is_kept = |label: u16| !is_incomplete.get(usize::from(label)).is_some_and(|is_incomplete| *is_incomplete);
        sums.retain(|(label, _), _| is_kept(*label));
        within.retain(|(label, ..), _| is_kept(*label));
    }

    /// A thread has finished, and so its open spans have ended.
    pub(super) fn thread_finished(&mut self, thread: ThreadId) {
        self.nested.leave(Owner::Thread(thread));
        if let Some(clock) = self.clocks.remove(&thread) {
            self.followed = self.followed.saturating_sub(clock.count());
        }
    }

    /// No more spans will end.
    pub(super) fn finish(&mut self) {
        (self.clocks, self.nested) = (Sorted::new(), Nested::with_room(0));
    }

    /// What the spans of a label that take about `slow` or longer did more of than those that take about `median`; `None` if that is not
    /// known, as for spans that are no thread's.
    pub(crate) fn more_of(&self, label: u16, median: Nanos, slow: Nanos) -> Option<MoreOf> {
        let (usual, least) = (coarse_bin(median.0), coarse_bin(slow.0));
        if self.is_incomplete(label) || usual >= least {
            return None;
        }
        let sums = |bins: core::ops::RangeInclusive<u16>| {
            let its = self.sums.iter().filter(|((of, bin), _)| *of == label && bins.contains(bin));
            let sum = its.fold(PartSums::default(), |all, (_, sums)| all.with(sums));
            Some(sum).filter(|sum| sum.count > 0)
        };
        let within = |bins: core::ops::RangeInclusive<u16>, other: u16, count: u64| {
            let its =
                self.within.iter().filter(|((of, bin, its), _)| *of == label && bins.contains(bin) && *its == other);
            Nanos(its.fold(Nanos(0), |sum, (_, time)| sum.plus(*time)).0 / count)
        };
        let (usual, slow) = (usual..=usual, least..=u16::MAX);
        let (usually, slowly) = (sums(usual.clone())?, sums(slow.clone())?);
        let mut parts: Vec<(usize, Nanos)> =
            (0..PARTS).map(|part| (part, slowly.mean(part).since(usually.mean(part)))).collect();
        let mut others: Vec<u16> =
            self.within.keys().filter(|(of, ..)| *of == label).map(|(.., other)| *other).collect();
        sort_by_number(&mut others, |other| u64::from(*other));
        others.dedup();
        let more = |other: u16| {
            let time = within(slow.clone(), other, slowly.count);
            (other, time.since(within(usual.clone(), other, usually.count)))
        };
        let mut nested: Vec<(u16, Nanos)> = others.into_iter().map(more).collect();
        parts.retain(|(_, more)| *more > Nanos(0));
        nested.retain(|(_, more)| *more > Nanos(0));
        sort_by_key(&mut parts, |(part, more)| (core::cmp::Reverse(*more), *part));
        sort_by_key(&mut nested, |(other, more)| (core::cmp::Reverse(*more), *other));
        let (longer, are_some_left_out) = (slowly.mean_length().since(usually.mean_length()), self.are_some_left_out);
        Some(MoreOf { longer, parts, within: nested, are_some_left_out })
    }

    pub(super) fn bytes_held(&self) -> usize {
        sorted::bytes_held(&self.clocks)
            + self.nested.bytes_held()
            + sorted::bytes_held(&self.sums)
            + sorted::bytes_held(&self.within)
            + self.is_incomplete.capacity()
            + self.followed * size_of::<Parts>()
    }
}

/// The bin of a length: two for each power of two, since slow spans take several times as long as usual ones.
fn coarse_bin(length: u64) -> u16 {
    (place(length) >> 6) as u16
}

/// Bytes of what is kept for an open span, and of the sums, at their largest.
#[cfg(test)]
pub(crate) const OPEN_PART_BYTES: usize =
    super::requests::AROUND_BYTES + size_of::<(ThreadId, PartClock)>() + size_of::<Parts>();
#[cfg(test)]
pub(crate) const SPAN_SUM_BYTES: usize = size_of::<((u16, u16), PartSums)>() + size_of::<((u16, u16, u16), Nanos)>();
