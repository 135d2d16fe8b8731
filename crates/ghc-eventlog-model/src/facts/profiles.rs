//! What the profiles say of a scope: made once, when the first of its figures or rows is asked for.

use super::scope::Scope;
use crate::{
    known::{
        Known,
        band_names::{BY_ERA, names_of},
        frames::module,
    },
    limits,
    profiles::{
        bands::HeapProfile,
        censuses::Entry,
        courses::levels,
        held::held_stacks,
        stacks::{Sampled, TimeProfile},
        ticky::Counts,
        totals::{Held, Times},
        tree::StackTree,
    },
    sorting::{by_least, by_most, by_most_of_two},
    terms::{frame::Frame, value::Value},
};
use alloc::{string::String, vec::Vec};
use core::cell::OnceCell;
use ghc_eventlog::Nanos;

/// What has been made so far; `None` in it where a range cannot be told, since not all that came is kept.
#[derive(Default)]
pub(crate) struct ProfilesIn {
    bands: OnceCell<Option<Bands>>,
    compared: OnceCell<Option<Compared>>,
    held_stacks: OnceCell<Option<HeldStacks>>,
    band_names: OnceCell<Vec<String>>,
    levels: OnceCell<Option<Vec<u64>>>,
    time: OnceCell<Option<Samples>>,
    modules: OnceCell<Option<Modules>>,
    ticky: OnceCell<Option<Vec<Counts>>>,
}

/// The bands of the heap profile.
pub(crate) struct Bands {
    /// By the band's place in the profile.
    pub(crate) held: Vec<Held>,
    /// All together.
    pub(crate) all: Held,
    pub(crate) times: Times,
    /// The most that each held at the ends of a range, where that is between two censuses, with the time; none of the whole log.
    pub(crate) ends: Vec<(u64, Nanos)>,
    /// The places of those that held anything, the largest integral first; eras by their numbers.
    pub(crate) order: Vec<u32>,
}

/// Two censuses.
pub(crate) struct Compared {
    /// When they were.
    pub(crate) a: Nanos,
    pub(crate) b: Nanos,
    /// The place of each band that either has, and what it held in both: that first which grew most.
    pub(crate) rows: Vec<(u32, u64, u64)>,
}

/// The stacks of cost centres of a heap profile.
pub(crate) struct HeldStacks {
    /// With what each held on average over the time, in bytes.
    pub(crate) tree: StackTree,
    /// Whether some count for their outer parts.
    pub(crate) is_cut: bool,
    /// All together.
    pub(crate) bytes: u64,
    pub(crate) frames: OfFrames,
}

/// What there is of each frame of some stacks: samples, or bytes.
pub(crate) struct OfFrames {
    /// Of stacks in which it is innermost, and of those in which it stands at all, by its place.
    pub(crate) sums: Vec<(u64, u64)>,
    /// The places of those that have any: first those that are innermost in most.
    pub(crate) order: Vec<u32>,
}

/// How many bytes more one size is than another.
pub(crate) fn change(a: u64, b: u64) -> i64 {
    (i128::from(b) - i128::from(a)).clamp(i64::MIN.into(), i64::MAX.into()) as i64
}

/// The samples of the time profile.
pub(crate) struct Samples {
    pub(crate) count: u64,
    /// Of just that stack, by the stack's place.
    pub(crate) own: Vec<u64>,
    /// The places of the stacks that have samples, those with the most first.
    pub(crate) order: Vec<u32>,
    pub(crate) frames: OfFrames,
    /// Of a thread, by its place.
    pub(crate) threads: Vec<u64>,
    /// The places of those that were sampled, those with the most first.
    pub(crate) order_of_threads: Vec<u32>,
}

