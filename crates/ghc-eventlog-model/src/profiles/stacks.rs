//! The time profile. At each tick, the runtime writes the stack of cost centres of each capability, including idle ones; or a
//! library writes the stacks of threads. The stacks form a tree; each of its nodes has the samples of exactly that stack.

use super::{
    messages::ThreadSample,
    tree::{Entered, ROOT, StackTree},
};
use crate::{
    keeping::{
        heaviest::half_that_counts,
        places::{Places, shuffled},
        ring::{RingId, Rings},
        rows::{Kept, Rows},
    },
    limits,
    sorting::{by_most, sort_pairs},
    terms::{frame::Frame, numbering::Numbering},
};
use alloc::vec::Vec;
use ghc_eventlog::{CapNo, CostCentreId, Nanos, ProfSampleCostCentre, ThreadId};

/// The stack of a capability's last sample, outermost cost centre first, each with the node of the stack up to it.
pub(crate) type LastStack = Vec<(CostCentreId, u32)>;

/// A thread that was sampled.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SampledThread {
    pub(crate) id: ThreadId,
    pub(crate) samples: u64,
    /// How many more it may have had before it came, as a thread that was forgotten.
    pub(crate) before: u32,
}

/// The thread's place in samples without a thread: those of a capability.
const NO_THREAD: u16 = u16::MAX;

/// The place of all threads that are not kept.
const OTHER_THREAD: u16 = NO_THREAD - 1;

const _: () = assert!(limits::MAX_SAMPLED_THREADS <= OTHER_THREAD as usize);

/// A capability that was sampled.
#[derive(Debug, Clone)]
pub(crate) struct OfCap {
    pub(crate) cap: CapNo,
    pub(crate) samples: u64,
    /// Empty except for the first [`limits::MAX_LAST_STACKS`] capabilities.
    last: LastStack,
}

/// A sample that is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sampled {
    pub(crate) time: Nanos,
    /// Its stack's node.
    pub(crate) node: u32,
    pub(crate) cap: u16,
    /// Its thread's place in [`TimeProfile::threads`], or [`OTHER_THREAD`]; [`NO_THREAD`] for a sample of a capability.
    pub(crate) thread: u16,
}

impl Sampled {
    /// Whether it is a sample of a thread, not of a capability.
    pub(crate) fn is_of_thread(&self) -> bool {
        self.thread != NO_THREAD
    }
}

impl Kept for Sampled {
    fn time(&self) -> Nanos {
        self.time
    }

    /// All samples have the same weight, and chance decides which are kept. With a stride, only some of the capabilities
    /// would keep any, since they are sampled in turn.
    fn weight(&self) -> u64 {
        shuffled(self.time.0 ^ u64::from(self.cap) << 48 ^ u64::from(self.thread) << 32)
    }
}

/// The innermost frame of a capability's sample that was read again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Innermost {
    pub(crate) time: Nanos,
    /// Place of the frame in the tree's list; `u32::MAX` if it was not kept.
    pub(crate) frame: u32,
    pub(crate) cap: u16,
}

/// All stacks of a log, and its samples.
#[derive(Debug, Default)]
pub(crate) struct TimeProfile {
    interval: Option<Nanos>,
    /// The stacks, each with its own samples.
    pub(crate) tree: StackTree,
    /// The capabilities that were sampled, by number. Samples of threads do not count.
    caps: Vec<OfCap>,
    /// The place of the capability after the one that was sampled last: capabilities are nearly always sampled in turn.
    next_cap: usize,
    /// The threads that were sampled: once all have been read, those with the most samples first.
    threads: Vec<SampledThread>,
    /// How the process numbers its threads whose samples come next.
    pub(crate) numbering: Numbering,
    by_thread: Places,
    /// How many samples are of no thread, since theirs gave its place to others.
    pub(crate) without_thread: u64,
    /// No thread that was forgotten had more samples.
    forgotten: u64,
    pub(crate) samples: u64,
    /// How many samples have a stack that was cut because there are too many.
    pub(crate) cut: u64,
    /// How often stacks and frames got other places, since there were too many.
    pub(crate) prunings: u32,
    /// Times of the first and the last sample.
    pub(crate) times: Option<(Nanos, Nanos)>,
    pub(crate) rows: Rows<Sampled>,
    /// Samples in each bucket of time.
    counts: Option<(Rings<u32>, RingId)>,
}

impl TimeProfile {
    /// Takes the tick interval from PROF_BEGIN; the first one counts.
    pub(crate) fn tell(&mut self, interval: Nanos) {
        // Damaged logs may say 0.
        if interval > Nanos(0) {
            self.interval.get_or_insert(interval);
        }
    }

    pub(crate) fn caps(&self) -> &[OfCap] {
        &self.caps
    }

    pub(crate) fn threads(&self) -> &[SampledThread] {
        &self.threads
    }

