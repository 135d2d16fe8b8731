//! Equal stacks put together, those with the most samples, or bytes, first. Groups are only made of what can be seen.

use super::{
    FlameFrame,
    sheet::Sheet,
    stacks::{Stacks, Weighed},
};
use crate::sorting::sort_pairs;
use alloc::vec::Vec;

/// What stands below a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StackDirection {
    /// What it called.
    Down,
    /// What called it.
    Up,
}

/// Draws frames, each of the stacks that come to it on the same way.
pub(super) fn draw_grouped(stacks: &Stacks<'_>, direction: StackDirection, roots: Vec<Weighed>, sheet: &mut Sheet) {
    // The stacks below a frame, where that begins, and how deep they are; the leftmost last.
    let mut waiting = alloc::vec![(0, 0, roots)];
    while let Some((mut x, depth, items)) = waiting.pop() {
        let first = waiting.len();
        let (pairs, groups) = groups(stacks, &items);
        for (inverse, begin) in groups {
            let (from, width) = (x, !inverse);
            x += width;
            if !sheet.shows(from, width) {
                continue;
            }
            if !sheet.has_room(width, depth) {
                sheet.left_out += 1;
                continue;
            }
            let same = pairs.get(begin as usize..).unwrap_or_default();
            let name = same.first().map_or(0, |(frame, _)| *frame);
            let (mut own, mut below) = (0, Vec::new());
            for (_, place) in same.iter().take_while(|(frame, _)| *frame == name) {
                let Some((at, weight)) = items.get(*place as usize) else { continue };
                own += if direction == StackDirection::Down { stacks.own(*at) } else { 0 };
                stacks.add_below((*at, *weight), direction, &mut below);
            }
            sheet.frames.push(FlameFrame { x: from, width, depth, own, name: name as u32 });
            waiting.push((from, depth + 1, below));
        }
        if let Some(new) = waiting.get_mut(first..) {
            new.reverse();
        }
    }
}

/// Numbers, each with a place.
pub(super) type Pairs = Vec<(u64, u32)>;

/// The places of stacks by their innermost frames; and of each frame how much its stacks have, and where they begin among those: the
/// most first, as numbers that are the smaller the more it is.
pub(super) fn groups(stacks: &Stacks<'_>, items: &[Weighed]) -> (Pairs, Pairs) {
    let mut pairs = Vec::with_capacity(items.len());
    for (place, (at, weight)) in (0..).zip(items) {
        if let Some(node) = stacks.node(*at).filter(|_| *weight > 0) {
            pairs.push((u64::from(node.frame), place));
        }
    }
    sort_pairs(&mut pairs);
    let mut groups = Pairs::new();
    let mut last = u64::MAX;
    for (begin, (frame, place)) in (0..).zip(&pairs) {
        let weight = items.get(*place as usize).map_or(0, |(_, weight)| *weight);
        match groups.last_mut().filter(|_| *frame == last) {
            Some((inverse, _)) => *inverse -= weight,
            None => groups.push((!weight, begin)),
        }
        last = *frame;
    }
    sort_pairs(&mut groups);
    (pairs, groups)
}
