//! Messages that wait until it is known which frame of their stacks comes first. Versions 0.1 and 0.2 write the innermost first, later
//! ones the outermost, and a message that has neither a thread of eight bytes nor a place in the source does not say.

use super::written::{FirstFrame, Reader, Written, WrittenFrame};
use crate::limits;
use alloc::vec::Vec;
use ghc_eventlog::{Nanos, ThreadId};

/// How many more pairs of stacks must speak for one order than for the other, for them to count more than what an earlier
/// stream of the log said.
const MANY: i64 = 8;

/// The messages, in their order.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    bytes: Vec<u8>,
    /// Of each its time and length.
    each: Vec<(Nanos, u32)>,
}

impl Waiting {
    pub(super) fn push(&mut self, time: Nanos, message: &[u8]) {
        self.bytes.extend_from_slice(message);
        self.each.push((time, message.len() as u32));
    }

    pub(super) fn is_full(&self) -> bool {
        self.bytes.len() + self.each.len() * size_of::<(Nanos, u32)>() >= limits::MAX_WAITING_BYTES
    }

    pub(super) fn messages(&self) -> impl Iterator<Item = (Nanos, &[u8])> {
        self.each.iter().scan(&self.bytes[..], |rest, (time, length)| {
            let (message, after) = rest.split_at_checked(*length as usize)?;
            *rest = after;
            Some((*time, message))
        })
    }

    /// Guesses which frame comes first: all stacks of a thread have the same outermost frames, so the end at which two of them agree is
    /// the outermost. `before`: what an earlier stream of the log said. `None` if there is no sign.
    pub(super) fn guess(&self, before: Option<FirstFrame>) -> Option<FirstFrame> {
        let mut reader = Reader::default();
        let mut latest = Vec::<(ThreadId, Vec<WrittenFrame>)>::new();
        let mut votes = 0i64;
        for (_, message) in self.messages() {
            let Some((Written::Piece { is_last: true, thread, .. }, _)) = reader.read(message) else { continue };
            if let Some((_, frames)) = latest.iter_mut().find(|(of, _)| *of == thread) {
                votes += vote(frames, &reader.frames);
                frames.clone_from(&reader.frames);
            } else if latest.len() < limits::MAX_OPEN_STACKS {
                latest.push((thread, reader.frames.clone()));
            }
        }
        let guess = match votes.signum() {
            1 => Some(FirstFrame::Outermost),
            -1 => Some(FirstFrame::Innermost),
            _ => None,
        };
        if votes.abs() >= MANY { guess } else { before.or(guess) }
    }

    /// Whether any stack has several frames, so that it matters which one is first.
    pub(super) fn has_deep_stacks(&self) -> bool {
        let mut reader = Reader::default();
        self.messages().any(|(_, message)| reader.read(message).is_some() && reader.frames.len() > 1)
    }

    pub(super) fn bytes_held(&self) -> usize {
        self.bytes.capacity() + self.each.capacity() * size_of::<(Nanos, u32)>()
    }
}

/// 1 if two stacks have more in common at their beginnings, −1 if they have at their ends.
fn vote(one: &[WrittenFrame], other: &[WrittenFrame]) -> i64 {
    let at_begin = one.iter().zip(other).take_while(|(one, other)| one == other).count();
    let at_end = one.iter().rev().zip(other.iter().rev()).take_while(|(one, other)| one == other).count();
    at_begin.cmp(&at_end) as i64
}
