//! The stacks of a heap profile by cost centres (`-hc`) as a tree, each with the mean bytes over time of its band.

use super::{
    bands::{BandKey, HeapProfile},
    totals::{Held, Times},
    tree::{Entered, Node, ROOT, StackTree},
};
use crate::{limits, sorting::by_most, terms::frame::Frame};

/// The tree, and whether some stacks count for their outer parts because there was no room for them. Bands that are not
/// stacks share a node below the root: its frame has the number after those that were [met](StackTree::met).
pub(crate) fn held_stacks(heap: &HeapProfile, held: &[Held], times: &Times) -> (StackTree, bool) {
    let (mut tree, mut is_cut, mut others) = (StackTree::default(), false, 0);
    let entries: usize = heap.bands().iter().map(|band| heap.stack_of(band).len()).sum();
    // If there may be too many stacks, those that come last are cut: the lightest.
    let bytes_of = |at: u32| held.get(at as usize).map_or(0, |held| held.mean_over_time(times));
    let order = by_most(heap.bands().len(), |at| if entries > limits::MAX_STACKS { bytes_of(at) } else { 0 });
    let both = order.iter().filter_map(|at| Some((heap.bands().get(*at as usize)?, held.get(*at as usize)?)));
    for (band, held) in both {
        let bytes = held.mean_over_time(times).min(limits::MAX_HELD_BYTES);
        if !matches!(band.key, BandKey::Stack(..)) {
            others += bytes;
            continue;
        }
        let mut stack = Entered::begin();
        for id in heap.stack_of(band).iter().rev() {
            if !tree.enter(&mut stack, Frame::CostCentre(*id)) {
                break;
            }
        }
        tree.end(&mut stack, Frame::Main, bytes);
        is_cut |= stack.is_cut;
    }
    if others > 0 {
        let frame = tree.met().len() as u32;
        tree.nodes.push(Node { parent: ROOT, frame, own: others });
    }
    (tree, is_cut)
}
