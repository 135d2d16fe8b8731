//! Stacks that the library ghc-stack-profiler writes as binary messages (FORMAT 7), recognised by their first bytes. Numbers
//! are big-endian.
//!
//! ```text
//! ff ca  cap u32  thread u32  count u16  frames      the last piece of a thread's stack
//! ff cb  the same                                    a piece that others follow
//! ff cc  string u64  length u16  text                a text that frames name
//! ff cd  location u64  row u32  column u32  string u64
//!
//! frame: 01 info table u64 │ 02 string u64 │ 03 string u64, location u64
//! ```
//!
//! The messages of one thread's stack come in order; messages about other threads may come in between.
//!
//! ```text
//! cb 0/7: c b      cb 1/9: z      ca 1/9: y      ca 0/7: a      9: y, z       7: a, b, c
//! ```

use crate::{
    limits,
    terms::frame::{Frame, LocationId, StringId},
};
use alloc::vec::Vec;
use ghc_eventlog::{InfoTable, Text, ThreadId};

/// The first two bytes.
const LAST: u64 = 0xffca;
const MORE: u64 = 0xffcb;
const STRING: u64 = 0xffcc;
const LOCATION: u64 = 0xffcd;

/// Whether a stack's innermost frame comes first: FORMAT 7 says so. The library's sources agree up to version 0.2; versions
/// 0.3 and 0.4 write the outermost frame first, also in stacks of several messages.
const INNERMOST_FIRST: bool = true;

