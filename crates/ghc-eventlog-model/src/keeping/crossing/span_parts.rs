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
    folded::FoldedLabels,
    pairing::Owner,
    requests::{Nested, NestedTime, PARTS, PartClock, PartSums, Parts},
};
use crate::{
    keeping::{
        heaviest::lightest,
        messages::Labels,
        quantiles::place,
        sorted::{self, Sorted},
    },
    limits,
    sorting::{sort_by_key, sort_by_number},
};
use alloc::vec::Vec;
use ghc_eventlog::{Nanos, ThreadId};

/// Sums by label and length.
#[derive(Debug)]
pub(crate) struct SpanParts {
    /// The open spans that are followed, up to [`limits::MAX_FOLLOWED_SPANS`], in order of their begins.
    followed: Vec<FollowedSpan>,
    /// What the threads of these spans did.
    clocks: Sorted<ThreadId, PartClock>,
    nested: Nested,
    sums: Sorted<(u16, u16), PartSums>,
    /// The time of spans of another label directly within them, by label, length, and the other label.
    within: Sorted<(u16, u16, u16), Nanos>,
    /// The labels without sums of their own, since there was no room for labels that took so little time.
    folded: FoldedLabels,
    /// Whether some spans of threads are in no sum, since too many others were open when they began.
    are_some_left_out: bool,
}

impl Default for SpanParts {
    fn default() -> Self {
        Self {
            followed: Vec::new(),
            clocks: Sorted::new(),
            nested: Nested::with_room(limits::MAX_FOLLOWED_NESTED),
            sums: Sorted::new(),
            within: Sorted::new(),
            folded: FoldedLabels::default(),
            are_some_left_out: false,
        }
    }
}

