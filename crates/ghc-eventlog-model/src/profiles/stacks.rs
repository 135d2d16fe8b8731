//! The time profile. At each tick, the runtime writes the stack of cost centres of each capability, including idle ones; or a
//! library writes the stacks of threads. The stacks form a tree; each of its nodes has the samples of exactly that stack.

use super::{
    messages::ThreadSample,
    tree::{Entered, ROOT, StackTree},
};
use crate::{
    keeping::{
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
    has_dropped_threads: bool,
    /// The number of samples, and of those whose stack was cut because there are too many stacks.
    pub(crate) samples: u64,
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

    /// A thread's place in [`Self::threads`], added if necessary. If there are too many, those with few samples give their places.
    fn thread(&mut self, id: ThreadId) -> u16 {
        if let Some(at) = self.by_thread.find_number(id.0.into()) {
            return at as u16;
        }
        if self.threads.len() >= limits::MAX_SAMPLED_THREADS {
            self.sort_threads(limits::MAX_SAMPLED_THREADS / 2);
            self.has_dropped_threads = true;
        }
        let at = self.threads.len() as u16;
        self.threads.push(SampledThread { id, samples: 0 });
        self.by_thread.insert_number(id.0.into(), at.into());
        at
    }

    /// Sorts the threads by their samples, and keeps the first `most` of them: samples of the others are of no thread.
    fn sort_threads(&mut self, most: usize) {
        let places = by_most(self.threads.len(), |place| self.threads.get(place as usize).map_or(0, |of| of.samples));
        let kept = places.get(..most).unwrap_or(&places);
        let mut moved = alloc::vec![OTHER_THREAD; self.threads.len()];
        let mut threads = Vec::with_capacity(self.threads.len());
        self.by_thread.clear();
        for (place, at) in kept.iter().zip(0u16..) {
            let (Some(of), Some(to)) = (self.threads.get(*place as usize), moved.get_mut(*place as usize)) else {
                continue;
            };
            *to = at;
            self.by_thread.insert_number(of.id.0.into(), at.into());
            threads.push(*of);
        }
        self.threads = threads;
        // Whose samples are of capabilities, or of no thread, stay so.
        self.rows.each_mut(|row| row.thread = moved.get(usize::from(row.thread)).copied().unwrap_or(row.thread));
    }

    /// Whether there were too many threads to keep all: a thread may have had more samples, before it was kept.
    pub(crate) fn has_dropped_threads(&self) -> bool {
        self.has_dropped_threads
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
        self.sort_threads(usize::MAX);
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
mod tests {
    use super::*;
    use crate::terms::frame::StringId;
    use ghc_eventlog::CostCentreStack;

    fn profile(samples: &[(u64, &[u32])]) -> TimeProfile {
        let mut profile = TimeProfile::default();
        for (tick, stack) in samples {
            let ids: Vec<[u8; 4]> = stack.iter().map(|id| id.to_be_bytes()).collect();
            let sample = ProfSampleCostCentre { cap: 0, tick: *tick, stack: CostCentreStack(&ids) };
            profile.sample(Nanos(*tick * 1000), sample);
        }
        profile.finish(&|frame| frame);
        profile
    }

    /// Frames that a stack shares with the previous one are not looked up: the resulting stack does not depend on what came
    /// before.
    #[test]
    fn a_sample_s_stack_does_not_depend_on_earlier_samples() {
        let stacks: [&[u32]; 6] = [&[], &[1], &[2, 1], &[2, 2, 1], &[3, 2, 1, 2], &[1, 2, 1]];
        let mut profile = TimeProfile::default();
        let mut expected = Vec::new();
        for at in 0..500u64 {
            let stack = stacks[(at * at % 13 % 6) as usize];
            let ids: Vec<[u8; 4]> = stack.iter().map(|id| id.to_be_bytes()).collect();
            let cap = (at % 7 % 3) as u32 * 1000;
            profile.sample(Nanos(at), ProfSampleCostCentre { cap, tick: at, stack: CostCentreStack(&ids) });
            let frames = stack.iter().rev().map(|id| Frame::CostCentre(CostCentreId(*id)));
            expected.push(if stack.is_empty() { alloc::vec![Frame::Main] } else { frames.collect() });
        }
        profile.finish(&|frame| frame);
        let found: Vec<Vec<Frame>> = profile.rows.kept().iter().map(|row| profile.tree.stack(row.node)).collect();
        assert_eq!(found, expected);
        let caps: Vec<(u16, u64)> = profile.caps().iter().map(|of| (of.cap.0, of.samples)).collect();
        assert_eq!(caps, [(0, 214), (1000, 143), (2000, 143)]);
    }

    #[test]
    fn a_stack_is_found_again() {
        let profile = profile(&[(1, &[2, 1]), (2, &[3, 1]), (3, &[2, 1]), (4, &[])]);
        let id = |frame: Frame| if let Frame::CostCentre(id) = frame { id.0 } else { 0 };
        let stack = |node: u32| profile.tree.stack(node).into_iter().map(id).collect();
        let stacks: Vec<(Vec<u32>, u64)> =
            (0..).zip(&profile.tree.nodes).map(|(at, node)| (stack(at), node.own)).collect();
        assert_eq!(stacks, [(alloc::vec![1], 0), (alloc::vec![1, 2], 2), (alloc::vec![1, 3], 1), (alloc::vec![0], 1)]);
        assert_eq!(profile.rows.kept().last().map(|row| row.node), Some(3));
    }

    #[test]
    fn the_tick_is_the_logged_interval_or_the_median_time_between_samples() {
        let mut known = profile(&[(1, &[1]), (2, &[1]), (3, &[1]), (9, &[1])]);
        assert_eq!(known.tick(), Some(Nanos(1000)));
        known.tell(Nanos(5));
        assert_eq!(known.tick(), Some(Nanos(5)));
        assert_eq!(profile(&[(1, &[1])]).tick(), None);
    }

    fn of_thread(profile: &mut TimeProfile, time: u64, thread: u32, names: &[u64]) {
        let frames: Vec<Frame> = names.iter().map(|name| Frame::Named(StringId(*name as u32))).collect();
        let (thread, frames) = (ThreadId(thread), &frames[..]);
        profile.sample_of_thread(Nanos(time), &ThreadSample { cap: 0, thread, frames, is_cut: false });
    }

    /// All threads are sampled at once, so there is hardly any time between most samples of a capability.
    #[test]
    fn a_tick_of_threads_is_the_time_between_samples_of_one_thread() {
        let mut profile = TimeProfile::default();
        for tick in 1..5 {
            (1..9).for_each(|thread| of_thread(&mut profile, tick * 10_000 + u64::from(thread), thread, &[1, 2]));
        }
        of_thread(&mut profile, 70_000, 3, &[]);
        profile.finish(&|frame| frame);
        assert_eq!(profile.tick(), Some(Nanos(10_000)));
        assert_eq!((profile.samples, profile.threads().len(), profile.caps().len()), (33, 8, 0));
        // The one with the most samples comes first.
        assert_eq!((profile.threads()[0].id.0, profile.threads()[0].samples, profile.threads()[3].samples), (3, 5, 4));
        assert_eq!(profile.tree.stack(profile.rows.kept()[32].node), [Frame::Empty]);
    }

    /// Capabilities are sampled in turn at each tick: keeping every n-th sample would leave some with none.
    #[test]
    fn each_capability_keeps_its_share_of_very_many_samples() {
        let (mut profile, caps) = (TimeProfile::default(), 16);
        for tick in 0..8 * limits::MAX_TIME_SAMPLES as u64 / u64::from(caps) {
            for cap in 0..caps {
                profile.sample(Nanos(tick * 1000), ProfSampleCostCentre { cap, tick, stack: CostCentreStack(&[]) });
            }
        }
        profile.finish(&|frame| frame);
        let kept = |cap: u32| profile.rows.kept().iter().filter(|row| u32::from(row.cap) == cap).count();
        let share = profile.rows.kept().len() / caps as usize;
        assert!(profile.rows.stride() > 1 && (0..caps).all(|cap| kept(cap).abs_diff(share) < share / 4));
    }

    /// The one with most samples comes late, and threads with one sample each after it.
    #[test]
    fn the_threads_with_the_most_samples_are_kept_and_come_first() {
        for all in [300, 3 * limits::MAX_SAMPLED_THREADS as u32] {
            let mut profile = TimeProfile::default();
            let most = all / 3 * 2;
            for thread in 1..=all {
                for nth in 0..if thread == most { 900 } else { 1 } {
                    of_thread(&mut profile, u64::from(thread) * 1000 + nth, thread, &[1]);
                }
            }
            profile.finish(&|frame| frame);
            let first = profile.threads()[0];
            assert_eq!((first.id.0, first.samples), (most, 900));
            assert_eq!(profile.rows.kept().iter().filter(|row| row.thread == 0).count(), 900);
            assert!(profile.threads().len() <= limits::MAX_SAMPLED_THREADS);
            assert_eq!(profile.has_dropped_threads(), all > 300);
            // Of threads with the same number of samples, the earlier one comes first.
            assert!(profile.threads()[1..].is_sorted_by_key(|of| of.id.0));
        }
    }

    #[test]
    fn stacks_are_bounded() {
        let mut profile = TimeProfile::default();
        for id in 0..limits::MAX_STACKS as u32 + 5 {
            let ids = [(id % 100).to_be_bytes(), (id / 100).to_be_bytes()];
            profile.sample(Nanos(1), ProfSampleCostCentre { cap: 0, tick: 1, stack: CostCentreStack(&ids) });
        }
        assert!(profile.prunings == 1 && profile.cut == 0 && profile.tree.nodes.len() <= limits::MAX_STACKS);
        assert_eq!(profile.tree.nodes.iter().map(|node| node.own).sum::<u64>(), limits::MAX_STACKS as u64 + 5);
        for thread in 0..limits::MAX_SAMPLED_THREADS as u32 + 5 {
            of_thread(&mut profile, 1, thread, &[]);
        }
        assert_eq!(profile.threads().len(), limits::MAX_SAMPLED_THREADS / 2 + 5);
        assert!(profile.has_dropped_threads());
        // Threads that are not kept are on no capability, either.
        let of_caps = profile.rows.kept().iter().filter(|row| !row.is_of_thread() && row.time == Nanos(1)).count();
        let of_threads = profile.rows.kept().iter().filter(|row| row.is_of_thread()).count();
        assert_eq!((of_caps, of_threads), (limits::MAX_STACKS + 5, limits::MAX_SAMPLED_THREADS + 5));
    }
}