impl Scope<'_> {
    /// What the bands held; `None` if that is not known of a range.
    pub(crate) fn bands(&self) -> Option<&Bands> {
        let heap = &self.known().stores.profiles.heap;
        let make = || {
            let (held, all, times, ends) = match self.range {
                None => (heap.bands().iter().map(|band| band.held).collect(), heap.all, heap.times, Vec::new()),
                Some(range) => {
                    let (censuses, _) = self.known().censuses_around(range.summed.from, range.summed.to);
                    let (from, to) = (range.summed.from, range.summed.to);
                    let (held, all, times) = heap.within(&censuses, from, to);
                    (held, all, times, heap.at_ends(&censuses, from, to))
                }
            };
            let order = in_order(self.known().breakdown() == Some(BY_ERA), heap, &held);
            Some(Bands { held, all, times, ends, order })
        };
        self.profiles().bands.get_or_init(make).as_ref()
    }

    /// The first census in a range and the last one. `None` of the whole log, and of a range with fewer than two: then there is
    /// nothing to compare.
    pub(crate) fn compared(&self) -> Option<&Compared> {
        let range = self.range?;
        let make = || {
            let (censuses, _) = self.known().censuses_around(range.summed.from, range.summed.to);
            let inside = censuses.get(self.within(&censuses, |(time, _)| *time))?;
            let (a, b) = (inside.first()?, inside.last()?);
            let mut held = alloc::vec![(0u64, 0u64); self.known().stores.profiles.heap.bands().len()];
            let mut add = |entries: &[Entry], of: fn(&mut (u64, u64)) -> &mut u64| {
                for entry in entries {
                    if let Some(held) = held.get_mut(entry.band as usize).map(of) {
                        *held = held.saturating_add(entry.bytes);
                    }
                }
            };
            add(&a.1, |(a, _)| a);
            add(&b.1, |(_, b)| b);
            let of = |place: u32| held.get(place as usize).copied().unwrap_or_default();
            // What grew is above the middle of all numbers, what shrank below it.
            let worth = |place| change(of(place).0, of(place).1) as u64 ^ 1 << 63;
            let order = by_most(held.len(), worth).into_iter().map(|place| (place, of(place).0, of(place).1));
            let rows = order.filter(|(_, a, b)| *a > 0 || *b > 0).collect();
            (a.0 < b.0).then_some(Compared { a: a.0, b: b.0, rows })
        };
        self.profiles().compared.get_or_init(make).as_ref()
    }

    /// The name of a band, by its place in the profile.
    pub(crate) fn band_name(&self, band: usize) -> Value {
        let names = self.profiles().band_names.get_or_init(|| names_of(self.known()));
        names.get(band).map_or(Value::Unknown, |name| Value::words(name.clone()))
    }

    /// The most that a band held in each of some pieces of the time, by its place in the profile; none if it is a single moment.
    pub(crate) fn levels(&self, band: usize) -> Option<&[u64]> {
        // A biographical census may be later than the log.
        let times = self.range.map_or((Nanos(0), Nanos::MAX), |range| (range.summed.from, range.summed.to));
        let make = || levels(&self.known().stores.profiles.heap, times);
        let all = self.profiles().levels.get_or_init(make).as_ref()?;
        all.get(band * limits::LEVELS..(band + 1) * limits::LEVELS)
    }

    /// What stacks of cost centres held; `None` if the bands are none.
    pub(crate) fn held_stacks(&self) -> Option<&HeldStacks> {
        let heap = &self.known().stores.profiles.heap;
        let make = || {
            let bands = self.bands().filter(|_| heap.is_of_stacks())?;
            let (tree, is_cut) = held_stacks(heap, &bands.held, &bands.times, self.range.is_none());
            let (own, others) = (tree.own(), tree.met().len() as u32);
            let (bytes, frames) = (own.iter().sum(), OfFrames::of(&tree, &own, tree.beyond(), Some(others)));
            Some(HeldStacks { tree, is_cut, bytes, frames })
        };
        self.profiles().held_stacks.get_or_init(make).as_ref()
    }

    /// Whether some censuses of a range are not counted in it, since they are not kept.
    pub(crate) fn misses_censuses(&self) -> bool {
        self.range.is_some_and(|range| !self.known().censuses_around(range.summed.from, range.summed.to).1)
    }

    /// What was sampled; likewise.
    pub(crate) fn samples(&self) -> Option<&Samples> {
        let time = &self.known().stores.profiles.time;
        let make = || match self.range {
            None => {
                let own = time.tree.own();
                let threads = time.threads().iter().map(|of| of.samples).collect();
                Some(Samples::with(time, time.samples, own, threads, time.tree.beyond()))
            }
            Some(range) => {
                let rows = Some(time.rows.kept()).filter(|_| time.rows.stride() == 1)?;
                let rows = rows.get(self.within(rows, |row| row.time))?;
                debug_assert!(rows.iter().all(|row| range.summed.from <= row.time));
                Some(Samples::of(time, rows))
            }
        };
        self.profiles().time.get_or_init(make).as_ref()
    }

    /// The same by module; likewise.
    pub(crate) fn modules(&self) -> Option<&Modules> {
        let make = || Some(Modules::of(self.known(), self.samples()?));
        self.profiles().modules.get_or_init(make).as_ref()
    }

    /// What each ticky counter counted; likewise, and `None` if there is no sample of them.
    pub(crate) fn counters(&self) -> Option<&Vec<Counts>> {
        let ticky = &self.known().stores.profiles.ticky;
        let make = || match self.range {
            None => (ticky.samples > 0).then(|| ticky.counters().iter().map(|counter| counter.counts).collect()),
            Some(range) => ticky.within(range.summed.from, range.summed.to),
        };
        self.profiles().ticky.get_or_init(make).as_ref()
    }
}