/// An open span whose thread is followed.
#[derive(Debug)]
struct FollowedSpan {
    /// How many spans had begun before it.
    nth: u64,
    owner: Owner,
    thread: ThreadId,
    /// What its thread's clock said at its begin.
    begun: Parts,
}

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

    /// The `nth` span begins, by a thread in a state; `paused` is the total time of collections by then.
    pub(super) fn begin(
        &mut self,
        (owner, nth): (Owner, u64),
        thread: ThreadId,
        now: &Now,
        time: Nanos,
        paused: Nanos,
    ) {
        // No thread has the number 0.
        if thread == ThreadId(0) {
            return;
        }
        if self.followed.len() >= limits::MAX_FOLLOWED_SPANS {
            self.are_some_left_out = true;
            return;
        }
        self.nested.begin(owner, nth);
        let clock = self.clocks.entry(thread).or_insert_with(|| PartClock::at(time, paused));
        self.followed.push(FollowedSpan { nth, owner, thread, begun: clock.open(now, time, paused) });
    }

    /// The `nth` span ends, of a label and a length.
    pub(super) fn end(
        &mut self,
        nth: u64,
        (label, length, labels): (u16, Nanos, &Labels),
        now: impl Fn(ThreadId) -> Now,
        time: Nanos,
        paused: Nanos,
    ) {
        let Some(FollowedSpan { owner, thread, begun, .. }) = self.take(nth) else { return };
        let nested = self.nested.end(owner, nth, label, length);
        let Some(clock) = self.clocks.get_mut(&thread) else { return };
        clock.spend(&now(thread), time, paused);
        let parts = clock.since(&begun);
        if clock.close() {
            self.clocks.remove(&thread);
        }
        let bin = coarse_bin(length.0);
        let Some(mut key) = self.folded.key_of(label) else { return };
        if self.sums.len() >= limits::MAX_SPAN_SUMS && !self.sums.contains_key(&(key, bin)) {
            self.make_room(labels);
            // It may be one of the lightest itself.
            let Some(moved) = self.folded.key_of(label) else { return };
            key = moved;
        }
        self.sums.entry((key, bin)).or_default().add(&parts);
        self.are_some_left_out |= nested.is_none();
        // A process or a capability may have many open spans at once, none within another.
        let nested = nested.filter(|_| matches!(owner, Owner::Thread(_)));
        for NestedTime { label: other, time } in nested.into_iter().flatten() {
            let Some(other) = other else { continue };
            let (key, has_room) = ((key, bin, other), self.within.len() < limits::MAX_SPAN_SUMS);
            match self.within.get_mut(&key) {
                Some(sum) => *sum = sum.plus(time),
                None if has_room => _ = self.within.insert(key, time),
                None => self.are_some_left_out = true,
            }
        }
    }

    /// The `nth` span is no longer followed.
    pub(super) fn give_up(&mut self, nth: u64) {
        let Some(FollowedSpan { owner, thread, .. }) = self.take(nth) else { return };
        self.nested.give_up(owner, nth);
        if self.clocks.get_mut(&thread).is_some_and(PartClock::close) {
            self.clocks.remove(&thread);
        }
        self.are_some_left_out = true;
    }

    /// Takes the `nth` span, if it is followed.
    fn take(&mut self, nth: u64) -> Option<FollowedSpan> {
        let place = self.followed.binary_search_by_key(&nth, |span| span.nth).ok()?;
        Some(self.followed.remove(place))
    }

    /// Makes room: those of the labels that took the least time are kept together with those of their families, or not at all, until half of
    /// the room is free, or at least some.
    #[cold]
    #[inline(never)]
    fn make_room(&mut self, labels: &Labels) {
        while self.sums.len() >= limits::MAX_SPAN_SUMS {
            let mut all: Vec<(u64, u16, usize)> = Vec::new();
            for ((key, _), sums) in self.sums.iter() {
                let more = sums.total().0;
                match all.last_mut().filter(|(_, last, _)| last == key) {
                    Some((total, _, count)) => (*total, *count) = (total.saturating_add(more), *count + 1),
                    None => all.push((more, *key, 1)),
                }
            }
            self.folded.fold(lightest(all, self.sums.len() - limits::MAX_SPAN_SUMS / 2), Some(labels));
            let sums = core::mem::replace(&mut self.sums, Sorted::new());
            for &((key, bin), ref of) in sums.as_slice() {
                let Some(key) = self.folded.moved(key) else { continue };
                let all = self.sums.entry((key, bin)).or_default();
                *all = all.with(of);
            }
            let within = core::mem::replace(&mut self.within, Sorted::new());
            for &((key, bin, other), ref time) in within.as_slice() {
                let Some(key) = self.folded.moved(key) else { continue };
                match self.within.get_mut(&(key, bin, other)) {
                    Some(sum) => *sum = sum.plus(*time),
                    None => _ = self.within.insert((key, bin, other), *time),
                }
            }
        }
    }

    /// A thread has finished, and so its open spans have ended. Spans of its process that it began are no longer followed.
    pub(super) fn thread_finished(&mut self, thread: ThreadId) {
        if self.clocks.remove(&thread).is_none() {
            return;
        }
        let Self { followed, nested, are_some_left_out, .. } = self;
        followed.retain(|span| {
            let stays = span.thread != thread;
            if !stays && span.owner != Owner::Thread(thread) {
                nested.give_up(span.owner, span.nth);
                *are_some_left_out = true;
            }
            stays
        });
        nested.leave(Owner::Thread(thread));
    }

    /// No more spans will end.
    pub(super) fn finish(&mut self) {
        (self.followed, self.clocks, self.nested) = (Vec::new(), Sorted::new(), Nested::with_room(0));
    }

    /// What the spans of some labels that take about `slow` or longer did more of than those that take about `median`; `None` if that is not
    /// known, as for spans that are no thread's.
    pub(crate) fn more_of(&self, labels: &[u16], median: Nanos, slow: Nanos) -> Option<MoreOf> {
        let (usual, least) = (coarse_bin(median.0), coarse_bin(slow.0));
        if usual >= least {
            return None;
        }
        let keys = self.folded.keys_of(labels)?;
        let is_one_of = |key: &u16| keys.binary_search(key).is_ok();
        let sums = |bins: core::ops::RangeInclusive<u16>| {
            let its = self.sums.iter().filter(|((of, bin), _)| bins.contains(bin) && is_one_of(of));
            let sum = its.fold(PartSums::default(), |all, (_, sums)| all.with(sums));
            Some(sum).filter(|sum| sum.count > 0)
        };
        let within = |bins: core::ops::RangeInclusive<u16>, other: u16, count: u64| {
            let its =
                self.within.iter().filter(|((of, bin, its), _)| *its == other && bins.contains(bin) && is_one_of(of));
            Nanos(its.fold(Nanos(0), |sum, (_, time)| sum.plus(*time)).0 / count)
        };
        let (usual, slow) = (usual..=usual, least..=u16::MAX);
        let (usually, slowly) = (sums(usual.clone())?, sums(slow.clone())?);
        let mut parts: Vec<(usize, Nanos)> =
            (0..PARTS).map(|part| (part, slowly.mean(part).since(usually.mean(part)))).collect();
        let mut others: Vec<u16> =
            self.within.keys().filter(|(of, ..)| is_one_of(of)).map(|(.., other)| *other).collect();
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
            + self.folded.bytes_held()
            + self.followed.capacity() * size_of::<FollowedSpan>()
    }
}

/// The bin of a length: two for each power of two, since slow spans take several times as long as usual ones.
fn coarse_bin(length: u64) -> u16 {
    (place(length) >> 6) as u16
}

/// Bytes of what is kept for an open span, and of the sums, at their largest.
#[cfg(test)]
pub(crate) const OPEN_PART_BYTES: usize =
    super::requests::AROUND_BYTES + size_of::<(ThreadId, PartClock)>() + size_of::<FollowedSpan>();
#[cfg(test)]
pub(crate) const SPAN_SUM_BYTES: usize = size_of::<((u16, u16), PartSums)>() + size_of::<((u16, u16, u16), Nanos)>();