    /// Adds a sample of a capability. Most of a stack is the same as in the previous sample: only new frames are looked up.
    pub(crate) fn sample(&mut self, time: Nanos, sample: ProfSampleCostCentre<'_>) {
        self.make_room(sample.stack.depth());
        let cap = cap_of(sample.cap);
        let place = self.cap(CapNo(cap));
        let of_cap = place.and_then(|place| self.caps.get_mut(place));
        let mut last = of_cap.map(|of| core::mem::take(&mut of.last)).unwrap_or_default();
        let mut stack = self.begin();
        let centre = |bytes: &[u8; 4]| CostCentreId(u32::from_be_bytes(*bytes));
        let ids = sample.stack.0;
        let same = ids.iter().rev().zip(&last).take_while(|(bytes, (id, _))| centre(bytes) == *id).count();
        last.truncate(same);
        stack.node = last.last().map_or(ROOT, |(_, node)| *node);
        for bytes in ids.iter().rev().skip(same) {
            if !self.tree.enter(&mut stack, Frame::CostCentre(centre(bytes))) {
                break;
            }
            last.push((centre(bytes), stack.node));
        }
        if let Some((place, of)) = place.and_then(|place| Some((place, self.caps.get_mut(place)?))) {
            of.samples += 1;
            of.last = if place < limits::MAX_LAST_STACKS { last } else { LastStack::new() };
        }
        self.end(stack, Frame::Main, Sampled { time, node: ROOT, cap, thread: NO_THREAD });
    }

    /// A capability's place in [`Self::caps`], added if necessary; `None` if there are too many.
    fn cap(&mut self, cap: CapNo) -> Option<usize> {
        let next = self.caps.get(self.next_cap).is_some_and(|of| of.cap == cap);
        let place = if next { self.next_cap } else { self.look_for_cap(cap)? };
        self.next_cap = if place + 1 < self.caps.len() { place + 1 } else { 0 };
        Some(place)
    }

    fn look_for_cap(&mut self, cap: CapNo) -> Option<usize> {
        match self.caps.binary_search_by_key(&cap, |of| of.cap) {
            Ok(place) => Some(place),
            Err(_) if self.caps.len() >= limits::MAX_CAPS => None,
            Err(place) => {
                self.caps.insert(place, OfCap { cap, samples: 0, last: LastStack::new() });
                if let Some(one_too_many) = self.caps.get_mut(limits::MAX_LAST_STACKS) {
                    one_too_many.last = LastStack::new();
                }
                Some(place)
            }
        }
    }

    /// Adds a sample of a thread, as ghc-stack-profiler writes them.
    pub(crate) fn sample_of_thread(&mut self, time: Nanos, sample: &ThreadSample<'_>) {
        self.make_room(sample.frames.len());
        let mut stack = self.begin();
        stack.is_cut = sample.is_cut;
        for frame in sample.frames {
            if !self.tree.enter(&mut stack, *frame) {
                break;
            }
        }
        let thread = self.thread(self.numbering.of(sample.thread));
        if let Some(of) = self.threads.get_mut(usize::from(thread)) {
            of.samples += 1;
        }
        let cap = cap_of(sample.cap);
        self.end(stack, Frame::Empty, Sampled { time, node: ROOT, cap, thread });
    }

    /// A thread's place in [`Self::threads`], added if necessary. If there are too many, [half](half_that_counts) of them are forgotten. One
    /// that comes then may be one of these, and may have had as many samples as any of them.
    fn thread(&mut self, id: ThreadId) -> u16 {
        if let Some(at) = self.by_thread.find_number(id.0.into()) {
            return at as u16;
        }
        if self.threads.len() >= limits::MAX_SAMPLED_THREADS {
            self.forget_threads();
        }
        let at = self.threads.len() as u16;
        self.threads.push(SampledThread { id, samples: 0, before: u32::try_from(self.forgotten).unwrap_or(u32::MAX) });
        self.by_thread.insert_number(id.0.into(), at.into());
        at
    }

    #[cold]
    fn forget_threads(&mut self) {
        let samples: Vec<(u64, u64)> = self.threads.iter().map(|of| (of.samples, of.before.into())).collect();
        let places = half_that_counts(&samples);
        let Self { threads, without_thread, forgotten, .. } = self;
        places.drop_from(threads, |of| {
            *without_thread += of.samples;
            *forgotten = (of.samples + u64::from(of.before)).max(*forgotten);
        });
        self.move_threads(&|place| places.get(place));
    }

    /// Threads have other places now. Samples of those that have none are of no thread.
    fn move_threads(&mut self, now: &dyn Fn(u32) -> Option<u32>) {
        self.by_thread.retain(now);
        self.rows.each_mut(|row| {
            if row.thread < OTHER_THREAD {
                row.thread = now(row.thread.into()).map_or(OTHER_THREAD, |place| place as u16);
            }
        });
    }