impl Samples {
    /// Some of all samples.
    fn of(time: &TimeProfile, rows: &[Sampled]) -> Self {
        let mut own = alloc::vec![0u64; time.tree.nodes.len()];
        let mut threads = alloc::vec![0u64; time.threads().len()];
        for row in rows {
            if let Some(own) = own.get_mut(row.node as usize) {
                *own += 1;
            }
            if let Some(samples) = threads.get_mut(usize::from(row.thread)) {
                *samples += 1;
            }
        }
        Self::with(time, rows.len() as u64, own, threads, &[])
    }

    /// `beyond`: [what there is](StackTree::beyond) of frames beyond the stacks.
    fn with(time: &TimeProfile, count: u64, own: Vec<u64>, threads: Vec<u64>, beyond: &[(u64, u64)]) -> Self {
        let frames = OfFrames::of(&time.tree, &own, beyond, None);
        let (order, order_of_threads) = (some_by_most(&own), some_by_most(&threads));
        Self { count, own, order, frames, threads, order_of_threads }
    }
}

impl OfFrames {
    /// `beyond`: what there is of frames beyond the stacks, which have it as [`Frame::Deeper`], or as the frame `others`.
    fn of(tree: &StackTree, own: &[u64], beyond: &[(u64, u64)], others: Option<u32>) -> Self {
        // Of a heap profile, one frame more is all that is no stack.
        let each: Vec<u32> = (0..=tree.met().len() as u32).collect();
        let mut sums = in_all(tree, own, &each);
        let mut known = 0;
        for ((inner, all), (own, more)) in sums.iter_mut().zip(beyond) {
            (*inner, *all) = (*inner + own, *all + more);
            known += own;
        }
        // Of these, the innermost frame is known after all.
        for frame in [tree.find(Frame::Deeper), others].into_iter().flatten() {
            let Some((inner, _)) = sums.get_mut(frame as usize) else { continue };
            let of_these = known.min(*inner);
            (*inner, known) = (*inner - of_these, known - of_these);
        }
        let of = |frame: u32| sums.get(frame as usize).copied().unwrap_or_default();
        let mut order = by_most_of_two(sums.len(), |frame| of(frame).0, |frame| of(frame).1);
        order.retain(|frame| of(*frame).1 > 0);
        Self { sums, order }
    }

    /// The frame at a place of the order, what is of stacks in which it is innermost, and of all.
    pub(crate) fn get(&self, place: usize) -> Option<(u32, u64, u64)> {
        let frame = *self.order.get(place)?;
        let (own, all) = *self.sums.get(frame as usize)?;
        Some((frame, own, all))
    }
}

/// The places of what is not 0, the most first.
fn some_by_most(counts: &[u64]) -> Vec<u32> {
    let of = |place: u32| counts.get(place as usize).copied().unwrap_or(0);
    let mut order = by_most(counts.len(), of);
    order.retain(|place| of(*place) > 0);
    order
}

