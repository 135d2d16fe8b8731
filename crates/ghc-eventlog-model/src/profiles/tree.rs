//! Stacks as a tree: those that begin with the same frames share them.
//!
//! ```text
//! main ─┬─ parse 3 ──── token 12        three of main/parse, twelve of main/parse/token
//!       └─ write 4
//! ```

use super::{
    frames::Frame,
    places::{Places, shuffled},
};
use crate::limits;
use alloc::vec::Vec;

/// A stack: another one, and a frame that it entered.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Node {
    /// The stack without its innermost frame; [`ROOT`] for one of a single frame.
    pub(crate) parent: u32,
    /// The place of its innermost frame.
    pub(crate) frame: u32,
    /// What there is of just this stack: samples, or bytes.
    pub(crate) own: u64,
}

/// The stack of no frames.
pub(crate) const ROOT: u32 = u32::MAX;

/// How far a stack has been entered.
pub(crate) struct Entered {
    pub(crate) node: u32,
    pub(crate) is_cut: bool,
}

impl Entered {
    /// From its outermost frame on.
    pub(crate) fn begin() -> Self {
        Self { node: ROOT, is_cut: false }
    }
}

/// Stacks, and the frames that they are made of.
#[derive(Debug, Default)]
pub(crate) struct StackTree {
    /// A stack comes after the one that it is called from.
    pub(crate) nodes: Vec<Node>,
    by_step: Places,
    met: Vec<Frame>,
    by_frame: Places,
    /// The places of cost centres, by their numbers, which are small: 1 more than each, 0 for those that were not met.
    by_centre: Vec<u32>,
}

impl StackTree {
    /// The frames of all stacks.
    pub(crate) fn met(&self) -> &[Frame] {
        &self.met
    }

    /// What there is of just each stack.
    pub(crate) fn own(&self) -> Vec<u64> {
        self.nodes.iter().map(|node| node.own).collect()
    }

    /// The places of a stack's frames, innermost first.
    pub(crate) fn path(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        let found = |node: u32| self.nodes.get(node as usize);
        core::iter::successors(found(node), move |node| found(node.parent)).map(|node| node.frame)
    }

    /// The frames of a stack, from the outermost to the innermost.
    pub(crate) fn stack(&self, node: u32) -> Vec<Frame> {
        let frame = |place: u32| self.met.get(place as usize);
        let mut frames: Vec<Frame> = self.path(node).filter_map(frame).copied().collect();
        frames.reverse();
        frames
    }

    /// The stack enters a frame, if there is room for it.
    #[inline]
    pub(crate) fn enter(&mut self, stack: &mut Entered, frame: Frame) -> bool {
        let Some(node) = self.step(stack.node, frame) else {
            stack.is_cut = true;
            return false;
        };
        stack.node = node;
        true
    }

    /// The stack is whole, and counts for so much; one of no frames is that of `none`.
    #[inline]
    pub(crate) fn end(&mut self, stack: &mut Entered, none: Frame, more: u64) {
        if stack.node == ROOT {
            self.enter(stack, none);
        }
        if let Some(node) = self.nodes.get_mut(stack.node as usize) {
            node.own += more;
        }
    }

    /// The stack that another one becomes by a frame; `None` if there is no room for it, as there always is for those that stand for
    /// a stack of none.
    fn step(&mut self, parent: u32, frame: Frame) -> Option<u32> {
        let place = self.place(frame)?;
        let step = u64::from(parent) << 32 | u64::from(place);
        if let Some(at) = self.by_step.find_number(step) {
            return Some(at);
        }
        if self.nodes.len() >= limits::MAX_STACKS && !frame.is_of_none() {
            return None;
        }
        let at = self.nodes.len() as u32;
        self.nodes.push(Node { parent, frame: place, own: 0 });
        self.by_step.insert_number(step, at);
        Some(at)
    }

    /// The place of a frame, if it was met.
    pub(crate) fn find(&self, frame: Frame) -> Option<u32> {
        if let Some(centre) = place_of(frame) {
            return self.by_centre.get(centre)?.checked_sub(1);
        }
        self.by_frame.find(hash_of(frame), |at| self.met.get(at as usize) == Some(&frame))
    }

    /// The place of a frame.
    fn place(&mut self, frame: Frame) -> Option<u32> {
        if let Some(at) = self.find(frame) {
            return Some(at);
        }
        if self.met.len() >= limits::MAX_COST_CENTRES && !frame.is_of_none() {
            return None;
        }
        let at = self.met.len() as u32;
        self.met.push(frame);
        match place_of(frame) {
            Some(centre) => {
                self.by_centre.resize(self.by_centre.len().max(centre + 1), 0);
                self.by_centre.get_mut(centre).into_iter().for_each(|place| *place = at + 1);
            }
            None => self.by_frame.insert(hash_of(frame), at),
        }
        Some(at)
    }

    pub(crate) fn bytes_held(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.met.capacity() * size_of::<Frame>()
            + self.by_step.bytes_held()
            + self.by_frame.bytes_held()
            + self.by_centre.capacity() * size_of::<u32>()
    }
}

/// Where a cost centre has its place by number: runtimes count them from 1 on.
fn place_of(frame: Frame) -> Option<usize> {
    match frame {
        Frame::CostCentre(id) => Some(id.0 as usize).filter(|centre| *centre < limits::MAX_COST_CENTRES),
        _ => None,
    }
}

fn hash_of(frame: Frame) -> u64 {
    shuffled(frame.number())
}
