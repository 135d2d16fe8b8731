//! Stacks that the library ghc-stack-profiler writes as binary messages (FORMAT 7.3), recognised by their first bytes. Numbers
//! are big-endian.
//!
//! ```text
//! message ── waiting ── Reader ───── pieces ──────── definitions ──── ThreadSample
//!            until it   in one of    a stack may     what a number
//!            is known   the          come in         means at that
//!            which end  layouts      several         time
//!            is first
//! ```
//!
//! The messages of one thread's stack come in order; messages about other threads may come in between.
//!
//! ```text
//! cb 0/7: c b      cb 1/9: z      ca 1/9: y      ca 0/7: a      9: y, z       7: a, b, c
//! ```

mod definitions;
mod pieces;
mod waiting;
mod written;

use crate::{
    keeping::places::{hash, shuffled},
    terms::frame::{Frame, LocationId, StringId},
};
use alloc::vec::Vec;
use definitions::Definitions;
#[cfg(test)]
pub(crate) use definitions::MEANING_BYTES;
use ghc_eventlog::{InfoTable, Nanos, Text, ThreadId};
use pieces::StackPieces;
use waiting::Waiting;
use written::{FirstFrame, Reader, Written, WrittenFrame};

/// What a message says.
#[derive(Debug, PartialEq, Eq)]
pub enum StackMessage<'a> {
    /// A sample of a thread, whose stack is now complete.
    Sample(ThreadSample<'a>),
    /// What one of the library's numbers means from here on, or, if it comes later, what it meant before.
    Meaning(Meant<'a>),
}

/// What a number that frames use means.
#[derive(Debug, PartialEq, Eq)]
pub enum Meant<'a> {
    /// The text of a string.
    String(StringId, Text<'a>),
    /// The place in the source of a location.
    Location(LocationId, Location),
    /// A string is used that no message has defined yet: its number, and what that meant before logging was started again.
    NewString(StringId, u64, StringId),
    /// The same of a location.
    NewLocation(LocationId, u64, LocationId),
    /// A definition that is not kept, because there are too many.
    NotKept,
}

/// The stack of a thread.
#[derive(Debug, PartialEq, Eq)]
pub struct ThreadSample<'a> {
    /// The capability that the thread was on, according to the message.
    pub cap: u32,
    /// The thread.
    pub thread: ThreadId,
    /// From the outermost to the innermost.
    pub frames: &'a [Frame],
    /// Whether inner frames are missing, because there was no room.
    pub is_cut: bool,
}

/// A place in the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Location {
    /// The file's name.
    pub file: StringId,
    /// Its line, from 1 on.
    pub row: u32,
    /// The character in that line, from 1 on.
    pub column: u32,
    /// The name of the function, where the location has it.
    pub function: Option<StringId>,
}

/// Takes what messages say, each with the time of its message.
pub type TakeStacks<'a> = dyn FnMut(Nanos, StackMessage<'_>) + 'a;

/// Reads the messages of a log, in file order.
#[derive(Debug, Default)]
pub struct StackMessages {
    waiting: Waiting,
    /// Which frame of a stack comes first; `None` until the stream says so.
    first: Option<FirstFrame>,
    /// What an earlier stream said.
    first_before: Option<FirstFrame>,
    reader: Reader,
    pieces: StackPieces,
    strings: Definitions,
    locations: Definitions,
    /// The frames of the stack that was completed last.
    frames: Vec<Frame>,
    /// Messages that were not read: of a kind that is not known, or damaged.
    pub(super) unread: u64,
    /// Whether there was no sign at all of which frame comes first, though it matters.
    pub(super) is_order_unknown: bool,
}

impl StackMessages {
    /// Takes the bytes of a message. Gives `out` what it says, if it is one of these messages; and what those before it say, as soon as
    /// they can be understood.
    pub fn take(&mut self, time: Nanos, message: &[u8], out: &mut TakeStacks<'_>) {
        if self.first.is_none() {
            match self.reader.read(message) {
                None => return,
                Some((Written::Unknown, _)) => {
                    self.unread += 1;
                    return;
                }
                Some((_, Some(first))) => {
                    self.first = Some(first);
                    self.read_waiting(first, out);
                }
                Some(_) => {
                    self.waiting.push(time, message);
                    if self.waiting.is_full() {
                        self.guess(out);
                    }
                    return;
                }
            }
        }
        self.read(time, message, out);
    }

    /// Decides without any certain sign which frame comes first.
    fn guess(&mut self, out: &mut TakeStacks<'_>) {
        let guess = self.waiting.guess(self.first_before);
        // The newer versions.
        let first = guess.unwrap_or(FirstFrame::Outermost);
        self.is_order_unknown |= guess.is_none() && self.waiting.has_deep_stacks();
        self.first = Some(first);
        self.read_waiting(first, out);
    }