/// What there is of some stacks by things that the frames of each are of, as modules, or the frames themselves: of how much the innermost
/// frame is of one, and of how much any is, however many are. `of` has the thing's number for each frame; there are no more than frames.
fn in_all(tree: &StackTree, own: &[u64], of: &[u32]) -> Vec<(u64, u64)> {
    let mut sums = alloc::vec![(0, 0); of.len()];
    let mut counted = alloc::vec![u32::MAX; of.len()];
    for (node, &own) in (0..).zip(own).filter(|(_, own)| **own > 0) {
        for (depth, frame) in tree.path(node).enumerate() {
            let Some(at) = of.get(frame as usize).map(|at| *at as usize) else { continue };
            let (Some((inner, all)), Some(counted)) = (sums.get_mut(at), counted.get_mut(at)) else { continue };
            *inner += if depth == 0 { own } else { 0 };
            if core::mem::replace(counted, node) != node {
                *all += own;
            }
        }
    }
    sums
}

/// The samples of the time profile by the modules of the frames.
pub(crate) struct Modules {
    /// A frame of each module stands for all that are of it.
    pub(crate) frames: OfFrames,
    /// How long a sample stands for.
    pub(crate) tick: Option<Nanos>,
}

impl Modules {
    fn of(known: &Known, samples: &Samples) -> Self {
        let time = &known.stores.profiles.time;
        let frames = time.tree.met().len();
        let module = |frame| module(known, frame).number();
        // Frames of one module follow one another: the first one stands for all.
        let mut of = alloc::vec![0; frames];
        let mut first = 0;
        for frame in by_least(frames, module) {
            first = if module(first) == module(frame) { first } else { frame };
            if let Some(of) = of.get_mut(frame as usize) {
                *of = first;
            }
        }
        let mut sums = in_all(&time.tree, &samples.own, &of);
        // Where stacks are shortened, its frames have more than these say: in all, no less than any of them.
        sums.iter_mut().for_each(|(inner, _)| *inner = 0);
        for (at, (own, total)) in of.iter().zip(&samples.frames.sums) {
            let Some((inner, all)) = sums.get_mut(*at as usize) else { continue };
            *inner += own;
            *all = (*all).max(*total).max(*inner);
        }
        let sum = |frame: u32| sums.get(frame as usize).copied().unwrap_or_default();
        let mut order = by_most(frames, |frame| sum(frame).0);
        order.retain(|frame| sum(*frame).1 > 0);
        Self { frames: OfFrames { sums, order }, tick: time.tick() }
    }
}

/// The places of the bands that held anything, in the order in which they are shown.
fn in_order(is_by_era: bool, heap: &HeapProfile, held: &[Held]) -> Vec<u32> {
    let of = |place: u32| held.get(place as usize).copied().unwrap_or_default();
    let mut order = if is_by_era {
        let number = |place: u32| -> Option<u64> { heap.label_of(heap.bands().get(place as usize)?)?.parse().ok() };
        by_least(held.len(), |place| number(place).unwrap_or(u64::MAX))
    } else {
        // As a floating-point number, whose bits are in the order of the numbers: those that it takes for equal nobody tells apart.
        // Of a single census, nothing has an integral.
        let area = |place: u32| (of(place).integral() as f64).to_bits();
        by_most_of_two(held.len(), area, |place| of(place).most)
    };
    order.retain(|place| of(*place).is_known());
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::frame::Frame;
    use ghc_eventlog::{CostCentreId, CostCentreStack, ProfSampleCostCentre};

    #[test]
    fn a_cost_centre_counts_once_in_a_stack_however_often_it_stands_there() {
        let mut time = TimeProfile::default();
        let stacks: [&[u32]; 4] = [&[2, 1], &[2, 2, 1], &[1], &[3, 2, 1, 2]];
        for stack in stacks {
            let ids: Vec<[u8; 4]> = stack.iter().map(|id| id.to_be_bytes()).collect();
            time.sample(Nanos(0), ProfSampleCostCentre { cap: 0, tick: 0, stack: CostCentreStack(&ids) });
        }
        let samples = Samples::with(&time, time.samples, time.tree.own(), Vec::new(), &[]);
        let place = |id: u32| time.tree.met().iter().position(|frame| *frame == Frame::CostCentre(CostCentreId(id)));
        let of = |id: u32| samples.frames.sums[place(id).expect("it was met")];
        assert_eq!([1, 2, 3].map(of), [(1, 4), (2, 3), (1, 1)]);
        assert_eq!(samples.count, 4);
    }
}