    /// Puts the threads with the most samples first.
    fn sort_threads(&mut self) {
        let order = by_most(self.threads.len(), |place| self.threads.get(place as usize).map_or(0, |of| of.samples));
        let mut now = alloc::vec![0; order.len()];
        for (old, new) in order.iter().zip(0..) {
            now.get_mut(*old as usize).into_iter().for_each(|place| *place = new);
        }
        self.threads = order.iter().filter_map(|old| self.threads.get(*old as usize).copied()).collect();
        self.move_threads(&|place| now.get(place as usize).copied());
    }

    /// Makes room in the tree for a stack of some frames.
    #[inline]
    fn make_room(&mut self, depth: usize) {
        if !self.tree.has_room(depth) {
            self.prune();
        }
    }

    #[cold]
    fn prune(&mut self) {
        let places = self.tree.prune();
        self.prunings += 1;
        self.rows.each_mut(|row| row.node = places.get(row.node as usize).copied().unwrap_or(ROOT));
        self.caps.iter_mut().for_each(|of| of.last.clear());
    }

    /// Counts a sample; its frames follow, outermost first.
    fn begin(&mut self) -> Entered {
        self.samples += 1;
        Entered::begin()
    }

    /// Adds the sample to its complete stack; the frame `none` is for an empty stack.
    fn end(&mut self, mut stack: Entered, none: Frame, row: Sampled) {
        self.tree.end(&mut stack, none, 1);
        self.cut += u64::from(stack.is_cut);
        let (first, last) = self.times.unwrap_or((row.time, row.time));
        self.times = Some((first.min(row.time), last.max(row.time)));
        let (counts, ring) = self.counts.get_or_insert_with(|| {
            let mut counts = Rings::new(limits::SAMPLE_COUNTS_LOG2, size_of::<u32>() << limits::SAMPLE_COUNTS_LOG2);
            let ring = counts.add_ring();
            (counts, ring)
        });
        counts.add(*ring, row.time, 1);
        self.rows.push(Sampled { node: stack.node, ..row }, limits::MAX_TIME_SAMPLES);
    }

    /// The tick interval from the log. Without one: the median time between two samples of one capability, or, for threads,
    /// of the thread with the most samples.
    pub(crate) fn tick(&self) -> Option<Nanos> {
        if self.interval.is_some() {
            return self.interval;
        }
        let rows = Some(self.rows.kept()).filter(|_| self.rows.stride() == 1)?;
        let cap = rows.first()?.cap;
        let most = (0..).zip(&self.threads).max_by_key(|(_, of)| of.samples);
        let (mut gaps, mut before) = (Vec::<(u64, u32)>::new(), None::<Nanos>);
        for row in rows {
            if most.map_or(row.cap == cap, |(thread, _)| row.thread == thread)
                && let Some(before) = before.replace(row.time)
            {
                gaps.push((row.time.since(before).0, 0));
            }
        }
        sort_pairs(&mut gaps);
        gaps.get(gaps.len() / 2).map(|(gap, _)| Nanos(*gap))
    }

    /// Width of the buckets in which samples are counted.
    pub(crate) fn bucket(&self) -> Nanos {
        self.counts.as_ref().map_or(Nanos(1), |(counts, _)| counts.bucket())
    }

    /// Samples in the buckets that begin within `from..to`.
    pub(crate) fn count_between(&self, from: Nanos, to: Nanos) -> u64 {
        let counts = self.counts.as_ref();
        counts.map_or(0, |(counts, ring)| counts.between(*ring, from, to).map(u64::from).sum())
    }

    /// Sorts what has been read so far.
    pub(crate) fn settle(&mut self) {
        self.rows.settle();
    }

    /// Ends the profile. `same` has the first of all frames that mean the same as a frame does.
    pub(crate) fn finish(&mut self, same: &dyn Fn(Frame) -> Frame) {
        self.rows.finish();
        self.sort_threads();
        let Some(places) = self.tree.replace(same) else { return };
        self.rows.each_mut(|row| row.node = places.get(row.node as usize).copied().unwrap_or(ROOT));
        self.caps.iter_mut().for_each(|of| of.last.clear());
    }

    pub(crate) fn bytes_held(&self) -> usize {
        self.tree.bytes_held()
            + self.caps.iter().map(|of| of.last.capacity()).sum::<usize>() * size_of::<(CostCentreId, u32)>()
            + self.caps.capacity() * size_of::<OfCap>()
            + self.threads.capacity() * size_of::<SampledThread>()
            + self.by_thread.bytes_held()
            + self.rows.bytes_held()
            + self.counts.as_ref().map_or(0, |(counts, _)| counts.bytes_held())
    }
}

/// Samples have 32 bits for a capability's number; numbers beyond 16 bits belong to no capability.
pub(crate) fn cap_of(number: u32) -> u16 {
    u16::try_from(number).unwrap_or(CapNo::GLOBAL.0)
}

#[cfg(test)]
mod tests;