    fn read_waiting(&mut self, first: FirstFrame, out: &mut TakeStacks<'_>) {
        let waiting = core::mem::take(&mut self.waiting);
        for (time, message) in waiting.messages() {
            self.first = Some(first);
            self.read(time, message, out);
        }
    }

    fn read(&mut self, time: Nanos, message: &[u8], out: &mut TakeStacks<'_>) {
        let Some((written, says)) = self.reader.read(message) else { return };
        // A later sign is better than a guess.
        self.first = says.or(self.first);
        match written {
            Written::Version => {}
            Written::Piece { is_last, cap, thread } => self.piece(time, is_last, (cap, thread), out),
            Written::String(number, text) => {
                if let Some(place) = self.strings.defined(number, time, hash(text.0)) {
                    out(time, StackMessage::Meaning(meant(place, Meant::String(StringId(place), text))));
                }
            }
            Written::Location { number, row, column, function, file } => {
                let function = function.map(|function| self.string(time, function, out));
                let at = Location { file: self.string(time, file, out), row, column, function };
                if let Some(place) = self.locations.defined(number, time, hash_of(&at)) {
                    out(time, StackMessage::Meaning(meant(place, Meant::Location(LocationId(place), at))));
                }
            }
            Written::Damaged(piece) => {
                self.unread += 1;
                if let Some((is_last, cap, thread)) = piece {
                    self.pieces.damaged(is_last, (cap, thread));
                }
            }
            Written::Unknown => self.unread += 1,
        }
    }

    fn piece(&mut self, time: Nanos, is_last: bool, of: (u32, ThreadId), out: &mut TakeStacks<'_>) {
        let first = self.first.unwrap_or(FirstFrame::Outermost);
        let Some(is_cut) = self.pieces.take(is_last, of, first, &mut self.reader.frames) else { return };
        let written = core::mem::take(&mut self.reader.frames);
        let mut frames = core::mem::take(&mut self.frames);
        frames.clear();
        frames.extend(written.iter().map(|frame| match *frame {
            WrittenFrame::Table(table) => Frame::InfoTable(InfoTable(table)),
            WrittenFrame::String(string) => Frame::Named(self.string(time, string, out)),
            WrittenFrame::Placed(string, at) => {
                Frame::Placed(self.string(time, string, out), self.location(time, at, out))
            }
            WrittenFrame::Function(at) => Frame::Function(self.location(time, at, out)),
        }));
        let (cap, thread) = of;
        out(time, StackMessage::Sample(ThreadSample { cap, thread, frames: &frames, is_cut }));
        (self.reader.frames, self.frames) = (written, frames);
    }

    fn string(&mut self, time: Nanos, number: u64, out: &mut TakeStacks<'_>) -> StringId {
        let (place, before) = self.strings.used(number, time);
        if let Some(before) = before {
            out(time, StackMessage::Meaning(Meant::NewString(StringId(place), number, StringId(before))));
        }
        StringId(place)
    }

    fn location(&mut self, time: Nanos, number: u64, out: &mut TakeStacks<'_>) -> LocationId {
        let (place, before) = self.locations.used(number, time);
        if let Some(before) = before {
            out(time, StackMessage::Meaning(Meant::NewLocation(LocationId(place), number, LocationId(before))));
        }
        LocationId(place)
    }

    /// The log ends, or another stream of it begins: the open stacks will get no more messages.
    pub fn end_stream(&mut self, out: &mut TakeStacks<'_>) {
        if self.first.is_none() {
            self.guess(out);
        }
        self.first_before = self.first.take().or(self.first_before);
        self.reader = Reader::default();
        self.pieces.end_stream();
        self.strings.end_stream();
        self.locations.end_stream();
    }

    /// Stacks that were given up: their stream ended, too many others were open, or a message was damaged.
    pub(super) fn unfinished(&self) -> u64 {
        self.pieces.unfinished
    }

    pub(super) fn bytes_held(&self) -> usize {
        self.waiting.bytes_held()
            + self.reader.frames.capacity() * size_of::<WrittenFrame>()
            + self.pieces.bytes_held()
            + self.strings.bytes_held()
            + self.locations.bytes_held()
            + self.frames.capacity() * size_of::<Frame>()
    }
}

/// A definition, if it is kept.
fn meant(place: u32, meant: Meant<'_>) -> Meant<'_> {
    if place == definitions::NOT_KEPT { Meant::NotKept } else { meant }
}

fn hash_of(at: &Location) -> u64 {
    let pair = |one: u32, other: u32| u64::from(one) << 32 | u64::from(other);
    let function = at.function.map_or(0, |function| function.0 + 1);
    shuffled(pair(at.file.0, function)) ^ pair(at.row, at.column)
}

#[cfg(test)]
mod tests;