/// What a message says.
#[derive(Debug, PartialEq, Eq)]
pub enum StackMessage<'a> {
    /// A sample of a thread, whose stack is now complete.
    Sample(ThreadSample<'a>),
    /// The text of a string number that frames use.
    String(StringId, Text<'a>),
    /// The place in the source of a location number that frames use.
    Location(LocationId, Location),
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
}

/// Joins the messages of each stack.
#[derive(Debug, Default)]
pub struct StackMessages {
    /// Incomplete stacks, in order of their first messages.
    open: Vec<OpenStack>,
    /// Broken stacks: a message was damaged, or the stack was given up because there was no room. Their last message has not
    /// come yet; what comes until then is ignored. The newest is last.
    broken: Vec<(u32, ThreadId)>,
    /// The frames of the latest message, or of the stack that it completed.
    frames: Vec<Frame>,
    /// Stacks that were given up: their stream ended, too many others were open, or a message was damaged.
    pub(super) unfinished: u64,
}

/// The part of a stack that has come.
#[derive(Debug)]
struct OpenStack {
    cap: u32,
    thread: ThreadId,
    /// In the order of the messages.
    frames: Vec<Frame>,
    is_cut: bool,
}

impl StackMessages {
    /// Takes the bytes of a message. Returns what it says, if it is one of these messages and completes something.
    pub fn take<'a>(&'a mut self, message: &'a [u8]) -> Option<StackMessage<'a>> {
        let mut rest = MessageBytes(message);
        match rest.number(2)? {
            tag @ (LAST | MORE) => self.piece(tag == LAST, rest).map(StackMessage::Sample),
            STRING => {
                let id = StringId(rest.number(8)?);
                // The length counts characters, which have a byte or more each. Nothing comes after them.
                let length = rest.number(2)?;
                (length <= rest.0.len() as u64).then_some(StackMessage::String(id, Text(rest.0)))
            }
            LOCATION => {
                let id = LocationId(rest.number(8)?);
                let (row, column) = (rest.number(4)? as u32, rest.number(4)? as u32);
                Some(StackMessage::Location(id, Location { file: StringId(rest.number(8)?), row, column }))
            }
            _ => None,
        }
    }

    fn piece(&mut self, is_last: bool, mut rest: MessageBytes<'_>) -> Option<ThreadSample<'_>> {
        let (cap, thread) = (rest.number(4)? as u32, ThreadId(rest.number(4)? as u32));
        let count = rest.number(2)?;
        self.frames.clear();
        let is_damaged = (0..count).any(|_| rest.frame().map(|frame| self.frames.push(frame)).is_none());
        let of = self.open.iter().position(|open| (open.cap, open.thread) == (cap, thread));
        let broken = self.broken.iter().position(|broken| *broken == (cap, thread));
        if is_damaged || broken.is_some() {
            if let Some(at) = of {
                self.open.remove(at);
            }
            // A damaged message that would be a whole stack is treated as any other message.
            self.unfinished += u64::from(broken.is_none() && (of.is_some() || !is_last));
            match broken {
                Some(at) if is_last => drop(self.broken.remove(at)),
                None if !is_last => self.break_off(cap, thread),
                _ => {}
            }
            return None;
        }
        if !is_last {
            let at = of.unwrap_or(self.open.len());
            if of.is_none() {
                self.open.push(OpenStack { cap, thread, frames: Vec::new(), is_cut: false });
            }
            if let Some(open) = self.open.get_mut(at) {
                open.frames.extend_from_slice(&self.frames);
            }
            self.make_room(at);
            return None;
        }
        let mut is_cut = false;
        if let Some(at) = of {
            let OpenStack { mut frames, is_cut: was_cut, .. } = self.open.remove(at);
            frames.extend_from_slice(&self.frames);
            is_cut = cut(&mut frames) | was_cut;
            self.frames = frames;
        }
        if INNERMOST_FIRST {
            self.frames.reverse();
        }
        Some(ThreadSample { cap, thread, frames: &self.frames, is_cut })
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
            let OpenStack { cap, thread, .. } = self.open.remove(oldest);
            self.break_off(cap, thread);
            self.unfinished += 1;
        }
        if let Some(open) = self.open.get_mut(but) {
            open.is_cut |= cut(&mut open.frames);
        }
    }

    /// Ignores the messages of a stack until its last one has come.
    fn break_off(&mut self, cap: u32, thread: ThreadId) {
        if self.broken.len() >= limits::MAX_OPEN_STACKS {
            self.broken.remove(0);
        }
        self.broken.push((cap, thread));
    }

    /// The log ends, or another stream of it begins: the open stacks will get no more messages.
    pub fn end_stream(&mut self) {
        self.unfinished += self.open.len() as u64;
        self.open.clear();
        self.broken.clear();
    }

    pub(super) fn bytes_held(&self) -> usize {
        let frames = self.open.iter().map(|open| open.frames.capacity()).sum::<usize>() + self.frames.capacity();
        frames * size_of::<Frame>()
            + self.open.capacity() * size_of::<OpenStack>()
            + self.broken.capacity() * size_of::<(u32, ThreadId)>()
    }
}

/// Drops inner frames of a stack that is too deep. Returns whether it was.
fn cut(frames: &mut Vec<Frame>) -> bool {
    let surplus = frames.len().saturating_sub(limits::MAX_OPEN_FRAMES);
    if INNERMOST_FIRST {
        frames.drain(..surplus);
    } else {
        frames.truncate(limits::MAX_OPEN_FRAMES);
    }
    surplus > 0
}

/// The bytes of a message that have not been read yet.
struct MessageBytes<'a>(&'a [u8]);

