//! Which stacks are kept when there are too many: the heaviest.
//!
//! ```text
//! main ─┬─ serve 900 ─┬─ a 1            main ─┬─ serve 900 ── (deeper, not kept) 2
//!       │             └─ b 1      →           └─ (deeper, not kept) 3
//!       └─ once ── c 3
//! ```
//!
//! What is removed is never heavier than what stays, so no sum of a stack that stays is wrong. But a stack that was removed may come again:
//! then it begins at 0. So each stack may lack as much as the heaviest that was removed each time, all these together.
//!
//! A frame may be innermost in many light stacks, as a function that all others call. So what the stacks say no longer of a frame is counted
//! with the frame: `a` 1, `b` 1, `c` 3, and `once` 3 in all.

use super::{ROOT, StackTree};
use crate::{
    limits,
    sorting::{by_least, by_most},
    terms::frame::Frame,
};
use alloc::vec::Vec;
use core::iter;

/// The most frames of a stack that decide which of two equally heavy ones goes first: the deeper one.
const DEPTHS: u64 = limits::MAX_OPEN_FRAMES as u64;

/// How much it must have grown to be pruned again: stacks deeper than what was left free do not prune it each time.
const GROWTH: usize = limits::MAX_STACKS / 16;

/// Frames beyond this number stay only if they are part of a stack: the others are for stacks to come.
const MOST_FRAMES: usize = limits::MAX_COST_CENTRES / 8 * 7;

impl StackTree {
    /// Whether a stack of some frames fits, as far as pruning could change that.
    #[inline]
    pub(crate) fn has_room(&self, depth: usize) -> bool {
        let used = self.nodes.len().max(self.met.len());
        used + depth <= limits::MAX_STACKS.min(limits::MAX_COST_CENTRES) || used < self.pruned_to + GROWTH
    }

    /// How much is of stacks that were not kept.
    pub(crate) fn deeper(&self) -> u64 {
        if self.lacks_up_to == 0 {
            return 0;
        }
        self.nodes.iter().filter(|node| self.is_deeper(node.frame)).map(|node| node.own).sum()
    }

    fn is_deeper(&self, frame: u32) -> bool {
        self.met.get(frame as usize) == Some(&Frame::Deeper)
    }

    /// Removes the lightest stacks, each with all that is further in; what they had is [`Frame::Deeper`] of what is left of them. Returns for
    /// each stack the place it has now.
    pub(crate) fn prune(&mut self) -> Vec<u32> {
        let (totals, depths) = (self.totals(), self.depths());
        let of = |all: &[u64], at: u32| all.get(at as usize).copied().unwrap_or_default();
        // An outer frame is as heavy as an inner one at least, and less deep: it goes later.
        let worth = |at: u32| of(&totals, at).min(1 << 48) * DEPTHS + (DEPTHS - 1 - of(&depths, at).min(DEPTHS - 1));
        let mut order = by_least(self.nodes.len(), worth);
        order.retain(|at| !self.nodes.get(*at as usize).is_some_and(|node| self.is_deeper(node.frame)));
        // A quarter goes at least, and with it all that is no heavier, but no more than half: the fewer prunings, the less a stack may lack.
        let quarter = order.len().saturating_sub(limits::MAX_STACKS / 4 * 3);
        let light = quarter.checked_sub(1).and_then(|last| order.get(last)).map_or(0, |last| of(&totals, *last));
        let heavier = order.len() - order.partition_point(|at| of(&totals, *at) <= light);
        let mut kept = heavier.clamp(limits::MAX_STACKS / 2, limits::MAX_STACKS / 4 * 3);
        let goes = loop {
            let gone = order.get(..order.len().saturating_sub(kept)).unwrap_or_default();
            let goes = self.marked(gone);
            // Each of the others may get one for what was further in.
            if kept + self.count_of_shortened(&goes) <= limits::MAX_STACKS / 8 * 7 {
                self.lacks_up_to += gone.last().map_or(0, |last| of(&totals, *last));
                break goes;
            }
            kept = kept / 4 * 3;
        };
        self.count_beyond(&goes);
        let places = self.rebuild(&goes);
        self.pruned_to = self.nodes.len().max(self.met.len());
        places
    }

