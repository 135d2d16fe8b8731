//! Equal stacks put together, those with the most samples first. Groups are only made of what can be seen.

use super::{
    FlameFrame,
    sheet::Sheet,
    stacks::{Stacks, Weighed},
};
use crate::{
    profiles::stacks::ROOT,
    sorting::{by_most, sort_pairs},
};
use alloc::vec::Vec;

/// What stands below a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    /// What it called.
    Down,
    /// What called it.
    Up,
}

/// Draws frames, each of the stacks that come to it on the same way.
#[inline(never)]
pub(super) fn draw_grouped(stacks: &Stacks<'_>, direction: Direction, roots: Vec<Weighed>, sheet: &mut Sheet) {
    // The stacks below a frame, where that begins, and how deep they are; the leftmost last.
    let mut waiting = alloc::vec![(0, 0, roots)];
    while let Some((mut x, depth, items)) = waiting.pop() {
        let first = waiting.len();
        for (frame, width, group) in groups(stacks, &items) {
            let from = x;
            x += width;
            if !sheet.shows(from, width) {
                continue;
            }
            if !sheet.has_room(width, depth) {
                sheet.left_out += 1;
                continue;
            }
            let own = match direction {
                Direction::Down => group.iter().map(|(at, _)| stacks.own(*at)).sum(),
                Direction::Up => 0,
            };
            sheet.frames.push(FlameFrame { x: from, width, depth, own, name: frame });
            waiting.push((from, depth + 1, below(stacks, direction, &group)));
        }
        if let Some(new) = waiting.get_mut(first..) {
            new.reverse();
        }
    }
}

/// The stacks that come next after those of a frame.
fn below(stacks: &Stacks<'_>, direction: Direction, group: &[Weighed]) -> Vec<Weighed> {
    let mut below = Vec::new();
    for (at, weight) in group {
        match direction {
            Direction::Down => below.extend(stacks.children(*at)),
            Direction::Up => {
                let parent = stacks.node(*at).map_or(ROOT, |node| node.parent);
                below.extend(Some((parent, *weight)).filter(|(parent, _)| *parent != ROOT));
            }
        }
    }
    below
}

/// Stacks by their innermost frame: the frame, how many samples its stacks have, and those. The most first.
fn groups(stacks: &Stacks<'_>, items: &[Weighed]) -> Vec<(u32, u64, Vec<Weighed>)> {
    let frame = |at: u32| stacks.node(at).map_or(ROOT, |node| node.centre);
    let mut pairs: Vec<(u64, u32)> = (0..)
        .zip(items)
        .filter(|(_, (_, weight))| *weight > 0)
        .map(|(place, (at, _))| (u64::from(frame(*at)), place))
        .collect();
    sort_pairs(&mut pairs);
    let mut groups: Vec<(u32, u64, Vec<Weighed>)> = Vec::new();
    for same in pairs.chunk_by(|(one, _), (other, _)| one == other) {
        let group: Vec<Weighed> = same.iter().filter_map(|(_, place)| items.get(*place as usize).copied()).collect();
        let (name, width) =
            (group.first().map_or(ROOT, |(at, _)| frame(*at)), group.iter().map(|(_, weight)| *weight).sum());
        groups.push((name, width, group));
    }
    let width = |place: u32| groups.get(place as usize).map_or(0, |(_, width, _)| *width);
    let order = by_most(groups.len(), width);
    order.into_iter().filter_map(|place| groups.get_mut(place as usize).map(core::mem::take)).collect()
}
