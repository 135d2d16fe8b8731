//! The stacks of a heap profile by cost centres (`-hc`) as a tree, each with the mean bytes over time of its band.

use super::{
    bands::{BandKey, HeapProfile, innermost},
    totals::{Held, Times},
    tree::{Entered, Node, ROOT, StackTree},
};
use crate::{keeping::places::Places, limits, sorting::by_most, terms::frame::Frame};
use alloc::vec::Vec;

/// The tree, and whether some stacks are shortened because there was no room for them. Bands that are not
/// stacks share a node below the root: its frame has the number after those that were [met](StackTree::met). `is_whole` says whether it is of
/// all of the log: then it is known of whom most of these are.
pub(crate) fn held_stacks(heap: &HeapProfile, held: &[Held], times: &Times, is_whole: bool) -> (StackTree, bool) {
    let (mut tree, mut is_cut, mut others) = (StackTree::default(), false, 0);
    let entries: usize = heap.bands().iter().map(|band| heap.stack_of(band).len()).sum();
    // If there may be too many stacks, those that come last are cut: the lightest.
    let bytes_of = |at: u32| held.get(at as usize).map_or(0, |held| held.mean_over_time(times));
    let order = by_most(heap.bands().len(), |at| if entries > limits::MAX_STACKS { bytes_of(at) } else { 0 });
    let both = order.iter().filter_map(|at| Some((heap.bands().get(*at as usize)?, held.get(*at as usize)?)));
    let mut rounded = RoundedOff::default();
    for (band, held) in both {
        let (is_stack, centres) = (matches!(band.key, BandKey::Stack(..)), heap.stack_of(band));
        let frame = innermost(centres.first().copied());
        let bytes = rounded.mean(if is_stack { frame.number() } else { NO_STACK }, held, times);
        if !is_stack {
            others += bytes;
            continue;
        }
        let mut stack = Entered::begin();
        for id in centres.iter().rev() {
            if !tree.enter(&mut stack, Frame::CostCentre(*id)) {
                tree.enter(&mut stack, Frame::Deeper);
                tree.add_beyond(frame, bytes);
                is_cut = true;
                break;
            }
        }
        tree.end(&mut stack, Frame::Main, bytes);
    }
    for (frame, held) in heap.beyond().filter(|_| is_whole) {
        tree.add_beyond(frame, rounded.mean(frame.number(), held, times));
    }
    if others > 0 {
        let frame = tree.met().len() as u32;
        tree.nodes.push(Node { parent: ROOT, frame, own: others });
    }
    (tree, is_cut)
}

/// What is rounded down of the mean of one band is added to the next one with the same innermost frame: there may be thousands that have
/// less than a byte on average each.
#[derive(Default)]
struct RoundedOff {
    places: Places,
    rests: Vec<u128>,
}

/// The number of no frame, for bands that are no stacks.
const NO_STACK: u64 = u64::MAX - 3;

impl RoundedOff {
    fn mean(&mut self, frame: u64, held: &Held, times: &Times) -> u64 {
        let place = self.places.find_number(frame).unwrap_or_else(|| {
            let place = self.rests.len() as u32;
            self.places.insert_number(frame, place);
            self.rests.push(0);
            place
        });
        let rest = self.rests.get_mut(place as usize);
        rest.map_or(0, |rest| held.mean_with(times, rest)).min(limits::MAX_HELD_BYTES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
    use ghc_eventlog::{CostCentreStack, Nanos, Text};

    /// Whether a stack has a band, gets one late, loses it, or never has one; and where there is no room for its outer part.
    #[test]
    fn all_bytes_count_for_the_innermost_cost_centre() {
        let mut below = crate::random::numbers(7);
        let stacks: Vec<Vec<[u8; 4]>> = (0..9000)
            .map(|_| {
                let inner = below(20) as u32 + 1;
                let outer = (0..60).map(|_| below(2000) as u32 + 100);
                core::iter::once(inner).chain(outer).map(u32::to_be_bytes).collect()
            })
            .collect();
        let (mut heap, mut by_centre) = (HeapProfile::default(), HeapProfile::default());
        for census in 0..5u64 {
            let time = Nanos(census * 7_000_000);
            heap.begin(time, 0);
            by_centre.begin(time, 0);
            for stack in stacks.iter().filter(|_| below(4) > 0).collect::<Vec<_>>() {
                let bytes = below(1000) * (1 + census * below(2)) * 1000;
                heap.stack(time, CostCentreStack(stack), bytes);
                let inner = format!("{}", u32::from_be_bytes(stack[0]));
                by_centre.label(time, Text(inner.as_bytes()), bytes);
            }
            heap.end(time);
            by_centre.end(time);
        }
        heap.finish();
        by_centre.finish();
        assert!(heap.is_capped() && heap.has_late_bands());
        let held: Vec<Held> = heap.bands().iter().map(|band| band.held).collect();
        let (tree, is_cut) = held_stacks(&heap, &held, &heap.times, true);
        assert!(is_cut);
        for band in by_centre.bands() {
            let id = by_centre.label_of(band).and_then(|label| label.parse().ok()).unwrap();
            let frame = tree.find(Frame::CostCentre(ghc_eventlog::CostCentreId(id))).unwrap();
            let own: u64 = tree.nodes.iter().filter(|node| node.frame == frame).map(|node| node.own).sum();
            let found = own + tree.beyond()[frame as usize].0;
            let real = band.held.mean_over_time(&by_centre.times);
            assert!(found.abs_diff(real) <= 1, "{id}: {found} of {real}");
        }
    }
}