    /// Counts with the frames what stacks will say no longer of them: each frame once of a stack, however often it stands there.
    fn count_beyond(&mut self, goes: &[bool]) {
        let mut beyond = core::mem::take(&mut self.beyond);
        beyond.resize(self.met.len(), (0, 0));
        let mut told = alloc::vec![ROOT; self.met.len()];
        let is_gone = |at: u32| goes.get(at as usize) == Some(&true);
        let outwards = |from: u32| {
            let next = |at: &u32| self.nodes.get(*at as usize).map(|node| node.parent);
            iter::successors(Some(from), next).map_while(|at| Some((at, self.nodes.get(at as usize)?.frame as usize)))
        };
        for (at, node) in (0..).zip(&self.nodes).filter(|(_, node)| node.own > 0) {
            // What was gone from a stack before, has been counted then.
            let is_deeper = self.is_deeper(node.frame);
            let from = if is_deeper { node.parent } else { at };
            let left = outwards(from).skip_while(|(at, _)| is_gone(*at));
            left.for_each(|(_, frame)| told.get_mut(frame).into_iter().for_each(|told| *told = at));
            for (place, frame) in outwards(from).take_while(|(at, _)| is_gone(*at)) {
                let (Some((own, all)), Some(told)) = (beyond.get_mut(frame), told.get_mut(frame)) else { continue };
                *own += if place == at { node.own } else { 0 };
                *all += if core::mem::replace(told, at) == at { 0 } else { node.own };
            }
        }
        self.beyond = beyond;
    }

    /// Takes what is counted with the frames of the tree as it was, the most first, as far as there is room. `by`: the frame that each is
    /// now.
    pub(super) fn take_beyond(&mut self, old: &Self, by: impl Fn(Frame) -> Frame) {
        let of = |frame: u32| old.beyond.get(frame as usize).copied().unwrap_or_default();
        let most = |at: u32| of(at).0.max(of(at).1);
        for at in by_most(old.beyond.len(), most) {
            let (own, all) = of(at);
            let Some(frame) = old.met.get(at as usize).filter(|_| most(at) > 0) else { continue };
            let frame = by(*frame);
            let place = if self.met.len() < MOST_FRAMES { self.place(frame) } else { self.find(frame) };
            self.beyond.resize(self.met.len(), (0, 0));
            match place.and_then(|place| self.beyond.get_mut(place as usize)) {
                // Frames that are one now may have been in the same stacks: there are as many as of either, at least.
                Some(beyond) => *beyond = (beyond.0 + own, beyond.1.max(all)),
                None => self.lacks_frames = true,
            }
        }
    }

    /// What each stack has, with all that is further in.
    pub(crate) fn totals(&self) -> Vec<u64> {
        let mut totals = self.own();
        for (at, node) in self.nodes.iter().enumerate().rev() {
            let own = totals.get(at).copied().unwrap_or_default();
            totals.get_mut(node.parent as usize).into_iter().for_each(|total| *total += own);
        }
        totals
    }

    /// How many frames are around the innermost one of each stack.
    fn depths(&self) -> Vec<u64> {
        let mut depths = Vec::<u64>::with_capacity(self.nodes.len());
        for node in &self.nodes {
            depths.push(depths.get(node.parent as usize).map_or(0, |depth| depth + 1));
        }
        depths
    }

    fn marked(&self, gone: &[u32]) -> Vec<bool> {
        let mut marks = alloc::vec![false; self.nodes.len()];
        gone.iter().for_each(|at| marks.get_mut(*at as usize).into_iter().for_each(|mark| *mark = true));
        marks
    }

    /// How many stacks will have something that was further in.
    fn count_of_shortened(&self, goes: &[bool]) -> usize {
        let mut shortened = alloc::vec![false; goes.len() + 1];
        for (node, &gone) in self.nodes.iter().zip(goes) {
            if gone || self.is_deeper(node.frame) {
                // The last one is for those that are gone from their outermost frame on.
                let parent = (node.parent as usize).min(goes.len());
                shortened.get_mut(parent).into_iter().for_each(|it| *it = true);
            }
        }
        shortened.iter().zip(goes.iter().chain([&false])).filter(|(shortened, gone)| **shortened && !**gone).count()
    }

    fn rebuild(&mut self, goes: &[bool]) -> Vec<u32> {
        let old = core::mem::take(self);
        (self.lacks_up_to, self.lacks_frames) = (old.lacks_up_to, old.lacks_frames);
        let mut places = Vec::<u32>::with_capacity(old.nodes.len());
        for (node, &gone) in old.nodes.iter().zip(goes) {
            let parent = places.get(node.parent as usize).copied().unwrap_or(ROOT);
            let is_within = self.nodes.get(parent as usize).is_some_and(|parent| self.is_deeper(parent.frame));
            let frame = if gone { Some(Frame::Deeper) } else { old.met.get(node.frame as usize).copied() };
            let place = if is_within { Some(parent) } else { frame.and_then(|frame| self.step(parent, frame)) };
            let place = place.unwrap_or(ROOT);
            self.nodes.get_mut(place as usize).into_iter().for_each(|new| new.own += node.own);
            places.push(place);
        }
        self.take_beyond(&old, |frame| frame);
        places
    }
}

#[cfg(test)]
mod tests;
