//! Stacks as a tree: stacks that begin with the same frames share them.
//!
//! ```text
//! main ─┬─ parse 3 ──── token 12        three of main/parse, twelve of main/parse/token
//!       └─ write 4
//! ```

mod prune;

use crate::{
    keeping::places::{Places, shuffled},
    limits,
    terms::frame::Frame,
};
use alloc::vec::Vec;

/// A stack: its parent's frames and one more.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Node {
    /// The stack without its innermost frame; [`ROOT`] if it has only one.
    pub(crate) parent: u32,
    /// The place of its innermost frame in [`StackTree::met`].
    pub(crate) frame: u32,
    /// Samples, or bytes, of exactly this stack.
    pub(crate) own: u64,
}

/// The empty stack.
pub(crate) const ROOT: u32 = u32::MAX;

/// A stack that is being entered, frame by frame.
pub(crate) struct Entered {
    pub(crate) node: u32,
    pub(crate) is_cut: bool,
}

impl Entered {
    /// The empty stack; enter its outermost frame first.
    pub(crate) fn begin() -> Self {
        Self { node: ROOT, is_cut: false }
    }
}

/// All stacks of a profile, and their frames.
#[derive(Debug, Default)]
pub(crate) struct StackTree {
    /// Parents come before their children.
    pub(crate) nodes: Vec<Node>,
    by_step: Places,
    met: Vec<Frame>,
    by_frame: Places,
    /// For each cost centre by number (runtimes count from 1): its place in `met`, plus 1; 0 if it has not occurred.
    by_centre: Vec<u32>,
    /// What was left when it was pruned last, and by how much at most each stack is too light since: see `prune.rs`.
    pruned_to: usize,
    pub(crate) lacks_up_to: u64,
    /// For frames by their places: what there is of stacks that were shortened and had the frame in the part that is gone: as the innermost
    /// frame, and anywhere. With what the stacks have that are left, it is all that there is of the frame; anywhere, it is the least if several frames
    /// have become one.
    beyond: Vec<(u64, u64)>,
    /// Whether there was too little room for all of that.
    pub(crate) lacks_frames: bool,
}

impl StackTree {
    /// The frames of all stacks, in order of appearance.
    pub(crate) fn met(&self) -> &[Frame] {
        &self.met
    }

    /// What there is of frames beyond the stacks that are left, by their places: as the innermost one, and anywhere.
    pub(crate) fn beyond(&self) -> &[(u64, u64)] {
        &self.beyond
    }

    /// Adds what there is of a frame as the innermost one beyond the stacks.
    pub(crate) fn add_beyond(&mut self, frame: Frame, more: u64) {
        let Some(place) = self.place(frame) else { return };
        self.beyond.resize(self.met.len(), (0, 0));
        if let Some((own, all)) = self.beyond.get_mut(place as usize) {
            (*own, *all) = (*own + more, *all + more);
        }
    }

    /// Samples, or bytes, of exactly each stack.
    pub(crate) fn own(&self) -> Vec<u64> {
        self.nodes.iter().map(|node| node.own).collect()
    }

    /// The places of a stack's frames, innermost first.
    pub(crate) fn path(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        let found = |node: u32| self.nodes.get(node as usize);
        core::iter::successors(found(node), move |node| found(node.parent)).map(|node| node.frame)
    }

    /// A stack's frames, outermost first.
    pub(crate) fn stack(&self, node: u32) -> Vec<Frame> {
        let frame = |place: u32| self.met.get(place as usize);
        let mut frames: Vec<Frame> = self.path(node).filter_map(frame).copied().collect();
        frames.reverse();
        frames
    }

    /// Enters a frame. If there are too many stacks, the stack is cut there, and the result is false.
    #[inline]
    pub(crate) fn enter(&mut self, stack: &mut Entered, frame: Frame) -> bool {
        let Some(node) = self.step(stack.node, frame) else {
            stack.is_cut = true;
            return false;
        };
        stack.node = node;
        true
    }

    /// Adds `more` to the complete stack; the frame `none` is for an empty stack.
    #[inline]
    pub(crate) fn end(&mut self, stack: &mut Entered, none: Frame, more: u64) {
        if stack.node == ROOT {
            self.enter(stack, none);
        }
        if let Some(node) = self.nodes.get_mut(stack.node as usize) {
            node.own += more;
        }
    }

    /// The stack of `parent` and a frame, added if necessary; `None` if there are too many. A frame that marks an empty stack
    /// always fits.
    fn step(&mut self, parent: u32, frame: Frame) -> Option<u32> {
        let place = self.place(frame)?;
        let step = u64::from(parent) << 32 | u64::from(place);
        if let Some(at) = self.by_step.find_number(step) {
            return Some(at);
        }
        if self.nodes.len() >= limits::MAX_STACKS && !frame.always_fits() {
            return None;
        }
        let at = self.nodes.len() as u32;
        self.nodes.push(Node { parent, frame: place, own: 0 });
        self.by_step.insert_number(step, at);
        Some(at)
    }

    /// A frame's place in `met`.
    pub(crate) fn find(&self, frame: Frame) -> Option<u32> {
        if let Some(centre) = place_of(frame) {
            return self.by_centre.get(centre)?.checked_sub(1);
        }
        self.by_frame.find(hash_of(frame), |at| self.met.get(at as usize) == Some(&frame))
    }

    /// A frame's place in `met`, added if necessary.
    fn place(&mut self, frame: Frame) -> Option<u32> {
        if let Some(at) = self.find(frame) {
            return Some(at);
        }
        if self.met.len() >= limits::MAX_COST_CENTRES && !frame.always_fits() {
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

    /// Replaces frames by others; stacks that are equal then become one. Returns for each stack the place it has now; `None` if nothing
    /// changes.
    pub(crate) fn replace(&mut self, by: &dyn Fn(Frame) -> Frame) -> Option<Vec<u32>> {
        if self.met.iter().all(|frame| by(*frame) == *frame) {
            return None;
        }
        let old = core::mem::take(self);
        (self.pruned_to, self.lacks_up_to, self.lacks_frames) = (old.pruned_to, old.lacks_up_to, old.lacks_frames);
        let mut places = Vec::<u32>::with_capacity(old.nodes.len());
        for node in &old.nodes {
            let parent = places.get(node.parent as usize).copied().unwrap_or(ROOT);
            let frame = old.met.get(node.frame as usize).map(|frame| by(*frame));
            // There are no more of anything than before.
            let place = frame.and_then(|frame| self.step(parent, frame)).unwrap_or(ROOT);
            self.nodes.get_mut(place as usize).into_iter().for_each(|new| new.own += node.own);
            places.push(place);
        }
        self.take_beyond(&old, by);
        Some(places)
    }

    pub(crate) fn bytes_held(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.met.capacity() * size_of::<Frame>()
            + self.beyond.capacity() * size_of::<(u64, u64)>()
            + self.by_step.bytes_held()
            + self.by_frame.bytes_held()
            + self.by_centre.capacity() * size_of::<u32>()
    }
}

/// Index of a cost centre in `by_centre`; `None` for other frames, and for numbers that no runtime uses.
fn place_of(frame: Frame) -> Option<usize> {
    match frame {
        Frame::CostCentre(id) => Some(id.0 as usize).filter(|centre| *centre < limits::MAX_COST_CENTRES),
        _ => None,
    }
}

fn hash_of(frame: Frame) -> u64 {
    shuffled(frame.number())
}