impl MessageBytes<'_> {
    /// A number of `bytes` bytes.
    fn number(&mut self, bytes: usize) -> Option<u64> {
        let (number, rest) = self.0.split_at_checked(bytes)?;
        self.0 = rest;
        Some(number.iter().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    fn frame(&mut self) -> Option<Frame> {
        Some(match self.number(1)? {
            1 => Frame::InfoTable(InfoTable(self.number(8)?)),
            2 => Frame::Named(StringId(self.number(8)?)),
            3 => Frame::Placed(StringId(self.number(8)?), LocationId(self.number(8)?)),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::{format, string::String};

    /// A message from a drawing: `ca 0/7: a b`, with a letter or digit for each frame. A small letter is a string with that
    /// number; a capital is a string with a location; a digit is an info table.
    fn message(drawn: &str) -> Vec<u8> {
        let (head, frames) = drawn.split_once(": ").unwrap_or((drawn, ""));
        let (tag, of) = head.split_once(' ').expect("a tag");
        let (cap, thread) = of.split_once('/').expect("a capability");
        let numbers = [cap, thread].map(|number| number.parse::<u32>().expect("a number"));
        let frames: Vec<&str> = frames.split_whitespace().collect();
        let mut bytes = alloc::vec![0xff, u8::from_str_radix(tag, 16).expect("a tag")];
        numbers.iter().for_each(|number| bytes.extend(number.to_be_bytes()));
        bytes.extend((frames.len() as u16).to_be_bytes());
        for letter in frames.iter().filter_map(|frame| frame.bytes().next()) {
            let number = u64::from(letter).to_be_bytes();
            bytes.push(if letter.is_ascii_digit() { 1 } else { 2 + u8::from(letter.is_ascii_uppercase()) });
            bytes.extend(number);
            bytes.extend(if letter.is_ascii_uppercase() { &number[..] } else { &[] });
        }
        bytes
    }

    /// A sample as a drawing: `7 on 0: b a`, outermost frame first.
    fn drawn(told: Option<StackMessage<'_>>) -> String {
        let Some(StackMessage::Sample(ThreadSample { cap, thread, frames, is_cut })) = told else {
            return String::new();
        };
        let letter = |frame: &Frame| match frame {
            Frame::InfoTable(InfoTable(number)) | Frame::Named(StringId(number)) => char::from(*number as u8),
            Frame::Placed(StringId(number), LocationId(at)) if number == at => char::from(*number as u8),
            other => panic!("{other:?}"),
        };
        let frames: String = frames.iter().map(letter).collect();
        format!("{thread} on {cap}: {frames}{}", if is_cut { " cut" } else { "" })
    }

    /// What some messages say, in order; and the number of stacks without an end.
    fn told(messages: &[&str]) -> (Vec<String>, u64) {
        let mut stacks = StackMessages::default();
        let told = messages.iter().map(|drawing| drawn(stacks.take(&message(drawing))));
        let told: Vec<String> = told.filter(|told| !told.is_empty()).collect();
        stacks.end_stream();
        (told, stacks.unfinished)
    }

    #[test]
    fn a_stack_starts_with_its_outermost_frame() {
        assert_eq!(told(&["ca 2/7: a B 3"]), (alloc::vec!["7 on 2: 3Ba".into()], 0));
        assert_eq!(told(&["ca 2/7"]), (alloc::vec!["7 on 2: ".into()], 0));
    }

    #[test]
    fn messages_are_joined_by_capability_and_thread() {
        let (stacks, unfinished) = told(&[
            "cb 0/7: a b", // the top of thread 7's
            "cb 1/7: x",   // the same thread on another capability is another stack
            "cb 0/8: p",
            "ca 1/7: y",
            "cb 0/7: c",
            "ca 0/9: q", // whole
            "ca 0/7: d",
            "ca 0/7: e", // the next one
        ]);
        assert_eq!(stacks, ["7 on 1: yx", "9 on 0: q", "7 on 0: dcba", "7 on 0: e"]);
        assert_eq!(unfinished, 1);
    }

    #[test]
    fn a_further_stream_does_not_continue_open_stacks() {
        let mut stacks = StackMessages::default();
        assert_eq!(drawn(stacks.take(&message("cb 0/7: a"))), "");
        stacks.end_stream();
        assert_eq!((drawn(stacks.take(&message("ca 0/7: b"))), stacks.unfinished), ("7 on 0: b".into(), 1));
    }

    #[test]
    fn definitions_are_returned() {
        let mut stacks = StackMessages::default();
        let string = [&[0xff, 0xcc, 0, 0, 0, 0, 0, 0, 0, 5, 0, 3][..], "für".as_bytes()].concat();
        assert_eq!(stacks.take(&string), Some(StackMessage::String(StringId(5), Text("für".as_bytes()))));
        let numbers: [&[u8]; 4] = [&9u64.to_be_bytes(), &3u32.to_be_bytes(), &4u32.to_be_bytes(), &5u64.to_be_bytes()];
        let location = [&[0xff, 0xcd], &numbers.concat()[..]].concat();
        let expected = Location { file: StringId(5), row: 3, column: 4 };
        assert_eq!(stacks.take(&location), Some(StackMessage::Location(LocationId(9), expected)));
        for damaged in [&string[..13], &string[..11], &string[..3], &location[..25], &location[..2]] {
            assert_eq!(stacks.take(damaged), None, "{damaged:?}");
        }
    }

    /// A damaged message that does not say which stack it belongs to changes no open stack.
    #[test]
    fn damaged_messages_are_ignored() {
        let whole = message("ca 0/7: a B 3");
        let mut stacks = StackMessages::default();
        assert_eq!(drawn(stacks.take(&message("cb 0/7: z"))), "");
        // Up to the count.
        for end in 0..12 {
            assert_eq!(stacks.take(&whole[..end]), None, "{end}");
        }
        for (at, byte) in [(0, 0xfe), (1, 0xc9), (1, 0xce)] {
            let mut damaged = whole.clone();
            damaged[at] = byte;
            assert_eq!(stacks.take(&damaged), None);
        }
        // Unknown bytes at the end do no harm.
        assert_eq!(drawn(stacks.take(&[&whole[..], &[1, 2]].concat())), "7 on 0: 3Baz");
    }

    /// Nothing of it is joined to what comes before or after, whichever message is damaged; a stack of one message is treated
    /// as any other message.
    #[test]
    fn a_stack_with_a_damaged_message_is_given_up() {
        for spoilt in 0..3 {
            for kind in [0, 4, 9] {
                let mut stacks = StackMessages::default();
                for (at, piece) in ["cb 0/7: a b", "cb 0/7: c d", "ca 0/7: e f"].into_iter().enumerate() {
                    let mut piece = message(piece);
                    if at == spoilt {
                        piece[12] = kind;
                    }
                    assert_eq!(drawn(stacks.take(&piece)), "", "{spoilt}: {at}");
                }
                assert_eq!(drawn(stacks.take(&message("ca 0/7: x"))), "7 on 0: x", "{spoilt}");
                assert_eq!(stacks.unfinished, 1, "{spoilt}");
            }
        }
        let mut stacks = StackMessages::default();
        assert_eq!(stacks.take(&message("ca 0/7: a b c")[..20]), None);
        assert_eq!(stacks.unfinished, 0);
    }

    #[test]
    fn a_stack_given_up_for_lack_of_room_does_not_come_back_without_its_beginning() {
        let mut stacks = StackMessages::default();
        for thread in 0..=limits::MAX_OPEN_STACKS {
            stacks.take(&message(&format!("cb 0/{thread}: a")));
        }
        assert_eq!(drawn(stacks.take(&message("cb 0/0: b"))), "");
        assert_eq!(drawn(stacks.take(&message("ca 0/0: c"))), "");
        assert_eq!((drawn(stacks.take(&message("ca 0/0: d"))), stacks.unfinished), ("0 on 0: d".into(), 1));
    }

    #[test]
    fn open_stacks_are_bounded() {
        let mut stacks = StackMessages::default();
        let many = "a ".repeat(5000);
        for _ in 0..3 {
            stacks.take(&message(&format!("cb 0/7: {many}")));
        }
        assert_eq!((stacks.open.len(), stacks.open[0].frames.len()), (1, limits::MAX_OPEN_FRAMES));
        // Only its outer part is left.
        let end = drawn(stacks.take(&message("ca 0/7: y z")));
        assert!(end.starts_with("7 on 0: zyaaa") && end.ends_with("cut"), "{end}");
        for thread in 0..2 * limits::MAX_OPEN_STACKS {
            stacks.take(&message(&format!("cb 0/{thread}: a b")));
        }
        assert_eq!((stacks.open.len(), stacks.unfinished), (limits::MAX_OPEN_STACKS, limits::MAX_OPEN_STACKS as u64));
        for thread in 0..20 {
            stacks.take(&message(&format!("cb 1/{thread}: {many}")));
            assert!(stacks.bytes_held() < 5 * limits::MAX_OPEN_FRAMES * size_of::<Frame>());
        }
        stacks.end_stream();
        assert_eq!(stacks.unfinished, 2 * limits::MAX_OPEN_STACKS as u64 + 20);
    }
}
