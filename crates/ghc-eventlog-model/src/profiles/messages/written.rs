//! One message of ghc-stack-profiler, as the versions of the library write it.
//!
//! ```text
//!                    0.1, 0.2                                0.3, 0.4                 0.5
//! every message                                                                       ff c0, version u8, then:
//! ff ca, ff cb       cap u32, thread u32, count u16, frames  the same                 the thread is a u64
//!   frame 01, 02     info table u64 │ string u64             the same                 the same
//!   frame 03         location u64                            string u64, location u64 as in 0.3
//! ff cc              string u64, length u16, text            the same                 the same
//!   the length is in characters                              characters               bytes
//! ff cd              location u64, row u32, column u32,      location u64, row u32,   as in 0.3
//!                    function u64, file u64                  column u32, file u64
//! the first frame    innermost                               outermost                outermost
//! ```
//!
//! `ff c0` may also be a message of its own. Whoever begins to listen late has missed it then, so each message is read in the
//! layout in which its bytes are used up exactly. At most one is, as a rule.

use alloc::vec::Vec;
use ghc_eventlog::{Text, ThreadId};

/// The first two bytes.
const VERSION: u64 = 0xffc0;
const LAST: u64 = 0xffca;
const MORE: u64 = 0xffcb;
const STRING: u64 = 0xffcc;
const LOCATION: u64 = 0xffcd;

/// Which frame of a stack is written first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FirstFrame {
    Innermost,
    Outermost,
}

/// A frame, by the numbers of its message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WrittenFrame {
    Table(u64),
    String(u64),
    /// A string and a location.
    Placed(u64, u64),
    /// A location, which names the function.
    Function(u64),
}

/// A message.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Written<'a> {
    /// It only says which version the library has.
    Version,
    /// A stack of a capability's thread, or a piece of it: [`WrittenMessage::frames`].
    Piece {
        is_last: bool,
        cap: u32,
        thread: ThreadId,
    },
    String(u64, Text<'a>),
    Location {
        number: u64,
        row: u32,
        column: u32,
        function: Option<u64>,
        file: u64,
    },
    /// It is not as any version writes it. If it begins as a piece of a stack: which one.
    Damaged(Option<(bool, u32, ThreadId)>),
    /// Its mark is of none that are known.
    Unknown,
}

/// A message, and what it says about the version that wrote it.
#[derive(Debug, Default)]
pub(super) struct Reader {
    /// The frames of the latest piece, in their order.
    pub(super) frames: Vec<WrittenFrame>,
    /// Whether threads have eight bytes, according to the latest message that says so.
    has_long_threads: bool,
}

