//! Which frames of a call tree are unfolded.
//!
//! ```text
//! main        depth 0      the list is        (0, main) (1, parse) (1, write) (2, flush)
//!   parse           1      in this order: each entry is below the last one before it that is less deep
//!   write           1
//!     flush         2
//! ```

use super::limits;
use alloc::{collections::BTreeMap, vec::Vec};

/// The frame of an entry that stands for all frames of its depth there, unless they have entries of their own.
pub const EVERY_CALL: u32 = u32::MAX - 1;

/// The frame that stands for what is no stack: see [`FlameName::frame`](super::FlameName::frame).
pub const OTHER_CALLS: u32 = u32::MAX;

/// A frame that is unfolded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OpenCall {
    /// How many frames are above it.
    pub depth: u32,
    /// Its number, or [`EVERY_CALL`].
    pub frame: u32,
    /// How many rows are shown below it, at most; 0 if it is folded although all others there are unfolded.
    pub shown: u32,
}

/// The entries as a tree.
pub(super) struct OpenCalls {
    nodes: Vec<OpenNode>,
}

#[derive(Default)]
struct OpenNode {
    shown: usize,
    below: BTreeMap<u32, usize>,
}

/// What is known of an unfolded frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct OpenAt {
    /// The place of its entry, or of the one that stands for all.
    place: usize,
    /// How many rows are shown below it.
    pub(super) shown: usize,
}

impl OpenCalls {
    /// `others`: the number that [`OTHER_CALLS`] has among the frames.
    pub(super) fn of(shown: u32, entries: &[OpenCall], others: u32) -> Self {
        let mut nodes = alloc::vec![OpenNode { shown: shown as usize, ..OpenNode::default() }];
        // The places of the entries above the next one.
        let mut above = alloc::vec![0];
        for entry in entries.iter().take(limits::MAX_OPEN_CALLS) {
            above.truncate(entry.depth as usize + 1);
            let place = nodes.len();
            let frame = place_of(entry.frame, others);
            if let Some(parent) = above.last().and_then(|at| nodes.get_mut(*at)) {
                parent.below.insert(frame, place);
            }
            nodes.push(OpenNode { shown: entry.shown as usize, ..OpenNode::default() });
            above.push(place);
        }
        Self { nodes }
    }

    /// The root of the tree, which is always unfolded.
    pub(super) fn root(&self) -> OpenAt {
        OpenAt { place: 0, shown: self.shown(0) }
    }

    fn shown(&self, place: usize) -> usize {
        self.nodes.get(place).map_or(0, |node| node.shown)
    }

    /// A frame below an unfolded one, if it is unfolded.
    pub(super) fn below(&self, at: OpenAt, frame: u32) -> Option<OpenAt> {
        let below = &self.nodes.get(at.place)?.below;
        let place = *below.get(&frame).or_else(|| below.get(&EVERY_CALL))?;
        Some(OpenAt { place, shown: self.shown(place) }).filter(|open| open.shown > 0)
    }
}

/// The number of a frame among those of its profile.
pub(super) fn place_of(frame: u32, others: u32) -> u32 {
    if frame == OTHER_CALLS { others } else { frame }
}
