//! What a flame graph is drawn on: it takes the frames that can be seen, and counts the others.

use super::{FlameFrame, limits};
use alloc::vec::Vec;

pub(super) struct Sheet {
    /// What is shown, in samples or bytes.
    from: u64,
    to: u64,
    /// The width of the narrowest frame that can be seen: half a pixel, likewise in samples or bytes.
    least: u64,
    pub(super) frames: Vec<FlameFrame>,
    pub(super) left_out: u64,
}

impl Sheet {
    pub(super) fn new((from, to): (u64, u64), pixels: u32) -> Self {
        let halves = 2 * u64::from(pixels.clamp(1, limits::MAX_FLAME_WIDTH));
        let least = to.saturating_sub(from).div_ceil(halves).max(1);
        Self { from, to, least, frames: Vec::new(), left_out: 0 }
    }

    /// Whether something from `x` on, as wide as this, is shown at all.
    pub(super) fn shows(&self, x: u64, width: u64) -> bool {
        x < self.to && self.from < x + width
    }

    /// Whether it can be seen there, with what has been taken so far.
    pub(super) fn has_room(&self, width: u64, depth: u32) -> bool {
        width >= self.least && depth < limits::MAX_FLAME_DEPTH && self.frames.len() < limits::MAX_FLAME_FRAMES
    }
}