impl Reader {
    /// Reads a message; `None` if it is of another library. Also returns which frame of stacks comes first in this version, if
    /// the message says so.
    pub(super) fn read<'a>(&mut self, message: &'a [u8]) -> Option<(Written<'a>, Option<FirstFrame>)> {
        let mut rest = Bytes(message);
        let mut mark = rest.number(2)?;
        let mut says = None;
        if mark == VERSION {
            if rest.number(1).is_none() {
                return Some((Written::Damaged(None), None));
            }
            self.has_long_threads = true;
            says = Some(FirstFrame::Outermost);
            match rest.clone().number(2) {
                Some(next) if next >> 8 == 0xff && next != VERSION => (mark, rest) = (next, Bytes(rest.0.get(2..)?)),
                // A later version may have more to say.
                _ => return Some((Written::Version, says)),
            }
        }
        let (written, also_says) = match mark {
            LAST | MORE => self.piece(mark == LAST, &rest, says.is_some()),
            STRING => self.string(rest),
            LOCATION => location(rest),
            _ if mark >> 8 == 0xff => (Some(Written::Unknown), None),
            _ => return None,
        };
        Some((written.unwrap_or(Written::Damaged(None)), says.or(also_says)))
    }

    fn piece<'a>(
        &mut self,
        is_last: bool,
        rest: &Bytes<'_>,
        has_version: bool,
    ) -> (Option<Written<'a>>, Option<FirstFrame>) {
        // Frames 03 tell the two layouts with short threads apart: each of them makes one eight bytes longer.
        let fits = |thread, placed| rest.clone().stack(thread, placed, &mut |_| {});
        let short = |placed| if has_version { None } else { fits(4, placed) };
        let (first, third, fifth) = (short(8), short(16), fits(8, 16));
        // No program has as many threads as fill four bytes.
        let is_likely = || rest.0.get(4..8) == Some(&[0; 4]);
        let is_long = fifth.is_some() && (self.has_long_threads || first.or(third).is_none() && is_likely());
        let (thread, placed, says) = match (first, third) {
            _ if is_long => (8, 16, Some(FirstFrame::Outermost)),
            (Some(true), _) => (4, 8, Some(FirstFrame::Innermost)),
            (_, Some(true)) => (4, 16, Some(FirstFrame::Outermost)),
            (None, None) => {
                let thread = if self.has_long_threads { 8 } else { 4 };
                return (rest.clone().head(thread).map(|of| Written::Damaged(Some((is_last, of.0, of.1)))), None);
            }
            _ => (4, 16, None),
        };
        self.has_long_threads = is_long;
        let (mut rest, frames) = (rest.clone(), &mut self.frames);
        frames.clear();
        let head = rest.clone().head(thread);
        rest.stack(thread, placed, &mut |frame| frames.push(frame));
        (head.map(|(cap, thread)| Written::Piece { is_last, cap, thread }), says)
    }

    fn string<'a>(&mut self, mut rest: Bytes<'a>) -> (Option<Written<'a>>, Option<FirstFrame>) {
        let (Some(number), Some(length)) = (rest.number(8), rest.number(2)) else { return (None, None) };
        let letters = rest.0.iter().filter(|byte| **byte & 0xc0 != 0x80).count();
        let (is_bytes, is_letters) = (length == rest.0.len() as u64, length == letters as u64);
        let is_new = is_bytes && !is_letters;
        self.has_long_threads |= is_new;
        let text = (is_bytes || is_letters).then_some(Written::String(number, Text(rest.0)));
        (text, is_new.then_some(FirstFrame::Outermost))
    }
}

fn location<'a>(mut rest: Bytes<'a>) -> (Option<Written<'a>>, Option<FirstFrame>) {
    let has_function = match rest.0.len() {
        32 => true,
        24 => false,
        _ => return (None, None),
    };
    let mut read = || {
        let number = rest.number(8)?;
        let (row, column) = (rest.number(4)? as u32, rest.number(4)? as u32);
        let function = if has_function { Some(rest.number(8)?) } else { None };
        Some(Written::Location { number, row, column, function, file: rest.number(8)? })
    };
    (read(), Some(if has_function { FirstFrame::Innermost } else { FirstFrame::Outermost }))
}

/// The bytes of a message that have not been read yet.
#[derive(Clone)]
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    /// A number of `bytes` bytes.
    fn number(&mut self, bytes: usize) -> Option<u64> {
        let (number, rest) = self.0.split_at_checked(bytes)?;
        self.0 = rest;
        Some(number.iter().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    /// The capability and the thread of a stack. The runtime's other events have 32 bits of a thread's number, too.
    fn head(&mut self, thread: usize) -> Option<(u32, ThreadId)> {
        Some((self.number(4)? as u32, ThreadId(self.number(thread)? as u32)))
    }

    /// Reads a stack whose thread and frames 03 have this many bytes, if it ends where the message does. Returns whether any frame
    /// is an 03.
    fn stack(&mut self, thread: usize, placed: usize, frame: &mut dyn FnMut(WrittenFrame)) -> Option<bool> {
        self.head(thread)?;
        let mut any = false;
        for _ in 0..self.number(2)? {
            frame(match self.number(1)? {
                1 => WrittenFrame::Table(self.number(8)?),
                2 => WrittenFrame::String(self.number(8)?),
                3 => {
                    any = true;
                    match self.number(8)? {
                        string if placed > 8 => WrittenFrame::Placed(string, self.number(8)?),
                        location => WrittenFrame::Function(location),
                    }
                }
                _ => return None,
            });
        }
        self.0.is_empty().then_some(any)
    }
}
