//! Joins the messages of each stack.

use super::written::{FirstFrame, WrittenFrame};
use crate::limits;
use alloc::vec::Vec;
use ghc_eventlog::ThreadId;

/// A thread on a capability.
pub(super) type StackOf = (u32, ThreadId);

/// The part of a stack that has come.
#[derive(Debug)]
struct OpenStack {
    of: StackOf,
    /// In the order of the messages.
    frames: Vec<WrittenFrame>,
    first: FirstFrame,
    is_cut: bool,
}

/// Stacks of which only some messages have come.
#[derive(Debug, Default)]
pub(super) struct StackPieces {
    /// Incomplete stacks, in order of their first messages.
    open: Vec<OpenStack>,
    /// Broken stacks: a message was damaged, or the stack was given up because there was no room. Their last message has not
    /// come yet; what comes until then is ignored. The newest is last.
    broken: Vec<StackOf>,
    /// Stacks that were given up: their stream ended, too many others were open, or a message was damaged.
    pub(super) unfinished: u64,
}

impl StackPieces {
    /// Takes the frames of a message. If it completes a stack, leaves its frames in `frames`, the outermost first, and returns whether
    /// inner ones are missing.
    pub(super) fn take(
        &mut self,
        is_last: bool,
        of: StackOf,
        first: FirstFrame,
        frames: &mut Vec<WrittenFrame>,
    ) -> Option<bool> {
        let at = self.open.iter().position(|open| open.of == of);
        if let Some(broken) = self.broken.iter().position(|broken| *broken == of) {
            at.map(|at| self.open.remove(at));
            if is_last {
                self.broken.remove(broken);
            }
            return None;
        }
        if !is_last {
            let at = at.unwrap_or_else(|| {
                self.open.push(OpenStack { of, frames: Vec::new(), first, is_cut: false });
                self.open.len() - 1
            });
            if let Some(open) = self.open.get_mut(at) {
                open.frames.extend_from_slice(frames);
                open.first = first;
            }
            self.make_room(at);
            return None;
        }
        let mut is_cut = false;
        if let Some(at) = at {
            let open = self.open.remove(at);
            let last = core::mem::replace(frames, open.frames);
            frames.extend_from_slice(&last);
            is_cut = cut(frames, first) | open.is_cut;
        }
        if first == FirstFrame::Innermost {
            frames.reverse();
        }
        Some(is_cut)
    }

    /// A message of a stack was damaged: ignores the others of that stack. A damaged message that would be a whole stack is treated as
    /// any other message.
    pub(super) fn damaged(&mut self, is_last: bool, of: StackOf) {
        let open = self.open.iter().position(|open| open.of == of).map(|at| self.open.remove(at));
        match self.broken.iter().position(|broken| *broken == of) {
            Some(at) if is_last => drop(self.broken.remove(at)),
            Some(_) => {}
            None => {
                self.unfinished += u64::from(open.is_some() || !is_last);
                if !is_last {
                    self.break_off(of);
                }
            }
        }
    }

    /// Gives up the oldest stacks, except stack `but`, when there is too much of everything; then drops inner frames of that
    /// one.
    fn make_room(&mut self, mut but: usize) {
        let frames = |open: &[OpenStack]| open.iter().map(|open| open.frames.len()).sum::<usize>();
        while self.open.len() > 1
            && (self.open.len() > limits::MAX_OPEN_STACKS || frames(&self.open) > limits::MAX_OPEN_FRAMES)
        {
            let oldest = usize::from(but == 0);
            but -= usize::from(oldest < but);
            let OpenStack { of, .. } = self.open.remove(oldest);
            self.break_off(of);
            self.unfinished += 1;
        }
        if let Some(open) = self.open.get_mut(but) {
            open.is_cut |= cut(&mut open.frames, open.first);
        }
    }

    /// Ignores the messages of a stack until its last one has come.
    fn break_off(&mut self, of: StackOf) {
        if self.broken.len() >= limits::MAX_OPEN_STACKS {
            self.broken.remove(0);
        }
        self.broken.push(of);
    }

    /// The log ends, or another stream of it begins: the open stacks will get no more messages.
    pub(super) fn end_stream(&mut self) {
        self.unfinished += self.open.len() as u64;
        self.open.clear();
        self.broken.clear();
    }

    pub(super) fn bytes_held(&self) -> usize {
        self.open.iter().map(|open| open.frames.capacity()).sum::<usize>() * size_of::<WrittenFrame>()
            + self.open.capacity() * size_of::<OpenStack>()
            + self.broken.capacity() * size_of::<StackOf>()
    }
}

/// Drops inner frames of a stack that is too deep. Returns whether it was.
fn cut(frames: &mut Vec<WrittenFrame>, first: FirstFrame) -> bool {
    let surplus = frames.len().saturating_sub(limits::MAX_OPEN_FRAMES);
    match first {
        FirstFrame::Innermost => drop(frames.drain(..surplus)),
        FirstFrame::Outermost => frames.truncate(limits::MAX_OPEN_FRAMES),
    }
    surplus > 0
}
